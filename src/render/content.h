/*
 * Content streams of PDF pages, token by token: enough to see what is drawn
 * inside which marks.  Strange bytes end a token, never the program.
 */
#ifndef RENDER_CONTENT_H
#define RENDER_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

struct str;

enum token_kind {
	TOKEN_NUMBER,
	TOKEN_NAME,   /* with its slash */
	TOKEN_STRING, /* with its ( ) or < > */
	TOKEN_OPEN,   /* [ or << */
	TOKEN_CLOSE,  /* ] or >> */
	TOKEN_OPERATOR
};

struct token {
	enum token_kind kind;
	const char *s; /* in the stream, not terminated */
	size_t len;
};

struct content {
	const char *s;
	size_t len, at;
};

/*
 * The next token; false at the end.  An inline image is one operator, "EI",
 * whose text is the image as a whole.
 */
bool content_next(struct content *c, struct token *t);
bool token_is(const struct token *t, const char *text);
/* Does the operator put something on the page? */
bool token_paints(const struct token *t);
/* Does it open (1) or close (-1) marked content?  0: neither. */
int token_marks(const struct token *t);

/*
 * Copy a page's content; what is drawn outside of every mark becomes an
 * artifact.
 */
void content_mark_artifacts(const char *s, size_t len, struct str *out);

#endif
