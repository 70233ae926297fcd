/*
 * Inline runs to paragraphs, and lines of paragraphs to items.
 */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "layout/parts.h"

static const double QUIET_SIZE = 0.88; /* of the text around it */

/* The words of a reference: its own, or the number of what it points to. */
static const char *
reference_text(struct flow *f, const struct inl *in)
{
	const struct anchor *to = anchors_find(f->anchors, in->target);

	if (in->text && *in->text)
		return in->text;
	if (to)
		return to->ref;
	f->ok = diag_error(f->d, pos_file(NULL), "ref-unknown",
	    "no section, table or figure has the id '%s'",
	    in->target ? in->target : "");
	return "?";
}

static const char *
inline_text(struct flow *f, const struct inl *in)
{
	if (in->kind == INLINE_REF)
		return reference_text(f, in);
	if (in->text && *in->text)
		return in->text;
	return in->kind == INLINE_LINK && in->target ? in->target : "";
}

struct text_run *
inline_runs(struct flow *f, const struct inlines *in, enum role role,
    double size, int *n)
{
	const struct role_style *rs = &f->style->roles[role];
	struct text_run *runs =
	    arena_alloc(f->a, (size_t)in->n + 1, sizeof(*runs));

	for (int i = 0; i < in->n; i++) {
		const struct inl *it = &in->items[i];
		struct text_run *r = &runs[i];

		r->text = inline_text(f, it);
		r->tag = i;
		r->lang = it->lang;
		r->style = (struct text_style){rs->face, size, rs->color};
		switch (it->kind) {
		case INLINE_TEXT: break;
		case INLINE_STRONG: r->style.face = rs->strong; break;
		case INLINE_QUIET:
			r->style.size_pt = size * QUIET_SIZE;
			r->style.color = f->style->quiet;
			break;
		case INLINE_REF:
		case INLINE_LINK: r->style.color = f->style->link; break;
		case INLINE_MARK:
			r->style.face = FACE_SANS_BOLD;
			r->style.color = f->style->ink[it->tone];
			break;
		}
	}
	*n = in->n;
	return runs;
}

struct text_para *
inline_para(struct flow *f, const struct inlines *in, enum role role,
    double size, double width, double indent, enum text_align align)
{
	struct text_para_spec spec = {.width = width,
	    .indent = indent,
	    .line_height = f->style->roles[role].line_height,
	    .align = align};

	spec.runs = inline_runs(f, in, role, size, &spec.n_runs);
	return text_para_new(f->a, f->e, &spec);
}

struct text_para *
plain_para(struct flow *f, const char *text, enum role role, double width,
    enum text_align align)
{
	const struct role_style *rs = &f->style->roles[role];
	struct text_run run = {.text = text,
	    .style = {rs->face, rs->size, rs->color}};
	struct text_para_spec spec = {&run, 1, width, 0, rs->line_height,
	    align};

	return text_para_new(f->a, f->e, &spec);
}

static bool
is_link(const struct inl *in)
{
	return (in->kind == INLINE_REF || in->kind == INLINE_LINK) &&
	       in->target;
}

/* Must a part of the text have a leaf of its own: a link, another language? */
static bool
need_pieces(const struct inlines *in)
{
	for (int i = 0; i < in->n; i++)
		if (is_link(&in->items[i]) || in->items[i].lang)
			return true;
	return false;
}

/* Where a link leads, for those who do not see what it says. */
static const char *
link_target(struct flow *f, const struct inl *in, const struct anchor *to)
{
	if (!to)
		return in->target;
	return *to->title ? arena_printf(f->a, "%s %s", to->ref, to->title)
			  : to->ref;
}

/* The tint behind marks. */
static void
add_mark_tints(struct flow *f, struct slug *s, const struct inlines *in,
    const struct text_extent *ext, int n, const struct text_para *p, int line,
    double x, double y)
{
	double height = text_para_line_height(p, line);

	for (int i = 0; i < n; i++) {
		const struct inl *it = &in->items[ext[i].tag];

		if (it->kind == INLINE_MARK && it->tone != TONE_NONE)
			add_rect(f, s, x + ext[i].x - 1.5, y + height * 0.09,
			    ext[i].width + 3, height * 0.82,
			    f->style->tint[it->tone]);
	}
}

static void
add_piece(struct flow *f, struct slug *s, const struct text_para *p, int line,
    double x, double y, int from, int to, int leaf, const char *path)
{
	struct item *it = add_item(f, s, ITEM_LINE);

	it->x = x;
	it->y = y;
	it->w = text_para_widest(p);
	it->h = text_para_line_height(p, line);
	it->para = p;
	it->line = line;
	it->from = from;
	it->to = to;
	it->leaf = leaf;
	it->path = path;
}

/* One link: its rectangle, then its text, in a leaf of their own. */
static void
add_link_piece(struct flow *f, struct slug *s, const struct inl *in,
    const struct text_para *p, int line, double x, double y,
    const struct text_extent *ext, const char *path)
{
	const struct anchor *to = in->kind == INLINE_REF
				      ? anchors_find(f->anchors, in->target)
				      : NULL;
	int leaf = new_id(f);
	struct item *it;

	if (in->kind == INLINE_REF && !to)
		return;
	path = sub_path(f, path, "Link", leaf);
	it = add_item(f, s, ITEM_LINK);
	it->x = x + ext->x;
	it->y = y;
	it->w = ext->width;
	it->h = text_para_line_height(p, line);
	it->name = to ? to->dest : in->target;
	it->external = !to;
	it->alt = link_target(f, in, to);
	it->lang = in->lang;
	it->leaf = leaf;
	it->path = path;
	add_piece(f, s, p, line, x, y, ext->tag, ext->tag, leaf, path);
}

/* The runs from `i` on that can share a leaf: no link, one language. */
static int
piece_end(const struct inlines *in, const struct text_extent *ext, int n, int i)
{
	const char *lang = in->items[ext[i].tag].lang;
	int end = i + 1;

	while (end < n && !is_link(&in->items[ext[end].tag]) &&
	       str_equal(in->items[ext[end].tag].lang, lang))
		end++;
	return end;
}

/* `*piece` goes on from line to line as long as the language does. */
static void
add_pieces(struct flow *f, struct slug *s, const struct inlines *in,
    const struct text_para *p, int line, double x, double y,
    const struct text_extent *ext, int n, const char *path, int *piece)
{
	for (int i = 0, end; i < n; i = end) {
		const struct inl *first = &in->items[ext[i].tag];

		if (is_link(first)) {
			add_link_piece(f, s, first, p, line, x, y, &ext[i],
			    path);
			*piece = 0;
			end = i + 1;
			continue;
		}
		end = piece_end(in, ext, n, i);
		if (*piece == 0 || i > 0 || first->lang)
			*piece = new_id(f);
		add_piece(f, s, p, line, x, y, ext[i].tag, ext[end - 1].tag,
		    *piece, sub_path(f, path, "Span", *piece));
		s->items[s->n_items - 1].lang = first->lang;
		if (first->lang)
			*piece = 0;
	}
}

void
add_line_items(struct flow *f, struct slug *s, const struct inlines *in,
    const struct text_para *p, int line, double x, double y, int leaf,
    const char *path, int *piece)
{
	struct text_extent *ext =
	    arena_alloc(f->a, (size_t)in->n + 1, sizeof(*ext));
	int n = text_para_extents(p, line, ext, in->n);

	add_mark_tints(f, s, in, ext, n, p, line, x, y);
	if (leaf > 0 && need_pieces(in))
		add_pieces(f, s, in, p, line, x, y, ext, n, path, piece);
	else
		add_piece(f, s, p, line, x, y, INT_MIN, INT_MAX, leaf, path);
}
