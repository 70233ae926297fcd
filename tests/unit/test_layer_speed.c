/* model/layer_speed.h, model/layer_fit.h, input/layer_calibration_in.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/input.h"
#include "input/layer_calibration_in.h"
#include "input/layers_in.h"
#include "model/layer_fit.h"
#include "model/layer_speed.h"

static struct arena *a;
static struct catalog *catalog;
static struct layer_book *book;
static struct layer_calibration *shipped; /* catalog/calibration/layers.xml */
static struct layer_calibration plain;    /* every factor 1, nothing else */

static void
check_near(double got, double want, double share)
{
	if (!(fabs(got - want) <= share * fabs(want)))
		fail_msg("got %.9g, want %.9g", got, want);
}

/* Products at the full peak, bytes at the full bandwidth, no overhead. */
static void
plain_set(struct layer_calibration *c)
{
	memset(c, 0, sizeof(*c));
	for (int p = 0; p < PREC_N; p++)
		c->ceiling[p] = 1;
	for (int m = 0; m < MOVE_N; m++)
		c->dram[m] = 1;
	c->wave_blend = c->winograd = c->attention = 1;
	c->engine_matrix = c->paddle_half = c->compiled_memory = 1;
	c->train = c->train_host = 1;
	c->copy_bytes_per_s = 1e15; /* no time */
	c->depthwise_fused = c->depthwise_eager = c->half_on_shader = 1;
	c->sm_bytes = 1e15; /* no limit */
	c->memory_join = 1;
	c->l2_rate = 1;
	c->floor_hz = 1e9;
	c->host_join = 4;
	c->tuned = c->hopper = c->blackwell_rtx = 1;
	c->power_knee = c->power_knee_ampere = c->power_knee_ada = 1;
}

static struct fact
known(double v)
{
	return fact_of(v, SURE_ONE, "test");
}

/* 10 multiprocessors at 1 GHz, 100 TFLOPS of FP16, 10 of FP32, 1 TB/s. */
static struct gpu
small_card(void)
{
	struct gpu g = {.vendor = VENDOR_NVIDIA,
	    .cc = 80,
	    .segment = SEGMENT_DATACENTER};

	g.sm = known(10);
	g.boost_hz = known(1e9);
	g.tensor_cores = known(40);
	g.bandwidth = known(1e12);
	g.peak[PEAK_FP32] = known(10e12);
	g.peak[PEAK_FP16_TENSOR] = known(100e12);
	return g;
}

static const struct layer_run fp16 = {RUN_TENSORRT, PREC_FP16, false, false, 0};

static struct kernels
one_kernel(struct kernel *k)
{
	return (struct kernels){.k = k, .n = 1, .launches = k->steps};
}

static void
test_a_product_that_fills_the_chip(void **state)
{
	struct gpu g = small_card();
	struct layer_card card = layer_card(&plain, &g, PREC_FP16);

	(void)state;
	/*
	 * 1280 x 128 x 1000 is ten tiles of 128 x 128 on ten
	 * multiprocessors, one wave: 2 x 1280 x 128 x 1000 / 100e12.
	 */
	assert_null(card.why);
	check_near(layer_product(&plain, &card, 1280, 128, 1000, 1, 1),
	    2.0 * 1280 * 128 * 1000 / 100e12, 1e-9);
	/* at half the efficiency twice as long */
	check_near(layer_product(&plain, &card, 1280, 128, 1000, 1, 0.5),
	    4.0 * 1280 * 128 * 1000 / 100e12, 1e-9);
}

static void
test_a_wave_that_is_not_full(void **state)
{
	struct layer_calibration c = plain;
	struct gpu g = small_card();
	struct layer_card card = layer_card(&c, &g, PREC_FP16);
	double whole, one = 2.0 * 256 * 128 * 32 / 10e12;

	(void)state;
	/*
	 * 20 tiles of 256 x 128 are two waves; 21 are three, of which the
	 * last is nearly empty.  Depth 32 cannot be split.  Smaller tiles
	 * are as good here, so the best is at most that.
	 */
	whole = layer_product(&c, &card, 256.0 * 20, 128, 32, 1, 1);
	check_near(whole, 2 * one, 1e-9);
	assert_true(
	    layer_product(&c, &card, 256.0 * 21, 128, 32, 1, 1) > whole * 1.05);
	assert_true(layer_product(&c, &card, 256.0 * 21, 128, 32, 1, 1) <=
		    3 * one * (1 + 1e-9));
}

static void
test_larger_tiles_reach_more(void **state)
{
	struct layer_calibration c = plain;
	struct gpu g = small_card();
	struct layer_card card;

	(void)state;
	/*
	 * With half = 16 a tile of 256 x 128 reaches
	 * 1 / (1 + 16 (1/256 + 1/128)) = 1 / 1.1875 of the peak; the product
	 * of 40 whole tiles takes 1.1875 times as long.
	 */
	c.tile_half = 16;
	card = layer_card(&c, &g, PREC_FP16);
	check_near(layer_product(&c, &card, 256 * 40, 128, 32, 1, 1),
	    1.1875 * 2.0 * 256 * 40 * 128 * 32 / 100e12, 1e-9);
}

static void
test_a_deep_product_is_split(void **state)
{
	struct gpu g = small_card();
	struct layer_card card = layer_card(&plain, &g, PREC_FP16);
	double t = layer_product(&plain, &card, 32, 64, 65536, 1, 1);
	/* one tile of 32 x 64 on one of ten multiprocessors */
	double alone = 2.0 * 32 * 64 * 65536 / 10e12;

	(void)state;
	/*
	 * In 16 parts of 4096 it takes two waves: an eighth, and the partial
	 * sums, 2 x 2048 x 16 x 4 bytes at 1 TB/s; 8 parts need one wave.
	 */
	check_near(t, alone / 8 + 2.0 * 2048 * 8 * 4 / 1e12, 1e-9);
}

static void
test_a_kernel_bound_by_memory(void **state)
{
	/* 1 M elements in and out at FP16 are 4 MB; 1 M weights 2 MB. */
	struct kernel k = {.cls = OP_CONV,
	    .macs = 1e6,
	    .m = 100,
	    .n = 100,
	    .k = 100,
	    .count = 1,
	    .in_elems = 1e6,
	    .out_elems = 1e6,
	    .weight_elems = 1e6,
	    .kernel = 1,
	    .stride = 1,
	    .steps = 1};
	struct kernels ks = one_kernel(&k);
	struct gpu g = small_card();
	struct layer_time t = layer_time(&plain, &ks, fp16, &g, 1);

	(void)state;
	assert_null(t.why);
	check_near(t.batch_s, 6e6 / 1e12, 1e-9);
	/* eight images: 32 MB and the same weights */
	t = layer_time(&plain, &ks, fp16, &g, 8);
	check_near(t.batch_s, 34e6 / 1e12, 1e-9);
}

static void
test_cache_serves_small_layers(void **state)
{
	struct layer_calibration c = plain;
	struct kernel k = {.cls = OP_ELEMENTWISE,
	    .in_elems = 1e6,
	    .out_elems = 1e6,
	    .steps = 1};
	struct kernels ks = one_kernel(&k);
	struct gpu g = small_card();

	(void)state;
	/*
	 * 4 MB of one layer, L2 of 8 MB at a half-point of one half: half of
	 * it hits, and takes a quarter of the time: 0.5 + 0.125.
	 */
	g.l2_bytes = known(8e6);
	c.l2_half = 0.5;
	c.l2_rate = 4;
	check_near(layer_time(&c, &ks, fp16, &g, 1).batch_s, 0.625 * 4e6 / 1e12,
	    1e-9);
}

static void
test_depthwise_runs_on_the_cores(void **state)
{
	struct layer_calibration c = plain;
	struct kernel k = {.cls = OP_DEPTHWISE,
	    .macs = 1e9,
	    .m = 1e6,
	    .n = 1,
	    .k = 9,
	    .count = 100,
	    .kernel = 3,
	    .stride = 1,
	    .steps = 1};
	struct kernels ks = one_kernel(&k);
	struct gpu g = small_card();

	(void)state;
	/* 2 GFLOP at 0.25 of 10 TFLOPS */
	c.depthwise_fused = 0.25;
	check_near(layer_time(&c, &ks, fp16, &g, 1).batch_s, 2e9 / 2.5e12,
	    1e-9);
}

static void
test_floor_host_and_fixed_time(void **state)
{
	struct layer_calibration c = plain;
	struct kernel k[3] = {{.cls = OP_COPY, .steps = 1},
	    {.cls = OP_COPY, .steps = 1}, {.cls = OP_COPY, .steps = 4}};
	struct kernels ks = {.k = k, .n = 3, .launches = 6};
	struct gpu g = small_card();
	struct layer_time t;

	(void)state;
	/* six launches of 5 us at 2 GHz, so 10 us at this card's 1 GHz */
	c.floor_s[RUN_TENSORRT] = 5e-6;
	c.floor_hz = 2e9;
	t = layer_time(&c, &ks, fp16, &g, 1);
	check_near(t.batch_s, 60e-6, 1e-9);
	/*
	 * The host takes 10 us a launch as well: 60 us each, joined by the
	 * fourth power: 60 x 2^(1/4) us; and 100 us a batch.
	 */
	c.host_s[RUN_TENSORRT] = 10e-6;
	c.fixed_s[RUN_TENSORRT] = 100e-6;
	t = layer_time(&c, &ks, fp16, &g, 1);
	check_near(t.batch_s, 100e-6 + 60e-6 * pow(2, 0.25), 1e-9);
	check_near(t.host_s, 60e-6, 1e-9);
	check_near(t.floor_s, 60e-6, 1e-9);
}

static void
test_power_lowers_the_clock(void **state)
{
	struct layer_calibration c = plain;
	struct gpu g = small_card();

	(void)state;
	/* 10 W for 10 multiprocessors at 1 GHz is 1; knee 4, root: half. */
	g.power_w = known(10);
	c.power_knee = c.power_knee_ampere = 4;
	c.power_exponent = 0.5;
	check_near(layer_card(&c, &g, PREC_FP16).matrix, 50e12, 1e-9);
	/* above the knee the clock holds */
	g.power_w = known(80);
	check_near(layer_card(&c, &g, PREC_FP16).matrix, 100e12, 1e-9);
	/* Ada and later have a knee of their own */
	g.power_w = known(10);
	g.cc = 89;
	check_near(layer_card(&c, &g, PREC_FP16).matrix, 100e12, 1e-9);
}

static void
test_accumulate_peaks_are_mixed(void **state)
{
	struct layer_calibration c = plain;
	struct gpu g = small_card();

	(void)state;
	/* 100 and 200 TFLOPS at half weight: their geometric mean. */
	g.peak[PEAK_FP16_TENSOR_ACC16] = known(200e12);
	c.acc16 = 0.5;
	check_near(layer_card(&c, &g, PREC_FP16).matrix, sqrt(2) * 100e12,
	    1e-9);
}

static void
test_winograd_is_for_fp32_only(void **state)
{
	struct layer_calibration c = plain;
	struct kernel k = {.cls = OP_CONV,
	    .macs = 128.0 * 1280 * 900,
	    .m = 1280,
	    .n = 128,
	    .k = 900,
	    .count = 1,
	    .kernel = 3,
	    .stride = 1,
	    .steps = 1};
	struct kernels ks = one_kernel(&k);
	struct gpu g = small_card();
	struct layer_run fp32 = {RUN_TENSORRT, PREC_FP32, false, false, 0};
	double t32, t16;

	(void)state;
	t32 = layer_time(&c, &ks, fp32, &g, 1).batch_s;
	t16 = layer_time(&c, &ks, fp16, &g, 1).batch_s;
	c.winograd = 2;
	check_near(layer_time(&c, &ks, fp32, &g, 1).batch_s, t32 / 2, 1e-9);
	check_near(layer_time(&c, &ks, fp16, &g, 1).batch_s, t16, 1e-9);
	k.stride = 2;
	check_near(layer_time(&c, &ks, fp32, &g, 1).batch_s, t32, 1e-9);
}

static void
test_what_cannot_be_computed(void **state)
{
	struct kernel k = {.cls = OP_COPY, .steps = 1};
	struct kernels ks = one_kernel(&k);
	struct gpu g = small_card();

	(void)state;
	g.cc = 70;
	assert_string_equal(layer_time(&plain, &ks,
				(struct layer_run){RUN_TENSORRT, PREC_BF16,
				    false, false, 0},
				&g, 1)
				.why,
	    "no-peak");
	g.sm.known = false;
	assert_string_equal(layer_time(&plain, &ks, fp16, &g, 1).why,
	    "no-figure");
}

/*
 * The constants that we ship
 */

static const struct kernels *
kernels_of(const char *id, int w, enum engine e)
{
	struct layers *l;
	struct diag d;

	diag_init(&d, a);
	l = layers_expand(a, book, id, w, w, &d);
	assert_non_null(l);
	return layers_fused(a, l, e);
}

/* Images per second of a network on a card. */
static double
rate(const char *net, int w, const char *card, struct layer_run run, int batch)
{
	const struct kernels *ks =
	    kernels_of(net, w, layer_engine(run.runtime));
	const struct gpu *g = catalog_gpu(catalog, card);
	struct layer_time t;

	assert_non_null(g);
	t = layer_time(shipped, ks, run, g, batch);
	assert_null(t.why);
	return batch / t.batch_s;
}

static void
check_rate(double got, double published, double factor)
{
	if (!(got > published / factor && got < published * factor))
		fail_msg("got %.4g images/s, published %.4g", got, published);
}

/* A step of training: three products, bytes of both passes, the optimiser. */
static void
test_a_training_step(void **state)
{
	struct gpu g = small_card();
	struct kernel k[2] = {{.cls = OP_CONV,
				  .macs = 1280e3 * 128,
				  .m = 1280,
				  .n = 128,
				  .k = 1000,
				  .count = 1,
				  .steps = 1,
				  .times = 1,
				  .train = 3},
	    {.cls = OP_ELEMENTWISE,
		.in_elems = 1e6,
		.out_elems = 1e6,
		.steps = 1,
		.times = 1,
		.train = 2.5}};
	struct kernels ks = {.k = k, .n = 2, .launches = 2, .weights = 1e6};
	struct layer_run run = fp16;
	struct layer_card card = layer_card(&plain, &g, PREC_FP16);
	double want;

	(void)state;
	run.training = true;
	/*
	 * m x k by k x n, m x n by n x k, k x m by m x n; 2.5 times the 4 MB
	 * of the pass, 24 bytes for each of 10^6 weights, at 1 TB/s.
	 */
	want = layer_product(&plain, &card, 1280, 128, 1000, 1, 1) +
	       layer_product(&plain, &card, 1280, 1000, 128, 1, 1) +
	       layer_product(&plain, &card, 1000, 128, 1280, 1, 1) +
	       2.5 * 4e6 / 1e12 + 24e6 / 1e12;
	check_near(layer_time(&plain, &ks, run, &g, 1).batch_s, want, 1e-9);
}

static void
test_what_decides(void **state)
{
	struct layer_calibration c = plain;
	struct gpu g = small_card();
	struct kernel k = {.cls = OP_COPY, .in_elems = 1e6, .steps = 1};
	struct kernels ks = {.k = &k, .n = 1, .launches = 1};
	struct layer_run run = fp16;

	(void)state;
	/* 2 MB at 1 TB/s are 2 us */
	assert_int_equal(layer_time(&c, &ks, run, &g, 1).bound,
	    LAYER_BOUND_MEMORY);
	c.floor_s[RUN_TENSORRT] = 5e-6;
	assert_int_equal(layer_time(&c, &ks, run, &g, 1).bound,
	    LAYER_BOUND_LAUNCH);
	c.fixed_s[RUN_TENSORRT] = 20e-6;
	assert_int_equal(layer_time(&c, &ks, run, &g, 1).bound,
	    LAYER_BOUND_HOST);
	/* 1 MB copied at 100 GB/s: 10 us more */
	run.copied_bytes = 1e6;
	c.copy_bytes_per_s = 100e9;
	check_near(layer_time(&c, &ks, run, &g, 1).copy_s, 10e-6, 1e-9);
	assert_string_equal(layer_bound_id(LAYER_BOUND_HOST), "host");
}

/* Rows of catalog/measurements: the constants are held to a fifth. */
static void
test_published_speeds(void **state)
{
	static const struct layer_run int8 = {RUN_TUNED, PREC_INT8, false,
					  false, 0},
				      compiled = {RUN_COMPILED, PREC_FP16,
					  false, false, 0};

	(void)state;
	/* MLPerf inference v1.1, closed offline, NVIDIA: DGX A100 80 GB */
	check_rate(rate("resnet50", 224, "nvidia-a100-sxm4-80gb", int8, 2048),
	    39830.1, 1.2);
	/* timm, PyTorch compiled, AMP */
	check_rate(rate("resnet50", 224, "nvidia-rtx-4090", compiled, 256),
	    8237.46, 1.2);
	/* Ultralytics, TensorRT 10, 2.66 ms */
	check_rate(rate("yolov8s", 640, "nvidia-t4", fp16, 1), 375.94, 1.2);
}

static void
test_larger_batches_are_no_slower(void **state)
{
	static const char *const cards[] = {"nvidia-t4", "nvidia-l4",
	    "nvidia-a100-sxm4-80gb", "nvidia-gtx-1080-ti"};

	(void)state;
	for (int i = 0; i < 4; i++) {
		double before = 0;

		for (int b = 1; b <= 32; b *= 2) {
			const struct kernels *ks =
			    kernels_of("resnet50", 224, ENGINE_TENSORRT);
			const struct gpu *g = catalog_gpu(catalog, cards[i]);
			double t = layer_time(shipped, ks, fp16, g, b).batch_s;

			assert_true(t > before);
			before = t;
		}
	}
}

static void
test_fit_finds_what_made_the_rows(void **state)
{
	static const char *const cards[] = {"nvidia-t4", "nvidia-a10",
	    "nvidia-a100-sxm4-40gb", "nvidia-rtx-4090"};
	struct fit_row rows[32];
	struct layer_calibration truth, c;
	double cost[2];
	int n = 0;

	(void)state;
	/*
	 * Times computed with other constants than the priors; the fit, which
	 * starts at the priors, must come near them: error below 5 % where
	 * it began far off.
	 */
	truth = *shipped;
	truth.ceiling[PREC_FP16] = 0.7;
	truth.floor_s[RUN_TENSORRT] = 14e-6;
	truth.fixed_s[RUN_TENSORRT] = 20e-6;
	for (int i = 0; i < 4; i++)
		for (int b = 1; b <= 128; b *= 2) {
			const struct kernels *ks =
			    kernels_of("resnet50", 224, ENGINE_TENSORRT);
			const struct gpu *g = catalog_gpu(catalog, cards[i]);

			rows[n] = (struct fit_row){ks, fp16, g, b, 0, 1};
			rows[n].batch_s =
			    layer_time(&truth, ks, fp16, g, b).batch_s;
			n++;
		}
	c = *shipped;
	layer_fit(a, &c, rows, n, 12, cost);
	assert_true(cost[1] < cost[0] / 3);
	for (int i = 0; i < n; i++)
		check_near(layer_time(&c, rows[i].ks, fp16, rows[i].gpu,
			       rows[i].batch)
			       .batch_s,
		    rows[i].batch_s, 0.10);
	/* what no row of these speaks of stays at its prior */
	check_near(c.floor_s[RUN_PADDLE], 18e-6, 1e-6);
}

static int
begin(void **state)
{
	const char *dirs[] = {"catalog"};
	struct diag d;

	(void)state;
	a = arena_new();
	diag_init(&d, a);
	catalog = catalog_read(a, "catalog", &d);
	book = layers_read(a, dirs, 1, &d);
	shipped = layer_calibration_read(a, "catalog", &d);
	plain_set(&plain);
	return catalog && book && shipped && d.n_errors == 0 ? 0 : -1;
}

static int
end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_product_that_fills_the_chip),
	    cmocka_unit_test(test_a_wave_that_is_not_full),
	    cmocka_unit_test(test_larger_tiles_reach_more),
	    cmocka_unit_test(test_a_deep_product_is_split),
	    cmocka_unit_test(test_a_kernel_bound_by_memory),
	    cmocka_unit_test(test_cache_serves_small_layers),
	    cmocka_unit_test(test_depthwise_runs_on_the_cores),
	    cmocka_unit_test(test_floor_host_and_fixed_time),
	    cmocka_unit_test(test_power_lowers_the_clock),
	    cmocka_unit_test(test_a_training_step),
	    cmocka_unit_test(test_what_decides),
	    cmocka_unit_test(test_accumulate_peaks_are_mixed),
	    cmocka_unit_test(test_winograd_is_for_fp32_only),
	    cmocka_unit_test(test_what_cannot_be_computed),
	    cmocka_unit_test(test_published_speeds),
	    cmocka_unit_test(test_larger_batches_are_no_slower),
	    cmocka_unit_test(test_fit_finds_what_made_the_rows),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
