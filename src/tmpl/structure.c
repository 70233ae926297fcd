#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "parse/xml_in.h"
#include "tmpl/template.h"

#define BIT(x) (1ull << (x))
#define BLOCKS                                                                 \
	(BIT(EL_P) | BIT(EL_LIST) | BIT(EL_BOX) | BIT(EL_TABLE) |              \
	    BIT(EL_CHART) | BIT(EL_WITH) | BIT(EL_BREAK))
/* What every element may have. */
#define COMMON                                                                 \
	(BIT(AT_EACH) | BIT(AT_AS) | BIT(AT_IF) | BIT(AT_UNLESS) |             \
	    BIT(AT_IS) | BIT(AT_NOT) | BIT(AT_ABOVE) | BIT(AT_BELOW))

/* Each element: what it holds, what it must have, what it may have. */
static const struct {
	const char *name;
	unsigned long long holds, needs, may;
} elements[EL_N] = {
    [EL_REPORT] = {"report",
	BLOCKS | BIT(EL_SECTION) | BIT(EL_HEAD) | BIT(EL_COVER) |
	    BIT(EL_CONTENTS),
	0, 0},
    [EL_HEAD] = {"head", 0, 0, BIT(AT_LEFT) | BIT(AT_RIGHT) | BIT(AT_FOOT)},
    [EL_COVER] = {"cover", BIT(EL_LINE) | BIT(EL_WITH), BIT(AT_TITLE),
	BIT(AT_SUBTITLE) | BIT(AT_ID)},
    [EL_LINE] = {"line", 0, BIT(AT_SAY), 0},
    [EL_CONTENTS] = {"contents", 0, 0, 0},
    [EL_BREAK] = {"break", 0, 0, 0},
    [EL_SECTION] = {"section", BLOCKS | BIT(EL_SECTION), BIT(AT_TITLE),
	BIT(AT_ID) | BIT(AT_NUMBERED)},
    [EL_P] = {"p", 0, BIT(AT_SAY), BIT(AT_STYLE) | BIT(AT_ID)},
    [EL_LIST] = {"list", BIT(EL_ITEM) | BIT(EL_WITH), 0, BIT(AT_ORDERED)},
    [EL_ITEM] = {"item", BIT(EL_LIST) | BIT(EL_P) | BIT(EL_WITH), BIT(AT_SAY),
	0},
    [EL_BOX] = {"box", BLOCKS, 0, BIT(AT_STYLE) | BIT(AT_TONE) | BIT(AT_ID)},
    [EL_TABLE] = {"table",
	BIT(EL_COL) | BIT(EL_ROW) | BIT(EL_GROUP) | BIT(EL_WITH), 0,
	BIT(AT_ID) | BIT(AT_CAPTION) | BIT(AT_NUMBERED)},
    [EL_COL] = {"col", 0, BIT(AT_TITLE), BIT(AT_ALIGN) | BIT(AT_WEIGHT)},
    [EL_ROW] = {"row", BIT(EL_CELL) | BIT(EL_WITH), 0, 0},
    [EL_CELL] = {"cell", 0, 0, BIT(AT_SAY) | BIT(AT_TONE) | BIT(AT_SPAN)},
    [EL_GROUP] = {"group", 0, BIT(AT_SAY), BIT(AT_TONE)},
    [EL_CHART] = {"chart", BIT(EL_LABEL) | BIT(EL_LABELS) | BIT(EL_WITH),
	BIT(AT_KIND) | BIT(AT_OF),
	BIT(AT_AGAINST) | BIT(AT_CAPTION) | BIT(AT_ALT) | BIT(AT_FILE) |
	    BIT(AT_ID) | BIT(AT_NUMBERED)},
    [EL_LABEL] = {"label", 0, BIT(AT_NAME) | BIT(AT_SAY), 0},
    [EL_LABELS] = {"labels", 0, BIT(AT_PREFIX), 0},
    [EL_WITH] = {"with", 0, 0, BIT(AT_PATH)},
};

enum attr_type {
	TYPE_SAY,   /* a wording id, with values */
	TYPE_MOULD, /* text with values */
	TYPE_TONE,  /* a tone, or text with values */
	TYPE_PATH,
	TYPE_NAME,  /* letters, digits, '-', '_', '.' */
	TYPE_BOUND, /* a name without '.' */
	TYPE_STYLE, /* of p one of a list, of box a name */
	TYPE_CHOICE,
	TYPE_NUMBER,
	TYPE_WORDS, /* separated by | */
	TYPE_LIMIT  /* a number or a path */
};

static const char *const yes_no[] = {"no", "yes", NULL};
static const char *const aligns[] = {"start", "centre", "end", NULL};
static const char *const styles[] = {"body", "lead", "note", "source",
    "question", NULL};

static const struct {
	const char *name;
	enum attr_type type;
	const char *const *choices;
	double min, max;
} attrs[AT_N] = {
    [AT_TITLE] = {"title", TYPE_SAY, NULL, 0, 0},
    [AT_SAY] = {"say", TYPE_SAY, NULL, 0, 0},
    [AT_CAPTION] = {"caption", TYPE_SAY, NULL, 0, 0},
    [AT_ALT] = {"alt", TYPE_SAY, NULL, 0, 0},
    [AT_SUBTITLE] = {"subtitle", TYPE_SAY, NULL, 0, 0},
    [AT_LEFT] = {"left", TYPE_SAY, NULL, 0, 0},
    [AT_RIGHT] = {"right", TYPE_SAY, NULL, 0, 0},
    [AT_FOOT] = {"foot", TYPE_SAY, NULL, 0, 0},
    [AT_ID] = {"id", TYPE_MOULD, NULL, 0, 0},
    [AT_FILE] = {"file", TYPE_MOULD, NULL, 0, 0},
    [AT_TONE] = {"tone", TYPE_TONE, NULL, 0, 0},
    [AT_STYLE] = {"style", TYPE_STYLE, styles, 0, 0},
    [AT_NUMBERED] = {"numbered", TYPE_CHOICE, yes_no, 0, 0},
    [AT_ORDERED] = {"ordered", TYPE_CHOICE, yes_no, 0, 0},
    [AT_ALIGN] = {"align", TYPE_CHOICE, aligns, 0, 0},
    [AT_WEIGHT] = {"weight", TYPE_NUMBER, NULL, 0, 1000},
    [AT_SPAN] = {"span", TYPE_NUMBER, NULL, 1, 100},
    [AT_KIND] = {"kind", TYPE_NAME, NULL, 0, 0},
    [AT_OF] = {"of", TYPE_PATH, NULL, 0, 0},
    [AT_AGAINST] = {"against", TYPE_PATH, NULL, 0, 0},
    [AT_NAME] = {"name", TYPE_NAME, NULL, 0, 0},
    [AT_PREFIX] = {"prefix", TYPE_NAME, NULL, 0, 0},
    [AT_PATH] = {"path", TYPE_PATH, NULL, 0, 0},
    [AT_EACH] = {"each", TYPE_PATH, NULL, 0, 0},
    [AT_AS] = {"as", TYPE_BOUND, NULL, 0, 0},
    [AT_IF] = {"if", TYPE_PATH, NULL, 0, 0},
    [AT_UNLESS] = {"unless", TYPE_PATH, NULL, 0, 0},
    [AT_IS] = {"is", TYPE_WORDS, NULL, 0, 0},
    [AT_NOT] = {"not", TYPE_WORDS, NULL, 0, 0},
    [AT_ABOVE] = {"above", TYPE_LIMIT, NULL, 0, 0},
    [AT_BELOW] = {"below", TYPE_LIMIT, NULL, 0, 0},
};

bool
attr_says(enum attr at)
{
	return attrs[at].type == TYPE_SAY;
}

struct reader {
	struct arena *a;
	struct template *t;
	struct diag *d;
};

static struct place
el_place(const struct xml_el *el)
{
	return (struct place){el->src, el->at};
}

/*
 * Values of attributes
 */

static bool
read_name(struct reader *r, struct value *v, bool dots)
{
	for (const char *s = v->text; *s; s++)
		if (!id_char(*s) || (*s == '.' && !dots))
			return diag_error(r->d, place_pos(v->place),
			    "tmpl-value", "'%s' is no name", v->text);
	return true;
}

static bool
read_choice(struct reader *r, struct value *v, const char *const *choices)
{
	struct str all;

	str_init(&all, r->a);
	for (int i = 0; choices[i]; i++) {
		if (str_equal(choices[i], v->text)) {
			v->choice = i;
			return true;
		}
		str_addf(&all, "%s%s", i ? ", " : "", choices[i]);
	}
	diag_error(r->d, place_pos(v->place), "tmpl-value",
	    "unknown value '%s'", v->text);
	diag_note(r->d, "use one of %s", all.s);
	return false;
}

static bool
read_number(struct reader *r, struct value *v, double min, double max)
{
	const char *why;

	if (!num_parse(v->text, UNIT_NONE, &v->number, r->a, &why))
		return diag_error(r->d, place_pos(v->place), "tmpl-value",
		    "'%s': %s", v->text, why);
	if (min < max && (v->number < min || v->number > max))
		return diag_error(r->d, place_pos(v->place), "tmpl-value",
		    "%s is not between %s and %s", v->text,
		    num_exact(r->a, min), num_exact(r->a, max));
	return true;
}

static bool
read_limit(struct reader *r, struct value *v)
{
	v->is_path = isalpha((unsigned char)v->text[0]);
	if (!v->is_path)
		return read_number(r, v, 0, 0);
	return path_read(r->a, v->text, strlen(v->text), v->place, &v->path,
	    r->d);
}

static bool
read_mould(struct reader *r, struct value *v)
{
	size_t n = strlen(v->text);

	if (n > TMPL_MAX_PATH)
		return diag_error(r->d, place_pos(v->place), "tmpl-value",
		    "a value of %zu bytes; at most %d are allowed", n,
		    TMPL_MAX_PATH);
	return mould_read(r->a, v->text, n, v->place, &v->mould, r->d);
}

static bool
read_tone(struct reader *r, struct value *v)
{
	enum tone tone;

	if (!read_mould(r, v))
		return false;
	if (v->mould.n != 1 || !v->mould.parts[0].text ||
	    tone_find(v->text, &tone))
		return true;
	diag_error(r->d, place_pos(v->place), "tmpl-tone", "unknown tone '%s'",
	    v->text);
	diag_note(r->d, "use none, good, ok, warn, bad, open, or [path]");
	return false;
}

static bool
read_say(struct reader *r, struct value *v)
{
	const char *near;

	if (!read_mould(r, v))
		return false;
	if (v->mould.n == 1 && v->mould.parts[0].text) {
		v->mould.entry = entry_find(r->t, v->text);
		if (v->mould.entry)
			return true;
	} else if (entry_match(r->t, &v->mould, NULL, NULL) > 0) {
		return true;
	}
	diag_error(r->d, place_pos(v->place), "tmpl-say",
	    "no entry '%s' in the wording for '%s'", v->text, r->t->lang);
	near = entry_near(r->a, r->t, v->text);
	if (near)
		diag_note(r->d, "did you mean '%s'?", near);
	return false;
}

static bool
read_value(struct reader *r, const struct element *e, enum attr at,
    struct value *v)
{
	if (!*v->text)
		return diag_error(r->d, place_pos(v->place), "tmpl-value",
		    "'%s' is empty", attrs[at].name);
	switch (attrs[at].type) {
	case TYPE_SAY: return read_say(r, v);
	case TYPE_MOULD: return read_mould(r, v);
	case TYPE_TONE: return read_tone(r, v);
	case TYPE_PATH:
		return path_read(r->a, v->text, strlen(v->text), v->place,
		    &v->path, r->d);
	case TYPE_NAME: return read_name(r, v, true);
	case TYPE_BOUND: return read_name(r, v, false);
	case TYPE_STYLE:
		return e->kind == EL_BOX ? read_name(r, v, false)
					 : read_choice(r, v, attrs[at].choices);
	case TYPE_CHOICE: return read_choice(r, v, attrs[at].choices);
	case TYPE_NUMBER:
		return read_number(r, v, attrs[at].min, attrs[at].max);
	case TYPE_LIMIT: return read_limit(r, v);
	case TYPE_WORDS: break;
	}
	return true;
}

/*
 * Elements
 */

static bool
unknown_attr(struct reader *r, const struct element *e,
    const struct xml_attr *x, unsigned long long may)
{
	const char *names[AT_N], *near;
	int n = 0;
	struct place at = {e->place.src, x->name_at};

	for (int i = 0; i < AT_N; i++)
		if (may & BIT(i))
			names[n++] = attrs[i].name;
	diag_error(r->d, place_pos(at), "tmpl-attribute",
	    "unknown attribute '%s' of '%s'", x->name, e->name);
	near = str_nearest(x->name, names, n);
	if (near)
		diag_note(r->d, "did you mean '%s'?", near);
	return false;
}

static bool
read_attrs(struct reader *r, struct element *e, const struct xml_el *el)
{
	unsigned long long needs = elements[e->kind].needs;
	unsigned long long may =
	    needs | elements[e->kind].may | (e->kind == EL_REPORT ? 0 : COMMON);
	bool ok = true;

	for (int i = 0; i < el->n_attrs; i++) {
		const struct xml_attr *x = &el->attrs[i];
		int at = 0;
		struct value *v;

		while (at < AT_N &&
		       !((may & BIT(at)) && str_equal(attrs[at].name, x->name)))
			at++;
		if (at == AT_N) {
			ok = unknown_attr(r, e, x, may);
			continue;
		}
		v = arena_alloc(r->a, 1, sizeof(*v));
		v->text = x->value;
		v->place = (struct place){el->src, x->value_at};
		e->at[at] = v;
		ok &= read_value(r, e, at, v);
	}
	for (int at = 0; at < AT_N; at++)
		if ((needs & BIT(at)) && !e->at[at])
			ok = diag_error(r->d, place_pos(e->place),
			    "tmpl-missing", "'%s' needs the attribute '%s'",
			    e->name, attrs[at].name);
	return ok;
}

static bool
needs_other(struct reader *r, const struct element *e, enum attr at,
    const char *other)
{
	return diag_error(r->d, place_pos(e->at[at]->place), "tmpl-missing",
	    "'%s' is of no use without '%s'", attrs[at].name, other);
}

/* Attributes that ask for one another. */
static bool
check_pairs(struct reader *r, const struct element *e)
{
	static const enum attr tests[] = {AT_IS, AT_NOT, AT_ABOVE, AT_BELOW};
	bool ok = true;

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (e->at[tests[i]] && !e->at[AT_IF])
			ok = needs_other(r, e, tests[i], "if");
	if (e->at[AT_EACH] && !e->at[AT_AS])
		ok = needs_other(r, e, AT_EACH, "as");
	if (e->at[AT_PATH] && !e->at[AT_AS])
		ok = needs_other(r, e, AT_PATH, "as");
	if (e->at[AT_AS] && !e->at[AT_EACH] && !e->at[AT_PATH])
		ok = needs_other(r, e, AT_AS,
		    e->kind == EL_WITH ? "path' or 'each" : "each");
	if (e->at[AT_PATH] && e->at[AT_EACH])
		ok = diag_error(r->d, place_pos(e->at[AT_EACH]->place),
		    "tmpl-value", "'with' takes 'path' or 'each', not both");
	if (e->kind == EL_WITH && !e->at[AT_PATH] && !e->at[AT_EACH] &&
	    !e->at[AT_IF] && !e->at[AT_UNLESS])
		ok = diag_error(r->d, place_pos(e->place), "tmpl-missing",
		    "'with' needs the attribute 'path'");
	return ok;
}

static bool
check_prefix(struct reader *r, const struct element *e)
{
	const struct value *v = e->at[AT_PREFIX];
	int from;

	if (!v || entry_prefix(r->t, v->text, &from) > 0)
		return true;
	return diag_error(r->d, place_pos(v->place), "tmpl-say",
	    "no entry starts with '%s' in the wording for '%s'", v->text,
	    r->t->lang);
}

static bool
stray_text(struct reader *r, const char *text, struct place at)
{
	if (text[strspn(text, " \t\r\n")] == '\0')
		return true;
	diag_error(r->d, place_pos(at), "tmpl-element",
	    "text in the structure next to this element");
	diag_note(r->d, "text stands in the wording; name it by 'say'");
	return false;
}

/* The kind of an element that may stand there, or EL_N after reporting. */
static enum element_kind
kind_of(struct reader *r, const struct xml_el *el, unsigned long long holds,
    const char *in)
{
	const char *names[EL_N], *near;
	int n = 0;

	for (int i = 0; i < EL_N; i++) {
		if (!(holds & BIT(i)))
			continue;
		if (str_equal(elements[i].name, el->name))
			return i;
		names[n++] = elements[i].name;
	}
	diag_error(r->d, xml_pos(el), "tmpl-element",
	    "'%s' cannot stand in '%s'", el->name, in);
	near = str_nearest(el->name, names, n);
	if (near)
		diag_note(r->d, "did you mean '%s'?", near);
	return EL_N;
}

static struct element *read_element(struct reader *r, struct xml_el *el,
    enum element_kind kind, unsigned long long holds, bool *ok);

/* `holds`: what may stand in `e`, which for 'with' its parent decides. */
static void
read_children(struct reader *r, struct element *e, struct xml_el *el,
    unsigned long long holds, bool *ok)
{
	*ok &= stray_text(r, el->lead, e->place);
	for (struct xml_el *k = el->first; k; k = k->next) {
		enum element_kind kind = kind_of(r, k, holds, e->name);
		struct element *child;

		*ok &= stray_text(r, k->tail, el_place(k));
		if (kind == EL_N) {
			*ok = false;
			continue;
		}
		child = read_element(r, k, kind,
		    kind == EL_WITH ? holds : elements[kind].holds, ok);
		if (e->last)
			e->last->next = child;
		else
			e->first = child;
		e->last = child;
	}
}

static struct element *
read_element(struct reader *r, struct xml_el *el, enum element_kind kind,
    unsigned long long holds, bool *ok)
{
	struct element *e = arena_alloc(r->a, 1, sizeof(*e));

	e->kind = kind;
	e->name = elements[kind].name;
	e->place = el_place(el);
	*ok &= read_attrs(r, e, el);
	*ok &= check_pairs(r, e);
	*ok &= check_prefix(r, e);
	read_children(r, e, el, holds, ok);
	return e;
}

bool
structure_read(struct arena *a, struct template *t, struct xml_el *root,
    struct diag *d)
{
	struct reader r = {a, t, d};
	bool ok = true;

	if (!str_equal(root->name, "report"))
		return diag_error(d, xml_pos(root), "tmpl-element",
		    "'%s' where 'report' is expected", root->name);
	t->root =
	    read_element(&r, root, EL_REPORT, elements[EL_REPORT].holds, &ok);
	return ok;
}
