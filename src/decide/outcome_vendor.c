/*
 * One vendor's part of the results tree.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"
#include "model/video.h"

/* ---- what is asked for */

static void
put_request(const struct outcome *o, struct node *n, const struct vendor *v)
{
	const struct gpu *g = v->request.gpu;
	struct arena *a = o->d.a;
	struct node *list;

	node_text(a, n, "written",
	    v->request.written ? v->request.written : "");
	node_text(a, n, "gpu", g ? g->id : NULL);
	node_text(a, n, "name",
	    g                    ? g->name
	    : v->request.written ? v->request.written
				 : "");
	node_text(a, n, "gpu_name", g ? g->name : NULL);
	node_fact(a, n, "count", v->request.count, UNIT_COUNT);
	node_text2(a, n, "reason", v->request.reason, v->request.reason_en);
	node_flag(a, n, "ambiguous", !g && v->request.n_candidates > 1);
	if (g) {
		node_fact(a, n, "memory", g->memory_bytes, UNIT_BYTE);
		node_text(a, n, "family", g->family);
		if (g->cc)
			node_text(a, n, "cc",
			    arena_printf(a, "%d.%d", g->cc / 10, g->cc % 10));
	}
	list = node_list(a, n, "candidates");
	for (int i = 0; i < v->request.n_candidates; i++) {
		const struct gpu *c = v->request.candidates[i];
		struct node *item = node_item(a, list);

		node_text(a, item, "id", c->id);
		node_text(a, item, "name", c->name);
		node_fact(a, item, "memory", c->memory_bytes, UNIT_BYTE);
		node_fact(a, item, "bandwidth", c->bandwidth, UNIT_BYTE_PER_S);
	}
}

static void
put_load(const struct outcome *o, struct node *n, const struct demand *dm)
{
	struct arena *a = o->d.a;
	double flop, bytes;

	node_number(a, n, "streams", dm->sources, UNIT_COUNT);
	node_number(a, n, "frames_per_s", dm->frames_per_s, UNIT_PER_S);
	if (dm->frames_per_s > 0 && dm->frames_per_s < 1)
		node_number(a, n, "period_s", 1 / dm->frames_per_s,
		    UNIT_SECOND);
	node_number(a, n, "objects_per_s", dm->objects_per_s, UNIT_PER_S);
	node_number(a, n, "decode_frames_per_s", dm->decode_per_s, UNIT_PER_S);
	node_number(a, n, "pixels_per_s", dm->pixels_per_s, UNIT_PER_S);
	if (demand_flop(&o->d, dm, false, &flop))
		node_number(a, n, "flop_per_s", flop, UNIT_FLOP_PER_S);
	if (demand_flop(&o->d, dm, true, &flop))
		node_number(a, n, "flop_per_s_peak", flop, UNIT_FLOP_PER_S);
	bytes = demand_bytes(&o->d, dm);
	if (bytes > 0)
		node_number(a, n, "bytes_per_s", bytes, UNIT_BYTE_PER_S);
	node_number(a, n, "limit", dm->limit, UNIT_RATIO);
	node_flag(a, n, "every_frame", dm->v->deadline_max);
	node_flag(a, n, "video_untimed",
	    dm->decode_per_s > 0 || dm->encode_per_s > 0);
	node_flag(a, n, "peak", dm->objects_per_s_peak > dm->objects_per_s);
}

static void
put_streams(const struct outcome *o, struct node *list, const struct vendor *v)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < v->n_streams; i++) {
		const struct stream *st = &v->streams[i];
		struct node *n = node_item(a, list);
		bool video = st->kind == STREAM_VIDEO;

		node_text2(a, n, "name", st->name ? st->name : "", st->name_en);
		node_text(a, n, "kind", video ? "video" : "images");
		node_number(a, n, "count", st->count, UNIT_COUNT);
		node_number(a, n, "width", st->width, UNIT_PIXEL);
		node_number(a, n, "height", st->height, UNIT_PIXEL);
		node_text(a, n, "codec", codec_id(st->codec));
		node_number(a, n, "fps", st->fps, UNIT_PER_S);
		node_number(a, n, "analysed_per_s", st->analysed_per_s,
		    UNIT_PER_S);
		if (st->analysed_per_s > 0 && st->analysed_per_s < 1)
			node_number(a, n, "period_s", 1 / st->analysed_per_s,
			    UNIT_SECOND);
		node_fact(a, n, "objects_mean", st->objects_mean, UNIT_NONE);
		node_fact(a, n, "objects_peak", st->objects_peak, UNIT_NONE);
		node_number(a, n, "frames_per_s",
		    st->count * st->analysed_per_s, UNIT_PER_S);
		node_flag(a, n, "decoded", stream_codec(st) != CODEC_NONE);
		node_number(a, n, "decode_frames_per_s",
		    stream_codec(st) != CODEC_NONE ? video_decode_need(st) : 0,
		    UNIT_PER_S);
		if (st->out_codec != CODEC_NONE) {
			node_text(a, n, "out_codec", codec_id(st->out_codec));
			node_number(a, n, "out_width", st->out_width,
			    UNIT_PIXEL);
			node_number(a, n, "out_height", st->out_height,
			    UNIT_PIXEL);
		}
	}
}

/* ---- stages */

static const char *
stage_name(const struct stage *s)
{
	if (s->name)
		return s->name;
	if (s->network && s->network->name)
		return s->network->name;
	return s->totals.name ? s->totals.name : "";
}

static const struct stage_time *
time_on(const struct fit *f, int k)
{
	if (!f || !f->stages || !f->stages[k].possible)
		return NULL;
	return &f->stages[k];
}

/* Tiles of one frame of the first stream the stage runs on. */
static int
tiles_of(const struct vendor *v, const struct stage *s)
{
	for (int i = 0; i < v->n_streams; i++)
		if (stage_applies(s, i))
			return stage_tiles(s, &v->streams[i]);
	return 0;
}

static void
put_stage(const struct outcome *o, struct node *n, const struct demand *dm,
    int k, const struct fit *f)
{
	static const char *const kind[] = {"network", "work", "timed"};
	static const char *const per[] = {"frame", "object", "tile"};
	const struct stage *s = &dm->v->stages[k];
	struct stage_cost c = stage_cost_filled(o->d.cal, s, s->precision);
	struct fact flop = stage_flop(&o->d, dm->v, s);
	const struct stage_time *t = time_on(f, k);
	struct arena *a = o->d.a;
	double devices = f && f->gpu->devices > 1 ? f->gpu->devices : 1;

	node_text2(a, n, "name", stage_name(s), s->name ? s->name_en : NULL);
	node_text(a, n, "kind", kind[s->kind]);
	node_text(a, n, "network", s->network ? s->network->name : NULL);
	node_number(a, n, "width", s->in_w, UNIT_PIXEL);
	node_number(a, n, "height", s->in_h, UNIT_PIXEL);
	node_text(a, n, "per", per[s->per]);
	node_number(a, n, "times", s->times > 0 ? s->times : 1, UNIT_NONE);
	if (s->per == PER_TILE && tiles_of(dm->v, s) > 0)
		node_number(a, n, "tiles", tiles_of(dm->v, s), UNIT_COUNT);
	node_number(a, n, "rate", dm->rate_peak[k], UNIT_PER_S);
	node_text(a, n, "precision", precision_id(s->precision));
	node_fact(a, n, "flop", flop, UNIT_FLOP);
	if (c.known && c.bytes > 0)
		node_number(a, n, "bytes", c.bytes, UNIT_BYTE);
	if (flop.known)
		node_number(a, n, "flop_per_s", flop.value * dm->rate_peak[k],
		    UNIT_FLOP_PER_S);
	node_fact(a, n, "stated_s", s->seconds, UNIT_SECOND);
	node_text(a, n, "stated_on", s->timed_on ? s->timed_on->name : NULL);
	if (t)
		node_estimate(a, n, "run_s", t->run_s, UNIT_SECOND);
	if (t && f->busy.value > 0)
		node_number(a, n, "share",
		    dm->rate_peak[k] * t->run_s.value /
			(f->busy.value * devices),
		    UNIT_RATIO);
	node_text(a, n, "tier",
	    tier_id(t            ? t->run_s.tier
		    : flop.known ? c.tier
				 : TIER_ASSUMED));
	node_text(a, n, "src", s->src ? s->src : "");
}

static void
put_runtime(const struct outcome *o, struct node *n, const struct vendor *v)
{
	const struct runtime *rt = &v->runtime;
	struct arena *a = o->d.a;
	struct str list;

	str_init(&list, a);
	for (int i = 0; i < rt->n_built_for; i++)
		str_addf(&list, "%s%d.%d", i ? " " : "", rt->built_for[i] / 10,
		    rt->built_for[i] % 10);
	node_text2(a, n, "engine",
	    rt->engine_name ? rt->engine_name : engine_id(rt->engine),
	    rt->engine_name ? rt->engine_name_en : NULL);
	node_text(a, n, "class", engine_id(rt->engine));
	node_text(a, n, "version", rt->version);
	node_text(a, n, "precision", precision_id(rt->precision));
	if (rt->batch > 0)
		node_number(a, n, "batch", rt->batch, UNIT_COUNT);
	node_text(a, n, "layout",
	    rt->layout == PROC_PER_STREAM ? "per-stream" : "per-card");
	node_text(a, n, "ships", ships_id(rt->ships));
	if (rt->cuda.known)
		node_text(a, n, "cuda",
		    arena_printf(a, "%d.%d", (int)rt->cuda.value / 100,
			(int)rt->cuda.value % 100));
	if (rt->driver.known)
		node_text(a, n, "driver",
		    arena_printf(a, "%d", (int)rt->driver.value));
	if (rt->n_built_for > 0)
		node_text(a, n, "built_for", list.s);
	node_flag(a, n, "locked",
	    rt->ships == SHIPS_ENGINE_FILES && rt->n_built_for > 0);
}

static void
put_memory(const struct outcome *o, struct node *n, const struct vendor *v,
    const struct fit *f)
{
	struct arena *a = o->d.a;
	struct memory_need m;
	int processes = v->runtime.processes > 0 ? v->runtime.processes : 1;

	if (f) {
		m = f->memory;
		processes = f->processes;
	} else {
		m = memory_need(o->d.cal, v, processes, 1, 1);
	}
	node_fact(a, n, "stated_min", v->memory.stated_min, UNIT_BYTE);
	node_fact(a, n, "stated_recommended", v->memory.stated_recommended,
	    UNIT_BYTE);
	node_number(a, n, "weights", m.weights, UNIT_BYTE);
	node_number(a, n, "activations", m.activations, UNIT_BYTE);
	node_number(a, n, "context", m.context, UNIT_BYTE);
	node_number(a, n, "surfaces", m.surfaces, UNIT_BYTE);
	node_number(a, n, "bank", m.bank, UNIT_BYTE);
	node_number(a, n, "scratch", m.scratch, UNIT_BYTE);
	node_number(a, n, "reserve", m.reserve, UNIT_BYTE);
	node_estimate(a, n, "total", m.total, UNIT_BYTE);
	node_flag(a, n, "measured", m.measured);
	node_number(a, n, "processes", processes, UNIT_COUNT);
}

/* ---- without a card */

/* Device time a second and the time of one frame on a processor; false when
 * a stage cannot be timed there. */
static bool
time_on_cpu(const struct outcome *o, const struct demand *dm,
    const struct gpu *cpu, double *busy, double *frame)
{
	const struct vendor *v = dm->v;
	int batch = v->runtime.batch > 0 ? v->runtime.batch : 1;

	*busy = *frame = 0;
	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];
		struct stage_time t;

		if (!stage_on_card(s))
			continue;
		/* A time stated on a card says too little about a processor. */
		if (s->kind == STAGE_TIMED)
			return false;
		t = stage_time(o->d.cal, v, s, cpu, batch);
		if (!t.possible)
			return false;
		*busy += dm->rate_peak[k] * t.run_s.value;
		if (dm->frames_per_s > 0)
			*frame +=
			    dm->rate_peak[k] / dm->frames_per_s * t.run_s.value;
	}
	return v->n_stages > 0;
}

/* Whether the processors of one server would do the networks: the one asked
 * for, when it is a processor, else the site's. */
static void
put_cpu(const struct outcome *o, struct node *vendor, const struct demand *dm)
{
	struct fact deadline = dm->v->deadline_s;
	const struct gpu *asked = dm->v->request.gpu;
	struct arena *a = o->d.a;
	double busy, frame;
	int sockets;
	const struct gpu *cpu = baseline_cpu(o, &sockets);
	bool in_time;
	struct node *n;

	if (asked && asked->segment == SEGMENT_CPU)
		cpu = asked;
	if (!cpu || !time_on_cpu(o, dm, cpu, &busy, &frame))
		return;
	in_time = !deadline.known || frame <= deadline.value;
	n = node_group(a, vendor, "cpu");
	node_text(a, n, "name", cpu->name);
	node_number(a, n, "sockets", sockets, UNIT_COUNT);
	node_number(a, n, "processors", busy / dm->limit, UNIT_COUNT);
	node_number(a, n, "frame_s", frame, UNIT_SECOND);
	node_flag(a, n, "in_time", in_time);
	node_flag(a, n, "suffices", in_time && busy / dm->limit <= sockets);
	node_flag(a, n, "asked", cpu == asked);
}

/* ---- verdict and fits */

static void
put_verdict(const struct outcome *o, struct node *n,
    const struct vendor_decision *vd)
{
	struct fact asked = vd->vendor->request.count;
	const struct fit *f = vd->judged;
	struct arena *a = o->d.a;
	double spare = 0;

	/* On the card the count was judged on, else on the smallest. */
	if (!f || !f->sized ||
	    (vd->count != COUNT_SOUND && vd->count != COUNT_GENEROUS &&
		vd->count != COUNT_SHORT))
		f = sizing_fit(vd);
	node_text(a, n, "model", model_verdict_id(vd->model));
	node_text(a, n, "count", count_verdict_id(vd->count));
	node_text(a, n, "certainty", sureness_id(vd->sure));
	if (vd->judged)
		node_text(a, n, "state", state_id(vd->judged->state));
	if (vd->judged && vd->judged->state == STATE_FAIL)
		node_text(a, n, "gate", gate_id(vd->judged->first));
	if (vd->judged && firm_gate(vd->vendor, vd->judged) < GATE_N)
		node_text(a, n, "firm_gate",
		    gate_id(firm_gate(vd->vendor, vd->judged)));
	if (vd->memory_generous) {
		node_text(a, n, "aside", "memory-generous");
		node_estimate(a, n, "memory_need", vd->judged->memory.total,
		    UNIT_BYTE);
		node_fact(a, n, "memory_have", vd->judged->usable, UNIT_BYTE);
	}
	if (f && f->sized) {
		node_estimate(a, n, "cards_needed",
		    (struct estimate){f->cards, f->cards_low, f->cards_high,
			f->tier},
		    UNIT_COUNT);
		if (asked.known)
			spare = fmax(0, asked.value - f->cards);
	}
	if (f && f->sized)
		node_number(a, n, "cards_mean", f->cards_mean, UNIT_COUNT);
	node_fact(a, n, "cards_asked", asked, UNIT_COUNT);
	node_number(a, n, "cards_spare", spare, UNIT_COUNT);
}

struct shown {
	const struct fit *fits[64];
	int n;
};

static void
show(const struct outcome *o, struct node *list, struct shown *s,
    const struct fit *f, const char *role)
{
	struct node *n;

	for (int i = 0; i < s->n; i++)
		if (f && s->fits[i]->gpu == f->gpu)
			return;
	if (!f || s->n == (int)(sizeof(s->fits) / sizeof(*s->fits)))
		return;
	s->fits[s->n++] = f;
	n = node_item(o->d.a, list);
	put_fit(o, n, f);
	node_text(o->d.a, n, "role", role);
}

static void
put_alternatives(const struct outcome *o, struct node *list,
    const struct vendor_decision *vd)
{
	const struct decision *dec = o->dec;
	struct shown s = {.n = 0};

	show(o, list, &s, vd->judged, "requested");
	show(o, list, &s, vd->smallest, "smallest");
	show(o, list, &s, vd->cheapest, "cheapest");
	show(o, list, &s, vd->planned, "plan");
	show(o, list, &s, vd->nearest, "nearest");
	for (int i = 0; i < dec->n_vendors && s.n < 10; i++)
		if (dec->vendors[i].judged)
			show(o, list, &s,
			    fit_find(vd, dec->vendors[i].judged->gpu), "other");
	for (int i = 0; i < dec->plan.n_pools && s.n < 12; i++)
		show(o, list, &s, fit_find(vd, dec->plan.pools[i].gpu), "plan");
}

static void
put_families(const struct outcome *o, struct node *list,
    const struct vendor_decision *vd)
{
	int passing[N_FAMILIES] = {0}, total[N_FAMILIES] = {0};
	struct arena *a = o->d.a;

	for (int i = 0; i < vd->n_fits; i++) {
		int k = card_family(vd->fits[i].gpu);

		total[k]++;
		passing[k] += vd->fits[i].state == STATE_PASS;
	}
	for (int k = 0; k < N_FAMILIES; k++) {
		struct node *n;

		if (total[k] == 0)
			continue;
		n = node_item(a, list);
		node_text(a, n, "family", card_families[k].id);
		node_text2(a, n, "name", card_families[k].name,
		    card_families[k].name_en);
		node_number(a, n, "passing", passing[k], UNIT_COUNT);
		node_number(a, n, "total", total[k], UNIT_COUNT);
	}
}

/* How many cards of the catalogue stop first at each gate, most first. */
static void
put_excluded(struct arena *a, struct node *list,
    const struct vendor_decision *vd)
{
	int count[GATE_N + 1] = {0};

	for (int i = 0; i < vd->n_fits; i++)
		if (vd->fits[i].state == STATE_FAIL)
			count[vd->fits[i].first]++;
	for (;;) {
		int most = 0;
		struct node *n;

		for (int g = 1; g < GATE_N; g++)
			if (count[g] > count[most])
				most = g;
		if (count[most] == 0)
			return;
		n = node_item(a, list);
		node_text(a, n, "gate", gate_id(most));
		node_number(a, n, "count", count[most], UNIT_COUNT);
		count[most] = 0;
	}
}

/* ---- dials, roofline, changes */

static const char *
dial_text(struct arena *a, enum dial k, double v)
{
	const char *unit = "";

	if (k == DIAL_ALGORITHM) {
		v /= 1e9;
		unit = " GFLOP";
	} else if (k == DIAL_REALTIME) {
		unit = " /s";
	}
	return arena_printf(a, "%s%s",
	    num_format(a, v, num_decimals(v, 3), true), unit);
}

/* Nothing but stated times: the work behind them is inferred, so algorithm
 * and optimisation cannot be told apart. */
static bool
only_timed(const struct vendor *v)
{
	for (int k = 0; k < v->n_stages; k++)
		if (v->stages[k].kind != STAGE_TIMED)
			return false;
	return v->n_stages > 0;
}

static void
put_dials(const struct outcome *o, struct node *item,
    const struct vendor_decision *vd)
{
	struct arena *a = o->d.a;
	struct node *list = node_list(a, item, "dials");

	for (int k = 0; k < DIAL_N && vd->need > 0; k++) {
		struct node *n = node_item(a, list);

		node_text(a, n, "id", dial_id(k));
		node_number(a, n, "value", vd->dial[k], UNIT_NONE);
		node_number(a, n, "factor", vd->factor[k], UNIT_RATIO);
		node_text(a, n, "value_text", dial_text(a, k, vd->dial[k]));
	}
	if (vd->need <= 0)
		return;
	node_flag(a, item, "dials_inferred", only_timed(vd->vendor));
	node_number(a, item, "need", vd->need, UNIT_FLOP_PER_S);
	node_number(a, item, "ratio", vd->ratio, UNIT_RATIO);
}

/*
 * The peak a network can reach: where kernels mix FP16 and FP32 accumulate,
 * the higher of the two rates, so that nothing lies above the roof.
 */
struct roof {
	struct fact peak, other;     /* other: with the other accumulate type */
	const char *acc, *other_acc; /* "fp16", "fp32"; NULL: one rate */
};

static struct roof
roof_of(const struct outcome *o, const struct gpu *g, enum engine e,
    enum precision p)
{
	struct fact acc16 = g->peak[PEAK_FP16_TENSOR_ACC16];
	struct roof r = {.acc = NULL};
	enum peak used;

	r.peak = speed_peak(g, p, &used);
	if (!r.peak.known || used != PEAK_FP16_TENSOR || !acc16.known ||
	    acc16.value <= r.peak.value)
		return r;
	r.acc = "fp32";
	r.other_acc = "fp16";
	r.other = acc16;
	if (o->d.cal->acc16_weight[e] > 0) {
		r.other = r.peak;
		r.peak = acc16;
		r.acc = "fp16";
		r.other_acc = "fp32";
	}
	return r;
}

static void
put_point(const struct outcome *o, struct node *points, const struct demand *dm,
    const struct fit *f, int k)
{
	const struct stage *s = &dm->v->stages[k];
	struct stage_cost c = stage_cost_filled(o->d.cal, s, s->precision);
	const struct stage_time *t = time_on(f, k);
	struct arena *a = o->d.a;
	double bytes, intensity, roof;
	struct node *n;

	if (!t || !c.known || c.flop <= 0 || !f->gpu->bandwidth.known)
		return;
	bytes = c.bytes + c.weight_bytes / fmax(1, t->batch);
	if (bytes <= 0 || t->attained_flop_per_s <= 0)
		return;
	intensity = c.flop / bytes;
	roof = fmin(roof_of(o, f->gpu, dm->v->runtime.engine, s->precision)
			.peak.value,
	    intensity * f->gpu->bandwidth.value);
	n = node_item(a, points);
	node_text2(a, n, "name", stage_name(s), s->name ? s->name_en : NULL);
	node_number(a, n, "intensity", intensity, UNIT_NONE);
	node_number(a, n, "attained", t->attained_flop_per_s, UNIT_FLOP_PER_S);
	node_number(a, n, "roof", roof, UNIT_FLOP_PER_S);
	node_number(a, n, "share", t->attained_flop_per_s / roof, UNIT_RATIO);
	node_text(a, n, "bound", bound_id(t->bound));
}

static void
put_roofline(const struct outcome *o, struct node *item,
    const struct demand *dm, const struct fit *f)
{
	struct arena *a = o->d.a;
	struct node *n, *points;
	struct roof r;

	if (!f || !f->gpu->bandwidth.known)
		return;
	r = roof_of(o, f->gpu, dm->v->runtime.engine,
	    dm->v->n_stages > 0 ? dm->v->stages[0].precision
				: dm->v->runtime.precision);
	if (!r.peak.known)
		return;
	n = node_group(a, item, "roofline");
	node_text(a, n, "gpu", f->gpu->id);
	node_text(a, n, "name", f->gpu->name);
	node_fact(a, n, "peak", r.peak, UNIT_FLOP_PER_S);
	node_text(a, n, "peak_acc", r.acc);
	node_fact(a, n, "peak_other", r.other, UNIT_FLOP_PER_S);
	node_text(a, n, "peak_other_acc", r.other_acc);
	node_fact(a, n, "bandwidth", f->gpu->bandwidth, UNIT_BYTE_PER_S);
	node_number(a, n, "ridge", r.peak.value / f->gpu->bandwidth.value,
	    UNIT_NONE);
	points = node_list(a, n, "points");
	for (int k = 0; k < dm->v->n_stages; k++)
		put_point(o, points, dm, f, k);
}

static void
put_from_to(struct arena *a, struct node *n, const struct change *c)
{
	if (c->batch[1] <= 0) {
		node_text(a, n, "from", c->from);
		node_text(a, n, "to", c->to);
		return;
	}
	node_number(a, n, "from", c->batch[0], UNIT_COUNT);
	node_number(a, n, "to", c->batch[1], UNIT_COUNT);
	node_number(a, n, "processes_from", c->processes[0], UNIT_COUNT);
	node_number(a, n, "processes_to", c->processes[1], UNIT_COUNT);
}

/* Gates that stay in the way after the change. */
static void
put_also(struct arena *a, struct node *list, const struct fit *f)
{
	for (int g = 0; f && g < GATE_N; g++)
		if (f->gates[g].state == STATE_FAIL)
			node_text(a, node_item(a, list), "gate", gate_id(g));
}

static void
put_changes(const struct outcome *o, struct node *list,
    const struct vendor_decision *vd)
{
	struct arena *a = o->d.a;

	for (int i = 0; i < vd->n_changes; i++) {
		const struct change *c = &vd->changes[i];
		struct node *n = node_item(a, list);

		node_text(a, n, "id", c->id);
		node_text(a, n, "saves", c->saves);
		if (c->fit) {
			node_text(a, n, "gpu", c->fit->gpu->id);
			node_text(a, n, "name", c->fit->gpu->name);
			node_text(a, n, "state", state_id(c->fit->state));
		}
		if (c->fit && c->fit->sized)
			node_number(a, n, "cards", c->fit->cards, UNIT_COUNT);
		put_from_to(a, n, c);
		put_also(a, node_list(a, n, "also"), c->fit);
	}
}

static void
put_gain(struct arena *a, struct node *n, const struct change *c)
{
	node_text(a, n, "change", c->id);
	if (!c->fit)
		return;
	node_text(a, n, "gpu", c->fit->gpu->id);
	node_text(a, n, "name", c->fit->gpu->name);
	if (c->fit->sized)
		node_number(a, n, "cards", c->fit->cards, UNIT_COUNT);
}

static void
put_questions(struct arena *a, struct node *list,
    const struct vendor_decision *vd)
{
	for (int i = 0; i < vd->n_questions; i++) {
		const struct question *q = &vd->questions[i];
		struct node *n = node_item(a, list);

		node_text(a, n, "id", q->id);
		node_number(a, n, "weight", vd->n_questions - i, UNIT_COUNT);
		node_flag(a, n, "flips", q->flips);
		if (q->gain)
			put_gain(a, node_group(a, n, "gain"), q->gain);
	}
}

/* The card planned, how sure it is, and what could still break it. */
static void
put_planned(const struct outcome *o, struct node *vendor,
    const struct vendor_decision *vd)
{
	struct arena *a = o->d.a;
	struct node *n = put_named_fit(o, vendor, "planned", vd->planned);
	struct node *list;

	if (!n)
		return;
	node_text(a, n, "certainty", sureness_id(vd->planned_sure));
	node_flag(a, n, "asked", vd->planned == vd->judged);
	node_number(a, n, "count", fit_cards(vd->planned, vd->vendor),
	    UNIT_COUNT);
	list = node_list(a, n, "risks");
	for (int i = 0; i < vd->n_risks; i++) {
		const struct risk *r = &vd->risks[i];
		struct node *item = node_item(a, list);

		node_text(a, item, "id", r->id);
		node_fact(a, item, "value", r->value, r->unit);
		node_fact(a, item, "limit", r->limit, r->unit);
		if (r->gate < GATE_N)
			node_text(a, item, "gate", gate_id(r->gate));
	}
}

static void
put_ids(struct arena *a, struct node *list, const char **ids, int n)
{
	for (int i = 0; i < n; i++)
		node_text(a, node_item(a, list), "id", ids[i]);
}

static enum tier
vendor_tier(const struct demand *dm, const struct fit *f)
{
	enum tier worst = TIER_MEASURED;

	if (f && f->sized)
		return f->tier;
	for (int k = 0; k < dm->v->n_stages; k++) {
		const struct stage *s = &dm->v->stages[k];
		enum tier t =
		    s->kind == STAGE_TIMED ? TIER_TRANSFERRED : TIER_TOTALS;

		if (s->kind == STAGE_TIMED ? !s->seconds.known
					   : !stage_cost(s, s->precision).known)
			t = TIER_ASSUMED;
		worst = t > worst ? t : worst;
	}
	return dm->v->n_stages ? worst : TIER_ASSUMED;
}

void
outcome_vendor(const struct outcome *o, struct node *n,
    const struct vendor_decision *vd)
{
	const struct vendor *v = vd->vendor;
	struct demand dm = demand_of(&o->d, v);
	const struct fit *f = sizing_fit(vd);
	const struct fit *shown = vd->judged ? vd->judged : vd->smallest;
	struct arena *a = o->d.a;
	struct node *list;

	node_text(a, n, "id", v->id);
	put_name(o, n, v);
	node_text2(a, n, "task", v->task ? v->task : "", v->task_en);
	put_request(o, node_group(a, n, "request"), v);
	put_load(o, node_group(a, n, "load"), &dm);
	put_streams(o, node_list(a, n, "streams"), v);
	list = node_list(a, n, "stages");
	for (int k = 0; k < v->n_stages; k++)
		put_stage(o, node_item(a, list), &dm, k, f ? f : shown);
	put_runtime(o, node_group(a, n, "runtime"), v);
	put_memory(o, node_group(a, n, "memory"), v, f ? f : shown);
	node_fact(a, n, "deadline", v->deadline_s, UNIT_SECOND);
	node_text(a, n, "tier", tier_id(vendor_tier(&dm, f)));
	node_text(a, n, "binding", binding_id(vd));
	put_verdict(o, node_group(a, n, "verdict"), vd);
	put_named_fit(o, n, "requested", vd->requested);
	put_named_fit(o, n, "judged", vd->judged);
	put_named_fit(o, n, "smallest", vd->smallest);
	put_named_fit(o, n, "cheapest", vd->cheapest);
	put_named_fit(o, n, "nearest", vd->nearest);
	put_planned(o, n, vd);
	put_own_fallback(o, n, vd);
	put_cpu(o, n, &dm);
	put_gates(o, node_list(a, n, "gates"), shown);
	put_alternatives(o, node_list(a, n, "alternatives"), vd);
	node_number(a, n, "passing", vd->passing, UNIT_COUNT);
	node_number(a, n, "passing_supply", vd->passing_supply, UNIT_COUNT);
	node_number(a, n, "total", vd->n_fits, UNIT_COUNT);
	put_excluded(a, node_list(a, n, "excluded"), vd);
	put_families(o, node_list(a, n, "families"), vd);
	put_dials(o, n, vd);
	put_roofline(o, n, &dm, f ? f : shown);
	put_changes(o, node_list(a, n, "changes"), vd);
	node_text(a, n, "plan_state",
	    !vd->planned    ? "unserved"
	    : plan_firm(vd) ? "firm"
			    : "waiting");
	put_questions(a, node_list(a, n, "questions"), vd);
	put_ids(a, node_list(a, n, "assumptions"), vd->assumptions,
	    vd->n_assumptions);
}
