/*
 * What measurements leave after the model from layers, by card and by
 * network, and how far off a prediction may be: read from
 * catalog/calibration/residuals.xml, which `whygpu validate --calibrate`
 * writes.
 *
 * A residual holds for the card or network that was measured and for no
 * other: a prediction for a new one has none.
 */
#ifndef DATA_RESIDUAL_H
#define DATA_RESIDUAL_H

#include "data/gpu.h"
#include "data/needs.h"

enum effect_kind {
	EFFECT_SOURCE, /* whoever measured: taken up, never shipped */
	EFFECT_CHIP,
	EFFECT_CARD,
	EFFECT_FAMILY, /* of networks */
	EFFECT_NETWORK,
	EFFECT_NETWORK_RUN, /* a network on one kind of runtime */
	EFFECT_N
};
const char *effect_id(enum effect_kind k);
bool effect_parse(const char *s, enum effect_kind *k);

/* What of a prediction was measured before, each apart from the other. */
enum knowledge { KNOW_NOTHING, KNOW_NETWORK, KNOW_CARD, KNOW_BOTH, KNOW_N };
const char *knowledge_id(enum knowledge k);
bool knowledge_parse(const char *s, enum knowledge *k);

struct residual {
	enum effect_kind kind;
	const char *name; /* of the card, chip, network ... */
	const char *run;  /* kind of runtime; "" where it holds for all */
	double factor;    /* on the time */
	int rows;         /* that speak for it */
};

/* Half-width of the 90 % band of a class, a factor x and ÷. */
struct band_cell {
	enum knowledge know;
	const char *run; /* "" for any */
	int batch_class; /* 0: 1, 1: 2 to 7, 2: above; -1: any */
	enum tier tier;  /* TIER_LAYERS, TIER_TOTALS */
	bool any_tier;
	double factor;
	int rows;
};

struct residuals {
	struct residual *r; /* by kind, name, run */
	int n;
	struct band_cell *bands; /* narrower classes first */
	int n_bands;
	struct source_ref *sources;
	int n_sources;
};

#endif
