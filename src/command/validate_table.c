/*
 * What the folds leave, quantity by quantity, beside what is wanted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/validate.h"
#include "model/residual.h"
#include "model/score.h"

enum pick { PICK_MANY, PICK_ONE, PICK_TENSORRT, PICK_TRAINING };

static bool
is_picked(const struct sample *s, enum pick pick)
{
	if (s->training || pick == PICK_TRAINING)
		return s->training && pick == PICK_TRAINING;
	switch (pick) {
	case PICK_ONE: return s->batch == 1;
	case PICK_MANY: return s->batch <= 0 || s->batch >= 8;
	default: return s->engine == ENGINE_TENSORRT;
	}
}

/*
 * Errors
 */

struct wanted {
	const char *what;
	enum validate_fold fold;
	enum pick pick;
	double median, p90; /* percent; p90 0: not asked for */
};

static const struct wanted errors[] = {
    {"batch >= 8: new GPU, network never measured", FOLD_GPU_ONLY, PICK_MANY,
	15, 45},
    {"batch >= 8: new GPU, network measured elsewhere", FOLD_GPU, PICK_MANY, 12,
	35},
    {"batch >= 8: new network", FOLD_NETWORK, PICK_MANY, 15, 45},
    {"batch >= 8: new family of networks", FOLD_FAMILY, PICK_MANY, 15, 45},
    {"batch >= 8: new source", FOLD_SOURCE, PICK_MANY, 0, 0},
    {"batch 1: new GPU", FOLD_GPU_ONLY, PICK_ONE, 25, 0},
    {"batch 1: new GPU, network measured elsewhere", FOLD_GPU, PICK_ONE, 25, 0},
    {"batch 1: new network", FOLD_NETWORK, PICK_ONE, 25, 0},
    {"TensorRT: new GPU", FOLD_GPU_ONLY, PICK_TENSORRT, 25, 0},
    {"TensorRT: new GPU, network measured elsewhere", FOLD_GPU, PICK_TENSORRT,
	25, 0},
    {"TensorRT: new network", FOLD_NETWORK, PICK_TENSORRT, 25, 0},
    {"training: new GPU", FOLD_GPU_ONLY, PICK_TRAINING, 20, 0},
    {"training: new GPU, network measured elsewhere", FOLD_GPU, PICK_TRAINING,
	20, 0},
    {"training: new network", FOLD_NETWORK, PICK_TRAINING, 20, 0},
};

static void
print_line(const char *what, int n, double median, double p90, double want,
    double want_p90)
{
	bool met =
	    100 * median <= want && (want_p90 == 0 || 100 * p90 <= want_p90);

	printf("%-48s %6d %6.1f%% %6.1f%%", what, n, 100 * median, 100 * p90);
	if (want > 0 && want_p90 > 0)
		printf("   %3.0f / %2.0f  %s", want, want_p90,
		    met ? "met" : "not met");
	else if (want > 0)
		printf("   %3.0f       %s", want, met ? "met" : "not met");
}

static void
print_errors(const struct validation *v, const struct wanted *w)
{
	struct scored *rows = NULL;
	struct score s;
	int n = 0;

	for (int i = 0; i < v->samples->n; i++) {
		double rate = v->fold[w->fold][i];
		struct scored *r;

		if (rate <= 0 || !is_picked(&v->samples->s[i], w->pick))
			continue;
		r = arena_push(v->a, &rows, &n, sizeof(*r));
		*r = (struct scored){v->samples->s[i].measured, rate, 0, 0};
	}
	s = score_rows(v->a, rows, n);
	print_line(w->what, n, s.median, s.p90, w->median, w->p90);
	putchar('\n');
}

/*
 * Pairs of cards
 */

/* `busy`: only works on which no card waits for launches or its host. */
static struct scored_card *
pair_rows(const struct validation *v, enum pick pick, const char *source,
    bool busy, int *n)
{
	struct scored_card *rows = NULL;

	*n = 0;
	for (int i = 0; i < v->n_pairs; i++) {
		const struct fold_pair *p = &v->pairs[i];
		const struct sample *s = &v->samples->s[p->sample];
		struct scored_card *r;

		if (!is_picked(s, pick) ||
		    (source && !str_equal(source, s->source)) ||
		    (busy && p->overhead))
			continue;
		r = arena_push(v->a, &rows, n, sizeof(*r));
		*r =
		    (struct scored_card){arena_printf(v->a,
					     "%d\n%s\n%s\n%d\n%s\n%s\n%s\n%d",
					     p->fold, s->network_name, s->input,
					     s->batch, s->precision_name,
					     s->runtime_name, s->source,
					     s->training),
			s->gpu_id, {s->measured, p->rate, 0, 0}, p->known};
	}
	return rows;
}

static void
print_pairs(const struct validation *v, enum pick pick, bool busy,
    const char *what, double want, double want_p90)
{
	int n;
	struct scored_card *rows = pair_rows(v, pick, NULL, busy, &n);
	struct pair_score p = score_pairs(v->a, rows, n);

	print_line(what, p.n, p.median, p.p90, want, want_p90);
	printf("   order %.1f%% of %d\n", 100 * p.right, p.ordered);
}

static void
print_carried(const struct validation *v, enum pick pick, const char *what,
    double want, double want_p90)
{
	int n;
	struct scored_card *rows = pair_rows(v, pick, NULL, false, &n);
	struct score s = score_carried(v->a, rows, n);

	print_line(what, s.n, s.median, s.p90, want, want_p90);
	putchar('\n');
}

/* Which publishers the pairs of the first line come from. */
static void
print_pair_sources(const struct validation *v)
{
	const char **seen = NULL;
	int n_seen = 0;

	for (int i = 0; i < v->n_pairs; i++) {
		const char *source = v->samples->s[v->pairs[i].sample].source;
		const char **at;
		struct scored_card *rows;
		struct pair_score p;
		int j = 0, n;

		while (j < n_seen && !str_equal(seen[j], source))
			j++;
		if (j < n_seen)
			continue;
		at = arena_push(v->a, &seen, &n_seen, sizeof(*at));
		*at = source;
		rows = pair_rows(v, PICK_MANY, source, false, &n);
		p = score_pairs(v->a, rows, n);
		if (p.n >= 10)
			printf("  %-46s %6d %6.1f%% %6.1f%%             order "
			       "%.1f%% of %d\n",
			    source, p.n, 100 * p.median, 100 * p.p90,
			    100 * p.right, p.ordered);
	}
}

/*
 * Bands: those of a row's class without the rows of its fold
 */

struct covered {
	const char *class;
	int n, in;
	double *factors;
	int n_factors;
};

static void
count_row(const struct validation *v, struct covered **c, int *n,
    const char *class, bool in, double factor)
{
	int i = 0;
	double *f;

	while (i < *n && !str_equal((*c)[i].class, class))
		i++;
	if (i == *n)
		((struct covered *)arena_push(v->a, c, n, sizeof(**c)))->class =
		    class;
	(*c)[i].n++;
	(*c)[i].in += in;
	f = arena_push(v->a, &(*c)[i].factors, &(*c)[i].n_factors, sizeof(*f));
	*f = factor;
}

static void
count_fold(const struct validation *v, int fold, struct covered **c, int *n)
{
	static const char *const batches[] = {"batch 1", "batch 2-7",
	    "batch >= 8"};
	static const char *const known[KNOW_N] = {"GPU and network new",
	    "GPU new", "network new", "both seen, not together"};
	struct arena *a = arena_new();
	struct residuals r = {0};

	r.bands = bands_fit(a, v->band_rows, v->n_band_rows, fold, &r.n_bands);
	for (int i = 0; i < v->n_band_rows; i++) {
		const struct band_row *b = &v->band_rows[i];
		double f;
		bool in;

		if (b->fold != fold)
			continue;
		f = residual_band(&r, b->know, b->run, b->batch_class, b->tier);
		in = f <= 0 || b->off <= log(f);
		count_row(v, c, n, "all", in, f);
		count_row(v, c, n, known[b->know], in, f);
		count_row(v, c, n, batches[b->batch_class], in, f);
		count_row(v, c, n,
		    b->tier == TIER_LAYERS ? "from layers" : "from totals", in,
		    f);
		count_row(v, c, n, b->run, in, f);
	}
	arena_free(a);
}

static void
print_bands(const struct validation *v)
{
	struct covered *c = NULL;
	bool *done = NULL;
	int n = 0, most = 0;

	for (int i = 0; i < v->n_band_rows; i++)
		most =
		    v->band_rows[i].fold > most ? v->band_rows[i].fold : most;
	done = arena_alloc(v->a, (size_t)most + 1, sizeof(*done));
	for (int i = 0; i < v->n_band_rows; i++) {
		int fold = v->band_rows[i].fold;

		if (!done[fold])
			count_fold(v, fold, &c, &n);
		done[fold] = true;
	}
	printf("\n%-48s %6s %8s %20s\n", "90 % band (wanted: 88-92 % inside)",
	    "n", "inside", "half-width, median");
	for (int i = 0; i < n; i++) {
		sort_values(c[i].factors, c[i].n_factors);
		printf("%-48s %6d %7.1f%% %12s%.2f\n", c[i].class, c[i].n,
		    100.0 * c[i].in / c[i].n, "x/÷ ",
		    quantile(c[i].factors, c[i].n_factors, 0.5));
	}
}

void
validation_table(const struct validation *v)
{
	printf(
	    "Each row predicted by a fit that had not seen its chip, network "
	    "or source; NVIDIA cards.\n\n");
	printf("%-48s %6s %7s %7s   wanted\n", "error of the time of one image",
	    "n", "median", "p90");
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		print_errors(v, &errors[i]);
	printf("\n%-48s %6s %7s %7s   wanted\n",
	    "two GPUs, one of them new, on the same work", "n", "median",
	    "p90");
	print_pairs(v, PICK_MANY, false,
	    "ratio, batch >= 8 (order wanted: 97 %)", 10, 30);
	print_pair_sources(v);
	print_pairs(v, PICK_MANY, true, "  the device decides on both", 10, 30);
	print_pairs(v, PICK_ONE, false, "ratio, batch 1", 15, 0);
	print_pairs(v, PICK_TRAINING, false, "ratio, training", 0, 0);
	print_carried(v, PICK_MANY,
	    "carried from the other's figure, batch >= 8", 10, 22);
	print_carried(v, PICK_ONE, "carried from the other's figure, batch 1",
	    0, 0);
	print_bands(v);
}
