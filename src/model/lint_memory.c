#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/lint_parts.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define GIB         1073741824.0

/* Sources round the bandwidth, or the transfer rate. */
#define BANDWIDTH_TOLERANCE 0.012

/*
 * Transfers per second and pin that memory of a kind is made for, from the
 * slowest card to the fastest of the standard.  Longer names stand before
 * those they begin with.
 */
static const struct {
	const char *kind;
	double least, most; /* 1e9 per second */
} kinds[] = {
    {"GDDR5X", 9, 12.1},
    {"GDDR5", 3.6, 9.2},
    {"GDDR6X", 18, 24.1},
    {"GDDR6", 9, 20.6},
    {"GDDR7", 18, 33},
    {"HBM2e", 2.45, 3.7},
    {"HBM2", 0.9, 2.45},
    {"HBM3e", 5.5, 10},
    {"HBM3", 4.4, 6.6},
    {"LPDDR4", 1.5, 4.3},
    {"LPDDR5", 3.1, 9.7},
    {"DDR4", 1.8, 3.3},
    {"DDR5", 3.9, 8.9},
};

/* Bandwidths of PCIe x16 and of NVLink that get mistaken for memory. */
static const double links_gb[] = {16, 32, 64, 128, 300, 400, 600, 900, 1800};

static const char *
giga(struct lint *l, double v)
{
	return num_format(l->a, v / 1e9, num_decimals(v / 1e9, 5), false);
}

static int
find_kind(const char *kind)
{
	for (int i = 0; kind && i < N_OF(kinds); i++)
		if (strncasecmp(kind, kinds[i].kind, strlen(kinds[i].kind)) ==
		    0)
			return i;
	return -1;
}

/*
 * A card of the same chip with another memory size, whose bandwidth this
 * one has: 40 and 80 GB get mixed up so.
 */
static const struct gpu *
sibling(const struct lint *l)
{
	const struct gpu *g = l->gpu;

	for (int i = 0; i < l->c->n_gpus; i++) {
		const struct gpu *s = &l->c->gpus[i];

		if (s != g && s->arch && s->arch == g->arch && s->sm.known &&
		    g->sm.known && s->sm.value == g->sm.value &&
		    s->bandwidth.known && s->memory_bytes.known &&
		    g->memory_bytes.known &&
		    s->memory_bytes.value != g->memory_bytes.value &&
		    lint_near(s->bandwidth.value, g->bandwidth.value,
			BANDWIDTH_TOLERANCE))
			return s;
	}
	return NULL;
}

static void
check_bandwidth(struct lint *l)
{
	const struct gpu *g = l->gpu, *other;
	double want = g->transfers.value * g->bus_bits.value / 8;

	if (!g->transfers.known || !g->bus_bits.known || !g->bandwidth.known ||
	    lint_near(g->bandwidth.value, want, BANDWIDTH_TOLERANCE))
		return;
	other = sibling(l);
	if (other)
		lint_say(l, &g->bandwidth, "lint-variant",
		    "'%s' has the bandwidth of '%s', %s GB/s; its own memory "
		    "gives %s",
		    g->id, other->id, giga(l, g->bandwidth.value),
		    giga(l, want));
	else
		lint_say(l, &g->bandwidth, "lint-bandwidth",
		    "bandwidth of '%s' is %s GB/s, its bus and transfer rate "
		    "give %s",
		    g->id, giga(l, g->bandwidth.value), giga(l, want));
}

static bool
is_link(double bandwidth)
{
	for (int i = 0; i < N_OF(links_gb); i++)
		if (lint_near(bandwidth, links_gb[i] * 1e9, 0.001))
			return true;
	return false;
}

/* Bandwidth over bus: what one pin does, against the kind of memory. */
static void
check_kind(struct lint *l)
{
	const struct gpu *g = l->gpu;
	int k = find_kind(g->memory_kind);
	double pin;

	if (k < 0 || !g->bandwidth.known || !g->bus_bits.known)
		return;
	pin = g->bandwidth.value * 8 / g->bus_bits.value / 1e9;
	if (pin >= kinds[k].least && pin <= kinds[k].most)
		return;
	if (pin < kinds[k].least && is_link(g->bandwidth.value))
		lint_say(l, &g->bandwidth, "lint-link",
		    "bandwidth of '%s' is %s GB/s: the speed of a link, too "
		    "little for %s on %s bit",
		    g->id, giga(l, g->bandwidth.value), g->memory_kind,
		    num_format(l->a, g->bus_bits.value, 0, false));
	else
		lint_say(l, &g->bandwidth, "lint-memory-kind",
		    "a pin of '%s' moves %s Gbit/s; %s does %s to %s", g->id,
		    num_format(l->a, pin, 2, false), kinds[k].kind,
		    num_format(l->a, kinds[k].least, 2, false),
		    num_format(l->a, kinds[k].most, 2, false));
}

/* GDDR chips have 32 pins and hold one of a few sizes. */
static void
check_size(struct lint *l)
{
	static const double chips_gib[] = {0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8};
	const struct gpu *g = l->gpu;
	double chip;

	if (!g->memory_kind || strncmp(g->memory_kind, "GDDR", 4) != 0 ||
	    !g->memory_bytes.known || !g->bus_bits.known)
		return;
	chip = g->memory_bytes.value / GIB / (g->bus_bits.value / 32);
	for (int i = 0; i < N_OF(chips_gib); i++)
		if (lint_near(chip, chips_gib[i], 1e-9))
			return;
	lint_say(l, &g->memory_bytes, "lint-memory-size",
	    "%s GiB on %s bit would be chips of %s GiB: no such card",
	    num_format(l->a, g->memory_bytes.value / GIB, 2, false),
	    num_format(l->a, g->bus_bits.value, 0, false),
	    num_format(l->a, chip, 3, false));
}

/* Drivers report 93.7 to 100 % of the nominal size. */
static void
check_usable(struct lint *l)
{
	const struct gpu *g = l->gpu;

	if (g->usable_bytes.known && g->memory_bytes.known &&
	    g->usable_bytes.value < 0.92 * g->memory_bytes.value)
		lint_say(l, &g->usable_bytes, "lint-usable",
		    "'%s' leaves only %s %% of its memory usable: the figure "
		    "of another size",
		    g->id,
		    num_format(l->a,
			100 * g->usable_bytes.value / g->memory_bytes.value, 1,
			false));
}

void
lint_memory(struct lint *l)
{
	check_bandwidth(l);
	check_kind(l);
	check_size(l);
	check_usable(l);
}
