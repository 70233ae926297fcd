/*
 * The structure tree, in the order in which its elements were drawn.
 */
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "render/archive_parts.h"

/* Elements still to be visited, by number; the next one is the last. */
struct stack {
	int *ids;
	int n, room;
};

static void
push(struct archiver *w, struct stack *st, int id)
{
	if (st->n == st->room) {
		int room = st->room ? 2 * st->room : 64;
		int *more = arena_alloc(w->a, (size_t)room, sizeof(int));

		if (st->n > 0)
			memcpy(more, st->ids, (size_t)st->n * sizeof(int));
		st->ids = more;
		st->room = room;
	}
	st->ids[st->n++] = id;
}

static bool
is_element(qpdf_data q, qpdf_oh kid)
{
	return q_is_name(q, kid, "/Type", "/StructElem");
}

/* The elements below, last first. */
static void
push_kids(struct archiver *w, struct stack *st, qpdf_oh element)
{
	qpdf_data q = w->q;
	qpdf_oh kids = q_key(q, element, "/K");

	if (!qpdf_oh_is_array(q, kids)) {
		if (is_element(q, kids))
			push(w, st, qpdf_oh_get_object_id(q, kids));
		return;
	}
	for (int i = qpdf_oh_get_array_n_items(q, kids) - 1; i >= 0; i--) {
		qpdf_oh kid = qpdf_oh_get_array_item(q, kids, i);

		if (is_element(q, kid))
			push(w, st, qpdf_oh_get_object_id(q, kid));
	}
}

/* ---- what each kind of element gets ---- */

static void
finish_figure(struct archiver *w, qpdf_oh el, const struct archive_tag *t)
{
	struct str attributes;

	str_init(&attributes, w->a);
	str_add(&attributes, "<< /O /Layout /Placement /Block /BBox [");
	for (int i = 0; i < 4; i++)
		str_addf(&attributes, " %s",
		    num_format(w->a, t->box[i], 2, false));
	str_add(&attributes, " ] >>");
	q_set(w->q, el, "/A", q_parse(w->q, attributes.s));
	if (t->file > 0) {
		qpdf_oh files = qpdf_oh_new_array(w->q);

		qpdf_oh_append_item(w->q, files,
		    qpdf_get_object_by_id(w->q, w->file_ids[t->file - 1], 0));
		q_set(w->q, el, "/AF", files);
	}
}

static void
finish_cell(struct archiver *w, qpdf_oh el, const struct archive_tag *t)
{
	bool head = strcmp(t->type, "TH") == 0;
	const char *span = t->columns > 1
			       ? arena_printf(w->a, " /ColSpan %d", t->columns)
			       : "";

	if (head || t->columns > 1)
		q_set(w->q, el, "/A",
		    q_parse(w->q, arena_printf(w->a, "<< /O /Table%s%s >>",
				      head ? " /Scope /Column" : "", span)));
}

/* What the annotations of a link say to those who do not see them. */
static void
finish_link(struct archiver *w, qpdf_oh el, const struct archive_tag *t)
{
	qpdf_data q = w->q;
	qpdf_oh kids = q_key(q, el, "/K");

	for (int i = 0; i < qpdf_oh_get_array_n_items(q, kids); i++) {
		qpdf_oh kid = qpdf_oh_get_array_item(q, kids, i);

		if (q_is_name(q, kid, "/Type", "/OBJR"))
			q_set_text(q, q_key(q, kid, "/Obj"), "/Contents",
			    t->alt);
	}
}

static void
finish_element(struct archiver *w, qpdf_oh el, const struct archive_tag *t)
{
	if (t->lang && !str_equal(t->lang, w->ar->lang))
		q_set_text(w->q, el, "/Lang", t->lang);
	if (strcmp(t->type, "TD") == 0 || strcmp(t->type, "TH") == 0)
		finish_cell(w, el, t);
	if (!t->alt)
		return;
	if (strcmp(t->type, "Link") == 0) {
		finish_link(w, el, t);
	} else {
		q_set_text(w->q, el, "/Alt", t->alt);
		finish_figure(w, el, t);
	}
}

/* ---- cells over several pages ---- */

/* Let the mark `mcid` of a page lead to another element. */
static void
set_parent(struct archiver *w, qpdf_oh page, int mcid, qpdf_oh element)
{
	qpdf_data q = w->q;
	qpdf_oh nums =
	    q_path(q, qpdf_get_root(q), "/StructTreeRoot /ParentTree /Nums");
	long long key = q_int(q, page, "/StructParents", -1);

	for (int i = 0; i + 1 < qpdf_oh_get_array_n_items(q, nums); i += 2) {
		qpdf_oh n = qpdf_oh_get_array_item(q, nums, i);

		if (qpdf_oh_get_int_value(q, n) == key)
			qpdf_oh_set_array_item(q,
			    qpdf_oh_get_array_item(q, nums, i + 1), mcid,
			    element);
	}
}

/* A mark of `from` as it stands in an element of another page. */
static qpdf_oh
foreign_mark(struct archiver *w, qpdf_oh from, qpdf_oh kid, qpdf_oh to)
{
	qpdf_data q = w->q;
	qpdf_oh page = q_key(q, from, "/Pg"), mark;
	int mcid = qpdf_oh_get_int_value_as_int(q, kid);

	set_parent(w, page, mcid, to);
	mark =
	    q_parse(q, arena_printf(w->a, "<< /Type /MCR /MCID %d >>", mcid));
	q_set(q, mark, "/Pg", page);
	return mark;
}

static qpdf_oh
kids_array(qpdf_data q, qpdf_oh el)
{
	qpdf_oh kids = q_key(q, el, "/K");

	if (qpdf_oh_is_array(q, kids))
		return kids;
	kids = qpdf_oh_wrap_in_array(q, kids);
	q_set(q, el, "/K", kids);
	return q_key(q, el, "/K");
}

static void
drop_kid(qpdf_data q, qpdf_oh parent, int id)
{
	qpdf_oh kids = kids_array(q, parent);

	for (int i = qpdf_oh_get_array_n_items(q, kids) - 1; i >= 0; i--)
		if (qpdf_oh_get_object_id(q,
			qpdf_oh_get_array_item(q, kids, i)) == id)
			qpdf_oh_erase_item(q, kids, i);
}

/* A row has each cell once: what later pages hold of it moves to the first. */
static void
join_cell(struct archiver *w, qpdf_oh first, qpdf_oh el)
{
	qpdf_data q = w->q;
	qpdf_oh from = kids_array(q, el), to = kids_array(q, first);

	for (int i = 0; i < qpdf_oh_get_array_n_items(q, from); i++) {
		qpdf_oh kid = qpdf_oh_get_array_item(q, from, i);

		if (is_element(q, kid))
			q_set(q, kid, "/P", first);
		else
			kid = foreign_mark(w, el, kid, first);
		qpdf_oh_append_item(q, to, kid);
	}
	drop_kid(q, q_key(q, el, "/P"), qpdf_oh_get_object_id(q, el));
}

/* The first tag of the same cell before tag `i` in its row, or -1. */
static int
first_of_cell(const struct archive *ar, int i)
{
	int at = -1;

	if (ar->tags[i].cell == 0)
		return -1;
	for (int k = i - 1; k >= 0 && strcmp(ar->tags[k].type, "TR") != 0; k--)
		if (ar->tags[k].cell == ar->tags[i].cell)
			at = k;
	return at;
}

static bool
is_tag(struct archiver *w, qpdf_oh el, const struct archive_tag *t)
{
	return q_is_name(w->q, el, "/S", arena_printf(w->a, "/%s", t->type));
}

bool
archive_finish_tags(struct archiver *w)
{
	const struct archive *ar = w->ar;
	int *ids = arena_alloc(w->a, (size_t)ar->n_tags + 1, sizeof(*ids));
	struct stack st = {0};
	int seen = 0;

	push_kids(w, &st, q_path(w->q, qpdf_get_root(w->q), "/StructTreeRoot"));
	for (; st.n > 0; seen++) {
		int id = st.ids[--st.n], first;
		qpdf_oh el = qpdf_get_object_by_id(w->q, id, 0);

		if (seen == ar->n_tags || !is_tag(w, el, &ar->tags[seen]))
			return false;
		ids[seen] = id;
		finish_element(w, el, &ar->tags[seen]);
		push_kids(w, &st, el);
		first = first_of_cell(ar, seen);
		if (first >= 0)
			join_cell(w, qpdf_get_object_by_id(w->q, ids[first], 0),
			    el);
		qpdf_oh_release_all(w->q);
	}
	return seen == ar->n_tags;
}
