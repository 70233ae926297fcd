#include "model/layers.h"

struct layer_totals
layers_totals(const struct layers *l)
{
	struct layer_totals t = {0};

	for (int i = 0; i < l->n_ops; i++) {
		const struct op *op = &l->ops[i];
		double out = shape_elems(l->tensors[op->out].shape);

		t.params += op->params;
		t.weights += op->weights;
		if (op->macs > 0) {
			t.layers++;
			t.macs += op->macs;
			t.macs_of[op->cls] += op->macs;
			t.activations += out;
		}
		if (op->word == LAYER_NORM && op->norm == NORM_BATCH) {
			t.norm_elems[0] += out;
			t.norm_params += op->params;
		}
		if (op->word == LAYER_DECONV)
			t.deconv_extra +=
			    out * op->k * op->kernel * op->kernel - op->macs;
		if (op->word == LAYER_NORM && op->norm == NORM_LAYER)
			t.norm_elems[1] += out;
		if (op->cls == OP_VIEW)
			continue;
		t.elems_out += out;
		for (int j = 0; j < op->n_in; j++)
			t.elems_in += shape_elems(l->tensors[op->in[j]].shape);
	}
	return t;
}

double
layers_macs(const struct layer_totals *t, enum layer_basis basis)
{
	switch (basis) {
	case BASIS_TIMM:
		return t->macs + 2 * t->norm_elems[0] + 5 * t->norm_elems[1];
	case BASIS_NO_ATTENTION: return t->macs - t->macs_of[OP_ATTENTION];
	case BASIS_MODULES:
		return t->macs - t->macs_of[OP_ATTENTION] + t->deconv_extra;
	case BASIS_PADDLE: return t->macs + 2 * t->norm_elems[0];
	default: return t->macs;
	}
}

double
layers_params(const struct layer_totals *t, enum layer_basis basis)
{
	return basis == BASIS_PADDLE ? t->params + t->norm_params : t->params;
}

double
layers_largest_tensor(const struct layers *l, int *op)
{
	double most = 0;

	for (int i = 0; i < l->n_ops; i++) {
		double v = shape_elems(l->tensors[l->ops[i].out].shape);

		if (v <= most)
			continue;
		most = v;
		if (op)
			*op = i;
	}
	return most;
}
