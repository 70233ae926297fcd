/*
 * Fonts: embedded, and every code that is shown means a character.
 */
#include "render/pdfcheck_parts.h"

/* ---- codes ---- */

struct font_use *
font_use(struct check *c, qpdf_oh font)
{
	int id = qpdf_oh_get_object_id(c->q, font);
	struct font_use *f;

	if (!qpdf_oh_is_dictionary(c->q, font))
		return NULL;
	for (int i = 0; i < c->n_fonts; i++)
		if (c->fonts[i]->id == id)
			return c->fonts[i];
	f = arena_alloc(c->a, 1, sizeof(*f));
	f->id = id;
	f->wide = q_is_name(c->q, font, "/Subtype", "/Type0");
	*(struct font_use **)arena_push(c->a, &c->fonts, &c->n_fonts,
	    sizeof(f)) = f;
	return f;
}

static int
hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : -1;
}

static void
set_code(struct font_use *f, int code)
{
	f->codes[code / 8] |= (unsigned char)(1 << code % 8);
}

static bool
has_code(const unsigned char *codes, int code)
{
	return codes[code / 8] >> code % 8 & 1;
}

/* Bytes come one by one; wide codes are made of two. */
struct coder {
	struct font_use *f;
	int first; /* -1: none yet */
};

static void
add_byte(struct coder *k, int byte)
{
	if (!k->f->wide) {
		set_code(k->f, byte);
	} else if (k->first < 0) {
		k->first = byte;
	} else {
		set_code(k->f, k->first << 8 | byte);
		k->first = -1;
	}
}

static void
add_hex(struct coder *k, const struct token *t)
{
	int high = -1;

	for (size_t i = 1; i < t->len; i++) {
		int v = hex_digit(t->s[i]);

		if (v < 0)
			continue;
		if (high < 0) {
			high = v;
			continue;
		}
		add_byte(k, high << 4 | v);
		high = -1;
	}
	if (high >= 0)
		add_byte(k, high << 4);
}

/* The byte behind a backslash; `*i` is left on its last character. */
static int
escaped(const struct token *t, size_t *i)
{
	static const char names[] = "nrtbf", bytes[] = "\n\r\t\b\f";
	const char *at = strchr(names, t->s[*i]);
	int v = 0, n = 0;

	if (at && *at)
		return bytes[at - names];
	while (n < 3 && *i + 1 < t->len && t->s[*i] >= '0' && t->s[*i] <= '7') {
		v = v * 8 + t->s[(*i)++] - '0';
		n++;
	}
	if (n == 0)
		return (unsigned char)t->s[*i];
	(*i)--;
	return v & 255;
}

static void
add_literal(struct coder *k, const struct token *t)
{
	for (size_t i = 1; i + 1 < t->len; i++) {
		if (t->s[i] != '\\') {
			add_byte(k, (unsigned char)t->s[i]);
			continue;
		}
		if (++i + 1 >= t->len)
			return;
		if (t->s[i] != '\n' && t->s[i] != '\r')
			add_byte(k, escaped(t, &i));
	}
}

void
font_shows(struct font_use *f, const struct token *string)
{
	struct coder k = {f, -1};

	if (string->s[0] == '<')
		add_hex(&k, string);
	else
		add_literal(&k, string);
}

/* ---- the map to Unicode ---- */

struct cmap {
	unsigned char codes[65536 / 8]; /* that have a character */
	bool bad;
};

static long
hex_value(const struct token *t)
{
	long v = 0;

	if (t->kind != TOKEN_STRING || t->len > 10)
		return -1;
	for (size_t i = 1; i + 1 < t->len; i++)
		v = v << 4 | (hex_digit(t->s[i]) & 15);
	return v;
}

static void
map_range(struct cmap *m, long from, long to, const struct token *target)
{
	long first = hex_value(target);

	if (first == 0 || first == 0xFEFF || first == 0xFFFE)
		m->bad = true;
	for (long v = from; v >= 0 && v <= to && v < 65536; v++)
		m->codes[v / 8] |= (unsigned char)(1 << v % 8);
}

/* Entries are pairs in bfchar, triples in bfrange; lists count as one. */
static void
read_cmap(struct cmap *m, const char *s, size_t len)
{
	struct content in = {s, len, 0};
	struct token t, part[3];
	int want = 0, n = 0;
	bool in_list = false;

	while (content_next(&in, &t)) {
		if (t.kind == TOKEN_OPERATOR) {
			want = token_is(&t, "beginbfchar")    ? 2
			       : token_is(&t, "beginbfrange") ? 3
							      : 0;
			n = 0;
			continue;
		}
		if (want == 0)
			continue;
		if (t.kind == TOKEN_CLOSE)
			in_list = false;
		if (in_list || t.kind == TOKEN_CLOSE)
			continue;
		in_list = t.kind == TOKEN_OPEN;
		part[n++] = t;
		if (n < want)
			continue;
		map_range(m, hex_value(&part[0]), hex_value(&part[want - 2]),
		    &part[n - 1]);
		n = 0;
	}
}

static void
check_unicode(struct check *c, const struct font_use *f, qpdf_oh font,
    const char *name)
{
	struct cmap *m = arena_alloc(c->a, 1, sizeof(*m));
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len = 0;
	int missing = 0;

	if (qpdf_oh_is_stream(c->q, q_key(c->q, font, "/ToUnicode")) &&
	    !(qpdf_oh_get_stream_data(c->q, q_key(c->q, font, "/ToUnicode"),
		  qpdf_dl_generalized, &filtered, &data, &len) &
		QPDF_ERRORS))
		read_cmap(m, (const char *)data, len);
	free(data);
	for (int i = 0; i < 65536; i++)
		missing += has_code(f->codes, i) && !has_code(m->codes, i);
	if (missing > 0 || m->bad)
		broken(c, RULE_FONT_UNICODE,
		    "font %s: %d codes without Unicode%s", name, missing,
		    m->bad ? ", and a forbidden one" : "");
}

/* ---- the font ---- */

static bool
is_embedded(qpdf_data q, qpdf_oh font)
{
	qpdf_oh d = q_key(q, font, "/FontDescriptor");

	return qpdf_oh_is_stream(q, q_key(q, d, "/FontFile")) ||
	       qpdf_oh_is_stream(q, q_key(q, d, "/FontFile2")) ||
	       qpdf_oh_is_stream(q, q_key(q, d, "/FontFile3"));
}

static void
check_composite(struct check *c, const struct font_use *f, qpdf_oh font,
    qpdf_oh below, const char *name)
{
	qpdf_data q = c->q;
	qpdf_oh info = q_key(q, below, "/CIDSystemInfo");

	if (!q_text(c->a, q, info, "/Registry") ||
	    !q_text(c->a, q, info, "/Ordering"))
		broken(c, RULE_FONT_CID, "font %s: no /CIDSystemInfo", name);
	if (!q_is_name(q, font, "/Encoding", "/Identity-H") &&
	    !q_is_name(q, font, "/Encoding", "/Identity-V") &&
	    !qpdf_oh_is_stream(q, q_key(q, font, "/Encoding")))
		broken(c, RULE_FONT_CID, "font %s: no embedded /Encoding",
		    name);
	if (q_is_name(q, below, "/Subtype", "/CIDFontType2") &&
	    !q_has(q, below, "/CIDToGIDMap"))
		broken(c, RULE_FONT_CID, "font %s: no /CIDToGIDMap", name);
	if (has_code(f->codes, 0))
		broken(c, RULE_FONT_NOTDEF, "font %s: glyph 0 is shown", name);
}

void
check_fonts(struct check *c)
{
	qpdf_data q = c->q;

	for (int i = 0; i < c->n_fonts; i++) {
		const struct font_use *f = c->fonts[i];
		qpdf_oh font = qpdf_get_object_by_id(q, f->id, 0), below = font;
		const char *name = q_name(c->a, q, font, "/BaseFont");

		if (f->wide) {
			qpdf_oh all = q_key(q, font, "/DescendantFonts");

			below = qpdf_oh_is_array(q, all)
				    ? qpdf_oh_get_array_item(q, all, 0)
				    : qpdf_oh_new_null(q);
			check_composite(c, f, font, below, name);
		}
		if (!is_embedded(q, below) &&
		    !q_is_name(q, font, "/Subtype", "/Type3"))
			broken(c, RULE_FONT_FILE, "font %s is not embedded",
			    name);
		check_unicode(c, f, font, name);
		qpdf_oh_release_all(q);
	}
}
