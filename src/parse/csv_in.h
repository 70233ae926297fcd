/*
 * Strict access to CSV with positions (RFC 4180): a first line of column
 * names, then records of as many fields.  Fields may stand in double quotes,
 * with "" for a quote inside; lines end in LF or CRLF; a byte order mark is
 * skipped.  The text must be UTF-8 without zero bytes.  No domain knowledge.
 */
#ifndef PARSE_CSV_IN_H
#define PARSE_CSV_IN_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;
struct str;

enum {
	CSV_MAX_BYTES = 64 << 20,
	CSV_MAX_ROWS = 1000000,
	CSV_MAX_COLUMNS = 256
};

struct csv_row {
	const char **cells; /* as many as there are columns */
	size_t at;          /* offset of the record in the source */
};

struct csv {
	const struct source *src;
	const char **names;
	int n_columns;
	struct csv_row *rows;
	int n_rows;
};

/*
 * NULL after reporting: "csv-empty", "csv-encoding", "csv-quote",
 * "csv-columns" (a record with more or fewer fields), "csv-name" (a column
 * without a name, or two of one name), "csv-limit".
 */
struct csv *csv_parse(struct arena *a, struct source *src, struct diag *d);

/* The column called `name`, or -1; csv_need reports "csv-missing" then. */
int csv_column(const struct csv *c, const char *name);
int csv_need(const struct csv *c, const char *name, struct diag *d);

/* Where a record begins; its line is counted out when asked for. */
struct pos csv_pos(const struct csv *c, int row);

/* Append a field, in quotes if it needs them. */
void csv_add(struct str *s, const char *cell);

#endif
