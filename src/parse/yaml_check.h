/*
 * A first look at the bytes of a YAML file, for the slips that libyaml
 * explains badly or not at all: full-width punctuation, a missing space
 * after a colon, tabs, signs that cannot start a value, a second colon,
 * numbers cut by a comma, brackets nested without end.
 *
 * Each is reported; a copy with the slips put right lets the parser go on to
 * find the problems behind them.  Private to yaml_in.c.
 */
#ifndef PARSE_YAML_CHECK_H
#define PARSE_YAML_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct arena;

/* From column `col` of the copy on, columns are `shift` too high. */
struct yaml_edit {
	int line, col, shift;
};

struct yaml_copy {
	const char *text;
	size_t len;
	struct yaml_edit *edits;
	int n_edits;
};

/* False when parsing the copy would only repeat what was reported. */
bool yaml_check(struct arena *a, const struct source *src,
    struct yaml_copy *copy, struct diag *d);

#endif
