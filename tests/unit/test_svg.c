/* SVG: well formed, self-contained, small, and it says what the plan says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <libxml/parser.h>

#include "base/diag.h"
#include "chart/plan.h"
#include "chart_fixture.h"
#include "render/svg.h"

static struct arena *arena;
static struct text_engine *engine;

static int
open_all(void **state)
{
	struct diag d;

	(void)state;
	arena = arena_new();
	diag_init(&d, arena);
	engine = text_engine_new(arena, "out/fonts", "zh-CN", &d);
	if (!engine)
		diag_print(&d, stderr);
	return engine ? 0 : -1;
}

static int
close_all(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static struct chart_plan *
plan_of(const char *kind)
{
	struct diag d;
	struct node *root =
	    fixture_results(arena, (struct fixture_size){6, 11, false, 1});
	struct chart_plan *p;

	diag_init(&d, arena);
	p = chart_build(arena, engine,
	    fixture_figure(arena, kind, root, "zh-CN"), "zh-CN", 453, &d);
	assert_non_null(p);
	return p;
}

static const char *
svg_of(const struct chart_plan *p, const char *id)
{
	struct str s;

	str_init(&s, arena);
	svg_write(p, id, &s);
	return s.s;
}

static const char *
svg_of_marks(const struct mark *marks, int n)
{
	struct mark *copy = arena_alloc(arena, (size_t)n, sizeof(*copy));
	struct chart_plan p = {.width = 100,
	    .height = 50,
	    .title = "t",
	    .desc = "d",
	    .lang = "en",
	    .n_marks = n};

	memcpy(copy, marks, (size_t)n * sizeof(*copy));
	p.marks = copy;
	return svg_of(&p, "x");
}

static xmlDocPtr
parse(const char *svg)
{
	xmlDocPtr doc = xmlReadMemory(svg, (int)strlen(svg), "a.svg", NULL,
	    XML_PARSE_NONET | XML_PARSE_PEDANTIC);

	assert_non_null(doc);
	return doc;
}

static int
count(const xmlNode *n, const char *name)
{
	int c = 0;

	for (; n; n = n->next)
		if (n->type == XML_ELEMENT_NODE)
			c += !strcmp((const char *)n->name, name) +
			     count(n->children, name);
	return c;
}

static void
every_kind_is_well_formed(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		xmlDocPtr doc =
		    parse(svg_of(plan_of(fixture_kinds[k]), fixture_kinds[k]));
		xmlNodePtr root = xmlDocGetRootElement(doc);

		assert_string_equal((const char *)root->name, "svg");
		assert_string_equal((const char *)root->ns->href,
		    "http://www.w3.org/2000/svg");
		xmlFreeDoc(doc);
	}
}

static void
every_text_of_the_plan_is_real_text(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p = plan_of(fixture_kinds[k]);
		const char *svg = svg_of(p, "c");
		xmlDocPtr doc = parse(svg);
		int n = 0;

		for (int i = 0; i < p->n_marks; i++)
			n += p->marks[i].kind == MARK_TEXT;
		assert_int_equal(count(xmlDocGetRootElement(doc), "text"), n);
		xmlFreeDoc(doc);
	}
}

static void
title_and_description_are_bound_by_id(void **state)
{
	const char *svg = svg_of(plan_of("matrix"), "fig-1");

	(void)state;
	assert_non_null(strstr(svg, "role=\"img\""));
	assert_non_null(strstr(svg, "aria-labelledby=\"fig-1-t fig-1-d\""));
	assert_non_null(
	    strstr(svg, "<title id=\"fig-1-t\">title of matrix</title>"));
	assert_non_null(strstr(svg, "<desc id=\"fig-1-d\">alt of matrix"));
	assert_non_null(strstr(svg, "xml:lang=\"zh-CN\""));
}

static void
fonts_have_chinese_fallbacks(void **state)
{
	const char *svg = svg_of(plan_of("dials"), "x");

	(void)state;
	assert_non_null(strstr(svg, "'Noto Sans CJK SC'"));
	assert_non_null(strstr(svg, "'Microsoft YaHei'"));
	assert_non_null(strstr(svg, "'PingFang SC',sans-serif"));
}

static void
nothing_outside_is_referred_to(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		const char *svg = svg_of(plan_of(fixture_kinds[k]), "x");

		assert_null(strstr(svg, "href"));
		assert_null(strstr(svg, "<script"));
		assert_null(strstr(svg, "<!DOCTYPE"));
		assert_null(strstr(svg, "@import"));
	}
}

static void
same_plan_same_bytes(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++)
		assert_string_equal(svg_of(plan_of(fixture_kinds[k]), "x"),
		    svg_of(plan_of(fixture_kinds[k]), "x"));
}

static void
files_are_small(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++)
		assert_in_range(strlen(svg_of(plan_of(fixture_kinds[k]), "x")),
		    500, 30 * 1024);
}

static void
text_is_escaped(void **state)
{
	struct mark m = {.kind = MARK_TEXT,
	    .x = 1,
	    .y = 2,
	    .w = 9,
	    .text = "a<b & \"c\" > d\x01",
	    .style = {FACE_SANS, 8, {0, 0, 0}}};
	const char *svg = svg_of_marks(&m, 1);
	xmlDocPtr doc = parse(svg);

	(void)state;
	assert_non_null(strstr(svg, "a&lt;b &amp; &quot;c&quot; &gt; d<"));
	xmlFreeDoc(doc);
}

static void
hostile_title_and_id_do_no_harm(void **state)
{
	struct chart_plan *p = plan_of("dials");
	const char *svg;
	xmlDocPtr doc;

	(void)state;
	p->title = "</title><script>x</script>";
	p->desc = "\"]]>&";
	svg = svg_of(p, "9 \"<>&#\xe5\x9b\xbe");
	doc = parse(svg);
	assert_int_equal(count(xmlDocGetRootElement(doc), "script"), 0);
	assert_null(strstr(svg, "id=\"9"));
	xmlFreeDoc(doc);
	doc = parse(svg_of(p, ""));
	xmlFreeDoc(doc);
}

/* No number has more than two digits after its point. */
static void
numbers_have_two_decimals_at_most(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		const char *s = svg_of(plan_of(fixture_kinds[k]), "x");
		bool in_tag = false;

		for (; *s; s++) {
			in_tag = *s == '<' ? true : *s == '>' ? false : in_tag;
			if (in_tag && *s == '.')
				assert_true(strspn(s + 1, "0123456789") <= 2);
		}
	}
}

static void
numbers_are_written_short(void **state)
{
	struct mark m = {.kind = MARK_CIRCLE,
	    .x = 0.5,
	    .y = -0.001,
	    .r = 2.10,
	    .filled = true};

	(void)state;
	assert_non_null(strstr(svg_of_marks(&m, 1),
	    "<circle cx=\".5\" cy=\"0\" r=\"2.1\"/>"));
	m.x = -12.345;
	m.y = 1234.999;
	m.r = 0.05;
	assert_non_null(strstr(svg_of_marks(&m, 1),
	    "<circle cx=\"-12.35\" cy=\"1235\" r=\".05\"/>"));
}

static void
infinite_coordinates_become_zero(void **state)
{
	struct mark m = {.kind = MARK_CIRCLE,
	    .x = 1e308 * 10,
	    .y = 0,
	    .r = 1,
	    .filled = true};

	(void)state;
	assert_non_null(strstr(svg_of_marks(&m, 1), "cx=\"0\""));
}

/* Two squares of one look are one path; a third of another look is not. */
static void
equal_shapes_share_a_path(void **state)
{
	struct mark m[3] = {
	    {.kind = MARK_RECT,
		.x = 1,
		.y = 2,
		.w = 3,
		.h = 4,
		.filled = true,
		.fill = {0, 0, 1}},
	    {.kind = MARK_RECT,
		.x = 5,
		.y = 2,
		.w = 3,
		.h = 4,
		.filled = true,
		.fill = {0, 0, 1}},
	    {.kind = MARK_RECT,
		.x = 9,
		.y = 2,
		.w = 3,
		.h = 4,
		.filled = true,
		.fill = {1, 0, 0}},
	};
	const char *svg = svg_of_marks(m, 3);

	(void)state;
	assert_non_null(strstr(svg, "<g fill=\"#00f\"><path "
				    "d=\"M1 2h3v4h-3zM5 2h3v4h-3z\"/></g>"));
	assert_non_null(strstr(svg, "<g fill=\"#f00\"><path "
				    "d=\"M9 2h3v4h-3z\"/></g>"));
}

/* Filled and outlined shapes keep their order: no sharing. */
static void
outlined_fills_do_not_share_a_path(void **state)
{
	struct mark m[2] = {
	    {.kind = MARK_RECT,
		.x = 1,
		.y = 2,
		.w = 3,
		.h = 4,
		.filled = true,
		.stroked = true,
		.line_width = 1},
	    {.kind = MARK_RECT,
		.x = 2,
		.y = 2,
		.w = 3,
		.h = 4,
		.filled = true,
		.stroked = true,
		.line_width = 1},
	};

	(void)state;
	assert_non_null(strstr(svg_of_marks(m, 2), "z\"/><path d=\"M2 2"));
}

static void
paths_are_relative_and_exact(void **state)
{
	double points[] = {1.004, 1, 2.008, 1, 2.008, 3, 4, 4.5};
	struct mark m = {.kind = MARK_PATH,
	    .points = points,
	    .n_points = 4,
	    .stroked = true,
	    .line_width = 0.5};

	(void)state;
	/* 1.004 -> 1, 2.008 -> 2.01: a step of 1.01, not 1.00 */
	assert_non_null(
	    strstr(svg_of_marks(&m, 1), "d=\"M1 1h1.01v2l1.99 1.5\""));
}

static void
hatches_are_patterns_defined_once(void **state)
{
	struct mark m[2] = {
	    {.kind = MARK_RECT,
		.w = 3,
		.h = 4,
		.hatch = HATCH_DIAGONAL,
		.stroke = {1, 0, 0},
		.filled = true,
		.fill = {1, 1, 1}},
	    {.kind = MARK_RECT,
		.x = 5,
		.w = 3,
		.h = 4,
		.hatch = HATCH_DIAGONAL,
		.stroke = {1, 0, 0},
		.filled = true,
		.fill = {1, 1, 1}},
	};
	const char *svg = svg_of_marks(m, 2);
	xmlDocPtr doc = parse(svg);

	(void)state;
	assert_int_equal(count(xmlDocGetRootElement(doc), "pattern"), 1);
	assert_non_null(strstr(svg, "<pattern id=\"x-h0\""));
	assert_non_null(strstr(svg, "fill=\"url(#x-h0)\""));
	xmlFreeDoc(doc);
}

static void
ids_are_prefixed(void **state)
{
	(void)state;
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		const char *s = svg_of(plan_of(fixture_kinds[k]), "pre");

		while ((s = strstr(s, " id=\""))) {
			s += 5;
			assert_true(str_starts(s, "pre"));
		}
	}
}

static void
turned_text_is_turned_about_its_start(void **state)
{
	struct mark m = {.kind = MARK_TEXT,
	    .x = 10,
	    .y = 20,
	    .w = 9,
	    .text = "up",
	    .angle = -90,
	    .anchor = 1,
	    .style = {FACE_SANS_BOLD, 7, {0, 0, 0}}};
	const char *svg = svg_of_marks(&m, 1);

	(void)state;
	assert_non_null(strstr(svg,
	    "<text transform=\"translate(10 20)rotate(-90)\">up</text>"));
	assert_non_null(strstr(svg, "font-weight=\"700\""));
	assert_non_null(strstr(svg, "text-anchor=\"end\""));
}

static void
an_empty_plan_is_a_valid_file(void **state)
{
	struct chart_plan p = {.width = 10, .height = 10};
	xmlDocPtr doc = parse(svg_of(&p, "e"));

	(void)state;
	assert_int_equal(count(xmlDocGetRootElement(doc), "g"), 0);
	xmlFreeDoc(doc);
}

/* Texts are placed by their measured width, spaces included. */
static void
spaces_in_a_row_are_kept(void **state)
{
	struct mark m = {.kind = MARK_TEXT,
	    .x = 1,
	    .y = 9,
	    .w = 20,
	    .text = "1.33  A",
	    .style = {FACE_SANS, 8, {0, 0, 0}}};

	(void)state;
	assert_non_null(
	    strstr(svg_of_marks(&m, 1), " xml:space=\"preserve\">1.33  A<"));
	m.text = "1.33 A";
	assert_null(strstr(svg_of_marks(&m, 1), "xml:space"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_is_well_formed),
	    cmocka_unit_test(every_text_of_the_plan_is_real_text),
	    cmocka_unit_test(title_and_description_are_bound_by_id),
	    cmocka_unit_test(fonts_have_chinese_fallbacks),
	    cmocka_unit_test(nothing_outside_is_referred_to),
	    cmocka_unit_test(same_plan_same_bytes),
	    cmocka_unit_test(files_are_small),
	    cmocka_unit_test(text_is_escaped),
	    cmocka_unit_test(hostile_title_and_id_do_no_harm),
	    cmocka_unit_test(numbers_have_two_decimals_at_most),
	    cmocka_unit_test(numbers_are_written_short),
	    cmocka_unit_test(infinite_coordinates_become_zero),
	    cmocka_unit_test(equal_shapes_share_a_path),
	    cmocka_unit_test(outlined_fills_do_not_share_a_path),
	    cmocka_unit_test(paths_are_relative_and_exact),
	    cmocka_unit_test(hatches_are_patterns_defined_once),
	    cmocka_unit_test(ids_are_prefixed),
	    cmocka_unit_test(turned_text_is_turned_about_its_start),
	    cmocka_unit_test(spaces_in_a_row_are_kept),
	    cmocka_unit_test(an_empty_plan_is_a_valid_file),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
