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

bool
place_name(struct sketch *s, enum type t, double x, double y, double r,
    const char *text, struct extent bounds)
{
	/* right, left, above, below, then the corners */
	static const double dirs[][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1},
	    {.8, -.8}, {.8, .8}, {-.8, -.8}, {-.8, .8}};
	double w, h = palette_type(t).size_pt * 1.25;

	text = sketch_fit(s, t, text, 0.45 * (bounds.x1 - bounds.x0));
	w = sketch_width(s, t, text);
	for (int ring = 0; ring < 12; ring++) {
		double reach = r + 2.5 + ring * ring * 1.2 + ring * 3;

		for (int i = 0; i < 8; i++) {
			double dx = dirs[i][0], dy = dirs[i][1];
			double ax = x + dx * reach, ay = y + dy * reach;
			double left = dx > 0 ? ax : dx < 0 ? ax - w : ax - w / 2;
			double top = ay - h / 2 + dy * h / 2;
			struct extent b = {left - 1, top, left + w + 1,
			    top + h};

			if (!inside(b, bounds) || !place_is_free(s, b))
				continue;
			if (ring >= 2)
				sketch_line(s, x + dx * r, y + dy * r,
				    ax - dx * .5, ay - dy * .5,
				    (struct paint){.stroke = INK_RULE,
				    .line_width = 0.4});
			sketch_text(s, t, left,
			    sketch_baseline(t, top + h / 2), 0, text);
			place_take(s, b);
			return true;
		}
	}
	return false;
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

		c->text = sketch_fit(s, c->type, c->text,
		    fmax(right - c->x - 2, 12));
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
