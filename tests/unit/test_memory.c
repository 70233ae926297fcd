/* model/memory.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "input/input.h"
#include "model/memory.h"

static struct arena *a;
static struct calibration *c;

static const double gib = 1024.0 * 1024 * 1024;

static struct fact
known(double v)
{
	return fact_of(v, SURE_ONE, "test");
}

static void
check_near(double got, double want, double share)
{
	if (fabs(got - want) > share * fabs(want))
		fail_msg("got %.9g, want %.9g", got, want);
}

static struct stage
stage(double gmacs, double params_m, double acts_m, enum precision p)
{
	struct stage s = {.kind = STAGE_NETWORK,
	    .stream = -1,
	    .precision = p,
	    .totals = {.in_h = 224, .in_w = 224, .scales = true}};

	s.totals.macs = known(gmacs * 1e9);
	s.totals.params = known(params_m * 1e6);
	s.totals.activations = known(acts_m * 1e6);
	return s;
}

static struct stream
camera(int count, int width, int height)
{
	struct stream s = {.kind = STREAM_VIDEO,
	    .count = count,
	    .width = width,
	    .height = height,
	    .codec = CODEC_H264,
	    .fps = 25,
	    .analysed_per_s = 25};

	return s;
}

static struct vendor
vendor(struct stage *s, int n, enum engine e)
{
	struct vendor v = {.stages = s, .n_stages = n};

	v.runtime.engine = e;
	return v;
}

static void
parts_by_hand(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct memory_need m = memory_need(c, &v, 1, 0, 8);

	(void)state;
	/* 25 M weights at 2 bytes; 0.34 x 10 M x 8 x 2 bytes alive;
	 * a context of 0.33 GB; at least 1 GB left free */
	check_near(m.weights, 50e6, 1e-12);
	check_near(m.activations, 54.4e6, 1e-9);
	check_near(m.context, 0.33e9, 1e-12);
	check_near(m.reserve, 1e9, 1e-12);
	assert_true(m.surfaces == 0 && m.bank == 0 && m.scratch == 0);
	check_near(m.total.value, 50e6 + 54.4e6 + 0.33e9 + 1e9, 1e-9);
	assert_int_equal(m.total.tier, TIER_TOTALS);
	assert_false(m.measured);
}

static void
parts_grow(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct stream st = camera(16, 1920, 1080);
	double last = 0;

	(void)state;
	v.streams = &st;
	v.n_streams = 1;
	for (int b = 1; b < 1000; b *= 2) {
		double t = memory_need(c, &v, 1, 16, b).total.value;

		assert_true(t > last);
		last = t;
	}
	last = 0;
	for (int p = 1; p < 64; p++) {
		double t = memory_need(c, &v, p, 16, 1).total.value;

		assert_true(t > last);
		last = t;
	}
}

static void
precision_halves_weights(void **state)
{
	struct stage s32 = stage(4.11, 25, 10, PREC_FP32);
	struct stage s8 = stage(4.11, 25, 10, PREC_INT8);
	struct vendor v32 = vendor(&s32, 1, ENGINE_TENSORRT);
	struct vendor v8 = vendor(&s8, 1, ENGINE_TENSORRT);

	(void)state;
	check_near(memory_need(c, &v32, 1, 0, 1).weights, 100e6, 1e-12);
	check_near(memory_need(c, &v8, 1, 0, 1).weights, 25e6, 1e-12);
}

static void
framework_reuses_between_networks(void **state)
{
	struct stage s[] = {stage(4, 25, 10, PREC_FP16),
	    stage(8, 10, 30, PREC_FP16)};
	struct vendor trt = vendor(s, 2, ENGINE_TENSORRT);
	struct vendor eager = vendor(s, 2, ENGINE_EAGER);

	(void)state;
	/* engines keep a work space each; PyTorch keeps the largest */
	check_near(memory_need(c, &trt, 1, 0, 1).activations, 0.34 * 40e6 * 2,
	    1e-9);
	check_near(memory_need(c, &eager, 1, 0, 1).activations, 0.34 * 30e6 * 2,
	    1e-9);
	check_near(memory_need(c, &eager, 1, 0, 1).weights, 70e6, 1e-9);
}

static void
host_stages_take_nothing(void **state)
{
	struct stage s[] = {stage(4, 25, 10, PREC_FP16),
	    stage(8, 10, 30, PREC_FP16)};
	struct vendor v = vendor(s, 2, ENGINE_TENSORRT);

	(void)state;
	s[1].on_host = true;
	check_near(memory_need(c, &v, 1, 0, 1).weights, 50e6, 1e-12);
}

/* NvPipe issue 58: 8 decoders of 20 surfaces use 3.2 GB together. */
static void
case_eight_decoders(void **state)
{
	struct vendor v = vendor(NULL, 0, ENGINE_TENSORRT);
	struct stream st = camera(8, 1920, 1080);
	struct memory_need m;

	(void)state;
	v.streams = &st;
	v.n_streams = 1;
	/* 8 x 20 surfaces x 3.11 MB = 0.50 GB, and eight contexts */
	m = memory_need(c, &v, 8, 8, 1);
	check_near(m.surfaces, 8 * 20 * 1920 * 1080 * 1.5, 1e-12);
	check_near(m.context + m.surfaces, 3.2e9, 0.05);
	/* one process for all eight is far cheaper */
	m = memory_need(c, &v, 1, 8, 1);
	assert_true(m.context + m.surfaces < 0.9e9);
}

/* frigate issue 7736: twelve cameras of 2560x1440 and 3840x2160 run out of
 * the 2 GB of a Quadro P600, decoding alone. */
static void
case_surfaces_grow_with_pixels(void **state)
{
	struct vendor v = vendor(NULL, 0, ENGINE_TENSORRT);
	struct stream st[] = {camera(6, 2560, 1440), camera(6, 3840, 2160)};
	struct memory_need m;

	(void)state;
	v.streams = st;
	v.n_streams = 2;
	m = memory_need(c, &v, 1, 12, 1);
	/* 6 x 20 x 5.5 MB + 6 x 20 x 12.4 MB = 2.16 GB */
	check_near(m.surfaces, 2.156e9, 1e-3);
	assert_true(m.surfaces > 2e9);
	/* their sub-streams would fit */
	st[0] = camera(6, 1280, 720);
	st[1] = camera(6, 1280, 720);
	assert_true(memory_need(c, &v, 1, 12, 1).surfaces < 0.4e9);
}

/* TorchServe issue 2128: 4 workers 2 GB, 32 workers 16 GB of context: on a
 * 16 GB T4 nothing is left. */
static void
case_many_processes(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_EAGER);
	struct gpu t4 = {.segment = SEGMENT_DATACENTER,
	    .memory_bytes = known(16 * gib),
	    .memory_kind = "GDDR6",
	    .ecc = known(1)};

	(void)state;
	check_near(memory_need(c, &v, 4, 0, 1).context, 2e9, 1e-12);
	check_near(memory_need(c, &v, 32, 0, 1).context, 16e9, 1e-12);
	assert_true(memory_need(c, &v, 32, 0, 1).total.value >
		    memory_usable(c, &t4).value);
	assert_true(memory_need(c, &v, 4, 0, 1).total.value <
		    memory_usable(c, &t4).value);
}

/* SnapOtter issue 191: RealESRGAN x4 on 1450 x 970 asks for 2.68 GiB, one
 * map of 64 channels in FP16 at four times the size, on a card of 7.63 GiB;
 * tiles of 512 pixels cured it. */
static void
case_super_resolution(void **state)
{
	/* outputs an input pixel: 64 + 69 blocks x (4 x 32 + 64) + 64 at
	 * the input size, 64 x 4 at twice, 64 x 16 x 2 + 3 x 16 at four
	 * times: 15,728; 17.93 MMAC */
	struct stage s = stage(0, 16.7, 0, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_EAGER);
	double pixels = 512.0 * 512, map;

	(void)state;
	s.totals.in_h = s.totals.in_w = s.in_h = s.in_w = 512;
	s.totals.macs = known(17.93e6 * pixels);
	s.totals.activations = known(15728 * pixels);
	assert_true(memory_need(c, &v, 1, 0, 1).total.value < 7.63 * gib);
	s.in_h = 970;
	s.in_w = 1450;
	map = 1450.0 * 970 * 16 * 64 * 2;
	check_near(map / gib, 2.683, 1e-3);
	assert_true(memory_need(c, &v, 1, 0, 1).activations > 2 * map);
	assert_true(memory_need(c, &v, 1, 0, 1).total.value > 7.63 * gib);
}

/* Real-ESRGAN pull request 650: realesr-animevideov3 on 1920 x 1080 takes
 * 4.4 GB at batch 2 and 7.6 GB at batch 4. */
static void
case_compact_super_resolution(void **state)
{
	struct stage s = stage(0.619e-3 * 1920 * 1080, 0.62,
	    1136e-6 * 1920 * 1080, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_EAGER);
	double two, four;

	(void)state;
	s.totals.scales = false;
	two = memory_need(c, &v, 1, 0, 2).activations;
	four = memory_need(c, &v, 1, 0, 4).activations;
	check_near(four - two, 3.2e9, 0.02);
	assert_true(memory_need(c, &v, 1, 0, 4).total.low < 7.6e9);
	assert_true(memory_need(c, &v, 1, 0, 4).total.high > 7.6e9);
}

/* A works clinic: 28.73 GB measured for one pass; 24 GB cards fail, 32 and
 * 48 GB pass. */
static void
case_measured_peak(void **state)
{
	struct vendor v = vendor(NULL, 0, ENGINE_EAGER);
	struct memory_need m;

	(void)state;
	v.memory.peak = known(28.73e9);
	m = memory_need(c, &v, 1, 0, 1);
	assert_true(m.measured);
	assert_int_equal(m.total.tier, TIER_MEASURED);
	/* and 0.5 GB of context and 1 GB left free */
	check_near(m.total.value, 30.23e9, 1e-9);
	assert_true(m.total.low > 24 * gib);
	assert_true(m.total.high < 32 * gib);
}

static void
case_memory_seen_on_the_card(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct measurement m = {.batch = 8, .memory = known(4e9)};

	(void)state;
	v.measured = &m;
	v.n_measured = 1;
	/* 4 GB with its context, and 1 GB left free */
	assert_true(memory_need(c, &v, 1, 0, 8).measured);
	check_near(memory_need(c, &v, 1, 0, 8).total.value, 5e9, 1e-9);
	assert_true(memory_need(c, &v, 1, 0, 1).measured);
	/* says nothing of a larger batch */
	assert_false(memory_need(c, &v, 1, 0, 16).measured);
}

/* Coil inspection: a memory bank of 5.2 GB and a distance matrix of 14 GB
 * just fit 24 GB; with twice the normal images they do not. */
static void
case_memory_bank(void **state)
{
	struct stage s = stage(59.6, 68.9, 130, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_EAGER);

	(void)state;
	v.memory.bank = known(852000.0 * 1536 * 4);
	v.memory.scratch = known(4096.0 * 852000 * 4);
	check_near(memory_need(c, &v, 1, 0, 1).bank, 5.23e9, 1e-2);
	assert_true(memory_need(c, &v, 1, 0, 1).total.value < 24 * gib);
	v.memory.bank.value *= 2;
	v.memory.scratch.value *= 2;
	assert_true(memory_need(c, &v, 1, 0, 1).total.value > 24 * gib);
}

static void
band_covers_what_we_computed(void **state)
{
	struct stage s = stage(4.11, 25, 1000, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct memory_need m;

	(void)state;
	v.memory.bank = known(5e9);
	m = memory_need(c, &v, 1, 0, 8);
	assert_true(m.total.low < m.total.value);
	assert_true(m.total.high > m.total.value);
	/* stated data and weights are not in doubt */
	assert_true(m.total.low > 5e9 + m.weights);
	check_near(m.total.high - m.total.value,
	    0.5 * (m.activations + m.context), 1e-9);
}

static void
reserve_is_a_fifth_of_large_needs(void **state)
{
	struct stage s = stage(4.11, 25, 1000, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct memory_need m = memory_need(c, &v, 1, 0, 64);

	(void)state;
	assert_true(m.reserve > 1e9);
	check_near(m.reserve, 0.2 * (m.weights + m.activations + m.context),
	    1e-9);
}

static void
tier_without_figures_is_assumed(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct stage timed = {.kind = STAGE_TIMED,
	    .stream = -1,
	    .precision = PREC_FP16,
	    .seconds = known(25e-3)};
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);

	(void)state;
	s.totals.params.known = false;
	assert_int_equal(memory_need(c, &v, 1, 0, 1).total.tier, TIER_ASSUMED);
	v.stages = &timed;
	assert_int_equal(memory_need(c, &v, 1, 0, 1).total.tier, TIER_ASSUMED);
}

static void
streams_decoded_elsewhere_hold_nothing(void **state)
{
	struct vendor v = vendor(NULL, 0, ENGINE_TENSORRT);
	struct stream st[] = {camera(10, 1920, 1080), camera(10, 1920, 1080)};

	(void)state;
	v.streams = st;
	v.n_streams = 2;
	st[1].decoded_elsewhere = true;
	/* of twenty on the card, ten are decoded there */
	check_near(memory_need(c, &v, 1, 20, 1).surfaces,
	    10 * 20 * 1920 * 1080 * 1.5, 1e-12);
	st[0].kind = STREAM_IMAGES;
	assert_true(memory_need(c, &v, 1, 20, 1).surfaces == 0);
}

static void
absurd_counts_are_harmless(void **state)
{
	struct stage s = stage(4.11, 25, 10, PREC_FP16);
	struct vendor v = vendor(&s, 1, ENGINE_TENSORRT);
	struct stream st = camera(-5, -1, INT32_MAX);
	struct memory_need one = memory_need(c, &v, 1, 0, 1), m;

	(void)state;
	m = memory_need(c, &v, -7, -3, INT32_MIN);
	check_near(m.total.value, one.total.value, 1e-12);
	v.streams = &st;
	v.n_streams = 1;
	v.memory.bank = known(NAN);
	v.memory.scratch = known(-1e12);
	m = memory_need(c, &v, INT32_MAX, INT32_MAX, INT32_MAX);
	assert_true(isfinite(m.total.value) && m.total.value > 0);
	assert_true(m.bank == 0 && m.scratch == 0);
}

static void
usable_of_a_driver(void **state)
{
	struct gpu g = {.memory_bytes = known(16 * gib),
	    .usable_bytes = known(15109 * 1048576.0)};

	(void)state;
	check_near(memory_usable(c, &g).value, 15109 * 1048576.0, 1e-12);
}

static void
usable_with_ecc(void **state)
{
	struct gpu g = {.segment = SEGMENT_DATACENTER,
	    .ecc = known(1),
	    .memory_bytes = known(16 * gib),
	    .memory_kind = "GDDR6"};

	(void)state;
	/* a 16 GiB T4 reports 15,360 MiB */
	check_near(memory_usable(c, &g).value, 15360 * 1048576.0, 1e-12);
	assert_int_equal(memory_usable(c, &g).sure, SURE_DERIVED);
	/* HBM keeps its check bits beside the data */
	g.memory_kind = "HBM2e";
	check_near(memory_usable(c, &g).value, 16 * gib, 1e-12);
	/* workstation cards leave ECC off, GeForce has none */
	g.memory_kind = "GDDR6";
	g.segment = SEGMENT_WORKSTATION;
	check_near(memory_usable(c, &g).value, 16 * gib, 1e-12);
	g.segment = SEGMENT_DATACENTER;
	g.ecc = known(0);
	check_near(memory_usable(c, &g).value, 16 * gib, 1e-12);
}

static void
usable_unknown(void **state)
{
	struct gpu g = {.segment = SEGMENT_DATACENTER};

	(void)state;
	assert_false(memory_usable(c, &g).known);
	g.memory_bytes = known(-1);
	assert_false(memory_usable(c, &g).known);
}

static int
setup(void **state)
{
	struct diag d;

	(void)state;
	a = arena_new();
	diag_init(&d, a);
	c = calibration_read(a, "catalog", &d);
	diag_print(&d, stderr);
	return c ? 0 : 1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(parts_by_hand),
	    cmocka_unit_test(parts_grow),
	    cmocka_unit_test(precision_halves_weights),
	    cmocka_unit_test(framework_reuses_between_networks),
	    cmocka_unit_test(host_stages_take_nothing),
	    cmocka_unit_test(case_eight_decoders),
	    cmocka_unit_test(case_surfaces_grow_with_pixels),
	    cmocka_unit_test(case_many_processes),
	    cmocka_unit_test(case_super_resolution),
	    cmocka_unit_test(case_compact_super_resolution),
	    cmocka_unit_test(case_measured_peak),
	    cmocka_unit_test(case_memory_seen_on_the_card),
	    cmocka_unit_test(case_memory_bank),
	    cmocka_unit_test(band_covers_what_we_computed),
	    cmocka_unit_test(reserve_is_a_fifth_of_large_needs),
	    cmocka_unit_test(tier_without_figures_is_assumed),
	    cmocka_unit_test(streams_decoded_elsewhere_hold_nothing),
	    cmocka_unit_test(absurd_counts_are_harmless),
	    cmocka_unit_test(usable_of_a_driver),
	    cmocka_unit_test(usable_with_ecc),
	    cmocka_unit_test(usable_unknown),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
