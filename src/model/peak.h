/*
 * Private to model/: which peak of a card a computation can use, and what
 * share of it the clocks leave.
 */
#ifndef MODEL_PEAK_H
#define MODEL_PEAK_H

#include <math.h>

#include "data/calibration.h"

/* The value of a fact that is known, finite and above zero; else 0. */
static inline double
positive(struct fact f)
{
	return f.known && isfinite(f.value) && f.value > 0 ? f.value : 0;
}

/* The peak between the two accumulate types, as the engine's kernels use
 * them; `peak` where there is only one. */
double peak_mixed(const struct calibration *c, const struct gpu *g,
    enum engine e, enum peak used, double peak);

/* Sustained over rated clock on the path that `used` names. */
double
peak_clock(const struct calibration *c, const struct gpu *g, enum peak used);

#endif
