/*
 * Strict access to XML with positions.  The file is parsed by libxml2's SAX
 * interface into a light tree of our own; nothing outside the file is ever
 * read.  DTDs with entities, external ids, more than the limits below, and
 * malformed XML are errors.  No domain knowledge here.
 *
 * A reader asks for the attributes and children it knows; xml_end then
 * reports every attribute and element that nobody asked for, with the
 * nearest known name.
 */
#ifndef PARSE_XML_IN_H
#define PARSE_XML_IN_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/num.h"

struct arena;

enum {
	XML_MAX_BYTES = 8 << 20,
	XML_MAX_DEPTH = 64,
	XML_MAX_NODES = 400000,
	XML_MAX_ATTRS = 128 /* on one element */
};

struct xml_attr {
	const char *name, *value;
	size_t name_at, value_at; /* byte offsets in the source */
	bool asked;
};

struct xml_el {
	const char *name; /* no namespaces: prefix kept as written */
	struct xml_attr *attrs;
	int n_attrs;
	struct xml_el *parent, *first, *last, *next;
	const char *text; /* direct character data, joined, "" if none */
	/* text between children in document order, for mixed content: the
	 * text that follows this element inside its parent ("" if none) */
	const char *tail;
	const char *lead; /* text before the first child */
	const struct source *src;
	size_t at; /* offset of '<' */
	bool asked;
	/* names asked for that were not there, for xml_end; in `a` */
	struct arena *a;
	const char **want_attrs, **want_children;
	int n_want_attrs, n_want_children;
};

/*
 * Parse a source already read.  NULL after reporting.  `lenient` is for
 * files of foreign programs (nvidia-smi): a DOCTYPE without entities is let
 * through, leading white space and broken UTF-8 are repaired with a warning,
 * UTF-16 and declared encodings are converted, and undeclared GBK is tried.
 */
struct xml_el *
xml_parse(struct arena *a, struct source *src, bool lenient, struct diag *d);

struct pos xml_pos(const struct xml_el *el);
/* Position of the value of an attribute (of the element when missing). */
struct pos xml_attr_pos(const struct xml_el *el, const char *name);

/* Value or NULL; marks the attribute as asked for. */
const char *xml_attr(struct xml_el *el, const char *name);
/* The same, reporting "xml-missing" when absent or empty. */
const char *xml_need(struct xml_el *el, const char *name, struct diag *d);
/* A number with unit; `*found` may be NULL if the attribute is required. */
bool xml_number(struct arena *a, struct xml_el *el, const char *name,
    enum unit unit, double *v, bool *found, struct diag *d);

/* Children called `name` (NULL: any); both mark what they return. */
struct xml_el *xml_child(struct xml_el *el, const char *name);
struct xml_el *xml_next(struct xml_el *el, const char *name);
int xml_count(const struct xml_el *el, const char *name);
/* Text of the child `name`, trimmed, or NULL; marks it. */
const char *
xml_child_text(struct arena *a, struct xml_el *el, const char *name);

/* Report attributes and children of `el` nobody asked for: "xml-unknown". */
bool xml_end(struct xml_el *el, struct diag *d);

#endif
