#include "decide/milp.h"

#include <assert.h>
#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

struct column {
	double low, high, cost;
	bool integer;
};

struct row {
	double low, high;
};

struct entry {
	int row, column;
	double v;
};

struct milp {
	struct arena *a;
	struct column *columns;
	struct row *rows;
	struct entry *entries;
	int n_columns, n_rows, n_entries;
};

struct milp *
milp_new(struct arena *a)
{
	struct milp *m = arena_alloc(a, 1, sizeof(*m));

	m->a = a;
	return m;
}

int
milp_column(struct milp *m, double low, double high, bool integer, double cost)
{
	struct column *c =
	    arena_push(m->a, &m->columns, &m->n_columns, sizeof(*c));

	assert(low <= high && isfinite(cost));
	*c = (struct column){low, high, cost, integer};
	return m->n_columns - 1;
}

int
milp_row(struct milp *m, double low, double high)
{
	struct row *r = arena_push(m->a, &m->rows, &m->n_rows, sizeof(*r));

	assert(low <= high);
	*r = (struct row){low, high};
	return m->n_rows - 1;
}

void
milp_put(struct milp *m, int row, int column, double coefficient)
{
	assert(row >= 0 && row < m->n_rows);
	assert(column >= 0 && column < m->n_columns);
	assert(isfinite(coefficient));
	if (coefficient == 0)
		return;
	*(struct entry *)arena_push(m->a, &m->entries, &m->n_entries,
	    sizeof(struct entry)) = (struct entry){row, column, coefficient};
}

/* GLPK calls abort() after this if it returns. */
static void
solver_failed(void *info)
{
	(void)info;
	fputs("whygpu: internal error: the solver of the purchase plan "
	      "failed\n",
	    stderr);
	exit(70);
}

static int
bounds_of(double low, double high)
{
	if (low == high)
		return GLP_FX;
	if (isfinite(low))
		return isfinite(high) ? GLP_DB : GLP_LO;
	return isfinite(high) ? GLP_UP : GLP_FR;
}

static void
load_matrix(const struct milp *m, glp_prob *p)
{
	int *row = arena_alloc(m->a, m->n_entries + 1, sizeof(*row));
	int *column = arena_alloc(m->a, m->n_entries + 1, sizeof(*column));
	double *v = arena_alloc(m->a, m->n_entries + 1, sizeof(*v));

	for (int i = 0; i < m->n_entries; i++) {
		row[i + 1] = m->entries[i].row + 1;
		column[i + 1] = m->entries[i].column + 1;
		v[i + 1] = m->entries[i].v;
	}
	glp_load_matrix(p, m->n_entries, row, column, v);
}

static glp_prob *
problem_of(const struct milp *m)
{
	glp_prob *p = glp_create_prob();

	glp_set_obj_dir(p, GLP_MIN);
	glp_add_cols(p, m->n_columns);
	for (int i = 0; i < m->n_columns; i++) {
		const struct column *c = &m->columns[i];

		glp_set_col_kind(p, i + 1, c->integer ? GLP_IV : GLP_CV);
		glp_set_col_bnds(p, i + 1, bounds_of(c->low, c->high), c->low,
		    c->high);
		glp_set_obj_coef(p, i + 1, c->cost);
	}
	if (m->n_rows > 0)
		glp_add_rows(p, m->n_rows);
	for (int i = 0; i < m->n_rows; i++)
		glp_set_row_bnds(p, i + 1,
		    bounds_of(m->rows[i].low, m->rows[i].high), m->rows[i].low,
		    m->rows[i].high);
	load_matrix(m, p);
	return p;
}

/* What the search asks between two nodes, and leaves when it must stop. */
struct watch {
	int max_nodes, nodes;
	bool stopped;
	double bound;
};

static void
watch_nodes(glp_tree *t, void *info)
{
	struct watch *w = info;
	int best;

	if (glp_ios_reason(t) != GLP_ISELECT)
		return;
	glp_ios_tree_size(t, NULL, NULL, &w->nodes);
	if (w->nodes < w->max_nodes)
		return;
	best = glp_ios_best_node(t);
	if (best == 0)
		return;
	w->bound = glp_ios_node_bound(t, best);
	w->stopped = true;
	glp_ios_terminate(t);
}

static void
take_columns(const struct milp *m, glp_prob *p, struct milp_answer *r)
{
	r->x = arena_alloc(m->a, m->n_columns + 1, sizeof(*r->x));
	for (int i = 0; i < m->n_columns; i++) {
		double v = glp_mip_col_val(p, i + 1);

		r->x[i] = m->columns[i].integer ? round(v) : v;
	}
	r->value = glp_mip_obj_val(p);
}

/* The tree, once the relaxation is solved. */
static void
search_tree(const struct milp *m, glp_prob *p, int max_nodes,
    struct milp_answer *r)
{
	struct watch w = {.max_nodes = max_nodes};
	glp_iocp how;
	int status;

	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.mir_cuts = GLP_ON;
	how.cb_func = watch_nodes;
	how.cb_info = &w;
	glp_intopt(p, &how);
	status = glp_mip_status(p);
	r->nodes = w.nodes;
	if (status == GLP_OPT || status == GLP_FEAS)
		take_columns(m, p, r);
	if (status == GLP_OPT) {
		r->status = MILP_OPTIMAL;
		r->bound = r->value;
	} else if (w.stopped) {
		r->status = r->x ? MILP_FEASIBLE : MILP_UNDECIDED;
		r->bound = fmax(r->bound, w.bound);
	} else if (status == GLP_NOFEAS) {
		r->status = MILP_NONE;
		r->bound = INFINITY;
	} else {
		r->status = r->x ? MILP_FEASIBLE : MILP_UNDECIDED;
	}
}

static void
solve(const struct milp *m, glp_prob *p, int max_nodes, struct milp_answer *r)
{
	glp_smcp how;
	int status;

	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	glp_adv_basis(p, 0);
	glp_simplex(p, &how);
	status = glp_get_status(p);
	if (status == GLP_NOFEAS) {
		r->status = MILP_NONE;
		r->bound = INFINITY;
	} else if (status == GLP_OPT) {
		r->bound = glp_get_obj_val(p);
		search_tree(m, p, max_nodes, r);
	}
}

struct milp_answer
milp_solve(struct milp *m, int max_nodes)
{
	struct milp_answer r = {.status = MILP_UNDECIDED, .bound = -INFINITY};
	glp_prob *p;

	assert(m->n_columns > 0 && max_nodes > 0);
	glp_error_hook(solver_failed, NULL);
	glp_term_out(GLP_OFF);
	p = problem_of(m);
	solve(m, p, max_nodes, &r);
	glp_delete_prob(p);
	glp_free_env();
	return r;
}
