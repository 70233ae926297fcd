/*
 * Leave out a chip or a group of networks, fit the rest, predict what was
 * left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/validate.h"
#include "model/layer_fit.h"
#include "model/score.h"

/* Networks are left out in as many groups, by their names. */
enum { NETWORK_GROUPS = 16, ROUNDS = 16, FOLD_ROUNDS = 8 };

struct fold_row {
	struct fit_row fit;
	int sample;
	const char *chip, *stratum; /* publisher, chip and batch class */
	const char *work;           /* what repeats have in common */
	unsigned network;
};

struct folds {
	struct validation *v;
	struct fold_row *rows;
	int n;
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

static void
collect(struct folds *f)
{
	struct arena *a = f->v->a;

	for (int i = 0; i < f->v->samples->n; i++) {
		const struct sample *s = &f->v->samples->s[i];
		const struct kernels *ks;
		struct layer_run run;
		struct fold_row *r;

		if (f->v->predictions[i].status != SAMPLE_OK || !is_fitted(s) ||
		    !predict_kernels(f->v->predictor, s, &ks, &run))
			continue;
		r = arena_push(a, &f->rows, &f->n, sizeof(*r));
		r->sample = i;
		r->fit = (struct fit_row){.ks = ks,
		    .run = run,
		    .gpu = s->gpu,
		    .batch = predict_batch(f->v->constants, s, ks, run),
		    .weight = 1};
		r->fit.batch_s = r->fit.batch / s->measured;
		r->chip = sample_chip(a, s->gpu);
		r->network = hash(s->layers->id) % NETWORK_GROUPS;
		r->stratum = arena_printf(a, "%s %s %d",
		    publisher(a, s->source), r->chip, band_class(r->fit.batch));
		r->work = arena_printf(a, "%s %s %s %d %d %d %s %s", s->gpu_id,
		    s->layers->id, s->input, s->batch, s->precision, s->engine,
		    s->runtime_name, publisher(a, s->source));
	}
}

/*
 * Repeats share the weight of one row; many rows of one publisher, chip and
 * batch class weigh as the root of their number.
 */
static void
weigh(struct folds *f)
{
	for (int i = 0; i < f->n; i++) {
		int same = 0, stratum = 0;

		for (int j = 0; j < f->n; j++) {
			same += str_equal(f->rows[i].work, f->rows[j].work);
			stratum +=
			    str_equal(f->rows[i].stratum, f->rows[j].stratum);
		}
		f->rows[i].fit.weight = 1.0 / same / sqrt((double)stratum / 4);
	}
}

/* Predict the rows of a fold with constants that never saw them. */
static void
predict_fold(struct folds *f, const bool *out,
    const struct layer_calibration *fitted)
{
	struct layer_calibration kept = *f->v->constants;

	*f->v->constants = *fitted;
	for (int i = 0; i < f->n; i++)
		if (out[i])
			f->v->predictions[f->rows[i].sample] =
			    predict_layers(f->v->predictor,
				&f->v->samples->s[f->rows[i].sample]);
	*f->v->constants = kept;
}

static void
fit_without(struct folds *f, const bool *out, const char *name,
    const struct layer_calibration *start)
{
	struct arena *a = arena_new();
	struct fit_row *rows = arena_alloc(a, (size_t)f->n, sizeof(*rows));
	struct layer_calibration c = *start;
	double cost[2];
	int n = 0;

	for (int i = 0; i < f->n; i++)
		if (!out[i])
			rows[n++] = f->rows[i].fit;
	layer_fit(a, &c, rows, n, FOLD_ROUNDS, cost);
	fprintf(stderr, "without %-14s %5d rows, cost %.1f to %.1f\n", name, n,
	    cost[0], cost[1]);
	predict_fold(f, out, &c);
	arena_free(a);
}

/* Every chip or group of networks in turn. */
static void
leave_out(struct folds *f, bool networks)
{
	bool *out = arena_alloc(f->v->a, (size_t)f->n, sizeof(*out));
	bool *done = arena_alloc(f->v->a, (size_t)f->n, sizeof(*done));

	for (int i = 0; i < f->n; i++) {
		const struct fold_row *r = &f->rows[i];

		if (done[i])
			continue;
		for (int j = 0; j < f->n; j++) {
			out[j] = networks ? f->rows[j].network == r->network
					  : str_equal(f->rows[j].chip, r->chip);
			done[j] |= out[j];
		}
		fit_without(f, out,
		    networks ? arena_printf(f->v->a, "group %u", r->network)
			     : r->chip,
		    f->v->constants);
	}
}

static void
print_constants(struct layer_calibration *c)
{
	int n;
	const struct layer_constant *k = layer_constants(&n);

	for (int i = 0; i < n; i++)
		if (k[i].fitted)
			printf("%s|%s|%.4g%s\n", k[i].name,
			    k[i].key ? k[i].key : "",
			    *layer_constant_in(c, &k[i]) *
				(k[i].unit == UNIT_SECOND ? 1e6 : 1),
			    k[i].unit == UNIT_SECOND ? " us" : "");
}

static void
fit_all(struct folds *f)
{
	struct fit_row *rows =
	    arena_alloc(f->v->a, (size_t)f->n + 1, sizeof(*rows));
	double cost[2];

	for (int i = 0; i < f->n; i++)
		rows[i] = f->rows[i].fit;
	layer_fit(f->v->a, f->v->constants, rows, f->n, ROUNDS, cost);
	printf("%d rows, cost %.1f to %.1f\n", f->n, cost[0], cost[1]);
	print_constants(f->v->constants);
	for (int i = 0; i < f->n; i++)
		f->v->predictions[f->rows[i].sample] =
		    predict_layers(f->v->predictor,
			&f->v->samples->s[f->rows[i].sample]);
}

void
validation_folds(struct validation *v, const char *folds)
{
	struct folds f = {.v = v};

	collect(&f);
	weigh(&f);
	if (str_equal(folds, "all"))
		fit_all(&f);
	else
		leave_out(&f, str_equal(folds, "network"));
}
