#include "model/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/score.h"

/* How a class is split: by less and less; and the rows it must have. */
enum level { BY_TIER, BY_BATCH, BY_RUN, BY_KNOWLEDGE, LEVELS };
static const int least_rows[LEVELS] = {40, 30, 20, 1};
static const double share = 0.90, most_share = 0.98;
/* The rank rises until the other folds hold this share of the rows. */
static const double least_covered = 0.88;

struct sorted {
	const struct band_row *row;
	enum level level;
};

static int
compare(const struct band_row *x, const struct band_row *y, enum level level)
{
	int c = (int)x->know - (int)y->know;

	if (c == 0 && level < BY_KNOWLEDGE)
		c = strcmp(x->run, y->run);
	if (c == 0 && level < BY_RUN)
		c = x->batch_class - y->batch_class;
	if (c == 0 && level < BY_BATCH)
		c = (int)x->tier - (int)y->tier;
	return c;
}

static int
by_class(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int c = compare(x->row, y->row, x->level);

	if (c)
		return c;
	return (x->row->off > y->row->off) - (x->row->off < y->row->off);
}

/* The error of rank ceil((m + 1) share) of the m rows not in the fold. */
static double
rank_without(const struct sorted *s, int n, int fold, double part)
{
	int m = 0, rank, seen = 0;

	for (int i = 0; i < n; i++)
		m += s[i].row->fold != fold;
	rank = (int)ceil((m + 1) * part);
	rank = rank > m ? m : rank;
	for (int i = 0; i < n; i++)
		if (s[i].row->fold != fold && ++seen == rank)
			return s[i].row->off;
	return 0;
}

/* Share of the rows inside the bands that the other folds give them. */
static double
covered(const struct sorted *s, int n, double part)
{
	int in = 0;

	for (int i = 0; i < n; i++) {
		int fold = s[i].row->fold, first = 0;
		double off;

		while (s[first].row->fold != fold)
			first++;
		if (first < i) /* counted with the first of its fold */
			continue;
		off = rank_without(s, n, fold, part);
		for (int j = i; j < n; j++)
			in += s[j].row->fold == fold && s[j].row->off <= off;
	}
	return (double)in / n;
}

static struct band_cell
cell_of(const struct sorted *s, int n, enum level level)
{
	const struct band_row *r = s->row;
	double part = share;
	int rank;

	while (part < most_share && covered(s, n, part) < least_covered)
		part += 0.01;
	rank = (int)ceil((n + 1) * part);
	rank = rank > n ? n : rank;
	return (struct band_cell){.know = r->know,
	    .run = level < BY_KNOWLEDGE ? r->run : "",
	    .batch_class = level < BY_RUN ? r->batch_class : -1,
	    .tier = r->tier,
	    .any_tier = level > BY_TIER,
	    .factor = exp(s[rank - 1].row->off),
	    .rows = n};
}

struct band_cell *
bands_fit(struct arena *a, const struct band_row *rows, int n, int without,
    int *n_cells)
{
	struct sorted *s = arena_alloc(a, (size_t)n + 1, sizeof(*s));
	struct band_cell *cells = NULL;

	*n_cells = 0;
	for (int l = 0; l < LEVELS; l++) {
		int kept = 0;

		for (int i = 0; i < n; i++)
			if (rows[i].fold != without)
				s[kept++] =
				    (struct sorted){&rows[i], (enum level)l};
		qsort(s, (size_t)kept, sizeof(*s), by_class);
		for (int i = 0, j; i < kept; i = j) {
			struct band_cell *c;

			for (j = i + 1; j < kept && compare(s[i].row, s[j].row,
							(enum level)l) == 0;)
				j++;
			if (j - i < least_rows[l])
				continue;
			c = arena_push(a, &cells, n_cells, sizeof(*c));
			*c = cell_of(s + i, j - i, (enum level)l);
		}
	}
	return cells;
}
