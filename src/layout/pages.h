/*
 * Pages: the document with every line, rule and picture in its place, ready
 * to be drawn in order.  Coordinates in pt from the page's top left corner.
 */
#ifndef LAYOUT_PAGES_H
#define LAYOUT_PAGES_H

#include "chart/plan.h"
#include "doc/doc.h"
#include "text/text.h"

struct arena;
struct str;

enum item_kind {
	ITEM_LINE, /* one line of a paragraph */
	ITEM_RECT, /* fill or rule */
	ITEM_CHART,
	ITEM_DEST, /* a place links can jump to */
	ITEM_LINK, /* a rectangle that jumps */
	ITEM_BLANK /* an empty leaf: a table's cell without text */
};

/*
 * The tag of an item in the document's structure.  Items that follow each
 * other with the same `leaf` share one leaf; `path` names the containers
 * from the outside in and the leaf itself, e.g. "Sect.3/Table.7/TR.8/TD.9".
 * A link's rectangle comes before its text and has the same leaf.  Artifacts
 * (running heads, rules, repeated table heads) have leaf 0.
 */
struct item {
	enum item_kind kind;
	double x, y, w, h;
	const struct text_para *para; /* LINE */
	int line;
	int from, to;     /* LINE: only the runs with these tags */
	struct rgb color; /* RECT */
	double dash;      /* RECT: a dotted line with this pitch; 0 solid */
	const struct chart_plan *plan; /* CHART */
	const char *alt;  /* CHART: what it shows; LINK: where it leads */
	const char *lang; /* LINE: of the leaf; NULL: the document's */
	int columns;      /* of the table that the leaf's cell spans */
	const char *name; /* DEST; LINK: where to, or an address */
	bool external;
	int leaf;
	const char *path; /* each part with a number: "Sect.3/P.17" */
};

struct page {
	double width, height;
	const char *label; /* "封面", "ii", "12" */
	struct item *items;
	int n_items;
};

struct outline_entry {
	int level;
	const char *title, *dest;
	int page;
};

struct pages {
	struct page *pages;
	int n;
	struct outline_entry *outline;
	int n_outline;
	/* the plans in document order, for the SVG files */
	struct {
		const char *file;
		const struct chart_plan *plan;
	} * charts;
	int n_charts;
};

/*
 * Lay the document out.  NULL after reporting (a chart that cannot be
 * built, "table-wide", "ref-unknown").  `style` holds sizes and colours;
 * NULL takes the one of the document's language.
 */
struct page_style;
struct pages *layout_document(struct arena *a, struct text_engine *e,
    const struct document *doc, const struct page_style *style, struct diag *d);

/* One line per item, for --dump=pages. */
void pages_dump(const struct pages *p, struct str *out);

#endif
