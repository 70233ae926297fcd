#include "parse/charset.h"

#include <iconv.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"

char *
charset_to_utf8(struct arena *a, const char *text, size_t len, const char *from,
    size_t *out_len)
{
	iconv_t cd = iconv_open("UTF-8", from);
	/* No encoding we accept grows more than threefold. */
	size_t room = 3 * len + 4, left = room, rest = len;
	char *out, *to, *in = (char *)text;

	if (cd == (iconv_t)-1)
		return NULL;
	out = to = arena_alloc(a, room + 1, 1);
	if (iconv(cd, &in, &rest, &to, &left) == (size_t)-1 || rest > 0) {
		iconv_close(cd);
		return NULL;
	}
	iconv_close(cd);
	*out_len = room - left;
	out[*out_len] = '\0';
	return out;
}

const char *
charset_utf16(const char *text, size_t len)
{
	if (len < 2)
		return NULL;
	if (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "<\0", 2) == 0)
		return "UTF-16LE";
	if (memcmp(text, "\xFE\xFF", 2) == 0 || memcmp(text, "\0<", 2) == 0)
		return "UTF-16BE";
	return NULL;
}

ptrdiff_t
charset_blank_zeros(struct arena *a, struct source *src)
{
	const char *first = memchr(src->text, '\0', src->len);
	ptrdiff_t at = first ? first - src->text : -1;
	char *text;

	if (!first)
		return -1;
	text = arena_alloc(a, src->len + 1, 1);
	memcpy(text, src->text, src->len);
	for (size_t i = (size_t)at; i < src->len; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	src->text = text;
	return at;
}
