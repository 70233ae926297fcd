#include "model/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/score.h"

/* How a class is split: by less and less; and the rows it must have. */
enum level { BY_TIER, BY_BATCH, BY_RUN, BY_KNOWLEDGE, LEVELS };
static const int least_rows[LEVELS] = {40, 30, 20, 1};
static const double share = 0.90;

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

static struct band_cell
cell_of(const struct sorted *s, int n, enum level level)
{
	int rank = (int)ceil((n + 1) * share);
	const struct band_row *r = s->row;

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
