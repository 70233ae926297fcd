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
		fail_msg("model verdict %s, want %s",
		    model_verdict_id(vd->model), model_verdict_id(want));
}

static void
check_count(const struct vendor_decision *vd, enum count_verdict want)
{
	if (vd->count != want)
		fail_msg("count verdict %s, want %s",
		    count_verdict_id(vd->count), count_verdict_id(want));
}

static bool
asks(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_questions; i++)
		if (strcmp(vd->questions[i].id, id) == 0)
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

/* RTX 5090 on CUDA 12.6 is excluded by a rule, whatever else serves, and no
 * number of them is right or wrong.  PTX in the build would let it run, so
 * it is sure only once the vendor says that there is none. */
static void
test_excluded_by_a_rule(void **state)
{
	struct vendor *v = vendor_of("S4", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.cuda = known(1206);
	ask_for(v, "nvidia-rtx-5090", 2);
	vd = judge(v, cards_only("nvidia-l4", "nvidia-rtx-5090", NULL));
	check_model(vd, MODEL_IMPOSSIBLE);
	assert_int_equal(vd->sure, SURENESS_LIKELY);
	assert_true(asks(vd, "ptx"));
	v->runtime.ptx_known = true;
	vd = judge(v, cards_only("nvidia-l4", "nvidia-rtx-5090", NULL));
	check_model(vd, MODEL_IMPOSSIBLE);
	check_count(vd, COUNT_NONE);
	assert_int_equal(vd->sure, SURENESS_SURE);
	assert_non_null(vd->smallest);
	assert_string_equal(binding_id(vd), "software");
}

/* 20 GB at least do not fit the 15 GiB of a T4; an L4 has 24: short. */
static void
test_short_of_memory(void **state)
{
	struct vendor *v = vendor_of("S6", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->memory.stated_min = known(20e9);
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-l4", NULL));
	check_model(vd, MODEL_SHORT);
	check_count(vd, COUNT_NONE);
	assert_string_equal(vd->smallest->gpu->id, "nvidia-l4");
	assert_string_equal(binding_id(vd), "memory");
}

/* One frame takes 125 ms of 80 allowed on a T4, not on an H100. */
static void
test_short_of_speed(void **state)
{
	struct vendor *v = vendor_of("S7", 1, 1, 125);
	const struct vendor_decision *vd;

	(void)state;
	v->deadline_s = known(0.110);
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-l40s", NULL));
	check_model(vd, MODEL_SHORT);
	assert_string_equal(binding_id(vd), "deadline");
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
	const struct vendor_decision *vd =
	    judge(v, cards_only("nvidia-t4", NULL));

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
	assert_string_equal(vd->questions[0].id, "cuda-version");
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
	const struct vendor_decision *vd =
	    judge(v, cards_only("nvidia-t4", "nvidia-l40s",
			 "nvidia-a100-sxm4-80gb", NULL));

	(void)state;
	assert_string_equal(vd->smallest->gpu->id, "nvidia-l40s");
	vd = judge(v, cards_only("nvidia-t4", "nvidia-a100-sxm4-80gb", NULL));
	assert_string_equal(vd->smallest->gpu->id, "nvidia-t4");
	vd = judge(v, cards_only("nvidia-a100-sxm4-80gb", NULL));
	assert_string_equal(vd->smallest->gpu->id, "nvidia-a100-sxm4-80gb");
	project.site.slots = known(4);
	assert_null(
	    judge(v, cards_only("nvidia-a100-sxm4-80gb", NULL))->smallest);
}

/* With prices in the project the cheapest is by them alone. */
static void
test_cheapest_by_price(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	struct catalog *c =
	    cards_only("nvidia-l4", "nvidia-l40s", "nvidia-a10", NULL);
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

/* 1.0 card-second at 10 fps of 25.  A camera of 25 fps gives every third
 * frame, 8.33 fps: 0.83 / 0.7 = 1.2, still two cards; every fourth, 6.25:
 * 0.63 / 0.7 = 0.9, one. */
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
	assert_string_equal(c->to, "6.25 fps");
	assert_true(c->fit->cards == 1);
}

static struct vendor *
heavy(double gmacs)
{
	struct vendor *v = vendor_of("S7", 1, 1, 1);

	v->stages[0] = (struct stage){.kind = STAGE_NETWORK,
	    .name = "sr",
	    .times = 1,
	    .stream = -1,
	    .in_h = 540,
	    .in_w = 960,
	    .precision = PREC_FP16};
	v->stages[0].totals = (struct network){.id = "sr",
	    .cls = NET_YOLO,
	    .in_h = 540,
	    .in_w = 960,
	    .macs = known(gmacs * 1e9),
	    .params = known(16e6),
	    .activations = known(1e9)};
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
	assert_true(c->fit->cards <= 2);
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
test_at_most_six_changes(void **state)
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
	assert_in_range(judge(v, cat)->n_changes, 1, 6);
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
	assert_string_equal(vd->questions[0].id, "cuda-version");
	assert_string_equal(vd->questions[1].id, "engine-files");
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

/* No card named fails a gate once the change is made, those of the server
 * included; each turns a failure, saves cards, or is clearly less. */
static void
check_changes(const struct vendor_decision *vd)
{
	static const char *const saves[] = {"serves", "cards", "class", "size"};

	for (int i = 0; i < vd->n_changes; i++) {
		const struct change *c = &vd->changes[i];
		bool known_word = false;

		assert_non_null(c->fit);
		assert_true(c->fit->state != STATE_FAIL);
		assert_int_equal(c->fit->n_failing, 0);
		for (int k = 0; k < 4; k++)
			known_word |= strcmp(c->saves, saves[k]) == 0;
		assert_true(known_word);
		if (strcmp(c->saves, "cards") == 0 && vd->smallest)
			assert_true(c->fit->cards <
				    fmax(vd->smallest->cards,
					vd->judged ? vd->judged->cards : 0));
	}
}

/* The lighter network is not named on a card the server cannot cool. */
static void
test_changes_respect_the_site(void **state)
{
	struct vendor *v = heavy(9300);
	const struct vendor_decision *vd;

	(void)state;
	project.site.slots = known(4);
	project.site.slot_power_w = known(350);
	project.site.cooling = COOLING_PASSIVE;
	ask_for(v, "nvidia-rtx-4090", 2);
	vd = judge(v,
	    cards_only("nvidia-rtx-4090", "nvidia-l40s", "nvidia-t4", NULL));
	check_changes(vd);
	assert_non_null(change_of(vd, "model"));
	assert_string_not_equal(change_of(vd, "model")->fit->gpu->id,
	    "nvidia-rtx-4090");
}

static void
test_changes_over_many(void **state)
{
	static const char *const asked[] = {"nvidia-t4", "nvidia-rtx-4090",
	    "nvidia-a100-pcie-80gb", "nvidia-l4", "nvidia-rtx-5090"};

	(void)state;
	seed_state = 5;
	for (int i = 0; i < 40; i++) {
		struct vendor *v = pick(2) ? heavy(50 + pick(9000))
					   : vendor_of("V", 1 + pick(60),
						 1 + pick(25), 1 + pick(90));

		project.site.slots = known(4);
		project.site.cooling =
		    pick(2) ? COOLING_PASSIVE : COOLING_ACTIVE;
		project.site.slot_power_w = known(75 + 50 * pick(8));
		v->runtime.cuda = known(1000 + 100 * pick(3) + pick(9));
		v->streams[0].decoded_elsewhere = pick(2);
		v->streams[0].width = 1920;
		v->streams[0].height = 1080;
		if (pick(2))
			v->runtime.layout = PROC_PER_STREAM;
		v->memory.peak = known(1e9 * (1 + pick(30)));
		ask_for(v, asked[pick(5)], 1 + pick(9));
		check_changes(judge(v, cat));
	}
}

/* Four T4 at the decoder's limit: with the second stream the card that
 * serves now does with less, and is named; not the large one asked for. */
static void
test_change_on_the_smallest(void **state)
{
	struct vendor *v = vendor_of("S3", 104, 1, 1);
	const struct vendor_decision *vd;

	(void)state;
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].width = 1920;
	v->streams[0].height = 1080;
	ask_for(v, "nvidia-a100-pcie-80gb", 2);
	vd = judge(v, cards_only("nvidia-l4", "nvidia-a100-pcie-80gb", NULL));
	check_model(vd, MODEL_GENEROUS);
	assert_string_equal(change_of(vd, "substream")->fit->gpu->id,
	    "nvidia-l4");
	assert_string_equal(change_of(vd, "substream")->saves, "cards");
	assert_string_equal(vd->questions[0].id, "substream");
	assert_ptr_equal(vd->questions[0].gain, change_of(vd, "substream"));
}

/* An index of tiles late on one card is in time on two. */
static void
test_change_split(void **state)
{
	struct vendor *v = vendor_of("S5", 4, 1, 10);
	const struct change *c;

	(void)state;
	v->streams[0].kind = STREAM_IMAGES;
	v->streams[0].width = 2560;
	v->streams[0].height = 1280;
	v->stages[0].per = PER_TILE;
	v->stages[0].tile = 256;
	/* 10 x 5 tiles x 10 ms = 500 ms of 400. */
	v->deadline_s = known(0.4);
	ask_for(v, "nvidia-t4", 1);
	c = change_of(judge(v, cards_only("nvidia-t4", NULL)), "split");
	assert_non_null(c);
	assert_string_equal(c->to, "2");
	assert_true(c->fit->cards >= 2);
	/* Frames that are one piece cannot be split. */
	v->stages[0].per = PER_FRAME;
	v->stages[0].seconds = known(0.5);
	assert_null(
	    change_of(judge(v, cards_only("nvidia-t4", NULL)), "split"));
}

/* A deadline one frame alone misses: the one at which it would serve. */
static void
test_change_deadline(void **state)
{
	struct vendor *v = vendor_of("S7", 4, 1, 100);
	const struct vendor_decision *vd;
	const struct change *c;

	(void)state;
	v->deadline_s = known(0.08);
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", NULL));
	check_model(vd, MODEL_IMPOSSIBLE);
	assert_string_equal(binding_id(vd), "deadline");
	c = change_of(vd, "deadline");
	assert_non_null(c);
	assert_string_equal(c->from, "80 ms");
	assert_true(c->fit->chain.value <= 0.16);
	assert_string_equal(vd->questions[0].id, "deadline-firm");
	assert_ptr_equal(vd->questions[0].gain, c);
}

/* The batch change says what it changes in plain numbers. */
static void
test_change_batch_numbers(void **state)
{
	struct vendor *v = vendor_of("S2", 40, 10, 31);
	const struct change *c;

	(void)state;
	v->runtime.layout = PROC_PER_STREAM;
	ask_for(v, "nvidia-t4", 20);
	c = change_of(judge(v, cards_only("nvidia-t4", NULL)), "batch");
	assert_int_equal(c->batch[0], 1);
	assert_true(c->batch[1] >= 1);
	assert_int_equal(c->processes[0], 2);
	assert_int_equal(c->processes[1], 1);
}

/* The card asked for waits for a figure and nothing smaller is as good:
 * open, however small the doubt is elsewhere. */
static void
test_open_while_a_gate_asks(void **state)
{
	struct vendor *v = vendor_of("S6", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->stages[0].seconds = (struct fact){0};
	v->memory.peak = known(28e9);
	ask_for(v, "nvidia-a40", 2);
	vd = judge(v, cards_only("nvidia-t4", "nvidia-a40", NULL));
	check_model(vd, MODEL_OPEN);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	/* Beside a clearly larger one the smaller is as good as far as can
	 * be judged: generous, but open all the same. */
	ask_for(v, "nvidia-a100-pcie-80gb", 2);
	vd = judge(v, cards_only("nvidia-a40", "nvidia-a100-pcie-80gb", NULL));
	check_model(vd, MODEL_GENEROUS);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	assert_true(vd->memory_generous);
}

/* A smaller card that asks where the one asked for passes is not as good:
 * the runtime is not tested on it. */
static void
test_generous_gate_by_gate(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);

	(void)state;
	v->runtime.cuda = known(1101);
	ask_for(v, "nvidia-a40", 1);
	check_model(judge(v, cards_only("nvidia-l4", "nvidia-a40", NULL)),
	    MODEL_NEEDED);
	v->runtime.cuda = known(1202);
	check_model(judge(v, cards_only("nvidia-l4", "nvidia-a40", NULL)),
	    MODEL_GENEROUS);
}

/* The aside is about memory alone: not for a card needed for its software. */
static void
test_memory_aside(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	ask_for(v, "nvidia-t4", 1);
	vd = judge(v, cards_only("nvidia-t4", NULL));
	check_model(vd, MODEL_NEEDED);
	assert_false(vd->memory_generous);
	ask_for(v, "nvidia-a100-pcie-80gb", 1);
	vd = judge(v, cards_only("nvidia-l4", "nvidia-a100-pcie-80gb", NULL));
	assert_true(vd->memory_generous);
	v->memory.peak = known(60e9);
	vd = judge(v, cards_only("nvidia-a100-pcie-80gb", NULL));
	assert_false(vd->memory_generous);
}

/* Nothing known of the pipeline: no verdict, whatever is asked for. */
static void
test_open_without_pipeline(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->n_stages = 0;
	ask_for(v, "nvidia-t4", 4);
	vd = judge(v, cat);
	check_model(vd, MODEL_OPEN);
	check_count(vd, COUNT_OPEN);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	assert_true(asks(vd, "time-per-run"));
	assert_false(vd->smallest->sized);
	/* Nor is anything said of its memory. */
	ask_for(v, "nvidia-a100-pcie-80gb", 4);
	v->memory.peak = (struct fact){0};
	assert_false(judge(v, cat)->memory_generous);
}

/* A board one slow camera hardly wakes: nothing is worth changing. */
static void
test_no_change_for_nothing(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 1);
	const struct vendor_decision *vd;

	(void)state;
	v->streams[0].decoded_elsewhere = false;
	ask_for(v, "nvidia-l4", 1);
	vd = judge(v, cat);
	assert_int_equal(vd->n_changes, 0);
	assert_string_equal(binding_id(vd), "none");
}

/* A card of about the same size that serves can take its place: sound, not
 * needed.  70 W x 320 GB/s against 72 W x 300 GB/s. */
static void
test_sound_beside_an_equal(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);

	(void)state;
	ask_for(v, "nvidia-t4", 1);
	check_model(judge(v, cards_only("nvidia-t4", "nvidia-l4", NULL)),
	    MODEL_SOUND);
	check_model(judge(v, cards_only("nvidia-t4", "nvidia-a40", NULL)),
	    MODEL_NEEDED);
}

/* A card the server cannot hold has no right or wrong number. */
static void
test_no_count_when_excluded(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);

	(void)state;
	project.site.slots = known(4);
	project.site.cooling = COOLING_PASSIVE;
	ask_for(v, "nvidia-rtx-4090", 2);
	check_count(judge(v, cards_only("nvidia-t4", "nvidia-rtx-4090", NULL)),
	    COUNT_NONE);
}

/* Ten objects at the peak take more cards than asked, the average does not:
 * short, but no more than likely. */
static void
test_short_at_the_peak_only(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->stages[0].per = PER_OBJECT;
	v->streams[0].objects_mean = known(1);
	v->streams[0].objects_peak = known(10);
	ask_for(v, "nvidia-t4", 3);
	vd = judge(v, cards_only("nvidia-t4", NULL));
	check_count(vd, COUNT_SHORT);
	assert_true(vd->judged->cards_mean <= 3);
	assert_int_equal(vd->sure, SURENESS_LIKELY);
	v->streams[0].objects_mean = known(9);
	vd = judge(v, cards_only("nvidia-t4", NULL));
	assert_int_equal(vd->sure, SURENESS_SURE);
}

static bool
has_risk(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_risks; i++)
		if (strcmp(vd->risks[i].id, id) == 0)
			return true;
	return false;
}

/* The planned card is sure when the far end of the bands still fits; a time
 * at the limit, or an open gate, takes that away. */
static void
test_planned_certainty(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct vendor_decision *vd;

	(void)state;
	ask_for(v, "nvidia-l4", 1);
	vd = judge(v, cards_only("nvidia-l4", NULL));
	assert_int_equal(vd->planned_sure, SURENESS_SURE);
	assert_int_equal(vd->n_risks, 0);
	/* 10 ms within 11: the high end is late. */
	v->deadline_s = known(fit_on(v, "nvidia-l4")->chain.value * 1.05);
	vd = judge(v, cards_only("nvidia-l4", NULL));
	assert_int_equal(vd->planned_sure, SURENESS_LIKELY);
	assert_true(has_risk(vd, "deadline"));
	v->deadline_s = (struct fact){0};
	v->runtime.cuda = known(1101); /* not tested on Ada */
	vd = judge(v, cards_only("nvidia-l4", NULL));
	assert_int_equal(vd->planned_sure, SURENESS_OPEN);
	assert_true(has_risk(vd, "gate"));
}

/* 1.0 card-second of 0.7 x 2: the band reaches a third card. */
static void
test_planned_count_risk(void **state)
{
	struct vendor *v = vendor_of("V", 10, 13, 10);
	const struct vendor_decision *vd;

	(void)state;
	ask_for(v, "nvidia-l4", 2);
	vd = judge(v, cards_only("nvidia-l4", NULL));
	assert_true(vd->planned->cards_high > vd->planned->cards);
	assert_true(has_risk(vd, "cards"));
	assert_int_equal(vd->planned_sure, SURENESS_LIKELY);
}

/* What decides: nothing on a board one camera hardly wakes; the deadline
 * where cards stand idle for its sake; the site where it takes no card. */
static void
test_binding_follows_what_decides(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 1);

	(void)state;
	ask_for(v, "nvidia-l4", 1);
	assert_string_equal(binding_id(judge(v, cards_only("nvidia-l4", NULL))),
	    "none");
	v = vendor_of("V", 40, 1, 100);
	v->deadline_s = known(0.105);
	ask_for(v, "nvidia-t4", 40);
	assert_string_equal(binding_id(judge(v, cards_only("nvidia-t4", NULL))),
	    "deadline");
	project.policy.domestic_only = true;
	v = vendor_of("V", 1, 1, 10);
	ask_for(v, "nvidia-t4", 1);
	assert_string_equal(binding_id(judge(v,
				cards_only("nvidia-t4", "nvidia-l4", NULL))),
	    "supply");
	project.policy.domestic_only = false;
	project.site.slots = known(4);
	project.site.slot_power_w = known(1);
	assert_string_equal(binding_id(judge(v,
				cards_only("nvidia-t4", "nvidia-l4", NULL))),
	    "form");
}

/* A card nobody measured is no way out when all measured ones are late. */
static void
test_unrated_is_no_candidate(void **state)
{
	struct vendor *v = vendor_of("S7", 1, 1, 500);
	struct catalog *c = cards_only("nvidia-t4", "nvidia-l4", NULL);

	(void)state;
	v->deadline_s = known(0.08);
	c->gpus[1].peak[PEAK_FP16_TENSOR] = (struct fact){0};
	c->gpus[1].peak[PEAK_FP16_TENSOR_ACC16] = (struct fact){0};
	c->gpus[1].peak[PEAK_FP16] = (struct fact){0};
	c->gpus[1].peak[PEAK_FP32] = (struct fact){0};
	ask_for(v, "nvidia-t4", 1);
	assert_null(judge(v, c)->smallest);
}

/* Small boards that would fill more than three times the servers are no
 * candidate, though all of them together are the smaller card.  6 seconds of
 * a T4 a second: 13 or more A2, two or three L40S. */
static void
test_crowded(void **state)
{
	struct vendor *v = vendor_of("V", 60, 10, 10);
	struct catalog *c = cards_only("nvidia-a2", "nvidia-l40s", NULL);
	const struct vendor_decision *vd;
	const struct fit *a2, *l40s;

	(void)state;
	vd = judge(v, c); /* no server described */
	a2 = fit_find(vd, catalog_gpu(c, "nvidia-a2"));
	l40s = fit_find(vd, catalog_gpu(c, "nvidia-l40s"));
	assert_true(fit_size(a2) < fit_size(l40s));
	assert_true(a2->cards > 3 * l40s->cards);
	assert_string_equal(vd->smallest->gpu->id, "nvidia-a2");
	project.site.slots = known(1);
	assert_string_equal(judge(v, c)->smallest->gpu->id, "nvidia-l40s");
	project.site.slots = known(20); /* one server either way */
	assert_string_equal(judge(v, c)->smallest->gpu->id, "nvidia-a2");
}

/* The first question is the one that turns the verdict. */
static void
test_first_question(void **state)
{
	struct vendor *v = vendor_of("S2", 10, 10, 10);
	const struct vendor_decision *vd;

	(void)state;
	v->runtime.cuda = known(1001);
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].codec = CODEC_NONE;
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cat);
	assert_string_equal(binding_id(vd), "software");
	assert_string_equal(vd->questions[0].id, "software-version");
	assert_true(vd->questions[0].flips);
	assert_string_equal(vd->questions[0].gain->id, "cuda");
	assert_true(asks(vd, "codec"));
	/* Alone on the site any driver will do. */
	assert_false(asks(vd, "driver"));
	/* A driver that is stated is not asked for. */
	vd = &decide((struct vendor *[]){v, vendor_of("B", 1, 1, 1)}, 2, cat)
		  ->vendors[0];
	assert_true(asks(vd, "driver"));
	v->runtime.driver = known(470);
	assert_false(asks(judge(v, cat), "driver"));
}

/* A quantity that is missing beside a rule that excludes: impossible, for
 * sure; the gate named first stays the quantity. */
static void
test_rule_outranks_quantity(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	struct catalog *c = cards_only("nvidia-rtx-3090", "nvidia-l40s", NULL);
	const struct vendor_decision *vd;

	(void)state;
	v->memory.peak = known(30e9);
	ask_for(v, "nvidia-rtx-3090", 1);
	check_model(judge(v, c), MODEL_SHORT);
	project.site.cooling = COOLING_PASSIVE;
	vd = judge(v, c);
	check_model(vd, MODEL_IMPOSSIBLE);
	assert_int_equal(vd->judged->first, GATE_MEMORY);
	assert_int_equal(firm_gate(v, vd->judged), GATE_COOLING);
	assert_int_equal(vd->sure, SURENESS_SURE);
	/* Nothing serves: the rule is as sure as before. */
	vd = judge(v, cards_only("nvidia-rtx-3090", NULL));
	check_model(vd, MODEL_IMPOSSIBLE);
	assert_int_equal(vd->sure, SURENESS_SURE);
}

/* PTX is asked about where it would let the card asked for run, not where
 * that card is out for its cooling as well and another serves. */
static void
test_no_question_for_nothing(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	struct catalog *c = cards_only("nvidia-rtx-5090", "nvidia-l4", NULL);

	(void)state;
	v->runtime.built_for[0] = 89;
	v->runtime.n_built_for = 1;
	v->deadline_s = known(0.5);
	ask_for(v, "nvidia-rtx-5090", 1);
	assert_true(asks(judge(v, c), "ptx"));
	project.site.cooling = COOLING_PASSIVE;
	assert_false(asks(judge(v, c), "ptx"));
	/* 10 ms of 500: nobody asks whether the deadline is firm. */
	assert_false(asks(judge(v, c), "deadline-firm"));
}

/* A lower rate that saves a card is asked about; what only NVIDIA cards
 * serve is asked for another version, last. */
static void
test_choices_of_the_client(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 10);
	const struct vendor_decision *vd;

	(void)state;
	ask_for(v, "nvidia-t4", 2);
	vd = judge(v, cards_only("nvidia-t4", "amd-instinct-mi210", NULL));
	assert_true(asks(vd, "fps-needed"));
	assert_string_equal(vd->questions[vd->n_questions - 1].id,
	    "domestic-version");
	v->runtime.ecosystem = "any";
	assert_false(asks(judge(v, cat), "domestic-version"));
	v->streams[0].analysed_per_s = 1;
	assert_false(asks(judge(v, cat), "fps-needed"));
}

/* Nothing but encoding fails on the H100: it comes nearest, though the L40S
 * is late by a tenth only, and encoding elsewhere is the first change. */
static void
test_nearest_fails_encoding_only(void **state)
{
	struct vendor *v = vendor_of("S7", 1, 1, 100);
	struct catalog *c =
	    cards_only("nvidia-l40s", "nvidia-h100-pcie-80gb", NULL);
	double l40s = fit_on(v, "nvidia-l40s")->busy.value;
	double h100 = fit_on(v, "nvidia-h100-pcie-80gb")->busy.value;
	const struct vendor_decision *vd;

	(void)state;
	assert_true(h100 < 0.9 * l40s);
	v->deadline_s = known(0.91 * l40s);
	v->streams[0].out_codec = CODEC_H264;
	v->streams[0].out_width = 1920;
	v->streams[0].out_height = 1080;
	vd = judge(v, c);
	assert_null(vd->smallest);
	assert_string_equal(vd->nearest->gpu->id, "nvidia-h100-pcie-80gb");
	assert_string_equal(vd->changes[0].id, "encode-elsewhere");
}

/* Statements that cannot both be true are asked about. */
static void
test_contradictions(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);

	(void)state;
	ask_for(v, "nvidia-l4", 1);
	v->runtime.driver = known(300);
	assert_true(asks(judge(v, cat), "driver-cuda"));
	v->runtime.driver = known(525);
	assert_false(asks(judge(v, cat), "driver-cuda"));
	v->runtime.cuda = known(900); /* knows nothing of 7.5 */
	v->runtime.built_for[0] = 75;
	v->runtime.n_built_for = 1;
	assert_true(asks(judge(v, cat), "build-cuda"));
	v->runtime.cuda = known(1000);
	assert_false(asks(judge(v, cat), "build-cuda"));
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
	    T(test_needed_by_software),
	    T(test_generous),
	    T(test_excluded_by_a_rule),
	    T(test_short_of_memory),
	    T(test_short_of_speed),
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
	    T(test_at_most_six_changes),
	    T(test_questions),
	    T(test_changes_respect_the_site),
	    T(test_changes_over_many),
	    T(test_change_on_the_smallest),
	    T(test_change_split),
	    T(test_change_deadline),
	    T(test_change_batch_numbers),
	    T(test_open_while_a_gate_asks),
	    T(test_generous_gate_by_gate),
	    T(test_memory_aside),
	    T(test_open_without_pipeline),
	    T(test_no_change_for_nothing),
	    T(test_sound_beside_an_equal),
	    T(test_no_count_when_excluded),
	    T(test_short_at_the_peak_only),
	    T(test_planned_certainty),
	    T(test_planned_count_risk),
	    T(test_binding_follows_what_decides),
	    T(test_unrated_is_no_candidate),
	    T(test_crowded),
	    T(test_first_question),
	    T(test_rule_outranks_quantity),
	    T(test_no_question_for_nothing),
	    T(test_choices_of_the_client),
	    T(test_nearest_fails_encoding_only),
	    T(test_contradictions),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
