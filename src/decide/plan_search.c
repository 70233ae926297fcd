/*
 * The least worth among all ways to buy.
 *
 * A mixed-integer programme places the vendors and counts the cards of each
 * model by sums: what no grouping of sharing vendors can beat.  Where the
 * grouping of its answer needs more (plan_pool.c), a row says so and the
 * programme is solved again (logic-based Benders decomposition: Hooker and
 * Ottosson, Mathematical Programming 96, 2003).  For members S of a pool
 * with N(S) cards
 *
 *	cards >= N(S) - sum over S of N({s}) (1 - x_s)
 *
 * holds for every set, because N never falls when a vendor is added, and by
 * no more than the vendor would need alone.
 *
 * kind_worth multiplies, so the programme is solved for one model, two,
 * three ...; it stops as soon as the plain sum without limit on the models,
 * times kind_worth, is above the best found.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/milp.h"
#include "decide/plan_parts.h"

enum {
	MAX_ROUNDS = 40,
	MAX_CUTS = 400,
	PLAIN_NODES = 40,
	BEATERS = PLAN_NEXT + 1
};

/* Cards in use cost this share of their price besides, so that of equals
 * the one with fewer is found. */
#define FEWER 1e-5
/* As good as proven; what is there already counts with its price. */
#define CLOSE 2e-5

/* ---- cards that are in no answer */

static bool
no_worse(const struct plan_use *b, const struct plan_use *a)
{
	if (!b->usable || b->shares != a->shares || b->cards > a->cards ||
	    b->memory > a->memory)
		return false;
	for (int r = 0; r < RES_N; r++)
		if (b->share[r] > a->share[r])
			return false;
	return true;
}

/* Wherever `a` is bought, `b` does as well for no more; a card that is there
 * already is not beaten, since those of `b` may be in use beside it. */
static bool
beats(const struct plan_problem *p, int b, int a)
{
	const struct plan_card *x = &p->cards[b], *y = &p->cards[a];
	bool back = b > a;

	if (x->unit > y->unit || y->own > 0 || x->watts > y->watts ||
	    (isfinite(p->max_slots) && x->slots > y->slots))
		return false;
	for (int s = 0; s < p->n_vendors; s++) {
		const struct plan_use *u = plan_use(p, s, a);

		if (u->usable && !no_worse(plan_use(p, s, b), u))
			return false;
	}
	if (!back)
		return true;
	/* as good as each other: the first stays */
	if (x->unit < y->unit || x->watts < y->watts || x->own > 0)
		return true;
	for (int s = 0; s < p->n_vendors; s++) {
		const struct plan_use *u = plan_use(p, s, b);

		if (u->usable && !no_worse(plan_use(p, s, a), u))
			return true;
	}
	return false;
}

void
plan_reduce(const struct plan_problem *p, bool *dropped)
{
	for (int a = 0; a < p->n_cards; a++) {
		int n = 0;

		for (int b = 0; b < p->n_cards && n < BEATERS; b++)
			n += b != a && beats(p, b, a);
		dropped[a] = n >= BEATERS;
	}
	for (int a = 0; a < p->n_cards; a++) {
		bool any = false;

		for (int s = 0; s < p->n_vendors && !any; s++)
			any = plan_use(p, s, a)->usable;
		dropped[a] |= !any;
	}
}

/* ---- the programme */

struct cut {
	int card;
	uint64_t in;
	double cards;
};

struct search {
	const struct plan_problem *p;
	struct arena *a;
	struct milp *m;
	int *x;            /* columns by vendor and card; -1: none */
	int y[PLAN_CARDS]; /* the model is used */
	int n[PLAN_CARDS]; /* cards in use */
	int b[PLAN_CARDS]; /* cards bought */
	double scale;      /* cost of the programme = cost / scale */
	struct cut *cuts;
	int n_cuts;
	struct plan_barred barred;
	struct plan_draft best;
	int nodes; /* left */
};

static int
x_of(const struct search *s, int vendor, int card)
{
	return s->x[(size_t)vendor * s->p->n_cards + card];
}

/* A vendor alone. */
static double
alone(const struct plan_use *u)
{
	return pool_cards(&u, 1, NULL, NULL);
}

static void
add_columns(struct search *s)
{
	const struct plan_problem *p = s->p;

	for (int c = 0; c < p->n_cards; c++) {
		double unit = p->cards[c].unit / s->scale;

		s->y[c] = milp_column(s->m, 0, 1, true, 0);
		s->n[c] = milp_column(s->m, 0, INFINITY, true, FEWER * unit);
		s->b[c] = milp_column(s->m, 0, INFINITY, true, unit);
		for (int v = 0; v < p->n_vendors; v++)
			s->x[(size_t)v * p->n_cards + c] =
			    plan_use(p, v, c)->usable
				? milp_column(s->m, 0, 1, true, 0)
				: -1;
	}
}

/* Each vendor on one card; a model is used when somebody is on it. */
static void
add_places(struct search *s)
{
	const struct plan_problem *p = s->p;
	int row;

	for (int v = 0; v < p->n_vendors; v++) {
		row = milp_row(s->m, 1, 1);
		for (int c = 0; c < p->n_cards; c++)
			if (x_of(s, v, c) >= 0)
				milp_put(s->m, row, x_of(s, v, c), 1);
	}
	for (int c = 0; c < p->n_cards; c++) {
		int any = milp_row(s->m, 0, INFINITY);

		milp_put(s->m, any, s->y[c], -1);
		for (int v = 0; v < p->n_vendors; v++) {
			if (x_of(s, v, c) < 0)
				continue;
			milp_put(s->m, any, x_of(s, v, c), 1);
			row = milp_row(s->m, 0, INFINITY);
			milp_put(s->m, row, s->y[c], 1);
			milp_put(s->m, row, x_of(s, v, c), -1);
		}
	}
}

/* One sum that the cards of a model must not be below: resource `r`, memory
 * for RES_N. */
static void
add_sum(struct search *s, int c, int r)
{
	int row = milp_row(s->m, 0, INFINITY);

	milp_put(s->m, row, s->n[c], 1);
	for (int v = 0; v < s->p->n_vendors; v++) {
		const struct plan_use *u = plan_use(s->p, v, c);

		if (u->usable)
			milp_put(s->m, row, x_of(s, v, c),
			    -(!u->shares    ? u->cards
				: r < RES_N ? u->share[r]
					    : u->memory));
	}
}

static void
add_counts(struct search *s)
{
	const struct plan_problem *p = s->p;
	int row;

	for (int c = 0; c < p->n_cards; c++) {
		for (int r = 0; r <= RES_N; r++)
			add_sum(s, c, r);
		for (int v = 0; v < p->n_vendors; v++) {
			double least;

			if (x_of(s, v, c) < 0)
				continue;
			least = alone(plan_use(p, v, c));
			if (least <= 1) /* as the row of y says */
				continue;
			row = milp_row(s->m, 0, INFINITY);
			milp_put(s->m, row, s->n[c], 1);
			milp_put(s->m, row, x_of(s, v, c), -least);
		}
		row = milp_row(s->m, 0, INFINITY);
		milp_put(s->m, row, s->n[c], 1);
		milp_put(s->m, row, s->y[c], -1);
		row = milp_row(s->m, -p->cards[c].own, INFINITY);
		milp_put(s->m, row, s->b[c], 1);
		milp_put(s->m, row, s->n[c], -1);
		milp_put(s->m, row, s->y[c], -p->spare);
	}
}

/* A limit on all cards, spares included. */
static void
add_limit(struct search *s, double most, bool watts)
{
	int row;

	if (!isfinite(most))
		return;
	row = milp_row(s->m, -INFINITY, most * (1 + 1e-9));
	for (int c = 0; c < s->p->n_cards; c++) {
		const struct plan_card *k = &s->p->cards[c];
		double each = watts ? k->watts : k->slots;

		milp_put(s->m, row, s->n[c], each);
		milp_put(s->m, row, s->y[c], each * s->p->spare);
	}
}

static void
add_cut_row(struct search *s, const struct cut *cut)
{
	double sum = 0;
	int row;

	for (int v = 0; v < s->p->n_vendors; v++)
		if (cut->in >> v & 1)
			sum += alone(plan_use(s->p, v, cut->card));
	row = milp_row(s->m, cut->cards - sum, INFINITY);
	milp_put(s->m, row, s->n[cut->card], 1);
	for (int v = 0; v < s->p->n_vendors; v++)
		if (cut->in >> v & 1)
			milp_put(s->m, row, x_of(s, v, cut->card),
			    -alone(plan_use(s->p, v, cut->card)));
}

/* These models and no others are not wanted. */
static void
add_barred(struct search *s, uint64_t kinds)
{
	int row, n = 0;

	for (int c = 0; c < s->p->n_cards; c++)
		n += kinds >> c & 1;
	row = milp_row(s->m, -INFINITY, n - 1);
	for (int c = 0; c < s->p->n_cards; c++)
		milp_put(s->m, row, s->y[c], kinds >> c & 1 ? 1 : -1);
}

/* `kinds` models exactly; 0: as many as it likes. */
static void
build(struct search *s, int kinds)
{
	s->m = milp_new(s->a);
	add_columns(s);
	add_places(s);
	add_counts(s);
	add_limit(s, s->p->max_slots, false);
	add_limit(s, s->p->max_watts, true);
	for (int i = 0; i < s->n_cuts; i++)
		add_cut_row(s, &s->cuts[i]);
	for (int i = 0; i < s->barred.n; i++)
		add_barred(s, s->barred.kinds[i]);
	if (kinds > 0) {
		int row = milp_row(s->m, kinds, kinds);

		for (int c = 0; c < s->p->n_cards; c++)
			milp_put(s->m, row, s->y[c], 1);
	}
}

/* Nothing above this cost is of interest. */
static void
add_ceiling(struct search *s, double cost)
{
	int row;

	if (!isfinite(cost))
		return;
	row = milp_row(s->m, -INFINITY, cost / s->scale * (1 + CLOSE));
	for (int c = 0; c < s->p->n_cards; c++)
		milp_put(s->m, row, s->b[c], s->p->cards[c].unit / s->scale);
}

/* ---- rounds */

static void
take_draft(const struct search *s, const double *x, struct plan_draft *t)
{
	memset(t, 0, sizeof(*t));
	for (int v = 0; v < s->p->n_vendors; v++) {
		t->card_of[v] = -1;
		for (int c = 0; c < s->p->n_cards; c++)
			if (x_of(s, v, c) >= 0 && x[x_of(s, v, c)] > 0.5)
				t->card_of[v] = c;
	}
	draft_cost(s->p, t);
}

static void
offer(struct search *s, struct plan_draft t)
{
	if (!draft_barred(&t, &s->barred) && draft_compare(&t, &s->best) < 0)
		s->best = t;
	draft_improve(s->p, &s->barred, &t);
	if (!draft_barred(&t, &s->barred) && draft_compare(&t, &s->best) < 0)
		s->best = t;
}

/* Rows for pools that need more cards than the programme counted. */
static bool
learn(struct search *s, const struct plan_draft *t, const double *x)
{
	bool any = false;

	for (int c = 0; c < s->p->n_cards && s->n_cuts < MAX_CUTS; c++) {
		uint64_t in = draft_members(s->p, t, c);
		double lower;
		struct cut *cut;

		if (!in)
			continue;
		draft_pool(s->p, c, in, &lower);
		if (lower <= x[s->n[c]] + 0.5)
			continue;
		cut = arena_push(s->a, &s->cuts, &s->n_cuts, sizeof(*cut));
		*cut = (struct cut){c, in, lower};
		add_cut_row(s, cut);
		any = true;
	}
	return any;
}

/* What the cards that are there already would cost. */
static double
own_cost(const struct search *s)
{
	double sum = 0;

	for (int c = 0; c < s->p->n_cards; c++)
		sum += s->p->cards[c].own * s->p->cards[c].unit;
	return sum;
}

/* Solve once more: what no plan of the programme costs less than, and its
 * answer as a draft; `*x` is NULL when it has none. */
static double
solve_round(struct search *s, int nodes, double **x, struct plan_draft *t)
{
	struct milp_answer r = milp_solve(s->m, nodes);

	s->nodes -= r.nodes > 0 ? r.nodes : 1;
	*x = r.x;
	if (r.x) {
		take_draft(s, r.x, t);
		offer(s, *t);
	}
	/* undo what FEWER adds to the cost */
	return fmax(0,
	    (r.bound * s->scale - FEWER * own_cost(s)) / (1 + FEWER));
}

/* What no plan costs less than, however many models it has; groupings and
 * kind_worth aside. */
static double
plain_bound(struct search *s)
{
	struct plan_draft t;
	double *x;

	build(s, 0);
	return solve_round(s, s->nodes < PLAIN_NODES ? s->nodes : PLAIN_NODES,
	    &x, &t);
}

/*
 * What no plan of so many models (0: any number) costs less than.  Half of
 * the nodes that are left at most, but the first relaxation in any case, so
 * that no number of models stays without a bound of its own.
 */
static double
search_kinds(struct search *s, int kinds, double bound)
{
	int rest = kinds > 0 ? s->nodes / 2 : 0;
	double factor = kinds > 0 ? pow(s->p->kind_worth, kinds - 1) : 1;

	build(s, kinds);
	for (int round = 0; round < MAX_ROUNDS; round++) {
		int nodes = s->nodes - rest;
		double most = s->best.fine ? s->best.worth / factor : INFINITY;
		struct plan_draft t;
		double *x;

		if (bound >= most * (1 - CLOSE) || (nodes <= 0 && round > 0))
			return bound;
		add_ceiling(s, most);
		bound = fmax(bound,
		    fmin(most, solve_round(s, nodes > 0 ? nodes : 1, &x, &t)));
		if (!x || !learn(s, &t, x))
			return bound;
	}
	return bound;
}

/* Finds the best; what nothing is worth less than. */
static double
search_all(struct search *s)
{
	const struct plan_problem *p = s->p;
	int most = p->n_vendors < p->n_cards ? p->n_vendors : p->n_cards;
	double plain, bound = INFINITY;

	draft_start(p, &s->barred, &s->best);
	if (p->kind_worth <= 1) {
		bound = search_kinds(s, 0, 0);
		return s->best.fine ? fmin(bound, s->best.worth) : bound;
	}
	plain = plain_bound(s);
	for (int k = 1; k <= most; k++) {
		double factor = pow(p->kind_worth, k - 1);

		if (s->best.fine &&
		    plain * factor >= s->best.worth * (1 - CLOSE))
			break;
		bound = fmin(bound, search_kinds(s, k, plain) * factor);
	}
	return s->best.fine ? fmin(bound, s->best.worth) : bound;
}

static bool
close_to(const struct search *s, double bound, const struct plan_draft *t)
{
	double factor = pow(s->p->kind_worth, t->n_kinds - 1);

	return bound >=
	       t->worth - 2 * CLOSE * (t->worth + factor * own_cost(s));
}

static double
largest_unit(const struct plan_problem *p)
{
	double most = 0;

	for (int c = 0; c < p->n_cards; c++)
		if (isfinite(p->cards[c].unit))
			most = fmax(most, p->cards[c].unit);
	return most > 0 ? most : 1;
}

void
plan_solve(const struct plan_problem *p, struct plan_answer *answer)
{
	struct search s = {.p = p, .a = arena_new(), .nodes = p->max_nodes};

	memset(answer, 0, sizeof(*answer));
	s.x = arena_alloc(s.a, (size_t)p->n_vendors * p->n_cards + 1,
	    sizeof(*s.x));
	s.scale = largest_unit(p);
	answer->bound = search_all(&s);
	draft_polish(p, &s.best);
	answer->bound = fmin(answer->bound, s.best.worth);
	answer->best = s.best;
	answer->proven = s.best.fine && close_to(&s, answer->bound, &s.best);
	while (s.best.fine && answer->n_next < p->want_next) {
		double bound;

		s.barred.kinds[s.barred.n++] = s.best.kinds;
		s.nodes = p->max_nodes / 4 + 1;
		bound = search_all(&s);
		if (!s.best.fine)
			break;
		draft_polish(p, &s.best);
		answer->next[answer->n_next] = s.best;
		answer->next_proven[answer->n_next++] =
		    close_to(&s, bound, &s.best);
	}
	answer->nodes = p->max_nodes - s.nodes;
	arena_free(s.a);
}
