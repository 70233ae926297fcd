#include "model/catalog_lint.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "data/network.h"
#include "model/lint_parts.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const rules[] = {
    "lint-fp32",
    "lint-fp16",
    "lint-peak",
    "lint-sparse",
    "lint-accumulate",
    "lint-precision",
    "lint-order",
    "lint-units",
    "lint-bandwidth",
    "lint-variant",
    "lint-link",
    "lint-memory-kind",
    "lint-memory-size",
    "lint-usable",
    "lint-power",
    "lint-range",
    "lint-video",
    "lint-mig",
    "lint-software",
    "lint-licence",
    "lint-certainty",
    "lint-assumed",
    "lint-date",
    "lint-source",
    "lint-mac",
    "lint-network",
    "lint-waiver",
};

const char *const *
catalog_lint_rules(int *n)
{
	*n = N_OF(rules);
	return rules;
}

bool
lint_near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fabs(b);
}

static bool
excused(struct lint *l, const char *rule)
{
	bool any = false;

	for (int i = 0; l->gpu && i < l->gpu->n_waivers; i++)
		if (str_equal(l->gpu->waivers[i].rule, rule))
			any = l->used[i] = true;
	return any;
}

void
lint_say(struct lint *l, const struct fact *f, const char *rule,
    const char *fmt, ...)
{
	struct pos pos =
	    f ? catalog_place(l->c, PLACE_GPU, l->gpu, f) : l->gpu->pos;
	va_list ap;

	if (excused(l, rule))
		return;
	va_start(ap, fmt);
	diag_error(l->d, pos, rule, "%s", arena_vprintf(l->a, fmt, ap));
	va_end(ap);
}

/* ---- where figures come from ---- */

/* How many sources a list names, formulas aside, and whether one is a
 * vendor's own. */
static int
count_sources(const struct lint *l, const char *src, bool *vendor)
{
	int n = 0;

	*vendor = false;
	for (const char *s = src ? src : ""; *s;) {
		size_t len = strcspn(s, " ");
		const struct source_ref *r =
		    catalog_source(l->c, arena_strndup(l->a, s, len));

		if (r && r->letter != 'F') {
			n++;
			*vendor |= r->letter == 'A';
		}
		s += len;
		s += strspn(s, " ");
	}
	return n;
}

static void
check_certainty(struct lint *l)
{
	int n_figures;
	const struct gpu_figure *f = gpu_figures(&n_figures);

	for (int i = 0; i < n_figures; i++) {
		const struct fact *v = gpu_fact(l->gpu, &f[i]);
		bool vendor;
		int n = count_sources(l, v->src, &vendor);

		if (!v->known)
			continue;
		if (v->sure == SURE_ASSUMED)
			lint_say(l, v, "lint-assumed",
			    "%s of '%s' rests on nothing: find a source or "
			    "leave it out",
			    f[i].label, l->gpu->id);
		if (v->sure == SURE_VENDOR && !vendor)
			lint_say(l, v, "lint-certainty",
			    "%s of '%s' is called the vendor's, but no "
			    "source of grade A is named",
			    f[i].label, l->gpu->id);
		if (v->sure == SURE_TWO && n < 2)
			lint_say(l, v, "lint-certainty",
			    "%s of '%s' is said to stand in two sources, "
			    "but %d is named",
			    f[i].label, l->gpu->id, n);
	}
}

/* The newest date among the sources of a card, "2026/2027" being 2027. */
static const char *
newest(const struct lint *l)
{
	const char *best = "";
	int n_figures;
	const struct gpu_figure *f = gpu_figures(&n_figures);

	for (int i = 0; i < n_figures; i++) {
		const char *src = gpu_fact(l->gpu, &f[i])->src;

		for (const char *s = src ? src : ""; *s;) {
			size_t len = strcspn(s, " ");
			const struct source_ref *r =
			    catalog_source(l->c, arena_strndup(l->a, s, len));
			const char *date = r ? r->date : NULL;
			const char *slash = date ? strchr(date, '/') : NULL;

			if (slash)
				date = slash + 1;
			if (date && strcmp(date, best) > 0)
				best = date;
			s += len;
			s += strspn(s, " ");
		}
	}
	return best;
}

/* A card cannot be in a source that is older than the card. */
static void
check_date(struct lint *l)
{
	const char *launched = l->gpu->launched;
	const char *date = newest(l);
	size_t len = strlen(date);

	if (!launched || len == 0)
		return;
	if (strncmp(launched, date, len) > 0)
		lint_say(l, NULL, "lint-date",
		    "'%s' was launched on %s, after its newest source (%s)",
		    l->gpu->id, launched, date);
}

static void
check_source(struct lint *l, const struct source_ref *s)
{
	const char *lacks = !s->publisher ? "publisher"
			    : !s->where   ? "place"
			    : !s->date    ? "date"
					  : NULL;

	if (s->letter == 'F')
		lacks = !s->where ? "basis" : NULL;
	if (lacks)
		diag_error(l->d, s->pos, "lint-source",
		    "the source '%s' has no %s", s->id, lacks);
}

/* ---- networks ---- */

/* Whether all sources of the list are known to count this way. */
static bool
all_count(const struct lint *l, const char *src, const char *counts)
{
	bool any = false;

	for (const char *s = src ? src : ""; *s;) {
		size_t len = strcspn(s, " ");
		const struct source_ref *r =
		    catalog_source(l->c, arena_strndup(l->a, s, len));

		if (r && r->letter != 'F' && !str_equal(r->counts, counts))
			return false;
		any |= r && r->letter != 'F';
		s += len;
		s += strspn(s, " ");
	}
	return any;
}

static void
check_network(struct lint *l, const struct network *n)
{
	struct pos pos = catalog_place(l->c, PLACE_NETWORK, n, &n->macs);
	/* a network may quadruple the picture's sides on the way */
	double pixels = 16.0 * n->in_h * n->in_w;

	if (!n->macs.known)
		return;
	if (!n->as_flop && all_count(l, n->macs.src, "flop"))
		diag_error(l->d, pos, "lint-mac",
		    "the source of '%s' counts FLOP, two for a multiply-add: "
		    "write gflop, not gmac",
		    n->id);
	if (n->as_flop && all_count(l, n->macs.src, "mac"))
		diag_error(l->d, pos, "lint-mac",
		    "the source of '%s' counts multiply-adds: write gmac, "
		    "not gflop",
		    n->id);
	if (n->params.known && (n->macs.value < 0.3 * n->params.value ||
				   n->macs.value > n->params.value * pixels))
		diag_error(l->d, pos, "lint-network",
		    "'%s' would use each of its parameters %s times; "
		    "0.3 to %s is possible",
		    n->id,
		    num_format(l->a, n->macs.value / n->params.value, 1, true),
		    num_format(l->a, pixels, 0, true));
}

/* ---- the whole ---- */

static void
check_waivers(struct lint *l)
{
	for (int i = 0; i < l->gpu->n_waivers; i++) {
		const struct waiver *w = &l->gpu->waivers[i];
		bool known = false;

		for (int k = 0; k < N_OF(rules); k++)
			known |= str_equal(rules[k], w->rule);
		if (!known)
			diag_error(l->d, w->pos, "lint-waiver",
			    "there is no rule '%s'", w->rule);
		else if (!l->used[i])
			diag_error(l->d, w->pos, "lint-waiver",
			    "'%s' breaks no rule '%s' any more", l->gpu->id,
			    w->rule);
	}
}

static void
check_card(struct lint *l, const struct gpu *g)
{
	l->gpu = g;
	l->used = arena_alloc(l->a, (size_t)g->n_waivers + 1, sizeof(bool));
	lint_peaks(l);
	lint_units(l);
	lint_memory(l);
	lint_board(l);
	check_certainty(l);
	check_date(l);
	check_waivers(l);
}

void
catalog_lint(struct arena *a, const struct catalog *c, struct diag *d)
{
	struct lint l = {.a = a, .c = c, .d = d};

	for (int i = 0; i < c->n_sources; i++)
		check_source(&l, &c->sources[i]);
	for (int i = 0; i < c->n_gpus; i++)
		check_card(&l, &c->gpus[i]);
	for (int i = 0; i < c->n_networks; i++)
		check_network(&l, &c->networks[i]);
}
