#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/catalog_parts.h"

/*
 * xml_pos(el), counted on from the position before: elements come in file
 * order, and counting each from the first line would be most of the work.
 */
struct pos
catalog_here(struct catalog_reader *r, const struct xml_el *el)
{
	const char *text = el->src->text;

	if (r->last.src != el->src || el->at < r->last_at) {
		r->last = (struct pos){el->src, 1, 1};
		r->line_at = 0;
		r->last_at = 0;
	}
	for (; r->last_at < el->at; r->last_at++) {
		if (text[r->last_at] != '\n')
			continue;
		r->last.line++;
		r->line_at = r->last_at + 1;
	}
	r->last.col = 1;
	for (size_t i = r->line_at; i < el->at; i++)
		r->last.col += ((unsigned char)text[i] & 0xC0) != 0x80;
	return r->last;
}

struct xml_el *
catalog_root(struct catalog_reader *r, const char *path, const char *root)
{
	struct source *src =
	    fs_read(r->a, path, CATALOG_FILE_MAX, (struct pos){0}, r->d);
	struct xml_el *el = src ? xml_parse(r->a, src, false, r->d) : NULL;

	if (!el || str_equal(el->name, root))
		return el;
	diag_error(r->d, xml_pos(el), "catalog-root",
	    "the file begins with <%s>, not <%s>", el->name, root);
	return NULL;
}

/* The only child of that name, or NULL; a second one is an error. */
struct xml_el *
catalog_only(struct catalog_reader *r, struct xml_el *el, const char *name)
{
	struct xml_el *c = xml_child(el, name);
	struct xml_el *second = c ? xml_next(c, name) : NULL;

	if (second)
		diag_error(r->d, xml_pos(second), "catalog-duplicate",
		    "a second <%s> in <%s>", name, el->name);
	return c;
}

char *
catalog_trimmed(struct catalog_reader *r, const char *text)
{
	size_t len;

	text += strspn(text, " \t\r\n");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r\n", text[len - 1]))
		len--;
	return arena_strndup(r->a, text, len);
}

/* "2018", "2018-09" or "2018-09-13", with a month and a day that exist. */
bool
catalog_is_date(const char *s)
{
	static const char form[] = "dddd-dd-dd";
	size_t len = strlen(s);
	int month = 1, day = 1;

	if (len != 4 && len != 7 && len != 10)
		return false;
	for (size_t i = 0; i < len; i++)
		if (form[i] == '-' ? s[i] != '-' : s[i] < '0' || s[i] > '9')
			return false;
	if (len >= 7)
		month = (s[5] - '0') * 10 + (s[6] - '0');
	if (len == 10)
		day = (s[8] - '0') * 10 + (s[9] - '0');
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

const char *
catalog_date(struct catalog_reader *r, struct xml_el *el, const char *attr)
{
	const char *s = xml_attr(el, attr);

	if (!s || catalog_is_date(s))
		return s;
	diag_error(r->d, xml_attr_pos(el, attr), "catalog-date",
	    "'%s' is not a date", s);
	diag_note(r->d, "write 2018, 2018-09 or 2018-09-13");
	return NULL;
}

/* Ids are stable names: lower-case letters, digits and single hyphens. */
const char *
catalog_id(struct catalog_reader *r, struct xml_el *el)
{
	const char *id = xml_need(el, "id", r->d);

	if (!id)
		return NULL;
	for (const char *s = id; *s; s++) {
		bool hyphen = *s == '-' && s > id && s[1] && s[1] != '-';

		if ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') ||
		    *s == '_' || *s == '.' || hyphen)
			continue;
		diag_error(r->d, xml_attr_pos(el, "id"), "catalog-id",
		    "'%s' is not an id", id);
		diag_note(r->d, "use lower-case letters, digits and hyphens");
		return NULL;
	}
	return id;
}

/* Every id in the space-separated list must be a source of the catalogue. */
bool
catalog_sources(struct catalog_reader *r, struct xml_el *el, const char *list)
{
	bool ok = true;
	int n = 0;

	for (const char *s = list; *s;) {
		size_t len = strcspn(s, " ");
		const char *id = arena_strndup(r->a, s, len);

		if (len > 0 && ++n > SRC_IDS_MAX)
			return diag_error(r->d, xml_attr_pos(el, "src"),
			    "catalog-source", "more than %d sources",
			    SRC_IDS_MAX);
		if (len > 0 && !catalog_source(r->c, id)) {
			ok = diag_error(r->d, xml_attr_pos(el, "src"),
			    "catalog-source", "unknown source '%s'", id);
			diag_note(r->d, "sources stand in sources.xml");
		}
		s += len;
		s += strspn(s, " ");
	}
	return ok;
}

static bool
check_formula(struct catalog_reader *r, struct xml_el *el, const char *id)
{
	const struct source_ref *s = catalog_source(r->c, id);

	if (s && s->grade == SURE_DERIVED)
		return true;
	diag_error(r->d, xml_attr_pos(el, "formula"), "catalog-source",
	    "unknown formula '%s'", id);
	diag_note(r->d, "formulas stand in sources.xml");
	return false;
}

static bool
read_sure(struct catalog_reader *r, struct xml_el *el, enum certainty *sure)
{
	const char *word = xml_need(el, "sure", r->d);

	if (!word)
		return false;
	if (certainty_parse(word, sure) && *sure != SURE_NONE)
		return true;
	diag_error(r->d, xml_attr_pos(el, "sure"), "catalog-certainty",
	    "'%s' does not say how sure a figure is", word);
	diag_note(r->d,
	    "use one of vendor, two, one, derived, conflict, assumed");
	return false;
}

/*
 * src=, sure= and formula= of an element.  A figure needs a source, unless
 * a formula gives it or it is owned up to as assumed.
 */
bool
catalog_origin(struct catalog_reader *r, struct xml_el *el, struct origin *o)
{
	const char *src = xml_attr(el, "src");
	bool ok;

	*o = (struct origin){SURE_NONE, NULL, xml_attr(el, "formula")};
	ok = read_sure(r, el, &o->sure);
	if (src)
		ok &= catalog_sources(r, el, src);
	if (o->formula)
		ok &= check_formula(r, el, o->formula);
	if (ok && o->sure == SURE_DERIVED && !o->formula)
		ok = diag_error(r->d, xml_attr_pos(el, "sure"),
		    "catalog-source", "a derived figure needs its formula");
	if (ok && !src && !o->formula && o->sure != SURE_ASSUMED)
		ok = diag_error(r->d, xml_pos(el), "catalog-source",
		    "<%s> has no source", el->name);
	o->src = o->formula && src
		     ? arena_printf(r->a, "%s %s", o->formula, src)
		 : o->formula ? o->formula
			      : src;
	return ok;
}

/* An overlay's own figure ends the formula that gave it before. */
static void
end_derivation(struct catalog_reader *r, size_t offset)
{
	for (int i = 0; i < r->n_derivations; i++)
		if (r->derivations[i].gpu == r->item &&
		    r->derivations[i].to->at == offset)
			r->derivations[i].done = true;
}

void
catalog_keep_place(struct catalog_reader *r, const struct xml_el *el,
    const char *attr, const void *base, const struct fact *fact)
{
	struct figure_place *p =
	    arena_push(r->a, &r->c->places, &r->c->n_places, sizeof(*p));

	if (r->kind == PLACE_GPU && r->item < r->n_earlier_gpus)
		end_derivation(r,
		    (size_t)((const char *)fact - (const char *)base));
	*p = (struct figure_place){r->kind, r->item,
	    (unsigned)((const char *)fact - (const char *)base), el->src,
	    el->at};
	for (int i = 0; attr && i < el->n_attrs; i++)
		if (str_equal(el->attrs[i].name, attr))
			p->at = el->attrs[i].value_at;
}

static bool
read_figure(struct catalog_reader *r, struct xml_el *el, const struct figure *f,
    enum zero zero, const struct origin *o, void *base)
{
	struct fact *fact = (struct fact *)((char *)base + f->at);
	double v;
	bool found;

	if (!xml_number(r->a, el, f->attr, f->unit, &v, &found, r->d))
		return false;
	if (!found)
		return true;
	if (v < 0 || (v == 0 && zero == ABOVE_ZERO))
		return diag_error(r->d, xml_attr_pos(el, f->attr),
		    "catalog-value", "'%s' must be above zero", f->attr);
	*fact = fact_of(v, o->sure, o->src);
	catalog_keep_place(r, el, f->attr, base, fact);
	return true;
}

bool
catalog_figures(struct catalog_reader *r, struct xml_el *el,
    const struct figure *f, int n, enum zero zero, const struct origin *o,
    void *base)
{
	bool ok = true;

	for (int i = 0; i < n; i++)
		ok &= read_figure(r, el, &f[i], zero, o, base);
	return ok;
}

bool
catalog_flag(struct catalog_reader *r, struct xml_el *el, const char *attr,
    bool *v, bool *found)
{
	const char *s = xml_attr(el, attr);

	*found = s != NULL;
	*v = str_equal(s, "yes");
	if (!s || *v || str_equal(s, "no"))
		return true;
	return diag_error(r->d, xml_attr_pos(el, attr), "catalog-value",
	    "'%s' must be yes or no", attr);
}

bool
catalog_flag_fact(struct catalog_reader *r, struct xml_el *el, const char *attr,
    const struct origin *o, void *base, struct fact *f)
{
	bool v, found;

	if (!catalog_flag(r, el, attr, &v, &found))
		return false;
	if (!found)
		return true;
	*f = fact_of(v, o->sure, o->src);
	catalog_keep_place(r, el, attr, base, f);
	return true;
}

/*
 * <about> says of one figure what differs from the rest of its element;
 * without src= the sources of the element stand.
 */
bool
catalog_about(struct catalog_reader *r, struct xml_el *el, struct fact *f)
{
	bool own = xml_attr(el, "src") || xml_attr(el, "formula");
	struct origin o = {0};
	bool ok = own ? catalog_origin(r, el, &o) : read_sure(r, el, &o.sure);

	if (xml_need(el, "field", r->d) && (!f || !f->known))
		ok =
		    diag_error(r->d, xml_attr_pos(el, "field"), "catalog-field",
			"no figure '%s' is given above", xml_attr(el, "field"));
	if (ok && f)
		*f = fact_of(f->value, o.sure, o.src ? o.src : f->src);
	return ok & xml_end(el, r->d);
}

bool
catalog_version(const char *s, int minor_max, int *major, int *minor)
{
	int v[2] = {0, 0}, part = 0, digits = 0;

	for (; *s; s++) {
		if (*s == '.' && part == 0 && digits > 0) {
			part = 1;
			digits = 0;
			continue;
		}
		if (*s < '0' || *s > '9' || ++digits > 3)
			return false;
		v[part] = v[part] * 10 + (*s - '0');
	}
	*major = v[0];
	*minor = v[1];
	return part == 1 && digits > 0 && v[1] <= minor_max;
}

bool
catalog_cc(struct catalog_reader *r, struct xml_el *el, int *cc)
{
	const char *s = xml_attr(el, "cc");
	int major, minor;

	*cc = 0;
	if (!s)
		return true;
	if (!catalog_version(s, 9, &major, &minor) || major == 0)
		return diag_error(r->d, xml_attr_pos(el, "cc"), "catalog-value",
		    "'%s' is not a compute capability such as 7.5", s);
	*cc = major * 10 + minor;
	return true;
}
