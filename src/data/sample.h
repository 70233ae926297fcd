/*
 * Published speeds to hold the model against: one row of a table of
 * measurements each, as written and as we understand it.
 *
 * `rate` of a row is for all its devices together; `measured` is that of one.
 */
#ifndef DATA_SAMPLE_H
#define DATA_SAMPLE_H

#include "base/diag.h"
#include "data/needs.h"

struct layer_net;

/* Why a row is not scored; SAMPLE_OK if it is. */
enum sample_status {
	SAMPLE_OK,
	SAMPLE_END_TO_END,   /* decoding, copies or boxes are in the time */
	SAMPLE_SEVERAL_GPUS, /* a total over more than one device */
	SAMPLE_SERVER,       /* a rate under a bound on the latency */
	SAMPLE_POWER_LIMIT,  /* cards run below their power on purpose */
	SAMPLE_DLA,          /* not the GPU alone */
	SAMPLE_CARD_UNKNOWN,
	SAMPLE_INTEGRATED, /* graphics inside a processor */
	SAMPLE_PROCESSOR,  /* a CPU */
	SAMPLE_NETWORK_UNKNOWN,
	SAMPLE_INPUT,     /* no input size, or not one of the network */
	SAMPLE_PRECISION, /* not a precision of the model */
	SAMPLE_NO_PEAK,   /* the chip lacks a unit for the precision */
	SAMPLE_NO_FIGURE, /* the catalogue lacks what the model needs */
	SAMPLE_STATUS_N
};
const char *sample_status_id(enum sample_status s);

/* How a benchmark drives the card, as far as it shows in the times. */
enum harness {
	HARNESS_PLAIN,
	HARNESS_TUNED, /* submissions tuned for one card (MLPerf) */
	HARNESS_COPY,  /* times hold the copy of the input from the host */
	HARNESS_N
};

struct sample {
	int row; /* in the table */
	/* as written */
	const char *source, *gpu_id, *network_name, *input, *precision_name,
	    *runtime_name, *note;
	int n_gpus, batch; /* batch 0: not stated */
	double rate;       /* images per second, all devices */
	/* as understood */
	const struct gpu *gpu; /* one device: a slice is a card of its own */
	int devices;           /* that `rate` is for */
	const struct network *network;  /* NULL: no totals */
	const struct layer_net *layers; /* NULL: no layer list */
	int in_w, in_h;
	enum precision precision;
	enum engine engine;
	bool channels_last;
	bool training; /* else inference */
	enum harness harness;
	enum sample_status status;
	double measured; /* images per second of one device */
};

struct samples {
	struct sample *s;
	int n;
};

/*
 * Which chip a card holds, as far as its figures tell: cards of one compute
 * capability whose memory bus has about the same width.  Memory sizes and
 * slices of one chip have one name.
 */
const char *sample_chip(struct arena *a, const struct gpu *g);

#endif
