/*
 * Video decode and encode budgets in 1920x1080 frames per second.
 * Rates per engine: NVIDIA Video Codec SDK 12.1 application notes, held in
 * catalog/architectures.xml; they scale with the video clock of the card and
 * with the number of engines.
 */
#ifndef MODEL_VIDEO_H
#define MODEL_VIDEO_H

#include "data/needs.h"

/* 1080p-equivalent frames/s a stream group asks for (all its sources). */
double video_decode_need(const struct stream *s);
double video_encode_need(const struct stream *s);
/* What one device can decode of this codec; known=false: not published or
 * no engine count; value 0 and known: the card has no engine for it. */
struct fact video_decode_capacity(const struct gpu *g, enum codec c);
struct fact video_encode_capacity(const struct gpu *g);

#endif
