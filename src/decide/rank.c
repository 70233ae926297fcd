/*
 * The order in which cards are offered; the rule is written in
 * decide/decide.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/parts.h"

/* Months since year 0 of an ISO date; 0 if there is none. */
static int
months_of(const char *date)
{
	int year, month;

	if (!date || sscanf(date, "%4d-%2d", &year, &month) != 2)
		return 0;
	return year > 0 && month >= 1 && month <= 12 ? year * 12 + month : 0;
}

bool
aged(const struct decider *d, const struct gpu *g)
{
	int now = months_of(d->p->date), then = months_of(g->launched);

	if (g->in_production_known || now == 0 || then == 0)
		return false;
	return now - then >= 12 * OLD_YEARS;
}

int
service_class(const struct decider *d, const struct gpu *g)
{
	if (!g->on_board || g->segment == SEGMENT_EDGE)
		return 3;
	if (g->in_production_known && !g->in_production)
		return 2;
	if (g->arch && g->arch->cuda_last.known)
		return 2;
	if (aged(d, g))
		return 2;
	return g->segment == SEGMENT_CONSUMER ? 1 : 0;
}

bool
choosable(const struct decider *d, const struct fit *f)
{
	if (f->state == STATE_FAIL)
		return false;
	return !d->p->site.slots.known || service_class(d, f->gpu) < 3;
}

bool
rated(const struct vendor_decision *vd, const struct fit *f)
{
	if (f->sized || f->gates[GATE_FIGURE].state == STATE_PASS)
		return true;
	for (int i = 0; i < vd->n_fits; i++)
		if (vd->fits[i].sized)
			return false;
	return true;
}

double
card_size(const struct gpu *g)
{
	double devices = g->devices > 1 ? g->devices : 1;

	if (!g->power_w.known || !g->bandwidth.known)
		return INFINITY;
	return g->power_w.value * g->bandwidth.value * devices;
}

double
fit_size(const struct fit *f)
{
	return card_size(f->gpu) * (f->sized ? f->cards : 1);
}

double
fit_power(const struct fit *f)
{
	if (!f->gpu->power_w.known)
		return INFINITY;
	return f->gpu->power_w.value * (f->sized ? f->cards : 1);
}

struct fact
fit_price(const struct decider *d, const struct fit *f, const char **currency)
{
	double n = f->sized ? f->cards : 1;

	*currency = NULL;
	for (int i = 0; i < d->p->n_prices; i++) {
		const struct price *p = &d->p->prices[i];

		if (p->gpu != f->gpu)
			continue;
		*currency = p->currency;
		return fact_of(n * p->amount, SURE_ONE, "project");
	}
	/* Launch prices only where no quote is at hand: never mix the two. */
	if (d->p->n_prices > 0 || !f->gpu->price_usd.known)
		return (struct fact){0};
	*currency = "USD";
	return fact_of(n * f->gpu->price_usd.value, f->gpu->price_usd.sure,
	    f->gpu->price_usd.src);
}

static double
best_peak(const struct gpu *g)
{
	enum peak used;
	struct fact f = speed_peak(g, PREC_FP16, &used);

	return f.known ? f.value : INFINITY;
}

static int
less(double a, double b)
{
	return (a > b) - (a < b);
}

static double
value_or_inf(struct fact f)
{
	return f.known ? f.value : INFINITY;
}

int
fit_compare(const struct decider *d, const struct fit *a, const struct fit *b)
{
	int c;

	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if (a->n_failing != b->n_failing)
		return a->n_failing - b->n_failing;
	if (a->n_asking != b->n_asking)
		return a->n_asking - b->n_asking;
	c = service_class(d, a->gpu) - service_class(d, b->gpu);
	if (c == 0)
		c = less(fit_size(a), fit_size(b));
	if (c == 0)
		c = less(best_peak(a->gpu), best_peak(b->gpu));
	if (c == 0)
		c = less(value_or_inf(a->gpu->memory_bytes),
		    value_or_inf(b->gpu->memory_bytes));
	return c ? c : strcmp(a->gpu->id, b->gpu->id);
}

const struct fit *
fit_find(const struct vendor_decision *vd, const struct gpu *g)
{
	for (int i = 0; i < vd->n_fits && g; i++)
		if (vd->fits[i].gpu == g)
			return &vd->fits[i];
	return NULL;
}

double
fit_gap(const struct fit *f)
{
	double gap = 0;

	for (int g = 0; g < GATE_N; g++) {
		const struct gate_result *r = &f->gates[g];

		if (r->state != STATE_FAIL)
			continue;
		if (!r->need.known || !r->have.known || r->have.value <= 0)
			return INFINITY;
		gap = fmax(gap, r->need.value / r->have.value);
	}
	return gap;
}

bool
supply_open(const struct fit *f)
{
	return f->gates[GATE_SUPPLY].state == STATE_ASK ||
	       f->gates[GATE_LICENCE].state == STATE_ASK;
}

bool
only_time_open(const struct fit *f)
{
	if (f->state != STATE_ASK)
		return false;
	for (int g = 0; g < GATE_N; g++)
		if (f->gates[g].state == STATE_ASK && g != GATE_FIGURE &&
		    g != GATE_DEADLINE && g != GATE_LICENCE && g != GATE_SUPPLY)
			return false;
	return true;
}
