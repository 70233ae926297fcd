/*
 * The parts of `whygpu validate`.
 */
#ifndef COMMAND_VALIDATE_H
#define COMMAND_VALIDATE_H

#include "data/sample.h"
#include "model/predict.h"
#include "parse/csv_in.h"

struct arena;
struct options;

enum validate_model { MODEL_LAYERS, MODEL_TOTALS };

struct validation {
	struct arena *a;
	enum validate_model model;
	struct csv *table;
	struct samples *samples;
	struct predictor *predictor;
	struct layer_calibration *constants;
	struct prediction *predictions; /* one a sample; status of both */
};

/* Error, bias, coverage; by groups; pairs of cards; what was left out. */
void validation_print(const struct validation *v, const char *by);
/* The value that a row is grouped by, or NULL for an unknown word. */
const char *validation_group(const struct validation *v, const char *by, int i);

/* Every row of the table with the predictions added. */
bool
validation_write(const struct validation *v, const char *path, struct diag *d);

/*
 * Fit the constants of the model from layers again, without the rows that
 * are then predicted: one chip ("gpu") or one group of networks ("network")
 * left out at a time.  With "all" on all rows, and print them.
 */
void validation_folds(struct validation *v, const char *folds);

#endif
