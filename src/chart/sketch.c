#include "chart/sketch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"

/* Names longer than this are cut before they are measured. */
enum { MAX_NAME = 160 };

/* Words and data ---------------------------------------------------------- */

static struct pos
nowhere(void)
{
	return (struct pos){NULL, 0, 0};
}

const char *
sketch_label(struct sketch *s, const char *name)
{
	const char *own = arena_printf(s->a, "chart.%s.%s", s->figure->chart,
	    name);
	const char *text = block_label(s->figure, own, NULL);

	if (!text)
		text = block_label(s->figure, name, NULL);
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

	while (n && n->parent && !(n->parent->kind == NODE_LIST &&
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
	struct mark *m = arena_push(s->a, &plan->marks, &plan->n_marks,
	    sizeof(*m));

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
		[SYMBOL_SQUARE] = {4, {-.88, -.88, .88, -.88, .88, .88,
		    -.88, .88}},
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

double
sketch_baseline(enum type t, double y_middle)
{
	return y_middle + 0.36 * palette_type(t).size_pt;
}

double
sketch_leading(enum type t)
{
	return 1.3 * palette_type(t).size_pt;
}

/* The first `n` bytes of `text` with `tail` behind. */
static char *
cut(struct sketch *s, const char *text, size_t n, const char *tail)
{
	while (n > 0 && text[n - 1] == ' ')
		n--;
	return arena_printf(s->a, "%.*s%s", (int)n, text, tail);
}

/* At most MAX_NAME characters, controls replaced: names come from outside. */
static const char *
tame(struct sketch *s, const char *text)
{
	const char *p = text;
	struct str b;
	int n = 0;

	for (; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			break;
	if (*p == '\0' && p - text <= MAX_NAME)
		return text;
	str_init(&b, s->a);
	for (p = text; *p;) {
		uint32_t cp = utf8_next(&p);

		if (++n > MAX_NAME) {
			str_add(&b, "…");
			break;
		}
		str_add_utf8(&b, cp < 0x20 || cp == 0x7f ? ' ' : cp);
	}
	return b.s;
}

const char *
sketch_fit(struct sketch *s, enum type t, const char *text, double width)
{
	size_t good = 0;
	const char *p;

	text = tame(s, text);
	if (sketch_width(s, t, text) <= width)
		return text;
	for (p = text; *p;) {
		utf8_next(&p);
		if (sketch_width(s, t, cut(s, text, (size_t)(p - text),
		    "…")) > width)
			break;
		good = (size_t)(p - text);
	}
	return good > 0 ? cut(s, text, good, "…") : "…";
}

/* May a line begin with `cp`? */
static bool
may_begin(uint32_t cp)
{
	static const char closing[] = ")]}%,.:;!?/、，。：；！？）】》”’…·";
	const char *p = closing;
	uint32_t c;

	while ((c = utf8_next(&p)) != 0)
		if (c == cp)
			return false;
	return true;
}

static bool
may_end(uint32_t cp)
{
	static const char opening[] = "([{/（【《“‘";
	const char *p = opening;
	uint32_t c;

	while ((c = utf8_next(&p)) != 0)
		if (c == cp)
			return false;
	return true;
}

static bool
may_break(uint32_t before, uint32_t after)
{
	if (after == ' ')
		return true;
	return (utf8_is_wide(after) || utf8_is_wide(before)) &&
	    may_begin(after) && may_end(before) && before != ' ';
}

/*
 * How many bytes of `text` go on a line of `width`: up to the last place for
 * a break that fits, or what fits when there is none.
 */
static size_t
line_length(struct sketch *s, enum type t, const char *text, double width)
{
	const char *p = text;
	size_t brk = 0, fits = 0;
	uint32_t prev = 0;

	while (*p) {
		const char *at = p;
		uint32_t cp = utf8_next(&p);

		if (at > text && may_break(prev, cp))
			brk = (size_t)(at - text);
		if (sketch_width(s, t, cut(s, text, (size_t)(p - text), "")) >
		    width)
			return brk > 0 ? brk : fits > 0 ? fits :
			    (size_t)(p - text);
		fits = (size_t)(p - text);
		prev = cp;
	}
	return (size_t)(p - text);
}

/* "name (what it does)" in two lines, if both parts fit; else 0. */
static size_t
bracket_at(struct sketch *s, enum type t, const char *text, double width)
{
	const char *at = strstr(text, "（");

	if (!at)
		at = strstr(text, " (");
	if (!at || at == text || sketch_width(s, t, cut(s, text,
	    (size_t)(at - text), "")) > width ||
	    sketch_width(s, t, at + (*at == ' ')) > width)
		return 0;
	return (size_t)(at - text);
}

static const char **
fill_lines(struct sketch *s, enum type t, const char *text, double width,
    int max, int *n)
{
	const char **lines = NULL;
	size_t first = bracket_at(s, t, text, width);

	*n = 0;
	while (*text) {
		size_t len = first > 0 ? first : line_length(s, t, text,
		    width);
		const char *line = *n + 1 == max ?
		    sketch_fit(s, t, text, width) :
		    sketch_fit(s, t, cut(s, text, len, ""), width);

		*(const char **)arena_push(s->a, &lines, n, sizeof(*lines)) =
		    line;
		if (*n == max)
			break;
		text += len;
		first = 0;
		while (*text == ' ')
			text++;
	}
	return lines;
}

/* Lines for `text` if it goes into `width` uncut, else 0. */
static int
lines_needed(struct sketch *s, enum type t, const char *text, double width,
    int max)
{
	int n = 0;

	while (*text && n <= max) {
		size_t len = line_length(s, t, text, width);

		if (sketch_width(s, t, cut(s, text, len, "")) > width)
			return 0;
		n++;
		text += len;
		while (*text == ' ')
			text++;
	}
	return *text ? 0 : n;
}

const char **
sketch_wrap(struct sketch *s, enum type t, const char *text, double width,
    int max, int *n)
{
	const char **lines = NULL;
	int need;

	*n = 0;
	text = tame(s, text);
	if (sketch_width(s, t, text) <= width || max <= 1) {
		*(const char **)arena_push(s->a, &lines, n, sizeof(*lines)) =
		    sketch_fit(s, t, text, width);
		return lines;
	}
	/* Lines of even length: as narrow as the same number allows. */
	need = lines_needed(s, t, text, width, max);
	if (need > 1 && bracket_at(s, t, text, width) == 0)
		while (width > 8 && lines_needed(s, t, text, width - 2, max) ==
		    need)
			width -= 2;
	return fill_lines(s, t, text, width, max, n);
}

double
sketch_lines(struct sketch *s, enum type t, double x, double y, double anchor,
    const char *const *lines, int n)
{
	for (int i = 0; i < n; i++)
		sketch_text(s, t, x, y + i * sketch_leading(t), anchor,
		    lines[i]);
	return y + (n > 0 ? n - 1 : 0) * sketch_leading(t);
}

double
sketch_note(struct sketch *s, double y, const char *text)
{
	const char **lines;
	int n;

	if (*text == '\0')
		return y;
	lines = sketch_wrap(s, TYPE_NOTE, text, s->plan->width, 3, &n);
	return sketch_lines(s, TYPE_NOTE, 0, y + 8, 0, lines, n) + 2;
}

/* Key --------------------------------------------------------------------- */

enum { KEY_LINE = 12, KEY_GAP = 14, KEY_SPACE = 4 };

struct key
sketch_key(double y_top)
{
	return (struct key){0, y_top + KEY_LINE / 2.0};
}

void
sketch_key_entry(struct sketch *s, struct key *k, double symbol_width,
    const char *text, double *x, double *y)
{
	const char *fit = sketch_fit(s, TYPE_NOTE, text,
	    s->plan->width - symbol_width - KEY_SPACE);
	double width = symbol_width + KEY_SPACE +
	    sketch_width(s, TYPE_NOTE, fit);

	if (k->x > 0 && k->x + width > s->plan->width) {
		k->x = 0;
		k->y += KEY_LINE;
	}
	*x = k->x;
	*y = k->y;
	sketch_text(s, TYPE_NOTE, k->x + symbol_width + KEY_SPACE,
	    sketch_baseline(TYPE_NOTE, k->y), 0, fit);
	k->x += width + KEY_GAP;
}

void
sketch_key_line(struct key *k)
{
	if (k->x > 0) {
		k->x = 0;
		k->y += KEY_LINE;
	}
}

double
sketch_key_bottom(const struct key *k)
{
	return k->y + KEY_LINE / 2.0;
}
