/*
 * Leave out a chip, a group of networks, a family of networks or a source,
 * fit the rest, predict what was left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/validate.h"
#include "model/effect.h"
#include "model/band.h"
#include "model/layer_fit.h"
#include "model/residual.h"
#include "model/score.h"

/* Networks are left out in as many groups, by their names. */
enum { NETWORK_GROUPS = 16, CELL_GROUPS = 8, ROUNDS = 16 };

enum tag {
	TAG_CHIP,
	TAG_NETWORK_GROUP,
	TAG_FAMILY,
	TAG_PUBLISHER,
	TAG_CELL,
	TAG_STRATUM,
	TAG_WORK,
	TAG_PAIR,
	TAG_N
};

struct fold_row {
	int sample, tag[TAG_N];
	const char *run; /* residual_names.run */
	enum tier tier;
};

struct folds {
	struct validation *v;
	struct arena *a;
	int n;
	struct fold_row *rows;
	struct fit_row *fit;
	struct effect_row *effects;
	struct layer_fit *near;
	const char **names[TAG_N + EFFECT_N];
	int n_names[TAG_N + EFFECT_N];
};

static unsigned
hash(const char *s)
{
	unsigned h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

/* Rows that tell of the constants: NVIDIA cards, runtimes we know. */
static bool
is_fitted(const struct sample *s)
{
	return s->status == SAMPLE_OK && s->gpu->vendor == VENDOR_NVIDIA &&
	       s->gpu->segment != SEGMENT_EDGE && s->engine != ENGINE_OTHER;
}

static const char *
publisher(struct arena *a, const char *source)
{
	const char *v = strstr(source, "-v");

	return v ? arena_strndup(a, source, (size_t)(v - source)) : source;
}

/* A number for a name, the same for the same name. */
static int
number_of(struct folds *f, int kind, const char *name)
{
	const char **at;

	for (int i = 0; i < f->n_names[kind]; i++)
		if (str_equal(f->names[kind][i], name))
			return i;
	at = arena_push(f->a, &f->names[kind], &f->n_names[kind], sizeof(*at));
	*at = name;
	return f->n_names[kind] - 1;
}

static void
tag_row(struct folds *f, struct fold_row *r, struct effect_row *e,
    const struct fit_row *fit, const struct sample *s)
{
	struct arena *a = f->a;
	const char *net = predict_network(s), *who = publisher(a, s->source);
	struct residual_names n =
	    residual_names(a, net, s->gpu, fit->run, fit->batch);
	const char *chip = n.of[EFFECT_CHIP];
	const char *tags[TAG_N] = {chip,
	    arena_printf(a, "%u", hash(net) % NETWORK_GROUPS),
	    n.of[EFFECT_FAMILY], who,
	    arena_printf(a, "%u",
		hash(arena_printf(a, "%s %s", net, s->gpu->id)) % CELL_GROUPS),
	    arena_printf(a, "%s %s %d", who, chip, band_class(fit->batch)),
	    arena_printf(a, "%s %s %s %d %d %s %s", s->gpu_id, net, s->input,
		s->batch, s->precision, s->runtime_name, who),
	    arena_printf(a, "%s %s %d %s %s %s %d", s->network_name, s->input,
		s->batch, s->precision_name, s->runtime_name, s->source,
		s->training)};

	r->run = n.run;
	n.of[EFFECT_SOURCE] = arena_printf(a, "%s %s", who, n.run);
	for (int t = 0; t < TAG_N; t++)
		r->tag[t] = number_of(f, t, tags[t]);
	for (int k = 0; k < EFFECT_N; k++)
		e->level[k] = number_of(f, TAG_N + k,
		    residual_by_run((enum effect_kind)k)
			? arena_printf(a, "%s\n%s", n.of[k], n.run)
			: n.of[k]);
}

static void
collect(struct folds *f)
{
	size_t most = (size_t)f->v->samples->n + 1;

	f->rows = arena_alloc(f->a, most, sizeof(*f->rows));
	f->fit = arena_alloc(f->a, most, sizeof(*f->fit));
	f->effects = arena_alloc(f->a, most, sizeof(*f->effects));
	for (int i = 0; i < f->v->samples->n; i++) {
		const struct sample *s = &f->v->samples->s[i];
		struct fold_row *r = &f->rows[f->n];
		struct fit_row *fit = &f->fit[f->n];

		if (f->v->predictions[i].status != SAMPLE_OK || !is_fitted(s) ||
		    !predict_kernels(f->v->predictor, s, &fit->ks, &fit->run,
			&r->tier))
			continue;
		r->sample = i;
		fit->gpu = s->gpu;
		fit->batch =
		    predict_batch(f->v->constants, s, fit->ks, fit->run);
		fit->batch_s = fit->batch / s->measured;
		tag_row(f, r, &f->effects[f->n++], fit, s);
	}
}

/*
 * Repeats share the weight of one row; many rows of one publisher, chip and
 * batch class weigh as the root of their number; likenesses half.
 */
static void
weigh(struct folds *f)
{
	int *same = arena_alloc(f->a, (size_t)f->n + 1, sizeof(int));
	int *stratum = arena_alloc(f->a, (size_t)f->n + 1, sizeof(int));

	for (int i = 0; i < f->n; i++) {
		same[f->rows[i].tag[TAG_WORK]]++;
		stratum[f->rows[i].tag[TAG_STRATUM]]++;
	}
	for (int i = 0; i < f->n; i++) {
		const struct fold_row *r = &f->rows[i];

		f->fit[i].weight = 1.0 / same[r->tag[TAG_WORK]] /
				   sqrt(stratum[r->tag[TAG_STRATUM]] / 4.0) *
				   (r->tier == TIER_LAYERS ? 1 : 0.25);
		f->effects[i].weight = 1.0 / same[r->tag[TAG_WORK]];
	}
}

/* ln(predicted / measured) of a row. */
static double
error_of(const struct layer_calibration *c, const struct fit_row *r)
{
	struct layer_time t = layer_time(c, r->ks, r->run, r->gpu, r->batch);

	return t.why ? 0 : log(t.batch_s / r->batch_s);
}

enum {
	OF_CARD = 1 << EFFECT_CHIP | 1 << EFFECT_CARD,
	OF_FAMILY = 1 << EFFECT_FAMILY,
	OF_NETWORK = 1 << EFFECT_NETWORK | 1 << EFFECT_NETWORK_RUN
};

/* The rows left out and those on the same work, from the same constants. */
static void
add_pairs(struct folds *f, const bool *out, const struct layer_calibration *c,
    const struct effects *e, int fold)
{
	bool *wanted = arena_alloc(f->a, (size_t)f->n_names[TAG_PAIR] + 1,
	    sizeof(*wanted));

	for (int i = 0; i < f->n; i++)
		if (out[i])
			wanted[f->rows[i].tag[TAG_PAIR]] = true;
	for (int i = 0; i < f->n; i++) {
		struct fold_pair *p;
		struct layer_time t;

		if (!wanted[f->rows[i].tag[TAG_PAIR]])
			continue;
		t = layer_time(c, f->fit[i].ks, f->fit[i].run, f->fit[i].gpu,
		    f->fit[i].batch);
		p = arena_push(f->a, &f->v->pairs, &f->v->n_pairs, sizeof(*p));
		p->fold = fold;
		p->sample = f->rows[i].sample;
		p->known = !out[i];
		p->overhead = t.bound == LAYER_BOUND_LAUNCH ||
			      t.bound == LAYER_BOUND_HOST;
		p->rate =
		    f->v->samples->s[p->sample].measured /
		    exp(error_of(c, &f->fit[i]) +
			(out[i] ? 0 : effects_sum(e, &f->effects[i], OF_CARD)));
	}
}

/* A row left out, and what its error says of the band of its class. */
static void
note_row(struct folds *f, enum validate_fold kind, int i, double left,
    int number)
{
	static const enum knowledge know[FOLD_N] = {
	    [FOLD_GPU_ONLY] = KNOW_NOTHING,
	    [FOLD_GPU] = KNOW_NETWORK,
	    [FOLD_NETWORK] = KNOW_CARD,
	    [FOLD_CELL] = KNOW_BOTH,
	};
	const struct fold_row *r = &f->rows[i];
	struct validation *v = f->v;
	struct band_row *b;

	v->fold[kind][r->sample] =
	    v->samples->s[r->sample].measured / exp(left);
	if (kind == FOLD_FAMILY || kind == FOLD_SOURCE)
		return;
	b = arena_push(f->a, &v->band_rows, &v->n_band_rows, sizeof(*b));
	*b = (struct band_row){know[kind], r->run, band_class(f->fit[i].batch),
	    r->tier, number, fabs(left)};
}

static void
predict_without(struct folds *f, enum validate_fold kind, const bool *out,
    int number)
{
	static const unsigned masks[FOLD_N] = {
	    [FOLD_GPU_ONLY] = 0,
	    [FOLD_GPU] = OF_FAMILY | OF_NETWORK,
	    [FOLD_NETWORK] = OF_CARD | OF_FAMILY,
	    [FOLD_FAMILY] = OF_CARD,
	    [FOLD_SOURCE] = OF_CARD | OF_FAMILY | OF_NETWORK,
	    [FOLD_CELL] = OF_CARD | OF_FAMILY | OF_NETWORK,
	};
	struct arena *a = arena_new();
	double *left = arena_alloc(a, (size_t)f->n + 1, sizeof(*left));
	struct layer_calibration c;
	struct effects *e;

	layer_fit_without(f->near, out, &c, left);
	for (int i = 0; i < f->n; i++)
		f->effects[i].left = -left[i];
	e = effects_fit(a, f->effects, f->n, out);
	for (int i = 0; i < f->n; i++) {
		double by;

		if (!out[i])
			continue;
		by = error_of(&c, &f->fit[i]);
		note_row(f, kind, i,
		    by + effects_sum(e, &f->effects[i], masks[kind]), number);
		if (kind == FOLD_GPU)
			note_row(f, FOLD_GPU_ONLY, i, by, number);
	}
	if (kind == FOLD_GPU)
		add_pairs(f, out, &c, e, number);
	arena_free(a);
}

static void
leave_out(struct folds *f, enum validate_fold kind, enum tag tag)
{
	bool *out = arena_alloc(f->a, (size_t)f->n + 1, sizeof(*out));

	for (int t = 0; t < f->n_names[tag]; t++) {
		for (int i = 0; i < f->n; i++)
			out[i] = f->rows[i].tag[tag] == t;
		predict_without(f, kind, out, 1000 * (int)kind + t);
	}
}

/* Effects of all rows, as the file of residuals keeps them. */
static void
keep_effects(struct folds *f, const struct effects *e, struct residuals *r)
{
	/* smaller ones are not worth a line */
	const double least = 0.02;

	for (int k = EFFECT_SOURCE + 1; k < EFFECT_N; k++)
		for (int l = 0; l < f->n_names[TAG_N + k]; l++) {
			const char *name = f->names[TAG_N + k][l];
			const char *run = strchr(name, '\n');
			double v = e->value[k][l];
			struct residual *at;

			/* those that tell that there was a measurement stay */
			if (fabs(v) < least && k != EFFECT_NETWORK &&
			    k != EFFECT_CARD)
				continue;
			at = arena_push(f->a, &r->r, &r->n, sizeof(*at));
			at->kind = (enum effect_kind)k;
			at->name = run ? arena_strndup(f->a, name,
					     (size_t)(run - name))
				       : name;
			at->run = run ? run + 1 : "";
			at->factor = exp(v);
			at->rows = e->rows[k][l];
		}
}

static struct residuals *
settle(struct folds *f)
{
	struct residuals *r = arena_alloc(f->a, 1, sizeof(*r));

	for (int i = 0; i < f->n; i++)
		f->effects[i].left = -error_of(f->v->constants, &f->fit[i]);
	keep_effects(f, effects_fit(f->a, f->effects, f->n, NULL), r);
	r->bands = bands_fit(f->a, f->v->band_rows, f->v->n_band_rows, -1,
	    &r->n_bands);
	return r;
}

void
validation_folds(struct validation *v, bool refit)
{
	struct folds f = {.v = v, .a = v->a};
	double cost[2];

	collect(&f);
	weigh(&f);
	for (int k = 0; k < FOLD_N; k++)
		v->fold[k] = arena_alloc(v->a, (size_t)v->samples->n + 1,
		    sizeof(double));
	if (refit) {
		layer_fit(v->a, v->constants, f.fit, f.n, ROUNDS, cost);
		fprintf(stderr, "%d rows, cost %.1f to %.1f\n", f.n, cost[0],
		    cost[1]);
	}
	f.near = layer_fit_near(v->a, v->constants, f.fit, f.n);
	leave_out(&f, FOLD_GPU, TAG_CHIP);
	leave_out(&f, FOLD_NETWORK, TAG_NETWORK_GROUP);
	leave_out(&f, FOLD_FAMILY, TAG_FAMILY);
	leave_out(&f, FOLD_SOURCE, TAG_PUBLISHER);
	leave_out(&f, FOLD_CELL, TAG_CELL);
	v->fitted = settle(&f);
}
