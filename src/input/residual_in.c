#include "input/residual_in.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/source_list.h"
#include "parse/xml_in.h"

struct reading {
	struct arena *a;
	struct residuals *r;
	struct diag *d;
};

static bool
bad_word(struct reading *r, struct xml_el *el, const char *attr)
{
	return diag_error(r->d, xml_attr_pos(el, attr), "calibration-word",
	    "unknown %s '%s'", attr, xml_attr(el, attr));
}

static bool
read_factor(struct reading *r, struct xml_el *el, double low, double high,
    double *factor, int *rows)
{
	double n;

	if (!xml_number(r->a, el, "factor", UNIT_RATIO, factor, NULL, r->d) ||
	    !xml_number(r->a, el, "rows", UNIT_COUNT, &n, NULL, r->d))
		return false;
	*rows = (int)n;
	if (*factor >= low && *factor <= high)
		return true;
	return diag_error(r->d, xml_attr_pos(el, "factor"), "calibration-range",
	    "'factor' must be between %g and %g", low, high);
}

static const char *
word_or_blank(struct xml_el *el, const char *attr)
{
	const char *s = xml_attr(el, attr);

	return s ? s : "";
}

static void
read_residual(struct reading *r, struct xml_el *el)
{
	struct residual v = {0}, *at;
	const char *of = xml_need(el, "of", r->d);

	v.name = xml_need(el, "name", r->d);
	v.run = word_or_blank(el, "run");
	if (of && !effect_parse(of, &v.kind))
		bad_word(r, el, "of");
	else if (of && v.name &&
		 read_factor(r, el, 0.1, 10, &v.factor, &v.rows)) {
		at = arena_push(r->a, &r->r->r, &r->r->n, sizeof(*at));
		*at = v;
	}
	xml_end(el, r->d);
}

static bool
read_batch(const char *s, int *cls)
{
	static const char *const words[] = {"1", "2-7", "8"};

	*cls = -1;
	for (int i = 0; s && i < 3; i++)
		if (str_equal(s, words[i]))
			*cls = i;
	return !s || *cls >= 0;
}

static void
read_band(struct reading *r, struct xml_el *el)
{
	struct band_cell b = {.tier = TIER_LAYERS}, *at;
	const char *know = xml_need(el, "measured", r->d);
	const char *tier = xml_attr(el, "tier");
	bool ok = know != NULL;

	b.run = word_or_blank(el, "run");
	b.any_tier = !tier;
	if (know && !knowledge_parse(know, &b.know))
		ok = bad_word(r, el, "measured");
	if (tier && !str_equal(tier, "layers") && !str_equal(tier, "totals"))
		ok = bad_word(r, el, "tier");
	if (tier && str_equal(tier, "totals"))
		b.tier = TIER_TOTALS;
	if (!read_batch(xml_attr(el, "batch"), &b.batch_class))
		ok = bad_word(r, el, "batch");
	ok = read_factor(r, el, 1, 20, &b.factor, &b.rows) && ok;
	xml_end(el, r->d);
	if (!ok)
		return;
	at = arena_push(r->a, &r->r->bands, &r->r->n_bands, sizeof(*at));
	*at = b;
}

static int
by_name(const void *a, const void *b)
{
	const struct residual *x = a, *y = b;
	int c = (int)x->kind - (int)y->kind;

	c = c ? c : strcmp(x->name, y->name);
	return c ? c : strcmp(x->run, y->run);
}

struct residuals *
residuals_read(struct arena *a, const char *dir, struct diag *d)
{
	const char *path = fs_join(a, dir, "calibration/residuals.xml");
	struct pos nowhere = {NULL, 0, 0};
	struct reading r = {a, arena_alloc(a, 1, sizeof(*r.r)), d};
	int errors = d->n_errors;
	struct source *src;
	struct xml_el *root;

	if (!fs_exists(path))
		return r.r;
	src = fs_read(a, path, XML_MAX_BYTES, nowhere, d);
	root = src ? xml_parse(a, src, false, d) : NULL;
	if (!root)
		return NULL;
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		source_list_add(a, el, &r.r->sources, &r.r->n_sources, d);
	for (struct xml_el *el = xml_child(root, "band"); el;
	     el = xml_next(el, "band"))
		read_band(&r, el);
	for (struct xml_el *el = xml_child(root, "residual"); el;
	     el = xml_next(el, "residual"))
		read_residual(&r, el);
	xml_end(root, d);
	if (r.r->n > 1)
		qsort(r.r->r, (size_t)r.r->n, sizeof(*r.r->r), by_name);
	return d->n_errors == errors ? r.r : NULL;
}
