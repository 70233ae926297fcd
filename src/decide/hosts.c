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

double
card_slots(const struct gpu *g)
{
	return g->slots.known && g->slots.value > 2 ? ceil(g->slots.value / 2)
						    : 1;
}

void
site_limits(const struct project *p, double *slots, double *watts)
{
	*slots = *watts = INFINITY;
	if (p->site.servers.known && p->site.slots.known)
		*slots = p->site.servers.value * p->site.slots.value;
	if (p->site.servers.known && p->site.server_power_w.known)
		*watts = p->site.servers.value * p->site.server_power_w.value;
	if (p->site.power_w.known)
		*watts = fmin(*watts, p->site.power_w.value);
}

/* Servers for so many slots and watts. */
static double
servers_for(const struct project *p, double slots, double watts)
{
	double n = ceil(slots / p->site.slots.value);

	if (p->site.server_power_w.known)
		n = fmax(n, ceil(watts / p->site.server_power_w.value));
	return n;
}

static void
count_servers(const struct project *p, struct plan *plan)
{
	double all = 0, power = 0;

	if (!p->site.slots.known || p->site.slots.value < 1)
		return;
	for (int i = 0; i < plan->n_pools; i++) {
		struct pool *pool = &plan->pools[i];
		double n = pool->cards + pool->spare;
		double slots = card_slots(pool->gpu) * n;
		double watts =
		    pool->gpu->power_w.known ? pool->gpu->power_w.value * n : 0;

		pool->servers = servers_for(p, slots, watts);
		plan->servers_apart += pool->servers;
		all += slots;
		power += watts;
	}
	plan->slots = all;
	plan->servers = servers_for(p, all, power);
}

static void
add_limit(const struct decider *d, struct plan *plan, const char *id,
    double need, double have, enum unit u)
{
	if (need > have * (1 + 1e-9))
		*(struct plan_limit *)arena_push(d->a, &plan->limits,
		    &plan->n_limits, sizeof(struct plan_limit)) =
		    (struct plan_limit){id, need, have, u};
}

/* Limits that not even the least plan keeps. */
static void
check_limits(const struct decider *d, struct plan *plan)
{
	double slots, watts, need_slots = 0, need_watts = 0;

	site_limits(d->p, &slots, &watts);
	for (int i = 0; i < plan->n_pools; i++) {
		const struct pool *p = &plan->pools[i];

		need_slots += card_slots(p->gpu) * (p->cards + p->spare);
		need_watts += p->gpu->power_w.value * (p->cards + p->spare);
	}
	add_limit(d, plan, "slots", need_slots, slots, UNIT_COUNT);
	add_limit(d, plan, "power", need_watts, watts, UNIT_WATT);
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

bool
hosts_clash(const struct vendor *x, const struct vendor *y)
{
	const struct runtime *rt = &x->runtime;

	return rt->driver.known && rt->driver_fixed.known &&
	       rt->driver_fixed.value != 0 && y->runtime.cuda.known &&
	       rt->driver.value < driver_for_cuda(y->runtime.cuda.value);
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
	check_limits(d, &dec->plan);
	count_on_site(d->p, &dec->plan);
	for (int i = 0; i < dec->n_vendors; i++)
		for (int j = 0; j < dec->n_vendors; j++)
			if (i != j)
				check_pair(d, &dec->plan, &dec->vendors[i],
				    &dec->vendors[j]);
}
