/*
 * What the vendor did not say, or could say differently, and what was
 * assumed in place of what it did not say.  Nothing is asked whose answer
 * changes neither the verdict, the card nor the number.
 *
 * Questions come in ranks: first those about what decides the need
 * (software, time, decoding ...) whose answer may turn the verdict or the
 * card; then others that may turn it; then the rest; last what is no vendor's
 * fault (a version for other accelerators).  Within a rank what turns the
 * verdict or serves at all comes first, then what saves most cards, then the
 * order of the table `questions`.
 */
#include <math.h>
#include <stdlib.h>
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

/* Some card in play that the software runs on untested. */
static bool
asks_tested(const struct asker *k)
{
	const struct fit *const seen[] = {k->vd->judged, k->vd->smallest,
	    k->vd->planned};

	for (int i = 0; i < 3; i++)
		if (seen[i] && seen[i]->gates[GATE_SOFTWARE].why &&
		    strcmp(seen[i]->gates[GATE_SOFTWARE].why, "not-tested") ==
			0)
			return true;
	return false;
}

static bool
asks_cuda(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	if (rt->ecosystem && strcmp(rt->ecosystem, "cuda") != 0)
		return false;
	return !rt->cuda.known && rt->n_built_for == 0;
}

static const struct change *
change_of(const struct asker *k, const char *id)
{
	for (int i = 0; i < k->vd->n_changes; i++)
		if (strcmp(k->vd->changes[i].id, id) == 0)
			return &k->vd->changes[i];
	return NULL;
}

/* A newer build would help, or a card in play runs this one untested. */
static bool
asks_newer(const struct asker *k)
{
	return change_of(k, "cuda") || asks_tested(k);
}

/* The deadline is all that keeps the card out. */
static bool
only_late(const struct fit *f)
{
	return f && f->n_failing == 1 &&
	       f->gates[GATE_DEADLINE].state == STATE_FAIL;
}

/* At the far end of the band the planned card is late. */
static bool
planned_may_be_late(const struct asker *k)
{
	const struct fit *f = k->vd->planned;

	return f && k->v->deadline_s.known &&
	       f->chain.high > k->v->deadline_s.value;
}

/* The deadline alone rules out the card asked for or every card, fixes the
 * number, or may yet be missed. */
static bool
asks_firm(const struct asker *k)
{
	const struct fit *f = k->vd->planned;

	if (!k->v->deadline_s.known)
		return false;
	return only_late(k->vd->judged) || change_of(k, "deadline") ||
	       planned_may_be_late(k) ||
	       (f && (f->count_why == COUNT_BY_DEADLINE ||
			 f->count_why == COUNT_BY_SOURCE));
}

static bool
asks_lighter(const struct asker *k)
{
	return change_of(k, "model") != NULL;
}

static bool
asks_lower(const struct asker *k)
{
	return change_of(k, "precision") != NULL;
}

static bool
asks_split(const struct asker *k)
{
	return change_of(k, "split") != NULL;
}

static bool
asks_substream(const struct asker *k)
{
	return change_of(k, "substream") || change_of(k, "codec");
}

static bool
asks_batching(const struct asker *k)
{
	return change_of(k, "batch") != NULL;
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
		    !stage_cost(s, s->precision).known && !s->seconds.known)
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

/* The cards behind the name differ in what they can do here. */
static bool
asks_variant(const struct asker *k)
{
	const struct vendor *v = k->v;
	const struct fit *one = k->vd->judged;

	if (k->vd->requested || !one)
		return false;
	for (int i = 0; i < v->request.n_candidates; i++) {
		const struct fit *f = fit_find(k->vd, v->request.candidates[i]);

		if (f && (f->state != one->state || f->first != one->first ||
			     f->cards != one->cards))
			return true;
	}
	return false;
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

/* The build excludes the card for being too new, and nothing else does. */
static bool
only_too_new(const struct fit *f)
{
	const char *why = f->gates[GATE_SOFTWARE].why;

	return f->n_failing == 1 &&
	       f->gates[GATE_SOFTWARE].state == STATE_FAIL && why &&
	       (strcmp(why, "build-list") == 0 ||
		   strcmp(why, "cuda-first") == 0);
}

/* With PTX the card asked for would run, or a board in service for clearly
 * less than what is planned, or any at all. */
static bool
asks_ptx(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;
	const struct fit *now =
	    k->vd->planned ? k->vd->planned : k->vd->smallest;

	if (rt->ships == SHIPS_ENGINE_FILES || rt->ptx_known)
		return false;
	for (int i = 0; i < k->vd->n_fits; i++) {
		const struct fit *f = &k->vd->fits[i];
		int class = service_class(k->d, f->gpu);

		if (!only_too_new(f))
			continue;
		if (f == k->vd->judged || !now)
			return true;
		if (class < service_class(k->d, now->gpu) ||
		    (class == service_class(k->d, now->gpu) &&
			clearly_smaller(k->d, f, now)))
			return true;
	}
	return false;
}

static bool
asks_precision(const struct asker *k)
{
	return k->v->runtime.precision_pos.line == 0;
}

/* No driver is named, and others stand on the same site or nothing else says
 * which chips it must know. */
static bool
asks_driver(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	if (rt->ecosystem && strcmp(rt->ecosystem, "cuda") != 0)
		return false;
	if (rt->driver.known || (!k->vd->planned && !k->vd->smallest))
		return false;
	return k->d->p->n_vendors > 1 || !rt->cuda.known;
}

/* A driver is named that others are too new for, and nobody says that it is
 * the only one. */
static bool
asks_driver_newer(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	if (!rt->driver.known || rt->driver_fixed.known || !k->vd->planned)
		return false;
	for (int i = 0; i < k->d->p->n_vendors; i++) {
		struct fact cuda = k->d->p->vendors[i].runtime.cuda;

		if (&k->d->p->vendors[i] != k->v && cuda.known &&
		    rt->driver.value < driver_for_cuda(cuda.value))
			return true;
	}
	return false;
}

static bool
asks_fps(const struct asker *k)
{
	return change_of(k, "fps") != NULL;
}

/* Another maker's card fails here for its software. */
static bool
asks_domestic(const struct asker *k)
{
	return nvidia_only(k->vd) ||
	       (k->d->p->policy.domestic_only && !k->vd->smallest);
}

/* The stated driver is too old for the stated CUDA release. */
static bool
asks_driver_cuda(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	return rt->driver.known && rt->cuda.known &&
	       rt->driver.value < driver_for_cuda(rt->cuda.value);
}

/* The stated CUDA release cannot build for a capability on the list. */
static bool
asks_build_cuda(const struct asker *k)
{
	const struct runtime *rt = &k->v->runtime;

	for (int i = 0; i < rt->n_built_for && rt->cuda.known; i++)
		for (int j = 0; j < k->d->cat->n_archs; j++) {
			const struct arch *ar = &k->d->cat->archs[j];

			if (ar->cc == rt->built_for[i] &&
			    ar->cuda_first.known &&
			    ar->cuda_first.value > rt->cuda.value)
				return true;
		}
	return false;
}

static bool
asks_production(const struct asker *k)
{
	const struct fit *buy =
	    k->vd->planned ? k->vd->planned : k->vd->smallest;
	const struct fit *seen[] = {buy, k->vd->judged};

	/* Of a card that does not serve nobody needs to know. */
	for (int i = 0; i < 2; i++)
		if (seen[i] && seen[i]->state != STATE_FAIL &&
		    seen[i]->gates[GATE_SUPPLY].state == STATE_ASK)
			return true;
	return false;
}

/* What a question is about, against what decides the need. */
enum topic {
	TOPIC_OTHER,
	TOPIC_SOFTWARE,
	TOPIC_TIME,
	TOPIC_DEADLINE,
	TOPIC_LOAD,
	TOPIC_DECODE,
	TOPIC_MEMORY
};

/* In order of weight, where nothing else decides: software and time can exclude
 * a card, most of the others change a number.  `change` is the change whose
 * gain an answer could bring. */
static const struct {
	const char *id;
	bool (*asks)(const struct asker *k);
	enum topic topic;
	const char *change, *other;
} questions[] = {
    {"driver-cuda", asks_driver_cuda, TOPIC_SOFTWARE, NULL, NULL},
    {"build-cuda", asks_build_cuda, TOPIC_SOFTWARE, NULL, NULL},
    {"software-version", asks_newer, TOPIC_SOFTWARE, "cuda", NULL},
    {"cuda-version", asks_cuda, TOPIC_SOFTWARE, NULL, NULL},
    {"engine-files", asks_engine_files, TOPIC_SOFTWARE, NULL, NULL},
    {"time-per-run", asks_time, TOPIC_TIME, NULL, NULL},
    {"model", asks_model, TOPIC_TIME, NULL, NULL},
    {"deadline-firm", asks_firm, TOPIC_DEADLINE, "deadline", NULL},
    {"lighter-network", asks_lighter, TOPIC_DEADLINE, "model", NULL},
    {"precision-lower", asks_lower, TOPIC_DEADLINE, "precision", NULL},
    {"split", asks_split, TOPIC_DEADLINE, "split", NULL},
    {"substream", asks_substream, TOPIC_DECODE, "substream", "codec"},
    {"codec", asks_codec, TOPIC_DECODE, NULL, NULL},
    {"batching", asks_batching, TOPIC_LOAD, "batch", NULL},
    {"processes", asks_processes, TOPIC_LOAD, NULL, NULL},
    {"batch", asks_batch, TOPIC_LOAD, NULL, NULL},
    {"objects", asks_objects, TOPIC_LOAD, NULL, NULL},
    {"memory-variant", asks_variant, TOPIC_OTHER, NULL, NULL},
    {"count", asks_count, TOPIC_OTHER, NULL, NULL},
    {"largest-image", asks_image, TOPIC_MEMORY, "tiling", NULL},
    {"precision", asks_precision, TOPIC_LOAD, NULL, NULL},
    {"fps-needed", asks_fps, TOPIC_LOAD, "fps", NULL},
    {"deadline", asks_deadline, TOPIC_DEADLINE, NULL, NULL},
    {"ptx", asks_ptx, TOPIC_SOFTWARE, NULL, NULL},
    {"driver-newer", asks_driver_newer, TOPIC_OTHER, NULL, NULL},
    {"driver", asks_driver, TOPIC_OTHER, NULL, NULL},
    {"production", asks_production, TOPIC_OTHER, NULL, NULL},
    {"domestic-version", asks_domestic, TOPIC_OTHER, NULL, NULL},
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

/* ---- ranks */

/* The topic of what decides the vendor's need. */
static bool
decides(const struct asker *k, enum topic t)
{
	const char *by = binding_id(k->vd);

	switch (t) {
	case TOPIC_SOFTWARE: return strcmp(by, "software") == 0;
	case TOPIC_TIME: /* without a time nothing is decided */
		return k->vd->judged
			   ? !k->vd->judged->sized
			   : k->vd->smallest && !k->vd->smallest->sized;
	case TOPIC_DEADLINE: return strcmp(by, "deadline") == 0;
	case TOPIC_DECODE: return strcmp(by, "decode") == 0;
	case TOPIC_MEMORY: return strcmp(by, "memory") == 0;
	case TOPIC_LOAD:
		return strcmp(by, "compute") == 0 ||
		       strcmp(by, "bandwidth") == 0 ||
		       strcmp(by, "launch") == 0 || strcmp(by, "host") == 0;
	case TOPIC_OTHER: break;
	}
	return false;
}

/* A gate asks on a card in play, and this topic would answer it. */
static bool
answers(const struct asker *k, enum topic t)
{
	const struct fit *seen[] = {k->vd->judged, k->vd->smallest,
	    k->vd->planned};
	static const struct {
		enum topic topic;
		enum gate gate;
	} of[] = {
	    {TOPIC_SOFTWARE, GATE_SOFTWARE},
	    {TOPIC_TIME, GATE_FIGURE},
	    {TOPIC_DECODE, GATE_DECODE},
	    {TOPIC_MEMORY, GATE_MEMORY},
	    {TOPIC_DEADLINE, GATE_DEADLINE},
	};

	for (int i = 0; i < 3; i++)
		for (size_t j = 0; seen[i] && j < sizeof(of) / sizeof(*of); j++)
			if (of[j].topic == t &&
			    seen[i]->gates[of[j].gate].state == STATE_ASK)
				return true;
	return false;
}

/* A question with its place in the order. */
struct ranked {
	struct question q;
	int rank, row;
	double worth; /* cards it saves; infinite: it turns the verdict */
};

/* The answer turns the verdict or the plan whatever is gained. */
static bool
turns(const struct asker *k, int i)
{
	bool (*asks)(const struct asker *) = questions[i].asks;

	if (asks == asks_domestic)
		return !k->vd->smallest && k->d->p->policy.domestic_only;
	return asks == asks_driver_cuda || asks == asks_build_cuda ||
	       (asks == asks_firm &&
		   (planned_may_be_late(k) || only_late(k->vd->judged))) ||
	       answers(k, questions[i].topic);
}

static double
cards_saved(const struct asker *k, const struct change *c)
{
	const struct fit *now =
	    k->vd->planned ? k->vd->planned : sizing_fit(k->vd);

	if (!c || !c->fit)
		return 0;
	if (!now || strcmp(c->saves, "serves") == 0)
		return INFINITY;
	return now->sized && c->fit->sized ? now->cards - c->fit->cards : 0;
}

/* 0: about what decides, and may turn it; 1: may turn it; 2: the rest; 3:
 * beyond what was asked for. */
static int
question_rank(const struct asker *k, int i, const struct question *q)
{
	if (questions[i].asks == asks_domestic && !q->flips)
		return 3;
	if (!q->flips)
		return 2;
	return decides(k, questions[i].topic) ||
		       questions[i].asks == asks_domestic
		   ? 0
		   : 1;
}

static struct ranked
rank_question(const struct asker *k, int i)
{
	struct ranked r = {.row = i};
	const struct change *c = NULL;
	bool turned = turns(k, i);

	if (questions[i].change)
		c = change_of(k, questions[i].change);
	if (!c && questions[i].other)
		c = change_of(k, questions[i].other);
	r.q = (struct question){questions[i].id, c,
	    c != NULL || turned || questions[i].asks == asks_firm};
	r.rank = question_rank(k, i, &r.q);
	r.worth = turned ? INFINITY : cards_saved(k, c);
	return r;
}

static int
by_rank(const void *pa, const void *pb)
{
	const struct ranked *x = pa, *y = pb;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->worth != y->worth)
		return x->worth > y->worth ? -1 : 1;
	return x->row - y->row;
}

static void
ask_in_order(const struct asker *k, struct vendor_decision *vd)
{
	struct ranked all[N_QUESTIONS];
	int n = 0;

	for (int i = 0; i < N_QUESTIONS; i++)
		if (questions[i].asks(k))
			all[n++] = rank_question(k, i);
	qsort(all, n, sizeof(*all), by_rank);
	vd->questions =
	    arena_alloc(k->d->a, N_QUESTIONS, sizeof(*vd->questions));
	vd->n_questions = n;
	for (int i = 0; i < n; i++)
		vd->questions[i] = all[i].q;
}

void
questions_ask(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd)
{
	struct asker k = {d, dm, vd, vd->vendor};

	ask_in_order(&k, vd);
	vd->assumptions = arena_alloc(d->a, N_ASSUMPTIONS, sizeof(char *));
	for (int i = 0; i < N_ASSUMPTIONS; i++)
		if (assumptions[i].holds(&k))
			vd->assumptions[vd->n_assumptions++] =
			    assumptions[i].id;
}
