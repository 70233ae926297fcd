/*
 * An ONNX file as a graph of operators with resolved names.
 */
#ifndef INPUT_ONNX_NET_H
#define INPUT_ONNX_NET_H

#include "data/graph.h"

/*
 * Read `path`; NULL after reporting.  Besides the faults of
 * parse/onnx_file.h: "onnx-duplicate" (two nodes write one value),
 * "onnx-undefined" (a node reads what nobody writes), "onnx-cycle",
 * "onnx-tensor" (sides below zero or too many), "onnx-limit" and
 * "onnx-opset".
 */
struct graph_model *
onnx_read(struct arena *a, const char *path, struct pos from, struct diag *d);

#endif
