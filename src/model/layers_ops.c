/*
 * One layer of the language to operations with shapes and costs.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/layers.h"
#include "model/layers_parts.h"

#define MAX_ELEMS 1e13

/* Sides of a kernel window; d is the depth of volumes. */
struct window {
	double k[3], s[3], p[3], dil; /* d, h, w */
};

static int
add_tensor(struct expansion *x, const struct layer_stmt *st, struct shape sh,
    int of)
{
	struct layers *l = x->l;
	const double side[] = {sh.n, sh.c, sh.d, sh.h, sh.w};

	for (int i = 0; i < 5; i++)
		if (!(side[i] >= 1 && side[i] <= LAYERS_MAX_SIDE))
			layers_fail(x, st, NULL, "layers-shape",
			    "'%s' would make a tensor of %g x %g x %g x %g",
			    layer_word_id(st->word), sh.n * sh.c, sh.d, sh.h,
			    sh.w);
	if (shape_elems(sh) > MAX_ELEMS)
		layers_fail(x, st, NULL, "layers-limit",
		    "the tensor has more than 10^13 elements");
	if (x->failed)
		return 0;
	*(struct tensor *)arena_push(x->a, &l->tensors, &l->n_tensors,
	    sizeof(struct tensor)) = (struct tensor){sh, of};
	return l->n_tensors - 1;
}

/* Add an operation with one output of shape `sh`; it becomes current. */
static struct op *
add_op(struct expansion *x, const struct layer_stmt *st, enum layer_word word,
    enum op_class cls, const int *in, int n_in, struct shape sh)
{
	struct layers *l = x->l;
	int out = add_tensor(x, st, sh, cls == OP_VIEW ? in[0] : -1);
	struct op *op;

	if (l->n_ops >= LAYERS_MAX_OPS)
		layers_fail(x, st, NULL, "layers-limit",
		    "the network has more than %d operations", LAYERS_MAX_OPS);
	if (x->failed)
		return NULL;
	op = arena_push(x->a, &l->ops, &l->n_ops, sizeof(*op));
	*op = (struct op){.word = word,
	    .cls = cls,
	    .path = x->scope->path,
	    .n_in = n_in,
	    .out = out,
	    .count = 1,
	    .steps = 1};
	op->in = arena_alloc(x->a, (size_t)n_in, sizeof(int));
	memcpy(op->in, in, (size_t)n_in * sizeof(int));
	x->current = out;
	return op;
}

static void
set_params(struct expansion *x, const struct layer_stmt *st, struct op *op,
    double params)
{
	op->weights = params;
	if (!x->scope->shared && layers_num(x, st, "shared", 0) == 0)
		op->params = params;
}

/* `count` products of m x k by k x n. */
static void
set_product(struct op *op, double m, double n, double k, double count)
{
	op->m = m;
	op->n = n;
	op->k = k;
	op->count = count;
	op->macs = m * n * k * count;
}

/* An operation on every element of the current tensor. */
static struct op *
add_pass(struct expansion *x, const struct layer_stmt *st, enum layer_word word,
    enum op_class cls)
{
	int in = x->current;

	return add_op(x, st, word, cls, &in, 1, *layers_shape(x, in));
}

static bool
add_norm(struct expansion *x, const struct layer_stmt *st, enum norm kind,
    double params)
{
	struct op *op = add_pass(x, st, LAYER_NORM,
	    kind == NORM_BATCH ? OP_ELEMENTWISE : OP_NORM);

	if (!op)
		return false;
	op->norm = kind;
	set_params(x, st, op, params);
	return true;
}

static bool
add_act(struct expansion *x, const struct layer_stmt *st, const char *attr)
{
	double kind = layers_whole(x, st, attr, ACT_NONE, 0);
	struct op *op;

	if (kind >= ACT_N)
		return layers_fail(x, st, attr, "layers-range",
		    "unknown activation");
	if (x->failed || kind == ACT_NONE)
		return !x->failed;
	op = add_pass(x, st, LAYER_ACT, OP_ELEMENTWISE);
	if (!op)
		return false;
	op->act = (enum act)kind;
	if (op->act == ACT_PRELU)
		set_params(x, st, op, layers_shape(x, op->out)->c);
	return true;
}

/* What may follow a convolution or a linear layer: bn="yes" act="...". */
static bool
add_tail(struct expansion *x, const struct layer_stmt *st, bool bn)
{
	double c = layers_shape(x, x->current)->c;

	if (bn && !add_norm(x, st, NORM_BATCH, 2 * c))
		return false;
	return add_act(x, st, "act");
}

/* The input named by `from`, else the current tensor. */
static bool
take_input(struct expansion *x, const struct layer_stmt *st)
{
	int *ids = NULL, n = 0;

	if (!layers_named(x, st, "from", &ids, &n))
		return false;
	if (n > 1)
		return layers_fail(x, st, "from", "layers-inputs",
		    "'%s' reads one tensor", layer_word_id(st->word));
	if (n == 1)
		x->current = ids[0];
	return true;
}

/* All inputs: `from`, or the current tensor, and those of `with`. */
static bool
take_inputs(struct expansion *x, const struct layer_stmt *st, int **ids, int *n)
{
	if (!layers_named(x, st, "from", ids, n))
		return false;
	if (*n == 0)
		*(int *)arena_push(x->a, ids, n, sizeof(int)) = x->current;
	x->current = (*ids)[0];
	return layers_named(x, st, "with", ids, n);
}

/*
 * Convolutions.
 */

/* k, s and p, each also per axis: kh, kw ... */
static struct window
read_window(struct expansion *x, const struct layer_stmt *st, double k,
    double s)
{
	static const char *const axes[3][3] = {{"kd", "sd", "pd"},
	    {"kh", "sh", "ph"}, {"kw", "sw", "pw"}};
	struct window w;
	bool flat = layers_shape(x, x->current)->d == 1;

	w.dil = layer_attr(st, "dil") ? layers_whole(x, st, "dil", 1, 1) : 1;
	k = layers_whole(x, st, "k", k, 1);
	s = layers_whole(x, st, "s", s > 0 ? s : k, 1);
	for (int i = 0; i < 3; i++) {
		bool none = i == 0 && flat;
		double preset;

		w.k[i] = layers_whole(x, st, axes[i][0], none ? 1 : k, 1);
		w.s[i] = layers_whole(x, st, axes[i][1], none ? 1 : s, 1);
		preset = w.s[i] >= w.k[i] ? 0 : floor(w.dil * (w.k[i] - 1) / 2);
		if (layer_attr(st, "p") && !none)
			preset = layers_whole(x, st, "p", 0, 0);
		w.p[i] = layers_whole(x, st, axes[i][2], preset, 0);
	}
	return w;
}

static double
slide(double in, const struct window *w, int axis, bool up)
{
	double steps =
	    (in + 2 * w->p[axis] - w->dil * (w->k[axis] - 1) - 1) / w->s[axis];

	return (up ? ceil(steps) : floor(steps)) + 1;
}

static struct shape
slide_shape(struct shape in, const struct window *w, bool up)
{
	in.d = slide(in.d, w, 0, up);
	in.h = slide(in.h, w, 1, up);
	in.w = slide(in.w, w, 2, up);
	return in;
}

static double
taps(const struct window *w)
{
	return w->k[0] * w->k[1] * w->k[2];
}

static double
check_groups(struct expansion *x, const struct layer_stmt *st, double in,
    double out, double groups)
{
	if (fmod(in, groups) == 0 && fmod(out, groups) == 0)
		return groups;
	layers_fail(x, st, "groups", "layers-groups",
	    "%g groups do not divide %g and %g channels", groups, in, out);
	return 1;
}

static enum op_class
conv_class(double in, double groups)
{
	if (groups == 1)
		return OP_CONV;
	return groups == in ? OP_DEPTHWISE : OP_GROUPED;
}

static bool
add_conv(struct expansion *x, const struct layer_stmt *st, double out_c,
    double groups, double k)
{
	struct shape in = *layers_shape(x, x->current), out;
	struct window w = read_window(x, st, k, 1);
	bool bn = layers_num(x, st, "bn", 0) != 0;
	bool bias = layers_num(x, st, "bias", !bn) != 0;
	int from = x->current;
	struct op *op;

	groups = check_groups(x, st, in.c, out_c, groups);
	out = slide_shape(in, &w, layers_num(x, st, "ceil", 0) != 0);
	out.c = out_c;
	if (x->failed)
		return false;
	op = add_op(x, st, st->word, conv_class(in.c, groups), &from, 1, out);
	if (!op)
		return false;
	set_product(op, out.n * out.d * out.h * out.w, out_c / groups,
	    in.c / groups * taps(&w), groups);
	set_params(x, st, op,
	    out_c * in.c / groups * taps(&w) + (bias ? out_c : 0));
	op->kernel = (int)fmax(w.k[0], fmax(w.k[1], w.k[2]));
	op->stride = (int)fmax(w.s[0], fmax(w.s[1], w.s[2]));
	return add_tail(x, st, bn);
}

static bool
do_conv(struct expansion *x, const struct layer_stmt *st)
{
	double c = layers_shape(x, x->current)->c;
	double out = layers_whole(x, st, "out", c, 1);

	return add_conv(x, st, out, layers_whole(x, st, "groups", 1, 1), 1);
}

static bool
do_dwconv(struct expansion *x, const struct layer_stmt *st)
{
	double c = layers_shape(x, x->current)->c;
	double mult = layers_whole(x, st, "mult", 1, 1);

	return add_conv(x, st, c * mult, c, 3);
}

static bool
do_deconv(struct expansion *x, const struct layer_stmt *st)
{
	struct shape in = *layers_shape(x, x->current), out = in;
	struct window w = read_window(x, st, 2, 2);
	double extra = layers_whole(x, st, "outpad", 0, 0);
	double groups = layers_whole(x, st, "groups", 1, 1);
	bool bn = layers_num(x, st, "bn", 0) != 0;
	bool bias = layers_num(x, st, "bias", !bn) != 0;
	int from = x->current;
	struct op *op;

	out.c = layers_whole(x, st, "out", in.c, 1);
	groups = check_groups(x, st, in.c, out.c, groups);
	out.d =
	    (in.d - 1) * w.s[0] - 2 * w.p[0] + w.k[0] + (in.d > 1 ? extra : 0);
	out.h = (in.h - 1) * w.s[1] - 2 * w.p[1] + w.k[1] + extra;
	out.w = (in.w - 1) * w.s[2] - 2 * w.p[2] + w.k[2] + extra;
	if (x->failed)
		return false;
	op = add_op(x, st, st->word, conv_class(in.c, groups), &from, 1, out);
	if (!op)
		return false;
	set_product(op, in.n * in.d * in.h * in.w, out.c / groups * taps(&w),
	    in.c / groups, groups);
	set_params(x, st, op,
	    in.c * out.c / groups * taps(&w) + (bias ? out.c : 0));
	op->kernel = (int)w.k[2];
	op->stride = (int)w.s[2];
	return add_tail(x, st, bn);
}

/*
 * Matrix products.
 */

static bool
do_linear(struct expansion *x, const struct layer_stmt *st)
{
	struct shape in = *layers_shape(x, x->current), out = in;
	bool bn = layers_num(x, st, "bn", 0) != 0;
	bool bias = layers_num(x, st, "bias", !bn) != 0;
	int from = x->current;
	struct op *op;

	out.c = layers_whole(x, st, "out", in.c, 1);
	op = add_op(x, st, st->word, OP_LINEAR, &from, 1, out);
	if (!op)
		return false;
	set_product(op, in.n * in.d * in.h * in.w, out.c, in.c, 1);
	set_params(x, st, op, in.c * out.c + (bias ? out.c : 0));
	return add_tail(x, st, bn);
}

/* Sizes of an attention layer; tokens are all points of one copy. */
struct heads {
	double n, heads, tokens, keys, key, value;
};

static bool
read_heads(struct expansion *x, const struct layer_stmt *st, const int *in,
    int n_in, struct heads *at)
{
	const struct shape *q = layers_shape(x, in[0]);
	const struct shape *kv = layers_shape(x, in[n_in - 1]);
	double heads = layers_whole(x, st, "heads", 1, 1);
	double packed = n_in == 1 ? 3 : 1;
	double key = q->c / packed / heads;

	*at = (struct heads){.n = q->n,
	    .heads = heads,
	    .tokens = q->d * q->h * q->w};
	at->key = layers_whole(x, st, "key", key, 1);
	at->value = layers_whole(x, st, "value", at->key, 1);
	at->keys = layers_whole(x, st, "keys", kv->d * kv->h * kv->w, 1);
	return !x->failed;
}

/* q k' / softmax / times v, without the projections. */
static bool
do_attention(struct expansion *x, const struct layer_stmt *st)
{
	int *in = NULL, n = 0, pair[2];
	struct heads at;
	struct shape out;
	struct op *op;

	if (!take_inputs(x, st, &in, &n) || !read_heads(x, st, in, n, &at))
		return false;
	out = *layers_shape(x, in[0]);
	op = add_op(x, st, st->word, OP_ATTENTION, in, n > 1 ? 2 : 1,
	    (struct shape){at.n, at.heads, 1, at.tokens, at.keys});
	if (!op)
		return false;
	set_product(op, at.tokens, at.keys, at.key, at.n * at.heads);
	if (layers_num(x, st, "bias", 0) != 0 &&
	    !add_pass(x, st, LAYER_ADD, OP_ELEMENTWISE))
		return false;
	if (!add_pass(x, st, LAYER_SOFTMAX, OP_NORM))
		return false;
	out.c = at.heads * at.value;
	pair[0] = x->current;
	pair[1] = in[n - 1];
	op = add_op(x, st, st->word, OP_ATTENTION, pair, 2, out);
	if (!op)
		return false;
	set_product(op, at.tokens, at.value, at.keys, at.n * at.heads);
	return true;
}

/* Recurrent layer over all points of a copy, one after the other. */
static bool
do_lstm(struct expansion *x, const struct layer_stmt *st)
{
	struct shape in = *layers_shape(x, x->current), out = in;
	double hidden = layers_whole(x, st, "hidden", in.c, 1);
	double dirs = layers_num(x, st, "both", 0) != 0 ? 2 : 1;
	double gates = layers_whole(x, st, "gates", 4, 1);
	double bias = layers_whole(x, st, "bias", 2, 0);
	double steps = in.d * in.h * in.w * dirs;
	int from = x->current;
	struct op *op;

	out.c = dirs * hidden;
	op = add_op(x, st, st->word, OP_LINEAR, &from, 1, out);
	if (!op)
		return false;
	set_product(op, in.n, gates * hidden, in.c + hidden, steps);
	set_params(x, st, op, dirs * gates * hidden * (in.c + hidden + bias));
	op->weights *= in.d * in.h * in.w;
	op->steps = (int)fmin(steps, 1e6);
	return true;
}

/*
 * Passes over elements.
 */

static bool
do_norm(struct expansion *x, const struct layer_stmt *st)
{
	double kind = layers_whole(x, st, "kind", NORM_BATCH, 0);
	double c = layers_shape(x, x->current)->c;
	double affine = layers_num(x, st, "affine", 1);

	if (kind > NORM_L2)
		return layers_fail(x, st, "kind", "layers-range",
		    "unknown norm");
	return !x->failed &&
	       add_norm(x, st, (enum norm)kind,
		   affine != 0 ? (kind == NORM_L2 ? c : 2 * c) : 0) &&
	       add_act(x, st, "act");
}

/* One side of two tensors that are joined element by element. */
static bool
broadcast(double *a, double b)
{
	if (*a != b && *a != 1 && b != 1)
		return false;
	*a = fmax(*a, b);
	return true;
}

static bool
do_join(struct expansion *x, const struct layer_stmt *st)
{
	int *in = NULL, n = 0;
	struct shape out;

	if (!take_inputs(x, st, &in, &n))
		return false;
	if (n < 2)
		return layers_fail(x, st, NULL, "layers-inputs",
		    "'%s' needs two tensors or more", layer_word_id(st->word));
	out = *layers_shape(x, in[0]);
	for (int i = 1; i < n; i++) {
		struct shape b = *layers_shape(x, in[i]);

		if (!broadcast(&out.n, b.n) || !broadcast(&out.c, b.c) ||
		    !broadcast(&out.d, b.d) || !broadcast(&out.h, b.h) ||
		    !broadcast(&out.w, b.w))
			return layers_fail(x, st, "with", "layers-shape",
			    "shapes %.0fx%.0fx%.0f and %.0fx%.0fx%.0f do not join",
			    out.c, out.h, out.w, b.c, b.h, b.w);
	}
	return add_op(x, st, st->word, OP_ELEMENTWISE, in, n, out) &&
	       add_act(x, st, "act");
}

static bool
same_but(struct shape a, struct shape b, bool tokens)
{
	return a.n == b.n && a.d == b.d && a.w == b.w &&
	       (tokens ? a.c == b.c : a.h == b.h);
}

static bool
do_concat(struct expansion *x, const struct layer_stmt *st)
{
	bool tokens = layers_num(x, st, "along", 0) != 0;
	int *in = NULL, n = 0;
	struct shape out;

	if (!take_inputs(x, st, &in, &n))
		return false;
	out = *layers_shape(x, in[0]);
	for (int i = 1; i < n; i++) {
		struct shape b = *layers_shape(x, in[i]);

		if (!same_but(out, b, tokens))
			return layers_fail(x, st, NULL, "layers-shape",
			    "shapes %.0fx%.0fx%.0f and %.0fx%.0fx%.0f do not join",
			    out.c, out.h, out.w, b.c, b.h, b.w);
		*(tokens ? &out.h : &out.c) += tokens ? b.h : b.c;
	}
	if (n == 1) {
		x->current = in[0];
		return true;
	}
	return add_op(x, st, st->word, OP_COPY, in, n, out) != NULL;
}

static bool
do_pool(struct expansion *x, const struct layer_stmt *st)
{
	struct shape in = *layers_shape(x, x->current), out = in;
	int from = x->current;
	double to = layers_whole(x, st, "to", 0, 0);
	struct window w;
	struct op *op;

	if (st->word == LAYER_GAP) {
		out.d = out.h = out.w = 1;
	} else if (to > 0 || layer_attr(st, "toh")) {
		out.h = layers_whole(x, st, "toh", to, 1);
		out.w = layers_whole(x, st, "tow", to > 0 ? to : in.w, 1);
	} else {
		w = read_window(x, st, 2, 0);
		for (int i = 0; i < 3; i++)
			if (!layer_attr(st, "p") &&
			    !layer_attr(st, i == 1 ? "ph"
					    : i    ? "pw"
						   : "pd"))
				w.p[i] = 0;
		out = slide_shape(in, &w, layers_num(x, st, "ceil", 0) != 0);
	}
	op = add_op(x, st, st->word, OP_POOL, &from, 1, out);
	if (!op)
		return false;
	if (out.h >= 1 && out.w >= 1)
		op->kernel = (int)fmin(in.h / out.h, 1000);
	return true;
}

static bool
do_resize(struct expansion *x, const struct layer_stmt *st)
{
	struct shape in = *layers_shape(x, x->current), out = in;
	double scale = layers_num(x, st, "scale", 2);
	int *like = NULL, n = 0, from = x->current;

	if (!layers_named(x, st, "like", &like, &n))
		return false;
	if (n > 0) {
		out.d = layers_shape(x, like[0])->d;
		out.h = layers_shape(x, like[0])->h;
		out.w = layers_shape(x, like[0])->w;
	} else {
		out.d = in.d > 1 ? floor(in.d * scale) : 1;
		out.h = floor(in.h * scale);
		out.w = floor(in.w * scale);
	}
	out.d = layers_whole(x, st, "d", out.d, 1);
	out.h = layers_whole(x, st, "h", out.h, 1);
	out.w = layers_whole(x, st, "w", out.w, 1);
	return !x->failed &&
	       add_op(x, st, st->word, OP_ELEMENTWISE, &from, 1, out) != NULL;
}

static struct shape
read_shape(struct expansion *x, const struct layer_stmt *st)
{
	struct shape s = *layers_shape(x, x->current);

	if (layer_attr(st, "n"))
		s.n = layers_whole(x, st, "n", s.n, 1);
	s.c = layers_whole(x, st, "c", s.c, 1);
	s.d = layers_whole(x, st, "d", s.d, 1);
	s.h = layers_whole(x, st, "h", s.h, 1);
	s.w = layers_whole(x, st, "w", s.w, 1);
	return s;
}

/* reshape and slice are free, rearrange moves every element. */
static bool
do_shape(struct expansion *x, const struct layer_stmt *st)
{
	int from = x->current;
	double before = shape_elems(*layers_shape(x, from));
	struct shape out = read_shape(x, st);
	bool pad =
	    st->word == LAYER_REARRANGE && layers_num(x, st, "pad", 0) != 0;
	bool slice = st->word == LAYER_SLICE;

	if (x->failed)
		return false;
	if (slice ? shape_elems(out) > before
		  : !pad && shape_elems(out) != before)
		return layers_fail(x, st, NULL, "layers-shape",
		    "%.0f elements cannot become %.0f", before,
		    shape_elems(out));
	return add_op(x, st, st->word,
		   st->word == LAYER_REARRANGE ? OP_COPY : OP_VIEW, &from, 1,
		   out) != NULL;
}

/* Values read from a map at computed points. */
static bool
do_sample(struct expansion *x, const struct layer_stmt *st)
{
	int *in = NULL, n = 0;

	if (!take_inputs(x, st, &in, &n))
		return false;
	return add_op(x, st, st->word, OP_ELEMENTWISE, in, n,
		   read_shape(x, st)) != NULL;
}

static bool
do_roi(struct expansion *x, const struct layer_stmt *st)
{
	int *in = NULL, n = 0;
	struct shape out;

	if (!take_inputs(x, st, &in, &n))
		return false;
	out = *layers_shape(x, in[0]);
	out.n = layers_whole(x, st, "n", 1, 1);
	out.h = out.w = layers_whole(x, st, "size", 7, 1);
	return !x->failed &&
	       add_op(x, st, st->word, OP_ELEMENTWISE, in, n, out) != NULL;
}

/* Learned values that belong to no product: positions, layer scales. */
static bool
do_param(struct expansion *x, const struct layer_stmt *st)
{
	double n = layers_whole(x, st, "n", 0, 0);
	bool add = layers_num(x, st, "add", 0) != 0;
	struct op *op =
	    add_pass(x, st, LAYER_PARAM, add ? OP_ELEMENTWISE : OP_VIEW);

	if (!op)
		return false;
	set_params(x, st, op, n);
	return true;
}

bool
layers_op(struct expansion *x, const struct layer_stmt *st)
{
	if (st->word != LAYER_ADD && st->word != LAYER_MUL &&
	    st->word != LAYER_CONCAT && st->word != LAYER_ATTENTION &&
	    st->word != LAYER_SAMPLE && st->word != LAYER_ROI &&
	    !take_input(x, st))
		return false;
	switch (st->word) {
	case LAYER_CONV: return do_conv(x, st);
	case LAYER_DWCONV: return do_dwconv(x, st);
	case LAYER_DECONV: return do_deconv(x, st);
	case LAYER_LINEAR: return do_linear(x, st);
	case LAYER_ATTENTION: return do_attention(x, st);
	case LAYER_LSTM: return do_lstm(x, st);
	case LAYER_NORM: return do_norm(x, st);
	case LAYER_ACT: return add_act(x, st, "kind");
	case LAYER_SOFTMAX: return add_pass(x, st, st->word, OP_NORM) != NULL;
	case LAYER_ADD:
	case LAYER_MUL: return do_join(x, st);
	case LAYER_CONCAT: return do_concat(x, st);
	case LAYER_POOL:
	case LAYER_GAP: return do_pool(x, st);
	case LAYER_RESIZE: return do_resize(x, st);
	case LAYER_SAMPLE: return do_sample(x, st);
	case LAYER_ROI: return do_roi(x, st);
	case LAYER_REARRANGE:
	case LAYER_RESHAPE:
	case LAYER_SLICE: return do_shape(x, st);
	case LAYER_PARAM: return do_param(x, st);
	case LAYER_TAKE: return true;
	default:
		return layers_fail(x, st, NULL, "layers-word",
		    "'%s' cannot stand here", layer_word_id(st->word));
	}
}
