/*
 * Every object by itself, and the bytes of the file.
 */
#include "render/pdfcheck_parts.h"

enum { DEPTH_MAX = 200, NAME_MAX_BYTES = 127, STRING_MAX_BYTES = 32767 };

/* ---- bytes ---- */

static bool
header_ok(const char *s, size_t len)
{
	if (len < 15 || memcmp(s, "%PDF-1.", 7) != 0 || s[7] < '4' ||
	    s[7] > '7' || (s[8] != '\n' && s[8] != '\r'))
		return false;
	s += s[8] == '\r' && s[9] == '\n' ? 10 : 9;
	for (int i = 1; i <= 4; i++)
		if ((unsigned char)s[i] < 128)
			return false;
	return *s == '%';
}

static void
check_endstreams(struct check *c)
{
	const char *s = c->src->text, *end = s + c->src->len, *at = s;
	static const char word[] = "endstream";

	while ((at = memmem(at, (size_t)(end - at), word, sizeof(word) - 1)) !=
	       NULL) {
		const char *next = at + sizeof(word) - 1;

		/* else the word stands inside of a stream */
		if (next < end && (*next == '\n' || *next == '\r') && at > s &&
		    at[-1] != '\n' && at[-1] != '\r')
			broken(c, RULE_ENDSTREAM,
			    "no end of line before endstream at byte %td",
			    at - s);
		at = next;
	}
}

/* ---- references ---- */

static long
number_of(const struct token *t)
{
	char digits[16] = "";

	if (t->kind != TOKEN_NUMBER || t->len > 9)
		return -1;
	memcpy(digits, t->s, t->len);
	return strtol(digits, NULL, 10);
}

/* libqpdf hides what a reference to nothing stood for: read the text. */
static void
check_references(struct check *c, const char *s, size_t len)
{
	struct content in = {s, len, 0};
	struct token t, before[2] = {{0}};
	qpdf_oh v;

	while (content_next(&in, &t)) {
		if (t.kind == TOKEN_OPERATOR && token_is(&t, "R") &&
		    number_of(&before[0]) >= 0) {
			v = qpdf_get_object_by_id(c->q,
			    (int)number_of(&before[0]),
			    (int)number_of(&before[1]));
			if (qpdf_oh_is_null(c->q, v))
				broken(c, RULE_DANGLING,
				    "object %ld is missing",
				    number_of(&before[0]));
			qpdf_oh_release(c->q, v);
		}
		before[0] = before[1];
		before[1] = t;
	}
}

/* The text between the streams of the file. */
static void
check_outside_streams(struct check *c)
{
	const char *at = c->src->text, *end = at + c->src->len;

	while (at < end) {
		const char *s = memmem(at, (size_t)(end - at), "stream\n", 7);
		const char *crlf =
		    memmem(at, (size_t)((s ? s : end) - at), "stream\r\n", 8);

		s = crlf ? crlf : s;
		check_references(c, at, (size_t)((s ? s : end) - at));
		if (!s)
			return;
		at = memmem(s, (size_t)(end - s), "endstream", 9);
		if (!at)
			return;
		at += 9;
	}
}

void
check_bytes(struct check *c)
{
	if (!header_ok(c->src->text, c->src->len))
		broken(c, RULE_HEADER, "the header is not that of PDF/A");
	check_endstreams(c);
	check_outside_streams(c);
}

/* ---- objects ---- */

/* Where in which object we are. */
struct walk {
	struct check *c;
	int id, depth;
};

static const char **
dict_keys(struct check *c, qpdf_oh dict, int *n)
{
	const char **keys = NULL;

	*n = 0;
	qpdf_oh_begin_dict_key_iter(c->q, dict);
	while (qpdf_oh_dict_more_keys(c->q)) {
		const char *key = qpdf_oh_dict_next_key(c->q);

		*(const char **)arena_push(c->a, &keys, n, sizeof(*keys)) =
		    arena_strdup(c->a, key);
	}
	return keys;
}

static bool
is_any(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(s, words[i]))
			return true;
	return false;
}

#define IS_ANY(s, words) is_any(s, words, sizeof(words) / sizeof(words[0]))

static void
check_action(struct walk *w, qpdf_oh dict, const char *key)
{
	static const char *const keys[] = {"/AA", "/JS", "/JavaScript"};
	static const char *const kinds[] = {"/Launch", "/Sound", "/Movie",
	    "/ResetForm", "/ImportData", "/Hide", "/SetOCGState", "/Rendition",
	    "/Trans", "/GoTo3DView", "/JavaScript", "/SubmitForm"};

	if (IS_ANY(key, keys) ||
	    (str_equal(key, "/S") &&
		IS_ANY(q_name(w->c->a, w->c->q, dict, key), kinds)))
		broken(w->c, RULE_ACTION, "an action in object %d", w->id);
}

static void
check_graphics(struct walk *w, qpdf_oh dict, const char *key)
{
	static const char *const modes[] = {"/Normal", "/Compatible",
	    "/Multiply", "/Screen", "/Overlay", "/Darken", "/Lighten",
	    "/ColorDodge", "/ColorBurn", "/HardLight", "/SoftLight",
	    "/Difference", "/Exclusion", "/Hue", "/Saturation", "/Color",
	    "/Luminosity"};
	qpdf_data q = w->c->q;
	bool bad =
	    str_equal(key, "/TR") || str_equal(key, "/HTP") ||
	    (str_equal(key, "/TR2") && !q_is_name(q, dict, key, "/Default"));

	if (str_equal(key, "/BM"))
		bad = !IS_ANY(q_name(w->c->a, q, dict, key), modes);
	if (bad)
		broken(w->c, RULE_GRAPHICS, "%s in object %d", key + 1, w->id);
}

static void
check_picture(struct walk *w, qpdf_oh dict, const char *key)
{
	static const char *const keys[] = {"/Alternates", "/OPI", "/Ref",
	    "/PS"};

	if (!q_is_name(w->c->q, dict, "/Subtype", "/Image") &&
	    !q_is_name(w->c->q, dict, "/Subtype", "/Form"))
		return;
	if (IS_ANY(key, keys) ||
	    (str_equal(key, "/Interpolate") && q_is_true(w->c->q, dict, key)))
		broken(w->c, RULE_IMAGE, "%s in object %d", key + 1, w->id);
}

static void walk_value(struct walk *w, qpdf_oh v);

static void
walk_dict(struct walk *w, qpdf_oh dict)
{
	int n;
	const char **keys = dict_keys(w->c, dict, &n);

	for (int i = 0; i < n; i++) {
		if (strlen(keys[i]) - 1 > NAME_MAX_BYTES)
			broken(w->c, RULE_LIMITS, "a long key in object %d",
			    w->id);
		check_action(w, dict, keys[i]);
		check_graphics(w, dict, keys[i]);
		check_picture(w, dict, keys[i]);
		walk_value(w, q_key(w->c->q, dict, keys[i]));
	}
}

static void
check_scalar(struct walk *w, qpdf_oh v)
{
	qpdf_data q = w->c->q;
	bool bad = false;

	if (qpdf_oh_is_name(q, v)) {
		bad = strlen(qpdf_oh_get_name(q, v)) - 1 > NAME_MAX_BYTES;
	} else if (qpdf_oh_is_string(q, v)) {
		size_t len;

		qpdf_oh_get_binary_string_value(q, v, &len);
		bad = len > STRING_MAX_BYTES;
	} else if (qpdf_oh_is_integer(q, v)) {
		long long n = qpdf_oh_get_int_value(q, v);

		bad = n > 2147483647LL || n < -2147483648LL;
	}
	if (bad)
		broken(w->c, RULE_LIMITS, "a long value in object %d", w->id);
}

static void
walk_value(struct walk *w, qpdf_oh v)
{
	qpdf_data q = w->c->q;

	/* what is indirect is met by itself */
	if (qpdf_oh_is_indirect(q, v) || w->depth >= DEPTH_MAX)
		return;
	w->depth++;
	if (qpdf_oh_is_dictionary(q, v))
		walk_dict(w, v);
	else if (qpdf_oh_is_array(q, v))
		for (int i = 0; i < qpdf_oh_get_array_n_items(q, v); i++)
			walk_value(w, qpdf_oh_get_array_item(q, v, i));
	else
		check_scalar(w, v);
	w->depth--;
}

static bool
uses_filter(qpdf_data q, qpdf_oh stream, const char *name)
{
	qpdf_oh filter = q_key(q, stream, "/Filter");

	return qpdf_oh_is_or_has_name(q, filter, name);
}

static void
check_stream(struct walk *w, qpdf_oh stream)
{
	qpdf_data q = w->c->q;
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len;

	if (q_has(q, stream, "/F") || q_has(q, stream, "/FFilter"))
		broken(w->c, RULE_STREAM, "stream %d is outside of the file",
		    w->id);
	if (uses_filter(q, stream, "/LZWDecode") ||
	    uses_filter(q, stream, "/Crypt"))
		broken(w->c, RULE_STREAM,
		    "stream %d has a filter that must "
		    "not be used",
		    w->id);
	if (qpdf_oh_get_stream_data(q, stream, qpdf_dl_generalized, &filtered,
		&data, &len) &
	    QPDF_ERRORS)
		broken(w->c, RULE_STREAM, "stream %d cannot be decoded", w->id);
	else if (q_is_name(q, stream, "/Type", "/ObjStm"))
		check_references(w->c, (const char *)data, len);
	free(data);
}

void
check_objects(struct check *c)
{
	for (int id = 1; id < c->n_objects; id++) {
		qpdf_oh v = qpdf_get_object_by_id(c->q, id, 0);
		struct walk w = {c, id, 0};

		if (qpdf_oh_is_stream(c->q, v)) {
			check_stream(&w, v);
			walk_dict(&w, qpdf_oh_get_dict(c->q, v));
		} else if (qpdf_oh_is_dictionary(c->q, v)) {
			walk_dict(&w, v);
		} else if (qpdf_oh_is_array(c->q, v)) {
			for (int i = 0; i < qpdf_oh_get_array_n_items(c->q, v);
			     i++)
				walk_value(&w,
				    qpdf_oh_get_array_item(c->q, v, i));
		}
		qpdf_oh_release_all(c->q);
	}
}
