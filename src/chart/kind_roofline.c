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
	double other; /* the peak with the other accumulate type; 0: none */
	const char *peak_acc, *other_acc; /* their labels, or NULL */
	struct stage_point *points;
	int n;
	bool key; /* some bounds are not written at their points */
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

	for (const struct node *n =
		 stages && stages->kind == NODE_LIST ? stages->first : NULL;
	     n; n = n->next)
		if (str_equal(node_string(n, "name", NULL), name) &&
		    sketch_positive(n, "share", &share))
			return fmin(share, 1);
	return 0;
}

/* "FP16 accumulate", if the results say so and there is a word for it. */
static const char *
accumulate(struct sketch *s, const struct node *n, const char *path)
{
	const char *id = node_string(n, path, NULL);

	return id ? sketch_label_or_null(s, arena_printf(s->a, "acc.%s", id))
		  : NULL;
}

static void
read_peaks(struct sketch *s, const struct node *n, struct roofline *r)
{
	r->peak_acc = accumulate(s, n, "peak_acc");
	r->other_acc = accumulate(s, n, "peak_other_acc");
	if (!sketch_positive(n, "peak_other", &r->other) ||
	    fabs(r->other / r->peak - 1) < 0.02)
		r->other = 0;
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
	read_peaks(s, n, r);
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
	    num_exact(s->a, r->peak), num_exact(s->a, r->peak), NULL, "ridge");
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
	r->x = scale_log(fmax(x0, r->ridge * 1e-5), fmin(x1, r->ridge * 1e5),
	    left, right);
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

/* "L40S peak 362 TFLOPS · FP16 accumulate"; the other roof in short. */
static const char *
peak_text(struct sketch *s, const struct roofline *r, bool other)
{
	const char *acc = other ? r->other_acc : r->peak_acc;
	const char *rate =
	    quantity_format(s->a, other ? r->other : r->peak, UNIT_FLOP_PER_S);

	if (other && acc)
		return arena_printf(s->a, "%s · %s", rate, acc);
	return arena_printf(s->a, "%s%s%s %s%s%s", other ? "" : r->gpu,
	    other || !*r->gpu ? "" : " ", sketch_label(s, "roof.compute"), rate,
	    acc ? " · " : "", acc ? acc : "");
}

/* The place of the roof over a point: of its stage, else of the card. */
static double
roof_over(const struct roofline *r, const struct stage_point *p, bool own)
{
	double roof = fmin(r->peak, p->intensity * r->bandwidth);

	if (own && p->roof > 0)
		roof = fmin(roof, p->roof);
	return scale_clamped(&r->y, roof);
}

/* Is a strip clear of all points and of their lines up to the roof? */
static bool
is_clear(const struct roofline *r, struct extent b)
{
	for (int i = 0; i < r->n; i++) {
		const struct stage_point *p = &r->points[i];

		if (p->x + 2 > b.x0 && p->x - 2 < b.x1 && p->y > b.y0 &&
		    roof_over(r, p, true) - 2 < b.y1)
			return false;
		if (p->x + p->r + 2 > b.x0 && p->x - p->r - 2 < b.x1 &&
		    p->y + p->r + 1 > b.y0 && p->y - p->r - 1 < b.y1)
			return false;
	}
	return true;
}

/*
 * A name on a flat roof from `left` to the right edge: at the right end, or
 * further left, or higher, or below it, where no point covers it.
 */
static void
name_flat(struct sketch *s, const struct roofline *r, enum type t,
    const char *text, double left, double y)
{
	double right = r->x.to, w;

	text = sketch_fit(s, t, text, right - r->x.from);
	w = sketch_width(s, t, text);
	left = fmin(left, right - w);
	for (int step = 0; step < 24; step++) {
		double base = y + (step < 12 ? -4.5 - 2 * step : step * 2 - 14);

		for (double x = right - w; x >= left; x -= 8) {
			struct extent b = {x - 2, base - 8.5, x + w + 2,
			    base + 2.5};

			if (b.y0 < r->y.to - 12 || b.y1 > r->y.from ||
			    !is_clear(r, b) || !place_is_free(s, b))
				continue;
			sketch_text(s, t, x, base, 0, text);
			place_take_name(s, b);
			return;
		}
	}
}

static void
name_slope(struct sketch *s, const struct roofline *r,
    const struct roof_line *l)
{
	const char *text =
	    arena_printf(s->a, "%s %s", sketch_label(s, "roof.bandwidth"),
		quantity_format(s->a, r->bandwidth, UNIT_BYTE_PER_S));
	double angle = atan2(l->y1 - l->y0, l->x1 - l->x0);
	double length = hypot(l->x1 - l->x0, l->y1 - l->y0), w, x, y;

	text = sketch_fit(s, TYPE_STRONG, text, fmax(length - 16, 40));
	w = sketch_width(s, TYPE_STRONG, text);
	length = fmax(0, (length - w) / 2);
	x = l->x0 + length * cos(angle) + 5 * sin(angle);
	y = l->y0 + length * sin(angle) - 5 * cos(angle);
	sketch_text_turned(s, TYPE_STRONG, x, y, 0, angle / DEGREE, text);
	for (double up = 0; up <= 8; up += 4)
		place_take_line(s, x + up * sin(angle), y - up * cos(angle),
		    x + w * cos(angle) + up * sin(angle),
		    y + w * sin(angle) - up * cos(angle));
}

/* The names of the slope and the flat parts, and the ridge between them. */
static void
name_roof(struct sketch *s, const struct roofline *r, const struct roof_line *l)
{
	const char *ridge =
	    arena_printf(s->a, "%s FLOP/B", quantity_plain(s->a, r->ridge));
	double base = r->y.from, w = sketch_width(s, TYPE_NOTE, ridge), x;

	x = fmin(l->x1 + 3, r->x.to - w);
	sketch_text(s, TYPE_NOTE, x, base - 4, 0, ridge);
	place_take_name(s, (struct extent){x - 3, base - 12, x + w + 1, base});
	name_slope(s, r, l);
	name_flat(s, r, TYPE_STRONG, peak_text(s, r, false), l->x1, l->y1);
	if (r->other > 0)
		name_flat(s, r, TYPE_SMALL, peak_text(s, r, true),
		    scale_clamped(&r->x, r->other / r->bandwidth),
		    scale_clamped(&r->y, r->other));
	sketch_circle(s, l->x1, l->y1, 2.4,
	    (struct paint){.fill = INK_PAPER,
		.stroke = INK_NAVY,
		.line_width = 1.2});
}

static void
shade_under_roof(struct sketch *s, const struct roofline *r)
{
	struct roof_line l = roof_line(r);
	double base = r->y.from, left = r->x.from, right = r->x.to;

	sketch_path(s,
	    (const double[]){left, base, left, l.y0, l.x0, l.y0, l.x1, l.y1,
		right, l.y1, right, base},
	    6, (struct paint){.fill = INK_MIST});
}

static void
draw_roof(struct sketch *s, const struct roofline *r)
{
	struct roof_line l = roof_line(r);
	double base = r->y.from, right = r->x.to;

	sketch_line(s, l.x1, l.y1, l.x1, base,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.6, .dash = 2});
	sketch_path(s, (const double[]){l.x0, l.y0, l.x1, l.y1, right, l.y1}, 3,
	    (struct paint){.stroke = INK_NAVY, .line_width = 1.8});
	place_take_line(s, l.x0, l.y0, l.x1, l.y1);
	place_take_line(s, l.x1, l.y1, l.x1, base);
	place_take(s, (struct extent){l.x1, l.y1 - 1, right, l.y1 + 1});
	if (r->other > 0) {
		double y = scale_clamped(&r->y, r->other);
		double x = scale_clamped(&r->x, r->other / r->bandwidth);

		sketch_line(s, x, y, right, y,
		    (struct paint){.stroke = INK_NAVY,
			.line_width = 1.2,
			.dash = 4});
		place_take(s, (struct extent){x, y - 1, right, y + 1});
	}
}

/* What binds a stage shows in the point: filled, hollow or barred. */
static struct paint
point_paint(const char *bound)
{
	if (str_equal(bound, "compute"))
		return (struct paint){.fill = INK_BLUE, .stroke = INK_PAPER};
	if (str_equal(bound, "bandwidth"))
		return (struct paint){.fill = INK_PAPER,
		    .stroke = INK_BLUE,
		    .line_width = 1.4};
	return (struct paint){.fill = INK_BLUSH,
	    .stroke = INK_ACCENT,
	    .line_width = 1,
	    .hatch = HATCH_DIAGONAL};
}

/*
 * From the point up to the roof of its stage, with a bar where that is lower
 * than the card's (another precision).
 */
static void
draw_headroom(struct sketch *s, const struct roofline *r,
    const struct stage_point *p)
{
	double y = roof_over(r, p, true), card = roof_over(r, p, false);

	if (y >= p->y)
		return;
	sketch_line(s, p->x, p->y, p->x, y,
	    (struct paint){.stroke = INK_BLUE, .line_width = 0.7, .dash = 1.6});
	place_take_line(s, p->x, p->y, p->x, y);
	if (y > card + 1.5) {
		sketch_line(s, p->x - 5, y, p->x + 5, y,
		    (struct paint){.stroke = INK_NAVY, .line_width = 1.2});
		place_take(s,
		    (struct extent){p->x - 5, y - 1, p->x + 5, y + 1});
	}
}

static void
place_points(struct sketch *s, struct roofline *r)
{
	for (int i = 0; i < r->n; i++) {
		struct stage_point *p = &r->points[i];

		p->x = scale_clamped(&r->x, p->intensity);
		p->y = scale_clamped(&r->y, p->attained);
		p->r = p->share > 0 ? 2.5 + 7.5 * sqrt(p->share) : 4;
		p->x =
		    fmax(r->x.from + 2 + p->r, fmin(p->x, r->x.to - 2 - p->r));
		p->y =
		    fmax(r->y.to + 2 + p->r, fmin(p->y, r->y.from - 2 - p->r));
		place_take(s,
		    (struct extent){p->x - p->r * .9, p->y - p->r * .9,
			p->x + p->r * .9, p->y + p->r * .9});
	}
}

/* Name and share of time; what binds the stage in a second line. */
static void
name_points(struct sketch *s, struct roofline *r, struct extent bounds)
{
	for (int i = 0; i < r->n; i++) {
		const struct stage_point *p = &r->points[i];
		const char *name = sketch_fit(s, TYPE_SMALL, p->name, 110);
		struct place_line lines[2] =
		    {{TYPE_SMALL, p->share > 0
				      ? arena_printf(s->a, "%s %s", name,
					    quantity_percent(s->a, p->share))
				      : name},
			{TYPE_NOTE, NULL}};
		bool bound = *p->bound != '\0';

		if (bound)
			lines[1].text = sketch_fit(s, TYPE_NOTE,
			    sketch_label_id(s, "bound", p->bound), 130);
		if (i < MAX_NAMED && place_block(s, lines, bound ? 2 : 1, p->x,
					 p->y, p->r, bounds))
			continue;
		r->key |= bound;
		if (i < MAX_NAMED)
			place_name(s, TYPE_SMALL, p->x, p->y, p->r,
			    lines[0].text, bounds);
	}
}

static void
draw_points(struct sketch *s, struct roofline *r)
{
	struct extent bounds = {r->x.from + 2, r->y.to - 10, r->x.to - 2,
	    r->y.from - 2};

	for (int i = 0; i < r->n; i++)
		draw_headroom(s, r, &r->points[i]);
	for (int i = 0; i < r->n; i++)
		sketch_circle(s, r->points[i].x, r->points[i].y, r->points[i].r,
		    point_paint(r->points[i].bound));
	name_points(s, r, bounds);
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
	struct roof_line l;
	struct axis ax, ay;
	double top = 24, base = top + fmin(0.5 * s->plan->width, 240);
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
	place_points(s, &r);
	draw_roof(s, &r);
	l = roof_line(&r);
	name_roof(s, &r, &l);
	draw_points(s, &r);
	if (r.key)
		bottom = draw_bounds_key(s, &r, bottom + 2);
	s->plan->height = sketch_note(s, bottom, sketch_label(s, "note"));
}
