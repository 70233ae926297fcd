/*
 * Put together what exporters take apart.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

struct joining {
	struct layers *l;
	const char **what; /* by operation: the operator */
	int *made_by;      /* by tensor: the operation, or -1 */
	int *readers;      /* by tensor; outputs of the network count too */
	bool *gone;        /* by operation */
};

enum { LONGEST = 6 }; /* operators of an activation's formula */

static bool
is(const struct joining *j, int op, const char *name)
{
	return op >= 0 && str_equal(j->what[op], name);
}

/* The operation that makes input i of `op`, if nothing else reads it. */
static int
maker(const struct joining *j, int op, int i)
{
	int t = j->l->ops[op].in[i];

	return j->readers[t] == 1 ? j->made_by[t] : -1;
}

static bool
is_pass(const struct joining *j, int op)
{
	const struct op *o = &j->l->ops[op];

	return o->cls == OP_ELEMENTWISE && o->n_in == 1 && !j->gone[op] &&
	       (o->word == LAYER_ACT || o->word == LAYER_PARAM);
}

/*
 * The passes from tensor `from` down to `t`, newest first, each read by the
 * next only; -1 if there is no such chain, else its length.
 */
static int
chain(const struct joining *j, int t, int from, int *ops)
{
	for (int n = 0; n <= LONGEST; n++) {
		int op = j->made_by[t];

		if (t == from)
			return n;
		if (n == LONGEST || op < 0 || j->readers[t] != 1 ||
		    !is_pass(j, op))
			return -1;
		ops[n] = op;
		t = j->l->ops[op].in[0];
	}
	return -1;
}

/* The tensor the passes above `t` begin at, at most `most` of them. */
static int
origin(const struct joining *j, int t, int most)
{
	for (int n = 0; n < most; n++) {
		int op = j->made_by[t];

		if (op < 0 || j->readers[t] != 1 || !is_pass(j, op))
			break;
		t = j->l->ops[op].in[0];
	}
	return t;
}

/* The activation whose gate these passes compute. */
static enum act
gate(const struct joining *j, const int *ops, int n)
{
	enum act found = ACT_NONE;

	for (int i = 0; i < n; i++) {
		if (is(j, ops[i], "Sigmoid"))
			found = ACT_SILU;
		else if (is(j, ops[i], "HardSigmoid") || is(j, ops[i], "Clip"))
			found = ACT_HSWISH;
		else if (is(j, ops[i], "Erf"))
			found = ACT_GELU;
		else if (is(j, ops[i], "Softplus"))
			found = ACT_MISH;
		else if (is(j, ops[i], "Tanh") && found == ACT_NONE)
			found = ACT_MISH;
	}
	return found;
}

/* `op` takes the place of the operations in the list; it reads `from`. */
static void
replace(struct joining *j, int op, const int *ops, int n, int from)
{
	struct op *o = &j->l->ops[op];

	for (int i = 0; i < n; i++) {
		j->gone[ops[i]] = true;
		o->params += j->l->ops[ops[i]].params;
		o->weights += j->l->ops[ops[i]].weights;
	}
	o->n_in = 1;
	o->in[0] = from;
}

/* x times a gate of x, x perhaps scaled on the way. */
static void
join_gate(struct joining *j, int op)
{
	struct op *o = &j->l->ops[op];
	int a[LONGEST], b[2 * LONGEST], from, n, m;
	enum act act;

	if (o->word != LAYER_MUL || o->n_in != 2 || o->in[0] == o->in[1])
		return;
	for (int swap = 0; swap < 2; swap++) {
		int plain = o->in[swap], gated = o->in[!swap];

		for (int most = 0; most < 2; most++) {
			from = origin(j, plain, most);
			n = chain(j, plain, from, a);
			m = chain(j, gated, from, b);
			if (n < 0 || m < 1 || (act = gate(j, b, m)) == ACT_NONE)
				continue;
			memcpy(b + m, a, (size_t)n * sizeof(int));
			replace(j, op, b, m + n, from);
			o->word = LAYER_ACT;
			o->act = act;
			j->readers[from]--;
			return;
		}
	}
}

/*
 * (x - mean) / sqrt(mean((x - mean)^2) + small): the operations from the
 * division up.
 */
static bool
find_norm(const struct joining *j, int div, int *ops, int *n, int *from)
{
	const struct op *o = &j->l->ops[div];
	int sub = j->made_by[o->in[0]], root, add, mean, square, first;

	if (!is(j, sub, "Sub") || j->l->ops[sub].n_in != 2 ||
	    !is(j, root = maker(j, div, 1), "Sqrt") ||
	    !is(j, add = maker(j, root, 0), "Add") ||
	    !is(j, mean = maker(j, add, 0), "ReduceMean"))
		return false;
	square = maker(j, mean, 0);
	if ((!is(j, square, "Pow") && !is(j, square, "Mul")) ||
	    j->l->ops[square].in[0] != o->in[0])
		return false;
	/* nobody else may want the difference */
	if (j->readers[o->in[0]] != 1 + j->l->ops[square].n_in)
		return false;
	*from = j->l->ops[sub].in[0];
	first = maker(j, sub, 1);
	if (!is(j, first, "ReduceMean") || j->l->ops[first].in[0] != *from)
		return false;
	*n = 0;
	ops[(*n)++] = sub;
	ops[(*n)++] = root;
	ops[(*n)++] = add;
	ops[(*n)++] = mean;
	ops[(*n)++] = square;
	ops[(*n)++] = first;
	return true;
}

static void
join_norm(struct joining *j, int op)
{
	struct op *o = &j->l->ops[op];
	int ops[8], n, from;

	if (!is(j, op, "Div") || o->n_in != 2 ||
	    !find_norm(j, op, ops, &n, &from))
		return;
	replace(j, op, ops, n, from);
	j->readers[from]--;
	o->word = LAYER_NORM;
	o->cls = OP_NORM;
	o->norm = NORM_LAYER;
}

/* The scale and shift of a norm are part of it. */
static void
join_affine(struct joining *j, int op)
{
	struct op *o = &j->l->ops[op];
	int norm;

	if (o->word != LAYER_PARAM || o->n_in != 1 || o->params <= 0 ||
	    (!is(j, op, "Mul") && !is(j, op, "Add")))
		return;
	norm = maker(j, op, 0);
	if (norm < 0 || j->gone[norm] || j->l->ops[norm].word != LAYER_NORM ||
	    j->l->ops[norm].norm == NORM_BATCH)
		return;
	replace(j, op, &norm, 1, j->l->ops[norm].in[0]);
	o->word = LAYER_NORM;
	o->cls = OP_NORM;
	o->norm = j->l->ops[norm].norm;
}

/* Operations move up; what they make and read keeps its number. */
static void
close_gaps(struct joining *j)
{
	int n = 0;

	for (int i = 0; i < j->l->n_ops; i++)
		if (!j->gone[i])
			j->l->ops[n++] = j->l->ops[i];
	j->l->n_ops = n;
}

void
onnx_join(struct infer *x)
{
	struct layers *l = x->l;
	size_t tensors = (size_t)l->n_tensors, ops = (size_t)l->n_ops;
	struct joining j = {.l = l,
	    .what = x->what,
	    .made_by = arena_alloc(x->a, tensors, sizeof(int)),
	    .readers = arena_alloc(x->a, tensors, sizeof(int)),
	    .gone = arena_alloc(x->a, ops, sizeof(bool))};

	memset(j.made_by, 0xff, tensors * sizeof(int));
	for (int i = 0; i < l->n_ops; i++) {
		j.made_by[l->ops[i].out] = i;
		for (int k = 0; k < l->ops[i].n_in; k++)
			j.readers[l->ops[i].in[k]]++;
	}
	for (int i = 0; i < l->n_outputs; i++)
		j.readers[l->outputs[i]]++;
	for (int i = 0; i < l->n_ops; i++) {
		join_gate(&j, i);
		join_norm(&j, i);
		join_affine(&j, i);
	}
	close_gaps(&j);
}
