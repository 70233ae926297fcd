/*
 * Private to decide/outcome*.c: the parts of the results tree, each written
 * by one function into the node it is given.
 */
#ifndef DECIDE_OUTCOME_PARTS_H
#define DECIDE_OUTCOME_PARTS_H

#include "data/results.h"
#include "decide/parts.h"

struct outcome {
	struct decider d;
	const struct decision *dec;
};

/* A share of the market as people speak of it. */
struct card_family {
	const char *id, *name, *name_en;
};
enum { N_FAMILIES = 7 };
extern const struct card_family card_families[N_FAMILIES];
/* Index into card_families. */
int card_family(const struct gpu *g);

/* The processor everything is compared with; NULL if the catalogue has
 * none.  `sockets` of them stand in one server. */
const struct gpu *baseline_cpu(const struct outcome *o, int *sockets);
/* The pool card with the most cards x bandwidth; NULL without a plan. */
const struct gpu *main_card(const struct outcome *o);

void outcome_vendor(const struct outcome *o, struct node *item,
    const struct vendor_decision *vd);
void outcome_reasons(const struct outcome *o, struct node *reasons);
void outcome_matrix(const struct outcome *o, struct node *matrix);
void outcome_market(const struct outcome *o, struct node *market);
void outcome_plan(const struct outcome *o, struct node *plan);
/* What was set from outside the files. */
void put_settings(struct arena *a, struct node *list, const struct setting *set,
    int n);
/* Other ways to buy, in the group of the plan. */
void outcome_ways(const struct outcome *o, struct node *plan);
void put_way(const struct outcome *o, struct node *n, const struct plan_way *w);
void outcome_dials(const struct outcome *o, struct node *dials);

/* A fit as in decide/outcome.h, without its gates. */
void put_fit(const struct outcome *o, struct node *n, const struct fit *f);
/* How its number of cards comes about. */
void put_count(struct arena *a, struct node *n, const struct fit *f);
/* Every gate; nothing when there is no fit. */
void put_gates(const struct outcome *o, struct node *list, const struct fit *f);
/* The gates that ask, licence and supply among them. */
void put_asks(struct arena *a, struct node *list, const struct fit *f);
/* What the catalogue notes about the card, dated. */
void put_notes(struct arena *a, struct node *list, const struct gpu *g);
/* All of these in a group of this name; NULL when there is no fit. */
struct node *put_named_fit(const struct outcome *o, struct node *in,
    const char *name, const struct fit *f);

/* What serves the vendor when its planned card cannot be had; nothing where
 * supply does not ask. */
void put_own_fallback(const struct outcome *o, struct node *vendor,
    const struct vendor_decision *vd);

/* A card is planned, and no gate asks on it, supply and licence included. */
bool plan_firm(const struct vendor_decision *vd);

/* name and name in English, or name alone. */
void put_name(const struct outcome *o, struct node *in, const struct vendor *v);
/* The gate a vendor stops at on this card. */
const char *blocking_gate(const struct fit *f);

#endif
