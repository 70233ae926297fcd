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
	struct chart_plan *p = chart_build(b->a, str_starts(lang, "en") ?
	    engine_en : engine_zh, f, lang, width, &b->d);

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
			    ny * (b->y[k] - a->y[i]) >= -1e-6;
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
	    "%.1f %.1f", what, m->kind, m->text ? m->text : "", x, y,
	    p->width, p->height);
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
		struct chart_plan *p = build(b, fixture_kinds[k], z, lang,
		    width);
		const char *what = arena_printf(b->a, "%s %s %.0f, %d x %d, "
		    "stretch %.0f", fixture_kinds[k], lang, width, z.vendors,
		    z.cards, z.stretch);

		assert_true(p->height > 10 && p->height < 720);
		check_inside(p, what);
		check_apart(p, what);
	}
}

static void
one_vendor_fits(void **state)
{
	check_size(*state, (struct fixture_size){1, 1, false, 1}, "zh-CN",
	    453);
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
	check_size(*state, (struct fixture_size){7, 11, true, 1}, "zh-CN",
	    453);
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
	check_size(*state, (struct fixture_size){6, 8, false, 3}, "zh-CN",
	    453);
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
	check_size(*state, (struct fixture_size){6, 8, false, 0}, "zh-CN",
	    453);
}

/* General ----------------------------------------------------------------- */

static void
no_text_is_below_seven_points(void **state)
{
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct chart_plan *p = build_usual(*state, fixture_kinds[k]);

		for (int i = 0; i < p->n_marks; i++)
			if (p->marks[i].kind == MARK_TEXT)
				assert_true(p->marks[i].style.size_pt >= 7);
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
		struct block *f = fixture_figure(b->a, fixture_kinds[k], root,
		    "zh-CN");
		int before = b->d.n_errors;

		f->of = root;
		assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453,
		    &b->d));
		assert_true(b->d.n_errors > before);
		assert_string_equal(b->d.problems[before].id, "chart-data");
		f->of = NULL;
		assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453,
		    &b->d));
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
		struct block *f = fixture_figure(b->a, fixture_kinds[k], root,
		    "zh-CN");

		f->of = root;
		assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453,
		    &b->d));
	}
	root = node_root(b->a);
	v = node_item(b->a, node_list(b->a, root, "vendors"));
	node_text(b->a, v, "roofline", "x");
	node_number(b->a, v, "dials", NAN, UNIT_NONE);
	node_flag(b->a, v, "memory", true);
	node_text(b->a, v, "requested", "x");
	node_list(b->a, v, "families");
	for (int k = 0; k < FIXTURE_KINDS; k++) {
		struct block *f = fixture_figure(b->a, fixture_kinds[k], root,
		    "zh-CN");

		f->of = v;
		assert_null(chart_build(b->a, engine_zh, f, "zh-CN", 453,
		    &b->d));
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
	assert_true(has_text(chart_build(b->a, engine_zh, f, "zh-CN", 453,
	    &b->d), "车牌通"));
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
		struct block *f = fixture_figure(b->a, fixture_kinds[k], root,
		    "en");
		struct label *l = arena_alloc(b->a, FIXTURE_LABELS,
		    sizeof(*l));
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
					assert_false(strlen(
					    fixture_labels_en[j].text) > 12 &&
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
	    "family,passing,total"};

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
	assert_true(fabs(bars[3]->x + bars[3]->w - bars[4]->x - bars[4]->w) <
	    0.01);
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

	assert_true(has_text(p, "算力上限 65 TFLOPS"));
	assert_true(has_text(p, "显存带宽上限 320 GB/s"));
	assert_true(has_text(p, "203 FLOP/B"));
	assert_true(has_text(p, "scrfd-10g  55 %"));
	assert_true(has_text(p, "底库检索  12.5 %"));
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

static void
gauges_hatch_what_is_over_the_limit(void **state)
{
	struct bench *b = *state;
	struct node *root = fixture_results(b->a, usual);
	struct block *f = fixture_figure(b->a, "gauges", root, "zh-CN");
	struct chart_plan *p = chart_build(b->a, engine_zh, f, "zh-CN", 453,
	    &b->d);
	int hatched = 0;

	/* smallest: load 1.62 x 1.3 = 2.106 on 3 cards at 0.7 = 2.1 */
	for (int i = 0; i < p->n_marks; i++)
		hatched += p->marks[i].hatch == HATCH_DIAGONAL;
	assert_int_equal(hatched, 2); /* the bar and its key */
	assert_true(has_text(p, "2.11 / 2.10"));
	assert_true(has_text(p, "1.62 / 2.80"));
	assert_true(has_text(p, "T4 × 4"));
}

static void
memory_shows_cards_and_statements(void **state)
{
	struct chart_plan *p = build_usual(*state, "memory");
	bool card = false;

	for (int i = 0; i < p->n_marks; i++)
		card |= p->marks[i].kind == MARK_TEXT &&
		    str_starts(p->marks[i].text, "16 GiB  T4");
	assert_true(card);
	assert_true(has_text(p, "4 GB  厂家声明的最低值"));
	/* 0.12 + 1.4 + 0.9 + 1.1 + 0.5 + 0.08 + 0.6 */
	assert_true(has_text(p, "4.70 GiB"));
}

static void
market_names_the_projects_cards_only(void **state)
{
	struct chart_plan *p = build_usual(*state, "market");

	assert_true(has_text(p, "L4"));
	assert_true(has_text(p, "T4"));
	assert_false(has_text(p, "A2"));
}

static void
plan_outlines_spare_cards(void **state)
{
	struct chart_plan *p = build_usual(*state, "plan");
	int dashed = 0;

	for (int i = 0; i < p->n_marks; i++)
		dashed += p->marks[i].kind == MARK_RECT &&
		    p->marks[i].dash > 0;
	assert_int_equal(dashed, 3); /* one a pool, one in the key */
	assert_true(has_text(p, "L4 × 7 + 1"));
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
	assert_true(has_text(chart_build(b->a, engine_zh, f, "zh-CN", 453,
	    &b->d), "4 / 6"));
}

/* Text helpers ------------------------------------------------------------ */

static struct sketch
sketch_of(struct bench *b)
{
	struct sketch s = {.a = b->a, .e = engine_zh, .lang = "zh-CN",
	    .d = &b->d, .ok = true};

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
	l = sketch_wrap(&s, TYPE_SMALL, "一二三四，五六", 29, 4, &n);
	assert_int_equal(n, 2);
	assert_string_equal(l[0], "一二三");
	assert_string_equal(l[1], "四，五六");
}

static void
wrap_keeps_to_its_lines_and_width(void **state)
{
	struct sketch s = sketch_of(*state);
	const char *text = "Intelligent 视觉感知与识别技术（集团）股份有限公司 Ltd.";
	int n;

	for (double w = 12; w < 200; w += 9) {
		const char **l = sketch_wrap(&s, TYPE_LABEL, text, w, 3, &n);

		assert_in_range(n, 1, 3);
		for (int i = 0; i < n; i++)
			assert_true(sketch_width(&s, TYPE_LABEL, l[i]) <=
			    fmax(w, 9));
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
				double end = c[i].x + 2 + sketch_width(&s,
				    TYPE_SMALL, c[i].text);

				if (i == j || c[j].lane < c[i].lane ||
				    c[j].x < c[i].x + 1)
					continue;
				/* j's line passes or ends at i's lane */
				assert_true(c[j].x >= end);
			}
	}
}

static void
short_names_drop_the_maker(void **state)
{
	struct sketch s = sketch_of(*state);

	assert_string_equal(sketch_short_name(&s, "NVIDIA T4"), "T4");
	assert_string_equal(sketch_short_name(&s, "NVIDIA "), "NVIDIA ");
	assert_string_equal(sketch_short_name(&s,
	    "NVIDIA RTX 6000 Ada Generation"), "RTX 6000 Ada");
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
		cairo_surface_t *sf = cairo_image_surface_create(
		    CAIRO_FORMAT_RGB24, w + 40, h + 40);
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
		T(no_text_is_below_seven_points),
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
		T(dials_multiply_to_the_total),
		T(dials_below_one_are_hatched),
		T(dials_all_has_a_row_per_vendor),
		T(dials_all_skips_vendors_without_figures),
		T(roofline_names_roofs_ridge_and_stages),
		T(roofline_points_stay_below_the_roof),
		T(gauges_hatch_what_is_over_the_limit),
		T(memory_shows_cards_and_statements),
		T(market_names_the_projects_cards_only),
		T(plan_outlines_spare_cards),
		T(cpu_gpu_says_where_it_is_logarithmic),
		T(cpu_gpu_linear_bars_are_in_proportion),
		T(families_draw_a_dot_per_model),
		T(families_of_the_market_count_vendors),
		T(fit_cuts_with_an_ellipsis),
		T(wrap_breaks_at_spaces_and_between_han),
		T(wrap_keeps_to_its_lines_and_width),
		T(controls_and_endless_names_are_tamed),
		T(lanes_never_let_a_line_cross_a_name),
		T(short_names_drop_the_maker),
		T(plans_draw_on_cairo),
		T(every_character_has_a_glyph),
	};

	return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
