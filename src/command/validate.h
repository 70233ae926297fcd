/*
 * The parts of `whygpu validate`.
 */
#ifndef COMMAND_VALIDATE_H
#define COMMAND_VALIDATE_H

#include "data/sample.h"
#include "model/band.h"
#include "model/predict.h"
#include "parse/csv_in.h"

struct arena;
struct options;

enum validate_model { MODEL_LAYERS, MODEL_TOTALS };

/* What the fit had not seen of a predicted row. */
enum validate_fold {
	FOLD_GPU_ONLY, /* the chip, and no measurement of the network used */
	FOLD_GPU,      /* the chip */
	FOLD_NETWORK,
	FOLD_FAMILY, /* of networks */
	FOLD_SOURCE,
	FOLD_CELL, /* this network on this card */
	FOLD_N
};

/* Rates of a card and of others on the same work, from one fit that had not
 * seen the chip of the former. */
struct fold_pair {
	int fold, sample;
	bool known;    /* the fit had seen it */
	bool overhead; /* launches or the host decide */
	double rate;
};

struct validation {
	struct arena *a;
	enum validate_model model;
	struct csv *table;
	struct samples *samples;
	struct predictor *predictor;
	struct layer_calibration *constants;
	struct prediction *predictions; /* one a sample; status of both */
	/* rates of rows left out, by sample; 0 for rows of no fold.  NULL
	 * without folds. */
	double *fold[FOLD_N];
	struct fold_pair *pairs;
	int n_pairs;
	struct band_row *band_rows; /* of all folds */
	int n_band_rows;
	struct residuals *fitted; /* what the rows leave; NULL without folds */
};

/* Error, bias, coverage; by groups; pairs of cards; what was left out. */
void validation_print(const struct validation *v, const char *by);
/* The value that a row is grouped by, or NULL for an unknown word. */
const char *validation_group(const struct validation *v, const char *by, int i);

/* Every row of the table with the predictions added. */
bool
validation_write(const struct validation *v, const char *path, struct diag *d);

/*
 * Leave out each chip, group of networks, family, source and cell in turn, fit
 * the rest, predict what was left out: v->fold, v->pairs, v->band_rows.  With
 * `refit` the constants are fitted to all rows first, from their priors.
 */
void validation_folds(struct validation *v, bool refit);
/* The quantities that are wanted, as the folds meet them. */
void validation_table(const struct validation *v);
/* Constants, residuals and bands to DIR/calibration/. */
bool validation_calibrate(const struct validation *v, const char *dir,
    struct diag *d);

#endif
