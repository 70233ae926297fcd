/*
 * Inside of pdfcheck.  The structure tree and the marks on the pages are
 * collected first and compared afterwards.
 */
#ifndef RENDER_PDFCHECK_PARTS_H
#define RENDER_PDFCHECK_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "render/content.h"
#include "render/pdfcheck.h"
#include "render/qobj.h"

enum rule {
	RULE_READ,
	RULE_HEADER,
	RULE_ENDSTREAM,
	RULE_ID,
	RULE_ENCRYPT,
	RULE_DANGLING,
	RULE_LIMITS,
	RULE_STREAM,
	RULE_ACTION,
	RULE_GRAPHICS,
	RULE_IMAGE,
	RULE_INTENT,
	RULE_XMP,
	RULE_XMP_A,
	RULE_XMP_UA,
	RULE_XMP_SCHEMA,
	RULE_XMP_INFO,
	RULE_MARKED,
	RULE_TITLE,
	RULE_LANG,
	RULE_OUTLINE,
	RULE_FILES,
	RULE_FILES_AF,
	RULE_FILES_SUM,
	RULE_OPERATOR,
	RULE_NESTING,
	RULE_COLOUR,
	RULE_UNTAGGED,
	RULE_ARTIFACT,
	RULE_MARKS,
	RULE_MCID,
	RULE_PARENT,
	RULE_FONT_FILE,
	RULE_FONT_CID,
	RULE_FONT_UNICODE,
	RULE_FONT_NOTDEF,
	RULE_ANNOT_FLAGS,
	RULE_ANNOT_TYPE,
	RULE_ANNOT_TEXT,
	RULE_ANNOT_TAG,
	RULE_TABS,
	RULE_TREE,
	RULE_ROLE,
	RULE_CHILD,
	RULE_LEAF,
	RULE_HEADING,
	RULE_FIGURE_ALT,
	RULE_FIGURE_BOX,
	RULE_TABLE_HEAD,
	RULE_TABLE_SCOPE,
	RULE_TABLE_ROW,
	RULE_LINK,
	RULE_SPAN_LANG,
	N_RULES
};

/* A structure element. */
struct element {
	int id;     /* of the object */
	int parent; /* index, -1 for those below the root */
	const char *type;
	int n_elements, n_marks, n_objects; /* below it */
};

/* A mark that an element claims as its content. */
struct claim {
	int page; /* object */
	int mcid;
	int element; /* object */
};

/* What the pages show. */
struct page_marks {
	int id;
	int *mcids; /* in the order met */
	int n_mcids;
};

struct font_use {
	int id;
	unsigned char codes[65536 / 8]; /* bits of the codes shown */
	bool wide;                      /* codes of two bytes */
};

struct check {
	struct arena *a;
	const struct source *src;
	struct diag *d;
	qpdf_data q;
	int found[N_RULES];
	int n_objects;            /* one more than the highest number */
	struct element *elements; /* in reading order */
	int n_elements;
	struct claim *claims;
	int n_claims;
	struct page_marks *pages;
	int n_pages;
	struct font_use **fonts;
	int n_fonts;
	bool *forms_seen; /* by object */
};

/* Report once; always false. */
bool broken(struct check *c, enum rule r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

bool is_language(const char *tag);
/* An element, or the elements of a page's marks, in the parent tree. */
qpdf_oh parent_entry(struct check *c, long long key);

/* pdfcheck_object.c: every object by itself. */
void check_bytes(struct check *c);
void check_objects(struct check *c);
/* pdfcheck_catalog.c: the document as a whole. */
void check_trailer(struct check *c);
void check_catalog(struct check *c);
void check_metadata(struct check *c);
void check_files(struct check *c);
/* pdfcheck_page.c, pdfcheck_font.c, pdfcheck_annot.c: pages, in order. */
void check_pages(struct check *c);
void check_annotations(struct check *c, qpdf_oh page, int number);
/* A font is chosen: NULL if it is none. */
struct font_use *font_use(struct check *c, qpdf_oh font);
void font_shows(struct font_use *f, const struct token *string);
void check_fonts(struct check *c);
/* pdfcheck_tree.c, pdfcheck_rules.c: the structure. */
void collect_tree(struct check *c);
void check_tree(struct check *c);
void check_claims(struct check *c);

#endif
