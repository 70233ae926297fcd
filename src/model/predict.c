#include "model/predict.h"

#include "base/arena.h"
#include "base/str.h"

/* One network at one input size. */
struct expanded {
	const struct layer_net *net;
	int w, h;
	const struct layers *layers; /* NULL: it does not take this size */
	const struct kernels *kernels[ENGINE_N];
	struct network totals;
};

struct predictor {
	struct arena *a;
	const struct calibration *c;
	const struct layer_calibration *lc;
	const struct layer_book *book;
	struct expanded *nets;
	int n_nets;
};

struct predictor *
predictor_new(struct arena *a, const struct calibration *c,
    const struct layer_calibration *lc, const struct layer_book *book)
{
	struct predictor *p = arena_alloc(a, 1, sizeof(*p));

	*p = (struct predictor){.a = a, .c = c, .lc = lc, .book = book};
	return p;
}

/* The class of a network that only has a layer list. */
static enum net_class
class_of(const struct layers *l, const struct layer_totals *t)
{
	int depthwise = 0, grouped = 0;

	for (int i = 0; i < l->n_ops; i++) {
		depthwise += l->ops[i].cls == OP_DEPTHWISE;
		grouped += l->ops[i].cls == OP_GROUPED;
	}
	if (t->macs_of[OP_ATTENTION] > 0 && t->macs_of[OP_LINEAR] > t->macs / 2)
		return NET_VIT;
	if (depthwise * 5 > t->layers)
		return NET_MOBILE;
	if (grouped * 5 > t->layers)
		return NET_GROUPED;
	return l->input.h * l->input.w > 256 * 256 ? NET_YOLO : NET_DENSE;
}

static struct network
totals_of(const struct layers *l, const struct network *known)
{
	struct layer_totals t = layers_totals(l);
	struct network n = known ? *known
				 : (struct network){.id = l->id,
				       .name = l->id,
				       .cls = class_of(l, &t)};

	n.in_c = (int)l->input.c;
	n.in_h = (int)l->input.h;
	n.in_w = (int)l->input.w;
	n.macs = fact_of(t.macs, SURE_DERIVED, NULL);
	n.params = fact_of(t.params, SURE_DERIVED, NULL);
	n.activations = fact_of(t.activations, SURE_DERIVED, NULL);
	n.scales = false;
	return n;
}

static struct expanded *
expand(struct predictor *p, const struct sample *s)
{
	struct expanded *e;
	struct diag d;

	for (int i = 0; i < p->n_nets; i++) {
		e = &p->nets[i];
		if (e->net == s->layers && e->w == s->in_w && e->h == s->in_h)
			return e;
	}
	diag_init(&d, p->a); /* a size that does not fit is no problem here */
	e = arena_push(p->a, &p->nets, &p->n_nets, sizeof(*e));
	e->net = s->layers;
	e->w = s->in_w;
	e->h = s->in_h;
	e->layers = layers_expand(p->a, p->book, e->net->id, e->w, e->h, &d);
	if (e->layers)
		e->totals = totals_of(e->layers, s->network);
	return e;
}

static const struct network *
network_of(struct predictor *p, const struct sample *s)
{
	struct expanded *e = s->layers ? expand(p, s) : NULL;

	return e && e->layers ? &e->totals : s->network;
}

bool
predict_kernels(struct predictor *p, const struct sample *s,
    const struct kernels **ks, struct layer_run *run)
{
	struct expanded *e = s->layers ? expand(p, s) : NULL;
	enum engine fusion;

	if (!e || !e->layers)
		return false;
	*run = (struct layer_run){layer_runtime_of(s->engine,
				      s->harness == HARNESS_TUNED),
	    s->precision, s->channels_last};
	fusion = layer_engine(run->runtime);
	if (!e->kernels[fusion])
		e->kernels[fusion] = layers_fused(p->a, e->layers, fusion);
	*ks = e->kernels[fusion];
	return true;
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

struct prediction
predict_layers(struct predictor *p, const struct sample *s)
{
	struct prediction r = {.status = SAMPLE_OK, .tier = TIER_LAYERS};
	const struct kernels *ks;
	struct layer_run run;
	struct layer_time t;
	double band;

	if (!s->gpu || !predict_kernels(p, s, &ks, &run))
		return predict_totals(p, s);
	r.batch = predict_batch(p->lc, s, ks, run);
	t = layer_time(p->lc, ks, run, s->gpu, r.batch);
	if (t.why) {
		r.status = status_of(t.why);
		return r;
	}
	/* other makers and edge modules were not fitted */
	if (s->gpu->vendor != VENDOR_NVIDIA ||
	    s->gpu->segment == SEGMENT_EDGE || s->engine == ENGINE_OTHER)
		r.tier = TIER_ASSUMED;
	band = p->c->band[r.tier][band_class(r.batch)];
	r.rate = r.batch / t.batch_s;
	r.low = r.rate / band;
	r.high = r.rate * band;
	return r;
}
