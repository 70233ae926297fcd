#include <stdio.h>

#include "base/arena.h"
#include "command/command.h"
#include "data/needs.h"

/* Read everything, say what is wrong; silent problems stay silent. */
int
command_check(const struct options *o)
{
	struct arena *a = arena_new();
	struct inputs in = {0};
	struct diag d;
	bool ok;

	diag_init(&d, a);
	ok = inputs_read(a, o, o->args[0], &in, &d);
	diag_print(&d, stderr);
	if (ok)
		printf("%s: vendors: %d, errors: 0, warnings: %d\n", o->args[0],
		    in.project->n_vendors, d.n - d.n_errors);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
