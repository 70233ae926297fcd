/*
 * A chart plan as a standalone SVG file with real text, title and desc.
 */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

struct chart_plan;
struct str;

void svg_write(const struct chart_plan *p, const char *id, struct str *out);

#endif
