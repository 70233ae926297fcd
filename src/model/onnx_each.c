/*
 * Rules of operators that work element by element, and of those that quantise
 * around others.
 */
#include "model/onnx_parts.h"

/* Output as the first input. */
bool
onnx_same(struct step *s)
{
	if (!onnx_need(s, 0) || !onnx_out_like(s, 0, s->in[0]))
		return false;
	onnx_fold_elements(s);
	return true;
}

bool
onnx_identity(struct step *s)
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
bool
onnx_elementwise(struct step *s)
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

bool
onnx_prelu(struct step *s)
{
	s->learns = 1u << 1;
	return onnx_same(s);
}

/* com.microsoft: two operands in the places of quantised ones. */
bool
onnx_join_quantised(struct step *s)
{
	double dims[GRAPH_MAX_RANK];
	int rank = 0;

	s->learns = 1u << 31;
	return onnx_need(s, 0) && onnx_need(s, 3) &&
	       onnx_broadcast(s, dims, &rank, s->in[0]) &&
	       onnx_broadcast(s, dims, &rank, s->in[3]) &&
	       onnx_out(s, 0, s->in[0]->type, dims, rank);
}

bool
onnx_bias_join(struct step *s)
{
	s->learns = 1u << 1;
	return onnx_same(s);
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

bool
onnx_cast(struct step *s)
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

bool
onnx_test(struct step *s)
{
	if (!onnx_same(s))
		return false;
	s->out[0].type = ELEM_BOOL;
	return true;
}

/*
 * Quantisation: part of the operations around it.
 */

bool
onnx_quantize(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *zero = onnx_in(s, 2);

	s->x->net->quantised++;
	return in && onnx_out(s, 0, zero ? zero->type : ELEM_UINT8, in->dims,
			 in->rank);
}

bool
onnx_dequantize(struct step *s)
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

bool
onnx_dynamic_quantize(struct step *s)
{
	const struct val *in = onnx_need(s, 0);

	s->x->net->quantised++;
	return in && onnx_out(s, 0, ELEM_UINT8, in->dims, in->rank) &&
	       onnx_out(s, 1, ELEM_FLOAT, NULL, 0) &&
	       onnx_out(s, 2, ELEM_UINT8, NULL, 0);
}
