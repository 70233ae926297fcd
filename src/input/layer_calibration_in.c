#include "input/layer_calibration_in.h"

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "parse/xml_in.h"

struct reading {
	struct arena *a;
	struct layer_calibration *c;
	const struct layer_constant *known;
	int n;
	bool *seen;
	struct diag *d;
};

static const char *
text_of(const struct layer_constant *k, struct arena *a)
{
	return k->key ? arena_printf(a, "%s, %s", k->name, k->key) : k->name;
}

static int
find_constant(struct reading *r, struct xml_el *el)
{
	const char *name = xml_need(el, "name", r->d);
	const char *key = xml_attr(el, "key");

	for (int i = 0; name && i < r->n; i++)
		if (str_equal(r->known[i].name, name) &&
		    str_equal(r->known[i].key, key))
			return i;
	if (name)
		diag_error(r->d, xml_attr_pos(el, "name"), "calibration-name",
		    "unknown constant '%s%s%s'", name, key ? ", " : "",
		    key ? key : "");
	return -1;
}

static bool
source_known(const struct layer_calibration *c, const char *id, size_t len)
{
	for (int i = 0; i < c->n_sources; i++)
		if (strlen(c->sources[i].id) == len &&
		    memcmp(c->sources[i].id, id, len) == 0)
			return true;
	return false;
}

static void
check_origin(struct reading *r, struct xml_el *el)
{
	const char *src = xml_need(el, "src", r->d);
	const char *sure = xml_need(el, "sure", r->d);
	enum certainty known;

	for (const char *s = src; s && *s;) {
		size_t n = strcspn(s, " ");

		if (n && !source_known(r->c, s, n))
			diag_error(r->d, xml_attr_pos(el, "src"),
			    "calibration-source", "unknown source '%.*s'",
			    (int)(n < 80 ? n : 80), s);
		s += n + (s[n] == ' ');
	}
	if (sure && !certainty_parse(sure, &known))
		diag_error(r->d, xml_attr_pos(el, "sure"), "calibration-sure",
		    "unknown certainty '%s'", sure);
	xml_need(el, "note", r->d);
}

static void
read_constant(struct reading *r, struct xml_el *el)
{
	int i = find_constant(r, el);
	const struct layer_constant *k = &r->known[i < 0 ? 0 : i];
	double v;

	check_origin(r, el);
	if (i < 0 || !xml_number(r->a, el, "value", k->unit, &v, NULL, r->d))
		return;
	xml_end(el, r->d);
	if (!(v >= k->min && v <= k->max)) {
		diag_error(r->d, xml_attr_pos(el, "value"), "calibration-range",
		    "'%s' must be between %g and %g", text_of(k, r->a), k->min,
		    k->max);
		return;
	}
	if (r->seen[i])
		diag_error(r->d, xml_pos(el), "calibration-twice",
		    "'%s' is given twice", text_of(k, r->a));
	r->seen[i] = true;
	*layer_constant_in(r->c, k) = v;
}

static void
read_source(struct reading *r, struct xml_el *el)
{
	struct source_ref s = {.grade = SURE_ONE, .pos = xml_pos(el)};
	const char *grade = xml_attr(el, "grade");

	s.id = xml_need(el, "id", r->d);
	s.title = xml_need(el, "title", r->d);
	s.publisher = xml_attr(el, "publisher");
	s.where = xml_attr(el, "where");
	s.date = xml_attr(el, "date");
	if (grade && !certainty_parse(grade, &s.grade))
		diag_error(r->d, xml_attr_pos(el, "grade"), "calibration-sure",
		    "unknown certainty '%s'", grade);
	xml_end(el, r->d);
	if (s.id)
		*(struct source_ref *)arena_push(r->a, &r->c->sources,
		    &r->c->n_sources, sizeof(s)) = s;
}

struct layer_calibration *
layer_calibration_read(struct arena *a, const char *dir, struct diag *d)
{
	const char *path = fs_join(a, dir, "calibration/layers.xml");
	struct pos nowhere = {NULL, 0, 0};
	struct source *src = fs_read(a, path, XML_MAX_BYTES, nowhere, d);
	struct xml_el *root = src ? xml_parse(a, src, false, d) : NULL;
	struct reading r = {.a = a, .d = d};
	int errors = d->n_errors;

	if (!root)
		return NULL;
	if (!str_equal(root->name, "calibration")) {
		diag_error(d, xml_pos(root), "calibration-root",
		    "'%s' where 'calibration' is expected", root->name);
		return NULL;
	}
	r.known = layer_constants(&r.n);
	r.seen = arena_alloc(a, (size_t)r.n, sizeof(*r.seen));
	r.c = arena_alloc(a, 1, sizeof(*r.c));
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		read_source(&r, el);
	for (struct xml_el *el = xml_child(root, "constant"); el;
	     el = xml_next(el, "constant"))
		read_constant(&r, el);
	xml_end(root, d);
	for (int i = 0; d->n_errors == errors && i < r.n; i++)
		if (!r.seen[i])
			diag_error(d, xml_pos(root), "calibration-missing",
			    "'%s' is missing", text_of(&r.known[i], a));
	return d->n_errors == errors ? r.c : NULL;
}
