/*
 * One vendor on one card: the part of the results tree.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome.h"
#include "decide/outcome_parts.h"

static void
put_loads(struct arena *a, struct node *list, const struct fit *f)
{
	for (int r = 0; r < RES_N; r++) {
		struct node *item;

		if (!f->load_known[r])
			continue;
		item = node_item(a, list);
		node_text(a, item, "id", resource_id(r));
		node_number(a, item, "load", f->load[r], UNIT_RATIO);
	}
}

/* How the number of cards comes about. */
void
put_count(struct arena *a, struct node *n, const struct fit *f)
{
	node_text(a, n, "count_why", count_why_id(f->count_why));
	if (!f->sized)
		return;
	node_number(a, n, "share_load", f->share_load, UNIT_COUNT);
	node_number(a, n, "cards_load", f->cards_load, UNIT_COUNT);
	node_number(a, n, "cards_mean", f->cards_mean, UNIT_COUNT);
	node_number(a, n, "card_sources", f->card_sources, UNIT_COUNT);
	node_number(a, n, "card_sources_high", f->card_sources_high,
	    UNIT_COUNT);
	node_number(a, n, "limit", f->limit, UNIT_RATIO);
	if (f->dealt > 0)
		node_number(a, n, "dealt", f->dealt, UNIT_COUNT);
	node_flag(a, n, "late_high", f->late_high);
}

static void
put_sizes(struct arena *a, struct node *n, const struct fit *f)
{
	double cards = f->cards;

	if (f->chain.value > 0)
		node_estimate(a, n, "chain", f->chain, UNIT_SECOND);
	if (!f->sized)
		return;
	node_estimate(a, n, "cards",
	    (struct estimate){f->cards, f->cards_low, f->cards_high, f->tier},
	    UNIT_COUNT);
	node_estimate(a, n, "busy",
	    (struct estimate){f->busy.value / cards, f->busy.low / cards,
		f->busy.high / cards, f->tier},
	    UNIT_RATIO);
	node_number(a, n, "busy_mean", f->busy_mean / cards, UNIT_RATIO);
	node_number(a, n, "latency", f->latency_s, UNIT_SECOND);
	node_text(a, n, "bound", bound_id(f->bound));
	put_count(a, n, f);
}

void
put_fit(const struct outcome *o, struct node *n, const struct fit *f)
{
	struct arena *a = o->d.a;
	const char *currency;
	struct fact price = fit_price(&o->d, f, &currency);

	node_text(a, n, "gpu", f->gpu->id);
	node_text(a, n, "name", f->gpu->name);
	node_text(a, n, "family", f->gpu->family);
	node_number(a, n, "class", service_class(&o->d, f->gpu), UNIT_COUNT);
	node_text(a, n, "state", state_id(f->state));
	if (f->first < GATE_N)
		node_text(a, n, "gate", gate_id(f->first));
	node_number(a, n, "n_failing", f->n_failing, UNIT_COUNT);
	node_flag(a, n, "supply_open", supply_open(f));
	put_sizes(a, n, f);
	node_number(a, n, "processes", f->processes, UNIT_COUNT);
	node_estimate(a, n, "memory_need", f->memory.total, UNIT_BYTE);
	node_fact(a, n, "memory_have", f->usable, UNIT_BYTE);
	node_number(a, n, "batch", f->batch, UNIT_COUNT);
	if (isfinite(fit_power(f)))
		node_number(a, n, "power", fit_power(f), UNIT_WATT);
	if (price.known) {
		node_fact(a, n, "price", price, UNIT_MONEY);
		node_text(a, n, "currency", currency ? currency : "");
	}
	node_text(a, n, "binding", fit_binding_id(f));
	put_loads(a, node_list(a, n, "loads"), f);
}

static void
put_need(struct arena *a, struct node *n, const struct gate_result *r)
{
	struct node *need = node_fact(a, n, "need", r->need, r->unit);

	if (!need || r->need_high <= r->need_low)
		return;
	need->low = fmin(r->need_low, need->number);
	need->high = fmax(r->need_high, need->number);
}

/* What the band could turn: a gate that passes, or one that fails. */
static void
put_band_risk(struct arena *a, struct node *n, const struct gate_result *r)
{
	bool known = !r->idle && r->need.known && r->have.known &&
		     r->need_high > r->need_low;

	node_flag(a, n, "risk",
	    known && r->state == STATE_PASS && r->need_high > r->have.value);
	node_flag(a, n, "may_pass",
	    known && r->state == STATE_FAIL && r->need_low <= r->have.value);
}

void
put_gates(const struct outcome *o, struct node *list, const struct fit *f)
{
	struct arena *a = o->d.a;

	for (int g = 0; f && g < GATE_N; g++) {
		const struct gate_result *r = &f->gates[g];
		struct node *n = node_item(a, list);

		node_text(a, n, "id", gate_id(g));
		node_text(a, n, "state", r->idle ? "none" : state_id(r->state));
		if (!r->idle) {
			put_need(a, n, r);
			node_fact(a, n, "have", r->have, r->unit);
		}
		if (!r->idle && r->each.known) {
			node_fact(a, n, "have_each", r->each, r->unit);
			node_number(a, n, "cards", r->cards, UNIT_COUNT);
		}
		if (!r->idle) {
			node_text(a, n, "need_text", r->need_text);
			node_text(a, n, "have_text", r->have_text);
		}
		put_band_risk(a, n, r);
		node_text(a, n, "why", r->why);
		node_text(a, n, "src", r->src);
	}
}

void
put_asks(struct arena *a, struct node *list, const struct fit *f)
{
	for (int g = 0; g < GATE_N; g++) {
		const struct gate_result *r = &f->gates[g];
		struct node *n;

		if (r->state != STATE_ASK)
			continue;
		n = node_item(a, list);
		node_text(a, n, "gate", gate_id(g));
		node_text(a, n, "why", r->why ? r->why : "");
		node_text(a, n, "src", r->src);
	}
}

void
put_notes(struct arena *a, struct node *list, const struct gpu *g)
{
	for (int i = 0; i < g->n_notes; i++) {
		const struct gpu_note *note = &g->notes[i];
		const char *zh = note->text_zh ? note->text_zh : note->text_en;
		struct node *n;

		if (!zh)
			continue;
		n = node_item(a, list);
		node_text(a, n, "kind", note->kind ? note->kind : "remark");
		node_text(a, n, "date", note->date);
		node_text(a, n, "region", note->region);
		node_text2(a, n, "text", zh, note->text_en);
		node_text(a, n, "src", note->src);
	}
}

struct node *
put_named_fit(const struct outcome *o, struct node *in, const char *name,
    const struct fit *f)
{
	struct arena *a = o->d.a;
	struct node *n;

	if (!f)
		return NULL;
	n = node_group(a, in, name);
	put_fit(o, n, f);
	put_gates(o, node_list(a, n, "gates"), f);
	put_asks(a, node_list(a, n, "asks"), f);
	put_notes(a, node_list(a, n, "notes"), f->gpu);
	return n;
}

struct node *
outcome_fit(struct arena *a, const struct project *p, const struct catalog *cat,
    const struct calibration *cal, const struct fit *f)
{
	struct outcome o = {.d = {a, p, cat, cal}};
	struct node *n = node_root(a);

	put_fit(&o, n, f);
	put_gates(&o, node_list(a, n, "gates"), f);
	return n;
}
