/*
 * The sample project: seven vendors on one site, with the conclusions of
 * the scenarios it was drawn from.  Where ours differs from them, the
 * derivation stands beside it.
 */
#include "decide_fixture.h"

#include <stdlib.h>
#include <time.h>

#include "base/str.h"
#include "data/results.h"
#include "decide/outcome.h"
#include "decide/whatif.h"

static struct project *sample;
static struct decision *dec;
static struct node *results;

static int
open_sample(void **state)
{
	struct diag d;

	if (fixture_open(state))
		return 1;
	diag_init(&d, a);
	sample = project_read(a, "catalog/examples/project.yaml", cat, &d);
	if (!sample || d.n_errors) {
		diag_print(&d, stderr);
		return 1;
	}
	dec = decide_project(a, sample, cat, cal);
	results = outcome_build(a, sample, cat, cal, dec);
	dr = (struct decider){a, sample, cat, cal};
	return 0;
}

static const struct vendor_decision *
vendor(const char *id)
{
	for (int i = 0; i < dec->n_vendors; i++)
		if (strcmp(dec->vendors[i].vendor->id, id) == 0)
			return &dec->vendors[i];
	fail_msg("no vendor '%s' in the sample project", id);
	return NULL;
}

static void
check(const struct vendor_decision *vd, enum model_verdict model,
    const char *binding)
{
	if (vd->model != model || strcmp(binding_id(vd), binding) != 0)
		fail_msg("%s: %s, bound by %s; want %s, bound by %s",
		    vd->vendor->id, model_verdict_id(vd->model), binding_id(vd),
		    model_verdict_id(model), binding);
}

static enum state
software_of(const struct vendor_decision *vd, const char *id)
{
	return fit_find(vd, card(id))->gates[GATE_SOFTWARE].state;
}

static bool
passes_except_site(const struct vendor_decision *vd, const char *id)
{
	const struct fit *f = fit_find(vd, card(id));

	for (int g = 0; g < GATE_FORM; g++)
		if (f->gates[g].state == STATE_FAIL)
			return false;
	return true;
}

/*
 * S1: engine files for 7.5: the model is a software lock, T4 is needed.
 * 64 x 12.5 = 800 frames/s; 26.7 GFLOP a frame and 12.6 a face make 31.4
 * TFLOP/s at one face and 71.7 at five; 1600 decoded frames/s.  At the peak
 * four T4 have no headroom (92 % busy at 30 % of peak), so the count is
 * short: five or six at the peak, three at the mean.
 */
static void
test_s1(void **state)
{
	const struct vendor_decision *vd = vendor("S1");
	struct demand dm = demand_of(&dr, vd->vendor);
	double flop;

	(void)state;
	check(vd, MODEL_NEEDED, "software");
	assert_int_equal(vd->count, COUNT_SHORT);
	assert_true(vd->judged->cards >= 5 && vd->judged->cards <= 6);
	assert_true(vd->judged->busy_mean / vd->judged->limit <= 4);
	near_to(dm.frames_per_s, 800, 1e-12);
	near_to(dm.decode_per_s, 1600, 1e-12);
	assert_true(demand_flop(&dr, &dm, false, &flop));
	near_to(flop, 31.4e12, 0.03);
	assert_true(demand_flop(&dr, &dm, true, &flop));
	near_to(flop, 71.7e12, 0.03);
	assert_int_equal(software_of(vd, "nvidia-l4"), STATE_FAIL);
	assert_int_equal(software_of(vd, "nvidia-rtx-5090"), STATE_FAIL);
	assert_int_equal(software_of(vd, "nvidia-v100-pcie-32gb"), STATE_FAIL);
	assert_string_equal(vd->changes[0].id, "cuda");
}

/*
 * S2: 400 frames/s x (25 + 0.5 x (4.68 + 7.31)) ms = 12.4 card-seconds; a
 * process a camera, so two whole cameras a card at 70 %: 20, as asked (the
 * refinement in (d); 18 if a camera could be split).  CUDA 10.1 ends with
 * Turing.
 */
static void
test_s2(void **state)
{
	const struct vendor_decision *vd = vendor("S2");

	(void)state;
	check(vd, MODEL_NEEDED, "software");
	assert_int_equal(vd->count, COUNT_SOUND);
	near_to(vd->judged->busy.value, 400 * (0.025 + 0.5 * 0.01199), 1e-9);
	assert_true(vd->judged->cards == 20);
	assert_int_equal(vd->judged->tier, TIER_MEASURED);
	assert_int_equal(software_of(vd, "nvidia-a10"), STATE_FAIL);
	assert_int_equal(software_of(vd, "nvidia-v100-pcie-32gb"), STATE_PASS);
}

/*
 * S3: 104 x 25 = 2600 decoded frames/s are more than one A100 decodes at its
 * video clock (109 % in (d)), while its compute is far from full once frames
 * are batched: generous as a model, short as a count, bound by decoding.
 * Two L4 or two L40S do it.
 */
static void
test_s3(void **state)
{
	const struct vendor_decision *vd = vendor("S3");
	const struct fit *l4 = fit_find(vd, card("nvidia-l4"));

	(void)state;
	check(vd, MODEL_GENEROUS, "decode");
	assert_null(vd->requested);
	assert_int_equal(vd->count, COUNT_SHORT);
	assert_true(vd->judged->cards == 2);
	near_to(vd->judged->load[RES_DECODE], 1.09, 0.04);
	assert_true(vd->judged->load[RES_COMPUTE] < 0.7);
	assert_int_equal(l4->state, STATE_PASS);
	assert_true(l4->cards == 2);
	assert_true(fit_find(vd, card("nvidia-l40s"))->cards == 2);
	assert_true(vd->sure != SURENESS_SURE);
	near_to(demand_of(&dr, vd->vendor).decode_per_s, 2600, 1e-12);
}

/*
 * S4: the build ends at 9.0, the RTX 5090 is 12.0: it does not run, however
 * many.  317.5 ms a page x 12 = 3.81 card-seconds of a T4; the
 * deadline of 1.5 s allows the default 80 % instead of the 70 % there: five.
 */
static void
test_s4(void **state)
{
	const struct vendor_decision *vd = vendor("S4");
	struct vendor copy = *vd->vendor;
	const struct fit *t4;

	(void)state;
	check(vd, MODEL_IMPOSSIBLE, "software");
	assert_string_equal(vd->judged->gates[GATE_SOFTWARE].why, "build-list");
	assert_int_equal(vd->count, COUNT_NONE);
	assert_int_equal(vd->sure, SURENESS_SURE);
	t4 = fit_find(vd, card("nvidia-t4"));
	near_to(t4->busy.value, 12 * (0.090 + 35 * 0.0065), 1e-9);
	assert_true(t4->cards == 5);
	copy.load_limit = known(0.7);
	assert_true(fit_on(&copy, "nvidia-t4")->cards == 6);
	assert_true(passes_except_site(vd, "nvidia-l40s"));
}

/*
 * S5: 104 tiles an image.  CUDA 11.1 ends at 8.6: Ada asks ("runs, not
 * tuned, not tested", (d)), 9.0 and 12.0 fail.  Bank 5.2 GB and matrix 14 GB
 * leave the RTX 3090 borderline: it holds them.  The wish was 0.44 s an
 * image at 40 % of the peak; an SDK that runs op by op does not reach that
 * in the model, so one image is late on a 3090: that would be short.  But it
 * brings a fan to a server without, which no estimate changes: a rule that
 * excludes for sure outranks a quantity, so impossible, and sure; the time
 * stays the gate that is named first.  Never one card for four lines: every
 * image has 500 ms, two that come at once on an L40S take 2 x 331, so a card
 * a line, four, each a third busy.  One image takes 104 tiles' share of the
 * load, no more.  At the far end of the band it takes 603: late, however
 * many.
 */
static void
test_s5(void **state)
{
	const struct vendor_decision *vd = vendor("S5");
	struct demand dm = demand_of(&dr, vd->vendor);
	const struct fit *f = vd->judged;

	(void)state;
	assert_int_equal(vd->model, MODEL_IMPOSSIBLE);
	assert_int_equal(vd->sure, SURENESS_SURE);
	assert_int_equal(f->first, GATE_DEADLINE);
	near_to(dm.rate_peak[0], 4 * 104, 1e-12);
	near_to(4 * vd->planned->chain.value, vd->planned->busy.value, 1e-12);
	assert_true(vd->planned->cards == 4);
	assert_int_equal(vd->planned->count_why, COUNT_BY_SOURCE);
	near_to(vd->planned->limit, 0.7, 1e-12);
	assert_true(vd->planned->late_high);
	assert_string_equal(vd->risks[0].id, "deadline");
	assert_int_equal(vd->planned_sure, SURENESS_OPEN);
	assert_int_equal(software_of(vd, "nvidia-rtx-3090"), STATE_PASS);
	assert_int_equal(software_of(vd, "nvidia-l40s"), STATE_ASK);
	assert_int_equal(software_of(vd, "nvidia-h100-pcie-80gb"), STATE_FAIL);
	assert_int_equal(software_of(vd, "nvidia-rtx-5090"), STATE_FAIL);
	assert_int_equal(f->gates[GATE_MEMORY].state, STATE_PASS);
	assert_true(f->load[RES_MEMORY] > 0.75);
	assert_true(f->cards >= 3);
	assert_int_equal(f->gates[GATE_COOLING].state, STATE_FAIL);
}

/*
 * S6: 28.73 GB with context and reserve exclude 24 GB and fit 48 GB; 80 GB
 * buy nothing on memory grounds.  The time of a study is published nowhere,
 * so count and certainty stay open.
 */
static void
test_s6(void **state)
{
	const struct vendor_decision *vd = vendor("S6");

	(void)state;
	/* Generous by its definition: a 48 GB card has the same gates open
	 * and passed.  Whether either is in time is open, on both. */
	check(vd, MODEL_GENEROUS, "memory");
	assert_int_equal(vd->count, COUNT_OPEN);
	assert_int_equal(vd->sure, SURENESS_OPEN);
	assert_int_equal(vd->judged->state, STATE_ASK);
	assert_true(vd->memory_generous);
	assert_int_equal(vd->planned_sure, SURENESS_OPEN);
	assert_int_equal(vd->planned->count_why, COUNT_BY_REQUEST);
	assert_true(passes_except_site(vd, "nvidia-l40s"));
	assert_true(passes_except_site(vd, "nvidia-a40"));
	assert_int_equal(fit_find(vd, card("nvidia-a10"))
			     ->gates[GATE_MEMORY]
			     .state,
	    STATE_FAIL);
	assert_int_equal(fit_find(vd, card("nvidia-rtx-4090"))
			     ->gates[GATE_MEMORY]
			     .state,
	    STATE_FAIL);
	near_to(vd->smallest->gpu->memory_bytes.value, 48.0 * (1 << 30), 1e-9);
	assert_string_equal(vd->questions[0].id, "time-per-run");
}

/*
 * S7: 518,400 px x 17.93 MMAC x 2 = 18.6 TFLOP a frame.  One frame is late
 * at 80 ms on every card below some 600 TFLOP/s (d); H100-class cards come
 * out at 42 to 60 ms and have no encoder: they come nearest, and encoding
 * elsewhere is the first change.  The RTX 4090 needs 450 W of a slot of 350
 * and brings a fan: impossible for sure, whatever its time.  The change
 * "model" names the most work that is in time on the L40S: about 80 ms over
 * its 117, less what does not shrink with the work.
 */
static void
test_s7(void **state)
{
	const struct vendor_decision *vd = vendor("S7");
	bool named = false;

	(void)state;
	assert_int_equal(vd->model, MODEL_IMPOSSIBLE);
	assert_int_equal(vd->sure, SURENESS_SURE);
	assert_int_equal(vd->nearest->first, GATE_ENCODE);
	assert_string_equal(vd->changes[0].id, "encode-elsewhere");
	assert_string_equal(binding_id(vd), "deadline");
	assert_int_equal(vd->count, COUNT_NONE);
	near_to(stage_flop(&dr, vd->vendor, &vd->vendor->stages[0]).value,
	    18.59e12, 0.01);
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];
		enum peak used;
		struct fact peak = speed_peak(f->gpu, PREC_FP16, &used);

		if (f->gpu->vendor == VENDOR_NVIDIA && peak.known &&
		    peak.value < 400e12 && f->gates[GATE_DEADLINE].need.known)
			assert_int_equal(f->gates[GATE_DEADLINE].state,
			    STATE_FAIL);
	}
	for (int i = 0; i < vd->n_changes; i++) {
		const struct change *c = &vd->changes[i];
		double of;

		if (strcmp(c->id, "model") != 0)
			continue;
		of = 0.080 / fit_find(vd, c->fit->gpu)->chain.value;
		named = true;
		assert_in_range(strtol(c->to, NULL, 10), 18590 * 0.9 * of,
		    18590 * of);
	}
	assert_true(named);
}

/*
 * Buying for all: S1 and S2 share only 7.5, S6 needs 30 GB.  Two pools:
 * Turing 16 GB for S1 and S2, a 48 GB card for S3 to S6.  Nobody buys an
 * 80 GB card on memory grounds, nor a 12.0 card for S1, S2, S4, S5.
 */
static void
test_purchase(void **state)
{
	static const char *const turing[] = {"S1", "S2"};
	static const char *const large[] = {"S3", "S4", "S5", "S6"};

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_string_equal(vendor(turing[i])->planned->gpu->id,
		    "nvidia-t4");
	for (int i = 0; i < 4; i++) {
		const struct fit *f = vendor(large[i])->planned;

		assert_non_null(f);
		near_to(f->gpu->memory_bytes.value, 48.0 * (1 << 30), 1e-9);
		assert_true(f->gpu->cc >= 80 && f->gpu->cc <= 89);
		assert_ptr_equal(f->gpu, vendor("S6")->planned->gpu);
	}
	for (int i = 0; i < dec->plan.n_pools; i++)
		assert_int_equal(dec->plan.pools[i].spare, 1);
	/* A passive server takes no Quadro with a fan: no single model. */
	assert_null(dec->plan.single);
}

/* On a site without a server to fit, Quadro RTX 8000 (7.5, 48 GB) passes
 * software and memory of S1 to S6, as the research found by hand. */
static void
test_single_by_rules(void **state)
{
	static const char *const all[] = {"S1", "S2", "S3", "S4", "S6"};

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_true(passes_except_site(vendor(all[i]),
		    "nvidia-quadro-rtx-8000"));
	/* Near miss: V100 32 GB runs all but the engines of S1. */
	assert_false(passes_except_site(vendor("S1"), "nvidia-v100-pcie-32gb"));
	assert_true(passes_except_site(vendor("S2"), "nvidia-v100-pcie-32gb"));
	assert_true(passes_except_site(vendor("S6"), "nvidia-v100-pcie-32gb"));
}

/* Every path of the vocabulary that is not optional exists. */
static void
test_vocabulary(void **state)
{
	static const char *const paths[] = {
	    "project.id",
	    "project.name",
	    "project.edition",
	    "project.languages",
	    "site.cooling",
	    "site.cpu",
	    "site.sockets",
	    "site.spare_per_pool",
	    "site.share",
	    "catalog.gpus",
	    "catalog.nvidia",
	    "catalog.cpus",
	    "totals.vendors",
	    "totals.streams",
	    "totals.frames_per_s",
	    "totals.decode_frames_per_s",
	    "totals.pixels_per_s",
	    "totals.flop_per_s",
	    "totals.bytes_per_s",
	    "totals.models_asked",
	    "totals.cards_asked",
	    "totals.models_planned",
	    "totals.cards_planned",
	    "totals.verdicts.needed",
	    "totals.verdicts.open",
	    "reasons.parallel.cpu_name",
	    "reasons.parallel.cpu_cores",
	    "reasons.parallel.gpu_cores",
	    "reasons.parallel.ratio",
	    "reasons.parallel.speed_ratio",
	    "reasons.parallel.servers",
	    "reasons.parallel.cards",
	    "reasons.parallel.processors",
	    "reasons.parallel.vendors_counted",
	    "reasons.parallel.left",
	    "reasons.bandwidth.larger",
	    "reasons.bandwidth.factor",
	    "reasons.training.sockets",
	    "reasons.training.cpu_run_s",
	    "totals.vendors_asking",
	    "reasons.bandwidth.ratio",
	    "reasons.bandwidth.bytes_per_s",
	    "reasons.training.network",
	    "reasons.training.cpu_s",
	    "reasons.training.ratio",
	    "reasons.libraries.cuda",
	    "reasons.libraries.items.0.engine",
	    "reasons.realtime.vendor",
	    "reasons.realtime.cpu_s",
	    "matrix.cards.0.id",
	    "matrix.rows.6.cells.0.state",
	    "dials.ids.3.id",
	    "dials.biggest.factor",
	    "dials.smallest.vendor",
	    "dials.reference.name",
	    "plan.pools.0.vendors.0.busy",
	    "plan.cards",
	    "plan.power",
	    "plan.models",
	    "plan.single.possible",
	    "plan.cards_high",
	    "plan.servers",
	    "plan.at_risk",
	    "plan.driver_conflicts",
	    "plan.driver_questions.0.a",
	    "plan.late.0.id",
	    "plan.rule.aged_only_if_needed",
	    "plan.rule.moved.0.now_power",
	    "plan.rule.power",
	    "plan.pools.0.late_high",
	    "plan.pools.0.vendors.0.late_high",
	    "plan.unserved.0.closest.gate",
	    "market.rows.0.cells.0.gpu",
	    "plan.pools.0.asks",
	    "plan.pools.0.notes",
	    "plan.pools.0.servers",
	    "plan.pools.0.vendors.0.why",
	    "plan.waiting.0.id",
	    "plan.firm",
	    "inventory.models.0.cards",
	    "market.rows.6.cells.6.state",
	    "market.served_elsewhere",
	    "plan.single.blockers.0.gate",
	    "plan.unserved",
	    "market.families.0.vendors_ok",
	    "market.points.0.bandwidth",
	    "market.nvidia_only",
	    "market.movable",
	    "sources.0.title",
	    "inventory.devices.0.product",
	};
	static const char *const each[] = {
	    "id",
	    "name",
	    "task",
	    "request.written",
	    "request.name",
	    "request.ambiguous",
	    "request.candidates",
	    "load.streams",
	    "load.frames_per_s",
	    "load.objects_per_s",
	    "load.limit",
	    "streams.0.kind",
	    "streams.0.codec",
	    "streams.0.decode_frames_per_s",
	    "stages.0.kind",
	    "stages.0.per",
	    "stages.0.rate",
	    "stages.0.tier",
	    "runtime.engine",
	    "runtime.class",
	    "runtime.precision",
	    "runtime.layout",
	    "runtime.ships",
	    "runtime.locked",
	    "memory.weights",
	    "memory.total",
	    "memory.measured",
	    "memory.processes",
	    "tier",
	    "binding",
	    "verdict.model",
	    "verdict.count",
	    "verdict.certainty",
	    "verdict.cards_spare",
	    "plan_state",
	    "load.peak",
	    "streams.0.decoded",
	    "gates.13.id",
	    "gates.0.state",
	    "alternatives.0.role",
	    "alternatives.0.loads",
	    "passing",
	    "passing_supply",
	    "excluded.0.count",
	    "gates.0.risk",
	    "gates.0.may_pass",
	    "judged.supply_open",
	    "total",
	    "families.0.passing",
	    "dials",
	    "changes",
	    "questions",
	    "assumptions",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!node_find(results, paths[i]))
			fail_msg("no path '%s'", paths[i]);
	for (int v = 0; v < dec->n_vendors; v++)
		for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
			const char *path =
			    arena_printf(a, "vendors.%d.%s", v, each[i]);

			if (!node_find(results, path))
				fail_msg("no path '%s'", path);
		}
}

/* A card that is bought or named as the smallest is held against every gate,
 * and its open ones and dated notes stand beside it. */
static void
test_named_cards_have_gates(void **state)
{
	static const char *const fit[] = {"judged", "smallest", "planned"};
	const struct node *list = node_find(results, "vendors");

	(void)state;
	for (const struct node *v = list->first; v; v = v->next)
		for (int i = 0; i < 3; i++) {
			const struct node *n = node_find(v, fit[i]);
			int asks = 0;

			if (!n)
				continue;
			assert_int_equal(node_find(n, "gates")->n, GATE_N);
			for (const struct node *g =
				 node_find(n, "gates")->first;
			     g; g = g->next)
				asks += strcmp(node_string(g, "state", ""),
					    "ask") == 0;
			assert_int_equal(node_find(n, "asks")->n, asks);
			assert_non_null(node_find(n, "notes"));
		}
	/* S6: the deadline asks too, and nothing is decoded or encoded. */
	assert_string_equal(node_string(results,
				"vendors.5.planned.gates.5.state", ""),
	    "ask");
	assert_string_equal(node_string(results,
				"vendors.5.planned.gates.3.state", ""),
	    "none");
	/* The export note of the L40S, with its date and region. */
	assert_string_equal(node_string(results,
				"vendors.5.planned.notes.0.date", ""),
	    "2023-10");
	assert_string_equal(node_string(results,
				"vendors.5.planned.notes.0.region", ""),
	    "CN");
}

/* Every change of the sample names a card that passes or asks everywhere. */
static void
test_changes_hold(void **state)
{
	(void)state;
	for (int i = 0; i < dec->n_vendors; i++)
		for (int k = 0; k < dec->vendors[i].n_changes; k++)
			assert_int_equal(dec->vendors[i]
					     .changes[k]
					     .fit->n_failing,
			    0);
	/* S7 is shown what a lighter network does on the card that is bought
	 * anyway, not on one the server cannot cool. */
	for (int i = 0; i < vendor("S7")->n_changes; i++)
		if (strcmp(vendor("S7")->changes[i].id, "model") == 0)
			assert_string_equal(vendor("S7")
						->changes[i]
						.fit->gpu->id,
			    "nvidia-l40s");
}

/* The question that turns the verdict comes first. */
static void
test_first_questions(void **state)
{
	static const struct {
		const char *vendor, *question;
	} of[] = {
	    {"S1", "software-version"},
	    {"S2", "software-version"},
	    {"S3", "substream"},
	    {"S5", "deadline-firm"},
	    {"S6", "time-per-run"},
	    {"S7", "deadline-firm"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		assert_string_equal(vendor(of[i].vendor)->questions[0].id,
		    of[i].question);
}

/* The T4 of S1 and S2: nobody says that it is still made.  The way out is a
 * rebuild and the L4. */
static void
test_fallbacks(void **state)
{
	(void)state;
	for (int i = 0; i < dec->plan.n_pools; i++) {
		const struct pool *p = &dec->plan.pools[i];

		if (strcmp(p->gpu->id, "nvidia-t4") != 0)
			continue;
		assert_true(p->at_risk);
		assert_int_equal(p->n_members, 2);
		for (int k = 0; k < 2; k++) {
			assert_string_equal(p->fallback[k].change, "cuda");
			assert_string_equal(p->fallback[k].fit->gpu->id,
			    "nvidia-l4");
		}
		assert_true(p->fallback[1].fit->cards == 20);
		assert_int_equal(p->on_site, 2);
		return;
	}
	fail_msg("no T4 is bought");
}

/* S1 names driver 470; S3, S4 and S6 bring a CUDA 12 (R16).  Newer drivers
 * run CUDA 11.4 too, and S1 does not say that it is bound to its own: no
 * conflict yet, a question. */
static void
test_driver_conflicts(void **state)
{
	const struct node *list = node_find(results, "plan.driver_questions");
	bool asked = false;

	(void)state;
	assert_int_equal(node_find(results, "plan.driver_conflicts")->n, 0);
	for (int i = 0; i < vendor("S1")->n_questions; i++)
		asked |=
		    strcmp(vendor("S1")->questions[i].id, "driver-newer") == 0;
	assert_true(asked);
	assert_int_equal(list->n, 3);
	for (const struct node *c = list->first; c; c = c->next) {
		assert_string_equal(node_string(c, "a", ""), "S1");
		assert_string_not_equal(node_string(c, "b", ""), "S2");
		assert_string_equal(node_string(c, "needs", ""), "525");
	}
}

/* Servers, processors and cards of the comparison are of the same vendors
 * and follow from each other. */
static void
test_comparison_adds_up(void **state)
{
	const struct node *p = node_find(results, "reasons.parallel");
	const struct node *t = node_find(results, "reasons.training");
	double load = node_value(p, "load", 0);
	double sockets = node_value(p, "sockets", 0);

	(void)state;
	assert_int_equal(node_find(p, "counted")->n + node_find(p, "left")->n,
	    dec->n_vendors);
	near_to(node_value(p, "servers", 0),
	    ceil(node_value(p, "processors", 0) / sockets / load), 1e-12);
	/* S7 is counted: 100 frames/s x the time of one frame. */
	assert_true(
	    node_value(p, "processors", 0) >=
	    100 * node_value(results, "reasons.realtime.cpu_s", 0) * 0.9);
	/* ... and stands on the other side too. */
	assert_true(node_value(p, "cards", 0) >=
		    100 * node_value(results, "reasons.realtime.gpu_s", 0) *
			0.9 / load);
	assert_true(node_value(p, "cards", 0) < node_value(p, "servers", 0));
	near_to(node_value(t, "cpu_s", 0),
	    3.0 * 10000 * 50 * node_value(t, "cpu_run_s", 0) /
		node_value(t, "sockets", 0),
	    1e-12);
	assert_true(node_value(results, "reasons.bandwidth.factor", 0) >= 1);
}

/* Other makers: the table, the counts and the two lists say the same. */
static void
test_market_agrees(void **state)
{
	const struct node *rows = node_find(results, "market.rows");
	const struct node *only = node_find(results, "market.nvidia_only");
	int served = 0, nvidia = 0;

	(void)state;
	for (const struct node *r = rows->first; r; r = r->next) {
		bool own = false, other = false;

		for (const struct node *c = node_find(r, "cells")->first; c;
		     c = c->next) {
			const char *family = node_string(c, "family", "");
			bool fails =
			    strcmp(node_string(c, "state", ""), "fail") == 0;

			if (strcmp(family, "amd") == 0 ||
			    strcmp(family, "intel") == 0 ||
			    strcmp(family, "domestic") == 0)
				other |= !fails;
			else
				own |= !fails;
			assert_true(!fails || node_find(c, "gate"));
		}
		served += other;
		nvidia += own && !other;
	}
	assert_int_equal(only->n, nvidia);
	near_to(node_value(results, "market.served_elsewhere", -1) + 1,
	    served + 1, 1e-12);
	/* Engine files are tied to NVIDIA; six others are portable. */
	assert_int_equal(node_find(results, "market.movable")->n, 6);
	for (const struct node *n = only->first; n; n = n->next)
		assert_string_equal(node_string(n, "gate", ""), "software");
}

/* No point lies above its roof, and the roof names its accumulate type
 * where a card has two rates. */
static void
test_roofline(void **state)
{
	const struct node *list = node_find(results, "vendors");

	(void)state;
	for (const struct node *v = list->first; v; v = v->next) {
		const struct node *r = node_find(v, "roofline");

		if (!r)
			continue;
		assert_true(
		    !node_find(r, "peak_other") || node_find(r, "peak_acc"));
		for (const struct node *p = node_find(r, "points")->first; p;
		     p = p->next)
			assert_true(node_value(p, "share", 2) <= 1);
	}
	assert_string_equal(node_string(results, "vendors.6.roofline.peak_acc",
				""),
	    "fp16");
	near_to(node_value(results, "vendors.6.roofline.peak", 0), 330e12,
	    0.01);
}

/* "A100 80GB" may be the A100 PCIe 80 GB that another vendor asks for: five
 * models, not six. */
static void
test_models_asked(void **state)
{
	(void)state;
	assert_true(node_value(results, "totals.models_asked", 0) == 5);
}

/* Names the vendor wrote in Chinese have their English beside them. */
static void
test_english_names(void **state)
{
	static const char *const paths[] = {"project.author",
	    "vendors.0.streams.0.name", "vendors.0.stages.0.name",
	    "vendors.0.runtime.engine", "vendors.0.roofline.points.0.name",
	    "reasons.libraries.items.0.engine"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const struct node *n = node_find(results, paths[i]);

		assert_non_null(n);
		if (!n->text_en)
			fail_msg("no English for '%s'", paths[i]);
	}
}

/* What is firm is named apart from what an answer could turn: a 575 W card
 * in a slot of 350 W, a fan in a server without. */
static void
test_firm_gates(void **state)
{
	(void)state;
	assert_string_equal(node_string(results, "vendors.3.verdict.gate", ""),
	    "software");
	assert_string_equal(node_string(results, "vendors.3.verdict.firm_gate",
				""),
	    "form");
	assert_string_equal(node_string(results, "vendors.4.verdict.gate", ""),
	    "deadline");
	assert_string_equal(node_string(results, "vendors.4.verdict.firm_gate",
				""),
	    "cooling");
	assert_null(node_find(results, "vendors.0.verdict.firm_gate"));
}

/* S2: two cameras a T4; at the high end of the band one. */
static void
test_sources_on_a_card(void **state)
{
	const struct fit *f = vendor("S2")->planned;

	(void)state;
	assert_true(f->card_sources == 2 && f->card_sources_high == 1);
	assert_true(node_find(results, "vendors.1.dials_inferred")->flag);
	assert_false(node_find(results, "vendors.0.dials_inferred")->flag);
}

static bool
asks_id(const struct vendor_decision *vd, const char *id)
{
	for (int i = 0; i < vd->n_questions; i++)
		if (strcmp(vd->questions[i].id, id) == 0)
			return true;
	return false;
}

/* The RTX 5090 of S4 takes 575 W of 350 and has a fan, whatever its package
 * holds; S2 takes 37 ms of 500.  Neither is asked about. */
static void
test_questions_that_matter(void **state)
{
	const struct vendor_decision *s2 = vendor("S2");

	(void)state;
	assert_false(asks_id(vendor("S4"), "ptx"));
	assert_false(asks_id(s2, "deadline-firm"));
	assert_true(asks_id(s2, "fps-needed"));
	for (int i = 0; i < dec->n_vendors; i++) {
		const struct vendor_decision *vd = &dec->vendors[i];

		if (nvidia_only(vd))
			assert_string_equal(vd->questions[vd->n_questions - 1]
						.id,
			    "domestic-version");
	}
}

/* The family shows its card that goes furthest: for S5 and S6 a workstation
 * card of 48 GB, which has the memory and brings a fan. */
static void
test_market_furthest(void **state)
{
	const struct node *rows = node_find(results, "market.rows");
	int v = 0;

	(void)state;
	for (const struct node *r = rows->first; r; r = r->next, v++)
		for (const struct node *c = node_find(r, "cells")->first; c;
		     c = c->next) {
			if (strcmp(node_string(c, "family", ""), "rtx-pro"))
				continue;
			if (v == 4 || v == 5)
				assert_string_equal(node_string(c, "gate", ""),
				    "cooling");
		}
	assert_string_equal(node_string(results, "market.rows.6.cells.0.gate",
				""),
	    "encode");
}

/* S3 and S4 could use the T4 bought for S1 and S2: 3 + 5 cards of 70 W
 * instead of 2 + 3 of 350 W.  Old boards are kept for those who can use
 * nothing else. */
static void
test_aged_only_if_needed(void **state)
{
	const struct node *rule = node_find(results, "plan.rule");

	(void)state;
	assert_true(node_find(rule, "aged_only_if_needed")->flag);
	assert_int_equal(node_find(rule, "moved")->n, 2);
	assert_string_equal(node_string(rule, "moved.0.id", ""), "S3");
	assert_string_equal(node_string(rule, "moved.1.id", ""), "S4");
	near_to(node_value(rule, "cards", 0), 8, 1e-12);
	near_to(node_value(rule, "power", 0), 560, 1e-12);
	near_to(node_value(rule, "now_power", 0), 1750, 1e-12);
}

/* Every vendor with a planned card says how many and how much memory. */
static void
test_planned_is_complete(void **state)
{
	const struct node *list = node_find(results, "vendors");

	(void)state;
	for (const struct node *v = list->first; v; v = v->next) {
		const struct node *n = node_find(v, "planned");

		if (!n)
			continue;
		assert_true(node_value(n, "count", 0) >= 1);
		assert_true(node_value(n, "memory_need", 0) > 0);
		assert_non_null(node_find(n, "asked"));
		assert_non_null(node_find(v, "fallback"));
	}
	assert_true(node_value(results, "vendors.5.planned.count", 0) == 2);
}

/* The cards of the catalogue either serve or stop at one gate each, and
 * those that pass with supply settled are fewer. */
static void
test_passing_and_excluded(void **state)
{
	const struct node *list = node_find(results, "vendors");
	int i = 0;

	(void)state;
	for (const struct node *v = list->first; v; v = v->next, i++) {
		const struct vendor_decision *vd = &dec->vendors[i];
		double out = 0, fail = 0;

		for (int k = 0; k < vd->n_fits; k++)
			fail += vd->fits[k].state == STATE_FAIL;
		for (const struct node *e = node_find(v, "excluded")->first; e;
		     e = e->next)
			out += node_value(e, "count", 0);
		assert_true(out == fail);
		assert_true(node_value(v, "passing_supply", 0) <=
			    node_value(v, "passing", 0));
	}
	/* S1: the T4 alone, and nobody says that it is still made. */
	near_to(node_value(results, "vendors.0.passing", 0), 1, 1e-12);
	assert_true(node_value(results, "vendors.0.passing_supply", 1) == 0);
}

/* Totals of the plan are those of its pools. */
static void
test_plan_adds_up(void **state)
{
	const struct node *pools = node_find(results, "plan.pools");
	double cards = 0, low = 0, high = 0;

	(void)state;
	for (int i = 0; i < dec->plan.n_pools; i++)
		high +=
		    dec->plan.pools[i].cards_high + dec->plan.pools[i].spare;
	for (const struct node *p = pools->first; p; p = p->next) {
		cards += node_value(p, "total", 0);
		low +=
		    node_value(p, "cards_low", 0) + node_value(p, "spare", 0);
		/* No number where none suffices. */
		assert_true(node_find(p, "late_high")->flag !=
			    (node_find(p, "cards_high") != NULL));
	}
	near_to(node_value(results, "plan.cards", 0), cards, 1e-12);
	near_to(node_value(results, "plan.cards_low", 0), low, 1e-12);
	near_to(node_value(results, "plan.cards_high", 0), high, 1e-12);
	assert_true(low <= cards && cards <= high);
	near_to(node_value(results, "plan.servers", 0), ceil(cards / 4), 1e-12);
}

/* The sample read and decided with its what_if of this number. */
static const struct node *
what_if(int i)
{
	const struct what_if *w = &sample->what_ifs[i];
	struct node *root = node_root(a);
	struct project *then;
	struct diag d;

	diag_init(&d, a);
	then = project_read_set(a, "catalog/examples/project.yaml", w->set,
	    w->n_set, cat, &d);
	assert_int_equal(d.n_errors, 0);
	what_if_add(a, root, w, sample, then, cat, cal, dec);
	return node_find(root, "what_if.0");
}

static bool
changes(const struct node *w, const char *id)
{
	const struct node *list = node_find(w, "vendors");

	for (const struct node *v = list->first; v; v = v->next)
		if (strcmp(node_string(v, "id", ""), id) == 0)
			return true;
	return false;
}

/*
 * Twice the cameras of S1 are at most twice its load, 4.54 T4 at 70 %: 9.08,
 * ten cards; frames of more cameras fill a larger batch in the same time,
 * which saves one of them.  S2 keeps its twenty T4, the others their L40S.
 */
static void
test_twice_the_cameras(void **state)
{
	const struct node *w = what_if(0);
	const struct fit *now = vendor("S1")->planned;
	double then = node_value(w, "vendors.0.then.cards", 0);

	(void)state;
	assert_true(changes(w, "S1"));
	assert_int_equal(node_find(w, "vendors")->n, 1);
	assert_true(then == 9);
	assert_true(then <= ceil(2 * now->share));
	near_to(node_value(w, "plan.cards", 0),
	    dec->plan.way.cards + then - now->cards, 1e-12);
}

/* Without S2 its cards are not bought: nobody shares with it but S1, whose
 * fraction of a card may have been put on one of S2's. */
static void
test_a_vendor_leaves(void **state)
{
	const struct node *w = what_if(1);

	(void)state;
	assert_true(changes(w, "S2"));
	assert_true(node_find(w, "vendors.0.leaves")->flag);
	assert_true(node_value(w, "plan.cards", 0) <
		    dec->plan.way.cards - 0.9 * vendor("S2")->planned->cards);
}

/* The light network of S7 needs 29 times less: a card serves. */
static void
test_light_network(void **state)
{
	const struct node *w = what_if(2);

	(void)state;
	assert_true(changes(w, "S7"));
	assert_int_equal(node_find(w, "unserved")->n, 0);
	assert_null(node_find(w, "vendors.0.now.gpu"));
	assert_non_null(node_find(w, "vendors.0.then.gpu"));
}

/* Two T4 stand in the room; the plan is the same with two fewer to buy. */
static void
test_site_first(void **state)
{
	const struct node *w = what_if(3);

	(void)state;
	assert_int_equal(node_find(w, "vendors")->n, 0);
	near_to(node_value(w, "plan.cards", 0), dec->plan.way.cards, 1e-12);
	near_to(node_value(w, "plan.buy", 0), dec->plan.way.buy - 2, 1e-12);
	assert_false(node_find(w, "same_plan")->flag);
}

static void
same_purchase(const struct decision *x, const struct decision *y)
{
	assert_int_equal(x->plan.n_pools, y->plan.n_pools);
	for (int i = 0; i < x->plan.n_pools; i++) {
		assert_string_equal(x->plan.pools[i].gpu->id,
		    y->plan.pools[i].gpu->id);
		assert_int_equal(x->plan.pools[i].cards,
		    y->plan.pools[i].cards);
	}
	for (int i = 0; i < x->n_vendors; i++)
		for (int k = 0; k < y->n_vendors; k++) {
			const struct fit *f = x->vendors[i].planned;
			const struct fit *g = y->vendors[k].planned;

			if (strcmp(x->vendors[i].vendor->id,
				y->vendors[k].vendor->id) != 0)
				continue;
			assert_true((f == NULL) == (g == NULL));
			if (f)
				assert_string_equal(f->gpu->id, g->gpu->id);
		}
}

/* The same figures in other units, and the files in another order. */
static void
test_units_and_order_change_nothing(void **state)
{
	static struct setting units[] = {
	    {"site.servers.slot_power", "0.35 kW", {0}},
	    {"vendors.S1.streams.0.fps", "1500 /min", {0}},
	    {"vendors.S1.streams.0.analysed_fps", "750 /min", {0}},
	    {"vendors.S2.deadline.p95", "0.5 s", {0}},
	    {"vendors.S2.pipeline.0.takes", "0.025 s", {0}},
	    {"vendors.S1.memory.stated_min", "6000 MB", {0}},
	};
	struct project *p, turned = *sample;
	struct diag d;

	(void)state;
	diag_init(&d, a);
	p = project_read_set(a, "catalog/examples/project.yaml", units,
	    sizeof(units) / sizeof(*units), cat, &d);
	assert_int_equal(d.n_errors, 0);
	same_purchase(dec, decide_outline(a, p, cat, cal));
	turned.vendors =
	    arena_alloc(a, sample->n_vendors, sizeof(*turned.vendors));
	for (int i = 0; i < sample->n_vendors; i++)
		turned.vendors[i] = sample->vendors[sample->n_vendors - 1 - i];
	same_purchase(dec, decide_outline(a, &turned, cat, cal));
}

/* The plan is proven, and the next two are other models and worth no less;
 * rebuilding S1 saves cards, as the scenarios expect. */
static void
test_plan_among_others(void **state)
{
	(void)state;
	assert_true(dec->plan.proven);
	assert_int_equal(dec->plan.n_next, 2);
	for (int i = 0; i < 2; i++)
		assert_true(dec->plan.next[i].worth >= dec->plan.way.worth);
	assert_true(dec->plan.n_rebuilds >= 2);
	assert_string_equal(dec->plan.rebuilds[0].vendor->vendor->id, "S1");
	assert_true(dec->plan.rebuilds[0].way.cards < dec->plan.way.cards);
	/* with both rebuilt no Turing pool is left */
	for (int i = 0; i < dec->plan.n_rebuilds; i++)
		for (int k = 0; !dec->plan.rebuilds[i].vendor &&
				k < dec->plan.rebuilds[i].way.n_pools;
		     k++)
			assert_true(
			    dec->plan.rebuilds[i].way.pools[k].gpu->cc >= 80);
}

static void
check_numbers(const struct node *n)
{
	if (n->kind == NODE_NUMBER) {
		if (!isfinite(n->number) || !isfinite(n->low) ||
		    !isfinite(n->high))
			fail_msg("'%s' is not finite", n->name);
		if (n->low > n->number || n->number > n->high)
			fail_msg("'%s' lies outside its band", n->name);
	}
	for (const struct node *c = n->first; c; c = c->next)
		check_numbers(c);
}

static void
test_numbers_are_finite(void **state)
{
	(void)state;
	check_numbers(results);
}

/* The factors printed multiply to the ratio printed. */
static void
test_printed_factors(void **state)
{
	const struct node *list = node_find(results, "vendors");

	(void)state;
	for (const struct node *v = list->first; v; v = v->next) {
		double p = 1;

		if (!node_find(v, "ratio"))
			continue;
		for (int k = 0; k < DIAL_N; k++)
			p *= node_value(v,
			    arena_printf(a, "dials.%d.factor", k), NAN);
		near_to(p, node_value(v, "ratio", NAN), 1e-12);
	}
}

/* Every card of the matrix has a cell in each row, in the same order, and no
 * more columns than a page holds unless the project itself names more. */
static void
test_matrix(void **state)
{
	const struct node *cards = node_find(results, "matrix.cards");
	const struct node *rows = node_find(results, "matrix.rows");

	(void)state;
	assert_in_range(cards->n, 5, 12);
	for (const struct node *r = rows->first; r; r = r->next) {
		const struct node *c = cards->first;
		const struct node *cell = node_find(r, "cells")->first;

		assert_int_equal(node_find(r, "cells")->n, cards->n);
		for (; c; c = c->next, cell = cell->next)
			assert_string_equal(node_string(c, "id", ""),
			    node_string(cell, "gpu", "-"));
	}
}

static char *
xml_of(const struct project *p)
{
	struct str s;

	str_init(&s, a);
	node_xml(outcome_build(a, p, cat, cal, decide_project(a, p, cat, cal)),
	    &s);
	return s.s;
}

/* Same input, same bytes. */
static void
test_deterministic(void **state)
{
	(void)state;
	assert_string_equal(xml_of(sample), xml_of(sample));
}

/* One vendor alone, whichever, still makes a whole tree. */
static void
test_each_alone(void **state)
{
	(void)state;
	for (int i = 0; i < sample->n_vendors; i++) {
		struct project p = *sample;
		struct node *r;

		p.vendors = &sample->vendors[i];
		p.n_vendors = 1;
		r = outcome_build(a, &p, cat, cal,
		    decide_project(a, &p, cat, cal));
		check_numbers(r);
		assert_int_equal(node_find(r, "vendors")->n, 1);
	}
}

static void
test_no_vendors(void **state)
{
	struct project p = *sample;

	(void)state;
	p.n_vendors = 0;
	assert_non_null(node_find(outcome_build(a, &p, cat, cal,
				      decide_project(a, &p, cat, cal)),
	    "plan.pools"));
}

/* 213 cards and seven vendors decide in about 20 ms; ten times that would
 * be a mistake, not a slow machine (sanitizers included). */
static void
test_speed(void **state)
{
	clock_t from = clock();

	(void)state;
	decide_project(a, sample, cat, cal);
	assert_true((double)(clock() - from) / CLOCKS_PER_SEC < 1.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_s1),
	    cmocka_unit_test(test_s2),
	    cmocka_unit_test(test_s3),
	    cmocka_unit_test(test_s4),
	    cmocka_unit_test(test_s5),
	    cmocka_unit_test(test_s6),
	    cmocka_unit_test(test_s7),
	    cmocka_unit_test(test_purchase),
	    cmocka_unit_test(test_single_by_rules),
	    cmocka_unit_test(test_vocabulary),
	    cmocka_unit_test(test_named_cards_have_gates),
	    cmocka_unit_test(test_changes_hold),
	    cmocka_unit_test(test_first_questions),
	    cmocka_unit_test(test_fallbacks),
	    cmocka_unit_test(test_driver_conflicts),
	    cmocka_unit_test(test_comparison_adds_up),
	    cmocka_unit_test(test_market_agrees),
	    cmocka_unit_test(test_roofline),
	    cmocka_unit_test(test_models_asked),
	    cmocka_unit_test(test_english_names),
	    cmocka_unit_test(test_firm_gates),
	    cmocka_unit_test(test_sources_on_a_card),
	    cmocka_unit_test(test_questions_that_matter),
	    cmocka_unit_test(test_market_furthest),
	    cmocka_unit_test(test_aged_only_if_needed),
	    cmocka_unit_test(test_planned_is_complete),
	    cmocka_unit_test(test_passing_and_excluded),
	    cmocka_unit_test(test_plan_adds_up),
	    cmocka_unit_test(test_units_and_order_change_nothing),
	    cmocka_unit_test(test_plan_among_others),
	    cmocka_unit_test(test_site_first),
	    cmocka_unit_test(test_light_network),
	    cmocka_unit_test(test_a_vendor_leaves),
	    cmocka_unit_test(test_twice_the_cameras),
	    cmocka_unit_test(test_numbers_are_finite),
	    cmocka_unit_test(test_printed_factors),
	    cmocka_unit_test(test_matrix),
	    cmocka_unit_test(test_deterministic),
	    cmocka_unit_test(test_each_alone),
	    cmocka_unit_test(test_no_vendors),
	    cmocka_unit_test(test_speed),
	};

	return cmocka_run_group_tests(tests, open_sample, fixture_close);
}
