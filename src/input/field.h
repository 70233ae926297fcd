/*
 * Fields of the needs files: a key of a YAML map, read, checked against what
 * is possible, and turned into a fact or a card of the catalogue.  Private to
 * project_in.c and vendor_in.c.
 *
 * Every function reports what is wrong at the value; `false`, NULL or an
 * unknown fact then means "not usable", as it does for an absent key.
 */
#ifndef INPUT_FIELD_H
#define INPUT_FIELD_H

#include <stdbool.h>

#include "data/needs.h"
#include "parse/yaml_in.h"

struct arena;

struct form {
	struct arena *a;
	const struct catalog *c;
	struct diag *d;
	/* what is set from outside, and which of it found its place */
	const struct setting *set;
	int n_set;
	bool *set_used;
};

/* low < v or, if `with_low`, low <= v; v <= high.  In base units. */
struct range {
	double low, high;
	bool with_low;
	const char *text; /* "above 0, at most 1000 fps" */
};

/* Whether the key is there; reports "yaml-missing" when not. */
bool
field_present(const struct form *f, struct yaml_node *map, const char *key);

bool field_number(const struct form *f, struct yaml_node *map, const char *key,
    enum unit u, const struct range *r, double *v);
/* The same; the source of the fact is "file:line". */
struct fact field_fact(const struct form *f, struct yaml_node *map,
    const char *key, enum unit u, const struct range *r);
/* `missing` when the key is absent. */
int field_int(const struct form *f, struct yaml_node *map, const char *key,
    const struct range *r, int missing);
/* yes, no, true, false, 是, 否; `*known` may be NULL. */
bool field_flag(const struct form *f, struct yaml_node *map, const char *key,
    bool missing, bool *known);
/* "2026-11-30" */
const char *
field_date(const struct form *f, struct yaml_node *map, const char *key);
/* One word of letters, digits, '-', '_' and '.', as ids are. */
const char *
field_id(const struct form *f, struct yaml_node *map, const char *key);

/* A precision in any of its names; false when absent too. */
bool
field_precision(const struct form *f, struct yaml_node *map, enum precision *p);
/* A list of at most FIELD_MAX_ITEMS, or NULL. */
enum { FIELD_MAX_ITEMS = 1000 };
struct yaml_node *
field_list(const struct form *f, struct yaml_node *map, const char *key);
/* Reports "<what> must be a map" when it is none. */
bool
field_is_map(const struct form *f, const struct yaml_node *n, const char *what);

extern const struct range field_batches;

/* "sheet.yaml:12", the source of a figure read there. */
const char *field_source(const struct form *f, struct pos pos);

/* The one card called `name`; ambiguous and unknown names are errors. */
const struct gpu *
field_gpu_named(const struct form *f, const char *name, struct pos pos);
const struct gpu *
field_gpu(const struct form *f, struct yaml_node *map, const char *key);
/*
 * All cards called `name`, at most `max`; 0 after reporting.  The caller
 * judges more than one; field_candidates lists what tells them apart.
 */
int field_gpus(const struct form *f, const char *name, struct pos pos,
    const struct gpu **found, int max);
void field_candidates(const struct form *f, const struct gpu **found, int n);

/* Report unknown keys; `known` is an array of words. */
#define FIELD_END(f, map, known)                                               \
	yaml_end(map, known, (int)(sizeof(known) / sizeof((known)[0])), (f)->d)

#endif
