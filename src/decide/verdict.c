/*
 * Which card would do, and whether what was asked for is sound.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

const char *
model_verdict_id(enum model_verdict v)
{
	static const char *const id[] = {"needed", "sound", "generous", "short",
	    "impossible", "open"};

	return id[v];
}

const char *
count_verdict_id(enum count_verdict v)
{
	static const char *const id[] = {"sound", "generous", "short", "open",
	    "none"};

	return id[v];
}

const char *
sureness_id(enum sureness s)
{
	static const char *const id[] = {"sure", "likely", "open"};

	return id[s];
}

/* ---- choosing cards */

static const struct fit *
best_candidate(const struct decider *d, const struct vendor_decision *vd)
{
	const struct vendor *v = vd->vendor;
	const struct fit *best = NULL;

	for (int i = 0; i < v->request.n_candidates; i++) {
		const struct fit *f = fit_find(vd, v->request.candidates[i]);

		if (f && (!best || fit_compare(d, f, best) < 0))
			best = f;
	}
	return best;
}

static const struct fit *
cheapest_of(const struct decider *d, const struct vendor_decision *vd)
{
	const struct fit *best = NULL;
	double least = INFINITY;

	for (int i = 0; i < vd->n_fits && vd->smallest; i++) {
		const struct fit *f = &vd->fits[i];
		const char *currency;
		struct fact price;

		if (!choosable(d, f) || f->state != vd->smallest->state ||
		    service_class(d, f->gpu) > 2)
			continue;
		price = fit_price(d, f, &currency);
		if (price.known && price.value < least) {
			least = price.value;
			best = f;
		}
	}
	return best;
}

/* Another maker's card for a vendor bound to its software: no near miss. */
static bool
other_ecosystem(const struct fit *f)
{
	const char *why = f->gates[GATE_SOFTWARE].why;

	return why && strcmp(why, "ecosystem") == 0;
}

/* A failing card that is smaller, and fails for what it can do, not for the
 * server it would stand in. */
static bool
may_be_nearest(const struct decider *d, const struct vendor_decision *vd,
    const struct fit *f)
{
	if (f->state != STATE_FAIL || service_class(d, f->gpu) > 2 ||
	    other_ecosystem(f))
		return false;
	if (!vd->smallest)
		return true;
	return card_size(f->gpu) < card_size(vd->smallest->gpu) &&
	       f->gates[GATE_FORM].state != STATE_FAIL &&
	       f->gates[GATE_COOLING].state != STATE_FAIL &&
	       f->gates[GATE_SUPPLY].state != STATE_FAIL;
}

/* Fails for nothing but encoding, which the host or another card can do. */
static bool
only_encode(const struct fit *f)
{
	return f->n_failing == 1 && f->gates[GATE_ENCODE].state == STATE_FAIL;
}

static bool
nearer(const struct decider *d, const struct fit *a, const struct fit *b)
{
	double ga = fit_gap(a), gb = fit_gap(b);

	if (a->n_failing != b->n_failing)
		return a->n_failing < b->n_failing;
	if (only_encode(a) != only_encode(b))
		return only_encode(a);
	if (only_encode(a))
		return fit_compare(d, a, b) < 0;
	if (ga != gb)
		return ga < gb;
	if (card_size(a->gpu) != card_size(b->gpu))
		return card_size(a->gpu) > card_size(b->gpu);
	return fit_compare(d, a, b) < 0;
}

/* The fewest cards any candidate of the best state needs; 0: none sized. */
static double
fewest_cards(const struct decider *d, const struct vendor_decision *vd)
{
	enum state best = STATE_FAIL;
	double least = 0;

	for (int i = 0; i < vd->n_fits; i++)
		if (choosable(d, &vd->fits[i]) && vd->fits[i].state < best)
			best = vd->fits[i].state;
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (f->sized && choosable(d, f) && f->state == best &&
		    (least == 0 || f->cards < least))
			least = f->cards;
	}
	return least;
}

/* So many small boards that they fill more than three times the servers the
 * fewest would: nobody would build that. */
static bool
crowded(const struct decider *d, const struct fit *f, double fewest)
{
	struct fact slots = d->p->site.slots;

	if (!slots.known || slots.value < 1 || !f->sized || fewest <= 0)
		return false;
	return ceil(f->cards / slots.value) > 3 * ceil(fewest / slots.value);
}

void
verdict_choose(const struct decider *d, struct vendor_decision *vd)
{
	double fewest = fewest_cards(d, vd);

	vd->requested = fit_find(vd, vd->vendor->request.gpu);
	vd->judged = vd->requested ? vd->requested : best_candidate(d, vd);
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		vd->passing += f->state == STATE_PASS;
		vd->passing_supply += f->state == STATE_PASS && !supply_open(f);
		if (choosable(d, f) && rated(vd, f) && !crowded(d, f, fewest) &&
		    (!vd->smallest || fit_compare(d, f, vd->smallest) < 0))
			vd->smallest = f;
	}
	vd->cheapest = cheapest_of(d, vd);
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (may_be_nearest(d, vd, f) &&
		    (!vd->nearest || nearer(d, f, vd->nearest)))
			vd->nearest = f;
	}
}

/* ---- the model asked for */

/* Shares of the other card below which a card is clearly smaller. */
#define CLEAR_PRICE (2.0 / 3)
#define CLEAR_SIZE  0.5
/* Up to this share of its size a card can take the place of another. */
#define ABOUT_ITS_SIZE 1.25

bool
clearly_smaller(const struct decider *d, const struct fit *a,
    const struct fit *b)
{
	const char *ca, *cb;
	struct fact pa = fit_price(d, a, &ca), pb = fit_price(d, b, &cb);
	double size = fit_size(a) / fit_size(b);
	bool sized = a->sized && b->sized;

	if (sized && a->cards > b->cards)
		return false;
	if (pa.known && pb.known && ca && cb && strcmp(ca, cb) == 0 &&
	    pa.value <= CLEAR_PRICE * pb.value)
		return true;
	return isfinite(size) && size <= CLEAR_SIZE;
}

/* Cards to hold against the one asked for: no module against a board, no
 * old or consumer card against one in service for servers. */
static bool
comparable(const struct decider *d, const struct fit *f,
    const struct fit *asked)
{
	return choosable(d, f) && f != asked &&
	       service_class(d, f->gpu) <= service_class(d, asked->gpu);
}

/* An open point about the card that no figure can settle here. */
static bool
undecidable(const struct fit *f)
{
	return f->gates[GATE_SOFTWARE].state == STATE_ASK ||
	       f->gates[GATE_MEMORY].state == STATE_ASK;
}

/* An open point whose answer could turn the verdict.  What the makers of
 * server and card settle (form, cooling, ECC, vGPU) is not among them. */
static bool
could_overturn(const struct fit *f)
{
	static const enum gate of[] = {GATE_SOFTWARE, GATE_PRECISION,
	    GATE_MEMORY, GATE_DECODE, GATE_ENCODE, GATE_DEADLINE, GATE_LINK,
	    GATE_FIGURE};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (f->gates[of[i]].state == STATE_ASK)
			return true;
	return false;
}

/* Each gate of `f` passes, or asks where that of `asked` asks too. */
static bool
gates_as_good(const struct fit *f, const struct fit *asked)
{
	for (int g = 0; g < GATE_N; g++)
		if (g != GATE_LICENCE && g != GATE_SUPPLY &&
		    f->gates[g].state > asked->gates[g].state)
			return false;
	return true;
}

/* PTX nobody spoke of would let the build run on later chips. */
static bool
ptx_may_help(const struct runtime *rt, const struct gate_result *r)
{
	return rt->ships != SHIPS_ENGINE_FILES && !rt->ptx_known && r->why &&
	       (strcmp(r->why, "build-list") == 0 ||
		   strcmp(r->why, "cuda-first") == 0);
}

/* Pieces of a picture that can be worked on by several cards at once. */
static bool
divisible(const struct vendor *v)
{
	for (int i = 0; i < v->n_stages; i++)
		if (v->stages[i].per == PER_TILE)
			return true;
	return false;
}

/* Memory or time fails even if the estimate is off by its band. */
static bool
sure_shortage(const struct vendor *v, const struct fit *f)
{
	const struct gate_result *m = &f->gates[GATE_MEMORY];
	const struct gate_result *t = &f->gates[GATE_DEADLINE];

	if (m->state == STATE_FAIL && m->why &&
	    (strcmp(m->why, "stated-minimum") == 0 ||
		f->memory.total.low > f->usable.value))
		return true;
	return t->state == STATE_FAIL && t->need_low > 0 && t->have.known &&
	       t->need_low > t->have.value && !divisible(v);
}

enum gate
firm_gate(const struct vendor *v, const struct fit *f)
{
	for (int g = 0; g < GATE_N; g++) {
		const struct gate_result *r = &f->gates[g];

		if (r->state != STATE_FAIL || g == GATE_MEMORY ||
		    g == GATE_DEADLINE)
			continue;
		if (g != GATE_SOFTWARE || !ptx_may_help(&v->runtime, r))
			return g;
	}
	if (!sure_shortage(v, f))
		return GATE_N;
	return f->gates[GATE_MEMORY].state == STATE_FAIL ? GATE_MEMORY
							 : GATE_DEADLINE;
}

/* Fails by a rule, or beyond the band. */
static bool
sure_fail(const struct vendor *v, const struct fit *f)
{
	return firm_gate(v, f) != GATE_N;
}

/* The card asked for fails for sure; of an ambiguous name every card. */
static bool
request_fails_for_sure(const struct vendor_decision *vd)
{
	const struct vendor *v = vd->vendor;

	for (int i = 0; i < v->request.n_candidates && !vd->requested; i++) {
		const struct fit *f = fit_find(vd, v->request.candidates[i]);

		if (f && !sure_fail(v, f))
			return false;
	}
	return sure_fail(v, vd->judged);
}

/* Serves at the unfavourable end of the band too. */
static bool
serves_for_sure(const struct fit *f)
{
	return !f->late_high &&
	       !(f->usable.known && f->memory.total.high > f->usable.value);
}

/* The most clearly smaller card that serves, or NULL. */
static const struct fit *
smaller_serving(const struct decider *d, const struct vendor_decision *vd)
{
	const struct fit *asked = vd->judged, *best = NULL;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (!gates_as_good(f, asked) || undecidable(f) ||
		    !comparable(d, f, asked) || !clearly_smaller(d, f, asked))
			continue;
		if (!best || fit_compare(d, f, best) < 0)
			best = f;
	}
	return best;
}

/* Anything that serves and is smaller, or hardly larger: then the model is
 * not the only one. */
static bool
less_serves(const struct decider *d, const struct vendor_decision *vd,
    double share)
{
	const struct fit *asked = vd->judged;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (comparable(d, f, asked) && gates_as_good(f, asked) &&
		    fit_size(f) < share * fit_size(asked))
			return true;
	}
	return false;
}

/* Would a smaller card serve at the favourable end of the band? */
static bool
needed_for_sure(const struct decider *d, const struct vendor_decision *vd)
{
	const struct fit *asked = vd->judged;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];
		double best, worst;

		if (f == asked || !isfinite(card_size(f->gpu)) ||
		    service_class(d, f->gpu) > service_class(d, asked->gpu))
			continue;
		if (f->state == STATE_FAIL) {
			if (card_size(f->gpu) < card_size(asked->gpu) &&
			    !sure_fail(vd->vendor, f))
				return false;
			continue;
		}
		best = card_size(f->gpu) * (f->sized ? f->cards_low : 1);
		worst = card_size(asked->gpu) *
			(asked->sized ? asked->cards_high : 1);
		if (best < 0.9 * worst)
			return false;
	}
	return true;
}

/* Nothing but quantities stands in the way, no rule. */
static bool
falls_short(const struct fit *f)
{
	for (int g = 0; g < GATE_N; g++)
		if (f->gates[g].state == STATE_FAIL && g != GATE_MEMORY &&
		    g != GATE_DEADLINE)
			return false;
	return f->state == STATE_FAIL;
}

static enum model_verdict
judge_model(const struct decider *d, const struct vendor_decision *vd,
    enum sureness *sure)
{
	const struct fit *r = vd->judged, *less;

	*sure = SURENESS_OPEN;
	if (!r || vd->vendor->n_stages == 0)
		return MODEL_OPEN; /* nothing asked for, or nothing known */
	*sure = SURENESS_LIKELY;
	if (r->state == STATE_FAIL && vd->smallest && falls_short(r)) {
		/* Sure of this word, not merely that it does not serve. */
		if (sure_shortage(vd->vendor, r))
			*sure = SURENESS_SURE;
		return MODEL_SHORT;
	}
	if (r->state == STATE_FAIL) {
		if (request_fails_for_sure(vd))
			*sure = SURENESS_SURE;
		return MODEL_IMPOSSIBLE;
	}
	less = smaller_serving(d, vd);
	if (less) {
		if (could_overturn(less))
			*sure = SURENESS_OPEN;
		else if (less->sized && r->sized &&
			 less->cards_high <= r->cards_low &&
			 serves_for_sure(less))
			*sure = SURENESS_SURE;
		return MODEL_GENEROUS;
	}
	if (could_overturn(r)) {
		*sure = SURENESS_OPEN;
		return MODEL_OPEN;
	}
	if (!less_serves(d, vd, ABOUT_ITS_SIZE)) {
		if (needed_for_sure(d, vd) && serves_for_sure(r))
			*sure = SURENESS_SURE;
		return MODEL_NEEDED;
	}
	return MODEL_SOUND;
}

/*
 * Memory is far more than needed: even the high end of the need is half of
 * what the card has.  Said beside a verdict about the memory or when it is
 * generous or open; a card that is needed for its software has what it has.
 */
static bool
memory_generous(const struct vendor_decision *vd)
{
	const struct fit *f = vd->judged;

	if (!f || (!f->memory.measured && f->memory.weights <= 0))
		return false; /* nobody knows the need */
	return (vd->model == MODEL_GENEROUS || vd->model == MODEL_OPEN) &&
	       f->gates[GATE_MEMORY].state == STATE_PASS && f->usable.known &&
	       f->memory.total.high <= 0.5 * f->usable.value;
}

/* ---- the number asked for */

static enum count_verdict
judge_count(const struct decider *d, const struct vendor_decision *vd,
    enum sureness *sure)
{
	const struct fit *r = vd->judged;
	struct fact asked = vd->vendor->request.count;
	double spare = d->p->policy.spare_per_pool;

	*sure = SURENESS_SURE;
	if (!r || !asked.known || r->state == STATE_FAIL)
		return COUNT_NONE; /* no number of them does it */
	if (!r->sized || vd->vendor->n_stages == 0) {
		*sure = SURENESS_OPEN;
		return COUNT_OPEN;
	}
	if (asked.value < r->cards) {
		/* Short at the peak only is no more than likely. */
		*sure =
		    asked.value < r->cards_low && asked.value < r->cards_mean
			? SURENESS_SURE
			: SURENESS_LIKELY;
		return COUNT_SHORT;
	}
	if (!serves_for_sure(r))
		*sure = SURENESS_LIKELY;
	if (asked.value > r->cards_high + spare)
		return COUNT_GENEROUS;
	*sure = asked.value >= r->cards_high && serves_for_sure(r)
		    ? SURENESS_SURE
		    : SURENESS_LIKELY;
	return COUNT_SOUND;
}

void
verdict_judge(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd)
{
	enum sureness model, count;

	vd->model = judge_model(d, vd, &model);
	vd->count = judge_count(d, vd, &count);
	vd->sure = model > count ? model : count;
	vd->memory_generous = memory_generous(vd);
	/* A name with several cards behind it, an assumed number of objects,
	 * or a video engine nobody counted: never quite sure. */
	if (vd->sure == SURENESS_SURE && vd->model != MODEL_IMPOSSIBLE &&
	    (!vd->requested || dm->no_objects || dm->no_codec))
		vd->sure = SURENESS_LIKELY;
	if (vd->judged && vd->judged->state == STATE_ASK &&
	    vd->sure == SURENESS_SURE)
		vd->sure = SURENESS_LIKELY;
}

/* ---- the card planned */

static void
add_risk(struct vendor_decision *vd, const char *id, struct fact value,
    struct fact limit, enum unit unit)
{
	assert(vd->n_risks < MAX_RISKS);
	vd->risks[vd->n_risks++] =
	    (struct risk){id, value, limit, unit, GATE_N};
}

/* What the far end of the bands would break. */
static void
add_band_risks(struct vendor_decision *vd)
{
	const struct fit *f = vd->planned;
	struct fact deadline = vd->vendor->deadline_s;

	if (f->sized && f->cards_high > f->cards)
		add_risk(vd, "cards",
		    fact_of(f->cards_high, SURE_DERIVED, NULL),
		    fact_of(f->cards, SURE_DERIVED, NULL), UNIT_COUNT);
	if (deadline.known && f->chain.high > deadline.value)
		add_risk(vd, "deadline",
		    fact_of(f->chain.high, SURE_DERIVED, NULL), deadline,
		    UNIT_SECOND);
	if (f->usable.known && f->memory.total.high > f->usable.value)
		add_risk(vd, "memory",
		    fact_of(f->memory.total.high, SURE_DERIVED, NULL),
		    f->usable, UNIT_BYTE);
}

void
verdict_planned(const struct decider *d, struct vendor_decision *vd)
{
	const struct fit *f = vd->planned;

	vd->planned_sure = SURENESS_OPEN;
	if (!f)
		return;
	vd->risks = arena_alloc(d->a, MAX_RISKS, sizeof(*vd->risks));
	add_band_risks(vd);
	if (vd->n_risks > 0)
		vd->planned_sure = SURENESS_LIKELY;
	else
		vd->planned_sure = SURENESS_SURE;
	for (int g = 0; g < GATE_N; g++) {
		if (f->gates[g].state != STATE_ASK)
			continue;
		add_risk(vd, "gate", (struct fact){0}, (struct fact){0},
		    UNIT_NONE);
		vd->risks[vd->n_risks - 1].gate = g;
		/* Supply and licence do not touch what the card can do. */
		if (g != GATE_SUPPLY && g != GATE_LICENCE &&
		    vd->planned_sure == SURENESS_SURE)
			vd->planned_sure = SURENESS_LIKELY;
	}
	if (!f->sized || could_overturn(f))
		vd->planned_sure = SURENESS_OPEN;
}

/* ---- other makers */

bool
nvidia_only(const struct vendor_decision *vd)
{
	bool nvidia = false, other = false;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (f->state == STATE_FAIL)
			continue;
		nvidia |= f->gpu->vendor == VENDOR_NVIDIA;
		other |= f->gpu->vendor != VENDOR_NVIDIA;
	}
	return nvidia && !other;
}

/* ---- what decides */

const struct fit *
sizing_fit(const struct vendor_decision *vd)
{
	if (vd->judged && vd->judged->state != STATE_FAIL)
		return vd->judged;
	return vd->smallest;
}

const char *
fit_binding_id(const struct fit *f)
{
	if (f->state == STATE_FAIL)
		return gate_id(f->first);
	if (!f->sized || f->binding >= RES_N)
		return "none";
	if ((f->count_why == COUNT_BY_DEADLINE ||
		f->count_why == COUNT_BY_SOURCE) &&
	    f->cards > f->cards_load)
		return gate_id(GATE_DEADLINE);
	return f->binding == RES_COMPUTE ? bound_id(f->bound)
					 : resource_id(f->binding);
}

/* Share of the cards of the vendor's ecosystem that a gate keeps out. */
static double
kept_out(const struct vendor_decision *vd, enum gate g)
{
	int out = 0, all = 0;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (other_ecosystem(f))
			continue;
		all++;
		out += f->gates[g].state == STATE_FAIL;
	}
	return all ? (double)out / all : 0;
}

bool
nothing_tight(const struct fit *f)
{
	if (!f->sized || f->cards > 1 || f->state == STATE_FAIL)
		return false;
	for (int r = 0; r < RES_N; r++)
		if (f->load_known[r] && f->load[r] > 0.1 && r != RES_MEMORY)
			return false;
	return f->load[RES_MEMORY] <= 0.5;
}

const char *
binding_id(const struct vendor_decision *vd)
{
	const struct fit *f = sizing_fit(vd);

	for (enum gate g = GATE_FORM; g <= GATE_SUPPLY; g++)
		if (vd->n_fits > 0 && kept_out(vd, g) >= 0.95)
			return gate_id(g); /* the site takes no card at all */
	/* What the server cannot hold says nothing about the need. */
	if (vd->judged && vd->judged->state == STATE_FAIL &&
	    vd->judged->first < GATE_FORM)
		return fit_binding_id(vd->judged);
	if (kept_out(vd, GATE_SOFTWARE) > 0.5)
		return "software";
	if (!f)
		return vd->nearest ? fit_binding_id(vd->nearest) : "none";
	if (!f->sized && kept_out(vd, GATE_MEMORY) > 0.25)
		return "memory";
	if (nothing_tight(f))
		return "none";
	return fit_binding_id(f);
}
