/* model/surrogate.h, kernels_joined of model/layers.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/layers_in.h"
#include "model/surrogate.h"

static struct arena *a;
static const struct layer_model *models;
static int n_models;

static const struct layer_model *
model(const char *id)
{
	for (int i = 0; i < n_models; i++)
		if (str_equal(models[i].net->id, id))
			return &models[i];
	fail_msg("no list '%s'", id);
	return NULL;
}

static struct network
totals(const char *id, enum net_class cls, double macs, double params,
    double activations)
{
	return (struct network){.id = id,
	    .cls = cls,
	    .in_c = 3,
	    .in_h = 224,
	    .in_w = 224,
	    .macs = fact_of(macs, SURE_ONE, "test"),
	    .params = fact_of(params, SURE_ONE, "test"),
	    .activations = fact_of(activations, SURE_ONE, "test")};
}

static void
check_near(double got, double want, double share)
{
	if (!(fabs(got - want) <= share * fabs(want)))
		fail_msg("got %.9g, want %.9g", got, want);
}

static void
sums(const struct kernels *ks, double *macs, double *elems, double *weights)
{
	*macs = *elems = *weights = 0;
	for (int i = 0; i < ks->n; i++) {
		const struct kernel *k = &ks->k[i];

		*macs += k->times * k->macs;
		*elems += k->times * (k->in_elems + k->out_elems);
		*weights += k->times * k->weight_elems;
	}
}

static void
test_joined_kernels_are_the_same_work(void **state)
{
	const struct layers *l = model("resnet50")->layers;
	struct kernels *ks = layers_fused(a, l, ENGINE_EAGER);
	struct kernels *j = kernels_joined(a, ks);
	double times = 0, m[2], e[2], w[2];

	(void)state;
	for (int i = 0; i < j->n; i++)
		times += j->k[i].times;
	assert_true(j->n < ks->n / 2);
	assert_true(times == ks->n);
	sums(ks, &m[0], &e[0], &w[0]);
	sums(j, &m[1], &e[1], &w[1]);
	check_near(m[1], m[0], 1e-12);
	check_near(e[1], e[0], 1e-12);
	check_near(w[1], w[0], 1e-12);
	assert_int_equal(j->launches, ks->launches);
}

static void
test_its_own_totals_change_nothing(void **state)
{
	const struct layer_model *r = model("resnet50");
	struct network n = totals("resnet50x", NET_DENSE, r->totals.macs,
	    r->totals.params, r->totals.activations);
	const struct kernels *ks = surrogate_kernels(a, &n, r, ENGINE_TENSORRT);
	const struct kernels *own =
	    kernels_joined(a, layers_fused(a, r->layers, ENGINE_TENSORRT));

	(void)state;
	assert_int_equal(ks->launches, own->launches);
	check_near(ks->elems, own->elems, 1e-9);
	check_near(ks->weights, own->weights, 1e-9);
}

static void
test_totals_are_met(void **state)
{
	const struct layer_model *r = model("resnet50");
	/* twice as wide on the same maps: 4 x MACs and parameters, 2 x
	 * activations */
	struct network n = totals("resnet50wide", NET_DENSE, 4 * r->totals.macs,
	    4 * r->totals.params, 2 * r->totals.activations);
	double macs, elems, weights;

	(void)state;
	sums(surrogate_kernels(a, &n, r, ENGINE_TENSORRT), &macs, &elems,
	    &weights);
	check_near(macs, 4 * r->totals.macs, 1e-9);
	check_near(elems,
	    2 * layers_fused(a, r->layers, ENGINE_TENSORRT)->elems, 1e-9);
	check_near(weights,
	    4 * layers_fused(a, r->layers, ENGINE_TENSORRT)->weights, 1e-9);
}

static void
test_families_are_alike(void **state)
{
	struct network n = totals("resnext77_32x4d", NET_GROUPED, 6e9, 35e6, 0);
	const struct layer_model *m = surrogate_of(&n, models, n_models);

	(void)state;
	assert_non_null(m);
	assert_true(str_starts(m->net->id, "resnext"));
	n.macs.known = false;
	assert_null(surrogate_of(&n, models, n_models));
}

static int
set_up(void **state)
{
	static const char *const dirs[] = {"catalog"};
	struct layer_book *book;
	struct diag d;

	(void)state;
	a = arena_new();
	diag_init(&d, a);
	book = layers_read(a, dirs, 1, &d);
	if (!book)
		return -1;
	models = layer_models(a, book, &n_models);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_joined_kernels_are_the_same_work),
	    cmocka_unit_test(test_its_own_totals_change_nothing),
	    cmocka_unit_test(test_totals_are_met),
	    cmocka_unit_test(test_families_are_alike),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
