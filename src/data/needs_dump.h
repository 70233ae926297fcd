/*
 * The needs of a project, one line per value, for --dump=needs and its
 * golden test.
 */
#ifndef DATA_NEEDS_DUMP_H
#define DATA_NEEDS_DUMP_H

struct project;
struct str;

void needs_dump(const struct project *p, struct str *out);

#endif
