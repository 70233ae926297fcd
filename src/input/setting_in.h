/*
 * Settings: values of the project and vendor files changed from outside, by
 * --set, --unset or a what_if of the project.  They are made in the tree of
 * the file before it is read, so what is set is checked like what is
 * written, and problems stand at the option or at the line of the what_if.
 *
 * A path names keys from the top of the project file, joined by '.':
 * "policy.share", "site.servers.slots".  "vendors.ID." leads into the file of
 * a vendor: "vendors.S1.runtime.precision".  In a list an item is meant by
 * its number from 0 or by its name, and '*' stands for all:
 * "vendors.*.streams.0.count".  A value "x2" multiplies the number that is
 * there.  "vendors.ID" alone can be left out, not set.
 */
#ifndef INPUT_SETTING_IN_H
#define INPUT_SETTING_IN_H

#include "input/field.h"

/* The settings of a project that are no vendor's. */
void settings_project(const struct form *f, struct yaml_node *root);
/* Those of one vendor's file; false when the vendor is left out. */
bool settings_vendor(const struct form *f, struct yaml_node *root);
/* After all vendors: settings that named none of them; `ids` as a note. */
void settings_end(const struct form *f, const char *ids);

/* The what_if: list of a project. */
void
what_ifs_read(const struct form *f, struct yaml_node *root, struct project *p);

#endif
