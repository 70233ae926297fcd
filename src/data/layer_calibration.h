/*
 * Constants of the speed model that computes from layers (model/layer_speed),
 * read from catalog/calibration/layers.xml.  None is specific to a network
 * or a card.
 *
 * All are plain doubles, so that the reader and the fit can walk over them
 * by the table layer_constants().
 */
#ifndef DATA_LAYER_CALIBRATION_H
#define DATA_LAYER_CALIBRATION_H

#include <stddef.h>

#include "data/calibration.h"

/* What runs the kernels, as far as the constants differ. */
enum layer_runtime {
	RUN_TUNED,    /* an engine tuned for one card, one launch a batch */
	RUN_TENSORRT, /* as vendors use it */
	RUN_PADDLE,
	RUN_COMPILED,
	RUN_EAGER,
	RUN_N
};

/* How the bytes of a kernel are moved. */
enum move_kind {
	MOVE_MATRIX,
	MOVE_DEPTHWISE,
	MOVE_PASS,   /* each element by itself, copies */
	MOVE_REDUCE, /* norms over channels, softmax, pooling */
	MOVE_N
};

struct layer_calibration {
	/* share of the peak that a tile of m x n reaches:
	 * ceiling / (1 + half (1/m + 1/n)) */
	double tile_half;
	double ceiling[PREC_N]; /* BF16 as FP16 */
	double wave_blend;      /* share of whole waves, the rest in part */
	double winograd;        /* fewer operations of 3x3 in FP32 */
	double grouped;         /* factors on the efficiency */
	double attention;
	double depthwise_fused, depthwise_eager; /* shares of the FP32 peak */
	double half_on_shader;                   /* FP16 without matrix units */
	/* factors on the efficiency of products: engines built for the card;
	 * FP16 of Paddle Inference on matrix units */
	double engine_matrix, paddle_half;
	double compiled_memory; /* factor on the rate of memory: compilers */
	/* weight of the fp16-accumulate peak in a geometric mean */
	double acc16;
	/* memory */
	double dram[MOVE_N]; /* achievable share of the bandwidth */
	double sm_bytes;     /* per clock and multiprocessor */
	double memory_join;  /* power that joins the two */
	double eager_extra;  /* conversions of layout, of input and output */
	double l2_half, l2_rate;
	/* kernels and host */
	double floor_s[RUN_N], floor_hz; /* at this clock; shorter above it */
	double host_s[RUN_N];            /* per launch */
	double fixed_s[RUN_N];           /* per batch */
	double host_join;
	double tuned; /* factor on batches of tuned engines, several at once */
	double copy_bytes_per_s;  /* from host memory that is not pinned */
	double train, train_host; /* factors on a step of training: device,
					launches of the host */
	/* sustained clock: min(1, (watt per SM and GHz / knee)^exponent) */
	double power_exponent, power_exponent_shader, power_knee,
	    power_knee_ampere, power_knee_ada;
	double hopper, blackwell_rtx; /* factors on the peak */

	struct source_ref *sources;
	int n_sources;
};

struct layer_constant {
	const char *name, *key; /* key NULL where there is one value */
	size_t at;
	enum unit unit;
	double min, max;
	bool fitted;  /* to be moved by a fit */
	double prior; /* where it starts, and what it is drawn to */
};
const struct layer_constant *layer_constants(int *n);
static inline double *
layer_constant_in(struct layer_calibration *c, const struct layer_constant *k)
{
	return (double *)((char *)c + k->at);
}

#endif
