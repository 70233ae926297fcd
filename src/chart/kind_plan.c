/*
 * The purchase plan: a bar of cards per pool.  From the left: the loads of
 * the vendors that share it, what whole cards leave over, the part of every
 * card above the allowed load, which is not used, then the cards of vendors
 * whose load nobody knows; the spare cards as outlines.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/place.h"
#include "chart/quantity.h"

enum { MAX_SHARES = 24, LANE = 10, BAR = 15 };

struct share_view {
	const char *id, *name, *label;
	double busy, cards; /* cards: keeps that many cards busy */
	double limit;       /* load allowed on a card */
	bool open;          /* no figure: the cards it is given */
	double x;
	bool inside; /* the label fits into the bar */
};

struct pool_view {
	const char *gpu, *name, *facts;
	double cards, spare;
	double used, open; /* cards: known loads, cards of unknown load */
	double allowed;    /* cards at the allowed load, not the open ones */
	struct share_view shares[MAX_SHARES];
	struct callout callouts[MAX_SHARES];
	int n, n_callouts, lanes;
};

struct plan_view {
	struct pool_view *pools;
	int n;
	double most; /* cards of the largest pool */
	struct scale x;
};

/* The load allowed on a card: of this share, else of its vendor. */
static double
limit_of(const struct node *root, const struct node *share, const char *id)
{
	const struct node *list = node_find(root, "vendors");
	double limit;

	if (sketch_positive(share, "limit", &limit) && limit <= 1)
		return limit;
	for (const struct node *v =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     v; v = v->next)
		if (str_equal(node_string(v, "id", NULL), id) &&
		    sketch_positive(v, "load.limit", &limit) && limit <= 1)
			return limit;
	return 1;
}

static void
read_share(struct sketch *s, const struct node *n, struct pool_view *p)
{
	struct share_view *v = &p->shares[p->n];
	double cards = 1;

	if (p->n == MAX_SHARES)
		return;
	sketch_positive(n, "cards", &cards);
	cards = fmin(cards, 1e6);
	v->open = !sketch_positive(n, "busy", &v->busy);
	v->cards = v->open ? cards : v->busy * cards;
	v->id = node_string(n, "id", "");
	v->name = sketch_text_of(s, n, "name", v->id);
	v->limit = limit_of(sketch_root(s), n, v->id);
	p->n++;
}

/* Unknown loads behind the others, else in the order given. */
static void
open_last(struct pool_view *p)
{
	struct share_view sorted[MAX_SHARES];
	int n = 0;

	for (int open = 0; open < 2; open++)
		for (int i = 0; i < p->n; i++)
			if (p->shares[i].open == open)
				sorted[n++] = p->shares[i];
	memcpy(p->shares, sorted, (size_t)n * sizeof(*sorted));
}

/*
 * What the known loads may use of the cards that are left to them; with
 * different limits, in proportion to the loads.
 */
static void
sum_shares(struct pool_view *p)
{
	double limits = 0;

	for (int i = 0; i < p->n; i++) {
		const struct share_view *v = &p->shares[i];

		if (v->open) {
			p->open += v->cards;
			continue;
		}
		p->used += v->cards;
		limits += v->cards * v->limit;
	}
	p->open = fmin(p->open, p->cards);
	if (p->used > 0)
		p->allowed = (p->cards - p->open) * limits / p->used;
	open_last(p);
}

static const char *
pool_facts(struct sketch *s, const struct node *n)
{
	const char *memory = "", *power = "";
	double v;

	if (sketch_positive(n, "memory", &v))
		memory = quantity_format(s->a, v, UNIT_BYTE);
	if (sketch_positive(n, "power", &v))
		power = quantity_format(s->a, v, UNIT_WATT);
	return arena_printf(s->a, "%s%s%s", memory,
	    *memory && *power ? " · " : "", power);
}

static void
read_pool(struct sketch *s, const struct node *n, struct plan_view *plan)
{
	const struct node *vendors = node_find(n, "vendors");
	struct pool_view *p;
	double cards;

	if (!sketch_positive(n, "cards", &cards))
		return;
	p = arena_push(s->a, &plan->pools, &plan->n, sizeof(*p));
	p->gpu = node_string(n, "gpu", "");
	p->name = sketch_short_name(s, sketch_text_of(s, n, "name", p->gpu));
	p->facts = pool_facts(s, n);
	p->cards = fmin(cards, 1e6);
	if (!sketch_positive(n, "spare", &p->spare))
		p->spare = 0;
	p->spare = fmin(p->spare, 1e6);
	for (const struct node *v =
		 vendors && vendors->kind == NODE_LIST ? vendors->first : NULL;
	     v; v = v->next)
		read_share(s, v, p);
	sum_shares(p);
	plan->most =
	    fmax(plan->most, fmax(p->cards, p->used + p->open) + p->spare);
}

static void
plan_csv(struct sketch *s, const struct plan_view *plan)
{
	SKETCH_CSV(s, "gpu", "cards", "spare", "vendor", "busy", "cards_busy",
	    "limit");
	for (int i = 0; i < plan->n; i++)
		for (int j = 0; j < plan->pools[i].n; j++) {
			const struct pool_view *p = &plan->pools[i];
			const struct share_view *v = &p->shares[j];

			SKETCH_CSV(s, p->gpu, num_exact(s->a, p->cards),
			    num_exact(s->a, p->spare), v->id,
			    v->open ? NULL : num_exact(s->a, v->busy),
			    v->open ? NULL : num_exact(s->a, v->cards),
			    num_exact(s->a, v->limit));
		}
}

/* Tones that differ from their neighbours, in turn. */
static struct paint
share_paint(int i)
{
	static const struct paint tones[] = {
	    {.fill = INK_NAVY, .stroke = INK_PAPER},
	    {.fill = INK_SKY, .stroke = INK_PAPER},
	    {.fill = INK_BLUE, .stroke = INK_PAPER},
	    {.fill = INK_PALE, .stroke = INK_PAPER},
	};

	return tones[i % 4];
}

static void
draw_spare(struct sketch *s, const struct pool_view *p, const struct scale *x,
    double y)
{
	static const struct paint outline = {.stroke = INK_QUIET,
	    .line_width = 0.7,
	    .dash = 2};
	double end = scale_clamped(x, p->cards);
	double unit = scale_at(x, 1) - scale_at(x, 0);

	if (unit < 4 && p->spare > 0)
		sketch_rect(s, end + 1, y,
		    fmax(scale_clamped(x, p->cards + p->spare) - end - 1, 1),
		    BAR, outline);
	for (int i = 0; i < p->spare && unit >= 4; i++)
		sketch_rect(s, scale_clamped(x, p->cards + i) + 1.5, y,
		    unit - 1.5, BAR, outline);
}

static const struct paint headroom = {.fill = INK_PAPER,
    .stroke = INK_QUIET,
    .hatch = HATCH_DIAGONAL,
    .no_outline = true};
static const struct paint unknown = {.fill = INK_PAPER,
    .stroke = INK_ACCENT,
    .line_width = 0.8,
    .hatch = HATCH_DOTS};

static void
draw_span(struct sketch *s, const struct scale *x, double from, double to,
    double y, struct paint p)
{
	double x0 = scale_clamped(x, from), x1 = scale_clamped(x, to);

	if (to > from)
		sketch_rect(s, x0, y, fmax(x1 - x0, 0.6), BAR, p);
}

/* Where a share begins: known loads from the left, the open ones last. */
static double
share_start(const struct pool_view *p, int i)
{
	double at = p->shares[i].open ? fmax(p->cards - p->open, p->used) : 0;

	for (int k = 0; k < i; k++)
		if (p->shares[k].open == p->shares[i].open)
			at += p->shares[k].cards;
	return at;
}

static void
draw_pool_bar(struct sketch *s, const struct pool_view *p,
    const struct scale *x, double y)
{
	double end = scale_clamped(x, p->cards), known = p->cards - p->open;
	double allowed = fmax(p->allowed, p->used);
	double unit = scale_at(x, 1) - scale_at(x, 0);

	sketch_rect(s, x->from, y, end - x->from, BAR,
	    (struct paint){.fill = INK_MIST});
	draw_span(s, x, fmin(allowed, known), known, y, headroom);
	for (int i = 1; i < p->cards && unit >= 4; i++)
		sketch_line(s, scale_at(x, i), y, scale_at(x, i), y + BAR,
		    (struct paint){.stroke = INK_RULE, .line_width = 0.4});
	for (int i = 0; i < p->n; i++) {
		double at = share_start(p, i);

		draw_span(s, x, at, at + p->shares[i].cards, y,
		    p->shares[i].open ? unknown : share_paint(i));
	}
	if (allowed < known)
		sketch_line(s, scale_at(x, allowed), y - 2,
		    scale_at(x, allowed), y + BAR + 2,
		    (struct paint){.stroke = INK_TEXT, .line_width = 1.2});
	sketch_rect(s, x->from, y, end - x->from, BAR,
	    (struct paint){.stroke = INK_TEXT, .line_width = 0.9});
	draw_spare(s, p, x, y);
}

/*
 * Names go into their own part of the bar if they fit, else below it on a
 * line of their own.
 */
static void
place_shares(struct sketch *s, struct pool_view *p, const struct scale *x)
{
	p->lanes = p->n_callouts = 0;
	for (int i = 0; i < p->n; i++) {
		struct share_view *v = &p->shares[i];
		double at = share_start(p, i);
		double x0 = scale_clamped(x, at);
		double x1 = scale_clamped(x, at + v->cards);

		v->label = arena_printf(s->a, "%s  %s",
		    v->open ? "?" : quantity_aligned(s->a, v->cards), v->name);
		v->x = (x0 + x1) / 2;
		v->inside =
		    !v->open &&
		    sketch_width(s, TYPE_INVERSE, v->label) + 6 < x1 - x0;
		if (!v->inside)
			p->callouts[p->n_callouts++] =
			    (struct callout){x0 + fmin((x1 - x0) / 2, 6),
				v->label, TYPE_SMALL, 0};
	}
	p->lanes = place_lanes(s, p->callouts, p->n_callouts, s->plan->width);
}

static void
draw_names(struct sketch *s, const struct pool_view *p, double y)
{
	double bottom = y + BAR;

	for (int i = 0; i < p->n_callouts; i++) {
		const struct callout *c = &p->callouts[i];

		sketch_line(s, c->x, bottom, c->x, bottom + 9 + LANE * c->lane,
		    (struct paint){.stroke = INK_RULE, .line_width = 0.5});
	}
	for (int i = 0; i < p->n_callouts; i++) {
		const struct callout *c = &p->callouts[i];

		sketch_text(s, c->type, c->x + 2.5, bottom + 9 + LANE * c->lane,
		    0, c->text);
	}
	for (int i = 0; i < p->n; i++) {
		const struct share_view *v = &p->shares[i];
		enum type t = i % 2 ? TYPE_SMALL : TYPE_INVERSE;

		if (v->inside)
			sketch_text(s, t, v->x,
			    sketch_baseline(t, y + BAR / 2.0), 0.5, v->label);
	}
}

static double
draw_pool(struct sketch *s, const struct pool_view *p, const struct scale *x,
    double y)
{
	double mid = y + 5, w;
	const char *count = p->spare > 0 ? arena_printf(s->a, "%s + %s",
					       quantity_plain(s->a, p->cards),
					       quantity_plain(s->a, p->spare))
					 : quantity_plain(s->a, p->cards);

	w = sketch_text(s, TYPE_STRONG, 0, sketch_baseline(TYPE_STRONG, mid), 0,
	    sketch_fit(s, TYPE_STRONG,
		arena_printf(s->a, "%s × %s", p->name, count),
		0.6 * s->plan->width));
	sketch_text(s, TYPE_NOTE, w + 8, sketch_baseline(TYPE_NOTE, mid), 0,
	    sketch_fit(s, TYPE_NOTE, p->facts, s->plan->width - w - 8));
	draw_pool_bar(s, p, x, y + 12);
	draw_names(s, p, y + 12);
	return y + 12 + BAR + LANE * p->lanes + 8;
}

static void
key_entry(struct sketch *s, struct key *k, const char *label, struct paint p)
{
	double kx, ky;

	if (!label)
		return;
	sketch_key_entry(s, k, 14, label, &kx, &ky);
	sketch_rect(s, kx, ky - 4, 14, 8, p);
}

/* What stands in the bars beside the vendors, as far as it occurs. */
static double
plan_key(struct sketch *s, const struct plan_view *plan, double y)
{
	struct key k = sketch_key(y);
	const char *over = sketch_label_or_null(s, "headroom");
	const char *left = sketch_label_or_null(s, "rounding");
	bool any_over = false, any_left = false, any_open = false;
	struct paint line = headroom;

	line.no_outline = false;
	for (int i = 0; i < plan->n; i++) {
		const struct pool_view *p = &plan->pools[i];

		any_left |= p->allowed > p->used;
		any_over |= fmax(p->allowed, p->used) < p->cards - p->open;
		any_open |= p->open > 0;
	}
	if (any_left || !over)
		key_entry(s, &k, left ? left : sketch_label(s, "free"),
		    (struct paint){.fill = INK_MIST,
			.stroke = INK_TEXT,
			.line_width = 0.9});
	if (any_over)
		key_entry(s, &k, over, line);
	if (any_open)
		key_entry(s, &k, sketch_label_or_null(s, "unknown"), unknown);
	key_entry(s, &k, sketch_label(s, "spare"),
	    (struct paint){.stroke = INK_QUIET, .line_width = 0.7, .dash = 2});
	return sketch_key_bottom(&k);
}

void
kind_plan(struct sketch *s)
{
	const struct node *list = sketch_need(s, sketch_root(s), "plan.pools");
	struct plan_view plan = {0};
	double y = 0, x0 = 1;
	int shown = 0;

	for (const struct node *n = list ? list->first : NULL; n; n = n->next)
		read_pool(s, n, &plan);
	if (plan.n == 0) {
		if (list)
			sketch_no_data(s, "plan.pools.cards");
		return;
	}
	plan_csv(s, &plan);
	plan.x = scale_linear(0, plan.most, x0, 0.86 * s->plan->width);
	for (; shown < plan.n && y < CHART_MAX_HEIGHT - 90; shown++) {
		place_shares(s, &plan.pools[shown], &plan.x);
		y = draw_pool(s, &plan.pools[shown], &plan.x, y);
	}
	y = axis_below(s,
	    &(struct axis){&plan.x, quantity_tick, 8, sketch_label(s, "x")}, y,
	    y + 2);
	if (shown < plan.n) {
		y += 8;
		sketch_text(s, TYPE_NOTE, 0, y, 0,
		    arena_printf(s->a, "… +%d", plan.n - shown));
	}
	s->plan->height = plan_key(s, &plan, y + 2);
}
