/*
 * Gates that follow from what the card is and what the vendor's software
 * wants, without a time or a size.  Each leaves need, have and the rule
 * that decided.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/parts.h"
#include "model/video.h"

const char *
gate_id(enum gate g)
{
	static const char *const id[] = {"software", "precision", "memory",
	    "decode", "encode", "deadline", "link", "form", "cooling", "ecc",
	    "vgpu", "licence", "supply", "figure", "none"};

	assert(g <= GATE_N);
	return id[g];
}

const char *
state_id(enum state s)
{
	static const char *const id[] = {"pass", "ask", "fail"};

	return id[s];
}

const char *
resource_id(enum resource r)
{
	static const char *const id[] = {"compute", "decode", "encode",
	    "memory", "link", "none"};

	assert(r <= RES_N);
	return id[r];
}

const char *
count_why_id(enum count_why w)
{
	static const char *const id[] = {"load", "deadline", "per-source",
	    "whole-streams", "decode", "encode", "link", "memory", "stated"};

	return id[w];
}

void
gate_set(struct fit *f, enum gate g, enum state s, const char *why)
{
	f->gates[g].state = s;
	f->gates[g].why = why;
}

void
gates_sum(struct fit *f)
{
	f->state = STATE_PASS;
	f->first = GATE_N;
	f->n_failing = f->n_asking = 0;
	for (int g = 0; g < GATE_N; g++) {
		enum state s = f->gates[g].state;

		f->n_failing += s == STATE_FAIL;
		if (s == STATE_ASK && (g == GATE_LICENCE || g == GATE_SUPPLY))
			continue; /* visible, not decisive: decide.h */
		if (s == STATE_ASK && g == GATE_DEADLINE &&
		    f->gates[GATE_FIGURE].state != STATE_PASS)
			continue; /* the missing figure asks for both */
		f->n_asking += s == STATE_ASK;
		if (s > f->state) {
			f->state = s;
			f->first = g;
		}
	}
}

/* ---- software */

static const char *
cc_text(struct arena *a, int cc)
{
	return arena_printf(a, "%d.%d", cc / 10, cc % 10);
}

static const char *
cuda_text(struct arena *a, struct fact release)
{
	int r = release.known ? (int)release.value : 0;

	return arena_printf(a, "CUDA %d.%d", r / 100, r % 100);
}

static const char *
list_text(struct arena *a, const struct runtime *rt)
{
	struct str b;

	str_init(&b, a);
	for (int i = 0; i < rt->n_built_for; i++)
		str_addf(&b, "%s%d.%d", i ? " " : "", rt->built_for[i] / 10,
		    rt->built_for[i] % 10);
	return b.s;
}

/* Whether `word` is one of the words of `list` (spaces, commas, '|'). */
static bool
has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (*list) {
		size_t n = strcspn(list, " ,|");

		if (n == len && strncmp(list, word, n) == 0)
			return true;
		list += n;
		list += strspn(list, " ,|");
	}
	return false;
}

static bool
ecosystem_gate(const struct demand *dm, const struct gpu *g, struct fit *f)
{
	const char *want = dm->v->runtime.ecosystem;
	const char *have = g->software;

	if (!want || has_word(want, "any"))
		return true;
	if (!have || has_word(want, have))
		return true;
	/* OpenVINO is a runtime on Intel's cards, not a maker's ecosystem. */
	if (has_word(want, "openvino") && strcmp(have, "oneapi") == 0)
		return true;
	f->gates[GATE_SOFTWARE].need_text = want;
	f->gates[GATE_SOFTWARE].have_text = have;
	gate_set(f, GATE_SOFTWARE, STATE_FAIL, "ecosystem");
	return false;
}

/* How well a build covers a chip. */
enum cover { COVER_NO, COVER_PTX, COVER_MINOR, COVER_EXACT };

/*
 * CUDA's rule: machine code (SASS) runs on chips of the same major
 * capability and an equal or higher minor one; PTX of a lower or equal
 * capability is compiled by the driver for any later chip.
 */
static enum cover
build_cover(const struct runtime *rt, int cc)
{
	enum cover best = COVER_NO;
	int highest = 0;

	for (int i = 0; i < rt->n_built_for; i++) {
		int b = rt->built_for[i];

		if (b > highest)
			highest = b;
		if (b == cc)
			return COVER_EXACT;
		if (b / 10 == cc / 10 && b < cc)
			best = COVER_MINOR;
	}
	if (best == COVER_NO && rt->ptx_known && rt->ptx && highest > 0 &&
	    highest <= cc)
		best = COVER_PTX;
	return best;
}

/*
 * Whether binaries a toolkit could make for an earlier chip of the same
 * major capability run here: CUDA 11.1 knows 8.6, and 8.9 runs that code.
 */
static bool
major_known(const struct catalog *cat, int cc, int release)
{
	for (int i = 0; i < cat->n_archs; i++) {
		const struct arch *ar = &cat->archs[i];

		if (ar->cc > 0 && ar->cc / 10 == cc / 10 && ar->cc < cc &&
		    ar->cuda_first.known && ar->cuda_first.value <= release)
			return true;
	}
	return false;
}

static bool
after_toolkit(const struct gpu *g, struct fact cuda)
{
	return cuda.known && g->arch && g->arch->cuda_first.known &&
	       g->arch->cuda_first.value > cuda.value;
}

static bool
dropped_by_toolkit(const struct gpu *g, struct fact cuda)
{
	return cuda.known && g->arch && g->arch->cuda_last.known &&
	       g->arch->cuda_last.value < cuda.value;
}

/* Engine files load on the capability they were built on and no other. */
static void
engine_gate(const struct decider *d, const struct runtime *rt,
    const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_SOFTWARE];

	r->need_text = list_text(d->a, rt);
	if (build_cover(rt, g->cc) == COVER_EXACT)
		return;
	gate_set(f, GATE_SOFTWARE, STATE_FAIL, "engine-files");
}

static void
list_gate(const struct decider *d, const struct runtime *rt,
    const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_SOFTWARE];
	enum cover c = build_cover(rt, g->cc);

	r->need_text = list_text(d->a, rt);
	if (c == COVER_NO)
		gate_set(f, GATE_SOFTWARE, STATE_FAIL, "build-list");
	else if (c != COVER_EXACT && after_toolkit(g, rt->cuda))
		gate_set(f, GATE_SOFTWARE, STATE_ASK, "not-tested");
}

static void
window_gate(const struct decider *d, const struct runtime *rt,
    const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_SOFTWARE];
	struct arena *a = d->a;

	r->need_text = cuda_text(a, rt->cuda);
	if (!g->arch ||
	    (!g->arch->cuda_first.known && !g->arch->cuda_last.known)) {
		gate_set(f, GATE_SOFTWARE, STATE_ASK, "card-software");
		return;
	}
	if (after_toolkit(g, rt->cuda)) {
		bool ptx = rt->ptx_known && rt->ptx;
		bool runs =
		    ptx || major_known(d->cat, g->cc, (int)rt->cuda.value);

		r->have_text = arena_printf(a, "%s (%s+)", cc_text(a, g->cc),
		    cuda_text(a, g->arch->cuda_first));
		r->src = g->arch->cuda_first.src;
		gate_set(f, GATE_SOFTWARE, runs ? STATE_ASK : STATE_FAIL,
		    runs ? "not-tested" : "cuda-first");
	} else if (dropped_by_toolkit(g, rt->cuda)) {
		r->have_text = arena_printf(a, "%s (-%s)", cc_text(a, g->cc),
		    cuda_text(a, g->arch->cuda_last));
		r->src = g->arch->cuda_last.src;
		gate_set(f, GATE_SOFTWARE, STATE_FAIL, "cuda-last");
	} else {
		r->src = g->arch->cuda_first.src;
	}
}

/* A driver the site cannot change must know the chip. */
static void
driver_gate(const struct decider *d, const struct runtime *rt,
    const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_SOFTWARE];

	if (r->state == STATE_FAIL || !rt->driver.known ||
	    !rt->driver_fixed.known || rt->driver_fixed.value == 0)
		return;
	if (!g->arch || !g->arch->driver_first.known ||
	    g->arch->driver_first.value <= rt->driver.value)
		return;
	r->need_text = arena_printf(d->a, "R%d", (int)rt->driver.value);
	r->have_text =
	    arena_printf(d->a, "R%d+", (int)g->arch->driver_first.value);
	r->src = g->arch->driver_first.src;
	gate_set(f, GATE_SOFTWARE, STATE_FAIL, "driver");
}

static void
software_gate(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f)
{
	const struct runtime *rt = &dm->v->runtime;
	struct gate_result *r = &f->gates[GATE_SOFTWARE];
	bool cuda = g->software && strcmp(g->software, "cuda") == 0;

	if (!ecosystem_gate(dm, g, f))
		return;
	if (!cuda) {
		/* Another ecosystem, and the vendor named it or any. */
		r->need_text = rt->ecosystem;
		r->have_text = g->software;
		if (!rt->ecosystem || !g->software)
			gate_set(f, GATE_SOFTWARE, STATE_ASK, "no-runtime");
		return;
	}
	if (rt->ecosystem && has_word(rt->ecosystem, "any"))
		return;
	r->have_text = g->cc ? cc_text(d->a, g->cc) : g->software;
	if (g->cc == 0) {
		gate_set(f, GATE_SOFTWARE, STATE_ASK, "card-software");
		return;
	}
	if (rt->ships == SHIPS_ENGINE_FILES && rt->n_built_for > 0)
		engine_gate(d, rt, g, f);
	else if (rt->n_built_for > 0)
		list_gate(d, rt, g, f);
	else if (rt->cuda.known)
		window_gate(d, rt, g, f);
	else
		gate_set(f, GATE_SOFTWARE, STATE_ASK, "no-runtime");
	if (r->state == STATE_PASS && rt->ships == SHIPS_ENGINE_FILES &&
	    rt->n_built_for == 0)
		gate_set(f, GATE_SOFTWARE, STATE_ASK, "engine-files-unknown");
	driver_gate(d, rt, g, f);
}

/* ---- precision */

/* Whether the absence of a peak means that the chip cannot, rather than
 * that nobody published it. */
static bool
chip_lacks(const struct gpu *g, enum precision p)
{
	if (g->vendor != VENDOR_NVIDIA || g->cc == 0)
		return false;
	switch (p) {
	case PREC_BF16:
	case PREC_TF32: return g->cc < 80;
	case PREC_FP8: return g->cc < 89;
	case PREC_INT8:
		return (g->cc < 72 && g->cc != 61) ||
		       (g->cc == 75 && !g->peak[PEAK_FP16_TENSOR].known);
	case PREC_FP32:
	case PREC_FP16:
	case PREC_N: break;
	}
	return false;
}

static void
precision_gate(const struct demand *dm, const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_PRECISION];

	for (int k = 0; k < dm->v->n_stages; k++) {
		const struct stage *s = &dm->v->stages[k];
		enum peak used = PEAK_N;
		struct fact peak;

		if (!stage_on_card(s))
			continue;
		peak = speed_peak(g, s->precision, &used);
		if (!peak.known && chip_lacks(g, s->precision)) {
			r->need_text = precision_id(s->precision);
			gate_set(f, GATE_PRECISION, STATE_FAIL, "no-unit");
			return;
		}
		if (!peak.known) {
			f->gates[GATE_FIGURE].need_text =
			    precision_id(s->precision);
			gate_set(f, GATE_FIGURE, STATE_ASK, "no-peak");
		} else if (r->need_text == NULL) {
			r->need_text = precision_id(s->precision);
			r->have_text = peak_id(used);
			r->have = peak;
			r->unit = UNIT_FLOP_PER_S;
			r->src = peak.src;
		}
	}
	if (!g->bandwidth.known)
		gate_set(f, GATE_FIGURE, STATE_ASK, "no-bandwidth");
}

/* ---- video */

static void
decode_gate(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_DECODE];
	bool seen[CODEC_N] = {false};

	for (int i = 0; i < dm->v->n_streams; i++) {
		enum codec c = stream_codec(&dm->v->streams[i]);
		struct fact have;

		if (c == CODEC_NONE || r->state == STATE_FAIL)
			continue;
		have = video_decode_capacity(g, c);
		if (!seen[c])
			r->need_text = r->need_text
					   ? arena_printf(d->a, "%s, %s",
						 r->need_text, codec_id(c))
					   : codec_id(c);
		seen[c] = true;
		r->need = fact_of(dm->decode_per_s, SURE_DERIVED, NULL);
		r->unit = UNIT_PER_S;
		r->have = have;
		r->src = have.src;
		if (!have.known)
			gate_set(f, GATE_DECODE, STATE_ASK, "engines-unknown");
		else if (have.value <= 0)
			gate_set(f, GATE_DECODE, STATE_FAIL, "no-decoder");
	}
}

/*
 * The driver's cap on encoding sessions counts for the whole machine, so
 * more cards do not lift it; cards without a cap have no such fact.
 */
static void
encode_gate(const struct demand *dm, const struct gpu *g, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_ENCODE];
	struct fact have;

	if (dm->encoded == 0)
		return;
	r->need = fact_of(dm->encoded, SURE_DERIVED, NULL);
	r->unit = UNIT_COUNT;
	have = video_encode_capacity(g);
	if ((g->encoders.known && g->encoders.value <= 0) ||
	    (have.known && have.value <= 0)) {
		r->have = fact_of(0, SURE_DERIVED, g->encoders.src);
		r->src = g->encoders.src;
		gate_set(f, GATE_ENCODE, STATE_FAIL, "no-encoder");
	} else if (g->encode_sessions.known &&
		   g->encode_sessions.value < dm->encoded) {
		r->have = g->encode_sessions;
		r->src = g->encode_sessions.src;
		gate_set(f, GATE_ENCODE, STATE_FAIL, "sessions");
	} else if (!have.known) {
		gate_set(f, GATE_ENCODE, STATE_ASK, "engines-unknown");
	} else {
		r->have = g->encode_sessions;
		r->src = have.src;
	}
}

/* ---- host link */

struct fact
link_rate(const struct calibration *cal, const struct gpu *g)
{
	/* bytes/s a lane and direction, by PCIe generation */
	static const double lane[] = {0, 0.25e9, 0.5e9, 0.985e9, 1.969e9,
	    3.938e9, 7.563e9};
	int gen, minor, lanes;
	const char *at = g->link ? strstr(g->link, "PCIe") : NULL;
	double share = cal->link_share > 0 ? cal->link_share : 1;

	if (!at || sscanf(at, "PCIe %1d.%1d x%2d", &gen, &minor, &lanes) != 3)
		return (struct fact){0};
	if (gen < 1 || gen > 6 || lanes < 1 || lanes > 16)
		return (struct fact){0};
	return fact_of(lane[gen] * lanes * share, SURE_DERIVED, NULL);
}

static void
link_gate(const struct decider *d, const struct demand *dm, const struct gpu *g,
    struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_LINK];

	if (dm->host_bytes_per_s <= 0)
		return;
	r->need = fact_of(dm->host_bytes_max, SURE_DERIVED, NULL);
	r->have = link_rate(d->cal, g);
	r->have_text = g->link;
	r->unit = UNIT_BYTE_PER_S;
	if (!r->have.known) {
		/* A few MB/s pass any link that ever carried a card. */
		if (dm->host_bytes_per_s > 100e6)
			gate_set(f, GATE_LINK, STATE_ASK, "link-unknown");
	} else if (r->have.value < dm->host_bytes_max) {
		gate_set(f, GATE_LINK, STATE_FAIL, "link");
	}
}

/* ---- the site */

static void
form_gate(const struct decider *d, const struct gpu *g, struct fit *f)
{
	struct fact slots = d->p->site.slots, watt = d->p->site.slot_power_w;
	struct gate_result *r = &f->gates[GATE_FORM];

	r->have_text = g->form;
	if (watt.known && g->power_w.known && g->on_board) {
		r->need = g->power_w;
		r->have = watt;
		r->unit = UNIT_WATT;
		r->src = g->power_w.src;
	}
	if (!slots.known)
		return; /* no server described: nothing to hold it against */
	if (!g->on_board)
		gate_set(f, GATE_FORM, STATE_FAIL, "module");
	else if (watt.known && g->power_w.known &&
		 g->power_w.value > watt.value)
		gate_set(f, GATE_FORM, STATE_FAIL, "slot-power");
	else if (g->slots.known && g->slots.value > 2 * slots.value)
		gate_set(f, GATE_FORM, STATE_FAIL, "slots");
	else if (g->slots.known && g->slots.value > 2)
		gate_set(f, GATE_FORM, STATE_ASK, "wide");
	else if (watt.known && !g->power_w.known)
		gate_set(f, GATE_FORM, STATE_ASK, "power-unknown");
}

static void
cooling_gate(const struct decider *d, const struct gpu *g, struct fit *f)
{
	static const char *const word[] = {"unknown", "active", "passive"};
	enum cooling site = d->p->site.cooling;
	struct gate_result *r = &f->gates[GATE_COOLING];

	if (site == COOLING_UNKNOWN)
		return;
	r->need_text = word[site];
	r->have_text = word[g->cooling];
	if (!g->on_board)
		return; /* the form decides about modules */
	if (g->cooling == COOLING_UNKNOWN)
		gate_set(f, GATE_COOLING, STATE_ASK, "cooling-unknown");
	else if (site == COOLING_PASSIVE && g->cooling == COOLING_ACTIVE)
		gate_set(f, GATE_COOLING, STATE_FAIL, "active-in-passive");
	else if (site == COOLING_ACTIVE && g->cooling == COOLING_PASSIVE)
		gate_set(f, GATE_COOLING, STATE_ASK, "passive-in-active");
}

static void
duty_gates(const struct demand *dm, const struct gpu *g, struct fit *f)
{
	if (dm->v->needs_ecc) {
		f->gates[GATE_ECC].src = g->ecc.src;
		if (!g->ecc.known)
			gate_set(f, GATE_ECC, STATE_ASK, "ecc-unknown");
		else if (g->ecc.value == 0)
			gate_set(f, GATE_ECC, STATE_FAIL, "no-ecc");
	}
	if (dm->v->needs_vgpu) {
		if (g->segment == SEGMENT_CONSUMER ||
		    g->segment == SEGMENT_EDGE)
			gate_set(f, GATE_VGPU, STATE_FAIL, "no-vgpu");
		else
			gate_set(f, GATE_VGPU, STATE_ASK, "vgpu-list");
	}
}

static const struct gpu_note *
note_of(const struct gpu *g, const char *kind)
{
	for (int i = 0; i < g->n_notes; i++)
		if (g->notes[i].kind && strcmp(g->notes[i].kind, kind) == 0)
			return &g->notes[i];
	return NULL;
}

static bool
domestic(const struct gpu *g)
{
	return g->vendor == VENDOR_HUAWEI || g->vendor == VENDOR_OTHER;
}

static void
trade_gates(const struct decider *d, const struct gpu *g, struct fit *f)
{
	const struct gpu_note *licence = note_of(g, "licence");
	const struct gpu_note *supply = note_of(g, "supply");
	bool gone = g->in_production_known && !g->in_production;

	if (licence ||
	    (g->segment == SEGMENT_CONSUMER && g->vendor == VENDOR_NVIDIA)) {
		f->gates[GATE_LICENCE].src = licence ? licence->src : NULL;
		gate_set(f, GATE_LICENCE, STATE_ASK, "consumer-licence");
	}
	if (supply)
		f->gates[GATE_SUPPLY].src = supply->src;
	if (d->p->policy.domestic_only && !domestic(g))
		gate_set(f, GATE_SUPPLY, STATE_FAIL, "domestic-only");
	else if (gone && d->p->policy.in_production_required)
		gate_set(f, GATE_SUPPLY, STATE_FAIL, "out-of-production");
	else if (gone)
		gate_set(f, GATE_SUPPLY, STATE_ASK, "out-of-production");
	else if (supply)
		gate_set(f, GATE_SUPPLY, STATE_ASK, "supply-note");
	else if (aged(d, g))
		gate_set(f, GATE_SUPPLY, STATE_ASK, "production-unknown");
}

void
gates_static(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f)
{
	software_gate(d, dm, g, f);
	precision_gate(dm, g, f);
	decode_gate(d, dm, g, f);
	encode_gate(dm, g, f);
	link_gate(d, dm, g, f);
	form_gate(d, g, f);
	cooling_gate(d, g, f);
	duty_gates(dm, g, f);
	trade_gates(d, g, f);
}

/* ---- gates without a question */

static bool
concerns(const struct decider *d, const struct demand *dm, const struct fit *f,
    enum gate g)
{
	const struct vendor *v = dm->v;
	bool runs = false, video = false;

	for (int i = 0; i < v->n_stages; i++)
		runs |= stage_on_card(&v->stages[i]);
	for (int i = 0; i < v->n_streams; i++)
		video |= stream_codec(&v->streams[i]) != CODEC_NONE;
	switch (g) {
	case GATE_SOFTWARE: return runs || v->runtime.cuda.known;
	case GATE_PRECISION: return runs;
	case GATE_FIGURE: return runs || v->n_stages == 0;
	case GATE_DECODE: return video;
	case GATE_ENCODE: return dm->encoded > 0;
	case GATE_DEADLINE: return v->deadline_s.known || dm->whole_streams;
	case GATE_LINK: return dm->host_bytes_per_s > 0;
	case GATE_FORM: return d->p->site.slots.known;
	case GATE_COOLING:
		return d->p->site.cooling != COOLING_UNKNOWN &&
		       f->gpu->on_board;
	case GATE_ECC: return v->needs_ecc;
	case GATE_VGPU: return v->needs_vgpu;
	case GATE_MEMORY:
	case GATE_LICENCE:
	case GATE_SUPPLY:
	case GATE_N: break;
	}
	return true;
}

void
gates_idle(const struct decider *d, const struct demand *dm, struct fit *f)
{
	for (int g = 0; g < GATE_N; g++)
		f->gates[g].idle =
		    f->gates[g].state == STATE_PASS && !concerns(d, dm, f, g);
}
