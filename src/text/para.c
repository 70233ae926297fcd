/*
 * Lines: fill them with clusters, spread what is left over, draw them.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "text/shape.h"

struct line {
	int first, end; /* clusters; trailing spaces belong to the line */
	int seen;       /* end without its trailing spaces */
	double start;   /* x of its left edge */
	double width;   /* of what is seen, as set */
};

struct text_para {
	struct text_engine *e;
	const struct shaped *sh;
	struct text_run *runs; /* colours and tags */
	double width, indent, line_height, size;
	enum text_align align;
	struct line *lines;
	int n_lines;
	double *x; /* of each cluster, from the left edge */
};

static const double EM_ASCENT = 0.88;

/* What may be taken from or added to one gap, in em. */
static const double GAP_SHRINK = 0.125, GAP_STRETCH = 1.0 / 12;
static const double MARK_SHRINK = 0.25;
static const double WORD_SPACE_MAX = 0.5;
static const double RAGGED = 1.0;     /* rather ragged than gaps wider still */
static const double SHORT_LINE = 1.9; /* a last line below it is too short */
static const double LOOSE = 0.2;      /* of a line left empty by a long word */
static const double EPS = 0.01;       /* pt */

/* ---- measuring a line of clusters first..end-1 ---- */

static int
line_seen(const struct shaped *sh, int first, int end)
{
	while (end > first && sh->clusters[end - 1].kind == CHAR_SPACE)
		end--;
	return end;
}

/* Widths inside a line add up, so that any line is a difference. */
static double
span_width(const struct shaped *sh, int first, int seen)
{
	const struct cluster *a, *b;

	if (seen <= first)
		return 0;
	a = &sh->clusters[first];
	b = &sh->clusters[seen - 1];
	return sh->x[seen - 1] + b->width - sh->x[first] -
	       (first > 0 ? a->start_trim : 0) - b->end_trim;
}

static bool
is_wide_kind(const struct cluster *c)
{
	return c->kind == CHAR_HAN || c->kind == CHAR_OPEN ||
	       c->kind == CHAR_CLOSE;
}

/* Han may be set apart; the parts of a word, number or dash may not. */
static bool
is_elastic(const struct cluster *a, const struct cluster *b)
{
	if (a->kind == CHAR_SPACE || b->kind == CHAR_SPACE)
		return false;
	if (a->kind == CHAR_DASH && b->kind == CHAR_DASH)
		return false;
	return is_wide_kind(a) || is_wide_kind(b);
}

/* How much narrower a line can be made without looking tight. */
static double
shrink_room(const struct shaped *sh, int first, int seen)
{
	double room = 0;

	for (int i = first; i < seen; i++) {
		const struct cluster *c = &sh->clusters[i];

		if (c->gap_space || (i > first && c->gap > 0))
			room += GAP_SHRINK * c->size;
		if (c->end_trim > 0 && i + 1 < seen)
			room += MARK_SHRINK * c->size;
	}
	return room;
}

/* ---- choosing where lines end ---- */

static double
line_room(const struct text_para *p, int line)
{
	double room = p->width - (line == 0 ? p->indent : 0);

	return room > 1 ? room : 1;
}

static bool
may_break(const struct shaped *sh, int i, enum line_break least)
{
	return i >= sh->n || sh->clusters[i].brk >= least;
}

/*
 * The last cluster boundary after `first` at which the line still fits and
 * may end; -1 if there is none.
 */
static int
fitting_end(const struct shaped *sh, int first, double room,
    enum line_break least)
{
	int best = -1;

	for (int i = first + 1; i <= sh->n; i++) {
		int seen = line_seen(sh, first, i);

		/* wider than any end trim could make fit: stop looking */
		if (span_width(sh, first, seen) >
		    room + sh->clusters[seen > first ? seen - 1 : first].size)
			break;
		if (may_break(sh, i, least) &&
		    span_width(sh, first, seen) <= room + EPS)
			best = i;
	}
	return best;
}

/* The next boundary after `end`, if the line up to it can be pressed in. */
static int
pressed_end(const struct shaped *sh, int first, int end, double room)
{
	int next = end + 1, seen;
	double over, slack;

	while (!may_break(sh, next, BREAK_YES)) {
		next++;
		if (span_width(sh, first, next) > 1.5 * room)
			return end;
	}
	seen = line_seen(sh, first, next);
	over = span_width(sh, first, seen) - room;
	slack = room - span_width(sh, first, line_seen(sh, first, end));
	if (over <= shrink_room(sh, first, seen) && over < slack)
		return next;
	return end;
}

static int
line_end(const struct text_para *p, int first, double room)
{
	const struct shaped *sh = p->sh;
	int end = fitting_end(sh, first, room, BREAK_YES);

	/* a long name that starts the next line is better cut at its joints */
	if (end < 0 || (end < sh->n && room - span_width(sh, first,
						  line_seen(sh, first, end)) >
					   LOOSE * room))
		end = fitting_end(sh, first, room, BREAK_PIECE);
	if (end < 0)
		end = fitting_end(sh, first, room, BREAK_GLYPH);
	if (end < 0)
		end = fitting_end(sh, first, room, BREAK_NO);
	if (end < 0)
		end = first + 1;
	if (end < sh->n && p->align == TEXT_JUSTIFY)
		end = pressed_end(sh, first, end, room);
	/* spaces never start a line */
	while (end < sh->n && sh->clusters[end].kind == CHAR_SPACE)
		end++;
	return end;
}

/*
 * A last line of a single character takes company from the line before it,
 * when that line stays well filled.
 */
static void
mend_last_line(struct text_para *p)
{
	const struct shaped *sh = p->sh;
	struct line *last = &p->lines[p->n_lines - 1];
	struct line *prev = last - 1;

	if (p->n_lines < 2 ||
	    span_width(sh, last->first,
		line_seen(sh, last->first, last->end)) >= SHORT_LINE * p->size)
		return;
	for (int i = last->first - 1; i > prev->first; i--) {
		double width =
		    span_width(sh, prev->first, line_seen(sh, prev->first, i));

		if (width < 0.7 * line_room(p, p->n_lines - 2))
			return;
		if (may_break(sh, i, BREAK_YES) &&
		    span_width(sh, i, line_seen(sh, i, last->end)) <=
			line_room(p, p->n_lines - 1)) {
			prev->end = last->first = i;
			return;
		}
	}
}

/* ---- spreading what is left ---- */

/* Extra room per cluster gap: `before` a cluster, `space` inside a space. */
struct spread {
	double han_latin, mark, word_space, all;
};

static struct spread
press_line(const struct shaped *sh, int first, int seen, double over)
{
	double room = shrink_room(sh, first, seen);
	double share = room > 0 ? fmin(1, over / room) : 0;

	return (struct spread){.han_latin = -GAP_SHRINK * share,
	    .mark = -MARK_SHRINK * share};
}

/* Take `want` from `*slack`, spread over `units`; how much each unit gets. */
static double
take(double *slack, double units, double most)
{
	double each;

	if (units <= 0 || *slack <= 0)
		return 0;
	each = fmin(most, *slack / units);
	*slack -= each * units;
	return each;
}

/* Stretch word spaces first, then Han-Latin gaps, then all gaps alike. */
static struct spread
stretch_line(const struct shaped *sh, int first, int seen, double slack)
{
	struct spread s = {0};
	double spaces = 0, spare = 0, gaps = 0, all = 0, size = 1;

	for (int i = first; i < seen; i++) {
		const struct cluster *c = &sh->clusters[i];

		size = c->size;
		if (c->kind == CHAR_SPACE && !c->gap_space) {
			spaces++;
			spare = fmax(0, WORD_SPACE_MAX * c->size - c->width);
			all++;
		}
		if (c->gap_space || (i > first && c->gap > 0))
			gaps += c->size;
		if (c->gap_space || (i > first && is_elastic(c - 1, c)))
			all++;
	}
	s.word_space = take(&slack, spaces, spare);
	s.han_latin = take(&slack, gaps, GAP_STRETCH);
	if (all > 0 && slack / all <= RAGGED * size)
		s.all = slack / all;
	return s;
}

/* Room that a line's spread adds before cluster `i`, and within it. */
static double
extra_before(const struct shaped *sh, const struct spread *s, int first, int i)
{
	const struct cluster *c = &sh->clusters[i];
	double extra = 0;

	if (i == first)
		return 0;
	if (c->gap > 0)
		extra += s->han_latin * c->size;
	if (c[-1].end_trim > 0)
		extra += s->mark * c[-1].size;
	if (is_elastic(c - 1, c))
		extra += s->all;
	return extra;
}

static double
extra_within(const struct cluster *c, const struct spread *s)
{
	if (c->gap_space)
		return s->han_latin * c->size + s->all;
	return c->kind == CHAR_SPACE ? s->word_space + s->all : 0;
}

static void
place_clusters(struct text_para *p, struct line *l, const struct spread *s)
{
	const struct shaped *sh = p->sh;
	double x = 0;

	for (int i = l->first; i < l->end; i++) {
		const struct cluster *c = &sh->clusters[i];

		if (i > l->first)
			x += c->gap;
		else if (i > 0)
			x -= c->start_trim;
		if (i < l->seen)
			x += extra_before(sh, s, l->first, i);
		p->x[i] = x;
		x += c->width;
		if (i < l->seen)
			x += extra_within(c, s);
		if (i == l->seen - 1)
			l->width = x - c->end_trim;
	}
}

static void
set_line(struct text_para *p, int line)
{
	struct line *l = &p->lines[line];
	double room = line_room(p, line), slack;
	struct spread s = {0};

	l->seen = line_seen(p->sh, l->first, l->end);
	l->width = span_width(p->sh, l->first, l->seen);
	slack = room - l->width;
	if (slack < -EPS)
		s = press_line(p->sh, l->first, l->seen, -slack);
	else if (p->align == TEXT_JUSTIFY && line < p->n_lines - 1)
		s = stretch_line(p->sh, l->first, l->seen, slack);
	place_clusters(p, l, &s);

	l->start = line == 0 ? p->indent : 0;
	if (p->align == TEXT_CENTRE)
		l->start += (room - l->width) / 2;
	else if (p->align == TEXT_END)
		l->start += room - l->width;
	for (int i = l->first; i < l->end; i++)
		p->x[i] += l->start;
}

static void
fill_lines(struct arena *a, struct text_para *p)
{
	int first = 0;

	do {
		struct line *l =
		    arena_push(a, &p->lines, &p->n_lines, sizeof(*l));
		double room = line_room(p, p->n_lines - 1);

		l->first = first;
		l->end = first < p->sh->n ? line_end(p, first, room) : first;
		first = l->end;
	} while (first < p->sh->n);
	mend_last_line(p);
	for (int i = 0; i < p->n_lines; i++)
		set_line(p, i);
}

struct text_para *
text_para_new(struct arena *a, struct text_engine *e,
    const struct text_para_spec *spec)
{
	struct text_para *p = arena_alloc(a, 1, sizeof(*p));

	p->e = e;
	p->sh = text_shape(e, spec->runs, spec->n_runs);
	p->runs = arena_alloc(a, (size_t)spec->n_runs + 1, sizeof(*p->runs));
	for (int i = 0; i < spec->n_runs; i++)
		p->runs[i] = spec->runs[i];
	p->width = spec->width;
	p->indent = spec->indent;
	p->line_height = spec->line_height;
	p->align = spec->align;
	p->size = p->sh->size;
	p->x = arena_alloc(a, (size_t)p->sh->n + 1, sizeof(*p->x));
	fill_lines(a, p);
	return p;
}

/* ---- asking ---- */

int
text_para_lines(const struct text_para *p)
{
	return p->n_lines;
}

double
text_para_line_height(const struct text_para *p, int line)
{
	(void)line;
	return p->line_height * p->size;
}

double
text_para_baseline(const struct text_para *p, int line)
{
	(void)line;
	return (p->line_height - 1) * p->size / 2 + EM_ASCENT * p->size;
}

double
text_para_line_width(const struct text_para *p, int line)
{
	return p->lines[line].width;
}

double
text_para_widest(const struct text_para *p)
{
	double widest = 0;

	for (int i = 0; i < p->n_lines; i++)
		widest = fmax(widest, p->lines[i].start + p->lines[i].width);
	return widest;
}

char *
text_para_text(struct arena *a, const struct text_para *p, int line)
{
	const struct line *l = &p->lines[line];
	const struct cluster *c = p->sh->clusters;
	int from, to;

	if (l->end == l->first)
		return arena_strdup(a, "");
	from = c[l->first].byte;
	to = c[l->end - 1].byte + c[l->end - 1].n_bytes;
	return arena_strndup(a, p->sh->text + from, (size_t)(to - from));
}

int
text_para_extents(const struct text_para *p, int line, struct text_extent *out,
    int max)
{
	const struct line *l = &p->lines[line];
	int n = 0;

	for (int i = l->first; i < l->seen; i++) {
		const struct cluster *c = &p->sh->clusters[i];
		int tag = p->runs[c->run].tag;
		double right =
		    p->x[i] + c->width - (i == l->seen - 1 ? c->end_trim : 0);

		if (n == 0 || out[n - 1].tag != tag) {
			if (n == max)
				return n;
			out[n++] = (struct text_extent){tag, p->x[i], 0};
		}
		out[n - 1].width = right - out[n - 1].x;
	}
	return n;
}

/* ---- drawing ---- */

/* Show clusters first..end-1, which share a font and a colour. */
static void
show_clusters(struct text_engine *e, cairo_t *cr, const struct shaped *sh,
    const double *xs, double x, double y, int first, int end)
{
	enum { BATCH = 256 };
	cairo_glyph_t glyphs[BATCH];
	cairo_text_cluster_t map[BATCH];
	int n_glyphs = 0, n = 0, from = first;

	cairo_set_scaled_font(cr,
	    pango_cairo_font_get_scaled_font(
		PANGO_CAIRO_FONT(e->fonts[sh->clusters[first].font])));
	for (int i = first; i <= end; i++) {
		const struct cluster *c = &sh->clusters[i];

		if (i == end || n == BATCH || n_glyphs + c->n_glyphs > BATCH) {
			int byte = sh->clusters[from].byte;
			int len = sh->clusters[i - 1].byte +
				  sh->clusters[i - 1].n_bytes - byte;

			if (n_glyphs > 0)
				cairo_show_text_glyphs(cr, sh->text + byte, len,
				    glyphs, n_glyphs, map, n, 0);
			n_glyphs = n = 0;
			from = i;
		}
		if (i == end || c->n_glyphs > BATCH)
			continue;
		map[n++] = (cairo_text_cluster_t){c->n_bytes, c->n_glyphs};
		for (int g = 0; g < c->n_glyphs; g++) {
			const cairo_glyph_t *at = &sh->glyphs[c->glyph + g];

			glyphs[n_glyphs++] = (cairo_glyph_t){at->index,
			    x + xs[i] - c->trim + at->x, y + at->y};
		}
	}
}

static bool
same_color(struct rgb a, struct rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

void
text_para_draw_tags(const struct text_para *p, cairo_t *cr, int line, double x,
    double y, int from, int to)
{
	const struct line *l = &p->lines[line];
	const struct cluster *c = p->sh->clusters;
	int first = l->first;

	y += text_para_baseline(p, line);
	while (first < l->end) {
		const struct text_run *run = &p->runs[c[first].run];
		struct rgb color = run->style.color;
		int end = first + 1;

		while (end < l->end && c[end].font == c[first].font &&
		       p->runs[c[end].run].tag == run->tag &&
		       same_color(p->runs[c[end].run].style.color, color))
			end++;
		if (run->tag >= from && run->tag <= to) {
			cairo_set_source_rgb(cr, color.r, color.g, color.b);
			show_clusters(p->e, cr, p->sh, p->x, x, y, first, end);
		}
		first = end;
	}
}

void
text_para_draw(const struct text_para *p, cairo_t *cr, int line, double x,
    double y)
{
	text_para_draw_tags(p, cr, line, x, y, INT_MIN, INT_MAX);
}

/* ---- one line, and widths ---- */

struct text_size
text_measure(struct text_engine *e, const struct text_style *s,
    const char *text)
{
	struct text_run run = {.text = text, .style = *s};
	const struct shaped *sh = text_shape(e, &run, 1);

	return (struct text_size){sh->width, EM_ASCENT * s->size_pt,
	    (1 - EM_ASCENT) * s->size_pt};
}

void
text_draw(struct text_engine *e, cairo_t *cr, const struct text_style *s,
    double x, double y, const char *text)
{
	struct text_run run = {.text = text, .style = *s};
	const struct shaped *sh = text_shape(e, &run, 1);

	cairo_set_source_rgb(cr, s->color.r, s->color.g, s->color.b);
	for (int first = 0, end; first < sh->n; first = end) {
		end = first + 1;
		while (end < sh->n &&
		       sh->clusters[end].font == sh->clusters[first].font)
			end++;
		show_clusters(e, cr, sh, sh->x, x, y, first, end);
	}
}

void
text_para_widths(struct text_engine *e, const struct text_run *runs, int n,
    double *narrowest, double *natural)
{
	const struct shaped *sh = text_shape(e, runs, n);
	int first = 0;

	*natural = sh->width;
	*narrowest = 0;
	for (int i = 1; i <= sh->n; i++) {
		if (!may_break(sh, i, BREAK_YES))
			continue;
		*narrowest = fmax(*narrowest,
		    span_width(sh, first, line_seen(sh, first, i)));
		first = i;
	}
}
