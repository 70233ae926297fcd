/*
 * Predictions for published measurements: the speed model applied to one
 * sample (data/sample.h), from totals or from layers.
 */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

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

struct prediction {
	enum sample_status status; /* SAMPLE_OK, or why there is none */
	double rate, low, high;    /* images per second of one device */
	enum tier tier;
	int batch; /* as stated, or the best one */
};

/*
 * From totals: those of the layer list where there is one (activations are
 * exact then), else those of the catalogue.
 */
struct prediction predict_totals(struct predictor *p, const struct sample *s);

/* From layers where there is a list, else from totals. */
struct prediction predict_layers(struct predictor *p, const struct sample *s);

/*
 * What predict_layers computes from; false where there is no list.  The
 * kernels live as long as the predictor.
 */
bool predict_kernels(struct predictor *p, const struct sample *s,
    const struct kernels **ks, struct layer_run *run);

/* Batch of a sample for a model of the given constants. */
int predict_batch(const struct layer_calibration *lc, const struct sample *s,
    const struct kernels *ks, struct layer_run run);

#endif
