/*
 * Who may use which card, what a card costs, and who shares.
 *
 * Every vendor may be put on the cards of its best rank only (state, then
 * service class, as in decide/decide.h), so that an old card is bought for
 * nobody who has another way, and on the card it asked for if that serves.
 *
 * Vendors stand in the order of their ids and cards in that of theirs, and
 * numbers keep eleven digits: neither the order of files nor the unit that a
 * figure was written in changes the plan.
 */
#include "decide/plan_choice.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* One model of card less is worth so many times the size of all cards. */
#define KIND_WORTH 2.0

/* Nodes of all search trees of one plan: fewer where a node takes longer,
 * which it does with the places that a vendor may have. */
enum { MAX_NODES = 2000, MIN_NODES = 20, NODES_BY_PLACES = 60000 };

const struct fit *
planner_fit(const struct planner *p, int s, int fit)
{
	return &p->served[s]->fits[fit];
}

static const struct gpu *
gpu_at(const struct planner *p, int fit)
{
	return p->dec->vendors[0].fits[fit].gpu;
}

static bool
usable(const struct planner *p, int s, int fit)
{
	return p->usable[(size_t)s * p->n_fits + fit];
}

/* ---- who can go where */

/* A consumer board whose licence has to be asked about comes after boards
 * for servers, old ones too. */
static int
rank_of(const struct planner *p, const struct fit *f)
{
	int rank = service_class(p->d, f->gpu);

	if (rank == 1 && f->gates[GATE_LICENCE].state == STATE_ASK)
		rank = 3;
	return f->state * 8 + rank;
}

/* Cards of the best rank; and the card asked for if it serves at all, so
 * that a freer choice never makes the plan larger. */
static bool
may_use(const struct planner *p, const struct vendor_decision *vd,
    const struct fit *f, int best)
{
	if (!choosable(p->d, f) || !rated(vd, f))
		return false;
	return rank_of(p, f) == best || (vd->judged && f == vd->judged);
}

static int
best_rank(const struct planner *p, const struct vendor_decision *vd)
{
	int best = 1000;

	for (int c = 0; c < p->n_fits; c++)
		if (choosable(p->d, &vd->fits[c]) && rated(vd, &vd->fits[c]) &&
		    rank_of(p, &vd->fits[c]) < best)
			best = rank_of(p, &vd->fits[c]);
	return best;
}

static int
by_id(const void *a, const void *b)
{
	const struct vendor_decision *x =
	    *(const struct vendor_decision *const *)a;
	const struct vendor_decision *y =
	    *(const struct vendor_decision *const *)b;
	int c = strcmp(x->vendor->id, y->vendor->id);

	return c ? c : (x > y) - (x < y);
}

static void
find_usable(struct planner *p)
{
	for (int i = 0; i < p->dec->n_vendors; i++)
		if (best_rank(p, &p->dec->vendors[i]) < 1000)
			p->served[p->n_served++] = &p->dec->vendors[i];
	qsort(p->served, p->n_served, sizeof(*p->served), by_id);
	for (int s = 0; s < p->n_served; s++)
		for (int c = 0, best = best_rank(p, p->served[s]);
		     c < p->n_fits; c++)
			p->usable[(size_t)s * p->n_fits + c] = may_use(p,
			    p->served[s], &p->served[s]->fits[c], best);
}

static bool
anybody(const struct planner *p, int fit)
{
	for (int s = 0; s < p->n_served; s++)
		if (usable(p, s, fit))
			return true;
	return false;
}

/* ---- what a card costs */

bool
planner_price(const struct decider *d, enum plan_measure m, const struct gpu *g,
    double *amount, const char **currency)
{
	for (int i = 0; i < d->p->n_prices; i++)
		if (d->p->prices[i].gpu == g) {
			*amount = d->p->prices[i].amount;
			*currency = d->p->prices[i].currency;
			return true;
		}
	if (m != PLAN_BY_LIST || !g->price_usd.known)
		return false;
	*amount = g->price_usd.value;
	*currency = "USD";
	return true;
}

/* Infinite when the card has no cost in this measure. */
static double
unit_cost(const struct planner *p, int fit)
{
	const struct gpu *g = gpu_at(p, fit);
	const char *currency;
	double amount;

	if (p->measure == PLAN_BY_SIZE)
		return card_size(g);
	return planner_price(p->d, p->measure, g, &amount, &currency)
		   ? amount
		   : INFINITY;
}

/* Every vendor can be served by cards that have a cost; with `all`, every
 * card in question has one. */
static bool
measurable(const struct planner *p, bool all)
{
	for (int s = 0; s < p->n_served; s++) {
		bool any = false;

		for (int c = 0; c < p->n_fits; c++) {
			bool has = isfinite(unit_cost(p, c));

			if (!usable(p, s, c))
				continue;
			any |= has;
			if (all && !has)
				return false;
		}
		if (!any)
			return false;
	}
	return true;
}

/* List prices decide only where every card in question has one: a comparison
 * that leaves out the cards without would not be one. */
static void
choose_measure(struct planner *p)
{
	p->measure = PLAN_BY_PRICE;
	if (p->d->p->n_prices > 0 && measurable(p, false))
		return;
	p->measure = PLAN_BY_LIST;
	if (p->d->p->n_prices == 0 && measurable(p, true))
		return;
	p->measure = PLAN_BY_SIZE;
}

/* ---- the problem */

static double
tidy(double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.10e", v);
	return strtod(text, NULL);
}

static double
share_at(const struct fit *f, int r, enum end end)
{
	if (r == RES_COMPUTE && end != END_MIDDLE)
		return end == END_LOW ? f->compute_low : f->compute_high;
	return f->share_by[r];
}

struct plan_use
planner_use(const struct planner *p, int s, int fit, enum end end)
{
	const struct fit *f = planner_fit(p, s, fit);
	struct plan_use u = {.usable = usable(p, s, fit),
	    .cards = fit_cards_at(f, p->served[s]->vendor, end)};

	u.shares = p->d->p->policy.share && f->sized && f->usable.known &&
		   f->usable.value > 0;
	if (!u.shares)
		return u;
	for (int r = 0; r < RES_N; r++)
		u.share[r] = tidy(share_at(f, r, end));
	u.memory = tidy(f->memory.total.value / f->usable.value);
	return u;
}

double
planner_pool(const struct planner *p, uint64_t in, int fit, enum end end,
    bool share)
{
	struct plan_use use[PLAN_VENDORS];
	const struct plan_use *u[PLAN_VENDORS];
	uint64_t apart[PLAN_VENDORS];
	int at[PLAN_VENDORS], n = 0;

	for (int s = 0; s < p->n_served; s++) {
		if (!(in >> s & 1))
			continue;
		use[n] = planner_use(p, s, fit, end);
		use[n].shares &= share;
		u[n] = &use[n];
		at[n++] = s;
	}
	for (int i = 0; i < n; i++) {
		apart[i] = 0;
		for (int j = 0; j < n; j++)
			if (p->problem.apart[at[i]] >> at[j] & 1)
				apart[i] |= (uint64_t)1 << j;
	}
	return pool_cards(u, n, apart, NULL);
}

/* Two that no one driver serves do not share a card. */
static void
set_apart(struct planner *p)
{
	for (int i = 0; i < p->n_served; i++)
		for (int j = 0; j < p->n_served; j++)
			if (i != j && (hosts_clash(p->served[i]->vendor,
					   p->served[j]->vendor) ||
					  hosts_clash(p->served[j]->vendor,
					      p->served[i]->vendor)))
				p->problem.apart[i] |= (uint64_t)1 << j;
}

static int
own_cards(const struct project *p, const struct gpu *g)
{
	int n = 0;

	for (int i = 0; p->policy.use_inventory && i < p->n_inventories; i++)
		for (int j = 0; j < p->inventories[i].n_devices; j++)
			n += p->inventories[i].devices[j].healthy &&
			     p->inventories[i].devices[j].gpu == g;
	return n;
}

/* All cards somebody may use, in the order of ids. */
static int
list_cards(const struct planner *p, int *list)
{
	int n = 0;

	for (int c = 0; c < p->n_fits; c++) {
		int at = n;

		if (!anybody(p, c))
			continue;
		while (at > 0 && strcmp(gpu_at(p, list[at - 1])->id,
				     gpu_at(p, c)->id) > 0) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = c;
		n++;
	}
	return n;
}

/* A card of unknown size, for who has no other, is dearer than any. */
static double
unit_or_dear(const struct planner *p, int fit)
{
	double unit = unit_cost(p, fit), most = 1;

	for (int c = 0; c < p->n_fits && !isfinite(unit); c++)
		if (anybody(p, c) && isfinite(unit_cost(p, c)))
			most = fmax(most, unit_cost(p, c));
	return isfinite(unit) ? unit : 10 * most;
}

static void
fill_problem(struct planner *p, struct plan_problem *q, const int *list, int n)
{
	q->n_vendors = p->n_served;
	q->n_cards = n;
	q->cards = arena_alloc(p->d->a, n + 1, sizeof(*q->cards));
	q->uses =
	    arena_alloc(p->d->a, (size_t)n * p->n_served + 1, sizeof(*q->uses));
	for (int c = 0; c < n; c++) {
		const struct gpu *g = gpu_at(p, list[c]);

		q->cards[c] =
		    (struct plan_card){.unit = tidy(unit_or_dear(p, list[c])),
			.watts = g->power_w.known ? g->power_w.value : 0,
			.slots = card_slots(g),
			.own = own_cards(p->d->p, g)};
		for (int s = 0; s < p->n_served; s++)
			q->uses[(size_t)s * n + c] =
			    planner_use(p, s, list[c], END_MIDDLE);
	}
}

static int
serves(const struct planner *p, int fit)
{
	int n = 0;

	for (int s = 0; s < p->n_served; s++)
		n += usable(p, s, fit);
	return n;
}

/* The card on which the vendor alone costs least. */
static int
best_alone(const struct plan_problem *all, int s)
{
	int best = -1;
	double least = INFINITY;

	for (int c = 0; c < all->n_cards; c++) {
		const struct plan_use *u = plan_use(all, s, c);
		double cost = u->cards * all->cards[c].unit;

		if (!u->usable || (best >= 0 && cost >= least))
			continue;
		best = c;
		least = cost;
	}
	return best;
}

/* Where even the reduced list is too long, the best of each vendor stay, and
 * those that serve most. */
static void
keep_cards(struct planner *p, const struct plan_problem *all, const int *list,
    const bool *dropped)
{
	bool *keep = arena_alloc(p->d->a, all->n_cards + 1, sizeof(*keep));
	int kept = 0;

	for (int s = 0; s < p->n_served; s++) {
		int c = best_alone(all, s);

		kept += !keep[c];
		keep[c] = true;
	}
	for (int want = p->n_served; want > 0; want--)
		for (int c = 0; c < all->n_cards; c++) {
			if (dropped[c] || keep[c] || serves(p, list[c]) != want)
				continue;
			p->capped |= kept == PLAN_CARDS;
			if (kept == PLAN_CARDS)
				continue;
			keep[c] = true;
			kept++;
		}
	for (int c = 0; c < all->n_cards; c++)
		if (keep[c])
			p->card[p->problem.n_cards++] = list[c];
}

/* A card of unknown size or price is a way out only for who has no other. */
static void
drop_unmeasured(struct planner *p)
{
	for (int s = 0; s < p->n_served; s++) {
		bool any = false;

		for (int c = 0; c < p->n_fits; c++)
			any |= usable(p, s, c) && isfinite(unit_cost(p, c));
		for (int c = 0; c < p->n_fits; c++)
			if (any && !isfinite(unit_cost(p, c)))
				p->usable[(size_t)s * p->n_fits + c] = 0;
	}
}

bool
planner_init(struct planner *p, const struct decider *d,
    const struct decision *dec)
{
	struct plan_problem all = {.spare = d->p->policy.spare_per_pool,
	    .want_next = PLAN_NEXT};
	int *list;
	bool *dropped;

	*p = (struct planner){.d = d, .dec = dec};
	if (dec->n_vendors == 0 || dec->vendors[0].n_fits == 0)
		return false;
	p->n_fits = dec->vendors[0].n_fits;
	p->served = arena_alloc(d->a, dec->n_vendors, sizeof(*p->served));
	p->usable = arena_alloc(d->a, (size_t)dec->n_vendors * p->n_fits, 1);
	find_usable(p);
	assert(p->n_served <= PLAN_VENDORS);
	if (p->n_served == 0)
		return false;
	choose_measure(p);
	drop_unmeasured(p);
	all.kind_worth = p->measure == PLAN_BY_SIZE ? KIND_WORTH : 1;
	site_limits(d->p, &all.max_slots, &all.max_watts);
	p->problem = all;
	set_apart(p);
	list = arena_alloc(d->a, p->n_fits, sizeof(*list));
	dropped = arena_alloc(d->a, p->n_fits, sizeof(*dropped));
	p->considered = list_cards(p, list);
	fill_problem(p, &all, list, p->considered);
	plan_reduce(&all, dropped);
	keep_cards(p, &all, list, dropped);
	fill_problem(p, &p->problem, p->card, p->problem.n_cards);
	p->problem.max_nodes =
	    NODES_BY_PLACES / (p->problem.n_cards * p->problem.n_vendors);
	if (p->problem.max_nodes > MAX_NODES)
		p->problem.max_nodes = MAX_NODES;
	if (p->problem.max_nodes < MIN_NODES)
		p->problem.max_nodes = MIN_NODES;
	return true;
}

/* ---- cards for one vendor alone: as sized, else as many as it asked for */

double
fit_cards_at(const struct fit *f, const struct vendor *v, enum end end)
{
	if (f->sized)
		return end == END_LOW    ? f->cards_low
		       : end == END_HIGH ? f->cards_high
					 : f->cards;
	return v->request.count.known ? fmax(1, v->request.count.value) : 1;
}

double
fit_cards(const struct fit *f, const struct vendor *v)
{
	return fit_cards_at(f, v, END_MIDDLE);
}
