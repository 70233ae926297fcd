/*
 * Need against capacity, resource by resource, for the card that was asked
 * for and its alternatives.  Each bar is the need as a share of what the
 * cards can carry at the allowed load, so that one line is the limit of all.
 */
#include <math.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

enum { MAX_FITS = 3, MAX_LOADS = 8 };

/* Bars longer than this share of the capacity are broken off. */
#define LONGEST 2.4

struct load {
	const char *id, *pair;
	double share; /* of the capacity */
	double need, have;
};

struct fit_view {
	const char *role, *gpu, *name, *state;
	double cards;
	struct load loads[MAX_LOADS];
	int n_loads;
};

struct gauges {
	struct fit_view fits[MAX_FITS];
	int n_fits;
	struct scale x;
	double names, needs; /* right edges of the text columns */
};

static double
load_limit(const struct node *vendor)
{
	double limit;

	return sketch_positive(vendor, "load.limit", &limit) && limit <= 1 ?
	    limit : 1;
}

static void
read_load(struct sketch *s, const struct node *fit, const struct node *n,
    double limit, struct fit_view *f)
{
	struct load *l = &f->loads[f->n_loads];
	double load;

	l->id = node_string(n, "id", "");
	if (*l->id == '\0' || !sketch_positive(n, "load", &load))
		return;
	f->n_loads++;
	l->need = load;
	l->have = limit * f->cards;
	l->share = load / l->have;
	l->pair = quantity_pair(s->a, l->need, l->have, UNIT_NONE);
	if (!str_equal(l->id, "memory"))
		return;
	/* Each card holds all of it: more cards do not help. */
	l->share = load;
	l->have = 1;
	l->pair = quantity_percent(s->a, load);
	if (sketch_positive(fit, "memory_need", &l->need) &&
	    sketch_positive(fit, "memory_have", &l->have))
		l->pair = quantity_pair(s->a, l->need, l->have, UNIT_BYTE);
}

static void
read_fit(struct sketch *s, const struct node *vendor, const struct node *n,
    const char *role, struct gauges *g)
{
	const struct node *loads = n ? node_find(n, "loads") : NULL;
	struct fit_view *f = &g->fits[g->n_fits];
	const char *gpu = n ? node_string(n, "gpu", NULL) : NULL;
	double needed;

	if (!gpu || !loads || g->n_fits == MAX_FITS)
		return;
	for (int i = 0; i < g->n_fits; i++)
		if (str_equal(g->fits[i].gpu, gpu))
			return;
	*f = (struct fit_view){.role = role, .gpu = gpu, .cards = 1,
	    .name = sketch_short_name(s, sketch_text_of(s, n, "name", gpu)),
	    .state = node_string(n, "state", "")};
	sketch_positive(n, "cards", &f->cards);
	needed = f->cards;
	if (str_equal(role, "requested") &&
	    !sketch_positive(vendor, "verdict.cards_asked", &f->cards))
		sketch_positive(vendor, "request.count", &f->cards);
	/* the card would do, but not so few of them */
	if (str_equal(f->state, "pass") && f->cards < needed)
		f->state = "fail";
	for (const struct node *l = loads->first; l && f->n_loads < MAX_LOADS;
	    l = l->next)
		read_load(s, n, l, load_limit(vendor), f);
	if (f->n_loads > 0)
		g->n_fits++;
}

static void
read_fits(struct sketch *s, struct gauges *g)
{
	static const char *const roles[] = {"requested", "smallest",
	    "cheapest", "nearest"};
	const struct node *v = sketch_vendor(s);
	const struct node *others = node_find(v, "alternatives");

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		read_fit(s, v, node_find(v, roles[i]), roles[i], g);
	for (const struct node *n = others && others->kind == NODE_LIST ?
	    others->first : NULL; n; n = n->next)
		read_fit(s, v, n, node_string(n, "role", "other"), g);
}

static void
gauges_csv(struct sketch *s, const struct gauges *g)
{
	SKETCH_CSV(s, "role", "gpu", "state", "cards", "resource", "share",
	    "need", "have");
	for (int i = 0; i < g->n_fits; i++)
		for (int j = 0; j < g->fits[i].n_loads; j++) {
			const struct fit_view *f = &g->fits[i];
			const struct load *l = &f->loads[j];

			SKETCH_CSV(s, f->role, f->gpu, f->state,
			    num_exact(s->a, f->cards), l->id,
			    num_exact(s->a, l->share),
			    num_exact(s->a, l->need),
			    num_exact(s->a, l->have));
		}
}

static void
measure(struct sketch *s, struct gauges *g)
{
	double names = 0, needs = 0, most = 1.1;

	for (int i = 0; i < g->n_fits; i++)
		for (int j = 0; j < g->fits[i].n_loads; j++) {
			const struct load *l = &g->fits[i].loads[j];

			names = fmax(names, sketch_width(s, TYPE_LABEL,
			    sketch_label_id(s, "resource", l->id)));
			needs = fmax(needs, sketch_width(s, TYPE_SMALL,
			    l->pair));
			most = fmax(most, l->share * 1.06);
		}
	needs = fmax(needs, sketch_width(s, TYPE_NOTE, arena_printf(s->a,
	    "%s / %s", sketch_label(s, "need"), sketch_label(s, "have"))));
	g->names = fmin(names, 0.22 * s->plan->width) + 10;
	g->needs = g->names + fmin(needs, 0.26 * s->plan->width) + 4;
	g->x = scale_linear(0, fmin(most, LONGEST), g->needs + 10,
	    s->plan->width - 8);
}

static void
draw_bar(struct sketch *s, const struct gauges *g, const struct load *l,
    bool most, double mid)
{
	double h = 7.5, y = mid - h / 2;
	double x0 = g->x.from, limit = scale_at(&g->x, 1);
	double x1 = scale_clamped(&g->x, l->share);

	sketch_rect(s, x0, y, limit - x0, h, (struct paint){.fill = INK_MIST});
	sketch_rect(s, x0, y, fmax(fmin(x1, limit) - x0, 0.7), h,
	    (struct paint){.fill = most ? INK_NAVY : INK_BLUE});
	if (l->share <= 1)
		return;
	sketch_rect(s, limit, y, fmax(x1 - limit, 0.7), h,
	    (struct paint){.fill = INK_BLUSH, .stroke = INK_ACCENT,
	    .hatch = HATCH_DIAGONAL});
	if (l->share > g->x.hi)
		sketch_path(s, (const double[]){x1 + 1, y, x1 + 6, mid, x1 + 1,
		    y + h}, 3, (struct paint){.fill = INK_ACCENT});
}

static void
draw_state(struct sketch *s, const char *state, double x, double y)
{
	if (str_equal(state, "pass"))
		sketch_symbol(s, SYMBOL_CHECK, x, y, 3.4,
		    (struct paint){.stroke = INK_NAVY, .line_width = 1.4});
	else if (str_equal(state, "fail"))
		sketch_symbol(s, SYMBOL_CROSS, x, y, 3.2,
		    (struct paint){.stroke = INK_ACCENT, .line_width = 1.2});
	else
		sketch_text(s, TYPE_STRONG, x, sketch_baseline(TYPE_STRONG,
		    y), 0.5, "?");
}

/* One card: its heading and a bar per resource; returns its bottom. */
static double
draw_fit(struct sketch *s, const struct gauges *g, const struct fit_view *f,
    double y)
{
	const char *role = sketch_label_id(s, "role", f->role);
	const char *name = sketch_fit(s, TYPE_STRONG, arena_printf(s->a,
	    "%s × %s", f->name, quantity_plain(s->a, f->cards)),
	    0.6 * s->plan->width);
	double most = 0, mid = y + 6, w;

	draw_state(s, f->state, 4, mid);
	w = sketch_text(s, TYPE_STRONG, 12, sketch_baseline(TYPE_STRONG, mid),
	    0, name);
	sketch_text(s, TYPE_NOTE, 12 + w + 7, sketch_baseline(TYPE_NOTE,
	    mid), 0, sketch_fit(s, TYPE_NOTE, role,
	    s->plan->width - w - 25));
	for (int i = 0; i < f->n_loads; i++)
		most = fmax(most, f->loads[i].share);
	for (int i = 0; i < f->n_loads; i++) {
		const struct load *l = &f->loads[i];

		mid = y + 20 + 12.5 * i;
		sketch_text(s, TYPE_LABEL, 12, sketch_baseline(TYPE_LABEL,
		    mid), 0, sketch_fit(s, TYPE_LABEL, sketch_label_id(s,
		    "resource", l->id), g->names - 18));
		sketch_text(s, l->share > 1 ? TYPE_ALERT : TYPE_SMALL,
		    g->needs, sketch_baseline(TYPE_SMALL, mid), 1,
		    sketch_fit(s, TYPE_SMALL, l->pair,
		    g->needs - g->names));
		draw_bar(s, g, l, l->share >= most, mid);
	}
	return y + 16 + 12.5 * f->n_loads;
}

void
kind_gauges(struct sketch *s)
{
	struct gauges g = {0};
	double top = 12, y = top + 2, limit, w;
	const char *text;
	bool over = false;

	read_fits(s, &g);
	if (g.n_fits == 0) {
		sketch_no_data(s, "requested.loads");
		return;
	}
	gauges_csv(s, &g);
	measure(s, &g);
	g.names += 12;
	g.needs += 12;
	g.x.from += 12;
	limit = scale_at(&g.x, 1);
	text = sketch_fit(s, TYPE_NOTE, sketch_label(s, "limit"),
	    0.5 * s->plan->width);
	w = sketch_width(s, TYPE_NOTE, text);
	sketch_text(s, TYPE_NOTE, g.needs, 8, 1, arena_printf(s->a, "%s / %s",
	    sketch_label(s, "need"), sketch_label(s, "have")));
	sketch_text(s, TYPE_NOTE, fmin(fmax(limit - w / 2, g.needs + 8),
	    s->plan->width - w), 8, 0, text);
	for (int i = 0; i < g.n_fits; i++) {
		y = draw_fit(s, &g, &g.fits[i], y) + 6;
		for (int j = 0; j < g.fits[i].n_loads; j++)
			over |= g.fits[i].loads[j].share > 1;
	}
	y -= 4;
	s->plan->height = axis_below(s, &(struct axis){&g.x,
	    quantity_tick_percent, 5, sketch_label(s, "x")}, y, y + 2);
	sketch_line(s, limit, top, limit, y + 2,
	    (struct paint){.stroke = INK_TEXT, .line_width = 1});
	if (over) {
		struct key k = sketch_key(s->plan->height + 1);
		double kx, ky;

		sketch_key_entry(s, &k, 14, sketch_label(s, "over"), &kx,
		    &ky);
		sketch_rect(s, kx, ky - 3.5, 14, 7,
		    (struct paint){.fill = INK_BLUSH, .stroke = INK_ACCENT,
		    .hatch = HATCH_DIAGONAL});
		s->plan->height = sketch_key_bottom(&k);
	}
}
