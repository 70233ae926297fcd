/*
 * Rules of operators that sample pictures, and of those whose output hangs on
 * what is seen: there the largest possible.
 */
#include <math.h>
#include <string.h>

#include "model/onnx_parts.h"

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

bool
onnx_resize(struct step *s)
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

bool
onnx_grid_sample(struct step *s)
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

bool
onnx_roi_align(struct step *s)
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
bool
onnx_non_max(struct step *s)
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
 * Sizes that hang on the picture.
 */

bool
onnx_non_zero(struct step *s)
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

bool
onnx_compress(struct step *s)
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
