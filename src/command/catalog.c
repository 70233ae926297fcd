#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/command.h"
#include "data/gpu.h"
#include "data/network.h"
#include "input/input.h"

/*
 * catalog list [WORD...]   cards whose id, name, family or segment holds
 *                          every word
 * catalog show NAME        every figure of a card or network
 * catalog find NAME        the cards a name may mean
 */

/* How a figure of a card is printed: where it is, its unit at the edge. */
static const struct {
	const char *name;
	size_t offset;
	double scale;
	int digits;
	const char *unit;
} figures[] = {
#define F(field) offsetof(struct gpu, field)
	{"streaming multiprocessors", F(sm), 1, 0, ""},
	{"shader cores", F(cores), 1, 0, ""},
	{"tensor cores", F(tensor_cores), 1, 0, ""},
	{"base clock", F(base_hz), 1e-6, 0, "MHz"},
	{"boost clock", F(boost_hz), 1e-6, 0, "MHz"},
	{"tensor clock", F(tensor_hz), 1e-6, 0, "MHz"},
	{"memory", F(memory_bytes), 1.0 / (1 << 30), 0, "GiB"},
	{"memory the driver reports", F(usable_bytes), 1.0 / (1 << 20), 0,
	    "MiB"},
	{"memory bus", F(bus_bits), 1, 0, "bit"},
	{"memory bandwidth", F(bandwidth), 1e-9, 1, "GB/s"},
	{"L2 cache", F(l2_bytes), 1.0 / (1 << 20), 1, "MiB"},
	{"last-level cache", F(llc_bytes), 1.0 / (1 << 20), 1, "MiB"},
	{"FP32", F(peak[PEAK_FP32]), 1e-12, 2, "TFLOPS"},
	{"FP16", F(peak[PEAK_FP16]), 1e-12, 2, "TFLOPS"},
	{"TF32 tensor", F(peak[PEAK_TF32_TENSOR]), 1e-12, 1, "TFLOPS dense"},
	{"FP16 tensor, FP32 accumulate", F(peak[PEAK_FP16_TENSOR]), 1e-12, 1,
	    "TFLOPS dense"},
	{"FP16 tensor, FP16 accumulate", F(peak[PEAK_FP16_TENSOR_ACC16]),
	    1e-12, 1, "TFLOPS dense"},
	{"BF16 tensor", F(peak[PEAK_BF16_TENSOR]), 1e-12, 1, "TFLOPS dense"},
	{"FP8 tensor, FP32 accumulate", F(peak[PEAK_FP8_TENSOR]), 1e-12, 1,
	    "TFLOPS dense"},
	{"FP8 tensor, FP16 accumulate", F(peak[PEAK_FP8_TENSOR_ACC16]), 1e-12,
	    1, "TFLOPS dense"},
	{"INT8", F(peak[PEAK_INT8_TENSOR]), 1e-12, 1, "TOPS dense"},
	{"board power", F(power_w), 1, 0, "W"},
	{"slots", F(slots), 1, 0, ""},
	{"decode engines", F(decoders), 1, 0, ""},
	{"decode generation", F(decoder_generation), 1, 0, ""},
	{"encode engines", F(encoders), 1, 0, ""},
	{"encode sessions allowed", F(encode_sessions), 1, 0, ""},
	{"video clock", F(video_hz), 1e-6, 0, "MHz"},
	{"ECC", F(ecc), 1, 0, "(1 yes, 0 no)"},
	{"MIG", F(mig), 1, 0, "(1 yes, 0 no)"},
	{"launch price", F(price_usd), 1, 0, "USD"},
#undef F
};

static void
show_figure(struct arena *a, const char *name, struct fact f, double scale,
    int digits, const char *unit)
{
	if (!f.known) {
		printf("  %-30s not published\n", name);
		return;
	}
	printf("  %-30s %s %s  [%s%s%s]\n", name,
	    num_format(a, f.value * scale, digits, true), unit,
	    certainty_id(f.sure), f.src ? ": " : "", f.src ? f.src : "");
}

static void
show_card(struct arena *a, const struct gpu *g)
{
	printf("%s  %s\n  %s, %s, %s", g->id, g->name, g->vendor_name,
	    g->family, segment_id(g->segment));
	if (g->arch_name)
		printf(", %s", g->arch_name);
	if (g->cc)
		printf(", compute capability %d.%d", g->cc / 10, g->cc % 10);
	printf("\n  launched %s, %s, %s, %s\n", g->launched ? g->launched : "?",
	    g->form ? g->form : "form not published",
	    g->link ? g->link : "link not published",
	    g->memory_kind ? g->memory_kind : "memory kind not published");
	if (g->devices > 1)
		printf("  %d devices on one board; figures are of one\n",
		    g->devices);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		struct fact f;

		memcpy(&f, (const char *)g + figures[i].offset, sizeof(f));
		show_figure(a, figures[i].name, f, figures[i].scale,
		    figures[i].digits, figures[i].unit);
	}
	for (int i = 0; i < g->n_notes; i++)
		printf("  %s%s%s: %s [%s]\n", g->notes[i].kind,
		    g->notes[i].date ? " " : "",
		    g->notes[i].date ? g->notes[i].date : "",
		    g->notes[i].text_en,
		    g->notes[i].src ? g->notes[i].src : "no source");
	for (int i = 0; i < g->n_aliases; i++)
		printf("%s%s", i ? ", " : "  also called: ", g->aliases[i]);
	if (g->n_aliases)
		putchar('\n');
}

static void
show_network(struct arena *a, const struct network *n)
{
	printf("%s  %s\n  %s, class %s, totals at %dx%dx%d%s\n", n->id,
	    n->name, n->task, net_class_id(n->cls), n->in_c, n->in_h,
	    n->in_w, n->scales ? ", growing with the pixels" : "");
	show_figure(a, "multiply-adds of one image", n->macs, 1e-9, 3,
	    "GMAC");
	show_figure(a, "parameters", n->params, 1e-6, 2, "million");
	show_figure(a, "activations", n->activations, 1e-6, 2, "million");
}

static bool
holds(const char *text, const char *word)
{
	return text && strcasestr(text, word) != NULL;
}

static bool
wanted(const struct gpu *g, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (!holds(g->id, words[i]) && !holds(g->name, words[i]) &&
		    !holds(g->family, words[i]) &&
		    !holds(g->arch_name, words[i]) &&
		    !holds(segment_id(g->segment), words[i]))
			return false;
	return true;
}

static void
list_cards(struct arena *a, const struct catalog *c, const char *const *words,
    int n)
{
	printf("%-34s %8s %10s %12s %6s\n", "id", "GiB", "GB/s", "FP16 TFLOPS",
	    "W");
	for (int i = 0; i < c->n_gpus; i++) {
		const struct gpu *g = &c->gpus[i];
		const struct fact *peak = &g->peak[PEAK_FP16_TENSOR];

		if (!wanted(g, words, n))
			continue;
		if (!peak->known)
			peak = &g->peak[PEAK_FP16];
		printf("%-34s %8s %10s %12s %6s\n", g->id,
		    g->memory_bytes.known ? num_format(a,
		    g->memory_bytes.value / (1 << 30), 0, false) : "-",
		    g->bandwidth.known ? num_format(a,
		    g->bandwidth.value / 1e9, 0, false) : "-",
		    peak->known ? num_format(a, peak->value / 1e12, 1,
		    false) : "-",
		    g->power_w.known ? num_format(a, g->power_w.value, 0,
		    false) : "-");
	}
}

static bool
find_name(const struct catalog *c, const char *name, const struct gpu **found,
    int max, int *n, struct diag *d)
{
	const char *near;

	*n = catalog_find(c, name, found, max);
	if (*n > 0)
		return true;
	near = catalog_near(c, name);
	diag_error(d, (struct pos){0}, "card-unknown",
	    "no card is called '%s'", name);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	return false;
}

static bool
show(struct arena *a, const struct catalog *c, const char *name,
    struct diag *d)
{
	const struct gpu *found[16];
	const struct network *net = network_find(c, name);
	int n;

	if (net) {
		show_network(a, net);
		return true;
	}
	if (!find_name(c, name, found, 16, &n, d))
		return false;
	for (int i = 0; i < n && i < 16; i++)
		show_card(a, found[i]);
	return true;
}

static bool
find(const struct catalog *c, const char *name, struct diag *d)
{
	const struct gpu *found[16];
	int n;

	if (!find_name(c, name, found, 16, &n, d))
		return false;
	for (int i = 0; i < n && i < 16; i++)
		printf("%-34s %s\n", found[i]->id, found[i]->name);
	return true;
}

static int
catalog_usage(void)
{
	fputs("whygpu: usage: whygpu catalog list [WORD...] | show NAME | "
	    "find NAME\n", stderr);
	return EXIT_USAGE;
}

int
command_catalog(const struct options *o)
{
	const char *verb = o->args[0];
	struct arena *a = arena_new();
	struct diag d;
	struct catalog *c;
	bool ok = false;

	if (!(str_equal(verb, "list") || (o->n_args == 2 &&
	    (str_equal(verb, "show") || str_equal(verb, "find"))))) {
		arena_free(a);
		return catalog_usage();
	}
	diag_init(&d, a);
	c = catalog_read(a, o->catalog, &d);
	if (c && str_equal(verb, "list")) {
		list_cards(a, c, o->args + 1, o->n_args - 1);
		ok = true;
	} else if (c && str_equal(verb, "show")) {
		ok = show(a, c, o->args[1], &d);
	} else if (c) {
		ok = find(c, o->args[1], &d);
	}
	diag_print(&d, stderr);
	arena_free(a);
	return ok && d.n_errors == 0 ? EXIT_FINE : EXIT_INPUT;
}
