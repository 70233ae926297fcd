#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/command.h"
#include "command/explain_tsv.h"
#include "data/gpu.h"
#include "data/needs.h"
#include "data/results.h"
#include "decide/decide.h"
#include "decide/outcome.h"
#include "tmpl/tmpl.h"

/* What the sentences of one explanation are filled from. */
struct talk {
	struct arena *a;
	struct template *t;
	const struct node *results;
	struct text_scope scope[4];
	int n;
	struct diag *d;
};

static void
say(struct talk *k, const char *id)
{
	const char *s =
	    template_say(k->a, k->t, id, k->results, k->scope, k->n, k->d);

	if (s)
		puts(s);
}

static void
say_of(struct talk *k, const char *name, const struct node *n, const char *id)
{
	k->scope[k->n++] = (struct text_scope){name, n};
	say(k, id);
	k->n--;
}

static bool
has(const struct node *n, const char *name)
{
	return node_find(n, name) != NULL;
}

static bool
is(const struct node *n, const char *name, const char *word)
{
	return strcmp(node_string(n, name, ""), word) == 0;
}

/* A gate that fails, with its figures as far as there are any. */
static void
say_failing_gate(struct talk *k, const struct node *g)
{
	if (is(g, "why", "stream-overload"))
		say_of(k, "g", g, "vendor.fail.load");
	else if (has(g, "need") && has(g, "have"))
		say_of(k, "g", g, "vendor.fail.number");
	else if (!has(g, "need") && has(g, "need_text") && has(g, "have_text"))
		say_of(k, "g", g, "vendor.fail.text");
	else
		say_of(k, "g", g, "vendor.fail.rule");
}

/* Every gate that fails, and the one that decides although it passes. */
static void
say_gates(struct talk *k, const struct node *gates, const char *binding)
{
	for (const struct node *g = gates ? gates->first : NULL; g;
	     g = g->next) {
		if (is(g, "state", "fail"))
			say_failing_gate(k, g);
		else if (is(g, "id", binding) && has(g, "need_text") &&
			 has(g, "have_text"))
			say_of(k, "g", g, "explain.gate");
	}
}

static void
say_changes(struct talk *k, const struct node *list)
{
	for (const struct node *c = list ? list->first : NULL; c; c = c->next)
		say_of(k, "c", c,
		    has(c, "name") && has(c, "cards") ? "explain.change-card"
						      : "explain.change");
}

static void
say_vendor(struct talk *k, const struct node *v)
{
	const struct node *questions = node_find(v, "questions");

	say(k, "explain.head");
	say(k, has(v, "load.period_s") ? "explain.does-slow" : "explain.does");
	say(k, !has(v, "request.written") ? "explain.asks-none"
	       : has(v, "request.count")  ? "explain.asks-count"
					  : "explain.asks");
	say(k, "explain.verdict");
	say(k, "explain.reason");
	say_gates(k, node_find(v, "gates"), node_string(v, "binding", ""));
	say(k, "explain.cards");
	if (has(v, "smallest"))
		say(k, has(v, "smallest.cards") ? "explain.smallest-count"
						: "explain.smallest");
	if (has(v, "nearest"))
		say(k, "explain.nearest");
	say_changes(k, node_find(v, "changes"));
	for (const struct node *q = questions ? questions->first : NULL; q;
	     q = q->next)
		say_of(k, "q", q, "explain.question");
}

static void
say_fit(struct talk *k, const struct node *fit)
{
	k->scope[k->n++] = (struct text_scope){"f", fit};
	say(k, "explain.head");
	say(k, arena_printf(k->a, "explain.fit.%s",
		   node_string(fit, "state", "")));
	if (is(fit, "state", "pass") && has(fit, "cards"))
		say(k, "explain.fit.cards");
	say_gates(k, node_find(fit, "gates"), "");
}

static const struct node *
find_vendor(const struct node *results, const char *id)
{
	const struct node *list = node_find(results, "vendors");

	for (const struct node *v = list ? list->first : NULL; v; v = v->next)
		if (str_equal_nocase(node_string(v, "id", ""), id))
			return v;
	return NULL;
}

static const struct node *
fit_node(struct arena *a, const struct inputs *in, const struct node *v,
    const struct gpu *card)
{
	const struct decision *dec = in->decision;

	for (int i = 0; i < dec->n_vendors; i++) {
		const struct vendor_decision *vd = &dec->vendors[i];

		if (!str_equal(vd->vendor->id, node_string(v, "id", "")))
			continue;
		for (int j = 0; j < vd->n_fits; j++)
			if (vd->fits[j].gpu == card)
				return outcome_fit(a, in->project, in->catalog,
				    in->calibration, &vd->fits[j]);
	}
	assert(!"every card has a fit");
	return NULL;
}

/* The vendors there are, for the note of an error. */
static const char *
vendor_ids(struct arena *a, const struct project *p)
{
	struct str s;

	str_init(&s, a);
	for (int i = 0; i < p->n_vendors; i++)
		str_addf(&s, "%s%s", i ? ", " : "", p->vendors[i].id);
	return s.s;
}

static const struct gpu *
find_card(const struct catalog *c, const char *name, struct diag *d)
{
	const struct gpu *found[8];
	int n = catalog_find(c, name, found, 8);

	if (n == 1)
		return found[0];
	if (n == 0) {
		const char *near = catalog_near(c, name);

		diag_error(d, (struct pos){0}, "card-unknown",
		    "no card is called '%s'", name);
		if (near)
			diag_note(d, "did you mean '%s'?", near);
		return NULL;
	}
	diag_error(d, (struct pos){0}, "card-ambiguous", "'%s' names %d cards",
	    name, n);
	for (int i = 0; i < n && i < 8; i++)
		diag_note(d, "'%s': %s", found[i]->id, found[i]->name);
	return NULL;
}

/* Sentences about a vendor, on a card or (NULL) as a whole. */
static bool
explain_text(struct arena *a, const struct options *o, const struct inputs *in,
    const struct node *v, const struct gpu *card, struct diag *d)
{
	struct talk k = {.a = a, .d = d, .n = 1, .results = in->results};

	k.t = template_read(a, o->templates,
	    o->n_languages ? o->languages[0] : in->project->languages[0], d);
	if (!k.t)
		return false;
	k.scope[0] = (struct text_scope){"v", v};
	if (card)
		say_fit(&k, fit_node(a, in, v, card));
	else
		say_vendor(&k, v);
	return d->n_errors == 0;
}

static bool
explain(struct arena *a, const struct options *o, struct diag *d)
{
	struct inputs in = {0};
	const struct node *v = NULL;
	const struct gpu *card = NULL;

	if (!inputs_read(a, o, o->args[0], &in, d))
		return false;
	inputs_decide(a, &in);
	if (o->n_args > 1 && !(v = find_vendor(in.results, o->args[1]))) {
		diag_error(d, (struct pos){0}, "vendor-unknown",
		    "no vendor has the id '%s'", o->args[1]);
		diag_note(d, "there are: %s", vendor_ids(a, in.project));
		return false;
	}
	if (o->n_args == 3 && !(card = find_card(in.catalog, o->args[2], d)))
		return false;
	if (card && card->segment == SEGMENT_CPU)
		return diag_error(d, (struct pos){0}, "card-cpu",
		    "'%s' is a processor, not a card", card->name);
	if (!o->tsv)
		return explain_text(a, o, &in, v, card, d);
	explain_tsv(a, &in, v, card);
	return true;
}

int
command_explain(const struct options *o)
{
	struct arena *a = arena_new();
	struct diag d;
	bool ok;

	if (o->n_args < 2 && !o->tsv) {
		fputs("whygpu: explain needs a vendor; '--format tsv' prints "
		      "all\n",
		    stderr);
		arena_free(a);
		return EXIT_USAGE;
	}
	diag_init(&d, a);
	ok = explain(a, o, &d);
	diag_print(&d, stderr);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
