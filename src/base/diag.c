#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

void
diag_init(struct diag *d, struct arena *a)
{
	*d = (struct diag){.a = a};
}

static void
add(struct diag *d, enum severity severity, struct pos pos, const char *id,
    const char *fmt, va_list ap)
{
	struct problem *p;

	if (severity == SEV_ERROR)
		d->n_errors++;
	if (d->n >= DIAG_MAX) {
		d->n_dropped++;
		return;
	}
	p = arena_push(d->a, &d->problems, &d->n, sizeof(*p));
	*p = (struct problem){severity, id, pos, arena_vprintf(d->a, fmt, ap),
	    NULL};
}

bool
diag_error(struct diag *d, struct pos pos, const char *id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(d, SEV_ERROR, pos, id, fmt, ap);
	va_end(ap);
	return false;
}

void
diag_warning(struct diag *d, struct pos pos, const char *id, const char *fmt,
    ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(d, SEV_WARNING, pos, id, fmt, ap);
	va_end(ap);
}

void
diag_note(struct diag *d, const char *fmt, ...)
{
	struct problem *last;
	const char *note;
	va_list ap;

	if (d->n == 0 || d->n_dropped)
		return;
	last = &d->problems[d->n - 1];
	va_start(ap, fmt);
	note = arena_vprintf(d->a, fmt, ap);
	va_end(ap);
	last->note =
	    last->note ? arena_printf(d->a, "%s\n%s", last->note, note) : note;
}

struct pos
pos_file(const struct source *src)
{
	return (struct pos){src, 0, 0};
}

struct pos
pos_at(const struct source *src, size_t offset)
{
	struct pos pos = {src, 1, 1};
	size_t start = 0;

	if (!src->text)
		return pos_file(src);
	if (offset > src->len)
		offset = src->len;
	for (size_t i = 0; i < offset; i++) {
		if (src->text[i] == '\n') {
			pos.line++;
			start = i + 1;
		}
	}
	for (size_t i = start; i < offset; i++)
		if (((unsigned char)src->text[i] & 0xC0) != 0x80)
			pos.col++;
	return pos;
}

/* By file, then place; problems of one place stay in order of report. */
static int
by_place(const void *va, const void *vb)
{
	const struct problem *const *pa = va, *const *pb = vb;
	const struct problem *a = *pa, *b = *pb;
	const char *fa = a->pos.src ? a->pos.src->path : "";
	const char *fb = b->pos.src ? b->pos.src->path : "";
	int c = strcmp(fa, fb);

	if (c)
		return c;
	if (a->pos.line != b->pos.line)
		return a->pos.line < b->pos.line ? -1 : 1;
	if (a->pos.col != b->pos.col)
		return a->pos.col < b->pos.col ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The text of line `line`, without its end; NULL if there is none. */
static const char *
find_line(const struct source *src, int line, size_t *len)
{
	const char *s = src->text, *end = src->text + src->len, *eol;

	for (; line > 1; line--) {
		s = memchr(s, '\n', (size_t)(end - s));
		if (!s)
			return NULL;
		s++;
	}
	eol = memchr(s, '\n', (size_t)(end - s));
	*len = (size_t)((eol ? eol : end) - s);
	if (*len && s[*len - 1] == '\r')
		--*len;
	return s;
}

enum { SHOWN_BEFORE = 60, SHOWN_COLUMNS = 100 };

/*
 * The line and a caret under the column, at most SHOWN_COLUMNS wide: a long
 * line is shown from SHOWN_BEFORE characters before the caret.
 */
static void
print_caret(FILE *f, struct pos pos)
{
	size_t len;
	const char *s, *end, *at;
	int col = 1,
	    first = pos.col > SHOWN_BEFORE ? pos.col - SHOWN_BEFORE : 1;

	if (pos.line == 0 || !pos.src || !pos.src->text)
		return;
	s = find_line(pos.src, pos.line, &len);
	if (!s || utf8_invalid_at(s, len) >= 0 || memchr(s, '\0', len))
		return;
	end = s + len;
	for (; s < end && col < first; col++)
		utf8_next(&s);
	for (at = s; at < end && col < pos.col; col++)
		utf8_next(&at);
	fputs("    ", f);
	for (const char *p = s;
	     p < end && utf8_columns(s, (size_t)(p - s)) < SHOWN_COLUMNS;) {
		const char *from = p;
		uint32_t cp = utf8_next(&p);

		if (cp < 0x20 || cp == 0x7F)
			fputc(' ', f);
		else
			fwrite(from, 1, (size_t)(p - from), f);
	}
	fprintf(f, "\n    %*s^\n", utf8_columns(s, (size_t)(at - s)), "");
}

static void
print_note(FILE *f, const char *note)
{
	const char *eol;

	for (; (eol = strchr(note, '\n')) != NULL; note = eol + 1)
		fprintf(f, "    note: %.*s\n", (int)(eol - note), note);
	fprintf(f, "    note: %s\n", note);
}

static void
print_problem(FILE *f, const struct problem *p)
{
	const char *path = p->pos.src ? p->pos.src->path : "whygpu";

	fputs(path, f);
	if (p->pos.line)
		fprintf(f, ":%d:%d", p->pos.line, p->pos.col);
	fprintf(f, ": %s: %s [%s]\n",
	    p->severity == SEV_ERROR ? "error" : "warning", p->text, p->id);
	print_caret(f, p->pos);
	if (p->note)
		print_note(f, p->note);
}

void
diag_print(const struct diag *d, FILE *f)
{
	const struct problem **order;

	if (d->n == 0)
		return;
	order = arena_alloc(d->a, (size_t)d->n, sizeof(*order));
	for (int i = 0; i < d->n; i++)
		order[i] = &d->problems[i];
	qsort(order, (size_t)d->n, sizeof(*order), by_place);
	for (int i = 0; i < d->n; i++)
		print_problem(f, order[i]);
	if (d->n_dropped)
		fprintf(f, "whygpu: %d more problems not shown\n",
		    d->n_dropped);
}
