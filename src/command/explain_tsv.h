#ifndef COMMAND_EXPLAIN_TSV_H
#define COMMAND_EXPLAIN_TSV_H

#include "decide/decide.h"

struct arena;
struct gpu;
struct inputs;
struct node;

/*
 * Print the findings on `vendor` (NULL: on each, in the project's order) as
 * lines `key<TAB>value`, on `card` or (NULL) on every card of the catalogue:
 *	vendor, requested (card id; the candidates of an ambiguous name, with
 *	commas; empty: none asked for), model_verdict, count_verdict,
 *	certainty, binding, cards_needed (of the card judged, else of the
 *	smallest adequate one; empty: not known), smallest_adequate,
 *	cheapest_adequate (card ids; empty: none),
 *	gates.CARD (ids of the gates that fail, with commas; empty: none),
 *	load.CARD.RESOURCE (what the whole vendor needs of one card, memory
 *	as share of the card; no line: nothing asked, or no figure).
 */
void explain_tsv(struct arena *a, const struct inputs *in,
    const struct node *vendor, const struct gpu *card);

#endif
