/*
 * Residuals of measured cards and networks (data/residual.h) applied to a
 * prediction, and the band of its class.
 */
#ifndef MODEL_RESIDUAL_H
#define MODEL_RESIDUAL_H

#include "data/residual.h"
#include "model/layer_speed.h"

struct arena;

/* The names under which the residuals of a run are kept. */
struct residual_names {
	const char *of[EFFECT_N]; /* NULL for EFFECT_SOURCE */
	const char *run;          /* "eager", "eager-1", "eager-training" */
};
struct residual_names residual_names(struct arena *a, const char *network,
    const struct gpu *g, struct layer_run run, int batch);
/* A family of networks: the letters of the name up to the first digit;
 * "se_resnet50_vd" is "seresnet". */
const char *residual_family(struct arena *a, const char *network);
/* Does the residual hold for one kind of runtime only? */
bool residual_by_run(enum effect_kind k);

/* Factor on the time; 1 where nothing was measured.  `know` tells what was. */
double residual_factor(const struct residuals *r,
    const struct residual_names *n, enum knowledge *know);

/* Half-width of the 90 % band, a factor; 0 when the file has no class. */
double residual_band(const struct residuals *r, enum knowledge know,
    const char *run, int batch_class, enum tier tier);

#endif
