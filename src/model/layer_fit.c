#include "model/layer_fit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

enum { MAX_PARAMS = 64 };

/* Errors of this size (in logarithms) count half as much. */
static const double error_scale = 0.25;
/* How far a constant may wander, and what that weighs against the rows. */
static const double prior_width = 0.5, prior_weight = 1;

struct layer_fit {
	struct layer_calibration at; /* where `jacobian` holds */
	const struct fit_row *rows;
	int n;
	const struct layer_constant *param[MAX_PARAMS];
	int p;
	double start[MAX_PARAMS];
	struct arena *a;
	double *residual, *jacobian; /* n; n x p */
};

/* Does the constant belong to another runtime than the row's? */
static bool
is_foreign(const struct layer_constant *k, const struct layer_run *run)
{
	enum layer_runtime r = run->runtime;

	if (str_equal(k->name, "train"))
		return !run->training;
	if (str_equal(k->name, "engine-matrix"))
		return r != RUN_TENSORRT && r != RUN_TUNED;
	if (str_equal(k->name, "paddle-half"))
		return r != RUN_PADDLE;
	if (str_equal(k->name, "compiled-memory"))
		return r != RUN_COMPILED;
	if (str_equal(k->name, "copy-rate"))
		return run->copied_bytes <= 0;
	if (!k->key || str_equal(k->name, "depthwise"))
		return false;
	for (int i = 0; i < RUN_N; i++)
		if (str_equal(k->key, layer_runtime_id((enum layer_runtime)i)))
			return i != (int)r;
	return false;
}

static double
residual(const struct layer_calibration *c, const struct fit_row *r)
{
	struct layer_time t = layer_time(c, r->ks, r->run, r->gpu, r->batch);

	return t.why ? 0 : log(t.batch_s / r->batch_s);
}

static void
set(struct layer_calibration *c, const struct layer_constant *k, double log_v)
{
	*layer_constant_in(c, k) = fmin(k->max, fmax(k->min, exp(log_v)));
}

static double
value(struct layer_calibration *c, const struct layer_constant *k)
{
	return log(fmax(*layer_constant_in(c, k), 1e-9));
}

/* Cauchy, so that outliers of the data do not rule. */
static double
row_cost(const struct fit_row *r, double e)
{
	double x = e / error_scale;

	return r->weight * log1p(x * x);
}

static double
prior_cost(const struct layer_fit *f, struct layer_calibration *c)
{
	double sum = 0;

	for (int j = 0; j < f->p; j++) {
		double d = (value(c, f->param[j]) - f->start[j]) / prior_width;

		sum += prior_weight * d * d;
	}
	return sum;
}

/* Residuals of all rows and the cost. */
static double
measure(struct layer_fit *f, struct layer_calibration *c)
{
	double sum = prior_cost(f, c);

	for (int i = 0; i < f->n; i++) {
		f->residual[i] = residual(c, &f->rows[i]);
		sum += row_cost(&f->rows[i], f->residual[i]);
	}
	return sum;
}

static void
differentiate(struct layer_fit *f, const struct layer_calibration *c)
{
	const double step = 0.02;

	for (int j = 0; j < f->p; j++) {
		struct layer_calibration moved = *c;
		double v = value(&moved, f->param[j]), up;

		/* away from the bound */
		up = exp(v + step) <= f->param[j]->max ? step : -step;
		set(&moved, f->param[j], v + up);
		for (int i = 0; i < f->n; i++)
			f->jacobian[(size_t)i * (size_t)f->p + (size_t)j] =
			    is_foreign(f->param[j], &f->rows[i].run)
				? 0
				: (residual(&moved, &f->rows[i]) -
				      f->residual[i]) /
				      up;
	}
}

/* Solve the symmetric system m x = b in place of b; false if not positive. */
static bool
solve(double m[MAX_PARAMS][MAX_PARAMS], double *b, int n)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++) {
			double s = m[i][j];

			for (int k = 0; k < j; k++)
				s -= m[i][k] * m[j][k];
			if (i == j && s <= 0)
				return false;
			m[i][j] = i == j ? sqrt(s) : s / m[j][j];
		}
	}
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < i; k++)
			b[i] -= m[i][k] * b[k];
		b[i] /= m[i][i];
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int k = i + 1; k < n; k++)
			b[i] -= m[k][i] * b[k];
		b[i] /= m[i][i];
	}
	return true;
}

/*
 * One step at the damping from the logarithms `at` of the constants, where
 * the rows not `out` leave the residuals `e`; false if the system cannot be
 * solved.
 */
static bool
find_step(const struct layer_fit *f, const double *at, const double *e,
    const bool *out, double damping, double *b)
{
	double m[MAX_PARAMS][MAX_PARAMS] = {{0}};
	double prior = prior_weight / (prior_width * prior_width);

	memset(b, 0, MAX_PARAMS * sizeof(*b));
	for (int i = 0; i < f->n; i++) {
		const double *g = f->jacobian + (size_t)i * (size_t)f->p;
		double x = e[i] / error_scale;
		double w = f->rows[i].weight /
			   (error_scale * error_scale * (1 + x * x));

		for (int j = 0; !(out && out[i]) && j < f->p; j++) {
			if (g[j] == 0)
				continue;
			b[j] -= w * g[j] * e[i];
			for (int k = 0; k <= j; k++)
				m[j][k] += w * g[j] * g[k];
		}
	}
	for (int j = 0; j < f->p; j++) {
		b[j] -= prior * (at[j] - f->start[j]);
		m[j][j] = (m[j][j] + prior) * (1 + damping);
	}
	return solve(m, b, f->p);
}

static bool
step(const struct layer_fit *f, struct layer_calibration *c, double damping)
{
	double at[MAX_PARAMS], b[MAX_PARAMS];

	for (int j = 0; j < f->p; j++)
		at[j] = value(c, f->param[j]);
	if (!find_step(f, at, f->residual, NULL, damping, b))
		return false;
	for (int j = 0; j < f->p; j++)
		set(c, f->param[j], at[j] + fmax(-0.4, fmin(0.4, b[j])));
	return true;
}

static void
fit_begin(struct layer_fit *f)
{
	struct layer_calibration prior;
	int n;
	const struct layer_constant *all = layer_constants(&n);

	for (int i = 0; i < n && f->p < MAX_PARAMS; i++) {
		if (!all[i].fitted)
			continue;
		f->param[f->p] = &all[i];
		*layer_constant_in(&prior, &all[i]) = all[i].prior;
		f->start[f->p++] = value(&prior, &all[i]);
	}
	f->residual = arena_alloc(f->a, (size_t)f->n + 1, sizeof(double));
	f->jacobian =
	    arena_alloc(f->a, (size_t)f->n * (size_t)f->p + 1, sizeof(double));
}

void
layer_fit(struct arena *a, struct layer_calibration *c,
    const struct fit_row *rows, int n, int rounds, double cost[2])
{
	struct layer_fit f = {.rows = rows, .n = n, .a = a};
	double now, damping = 0.01;

	fit_begin(&f);
	for (int j = 0; j < f.p; j++)
		*layer_constant_in(c, f.param[j]) = f.param[j]->prior;
	now = measure(&f, c);
	if (cost)
		cost[0] = now;
	for (int i = 0; i < rounds; i++) {
		double before = now;

		differentiate(&f, c);
		for (int tries = 0; tries < 4; tries++, damping *= 8) {
			struct layer_calibration next = *c;
			double then;

			if (!step(&f, &next, damping))
				continue;
			then = measure(&f, &next);
			if (then >= now)
				continue;
			*c = next;
			now = then;
			break;
		}
		measure(&f, c);
		damping = fmax(1e-3, damping / 4);
		if (before - now < 1e-4 * before)
			break;
	}
	if (cost)
		cost[1] = now;
}

struct layer_fit *
layer_fit_near(struct arena *a, const struct layer_calibration *at,
    const struct fit_row *rows, int n)
{
	struct layer_fit *f = arena_alloc(a, 1, sizeof(*f));

	*f = (struct layer_fit){.at = *at, .rows = rows, .n = n, .a = a};
	fit_begin(f);
	measure(f, &f->at);
	differentiate(f, &f->at);
	return f;
}

void
layer_fit_without(struct layer_fit *f, const bool *out,
    struct layer_calibration *c, double *residual)
{
	enum { STEPS = 12 };
	double *e = arena_alloc(f->a, (size_t)f->n + 1, sizeof(*e));
	double at[MAX_PARAMS], first[MAX_PARAMS], b[MAX_PARAMS];

	for (int j = 0; j < f->p; j++)
		at[j] = first[j] = value(&f->at, f->param[j]);
	for (int s = 0; s <= STEPS; s++) {
		for (int i = 0; i < f->n; i++) {
			const double *g =
			    f->jacobian + (size_t)i * (size_t)f->p;

			e[i] = f->residual[i];
			for (int j = 0; j < f->p; j++)
				e[i] += g[j] * (at[j] - first[j]);
		}
		if (s == STEPS || !find_step(f, at, e, out, 0.001, b))
			break;
		for (int j = 0; j < f->p; j++)
			at[j] = fmin(log(f->param[j]->max),
			    fmax(log(fmax(f->param[j]->min, 1e-9)),
				at[j] + fmax(-0.2, fmin(0.2, b[j]))));
	}
	*c = f->at;
	for (int j = 0; j < f->p; j++)
		set(c, f->param[j], at[j]);
	if (residual)
		memcpy(residual, e, (size_t)f->n * sizeof(*e));
}
