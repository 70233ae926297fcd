/*
 * The layout from end to end: number, flow, paginate, contents, running
 * heads; and the print of the result.
 */
#include "layout/pages.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "layout/parts.h"

/* Where the page numbers start, by sheet. */
struct labels {
	struct arena *a;
	int first_body; /* sheet */
	int n_contents; /* pages put in before it, at `contents` */
	int contents;   /* sheet, or -1 */
	bool has_cover;
	const char *cover;
};

static const char *
roman(struct arena *a, int n)
{
	static const struct {
		int value;
		const char *text;
	} digits[] = {
	    {1000, "m"},
	    {900, "cm"},
	    {500, "d"},
	    {400, "cd"},
	    {100, "c"},
	    {90, "xc"},
	    {50, "l"},
	    {40, "xl"},
	    {10, "x"},
	    {9, "ix"},
	    {5, "v"},
	    {4, "iv"},
	    {1, "i"},
	};
	struct str out;

	str_init(&out, a);
	for (int i = 0; n > 0;) {
		if (n < digits[i].value) {
			i++;
			continue;
		}
		str_add(&out, digits[i].text);
		n -= digits[i].value;
	}
	return out.s;
}

static const char *
sheet_label(const void *arg, int sheet)
{
	const struct labels *l = arg;

	if (sheet >= l->first_body)
		return arena_printf(l->a, "%d", sheet - l->first_body + 1);
	if (sheet == 0 && l->has_cover)
		return l->cover;
	return roman(l->a, sheet + 1);
}

/* ---- running heads ---- */

/* As much of a text as fits, with an ellipsis if that is not all. */
static const char *
clip_text(struct flow *f, const char *text, double width)
{
	const struct role_style *rs = &f->style->roles[ROLE_RUNNING];
	struct text_style st = {rs->face, rs->size, rs->color};
	int n = utf8_length(text);

	if (text_measure(f->e, &st, text).width <= width)
		return text;
	for (int keep = n < 200 ? n - 1 : 200; keep > 0; keep--) {
		const char *s = text, *cut;

		for (int i = 0; i < keep; i++)
			utf8_next(&s);
		cut = arena_printf(f->a, "%.*s…", (int)(s - text), text);
		if (text_measure(f->e, &st, cut).width <= width)
			return cut;
	}
	return "";
}

static void
add_running_text(struct flow *f, struct page *pg, const char *text, double x,
    double width, double baseline, enum text_align align)
{
	struct text_para *p;
	struct item *it;

	if (!text || !*text)
		return;
	p = plain_para(f, clip_text(f, text, width), ROLE_RUNNING, width,
	    align);
	it = arena_push(f->a, &pg->items, &pg->n_items, sizeof(*it));
	*it = (struct item){.kind = ITEM_LINE,
	    .x = x,
	    .y = baseline - text_para_baseline(p, 0),
	    .w = width,
	    .h = text_para_line_height(p, 0),
	    .para = p,
	    .from = INT_MIN,
	    .to = INT_MAX,
	    .path = ""};
}

static void
add_running_heads(struct flow *f, struct page *pg, const char *foot)
{
	const struct page_style *st = f->style;
	double left = st->binding, width = pg->width - st->binding - st->outer;
	char *head_left = inlines_text(f->a, &f->doc->head_left);
	char *head_right = inlines_text(f->a, &f->doc->head_right);
	double foot_y = pg->height - (st->page_height - st->foot_y);
	struct item *it;

	add_running_text(f, pg, head_left, left, 0.6 * width, st->head_y,
	    TEXT_START);
	add_running_text(f, pg, head_right, left + 0.62 * width, 0.38 * width,
	    st->head_y, TEXT_END);
	if (*head_left || *head_right) {
		it = arena_push(f->a, &pg->items, &pg->n_items, sizeof(*it));
		*it = (struct item){.kind = ITEM_RECT,
		    .x = left,
		    .y = st->head_y + 5,
		    .w = width,
		    .h = 0.5,
		    .color = st->hairline,
		    .path = ""};
	}
	add_running_text(f, pg, foot, left, width, foot_y, TEXT_CENTRE);
}

/* ---- putting the pages in order ---- */

/* The sheet's items become the page's, which may get more. */
static struct page *
add_page(struct flow *f, const struct sheet *sh, const char *label)
{
	struct page *pg =
	    arena_push(f->a, &f->pages->pages, &f->pages->n, sizeof(*pg));

	pg->width = sh->width;
	pg->height = sh->height;
	pg->label = label;
	pg->items = sh->items;
	pg->n_items = sh->n_items;
	return pg;
}

static const char *
body_foot(struct flow *f, const char *label, int total)
{
	char digits[16];

	if (!f->doc->foot)
		return label;
	snprintf(digits, sizeof(digits), "%d", total);
	return fill_hole(f->a, fill_hole(f->a, f->doc->foot, "page", label),
	    "pages", digits);
}

static void
add_pages(struct flow *f, const struct sheets *body,
    const struct sheets *contents, const struct labels *l)
{
	for (int i = 0; i <= body->n; i++) {
		const char *label;
		struct page *pg;

		for (int k = 0;
		     contents && i == body->contents && k < contents->n; k++) {
			label = roman(f->a, f->pages->n + 1);
			pg = add_page(f, &contents->items[k], label);
			add_running_heads(f, pg, label);
		}
		if (i == body->n)
			return;
		label = sheet_label(l, i);
		pg = add_page(f, &body->items[i], label);
		if (body->items[i].kind == SLUG_COVER)
			continue;
		add_running_heads(f, pg,
		    i < l->first_body
			? label
			: body_foot(f, label, body->n - l->first_body));
	}
}

/* Outline entries know their anchor; now they learn their page. */
static void
finish_outline(struct flow *f, const struct labels *l)
{
	for (int i = 0; i < f->pages->n_outline; i++) {
		struct outline_entry *o = &f->pages->outline[i];
		int sheet = f->anchors->items[o->page].page;

		o->page = sheet + (l->contents >= 0 && sheet >= l->contents
					  ? l->n_contents
					  : 0);
	}
}

static struct labels
find_labels(struct flow *f, const struct sheets *body)
{
	struct labels l = {.a = f->a,
	    .contents = body->contents,
	    .cover = f->style->cover_label};

	l.has_cover = body->n > 0 && body->items[0].kind == SLUG_COVER;
	l.first_body = body->contents >= 0 ? body->contents : l.has_cover;
	return l;
}

struct pages *
layout_document(struct arena *a, struct text_engine *e,
    const struct document *doc, const struct page_style *style, struct diag *d)
{
	struct flow f = {.a = a,
	    .e = e,
	    .doc = doc,
	    .d = d,
	    .path = "",
	    .pending = -1,
	    .ok = true};
	struct sheets *body, *contents = NULL;
	struct labels l;

	f.style = style ? style : page_style_for(doc->lang);
	f.left = f.style->binding;
	f.width = f.style->page_width - f.style->binding - f.style->outer;
	f.pages = arena_alloc(a, 1, sizeof(*f.pages));
	f.anchors = anchors_new(a, doc);
	flow_document(&f);
	if (!f.ok)
		return NULL;
	body = paginate(&f);
	l = find_labels(&f, body);
	if (body->contents >= 0) {
		contents = contents_sheets(&f, sheet_label, &l);
		l.n_contents = contents->n;
	}
	add_pages(&f, body, contents, &l);
	finish_outline(&f, &l);
	split_leaves(&f, f.pages);
	return f.pages;
}

/* ---- printing ---- */

static void
dump_item(const struct item *it, struct str *out)
{
	static const char *const kinds[] = {
	    [ITEM_LINE] = "line",
	    [ITEM_RECT] = "rect",
	    [ITEM_CHART] = "chart",
	    [ITEM_DEST] = "dest",
	    [ITEM_LINK] = "link",
	    [ITEM_BLANK] = "blank",
	};

	str_addf(out, "  %s %s %s %s %s", kinds[it->kind],
	    num_format(out->a, it->x, 1, false),
	    num_format(out->a, it->y, 1, false),
	    num_format(out->a, it->w, 1, false),
	    num_format(out->a, it->h, 1, false));
	if (it->leaf > 0)
		str_addf(out, " %s", it->path);
	if (it->kind == ITEM_LINE)
		str_addf(out, " \"%s\"",
		    text_para_text(out->a, it->para, it->line));
	if (it->kind == ITEM_RECT)
		str_addf(out, " #%02x%02x%02x%s",
		    (unsigned)lround(it->color.r * 255),
		    (unsigned)lround(it->color.g * 255),
		    (unsigned)lround(it->color.b * 255),
		    it->dash > 0 ? " dotted" : "");
	if (it->name)
		str_addf(out, " %s%s", it->external ? "" : "#", it->name);
	if (it->alt)
		str_addf(out, " \"%s\"", it->alt);
	if (it->lang)
		str_addf(out, " lang=%s", it->lang);
	str_addc(out, '\n');
}

void
pages_dump(const struct pages *p, struct str *out)
{
	for (int i = 0; i < p->n_outline; i++)
		str_addf(out, "outline %d %d \"%s\" #%s\n", p->outline[i].level,
		    p->outline[i].page + 1, p->outline[i].title,
		    p->outline[i].dest);
	for (int i = 0; i < p->n; i++) {
		const struct page *pg = &p->pages[i];

		str_addf(out, "page %d \"%s\" %s x %s\n", i + 1, pg->label,
		    num_format(out->a, pg->width, 1, false),
		    num_format(out->a, pg->height, 1, false));
		for (int k = 0; k < pg->n_items; k++)
			dump_item(&pg->items[k], out);
	}
}
