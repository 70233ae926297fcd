/*
 * Pages to PDF: text, charts, links, outline, page labels, metadata, tags;
 * the file is PDF/A-3a and PDF/UA-1, and the charts' data are in it.
 */
#ifndef RENDER_PDF_H
#define RENDER_PDF_H

#include <stdbool.h>

#include "doc/doc.h"
#include "layout/pages.h"
#include "render/archive.h"

/* Files that go into the PDF besides the charts' data. */
struct pdf_extras {
	const struct archive_file *files;
	int n_files;
};

/*
 * A PDF whose pages are drawn: it no longer needs pages and document, only
 * the engine.  Lives in `a`.  NULL after reporting.
 */
struct pdf_draft;
struct pdf_draft *pdf_draw(struct arena *a, struct text_engine *e,
    const struct pages *p, const struct document *doc, struct diag *d);

/*
 * Write the draft to `path`, once; false after reporting.  `x` may be NULL.
 * Same input, same bytes.
 */
bool pdf_finish(struct pdf_draft *f, const struct pdf_extras *x,
    const char *path, struct diag *d);

/* Both in one. */
bool pdf_write(struct text_engine *e, const struct pages *p,
    const struct document *doc, const struct pdf_extras *x, const char *path,
    struct diag *d);

#endif
