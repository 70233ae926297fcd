/*
 * How well predictions meet measurements.
 *
 * Errors are of the time of one image: |t predicted / t measured - 1|, so
 * a card predicted twice as slow is wrong by 100 %, twice as fast by 50 %.
 * Bias is the median of t predicted / t measured.
 */
#ifndef MODEL_SCORE_H
#define MODEL_SCORE_H

#include <stdbool.h>

struct arena;

/* One prediction beside what was measured, images per second. */
struct scored {
	double measured, predicted, low, high;
};

struct score {
	int n;
	double median, p90;        /* error, 0.15 = 15 % */
	double within10, within25; /* share of rows */
	double bias;
	double covered; /* share of rows inside low..high */
};
/* All zero for no rows. */
struct score score_rows(struct arena *a, const struct scored *rows, int n);

/*
 * Two cards on the same work.  `work` is equal exactly where network, input,
 * batch, precision, runtime and source are; `card` tells the cards apart.
 */
struct scored_card {
	const char *work, *card;
	struct scored s;
	bool known; /* pairs of two known cards are not scored */
};

struct pair_score {
	int n;
	double median, p90; /* max(p/m, m/p) - 1 of the ratio of the two */
	int ordered;        /* pairs measured more than 3 % apart */
	double right;       /* share of those with the faster one named */
};
/*
 * Every pair of cards in every work; several rows of one card on one work
 * count once, with their medians.
 */
struct pair_score
score_pairs(struct arena *a, const struct scored_card *rows, int n);

/*
 * The speed of a card carried over from what was measured of another on the
 * same work: measured x ratio of the predictions.  Every pair of cards, the
 * one carried to not known, the one carried from known where there is one.
 */
struct score
score_carried(struct arena *a, const struct scored_card *rows, int n);

/*
 * The value below which a share `q` of the sorted values lies, between
 * neighbours in proportion; 0 for none.
 */
double quantile(const double *sorted, int n, double q);
/* Sorts `v` in rising order. */
void sort_values(double *v, int n);

#endif
