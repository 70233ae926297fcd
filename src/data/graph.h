/*
 * A network as a graph of ONNX operators, as the file states it.
 *
 * Names are resolved: a value (a tensor that flows) is a number, unique in
 * the model, its graphs inside nodes and its functions.  Nodes stand in an
 * order in which they can run.
 */
#ifndef DATA_GRAPH_H
#define DATA_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct arena;

/* Element types we tell apart. */
enum elem_type {
	ELEM_OTHER, /* strings, complex numbers, not stated */
	ELEM_FLOAT,
	ELEM_HALF,
	ELEM_BFLOAT,
	ELEM_FP8,
	ELEM_DOUBLE,
	ELEM_INT8,
	ELEM_UINT8,
	ELEM_INT, /* 4, 16 or 32 bit */
	ELEM_INT64,
	ELEM_BOOL
};

enum { GRAPH_MAX_RANK = 10 };

/* A tensor in the file: its values only if they are few. */
struct graph_const {
	enum elem_type type;
	int rank;
	double dims[GRAPH_MAX_RANK];
	double *values; /* NULL: not kept */
	int n;
	const char *file; /* the side file that holds it; may be NULL */
};

struct graph_attr {
	const char *name;
	const char *caller; /* in a function: the caller's attribute */
	bool has_int, has_float;
	int64_t i;
	double f;
	const char *s; /* may be NULL */
	int64_t *ints;
	int n_ints;
	double *floats;
	int n_floats;
	const struct graph_const *t; /* may be NULL */
	struct graph *g;             /* may be NULL */
};

struct graph_node {
	const char *op, *domain; /* domain "" for the standard operators */
	const char *name;        /* printable; "#12" where it has none */
	int *in, n_in;           /* values; -1: left out */
	int *out, n_out;
	struct graph_attr *attrs;
	int n_attrs;
	int *captured, n_captured; /* outer values its graphs read */
};

/* A side that is not fixed is < 0; it may have a symbol. */
struct graph_dim {
	double size;
	const char *symbol; /* may be NULL */
};

/* What the file says of a value's type. */
struct graph_type {
	enum elem_type type;
	int rank; /* -1: not stated */
	struct graph_dim dims[GRAPH_MAX_RANK];
};

struct graph_init {
	int value;
	struct graph_const tensor;
};

struct graph {
	struct graph_node *nodes;
	int n_nodes;
	struct graph_init *inits;
	int n_inits;
	int *in, n_in;   /* without those that are also initialisers */
	int *out, n_out; /* values, own or of an outer graph */
};

struct graph_function {
	const char *domain, *name;
	struct graph *body; /* inputs and outputs are the formal ones */
	struct graph_attr *presets;
	int n_presets;
};

struct graph_model {
	const char *path, *producer; /* producer may be NULL */
	const struct source *src;
	int opset; /* of the standard operators */
	struct graph *main;
	struct graph_function *functions;
	int n_functions;
	const char **names;              /* of values, printable */
	const struct graph_type **types; /* NULL: the file is silent */
	int n_values;
};

/* NULL if the node has no such attribute. */
const struct graph_attr *
graph_attr(const struct graph_node *n, const char *name);

/* The value that has this name in the outermost graph's inputs, or -1. */
int graph_input(const struct graph_model *m, const char *name);

/*
 * Put the nodes of `g` in an order in which they can run, keeping the given
 * one where it can.  `made_by` is scratch, one for each value of the model,
 * all -1 before and after.  Returns NULL, or a node that waits for itself.
 */
const struct graph_node *
graph_sort(struct arena *a, struct graph *g, int *made_by);

/* `s` with control characters and broken bytes replaced by '?'. */
const char *graph_printable(struct arena *a, const char *s);

#endif
