/*
 * What measurements leave after the model, told apart: by card, by network
 * and by whoever measured.
 *
 *	ln(measured / predicted) = source + chip + card + family + network
 *				   + network on this runtime + rest
 *
 * Each is drawn towards 0, as far as few rows speak for it: the value of a
 * level with rows of total weight w is that of their mean times w / (w + k).
 * Rows far off (0.3 and more) count less.
 *
 * A network or card that was never measured has none, and keeps the model's
 * prediction.  `source` takes up habits of one publisher, so that networks
 * and cards which only he measured do not inherit them; it is not added to a
 * prediction.
 */
#ifndef MODEL_EFFECT_H
#define MODEL_EFFECT_H

#include "data/residual.h"

struct arena;

struct effect_row {
	int level[EFFECT_N]; /* from 0, dense within a kind */
	double left;         /* ln(measured time / predicted time) */
	double weight;
};

struct effects {
	int n[EFFECT_N];         /* levels */
	double *value[EFFECT_N]; /* by level */
	double *weight[EFFECT_N];
	int *rows[EFFECT_N];
};

/* From the rows not `out` (NULL: all). */
struct effects *effects_fit(struct arena *a, const struct effect_row *rows,
    int n, const bool *out);
/* Sum over the kinds of the mask (1 << kind). */
double effects_sum(const struct effects *e, const struct effect_row *row,
    unsigned kinds);

#endif
