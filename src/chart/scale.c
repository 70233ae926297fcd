#include "chart/scale.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"

struct scale
scale_linear(double lo, double hi, double from, double to)
{
	if (!isfinite(lo))
		lo = 0;
	if (!isfinite(hi))
		hi = lo;
	lo = fmin(fmax(lo, -1e100), 1e100);
	hi = fmin(hi, 1e100);
	if (!(hi > lo))
		hi = lo + fmax(1, fabs(lo));
	return (struct scale){SCALE_LINEAR, lo, hi, from, to, 0};
}

struct scale
scale_log(double lo, double hi, double from, double to)
{
	if (!isfinite(hi) || hi <= 0)
		hi = isfinite(lo) && lo > 0 ? lo * 10 : 1;
	if (!isfinite(lo) || lo <= 0)
		lo = hi / 10;
	hi = fmin(fmax(hi, 1e-100), 1e100);
	lo = fmax(lo, hi / pow(10, SCALE_MAX_DECADES));
	if (!(hi > lo * (1 + 1e-9))) {
		lo = hi / sqrt(10);
		hi *= sqrt(10);
	}
	return (struct scale){SCALE_LOG, lo, hi, from, to, 0};
}

struct scale
scale_band(int bands, double from, double to, double gap)
{
	assert(gap >= 0 && gap < 1);
	return (
	    struct scale){SCALE_BAND, 0, bands > 0 ? bands : 1, from, to, gap};
}

/* 1, 2 or 5 times a power of ten, at least `x`. */
static double
round_up(double x)
{
	double power = pow(10, floor(log10(x)));
	double m = x / power;

	if (m > 5 * (1 + 1e-9))
		return 10 * power;
	if (m > 2 * (1 + 1e-9))
		return 5 * power;
	return m > 1 + 1e-9 ? 2 * power : power;
}

/* The same, at most `x`. */
static double
round_down(double x)
{
	double power = pow(10, floor(log10(x)));
	double m = x / power;

	if (m >= 5 * (1 - 1e-9))
		return 5 * power;
	return m >= 2 * (1 - 1e-9) ? 2 * power : power;
}

struct scale
scale_nice(struct scale s, int want)
{
	double step;

	assert(want > 0);
	switch (s.kind) {
	case SCALE_LINEAR:
		step = round_up((s.hi - s.lo) / want);
		s.lo = floor(s.lo / step + 1e-9) * step;
		s.hi = ceil(s.hi / step - 1e-9) * step;
		break;
	case SCALE_LOG:
		s.lo = round_down(s.lo);
		s.hi = round_up(s.hi);
		break;
	case SCALE_BAND: break;
	}
	return s;
}

/* Where `v` stands in the domain, 0 to 1 inside it. */
static double
share(const struct scale *s, double v)
{
	if (s->kind != SCALE_LOG)
		return (v - s->lo) / (s->hi - s->lo);
	if (!(v > 0))
		return -1;
	return (log10(v) - log10(s->lo)) / (log10(s->hi) - log10(s->lo));
}

double
scale_at(const struct scale *s, double v)
{
	return s->from + share(s, v) * (s->to - s->from);
}

double
scale_clamped(const struct scale *s, double v)
{
	double t = share(s, v);

	t = t > 0 ? fmin(t, 1) : 0;
	return s->from + t * (s->to - s->from);
}

double
scale_invert(const struct scale *s, double at)
{
	double t = (at - s->from) / (s->to - s->from);

	if (s->kind == SCALE_LOG)
		return pow(10,
		    log10(s->lo) + t * (log10(s->hi) - log10(s->lo)));
	return s->lo + t * (s->hi - s->lo);
}

double
scale_band_start(const struct scale *s, int i)
{
	double step = (s->to - s->from) / s->hi;

	assert(s->kind == SCALE_BAND);
	return s->from + step * (i + s->gap / 2);
}

double
scale_band_width(const struct scale *s)
{
	assert(s->kind == SCALE_BAND);
	return (s->to - s->from) / s->hi * (1 - s->gap);
}

static void
add_tick(struct arena *a, double **ticks, int *n, double v)
{
	*(double *)arena_push(a, ticks, n, sizeof(**ticks)) = v;
}

static double *
ticks_linear(const struct scale *s, int want, int *n, struct arena *a)
{
	double *ticks = NULL;
	double step = round_up((s->hi - s->lo) / want);
	double first = ceil(s->lo / step - 1e-9);
	double last = floor(s->hi / step + 1e-9);

	for (int i = 0; first + i <= last && i <= 4 * want; i++)
		add_tick(a, &ticks, n, (first + i) * step);
	if (*n == 0)
		add_tick(a, &ticks, n, s->lo);
	return ticks;
}

/*
 * Powers of ten, thinned out when there are too many; with 2s and 5s between
 * them when there are too few.
 */
static double *
ticks_log(const struct scale *s, int want, int *n, struct arena *a)
{
	static const double one[] = {1}, between[] = {1, 2, 5};
	double *ticks = NULL;
	int first = (int)floor(log10(s->lo) + 1e-9);
	int last = (int)floor(log10(s->hi) + 1e-9);
	int powers = (int)floor(log10(s->hi) + 1e-9) -
		     (int)ceil(log10(s->lo) - 1e-9) + 1;
	int stride = powers > want ? (powers + want - 1) / want : 1;
	const double *m = 3 * powers <= want + 3 ? between : one;
	int n_m = m == between ? 3 : 1;

	for (int e = first; e <= last; e++) {
		if (e % stride != 0)
			continue;
		for (int i = 0; i < n_m; i++) {
			double v = m[i] * pow(10, e);

			if (v >= s->lo * (1 - 1e-9) && v <= s->hi * (1 + 1e-9))
				add_tick(a, &ticks, n, v);
		}
	}
	return *n > 0 ? ticks : ticks_linear(s, want, n, a);
}

double *
scale_ticks(const struct scale *s, int want, int *n, struct arena *a)
{
	assert(want > 0);
	*n = 0;
	if (s->kind == SCALE_LOG)
		return ticks_log(s, want, n, a);
	return ticks_linear(s, want, n, a);
}
