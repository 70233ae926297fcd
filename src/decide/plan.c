/*
 * What to buy for all: pools of one card model each.
 *
 * Who may use which card is decided in plan_choice.c.  Among these choices
 * the purchase with the least worth is searched (plan_search.c):
 *
 *	price	the project has prices enough to serve everybody: their sum,
 *		and only cards with a price are bought;
 *	list	every card in question has a published list price: their sum;
 *	size	else: the size of all cards (decide/decide.h), where one model
 *		less outweighs twice the size (spares, stock, test).
 *
 * Vendors share cards only when the policy says so; then a pool adds up their
 * shares, and only those whose memory fits side by side share, and whose
 * drivers can stand in one machine.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "decide/plan_choice.h"

static const char *const measure_ids[] = {
    [PLAN_BY_PRICE] = "price",
    [PLAN_BY_LIST] = "list",
    [PLAN_BY_SIZE] = "size",
};

const char *
plan_measure_id(enum plan_measure m)
{
	return measure_ids[m];
}

static const struct gpu *
gpu_of(const struct planner *p, int fit)
{
	return p->dec->vendors[0].fits[fit].gpu;
}

/* ---- a draft as a way to buy */

/* The served vendors of `in`, in the order of the project. */
static const struct vendor_decision **
members_of(const struct planner *p, uint64_t in, int *n)
{
	const struct vendor_decision **list =
	    arena_alloc(p->d->a, p->n_served + 1, sizeof(*list));

	*n = 0;
	for (int i = 0; i < p->dec->n_vendors; i++)
		for (int s = 0; s < p->n_served; s++)
			if (in >> s & 1 && p->served[s] == &p->dec->vendors[i])
				list[(*n)++] = p->served[s];
	return list;
}

static void
way_add(const struct planner *p, struct plan_way *w, const struct gpu *g,
    uint64_t in, int cards, int buy)
{
	struct way_pool *pool =
	    arena_push(p->d->a, &w->pools, &w->n_pools, sizeof(*pool));
	int spare = p->d->p->policy.spare_per_pool, all = cards + spare;
	const char *currency;
	double amount;

	*pool = (struct way_pool){.gpu = g,
	    .cards = cards,
	    .spare = spare,
	    .buy = buy};
	pool->members = members_of(p, in, &pool->n_members);
	w->cards += all;
	w->buy += buy;
	w->power_w += g->power_w.known ? g->power_w.value * all : 0;
	if (!planner_price(p->d, p->measure, g, &amount, &currency)) {
		w->price.known = false;
		return;
	}
	w->currency = currency;
	w->price.value += amount * buy;
}

static int
by_members(const void *a, const void *b)
{
	const struct way_pool *x = a, *y = b;

	if (x->n_members != y->n_members)
		return y->n_members - x->n_members;
	return x->cards != y->cards ? y->cards - x->cards
				    : strcmp(x->gpu->id, y->gpu->id);
}

/* An empty way whose price is 0 until a card without one is added. */
static struct plan_way
way_begin(void)
{
	return (struct plan_way){.price = fact_of(0, SURE_ONE, "project")};
}

static struct plan_way
way_of(const struct planner *p, const struct plan_draft *t, bool proven)
{
	struct plan_way w = way_begin();

	for (int c = 0; c < p->problem.n_cards; c++)
		if (t->kinds >> c & 1)
			way_add(p, &w, gpu_of(p, p->card[c]),
			    draft_members(&p->problem, t, c), t->cards[c],
			    t->bought[c]);
	qsort(w.pools, w.n_pools, sizeof(*w.pools), by_members);
	w.worth = t->worth;
	w.proven = proven && !p->capped;
	return w;
}

/* ---- the plan */

static uint64_t
bits_of(const struct planner *p, const struct way_pool *w)
{
	uint64_t in = 0;

	for (int i = 0; i < w->n_members; i++)
		for (int s = 0; s < p->n_served; s++)
			if (p->served[s] == w->members[i])
				in |= (uint64_t)1 << s;
	return in;
}

static int
fit_of(const struct planner *p, const struct gpu *g)
{
	for (int c = 0; c < p->n_fits; c++)
		if (gpu_of(p, c) == g)
			return c;
	return -1;
}

static void
add_pool(const struct planner *p, struct decision *dec,
    const struct way_pool *w)
{
	struct plan *plan = &dec->plan;
	struct pool *pool =
	    arena_push(p->d->a, &plan->pools, &plan->n_pools, sizeof(*pool));
	uint64_t in = bits_of(p, w);
	int fit = fit_of(p, w->gpu);

	pool->gpu = w->gpu;
	pool->spare = w->spare;
	pool->cards = w->cards;
	pool->buy = w->buy;
	pool->cards_low =
	    (int)fmin(planner_pool(p, in, fit, END_LOW, true), pool->cards);
	pool->cards_high = (int)fmin(fmax(pool->cards, planner_pool(p, in, fit,
							   END_HIGH, true)),
	    1e9);
	pool->cards_alone = planner_pool(p, in, fit, END_MIDDLE, false);
	pool->shared = pool->cards < pool->cards_alone;
	pool->members = w->members;
	pool->n_members = w->n_members;
	pool->member_cards = arena_alloc(p->d->a, w->n_members, sizeof(double));
	for (int i = 0; i < w->n_members; i++) {
		const struct vendor_decision *vd = w->members[i];

		pool->member_cards[i] = fit_cards(&vd->fits[fit], vd->vendor);
		dec->vendors[vd - dec->vendors].planned = &vd->fits[fit];
	}
}

static void
list_unserved(const struct decider *d, struct decision *dec)
{
	struct plan *plan = &dec->plan;

	plan->unserved =
	    arena_alloc(d->a, dec->n_vendors + 1, sizeof(*plan->unserved));
	for (int i = 0; i < dec->n_vendors; i++)
		if (!dec->vendors[i].planned)
			plan->unserved[plan->n_unserved++] = &dec->vendors[i];
}

/* The aged card of the plan with the least power that serves the vendor as
 * well as its own. */
static const struct fit *
aged_instead(const struct decider *d, const struct plan *plan,
    const struct vendor_decision *vd)
{
	const struct fit *best = NULL;

	if (service_class(d, vd->planned->gpu) >= 2)
		return NULL;
	for (int i = 0; i < plan->n_pools; i++) {
		const struct gpu *g = plan->pools[i].gpu;
		const struct fit *f = fit_find(vd, g);

		if (service_class(d, g) < 2 || !choosable(d, f) ||
		    !rated(vd, f) || f->state > vd->planned->state)
			continue;
		if (!best || fit_power(f) < fit_power(best))
			best = f;
	}
	return best;
}

static void
list_moved(const struct decider *d, struct decision *dec)
{
	struct plan *plan = &dec->plan;

	for (int i = 0; i < dec->n_vendors; i++) {
		const struct vendor_decision *vd = &dec->vendors[i];
		const struct fit *f =
		    vd->planned ? aged_instead(d, plan, vd) : NULL;

		if (f)
			*(struct moved *)arena_push(d->a, &plan->moved,
			    &plan->n_moved, sizeof(struct moved)) =
			    (struct moved){vd, f};
	}
}

/* ---- one model for all */

/* Those of the served that the card does not fail, as bits. */
static uint64_t
served_by(const struct planner *p, int fit)
{
	uint64_t in = 0;

	for (int s = 0; s < p->n_served; s++)
		if (choosable(p->d, planner_fit(p, s, fit)))
			in |= (uint64_t)1 << s;
	return in;
}

static int
count(uint64_t in)
{
	int n = 0;

	for (; in; in &= in - 1)
		n++;
	return n;
}

/*
 * Any card that fails for nobody, old ones included, so that the report can
 * say what stands against it.  Best class first, then least size.
 */
static void
find_single(const struct planner *p, struct plan *plan)
{
	int most = 0, best = -1, best_rank = 0;
	double best_size = 0;

	for (int c = 0; c < p->n_fits; c++) {
		const struct gpu *g = gpu_of(p, c);
		uint64_t in = served_by(p, c);
		int n = count(in), rank = service_class(p->d, g);
		double size;

		if (n == 0 || n < most || (n == most && rank > best_rank))
			continue;
		size = planner_pool(p, in, c, END_MIDDLE, true) *
		       fmin(card_size(g), 1e18);
		if (n == most && rank == best_rank && size >= best_size)
			continue;
		most = n;
		best = c;
		best_rank = rank;
		best_size = size;
	}
	if (best < 0)
		return;
	plan->single_near = gpu_of(p, best);
	if (most < p->n_served)
		return;
	plan->single = plan->single_near;
	plan->single_way = way_begin();
	way_add(p, &plan->single_way, plan->single, served_by(p, best),
	    (int)fmin(planner_pool(p, served_by(p, best), best, END_MIDDLE,
			  true),
		1e9),
	    0);
	plan->single_cards = plan->single_way.cards;
	if (p->measure == PLAN_BY_SIZE)
		plan->single_way.worth =
		    card_size(plan->single) * plan->single_cards;
}

/* ---- search */

/* A limit that nothing keeps is left out, and reported by plan_hosts. */
static void
search(struct planner *p, struct plan_answer *r)
{
	plan_solve(&p->problem, r);
	if (r->best.fine)
		return;
	p->problem.max_slots = p->problem.max_watts = INFINITY;
	plan_solve(&p->problem, r);
}

bool
plan_best(const struct decider *d, const struct decision *dec,
    struct plan_way *way)
{
	struct plan_answer r;
	struct planner p;

	if (!planner_init(&p, d, dec))
		return false;
	p.problem.want_next = 0;
	p.problem.max_nodes = p.problem.max_nodes / 4 + 1;
	search(&p, &r);
	*way = way_of(&p, &r.best, r.proven);
	return r.best.fine;
}

static void
adopt(const struct planner *p, const struct plan_answer *r,
    struct decision *dec)
{
	struct plan *plan = &dec->plan;

	plan->measure = p->measure;
	plan->considered = p->considered;
	plan->inventory_used = p->d->p->policy.use_inventory;
	plan->way = way_of(p, &r->best, r->proven);
	plan->proven = plan->way.proven;
	plan->capped = p->capped;
	if (!plan->proven && !p->capped && r->best.worth > 0)
		plan->gap = fmax(0, 1 - r->bound / r->best.worth);
	for (int i = 0; i < r->n_next; i++)
		plan->next[plan->n_next++] =
		    way_of(p, &r->next[i], r->next_proven[i]);
	for (int i = 0; i < plan->way.n_pools; i++)
		add_pool(p, dec, &plan->way.pools[i]);
}

void
plan_make(const struct decider *d, struct decision *dec)
{
	struct plan_answer r;
	struct planner p;

	if (planner_init(&p, d, dec)) {
		search(&p, &r);
		adopt(&p, &r, dec);
		list_moved(d, dec);
		find_single(&p, &dec->plan);
	}
	list_unserved(d, dec);
}
