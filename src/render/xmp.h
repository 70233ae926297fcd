/*
 * The XMP packet of a file that is PDF/A-3a and PDF/UA-1.
 */
#ifndef RENDER_XMP_H
#define RENDER_XMP_H

#include <stdbool.h>

struct arena;
struct str;

/* What the document information says; a part that is NULL is left out. */
struct xmp {
	const char *title, *author, *subject, *keywords;
	const char *creator, *producer;
	const char *date; /* 2026-11-30T00:00:00Z */
	const char *lang;
};

void xmp_write(const struct xmp *x, struct str *out);

/*
 * The text of a property, as an attribute or as an element, also where the
 * element holds a list of one (its first item is meant); NULL if there is
 * none.
 */
char *xmp_find(struct arena *a, const char *packet, const char *property);

#endif
