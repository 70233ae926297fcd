/*
 * A growing string in an arena, and the few UTF-8 questions we ask.
 * `s` is always terminated and never NULL after str_init.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct str {
	struct arena *a;
	char *s;
	size_t len, cap;
};

void str_init(struct str *b, struct arena *a);
void str_add(struct str *b, const char *s);
void str_addn(struct str *b, const char *s, size_t n);
void str_addc(struct str *b, char c);
void str_addf(struct str *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void str_add_utf8(struct str *b, uint32_t cp);
/* `s` with & < > " escaped for XML text and attributes. */
void str_add_xml(struct str *b, const char *s);

/*
 * The code point at `*s`, which moves past it; 0 at the end.  Invalid bytes
 * give U+FFFD and move one byte.
 */
uint32_t utf8_next(const char **s);

/* Offset of the first byte that is not valid UTF-8, or -1 if all is valid. */
ptrdiff_t utf8_invalid_at(const char *s, size_t len);

/* Code points in the string. */
int utf8_length(const char *s);

/* Columns on a terminal: East Asian wide and full-width characters take 2. */
int utf8_columns(const char *s, size_t len);

/* Han, kana, hangul, full-width forms and CJK punctuation. */
bool utf8_is_wide(uint32_t cp);

bool str_equal(const char *a, const char *b);        /* NULL equals only NULL */
bool str_equal_nocase(const char *a, const char *b); /* ASCII letters only */
bool str_starts(const char *s, const char *prefix);

/*
 * The candidate closest to `word` in edit distance, if close enough to be a
 * slip (distance at most 1 + length/4); NULL otherwise.
 */
const char *str_nearest(const char *word, const char *const *candidates, int n);

#endif
