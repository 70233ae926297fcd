/*
 * What to buy for all: pools of one card model each.
 *
 * Every vendor may be put on the cards of its best rank only (state, then
 * service class, as in decide/decide.h), so that an old card is bought for
 * nobody who has another way, and on the card it asked for if that serves.
 * Sets of one, two and three models are enumerated exactly over the cards no
 * other card beats; a set serves each vendor on its least costly member.
 * Chosen is the set with the least total price when the project has a price
 * for everything it needs, else the one with the least size, where one model
 * less outweighs twice the size (spares, stock, test).  Projects that need
 * more than three models get the rest one at a time, the model that serves
 * most first.
 *
 * Vendors share cards only when the policy says so; then a pool adds up their
 * shares, and only those whose memory fits side by side share.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

/* One model of card less is worth so many times the size of all cards. */
#define KIND_WORTH 2.0

enum { MAX_CANDIDATES = 64, MAX_KINDS = 16 };

struct planner {
	const struct decider *d;
	struct decision *dec;
	int n_cards;           /* fits of each vendor, same order */
	int n_served;          /* vendors with a card that does not fail */
	int *served;           /* their indices */
	unsigned char *usable; /* [served][card] */
	bool priced;           /* cost is money, else size */
	int cand[MAX_CANDIDATES];
	int n_cand;
};

static const struct fit *
fit_at(const struct planner *p, int s, int card)
{
	return &p->dec->vendors[p->served[s]].fits[card];
}

static bool
usable(const struct planner *p, int s, int card)
{
	return p->usable[(size_t)s * p->n_cards + card];
}

static const struct gpu *
card_at(const struct planner *p, int card)
{
	return p->dec->vendors[0].fits[card].gpu;
}

static double
share_at(const struct fit *f, enum resource r, enum end end)
{
	if (r == RES_COMPUTE && end != END_MIDDLE)
		return end == END_LOW ? f->compute_low : f->compute_high;
	return f->share_by[r];
}

/* Cards for one vendor alone: as sized, else as many as it asked for. */
static double
member_cards_at(const struct fit *f, const struct vendor *v, enum end end)
{
	if (f->sized)
		return end == END_LOW    ? f->cards_low
		       : end == END_HIGH ? f->cards_high
					 : f->cards;
	return v->request.count.known ? fmax(1, v->request.count.value) : 1;
}

static double
member_cards(const struct fit *f, const struct vendor *v)
{
	return member_cards_at(f, v, END_MIDDLE);
}

double
fit_cards(const struct fit *f, const struct vendor *v)
{
	return member_cards(f, v);
}

static double
member_share(const struct fit *f, const struct vendor *v)
{
	return f->sized ? f->share : member_cards(f, v);
}

static bool
card_price(const struct decider *d, const struct gpu *g, double *amount)
{
	for (int i = 0; i < d->p->n_prices; i++)
		if (d->p->prices[i].gpu == g) {
			*amount = d->p->prices[i].amount;
			return true;
		}
	return false;
}

/* Cost of one card; infinite when it has none in this measure. */
static double
unit_cost(const struct planner *p, int card)
{
	const struct gpu *g = card_at(p, card);
	double amount;

	if (p->priced)
		return card_price(p->d, g, &amount) ? amount : INFINITY;
	return fmin(card_size(g), 1e18); /* unknown: dearer than any */
}

static double
member_cost(const struct planner *p, int s, int card)
{
	const struct fit *f = fit_at(p, s, card);
	const struct vendor *v = p->dec->vendors[p->served[s]].vendor;
	double n =
	    p->d->p->policy.share ? member_share(f, v) : member_cards(f, v);

	return n * unit_cost(p, card);
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

static void
find_usable(struct planner *p)
{
	for (int i = 0; i < p->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &p->dec->vendors[i];
		unsigned char *row =
		    p->usable + (size_t)p->n_served * p->n_cards;
		int best = 1000;

		for (int c = 0; c < p->n_cards; c++)
			if (choosable(p->d, &vd->fits[c]) &&
			    rated(vd, &vd->fits[c]) &&
			    rank_of(p, &vd->fits[c]) < best)
				best = rank_of(p, &vd->fits[c]);
		if (best == 1000)
			continue;
		for (int c = 0; c < p->n_cards; c++)
			row[c] = may_use(p, vd, &vd->fits[c], best);
		p->served[p->n_served++] = i;
	}
}

/* Money decides if every vendor can be served by cards with a price. */
static bool
all_priced(const struct planner *p)
{
	double amount;

	for (int s = 0; s < p->n_served; s++) {
		bool any = false;

		for (int c = 0; c < p->n_cards && !any; c++)
			any = usable(p, s, c) &&
			      card_price(p->d, card_at(p, c), &amount);
		if (!any)
			return false;
	}
	return p->n_served > 0;
}

static void
drop_unpriced(struct planner *p)
{
	double amount;

	for (int c = 0; c < p->n_cards; c++)
		if (!card_price(p->d, card_at(p, c), &amount))
			for (int s = 0; s < p->n_served; s++)
				p->usable[(size_t)s * p->n_cards + c] = 0;
}

/* ---- candidates */

/* Whether card `b` is at least as good as `a` for every vendor that could
 * use `a`, and better or earlier in the catalogue. */
static bool
beats(const struct planner *p, int b, int a)
{
	bool better = unit_cost(p, b) < unit_cost(p, a);
	const struct fit *fa = fit_at(p, 0, a), *fb = fit_at(p, 0, b);

	if (unit_cost(p, b) > unit_cost(p, a))
		return false;
	if (p->d->p->policy.share && fb->usable.value < fa->usable.value)
		return false;
	for (int s = 0; s < p->n_served; s++) {
		double ca, cb;

		if (!usable(p, s, a)) {
			better |= usable(p, s, b);
			continue;
		}
		if (!usable(p, s, b))
			return false;
		ca = member_cost(p, s, a);
		cb = member_cost(p, s, b);
		if (cb > ca)
			return false;
		better |= cb < ca;
	}
	return better || b < a;
}

static int
serves(const struct planner *p, int card)
{
	int n = 0;

	for (int s = 0; s < p->n_served; s++)
		n += usable(p, s, card);
	return n;
}

/* The unbeaten cards; if there are too many, those that serve most. */
static void
find_candidates(struct planner *p)
{
	for (int want = p->n_served; want > 0; want--)
		for (int c = 0; c < p->n_cards; c++) {
			bool beaten = false;

			if (serves(p, c) != want)
				continue;
			for (int b = 0; b < p->n_cards && !beaten; b++)
				beaten = b != c && serves(p, b) > 0 &&
					 beats(p, b, c);
			if (!beaten && p->n_cand < MAX_CANDIDATES)
				p->cand[p->n_cand++] = c;
		}
}

/* ---- one set of models */

struct set {
	int card[MAX_KINDS];
	int n;
	bool all;    /* serves every vendor */
	double cost; /* with spares */
};

/* Index in the set of the card that serves vendor `s` best; -1 if none. */
static int
place_of(const struct planner *p, const struct set *set, int s)
{
	int best = -1;

	for (int k = 0; k < set->n; k++)
		if (usable(p, s, set->card[k]) &&
		    (best < 0 || member_cost(p, s, set->card[k]) <
				     member_cost(p, s, set->card[best])))
			best = k;
	return best;
}

/* One group of vendors that share cards: one may fill the video engines and
 * another the processors of the same card. */
struct shared {
	double share[RES_N], bytes;
};

static double
group_cards(const struct shared *g)
{
	double most = 0;

	for (int r = 0; r < RES_N; r++)
		most = fmax(most, g->share[r]);
	return fmax(1, ceil(most - 1e-9 * fmax(1, most)));
}

/* Cards of one pool, spares not counted. */
static double
pool_cards_at(const struct planner *p, const struct set *set, int k, bool share,
    enum end end)
{
	struct shared group[MAX_CANDIDATES] = {{{0}, 0}};
	double cards = 0;
	int n = 0;

	for (int s = 0; s < p->n_served; s++) {
		const struct fit *f;
		const struct vendor *v;
		int g = 0;

		if (place_of(p, set, s) != k)
			continue;
		f = fit_at(p, s, set->card[k]);
		v = p->dec->vendors[p->served[s]].vendor;
		if (!share || !f->sized || !f->usable.known) {
			cards += member_cards_at(f, v, end);
			continue;
		}
		while (g < n &&
		       group[g].bytes + f->memory.total.value > f->usable.value)
			g++;
		if (g == MAX_CANDIDATES) {
			cards += member_cards_at(f, v, end);
			continue;
		}
		n += g == n;
		for (int r = 0; r < RES_N; r++)
			group[g].share[r] += share_at(f, r, end);
		group[g].bytes += f->memory.total.value;
	}
	for (int g = 0; g < n; g++)
		cards += group_cards(&group[g]);
	return cards;
}

static double
pool_cards(const struct planner *p, const struct set *set, int k)
{
	return pool_cards_at(p, set, k, p->d->p->policy.share, END_MIDDLE);
}

static void
price_set(const struct planner *p, struct set *set)
{
	int spare = p->d->p->policy.spare_per_pool;

	set->all = true;
	set->cost = 0;
	for (int s = 0; s < p->n_served; s++)
		set->all &= place_of(p, set, s) >= 0;
	for (int k = 0; k < set->n && set->all; k++) {
		double n = pool_cards(p, set, k);

		if (n == 0) { /* idle: a smaller set does the same */
			set->all = false;
			return;
		}
		n += spare;
		set->cost += n * unit_cost(p, set->card[k]);
	}
}

static bool
set_better(const struct planner *p, const struct set *a, const struct set *b)
{
	if (!b->all)
		return a->all;
	if (!a->all)
		return false;
	if (!p->priced && a->n != b->n)
		return a->cost * pow(KIND_WORTH, a->n) <
		       b->cost * pow(KIND_WORTH, b->n);
	if (a->cost != b->cost)
		return a->cost < b->cost;
	return a->n < b->n;
}

static void
consider(const struct planner *p, struct set *try, struct set *best)
{
	price_set(p, try);
	if (set_better(p, try, best))
		*best = *try;
}

static void
enumerate(const struct planner *p, struct set *best)
{
	const int *c = p->cand;

	for (int i = 0; i < p->n_cand; i++)
		consider(p, &(struct set){.card = {c[i]}, .n = 1}, best);
	for (int i = 0; i < p->n_cand; i++)
		for (int j = i + 1; j < p->n_cand; j++)
			consider(p, &(struct set){.card = {c[i], c[j]}, .n = 2},
			    best);
	for (int i = 0; i < p->n_cand; i++)
		for (int j = i + 1; j < p->n_cand; j++)
			for (int k = j + 1; k < p->n_cand; k++)
				consider(p,
				    &(struct set){.card = {c[i], c[j], c[k]},
					.n = 3},
				    best);
}

/* More than three models: add the card that serves most of the rest. */
static void
enumerate_greedily(const struct planner *p, struct set *best)
{
	struct set set = {.n = 0};

	while (set.n < MAX_KINDS) {
		int most = 0, pick = -1;

		for (int c = 0; c < p->n_cards; c++) {
			int n = 0;

			for (int s = 0; s < p->n_served; s++)
				n +=
				    usable(p, s, c) && place_of(p, &set, s) < 0;
			if (n > most ||
			    (n == most && n > 0 && pick >= 0 &&
				unit_cost(p, c) < unit_cost(p, pick))) {
				most = n;
				pick = c;
			}
		}
		if (pick < 0)
			break;
		set.card[set.n++] = pick;
	}
	price_set(p, &set);
	set.all = true; /* as many as MAX_KINDS models can */
	*best = set;
}

/* ---- the plan */

static void
add_pool(struct planner *p, const struct set *set, int k)
{
	struct arena *a = p->d->a;
	struct plan *plan = &p->dec->plan;
	struct pool *pool =
	    arena_push(a, &plan->pools, &plan->n_pools, sizeof(*pool));
	bool share = p->d->p->policy.share;

	pool->gpu = card_at(p, set->card[k]);
	pool->spare = p->d->p->policy.spare_per_pool;
	pool->cards = (int)fmin(pool_cards(p, set, k), 1e9);
	pool->cards_low =
	    (int)fmin(pool_cards_at(p, set, k, share, END_LOW), pool->cards);
	pool->cards_high = (int)fmin(fmax(pool->cards, pool_cards_at(p, set, k,
							   share, END_HIGH)),
	    1e9);
	pool->cards_alone = pool_cards_at(p, set, k, false, END_MIDDLE);
	pool->shared = pool->cards < pool->cards_alone;
	pool->members = arena_alloc(a, p->n_served, sizeof(*pool->members));
	pool->member_cards = arena_alloc(a, p->n_served, sizeof(double));
	for (int s = 0; s < p->n_served; s++) {
		struct vendor_decision *vd = &p->dec->vendors[p->served[s]];

		if (place_of(p, set, s) != k)
			continue;
		vd->planned = &vd->fits[set->card[k]];
		pool->members[pool->n_members] = vd;
		pool->member_cards[pool->n_members++] =
		    member_cards(vd->planned, vd->vendor);
	}
}

static void
list_unserved(struct planner *p)
{
	struct plan *plan = &p->dec->plan;

	plan->unserved = arena_alloc(p->d->a, p->dec->n_vendors + 1,
	    sizeof(*plan->unserved));
	for (int i = 0; i < p->dec->n_vendors; i++)
		if (!p->dec->vendors[i].planned)
			plan->unserved[plan->n_unserved++] =
			    &p->dec->vendors[i];
}

/* The aged card of the plan with the least power that serves the vendor as
 * well as its own. */
static const struct fit *
aged_instead(const struct planner *p, const struct vendor_decision *vd)
{
	const struct fit *best = NULL;

	if (service_class(p->d, vd->planned->gpu) >= 2)
		return NULL;
	for (int i = 0; i < p->dec->plan.n_pools; i++) {
		const struct gpu *g = p->dec->plan.pools[i].gpu;
		const struct fit *f = fit_find(vd, g);

		if (service_class(p->d, g) < 2 || !choosable(p->d, f) ||
		    !rated(vd, f) || f->state > vd->planned->state)
			continue;
		if (!best || fit_power(f) < fit_power(best))
			best = f;
	}
	return best;
}

static void
list_moved(struct planner *p)
{
	struct plan *plan = &p->dec->plan;

	for (int i = 0; i < p->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &p->dec->vendors[i];
		const struct fit *f = vd->planned ? aged_instead(p, vd) : NULL;
		struct moved *m;

		if (!f)
			continue;
		m = arena_push(p->d->a, &plan->moved, &plan->n_moved,
		    sizeof(*m));
		*m = (struct moved){vd, f};
	}
}

/*
 * One model for all: any card that fails for nobody, old ones included, so
 * that the report can say what stands against it.  Best class first, then
 * least size.
 */
static void
find_single(struct planner *p)
{
	struct plan *plan = &p->dec->plan;
	int most = 0, best_rank = 0;
	double best_cost = 0;

	for (int c = 0; c < p->n_cards; c++) {
		const struct gpu *g = card_at(p, c);
		int n = 0, rank = service_class(p->d, g);
		double cards = 0, cost;

		for (int s = 0; s < p->n_served; s++) {
			const struct fit *f = fit_at(p, s, c);

			if (!choosable(p->d, f))
				continue;
			n++;
			cards += member_cards(f,
			    p->dec->vendors[p->served[s]].vendor);
		}
		cost = cards * fmin(card_size(g), 1e18);
		if (n == 0 || n < most ||
		    (n == most && (rank > best_rank || (rank == best_rank &&
							   cost >= best_cost))))
			continue;
		most = n;
		best_rank = rank;
		best_cost = cost;
		plan->single_near = g;
		plan->single_cards =
		    (int)fmin(cards, 1e9) + p->d->p->policy.spare_per_pool;
	}
	if (most == p->n_served && most > 0)
		plan->single = plan->single_near;
	else
		plan->single_cards = 0;
}

void
plan_make(const struct decider *d, struct decision *dec)
{
	struct planner p = {.d = d, .dec = dec};
	struct set best = {.all = false};

	if (dec->n_vendors == 0 || dec->vendors[0].n_fits == 0)
		return;
	p.n_cards = dec->vendors[0].n_fits;
	p.served = arena_alloc(d->a, dec->n_vendors, sizeof(int));
	p.usable = arena_alloc(d->a, (size_t)dec->n_vendors * p.n_cards, 1);
	find_usable(&p);
	p.priced = all_priced(&p);
	if (p.priced)
		drop_unpriced(&p);
	if (p.n_served > 0) {
		find_candidates(&p);
		enumerate(&p, &best);
		if (!best.all)
			enumerate_greedily(&p, &best);
		for (int k = 0; k < best.n; k++)
			add_pool(&p, &best, k);
		list_moved(&p);
		find_single(&p);
	}
	list_unserved(&p);
}
