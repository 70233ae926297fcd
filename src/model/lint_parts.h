/*
 * What the rules of the catalogue linter share.  Private to catalog_lint.c
 * and its neighbours.
 */
#ifndef MODEL_LINT_PARTS_H
#define MODEL_LINT_PARTS_H

#include "data/gpu.h"

struct arena;

struct lint {
	struct arena *a;
	const struct catalog *c;
	struct diag *d;
	const struct gpu *gpu; /* the card being looked at */
	bool *used;            /* its waivers that excused something */
};

/*
 * A finding of `rule` about the figure `f` of the card, or about the card
 * when `f` is NULL, unless a waiver excuses it.
 */
void lint_say(struct lint *l, const struct fact *f, const char *rule,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* a is within `relative` of b. */
bool lint_near(double a, double b, double relative);

/* lint_peak.c, lint_memory.c, lint_board.c: all their rules on one card */
void lint_peaks(struct lint *l);
void lint_memory(struct lint *l);
void lint_board(struct lint *l);
void lint_units(struct lint *l);

#endif
