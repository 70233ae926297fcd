/*
 * The smallest changes that would help: each is tried on a copy of the
 * vendor and kept only if the copy turns a failing card into one that
 * serves, or needs fewer cards.  A card named for a change passes (or asks
 * at) every gate once the change is made, those of the site included.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

enum { MAX_CHANGES = 6 };

/* The toolkit a rebuild would use: the first that knows every NVIDIA
 * architecture in the catalogue from 7.5 to 12.0. */
enum { NEW_CUDA = 1208 };

struct search {
	const struct decider *d;
	const struct demand *dm;
	const struct plan *plan;
	struct vendor_decision *vd;
	const struct fit *base; /* the card to save on: asked for, smallest */
};

/* Whether a card of a better class, or clearly less of it, is won. */
static bool
better_card(const struct search *s, const struct fit *now,
    const struct fit *then)
{
	int a, b;

	if (!then)
		return false;
	if (!now)
		return true;
	a = service_class(s->d, then->gpu);
	b = service_class(s->d, now->gpu);
	if (a != b)
		return a < b;
	return fit_size(then) < 0.8 * fit_size(now);
}

/* What is won by it. */
static const char *
saved(const struct search *s, const struct fit *f)
{
	if (!s->base || (s->vd->judged && f->gpu == s->vd->judged->gpu &&
			    s->vd->judged->state == STATE_FAIL))
		return "serves";
	if (f->sized && s->base->sized && f->cards < s->base->cards)
		return "cards";
	if (service_class(s->d, f->gpu) < service_class(s->d, s->base->gpu))
		return "class";
	return "size";
}

static struct change *
keep(struct search *s, const char *id, const struct fit *f, const char *from,
    const char *to)
{
	struct vendor_decision *vd = s->vd;
	struct change *c;

	const char *saves = saved(s, f);

	if (vd->n_changes >= MAX_CHANGES)
		return NULL;
	if (strcmp(saves, "size") == 0 && !better_card(s, s->base, f))
		return NULL; /* another card, and hardly less of it */
	c = arena_push(s->d->a, &vd->changes, &vd->n_changes, sizeof(*c));
	*c = (struct change){.id = id,
	    .fit = f,
	    .from = from,
	    .to = to,
	    .saves = saves};
	return c;
}

static struct fit *
refit(const struct search *s, const struct vendor *copy, const struct gpu *g)
{
	struct fit *f = arena_alloc(s->d->a, 1, sizeof(*f));
	struct demand dm = demand_of(s->d, copy);

	fit_card(s->d, &dm, g, f);
	return f;
}

/* On the cards in play alone: the card asked for serves where it failed, or
 * the card that serves needs fewer of itself. */
static const struct fit *
quick_gain(const struct search *s, const struct vendor *copy)
{
	const struct vendor_decision *vd = s->vd;
	const struct fit *f;

	if (vd->judged && vd->judged->state == STATE_FAIL) {
		f = refit(s, copy, vd->judged->gpu);
		if (f->state != STATE_FAIL)
			return f;
	}
	if (!s->base)
		return NULL;
	f = refit(s, copy, s->base->gpu);
	return f->state != STATE_FAIL && f->sized && s->base->sized &&
		       f->cards < s->base->cards
		   ? f
		   : NULL;
}

/*
 * What the changed vendor makes possible, decided afresh over the whole
 * catalogue when the cards in play gain nothing.  NULL when nothing is
 * gained: no better class, and not clearly less card.
 */
static const struct fit *
gain(const struct search *s, const struct vendor *copy)
{
	struct vendor_decision then = {.vendor = copy};
	struct demand dm = demand_of(s->d, copy);
	const struct fit *f = quick_gain(s, copy);

	if (f)
		return f;
	then.fits = fit_all(s->d, &dm, &then.n_fits);
	verdict_choose(s->d, &then);
	f = then.smallest;
	if (f && s->base && f->sized != s->base->sized)
		return NULL;
	return better_card(s, s->base, f) ? f : NULL;
}

/* ---- a new build */

static const char *
software_words(const struct search *s)
{
	const struct runtime *rt = &s->vd->vendor->runtime;
	const char *text = NULL;

	for (int i = 0; i < s->vd->n_fits && !text; i++)
		text = s->vd->fits[i].gates[GATE_SOFTWARE].need_text;
	if (rt->cuda.known)
		return arena_printf(s->d->a, "CUDA %d.%d",
		    (int)rt->cuda.value / 100, (int)rt->cuda.value % 100);
	return text;
}

void
vendor_rebuild(struct vendor *v)
{
	v->runtime.cuda = fact_of(NEW_CUDA, SURE_ASSUMED, NULL);
	v->runtime.n_built_for = 0;
	v->runtime.ships = SHIPS_FRAMEWORK;
	v->runtime.driver_fixed = (struct fact){0};
}

static void
try_build(struct search *s)
{
	struct vendor copy = *s->vd->vendor;
	struct vendor_decision then = {.vendor = &copy};
	struct demand dm;
	const char *eco = copy.runtime.ecosystem;
	const struct fit *f;

	if (eco && strcmp(eco, "cuda") != 0)
		return;
	if (copy.runtime.n_built_for == 0 &&
	    (!copy.runtime.cuda.known || copy.runtime.cuda.value >= NEW_CUDA))
		return;
	vendor_rebuild(&copy);
	dm = demand_of(s->d, &copy);
	then.fits = fit_all(s->d, &dm, &then.n_fits);
	verdict_choose(s->d, &then);
	f = s->vd->judged ? fit_find(&then, s->vd->judged->gpu) : NULL;
	if (!f || s->vd->judged->state != STATE_FAIL || f->state == STATE_FAIL)
		f = then.smallest;
	if (f != then.smallest || better_card(s, s->vd->smallest, f))
		keep(s, "cuda", f, software_words(s),
		    arena_printf(s->d->a, "CUDA %d.%d", NEW_CUDA / 100,
			NEW_CUDA % 100));
}

/* ---- batching, in one process a card */

static void
try_batching(struct search *s)
{
	struct vendor copy = *s->vd->vendor;
	struct runtime *rt = &copy.runtime;
	int batch = rt->batch > 0 ? rt->batch : 1;
	struct change *c;
	const struct fit *f;

	if (rt->layout != PROC_PER_STREAM && rt->batch <= 0)
		return;
	rt->layout = PROC_PER_CARD;
	rt->processes = 1;
	rt->batch = 0;
	f = gain(s, &copy);
	c = f ? keep(s, "batch", f, NULL, NULL) : NULL;
	if (!c)
		return;
	c->batch[0] = batch;
	c->batch[1] = f->batch;
	c->processes[0] = s->base ? s->base->processes : 1;
	c->processes[1] = 1;
}

/* ---- a lower precision */

static bool
lower(enum precision p, enum precision *next)
{
	switch (p) {
	case PREC_FP32:
	case PREC_TF32: *next = PREC_FP16; return true;
	case PREC_FP16:
	case PREC_BF16: *next = PREC_INT8; return true;
	case PREC_FP8:
	case PREC_INT8:
	case PREC_N: break;
	}
	return false;
}

static void
try_precision(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;
	enum precision next;
	const struct fit *f;
	bool any = false;

	if (!lower(v->runtime.precision, &next))
		return;
	copy.runtime.precision = next;
	copy.stages =
	    arena_alloc(s->d->a, v->n_stages + 1, sizeof(*copy.stages));
	for (int i = 0; i < v->n_stages; i++) {
		copy.stages[i] = v->stages[i];
		/* A stated time says nothing about another precision. */
		if (v->stages[i].kind != STAGE_NETWORK ||
		    v->stages[i].precision != v->runtime.precision)
			continue;
		copy.stages[i].precision = next;
		any = true;
	}
	f = any ? gain(s, &copy) : NULL;
	if (f)
		keep(s, "precision", f, precision_id(v->runtime.precision),
		    precision_id(next));
}

/* ---- decoding the cameras' second, smaller stream */

enum { SUB_WIDTH = 704, SUB_HEIGHT = 576 };

static void
try_substream(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;
	const struct fit *f;
	const char *from = NULL;

	copy.streams =
	    arena_alloc(s->d->a, v->n_streams + 1, sizeof(*copy.streams));
	for (int i = 0; i < v->n_streams; i++) {
		struct stream *st = &copy.streams[i];

		*st = v->streams[i];
		if (stream_codec(st) == CODEC_NONE ||
		    (double)st->width * st->height <=
			(double)SUB_WIDTH * SUB_HEIGHT)
			continue;
		if (!from)
			from = arena_printf(s->d->a, "%dx%d", st->width,
			    st->height);
		st->width = SUB_WIDTH;
		st->height = SUB_HEIGHT;
	}
	f = from ? gain(s, &copy) : NULL;
	if (f)
		keep(s, "substream", f, from,
		    arena_printf(s->d->a, "%dx%d", SUB_WIDTH, SUB_HEIGHT));
}

/* ---- another codec from the camera */

static void
try_codec(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;
	const struct fit *f;
	bool any = false;

	if (!s->base || s->base->binding != RES_DECODE)
		return;
	copy.streams =
	    arena_alloc(s->d->a, v->n_streams + 1, sizeof(*copy.streams));
	for (int i = 0; i < v->n_streams; i++) {
		copy.streams[i] = v->streams[i];
		if (stream_codec(&v->streams[i]) != CODEC_H264)
			continue;
		copy.streams[i].codec = CODEC_HEVC;
		any = true;
	}
	f = any ? gain(s, &copy) : NULL;
	if (f)
		keep(s, "codec", f, codec_id(CODEC_H264), codec_id(CODEC_HEVC));
}

/* ---- output encoded on the host or on another card */

static void
try_encode_elsewhere(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;
	const struct fit *f;

	if (s->dm->encoded <= 0)
		return;
	copy.streams =
	    arena_alloc(s->d->a, v->n_streams + 1, sizeof(*copy.streams));
	for (int i = 0; i < v->n_streams; i++) {
		copy.streams[i] = v->streams[i];
		copy.streams[i].out_codec = CODEC_NONE;
	}
	f = gain(s, &copy);
	if (f)
		keep(s, "encode-elsewhere", f, NULL, NULL);
}

/* ---- less memory, by tiling or splitting */

static char *
gigabytes(struct arena *a, double bytes)
{
	return arena_printf(a, "%s GB", num_format(a, bytes / 1e9, 1, false));
}

static void
try_tiling(struct search *s)
{
	const struct fit *f = s->vd->judged;
	const struct gate_result *m;
	struct fit *then;

	if (!f || f->gates[GATE_MEMORY].state != STATE_FAIL)
		f = s->vd->nearest;
	if (!f)
		return;
	m = &f->gates[GATE_MEMORY];
	if (m->state != STATE_FAIL || f->n_failing != 1 || !m->need.known ||
	    !m->have.known)
		return;
	/* The card as it will be once the need is down to what it has. */
	then = arena_alloc(s->d->a, 1, sizeof(*then));
	*then = *f;
	gate_set(then, GATE_MEMORY, STATE_PASS, NULL);
	gates_sum(then);
	keep(s, "tiling", then, gigabytes(s->d->a, m->need.value),
	    gigabytes(s->d->a, m->have.value));
}

/* ---- a lighter network */

/* A copy whose networks do `share` of the work. */
static struct vendor
lighter(const struct search *s, double share)
{
	struct vendor copy = *s->vd->vendor;
	int n = copy.n_stages;

	copy.stages = arena_alloc(s->d->a, n + 1, sizeof(*copy.stages));
	for (int i = 0; i < n; i++) {
		struct stage *st = &copy.stages[i];

		*st = s->vd->vendor->stages[i];
		if (st->kind == STAGE_WORK) {
			st->flop.value *= share;
			st->bytes.value *= share;
		}
		if (st->kind != STAGE_NETWORK)
			continue;
		if (st->network)
			st->totals = *st->network;
		st->network = NULL;
		st->totals.macs.value *= share;
		st->totals.activations.value *= share;
	}
	copy.n_measured = 0;
	return copy;
}

static char *
gflop(const struct search *s, double flop)
{
	return arena_printf(s->d->a, "%s GFLOP",
	    num_format(s->d->a, flop / 1e9, num_decimals(flop / 1e9, 3),
		false));
}

static bool
enough(const struct search *s, const struct fit *f)
{
	struct fact asked = s->vd->vendor->request.count;

	return f->state != STATE_FAIL &&
	       (!asked.known || !f->sized || f->cards <= asked.value);
}

/* Fails for its time alone. */
static bool
only_late(const struct fit *f)
{
	return f && f->n_failing == 1 &&
	       f->gates[GATE_DEADLINE].state == STATE_FAIL &&
	       f->gates[GATE_DEADLINE].need.known;
}

/*
 * The card on which time is all that is missing: the one asked for, one that
 * is bought anyway, or the best of the catalogue; NULL when there is none,
 * or when the vendor has a card and lost nothing to the deadline.
 */
static const struct fit *
late_card(const struct search *s)
{
	const struct vendor_decision *vd = s->vd;
	const struct fit *best = NULL;

	if (only_late(vd->judged))
		return vd->judged;
	if (vd->smallest)
		return only_late(vd->nearest) ? vd->nearest : NULL;
	for (int i = 0; i < s->plan->n_pools; i++) {
		const struct fit *f = fit_find(vd, s->plan->pools[i].gpu);

		if (only_late(f) && (!best || fit_gap(f) < fit_gap(best)))
			best = f;
	}
	for (int i = 0; i < vd->n_fits && !best; i++)
		if (only_late(&vd->fits[i]) &&
		    service_class(s->d, vd->fits[i].gpu) == 0)
			best = &vd->fits[i];
	for (int i = 0; i < vd->n_fits && best; i++) {
		const struct fit *f = &vd->fits[i];

		if (best->gpu == f->gpu || !only_late(f) ||
		    service_class(s->d, f->gpu) > 0 || s->plan->n_pools > 0)
			continue;
		if (fit_gap(f) < fit_gap(best))
			best = f;
	}
	return best;
}

/* The card of `late` with `share` of the work, NULL if it then fails or, where
 * the number matters, takes more cards than were asked for. */
static const struct fit *
with_share(const struct search *s, const struct fit *late, double share,
    bool number)
{
	struct vendor copy = lighter(s, share);
	const struct fit *f = refit(s, &copy, late->gpu);

	if (f->state == STATE_FAIL || (number && !enough(s, f)))
		return NULL;
	return f;
}

/* The largest share of the work, within half a percent, that will do; 0 if
 * not even a ten-thousandth does.  Time falls with the work. */
static double
largest_share(const struct search *s, const struct fit *late, bool number)
{
	double low = 1e-4, high = 1;

	if (!with_share(s, late, low, number))
		return 0;
	while (high / low > 1.005) {
		double mid = sqrt(low * high);

		if (with_share(s, late, mid, number))
			low = mid;
		else
			high = mid;
	}
	return low;
}

/*
 * How light the work of a frame must be: the most with which one frame is in
 * time; where that gains no card worth it, the most with which the cards
 * asked for are enough.
 */
static void
try_model(struct search *s)
{
	const struct fit *late = late_card(s);
	double flop;

	if (!late || !demand_flop(s->d, s->dm, true, &flop) ||
	    s->dm->frames_per_s <= 0)
		return;
	flop /= s->dm->frames_per_s;
	for (int number = 0; number <= 1; number++) {
		double share = largest_share(s, late, number);
		const struct fit *f =
		    share > 0 ? with_share(s, late, share, number) : NULL;

		if (f &&
		    keep(s, "model", f, gflop(s, flop), gflop(s, share * flop)))
			return;
	}
}

/* ---- more time, or one picture over several cards */

static char *
seconds_text(struct arena *a, double t)
{
	return t < 1 ? arena_printf(a, "%.0f ms", t * 1e3)
		     : arena_printf(a, "%s s",
			   num_format(a, t, num_decimals(t, 2), false));
}

/* The fit with `times` the deadline of the vendor. */
static const struct fit *
with_deadline(const struct search *s, const struct fit *late, double seconds)
{
	struct vendor copy = *s->vd->vendor;
	const struct fit *f;

	copy.deadline_s.value = seconds;
	f = refit(s, &copy, late->gpu);
	return f->state != STATE_FAIL && f->sized ? f : NULL;
}

/* Up in steps of a twentieth from the time one frame takes, to a round
 * number of two digits. */
static void
try_deadline(struct search *s)
{
	const struct fit *late = late_card(s), *f = NULL;
	double now = s->vd->vendor->deadline_s.value, then;

	if (!late)
		return;
	then = late->gates[GATE_DEADLINE].need.value;
	for (int i = 0; i < 40 && !f; i++, then *= 1.05) {
		double unit = pow(10, floor(log10(then)) - 1);

		then = ceil(then / unit - 1e-9) * unit;
		f = with_deadline(s, late, then);
		if (f && s->vd->vendor->request.count.known && i < 39 &&
		    f->cards > 2 * fmax(f->cards_load, 1))
			f = NULL; /* bought with idle cards: not yet */
		if (f)
			break;
	}
	if (f)
		keep(s, "deadline", f, seconds_text(s->d->a, now),
		    seconds_text(s->d->a, then));
}

static bool
all_tiles(const struct vendor *v)
{
	for (int i = 0; i < v->n_stages; i++)
		if (v->stages[i].per != PER_TILE)
			return false;
	return v->n_stages > 0;
}

/* Tiles do not wait for each other: over n cards a picture takes an nth of
 * the time, and every card still sees the same load. */
static void
try_split(struct search *s)
{
	const struct fit *late = late_card(s), *f;
	double deadline = s->vd->vendor->deadline_s.value;

	if (!late || !all_tiles(s->vd->vendor))
		return;
	for (int n = 2; n <= 4; n++) {
		f = with_deadline(s, late, n * deadline);
		if (!f || f->cards < n)
			continue;
		keep(s, "split", f, "1", arena_printf(s->d->a, "%d", n));
		return;
	}
}

/* ---- fewer frames analysed */

static char *
rate_text(struct arena *a, double per_s)
{
	return arena_printf(a, "%s fps",
	    num_format(a, per_s,
		per_s == floor(per_s) ? 0 : num_decimals(per_s, 3), false));
}

/* The highest rate not above `per_s` that takes every n-th frame. */
static double
rate_below(const struct stream *st, double per_s)
{
	if (st->fps <= 0 || per_s <= 0)
		return per_s;
	return st->fps / ceil(st->fps / per_s - 1e-9);
}

/* The vendor with about `share` of its video frames analysed. */
static struct vendor
sparser(const struct search *s, double share)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;

	copy.streams =
	    arena_alloc(s->d->a, v->n_streams + 1, sizeof(*copy.streams));
	for (int i = 0; i < v->n_streams; i++) {
		struct stream *st = &copy.streams[i];

		*st = v->streams[i];
		if (st->kind == STREAM_VIDEO)
			st->analysed_per_s =
			    rate_below(st, share * st->analysed_per_s);
	}
	return copy;
}

/* The highest rate of the fastest camera, every second frame, every third
 * ... and no lower than a quarter of what it was, that gains anything; the
 * others in proportion, at rates of theirs. */
static void
try_rate(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	const struct stream *fast = NULL;
	double was;
	int every;

	for (int i = 0; i < v->n_streams; i++)
		if (v->streams[i].kind == STREAM_VIDEO &&
		    (!fast ||
			v->streams[i].analysed_per_s > fast->analysed_per_s))
			fast = &v->streams[i];
	was = fast ? fast->analysed_per_s : 0;
	if (was <= 0 || !(fast->fps >= was) || fast->fps > 1e3 * was)
		return;
	every = (int)floor(fast->fps / was + 1e-9);
	for (int n = every + 1; n <= 4 * every + 3; n++) {
		double to = fast->fps / n;
		struct vendor copy = sparser(s, to / was);
		const struct fit *f;

		if (to < was / 4 * (1 - 1e-9))
			return;
		f = quick_gain(s, &copy);
		if (!f)
			continue;
		keep(s, "fps", f, rate_text(s->d->a, was),
		    rate_text(s->d->a, to));
		return;
	}
}

void
changes_find(const struct decider *d, const struct demand *dm,
    const struct plan *plan, struct vendor_decision *vd)
{
	struct search s = {d, dm, plan, vd,
	    vd->model == MODEL_GENEROUS ? vd->smallest : sizing_fit(vd)};
	const struct fit *now = sizing_fit(vd);

	if (now && nothing_tight(now) &&
	    (!vd->judged || vd->judged->state != STATE_FAIL)) {
		/* A card hardly used: all to gain is one that is still made. */
		if (service_class(d, now->gpu) > 0)
			try_build(&s);
		return;
	}
	try_build(&s);
	try_encode_elsewhere(&s);
	try_batching(&s);
	try_precision(&s);
	try_substream(&s);
	try_codec(&s);
	try_tiling(&s);
	try_split(&s);
	try_model(&s);
	try_deadline(&s);
	try_rate(&s);
}
