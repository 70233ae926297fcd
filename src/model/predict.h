/*
 * Predictions for published measurements: the speed model applied to one
 * sample (data/sample.h), from totals or from layers.
 */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include "data/residual.h"
#include "data/sample.h"
#include "model/layer_speed.h"
#include "model/speed.h"

struct arena;

/* Where the batch is not stated, the best one up to this is taken. */
enum { PREDICT_MAX_BATCH = 256 };

struct predictor;

/* Everything must outlive the predictor. */
struct predictor *predictor_new(struct arena *a, const struct calibration *c,
    const struct layer_calibration *lc, const struct layer_book *book);
/* What measured cards and networks leave after the model; NULL: nothing. */
void predictor_residuals(struct predictor *p, const struct residuals *r);

struct prediction {
	enum sample_status status; /* SAMPLE_OK, or why there is none */
	double rate, low, high;    /* images per second of one device */
	enum tier tier;
	enum knowledge know; /* what else is measured, and was made use of */
	int batch;           /* as stated, or the best one */
};

/* Without layers: the model of model/speed.h, from totals. */
struct prediction predict_totals(struct predictor *p, const struct sample *s);

/*
 * From layers: those of the network's list, else those of the network it
 * resembles most (model/surrogate.h).
 */
struct prediction predict_layers(struct predictor *p, const struct sample *s);

/*
 * What predict_layers computes from; false where nothing is known.  The
 * kernels live as long as the predictor.  `*tier`: TIER_LAYERS for a list,
 * TIER_TOTALS for a likeness, TIER_ASSUMED for chips and runtimes that were
 * not fitted.
 */
bool predict_kernels(struct predictor *p, const struct sample *s,
    const struct kernels **ks, struct layer_run *run, enum tier *tier);
/* The id of the network, of the list or the totals. */
const char *predict_network(const struct sample *s);

/* Batch of a sample for a model of the given constants. */
int predict_batch(const struct layer_calibration *lc, const struct sample *s,
    const struct kernels *ks, struct layer_run run);

#endif
