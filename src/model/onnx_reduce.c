/*
 * Rules of norms, reductions and choices of the largest.
 */
#include <string.h>

#include "base/str.h"
#include "model/onnx_parts.h"

bool
onnx_batch_norm(struct step *s)
{
	s->op.norm = NORM_BATCH;
	s->learns = 1u << 1 | 1u << 2;
	s->n_out = 1;
	return onnx_same(s);
}

/* Layer norm: its mean and deviation are outputs 1 and 2. */
bool
onnx_layer_norm(struct step *s)
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

bool
onnx_group_norm(struct step *s)
{
	s->op.norm =
	    onnx_is(s, "InstanceNormalization") ? NORM_INSTANCE : NORM_GROUP;
	s->learns = 3u << 1;
	s->n_out = 1;
	return onnx_same(s);
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

bool
onnx_reduce(struct step *s)
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

bool
onnx_arg_max(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool reduced[GRAPH_MAX_RANK] = {false};
	int axis;

	if (!in || (axis = onnx_axis(s, onnx_int(s, "axis", 0), in->rank)) < 0)
		return false;
	reduced[axis] = true;
	return reduce_over(s, reduced, ELEM_INT64);
}

bool
onnx_top_k(struct step *s)
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
