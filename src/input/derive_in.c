/*
 * Figures that follow from a formula and figures given elsewhere.  They are
 * computed when all folders are read, so that a changed clock moves every
 * peak that rests on it.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/catalog_parts.h"

bool
catalog_read_derive(struct catalog_reader *r, struct xml_el *el,
    const struct gpu_figure *to, const struct origin *o)
{
	struct derivation d = {.gpu = r->item,
	    .to = to,
	    .times = 1,
	    .origin = *o,
	    .src = el->src,
	    .at = el->at};
	const char *from = xml_attr(el, "from");
	bool found, ok;

	d.of = xml_attr(el, "of");
	d.from = from ? gpu_figure_find(from) : to;
	ok = xml_number(r->a, el, "times", UNIT_NONE, &d.times, &found, r->d);
	if (from && !d.from)
		ok = diag_error(r->d, xml_attr_pos(el, "from"), "catalog-field",
		    "a card has no figure '%s'", from);
	if (ok && d.times <= 0)
		ok = diag_error(r->d, xml_attr_pos(el, "times"),
		    "catalog-value", "'times' must be above zero");
	if (ok)
		*(struct derivation *)arena_push(r->a, &r->derivations,
		    &r->n_derivations, sizeof(d)) = d;
	return ok;
}

static bool
both(const struct fact *a, const struct fact *b)
{
	return a->known && b->known;
}

/* Which peak a figure is; PEAK_N if it is none. */
static enum peak
peak_of(const struct gpu_figure *f)
{
	for (int p = 0; p < PEAK_N; p++)
		if (str_equal(f->id, peak_id((enum peak)p)))
			return (enum peak)p;
	return PEAK_N;
}

/* 2 x multiply-adds per clock and SM x SM x clock. */
static bool
from_rate(const struct gpu *g, const struct gpu_figure *to,
    const struct fact *clock, double *v)
{
	enum peak p = peak_of(to);
	const struct fact *rate;

	if (p == PEAK_N || !g->arch)
		return false;
	rate = gpu_is_geforce(g) && g->arch->rate_geforce[p].known
		   ? &g->arch->rate_geforce[p]
		   : &g->arch->rate[p];
	if (!rate->known || !both(&g->sm, clock))
		return false;
	*v = 2 * rate->value * g->sm.value * clock->value;
	return true;
}

/* The clock at which the rate gives a stated peak: from_rate solved. */
static bool
from_peak(const struct gpu *g, const struct gpu_figure *from, double *v)
{
	struct fact hertz = fact_of(1, SURE_DERIVED, NULL);
	double peak_per_hz;

	if (!gpu_fact(g, from)->known ||
	    !from_rate(g, from, &hertz, &peak_per_hz))
		return false;
	*v = gpu_fact(g, from)->value / peak_per_hz;
	return true;
}

/* FP16 on the shader cores, by the ratio of the architecture. */
static bool
from_fp32(const struct gpu *g, double *v)
{
	const struct arch *h = g->arch;

	if (!h || !both(&h->rate[PEAK_FP16], &h->rate[PEAK_FP32]) ||
	    !g->peak[PEAK_FP32].known)
		return false;
	*v = g->peak[PEAK_FP32].value * h->rate[PEAK_FP16].value /
	     h->rate[PEAK_FP32].value;
	return true;
}

/* Units per SM: one of SM, shader cores and tensor cores by another. */
static bool
from_units(const struct gpu *g, const struct gpu_figure *to, double *v)
{
	const struct arch *h = g->arch;

	if (!h)
		return false;
	if (str_equal(to->id, "sm") && both(&g->cores, &h->cores_per_sm))
		*v = g->cores.value / h->cores_per_sm.value;
	else if (str_equal(to->id, "cores") && both(&g->sm, &h->cores_per_sm))
		*v = g->sm.value * h->cores_per_sm.value;
	else if (str_equal(to->id, "tensor-cores") &&
		 both(&g->sm, &h->tensor_per_sm))
		*v = g->sm.value * h->tensor_per_sm.value;
	else
		return false;
	return *v == floor(*v);
}

static bool
from_figure(const struct catalog *c, const struct derivation *d, double *v)
{
	const struct gpu *g = &c->gpus[d->gpu];
	const struct fact *f;

	for (int i = 0; d->of && i < c->n_gpus; i++)
		if (str_equal(c->gpus[i].id, d->of))
			g = &c->gpus[i];
	if (d->of && !str_equal(g->id, d->of))
		return false;
	f = gpu_fact(g, d->from);
	if (!f->known)
		return false;
	*v = f->value * d->times;
	return true;
}

static bool
compute(const struct catalog *c, const struct derivation *d, double *v)
{
	const struct gpu *g = &c->gpus[d->gpu];
	const char *f = d->origin.formula;

	if (str_equal(d->to->id, "tensor-clock"))
		return from_peak(g, d->from, v);
	if (str_equal(f, "F1"))
		return from_rate(g, d->to, &g->boost_hz, v);
	if (str_equal(f, "F2") || str_equal(f, "F5") || str_equal(f, "F11") ||
	    str_equal(f, "F12"))
		return from_rate(g, d->to,
		    g->tensor_hz.known ? &g->tensor_hz : &g->boost_hz, v);
	if (str_equal(f, "F7"))
		return from_rate(g, d->to, &g->base_hz, v);
	if (str_equal(f, "F3"))
		return from_fp32(g, v);
	if (str_equal(f, "F4") && both(&g->transfers, &g->bus_bits)) {
		*v = g->transfers.value * g->bus_bits.value / 8;
		return true;
	}
	if (str_equal(f, "F9"))
		return from_units(g, d->to, v);
	if (str_equal(f, "F6") || str_equal(f, "F8"))
		return from_figure(c, d, v);
	return false;
}

struct derivation *
catalog_derivation(struct catalog_reader *r, const struct gpu_figure *to)
{
	for (int i = r->n_derivations - 1; i >= 0; i--)
		if (r->derivations[i].gpu == r->item &&
		    r->derivations[i].to == to && !r->derivations[i].done)
			return &r->derivations[i];
	return NULL;
}

/* One may rest on another: go on as long as something new comes out. */
void
catalog_derive(struct catalog_reader *r)
{
	struct catalog *c = r->c;
	bool more = true;
	double v;

	while (more) {
		more = false;
		for (int i = 0; i < r->n_derivations; i++) {
			struct derivation *d = &r->derivations[i];

			if (d->done || !compute(c, d, &v))
				continue;
			*gpu_fact(&c->gpus[d->gpu], d->to) =
			    fact_of(v, d->origin.sure, d->origin.src);
			d->done = more = true;
		}
	}
	for (int i = 0; i < r->n_derivations; i++) {
		const struct derivation *d = &r->derivations[i];

		if (d->done)
			continue;
		diag_error(r->d, pos_at(d->src, d->at), "catalog-derive",
		    "'%s' does not follow by %s", d->to->id, d->origin.formula);
		diag_note(r->d,
		    "a figure that the formula needs is not "
		    "given for '%s' or its architecture",
		    c->gpus[d->gpu].id);
	}
}
