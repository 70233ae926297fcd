#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/lint_parts.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* What a slot gives, and what a plug of so many pins carries. */
enum { SLOT_W = 75 };
static const struct {
	const char *pins;
	int consumer_w, server_w; /* 8 pins: PCIe plug, or CPU (EPS) plug */
} plugs[] = {
    {"16-pin", 600, 600},
    {"12-pin", 600, 600},
    {"8-pin", 150, 300},
    {"6-pin", 75, 75},
};

/* Bounds that no product of the market passes. */
static const struct {
	const char *figure;
	double least, most;
} ranges[] = {
    {"sm", 1, 400},
    {"cores", 64, 40000},
    {"tensor-cores", 8, 1200},
    {"base", 200e6, 5e9},
    {"boost", 400e6, 6.5e9},
    {"size", 1.9 * 1073741824, 400 * 1073741824.0},
    {"bus", 32, 16384},
    {"bandwidth", 15e9, 15e12},
    {"l2", 0.1 * 1048576, 600 * 1048576.0},
    {"fp32", 0.1e12, 300e12},
    {"fp16", 0.02e12, 600e12},
    {"fp16-tensor", 1e12, 6000e12},
    {"int8-tensor", 1e12, 12000e12},
    {"power", 4, 1600},
    {"slots", 1, 4},
    {"decoders", 0, 8},
    {"encoders", 0, 8},
    {"price-usd", 50, 60000},
};

static const char *
number(struct lint *l, double v)
{
	return num_format(l->a, v, 0, false);
}

/* Watts that the slot and the plugs named in `connectors` can give. */
static int
supply(const char *connectors, bool consumer)
{
	int watts = SLOT_W;

	for (int i = 0; i < N_OF(plugs); i++) {
		const char *at = strstr(connectors, plugs[i].pins);
		int times = 1;

		if (!at)
			continue;
		if (at >= connectors + 3 && at[-2] == 'x')
			times = at[-3] - '0';
		watts += times *
			 (consumer ? plugs[i].consumer_w : plugs[i].server_w);
	}
	return watts;
}

static void
check_power(struct lint *l)
{
	const struct gpu *g = l->gpu;
	bool low = g->form && (strstr(g->form, "low-profile") ||
				  strstr(g->form, "half-height"));
	double most = 1600;

	if (!g->power_w.known)
		return;
	if (g->on_board && g->connectors)
		most = supply(g->connectors, g->segment == SEGMENT_CONSUMER);
	else if (g->on_board && low)
		most = SLOT_W;
	else if (g->segment == SEGMENT_EDGE)
		most = 150;
	else if (g->segment == SEGMENT_CPU)
		most = 500;
	if (g->power_w.value > most)
		lint_say(l, &g->power_w, "lint-power",
		    "'%s' draws %s W, but %s%s%s gives %s", g->id,
		    number(l, g->power_w.value), g->form ? g->form : "its form",
		    g->connectors ? " with " : "",
		    g->connectors ? g->connectors : "", number(l, most));
}

static void
check_licence(struct lint *l)
{
	const struct gpu *g = l->gpu;

	if (g->vendor != VENDOR_NVIDIA || g->segment != SEGMENT_CONSUMER)
		return;
	for (int i = 0; i < g->n_notes; i++)
		if (str_equal(g->notes[i].kind, "licence"))
			return;
	lint_say(l, NULL, "lint-licence",
	    "'%s' lacks the note on data-centre use in its driver licence",
	    g->id);
}

static void
check_video(struct lint *l)
{
	const struct gpu *g = l->gpu;
	const struct fact *gen = &g->decoder_generation;

	if (g->arch && g->arch->decoder_generation.known && gen->known &&
	    gen->value != g->arch->decoder_generation.value)
		lint_say(l, gen, "lint-video",
		    "'%s' has decoders of generation %s, its architecture "
		    "%s",
		    g->id, number(l, gen->value),
		    number(l, g->arch->decoder_generation.value));
	if (gpu_is_geforce(g) && g->decoders.known && g->decoders.value > 1 &&
	    gen->known && gen->value < 6)
		lint_say(l, &g->decoders, "lint-video",
		    "'%s' has %s decode engines; GeForce cards before the "
		    "sixth generation have one",
		    g->id, number(l, g->decoders.value));
	if ((g->cc == 80 || g->cc == 90 || g->cc == 100) && g->encoders.known &&
	    g->encoders.value > 0)
		lint_say(l, &g->encoders, "lint-video",
		    "'%s' has encode engines; the chips of compute "
		    "capability %d.%d have none",
		    g->id, g->cc / 10, g->cc % 10);
}

static void
check_software(struct lint *l)
{
	const struct gpu *g = l->gpu;
	bool mig = g->cc == 80 || g->cc == 90 || g->cc == 100 || g->cc == 103 ||
		   g->cc == 120;

	if (g->mig.known && g->mig.value > 0 && !mig)
		lint_say(l, &g->mig, "lint-mig",
		    "'%s' is said to have MIG; compute capability %d.%d has "
		    "not",
		    g->id, g->cc / 10, g->cc % 10);
	if (g->vendor == VENDOR_NVIDIA && g->segment != SEGMENT_EDGE &&
	    (!g->arch || !g->arch->cuda_first.known))
		lint_say(l, NULL, "lint-software",
		    "nothing says which CUDA releases know '%s'", g->id);
}

static void
check_ranges(struct lint *l)
{
	for (int i = 0; i < N_OF(ranges); i++) {
		const struct gpu_figure *f = gpu_figure_find(ranges[i].figure);
		const struct fact *v = gpu_fact(l->gpu, f);

		if (v->known &&
		    (v->value < ranges[i].least || v->value > ranges[i].most))
			lint_say(l, v, "lint-range",
			    "%s of '%s' is %s %s: outside %s to %s", f->label,
			    l->gpu->id,
			    num_format(l->a, v->value * f->scale, 3, false),
			    f->shown,
			    num_format(l->a, ranges[i].least * f->scale, 1,
				false),
			    num_format(l->a, ranges[i].most * f->scale, 1,
				false));
	}
}

/* Shader and tensor cores against the number of SM. */
void
lint_units(struct lint *l)
{
	const struct gpu *g = l->gpu;

	if (!g->arch || !g->sm.known)
		return;
	if (g->cores.known && g->arch->cores_per_sm.known &&
	    g->cores.value != g->sm.value * g->arch->cores_per_sm.value)
		lint_say(l, &g->cores, "lint-units",
		    "'%s' has %s shader cores; %s SM of its architecture "
		    "have %s",
		    g->id, number(l, g->cores.value), number(l, g->sm.value),
		    number(l, g->sm.value * g->arch->cores_per_sm.value));
	if (g->tensor_cores.known && g->arch->tensor_per_sm.known &&
	    g->tensor_cores.value != g->sm.value * g->arch->tensor_per_sm.value)
		lint_say(l, &g->tensor_cores, "lint-units",
		    "'%s' has %s tensor cores; %s SM of its architecture "
		    "have %s",
		    g->id, number(l, g->tensor_cores.value),
		    number(l, g->sm.value),
		    number(l, g->sm.value * g->arch->tensor_per_sm.value));
}

void
lint_board(struct lint *l)
{
	check_power(l);
	check_licence(l);
	check_video(l);
	check_software(l);
	check_ranges(l);
}
