/* pages to PDF, checked with the tools that readers use */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "page_fixture.h"
#include "render/pdf.h"
#include "render/pdfcheck.h"

enum { FILE_MAX_BYTES = 64 << 20 };

static struct arena *a;
static struct diag d;
static struct text_engine *e;
static char *dir;

static int
setup(void **state)
{
	char name[] = "/tmp/test-pdf-XXXXXX";

	(void)state;
	a = arena_new();
	diag_init(&d, a);
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	dir = arena_strdup(a, mkdtemp(name));
	return e ? 0 : -1;
}

static int
teardown(void **state)
{
	char *files[] = {"a.pdf", "b.pdf"};

	(void)state;
	for (int i = 0; i < 2; i++)
		unlink(fs_join(a, dir, files[i]));
	rmdir(dir);
	arena_free(a);
	return 0;
}

static const char *
write_as(const struct document *doc, const char *name)
{
	struct pages *p = layout_document(a, e, doc, NULL, &d);
	char *path = fs_join(a, dir, name);

	if (!p || !pdf_write(e, p, doc, NULL, path, &d)) {
		diag_print(&d, stderr);
		fail();
	}
	return path;
}

/* What a command prints; skips the test if there is no such command. */
static char *
output_of(const char *tool, const char *args, const char *path)
{
	struct str out;
	char buf[4096];
	size_t n;
	FILE *f = popen(arena_printf(a, "command -v %s", tool), "r");

	n = fread(buf, 1, sizeof(buf), f);
	if (pclose(f) != 0 || n == 0)
		skip();
	str_init(&out, a);
	f = popen(arena_printf(a, "%s %s %s%s 2>&1", tool, args, path,
		      strcmp(tool, "pdftotext") == 0 ? " -" : ""),
	    "r");
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0) {
		for (size_t i = 0; i < n; i++)
			if (buf[i] == '\0') /* of the colour profile */
				buf[i] = ' ';
		str_addn(&out, buf, n);
	}
	str_addf(&out, "exit %d\n", pclose(f));
	return out.s;
}

static int
count(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static bool
in_order(const char *text, const char *const *words, int n)
{
	for (int i = 0; i < n; i++) {
		text = strstr(text, words[i]);
		if (!text)
			return false;
		text += strlen(words[i]);
	}
	return true;
}

/* One of everything, over several pages. */
static struct document *
full_document(void)
{
	struct document *doc = fix_document(a, false);
	struct block *b = fix_add(a, doc, NULL, BLOCK_COVER), *c, *s;

	inlines_add(a, &b->title, INLINE_TEXT, "为什么需要不同型号");
	inlines_add(a, &b->text, INLINE_TEXT, "城市视觉升级");
	fix_para(a, doc, b, "委托单位：某市");
	fix_add(a, doc, NULL, BLOCK_CONTENTS);
	c = fix_section(a, doc, NULL, 1, "先给答案", "answer");
	b = fix_add(a, doc, c, BLOCK_BOX);
	b->tone = TONE_OK;
	fix_para(a, doc, b, "一句话的答案。");
	b = fix_para(a, doc, c, "详见");
	fix_ref(a, b, "tab");
	inlines_add(a, &b->text, INLINE_TEXT, "与");
	fix_ref(a, b, "sources");
	inlines_add(a, &b->text, INLINE_TEXT, "，另见");
	inlines_add(a, &b->text, INLINE_LINK, "网页");
	b->text.items[b->text.n - 1].target = "https://example.org/x?a='1'";
	b = fix_add(a, doc, c, BLOCK_LIST);
	for (int i = 0; i < 3; i++)
		inlines_add(a, &fix_add(a, doc, b, BLOCK_ITEM)->text,
		    INLINE_TEXT,
		    (const char *const[]){"要点甲", "要点乙", "要点丙"}[i]);
	fix_figure(a, doc, c, "能力对比");
	s = fix_section(a, doc, c, 2, "明细", NULL);
	for (int i = 0; i < 12; i++)
		fix_para(a, doc, s, FIX_TEXT);
	fix_table(a, doc, s, 60, 3, NULL)->id = "tab";
	c = fix_section(a, doc, NULL, 1, "来源", "sources");
	fix_table(a, doc, c, 3, 13, "偏大但可用");
	fix_para(a, doc, c, "最后一段。");
	return doc;
}

static bool
same_files(const char *x, const char *y)
{
	struct source *p = fs_read(a, x, FILE_MAX_BYTES, pos_file(NULL), &d);
	struct source *q = fs_read(a, y, FILE_MAX_BYTES, pos_file(NULL), &d);

	return p && q && p->len == q->len &&
	       memcmp(p->text, q->text, p->len) == 0;
}

/* ---- the file as a whole ---- */

static void
file_is_sound(void **state)
{
	const char *out =
	    output_of("qpdf", "--check", write_as(full_document(), "a.pdf"));

	(void)state;
	assert_non_null(strstr(out, "No syntax or stream encoding errors"));
	assert_non_null(strstr(out, "exit 0"));
	assert_null(strstr(out, "WARNING"));
}

/* PDF/A-3a and PDF/UA-1, as far as we can tell. */
static void
check_file(const char *path)
{
	struct source *src =
	    fs_read(a, path, FILE_MAX_BYTES, (struct pos){0}, &d);

	assert_non_null(src);
	if (!pdfcheck(a, src, &d))
		diag_print(&d, stderr);
	assert_int_equal(d.n, 0);
}

static void
file_keeps_all_rules(void **state)
{
	(void)state;
	check_file(write_as(full_document(), "a.pdf"));
}

static void
random_documents_make_sound_files(void **state)
{
	(void)state;
	for (unsigned seed = 20; seed < 32; seed++) {
		const char *path =
		    write_as(fix_random(a, seed, seed % 2), "a.pdf");
		const char *out = output_of("qpdf", "--check", path);

		assert_non_null(strstr(out, "exit 0"));
		assert_null(strstr(out, "WARNING"));
		check_file(path);
	}
}

static void
cover_without_words_makes_a_sound_file(void **state)
{
	struct document *doc = fix_document(a, false);

	(void)state;
	fix_add(a, doc, NULL, BLOCK_COVER);
	assert_non_null(
	    strstr(output_of("qpdf", "--check", write_as(doc, "a.pdf")),
		"exit 0"));
}

static void
row_over_several_pages_keeps_all_rules(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *c = fix_section(a, doc, NULL, 1, "章", NULL);
	struct block *t = fix_table(a, doc, c, 3, 2, NULL);

	(void)state;
	t->rows[1].cells[0].text.items[0].text = fix_words(a, 1500);
	t->rows[1].cells[1].text.items[0].text = fix_words(a, 2500);
	check_file(write_as(doc, "a.pdf"));
}

static void
same_input_same_bytes(void **state)
{
	const char *x = write_as(full_document(), "a.pdf"), *y;

	(void)state;
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	y = write_as(full_document(), "b.pdf");
	assert_true(same_files(x, y));
}

static void
host_settings_change_no_byte(void **state)
{
	static const char *const names[] = {"TZ", "LANG", "LC_ALL",
	    "FONTCONFIG_FILE"};
	static const char *const values[] = {"Asia/Shanghai", "de_DE.UTF-8",
	    "de_DE.UTF-8", "/nonexistent"};
	const char *x = write_as(full_document(), "a.pdf"), *y;
	char *old[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		old[i] =
		    getenv(names[i]) ? arena_strdup(a, getenv(names[i])) : NULL;
		setenv(names[i], values[i], 1);
	}
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	y = write_as(full_document(), "b.pdf");
	for (int i = 0; i < 4; i++) {
		if (old[i])
			setenv(names[i], old[i], 1);
		else
			unsetenv(names[i]);
	}
	assert_true(same_files(x, y));
}

static void
file_is_small(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(write_as(full_document(), "a.pdf"), &st), 0);
	assert_in_range(st.st_size, 20000, 220000);
}

static void
metadata_comes_from_the_document(void **state)
{
	const char *out = output_of("pdfinfo", "-isodates",
	    write_as(full_document(), "a.pdf"));
	static const char *const lines[] = {"型号差异说明", "测试项目", "GPU",
	    "集成商", "2026-11-30T00:00:00", "2026-11-30T00:00:00"};

	(void)state;
	assert_true(in_order(out, lines, 6));
	assert_non_null(strstr(out, "Tagged:          yes"));
}

static void
odd_dates_never_bring_in_the_clock(void **state)
{
	static const char *const dates[] = {NULL, "", "soon", "2026-99-99"};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct document *doc = fix_document(a, false);

		fix_para(a, doc, NULL, "文");
		doc->date = dates[i];
		assert_non_null(strstr(output_of("pdfinfo", "-isodates",
					   write_as(doc, "a.pdf")),
		    "1970-01-01"));
	}
}

/* ---- what a reader finds ---- */

static void
fonts_are_embedded_and_readable(void **state)
{
	char *out =
		 output_of("pdffonts", "", write_as(full_document(), "a.pdf")),
	     *line, *save;
	int fonts = 0;

	(void)state;
	for (line = strtok_r(out, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strstr(line, "Noto"))
			continue;
		fonts++;
		/* columns emb, sub, uni */
		assert_non_null(strstr(line, "yes yes yes"));
		assert_null(strstr(line, "CJKjp"));
	}
	assert_in_range(fonts, 3, 4);
}

static void
text_comes_out_in_reading_order(void **state)
{
	const char *out = output_of("pdftotext", "-enc UTF-8",
	    write_as(full_document(), "a.pdf"));
	static const char *const words[] = {"为什么需要不同型号",
	    "委托单位：某市", "目录", "先给答案", "一句话的答案。", "详见",
	    "要点甲", "要点乙", "要点丙", "明细", "续表 1-1", "最后一段。"};

	(void)state;
	assert_true(in_order(out, words, 12));
	assert_non_null(strstr(out, "详见表 1-1 与第 2 章，另见网页"));
	assert_non_null(strstr(out, "8,689"));
}

static char *
structure(void)
{
	return output_of("pdfinfo", "-struct-text",
	    write_as(full_document(), "a.pdf"));
}

static void
structure_names_the_parts(void **state)
{
	const char *out = structure();
	static const char *const tags[] = {"Document", "Sect", "H1", "TOC",
	    "TOCI", "Link", "H1", "先给答案", "Div", "P", "L", "LI", "Lbl",
	    "LBody", "Figure", "Caption", "H2", "Table", "Caption", "TR", "TH",
	    "TD"};

	(void)state;
	assert_true(in_order(out, tags, 22));
	assert_int_equal(count(out, "\nDocument"), 0);
	/* three and thirteen heads; repeated ones are not in the structure */
	assert_int_equal(count(out, " TH:\n"), 16);
	assert_int_equal(count(out, "/Scope /Column"), 16);
	assert_int_equal(count(out, "LI (block)") + count(out, "LI\n"), 3);
}

static void
structure_holds_each_text_once(void **state)
{
	const char *out = structure();

	(void)state;
	assert_int_equal(count(out, "r60c3"), 1);
	assert_int_equal(count(out, "r1c1\""), 1);
	assert_int_equal(count(out, "最后一段。"), 1);
	/* running heads and continued heads are artifacts */
	assert_int_equal(count(out, "续表"), 0);
	assert_int_equal(count(out, "页 共"), 0);
}

static void
paragraph_over_two_pages_is_one_element(void **state)
{
	struct document *doc = fix_document(a, false);
	const char *out;

	(void)state;
	fix_para(a, doc, NULL, fix_words(a, 3000));
	out = output_of("pdfinfo", "-struct", write_as(doc, "a.pdf"));
	assert_int_equal(count(out, "P (block)"), 1);
	assert_true(count(out, "Span") >= 2);
}

static void
outline_has_numbers_and_levels(void **state)
{
	const char *out = output_of("qpdf", "--json --json-key=outlines",
	    write_as(full_document(), "a.pdf"));
	static const char *const titles[] = {"第 1 章 先给答案", "1.1 明细",
	    "第 2 章 来源"};

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(count(out, titles[i]), 1);
	assert_true(in_order(out,
	    (const char *const[]){"\"kids\": [", "\"kids\": []"}, 2));
}

static void
page_labels_are_written(void **state)
{
	const char *out = output_of("qpdf", "--json --json-key=pagelabels",
	    write_as(full_document(), "a.pdf"));

	(void)state;
	assert_non_null(strstr(out, "封面"));
	assert_true(count(out, "\"index\"") >= 3);
}

static void
links_lead_inside_and_outside(void **state)
{
	const char *out = output_of("qpdf", "--qdf --object-streams=disable",
	    arena_printf(a, "%s -", write_as(full_document(), "a.pdf")));

	(void)state;
	/* three entries of the contents, two references, one address */
	assert_int_equal(count(out, "/Subtype /Link"), 6);
	assert_non_null(strstr(out, "(https://example.org/x?a=%271%27)"));
}

static void
only_web_addresses_become_links(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *p = fix_para(a, doc, NULL, "见");
	const char *out;

	(void)state;
	inlines_add(a, &p->text, INLINE_LINK, "此处");
	p->text.items[1].target = "javascript:alert(1)";
	out = output_of("qpdf", "--qdf --object-streams=disable",
	    arena_printf(a, "%s -", write_as(doc, "a.pdf")));
	assert_int_equal(count(out, "/Subtype /Link"), 0);
	assert_null(strstr(out, "javascript"));
	assert_non_null(
	    strstr(output_of("pdftotext", "", fs_join(a, dir, "a.pdf")),
		"见此处"));
}

static void
odd_ids_are_fine(void **state)
{
	struct document *doc = fix_document(a, false);
	struct block *p = fix_para(a, doc, NULL, "见");

	(void)state;
	fix_section(a, doc, NULL, 1, "甲", "it's \\ 中文 <x>");
	fix_section(a, doc, NULL, 1, "乙", "_1");
	fix_section(a, doc, NULL, 1, "丙", "same");
	fix_section(a, doc, NULL, 1, "丁", "same");
	fix_ref(a, p, "it's \\ 中文 <x>");
	fix_ref(a, p, "_1");
	fix_ref(a, p, "same");
	assert_non_null(
	    strstr(output_of("qpdf", "--check", write_as(doc, "a.pdf")),
		"exit 0"));
	assert_non_null(
	    strstr(output_of("pdftotext", "", fs_join(a, dir, "a.pdf")),
		"见第 1 章第 2 章第 3 章"));
}

static void
wide_table_lies_on_a_turned_page(void **state)
{
	const char *out = output_of("pdfinfo", "-f 1 -l 99",
	    write_as(full_document(), "a.pdf"));

	(void)state;
	assert_int_equal(count(out, "size:      841.89 x 595.276"), 0);
	assert_true(count(out, "595.276 x 841.89") >= 4);
	assert_int_equal(count(out, "841.89 x 595.276"), 1);
}

/* ---- what cairo does not write ---- */

static char *
objects_of(const struct document *doc)
{
	return output_of("qpdf", "--qdf --object-streams=disable",
	    arena_printf(a, "%s -", write_as(doc, "a.pdf")));
}

/* Text as PDF writes it: big-endian UTF-16 with a mark, in hexadecimal. */
static char *
utf16(const char *s)
{
	struct str out;

	str_init(&out, a);
	str_add(&out, "<feff");
	while (*s)
		str_addf(&out, "%04x", (unsigned)utf8_next(&s));
	str_addc(&out, '>');
	return out.s;
}

static void
figures_and_links_have_words(void **state)
{
	const char *out = objects_of(full_document());

	(void)state;
	assert_int_equal(count(out, arena_printf(a, "/Alt %s",
					utf16("CPU 与 GPU 的对比"))),
	    1);
	/* from the contents, and from a reference */
	assert_int_equal(count(out, utf16("第 2 章 来源")), 3);
	assert_int_equal(count(out, "/Contents (https://example.org/x?a='1')"),
	    1);
}

static void
chart_without_words_is_refused(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	fix_figure(a, doc, NULL, "图")->alt = "";
	p = layout_document(a, e, doc, NULL, &d);
	assert_false(pdf_write(e, p, doc, NULL, fs_join(a, dir, "a.pdf"), &d));
	assert_string_equal(d.problems[0].id, "pdf-alt");
}

static void
languages_of_parts_are_named(void **state)
{
	struct document *doc = fix_document(a, true);
	struct block *b = fix_para(a, doc, NULL, "The vendor ");
	const char *out;

	(void)state;
	inlines_add(a, &b->text, INLINE_TEXT, "厂家一");
	b->text.items[1].lang = "zh-CN";
	inlines_add(a, &b->text, INLINE_TEXT, " asks.");
	out = objects_of(doc);
	assert_int_equal(count(out, "/Lang (zh-CN)"), 1);
	assert_int_equal(count(out, "/Lang (en)"), 1);
	out = output_of("pdfinfo", "-struct-text", fs_join(a, dir, "a.pdf"));
	assert_int_equal(count(out, "Span"), 3);
	assert_true(in_order(out,
	    (const char *const[]){"\"The vendor ", "\"厂家一\"", "asks.\""},
	    3));
}

static void
running_heads_are_artifacts(void **state)
{
	struct document *doc = fix_document(a, false);
	const char *out;

	(void)state;
	fix_para(a, doc, NULL, "文");
	out = objects_of(doc);
	/* head, its rule and foot follow each other: one artifact */
	assert_int_equal(count(out, "/Artifact BMC"), 1);
	assert_int_equal(count(out, "BDC"), 1);
	assert_int_equal(count(out, "EMC"), 2);
}

static void
data_of_charts_travel_along(void **state)
{
	const struct document *doc = full_document();
	static const char note[] = "project:\n";
	struct archive_file file = {"项目.yaml", "application/yaml", NULL,
	    "Source", note, sizeof(note) - 1};
	struct pdf_extras x = {&file, 1};
	struct pages *p = layout_document(a, e, doc, NULL, &d);
	char *path = fs_join(a, dir, "a.pdf"), *csv = fs_join(a, dir, "b.pdf");
	const char *out;
	struct source *src;

	(void)state;
	assert_true(pdf_write(e, p, doc, &x, path, &d));
	check_file(path);
	out = output_of("pdfdetach", "-list", path);
	assert_non_null(strstr(out, "2 embedded files"));
	assert_non_null(strstr(out, "1: cpu-gpu.csv"));
	assert_non_null(strstr(out, "2: 项目.yaml"));
	output_of("pdfdetach", arena_printf(a, "-save 1 -o %s", csv), path);
	src = fs_read(a, csv, 1 << 20, (struct pos){0}, &d);
	assert_non_null(src);
	assert_string_equal(src->text, p->charts[0].plan->csv);
}

static void
draft_outlives_the_pages(void **state)
{
	struct arena *keep = arena_new(), *brief = arena_new();
	struct text_engine *own =
	    text_engine_new(keep, "out/fonts", "zh-CN", &d);
	struct arena *outer = a;
	const struct document *doc;
	struct pdf_draft *f;

	(void)state;
	a = brief;
	doc = full_document();
	f = pdf_draw(keep, own, layout_document(brief, own, doc, NULL, &d), doc,
	    &d);
	a = outer;
	arena_free(brief);
	assert_non_null(f);
	assert_true(pdf_finish(f, NULL, fs_join(a, dir, "b.pdf"), &d));
	arena_free(keep);
	assert_true(same_files(write_as(full_document(), "a.pdf"),
	    fs_join(a, dir, "b.pdf")));
}

static void
unfinished_draft_leaves_nothing(void **state)
{
	struct document *doc = full_document();
	struct arena *keep = arena_new();

	(void)state;
	assert_non_null(
	    pdf_draw(keep, e, layout_document(a, e, doc, NULL, &d), doc, &d));
	arena_free(keep);
	assert_false(fs_exists(fs_join(a, dir, "a.pdf")));
}

/* ---- what cannot be written ---- */

static void
missing_glyph_refuses_the_file(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	fix_para(a, doc, NULL, "结论😀");
	p = layout_document(a, e, doc, NULL, &d);
	assert_false(pdf_write(e, p, doc, NULL, fs_join(a, dir, "a.pdf"), &d));
	assert_string_equal(d.problems[0].id, "glyph-missing");
}

static void
folder_that_does_not_exist_is_reported(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p;

	(void)state;
	fix_para(a, doc, NULL, "文");
	p = layout_document(a, e, doc, NULL, &d);
	assert_false(pdf_write(e, p, doc, NULL, "/nonexistent/a.pdf", &d));
	assert_string_equal(d.problems[0].id, "pdf-write");
}

/* The file has a Document with more in it than one P. */
static void
other_tags_are_refused(void **state)
{
	struct archive_tag tags[] = {{.type = "Document"}, {.type = "P"}};
	struct archive ar = {.lang = "zh-CN",
	    .date = "2026-11-30T00:00:00Z",
	    .tags = tags,
	    .n_tags = 2};
	struct source *src = fs_read(a, write_as(full_document(), "a.pdf"),
	    FILE_MAX_BYTES, (struct pos){0}, &d);

	(void)state;
	assert_false(archive_write(&ar, src->text, src->len,
	    fs_join(a, dir, "b.pdf"), &d));
	assert_string_equal(d.problems[0].id, "pdf-structure");
	assert_false(
	    archive_write(&ar, "no PDF", 6, fs_join(a, dir, "b.pdf"), &d));
	assert_string_equal(d.problems[1].id, "pdf-write");
	assert_false(fs_exists(fs_join(a, dir, "b.pdf")));
}

static void
document_without_pages_is_reported(void **state)
{
	struct document *doc = fix_document(a, false);
	struct pages *p = layout_document(a, e, doc, NULL, &d);

	(void)state;
	assert_false(pdf_write(e, p, doc, NULL, fs_join(a, dir, "a.pdf"), &d));
	assert_string_equal(d.problems[0].id, "pdf-empty");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(file_is_sound),
	    CASE(file_keeps_all_rules),
	    CASE(random_documents_make_sound_files),
	    CASE(cover_without_words_makes_a_sound_file),
	    CASE(row_over_several_pages_keeps_all_rules),
	    CASE(figures_and_links_have_words),
	    CASE(chart_without_words_is_refused),
	    CASE(languages_of_parts_are_named),
	    CASE(running_heads_are_artifacts),
	    CASE(data_of_charts_travel_along),
	    CASE(draft_outlives_the_pages),
	    CASE(unfinished_draft_leaves_nothing),
	    CASE(same_input_same_bytes),
	    CASE(host_settings_change_no_byte),
	    CASE(file_is_small),
	    CASE(metadata_comes_from_the_document),
	    CASE(odd_dates_never_bring_in_the_clock),
	    CASE(fonts_are_embedded_and_readable),
	    CASE(text_comes_out_in_reading_order),
	    CASE(structure_names_the_parts),
	    CASE(structure_holds_each_text_once),
	    CASE(paragraph_over_two_pages_is_one_element),
	    CASE(outline_has_numbers_and_levels),
	    CASE(page_labels_are_written),
	    CASE(links_lead_inside_and_outside),
	    CASE(only_web_addresses_become_links),
	    CASE(odd_ids_are_fine),
	    CASE(wide_table_lies_on_a_turned_page),
	    CASE(missing_glyph_refuses_the_file),
	    CASE(folder_that_does_not_exist_is_reported),
	    CASE(other_tags_are_refused),
	    CASE(document_without_pages_is_reported),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	text_shutdown();
	return failed;
}
