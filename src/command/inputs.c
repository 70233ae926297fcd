#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "command/command.h"
#include "decide/decide.h"
#include "decide/outcome.h"
#include "decide/whatif.h"
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

static const char *
date_of(struct arena *a, const struct project *p)
{
	return p->date ? p->date : today(a);
}

/* Errors of a what_if, at its line; its warnings are those of the project. */
static void
pass_errors(const struct diag *from, struct diag *d)
{
	for (int i = 0; i < from->n; i++) {
		const struct problem *p = &from->problems[i];

		if (p->severity != SEV_ERROR)
			continue;
		diag_error(d, p->pos, p->id, "%s", p->text);
		if (p->note)
			diag_note(d, "%s", p->note);
	}
}

/* The options' settings, then those of the what_if. */
static struct setting *
settings_of(struct arena *a, const struct options *o, const struct what_if *w)
{
	struct setting *all =
	    arena_alloc(a, (size_t)o->n_settings + w->n_set + 1, sizeof(*all));

	for (int i = 0; i < o->n_settings; i++)
		all[i] = o->settings[i];
	for (int i = 0; i < w->n_set; i++)
		all[o->n_settings + i] = w->set[i];
	return all;
}

static void
read_variant(struct arena *a, const struct options *o, const char *path,
    struct inputs *in, const struct what_if *w, struct diag *d)
{
	struct variant *v =
	    arena_push(a, &in->variants, &in->n_variants, sizeof(*v));
	struct diag own;

	diag_init(&own, a);
	v->asked = w;
	v->project = project_read_set(a, path, settings_of(a, o, w),
	    o->n_settings + w->n_set, in->catalog, &own);
	pass_errors(&own, d);
	if (v->project)
		v->project->date = date_of(a, v->project);
}

bool
inputs_read_common(struct arena *a, const struct options *o, struct inputs *in,
    struct diag *d)
{
	in->catalog = catalog_read_all(a, o->catalogs, o->n_catalogs, d);
	in->calibration = calibration_read(a, o->catalog, d);
	return in->catalog && in->calibration;
}

bool
inputs_read_project(struct arena *a, const struct options *o, const char *path,
    struct inputs *in, struct diag *d)
{
	in->project = project_read_set(a, path, o->settings, o->n_settings,
	    in->catalog, d);
	if (!in->project || d->n_errors)
		return false;
	in->project->date = date_of(a, in->project);
	for (int i = 0; i < in->project->n_what_ifs; i++)
		read_variant(a, o, path, in, &in->project->what_ifs[i], d);
	return d->n_errors == 0;
}

bool
inputs_read(struct arena *a, const struct options *o, const char *path,
    struct inputs *in, struct diag *d)
{
	return inputs_read_common(a, o, in, d) &&
	       inputs_read_project(a, o, path, in, d);
}

void
inputs_decide(struct arena *a, struct inputs *in)
{
	in->decision =
	    decide_project(a, in->project, in->catalog, in->calibration);
	in->results = outcome_build(a, in->project, in->catalog,
	    in->calibration, in->decision);
	for (int i = 0; i < in->n_variants; i++) {
		const struct variant *v = &in->variants[i];

		what_if_add(a, in->results, v->asked, in->project, v->project,
		    in->catalog, in->calibration, in->decision);
	}
}
