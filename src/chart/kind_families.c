/*
 * How far each product family goes: for a vendor, how many of its cards
 * pass; for the market, how many vendors it can serve.
 */
#include <math.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

/* Up to so many are drawn as dots one can count, more as bars. */
enum { COUNTABLE = 24, ROW = 14 };

struct family {
	const char *name;
	double ok, total;
};

struct families {
	struct family *items;
	int n;
	double most;
};

static void
add_family(struct sketch *s, struct families *f, const char *name, double ok,
    double total)
{
	struct family *i = arena_push(s->a, &f->items, &f->n, sizeof(*i));

	*i = (struct family){name, fmin(ok, total), total};
	f->most = fmax(f->most, total);
	SKETCH_CSV(s, name, num_exact(s->a, ok), num_exact(s->a, total));
}

static void
read_families(struct sketch *s, struct families *f)
{
	const struct node *v = sketch_vendor(s), *root = sketch_root(s);
	const struct node *list = node_find(v, "families");
	const struct node *vendors = node_find(root, "vendors");
	const char *ok, *total;
	double n_ok, n_total = vendors ? vendors->n : 0;
	bool own = list && v != root && !str_equal(v->name, "market");

	if (!own)
		list = node_find(root, "market.families");
	ok = own ? "passing" : "vendors_ok";
	total = own ? "total" : NULL;
	SKETCH_CSV(s, "family", "passing", "total");
	for (const struct node *n =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     n; n = n->next) {
		if (!sketch_amount(n, ok, &n_ok) ||
		    (total && !sketch_positive(n, total, &n_total)))
			continue;
		add_family(s, f,
		    sketch_text_of(s, n, "name", node_string(n, "family", "")),
		    n_ok, fmax(n_total, 1));
	}
}

static void
draw_counts(struct sketch *s, const struct family *f, const struct scale *x,
    double mid)
{
	double step = scale_at(x, 1) - scale_at(x, 0);
	double r = fmin(3.4, 0.42 * step);

	for (int i = 0; i < f->total; i++)
		sketch_circle(s, x->from + step * (i + 0.5), mid, r,
		    i < f->ok ? (struct paint){.fill = INK_NAVY}
			      : (struct paint){.fill = INK_PAPER,
				    .stroke = INK_RULE,
				    .line_width = 0.9});
}

static void
draw_share(struct sketch *s, const struct family *f, const struct scale *x,
    double mid)
{
	sketch_rect(s, x->from, mid - 4, scale_clamped(x, f->total) - x->from,
	    8, (struct paint){.fill = INK_PAPER, .stroke = INK_RULE});
	if (f->ok > 0)
		sketch_rect(s, x->from, mid - 4,
		    scale_clamped(x, f->ok) - x->from, 8,
		    (struct paint){.fill = INK_NAVY});
}

void
kind_families(struct sketch *s)
{
	struct families f = {0};
	double names = 0, numbers = 0, y = 0;
	struct scale x;
	int shown;

	read_families(s, &f);
	if (f.n == 0) {
		sketch_no_data(s, "families");
		return;
	}
	shown = (int)fmin(f.n, (CHART_MAX_HEIGHT - 40) / ROW);
	for (int i = 0; i < shown; i++) {
		names =
		    fmax(names, sketch_width(s, TYPE_LABEL, f.items[i].name));
		numbers = fmax(numbers,
		    sketch_width(s, TYPE_STRONG,
			arena_printf(s->a, "%s / %s",
			    quantity_plain(s->a, f.items[i].ok),
			    quantity_plain(s->a, f.items[i].total))));
	}
	names = fmin(names, 0.36 * s->plan->width);
	x = scale_linear(0, f.most, names + numbers + 20,
	    f.most <= COUNTABLE
		? fmin(s->plan->width - 2, names + numbers + 20 + 10 * f.most)
		: s->plan->width - 2);
	for (int i = 0; i < shown; i++, y += ROW) {
		const struct family *g = &f.items[i];
		double mid = y + ROW / 2.0;
		enum type t = g->ok > 0 ? TYPE_LABEL : TYPE_NOTE;

		sketch_text(s, t, 0, sketch_baseline(t, mid), 0,
		    sketch_fit(s, t, g->name, names));
		sketch_text(s, g->ok > 0 ? TYPE_STRONG : TYPE_NOTE,
		    names + 10 + numbers, sketch_baseline(TYPE_STRONG, mid), 1,
		    arena_printf(s->a, "%s / %s", quantity_plain(s->a, g->ok),
			quantity_plain(s->a, g->total)));
		if (f.most <= COUNTABLE)
			draw_counts(s, g, &x, mid);
		else
			draw_share(s, g, &x, mid);
	}
	if (shown < f.n) {
		y += 9;
		sketch_text(s, TYPE_NOTE, 0, y, 0,
		    arena_printf(s->a, "… +%d", f.n - shown));
	}
	s->plan->height = sketch_note(s, y + 2, sketch_label(s, "x"));
}
