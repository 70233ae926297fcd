/*
 * Private to plan*.c: the purchase as numbers alone.
 *
 * Every vendor goes onto one card model that it may use.  The cards of one
 * model are a pool; a pool needs the cards of its vendors, rounded up where
 * they share (plan_pool.c).  Wanted is the assignment with the least worth:
 *
 *	worth = sum of unit x cards bought x kind_worth ^ (models - 1)
 *
 * under limits on slots and watts.  With kind_worth 1 it is the plain sum.
 * Vendors and cards are indices; their order decides nothing but ties.
 */
#ifndef DECIDE_PLAN_PARTS_H
#define DECIDE_PLAN_PARTS_H

#include <stdint.h>

#include "decide/decide.h"

struct arena;

/* As many vendors as a project may name; sets of them are bits. */
enum { PLAN_VENDORS = 64, PLAN_CARDS = 64, PLAN_NEXT = 2 };

/* A vendor on a card. */
struct plan_use {
	bool usable;
	bool shares;         /* side by side with others on the same cards */
	double cards;        /* whole ones, alone; at least 1 */
	double share[RES_N]; /* of one card, at the allowed load */
	double memory;       /* of a card: what it holds there, 0..1 */
};

struct plan_card {
	double unit;  /* cost of one */
	double watts; /* of one */
	double slots; /* of one */
	int own;      /* there already: cost nothing */
};

struct plan_problem {
	int n_vendors, n_cards;
	struct plan_card *cards;
	struct plan_use *uses;        /* [vendor][card] */
	uint64_t apart[PLAN_VENDORS]; /* who must not share with the vendor */
	int spare;                    /* cards more for each model */
	double kind_worth;            /* >= 1 */
	double max_slots, max_watts;  /* all cards, spares included */
	int want_next;                /* 0..PLAN_NEXT */
	int max_nodes; /* of all trees for one answer: the limit of effort */
};

/* One way to buy. */
struct plan_draft {
	bool fine;                 /* everyone placed, every limit kept */
	int card_of[PLAN_VENDORS]; /* by vendor */
	int cards[PLAN_CARDS];     /* in use, without spares */
	int bought[PLAN_CARDS];    /* with spares, without what is there */
	uint64_t kinds;            /* cards used, as bits */
	int n_kinds;
	double cost, worth, slots, watts;
};

struct plan_answer {
	struct plan_draft best; /* not fine: nothing keeps the limits */
	double bound;           /* nothing is worth less */
	bool proven;            /* best is, within a part in 50 000 */
	/* the best with other sets of models, best first */
	struct plan_draft next[PLAN_NEXT];
	bool next_proven[PLAN_NEXT];
	int n_next;
	int nodes;
};

static inline const struct plan_use *
plan_use(const struct plan_problem *p, int vendor, int card)
{
	return &p->uses[(size_t)vendor * p->n_cards + card];
}

/* ---- plan_pool.c */

/*
 * Cards for the vendors that use `u`.  Those that share are put into groups
 * whose memory fits side by side; a group needs the largest sum of a
 * resource, rounded up.  Least over all groupings for up to ten that share;
 * past that a good grouping, and `*lower` (may be NULL) says what no
 * grouping can beat.  `apart` are bits of indices into `u`; NULL: nobody.
 */
double pool_cards(const struct plan_use *const *u, int n, const uint64_t *apart,
    double *lower);

/* The same with more effort for many: more orders, and a few groups at a
 * time put together anew. */
double
pool_cards_hard(const struct plan_use *const *u, int n, const uint64_t *apart);

/* ---- plan_draft.c */

/* Fill in everything from card_of. */
void draft_cost(const struct plan_problem *p, struct plan_draft *t);
/* The same with more effort on the pools: never more cards. */
void draft_polish(const struct plan_problem *p, struct plan_draft *t);
/* Cards of one model for a set of vendors. */
double draft_pool(const struct plan_problem *p, int card, uint64_t vendors,
    double *lower);
uint64_t draft_members(const struct plan_problem *p, const struct plan_draft *t,
    int card);
/* Negative if `x` is the better: worth, then watts, models, order. */
int draft_compare(const struct plan_draft *x, const struct plan_draft *y);
/* Sets of models that are not wanted, because they stand there already. */
struct plan_barred {
	uint64_t kinds[PLAN_NEXT];
	int n;
};
bool draft_barred(const struct plan_draft *t, const struct plan_barred * not );
/* Move single vendors for as long as it gains. */
void draft_improve(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *t);
/* A good one to begin with: pairs of models, then one model more, less or
 * another, then single vendors moved. */
void draft_start(const struct plan_problem *p, const struct plan_barred * not,
    struct plan_draft *best);

/* ---- plan_search.c */

/* Cards at least three others are as good as for everyone: they are in
 * none of the answers. */
void plan_reduce(const struct plan_problem *p, bool *dropped);
/* The scratch memory is freed before it returns. */
void plan_solve(const struct plan_problem *p, struct plan_answer *answer);

#endif
