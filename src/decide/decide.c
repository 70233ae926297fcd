#include "decide/decide.h"

#include "base/arena.h"
#include "decide/parts.h"

static void
decide_vendor(const struct decider *d, const struct vendor *v,
    struct vendor_decision *vd)
{
	struct demand dm = demand_of(d, v);

	vd->vendor = v;
	vd->fits = fit_all(d, &dm, &vd->n_fits);
	verdict_choose(d, vd);
	verdict_judge(d, &dm, vd);
}

/* What can be said once it is known what is bought. */
static void
advise_vendor(const struct decider *d, const struct vendor *v,
    const struct plan *plan, struct vendor_decision *vd)
{
	struct demand dm = demand_of(d, v);

	verdict_planned(d, vd);
	changes_find(d, &dm, plan, vd);
	questions_ask(d, &dm, vd);
}

static struct decision *
decide_vendors(const struct decider *d)
{
	struct decision *dec = arena_alloc(d->a, 1, sizeof(*dec));

	dec->n_vendors = d->p->n_vendors;
	dec->vendors =
	    arena_alloc(d->a, d->p->n_vendors + 1, sizeof(*dec->vendors));
	for (int i = 0; i < d->p->n_vendors; i++)
		decide_vendor(d, &d->p->vendors[i], &dec->vendors[i]);
	return dec;
}

struct decision *
decide_outline(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal)
{
	const struct decider d = {a, p, cat, cal};
	struct decision *dec = decide_vendors(&d);

	plan_make(&d, dec);
	plan_hosts(&d, dec);
	return dec;
}

struct decision *
decide_project(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal)
{
	const struct decider d = {a, p, cat, cal};
	struct decision *dec = decide_vendors(&d);

	dials_set(&d, dec);
	plan_make(&d, dec);
	for (int i = 0; i < p->n_vendors; i++)
		advise_vendor(&d, &p->vendors[i], &dec->plan, &dec->vendors[i]);
	plan_fallbacks(&d, dec);
	plan_rebuilds(&d, dec);
	plan_hosts(&d, dec);
	return dec;
}
