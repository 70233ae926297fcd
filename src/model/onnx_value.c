/*
 * Rules of operators that make values: constants, shapes, ranges, fillings.
 */
#include <math.h>

#include "base/arena.h"
#include "model/onnx_parts.h"

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

bool
onnx_constant(struct step *s)
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

bool
onnx_constant_of_shape(struct step *s)
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

bool
onnx_shape(struct step *s)
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

bool
onnx_size(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double *v;

	if (!in || !onnx_out(s, 0, ELEM_INT64, NULL, 0))
		return false;
	if (s->n_out && (v = onnx_fold(s, 0)))
		v[0] = val_elems(in);
	return true;
}

bool
onnx_range(struct step *s)
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

bool
onnx_one_hot(struct step *s)
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
bool
onnx_made_up(struct step *s)
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
