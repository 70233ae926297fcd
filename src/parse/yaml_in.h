/*
 * Strict access to YAML with positions.  libyaml's events become a light
 * tree of maps, lists and scalars; scalars stay text until a reader asks for
 * a number, so NO, 010 and 1:30 mean what they say.
 *
 * Refused with a clear message: more than the limits below, anchors and
 * aliases, tags, several documents, duplicate keys, complex keys.  Before
 * parsing, the bytes are checked: UTF-8 (GBK is recognised), BOM (skipped),
 * tabs in the indent, full-width colons and other look-alikes, missing space
 * after a colon.
 */
#ifndef PARSE_YAML_IN_H
#define PARSE_YAML_IN_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/num.h"

struct arena;

enum { YAML_MAX_BYTES = 1 << 20, YAML_MAX_DEPTH = 32, YAML_MAX_NODES = 100000 };

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	const char *key; /* in a map */
	struct pos key_pos, pos;
	const char *text; /* scalar */
	bool quoted;
	struct yaml_node *first, *last, *next; /* children in order */
	int n;
	bool asked;
};

/* The root node, or NULL after reporting (an empty file too). */
struct yaml_node *
yaml_parse(struct arena *a, struct source *src, struct diag *d);

/* A child of a map by key, or NULL; marks it. */
struct yaml_node *yaml_find(struct yaml_node *map, const char *key);
/* The same of a kind; reports "yaml-kind" when it is another kind. */
struct yaml_node *
yaml_map(struct yaml_node *map, const char *key, struct diag *d);
struct yaml_node *
yaml_list(struct yaml_node *map, const char *key, struct diag *d);
/* Text of a scalar child, or NULL if absent. */
const char *yaml_text(struct yaml_node *map, const char *key, struct diag *d);
/* Required text: "yaml-missing" at the map. */
const char *yaml_need(struct yaml_node *map, const char *key, struct diag *d);
/*
 * Numbers: true and *v set when present and right; false when absent (no
 * report) or wrong (reported "yaml-number" with the accepted units).
 */
bool yaml_number(struct arena *a, struct yaml_node *map, const char *key,
    enum unit unit, double *v, struct diag *d);
/* One of `n` words; -1 when absent or wrong ("yaml-choice", with nearest). */
int yaml_choice(struct yaml_node *map, const char *key,
    const char *const *words, int n, struct diag *d);
/* "1920x1080", "1920×1080", "1,920x1,080", "1080p", "4K", "640" (square). */
bool yaml_size(struct yaml_node *map, const char *key, int *w, int *h,
    struct diag *d);

/* Report keys of a map nobody asked for: "yaml-unknown", nearest known. */
bool yaml_end(struct yaml_node *map, const char *const *known, int n,
    struct diag *d);

#endif
