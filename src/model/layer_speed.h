/*
 * How long a batch of a network takes on a card, from its layers: kernel by
 * kernel, the longer of matrix work and memory, and a floor below which no
 * kernel gets.
 *
 *	kernel  = floor x 1.6 GHz / clock + max( matrix, memory )
 *	matrix  = the best of a few tile sizes and splits of the depth:
 *		  waves of blocks over the multiprocessors, padding included
 *	memory  = bytes at the rate of DRAM (less what L2 serves), joined with
 *		  bytes at the rate at which the multiprocessors load
 *	batch   = fixed + copies + join( sum of kernels, launches x host time )
 *
 * The constants are in catalog/calibration/layers.xml.
 */
#ifndef MODEL_LAYER_SPEED_H
#define MODEL_LAYER_SPEED_H

#include "data/layer_calibration.h"
#include "model/layers.h"

struct layer_run {
	enum layer_runtime runtime;
	enum precision precision;
	bool channels_last;
	bool training; /* a step forward, backward and of the optimiser */
	/* bytes of one image that the host copies before each batch, from
	 * memory that is not pinned; 0: not in the time */
	double copied_bytes;
};

/* What most of a batch's time goes to. */
enum layer_bound {
	LAYER_BOUND_MATRIX,
	LAYER_BOUND_MEMORY,
	LAYER_BOUND_LAUNCH, /* floors of many small kernels */
	LAYER_BOUND_HOST,   /* launches, fixed time and copies of the host */
	LAYER_BOUND_N
};
const char *layer_bound_id(enum layer_bound b);

struct layer_time {
	const char *why; /* NULL; else "no-peak", "no-figure" */
	enum layer_bound bound;
	double batch_s;
	/* parts of it before they are joined, seconds of one batch */
	double matrix_s, memory_s, floor_s, host_s, fixed_s, copy_s;
};

/*
 * The kernels must be those of the runtime's engine (layer_engine); joined
 * or not is the same.
 *
 * Training: every product is followed by that of the gradient of its input
 * and that of the gradient of its weights, each with its own shape; passes
 * move kernel.train times the bytes; the optimiser reads and writes 24 bytes
 * a weight.
 */
struct layer_time
layer_time(const struct layer_calibration *c, const struct kernels *ks,
    struct layer_run run, const struct gpu *g, int batch);

/* "tuned", "tensorrt" ...: the key of its constants. */
const char *layer_runtime_id(enum layer_runtime r);
/* The fusion that a runtime does. */
enum engine layer_engine(enum layer_runtime r);
/* The runtime class of an engine; `tuned`: a benchmark submission. */
enum layer_runtime layer_runtime_of(enum engine e, bool tuned);

/*
 * The card as the kernels see it; exposed for tests.  Rates are sustained.
 */
struct layer_card {
	const char *why;
	double sm, hz;      /* rated clock */
	double matrix;      /* FLOP/s of the unit for the precision */
	bool on_shader;     /* that unit is the FP32 cores */
	double shader;      /* FLOP/s in FP32 */
	double bytes_per_s; /* DRAM */
	double sm_bytes_per_s;
	double l2_bytes; /* 0: not known */
};
struct layer_card layer_card(const struct layer_calibration *c,
    const struct gpu *g, enum precision p);

/* Seconds of `count` products m x k by k x n at FLOP rate card->matrix x
 * `factor`, padding, waves and split included. */
double
layer_product(const struct layer_calibration *c, const struct layer_card *card,
    double m, double n, double k, double count, double factor);

#endif
