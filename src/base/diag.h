/*
 * Problems in what people wrote: each with a stable id, a position, what is
 * wrong and what would be right.  Readers report and go on; the command
 * prints them all, sorted by file and position, with the line and a caret.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

/* A text we read; lives as long as the problems that point into it. */
struct source {
	const char *path; /* as the user would write it */
	const char *text; /* may be NULL: no caret then */
	size_t len;
};

/* line and col count from 1, col in characters; line 0 is the whole file. */
struct pos {
	const struct source *src;
	int line, col;
};

enum severity { SEV_WARNING, SEV_ERROR };

struct problem {
	enum severity severity;
	const char *id;
	struct pos pos;
	const char *text;
	const char *note; /* may be NULL */
};

struct diag {
	struct arena *a;
	struct problem *problems;
	int n, n_errors, n_dropped;
};

/* Reports past this number are counted, not kept. */
enum { DIAG_MAX = 200 };

void diag_init(struct diag *d, struct arena *a);

/* Record an error; returns false so that a reader can `return diag_error()`. */
bool diag_error(struct diag *d, struct pos pos, const char *id, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *d, struct pos pos, const char *id,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* What would be right, attached to the problem reported last. */
void diag_note(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * file:line:col: error: text [id]
 *     source line
 *     caret
 *     note: ...
 */
void diag_print(const struct diag *d, FILE *f);

/* The position of byte `offset` in a source. */
struct pos pos_at(const struct source *src, size_t offset);
/* A position that is a file as a whole. */
struct pos pos_file(const struct source *src);

#endif
