/*
 * Places for names beside what they name, so that no two texts meet.
 */
#ifndef CHART_PLACE_H
#define CHART_PLACE_H

#include "chart/sketch.h"

/* Keep texts placed later out of this box, line or text. */
void place_take(struct sketch *s, struct extent box);
void
place_take_line(struct sketch *s, double x0, double y0, double x1, double y1);
bool place_is_free(const struct sketch *s, struct extent box);
/* The same as place_take, and no leader may pass over it either. */
void place_take_name(struct sketch *s, struct extent box);

/*
 * Name the point x, y of radius `r` with lines of text inside `bounds`:
 * close by if there is room, else further off with a thin leader, which
 * crosses no other leader and no name.  False if there is no room at all;
 * nothing is drawn then.
 */
struct place_line {
	enum type type;
	const char *text;
};

bool place_block(struct sketch *s, const struct place_line *lines, int n,
    double x, double y, double r, struct extent bounds);
/* The same with one line, cut if it is long. */
bool place_name(struct sketch *s, enum type t, double x, double y, double r,
    const char *text, struct extent bounds);

/*
 * Callouts: names in lanes above or below a row of places, each to the right
 * of its own thin line.  Items must be in rising order of x.
 */
struct callout {
	double x;
	const char *text;
	enum type type;
	int lane; /* set by place_lanes */
};

/*
 * Give each item a lane, 0 nearest; returns the number of lanes.  Texts are
 * cut so that none passes `right`.
 */
int place_lanes(struct sketch *s, struct callout *items, int n, double right);

#endif
