/*
 * The five textbook reasons for a GPU, each with this project's figures.
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

/* Device time a second, on processor and card, of the same stages. */
struct both {
	double cpu, gpu;
};

/* The stages of a vendor that can be timed on both. */
static struct both
vendor_busy(const struct outcome *o, const struct vendor *v,
    const struct gpu *cpu, const struct gpu *gpu)
{
	struct demand dm = demand_of(&o->d, v);
	int b = v->runtime.batch > 0 ? v->runtime.batch : 8;
	struct both sum = {0, 0};

	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];
		struct stage_time t, u;

		if (!stage_on_card(s) || s->kind == STAGE_TIMED)
			continue;
		t = stage_time(o->d.cal, v, s, cpu, b);
		u = stage_time(o->d.cal, v, s, gpu, b);
		if (!t.possible || !u.possible)
			continue;
		sum.cpu += dm.rate_peak[k] * t.run_s.value;
		sum.gpu += dm.rate_peak[k] * u.run_s.value;
	}
	return sum;
}

/* All vendors; those with a stage timed on both are listed as counted. */
static struct both
project_busy(const struct outcome *o, struct node *n, const struct gpu *cpu,
    const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	struct node *counted = node_list(a, n, "counted");
	struct node *left = node_list(a, n, "left");
	struct both sum = {0, 0};

	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;
		struct both one = vendor_busy(o, v, cpu, gpu);
		struct node *item = node_item(a, one.cpu > 0 ? counted : left);

		node_text(a, item, "id", v->id);
		put_name(o, item, v);
		sum.cpu += one.cpu;
		sum.gpu += one.gpu;
	}
	node_number(a, n, "vendors_counted", counted->n, UNIT_COUNT);
	node_number(a, n, "vendors_left", left->n, UNIT_COUNT);
	return sum;
}

/* The same work on servers of `sockets` processors and on cards, both at the
 * default load. */
static void
put_machines(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	struct both busy = project_busy(o, n, cpu, gpu);
	double load = o->d.cal->load_default;

	node_number(a, n, "sockets", sockets, UNIT_COUNT);
	node_number(a, n, "load", load, UNIT_RATIO);
	if (busy.cpu <= 0)
		return;
	node_number(a, n, "processors", busy.cpu, UNIT_COUNT);
	node_number(a, n, "servers", ceil(busy.cpu / sockets / load),
	    UNIT_COUNT);
	node_number(a, n, "cards", ceil(busy.gpu / load), UNIT_COUNT);
}

static void
put_parallel(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	double cores = value_of(cpu->sm) * sockets, gcores;
	enum peak used;
	struct fact peak = speed_peak(gpu, PREC_FP16, &used);
	double cf = value_of(cpu->peak[PEAK_FP32]) * sockets;

	gcores = value_of(gpu->cores);
	node_text(a, n, "cpu_name", cpu->name);
	node_text(a, n, "gpu_name", gpu->name);
	if (cores > 0 && gcores > 0) {
		node_number(a, n, "cpu_cores", cores, UNIT_COUNT);
		node_fact(a, n, "gpu_cores", gpu->cores, UNIT_COUNT);
		node_number(a, n, "ratio", gcores / cores, UNIT_RATIO);
	}
	if (cf > 0 && peak.known) {
		node_number(a, n, "cpu_flop_per_s", cf, UNIT_FLOP_PER_S)->src =
		    cpu->peak[PEAK_FP32].src;
		node_fact(a, n, "gpu_flop_per_s", peak, UNIT_FLOP_PER_S);
		node_number(a, n, "speed_ratio", peak.value / cf, UNIT_RATIO);
	}
	put_machines(o, n, cpu, sockets, gpu);
}

static void
put_bandwidth(const struct outcome *o, struct node *n, const struct gpu *cpu,
    int sockets, const struct gpu *gpu)
{
	struct arena *a = o->d.a;
	const struct vendor *most = NULL;
	double bytes = 0, largest = 0;
	int counted = 0;

	if (cpu->bandwidth.known && gpu->bandwidth.known) {
		double cb = cpu->bandwidth.value * sockets;

		node_number(a, n, "cpu_bandwidth", cb, UNIT_BYTE_PER_S)->src =
		    cpu->bandwidth.src;
		node_fact(a, n, "gpu_bandwidth", gpu->bandwidth,
		    UNIT_BYTE_PER_S);
		double ratio = gpu->bandwidth.value / cb;

		node_number(a, n, "sockets", sockets, UNIT_COUNT);
		node_fact(a, n, "cpu_bandwidth_each", cpu->bandwidth,
		    UNIT_BYTE_PER_S);
		node_text(a, n, "cpu_name", cpu->name);
		node_text(a, n, "gpu_name", gpu->name);
		node_number(a, n, "ratio", ratio, UNIT_RATIO);
		node_flag(a, n, "larger", ratio > 1);
		node_number(a, n, "factor", fmax(ratio, 1 / ratio), UNIT_RATIO);
	}
	for (int i = 0; i < o->dec->n_vendors; i++) {
		const struct vendor *v = o->dec->vendors[i].vendor;
		struct demand dm = demand_of(&o->d, v);

		double one = demand_bytes(&o->d, &dm);

		bytes += one;
		counted += one > 0;
		if (one > largest) {
			largest = one;
			most = v;
		}
	}
	if (!most)
		return;
	node_number(a, n, "bytes_per_s", bytes, UNIT_BYTE_PER_S);
	node_number(a, n, "vendors_counted", counted, UNIT_COUNT);
	node_text2(a, n, "largest", most->name ? most->name : most->id,
	    most->name_en);
	node_number(a, n, "largest_share", largest / bytes, UNIT_RATIO);
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
 * times the work of inference: the gradients of the inputs and those of the
 * weights take a product each as large as the forward one (Kaplan et al.,
 * Scaling laws for neural language models, 2020, 2.1).  The published timm
 * tables of an RTX 3090 have 3.4 times the time of inference at the median of
 * 677 networks, four in five between 3.0 and 5.0.  All assumed.
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
	node_number(a, n, "sockets", sockets, UNIT_COUNT);
	node_number(a, n, "batch", BATCH, UNIT_COUNT);
	node_estimate(a, n, "cpu_run_s", tc.run_s, UNIT_SECOND);
	node_estimate(a, n, "gpu_run_s", tg.run_s, UNIT_SECOND);
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
		const struct runtime *rt = &o->dec->vendors[i].vendor->runtime;
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
		node_text2(a, item, "engine", name, rt->engine_name_en);
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
