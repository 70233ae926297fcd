/*
 * Private to the onnx_*.c files here: values in flight, and one node at work.
 */
#ifndef MODEL_ONNX_PARTS_H
#define MODEL_ONNX_PARTS_H

#include "model/onnx_shape.h"

struct arena;

#define ONNX_MAX_ELEMS 1e13 /* of one tensor */

/* A tensor of the file, counted once however often it is read. */
struct weight {
	double elems;
	bool learned; /* an initialiser, or the weight of a product */
	bool counted;
};

struct val {
	bool known;
	enum elem_type type;
	int rank;
	double dims[GRAPH_MAX_RANK];
	bool constant; /* the same whatever the picture shows */
	bool bounded;
	double *v; /* its elements, if few; then n of them */
	int n;
	struct weight *weight; /* may be NULL */
	const char *file;      /* the side file that holds it, or NULL */
	bool int8;             /* restored from 8 bits */
	int tensor;            /* in the layers; -1: none */
};

struct infer {
	struct arena *a;
	const struct graph_model *m;
	struct onnx_net *net;
	struct layers *l;
	struct val *vals;  /* by value */
	const char **what; /* by operation: the operator's name */
	int n_what;
	struct weight **counted;
	int n_counted;
	int run, folded, depth;
	bool failed;
	struct diag *d;
};

/* One node: its rule fills `out` and what the operation costs. */
struct step {
	struct infer *x;
	const struct graph_node *n;
	struct step *caller;                   /* NULL in the outermost graph */
	const struct graph_function *function; /* it stands in, or NULL */
	const struct val **in;                 /* NULL: left out */
	int n_in;
	struct val *out;
	int n_out;
	struct op op;    /* word, class, product ...; no tensors yet */
	unsigned learns; /* bit i: input i holds weights; 0: the operator
			    is one whose constants count as they come */
	bool done;       /* its operations are in the list already */
	bool unknown;    /* it has no rule for this case */
};

typedef bool onnx_rule(struct step *s);

/* One operator; rules are shared by operators of one shape. */
struct onnx_op {
	const char *name;
	onnx_rule *rule;
	enum layer_word word;
	enum op_class cls;
	enum act act;
};

/* The operator's entry, NULL if there is none. */
const struct onnx_op *onnx_op_find(const char *domain, const char *name);

/* Report at the node and give up. */
bool onnx_fail(struct step *s, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool onnx_is(const struct step *s, const char *op);
/* Report at the file as a whole and give up. */
bool onnx_fail_file(struct infer *x, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Give every input of the network its shape; false after reporting. */
bool onnx_set_inputs(struct infer *x, const struct onnx_size *sizes, int n);
/* A tensor of the layers for `v`, a view of tensor `of` unless that is -1. */
int onnx_new_tensor(struct infer *x, const struct val *v, int of);
/* Outputs and cost of an operator that has no rule. */
bool onnx_bound(struct step *s);

/* Attributes; a function's may be those of its caller. */
const struct graph_attr *onnx_attr(const struct step *s, const char *name);
double onnx_int(const struct step *s, const char *name, double preset);
const char *
onnx_text(const struct step *s, const char *name, const char *preset);
/* Entry i of a list of whole numbers, `preset` where it ends. */
double onnx_ints(const struct step *s, const char *name, int i, double preset);
int onnx_ints_count(const struct step *s, const char *name);

/* A body graph in an attribute, NULL if there is none. */
const struct graph *onnx_body(const struct step *s, const char *name);

/* Input i, NULL if it is left out. */
const struct val *onnx_in(const struct step *s, int i);
/* The same; reports when it is left out. */
const struct val *onnx_need(struct step *s, int i);
/*
 * The elements of input i.  NULL if they are not known; an input in a side
 * file is an error.
 */
const double *onnx_values(struct step *s, int i, int *n);
/*
 * A list that newer operators take as input i and older ones as an
 * attribute; NULL with *n == 0 when stated nowhere, NULL with *n < 0 when
 * it is not known.
 */
const double *onnx_list(struct step *s, int i, const char *attr, int *n);

double val_elems(const struct val *v);
/* The axis `at` (below zero: from the end), or -1 after reporting. */
int onnx_axis(struct step *s, double at, int rank);
/* Output i gets this shape and `type`; false after reporting. */
bool onnx_out(struct step *s, int i, enum elem_type type, const double *dims,
    int rank);
bool onnx_out_like(struct step *s, int i, const struct val *like);
/* The shape of operands joined element by element. */
bool
onnx_broadcast(struct step *s, double *dims, int *rank, const struct val *v);
/* `count` products of m x k by k x n. */
void onnx_product(struct step *s, double m, double n, double k, double count);

/*
 * Calculation.
 */

/* Room for the elements of output i, NULL if they are too many. */
double *onnx_fold(struct step *s, int i);
/*
 * out[i] = in[start + sum of index * stride] for every element of output
 * `i`; nothing if the elements of `in` are not known.
 */
void onnx_fold_strided(struct step *s, int i, const struct val *in,
    double start, const double *stride);
/* Distances of neighbours along each axis, row by row. */
void val_strides(const struct val *v, double *stride);
/* The same seen from a shape that `v` is spread over. */
void val_spread(const struct val *v, int rank, double *stride);
/* Elements of output 0 of an operator on single elements. */
void onnx_fold_elements(struct step *s);
void onnx_fold_reduce(struct step *s, const bool *reduced);

/* Rules that run graphs: If, Loop, Scan, functions. */
bool onnx_run_graph(struct infer *x, const struct graph *g, struct step *caller,
    const struct graph_function *f);
bool onnx_if(struct step *s);
bool onnx_loop(struct step *s);
bool onnx_scan(struct step *s);

/* Rules by kind. */
bool onnx_conv(struct step *s);
bool onnx_deform_conv(struct step *s);
bool onnx_conv_transpose(struct step *s);
bool onnx_pool(struct step *s);
bool onnx_global_pool(struct step *s);
bool onnx_matmul(struct step *s);
bool onnx_gemm(struct step *s);
bool onnx_einsum(struct step *s);
bool onnx_recurrent(struct step *s);
bool onnx_attention(struct step *s);
bool onnx_packed_attention(struct step *s);

bool onnx_reshape(struct step *s);
bool onnx_flatten(struct step *s);
bool onnx_squeeze(struct step *s);
bool onnx_unsqueeze(struct step *s);
bool onnx_transpose(struct step *s);
bool onnx_concat(struct step *s);
bool onnx_split(struct step *s);
bool onnx_slice(struct step *s);
bool onnx_gather(struct step *s);
bool onnx_gather_nd(struct step *s);
bool onnx_gather_elements(struct step *s);
bool onnx_scatter(struct step *s);
bool onnx_expand_to(struct step *s);
bool onnx_tile(struct step *s);
bool onnx_pad(struct step *s);
bool onnx_depth_space(struct step *s);

/* element by element (onnx_each.c) */
bool onnx_same(struct step *s);
bool onnx_identity(struct step *s);
bool onnx_elementwise(struct step *s);
bool onnx_prelu(struct step *s);
bool onnx_join_quantised(struct step *s);
bool onnx_bias_join(struct step *s);
bool onnx_cast(struct step *s);
bool onnx_test(struct step *s);
bool onnx_quantize(struct step *s);
bool onnx_dequantize(struct step *s);
bool onnx_dynamic_quantize(struct step *s);

/* norms and reductions (onnx_reduce.c) */
bool onnx_batch_norm(struct step *s);
bool onnx_layer_norm(struct step *s);
bool onnx_group_norm(struct step *s);
bool onnx_reduce(struct step *s);
bool onnx_arg_max(struct step *s);
bool onnx_top_k(struct step *s);

/* values (onnx_value.c) */
bool onnx_constant(struct step *s);
bool onnx_constant_of_shape(struct step *s);
bool onnx_shape(struct step *s);
bool onnx_size(struct step *s);
bool onnx_range(struct step *s);
bool onnx_one_hot(struct step *s);
bool onnx_made_up(struct step *s);

/* pictures (onnx_picture.c) */
bool onnx_resize(struct step *s);
bool onnx_grid_sample(struct step *s);
bool onnx_roi_align(struct step *s);
bool onnx_non_max(struct step *s);
bool onnx_non_zero(struct step *s);
bool onnx_compress(struct step *s);

/*
 * Join what exporters take apart: x times sigmoid of x, the layer norms and
 * GELUs written as their formulas.
 */
void onnx_join(struct infer *x);

#endif
