/*
 * A chart, decided: every mark has its place.  Made once by chart_build,
 * drawn by chart_draw into a page and by svg_write into a file.
 * Coordinates in pt, origin top left, y down.
 */
#ifndef CHART_PLAN_H
#define CHART_PLAN_H

#include <stdbool.h>

#include "text/text.h"

struct arena;
struct block;
struct diag;
struct str;

enum mark_kind {
	MARK_RECT,
	MARK_LINE,   /* two points */
	MARK_PATH,   /* polyline, closed if filled */
	MARK_CIRCLE, /* x, y, r */
	MARK_TEXT    /* x, y baseline; anchor */
};

enum hatch { HATCH_NONE, HATCH_DIAGONAL, HATCH_CROSS, HATCH_DOTS };

struct mark {
	enum mark_kind kind;
	double x, y, w, h, r;
	double *points; /* x0 y0 x1 y1 ... */
	int n_points;
	bool filled, stroked;
	struct rgb fill, stroke; /* a hatch is drawn in `stroke` */
	enum hatch hatch;
	double line_width;
	double dash;      /* pt, 0 solid */
	const char *text; /* TEXT: w is its measured width */
	struct text_style style;
	double anchor; /* 0 start, 0.5 middle, 1 end */
	double angle;  /* TEXT: degrees clockwise about x, y */
};

struct chart_plan {
	double width, height;
	const char *title, *desc; /* accessible name and description */
	const char *lang;
	struct mark *marks;
	int n_marks;
	const char *csv; /* the data behind the picture, UTF-8 */
};

/*
 * The plan of a figure block: its kind, data and labels decide all marks.
 * `width` is the width available.  NULL after reporting "chart-kind",
 * "chart-data" or "chart-label".  Kinds and the labels they need: kinds.h.
 */
struct chart_plan *chart_build(struct arena *a, struct text_engine *e,
    const struct block *figure, const char *lang, double width, struct diag *d);

void chart_draw(const struct chart_plan *p, struct text_engine *e, cairo_t *cr,
    double x, double y);

/* One line per mark, for --dump=plan and golden tests. */
void chart_dump(const struct chart_plan *p, struct str *out);

#endif
