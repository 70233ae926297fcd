#include <stdio.h>

#include "base/arena.h"
#include "base/num.h"
#include "command/command.h"
#include "data/needs.h"
#include "input/input.h"

static const char *
mebibytes(struct arena *a, struct fact f)
{
	return f.known ? arena_printf(a, "%s MiB",
	    num_format(a, f.value / (1 << 20), 0, true)) : "memory unknown";
}

static void
print_device(struct arena *a, const struct device *dev)
{
	printf("%-44s %-32s %s", dev->product ? dev->product : "?",
	    dev->gpu ? dev->gpu->id : "not in the catalogue",
	    mebibytes(a, dev->total_bytes));
	if (dev->slices)
		printf(", %d slices of %s", dev->slices,
		    mebibytes(a, dev->slice_bytes));
	puts(dev->healthy ? "" : ", does not answer fully");
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

	diag_init(&d, a);
	c = catalog_read(a, o->catalog, &d);
	ok = c && inventory_read(a, o->args[0], c, &inv, (struct pos){0}, &d);
	if (ok) {
		printf("driver %s, CUDA up to %s\n",
		    inv.driver ? inv.driver : "unknown",
		    inv.cuda ? inv.cuda : "unknown");
		for (int i = 0; i < inv.n_devices; i++)
			print_device(a, &inv.devices[i]);
	}
	diag_print(&d, stderr);
	arena_free(a);
	return ok && d.n_errors == 0 ? EXIT_FINE : EXIT_INPUT;
}
