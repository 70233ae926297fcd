#include "model/effect.h"

#include <string.h>

#include "base/arena.h"

/* Weight of rows at which a level keeps half of its mean. */
static const double half_weight[EFFECT_N] = {
    [EFFECT_SOURCE] = 2,
    [EFFECT_CHIP] = 6,
    [EFFECT_CARD] = 6,
    [EFFECT_FAMILY] = 1,
    [EFFECT_NETWORK] = 2,
    [EFFECT_NETWORK_RUN] = 2,
};
/* A row off by this much counts half. */
static const double far_off = 0.3;

enum { SWEEPS = 12 };

static void
count_levels(struct effects *e, const struct effect_row *rows, int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < EFFECT_N; k++)
			if (rows[i].level[k] >= e->n[k])
				e->n[k] = rows[i].level[k] + 1;
}

double
effects_sum(const struct effects *e, const struct effect_row *row,
    unsigned kinds)
{
	double sum = 0;

	for (int k = 0; k < EFFECT_N; k++)
		if (kinds & 1u << k)
			sum += e->value[k][row->level[k]];
	return sum;
}

/* One kind anew, the others held. */
static void
sweep(struct effects *e, enum effect_kind kind, const struct effect_row *rows,
    int n, const bool *out, double *sum)
{
	size_t bytes = (size_t)e->n[kind] * sizeof(double);
	unsigned all = (1u << EFFECT_N) - 1;

	memset(sum, 0, bytes);
	memset(e->weight[kind], 0, bytes);
	for (int i = 0; i < n; i++) {
		int at = rows[i].level[kind];
		double rest, x, w;

		if (out && out[i])
			continue;
		rest = rows[i].left - effects_sum(e, &rows[i], all);
		x = rest / far_off;
		w = rows[i].weight / (1 + x * x);
		sum[at] += w * (rest + e->value[kind][at]);
		e->weight[kind][at] += w;
	}
	for (int l = 0; l < e->n[kind]; l++)
		e->value[kind][l] =
		    sum[l] / (e->weight[kind][l] + half_weight[kind]);
}

struct effects *
effects_fit(struct arena *a, const struct effect_row *rows, int n,
    const bool *out)
{
	struct effects *e = arena_alloc(a, 1, sizeof(*e));
	double *sum;
	int most = 1;

	count_levels(e, rows, n);
	for (int k = 0; k < EFFECT_N; k++) {
		size_t levels = (size_t)e->n[k] + 1;

		e->value[k] = arena_alloc(a, levels, sizeof(double));
		e->weight[k] = arena_alloc(a, levels, sizeof(double));
		e->rows[k] = arena_alloc(a, levels, sizeof(int));
		for (int i = 0; i < n; i++)
			e->rows[k][rows[i].level[k]] += !(out && out[i]);
		most = e->n[k] > most ? e->n[k] : most;
	}
	sum = arena_alloc(a, (size_t)most, sizeof(*sum));
	for (int s = 0; s < SWEEPS; s++)
		for (int k = 0; k < EFFECT_N; k++)
			sweep(e, (enum effect_kind)k, rows, n, out, sum);
	return e;
}
