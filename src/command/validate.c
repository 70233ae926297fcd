#include "command/validate.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"
#include "input/input.h"
#include "input/layer_calibration_in.h"
#include "input/layers_in.h"
#include "input/measurements_in.h"
#include "input/residual_in.h"

/*
 * validate FILE.csv    predict published measurements and score the result
 */

static void
predict_all(struct validation *v)
{
	for (int i = 0; i < v->samples->n; i++) {
		struct sample *s = &v->samples->s[i];
		struct prediction *p = &v->predictions[i];

		/* no card, no network, or nothing that the model is about */
		if ((v->model == MODEL_TOTALS && s->training) || !s->gpu ||
		    s->gpu->segment == SEGMENT_CPU || s->in_w <= 0 ||
		    (!s->network && !s->layers)) {
			p->status = s->status;
			continue;
		}
		*p = v->model == MODEL_TOTALS ? predict_totals(v->predictor, s)
					      : predict_layers(v->predictor, s);
		if (s->status != SAMPLE_OK)
			p->status = s->status;
	}
}

static bool
read_all(struct validation *v, const struct options *o, struct diag *d)
{
	struct arena *a = v->a;
	struct catalog *c = catalog_read_all(a, o->catalogs, o->n_catalogs, d);
	struct calibration *cal = calibration_read(a, o->catalog, d);
	struct layer_book *book = layers_read(a, o->catalogs, o->n_catalogs, d);
	struct residuals *left = residuals_read(a, o->catalog, d);

	v->constants = layer_calibration_read(a, o->catalog, d);
	if (!c || !cal || !book || !v->constants || !left || d->n_errors)
		return false;
	v->samples =
	    measurements_read(a, o->args[0], o->catalog, c, book, &v->table, d);
	if (!v->samples)
		return false;
	v->predictor = predictor_new(a, cal, v->constants, book);
	predictor_residuals(v->predictor, left);
	v->predictions =
	    arena_alloc(a, (size_t)v->samples->n, sizeof(*v->predictions));
	return true;
}

static bool
validate(struct validation *v, const struct options *o, struct diag *d)
{
	if (!read_all(v, o, d))
		return false;
	predict_all(v);
	if (o->folds || o->calibrate) {
		validation_folds(v, o->calibrate);
		validation_table(v);
	} else
		validation_print(v, o->by ? o->by : "batch");
	if (o->calibrate && !validation_calibrate(v, o->catalog, d))
		return false;
	return !o->rows || validation_write(v, o->rows, d);
}

/* The words of options; false after printing what is wrong. */
static bool
read_words(const struct options *o, struct validation *v)
{
	static const char *const groups[] = {"gpu", "network", "source",
	    "batch", "runtime", "precision", "chip"};
	bool by = !o->by;

	for (int i = 0; i < 7; i++)
		by |= str_equal(o->by, groups[i]);
	v->model = str_equal(o->model, "totals") ? MODEL_TOTALS : MODEL_LAYERS;
	if (by && (!o->model || str_equal(o->model, "totals") ||
		      str_equal(o->model, "layers")))
		return true;
	fputs("whygpu: validate takes --by gpu|network|source|batch|runtime|"
	      "precision|chip, --model layers|totals\n",
	    stderr);
	return false;
}

int
command_validate(const struct options *o)
{
	struct validation v = {0};
	struct diag d;
	bool ok;

	if (!read_words(o, &v))
		return EXIT_USAGE;
	v.a = arena_new();
	diag_init(&d, v.a);
	ok = validate(&v, o, &d);
	diag_print(&d, stderr);
	arena_free(v.a);
	return ok && d.n_errors == 0 ? EXIT_FINE : EXIT_INPUT;
}
