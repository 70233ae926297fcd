/*
 * What a runtime makes of the layers: which ones share a kernel, what each
 * kernel reads and writes, and which buffers live at the same time.
 */
#include <string.h>

#include "base/arena.h"
#include "model/layers.h"
#include "model/layers_parts.h"

/* One fusion in the making. */
struct fusing {
	const struct layers *l;
	enum engine engine;
	struct kernels *ks;
	struct arena *a;
	int *base;      /* by tensor: the buffer it is a view of */
	int *readers;   /* by buffer: operations that read it */
	int *made_by;   /* by buffer: the kernel that wrote it, or -1 */
	int *kernel_of; /* by operation; -1 for those that are free */
	bool *output;
};

static bool
is_matrix(enum op_class c)
{
	return c == OP_CONV || c == OP_GROUPED || c == OP_DEPTHWISE ||
	       c == OP_LINEAR;
}

/* Works on each element by itself. */
static bool
is_pointwise(const struct op *op)
{
	return op->cls == OP_ELEMENTWISE && op->word != LAYER_SAMPLE &&
	       op->word != LAYER_ROI && op->word != LAYER_RESIZE;
}

/* TensorRT: what a convolution takes with it. */
static bool
joins_tensorrt(const struct op *lead, const struct op *op)
{
	if (is_matrix(lead->cls))
		return op->word == LAYER_ACT || op->word == LAYER_ADD ||
		       op->word == LAYER_NORM || op->word == LAYER_PARAM;
	return is_pointwise(lead);
}

/* Compilers: passes join passes, a reduction ends one. */
static bool
joins_compiled(const struct op *lead, const struct op *op)
{
	bool pass = lead->cls == OP_ELEMENTWISE || lead->cls == OP_COPY;

	if (op->cls == OP_NORM)
		return pass;
	return pass || lead->cls == OP_NORM;
}

static bool
may_join(const struct fusing *f, const struct op *lead, const struct op *op)
{
	switch (f->engine) {
	case ENGINE_TENSORRT:
	case ENGINE_PADDLE: return is_pointwise(op) && joins_tensorrt(lead, op);
	case ENGINE_COMPILED:
		if (lead->word == LAYER_SAMPLE || lead->word == LAYER_ROI ||
		    op->word == LAYER_SAMPLE || op->word == LAYER_ROI)
			return false;
		return (op->cls == OP_ELEMENTWISE || op->cls == OP_NORM ||
			   op->cls == OP_COPY) &&
		       joins_compiled(lead, op);
	default: return false;
	}
}

/* A concatenation costs nothing: its parts are written in place. */
static bool
is_free(const struct fusing *f, const struct op *op)
{
	if (op->cls == OP_VIEW)
		return true;
	return op->word == LAYER_CONCAT &&
	       (f->engine == ENGINE_TENSORRT || f->engine == ENGINE_PADDLE ||
		   f->engine == ENGINE_COMPILED);
}

/* The kernel the operation can be part of, or -1. */
static int
join_kernel(const struct fusing *f, const struct op *op)
{
	int best = -1, from = -1;

	for (int j = 0; j < op->n_in; j++) {
		int b = f->base[op->in[j]];

		if (f->made_by[b] > best) {
			best = f->made_by[b];
			from = b;
		}
	}
	if (best < 0 || f->readers[from] != 1 || f->output[from] ||
	    f->ks->k[best].out != from)
		return -1;
	return may_join(f, &f->l->ops[f->ks->k[best].first], op) ? best : -1;
}

static int
new_kernel(struct fusing *f, const struct op *op, int i)
{
	struct kernels *ks = f->ks;
	struct kernel *k = arena_push(f->a, &ks->k, &ks->n, sizeof(*k));

	*k = (struct kernel){.cls = op->cls,
	    .first = i,
	    .macs = op->macs,
	    .m = op->m,
	    .n = op->n,
	    .k = op->k,
	    .count = op->count,
	    .kernel = op->kernel,
	    .stride = op->stride,
	    .steps = op->steps,
	    .times = 1};
	return ks->n - 1;
}

/*
 * Bytes of forward and backward pass over those of the forward pass.  A
 * product is followed by two of its size.  A batch norm reads its input twice
 * forward and three tensors backward; an activation reads what it wrote and
 * the gradient; an addition hands the gradient on as it is.
 */
static double
train_bytes(const struct op *op)
{
	switch (op->word) {
	case LAYER_NORM: return 4;
	case LAYER_ADD: return 1.3;
	case LAYER_CONCAT:
	case LAYER_REARRANGE: return 2;
	default: return is_matrix(op->cls) || op->cls == OP_ATTENTION ? 3 : 2.5;
	}
}

static void
place(struct fusing *f, int i)
{
	const struct op *op = &f->l->ops[i];
	struct kernel *k;
	int at;

	f->kernel_of[i] = -1;
	if (is_free(f, op))
		return;
	at = join_kernel(f, op);
	if (at < 0)
		at = new_kernel(f, op, i);
	k = &f->ks->k[at];
	k->ops++;
	k->train = k->train > train_bytes(op) ? k->train : train_bytes(op);
	k->weight_elems += op->weights;
	k->out = op->out;
	f->kernel_of[i] = at;
	f->made_by[op->out] = at;
}

/*
 * Elements a kernel reads from and writes to memory.  A tensor made and read
 * inside the kernel only never leaves it.
 */
static void
count_elements(struct fusing *f)
{
	const struct layers *l = f->l;
	int *inside = arena_alloc(f->a, (size_t)l->n_tensors, sizeof(int));

	for (int i = 0; i < l->n_ops; i++) {
		const struct op *op = &l->ops[i];
		int at = f->kernel_of[i];

		for (int j = 0; at >= 0 && j < op->n_in; j++) {
			int b = f->base[op->in[j]];

			if (f->made_by[b] == at)
				inside[b]++;
			else
				f->ks->k[at].in_elems +=
				    shape_elems(l->tensors[op->in[j]].shape);
		}
	}
	for (int i = 0; i < l->n_ops; i++) {
		int at = f->kernel_of[i], out = l->ops[i].out;

		if (at >= 0 && (f->output[out] || f->readers[out] == 0 ||
				   f->readers[out] > inside[out]))
			f->ks->k[at].out_elems +=
			    shape_elems(l->tensors[out].shape);
	}
}

static void
count_readers(struct fusing *f)
{
	const struct layers *l = f->l;

	for (int t = 0; t < l->n_tensors; t++) {
		f->made_by[t] = -1;
		f->base[t] =
		    l->tensors[t].of < 0 ? t : f->base[l->tensors[t].of];
	}
	for (int i = 0; i < l->n_ops; i++)
		for (int j = 0; l->ops[i].cls != OP_VIEW && j < l->ops[i].n_in;
		     j++)
			f->readers[f->base[l->ops[i].in[j]]]++;
	for (int i = 0; i < l->n_outputs; i++)
		f->output[f->base[l->outputs[i]]] = true;
}

static void *
per_tensor(struct arena *a, const struct layers *l, size_t size)
{
	return arena_alloc(a, (size_t)l->n_tensors, size);
}

struct kernels *
layers_fused(struct arena *a, const struct layers *l, enum engine e)
{
	struct kernels *ks = arena_alloc(a, 1, sizeof(*ks));
	struct fusing f = {.l = l, .engine = e, .ks = ks, .a = a};

	ks->engine = e;
	f.base = per_tensor(a, l, sizeof(int));
	f.readers = per_tensor(a, l, sizeof(int));
	f.made_by = per_tensor(a, l, sizeof(int));
	f.output = per_tensor(a, l, sizeof(bool));
	f.kernel_of = arena_alloc(a, (size_t)l->n_ops, sizeof(int));
	count_readers(&f);
	for (int i = 0; i < l->n_ops; i++)
		place(&f, i);
	count_elements(&f);
	for (int i = 0; i < ks->n; i++) {
		ks->launches += ks->k[i].steps;
		ks->elems += ks->k[i].in_elems + ks->k[i].out_elems;
		ks->weights += ks->k[i].weight_elems;
	}
	ks->kernel_of = f.kernel_of;
	return ks;
}

static bool
are_equal(const struct kernel *a, const struct kernel *b)
{
	return a->cls == b->cls && a->macs == b->macs && a->m == b->m &&
	       a->n == b->n && a->k == b->k && a->count == b->count &&
	       a->in_elems == b->in_elems && a->out_elems == b->out_elems &&
	       a->weight_elems == b->weight_elems && a->kernel == b->kernel &&
	       a->stride == b->stride && a->steps == b->steps &&
	       a->train == b->train;
}

struct kernels *
kernels_joined(struct arena *a, const struct kernels *ks)
{
	struct kernels *j = arena_alloc(a, 1, sizeof(*j));

	*j = *ks;
	j->kernel_of = NULL;
	j->k = arena_alloc(a, (size_t)ks->n + 1, sizeof(*j->k));
	j->n = 0;
	for (int i = 0; i < ks->n; i++) {
		int same = 0;

		while (same < j->n && !are_equal(&j->k[same], &ks->k[i]))
			same++;
		if (same == j->n)
			j->k[j->n++] = ks->k[i];
		else
			j->k[same].times += ks->k[i].times;
	}
	return j;
}

double
kernels_bytes(const struct kernels *k, double elem, int batch)
{
	return elem * (k->elems * batch + k->weights);
}

/*
 * Memory.
 */

/* A buffer from the kernel that first writes to the one that last reads. */
struct life {
	int of; /* the buffer it is part of, or -1 */
	int from, to;
	bool used;
};

static int
whole_of(const struct life *life, int t)
{
	while (life[t].of >= 0)
		t = life[t].of;
	return t;
}

/* Views, parts of a free concatenation, activations done in place. */
static void
merge(struct life *life, const struct layers *l, const struct kernels *ks)
{
	for (int t = 0; t < l->n_tensors; t++)
		life[t] = (struct life){l->tensors[t].of, -1, -1, false};
	for (int i = 0; i < l->n_ops; i++) {
		const struct op *op = &l->ops[i];
		double room = shape_elems(l->tensors[op->out].shape);

		if (op->word != LAYER_CONCAT || ks->kernel_of[i] >= 0)
			continue;
		for (int j = 0; j < op->n_in; j++) {
			int b = whole_of(life, op->in[j]);

			if (b != op->out &&
			    shape_elems(l->tensors[b].shape) <= room)
				life[b].of = op->out;
		}
	}
}

static void
extend(struct life *life, int t, int at)
{
	struct life *b = &life[whole_of(life, t)];

	if (!b->used || at < b->from)
		b->from = at;
	if (!b->used || at > b->to)
		b->to = at;
	b->used = true;
}

/* A tensor that stays inside its kernel takes no memory. */
static bool
is_inside(const int *made_by, const int *last_read, const bool *mixed, int t)
{
	return made_by[t] >= 0 && !mixed[t] && last_read[t] == made_by[t];
}

static void
find_lives(struct arena *a, struct life *life, const struct layers *l,
    const struct kernels *ks)
{
	int *made_by = per_tensor(a, l, sizeof(int));
	int *last_read = per_tensor(a, l, sizeof(int));
	bool *mixed = per_tensor(a, l, sizeof(bool));

	for (int t = 0; t < l->n_tensors; t++)
		made_by[t] = last_read[t] = -1;
	for (int i = 0; i < l->n_ops; i++) {
		int at = ks->kernel_of[i];

		for (int j = 0; j < l->ops[i].n_in; j++) {
			int t = l->ops[i].in[j];

			mixed[t] |=
			    at < 0 || (last_read[t] >= 0 && last_read[t] != at);
			last_read[t] = at;
		}
		made_by[l->ops[i].out] = at;
	}
	extend(life, 0, 0);
	for (int i = 0; i < l->n_ops; i++) {
		int at = ks->kernel_of[i], out = l->ops[i].out;

		for (int j = 0; at >= 0 && j < l->ops[i].n_in; j++)
			if (!is_inside(made_by, last_read, mixed,
				l->ops[i].in[j]))
				extend(life, l->ops[i].in[j], at);
		if (at >= 0 && !is_inside(made_by, last_read, mixed, out))
			extend(life, out, at);
	}
	for (int i = 0; i < l->n_outputs; i++)
		extend(life, l->outputs[i], ks->n - 1);
}

double
layers_activation_peak(struct arena *a, const struct layers *l,
    const struct kernels *ks, bool keep_all, int *at)
{
	struct life *life = per_tensor(a, l, sizeof(*life));
	double *change = arena_alloc(a, (size_t)ks->n + 1, sizeof(double));
	double live = 0, most = 0;

	merge(life, l, ks);
	find_lives(a, life, l, ks);
	for (int t = 0; t < l->n_tensors; t++) {
		if (!life[t].used || life[t].of >= 0)
			continue;
		change[life[t].from] += shape_elems(l->tensors[t].shape);
		if (!keep_all)
			change[life[t].to + 1] -=
			    shape_elems(l->tensors[t].shape);
	}
	for (int k = 0; k < ks->n; k++) {
		live += change[k];
		if (live <= most)
			continue;
		most = live;
		if (at)
			*at = k;
	}
	return most;
}
