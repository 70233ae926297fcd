#include "chart/sketch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"

/* Words and data ---------------------------------------------------------- */

static struct pos
nowhere(void)
{
	return (struct pos){NULL, 0, 0};
}

static const char *
own_name(struct sketch *s, const char *name)
{
	return arena_printf(s->a, "chart.%s.%s", s->figure->chart, name);
}

const char *
sketch_label_or_null(struct sketch *s, const char *name)
{
	const char *text = block_label(s->figure, own_name(s, name), NULL);

	return text ? text : block_label(s->figure, name, NULL);
}

const char *
sketch_label(struct sketch *s, const char *name)
{
	const char *text = sketch_label_or_null(s, name);
	const char *own = own_name(s, name);

	if (text)
		return text;
	s->ok = false;
	for (int i = 0; i < s->d->n; i++)
		if (str_equal(s->d->problems[i].id, "chart-label") &&
		    strstr(s->d->problems[i].text, own))
			return "";
	diag_error(s->d, nowhere(), "chart-label",
	    "the chart '%s' needs the label '%s' or '%s'", s->figure->chart,
	    own, name);
	return "";
}

const char *
sketch_label_id(struct sketch *s, const char *stem, const char *id)
{
	return sketch_label(s, arena_printf(s->a, "%s.%s", stem, id));
}

const char *
sketch_text_of(struct sketch *s, const struct node *n, const char *path,
    const char *missing)
{
	const struct node *t = n && path ? node_find(n, path) : n;

	if (!t || t->kind != NODE_TEXT)
		return missing;
	if (str_starts(s->lang, "en") && t->text_en)
		return t->text_en;
	return t->text ? t->text : missing;
}

const char *
sketch_short_name(struct sketch *s, const char *name)
{
	static const char *const makers[] = {"NVIDIA ", "AMD ", "Intel ",
	    "Huawei "};
	static const char tail[] = " Generation";
	size_t n;

	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++)
		if (str_starts(name, makers[i]) &&
		    name[strlen(makers[i])] != '\0') {
			name += strlen(makers[i]);
			break;
		}
	n = strlen(name);
	if (n >= sizeof(tail) && str_equal(name + n - strlen(tail), tail))
		return arena_strndup(s->a, name, n - strlen(tail));
	return name;
}

const struct node *
sketch_root(const struct sketch *s)
{
	const struct node *n = s->figure->of;

	while (n && n->parent)
		n = n->parent;
	return n;
}

const struct node *
sketch_vendor(const struct sketch *s)
{
	const struct node *n = s->figure->of;

	while (n && n->parent &&
	       !(n->parent->kind == NODE_LIST &&
		   str_equal(n->parent->name, "vendors")))
		n = n->parent;
	return n && n->parent ? n : s->figure->of;
}

void
sketch_no_data(struct sketch *s, const char *what)
{
	s->ok = false;
	diag_error(s->d, nowhere(), "chart-data",
	    "the chart '%s' has nothing to draw: no usable '%s'",
	    s->figure->chart, what);
}

const struct node *
sketch_need(struct sketch *s, const struct node *from, const char *path)
{
	const struct node *n = from ? node_find(from, path) : NULL;

	if (n && (n->kind == NODE_LIST || n->kind == NODE_GROUP) && n->n > 0)
		return n;
	sketch_no_data(s, path);
	return NULL;
}

bool
sketch_amount(const struct node *from, const char *path, double *v)
{
	const struct node *n = from ? node_find(from, path) : NULL;

	if (!n || n->kind != NODE_NUMBER || !isfinite(n->number) ||
	    n->number < 0)
		return false;
	*v = n->number;
	return true;
}

bool
sketch_positive(const struct node *from, const char *path, double *v)
{
	double x;

	if (!sketch_amount(from, path, &x) || x <= 0)
		return false;
	*v = x;
	return true;
}

bool
sketch_flag(const struct node *from, const char *path)
{
	const struct node *n = from ? node_find(from, path) : NULL;

	return n && n->kind == NODE_FLAG && n->flag;
}

void
sketch_csv(struct sketch *s, const char *const *fields, int n)
{
	for (int i = 0; i < n; i++) {
		const char *f = fields[i] ? fields[i] : "";

		if (i > 0)
			str_addc(&s->csv, ',');
		if (!strpbrk(f, ",\"\r\n")) {
			str_add(&s->csv, f);
			continue;
		}
		str_addc(&s->csv, '"');
		for (; *f; f++) {
			if (*f == '"')
				str_addc(&s->csv, '"');
			str_addc(&s->csv, *f);
		}
		str_addc(&s->csv, '"');
	}
	str_add(&s->csv, "\r\n");
}

/* Shapes ------------------------------------------------------------------ */

static struct mark *
add_mark(struct sketch *s, enum mark_kind kind, struct paint p)
{
	struct chart_plan *plan = s->plan;
	struct mark *m =
	    arena_push(s->a, &plan->marks, &plan->n_marks, sizeof(*m));

	m->kind = kind;
	m->filled = p.fill != INK_NONE;
	m->fill = palette_rgb(p.fill);
	m->stroked = p.stroke != INK_NONE && !p.no_outline;
	m->stroke = palette_rgb(p.stroke);
	m->line_width = p.line_width > 0 ? p.line_width : 0.6;
	m->dash = p.dash;
	m->hatch = p.hatch;
	return m;
}

void
sketch_rect(struct sketch *s, double x, double y, double w, double h,
    struct paint p)
{
	struct mark *m = add_mark(s, MARK_RECT, p);

	assert(isfinite(x) && isfinite(y) && w >= 0 && h >= 0);
	m->x = x;
	m->y = y;
	m->w = w;
	m->h = h;
}

static void
set_points(struct sketch *s, struct mark *m, const double *points, int n)
{
	m->points = arena_alloc(s->a, 2 * (size_t)n, sizeof(double));
	memcpy(m->points, points, 2 * (size_t)n * sizeof(double));
	m->n_points = n;
	for (int i = 0; i < 2 * n; i++)
		assert(isfinite(points[i]));
}

void
sketch_line(struct sketch *s, double x0, double y0, double x1, double y1,
    struct paint p)
{
	set_points(s, add_mark(s, MARK_LINE, p),
	    (const double[]){x0, y0, x1, y1}, 2);
}

void
sketch_path(struct sketch *s, const double *points, int n, struct paint p)
{
	assert(n >= 2);
	set_points(s, add_mark(s, MARK_PATH, p), points, n);
}

void
sketch_circle(struct sketch *s, double x, double y, double r, struct paint p)
{
	struct mark *m = add_mark(s, MARK_CIRCLE, p);

	assert(isfinite(x) && isfinite(y) && r >= 0);
	m->x = x;
	m->y = y;
	m->r = r;
}

void
sketch_symbol(struct sketch *s, enum symbol sym, double x, double y, double r,
    struct paint p)
{
	static const struct {
		int n;
		double points[8];
	} shapes[] = {
	    [SYMBOL_SQUARE] = {4, {-.88, -.88, .88, -.88, .88, .88, -.88, .88}},
	    [SYMBOL_DIAMOND] = {4, {0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0}},
	    [SYMBOL_TRIANGLE] = {3, {0, -1.2, 1.15, .85, -1.15, .85}},
	    [SYMBOL_CHECK] = {3, {-1, .1, -.3, .8, 1, -.8}},
	};
	double q[8];

	if (sym == SYMBOL_CIRCLE) {
		sketch_circle(s, x, y, r, p);
		return;
	}
	if (sym == SYMBOL_PLUS || sym == SYMBOL_CROSS) {
		double k = sym == SYMBOL_CROSS ? .8 * r : 0;
		double l = sym == SYMBOL_CROSS ? .8 * r : 1.1 * r;

		sketch_line(s, x - l, y - k, x + l, y + k, p);
		sketch_line(s, x - k, y + l, x + k, y - l, p);
		return;
	}
	for (int i = 0; i < 2 * shapes[sym].n; i++)
		q[i] = (i % 2 ? y : x) + r * shapes[sym].points[i];
	sketch_path(s, q, shapes[sym].n, p);
}

/* Text -------------------------------------------------------------------- */

double
sketch_width(struct sketch *s, enum type t, const char *text)
{
	struct text_style style = palette_type(t);

	return text_measure(s->e, &style, text).width;
}

double
sketch_widest(struct sketch *s, enum type t, const char *const *texts, int n)
{
	double w = 0;

	for (int i = 0; i < n; i++)
		if (texts[i])
			w = fmax(w, sketch_width(s, t, texts[i]));
	return w;
}

void
sketch_text_turned(struct sketch *s, enum type t, double x, double y,
    double anchor, double angle, const char *text)
{
	struct mark *m;

	if (*text == '\0')
		return;
	assert(isfinite(x) && isfinite(y));
	m = add_mark(s, MARK_TEXT, (struct paint){0});
	m->x = x;
	m->y = y;
	m->w = sketch_width(s, t, text);
	m->text = text;
	m->style = palette_type(t);
	m->anchor = anchor;
	m->angle = angle;
}

double
sketch_text(struct sketch *s, enum type t, double x, double y, double anchor,
    const char *text)
{
	if (*text == '\0')
		return 0;
	sketch_text_turned(s, t, x, y, anchor, 0, text);
	return s->plan->marks[s->plan->n_marks - 1].w;
}
