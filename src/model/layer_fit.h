/*
 * Fit of the constants of the layer model to measured times: least squares
 * of ln(predicted / measured), large errors held down (Cauchy), each
 * constant drawn towards its prior (in logarithms), where it also starts: what
 * stands in the calibration file has no part in it.
 */
#ifndef MODEL_LAYER_FIT_H
#define MODEL_LAYER_FIT_H

#include "model/layer_speed.h"

struct arena;
struct layer_fit;

struct fit_row {
	const struct kernels *ks;
	struct layer_run run;
	const struct gpu *gpu;
	int batch;
	double batch_s; /* measured */
	double weight;
};

/*
 * Set the fitted constants of `c` anew to fit the rows, in at most `rounds`
 * steps.  The cost before and after stands in `cost`, if not NULL.
 */
void layer_fit(struct arena *a, struct layer_calibration *c,
    const struct fit_row *rows, int n, int rounds, double cost[2]);

/*
 * Fits with some rows left out, near a fit of all: `at` are constants fitted
 * to all rows.  Residuals are taken as linear around them, so that a fit costs
 * no new predictions.
 */
struct layer_fit *layer_fit_near(struct arena *a,
    const struct layer_calibration *at, const struct fit_row *rows, int n);
/*
 * The constants that fit the rows not `out`; `residual`, if not NULL, gets
 * ln(predicted / measured) of every row, as far as that is linear.
 */
void layer_fit_without(struct layer_fit *f, const bool *out,
    struct layer_calibration *c, double *residual);

#endif
