/*
 * What the vendor did not say, heaviest first, and what was assumed in its
 * place.
 */
#include <string.h>

#include "base/arena.h"
#include "decide/parts.h"

/* Everything a test may look at. */
struct asker {
	const struct decider *d;
	const struct demand *dm;
	const struct vendor_decision *vd;
	const struct vendor *v;
};

static bool
asks_tested(const struct asker *k)
{
	const struct fit *const seen[] = {k->vd->judged, k->vd->smallest,
		k->vd->planned};

	for (int i = 0; i < 3; i++)
		if (seen[i] && seen[i]->gates[GATE_SOFTWARE].why &&
		    strcmp(seen[i]->gates[GATE_SOFTWARE].why,
		    "not-tested") == 0)
			return true;
	return false;
}

static bool
asks_cuda(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	if (rt->ecosystem && strcmp(rt->ecosystem, "cuda") != 0)
		return false;
	if (!rt->cuda.known && rt->n_built_for == 0)
		return true;
	/* A card in play that runs the build untested: is there a newer one? */
	return asks_tested(k);
}

static bool
asks_engine_files(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	return rt->ships == SHIPS_UNKNOWN ||
	    (rt->ships == SHIPS_ENGINE_FILES && rt->n_built_for == 0);
}

static bool
asks_codec(const struct asker *k)
{
	if (k->dm->no_codec)
		return true;
	for (int i = 0; i < k->v->n_streams; i++)
		if (k->v->streams[i].kind == STREAM_VIDEO &&
		    (k->v->streams[i].width <= 0 ||
		    k->v->streams[i].height <= 0))
			return true;
	return false;
}

/* A stage with neither operations nor a time. */
static bool
asks_time(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++) {
		const struct stage *s = &k->v->stages[i];

		if (stage_on_card(s) && !stage_flop(k->d, k->v, s).known &&
		    !stage_cost(s, s->precision).known &&
		    !s->seconds.known)
			return true;
	}
	return k->v->n_stages == 0;
}

static bool
asks_model(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++) {
		const struct stage *s = &k->v->stages[i];

		if (s->kind == STAGE_NETWORK &&
		    !stage_cost(s, s->precision).known)
			return true;
	}
	return k->v->n_stages == 0;
}

static bool
asks_processes(const struct asker *k)
{
	return k->v->runtime.layout == PROC_PER_CARD &&
	    k->v->runtime.processes <= 0;
}

static bool
asks_batch(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++)
		if (k->v->stages[i].kind == STAGE_TIMED &&
		    k->v->stages[i].batch <= 0 && k->v->runtime.batch <= 0)
			return true;
	return false;
}

static bool
asks_objects(const struct asker *k)
{
	return k->dm->no_objects;
}

static bool
asks_variant(const struct asker *k)
{
	return !k->vd->requested && k->v->request.n_candidates > 1;
}

static bool
asks_count(const struct asker *k)
{
	return k->vd->judged && !k->v->request.count.known;
}

static bool
asks_image(const struct asker *k)
{
	for (int i = 0; i < k->v->n_streams; i++)
		if (k->v->streams[i].kind == STREAM_IMAGES &&
		    (k->v->streams[i].width <= 0 ||
		    k->v->streams[i].height <= 0))
			return true;
	/* A stated peak holds for one size of input only. */
	return k->v->memory.peak.known || k->v->memory.scratch.known;
}

static bool
asks_deadline(const struct asker *k)
{
	return !k->v->deadline_s.known;
}

static bool
asks_ptx(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;
	const struct fit *f = k->vd->judged;

	return rt->ships != SHIPS_ENGINE_FILES && rt->n_built_for > 0 &&
	    !rt->ptx_known && f && f->gates[GATE_SOFTWARE].why;
}

static bool
asks_precision(const struct asker *k)
{
	return k->v->runtime.precision_pos.line == 0;
}

static bool
asks_driver(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	if (rt->ecosystem && strcmp(rt->ecosystem, "cuda") != 0)
		return false;
	return !rt->driver.known || !rt->driver_fixed.known;
}

static bool
asks_production(const struct asker *k)
{
	const struct fit *f = k->vd->judged ? k->vd->judged : k->vd->smallest;

	return f && f->gates[GATE_SUPPLY].state == STATE_ASK;
}

/* In order of weight: research/scenarios.md, end of part (c). */
static const struct {
	const char *id;
	bool (*asks)(const struct asker *k);
} questions[] = {
	{"cuda-version", asks_cuda},
	{"engine-files", asks_engine_files},
	{"time-per-run", asks_time},
	{"model", asks_model},
	{"codec", asks_codec},
	{"processes", asks_processes},
	{"batch", asks_batch},
	{"objects", asks_objects},
	{"memory-variant", asks_variant},
	{"count", asks_count},
	{"largest-image", asks_image},
	{"precision", asks_precision},
	{"deadline", asks_deadline},
	{"ptx", asks_ptx},
	{"driver", asks_driver},
	{"production", asks_production},
};

enum { N_QUESTIONS = sizeof(questions) / sizeof(*questions) };

static bool
any_timed(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++)
		if (k->v->stages[i].kind == STAGE_TIMED &&
		    k->v->stages[i].seconds.known)
			return true;
	return false;
}

static bool
engine_unknown(const struct asker *k)
{
	return k->v->runtime.engine == ENGINE_OTHER;
}

static bool
aged_card(const struct asker *k)
{
	const struct fit *f = k->vd->judged ? k->vd->judged : k->vd->smallest;

	return f && aged(k->d, f->gpu);
}

static bool
count_as_asked(const struct asker *k)
{
	return k->vd->smallest && !k->vd->smallest->sized;
}

static bool
default_limit(const struct asker *k)
{
	return !k->v->load_limit.known;
}

static bool
no_peak(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++)
		for (int j = 0; j < k->v->n_streams; j++)
			if (k->v->stages[i].per == PER_OBJECT &&
			    stage_applies(&k->v->stages[i], j) &&
			    k->v->streams[j].objects_mean.known &&
			    !k->v->streams[j].objects_peak.known)
				return true;
	return false;
}

/* Some stage is computed, not measured. */
static bool
computed(const struct asker *k)
{
	const struct fit *f = sizing_fit(k->vd);

	return f && f->sized && f->tier >= TIER_LAYERS;
}

static bool
no_activations(const struct asker *k)
{
	for (int i = 0; i < k->v->n_stages; i++) {
		const struct stage *s = &k->v->stages[i];

		if (s->kind == STAGE_NETWORK &&
		    stage_cost(s, s->precision).known &&
		    stage_cost(s, s->precision).activations <= 0)
			return true;
	}
	return false;
}

static bool
decodes(const struct asker *k)
{
	return k->dm->decode_per_s > 0;
}

static bool
no_codec(const struct asker *k)
{
	return k->dm->no_codec;
}

static bool
has_bank(const struct asker *k)
{
	return k->v->memory.bank.known;
}

static const struct {
	const char *id;
	bool (*holds)(const struct asker *k);
} assumptions[] = {
	{"objects-mean", asks_objects},
	{"peak", no_peak},
	{"load-limit", default_limit},
	{"efficiency", computed},
	{"activations", no_activations},
	{"video-clock", decodes},
	{"training-set", has_bank},
	{"codec", no_codec},
	{"deadline", asks_deadline},
	{"engine", engine_unknown},
	{"timed", any_timed},
	{"count-asked", count_as_asked},
	{"aged", aged_card},
};

enum { N_ASSUMPTIONS = sizeof(assumptions) / sizeof(*assumptions) };

void
questions_ask(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd)
{
	struct asker k = {d, dm, vd, vd->vendor};

	vd->questions = arena_alloc(d->a, N_QUESTIONS, sizeof(char *));
	for (int i = 0; i < N_QUESTIONS; i++)
		if (questions[i].asks(&k))
			vd->questions[vd->n_questions++] = questions[i].id;
	vd->assumptions = arena_alloc(d->a, N_ASSUMPTIONS, sizeof(char *));
	for (int i = 0; i < N_ASSUMPTIONS; i++)
		if (assumptions[i].holds(&k))
			vd->assumptions[vd->n_assumptions++] =
			    assumptions[i].id;
}
