/*
 * The colours and type of all charts, in one table each.
 *
 * One family of blues from dark to light, one warm accent, greys.  Steps of
 * the family differ in luminance, so that they stay apart in grey print and
 * for colour-blind readers; the accent always comes with a hatch or a mark.
 */
#ifndef CHART_PALETTE_H
#define CHART_PALETTE_H

#include "text/text.h"

enum ink {
	INK_NONE,
	INK_TEXT,  /* words */
	INK_QUIET, /* ticks, notes */
	INK_RULE,  /* axes, connectors */
	INK_GRID,  /* hairlines behind data */
	INK_PAPER,
	INK_NAVY, /* the blues, dark to light */
	INK_BLUE,
	INK_SKY,
	INK_PALE,
	INK_MIST,
	INK_ACCENT, /* what is over a limit, what is singled out */
	INK_BLUSH,
	INK_N
};

enum type {
	TYPE_LABEL,  /* names */
	TYPE_STRONG, /* headings, totals */
	TYPE_SMALL,  /* names where room is scarce */
	TYPE_NOTE,   /* ticks, axis titles, keys */
	TYPE_ALERT,  /* what fails */
	TYPE_INVERSE,
	TYPE_N
};

struct rgb palette_rgb(enum ink i);
struct text_style palette_type(enum type t);

/* Relative luminance of WCAG 2, 0 black to 1 white. */
double palette_luminance(struct rgb c);
/* Contrast ratio of WCAG 2, 1 to 21. */
double palette_contrast(struct rgb a, struct rgb b);

#endif
