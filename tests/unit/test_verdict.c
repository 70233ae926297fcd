/* decide/verdict.c, rank.c, change.c, question.c */
#include "decide_fixture.h"

static const struct vendor_decision *
judge(struct vendor *v, const struct catalog *c)
{
	return &decide(&v, 1, c)->vendors[0];
}

static void
check_model(const struct vendor_decision *vd, enum model_verdict want)
{
	if (vd->model != want)
		fail_msg("model verdict %s, want %s", model_verdict_id(
		    vd->model), model_verdict_id(want));
}

static void
check_count(const struct vendor_decision *vd, enum count_verdict want)
{
	if (vd->count != want)
		fail_msg("count verdict %s, want %s", count_verdict_id(
		    vd->count), count_verdict_id(want));
}

static bool
asks(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_questions; i++)
		if (strcmp(vd->questions[i], id) == 0)
			return true;
	return false;
}

static bool
assumes(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_assumptions; i++)
		if (strcmp(vd->assumptions[i], id) == 0)
			return true;
	return false;
}

static const struct change *
change_of(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_changes; i++)
		if (strcmp(vd->changes[i].id, id) == 0)
			return &vd->changes[i];
	return NULL;
}

/* An engine for 7.5 leaves T4 and Quadro RTX 8000; the T4 is the smaller:
 * nothing smaller passes, so it is needed. */
static void
test_needed_by_software(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.ships = SHIPS_ENGINE_FILES;
	v->runtime.built_for[0] = 75;
	v->runtime.n_built_for = 1;
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-quadro-rtx-8000",
	    "nvidia-l4", "nvidia-a2", "nvidia-l40s", NULL));
	check_model(vd, MODEL_NEEDED);
	check_count(vd, COUNT_SOUND);
	assert_string_equal(vd->smallest->gpu->id, "nvidia-t4");
	assert_string_equal(binding_id(vd), "software");
	assert_int_equal(vd->sure, SURENESS_SURE);
}

/* The same vendor asking for the Quadro: the T4 does it on 70 W of 320 GB/s
 * instead of 260 W of 672 GB/s, with as few cards: generous. */
static void
test_generous(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	ask_for(v, "nvidia-quadro-rtx-8000", 1);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-quadro-rtx-8000", NULL));
	check_model(vd, MODEL_GENEROUS);
}

/* RTX 5090 on CUDA 12.6 fails while an Ada card serves: short, and no
 * number of them is right or wrong. */
static void
test_short(void **state)
{
	struct vendor *v = vendor_of("S4", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.cuda = known(1206);
	ask_for(v, "nvidia-rtx-5090", 2);
	vd = judge(v, cards_only("nvidia-l4", "nvidia-rtx-5090", NULL));
	check_model(vd, MODEL_SHORT);
	check_count(vd, COUNT_NONE);
	assert_int_equal(vd->sure, SURENESS_SURE);
	assert_string_equal(binding_id(vd), "software");
}

/* One frame takes 125 ms of 80 allowed, on the only cards there are. */
static void
test_impossible(void **state)
{
	struct vendor *v = vendor_of("S7", 4, 5, 125);
	const struct vendor_decision *vd;

	(void)state;
	v->deadline_s = known(0.080);
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-a2", NULL));
	check_model(vd, MODEL_IMPOSSIBLE);
	check_count(vd, COUNT_NONE);
	assert_null(vd->smallest);
	assert_string_equal(binding_id(vd), "deadline");
	assert_string_equal(vd->nearest->gpu->id, "nvidia-t4");
}

static void
test_open_without_card(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd = judge(v, cards_only("nvidia-t4",
	    NULL));

	(void)state;
	check_model(vd, MODEL_OPEN);
	check_count(vd, COUNT_NONE);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	assert_null(vd->judged);
}

/* Software that nobody described: no verdict on the model. */
static void
test_open_without_runtime(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.cuda = (struct fact){0};
	ask_for(v, "nvidia-t4", 1);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-l40s", NULL));
	check_model(vd, MODEL_OPEN);
	assert_string_equal(vd->questions[0], "cuda-version");
}

/* 1.0 card-second at 70 % is two T4 (measured, band narrow): one is short,
 * two are sound, nine are generous. */
static void
test_counts(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct catalog *c = cards_only("nvidia-t4", NULL);

	(void)state;
	ask_for(v, "nvidia-t4", 1);
	check_count(judge(v, c), COUNT_SHORT);
	ask_for(v, "nvidia-t4", 2);
	check_count(judge(v, c), COUNT_SOUND);
	ask_for(v, "nvidia-t4", 9);
	check_count(judge(v, c), COUNT_GENEROUS);
	v->request.count = (struct fact){0};
	check_count(judge(v, c), COUNT_NONE);
}

/* The spare the policy wants is not held against the vendor. */
static void
test_spare_is_not_generous(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct catalog *c = cards_only("nvidia-t4", NULL);
	int high = (int)judge(v, c)->fits[0].cards_high;

	(void)state;
	ask_for(v, "nvidia-t4", high + 1);
	check_count(judge(v, c), COUNT_GENEROUS);
	project.policy.spare_per_pool = 1;
	check_count(judge(v, c), COUNT_SOUND);
}

/* "A100 80GB" is two cards: the verdict is on the one that serves, never
 * quite sure, and the variant is asked. */
static void
test_ambiguous_name(void **state)
{
	struct vendor *v = vendor_of("S3", 10, 10, 10);
	const struct catalog *c = cards_only("nvidia-l4",
	    "nvidia-a100-pcie-80gb", "nvidia-a100-sxm4-80gb", NULL);
	const struct vendor_decision *vd;

	(void)state;
	project.site.slots = known(4);
	v->request.written = "A100 80GB";
	v->request.candidates[0] = catalog_gpu(c, "nvidia-a100-sxm4-80gb");
	v->request.candidates[1] = catalog_gpu(c, "nvidia-a100-pcie-80gb");
	v->request.n_candidates = 2;
	v->request.count = known(1);
	vd = judge(v, c);
	assert_null(vd->requested);
	assert_string_equal(vd->judged->gpu->id, "nvidia-a100-pcie-80gb");
	assert_true(vd->sure != SURENESS_SURE);
	assert_true(asks(vd, "memory-variant"));
}

/* No time stated: memory alone says that 48 GB do where 80 were asked; the
 * verdict is open in certainty and count (scenario S6). */
static void
test_memory_alone(void **state)
{
	struct vendor *v = vendor_of("S6", 1, 1, 1);
	const struct vendor_decision *vd;

	(void)state;
	v->stages[0].seconds = (struct fact){0};
	v->memory.peak = known(28.73e9);
	ask_for(v, "nvidia-a100-pcie-80gb", 2);
	vd = judge(v, cards_only("nvidia-a10", "nvidia-a40",
	    "nvidia-a100-pcie-80gb", NULL));
	check_model(vd, MODEL_GENEROUS);
	check_count(vd, COUNT_OPEN);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	assert_string_equal(vd->smallest->gpu->id, "nvidia-a40");
	assert_string_equal(vd->nearest->gpu->id, "nvidia-a10");
	assert_string_equal(binding_id(vd), "memory");
	assert_true(asks(vd, "time-per-run"));
	assert_true(assumes(vd, "count-asked"));
}

/* Old boards come after boards in service, modules last. */
static void
test_order_of_classes(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd = judge(v, cards_only("nvidia-t4",
	    "nvidia-l40s", "nvidia-a100-sxm4-80gb", NULL));

	(void)state;
	assert_string_equal(vd->smallest->gpu->id, "nvidia-l40s");
	vd = judge(v, cards_only("nvidia-t4", "nvidia-a100-sxm4-80gb", NULL));
	assert_string_equal(vd->smallest->gpu->id, "nvidia-t4");
	vd = judge(v, cards_only("nvidia-a100-sxm4-80gb", NULL));
	assert_string_equal(vd->smallest->gpu->id, "nvidia-a100-sxm4-80gb");
	project.site.slots = known(4);
	assert_null(judge(v, cards_only("nvidia-a100-sxm4-80gb",
	    NULL))->smallest);
}

/* With prices in the project the cheapest is by them alone. */
static void
test_cheapest_by_price(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	struct catalog *c = cards_only("nvidia-l4", "nvidia-l40s",
	    "nvidia-a10", NULL);
	struct price prices[] = {
		{catalog_gpu(c, "nvidia-l4"), 20000, "CNY", {0}},
		{catalog_gpu(c, "nvidia-l40s"), 15000, "CNY", {0}},
	};

	(void)state;
	project.prices = prices;
	project.n_prices = 2;
	assert_string_equal(judge(v, c)->cheapest->gpu->id, "nvidia-l40s");
	assert_string_equal(judge(v, c)->smallest->gpu->id, "nvidia-l4");
	project.n_prices = 0;
	project.prices = NULL;
}

/* A new build opens Ada to a vendor stuck on CUDA 10.1. */
static void
test_change_build(void **state)
{
	struct vendor *v = vendor_of("S2", 10, 10, 10);
	const struct change *c;

	(void)state;
	v->runtime.cuda = known(1001);
	ask_for(v, "nvidia-t4", 2);
	c = change_of(judge(v, cards_only("nvidia-t4", "nvidia-l4", NULL)),
	    "cuda");
	assert_non_null(c);
	assert_string_equal(c->from, "CUDA 10.1");
	assert_string_equal(c->to, "CUDA 12.8");
	assert_string_equal(c->fit->gpu->id, "nvidia-l4");
}

/* Sharing one process saves the rounding to whole streams: 20 cards become
 * 18 (test_fit.c). */
static void
test_change_batch(void **state)
{
	struct vendor *v = vendor_of("S2", 40, 10, 31);
	const struct change *c;

	(void)state;
	v->runtime.layout = PROC_PER_STREAM;
	ask_for(v, "nvidia-t4", 20);
	c = change_of(judge(v, cards_only("nvidia-t4", NULL)), "batch");
	assert_non_null(c);
	assert_true(c->fit->cards == 18);
}

/* 1.0 card-second halves to 0.5 / 0.7: one card instead of two. */
static void
test_change_rate(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct change *c;

	(void)state;
	ask_for(v, "nvidia-t4", 2);
	c = change_of(judge(v, cards_only("nvidia-t4", NULL)), "fps");
	assert_non_null(c);
	assert_string_equal(c->from, "10 fps");
	assert_string_equal(c->to, "5 fps");
	assert_true(c->fit->cards == 1);
}

static struct vendor *
heavy(double gmacs)
{
	struct vendor *v = vendor_of("S7", 1, 1, 1);

	v->stages[0] = (struct stage){.kind = STAGE_NETWORK, .name = "sr",
	    .times = 1, .stream = -1, .in_h = 540, .in_w = 960,
	    .precision = PREC_FP16};
	v->stages[0].totals = (struct network){.id = "sr", .cls = NET_YOLO,
	    .in_h = 540, .in_w = 960, .macs = known(gmacs * 1e9),
	    .params = known(16e6), .activations = known(1e9)};
	v->deadline_s = known(0.080);
	return v;
}

/* A network too heavy for the deadline: the lighter one named does pass. */
static void
test_change_model(void **state)
{
	struct vendor *v = heavy(9300);
	const struct change *c;

	(void)state;
	ask_for(v, "nvidia-a10", 2);
	c = change_of(judge(v, cards_only("nvidia-a10", NULL)), "model");
	assert_non_null(c);
	assert_string_equal(c->from, "18600 GFLOP");
	assert_true(c->fit->gates[GATE_DEADLINE].need.value <= 0.080);
	assert_true(c->fit->gates[GATE_DEADLINE].need.value > 0.030);
}

/* A camera on a sub-stream is decoded at a fifth of the pixels. */
static void
test_change_substream(void **state)
{
	struct vendor *v = vendor_of("S3", 104, 1, 1);
	const struct change *c;

	(void)state;
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].width = 1920;
	v->streams[0].height = 1080;
	ask_for(v, "nvidia-t4", 4);
	c = change_of(judge(v, cards_only("nvidia-t4", NULL)), "substream");
	assert_non_null(c);
	assert_string_equal(c->from, "1920x1080");
	assert_true(c->fit->cards < 4);
}

static void
test_at_most_four_changes(void **state)
{
	struct vendor *v = heavy(300);

	(void)state;
	v->runtime.cuda = known(1001);
	v->runtime.layout = PROC_PER_STREAM;
	v->streams[0].count = 200;
	v->streams[0].analysed_per_s = 10;
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].width = 1920;
	v->streams[0].height = 1080;
	ask_for(v, "nvidia-t4", 4);
	assert_in_range(judge(v, cat)->n_changes, 1, 4);
}

/* What is said is not asked; what is missing is, the heaviest first. */
static void
test_questions(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.cuda = (struct fact){0};
	v->runtime.ships = SHIPS_UNKNOWN;
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].codec = CODEC_NONE;
	v->stages[0].per = PER_OBJECT;
	ask_for(v, "nvidia-t4", 1);
	vd = judge(v, cat);
	assert_string_equal(vd->questions[0], "cuda-version");
	assert_string_equal(vd->questions[1], "engine-files");
	assert_true(asks(vd, "codec"));
	assert_true(asks(vd, "objects"));
	assert_true(asks(vd, "production"));
	assert_true(asks(vd, "deadline"));
	assert_false(asks(vd, "count"));
	assert_false(asks(vd, "memory-variant"));
	assert_true(assumes(vd, "objects-mean"));
	assert_true(assumes(vd, "codec"));
	assert_true(vd->sure != SURENESS_SURE);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
		T(test_needed_by_software),
		T(test_generous),
		T(test_short),
		T(test_impossible),
		T(test_open_without_card),
		T(test_open_without_runtime),
		T(test_counts),
		T(test_spare_is_not_generous),
		T(test_ambiguous_name),
		T(test_memory_alone),
		T(test_order_of_classes),
		T(test_cheapest_by_price),
		T(test_change_build),
		T(test_change_batch),
		T(test_change_rate),
		T(test_change_model),
		T(test_change_substream),
		T(test_at_most_four_changes),
		T(test_questions),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
