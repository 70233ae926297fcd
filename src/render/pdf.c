/*
 * Draw pages with cairo.  Structure follows one rule that cairo 1.16 sets:
 * only a leaf tag may hold drawn content; containers stay open around their
 * leaves, also from page to page, and artifacts are drawn with no leaf open.
 */
#include "render/pdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo-pdf.h>

#include "base/arena.h"
#include "base/str.h"

enum { DEPTH_MAX = 64 };

struct drawer {
	struct arena *a;
	struct text_engine *e;
	cairo_t *cr;
	const char *open[DEPTH_MAX]; /* parts of the open path */
	size_t open_len[DEPTH_MAX];
	int depth;
	int leaf; /* the open leaf, 0 if none */
};

/* ---- tags ---- */

/* "P.12" is the tag "P". */
static char *
tag_name(struct arena *a, const char *part, size_t len)
{
	const char *dot = memchr(part, '.', len);

	return arena_strndup(a, part, dot ? (size_t)(dot - part) : len);
}

static void
close_to(struct drawer *w, int depth)
{
	while (w->depth > depth) {
		w->depth--;
		cairo_tag_end(w->cr, tag_name(w->a, w->open[w->depth],
		    w->open_len[w->depth]));
	}
}

static void
close_leaf(struct drawer *w)
{
	if (w->leaf)
		close_to(w, w->depth - 1);
	w->leaf = 0;
}

static bool
is_open(const struct drawer *w, int i, const char *part, size_t len)
{
	return i < w->depth && w->open_len[i] == len &&
	    memcmp(w->open[i], part, len) == 0;
}

/* Close what the path does not share, open the rest; the last is the leaf. */
static void
open_path(struct drawer *w, const char *path, const char *attributes)
{
	const char *s = path;
	bool shared = true;

	for (int i = 0; *s; i++) {
		size_t len = strcspn(s, "/");
		bool last = s[len] == '\0';

		if (shared && !is_open(w, i, s, len)) {
			close_to(w, i);
			shared = false;
		}
		if (!shared && w->depth < DEPTH_MAX) {
			cairo_tag_begin(w->cr, tag_name(w->a, s, len),
			    last ? attributes : "");
			w->open[w->depth] = s;
			w->open_len[w->depth++] = len;
		}
		s += len + !last;
	}
}

static void
enter_leaf(struct drawer *w, const struct item *it, const char *attributes)
{
	if (it->leaf == w->leaf)
		return;
	close_leaf(w);
	if (it->leaf == 0)
		return;
	open_path(w, it->path, attributes);
	w->leaf = it->leaf;
}

/* ---- items ---- */

static bool
is_web_address(const char *s)
{
	return str_starts(s, "http://") || str_starts(s, "https://") ||
	    str_starts(s, "mailto:");
}

/* An address or name between cairo's quotes. */
static char *
quoted(struct arena *a, const char *s)
{
	struct str out;

	str_init(&out, a);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c <= ' ' || c >= 0x7F || c == '\'' || c == '\\')
			str_addf(&out, "%%%02X", c);
		else
			str_addc(&out, *s);
	}
	return out.s;
}

/*
 * cairo reads numbers in attributes by the C locale's rules; whole
 * hundredths keep us free of the locale when printing them.
 */
static void
add_number(struct str *out, double v)
{
	long hundredths = (long)(v * 100 + (v < 0 ? -0.5 : 0.5));

	str_addf(out, "%s%ld.%02ld ", hundredths < 0 ? "-" : "",
	    labs(hundredths) / 100, labs(hundredths) % 100);
}

static void
draw_link(struct drawer *w, const struct item *it)
{
	struct str at;

	if (it->external && !is_web_address(it->name)) {
		/* its text becomes an ordinary piece */
		struct item plain = *it;
		const char *last = strrchr(it->path, '/');

		plain.path = arena_printf(w->a, "%.*s/Span.%d",
		    (int)(last ? last - it->path : 0), it->path, it->leaf);
		enter_leaf(w, &plain, "");
		return;
	}
	str_init(&at, w->a);
	str_add(&at, "rect=[");
	add_number(&at, it->x);
	add_number(&at, it->y);
	add_number(&at, it->w);
	add_number(&at, it->h);
	str_addf(&at, "] %s='%s'", it->external ? "uri" : "dest",
	    quoted(w->a, it->name));
	enter_leaf(w, it, at.s);
}

static void
draw_dest(struct drawer *w, const struct item *it)
{
	struct str at;

	str_init(&at, w->a);
	str_addf(&at, "name='%s' x=", quoted(w->a, it->name));
	add_number(&at, it->x);
	str_add(&at, "y=");
	add_number(&at, it->y > 12 ? it->y - 12 : 0);
	close_leaf(w);
	cairo_tag_begin(w->cr, CAIRO_TAG_DEST, at.s);
	cairo_tag_end(w->cr, CAIRO_TAG_DEST);
}

/* Dots are counted from the right, so that they line up between lines. */
static void
draw_dots(cairo_t *cr, const struct item *it)
{
	double dash[2] = {0, it->dash};

	cairo_save(cr);
	cairo_set_line_width(cr, it->h);
	cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
	cairo_set_dash(cr, dash, 2, 0);
	cairo_move_to(cr, it->x + it->w, it->y);
	cairo_line_to(cr, it->x, it->y);
	cairo_stroke(cr);
	cairo_restore(cr);
}

static void
draw_rect(struct drawer *w, const struct item *it)
{
	cairo_set_source_rgb(w->cr, it->color.r, it->color.g, it->color.b);
	if (it->dash > 0) {
		draw_dots(w->cr, it);
		return;
	}
	cairo_rectangle(w->cr, it->x, it->y, it->w, it->h);
	cairo_fill(w->cr);
}

static void
draw_chart(struct drawer *w, const struct item *it)
{
	double scale = it->plan->width > 0 ? it->w / it->plan->width : 1;

	cairo_save(w->cr);
	cairo_translate(w->cr, it->x, it->y);
	if (scale < 1)
		cairo_scale(w->cr, scale, scale);
	chart_draw(it->plan, w->e, w->cr, 0, 0);
	cairo_restore(w->cr);
}

static void
draw_item(struct drawer *w, const struct item *it)
{
	switch (it->kind) {
	case ITEM_LINK: draw_link(w, it); return;
	case ITEM_DEST: draw_dest(w, it); return;
	case ITEM_LINE:
		enter_leaf(w, it, "");
		text_para_draw_tags(it->para, w->cr, it->line, it->x, it->y,
		    it->from, it->to);
		return;
	case ITEM_RECT:
		enter_leaf(w, it, "");
		draw_rect(w, it);
		return;
	case ITEM_CHART:
		enter_leaf(w, it, "");
		draw_chart(w, it);
		return;
	}
}

/* ---- the file ---- */

/* ISO date of the document; a fixed one if it has none, never the clock. */
static char *
file_date(struct arena *a, const char *date)
{
	int y = 0, m = 0, d = 0;

	if (!date || sscanf(date, "%4d%*[^0-9]%2d%*[^0-9]%2d", &y, &m, &d) !=
	    3 || y < 1970 || m < 1 || m > 12 || d < 1 || d > 31) {
		y = 1970;
		m = d = 1;
	}
	return arena_printf(a, "%04d-%02d-%02dT00:00:00Z", y, m, d);
}

static void
write_metadata(struct drawer *w, cairo_surface_t *s,
    const struct document *doc)
{
	const char *date = file_date(w->a, doc->date);
	const struct {
		cairo_pdf_metadata_t what;
		const char *text;
	} parts[] = {
		{CAIRO_PDF_METADATA_TITLE, doc->title},
		{CAIRO_PDF_METADATA_AUTHOR, doc->author},
		{CAIRO_PDF_METADATA_SUBJECT, doc->subject},
		{CAIRO_PDF_METADATA_KEYWORDS, doc->keywords},
		{CAIRO_PDF_METADATA_CREATOR, "whygpu"},
		{CAIRO_PDF_METADATA_CREATE_DATE, date},
		{CAIRO_PDF_METADATA_MOD_DATE, date},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].text && *parts[i].text)
			cairo_pdf_surface_set_metadata(s, parts[i].what,
			    parts[i].text);
}

static void
write_outline(struct drawer *w, cairo_surface_t *s, const struct pages *p)
{
	enum { LEVELS = 8 };
	int parents[LEVELS] = {CAIRO_PDF_OUTLINE_ROOT};

	for (int i = 0; i < p->n_outline; i++) {
		const struct outline_entry *o = &p->outline[i];
		int level = o->level < 1 ? 1 :
		    o->level > LEVELS - 1 ? LEVELS - 1 : o->level;
		char *at = arena_printf(w->a, "dest='%s'",
		    quoted(w->a, o->dest));
		int flags = level <= 2 ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0;
		int id = cairo_pdf_surface_add_outline(s, parents[level - 1],
		    o->title, at, (cairo_pdf_outline_flags_t)flags);

		/* a level that is skipped hangs below the one above it */
		for (int k = level; k < LEVELS; k++)
			parents[k] = id;
	}
}

static void
draw_pages(struct drawer *w, cairo_surface_t *s, const struct pages *p)
{
	/* a link outside of every structure tag would leave a broken object */
	cairo_tag_begin(w->cr, "Document", "");
	for (int i = 0; i < p->n; i++) {
		const struct page *pg = &p->pages[i];

		/* never for the first page: cairo 1.16 then miscounts them */
		if (i > 0 && (pg->width != pg[-1].width ||
		    pg->height != pg[-1].height))
			cairo_pdf_surface_set_size(s, pg->width, pg->height);
		if (pg->label && *pg->label)
			cairo_pdf_surface_set_page_label(s, pg->label);
		for (int k = 0; k < pg->n_items; k++)
			draw_item(w, &pg->items[k]);
		close_leaf(w);
		if (i == p->n - 1) {
			close_to(w, 0);
			cairo_tag_end(w->cr, "Document");
		}
		cairo_show_page(w->cr);
	}
}

bool
pdf_write(struct arena *a, struct text_engine *e, const struct pages *p,
    const struct document *doc, const char *path, struct diag *d)
{
	struct drawer w = {.a = a, .e = e};
	cairo_surface_t *s;
	cairo_status_t status;

	if (p->n == 0)
		return diag_error(d, pos_file(NULL), "pdf-empty",
		    "the document has no page");
	s = cairo_pdf_surface_create(path, p->pages[0].width,
	    p->pages[0].height);
	w.cr = cairo_create(s);
	write_metadata(&w, s, doc);
	draw_pages(&w, s, p);
	write_outline(&w, s, p);
	status = cairo_status(w.cr);
	cairo_destroy(w.cr);
	cairo_surface_finish(s);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(s);
	cairo_surface_destroy(s);
	if (status != CAIRO_STATUS_SUCCESS)
		return diag_error(d, pos_file(NULL), "pdf-write",
		    "cannot write '%s': %s", path,
		    cairo_status_to_string(status));
	if (!text_engine_complete(e)) {
		text_engine_report(e, d);
		return false;
	}
	return true;
}
