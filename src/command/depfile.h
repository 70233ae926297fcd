/*
 * What a report was made from, in the syntax of make: `whygpu report
 * --depfile FILE`.
 */
#ifndef COMMAND_DEPFILE_H
#define COMMAND_DEPFILE_H

#include <stdbool.h>

struct arena;
struct diag;
struct fs_reads;
struct options;

/*
 * Write to o->depfile that `target` is made from what was read and from the
 * fonts, whole or not at all; each prerequisite is also a target without a
 * rule, so that a file that is gone does not stop make.  False after
 * reporting.
 */
bool depfile_write(struct arena *a, const struct options *o, const char *target,
    struct fs_reads *read, struct diag *d);

#endif
