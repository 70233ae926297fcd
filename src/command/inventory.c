#include <stdio.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "command/command.h"
#include "data/needs.h"
#include "input/input.h"

/* Names of what a file does not say, joined for one line. */
struct gaps {
	struct str text;
	int n;
};

static void
gap(struct gaps *g, bool missing, const char *what)
{
	if (!missing)
		return;
	if (g->n++)
		str_add(&g->text, ", ");
	str_add(&g->text, what);
}

static const char *
amount(struct arena *a, struct fact f, double scale, const char *unit)
{
	return f.known ? arena_printf(a, "%s %s",
			     num_format(a, f.value * scale, 0, true), unit)
		       : "unknown";
}

static void
print_memory(struct arena *a, const struct device *dev)
{
	printf("  memory %s",
	    amount(a, dev->total_bytes, 1.0 / (1 << 20), "MiB"));
	if (dev->gpu && dev->gpu->memory_bytes.known)
		printf(" (nominal %s)",
		    amount(a, dev->gpu->memory_bytes, 1.0 / (1 << 30), "GiB"));
	if (dev->slices)
		printf(", MIG: %d slices of %s", dev->slices,
		    amount(a, dev->slice_bytes, 1.0 / (1 << 20), "MiB"));
	putchar('\n');
}

/* What the card itself allows of CUDA, beside the driver's ceiling. */
static void
print_cuda(const struct gpu *g)
{
	const struct arch *h = g->arch;

	if (g->cc == 0 || !h)
		return;
	printf("  compute capability %d.%d", g->cc / 10, g->cc % 10);
	if (h->cuda_first.known)
		printf(", CUDA from %d.%d", (int)h->cuda_first.value / 100,
		    (int)h->cuda_first.value % 100);
	if (h->cuda_last.known)
		printf(" up to %d.%d", (int)h->cuda_last.value / 100,
		    (int)h->cuda_last.value % 100);
	putchar('\n');
}

static void
print_device(struct arena *a, const struct device *dev)
{
	struct gaps g = {.n = 0};

	printf("%s: %s%s\n", dev->product ? dev->product : "unnamed device",
	    dev->gpu ? dev->gpu->id : "not in the catalogue",
	    dev->healthy ? "" : ", does not answer fully");
	print_memory(a, dev);
	printf("  video clock up to %s, power limit %s\n",
	    amount(a, dev->max_video_hz, 1e-6, "MHz"),
	    amount(a, dev->power_limit_w, 1, "W"));
	if (dev->gpu)
		print_cuda(dev->gpu);
	str_init(&g.text, a);
	gap(&g, !dev->product, "name");
	gap(&g, !dev->total_bytes.known, "memory");
	gap(&g, dev->slices && !dev->slice_bytes.known, "memory of a slice");
	gap(&g, !dev->max_video_hz.known, "video clock");
	gap(&g, !dev->power_limit_w.known, "power limit");
	gap(&g, !dev->uuid, "UUID");
	if (g.n)
		printf("  not in the file: %s\n", g.text.s);
}

/* What nvidia-smi saw, matched to the catalogue. */
int
command_inventory(const struct options *o)
{
	struct arena *a = arena_new();
	struct inventory inv = {0};
	struct catalog *c;
	struct diag d;
	bool ok;
	int status;

	diag_init(&d, a);
	c = catalog_read_all(a, o->catalogs, o->n_catalogs, &d);
	ok = c && inventory_read(a, o->args[0], c, &inv, (struct pos){0}, &d);
	if (ok) {
		printf("driver %s; it runs programs built for CUDA up to "
		       "%s\n",
		    inv.driver ? inv.driver : "unknown",
		    inv.cuda ? inv.cuda : "unknown");
		for (int i = 0; i < inv.n_devices; i++)
			print_device(a, &inv.devices[i]);
	}
	fflush(stdout);
	diag_print(&d, stderr);
	status = ok && d.n_errors == 0 ? EXIT_FINE : EXIT_INPUT;
	arena_free(a);
	return status;
}
