#include "model/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Measured gaps below this say nothing about which card is faster. */
static const double least_gap = 0.03;

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
sort_values(double *v, int n)
{
	if (n > 1)
		qsort(v, (size_t)n, sizeof(*v), by_value);
}

double
quantile(const double *sorted, int n, double q)
{
	double at = q * (n - 1);
	int i = (int)at;

	if (n <= 0)
		return 0;
	if (i >= n - 1)
		return sorted[n - 1];
	return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

struct score
score_rows(struct arena *a, const struct scored *rows, int n)
{
	struct score s = {.n = n};
	double *error, *bias;

	if (n <= 0)
		return s;
	error = arena_alloc(a, (size_t)n, sizeof(*error));
	bias = arena_alloc(a, (size_t)n, sizeof(*bias));
	for (int i = 0; i < n; i++) {
		const struct scored *r = &rows[i];

		bias[i] = r->measured / r->predicted;
		error[i] = fabs(bias[i] - 1);
		s.within10 += error[i] <= 0.10;
		s.within25 += error[i] <= 0.25;
		s.covered += r->low <= r->measured && r->measured <= r->high;
	}
	s.within10 /= n;
	s.within25 /= n;
	s.covered /= n;
	sort_values(error, n);
	sort_values(bias, n);
	s.median = quantile(error, n, 0.5);
	s.p90 = quantile(error, n, 0.9);
	s.bias = quantile(bias, n, 0.5);
	return s;
}

/*
 * Pairs
 */

static int
by_work(const void *a, const void *b)
{
	const struct scored_card *x = a, *y = b;
	int c = strcmp(x->work, y->work);

	return c ? c : strcmp(x->card, y->card);
}

static bool
same_card(const struct scored_card *x, const struct scored_card *y)
{
	return by_work(x, y) == 0;
}

/* The medians of rows of one card on one work. */
static struct scored
joined(struct arena *a, const struct scored_card *rows, int n)
{
	double *m = arena_alloc(a, (size_t)n, sizeof(*m));
	double *p = arena_alloc(a, (size_t)n, sizeof(*p));

	for (int i = 0; i < n; i++) {
		m[i] = rows[i].s.measured;
		p[i] = rows[i].s.predicted;
	}
	sort_values(m, n);
	sort_values(p, n);
	return (struct scored){quantile(m, n, 0.5), quantile(p, n, 0.5), 0, 0};
}

/* One row a card and work, in place; how many are left. */
static int
join_rows(struct arena *a, struct scored_card *rows, int n)
{
	int kept = 0;

	for (int i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && same_card(&rows[i], &rows[j]);)
			j++;
		rows[kept] = (struct scored_card){rows[i].work, rows[i].card,
		    joined(a, rows + i, j - i), rows[i].known};
		kept++;
	}
	return kept;
}

static void
add_pair(struct arena *a, struct pair_score *s, double **errors,
    const struct scored *x, const struct scored *y)
{
	double measured = x->measured / y->measured;
	double by = x->predicted / y->predicted / measured;
	double *e = arena_push(a, errors, &s->n, sizeof(*e));

	*e = fmax(by, 1 / by) - 1;
	if (fmax(measured, 1 / measured) - 1 <= least_gap)
		return;
	s->ordered++;
	s->right += (measured > 1) == (measured * by > 1);
}

/* Sorted by work, one row a card. */
static struct scored_card *
one_a_card(struct arena *a, const struct scored_card *rows, int *n)
{
	struct scored_card *r = arena_alloc(a, (size_t)*n + 1, sizeof(*r));

	if (*n > 0)
		memcpy(r, rows, (size_t)*n * sizeof(*r));
	qsort(r, (size_t)*n, sizeof(*r), by_work);
	*n = join_rows(a, r, *n);
	return r;
}

struct pair_score
score_pairs(struct arena *a, const struct scored_card *rows, int n)
{
	struct pair_score s = {0};
	struct scored_card *r = one_a_card(a, rows, &n);
	double *errors = NULL;

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n && strcmp(r[i].work, r[j].work) == 0;
		     j++)
			if (!r[i].known || !r[j].known)
				add_pair(a, &s, &errors, &r[i].s, &r[j].s);
	sort_values(errors, s.n);
	s.median = quantile(errors, s.n, 0.5);
	s.p90 = quantile(errors, s.n, 0.9);
	if (s.ordered > 0)
		s.right /= s.ordered;
	return s;
}

struct score
score_carried(struct arena *a, const struct scored_card *rows, int n)
{
	struct scored_card *r = one_a_card(a, rows, &n);
	struct scored *carried = NULL;
	int m = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			struct scored *c;

			if (i == j || r[i].known ||
			    strcmp(r[i].work, r[j].work) != 0)
				continue;
			c = arena_push(a, &carried, &m, sizeof(*c));
			*c = r[i].s;
			c->predicted = r[j].s.measured * r[i].s.predicted /
				       r[j].s.predicted;
		}
	return score_rows(a, carried, m);
}
