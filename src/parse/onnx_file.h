/*
 * ONNX files as protobuf messages, without their weights.
 *
 * The file is read once, in pieces.  Every length is checked against the
 * message it stands in; weights, documentation and fields we do not know are
 * stepped over, so that a file of 2 GB takes as much memory as its graph.
 * What is left is handed to protobuf-c.  A tensor keeps its values only if
 * they are few: at most ONNX_KEEP_BYTES, ONNX_KEEP_WHOLE_BYTES for whole
 * numbers; else it has none at all.
 */
#ifndef PARSE_ONNX_FILE_H
#define PARSE_ONNX_FILE_H

#include "base/diag.h"
#include "parse/onnx.pb-c.h"

struct arena;

/* Limits of a file. */
enum {
	ONNX_MAX_FILE = 0x7fffffff, /* protobuf's own limit: 2 GiB */
	ONNX_MAX_GRAPH = 64 << 20,  /* bytes without weights */
	ONNX_MAX_PARTS = 3000000,   /* messages, names and numbers in it */
	ONNX_MAX_NODES = 200000,    /* in all graphs together */
	ONNX_MAX_DEPTH = 8,         /* graphs inside graphs */
	ONNX_KEEP_BYTES = 1024,
	ONNX_KEEP_WHOLE_BYTES = 32768
};

/* TensorProto.DataType, the ones we tell apart. */
enum onnx_type {
	ONNX_FLOAT = 1,
	ONNX_UINT8,
	ONNX_INT8,
	ONNX_UINT16,
	ONNX_INT16,
	ONNX_INT32,
	ONNX_INT64,
	ONNX_STRING,
	ONNX_BOOL,
	ONNX_FLOAT16,
	ONNX_DOUBLE,
	ONNX_UINT32,
	ONNX_UINT64,
	ONNX_BFLOAT16 = 16
};

/*
 * The model in the file, living in `a`; `src` is set to the file for
 * positions.  NULL after reporting at `from` or at the file: "file-missing",
 * "file-kind", "file-size", "file-read", "onnx-lfs" (a Git LFS pointer),
 * "onnx-format", "onnx-truncated", "onnx-limit" or "onnx-empty".
 */
const Onnx__Model *onnx_file_read(struct arena *a, const char *path,
    struct pos from, const struct source **src, struct diag *d);

#endif
