/*
 * A mixed-integer programme: the least sum of cost x column under linear
 * rows.  Built a column and a row at a time, solved with GLPK.
 *
 * The search is bounded by nodes of the branch-and-bound tree, never by
 * time, so the same programme gives the same answer on every machine.  GLPK
 * prints nothing, its memory is freed before milp_solve returns, and an
 * error inside it ends the program with status 70, as no memory does.
 */
#ifndef DECIDE_MILP_H
#define DECIDE_MILP_H

#include <stdbool.h>

struct arena;
struct milp;

struct milp *milp_new(struct arena *a);

/* A column between `low` and `high` (INFINITY: no limit); its number. */
int
milp_column(struct milp *m, double low, double high, bool integer, double cost);
/* A row between `low` and `high` (-INFINITY, INFINITY: no limit). */
int milp_row(struct milp *m, double low, double high);
/* coefficient x column in a row; at most one for each pair. */
void milp_put(struct milp *m, int row, int column, double coefficient);

enum milp_status {
	MILP_OPTIMAL,   /* x is the best, or as good within 1e-7 */
	MILP_FEASIBLE,  /* x keeps every row; the nodes ran out before proof */
	MILP_NONE,      /* proven: no x keeps every row */
	MILP_UNDECIDED, /* the nodes ran out before any x was found */
};

struct milp_answer {
	enum milp_status status;
	double *x;    /* by column; NULL unless optimal or feasible */
	double value; /* cost of x */
	double bound; /* no x costs less; INFINITY: there is none */
	int nodes;    /* of the tree, made */
};

/* The answer lives in the arena of the programme, which can be added to and
 * solved again. */
struct milp_answer milp_solve(struct milp *m, int max_nodes);

#endif
