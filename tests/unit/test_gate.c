/* decide/gate.c: what a card is against what the software wants */
#include "decide_fixture.h"

static void
check_gate(const struct fit *f, enum gate g, enum state want, const char *why)
{
	const struct gate_result *r = &f->gates[g];

	if (r->state != want)
		fail_msg("gate %s on %s: got %s (%s), want %s", gate_id(g),
		    f->gpu->id, state_id(r->state), r->why ? r->why : "-",
		    state_id(want));
	if (why)
		assert_string_equal(r->why, why);
}

static void
check_software(const struct vendor *v, const char *id, enum state want,
    const char *why)
{
	check_gate(fit_on(v, id), GATE_SOFTWARE, want, why);
}

static struct vendor *
built(enum ships ships, int n, const int *cc)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	v->runtime.ships = ships;
	v->runtime.n_built_for = n;
	for (int i = 0; i < n; i++)
		v->runtime.built_for[i] = cc[i];
	v->runtime.cuda = (struct fact){0};
	return v;
}

/* An engine file built on 7.5 loads on 7.5 only, neither on an older nor on
 * a newer card of any kind (cases M31). */
static void
test_engine_files_are_exact(void **state)
{
	const int cc[] = {75};
	struct vendor *v = built(SHIPS_ENGINE_FILES, 1, cc);

	(void)state;
	check_software(v, "nvidia-t4", STATE_PASS, NULL);
	check_software(v, "nvidia-quadro-rtx-8000", STATE_PASS, NULL);
	check_software(v, "nvidia-a10", STATE_FAIL, "engine-files");
	check_software(v, "nvidia-l4", STATE_FAIL, "engine-files");
	check_software(v, "nvidia-v100-pcie-16gb", STATE_FAIL, "engine-files");
}

/* Two engines, 8.6 and 8.9: 8.0 is no member though it is the same major. */
static void
test_engine_files_list(void **state)
{
	const int cc[] = {86, 89};
	struct vendor *v = built(SHIPS_ENGINE_FILES, 2, cc);

	(void)state;
	check_software(v, "nvidia-a10", STATE_PASS, NULL);
	check_software(v, "nvidia-l4", STATE_PASS, NULL);
	check_software(v, "nvidia-a100-pcie-80gb", STATE_FAIL, NULL);
}

static void
test_engine_files_without_list_ask(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.ships = SHIPS_ENGINE_FILES;
	check_software(v, "nvidia-l4", STATE_ASK, "engine-files-unknown");
	/* The CUDA window still decides where it can: 12.0 needs 12.8. */
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, "cuda-first");
}

/* A list is a set with holes (M37): 7.0, 8.0 and 9.0 leave out 6.1, cover
 * 7.5, 8.6 and 8.9 by the lower minor of the same major, and leave out
 * 12.0 (M36). */
static void
test_build_list_membership(void **state)
{
	const int cc[] = {70, 80, 90};
	struct vendor *v = built(SHIPS_FRAMEWORK, 3, cc);

	(void)state;
	check_software(v, "nvidia-p4", STATE_FAIL, "build-list");
	check_software(v, "nvidia-t4", STATE_PASS, NULL);
	check_software(v, "nvidia-a10", STATE_PASS, NULL);
	check_software(v, "nvidia-l4", STATE_PASS, NULL);
	check_software(v, "nvidia-h100-pcie-80gb", STATE_PASS, NULL);
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, "build-list");
}

/* Code of a higher minor does not run on a lower one: 8.6 is not 8.0. */
static void
test_build_list_not_downwards(void **state)
{
	const int cc[] = {86};
	struct vendor *v = built(SHIPS_FRAMEWORK, 1, cc);

	(void)state;
	check_software(v, "nvidia-a100-pcie-80gb", STATE_FAIL, "build-list");
	check_software(v, "nvidia-l4", STATE_PASS, NULL);
}

/* PTX of the last entry opens every later chip; known to be absent, or not
 * known, it opens none. */
static void
test_build_list_ptx(void **state)
{
	const int cc[] = {75, 86};
	struct vendor *v = built(SHIPS_FRAMEWORK, 2, cc);

	(void)state;
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, NULL);
	v->runtime.ptx_known = true;
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, NULL);
	v->runtime.ptx = true;
	check_software(v, "nvidia-rtx-5090", STATE_PASS, NULL);
	/* PTX of 8.6 does not go back to 7.0. */
	check_software(v, "nvidia-v100-pcie-16gb", STATE_FAIL, NULL);
}

/* CUDA 11.1 with code for 8.6 on Ada (8.9, first known to 11.8): runs, not
 * tuned, not tested; so it asks.  With 8.9 in the list there is no doubt. */
static void
test_build_list_untested(void **state)
{
	const int cc[] = {75, 86};
	struct vendor *v = built(SHIPS_FRAMEWORK, 2, cc);

	(void)state;
	v->runtime.cuda = known(1101);
	check_software(v, "nvidia-l40s", STATE_ASK, "not-tested");
	v->runtime.built_for[1] = 89;
	check_software(v, "nvidia-l40s", STATE_PASS, NULL);
}

/* CUDA 10.1 knows nothing after Turing (M33): 7.x and older pass, Ampere
 * and Ada fail, and no earlier chip of major 8 lends them code. */
static void
test_cuda_too_old(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);
	struct fit *f;

	(void)state;
	v->runtime.cuda = known(1001);
	check_software(v, "nvidia-t4", STATE_PASS, NULL);
	check_software(v, "nvidia-v100-pcie-16gb", STATE_PASS, NULL);
	check_software(v, "nvidia-a10", STATE_FAIL, "cuda-first");
	check_software(v, "nvidia-l4", STATE_FAIL, "cuda-first");
	f = fit_on(v, "nvidia-a10");
	assert_string_equal(f->gates[GATE_SOFTWARE].need_text, "CUDA 10.1");
	assert_string_equal(f->gates[GATE_SOFTWARE].have_text,
	    "8.6 (CUDA 11.1+)");
	assert_non_null(f->gates[GATE_SOFTWARE].src);
}

/* Scenario S5: CUDA 11.1 ends at 8.6, yet knows that major, so Ada asks;
 * Hopper (9.0) and Blackwell (12.0) are other majors and fail. */
static void
test_cuda_same_major_asks(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.cuda = known(1101);
	check_software(v, "nvidia-rtx-3090", STATE_PASS, NULL);
	check_software(v, "nvidia-l40s", STATE_ASK, "not-tested");
	check_software(v, "nvidia-h100-pcie-80gb", STATE_FAIL, "cuda-first");
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, "cuda-first");
}

/* CUDA 12.6 does not know 12.0, which needs 12.8 (M38). */
static void
test_blackwell_needs_12_8(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.cuda = known(1206);
	check_software(v, "nvidia-rtx-5090", STATE_FAIL, "cuda-first");
	v->runtime.cuda = known(1208);
	check_software(v, "nvidia-rtx-5090", STATE_PASS, NULL);
}

/* CUDA 13 drops Pascal and Volta; Turing stays (M39). */
static void
test_cuda_too_new(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.cuda = known(1300);
	check_software(v, "nvidia-v100-pcie-16gb", STATE_FAIL, "cuda-last");
	check_software(v, "nvidia-p4", STATE_FAIL, "cuda-last");
	check_software(v, "nvidia-t4", STATE_PASS, NULL);
}

static void
test_other_ecosystem(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	check_software(v, "amd-radeon-pro-w7900", STATE_FAIL, "ecosystem");
	check_software(v, "huawei-atlas-300i-pro", STATE_FAIL, "ecosystem");
	v->runtime.ecosystem = "rocm";
	check_software(v, "nvidia-t4", STATE_FAIL, "ecosystem");
	v->runtime.ecosystem = "any";
	check_software(v, "nvidia-t4", STATE_PASS, NULL);
	check_software(v, "amd-radeon-pro-w7900", STATE_PASS, NULL);
}

static void
test_no_runtime_asks(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.cuda = (struct fact){0};
	check_software(v, "nvidia-t4", STATE_ASK, "no-runtime");
	v->runtime.ecosystem = NULL;
	check_software(v, "amd-radeon-pro-w7900", STATE_ASK, "no-runtime");
}

/* A site fixed on driver 470 cannot use Ada, first known to 520; the same
 * driver that may be changed is no gate. */
static void
test_driver_fixed(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->runtime.driver = known(470);
	check_software(v, "nvidia-l4", STATE_PASS, NULL);
	v->runtime.driver_fixed = known(1);
	check_software(v, "nvidia-l4", STATE_FAIL, "driver");
	check_software(v, "nvidia-a10", STATE_PASS, NULL);
}

/* INT8: V100 and GTX 16 have no unit for it, T4 and P4 do.  BF16 needs 8.0
 * (R32), FP8 8.9.  FP16 runs everywhere. */
static void
test_precision_by_chip(void **state)
{
	static const struct {
		enum precision p;
		const char *id;
		enum state want;
	} cases[] = {
	    {PREC_INT8, "nvidia-v100-pcie-16gb", STATE_FAIL},
	    {PREC_INT8, "nvidia-gtx-1660", STATE_FAIL},
	    {PREC_INT8, "nvidia-t4", STATE_PASS},
	    {PREC_INT8, "nvidia-p4", STATE_PASS},
	    {PREC_BF16, "nvidia-t4", STATE_FAIL},
	    {PREC_BF16, "nvidia-a10", STATE_PASS},
	    {PREC_FP8, "nvidia-a10", STATE_FAIL},
	    {PREC_FP8, "nvidia-l4", STATE_PASS},
	    {PREC_FP16, "nvidia-p4", STATE_PASS},
	    {PREC_TF32, "nvidia-t4", STATE_PASS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct vendor *v = vendor_of("V", 10, 10, 5);

		v->runtime.precision = v->stages[0].precision = cases[i].p;
		check_gate(fit_on(v, cases[i].id), GATE_PRECISION,
		    cases[i].want, NULL);
	}
}

/* VP9 on a card whose engines do not know it fails; a card without an engine
 * count asks; frames decoded on the host need no engine. */
static void
test_decode(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);
	struct gpu g = *card("nvidia-t4");
	struct demand dm;
	struct fit f;

	(void)state;
	v->streams[0].decoded_elsewhere = false;
	v->streams[0].codec = CODEC_AV1;
	check_gate(fit_on(v, "nvidia-t4"), GATE_DECODE, STATE_FAIL,
	    "no-decoder");
	v->streams[0].codec = CODEC_H264;
	check_gate(fit_on(v, "nvidia-t4"), GATE_DECODE, STATE_PASS, NULL);
	dm = demand_of(&dr, v);
	g.decoders = (struct fact){0};
	fit_card(&dr, &dm, &g, &f);
	check_gate(&f, GATE_DECODE, STATE_ASK, "engines-unknown");
	v->streams[0].decoded_elsewhere = true;
	dm = demand_of(&dr, v);
	fit_card(&dr, &dm, &g, &f);
	check_gate(&f, GATE_DECODE, STATE_PASS, NULL);
}

/* Eleven streams re-encoded on a card capped at 8 sessions fail whatever the
 * speed (M12); eight pass; a card without engines fails at one. */
static void
test_encode_sessions(void **state)
{
	struct vendor *v = vendor_of("V", 11, 10, 5);
	const struct fit *f;

	(void)state;
	v->streams[0].out_codec = CODEC_H264;
	f = fit_on(v, "nvidia-rtx-3060-12gb");
	check_gate(f, GATE_ENCODE, STATE_FAIL, "sessions");
	assert_true(f->gates[GATE_ENCODE].need.value == 11);
	assert_true(f->gates[GATE_ENCODE].have.value == 8);
	v->streams[0].count = 8;
	check_gate(fit_on(v, "nvidia-rtx-3060-12gb"), GATE_ENCODE, STATE_PASS,
	    NULL);
	v->streams[0].count = 1;
	check_gate(fit_on(v, "nvidia-h100-sxm5-80gb"), GATE_ENCODE, STATE_FAIL,
	    "no-encoder");
}

/* A 450 W card in a 350 W slot, a module in a slot server, and the same
 * without a server to hold it against. */
static void
test_form(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	check_gate(fit_on(v, "nvidia-rtx-4090"), GATE_FORM, STATE_PASS, NULL);
	project.site.slots = known(4);
	project.site.slot_power_w = known(350);
	check_gate(fit_on(v, "nvidia-rtx-4090"), GATE_FORM, STATE_FAIL,
	    "slot-power");
	check_gate(fit_on(v, "nvidia-h100-sxm5-80gb"), GATE_FORM, STATE_FAIL,
	    "module");
	check_gate(fit_on(v, "nvidia-l40s"), GATE_FORM, STATE_PASS, NULL);
}

static void
test_cooling(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);
	struct gpu g = *card("nvidia-t4");
	struct demand dm = demand_of(&dr, v);
	struct fit f;

	(void)state;
	project.site.cooling = COOLING_PASSIVE;
	check_gate(fit_on(v, "nvidia-rtx-3090"), GATE_COOLING, STATE_FAIL,
	    "active-in-passive");
	check_gate(fit_on(v, "nvidia-t4"), GATE_COOLING, STATE_PASS, NULL);
	g.cooling = COOLING_UNKNOWN;
	fit_card(&dr, &dm, &g, &f);
	check_gate(&f, GATE_COOLING, STATE_ASK, "cooling-unknown");
	project.site.cooling = COOLING_ACTIVE;
	check_gate(fit_on(v, "nvidia-t4"), GATE_COOLING, STATE_ASK,
	    "passive-in-active");
}

static void
test_duties(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);

	(void)state;
	v->needs_ecc = true;
	check_gate(fit_on(v, "nvidia-rtx-3060-12gb"), GATE_ECC, STATE_FAIL,
	    "no-ecc");
	check_gate(fit_on(v, "nvidia-t4"), GATE_ECC, STATE_PASS, NULL);
	v->needs_vgpu = true;
	check_gate(fit_on(v, "nvidia-rtx-3060-12gb"), GATE_VGPU, STATE_FAIL,
	    NULL);
	check_gate(fit_on(v, "nvidia-t4"), GATE_VGPU, STATE_ASK, NULL);
}

/* The driver licence of a consumer card is a question to the client: it is
 * listed, and the card still passes (decide.h). */
static void
test_licence_asks_but_passes(void **state)
{
	const struct fit *f =
	    fit_on(vendor_of("V", 10, 10, 5), "nvidia-rtx-3090");

	(void)state;
	check_gate(f, GATE_LICENCE, STATE_ASK, "consumer-licence");
	assert_int_equal(f->state, STATE_PASS);
	assert_int_equal(f->first, GATE_N);
}

/* Supply fails only when the project says so. */
static void
test_supply_policy(void **state)
{
	struct vendor *v = vendor_of("V", 10, 10, 5);
	struct demand dm = demand_of(&dr, v);
	struct gpu g = *card("nvidia-l4");
	struct fit f;

	(void)state;
	g.in_production_known = true;
	fit_card(&dr, &dm, &g, &f);
	check_gate(&f, GATE_SUPPLY, STATE_ASK, "out-of-production");
	assert_int_equal(f.state, STATE_PASS);
	project.policy.in_production_required = true;
	fit_card(&dr, &dm, &g, &f);
	check_gate(&f, GATE_SUPPLY, STATE_FAIL, "out-of-production");
	project.policy.in_production_required = false;
	project.policy.domestic_only = true;
	check_gate(fit_on(v, "nvidia-l4"), GATE_SUPPLY, STATE_FAIL,
	    "domestic-only");
	v->runtime.ecosystem = "cann";
	check_gate(fit_on(v, "huawei-atlas-300i-pro"), GATE_SUPPLY, STATE_PASS,
	    NULL);
}

/* T4, launched 2018-09, is over seven years old in 2026-11 and nobody says
 * that it is still made; L4, 2023-03, is not. */
static void
test_aged(void **state)
{
	(void)state;
	assert_true(aged(&dr, card("nvidia-t4")));
	assert_false(aged(&dr, card("nvidia-l4")));
	assert_int_equal(service_class(&dr, card("nvidia-t4")), 2);
	assert_int_equal(service_class(&dr, card("nvidia-l4")), 0);
	project.date = "2025-08-31";
	assert_false(aged(&dr, card("nvidia-t4")));
	project.date = "soon";
	assert_false(aged(&dr, card("nvidia-t4")));
}

/* PCIe 4.0 x16: 16 lanes of 1.969 GB/s, at the achieved share. */
static void
test_link_rate(void **state)
{
	struct gpu g = {.link = "PCIe 4.0 x16"};

	(void)state;
	near_to(link_rate(cal, &g).value, 16 * 1.969e9 * cal->link_share,
	    1e-12);
	g.link = "PCIe 3.0 x8";
	near_to(link_rate(cal, &g).value, 8 * 0.985e9 * cal->link_share, 1e-12);
	g.link = "SXM";
	assert_false(link_rate(cal, &g).known);
	g.link = "PCIe 9.0 x16";
	assert_false(link_rate(cal, &g).known);
	g.link = NULL;
	assert_false(link_rate(cal, &g).known);
}

/* A gate that has nothing to satisfy is passed, and marked as no merit. */
static void
test_idle_gates(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	const struct fit *f = fit_on(v, "nvidia-t4");

	(void)state;
	assert_true(f->gates[GATE_DECODE].idle); /* decoded elsewhere */
	assert_true(f->gates[GATE_ENCODE].idle);
	assert_true(f->gates[GATE_ECC].idle);
	assert_true(f->gates[GATE_DEADLINE].idle);
	assert_true(f->gates[GATE_FORM].idle); /* no server described */
	assert_false(f->gates[GATE_SOFTWARE].idle);
	assert_false(f->gates[GATE_MEMORY].idle);
	assert_false(f->gates[GATE_FIGURE].idle);
	v->streams[0].decoded_elsewhere = false;
	v->deadline_s = known(1);
	v->needs_ecc = true;
	project.site.slots = known(4);
	f = fit_on(v, "nvidia-t4");
	assert_false(f->gates[GATE_DECODE].idle);
	assert_false(f->gates[GATE_DEADLINE].idle);
	assert_false(f->gates[GATE_ECC].idle);
	assert_false(f->gates[GATE_FORM].idle);
	/* What fails or asks concerns, whatever the demand. */
	assert_int_equal(f->gates[GATE_SUPPLY].state, STATE_ASK);
	assert_false(f->gates[GATE_SUPPLY].idle);
}

/* OpenVINO is a runtime on Intel's cards; it opens no NVIDIA card. */
static void
test_openvino(void **state)
{
	struct vendor *v = vendor_of("V", 1, 1, 10);
	struct gpu g = *card("nvidia-t4");
	struct demand dm;
	struct fit f;

	(void)state;
	v->runtime.ecosystem = "openvino";
	dm = demand_of(&dr, v);
	fit_card(&dr, &dm, &g, &f);
	assert_int_equal(f.gates[GATE_SOFTWARE].state, STATE_FAIL);
	g.software = "oneapi";
	fit_card(&dr, &dm, &g, &f);
	assert_int_equal(f.gates[GATE_SOFTWARE].state, STATE_PASS);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
	    T(test_engine_files_are_exact),
	    T(test_engine_files_list),
	    T(test_engine_files_without_list_ask),
	    T(test_build_list_membership),
	    T(test_build_list_not_downwards),
	    T(test_build_list_ptx),
	    T(test_build_list_untested),
	    T(test_cuda_too_old),
	    T(test_cuda_same_major_asks),
	    T(test_blackwell_needs_12_8),
	    T(test_cuda_too_new),
	    T(test_other_ecosystem),
	    T(test_no_runtime_asks),
	    T(test_driver_fixed),
	    T(test_precision_by_chip),
	    T(test_decode),
	    T(test_encode_sessions),
	    T(test_form),
	    T(test_cooling),
	    T(test_duties),
	    T(test_licence_asks_but_passes),
	    T(test_supply_policy),
	    T(test_aged),
	    T(test_link_rate),
	    T(test_idle_gates),
	    T(test_openvino),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
