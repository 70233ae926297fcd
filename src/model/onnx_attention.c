/*
 * Rules of attention written as one operator: ONNX's own (version 23) and
 * those of ONNX Runtime's optimiser.  Queries times keys, and the result
 * times values; masks and softmax run inside the kernel.
 */
#include <math.h>

#include "base/str.h"
#include "model/onnx_parts.h"

/* Sizes of one operand; 3 dimensions hold all heads side by side. */
struct heads {
	double n, tokens, width;
};

static bool
read_heads(struct step *s, const struct val *v, struct heads *h)
{
	if (v->rank == 3) {
		*h = (struct heads){v->dims[0], v->dims[1], v->dims[2]};
		return true;
	}
	if (v->rank == 4) {
		*h = (struct heads){v->dims[0], v->dims[2],
		    v->dims[1] * v->dims[3]};
		return true;
	}
	return onnx_fail(s, "onnx-shape", "an operand of %d dimensions",
	    v->rank);
}

/* What went before is read again: keys of `past`, 4 dimensions. */
static double
past_tokens(const struct step *s, int i)
{
	const struct val *v = onnx_in(s, i);

	return v && v->rank == 4 ? v->dims[2] : 0;
}

static void
set_attention(struct step *s, const struct heads *q, double keys,
    double value_width)
{
	double heads =
	    fmax(onnx_int(s, "num_heads", onnx_int(s, "q_num_heads", 1)), 1);

	s->learns = 1u << 31;
	onnx_product(s, q->tokens, keys, (q->width + value_width) / heads,
	    q->n * heads);
}

/* Queries, keys and values as three inputs. */
bool
onnx_attention(struct step *s)
{
	const struct val *q = onnx_need(s, 0), *k = onnx_in(s, 1);
	const struct val *v = onnx_in(s, 2);
	bool own = onnx_is(s, "Attention");
	struct heads hq = {0}, hk = {0}, hv = {0};
	double keys, dims[GRAPH_MAX_RANK];

	if (!q)
		return false;
	if (!k || !v) {
		s->unknown = true; /* packed into one input */
		return true;
	}
	if (!read_heads(s, q, &hq) || !read_heads(s, k, &hk) ||
	    !read_heads(s, v, &hv))
		return false;
	keys = hk.tokens + past_tokens(s, own ? 4 : 6);
	for (int i = 0; i < q->rank; i++)
		dims[i] = q->dims[i];
	dims[q->rank - 1] = q->rank == 4 ? v->dims[v->rank - 1] : hv.width;
	/* grouped queries: each value head serves several */
	if (q->rank == 3 && hk.width < hq.width && hk.width > 0)
		dims[2] = hv.width * hq.width / hk.width;
	set_attention(s, &hq, keys, q->rank == 3 ? dims[2] : hq.width);
	if (!onnx_out(s, 0, q->type, dims, q->rank))
		return false;
	/* keys and values for the next turn, scores */
	for (int i = 1; i < s->n_out; i++) {
		double kept[] = {hk.n, 1, keys, i == 1 ? hk.width : hv.width};

		if (!onnx_out(s, i, q->type, kept, 4))
			return false;
	}
	return true;
}

/* com.microsoft: the projection to queries, keys and values is inside. */
bool
onnx_packed_attention(struct step *s)
{
	const struct val *x = onnx_need(s, 0), *w = onnx_need(s, 1);
	double width, value, dims[3], inside, kept[5] = {2};
	struct heads q;

	if (!x || !w)
		return false;
	if (x->rank != 3 || w->rank != 2 || w->dims[0] != x->dims[2])
		return onnx_fail(s, "onnx-shape",
		    "the weights do not fit the tokens");
	width = onnx_ints(s, "qkv_hidden_sizes", 0, w->dims[1] / 3);
	value = onnx_ints(s, "qkv_hidden_sizes", 2, width);
	dims[0] = x->dims[0];
	dims[1] = x->dims[1];
	dims[2] = value;
	q = (struct heads){x->dims[0], x->dims[1], width};
	set_attention(s, &q, q.tokens + past_tokens(s, 4), value);
	inside = s->op.macs;
	/* the shape of the larger part, the work of both */
	onnx_product(s, q.n * q.tokens, w->dims[1], w->dims[0], 1);
	s->op.macs += inside;
	s->learns = 3u << 1;
	kept[1] = x->dims[0];
	kept[2] = fmax(onnx_int(s, "num_heads", 1), 1);
	kept[3] = q.tokens;
	kept[4] = floor(width / kept[2]);
	return onnx_out(s, 0, x->type, dims, 3) &&
	       onnx_out(s, 1, x->type, kept, 5);
}
