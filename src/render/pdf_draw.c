/*
 * Draw pages with cairo.  Structure follows one rule that cairo 1.16 sets:
 * only a leaf tag may hold drawn content; containers stay open around their
 * leaves, also from page to page, and artifacts are drawn with no leaf open.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "render/pdf_parts.h"

/* ---- tags ---- */

/* "P.12" is the tag "P"; each name is kept once. */
static const char *
tag_name(struct drawer *w, const char *part, size_t len)
{
	const char *dot = memchr(part, '.', len);

	if (dot)
		len = (size_t)(dot - part);
	for (int i = 0; i < w->n_names; i++)
		if (strlen(w->names[i]) == len &&
		    memcmp(w->names[i], part, len) == 0)
			return w->names[i];
	return *(const char **)arena_push(w->a, &w->names, &w->n_names,
		   sizeof(*w->names)) = arena_strndup(w->a, part, len);
}

static void
close_to(struct drawer *w, int depth)
{
	while (w->depth > depth) {
		w->depth--;
		cairo_tag_end(w->cr,
		    tag_name(w, w->open[w->depth], w->open_len[w->depth]));
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

/* The chart's data travel in the file of the same number. */
static int
chart_file(const struct drawer *w, const struct chart_plan *plan)
{
	for (int i = 0; i < w->pages->n_charts; i++)
		if (w->pages->charts[i].plan == plan)
			return i + 1;
	return 0;
}

/* What the leaf of an item knows beyond its name; outlives the item. */
static void
describe_leaf(struct drawer *w, struct archive_tag *t, const struct item *it)
{
	if (it->lang)
		t->lang = arena_strdup(w->a, it->lang);
	if (it->alt && (it->kind == ITEM_LINK || it->kind == ITEM_CHART))
		t->alt = arena_strdup(w->a, it->alt);
	if (it->kind != ITEM_CHART)
		return;
	t->file = chart_file(w, it->plan);
	t->box[0] = it->x;
	t->box[1] = w->page_height - it->y - it->h;
	t->box[2] = it->x + it->w;
	t->box[3] = w->page_height - it->y;
}

static void
begin_tag(struct drawer *w, const char *part, size_t len, const char *at,
    const struct item *it, bool leaf)
{
	struct archive_tag *t =
	    arena_push(w->a, &w->tags, &w->n_tags, sizeof(*t));

	t->type = tag_name(w, part, len);
	if (str_equal(t->type, "TD") || str_equal(t->type, "TH")) {
		t->columns = it->columns;
		t->cell = (int)strtol(part + 3, NULL, 10);
	}
	if (leaf)
		describe_leaf(w, t, it);
	cairo_tag_begin(w->cr, t->type, leaf ? at : "");
}

/* Close what the path does not share, open the rest; the last is the leaf. */
static void
open_path(struct drawer *w, const struct item *it, const char *attributes)
{
	const char *s = it->path;
	bool shared = true;

	for (int i = 0; *s; i++) {
		size_t len = strcspn(s, "/");
		bool last = s[len] == '\0';

		if (shared && !is_open(w, i, s, len)) {
			close_to(w, i);
			shared = false;
		}
		if (!shared && w->depth < PDF_DEPTH_MAX) {
			begin_tag(w, s, len, attributes, it, last);
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
	open_path(w, it, attributes);
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
char *
pdf_quoted(struct arena *a, const char *s)
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
		plain.kind = ITEM_LINE;
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
	    pdf_quoted(w->a, it->name));
	enter_leaf(w, it, at.s);
}

static void
draw_dest(struct drawer *w, const struct item *it)
{
	struct str at;

	str_init(&at, w->a);
	str_addf(&at, "name='%s' x=", pdf_quoted(w->a, it->name));
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
	case ITEM_BLANK: enter_leaf(w, it, ""); return;
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

/* ---- pages ---- */

void
pdf_draw_pages(struct drawer *w, cairo_surface_t *s)
{
	const struct pages *p = w->pages;

	/* a link outside of every structure tag would leave a broken object */
	begin_tag(w, "Document", strlen("Document"), "", NULL, false);
	for (int i = 0; i < p->n; i++) {
		const struct page *pg = &p->pages[i];

		/* never for the first page: cairo 1.16 then miscounts them */
		if (i > 0 &&
		    (pg->width != pg[-1].width || pg->height != pg[-1].height))
			cairo_pdf_surface_set_size(s, pg->width, pg->height);
		if (pg->label && *pg->label)
			cairo_pdf_surface_set_page_label(s, pg->label);
		w->page_height = pg->height;
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
