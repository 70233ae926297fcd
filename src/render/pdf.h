/*
 * Pages to PDF: text, charts, links, outline, page labels, metadata, tags.
 */
#ifndef RENDER_PDF_H
#define RENDER_PDF_H

#include <stdbool.h>

#include "doc/doc.h"
#include "layout/pages.h"

/* Write to `path`; false after reporting.  Same input, same bytes. */
bool pdf_write(struct arena *a, struct text_engine *e, const struct pages *p,
    const struct document *doc, const char *path, struct diag *d);

#endif
