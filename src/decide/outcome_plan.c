/*
 * What is bought: the part of the results tree.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"

static double
value_of(struct fact f)
{
	return f.known ? f.value : 0;
}

static bool
project_price(const struct outcome *o, const struct gpu *g, double *amount,
    const char **currency)
{
	for (int i = 0; i < o->d.p->n_prices; i++)
		if (o->d.p->prices[i].gpu == g) {
			*amount = o->d.p->prices[i].amount;
			*currency = o->d.p->prices[i].currency;
			return true;
		}
	return false;
}

static const struct fit *
pool_fit(const struct pool *p)
{
	return p->n_members > 0 ? p->members[0]->planned : NULL;
}

/* Every gate some member asks at, once. */
static void
put_pool_asks(struct arena *a, struct node *list, const struct pool *p)
{
	for (int g = 0; g < GATE_N; g++)
		for (int i = 0; i < p->n_members; i++) {
			const struct gate_result *r =
			    &p->members[i]->planned->gates[g];
			struct node *n;

			if (r->state != STATE_ASK)
				continue;
			n = node_item(a, list);
			node_text(a, n, "gate", gate_id(g));
			node_text(a, n, "why", r->why ? r->why : "");
			node_text(a, n, "src", r->src);
			break;
		}
}

static void
put_fallback(struct arena *a, struct node *n, const struct fallback *b)
{
	node_text(a, n, "change", b->change);
	if (!b->fit)
		return;
	node_text(a, n, "gpu", b->fit->gpu->id);
	node_text(a, n, "card", b->fit->gpu->name);
	node_text(a, n, "supply", state_id(b->fit->gates[GATE_SUPPLY].state));
	if (b->fit->sized)
		node_number(a, n, "cards", b->fit->cards, UNIT_COUNT);
}

static void
put_fallbacks(const struct outcome *o, struct node *list, const struct pool *p)
{
	struct arena *a = o->d.a;

	for (int i = 0; p->at_risk && i < p->n_members; i++) {
		const struct fallback *b = &p->fallback[i];
		struct node *n = node_item(a, list);

		node_text(a, n, "vendor", b->vendor->vendor->id);
		put_name(o, n, b->vendor->vendor);
		put_fallback(a, n, b);
	}
}

void
put_own_fallback(const struct outcome *o, struct node *vendor,
    const struct vendor_decision *vd)
{
	for (int i = 0; i < o->dec->plan.n_pools; i++) {
		const struct pool *p = &o->dec->plan.pools[i];

		for (int k = 0; p->at_risk && k < p->n_members; k++)
			if (p->fallback[k].vendor == vd)
				put_fallback(o->d.a,
				    node_group(o->d.a, vendor, "fallback"),
				    &p->fallback[k]);
	}
}

static bool
late_high(const struct pool *p)
{
	for (int i = 0; i < p->n_members; i++)
		if (p->members[i]->planned->late_high)
			return true;
	return false;
}

static void
put_pool_risks(const struct outcome *o, struct node *n, const struct pool *p)
{
	struct arena *a = o->d.a;

	node_number(a, n, "cards_low", p->cards_low, UNIT_COUNT);
	node_flag(a, n, "late_high", late_high(p));
	if (!late_high(p))
		node_number(a, n, "cards_high", p->cards_high, UNIT_COUNT);
	node_number(a, n, "cards_alone", p->cards_alone, UNIT_COUNT);
	node_flag(a, n, "shared", p->shared);
	if (p->servers > 0)
		node_number(a, n, "servers", p->servers, UNIT_COUNT);
	node_number(a, n, "on_site", p->on_site, UNIT_COUNT);
	node_number(a, n, "buy", p->buy, UNIT_COUNT);
	node_flag(a, n, "at_risk", p->at_risk);
	if (pool_fit(p)) {
		put_pool_asks(a, node_list(a, n, "asks"), p);
		put_notes(a, node_list(a, n, "notes"), p->gpu);
	}
	put_fallbacks(o, node_list(a, n, "fallback"), p);
}

static void
put_member(const struct outcome *o, struct node *n,
    const struct vendor_decision *vd, double cards)
{
	const struct fit *f = vd->planned;
	struct arena *a = o->d.a;

	node_text(a, n, "id", vd->vendor->id);
	put_name(o, n, vd->vendor);
	node_number(a, n, "cards", cards, UNIT_COUNT);
	node_number(a, n, "cards_low", f->sized ? f->cards_low : cards,
	    UNIT_COUNT);
	if (!f->late_high)
		node_number(a, n, "cards_high",
		    f->sized ? f->cards_high : cards, UNIT_COUNT);
	node_number(a, n, "busy", f->sized ? f->busy.value / cards : 0,
	    UNIT_RATIO);
	node_text(a, n, "why", count_why_id(f->count_why));
	put_count(a, n, f);
	node_text(a, n, "certainty", sureness_id(vd->planned_sure));
}

static void
put_pool(const struct outcome *o, struct node *n, const struct pool *p)
{
	struct arena *a = o->d.a;
	double total = p->cards + p->spare, amount;
	const char *currency;
	struct node *list;

	node_text(a, n, "gpu", p->gpu->id);
	node_text(a, n, "name", p->gpu->name);
	node_text(a, n, "family", p->gpu->family ? p->gpu->family : "");
	node_estimate(a, n, "cards",
	    (struct estimate){p->cards, p->cards_low, p->cards_high,
		pool_fit(p) ? pool_fit(p)->tier : TIER_ASSUMED},
	    UNIT_COUNT);
	node_number(a, n, "spare", p->spare, UNIT_COUNT);
	node_number(a, n, "total", total, UNIT_COUNT);
	node_number(a, n, "power", total * value_of(p->gpu->power_w), UNIT_WATT)
	    ->src = p->gpu->power_w.src;
	if (project_price(o, p->gpu, &amount, &currency)) {
		node_number(a, n, "price", p->buy * amount, UNIT_MONEY);
		node_text(a, n, "currency", currency ? currency : "");
	}
	node_number(a, n, "memory", value_of(p->gpu->memory_bytes), UNIT_BYTE)
	    ->src = p->gpu->memory_bytes.src;
	put_pool_risks(o, n, p);
	list = node_list(a, n, "vendors");
	for (int i = 0; i < p->n_members; i++)
		put_member(o, node_item(a, list), p->members[i],
		    p->member_cards[i]);
}

static void
put_plan_totals(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	double cards = 0, low = 0, high = 0, power = 0, price = 0, amount;
	const char *currency = NULL, *first = NULL;
	bool priced = plan->n_pools > 0;

	for (int i = 0; i < plan->n_pools; i++) {
		const struct pool *p = &plan->pools[i];
		double total = p->cards + p->spare;

		cards += total;
		low += p->cards_low + p->spare;
		high += p->cards_high + p->spare;
		power += total * value_of(p->gpu->power_w);
		if (!project_price(o, p->gpu, &amount, &currency)) {
			priced = false;
			continue;
		}
		price += p->buy * amount;
		/* Two currencies have no sum. */
		priced &= !first || str_equal(first, currency);
		first = currency;
	}
	node_number(a, n, "cards", cards, UNIT_COUNT);
	node_number(a, n, "cards_low", low, UNIT_COUNT);
	node_number(a, n, "cards_high", high, UNIT_COUNT);
	if (plan->servers > 0) {
		node_number(a, n, "slots", plan->slots, UNIT_COUNT);
		node_number(a, n, "servers", plan->servers, UNIT_COUNT);
		node_number(a, n, "servers_apart", plan->servers_apart,
		    UNIT_COUNT);
	}
	node_number(a, n, "power", power, UNIT_WATT);
	node_number(a, n, "models", plan->n_pools, UNIT_COUNT);
	if (priced) {
		node_number(a, n, "price", price, UNIT_MONEY);
		node_text(a, n, "currency", first ? first : "");
	}
}

static void
put_single(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	const struct gpu *g = plan->single, *near = plan->single_near;
	struct arena *a = o->d.a;
	struct node *list;

	node_flag(a, n, "possible", g != NULL);
	if (g) {
		node_text(a, n, "gpu", g->id);
		node_text(a, n, "name", g->name);
		put_way(o, n, &plan->single_way);
		if (g->in_production_known)
			node_flag(a, n, "in_production", g->in_production);
	} else if (near) {
		node_text(a, n, "gpu", near->id);
		node_text(a, n, "name", near->name);
	}
	list = node_list(a, n, "blockers");
	for (int i = 0; i < o->dec->n_vendors && !g && near; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		const struct fit *f = fit_find(vd, near);
		struct node *item;

		if (!f || choosable(&o->d, f) || !vd->planned)
			continue;
		item = node_item(a, list);
		node_text(a, item, "vendor", vd->vendor->id);
		put_name(o, item, vd->vendor);
		node_text(a, item, "gate", blocking_gate(f));
	}
}

/* The gate that stands between a vendor and every card: that of the card
 * asked for, else of the card that comes nearest. */
static const char *
unserved_gate(const struct vendor_decision *vd)
{
	if (vd->judged && vd->judged->state == STATE_FAIL)
		return blocking_gate(vd->judged);
	return blocking_gate(vd->nearest);
}

static void
put_at_risk(const struct outcome *o, struct node *list)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < o->dec->plan.n_pools; i++) {
		const struct pool *p = &o->dec->plan.pools[i];
		struct node *n;

		if (!p->at_risk)
			continue;
		n = node_item(a, list);
		node_text(a, n, "gpu", p->gpu->id);
		node_text(a, n, "name", p->gpu->name);
		node_number(a, n, "cards", p->cards + p->spare, UNIT_COUNT);
		node_text(a, n, "why", pool_fit(p)->gates[GATE_SUPPLY].why);
	}
}

/* At the unfavourable end of the band no number of these is enough. */
static void
put_late(const struct outcome *o, struct node *list)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		struct node *n;

		if (!vd->planned || !vd->planned->late_high)
			continue;
		n = node_item(a, list);
		node_text(a, n, "id", vd->vendor->id);
		put_name(o, n, vd->vendor);
	}
}

static double
watts(const struct fit *f, double cards)
{
	return cards * value_of(f->gpu->power_w);
}

/* Aged boards are kept for who can use nothing else: who could have used
 * them too, and what that would have taken. */
static void
put_rule(const struct outcome *o, struct node *rule)
{
	const struct plan *plan = &o->dec->plan;
	double cards = 0, power = 0, now_cards = 0, now_power = 0;
	struct arena *a = o->d.a;
	struct node *list;

	node_flag(a, rule, "aged_only_if_needed", plan->n_moved > 0);
	list = node_list(a, rule, "moved");
	for (int i = 0; i < plan->n_moved; i++) {
		const struct vendor_decision *vd = plan->moved[i].vendor;
		const struct fit *f = plan->moved[i].fit, *now = vd->planned;
		double n = fit_cards(f, vd->vendor);
		double m = fit_cards(now, vd->vendor);
		struct node *item = node_item(a, list);

		node_text(a, item, "id", vd->vendor->id);
		put_name(o, item, vd->vendor);
		node_text(a, item, "gpu", f->gpu->id);
		node_text(a, item, "card", f->gpu->name);
		node_number(a, item, "cards", n, UNIT_COUNT);
		node_number(a, item, "power", watts(f, n), UNIT_WATT);
		node_text(a, item, "now_gpu", now->gpu->id);
		node_text(a, item, "now_card", now->gpu->name);
		node_number(a, item, "now_cards", m, UNIT_COUNT);
		node_number(a, item, "now_power", watts(now, m), UNIT_WATT);
		cards += n;
		power += watts(f, n);
		now_cards += m;
		now_power += watts(now, m);
	}
	if (plan->n_moved == 0)
		return;
	node_number(a, rule, "cards", cards, UNIT_COUNT);
	node_number(a, rule, "power", power, UNIT_WATT);
	node_number(a, rule, "now_cards", now_cards, UNIT_COUNT);
	node_number(a, rule, "now_power", now_power, UNIT_WATT);
}

static void
put_conflicts(const struct outcome *o, struct node *list, bool fixed)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < o->dec->plan.n_conflicts; i++) {
		const struct driver_conflict *c = &o->dec->plan.conflicts[i];
		const struct vendor *x = c->a->vendor, *y = c->b->vendor;
		struct node *n;

		if (c->fixed != fixed)
			continue;
		n = node_item(a, list);
		node_text(a, n, "a", x->id);
		node_text2(a, n, "a_name", x->name ? x->name : x->id,
		    x->name_en);
		node_text(a, n, "b", y->id);
		node_text2(a, n, "b_name", y->name ? y->name : y->id,
		    y->name_en);
		node_text(a, n, "driver", arena_printf(a, "%d", c->driver));
		node_text(a, n, "needs", arena_printf(a, "%d", c->needs));
		node_text(a, n, "src", "CUDADRV");
		node_flag(a, n, "same_pool", c->same_pool);
	}
}

bool
plan_firm(const struct vendor_decision *vd)
{
	for (int g = 0; vd->planned && g < GATE_N; g++)
		if (vd->planned->gates[g].state == STATE_ASK)
			return false;
	return vd->planned && vd->planned_sure != SURENESS_OPEN;
}

/* Vendors whose card can be ordered now, and those that wait for answers. */
static void
put_firm(const struct outcome *o, struct node *plan)
{
	struct arena *a = o->d.a;
	struct node *firm = node_list(a, plan, "firm");
	struct node *waiting = node_list(a, plan, "waiting");

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		struct node *n;

		if (!vd->planned)
			continue;
		n = node_item(a, plan_firm(vd) ? firm : waiting);
		node_text(a, n, "id", vd->vendor->id);
		put_name(o, n, vd->vendor);
	}
}

/* The card that goes furthest for a vendor nothing serves. */
static void
put_closest(struct arena *a, struct node *in, const struct fit *f)
{
	struct node *n;

	if (!f)
		return;
	n = node_group(a, in, "closest");
	node_text(a, n, "gpu", f->gpu->id);
	node_text(a, n, "name", f->gpu->name);
	node_text(a, n, "gate", blocking_gate(f));
	node_number(a, n, "n_failing", f->n_failing, UNIT_COUNT);
}

void
outcome_plan(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	struct node *list = node_list(a, n, "pools");

	for (int i = 0; i < plan->n_pools; i++)
		put_pool(o, node_item(a, list), &plan->pools[i]);
	put_plan_totals(o, n);
	outcome_ways(o, n);
	put_at_risk(o, node_list(a, n, "at_risk"));
	put_late(o, node_list(a, n, "late"));
	put_rule(o, node_group(a, n, "rule"));
	put_firm(o, n);
	put_conflicts(o, node_list(a, n, "driver_conflicts"), true);
	put_conflicts(o, node_list(a, n, "driver_questions"), false);
	put_single(o, node_group(a, n, "single"));
	list = node_list(a, n, "unserved");
	for (int i = 0; i < plan->n_unserved; i++) {
		struct node *item = node_item(a, list);

		node_text(a, item, "id", plan->unserved[i]->vendor->id);
		put_name(o, item, plan->unserved[i]->vendor);
		node_text(a, item, "gate", unserved_gate(plan->unserved[i]));
		put_closest(a, item, plan->unserved[i]->nearest);
	}
}
