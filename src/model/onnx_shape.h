/*
 * The shapes and costs of an ONNX graph at given input sizes.
 *
 * Every operator has a rule for the shapes of its outputs and, where it
 * multiplies, for its MACs; arithmetic on small constants is carried out, so
 * that a shape the network computes itself is known.  Where a size depends on
 * the picture (the boxes a suppression keeps) the largest possible one is
 * used.  An operator without a rule is listed with an upper bound of its
 * cost, which holds for all that slides its weights over a picture or passes
 * over its elements: one MAC for each element it reads or writes and, where
 * it has weights, each weight once for every output position.
 *
 * Layers are counted as catalog/networks/README.md says; activations written
 * out as several operators (x times sigmoid of x) and layer norms are put
 * together again.
 */
#ifndef MODEL_ONNX_SHAPE_H
#define MODEL_ONNX_SHAPE_H

#include "data/graph.h"
#include "data/layers.h"

/* The size of one input as the user gives it. */
struct onnx_size {
	const char *name; /* NULL: the only input */
	int rank;
	double dims[GRAPH_MAX_RANK];
};

/* Nodes of one operator that has no rule. */
struct onnx_unknown {
	const char *op, *domain;
	const char *node; /* the first of them */
	int times;
	double macs; /* upper bound, in the totals too */
};

/* A value's shape, for dumps and comparison with a runtime. */
struct onnx_value {
	const char *name;
	int rank;
	double dims[GRAPH_MAX_RANK];
	bool bounded; /* a side is an upper bound */
};

struct onnx_net {
	struct layers *layers;
	double macs_int8; /* of products of quantised operands */
	int quantised;    /* operators that quantise or restore */
	struct onnx_unknown *unknown;
	int n_unknown;
	double macs_unknown; /* of all of them */
	const char **once;   /* loops counted once: nobody knows how often */
	int n_once;
	struct onnx_value *values; /* of the outermost graph, in order */
	int n_values;
	int bounded; /* of them */
};

enum {
	ONNX_MAX_RUN = 400000,     /* nodes carried out, loops unrolled */
	ONNX_MAX_FOLD = 4096,      /* elements of a tensor we calculate with */
	ONNX_MAX_FOLDED = 8 << 20, /* of all of them */
	ONNX_MAX_UNKNOWN = 64      /* operators listed */
};

/*
 * NULL after reporting: "onnx-input" (a size for an input there is not, or
 * of another rank), "onnx-dynamic" (sides the user must give), "onnx-shape"
 * (operands that do not fit), "onnx-channels" (a picture with its channels
 * last), "onnx-external" (a shape in a side file), "onnx-macs" (nothing is
 * multiplied) or "onnx-limit".  A first side that is not fixed is the batch
 * and taken as 1.
 */
struct onnx_net *onnx_expand(struct arena *a, const struct graph_model *m,
    const struct onnx_size *sizes, int n_sizes, struct diag *d);

#endif
