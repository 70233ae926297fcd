/*
 * What the pages show, and under which marks.
 */
#include "render/pdfcheck_parts.h"

enum {
	MARKS_MAX = 64,
	OPERANDS_MAX = 16,
	FORMS_MAX = 8, /* forms inside of forms */
	STATES_MAX = 28
};

enum mark { MARK_PLAIN, MARK_TAGGED, MARK_ARTIFACT };

struct reader {
	struct check *c;
	struct page_marks *page; /* NULL inside of a form */
	int number;              /* of the page */
	qpdf_oh resources;
	struct token operands[OPERANDS_MAX];
	int n_operands;
	enum mark marks[MARKS_MAX];
	bool marked_in_text[MARKS_MAX]; /* opened between BT and ET */
	int n_marks;
	int states; /* of q */
	bool in_text;
	bool within; /* a form that is drawn under a mark */
	struct font_use *font;
	int depth;
};

static bool
has_mark(const struct reader *r, enum mark m)
{
	for (int i = 0; i < r->n_marks; i++)
		if (r->marks[i] == m)
			return true;
	return false;
}

/* ---- marks ---- */

/* The number in << /MCID n >>, or -1. */
static int
mark_number(struct reader *r)
{
	for (int i = 0; i + 1 < r->n_operands; i++) {
		const struct token *t = &r->operands[i];
		char digits[16] = "";

		if (t->kind != TOKEN_NAME || !token_is(t, "/MCID") ||
		    t[1].kind != TOKEN_NUMBER || t[1].len > 9)
			continue;
		memcpy(digits, t[1].s, t[1].len);
		return (int)strtol(digits, NULL, 10);
	}
	return -1;
}

static void
add_mcid(struct reader *r, int mcid)
{
	if (!r->page)
		return;
	*(int *)arena_push(r->c->a, &r->page->mcids, &r->page->n_mcids,
	    sizeof(int)) = mcid;
}

static enum mark
mark_kind(struct reader *r)
{
	int mcid = mark_number(r);

	if (r->n_operands > 0 && token_is(&r->operands[0], "/Artifact"))
		return MARK_ARTIFACT;
	if (mcid < 0)
		return MARK_PLAIN;
	add_mcid(r, mcid);
	return MARK_TAGGED;
}

static void
open_mark(struct reader *r)
{
	enum mark m = mark_kind(r);

	if (r->n_marks == MARKS_MAX) {
		broken(r->c, RULE_MARKS, "page %d: marks are too deep",
		    r->number);
		return;
	}
	if ((m == MARK_ARTIFACT && has_mark(r, MARK_TAGGED)) ||
	    (m == MARK_TAGGED && has_mark(r, MARK_ARTIFACT)))
		broken(r->c, RULE_ARTIFACT,
		    "page %d: an artifact and tagged content overlap",
		    r->number);
	r->marked_in_text[r->n_marks] = r->in_text;
	r->marks[r->n_marks++] = m;
}

static void
close_mark(struct reader *r)
{
	if (r->n_marks == 0 || r->marked_in_text[r->n_marks - 1] != r->in_text)
		broken(r->c, RULE_MARKS, "page %d: a mark ends out of place",
		    r->number);
	if (r->n_marks > 0)
		r->n_marks--;
}

/* ---- operators ---- */

static const char *const operators[] = {"b", "B", "b*", "B*", "BDC", "BMC",
    "BT", "BX", "c", "cm", "CS", "cs", "d", "d0", "d1", "Do", "DP", "EMC", "ET",
    "EX", "f", "F", "f*", "G", "g", "gs", "h", "i", "j", "J", "K", "k", "l",
    "m", "M", "MP", "n", "q", "Q", "re", "RG", "rg", "ri", "s", "S", "SC", "sc",
    "SCN", "scn", "sh", "T*", "Tc", "Td", "TD", "Tf", "Tj", "TJ", "TL", "Tm",
    "Tr", "Ts", "Tw", "Tz", "v", "w", "W", "W*", "y", "'", "\""};

static bool
is_operator(const struct token *t)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (token_is(t, operators[i]))
			return true;
	return t->len > 2 && t->s[0] == 'B' && t->s[1] == 'I';
}

static void
check_state(struct reader *r, const struct token *t)
{
	if (token_is(t, "q")) {
		r->states++;
	} else if (token_is(t, "Q")) {
		r->states--;
	} else if (token_is(t, "BT") || token_is(t, "ET")) {
		r->in_text = token_is(t, "BT");
		return;
	} else {
		return;
	}
	if (r->states < 0 || r->states > STATES_MAX)
		broken(r->c, RULE_NESTING, "page %d: %d graphics states",
		    r->number, r->states);
}

static void
check_colour(struct reader *r, const struct token *t)
{
	bool cmyk = token_is(t, "k") || token_is(t, "K");

	if ((token_is(t, "cs") || token_is(t, "CS")) && r->n_operands > 0)
		cmyk = token_is(&r->operands[0], "/DeviceCMYK");
	if (cmyk)
		broken(r->c, RULE_COLOUR, "page %d: CMYK with an RGB intent",
		    r->number);
}

/* The resource an operator names first. */
static qpdf_oh
named(struct reader *r, const char *kind)
{
	const struct token *t = &r->operands[0];

	if (r->n_operands == 0 || t->kind != TOKEN_NAME)
		return qpdf_oh_new_null(r->c->q);
	return q_key(r->c->q, q_key(r->c->q, r->resources, kind),
	    arena_strndup(r->c->a, t->s, t->len));
}

static void read_content(struct reader *r, qpdf_oh stream);

/* A form is read once; it counts as marked if it is drawn under a mark. */
static void
read_form(struct reader *r, qpdf_oh form)
{
	struct check *c = r->c;
	int id = qpdf_oh_get_object_id(c->q, form);
	struct reader inner = {.c = c,
	    .number = r->number,
	    .within = r->within || r->n_marks > 0,
	    .depth = r->depth + 1};

	if (!qpdf_oh_is_stream(c->q, form) || id < 1 || id >= c->n_objects ||
	    c->forms_seen[id] || r->depth >= FORMS_MAX)
		return;
	c->forms_seen[id] = true;
	inner.resources = q_key(c->q, form, "/Resources");
	if (qpdf_oh_is_null(c->q, inner.resources))
		inner.resources = r->resources;
	read_content(&inner, form);
}

static void
check_text(struct reader *r, const struct token *t)
{
	if (token_is(t, "Tf")) {
		r->font = font_use(r->c, named(r, "/Font"));
		return;
	}
	if (!r->font ||
	    !(token_is(t, "Tj") || token_is(t, "'") || token_is(t, "\"")))
		return;
	for (int i = 0; i < r->n_operands; i++)
		if (r->operands[i].kind == TOKEN_STRING)
			font_shows(r->font, &r->operands[i]);
}

static void
see_operator(struct reader *r, const struct token *t)
{
	int mark = token_marks(t);

	if (!is_operator(t))
		broken(r->c, RULE_OPERATOR, "page %d: '%.*s' is no operator",
		    r->number, t->len < 20 ? (int)t->len : 20, t->s);
	if (mark > 0)
		open_mark(r);
	else if (mark < 0)
		close_mark(r);
	if (token_paints(t) && r->n_marks == 0 && !r->within)
		broken(r->c, RULE_UNTAGGED,
		    "page %d: something is drawn outside of all tags",
		    r->number);
	check_state(r, t);
	check_colour(r, t);
	check_text(r, t);
	if (token_is(t, "Do"))
		read_form(r, named(r, "/XObject"));
	else if (token_is(t, "scn") || token_is(t, "SCN"))
		read_form(r, named(r, "/Pattern"));
}

static void
read_tokens(struct reader *r, const char *s, size_t len)
{
	struct content in = {s, len, 0};
	struct token t;

	while (content_next(&in, &t)) {
		if (t.kind == TOKEN_OPERATOR) {
			see_operator(r, &t);
			r->n_operands = 0;
		} else if (t.kind == TOKEN_STRING && r->font &&
			   r->n_operands > 0 &&
			   r->operands[0].kind == TOKEN_OPEN) {
			font_shows(r->font, &t); /* inside of [ ] TJ */
		} else if (r->n_operands < OPERANDS_MAX) {
			r->operands[r->n_operands++] = t;
		}
	}
	if (r->n_marks > 0)
		broken(r->c, RULE_MARKS, "page %d: a mark does not end",
		    r->number);
	if (r->states != 0)
		broken(r->c, RULE_NESTING,
		    "page %d: graphics states do not balance", r->number);
}

static void
read_content(struct reader *r, qpdf_oh stream)
{
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len = 0;
	QPDF_ERROR_CODE e;

	if (qpdf_oh_is_stream(r->c->q, stream))
		e = qpdf_oh_get_stream_data(r->c->q, stream,
		    qpdf_dl_generalized, &filtered, &data, &len);
	else
		e = qpdf_oh_get_page_content_data(r->c->q, stream, &data, &len);
	if (e & QPDF_ERRORS)
		broken(r->c, RULE_STREAM, "page %d cannot be read", r->number);
	else
		read_tokens(r, (const char *)data, len);
	free(data);
}

void
check_pages(struct check *c)
{
	int n = qpdf_get_num_pages(c->q);

	if (n < 1)
		broken(c, RULE_READ, "the file has no page");
	for (int i = 0; i < n; i++) {
		qpdf_oh page = qpdf_get_page_n(c->q, (size_t)i);
		struct page_marks *m =
		    arena_push(c->a, &c->pages, &c->n_pages, sizeof(*m));
		struct reader r = {.c = c, .page = m, .number = i + 1};

		m->id = qpdf_oh_get_object_id(c->q, page);
		r.resources = q_key(c->q, page, "/Resources");
		read_content(&r, page);
		check_annotations(c, page, i + 1);
		qpdf_oh_release_all(c->q);
	}
}
