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

double
draft_pool(const struct plan_problem *p, int card, uint64_t vendors,
    double *lower)
{
	const struct plan_use *u[PLAN_VENDORS];
	uint64_t apart[PLAN_VENDORS];
	int at[PLAN_VENDORS], n = 0;

	for (int s = 0; s < p->n_vendors; s++)
		if (vendors >> s & 1) {
			at[n] = s;
			u[n++] = plan_use(p, s, card);
		}
	for (int i = 0; i < n; i++) {
		apart[i] = 0;
		for (int j = 0; j < n; j++)
			if (p->apart[at[i]] >> at[j] & 1)
				apart[i] |= (uint64_t)1 << j;
	}
	return pool_cards(u, n, apart, lower);
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

/* Each vendor on the cheaper of two. */
static void
try_pair(const struct plan_problem *p, int a, int b,
    const struct plan_barred * not, struct plan_draft *best)
{
	struct plan_draft t;

	memset(&t, 0, sizeof(t));
	for (int s = 0; s < p->n_vendors; s++) {
		double x = share_cost(p, s, a), y = share_cost(p, s, b);

		t.card_of[s] = isfinite(x) && x <= y ? a : isfinite(y) ? b : -1;
		if (t.card_of[s] < 0)
			return;
	}
	draft_cost(p, &t);
	if (better(&t, best, not ))
		*best = t;
}

/* Each vendor on the cheapest of all. */
static void
try_each(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *best)
{
	struct plan_draft t;

	memset(&t, 0, sizeof(t));
	for (int s = 0; s < p->n_vendors; s++) {
		t.card_of[s] = -1;
		for (int c = 0; c < p->n_cards; c++)
			if (plan_use(p, s, c)->usable &&
			    (t.card_of[s] < 0 ||
				share_cost(p, s, c) <
				    share_cost(p, s, t.card_of[s])))
				t.card_of[s] = c;
	}
	draft_cost(p, &t);
	draft_improve(p, not, &t);
	if (better(&t, best, not ))
		*best = t;
}

void
draft_start(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *best)
{
	memset(best, 0, sizeof(*best));
	for (int a = 0; a < p->n_cards; a++)
		for (int b = a; b < p->n_cards; b++)
			try_pair(p, a, b, not, best);
	draft_improve(p, not, best);
	try_each(p, not, best);
}
