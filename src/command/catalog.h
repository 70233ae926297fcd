/*
 * The parts of `whygpu catalog`, one file each; all print to stdout.
 */
#ifndef COMMAND_CATALOG_H
#define COMMAND_CATALOG_H

#include "data/gpu.h"

struct arena;
struct network;

/* Every figure of a card or a network, with source and certainty. */
void catalog_show_card(struct arena *a, const struct catalog *c,
    const struct gpu *g);
void catalog_show_network(struct arena *a, const struct catalog *c,
    const struct network *n);

/* Per family and architecture, the share of cards that have each figure. */
void catalog_coverage(struct arena *a, const struct catalog *c,
    const struct gpu *const *cards, int n);

#endif
