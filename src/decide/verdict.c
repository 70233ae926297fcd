/*
 * Which card would do, and whether what was asked for is sound.
 */
#include <math.h>
#include <string.h>

#include "decide/parts.h"

const char *
model_verdict_id(enum model_verdict v)
{
	static const char *const id[] = {"needed", "sound", "generous",
		"short", "impossible", "open"};

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

static bool
nearer(const struct decider *d, const struct fit *a, const struct fit *b)
{
	double ga = fit_gap(a), gb = fit_gap(b);

	if (a->n_failing != b->n_failing)
		return a->n_failing < b->n_failing;
	if (ga != gb)
		return ga < gb;
	if (card_size(a->gpu) != card_size(b->gpu))
		return card_size(a->gpu) > card_size(b->gpu);
	return fit_compare(d, a, b) < 0;
}

void
verdict_choose(const struct decider *d, struct vendor_decision *vd)
{
	vd->requested = fit_find(vd, vd->vendor->request.gpu);
	vd->judged = vd->requested ? vd->requested : best_candidate(d, vd);
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		vd->passing += f->state == STATE_PASS;
		if (choosable(d, f) && (!vd->smallest ||
		    fit_compare(d, f, vd->smallest) < 0))
			vd->smallest = f;
	}
	vd->cheapest = cheapest_of(d, vd);
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (may_be_nearest(d, vd, f) && (!vd->nearest ||
		    nearer(d, f, vd->nearest)))
			vd->nearest = f;
	}
}

/* ---- the model asked for */

/* Shares of the other card below which a card is clearly smaller. */
#define CLEAR_PRICE (2.0 / 3)
#define CLEAR_SIZE  0.5

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

static bool
clear_fail(const struct fit *f)
{
	for (int g = 0; g < GATE_N; g++)
		if (f->gates[g].state == STATE_FAIL && g != GATE_MEMORY &&
		    g != GATE_DEADLINE)
			return true;
	return false;
}

/* Fails even if the estimate is off by its band. */
static bool
sure_fail(const struct decider *d, const struct fit *f)
{
	const struct gate_result *m = &f->gates[GATE_MEMORY];
	const struct gate_result *t = &f->gates[GATE_DEADLINE];
	double band = d->cal->band[f->tier][0];

	if (clear_fail(f))
		return true;
	if (m->state == STATE_FAIL && m->why &&
	    (strcmp(m->why, "stated-minimum") == 0 ||
	    f->memory.total.low > f->usable.value))
		return true;
	return t->state == STATE_FAIL && t->need.known && t->have.known &&
	    t->need.value > band * t->have.value;
}

/* No card of the catalogue would serve at the favourable end of the band. */
static bool
all_fail(const struct decider *d, const struct vendor_decision *vd)
{
	for (int i = 0; i < vd->n_fits; i++)
		if (!sure_fail(d, &vd->fits[i]))
			return false;
	return true;
}

/* The most clearly smaller card that serves, or NULL. */
static const struct fit *
smaller_serving(const struct decider *d, const struct vendor_decision *vd)
{
	const struct fit *asked = vd->judged, *best = NULL;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (f->state > asked->state || !comparable(d, f, asked) ||
		    !clearly_smaller(d, f, asked))
			continue;
		if (!best || fit_compare(d, f, best) < 0)
			best = f;
	}
	return best;
}

/* Anything that serves and is smaller: then the model is not the only one. */
static bool
less_serves(const struct decider *d, const struct vendor_decision *vd,
    double share)
{
	const struct fit *asked = vd->judged;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (comparable(d, f, asked) && f->state <= asked->state &&
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
			    !sure_fail(d, f))
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

static enum model_verdict
judge_model(const struct decider *d, const struct vendor_decision *vd,
    enum sureness *sure)
{
	const struct fit *r = vd->judged, *less;

	*sure = SURENESS_OPEN;
	if (!r)
		return MODEL_OPEN;
	*sure = SURENESS_LIKELY;
	if (r->state == STATE_FAIL) {
		if (sure_fail(d, r) && (vd->smallest || all_fail(d, vd)))
			*sure = SURENESS_SURE;
		return vd->smallest ? MODEL_SHORT : MODEL_IMPOSSIBLE;
	}
	if (undecidable(r)) {
		*sure = SURENESS_OPEN;
		return MODEL_OPEN;
	}
	less = smaller_serving(d, vd);
	if (less) {
		if (less->sized && r->sized &&
		    less->cards_high <= r->cards_low)
			*sure = SURENESS_SURE;
		return MODEL_GENEROUS;
	}
	if (!less_serves(d, vd, 0.9)) {
		if (needed_for_sure(d, vd))
			*sure = SURENESS_SURE;
		return MODEL_NEEDED;
	}
	return MODEL_SOUND;
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
	if (!r || !asked.known || (r->state == STATE_FAIL && !r->sized))
		return COUNT_NONE;
	if (r->gates[GATE_DEADLINE].state == STATE_FAIL ||
	    r->gates[GATE_MEMORY].state == STATE_FAIL ||
	    r->gates[GATE_SOFTWARE].state == STATE_FAIL)
		return COUNT_NONE; /* no number of them does it */
	if (!r->sized) {
		*sure = SURENESS_OPEN;
		return COUNT_OPEN;
	}
	if (asked.value < r->cards) {
		*sure = asked.value < r->cards_low ? SURENESS_SURE :
						     SURENESS_LIKELY;
		return COUNT_SHORT;
	}
	if (asked.value > r->cards_high + spare)
		return COUNT_GENEROUS;
	*sure = asked.value >= r->cards_high ? SURENESS_SURE :
					       SURENESS_LIKELY;
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
	/* A name with several cards behind it, an assumed number of objects,
	 * or a video engine nobody counted: never quite sure. */
	if (vd->sure == SURENESS_SURE && vd->model != MODEL_IMPOSSIBLE &&
	    (!vd->requested || dm->no_objects || dm->no_codec))
		vd->sure = SURENESS_LIKELY;
	if (vd->judged && vd->judged->state == STATE_ASK &&
	    vd->sure == SURENESS_SURE)
		vd->sure = SURENESS_LIKELY;
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
	return f->binding == RES_COMPUTE ? bound_id(f->bound) :
					   resource_id(f->binding);
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

const char *
binding_id(const struct vendor_decision *vd)
{
	const struct fit *f = sizing_fit(vd);

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
	return fit_binding_id(f);
}
