/*
 * Kernels of a network of which only totals are known: those of a network
 * with a layer list that it resembles, stretched until the totals agree.
 *
 * MACs grow with the pixels p, the depth d and the square of the width w of
 * a network, parameters with d w^2, activations with p d w:
 *
 *	p = MACs ratio / parameters ratio
 *	w = parameters ratio / (activations ratio / p),  d = (parameters) / w^2
 *
 * with w = d where activations are not known.
 */
#ifndef MODEL_SURROGATE_H
#define MODEL_SURROGATE_H

#include "model/layers.h"

struct arena;

/* What a layer list expands to at the input its network names. */
struct layer_model {
	const struct layer_net *net;
	const struct layers *layers; /* NULL: it does not expand */
	struct layer_totals totals;
	enum net_class cls;
};
/* All networks of the book, in its order. */
const struct layer_model *
layer_models(struct arena *a, const struct layer_book *book, int *n);

/* The class of a network that only has a layer list. */
enum net_class
layers_class(const struct layers *l, const struct layer_totals *t);

/* The one that `n` resembles most, by name, class and size; NULL if there is
 * none, or MACs of `n` are not known. */
const struct layer_model *surrogate_of(const struct network *n,
    const struct layer_model *models, int n_models);

/* Its kernels, stretched to the totals of `n`. */
struct kernels *surrogate_kernels(struct arena *a, const struct network *n,
    const struct layer_model *m, enum engine e);

#endif
