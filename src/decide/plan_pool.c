/*
 * The cards of one pool: vendors side by side, as far as memory allows.
 */
#include <math.h>
#include <string.h>

#include "decide/plan_parts.h"

/* members that share, for 3^10 steps; ways to pack, three orders each with
 * and without joining */
enum { EXACT = 10, KEYS = 6, SHUFFLES = 60 };

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

struct grouping {
	struct group g[PLAN_VENDORS];
	int n;
};

static double
key_of(const struct members *m, int i, int by)
{
	double most = 0;

	if (by < KEYS && by % 3 == 0)
		return m->u[i]->memory;
	if (by >= KEYS) /* a shuffle, the same every time */
		return (i + 1) * (by * 2654435761u + 40503u) % 65521u;
	for (int r = 0; r < RES_N; r++)
		most = fmax(most, m->u[i]->share[r]);
	/* by the part of a card that is left over */
	return by % 3 == 1 ? most : most - floor(most);
}

/* The member with the largest key that is in no group yet. */
static int
next_member(const struct members *m, int by, uint64_t done)
{
	int next = -1;

	for (int j = 0; j < m->n; j++)
		if (!(done >> j & 1) &&
		    (next < 0 || key_of(m, j, by) > key_of(m, next, by)))
			next = j;
	return next;
}

/* Into the group that needs least more for it, or into one of its own; where
 * both need the same, with `join` into the group. */
static void
place_member(const struct members *m, struct grouping *all, int i, bool join)
{
	struct group own = {{0}, 0, 0};
	double least;
	int best = all->n;

	group_add(&own, m, i);
	least = group_cards(&own);
	for (int j = 0; j < all->n; j++) {
		struct group with = all->g[j];
		double more;

		if (!group_takes(&with, m, i))
			continue;
		group_add(&with, m, i);
		more = group_cards(&with) - group_cards(&all->g[j]);
		if (more > least || (more == least && (!join || best < all->n)))
			continue;
		least = more;
		best = j;
	}
	if (best == all->n)
		all->g[all->n++] = own;
	else
		group_add(&all->g[best], m, i);
}

static double
grouping_cards(const struct grouping *all)
{
	double cards = 0;

	for (int j = 0; j < all->n; j++)
		cards += group_cards(&all->g[j]);
	return cards;
}

/* One after the other, large ones first. */
static double
pack(const struct members *m, int by, struct grouping *all)
{
	uint64_t done = 0;

	all->n = 0;
	for (int k = 0; k < m->n; k++) {
		int i = next_member(m, by, done);

		done |= (uint64_t)1 << i;
		place_member(m, all, i, by / 3 % 2);
	}
	return grouping_cards(all);
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

/*
 * least[set] = the first member's group and the least of the rest; with
 * `all`, the groups too.
 */
static double
best_grouping(const struct members *m, struct grouping *all)
{
	double one[1 << EXACT], least[1 << EXACT];
	unsigned group[1 << EXACT];
	unsigned last = (1u << m->n) - 1;

	least[0] = 0;
	for (unsigned set = 1; set <= last; set++) {
		unsigned first = set & -set, rest = set ^ first;

		one[set] = together(m, set);
		least[set] = INFINITY;
		/* every subset of the rest, the empty one last */
		for (unsigned sub = rest;; sub = (sub - 1) & rest) {
			double cards = one[first | sub] + least[rest ^ sub];

			if (cards < least[set]) {
				least[set] = cards;
				group[set] = first | sub;
			}
			if (sub == 0)
				break;
		}
	}
	for (unsigned set = last; all && set; set ^= group[set]) {
		struct group *g = &all->g[all->n++];

		memset(g, 0, sizeof(*g));
		for (int i = 0; i < m->n; i++)
			if (group[set] >> i & 1)
				group_add(g, m, i);
	}
	return least[last];
}

/* ---- better ones of many: a few groups at a time */

/* The members of a set, and where they stand in `m`. */
static int
members_of(const struct members *m, uint64_t in, struct members *few, int *at)
{
	few->n = 0;
	for (int i = 0; i < m->n; i++) {
		if (!(in >> i & 1))
			continue;
		at[few->n] = i;
		few->u[few->n++] = m->u[i];
		if (few->n == EXACT)
			break;
	}
	for (int i = 0; i < few->n; i++) {
		few->apart[i] = 0;
		for (int j = 0; j < few->n; j++)
			if (m->apart[at[i]] >> at[j] & 1)
				few->apart[i] |= (uint64_t)1 << j;
	}
	return few->n;
}

static int
members_in(uint64_t in)
{
	int n = 0;

	for (; in; in &= in - 1)
		n++;
	return n;
}

/* The members of a few groups grouped anew, if that needs fewer cards. */
static bool
regroup(const struct members *m, struct grouping *all, uint64_t in)
{
	struct grouping anew = {.n = 0}, kept = {.n = 0};
	struct members few;
	int at[PLAN_VENDORS];
	double now = 0;

	if (members_in(in) > EXACT)
		return false;
	for (int j = 0; j < all->n; j++)
		if (all->g[j].in & in)
			now += group_cards(&all->g[j]);
		else
			kept.g[kept.n++] = all->g[j];
	members_of(m, in, &few, at);
	if (best_grouping(&few, &anew) >= now)
		return false;
	for (int k = 0; k < anew.n; k++) {
		struct group *g = &kept.g[kept.n++];

		memset(g, 0, sizeof(*g));
		for (int x = 0; x < few.n; x++)
			if (anew.g[k].in >> x & 1)
				group_add(g, m, at[x]);
	}
	*all = kept;
	return true;
}

/* Every two and every three groups. */
static bool
regroup_some(const struct members *m, struct grouping *all)
{
	for (int i = 0; i < all->n; i++)
		for (int j = i + 1; j < all->n; j++)
			for (int k = j; k < all->n; k++)
				if (regroup(m, all,
					all->g[i].in | all->g[j].in |
					    all->g[k].in))
					return true;
	return false;
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
	struct grouping all;
	double alone = sort_members(u, n, apart, &m);
	double least = least_cards(&m), best = INFINITY;

	for (int by = 0; by < KEYS && best > least; by++)
		best = fmin(best, pack(&m, by, &all));
	if (best > least && m.n <= EXACT)
		best = least = best_grouping(&m, NULL);
	if (lower)
		*lower = alone + least;
	return alone + best;
}

double
pool_cards_hard(const struct plan_use *const *u, int n, const uint64_t *apart)
{
	struct members m;
	double alone = sort_members(u, n, apart, &m);
	double least = least_cards(&m);
	double best = pool_cards(u, n, apart, NULL) - alone;

	for (int by = 0; by < KEYS + SHUFFLES && best > least && m.n > EXACT;
	     by++) {
		struct grouping all;

		pack(&m, by, &all);
		for (int pass = 0; pass < 10 && regroup_some(&m, &all); pass++)
			;
		best = fmin(best, grouping_cards(&all));
	}
	return alone + best;
}
