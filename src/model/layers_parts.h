/*
 * Private to layers.c, layers_names.c and layers_ops.c: the state of one
 * expansion.
 */
#ifndef MODEL_LAYERS_PARTS_H
#define MODEL_LAYERS_PARTS_H

#include "data/layers.h"

struct arena;

enum { LAYERS_MAX_NAME = 200 }; /* bytes of a name or a list of names */

/* A name stands for one tensor, or for a list of them. */
struct tensor_name {
	const char *name;
	int *ids, n;
};

struct layer_var {
	const char *name;
	double v;
};

/* What one use of a block can see. */
struct layer_scope {
	struct layer_var *vars;
	int n_vars;
	struct tensor_name *names;
	int n_names;
	const char *path;
	bool shared; /* its parameters were counted before */
};

struct expansion {
	struct arena *a;
	const struct layer_book *book;
	struct layers *l;
	struct layer_scope *scope;
	int current; /* the tensor made last */
	int depth, steps, names;
	bool failed;
	struct diag *d;
};

/* Report at a statement, or at one of its attributes, and give up. */
bool
layers_fail(struct expansion *x, const struct layer_stmt *s, const char *attr,
    const char *id, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The value of `text`, an attribute of the statement. */
bool layers_evaluate(struct expansion *x, const struct layer_stmt *s,
    const char *attr, const char *text, double *v);
/* The attribute's value, `preset` when missing. */
double layers_num(struct expansion *x, const struct layer_stmt *s,
    const char *attr, double preset);
/* The same for whole numbers of at least `min`. */
double layers_whole(struct expansion *x, const struct layer_stmt *s,
    const char *attr, double preset, double min);
/* The tensors an attribute names; false after reporting. */
bool layers_named(struct expansion *x, const struct layer_stmt *s,
    const char *attr, int **ids, int *n);
/* The text with every {expression} replaced by its value. */
const char *layers_fill(struct expansion *x, const struct layer_stmt *s,
    const char *attr, const char *text);
struct tensor_name *
layers_find_name(const struct expansion *x, const char *s, size_t len);
/* NULL after reporting that there are too many. */
struct tensor_name *layers_new_name(struct expansion *x,
    const struct layer_stmt *s, const char *name);
/* "x" names the current tensor anew; "+x" puts it at the end of a list. */
bool layers_set_name(struct expansion *x, const struct layer_stmt *s,
    const char *name);
const struct shape *layers_shape(const struct expansion *x, int tensor);

/* Carry out one layer: its operations are added, `current` moves on. */
bool layers_op(struct expansion *x, const struct layer_stmt *s);

#endif
