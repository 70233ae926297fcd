/*
 * What the tests of decide/ share: the real catalogue and calibration, and
 * vendors small enough to calculate by hand.  Their stage is a stated time
 * on a T4, which the model takes as it is on a T4.
 */
#ifndef DECIDE_FIXTURE_H
#define DECIDE_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "decide/parts.h"
#include "input/input.h"

static struct arena *a;
static struct catalog *cat;
static struct calibration *cal;
static struct project project; /* no server, no policy, unless a test says */
static struct decider dr;

static inline int
fixture_open(void **state)
{
	struct diag d;

	(void)state;
	a = arena_new();
	diag_init(&d, a);
	cat = catalog_read(a, "catalog", &d);
	cal = calibration_read(a, "catalog", &d);
	if (!cat || !cal || d.n_errors)
		diag_print(&d, stderr);
	return !cat || !cal;
}

static inline int
fixture_close(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static inline int
fixture_reset(void **state)
{
	(void)state;
	project = (struct project){.id = "test", .date = "2026-11-30"};
	dr = (struct decider){a, &project, cat, cal};
	return 0;
}

static inline struct fact
known(double v)
{
	return fact_of(v, SURE_ONE, "test");
}

static inline const struct gpu *
card(const char *id)
{
	const struct gpu *g = catalog_gpu(cat, id);

	if (!g)
		fail_msg("no card '%s' in the catalogue", id);
	return g;
}

/* A catalogue of just these cards, ended by NULL. */
static inline struct catalog *
cards_only(const char *id, ...)
{
	struct catalog *c = arena_alloc(a, 1, sizeof(*c));
	va_list ap;

	*c = *cat;
	c->gpus = arena_alloc(a, 32, sizeof(*c->gpus));
	c->n_gpus = 0;
	va_start(ap, id);
	for (; id; id = va_arg(ap, const char *))
		c->gpus[c->n_gpus++] = *card(id);
	va_end(ap);
	catalog_index(a, c);
	return c;
}

/*
 * `count` cameras, decoded elsewhere and 640x360 so that neither decoder nor
 * link matters, `fps` frames a second analysed, each `ms` milliseconds on a
 * T4 at batch 1.  CUDA 12.2, FP16, one process a card, 1 GB measured.
 */
static inline struct vendor *
vendor_of(const char *id, int count, double fps, double ms)
{
	struct vendor *v = arena_alloc(a, 1, sizeof(*v));

	v->id = v->name = id;
	v->streams = arena_alloc(a, 4, sizeof(*v->streams));
	v->n_streams = 1;
	v->streams[0] = (struct stream){.kind = STREAM_VIDEO,
	    .name = "gate",
	    .count = count,
	    .width = 640,
	    .height = 360,
	    .depth = 1,
	    .codec = CODEC_H264,
	    .fps = 25,
	    .analysed_per_s = fps,
	    .decoded_elsewhere = true};
	v->stages = arena_alloc(a, 4, sizeof(*v->stages));
	v->n_stages = 1;
	v->stages[0] = (struct stage){.kind = STAGE_TIMED,
	    .name = "see",
	    .times = 1,
	    .stream = -1,
	    .seconds = known(ms / 1000),
	    .timed_on = card("nvidia-t4"),
	    .batch = 1,
	    .precision = PREC_FP16};
	v->runtime = (struct runtime){.engine_name = "TensorRT",
	    .engine = ENGINE_TENSORRT,
	    .precision = PREC_FP16,
	    .batch = 1,
	    .layout = PROC_PER_CARD,
	    .processes = 1,
	    .ships = SHIPS_ONNX,
	    .ecosystem = "cuda",
	    .cuda = known(1202)};
	v->memory.peak = known(1e9);
	v->load_limit = known(0.7);
	return v;
}

static inline void
ask_for(struct vendor *v, const char *id, int count)
{
	v->request.written = id;
	v->request.gpu = card(id);
	v->request.count = known(count);
}

static inline struct fit *
fit_on(const struct vendor *v, const char *id)
{
	struct fit *f = arena_alloc(a, 1, sizeof(*f));
	struct demand dm = demand_of(&dr, v);

	fit_card(&dr, &dm, card(id), f);
	return f;
}

/* The card of the same id in `c`, if it has it. */
static inline const struct gpu *
card_in(const struct catalog *c, const struct gpu *g)
{
	const struct gpu *same = g ? catalog_gpu(c, g->id) : NULL;

	return same ? same : g;
}

static inline struct decision *
decide(struct vendor **v, int n, const struct catalog *c)
{
	project.vendors = arena_alloc(a, n + 1, sizeof(*project.vendors));
	project.n_vendors = n;
	for (int i = 0; i < n; i++) {
		struct vendor *w = &project.vendors[i];

		*w = *v[i];
		w->request.gpu = card_in(c, w->request.gpu);
		w->stages = arena_alloc(a, w->n_stages + 1, sizeof(*w->stages));
		for (int k = 0; k < w->n_stages; k++) {
			w->stages[k] = v[i]->stages[k];
			w->stages[k].timed_on =
			    card_in(c, v[i]->stages[k].timed_on);
		}
	}
	return decide_project(a, &project, c, cal);
}

static inline void
near_to(double got, double want, double share)
{
	if (!(fabs(got - want) <= share * fabs(want)))
		fail_msg("got %.12g, want %.12g", got, want);
}

/* A generator of our own, so that every machine tries the same cases. */
static uint32_t seed_state;

static inline uint32_t
pick(uint32_t n)
{
	seed_state = seed_state * 1664525u + 1013904223u;
	return (seed_state >> 8) % n;
}

#endif
