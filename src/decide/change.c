/*
 * The smallest changes that would help: each is tried on a copy of the
 * vendor and kept only if the copy turns a failing card into one that
 * serves, or needs fewer cards.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

enum { MAX_CHANGES = 4 };

/* The toolkit a rebuild would use: the first that knows every NVIDIA
 * architecture in the catalogue from 7.5 to 12.0. */
enum { NEW_CUDA = 1208 };

struct search {
	const struct decider *d;
	const struct demand *dm;
	struct vendor_decision *vd;
	const struct fit *base; /* the card to save on: asked for, smallest */
};

static void
keep(struct search *s, const char *id, const struct fit *f, const char *from,
    const char *to)
{
	struct vendor_decision *vd = s->vd;
	struct change *c;

	if (vd->n_changes >= MAX_CHANGES)
		return;
	c = arena_push(s->d->a, &vd->changes, &vd->n_changes, sizeof(*c));
	*c = (struct change){id, f, from, to};
}

static struct fit *
refit(const struct search *s, const struct vendor *copy, const struct gpu *g)
{
	struct fit *f = arena_alloc(s->d->a, 1, sizeof(*f));
	struct demand dm = demand_of(s->d, copy);

	fit_card(s->d, &dm, g, true, f);
	return f;
}

/*
 * What the changed vendor makes possible: the card asked for serves where it
 * failed; fewer of the card that serves today; the nearest smaller card
 * serves.  NULL when nothing is gained.
 */
static const struct fit *
gain(const struct search *s, const struct vendor *copy)
{
	const struct vendor_decision *vd = s->vd;
	const struct fit *f;

	if (vd->judged && vd->judged->state == STATE_FAIL) {
		f = refit(s, copy, vd->judged->gpu);
		if (f->state != STATE_FAIL)
			return f;
	}
	if (s->base) {
		f = refit(s, copy, s->base->gpu);
		if (f->state != STATE_FAIL && f->sized && s->base->sized &&
		    f->cards < s->base->cards)
			return f;
	}
	if (vd->nearest) {
		f = refit(s, copy, vd->nearest->gpu);
		if (f->state != STATE_FAIL)
			return f;
	}
	return NULL;
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
	if (copy.runtime.n_built_for == 0 && (!copy.runtime.cuda.known ||
	    copy.runtime.cuda.value >= NEW_CUDA))
		return;
	copy.runtime.cuda = fact_of(NEW_CUDA, SURE_ASSUMED, NULL);
	copy.runtime.n_built_for = 0;
	copy.runtime.ships = SHIPS_FRAMEWORK;
	copy.runtime.driver_fixed = (struct fact){0};
	dm = demand_of(s->d, &copy);
	then.fits = fit_all(s->d, &dm, &then.n_fits);
	verdict_choose(s->d, &then);
	f = s->vd->judged ? fit_find(&then, s->vd->judged->gpu) : NULL;
	if (!f || s->vd->judged->state != STATE_FAIL ||
	    f->state == STATE_FAIL)
		f = then.smallest;
	if (f != then.smallest || better_card(s, s->vd->smallest, f))
		keep(s, "cuda", f, software_words(s), arena_printf(s->d->a,
		    "CUDA %d.%d", NEW_CUDA / 100, NEW_CUDA % 100));
}

/* ---- batching, in one process a card */

static void
try_batching(struct search *s)
{
	struct vendor copy = *s->vd->vendor;
	struct runtime *rt = &copy.runtime;
	const struct fit *f;
	const char *from;

	if (rt->layout != PROC_PER_STREAM && rt->batch <= 0)
		return;
	from = arena_printf(s->d->a, "batch=%d, n=%d",
	    rt->batch > 0 ? rt->batch : 1, s->base ? s->base->processes : 1);
	rt->layout = PROC_PER_CARD;
	rt->processes = 1;
	rt->batch = 0;
	f = gain(s, &copy);
	if (f)
		keep(s, "batch", f, from, arena_printf(s->d->a,
		    "batch=%d, n=1", f->batch));
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
	copy.stages = arena_alloc(s->d->a, v->n_stages + 1,
	    sizeof(*copy.stages));
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

	copy.streams = arena_alloc(s->d->a, v->n_streams + 1,
	    sizeof(*copy.streams));
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
		keep(s, "substream", f, from, arena_printf(s->d->a, "%dx%d",
		    SUB_WIDTH, SUB_HEIGHT));
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

	if (!f || f->gates[GATE_MEMORY].state != STATE_FAIL)
		f = s->vd->nearest;
	if (!f)
		return;
	m = &f->gates[GATE_MEMORY];
	if (m->state != STATE_FAIL || f->n_failing != 1 ||
	    !m->need.known || !m->have.known)
		return;
	keep(s, "tiling", f, gigabytes(s->d->a, m->need.value),
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

static bool
in_time(const struct fit *f)
{
	return f->gates[GATE_DEADLINE].state != STATE_FAIL;
}

static char *
gflop(const struct search *s, double flop)
{
	return arena_printf(s->d->a, "%s GFLOP", num_format(s->d->a,
	    flop / 1e9, num_decimals(flop / 1e9, 3), false));
}

/*
 * How light the work of a frame must be for one frame to be in time: first
 * in closed form (share = deadline / time), then tried, because launches do
 * not shrink with the work.
 */
static void
try_model(struct search *s)
{
	const struct fit *f = s->vd->judged, *g = NULL;
	double share, flop;

	if (!f || in_time(f))
		f = s->vd->smallest ? NULL : s->vd->nearest;
	if (!f || in_time(f) || !demand_flop(s->d, s->dm, true, &flop) ||
	    s->dm->frames_per_s <= 0)
		return;
	share = 1 / fit_gap(f);
	if (f->n_failing > 1)
		share = f->gates[GATE_DEADLINE].have.value /
		    f->gates[GATE_DEADLINE].need.value;
	for (int i = 0; i < 8 && share > 1e-4; i++, share *= 0.8) {
		struct vendor copy = lighter(s, share);

		g = refit(s, &copy, f->gpu);
		if (in_time(g))
			break;
	}
	if (g && in_time(g))
		keep(s, "model", g, gflop(s, flop / s->dm->frames_per_s),
		    gflop(s, share * flop / s->dm->frames_per_s));
}

/* ---- fewer frames analysed */

static char *
rate_text(struct arena *a, double per_s)
{
	return arena_printf(a, "%s fps", num_format(a, per_s,
	    per_s == floor(per_s) ? 0 : num_decimals(per_s, 3), false));
}

static void
try_rate(struct search *s)
{
	const struct vendor *v = s->vd->vendor;
	struct vendor copy = *v;
	const struct fit *f;
	double was = 0;

	copy.streams = arena_alloc(s->d->a, v->n_streams + 1,
	    sizeof(*copy.streams));
	for (int i = 0; i < v->n_streams; i++) {
		copy.streams[i] = v->streams[i];
		if (v->streams[i].kind != STREAM_VIDEO)
			continue;
		was = fmax(was, v->streams[i].analysed_per_s);
		copy.streams[i].analysed_per_s /= 2;
	}
	f = was > 0 ? gain(s, &copy) : NULL;
	if (f)
		keep(s, "fps", f, rate_text(s->d->a, was),
		    rate_text(s->d->a, was / 2));
}

void
changes_find(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd)
{
	struct search s = {d, dm, vd, sizing_fit(vd)};

	try_build(&s);
	try_batching(&s);
	try_precision(&s);
	try_substream(&s);
	try_tiling(&s);
	try_model(&s);
	try_rate(&s);
}
