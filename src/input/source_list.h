/*
 * The sources a calibration file lists, and the `src` of its constants that
 * name them.  Shared by calibration_in.c and layer_calibration_in.c.
 */
#ifndef INPUT_SOURCE_LIST_H
#define INPUT_SOURCE_LIST_H

#include "base/diag.h"
#include "data/gpu.h"

struct arena;
struct xml_el;

/* Append one <source>; "calibration-twice" when its id is there already. */
void source_list_add(struct arena *a, struct xml_el *el,
    struct source_ref **list, int *n, struct diag *d);

/* The attribute `src` of `el`, ids separated by spaces; each that is not
 * listed is reported as "calibration-source". */
const char *source_list_src(struct xml_el *el, const struct source_ref *list,
    int n, struct diag *d);

/* The attribute `sure` of `el`; SURE_ASSUMED after reporting. */
enum certainty source_list_sure(struct xml_el *el, struct diag *d);

#endif
