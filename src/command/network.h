/*
 * The parts of `whygpu network`; all print to stdout.
 */
#ifndef COMMAND_NETWORK_H
#define COMMAND_NETWORK_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;
struct layers;
struct options;

/* The table of layers, the totals, kernels and memory of a batch. */
void network_print(struct arena *a, const struct layers *l, int batch);

/* Is the argument the name of an ONNX file? */
bool network_is_onnx(const char *name);

/*
 * The same for an ONNX file; w x h (0: not given) is the size of the picture
 * it takes, if no --input says more.  False after reporting.
 */
bool network_onnx(struct arena *a, const struct options *o, int w, int h,
    int batch, struct diag *d);

#endif
