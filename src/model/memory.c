#include "model/memory.h"

#include "base/str.h"
#include "model/peak.h"
#include "model/speed.h"

/* Bytes of one decoded 4:2:0 pixel. */
static const double surface_bytes_per_pixel = 1.5;

/* The pixels of a stream whose resolution nobody stated: 1920x1080. */
static const double pixels_unknown = 1920.0 * 1080;

static bool
on_card(const struct stage *s)
{
	return !s->on_host && !(s->kind == STAGE_TIMED && s->timed_on &&
				  s->timed_on->segment == SEGMENT_CPU);
}

/*
 * Weights and activations of one process.  Compiled engines keep a work
 * space for each network; a framework that runs op by op gives the memory
 * of one network back to the next.
 */
static void
pipeline_memory(const struct calibration *c, const struct vendor *v, int batch,
    struct memory_need *m, enum tier *tier)
{
	for (int i = 0; i < v->n_stages; i++) {
		const struct stage *s = &v->stages[i];
		struct stage_cost k;
		double live;

		if (!on_card(s) || s->kind == STAGE_WORK)
			continue;
		k = stage_cost_filled(c, s, s->precision);
		if (!k.known || k.params <= 0 || k.tier > *tier)
			*tier = TIER_ASSUMED;
		live = c->activation_share * k.activations * batch *
		       precision_bytes(s->precision);
		m->weights += k.weight_bytes;
		if (v->runtime.engine == ENGINE_EAGER)
			m->activations = fmax(m->activations, live);
		else
			m->activations += live;
	}
}

/*
 * What one process of the pipeline was seen to hold besides its context: the
 * stated peak, else the largest figure a measurement of the whole pipeline
 * gives at this batch or above.  0 when nobody looked.
 */
static double
measured_peak(const struct calibration *c, const struct vendor *v, int batch)
{
	double peak = positive(v->memory.peak), most = 0;

	if (peak > 0)
		return peak;
	for (int i = 0; i < v->n_measured; i++) {
		const struct measurement *m = &v->measured[i];

		if ((m->stage && v->n_stages != 1) || m->batch < batch)
			continue;
		most = fmax(most, positive(m->memory));
	}
	return fmax(0, most - c->context_bytes[v->runtime.engine]);
}

/* Decoded pictures held for one stream, averaged over the vendor's. */
static double
surfaces_per_stream(const struct calibration *c, const struct vendor *v)
{
	double bytes = 0, count = 0;

	for (int i = 0; i < v->n_streams; i++) {
		const struct stream *s = &v->streams[i];
		double n = s->count > 0 ? s->count : 0, pixels;

		count += n;
		if (s->kind != STREAM_VIDEO || s->codec == CODEC_NONE ||
		    s->decoded_elsewhere)
			continue;
		pixels = s->width > 0 && s->height > 0
			     ? (double)s->width * s->height
			     : pixels_unknown;
		bytes += n * c->surfaces * pixels * surface_bytes_per_pixel;
	}
	return count > 0 ? bytes / count : 0;
}

struct memory_need
memory_need(const struct calibration *c, const struct vendor *v, int processes,
    int streams_on_card, int batch)
{
	struct memory_need m = {0};
	double n = processes < 1 ? 1 : processes, peak, ours, unsure;
	enum tier tier = TIER_TOTALS;

	batch = batch < 1 ? 1 : batch;
	peak = measured_peak(c, v, batch);
	if (peak > 0) {
		m.measured = true;
		m.activations = peak;
		tier = TIER_MEASURED;
	} else {
		pipeline_memory(c, v, batch, &m, &tier);
	}
	m.weights *= n;
	m.activations *= n;
	m.context = n * c->context_bytes[v->runtime.engine];
	m.surfaces = streams_on_card > 0
			 ? streams_on_card * surfaces_per_stream(c, v)
			 : 0;
	m.bank = positive(v->memory.bank);
	m.scratch = positive(v->memory.scratch);
	ours = m.weights + m.activations + m.context + m.surfaces;
	m.reserve = m.measured
			? c->reserve_bytes
			: fmax(c->reserve_bytes, c->reserve_share * ours);
	m.total.value = ours + m.bank + m.scratch + m.reserve;
	unsure = m.measured ? m.context : m.context + m.activations;
	m.total.low = m.total.value - unsure * (1 - 1 / c->memory_band);
	m.total.high = m.total.value + unsure * (c->memory_band - 1);
	m.total.tier = tier;
	return m;
}

struct fact
memory_usable(const struct calibration *c, const struct gpu *g)
{
	struct fact f = g->memory_bytes;

	if (positive(g->usable_bytes) > 0)
		return g->usable_bytes;
	if (positive(f) <= 0)
		return (struct fact){.known = false};
	/* data-centre cards leave the factory with ECC on; GDDR keeps the
	 * check bits in the memory itself, HBM beside it */
	if (g->segment == SEGMENT_DATACENTER &&
	    !(g->ecc.known && g->ecc.value <= 0) && g->memory_kind &&
	    str_starts(g->memory_kind, "GDDR")) {
		f.value *= c->usable_share_ecc;
		f.sure = g->ecc.known ? SURE_DERIVED : SURE_ASSUMED;
	}
	return f;
}
