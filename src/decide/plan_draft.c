/*
 * One way to buy: what it costs, and a good one to begin with.
 */
#include <math.h>
#include <string.h>

#include "decide/plan_parts.h"

/* Differences below this share are rounding. */
#define SAME 1e-9

uint64_t
draft_members(const struct plan_problem *p, const struct plan_draft *t,
    int card)
{
	uint64_t in = 0;

	for (int s = 0; s < p->n_vendors; s++)
		if (t->card_of[s] == card)
			in |= (uint64_t)1 << s;
	return in;
}

/* The uses of some vendors of one card, and who of them keeps apart. */
struct pool_uses {
	const struct plan_use *u[PLAN_VENDORS];
	uint64_t apart[PLAN_VENDORS];
	int n;
};

static void
uses_of(const struct plan_problem *p, int card, uint64_t vendors,
    struct pool_uses *in)
{
	int at[PLAN_VENDORS];

	in->n = 0;
	for (int s = 0; s < p->n_vendors; s++)
		if (vendors >> s & 1) {
			at[in->n] = s;
			in->u[in->n++] = plan_use(p, s, card);
		}
	for (int i = 0; i < in->n; i++) {
		in->apart[i] = 0;
		for (int j = 0; j < in->n; j++)
			if (p->apart[at[i]] >> at[j] & 1)
				in->apart[i] |= (uint64_t)1 << j;
	}
}

double
draft_pool(const struct plan_problem *p, int card, uint64_t vendors,
    double *lower)
{
	struct pool_uses in;

	uses_of(p, card, vendors, &in);
	return pool_cards(in.u, in.n, in.apart, lower);
}

/* The cards of one model from the vendors on it. */
static void
count_pool(const struct plan_problem *p, struct plan_draft *t, int card)
{
	uint64_t in = draft_members(p, t, card);

	t->cards[card] = in ? (int)fmin(draft_pool(p, card, in, NULL), 1e6) : 0;
}

static void
add_pool(const struct plan_problem *p, struct plan_draft *t, int card)
{
	const struct plan_card *c = &p->cards[card];
	int all = t->cards[card] + p->spare;

	t->bought[card] = 0;
	if (t->cards[card] == 0)
		return;
	t->bought[card] = all > c->own ? all - c->own : 0;
	t->kinds |= (uint64_t)1 << card;
	t->n_kinds++;
	t->cost += c->unit * t->bought[card];
	t->slots += c->slots * all;
	t->watts += c->watts * all;
}

/* Everything else from the cards of all models. */
static void
sum_up(const struct plan_problem *p, struct plan_draft *t)
{
	t->kinds = 0;
	t->n_kinds = 0;
	t->cost = t->slots = t->watts = 0;
	for (int c = 0; c < p->n_cards; c++)
		add_pool(p, t, c);
	t->worth = t->cost;
	for (int k = 1; k < t->n_kinds; k++)
		t->worth *= p->kind_worth;
	t->fine = t->slots <= p->max_slots * (1 + SAME) &&
		  t->watts <= p->max_watts * (1 + SAME);
}

void
draft_cost(const struct plan_problem *p, struct plan_draft *t)
{
	t->fine = false;
	for (int s = 0; s < p->n_vendors; s++)
		if (t->card_of[s] < 0)
			return;
	for (int c = 0; c < p->n_cards; c++)
		count_pool(p, t, c);
	sum_up(p, t);
}

void
draft_polish(const struct plan_problem *p, struct plan_draft *t)
{
	for (int c = 0; c < p->n_cards && t->fine; c++) {
		struct pool_uses in;

		if (t->cards[c] == 0)
			continue;
		uses_of(p, c, draft_members(p, t, c), &in);
		t->cards[c] = (int)fmin(t->cards[c],
		    pool_cards_hard(in.u, in.n, in.apart));
	}
	if (t->fine)
		sum_up(p, t);
}

static int
less(double a, double b)
{
	if (fabs(a - b) <= SAME * fmax(fabs(a), fabs(b)))
		return 0;
	return a < b ? -1 : 1;
}

int
draft_compare(const struct plan_draft *x, const struct plan_draft *y)
{
	int c;

	if (!x->fine || !y->fine)
		return x->fine ? -1 : y->fine;
	c = less(x->worth, y->worth);
	if (c == 0)
		c = less(x->watts, y->watts);
	if (c == 0)
		c = x->n_kinds - y->n_kinds;
	for (int s = 0; c == 0 && s < PLAN_VENDORS; s++)
		c = x->card_of[s] - y->card_of[s];
	return c;
}

bool
draft_barred(const struct plan_draft *t, const struct plan_barred * not )
{
	for (int i = 0; i < not ->n; i++)
		if (t->kinds == not ->kinds[i])
			return true;
	return false;
}

static bool
better(const struct plan_draft *x, const struct plan_draft *y,
    const struct plan_barred * not )
{
	return !draft_barred(x, not ) && draft_compare(x, y) < 0;
}

static bool
improve_once(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *t)
{
	bool any = false;

	for (int s = 0; s < p->n_vendors; s++)
		for (int c = 0; c < p->n_cards; c++) {
			struct plan_draft moved = *t;

			if (c == t->card_of[s] || !plan_use(p, s, c)->usable)
				continue;
			moved.card_of[s] = c;
			count_pool(p, &moved, t->card_of[s]);
			count_pool(p, &moved, c);
			sum_up(p, &moved);
			if (!better(&moved, t, not ))
				continue;
			*t = moved;
			any = true;
		}
	return any;
}

void
draft_improve(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *t)
{
	for (int pass = 0; pass < 8 && t->fine; pass++)
		if (!improve_once(p, not, t))
			return;
}

/* What the vendor adds to a pool, roundings aside. */
static double
share_cost(const struct plan_problem *p, int s, int c)
{
	const struct plan_use *u = plan_use(p, s, c);
	double most = 0;

	if (!u->usable)
		return INFINITY;
	for (int r = 0; r < RES_N && u->shares; r++)
		most = fmax(most, u->share[r]);
	return (u->shares ? most : u->cards) * p->cards[c].unit;
}

/* Each vendor on the cheapest of a set of models, as bits; false when one
 * has no place there. */
static bool
place_all(const struct plan_problem *p, uint64_t set, struct plan_draft *t)
{
	memset(t, 0, sizeof(*t));
	for (int s = 0; s < p->n_vendors; s++) {
		double least = INFINITY;

		t->card_of[s] = -1;
		for (int c = 0; c < p->n_cards; c++) {
			double cost =
			    set >> c & 1 ? share_cost(p, s, c) : INFINITY;

			if (cost >= least)
				continue;
			least = cost;
			t->card_of[s] = c;
		}
		if (t->card_of[s] < 0)
			return false;
	}
	return true;
}

/* A model that nobody takes gets the vendor it suits best: the set is to be
 * tried as it is. */
static void
use_card(const struct plan_problem *p, int card, struct plan_draft *t)
{
	double least = INFINITY;
	int who = -1;

	for (int s = 0; s < p->n_vendors; s++) {
		double more;

		if (t->card_of[s] == card)
			return;
		more = share_cost(p, s, card) - share_cost(p, s, t->card_of[s]);
		if (more >= least ||
		    !(draft_members(p, t, t->card_of[s]) & ~((uint64_t)1 << s)))
			continue;
		least = more;
		who = s;
	}
	if (who >= 0)
		t->card_of[who] = card;
}

static bool
try_set(const struct plan_problem *p, uint64_t set,
    const struct plan_barred * not, struct plan_draft *best)
{
	struct plan_draft t;

	if (!place_all(p, set, &t))
		return false;
	for (int c = 0; c < p->n_cards && not ->n > 0; c++)
		if (set >> c & 1)
			use_card(p, c, &t);
	draft_cost(p, &t);
	if (!better(&t, best, not ))
		return false;
	*best = t;
	return true;
}

/* One model more, less or another than in the set `from`. */
static bool
try_around(const struct plan_problem *p, uint64_t from,
    const struct plan_barred * not, struct plan_draft *best)
{
	bool any = false;

	for (int c = 0; c < p->n_cards; c++) {
		uint64_t one = (uint64_t)1 << c;

		any |= try_set(p, from ^ one, not, best);
		for (int k = 0; k < p->n_cards && !(from & one); k++)
			if (from >> k & 1)
				any |= try_set(p,
				    (from | one) & ~((uint64_t)1 << k), not,
				    best);
	}
	return any;
}

/* As long as it gains, then single vendors. */
static void
vary(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *best)
{
	for (int pass = 0; best->fine && pass < 20; pass++)
		if (!try_around(p, best->kinds, not, best))
			break;
	draft_improve(p, not, best);
}

void
draft_start(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *best)
{
	uint64_t all =
	    p->n_cards < 64 ? ((uint64_t)1 << p->n_cards) - 1 : UINT64_MAX;
	struct plan_draft each;

	memset(best, 0, sizeof(*best));
	for (int a = 0; a < p->n_cards; a++)
		for (int b = a; b < p->n_cards; b++)
			try_set(p, (uint64_t)1 << a | (uint64_t)1 << b, not,
			    best);
	for (int i = 0; i < not ->n; i++)
		try_around(p, not ->kinds[i], not, best);
	vary(p, not, best);
	memset(&each, 0, sizeof(each));
	try_set(p, all, not, &each);
	vary(p, not, &each);
	if (draft_compare(&each, best) < 0)
		*best = each;
}
