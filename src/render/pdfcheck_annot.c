#include "render/pdfcheck_parts.h"

enum {
	FLAG_INVISIBLE = 1,
	FLAG_HIDDEN = 2,
	FLAG_PRINT = 4,
	FLAG_NO_VIEW = 32,
	FLAG_TOGGLE = 256
};

static bool
is_empty_box(qpdf_data q, qpdf_oh annot)
{
	qpdf_oh r = q_key(q, annot, "/Rect");
	double v[4];

	if (!qpdf_oh_is_array(q, r) || qpdf_oh_get_array_n_items(q, r) != 4)
		return true;
	for (int i = 0; i < 4; i++)
		v[i] = qpdf_oh_get_numeric_value(q,
		    qpdf_oh_get_array_item(q, r, i));
	return v[0] == v[2] && v[1] == v[3];
}

/* Does an element that holds the annotation claim it? */
static bool
is_in_element(struct check *c, qpdf_oh annot, const char *type)
{
	qpdf_data q = c->q;
	qpdf_oh el = parent_entry(c, q_int(q, annot, "/StructParent", -1));
	qpdf_oh kids = q_key(q, el, "/K");
	int want = qpdf_oh_get_object_id(q, annot);

	if (!q_is_name(q, el, "/S", type))
		return false;
	if (!qpdf_oh_is_array(q, kids))
		kids = qpdf_oh_wrap_in_array(q, kids);
	for (int i = 0; i < qpdf_oh_get_array_n_items(q, kids); i++) {
		qpdf_oh kid = qpdf_oh_get_array_item(q, kids, i);

		if (qpdf_oh_get_object_id(q, q_key(q, kid, "/Obj")) == want)
			return true;
	}
	return false;
}

static void
check_flags(struct check *c, qpdf_oh annot, int page)
{
	long long f = q_int(c->q, annot, "/F", 0);
	int bad = FLAG_INVISIBLE | FLAG_HIDDEN | FLAG_NO_VIEW | FLAG_TOGGLE;

	if (q_is_name(c->q, annot, "/Subtype", "/Popup"))
		return;
	if (!(f & FLAG_PRINT) || (f & bad))
		broken(c, RULE_ANNOT_FLAGS, "page %d: annotation flags %lld",
		    page, f);
}

static void
check_link(struct check *c, qpdf_oh annot, int page)
{
	const char *text = q_text(c->a, c->q, annot, "/Contents");

	if (!text || !*text)
		broken(c, RULE_ANNOT_TEXT, "page %d: a link without text",
		    page);
	if (!is_in_element(c, annot, "/Link"))
		broken(c, RULE_ANNOT_TAG, "page %d: a link outside of Link",
		    page);
}

static void
check_annotation(struct check *c, qpdf_oh annot, int page)
{
	static const char *const types[] = {"/Link", "/Widget", "/Text",
	    "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine",
	    "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Stamp",
	    "/Caret", "/Ink", "/Popup", "/FileAttachment", "/PrinterMark",
	    "/TrapNet", "/Watermark", "/Redact"};
	const char *type = q_name(c->a, c->q, annot, "/Subtype");
	bool known = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		known |= str_equal(types[i], type);
	if (!known)
		broken(c, RULE_ANNOT_TYPE, "page %d: annotation '%s'", page,
		    type);
	check_flags(c, annot, page);
	if (str_equal(type, "/Link"))
		check_link(c, annot, page);
	else if (!is_empty_box(c->q, annot) &&
		 !is_in_element(c, annot,
		     str_equal(type, "/Widget") ? "/Form" : "/Annot"))
		broken(c, RULE_ANNOT_TAG,
		    "page %d: an annotation that is not tagged", page);
}

void
check_annotations(struct check *c, qpdf_oh page, int number)
{
	qpdf_oh annots = q_key(c->q, page, "/Annots");
	int n = qpdf_oh_is_array(c->q, annots)
		    ? qpdf_oh_get_array_n_items(c->q, annots)
		    : 0;

	if (n > 0 && !q_is_name(c->q, page, "/Tabs", "/S"))
		broken(c, RULE_TABS, "page %d: /Tabs is not /S", number);
	for (int i = 0; i < n; i++)
		check_annotation(c, qpdf_oh_get_array_item(c->q, annots, i),
		    number);
}
