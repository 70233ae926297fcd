/*
 * Nodes that hold graphs: If, Loop and Scan.  A loop is carried out turn by
 * turn, so that what grows in it grows here too.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

/* Where the list of operations stood. */
struct mark {
	int ops, tensors, counted, unknown;
	double int8, macs_unknown;
};

static struct mark
set_mark(const struct infer *x)
{
	return (struct mark){x->l->n_ops, x->l->n_tensors, x->n_counted,
	    x->net->n_unknown, x->net->macs_int8, x->net->macs_unknown};
}

/* Forget what was done since.  Arrays may shrink, then grow again. */
static void
go_back(struct infer *x, struct mark m)
{
	for (int i = m.counted; i < x->n_counted; i++)
		x->counted[i]->counted = false;
	x->n_counted = m.counted;
	x->l->n_ops = m.ops;
	x->l->n_tensors = m.tensors;
	x->net->n_unknown = m.unknown;
	x->net->macs_int8 = m.int8;
	x->net->macs_unknown = m.macs_unknown;
}

static double
macs_since(const struct infer *x, struct mark m)
{
	double macs = 0;

	for (int i = m.ops; i < x->l->n_ops; i++)
		macs += x->l->ops[i].macs;
	return macs;
}

static bool
run_branch(struct step *s, const struct graph *g)
{
	if (!onnx_run_graph(s->x, g, s, s->function))
		return false;
	for (int i = 0; i < s->n_out && i < g->n_out; i++)
		s->out[i] = s->x->vals[g->out[i]];
	s->done = true;
	return true;
}

/*
 * Try a branch that may not be the one: sizes that do not fit it are no
 * fault of the file.  Its MACs, or -1; nothing of it stays.
 */
static double
try_branch(struct step *s, const struct graph *g)
{
	struct infer *x = s->x;
	struct mark m = set_mark(x);
	int n = x->d->n, n_errors = x->d->n_errors;
	double macs = -1;

	if (run_branch(s, g)) {
		macs = macs_since(x, m);
	} else if (x->run <= ONNX_MAX_RUN) {
		x->failed = false;
		x->d->n = n;
		x->d->n_errors = n_errors;
	}
	go_back(x, m);
	return macs;
}

/* A test that hangs on the picture: the branch that costs more. */
bool
onnx_if(struct step *s)
{
	const struct graph *yes = onnx_body(s, "then_branch");
	const struct graph *no = onnx_body(s, "else_branch");
	const double *test;
	double macs;
	int n;

	if (!onnx_need(s, 0))
		return false;
	if (!yes || !no || yes->n_out < s->n_out || no->n_out < s->n_out)
		return onnx_fail(s, "onnx-shape", "a branch is missing");
	test = onnx_values(s, 0, &n);
	if (s->x->failed)
		return false;
	if (n > 0)
		return run_branch(s, test[0] != 0 ? yes : no);
	macs = try_branch(s, yes);
	if (s->x->failed)
		return false;
	if (macs > try_branch(s, no))
		return run_branch(s, yes);
	return !s->x->failed && run_branch(s, no);
}

/* One turn has a value for each: a constant number, or a part of a list. */
static void
set_number(struct infer *x, int value, enum elem_type type, double v)
{
	struct val *to = &x->vals[value];

	*to = (struct val){.known = true,
	    .type = type,
	    .constant = true,
	    .tensor = -1,
	    .n = 1,
	    .v = arena_alloc(x->a, 1, sizeof(double))};
	to->v[0] = v;
}

/* What each turn leaves behind, stacked along a new first axis. */
static bool
stack_outputs(struct step *s, const struct graph *g, int first, int from,
    double turns)
{
	for (int i = first; i < s->n_out; i++) {
		const struct val *v = &s->x->vals[g->out[from + i - first]];
		double dims[GRAPH_MAX_RANK + 1];

		dims[0] = turns;
		for (int j = 0; j < v->rank; j++)
			dims[j + 1] = v->dims[j];
		if (turns > 0 && v->known) {
			if (!onnx_out(s, i, v->type, dims, v->rank + 1))
				return false;
		} else if (!onnx_out(s, i, ELEM_FLOAT, dims, 1)) {
			return false;
		}
		s->out[i].tensor = v->known ? v->tensor : -1;
		s->out[i].constant = turns == 0;
	}
	return true;
}

/* The values a loop carries from turn to turn. */
static void
carry(struct infer *x, const struct graph *g, int in, int out, int n)
{
	struct val *held = arena_alloc(x->a, (size_t)n, sizeof(*held));

	for (int i = 0; i < n; i++)
		held[i] = x->vals[g->out[out + i]];
	for (int i = 0; i < n; i++)
		x->vals[g->in[in + i]] = held[i];
}

/* Turns of a loop, or -1 when only running it could tell. */
static double
loop_turns(struct step *s)
{
	int n;
	const double *most = onnx_values(s, 0, &n);

	return n > 0 && most[0] < 1e9 ? fmax(most[0], 0) : -1;
}

static void
list_once(struct step *s)
{
	struct onnx_net *net = s->x->net;

	if (net->n_once < ONNX_MAX_UNKNOWN)
		*(const char **)arena_push(s->x->a, &net->once, &net->n_once,
		    sizeof(char *)) = s->n->name;
}

/* Is the value at least known to be false? */
static bool
is_false(const struct val *v)
{
	return v && v->v && v->n > 0 && v->v[0] == 0;
}

static bool
is_open(const struct val *v)
{
	return v && !v->v;
}

static bool
run_turns(struct step *s, const struct graph *g, int carried, double *turns)
{
	struct infer *x = s->x;
	double most = loop_turns(s);
	double done = 0;

	if (x->failed)
		return false;
	while (most < 0 || done < most) {
		set_number(x, g->in[0], ELEM_INT64, done);
		if (done > 0)
			carry(x, g, 2, 1, carried);
		if (!onnx_run_graph(x, g, s, s->function))
			return false;
		done++;
		if (is_false(&x->vals[g->out[0]]))
			break;
		if (most < 0 && is_open(&x->vals[g->out[0]])) {
			list_once(s);
			break;
		}
		if (++x->run > ONNX_MAX_RUN)
			return onnx_fail(s, "onnx-limit",
			    "the loop runs more than %d nodes", ONNX_MAX_RUN);
	}
	*turns = done;
	return true;
}

bool
onnx_loop(struct step *s)
{
	const struct graph *g = onnx_body(s, "body");
	struct infer *x = s->x;
	int carried = s->n_in - 2;
	double turns = 0;

	if (!g || carried < 0 || g->n_in != carried + 2 ||
	    g->n_out < carried + 1 || s->n_out > g->n_out - 1)
		return onnx_fail(s, "onnx-shape",
		    "the body does not fit the loop");
	for (int i = 0; i < carried; i++)
		if (!onnx_need(s, i + 2))
			return false;
	set_number(x, g->in[1], ELEM_BOOL, 1);
	for (int i = 0; i < carried; i++)
		x->vals[g->in[i + 2]] = *s->in[i + 2];
	if (!is_false(onnx_in(s, 1)) && !run_turns(s, g, carried, &turns))
		return false;
	for (int i = 0; i < carried && i < s->n_out; i++)
		s->out[i] = turns > 0 ? x->vals[g->out[i + 1]] : *s->in[i + 2];
	s->done = true;
	return stack_outputs(s, g, carried, carried + 1, turns);
}

/* Element `turn` of a sequence: the axis goes. */
static bool
slice_sequence(struct step *s, const struct val *in, int axis, int to)
{
	struct val *v = &s->x->vals[to];

	*v = *in;
	v->rank--;
	for (int i = axis; i < v->rank; i++)
		v->dims[i] = in->dims[i + 1];
	v->v = NULL;
	v->n = 0;
	return true;
}

static bool
scan_turns(struct step *s, int states, int lists, double *turns)
{
	*turns = -1;
	for (int i = 0; i < lists; i++) {
		const struct val *in = onnx_need(s, states + i);
		int axis;

		if (!in ||
		    (axis = onnx_axis(s, onnx_ints(s, "scan_input_axes", i, 0),
			 in->rank)) < 0)
			return false;
		if (*turns >= 0 && in->dims[axis] != *turns)
			return onnx_fail(s, "onnx-shape",
			    "sequences of different length");
		*turns = in->dims[axis];
	}
	return true;
}

bool
onnx_scan(struct step *s)
{
	const struct graph *g = onnx_body(s, "body");
	double lists = onnx_int(s, "num_scan_inputs", 0), turns;
	struct infer *x = s->x;
	int states;

	if (!g || lists < 1 || lists > s->n_in || g->n_in != s->n_in ||
	    s->n_out > g->n_out || g->n_out < s->n_in - (int)lists)
		return onnx_fail(s, "onnx-shape",
		    "the body does not fit the scan");
	states = s->n_in - (int)lists;
	if (!scan_turns(s, states, (int)lists, &turns))
		return false;
	for (int i = 0; i < states; i++) {
		if (!onnx_need(s, i))
			return false;
		x->vals[g->in[i]] = *s->in[i];
	}
	for (double t = 0; t < turns; t++) {
		if (++x->run > ONNX_MAX_RUN)
			return onnx_fail(s, "onnx-limit",
			    "the scan runs more than %d nodes", ONNX_MAX_RUN);
		if (t > 0)
			carry(x, g, 0, 0, states);
		for (int i = 0; i < (int)lists; i++)
			slice_sequence(s, s->in[states + i],
			    onnx_axis(s, onnx_ints(s, "scan_input_axes", i, 0),
				s->in[states + i]->rank),
			    g->in[states + i]);
		if (!onnx_run_graph(x, g, s, s->function))
			return false;
	}
	for (int i = 0; i < states && i < s->n_out; i++)
		s->out[i] = turns > 0 ? x->vals[g->out[i]] : *s->in[i];
	s->done = true;
	return stack_outputs(s, g, states, states, turns);
}
