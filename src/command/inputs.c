#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "command/command.h"
#include "decide/decide.h"
#include "decide/outcome.h"
#include "input/input.h"

/* The day printed when the project gives none: reproducible builds first. */
static const char *
today(struct arena *a)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t t = time(NULL);
	struct tm tm;

	if (epoch) {
		char *end;
		long long v = strtoll(epoch, &end, 10);

		if (*epoch && *end == '\0' && v >= 0 && v < 253402300800LL)
			t = (time_t)v;
	}
	gmtime_r(&t, &tm);
	return arena_printf(a, "%04d-%02d-%02d", tm.tm_year + 1900,
	    tm.tm_mon + 1, tm.tm_mday);
}

bool
inputs_read(struct arena *a, const struct options *o, const char *path,
    struct inputs *in, struct diag *d)
{
	in->catalog = catalog_read_all(a, o->catalogs, o->n_catalogs, d);
	in->calibration = calibration_read(a, o->catalog, d);
	if (!in->catalog || !in->calibration)
		return false;
	in->project = project_read(a, path, in->catalog, d);
	if (!in->project || d->n_errors)
		return false;
	if (!in->project->date)
		in->project->date = today(a);
	return true;
}

void
inputs_decide(struct arena *a, struct inputs *in)
{
	in->decision =
	    decide_project(a, in->project, in->catalog, in->calibration);
	in->results = outcome_build(a, in->project, in->catalog,
	    in->calibration, in->decision);
}
