/*
 * The plan beside other ways to buy: the part of the results tree.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"

/* NAME: how far it is from the plan's, NAME_dir: more, fewer or same. */
static void
put_change(struct arena *a, struct node *n, const char *name, double now,
    double then, enum unit u)
{
	double by = now - then;

	node_number(a, n, name, fabs(by), u);
	node_text(a, n, arena_printf(a, "%s_dir", name),
	    fabs(by) < 1e-9 * fmax(fabs(now), fabs(then)) ? "same"
	    : by > 0                                      ? "more"
							  : "fewer");
}

#define NO_BREAK "\u00a0"

/* "NVIDIA L4 × 3", whose maker and number stay on the line of the name. */
static const char *
label_of(struct arena *a, const struct way_pool *p)
{
	const char *name = p->gpu->name, *rest = strchr(name, ' ');
	int maker = rest ? (int)(rest - name) : 0, n = p->cards + p->spare;

	return rest ? arena_printf(a,
			  "%.*s" NO_BREAK "%s" NO_BREAK "×" NO_BREAK "%d",
			  maker, name, rest + 1, n)
		    : arena_printf(a, "%s" NO_BREAK "×" NO_BREAK "%d", name, n);
}

static void
put_way_pool(const struct outcome *o, struct node *n, const struct way_pool *p)
{
	struct arena *a = o->d.a;
	struct node *list;

	node_text(a, n, "gpu", p->gpu->id);
	node_text(a, n, "name", p->gpu->name);
	node_text(a, n, "label", label_of(a, p));
	node_number(a, n, "cards", p->cards, UNIT_COUNT);
	node_number(a, n, "spare", p->spare, UNIT_COUNT);
	node_number(a, n, "buy", p->buy, UNIT_COUNT);
	list = node_list(a, n, "vendors");
	for (int i = 0; i < p->n_members; i++) {
		struct node *v = node_item(a, list);

		node_text(a, v, "id", p->members[i]->vendor->id);
		put_name(o, v, p->members[i]->vendor);
	}
}

void
put_way(const struct outcome *o, struct node *n, const struct plan_way *w)
{
	const struct plan_way *now = &o->dec->plan.way;
	struct arena *a = o->d.a;
	struct node *list = node_list(a, n, "pools");

	for (int i = 0; i < w->n_pools; i++)
		put_way_pool(o, node_item(a, list), &w->pools[i]);
	node_number(a, n, "models", w->n_pools, UNIT_COUNT);
	node_number(a, n, "cards", w->cards, UNIT_COUNT);
	node_number(a, n, "buy", w->buy, UNIT_COUNT);
	node_number(a, n, "power", w->power_w, UNIT_WATT);
	put_change(a, n, "models_by", w->n_pools, now->n_pools, UNIT_COUNT);
	put_change(a, n, "cards_by", w->cards, now->cards, UNIT_COUNT);
	put_change(a, n, "buy_by", w->buy, now->buy, UNIT_COUNT);
	put_change(a, n, "power_by", w->power_w, now->power_w, UNIT_WATT);
	if (now->worth > 0 && w->worth > 0)
		node_number(a, n, "worth", w->worth / now->worth, UNIT_RATIO);
	node_flag(a, n, "proven", w->proven);
	if (!w->price.known)
		return;
	node_number(a, n, "price", w->price.value, UNIT_MONEY);
	node_text(a, n, "currency", w->currency);
	if (now->price.known)
		put_change(a, n, "price_by", w->price.value, now->price.value,
		    UNIT_MONEY);
}

static void
put_rebuild(const struct outcome *o, struct node *n, const struct rebuild *r)
{
	struct arena *a = o->d.a;

	node_flag(a, n, "all", r->vendor == NULL);
	if (r->vendor) {
		node_text(a, n, "vendor", r->vendor->vendor->id);
		put_name(o, n, r->vendor->vendor);
		node_text(a, n, "from", r->from);
		node_text(a, n, "to", r->to);
	}
	node_text(a, n, "change", r->change);
	node_flag(a, n, "serves", r->serves);
	put_way(o, n, &r->way);
}

void
outcome_ways(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	struct node *list;

	if (plan->n_pools == 0)
		return;
	node_text(a, n, "measure", plan_measure_id(plan->measure));
	node_number(a, n, "considered", plan->considered, UNIT_COUNT);
	node_flag(a, n, "proven", plan->proven);
	if (!plan->proven && !plan->capped)
		node_number(a, n, "gap", plan->gap, UNIT_RATIO);
	node_flag(a, n, "inventory_used", plan->inventory_used);
	node_number(a, n, "buy", plan->way.buy, UNIT_COUNT);
	put_way(o, node_group(a, n, "way"), &plan->way);
	list = node_list(a, n, "next");
	for (int i = 0; i < plan->n_next; i++)
		put_way(o, node_item(a, list), &plan->next[i]);
	list = node_list(a, n, "rebuilds");
	for (int i = 0; i < plan->n_rebuilds; i++)
		put_rebuild(o, node_item(a, list), &plan->rebuilds[i]);
	list = node_list(a, n, "limits");
	for (int i = 0; i < plan->n_limits; i++) {
		const struct plan_limit *l = &plan->limits[i];
		struct node *item = node_item(a, list);

		node_text(a, item, "id", l->id);
		node_number(a, item, "need", l->need, l->unit);
		node_number(a, item, "have", l->have, l->unit);
	}
}
