#include "chart/axis.h"

#include <math.h>

#include "base/arena.h"

static const struct paint hairline = {.stroke = INK_GRID, .line_width = 0.5};

static bool
is_power_of_ten(double v)
{
	double e = log10(v);

	return v > 0 && fabs(e - floor(e + 0.5)) < 1e-6;
}

/*
 * Labels that do not meet; on a log scale the powers of ten come first, so
 * that the steps between those that are left out are the same.
 */
static void
label_ticks(struct sketch *s, const struct axis *ax, const double *ticks, int n,
    double y)
{
	struct extent *done = arena_alloc(s->a, (size_t)n + 1, sizeof(*done));
	int n_done = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < n; i++) {
			bool first = ax->scale->kind != SCALE_LOG ||
				     is_power_of_ten(ticks[i]);
			const char *text = ax->format(s->a, ticks[i]);
			double w = sketch_width(s, TYPE_NOTE, text);
			double x = scale_clamped(ax->scale, ticks[i]) - w / 2;
			bool meets = false;

			x = fmax(fmax(0, ax->scale->from - 4),
			    fmin(x, s->plan->width - w));
			for (int k = 0; k < n_done; k++)
				meets |= x < done[k].x1 + 4 &&
					 done[k].x0 < x + w + 4;
			if (meets || first != (pass == 0))
				continue;
			sketch_text(s, TYPE_NOTE, x, y, 0, text);
			done[n_done++] = (struct extent){x, y, x + w, y};
		}
}

double
axis_below(struct sketch *s, const struct axis *ax, double top, double base)
{
	double y = base + 2 + palette_type(TYPE_NOTE).size_pt;
	double *ticks;
	const char **lines;
	int n, n_lines;

	ticks = scale_ticks(ax->scale, ax->want, &n, s->a);
	for (int i = 0; i < n; i++) {
		double x = scale_clamped(ax->scale, ticks[i]);

		sketch_line(s, x, top, x, base, hairline);
	}
	label_ticks(s, ax, ticks, n, y);
	if (ax->title[0] == '\0')
		return y + 3;
	lines = sketch_wrap(s, TYPE_NOTE, ax->title,
	    s->plan->width - ax->scale->from, 2, &n_lines);
	return sketch_lines(s, TYPE_NOTE, ax->scale->from, y + 10, 0, lines,
		   n_lines) +
	       3;
}

double
axis_width(struct sketch *s, const struct axis *ax)
{
	double *ticks, w = 0;
	int n;

	ticks = scale_ticks(ax->scale, ax->want, &n, s->a);
	for (int i = 0; i < n; i++)
		w = fmax(w,
		    sketch_width(s, TYPE_NOTE, ax->format(s->a, ticks[i])));
	return w;
}

void
axis_left(struct sketch *s, const struct axis *ax, double left, double right)
{
	double last = 1e9, top = fmin(ax->scale->from, ax->scale->to);
	double *ticks;
	int n;

	ticks = scale_ticks(ax->scale, ax->want, &n, s->a);
	for (int i = 0; i < n; i++) {
		double y = scale_clamped(ax->scale, ticks[i]);

		sketch_line(s, left, y, right, y, hairline);
	}
	for (int i = 0; i < n; i++) {
		double y = scale_clamped(ax->scale, ticks[i]);

		if (y > last - 10)
			continue;
		sketch_text(s, TYPE_NOTE, left - 4,
		    sketch_baseline(TYPE_NOTE, y), 1,
		    ax->format(s->a, ticks[i]));
		last = y;
	}
	if (ax->title[0])
		sketch_text(s, TYPE_NOTE, 0, top - 8, 0,
		    sketch_fit(s, TYPE_NOTE, ax->title, s->plan->width));
}
