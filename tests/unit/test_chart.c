/* Chart plans: what is in them, and that nothing meets or leaves them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairo.h>

#include "base/diag.h"
#include "chart/place.h"
#include "chart/plan.h"
#include "chart/sketch.h"
#include "chart_fixture.h"

static struct arena *fonts_arena;
static struct text_engine *engine_zh, *engine_en;

struct bench {
	struct arena *a;
	struct diag d;
};

static int
open_fonts(void **state)
{
	struct diag d;

	(void)state;
	fonts_arena = arena_new();
	diag_init(&d, fonts_arena);
	engine_zh = text_engine_new(fonts_arena, "out/fonts", "zh-CN", &d);
	engine_en = text_engine_new(fonts_arena, "out/fonts", "en", &d);
	if (!engine_zh || !engine_en)
		diag_print(&d, stderr);
	return engine_zh && engine_en ? 0 : -1;
}

static int
close_fonts(void **state)
{
	(void)state;
	arena_free(fonts_arena);
	return 0;
}

static int
setup(void **state)
{
	struct arena *a = arena_new();
	struct bench *b = arena_alloc(a, 1, sizeof(*b));

	b->a = a;
	diag_init(&b->d, a);
	*state = b;
	return 0;
}

static int
teardown(void **state)
{
	struct bench *b = *state;

	arena_free(b->a);
	return 0;
}

static const struct fixture_size usual = {6, 11, false, 1};

static struct chart_plan *
build(struct bench *b, const char *kind, struct fixture_size z,
    const char *lang, double width)
{
	struct node *root = fixture_results(b->a, z);
	struct block *f = fixture_figure(b->a, kind, root, lang);
	struct chart_plan *p =
	    chart_build(b->a, str_starts(lang, "en") ? engine_en : engine_zh, f,
		lang, width, &b->d);

	if (!p)
		diag_print(&b->d, stderr);
	assert_non_null(p);
	return p;
}

static struct chart_plan *
build_usual(struct bench *b, const char *kind)
{
	return build(b, kind, usual, "zh-CN", 453);
}

static bool
has_text(const struct chart_plan *p, const char *text)
{
	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_TEXT &&
		    str_equal(p->marks[i].text, text))
			return true;
	return false;
}

static const struct mark *
find_text(const struct chart_plan *p, const char *text)
{
	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_TEXT &&
		    str_equal(p->marks[i].text, text))
			return &p->marks[i];
	fail_msg("no text '%s'", text);
	return NULL;
}

static struct chart_plan *
build_of(struct bench *b, const char *kind, struct node *root, int vendor,
    const char *lang)
{
	struct block *f = fixture_figure(b->a, kind, root, lang);
	struct chart_plan *p;

	if (vendor >= 0)
		f->of =
		    node_find(root, arena_printf(b->a, "vendors.%d", vendor));
	p = chart_build(b->a, str_starts(lang, "en") ? engine_en : engine_zh, f,
	    lang, 453, &b->d);
	if (!p)
		diag_print(&b->d, stderr);
	assert_non_null(p);
	return p;
}

/* Geometry ---------------------------------------------------------------- */

struct quad {
	double x[4], y[4];
};

/* The ink of a text: from the top of a Han character to below its base. */
static struct quad
quad_of(const struct mark *m)
{
	double up = 0.82 * m->style.size_pt, down = 0.1 * m->style.size_pt;
	double left = -m->anchor * m->w + 0.2, right = left + m->w - 0.4;
	double c = cos(m->angle * M_PI / 180), s = sin(m->angle * M_PI / 180);
	double lx[4] = {left, right, right, left};
	double ly[4] = {-up, -up, down, down};
	struct quad q;

	for (int i = 0; i < 4; i++) {
		q.x[i] = m->x + c * lx[i] - s * ly[i];
		q.y[i] = m->y + s * lx[i] + c * ly[i];
	}
	return q;
}

/* Is there a line along an edge of `a` with all of `b` beyond it? */
static bool
parted_by(const struct quad *a, const struct quad *b)
{
	for (int i = 0; i < 4; i++) {
		int j = (i + 1) % 4;
		double nx = a->y[j] - a->y[i], ny = a->x[i] - a->x[j];
		bool beyond = true;

		for (int k = 0; k < 4; k++)
			beyond &= nx * (b->x[k] - a->x[i]) +
				      ny * (b->y[k] - a->y[i]) >=
				  -1e-6;
		if (beyond)
			return true;
	}
	return false;
}

static bool
meet(const struct mark *a, const struct mark *b)
{
	struct quad p = quad_of(a), q = quad_of(b);

	return !parted_by(&p, &q) && !parted_by(&q, &p);
}

static void
check_apart(const struct chart_plan *p, const char *what)
{
	for (int i = 0; i < p->n_marks; i++)
		for (int j = 0; j < i; j++) {
			const struct mark *a = &p->marks[i], *b = &p->marks[j];

			if (a->kind != MARK_TEXT || b->kind != MARK_TEXT ||
			    !meet(a, b))
				continue;
			fail_msg("%s: '%s' meets '%s' at %.1f %.1f", what,
			    a->text, b->text, a->x, a->y);
		}
}

static void
check_point(const struct chart_plan *p, const struct mark *m, double x,
    double y, const char *what)
{
	if (isfinite(x) && isfinite(y) && x >= -1 && y >= -1 &&
	    x <= p->width + 1 && y <= p->height + 1)
		return;
	fail_msg("%s: mark of kind %d ('%s') reaches %.1f %.1f outside "
		 "%.1f %.1f",
	    what, m->kind, m->text ? m->text : "", x, y, p->width, p->height);
}

static void
check_inside(const struct chart_plan *p, const char *what)
{
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];
		struct quad q;

		switch (m->kind) {
		case MARK_RECT:
			assert_true(m->w >= 0 && m->h >= 0);
			check_point(p, m, m->x, m->y, what);
			check_point(p, m, m->x + m->w, m->y + m->h, what);
			break;
		case MARK_LINE:
		case MARK_PATH:
			for (int k = 0; k < m->n_points; k++)
				check_point(p, m, m->points[2 * k],
				    m->points[2 * k + 1], what);
			break;
		case MARK_CIRCLE:
			check_point(p, m, m->x - m->r, m->y - m->r, what);
			check_point(p, m, m->x + m->r, m->y + m->r, what);
			break;
		case MARK_TEXT:
			q = quad_of(m);
			for (int k = 0; k < 4; k++)
				check_point(p, m, q.x[k], q.y[k], what);
			break;
		}
	}
}

static void
check_size(struct bench *b, struct fixture_size z, const char *lang,
    double width)
{
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p =
		    build(b, fixture_kinds[k], z, lang, width);
		const char *what = arena_printf(b->a,
		    "%s %s %.0f, %d x %d, "
		    "stretch %.0f",
		    fixture_kinds[k], lang, width, z.vendors, z.cards,
		    z.stretch);

		assert_true(p->height > 10 && p->height < 720);
		check_inside(p, what);
		check_apart(p, what);
	}
}

static void
one_vendor_fits(void **state)
{
	check_size(*state, (struct fixture_size){1, 1, false, 1}, "zh-CN", 453);
	check_size(*state, (struct fixture_size){1, 3, true, 1}, "en", 453);
}

static void
usual_projects_fit(void **state)
{
	check_size(*state, usual, "zh-CN", 453);
	check_size(*state, usual, "en", 453);
}

static void
long_names_fit(void **state)
{
	check_size(*state, (struct fixture_size){7, 11, true, 1}, "zh-CN", 453);
	check_size(*state, (struct fixture_size){7, 11, true, 1}, "en", 453);
}

static void
many_vendors_fit(void **state)
{
	check_size(*state, (struct fixture_size){40, 10, false, 1}, "zh-CN",
	    453);
	check_size(*state, (struct fixture_size){40, 40, true, 1}, "en", 453);
	check_size(*state, (struct fixture_size){12, 24, true, 1}, "zh-CN",
	    453);
}

static void
narrow_and_wide_fit(void **state)
{
	check_size(*state, usual, "zh-CN", 240);
	check_size(*state, usual, "en", 300);
	check_size(*state, usual, "zh-CN", 720);
}

/* Factors from 1e-30 to 1e30, loads, peaks and sizes alike. */
static void
extreme_values_fit(void **state)
{
	check_size(*state, (struct fixture_size){6, 8, false, 3}, "zh-CN", 453);
	check_size(*state, (struct fixture_size){6, 8, false, 33}, "en", 453);
	check_size(*state, (struct fixture_size){6, 8, false, -33}, "zh-CN",
	    453);
	check_size(*state, (struct fixture_size){6, 8, false, 100}, "zh-CN",
	    453);
}

/* Equal values everywhere: every factor 1, every ratio 1. */
static void
equal_values_fit(void **state)
{
	check_size(*state, (struct fixture_size){6, 8, false, 0}, "zh-CN", 453);
}

/* General ----------------------------------------------------------------- */

static void
all_text_is_of_seven_and_a_half_to_nine_points(void **state)
{
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p = build_usual(*state, fixture_kinds[k]);

		for (int i = 0; i < p->n_marks; i++)
			if (p->marks[i].kind == MARK_TEXT)
				assert_true(p->marks[i].style.size_pt >= 7.5 &&
					    p->marks[i].style.size_pt <= 9);
	}
}

static void
title_and_description_come_from_the_figure(void **state)
{
	struct chart_plan *p = build_usual(*state, "matrix");

	assert_string_equal(p->title, "title of matrix");
	assert_string_equal(p->desc, "alt of matrix");
	assert_string_equal(p->lang, "zh-CN");
}

static void
same_input_same_plan(void **state)
{
	struct bench *b = *state;

	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct str one, two;

		str_init(&one, b->a);
		str_init(&two, b->a);
		chart_dump(build_usual(b, fixture_kinds[k]), &one);
		chart_dump(build_usual(b, fixture_kinds[k]), &two);
		assert_string_equal(one.s, two.s);
	}
}

static void
unknown_kind_is_reported_with_the_nearest(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "matrx", root, "zh-CN");

	assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	assert_string_equal(b->d.problems[0].id, "chart-kind");
	assert_non_null(strstr(b->d.problems[0].note, "matrix"));
}

static void
missing_data_is_reported_for_every_kind(void **state)
{
	struct bench *b = *state;

	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct node *root = node_root(b->a);
		struct block *f =
		    fixture_figure(b->a, fixture_kinds[k], root, "zh-CN");
		int before = b->d.n_errors;

		f->of = root;
		assert_null(
		    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
		assert_true(b->d.n_errors > before);
		assert_string_equal(b->d.problems[before].id, "chart-data");
		f->of = NULL;
		assert_null(
		    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	}
}

/* Lists that are there but hold nothing, or things of the wrong kind. */
static void
hollow_data_is_reported_for_every_kind(void **state)
{
	static const char *const lists[] = {"vendors", "matrix", "plan",
	    "market", "reasons"};
	struct bench *b = *state;
	struct node *root = node_root(b->a), *v;

	for (size_t i = 0; i < 5; i++)
		node_text(b->a, root, lists[i], "not what you expect");
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct block *f =
		    fixture_figure(b->a, fixture_kinds[k], root, "zh-CN");

		f->of = root;
		assert_null(
		    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	}
	root = node_root(b->a);
	v = node_item(b->a, node_list(b->a, root, "vendors"));
	node_text(b->a, v, "roofline", "x");
	node_number(b->a, v, "dials", NAN, UNIT_NONE);
	node_flag(b->a, v, "memory", true);
	node_text(b->a, v, "requested", "x");
	node_list(b->a, v, "families");
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct block *f =
		    fixture_figure(b->a, fixture_kinds[k], root, "zh-CN");

		f->of = v;
		assert_null(
		    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	}
}

static void
missing_label_is_reported_once(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "matrix", root, "zh-CN");

	f->n_labels = 0;
	assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	for (int i = 0; i < b->d.n; i++) {
		assert_string_equal(b->d.problems[i].id, "chart-label");
		for (int j = 0; j < i; j++)
			assert_string_not_equal(b->d.problems[i].text,
			    b->d.problems[j].text);
	}
	assert_in_range(b->d.n, 5, 12);
}

/* A label of the chart's own goes before a shared one. */
static void
own_labels_go_first(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "dials", root, "zh-CN");
	struct label *l = arena_alloc(b->a, FIXTURE_LABELS + 1, sizeof(*l));
	struct chart_plan *p;

	memcpy(l, f->labels, FIXTURE_LABELS * sizeof(*l));
	l[FIXTURE_LABELS] = (struct label){"chart.dials.dial.data", "own"};
	f->labels = l;
	f->n_labels = FIXTURE_LABELS + 1;
	p = chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d);
	assert_true(has_text(p, "own"));
	assert_false(has_text(p, "数据规模"));
}

static void
names_follow_the_language(void **state)
{
	struct chart_plan *zh = build_usual(*state, "dials-all");
	struct chart_plan *en = build(*state, "dials-all", usual, "en", 453);

	assert_true(has_text(zh, "慧眼安防"));
	assert_true(has_text(en, "Huiyan Security"));
	assert_false(has_text(en, "慧眼安防"));
}

/* `of` may be any node below the one that matters. */
static void
of_may_lie_deeper(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "dials", root, "zh-CN");

	f->of = node_find(root, "vendors.2.load.limit");
	assert_true(
	    has_text(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d),
		"车牌通"));
	f = fixture_figure(b->a, "matrix", root, "zh-CN");
	f->of = node_find(root, "matrix.rows");
	assert_non_null(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
}

static void
no_sentence_stands_in_the_code(void **state)
{
	struct bench *b = *state;

	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct node *root = fixture_results(b->a, usual);
		struct block *f =
		    fixture_figure(b->a, fixture_kinds[k], root, "en");
		struct label *l = arena_alloc(b->a, FIXTURE_LABELS, sizeof(*l));
		struct chart_plan *p;

		for (int i = 0; i < FIXTURE_LABELS; i++)
			l[i] = (struct label){f->labels[i].name, "§"};
		f->labels = l;
		p = chart_build(b->a, engine_en, f, "en", 453, &b->d);
		assert_non_null(p);
		/* without labels only names, numbers and units are left */
		for (int i = 0; i < p->n_marks; i++)
			if (p->marks[i].kind == MARK_TEXT)
				for (int j = 0; j < FIXTURE_LABELS; j++)
					assert_false(
					    strlen(fixture_labels_en[j].text) >
						12 &&
					    strstr(p->marks[i].text,
						fixture_labels_en[j].text));
	}
}

static void
every_kind_has_its_data_file(void **state)
{
	static const char *const heads[FIXTURE_KINDS] = {"vendor,gpu,state",
	    "dial,factor", "vendor,ratio,algorithm,data,realtime",
	    "stage,intensity", "role,gpu,state", "what,id,bytes",
	    "name,family,segment", "gpu,cards,spare", "what,unit,cpu,gpu",
	    "family,passing,total", "case,gpu,cards"};

	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p = build_usual(*state, fixture_kinds[k]);

		assert_true(str_starts(p->csv, heads[k]));
		assert_non_null(strstr(p->csv, "\r\n"));
	}
}

static void
data_fields_are_quoted(void **state)
{
	struct bench *b = *state;
	struct sketch s = {.a = b->a};

	str_init(&s.csv, b->a);
	SKETCH_CSV(&s, "a,b", "say \"x\"", NULL, "two\nlines", "plain");
	assert_string_equal(s.csv.s,
	    "\"a,b\",\"say \"\"x\"\"\",,\"two\nlines\",plain\r\n");
}

/* Kinds ------------------------------------------------------------------- */

static void
matrix_tells_states_apart_by_marks(void **state)
{
	struct chart_plan *p = build_usual(*state, "matrix");
	int checks = 0, crosses = 0, dotted = 0;

	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		checks += m->kind == MARK_PATH && m->stroked && !m->filled;
		crosses += m->kind == MARK_LINE;
		dotted += m->hatch == HATCH_DOTS;
	}
	/* 30 pass, 32 fail, 4 ask of 66 cells (counted from the fixture's
	 * csv below), and one of each in the key; a cross is two lines */
	for (const char *c = p->csv; (c = strstr(c, ",pass,")); c++)
		checks--;
	for (const char *c = p->csv; (c = strstr(c, ",fail,")); c++)
		crosses -= 2;
	for (const char *c = p->csv; (c = strstr(c, ",ask,")); c++)
		dotted--;
	assert_int_equal(checks, 1);
	assert_int_equal(crosses, 2);
	assert_int_equal(dotted, 1);
}

static void
matrix_names_the_gate_that_fails(void **state)
{
	struct chart_plan *p = build_usual(*state, "matrix");

	assert_true(has_text(p, "显存"));
	assert_true(has_text(p, "供货"));
}

/* In narrow columns reasons are letters, explained in the key. */
static void
matrix_falls_back_to_letters(void **state)
{
	struct chart_plan *p = build(*state, "matrix",
	    (struct fixture_size){5, 24, false, 1}, "en", 453);

	assert_true(has_text(p, "a"));
	assert_true(has_text(p, "Reasons:"));
	assert_true(has_text(p, "availability"));
}

static void
matrix_says_how_many_rows_are_left_out(void **state)
{
	struct chart_plan *p = build(*state, "matrix",
	    (struct fixture_size){200, 6, false, 1}, "zh-CN", 453);
	bool found = false;

	for (int i = 0; i < p->n_marks; i++)
		found |= p->marks[i].kind == MARK_TEXT &&
			 str_starts(p->marks[i].text, "… +");
	assert_true(found);
	/* the data file leaves nothing out */
	assert_non_null(strstr(p->csv, "S200,"));
}

static void
matrix_keeps_asked_and_planned_columns(void **state)
{
	struct chart_plan *p = build(*state, "matrix",
	    (struct fixture_size){40, 40, false, 1}, "zh-CN", 453);

	/* card 8 is planned, card 9 is neither asked for nor planned */
	assert_true(has_text(p, "L40S"));
	assert_false(has_text(p, "A100 80GB PCIe"));
}

static void
matrix_says_that_only_the_first_gate_is_named(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *rows = (struct node *)node_find(root, "matrix.rows");

	assert_true(
	    has_text(build_usual(b, "matrix"), "每格只注明第一道不过的门槛。"));
	/* where nothing fails there is nothing to say */
	for (struct node *r = rows->first; r; r = r->next)
		for (struct node *c =
			 ((struct node *)node_find(r, "cells"))->first;
		     c; c = c->next)
			((struct node *)node_find(c, "state"))->text = "pass";
	assert_false(has_text(build_of(b, "matrix", root, -1, "zh-CN"),
	    "每格只注明第一道不过的门槛。"));
}

/* Words are not broken in narrow columns; the series says nothing. */
static void
matrix_breaks_no_word_of_a_heading(void **state)
{
	struct chart_plan *p = build(*state, "matrix",
	    (struct fixture_size){7, 12, false, 1}, "zh-CN", 441);

	for (int i = 0; i < p->n_marks; i++)
		assert_true(p->marks[i].kind != MARK_TEXT ||
			    (!str_equal(p->marks[i].text, "GeForc") &&
				!str_equal(p->marks[i].text, "Worksta")));
	assert_true(has_text(p, "RTX") || has_text(p, "RTX 3090"));
}

/* The labels under the panels, from left to right, and where 1x stands. */
static int
tick_labels(const struct chart_plan *p, double *x, int max, double *one,
    int *n_one)
{
	double y = find_text(p, "1×")->y;
	int n = 0;

	*n_one = 0;
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->kind != MARK_TEXT || fabs(m->y - y) > 0.01 || n == max)
			continue;
		if (str_equal(m->text, "1×"))
			one[(*n_one)++] = m->x;
		x[n++] = m->x;
	}
	return n;
}

/*
 * All panels have the same decades: the total and four dials, with three
 * labels each at least, and each as far from its 1x as in the first panel.
 */
static void
dials_all_has_the_same_decades_in_all_panels(void **state)
{
	struct chart_plan *p = build_usual(*state, "dials-all");
	double x[40], one[40];
	int n_one, n = tick_labels(p, x, 40, one, &n_one), per = n / 5;

	assert_int_equal(n_one, 5);
	assert_true(per >= 3);
	assert_int_equal(n, 5 * per);
	for (int i = 0; i < n; i++)
		assert_true(
		    fabs(x[i] - one[i / per] - x[i % per] + one[0]) < 1e-6);
}

/* The points of 128, 11.3 and 0.12 stand under each other. */
static void
dials_all_lines_up_the_factors(void **state)
{
	struct bench *b = *state;
	struct chart_plan *p = build_usual(b, "dials-all");
	double first = -1;
	int n = 0;

	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];
		const char *point = m->text ? strchr(m->text, '.') : NULL;
		struct text_style style = palette_type(TYPE_STRONG);
		double x;

		if (m->kind != MARK_TEXT || m->style.face != FACE_SANS_BOLD ||
		    !point)
			continue;
		x = m->x +
		    text_measure(engine_zh, &style,
			arena_strndup(b->a, m->text, (size_t)(point - m->text)))
			.width;
		if (first >= 0)
			assert_true(fabs(x - first) < 0.01);
		first = x;
		n++;
	}
	assert_true(n >= 3);
}

/* The last bar reaches as far as the cascade of the factors. */
static void
dials_multiply_to_the_total(void **state)
{
	struct chart_plan *p = build_usual(*state, "dials");
	const struct mark *bars[8];
	int n = 0;

	for (int i = 0; i < p->n_marks && n < 8; i++)
		if (p->marks[i].kind == MARK_RECT)
			bars[n++] = &p->marks[i];
	assert_int_equal(n, 5);
	/* 0.125 x 5.66 x 2.83 x 1.41 = 2.83: the fourth bar grows to there */
	assert_true(
	    fabs(bars[3]->x + bars[3]->w - bars[4]->x - bars[4]->w) < 0.01);
	assert_true(has_text(p, "2.83×"));
	assert_true(has_text(p, "5.66×"));
}

static void
dials_below_one_are_hatched(void **state)
{
	struct chart_plan *p = build_usual(*state, "dials");
	int hatched = 0;

	for (int i = 0; i < p->n_marks; i++)
		hatched += p->marks[i].kind == MARK_RECT &&
			   p->marks[i].hatch == HATCH_DIAGONAL;
	assert_int_equal(hatched, 1);
}

static void
dials_all_has_a_row_per_vendor(void **state)
{
	struct chart_plan *p = build_usual(*state, "dials-all");

	for (int i = 0; i < 6; i++)
		assert_true(has_text(p, fixture_names[i][0]));
	assert_true(has_text(p, "128×"));
}

static void
dials_all_skips_vendors_without_figures(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual), *v;
	struct block *f = fixture_figure(b->a, "dials-all", root, "zh-CN");
	struct chart_plan *p;

	v = node_item(b->a, (struct node *)node_find(root, "vendors"));
	node_text(b->a, v, "id", "S9");
	node_text(b->a, v, "name", "没有数据");
	p = chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d);
	assert_non_null(p);
	assert_false(has_text(p, "没有数据"));
}

/* 65 TFLOPS over 320 GB/s is a ridge at 203 FLOP a byte. */
static void
roofline_names_roofs_ridge_and_stages(void **state)
{
	struct chart_plan *p = build_usual(*state, "roofline");

	assert_true(has_text(p, "T4 算力上限 65 TFLOPS · FP16累加"));
	assert_true(has_text(p, "显存带宽上限 320 GB/s"));
	assert_true(has_text(p, "203 FLOP/B"));
	assert_true(has_text(p, "scrfd-10g 55 %"));
	assert_true(has_text(p, "底库检索 12.5 %"));
}

/* The other accumulate type has a roof of its own, dashed, with its name. */
static void
roofline_draws_both_accumulate_types(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct chart_plan *p = build_of(b, "roofline", root, 0, "zh-CN");
	int dashed = 0;

	assert_true(has_text(p, "32.5 TFLOPS · FP32累加"));
	for (int i = 0; i < p->n_marks; i++)
		dashed += p->marks[i].kind == MARK_LINE && p->marks[i].dash > 3;
	assert_int_equal(dashed, 1);
	for (int i = 0; i < usual.vendors; i += 2)
		assert_true(has_text(build_of(b, "roofline", root, i, "en"),
		    "32.5 TFLOPS · FP32 accumulate"));
	p = build_of(b, "roofline", root, 1, "zh-CN");
	assert_false(has_text(p, "32.5 TFLOPS · FP32累加"));
}

static void
roofline_writes_what_binds_at_the_point(void **state)
{
	struct chart_plan *p = build_usual(*state, "roofline");
	const struct mark *name = find_text(p, "底库检索 12.5 %");
	int under = 0;

	/* 64 FLOP/B: left of the ridge at 203 */
	for (int i = 0; i < p->n_marks; i++)
		under += p->marks[i].kind == MARK_TEXT &&
			 str_equal(p->marks[i].text, "受带宽限制") &&
			 p->marks[i].y > name->y &&
			 p->marks[i].y < name->y + 12 &&
			 fabs(p->marks[i].x - name->x) < 1;
	assert_int_equal(under, 1);
}

/*
 * Points on the roof, wherever they are, neither cover the name of the roof
 * nor have their own name on it.
 */
static void
roofline_name_keeps_off_points_on_the_roof(void **state)
{
	struct bench *b = *state;

	for (int k = 0; k < 24; k++) {
		struct node *root = fixture_results(b->a, usual);
		struct node *list =
		    (struct node *)node_find(root, "vendors.0.roofline.points");
		struct chart_plan *p;
		const struct mark *name;
		struct quad q;
		double x = 120 * pow(1.14, k);

		for (struct node *n = list->first; n; n = n->next, x *= 1.7) {
			((struct node *)node_find(n, "intensity"))->number = x;
			((struct node *)node_find(n, "attained"))->number =
			    fmin(65e12, 320e9 * x);
		}
		p = build_of(b, "roofline", root, 0, "zh-CN");
		check_apart(p, "roofline");
		name = find_text(p, "T4 算力上限 65 TFLOPS · FP16累加");
		q = quad_of(name);
		for (int i = 0; i < p->n_marks; i++) {
			const struct mark *m = &p->marks[i];

			if (m->kind == MARK_CIRCLE && m->r > 2.45)
				assert_false(m->x + m->r > q.x[0] &&
					     m->x - m->r < q.x[1] &&
					     m->y + m->r > q.y[0] &&
					     m->y - m->r < q.y[2]);
		}
	}
}

static void
roofline_points_stay_below_the_roof(void **state)
{
	struct chart_plan *p = build_usual(*state, "roofline");
	double top = 1e9;

	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_PATH && !p->marks[i].filled)
			top = fmin(top, p->marks[i].points[3]);
	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_CIRCLE && p->marks[i].r > 5)
			assert_true(p->marks[i].y > top);
}

/* No name lies over the dotted line of another stage. */
static void
check_off_lines(const struct chart_plan *p)
{
	for (int i = 0; i < p->n_marks; i++)
		for (int j = 0; j < p->n_marks; j++) {
			const struct mark *l = &p->marks[i], *t = &p->marks[j];
			struct quad q;

			if (l->kind != MARK_LINE || l->dash <= 0 ||
			    t->kind != MARK_TEXT || t->angle < 0)
				continue;
			q = quad_of(t);
			assert_false(
			    l->points[0] > q.x[0] && l->points[0] < q.x[1] &&
			    fmin(l->points[1], l->points[3]) < q.y[2] &&
			    fmax(l->points[1], l->points[3]) > q.y[0]);
		}
}

static void
roofline_names_keep_off_dotted_lines(void **state)
{
	struct bench *b = *state;
	struct node *root =
	    fixture_results(b->a, (struct fixture_size){30, 11, false, 1});
	struct block *f = fixture_figure(b->a, "roofline", root, "zh-CN");

	for (int i = 0; i < 30; i++) {
		f->of = node_find(root, arena_printf(b->a, "vendors.%d", i));
		check_off_lines(
		    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
	}
}

static void
gauges_hatch_what_is_over_the_limit(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "gauges", root, "zh-CN");
	struct chart_plan *p =
	    chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d);
	int hatched = 0;

	/* smallest: load 1.62 x 1.3 = 2.106 on 3 cards at 0.7 = 2.1 */
	for (int i = 0; i < p->n_marks; i++)
		hatched += p->marks[i].hatch == HATCH_DIAGONAL;
	/* that bar, the missed deadline of the nearest, and the key */
	assert_int_equal(hatched, 3);
	assert_true(has_text(p, "2.11 / 2.10"));
	assert_true(has_text(p, "1.62 / 2.80"));
	assert_true(has_text(p, "T4 × 4"));
}

static int
crosses_in(const struct chart_plan *p)
{
	int lines = 0;

	for (int i = 0; i < p->n_marks; i++)
		lines += p->marks[i].kind == MARK_LINE &&
			 fabs(p->marks[i].line_width - 1.4) < 1e-9;
	return lines / 2;
}

/* A card that passes with three is no pass when two are asked for. */
static void
gauges_cross_out_too_few_cards(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "gauges", root, "zh-CN");
	struct node *asked =
	    (struct node *)node_find(root, "vendors.0.verdict.cards_asked");
	struct chart_plan *p;

	asked->number = 2;
	p = chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d);
	/* the card and its compute time; nearest and its deadline */
	assert_int_equal(crosses_in(p), 4);
	assert_true(has_text(p, "T4 × 2"));
	assert_true(has_text(p, "1.62 / 1.40"));
}

/* A missed deadline is the first bar of its card, over the limit. */
static void
gauges_begin_with_the_gate_that_decides(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct chart_plan *p = build_of(b, "gauges", root, 0, "zh-CN");
	const struct mark *card = find_text(p, "A2 × 3"), *gate, *pair;
	int between = 0;

	gate = find_text(p, "时限");
	pair = find_text(p, "116 / 80 ms");
	assert_true(gate->y > card->y && gate->y < card->y + 22);
	assert_true(fabs(gate->y - pair->y) < 1);
	for (int i = 0; i < p->n_marks; i++)
		between += p->marks[i].kind == MARK_TEXT &&
			   p->marks[i].x < 80 && p->marks[i].y > card->y + 1 &&
			   p->marks[i].y < gate->y - 1;
	assert_int_equal(between, 0);
	/* a gate without figures is named all the same */
	p = build_of(b, "gauges", root, 1, "zh-CN");
	assert_true(find_text(p, "软件")->y > find_text(p, "A2 × 2")->y);
}

/* The bars of a card that fails at a gate are pale, those of others not. */
static void
gauges_dim_cards_that_fail_at_a_gate(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct chart_plan *p = build_of(b, "gauges", root, 1, "zh-CN");
	double gate = find_text(p, "软件")->y;
	double strong = palette_luminance(palette_rgb(INK_BLUE)) + 0.01;
	int pale = 0, deep = 0;

	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->kind != MARK_RECT || m->stroked || m->w < 1 ||
		    palette_luminance(m->fill) > 0.7)
			continue;
		if (m->y > gate)
			pale += palette_luminance(m->fill) > strong;
		else
			deep += palette_luminance(m->fill) <= strong;
		if (m->y > gate)
			assert_true(palette_luminance(m->fill) > strong);
	}
	assert_true(pale >= 3 && deep >= 6);
}

static void
drop_lists(struct node *vendor, const char *fit)
{
	struct node *loads = (struct node *)node_find(vendor, fit), *n;

	n = (struct node *)node_find(loads, "loads");
	n->first = n->last = NULL;
	n->n = 0;
}

/* Without a load memory is left, for every card, and a note says so. */
static void
gauges_show_memory_when_no_load_is_known(void **state)
{
	static const char *const fits[] = {"requested", "smallest", "nearest",
	    "planned"};
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *v = (struct node *)node_find(root, "vendors.0");
	struct chart_plan *p;
	int rows = 0;

	p = build_of(b, "gauges", root, 0, "zh-CN");
	assert_true(has_text(p, "5.20 / 16 GiB"));
	assert_false(has_text(p, "没有用量，只比较显存。"));
	for (int i = 0; i < 4; i++)
		drop_lists(v, fits[i]);
	p = build_of(b, "gauges", root, 0, "zh-CN");
	for (int i = 0; i < p->n_marks; i++)
		rows += p->marks[i].kind == MARK_TEXT &&
			str_equal(p->marks[i].text, "显存");
	assert_int_equal(rows, 4);
	assert_false(has_text(p, "计算时间"));
	assert_true(has_text(p, "没有用量，只比较显存。"));
}

/* Nobody knows how many cards: no number, and no loads that need one. */
static void
gauges_do_not_make_up_a_number_of_cards(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *cards =
	    (struct node *)node_find(root, "vendors.0.nearest.cards");
	struct chart_plan *p;

	cards->name = "forgotten";
	p = build_of(b, "gauges", root, 0, "zh-CN");
	assert_true(has_text(p, "A2"));
	assert_false(has_text(p, "A2 × 3"));
}

static void
gauges_do_without_words_for_gates(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "gauges", root, "zh-CN");
	struct label *l = arena_alloc(b->a, FIXTURE_LABELS, sizeof(*l));
	int n = 0;

	for (int i = 0; i < FIXTURE_LABELS; i++)
		if (!str_starts(f->labels[i].name, "gate."))
			l[n++] = f->labels[i];
	f->labels = l;
	f->n_labels = n;
	assert_non_null(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d));
}

/* The line at a card's size: x of the vertical line that ends at `y`. */
static bool
line_ends_at(const struct chart_plan *p, double y)
{
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->kind == MARK_LINE && m->line_width > 1 &&
		    fabs(m->points[3] - y) < 3.2 && m->points[1] < 5)
			return true;
	}
	return false;
}

static void
memory_shows_cards_and_statements(void **state)
{
	struct chart_plan *p = build_usual(*state, "memory");

	assert_true(has_text(p, "厂家声明的最低值"));
	assert_true(has_text(p, "4 GB"));
	/* 0.12 + 1.4 + 0.9 + 1.1 + 0.5 + 0.08 + 0.6 */
	assert_true(has_text(p, "4.70 GiB"));
	/* asked for, smallest and planned, each with its line to its row */
	assert_true(has_text(p, "厂家要求"));
	assert_true(has_text(p, "够用的最小型号"));
	assert_true(has_text(p, "方案采用"));
	assert_true(line_ends_at(p, find_text(p, "T4")->y));
}

/* A card of five times the need stays in, as a bar that runs off. */
static void
memory_keeps_cards_far_above_the_need(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *have =
	    (struct node *)node_find(root, "vendors.0.requested.memory_have");
	struct chart_plan *p;

	have->number = 288 * GIB;
	p = build_of(b, "memory", root, 0, "zh-CN");
	assert_true(has_text(p, "288 GiB"));
	assert_false(line_ends_at(p, find_text(p, "T4")->y));
}

/* What is too small says so in words, beside a hatched gap. */
static void
memory_says_what_is_too_small(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *have =
	    (struct node *)node_find(root, "vendors.0.requested.memory_have");
	struct chart_plan *p;

	assert_false(has_text(build_usual(b, "memory"), "厂家要求 · 不够"));
	have->number = 3 * GIB;
	p = build_of(b, "memory", root, 0, "zh-CN");
	assert_true(has_text(p, "厂家要求 · 不够"));
	p = build_of(b, "memory", root, 0, "en");
	assert_true(has_text(p, "asked for · too small"));
}

static void
memory_cuts_no_name(void **state)
{
	struct bench *b = *state;
	struct node *root =
	    fixture_results(b->a, (struct fixture_size){7, 11, false, 1});

	for (int v = 0; v < 7; v++) {
		struct chart_plan *p =
		    build_of(b, "memory", root, v, v % 2 ? "en" : "zh-CN");

		for (int i = 0; i < p->n_marks; i++)
			assert_true(p->marks[i].kind != MARK_TEXT ||
				    !strstr(p->marks[i].text, "…"));
	}
}

static void
market_names_the_projects_cards_only(void **state)
{
	struct chart_plan *p = build_usual(*state, "market");

	assert_true(has_text(p, "L4"));
	assert_true(has_text(p, "T4"));
	assert_false(has_text(p, "A2"));
}

/* Leaders cross neither each other nor a name. */
static void
check_leaders(const struct chart_plan *p)
{
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *l = &p->marks[i];

		if (l->kind != MARK_LINE || fabs(l->line_width - 0.5) > 1e-9 ||
		    l->points[0] == l->points[2] ||
		    l->points[1] == l->points[3])
			continue;
		for (int j = 0; j < p->n_marks; j++) {
			const struct mark *t = &p->marks[j];

			if (t->kind != MARK_TEXT || t->y > p->height - 60)
				continue;
			for (double k = 0.05; k < 0.93; k += 0.04) {
				double x = l->points[0] +
					   k * (l->points[2] - l->points[0]);
				double y = l->points[1] +
					   k * (l->points[3] - l->points[1]);
				struct quad q = quad_of(t);

				if (x > q.x[0] && x < q.x[1] && y > q.y[0] &&
				    y < q.y[2])
					fail_msg("a leader crosses '%s'",
					    t->text);
			}
		}
	}
}

/* 24 cards of the project in one heap: named as far as there is room. */
static void
market_leaders_cross_nothing(void **state)
{
	struct bench *b = *state;

	for (int stretch = 1; stretch <= 4; stretch++) {
		struct node *root = fixture_results(b->a,
		    (struct fixture_size){6, 12, false, stretch / 4.0});
		struct node *cards =
		    (struct node *)node_find(root, "matrix.cards");

		for (struct node *c = cards->first; c; c = c->next)
			((struct node *)node_find(c, "planned"))->flag = true;
		check_leaders(build_of(b, "market", root, -1, "zh-CN"));
		check_apart(build_of(b, "market", root, -1, "en"), "market");
	}
}

/* Makers differ without their colours: in fill, outline or a hole. */
static void
market_tells_makers_apart(void **state)
{
	struct chart_plan *p = build_usual(*state, "market");
	static const char *const names[] = {"NVIDIA", "AMD", "Intel", "国产"};
	double luminance[4];
	int holes = 0;

	for (int k = 0; k < 4; k++) {
		const struct mark *t = find_text(p, names[k]);

		for (int i = 0; i < p->n_marks; i++) {
			const struct mark *m = &p->marks[i];

			if (m->kind != MARK_CIRCLE || fabs(m->y - t->y) > 5 ||
			    m->x > t->x || m->x < t->x - 12)
				continue;
			holes += m->r < 2;
			if (m->r > 2)
				luminance[k] = palette_luminance(m->fill);
		}
	}
	assert_int_equal(holes, 1);
	assert_true(fabs(luminance[0] - luminance[1]) > 0.2);
	assert_true(fabs(luminance[0] - luminance[2]) > 0.2);
	assert_true(fabs(luminance[1] - luminance[2]) > 0.2);
}

static void
plan_outlines_spare_cards(void **state)
{
	struct chart_plan *p = build_usual(*state, "plan");
	int dashed = 0;

	for (int i = 0; i < p->n_marks; i++)
		dashed += p->marks[i].kind == MARK_RECT && p->marks[i].dash > 0;
	assert_int_equal(dashed, 3); /* one a pool, one in the key */
	assert_true(has_text(p, "L4 × 7 + 1"));
}

/*
 * Seven cards at 0.7 may carry 4.9: a line there, and the 2.1 above it are
 * hatched.
 */
static void
plan_shades_what_is_above_the_allowed_load(void **state)
{
	struct chart_plan *p = build_usual(*state, "plan");
	const struct mark *bar = NULL, *over = NULL, *line = NULL;

	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->kind == MARK_RECT && m->stroked && !m->filled && !bar)
			bar = m;
		if (m->kind == MARK_RECT && m->hatch == HATCH_DIAGONAL && !over)
			over = m;
		if (m->kind == MARK_LINE && m->line_width > 1 && !line)
			line = m;
	}
	assert_non_null(bar);
	assert_non_null(over);
	assert_non_null(line);
	assert_true(fabs(over->w / bar->w - 0.3) < 1e-6);
	assert_true(fabs(line->points[0] - bar->x - 0.7 * bar->w) < 1e-6);
	assert_true(has_text(p, "负荷上限以上"));
	assert_true(has_text(p, "取整余下"));
	assert_false(has_text(p, "用量不明"));
}

/* A bar for the plan and one a case, the parts of a bar side by side; two
 * cards of the second case are there already, and are hatched. */
static void
what_if_shows_every_case(void **state)
{
	struct chart_plan *p = build_usual(*state, "what-if");
	const struct mark *first = NULL, *own = NULL, *line = NULL;

	assert_true(has_text(p, "现在"));
	assert_true(has_text(p, "20 · 1,400 W")); /* 2 x (9 + 1) */
	assert_true(has_text(p, "已有"));
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->kind == MARK_RECT && m->filled && !first)
			first = m;
		if (m->hatch == HATCH_DIAGONAL && !own)
			own = m;
		if (m->kind == MARK_LINE && m->dash > 0 && !line)
			line = m;
	}
	/* ten cards of the first part against the two that are there */
	assert_true(fabs(own->w / first->w - 0.2) < 1e-6);
	assert_true(own->x == first->x && own->y > first->y);
	/* the line hangs from the end of the first bar */
	assert_true(fabs(line->points[0] - first->x - 2 * first->w) < 1e-6);
}

/*
 * A vendor without a figure still has its cards, hatched at the end of the
 * bar and with a question mark instead of a number.
 */
static void
plan_marks_vendors_without_figures(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual), *v;
	struct chart_plan *p;
	const struct mark *bar = NULL, *open = NULL;

	v = node_item(b->a,
	    (struct node *)node_find(root, "plan.pools.0.vendors"));
	node_text(b->a, v, "id", "S9");
	node_text(b->a, v, "name", "未知");
	node_number(b->a, v, "cards", 2, UNIT_COUNT);
	p = build_of(b, "plan", root, -1, "zh-CN");
	assert_true(has_text(p, "?  未知"));
	assert_true(has_text(p, "用量不明"));
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->hatch == HATCH_DOTS && !open)
			open = m;
		if (m->kind == MARK_RECT && m->stroked && !m->filled && !bar)
			bar = m;
	}
	assert_true(fabs(open->w / bar->w - 2.0 / 7) < 1e-6);
	assert_true(fabs(open->x + open->w - bar->x - bar->w) < 1e-6);
}

/* 7424 over 56 cores is 133: a log scale, and said so. */
static void
cpu_gpu_says_where_it_is_logarithmic(void **state)
{
	struct chart_plan *p = build_usual(*state, "cpu-gpu");
	int said = 0;

	for (int i = 0; i < p->n_marks; i++)
		said += p->marks[i].kind == MARK_TEXT &&
			str_equal(p->marks[i].text, "对数刻度，每格 10 倍");
	assert_int_equal(said, 1);
	assert_true(has_text(p, "133×"));
	assert_true(has_text(p, "23.8×"));
}

/*
 * The processors have 375 GB/s and the card 300: the ratio stands beside the
 * processors.  Of cores the card has more.
 */
static void
cpu_gpu_puts_the_ratio_beside_the_larger(void **state)
{
	struct chart_plan *p = build_usual(*state, "cpu-gpu");

	assert_true(
	    fabs(find_text(p, "1.25×")->y - find_text(p, "375 GB/s")->y) < 1);
	assert_true(
	    fabs(find_text(p, "133×")->y - find_text(p, "7,424")->y) < 1);
	assert_true(
	    fabs(find_text(p, "23.8×")->y - find_text(p, "214")->y) < 1);
	assert_true(has_text(p, "较大一方是另一方的"));
}

static void
cpu_gpu_claims_nothing_for_equals(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct node *bw =
	    (struct node *)node_find(root, "reasons.bandwidth.gpu_bandwidth");

	bw->number = 375e9;
	assert_false(
	    has_text(build_of(b, "cpu-gpu", root, -1, "zh-CN"), "1.00×"));
}

/* Linear bars are in proportion: 9 to 214. */
static void
cpu_gpu_linear_bars_are_in_proportion(void **state)
{
	struct chart_plan *p = build_usual(*state, "cpu-gpu");
	const struct mark *bars[2] = {NULL, NULL};
	int n = 0;

	for (int i = 0; i < p->n_marks && n < 2; i++)
		if (p->marks[i].kind == MARK_RECT)
			bars[n++] = &p->marks[i];
	assert_true(fabs(bars[1]->w / bars[0]->w - 9.0 / 214) < 1e-6);
}

/* 0+5, 1+6, ... 5+10 models: 15 filled, 45 in all. */
static void
families_draw_a_dot_per_model(void **state)
{
	struct chart_plan *p = build_usual(*state, "families");
	int filled = 0, dots = 0;

	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_CIRCLE) {
			dots++;
			filled += !p->marks[i].stroked;
		}
	assert_int_equal(dots, 45);
	assert_int_equal(filled, 15);
}

static void
families_of_the_market_count_vendors(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "families", root, "zh-CN");

	f->of = node_find(root, "market");
	assert_true(
	    has_text(chart_build(b->a, engine_zh, f, "zh-CN", 453, &b->d),
		"4 / 6"));
}

/* Text helpers ------------------------------------------------------------ */

static struct sketch
sketch_of(struct bench *b)
{
	struct sketch s = {.a = b->a,
	    .e = engine_zh,
	    .lang = "zh-CN",
	    .d = &b->d,
	    .ok = true};

	s.figure = fixture_figure(b->a, "dials", node_root(b->a), "zh-CN");
	s.plan = arena_alloc(b->a, 1, sizeof(*s.plan));
	s.plan->width = 400;
	str_init(&s.csv, b->a);
	return s;
}

static void
fit_cuts_with_an_ellipsis(void **state)
{
	struct sketch s = sketch_of(*state);
	const char *t = sketch_fit(&s, TYPE_LABEL, "一二三四五六七八九十", 50);

	assert_true(sketch_width(&s, TYPE_LABEL, t) <= 50);
	assert_non_null(strstr(t, "…"));
	assert_true(str_starts(t, "一二"));
	assert_string_equal(sketch_fit(&s, TYPE_LABEL, "短", 50), "短");
	assert_string_equal(sketch_fit(&s, TYPE_LABEL, "长", 1), "…");
}

static void
wrap_breaks_at_spaces_and_between_han(void **state)
{
	struct sketch s = sketch_of(*state);
	const char **l;
	int n;

	l = sketch_wrap(&s, TYPE_SMALL, "GeForce RTX 4090", 34, 4, &n);
	assert_int_equal(n, 2);
	assert_string_equal(l[0], "GeForce");
	assert_string_equal(l[1], "RTX 4090");
	l = sketch_wrap(&s, TYPE_SMALL, "一二三四，五六", 31, 4, &n);
	assert_int_equal(n, 2);
	assert_string_equal(l[0], "一二三");
	assert_string_equal(l[1], "四，五六");
}

static void
wrap_breaks_before_a_bracket(void **state)
{
	struct sketch s = sketch_of(*state);
	const char **l;
	int n;

	l = sketch_wrap(&s, TYPE_LABEL, "厂家三（安全帽与行为）", 76, 2, &n);
	assert_int_equal(n, 2);
	assert_string_equal(l[0], "厂家三");
	assert_string_equal(l[1], "（安全帽与行为）");
	l = sketch_wrap(&s, TYPE_LABEL, "Vendor 6 (CT segmentation)", 76, 2,
	    &n);
	assert_string_equal(l[0], "Vendor 6");
	assert_string_equal(l[1], "(CT segmentation)");
}

/* Two lines of two, not three and one; but no word is broken for it. */
static void
wrap_makes_even_lines(void **state)
{
	struct sketch s = sketch_of(*state);
	const char **l;
	int n;

	l = sketch_wrap(&s, TYPE_SMALL, "软件版本", 24, 2, &n);
	assert_int_equal(n, 2);
	assert_string_equal(l[0], "软件");
	assert_string_equal(l[1], "版本");
	l = sketch_wrap(&s, TYPE_SMALL, "Quadro RTX 8000", 28, 5, &n);
	assert_string_equal(l[0], "Quadro");
}

static void
wrap_keeps_to_its_lines_and_width(void **state)
{
	struct sketch s = sketch_of(*state);
	const char *text =
	    "Intelligent 视觉感知与识别技术（集团）股份有限公司 Ltd.";
	int n;

	for (double w = 12; w < 200; w += 9) {
		const char **l = sketch_wrap(&s, TYPE_LABEL, text, w, 3, &n);

		assert_in_range(n, 1, 3);
		for (int i = 0; i < n; i++)
			assert_true(
			    sketch_width(&s, TYPE_LABEL, l[i]) <= fmax(w, 9));
	}
}

static void
controls_and_endless_names_are_tamed(void **state)
{
	struct bench *b = *state;
	struct sketch s = sketch_of(b);
	char *endless = arena_alloc(b->a, 200001, 1);
	const char *t;

	memset(endless, 'x', 200000);
	t = sketch_fit(&s, TYPE_LABEL, endless, 1e6);
	assert_true(strlen(t) < 200);
	t = sketch_fit(&s, TYPE_LABEL, "a\nb\tc\x01", 200);
	assert_string_equal(t, "a b c ");
}

static void
lanes_never_let_a_line_cross_a_name(void **state)
{
	struct sketch s = sketch_of(*state);

	for (int seed = 1; seed < 60; seed++) {
		struct callout c[12];
		double x = 3;

		for (int i = 0; i < 12; i++) {
			x += (seed * 7 + i * i * 13) % 31;
			c[i] = (struct callout){fmin(x, 360),
			    i % 3 ? "一个名字" : "很长很长的一个名字",
			    TYPE_SMALL, 0};
		}
		place_lanes(&s, c, 12, 400);
		for (int i = 0; i < 12; i++)
			for (int j = 0; j < 12; j++) {
				double end =
				    c[i].x + 2 +
				    sketch_width(&s, TYPE_SMALL, c[i].text);

				if (i == j || c[j].lane < c[i].lane ||
				    c[j].x < c[i].x + 1)
					continue;
				/* j's line passes or ends at i's lane */
				assert_true(c[j].x >= end);
			}
	}
}

/* On which side of the line a lies the point? */
static double
side_of(const struct mark *a, double x, double y)
{
	return (a->points[2] - a->points[0]) * (y - a->points[1]) -
	       (a->points[3] - a->points[1]) * (x - a->points[0]);
}

static bool
lines_cross(const struct mark *a, const struct mark *b)
{
	return side_of(a, b->points[0], b->points[1]) *
		       side_of(a, b->points[2], b->points[3]) <
		   -1e-6 &&
	       side_of(b, a->points[0], a->points[1]) *
		       side_of(b, a->points[2], a->points[3]) <
		   -1e-6;
}

/* Twelve points in a heap: all named, no leader crosses leader or name. */
static void
leaders_cross_neither_leaders_nor_names(void **state)
{
	struct bench *b = *state;
	int leaders = 0;

	for (int seed = 0; seed < 40; seed++) {
		struct sketch s = sketch_of(b);
		double x[12], y[12];

		for (int i = 0; i < 12; i++) {
			x[i] = 170 + (seed * 17 + i * 31) % 53;
			y[i] = 100 + (seed * 29 + i * i * 7) % 47;
			place_take(&s, (struct extent){x[i] - 4, y[i] - 4,
					   x[i] + 4, y[i] + 4});
		}
		for (int i = 0; i < 12; i++)
			place_name(&s, TYPE_SMALL, x[i], y[i], 5,
			    arena_printf(b->a, "GeForce RTX %d", 4000 + i),
			    (struct extent){0, 0, 400, 260});
		for (int i = 0; i < s.plan->n_marks; i++) {
			const struct mark *l = &s.plan->marks[i];

			leaders += l->kind == MARK_LINE;
			for (int j = 0;
			     l->kind == MARK_LINE && j < s.plan->n_marks; j++) {
				const struct mark *o = &s.plan->marks[j];

				if (o->kind == MARK_LINE && j < i)
					assert_false(lines_cross(l, o));
			}
		}
		s.plan->height = 1000;
		check_leaders(s.plan);
		check_apart(s.plan, "names");
	}
	assert_true(leaders > 100);
}

static void
short_names_drop_the_maker(void **state)
{
	struct sketch s = sketch_of(*state);

	assert_string_equal(sketch_short_name(&s, "NVIDIA T4"), "T4");
	assert_string_equal(sketch_short_name(&s, "NVIDIA "), "NVIDIA ");
	assert_string_equal(sketch_short_name(&s,
				"NVIDIA RTX 6000 Ada Generation"),
	    "RTX 6000 Ada");
	assert_string_equal(sketch_short_name(&s, "寒武纪 MLU370"),
	    "寒武纪 MLU370");
}

/* Drawing ----------------------------------------------------------------- */

static double
darkest(cairo_surface_t *sf, int x0, int y0, int x1, int y1)
{
	unsigned char *data = cairo_image_surface_get_data(sf);
	int stride = cairo_image_surface_get_stride(sf);
	double least = 255;

	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++) {
			unsigned char *p = data + y * stride + 4 * x;

			least = fmin(least, (p[0] + p[1] + p[2]) / 3.0);
		}
	return least;
}

/* All kinds draw without an error and leave ink, and none off the chart. */
static void
plans_draw_on_cairo(void **state)
{
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p = build_usual(*state, fixture_kinds[k]);
		int w = (int)ceil(p->width), h = (int)ceil(p->height);
		cairo_surface_t *sf =
		    cairo_image_surface_create(CAIRO_FORMAT_RGB24, w + 40,
			h + 40);
		cairo_t *cr = cairo_create(sf);

		cairo_set_source_rgb(cr, 1, 1, 1);
		cairo_paint(cr);
		chart_draw(p, engine_zh, cr, 20, 20);
		assert_int_equal(cairo_status(cr), CAIRO_STATUS_SUCCESS);
		cairo_surface_flush(sf);
		assert_true(darkest(sf, 20, 20, w + 20, h + 20) < 80);
		assert_true(darkest(sf, 0, 0, w + 40, 17) > 250);
		assert_true(darkest(sf, 0, h + 23, w + 40, h + 40) > 250);
		assert_true(darkest(sf, 0, 0, 17, h + 40) > 250);
		assert_true(darkest(sf, w + 23, 0, w + 40, h + 40) > 250);
		cairo_destroy(cr);
		cairo_surface_destroy(sf);
	}
}

static void
every_character_has_a_glyph(void **state)
{
	for (int k = 0; k < FIXTURE_KINDS; k++)
		build_usual(*state, fixture_kinds[k]);
	assert_true(text_engine_complete(engine_zh));
	assert_true(text_engine_complete(engine_en));
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    T(one_vendor_fits),
	    T(usual_projects_fit),
	    T(long_names_fit),
	    T(many_vendors_fit),
	    T(narrow_and_wide_fit),
	    T(extreme_values_fit),
	    T(equal_values_fit),
	    T(all_text_is_of_seven_and_a_half_to_nine_points),
	    T(title_and_description_come_from_the_figure),
	    T(same_input_same_plan),
	    T(unknown_kind_is_reported_with_the_nearest),
	    T(missing_data_is_reported_for_every_kind),
	    T(hollow_data_is_reported_for_every_kind),
	    T(missing_label_is_reported_once),
	    T(own_labels_go_first),
	    T(names_follow_the_language),
	    T(of_may_lie_deeper),
	    T(no_sentence_stands_in_the_code),
	    T(every_kind_has_its_data_file),
	    T(data_fields_are_quoted),
	    T(matrix_tells_states_apart_by_marks),
	    T(matrix_names_the_gate_that_fails),
	    T(matrix_falls_back_to_letters),
	    T(matrix_says_how_many_rows_are_left_out),
	    T(matrix_keeps_asked_and_planned_columns),
	    T(matrix_says_that_only_the_first_gate_is_named),
	    T(matrix_breaks_no_word_of_a_heading),
	    T(dials_multiply_to_the_total),
	    T(dials_below_one_are_hatched),
	    T(dials_all_has_a_row_per_vendor),
	    T(dials_all_skips_vendors_without_figures),
	    T(dials_all_has_the_same_decades_in_all_panels),
	    T(dials_all_lines_up_the_factors),
	    T(roofline_names_roofs_ridge_and_stages),
	    T(roofline_draws_both_accumulate_types),
	    T(roofline_writes_what_binds_at_the_point),
	    T(roofline_name_keeps_off_points_on_the_roof),
	    T(roofline_points_stay_below_the_roof),
	    T(roofline_names_keep_off_dotted_lines),
	    T(gauges_hatch_what_is_over_the_limit),
	    T(gauges_cross_out_too_few_cards),
	    T(gauges_begin_with_the_gate_that_decides),
	    T(gauges_dim_cards_that_fail_at_a_gate),
	    T(gauges_show_memory_when_no_load_is_known),
	    T(gauges_do_not_make_up_a_number_of_cards),
	    T(gauges_do_without_words_for_gates),
	    T(memory_shows_cards_and_statements),
	    T(memory_keeps_cards_far_above_the_need),
	    T(memory_says_what_is_too_small),
	    T(memory_cuts_no_name),
	    T(market_names_the_projects_cards_only),
	    T(market_leaders_cross_nothing),
	    T(market_tells_makers_apart),
	    T(plan_outlines_spare_cards),
	    T(plan_shades_what_is_above_the_allowed_load),
	    T(what_if_shows_every_case),
	    T(plan_marks_vendors_without_figures),
	    T(cpu_gpu_says_where_it_is_logarithmic),
	    T(cpu_gpu_puts_the_ratio_beside_the_larger),
	    T(cpu_gpu_claims_nothing_for_equals),
	    T(cpu_gpu_linear_bars_are_in_proportion),
	    T(families_draw_a_dot_per_model),
	    T(families_of_the_market_count_vendors),
	    T(fit_cuts_with_an_ellipsis),
	    T(wrap_breaks_at_spaces_and_between_han),
	    T(wrap_breaks_before_a_bracket),
	    T(wrap_makes_even_lines),
	    T(wrap_keeps_to_its_lines_and_width),
	    T(controls_and_endless_names_are_tamed),
	    T(lanes_never_let_a_line_cross_a_name),
	    T(leaders_cross_neither_leaders_nor_names),
	    T(short_names_drop_the_maker),
	    T(plans_draw_on_cairo),
	    T(every_character_has_a_glyph),
	};

	return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
