#include "chart/place.h"

#include <math.h>

#include "base/arena.h"

void
place_take(struct sketch *s, struct extent box)
{
	*(struct extent *)arena_push(s->a, &s->taken, &s->n_taken,
	    sizeof(box)) = box;
}

void
place_take_line(struct sketch *s, double x0, double y0, double x1, double y1)
{
	int n = (int)fmin(ceil(hypot(x1 - x0, y1 - y0) / 5), 400);

	for (int i = 0; i < n; i++) {
		double xa = x0 + (x1 - x0) * i / n;
		double ya = y0 + (y1 - y0) * i / n;
		double xb = x0 + (x1 - x0) * (i + 1) / n;
		double yb = y0 + (y1 - y0) * (i + 1) / n;

		place_take(s, (struct extent){fmin(xa, xb), fmin(ya, yb),
				  fmax(xa, xb), fmax(ya, yb)});
	}
}

bool
place_is_free(const struct sketch *s, struct extent b)
{
	for (int i = 0; i < s->n_taken; i++) {
		const struct extent *t = &s->taken[i];

		if (b.x0 < t->x1 && t->x0 < b.x1 && b.y0 < t->y1 &&
		    t->y0 < b.y1)
			return false;
	}
	return true;
}

static bool
inside(struct extent b, struct extent bounds)
{
	return b.x0 >= bounds.x0 && b.x1 <= bounds.x1 && b.y0 >= bounds.y0 &&
	       b.y1 <= bounds.y1;
}

/* Do the lines a and b cross or touch? */
static bool
lines_meet(struct extent a, struct extent b)
{
	double d =
	    (a.x1 - a.x0) * (b.y1 - b.y0) - (a.y1 - a.y0) * (b.x1 - b.x0);
	double t, u;

	if (fabs(d) < 1e-9)
		return false;
	t = ((b.x0 - a.x0) * (b.y1 - b.y0) - (b.y0 - a.y0) * (b.x1 - b.x0)) / d;
	u = ((b.x0 - a.x0) * (a.y1 - a.y0) - (b.y0 - a.y0) * (a.x1 - a.x0)) / d;
	return t >= -0.02 && t <= 1.02 && u >= -0.02 && u <= 1.02;
}

static bool
line_meets_box(struct extent l, struct extent b)
{
	return lines_meet(l, (struct extent){b.x0, b.y0, b.x1, b.y1}) ||
	       lines_meet(l, (struct extent){b.x0, b.y1, b.x1, b.y0});
}

/* A leader may pass over marks, but over no name and no other leader. */
static bool
leader_is_free(const struct sketch *s, struct extent l)
{
	for (int i = 0; i < s->n_leaders; i++)
		if (lines_meet(l, s->leaders[i]))
			return false;
	for (int i = 0; i < s->n_names; i++)
		if (line_meets_box(l, s->names[i]))
			return false;
	return true;
}

static void
add_leader(struct sketch *s, struct extent l)
{
	sketch_line(s, l.x0, l.y0, l.x1, l.y1,
	    (struct paint){.stroke = INK_QUIET, .line_width = 0.5});
	*(struct extent *)arena_push(s->a, &s->leaders, &s->n_leaders,
	    sizeof(l)) = l;
	place_take_line(s, l.x0, l.y0, l.x1, l.y1);
}

void
place_take_name(struct sketch *s, struct extent b)
{
	place_take(s, b);
	*(struct extent *)arena_push(s->a, &s->names, &s->n_names, sizeof(b)) =
	    b;
}

static void
draw_block(struct sketch *s, const struct place_line *lines, int n,
    struct extent b, double dx)
{
	double anchor = dx > 0 ? 0 : dx < 0 ? 1 : 0.5, y = b.y0;
	double x = dx > 0 ? b.x0 + 1 : dx < 0 ? b.x1 - 1 : (b.x0 + b.x1) / 2;

	for (int i = 0; i < n; i++) {
		double h = palette_type(lines[i].type).size_pt * 1.25;

		sketch_text(s, lines[i].type, x,
		    sketch_baseline(lines[i].type, y + h / 2), anchor,
		    lines[i].text);
		y += h;
	}
}

bool
place_block(struct sketch *s, const struct place_line *lines, int n, double x,
    double y, double r, struct extent bounds)
{
	/* right, left, above, below, the corners, and between them */
	static const double dirs[][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1},
	    {.8, -.8}, {.8, .8}, {-.8, -.8}, {-.8, .8}, {.95, -.4}, {.95, .4},
	    {-.95, -.4}, {-.95, .4}};
	double w = 0, h = 0;

	for (int i = 0; i < n; i++) {
		w = fmax(w, sketch_width(s, lines[i].type, lines[i].text));
		h += palette_type(lines[i].type).size_pt * 1.25;
	}
	for (int ring = 0; ring < 16; ring++) {
		double reach = r + 2.5 + ring * ring * 1.1 + ring * 3;

		for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
			double dx = dirs[i][0], dy = dirs[i][1];
			double ax = x + dx * reach, ay = y + dy * reach;
			double left = dx > 0   ? ax
				      : dx < 0 ? ax - w
					       : ax - w / 2;
			double top = ay - h / 2 + dy * h / 2;
			struct extent b = {left - 1, top, left + w + 1,
			    top + h};
			struct extent l = {x + dx * r, y + dy * r, ax - dx * .5,
			    ay - dy * .5};

			if (!inside(b, bounds) || !place_is_free(s, b) ||
			    (ring >= 2 && !leader_is_free(s, l)))
				continue;
			if (ring >= 2)
				add_leader(s, l);
			draw_block(s, lines, n, b, dx);
			place_take_name(s, b);
			return true;
		}
	}
	return false;
}

bool
place_name(struct sketch *s, enum type t, double x, double y, double r,
    const char *text, struct extent bounds)
{
	struct place_line line = {t,
	    sketch_fit(s, t, text, 0.45 * (bounds.x1 - bounds.x0))};

	return place_block(s, &line, 1, x, y, r, bounds);
}

/*
 * From right to left: a name that would run into what stands in a lane goes
 * to the next lane out.  Its own line then closes all nearer lanes at its
 * place, and stays left of all names in them.
 */
int
place_lanes(struct sketch *s, struct callout *items, int n, double right)
{
	double *start = arena_alloc(s->a, (size_t)n + 1, sizeof(*start));
	int lanes = 0;

	for (int i = n - 1; i >= 0; i--) {
		struct callout *c = &items[i];
		double end, gap = 8;
		int lane = 0;

		c->text =
		    sketch_fit(s, c->type, c->text, fmax(right - c->x - 2, 12));
		end = c->x + 2 + sketch_width(s, c->type, c->text);
		while (lane < lanes && end + gap > start[lane])
			lane++;
		if (lane == lanes)
			lanes++;
		c->lane = lane;
		for (int j = 0; j <= lane; j++)
			start[j] = c->x;
	}
	return lanes;
}
