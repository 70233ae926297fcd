#include <stdio.h>

#include "base/arena.h"
#include "base/fs.h"
#include "command/command.h"
#include "render/pdfcheck.h"

enum { PDF_MAX_BYTES = 256 << 20 };

/* Is a file PDF/A-3a and PDF/UA-1, by all rules that we know? */
int
command_pdfcheck(const struct options *o)
{
	struct arena *a = arena_new();
	struct source *src;
	struct diag d;
	bool ok;
	int n;

	diag_init(&d, a);
	src = fs_read(a, o->args[0], PDF_MAX_BYTES, (struct pos){0}, &d);
	ok = src && pdfcheck(a, src, &d);
	pdfcheck_rules(&n);
	if (ok)
		printf("%s: PDF/A-3a and PDF/UA-1 by all %d rules\n",
		    o->args[0], n);
	diag_print(&d, stderr);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
