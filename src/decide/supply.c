/*
 * What happens when a planned card cannot be had: for each vendor of such a
 * pool the card and number that would do instead.
 */
#include "base/arena.h"
#include "decide/parts.h"

static bool
supply_asks(const struct fit *f)
{
	return f->gates[GATE_SUPPLY].state == STATE_ASK;
}

/* Another card that serves as things stand; best supply first. */
static const struct fit *
other_card(const struct decider *d, const struct vendor_decision *vd,
    const struct gpu *not_this)
{
	const struct fit *best = NULL;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (f->gpu == not_this || !choosable(d, f) || !rated(vd, f) ||
		    service_class(d, f->gpu) > 1)
			continue;
		if (best && supply_asks(f) != supply_asks(best)) {
			if (supply_asks(best))
				best = f;
			continue;
		}
		if (!best || fit_compare(d, f, best) < 0)
			best = f;
	}
	return best;
}

/* The change that moves the vendor to another card. */
static const struct change *
moving_change(const struct vendor_decision *vd, const struct gpu *not_this)
{
	for (int i = 0; i < vd->n_changes; i++) {
		const struct change *c = &vd->changes[i];

		if (c->fit && c->fit->gpu != not_this &&
		    c->fit->state != STATE_FAIL)
			return c;
	}
	return NULL;
}

static void
add_fallbacks(const struct decider *d, struct pool *pool)
{
	pool->fallback =
	    arena_alloc(d->a, pool->n_members + 1, sizeof(*pool->fallback));
	for (int i = 0; i < pool->n_members; i++) {
		const struct vendor_decision *vd = pool->members[i];
		struct fallback *b = &pool->fallback[i];
		const struct fit *f = other_card(d, vd, pool->gpu);
		const struct change *c =
		    f ? NULL : moving_change(vd, pool->gpu);

		*b = (struct fallback){vd, c ? c->id : NULL, c ? c->fit : f};
	}
}

void
plan_fallbacks(const struct decider *d, struct decision *dec)
{
	for (int i = 0; i < dec->plan.n_pools; i++) {
		struct pool *pool = &dec->plan.pools[i];

		pool->at_risk = pool->n_members > 0 &&
				supply_asks(pool->members[0]->planned);
		if (pool->at_risk)
			add_fallbacks(d, pool);
	}
}
