#include "model/speed.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/str.h"
#include "model/peak.h"

const char *
bound_id(enum bound b)
{
	static const char *const names[] = {
	    [BOUND_COMPUTE] = "compute",
	    [BOUND_BANDWIDTH] = "bandwidth",
	    [BOUND_LAUNCH] = "launch",
	    [BOUND_HOST] = "host",
	};

	assert((unsigned)b < sizeof(names) / sizeof(*names));
	return names[b];
}

int
band_class(int batch)
{
	return batch <= 1 ? 0 : batch < 8 ? 1 : 2;
}

/*
 * What a stage costs
 */

double
precision_bytes(enum precision p)
{
	switch (p) {
	case PREC_FP16:
	case PREC_BF16: return 2;
	case PREC_FP8:
	case PREC_INT8: return 1;
	default: return 4;
	}
}

static const struct network *
network_of(const struct stage *s)
{
	return s->network ? s->network : &s->totals;
}

/* Pixels of the stage's input over those its network's totals hold for. */
static double
pixel_ratio(const struct stage *s, const struct network *n)
{
	if (!n->scales || s->in_h <= 0 || s->in_w <= 0 || n->in_h <= 0 ||
	    n->in_w <= 0)
		return 1;
	return (double)s->in_h * s->in_w / ((double)n->in_h * n->in_w);
}

static void
cost_sum(struct stage_cost *k, enum precision p)
{
	k->flop = 2 * k->macs;
	k->bytes = 2 * k->activations * precision_bytes(p);
	k->weight_bytes = k->params * precision_bytes(p);
	k->intensity = k->bytes + k->weight_bytes > 0
			   ? k->flop / (k->bytes + k->weight_bytes)
			   : 0;
}

static struct stage_cost
work_cost(const struct stage *s)
{
	struct stage_cost k = {.tier = TIER_TOTALS};

	k.flop = positive(s->flop);
	k.bytes = positive(s->bytes);
	k.macs = k.flop / 2;
	k.known = k.flop > 0 || k.bytes > 0;
	k.intensity = k.bytes > 0 ? k.flop / k.bytes : 0;
	return k;
}

struct stage_cost
stage_cost(const struct stage *s, enum precision p)
{
	const struct network *n = network_of(s);
	struct stage_cost k = {.tier = TIER_TOTALS};
	double ratio;

	if (s->kind == STAGE_WORK)
		return work_cost(s);
	if (s->kind != STAGE_NETWORK)
		return k;
	ratio = pixel_ratio(s, n);
	k.macs = positive(n->macs) * ratio;
	k.params = positive(n->params);
	k.activations = positive(n->activations) * ratio;
	k.known = k.macs > 0;
	cost_sum(&k, p);
	return k;
}

/* Sizes the fits of kernels and activations are written around. */
static const double ref_macs = 4e9, ref_activations = 11e6, ref_params = 25e6;

/* Parameters when nobody states them: those of the reference network. */
static double
params_or_ref(double params)
{
	return params > 0 ? params : ref_params;
}

struct stage_cost
stage_cost_filled(const struct calibration *c, const struct stage *s,
    enum precision p)
{
	struct stage_cost k = stage_cost(s, p);
	const struct network *n = network_of(s);
	double ratio;

	if (s->kind != STAGE_NETWORK || !k.known || k.activations > 0)
		return k;
	ratio = pixel_ratio(s, n);
	k.activations =
	    ratio * ref_activations * c->class_activations[n->cls] *
	    pow(k.macs / ratio / ref_macs, c->activations_macs) *
	    pow(params_or_ref(k.params) / ref_params, c->activations_params);
	k.tier = TIER_ASSUMED;
	cost_sum(&k, p);
	return k;
}

/*
 * The model: seconds of one batch and its parts
 */

struct parts {
	const char *why; /* NULL: possible */
	double compute, traffic, launch, host, total;
	struct fact peak;
	enum peak used;
	enum tier tier;
	double flop; /* of one run */
};

static double
smooth_max(double a, double b, double power)
{
	double m = fmax(a, b);

	if (m <= 0)
		return 0;
	return m * pow(pow(a / m, power) + pow(b / m, power), 1 / power);
}

/* A time that figures within reason can give; false for NaN too. */
static bool
plausible(double seconds)
{
	return seconds > 1e-12 && seconds < 1e12;
}

static void
parts_join(const struct calibration *c, struct parts *t)
{
	double device = smooth_max(t->compute, t->traffic, c->join);

	t->total = t->host + smooth_max(t->launch, device, c->launch_join);
}

static void
parts_scale(struct parts *t, double by)
{
	t->compute *= by;
	t->traffic *= by;
	t->launch *= by;
	t->host *= by;
	t->total *= by;
}

/* Kernels of the network: it has as many at any input size. */
static double
kernels_of(const struct calibration *c, const struct network *n,
    const struct stage_cost *k, double ratio)
{
	return c->kernels * c->class_kernels[n->cls] *
	       pow(k->macs / ratio / ref_macs, c->kernels_macs) *
	       pow(k->activations / ratio / ref_activations,
		   c->kernels_activations) *
	       pow(params_or_ref(k->params) / ref_params, c->kernels_params);
}

/*
 * How full the chip is: elements a layer gives each SM against the number
 * that half fills it.  Written for an SM of 512 multiply-adds a clock, so
 * the number of SMs cancels against the peak.
 */
static double
fill_of(const struct calibration *c, const struct gpu *g, double peak,
    double elements)
{
	double hz = positive(g->boost_hz);
	double mac_per_clock = peak / 2 / (hz > 0 ? hz : c->boost_hz);
	double q = elements * 512 / mac_per_clock;

	return q / (q + c->fill_half);
}

/*
 * Traffic that DRAM carries, as a share of all: what one layer writes for
 * the next stays in the L2 cache as far as it fits, and is served at the
 * rate of the cache.  The reason why an L4 with its 48 MB keeps up with
 * cards of twice its bandwidth.  `layer_bytes`: tensors of one layer.
 */
static double
dram_share(const struct calibration *c, const struct gpu *g, double layer_bytes)
{
	double half = c->l2_half * positive(g->l2_bytes);
	double hit = half / (half + layer_bytes);

	return half > 0 ? 1 - hit + hit / c->l2_rate : 1;
}

static void
network_parts(const struct calibration *c, enum engine e, enum precision p,
    const struct stage *s, const struct gpu *g, double batch, struct parts *t)
{
	const struct network *n = network_of(s);
	/* what has no unit of its own runs on the FP32 cores */
	enum precision unit = t->used == PEAK_FP32 ? PREC_FP32 : p;
	struct stage_cost k =
	    stage_cost_filled(c, s, g->segment == SEGMENT_CPU ? PREC_FP32 : p);
	double kernels, depth, peak, rate, elements;

	if (!k.known) {
		t->why = "no-figure";
		return;
	}
	kernels = kernels_of(c, n, &k, pixel_ratio(s, n));
	depth = k.macs / k.activations;
	depth /= depth + c->depth_half[unit];
	elements = k.activations * batch / kernels;
	peak = peak_mixed(c, g, e, t->used, t->peak.value);
	rate = peak * peak_clock(c, g, t->used) * c->efficiency[e][unit] *
	       c->class_efficiency[n->cls] * depth *
	       fill_of(c, g, peak, elements);
	t->compute = k.flop * batch / rate;
	t->traffic =
	    (c->traffic[e] * c->class_traffic[n->cls] * k.bytes * batch *
		    dram_share(c, g, k.bytes * batch / kernels) +
		k.weight_bytes) /
	    (c->bandwidth_share * positive(g->bandwidth));
	t->launch = g->segment == SEGMENT_CPU ? 0 : kernels * c->launch_s[e];
	t->host = g->segment == SEGMENT_CPU ? 0 : c->host_s[e];
	t->tier = k.tier;
	t->flop = k.flop;
}

/* Stated operations and bytes: a roofline and one launch. */
static void
work_parts(const struct calibration *c, enum engine e, enum precision p,
    const struct stage *s, const struct gpu *g, double batch, struct parts *t)
{
	struct stage_cost k = stage_cost(s, p);
	enum precision unit = t->used == PEAK_FP32 ? PREC_FP32 : p;
	double share = fmin(c->efficiency[e][unit], c->work_efficiency);

	if (!k.known) {
		t->why = "no-figure";
		return;
	}
	t->compute = k.flop * batch /
		     (t->peak.value * peak_clock(c, g, t->used) * share);
	t->traffic =
	    k.bytes * batch / (c->bandwidth_share * positive(g->bandwidth));
	t->launch = g->segment == SEGMENT_CPU ? 0 : c->launch_s[e];
	t->tier = k.tier;
	t->flop = k.flop;
}

/* The fit holds for NVIDIA cards outside the edge modules. */
static bool
fitted_for(const struct gpu *g)
{
	return g->vendor == VENDOR_NVIDIA && g->segment != SEGMENT_EDGE &&
	       g->segment != SEGMENT_CPU;
}

static struct parts
parts_at(const struct calibration *c, enum engine e, enum precision p,
    const struct stage *s, const struct gpu *g, int batch)
{
	struct parts t = {.tier = TIER_ASSUMED};

	t.peak = speed_peak(g, p, &t.used);
	if (!t.peak.known)
		t.why = "no-peak";
	else if (positive(g->bandwidth) <= 0)
		t.why = "no-figure";
	else if (s->kind == STAGE_NETWORK)
		network_parts(c, e, p, s, g, batch, &t);
	else
		work_parts(c, e, p, s, g, batch, &t);
	if (t.why)
		return t;
	if (!fitted_for(g) || e == ENGINE_OTHER)
		t.tier = TIER_ASSUMED;
	parts_join(c, &t);
	if (!plausible(t.total))
		t.why = "no-figure";
	return t;
}

/* The next finer precision a kernel could run in instead; itself if none. */
static const enum precision finer_than[PREC_N] = {
    [PREC_FP32] = PREC_FP32,
    [PREC_TF32] = PREC_FP32,
    [PREC_FP16] = PREC_TF32,
    [PREC_BF16] = PREC_TF32,
    [PREC_FP8] = PREC_FP16,
    [PREC_INT8] = PREC_FP16,
};

/*
 * Seconds of one batch.  INT8 is held to what vendors reach in practice over
 * FP16: the fit of INT8 rests on tuned benchmark submissions.
 */
static struct parts
model_parts(const struct calibration *c, enum engine e, enum precision p,
    const struct stage *s, const struct gpu *g, int batch)
{
	struct parts t = parts_at(c, e, p, s, g, batch), half;
	double least;

	if (t.why || g->segment == SEGMENT_CPU || s->kind != STAGE_NETWORK)
		return t;
	/* a runtime keeps the finer kernel where the coarser one is slower */
	for (enum precision q = p; finer_than[q] != q;) {
		q = finer_than[q];
		half = model_parts(c, e, q, s, g, batch);
		if (half.why)
			continue;
		if (half.total < t.total)
			parts_scale(&t, half.total / t.total);
		break;
	}
	if (p != PREC_INT8)
		return t;
	half = parts_at(c, e, PREC_FP16, s, g, batch);
	least = half.total / c->int8_gain;
	if (!half.why && t.total < least)
		parts_scale(&t, least / t.total);
	return t;
}

/*
 * Results
 */

static enum bound
longest_part(const struct stage_time *t)
{
	double longest = t->compute_s;
	enum bound b = BOUND_COMPUTE;

	if (t->traffic_s > longest) {
		longest = t->traffic_s;
		b = BOUND_BANDWIDTH;
	}
	if (t->launch_s > longest) {
		longest = t->launch_s;
		b = BOUND_LAUNCH;
	}
	return t->host_s > longest ? BOUND_HOST : b;
}

static struct stage_time
impossible(const char *why, int batch)
{
	return (struct stage_time){.why = why,
	    .batch = batch,
	    .run_s.tier = TIER_ASSUMED};
}

static double
band_of(const struct calibration *c, const struct gpu *g, enum tier tier,
    int batch)
{
	/* a ratio of two cards is no safer than the model where the model
	 * was never fitted */
	if (tier == TIER_TRANSFERRED && !fitted_for(g))
		tier = TIER_ASSUMED;
	return fmax(1, c->band[tier][band_class(batch)]);
}

static struct estimate
estimate_of(double value, enum tier tier, double band)
{
	return (struct estimate){value, value / band, value * band, tier};
}

/* Fill a result from the parts of one batch. */
static struct stage_time
time_of(const struct calibration *c, const struct gpu *g, const struct parts *p,
    enum tier tier, int batch)
{
	struct stage_time t = {.possible = true, .batch = batch};

	t.batch_s = p->total;
	t.run_s =
	    estimate_of(p->total / batch, tier, band_of(c, g, tier, batch));
	t.compute_s = p->compute / batch;
	t.traffic_s = p->traffic / batch;
	t.launch_s = p->launch / batch;
	t.host_s = p->host / batch;
	t.bound = longest_part(&t);
	t.peak_flop_per_s = p->peak.value;
	t.peak = p->used;
	t.attained_flop_per_s = p->total > 0 ? p->flop * batch / p->total : 0;
	return t;
}

/*
 * Stated times
 */

/* Speed of a card in general: peak and bandwidth, in the middle. */
static double
card_rate(const struct gpu *g, enum precision p)
{
	enum peak used;

	return sqrt(positive(speed_peak(g, p, &used)) * positive(g->bandwidth));
}

/*
 * What launches and the host take of a run that nobody described: those of
 * a usual network, `carry_floor` times as long as in the model.
 */
static double
usual_floor(const struct calibration *c, enum engine e, int batch, double value)
{
	double floor = c->carry_floor *
		       (c->kernels * c->launch_s[e] + c->host_s[e]) /
		       (batch > 1 ? batch : 1);

	return fmin(floor, 0.95 * value);
}

/*
 * Carry `value` seconds of a run at `batch` from one card to another: the
 * floor stays, the rest follows the rates of the cards at the precision.
 * False when a rate is not published.
 */
static bool
carry_by_rate(const struct calibration *c, enum engine e, enum precision p,
    const struct gpu *from, const struct gpu *to, int batch, double value,
    struct estimate *out)
{
	double rate_from = card_rate(from, p), rate_to = card_rate(to, p);
	double floor = usual_floor(c, e, batch, value);

	if (rate_from <= 0 || rate_to <= 0)
		return false;
	/* no launches to wait for on a processor */
	if (to->segment == SEGMENT_CPU || from->segment == SEGMENT_CPU)
		floor = 0;
	value = floor + (value - floor) * rate_from / rate_to;
	*out = estimate_of(value, TIER_TRANSFERRED,
	    fmax(c->carry_band, band_of(c, to, TIER_TRANSFERRED, batch)));
	return true;
}

static bool
on_processor(const struct stage *s)
{
	return s->on_host ||
	       (s->timed_on && s->timed_on->segment == SEGMENT_CPU);
}

static struct stage_time
timed_stage(const struct calibration *c, enum engine e, const struct stage *s,
    const struct gpu *g, int batch)
{
	double value = positive(s->seconds);
	enum tier tier = TIER_MEASURED;
	struct stage_time t = {.possible = true, .batch = batch};

	if (!plausible(value))
		return impossible("no-figure", batch);
	t.from_gpu = s->timed_on;
	t.src = s->src ? s->src : s->seconds.src;
	if (!s->timed_on && !s->on_host)
		tier = TIER_ASSUMED;
	if (tier == TIER_ASSUMED || s->timed_on == g || on_processor(s)) {
		t.run_s =
		    estimate_of(value, tier, band_of(c, g, tier, s->batch));
	} else if (!carry_by_rate(c, e, s->precision, s->timed_on, g, s->batch,
		       value, &t.run_s)) {
		return impossible("no-figure", batch);
	}
	t.batch_s = t.run_s.value * batch;
	t.bound =
	    on_processor(s) ? BOUND_HOST
	    : usual_floor(c, e, s->batch, t.run_s.value) > t.run_s.value / 2
		? BOUND_LAUNCH
		: BOUND_COMPUTE;
	return t;
}

/* A stage without the vendor's measurements. */
static struct stage_time
modelled(const struct calibration *c, enum engine e, enum precision p,
    const struct stage *s, const struct gpu *g, int batch)
{
	struct stage_time t;
	struct parts parts;

	if (s->kind == STAGE_TIMED)
		return timed_stage(c, e, s, g, batch);
	parts = model_parts(c, e, p, s, g, batch);
	if (parts.why)
		return impossible(parts.why, batch);
	t = time_of(c, g, &parts, parts.tier, batch);
	t.src = s->src;
	return t;
}

/*
 * Measurements of the vendor
 */

/* Seconds per run; 0 when it states neither a rate nor a latency. */
static double
measured_run(const struct measurement *m)
{
	double rate = positive(m->rate), latency = positive(m->latency);
	double run_s =
	    rate > 0 ? 1 / rate : latency / (m->batch > 0 ? m->batch : 1);

	return plausible(run_s) ? run_s : 0;
}

/* How far a measurement is from what is asked; below zero: no use. */
static double
distance(const struct measurement *m, const struct vendor *v,
    const struct stage *s, const struct gpu *g, int batch)
{
	double d = 0;

	if (!m->gpu || measured_run(m) <= 0)
		return -1;
	if (m->stage && !str_equal(m->stage, s->name))
		return -1;
	if (!m->stage && v->n_stages != 1)
		d += 2;
	if (m->gpu != g)
		d += 100;
	if (m->precision != s->precision)
		d += 10;
	if (m->engine != v->runtime.engine)
		d += 10;
	if (m->batch <= 0)
		return d + 1;
	return d + fabs(log2((double)m->batch / batch));
}

static const struct measurement *
nearest_measurement(const struct vendor *v, const struct stage *s,
    const struct gpu *g, int batch)
{
	const struct measurement *best = NULL;
	double least = 0;

	for (int i = 0; i < v->n_measured; i++) {
		double d = distance(&v->measured[i], v, s, g, batch);

		if (d >= 0 && (!best || d < least)) {
			best = &v->measured[i];
			least = d;
		}
	}
	return best;
}

/* Runs of a stage for one frame of the pipeline; 0 when not known. */
static double
runs_per_frame(const struct vendor *v, const struct stage *s)
{
	double times = s->times > 0 ? s->times : 1;
	double sum = 0, frames = 0;

	for (int i = 0; i < v->n_streams; i++) {
		const struct stream *st = &v->streams[i];
		double weight = st->count * st->analysed_per_s, runs = 1;

		if (weight <= 0)
			continue;
		frames += weight;
		if (s->stream >= 0 && s->stream != i)
			continue;
		if (s->per == PER_OBJECT)
			runs = st->objects_mean.known
				   ? positive(st->objects_mean)
				   : positive(st->objects_peak);
		else if (s->per == PER_TILE)
			runs = stage_tiles(s, st);
		sum += weight * runs;
	}
	if (frames <= 0)
		return s->per == PER_FRAME ? times : 0;
	return times * sum / frames;
}

/*
 * Seconds of a run of `s` on the measured card, as the measurement says.
 * One that times the whole pipeline is shared out as the model would.
 */
static double
share_of_run(const struct calibration *c, const struct vendor *v,
    const struct stage *s, const struct measurement *m, int batch)
{
	double sum = 0, own = 0;

	if (m->stage || v->n_stages == 1)
		return measured_run(m);
	for (int i = 0; i < v->n_stages; i++) {
		const struct stage *j = &v->stages[i];
		struct stage_time t;

		if (on_processor(j))
			continue;
		t = modelled(c, m->engine,
		    j->kind == STAGE_NETWORK ? m->precision : j->precision, j,
		    m->gpu, batch);
		if (!t.possible)
			return 0;
		sum += t.run_s.value * runs_per_frame(v, j);
		if (j == s)
			own = t.run_s.value;
	}
	return sum > 0 ? measured_run(m) * own / sum : 0;
}

/* Give a modelled result the measured time, its parts in proportion. */
static void
time_set(struct stage_time *t, const struct measurement *m, double run_s,
    double batch_s, enum tier tier, double band)
{
	double by = t->run_s.value > 0 ? run_s / t->run_s.value : 0;

	t->possible = true;
	t->why = NULL;
	t->compute_s *= by;
	t->traffic_s *= by;
	t->launch_s *= by;
	t->host_s *= by;
	t->attained_flop_per_s = by > 0 ? t->attained_flop_per_s / by : 0;
	t->run_s = estimate_of(run_s, tier, band);
	t->batch_s = batch_s;
	t->from = m;
	t->from_gpu = m->gpu;
	t->src = m->src;
}

static bool
measured_here(const struct vendor *v, const struct stage *s,
    const struct measurement *m, const struct gpu *g, int batch)
{
	return m->gpu == g && m->batch == batch &&
	       m->precision == s->precision && m->engine == v->runtime.engine;
}

/*
 * Carry a measurement to `g` and `batch`; false when it cannot be used.
 * `t` holds the model's result there, possible or not.
 */
static bool
carry(const struct calibration *c, const struct vendor *v,
    const struct stage *s, const struct measurement *m, const struct gpu *g,
    struct stage_time *t)
{
	int at = m->batch > 0 ? m->batch : t->batch;
	double run_s = share_of_run(c, v, s, m, at);
	double band = band_of(c, g, TIER_TRANSFERRED, t->batch);
	struct stage_time there;
	struct estimate e;

	if (run_s <= 0)
		return false;
	there = modelled(c, m->engine, m->precision, s, m->gpu, at);
	if (t->possible && there.possible && s->kind != STAGE_TIMED) {
		double by = run_s / there.run_s.value;

		/* what launches cost at batch 1 says half as much, in
		 * logarithms, about a large batch, and the reverse */
		if (band_class(at) != band_class(t->batch)) {
			by = pow(by, c->batch_carry);
			band = fmax(band, c->batch_carry_band);
		}
		run_s = t->run_s.value * by;
		time_set(t, m, run_s, run_s * t->batch, TIER_TRANSFERRED, band);
		return true;
	}
	/* a chip that lacks the unit does not get it from a measurement */
	if (t->why && str_equal(t->why, "no-peak"))
		return false;
	if (!carry_by_rate(c, m->engine, m->precision, m->gpu, g, at, run_s,
		&e))
		return false;
	time_set(t, m, e.value, e.value * t->batch, TIER_TRANSFERRED, band);
	t->run_s = e;
	return true;
}

struct stage_time
stage_time(const struct calibration *c, const struct vendor *v,
    const struct stage *s, const struct gpu *g, int batch)
{
	const struct measurement *m;
	struct stage_time t;
	double run_s;

	if (batch < 1)
		batch = 1;
	t = modelled(c, v->runtime.engine, s->precision, s, g, batch);
	m = nearest_measurement(v, s, g, batch);
	if (!m || on_processor(s))
		return t;
	if (!measured_here(v, s, m, g, batch)) {
		carry(c, v, s, m, g, &t);
		return t;
	}
	run_s = share_of_run(c, v, s, m, batch);
	if (run_s > 0)
		time_set(&t, m, run_s,
		    m->stage && m->latency.known ? m->latency.value
						 : run_s * batch,
		    TIER_MEASURED, band_of(c, g, TIER_MEASURED, batch));
	return t;
}
