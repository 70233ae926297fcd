/*
 * The linter of the catalogue: figures that contradict each other, the
 * architecture, or the kind of source they are said to come from.  What is
 * missing or malformed the reader reports already.
 *
 * Every finding is an error with the id of its rule at the place of the
 * figure.  A card may excuse itself from a rule (struct waiver); an excuse
 * that excuses nothing is a finding too.  The rules are explained one by one
 * in catalog/LINT.md.
 */
#ifndef MODEL_CATALOG_LINT_H
#define MODEL_CATALOG_LINT_H

struct arena;
struct catalog;
struct diag;

void catalog_lint(struct arena *a, const struct catalog *c, struct diag *d);

/* The ids of all rules, in the order of LINT.md. */
const char *const *catalog_lint_rules(int *n);

#endif
