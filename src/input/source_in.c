#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/catalog_parts.h"

static bool
read_grade(struct catalog_reader *r, struct xml_el *el, struct source_ref *s)
{
	const char *grade = xml_need(el, "grade", r->d);

	if (!grade)
		return false;
	s->letter = grade[0];
	s->grade = s->letter == 'A' ? SURE_VENDOR : SURE_ONE;
	if (strlen(grade) == 1 && strchr("ABC", grade[0]))
		return true;
	return diag_error(r->d, xml_attr_pos(el, "grade"), "catalog-value",
	    "the grade is A, B or C");
}

static bool
read_counts(struct catalog_reader *r, struct xml_el *el, struct source_ref *s)
{
	s->counts = xml_attr(el, "counts");
	if (!s->counts || str_equal(s->counts, "mac") ||
	    str_equal(s->counts, "flop"))
		return true;
	return diag_error(r->d, xml_attr_pos(el, "counts"), "catalog-value",
	    "'counts' is mac or flop");
}

/*
 * A source is of one date, or a series of documents from one to another:
 * "2017/2026".
 */
static const char *
read_span(struct catalog_reader *r, struct xml_el *el)
{
	const char *s = xml_attr(el, "date");
	const char *slash = s ? strchr(s, '/') : NULL;

	if (slash &&
	    catalog_is_date(arena_strndup(r->a, s, (size_t)(slash - s))) &&
	    catalog_is_date(slash + 1))
		return s;
	return catalog_date(r, el, "date");
}

static void
read_source(struct catalog_reader *r, struct xml_el *el)
{
	struct source_ref s = {.pos = catalog_here(r, el),
	    .letter = 'F',
	    .grade = SURE_DERIVED};
	bool ok = true;

	s.id = xml_need(el, "id", r->d);
	s.date = read_span(r, el);
	s.title = xml_child_text(r->a, el, "title");
	s.publisher = xml_child_text(r->a, el, "publisher");
	s.where = xml_child_text(r->a, el, "where");
	if (!str_equal(el->name, "formula"))
		ok &= read_grade(r, el, &s);
	ok &= read_counts(r, el, &s);
	if (!s.title)
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "<%s> needs a <title>", el->name);
	if (s.id && catalog_source(r->c, s.id))
		ok = diag_error(r->d, xml_attr_pos(el, "id"),
		    "catalog-duplicate", "the id '%s' is used twice", s.id);
	ok &= xml_end(el, r->d) && s.id;
	if (ok)
		*(struct source_ref *)arena_push(r->a, &r->c->sources,
		    &r->c->n_sources, sizeof(s)) = s;
}

void
catalog_read_sources(struct catalog_reader *r, const char *path)
{
	struct xml_el *root = catalog_root(r, path, "sources");

	if (!root)
		return;
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		read_source(r, el);
	for (struct xml_el *el = xml_child(root, "formula"); el;
	     el = xml_next(el, "formula"))
		read_source(r, el);
	xml_end(root, r->d);
}
