/*
 * Character encodings of text files that people and foreign programs write.
 */
#ifndef PARSE_CHARSET_H
#define PARSE_CHARSET_H

#include <stddef.h>

struct arena;
struct source;

/*
 * `text` read in the encoding `from` ("GB18030", "UTF-16LE", ...) as UTF-8
 * in `a`, with the length in `*out_len`.  NULL when the encoding is unknown
 * or some bytes do not belong to it.
 */
char *charset_to_utf8(struct arena *a, const char *text, size_t len,
    const char *from, size_t *out_len);

/* "UTF-16LE" or "UTF-16BE" if the text starts like one, else NULL. */
const char *charset_utf16(const char *text, size_t len);

/*
 * Put blanks for the zero bytes of a source, in a copy in `a`: they would
 * end the text wherever it is shown.  The offset of the first, or -1.
 */
ptrdiff_t charset_blank_zeros(struct arena *a, struct source *src);

#endif
