/*
 * Where the cards stand: servers for them, what is there already, and
 * vendors that cannot share a machine because one driver serves it.
 */
#include <math.h>

#include "base/arena.h"
#include "decide/parts.h"

/*
 * The driver branch each CUDA major release (or early minor one) needs at
 * least, minor version compatibility included: CUDA Toolkit Release Notes,
 * "CUDA toolkit and corresponding driver versions" (catalogue source
 * CUDADRV).
 */
static const struct {
	int release, driver;
} least_driver[] = {
    {800, 375},
    {900, 384},
    {901, 390},
    {902, 396},
    {1000, 410},
    {1001, 418},
    {1002, 440},
    {1100, 450},
    {1200, 525},
    {1300, 580},
};

int
driver_for_cuda(double release)
{
	int driver = 0;

	for (size_t i = 0; i < sizeof(least_driver) / sizeof(*least_driver);
	     i++)
		if (least_driver[i].release <= release)
			driver = least_driver[i].driver;
	return driver;
}

/* Double-width slots a card takes. */
static double
slots_of(const struct gpu *g)
{
	return g->slots.known && g->slots.value > 2 ? ceil(g->slots.value / 2)
						    : 1;
}

static void
count_servers(const struct project *p, struct plan *plan)
{
	double all = 0;

	if (!p->site.slots.known || p->site.slots.value < 1)
		return;
	for (int i = 0; i < plan->n_pools; i++) {
		struct pool *pool = &plan->pools[i];
		double n = slots_of(pool->gpu) * (pool->cards + pool->spare);

		pool->servers = ceil(n / p->site.slots.value);
		plan->servers_apart += pool->servers;
		all += n;
	}
	plan->slots = all;
	plan->servers = ceil(all / p->site.slots.value);
}

static void
count_on_site(const struct project *p, struct plan *plan)
{
	for (int i = 0; i < p->n_inventories; i++)
		for (int j = 0; j < p->inventories[i].n_devices; j++) {
			const struct device *dev =
			    &p->inventories[i].devices[j];

			for (int k = 0; k < plan->n_pools && dev->healthy; k++)
				plan->pools[k].on_site +=
				    plan->pools[k].gpu == dev->gpu;
		}
}

static bool
same_pool(const struct vendor_decision *x, const struct vendor_decision *y)
{
	return x->planned && y->planned && x->planned->gpu == y->planned->gpu;
}

/* `x` states a driver that is too old for the CUDA release of `y`. */
static void
check_pair(const struct decider *d, struct plan *plan,
    const struct vendor_decision *x, const struct vendor_decision *y)
{
	struct fact driver = x->vendor->runtime.driver;
	struct fact cuda = y->vendor->runtime.cuda;
	int needs = cuda.known ? driver_for_cuda(cuda.value) : 0;
	struct driver_conflict *c;

	if (!driver.known || driver.value >= needs || !x->planned ||
	    !y->planned)
		return;
	c = arena_push(d->a, &plan->conflicts, &plan->n_conflicts, sizeof(*c));
	*c = (struct driver_conflict){x, y, (int)driver.value, needs,
	    same_pool(x, y),
	    x->vendor->runtime.driver_fixed.known &&
		x->vendor->runtime.driver_fixed.value != 0};
}

void
plan_hosts(const struct decider *d, struct decision *dec)
{
	count_servers(d->p, &dec->plan);
	count_on_site(d->p, &dec->plan);
	for (int i = 0; i < dec->n_vendors; i++)
		for (int j = 0; j < dec->n_vendors; j++)
			if (i != j)
				check_pair(d, &dec->plan, &dec->vendors[i],
				    &dec->vendors[j]);
}
