#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/catalog.h"
#include "data/network.h"

enum { SOURCES_MAX = 64 };

/* The sources named so far, each once, for the list at the end. */
struct cited {
	const struct source_ref *refs[SOURCES_MAX];
	int n;
};

static void
cite(struct arena *a, const struct catalog *c, const char *list,
    struct cited *cited)
{
	for (const char *s = list ? list : ""; *s;) {
		size_t len = strcspn(s, " ");
		const struct source_ref *r =
		    catalog_source(c, arena_strndup(a, s, len));
		bool known = !r || cited->n == SOURCES_MAX;

		for (int i = 0; i < cited->n; i++)
			known |= cited->refs[i] == r;
		if (!known)
			cited->refs[cited->n++] = r;
		s += len;
		s += strspn(s, " ");
	}
}

static void
print_cited(const struct cited *cited)
{
	if (cited->n)
		puts("  sources:");
	for (int i = 0; i < cited->n; i++) {
		const struct source_ref *r = cited->refs[i];

		printf("    %-10s %c  %s%s%s%s%s\n", r->id, r->letter, r->title,
		    r->publisher ? "; " : "", r->publisher ? r->publisher : "",
		    r->date ? ", " : "", r->date ? r->date : "");
	}
}

static void
print_fact(const char *label, struct fact f, const char *value,
    const char *unit)
{
	if (f.known)
		printf("  %-30s %s%s%s  [%s%s%s]\n", label, value,
		    *unit ? " " : "", unit, certainty_id(f.sure),
		    f.src ? ": " : "", f.src ? f.src : "");
	else
		printf("  %-30s not published\n", label);
}

static void
print_figure(struct arena *a, const struct gpu_figure *f, struct fact v)
{
	bool flag = str_equal(f->shown, "yes/no");

	print_fact(f->label, v,
	    flag ? (v.value > 0 ? "yes" : "no")
		 : num_format(a, v.value * f->scale, f->digits, true),
	    flag ? "" : f->shown);
}

/* "11.8", or "open". */
static const char *
release(struct arena *a, struct fact f)
{
	return f.known ? arena_printf(a, "%d.%d", (int)f.value / 100,
			     (int)f.value % 100)
		       : "open";
}

static void
print_window(struct arena *a, const char *label, struct fact first,
    struct fact last, struct cited *cited, const struct catalog *c)
{
	struct fact f = first.known ? first : last;

	print_fact(label, f,
	    arena_printf(a, "%s to %s", release(a, first), release(a, last)),
	    "");
	cite(a, c, f.src, cited);
}

static void
print_arch(struct arena *a, const struct catalog *c, const struct arch *h,
    struct cited *cited)
{
	struct fact f =
	    h->driver_first.known ? h->driver_first : h->driver_last;

	print_window(a, "CUDA releases", h->cuda_first, h->cuda_last, cited, c);
	print_fact("driver branches", f,
	    arena_printf(a, "%s to %s",
		h->driver_first.known
		    ? num_format(a, h->driver_first.value, 0, false)
		    : "open",
		h->driver_last.known
		    ? num_format(a, h->driver_last.value, 0, false)
		    : "open"),
	    "");
	cite(a, c, f.src, cited);
	for (int i = 0; i < h->n_supports; i++)
		print_window(a,
		    arena_printf(a, "%s releases", h->supports[i].software),
		    h->supports[i].first, h->supports[i].last, cited, c);
	for (int k = CODEC_H264; k < CODEC_N; k++) {
		struct fact v = h->decode_fps[k];

		print_fact(arena_printf(a, "1080p decode, %s, one engine",
			       codec_id((enum codec)k)),
		    v, num_format(a, v.value, 0, true), "frames/s");
		cite(a, c, v.src, cited);
	}
}

static void
print_head(const struct gpu *g)
{
	printf("%s  %s\n  %s, %s, %s", g->id, g->name, g->vendor_name,
	    g->family, segment_id(g->segment));
	if (g->arch_name)
		printf(", %s", g->arch_name);
	if (g->cc)
		printf(", compute capability %d.%d", g->cc / 10, g->cc % 10);
	printf("\n  launched %s, %s, %s, %s\n",
	    g->launched ? g->launched : "not published",
	    g->form ? g->form : "form not published",
	    g->link ? g->link : "link not published",
	    g->memory_kind ? g->memory_kind : "memory kind not published");
	printf("  cooling %s, power plugs %s, software %s\n",
	    g->cooling == COOLING_PASSIVE  ? "passive"
	    : g->cooling == COOLING_ACTIVE ? "active"
					   : "not published",
	    g->connectors ? g->connectors : "not published",
	    g->software ? g->software : "not published");
	if (g->devices > 1)
		printf("  %d devices on one board; figures are of one\n",
		    g->devices);
}

static void
print_remarks(struct arena *a, const struct catalog *c, const struct gpu *g,
    struct cited *cited)
{
	for (int i = 0; i < g->n_notes; i++) {
		const struct gpu_note *n = &g->notes[i];

		printf("  %s%s%s%s%s: %s [%s]\n", n->kind, n->date ? " " : "",
		    n->date ? n->date : "", n->region ? " " : "",
		    n->region ? n->region : "", n->text_en, n->src);
		cite(a, c, n->src, cited);
	}
	for (int i = 0; i < g->n_waivers; i++) {
		printf("  allowed against %s: %s [%s]\n", g->waivers[i].rule,
		    g->waivers[i].reason, g->waivers[i].src);
		cite(a, c, g->waivers[i].src, cited);
	}
	for (int i = 0; i < g->n_aliases; i++)
		printf("%s%s", i ? ", " : "  also called: ", g->aliases[i]);
	if (g->n_aliases)
		putchar('\n');
}

void
catalog_show_card(struct arena *a, const struct catalog *c, const struct gpu *g)
{
	struct cited cited = {.n = 0};
	int n;
	const struct gpu_figure *f = gpu_figures(&n);

	print_head(g);
	for (int i = 0; i < n; i++) {
		print_figure(a, &f[i], *gpu_fact(g, &f[i]));
		cite(a, c, gpu_fact(g, &f[i])->src, &cited);
	}
	if (g->arch)
		print_arch(a, c, g->arch, &cited);
	print_remarks(a, c, g, &cited);
	print_cited(&cited);
}

void
catalog_show_network(struct arena *a, const struct catalog *c,
    const struct network *n)
{
	struct cited cited = {.n = 0};
	const struct fact *facts[] = {&n->macs, &n->params, &n->activations};

	printf("%s  %s\n  %s, class %s, totals at %dx%dx%d%s\n", n->id, n->name,
	    n->task, net_class_id(n->cls), n->in_c, n->in_h, n->in_w,
	    n->scales ? ", growing with the pixels" : "");
	print_fact("multiply-adds of one image", n->macs,
	    num_format(a, n->macs.value / 1e9, 3, true), "GMAC");
	print_fact("parameters", n->params,
	    num_format(a, n->params.value / 1e6, 2, true), "million");
	print_fact("activations", n->activations,
	    num_format(a, n->activations.value / 1e6, 2, true), "million");
	if (n->as_flop)
		puts("  the source counts two FLOP for a multiply-add");
	for (int i = 0; i < 3; i++)
		cite(a, c, facts[i]->src, &cited);
	print_cited(&cited);
}
