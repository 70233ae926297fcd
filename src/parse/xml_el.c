/* Access to the elements of a parsed XML file: the second half of xml_in.h. */
#include "parse/xml_in.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct pos
xml_pos(const struct xml_el *el)
{
	return pos_at(el->src, el->at);
}

static struct xml_attr *
attr_find(const struct xml_el *el, const char *name)
{
	for (int i = 0; i < el->n_attrs; i++)
		if (strcmp(el->attrs[i].name, name) == 0)
			return &el->attrs[i];
	return NULL;
}

struct pos
xml_attr_pos(const struct xml_el *el, const char *name)
{
	const struct xml_attr *at = attr_find(el, name);

	return at ? pos_at(el->src, at->value_at) : xml_pos(el);
}

/* Remember a name that was asked for and is missing, once. */
static void
want(struct xml_el *el, const char ***names, int *n, const char *name)
{
	for (int i = 0; i < *n; i++)
		if (strcmp((*names)[i], name) == 0)
			return;
	*(const char **)arena_push(el->a, names, n, sizeof(name)) = name;
}

const char *
xml_attr(struct xml_el *el, const char *name)
{
	struct xml_attr *at = attr_find(el, name);

	if (!at) {
		want(el, &el->want_attrs, &el->n_want_attrs, name);
		return NULL;
	}
	at->asked = true;
	return at->value;
}

const char *
xml_need(struct xml_el *el, const char *name, struct diag *d)
{
	const char *v = xml_attr(el, name);

	if (v && v[0])
		return v;
	diag_error(d, xml_attr_pos(el, name), "xml-missing",
	    v ? "attribute '%s' of <%s> is empty"
	      : "attribute '%s' of <%s> is missing",
	    name, el->name);
	return NULL;
}

bool
xml_number(struct arena *a, struct xml_el *el, const char *name, enum unit unit,
    double *v, bool *found, struct diag *d)
{
	const char *text, *why = NULL;

	if (found) {
		text = xml_attr(el, name);
		*found = text != NULL;
		if (!text)
			return true;
	} else {
		text = xml_need(el, name, d);
		if (!text)
			return false;
	}
	if (num_parse(text, unit, v, a, &why))
		return true;
	diag_error(d, xml_attr_pos(el, name), "xml-number", "'%s': %s", name,
	    why);
	if (unit != UNIT_NONE && unit != UNIT_COUNT && unit != UNIT_MONEY)
		diag_note(d, "units: %s", num_unit_names(unit));
	return false;
}

static struct xml_el *
from(struct xml_el *el, const char *name)
{
	while (el && name && strcmp(el->name, name) != 0)
		el = el->next;
	if (el)
		el->asked = true;
	return el;
}

struct xml_el *
xml_child(struct xml_el *el, const char *name)
{
	struct xml_el *c = from(el->first, name);

	if (!c && name)
		want(el, &el->want_children, &el->n_want_children, name);
	return c;
}

struct xml_el *
xml_next(struct xml_el *el, const char *name)
{
	return from(el->next, name);
}

int
xml_count(const struct xml_el *el, const char *name)
{
	int n = 0;

	for (const struct xml_el *c = el->first; c; c = c->next)
		n += !name || strcmp(c->name, name) == 0;
	return n;
}

const char *
xml_child_text(struct arena *a, struct xml_el *el, const char *name)
{
	struct xml_el *c = xml_child(el, name);
	const char *s;
	size_t n;

	if (!c)
		return NULL;
	for (s = c->text; isspace((unsigned char)*s);)
		s++;
	for (n = strlen(s); n > 0 && isspace((unsigned char)s[n - 1]);)
		n--;
	return arena_strndup(a, s, n);
}

/* The name nearest to `word` among those wanted and those present. */
static const char *
near_attr(struct xml_el *el, const char *word)
{
	const char **names = NULL;
	int n = 0;

	for (int i = 0; i < el->n_want_attrs; i++)
		want(el, &names, &n, el->want_attrs[i]);
	for (int i = 0; i < el->n_attrs; i++)
		if (el->attrs[i].asked)
			want(el, &names, &n, el->attrs[i].name);
	return str_nearest(word, names, n);
}

static const char *
near_child(struct xml_el *el, const char *word)
{
	const char **names = NULL;
	int n = 0;

	for (int i = 0; i < el->n_want_children; i++)
		want(el, &names, &n, el->want_children[i]);
	for (struct xml_el *c = el->first; c; c = c->next)
		if (c->asked)
			want(el, &names, &n, c->name);
	return str_nearest(word, names, n);
}

static void
unknown(struct xml_el *el, struct pos pos, const char *what, const char *name,
    const char *near, struct diag *d)
{
	diag_error(d, pos, "xml-unknown", "unknown %s '%s' in <%s>", what, name,
	    el->name);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
}

bool
xml_end(struct xml_el *el, struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < el->n_attrs; i++) {
		const struct xml_attr *at = &el->attrs[i];

		if (at->asked)
			continue;
		unknown(el, pos_at(el->src, at->name_at), "attribute", at->name,
		    near_attr(el, at->name), d);
		ok = false;
	}
	for (struct xml_el *c = el->first; c; c = c->next) {
		if (c->asked)
			continue;
		unknown(el, xml_pos(c), "element", c->name,
		    near_child(el, c->name), d);
		ok = false;
	}
	return ok;
}
