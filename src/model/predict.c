#include "model/predict.h"

#include "base/arena.h"
#include "base/str.h"
#include "model/peak.h"
#include "model/residual.h"
#include "model/surrogate.h"

/* One network at one input size. */
struct expanded {
	const struct layer_net *net; /* NULL: totals only */
	const struct network *network;
	int w, h;
	const struct layers *layers;    /* NULL: it does not take this size */
	const struct layer_model *like; /* where there are no layers, or NULL */
	const struct kernels *kernels[ENGINE_N];
	struct network totals;
};

struct predictor {
	struct arena *a;
	const struct calibration *c;
	const struct layer_calibration *lc;
	const struct layer_book *book;
	const struct residuals *residuals; /* NULL: none */
	struct expanded *nets;
	int n_nets;
	const struct layer_model *models; /* NULL until they are wanted */
	int n_models;
};

struct predictor *
predictor_new(struct arena *a, const struct calibration *c,
    const struct layer_calibration *lc, const struct layer_book *book)
{
	struct predictor *p = arena_alloc(a, 1, sizeof(*p));

	*p = (struct predictor){.a = a, .c = c, .lc = lc, .book = book};
	return p;
}

void
predictor_residuals(struct predictor *p, const struct residuals *r)
{
	p->residuals = r;
}

static struct network
totals_of(const struct layers *l, const struct network *known)
{
	struct layer_totals t = layers_totals(l);
	struct network n = known ? *known
				 : (struct network){.id = l->id,
				       .name = l->id,
				       .cls = layers_class(l, &t)};

	n.in_c = (int)l->input.c;
	n.in_h = (int)l->input.h;
	n.in_w = (int)l->input.w;
	n.macs = fact_of(t.macs, SURE_DERIVED, NULL);
	n.params = fact_of(t.params, SURE_DERIVED, NULL);
	n.activations = fact_of(t.activations, SURE_DERIVED, NULL);
	n.scales = false;
	return n;
}

/* Totals at the input of the sample. */
static struct network
scaled(const struct network *known, int w, int h)
{
	struct network n = *known;
	double by = (double)w * h / ((double)n.in_w * n.in_h);

	n.macs.value *= by;
	n.activations.value *= by;
	n.in_w = w;
	n.in_h = h;
	return n;
}

static void
expand_new(struct predictor *p, struct expanded *e)
{
	struct diag d;

	diag_init(&d, p->a); /* a size that does not fit is no problem here */
	if (e->net)
		e->layers =
		    layers_expand(p->a, p->book, e->net->id, e->w, e->h, &d);
	if (e->layers) {
		e->totals = totals_of(e->layers, e->network);
		return;
	}
	if (!e->network)
		return;
	if (!p->models)
		p->models = layer_models(p->a, p->book, &p->n_models);
	e->totals = scaled(e->network, e->w, e->h);
	e->like = surrogate_of(&e->totals, p->models, p->n_models);
}

static struct expanded *
expand(struct predictor *p, const struct sample *s)
{
	struct expanded *e;

	for (int i = 0; i < p->n_nets; i++) {
		e = &p->nets[i];
		if (e->net == s->layers && e->network == s->network &&
		    e->w == s->in_w && e->h == s->in_h)
			return e;
	}
	e = arena_push(p->a, &p->nets, &p->n_nets, sizeof(*e));
	*e = (struct expanded){.net = s->layers,
	    .network = s->network,
	    .w = s->in_w,
	    .h = s->in_h};
	expand_new(p, e);
	return e;
}

static const struct network *
network_of(struct predictor *p, const struct sample *s)
{
	struct expanded *e = expand(p, s);

	return e->layers || e->network ? &e->totals : NULL;
}

const char *
predict_network(const struct sample *s)
{
	return s->layers ? s->layers->id : s->network->id;
}

static const struct kernels *
kernels_of(struct predictor *p, struct expanded *e, enum engine fusion)
{
	if (e->kernels[fusion])
		return e->kernels[fusion];
	if (e->layers)
		e->kernels[fusion] =
		    kernels_joined(p->a, layers_fused(p->a, e->layers, fusion));
	else if (e->like)
		e->kernels[fusion] =
		    surrogate_kernels(p->a, &e->totals, e->like, fusion);
	return e->kernels[fusion];
}

bool
predict_kernels(struct predictor *p, const struct sample *s,
    const struct kernels **ks, struct layer_run *run, enum tier *tier)
{
	struct expanded *e = expand(p, s);

	*run = (struct layer_run){layer_runtime_of(s->engine,
				      s->harness == HARNESS_TUNED),
	    s->precision, s->channels_last, s->training, 0};
	if (s->harness == HARNESS_COPY)
		run->copied_bytes =
		    3.0 * s->in_w * s->in_h * precision_bytes(s->precision);
	*ks = kernels_of(p, e, layer_engine(run->runtime));
	*tier = e->layers ? TIER_LAYERS : TIER_TOTALS;
	/* other makers and edge modules were not fitted */
	if (s->gpu->vendor != VENDOR_NVIDIA ||
	    s->gpu->segment == SEGMENT_EDGE || s->engine == ENGINE_OTHER)
		*tier = TIER_ASSUMED;
	return *ks != NULL;
}

static enum sample_status
status_of(const char *why)
{
	return why && str_equal(why, "no-peak") ? SAMPLE_NO_PEAK
						: SAMPLE_NO_FIGURE;
}

/*
 * From totals
 */

static struct stage_time
totals_at(const struct predictor *p, const struct sample *s,
    const struct network *n, int batch)
{
	struct stage stage = {.kind = STAGE_NETWORK,
	    .network = n,
	    .name = n->id,
	    .in_w = s->in_w,
	    .in_h = s->in_h,
	    .times = 1,
	    .stream = -1,
	    .precision = s->precision};
	struct vendor v = {.n_stages = 1, .stages = &stage};

	v.runtime.engine = s->engine;
	v.runtime.precision = s->precision;
	return stage_time(p->c, &v, &stage, s->gpu, batch);
}

struct prediction
predict_totals(struct predictor *p, const struct sample *s)
{
	struct prediction r = {.status = SAMPLE_OK, .batch = s->batch};
	const struct network *n;
	struct stage_time t;

	if (!s->gpu || !(n = network_of(p, s))) {
		r.status =
		    s->gpu ? SAMPLE_NETWORK_UNKNOWN : SAMPLE_CARD_UNKNOWN;
		return r;
	}
	t = totals_at(p, s, n, s->batch > 0 ? s->batch : 1);
	for (int b = 1; s->batch <= 0 && b <= PREDICT_MAX_BATCH; b *= 2) {
		struct stage_time u = totals_at(p, s, n, b);

		if (u.possible && u.run_s.value <= t.run_s.value)
			t = u;
	}
	r.batch = t.batch;
	if (!t.possible) {
		r.status = status_of(t.why);
		return r;
	}
	r.rate = 1 / t.run_s.value;
	r.low = 1 / t.run_s.high;
	r.high = 1 / t.run_s.low;
	r.tier = t.run_s.tier;
	return r;
}

/*
 * From layers
 */

int
predict_batch(const struct layer_calibration *lc, const struct sample *s,
    const struct kernels *ks, struct layer_run run)
{
	double best = 0;
	int batch = 1;

	if (s->batch > 0)
		return s->batch;
	for (int b = 1; b <= PREDICT_MAX_BATCH; b *= 2) {
		struct layer_time t = layer_time(lc, ks, run, s->gpu, b);

		if (t.why || b / t.batch_s < best)
			continue;
		best = b / t.batch_s;
		batch = b;
	}
	return batch;
}

/* What was measured of this card and network, and the band of the class. */
static void
settle(struct predictor *p, const struct sample *s, struct layer_run run,
    struct prediction *r)
{
	struct residual_names n =
	    residual_names(p->a, predict_network(s), s->gpu, run, r->batch);
	int cls = band_class(r->batch);
	double band = 0;

	if (r->tier != TIER_ASSUMED) {
		r->rate /= residual_factor(p->residuals, &n, &r->know);
		band =
		    residual_band(p->residuals, r->know, n.run, cls, r->tier);
	}
	if (band <= 0)
		band = p->c->band[r->tier][cls];
	r->low = r->rate / band;
	r->high = r->rate * band;
}

struct prediction
predict_layers(struct predictor *p, const struct sample *s)
{
	struct prediction r = {.status = SAMPLE_OK};
	const struct kernels *ks;
	struct layer_run run;
	struct layer_time t;

	if (!s->gpu) {
		r.status = SAMPLE_CARD_UNKNOWN;
		return r;
	}
	if (!predict_kernels(p, s, &ks, &run, &r.tier)) {
		r.status = SAMPLE_NETWORK_UNKNOWN;
		return r;
	}
	r.batch = predict_batch(p->lc, s, ks, run);
	t = layer_time(p->lc, ks, run, s->gpu, r.batch);
	if (t.why) {
		r.status = status_of(t.why);
		return r;
	}
	r.rate = r.batch / t.batch_s;
	settle(p, s, run, &r);
	return r;
}
