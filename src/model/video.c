#include "model/video.h"

#include "model/peak.h"

/* The pixels of the frames the published rates are given for. */
static const double pixels_1080p = 1920.0 * 1080;

/* Frames of 1920x1080 that one picture weighs; one if its size is unknown,
 * which the reader of the needs asks about. */
static double
frame_weight(int width, int height)
{
	if (width <= 0 || height <= 0)
		return 1;
	return (double)width * height / pixels_1080p;
}

static double
sources_of(const struct stream *s)
{
	return s->count > 0 ? s->count : 0;
}

static double
frames_per_s(const struct stream *s)
{
	return isfinite(s->fps) && s->fps > 0 ? s->fps : 0;
}

/* Every frame is decoded, also when only some are analysed: the others are
 * needed to reconstruct them. */
double
video_decode_need(const struct stream *s)
{
	if (s->kind != STREAM_VIDEO || s->codec == CODEC_NONE ||
	    s->decoded_elsewhere)
		return 0;
	return sources_of(s) * frames_per_s(s) *
	       frame_weight(s->width, s->height);
}

double
video_encode_need(const struct stream *s)
{
	double rate = frames_per_s(s);
	bool sized = s->out_width > 0 && s->out_height > 0;

	if (s->out_codec == CODEC_NONE)
		return 0;
	if (s->kind == STREAM_IMAGES || rate <= 0)
		rate = isfinite(s->analysed_per_s) && s->analysed_per_s > 0
			   ? s->analysed_per_s
			   : 0;
	return sources_of(s) * rate *
	       frame_weight(sized ? s->out_width : s->width,
		   sized ? s->out_height : s->height);
}

/* One engine's rate on this card, times its engines. */
static struct fact
engines_rate(const struct gpu *g, struct fact engines, struct fact rate)
{
	double card_hz = positive(g->video_hz);
	double ref_hz = g->arch ? positive(g->arch->video_hz) : 0;

	if (!engines.known || engines.value < 0 || !isfinite(engines.value))
		return (struct fact){.known = false};
	if (engines.value == 0)
		return engines;
	if (!rate.known || rate.value < 0 || !isfinite(rate.value))
		return (struct fact){.known = false};
	rate.value *= engines.value;
	if (card_hz > 0 && ref_hz > 0)
		rate.value *= card_hz / ref_hz;
	/* the rate was measured on another card of the architecture */
	if (rate.sure < SURE_DERIVED)
		rate.sure = SURE_DERIVED;
	return rate;
}

struct fact
video_decode_capacity(const struct gpu *g, enum codec c)
{
	struct fact none = {.known = false};

	if ((unsigned)c >= CODEC_N || c == CODEC_NONE)
		return none;
	return engines_rate(g, g->decoders,
	    g->arch ? g->arch->decode_fps[c] : none);
}

struct fact
video_encode_capacity(const struct gpu *g)
{
	struct fact none = {.known = false};

	return engines_rate(g, g->encoders,
	    g->arch ? g->arch->encode_fps : none);
}
