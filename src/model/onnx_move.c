/*
 * Rules of the operators that move or cut elements.  They also carry the
 * elements of small constants along.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

/* Nothing but the shape changes. */
static bool
view(struct step *s, const double *dims, int rank)
{
	const struct val *in = s->in[0];

	if (!onnx_out(s, 0, in->type, dims, rank))
		return false;
	if (in->v && val_elems(&s->out[0]) == in->n) {
		s->out[0].v = in->v;
		s->out[0].n = in->n;
	}
	return true;
}

static double
product_of(const double *v, int n)
{
	double p = 1;

	for (int i = 0; i < n; i++)
		p *= v[i];
	return p;
}

/* The shape asked for hangs on the picture: the last side takes all. */
static bool
reshape_unknown(struct step *s)
{
	const struct val *in = s->in[0], *shape = s->in[1];
	double dims[GRAPH_MAX_RANK];
	int rank = shape->rank == 1 ? (int)fmin(shape->dims[0], 10) : 1;

	for (int i = 0; i < rank; i++)
		dims[i] = i + 1 < rank ? 1 : val_elems(in);
	if (!view(s, dims, rank))
		return false;
	s->out[0].bounded = true;
	return true;
}

bool
onnx_reshape(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], elems;
	bool zero = onnx_int(s, "allowzero", 0) != 0;
	int n, open = -1;
	const double *want;

	if (!in || !onnx_need(s, 1))
		return false;
	want = onnx_values(s, 1, &n);
	if (s->x->failed)
		return false;
	if (n < 0)
		return reshape_unknown(s);
	if (n > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "%d dimensions", n);
	for (int i = 0; i < n; i++) {
		dims[i] = want[i] == 0 && !zero && i < in->rank ? in->dims[i]
								: want[i];
		if (want[i] == -1 && open >= 0)
			return onnx_fail(s, "onnx-shape",
			    "two sides are left open");
		if (want[i] == -1)
			open = i;
	}
	elems = val_elems(in);
	if (open >= 0) {
		dims[open] = 1;
		dims[open] = fmod(elems, product_of(dims, n)) == 0
				 ? elems / product_of(dims, n)
				 : -1;
		if (elems == 0)
			dims[open] = 0;
	}
	if (product_of(dims, n) != elems || (open >= 0 && dims[open] < 0))
		return onnx_fail(s, "onnx-shape",
		    "%.0f elements do not fit the shape asked for", elems);
	return view(s, dims, n);
}

bool
onnx_flatten(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double at = onnx_int(s, "axis", 1), dims[2];

	if (!in)
		return false;
	if (at < 0)
		at += in->rank;
	if (at < 0 || at > in->rank)
		return onnx_fail(s, "onnx-shape", "there is no axis %.0f", at);
	dims[0] = product_of(in->dims, (int)at);
	dims[1] = product_of(in->dims + (int)at, in->rank - (int)at);
	return view(s, dims, 2);
}

/* Which axes a list names, of `rank`. */
static bool
mark_axes(struct step *s, const double *axes, int n, int rank, bool *marked)
{
	memset(marked, 0, GRAPH_MAX_RANK * sizeof(*marked));
	for (int i = 0; i < n; i++) {
		int at = onnx_axis(s, axes[i], rank);

		if (at < 0)
			return false;
		marked[at] = true;
	}
	return true;
}

bool
onnx_squeeze(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool gone[GRAPH_MAX_RANK];
	double dims[GRAPH_MAX_RANK];
	const double *axes;
	int n, rank = 0;

	if (!in)
		return false;
	axes = onnx_list(s, 1, "axes", &n);
	if (s->x->failed || !mark_axes(s, axes, n, in->rank, gone))
		return false;
	if (n < 0) {
		s->unknown = true;
		return true;
	}
	for (int i = 0; i < in->rank; i++) {
		if (gone[i] && in->dims[i] != 1)
			return onnx_fail(s, "onnx-shape",
			    "axis %d has %.0f elements", i, in->dims[i]);
		if (!gone[i] && (n > 0 || in->dims[i] != 1))
			dims[rank++] = in->dims[i];
	}
	return view(s, dims, rank);
}

bool
onnx_unsqueeze(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool more[GRAPH_MAX_RANK];
	double dims[GRAPH_MAX_RANK];
	const double *axes;
	int n, rank, at = 0;

	if (!in)
		return false;
	axes = onnx_list(s, 1, "axes", &n);
	if (s->x->failed)
		return false;
	if (n < 0) {
		s->unknown = true;
		return true;
	}
	rank = in->rank + n;
	if (rank > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "%d dimensions", rank);
	if (!mark_axes(s, axes, n, rank, more))
		return false;
	for (int i = 0; i < rank; i++) {
		if (!more[i] && at == in->rank)
			return onnx_fail(s, "onnx-shape",
			    "an axis is named twice");
		dims[i] = more[i] ? 1 : in->dims[at++];
	}
	return view(s, dims, rank);
}

bool
onnx_transpose(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], own[GRAPH_MAX_RANK];
	double stride[GRAPH_MAX_RANK];
	int last = -1;
	bool moved = false, used[GRAPH_MAX_RANK] = {false};

	if (!in)
		return false;
	val_strides(in, own);
	for (int i = 0; i < in->rank; i++) {
		int from = onnx_axis(s,
		    onnx_ints(s, "perm", i, in->rank - 1 - i), in->rank);

		if (from < 0)
			return false;
		if (used[from])
			return onnx_fail(s, "onnx-shape",
			    "an axis is named twice");
		used[from] = true;
		dims[i] = in->dims[from];
		stride[i] = own[from];
		if (dims[i] == 1)
			continue;
		moved |= from < last;
		last = from;
	}
	if (!moved)
		s->op.cls = OP_VIEW;
	if (!onnx_out(s, 0, in->type, dims, in->rank))
		return false;
	onnx_fold_strided(s, 0, in, 0, stride);
	return true;
}

static void
fold_concat(struct step *s, int axis)
{
	double stride[GRAPH_MAX_RANK], at = 0, *v;

	for (int i = 0; i < s->n_in; i++)
		if (!s->in[i]->v)
			return;
	if (!(v = onnx_fold(s, 0)))
		return;
	val_strides(&s->out[0], stride);
	for (int i = 0; i < s->n_in; i++) {
		const struct val *in = s->in[i];
		double inner = stride[axis] * in->dims[axis];
		double outer = stride[axis] * s->out[0].dims[axis];

		for (int j = 0; j < in->n; j++) {
			double to =
			    floor(j / inner) * outer + at + fmod(j, inner);

			v[(int)to] = in->v[j];
		}
		at += inner;
	}
}

bool
onnx_concat(struct step *s)
{
	const struct val *first = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];
	int axis;

	if (!first)
		return false;
	axis = onnx_axis(s, onnx_int(s, "axis", 1), first->rank);
	if (axis < 0)
		return false;
	memcpy(dims, first->dims, sizeof(dims));
	dims[axis] = 0;
	for (int i = 0; i < s->n_in; i++) {
		const struct val *in = onnx_need(s, i);

		if (!in)
			return false;
		for (int j = 0; j < first->rank; j++)
			if (in->rank != first->rank ||
			    (j != axis && in->dims[j] != dims[j]))
				return onnx_fail(s, "onnx-shape",
				    "input %d does not fit the others", i + 1);
		dims[axis] += in->dims[axis];
	}
	if (!onnx_out(s, 0, first->type, dims, first->rank))
		return false;
	fold_concat(s, axis);
	return true;
}

/* Part i of n along an axis of `side`. */
static double
part(const struct step *s, const double *sizes, int n, int i, double side)
{
	double chunk;

	if (n > 0)
		return i < n ? sizes[i] : 0;
	chunk = ceil(side / s->n_out);
	return fmax(fmin(chunk, side - i * chunk), 0);
}

bool
onnx_split(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], stride[GRAPH_MAX_RANK], at = 0;
	const double *sizes;
	int axis, n;

	if (!in || (axis = onnx_axis(s, onnx_int(s, "axis", 0), in->rank)) < 0)
		return false;
	sizes = onnx_list(s, 1, "split", &n);
	if (s->x->failed)
		return false;
	val_strides(in, stride);
	memcpy(dims, in->dims, sizeof(dims));
	for (int i = 0; i < s->n_out; i++) {
		/* sizes nobody knows: each part may be the whole */
		dims[axis] = n < 0 ? in->dims[axis]
				   : part(s, sizes, n, i, in->dims[axis]);
		if (!onnx_out(s, i, in->type, dims, in->rank))
			return false;
		s->out[i].bounded = n < 0;
		if (n >= 0)
			onnx_fold_strided(s, i, in, at * stride[axis], stride);
		at += dims[axis];
	}
	if (n >= 0 && at != in->dims[axis])
		return onnx_fail(s, "onnx-shape",
		    "the parts are %.0f long, the axis %.0f", at,
		    in->dims[axis]);
	return true;
}

/*
 * Slices.
 */

static double
clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

/* Elements from start to end by step, and the first of them. */
static double
cut(double start, double end, double step, double side, double *first)
{
	if (start < 0)
		start += side;
	if (end < 0)
		end += side;
	if (step > 0) {
		start = clamp(start, 0, side);
		end = clamp(end, 0, side);
	} else {
		start = clamp(start, 0, side - 1);
		end = clamp(end, -1, side - 1);
	}
	*first = start;
	return fmax(ceil((end - start) / step), 0);
}

struct slice {
	const double *start, *end, *axes, *step;
	int n, n_end, n_axes, n_step;
};

static bool
read_slice(struct step *s, struct slice *c)
{
	c->start = onnx_list(s, 1, "starts", &c->n);
	c->end = onnx_list(s, 2, "ends", &c->n_end);
	c->axes = onnx_list(s, 3, "axes", &c->n_axes);
	c->step = onnx_values(s, 4, &c->n_step);
	if (s->x->failed)
		return false;
	if (c->n >= 0 && c->n_end >= 0 && c->n != c->n_end)
		return onnx_fail(s, "onnx-shape", "%d starts and %d ends", c->n,
		    c->n_end);
	if ((c->n_axes > 0 && c->n > c->n_axes) ||
	    (c->n_step > 0 && c->n > c->n_step))
		return onnx_fail(s, "onnx-shape", "%d starts, but fewer axes",
		    c->n);
	return true;
}

bool
onnx_slice(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], stride[GRAPH_MAX_RANK], from = 0;
	bool cut_axes[GRAPH_MAX_RANK] = {false};
	struct slice c;

	if (!in || !read_slice(s, &c))
		return false;
	memcpy(dims, in->dims, sizeof(dims));
	val_strides(in, stride);
	if (c.n < 0 || c.n_end < 0 || c.n_axes < 0 || c.n_step < 0) {
		/* at most everything */
		if (!onnx_out_like(s, 0, in))
			return false;
		s->out[0].bounded = true;
		return true;
	}
	for (int i = 0; i < c.n; i++) {
		double step = c.n_step ? c.step[i] : 1, first;
		int axis = onnx_axis(s, c.n_axes ? c.axes[i] : i, in->rank);

		if (axis < 0)
			return false;
		if (step == 0 || isnan(step) || cut_axes[axis])
			return onnx_fail(s, "onnx-shape",
			    step == 0 ? "a step of 0"
				      : "an axis is named twice");
		cut_axes[axis] = true;
		dims[axis] =
		    cut(c.start[i], c.end[i], step, in->dims[axis], &first);
		from += first * stride[axis];
		stride[axis] *= step;
	}
	if (!onnx_out(s, 0, in->type, dims, in->rank))
		return false;
	onnx_fold_strided(s, 0, in, from, stride);
	return true;
}

/*
 * Gathers and scatters.
 */

static void
fold_gather(struct step *s, const struct val *in, const struct val *at,
    int axis)
{
	double own[GRAPH_MAX_RANK], inner, picks = val_elems(at), *v;

	if (!in->v || !at->v || !(v = onnx_fold(s, 0)))
		return;
	val_strides(in, own);
	inner = own[axis];
	for (int j = 0; j < s->out[0].n; j++) {
		double rest = fmod(j, inner), row = floor(j / inner);
		double pick = at->v[(int)fmod(row, picks)];
		double from;

		if (pick < 0)
			pick += in->dims[axis];
		from = floor(row / picks) * inner * in->dims[axis] +
		       pick * inner + rest;
		v[j] = from >= 0 && from < in->n ? in->v[(int)from] : 0;
	}
}

bool
onnx_gather(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *at = onnx_need(s, 1);
	double dims[2 * GRAPH_MAX_RANK];
	int axis, n = 0;

	if (!in || !at ||
	    (axis = onnx_axis(s, onnx_int(s, "axis", 0), in->rank)) < 0)
		return false;
	for (int i = 0; i < axis; i++)
		dims[n++] = in->dims[i];
	for (int i = 0; i < at->rank; i++)
		dims[n++] = at->dims[i];
	for (int i = axis + 1; i < in->rank; i++)
		dims[n++] = in->dims[i];
	s->learns = 1;
	if (val_elems(at) == 1 && at->constant)
		s->op.cls = OP_VIEW;
	if (!onnx_out(s, 0, in->type, dims, n))
		return false;
	fold_gather(s, in, at, axis);
	return true;
}

bool
onnx_gather_nd(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *at = onnx_need(s, 1);
	double batch = onnx_int(s, "batch_dims", 0), last;
	double dims[2 * GRAPH_MAX_RANK];
	int n = 0;

	if (!in || !at)
		return false;
	if (at->rank < 1)
		return onnx_fail(s, "onnx-shape", "no indices");
	last = at->dims[at->rank - 1];
	if (batch < 0 || last < 1 || batch + last > in->rank)
		return onnx_fail(s, "onnx-shape",
		    "indices of %.0f into %d dimensions", last, in->rank);
	for (int i = 0; i < at->rank - 1; i++)
		dims[n++] = at->dims[i];
	for (int i = (int)(batch + last); i < in->rank; i++)
		dims[n++] = in->dims[i];
	s->learns = 1;
	return onnx_out(s, 0, in->type, dims, n);
}

bool
onnx_gather_elements(struct step *s)
{
	const struct val *in = onnx_need(s, 0), *at = onnx_need(s, 1);

	s->learns = 1;
	return in && at && onnx_out(s, 0, in->type, at->dims, at->rank);
}

/* Rows of a small constant replaced: shapes built piece by piece. */
static void
fold_scatter_nd(struct step *s)
{
	const struct val *in = s->in[0], *at = s->in[1], *by = s->in[2];
	double stride[GRAPH_MAX_RANK], last, *v;
	int rows, inner;

	if (!in->v || !at->v || !by->v || at->rank < 1 || at->n == 0 ||
	    at->dims[at->rank - 1] > in->rank || !(v = onnx_fold(s, 0)))
		return;
	memcpy(v, in->v, (size_t)in->n * sizeof(double));
	val_strides(in, stride);
	last = at->dims[at->rank - 1];
	rows = at->n / (int)last;
	inner = by->n / rows;
	for (int i = 0; i < rows; i++) {
		double to = 0;

		for (int j = 0; j < (int)last; j++) {
			double pick = at->v[i * (int)last + j];

			to +=
			    (pick < 0 ? pick + in->dims[j] : pick) * stride[j];
		}
		for (int j = 0; j < inner; j++)
			if (to + j >= 0 && to + j < in->n)
				v[(int)to + j] = by->v[i * inner + j];
	}
}

bool
onnx_scatter(struct step *s)
{
	const struct val *in = onnx_need(s, 0);

	if (!in || !onnx_need(s, 1) || !onnx_need(s, 2) ||
	    !onnx_out_like(s, 0, in))
		return false;
	if (onnx_is(s, "ScatterND"))
		fold_scatter_nd(s);
	return true;
}

/*
 * Growing.
 */

bool
onnx_expand_to(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], stride[GRAPH_MAX_RANK];
	const double *want;
	int n, rank;

	if (!in || !onnx_need(s, 1))
		return false;
	want = onnx_values(s, 1, &n);
	if (s->x->failed)
		return false;
	if (n < 0) {
		s->unknown = true;
		return true;
	}
	if (n > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit", "%d dimensions", n);
	rank = n;
	if (n > 0)
		memcpy(dims, want, (size_t)n * sizeof(double));
	if (!onnx_broadcast(s, dims, &rank, in) ||
	    !onnx_out(s, 0, in->type, dims, rank))
		return false;
	if (val_elems(&s->out[0]) == val_elems(in))
		s->op.cls = OP_VIEW;
	val_spread(in, rank, stride);
	onnx_fold_strided(s, 0, in, 0, stride);
	return true;
}

static void
fold_tile(struct step *s, const struct val *in)
{
	double stride[GRAPH_MAX_RANK], own[GRAPH_MAX_RANK], *v;
	const struct val *out = &s->out[0];

	if (!in->v || in->n == 0 || !(v = onnx_fold(s, 0)))
		return;
	val_strides(out, stride);
	val_strides(in, own);
	for (int j = 0; j < out->n; j++) {
		double from = 0;

		for (int i = 0; i < in->rank; i++)
			from += fmod(fmod(floor(j / stride[i]), out->dims[i]),
				    in->dims[i]) *
				own[i];
		v[j] = in->v[(int)from];
	}
}

bool
onnx_tile(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];
	const double *times;
	int n;

	if (!in || !onnx_need(s, 1))
		return false;
	times = onnx_values(s, 1, &n);
	if (s->x->failed)
		return false;
	if (n < 0) {
		s->unknown = true;
		return true;
	}
	if (n != in->rank)
		return onnx_fail(s, "onnx-shape",
		    "%d repeats for %d dimensions", n, in->rank);
	for (int i = 0; i < n; i++)
		dims[i] = in->dims[i] * times[i];
	if (!onnx_out(s, 0, in->type, dims, n))
		return false;
	if (val_elems(&s->out[0]) == val_elems(in))
		s->op.cls = OP_VIEW;
	fold_tile(s, in);
	return true;
}

bool
onnx_pad(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK], sum = 0;
	const double *pads, *axes;
	int n, n_axes, some;

	if (!in)
		return false;
	pads = onnx_list(s, 1, "pads", &n);
	axes = onnx_values(s, 3, &n_axes);
	if (s->x->failed)
		return false;
	if (n < 0 || n_axes < 0) {
		s->unknown = true;
		return true;
	}
	some = n_axes ? n_axes : in->rank;
	if (n != 2 * some)
		return onnx_fail(s, "onnx-shape", "%d pads for %d dimensions",
		    n, some);
	memcpy(dims, in->dims, sizeof(dims));
	for (int i = 0; i < some; i++) {
		int axis = onnx_axis(s, n_axes ? axes[i] : i, in->rank);

		if (axis < 0)
			return false;
		dims[axis] += pads[i] + pads[i + some];
		sum += fabs(pads[i]) + fabs(pads[i + some]);
	}
	if (sum == 0) {
		s->op.cls = OP_VIEW;
		return view(s, dims, in->rank);
	}
	return onnx_out(s, 0, in->type, dims, in->rank);
}

bool
onnx_depth_space(struct step *s)
{
	const struct val *in = onnx_need(s, 0);
	bool up = onnx_is(s, "DepthToSpace");
	double b = onnx_int(s, "blocksize", 1), dims[4];

	if (!in)
		return false;
	if (in->rank != 4 || b < 1 || b > 1e4)
		return onnx_fail(s, "onnx-shape",
		    "blocks of %.0f of %d dimensions", b, in->rank);
	dims[0] = in->dims[0];
	dims[1] = up ? in->dims[1] / (b * b) : in->dims[1] * b * b;
	dims[2] = up ? in->dims[2] * b : in->dims[2] / b;
	dims[3] = up ? in->dims[3] * b : in->dims[3] / b;
	return onnx_out(s, 0, in->type, dims, 4);
}
