/*
 * The bytes of an XML file before they are parsed.  Private to xml_in.c.
 */
#ifndef PARSE_XML_BYTES_H
#define PARSE_XML_BYTES_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;

/* UTF-8 and no zero byte, or false after reporting. */
bool xml_bytes_check(struct arena *a, struct source *src, struct diag *d);

/*
 * Make UTF-8 of what foreign programs and shells leave: UTF-16, a declared
 * encoding, GBK, a BOM, white space before the declaration, broken bytes.
 * What changes the text in a way worth knowing is a warning.
 */
void xml_bytes_repair(struct arena *a, struct source *src, struct diag *d);

#endif
