/*
 * The operators: which rule each has, and the rules that are short.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

/*
 * Element by element.
 */

/* Output as the first input. */
static bool
same(struct step *s)
{
	if (!onnx_need(s, 0) || !onnx_out_like(s, 0, s->in[0]))
		return false;
	onnx_fold_elements(s);
	return true;
}

static bool
identity(struct step *s)
{
	const struct val *in = onnx_need(s, 0);

	if (!in)
		return false;
	s->out[0] = *in;
	s->out[0].tensor = -1;
	/* the mask of a dropout */
	return onnx_out(s, 1, ELEM_BOOL, in->dims, in->rank);
}

static enum elem_type
joined_type(const struct step *s)
{
	static const char *const tests[] = {"Equal", "Less", "Greater",
	    "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor"};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (onnx_is(s, tests[i]))
			return ELEM_BOOL;
	return s->in[onnx_is(s, "Where") && s->n_in > 1]->type;
}

/* Inputs joined; with one that changes only, it is a pass over that one. */
static bool
join(struct step *s)
{
	double dims[GRAPH_MAX_RANK];
	int rank = 0, changing = 0;

	for (int i = 0; i < s->n_in; i++) {
		if (!onnx_need(s, i) ||
		    !onnx_broadcast(s, dims, &rank, s->in[i]))
			return false;
		changing += !s->in[i]->constant;
	}
	if (changing == 1 && s->n_in == 2)
		s->op.word = LAYER_PARAM;
	if (s->n_in < 1 || !onnx_out(s, 0, joined_type(s), dims, rank))
		return onnx_fail(s, "onnx-shape", "no input");
	onnx_fold_elements(s);
	return true;
}

static bool
prelu(struct step *s)
{
	s->learns = 1u << 1;
	return same(s);
}

/* com.microsoft: two operands in the places of quantised ones. */
static bool
join_quantised(struct step *s)
{
	double dims[GRAPH_MAX_RANK];
	int rank = 0;

	s->learns = 1u << 31;
	return onnx_need(s, 0) && onnx_need(s, 3) &&
	       onnx_broadcast(s, dims, &rank, s->in[0]) &&
	       onnx_broadcast(s, dims, &rank, s->in[3]) &&
	       onnx_out(s, 0, s->in[0]->type, dims, rank);
}

static bool
bias_join(struct step *s)
{
	s->learns = 1u << 1;
	return same(s);
}

/* DataType of the file as our types. */
static enum elem_type
type_number(double t)
{
	static const enum elem_type types[] = {ELEM_OTHER, ELEM_FLOAT,
	    ELEM_UINT8, ELEM_INT8, ELEM_INT, ELEM_INT, ELEM_INT, ELEM_INT64,
	    ELEM_OTHER, ELEM_BOOL, ELEM_HALF, ELEM_DOUBLE, ELEM_INT, ELEM_INT64,
	    ELEM_OTHER, ELEM_OTHER, ELEM_BFLOAT, ELEM_FP8, ELEM_FP8, ELEM_FP8,
	    ELEM_FP8, ELEM_INT, ELEM_INT};

	return t >= 0 && t < sizeof(types) / sizeof(types[0]) ? types[(int)t]
							      : ELEM_OTHER;
}

static bool
cast(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	enum elem_type to = type_number(onnx_int(s, "to", 0));

	if (!in || !onnx_out(s, 0,
		       onnx_is(s, "CastLike") && s->n_in > 1 && s->in[1]
			   ? s->in[1]->type
			   : to,
		       in->dims, in->rank))
		return false;
	onnx_fold_elements(s);
	return true;
}

static bool
test(struct step *s)
{
	if (!same(s))
		return false;
	s->out[0].type = ELEM_BOOL;
	return true;
}

/*
 * Norms and reductions.
 */

static bool
batch_norm(struct step *s)
{
	s->op.norm = NORM_BATCH;
	s->learns = 1u << 1 | 1u << 2;
	s->n_out = 1;
	return same(s);
}

/* Layer norm: its mean and deviation are outputs 1 and 2. */
static bool
layer_norm(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool skip = str_starts(s->n->op, "Skip");
	double dims[GRAPH_MAX_RANK];
	int axis;

	if (!in || (axis = onnx_axis(s, onnx_int(s, "axis", -1), in->rank)) < 0)
		return false;
	s->op.norm = NORM_LAYER;
	s->learns = skip ? 7u << 2 : 3u << 1;
	for (int i = 0; i < in->rank; i++)
		dims[i] = i < axis ? in->dims[i] : 1;
	return onnx_out_like(s, 0, in) &&
	       onnx_out(s, 1, ELEM_FLOAT, dims, in->rank) &&
	       onnx_out(s, 2, ELEM_FLOAT, dims, in->rank) &&
	       onnx_out_like(s, 3, in);
}

static bool
group_norm(struct step *s)
{
	s->op.norm =
	    onnx_is(s, "InstanceNormalization") ? NORM_INSTANCE : NORM_GROUP;
	s->learns = 3u << 1;
	s->n_out = 1;
	return same(s);
}

static bool
reduced_axes(struct step *s, const struct val *in, bool *reduced)
{
	const double *axes;
	int n;

	memset(reduced, 0, GRAPH_MAX_RANK * sizeof(*reduced));
	axes = onnx_list(s, 1, "axes", &n);
	if (s->x->failed)
		return false;
	if (n < 0)
		s->unknown = true;
	for (int i = 0; i < n; i++) {
		int at = onnx_axis(s, axes[i], in->rank);

		if (at < 0)
			return false;
		reduced[at] = true;
	}
	for (int i = 0; n == 0 && i < in->rank; i++)
		reduced[i] = onnx_int(s, "noop_with_empty_axes", 0) == 0;
	return true;
}

static bool
reduce_over(struct step *s, const bool *reduced, enum elem_type type)
{
	const struct val *in = s->in[0];
	double dims[GRAPH_MAX_RANK];
	bool keep = onnx_int(s, "keepdims", 1) != 0;
	int rank = 0;

	for (int i = 0; i < in->rank; i++)
		if (!reduced[i] || keep)
			dims[rank++] = reduced[i] ? 1 : in->dims[i];
	return onnx_out(s, 0, type, dims, rank);
}

static bool
reduce(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool reduced[GRAPH_MAX_RANK];

	if (!in || !reduced_axes(s, in, reduced))
		return false;
	if (s->unknown)
		return true;
	if (!reduce_over(s, reduced, in->type))
		return false;
	if (in->rank == 4 && !reduced[0] && !reduced[1] && reduced[2] &&
	    reduced[3])
		s->op.word = LAYER_GAP;
	onnx_fold_reduce(s, reduced);
	return true;
}

static bool
arg_max(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool reduced[GRAPH_MAX_RANK] = {false};
	int axis;

	if (!in || (axis = onnx_axis(s, onnx_int(s, "axis", 0), in->rank)) < 0)
		return false;
	reduced[axis] = true;
	return reduce_over(s, reduced, ELEM_INT64);
}

static bool
top_k(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], k = onnx_int(s, "k", -1);
	const double *given;
	bool open;
	int axis, n;

	if (!in || (axis = onnx_axis(s, onnx_int(s, "axis", -1), in->rank)) < 0)
		return false;
	given = onnx_values(s, 1, &n);
	if (s->x->failed)
		return false;
	if (n > 0)
		k = given[0];
	open = n < 0 || k > in->dims[axis];
	memcpy(dims, in->dims, sizeof(dims));
	if (!open)
		dims[axis] = k;
	if (!onnx_out(s, 0, in->type, dims, in->rank) ||
	    !onnx_out(s, 1, ELEM_INT64, dims, in->rank))
		return false;
	for (int i = 0; i < s->n_out; i++)
		s->out[i].bounded |= open;
	return true;
}

/*
 * Constants and shapes.
 */

static bool
constant_tensor(struct step *s, const struct graph_const *c)
{
	struct val *out = &s->out[0];

	if (!onnx_out(s, 0, c->type, c->dims, c->rank))
		return false;
	out->file = c->file;
	if (c->values && c->n <= ONNX_MAX_FOLD) {
		out->v = c->values;
		out->n = c->n;
	}
	if (c->type == ELEM_INT64 || c->type == ELEM_BOOL)
		return true;
	out->weight = arena_alloc(s->x->a, 1, sizeof(struct weight));
	out->weight->elems = val_elems(out);
	return true;
}

/* `whole` or, where that is NULL, `real` numbers. */
static bool
constant_list(struct step *s, const int64_t *whole, const double *real, int n,
    int rank)
{
	double side = n, *v;

	if (!onnx_out(s, 0, whole ? ELEM_INT64 : ELEM_FLOAT, &side, rank))
		return false;
	v = onnx_fold(s, 0);
	for (int i = 0; v && i < n; i++)
		v[i] = whole ? (double)whole[i] : real[i];
	return true;
}

static bool
constant(struct step *s)
{
	const struct graph_attr *at = onnx_attr(s, "value");

	s->n_out = 1;
	if (at && at->t)
		return constant_tensor(s, at->t);
	if ((at = onnx_attr(s, "value_int")))
		return constant_list(s, &at->i, NULL, 1, 0);
	if ((at = onnx_attr(s, "value_float")))
		return constant_list(s, NULL, &at->f, 1, 0);
	if ((at = onnx_attr(s, "value_ints")))
		return constant_list(s, at->ints, NULL,
		    at->ints ? at->n_ints : 0, 1);
	if ((at = onnx_attr(s, "value_floats")))
		return constant_list(s, NULL, at->floats, at->n_floats, 1);
	return onnx_out(s, 0, ELEM_OTHER, NULL, 0);
}

static bool
constant_of_shape(struct step *s)
{
	const struct graph_attr *at = onnx_attr(s, "value");
	const struct graph_const *c = at ? at->t : NULL;
	const double *dims;
	double *v;
	int n;

	if (!onnx_need(s, 0))
		return false;
	dims = onnx_values(s, 0, &n);
	if (s->x->failed)
		return false;
	if (n < 0) {
		s->unknown = true;
		return true;
	}
	if (n > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "%d dimensions", n);
	if (!onnx_out(s, 0, c ? c->type : ELEM_FLOAT, dims, n))
		return false;
	if (s->n_out && (v = onnx_fold(s, 0)))
		for (int i = 0; i < s->out[0].n; i++)
			v[i] = c && c->n == 1 && c->values ? c->values[0] : 0;
	return true;
}

static bool
shape(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double start = onnx_int(s, "start", 0), end, n[1], *v;

	if (!in)
		return false;
	end = onnx_int(s, "end", in->rank);
	if (start < 0)
		start += in->rank;
	if (end < 0)
		end += in->rank;
	start = fmin(fmax(start, 0), in->rank);
	end = fmin(fmax(end, start), in->rank);
	n[0] = end - start;
	if (!onnx_out(s, 0, ELEM_INT64, n, 1))
		return false;
	if (s->n_out && (v = onnx_fold(s, 0)))
		for (int i = 0; i < s->out[0].n; i++)
			v[i] = in->dims[(int)start + i];
	return true;
}

static bool
size(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double *v;

	if (!in || !onnx_out(s, 0, ELEM_INT64, NULL, 0))
		return false;
	if (s->n_out && (v = onnx_fold(s, 0)))
		v[0] = val_elems(in);
	return true;
}

static bool
range(struct step *s)
{
	const double *at[3];
	double n, *v;
	int some;

	for (int i = 0; i < 3; i++) {
		if (!onnx_need(s, i))
			return false;
		at[i] = onnx_values(s, i, &some);
		if (s->x->failed)
			return false;
		if (some != 1) {
			s->unknown = true;
			return true;
		}
	}
	n = fmax(ceil((*at[1] - *at[0]) / *at[2]), 0);
	if (!onnx_out(s, 0, s->in[0]->type, &n, 1))
		return false;
	if (s->n_out && (v = onnx_fold(s, 0)))
		for (int i = 0; i < s->out[0].n; i++)
			v[i] = *at[0] + i * *at[2];
	return true;
}

/*
 * Pictures.
 */

/* Factors or sizes of the axes, however this version states them. */
struct scaling {
	const double *scales, *sizes;
	int n_scales, n_sizes;
};

static bool
read_scaling(struct step *s, struct scaling *c)
{
	const struct graph_attr *at = onnx_attr(s, "scales");
	bool old = onnx_is(s, "Upsample") || s->n_in == 2;

	c->sizes = NULL;
	c->n_sizes = 0;
	if (at && at->n_floats) {
		c->scales = at->floats;
		c->n_scales = at->n_floats;
		return true;
	}
	c->scales = onnx_values(s, old ? 1 : 2, &c->n_scales);
	if (!s->x->failed && c->n_scales <= 0 && onnx_in(s, 3))
		c->sizes = onnx_values(s, 3, &c->n_sizes);
	return !s->x->failed;
}

static bool
resize(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];
	struct scaling c;
	int n, axes;

	if (!in || !read_scaling(s, &c))
		return false;
	n = c.n_scales > 0 ? c.n_scales : c.n_sizes;
	if (n <= 0) {
		s->unknown = true;
		return true;
	}
	axes = onnx_ints_count(s, "axes");
	if (n != (axes ? axes : in->rank))
		return onnx_fail(s, "onnx-shape",
		    "%d factors for %d dimensions", n, in->rank);
	memcpy(dims, in->dims, sizeof(dims));
	for (int i = 0; i < n; i++) {
		int axis = onnx_axis(s, onnx_ints(s, "axes", i, i), in->rank);

		if (axis < 0)
			return false;
		/* runtimes multiply in single precision */
		dims[axis] = c.n_scales > 0
				 ? floor((double)((float)c.scales[i] *
						  (float)in->dims[axis]))
				 : c.sizes[i];
	}
	s->learns = 1u << 31;
	return onnx_out(s, 0, in->type, dims, in->rank);
}

static bool
grid_sample(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *grid = onnx_need(s, 1);
	double dims[GRAPH_MAX_RANK];

	if (!in || !grid)
		return false;
	if (in->rank < 3 || grid->rank != in->rank)
		return onnx_fail(s, "onnx-shape", "the grid does not fit");
	dims[0] = in->dims[0];
	dims[1] = in->dims[1];
	for (int i = 2; i < in->rank; i++)
		dims[i] = grid->dims[i - 1];
	return onnx_out(s, 0, in->type, dims, in->rank);
}

static bool
roi_align(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *rois = onnx_need(s, 1);
	double dims[4];

	if (!in || !rois)
		return false;
	if (in->rank != 4 || rois->rank < 1)
		return onnx_fail(s, "onnx-shape", "needs four dimensions");
	dims[0] = rois->dims[0];
	dims[1] = in->dims[1];
	dims[2] =
	    onnx_int(s, "output_height", onnx_ints(s, "pooled_shape", 0, 1));
	dims[3] =
	    onnx_int(s, "output_width", onnx_ints(s, "pooled_shape", 1, 1));
	return onnx_out(s, 0, in->type, dims, 4);
}

/* At most max boxes of every class, and never more than there are. */
static bool
non_max(struct step *s)
{
	const struct val *boxes = onnx_need(s, 0), *scores = onnx_need(s, 1);
	double dims[2] = {0, 3}, each;
	const double *most;
	int n;

	if (!boxes || !scores)
		return false;
	if (scores->rank != 3)
		return onnx_fail(s, "onnx-shape",
		    "scores of %d dimensions, not 3", scores->rank);
	most = onnx_values(s, 2, &n);
	if (s->x->failed)
		return false;
	each = n > 0   ? fmin(fmax(most[0], 0), scores->dims[2])
	       : n < 0 ? scores->dims[2]
		       : 0;
	dims[0] = scores->dims[0] * scores->dims[1] * each;
	if (!onnx_out(s, 0, ELEM_INT64, dims, 2))
		return false;
	s->out[0].bounded = true;
	return true;
}

/*
 * Sizes that hang on the picture: the largest possible.
 */

static bool
non_zero(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[2];

	if (!in)
		return false;
	dims[0] = in->rank;
	dims[1] = val_elems(in);
	if (!onnx_out(s, 0, ELEM_INT64, dims, 2))
		return false;
	s->out[0].bounded = true;
	return true;
}

static bool
compress(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double all;

	if (!in)
		return false;
	all = val_elems(in);
	if (!(onnx_attr(s, "axis") ? onnx_out_like(s, 0, in)
				   : onnx_out(s, 0, in->type, &all, 1)))
		return false;
	for (int i = 1; i < s->n_out; i++)
		if (!onnx_out(s, i, ELEM_INT64, &all, 1))
			return false;
	for (int i = 0; i < s->n_out; i++)
		s->out[i].bounded = true;
	return true;
}

static bool
one_hot(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];
	const double *depth;
	int n, axis, rank = 0;

	if (!in)
		return false;
	if (in->rank >= GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "too many dimensions");
	depth = onnx_values(s, 1, &n);
	if (s->x->failed)
		return false;
	if (n < 1) {
		s->unknown = true;
		return true;
	}
	axis = onnx_axis(s, onnx_int(s, "axis", -1), in->rank + 1);
	if (axis < 0)
		return false;
	for (int i = 0; i <= in->rank; i++)
		dims[i] = i == axis ? depth[0] : in->dims[rank++];
	return onnx_out(s, 0, ELEM_FLOAT, dims, in->rank + 1);
}

/* Random numbers, eyes: by the attribute or like the input. */
static bool
made_up(struct step *s)
{
	double dims[GRAPH_MAX_RANK];
	int n = onnx_ints_count(s, "shape");

	if (s->n_in > 0)
		return onnx_need(s, 0) && onnx_out_like(s, 0, s->in[0]);
	if (n > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "%d dimensions", n);
	for (int i = 0; i < n; i++)
		dims[i] = onnx_ints(s, "shape", i, 0);
	return onnx_out(s, 0, ELEM_FLOAT, dims, n);
}

/*
 * Quantisation: part of the operations around it.
 */

static bool
quantize(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *zero = onnx_in(s, 2);

	s->x->net->quantised++;
	return in && onnx_out(s, 0, zero ? zero->type : ELEM_UINT8, in->dims,
			 in->rank);
}

static bool
dequantize(struct step *s)
{
	const struct val *in = onnx_need(s, 0);

	s->x->net->quantised++;
	if (!in || !onnx_out(s, 0, ELEM_FLOAT, in->dims, in->rank))
		return false;
	if (s->n_out)
		s->out[0].int8 =
		    in->type == ELEM_INT8 || in->type == ELEM_UINT8;
	return true;
}

static bool
dynamic_quantize(struct step *s)
{
	const struct val *in = onnx_need(s, 0);

	s->x->net->quantised++;
	return in && onnx_out(s, 0, ELEM_UINT8, in->dims, in->rank) &&
	       onnx_out(s, 1, ELEM_FLOAT, NULL, 0) &&
	       onnx_out(s, 2, ELEM_UINT8, NULL, 0);
}

/*
 * The table.
 */

#define PASS(name, act)                                                        \
	{                                                                      \
		name, same, LAYER_ACT, OP_ELEMENTWISE, act                     \
	}
#define MATH(name)                                                             \
	{                                                                      \
		name, same, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE                \
	}
#define JOIN(name, word)                                                       \
	{                                                                      \
		name, join, word, OP_ELEMENTWISE, ACT_NONE                     \
	}
#define REDUCE(name)                                                           \
	{                                                                      \
		name, reduce, LAYER_POOL, OP_POOL, ACT_NONE                    \
	}
#define MOVE(name, rule, word, cls)                                            \
	{                                                                      \
		name, rule, word, cls, ACT_NONE                                \
	}
#define OTHER(name, rule)                                                      \
	{                                                                      \
		name, rule, LAYER_SAMPLE, OP_ELEMENTWISE, ACT_NONE             \
	}

static const struct onnx_op standard[] = {
    {"Conv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"QLinearConv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"ConvInteger", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"DeformConv", onnx_deform_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"ConvTranspose", onnx_conv_transpose, LAYER_DECONV, OP_CONV, ACT_NONE},
    {"Gemm", onnx_gemm, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"MatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"MatMulInteger", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"QLinearMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"Einsum", onnx_einsum, LAYER_ATTENTION, OP_ATTENTION, ACT_NONE},
    {"Attention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION, ACT_NONE},
    {"LSTM", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},
    {"GRU", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},
    {"RNN", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},

    PASS("Relu", ACT_RELU),
    PASS("LeakyRelu", ACT_LEAKY),
    {"PRelu", prelu, LAYER_ACT, OP_ELEMENTWISE, ACT_PRELU},
    PASS("Sigmoid", ACT_SIGMOID),
    PASS("HardSigmoid", ACT_HSIGMOID),
    PASS("HardSwish", ACT_HSWISH),
    PASS("Swish", ACT_SILU),
    PASS("Gelu", ACT_GELU),
    PASS("Tanh", ACT_TANH),
    PASS("Mish", ACT_MISH),
    PASS("Clip", ACT_RELU6),
    MATH("Elu"),
    MATH("Selu"),
    MATH("Celu"),
    MATH("ThresholdedRelu"),
    MATH("Softplus"),
    MATH("Softsign"),
    MATH("Erf"),
    MATH("Abs"),
    MATH("Neg"),
    MATH("Exp"),
    MATH("Log"),
    MATH("Sqrt"),
    MATH("Reciprocal"),
    MATH("Floor"),
    MATH("Ceil"),
    MATH("Round"),
    MATH("Sign"),
    MATH("Sin"),
    MATH("Cos"),
    MATH("Tan"),
    MATH("Asin"),
    MATH("Acos"),
    MATH("Atan"),
    MATH("Sinh"),
    MATH("Cosh"),
    MATH("Asinh"),
    MATH("Acosh"),
    MATH("Atanh"),
    MATH("BitwiseNot"),
    MATH("Shrink"),
    MATH("Bernoulli"),
    {"Not", test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"IsNaN", test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"IsInf", test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"Cast", cast, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"CastLike", cast, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},

    JOIN("Add", LAYER_ADD),
    JOIN("Sub", LAYER_ADD),
    JOIN("Sum", LAYER_ADD),
    JOIN("Mean", LAYER_ADD),
    JOIN("Mul", LAYER_MUL),
    JOIN("Div", LAYER_MUL),
    JOIN("Pow", LAYER_MUL),
    JOIN("Mod", LAYER_MUL),
    JOIN("Min", LAYER_MUL),
    JOIN("Max", LAYER_MUL),
    JOIN("And", LAYER_MUL),
    JOIN("Or", LAYER_MUL),
    JOIN("Xor", LAYER_MUL),
    JOIN("Equal", LAYER_MUL),
    JOIN("Less", LAYER_MUL),
    JOIN("Greater", LAYER_MUL),
    JOIN("LessOrEqual", LAYER_MUL),
    JOIN("GreaterOrEqual", LAYER_MUL),
    JOIN("BitShift", LAYER_MUL),
    JOIN("BitwiseAnd", LAYER_MUL),
    JOIN("BitwiseOr", LAYER_MUL),
    JOIN("BitwiseXor", LAYER_MUL),
    JOIN("Where", LAYER_MUL),

    {"BatchNormalization", batch_norm, LAYER_NORM, OP_ELEMENTWISE, ACT_NONE},
    {"LayerNormalization", layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"RMSNormalization", layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"SimplifiedLayerNormalization", layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"GroupNormalization", group_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"InstanceNormalization", group_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"Softmax", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LogSoftmax", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"Hardmax", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LRN", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LpNormalization", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"MeanVarianceNormalization", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},

    {"MaxPool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"AveragePool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"LpPool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"GlobalAveragePool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    {"GlobalMaxPool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    {"GlobalLpPool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    REDUCE("ReduceMean"),
    REDUCE("ReduceSum"),
    REDUCE("ReduceMax"),
    REDUCE("ReduceMin"),
    REDUCE("ReduceProd"),
    REDUCE("ReduceL1"),
    REDUCE("ReduceL2"),
    REDUCE("ReduceLogSum"),
    REDUCE("ReduceLogSumExp"),
    REDUCE("ReduceSumSquare"),
    {"ArgMax", arg_max, LAYER_POOL, OP_POOL, ACT_NONE},
    {"ArgMin", arg_max, LAYER_POOL, OP_POOL, ACT_NONE},
    {"TopK", top_k, LAYER_POOL, OP_POOL, ACT_NONE},
    {"CumSum", same, LAYER_POOL, OP_POOL, ACT_NONE},

    MOVE("Identity", identity, LAYER_RESHAPE, OP_VIEW),
    MOVE("Dropout", identity, LAYER_RESHAPE, OP_VIEW),
    MOVE("Reshape", onnx_reshape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Flatten", onnx_flatten, LAYER_RESHAPE, OP_VIEW),
    MOVE("Squeeze", onnx_squeeze, LAYER_RESHAPE, OP_VIEW),
    MOVE("Unsqueeze", onnx_unsqueeze, LAYER_RESHAPE, OP_VIEW),
    MOVE("Split", onnx_split, LAYER_SLICE, OP_VIEW),
    MOVE("Slice", onnx_slice, LAYER_SLICE, OP_VIEW),
    MOVE("Transpose", onnx_transpose, LAYER_REARRANGE, OP_COPY),
    MOVE("Concat", onnx_concat, LAYER_CONCAT, OP_COPY),
    MOVE("Gather", onnx_gather, LAYER_REARRANGE, OP_COPY),
    MOVE("GatherND", onnx_gather_nd, LAYER_REARRANGE, OP_COPY),
    MOVE("GatherElements", onnx_gather_elements, LAYER_REARRANGE, OP_COPY),
    MOVE("Scatter", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("ScatterND", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("ScatterElements", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("Expand", onnx_expand_to, LAYER_REARRANGE, OP_COPY),
    MOVE("Tile", onnx_tile, LAYER_REARRANGE, OP_COPY),
    MOVE("Pad", onnx_pad, LAYER_REARRANGE, OP_COPY),
    MOVE("DepthToSpace", onnx_depth_space, LAYER_REARRANGE, OP_COPY),
    MOVE("SpaceToDepth", onnx_depth_space, LAYER_REARRANGE, OP_COPY),
    MOVE("Trilu", same, LAYER_REARRANGE, OP_COPY),
    MOVE("ReverseSequence", same, LAYER_REARRANGE, OP_COPY),

    MOVE("Shape", shape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Size", size, LAYER_RESHAPE, OP_VIEW),
    MOVE("Constant", constant, LAYER_RESHAPE, OP_VIEW),
    MOVE("ConstantOfShape", constant_of_shape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Range", range, LAYER_RESHAPE, OP_COPY),
    MOVE("EyeLike", made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomNormal", made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomUniform", made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomNormalLike", made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomUniformLike", made_up, LAYER_REARRANGE, OP_COPY),

    MOVE("Resize", resize, LAYER_RESIZE, OP_ELEMENTWISE),
    MOVE("Upsample", resize, LAYER_RESIZE, OP_ELEMENTWISE),
    OTHER("GridSample", grid_sample),
    OTHER("OneHot", one_hot),
    OTHER("NonMaxSuppression", non_max),
    OTHER("NonZero", non_zero),
    OTHER("Compress", compress),
    OTHER("Unique", compress),
    MOVE("RoiAlign", roi_align, LAYER_ROI, OP_ELEMENTWISE),
    MOVE("MaxRoiPool", roi_align, LAYER_ROI, OP_ELEMENTWISE),

    MOVE("QuantizeLinear", quantize, LAYER_RESHAPE, OP_VIEW),
    MOVE("DequantizeLinear", dequantize, LAYER_RESHAPE, OP_VIEW),
    OTHER("DynamicQuantizeLinear", dynamic_quantize),

    OTHER("If", onnx_if),
    OTHER("Loop", onnx_loop),
    OTHER("Scan", onnx_scan),
};

/* What ONNX Runtime adds when it writes an optimised file. */
static const struct onnx_op microsoft[] = {
    {"FusedConv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"FusedGemm", onnx_gemm, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"FusedMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"DynamicQuantizeMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"Attention", onnx_packed_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    {"MultiHeadAttention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    {"GroupQueryAttention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    PASS("FastGelu", ACT_GELU),
    PASS("QuickGelu", ACT_GELU),
    {"BiasGelu", bias_join, LAYER_ACT, OP_ELEMENTWISE, ACT_GELU},
    {"SkipLayerNormalization", layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"SkipSimplifiedLayerNormalization", layer_norm, LAYER_NORM, OP_NORM,
	ACT_NONE},
    {"QLinearAdd", join_quantised, LAYER_ADD, OP_ELEMENTWISE, ACT_NONE},
    {"QLinearMul", join_quantised, LAYER_MUL, OP_ELEMENTWISE, ACT_NONE},
    PASS("QLinearSigmoid", ACT_SIGMOID),
    PASS("QLinearLeakyRelu", ACT_LEAKY),
    {"QLinearSoftmax", same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"QLinearGlobalAveragePool", onnx_global_pool, LAYER_GAP, OP_POOL,
	ACT_NONE},
    {"QLinearAveragePool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
};

static const struct onnx_op *
find(const struct onnx_op *ops, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(ops[i].name, name))
			return &ops[i];
	return NULL;
}

const struct onnx_op *
onnx_op_find(const char *domain, const char *name)
{
	const struct onnx_op *op = NULL;

	if (str_equal(domain, "com.microsoft"))
		op = find(microsoft, sizeof(microsoft) / sizeof(microsoft[0]),
		    name);
	else if (*domain)
		return NULL;
	return op ? op
		  : find(standard, sizeof(standard) / sizeof(standard[0]),
			name);
}
