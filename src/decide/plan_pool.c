/*
 * The cards of one pool: vendors side by side, as far as memory allows.
 */
#include <math.h>
#include <string.h>

#include "decide/plan_parts.h"

enum { EXACT = 10 }; /* members that share; 3^10 steps */

struct members {
	const struct plan_use *u[PLAN_VENDORS];
	uint64_t apart[PLAN_VENDORS]; /* in this order */
	int n;
};

/* Whole cards; a rounding error above a whole number is none. */
static double
whole(double v)
{
	return fmax(1, ceil(v - 1e-9 * fmax(1, v)));
}

struct group {
	double share[RES_N], memory;
	uint64_t in;
};

static void
group_add(struct group *g, const struct members *m, int i)
{
	for (int r = 0; r < RES_N; r++)
		g->share[r] += m->u[i]->share[r];
	g->memory += m->u[i]->memory;
	g->in |= (uint64_t)1 << i;
}

static bool
group_takes(const struct group *g, const struct members *m, int i)
{
	return g->memory + m->u[i]->memory <= 1 + 1e-12 &&
	       !(g->in & m->apart[i]);
}

static double
group_cards(const struct group *g)
{
	double most = 0;

	for (int r = 0; r < RES_N; r++)
		most = fmax(most, g->share[r]);
	return whole(most);
}

/* What no grouping can beat: all loads and all memory in one. */
static double
least_cards(const struct members *m)
{
	struct group all = {{0}, 0, 0};

	if (m->n == 0)
		return 0;
	for (int i = 0; i < m->n; i++)
		group_add(&all, m, i);
	return fmax(group_cards(&all), whole(all.memory));
}

/* ---- one good grouping */

static double
key_of(const struct members *m, int i, int by)
{
	double most = 0;

	if (by == 0)
		return m->u[i]->memory;
	for (int r = 0; r < RES_N; r++)
		most = fmax(most, m->u[i]->share[r]);
	/* by the part of a card that is left over */
	return by == 1 ? most : most - floor(most);
}

/* Each into the group that needs least more, large ones first. */
static double
pack(const struct members *m, int by)
{
	struct group g[PLAN_VENDORS];
	bool done[PLAN_VENDORS] = {false};
	double cards = 0;
	int n = 0;

	memset(g, 0, sizeof(g));
	for (int k = 0; k < m->n; k++) {
		int i = -1, best;
		double least;

		for (int j = 0; j < m->n; j++)
			if (!done[j] &&
			    (i < 0 || key_of(m, j, by) > key_of(m, i, by)))
				i = j;
		done[i] = true;
		best = n;
		group_add(&g[n], m, i);
		least = group_cards(&g[n]);
		for (int j = 0; j < n; j++) {
			struct group with = g[j];

			if (!group_takes(&g[j], m, i))
				continue;
			group_add(&with, m, i);
			if (group_cards(&with) - group_cards(&g[j]) < least) {
				best = j;
				least = group_cards(&with) - group_cards(&g[j]);
			}
		}
		if (best == n)
			n++;
		else {
			memset(&g[n], 0, sizeof(g[n]));
			group_add(&g[best], m, i);
		}
	}
	for (int j = 0; j < n; j++)
		cards += group_cards(&g[j]);
	return cards;
}

/* ---- all groupings of a few */

/* Cards of the set of members `in` as one group; infinite if it is none. */
static double
together(const struct members *m, unsigned in)
{
	struct group g = {{0}, 0, 0};

	for (int i = 0; i < m->n; i++) {
		if (!(in & 1u << i))
			continue;
		if (g.in && !group_takes(&g, m, i))
			return INFINITY;
		group_add(&g, m, i);
	}
	return group_cards(&g);
}

/* least[set] = the first member's group and the least of the rest. */
static double
best_grouping(const struct members *m)
{
	static const int none = 0;
	double one[1 << EXACT], least[1 << EXACT];
	unsigned all = (1u << m->n) - 1;

	least[none] = 0;
	for (unsigned set = 1; set <= all; set++) {
		unsigned first = set & -set, rest = set ^ first;

		one[set] = together(m, set);
		least[set] = INFINITY;
		/* every subset of the rest, the empty one last */
		for (unsigned sub = rest;; sub = (sub - 1) & rest) {
			least[set] = fmin(least[set],
			    one[first | sub] + least[rest ^ sub]);
			if (sub == 0)
				break;
		}
	}
	return least[all];
}

/* Those who share, and the cards of those who do not. */
static double
sort_members(const struct plan_use *const *u, int n, const uint64_t *apart,
    struct members *m)
{
	int at[PLAN_VENDORS];
	double alone = 0;

	m->n = 0;
	for (int i = 0; i < n; i++) {
		if (!u[i]->shares) {
			alone += u[i]->cards;
			continue;
		}
		at[m->n] = i;
		m->u[m->n++] = u[i];
	}
	for (int i = 0; i < m->n; i++) {
		m->apart[i] = 0;
		for (int j = 0; apart && j < m->n; j++)
			if (apart[at[i]] >> at[j] & 1)
				m->apart[i] |= (uint64_t)1 << j;
	}
	return alone;
}

double
pool_cards(const struct plan_use *const *u, int n, const uint64_t *apart,
    double *lower)
{
	struct members m;
	double alone = sort_members(u, n, apart, &m);
	double least = least_cards(&m), best = INFINITY;

	for (int by = 0; by < 3 && best > least; by++)
		best = fmin(best, pack(&m, by));
	if (best > least && m.n <= EXACT)
		best = least = best_grouping(&m);
	if (lower)
		*lower = alone + least;
	return alone + best;
}
