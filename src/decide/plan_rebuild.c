/*
 * What becomes possible when vendors deliver a newer build: the purchase
 * planned again as if each had, and as if all had.
 */
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

/* The change that is a newer build, if it helps the vendor. */
static const struct change *
build_change(const struct vendor_decision *vd)
{
	for (int i = 0; i < vd->n_changes; i++)
		if (strcmp(vd->changes[i].id, "cuda") == 0)
			return &vd->changes[i];
	return NULL;
}

/* The vendor decided afresh, with its newer build. */
static void
decide_rebuilt(const struct decider *d, const struct vendor *v,
    struct vendor_decision *then)
{
	struct vendor *copy = arena_alloc(d->a, 1, sizeof(*copy));
	struct demand dm;

	*copy = *v;
	vendor_rebuild(copy);
	*then = (struct vendor_decision){.vendor = copy};
	dm = demand_of(d, copy);
	then->fits = fit_all(d, &dm, &then->n_fits);
	verdict_choose(d, then);
	verdict_judge(d, &dm, then);
}

/* Cheaper in the measure of the plan, or somebody more is served. */
static bool
worth_telling(const struct decision *dec, const struct rebuild *r)
{
	return r->serves || r->way.worth < dec->plan.way.worth * 0.999;
}

static void
add_rebuild(const struct decider *d, struct decision *dec,
    const struct decision *then, struct rebuild r)
{
	if (plan_best(d, then, &r.way) && worth_telling(dec, &r))
		*(struct rebuild *)arena_push(d->a, &dec->plan.rebuilds,
		    &dec->plan.n_rebuilds, sizeof(r)) = r;
}

void
plan_rebuilds(const struct decider *d, struct decision *dec)
{
	struct decision one = *dec, all = *dec;
	size_t bytes = (size_t)dec->n_vendors * sizeof(*dec->vendors);
	struct rebuild together = {.change = "cuda"};
	int n = 0;

	if (dec->n_vendors == 0)
		return;
	one.vendors = arena_alloc(d->a, dec->n_vendors, sizeof(*one.vendors));
	all.vendors = arena_alloc(d->a, dec->n_vendors, sizeof(*all.vendors));
	memcpy(all.vendors, dec->vendors, bytes);
	for (int i = 0; i < dec->n_vendors; i++) {
		const struct vendor_decision *vd = &dec->vendors[i];
		const struct change *c = build_change(vd);

		if (!c)
			continue;
		decide_rebuilt(d, vd->vendor, &all.vendors[i]);
		memcpy(one.vendors, dec->vendors, bytes);
		one.vendors[i] = all.vendors[i];
		add_rebuild(d, dec, &one,
		    (struct rebuild){.vendor = vd,
			.change = c->id,
			.from = c->from,
			.to = c->to,
			.serves = !vd->planned});
		together.serves |= !vd->planned;
		n++;
	}
	if (n > 1)
		add_rebuild(d, dec, &all, together);
}
