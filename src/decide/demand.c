/*
 * What a vendor asks for whatever the card.
 */
#include <math.h>

#include "base/arena.h"
#include "decide/parts.h"
#include "model/video.h"

/* More cameras than any site has; keeps the sum within an int. */
enum { MAX_SOURCES = 1000000000 };

bool
stage_applies(const struct stage *s, int i)
{
	return s->stream < 0 || s->stream == i;
}

bool
stage_on_card(const struct stage *s)
{
	return !s->on_host && !(s->kind == STAGE_TIMED && s->timed_on &&
				  s->timed_on->segment == SEGMENT_CPU);
}

static double
objects_of(const struct stream *st, bool peak)
{
	if (peak && st->objects_peak.known)
		return st->objects_peak.value;
	return st->objects_mean.known   ? st->objects_mean.value
	       : st->objects_peak.known ? st->objects_peak.value
					: 1;
}

double
stage_runs(const struct stage *s, const struct stream *st, bool peak)
{
	double times = s->times > 0 ? s->times : 1;

	switch (s->per) {
	case PER_OBJECT: return times * objects_of(st, peak);
	case PER_TILE: return times * stage_tiles(s, st);
	case PER_FRAME: break;
	}
	return times;
}

enum codec
stream_codec(const struct stream *st)
{
	if (st->kind != STREAM_VIDEO || st->decoded_elsewhere)
		return CODEC_NONE;
	return st->codec == CODEC_NONE ? CODEC_H264 : st->codec;
}

/*
 * The vendor's own limit wins.  Without one: hard for a deadline within
 * half a second, where a queue shows at once; offline when nothing is live
 * and nothing is due; else the default.  A queue with one server answers in
 * S / (1 - load) on average (M/M/1; Kleinrock, Queueing Systems I, 1975): 3.3
 * service times at 70 %, 5 at 80 %.
 */
static double
load_limit(const struct calibration *cal, const struct vendor *v)
{
	bool live = false;

	if (v->load_limit.known && v->load_limit.value > 0)
		return fmin(v->load_limit.value, 1);
	if (v->deadline_s.known && v->deadline_s.value <= HARD_DEADLINE_S)
		return cal->load_hard;
	for (int i = 0; i < v->n_streams; i++)
		live |= v->streams[i].kind == STREAM_VIDEO;
	if (!live && !v->deadline_s.known)
		return cal->load_offline;
	return cal->load_default;
}

/* Bytes/s one source sends over the host link: decoded video as NV12, 1.5
 * bytes a pixel, only the frames analysed; pictures as 3 bytes a pixel. */
static double
source_host_bytes(const struct stream *st)
{
	double px =
	    (double)st->width * st->height * (st->depth > 1 ? st->depth : 1);

	if (st->kind == STREAM_IMAGES)
		return 3 * px * st->analysed_per_s;
	return st->decoded_elsewhere ? 1.5 * px * st->analysed_per_s : 0;
}

static void
add_stream(struct demand *dm, const struct stream *st)
{
	double frames = st->count * st->analysed_per_s;
	double px =
	    (double)st->width * st->height * (st->depth > 1 ? st->depth : 1);
	double host = source_host_bytes(st);

	if (st->count > 0 && st->count <= MAX_SOURCES - dm->sources)
		dm->sources += st->count;
	else if (st->count > 0)
		dm->sources = MAX_SOURCES;
	dm->frames_per_s += frames;
	dm->objects_per_s += frames * objects_of(st, false);
	dm->objects_per_s_peak += frames * objects_of(st, true);
	dm->pixels_per_s += frames * px;
	if (stream_codec(st) != CODEC_NONE) {
		dm->decode_per_s += video_decode_need(st);
		dm->no_codec |= st->codec == CODEC_NONE;
	}
	if (st->out_codec != CODEC_NONE) {
		dm->encode_per_s += video_encode_need(st);
		dm->encoded += st->count;
	}
	dm->host_bytes_per_s += st->count * host;
	dm->host_bytes_max = fmax(dm->host_bytes_max, host);
	dm->no_size |= st->width <= 0 || st->height <= 0;
}

static void
add_stage(struct demand *dm, const struct vendor *v, int k)
{
	const struct stage *s = &v->stages[k];

	for (int i = 0; i < v->n_streams; i++) {
		const struct stream *st = &v->streams[i];
		double frames = st->count * st->analysed_per_s;

		if (!stage_applies(s, i))
			continue;
		dm->rate_mean[k] += frames * stage_runs(s, st, false);
		dm->rate_peak[k] += frames * stage_runs(s, st, true);
		dm->no_objects |= s->per == PER_OBJECT &&
				  !st->objects_mean.known &&
				  !st->objects_peak.known;
	}
}

struct demand
demand_of(const struct decider *d, const struct vendor *v)
{
	struct demand dm = {.v = v};

	dm.rate_mean = arena_alloc(d->a, v->n_stages + 1, sizeof(double));
	dm.rate_peak = arena_alloc(d->a, v->n_stages + 1, sizeof(double));
	dm.limit = load_limit(d->cal, v);
	dm.whole_streams = v->runtime.layout == PROC_PER_STREAM;
	for (int i = 0; i < v->n_streams; i++)
		add_stream(&dm, &v->streams[i]);
	for (int k = 0; k < v->n_stages; k++)
		add_stage(&dm, v, k);
	return dm;
}
