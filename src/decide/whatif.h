/*
 * What changes when a project is asked "what if": it is decided again as it
 * would then be, and set beside the decision as it is.
 */
#ifndef DECIDE_WHATIF_H
#define DECIDE_WHATIF_H

struct arena;
struct calibration;
struct catalog;
struct decision;
struct node;
struct project;
struct what_if;

/*
 * Decide `then` and append what differs from `now` to the list "what_if" of
 * the results (decide/outcome.h), which is made when it is not there.
 */
void what_if_add(struct arena *a, struct node *results,
    const struct what_if *asked, const struct project *now,
    const struct project *then, const struct catalog *cat,
    const struct calibration *cal, const struct decision *decided);

#endif
