/*
 * What the fuzz driver (fuzz.c) and the readers under test (targets.c) share.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;

struct fuzz_target {
	const char *name;
	const char *place; /* file of the work folder the input is written to */
	size_t max_bytes;
	/*
	 * Read the input once.  False is "refused": a problem must have been
	 * reported then, or the driver counts a finding.
	 */
	bool (*read)(struct arena *a, struct diag *d);
};

const struct fuzz_target *fuzz_targets(int *n);
/* What all inputs share (catalogue, results), before the first; the working
 * folder is one that tests/fuzz/run.sh made. */
void fuzz_prepare(void);
/* ONNX models to begin with, into `dir`; they come from no file. */
bool fuzz_write_onnx(const char *dir);

#endif
