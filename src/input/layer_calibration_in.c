#include "input/layer_calibration_in.h"

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/source_list.h"
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

static void
read_constant(struct reading *r, struct xml_el *el)
{
	int i = find_constant(r, el);
	const struct layer_constant *k = &r->known[i < 0 ? 0 : i];
	double v;

	source_list_src(el, r->c->sources, r->c->n_sources, r->d);
	source_list_sure(el, r->d);
	xml_need(el, "note", r->d);
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
		source_list_add(r.a, el, &r.c->sources, &r.c->n_sources, r.d);
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
