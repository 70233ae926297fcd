/* Templates: structure and wording and results to a document. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "data/results.h"
#include "tmpl/template.h"
#include "tmpl/tmpl.h"

/* What every wording must have; one line, so that the tests' start in 2. */
#define DOC_ENTRIES                                                            \
	"<say id='doc.title'>标题</say><say id='doc.subject'>主题</say>"   \
	"<say id='doc.keywords'>GPU</say>"                                     \
	"<say id='doc.chapter'>第 {n} 章</say>"                              \
	"<say id='doc.section'>{n}</say><say id='doc.figure'>图 {n}</say>"    \
	"<say id='doc.table'>表 {n}</say>"                                    \
	"<say id='doc.table-continued'>续表 {n}</say>"                       \
	"<say id='doc.contents'>目录</say>"                                  \
	"<say id='doc.ref-chapter'>第 {n} 章</say>"                          \
	"<say id='doc.ref-section'>{n} 节</say>"                              \
	"<say id='doc.foot'>第{page}页，共{pages}页</say>"
#define ZH_UNITS                                                               \
	"<say id='unit.minute'>{n} 分钟</say>"                               \
	"<say id='unit.hour'>{n} 小时</say><say id='unit.day'>{n} 天</say>" \
	"<say id='unit.year'>{n} 年</say>"                                    \
	"<say id='unit.range'>{low}–{high}</say>"                            \
	"<say id='unit.list'>{a}、{b}</say>"                                  \
	"<say id='unit.list-last'>{a}和{b}</say>"                             \
	"<say id='unit.date'>{year}年{month}月{day}日</say>"                \
	"<say id='unit.date-month'>{year}年{month}月</say>"                  \
	"<say id='unit.e4'>{n} 万</say><say id='unit.e8'>{n} 亿</say>"
#define EN_UNITS                                                               \
	"<say id='unit.minute'>{n} min</say>"                                  \
	"<say id='unit.hour'>{n} hours</say><say id='unit.day'>{n} days</say>" \
	"<say id='unit.year'>{n} years</say>"                                  \
	"<say id='unit.range'>{low}–{high}</say>"                            \
	"<say id='unit.list'>{a}, {b}</say>"                                   \
	"<say id='unit.list-last'>{a} and {b}</say>"                           \
	"<say id='unit.date'>{day} {name} {year}</say>"                        \
	"<say id='unit.date-month'>{name} {year}</say>"                        \
	"<say id='unit.month.11'>November</say>"                               \
	"<say id='unit.e6'>{n} million</say>"

static struct arena *a;
static struct diag d;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct source *
source(const char *path, const char *text)
{
	struct source *s = arena_alloc(a, 1, sizeof(*s));

	*s = (struct source){path, text, strlen(text)};
	return s;
}

/* `says` starts in line 2 of its file, `body` in line 2 of report.xml. */
static struct template *
template_in(const char *lang, const char *says, const char *body)
{
	struct str wording, report;

	str_init(&wording, a);
	str_addf(&wording,
	    "<wording lang='%s'>" DOC_ENTRIES "%s\n%s"
	    "</wording>",
	    lang, str_starts(lang, "zh") ? ZH_UNITS : EN_UNITS, says);
	str_init(&report, a);
	str_addf(&report, "<report>\n%s</report>", body);
	return template_parse(a, lang,
	    source(arena_printf(a, "%s.xml", lang), wording.s),
	    source("report.xml", report.s), &d);
}

static void
add_vendor(struct node *list, const char *id, const char *name,
    const char *name_en, double gib, const char *verdict)
{
	struct node *v = node_item(a, list);

	node_text(a, v, "id", id);
	node_text2(a, v, "name", name, name_en);
	node_number(a, v, "need", gib * (1 << 30), UNIT_BYTE);
	node_text(a, v, "verdict", verdict);
}

static const struct node *
results(void)
{
	struct node *root = node_root(a), *p, *list, *g;

	p = node_group(a, root, "project");
	node_text2(a, p, "name", "城市视觉升级", "City vision upgrade");
	node_text(a, p, "date", "2026-11-30");
	node_text(a, p, "lead", "华北");
	node_number(a, p, "streams", 1600, UNIT_COUNT);
	node_number(a, p, "share", 0.37, UNIT_RATIO);
	node_estimate(a, p, "busy",
	    (struct estimate){0.015, 0.012, 0.019, TIER_LAYERS}, UNIT_SECOND);
	node_number(a, p, "wrong", NAN, UNIT_NONE);
	node_number(a, p, "endless", INFINITY, UNIT_SECOND);
	node_flag(a, p, "shared", true);
	node_flag(a, p, "training", false);
	list = node_list(a, root, "vendors");
	add_vendor(list, "S1", "厂家一", "Vendor One", 6, "needed");
	add_vendor(list, "S2", "厂家二", "Vendor Two", 11, "short");
	add_vendor(list, "S3", "厂家三", NULL, 20, "sound");
	node_list(a, root, "none");
	list = node_list(a, root, "pair");
	node_text(a, node_item(a, list), "name", "T4");
	node_text(a, node_item(a, list), "name", "L4");
	list = node_list(a, root, "single");
	node_text(a, node_item(a, list), "name", "T4");
	list = node_list(a, root, "five");
	for (int i = 1; i <= 5; i++) {
		g = node_item(a, list);
		node_number(a, g, "cards", i * 1000, UNIT_COUNT);
		node_text(a, g, "gate", i % 2 ? "memory" : "software");
	}
	return root;
}

/* The print without the lines about the document as a whole. */
static const char *
blocks_of(const struct document *doc)
{
	struct str out;
	const char *s;

	str_init(&out, a);
	document_dump(doc, &out);
	s = strchr(out.s, '\n') + 1;
	while (strncmp(s, "  ", 2) == 0)
		s = strchr(s, '\n') + 1;
	return s;
}

static const char *
made(const char *lang, const char *says, const char *body)
{
	struct template *t = template_in(lang, says, body);
	struct document *doc;

	if (!t)
		diag_print(&d, stderr);
	assert_non_null(t);
	doc = template_apply(a, t, results(), &d);
	if (!doc)
		diag_print(&d, stderr);
	assert_non_null(doc);
	assert_int_equal(d.n, 0);
	return blocks_of(doc);
}

/* The blocks that zh-CN makes of it. */
static void
makes(const char *says, const char *body, const char *want)
{
	assert_string_equal(made("zh-CN", says, body), want);
}

/* One entry, said in both languages; '~' is the no-break space. */
static void
says_in(const char *lang, const char *entry, const char *want)
{
	struct template *t = template_in(lang,
	    arena_printf(a, "<say id='x'>%s</say>", entry), "<p say='x'/>");
	struct str s;
	char *got;

	assert_non_null(t);
	got = template_say(a, t, "x", results(), NULL, 0, &d);
	if (!got)
		diag_print(&d, stderr);
	assert_non_null(got);
	str_init(&s, a);
	for (; *want; want++)
		if (*want == '~')
			str_add(&s, "\xC2\xA0");
		else
			str_addc(&s, *want);
	assert_string_equal(got, s.s);
}

static void
expect_problem(int i, const char *file, int line, int col, const char *id,
    const char *text)
{
	const struct problem *p = &d.problems[i];

	if (i >= d.n || !str_equal(p->id, id) || !strstr(p->text, text) ||
	    p->pos.line != line || p->pos.col != col)
		diag_print(&d, stderr);
	assert_true(i < d.n);
	assert_string_equal(p->id, id);
	assert_non_null(strstr(p->text, text));
	assert_string_equal(p->pos.src->path, file);
	assert_int_equal(p->pos.line, line);
	assert_int_equal(p->pos.col, col);
}

/* Reading fails with one problem. */
static void
unreadable(const char *says, const char *body, const char *file, int line,
    int col, const char *id, const char *text)
{
	assert_null(template_in("zh-CN", says, body));
	expect_problem(0, file, line, col, id, text);
	assert_int_equal(d.n, 1);
}

/* Applying fails with one problem. */
static void
unfillable(const char *says, const char *body, const char *file, int line,
    int col, const char *id, const char *text)
{
	struct template *t = template_in("zh-CN", says, body);

	if (!t)
		diag_print(&d, stderr);
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, file, line, col, id, text);
	assert_int_equal(d.n, 1);
}

/*
 * Elements
 */

static void
document_texts_and_patterns(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='doc.author'>{project.name}编</say>"
	    "<say id='l'><b>{project.name}</b></say><say id='r'>报告</say>",
	    "<head left='l' right='r' foot='doc.foot'/>");
	struct document *doc;

	(void)state;
	assert_non_null(t);
	doc = template_apply(a, t, results(), &d);
	assert_non_null(doc);
	assert_string_equal(doc->lang, "zh-CN");
	assert_string_equal(doc->title, "标题");
	assert_string_equal(doc->subject, "主题");
	assert_string_equal(doc->keywords, "GPU");
	assert_string_equal(doc->author, "城市视觉升级编");
	assert_string_equal(doc->date, "2026-11-30");
	assert_string_equal(doc->foot, "第{page}页，共{pages}页");
	assert_string_equal(doc->chapter_number, "第 {n} 章");
	assert_string_equal(doc->section_number, "{n}");
	assert_string_equal(doc->figure_number, "图 {n}");
	assert_string_equal(doc->table_number, "表 {n}");
	assert_string_equal(doc->table_continued, "续表 {n}");
	assert_string_equal(doc->contents_title, "目录");
	assert_string_equal(doc->ref_chapter, "第 {n} 章");
	assert_string_equal(doc->ref_section, "{n} 节");
	assert_int_equal(doc->head_left.n, 1);
	assert_int_equal(doc->head_left.items[0].kind, INLINE_STRONG);
	assert_string_equal(inlines_text(a, &doc->head_right), "报告");
}

static void
an_author_that_is_not_there(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='doc.author'>{project.author}</say>", "");
	struct document *doc;

	(void)state;
	assert_non_null(t);
	doc = template_apply(a, t, results(), &d);
	assert_non_null(doc);
	assert_null(doc->author);
}

static void
cover_contents_and_break(void **state)
{
	(void)state;
	makes("<say id='s'>副题</say><say id='l'>{project.date|date}</say>",
	    "<cover title='doc.title' subtitle='s'><line say='l'/></cover>"
	    "<contents/><break/>",
	    "cover title \"标题\" \"副题\"\n"
	    "  para style=line \"2026年11月30日\"\n"
	    "contents\n"
	    "break\n");
}

static void
sections_take_their_level_from_nesting(void **state)
{
	(void)state;
	makes("<say id='t'>节</say>",
	    "<section title='t' id='a'><section title='t' numbered='no'>"
	    "<section title='t'/></section></section><section title='t'/>",
	    "section level=1 id=a numbered title \"节\"\n"
	    "  section level=2 title \"节\"\n"
	    "    section level=3 numbered title \"节\"\n"
	    "section level=1 numbered title \"节\"\n");
}

static void
paragraphs_have_styles(void **state)
{
	(void)state;
	makes("<say id='t'>文</say>",
	    "<p say='t'/><p say='t' style='lead'/><p say='t' style='note'/>"
	    "<p say='t' style='source'/><p say='t' style='question'/>",
	    "para style=body \"文\"\npara style=lead \"文\"\n"
	    "para style=note \"文\"\npara style=source \"文\"\n"
	    "para style=question \"文\"\n");
}

static void
lists_nest(void **state)
{
	(void)state;
	makes("<say id='t'>项</say>",
	    "<list ordered='yes'><item say='t'><list><item say='t'/></list>"
	    "</item></list>",
	    "list ordered\n  item \"项\"\n    list\n      item \"项\"\n");
}

static void
a_list_without_items_is_left_out(void **state)
{
	(void)state;
	makes("<say id='t'>{v.name}</say>",
	    "<list><item each='none' as='v' say='t'/></list>"
	    "<list><item say='t' each='vendors' as='v' if='v.verdict' "
	    "is='open'/></list><break/>",
	    "break\n");
}

static void
boxes_take_tones_from_verdicts(void **state)
{
	(void)state;
	makes("<say id='t'>文</say>",
	    "<box each='vendors' as='v' style='verdict' tone='[v.verdict]'>"
	    "<p say='t'/></box><box tone='warn'/>",
	    "box style=verdict tone=good\n  para style=body \"文\"\n"
	    "box style=verdict tone=bad\n  para style=body \"文\"\n"
	    "box style=verdict tone=ok\n  para style=body \"文\"\n"
	    "box style=plain tone=warn\n");
}

static void
tables_have_columns_rows_and_groups(void **state)
{
	(void)state;
	makes("<say id='c'>表题</say><say id='n'>厂家</say>"
	      "<say id='m'>显存</say><say id='g'>组</say>"
	      "<say id='vn'>{v.name}</say><say id='vm'>{v.need|memory}</say>",
	    "<table id='t' caption='c'><col title='n' weight='2'/>"
	    "<col title='m' align='end' weight='0'/>"
	    "<group say='g'/><row each='vendors' as='v'>"
	    "<cell say='vn'/><cell say='vm' tone='[v.verdict]'/></row>"
	    "<row><cell say='g' span='2'/></row>"
	    "<row><cell/><cell/></row></table>",
	    "table id=t numbered title \"表题\"\n"
	    "  col start weight=2 \"厂家\"\n"
	    "  col end weight=0 \"显存\"\n"
	    "  group | span=2 \"组\"\n"
	    "  row | \"厂家一\" | tone=good \"6\xC2\xA0GiB\"\n"
	    "  row | \"厂家二\" | tone=bad \"11\xC2\xA0GiB\"\n"
	    "  row | \"厂家三\" | tone=ok \"20\xC2\xA0GiB\"\n"
	    "  row | span=2 \"组\"\n"
	    "  row | |\n");
}

static void
columns_and_cells_repeat(void **state)
{
	(void)state;
	makes("<say id='n'>{v.id}</say>",
	    "<table><col each='vendors' as='v' title='n'/>"
	    "<row><cell each='vendors' as='v' say='n'/></row></table>",
	    "table\n"
	    "  col start weight=1 \"S1\"\n  col start weight=1 \"S2\"\n"
	    "  col start weight=1 \"S3\"\n"
	    "  row | \"S1\" | \"S2\" | \"S3\"\n");
}

static void
charts_have_data_labels_and_files(void **state)
{
	(void)state;
	makes("<say id='c'>图题</say><say id='alt'>{v.name}的图</say>"
	      "<say id='ch.x'>横轴</say><say id='ch.y'>纵轴</say>"
	      "<say id='ch.z'>{g.id}</say>",
	    "<chart each='vendors' as='v' if='v.id' is='S2' kind='dials' "
	    "of='v' against='project' id='f-[v.id]' file='d-[v.id]' "
	    "caption='c' alt='alt'><label name='axis' say='c'/>"
	    "<labels prefix='ch.'/></chart>",
	    "figure id=f-S2 numbered title \"图题\"\n"
	    "  chart dials of=vendors.1 against=project file=d-S2\n"
	    "  alt \"厂家二的图\"\n"
	    "  label axis \"图题\"\n"
	    /* ch.z is about something that is not bound here */
	    "  label ch.x \"横轴\"\n  label ch.y \"纵轴\"\n");
}

static void
a_file_name_is_no_path(void **state)
{
	struct node *root = node_root(a);
	struct template *t =
	    template_in("zh-CN", "", "<chart kind='k' of='x' file='[x.id]'/>");
	struct document *doc;

	(void)state;
	node_text(a, node_group(a, root, "x"), "id", "../../etc/a b");
	assert_non_null(t);
	doc = template_apply(a, t, root, &d);
	assert_non_null(doc);
	assert_string_equal(doc->first->file, "_._.._etc_a_b");
}

/*
 * Repeating, binding, tests
 */

static void
each_repeats_and_counts(void **state)
{
	(void)state;
	makes("<say id='t'>{v.index}.{v.name}</say>",
	    "<p each='vendors' as='v' say='t'/>",
	    "para style=body \"1.厂家一\"\npara style=body \"2.厂家二\"\n"
	    "para style=body \"3.厂家三\"\n");
}

static void
each_within_each(void **state)
{
	(void)state;
	makes("<say id='t'>{v.id}{p.name}</say><say id='s'>{v.id}</say>",
	    "<section each='vendors' as='v' title='s' if='v.id' not='S2'>"
	    "<p each='pair' as='p' say='t'/></section>",
	    "section level=1 numbered title \"S1\"\n"
	    "  para style=body \"S1T4\"\n  para style=body \"S1L4\"\n"
	    "section level=1 numbered title \"S3\"\n"
	    "  para style=body \"S3T4\"\n  para style=body \"S3L4\"\n");
}

static void
an_inner_name_hides_the_outer(void **state)
{
	(void)state;
	makes("<say id='t'>{v.name}</say>",
	    "<with path='vendors.0' as='v'><with path='vendors.2' as='v'>"
	    "<p say='t'/></with><p say='t'/></with>",
	    "para style=body \"厂家三\"\npara style=body \"厂家一\"\n");
}

static void
with_binds_and_stands_anywhere(void **state)
{
	(void)state;
	makes("<say id='t'>{q.name}</say>",
	    "<table><with path='vendors.1' as='q'><col title='t'/>"
	    "<row><with path='vendors.0' as='q'><cell say='t'/></with></row>"
	    "</with></table>"
	    "<with if='project.training'><break/></with>"
	    "<with each='pair' as='q'><p say='t'/></with>",
	    "table\n  col start weight=1 \"厂家二\"\n  row | \"厂家一\"\n"
	    "para style=body \"T4\"\npara style=body \"L4\"\n");
}

static void
if_asks_for_presence(void **state)
{
	(void)state;
	makes("<say id='t'>文</say>",
	    "<p say='t' if='project.name'/><break if='project.nothing'/>"
	    "<break if='none'/><p say='t' if='pair'/>"
	    "<p say='t' if='project.shared'/><break if='project.training'/>"
	    "<break if='no.such.thing'/>",
	    "para style=body \"文\"\npara style=body \"文\"\n"
	    "para style=body \"文\"\n");
}

static void
unless_is_the_opposite(void **state)
{
	(void)state;
	makes("",
	    "<break unless='project.name'/><contents unless='none'/>"
	    "<contents unless='project.training'/>"
	    "<contents unless='no.such' if='project.name'/>"
	    "<break unless='no.such' if='no.other'/>",
	    "contents\ncontents\ncontents\n");
}

static void
is_and_not_compare_words(void **state)
{
	(void)state;
	makes("<say id='t'>{v.id}</say>",
	    "<p say='t' each='vendors' as='v' if='v.verdict' "
	    "is='short|sound'/>"
	    "<break/><p say='t' each='vendors' as='v' if='v.verdict' "
	    "not='short|sound'/>"
	    "<break/><contents if='project.training' is='false'/>"
	    "<contents if='project.streams' is='1600'/>"
	    "<contents if='project.nothing' not='x'/>"
	    "<contents if='project.lead' is='华北|华南'/>"
	    "<contents if='project.lead' is='华'/>",
	    "para style=body \"S2\"\npara style=body \"S3\"\nbreak\n"
	    "para style=body \"S1\"\nbreak\n"
	    "contents\ncontents\ncontents\n");
}

static void
above_and_below_compare_numbers(void **state)
{
	(void)state;
	makes("<say id='t'>{v.id}</say>",
	    "<contents if='project.streams' above='1599'/>"
	    "<break if='project.streams' above='1600'/>"
	    "<contents if='project.share' below='0.5' above='0.1'/>"
	    "<contents if='vendors' above='2'/><break if='pair' above='2'/>"
	    "<contents if='pair' below='vendors'/>"
	    "<p say='t' each='vendors' as='v' if='v.need' "
	    "below='vendors.1.need'/>"
	    "<break if='project.streams' above='no.such'/>",
	    "contents\ncontents\ncontents\ncontents\n"
	    "para style=body \"S1\"\n");
}

static void
tests_of_the_item_filter_and_others_guard(void **state)
{
	(void)state;
	/* 'inventory' is not there: the list below it is never looked for */
	makes("<say id='t'>{v.id}</say>",
	    "<p say='t' each='inventory.devices' as='v' if='inventory'/>"
	    "<p say='t' each='vendors' as='v' unless='v.verdict'/>"
	    "<with path='inventory' as='i' if='inventory'><p say='t'/></with>"
	    "<p say='t' each='vendors' as='v' if='project.streams' "
	    "above='v.need'/><break/>",
	    "break\n");
}

/*
 * Wording
 */

static void
white_space_is_collapsed(void **state)
{
	(void)state;
	says_in("en", "  one\n\t two   three ", "one two three");
	says_in("zh-CN", "显存\n   不够", "显存不够");
	says_in("zh-CN", "需要 \n 16 GiB 显存", "需要 16 GiB 显存");
}

static void
white_space_goes_next_to_full_width_marks(void **state)
{
	(void)state;
	says_in("zh-CN", "够用，\n  {pair.0.name} 就行。\n 完",
	    "够用，T4 就行。完");
	says_in("zh-CN", "叫做\n“{pair.0.name}”\n的卡", "叫做“T4”的卡");
	says_in("en", "the “{pair.0.name}” card", "the “T4” card");
}

static void
white_space_around_holes_and_elements(void **state)
{
	(void)state;
	says_in("zh-CN", "由\n{project.lead}\n负责", "由华北负责");
	says_in("zh-CN", "由\n<b>{project.lead}</b>\n负责", "由华北负责");
	says_in("en", "<b>a</b> b <b> c</b> ", "a b c");
	says_in("en", "a{project.streams} b", "a1600 b");
}

static void
spaces_stay_outside_the_next_run(void **state)
{
	(void)state;
	makes("<say id='x'>one <b>two</b> three</say>", "<p say='x'/>",
	    "para style=body \"one \" [strong \"two\"] \" three\"\n");
}

static void
braces_are_doubled(void **state)
{
	(void)state;
	says_in("en", "a {{b}} c", "a {b} c");
	says_in("en", "{{{project.streams}}}", "{1600}");
}

static void
xml_escapes_are_text(void **state)
{
	(void)state;
	says_in("en", "1 &lt; 2 &amp; <![CDATA[<b>]]> &#x4E00;",
	    "1 < 2 & <b> 一");
}

static void
inline_elements_become_runs(void **state)
{
	(void)state;
	makes("<say id='x'>见<ref to='s-[project.streams]'/>，"
	      "<mark tone='[vendors.1.verdict]'>不足</mark>"
	      "<quiet>注</quiet><link to='https://e.org/[pair.0.name]'/>"
	      "<link to='https://e.org'>此处</link></say>",
	    "<section title='doc.title' id='s-1600'><p say='x'/></section>",
	    "section level=1 id=s-1600 numbered title \"标题\"\n"
	    "  para style=body \"见\" [ref s-1600] \"，\" [mark bad \"不足\"] "
	    "[quiet \"注\"] [link https://e.org/T4 \"https://e.org/T4\"] "
	    "[link https://e.org \"此处\"]\n");
}

static void
space_before_a_reference(void **state)
{
	(void)state;
	/* Chinese references begin with 图, 表 or 第: no space wanted */
	assert_string_equal(
	    made("zh-CN",
		"<say id='x'>见\n<ref to='s'/>\n与 <ref to='s'/></say>",
		"<section title='doc.title' id='s'/><p say='x'/>"),
	    "section level=1 id=s numbered title \"标题\"\n"
	    "para style=body \"见\" [ref s] \"与\" [ref s]\n");
	assert_string_equal(
	    made("en", "<say id='x'>see <ref to='s'/> <ref to='s'/>.</say>",
		"<section title='doc.title' id='s'/><p say='x'/>"),
	    "section level=1 id=s numbered title \"标题\"\n"
	    "para style=body \"see \" [ref s] \" \" [ref s] \".\"\n");
}

static void
entries_include_entries(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='x'>因为{@why.[vendors.1.verdict]}，{@tail}</say>"
	    "<say id='why.short'><b>不够</b>{vendors.1.name}用</say>"
	    "<say id='why.sound'>够用</say><say id='tail'>完</say>",
	    "<p say='x'/>");

	(void)state;
	assert_non_null(t);
	assert_string_equal(blocks_of(template_apply(a, t, results(), &d)),
	    "para style=body \"因为\" [strong \"不够\"] \"厂家二用，完\"\n");
}

static void
strong_reaches_into_includes(void **state)
{
	(void)state;
	makes("<say id='x'><b>甲{@y}</b>丁</say>"
	      "<say id='y'>乙<quiet>丙</quiet></say>",
	    "<p say='x'/>",
	    "para style=body [strong \"甲乙\"] [quiet \"丙\"] \"丁\"\n");
}

static void
wording_chosen_by_a_value(void **state)
{
	(void)state;
	makes("<say id='v.needed.t'>必要</say><say id='v.short.t'>不足</say>"
	      "<say id='v.sound.t'>合理</say>",
	    "<p each='vendors' as='v' say='v.[v.verdict].t'/>",
	    "para style=body \"必要\"\npara style=body \"不足\"\n"
	    "para style=body \"合理\"\n");
}

static void
say_formatter_speaks_values(void **state)
{
	(void)state;
	says_in("zh-CN",
	    "{vendors.0.verdict|say:w}</say>"
	    "<say id='w.needed'>必要</say><say id='y'>",
	    "必要");
	says_in("zh-CN",
	    "{five*gate|say:g}</say>"
	    "<say id='g.memory'>显存</say><say id='g.software'>软件</say>"
	    "<say id='y'>",
	    "显存、软件、显存、软件和显存");
	says_in("zh-CN",
	    "{project.training|say:f}</say>"
	    "<say id='f.true'>是</say><say id='f.false'>否</say>"
	    "<say id='y'>",
	    "否");
}

static void
lists_of_none_one_two_five(void **state)
{
	(void)state;
	says_in("zh-CN", "[{none*name}]", "[]");
	says_in("zh-CN", "{single*name}", "T4");
	says_in("zh-CN", "{pair*name}", "T4和L4");
	says_in("zh-CN", "{five*cards|count}",
	    "1,000、2,000、3,000、4,000和5,000");
	says_in("en", "{none*name}", "");
	says_in("en", "{single*name}", "T4");
	says_in("en", "{pair*name}", "T4 and L4");
	says_in("en", "{five*cards|count}",
	    "1,000, 2,000, 3,000, 4,000 and 5,000");
}

static void
a_list_alone_is_its_length(void **state)
{
	(void)state;
	says_in("zh-CN", "{vendors}家，{none}家", "3家，0家");
	says_in("en", "{five|count} cards", "5 cards");
}

static void
names_follow_the_language(void **state)
{
	(void)state;
	says_in("zh-CN", "{project.name}：{vendors*name}",
	    "城市视觉升级：厂家一、厂家二和厂家三");
	says_in("en", "{project.name}: {vendors.0.name}",
	    "City vision upgrade: Vendor One");
	/* no English name is given: the Chinese one, marked as such */
	assert_string_equal(made("en",
				"<say id='x'>by {vendors.2.name} "
				"(<b>{vendors.2.name}</b>)</say>",
				"<p say='x'/>"),
	    "para style=body \"by \" [text lang=zh-CN \"厂家三\"] \" (\" "
	    "[strong \"厂家三\"] \")\"\n");
}

static void
numbers_dates_and_ranges_in_text(void **state)
{
	(void)state;
	says_in("zh-CN", "{project.streams|count}路，占{project.share|percent}",
	    "1,600路，占37%");
	says_in("zh-CN", "{project.date|date}", "2026年11月30日");
	says_in("en", "{project.date|date}", "30 November 2026");
	says_in("en",
	    "{project.busy|seconds} "
	    "({project.busy|range:seconds})",
	    "15~ms (12–19~ms)");
	says_in("zh-CN", "{vendors.0.need|memory}", "6~GiB");
}

static void
data_is_never_markup_or_template(void **state)
{
	struct node *root = node_root(a);
	struct template *t =
	    template_in("en", "<say id='x'>[{evil}]</say>", "<p say='x'/>");
	char *s;

	(void)state;
	node_text(a, root, "evil", "<b>{project.name}</b>\n&amp;  {{");
	assert_non_null(t);
	s = template_say(a, t, "x", root, NULL, 0, &d);
	assert_string_equal(s, "[<b>{project.name}</b> &amp;  {{]");
}

static void
say_with_a_scope(void **state)
{
	const struct node *r = results();
	struct text_scope scope[] = {
	    {"v", node_find(r, "vendors.1")},
	    {"g", node_find(r, "five.0")},
	};
	struct template *t = template_in("zh-CN",
	    "<say id='x'>{v.name}：{g.gate}，{project.streams}</say>",
	    "<p say='x'/>");

	(void)state;
	assert_non_null(t);
	assert_string_equal(template_say(a, t, "x", r, scope, 2, &d),
	    "厂家二：memory，1600");
	assert_null(template_say(a, t, "nope", r, scope, 2, &d));
	assert_string_equal(d.problems[0].id, "tmpl-say");
	assert_null(template_say(a, t, "x", r, scope, 1, &d));
	expect_problem(1, "zh-CN.xml", 2, 23, "tmpl-path", "'g.gate'");
}

/*
 * Problems in a template, each at its place
 */

static void
unknown_elements_and_attributes(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN", "<say id='t'>文</say>",
	    "  <para say='t'/>\n  <p say='t' stile='lead'/>\n"
	    "  <p><b/></p>\n  <section title='t'><cover title='t'/>"
	    "</section>\n"));
	expect_problem(0, "report.xml", 2, 3, "tmpl-element",
	    "'para' cannot stand in 'report'");
	expect_problem(1, "report.xml", 3, 14, "tmpl-attribute",
	    "unknown attribute 'stile' of 'p'");
	assert_string_equal(d.problems[1].note, "did you mean 'style'?");
	expect_problem(2, "report.xml", 4, 3, "tmpl-missing",
	    "'p' needs the attribute 'say'");
	expect_problem(3, "report.xml", 4, 6, "tmpl-element",
	    "'b' cannot stand in 'p'");
	expect_problem(4, "report.xml", 5, 22, "tmpl-element",
	    "'cover' cannot stand in 'section'");
	assert_int_equal(d.n, 5);
}

static void
values_out_of_range(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN", "<say id='t'>文</say>",
	    "<p say='t' style='big'/>\n<box tone='red'/>\n"
	    "<table><col title='t' align='middle' weight='x'/>"
	    "<row><cell span='0'/></row></table>\n<list ordered='1'/>\n"
	    "<p say=''/>"));
	expect_problem(0, "report.xml", 2, 19, "tmpl-value", "'big'");
	expect_problem(1, "report.xml", 3, 12, "tmpl-tone", "'red'");
	expect_problem(2, "report.xml", 4, 30, "tmpl-value", "'middle'");
	expect_problem(3, "report.xml", 4, 46, "tmpl-value", "'x'");
	expect_problem(4, "report.xml", 4, 67, "tmpl-value", "0 is not");
	expect_problem(5, "report.xml", 5, 16, "tmpl-value", "'1'");
	expect_problem(6, "report.xml", 6, 9, "tmpl-value", "empty");
}

static void
attributes_that_need_each_other(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN", "<say id='t'>文</say>",
	    "<p say='t' is='x'/>\n<p say='t' each='vendors'/>\n"
	    "<p say='t' as='v'/>\n<with/>\n"
	    "<with path='a' each='b' as='c'/>"));
	expect_problem(0, "report.xml", 2, 16, "tmpl-missing", "without 'if'");
	expect_problem(1, "report.xml", 3, 18, "tmpl-missing", "without 'as'");
	expect_problem(2, "report.xml", 4, 16, "tmpl-missing",
	    "without 'each'");
	expect_problem(3, "report.xml", 5, 1, "tmpl-missing", "'path'");
	expect_problem(4, "report.xml", 6, 22, "tmpl-value", "not both");
}

static void
unknown_wording_is_named(void **state)
{
	(void)state;
	unreadable("<say id='answer.title'>题</say>",
	    "\n  <section title='answer.titel'/>", "report.xml", 3, 19,
	    "tmpl-say", "no entry 'answer.titel'");
	assert_string_equal(d.problems[0].note, "did you mean 'answer.title'?");
}

static void
no_entry_of_that_shape(void **state)
{
	(void)state;
	unreadable("<say id='gate.memory'>显存</say>",
	    "<p say='gates.[v.gate]' each='vendors' as='v'/>", "report.xml", 2,
	    9, "tmpl-say", "'gates.[v.gate]'");
}

static void
no_entry_for_a_value(void **state)
{
	(void)state;
	unfillable("<say id='v.needed'>必要</say><say id='v.sound'>合理</say>",
	    "<p each='vendors' as='v' say='v.[v.verdict]'/>", "report.xml", 2,
	    31, "tmpl-say", "no entry 'v.short'");
}

static void
no_entry_for_a_spoken_value(void **state)
{
	(void)state;
	unfillable("<say id='x'>{vendors*verdict|say:v}</say>"
		   "<say id='v.needed'>必要</say>",
	    "<p say='x'/>", "zh-CN.xml", 2, 13, "tmpl-say", "'v.short'");
}

static void
holes_that_cannot_be_read(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN",
	    "<say id='a'>文{}字</say>\n"
	    "<say id='b'>文{v name}</say>\n"
	    "<say id='c'>{v..name}</say>\n"
	    "<say id='e'>{v.name</say>\n"
	    "<say id='f'>v.name}</say>\n"
	    "<say id='g'>{9lives}</say>\n"
	    "<say id='h'>{@}</say>\n"
	    "<say id='i'>{@a.[b}</say>\n"
	    "<say id='j'>{*name}</say>\n"
	    "<say id='k'>{a*b c}</say>\n",
	    ""));
	expect_problem(0, "zh-CN.xml", 2, 14, "tmpl-hole", "empty");
	expect_problem(1, "zh-CN.xml", 3, 16, "tmpl-hole", "'v name'");
	expect_problem(2, "zh-CN.xml", 4, 16, "tmpl-hole", "'v..name'");
	expect_problem(3, "zh-CN.xml", 5, 13, "tmpl-hole", "'{' without");
	expect_problem(4, "zh-CN.xml", 6, 19, "tmpl-hole", "'}' without");
	expect_problem(5, "zh-CN.xml", 7, 14, "tmpl-hole", "'9lives'");
	expect_problem(6, "zh-CN.xml", 8, 13, "tmpl-hole", "id is expected");
	expect_problem(7, "zh-CN.xml", 9, 17, "tmpl-hole", "'[' without");
	expect_problem(8, "zh-CN.xml", 10, 14, "tmpl-hole", "path");
	expect_problem(9, "zh-CN.xml", 11, 17, "tmpl-hole", "'b c'");
	assert_int_equal(d.n, 10);
}

static void
places_survive_entities_and_comments(void **state)
{
	(void)state;
	/* columns count characters of the file, not of the text */
	assert_null(template_in("zh-CN",
	    "<say id='a'>&lt;&#x4E00;<!-- {b} --><![CDATA[<x>]]>{ }</say>\n"
	    "<say id='c'>一<b>二</b>三\n<quiet>{v|what}</quiet> {}</say>\n",
	    ""));
	expect_problem(0, "zh-CN.xml", 2, 53, "tmpl-hole", "' '");
	expect_problem(1, "zh-CN.xml", 4, 11, "tmpl-format", "'what'");
	expect_problem(2, "zh-CN.xml", 4, 25, "tmpl-hole", "empty");
}

static void
unknown_formatters(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN",
	    "<say id='a'>{v.x|memmory}</say>\n"
	    "<say id='b'>{v.x|range}</say>\n"
	    "<say id='c'>{v.x|range:date}</say>\n"
	    "<say id='e'>{v.x|count:3}</say>\n"
	    "<say id='f'>{v.x|say}</say>\n"
	    "<say id='g'>{v.x|}</say>\n",
	    ""));
	expect_problem(0, "zh-CN.xml", 2, 18, "tmpl-format", "'memmory'");
	assert_string_equal(d.problems[0].note, "did you mean 'memory'?");
	expect_problem(1, "zh-CN.xml", 3, 18, "tmpl-format", "''");
	expect_problem(2, "zh-CN.xml", 4, 24, "tmpl-format", "'date' cannot");
	expect_problem(3, "zh-CN.xml", 5, 24, "tmpl-format", "no argument");
	expect_problem(4, "zh-CN.xml", 6, 18, "tmpl-format", "'say' needs");
	expect_problem(5, "zh-CN.xml", 7, 18, "tmpl-format", "''");
}

static void
wording_elements_are_checked(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN",
	    "<say id='a'><i>斜</i></say>\n"
	    "<say id='b'><b x='1'>粗</b></say>\n"
	    "<say id='c'><ref/></say>\n"
	    "<say id='e'><mark tone='red'>红</mark></say>\n"
	    "<say id='f'><b>粗<quiet>小</quiet></b></say>\n"
	    "<say id='g'><ref to='x'>文</ref></say>\n"
	    "<say name='h'/>\n<tell/>\n",
	    ""));
	expect_problem(0, "zh-CN.xml", 2, 13, "tmpl-element", "'i'");
	expect_problem(1, "zh-CN.xml", 3, 16, "tmpl-attribute", "'x' of 'b'");
	expect_problem(2, "zh-CN.xml", 4, 13, "tmpl-missing", "'to'");
	expect_problem(3, "zh-CN.xml", 5, 25, "tmpl-tone", "'red'");
	expect_problem(4, "zh-CN.xml", 6, 17, "tmpl-element",
	    "'quiet' inside 'b'");
	expect_problem(5, "zh-CN.xml", 7, 13, "tmpl-element", "empty");
}

static void
ids_are_said_once(void **state)
{
	(void)state;
	unreadable("<say id='a'>一</say>\n<say id='b'>二</say>\n"
		   "<say id='a'>三</say>",
	    "", "zh-CN.xml", 4, 1, "tmpl-duplicate", "'a' is said twice");
	assert_string_equal(d.problems[0].note, "first in line 2");
}

static void
required_entries_are_named(void **state)
{
	(void)state;
	assert_null(
	    template_parse(a, "en", source("en.xml", "<wording lang='en'/>"),
		source("report.xml", "<report/>"), &d));
	expect_problem(0, "en.xml", 1, 1, "tmpl-say", "'doc.title'");
	/* 12 of the document and 9 units */
	assert_int_equal(d.n_errors, 21);
}

static void
units_must_have_their_holes(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN",
	    "<say id='unit.e12'>万亿</say>\n"
	    "<say id='unit.month.1'>{project.name}</say>",
	    ""));
	expect_problem(0, "zh-CN.xml", 3, 24, "tmpl-unit", "'unit.month.1'");
	expect_problem(1, "zh-CN.xml", 2, 1, "tmpl-unit", "{n}");
}

static void
the_file_says_its_language(void **state)
{
	(void)state;
	assert_null(template_parse(a, "en",
	    source("en.xml",
		"<wording lang='zh-CN'>" DOC_ENTRIES EN_UNITS "</wording>"),
	    source("report.xml", "<report/>"), &d));
	expect_problem(0, "en.xml", 1, 16, "tmpl-value", "'zh-CN'");
	assert_int_equal(d.n, 1);
}

static void
a_language_is_no_path(void **state)
{
	static const char *const bad[] = {"../x", "", "e", "en/x", "en.x"};

	(void)state;
	for (int i = 0; i < 5; i++) {
		assert_null(template_read(a, "templates", bad[i], &d));
		assert_string_equal(d.problems[i].id, "tmpl-lang");
	}
}

static void
an_unknown_path_names_what_is_near(void **state)
{
	(void)state;
	unfillable("<say id='x'>共{project.stream}路</say>", "\n<p say='x'/>",
	    "zh-CN.xml", 2, 15, "tmpl-path", "no 'project.stream'");
	assert_string_equal(d.problems[0].note,
	    "did you mean 'project.streams'?\n"
	    "used by 'p' at report.xml:3:1");
}

static void
an_unknown_path_of_a_bound_name(void **state)
{
	(void)state;
	/* once, though three vendors lack it */
	unfillable("<say id='x'>{v.nam}</say>",
	    "<p each='vendors' as='v' say='x'/>", "zh-CN.xml", 2, 14,
	    "tmpl-path", "'v.nam'");
	assert_non_null(strstr(d.problems[0].note, "did you mean 'v.name'?"));
}

static void
an_unbound_name(void **state)
{
	(void)state;
	unfillable("<say id='x'>{v.name}</say>", "<p say='x'/>", "zh-CN.xml", 2,
	    14, "tmpl-path", "'v.name'");
	assert_non_null(
	    strstr(d.problems[0].note, "there are project, vendors"));
}

static void
a_field_that_items_lack(void **state)
{
	(void)state;
	unfillable("<say id='x'>{pair*price}</say>", "<p say='x'/>",
	    "zh-CN.xml", 2, 13, "tmpl-path", "'pair*price'");
}

static void
unknown_lists_and_bindings(void **state)
{
	struct template *t = template_in("zh-CN", "<say id='t'>文</say>",
	    "<p each='vendor' as='v' say='t'/>\n"
	    "<with path='project.x' as='v'><p say='t'/></with>\n"
	    "<p each='project' as='v' say='t'/>\n"
	    "<chart kind='k' of='nothing'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "report.xml", 2, 10, "tmpl-path", "'vendor'");
	expect_problem(1, "report.xml", 3, 13, "tmpl-path", "'project.x'");
	expect_problem(2, "report.xml", 4, 10, "tmpl-type", "not a list");
	expect_problem(3, "report.xml", 5, 21, "tmpl-path", "'nothing'");
	assert_int_equal(d.n, 4);
}

static void
numbers_that_are_not_finite(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='x'>{project.wrong}</say>\n"
	    "<say id='y'>{project.endless|seconds}</say>\n"
	    "<say id='z'>{project.endless|range:seconds}</say>",
	    "<p say='x'/><p say='y'/><p say='z'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "zh-CN.xml", 2, 13, "tmpl-number", "finite");
	expect_problem(1, "zh-CN.xml", 3, 13, "tmpl-number", "finite");
	expect_problem(2, "zh-CN.xml", 4, 13, "tmpl-number", "finite");
}

static void
values_of_the_wrong_kind(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='a'>{project}</say>\n"
	    "<say id='b'>{project.shared}</say>\n"
	    "<say id='c'>{project.name|memory}</say>\n"
	    "<say id='e'>{project.name|date}</say>\n"
	    "<say id='f'>{project.streams|date}</say>\n"
	    "<say id='g'>{project*x}</say>\n"
	    "<say id='h'>{vendors|date}</say>\n",
	    "<p say='a'/><p say='b'/><p say='c'/><p say='e'/><p say='f'/>"
	    "<p say='g'/><p say='h'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	for (int i = 0; i < 7; i++)
		expect_problem(i, "zh-CN.xml", i + 2, 13, "tmpl-type", "is ");
	assert_int_equal(d.n, 7);
}

static void
tests_of_the_wrong_kind(void **state)
{
	struct template *t = template_in("zh-CN", "",
	    "<break if='project.name' above='3'/>\n"
	    "<break if='project' is='x'/>\n"
	    "<break if='project.streams' above='project.name'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "report.xml", 2, 12, "tmpl-type", "no number");
	expect_problem(1, "report.xml", 3, 12, "tmpl-type", "no word");
	expect_problem(2, "report.xml", 4, 36, "tmpl-type", "no number");
}

static void
a_tone_that_no_value_means(void **state)
{
	(void)state;
	unfillable("", "<box tone='[project.lead]'/>", "report.xml", 2, 12,
	    "tmpl-tone", "'华北'");
}

static void
rows_fit_their_table(void **state)
{
	struct template *t = template_in("zh-CN", "<say id='t'>文</say>",
	    "<table><col title='t'/><col title='t'/>\n"
	    "<row><cell/></row>\n<row><cell span='2'/><cell/></row></table>\n"
	    "<table><row/></table>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "report.xml", 3, 1, "tmpl-row", "1 cells");
	expect_problem(1, "report.xml", 4, 1, "tmpl-row", "3 cells");
	expect_problem(2, "report.xml", 5, 8, "tmpl-row", "before any 'col'");
}

static void
references_and_ids_are_checked(void **state)
{
	struct template *t =
	    template_in("zh-CN", "<say id='x'>见<ref to='chapter-1'/></say>\n",
		"<section title='doc.title' id='chapter-l'><p say='x'/>"
		"</section>\n<box each='vendors' as='v' id='same'/>\n"
		"<chart kind='k' of='project' file='f'/>\n"
		"<chart kind='k' of='project' file='f'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "report.xml", 3, 32, "tmpl-duplicate", "id 'same'");
	assert_string_equal(d.problems[1].id, "tmpl-duplicate");
	assert_non_null(strstr(d.problems[1].text, "file 'f'"));
	expect_problem(2, "zh-CN.xml", 2, 14, "tmpl-ref", "'chapter-1'");
	assert_string_equal(d.problems[2].note, "did you mean 'chapter-l'?");
	assert_int_equal(d.n, 3);
}

static void
no_reference_in_plain_text(void **state)
{
	(void)state;
	unfillable("<say id='x'>见<ref to='f'/></say>",
	    "<chart kind='k' of='project' id='f' alt='x'/>", "zh-CN.xml", 2, 14,
	    "tmpl-plain", "plain text");
}

static void
slots_are_for_the_program(void **state)
{
	(void)state;
	unfillable("", "<p say='doc.section'/>", "zh-CN.xml", 1, 170,
	    "tmpl-slot", "{n}");
}

static void
text_belongs_to_the_wording(void **state)
{
	(void)state;
	unreadable("", "<section title='doc.title'>正文</section>",
	    "report.xml", 2, 1, "tmpl-element", "text in the structure");
}

static void
all_problems_in_one_run(void **state)
{
	(void)state;
	assert_null(template_in("zh-CN",
	    "<say id='x'>{ }</say>\n"
	    "<say id='y'>{v|nope}</say>",
	    "<p say='z'/><q/>"));
	assert_int_equal(d.n, 4);
	/* malformed XML in one file does not hide the other's problems */
	diag_init(&d, a);
	assert_null(template_parse(a, "en", source("en.xml", "<wording"),
	    source("report.xml", "<report><"), &d));
	assert_true(d.n >= 2);
}

/*
 * Hostile templates
 */

static void
an_entry_within_itself(void **state)
{
	(void)state;
	unreadable("<say id='a'>一{@b}</say>\n<say id='b'>二{@c}</say>\n"
		   "<say id='c'>三{@a}</say>",
	    "", "zh-CN.xml", 4, 14, "tmpl-cycle", "'a' stands within itself");
}

static void
a_cycle_through_values(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='w.needed'>{@w.[vendors.0.verdict]}</say>",
	    "<p say='w.needed'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	expect_problem(0, "zh-CN.xml", 2, 1, "tmpl-cycle", "within itself");
}

/* Each of 16 levels holds the next 10 times: 10^16 pieces if followed. */
static void
entries_that_multiply(void **state)
{
	struct str says;
	struct template *t;
	clock_t start = clock();

	(void)state;
	str_init(&says, a);
	for (int i = 0; i < 14; i++) {
		str_addf(&says, "<say id='e%d'>", i);
		for (int k = 0; k < 10; k++)
			str_addf(&says, "{@e%d}", i + 1);
		str_add(&says, "</say>");
	}
	str_add(&says, "<say id='e14'>lol</say>");
	t = template_in("zh-CN", says.s, "<p say='e0'/>");
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	assert_string_equal(d.problems[0].id, "tmpl-size");
	assert_int_equal(d.n, 1);
	assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
}

/* 40 loops within one another over five items: 5^40 if followed. */
static void
loops_that_multiply(void **state)
{
	struct str body;
	struct template *t;

	(void)state;
	str_init(&body, a);
	for (int i = 0; i < 40; i++)
		str_addf(&body, "<with each='five' as='v%d'>", i);
	str_add(&body, "<break/>");
	for (int i = 0; i < 40; i++)
		str_add(&body, "</with>");
	t = template_in("zh-CN", "", body.s);
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	assert_string_equal(d.problems[0].id, "tmpl-size");
	assert_int_equal(d.n, 1);
}

static void
deep_nesting_is_refused(void **state)
{
	struct str body;

	(void)state;
	str_init(&body, a);
	for (int i = 0; i < 5000; i++)
		str_add(&body, "<box>");
	assert_null(template_in("zh-CN", "", body.s));
	assert_true(d.n_errors > 0);
}

static void
a_huge_hole(void **state)
{
	char *path = arena_alloc(a, 1, 100001);

	(void)state;
	memset(path, 'a', 100000);
	unreadable(arena_printf(a, "<say id='x'>{%s}</say>", path), "",
	    "zh-CN.xml", 2, 13, "tmpl-hole", "100000 bytes");
}

/* Ten thousand holes, each looked for in the source: not quadratic. */
static void
many_holes_in_one_entry(void **state)
{
	struct str says;
	struct template *t;
	clock_t start = clock();

	(void)state;
	str_init(&says, a);
	str_add(&says, "<say id='x'>");
	for (int i = 0; i < 50000; i++)
		str_add(&says, "&amp;{project.streams}\n");
	str_add(&says, "</say>");
	t = template_in("zh-CN", says.s, "<p say='x'/>");
	assert_non_null(t);
	assert_non_null(template_apply(a, t, results(), &d));
	assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
}

static void
many_unknown_values_are_reported_few_times(void **state)
{
	struct node *root = node_root(a), *list;
	struct template *t = template_in("zh-CN", "<say id='g.x'>文</say>",
	    "<p each='l' as='v' say='g.[v.id]'/>");

	(void)state;
	list = node_list(a, root, "l");
	for (int i = 0; i < 1000; i++)
		node_text(a, node_item(a, list), "id",
		    arena_printf(a, "id%d", i));
	assert_non_null(t);
	assert_null(template_apply(a, t, root, &d));
	assert_int_equal(d.n_errors, TMPL_MAX_REPORTS);
}

/*
 * Lint
 */

static void
languages_must_agree(void **state)
{
	struct template *zh = template_in("zh-CN",
	    "<say id='a'>{project.name}{project.streams|count}</say>\n"
	    "<say id='b'>只有中文</say>\n"
	    "<say id='c'><ref to='x'/>{vendors*name}</say>\n"
	    "<say id='e'>{project.name}与{project.name}</say>",
	    "");
	struct template *en = template_in("en",
	    "<say id='a'>{project.streams} {project.name}</say>\n"
	    "<say id='c'>{vendors*name}</say>\n"
	    "<say id='e'>{project.name}</say>\n"
	    "<say id='f'>only English</say>",
	    "");

	(void)state;
	assert_true(zh && en);
	assert_false(template_parity(zh, en, &d));
	expect_problem(0, "zh-CN.xml", 2, 27, "tmpl-parity",
	    "'a' has {project.streams|count} in 'zh-CN' and not in 'en'");
	expect_problem(1, "zh-CN.xml", 3, 1, "tmpl-parity",
	    "'b' is said in 'zh-CN' and not in 'en'");
	expect_problem(2, "zh-CN.xml", 4, 13, "tmpl-parity", "<ref to=\"x\"/>");
	expect_problem(3, "en.xml", 2, 13, "tmpl-parity",
	    "'a' has {project.streams} in 'en'");
	expect_problem(4, "en.xml", 5, 1, "tmpl-parity", "'f'");
	assert_int_equal(d.n, 5);
}

static void
languages_that_agree(void **state)
{
	struct template *zh = template_in("zh-CN",
	    "<say id='a'>{@b}{project.name}</say><say id='b'>乙</say>", "");
	struct template *en = template_in("en",
	    "<say id='b'>B</say><say id='a'>{project.name} {@b}</say>", "");

	(void)state;
	assert_true(zh && en);
	/* units differ between the two and may */
	assert_true(template_parity(zh, en, &d));
	assert_int_equal(d.n, 0);
}

static void
unused_entries_are_found(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='a'>{@b}{@g.[x]}{y|say:h}</say>\n"
	    "<say id='b'>乙</say><say id='g.1'>一</say><say id='h.1'>二</say>\n"
	    "<say id='l.1'>三</say><say id='explain.x'>四</say>\n"
	    "<say id='lost'>{@lost2}</say>\n<say id='lost2'>丢</say>\n"
	    "<say id='g.1.x'>丢</say>",
	    "<p say='a'/><chart kind='k' of='v'><labels prefix='l.'/>"
	    "</chart>");

	(void)state;
	assert_non_null(t);
	assert_false(template_unused(t, &d));
	expect_problem(0, "zh-CN.xml", 5, 1, "tmpl-unused", "'lost'");
	expect_problem(1, "zh-CN.xml", 6, 1, "tmpl-unused", "'lost2'");
	expect_problem(2, "zh-CN.xml", 7, 1, "tmpl-unused", "'g.1.x'");
	assert_int_equal(d.n, 3);
}

static void
nothing_unused(void **state)
{
	struct template *t = template_in("zh-CN",
	    "<say id='v.needed'>甲</say><say id='v.sound'>乙</say>",
	    "<p each='vendors' as='v' say='v.[v.verdict]'/>");

	(void)state;
	assert_non_null(t);
	assert_true(template_unused(t, &d));
	assert_int_equal(d.n, 0);
}

/*
 * The whole
 */

static void
write_file(const char *dir, const char *name, const char *text)
{
	FILE *f = fopen(fs_join(a, dir, name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
templates_are_read_from_a_folder(void **state)
{
	char *dir = arena_strdup(a, "/tmp/whygpu-tmpl-XXXXXX");
	struct template *t;
	struct str out;

	(void)state;
	assert_non_null(mkdtemp(dir));
	mkdir(fs_join(a, dir, "wording"), 0700);
	write_file(dir, "report.xml", "<report><p say='x'/></report>");
	write_file(dir, "wording/en.xml",
	    "<wording lang='en'>" DOC_ENTRIES EN_UNITS
	    "<say id='x'>{project.streams|count}</say></wording>");
	t = template_read(a, dir, "en", &d);
	assert_non_null(t);
	assert_null(template_read(a, dir, "fr", &d));
	assert_string_equal(d.problems[0].id, "file-missing");
	unlink(fs_join(a, dir, "report.xml"));
	unlink(fs_join(a, dir, "wording/en.xml"));
	rmdir(fs_join(a, dir, "wording"));
	rmdir(dir);
	str_init(&out, a);
	document_dump(template_apply(a, t, results(), &d), &out);
	/* the golden print of a whole small document */
	assert_string_equal(out.s, "document lang=en\n"
				   "  title \"标题\"\n"
				   "  subject \"主题\"\n"
				   "  date \"2026-11-30\"\n"
				   "  keywords \"GPU\"\n"
				   "  foot \"第{page}页，共{pages}页\"\n"
				   "  chapter-number \"第 {n} 章\"\n"
				   "  section-number \"{n}\"\n"
				   "  figure-number \"图 {n}\"\n"
				   "  table-number \"表 {n}\"\n"
				   "  table-continued \"续表 {n}\"\n"
				   "  contents-title \"目录\"\n"
				   "  ref-chapter \"第 {n} 章\"\n"
				   "  ref-section \"{n} 节\"\n"
				   "para style=body \"1,600\"\n");
}

static void
the_same_input_gives_the_same_document(void **state)
{
	struct template *t =
	    template_in("zh-CN", "<say id='x'>{v.name}{five*cards|count}</say>",
		"<p each='vendors' as='v' say='x'/>");
	const char *first, *second;

	(void)state;
	assert_non_null(t);
	first = blocks_of(template_apply(a, t, results(), &d));
	second = blocks_of(template_apply(a, t, results(), &d));
	assert_string_equal(first, second);
}

static void
a_second_run_reports_again(void **state)
{
	struct template *t =
	    template_in("zh-CN", "<say id='x'>{no}</say>", "<p say='x'/>");

	(void)state;
	assert_non_null(t);
	assert_null(template_apply(a, t, results(), &d));
	assert_null(template_apply(a, t, results(), &d));
	assert_int_equal(d.n, 2);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(document_texts_and_patterns),
	    T(an_author_that_is_not_there),
	    T(cover_contents_and_break),
	    T(sections_take_their_level_from_nesting),
	    T(paragraphs_have_styles),
	    T(lists_nest),
	    T(a_list_without_items_is_left_out),
	    T(boxes_take_tones_from_verdicts),
	    T(tables_have_columns_rows_and_groups),
	    T(columns_and_cells_repeat),
	    T(charts_have_data_labels_and_files),
	    T(a_file_name_is_no_path),
	    T(each_repeats_and_counts),
	    T(each_within_each),
	    T(an_inner_name_hides_the_outer),
	    T(with_binds_and_stands_anywhere),
	    T(if_asks_for_presence),
	    T(unless_is_the_opposite),
	    T(is_and_not_compare_words),
	    T(above_and_below_compare_numbers),
	    T(tests_of_the_item_filter_and_others_guard),
	    T(white_space_is_collapsed),
	    T(white_space_goes_next_to_full_width_marks),
	    T(white_space_around_holes_and_elements),
	    T(spaces_stay_outside_the_next_run),
	    T(braces_are_doubled),
	    T(xml_escapes_are_text),
	    T(inline_elements_become_runs),
	    T(space_before_a_reference),
	    T(entries_include_entries),
	    T(strong_reaches_into_includes),
	    T(wording_chosen_by_a_value),
	    T(say_formatter_speaks_values),
	    T(lists_of_none_one_two_five),
	    T(a_list_alone_is_its_length),
	    T(names_follow_the_language),
	    T(numbers_dates_and_ranges_in_text),
	    T(data_is_never_markup_or_template),
	    T(say_with_a_scope),
	    T(unknown_elements_and_attributes),
	    T(values_out_of_range),
	    T(attributes_that_need_each_other),
	    T(unknown_wording_is_named),
	    T(no_entry_of_that_shape),
	    T(no_entry_for_a_value),
	    T(no_entry_for_a_spoken_value),
	    T(holes_that_cannot_be_read),
	    T(places_survive_entities_and_comments),
	    T(unknown_formatters),
	    T(wording_elements_are_checked),
	    T(ids_are_said_once),
	    T(required_entries_are_named),
	    T(units_must_have_their_holes),
	    T(the_file_says_its_language),
	    T(a_language_is_no_path),
	    T(an_unknown_path_names_what_is_near),
	    T(an_unknown_path_of_a_bound_name),
	    T(an_unbound_name),
	    T(a_field_that_items_lack),
	    T(unknown_lists_and_bindings),
	    T(numbers_that_are_not_finite),
	    T(values_of_the_wrong_kind),
	    T(tests_of_the_wrong_kind),
	    T(a_tone_that_no_value_means),
	    T(rows_fit_their_table),
	    T(references_and_ids_are_checked),
	    T(no_reference_in_plain_text),
	    T(slots_are_for_the_program),
	    T(text_belongs_to_the_wording),
	    T(all_problems_in_one_run),
	    T(an_entry_within_itself),
	    T(a_cycle_through_values),
	    T(entries_that_multiply),
	    T(loops_that_multiply),
	    T(deep_nesting_is_refused),
	    T(a_huge_hole),
	    T(many_holes_in_one_entry),
	    T(many_unknown_values_are_reported_few_times),
	    T(languages_must_agree),
	    T(languages_that_agree),
	    T(unused_entries_are_found),
	    T(nothing_unused),
	    T(templates_are_read_from_a_folder),
	    T(the_same_input_gives_the_same_document),
	    T(a_second_run_reports_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
