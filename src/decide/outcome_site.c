/*
 * The parts of the results tree that look at all vendors together: reasons,
 * matrix, dials, plan, market.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"

/* ---- reasons */

static double
value_of(struct fact f)
{
	return f.known ? f.value : 0;
}

/* Device time a second of every stage that can be timed on both; 0 when
 * none can. */
static double
project_busy(const struct outcome *o, const struct gpu *on,
    const struct gpu *also)
{
	double sum = 0;

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;
		struct demand dm = demand_of(&o->d, v);

		for (int k = 0; k < v->n_stages; k++) {
			const struct stage *s = &v->stages[k];
			int b = v->runtime.batch > 0 ? v->runtime.batch : 8;
			struct stage_time t, u;

			if (!stage_on_card(s) || s->kind != STAGE_NETWORK)
				continue;
			t = stage_time(o->d.cal, v, s, on, b);
			u = stage_time(o->d.cal, v, s, also, b);
			if (t.possible && u.possible)
				sum += dm.rate_peak[k] * t.run_s.value;
		}
	}
	return sum;
}

static void
put_parallel(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	double cores = value_of(cpu->sm) * sockets, gcores;
	double busy = project_busy(o, cpu, gpu);
	enum peak used;
	struct fact peak = speed_peak(gpu, PREC_FP16, &used);
	double cf = value_of(cpu->peak[PEAK_FP32]) * sockets, total = 0;

	gcores = value_of(gpu->cores);
	node_text(a, n, "cpu_name", cpu->name);
	node_text(a, n, "gpu_name", gpu->name);
	if (cores > 0 && gcores > 0) {
		node_number(a, n, "cpu_cores", cores, UNIT_COUNT);
		node_fact(a, n, "gpu_cores", gpu->cores, UNIT_COUNT);
		node_number(a, n, "ratio", gcores / cores, UNIT_RATIO);
	}
	if (cf > 0 && peak.known) {
		node_number(a, n, "cpu_flop_per_s", cf, UNIT_FLOP_PER_S)->src
		    = cpu->peak[PEAK_FP32].src;
		node_fact(a, n, "gpu_flop_per_s", peak, UNIT_FLOP_PER_S);
		node_number(a, n, "speed_ratio", peak.value / cf,
		    UNIT_RATIO);
	}
	/* A server at the default load, with all its sockets at work. */
	if (busy > 0)
		node_number(a, n, "servers", ceil(busy / sockets /
		    o->d.cal->load_default), UNIT_COUNT);
	for (int i = 0; i < o->dec->plan.n_pools; i++)
		total += o->dec->plan.pools[i].cards;
	node_number(a, n, "cards", total, UNIT_COUNT);
}

static void
put_bandwidth(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	double bytes = 0;

	if (cpu->bandwidth.known && gpu->bandwidth.known) {
		double cb = cpu->bandwidth.value * sockets;

		node_number(a, n, "cpu_bandwidth", cb, UNIT_BYTE_PER_S)->src =
		    cpu->bandwidth.src;
		node_fact(a, n, "gpu_bandwidth", gpu->bandwidth,
		    UNIT_BYTE_PER_S);
		node_number(a, n, "ratio", gpu->bandwidth.value / cb,
		    UNIT_RATIO);
	}
	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;
		struct demand dm = demand_of(&o->d, v);

		bytes += demand_bytes(&o->d, &dm);
	}
	if (bytes > 0)
		node_number(a, n, "bytes_per_s", bytes, UNIT_BYTE_PER_S);
}

/* The network with the most operations for one image. */
static const struct stage *
heaviest_network(const struct outcome *o, const struct vendor *only,
    const struct vendor **owner)
{
	const struct stage *best = NULL;
	double most = 0;

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;

		for (int k = 0; k < v->n_stages && (!only || v == only); k++) {
			const struct stage *s = &v->stages[k];
			struct stage_cost c = stage_cost(s, s->precision);

			if (s->kind == STAGE_NETWORK && c.known &&
			    c.flop > most) {
				most = c.flop;
				best = s;
				*owner = v;
			}
		}
	}
	return best;
}

static const char *
network_name(const struct stage *s)
{
	if (s->network && s->network->name)
		return s->network->name;
	return s->name ? s->name : "";
}

/*
 * Fine-tuning, to give a feeling for it: 10,000 images, 50 times over, three
 * times the work of inference (research/model-notes C11).  All assumed.
 */
static void
put_training(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	enum { IMAGES = 10000, EPOCHS = 50, BATCH = 32 };
	const struct vendor *v = NULL;
	const struct stage *s = heaviest_network(o, NULL, &v);
	struct arena *a = o->d.a;
	struct stage_time tc, tg;
	struct estimate ec, eg;
	double runs = 3.0 * IMAGES * EPOCHS;

	if (!s)
		return;
	node_text(a, n, "network", network_name(s));
	node_text(a, n, "gpu_name", gpu->name);
	node_number(a, n, "images", IMAGES, UNIT_COUNT);
	node_number(a, n, "epochs", EPOCHS, UNIT_COUNT);
	tc = stage_time(o->d.cal, v, s, cpu, BATCH);
	tg = stage_time(o->d.cal, v, s, gpu, BATCH);
	if (!tc.possible || !tg.possible)
		return;
	ec = (struct estimate){tc.run_s.value * runs / sockets,
	    tc.run_s.low * runs / sockets, tc.run_s.high * runs / sockets,
	    TIER_ASSUMED};
	eg = (struct estimate){tg.run_s.value * runs, tg.run_s.low * runs,
	    tg.run_s.high * runs, TIER_ASSUMED};
	node_estimate(a, n, "cpu_s", ec, UNIT_SECOND);
	node_estimate(a, n, "gpu_s", eg, UNIT_SECOND);
	node_number(a, n, "ratio", ec.value / eg.value, UNIT_RATIO);
}

static bool
on_cuda(const struct vendor *v)
{
	const char *e = v->runtime.ecosystem;

	return !e || strstr(e, "cuda") != NULL;
}

static void
put_libraries(const struct outcome *o, struct node *n)
{
	struct arena *a = o->d.a;
	struct node *items;
	int cuda = 0;

	for (int i = 0; i < o->dec->n_vendors; i++)
		cuda += on_cuda(o->dec->vendors[i].vendor);
	node_number(a, n, "cuda", cuda, UNIT_COUNT);
	items = node_list(a, n, "items");
	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct runtime *rt =
		    &o->dec->vendors[i].vendor->runtime;
		const char *name = rt->engine_name;
		struct node *item = items->first;

		if (!name)
			continue;
		while (item && strcmp(node_string(item, "engine", ""), name))
			item = item->next;
		if (item) {
			struct node *count = item->last;

			count->number += 1;
			count->low = count->high = count->number;
			continue;
		}
		item = node_item(a, items);
		node_text(a, item, "engine", name);
		node_number(a, item, "vendors", 1, UNIT_COUNT);
	}
}

/* The vendor with the tightest deadline and a network to time. */
static void
put_realtime(const struct outcome *o, struct node *n, const struct gpu *cpu,
    const struct gpu *gpu)
{
	const struct vendor *best = NULL, *owner = NULL;
	struct arena *a = o->d.a;
	const struct stage *s;
	struct stage_time tc, tg;
	struct demand dm;

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;

		if (v->deadline_s.known && heaviest_network(o, v, &owner) &&
		    (!best || v->deadline_s.value < best->deadline_s.value))
			best = v;
	}
	if (!best)
		return;
	s = heaviest_network(o, best, &owner);
	dm = demand_of(&o->d, best);
	node_text2(a, n, "vendor", best->name ? best->name : best->id,
	    best->name_en);
	node_fact(a, n, "deadline", best->deadline_s, UNIT_SECOND);
	node_number(a, n, "frames_per_s", dm.frames_per_s, UNIT_PER_S);
	node_text(a, n, "network", network_name(s));
	node_text(a, n, "gpu_name", gpu->name);
	tc = stage_time(o->d.cal, best, s, cpu, 1);
	tg = stage_time(o->d.cal, best, s, gpu, 1);
	if (tc.possible && tg.possible) {
		node_estimate(a, n, "cpu_s", tc.run_s, UNIT_SECOND);
		node_estimate(a, n, "gpu_s", tg.run_s, UNIT_SECOND);
	}
}

void
outcome_reasons(const struct outcome *o, struct node *n)
{
	struct arena *a = o->d.a;
	int sockets;
	const struct gpu *cpu = baseline_cpu(o, &sockets);
	const struct gpu *gpu = main_card(o);
	struct node *parallel = node_group(a, n, "parallel");
	struct node *bandwidth = node_group(a, n, "bandwidth");
	struct node *training = node_group(a, n, "training");
	struct node *realtime;

	if (!gpu)
		gpu = o->dec->reference;
	put_libraries(o, node_group(a, n, "libraries"));
	realtime = node_group(a, n, "realtime");
	if (!cpu || !gpu)
		return;
	put_parallel(o, parallel, cpu, sockets, gpu);
	put_bandwidth(o, bandwidth, cpu, sockets, gpu);
	put_training(o, training, cpu, sockets, gpu);
	put_realtime(o, realtime, cpu, gpu);
}

/* ---- matrix */

/*
 * Cards people know, shown beside those asked for and planned so that each
 * column has neighbours: old and new, small and large, one AMD, one Ascend.
 * In the order of their claim to a column.
 */
static const char *const ladder[] = {
	"nvidia-t4", "nvidia-l40s", "nvidia-a10", "nvidia-l4",
	"nvidia-a100-pcie-80gb", "nvidia-rtx-4090", "nvidia-rtx-5090",
	"huawei-atlas-300i-pro", "amd-radeon-pro-w7900",
	"nvidia-quadro-rtx-8000", "nvidia-rtx-a4000",
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
			add_column(c, dec->vendors[i].judged->gpu,
			    MATRIX_MAX);
	for (size_t i = 0; i < sizeof(ladder) / sizeof(*ladder); i++)
		add_column(c, catalog_gpu(o->d.cat, ladder[i]),
		    MATRIX_CARDS);
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
		node_fact(a, item, "memory", c.gpu[i]->memory_bytes,
		    UNIT_BYTE);
		node_text(a, item, "family", c.gpu[i]->family ?
		    c.gpu[i]->family : "");
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
	node_text2(a, g, "vendor", most->vendor->name ? most->vendor->name :
	    most->vendor->id, most->vendor->name_en);
	node_number(a, g, "factor", most->factor[dial], UNIT_RATIO);
	g = node_group(a, n, "smallest");
	node_text2(a, g, "vendor", least->vendor->name ?
	    least->vendor->name : least->vendor->id, least->vendor->name_en);
}

/* ---- plan */

static bool
project_price(const struct outcome *o, const struct gpu *g, double *amount,
    const char **currency)
{
	for (int i = 0; i < o->d.p->n_prices; i++)
		if (o->d.p->prices[i].gpu == g) {
			*amount = o->d.p->prices[i].amount;
			*currency = o->d.p->prices[i].currency;
			return true;
		}
	return false;
}

static void
put_pool(const struct outcome *o, struct node *n, const struct pool *p)
{
	struct arena *a = o->d.a;
	double total = p->cards + p->spare, amount;
	const char *currency;
	struct node *list;

	node_text(a, n, "gpu", p->gpu->id);
	node_text(a, n, "name", p->gpu->name);
	node_text(a, n, "family", p->gpu->family ? p->gpu->family : "");
	node_number(a, n, "cards", p->cards, UNIT_COUNT);
	node_number(a, n, "spare", p->spare, UNIT_COUNT);
	node_number(a, n, "total", total, UNIT_COUNT);
	node_number(a, n, "power", total * value_of(p->gpu->power_w),
	    UNIT_WATT)->src = p->gpu->power_w.src;
	if (project_price(o, p->gpu, &amount, &currency)) {
		node_number(a, n, "price", total * amount, UNIT_MONEY);
		node_text(a, n, "currency", currency ? currency : "");
	}
	node_number(a, n, "memory", value_of(p->gpu->memory_bytes),
	    UNIT_BYTE)->src = p->gpu->memory_bytes.src;
	list = node_list(a, n, "vendors");
	for (int i = 0; i < p->n_members; i++) {
		const struct vendor_decision *vd = p->members[i];
		struct node *item = node_item(a, list);
		double cards = p->member_cards[i];

		node_text(a, item, "id", vd->vendor->id);
		put_name(o, item, vd->vendor);
		node_number(a, item, "cards", cards, UNIT_COUNT);
		node_number(a, item, "busy", vd->planned->sized ?
		    vd->planned->busy.value / cards : 0, UNIT_RATIO);
	}
}

static void
put_plan_totals(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	double cards = 0, power = 0, price = 0, amount;
	const char *currency = NULL, *first = NULL;
	bool priced = plan->n_pools > 0;

	for (int i = 0; i < plan->n_pools; i++) {
		const struct pool *p = &plan->pools[i];
		double total = p->cards + p->spare;

		cards += total;
		power += total * value_of(p->gpu->power_w);
		if (!project_price(o, p->gpu, &amount, &currency)) {
			priced = false;
			continue;
		}
		price += total * amount;
		/* Two currencies have no sum. */
		priced &= !first || str_equal(first, currency);
		first = currency;
	}
	node_number(a, n, "cards", cards, UNIT_COUNT);
	node_number(a, n, "power", power, UNIT_WATT);
	node_number(a, n, "models", plan->n_pools, UNIT_COUNT);
	if (priced) {
		node_number(a, n, "price", price, UNIT_MONEY);
		node_text(a, n, "currency", first ? first : "");
	}
}

static void
put_single(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	const struct gpu *g = plan->single, *near = plan->single_near;
	struct arena *a = o->d.a;
	struct node *list;

	node_flag(a, n, "possible", g != NULL);
	if (g) {
		node_text(a, n, "gpu", g->id);
		node_text(a, n, "name", g->name);
		node_number(a, n, "cards", plan->single_cards, UNIT_COUNT);
		if (g->in_production_known)
			node_flag(a, n, "in_production", g->in_production);
	} else if (near) {
		node_text(a, n, "gpu", near->id);
		node_text(a, n, "name", near->name);
	}
	list = node_list(a, n, "blockers");
	for (int i = 0; i < o->dec->n_vendors && !g && near; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		const struct fit *f = fit_find(vd, near);
		struct node *item;

		if (!f || choosable(&o->d, f) || !vd->planned)
			continue;
		item = node_item(a, list);
		node_text(a, item, "vendor", vd->vendor->id);
		put_name(o, item, vd->vendor);
		node_text(a, item, "gate", blocking_gate(f));
	}
}

/* The gate that stands between a vendor and every card: that of the card
 * asked for, else of the card that comes nearest. */
static const char *
unserved_gate(const struct vendor_decision *vd)
{
	if (vd->judged && vd->judged->state == STATE_FAIL)
		return blocking_gate(vd->judged);
	return blocking_gate(vd->nearest);
}

void
outcome_plan(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	struct node *list = node_list(a, n, "pools");

	for (int i = 0; i < plan->n_pools; i++)
		put_pool(o, node_item(a, list), &plan->pools[i]);
	put_plan_totals(o, n);
	put_single(o, node_group(a, n, "single"));
	list = node_list(a, n, "unserved");
	for (int i = 0; i < plan->n_unserved; i++) {
		struct node *item = node_item(a, list);

		node_text(a, item, "id", plan->unserved[i]->vendor->id);
		put_name(o, item, plan->unserved[i]->vendor);
		node_text(a, item, "gate", unserved_gate(plan->unserved[i]));
	}
}

/* ---- market */

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
		if (bytes > 0 && (s->memory_min == 0 ||
		    bytes < s->memory_min))
			s->memory_min = bytes;
		s->memory_max = fmax(s->memory_max, bytes);
		s->bandwidth = fmax(s->bandwidth, value_of(g->bandwidth));
		s->fp16 = fmax(s->fp16, value_of(speed_peak(g, PREC_FP16,
		    &used)));
		s->power = fmax(s->power, value_of(g->power_w));
		for (int v = 0; v < o->dec->n_vendors; v++) {
			const struct fit *f = fit_find(&o->dec->vendors[v],
			    g);

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

/* Whether any card of another maker serves, and the gate that most often
 * keeps them out. */
static bool
others_serve(const struct vendor_decision *vd, enum gate *most)
{
	int by[GATE_N + 1] = {0};

	*most = GATE_SOFTWARE;
	for (int i = 0; i < vd->n_fits; i++) {
		const struct fit *f = &vd->fits[i];

		if (f->gpu->vendor == VENDOR_NVIDIA)
			continue;
		if (f->state != STATE_FAIL)
			return true;
		by[f->first]++;
	}
	for (int g = 0; g < GATE_N; g++)
		if (by[g] > by[*most])
			*most = g;
	return false;
}

static bool
serves_at_all(const struct vendor_decision *vd)
{
	for (int i = 0; i < vd->n_fits; i++)
		if (vd->fits[i].state != STATE_FAIL)
			return true;
	return false;
}

/*
 * Vendors that could move to another maker (it serves already, or what they
 * ship is portable) and vendors that cannot; each stands in one list.
 */
static void
put_movers(const struct outcome *o, struct node *market)
{
	struct arena *a = o->d.a;
	struct node *only = node_list(a, market, "nvidia_only");
	struct node *movable = node_list(a, market, "movable");

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor_decision *vd = &o->dec->vendors[i];
		enum ships ships = vd->vendor->runtime.ships;
		enum gate gate;
		bool free = others_serve(vd, &gate) || ships == SHIPS_ONNX ||
		    ships == SHIPS_FRAMEWORK;
		struct node *n;

		if (!free && !serves_at_all(vd))
			continue;
		n = node_item(a, free ? movable : only);
		node_text(a, n, "id", vd->vendor->id);
		put_name(o, n, vd->vendor);
		if (!free)
			node_text(a, n, "gate", gate_id(gate));
	}
}

void
outcome_market(const struct outcome *o, struct node *n)
{
	struct arena *a = o->d.a;
	struct node *list = node_list(a, n, "families");

	for (int k = 0; k < N_FAMILIES; k++)
		put_family(o, list, k);
	put_points(o, node_list(a, n, "points"));
	put_movers(o, n);
}
