/*
 * Tables: choose column widths, set the cells, make a slug of each row.
 */
#include <limits.h>
#include <math.h>

#include "base/arena.h"
#include "layout/parts.h"

struct grid {
	struct flow *f;
	const struct block *b;
	int n;                   /* columns */
	double *least, *natural; /* with padding */
	double *x, *w;
	double left, avail;
	double size; /* of the cells' text */
	bool landscape;
	const char *path;
	const struct table_head *head;
	int group; /* slug of the group row above, or -1 */
};

/* In em: a column need not be as wide as its longest name, nor as narrow as
 * one character. */
static const double NAME_MAX_EM = 11, TEXT_MIN_EM = 4.6;
/* White around a cell's tint. */
static const double TINT_INSET = 0.75;
/* The sizes that are tried before the page is turned, of the style's. */
static const double shrink_steps[] = {1, 0.94, 0.89};

/* ---- column widths ---- */

static void
measure_cell(struct grid *g, const struct inlines *in, enum role role, int col)
{
	double pad = 2 * g->f->style->cell_pad_x, narrow, natural;
	struct text_run *runs;
	int n;

	if (in->n == 0)
		return;
	runs = inline_runs(g->f, in, role, g->size, &n);
	text_para_widths(g->f->e, runs, n, &narrow, &natural);
	narrow = fmin(narrow, NAME_MAX_EM * g->size);
	narrow = fmax(narrow, fmin(natural, TEXT_MIN_EM * g->size));
	g->least[col] = fmax(g->least[col], narrow + pad);
	/* a hair more, so that what fits exactly is not broken */
	g->natural[col] = fmax(g->natural[col], natural + pad + 0.1);
}

static void
measure_columns(struct grid *g)
{
	const struct block *b = g->b;

	for (int i = 0; i < g->n; i++) {
		g->least[i] = g->natural[i] =
		    2 * g->f->style->cell_pad_x + g->size;
		measure_cell(g, &b->columns[i].title, ROLE_CELL_HEAD, i);
	}
	for (int r = 0; r < b->n_rows; r++) {
		const struct row *row = &b->rows[r];

		for (int c = 0, col = 0; c < row->n && !row->group; c++) {
			int span =
			    row->cells[c].span > 1 ? row->cells[c].span : 1;

			if (span == 1 && col < g->n)
				measure_cell(g, &row->cells[c].text, ROLE_CELL,
				    col);
			col += span;
		}
	}
}

static double
sum(const double *v, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}

/* All fit on one line: spread the spare room by weight. */
static void
widen_columns(struct grid *g)
{
	double natural = sum(g->natural, g->n), spare = g->avail - natural;
	double weight = 0;

	for (int i = 0; i < g->n; i++)
		weight += fmax(0, g->b->columns[i].weight);
	for (int i = 0; i < g->n; i++)
		g->w[i] =
		    g->natural[i] +
		    spare * (weight > 0
				    ? fmax(0, g->b->columns[i].weight) / weight
				    : g->natural[i] / natural);
}

/* Columns that ask for less than an equal share get what they ask for. */
static double
settle_short_columns(struct grid *g, bool *settled)
{
	double left = g->avail;
	int open = g->n;

	for (bool again = true; again && open > 0;) {
		double share = left / open;

		again = false;
		for (int i = 0; i < g->n; i++) {
			if (settled[i] || g->natural[i] > share)
				continue;
			g->w[i] = g->natural[i];
			settled[i] = again = true;
			left -= g->natural[i];
			open--;
		}
	}
	return left;
}

static void
narrow_columns(struct grid *g)
{
	bool *settled = arena_alloc(g->f->a, (size_t)g->n, sizeof(*settled));
	double left = settle_short_columns(g, settled), need = 0, want = 0;

	for (int i = 0; i < g->n; i++)
		if (!settled[i])
			need += g->least[i];
	if (need > left) { /* the short ones must give way as well */
		for (int i = 0; i < g->n; i++)
			settled[i] = false;
		left = g->avail;
		need = sum(g->least, g->n);
	}
	for (int i = 0; i < g->n; i++)
		if (!settled[i])
			want += sqrt(fmax(0, g->natural[i] - g->least[i])) *
				fmax(1, g->b->columns[i].weight);
	for (int i = 0; i < g->n; i++)
		if (!settled[i])
			g->w[i] =
			    g->least[i] +
			    (want > 0 ? (left - need) *
					    sqrt(fmax(0,
						g->natural[i] - g->least[i])) *
					    fmax(1, g->b->columns[i].weight) /
					    want
				      : 0);
}

static bool
columns_fit(struct grid *g, double avail, double shrink)
{
	double size = g->f->style->roles[ROLE_CELL].size * shrink;

	g->size = fmax(size, g->f->style->cell_size_min);
	g->avail = avail;
	measure_columns(g);
	return sum(g->least, g->n) <= avail;
}

/* As it is, then smaller, then on a turned page; else squeeze if we can. */
static bool
choose_size(struct grid *g)
{
	const struct page_style *st = g->f->style;
	double wide = st->page_height - st->binding - st->outer;
	int steps = sizeof(shrink_steps) / sizeof(shrink_steps[0]);

	for (int i = 0; i < steps; i++)
		if (columns_fit(g, g->f->width, shrink_steps[i]))
			return true;
	if (g->f->frame)
		wide = g->f->width;
	for (int i = 0; i < steps; i++) {
		g->landscape = !g->f->frame;
		if (columns_fit(g, wide, shrink_steps[i]))
			return true;
	}
	/* cut words rather than drop columns, down to two characters */
	for (int i = 0; i < g->n; i++) {
		g->least[i] = 2 * g->size + 2 * st->cell_pad_x;
		g->natural[i] = fmax(g->natural[i], g->least[i]);
	}
	return sum(g->least, g->n) <= wide;
}

static bool
choose_columns(struct grid *g)
{
	if (!choose_size(g)) {
		g->f->ok = diag_error(g->f->d, pos_file(NULL), "table-wide",
		    "a table of %d columns does not fit on a page", g->n);
		return false;
	}
	if (sum(g->natural, g->n) <= g->avail)
		widen_columns(g);
	else
		narrow_columns(g);
	return true;
}

/* ---- rows ---- */

struct set_cell {
	const struct inlines *text;
	struct text_para *para; /* NULL: empty */
	double x, w;
	int columns; /* that it spans */
	enum tone tone;
	int leaf;
	const char *path;
	int piece;
};

struct set_row {
	struct set_cell *cells;
	int n;
	int lines;
	double line_height;
	struct rgb tint; /* of the whole row */
	bool tinted;
};

static enum text_align
cell_align(enum align a)
{
	static const enum text_align as[] = {
	    [ALIGN_START] = TEXT_START,
	    [ALIGN_CENTRE] = TEXT_CENTRE,
	    [ALIGN_END] = TEXT_END,
	};

	return as[a];
}

/* `tag` NULL makes an artifact: a repeated head. */
static void
set_cell(struct grid *g, struct set_row *row, const struct inlines *in,
    enum role role, int col, int span, enum tone tone, const char *tag,
    const char *tr)
{
	struct flow *f = g->f;
	struct set_cell *c = &row->cells[row->n++];
	double pad = f->style->cell_pad_x;

	c->text = in;
	c->columns = span;
	c->tone = tone;
	c->x = g->x[col];
	c->w = sum(g->w + col, span);
	if (tag) {
		c->leaf = new_id(f);
		c->path = sub_path(f, tr, tag, c->leaf);
	} else {
		c->path = "";
	}
	if (in->n == 0)
		return;
	c->para = inline_para(f, in, role, g->size, c->w - 2 * pad, 0,
	    span < g->n || g->n == 1 ? cell_align(g->b->columns[col].align)
				     : TEXT_START);
	if (text_para_lines(c->para) > row->lines)
		row->lines = text_para_lines(c->para);
}

static struct set_row
new_row(struct grid *g, enum role role)
{
	struct set_row row = {0};

	row.cells = arena_alloc(g->f->a, (size_t)g->n, sizeof(*row.cells));
	row.lines = 1;
	row.line_height = g->f->style->roles[role].line_height * g->size;
	return row;
}

static struct set_row
set_head_row(struct grid *g, bool repeated)
{
	struct set_row row = new_row(g, ROLE_CELL_HEAD);
	const char *tr =
	    repeated ? "" : sub_path(g->f, g->path, "TR", new_id(g->f));

	row.tinted = true;
	row.tint = g->f->style->head_tint;
	for (int i = 0; i < g->n; i++)
		set_cell(g, &row, &g->b->columns[i].title, ROLE_CELL_HEAD, i, 1,
		    TONE_NONE, repeated ? NULL : "TH", tr);
	return row;
}

static struct set_row
set_body_row(struct grid *g, const struct row *r)
{
	enum role role = r->group ? ROLE_CELL_GROUP : ROLE_CELL;
	struct set_row row = new_row(g, role);
	const char *tr = sub_path(g->f, g->path, "TR", new_id(g->f));
	static const struct inlines none;
	int col = 0;

	row.tinted = r->group;
	row.tint = g->f->style->group_tint;
	for (int c = 0; c < r->n && col < g->n; c++) {
		int span = r->cells[c].span > 1 ? r->cells[c].span : 1;

		if (r->group || span > g->n - col)
			span = g->n - col;
		set_cell(g, &row, &r->cells[c].text, role, col, span,
		    r->cells[c].tone, r->group ? "TH" : "TD", tr);
		col += span;
	}
	for (; col < g->n; col++)
		set_cell(g, &row, &none, role, col, 1, TONE_NONE, "TD", tr);
	return row;
}

static bool
has_titles(const struct block *b)
{
	for (int i = 0; i < b->n_columns; i++)
		if (b->columns[i].title.n > 0)
			return true;
	return false;
}

/* Lines first..end-1 of a cell; without any, it still has its place. */
static void
add_cell(struct grid *g, struct slug *s, struct set_cell *c, double line_height,
    int first, int end)
{
	struct flow *f = g->f;
	double x = c->x + f->style->cell_pad_x;
	double top = first == 0 ? f->style->cell_pad_y : 0;
	int lines = c->para ? text_para_lines(c->para) : 0, from = s->n_items;

	for (int k = first; k < end && k < lines; k++)
		add_line_items(f, s, c->text, c->para, k, x,
		    top + (k - first) * line_height, c->leaf, c->path,
		    &c->piece);
	if (lines == 0 && first == 0 && c->leaf > 0) {
		struct item *it = add_item(f, s, ITEM_BLANK);

		it->x = x;
		it->y = top;
		it->leaf = c->leaf;
		it->path = c->path;
	}
	for (int i = from; i < s->n_items; i++)
		s->items[i].columns = c->columns;
}

/* Tints and lines first..end-1 of a set row, y from the top of the band. */
static void
add_band(struct grid *g, struct slug *s, struct set_row *row, int first,
    int end)
{
	struct flow *f = g->f;

	if (row->tinted)
		add_rect(f, s, g->left, 0, g->avail, s->height, row->tint);
	for (int i = 0; i < row->n; i++) {
		struct set_cell *c = &row->cells[i];

		if (c->tone != TONE_NONE)
			add_rect(f, s, c->x + TINT_INSET, TINT_INSET,
			    c->w - 2 * TINT_INSET, s->height - 2 * TINT_INSET,
			    f->style->tint[c->tone]);
	}
	for (int i = 0; i < row->n; i++)
		add_cell(g, s, &row->cells[i], row->line_height, first, end);
}

static double
band_height(const struct grid *g, const struct set_row *row, int first, int end)
{
	double pad = g->f->style->cell_pad_y;

	return (end - first) * row->line_height + (first == 0 ? pad : 0) +
	       (end == row->lines ? pad : 0);
}

static void
add_head_rules(struct grid *g, struct slug *s, double top, double bottom)
{
	add_rect(g->f, s, g->left, top - 0.5, g->avail, 1, g->f->style->rule);
	add_rect(g->f, s, g->left, bottom - 0.3, g->avail, 0.6,
	    g->f->style->rule);
}

/* A row as one slug, or as one a line if it is taller than half a page. */
static void
add_row(struct grid *g, struct set_row *row, int number, bool last)
{
	struct flow *f = g->f;
	const struct page_style *st = f->style;
	bool tall = band_height(g, row, 0, row->lines) >
		    body_height(st, g->landscape) / 2;
	int step = tall ? 1 : row->lines;

	for (int k = 0; k < row->lines; k += step) {
		double h = band_height(g, row, k, k + step);
		struct slug *s = add_slug(f, 0, h);
		bool bottom = k + step == row->lines;

		s->landscape = g->landscape;
		s->head = g->head;
		s->group = g->group;
		s->row = number;
		if (tall && (k == 1 || k == row->lines - 1))
			s->keep = true;
		add_band(g, s, row, k, k + step);
		if (number == 1 && k == 0 && !has_titles(g->b))
			add_rect(f, s, g->left, -0.5, g->avail, 1, st->rule);
		if (bottom)
			add_rect(f, s, g->left, h - (last ? 0.5 : 0.2),
			    g->avail, last ? 1 : 0.4,
			    last ? st->rule : st->hairline);
	}
}

/* ---- caption and head ---- */

static double
add_caption_lines(struct grid *g, struct slug *s, const char *number,
    const char *title, const char *path, int leaf)
{
	struct flow *f = g->f;
	struct inlines none = {0};
	const char *text =
	    *number ? arena_printf(f->a, "%s\xE2\x80\x82%s", number, title)
		    : title;
	struct text_para *p = plain_para(f, text, ROLE_CAPTION, g->avail,
	    f->style->roles[ROLE_CAPTION].align);
	double y = 0;
	int piece = 0;

	for (int i = 0; i < text_para_lines(p); i++) {
		add_line_items(f, s, &none, p, i, g->left, y, leaf, path,
		    &piece);
		y += text_para_line_height(p, i);
	}
	return y + 4;
}

static void
add_caption_slug(struct grid *g, const struct anchor *n)
{
	struct flow *f = g->f;
	struct slug *s = add_slug(f, 10, 0);
	int leaf = new_id(f);

	s->landscape = g->landscape;
	if (*n->number || *n->title)
		s->height = add_caption_lines(g, s, n->number, n->title,
		    sub_path(f, g->path, "Caption", leaf), leaf);
}

static void
add_head_slug(struct grid *g)
{
	struct set_row row = set_head_row(g, false);
	struct slug *s = add_slug(g->f, 0, band_height(g, &row, 0, row.lines));

	s->landscape = g->landscape;
	s->keep = true;
	add_band(g, s, &row, 0, row.lines);
	add_head_rules(g, s, 0, s->height);
}

/* What is repeated on the pages that follow; no part of the reading order. */
static struct table_head *
repeated_head(struct grid *g, const struct anchor *n)
{
	struct flow *f = g->f;
	struct table_head *head = arena_alloc(f->a, 1, sizeof(*head));
	struct slug s = {0}, band = {0};

	if (*n->again)
		s.height = add_caption_lines(g, &s, n->again, n->title, "", 0);
	if (has_titles(g->b)) {
		struct set_row row = set_head_row(g, true);

		band.height = band_height(g, &row, 0, row.lines);
		add_band(g, &band, &row, 0, row.lines);
		add_head_rules(g, &band, 0, band.height);
	}
	for (int i = 0; i < band.n_items; i++) {
		struct item *it =
		    arena_push(f->a, &s.items, &s.n_items, sizeof(*it));

		*it = band.items[i];
		it->y += s.height;
	}
	head->items = s.items;
	head->n_items = s.n_items;
	head->height = s.height + band.height;
	return head;
}

/* ---- the whole ---- */

/*
 * Rows that a page break must not part: the head and the first two, the last
 * two, a group row and the next; all rows of a small table.
 */
static void
keep_rows(struct grid *g, const int *starts, int first)
{
	struct flow *f = g->f;
	int n = g->b->n_rows;
	double height = 0;

	for (int r = 0; r < n; r++)
		if (r < 2 || r == n - 1 || g->b->rows[r - 1].group)
			f->slugs[starts[r]].keep = true;
	for (int i = first; i < f->n; i++)
		height += f->slugs[i].height;
	if (height > 0.3 * body_height(f->style, g->landscape))
		return;
	for (int i = first + 1; i < f->n; i++)
		f->slugs[i].keep = true;
}

static void
add_rows(struct grid *g, int first)
{
	struct flow *f = g->f;
	const struct block *b = g->b;
	int *starts = arena_alloc(f->a, (size_t)b->n_rows + 1, sizeof(*starts));

	for (int r = 0; r < b->n_rows; r++) {
		struct set_row row = set_body_row(g, &b->rows[r]);

		starts[r] = f->n;
		if (b->rows[r].group)
			g->group = -1;
		add_row(g, &row, r + 1, r == b->n_rows - 1);
		if (b->rows[r].group)
			g->group = starts[r];
	}
	keep_rows(g, starts, first);
}

void
flow_table(struct flow *f, const struct block *b, int anchor)
{
	const struct anchor *n = &f->anchors->items[anchor];
	size_t cols = (size_t)(b->n_columns > 0 ? b->n_columns : 0);
	struct grid g = {.f = f,
	    .b = b,
	    .n = (int)cols,
	    .left = f->left,
	    .group = -1};
	int first = f->n;
	struct slug *gap;

	if (cols == 0)
		return;
	g.least = arena_alloc(f->a, cols, sizeof(double));
	g.natural = arena_alloc(f->a, cols, sizeof(double));
	g.x = arena_alloc(f->a, cols, sizeof(double));
	g.w = arena_alloc(f->a, cols, sizeof(double));
	if (!choose_columns(&g))
		return;
	if (g.landscape) /* leave a list or box for the page's own margin */
		g.left = f->style->binding;
	for (int i = 0; i < g.n; i++)
		g.x[i] = i == 0 ? g.left : g.x[i - 1] + g.w[i - 1];

	g.path = sub_path(f, f->path, "Table", new_id(f));
	f->pending = anchor;
	add_caption_slug(&g, n);
	f->keep_lines = 0;
	if (has_titles(b))
		add_head_slug(&g);
	g.head = repeated_head(&g, n);
	add_rows(&g, first);
	gap = add_slug(f, 0, 10);
	gap->landscape = g.landscape;
	gap->keep = true;
}
