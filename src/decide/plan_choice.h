/*
 * Private to plan*.c: which vendor may use which card, and the purchase as
 * numbers.  See plan_choice.c for the rules.
 */
#ifndef DECIDE_PLAN_CHOICE_H
#define DECIDE_PLAN_CHOICE_H

#include "decide/parts.h"
#include "decide/plan_parts.h"

struct planner {
	const struct decider *d;
	const struct decision *dec;
	int n_fits;   /* of each vendor, same order of cards */
	int n_served; /* vendors with a card that does not fail, by id */
	const struct vendor_decision **served;
	unsigned char *usable; /* [served][fit] */
	enum plan_measure measure;
	int considered; /* cards some vendor may use */
	/* the cards of the problem, by id: index of their fits */
	int card[PLAN_CARDS];
	bool capped; /* there are more */
	struct plan_problem problem;
};

/* False when nobody can be served. */
bool planner_init(struct planner *p, const struct decider *d,
    const struct decision *dec);
/* A served vendor on a card of the catalogue. */
const struct fit *planner_fit(const struct planner *p, int s, int fit);
/* The use it makes of it at one end of the band. */
struct plan_use
planner_use(const struct planner *p, int s, int fit, enum end end);
/* Cards of some served vendors on one model, `in` as bits. */
double planner_pool(const struct planner *p, uint64_t in, int fit, enum end end,
    bool share);
/* Money for one card in the measure of the plan; false without. */
bool planner_price(const struct decider *d, enum plan_measure m,
    const struct gpu *g, double *amount, const char **currency);

#endif
