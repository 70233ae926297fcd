/*
 * Scales: from a value to a place on the paper and back.
 *
 * A scale is a plain struct, copied freely.  `from` and `to` are pt; `to`
 * may lie above `from` on the page (a y axis that grows upward).  Domains
 * that make no sense (empty, reversed, not above zero for a log scale, not
 * finite) are widened to the nearest one that does, so that a scale made
 * from any data can be drawn.
 */
#ifndef CHART_SCALE_H
#define CHART_SCALE_H

#include <stdbool.h>

struct arena;

enum scale_kind { SCALE_LINEAR, SCALE_LOG, SCALE_BAND };

struct scale {
	enum scale_kind kind;
	double lo, hi; /* domain; of a band scale: 0 to the bands */
	double from, to;
	double gap; /* band: share of a step left empty, 0 to 1 */
};

/* A log scale spans at most this many powers of ten. */
enum { SCALE_MAX_DECADES = 24 };

struct scale scale_linear(double lo, double hi, double from, double to);
struct scale scale_log(double lo, double hi, double from, double to);
struct scale scale_band(int bands, double from, double to, double gap);

/*
 * Widen the domain to round values, about `want` steps apart; a log scale to
 * a 1, 2 or 5 times a power of ten.
 */
struct scale scale_nice(struct scale s, int want);

/* The place of a value; outside the domain it lies outside the range. */
double scale_at(const struct scale *s, double v);
/* The same, kept inside the range. */
double scale_clamped(const struct scale *s, double v);
/* The value at a place. */
double scale_invert(const struct scale *s, double at);

/* Where band `i` starts, and how wide a band is (without its gap). */
double scale_band_start(const struct scale *s, int i);
double scale_band_width(const struct scale *s);

/*
 * Choose about `want` round tick values inside the scale's domain, in
 * rising order.  At least one; for a log scale, powers of ten first.
 * The array lives in `a`.
 */
double *scale_ticks(const struct scale *s, int want, int *n, struct arena *a);

#endif
