/*
 * Private to fit.c and fit_gates.c: a vendor on a card at one batch size.
 */
#ifndef DECIDE_TRIAL_H
#define DECIDE_TRIAL_H

#include "decide/parts.h"

/* A trial of one batch size. */
struct trial {
	int batch;
	double limit; /* allowed utilisation, for the queue's sake lower */
	/* devices that keep each source in time, and over the band; 0: the
	 * load alone decides */
	double least, least_low, least_high;
	bool possible;    /* every stage has a time */
	bool fits_memory; /* one stream at least */
	bool in_time;
	const char *why; /* id when not possible */
	struct stage_time *stages;
	struct estimate busy;
	double busy_mean;
	/* one batch of frames through all stages, and over the band */
	double chain_s, chain_low, chain_high;
	double latency_s;
	int streams_max;       /* of one device, by memory */
	double devices[RES_N]; /* by resource, before rounding up */
	double need;           /* their maximum, devices */
	double need_low, need_high;
	double cards, cards_low, cards_high;
	enum resource binding;
	enum bound bound;
	enum tier tier;
	int largest_batch; /* over the stages */
};

/* ---- fit.c */

/* At least one. */
int devices_of(const struct gpu *g);
int smallest_batch(const struct demand *dm);
/* Memory of one device that holds `streams` sources. */
struct memory_need memory_at(const struct decider *d, const struct demand *dm,
    int streams, int batch);
/* Fill in the stages' times at the trial's batch; false if one has none. */
bool time_stages(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct trial *t);

/* ---- fit_gates.c: the gates that need a time or a size */

void memory_gate(const struct decider *d, const struct demand *dm,
    const struct trial *t, struct fit *f);
void deadline_gate(const struct decider *d, const struct demand *dm,
    const struct trial *chosen, struct fit *f);
void figure_gate(const struct trial *t, int stages, struct fit *f);
void decode_total(const struct demand *dm, struct fit *f);

#endif
