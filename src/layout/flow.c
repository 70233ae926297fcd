/*
 * Blocks to slugs, in reading order.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "layout/parts.h"

enum { HEADING_LINES = 3 }; /* text kept below a heading */

/* ---- making slugs ---- */

struct slug *
add_slug(struct flow *f, double before, double height)
{
	struct slug *s = arena_push(f->a, &f->slugs, &f->n, sizeof(*s));

	s->before = before;
	s->height = height;
	s->frame = f->frame;
	s->group = -1;
	s->anchor = f->pending;
	f->pending = -1;
	if (f->keep_lines > 0) {
		s->keep = true;
		f->keep_lines--;
	}
	if (s->anchor >= 0) {
		struct item *it = add_item(f, s, ITEM_DEST);

		it->x = f->left;
		it->name = f->anchors->items[s->anchor].dest;
	}
	return s;
}

struct item *
add_item(struct flow *f, struct slug *s, enum item_kind kind)
{
	struct item *it = arena_push(f->a, &s->items, &s->n_items, sizeof(*it));

	it->kind = kind;
	it->path = "";
	return it;
}

void
add_rect(struct flow *f, struct slug *s, double x, double y, double w, double h,
    struct rgb color)
{
	struct item *it = add_item(f, s, ITEM_RECT);

	it->x = x;
	it->y = y;
	it->w = w;
	it->h = h;
	it->color = color;
}

int
new_id(struct flow *f)
{
	return ++f->last_id;
}

const char *
sub_path(struct flow *f, const char *path, const char *tag, int id)
{
	return *path ? arena_printf(f->a, "%s/%s.%d", path, tag, id)
		     : arena_printf(f->a, "%s.%d", tag, id);
}

double
body_height(const struct page_style *s, bool landscape)
{
	return (landscape ? s->page_width : s->page_height) - s->top -
	       s->bottom;
}

/* Anchors come in the order in which we meet their blocks. */
static int
claim_anchor(struct flow *f, const struct block *b)
{
	bool has_one = b->id || b->kind == BLOCK_SECTION ||
		       b->kind == BLOCK_FIGURE || b->kind == BLOCK_TABLE;

	while (has_one && f->next_anchor < f->anchors->n)
		if (f->anchors->items[f->next_anchor++].block == b)
			return f->next_anchor - 1;
	return -1;
}

/* ---- paragraphs ---- */

/* Does the text end in a colon, so that what it announces must follow? */
static bool
announces(const struct inlines *in)
{
	const char *text = in->n ? in->items[in->n - 1].text : NULL;
	size_t len = text ? strlen(text) : 0;

	return (len > 0 && text[len - 1] == ':') ||
	       (len >= 3 && strcmp(text + len - 3, "：") == 0);
}

/* Lines of a paragraph as slugs; two at least stay together at each end. */
static void
add_lines(struct flow *f, const struct inlines *in, const struct text_para *p,
    double x, double before, double after, int leaf, const char *path)
{
	int n = text_para_lines(p), piece = 0;

	for (int i = 0; i < n; i++) {
		double height = text_para_line_height(p, i);
		struct slug *s = add_slug(f, i == 0 ? before : 0,
		    height + (i == n - 1 ? after : 0));

		if (i == n - 1)
			s->tail = after;
		if (i > 0 && (i == 1 || i == n - 1))
			s->keep = true;
		s->may_overtake = !f->frame;
		add_line_items(f, s, in, p, i, x, 0, leaf, path, &piece);
	}
}

static void
flow_text(struct flow *f, const struct inlines *in, enum role role,
    const char *tag)
{
	const struct role_style *rs = &f->style->roles[role];
	int leaf = new_id(f);
	double indent = f->frame ? 0 : rs->indent * rs->size;
	struct text_para *p;

	if (in->n == 0)
		return;
	p = inline_para(f, in, role, rs->size, f->width, indent, rs->align);
	add_lines(f, in, p, f->left, rs->before, rs->after, leaf,
	    sub_path(f, f->path, tag, leaf));
	if (announces(in) && f->keep_lines == 0)
		f->keep_lines = 1;
}

static enum role
para_role(const char *style)
{
	static const struct {
		const char *name;
		enum role role;
	} roles[] = {
	    {"body", ROLE_BODY},
	    {"lead", ROLE_LEAD},
	    {"note", ROLE_NOTE},
	    {"source", ROLE_SOURCE},
	    {"question", ROLE_QUESTION},
	};

	for (size_t i = 0; style && i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(style, roles[i].name) == 0)
			return roles[i].role;
	return ROLE_BODY;
}

static void
flow_para(struct flow *f, const struct block *b)
{
	enum role role = para_role(b->style);

	flow_text(f, &b->text, role, "P");
	if (role == ROLE_QUESTION)
		f->keep_lines = 2;
}

/* ---- sections ---- */

static const char *
heading_text(struct flow *f, const struct anchor *n)
{
	if (!*n->number)
		return n->title;
	return arena_printf(f->a, "%s\xE2\x80\x82%s", n->number, n->title);
}

static void
add_outline(struct flow *f, const struct anchor *n)
{
	struct outline_entry *o = arena_push(f->a, &f->pages->outline,
	    &f->pages->n_outline, sizeof(*o));

	o->level = n->level;
	o->title = *n->number ? arena_printf(f->a, "%s %s", n->number, n->title)
			      : n->title;
	o->dest = n->dest;
	o->page = (int)(n - f->anchors->items); /* replaced once known */
}

static void
flow_heading(struct flow *f, const struct anchor *n)
{
	static const enum role roles[] = {ROLE_H1, ROLE_H2, ROLE_H3, ROLE_H4};
	int level = n->level > 4 ? 4 : n->level;
	const struct role_style *rs = &f->style->roles[roles[level - 1]];
	const char *text = heading_text(f, n);
	struct inl one = {.kind = INLINE_TEXT, .text = text};
	struct inlines in = {&one, 1};
	struct text_para *p =
	    plain_para(f, text, roles[level - 1], f->width, rs->align);
	int leaf = new_id(f);
	char tag[8];
	int first = f->n;

	snprintf(tag, sizeof(tag), "H%d", n->level);
	add_lines(f, &in, p, f->left, rs->before, rs->after, leaf,
	    sub_path(f, f->path, tag, leaf));
	for (int i = first; i < f->n; i++) {
		f->slugs[i].keep |= i > first;
		f->slugs[i].may_overtake = false;
	}
	f->keep_lines = HEADING_LINES;
}

static void flow_blocks(struct flow *f, const struct block *first);

static void
flow_section(struct flow *f, const struct block *b, int anchor)
{
	const struct anchor *n = &f->anchors->items[anchor];
	const char *outside = f->path;

	f->path = sub_path(f, f->path, "Sect", new_id(f));
	f->pending = anchor;
	add_outline(f, n);
	flow_heading(f, n);
	flow_blocks(f, b->first);
	f->path = outside;
	f->keep_lines = 0;
}

/* ---- lists ---- */

/* Items never move up past a figure: that would tear their list apart. */
static void
flow_item(struct flow *f, const struct block *item, const char *mark,
    enum role mark_role, double indent)
{
	const struct role_style *rs = &f->style->roles[ROLE_ITEM];
	const char *outside = f->path;
	const char *li = sub_path(f, outside, "LI", new_id(f));
	int mark_id = new_id(f), body = new_id(f), leaf = body, first = f->n;
	const char *path = sub_path(f, li, "LBody", body);
	struct text_para *p, *label;
	struct item *it;

	f->left += indent;
	f->width -= indent;
	f->path = path;
	f->pending = claim_anchor(f, item);
	if (item->first) {
		leaf = new_id(f);
		path = sub_path(f, path, "P", leaf);
	}
	p = inline_para(f, &item->text, ROLE_ITEM, rs->size, f->width, 0,
	    rs->align);
	label = plain_para(f, mark, mark_role, indent, TEXT_START);
	/* the label comes first in reading order: its slug is the first line */
	add_lines(f, &item->text, p, f->left, rs->before, rs->after, leaf,
	    path);
	it = add_item(f, &f->slugs[first], ITEM_LINE);
	memmove(f->slugs[first].items + 1, f->slugs[first].items,
	    (size_t)(f->slugs[first].n_items - 1) * sizeof(*it));
	f->slugs[first].items[0] = (struct item){.kind = ITEM_LINE,
	    .x = f->left - indent,
	    .w = indent,
	    .h = text_para_line_height(label, 0),
	    .para = label,
	    .to = 0,
	    .leaf = mark_id,
	    .path = sub_path(f, li, "Lbl", mark_id)};
	flow_blocks(f, item->first);
	for (int i = first; i < f->n; i++)
		f->slugs[i].may_overtake = false;
	f->path = outside;
	f->left -= indent;
	f->width += indent;
}

static const char *
item_mark(struct flow *f, const struct block *list, int n)
{
	char digits[16];

	if (!list->ordered)
		return f->style->bullet;
	snprintf(digits, sizeof(digits), "%d", n);
	return fill_hole(f->a, f->style->ordered, "n", digits);
}

static void
flow_list(struct flow *f, const struct block *b)
{
	const char *outside = f->path;
	double em = f->style->roles[ROLE_ITEM].size;
	double lead = f->frame ? 0 : f->style->roles[ROLE_BODY].indent * em;
	double indent = f->style->list_indent;
	enum role mark_role = b->ordered ? ROLE_ITEM : ROLE_BULLET;
	int n = 0;

	for (const struct block *i = b->first; i; i = i->next) {
		struct text_para *p = plain_para(f, item_mark(f, b, ++n),
		    mark_role, 1000, TEXT_START);

		if (text_para_widest(p) + em / 2 > indent)
			indent = text_para_widest(p) + em / 2;
	}
	if (strstr(outside, "/LBody."))
		lead = 0;
	f->path = sub_path(f, f->path, "L", new_id(f));
	f->left += lead;
	f->width -= lead;
	n = 0;
	for (const struct block *i = b->first; i; i = i->next) {
		n++;
		/* neither the first nor the last item alone on a page */
		if (n > 1 && (n == 2 || !i->next) && f->keep_lines == 0)
			f->keep_lines = 1;
		if (i->kind == BLOCK_ITEM && (i->text.n > 0 || i->first))
			flow_item(f, i, item_mark(f, b, n), mark_role, indent);
	}
	f->left -= lead;
	f->width += lead;
	f->path = outside;
}

/* ---- figures ---- */

static void
keep_chart(struct flow *f, const struct block *b, const struct chart_plan *plan)
{
	struct pages *p = f->pages;
	int n = p->n_charts;
	void *more;

	/* the array's type has no name, so it grows by hand */
	if ((n & (n - 1)) == 0) {
		more = arena_alloc(f->a, (size_t)(n ? 2 * n : 1),
		    sizeof(*p->charts));
		if (n > 0)
			memcpy(more, p->charts, (size_t)n * sizeof(*p->charts));
		p->charts = more;
	}
	p->charts[n].file = b->file;
	p->charts[n].plan = plan;
	p->n_charts++;
}

static struct text_para *
caption_para(struct flow *f, const struct anchor *n, double width)
{
	const char *text = *n->number ? arena_printf(f->a, "%s\xE2\x80\x82%s",
					    n->number, n->title)
				      : n->title;

	return *text ? plain_para(f, text, ROLE_CAPTION, width,
			   f->style->roles[ROLE_CAPTION].align)
		     : NULL;
}

static void
add_caption(struct flow *f, struct slug *s, const struct text_para *p, double y,
    const char *path)
{
	int leaf = new_id(f), piece = 0;
	struct inlines none = {0};

	for (int i = 0; p && i < text_para_lines(p); i++) {
		add_line_items(f, s, &none, p, i, f->left, y, leaf,
		    sub_path(f, path, "Caption", leaf), &piece);
		y += text_para_line_height(p, i);
	}
}

/* The part of its natural size at which a picture fits the page. */
static double
picture_scale(struct flow *f, const struct chart_plan *plan, double caption)
{
	double high = body_height(f->style, false) - caption - 24;
	double scale = 1;

	if (plan->width > f->width)
		scale = f->width / plan->width;
	if (plan->height * scale > high)
		scale = high / plan->height;
	return scale;
}

static void
flow_figure(struct flow *f, const struct block *b, int anchor)
{
	const struct anchor *n = &f->anchors->items[anchor];
	struct text_para *caption = caption_para(f, n, f->width);
	double below = caption ? f->style->figure_gap +
				     text_para_lines(caption) *
					 text_para_line_height(caption, 0)
			       : 0;
	const char *path = sub_path(f, f->path, "Div", new_id(f));
	struct chart_plan *plan;
	struct slug *s;
	struct item *it;
	double scale;

	plan = chart_build(f->a, f->e, b, f->doc->lang, f->width, f->d);
	if (!plan) {
		f->ok = false;
		return;
	}
	keep_chart(f, b, plan);
	scale = picture_scale(f, plan, below);
	f->pending = anchor;
	s = add_slug(f, 10, plan->height * scale + below + 12);
	s->tail = 12;
	s->may_float = !f->frame;
	it = add_item(f, s, ITEM_CHART);
	it->x = f->left + (f->width - plan->width * scale) / 2;
	it->w = plan->width * scale;
	it->h = plan->height * scale;
	it->plan = plan;
	it->alt = b->alt;
	it->leaf = new_id(f);
	it->path = sub_path(f, path, "Figure", it->leaf);
	add_caption(f, s, caption, it->h + f->style->figure_gap, path);
	f->keep_lines = 0;
}

/* ---- boxes ---- */

static void
keep_together(struct flow *f, int first, double share)
{
	double height = 0;

	for (int i = first; i < f->n; i++)
		height += f->slugs[i].height + f->slugs[i].before;
	if (height > share * body_height(f->style, false))
		return;
	for (int i = first + 1; i < f->n; i++)
		f->slugs[i].keep = true;
}

static void
flow_box(struct flow *f, const struct block *b)
{
	const struct page_style *st = f->style;
	struct frame *frame = arena_alloc(f->a, 1, sizeof(*frame));
	const char *outside = f->path;
	double pad = st->box_pad, bar = st->box_bar;
	int first = f->n;

	*frame = (struct frame){f->frame, f->left, f->width, st->tint[b->tone],
	    st->ink[b->tone], bar};
	f->frame = frame;
	f->path = sub_path(f, f->path, "Div", new_id(f));
	f->left += bar + pad + 2;
	f->width -= bar + 2 * pad + 2;
	add_slug(f, 8, pad - 1);
	f->keep_lines++;
	flow_text(f, &b->title, ROLE_BOX_TITLE, "P");
	if (b->title.n > 0 && f->keep_lines < 1)
		f->keep_lines = 1;
	flow_text(f, &b->text, ROLE_BODY, "P");
	flow_blocks(f, b->first);
	f->left -= bar + pad + 2;
	f->width += bar + 2 * pad + 2;
	f->path = outside;
	add_slug(f, 0, pad - 1)->keep = true;
	f->frame = frame->outer;
	keep_together(f, first, 0.5);
	/* what follows stands off the box */
	add_slug(f, 0, 8)->keep = true;
	f->slugs[f->n - 1].may_overtake = !f->frame;
}

/* ---- cover, contents, breaks ---- */

/* Lines of about equal length: as narrow as goes without one line more. */
static struct text_para *
balanced_para(struct flow *f, const struct inlines *in, enum role role)
{
	const struct role_style *rs = &f->style->roles[role];
	struct text_para *best =
	    inline_para(f, in, role, rs->size, f->width, 0, rs->align);
	int lines = text_para_lines(best);
	double low = f->width / 2, high = f->width;

	while (lines > 1 && high - low > rs->size / 4) {
		double mid = (low + high) / 2;
		struct text_para *p =
		    inline_para(f, in, role, rs->size, mid, 0, rs->align);

		if (text_para_lines(p) > lines) {
			low = mid;
		} else {
			high = mid;
			best = p;
		}
	}
	return best;
}

/* Lines of one text on the cover; returns the y below them. */
static double
cover_text(struct flow *f, struct slug *s, const struct inlines *in,
    enum role role, double y, const char *tag)
{
	const struct role_style *rs = &f->style->roles[role];
	int leaf = new_id(f), piece = 0;
	struct text_para *p;

	if (in->n == 0)
		return y;
	p = balanced_para(f, in, role);
	y += rs->before;
	for (int i = 0; i < text_para_lines(p); i++) {
		add_line_items(f, s, in, p, i, f->left, y, leaf,
		    sub_path(f, f->path, tag, leaf), &piece);
		y += text_para_line_height(p, i);
	}
	return y + rs->after;
}

static double
cover_lines_height(struct flow *f, const struct block *b)
{
	const struct role_style *rs = &f->style->roles[ROLE_COVER_LINE];
	double height = 0;

	for (const struct block *l = b->first; l; l = l->next) {
		struct text_para *p = inline_para(f, &l->text, ROLE_COVER_LINE,
		    rs->size, f->width, 0, rs->align);

		height += text_para_lines(p) * text_para_line_height(p, 0);
	}
	return height;
}

/* The title a third down, the lines at the foot, room for a seal between. */
static void
flow_cover(struct flow *f, const struct block *b)
{
	const struct page_style *st = f->style;
	double w = st->page_width, h = st->page_height, y, foot;
	struct slug *s = add_slug(f, 0, h);
	const char *outside = f->path;

	s->kind = SLUG_COVER;
	f->path = sub_path(f, f->path, "Sect", new_id(f));
	add_rect(f, s, 0, 0, w, 14, st->accent);
	add_rect(f, s, f->left, h * 0.27, 56, 4, st->accent);
	y = cover_text(f, s, &b->title, ROLE_COVER_TITLE, h * 0.27 + 22, "H1");
	y = cover_text(f, s, &b->text, ROLE_COVER_SUBTITLE, y, "P");

	foot = h - st->bottom - 30 - cover_lines_height(f, b);
	if (foot < y + 20)
		foot = y + 20;
	add_rect(f, s, f->left, foot - 12, f->width, 0.8, st->accent);
	for (const struct block *l = b->first; l; l = l->next)
		foot = cover_text(f, s, &l->text, ROLE_COVER_LINE, foot, "P");
	f->path = outside;
}

static void
flow_block(struct flow *f, const struct block *b)
{
	int anchor = claim_anchor(f, b);

	switch (b->kind) {
	case BLOCK_SECTION: flow_section(f, b, anchor); return;
	case BLOCK_FIGURE: flow_figure(f, b, anchor); return;
	case BLOCK_TABLE: flow_table(f, b, anchor); return;
	case BLOCK_BREAK: add_slug(f, 0, 0)->new_page = true; return;
	case BLOCK_CONTENTS: add_slug(f, 0, 0)->kind = SLUG_CONTENTS; return;
	case BLOCK_COVER: flow_cover(f, b); return;
	default: break;
	}
	if (anchor >= 0)
		f->pending = anchor;
	switch (b->kind) {
	case BLOCK_PARA: flow_para(f, b); break;
	case BLOCK_LIST: flow_list(f, b); break;
	case BLOCK_BOX: flow_box(f, b); break;
	default: break;
	}
}

static void
flow_blocks(struct flow *f, const struct block *first)
{
	for (const struct block *b = first; b; b = b->next)
		flow_block(f, b);
}

void
flow_document(struct flow *f)
{
	flow_blocks(f, f->doc->first);
}
