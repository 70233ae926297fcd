/*
 * Networks as layer lists: what the files in catalog/networks/layers/ say
 * (struct layer_book) and what one network expands to at one input size
 * (struct layers).  The language is described in catalog/networks/README.md.
 *
 * Counts are for one image; 1 MAC = 2 FLOP.
 */
#ifndef DATA_LAYERS_H
#define DATA_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "data/fact.h"

/*
 * What people write.
 */

enum layer_word {
	/* layers */
	LAYER_CONV,
	LAYER_DWCONV,
	LAYER_DECONV,
	LAYER_LINEAR,
	LAYER_ATTENTION,
	LAYER_LSTM,
	LAYER_NORM,
	LAYER_ACT,
	LAYER_SOFTMAX,
	LAYER_ADD,
	LAYER_MUL,
	LAYER_CONCAT,
	LAYER_POOL,
	LAYER_GAP,
	LAYER_RESIZE,
	LAYER_SAMPLE,
	LAYER_ROI,
	LAYER_REARRANGE,
	LAYER_RESHAPE,
	LAYER_SLICE,
	LAYER_PARAM,
	LAYER_TAKE,
	/* control */
	LAYER_USE,
	LAYER_REPEAT,
	LAYER_IF,
	LAYER_ELSE,
	LAYER_LET,
	LAYER_N
};

/* Where something stands; its line is counted only when asked for. */
struct layer_place {
	const struct source *src;
	size_t at;
};
struct pos layer_pos(struct layer_place place);

struct layer_attr {
	const char *name, *text;
	struct layer_place place;
};

struct layer_stmt {
	enum layer_word word;
	struct layer_attr *attrs;
	int n_attrs;
	struct layer_stmt *first, *next; /* body; the next in this body */
	struct layer_place place;
};

struct layer_param {
	const char *name;
	const char *preset; /* expression; NULL: must be given */
};

struct layer_block {
	const char *name;
	struct layer_param *params;
	int n_params;
	struct layer_stmt *body;
	struct layer_place place;
};

/* What a published MAC count holds besides convolutions and products. */
enum layer_basis {
	BASIS_MACS,         /* nothing */
	BASIS_TIMM,         /* 2 per batch-norm output, 5 per layer-norm one */
	BASIS_NO_ATTENTION, /* less than nothing: the attention products lack */
	BASIS_MODULES,      /* layers that are modules only, so no attention
			  products, and a transposed convolution as if it
			  were a plain one on its output (thop) */
	BASIS_PADDLE, /* 2 per batch-norm output; parameters count the moving
			 mean and variance of batch norms too */
	BASIS_N
};

/* A count somebody published, to hold ours against. */
struct layer_published {
	const char *row; /* the network as the source calls it */
	int in_w, in_h;
	struct fact params, macs, activations;
	enum layer_basis basis;
	/* half a unit of the last digit printed, where that is coarse */
	double params_step, macs_step;
	const char *note; /* may be NULL */
	struct layer_place place;
};

struct layer_net {
	const char *id;
	int in_c, in_d, in_h, in_w;
	int divisor; /* input sides must be multiples of this */
	bool fixed;  /* no other input size works */
	struct layer_stmt *body;
	struct layer_published *published;
	int n_published;
	const char *note; /* may be NULL */
	struct layer_place place;
};

/* Where counts come from. */
struct layer_source {
	const char *id, *title, *where, *date; /* date may be NULL */
	struct layer_place place;
};

/* All files together; block names and network ids are unique in it. */
struct layer_book {
	struct layer_block *blocks;
	int n_blocks;
	struct layer_net *nets;
	int n_nets;
	struct layer_source *sources;
	int n_sources;
};

const char *layer_word_id(enum layer_word w);
bool layer_word_parse(const char *s, enum layer_word *w);
/* Attributes a word takes besides from, as (NULL at the end). */
const char *const *layer_word_attrs(enum layer_word w);
const char *layer_basis_id(enum layer_basis b);
bool layer_basis_parse(const char *s, enum layer_basis *b);
/* NULL when missing. */
const char *layer_attr(const struct layer_stmt *s, const char *name);
const struct layer_block *
layer_block_find(const struct layer_book *b, const char *name);
/* Case, spaces and punctuation do not matter. */
const struct layer_net *
layer_net_find(const struct layer_book *b, const char *id);
/* The sides rounded up to what the network takes (its own, if fixed). */
void layer_net_fit(const struct layer_net *n, int *w, int *h);
const char *layer_net_near(const struct layer_book *b, const char *id);

/*
 * What a network expands to.
 */

/* How a layer uses a card. */
enum op_class {
	OP_CONV,      /* dense convolution, an implicit matrix product */
	OP_GROUPED,   /* convolution in groups of several channels */
	OP_DEPTHWISE, /* one channel a group: no matrix product */
	OP_LINEAR,
	OP_ATTENTION,   /* products of activations with activations */
	OP_NORM,        /* layer, group norm, softmax: reductions */
	OP_ELEMENTWISE, /* batch norm, activation, add, gate, resize */
	OP_POOL,
	OP_COPY, /* concat, shuffle, window partition */
	OP_VIEW, /* no work: reshape, slice */
	OP_CLASS_N
};
const char *op_class_id(enum op_class c);

enum act {
	ACT_NONE,
	ACT_RELU,
	ACT_RELU6,
	ACT_LEAKY,
	ACT_PRELU,
	ACT_SIGMOID,
	ACT_SILU,
	ACT_HSWISH,
	ACT_HSIGMOID,
	ACT_GELU,
	ACT_TANH,
	ACT_MISH,
	ACT_N
};
const char *act_id(enum act k);

enum norm { NORM_BATCH, NORM_LAYER, NORM_GROUP, NORM_INSTANCE, NORM_L2 };

/* n copies (proposals, windows) of c channels over d x h x w points. */
struct shape {
	double n, c, d, h, w;
};
double shape_elems(struct shape s);

struct tensor {
	struct shape shape;
	int of; /* the tensor this one is a view of, or -1 */
};

struct op {
	enum layer_word word;
	enum op_class cls;
	const char *path; /* "resnet/bottleneck.2" */
	int *in, n_in;    /* tensors read */
	int out;          /* the tensor written */
	double macs;
	double m, n, k, count; /* `count` products of m x k by k x n */
	int kernel, stride;    /* largest side, for Winograd and halos */
	double params;  /* learned, 0 where shared with an earlier layer */
	double weights; /* elements read */
	enum norm norm;
	enum act act;
	int steps; /* launches in sequence (recurrent layers), else 1 */
};

struct layers {
	const char *id;
	struct shape input;
	struct tensor *tensors;
	int n_tensors;
	struct op *ops; /* in order of execution */
	int n_ops;
	const int *outputs; /* tensors nobody reads */
	int n_outputs;
};

#endif
