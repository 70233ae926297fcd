/*
 * The structure tree, collected: its elements in reading order, and the
 * marks that they claim.
 */
#include "render/pdfcheck_parts.h"

enum { DEPTH_MAX = 128, ELEMENTS_MAX = 2000000, TREE_DEPTH = 32 };

struct walk {
	struct check *c;
	bool *seen; /* by object */
};

/* The type after the role map, without its slash. */
static const char *
role_of(struct check *c, qpdf_oh element)
{
	qpdf_oh map =
	    q_path(c->q, qpdf_get_root(c->q), "/StructTreeRoot /RoleMap");
	const char *type = q_name(c->a, c->q, element, "/S");

	for (int i = 0; i < 8 && *type && q_has(c->q, map, type); i++)
		type = q_name(c->a, c->q, map, type);
	return *type ? type + 1 : "";
}

static void
add_claim(struct walk *w, int index, int page, long long mcid)
{
	struct check *c = w->c;
	struct claim *m;

	c->elements[index].n_marks++;
	if (mcid < 0 || mcid > 1000000)
		return;
	m = arena_push(c->a, &c->claims, &c->n_claims, sizeof(*m));
	*m = (struct claim){page, (int)mcid, c->elements[index].id};
}

static int
page_of(struct check *c, qpdf_oh dict, int inherited)
{
	qpdf_oh pg = q_key(c->q, dict, "/Pg");

	return qpdf_oh_is_null(c->q, pg) ? inherited
					 : qpdf_oh_get_object_id(c->q, pg);
}

static void
walk_element(struct walk *w, int id, int parent, int page, int depth);

/*
 * What follows must not hold a handle over a walk into a kid: handles are
 * released there.  So kids are read into numbers first.
 */
struct kid {
	int element; /* object, or 0 */
};

static void
read_kid(struct walk *w, qpdf_oh kid, int index, int page, struct kid *out)
{
	qpdf_data q = w->c->q;

	out->element = 0;
	if (qpdf_oh_is_integer(q, kid))
		add_claim(w, index, page, qpdf_oh_get_int_value(q, kid));
	else if (q_is_name(q, kid, "/Type", "/MCR"))
		add_claim(w, index, page_of(w->c, kid, page),
		    q_int(q, kid, "/MCID", -1));
	else if (q_is_name(q, kid, "/Type", "/OBJR"))
		w->c->elements[index].n_objects++;
	else if (qpdf_oh_is_dictionary(q, kid))
		out->element = qpdf_oh_get_object_id(q, kid);
}

static void
walk_kids(struct walk *w, qpdf_oh kids, int index, int page, int depth)
{
	struct check *c = w->c;
	int n = qpdf_oh_is_array(c->q, kids)
		    ? qpdf_oh_get_array_n_items(c->q, kids)
		    : !qpdf_oh_is_null(c->q, kids);
	struct kid *list = arena_alloc(c->a, (size_t)n + 1, sizeof(*list));

	for (int i = 0; i < n; i++) {
		qpdf_oh kid = qpdf_oh_is_array(c->q, kids)
				  ? qpdf_oh_get_array_item(c->q, kids, i)
				  : kids;

		if (index < 0)
			list[i].element = qpdf_oh_get_object_id(c->q, kid);
		else
			read_kid(w, kid, index, page, &list[i]);
	}
	qpdf_oh_release_all(c->q);
	for (int i = 0; i < n; i++)
		if (list[i].element > 0)
			walk_element(w, list[i].element, index, page,
			    depth + 1);
}

static void
walk_element(struct walk *w, int id, int parent, int page, int depth)
{
	struct check *c = w->c;
	qpdf_oh el = qpdf_get_object_by_id(c->q, id, 0);
	int index = c->n_elements;
	struct element *e;

	if (id >= c->n_objects || w->seen[id] || depth > DEPTH_MAX ||
	    c->n_elements >= ELEMENTS_MAX) {
		broken(c, RULE_TREE, "element %d stands in the tree twice", id);
		return;
	}
	w->seen[id] = true;
	if (parent >= 0)
		c->elements[parent].n_elements++;
	e = arena_push(c->a, &c->elements, &c->n_elements, sizeof(*e));
	*e = (struct element){.id = id,
	    .parent = parent,
	    .type = role_of(c, el)};
	if (qpdf_oh_get_object_id(c->q, q_key(c->q, el, "/P")) !=
	    (parent >= 0
		    ? c->elements[parent].id
		    : qpdf_oh_get_object_id(c->q,
			  q_key(c->q, qpdf_get_root(c->q), "/StructTreeRoot"))))
		broken(c, RULE_TREE, "element %d names another parent", id);
	page = page_of(c, el, page);
	walk_kids(w, q_key(c->q, el, "/K"), index, page, depth);
}

void
collect_tree(struct check *c)
{
	struct walk w = {.c = c};
	qpdf_oh root = q_key(c->q, qpdf_get_root(c->q), "/StructTreeRoot");

	w.seen = arena_alloc(c->a, (size_t)c->n_objects, sizeof(bool));
	if (!q_is_name(c->q, root, "/Type", "/StructTreeRoot")) {
		broken(c, RULE_TREE, "the file has no structure tree");
		return;
	}
	walk_kids(&w, q_key(c->q, root, "/K"), -1, 0, 0);
	if (c->n_elements == 0)
		broken(c, RULE_TREE, "the structure tree is empty");
}

/* ---- the parent tree ---- */

static qpdf_oh
number_find(struct check *c, qpdf_oh tree, long long key, int depth)
{
	qpdf_data q = c->q;
	qpdf_oh nums = q_key(q, tree, "/Nums"), kids = q_key(q, tree, "/Kids");

	for (int i = 0; qpdf_oh_is_array(q, nums) &&
			i + 1 < qpdf_oh_get_array_n_items(q, nums);
	     i += 2)
		if (qpdf_oh_get_int_value(q,
			qpdf_oh_get_array_item(q, nums, i)) == key)
			return qpdf_oh_get_array_item(q, nums, i + 1);
	for (int i = 0; depth < TREE_DEPTH && qpdf_oh_is_array(q, kids) &&
			i < qpdf_oh_get_array_n_items(q, kids);
	     i++) {
		qpdf_oh v = number_find(c, qpdf_oh_get_array_item(q, kids, i),
		    key, depth + 1);

		if (!qpdf_oh_is_null(q, v))
			return v;
	}
	return qpdf_oh_new_null(q);
}

qpdf_oh
parent_entry(struct check *c, long long key)
{
	qpdf_oh tree =
	    q_path(c->q, qpdf_get_root(c->q), "/StructTreeRoot /ParentTree");

	return key < 0 ? qpdf_oh_new_null(c->q) : number_find(c, tree, key, 0);
}
