#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

void
str_init(struct str *b, struct arena *a)
{
	*b = (struct str){.a = a, .s = arena_alloc(a, 64, 1), .cap = 64};
}

static void
make_room(struct str *b, size_t more)
{
	size_t cap = b->cap;
	char *s;

	if (b->len + more + 1 <= cap)
		return;
	while (cap < b->len + more + 1)
		cap *= 2;
	s = arena_alloc(b->a, cap, 1);
	memcpy(s, b->s, b->len);
	b->s = s;
	b->cap = cap;
}

void
str_addn(struct str *b, const char *s, size_t n)
{
	if (n == 0)
		return;
	make_room(b, n);
	memcpy(b->s + b->len, s, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void
str_add(struct str *b, const char *s)
{
	str_addn(b, s, strlen(s));
}

void
str_addc(struct str *b, char c)
{
	str_addn(b, &c, 1);
}

void
str_addf(struct str *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_add(b, arena_vprintf(b->a, fmt, ap));
	va_end(ap);
}

void
str_add_utf8(struct str *b, uint32_t cp)
{
	char s[4];
	size_t n;

	if (cp < 0x80) {
		s[0] = (char)cp;
		n = 1;
	} else if (cp < 0x800) {
		s[0] = (char)(0xC0 | cp >> 6);
		s[1] = (char)(0x80 | (cp & 63));
		n = 2;
	} else if (cp < 0x10000) {
		s[0] = (char)(0xE0 | cp >> 12);
		s[1] = (char)(0x80 | (cp >> 6 & 63));
		s[2] = (char)(0x80 | (cp & 63));
		n = 3;
	} else {
		s[0] = (char)(0xF0 | cp >> 18);
		s[1] = (char)(0x80 | (cp >> 12 & 63));
		s[2] = (char)(0x80 | (cp >> 6 & 63));
		s[3] = (char)(0x80 | (cp & 63));
		n = 4;
	}
	str_addn(b, s, n);
}

void
str_add_xml(struct str *b, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&': str_add(b, "&amp;"); break;
		case '<': str_add(b, "&lt;"); break;
		case '>': str_add(b, "&gt;"); break;
		case '"': str_add(b, "&quot;"); break;
		default:
			/* XML 1.0 has no way to write other controls. */
			if ((unsigned char)*s >= 0x20 || *s == '\n' ||
			    *s == '\t')
				str_addc(b, *s);
		}
	}
}

/* Length of the valid sequence at `s`, at most `room` bytes; 0 if none. */
static int
sequence(const unsigned char *s, size_t room, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int n;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	n = s[0] >= 0xF0 && s[0] < 0xF5   ? 4
	    : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
	    : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
					  : 0;
	if (n == 0 || (size_t)n > room)
		return 0;
	*cp = s[0] & (0x7Fu >> n);
	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3Fu);
	}
	if (*cp < least[n] || *cp > 0x10FFFF || (*cp >= 0xD800 && *cp < 0xE000))
		return 0;
	return n;
}

uint32_t
utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	size_t room = 0;
	uint32_t cp;
	int n;

	if (!*p)
		return 0;
	while (room < 4 && p[room])
		room++;
	n = sequence(p, room, &cp);
	if (n == 0) {
		++*s;
		return 0xFFFD;
	}
	*s += n;
	return cp;
}

ptrdiff_t
utf8_invalid_at(const char *s, size_t len)
{
	size_t i = 0;
	uint32_t cp;

	while (i < len) {
		int n = sequence((const unsigned char *)s + i, len - i, &cp);

		if (n == 0)
			return (ptrdiff_t)i;
		i += (size_t)n;
	}
	return -1;
}

int
utf8_length(const char *s)
{
	int n = 0;

	while (utf8_next(&s))
		n++;
	return n;
}

bool
utf8_is_wide(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
	    {0x1100, 0x115F},
	    {0x2E80, 0x303E},
	    {0x3041, 0xA4CF},
	    {0xA960, 0xA97F},
	    {0xAC00, 0xD7A3},
	    {0xF900, 0xFAFF},
	    {0xFE30, 0xFE6F},
	    {0xFF00, 0xFF60},
	    {0xFFE0, 0xFFE6},
	    {0x1F300, 0x1FAFF},
	    {0x20000, 0x3FFFD},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return false;
}

int
utf8_columns(const char *s, size_t len)
{
	const char *end = s + len;
	int n = 0;

	while (s < end && *s)
		n += utf8_is_wide(utf8_next(&s)) ? 2 : 1;
	return n;
}

bool
str_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool
str_equal_nocase(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && lower(*a) == lower(*b); a++, b++)
		;
	return lower(*a) == lower(*b);
}

bool
str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

enum { NEAREST_MAX = 48 };

/* Edits between two short words, letters without regard to case. */
static int
distance(const char *a, const char *b)
{
	int row[NEAREST_MAX + 1], la = (int)strlen(a), lb = (int)strlen(b);

	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int above = row[j], best = diagonal;

			if (lower(a[i - 1]) != lower(b[j - 1]))
				best++;
			if (above + 1 < best)
				best = above + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = above;
			row[j] = best;
		}
	}
	return row[lb];
}

const char *
str_nearest(const char *word, const char *const *candidates, int n)
{
	const char *best = NULL;
	size_t len = strlen(word);
	int least = 2 + (int)len / 4;

	if (len > NEAREST_MAX)
		return NULL;
	for (int i = 0; i < n; i++) {
		int d;

		if (!candidates[i] || strlen(candidates[i]) > NEAREST_MAX)
			continue;
		d = distance(word, candidates[i]);
		if (d < least) {
			least = d;
			best = candidates[i];
		}
	}
	return best;
}
