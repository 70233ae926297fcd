/* documents to pages */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "page_fixture.h"

enum { RANDOM_DOCS = 60 };

static struct arena *a;
static struct diag d;
static struct text_engine *e;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	return e ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct pages *
lay(const struct document *doc)
{
	struct pages *p = layout_document(a, e, doc, NULL, &d);

	if (!p)
		diag_print(&d, stderr);
	assert_non_null(p);
	return p;
}

static char *
line_text(const struct item *it)
{
	return text_para_text(a, it->para, it->line);
}

static bool
is_text(const struct item *it)
{
	return it->kind == ITEM_LINE;
}

/* The page that holds a line of exactly this text; -1 if none. */
static int
page_of(const struct pages *p, const char *text)
{
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++)
			if (is_text(&p->pages[i].items[k]) &&
			    strcmp(line_text(&p->pages[i].items[k]), text) == 0)
				return i;
	return -1;
}

static int
count_text(const struct page *pg, const char *text)
{
	int n = 0;

	for (int k = 0; k < pg->n_items; k++)
		if (is_text(&pg->items[k]) &&
		    strcmp(line_text(&pg->items[k]), text) == 0)
			n++;
	return n;
}

static const struct item *
item_with(const struct page *pg, const char *text)
{
	for (int k = 0; k < pg->n_items; k++)
		if (is_text(&pg->items[k]) &&
		    strcmp(line_text(&pg->items[k]), text) == 0)
			return &pg->items[k];
	return NULL;
}

static bool
has_tag(const struct item *it, const char *tag)
{
	return it->leaf > 0 && strstr(it->path, tag) != NULL;
}

static char *
dump(const struct pages *p)
{
	struct str s;

	str_init(&s, a);
	pages_dump(p, &s);
	return s.s;
}

/* ---- numbers and references ---- */

static void
figures_and_tables_count_within_their_chapter(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *c1 = fix_section(a, doc, NULL, 1, "甲", NULL);
	struct block *c2 = fix_section(a, doc, NULL, 1, "乙", NULL);
	struct pages *p;

	(void)state;
	fix_table(a, doc, c1, 2, 2, NULL);
	fix_table(a, doc, c1, 2, 2, NULL);
	fix_table(a, doc, c2, 2, 2, NULL);
	fix_figure(a, doc, c2, "对比");
	p = lay(doc);
	assert_true(page_of(p, "表 1-1\u2002规格") >= 0);
	assert_true(page_of(p, "表 1-2\u2002规格") >= 0);
	assert_true(page_of(p, "表 2-1\u2002规格") >= 0);
	assert_true(page_of(p, "图 2-1\u2002对比") >= 0);
	assert_true(page_of(p, "第 2 章\u2002乙") >= 0);
}

static void
references_read_as_numbers(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *p0 = fix_para(a, doc, NULL, "见");
	struct block *c = fix_section(a, doc, NULL, 1, "甲", "ch");
	struct block *s = fix_section(a, doc, c, 2, "子", "sub");

	(void)state;
	fix_table(a, doc, s, 2, 2, NULL)->id = "tab";
	fix_ref(a, p0, "ch");
	fix_ref(a, p0, "sub");
	fix_ref(a, p0, "tab");
	assert_true(page_of(lay(doc), "见第 1 章1.1 节表 1-1") >= 0);
}

static void
reference_to_nothing_is_an_error(void **state)
{
	struct document *doc = fix_document(a, false);

	(void)state;
	fix_ref(a, fix_para(a, doc, NULL, "见"), "nowhere");
	assert_null(layout_document(a, e, doc, NULL, &d));
	assert_string_equal(d.problems[0].id, "ref-unknown");
	assert_non_null(strstr(d.problems[0].text, "'nowhere'"));
}

static void
unnumbered_section_has_no_number_nor_its_parts(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *c0 = fix_section(a, doc, NULL, 1, "摘要", NULL);
	struct pages *p;

	(void)state;
	c0->numbered = false;
	fix_section(a, doc, c0, 2, "要点", NULL);
	fix_table(a, doc, c0, 2, 2, NULL);
	fix_section(a, doc, NULL, 1, "正文", NULL);
	p = lay(doc);
	assert_true(page_of(p, "摘要") >= 0);
	assert_true(page_of(p, "要点") >= 0);
	assert_true(page_of(p, "表 1\u2002规格") >= 0);
	assert_true(page_of(p, "第 1 章\u2002正文") >= 0);
}

static void
chart_that_cannot_be_built_is_an_error(void **state)
{
	struct document *doc = fix_document(a, false);

	(void)state;
	fix_figure(a, doc, NULL, "无")->chart = "no-such-kind";
	assert_null(layout_document(a, e, doc, NULL, &d));
	assert_string_equal(d.problems[0].id, "chart-kind");
}

/* ---- labels, contents, outline ---- */

static void
cover_roman_and_arabic_labels(void **state)
{
	struct pages *p = lay(fix_random(a, 7, false));

	(void)state;
	assert_string_equal(p->pages[0].label, "封面");
	assert_string_equal(p->pages[1].label, "ii");
	assert_string_equal(p->pages[2].label, "1");
	assert_string_equal(p->pages[p->n - 1].label,
	    arena_printf(a, "%d", p->n - 2));
	assert_int_equal(count_text(&p->pages[2],
			     arena_printf(a, "第 1 页 共 %d 页", p->n - 2)),
	    1);
	assert_int_equal(count_text(&p->pages[1], "ii"), 1);
}

static void
cover_has_no_running_head(void **state)
{
	struct pages *p = lay(fix_random(a, 7, false));

	(void)state;
	assert_int_equal(count_text(&p->pages[0], "型号差异说明"), 0);
	assert_int_equal(count_text(&p->pages[2], "型号差异说明"), 1);
}

static int
page_of_dest(const struct pages *p, const char *name)
{
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++)
			if (p->pages[i].items[k].kind == ITEM_DEST &&
			    strcmp(p->pages[i].items[k].name, name) == 0)
				return i;
	return -1;
}

/* The text shown last in the leaf of a link: the page number. */
static const char *
number_in_link(const struct page *pg, int leaf)
{
	const char *last = "";

	for (int k = 0; k < pg->n_items; k++)
		if (is_text(&pg->items[k]) && pg->items[k].leaf == leaf)
			last = line_text(&pg->items[k]);
	return last;
}

static void
contents_numbers_are_the_labels_of_the_pages(void **state)
{
	int checked = 0;

	(void)state;
	for (unsigned seed = 1; seed <= RANDOM_DOCS; seed++) {
		struct pages *p = lay(fix_random(a, seed, seed % 2));

		for (int i = 0; i < p->n; i++)
			for (int k = 0; k < p->pages[i].n_items; k++) {
				struct item *it = &p->pages[i].items[k];
				int to;

				if (it->kind != ITEM_LINK ||
				    !has_tag(it, "/TOCI."))
					continue;
				to = page_of_dest(p, it->name);
				assert_true(to >= 0);
				assert_string_equal(number_in_link(&p->pages[i],
							it->leaf),
				    p->pages[to].label);
				checked++;
			}
	}
	assert_true(checked > 100);
}

static void
outline_lists_every_section_at_its_page(void **state)
{
	struct pages *p = lay(fix_random(a, 3, false));

	(void)state;
	assert_true(p->n_outline > 3);
	for (int i = 0; i < p->n_outline; i++)
		assert_int_equal(p->outline[i].page,
		    page_of_dest(p, p->outline[i].dest));
}

static void
long_contents_run_over_pages_and_stay_right(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *c = NULL;
	struct pages *p;

	(void)state;
	fix_add(a, doc, NULL, BLOCK_CONTENTS);
	for (int i = 0; i < 120; i++) {
		c = fix_section(a, doc, NULL, 1, fix_words(a, 12), NULL);
		fix_para(a, doc, c, fix_words(a, 300));
	}
	p = lay(doc);
	assert_string_equal(p->pages[0].label, "i");
	assert_string_equal(p->pages[3].label, "iv");
	for (int i = 0; i < p->n_outline; i++)
		assert_int_equal(p->outline[i].page,
		    page_of_dest(p, p->outline[i].dest));
}

/* ---- breaking pages ---- */

/* Lines of the body on a page, from the top; rows of a table count once. */
static int
body_lines(const struct page *pg, const struct item **out, int max)
{
	double y = -1;
	int n = 0;

	for (int k = 0; k < pg->n_items; k++) {
		const struct item *it = &pg->items[k];

		if (!is_text(it) || it->leaf == 0 || fabs(it->y - y) < 1)
			continue;
		y = it->y;
		if (n < max)
			out[n++] = it;
	}
	return n;
}

static void
no_heading_in_the_last_three_lines(void **state)
{
	const struct item *lines[200];

	(void)state;
	for (unsigned seed = 1; seed <= RANDOM_DOCS; seed++) {
		struct pages *p = lay(fix_random(a, seed, seed % 2));

		for (int i = 2; i < p->n - 1; i++) {
			int n = body_lines(&p->pages[i], lines, 200);

			/* a page cut short by a chapter or a big table still
			 * shows three lines below its last heading */
			for (int k = n > 3 ? n - 3 : 0; k < n; k++)
				assert_false(has_tag(lines[k], "/H1.") ||
					     has_tag(lines[k], "/H2."));
		}
	}
}

static void
paragraphs_leave_two_lines_on_each_page(void **state)
{
	int split = 0;

	(void)state;
	for (unsigned seed = 1; seed <= RANDOM_DOCS; seed++) {
		struct pages *p = lay(fix_random(a, seed, false));

		for (int i = 0; i + 1 < p->n; i++) {
			const struct page *pg = &p->pages[i];

			for (int k = 0; k < pg->n_items; k++) {
				const struct item *it = &pg->items[k];
				int n = is_text(it) && it->leaf
					    ? text_para_lines(it->para)
					    : 0;
				int here = 0;

				for (int m = 0; m < pg->n_items; m++)
					here += is_text(&pg->items[m]) &&
						pg->items[m].para == it->para;
				if (n < 2 || here == n)
					continue;
				assert_true(here >= 2 && n - here >= 2);
				split++;
			}
		}
	}
	assert_true(split > 20);
}

static void
all_text_is_shown_once_and_in_order(void **state)
{
	struct document *doc = fix_document(a, false);
	struct str want, got;
	struct pages *p;

	(void)state;
	str_init(&want, a);
	str_init(&got, a);
	for (int i = 0; i < 60; i++) {
		char *text = arena_printf(a, "段%d：%s", i,
		    fix_words(a, 20 + 7 * i % 150));

		fix_para(a, doc, NULL, text);
		str_add(&want, text);
	}
	p = lay(doc);
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++)
			if (is_text(&p->pages[i].items[k]) &&
			    p->pages[i].items[k].leaf > 0)
				str_add(&got, line_text(&p->pages[i].items[k]));
	assert_string_equal(got.s, want.s);
}

static void
nothing_lies_outside_the_margins(void **state)
{
	const struct page_style *st = page_style_for("zh-CN");

	(void)state;
	for (unsigned seed = 1; seed <= RANDOM_DOCS; seed++) {
		struct pages *p = lay(fix_random(a, seed, false));

		for (int i = 1; i < p->n; i++)
			for (int k = 0; k < p->pages[i].n_items; k++) {
				struct item *it = &p->pages[i].items[k];

				if (!is_text(it) || it->leaf == 0)
					continue;
				assert_true(it->x >= st->binding - 0.1);
				assert_true(
				    it->x + text_para_line_width(it->para,
						it->line) <=
				    p->pages[i].width - st->outer + 0.6);
				assert_true(it->y >= st->top - 0.1);
				assert_true(
				    it->y + it->h <=
				    p->pages[i].height - st->bottom + 0.1);
			}
	}
}

static void
break_starts_a_page_and_makes_no_blank_one(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	fix_add(a, doc, NULL, BLOCK_BREAK);
	fix_para(a, doc, NULL, "前");
	fix_add(a, doc, NULL, BLOCK_BREAK);
	fix_add(a, doc, NULL, BLOCK_BREAK);
	fix_para(a, doc, NULL, "后");
	fix_add(a, doc, NULL, BLOCK_BREAK);
	p = lay(doc);
	assert_int_equal(p->n, 2);
	assert_int_equal(page_of(p, "前"), 0);
	assert_int_equal(page_of(p, "后"), 1);
}

static void
announcement_stays_with_what_it_announces(void **state)
{
	(void)state;
	for (int fill = 30; fill < 48; fill++) {
		struct document *doc = fix_document(a, false);
		struct pages *p;

		for (int i = 0; i < fill; i++)
			fix_para(a, doc, NULL, "一行");
		fix_para(a, doc, NULL, "规格如下：");
		fix_table(a, doc, NULL, 20, 3, NULL);
		p = lay(doc);
		assert_int_equal(page_of(p, "规格如下："),
		    page_of(p, "表 1\u2002规格"));
	}
}

static void
no_first_or_last_item_alone_on_a_page(void **state)
{
	static const char *const texts[] = {"甲", "乙", "丙", "丁"};
	bool cut = false;

	(void)state;
	for (int fill = 30; fill < 48; fill++) {
		struct document *doc = fix_document(a, false);
		struct block *list;
		struct pages *p;

		for (int i = 0; i < fill; i++)
			fix_para(a, doc, NULL, "一行");
		list = fix_add(a, doc, NULL, BLOCK_LIST);
		for (int i = 0; i < 4; i++)
			inlines_add(a, &fix_add(a, doc, list, BLOCK_ITEM)->text,
			    INLINE_TEXT, texts[i]);
		p = lay(doc);
		assert_int_equal(page_of(p, "甲"), page_of(p, "乙"));
		assert_int_equal(page_of(p, "丙"), page_of(p, "丁"));
		cut |= page_of(p, "乙") != page_of(p, "丙");
	}
	assert_true(cut);
}

/* ---- boxes and figures ---- */

static void
small_box_is_never_cut(void **state)
{
	(void)state;
	for (int fill = 25; fill < 45; fill++) {
		struct document *doc = fix_document(a, false);
		struct block *box;
		struct pages *p;

		for (int i = 0; i < fill; i++)
			fix_para(a, doc, NULL, "一行");
		box = fix_add(a, doc, NULL, BLOCK_BOX);
		fix_para(a, doc, box, "开头");
		for (int i = 0; i < 8; i++)
			fix_para(a, doc, box, "中间");
		fix_para(a, doc, box, "末尾");
		p = lay(doc);
		assert_int_equal(page_of(p, "开头"), page_of(p, "末尾"));
	}
}

static bool
has_tint(const struct page *pg, struct rgb c)
{
	for (int k = 0; k < pg->n_items; k++)
		if (pg->items[k].kind == ITEM_RECT &&
		    fabs(pg->items[k].color.r - c.r) < 1e-6 &&
		    fabs(pg->items[k].color.g - c.g) < 1e-6 &&
		    pg->items[k].h > 20)
			return true;
	return false;
}

static void
long_box_is_tinted_on_each_of_its_pages(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *box = fix_add(a, doc, NULL, BLOCK_BOX);
	struct rgb tint = page_style_for("zh-CN")->tint[TONE_WARN];
	struct pages *p;

	(void)state;
	box->tone = TONE_WARN;
	for (int i = 0; i < 30; i++)
		fix_para(a, doc, box, FIX_TEXT);
	p = lay(doc);
	assert_true(p->n >= 2);
	for (int i = 0; i < p->n; i++)
		assert_true(has_tint(&p->pages[i], tint));
}

static void
figure_and_caption_share_a_page(void **state)
{
	(void)state;
	for (int fill = 20; fill < 45; fill++) {
		struct document *doc = fix_document(a, false);
		struct pages *p;
		bool found = false;
		int page;

		for (int i = 0; i < fill; i++)
			fix_para(a, doc, NULL, "一行");
		fix_figure(a, doc, NULL, "对比");
		p = lay(doc);
		page = page_of(p, "图 1\u2002对比");
		assert_true(page >= 0);
		for (int k = 0; k < p->pages[page].n_items; k++)
			found |= p->pages[page].items[k].kind == ITEM_CHART;
		assert_true(found);
	}
}

static void
text_moves_up_past_a_figure_that_does_not_fit(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	for (int i = 0; i < 40; i++)
		fix_para(a, doc, NULL, "一行");
	fix_figure(a, doc, NULL, "对比");
	fix_para(a, doc, NULL, "图后一行");
	p = lay(doc);
	assert_int_equal(page_of(p, "图后一行"), 0);
	assert_int_equal(page_of(p, "图 1\u2002对比"), 1);
}

static void
charts_are_listed_in_order_for_their_files(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	for (int i = 0; i < 5; i++)
		fix_figure(a, doc, NULL, "对比")->file =
		    arena_printf(a, "f%d", i);
	p = lay(doc);
	assert_int_equal(p->n_charts, 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(p->charts[i].file,
		    arena_printf(a, "f%d", i));
}

/* ---- tables ---- */

static void
table_head_is_repeated_as_continued(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	fix_table(a, doc, NULL, 150, 3, NULL);
	p = lay(doc);
	assert_true(p->n >= 4);
	for (int i = 0; i < p->n; i++) {
		const struct item *head = item_with(&p->pages[i], "列1");

		assert_non_null(head);
		assert_int_equal(count_text(&p->pages[i], "续表 1\u2002规格"),
		    i > 0);
		/* only the first is read out; the others are artifacts */
		assert_int_equal(head->leaf > 0, i == 0);
		assert_true(i > 0 || has_tag(head, "/TH."));
	}
}

static int
rows_on(const struct page *pg)
{
	int n = 0;

	for (int k = 0; k < pg->n_items; k++) {
		const char *t =
		    is_text(&pg->items[k]) ? line_text(&pg->items[k]) : "";

		n += *t == 'r' && strstr(t, "c1") && !strstr(t, "c1")[2];
	}
	return n;
}

static void
no_page_has_a_lone_first_or_last_row(void **state)
{
	(void)state;
	for (int fill = 0; fill < 46; fill++) {
		struct document *doc = fix_document(a, false);
		struct pages *p;

		for (int i = 0; i < fill; i++)
			fix_para(a, doc, NULL, "一行");
		fix_table(a, doc, NULL, 34, 2, NULL);
		p = lay(doc);
		for (int i = 0; i < p->n; i++)
			assert_int_not_equal(rows_on(&p->pages[i]), 1);
	}
}

static void
group_row_stays_with_the_next_and_is_repeated(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *t = fix_table(a, doc, NULL, 100, 2, NULL);
	struct pages *p;

	(void)state;
	t->rows[0].group = t->rows[50].group = true;
	p = lay(doc);
	for (int i = 0; i < p->n; i++)
		assert_true(count_text(&p->pages[i], "r1c1") +
				count_text(&p->pages[i], "r51c1") >=
			    1);
	assert_int_equal(page_of(p, "r51c1"), page_of(p, "r52c1"));
}

static void
row_is_not_split_unless_taller_than_half_a_page(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *t = fix_table(a, doc, NULL, 30, 2, NULL);
	struct pages *p;

	(void)state;
	for (int r = 0; r < 30; r++)
		t->rows[r].cells[1].text.items[0].text = FIX_TEXT;
	p = lay(doc);
	assert_true(p->n > 1);
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++) {
			const struct item *it = &p->pages[i].items[k];
			int here = 0, n = is_text(it) && it->leaf
					      ? text_para_lines(it->para)
					      : 0;

			for (int m = 0; n && m < p->pages[i].n_items; m++)
				here += p->pages[i].items[m].para == it->para;
			assert_int_equal(here, n);
		}
}

static void
row_taller_than_a_page_is_split_and_read_cell_by_cell(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *t = fix_table(a, doc, NULL, 3, 2, NULL);
	struct pages *p;
	int changes = 0;
	const char *last = "";

	(void)state;
	t->rows[1].cells[0].text.items[0].text = fix_words(a, 1500);
	t->rows[1].cells[1].text.items[0].text = fix_words(a, 1400);
	p = lay(doc);
	assert_true(p->n >= 2);
	/* on one page the leaves of the row follow each other: left, right */
	for (int k = 0; k < p->pages[1].n_items; k++) {
		const struct item *it = &p->pages[1].items[k];

		if (is_text(it) && has_tag(it, "/TD.") &&
		    strcmp(it->path, last) != 0) {
			last = it->path;
			changes++;
		}
	}
	assert_in_range(changes, 2, 4);
	assert_true(page_of(p, "r3c1") == p->n - 1);
}

static void
wide_table_turns_the_page_and_is_not_clipped(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;
	int page;

	(void)state;
	fix_para(a, doc, NULL, "前");
	fix_table(a, doc, NULL, 4, 13, "偏大但可用");
	fix_para(a, doc, NULL, "后");
	p = lay(doc);
	page = page_of(p, "列13");
	assert_int_equal(page, 1);
	assert_true(p->pages[page].width > p->pages[page].height);
	assert_true(p->pages[0].width < p->pages[0].height);
	assert_true(p->pages[2].width < p->pages[2].height);
	for (int k = 0; k < p->pages[page].n_items; k++) {
		const struct item *it = &p->pages[page].items[k];

		assert_true(
		    it->x >= 0 && it->x + it->w <= p->pages[page].width);
	}
}

static void
table_of_too_many_columns_is_refused(void **state)
{
	struct document *doc = fix_document(a, false);

	(void)state;
	fix_table(a, doc, NULL, 2, 90, "偏大但可用");
	assert_null(layout_document(a, e, doc, NULL, &d));
	assert_string_equal(d.problems[0].id, "table-wide");
}

static void
cells_never_overlap_their_neighbours(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *t = fix_table(a, doc, NULL, 6, 5, NULL);
	struct pages *p;

	(void)state;
	for (int r = 0; r < 6; r++)
		for (int c = 0; c < 5; c++)
			t->rows[r].cells[c].text.items[0].text =
			    c == 4  ? fix_words(a, 90)
			    : r % 2 ? "NVIDIA-RTX-6000-Ada-Generation-48GB-PCIe"
				    : "T4";
	p = lay(doc);
	for (int k = 0; k < p->pages[0].n_items; k++)
		for (int m = k + 1; m < p->pages[0].n_items; m++) {
			const struct item *x = &p->pages[0].items[k];
			const struct item *y = &p->pages[0].items[m];

			if (!is_text(x) || !is_text(y) || fabs(x->y - y->y) > 1)
				continue;
			assert_true(
			    y->x >= x->x +
					text_para_line_width(x->para, x->line) -
					0.1);
		}
}

static void
spanning_and_missing_cells_are_fine(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *t = fix_table(a, doc, NULL, 4, 4, NULL);
	struct pages *p;

	(void)state;
	t->rows[0].cells[0].span = 99;
	t->rows[1].n = 1;
	t->rows[2].n = 0;
	t->rows[3].cells[1].span = 2;
	p = lay(doc);
	assert_true(page_of(p, "r1c1") == 0);
	assert_true(page_of(p, "r1c2") == -1); /* no room beside the span */
	assert_true(page_of(p, "r4c3") == 0);
	assert_true(page_of(p, "r4c4") == -1);
}

static double
seconds_for_rows(int rows)
{
	struct document *doc = fix_document(a, false);
	struct timespec from, to;
	struct pages *p;

	fix_table(a, doc, NULL, rows, 5, NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	p = lay(doc);
	clock_gettime(CLOCK_MONOTONIC, &to);
	assert_true(p->n > rows / 60);
	return (double)(to.tv_sec - from.tv_sec) +
	       (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static void
long_tables_take_linear_time(void **state)
{
	double one, five;

	(void)state;
	alarm(120);
	one = seconds_for_rows(1000);
	five = seconds_for_rows(5000);
	alarm(0);
	/* 5 times the rows: well below the 25 times of a square */
	assert_true(five < 15 * one + 0.5);
}

/* ---- the parts of a line ---- */

static void
link_text_is_a_leaf_of_its_own(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *para = fix_para(a, doc, NULL, "详见");
	struct pages *p;
	int links = 0;

	(void)state;
	fix_section(a, doc, NULL, 1, "甲", "ch");
	fix_ref(a, para, "ch");
	inlines_add(a, &para->text, INLINE_TEXT, "与");
	inlines_add(a, &para->text, INLINE_LINK, "网页");
	para->text.items[3].target = "https://example.org/a";
	p = lay(doc);
	for (int k = 0; k < p->pages[0].n_items; k++) {
		const struct item *it = &p->pages[0].items[k];

		if (it->kind != ITEM_LINK)
			continue;
		links++;
		assert_true(has_tag(it, "/Link."));
		assert_true(it->leaf == it[1].leaf && is_text(&it[1]));
		assert_true(it->w > 15 && it->h > 10);
		assert_int_equal(it->external, links == 2);
		assert_string_equal(it->name,
		    links == 2 ? "https://example.org/a" : "ch");
	}
	assert_int_equal(links, 2);
}

static void
leaves_are_never_shared_between_pages(void **state)
{
	enum { MAX = 100000 };
	int *seen = arena_alloc(a, MAX, sizeof(*seen));
	const char **path = arena_alloc(a, MAX, sizeof(*path));

	(void)state;
	for (unsigned seed = 1; seed <= 10; seed++) {
		struct pages *p = lay(fix_random(a, seed, false));

		memset(seen, 0, MAX * sizeof(*seen));
		for (int i = 0; i < p->n; i++)
			for (int k = 0; k < p->pages[i].n_items; k++) {
				struct item *it = &p->pages[i].items[k];

				if (it->leaf == 0)
					continue;
				assert_true(it->leaf < MAX);
				assert_true(
				    !seen[it->leaf] || seen[it->leaf] == i + 1);
				if (seen[it->leaf])
					assert_string_equal(it->path,
					    path[it->leaf]);
				seen[it->leaf] = i + 1;
				path[it->leaf] = it->path;
			}
	}
}

static void
marks_are_tinted_by_their_tone(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *para = fix_para(a, doc, NULL, "结论：");
	struct rgb bad = page_style_for("zh-CN")->tint[TONE_BAD];
	struct pages *p;
	bool found = false;

	(void)state;
	inlines_add(a, &para->text, INLINE_MARK, "放不下");
	para->text.items[1].tone = TONE_BAD;
	p = lay(doc);
	for (int k = 0; k < p->pages[0].n_items; k++) {
		const struct item *it = &p->pages[0].items[k];

		found |= it->kind == ITEM_RECT && it->leaf == 0 &&
			 fabs(it->color.r - bad.r) < 1e-6 && it->w > 25;
	}
	assert_true(found);
}

static void
long_running_head_is_cut_with_an_ellipsis(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;
	bool found = false;

	(void)state;
	inlines_add(a, &doc->head_left, INLINE_TEXT, fix_words(a, 200));
	fix_para(a, doc, NULL, "正文");
	p = lay(doc);
	for (int k = 0; k < p->pages[0].n_items; k++)
		found |= is_text(&p->pages[0].items[k]) &&
			 strstr(line_text(&p->pages[0].items[k]), "…");
	assert_true(found);
}

static void
nested_lists_and_boxes_keep_their_order(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *box = fix_add(a, doc, NULL, BLOCK_BOX);
	struct block *list = fix_add(a, doc, box, BLOCK_LIST);
	struct block *item = fix_add(a, doc, list, BLOCK_ITEM);
	struct block *inner = fix_add(a, doc, item, BLOCK_LIST);
	struct pages *p;
	const struct item *x, *y;

	(void)state;
	inlines_add(a, &item->text, INLINE_TEXT, "外");
	inlines_add(a, &fix_add(a, doc, inner, BLOCK_ITEM)->text, INLINE_TEXT,
	    "内");
	p = lay(doc);
	x = item_with(&p->pages[0], "外");
	y = item_with(&p->pages[0], "内");
	assert_non_null(x);
	assert_non_null(y);
	assert_true(y->x > x->x + 10 && y->y > x->y + 10);
	assert_non_null(strstr(y->path, "/LBody"));
	assert_int_equal(count_text(&p->pages[0], "•"), 2);
}

static void
same_document_same_pages(void **state)
{
	char *one = dump(lay(fix_random(a, 5, false)));
	char *two = dump(lay(fix_random(a, 5, false)));

	(void)state;
	assert_true(strlen(one) > 10000);
	assert_string_equal(one, two);
}

static void
empty_document_has_no_page(void **state)
{
	(void)state;
	assert_int_equal(lay(fix_document(a, false))->n, 0);
}

static void
english_paragraphs_are_not_indented(void **state)
{
	struct document *doc = fix_document(a, true);
	struct pages *p;
	struct text_extent x;

	(void)state;
	fix_para(a, doc, NULL, "Plain words.");
	p = lay(doc);
	assert_int_equal(text_para_extents(item_with(&p->pages[0],
					       "Plain words.")
					       ->para,
			     0, &x, 1),
	    1);
	assert_float_equal(x.x, 0, 1e-9);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(figures_and_tables_count_within_their_chapter),
	    CASE(references_read_as_numbers),
	    CASE(reference_to_nothing_is_an_error),
	    CASE(unnumbered_section_has_no_number_nor_its_parts),
	    CASE(chart_that_cannot_be_built_is_an_error),
	    CASE(cover_roman_and_arabic_labels),
	    CASE(cover_has_no_running_head),
	    CASE(contents_numbers_are_the_labels_of_the_pages),
	    CASE(outline_lists_every_section_at_its_page),
	    CASE(long_contents_run_over_pages_and_stay_right),
	    CASE(no_heading_in_the_last_three_lines),
	    CASE(paragraphs_leave_two_lines_on_each_page),
	    CASE(all_text_is_shown_once_and_in_order),
	    CASE(nothing_lies_outside_the_margins),
	    CASE(break_starts_a_page_and_makes_no_blank_one),
	    CASE(announcement_stays_with_what_it_announces),
	    CASE(no_first_or_last_item_alone_on_a_page),
	    CASE(small_box_is_never_cut),
	    CASE(long_box_is_tinted_on_each_of_its_pages),
	    CASE(figure_and_caption_share_a_page),
	    CASE(text_moves_up_past_a_figure_that_does_not_fit),
	    CASE(charts_are_listed_in_order_for_their_files),
	    CASE(table_head_is_repeated_as_continued),
	    CASE(no_page_has_a_lone_first_or_last_row),
	    CASE(group_row_stays_with_the_next_and_is_repeated),
	    CASE(row_is_not_split_unless_taller_than_half_a_page),
	    CASE(row_taller_than_a_page_is_split_and_read_cell_by_cell),
	    CASE(wide_table_turns_the_page_and_is_not_clipped),
	    CASE(table_of_too_many_columns_is_refused),
	    CASE(cells_never_overlap_their_neighbours),
	    CASE(spanning_and_missing_cells_are_fine),
	    CASE(long_tables_take_linear_time),
	    CASE(link_text_is_a_leaf_of_its_own),
	    CASE(leaves_are_never_shared_between_pages),
	    CASE(marks_are_tinted_by_their_tone),
	    CASE(long_running_head_is_cut_with_an_ellipsis),
	    CASE(nested_lists_and_boxes_keep_their_order),
	    CASE(same_document_same_pages),
	    CASE(empty_document_has_no_page),
	    CASE(english_paragraphs_are_not_indented),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	text_shutdown();
	return failed;
}
