/*
 * Results: every number and every decision of a report, as one tree of
 * named values.  decide/ builds it, results.xml prints it, templates and
 * charts read it by path ("vendors.0.request.gpu").  Nothing downstream
 * computes a figure that does not stand here.
 */
#ifndef DATA_RESULTS_H
#define DATA_RESULTS_H

#include "base/num.h"
#include "data/fact.h"

struct arena;
struct str;

enum node_kind { NODE_GROUP, NODE_LIST, NODE_NUMBER, NODE_TEXT, NODE_FLAG };

struct node {
	enum node_kind kind;
	const char *name; /* within its group; NULL for items of a list */
	struct node *parent, *first, *last, *next;
	int n; /* children */

	double number;    /* NODE_NUMBER, in the base unit */
	double low, high; /* band; equal to number when there is none */
	enum unit unit;
	bool has_tier;
	enum tier tier;
	const char *src; /* source ids or the name of a derivation */

	const char *text; /* NODE_TEXT: an id or data, never a sentence */
	/* NODE_TEXT that differs by language (names of vendors, tasks) */
	const char *text_en;
	bool flag;
};

struct node *node_root(struct arena *a);
struct node *node_group(struct arena *a, struct node *in, const char *name);
struct node *node_list(struct arena *a, struct node *in, const char *name);
/* A group without a name, appended to a list. */
struct node *node_item(struct arena *a, struct node *list);
struct node *node_number(struct arena *a, struct node *in, const char *name,
    double v, enum unit u);
struct node *node_estimate(struct arena *a, struct node *in, const char *name,
    struct estimate e, enum unit u);
/* Adds nothing and returns NULL when the fact is not known. */
struct node *node_fact(struct arena *a, struct node *in, const char *name,
    struct fact f, enum unit u);
/* Adds nothing and returns NULL when `text` is NULL. */
struct node *
node_text(struct arena *a, struct node *in, const char *name, const char *text);
struct node *node_text2(struct arena *a, struct node *in, const char *name,
    const char *text, const char *text_en);
struct node *
node_flag(struct arena *a, struct node *in, const char *name, bool v);

/*
 * The node at a path of names and list indices joined by '.', starting at
 * `from`; NULL if there is none.  "count" of a list is not a node: see n.
 */
const struct node *node_find(const struct node *from, const char *path);
/* Shorthands; the node must exist (assert) or the default is returned. */
double node_value(const struct node *from, const char *path, double missing);
const char *
node_string(const struct node *from, const char *path, const char *missing);

/* The whole tree as XML: name, value, unit, low, high, tier, src. */
void node_xml(const struct node *root, struct str *out);

#endif
