#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/catalog.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A column: a figure by its id, or one of the texts of a card. */
static const struct {
	const char *head, *figure;
} columns[] = {
    {"fp16t", "fp16-tensor"},
    {"fp32", "fp32"},
    {"mem", "size"},
    {"bandw", "bandwidth"},
    {"power", "power"},
    {"form", NULL},
    {"link", NULL},
    {"cool", NULL},
    {"ecc", "ecc"},
    {"nvdec", "decoders"},
    {"nvenc", "encoders"},
    {"gen", "generation"},
    {"cc", NULL},
    {"softw", NULL},
    {"date", NULL},
    {"price", "price-usd"},
};

/*
 * Whether a card can have the figure at all: a chip without matrix units
 * has no tensor rate, only NVIDIA has compute capabilities.
 */
static bool
applies(const struct gpu *g, const char *head)
{
	if (str_equal(head, "fp16t"))
		return g->segment != SEGMENT_CPU &&
		       (g->vendor != VENDOR_NVIDIA ||
			   (g->cc >= 70 &&
			       (g->tensor_cores.known || !g->cores.known)));
	if (str_equal(head, "cc"))
		return g->vendor == VENDOR_NVIDIA;
	if (str_equal(head, "nvdec") || str_equal(head, "nvenc") ||
	    str_equal(head, "gen") || str_equal(head, "softw"))
		return g->segment != SEGMENT_CPU;
	return true;
}

static bool
has(const struct gpu *g, int column)
{
	const char *head = columns[column].head;

	if (columns[column].figure)
		return gpu_fact(g, gpu_figure_find(columns[column].figure))
		    ->known;
	if (str_equal(head, "form"))
		return g->form != NULL;
	if (str_equal(head, "link"))
		return g->link != NULL;
	if (str_equal(head, "cool"))
		return g->cooling != COOLING_UNKNOWN;
	if (str_equal(head, "cc"))
		return g->cc > 0;
	if (str_equal(head, "softw"))
		return g->vendor == VENDOR_NVIDIA
			   ? g->arch && (g->arch->cuda_first.known ||
					    g->arch->n_supports > 0)
			   : g->software != NULL;
	return g->launched != NULL;
}

/* What stands in the same line of the table. */
static bool
same_row(const struct gpu *x, const struct gpu *y)
{
	return str_equal(x->vendor_name, y->vendor_name) &&
	       str_equal(x->family, y->family) && x->arch == y->arch;
}

static void
print_row(const char *label, const char *arch, const struct gpu *const *cards,
    int n, const struct gpu *like)
{
	int all = 0;

	for (int i = 0; i < n; i++)
		all += !like || same_row(cards[i], like);
	printf("%-34.34s %-16.16s %4d", label, arch, all);
	for (int k = 0; k < N_OF(columns); k++) {
		int of = 0, known = 0;

		for (int i = 0; i < n; i++) {
			if ((like && !same_row(cards[i], like)) ||
			    !applies(cards[i], columns[k].head))
				continue;
			of++;
			known += has(cards[i], k);
		}
		if (of)
			printf(" %5d", 100 * known / of);
		else
			printf(" %5s", "-");
	}
	putchar('\n');
}

void
catalog_coverage(struct arena *a, const struct catalog *c,
    const struct gpu *const *cards, int n)
{
	bool *done = arena_alloc(a, (size_t)n + 1, sizeof(*done));

	(void)c;
	printf("%-34s %-16s %4s", "family", "architecture", "n");
	for (int k = 0; k < N_OF(columns); k++)
		printf(" %5s", columns[k].head);
	puts("   (per cent of cards)");
	for (int i = 0; i < n; i++) {
		if (done[i])
			continue;
		for (int k = i; k < n; k++)
			done[k] |= same_row(cards[k], cards[i]);
		print_row(cards[i]->family,
		    cards[i]->arch_name ? cards[i]->arch_name : "-", cards, n,
		    cards[i]);
	}
	print_row("all", "", cards, n, NULL);
}
