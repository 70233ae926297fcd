/*
 * The parts of the results tree that set all vendors side by side: matrix and
 * dials.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"

static double
value_of(struct fact f)
{
	return f.known ? f.value : 0;
}

/* ---- matrix */

/*
 * Cards people know, shown beside those asked for and planned so that each
 * column has neighbours: old and new, small and large, one AMD, one Ascend.
 * In the order of their claim to a column.
 */
static const char *const ladder[] = {
    "nvidia-t4",
    "nvidia-l40s",
    "nvidia-a10",
    "nvidia-l4",
    "nvidia-a100-pcie-80gb",
    "nvidia-rtx-4090",
    "nvidia-rtx-5090",
    "huawei-atlas-300i-pro",
    "amd-radeon-pro-w7900",
    "nvidia-quadro-rtx-8000",
    "nvidia-rtx-a4000",
};

enum { MATRIX_CARDS = 12, MATRIX_MAX = 24 };

struct columns {
	const struct gpu *gpu[MATRIX_MAX];
	int n;
};

static void
add_column(struct columns *c, const struct gpu *g, int max)
{
	for (int i = 0; i < c->n; i++)
		if (c->gpu[i] == g)
			return;
	if (g && c->n < max)
		c->gpu[c->n++] = g;
}

static int
by_power(const void *x, const void *y)
{
	const struct gpu *a = *(const struct gpu *const *)x;
	const struct gpu *b = *(const struct gpu *const *)y;
	double pa = value_of(a->power_w), pb = value_of(b->power_w);

	if (pa != pb)
		return pa < pb ? -1 : 1;
	return strcmp(a->id, b->id);
}

static bool
is_requested(const struct outcome *o, const struct gpu *g)
{
	for (int i = 0; i < o->dec->n_vendors; i++)
		if (o->dec->vendors[i].judged &&
		    o->dec->vendors[i].judged->gpu == g)
			return true;
	return false;
}

static bool
is_planned(const struct outcome *o, const struct gpu *g)
{
	for (int i = 0; i < o->dec->plan.n_pools; i++)
		if (o->dec->plan.pools[i].gpu == g)
			return true;
	return false;
}

static void
choose_columns(const struct outcome *o, struct columns *c)
{
	const struct decision *dec = o->dec;

	for (int i = 0; i < dec->plan.n_pools; i++)
		add_column(c, dec->plan.pools[i].gpu, MATRIX_MAX);
	for (int i = 0; i < dec->n_vendors; i++)
		if (dec->vendors[i].judged)
			add_column(c, dec->vendors[i].judged->gpu, MATRIX_MAX);
	for (int i = 0; i < dec->n_vendors; i++)
		if (dec->vendors[i].smallest)
			add_column(c, dec->vendors[i].smallest->gpu,
			    MATRIX_CARDS);
	for (size_t i = 0; i < sizeof(ladder) / sizeof(*ladder); i++)
		add_column(c, catalog_gpu(o->d.cat, ladder[i]), MATRIX_CARDS);
	qsort(c->gpu, c->n, sizeof(*c->gpu), by_power);
}

static void
put_cell(const struct outcome *o, struct node *n,
    const struct vendor_decision *vd, const struct gpu *g)
{
	const struct fit *f = fit_find(vd, g);
	struct arena *a = o->d.a;

	node_text(a, n, "gpu", g->id);
	node_text(a, n, "state", f ? state_id(f->state) : "ask");
	if (f && f->sized && f->state != STATE_FAIL)
		node_number(a, n, "cards", f->cards, UNIT_COUNT);
	if (f && f->first < GATE_N)
		node_text(a, n, "gate", gate_id(f->first));
	if (f)
		node_text(a, n, "binding", fit_binding_id(f));
	node_flag(a, n, "requested", vd->judged && vd->judged->gpu == g);
	node_flag(a, n, "planned", vd->planned && vd->planned->gpu == g);
}

void
outcome_matrix(const struct outcome *o, struct node *n)
{
	struct arena *a = o->d.a;
	struct columns c = {.n = 0};
	struct node *cards = node_list(a, n, "cards");
	struct node *rows = node_list(a, n, "rows");

	choose_columns(o, &c);
	for (int i = 0; i < c.n; i++) {
		struct node *item = node_item(a, cards);

		node_text(a, item, "id", c.gpu[i]->id);
		node_text(a, item, "name", c.gpu[i]->name);
		node_fact(a, item, "memory", c.gpu[i]->memory_bytes, UNIT_BYTE);
		node_text(a, item, "family",
		    c.gpu[i]->family ? c.gpu[i]->family : "");
		node_flag(a, item, "requested", is_requested(o, c.gpu[i]));
		node_flag(a, item, "planned", is_planned(o, c.gpu[i]));
	}
	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		struct node *row = node_item(a, rows), *cells;

		node_text(a, row, "vendor", vd->vendor->id);
		put_name(o, row, vd->vendor);
		cells = node_list(a, row, "cells");
		for (int k = 0; k < c.n; k++)
			put_cell(o, node_item(a, cells), vd, c.gpu[k]);
	}
}

/* ---- dials */

void
outcome_dials(const struct outcome *o, struct node *n)
{
	const struct vendor_decision *least = NULL, *most = NULL;
	struct arena *a = o->d.a;
	struct node *ids = node_list(a, n, "ids"), *g;
	int dial = 0;

	for (int k = 0; k < DIAL_N; k++)
		node_text(a, node_item(a, ids), "id", dial_id(k));
	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];

		if (vd->need <= 0)
			continue;
		if (!least || vd->need < least->need)
			least = vd;
		for (int k = 0; k < DIAL_N; k++)
			if (!most || vd->factor[k] > most->factor[dial]) {
				most = vd;
				dial = k;
			}
	}
	if (!most || !o->dec->reference)
		return;
	g = node_group(a, n, "reference");
	node_text(a, g, "gpu", o->dec->reference->id);
	node_text(a, g, "name", o->dec->reference->name);
	g = node_group(a, n, "biggest");
	node_text(a, g, "dial", dial_id(dial));
	node_text2(a, g, "vendor",
	    most->vendor->name ? most->vendor->name : most->vendor->id,
	    most->vendor->name_en);
	node_number(a, g, "factor", most->factor[dial], UNIT_RATIO);
	g = node_group(a, n, "smallest");
	node_text2(a, g, "vendor",
	    least->vendor->name ? least->vendor->name : least->vendor->id,
	    least->vendor->name_en);
}
