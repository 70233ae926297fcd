/* decide/plan.c: what to buy for all */
#include "decide_fixture.h"

static const struct pool *
pool_of(const struct decision *d, const char *id)
{
	for (int i = 0; i < d->plan.n_pools; i++)
		if (strcmp(d->plan.pools[i].gpu->id, id) == 0)
			return &d->plan.pools[i];
	return NULL;
}

static struct vendor *
turing_only(const char *id, int count)
{
	struct vendor *v = vendor_of(id, count, 10, 10);

	v->runtime.ships = SHIPS_ENGINE_FILES;
	v->runtime.built_for[0] = 75;
	v->runtime.n_built_for = 1;
	return v;
}

static struct vendor *
large(const char *id, double bytes)
{
	struct vendor *v = vendor_of(id, 1, 1, 10);

	v->memory.peak = known(bytes);
	return v;
}

/* One kind serves both, though each would alone take another. */
static void
test_fewest_kinds(void **state)
{
	struct vendor *v[] = {vendor_of("A", 10, 10, 10), large("B", 30e9)};
	struct decision *d = decide(v, 2,
	    cards_only("nvidia-l4", "nvidia-a40", "nvidia-l40s", NULL));

	(void)state;
	assert_int_equal(d->plan.n_pools, 1);
	assert_int_equal(d->plan.pools[0].n_members, 2);
	assert_true(d->plan.pools[0].gpu->memory_bytes.value > 40e9);
	assert_int_equal(d->plan.n_unserved, 0);
	assert_ptr_equal(d->vendors[0].planned->gpu, d->plan.pools[0].gpu);
}

/* An engine for 7.5 and a memory of 30 GB: T4 and a 48 GB card, two pools,
 * and no single model; the old 48 GB card of 7.5 is not bought for the
 * second vendor, who has a current one. */
static void
test_two_pools(void **state)
{
	struct vendor *v[] = {turing_only("S1", 10), large("S6", 30e9)};
	struct decision *d = decide(v, 2,
	    cards_only("nvidia-t4", "nvidia-quadro-rtx-8000", "nvidia-l40s",
		NULL));

	(void)state;
	assert_int_equal(d->plan.n_pools, 2);
	assert_non_null(pool_of(d, "nvidia-t4"));
	assert_non_null(pool_of(d, "nvidia-l40s"));
	/* Yet one model would do: the report says what stands against it. */
	assert_non_null(d->plan.single);
	assert_string_equal(d->plan.single->id, "nvidia-quadro-rtx-8000");
}

static void
test_no_single(void **state)
{
	struct vendor *v[] = {turing_only("S1", 10), large("S6", 30e9),
	    vendor_of("S3", 1, 1, 1)};
	struct decision *d =
	    decide(v, 3, cards_only("nvidia-t4", "nvidia-l40s", NULL));

	(void)state;
	assert_null(d->plan.single);
	assert_int_equal(d->plan.single_cards, 0);
	/* L40S serves S6 and S3, T4 serves S1 and S3: the newer is nearer. */
	assert_string_equal(d->plan.single_near->id, "nvidia-l40s");
}

/* Not shared: 1.0 / 0.7 and 1.0 / 0.7 are two cards each, four.  Shared:
 * 2.86 cards, three.  A spare is added once for the pool. */
static void
test_sharing(void **state)
{
	struct vendor *v[] = {vendor_of("A", 10, 10, 10),
	    vendor_of("B", 10, 10, 10)};
	const struct catalog *c = cards_only("nvidia-t4", NULL);
	struct decision *d = decide(v, 2, c);

	(void)state;
	assert_int_equal(d->plan.pools[0].cards, 4);
	assert_int_equal(d->plan.pools[0].spare, 0);
	project.policy.share = true;
	project.policy.spare_per_pool = 1;
	d = decide(v, 2, c);
	assert_int_equal(d->plan.pools[0].cards, 3);
	assert_int_equal(d->plan.pools[0].spare, 1);
	near_to(d->plan.pools[0].member_cards[0], 2, 1e-12);
}

/* 10 GB each do not fit side by side in 16: no sharing, one card each. */
static void
test_no_sharing_without_memory(void **state)
{
	struct vendor *v[] = {large("A", 10e9), large("B", 10e9)};
	const struct catalog *c = cards_only("nvidia-t4", NULL);
	struct decision *d;

	(void)state;
	project.policy.share = true;
	d = decide(v, 2, c);
	assert_int_equal(d->plan.pools[0].cards, 2);
	v[1]->memory.peak = known(1e9);
	d = decide(v, 2, c);
	assert_int_equal(d->plan.pools[0].cards, 1);
}

/* Nobody is dropped in silence. */
static void
test_unserved_are_listed(void **state)
{
	struct vendor *v[] = {vendor_of("A", 1, 1, 10), large("B", 200e9)};
	struct decision *d =
	    decide(v, 2, cards_only("nvidia-l4", "nvidia-l40s", NULL));

	(void)state;
	assert_int_equal(d->plan.n_unserved, 1);
	assert_string_equal(d->plan.unserved[0]->vendor->id, "B");
	assert_null(d->vendors[1].planned);
	assert_int_equal(d->plan.n_pools, 1);
	assert_int_equal(d->plan.pools[0].n_members, 1);
	/* A single model for those who can be served at all. */
	assert_non_null(d->plan.single);
}

static void
test_nobody_served(void **state)
{
	struct vendor *v[] = {large("A", 500e9)};
	struct decision *d = decide(v, 1, cat);

	(void)state;
	assert_int_equal(d->plan.n_pools, 0);
	assert_int_equal(d->plan.n_unserved, 1);
	assert_null(d->plan.single);
}

static void
test_empty_project(void **state)
{
	struct decision *d = decide(NULL, 0, cat);

	(void)state;
	assert_int_equal(d->n_vendors, 0);
	assert_int_equal(d->plan.n_pools, 0);
}

/* With prices for everything the money decides: two kinds at 2 x 1000 and
 * 1 x 9000 beat one kind at 9000 a card. */
static void
test_prices_decide(void **state)
{
	struct vendor *v[] = {vendor_of("A", 10, 10, 10), large("B", 30e9)};
	struct catalog *c = cards_only("nvidia-l4", "nvidia-l40s", NULL);
	struct price prices[] = {
	    {catalog_gpu(c, "nvidia-l4"), 1000, "CNY", {0}},
	    {catalog_gpu(c, "nvidia-l40s"), 9000, "CNY", {0}},
	};
	struct decision *d;

	(void)state;
	project.prices = prices;
	project.n_prices = 2;
	d = decide(v, 2, c);
	project.n_prices = 0;
	assert_int_equal(d->plan.n_pools, 2);
	assert_string_equal(d->vendors[0].planned->gpu->id, "nvidia-l4");
	assert_string_equal(d->vendors[1].planned->gpu->id, "nvidia-l40s");
}

/* Five vendors that share no card: more kinds than the exact search tries,
 * all served. */
static void
test_many_kinds(void **state)
{
	static const int cc[] = {61, 70, 75, 80, 89};
	struct vendor *v[5];
	struct decision *d;

	(void)state;
	for (int i = 0; i < 5; i++) {
		v[i] = turing_only("V", 1);
		v[i]->runtime.built_for[0] = cc[i];
		v[i]->runtime.cuda = (struct fact){0};
	}
	d = decide(v, 5, cat);
	assert_int_equal(d->plan.n_unserved, 0);
	assert_int_equal(d->plan.n_pools, 5);
}

/* Over many projects: every vendor is in exactly one pool or unserved, on a
 * card that does not fail, and the pool has the cards its members need. */
static void
test_everyone_is_placed_once(void **state)
{
	(void)state;
	seed_state = 11;
	for (int i = 0; i < 25; i++) {
		struct vendor *v[6];
		struct decision *d;
		int placed = 0;

		project.policy.share = pick(2);
		for (int k = 0; k < 6; k++) {
			v[k] = pick(3) ? vendor_of("V", 1 + pick(60),
					     1 + pick(25), 1 + pick(40))
				       : turing_only("T", 1 + pick(60));
			v[k]->memory.peak = known(1e9 * (1 + pick(60)));
		}
		d = decide(v, 6, cat);
		for (int k = 0; k < d->plan.n_pools; k++) {
			const struct pool *p = &d->plan.pools[k];
			double sum = 0;

			placed += p->n_members;
			for (int m = 0; m < p->n_members; m++) {
				const struct fit *f = p->members[m]->planned;

				assert_ptr_equal(f->gpu, p->gpu);
				assert_true(f->state != STATE_FAIL);
				sum += f->share;
			}
			assert_true(p->cards + 1e-6 >= sum);
			assert_true(p->n_members > 0);
		}
		assert_int_equal(placed + d->plan.n_unserved, 6);
	}
}

static void
test_same_input_same_plan(void **state)
{
	struct vendor *v[] = {vendor_of("A", 30, 10, 10), large("B", 30e9),
	    turing_only("C", 10)};
	struct decision *x = decide(v, 3, cat), *y = decide(v, 3, cat);

	(void)state;
	assert_int_equal(x->plan.n_pools, y->plan.n_pools);
	for (int i = 0; i < x->plan.n_pools; i++) {
		assert_string_equal(x->plan.pools[i].gpu->id,
		    y->plan.pools[i].gpu->id);
		assert_int_equal(x->plan.pools[i].cards,
		    y->plan.pools[i].cards);
	}
}

/* 1.3 / 0.7 = 1.86 card-loads each on an L4, and a band: the pool's ends
 * are those of the sums, 2 x 1.86 = 3.7, not of the rounded members. */
static void
test_pool_over_the_band(void **state)
{
	struct vendor *v[] = {vendor_of("A", 10, 13, 10),
	    vendor_of("B", 10, 13, 10)};
	const struct catalog *c = cards_only("nvidia-l4", NULL);
	const struct pool *p;
	double low, high;

	(void)state;
	p = &decide(v, 2, c)->plan.pools[0];
	assert_false(p->shared);
	assert_true(p->cards_alone == p->cards);
	low = p->members[0]->planned->cards_low;
	high = p->members[0]->planned->cards_high;
	assert_true(high > low);
	assert_true(p->cards_low == 2 * low && p->cards_high == 2 * high);
	project.policy.share = true;
	p = &decide(v, 2, c)->plan.pools[0];
	assert_int_equal(p->cards_high,
	    (int)ceil(2 * p->members[0]->planned->share_high - 1e-9));
	assert_true(p->cards_low <= p->cards && p->cards <= p->cards_high);
	assert_true(p->shared == (p->cards < p->cards_alone));
}

/* Nobody says that a T4 is still made: the pool is at risk, and a rebuild
 * moves the vendor to an L4.  With one card in the catalogue there is no way
 * out, and none is invented. */
static void
test_fallback(void **state)
{
	struct vendor *v[] = {turing_only("S1", 10),
	    vendor_of("B", 10, 10, 10)};
	struct decision *d =
	    decide(v, 1, cards_only("nvidia-t4", "nvidia-l4", NULL));
	const struct pool *p = pool_of(d, "nvidia-t4");

	(void)state;
	assert_true(p->at_risk);
	assert_string_equal(p->fallback[0].change, "cuda");
	assert_string_equal(p->fallback[0].fit->gpu->id, "nvidia-l4");
	assert_true(p->fallback[0].fit->state != STATE_FAIL);
	d = decide(v + 1, 1, cards_only("nvidia-l4", NULL));
	assert_false(pool_of(d, "nvidia-l4")->at_risk);
	/* L40S: a dated note on supply. */
	v[1]->memory.peak = known(30e9);
	ask_for(v[1], "nvidia-l40s", 1);
	d = decide(v + 1, 1, cards_only("nvidia-l40s", NULL));
	p = pool_of(d, "nvidia-l40s");
	assert_true(p->at_risk);
	assert_null(p->fallback[0].fit);
	assert_null(p->fallback[0].change);
}

/* Four slots a server: 20 cards and a spare are 21, six servers. */
static void
test_servers(void **state)
{
	struct vendor *v[] = {turing_only("A", 140)};
	const struct plan *p;

	(void)state;
	/* 140 x 10 x 10 ms = 14 card-seconds / 0.7: 20. */
	p = &decide(v, 1, cards_only("nvidia-t4", NULL))->plan;
	assert_true(p->servers == 0); /* no server described */
	project.site.slots = known(4);
	project.policy.spare_per_pool = 1;
	p = &decide(v, 1, cards_only("nvidia-t4", NULL))->plan;
	assert_int_equal(p->pools[0].cards, 20);
	assert_true(p->slots == 21 && p->servers == 6);
	assert_true(p->servers_apart == 6);
}

/* Pools of their own may leave slots empty: 1 + 1 cards share a server of
 * four, and take two when apart. */
static void
test_servers_apart(void **state)
{
	struct vendor *v[] = {turing_only("A", 1), large("B", 30e9)};
	const struct plan *p;

	(void)state;
	project.site.slots = known(4);
	p = &decide(v, 2, cards_only("nvidia-t4", "nvidia-l40s", NULL))->plan;
	assert_int_equal(p->n_pools, 2);
	assert_true(p->servers == 1 && p->servers_apart == 2);
}

/* What stands on the site is counted, and taken off nothing. */
static void
test_on_site(void **state)
{
	struct catalog *c = cards_only("nvidia-t4", NULL);
	struct device devices[] = {
	    {.gpu = &c->gpus[0], .healthy = true},
	    {.gpu = &c->gpus[0], .healthy = false},
	    {.gpu = NULL, .healthy = true},
	};
	struct inventory room = {.devices = devices, .n_devices = 3};
	struct vendor *v[] = {turing_only("A", 10)};
	const struct plan *p;
	int before;

	(void)state;
	before = decide(v, 1, c)->plan.pools[0].cards;
	project.inventories = &room;
	project.n_inventories = 1;
	p = &decide(v, 1, c)->plan;
	project.n_inventories = 0;
	assert_int_equal(p->pools[0].on_site, 1);
	assert_int_equal(p->pools[0].cards, before);
}

/* Cards on site serve first where the project says so: two healthy T4 are
 * taken off the five that are needed (10 x 10 x 24 ms = 2.4 / 0.7: 4, and a
 * spare); the plan itself stays the same. */
static void
test_inventory_first(void **state)
{
	struct catalog *c = cards_only("nvidia-t4", NULL);
	struct device devices[] = {
	    {.gpu = &c->gpus[0], .healthy = true},
	    {.gpu = &c->gpus[0], .healthy = true},
	    {.gpu = &c->gpus[0], .healthy = false},
	};
	struct inventory room = {.devices = devices, .n_devices = 3};
	struct vendor *v[] = {vendor_of("A", 10, 10, 24)};
	const struct plan *p;

	(void)state;
	project.policy.spare_per_pool = 1;
	project.inventories = &room;
	project.n_inventories = 1;
	p = &decide(v, 1, c)->plan;
	assert_int_equal(p->pools[0].cards, 4);
	assert_int_equal(p->pools[0].buy, 5);
	project.policy.use_inventory = true;
	p = &decide(v, 1, c)->plan;
	assert_int_equal(p->pools[0].cards, 4);
	assert_int_equal(p->pools[0].buy, 3);
	assert_int_equal(p->way.buy, 3);
	assert_true(p->inventory_used);
}

/* A drawer of L4 turns the purchase: with them A costs nothing, and one L40S
 * is left to buy where both vendors would share several. */
static void
test_inventory_turns_the_plan(void **state)
{
	struct catalog *c = cards_only("nvidia-l4", "nvidia-l40s", NULL);
	struct device devices[20];
	struct inventory room = {.devices = devices, .n_devices = 20};
	struct vendor *v[] = {vendor_of("A", 80, 10, 10), large("B", 30e9)};
	struct decision *d;

	(void)state;
	for (int i = 0; i < 20; i++)
		devices[i] =
		    (struct device){.gpu = &c->gpus[0], .healthy = true};
	project.inventories = &room;
	project.n_inventories = 1;
	project.prices = (struct price[]){{&c->gpus[0], 9000, "CNY", {0}},
	    {&c->gpus[1], 10000, "CNY", {0}}};
	project.n_prices = 2;
	project.policy.share = true;
	d = decide(v, 2, c);
	assert_int_equal(d->plan.n_pools, 1);
	assert_true(d->plan.pools[0].cards > 1);
	project.policy.use_inventory = true;
	d = decide(v, 2, c);
	assert_string_equal(d->vendors[0].planned->gpu->id, "nvidia-l4");
	near_to(d->plan.way.price.value, 10000, 1e-12);
}

/* Two slots in all: many small cards give way to a large one, and what does
 * not fit at all is said with its figures. */
static void
test_limits(void **state)
{
	struct vendor *v[] = {vendor_of("A", 40, 10, 10)};
	const struct catalog *c = cards_only("nvidia-l4", "nvidia-l40s", NULL);
	const struct plan *p;
	int free;

	(void)state;
	project.site.slots = known(2);
	p = &decide(v, 1, c)->plan;
	assert_string_equal(p->pools[0].gpu->id, "nvidia-l4");
	free = p->pools[0].cards;
	assert_true(free > 2);
	assert_int_equal(p->n_limits, 0);
	project.site.servers = known(1);
	p = &decide(v, 1, c)->plan;
	assert_string_equal(p->pools[0].gpu->id, "nvidia-l40s");
	assert_int_equal(p->n_limits, 0);
	assert_true(p->slots <= 2);
	project.site.servers = (struct fact){0};
	project.site.power_w = known(free * 72);
	p = &decide(v, 1, c)->plan;
	assert_string_equal(p->pools[0].gpu->id, "nvidia-l4");
	assert_int_equal(p->n_limits, 0);
	project.site.power_w = known(50);
	p = &decide(v, 1, c)->plan;
	assert_int_equal(p->n_limits, 1);
	assert_string_equal(p->limits[0].id, "power");
	assert_true(p->limits[0].have == 50 && p->limits[0].need > 50);
	assert_int_equal(p->n_unserved, 0);
}

/* A server that feeds 300 W takes four L4 of 72 W, whatever its slots. */
static void
test_servers_by_power(void **state)
{
	struct vendor *v[] = {vendor_of("A", 40, 10, 10)};
	const struct plan *p;

	(void)state;
	project.site.slots = known(8);
	project.site.server_power_w = known(300);
	p = &decide(v, 1, cards_only("nvidia-l4", NULL))->plan;
	assert_true(p->servers == ceil(p->pools[0].cards / 4.0));
}

/* Next best: with other models, and worth no less. */
static void
test_next_best(void **state)
{
	struct vendor *v[] = {vendor_of("A", 40, 10, 10), large("B", 30e9)};
	const struct plan *p = &decide(v, 2,
	    cards_only("nvidia-l4", "nvidia-l40s", "nvidia-a40", "nvidia-l40",
		NULL))
				    ->plan;

	(void)state;
	assert_true(p->proven && p->gap == 0);
	assert_int_equal(p->n_next, 2);
	for (int i = 0; i < 2; i++) {
		bool same = p->next[i].n_pools == p->way.n_pools;

		for (int k = 0; same && k < p->way.n_pools; k++)
			same = p->next[i].pools[k].gpu == p->way.pools[k].gpu;
		assert_false(same);
		assert_true(p->next[i].worth >= p->way.worth);
	}
	assert_true(p->next[1].worth >= p->next[0].worth);
}

/* The engines of S1 tie it to a T4; built anew it joins S6, and one model
 * is left. */
static void
test_rebuild(void **state)
{
	struct vendor *v[] = {turing_only("S1", 10), large("S6", 30e9)};
	const struct plan *p =
	    &decide(v, 2, cards_only("nvidia-t4", "nvidia-l40s", NULL))->plan;

	(void)state;
	assert_int_equal(p->n_pools, 2);
	assert_int_equal(p->n_rebuilds, 1);
	assert_string_equal(p->rebuilds[0].vendor->vendor->id, "S1");
	assert_false(p->rebuilds[0].serves);
	assert_int_equal(p->rebuilds[0].way.n_pools, 1);
	assert_string_equal(p->rebuilds[0].way.pools[0].gpu->id, "nvidia-l40s");
}

/* Over many projects: the order of the vendors changes nothing. */
static void
test_order_changes_nothing(void **state)
{
	(void)state;
	seed_state = 29;
	for (int i = 0; i < 25; i++) {
		static const char *const ids[] = {"A", "B", "C", "D", "E"};
		struct vendor *v[5], *w[5];
		struct decision *x, *y;

		project.policy.share = pick(2);
		project.policy.spare_per_pool = pick(2);
		for (int k = 0; k < 5; k++) {
			v[k] = pick(3) ? vendor_of(ids[k], 1 + pick(60),
					     1 + pick(25), 1 + pick(40))
				       : turing_only(ids[k], 1 + pick(60));
			v[k]->memory.peak = known(1e9 * (1 + pick(60)));
			w[4 - k] = v[k];
		}
		x = decide(v, 5, cat);
		y = decide(w, 5, cat);
		assert_int_equal(x->plan.n_pools, y->plan.n_pools);
		assert_true(x->plan.way.worth == y->plan.way.worth);
		for (int k = 0; k < 5; k++) {
			const struct fit *f = x->vendors[k].planned;
			const struct fit *g = y->vendors[4 - k].planned;

			assert_true((f == NULL) == (g == NULL));
			if (f)
				assert_string_equal(f->gpu->id, g->gpu->id);
		}
	}
}

/* Two that no driver serves together do not share a card. */
static void
test_drivers_keep_apart(void **state)
{
	struct vendor *v[] = {vendor_of("A", 1, 1, 10),
	    vendor_of("B", 1, 1, 10)};
	const struct catalog *c = cards_only("nvidia-t4", NULL);

	(void)state;
	project.policy.share = true;
	v[0]->runtime.driver = known(470);
	v[0]->runtime.cuda = known(1104);
	assert_int_equal(decide(v, 2, c)->plan.pools[0].cards, 1);
	v[0]->runtime.driver_fixed = known(1);
	assert_int_equal(decide(v, 2, c)->plan.pools[0].cards, 2);
}

/* Driver 470 serves CUDA 11, and is too old for CUDA 12 (525). */
static void
test_driver_conflicts(void **state)
{
	struct vendor *v[] = {vendor_of("A", 1, 1, 10),
	    vendor_of("B", 1, 1, 10), vendor_of("C", 1, 1, 10)};
	const struct plan *p;

	(void)state;
	v[0]->runtime.driver = known(470);
	v[0]->runtime.cuda = known(1104);
	v[1]->runtime.cuda = known(1008); /* 10.8: as 10.2 */
	v[2]->runtime.cuda = known(1206);
	p = &decide(v, 3, cards_only("nvidia-t4", NULL))->plan;
	assert_int_equal(p->n_conflicts, 1);
	assert_string_equal(p->conflicts[0].a->vendor->id, "A");
	assert_string_equal(p->conflicts[0].b->vendor->id, "C");
	assert_int_equal(p->conflicts[0].driver, 470);
	assert_int_equal(p->conflicts[0].needs, 525);
	assert_true(p->conflicts[0].same_pool);
	/* Newer drivers run CUDA 11.4: no conflict unless it is the only one. */
	assert_false(p->conflicts[0].fixed);
	v[0]->runtime.driver_fixed = known(1);
	p = &decide(v, 3, cards_only("nvidia-t4", NULL))->plan;
	assert_true(p->conflicts[0].fixed);
	assert_int_equal(driver_for_cuda(1009), 440);
	assert_int_equal(driver_for_cuda(1300), 580);
	assert_int_equal(driver_for_cuda(100), 0);
}

/* A freer site must not make the plan larger: with fans allowed the consumer
 * cards pass too, and stay behind the T4 asked for. */
static void
test_freedom_never_costs(void **state)
{
	struct vendor *v[] = {vendor_of("A", 40, 10, 31)};
	struct catalog *c =
	    cards_only("nvidia-t4", "nvidia-rtx-2060-12gb", NULL);
	struct decision *d;
	double strict, free;

	(void)state;
	v[0]->runtime.cuda = known(1001);
	v[0]->runtime.layout = PROC_PER_STREAM;
	ask_for(v[0], "nvidia-t4", 20);
	project.site.slots = known(4);
	project.site.cooling = COOLING_PASSIVE;
	project.site.slot_power_w = known(350);
	d = decide(v, 1, c);
	strict = d->plan.pools[0].cards * card_size(d->plan.pools[0].gpu);
	project.site.cooling = COOLING_ACTIVE;
	project.site.slot_power_w = known(600);
	d = decide(v, 1, c);
	free = d->plan.pools[0].cards * card_size(d->plan.pools[0].gpu);
	assert_true(free <= strict);
	assert_string_equal(d->plan.pools[0].gpu->id, "nvidia-t4");
}

/* One model less is worth twice the size and no more: twenty small boards
 * are not replaced by twenty large ones for the sake of one vendor. */
static void
test_kinds_do_not_outweigh_all(void **state)
{
	struct vendor *v[] = {vendor_of("A", 140, 10, 10), large("B", 70e9)};
	struct decision *d;

	(void)state;
	v[0]->runtime.layout = PROC_PER_STREAM;
	v[0]->streams[0].analysed_per_s = 60;
	d = decide(v, 2,
	    cards_only("nvidia-l4", "nvidia-h100-pcie-80gb", NULL));
	assert_int_equal(d->plan.n_pools, 2);
	assert_string_equal(d->vendors[0].planned->gpu->id, "nvidia-l4");
}

/* One fills half the decoder, the other half the processor of the same
 * card: they share one, and the sum of their largest shares would take two. */
static void
test_sharing_by_resource(void **state)
{
	struct vendor *v[] = {vendor_of("A", 10, 1, 1),
	    vendor_of("B", 6, 10, 10)};
	struct decision *d;
	const struct fit *f;

	(void)state;
	project.policy.share = true;
	v[0]->streams[0].decoded_elsewhere = false;
	v[0]->streams[0].width = 1920;
	v[0]->streams[0].height = 1080;
	v[0]->streams[0].count = 20;
	d = decide(v, 2, cards_only("nvidia-t4", NULL));
	f = d->vendors[0].planned;
	assert_int_equal(f->binding, RES_DECODE);
	near_to(d->vendors[1].planned->share, 0.6 / 0.7, 1e-12);
	assert_true(f->share + 0.6 / 0.7 > 1);
	assert_true(f->share_by[RES_COMPUTE] + 0.6 / 0.7 <= 1);
	assert_int_equal(d->plan.pools[0].cards, 1);
}

/* The T4 is old and bought for the vendor tied to it; another could use it
 * too and gets a board in service.  The plan says so. */
static void
test_moved(void **state)
{
	struct vendor *v[] = {turing_only("S1", 10), vendor_of("S3", 4, 10, 10),
	    large("S6", 30e9)};
	struct decision *d;

	(void)state;
	project.date = "2026-12-01";
	d = decide(v, 3, cards_only("nvidia-t4", "nvidia-l40s", NULL));
	assert_int_equal(d->plan.n_moved, 1);
	assert_string_equal(d->plan.moved[0].vendor->vendor->id, "S3");
	assert_string_equal(d->plan.moved[0].fit->gpu->id, "nvidia-t4");
	assert_string_equal(d->plan.moved[0].vendor->planned->gpu->id,
	    "nvidia-l40s");
	/* 4 x 10 x 10 ms = 0.4 of a T4: one would do. */
	assert_true(d->plan.moved[0].fit->cards == 1);
	/* In 2020 the T4 was in service, and nobody is moved. */
	project.date = "2020-12-01";
	d = decide(v, 3, cards_only("nvidia-t4", "nvidia-l40s", NULL));
	assert_int_equal(d->plan.n_moved, 0);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup(f, fixture_reset)
	const struct CMUnitTest tests[] = {
	    T(test_fewest_kinds),
	    T(test_two_pools),
	    T(test_no_single),
	    T(test_sharing),
	    T(test_no_sharing_without_memory),
	    T(test_unserved_are_listed),
	    T(test_nobody_served),
	    T(test_empty_project),
	    T(test_prices_decide),
	    T(test_many_kinds),
	    T(test_everyone_is_placed_once),
	    T(test_same_input_same_plan),
	    T(test_pool_over_the_band),
	    T(test_fallback),
	    T(test_servers),
	    T(test_servers_apart),
	    T(test_on_site),
	    T(test_inventory_first),
	    T(test_inventory_turns_the_plan),
	    T(test_limits),
	    T(test_servers_by_power),
	    T(test_next_best),
	    T(test_rebuild),
	    T(test_order_changes_nothing),
	    T(test_drivers_keep_apart),
	    T(test_driver_conflicts),
	    T(test_freedom_never_costs),
	    T(test_kinds_do_not_outweigh_all),
	    T(test_sharing_by_resource),
	    T(test_moved),
	};

	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
