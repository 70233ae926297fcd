/*
 * Inside of the layout: the document becomes a list of slugs, strips of the
 * full height of a line, a row or a picture that are never cut; then the
 * slugs are put on pages.
 */
#ifndef LAYOUT_PARTS_H
#define LAYOUT_PARTS_H

#include "layout/pages.h"
#include "layout/style.h"

/* Something that can be referred to, in document order. */
struct anchor {
	const struct block *block;
	const char *id;     /* may be NULL */
	const char *dest;   /* name of its destination */
	const char *number; /* "第 2 章", "2.1", "图 2-1"; "" if unnumbered */
	const char *again;  /* "续表 2-1" */
	const char *ref;    /* as a reference reads */
	const char *title;
	int level; /* sections: 1..; else 0 */
	int page;  /* index of the page it fell on */
};

struct anchors {
	struct anchor *items;
	int n;
	struct anchor **by_id; /* sorted */
	int n_by_id;
};

/* Number all sections, figures and tables. */
struct anchors *anchors_new(struct arena *a, const struct document *doc);
const struct anchor *anchors_find(const struct anchors *s, const char *id);
/* `pattern` with {name} replaced by `value`. */
char *fill_hole(struct arena *a, const char *pattern, const char *name,
    const char *value);

/* A box: the tint behind the slugs that point to it. */
struct frame {
	const struct frame *outer;
	double x, width;
	struct rgb tint, bar;
	double bar_width;
};

/* What stands above the rows of a table on each page after the first. */
struct table_head {
	struct item *items;
	int n_items;
	double height;
};

enum slug_kind { SLUG_STRIP, SLUG_COVER, SLUG_CONTENTS };

struct slug {
	enum slug_kind kind;
	double before; /* space above, none at the top of a page */
	double height;
	double tail; /* white at its foot, which may hang over the margin */
	bool keep;   /* on the page of the slug before it */
	bool new_page;
	bool landscape;
	bool may_float;    /* a picture that text may overtake */
	bool may_overtake; /* text that may */
	const struct frame *frame;
	const struct table_head *head; /* repeated if a page starts here */
	int group;                     /* slug of the group row above, or -1 */
	int row;                       /* same number: bands of one table row */
	int anchor;                    /* or -1 */
	struct item *items;            /* y from the top of the slug */
	int n_items;
};

struct flow {
	struct arena *a;
	struct text_engine *e;
	const struct document *doc;
	const struct page_style *style;
	struct diag *d;
	struct anchors *anchors;
	int next_anchor;
	struct slug *slugs;
	int n;
	double left, width; /* of the column being filled */
	const struct frame *frame;
	const char *path;
	int last_id;         /* of tags */
	int keep_lines;      /* slugs still to be kept with a heading */
	int pending;         /* anchor whose place is the next slug, or -1 */
	struct pages *pages; /* collects the charts */
	bool ok;
};

/* ---- inline.c ---- */

/* Runs of inlines in a role; tags are the indices of the inlines. */
struct text_run *inline_runs(struct flow *f, const struct inlines *in,
    enum role role, double size, int *n);
struct text_para *
inline_para(struct flow *f, const struct inlines *in, enum role role,
    double size, double width, double indent, enum text_align align);
/* A paragraph of plain text. */
struct text_para *plain_para(struct flow *f, const char *text, enum role role,
    double width, enum text_align align);

/*
 * The items that show one line of a paragraph at x, y of a slug.  `leaf`
 * is the tag of the whole paragraph and `path` its containers.  If the
 * paragraph holds links or words in another language, its pieces become
 * leaves below it; `*piece` is carried from line to line (0 at the start).
 */
void add_line_items(struct flow *f, struct slug *s, const struct inlines *in,
    const struct text_para *p, int line, double x, double y, int leaf,
    const char *path, int *piece);

/* ---- flow.c ---- */

struct slug *add_slug(struct flow *f, double before, double height);
struct item *add_item(struct flow *f, struct slug *s, enum item_kind kind);
void add_rect(struct flow *f, struct slug *s, double x, double y, double w,
    double h, struct rgb color);
int new_id(struct flow *f);
/* The path of a new container or leaf below `path`. */
const char *sub_path(struct flow *f, const char *path, const char *tag, int id);
void flow_document(struct flow *f);
/* The height that a page offers to the text. */
double body_height(const struct page_style *s, bool landscape);

/* ---- table.c ---- */
void flow_table(struct flow *f, const struct block *b, int anchor);

/* ---- paginate.c ---- */

struct sheet {
	double width, height;
	bool landscape;
	enum slug_kind kind;
	struct item *items;
	int n_items;
};

struct sheets {
	struct sheet *items;
	int n;
	int contents; /* index before which the contents go, or -1 */
};

/* Put all slugs on pages; sets the pages of the anchors. */
struct sheets *paginate(struct flow *f);
/* Give each page's part of a leaf that runs over pages a leaf of its own. */
void split_leaves(struct flow *f, struct pages *p);

/* ---- contents.c ---- */

/* The pages of the table of contents; `label` tells a sheet's page number. */
struct sheets *contents_sheets(struct flow *f,
    const char *(*label)(const void *arg, int sheet), const void *arg);

#endif
