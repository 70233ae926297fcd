/*
 * Inside of pdf: one drawing of all pages.
 */
#ifndef RENDER_PDF_PARTS_H
#define RENDER_PDF_PARTS_H

#include <cairo-pdf.h>

#include "layout/pages.h"
#include "render/archive.h"

enum { PDF_DEPTH_MAX = 64 };

struct drawer {
	struct arena *a;
	struct text_engine *e;
	const struct pages *pages;
	cairo_t *cr;
	double page_height;
	const char *open[PDF_DEPTH_MAX]; /* parts of the open path */
	size_t open_len[PDF_DEPTH_MAX];
	int depth;
	int leaf; /* the open leaf, 0 if none */
	/* all tags in the order in which they were begun */
	struct archive_tag *tags;
	int n_tags;
	const char **names; /* of tags, met so far */
	int n_names;
};

/* An address or name between cairo's quotes. */
char *pdf_quoted(struct arena *a, const char *s);

void pdf_draw_pages(struct drawer *w, cairo_surface_t *s);

#endif
