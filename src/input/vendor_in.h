/* One vendor's file; private to the readers of a project. */
#ifndef INPUT_VENDOR_IN_H
#define INPUT_VENDOR_IN_H

#include "input/field.h"

/*
 * Read `src` into `v`.  False when it is no vendor file at all; otherwise
 * `v` holds what could be read and the problems are in the form's diag.
 */
bool vendor_read(const struct form *f, struct source *src, struct vendor *v);

/* Its runtime: and pipeline: parts; stages need the streams and runtime. */
void
runtime_read(const struct form *f, struct yaml_node *root, struct vendor *v);
void
stages_read(const struct form *f, struct yaml_node *root, struct vendor *v);

#endif
