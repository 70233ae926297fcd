/*
 * A figure that may be missing, with where it comes from and how sure it is.
 * A missing figure is `known == false`, never 0 or -1.
 */
#ifndef DATA_FACT_H
#define DATA_FACT_H

#include <stdbool.h>

#include "base/num.h"

enum certainty {
	SURE_NONE,     /* not stated */
	SURE_VENDOR,   /* read in a document or code of the vendor */
	SURE_TWO,      /* two data sets agree */
	SURE_ONE,      /* one data set */
	SURE_DERIVED,  /* follows from a formula named in `src` */
	SURE_CONFLICT, /* sources disagree; the value is our reading */
	SURE_ASSUMED   /* no source: the report says "assumed" */
};

struct fact {
	bool known;
	double value;
	enum certainty sure;
	const char *src; /* source ids separated by spaces; may be NULL */
};

static inline struct fact
fact_of(double value, enum certainty sure, const char *src)
{
	return (struct fact){true, value, sure, src};
}

/* The word of the catalogue files: "vendor", "two", "one", ... */
const char *certainty_id(enum certainty c);
bool certainty_parse(const char *s, enum certainty *c);

/*
 * How an estimate came about, best first.
 */
enum tier {
	TIER_MEASURED,    /* measured on this card by the vendor */
	TIER_TRANSFERRED, /* measured on another card, carried by ratio */
	TIER_LAYERS,      /* computed from a layer list */
	TIER_TOTALS,      /* computed from total FLOPs, bytes, parameters */
	TIER_ASSUMED      /* no figure to compute from */
};
const char *tier_id(enum tier t);

/* A quantity with its 90 % band; low <= value <= high. */
struct estimate {
	double value, low, high;
	enum tier tier;
};

#endif
