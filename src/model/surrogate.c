#include "model/surrogate.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "model/peak.h"

enum net_class
layers_class(const struct layers *l, const struct layer_totals *t)
{
	int depthwise = 0, grouped = 0;

	for (int i = 0; i < l->n_ops; i++) {
		depthwise += l->ops[i].cls == OP_DEPTHWISE;
		grouped += l->ops[i].cls == OP_GROUPED;
	}
	if (t->macs_of[OP_ATTENTION] > 0 && t->macs_of[OP_LINEAR] > t->macs / 2)
		return NET_VIT;
	if (depthwise * 5 > t->layers)
		return NET_MOBILE;
	if (grouped * 5 > t->layers)
		return NET_GROUPED;
	if (t->params > 1e8 && t->layers < 25)
		return NET_VGG;
	return l->input.h * l->input.w > 256 * 256 ? NET_YOLO : NET_DENSE;
}

const struct layer_model *
layer_models(struct arena *a, const struct layer_book *book, int *n)
{
	struct layer_model *m =
	    arena_alloc(a, (size_t)book->n_nets + 1, sizeof(*m));
	struct diag d;

	diag_init(&d, a); /* a list that does not expand is no model */
	for (int i = 0; i < book->n_nets; i++) {
		m[i].net = &book->nets[i];
		m[i].layers =
		    layers_expand(a, book, book->nets[i].id, 0, 0, &d);
		if (!m[i].layers)
			continue;
		m[i].totals = layers_totals(m[i].layers);
		m[i].cls = layers_class(m[i].layers, &m[i].totals);
	}
	*n = book->n_nets;
	return m;
}

/* Letters and digits that two names have in common at the front. */
static int
common_front(const char *a, const char *b)
{
	int n = 0;

	for (;;) {
		a += strspn(a, "-_. ");
		b += strspn(b, "-_. ");
		if (!*a || *a != *b)
			return n;
		n++, a++, b++;
	}
}

/*
 * A name in common weighs most: families share their blocks.  Then the class,
 * then how far the totals would have to be stretched.
 */
static double
likeness(const struct network *n, const struct layer_model *m)
{
	int front = common_front(n->id, m->net->id);
	double size = fabs(log(n->macs.value / m->totals.macs));
	double score = front >= 4 ? fmin(front, 8) / 2.0 : 0;

	if (positive(n->params) > 0)
		size += fabs(log(n->params.value / m->totals.params));
	return score + (n->cls == m->cls ? 3 : 0) - 0.4 * size;
}

const struct layer_model *
surrogate_of(const struct network *n, const struct layer_model *models,
    int n_models)
{
	const struct layer_model *best = NULL;
	double most = -INFINITY;

	if (positive(n->macs) <= 0)
		return NULL;
	for (int i = 0; i < n_models; i++) {
		double l;

		if (!models[i].layers || models[i].totals.macs <= 0 ||
		    models[i].layers->input.d > 1)
			continue;
		l = likeness(n, &models[i]);
		if (l > most) {
			most = l;
			best = &models[i];
		}
	}
	return best;
}

static double
within(double x, double low, double high)
{
	return fmin(high, fmax(low, x));
}

struct stretch {
	double pixels, width, depth;
};

static struct stretch
stretch_of(const struct network *n, const struct layer_totals *t)
{
	double macs = n->macs.value / t->macs, pixels;
	double params = positive(n->params) / t->params;
	double acts = positive(n->activations) / t->activations;
	struct stretch s;

	if (params <= 0)
		params = sqrt(macs);
	s.pixels = within(macs / params, 1.0 / 64, 64);
	pixels = s.pixels;
	s.width = acts > 0 ? params / (acts / pixels) : cbrt(params);
	s.width = within(s.width, 0.25, 4);
	s.depth = within(params / (s.width * s.width), 0.25, 6);
	/* what the bounds cut off, so that MACs agree */
	s.pixels = macs / (s.width * s.width * s.depth);
	return s;
}

struct kernels *
surrogate_kernels(struct arena *a, const struct network *n,
    const struct layer_model *m, enum engine e)
{
	struct kernels *ks = kernels_joined(a, layers_fused(a, m->layers, e));
	struct stretch s = stretch_of(n, &m->totals);
	double steps = 0;

	ks->elems = ks->weights = 0;
	for (int i = 0; i < ks->n; i++) {
		struct kernel *k = &ks->k[i];

		k->macs *= s.pixels * s.width * s.width;
		k->m *= s.pixels;
		k->n *= s.width;
		k->k *= s.width;
		k->in_elems *= s.pixels * s.width;
		k->out_elems *= s.pixels * s.width;
		k->weight_elems *= s.width * s.width;
		k->times *= s.depth;
		ks->elems += k->times * (k->in_elems + k->out_elems);
		ks->weights += k->times * k->weight_elems;
		steps += k->times * k->steps;
	}
	ks->launches = (int)ceil(steps);
	return ks;
}
