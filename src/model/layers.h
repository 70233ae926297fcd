/*
 * Layer lists: from the description of a network to its layers at one input
 * size, and from those to totals, kernels per runtime and memory.
 *
 * The rules by which layers are counted stand in catalog/networks/README.md.
 */
#ifndef MODEL_LAYERS_H
#define MODEL_LAYERS_H

#include "data/layers.h"
#include "data/needs.h"

struct arena;

/* Limits of an expansion; the files may come from anywhere. */
enum {
	LAYERS_MAX_OPS = 20000,
	LAYERS_MAX_STEPS = 100000, /* statements executed */
	LAYERS_MAX_DEPTH = 32,     /* blocks inside blocks */
	LAYERS_MAX_NAMES = 4096,   /* of tensors, in one block */
	LAYERS_MAX_SIDE = 1 << 20
};

/*
 * The layers of the network `id` for an image of w x h (0: the input the
 * network names; the depth of a volume stays).  NULL after reporting:
 * "layers-unknown", "layers-input" (size that does not divide), and the
 * faults of the file itself, "layers-expr", "layers-shape", "layers-limit" ...
 */
struct layers *layers_expand(struct arena *a, const struct layer_book *book,
    const char *id, int w, int h, struct diag *d);

struct layer_totals {
	double macs, params, activations; /* activations: elements written by
					     conv, linear and attention */
	double weights;                   /* elements, shared ones once a use */
	double norm_elems[2]; /* outputs of batch norms, of layer norms */
	double deconv_extra;  /* MACs of transposed convolutions counted on
				    their output, less the true ones */
	double norm_params;   /* of batch norms, within params */
	double macs_of[OP_CLASS_N];
	double elems_in, elems_out; /* of every layer, views left out */
	int layers;                 /* with MACs */
};
struct layer_totals layers_totals(const struct layers *l);
/* MACs and parameters as others count them, to compare with a published
 * figure. */
double layers_macs(const struct layer_totals *t, enum layer_basis basis);
double layers_params(const struct layer_totals *t, enum layer_basis basis);

/*
 * What a runtime makes of the layers.
 *
 *	eager     every batch norm, activation, addition, concat a pass
 *	compiled  a convolution, then one pass for all that follows it
 *	tensorrt  convolution, batch norm, activation and addition are one
 *		  kernel (an addition costs one extra read); concat is free
 */
struct kernel {
	enum op_class cls; /* of the layer that leads it */
	int first;         /* index of that layer */
	int ops;           /* layers joined */
	double macs, m, n, k, count;
	double in_elems, out_elems, weight_elems; /* out holds all outputs */
	int kernel, stride, steps;
	int out;      /* tensor written last */
	double times; /* as many kernels of this kind (kernels_joined) */
	/* bytes that training moves for it over those of inference, forward
	 * and backward together */
	double train;
};

struct kernels {
	enum engine engine;
	struct kernel *k;
	int n;
	int *kernel_of; /* by layer; -1 for one that is free */
	int launches;   /* kernels, recurrent steps counted */
	double elems;   /* in + out, one image */
	double weights; /* elements read a batch */
};
struct kernels *
layers_fused(struct arena *a, const struct layers *l, enum engine e);
/*
 * The same with equal kernels counted as one: what a time is computed from.
 * `first`, `out` and `kernel_of` lose their meaning.
 */
struct kernels *kernels_joined(struct arena *a, const struct kernels *ks);
/* Bytes of one batch at `elem` bytes an element. */
double kernels_bytes(const struct kernels *k, double elem, int batch);

/*
 * The most elements alive at once while one image runs, every buffer
 * released after its last reader, the input counted.  `at` may be NULL, else
 * the index of the kernel at which it happens.  `largest`: the largest single
 * tensor.  With `keep_all` nothing is released (training).
 */
double layers_activation_peak(struct arena *a, const struct layers *l,
    const struct kernels *k, bool keep_all, int *at);
double layers_largest_tensor(const struct layers *l, int *op);

#endif
