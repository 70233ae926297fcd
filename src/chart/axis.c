#include "chart/axis.h"

#include <math.h>

#include "base/arena.h"

static const struct paint hairline = {.stroke = INK_GRID, .line_width = 0.5};

double
axis_below(struct sketch *s, const struct axis *ax, double top, double base)
{
	double y = base + 2 + palette_type(TYPE_NOTE).size_pt, last = -1e9;
	double *ticks;
	const char **lines;
	int n, n_lines;

	ticks = scale_ticks(ax->scale, ax->want, &n, s->a);
	for (int i = 0; i < n; i++) {
		double x = scale_clamped(ax->scale, ticks[i]);

		sketch_line(s, x, top, x, base, hairline);
	}
	for (int i = 0; i < n; i++) {
		const char *text = ax->format(s->a, ticks[i]);
		double w = sketch_width(s, TYPE_NOTE, text);
		double x = scale_clamped(ax->scale, ticks[i]) - w / 2;

		x = fmax(ax->scale->from - 4, fmin(x, s->plan->width - w));
		if (x < last + 4)
			continue;
		sketch_text(s, TYPE_NOTE, x, y, 0, text);
		last = x + w;
	}
	if (ax->title[0] == '\0')
		return y + 3;
	lines = sketch_wrap(s, TYPE_NOTE, ax->title,
	    s->plan->width - ax->scale->from, 2, &n_lines);
	return sketch_lines(s, TYPE_NOTE, ax->scale->from, y + 10, 0, lines,
	    n_lines) + 3;
}

double
axis_width(struct sketch *s, const struct axis *ax)
{
	double *ticks, w = 0;
	int n;

	ticks = scale_ticks(ax->scale, ax->want, &n, s->a);
	for (int i = 0; i < n; i++)
		w = fmax(w, sketch_width(s, TYPE_NOTE,
		    ax->format(s->a, ticks[i])));
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
