/*
 * What `whygpu validate` prints and writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/validate.h"
#include "model/score.h"

static struct scored
scored_of(const struct validation *v, int i)
{
	const struct prediction *p = &v->predictions[i];

	return (
	    struct scored){v->samples->s[i].measured, p->rate, p->low, p->high};
}

static const char *
batch_name(const struct sample *s)
{
	static const char *const names[] = {"1", "2-7", ">=8"};

	return s->batch <= 0 ? "not stated" : names[band_class(s->batch)];
}

const char *
validation_group(const struct validation *v, const char *by, int i)
{
	const struct sample *s = &v->samples->s[i];

	switch (by[0]) {
	case 'g': return s->gpu_id;
	case 'n': return s->network_name;
	case 's': return s->source;
	case 'b': return batch_name(s);
	case 'p': return s->precision_name;
	case 'c': return sample_chip(v->a, s->gpu);
	case 'r':
		return s->engine == ENGINE_PADDLE    ? "paddle"
		       : s->harness == HARNESS_TUNED ? "tensorrt (mlperf)"
						     : s->runtime_name;
	default: return NULL;
	}
}

/*
 * Scores
 */

static void
print_head(const char *what)
{
	printf("%-34s %6s %8s %8s %7s %7s %6s %8s\n", what, "n", "median",
	    "p90", "in 10%", "in 25%", "bias", "in band");
}

static void
print_score(const char *name, struct score s)
{
	if (s.n == 0)
		return;
	printf("%-34.34s %6d %7.1f%% %7.1f%% %6.0f%% %6.0f%% %6.2f %7.0f%%\n",
	    name, s.n, 100 * s.median, 100 * s.p90, 100 * s.within10,
	    100 * s.within25, s.bias, 100 * s.covered);
}

struct group_row {
	const char *group;
	struct scored s;
};

static int
by_group(const void *a, const void *b)
{
	return strcmp(((const struct group_row *)a)->group,
	    ((const struct group_row *)b)->group);
}

/* The scored rows, sorted by group. */
static struct group_row *
collect(const struct validation *v, const char *by, bool from_layers, int *n)
{
	struct group_row *rows = NULL;

	*n = 0;
	for (int i = 0; i < v->samples->n; i++) {
		struct group_row *r;

		if (v->predictions[i].status != SAMPLE_OK)
			continue;
		if (from_layers && v->predictions[i].tier != TIER_LAYERS)
			continue;
		r = arena_push(v->a, &rows, n, sizeof(*r));
		r->group = by ? validation_group(v, by, i) : "";
		r->s = scored_of(v, i);
	}
	if (*n)
		qsort(rows, (size_t)*n, sizeof(*rows), by_group);
	return rows;
}

static void
print_groups(const struct validation *v, const char *by, bool from_layers)
{
	int n;
	struct group_row *rows = collect(v, by, from_layers, &n);
	struct scored *s = arena_alloc(v->a, (size_t)n + 1, sizeof(*s));

	for (int i = 0; i < n; i++)
		s[i] = rows[i].s;
	for (int i = 0, j; i < n; i = j) {
		for (j = i + 1;
		     j < n && by && by_group(&rows[i], &rows[j]) == 0;)
			j++;
		if (!by)
			j = n;
		print_score(by ? rows[i].group : "all",
		    score_rows(v->a, s + i, j - i));
	}
}

/*
 * Pairs of cards
 */

static bool
in_class(const struct sample *s, int cls)
{
	int own = s->batch <= 0 ? 2 : band_class(s->batch);

	return cls < 0 || own == cls;
}

static struct pair_score
pairs_of(const struct validation *v, int cls)
{
	struct scored_card *rows = NULL;
	int n = 0;

	for (int i = 0; i < v->samples->n; i++) {
		const struct sample *s = &v->samples->s[i];
		struct scored_card *r;

		if (v->predictions[i].status != SAMPLE_OK || !in_class(s, cls))
			continue;
		r = arena_push(v->a, &rows, &n, sizeof(*r));
		r->work = arena_printf(v->a, "%s\n%s\n%d\n%s\n%s\n%s",
		    s->network_name, s->input, s->batch, s->precision_name,
		    s->runtime_name, s->source);
		r->card = s->gpu_id;
		r->s = scored_of(v, i);
	}
	return score_pairs(v->a, rows, n);
}

static void
print_pairs(const struct validation *v)
{
	static const char *const names[] = {"batch 1", "batch 2-7",
	    "batch >= 8 or not stated"};

	printf("\npairs of GPUs on the same work  %8s %8s %8s   faster one "
	       "named rightly\n",
	    "n", "median", "p90");
	for (int cls = 2; cls >= -1; cls--) {
		struct pair_score p = pairs_of(v, cls);

		if (p.n > 0)
			printf("%-31s %8d %7.1f%% %7.1f%%   %.1f%% of %d\n",
			    cls < 0 ? "all" : names[cls], p.n, 100 * p.median,
			    100 * p.p90, 100 * p.right, p.ordered);
	}
}

/*
 * What was left out
 */

struct tally {
	const char *name;
	int n;
};

static int
by_count(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	return x->n != y->n ? y->n - x->n : strcmp(x->name, y->name);
}

/* How often each name stands in rows of the status, most first. */
static void
print_names(const struct validation *v, enum sample_status status)
{
	struct tally *t = NULL;
	int n = 0;

	for (int i = 0; i < v->samples->n; i++) {
		const struct sample *s = &v->samples->s[i];
		const char *name = status == SAMPLE_CARD_UNKNOWN ||
					   status == SAMPLE_INTEGRATED ||
					   status == SAMPLE_PROCESSOR
				       ? s->gpu_id
				       : s->network_name;
		int j = 0;

		if (v->predictions[i].status != status)
			continue;
		while (j < n && !str_equal(t[j].name, name))
			j++;
		if (j == n) {
			arena_push(v->a, &t, &n, sizeof(*t));
			t[j].name = name;
		}
		t[j].n++;
	}
	if (n)
		qsort(t, (size_t)n, sizeof(*t), by_count);
	for (int i = 0; i < n; i++)
		printf("%s%s (%d)", i ? ", " : "    ", t[i].name, t[i].n);
	if (n)
		putchar('\n');
}

static void
print_left_out(const struct validation *v)
{
	int counts[SAMPLE_STATUS_N] = {0};

	for (int i = 0; i < v->samples->n; i++)
		counts[v->predictions[i].status]++;
	printf("\nnot scored: %d of %d rows\n",
	    v->samples->n - counts[SAMPLE_OK], v->samples->n);
	for (int k = SAMPLE_OK + 1; k < SAMPLE_STATUS_N; k++) {
		if (counts[k] == 0)
			continue;
		printf("  %-22s %6d\n", sample_status_id((enum sample_status)k),
		    counts[k]);
		if (k >= SAMPLE_CARD_UNKNOWN)
			print_names(v, (enum sample_status)k);
	}
}

void
validation_print(const struct validation *v, const char *by)
{
	printf("model: from %s; errors of the time of one image; bias above 1: "
	       "predicted too slow\n\n",
	    v->model == MODEL_TOTALS ? "totals"
				     : "layers where there is a list, else "
				       "from totals");
	print_head("all rows");
	print_groups(v, NULL, false);
	printf("\n");
	print_head(by);
	print_groups(v, by, false);
	if (v->model == MODEL_LAYERS) {
		printf("\n");
		print_head("from layers only");
		print_groups(v, NULL, true);
		print_groups(v, by, true);
	}
	print_pairs(v);
	print_left_out(v);
}

/*
 * Rows
 */

/* "layers", "layers+card", "layers+network+card": what it rests on. */
static const char *
tier_text(const struct validation *v, const struct prediction *p)
{
	bool network = p->know == KNOW_NETWORK || p->know == KNOW_BOTH;
	bool card = p->know == KNOW_CARD || p->know == KNOW_BOTH;

	return arena_printf(v->a, "%s%s%s", tier_id(p->tier),
	    network ? "+network" : "", card ? "+card" : "");
}

static void
add_row(struct str *s, const struct validation *v, int i)
{
	const struct prediction *p = &v->predictions[i];
	const struct sample *m = &v->samples->s[i];
	const struct csv_row *row = &v->table->rows[m->row];

	for (int c = 0; c < v->table->n_columns; c++) {
		csv_add(s, row->cells[c]);
		str_addc(s, ',');
	}
	if (p->rate > 0)
		str_addf(s, "%.6g,%.6g,%.6g,%s,", p->rate * m->devices,
		    p->low * m->devices, p->high * m->devices, tier_text(v, p));
	else
		str_add(s, ",,,,");
	str_addf(s, "%s\n", sample_status_id(p->status));
}

bool
validation_write(const struct validation *v, const char *path, struct diag *d)
{
	const char *slash = strrchr(path, '/');
	const char *dir =
	    slash ? arena_strndup(v->a, path, (size_t)(slash - path) + 1) : ".";
	struct fs_set *set = fs_set_begin(v->a, dir, d);
	struct str s;

	if (!set)
		return false;
	str_init(&s, v->a);
	for (int c = 0; c < v->table->n_columns; c++) {
		csv_add(&s, v->table->names[c]);
		str_addc(&s, ',');
	}
	str_add(&s, "predicted_img_s,low_img_s,high_img_s,tier,status\n");
	for (int i = 0; i < v->samples->n; i++)
		add_row(&s, v, i);
	if (fs_set_write(set, slash ? slash + 1 : path, s.s, s.len, d))
		return fs_set_commit(set, d);
	fs_set_abort(set);
	return false;
}
