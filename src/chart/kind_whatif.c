/*
 * What is bought in each case: a bar of cards for the plan as it stands and
 * one for every what_if, in parts by model.  Cards that are there already
 * are hatched; a line goes down from the end of the first bar.
 */
#include <math.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

enum { MAX_MODELS = 12, BAR = 13, ROW = 21 };

struct part {
	int model; /* index into the view's models */
	double cards, own;
};

struct case_view {
	const char *name, *total;
	struct part parts[MAX_MODELS];
	int n;
	double cards;
};

struct whatif_view {
	struct case_view *cases;
	int n;
	const char *gpus[MAX_MODELS], *names[MAX_MODELS];
	int n_models;
	double most, left;
	struct scale x;
	bool own;
};

/* The model's place among those met so far; -1: too many. */
static int
model_of(struct sketch *s, struct whatif_view *w, const struct node *pool)
{
	const char *gpu = node_string(pool, "gpu", "");

	for (int i = 0; i < w->n_models; i++)
		if (str_equal(w->gpus[i], gpu))
			return i;
	if (w->n_models == MAX_MODELS)
		return -1;
	w->gpus[w->n_models] = gpu;
	w->names[w->n_models] =
	    sketch_short_name(s, sketch_text_of(s, pool, "name", gpu));
	return w->n_models++;
}

static void
read_part(struct sketch *s, struct whatif_view *w, struct case_view *c,
    const struct node *pool)
{
	double cards, spare = 0, buy;
	int model;

	if (!sketch_positive(pool, "cards", &cards) || c->n == MAX_MODELS)
		return;
	model = model_of(s, w, pool);
	if (model < 0)
		return;
	if (!sketch_amount(pool, "spare", &spare))
		spare = 0;
	cards = fmin(cards + spare, 1e6);
	if (!sketch_amount(pool, "buy", &buy))
		buy = cards;
	c->parts[c->n++] = (struct part){model, cards, fmax(0, cards - buy)};
	c->cards += cards;
	w->own |= cards > buy;
}

/* By model in the order in which they were met, so that parts line up. */
static void
order_parts(struct case_view *c)
{
	for (int i = 1; i < c->n; i++)
		for (int j = i;
		     j > 0 && c->parts[j - 1].model > c->parts[j].model; j--) {
			struct part p = c->parts[j];

			c->parts[j] = c->parts[j - 1];
			c->parts[j - 1] = p;
		}
}

static void
read_case(struct sketch *s, struct whatif_view *w, const char *name,
    const struct node *way)
{
	struct case_view *c = arena_push(s->a, &w->cases, &w->n, sizeof(*c));
	const struct node *pools = way ? node_find(way, "pools") : NULL;
	double power;

	c->name = name;
	for (const struct node *p =
		 pools && pools->kind == NODE_LIST ? pools->first : NULL;
	     p; p = p->next)
		read_part(s, w, c, p);
	order_parts(c);
	c->total = quantity_plain(s->a, c->cards);
	if (way && sketch_positive(way, "power", &power))
		c->total = arena_printf(s->a, "%s · %s", c->total,
		    quantity_format(s->a, power, UNIT_WATT));
	w->most = fmax(w->most, c->cards);
}

static void
read_cases(struct sketch *s, struct whatif_view *w, const struct node *list)
{
	const struct node *root = sketch_root(s);

	read_case(s, w, sketch_label(s, "now"), node_find(root, "plan.way"));
	for (const struct node *n = list->first; n; n = n->next)
		read_case(s, w, sketch_text_of(s, n, "name", ""),
		    node_find(n, "plan"));
}

static void
whatif_csv(struct sketch *s, const struct whatif_view *w)
{
	SKETCH_CSV(s, "case", "gpu", "cards", "on_site");
	for (int i = 0; i < w->n; i++)
		for (int j = 0; j < w->cases[i].n; j++) {
			const struct part *p = &w->cases[i].parts[j];

			SKETCH_CSV(s, w->cases[i].name, w->gpus[p->model],
			    num_exact(s->a, p->cards), num_exact(s->a, p->own));
		}
}

/* Dark and light in turn, so that neighbours differ in grey too. */
static struct paint
model_paint(int model)
{
	static const struct paint tones[] = {
	    {.fill = INK_NAVY, .stroke = INK_PAPER},
	    {.fill = INK_SKY, .stroke = INK_PAPER},
	    {.fill = INK_BLUE, .stroke = INK_PAPER},
	    {.fill = INK_PALE, .stroke = INK_PAPER},
	};

	return tones[model % 4];
}

static const struct paint there = {.fill = INK_PAPER,
    .stroke = INK_QUIET,
    .hatch = HATCH_DIAGONAL};

static void
draw_part(struct sketch *s, const struct whatif_view *w, const struct part *p,
    double from, double y)
{
	double x0 = scale_clamped(&w->x, from);
	double xo = scale_clamped(&w->x, from + p->own);
	double x1 = scale_clamped(&w->x, from + p->cards);
	const char *label = arena_printf(s->a, "%s × %s", w->names[p->model],
	    quantity_plain(s->a, p->cards));
	enum type t = p->model % 2 ? TYPE_SMALL : TYPE_INVERSE;

	sketch_rect(s, xo, y, fmax(x1 - xo, 0.6), BAR, model_paint(p->model));
	if (p->own > 0)
		sketch_rect(s, x0, y, fmax(xo - x0, 0.6), BAR, there);
	if (sketch_width(s, t, label) + 4 < x1 - xo)
		sketch_text(s, t, (xo + x1) / 2,
		    sketch_baseline(t, y + BAR / 2.0), 0.5, label);
}

static void
draw_case(struct sketch *s, const struct whatif_view *w, int i, double y)
{
	const struct case_view *c = &w->cases[i];
	enum type t = i == 0 ? TYPE_STRONG : TYPE_LABEL;
	double at = 0, mid = y + BAR / 2.0;

	sketch_text(s, t, w->left - 8, sketch_baseline(t, mid), 1,
	    sketch_fit(s, t, c->name, w->left - 8));
	for (int k = 0; k < c->n; k++) {
		draw_part(s, w, &c->parts[k], at, y);
		at += c->parts[k].cards;
	}
	sketch_text(s, TYPE_NOTE, scale_clamped(&w->x, at) + 5,
	    sketch_baseline(TYPE_NOTE, mid), 0, c->total);
}

/* Models in their tones, and cards that are there. */
static double
whatif_key(struct sketch *s, const struct whatif_view *w, double y)
{
	struct key k = sketch_key(y);
	double x, mid;

	for (int i = 0; i < w->n_models; i++) {
		sketch_key_entry(s, &k, 14, w->names[i], &x, &mid);
		sketch_rect(s, x, mid - 4, 14, 8, model_paint(i));
	}
	if (w->own) {
		sketch_key_entry(s, &k, 14, sketch_label(s, "own"), &x, &mid);
		sketch_rect(s, x, mid - 4, 14, 8, there);
	}
	return sketch_key_bottom(&k);
}

/* Room for the names on the left and the totals on the right. */
static void
set_scale(struct sketch *s, struct whatif_view *w, int shown)
{
	double names = 0, totals = 0, width = s->plan->width;

	for (int i = 0; i < shown; i++) {
		names =
		    fmax(names, sketch_width(s, TYPE_STRONG, w->cases[i].name));
		totals =
		    fmax(totals, sketch_width(s, TYPE_NOTE, w->cases[i].total));
	}
	w->left = fmin(names, 0.36 * width) + 10;
	w->x = scale_linear(0, w->most, w->left, width - totals - 7);
}

void
kind_whatif(struct sketch *s)
{
	const struct node *list = sketch_need(s, sketch_root(s), "what_if");
	struct whatif_view w = {0};
	double y = 4, end;
	int shown;

	if (!list)
		return;
	read_cases(s, &w, list);
	if (w.most <= 0) {
		sketch_no_data(s, "what_if.plan.pools");
		return;
	}
	whatif_csv(s, &w);
	shown = (int)fmin(w.n, (CHART_MAX_HEIGHT - 90) / ROW);
	set_scale(s, &w, shown);
	end = scale_clamped(&w.x, w.cases[0].cards);
	if (w.cases[0].cards > 0)
		sketch_line(s, end, y + BAR, end, y + shown * ROW - ROW + BAR,
		    (struct paint){.stroke = INK_RULE,
			.line_width = 0.7,
			.dash = 2});
	for (int i = 0; i < shown; i++)
		draw_case(s, &w, i, y + i * ROW);
	y = axis_below(s,
	    &(struct axis){&w.x, quantity_tick, 8, sketch_label(s, "x")},
	    y + shown * ROW - 4, y + shown * ROW);
	if (shown < w.n) {
		y += 8;
		sketch_text(s, TYPE_NOTE, 0, y, 0,
		    arena_printf(s->a, "… +%d", w.n - shown));
	}
	s->plan->height = whatif_key(s, &w, y + 2);
}
