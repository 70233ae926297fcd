/*
 * Need against capacity for the card that was asked for and the cards beside
 * it.  Each card begins with what decides when it fails: the gate, or the
 * resource that is over.  Then one bar per resource: the need as a share of
 * what the cards can carry at the allowed load, so that one line is the
 * limit of all.
 */
#include <math.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

enum { MAX_FITS = 4, MAX_LOADS = 8 };

/* Bars longer than this share of the capacity are broken off. */
#define LONGEST 2.4
#define ROW     13.0

struct load {
	const char *id, *label, *pair;
	double share; /* of the capacity; 0: no bar */
	double need, have;
	bool decides; /* what the card fails by */
};

struct fit_view {
	const char *role, *gpu, *name, *state;
	const char *gate; /* NULL: none, or shown as one of the loads */
	double cards;     /* 0: nobody knows how many */
	struct load loads[MAX_LOADS + 1];
	int n_loads;
};

struct gauges {
	struct fit_view fits[MAX_FITS];
	int n_fits;
	bool no_load; /* nothing but memory is known */
	struct scale x;
	double names, needs; /* right edges of the text columns */
};

static double
load_limit(const struct node *vendor, const struct node *fit)
{
	double limit;

	if (sketch_positive(fit, "limit", &limit) && limit <= 1)
		return limit;
	return sketch_positive(vendor, "load.limit", &limit) && limit <= 1
		   ? limit
		   : 1;
}

/* Reading ----------------------------------------------------------------- */

static const struct node *
gate_in(const struct node *gates, const char *id)
{
	for (const struct node *n =
		 gates && gates->kind == NODE_LIST ? gates->first : NULL;
	     n; n = n->next)
		if (str_equal(node_string(n, "id", NULL), id))
			return n;
	return NULL;
}

/* The gate of a card: its own, that of the same card elsewhere, or none. */
static const struct node *
find_gate(const struct node *vendor, const struct node *fit, const char *id)
{
	static const char *const others[] = {"requested", "judged", "planned",
	    "smallest", "nearest"};
	const char *gpu = node_string(fit, "gpu", NULL);
	const struct node *g = gate_in(node_find(fit, "gates"), id);

	for (int i = 0; i < 5 && !g; i++) {
		const struct node *n = node_find(vendor, others[i]);

		if (!n || !str_equal(node_string(n, "gpu", NULL), gpu))
			continue;
		g = gate_in(node_find(n, "gates"), id);
		/* the vendor's own list is that of the card judged */
		if (!g && i < 2)
			g = gate_in(node_find(vendor, "gates"), id);
	}
	return g;
}

static void
add_load(struct fit_view *f, struct load l)
{
	if (f->n_loads < MAX_LOADS)
		f->loads[f->n_loads++] = l;
}

static void
read_memory(struct sketch *s, const struct node *fit, struct fit_view *f)
{
	struct load l = {.id = "memory",
	    .label = sketch_label_id(s, "resource", "memory")};

	/* Each card holds all of it: more cards do not help. */
	if (!sketch_positive(fit, "memory_need", &l.need) ||
	    !sketch_positive(fit, "memory_have", &l.have))
		return;
	l.share = l.need / l.have;
	l.pair = quantity_pair(s->a, l.need, l.have, UNIT_BYTE);
	add_load(f, l);
}

static void
read_loads(struct sketch *s, const struct node *vendor, const struct node *fit,
    struct fit_view *f)
{
	const struct node *list = node_find(fit, "loads");
	double limit = load_limit(vendor, fit);

	for (const struct node *n =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     n; n = n->next) {
		struct load l = {.id = node_string(n, "id", "")};

		if (*l.id == '\0' || str_equal(l.id, "memory") ||
		    f->cards <= 0 || !sketch_positive(n, "load", &l.need))
			continue;
		l.label = sketch_label_id(s, "resource", l.id);
		l.have = limit * f->cards;
		l.share = l.need / l.have;
		l.pair = quantity_pair(s->a, l.need, l.have, UNIT_NONE);
		add_load(f, l);
	}
	read_memory(s, fit, f);
}

static struct load *
find_load(struct fit_view *f, const char *id)
{
	for (int i = 0; i < f->n_loads; i++)
		if (str_equal(f->loads[i].id, id))
			return &f->loads[i];
	return NULL;
}

static void
to_front(struct fit_view *f, struct load *l)
{
	struct load first = *l;

	for (; l > f->loads; l--)
		*l = l[-1];
	first.decides = true;
	f->loads[0] = first;
}

/* A gate with figures that compare is a bar too, the first. */
static void
read_gate_figures(struct sketch *s, const struct node *vendor,
    const struct node *fit, struct fit_view *f, const char *label)
{
	const struct node *g = find_gate(vendor, fit, f->gate), *need;
	struct load l = {.id = f->gate, .label = label, .pair = ""};

	if (!g || !sketch_positive(g, "need", &l.need) ||
	    !sketch_positive(g, "have", &l.have) || l.need <= l.have ||
	    f->n_loads > MAX_LOADS)
		return;
	need = node_find(g, "need");
	l.share = l.need / l.have;
	l.pair = quantity_pair(s->a, l.need, l.have, need->unit);
	f->loads[f->n_loads++] = l;
	to_front(f, &f->loads[f->n_loads - 1]);
	f->gate = NULL;
}

/*
 * What the card fails by goes first: a bar that is over, a gate with figures,
 * or the gate's name alone.
 */
static void
read_decision(struct sketch *s, const struct node *vendor,
    const struct node *fit, struct fit_view *f)
{
	const char *label;
	struct load *l;

	if (str_equal(f->state, "pass"))
		return;
	f->gate = node_string(fit, "gate", NULL);
	if (!f->gate) {
		/* too few cards: the resource they run out of */
		l = f->loads;
		for (int i = 1; i < f->n_loads; i++)
			if (f->loads[i].share > l->share)
				l = &f->loads[i];
		if (f->n_loads > 0 && l->share > 1)
			to_front(f, l);
		return;
	}
	l = find_load(f, f->gate);
	if (l && l->share > 1) {
		to_front(f, l);
		f->gate = NULL;
		return;
	}
	label = sketch_label_or_null(s, arena_printf(s->a, "gate.%s", f->gate));
	if (!label)
		f->gate = NULL;
	else if (str_equal(f->state, "fail"))
		read_gate_figures(s, vendor, fit, f, label);
}

static void
read_cards(const struct node *vendor, const struct node *n, struct fit_view *f)
{
	double needed = 0;

	sketch_positive(n, "cards", &needed);
	f->cards = needed;
	if (str_equal(f->role, "requested") &&
	    !sketch_positive(vendor, "verdict.cards_asked", &f->cards))
		sketch_positive(vendor, "request.count", &f->cards);
	/* the card would do, but not so few of them */
	if (str_equal(f->state, "pass") && f->cards < needed)
		f->state = "fail";
}

static void
read_fit(struct sketch *s, const struct node *vendor, const struct node *n,
    const char *role, struct gauges *g)
{
	struct fit_view *f = &g->fits[g->n_fits];
	const char *gpu = n ? node_string(n, "gpu", NULL) : NULL;

	if (!gpu || g->n_fits == MAX_FITS)
		return;
	for (int i = 0; i < g->n_fits; i++)
		if (str_equal(g->fits[i].gpu, gpu))
			return;
	*f = (struct fit_view){.role = role,
	    .gpu = gpu,
	    .name = sketch_short_name(s, sketch_text_of(s, n, "name", gpu)),
	    .state = node_string(n, "state", "")};
	read_cards(vendor, n, f);
	read_loads(s, vendor, n, f);
	read_decision(s, vendor, n, f);
	if (f->n_loads > 0)
		g->n_fits++;
}

static bool
is_work(const char *id)
{
	return str_equal(id, "compute") || str_equal(id, "decode") ||
	       str_equal(id, "encode");
}

/* Without work a trickle on the link says nothing: memory alone is left. */
static void
drop_empty_loads(struct gauges *g)
{
	bool work = false;

	for (int i = 0; i < g->n_fits; i++)
		for (int j = 0; j < g->fits[i].n_loads; j++)
			work |= is_work(g->fits[i].loads[j].id);
	g->no_load = !work;
	for (int i = 0; i < g->n_fits && !work; i++) {
		struct fit_view *f = &g->fits[i];
		int kept = 0;

		for (int j = 0; j < f->n_loads; j++)
			if (!str_equal(f->loads[j].id, "link") ||
			    f->loads[j].decides || f->n_loads == 1)
				f->loads[kept++] = f->loads[j];
		f->n_loads = kept;
	}
}

static void
read_fits(struct sketch *s, struct gauges *g)
{
	static const char *const fits[][2] = {{"requested", "requested"},
	    {"judged", "requested"}, {"planned", "plan"},
	    {"smallest", "smallest"}, {"cheapest", "cheapest"},
	    {"nearest", "nearest"}};
	const struct node *v = sketch_vendor(s);
	const struct node *others = node_find(v, "alternatives");

	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++)
		read_fit(s, v, node_find(v, fits[i][0]), fits[i][1], g);
	/* others' cards only where there is nothing else to compare */
	for (const struct node *n =
		 others && others->kind == NODE_LIST ? others->first : NULL;
	     n && g->n_fits < 2; n = n->next)
		read_fit(s, v, n, node_string(n, "role", "other"), g);
	drop_empty_loads(g);
}

static void
gauges_csv(struct sketch *s, const struct gauges *g)
{
	SKETCH_CSV(s, "role", "gpu", "state", "cards", "resource", "share",
	    "need", "have");
	for (int i = 0; i < g->n_fits; i++) {
		const struct fit_view *f = &g->fits[i];
		const char *cards =
		    f->cards > 0 ? num_exact(s->a, f->cards) : NULL;

		if (f->gate)
			SKETCH_CSV(s, f->role, f->gpu, f->state, cards, f->gate,
			    NULL, NULL, NULL);
		for (int j = 0; j < f->n_loads; j++) {
			const struct load *l = &f->loads[j];

			SKETCH_CSV(s, f->role, f->gpu, f->state, cards, l->id,
			    num_exact(s->a, l->share), num_exact(s->a, l->need),
			    num_exact(s->a, l->have));
		}
	}
}

/* Drawing ----------------------------------------------------------------- */

enum { INDENT = 12, MARK = 11 };

static void
measure(struct sketch *s, struct gauges *g)
{
	double names = 0, needs = 0, most = 1.1;

	for (int i = 0; i < g->n_fits; i++) {
		const struct fit_view *f = &g->fits[i];

		if (f->gate)
			names = fmax(names,
			    MARK + sketch_width(s, TYPE_STRONG,
				       sketch_label_id(s, "gate", f->gate)));
		for (int j = 0; j < f->n_loads; j++) {
			const struct load *l = &f->loads[j];

			names = fmax(names,
			    (l->decides ? MARK : 0) +
				sketch_width(s, TYPE_STRONG, l->label));
			needs =
			    fmax(needs, sketch_width(s, TYPE_ALERT, l->pair));
			most = fmax(most, l->share * 1.06);
		}
	}
	needs = fmax(needs,
	    sketch_width(s, TYPE_NOTE,
		arena_printf(s->a, "%s / %s", sketch_label(s, "need"),
		    sketch_label(s, "have"))));
	g->names = INDENT + fmin(names, 0.24 * s->plan->width) + 10;
	g->needs = g->names + fmin(needs, 0.26 * s->plan->width) + 4;
	g->x = scale_linear(0, fmin(most, LONGEST), g->needs + 10,
	    s->plan->width - 8);
}

/* Bars of a card that fails at a gate are pale: they do not decide. */
static void
draw_bar(struct sketch *s, const struct gauges *g, const struct load *l,
    enum ink ink, double mid)
{
	double h = 7.5, y = mid - h / 2;
	double x0 = g->x.from, limit = scale_at(&g->x, 1);
	double x1 = scale_clamped(&g->x, l->share);

	sketch_rect(s, x0, y, limit - x0, h, (struct paint){.fill = INK_MIST});
	sketch_rect(s, x0, y, fmax(fmin(x1, limit) - x0, 0.7), h,
	    (struct paint){.fill = ink});
	if (l->share <= 1)
		return;
	sketch_rect(s, limit, y, fmax(x1 - limit, 0.7), h,
	    (struct paint){.fill = INK_BLUSH,
		.stroke = INK_ACCENT,
		.hatch = HATCH_DIAGONAL});
	if (l->share > g->x.hi)
		sketch_path(s,
		    (const double[]){x1 + 1, y, x1 + 6, mid, x1 + 1, y + h}, 3,
		    (struct paint){.fill = INK_ACCENT});
}

static void
draw_state(struct sketch *s, const char *state, double x, double y)
{
	if (str_equal(state, "pass"))
		sketch_symbol(s, SYMBOL_CHECK, x, y, 3.4,
		    (struct paint){.stroke = INK_NAVY, .line_width = 1.4});
	else if (str_equal(state, "fail"))
		sketch_symbol(s, SYMBOL_CROSS, x, y, 3.2,
		    (struct paint){.stroke = INK_ACCENT, .line_width = 1.4});
	else
		sketch_text(s, TYPE_STRONG, x, sketch_baseline(TYPE_STRONG, y),
		    0.5, "?");
}

/* What decides: a mark, and the words in bold. */
static void
draw_decider(struct sketch *s, const struct gauges *g, const char *state,
    const char *label, double mid)
{
	draw_state(s, state, INDENT + 4, mid);
	sketch_text(s, TYPE_STRONG, INDENT + MARK,
	    sketch_baseline(TYPE_STRONG, mid), 0,
	    sketch_fit(s, TYPE_STRONG, label, g->names - INDENT - MARK - 4));
}

static void
draw_load(struct sketch *s, const struct gauges *g, const struct fit_view *f,
    const struct load *l, bool most, double mid)
{
	bool dim = f->gate || (f->loads[0].decides && !l->decides);

	dim &= str_equal(f->state, "fail");
	if (l->decides)
		draw_decider(s, g, f->state, l->label, mid);
	else
		sketch_text(s, dim ? TYPE_NOTE : TYPE_LABEL, INDENT,
		    sketch_baseline(TYPE_LABEL, mid), 0,
		    sketch_fit(s, TYPE_LABEL, l->label, g->names - INDENT - 4));
	sketch_text(s,
	    l->share > 1 ? TYPE_ALERT
	    : dim        ? TYPE_NOTE
			 : TYPE_SMALL,
	    g->needs, sketch_baseline(TYPE_SMALL, mid), 1,
	    sketch_fit(s, TYPE_SMALL, l->pair, g->needs - g->names));
	draw_bar(s, g, l,
	    dim                  ? INK_SKY
	    : most || l->decides ? INK_NAVY
				 : INK_BLUE,
	    mid);
}

static double
fit_height(const struct fit_view *f)
{
	return 14 + ROW * (f->n_loads + (f->gate ? 1 : 0));
}

/* One card: its heading, what decides, a bar per resource. */
static double
draw_fit(struct sketch *s, const struct gauges *g, const struct fit_view *f,
    double y)
{
	const char *role = sketch_label_id(s, "role", f->role);
	const char *name = sketch_fit(s, TYPE_STRONG,
	    f->cards > 0 ? arena_printf(s->a, "%s × %s", f->name,
			       quantity_plain(s->a, f->cards))
			 : f->name,
	    0.6 * s->plan->width);
	double most = 0, mid = y + 6, w, bottom = y + fit_height(f);

	draw_state(s, f->state, 4, mid);
	w = sketch_text(s, TYPE_STRONG, INDENT,
	    sketch_baseline(TYPE_STRONG, mid), 0, name);
	sketch_text(s, TYPE_NOTE, INDENT + w + 7,
	    sketch_baseline(TYPE_NOTE, mid), 0,
	    sketch_fit(s, TYPE_NOTE, role, s->plan->width - w - INDENT - 13));
	y += 14 + ROW / 2;
	if (f->gate) {
		draw_decider(s, g, f->state,
		    sketch_label_id(s, "gate", f->gate), y);
		y += ROW;
	}
	for (int i = 0; i < f->n_loads; i++)
		most = fmax(most, f->loads[i].share);
	for (int i = 0; i < f->n_loads; i++, y += ROW)
		draw_load(s, g, f, &f->loads[i], f->loads[i].share >= most, y);
	return bottom;
}

/* The limit, over the bars only: a heading may run on to its right. */
static double
draw_fits(struct sketch *s, const struct gauges *g, double y)
{
	double limit = scale_at(&g->x, 1);

	for (int i = 0; i < g->n_fits; i++) {
		double bottom = draw_fit(s, g, &g->fits[i], y);
		double bars = bottom - ROW * g->fits[i].n_loads;

		sketch_line(s, limit, bars, limit, bottom,
		    (struct paint){.stroke = INK_TEXT, .line_width = 1});
		y = bottom + 6;
	}
	return y - 4;
}

static void
draw_head(struct sketch *s, const struct gauges *g)
{
	const char *text = sketch_fit(s, TYPE_NOTE, sketch_label(s, "limit"),
	    0.5 * s->plan->width);
	double w = sketch_width(s, TYPE_NOTE, text), limit = scale_at(&g->x, 1);

	sketch_text(s, TYPE_NOTE, g->needs, 8, 1,
	    arena_printf(s->a, "%s / %s", sketch_label(s, "need"),
		sketch_label(s, "have")));
	sketch_text(s, TYPE_NOTE,
	    fmin(fmax(limit - w / 2, g->needs + 8), s->plan->width - w), 8, 0,
	    text);
}

static bool
any_over(const struct gauges *g)
{
	for (int i = 0; i < g->n_fits; i++)
		for (int j = 0; j < g->fits[i].n_loads; j++)
			if (g->fits[i].loads[j].share > 1)
				return true;
	return false;
}

void
kind_gauges(struct sketch *s)
{
	const char *note = sketch_label_or_null(s, "no-load");
	struct gauges g = {0};
	double y, kx, ky;

	read_fits(s, &g);
	if (g.n_fits == 0) {
		sketch_no_data(s, "requested.loads");
		return;
	}
	gauges_csv(s, &g);
	measure(s, &g);
	draw_head(s, &g);
	y = draw_fits(s, &g, 14);
	y = axis_below(s,
	    &(struct axis){&g.x, quantity_tick_percent, 5,
		sketch_label(s, "x")},
	    y, y + 2);
	if (any_over(&g)) {
		struct key k = sketch_key(y + 1);

		sketch_key_entry(s, &k, 14, sketch_label(s, "over"), &kx, &ky);
		sketch_rect(s, kx, ky - 3.5, 14, 7,
		    (struct paint){.fill = INK_BLUSH,
			.stroke = INK_ACCENT,
			.hatch = HATCH_DIAGONAL});
		y = sketch_key_bottom(&k);
	}
	s->plan->height = g.no_load && note ? sketch_note(s, y, note) : y;
}
