/*
 * Vendors by cards: which card passes with how many pieces, which fails and
 * for what reason, which was asked for and which is planned.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "chart/kinds.h"
#include "chart/quantity.h"
#include "chart/sketch.h"

/* A column narrower than this goes into another panel below. */
#define LEAST_COLUMN 13.0
/* The least width with symbol and words side by side, in one line. */
#define BESIDE_COLUMN 25.0
#define STACKED_ROW   21.0
#define TALL_ROW      31.0
#define WIDEST_COLUMN 64.0
/* Narrower columns have their heading turned. */
#define LEVEL_HEADING 28.5

enum { MAX_REASONS = 26 };

enum state { STATE_NONE, STATE_PASS, STATE_ASK, STATE_FAIL };

struct cell_view {
	enum state state;
	const char *gate, *reason, *number;
	bool requested, planned;
};

struct card_view {
	const char *id, *name, *memory;
	bool requested, planned;
	bool matters; /* asked for, planned or some vendor's smallest */
};

struct row_view {
	const char *id, *full, **name;
	int n_name;
	struct cell_view *cells; /* one per card */
};

/* How a cell is laid out, the same in the whole chart. */
enum inside {
	BESIDE,  /* symbol, then the word */
	STACKED, /* the word under the symbol */
	TALL     /* the word in two lines under the symbol */
};

struct matrix {
	struct card_view *cards;
	int n_cards, n_dropped, per_panel;
	struct row_view *rows;
	int n_rows;
	const char *gates[MAX_REASONS];
	int n_gates;
	bool letters; /* reasons are letters, explained below */
	bool many;    /* rows: there is room for one line each */
	enum inside inside;
	double label_w, col_w, row_h;
};

static enum state
state_of(const char *s)
{
	if (str_equal(s, "pass"))
		return STATE_PASS;
	if (str_equal(s, "ask"))
		return STATE_ASK;
	return str_equal(s, "fail") ? STATE_FAIL : STATE_NONE;
}

/* Is the card the smallest that is enough for some vendor? */
static bool
is_smallest(const struct node *root, const char *gpu)
{
	const struct node *list = node_find(root, "vendors");

	for (const struct node *v =
		 list && list->kind == NODE_LIST ? list->first : NULL;
	     v; v = v->next)
		if (str_equal(node_string(v, "smallest.gpu", NULL), gpu))
			return true;
	return false;
}

static void
read_cards(struct sketch *s, const struct node *list, struct matrix *m)
{
	for (const struct node *n = list->first; n; n = n->next) {
		struct card_view *c =
		    arena_push(s->a, &m->cards, &m->n_cards, sizeof(*c));
		double bytes;

		c->id = node_string(n, "id", "");
		c->name =
		    sketch_short_name(s, sketch_text_of(s, n, "name", c->id));
		c->memory = sketch_positive(n, "memory", &bytes)
				? quantity_format(s->a, bytes, UNIT_BYTE)
				: "";
		c->requested = sketch_flag(n, "requested");
		c->planned = sketch_flag(n, "planned");
		c->matters = c->requested || c->planned ||
			     is_smallest(sketch_root(s), c->id);
	}
}

static void
note_gate(struct matrix *m, const char *gate)
{
	for (int i = 0; i < m->n_gates; i++)
		if (str_equal(m->gates[i], gate))
			return;
	if (m->n_gates < MAX_REASONS)
		m->gates[m->n_gates++] = gate;
}

static const struct node *
cell_of(const struct node *cells, const char *gpu)
{
	for (const struct node *c = cells ? cells->first : NULL; c; c = c->next)
		if (str_equal(node_string(c, "gpu", NULL), gpu))
			return c;
	return NULL;
}

static void
read_cell(struct sketch *s, const struct node *n, struct matrix *m,
    struct cell_view *c)
{
	double cards;

	c->state = state_of(node_string(n, "state", NULL));
	c->gate = node_string(n, "gate", NULL);
	c->requested = sketch_flag(n, "requested");
	c->planned = sketch_flag(n, "planned");
	c->number =
	    c->state == STATE_PASS && sketch_positive(n, "cards", &cards)
		? quantity_plain(s->a, cards)
		: "";
	c->reason = "";
	if (c->state == STATE_FAIL && c->gate) {
		c->reason = sketch_label_id(s, "gate", c->gate);
		note_gate(m, c->gate);
	}
}

static void
read_rows(struct sketch *s, const struct node *list, struct matrix *m)
{
	SKETCH_CSV(s, "vendor", "gpu", "state", "cards", "gate", "requested",
	    "planned");
	for (const struct node *n = list->first; n; n = n->next) {
		const struct node *cells = node_find(n, "cells");
		struct row_view *r =
		    arena_push(s->a, &m->rows, &m->n_rows, sizeof(*r));

		r->id = node_string(n, "vendor", "");
		r->cells =
		    arena_alloc(s->a, (size_t)m->n_cards, sizeof(*r->cells));
		for (int i = 0; i < m->n_cards; i++) {
			const struct node *c = cell_of(cells, m->cards[i].id);

			if (!c)
				continue;
			read_cell(s, c, m, &r->cells[i]);
			SKETCH_CSV(s, r->id, m->cards[i].id,
			    node_string(c, "state", ""), r->cells[i].number,
			    r->cells[i].gate, r->cells[i].requested ? "1" : "0",
			    r->cells[i].planned ? "1" : "0");
		}
	}
}

static bool
is_cut(const char *line, const char *full)
{
	size_t n = strlen(line), m = strlen(full), e = strlen("…");

	return n >= e && str_equal(line + n - e, "…") &&
	       !(m >= e && str_equal(full + m - e, "…"));
}

/* Names of rows in two lines of at most `width`; false if one is cut. */
static bool
name_rows(struct sketch *s, const struct node *list, struct matrix *m,
    double width)
{
	double widest = 0;
	bool whole = true;
	int i = 0;

	for (const struct node *n = list->first; n; n = n->next)
		widest = fmax(widest, sketch_width(s, TYPE_LABEL,
					  sketch_text_of(s, n, "name", "")));
	m->label_w = fmin(widest, width);
	for (const struct node *n = list->first; n; n = n->next, i++) {
		struct row_view *r = &m->rows[i];

		r->full = sketch_text_of(s, n, "name", r->id);
		r->name = sketch_wrap(s, TYPE_LABEL, r->full, m->label_w, 2,
		    &r->n_name);
		whole &= !is_cut(r->name[r->n_name - 1], r->full);
	}
	m->label_w += 8;
	return whole;
}

/* The index of a cell's reason as a letter. */
static const char *
letter(struct sketch *s, const struct matrix *m, const char *gate)
{
	for (int i = 0; i < m->n_gates; i++)
		if (str_equal(m->gates[i], gate))
			return arena_printf(s->a, "%c", 'a' + i);
	return "";
}

/* The widest reason and number of all cells; are there two-line names? */
static void
measure_cells(struct sketch *s, const struct matrix *m, double *reason,
    double *number, bool *two)
{
	*reason = *number = 0;
	*two = false;
	for (int i = 0; i < m->n_rows; i++) {
		*two |= m->rows[i].n_name > 1;
		for (int j = 0; j < m->n_cards; j++) {
			const struct cell_view *c = &m->rows[i].cells[j];

			if (c->reason)
				*reason = fmax(*reason,
				    sketch_width(s, TYPE_SMALL, c->reason));
			if (c->number)
				*number = fmax(*number,
				    sketch_width(s, TYPE_STRONG, c->number));
		}
	}
}

/* Do all reasons go into two lines of a cell? */
static bool
reasons_wrap(struct sketch *s, const struct matrix *m)
{
	for (int i = 0; i < m->n_gates; i++) {
		const char *full = sketch_label_id(s, "gate", m->gates[i]);
		const char **l;
		int n;

		l = sketch_wrap(s, TYPE_SMALL, full, m->col_w - 4, 2, &n);
		if (is_cut(l[n - 1], full) || is_cut(l[0], full))
			return false;
	}
	return true;
}

static void
lay_out_cells(struct sketch *s, struct matrix *m)
{
	double reason, number;
	bool two;

	measure_cells(s, m, &reason, &number, &two);
	m->letters = reason > m->col_w - (m->many ? 14 : 5);
	if (m->letters && m->n_rows * TALL_ROW < CHART_MAX_HEIGHT / 2 &&
	    reasons_wrap(s, m)) {
		m->letters = false;
		m->inside = TALL;
		m->row_h = TALL_ROW;
		return;
	}
	if (m->letters)
		reason = 5;
	m->inside = fmax(reason, number) + 14 > m->col_w ? STACKED : BESIDE;
	m->row_h = m->inside == STACKED ? 24 : two ? 23 : 18;
}

/* Give up second lines of names, then air, so that all rows fit. */
static void
tighten(struct sketch *s, struct matrix *m, double room)
{
	double least = m->inside == BESIDE ? 11.5 : STACKED_ROW;

	if (m->n_rows * m->row_h <= room)
		return;
	m->row_h = fmin(m->row_h, fmax(least, room / m->n_rows));
	if (m->row_h >= 2 * sketch_leading(TYPE_LABEL))
		return;
	for (int i = 0; i < m->n_rows; i++) {
		struct row_view *r = &m->rows[i];

		r->name = sketch_wrap(s, TYPE_LABEL, r->full, m->label_w - 8, 1,
		    &r->n_name);
	}
}

/* Marks ------------------------------------------------------------------- */

struct place {
	double x, y, w, h;
};

static void
draw_ground(struct sketch *s, const struct matrix *m, const struct cell_view *c,
    struct place p)
{
	static const struct paint grounds[] = {
	    [STATE_NONE] = {.stroke = INK_GRID},
	    [STATE_PASS] = {.fill = INK_PALE},
	    [STATE_ASK] = {.fill = INK_PAPER,
		.stroke = INK_RULE,
		.hatch = HATCH_DOTS},
	    [STATE_FAIL] = {.stroke = INK_GRID},
	};

	(void)m;
	sketch_rect(s, p.x, p.y, p.w, p.h, grounds[c->state]);
}

static void
draw_symbol(struct sketch *s, enum state state, double x, double y)
{
	if (state == STATE_PASS)
		sketch_symbol(s, SYMBOL_CHECK, x, y, 3.2,
		    (struct paint){.stroke = INK_NAVY, .line_width = 1.4});
	else if (state == STATE_FAIL)
		sketch_symbol(s, SYMBOL_CROSS, x, y, 3,
		    (struct paint){.stroke = INK_ACCENT, .line_width = 1.2});
}

/* Where a cell's symbol and the text beside or under it go. */
static void
symbol_place(const struct matrix *m, struct place p, bool fails, double text_w,
    double *x, double *y)
{
	*x = p.x + p.w / 2;
	*y = p.y + p.h / 2;
	if (text_w <= 0)
		return;
	if (m->inside == STACKED)
		*y = p.y + p.h * 0.28;
	else if (m->inside == TALL && fails)
		*y = p.y + 6.5;
	else
		*x = p.x + (p.w - text_w - 9) / 2 + 3;
}

static enum type
cell_text(struct sketch *s, const struct matrix *m, const struct cell_view *c,
    const char **text)
{
	*text = "";
	if (c->state == STATE_PASS)
		*text = c->number;
	else if (c->state == STATE_FAIL && c->gate)
		*text = m->letters ? letter(s, m, c->gate) : c->reason;
	return c->state == STATE_PASS ? TYPE_STRONG : TYPE_SMALL;
}

static void
draw_cell_mark(struct sketch *s, const struct matrix *m,
    const struct cell_view *c, struct place p)
{
	const char *text;
	enum type t = cell_text(s, m, c, &text);
	double x, y;

	symbol_place(m, p, c->state == STATE_FAIL,
	    *text ? sketch_width(s, t, text) : 0, &x, &y);
	draw_symbol(s, c->state, x, y);
}

static void
draw_cell_text(struct sketch *s, const struct matrix *m,
    const struct cell_view *c, struct place p)
{
	const char *text;
	enum type t = cell_text(s, m, c, &text);
	double x, y, w;
	const char **lines;
	int n;

	if (c->state == STATE_ASK) {
		sketch_text(s, TYPE_STRONG, p.x + p.w / 2,
		    sketch_baseline(TYPE_STRONG, p.y + p.h / 2), 0.5, "?");
		return;
	}
	if (*text == '\0')
		return;
	w = sketch_width(s, t, text);
	symbol_place(m, p, c->state == STATE_FAIL, w, &x, &y);
	if (m->inside == TALL && c->state == STATE_FAIL) {
		lines = sketch_wrap(s, t, text, p.w - 2, 2, &n);
		sketch_lines(s, t, x, n > 1 ? p.y + 16 : p.y + 20, 0.5, lines,
		    n);
	} else if (m->inside == STACKED) {
		sketch_text(s, t, x, sketch_baseline(t, p.y + p.h * 0.7), 0.5,
		    text);
	} else {
		sketch_text(s, t, x + 6, sketch_baseline(t, y), 0, text);
	}
}

static void
draw_frame(struct sketch *s, const struct matrix *m, const struct cell_view *c,
    struct place p)
{
	(void)m;
	if (c->requested)
		sketch_rect(s, p.x, p.y, p.w, p.h,
		    (struct paint){.stroke = INK_TEXT, .line_width = 1.6});
}

static void
draw_corner(struct sketch *s, const struct matrix *m, const struct cell_view *c,
    struct place p)
{
	double x = p.x + p.w, k = fmin(6.5, 0.5 * p.w);

	(void)m;
	if (c->planned)
		sketch_path(s, (const double[]){x - k, p.y, x, p.y, x, p.y + k},
		    3, (struct paint){.fill = INK_ACCENT});
}

/*
 * Layer by layer and state by state, so that marks of one look follow each
 * other: grounds, symbols, frames, corners, then words.
 */
static void
draw_layer(struct sketch *s, const struct matrix *m, int first, int n, int rows,
    double top, enum state state,
    void (*draw)(struct sketch *, const struct matrix *,
	const struct cell_view *, struct place))
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < n; j++) {
			const struct cell_view *c =
			    &m->rows[i].cells[first + j];

			if (c->state == state)
				draw(s, m, c,
				    (struct place){m->label_w + m->col_w * j +
						       1,
					top + m->row_h * i + 1, m->col_w - 2,
					m->row_h - 2});
		}
}

static void
draw_cells(struct sketch *s, const struct matrix *m, int first, int n, int rows,
    double top)
{
	static void (*const layers[])(struct sketch *, const struct matrix *,
	    const struct cell_view *, struct place) = {draw_ground,
	    draw_cell_mark, draw_frame, draw_corner, draw_cell_text};

	for (size_t l = 0; l < sizeof(layers) / sizeof(*layers); l++)
		for (enum state st = STATE_NONE; st <= STATE_FAIL; st++)
			draw_layer(s, m, first, n, rows, top, st, layers[l]);
}

/* Headings ---------------------------------------------------------------- */

/*
 * A name whose words fit into the column; "RTX 4090" says it without the
 * "GeForce" that may be too wide.
 */
static const char *
heading_name(struct sketch *s, const struct matrix *m,
    const struct card_view *c)
{
	static const char series[] = "GeForce ";

	if (m->col_w >= LEVEL_HEADING && str_starts(c->name, series) &&
	    sketch_width(s, TYPE_SMALL, "GeForce") > m->col_w - 2)
		return c->name + strlen(series);
	return c->name;
}

static double
heading_height(struct sketch *s, const struct matrix *m)
{
	double most = 0;

	for (int i = 0; i < m->n_cards; i++) {
		const struct card_view *c = &m->cards[i];
		int n;

		if (m->col_w < LEVEL_HEADING) {
			most = fmax(most, sketch_width(s, TYPE_SMALL, c->name));
			continue;
		}
		sketch_wrap(s, TYPE_SMALL, heading_name(s, m, c), m->col_w - 2,
		    5, &n);
		most = fmax(most, (n + 1) * sketch_leading(TYPE_SMALL));
	}
	return fmin(most, 110) + 6;
}

static void
draw_heading(struct sketch *s, const struct matrix *m,
    const struct card_view *c, double x, double base)
{
	double lead = sketch_leading(TYPE_SMALL);
	const char **lines;
	int n;

	if (m->col_w < LEVEL_HEADING) {
		sketch_text_turned(s, TYPE_SMALL, x + 2.5, base - 4, 0, -90,
		    sketch_fit(s, TYPE_SMALL, c->name, 110));
		return;
	}
	lines = sketch_wrap(s, TYPE_SMALL, heading_name(s, m, c), m->col_w - 2,
	    5, &n);
	sketch_lines(s, TYPE_SMALL, x, base - 5 - lead * n, 0.5, lines, n);
	sketch_text(s, TYPE_NOTE, x, base - 5, 0.5, c->memory);
}

/* One panel of columns; returns its bottom. */
static double
draw_panel(struct sketch *s, const struct matrix *m, int first, int n, int rows,
    double y)
{
	double top = y + heading_height(s, m);

	for (int j = 0; j < n; j++)
		draw_heading(s, m, &m->cards[first + j],
		    m->label_w + m->col_w * (j + 0.5), top);
	for (int i = 0; i < rows; i++) {
		const struct row_view *r = &m->rows[i];
		double lead = sketch_leading(TYPE_LABEL);

		sketch_lines(s, TYPE_LABEL, 0,
		    sketch_baseline(TYPE_LABEL, top + m->row_h * (i + 0.5)) -
			lead * (r->n_name - 1) / 2,
		    0, r->name, r->n_name);
	}
	draw_cells(s, m, first, n, rows, top);
	return top + m->row_h * rows;
}

/* Key --------------------------------------------------------------------- */

static void
draw_key_entry(struct sketch *s, struct key *k, struct cell_view c,
    const char *label)
{
	struct place p = {.w = 13, .h = 9};
	double x, y;

	sketch_key_entry(s, k, p.w, label, &x, &y);
	p.x = x;
	p.y = y - p.h / 2;
	draw_ground(s, NULL, &c, p);
	if (c.state == STATE_ASK)
		sketch_text(s, TYPE_SMALL, x + p.w / 2,
		    sketch_baseline(TYPE_SMALL, y), 0.5, "?");
	draw_symbol(s, c.state, x + p.w / 2, y);
	draw_frame(s, NULL, &c, p);
	draw_corner(s, NULL, &c, p);
}

static double
draw_key(struct sketch *s, const struct matrix *m, double y)
{
	struct key k = sketch_key(y);
	double kx, ky;

	draw_key_entry(s, &k, (struct cell_view){.state = STATE_PASS},
	    sketch_label(s, "key.pass"));
	draw_key_entry(s, &k, (struct cell_view){.state = STATE_ASK},
	    sketch_label(s, "key.ask"));
	draw_key_entry(s, &k, (struct cell_view){.state = STATE_FAIL},
	    sketch_label(s, "key.fail"));
	draw_key_entry(s, &k, (struct cell_view){.requested = true},
	    sketch_label(s, "key.requested"));
	draw_key_entry(s, &k, (struct cell_view){.planned = true},
	    sketch_label(s, "key.planned"));
	if (m->letters && m->n_gates > 0) {
		sketch_key_line(&k);
		sketch_key_entry(s, &k, -4, sketch_label(s, "key.reason"), &kx,
		    &ky);
	}
	for (int i = 0; m->letters && i < m->n_gates; i++) {
		sketch_key_entry(s, &k, 5,
		    sketch_label_id(s, "gate", m->gates[i]), &kx, &ky);
		sketch_text(s, TYPE_SMALL, kx, sketch_baseline(TYPE_SMALL, ky),
		    0, letter(s, m, m->gates[i]));
	}
	return sketch_key_bottom(&k);
}

/*
 * Keep the columns that matter when not all can stand in one panel: those
 * asked for, planned or smallest, then the others as they come.
 */
static void
choose_columns(struct matrix *m, int keep)
{
	int others = keep, out = 0;

	for (int j = 0; j < m->n_cards; j++)
		others -= m->cards[j].matters;
	for (int j = 0; j < m->n_cards && out < keep; j++) {
		if (!m->cards[j].matters && others-- <= 0)
			continue;
		m->cards[out] = m->cards[j];
		for (int i = 0; i < m->n_rows; i++)
			m->rows[i].cells[out] = m->rows[i].cells[j];
		out++;
	}
	m->n_dropped = m->n_cards - out;
	m->n_cards = out;
}

/* Panels of columns, one if the rows leave no room for more. */
static int
set_columns(struct sketch *s, struct matrix *m)
{
	double room = s->plan->width - m->label_w;
	int fit, panels;

	m->many = m->n_rows * STACKED_ROW > CHART_MAX_HEIGHT - 140;
	fit = (int)(room / (m->many ? BESIDE_COLUMN : LEAST_COLUMN));
	panels = (m->n_cards + fit - 1) / fit;
	if (panels > 1 &&
	    panels * (m->n_rows * STACKED_ROW + 80) > CHART_MAX_HEIGHT) {
		choose_columns(m, fit);
		panels = 1;
	}
	m->per_panel = (m->n_cards + panels - 1) / panels;
	m->col_w = fmin(room / m->per_panel, WIDEST_COLUMN);
	return panels;
}

/* What was left out, as a number at the end of rows and columns. */
static double
note_rest(struct sketch *s, const struct matrix *m, int rows, double y)
{
	if (rows <= 0 && m->n_dropped <= 0)
		return y;
	if (rows > 0)
		sketch_text(s, TYPE_NOTE, 0, y + 10, 0,
		    arena_printf(s->a, "… +%d", rows));
	if (m->n_dropped > 0)
		sketch_text(s, TYPE_NOTE, m->label_w + m->col_w * m->n_cards,
		    y + 10, 1, arena_printf(s->a, "… +%d", m->n_dropped));
	return y + 12;
}

void
kind_matrix(struct sketch *s)
{
	const struct node *root = sketch_root(s);
	const struct node *cards = sketch_need(s, root, "matrix.cards");
	const struct node *rows = sketch_need(s, root, "matrix.rows");
	struct matrix m = {0};
	int panels, shown;
	double y = 0, room;

	if (!cards || !rows)
		return;
	read_cards(s, cards, &m);
	read_rows(s, rows, &m);
	name_rows(s, rows, &m, 0.26 * s->plan->width);
	if ((s->plan->width - m.label_w) / m.n_cards < 40 &&
	    !name_rows(s, rows, &m, 0.16 * s->plan->width))
		name_rows(s, rows, &m, 0.26 * s->plan->width);
	panels = set_columns(s, &m);
	lay_out_cells(s, &m);
	room = (CHART_MAX_HEIGHT - 50) / panels - heading_height(s, &m);
	tighten(s, &m, room);
	shown = (int)fmin(m.n_rows, fmax(room / m.row_h, 3));
	for (int i = 0; i < m.n_cards; i += m.per_panel)
		y = draw_panel(s, &m, i, (int)fmin(m.per_panel, m.n_cards - i),
		    shown, y + (i > 0 ? 10 : 0));
	y = note_rest(s, &m, m.n_rows - shown, y);
	y = draw_key(s, &m, y + 5);
	if (m.n_gates > 0 && sketch_label_or_null(s, "first-gate"))
		y = sketch_note(s, y, sketch_label_or_null(s, "first-gate"));
	s->plan->height = y;
}
