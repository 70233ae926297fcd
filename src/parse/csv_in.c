#include "parse/csv_in.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct reading {
	struct arena *a;
	const struct source *src;
	const char *p, *end;
	struct diag *d;
};

static bool
fail(struct reading *r, const char *at, const char *id, const char *text)
{
	return diag_error(r->d, pos_at(r->src, (size_t)(at - r->src->text)), id,
	    "%s", text);
}

static bool
at_line_end(const struct reading *r)
{
	return r->p == r->end || *r->p == '\n' ||
	       (*r->p == '\r' && r->p + 1 < r->end && r->p[1] == '\n');
}

static void
skip_line_end(struct reading *r)
{
	if (r->p < r->end && *r->p == '\r')
		r->p++;
	if (r->p < r->end)
		r->p++;
}

/* The field after an opening quote; NULL after reporting. */
static const char *
read_quoted(struct reading *r)
{
	const char *open = r->p++, *from = r->p;
	struct str s;

	str_init(&s, r->a);
	for (;;) {
		const char *q = memchr(r->p, '"', (size_t)(r->end - r->p));

		if (!q) {
			fail(r, open, "csv-quote",
			    "this quote is never closed");
			return NULL;
		}
		r->p = q + 1;
		if (r->p == r->end || *r->p != '"')
			break;
		str_addn(&s, from, (size_t)(r->p - from));
		from = ++r->p;
	}
	str_addn(&s, from, (size_t)(r->p - 1 - from));
	if (!at_line_end(r) && *r->p != ',') {
		fail(r, r->p, "csv-quote", "text after a closing quote");
		return NULL;
	}
	return s.s;
}

static const char *
read_cell(struct reading *r)
{
	const char *from = r->p;

	if (r->p < r->end && *r->p == '"')
		return read_quoted(r);
	while (!at_line_end(r) && *r->p != ',') {
		if (*r->p == '"') {
			fail(r, r->p, "csv-quote",
			    "a quote inside a field that does not begin "
			    "with one");
			return NULL;
		}
		r->p++;
	}
	return arena_strndup(r->a, from, (size_t)(r->p - from));
}

/* One record into `cells`; the number of fields, -1 after reporting. */
static int
read_record(struct reading *r, const char **cells)
{
	const char *start = r->p;
	int n = 0;

	for (;; r->p++) {
		if (n == CSV_MAX_COLUMNS) {
			fail(r, start, "csv-limit", "too many fields");
			return -1;
		}
		cells[n] = read_cell(r);
		if (!cells[n++])
			return -1;
		if (at_line_end(r))
			break;
	}
	skip_line_end(r);
	return n;
}

static const char **
keep(struct arena *a, const char *const *cells, int n)
{
	const char **kept = arena_alloc(a, (size_t)n, sizeof(*kept));

	memcpy(kept, cells, (size_t)n * sizeof(*kept));
	return kept;
}

static bool
check_names(const struct csv *c, struct diag *d)
{
	for (int i = 0; i < c->n_columns; i++) {
		if (!*c->names[i])
			return diag_error(d, pos_at(c->src, 0), "csv-name",
			    "column %d has no name", i + 1);
		if (csv_column(c, c->names[i]) != i)
			return diag_error(d, pos_at(c->src, 0), "csv-name",
			    "two columns are called '%s'", c->names[i]);
	}
	return true;
}

static bool
read_rows(struct reading *r, struct csv *c)
{
	const char *cells[CSV_MAX_COLUMNS];

	while (r->p < r->end) {
		size_t at = (size_t)(r->p - r->src->text);
		struct csv_row *row;
		int n;

		if (at_line_end(r)) { /* a blank line */
			skip_line_end(r);
			continue;
		}
		if (c->n_rows == CSV_MAX_ROWS)
			return fail(r, r->p, "csv-limit", "too many records");
		n = read_record(r, cells);
		if (n < 0)
			return false;
		if (n != c->n_columns)
			return diag_error(r->d, pos_at(r->src, at),
			    "csv-columns",
			    "%d fields where there are %d columns", n,
			    c->n_columns);
		row = arena_push(r->a, &c->rows, &c->n_rows, sizeof(*row));
		row->cells = keep(r->a, cells, n);
		row->at = at;
	}
	return true;
}

static bool
check_bytes(const struct source *src, struct diag *d)
{
	const char *zero = memchr(src->text, '\0', src->len);
	ptrdiff_t bad = utf8_invalid_at(src->text, src->len);

	if (zero)
		return diag_error(d, pos_file(src), "csv-encoding",
		    "byte %zu is zero: this is no text",
		    (size_t)(zero - src->text));
	if (bad >= 0)
		return diag_error(d, pos_at(src, (size_t)bad), "csv-encoding",
		    "not UTF-8");
	return true;
}

struct csv *
csv_parse(struct arena *a, struct source *src, struct diag *d)
{
	const char *cells[CSV_MAX_COLUMNS];
	struct reading r = {a, src, src->text, src->text + src->len, d};
	struct csv *c = arena_alloc(a, 1, sizeof(*c));

	c->src = src;
	if (!check_bytes(src, d))
		return NULL;
	if (str_starts(r.p, "\xef\xbb\xbf"))
		r.p += 3;
	if (r.p == r.end || at_line_end(&r)) {
		diag_error(d, pos_file(src), "csv-empty",
		    "no line of column names");
		return NULL;
	}
	c->n_columns = read_record(&r, cells);
	if (c->n_columns < 0)
		return NULL;
	c->names = keep(a, cells, c->n_columns);
	if (!check_names(c, d) || !read_rows(&r, c))
		return NULL;
	return c;
}

int
csv_column(const struct csv *c, const char *name)
{
	for (int i = 0; i < c->n_columns; i++)
		if (str_equal(c->names[i], name))
			return i;
	return -1;
}

int
csv_need(const struct csv *c, const char *name, struct diag *d)
{
	int i = csv_column(c, name);

	if (i < 0) {
		diag_error(d, pos_at(c->src, 0), "csv-missing",
		    "no column is called '%s'", name);
		if (str_nearest(name, c->names, c->n_columns))
			diag_note(d, "did you mean '%s'?",
			    str_nearest(name, c->names, c->n_columns));
	}
	return i;
}

struct pos
csv_pos(const struct csv *c, int row)
{
	return pos_at(c->src, c->rows[row].at);
}

void
csv_add(struct str *s, const char *cell)
{
	if (!strpbrk(cell, ",\"\r\n")) {
		str_add(s, cell);
		return;
	}
	str_addc(s, '"');
	for (; *cell; cell++) {
		if (*cell == '"')
			str_addc(s, '"');
		str_addc(s, *cell);
	}
	str_addc(s, '"');
}
