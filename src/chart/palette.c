#include "chart/palette.h"

#include <assert.h>
#include <math.h>

static const unsigned inks[INK_N] = {
    [INK_NONE] = 0xffffff,
    [INK_TEXT] = 0x1b1f24,
    [INK_QUIET] = 0x59616a,
    [INK_RULE] = 0xa7aeb6,
    [INK_GRID] = 0xe3e6ea,
    [INK_PAPER] = 0xffffff,
    [INK_NAVY] = 0x123a63,
    [INK_BLUE] = 0x3f77ab,
    [INK_SKY] = 0x93b7d6,
    [INK_PALE] = 0xcfdfec,
    [INK_MIST] = 0xeaf0f6,
    [INK_ACCENT] = 0xc2501a,
    [INK_BLUSH] = 0xf7ddcd,
};

static const struct {
	enum face face;
	double size_pt;
	enum ink ink;
} types[TYPE_N] = {
    [TYPE_LABEL] = {FACE_SANS, 8, INK_TEXT},
    [TYPE_STRONG] = {FACE_SANS_BOLD, 8, INK_TEXT},
    [TYPE_SMALL] = {FACE_SANS, 7.5, INK_TEXT},
    [TYPE_NOTE] = {FACE_SANS, 7.5, INK_QUIET},
    [TYPE_ALERT] = {FACE_SANS_BOLD, 7.5, INK_ACCENT},
    [TYPE_INVERSE] = {FACE_SANS_BOLD, 7.5, INK_PAPER},
};

struct rgb
palette_rgb(enum ink i)
{
	assert(i < INK_N);
	return (struct rgb){(inks[i] >> 16 & 255) / 255.0,
	    (inks[i] >> 8 & 255) / 255.0, (inks[i] & 255) / 255.0};
}

struct text_style
palette_type(enum type t)
{
	assert(t < TYPE_N);
	return (struct text_style){types[t].face, types[t].size_pt,
	    palette_rgb(types[t].ink)};
}

static double
linear(double c)
{
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

double
palette_luminance(struct rgb c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) +
	       0.0722 * linear(c.b);
}

double
palette_contrast(struct rgb a, struct rgb b)
{
	double la = palette_luminance(a), lb = palette_luminance(b);

	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}
