/*
 * What a vendor needs in a card's memory, part by part, and under it the
 * cards at issue: a bar each, as long as what the card has, and a line from
 * its end up through the parts.  Every row is named at its left, so nothing
 * is cut and nothing needs a key.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/kinds.h"
#include "chart/quantity.h"

#define GIB 1073741824.0

/* Cards with more than this many times the need run off the chart. */
#define FAR 3.2

enum { MAX_PARTS = 8, MAX_SIZES = 10, ROW = 13 };

struct part {
	const char *id;
	double bytes;
	struct paint paint;
};

/* A card at issue, or what the vendor states. */
struct size_view {
	const char *gpu, *name, *role;
	double bytes;
	bool stated, beyond;
	bool two; /* the role has its own line */
	double role_x, width;
};

struct memory {
	struct part parts[MAX_PARTS];
	int n_parts;
	double total;
	struct size_view sizes[MAX_SIZES];
	int n_sizes;
	struct scale x;
	double names, numbers; /* right edges of the text columns */
};

/* The parts in the order they stack, each with its own tone. */
static const struct part all_parts[] = {
    {"weights", 0, {.fill = INK_NAVY}},
    {"activations", 0, {.fill = INK_BLUE}},
    {"context", 0, {.fill = INK_SKY}},
    {"surfaces", 0,
	{.fill = INK_PALE, .stroke = INK_BLUE, .hatch = HATCH_DIAGONAL}},
    {"bank", 0,
	{.fill = INK_BLUSH, .stroke = INK_ACCENT, .hatch = HATCH_CROSS}},
    {"scratch", 0, {.fill = INK_PALE, .stroke = INK_BLUE, .hatch = HATCH_DOTS}},
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
add_role(struct sketch *s, struct size_view *z, const char *role)
{
	if (!role || str_equal(z->role, role))
		return;
	z->role =
	    *z->role ? arena_printf(s->a, "%s · %s", z->role, role) : role;
}

/* A card once, with all its roles. */
static void
add_card(struct sketch *s, struct memory *m, const struct node *n,
    const char *have, const char *role)
{
	struct size_view *z = m->sizes;
	const char *name = sketch_text_of(s, n, "name", "?");
	const char *gpu = node_string(n, "gpu", node_string(n, "id", name));
	double bytes;

	if (!sketch_positive(n, have, &bytes))
		return;
	while (z < m->sizes + m->n_sizes && !str_equal(z->gpu, gpu))
		z++;
	if (z == m->sizes + MAX_SIZES)
		return;
	if (z == m->sizes + m->n_sizes) {
		m->n_sizes++;
		*z = (struct size_view){.gpu = gpu,
		    .bytes = bytes,
		    .name = sketch_short_name(s, name),
		    .role = ""};
	}
	add_role(s, z, role);
}

/* The alternative whose memory is next to the need, below or above it. */
static const struct node *
neighbour(const struct node *list, double total, bool above)
{
	const struct node *best = NULL;
	double bytes, found = 0;

	for (const struct node *n =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     n; n = n->next) {
		if (!sketch_positive(n, "memory_have", &bytes) ||
		    (bytes >= total) != above)
			continue;
		if (best && (above ? bytes >= found : bytes <= found))
			continue;
		best = n;
		found = bytes;
	}
	return best;
}

/* Is there a card of that size among those at issue? */
static bool
has_size(const struct memory *m, const struct node *n)
{
	double bytes = 0;

	sketch_positive(n, "memory_have", &bytes);
	for (int i = 0; i < m->n_sizes; i++)
		if (!m->sizes[i].stated &&
		    fabs(m->sizes[i].bytes - bytes) < 0.005 * bytes)
			return true;
	return false;
}

static int
by_bytes(const void *a, const void *b)
{
	const struct size_view *p = a, *q = b;

	return (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

static void
add_candidates(struct sketch *s, const struct node *v, struct memory *m)
{
	const struct node *list = node_find(v, "request.candidates");
	int room = 3;

	for (const struct node *n =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     n && room > 0; n = n->next, room--)
		add_card(s, m, n, "memory",
		    sketch_label_or_null(s, "role.requested"));
}

/* Asked for, planned, smallest, and the next sizes to the need. */
static void
read_sizes(struct sketch *s, const struct node *v, struct memory *m)
{
	static const char *const stated[] = {"stated_min",
	    "stated_recommended"};
	static const char *const fits[] = {"requested", "judged", "planned",
	    "smallest"};
	static const char *const roles[] = {"role.requested", "role.requested",
	    "role.plan", "role.smallest"};
	const struct node *list = node_find(v, "alternatives");
	double bytes;

	for (int i = 0; i < 2; i++)
		if (sketch_positive(node_find(v, "memory"), stated[i], &bytes))
			m->sizes[m->n_sizes++] =
			    (struct size_view){.gpu = stated[i],
				.bytes = bytes,
				.stated = true,
				.name = sketch_label(s, stated[i]),
				.role = ""};
	for (int i = 0; i < 4; i++) {
		const struct node *n = node_find(v, fits[i]);
		const char *role = sketch_label_or_null(s, roles[i]);

		if (n)
			add_card(s, m, n, "memory_have", role);
	}
	if (!node_find(v, "requested") && !node_find(v, "judged"))
		add_candidates(s, v, m);
	for (int above = 0; above < 2; above++) {
		const struct node *n = neighbour(list, m->total, above);

		if (n && !has_size(m, n))
			add_card(s, m, n, "memory_have", NULL);
	}
	for (int i = 0; i < m->n_sizes; i++) {
		struct size_view *z = &m->sizes[i];

		if (*z->role == '\0' && !z->stated)
			add_role(s, z, sketch_label_or_null(s, "neighbour"));
		if (z->bytes < m->total && !z->stated)
			add_role(s, z, sketch_label_or_null(s, "short"));
	}
	qsort(m->sizes, (size_t)m->n_sizes, sizeof(*m->sizes), by_bytes);
}

/*
 * The axis holds the need and the smallest card that is enough; larger ones
 * as far as they do not press the parts together.
 */
static double
furthest(struct memory *m)
{
	double end = m->total * 1.15;
	bool enough = false;

	for (int i = 0; i < m->n_sizes; i++) {
		struct size_view *z = &m->sizes[i];

		if (z->bytes <= FAR * m->total ||
		    (!z->stated && !enough && z->bytes <= 6 * m->total))
			end = fmax(end, z->bytes);
		enough |= !z->stated && z->bytes >= m->total;
	}
	for (int i = 0; i < m->n_sizes; i++)
		m->sizes[i].beyond = m->sizes[i].bytes > end * 1.0001;
	return end;
}

/* The place of a number of bytes on a scale in GiB. */
static double
place_of(const struct memory *m, double n_bytes)
{
	return scale_clamped(&m->x, n_bytes / GIB);
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
		    m->sizes[i].gpu, num_exact(s->a, m->sizes[i].bytes));
}

/* Name and role of a row: in one line if they fit, else in two. */
static void
name_size(struct sketch *s, struct size_view *z, double width)
{
	z->name = sketch_fit(s, TYPE_LABEL, z->name, width);
	z->role = sketch_fit(s, TYPE_NOTE, z->role, width);
	z->role_x = sketch_width(s, TYPE_LABEL, z->name) + 6;
	z->two =
	    *z->role && z->role_x + sketch_width(s, TYPE_NOTE, z->role) > width;
	if (z->two)
		z->role_x = 0;
	z->width = fmax(sketch_width(s, TYPE_LABEL, z->name),
	    *z->role ? z->role_x + sketch_width(s, TYPE_NOTE, z->role) : 0);
}

static double
size_height(const struct size_view *z)
{
	return z->two ? ROW + sketch_leading(TYPE_LABEL) : ROW + 1;
}

static void
measure_memory(struct sketch *s, struct memory *m)
{
	double names, numbers, most = 0.38 * s->plan->width;

	names = sketch_width(s, TYPE_STRONG, sketch_label(s, "total"));
	numbers = sketch_width(s, TYPE_STRONG, quantity_gib(s->a, m->total));
	for (int i = 0; i < m->n_parts; i++) {
		names = fmax(names,
		    sketch_width(s, TYPE_LABEL,
			sketch_label_id(s, "memory-part", m->parts[i].id)));
		numbers =
		    fmax(numbers, sketch_width(s, TYPE_LABEL,
				      quantity_gib(s->a, m->parts[i].bytes)));
	}
	for (int i = 0; i < m->n_sizes; i++) {
		struct size_view *z = &m->sizes[i];

		name_size(s, z, most);
		names = fmax(names, z->width);
		numbers = fmax(numbers,
		    sketch_width(s, TYPE_LABEL,
			quantity_format(s->a, z->bytes, UNIT_BYTE)));
	}
	m->names = fmin(names, most);
	m->numbers = m->names + 8 + numbers;
	m->x = scale_linear(0, furthest(m) / GIB, m->numbers + 10,
	    s->plan->width - 14);
}

/* Marks ------------------------------------------------------------------- */

static void
draw_parts(struct sketch *s, const struct memory *m, double top)
{
	double at = 0, mid, total_y = top + ROW * m->n_parts;

	for (int i = 0; i < m->n_parts; i++) {
		const struct part *p = &m->parts[i];
		double x0 = place_of(m, at), x1 = place_of(m, at + p->bytes);

		mid = top + ROW * (i + 0.5);
		sketch_line(s, x1, mid, x1, total_y + 3,
		    (struct paint){.stroke = INK_RULE, .line_width = 0.4});
		sketch_rect(s, x0, mid - 4, fmax(x1 - x0, 0.7), 8, p->paint);
		sketch_rect(s, x0, total_y + 3, fmax(x1 - x0, 0.3), 12,
		    p->paint);
		sketch_text(s, TYPE_LABEL, 0, sketch_baseline(TYPE_LABEL, mid),
		    0,
		    sketch_fit(s, TYPE_LABEL,
			sketch_label_id(s, "memory-part", p->id), m->names));
		sketch_text(s, TYPE_LABEL, m->numbers,
		    sketch_baseline(TYPE_LABEL, mid), 1,
		    quantity_gib(s->a, p->bytes));
		at += p->bytes;
	}
	mid = total_y + 9;
	if (m->n_parts == 0)
		sketch_rect(s, m->x.from, total_y + 3,
		    place_of(m, m->total) - m->x.from, 12,
		    (struct paint){.fill = INK_NAVY});
	sketch_text(s, TYPE_STRONG, 0, sketch_baseline(TYPE_STRONG, mid), 0,
	    sketch_fit(s, TYPE_STRONG, sketch_label(s, "total"), m->names));
	sketch_text(s, TYPE_STRONG, m->numbers,
	    sketch_baseline(TYPE_STRONG, mid), 1, quantity_gib(s->a, m->total));
}

/* The line from the end of a card's bar up through the parts. */
static void
draw_line_of(struct sketch *s, const struct memory *m,
    const struct size_view *z, double top, double y)
{
	double x = place_of(m, z->bytes);
	bool enough = z->bytes >= m->total;

	if (z->beyond)
		return;
	sketch_line(s, x, top, x, y,
	    (struct paint){.stroke = z->stated ? INK_QUIET
				     : enough  ? INK_NAVY
					       : INK_ACCENT,
		.line_width = z->stated ? 0.7 : 1.1,
		.dash = z->stated ? 1
			: enough  ? 0
				  : 3});
}

static void
draw_card_bar(struct sketch *s, const struct memory *m,
    const struct size_view *z, double mid)
{
	double x0 = m->x.from, x1 = place_of(m, z->bytes), need;

	sketch_rect(s, x0, mid - 3.5, x1 - x0, 7,
	    (struct paint){.fill = z->bytes >= m->total ? INK_SKY : INK_MIST,
		.stroke = INK_BLUE,
		.line_width = 0.6});
	if (z->beyond)
		sketch_path(s,
		    (const double[]){x1 + 1, mid - 5, x1 + 8, mid, x1 + 1,
			mid + 5},
		    3, (struct paint){.fill = INK_BLUE});
	if (z->bytes >= m->total)
		return;
	need = place_of(m, m->total);
	sketch_rect(s, x1, mid - 3.5, need - x1, 7,
	    (struct paint){.fill = INK_BLUSH,
		.stroke = INK_ACCENT,
		.hatch = HATCH_DIAGONAL});
}

/* One row per card or statement; returns the bottom. */
static double
draw_sizes(struct sketch *s, const struct memory *m, double top, double y)
{
	for (int i = 0; i < m->n_sizes; i++) {
		const struct size_view *z = &m->sizes[i];
		double h = size_height(z), mid = y + h / 2;
		double lead = z->two ? sketch_leading(TYPE_LABEL) / 2 : 0;
		bool is_short = !z->stated && z->bytes < m->total;

		draw_line_of(s, m, z, top, mid);
		sketch_text(s, TYPE_LABEL, 0,
		    sketch_baseline(TYPE_LABEL, mid - lead), 0, z->name);
		sketch_text(s, is_short ? TYPE_ALERT : TYPE_NOTE, z->role_x,
		    sketch_baseline(TYPE_NOTE, mid + lead), 0, z->role);
		sketch_text(s, is_short ? TYPE_ALERT : TYPE_LABEL, m->numbers,
		    sketch_baseline(TYPE_LABEL, mid), 1,
		    quantity_format(s->a, z->bytes, UNIT_BYTE));
		if (!z->stated)
			draw_card_bar(s, m, z, mid);
		else if (!z->beyond)
			sketch_circle(s, place_of(m, z->bytes), mid, 1.8,
			    (struct paint){.fill = INK_QUIET});
		else
			sketch_path(s,
			    (const double[]){m->x.to + 1, mid - 4, m->x.to + 8,
				mid, m->x.to + 1, mid + 4},
			    3, (struct paint){.fill = INK_QUIET});
		y += h;
	}
	return y;
}

void
kind_memory(struct sketch *s)
{
	const struct node *v = sketch_vendor(s);
	struct memory m = {0};
	double top = 3, parts, base, need;

	if (!read_parts(s, v, &m))
		return;
	read_sizes(s, v, &m);
	memory_csv(s, &m);
	measure_memory(s, &m);
	parts = top + ROW * m.n_parts + 20;
	base = parts + 4;
	for (int i = 0; i < m.n_sizes; i++)
		base += size_height(&m.sizes[i]);
	s->plan->height = axis_below(s,
	    &(struct axis){&m.x, quantity_tick_gib, 6, sketch_label(s, "x")},
	    top, base + 2);
	for (int i = 0; i < 2; i++) {
		double y = i > 0 ? parts : parts - 20;

		sketch_line(s, 0, y, m.x.to, y,
		    (struct paint){.stroke = INK_RULE, .line_width = 0.5});
	}
	draw_parts(s, &m, top);
	draw_sizes(s, &m, top, parts + 4);
	/* the need, down through the cards */
	need = place_of(&m, m.total);
	sketch_line(s, need, parts - 20, need, base,
	    (struct paint){.stroke = INK_TEXT, .line_width = 1});
}
