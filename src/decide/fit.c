/*
 * One vendor on one card: the batch that meets the deadline with the fewest
 * cards, the load on each resource, and how many cards that makes.
 *
 * Device time is the sum over the stages of runs per second x seconds per
 * run.  Runs are counted at the peak number of objects when one is stated.
 * With several processes that share a card, work is divisible between
 * cards; with one process per stream a card takes whole streams only, so
 * that 31 % of a card each makes two streams a card at a limit of 70 %, not
 * 2.26.
 */
#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "decide/parts.h"
#include "decide/trial.h"
#include "model/video.h"

/* Rounding noise must not buy a card. */
static double
whole_up(double x)
{
	return isfinite(x) ? ceil(x - 1e-9 * fmax(1, fabs(x))) : x;
}

int
devices_of(const struct gpu *g)
{
	return g->devices > 1 ? g->devices : 1;
}

/* ---- batches */

/* Runs of a stage that lie ready at once when `frames` frames are. */
static double
runs_ready(const struct demand *dm, const struct stage *s, int frames)
{
	double most = 0;

	for (int i = 0; i < dm->v->n_streams; i++)
		if (stage_applies(s, i))
			most =
			    fmax(most, stage_runs(s, &dm->v->streams[i], true));
	return frames * most;
}

/*
 * The batch of one stage when the pipeline collects `frames` frames: a
 * stage per tile or per object batches what one frame holds without
 * waiting, in even parts where that is too much for one batch (104 tiles
 * make two of 52, not 64 and 40).
 */
static int
stage_batch(const struct demand *dm, const struct stage *s, int frames)
{
	int fixed = dm->v->runtime.batch;
	double ready;

	if (fixed > 0)
		return fixed;
	if (s->per == PER_FRAME)
		return frames;
	ready = floor(runs_ready(dm, s, frames));
	if (ready > BATCH_MAX)
		ready = ceil(ready / ceil(ready / BATCH_MAX));
	return ready < 1 ? 1 : (int)ready;
}

/*
 * Batches that `runs` of a stage take.  A fixed batch is padded; one left
 * open takes what lies there, so that a frame alone takes the same time a
 * run as in the load.
 */
static double
batches_of(const struct demand *dm, double runs, int batch)
{
	double n = runs / batch;

	return fmax(1, dm->v->runtime.batch > 0 ? whole_up(n) : n);
}

/* ---- times */

static void
add_stage_time(struct trial *t, const struct demand *dm, int k, double *longest)
{
	const struct stage_time *st = &t->stages[k];
	double rate = dm->rate_peak[k];

	t->busy.value += rate * st->run_s.value;
	t->busy.low += rate * st->run_s.low;
	t->busy.high += rate * st->run_s.high;
	t->busy_mean += dm->rate_mean[k] * st->run_s.value;
	if (st->run_s.tier > t->tier)
		t->tier = st->run_s.tier;
	if (rate * st->run_s.value > *longest) {
		*longest = rate * st->run_s.value;
		t->bound = st->bound;
	}
}

/* `t->batch` frames of stream `i` through all its stages, one after the
 * other. */
static struct estimate
chain_of(const struct demand *dm, const struct trial *t, int i)
{
	const struct vendor *v = dm->v;
	struct estimate sum = {.value = 0};

	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];
		const struct estimate *run = &t->stages[k].run_s;
		double runs, time;

		if (!stage_applies(s, i))
			continue;
		runs = t->batch * stage_runs(s, &v->streams[i], true);
		if (stage_on_card(s))
			time = batches_of(dm, runs, t->stages[k].batch) *
			       t->stages[k].batch_s;
		else
			time = s->seconds.known ? runs * s->seconds.value : 0;
		sum.value += time;
		if (!stage_on_card(s) || run->value <= 0) {
			sum.low += time;
			sum.high += time;
			continue;
		}
		sum.low += time * run->low / run->value;
		sum.high += time * run->high / run->value;
	}
	return sum;
}

/* The slowest stream. */
static void
set_chain(const struct demand *dm, struct trial *t)
{
	for (int i = 0; i < dm->v->n_streams; i++) {
		struct estimate one = chain_of(dm, t, i);

		t->chain_s = fmax(t->chain_s, one.value);
		t->chain_low = fmax(t->chain_low, one.low);
		t->chain_high = fmax(t->chain_high, one.high);
	}
}

bool
time_stages(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct trial *t)
{
	const struct vendor *v = dm->v;
	double longest = -1;

	t->possible = true;
	t->tier = TIER_MEASURED;
	t->largest_batch = t->batch;
	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];
		int b = stage_batch(dm, s, t->batch);

		if (!stage_on_card(s))
			continue;
		t->stages[k] = stage_time(d->cal, v, s, g, b);
		t->stages[k].batch = b;
		if (!t->stages[k].possible) {
			t->possible = false;
			t->why = t->stages[k].why;
			continue;
		}
		if (b > t->largest_batch)
			t->largest_batch = b;
		add_stage_time(t, dm, k, &longest);
	}
	t->busy.tier = t->tier;
	if (t->possible)
		set_chain(dm, t);
	return t->possible;
}

/* ---- memory */

static int
processes_for(const struct demand *dm, int streams)
{
	int n = dm->v->runtime.processes;

	if (dm->v->runtime.layout == PROC_PER_STREAM)
		return streams;
	return n > 0 ? n : 1;
}

struct memory_need
memory_at(const struct decider *d, const struct demand *dm, int streams,
    int batch)
{
	return memory_need(d->cal, dm->v, processes_for(dm, streams), streams,
	    batch);
}

/* The most streams whose memory fits on one device, by bisection: memory
 * grows with the streams. */
static int
streams_that_fit(const struct decider *d, const struct demand *dm,
    double usable, int batch)
{
	int low = 0, high = dm->sources > 0 ? dm->sources : 1;

	if (memory_at(d, dm, high, batch).total.value <= usable)
		return high;
	while (high - low > 1) {
		int mid = low + (high - low) / 2;

		if (memory_at(d, dm, mid, batch).total.value <= usable)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* ---- cards */

/* Share of a device that one source of stream `i` keeps busy. */
static double
stream_load(const struct demand *dm, const struct trial *t, int i)
{
	const struct vendor *v = dm->v;
	const struct stream *st = &v->streams[i];
	double one = 0;

	for (int k = 0; k < v->n_stages; k++)
		if (stage_applies(&v->stages[k], i) &&
		    stage_on_card(&v->stages[k]))
			one += st->analysed_per_s *
			       stage_runs(&v->stages[k], st, true) *
			       t->stages[k].run_s.value;
	return one;
}

/*
 * Devices for the device time of `busy`.  With whole streams each group of
 * equal streams takes floor(limit / its share) a device; a stream above the
 * limit but within a device gets one of its own; one above 1 fits nowhere
 * (infinite; at the ends of the band it is counted as one of its own).
 */
static double
compute_devices(const struct demand *dm, const struct trial *t, double busy)
{
	const struct vendor *v = dm->v;
	double scale = t->busy.value > 0 ? busy / t->busy.value : 1;
	double devices = 0;

	if (!dm->whole_streams)
		return busy / t->limit;
	for (int i = 0; i < v->n_streams; i++) {
		double one = scale * stream_load(dm, t, i), each;

		if (one <= 0)
			continue;
		if (one > 1 && scale == 1)
			return INFINITY;
		each = fmax(1, floor(t->limit / one + 1e-9));
		devices += v->streams[i].count / each;
	}
	return devices;
}

/* Shares of one device that do not depend on the batch. */
static void
fixed_loads(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f)
{
	struct fact encode, link;

	for (int i = 0; i < dm->v->n_streams; i++) {
		const struct stream *st = &dm->v->streams[i];
		enum codec c = stream_codec(st);
		struct fact have;

		if (c == CODEC_NONE)
			continue;
		have = video_decode_capacity(g, c);
		if (!have.known || have.value <= 0)
			continue;
		f->load[RES_DECODE] += video_decode_need(st) / have.value;
		f->load_known[RES_DECODE] = true;
	}
	encode = video_encode_capacity(g);
	if (dm->encode_per_s > 0 && encode.known && encode.value > 0) {
		f->load[RES_ENCODE] = dm->encode_per_s / encode.value;
		f->load_known[RES_ENCODE] = true;
	}
	link = link_rate(d->cal, g);
	if (dm->host_bytes_per_s > 0 && link.known) {
		f->load[RES_LINK] = dm->host_bytes_per_s / link.value;
		f->load_known[RES_LINK] = true;
	}
}

static void
count_cards(const struct demand *dm, const struct fit *f, struct trial *t)
{
	double n = devices_of(f->gpu), rest = 0, most;

	t->devices[RES_COMPUTE] = compute_devices(dm, t, t->busy.value);
	t->devices[RES_DECODE] = f->load[RES_DECODE] / dm->limit;
	t->devices[RES_ENCODE] = f->load[RES_ENCODE] / dm->limit;
	t->devices[RES_LINK] = f->load[RES_LINK] / dm->limit;
	if (t->streams_max > 0 && dm->sources > t->streams_max)
		t->devices[RES_MEMORY] = (double)dm->sources / t->streams_max;
	t->binding = RES_COMPUTE;
	for (int r = 0; r < RES_N; r++) {
		if (t->devices[r] > t->devices[t->binding])
			t->binding = r;
		if (r != RES_COMPUTE)
			rest = fmax(rest, t->devices[r]);
	}
	most = fmax(rest, fmax(t->least, t->devices[RES_COMPUTE]));
	t->need = most;
	t->cards = fmax(1, whole_up(whole_up(most) / n));
	t->need_low =
	    fmax(rest, fmax(t->least_low, compute_devices(dm, t, t->busy.low)));
	t->cards_low = fmax(1, whole_up(whole_up(t->need_low) / n));
	t->need_high = fmax(rest,
	    fmax(t->least_high, compute_devices(dm, t, t->busy.high)));
	t->cards_high = fmax(1, whole_up(whole_up(t->need_high) / n));
}

static double
at_end(struct estimate e, enum end end)
{
	return end == END_LOW ? e.low : end == END_HIGH ? e.high : e.value;
}

/* Devices to which the frames of one source must be dealt in turn, so that
 * each is done before its next frame. */
static double
turns_of(const struct demand *dm, const struct trial *t, int i, enum end end)
{
	double s = at_end(chain_of(dm, t, i), end);

	return fmax(1,
	    whole_up(s * dm->v->streams[i].analysed_per_s / t->batch));
}

/*
 * Devices with which no frame waits for another: a source sends at even
 * intervals, so with ceil(time of a frame x its rate) devices of its own,
 * taken in turn, each is done before its next frame.  Infinite where a
 * source is unknown, or has one process that cannot be in two places.
 */
static double
own_devices(const struct demand *dm, const struct trial *t, enum end end)
{
	double sum = 0;

	for (int i = 0; i < dm->v->n_streams; i++) {
		double turns = turns_of(dm, t, i, end);

		if (dm->whole_streams && turns > 1)
			return INFINITY;
		sum += dm->v->streams[i].count * turns;
	}
	return sum > 0 ? sum : INFINITY;
}

/*
 * Devices with which a frame is in time even when all sources of a device
 * send at once: floor(deadline / time of a frame) sources each.  A source
 * whose next frame comes first has devices of its own.
 */
static double
burst_devices(const struct demand *dm, const struct trial *t, double deadline,
    enum end end)
{
	double sum = 0;

	for (int i = 0; i < dm->v->n_streams; i++) {
		double s = at_end(chain_of(dm, t, i), end);
		double turns = turns_of(dm, t, i, end);
		double each = s > 0 ? floor(deadline / s + 1e-9) : INFINITY;

		sum += dm->v->streams[i].count *
		       (turns > 1 ? turns : 1 / fmax(1, each));
	}
	return sum;
}

/* The last frame when all sources of a device send at once: as many of them
 * as `devices` leave, and where that is seen to no more than are in time. */
static double
burst_time(const struct demand *dm, const struct trial *t, double devices)
{
	double most = 0;

	for (int i = 0; i < dm->v->n_streams; i++) {
		double s = chain_of(dm, t, i).value;
		double n = dm->v->streams[i].count;

		if (dm->v->n_streams == 1 || t->least <= 0)
			n = ceil(dm->sources / devices);
		if (t->least > 0 && s > 0)
			n = fmin(n,
			    fmax(1, floor(dm->v->deadline_s.value / s + 1e-9)));
		most = fmax(most, n * s);
	}
	return most;
}

/* What a frame waits for those before it. */
static double
queue_of(const struct demand *dm, const struct trial *t, double devices)
{
	double rho = fmin(t->busy.value / devices, 0.95);

	if (devices >= own_devices(dm, t, END_MIDDLE))
		return 0;
	if (!dm->v->deadline_max)
		return rho * t->chain_s / (2 * (1 - rho));
	/* Every one in time: the others of the device came just before, or
	 * the batch before is still at work. */
	if (t->batch > 1)
		return t->chain_s;
	return fmax(0, burst_time(dm, t, devices) - t->chain_s);
}

/*
 * Fill + queue + service.  Fill is the wait of the first frame of a batch
 * for the last one, at the rate frames reach the place that collects them;
 * the queue is that of constant service times, rho S / 2(1 - rho) (M/D/1,
 * Pollaczek-Khinchine), or the longest possible where every frame counts.
 */
static double
latency_of(const struct demand *dm, const struct fit *f, const struct trial *t)
{
	double devices = fmax(t->cards * devices_of(f->gpu), 1);
	double rate = dm->frames_per_s / devices;
	double fill;

	if (dm->whole_streams && dm->sources > 0)
		rate = dm->frames_per_s / dm->sources;
	fill = rate > 0 ? (t->batch - 1) / rate : 0;
	return fill + queue_of(dm, t, devices) + t->chain_s;
}

static void
keep_sources_apart(const struct demand *dm, double deadline, struct trial *t)
{
	t->least = burst_devices(dm, t, deadline, END_MIDDLE);
	t->least_low = fmin(t->least, burst_devices(dm, t, deadline, END_LOW));
	t->least_high =
	    fmax(t->least, burst_devices(dm, t, deadline, END_HIGH));
}

/* Devices of its own for each source. */
static void
give_each_its_own(const struct demand *dm, struct trial *t)
{
	double high = own_devices(dm, t, END_HIGH);
	double middle = own_devices(dm, t, END_MIDDLE);

	if (!isfinite(middle))
		return;
	t->least = middle;
	t->least_low = fmin(t->least, own_devices(dm, t, END_LOW));
	t->least_high = isfinite(high) ? fmax(t->least, high) : t->least;
}

/*
 * One frame alone is in time, yet those before it make it late.  Where every
 * frame must be in time, so few sources share a device that it is.  Where 95
 * in 100 must, the load is lowered: with k = (deadline - S) / S the queue
 * fits while rho <= 2k / (1 + 2k).  Devices of its own for each source end
 * all queues, so more are never needed.
 */
static void
shorten_queue(const struct demand *dm, const struct fit *f, double deadline,
    struct trial *t)
{
	double k = (deadline - t->chain_s) / t->chain_s;
	double rho = 2 * k / (1 + 2 * k);

	if (!(k >= 0))
		return;
	if (dm->v->deadline_max)
		keep_sources_apart(dm, deadline, t);
	else if (rho >= t->limit)
		return;
	else if (rho <= t->busy.value / own_devices(dm, t, END_MIDDLE))
		give_each_its_own(dm, t);
	else
		t->limit = rho;
	count_cards(dm, f, t);
	t->latency_s = latency_of(dm, f, t);
	/* The number was chosen so that it is. */
	t->in_time = t->latency_s <= deadline * (1 + 1e-9);
}

/* What a frame may take when nobody says: then batches stay small. */
#define DEADLINE_UNSTATED_S 1.0

int
smallest_batch(const struct demand *dm)
{
	return dm->v->runtime.batch > 0 ? dm->v->runtime.batch : 1;
}

static bool
try_batch(const struct decider *d, const struct demand *dm, const struct fit *f,
    int batch, struct trial *t)
{
	struct fact dl = dm->v->deadline_s;
	double deadline = dl.known ? dl.value : DEADLINE_UNSTATED_S;

	t->batch = batch;
	t->limit = dm->limit;
	if (!time_stages(d, dm, f->gpu, t))
		return false;
	t->fits_memory = true;
	if (f->usable.known) {
		t->streams_max =
		    streams_that_fit(d, dm, f->usable.value, t->largest_batch);
		t->fits_memory = t->streams_max > 0;
	}
	count_cards(dm, f, t);
	t->latency_s = latency_of(dm, f, t);
	t->in_time = t->latency_s <= deadline;
	if (!t->in_time && batch == smallest_batch(dm) && dl.known)
		shorten_queue(dm, f, deadline, t);
	return true;
}

/* Whether trial `a` is the better choice. */
static bool
trial_better(const struct trial *a, const struct trial *b)
{
	if (a->fits_memory != b->fits_memory)
		return a->fits_memory;
	if (a->in_time != b->in_time)
		return a->in_time;
	if (a->cards != b->cards)
		return a->cards < b->cards;
	/* A larger batch must save something worth its wait. */
	return a->busy.value < 0.95 * b->busy.value;
}

static void
choose_batch(const struct decider *d, const struct demand *dm,
    const struct fit *f, struct trial *best)
{
	int max = dm->v->runtime.batch > 0 || dm->whole_streams ? 1 : BATCH_MAX;
	struct stage_time *spare =
	    arena_alloc(d->a, dm->v->n_stages + 1, sizeof(*spare));

	if (!try_batch(d, dm, f, smallest_batch(dm), best))
		return;
	for (int b = 2; b <= max; b *= 2) {
		struct trial t = {.stages = spare};

		if (!try_batch(d, dm, f, b, &t))
			break;
		if (trial_better(&t, best)) {
			spare = best->stages;
			*best = t;
		} else if (!t.in_time || !t.fits_memory) {
			break; /* larger ones wait longer and take more */
		}
	}
}

/* ---- together */

/* What made the number of cards larger than the load alone would. */
static enum count_why
why_so_many(const struct demand *dm, const struct trial *t, double load)
{
	static const enum count_why by[RES_N] = {COUNT_BY_LOAD, COUNT_BY_DECODE,
	    COUNT_BY_ENCODE, COUNT_BY_MEMORY, COUNT_BY_LINK};

	if (t->cards <= load)
		return t->binding == RES_COMPUTE || t->cards > 1
			   ? by[t->binding]
			   : COUNT_BY_LOAD;
	if (t->least > t->devices[t->binding])
		return COUNT_BY_SOURCE;
	if (t->binding != RES_COMPUTE)
		return by[t->binding];
	return t->limit < dm->limit ? COUNT_BY_DEADLINE
	       : dm->whole_streams  ? COUNT_BY_STREAMS
				    : COUNT_BY_LOAD;
}

/* Devices that take the frames of one source in turn, where its next frame
 * comes before the last is done; 0 where each source stays on one. */
static double
frames_dealt(const struct demand *dm, const struct trial *t)
{
	double most = 1;

	for (int i = 0; i < dm->v->n_streams && !dm->whole_streams; i++)
		if (t->cards > 1)
			most = fmax(most, turns_of(dm, t, i, END_MIDDLE));
	return most > 1 ? most : 0;
}

/* At the far end of the band a process falls behind its own stream. */
static bool
overload_high(const struct demand *dm, const struct trial *t)
{
	double scale = t->busy.high / t->busy.value;

	for (int i = 0; i < dm->v->n_streams && dm->whole_streams; i++)
		if (stream_load(dm, t, i) * scale > 1)
			return true;
	return false;
}

static void
explain_count(const struct demand *dm, const struct trial *t, struct fit *f)
{
	double n = devices_of(f->gpu), rest = 0, mean;

	f->share_load = t->busy.value / dm->limit / n;
	f->cards_load = fmax(1, whole_up(f->share_load));
	f->count_why = why_so_many(dm, t, f->cards_load);
	for (int r = 0; r < RES_N; r++)
		if (r != RES_COMPUTE)
			rest = fmax(rest, t->devices[r]);
	f->dealt = frames_dealt(dm, t);
	f->late_high = t->busy.value > 0 && overload_high(dm, t);
	f->card_sources = ceil(dm->sources / t->cards);
	f->card_sources_high = ceil(dm->sources / t->cards_high);
	mean = fmax(t->least, compute_devices(dm, t, t->busy_mean));
	f->cards_mean = fmax(1, whole_up(whole_up(fmax(rest, mean)) / n));
}

static void
adopt(const struct decider *d, const struct demand *dm, const struct trial *t,
    struct fit *f)
{
	double n = devices_of(f->gpu);
	int streams;

	f->batch = t->largest_batch > t->batch ? t->batch : t->largest_batch;
	f->stages = t->stages;
	f->tier = t->tier;
	f->bound = t->bound;
	if (!t->possible || !isfinite(t->need) || dm->v->n_stages == 0) {
		streams = dm->sources > 0 ? dm->sources : 1;
		f->processes = processes_for(dm, 1);
		f->memory = memory_at(d, dm, 1, f->batch);
		f->busy = t->busy;
		f->binding = RES_N;
		f->count_why = COUNT_BY_REQUEST;
		f->latency_s = t->possible ? t->chain_s : 0;
		return;
	}
	f->sized = true;
	f->limit = t->limit;
	f->cards = t->cards;
	f->cards_low = t->cards_low;
	f->cards_high = t->cards_high;
	f->share = t->need / n;
	f->share_low = t->need_low / n;
	f->share_high = t->need_high / n;
	for (int r = 0; r < RES_N; r++)
		f->share_by[r] = t->devices[r] / n;
	f->share_by[RES_COMPUTE] = fmax(t->least, t->devices[RES_COMPUTE]) / n;
	f->compute_low =
	    fmax(t->least_low, compute_devices(dm, t, t->busy.low)) / n;
	f->compute_high =
	    fmax(t->least_high, compute_devices(dm, t, t->busy.high)) / n;
	explain_count(dm, t, f);
	f->binding = t->binding;
	f->latency_s = t->latency_s;
	f->busy = t->busy;
	f->busy_mean = t->busy_mean;
	f->load[RES_COMPUTE] = t->busy.value / n;
	f->load_known[RES_COMPUTE] = dm->v->n_stages > 0;
	streams = (int)whole_up(dm->sources / (t->cards * n));
	f->processes = processes_for(dm, streams > 0 ? streams : 1);
	f->memory =
	    memory_at(d, dm, streams > 0 ? streams : 1, t->largest_batch);
	if (f->usable.known && f->usable.value > 0) {
		f->load[RES_MEMORY] = f->memory.total.value / f->usable.value;
		f->load_known[RES_MEMORY] = true;
	}
}

static void
per_board(struct fit *f)
{
	double n = devices_of(f->gpu);

	f->load[RES_DECODE] /= n;
	f->load[RES_ENCODE] /= n;
	f->load[RES_LINK] /= n;
	f->busy.value /= n;
	f->busy.low /= n;
	f->busy.high /= n;
	f->busy_mean /= n;
}

void
fit_card(const struct decider *d, const struct demand *dm, const struct gpu *g,
    struct fit *f)
{
	struct trial t = {.batch = 1};

	assert(g->segment != SEGMENT_CPU);
	*f = (struct fit){.gpu = g, .first = GATE_N, .limit = dm->limit};
	f->usable = memory_usable(d->cal, g);
	gates_static(d, dm, g, f);
	fixed_loads(d, dm, g, f);
	t.stages = arena_alloc(d->a, dm->v->n_stages + 1, sizeof(*t.stages));
	choose_batch(d, dm, f, &t);
	adopt(d, dm, &t, f);
	memory_gate(d, dm, &t, f);
	deadline_gate(d, dm, &t, f);
	figure_gate(&t, dm->v->n_stages, f);
	decode_total(dm, f);
	gates_idle(d, dm, f);
	per_board(f);
	gates_sum(f);
}

double
busy_at(const struct decider *d, const struct demand *dm, const struct gpu *g,
    int batch)
{
	struct trial t = {.batch = batch};

	t.stages = arena_alloc(d->a, dm->v->n_stages + 1, sizeof(*t.stages));
	return time_stages(d, dm, g, &t) ? t.busy.value : 0;
}

struct fit *
fit_all(const struct decider *d, const struct demand *dm, int *n)
{
	struct fit *fits = arena_alloc(d->a, d->cat->n_gpus + 1, sizeof(*fits));

	*n = 0;
	for (int i = 0; i < d->cat->n_gpus; i++) {
		const struct gpu *g = &d->cat->gpus[i];

		if (g->segment == SEGMENT_CPU)
			continue;
		fit_card(d, dm, g, &fits[(*n)++]);
	}
	return fits;
}
