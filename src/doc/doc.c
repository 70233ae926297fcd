#include "doc/doc.h"

#include <assert.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "data/results.h"

struct block *
block_new(struct arena *a, enum block_kind kind)
{
	struct block *b = arena_alloc(a, 1, sizeof(*b));

	b->kind = kind;
	return b;
}

void
block_append(struct document *d, struct block *in, struct block *b)
{
	struct block **first = in ? &in->first : &d->first;
	struct block **last = in ? &in->last : &d->last;

	assert(!b->next);
	if (*last)
		(*last)->next = b;
	else
		*first = b;
	*last = b;
}

void
inlines_add(struct arena *a, struct inlines *in, enum inline_kind kind,
    const char *text)
{
	struct inl *i = arena_push(a, &in->items, &in->n, sizeof(*i));

	i->kind = kind;
	i->text = text;
}

const char *
block_label(const struct block *b, const char *name, const char *missing)
{
	for (int i = 0; i < b->n_labels; i++)
		if (str_equal(b->labels[i].name, name))
			return b->labels[i].text;
	return missing;
}

char *
inlines_text(struct arena *a, const struct inlines *in)
{
	struct str s;

	str_init(&s, a);
	for (int i = 0; i < in->n; i++)
		if (in->items[i].text)
			str_add(&s, in->items[i].text);
	return s.s;
}

/*
 * The print
 */

static const char *const block_names[] = {
    [BLOCK_SECTION] = "section",
    [BLOCK_PARA] = "para",
    [BLOCK_LIST] = "list",
    [BLOCK_ITEM] = "item",
    [BLOCK_TABLE] = "table",
    [BLOCK_FIGURE] = "figure",
    [BLOCK_BOX] = "box",
    [BLOCK_COVER] = "cover",
    [BLOCK_CONTENTS] = "contents",
    [BLOCK_BREAK] = "break",
};
static const char *const inline_names[] = {
    [INLINE_TEXT] = "text",
    [INLINE_STRONG] = "strong",
    [INLINE_QUIET] = "quiet",
    [INLINE_REF] = "ref",
    [INLINE_LINK] = "link",
    [INLINE_MARK] = "mark",
};
static const char *const tone_names[] = {
    [TONE_NONE] = "none",
    [TONE_GOOD] = "good",
    [TONE_OK] = "ok",
    [TONE_WARN] = "warn",
    [TONE_BAD] = "bad",
    [TONE_OPEN] = "open",
};
static const char *const align_names[] = {
    [ALIGN_START] = "start",
    [ALIGN_CENTRE] = "centre",
    [ALIGN_END] = "end",
};

static void
indent(struct str *out, int depth)
{
	for (int i = 0; i < depth; i++)
		str_add(out, "  ");
}

/* In quotes, with what would break a line or a quote escaped. */
static void
add_quoted(struct str *out, const char *s)
{
	str_addc(out, '"');
	for (; s && *s; s++) {
		if (*s == '"' || *s == '\\')
			str_addf(out, "\\%c", *s);
		else if (*s == '\n')
			str_add(out, "\\n");
		else
			str_addc(out, *s);
	}
	str_addc(out, '"');
}

/* A run that is not plain text: [strong "x"], [ref id], [mark bad "x"]. */
static void
add_run(struct str *out, const struct inl *i)
{
	if (i->kind == INLINE_TEXT && !i->lang) {
		add_quoted(out, i->text);
		return;
	}
	str_addf(out, "[%s", inline_names[i->kind]);
	if (i->tone != TONE_NONE)
		str_addf(out, " %s", tone_names[i->tone]);
	if (i->lang)
		str_addf(out, " lang=%s", i->lang);
	if (i->target)
		str_addf(out, " %s", i->target);
	if (i->text && *i->text) {
		str_addc(out, ' ');
		add_quoted(out, i->text);
	}
	str_addc(out, ']');
}

static void
add_inlines(struct str *out, const char *name, const struct inlines *in)
{
	if (in->n == 0)
		return;
	if (name)
		str_addf(out, " %s", name);
	for (int i = 0; i < in->n; i++) {
		str_addc(out, ' ');
		add_run(out, &in->items[i]);
	}
}

/* The path of a node from its root, for "of" and "against". */
static void
add_node_path(struct str *out, const struct node *n)
{
	int i = 0;

	if (!n->parent)
		return;
	add_node_path(out, n->parent);
	if (n->parent->parent)
		str_addc(out, '.');
	if (n->name) {
		str_add(out, n->name);
		return;
	}
	for (const struct node *k = n->parent->first; k && k != n; k = k->next)
		i++;
	str_addf(out, "%d", i);
}

static void
dump_row(const struct row *row, int depth, struct str *out)
{
	indent(out, depth);
	str_add(out, row->group ? "group" : "row");
	for (int i = 0; i < row->n; i++) {
		const struct cell *c = &row->cells[i];

		str_add(out, " |");
		if (c->span > 1)
			str_addf(out, " span=%d", c->span);
		if (c->tone != TONE_NONE)
			str_addf(out, " tone=%s", tone_names[c->tone]);
		add_inlines(out, NULL, &c->text);
	}
	str_addc(out, '\n');
}

static void
dump_table(const struct block *b, int depth, struct str *out)
{
	for (int i = 0; i < b->n_columns; i++) {
		const struct column *c = &b->columns[i];

		indent(out, depth);
		str_addf(out, "col %s weight=%s", align_names[c->align],
		    num_exact(out->a, c->weight));
		add_inlines(out, NULL, &c->title);
		str_addc(out, '\n');
	}
	for (int i = 0; i < b->n_rows; i++)
		dump_row(&b->rows[i], depth, out);
}

static void
dump_figure(const struct block *b, int depth, struct str *out)
{
	indent(out, depth);
	str_addf(out, "chart %s", b->chart);
	if (b->of) {
		str_add(out, " of=");
		add_node_path(out, b->of);
	}
	if (b->against) {
		str_add(out, " against=");
		add_node_path(out, b->against);
	}
	if (b->file)
		str_addf(out, " file=%s", b->file);
	str_addc(out, '\n');
	if (b->alt) {
		indent(out, depth);
		str_add(out, "alt ");
		add_quoted(out, b->alt);
		str_addc(out, '\n');
	}
	for (int i = 0; i < b->n_labels; i++) {
		indent(out, depth);
		str_addf(out, "label %s ", b->labels[i].name);
		add_quoted(out, b->labels[i].text);
		str_addc(out, '\n');
	}
}

static void
dump_block(const struct block *b, int depth, struct str *out)
{
	indent(out, depth);
	str_add(out, block_names[b->kind]);
	if (b->kind == BLOCK_SECTION)
		str_addf(out, " level=%d", b->level);
	if (b->id)
		str_addf(out, " id=%s", b->id);
	if (b->style)
		str_addf(out, " style=%s", b->style);
	if (b->tone != TONE_NONE)
		str_addf(out, " tone=%s", tone_names[b->tone]);
	if (b->numbered)
		str_add(out, " numbered");
	if (b->ordered)
		str_add(out, " ordered");
	add_inlines(out, "title", &b->title);
	add_inlines(out, NULL, &b->text);
	str_addc(out, '\n');
	if (b->kind == BLOCK_TABLE)
		dump_table(b, depth + 1, out);
	if (b->kind == BLOCK_FIGURE)
		dump_figure(b, depth + 1, out);
	for (const struct block *k = b->first; k; k = k->next)
		dump_block(k, depth + 1, out);
}

static void
dump_line(struct str *out, const char *name, const char *text)
{
	if (!text)
		return;
	str_addf(out, "  %s ", name);
	add_quoted(out, text);
	str_addc(out, '\n');
}

static void
dump_head(struct str *out, const char *name, const struct inlines *in)
{
	if (in->n == 0)
		return;
	str_addf(out, "  %s", name);
	add_inlines(out, NULL, in);
	str_addc(out, '\n');
}

void
document_dump(const struct document *d, struct str *out)
{
	str_addf(out, "document lang=%s\n", d->lang ? d->lang : "");
	dump_line(out, "title", d->title);
	dump_line(out, "subject", d->subject);
	dump_line(out, "author", d->author);
	dump_line(out, "date", d->date);
	dump_line(out, "keywords", d->keywords);
	dump_head(out, "head-left", &d->head_left);
	dump_head(out, "head-right", &d->head_right);
	dump_line(out, "foot", d->foot);
	dump_line(out, "chapter-number", d->chapter_number);
	dump_line(out, "section-number", d->section_number);
	dump_line(out, "figure-number", d->figure_number);
	dump_line(out, "table-number", d->table_number);
	dump_line(out, "table-continued", d->table_continued);
	dump_line(out, "contents-title", d->contents_title);
	dump_line(out, "ref-chapter", d->ref_chapter);
	dump_line(out, "ref-section", d->ref_section);
	for (const struct block *b = d->first; b; b = b->next)
		dump_block(b, 0, out);
}
