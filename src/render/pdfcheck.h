/*
 * Does a PDF keep the promises of PDF/A-3a and PDF/UA-1, as far as a program
 * can tell?  Each rule has an id, the clause it comes from, and a test with
 * a broken file that it finds.  Not a full validator: the rules are those
 * that a file made by cairo and libqpdf can break.
 */
#ifndef RENDER_PDFCHECK_H
#define RENDER_PDFCHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct arena;

struct pdfcheck_rule {
	const char *id;     /* of the problem reported: "ua-figure-alt" */
	const char *clause; /* "UA-1 7.3" */
	const char *about;
};

const struct pdfcheck_rule *pdfcheck_rules(int *n);

/*
 * Check the file that was read into `src`.  Findings become errors, the
 * first few of each rule; false if there is any.
 */
bool pdfcheck(struct arena *a, const struct source *src, struct diag *d);

#endif
