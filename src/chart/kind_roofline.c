/*
 * The roofline of one card: what it can reach at each ratio of arithmetic to
 * traffic, and where the vendor's stages stand under that roof.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/place.h"
#include "chart/quantity.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Stages beyond these are drawn without a name. */
enum { MAX_NAMED = 14 };

struct stage_point {
	const char *name, *bound;
	double intensity, attained, roof, share;
	double x, y, r;
};

struct roofline {
	const char *gpu;
	double peak, bandwidth, ridge;
	struct stage_point *points;
	int n;
	struct scale x, y;
};

static int
by_share(const void *a, const void *b)
{
	const struct stage_point *p = a, *q = b;

	if (p->share > q->share || p->share < q->share)
		return p->share > q->share ? -1 : 1;
	return 0;
}

/*
 * Share of the device's time, from the stage of this name; 0 if unknown.
 * (`share` of a point is something else: attained over roof.)
 */
static double
time_share(const struct node *vendor, const char *name)
{
	const struct node *stages = node_find(vendor, "stages");
	double share = 0;

	for (const struct node *n = stages && stages->kind == NODE_LIST ?
	    stages->first : NULL; n; n = n->next)
		if (str_equal(node_string(n, "name", NULL), name) &&
		    sketch_positive(n, "share", &share))
			return fmin(share, 1);
	return 0;
}

static bool
read_roofline(struct sketch *s, struct roofline *r)
{
	const struct node *v = sketch_vendor(s);
	const struct node *n = sketch_need(s, v, "roofline");
	const struct node *list = n ? node_find(n, "points") : NULL;

	if (!n)
		return false;
	if (!sketch_positive(n, "peak", &r->peak) ||
	    !sketch_positive(n, "bandwidth", &r->bandwidth)) {
		sketch_no_data(s, "roofline.peak");
		return false;
	}
	if (!sketch_positive(n, "ridge", &r->ridge))
		r->ridge = r->peak / r->bandwidth;
	r->gpu = sketch_short_name(s, sketch_text_of(s, n, "name", ""));
	for (const struct node *p = list ? list->first : NULL; p; p = p->next) {
		struct stage_point q = {0};

		if (!sketch_positive(p, "intensity", &q.intensity) ||
		    !sketch_positive(p, "attained", &q.attained))
			continue;
		q.name = sketch_text_of(s, p, "name", "");
		q.bound = node_string(p, "bound", "");
		sketch_positive(p, "roof", &q.roof);
		q.share = time_share(v, node_string(p, "name", ""));
		*(struct stage_point *)arena_push(s->a, &r->points, &r->n,
		    sizeof(q)) = q;
	}
	if (r->n == 0)
		sketch_no_data(s, "roofline.points");
	else
		qsort(r->points, (size_t)r->n, sizeof(*r->points), by_share);
	return r->n > 0;
}

static void
roofline_csv(struct sketch *s, const struct roofline *r)
{
	SKETCH_CSV(s, "stage", "intensity", "attained", "roof", "time_share",
	    "bound");
	for (int i = 0; i < r->n; i++) {
		const struct stage_point *p = &r->points[i];

		SKETCH_CSV(s, p->name, num_exact(s->a, p->intensity),
		    num_exact(s->a, p->attained), num_exact(s->a, p->roof),
		    num_exact(s->a, p->share), p->bound);
	}
	SKETCH_CSV(s, r->gpu, num_exact(s->a, r->ridge),
	    num_exact(s->a, r->peak), num_exact(s->a, r->peak), NULL,
	    "ridge");
}

static void
set_scales(struct roofline *r, double left, double right, double top,
    double base)
{
	double x0 = r->ridge / 8, x1 = r->ridge * 6;
	double y0 = r->peak / 16, y1 = r->peak * 2;

	for (int i = 0; i < r->n; i++) {
		x0 = fmin(x0, r->points[i].intensity / 2);
		x1 = fmax(x1, r->points[i].intensity * 2);
		y0 = fmin(y0, r->points[i].attained / 3);
		y1 = fmax(y1, r->points[i].attained * 1.5);
	}
	r->x = scale_log(fmax(x0, r->ridge * 1e-5),
	    fmin(x1, r->ridge * 1e5), left, right);
	r->y = scale_log(fmax(y0, r->peak * 1e-6), fmin(y1, r->peak * 1e3),
	    base, top);
}

/* Where the roof begins, at the left or lower edge, and its ridge. */
struct roof_line {
	double x0, y0, x1, y1;
};

static struct roof_line
roof_line(const struct roofline *r)
{
	double from = fmax(r->x.lo, r->y.lo / r->bandwidth);

	return (struct roof_line){scale_clamped(&r->x, from),
	    scale_clamped(&r->y, from * r->bandwidth),
	    scale_clamped(&r->x, r->ridge), scale_clamped(&r->y, r->peak)};
}

/* The names of the slope and the flat part, and the ridge between them. */
static void
name_roof(struct sketch *s, const struct roofline *r,
    const struct roof_line *l)
{
	double x0 = l->x0, y0 = l->y0, x1 = l->x1, y1 = l->y1;
	const char *slope = arena_printf(s->a, "%s %s",
	    sketch_label(s, "roof.bandwidth"),
	    quantity_format(s->a, r->bandwidth, UNIT_BYTE_PER_S));
	const char *flat = arena_printf(s->a, "%s %s",
	    sketch_label(s, "roof.compute"),
	    quantity_format(s->a, r->peak, UNIT_FLOP_PER_S));
	const char *ridge = arena_printf(s->a, "%s FLOP/B",
	    quantity_plain(s->a, r->ridge));
	double angle = atan2(y1 - y0, x1 - x0), length = hypot(x1 - x0, y1 - y0);
	double w, base = r->y.from;

	flat = sketch_fit(s, TYPE_STRONG, flat, r->x.to - x1);
	sketch_text(s, TYPE_STRONG, r->x.to, y1 - 5, 1, flat);
	slope = sketch_fit(s, TYPE_STRONG, slope, fmax(length - 16, 40));
	w = sketch_width(s, TYPE_STRONG, slope);
	length = fmax(0, (length - w) / 2);
	sketch_text_turned(s, TYPE_STRONG,
	    x0 + length * cos(angle) + 5 * sin(angle),
	    y0 + length * sin(angle) - 5 * cos(angle), 0,
	    angle / DEGREE, slope);
	w = sketch_text(s, TYPE_NOTE, x1 + 3, base - 4, 0, ridge);
	place_take(s, (struct extent){x1, base - 12, x1 + 3 + w, base});
	sketch_circle(s, x1, y1, 2.4, (struct paint){.fill = INK_PAPER,
	    .stroke = INK_NAVY, .line_width = 1.2});
}

static void
shade_under_roof(struct sketch *s, const struct roofline *r)
{
	struct roof_line l = roof_line(r);
	double base = r->y.from, left = r->x.from, right = r->x.to;

	sketch_path(s, (const double[]){left, base, left, l.y0, l.x0, l.y0,
	    l.x1, l.y1, right, l.y1, right, base}, 6,
	    (struct paint){.fill = INK_MIST});
}

static void
draw_roof(struct sketch *s, const struct roofline *r)
{
	struct roof_line l = roof_line(r);
	double base = r->y.from, right = r->x.to;

	sketch_line(s, l.x1, l.y1, l.x1, base, (struct paint){
	    .stroke = INK_RULE, .line_width = 0.6, .dash = 2});
	sketch_path(s, (const double[]){l.x0, l.y0, l.x1, l.y1, right, l.y1},
	    3, (struct paint){.stroke = INK_NAVY, .line_width = 1.8});
	place_take_line(s, l.x0, l.y0, l.x1, l.y1);
	place_take_line(s, l.x1, l.y1, l.x1, base);
	place_take(s, (struct extent){l.x1, l.y1 - 1, right, l.y1 + 1});
	name_roof(s, r, &l);
}

/* What binds a stage shows in the point: filled, hollow or barred. */
static struct paint
point_paint(const char *bound)
{
	if (str_equal(bound, "compute"))
		return (struct paint){.fill = INK_BLUE, .stroke = INK_PAPER};
	if (str_equal(bound, "bandwidth"))
		return (struct paint){.fill = INK_PAPER, .stroke = INK_BLUE,
		    .line_width = 1.4};
	return (struct paint){.fill = INK_BLUSH, .stroke = INK_ACCENT,
	    .line_width = 1, .hatch = HATCH_DIAGONAL};
}

/*
 * From the point up to the roof of its stage, with a bar where that is lower
 * than the card's (another precision).
 */
static void
draw_headroom(struct sketch *s, const struct roofline *r,
    const struct stage_point *p)
{
	double card = fmin(r->peak, p->intensity * r->bandwidth);
	double roof = p->roof > 0 ? fmin(p->roof, card) : card;
	double y = scale_clamped(&r->y, roof);

	if (y >= p->y)
		return;
	sketch_line(s, p->x, p->y, p->x, y, (struct paint){.stroke = INK_BLUE,
	    .line_width = 0.7, .dash = 1.6});
	place_take_line(s, p->x, p->y, p->x, y);
	if (roof < 0.97 * card) {
		sketch_line(s, p->x - 5, y, p->x + 5, y, (struct paint){
		    .stroke = INK_NAVY, .line_width = 1.2});
		place_take(s, (struct extent){p->x - 5, y - 1, p->x + 5,
		    y + 1});
	}
}

static void
draw_points(struct sketch *s, struct roofline *r)
{
	struct extent bounds = {r->x.from + 2, r->y.to + 2, r->x.to - 2,
	    r->y.from - 2};

	for (int i = 0; i < r->n; i++) {
		struct stage_point *p = &r->points[i];

		p->x = scale_clamped(&r->x, p->intensity);
		p->y = scale_clamped(&r->y, p->attained);
		p->r = p->share > 0 ? 2.5 + 8.5 * sqrt(p->share) : 4;
		p->x = fmax(bounds.x0 + p->r, fmin(p->x, bounds.x1 - p->r));
		p->y = fmax(bounds.y0 + p->r, fmin(p->y, bounds.y1 - p->r));
		draw_headroom(s, r, p);
		place_take(s, (struct extent){p->x - p->r * .9,
		    p->y - p->r * .9, p->x + p->r * .9, p->y + p->r * .9});
	}
	for (int i = 0; i < r->n; i++)
		sketch_circle(s, r->points[i].x, r->points[i].y,
		    r->points[i].r, point_paint(r->points[i].bound));
	for (int i = 0; i < r->n && i < MAX_NAMED; i++) {
		const struct stage_point *p = &r->points[i];
		const char *text = p->share > 0 ? arena_printf(s->a,
		    "%s  %s", sketch_fit(s, TYPE_SMALL, p->name, 110),
		    quantity_percent(s->a, p->share)) : p->name;

		place_name(s, TYPE_SMALL, p->x, p->y, p->r, text, bounds);
	}
}

/* Which mark means which bound, for the bounds that occur. */
static double
draw_bounds_key(struct sketch *s, const struct roofline *r, double y)
{
	struct key k = sketch_key(y);
	double kx, ky;

	for (int i = 0; i < r->n; i++) {
		const char *bound = r->points[i].bound;
		bool seen = *bound == '\0';

		for (int j = 0; j < i; j++)
			seen |= str_equal(bound, r->points[j].bound);
		if (seen)
			continue;
		sketch_key_entry(s, &k, 8, sketch_label_id(s, "bound", bound),
		    &kx, &ky);
		sketch_circle(s, kx + 4, ky, 3.2, point_paint(bound));
	}
	return k.x > 0 ? sketch_key_bottom(&k) : y;
}

void
kind_roofline(struct sketch *s)
{
	struct roofline r = {0};
	struct axis ax, ay;
	double top = 20, base = top + fmin(0.5 * s->plan->width, 240);
	double left, bottom;

	if (!read_roofline(s, &r))
		return;
	roofline_csv(s, &r);
	set_scales(&r, 0, 1, top, base);
	ay = (struct axis){&r.y, quantity_tick_flops, 5, sketch_label(s, "y")};
	left = axis_width(s, &ay) + 6;
	set_scales(&r, left, s->plan->width - 2, top, base);
	ax = (struct axis){&r.x, quantity_tick, 6, sketch_label(s, "x")};
	shade_under_roof(s, &r);
	axis_left(s, &ay, left, r.x.to);
	bottom = axis_below(s, &ax, base, base + 3);
	sketch_line(s, left, base, r.x.to, base,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.8});
	draw_roof(s, &r);
	draw_points(s, &r);
	bottom = draw_bounds_key(s, &r, bottom + 2);
	s->plan->height = sketch_note(s, bottom, sketch_label(s, "note"));
}
