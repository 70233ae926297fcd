/*
 * The findings as `key<TAB>value` lines, for scripts: ids of the catalogue
 * and of decide/decide.h, numbers without regard to language or locale.
 */
#include <stdio.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "command/command.h"
#include "command/explain_tsv.h"
#include "data/gpu.h"
#include "data/results.h"

static void
line(const char *key, const char *value)
{
	printf("%s\t%s\n", key, value ? value : "");
}

static const char *
fit_card(const struct fit *f)
{
	return f ? f->gpu->id : "";
}

/* The card asked for; of an ambiguous name, each that it may mean. */
static const char *
requested(struct arena *a, const struct vendor *v)
{
	struct str s;

	if (v->request.gpu)
		return v->request.gpu->id;
	str_init(&s, a);
	for (int i = 0; i < v->request.n_candidates; i++)
		str_addf(&s, "%s%s", i ? "," : "",
		    v->request.candidates[i]->id);
	return s.s;
}

static void
print_fit(struct arena *a, const struct fit *f)
{
	struct str s;

	str_init(&s, a);
	for (int g = 0; g < GATE_N; g++)
		if (f->gates[g].state == STATE_FAIL)
			str_addf(&s, "%s%s", s.len ? "," : "", gate_id(g));
	line(arena_printf(a, "gates.%s", f->gpu->id), s.s);
	for (int r = 0; r < RES_N; r++)
		if (f->load_known[r])
			line(arena_printf(a, "load.%s.%s", f->gpu->id,
				 resource_id(r)),
			    num_format(a, f->load[r],
				num_decimals(f->load[r], 4), false));
}

static void
print_vendor(struct arena *a, const struct vendor_decision *vd,
    const struct node *v, const struct gpu *card)
{
	double cards = node_value(v, "verdict.cards_needed", -1);

	line("vendor", vd->vendor->id);
	line("requested", requested(a, vd->vendor));
	line("model_verdict", model_verdict_id(vd->model));
	line("count_verdict", count_verdict_id(vd->count));
	line("certainty", sureness_id(vd->sure));
	line("binding", node_string(v, "binding", ""));
	line("cards_needed", cards >= 0 ? num_format(a, cards, 0, false) : "");
	line("smallest_adequate", fit_card(vd->smallest));
	line("cheapest_adequate", fit_card(vd->cheapest));
	for (int i = 0; i < vd->n_fits; i++)
		if (!card || vd->fits[i].gpu == card)
			print_fit(a, &vd->fits[i]);
}

void
explain_tsv(struct arena *a, const struct inputs *in, const struct node *vendor,
    const struct gpu *card)
{
	const struct node *list = node_find(in->results, "vendors");
	const struct node *v = list ? list->first : NULL;

	for (int i = 0; v && i < in->decision->n_vendors; i++, v = v->next)
		if (!vendor || v == vendor)
			print_vendor(a, &in->decision->vendors[i], v, card);
}
