#include "parse/xml_bytes.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/charset.h"

static size_t
skip_space(const char *s, size_t at, size_t end)
{
	while (at < end && isspace((unsigned char)s[at]))
		at++;
	return at;
}

/* The encoding named by the XML declaration, NULL if none or UTF-8. */
static const char *
declared_encoding(struct arena *a, const struct source *src, size_t *at)
{
	const char *end, *e;
	size_t n = src->len < 200 ? src->len : 200;
	char *name;

	if (n < 5 || memcmp(src->text, "<?xml", 5) != 0)
		return NULL;
	end = memmem(src->text, n, "?>", 2);
	if (!end)
		return NULL;
	e = memmem(src->text, (size_t)(end - src->text), "encoding", 8);
	if (!e)
		return NULL;
	for (e += 8; e < end && (*e == ' ' || *e == '='); e++)
		;
	if (e >= end || (*e != '"' && *e != '\''))
		return NULL;
	e++;
	*at = (size_t)(e - src->text);
	name = arena_strndup(a, e, strcspn(e, "\"'?"));
	if (str_equal_nocase(name, "utf-8") || str_equal_nocase(name, "utf8"))
		return NULL;
	return name;
}

static bool
is_ascii(const struct source *src)
{
	for (size_t i = 0; i < src->len; i++)
		if ((unsigned char)src->text[i] >= 0x80)
			return false;
	return true;
}

bool
xml_bytes_check(struct arena *a, struct source *src, struct diag *d)
{
	ptrdiff_t bad, zero;
	const char *name;
	size_t at;

	if (charset_utf16(src->text, src->len)) {
		diag_error(d, pos_file(src), "xml-encoding",
		    "the file is UTF-16");
		diag_note(d, "save it as UTF-8");
		return false;
	}
	zero = charset_blank_zeros(a, src);
	if (zero >= 0)
		return diag_error(d, pos_at(src, (size_t)zero), "xml-syntax",
		    "a zero byte in the text");
	name = declared_encoding(a, src, &at);
	if (name && !is_ascii(src)) {
		diag_error(d, pos_at(src, at), "xml-encoding",
		    "the file declares the encoding '%s'", name);
		diag_note(d, "save it as UTF-8");
		return false;
	}
	bad = utf8_invalid_at(src->text, src->len);
	if (bad >= 0) {
		diag_error(d, pos_at(src, (size_t)bad), "xml-encoding",
		    "a byte that is not UTF-8");
		diag_note(d, "save the file as UTF-8");
		return false;
	}
	return true;
}

static void
replace_text(struct source *src, const char *text, size_t len)
{
	src->text = text;
	src->len = len;
}

/* Bytes that are no UTF-8 and control characters become U+FFFD. */
static void
replace_bad_bytes(struct arena *a, struct source *src, struct diag *d)
{
	struct str out;
	const char *s = src->text, *end = s + src->len;
	ptrdiff_t first = -1;
	int n = 0;

	str_init(&out, a);
	while (s < end) {
		const char *from = s;
		uint32_t cp = *s ? utf8_next(&s) : (s++, 0);

		if ((cp == 0xFFFD && s - from == 1) ||
		    (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r')) {
			if (n++ == 0)
				first = (ptrdiff_t)out.len;
			str_add_utf8(&out, 0xFFFD);
		} else {
			str_addn(&out, from, (size_t)(s - from));
		}
	}
	if (n == 0)
		return;
	replace_text(src, out.s, out.len);
	diag_warning(d, pos_at(src, (size_t)first), "xml-repaired",
	    "%d byte%s that no text can hold, read as U+FFFD", n,
	    n == 1 ? "" : "s");
}

/* UTF-16, a declared encoding, or GBK when the bytes are no UTF-8. */
static void
convert(struct arena *a, struct source *src, struct diag *d)
{
	size_t len, at = 0;
	const char *from = charset_utf16(src->text, src->len);
	char *text;

	if (!from)
		from = declared_encoding(a, src, &at);
	if (from && !is_ascii(src)) {
		text = charset_to_utf8(a, src->text, src->len, from, &len);
		if (text) {
			replace_text(src, text, len);
			return;
		}
	}
	if (utf8_invalid_at(src->text, src->len) < 0)
		return;
	text = charset_to_utf8(a, src->text, src->len, "GB18030", &len);
	if (!text)
		return;
	at = (size_t)utf8_invalid_at(src->text, src->len);
	replace_text(src, text, len);
	/* ASCII stays one byte, so the place is right or a little early */
	diag_warning(d, pos_at(src, at < len ? at : len), "xml-repaired",
	    "the text is not UTF-8; read as GBK");
}

static void
trim_start(struct source *src, struct diag *d)
{
	size_t n = src->len >= 3 && memcmp(src->text, "\xEF\xBB\xBF", 3) == 0
		       ? 3
		       : 0,
	       bom = n;

	n = skip_space(src->text, n, src->len);
	if (n > bom && n + 5 <= src->len &&
	    memcmp(src->text + n, "<?xml", 5) == 0)
		diag_warning(d, pos_at(src, bom), "xml-repaired",
		    "white space before the XML declaration, skipped");
	replace_text(src, src->text + n, src->len - n);
}

void
xml_bytes_repair(struct arena *a, struct source *src, struct diag *d)
{
	convert(a, src, d);
	trim_start(src, d);
	replace_bad_bytes(a, src, d);
}
