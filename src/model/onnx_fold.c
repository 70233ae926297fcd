/*
 * Arithmetic on the small constants from which networks compute shapes.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

double *
onnx_fold(struct step *s, int i)
{
	struct val *out = &s->out[i];
	double n = val_elems(out);

	if (n > ONNX_MAX_FOLD || s->x->folded + n > ONNX_MAX_FOLDED)
		return NULL;
	s->x->folded += (int)n;
	out->n = (int)n;
	out->v = arena_alloc(s->x->a, (size_t)n + 1, sizeof(double));
	return out->v;
}

void
val_strides(const struct val *v, double *stride)
{
	double step = 1;

	for (int i = v->rank - 1; i >= 0; i--) {
		stride[i] = step;
		step *= v->dims[i];
	}
}

void
val_spread(const struct val *v, int rank, double *stride)
{
	double own[GRAPH_MAX_RANK];
	int lead = rank - v->rank;

	val_strides(v, own);
	for (int i = 0; i < rank; i++)
		stride[i] =
		    i < lead || v->dims[i - lead] == 1 ? 0 : own[i - lead];
}

/* Where element `at` of a shape lies under other strides. */
static double
place(const struct val *shape, int at, const double *stride)
{
	double where = 0;

	for (int i = shape->rank - 1; i >= 0; i--) {
		int side = (int)shape->dims[i];

		where += at % side * stride[i];
		at /= side;
	}
	return where;
}

void
onnx_fold_strided(struct step *s, int i, const struct val *in, double start,
    const double *stride)
{
	double *v;

	if (!in || !in->v || !(v = onnx_fold(s, i)))
		return;
	for (int j = 0; j < s->out[i].n; j++) {
		double at = start + place(&s->out[i], j, stride);

		v[j] = at >= 0 && at < in->n ? in->v[(int)at] : 0;
	}
}

static bool
is_int(enum elem_type t)
{
	return t == ELEM_INT64 || t == ELEM_INT || t == ELEM_INT8 ||
	       t == ELEM_UINT8 || t == ELEM_BOOL;
}

static double
divide(double a, double b, bool whole)
{
	if (!whole)
		return a / b;
	return b == 0 ? 0 : trunc(a / b);
}

static double
modulo(double a, double b, bool as_c)
{
	double r = b == 0 ? 0 : fmod(a, b);

	return !as_c && r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

enum calc {
	CALC_ADD,
	CALC_SUB,
	CALC_MUL,
	CALC_DIV,
	CALC_MOD,
	CALC_POW,
	CALC_MIN,
	CALC_MAX,
	CALC_AND,
	CALC_OR,
	CALC_XOR,
	CALC_EQUAL,
	CALC_LESS,
	CALC_GREATER,
	CALC_LESS_EQUAL,
	CALC_GREATER_EQUAL,
	CALC_MEAN,
	CALC_NEG,
	CALC_ABS,
	CALC_FLOOR,
	CALC_CEIL,
	CALC_ROUND,
	CALC_SQRT,
	CALC_EXP,
	CALC_LOG,
	CALC_SIGN,
	CALC_NOT,
	CALC_RECIPROCAL,
	CALC_SIN,
	CALC_COS,
	CALC_COPY,
	CALC_CAST,
	CALC_CLIP,
	CALC_N
};

static const char *const calcs[] = {
    [CALC_ADD] = "Add",
    [CALC_SUB] = "Sub",
    [CALC_MUL] = "Mul",
    [CALC_DIV] = "Div",
    [CALC_MOD] = "Mod",
    [CALC_POW] = "Pow",
    [CALC_MIN] = "Min",
    [CALC_MAX] = "Max",
    [CALC_AND] = "And",
    [CALC_OR] = "Or",
    [CALC_XOR] = "Xor",
    [CALC_EQUAL] = "Equal",
    [CALC_LESS] = "Less",
    [CALC_GREATER] = "Greater",
    [CALC_LESS_EQUAL] = "LessOrEqual",
    [CALC_GREATER_EQUAL] = "GreaterOrEqual",
    [CALC_MEAN] = NULL,
    [CALC_NEG] = "Neg",
    [CALC_ABS] = "Abs",
    [CALC_FLOOR] = "Floor",
    [CALC_CEIL] = "Ceil",
    [CALC_ROUND] = "Round",
    [CALC_SQRT] = "Sqrt",
    [CALC_EXP] = "Exp",
    [CALC_LOG] = "Log",
    [CALC_SIGN] = "Sign",
    [CALC_NOT] = "Not",
    [CALC_RECIPROCAL] = "Reciprocal",
    [CALC_SIN] = "Sin",
    [CALC_COS] = "Cos",
    [CALC_COPY] = "Identity",
    [CALC_CAST] = "Cast",
    [CALC_CLIP] = "Clip",
};

static enum calc
find_calc(const char *op)
{
	for (int i = 0; i < CALC_N; i++)
		if (calcs[i] && str_equal(calcs[i], op))
			return (enum calc)i;
	return CALC_N;
}

static double
calc_two(enum calc c, double a, double b, bool whole, bool as_c)
{
	switch (c) {
	case CALC_ADD: return a + b;
	case CALC_SUB: return a - b;
	case CALC_MUL: return a * b;
	case CALC_DIV: return divide(a, b, whole);
	case CALC_MOD: return modulo(a, b, as_c);
	case CALC_POW: return pow(a, b);
	case CALC_MIN: return b < a ? b : a;
	case CALC_MAX: return b > a ? b : a;
	case CALC_AND: return a != 0 && b != 0;
	case CALC_OR: return a != 0 || b != 0;
	case CALC_XOR: return (a != 0) != (b != 0);
	case CALC_EQUAL: return a == b;
	case CALC_LESS: return a < b;
	case CALC_GREATER: return a > b;
	case CALC_LESS_EQUAL: return a <= b;
	case CALC_GREATER_EQUAL: return a >= b;
	default: return a;
	}
}

static double
calc_one(enum calc c, double a, bool whole)
{
	switch (c) {
	case CALC_NEG: return -a;
	case CALC_ABS: return fabs(a);
	case CALC_FLOOR: return floor(a);
	case CALC_CEIL: return ceil(a);
	case CALC_ROUND: return nearbyint(a);
	case CALC_SQRT: return sqrt(a);
	case CALC_EXP: return exp(a);
	case CALC_LOG: return log(a);
	case CALC_SIGN: return (a > 0) - (a < 0);
	case CALC_NOT: return a == 0;
	case CALC_RECIPROCAL: return 1 / a;
	case CALC_SIN: return sin(a);
	case CALC_COS: return cos(a);
	case CALC_CAST: return whole ? trunc(a) : a;
	default: return a;
	}
}

static void
fold_where(struct step *s)
{
	double stride[3][GRAPH_MAX_RANK], *v;

	for (int i = 0; i < 3; i++) {
		if (!s->in[i] || !s->in[i]->v)
			return;
		val_spread(s->in[i], s->out[0].rank, stride[i]);
	}
	if (!(v = onnx_fold(s, 0)))
		return;
	for (int j = 0; j < s->out[0].n; j++) {
		double test = place(&s->out[0], j, stride[0]);
		int from = s->in[0]->v[(int)test] != 0 ? 1 : 2;

		v[j] = s->in[from]->v[(int)place(&s->out[0], j, stride[from])];
	}
}

/* Join input k of an operator with two or more into output 0. */
static void
fold_next(struct step *s, enum calc c, int k)
{
	const struct val *in = s->in[k];
	struct val *out = &s->out[0];
	bool whole = is_int(in->type), as_c = onnx_int(s, "fmod", 0) != 0;
	double stride[GRAPH_MAX_RANK];

	val_spread(in, out->rank, stride);
	for (int j = 0; j < out->n; j++) {
		double b = in->v[(int)place(out, j, stride)];

		out->v[j] = k == 0 ? b : calc_two(c, out->v[j], b, whole, as_c);
	}
}

static void
fold_clip(struct step *s)
{
	const struct val *low = onnx_in(s, 1), *high = onnx_in(s, 2);
	struct val *out = &s->out[0];

	for (int j = 0; j < out->n; j++) {
		if (low && low->n == 1 && low->v)
			out->v[j] = fmax(out->v[j], low->v[0]);
		if (high && high->n == 1 && high->v)
			out->v[j] = fmin(out->v[j], high->v[0]);
	}
}

void
onnx_fold_elements(struct step *s)
{
	enum calc c = find_calc(s->n->op);
	bool whole = is_int(s->out[0].type);

	if (str_equal(s->n->op, "Where") && s->n_in == 3) {
		fold_where(s);
		return;
	}
	for (int k = 0; k < s->n_in; k++)
		if (!s->in[k] || !s->in[k]->v)
			return;
	if (c == CALC_N || s->n_in == 0 || !onnx_fold(s, 0))
		return;
	fold_next(s, c, 0);
	if (c == CALC_CLIP) {
		fold_clip(s);
		return;
	}
	for (int k = 1; k < s->n_in && c < CALC_NEG; k++)
		fold_next(s, c, k);
	for (int j = 0; j < s->out[0].n && c >= CALC_NEG; j++)
		s->out[0].v[j] = calc_one(c, s->out[0].v[j], whole);
}

/*
 * Reductions.
 */

static enum calc
reduction(const struct step *s)
{
	if (onnx_is(s, "ReduceProd"))
		return CALC_MUL;
	if (onnx_is(s, "ReduceSum"))
		return CALC_ADD;
	if (onnx_is(s, "ReduceMax"))
		return CALC_MAX;
	return onnx_is(s, "ReduceMin") ? CALC_MIN : CALC_N;
}

/* Distances in the output of neighbours in the input. */
static void
reduced_strides(const struct val *in, const bool *reduced, double *stride)
{
	double step = 1;

	for (int i = in->rank - 1; i >= 0; i--) {
		stride[i] = reduced[i] ? 0 : step;
		step *= reduced[i] ? 1 : in->dims[i];
	}
}

void
onnx_fold_reduce(struct step *s, const bool *reduced)
{
	const struct val *in = s->in[0];
	enum calc c = reduction(s);
	double stride[GRAPH_MAX_RANK], *v;
	bool *seen;

	if (c == CALC_N || !in->v || in->n == 0 || !(v = onnx_fold(s, 0)))
		return;
	seen = arena_alloc(s->x->a, (size_t)s->out[0].n + 1, sizeof(*seen));
	reduced_strides(in, reduced, stride);
	for (int j = 0; j < in->n; j++) {
		int to = (int)place(in, j, stride);

		v[to] = seen[to] ? calc_two(c, v[to], in->v[j], false, false)
				 : in->v[j];
		seen[to] = true;
	}
}
