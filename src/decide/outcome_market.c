/*
 * The families of the market against the vendors.
 */
#include <math.h>
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

struct spread {
	int cards, passing_all, vendors_ok;
	double memory_min, memory_max, bandwidth, fp16, power;
};

static void
measure_family(const struct outcome *o, int family, struct spread *s)
{
	for (int i = 0; i < o->d.cat->n_gpus; i++) {
		const struct gpu *g = &o->d.cat->gpus[i];
		double bytes = value_of(g->memory_bytes);
		enum peak used;
		bool all = o->dec->n_vendors > 0;

		if (g->segment == SEGMENT_CPU || card_family(g) != family)
			continue;
		s->cards++;
		if (bytes > 0 && (s->memory_min == 0 || bytes < s->memory_min))
			s->memory_min = bytes;
		s->memory_max = fmax(s->memory_max, bytes);
		s->bandwidth = fmax(s->bandwidth, value_of(g->bandwidth));
		s->fp16 =
		    fmax(s->fp16, value_of(speed_peak(g, PREC_FP16, &used)));
		s->power = fmax(s->power, value_of(g->power_w));
		for (int v = 0; v < o->dec->n_vendors; v++) {
			const struct fit *f = fit_find(&o->dec->vendors[v], g);

			all &= f && f->state == STATE_PASS;
		}
		s->passing_all += all;
	}
	for (int v = 0; v < o->dec->n_vendors; v++) {
		const struct vendor_decision *vd = &o->dec->vendors[v];
		bool any = false;

		for (int i = 0; i < vd->n_fits && !any; i++)
			any = vd->fits[i].state != STATE_FAIL &&
			      card_family(vd->fits[i].gpu) == family;
		s->vendors_ok += any;
	}
}

static void
put_family(const struct outcome *o, struct node *list, int k)
{
	struct arena *a = o->d.a;
	struct spread s = {0};
	struct node *n;

	measure_family(o, k, &s);
	if (s.cards == 0)
		return;
	n = node_item(a, list);
	node_text(a, n, "id", card_families[k].id);
	node_text2(a, n, "name", card_families[k].name,
	    card_families[k].name_en);
	node_number(a, n, "cards", s.cards, UNIT_COUNT);
	node_number(a, n, "passing_all", s.passing_all, UNIT_COUNT);
	if (s.memory_max > 0) {
		node_number(a, n, "memory_min", s.memory_min, UNIT_BYTE);
		node_number(a, n, "memory_max", s.memory_max, UNIT_BYTE);
	}
	if (s.bandwidth > 0)
		node_number(a, n, "bandwidth_max", s.bandwidth,
		    UNIT_BYTE_PER_S);
	if (s.fp16 > 0)
		node_number(a, n, "fp16_max", s.fp16, UNIT_FLOP_PER_S);
	if (s.power > 0)
		node_number(a, n, "power_max", s.power, UNIT_WATT);
	node_number(a, n, "vendors_ok", s.vendors_ok, UNIT_COUNT);
}

static void
put_points(const struct outcome *o, struct node *list)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < o->d.cat->n_gpus; i++) {
		const struct gpu *g = &o->d.cat->gpus[i];
		enum peak used;
		struct fact peak = speed_peak(g, PREC_FP16, &used);
		struct node *n;

		if (g->segment == SEGMENT_CPU || !g->bandwidth.known ||
		    !peak.known)
			continue;
		n = node_item(a, list);
		node_text(a, n, "name", g->name);
		node_text(a, n, "family", card_families[card_family(g)].id);
		node_text(a, n, "segment", segment_id(g->segment));
		node_number(a, n, "bandwidth", g->bandwidth.value,
		    UNIT_BYTE_PER_S);
		node_number(a, n, "peak", peak.value, UNIT_FLOP_PER_S);
		node_fact(a, n, "memory", g->memory_bytes, UNIT_BYTE);
	}
}

/* ---- a vendor against a family */

/* Whether `a` goes further than `b`: state, then fewer gates that fail, then
 * more memory, then a higher peak. */
static bool
goes_further(const struct outcome *o, const struct fit *a, const struct fit *b)
{
	double ma = value_of(a->gpu->memory_bytes);
	double mb = value_of(b->gpu->memory_bytes);
	enum peak used;
	double pa = value_of(speed_peak(a->gpu, PREC_FP16, &used));
	double pb = value_of(speed_peak(b->gpu, PREC_FP16, &used));

	if (a->state != b->state)
		return a->state < b->state;
	if (a->n_failing != b->n_failing)
		return a->n_failing < b->n_failing;
	if (a->state != STATE_FAIL)
		return fit_compare(&o->d, a, b) < 0;
	if (ma != mb)
		return ma > mb;
	return pa != pb ? pa > pb : fit_compare(&o->d, a, b) < 0;
}

/* The card of the family that goes furthest; NULL for an empty one. */
static const struct fit *
best_of(const struct outcome *o, const struct vendor_decision *vd, int family)
{
	const struct fit *best = NULL;

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (card_family(f->gpu) == family &&
		    (!best || goes_further(o, f, best)))
			best = f;
	}
	return best;
}

static void
put_row(const struct outcome *o, struct node *row,
    const struct vendor_decision *vd)
{
	struct arena *a = o->d.a;
	struct node *cells;

	node_text(a, row, "vendor", vd->vendor->id);
	put_name(o, row, vd->vendor);
	cells = node_list(a, row, "cells");
	for (int k = 0; k < N_FAMILIES; k++) {
		const struct fit *f = best_of(o, vd, k);
		struct node *n;

		if (!f)
			continue;
		n = node_item(a, cells);
		node_text(a, n, "family", card_families[k].id);
		node_text(a, n, "gpu", f->gpu->id);
		node_text(a, n, "name", f->gpu->name);
		node_text(a, n, "state", state_id(f->state));
		if (f->first < GATE_N) {
			node_text(a, n, "gate", gate_id(f->first));
			node_text(a, n, "why", f->gates[f->first].why);
		}
		node_number(a, n, "n_failing", f->n_failing, UNIT_COUNT);
	}
}

/* ---- another maker's card */

/* What stands between a vendor and the cards of other makers. */
struct elsewhere {
	bool now;        /* one serves, or asks, as things stand */
	bool held;       /* none would, even with its software */
	enum gate gate;  /* that holds it then */
	enum gate first; /* that holds it now */
	const char *why;
};

/* The first failing gate but the software. */
static enum gate
besides_software(const struct fit *f)
{
	for (int g = 0; g < GATE_N; g++)
		if (g != GATE_SOFTWARE && f->gates[g].state == STATE_FAIL)
			return g;
	return GATE_N;
}

static enum gate
most_of(const int *by)
{
	enum gate most = 0;

	for (int g = 1; g < GATE_N; g++)
		if (by[g] > by[most])
			most = g;
	return most;
}

static struct elsewhere
look_elsewhere(const struct vendor_decision *vd)
{
	int first[GATE_N + 1] = {0}, rest[GATE_N + 1] = {0};
	struct elsewhere e = {.held = true};

	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];
		enum gate g = besides_software(f);

		if (f->gpu->vendor == VENDOR_NVIDIA)
			continue;
		e.now |= f->state != STATE_FAIL;
		e.held &= g != GATE_N;
		first[f->first]++;
		rest[g]++;
	}
	e.first = most_of(first);
	e.gate = most_of(rest);
	for (int i = 0; i < vd->n_fits && !e.why; i++)
		if (vd->fits[i].gpu->vendor != VENDOR_NVIDIA &&
		    vd->fits[i].first == e.first)
			e.why = vd->fits[i].gates[e.first].why;
	return e;
}

/* What is shipped can run on another maker's runtime. */
static bool
portable(const struct vendor *v)
{
	return v->runtime.ships == SHIPS_ONNX ||
	       v->runtime.ships == SHIPS_FRAMEWORK;
}

static void
put_movable(const struct outcome *o, struct node *n,
    const struct vendor_decision *vd, const struct elsewhere *e)
{
	struct arena *a = o->d.a;

	node_text(a, n, "id", vd->vendor->id);
	put_name(o, n, vd->vendor);
	node_text(a, n, "how", e->now ? "now" : "port");
	node_text(a, n, "ships", ships_id(vd->vendor->runtime.ships));
	if (e->held && e->gate < GATE_N)
		node_text(a, n, "held", gate_id(e->gate));
}

/*
 * nvidia_only: no other maker's card serves today.  movable: what is shipped
 * is portable, or one serves already; a vendor may stand in both lists.
 */
static void
put_movers(const struct outcome *o, struct node *market)
{
	struct arena *a = o->d.a;
	struct node *only = node_list(a, market, "nvidia_only");
	struct node *movable = node_list(a, market, "movable");
	int elsewhere = 0;

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		struct elsewhere e = look_elsewhere(vd);
		struct node *n;

		elsewhere += e.now;
		if (e.now || portable(vd->vendor))
			put_movable(o, node_item(a, movable), vd, &e);
		if (!nvidia_only(vd))
			continue;
		n = node_item(a, only);
		node_text(a, n, "id", vd->vendor->id);
		put_name(o, n, vd->vendor);
		node_text(a, n, "gate", gate_id(e.first));
		node_text(a, n, "why", e.why);
		node_flag(a, n, "movable", portable(vd->vendor));
	}
	node_number(a, market, "served_elsewhere", elsewhere, UNIT_COUNT);
}

void
outcome_market(const struct outcome *o, struct node *n)
{
	struct arena *a = o->d.a;
	struct node *list = node_list(a, n, "families");

	for (int k = 0; k < N_FAMILIES; k++)
		put_family(o, list, k);
	list = node_list(a, n, "rows");
	for (int i = 0; i < o->dec->n_vendors; i++)
		put_row(o, node_item(a, list), &o->dec->vendors[i]);
	put_points(o, node_list(a, n, "points"));
	put_movers(o, n);
}
