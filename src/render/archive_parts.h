/*
 * Inside of archive: the pieces that complete the file.
 */
#ifndef RENDER_ARCHIVE_PARTS_H
#define RENDER_ARCHIVE_PARTS_H

#include <stdlib.h>

#include "render/archive.h"
#include "render/content.h"
#include "render/qobj.h"

struct archiver {
	struct arena *a;
	qpdf_data q;
	const struct archive *ar;
	int *file_ids; /* objects of the file specifications */
};

/* "2026-11-30T00:00:00Z" as PDF writes dates. */
const char *pdf_date(struct arena *a, const char *iso);

/* Embed the files; fills `file_ids`. */
void archive_add_files(struct archiver *w);

/*
 * Walk the structure tree along the tags and add what they know.  False if
 * the two differ.
 */
bool archive_finish_tags(struct archiver *w);

#endif
