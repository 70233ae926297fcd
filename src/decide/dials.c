/*
 * Why one vendor needs more than another: the need as a product of four
 * dials.
 *
 *	need = algorithm x data x realtime x optimisation	[peak FLOP/s]
 *
 * Let W be the work of all stages (FLOP/s at peak objects), N the analysed
 * frames a second, S the sources, A the work of one analysed frame with one
 * object and one tile, L the allowed load (lower where the deadline leaves no
 * time for a queue), P the dense FP16 peak of the reference card, busy and
 * busy* its seconds of device time a second at the chosen batch and at the
 * best batch without a deadline.
 *
 *	algorithm    = A			FLOP a frame
 *	data	     = S x (W/N) / A		sources x objects x tiles
 *	realtime     = (N/S) / L x busy/busy*	frames a second of a source,
 *						the load, what the deadline
 *						takes from the batch
 *	optimisation = busy* x P / W		1 / share of the peak reached
 *
 * The product is busy x P / L: the load fit_card sizes the reference card
 * by, over the limit, times its peak.  Rounding up to whole streams and
 * whole cards comes after it.  A pure product makes log-mean Divisia and
 * Shapley the same (Ang, The LMDI approach to decomposition analysis, Energy
 * Policy 33, 2005; Shapley, A value for n-person games, 1953): each factor is
 * the plain ratio of the dials.
 */
#include <math.h>
#include <string.h>

#include "decide/parts.h"

const char *
dial_id(enum dial d)
{
	static const char *const id[] = {"algorithm", "data", "realtime",
	    "optimisation"};

	return id[d];
}

/* Cards with a peak in every precision come first, so that every vendor has
 * a time on the same card. */
static const char *const reference_cards[] = {
    "nvidia-l40s",
    "nvidia-l4",
    "nvidia-a10",
    "nvidia-t4",
};

static double
reference_peak(const struct gpu *g)
{
	enum peak used;
	struct fact f = speed_peak(g, PREC_FP16, &used);

	return f.known ? f.value : 0;
}

static const struct gpu *
reference_card(const struct catalog *cat)
{
	for (size_t i = 0;
	     i < sizeof(reference_cards) / sizeof(*reference_cards); i++) {
		const struct gpu *g = catalog_gpu(cat, reference_cards[i]);

		if (g && reference_peak(g) > 0)
			return g;
	}
	for (int i = 0; i < cat->n_gpus; i++)
		if (cat->gpus[i].segment == SEGMENT_DATACENTER &&
		    cat->gpus[i].peak[PEAK_FP16_TENSOR].known)
			return &cat->gpus[i];
	return NULL;
}

struct fact
stage_flop(const struct decider *d, const struct vendor *v,
    const struct stage *s)
{
	struct stage_cost cost;
	struct fact peak;
	enum peak used;
	double share;

	if (s->kind != STAGE_TIMED) {
		cost = stage_cost(s, s->precision);
		if (!cost.known)
			return (struct fact){0};
		return fact_of(cost.flop, SURE_DERIVED, s->src);
	}
	if (!s->timed_on || !s->seconds.known)
		return (struct fact){0};
	peak = speed_peak(s->timed_on, s->precision, &used);
	share = d->cal->efficiency[v->runtime.engine][s->precision];
	if (!peak.known || share <= 0)
		return (struct fact){0};
	return fact_of(s->seconds.value * peak.value * share, SURE_ASSUMED,
	    s->src);
}

bool
demand_flop(const struct decider *d, const struct demand *dm, bool peak,
    double *flop_per_s)
{
	double sum = 0;

	for (int k = 0; k < dm->v->n_stages; k++) {
		const struct stage *s = &dm->v->stages[k];
		struct fact one = stage_flop(d, dm->v, s);

		if (!stage_on_card(s))
			continue;
		if (!one.known)
			return false;
		sum += one.value * (peak ? dm->rate_peak : dm->rate_mean)[k];
	}
	*flop_per_s = sum;
	return sum > 0;
}

double
demand_bytes(const struct decider *d, const struct demand *dm)
{
	double sum = 0;

	for (int k = 0; k < dm->v->n_stages; k++) {
		const struct stage *s = &dm->v->stages[k];
		struct stage_cost c =
		    stage_cost_filled(d->cal, s, s->precision);

		if (stage_on_card(s) && c.known)
			sum += dm->rate_mean[k] * c.bytes;
	}
	return sum;
}

/* FLOP of one analysed frame with one object and one tile, mean over the
 * frames of all streams. */
static double
frame_flop(const struct decider *d, const struct demand *dm)
{
	const struct vendor *v = dm->v;
	double sum = 0;

	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];
		double times = s->times > 0 ? s->times : 1;

		for (int i = 0; i < v->n_streams && stage_on_card(s); i++)
			if (stage_applies(s, i))
				sum += v->streams[i].count *
				       v->streams[i].analysed_per_s * times *
				       stage_flop(d, v, s).value;
	}
	return dm->frames_per_s > 0 ? sum / dm->frames_per_s : 0;
}

/* Device time at the batch that needs least of it, deadline or not. */
static double
best_busy(const struct decider *d, const struct demand *dm, const struct gpu *g,
    double chosen)
{
	double best = chosen;

	if (dm->v->runtime.batch > 0 || dm->whole_streams)
		return best;
	for (int b = 1; b <= BATCH_MAX; b *= 2) {
		double busy = busy_at(d, dm, g, b);

		if (busy > 0 && busy < best)
			best = busy;
	}
	return best;
}

static bool
vendor_dials(const struct decider *d, const struct gpu *ref,
    struct vendor_decision *vd)
{
	struct demand dm = demand_of(d, vd->vendor);
	double peak = reference_peak(ref), work, frame, busy, best;
	double sources = dm.sources, frames = dm.frames_per_s;
	struct fit f;

	if (!demand_flop(d, &dm, true, &work) || frames <= 0 || sources <= 0)
		return false;
	frame = frame_flop(d, &dm);
	fit_card(d, &dm, ref, &f);
	busy = f.busy.value * (ref->devices > 1 ? ref->devices : 1);
	if (frame <= 0 || busy <= 0)
		return false;
	best = best_busy(d, &dm, ref, busy);
	vd->dial[DIAL_ALGORITHM] = frame;
	vd->dial[DIAL_DATA] = sources * (work / frames) / frame;
	vd->dial[DIAL_REALTIME] = frames / sources / f.limit * busy / best;
	vd->dial[DIAL_OPTIMISATION] = best * peak / work;
	vd->need = 1;
	for (int k = 0; k < DIAL_N; k++)
		vd->need *= vd->dial[k];
	return isfinite(vd->need) && vd->need > 0;
}

/* Each vendor against the geometric mean of the project's vendors. */
static void
set_factors(struct decision *dec, int n)
{
	double mean[DIAL_N] = {0};

	for (int i = 0; i < dec->n_vendors; i++)
		for (int k = 0; k < DIAL_N && dec->vendors[i].need > 0; k++)
			mean[k] += log(dec->vendors[i].dial[k]) / n;
	for (int i = 0; i < dec->n_vendors; i++) {
		struct vendor_decision *vd = &dec->vendors[i];

		if (vd->need <= 0)
			continue;
		vd->ratio = 1;
		for (int k = 0; k < DIAL_N; k++) {
			vd->factor[k] = vd->dial[k] / exp(mean[k]);
			vd->ratio *= vd->factor[k];
		}
	}
}

void
dials_set(const struct decider *d, struct decision *dec)
{
	int n = 0;

	dec->reference = reference_card(d->cat);
	if (!dec->reference)
		return;
	for (int i = 0; i < dec->n_vendors; i++) {
		struct vendor_decision *vd = &dec->vendors[i];

		if (vendor_dials(d, dec->reference, vd)) {
			n++;
		} else {
			memset(vd->dial, 0, sizeof(vd->dial));
			vd->need = 0;
		}
	}
	if (n > 0)
		set_factors(dec, n);
}

double
dials_compare(const struct vendor_decision *a, const struct vendor_decision *b,
    double factor[DIAL_N])
{
	double ratio = 1;

	if (a->need <= 0 || b->need <= 0)
		return 0;
	for (int k = 0; k < DIAL_N; k++) {
		factor[k] = a->dial[k] / b->dial[k];
		ratio *= factor[k];
	}
	return ratio;
}
