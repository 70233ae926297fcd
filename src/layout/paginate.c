/*
 * Slugs to pages: fill each page as far as it goes, then step back to the
 * last place where a break is allowed.  A picture that does not fit waits
 * for the next page while text moves up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "layout/parts.h"

enum { FLOATS_MAX = 4, FRAMES_MAX = 16 };

struct placed {
	int slug;
	double y;
};

struct pager {
	struct flow *f;
	struct sheets *out;
	struct placed *placed; /* on the page being filled */
	int n;
	int waiting[FLOATS_MAX]; /* pictures that did not fit */
	int n_waiting, n_old;    /* of these, from earlier pages */
	double y, avail;
	bool landscape;
	const struct table_head *head; /* repeated at the top of this page */
	int group;                     /* and this group row, or -1 */
};

/* Where the page may end, and how to get back there. */
struct retreat {
	int slug, n, n_waiting;
	double y;
};

static const double CUT_BLEED = 4; /* of a box's tint where it is cut */

static bool
is_white(const struct slug *s)
{
	return s->n_items == 0 && !s->frame && s->kind == SLUG_STRIP;
}

static void
place(struct pager *p, int slug)
{
	const struct slug *s = &p->f->slugs[slug];

	if (p->n > 0)
		p->y += s->before;
	p->placed[p->n++] = (struct placed){slug, p->y};
	p->y += s->height;
}

static bool
fits(const struct pager *p, const struct slug *s)
{
	double before = p->n > 0 ? s->before : 0;

	return p->y + before + s->height - s->tail <= p->avail + 0.01;
}

/* Pictures left over from the page before come first. */
static void
place_waiting(struct pager *p)
{
	int done = 0;

	while (done < p->n_waiting &&
	       (p->n == 0 || fits(p, &p->f->slugs[p->waiting[done]])))
		place(p, p->waiting[done++]);
	p->n_waiting -= done;
	memmove(p->waiting, p->waiting + done,
	    (size_t)p->n_waiting * sizeof(p->waiting[0]));
	p->n_old = p->n_waiting;
}

/* The head of a table that goes on from the page before. */
static void
place_head(struct pager *p, int slug)
{
	const struct slug *s = &p->f->slugs[slug];

	if (p->n > 0 || p->head || !s->head)
		return;
	p->head = s->head;
	p->y += s->head->height;
	if (s->group >= 0) {
		p->group = s->group;
		p->y += p->f->slugs[s->group].height;
	}
}

/* A chapter does not start near the foot of a page. */
static bool
starts_too_low(const struct pager *p, const struct slug *s)
{
	return s->anchor >= 0 && p->f->anchors->items[s->anchor].level == 1 &&
	       p->y > p->f->style->chapter_room * p->avail;
}

/* Must this slug start a page, if it does not already? */
static bool
wants_new_page(const struct pager *p, const struct slug *s)
{
	return s->new_page || s->kind != SLUG_STRIP ||
	       s->landscape != p->landscape || starts_too_low(p, s);
}

static void
start_page(struct pager *p, int slug)
{
	const struct flow *f = p->f;

	p->n = 0;
	p->y = 0;
	p->head = NULL;
	p->group = -1;
	p->landscape =
	    slug < f->n && p->n_waiting == 0 && f->slugs[slug].landscape;
	p->avail = body_height(f->style, p->landscape);
	place_waiting(p);
}

/* May the picture wait for the next page? */
static bool
can_wait(const struct pager *p, int slug)
{
	const struct slug *s = &p->f->slugs[slug];

	return s->may_float && !s->keep && p->n > 0 &&
	       p->n_waiting < FLOATS_MAX;
}

static int
step_back(struct pager *p, int slug, const struct retreat *r)
{
	if (p->n == 0) { /* taller than a page: nothing else to do */
		place_head(p, slug);
		place(p, slug);
		return slug + 1;
	}
	if (!p->f->slugs[slug].keep || r->n == 0)
		return slug;
	p->n = r->n;
	p->n_waiting = r->n_waiting;
	p->y = r->y;
	return r->slug;
}

/* Fill one page from slug `i` on; returns the slug that starts the next. */
static int
fill_page(struct pager *p, int i)
{
	const struct flow *f = p->f;
	struct retreat r = {0};

	start_page(p, i);
	for (; i < f->n; i++) {
		const struct slug *s = &f->slugs[i];

		if (s->kind != SLUG_STRIP || (p->n > 0 && wants_new_page(p, s)))
			return i;
		if (is_white(s) && (p->n == 0 || !fits(p, s)))
			continue;
		if (p->n_waiting > 0 && !s->may_overtake && !is_white(s))
			return step_back(p, i, &r);
		place_head(p, i);
		if (!fits(p, s)) {
			if (!can_wait(p, i))
				return step_back(p, i, &r);
			p->waiting[p->n_waiting++] = i;
			continue;
		}
		if (!s->keep)
			r = (struct retreat){i, p->n, p->n_waiting, p->y};
		place(p, i);
	}
	return i;
}

/* ---- a filled page becomes a sheet ---- */

static struct item *
sheet_item(struct flow *f, struct sheet *sh)
{
	return arena_push(f->a, &sh->items, &sh->n_items, sizeof(struct item));
}

static void
copy_items(struct flow *f, struct sheet *sh, const struct item *items, int n,
    double y, bool as_artifact)
{
	for (int i = 0; i < n; i++) {
		struct item *it;

		if (as_artifact &&
		    (items[i].kind == ITEM_DEST || items[i].kind == ITEM_LINK))
			continue;
		it = sheet_item(f, sh);
		*it = items[i];
		it->y += y;
		if (as_artifact) {
			it->leaf = 0;
			it->path = "";
		}
	}
}

static bool
is_within(const struct slug *s, const struct frame *frame)
{
	for (const struct frame *f = s->frame; f; f = f->outer)
		if (f == frame)
			return true;
	return false;
}

/* The tint and bar of a frame that starts on this page at placed `i`. */
static void
add_frame(struct pager *p, struct sheet *sh, const struct frame *frame, int i,
    double top)
{
	const struct slug *slugs = p->f->slugs;
	const struct placed *first = &p->placed[i], *last = first;
	double y = first->y, end;
	struct item *it;

	while (last + 1 < p->placed + p->n &&
	       is_within(&slugs[last[1].slug], frame))
		last++;
	end = last->y + slugs[last->slug].height;
	if (first->slug > 0 && is_within(&slugs[first->slug - 1], frame))
		y -= CUT_BLEED;
	if (last->slug + 1 < p->f->n &&
	    is_within(&slugs[last->slug + 1], frame))
		end += CUT_BLEED;
	for (int k = 0; k < 2; k++) {
		it = sheet_item(p->f, sh);
		*it = (struct item){.kind = ITEM_RECT,
		    .x = frame->x,
		    .y = top + y,
		    .w = k ? frame->bar_width : frame->width,
		    .h = end - y,
		    .color = k ? frame->bar : frame->tint,
		    .path = ""};
	}
}

static void
add_frames(struct pager *p, struct sheet *sh, double top)
{
	for (int i = 0; i < p->n; i++) {
		const struct frame *chain[FRAMES_MAX];
		int n = 0;

		for (const struct frame *f =
			 p->f->slugs[p->placed[i].slug].frame;
		     f && n < FRAMES_MAX; f = f->outer)
			if (i == 0 ||
			    !is_within(&p->f->slugs[p->placed[i - 1].slug], f))
				chain[n++] = f;
		while (n > 0)
			add_frame(p, sh, chain[--n], i, top);
	}
}

static int
cell_number(const struct item *it)
{
	const char *cell = strstr(it->path, "/TD.");

	if (!cell)
		cell = strstr(it->path, "/TH.");
	return cell ? (int)strtol(cell + 4, NULL, 10) : 0;
}

static int
compare_cells(const void *x, const void *y)
{
	const struct item *const *a = x, *const *b = y;
	int order = cell_number(*a) - cell_number(*b);

	return order ? order : (*a > *b) - (*a < *b);
}

/* The bands of one row go line by line; read them cell by cell. */
static void
order_by_cell(struct flow *f, struct sheet *sh, int first)
{
	int n = sh->n_items - first;
	struct item **order = arena_alloc(f->a, (size_t)n + 1, sizeof(*order));
	struct item *copy = arena_alloc(f->a, (size_t)n + 1, sizeof(*copy));

	for (int i = 0; i < n; i++)
		order[i] = &sh->items[first + i];
	qsort(order, (size_t)n, sizeof(*order), compare_cells);
	for (int i = 0; i < n; i++)
		copy[i] = *order[i];
	memcpy(sh->items + first, copy, (size_t)n * sizeof(*copy));
}

static struct sheet *
add_sheet(struct pager *p)
{
	const struct page_style *st = p->f->style;
	struct sheet *sh =
	    arena_push(p->f->a, &p->out->items, &p->out->n, sizeof(*sh));

	sh->landscape = p->landscape;
	sh->width = p->landscape ? st->page_height : st->page_width;
	sh->height = p->landscape ? st->page_width : st->page_height;
	return sh;
}

static void
add_continued_head(struct pager *p, struct sheet *sh, double top)
{
	struct flow *f = p->f;

	if (!p->head)
		return;
	copy_items(f, sh, p->head->items, p->head->n_items, top, true);
	if (p->group >= 0)
		copy_items(f, sh, f->slugs[p->group].items,
		    f->slugs[p->group].n_items, top + p->head->height, true);
}

static void
finish_page(struct pager *p)
{
	struct flow *f = p->f;
	struct sheet *sh = add_sheet(p);
	double top = f->style->top;

	add_frames(p, sh, top);
	add_continued_head(p, sh, top);
	for (int i = 0, end; i < p->n; i = end) {
		const struct slug *s = &f->slugs[p->placed[i].slug];
		int first = sh->n_items;

		for (end = i; end < p->n; end++) {
			const struct slug *t = &f->slugs[p->placed[end].slug];

			if (end > i &&
			    (!s->row || t->row != s->row || t->head != s->head))
				break;
			copy_items(f, sh, t->items, t->n_items,
			    top + p->placed[end].y, false);
			if (t->anchor >= 0)
				f->anchors->items[t->anchor].page =
				    p->out->n - 1;
		}
		if (end > i + 1)
			order_by_cell(f, sh, first);
	}
}

/* Covers are a page of their own; contents only mark their place. */
static void
place_special(struct pager *p, const struct slug *s)
{
	struct sheet *sh;

	if (s->kind == SLUG_CONTENTS) {
		if (p->out->contents < 0)
			p->out->contents = p->out->n;
		return;
	}
	p->landscape = false;
	sh = add_sheet(p);
	sh->kind = SLUG_COVER;
	copy_items(p->f, sh, s->items, s->n_items, 0, false);
	if (s->anchor >= 0)
		p->f->anchors->items[s->anchor].page = p->out->n - 1;
}

struct sheets *
paginate(struct flow *f)
{
	struct pager p = {.f = f};
	int i = 0;

	p.out = arena_alloc(f->a, 1, sizeof(*p.out));
	p.out->contents = -1;
	p.placed =
	    arena_alloc(f->a, (size_t)f->n + FLOATS_MAX, sizeof(*p.placed));
	while (i < f->n || p.n_waiting > 0) {
		if (i < f->n && p.n_waiting == 0 &&
		    f->slugs[i].kind != SLUG_STRIP) {
			place_special(&p, &f->slugs[i++]);
			continue;
		}
		i = fill_page(&p, i);
		if (p.n > 0)
			finish_page(&p);
	}
	return p.out;
}

/* ---- leaves over several pages ---- */

struct leaf_use {
	int page; /* + 1, of the last use */
	bool split;
	int piece; /* leaf of the part on that page */
};

static bool
may_split(const char *path)
{
	const char *last = strrchr(path, '/');

	last = last ? last + 1 : path;
	return strncmp(last, "TD.", 3) != 0 && strncmp(last, "TH.", 3) != 0 &&
	       strncmp(last, "Link.", 5) != 0;
}

static void
split_item(struct flow *f, struct leaf_use *u, struct item *it, int page)
{
	const char *base = it->path, *last = strrchr(base, '/');

	if (u->page != page + 1) {
		u->page = page + 1;
		u->piece = new_id(f);
	}
	if (last && strncmp(last, "/Span.", 6) == 0)
		base = arena_strndup(f->a, base, (size_t)(last - base));
	it->leaf = u->piece;
	it->path = sub_path(f, base, "Span", u->piece);
}

void
split_leaves(struct flow *f, struct pages *p)
{
	struct leaf_use *use =
	    arena_alloc(f->a, (size_t)f->last_id + 1, sizeof(*use));

	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++) {
			const struct item *it = &p->pages[i].items[k];
			struct leaf_use *u = &use[it->leaf];

			if (u->page && u->page != i + 1 && may_split(it->path))
				u->split = it->leaf > 0;
			u->page = i + 1;
		}
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++) {
			struct item *it = &p->pages[i].items[k];

			if (use[it->leaf].split)
				split_item(f, &use[it->leaf], it, i);
		}
}
