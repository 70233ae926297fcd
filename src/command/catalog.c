#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/catalog.h"
#include "command/command.h"
#include "data/network.h"
#include "input/input.h"
#include "model/catalog_lint.h"

/*
 * catalog list [TERM...]   cards that every term fits: a word in id, name,
 *                          family, architecture or segment, or a comparison
 *                          such as size>=24GiB, power<=75W, decoders>1
 * catalog show NAME        every figure of a card or network
 * catalog find NAME        the cards a name may mean
 * catalog check            what the linter finds
 */

enum { FOUND_MAX = 16 };

/* A term of `list`: a word, or a figure compared with a value. */
struct term {
	const char *word; /* NULL: a comparison */
	const struct gpu_figure *figure;
	char op[3];
	double value;
};

static bool
bad_term(struct diag *d, const char *text, const char *why)
{
	diag_error(d, (struct pos){0}, "catalog-filter", "'%s': %s", text, why);
	return false;
}

static bool
read_term(struct arena *a, const char *text, struct term *t, struct diag *d)
{
	size_t len = strcspn(text, "<>=");
	const char *id = arena_strndup(a, text, len), *why = NULL, *rest;
	int n;
	const struct gpu_figure *f = gpu_figures(&n);

	*t = (struct term){.word = text};
	if (!text[len])
		return true;
	t->word = NULL;
	t->figure = gpu_figure_find(id);
	if (!t->figure) {
		bad_term(d, text, "there is no such figure");
		for (int i = 0; i < n; i++)
			why = why ? arena_printf(a, "%s, %s", why, f[i].id)
				  : f[i].id;
		diag_note(d, "figures: %s", why);
		return false;
	}
	rest = text + len + 1 + (text[len + 1] == '=');
	memcpy(t->op, text + len, (size_t)(rest - text) - len);
	if (num_parse(rest, t->figure->unit, &t->value, a, &why))
		return true;
	return bad_term(d, text, why);
}

static bool
holds(const char *text, const char *word)
{
	return text && strcasestr(text, word) != NULL;
}

static bool
compares(const struct term *t, double v)
{
	return str_equal(t->op, ">")    ? v > t->value
	       : str_equal(t->op, ">=") ? v >= t->value
	       : str_equal(t->op, "<")  ? v < t->value
	       : str_equal(t->op, "<=") ? v <= t->value
					: v == t->value;
}

/* A figure that is not published fits no comparison. */
static bool
fits(const struct gpu *g, const struct term *t)
{
	const struct fact *v = t->word ? NULL : gpu_fact(g, t->figure);

	if (v)
		return v->known && compares(t, v->value);
	return holds(g->id, t->word) || holds(g->name, t->word) ||
	       holds(g->vendor_name, t->word) || holds(g->family, t->word) ||
	       holds(g->arch_name, t->word) ||
	       holds(segment_id(g->segment), t->word);
}

static const char *
cell(struct arena *a, struct fact f, double scale, int digits)
{
	return f.known ? num_format(a, f.value * scale, digits, false) : "-";
}

static void
print_cards(struct arena *a, const struct gpu *const *cards, int n)
{
	printf("%-34s %6s %8s %12s %6s %6s\n", "id", "GiB", "GB/s",
	    "FP16 TFLOPS", "W", "NVDEC");
	for (int i = 0; i < n; i++) {
		const struct gpu *g = cards[i];
		const struct fact *peak = g->peak[PEAK_FP16_TENSOR].known
					      ? &g->peak[PEAK_FP16_TENSOR]
					      : &g->peak[PEAK_FP16];

		printf("%-34s %6s %8s %12s %6s %6s\n", g->id,
		    cell(a, g->memory_bytes, 1.0 / (1 << 30), 0),
		    cell(a, g->bandwidth, 1e-9, 0), cell(a, *peak, 1e-12, 1),
		    cell(a, g->power_w, 1, 0), cell(a, g->decoders, 1, 0));
	}
	printf("%d cards\n", n);
}

/* What later folders changed in the cards of earlier ones. */
static void
print_changes(struct arena *a, const struct catalog *c)
{
	for (int i = 0; i < c->n_changes; i++) {
		const struct catalog_change *ch = &c->changes[i];
		const struct gpu_figure *f = gpu_figure_find(ch->figure);
		const char *id = c->gpus[ch->gpu].id;

		printf("%s:%d: ", ch->pos.src->path, ch->pos.line);
		if (!f)
			printf("new card '%s'\n", id);
		else
			printf("'%s': %s %s -> %s %s [%s]\n", id, f->label,
			    cell(a, ch->before, f->scale, f->digits),
			    cell(a, ch->after, f->scale, f->digits), f->shown,
			    ch->after.src ? ch->after.src : "no source");
	}
}

static bool
list(struct arena *a, const struct catalog *c, const struct options *o,
    struct diag *d)
{
	int n_terms = o->n_args - 1, n = 0;
	struct term *terms =
	    arena_alloc(a, (size_t)n_terms + 1, sizeof(*terms));
	const struct gpu **cards =
	    arena_alloc(a, (size_t)c->n_gpus + 1, sizeof(*cards));

	for (int i = 0; i < n_terms; i++)
		if (!read_term(a, o->args[i + 1], &terms[i], d))
			return false;
	for (int i = 0; i < c->n_gpus; i++) {
		bool all = true;

		for (int k = 0; k < n_terms; k++)
			all &= fits(&c->gpus[i], &terms[k]);
		if (all)
			cards[n++] = &c->gpus[i];
	}
	if (o->coverage)
		catalog_coverage(a, c, cards, n);
	else
		print_cards(a, cards, n);
	print_changes(a, c);
	return true;
}

static bool
find_name(const struct catalog *c, const char *name, const struct gpu **found,
    int *n, struct diag *d)
{
	const char *near;

	*n = catalog_find(c, name, found, FOUND_MAX);
	if (*n > FOUND_MAX)
		*n = FOUND_MAX;
	if (*n > 0)
		return true;
	near = catalog_near(c, name);
	diag_error(d, (struct pos){0}, "card-unknown", "no card is called '%s'",
	    name);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	return false;
}

static bool
show(struct arena *a, const struct catalog *c, const struct options *o,
    struct diag *d)
{
	const struct gpu *found[FOUND_MAX];
	const struct network *net = network_find(c, o->args[1]);
	int n;

	if (net) {
		catalog_show_network(a, c, net);
		return true;
	}
	if (!find_name(c, o->args[1], found, &n, d))
		return false;
	for (int i = 0; i < n; i++)
		catalog_show_card(a, c, found[i]);
	return true;
}

static bool
find(struct arena *a, const struct catalog *c, const struct options *o,
    struct diag *d)
{
	const struct gpu *found[FOUND_MAX];
	int n;

	(void)a;
	if (!find_name(c, o->args[1], found, &n, d))
		return false;
	for (int i = 0; i < n; i++)
		printf("%-34s %s\n", found[i]->id, found[i]->name);
	return true;
}

static bool
check(struct arena *a, const struct catalog *c, const struct options *o,
    struct diag *d)
{
	int n_rules, n = d->n_errors + d->n_dropped;

	(void)o;
	catalog_lint_rules(&n_rules);
	catalog_lint(a, c, d);
	print_changes(a, c);
	printf("%d cards, %d networks, %d sources; %d rules, %d findings\n",
	    c->n_gpus, c->n_networks, c->n_sources, n_rules,
	    d->n_errors + d->n_dropped - n);
	return true;
}

static const struct {
	const char *verb;
	int least, most; /* arguments, the verb included */
	bool (*run)(struct arena *a, const struct catalog *c,
	    const struct options *o, struct diag *d);
} verbs[] = {
    {"list", 1, 16, list},
    {"show", 2, 2, show},
    {"find", 2, 2, find},
    {"check", 1, 1, check},
};

enum { N_VERBS = sizeof(verbs) / sizeof(verbs[0]) };

static int
find_verb(const struct options *o)
{
	int i = 0;

	while (i < N_VERBS && !str_equal(verbs[i].verb, o->args[0]))
		i++;
	return i < N_VERBS && o->n_args >= verbs[i].least &&
		       o->n_args <= verbs[i].most
		   ? i
		   : -1;
}

int
command_catalog(const struct options *o)
{
	int verb = find_verb(o);
	struct arena *a;
	struct diag d;
	struct catalog *c;
	bool ok = false;
	int status;

	if (verb < 0) {
		fputs("whygpu: usage: whygpu catalog list [WORD|FIGURE>=N...] "
		      "| show NAME | find NAME | check\n",
		    stderr);
		return EXIT_USAGE;
	}
	a = arena_new();
	diag_init(&d, a);
	c = catalog_read_all(a, o->catalogs, o->n_catalogs, &d);
	if (c)
		ok = verbs[verb].run(a, c, o, &d);
	fflush(stdout);
	diag_print(&d, stderr);
	status = ok && d.n_errors == 0 ? EXIT_FINE : EXIT_INPUT;
	arena_free(a);
	return status;
}
