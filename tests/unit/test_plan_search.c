/*
 * decide/plan_search.c and its parts: the search against all ways to buy,
 * on problems small enough to try them all.
 */
#include "decide_fixture.h"

#include <glpk.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decide/milp.h"
#include "decide/plan_parts.h"

enum { VENDORS = 5, CARDS = 4 };

static struct plan_card cards[CARDS];
static struct plan_use uses[VENDORS * CARDS];

/* ---- every way, by other means than the search */

/* Groups in turn: member i joins one there is, or opens one. */
static double
all_groupings(const struct plan_problem *p, int card, const int *member, int n,
    int i, int *group, int n_groups)
{
	double best = INFINITY, sum = 0;

	for (; i < n && !plan_use(p, member[i], card)->shares; i++)
		group[i] = -1;
	if (i < n) {
		for (int g = 0; g <= n_groups; g++) {
			group[i] = g;
			best =
			    fmin(best, all_groupings(p, card, member, n, i + 1,
					   group, n_groups + (g == n_groups)));
		}
		return best;
	}
	for (int k = 0; k < n; k++)
		if (group[k] < 0)
			sum += plan_use(p, member[k], card)->cards;
	for (int g = 0; g < n_groups; g++) {
		double memory = 0, most = 0;

		for (int k = 0; k < n; k++) {
			if (group[k] != g)
				continue;
			memory += plan_use(p, member[k], card)->memory;
			for (int j = 0; j < k; j++)
				if (group[j] == g &&
				    p->apart[member[k]] >> member[j] & 1)
					return INFINITY;
		}
		if (memory > 1 + 1e-12)
			return INFINITY;
		for (int r = 0; r < RES_N; r++) {
			double load = 0;

			for (int k = 0; k < n; k++)
				if (group[k] == g)
					load += plan_use(p, member[k], card)
						    ->share[r];
			most = fmax(most, load);
		}
		sum += fmax(1, ceil(most - 1e-9));
	}
	return sum;
}

static double
worth_of(const struct plan_problem *p, const int *card_of, uint64_t *kinds)
{
	double cost = 0, slots = 0, watts = 0;
	int n_kinds = 0;

	*kinds = 0;
	for (int c = 0; c < p->n_cards; c++) {
		int member[VENDORS], group[VENDORS], n = 0;
		double all;

		for (int v = 0; v < p->n_vendors; v++)
			if (card_of[v] == c)
				member[n++] = v;
		if (n == 0)
			continue;
		n_kinds++;
		*kinds |= (uint64_t)1 << c;
		all = all_groupings(p, c, member, n, 0, group, 0) + p->spare;
		cost += p->cards[c].unit * fmax(0, all - p->cards[c].own);
		slots += p->cards[c].slots * all;
		watts += p->cards[c].watts * all;
	}
	if (slots > p->max_slots * (1 + 1e-9) ||
	    watts > p->max_watts * (1 + 1e-9))
		return INFINITY;
	return cost * pow(p->kind_worth, n_kinds - 1);
}

/* The least worth of all assignments whose models are none of `barred`. */
static double
best_of_all(const struct plan_problem *p, const struct plan_barred *barred)
{
	int at[VENDORS] = {0};
	double best = INFINITY;

	for (int i = 0;; i = 0) {
		struct plan_draft t = {.n_kinds = 0};
		double worth;
		bool usable = true;

		for (int v = 0; v < p->n_vendors; v++)
			usable &= plan_use(p, v, at[v])->usable;
		worth = usable ? worth_of(p, at, &t.kinds) : INFINITY;
		if (worth < best && !draft_barred(&t, barred))
			best = worth;
		while (i < p->n_vendors && ++at[i] == p->n_cards)
			at[i++] = 0;
		if (i == p->n_vendors)
			return best;
	}
}

/* ---- problems */

static void
random_use(struct plan_use *u)
{
	double most = 0;

	*u = (struct plan_use){.usable = pick(4) > 0, .shares = pick(5) > 0};
	for (int r = 0; r < RES_N; r++)
		if (pick(2))
			u->share[r] = (1 + pick(400)) / 200.0;
	for (int r = 0; r < RES_N; r++)
		most = fmax(most, u->share[r]);
	u->cards = fmax(1, ceil(most)) + (pick(6) == 0);
	u->memory = (1 + pick(90)) / 100.0;
}

static struct plan_problem
random_problem(void)
{
	struct plan_problem p = {.n_vendors = 1 + pick(VENDORS),
	    .n_cards = 1 + pick(CARDS),
	    .cards = cards,
	    .uses = uses,
	    .spare = pick(3),
	    .kind_worth = pick(2) ? 2 : 1,
	    .max_slots = pick(3) ? INFINITY : 2 + pick(16),
	    .max_watts = pick(3) ? INFINITY : 200 + pick(2000),
	    .want_next = PLAN_NEXT,
	    .max_nodes = 20000};

	for (int c = 0; c < p.n_cards; c++)
		cards[c] = (struct plan_card){.unit = 10 + pick(990),
		    .watts = 40 + pick(400),
		    .slots = 1 + pick(2),
		    .own = pick(4) ? 0 : pick(4)};
	for (int i = 0; i < p.n_vendors * p.n_cards; i++)
		random_use(&uses[i]);
	for (int v = 0; v < p.n_vendors; v++)
		uses[v * p.n_cards + pick(p.n_cards)].usable = true;
	if (p.n_vendors > 1 && pick(3) == 0) {
		p.apart[0] |= 2;
		p.apart[1] |= 1;
	}
	return p;
}

static void
check_draft(const struct plan_problem *p, const struct plan_draft *t)
{
	uint64_t kinds;

	for (int v = 0; v < p->n_vendors; v++)
		assert_true(plan_use(p, v, t->card_of[v])->usable);
	near_to(t->worth, worth_of(p, t->card_of, &kinds), 1e-9);
	assert_true(kinds == t->kinds);
	for (int c = 0; c < p->n_cards; c++)
		assert_true(t->bought[c] >= 0);
}

/* No assignment is worth less than the answer, nor than the two after it
 * among other sets of models. */
static void
test_never_beaten(void **state)
{
	int found = 0, limited = 0, cheaper = 0;

	(void)state;
	seed_state = 5;
	for (int i = 0; i < 2600; i++) {
		struct plan_problem p = random_problem();
		struct plan_barred barred = {.n = 0};
		struct plan_answer r;
		double want = best_of_all(&p, &barred);

		plan_solve(&p, &r);
		assert_true(r.best.fine == isfinite(want));
		limited += !r.best.fine;
		if (!r.best.fine)
			continue;
		found++;
		check_draft(&p, &r.best);
		if (r.best.worth > want * (1 + 5e-5))
			fail_msg("problem %d: %g, and %g is possible", i,
			    r.best.worth, want);
		assert_true(r.proven);
		assert_true(r.bound <= want * (1 + 1e-9));
		barred.kinds[barred.n++] = r.best.kinds;
		for (int k = 0; k < PLAN_NEXT; k++) {
			want = best_of_all(&p, &barred);
			assert_true((k < r.n_next) == isfinite(want));
			if (k >= r.n_next)
				break;
			check_draft(&p, &r.next[k]);
			cheaper += r.next[k].worth > r.best.worth;
			if (r.next_proven[k] &&
			    r.next[k].worth > want * (1 + 5e-5))
				fail_msg("problem %d, next %d: %g, and %g is "
					 "possible",
				    i, k, r.next[k].worth, want);
			if (k + 1 < PLAN_NEXT)
				barred.kinds[barred.n++] = r.next[k].kinds;
		}
	}
	/* the problems are not all of one sort */
	assert_true(found >= 2000);
	assert_true(limited > 100 && cheaper > 1000);
}

/* Cards that others beat are in no answer. */
static void
test_reduced_loses_nothing(void **state)
{
	int gone = 0;

	(void)state;
	seed_state = 23;
	for (int i = 0; i < 500; i++) {
		struct plan_problem p = random_problem();
		struct plan_barred barred = {.n = 0};
		bool dropped[CARDS];
		double all, rest;

		/* three cards that do the same for more */
		for (int c = 1; c < p.n_cards && pick(2); c++)
			for (int v = 0; v < p.n_vendors; v++)
				uses[v * p.n_cards + c] =
				    uses[(size_t)v * p.n_cards];
		all = best_of_all(&p, &barred);
		plan_reduce(&p, dropped);
		for (int c = 0; c < p.n_cards; c++) {
			gone += dropped[c];
			for (int v = 0; v < p.n_vendors && dropped[c]; v++)
				uses[v * p.n_cards + c].usable = false;
		}
		rest = best_of_all(&p, &barred);
		assert_true(all == rest || fabs(all - rest) < 1e-9 * all);
	}
	assert_true(gone > 20);
}

/* 0.6 + 0.6 and 0.4 + 0.4: sums say two cards; 0.7 and 0.7 of the memory
 * keep the two large ones apart, so all loads fit in two only as 0.6 + 0.4
 * twice. */
static void
test_grouping(void **state)
{
	struct plan_use u[4] = {{true, true, 1, {0.6}, 0.7},
	    {true, true, 1, {0.6}, 0.7}, {true, true, 1, {0.4}, 0.3},
	    {true, true, 1, {0.4}, 0.3}};
	const struct plan_use *all[4] = {&u[0], &u[1], &u[2], &u[3]};
	uint64_t apart[4] = {0};
	double lower;

	(void)state;
	assert_true(pool_cards(all, 4, NULL, &lower) == 2 && lower == 2);
	/* the first must not meet the small ones: three */
	apart[0] = 4 | 8;
	apart[2] = apart[3] = 1;
	assert_true(pool_cards(all, 4, apart, NULL) == 3);
	u[3].shares = false;
	u[3].cards = 5;
	assert_true(pool_cards(all, 4, NULL, NULL) == 2 + 5);
}

/* Eleven that share are too many to try all at every step; tried here they
 * show that no grouping is invented, and that the harder look finds most. */
static void
test_pools_of_many(void **state)
{
	enum { MANY = 11 };
	struct plan_use u[MANY];
	const struct plan_use *all[MANY];
	struct plan_problem p = {.n_vendors = MANY, .n_cards = 1, .uses = u};
	int member[MANY], group[MANY], best = 0, better = 0;

	(void)state;
	seed_state = 41;
	for (int i = 0; i < 15; i++) {
		double quick, hard, lower, least;

		for (int k = 0; k < MANY; k++) {
			u[k] = (struct plan_use){true, true, 1,
			    {(20 + pick(80)) / 100.0}, (10 + pick(45)) / 100.0};
			all[k] = &u[k];
			member[k] = k;
		}
		least = all_groupings(&p, 0, member, MANY, 0, group, 0);
		quick = pool_cards(all, MANY, NULL, &lower);
		hard = pool_cards_hard(all, MANY, NULL);
		assert_true(lower <= least && least <= hard);
		assert_true(hard <= quick);
		best += hard == least;
		better += hard < quick;
	}
	assert_true(best >= 13 && better >= 3);
}

/* With few nodes the best found stands, below it the bound: never a claim
 * of proof that does not hold. */
static void
test_gap_when_cut_short(void **state)
{
	int open = 0;

	(void)state;
	seed_state = 77;
	for (int i = 0; i < 300; i++) {
		struct plan_problem p = random_problem();
		struct plan_barred barred = {.n = 0};
		struct plan_answer r;
		double want = best_of_all(&p, &barred);

		p.max_nodes = 1;
		plan_solve(&p, &r);
		if (!r.best.fine)
			continue;
		check_draft(&p, &r.best);
		assert_true(r.bound <= want * (1 + 1e-9));
		assert_true(r.best.worth >= want * (1 - 1e-9));
		open += !r.proven;
		if (r.proven)
			near_to(r.best.worth, want, 5e-5);
	}
	assert_true(open > 5);
}

/* The least of 3 x + 2 y with x + y >= 3.5 in whole numbers: 8 (0, 4). */
static void
test_milp(void **state)
{
	struct milp *m = milp_new(a);
	int x = milp_column(m, 0, INFINITY, true, 3);
	int y = milp_column(m, 0, INFINITY, true, 2);
	int row = milp_row(m, 3.5, INFINITY);
	struct milp_answer r;

	(void)state;
	milp_put(m, row, x, 1);
	milp_put(m, row, y, 1);
	r = milp_solve(m, 100);
	assert_int_equal(r.status, MILP_OPTIMAL);
	near_to(r.value, 8, 1e-9);
	assert_true(r.x[x] == 0 && r.x[y] == 4);
	/* and with y <= 1: 3 x 3 + 2 = 11 */
	row = milp_row(m, -INFINITY, 1);
	milp_put(m, row, y, 1);
	r = milp_solve(m, 100);
	near_to(r.value, 11, 1e-9);
	row = milp_row(m, -INFINITY, 1);
	milp_put(m, row, x, 1);
	assert_int_equal(milp_solve(m, 100).status, MILP_NONE);
}

/* Forty vendors on fifteen cards of about equal merit: no proof within the
 * nodes, but the same answer twice, near its bound. */
static void
test_many_vendors(void **state)
{
	enum { MANY = 40, MODELS = 15 };
	static struct plan_card card_of[MODELS];
	static struct plan_use use_of[MANY * MODELS];
	struct plan_problem p = {.n_vendors = MANY,
	    .n_cards = MODELS,
	    .cards = card_of,
	    .uses = use_of,
	    .spare = 1,
	    .kind_worth = 2,
	    .max_slots = INFINITY,
	    .max_watts = INFINITY,
	    .want_next = PLAN_NEXT,
	    .max_nodes = 60};
	struct plan_answer x, y;

	(void)state;
	seed_state = 3;
	for (int c = 0; c < MODELS; c++)
		card_of[c] = (struct plan_card){.unit = 1000 + 70 * c,
		    .watts = 70,
		    .slots = 1};
	for (int v = 0; v < MANY; v++) {
		double work = (1 + pick(300)) / 20.0;
		double memory = (1 + pick(40)) / 100.0;

		for (int c = 0; c < MODELS; c++) {
			double share = work * (90 + pick(20)) / (100 + 7 * c);

			use_of[v * MODELS + c] = (struct plan_use){pick(4) > 0,
			    true, fmax(1, ceil(share)), {share}, memory};
		}
	}
	plan_solve(&p, &x);
	plan_solve(&p, &y);
	assert_true(x.best.fine);
	for (int v = 0; v < MANY; v++)
		assert_int_equal(x.best.card_of[v], y.best.card_of[v]);
	assert_true(x.bound == y.bound);
	assert_true(x.bound <= x.best.worth);
	assert_true(x.bound >= 0.9 * x.best.worth);
	assert_int_equal(x.n_next, PLAN_NEXT);
}

/*
 * GLPK has no memory left: the program ends with status 70 and says so, it
 * does not abort.  The limit is set in its environment, which milp_solve
 * finds there.
 */
static void
test_solver_fails(void **state)
{
	struct milp *m = milp_new(a);
	int status, pipe_of[2];
	char said[200] = "";
	pid_t child;

	(void)state;
	for (int i = 0; i < 400; i++)
		milp_column(m, 0, 1, true, 1);
	for (int i = 0; i < 400; i++)
		for (int j = 0, row = milp_row(m, 1, INFINITY); j < 400; j++)
			milp_put(m, row, (i + j) % 400, 1 + j % 7);
	assert_int_equal(pipe(pipe_of), 0);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		dup2(pipe_of[1], 2);
		glp_mem_limit(1); /* MiB */
		milp_solve(m, 100);
		_exit(0);
	}
	close(pipe_of[1]);
	assert_true(read(pipe_of[0], said, sizeof(said) - 1) > 0);
	close(pipe_of[0]);
	assert_true(waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
	assert_non_null(strstr(said, "internal error"));
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
	    T(test_milp),
	    T(test_solver_fails),
	    T(test_grouping),
	    T(test_pools_of_many),
	    T(test_never_beaten),
	    T(test_reduced_loses_nothing),
	    T(test_gap_when_cut_short),
	    T(test_many_vendors),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
