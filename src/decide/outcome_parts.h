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
/* The pool card most vendors use; NULL without a plan. */
const struct gpu *main_card(const struct outcome *o);

void outcome_vendor(const struct outcome *o, struct node *item,
    const struct vendor_decision *vd);
void outcome_reasons(const struct outcome *o, struct node *reasons);
void outcome_matrix(const struct outcome *o, struct node *matrix);
void outcome_market(const struct outcome *o, struct node *market);
void outcome_plan(const struct outcome *o, struct node *plan);
void outcome_dials(const struct outcome *o, struct node *dials);

/* name and name in English, or name alone. */
void put_name(const struct outcome *o, struct node *in,
    const struct vendor *v);
/* The gate a vendor stops at on this card. */
const char *blocking_gate(const struct fit *f);

#endif
