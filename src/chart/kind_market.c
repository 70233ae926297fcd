/*
 * The market: memory bandwidth by compute of all cards, by segment and
 * maker, with the cards of this project named.
 */
#include <math.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/place.h"
#include "chart/quantity.h"

/* Project cards beyond these are marked but not named. */
enum { MAX_MARKET_NAMES = 24 };

struct market_point {
	const char *name, *segment, *family;
	double peak, bandwidth, memory, x, y;
	bool requested, planned;
};

struct market {
	struct market_point *points;
	int n;
	struct scale x, y;
};

/* The form is the segment, so that no colour is needed for it. */
static const struct {
	const char *segment;
	enum symbol symbol;
} segments[] = {
    {"datacenter", SYMBOL_CIRCLE},
    {"workstation", SYMBOL_TRIANGLE},
    {"consumer", SYMBOL_SQUARE},
    {"edge", SYMBOL_DIAMOND},
    {"cpu", SYMBOL_PLUS},
};

/* The fill is the maker: solid, hollow, pale, with a hole. */
static const struct {
	const char *maker;
	struct paint paint;
	bool hole;
} makers[] = {
    {"nvidia", {.fill = INK_BLUE}, false},
    {"amd", {.fill = INK_PAPER, .stroke = INK_TEXT, .line_width = 0.8}, false},
    {"intel", {.fill = INK_PALE, .stroke = INK_BLUE, .line_width = 0.6}, false},
    {"domestic", {.fill = INK_ACCENT, .stroke = INK_ACCENT, .line_width = 0.8},
	true},
    {"other", {.fill = INK_RULE}, false},
};

enum {
	N_SEGMENTS = sizeof(segments) / sizeof(*segments),
	N_MAKERS = sizeof(makers) / sizeof(*makers)
};

static int
segment_index(const char *id)
{
	for (int i = 0; i < N_SEGMENTS; i++)
		if (str_equal(segments[i].segment, id))
			return i;
	return 0;
}

/* The maker stands behind the family; NVIDIA has several. */
static int
maker_index(const struct market_point *p)
{
	static const char *const nvidia[] = {"geforce", "rtx-pro", "datacenter",
	    "jetson"};

	for (int i = 0; i < N_MAKERS; i++)
		if (str_equal(makers[i].maker, p->family))
			return i;
	for (int i = 0; i < 4; i++)
		if (str_equal(nvidia[i], p->family))
			return 0;
	return str_starts(p->name, "NVIDIA ") ? 0 : N_MAKERS - 1;
}

static void
draw_mark(struct sketch *s, int segment, int maker, double x, double y)
{
	struct paint p = makers[maker].paint;

	if (segments[segment].symbol == SYMBOL_PLUS)
		p = (struct paint){.stroke = INK_QUIET, .line_width = 1.1};
	sketch_symbol(s, segments[segment].symbol, x, y, 2.7, p);
	if (makers[maker].hole)
		sketch_circle(s, x, y, 1.1, (struct paint){.fill = INK_PAPER});
}

/* The flag of the matrix column with this name. */
static bool
project_flag(const struct node *root, const char *name, const char *flag)
{
	const struct node *cards = node_find(root, "matrix.cards");

	for (const struct node *c = cards ? cards->first : NULL; c; c = c->next)
		if (str_equal(node_string(c, "name", NULL), name))
			return sketch_flag(c, flag);
	return false;
}

static bool
read_market(struct sketch *s, struct market *m)
{
	const struct node *root = sketch_root(s);
	const struct node *list = sketch_need(s, root, "market.points");

	if (!list)
		return false;
	SKETCH_CSV(s, "name", "family", "segment", "peak", "bandwidth",
	    "memory", "requested", "planned");
	for (const struct node *n = list->first; n; n = n->next) {
		struct market_point p = {0};

		if (!sketch_positive(n, "peak", &p.peak) ||
		    !sketch_positive(n, "bandwidth", &p.bandwidth))
			continue;
		p.name = node_string(n, "name", "");
		p.family = node_string(n, "family", "");
		p.segment = node_string(n, "segment", "");
		sketch_positive(n, "memory", &p.memory);
		p.requested = project_flag(root, p.name, "requested");
		p.planned = project_flag(root, p.name, "planned");
		*(struct market_point *)arena_push(s->a, &m->points, &m->n,
		    sizeof(p)) = p;
		SKETCH_CSV(s, p.name, p.family, p.segment,
		    num_exact(s->a, p.peak), num_exact(s->a, p.bandwidth),
		    p.memory > 0 ? num_exact(s->a, p.memory) : NULL,
		    p.requested ? "1" : "0", p.planned ? "1" : "0");
	}
	if (m->n == 0)
		sketch_no_data(s, "market.points");
	return m->n > 0;
}

static void
market_scales(struct market *m, double left, double right, double top,
    double base)
{
	double x0 = INFINITY, x1 = 0, y0 = INFINITY, y1 = 0;

	for (int i = 0; i < m->n; i++) {
		x0 = fmin(x0, m->points[i].peak);
		x1 = fmax(x1, m->points[i].peak);
		y0 = fmin(y0, m->points[i].bandwidth);
		y1 = fmax(y1, m->points[i].bandwidth);
	}
	m->x = scale_nice(scale_log(x0 * 0.9, x1 * 1.1, left, right), 5);
	m->y = scale_nice(scale_log(y0 * 0.9, y1 * 1.1, base, top), 5);
}

static void
ring(struct sketch *s, double x, double y, bool planned)
{
	sketch_circle(s, x, y, 5.4,
	    (struct paint){.stroke = planned ? INK_ACCENT : INK_TEXT,
		.line_width = planned ? 1.8 : 0.9});
}

static void
draw_market(struct sketch *s, struct market *m)
{
	struct extent bounds = {m->x.from + 2, m->y.to + 2, m->x.to - 2,
	    m->y.from - 2};
	int named = 0;

	/* the few of a kind over the many */
	for (int k = 0; k < N_MAKERS; k++)
		for (int i = 0; i < m->n; i++) {
			struct market_point *p = &m->points[i];

			if (maker_index(p) != k)
				continue;
			p->x = scale_clamped(&m->x, p->peak);
			p->y = scale_clamped(&m->y, p->bandwidth);
			draw_mark(s, segment_index(p->segment), k, p->x, p->y);
			place_take(s, (struct extent){p->x - 2, p->y - 2,
					  p->x + 2, p->y + 2});
		}
	for (int i = 0; i < m->n; i++) {
		const struct market_point *p = &m->points[i];

		if (!p->requested && !p->planned)
			continue;
		ring(s, p->x, p->y, p->planned);
		place_take(s,
		    (struct extent){p->x - 5, p->y - 5, p->x + 5, p->y + 5});
	}
	for (int planned = 1; planned >= 0; planned--)
		for (int i = 0; i < m->n && named < MAX_MARKET_NAMES; i++) {
			const struct market_point *p = &m->points[i];

			if (p->planned != planned ||
			    (!p->planned && !p->requested))
				continue;
			named += place_name(s,
			    planned ? TYPE_STRONG : TYPE_SMALL, p->x, p->y, 5.4,
			    sketch_short_name(s, p->name), bounds);
		}
}

static double
market_key(struct sketch *s, const struct market *m, double y)
{
	struct key k = sketch_key(y);
	double kx, ky;

	for (int i = 0; i < N_SEGMENTS; i++) {
		bool used = false;

		for (int j = 0; j < m->n; j++)
			used |= segment_index(m->points[j].segment) == i;
		if (!used)
			continue;
		sketch_key_entry(s, &k, 8,
		    sketch_label_id(s, "segment", segments[i].segment), &kx,
		    &ky);
		sketch_symbol(s, segments[i].symbol, kx + 4, ky, 2.8,
		    (struct paint){.fill = INK_PAPER,
			.stroke = INK_QUIET,
			.line_width = 0.9});
	}
	sketch_key_line(&k);
	for (int i = 0; i < N_MAKERS; i++) {
		const char *label = sketch_label_or_null(s,
		    arena_printf(s->a, "maker.%s", makers[i].maker));
		bool used = false;

		for (int j = 0; j < m->n; j++)
			used |= maker_index(&m->points[j]) == i;
		if (!used || !label)
			continue;
		sketch_key_entry(s, &k, 8, label, &kx, &ky);
		draw_mark(s, 0, i, kx + 4, ky);
	}
	sketch_key_line(&k);
	sketch_key_entry(s, &k, 12, sketch_label(s, "key.planned"), &kx, &ky);
	ring(s, kx + 6, ky, true);
	sketch_key_entry(s, &k, 12, sketch_label(s, "key.requested"), &kx, &ky);
	ring(s, kx + 6, ky, false);
	return sketch_key_bottom(&k);
}

void
kind_market(struct sketch *s)
{
	struct market m = {0};
	double top = 20, base = top + fmin(0.58 * s->plan->width, 280);
	double left, bottom;
	struct axis ax, ay;

	if (!read_market(s, &m))
		return;
	market_scales(&m, 0, 1, top, base);
	ay = (struct axis){&m.y, quantity_tick_bandwidth, 14,
	    sketch_label(s, "y")};
	left = axis_width(s, &ay) + 6;
	market_scales(&m, left, s->plan->width - 8, top, base);
	ax = (struct axis){&m.x, quantity_tick_flops, 14, sketch_label(s, "x")};
	axis_left(s, &ay, left, m.x.to);
	bottom = axis_below(s, &ax, top, base);
	sketch_line(s, left, base, m.x.to, base,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.8});
	draw_market(s, &m);
	s->plan->height = market_key(s, &m, bottom + 3);
}
