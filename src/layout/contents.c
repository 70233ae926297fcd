/*
 * The table of contents: titles with leaders and page numbers.
 */
#include "base/arena.h"
#include "layout/parts.h"

static const double LEADER_PITCH = 4, LEADER_GAP = 5;

struct entry {
	const struct anchor *anchor;
	const char *label;
	enum role role;
	double x, number_width; /* the title hangs behind its number */
	const char *path;       /* of the TOC */
};

static void
add_leader(struct flow *f, struct slug *s, double from, double to, double y)
{
	struct item *it;

	if (to - from < 2 * LEADER_PITCH)
		return;
	it = add_item(f, s, ITEM_RECT);
	it->x = from;
	it->y = y;
	it->w = to - from;
	it->h = 0.7;
	it->dash = LEADER_PITCH;
	it->color = f->style->quiet;
}

static void
add_text(struct flow *f, struct slug *s, const struct text_para *p, int line,
    double x, int leaf, const char *path)
{
	struct inlines none = {0};
	int piece = 0;

	add_line_items(f, s, &none, p, line, x, 0, leaf, path, &piece);
}

static void
add_entry(struct flow *f, const struct entry *e)
{
	const struct role_style *rs = &f->style->roles[e->role];
	double right = f->left + f->width, title_x = e->x + e->number_width;
	/* the spaces show only where the text is read out or copied */
	struct text_para *number =
	    plain_para(f, arena_printf(f->a, "%s ", e->anchor->number), e->role,
		f->width, TEXT_START);
	struct text_para *label =
	    plain_para(f, e->label, e->role, 60, TEXT_END);
	struct text_para *title =
	    plain_para(f, arena_printf(f->a, "%s ", e->anchor->title), e->role,
		right - title_x - 48, TEXT_START);
	int n = text_para_lines(title), leaf = new_id(f);
	double h = text_para_line_height(title, 0);
	const char *path =
	    sub_path(f, sub_path(f, e->path, "TOCI", new_id(f)), "Link", leaf);

	for (int i = 0; i < n; i++) {
		struct slug *s = add_slug(f, i == 0 ? rs->before : 0, h);
		bool last = i == n - 1;
		struct item *it;

		s->keep |= i > 0;
		if (last)
			add_leader(f, s,
			    title_x + LEADER_GAP +
				text_para_line_width(title, i),
			    right - text_para_line_width(label, 0) - LEADER_GAP,
			    text_para_baseline(title, i));
		it = add_item(f, s, ITEM_LINK);
		it->x = e->x;
		it->w = right - e->x;
		it->h = h;
		it->name = e->anchor->dest;
		it->alt = arena_printf(f->a, "%s%s%s", e->anchor->number,
		    *e->anchor->number ? " " : "", e->anchor->title);
		it->leaf = leaf;
		it->path = path;
		if (i == 0 && *e->anchor->number)
			add_text(f, s, number, 0, e->x, leaf, path);
		add_text(f, s, title, i, title_x, leaf, path);
		if (last)
			add_text(f, s, label, 0, right - 60, leaf, path);
	}
}

/* The widest number of each level, so that titles line up. */
static void
measure_numbers(struct flow *f, double widths[4])
{
	for (int i = 0; i < f->anchors->n; i++) {
		const struct anchor *n = &f->anchors->items[i];
		struct text_style st;
		double w;

		if (n->level < 1 || n->level > 3 || !*n->number)
			continue;
		st = (struct text_style){
		    f->style->roles[ROLE_CONTENTS_1 + n->level - 1].face,
		    f->style->roles[ROLE_CONTENTS_1 + n->level - 1].size,
		    {0, 0, 0}};
		w = text_measure(f->e, &st, n->number).width + 0.7 * st.size_pt;
		if (w > widths[n->level])
			widths[n->level] = w;
	}
}

static void
add_title(struct flow *f, const char *path)
{
	const struct role_style *rs = &f->style->roles[ROLE_CONTENTS_TITLE];
	const char *text = f->doc->contents_title;
	struct text_para *p;
	struct slug *s;
	int leaf = new_id(f);

	if (!text || !*text)
		return;
	p = plain_para(f, text, ROLE_CONTENTS_TITLE, f->width, rs->align);
	s = add_slug(f, rs->before, text_para_line_height(p, 0) + rs->after);
	add_text(f, s, p, 0, f->left, leaf, sub_path(f, path, "H1", leaf));
	f->keep_lines = 2;
}

struct sheets *
contents_sheets(struct flow *doc, const char *(*label)(const void *, int),
    const void *arg)
{
	struct flow f = *doc;
	double widths[4] = {0}, indent[4] = {0};
	const char *path = sub_path(&f, "", "Sect", new_id(&f)), *toc;
	struct sheets *sheets;

	f.slugs = NULL;
	f.n = 0;
	f.keep_lines = 0;
	f.pending = -1;
	measure_numbers(&f, widths);
	for (int l = 2; l <= 3; l++)
		indent[l] = indent[l - 1] + (l == 2 ? 14 : widths[2]);
	add_title(&f, path);
	toc = sub_path(&f, path, "TOC", new_id(&f));
	for (int i = 0; i < f.anchors->n; i++) {
		const struct anchor *n = &f.anchors->items[i];
		struct entry e = {n, "", ROLE_CONTENTS_1, 0, 0, toc};

		if (n->level < 1 || n->level > f.style->contents_depth)
			continue;
		e.label = label(arg, n->page);
		e.role = ROLE_CONTENTS_1 + (enum role)(n->level - 1);
		e.x = f.left + indent[n->level];
		e.number_width = *n->number ? widths[n->level] : 0;
		add_entry(&f, &e);
	}
	sheets = paginate(&f);
	doc->last_id = f.last_id;
	return sheets;
}
