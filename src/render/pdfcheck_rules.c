/*
 * Rules for the structure as a whole.
 */
#include "render/pdfcheck_parts.h"

/* ---- types ---- */

static const char *const types[] = {"Document", "Part", "Art", "Sect", "Div",
    "BlockQuote", "Caption", "TOC", "TOCI", "Index", "NonStruct", "Private",
    "P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody",
    "Table", "TR", "TH", "TD", "THead", "TBody", "TFoot", "Span", "Quote",
    "Note", "Reference", "BibEntry", "Code", "Link", "Annot", "Ruby", "RB",
    "RT", "RP", "Warichu", "WT", "WP", "Figure", "Formula", "Form"};

/* Who may stand in whom; a NULL leaves that side open. */
static const struct {
	const char *type, *parents, *kids;
} nesting[] = {
    {"Table", NULL, "|TR|THead|TBody|TFoot|Caption|"},
    {"THead", "|Table|", "|TR|"},
    {"TBody", "|Table|", "|TR|"},
    {"TFoot", "|Table|", "|TR|"},
    {"TR", "|Table|THead|TBody|TFoot|", "|TH|TD|"},
    {"TH", "|TR|", NULL},
    {"TD", "|TR|", NULL},
    {"L", NULL, "|L|LI|Caption|"},
    {"LI", "|L|", "|Lbl|LBody|"},
    {"LBody", "|LI|", NULL},
    {"TOC", NULL, "|TOC|TOCI|Caption|"},
    {"TOCI", "|TOC|", NULL},
};

static bool
is_in_list(const char *list, const char *type)
{
	size_t len = strlen(type);

	for (const char *s = list; len && (s = strstr(s, type)) != NULL; s++)
		if (s > list && s[-1] == '|' && s[len] == '|')
			return true;
	return false;
}

static void
check_type(struct check *c, const struct element *e)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i], e->type) == 0)
			return;
	broken(c, RULE_ROLE, "element %d is a '%s'", e->id, e->type);
}

static void
check_nesting(struct check *c, const struct element *e)
{
	const char *above =
	    e->parent >= 0 ? c->elements[e->parent].type : "StructTreeRoot";

	for (size_t i = 0; i < sizeof(nesting) / sizeof(nesting[0]); i++) {
		bool wrong_parent = strcmp(nesting[i].type, e->type) == 0 &&
				    nesting[i].parents &&
				    !is_in_list(nesting[i].parents, above);
		bool wrong_kid = strcmp(nesting[i].type, above) == 0 &&
				 nesting[i].kids &&
				 !is_in_list(nesting[i].kids, e->type);

		if (wrong_parent || wrong_kid) {
			broken(c, RULE_CHILD, "element %d, '%s' in '%s'", e->id,
			    e->type, above);
			return;
		}
	}
}

static void
check_leaf(struct check *c, const struct element *e)
{
	if (e->n_elements > 0 && e->n_marks > 0)
		broken(c, RULE_LEAF,
		    "element %d, '%s', holds elements and content", e->id,
		    e->type);
	if (e->n_elements + e->n_marks + e->n_objects == 0)
		broken(c, RULE_LEAF, "element %d, '%s', is empty", e->id,
		    e->type);
}

/* ---- headings ---- */

static void
check_headings(struct check *c)
{
	int last = 0;

	for (int i = 0; i < c->n_elements; i++) {
		const struct element *e = &c->elements[i];
		int level = e->type[0] == 'H' && e->type[1] >= '1' &&
				    e->type[1] <= '6' && !e->type[2]
				? e->type[1] - '0'
				: 0;

		if (level == 0)
			continue;
		if (level > last + 1)
			broken(c, RULE_HEADING,
			    "element %d, '%s', comes after level %d", e->id,
			    e->type, last);
		last = level;
	}
}

/* ---- elements one by one ---- */

/* The attribute of an owner, also from a list of owners. */
static qpdf_oh
attribute(qpdf_data q, qpdf_oh el, const char *owner, const char *key)
{
	qpdf_oh a = q_key(q, el, "/A");

	if (!qpdf_oh_is_array(q, a))
		a = qpdf_oh_wrap_in_array(q, a);
	for (int i = 0; i < qpdf_oh_get_array_n_items(q, a); i++) {
		qpdf_oh one = qpdf_oh_get_array_item(q, a, i);

		if (q_is_name(q, one, "/O", owner) && q_has(q, one, key))
			return q_key(q, one, key);
	}
	return qpdf_oh_new_null(q);
}

static void
check_figure(struct check *c, const struct element *e, qpdf_oh el)
{
	const char *alt = q_text(c->a, c->q, el, "/Alt");
	qpdf_oh box = attribute(c->q, el, "/Layout", "/BBox");

	if ((!alt || !*alt) && !q_text(c->a, c->q, el, "/ActualText"))
		broken(c, RULE_FIGURE_ALT, "figure %d has no /Alt", e->id);
	if (strcmp(e->type, "Figure") == 0 &&
	    (!qpdf_oh_is_array(c->q, box) ||
		qpdf_oh_get_array_n_items(c->q, box) != 4))
		broken(c, RULE_FIGURE_BOX, "figure %d has no /BBox", e->id);
}

static void
check_element(struct check *c, const struct element *e)
{
	qpdf_oh el = qpdf_get_object_by_id(c->q, e->id, 0);
	const char *lang = q_text(c->a, c->q, el, "/Lang");

	check_type(c, e);
	check_nesting(c, e);
	check_leaf(c, e);
	if (lang && !is_language(lang))
		broken(c, RULE_SPAN_LANG, "element %d: '%s' is no language",
		    e->id, lang);
	if (strcmp(e->type, "Figure") == 0 || strcmp(e->type, "Formula") == 0)
		check_figure(c, e, el);
	if (strcmp(e->type, "TH") == 0 &&
	    !qpdf_oh_is_name(c->q, attribute(c->q, el, "/Table", "/Scope")))
		broken(c, RULE_TABLE_SCOPE, "head cell %d has no /Scope",
		    e->id);
	if (strcmp(e->type, "Link") == 0 && e->n_objects == 0)
		broken(c, RULE_LINK, "element %d holds no link", e->id);
}

/* ---- tables ---- */

static int
cell_columns(struct check *c, const struct element *e)
{
	qpdf_oh span = attribute(c->q, qpdf_get_object_by_id(c->q, e->id, 0),
	    "/Table", "/ColSpan");
	int n = qpdf_oh_is_integer(c->q, span)
		    ? (int)qpdf_oh_get_int_value(c->q, span)
		    : 1;

	qpdf_oh_release_all(c->q);
	return n;
}

static bool
is_below(const struct check *c, int i, int top)
{
	while (i > top)
		i = c->elements[i].parent;
	return i == top;
}

/* Elements of a table follow it in reading order. */
static void
check_table(struct check *c, int table)
{
	int heads = 0, columns = 0, first = 0, row = -1;

	for (int i = table + 1; i <= c->n_elements; i++) {
		bool inside = i < c->n_elements && is_below(c, i, table);
		const char *type = inside ? c->elements[i].type : "";

		if (!inside || strcmp(type, "TR") == 0) {
			if (row >= 0 && first == 0)
				first = columns;
			if (row >= 0 && columns != first)
				broken(c, RULE_TABLE_ROW,
				    "row %d has %d columns, the first has %d",
				    c->elements[row].id, columns, first);
			row = i;
			columns = 0;
		}
		if (!inside)
			break;
		if (strcmp(type, "TH") == 0)
			heads++;
		if (strcmp(type, "TH") == 0 || strcmp(type, "TD") == 0)
			columns += cell_columns(c, &c->elements[i]);
	}
	if (heads == 0)
		broken(c, RULE_TABLE_HEAD, "table %d has no head cell",
		    c->elements[table].id);
}

void
check_tree(struct check *c)
{
	for (int i = 0; i < c->n_elements; i++) {
		check_element(c, &c->elements[i]);
		qpdf_oh_release_all(c->q);
		if (strcmp(c->elements[i].type, "Table") == 0)
			check_table(c, i);
	}
	check_headings(c);
}

/* ---- marks against elements ---- */

static int
by_place(const void *x, const void *y)
{
	const struct claim *a = x, *b = y;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	return (a->mcid > b->mcid) - (a->mcid < b->mcid);
}

static int
by_number(const void *x, const void *y)
{
	const int *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Each mark leads from the page back to the element that claims it. */
static void
check_parents(struct check *c, int page, const struct claim *claims, int n)
{
	qpdf_data q = c->q;
	qpdf_oh oh = qpdf_get_object_by_id(q, c->pages[page].id, 0);
	qpdf_oh all = parent_entry(c, q_int(q, oh, "/StructParents", -1));
	int room =
	    qpdf_oh_is_array(q, all) ? qpdf_oh_get_array_n_items(q, all) : 0;

	for (int i = 0; i < n; i++) {
		int id =
		    claims[i].mcid < room
			? qpdf_oh_get_object_id(q,
			      qpdf_oh_get_array_item(q, all, claims[i].mcid))
			: 0;

		if (id == claims[i].element)
			continue;
		broken(c, RULE_PARENT,
		    "page %d: mark %d does not lead to element %d", page + 1,
		    claims[i].mcid, claims[i].element);
		break;
	}
	qpdf_oh_release_all(q);
}

/* The claims of a page, both sorted, must be its marks one to one. */
static void
check_page(struct check *c, int page, const struct claim *claims, int n)
{
	struct page_marks *m = &c->pages[page];
	bool same = n == m->n_mcids;

	if (m->n_mcids > 0)
		qsort(m->mcids, (size_t)m->n_mcids, sizeof(int), by_number);
	for (int i = 0; same && i < n; i++)
		same = claims[i].mcid == m->mcids[i];
	if (!same)
		broken(c, RULE_MCID, "page %d: %d marks, %d of elements",
		    page + 1, m->n_mcids, n);
	check_parents(c, page, claims, n);
}

void
check_claims(struct check *c)
{
	int found = 0;

	if (c->n_claims > 0)
		qsort(c->claims, (size_t)c->n_claims, sizeof(*c->claims),
		    by_place);
	for (int p = 0; p < c->n_pages; p++) {
		struct claim key = {.page = c->pages[p].id, .mcid = -1};
		int first = 0, n = 0;

		while (first < c->n_claims &&
		       by_place(&c->claims[first], &key) < 0)
			first++;
		while (first + n < c->n_claims &&
		       c->claims[first + n].page == key.page)
			n++;
		check_page(c, p, c->claims + first, n);
		found += n;
	}
	if (found != c->n_claims)
		broken(c, RULE_MCID, "%d marks of elements are on no page",
		    c->n_claims - found);
}
