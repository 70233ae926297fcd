/*
 * The ICC profile of sRGB, for the output intent: made from the numbers of
 * IEC 61966-2-1 instead of being shipped as a file.
 */
#ifndef RENDER_SRGB_H
#define RENDER_SRGB_H

#include <stddef.h>

enum { SRGB_PROFILE_BYTES = 544 };

/* Version 2.1, display class, one tone curve of 52 points for all channels. */
void srgb_profile(unsigned char out[SRGB_PROFILE_BYTES]);

#endif
