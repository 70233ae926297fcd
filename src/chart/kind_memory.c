/*
 * What a vendor needs in a card's memory, part by part, against the sizes of
 * the cards in question.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/place.h"
#include "chart/quantity.h"

#define GIB 1073741824.0

enum { MAX_PARTS = 8, MAX_SIZES = 8, MAX_NAMES = 3 };

struct part {
	const char *id;
	double bytes;
	struct paint paint;
};

/* A memory size and the cards that have it. */
struct size_view {
	double bytes;
	const char *names[MAX_NAMES];
	int n; /* may be above MAX_NAMES */
	bool stated;	/* what the vendor states, not a card */
	bool requested;
};

struct memory {
	struct part parts[MAX_PARTS];
	int n_parts;
	double total;
	struct size_view sizes[MAX_SIZES + 2];
	int n_sizes;
};

/* The parts in the order they stack, each with its own tone. */
static const struct part all_parts[] = {
	{"weights", 0, {.fill = INK_NAVY}},
	{"activations", 0, {.fill = INK_BLUE}},
	{"context", 0, {.fill = INK_SKY}},
	{"surfaces", 0, {.fill = INK_PALE, .stroke = INK_BLUE,
	    .hatch = HATCH_DIAGONAL}},
	{"bank", 0, {.fill = INK_BLUSH, .stroke = INK_ACCENT,
	    .hatch = HATCH_CROSS}},
	{"scratch", 0, {.fill = INK_PALE, .stroke = INK_BLUE,
	    .hatch = HATCH_DOTS}},
	{"reserve", 0, {.fill = INK_PAPER, .stroke = INK_RULE}},
};

static bool
read_parts(struct sketch *s, const struct node *v, struct memory *m)
{
	const struct node *n = sketch_need(s, v, "memory");
	double sum = 0;

	if (!n)
		return false;
	for (size_t i = 0; i < sizeof(all_parts) / sizeof(*all_parts); i++) {
		struct part p = all_parts[i];

		if (!sketch_positive(n, p.id, &p.bytes))
			continue;
		sum += p.bytes;
		m->parts[m->n_parts++] = p;
	}
	if (!sketch_positive(n, "total", &m->total))
		m->total = sum;
	if (m->total <= 0)
		sketch_no_data(s, "memory.total");
	return m->total > 0;
}

static void
add_size(struct memory *m, double bytes, const char *name)
{
	for (int i = 0; i < m->n_sizes; i++) {
		struct size_view *z = &m->sizes[i];

		if (fabs(z->bytes - bytes) > 0.005 * bytes)
			continue;
		for (int j = 0; j < z->n && j < MAX_NAMES; j++)
			if (str_equal(z->names[j], name))
				return;
		if (z->n < MAX_NAMES)
			z->names[z->n] = name;
		z->n++;
		return;
	}
	if (m->n_sizes < MAX_SIZES)
		m->sizes[m->n_sizes++] = (struct size_view){bytes, {name}, 1,
		    false, false};
}

static void
add_fit(struct sketch *s, struct memory *m, const struct node *n,
    const char *have)
{
	double bytes;

	if (n && sketch_positive(n, have, &bytes))
		add_size(m, bytes, sketch_short_name(s, sketch_text_of(s, n,
		    "name", "?")));
}

static int
by_bytes(const void *a, const void *b)
{
	const struct size_view *p = a, *q = b;

	return (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

static void
read_sizes(struct sketch *s, const struct node *v, struct memory *m)
{
	static const char *const fits[] = {"requested", "smallest",
	    "cheapest", "nearest"};
	static const char *const stated[] = {"stated_min",
	    "stated_recommended"};
	static const struct {
		const char *list, *have;
	} lists[] = {{"request.candidates", "memory"},
	    {"alternatives", "memory_have"}};
	double bytes;

	for (size_t i = 0; i < 4; i++) {
		add_fit(s, m, node_find(v, fits[i]), "memory_have");
		if (i == 0 && m->n_sizes > 0)
			m->sizes[0].requested = true;
	}
	for (size_t i = 0; i < 2; i++) {
		const struct node *list = node_find(v, lists[i].list);

		if (list && list->kind == NODE_LIST)
			for (const struct node *n = list->first; n;
			    n = n->next)
				add_fit(s, m, n, lists[i].have);
	}
	for (size_t i = 0; i < 2; i++)
		if (sketch_positive(node_find(v, "memory"), stated[i],
		    &bytes))
			m->sizes[m->n_sizes++] = (struct size_view){bytes,
			    {sketch_label(s, stated[i])}, 1, true, false};
	qsort(m->sizes, (size_t)m->n_sizes, sizeof(*m->sizes), by_bytes);
}

/*
 * Sizes far to the right say nothing new and press the parts together: the
 * axis ends at the smallest card that is enough, or at the one asked for if
 * that is not absurdly large.
 */
static double
furthest(struct memory *m)
{
	double end = m->total;
	bool enough = false;
	int kept = 0;

	for (int i = 0; i < m->n_sizes; i++) {
		const struct size_view *z = &m->sizes[i];
		double far = z->requested ? 6 : 2.2;

		if (z->bytes <= far * m->total ||
		    (!z->stated && !enough && z->bytes <= 40 * m->total))
			end = fmax(end, z->bytes);
		enough |= !z->stated && z->bytes >= m->total;
	}
	for (int i = 0; i < m->n_sizes; i++)
		if (m->sizes[i].bytes <= end)
			m->sizes[kept++] = m->sizes[i];
	m->n_sizes = kept;
	return end;
}

/* The place of a number of bytes on a scale in GiB. */
static double
place_of(const struct scale *x, double n_bytes)
{
	return scale_clamped(x, n_bytes / GIB);
}

static void
memory_csv(struct sketch *s, const struct memory *m)
{
	SKETCH_CSV(s, "what", "id", "bytes");
	for (int i = 0; i < m->n_parts; i++)
		SKETCH_CSV(s, "part", m->parts[i].id,
		    num_exact(s->a, m->parts[i].bytes));
	SKETCH_CSV(s, "total", "total", num_exact(s->a, m->total));
	for (int i = 0; i < m->n_sizes; i++)
		SKETCH_CSV(s, m->sizes[i].stated ? "stated" : "card",
		    m->sizes[i].names[0], num_exact(s->a, m->sizes[i].bytes));
}

enum { LANE = 10 };

/* The size and as many of its cards as fit up to the right edge. */
static const char *
size_text(struct sketch *s, const struct size_view *z, double x)
{
	const char *size = quantity_format(s->a, z->bytes, UNIT_BYTE);
	const char *text = "";

	for (int n = z->n < MAX_NAMES ? z->n : MAX_NAMES; n >= 1; n--) {
		text = arena_printf(s->a, "%s  %s%s%s%s%s%s", size,
		    z->names[0], n > 1 ? ", " : "", n > 1 ? z->names[1] : "",
		    n > 2 ? ", " : "", n > 2 ? z->names[2] : "",
		    z->n > n ? " …" : "");
		if (x + 3 + sketch_width(s, TYPE_SMALL, text) <=
		    s->plan->width)
			break;
	}
	return text;
}

/* The callouts of the sizes; returns the height of their lanes. */
static double
place_sizes(struct sketch *s, const struct memory *m, const struct scale *x,
    struct callout *c)
{
	for (int i = 0; i < m->n_sizes; i++) {
		const struct size_view *z = &m->sizes[i];

		double at = place_of(x, z->bytes);

		c[i] = (struct callout){at, size_text(s, z, at), z->stated ?
		    TYPE_NOTE : z->bytes < m->total ? TYPE_ALERT :
		    TYPE_SMALL, 0};
	}
	return LANE * place_lanes(s, c, m->n_sizes, s->plan->width);
}

static void
draw_sizes(struct sketch *s, const struct memory *m, const struct callout *c,
    double top, double base)
{
	for (int i = 0; i < m->n_sizes; i++) {
		const struct size_view *z = &m->sizes[i];
		double y = top - 3 - LANE * c[i].lane;
		bool enough = z->bytes >= m->total;

		sketch_line(s, c[i].x, y - 7, c[i].x, base, (struct paint){
		    .stroke = z->stated ? INK_QUIET : enough ? INK_NAVY :
		    INK_ACCENT, .line_width = z->stated ? 0.7 : 1.1,
		    .dash = z->stated ? 1 : enough ? 0 : 3});
		sketch_text(s, c[i].type, c[i].x + 2.5, y - 1, 0, c[i].text);
	}
}

static void
draw_parts(struct sketch *s, const struct memory *m, const struct scale *x,
    double names, double numbers, double top, double row)
{
	double at = 0, mid, total_y = top + row * m->n_parts;
	const char *total = sketch_label(s, "total");

	for (int i = 0; i < m->n_parts; i++) {
		const struct part *p = &m->parts[i];
		double x0 = place_of(x, at);
		double x1 = place_of(x, at + p->bytes);

		mid = top + row * (i + 0.5);
		sketch_line(s, x1, mid, x1, total_y + 3,
		    (struct paint){.stroke = INK_RULE, .line_width = 0.4});
		sketch_rect(s, x0, mid - 4, fmax(x1 - x0, 0.7), 8, p->paint);
		sketch_rect(s, x0, total_y + 3, fmax(x1 - x0, 0.3), 12,
		    p->paint);
		sketch_text(s, TYPE_LABEL, 0, sketch_baseline(TYPE_LABEL,
		    mid), 0, sketch_fit(s, TYPE_LABEL, sketch_label_id(s,
		    "memory-part", p->id), names));
		sketch_text(s, TYPE_LABEL, numbers,
		    sketch_baseline(TYPE_LABEL, mid), 1, quantity_gib(s->a,
		    p->bytes));
		at += p->bytes;
	}
	mid = total_y + 9;
	if (m->n_parts == 0)
		sketch_rect(s, x->from, total_y + 3, place_of(x,
		    m->total) - x->from, 12, (struct paint){.fill = INK_NAVY});
	sketch_text(s, TYPE_STRONG, 0, sketch_baseline(TYPE_STRONG, mid), 0,
	    sketch_fit(s, TYPE_STRONG, total, names));
	sketch_text(s, TYPE_STRONG, numbers, sketch_baseline(TYPE_STRONG,
	    mid), 1, quantity_gib(s->a, m->total));
}

void
kind_memory(struct sketch *s)
{
	const struct node *v = sketch_vendor(s);
	struct memory m = {0};
	struct callout callouts[MAX_SIZES + 2];
	double names, numbers = 0, top, row = 13, base;
	struct scale x;

	if (!read_parts(s, v, &m))
		return;
	read_sizes(s, v, &m);
	memory_csv(s, &m);
	names = sketch_width(s, TYPE_STRONG, sketch_label(s, "total"));
	for (int i = 0; i < m.n_parts; i++) {
		names = fmax(names, sketch_width(s, TYPE_LABEL,
		    sketch_label_id(s, "memory-part", m.parts[i].id)));
		numbers = fmax(numbers, sketch_width(s, TYPE_LABEL,
		    quantity_gib(s->a, m.parts[i].bytes)));
	}
	numbers = fmax(numbers, sketch_width(s, TYPE_STRONG,
	    quantity_gib(s->a, m.total)));
	names = fmin(names, 0.27 * s->plan->width);
	numbers += names + 8;
	x = scale_linear(0, furthest(&m) / GIB * 1.02, numbers + 10,
	    0.8 * s->plan->width);
	top = place_sizes(s, &m, &x, callouts) + 4;
	base = top + row * m.n_parts + 20;
	s->plan->height = axis_below(s, &(struct axis){&x,
	    quantity_tick_gib, 6, sketch_label(s, "x")}, top, base);
	sketch_line(s, 0, base - 20, x.to, base - 20,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.5});
	draw_parts(s, &m, &x, names, numbers, top, row);
	draw_sizes(s, &m, callouts, top, base);
}
