/*
 * Operators without a rule: listed, with an upper bound of their cost.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

static void
list_unknown(struct step *s)
{
	struct onnx_net *net = s->x->net;
	struct onnx_unknown *u = NULL;

	net->macs_unknown += s->op.macs;
	for (int i = 0; i < net->n_unknown && !u; i++)
		if (str_equal(net->unknown[i].op, s->n->op) &&
		    str_equal(net->unknown[i].domain, s->n->domain))
			u = &net->unknown[i];
	if (!u && net->n_unknown < ONNX_MAX_UNKNOWN) {
		u = arena_push(s->x->a, &net->unknown, &net->n_unknown,
		    sizeof(*u));
		*u = (struct onnx_unknown){.op = s->n->op,
		    .domain = s->n->domain,
		    .node = s->n->name};
	}
	if (!u)
		u = &net->unknown[ONNX_MAX_UNKNOWN - 1];
	u->times++;
	u->macs += s->op.macs;
}

/* The largest input; operators seldom make more of it. */
static const struct val *
largest_input(const struct step *s)
{
	const struct val *most = NULL;

	for (int i = 0; i < s->n_in; i++)
		if (s->in[i] && !s->in[i]->weight &&
		    (!most || val_elems(s->in[i]) > val_elems(most)))
			most = s->in[i];
	return most;
}

/* The file's own word on a value, its open sides from `like` or 1. */
static bool
stated_shape(struct step *s, int i, const struct val *like)
{
	const struct graph_type *t =
	    s->n->out[i] < 0 ? NULL : s->x->m->types[s->n->out[i]];
	double dims[GRAPH_MAX_RANK];

	if (!t || t->rank < 0)
		return false;
	for (int j = 0; j < t->rank; j++) {
		dims[j] = t->dims[j].size;
		if (dims[j] < 0)
			dims[j] = like && j < like->rank ? like->dims[j] : 1;
	}
	return onnx_out(s, i, t->type, dims, t->rank);
}

static double
weight_elems(const struct step *s)
{
	double n = 0;

	for (int i = 0; i < s->n_in; i++)
		if (s->in[i] && s->in[i]->weight)
			n += val_elems(s->in[i]);
	return n;
}

/* Output positions: elements over the smallest side that can be channels. */
static double
positions(const struct val *out)
{
	double least = 1;

	if (out->rank > 1)
		least = fmin(out->dims[1], out->dims[out->rank - 1]);
	return val_elems(out) / fmax(least, 1);
}

bool
onnx_bound(struct step *s)
{
	const struct val *like = largest_input(s);
	double elems = 0, weights = weight_elems(s);

	for (int i = 0; i < s->n_out; i++) {
		if (!stated_shape(s, i, like) && !s->x->failed &&
		    !(like ? onnx_out_like(s, i, like)
			   : onnx_out(s, i, ELEM_FLOAT, NULL, 0)))
			return false;
		if (s->x->failed)
			return false;
		s->out[i].bounded = true;
		elems += val_elems(&s->out[i]);
	}
	for (int i = 0; i < s->n_in; i++)
		elems +=
		    s->in[i] && !s->in[i]->weight ? val_elems(s->in[i]) : 0;
	if (s->n_out > 0 && weights > 0)
		elems += weights * positions(&s->out[0]);
	onnx_product(s, elems, 1, 1, 1);
	s->op.word = LAYER_SAMPLE;
	s->op.cls = OP_ELEMENTWISE;
	s->learns = ~0u;
	list_unknown(s);
	return true;
}
