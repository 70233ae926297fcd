#include "decide/whatif.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome_parts.h"

static const struct vendor_decision *
find_vendor(const struct decision *dec, const char *id)
{
	for (int i = 0; i < dec->n_vendors; i++)
		if (str_equal_nocase(dec->vendors[i].vendor->id, id))
			return &dec->vendors[i];
	return NULL;
}

static double
planned_cards(const struct vendor_decision *vd)
{
	return vd->planned ? fit_cards(vd->planned, vd->vendor) : 0;
}

static bool
same_purchase(const struct vendor_decision *x, const struct vendor_decision *y)
{
	if (!x->planned || !y->planned)
		return x->planned == y->planned;
	return x->planned->gpu == y->planned->gpu &&
	       planned_cards(x) == planned_cards(y);
}

static void
put_side(struct arena *a, struct node *n, const char *name,
    const struct vendor_decision *vd)
{
	struct node *side = node_group(a, n, name);

	node_text(a, side, "model", model_verdict_id(vd->model));
	node_text(a, side, "count", count_verdict_id(vd->count));
	if (!vd->planned)
		return;
	node_text(a, side, "gpu", vd->planned->gpu->id);
	node_text(a, side, "name", vd->planned->gpu->name);
	node_number(a, side, "cards", planned_cards(vd), UNIT_COUNT);
}

static void
put_vendor(const struct outcome *o, struct node *list,
    const struct vendor_decision *now, const struct vendor_decision *then)
{
	struct arena *a = o->d.a;
	bool model = then && now->model != then->model;
	bool number = then && now->count != then->count;
	bool purchase = then && !same_purchase(now, then);
	struct node *n;

	if (then && !model && !number && !purchase)
		return;
	n = node_item(a, list);
	node_text(a, n, "id", now->vendor->id);
	put_name(o, n, now->vendor);
	node_flag(a, n, "leaves", then == NULL);
	node_flag(a, n, "model", model);
	node_flag(a, n, "number", number);
	node_flag(a, n, "purchase", purchase);
	put_side(a, n, "now", now);
	if (then)
		put_side(a, n, "then", then);
}

static bool
same_plan(const struct plan *x, const struct plan *y)
{
	if (x->n_pools != y->n_pools)
		return false;
	for (int i = 0; i < x->n_pools; i++)
		if (x->pools[i].gpu != y->pools[i].gpu ||
		    x->pools[i].cards != y->pools[i].cards ||
		    x->pools[i].buy != y->pools[i].buy)
			return false;
	return true;
}

static bool
same_unserved(const struct plan *x, const struct plan *y)
{
	if (x->n_unserved != y->n_unserved)
		return false;
	for (int i = 0; i < x->n_unserved; i++)
		if (!str_equal_nocase(x->unserved[i]->vendor->id,
			y->unserved[i]->vendor->id))
			return false;
	return true;
}

static void
put_unserved(const struct outcome *o, struct node *list,
    const struct decision *then)
{
	for (int i = 0; i < then->plan.n_unserved; i++) {
		const struct vendor *v = then->plan.unserved[i]->vendor;
		struct node *n = node_item(o->d.a, list);

		node_text(o->d.a, n, "id", v->id);
		put_name(o, n, v);
	}
}

void
what_if_add(struct arena *a, struct node *results, const struct what_if *asked,
    const struct project *now, const struct project *then,
    const struct catalog *cat, const struct calibration *cal,
    const struct decision *decided)
{
	const struct outcome o = {{a, now, cat, cal}, decided};
	struct arena *scratch = arena_new();
	const struct decision *dec = decide_outline(scratch, then, cat, cal);
	struct node *list = (struct node *)node_find(results, "what_if");
	struct node *n, *vendors;

	if (!list)
		list = node_list(a, results, "what_if");
	n = node_item(a, list);
	node_text2(a, n, "name", asked->name, asked->name_en);
	put_settings(a, node_list(a, n, "set"), asked->set, asked->n_set);
	vendors = node_list(a, n, "vendors");
	for (int i = 0; i < decided->n_vendors; i++)
		put_vendor(&o, vendors, &decided->vendors[i],
		    find_vendor(dec, decided->vendors[i].vendor->id));
	node_flag(a, n, "same",
	    same_plan(&decided->plan, &dec->plan) && vendors->n == 0);
	node_flag(a, n, "same_plan", same_plan(&decided->plan, &dec->plan));
	node_flag(a, n, "same_unserved",
	    same_unserved(&decided->plan, &dec->plan));
	put_unserved(&o, node_list(a, n, "unserved"), dec);
	if (dec->plan.n_pools > 0)
		put_way(&o, node_group(a, n, "plan"), &dec->plan.way);
	arena_free(scratch); /* the tree has copies of all texts */
}
