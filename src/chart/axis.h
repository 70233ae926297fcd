/*
 * Axes: tick labels that never meet, hairlines behind the data, and a title
 * written level (an upright title of a y axis is read without turning the
 * page).
 */
#ifndef CHART_AXIS_H
#define CHART_AXIS_H

#include "chart/scale.h"
#include "chart/sketch.h"

struct axis {
	const struct scale *scale;
	char *(*format)(struct arena *, double);
	int want;          /* about so many ticks */
	const char *title; /* "" for none */
};

/*
 * Hairlines from `top` to `base` and labels under `base`; returns the bottom
 * of what was drawn.
 */
double
axis_below(struct sketch *s, const struct axis *ax, double top, double base);

/*
 * Hairlines from `left` to `right` and labels left of `left`; the title
 * stands above the top of the scale, from x = 0.
 */
void
axis_left(struct sketch *s, const struct axis *ax, double left, double right);

/* The width of the widest tick label. */
double axis_width(struct sketch *s, const struct axis *ax);

#endif
