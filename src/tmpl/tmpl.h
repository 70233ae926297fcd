/*
 * Templates: one structure file, one wording file per language, and the
 * results tree make a document.  No sentence for the reader stands in C.
 *
 * Structure (templates/report.xml), elements:
 *
 *   report                    the root
 *   head left= right= foot=   running head and foot (wording ids)
 *   cover title= subtitle=    with  line say=
 *   contents                  table of contents
 *   break                     new page
 *   section title= id=        nests; the level follows the nesting;
 *                             numbered="no" for a section without number
 *   p say= style=             style: body (default) lead note source question
 *   list ordered=             with  item say=  (items may hold lists)
 *   box style= tone=          framed blocks
 *   table id= caption=        with  col title= align=(start|centre|end)
 *                             weight=;  row with cell say= tone= span=;
 *                             group say= (a heading row)
 *   chart kind= of= against= caption= alt= file= id=
 *                             with  label name= say=;  labels prefix= (all
 *                             wording entries that start so, by full id)
 *   with path= as=            binds a name for its children
 *
 * On every element:
 *   each="list path" as="v"   repeat for each item (v.field inside; v.index
 *                             counts from 1)
 *   if="path"                 only if present (and a flag is true, and a
 *                             list is not empty)
 *   unless="path"             the opposite
 *   is="word" not="word"      with if: the value equals / differs; several
 *                             words separated by |
 *   above="x" below="x"       with if: number greater / less than x, where x
 *                             is a number or a path; of a list: its length
 * Attributes that name wording (say title caption alt subtitle ...) may hold
 * [path]: "verdict.[v.verdict.model]".  tone= takes a tone or [path]; states
 * and verdict ids map to tones.  file= and id= may hold [path] too.
 *
 * Wording (templates/wording/LANG.xml):
 *
 *   <wording lang="zh-CN">
 *     <say id="x">plain text, <b>strong</b>, <quiet>small</quiet>,
 *       <ref to="id of a section, table or figure"/>,
 *       <link to="https://..."/>, <mark tone="good">..</mark>, and holes
 *     </say>
 *
 *   {path}            text or number as it stands (lists: their length)
 *   {path|fmt}        through a formatter
 *   {list*field}      the field of all items, joined in the language's way;
 *                     {list*field|fmt} formats each
 *   {path|say:x.y}    the entry "x.y." + value: {list*id|say:gate.name}
 *   {@id}             another entry; {@id.[path]} chosen by a value
 *   {{ and }}         braces
 * White space in wording is collapsed; between two Han characters, and next
 * to full-width punctuation, it is dropped, so that lines may be wrapped
 * freely.
 *
 * Entries the program itself needs, in every language:
 *
 *   doc.title doc.subject doc.keywords doc.chapter doc.section doc.figure
 *   doc.table doc.table-continued doc.contents doc.ref-chapter
 *   doc.ref-section doc.foot   and, if wanted, doc.author
 *       {n}, {page} and {pages} in them are left for the layout
 *   unit.minute unit.hour unit.day unit.year    "{n} 分钟", "{n} hours"
 *   unit.range            "{low}–{high}"
 *   unit.date             "{year}年{month}月{day}日", "{day} {name} {year}"
 *   unit.date-month       "{year}年{month}月", "{name} {year}"
 *   unit.month.1 ... 12   names of months, only if {name} is used
 *   unit.list             "{a}、{b}", "{a}, {b}"       joins of {list*field}
 *   unit.list-last        "{a}和{b}", "{a} and {b}"    the last two
 *   unit.e4 unit.e8 ...   "{n} 万", "{n} 亿"; unit.e6 "{n} million": powers
 *                         of ten the language has a word for, any of e3..e15
 *
 * Formatters (see tmpl/words.h for the list): count big ratio times percent
 * share bytes memory bandwidth flops flop seconds watt rate fps money date
 * clock cc range:FORMAT px int one say:PREFIX ops.
 *
 * Errors, each with file, line and column: unknown path in a hole or test,
 * unknown formatter, unknown wording id, wording never used, a hole that
 * differs between languages (lint).
 */
#ifndef TMPL_TMPL_H
#define TMPL_TMPL_H

#include <stdbool.h>

#include "doc/doc.h"

struct arena;
struct diag;
struct node;

struct template; /* structure and wording of one language */

/* Read `dir`/report.xml and `dir`/wording/LANG.xml; NULL after reporting. */
struct template *template_read(struct arena *a, const char *dir,
    const char *lang, struct diag *d);

/*
 * The document in the template's language; NULL after reporting.  A path
 * that does not exist in `results` is an error unless it is only tested.
 */
struct document *template_apply(struct arena *a, struct template *t,
    const struct node *results, struct diag *d);

/* One wording entry with its holes filled against `scope` (for `explain`):
 * names bind as in each/as.  NULL after reporting. */
struct text_scope {
	const char *name;
	const struct node *node;
};
char *template_say(struct arena *a, struct template *t, const char *id,
    const struct node *results, const struct text_scope *scope, int n,
    struct diag *d);

/* Compare two languages: same ids, same holes (`make lint`). */
bool template_parity(const struct template *a, const struct template *b,
    struct diag *d);

/* Wording entries no structure element or other entry refers to. */
bool template_unused(const struct template *t, struct diag *d);

#endif
