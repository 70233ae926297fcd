/*
 * The domain's readers.  Each reports all problems it finds and returns
 * false or NULL only when the result cannot be used at all.
 */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include <stdbool.h>

#include "data/calibration.h"
#include "data/needs.h"

struct arena;

/* All of DIR/sources.xml, architectures.xml, gpus/, networks/ (input/catalog_in.c). */
struct catalog *catalog_read(struct arena *a, const char *dir, struct diag *d);
/*
 * The same from several folders.  The first is complete; each later one
 * adds to it, and a card of an earlier id states only what it changes.
 * What changed stands in catalog->changes.
 */
struct catalog *catalog_read_all(struct arena *a, const char *const *dirs,
    int n, struct diag *d);
/* DIR/calibration/speed.xml (input/calibration_in.c). */
struct calibration *
calibration_read(struct arena *a, const char *dir, struct diag *d);
/* The project file and the vendor and inventory files it names
 * (input/project_in.c, vendor_in.c). */
struct project *project_read(struct arena *a, const char *path,
    const struct catalog *c, struct diag *d);
/* The same with `n` values set that differ from what is written, each a path
 * of keys (input/setting_in.h); `set` outlives the project. */
struct project *project_read_set(struct arena *a, const char *path,
    const struct setting *set, int n, const struct catalog *c, struct diag *d);
/* Output of `nvidia-smi -q -x` (input/smi_in.c). */
bool inventory_read(struct arena *a, const char *path, const struct catalog *c,
    struct inventory *inv, struct pos from, struct diag *d);

#endif
