/*
 * The four dials: for one vendor as a waterfall from the project's geometric
 * mean to the vendor's ratio; for all vendors as a table of factors with a
 * small log plot beside each.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

/* What a log scale of factors shows at most; more is drawn at the edge. */
#define FACTOR_MIN 1e-9
#define FACTOR_MAX 1e9

enum { MAX_DIALS = 8 };

struct dial {
	const char *id, *label, *value;
	double factor;
};

static double
bounded(double factor)
{
	return fmin(fmax(factor, FACTOR_MIN), FACTOR_MAX);
}

/* A bare number beside a dial would not say what it counts. */
static bool
has_unit(const char *text)
{
	for (; text && *text; text++)
		if ((*text >= 'A' && *text <= 'Z') ||
		    (*text >= 'a' && *text <= 'z') || (*text & 0x80))
			return true;
	return false;
}

/* The dials of a vendor with a factor that can be drawn. */
static int
read_dials(struct sketch *s, const struct node *vendor, struct dial *out)
{
	const struct node *list = node_find(vendor, "dials");
	bool units = true;
	int n = 0;

	if (!list || list->kind != NODE_LIST)
		return 0;
	for (const struct node *i = list->first; i && n < MAX_DIALS;
	     i = i->next) {
		struct dial *d = &out[n];

		d->id = node_string(i, "id", "");
		d->value = sketch_text_of(s, i, "value_text", NULL);
		units &= has_unit(d->value);
		if (*d->id && sketch_positive(i, "factor", &d->factor))
			n++;
	}
	for (int i = 0; i < n && !units; i++)
		out[i].value = NULL;
	return n;
}

/* One vendor ---------------------------------------------------------------*/

struct waterfall {
	struct scale x;
	double number_x; /* right edge of the factor column */
	double top;
	double row;
};

static void
waterfall_row(struct sketch *s, const struct waterfall *w, int i,
    enum type type, const char *label, const char *value, const char *factor)
{
	double mid = w->top + w->row * (i + 0.5);
	double limit = w->number_x - 44;

	if (value) {
		sketch_text(s, type, 0, sketch_baseline(type, mid - 5), 0,
		    sketch_fit(s, type, label, limit));
		sketch_text(s, TYPE_NOTE, 0,
		    sketch_baseline(TYPE_NOTE, mid + 5), 0,
		    sketch_fit(s, TYPE_NOTE, value, limit));
	} else {
		sketch_text(s, type, 0, sketch_baseline(type, mid), 0,
		    sketch_fit(s, type, label, limit));
	}
	sketch_text(s, type, w->number_x, sketch_baseline(type, mid), 1,
	    factor);
}

static void
waterfall_bar(struct sketch *s, const struct waterfall *w, int i, double from,
    double to, struct paint p)
{
	double x0 = scale_clamped(&w->x, from), x1 = scale_clamped(&w->x, to);
	double h = fmin(w->row - 6, 14);
	double y = w->top + w->row * (i + 0.5) - h / 2;

	sketch_rect(s, fmin(x0, x1), y, fmax(fabs(x1 - x0), 0.8), h, p);
}

static void
draw_waterfall(struct sketch *s, const struct waterfall *w,
    const struct dial *dials, int n, const char *start, const char *name,
    double ratio)
{
	static const struct paint up = {.fill = INK_BLUE},
				  down = {.fill = INK_PALE,
				      .stroke = INK_BLUE,
				      .hatch = HATCH_DIAGONAL},
				  total = {.fill = INK_NAVY};
	static const struct paint thread = {.stroke = INK_RULE,
	    .line_width = 0.5};
	double at = 1;

	for (int i = 0; i <= n; i++) {
		double x = scale_clamped(&w->x, at);

		sketch_line(s, x, w->top + w->row * (i + 0.5), x,
		    w->top + w->row * (i + 1.5), thread);
		if (i < n)
			at = bounded(at * bounded(dials[i].factor));
	}
	at = 1;
	for (int i = 0; i < n; i++) {
		double next = bounded(at * bounded(dials[i].factor));

		waterfall_bar(s, w, i + 1, at, next, next < at ? down : up);
		at = next;
	}
	waterfall_bar(s, w, n + 1, 1, bounded(ratio), total);
	sketch_circle(s, scale_at(&w->x, 1), w->top + w->row / 2, 2.6,
	    (struct paint){.fill = INK_NAVY});
	waterfall_row(s, w, 0, TYPE_LABEL, start, NULL,
	    quantity_times(s->a, 1));
	for (int i = 0; i < n; i++)
		waterfall_row(s, w, i + 1, TYPE_LABEL, dials[i].label,
		    dials[i].value, quantity_times(s->a, dials[i].factor));
	waterfall_row(s, w, n + 1, TYPE_STRONG, name, NULL,
	    quantity_times(s->a, ratio));
}

static struct scale
waterfall_scale(const struct dial *dials, int n, double ratio, double from,
    double to)
{
	double lo = fmin(1, bounded(ratio)), hi = fmax(1, bounded(ratio));
	double at = 1;

	for (int i = 0; i < n; i++) {
		at = bounded(at * bounded(dials[i].factor));
		lo = fmin(lo, at);
		hi = fmax(hi, at);
	}
	return scale_nice(scale_log(fmin(lo, 0.8), fmax(hi, 1.25), from, to),
	    6);
}

void
kind_dials(struct sketch *s)
{
	const struct node *v = sketch_vendor(s);
	const char *name = sketch_text_of(s, v, "name", "");
	const char *start = sketch_label(s, "start");
	struct dial dials[MAX_DIALS];
	struct waterfall w = {.top = 2, .row = 19};
	double ratio, names, base;
	int n = read_dials(s, v, dials);

	if (n == 0 || !sketch_positive(v, "ratio", &ratio)) {
		sketch_no_data(s, n == 0 ? "dials" : "ratio");
		return;
	}
	SKETCH_CSV(s, "dial", "factor", "value");
	names = fmax(sketch_width(s, TYPE_LABEL, start),
	    sketch_width(s, TYPE_STRONG, name));
	for (int i = 0; i < n; i++) {
		dials[i].label = sketch_label_id(s, "dial", dials[i].id);
		names =
		    fmax(names, sketch_width(s, TYPE_LABEL, dials[i].label));
		if (dials[i].value) {
			names = fmax(names,
			    sketch_width(s, TYPE_NOTE, dials[i].value));
			w.row = 24;
		}
		SKETCH_CSV(s, dials[i].id, num_exact(s->a, dials[i].factor),
		    dials[i].value);
	}
	SKETCH_CSV(s, "ratio", num_exact(s->a, ratio), NULL);
	w.number_x = fmin(names, 0.36 * s->plan->width) + 48;
	w.x = waterfall_scale(dials, n, ratio, w.number_x + 14,
	    s->plan->width - 8);
	base = w.top + w.row * (n + 2);
	s->plan->height = axis_below(s,
	    &(struct axis){&w.x, quantity_tick_times, 7, sketch_label(s, "x")},
	    w.top, base);
	sketch_line(s, scale_at(&w.x, 1), w.top, scale_at(&w.x, 1), base,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.8});
	sketch_line(s, 0, base - w.row, s->plan->width, base - w.row,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.5});
	draw_waterfall(s, &w, dials, n, start, name, ratio);
}

/* All vendors ------------------------------------------------------------- */

struct dial_row {
	const char *id, *name, **lines;
	int n_lines;
	double ratio;              /* 0: none */
	double factors[MAX_DIALS]; /* in the columns' order; 0: none */
};

struct dial_table {
	const char *ids[MAX_DIALS];
	int n_ids;
	struct dial_row *rows;
	int n_rows, n_shown;
	bool two; /* some names take two lines */
	/* the same decades for all, whole ones, so that lengths compare */
	struct domain {
		double lo, hi;
	} domain;
	double row;
	bool stacked; /* factors stand over the marks, not beside them */
};

static void
widen(struct domain *d, double factor)
{
	d->lo = fmin(d->lo, bounded(factor));
	d->hi = fmax(d->hi, bounded(factor));
}

static int
column_of(struct dial_table *t, const char *id)
{
	for (int i = 0; i < t->n_ids; i++)
		if (str_equal(t->ids[i], id))
			return i;
	if (t->n_ids == MAX_DIALS)
		return -1;
	t->ids[t->n_ids] = id;
	return t->n_ids++;
}

static void
read_dial_row(struct sketch *s, const struct node *vendor, struct dial_table *t)
{
	struct dial dials[MAX_DIALS];
	int n = read_dials(s, vendor, dials);
	struct dial_row *r;

	if (n == 0)
		return;
	r = arena_push(s->a, &t->rows, &t->n_rows, sizeof(*r));
	r->id = node_string(vendor, "id", "");
	r->name = sketch_text_of(s, vendor, "name", r->id);
	if (sketch_positive(vendor, "ratio", &r->ratio))
		widen(&t->domain, r->ratio);
	for (int i = 0; i < n; i++) {
		int c = column_of(t, dials[i].id);

		if (c >= 0) {
			r->factors[c] = dials[i].factor;
			widen(&t->domain, dials[i].factor);
		}
	}
}

static void
dial_table_csv(struct sketch *s, const struct dial_table *t)
{
	const char *fields[MAX_DIALS + 2] = {"vendor", "ratio"};

	for (int c = 0; c < t->n_ids; c++)
		fields[c + 2] = t->ids[c];
	sketch_csv(s, fields, t->n_ids + 2);
	for (int i = 0; i < t->n_rows; i++) {
		const struct dial_row *r = &t->rows[i];

		fields[0] = r->id;
		fields[1] = r->ratio > 0 ? num_exact(s->a, r->ratio) : NULL;
		for (int c = 0; c < t->n_ids; c++)
			fields[c + 2] = r->factors[c] > 0
					    ? num_exact(s->a, r->factors[c])
					    : NULL;
		sketch_csv(s, fields, t->n_ids + 2);
	}
}

/* The middle of the mark of a row. */
static double
mark_y(const struct dial_table *t, int row, double top)
{
	return top + t->row * (row + (t->stacked ? 0.72 : 0.5));
}

/* Hairlines at the decades, behind the marks but not behind the numbers. */
static void
column_grid(struct sketch *s, const struct dial_table *t, const struct scale *x,
    double top)
{
	int first = (int)floor(log10(x->lo) + 0.5);
	int last = (int)floor(log10(x->hi) + 0.5);
	double half = t->stacked ? 0.28 * t->row : 0.5 * t->row;

	for (int e = first; e <= last; e++) {
		double at = scale_at(x, pow(10, e));

		for (int i = 0; i < t->n_shown; i++)
			sketch_line(s, at, mark_y(t, i, top) - half, at,
			    mark_y(t, i, top) + half,
			    (struct paint){.stroke =
					       e == 0 ? INK_QUIET : INK_GRID,
				.line_width = e == 0 ? 0.8 : 0.5});
	}
}

/*
 * Labels of the decades from 1x outwards, those that keep clear of the
 * others and stay between `left` and `right`.
 */
static double
column_axis(struct sketch *s, const struct scale *x, double left, double right,
    double base)
{
	double y = base + 2 + palette_type(TYPE_NOTE).size_pt;
	double lo = scale_at(x, 1), hi = lo;
	int last = (int)floor(fmax(log10(x->hi), -log10(x->lo)) + 0.5);

	for (int k = 0; k <= 2 * last; k++) {
		double v = pow(10, k % 2 ? -(k + 1) / 2 : k / 2), at, w;
		const char *text = k == 0 ? "1×" : quantity_tick(s->a, v);

		at = scale_at(x, v);
		w = sketch_width(s, TYPE_NOTE, text) / 2;
		if (v < x->lo * 0.99 || v > x->hi * 1.01 || at - w < left ||
		    at + w > right ||
		    (k > 0 && (k % 2 ? at + w + 2.5 > lo : at - w - 2.5 < hi)))
			continue;
		sketch_text(s, TYPE_NOTE, at, y, 0.5, text);
		lo = fmin(lo, at - w);
		hi = fmax(hi, at + w);
	}
	return y + 3;
}

static double
factor_of(const struct dial_table *t, int row, int c)
{
	return c < 0 ? t->rows[row].ratio : t->rows[row].factors[c];
}

/* Lollipops from 1x: filled above it, hollow below. */
static void
draw_lollipops(struct sketch *s, const struct dial_table *t, int c,
    const struct scale *x, double top)
{
	static const struct {
		struct paint stem, head;
	} looks[] = {
	    {{.stroke = INK_SKY, .line_width = 2.6},
		{.fill = INK_PAPER, .stroke = INK_BLUE, .line_width = 1.3}},
	    {{.stroke = INK_NAVY, .line_width = 2.6},
		{.fill = INK_NAVY, .stroke = INK_NAVY, .line_width = 1.3}},
	};

	for (int pass = 0; pass < 4; pass++)
		for (int i = 0; i < t->n_shown; i++) {
			double f = factor_of(t, i, c), mid = mark_y(t, i, top);
			int up = f >= 1;

			if (!(f > 0) || up != pass / 2)
				continue;
			if (pass % 2 == 0)
				sketch_line(s, scale_at(x, 1), mid,
				    scale_clamped(x, f), mid, looks[up].stem);
			else
				sketch_circle(s, scale_clamped(x, f), mid, 3.2,
				    looks[up].head);
		}
}

/* The width of a number up to its point. */
static double
whole_width(struct sketch *s, enum type t, const char *text)
{
	size_t n = strcspn(text, ".\xc3"); /* the point, or the sign × */

	return sketch_width(s, t, arena_strndup(s->a, text, n));
}

/* How far numbers reach to both sides of their points. */
struct reach {
	double before, after;
};

static struct reach
factors_reach(struct sketch *s, const struct dial_table *t, int c)
{
	struct reach r = {0, 20};

	for (int i = 0; i < t->n_shown; i++) {
		const char *text = quantity_times(s->a, factor_of(t, i, c));
		double w = whole_width(s, TYPE_STRONG, text);

		if (!(factor_of(t, i, c) > 0))
			continue;
		r.before = fmax(r.before, w);
		r.after = fmax(r.after, sketch_width(s, TYPE_STRONG, text) - w);
	}
	return r;
}

/* Numbers with their points under each other, if the column has the room. */
static void
draw_factors(struct sketch *s, const struct dial_table *t, int c, double x,
    double room, double top)
{
	enum type type = c < 0 ? TYPE_STRONG : TYPE_LABEL;
	struct reach r = factors_reach(s, t, c);
	bool in_line = r.before + r.after <= room;

	for (int i = 0; i < t->n_shown; i++) {
		const char *text = quantity_times(s->a, factor_of(t, i, c));
		double mid = top + t->row * (i + (t->stacked ? 0.3 : 0.5));

		if (factor_of(t, i, c) > 0)
			sketch_text(s, type,
			    in_line ? x + r.before - whole_width(s, type, text)
				    : x,
			    sketch_baseline(type, mid), 0, text);
	}
}

/* A column: marks on their scale, and the numbers over or beside them. */
static double
dial_column(struct sketch *s, const struct dial_table *t, int c, double x0,
    double x1, double top)
{
	struct reach r = factors_reach(s, t, c);
	double numbers = fmin(r.before + r.after + 4, 0.6 * (x1 - x0));
	double beside = t->stacked ? 0 : numbers + 2, bottom;
	struct scale x =
	    scale_log(t->domain.lo, t->domain.hi, x0 + 5, x1 - beside - 9);

	column_grid(s, t, &x, top);
	bottom =
	    column_axis(s, &x, x0 - 1, x.to + 6.5, top + t->row * t->n_shown);
	draw_lollipops(s, t, c, &x, top);
	draw_factors(s, t, c, t->stacked ? x0 : x1 - numbers,
	    t->stacked ? x1 - x0 - 4 : numbers, top);
	return bottom;
}

/* Headings in as many lines as they need; returns their height. */
static double
draw_headings(struct sketch *s, const struct dial_table *t, double names,
    double step)
{
	double lead = sketch_leading(TYPE_STRONG);
	int n[MAX_DIALS + 1], most = 1;
	const char **lines[MAX_DIALS + 1];

	for (int c = 0; c <= t->n_ids; c++) {
		lines[c] = sketch_wrap(s, TYPE_STRONG,
		    c == 0 ? sketch_label(s, "ratio")
			   : sketch_label_id(s, "dial", t->ids[c - 1]),
		    step - 9, 3, &n[c]);
		most = n[c] > most ? n[c] : most;
	}
	for (int c = 0; c <= t->n_ids; c++)
		sketch_lines(s, TYPE_STRONG, names + step * c,
		    8 + lead * (most - n[c]), 0, lines[c], n[c]);
	return 8 + lead * (most - 1) + 6;
}

/* Names in two lines when there are few; returns the width of the column. */
static double
name_dial_rows(struct sketch *s, struct dial_table *t)
{
	double widest = 0, room = 0.24 * s->plan->width;
	int max = t->n_rows <= 14 ? 2 : 1;

	for (int i = 0; i < t->n_rows; i++)
		widest =
		    fmax(widest, sketch_width(s, TYPE_LABEL, t->rows[i].name));
	if (max == 2 && widest > 0.16 * s->plan->width)
		room = 0.16 * s->plan->width;
	room = fmin(widest, room);
	for (int i = 0; i < t->n_rows; i++) {
		struct dial_row *r = &t->rows[i];

		r->lines =
		    sketch_wrap(s, TYPE_LABEL, r->name, room, max, &r->n_lines);
		t->two |= r->n_lines > 1;
	}
	return room;
}

static void
draw_dial_rows(struct sketch *s, const struct dial_table *t, double top,
    double row)
{
	double lead = sketch_leading(TYPE_LABEL);

	for (int i = 0; i <= t->n_shown; i++)
		sketch_line(s, 0, top + row * i, s->plan->width, top + row * i,
		    (struct paint){.stroke =
				       i % t->n_shown ? INK_GRID : INK_RULE,
			.line_width = 0.5});
	for (int i = 0; i < t->n_shown; i++) {
		const struct dial_row *r = &t->rows[i];

		sketch_lines(s, TYPE_LABEL, 0,
		    sketch_baseline(TYPE_LABEL, top + row * (i + 0.5)) -
			lead * (r->n_lines - 1) / 2,
		    0, r->lines, r->n_lines);
	}
}

/* Whole decades, a tenth to ten at least, so that three have a label. */
static void
round_domain(struct domain *d)
{
	d->lo = pow(10, floor(log10(fmin(d->lo, 0.1)) + 1e-9));
	d->hi = pow(10, ceil(log10(fmax(d->hi, 10)) - 1e-9));
}

static bool
read_dial_table(struct sketch *s, struct dial_table *t)
{
	const struct node *list = sketch_need(s, sketch_root(s), "vendors");

	for (const struct node *v = list ? list->first : NULL; v; v = v->next)
		read_dial_row(s, v, t);
	if (t->n_rows == 0 && list)
		sketch_no_data(s, "vendors.dials");
	return t->n_rows > 0;
}

void
kind_dials_all(struct sketch *s)
{
	struct dial_table t = {.domain = {1, 1}};
	double names, top, step, bottom = 0;

	if (!read_dial_table(s, &t))
		return;
	round_domain(&t.domain);
	dial_table_csv(s, &t);
	names = name_dial_rows(s, &t) + 10;
	t.stacked = t.n_rows <= 14;
	t.row = t.stacked ? 28 : t.n_rows > 20 ? 13.5 : 17;
	step = (s->plan->width - names) / (t.n_ids + 1);
	top = draw_headings(s, &t, names, step);
	t.n_shown = (int)fmin(t.n_rows, (CHART_MAX_HEIGHT - top - 40) / t.row);
	draw_dial_rows(s, &t, top, t.row);
	for (int c = -1; c < t.n_ids; c++) {
		double x0 = names + step * (c + 1);

		bottom = dial_column(s, &t, c, x0, x0 + step, top);
	}
	if (t.n_shown < t.n_rows)
		sketch_text(s, TYPE_NOTE, 0, bottom - 3, 0,
		    arena_printf(s->a, "… +%d", t.n_rows - t.n_shown));
	s->plan->height = sketch_note(s, bottom + 2, sketch_label(s, "x"));
}
