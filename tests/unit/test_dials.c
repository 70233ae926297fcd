/* decide/dials.c: a need is the product of four dials */
#include "decide_fixture.h"

static struct decision *
two(struct vendor *v, struct vendor *w)
{
	return decide((struct vendor *[]){v, w}, 2, cat);
}

static double
product(const double *x)
{
	double p = 1;

	for (int k = 0; k < DIAL_N; k++)
		p *= x[k];
	return p;
}

/* Twice the cameras double the data dial and nothing else. */
static void
test_cameras_are_data(void **state)
{
	struct decision *d =
	    two(vendor_of("A", 20, 10, 10), vendor_of("B", 10, 10, 10));
	double f[DIAL_N];

	(void)state;
	near_to(dials_compare(&d->vendors[0], &d->vendors[1], f), 2, 1e-12);
	near_to(f[DIAL_DATA], 2, 1e-12);
	near_to(f[DIAL_ALGORITHM], 1, 1e-12);
	near_to(f[DIAL_REALTIME], 1, 1e-12);
	near_to(f[DIAL_OPTIMISATION], 1, 1e-12);
}

/* Twice the frames a second double the real-time dial only. */
static void
test_frames_are_realtime(void **state)
{
	struct decision *d =
	    two(vendor_of("A", 10, 20, 10), vendor_of("B", 10, 10, 10));
	double f[DIAL_N];

	(void)state;
	dials_compare(&d->vendors[0], &d->vendors[1], f);
	near_to(f[DIAL_REALTIME], 2, 1e-12);
	near_to(f[DIAL_DATA], 1, 1e-12);
}

/* A load of 0.4 allowed instead of 0.8 doubles the real-time dial. */
static void
test_load_is_realtime(void **state)
{
	struct vendor *v = vendor_of("A", 10, 10, 10);
	struct vendor *w = vendor_of("B", 10, 10, 10);
	struct decision *d;
	double f[DIAL_N];

	(void)state;
	v->load_limit = known(0.4);
	w->load_limit = known(0.8);
	d = two(v, w);
	near_to(dials_compare(&d->vendors[0], &d->vendors[1], f), 2, 1e-12);
	near_to(f[DIAL_REALTIME], 2, 1e-12);
}

/* Five objects a frame instead of one, all work per object: data. */
static void
test_objects_are_data(void **state)
{
	struct vendor *v = vendor_of("A", 10, 10, 10);
	struct vendor *w = vendor_of("B", 10, 10, 10);
	struct decision *d;
	double f[DIAL_N];

	(void)state;
	v->stages[0].per = w->stages[0].per = PER_OBJECT;
	v->streams[0].objects_mean = known(5);
	w->streams[0].objects_mean = known(1);
	d = two(v, w);
	dials_compare(&d->vendors[0], &d->vendors[1], f);
	near_to(f[DIAL_DATA], 5, 1e-12);
	near_to(f[DIAL_ALGORITHM], 1, 1e-12);
}

static struct vendor *
network_vendor(const char *id, double gmacs, enum precision p, int batch)
{
	struct vendor *v = vendor_of(id, 10, 10, 1);

	v->stages[0] = (struct stage){.kind = STAGE_NETWORK,
	    .name = "net",
	    .times = 1,
	    .stream = -1,
	    .in_h = 640,
	    .in_w = 640,
	    .precision = p};
	v->stages[0].totals = (struct network){.id = "net",
	    .cls = NET_YOLO,
	    .in_h = 640,
	    .in_w = 640,
	    .macs = known(gmacs * 1e9),
	    .params = known(5e6),
	    .activations = known(gmacs * 4e6)};
	v->runtime.precision = p;
	v->runtime.batch = batch;
	return v;
}

/* 20 GMAC a frame are 40 GFLOP; the dial is that very figure. */
static void
test_algorithm_is_flop_a_frame(void **state)
{
	struct decision *d = two(network_vendor("A", 20, PREC_FP16, 0),
	    network_vendor("B", 10, PREC_FP16, 0));

	(void)state;
	near_to(d->vendors[0].dial[DIAL_ALGORITHM], 40e9, 1e-12);
	near_to(d->vendors[0].dial[DIAL_ALGORITHM] /
		    d->vendors[1].dial[DIAL_ALGORITHM],
	    2, 1e-12);
	/* Work is never more than the peak allows. */
	assert_true(d->vendors[0].dial[DIAL_OPTIMISATION] > 1);
}

/* The same network in FP32 is the same algorithm, worse optimised; so is
 * one that runs at batch 1 by its own choice. */
static void
test_precision_and_batch_are_optimisation(void **state)
{
	struct decision *d = two(network_vendor("A", 10, PREC_FP32, 0),
	    network_vendor("B", 10, PREC_FP16, 0));
	double f[DIAL_N];

	(void)state;
	dials_compare(&d->vendors[0], &d->vendors[1], f);
	assert_true(f[DIAL_OPTIMISATION] > 1.5);
	near_to(f[DIAL_ALGORITHM], 1, 1e-12);
	d = two(network_vendor("A", 10, PREC_FP16, 1),
	    network_vendor("B", 10, PREC_FP16, 0));
	dials_compare(&d->vendors[0], &d->vendors[1], f);
	assert_true(f[DIAL_OPTIMISATION] > 1);
	near_to(f[DIAL_ALGORITHM], 1, 1e-12);
}

/* A deadline that forbids the batch is real time, not optimisation. */
static void
test_deadline_is_realtime(void **state)
{
	struct vendor *v = network_vendor("A", 10, PREC_FP16, 0);
	struct vendor *w = network_vendor("B", 10, PREC_FP16, 0);
	struct decision *d;
	double f[DIAL_N];

	(void)state;
	v->deadline_s = known(0.012);
	w->deadline_s = known(4);
	d = two(v, w);
	dials_compare(&d->vendors[0], &d->vendors[1], f);
	assert_true(f[DIAL_REALTIME] > 1);
	near_to(f[DIAL_OPTIMISATION], 1, 1e-9);
	near_to(f[DIAL_ALGORITHM], 1, 1e-12);
}

/* The need is the load the reference card is sized by, at the allowed
 * utilisation, times its FP16 peak. */
static void
test_need_is_the_sizing_load(void **state)
{
	struct vendor *v = network_vendor("A", 10, PREC_FP16, 0);
	struct decision *d = two(v, vendor_of("B", 10, 10, 10));
	const struct vendor_decision *vd = &d->vendors[0];
	const struct fit *f = fit_find(vd, d->reference);
	enum peak used;
	double peak = speed_peak(d->reference, PREC_FP16, &used).value;

	(void)state;
	assert_non_null(f);
	near_to(vd->need, f->busy.value / f->limit * peak, 1e-9);
	near_to(vd->need, f->share * peak, 1e-9);
}

/* Over many projects: dials multiply to the need, factors to the ratio, the
 * ratios of all vendors to one, A against B is the inverse of B against A. */
static void
test_products_are_exact(void **state)
{
	(void)state;
	seed_state = 7;
	for (int i = 0; i < 60; i++) {
		struct vendor *v[4];
		struct decision *d;
		double all = 1;

		for (int k = 0; k < 4; k++) {
			v[k] = pick(2) ? vendor_of("T", 1 + pick(99),
					     1 + pick(25), 1 + pick(80))
				       : network_vendor("N", 1 + pick(300),
					     pick(2) ? PREC_FP16 : PREC_FP32,
					     pick(2) * 4);
			v[k]->load_limit = known(0.5 + pick(5) * 0.1);
			v[k]->streams[0].count = 1 + pick(500);
			v[k]->deadline_s = known(0.2 + pick(10));
		}
		d = decide(v, 4, cards_only("nvidia-l40s", "nvidia-t4", NULL));
		for (int k = 0; k < 4; k++) {
			const struct vendor_decision *x = &d->vendors[k];
			const struct vendor_decision *y =
			    &d->vendors[(k + 1) % 4];
			double f[DIAL_N], g[DIAL_N];

			near_to(product(x->dial), x->need, 1e-12);
			near_to(product(x->factor), x->ratio, 1e-12);
			near_to(dials_compare(x, y, f), x->need / y->need,
			    1e-12);
			near_to(product(f), x->need / y->need, 1e-12);
			dials_compare(y, x, g);
			for (int j = 0; j < DIAL_N; j++)
				near_to(f[j] * g[j], 1, 1e-12);
			all *= x->ratio;
		}
		near_to(all, 1, 1e-9);
	}
}

/* No figure, no dials: and the others are compared without it. */
static void
test_vendor_without_figures(void **state)
{
	struct vendor *v = vendor_of("A", 10, 10, 10);
	struct decision *d;
	double f[DIAL_N];

	(void)state;
	v->stages[0].seconds = (struct fact){0};
	d = two(v, vendor_of("B", 10, 10, 10));
	assert_true(d->vendors[0].need == 0);
	assert_true(dials_compare(&d->vendors[0], &d->vendors[1], f) == 0);
	near_to(d->vendors[1].ratio, 1, 1e-12);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
	    T(test_cameras_are_data),
	    T(test_frames_are_realtime),
	    T(test_load_is_realtime),
	    T(test_objects_are_data),
	    T(test_algorithm_is_flop_a_frame),
	    T(test_precision_and_batch_are_optimisation),
	    T(test_deadline_is_realtime),
	    T(test_need_is_the_sizing_load),
	    T(test_products_are_exact),
	    T(test_vendor_without_figures),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
