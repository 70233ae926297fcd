/*
 * A tagged PDF as cairo 1.16 writes it, completed with libqpdf to a file
 * that is PDF/A-3a and PDF/UA-1 at once: metadata, output intent, languages,
 * alternate texts, table heads, links, artifacts, embedded files, file
 * identifier.  What cairo writes and what it lacks: pdfcheck.h tests every
 * point of it.
 */
#ifndef RENDER_ARCHIVE_H
#define RENDER_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct arena;

/* What cairo cannot say of a structure element. */
struct archive_tag {
	const char *type; /* "TD": as given to cairo */
	const char *alt;  /* Figure: what it shows; Link: where it leads */
	const char *lang; /* NULL: the document's */
	/* Figure: left, bottom, right, top in pt from the bottom left */
	double box[4];
	int columns; /* TD, TH: that it spans; 0 and 1 are the same */
	int cell;    /* TD, TH: its number; parts on later pages repeat it */
	int file;    /* Figure: its data, 1 + index of a file; 0 none */
};

/* A file that travels inside the PDF. */
struct archive_file {
	const char *name;
	const char *type;     /* "text/csv" */
	const char *about;    /* may be NULL */
	const char *relation; /* "Data", "Source", "Supplement" */
	const void *data;
	size_t len;
};

struct archive {
	const char *lang;
	const char *date;               /* 2026-11-30T00:00:00Z */
	const struct archive_tag *tags; /* in the order given to cairo */
	int n_tags;
	const struct archive_file *files;
	int n_files;
};

/*
 * Complete the file in `data` and write it to `path`.  False after reporting
 * "pdf-structure" (the file does not hold the tags listed) or "pdf-write".
 */
bool archive_write(const struct archive *ar, const void *data, size_t len,
    const char *path, struct diag *d);

#endif
