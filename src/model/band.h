/*
 * 90 % bands from the errors of predictions for rows that the fit had not
 * seen (split conformal prediction, Vovk et al. 2005): of n errors
 * |ln(measured / predicted)| of a class the one of rank ceil((n + 1) 0.9).
 * Errors of one chip or network go together, so that the rows of others promise
 * too much: the rank is raised until bands from the other folds hold nine of
 * ten rows of each.
 * Classes are split as finely as there are rows for.
 */
#ifndef MODEL_BAND_H
#define MODEL_BAND_H

#include "data/residual.h"

struct arena;

struct band_row {
	enum knowledge know;
	const char *run; /* residual_names.run */
	int batch_class;
	enum tier tier;
	int fold;   /* it was left out in; unique over all kinds of folds */
	double off; /* |ln(measured / predicted)| */
};

/* Classes of `n` rows, narrower ones first, without those of the fold
 * `without` (-1: all). */
struct band_cell *bands_fit(struct arena *a, const struct band_row *rows, int n,
    int without, int *n_cells);

#endif
