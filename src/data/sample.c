#include "data/sample.h"

#include <assert.h>

#include "base/arena.h"

const char *
sample_status_id(enum sample_status s)
{
	static const char *const ids[SAMPLE_STATUS_N] = {
	    [SAMPLE_OK] = "ok",
	    [SAMPLE_END_TO_END] = "end-to-end",
	    [SAMPLE_SEVERAL_GPUS] = "several-gpus",
	    [SAMPLE_SERVER] = "latency-bound-server",
	    [SAMPLE_POWER_LIMIT] = "power-limited",
	    [SAMPLE_DLA] = "not-gpu-only",
	    [SAMPLE_CARD_UNKNOWN] = "card-unknown",
	    [SAMPLE_INTEGRATED] = "integrated-graphics",
	    [SAMPLE_PROCESSOR] = "processor",
	    [SAMPLE_NETWORK_UNKNOWN] = "network-unknown",
	    [SAMPLE_INPUT] = "input-unknown",
	    [SAMPLE_PRECISION] = "precision-unknown",
	    [SAMPLE_NO_PEAK] = "no-peak",
	    [SAMPLE_NO_FIGURE] = "no-figure",
	};

	assert((unsigned)s < SAMPLE_STATUS_N);
	return ids[s];
}

const char *
sample_chip(struct arena *a, const struct gpu *g)
{
	double bits = g->bus_bits.known ? g->bus_bits.value : 0;
	const char *bus = bits <= 0     ? "unknown"
			  : bits <= 128 ? "128"
			  : bits <= 256 ? "256"
					: "wide";

	if (g->cc > 0)
		return arena_printf(a, "cc%d.%d-%s", g->cc / 10, g->cc % 10,
		    bus);
	return g->arch ? g->arch->id : g->id;
}
