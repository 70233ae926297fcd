/*
 * The engine: values, one node after the other, the layers they become.
 */
#include "model/onnx_shape.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

#define MAX_SIDE 2147483647.0

bool
onnx_is(const struct step *s, const char *op)
{
	return str_equal(s->n->op, op);
}

static const char *
shape_text(struct arena *a, const struct val *v)
{
	struct str out;

	str_init(&out, a);
	for (int i = 0; i < v->rank; i++)
		str_addf(&out, "%s%.0f", i ? "x" : "", v->dims[i]);
	return v->rank ? out.s : "scalar";
}

bool
onnx_fail(struct step *s, const char *id, const char *fmt, ...)
{
	struct infer *x = s->x;
	struct str in;
	va_list ap;

	if (x->failed)
		return false;
	x->failed = true;
	va_start(ap, fmt);
	diag_error(x->d, pos_file(x->m->src), id, "%s '%s': %s", s->n->op,
	    s->n->name, arena_vprintf(x->a, fmt, ap));
	va_end(ap);
	str_init(&in, x->a);
	for (int i = 0; i < s->n_in && i < 4; i++)
		if (s->in[i])
			str_addf(&in, "%s'%s' %s", in.len ? ", " : "",
			    x->m->names[s->n->in[i]],
			    shape_text(x->a, s->in[i]));
	if (in.len)
		diag_note(x->d, "it reads %s", in.s);
	return false;
}

bool
onnx_fail_file(struct infer *x, const char *id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_error(x->d, pos_file(x->m->src), id, "%s",
	    arena_vprintf(x->a, fmt, ap));
	va_end(ap);
	x->failed = true;
	return false;
}

/*
 * Attributes.
 */

const struct graph_attr *
onnx_attr(const struct step *s, const char *name)
{
	const struct graph_attr *at = graph_attr(s->n, name), *given;
	const struct step *call = s->caller;

	if (!at || !at->caller)
		return at;
	/* a body inside a function has the function's caller */
	while (call && call->function == s->function)
		call = call->caller;
	given = call ? onnx_attr(call, at->caller) : NULL;
	if (given)
		return given;
	for (int i = 0; s->function && i < s->function->n_presets; i++)
		if (str_equal(s->function->presets[i].name, at->caller))
			return &s->function->presets[i];
	return NULL;
}

double
onnx_int(const struct step *s, const char *name, double preset)
{
	const struct graph_attr *at = onnx_attr(s, name);

	return at && at->has_int ? (double)at->i : preset;
}

const char *
onnx_text(const struct step *s, const char *name, const char *preset)
{
	const struct graph_attr *at = onnx_attr(s, name);

	return at && at->s ? at->s : preset;
}

double
onnx_ints(const struct step *s, const char *name, int i, double preset)
{
	const struct graph_attr *at = onnx_attr(s, name);

	return at && i < at->n_ints ? (double)at->ints[i] : preset;
}

int
onnx_ints_count(const struct step *s, const char *name)
{
	const struct graph_attr *at = onnx_attr(s, name);

	return at ? at->n_ints : 0;
}

const struct graph *
onnx_body(const struct step *s, const char *name)
{
	const struct graph_attr *at = onnx_attr(s, name);

	return at ? at->g : NULL;
}

/*
 * Inputs.
 */

const struct val *
onnx_in(const struct step *s, int i)
{
	return i < s->n_in ? s->in[i] : NULL;
}

const struct val *
onnx_need(struct step *s, int i)
{
	const struct val *v = onnx_in(s, i);

	if (!v)
		onnx_fail(s, "onnx-shape", "input %d is missing", i + 1);
	return v;
}

const double *
onnx_values(struct step *s, int i, int *n)
{
	const struct val *v = onnx_in(s, i);

	*n = 0;
	if (!v)
		return NULL;
	if (v->file) {
		onnx_fail(s, "onnx-external",
		    "a shape depends on '%s', which "
		    "is in the side file '%s'",
		    s->x->m->names[s->n->in[i]], v->file);
		diag_note(s->x->d, "export the model with its small tensors "
				   "inside");
		return NULL;
	}
	*n = v->v ? v->n : -1;
	return v->v;
}

const double *
onnx_list(struct step *s, int i, const char *attr, int *n)
{
	const struct graph_attr *at = onnx_attr(s, attr);
	double *list;

	if (onnx_in(s, i))
		return onnx_values(s, i, n);
	*n = at ? at->n_ints : 0;
	if (*n == 0)
		return NULL;
	list = arena_alloc(s->x->a, (size_t)*n, sizeof(double));
	for (int j = 0; j < *n; j++)
		list[j] = (double)at->ints[j];
	return list;
}

double
val_elems(const struct val *v)
{
	double n = 1;

	for (int i = 0; i < v->rank; i++)
		n *= v->dims[i];
	return n;
}

int
onnx_axis(struct step *s, double at, int rank)
{
	if (at < 0)
		at += rank;
	if (at >= 0 && at < rank)
		return (int)at;
	onnx_fail(s, "onnx-shape", "there is no axis %.0f in %d dimensions", at,
	    rank);
	return -1;
}

/*
 * Outputs.
 */

bool
onnx_out(struct step *s, int i, enum elem_type type, const double *dims,
    int rank)
{
	struct val *out;
	double elems = 1;

	if (s->x->failed)
		return false;
	if (i >= s->n_out)
		return true;
	out = &s->out[i];
	if (rank > GRAPH_MAX_RANK)
		return onnx_fail(s, "onnx-limit",
		    "a tensor of %d dimensions, more than %d", rank,
		    GRAPH_MAX_RANK);
	*out = (struct val){.known = true,
	    .type = type,
	    .rank = rank,
	    .tensor = -1};
	for (int j = 0; j < rank; j++) {
		if (!(dims[j] >= 0 && dims[j] <= MAX_SIDE) ||
		    dims[j] != floor(dims[j]))
			return onnx_fail(s, "onnx-shape",
			    "a tensor with a side of %g", dims[j]);
		out->dims[j] = dims[j];
		elems *= dims[j];
	}
	if (elems > ONNX_MAX_ELEMS)
		return onnx_fail(s, "onnx-limit",
		    "a tensor of more than 10^13 elements");
	return true;
}

bool
onnx_out_like(struct step *s, int i, const struct val *like)
{
	return like && onnx_out(s, i, like->type, like->dims, like->rank);
}

bool
onnx_broadcast(struct step *s, double *dims, int *rank, const struct val *v)
{
	int most = *rank > v->rank ? *rank : v->rank;
	double joined[GRAPH_MAX_RANK];

	for (int i = 0; i < most; i++) {
		int own = i - (most - *rank), other = i - (most - v->rank);
		double a = own >= 0 ? dims[own] : 1;
		double b = other >= 0 ? v->dims[other] : 1;

		if (a != b && a != 1 && b != 1)
			return onnx_fail(s, "onnx-shape",
			    "sides %.0f and %.0f do not fit", a, b);
		joined[i] = a == 1 ? b : a;
	}
	memcpy(dims, joined, (size_t)most * sizeof(double));
	*rank = most;
	return true;
}

void
onnx_product(struct step *s, double m, double n, double k, double count)
{
	s->op.m = m;
	s->op.n = n;
	s->op.k = k;
	s->op.count = count;
	s->op.macs = m * n * k * count;
}

/*
 * Layers.
 */

static struct shape
layer_shape(const struct val *v)
{
	struct shape s = {1, 1, 1, 1, 1};
	double *five[] = {&s.n, &s.c, &s.d, &s.h, &s.w};
	double *flat[] = {&s.n, &s.c, &s.h, &s.w};
	double **to = v->rank < 5 ? flat : five;
	int most = v->rank < 5 ? 4 : 5;

	if (v->rank == 1)
		to++;
	for (int i = 0; i < v->rank; i++)
		*to[i < most ? i : most - 1] *= v->dims[i];
	return s;
}

int
onnx_new_tensor(struct infer *x, const struct val *v, int of)
{
	struct tensor *t =
	    arena_push(x->a, &x->l->tensors, &x->l->n_tensors, sizeof(*t));

	*t = (struct tensor){layer_shape(v), of};
	return x->l->n_tensors - 1;
}

/* The operation `op` reading `in`, making a tensor for `out`. */
static void
push_op(struct step *s, const struct op *op, int *in, int n_in, struct val *out)
{
	struct infer *x = s->x;
	bool view = op->cls == OP_VIEW && n_in > 0;
	struct op *to;

	out->tensor = onnx_new_tensor(x, out, view ? in[0] : -1);
	to = arena_push(x->a, &x->l->ops, &x->l->n_ops, sizeof(*to));
	*to = *op;
	to->path = arena_printf(x->a, "%s %s", s->n->op, s->n->name);
	to->in = in;
	to->n_in = n_in;
	to->out = out->tensor;
	while (x->n_what < x->l->n_ops)
		*(const char **)arena_push(x->a, &x->what, &x->n_what,
		    sizeof(char *)) = s->n->op;
	x->what[x->l->n_ops - 1] = s->n->op;
}

/* Constants of these count as learned values without being named. */
static bool
takes_constants(const struct step *s)
{
	return s->op.word == LAYER_ADD || s->op.word == LAYER_MUL ||
	       s->op.word == LAYER_CONCAT || s->op.word == LAYER_PARAM;
}

/* Does input i hold learned values for this operation? */
static bool
holds_weights(const struct step *s, int i)
{
	const struct val *v = s->in[i];

	if (!v || !v->constant || !v->weight)
		return false;
	if (s->learns)
		return i < 32 && (s->learns >> i & 1) != 0;
	return takes_constants(s) && v->weight->elems > 1;
}

/*
 * Some exporters write weights as constants, like grids and factors: one
 * value for each channel is a weight.
 */
static bool
is_learned(const struct val *v)
{
	int long_sides = 0;

	for (int i = 0; i < v->rank; i++)
		long_sides += v->dims[i] > 1;
	return v->weight->learned || long_sides == 1;
}

/* Weights an operation reads, and learned values met for the first time. */
static void
count_weights(struct step *s)
{
	struct infer *x = s->x;

	for (int i = 0; i < s->n_in; i++) {
		struct weight *w =
		    holds_weights(s, i) ? s->in[i]->weight : NULL;

		if (!w)
			continue;
		s->op.weights += onnx_is(s, "Gather") ? val_elems(&s->out[0])
						      : val_elems(s->in[i]);
		if (w->counted || (!s->learns && !is_learned(s->in[i])))
			continue;
		w->counted = true;
		s->op.params += w->elems;
		*(struct weight **)arena_push(x->a, &x->counted, &x->n_counted,
		    sizeof(w)) = w;
	}
}

static bool
is_quantised(const struct step *s)
{
	if (onnx_is(s, "QLinearConv") || onnx_is(s, "QLinearMatMul") ||
	    onnx_is(s, "ConvInteger") || onnx_is(s, "MatMulInteger") ||
	    onnx_is(s, "DynamicQuantizeMatMul"))
		return true;
	return s->n_in > 1 && s->in[0] && s->in[1] && s->in[0]->int8 &&
	       s->in[1]->int8;
}

static void
add_layers(struct step *s)
{
	struct infer *x = s->x;
	int *in = arena_alloc(x->a, (size_t)s->n_in, sizeof(int)), n = 0;

	for (int i = 0; i < s->n_in; i++)
		if (s->in[i] && s->in[i]->tensor >= 0)
			in[n++] = s->in[i]->tensor;
	if (s->op.cls != OP_VIEW)
		count_weights(s);
	if (s->op.steps < 1)
		s->op.steps = 1;
	if (s->op.count < 1)
		s->op.count = 1;
	if (s->op.macs > 0 && is_quantised(s))
		x->net->macs_int8 += s->op.macs;
	push_op(s, &s->op, in, n, &s->out[0]);
	for (int i = 1; i < s->n_out; i++) {
		struct op more = {.word = LAYER_SLICE,
		    .cls = OP_VIEW,
		    .count = 1,
		    .steps = 1};
		int *from = arena_alloc(x->a, 1, sizeof(int));

		*from =
		    s->op.cls == OP_VIEW && n > 0 ? in[0] : s->out[0].tensor;
		if (s->n->out[i] >= 0 && !s->out[i].constant)
			push_op(s, &more, from, 1, &s->out[i]);
	}
}

/*
 * One node.
 */

static bool
gather_inputs(struct step *s)
{
	struct infer *x = s->x;

	s->n_in = s->n->n_in;
	s->n_out = s->n->n_out;
	s->in = arena_alloc(x->a, (size_t)s->n_in, sizeof(*s->in));
	s->out = arena_alloc(x->a, (size_t)s->n_out, sizeof(*s->out));
	for (int i = 0; i < s->n_in; i++) {
		int v = s->n->in[i];

		if (v >= 0 && !x->vals[v].known)
			return onnx_fail(s, "onnx-undefined",
			    "'%s' has no value here", x->m->names[v]);
		s->in[i] = v >= 0 ? &x->vals[v] : NULL;
	}
	return true;
}

static bool
all_constant(const struct step *s)
{
	for (int i = 0; i < s->n_in; i++)
		if (s->in[i] && !s->in[i]->constant)
			return false;
	for (int i = 0; i < s->n->n_captured; i++)
		if (!s->x->vals[s->n->captured[i]].constant)
			return false;
	return true;
}

/* What the outputs inherit from the inputs. */
static void
inherit(struct step *s, bool constant)
{
	struct weight *weight = NULL;
	const char *file = NULL;
	bool bounded = false;
	bool moves =
	    onnx_in(s, 0) && (s->op.cls == OP_VIEW || s->op.cls == OP_COPY);

	for (int i = 0; i < s->n_in; i++) {
		if (!s->in[i])
			continue;
		bounded |= s->in[i]->bounded;
		if (!weight)
			weight = s->in[i]->weight;
		if (!file)
			file = s->in[i]->file;
	}
	for (int i = 0; i < s->n_out; i++) {
		struct val *out = &s->out[i];

		out->bounded |= bounded;
		out->int8 |= moves && s->in[0]->int8;
		out->constant = constant || out->v;
		if (!constant)
			continue;
		if (!out->weight)
			out->weight = weight;
		if (!out->v && !out->file)
			out->file = file;
	}
}

static void
store_outputs(struct step *s)
{
	for (int i = 0; i < s->n_out; i++)
		if (s->n->out[i] >= 0 && s->out[i].known)
			s->x->vals[s->n->out[i]] = s->out[i];
}

static const struct graph_function *
find_function(const struct graph_model *m, const struct graph_node *n)
{
	for (int i = 0; i < m->n_functions; i++)
		if (str_equal(m->functions[i].name, n->op) &&
		    str_equal(m->functions[i].domain, n->domain))
			return &m->functions[i];
	return NULL;
}

/* A node that stands for a graph of others. */
static bool
call_function(struct step *s, const struct graph_function *f)
{
	struct infer *x = s->x;
	const struct graph *g = f->body;

	if (s->n_in > g->n_in || s->n_out > g->n_out)
		return onnx_fail(s, "onnx-shape",
		    "the function has %d inputs and %d outputs", g->n_in,
		    g->n_out);
	for (int i = 0; i < g->n_in; i++) {
		struct val v = {.tensor = -1};

		if (onnx_in(s, i))
			v = *s->in[i];
		x->vals[g->in[i]] = v;
	}
	if (!onnx_run_graph(x, g, s, f))
		return false;
	for (int i = 0; i < s->n_out; i++)
		s->out[i] = x->vals[g->out[i]];
	s->done = true;
	return true;
}

static bool
apply_rule(struct step *s)
{
	const struct onnx_op *op = onnx_op_find(s->n->domain, s->n->op);

	if (!op) {
		const struct graph_function *f = find_function(s->x->m, s->n);

		return f ? call_function(s, f) : onnx_bound(s);
	}
	s->op = (struct op){.word = op->word,
	    .cls = op->cls,
	    .act = op->act,
	    .count = 1,
	    .steps = 1};
	if (!op->rule(s))
		return false;
	return !s->unknown || onnx_bound(s);
}

static bool
run_node(struct infer *x, const struct graph_node *n, struct step *caller,
    const struct graph_function *f)
{
	struct step s = {.x = x, .n = n, .function = f, .caller = caller};
	bool constant;

	if (!gather_inputs(&s))
		return false;
	if (s.n_out == 0)
		return onnx_fail(&s, "onnx-shape", "no output");
	x->run += 1 + (n->n_in + n->n_out + n->n_attrs) / 64;
	if (x->run > ONNX_MAX_RUN)
		return onnx_fail(&s, "onnx-limit",
		    "the network runs more than %d nodes", ONNX_MAX_RUN);
	if (!apply_rule(&s))
		return false;
	if (!s.done) {
		constant = all_constant(&s) && !s.unknown;
		inherit(&s, constant);
		if (s.n_out > 0 && !s.out[0].constant)
			add_layers(&s);
	}
	store_outputs(&s);
	return true;
}

/*
 * Graphs.
 */

static void
set_constant(struct infer *x, int value, const struct graph_const *c)
{
	struct val *v = &x->vals[value];

	*v = (struct val){.known = true,
	    .type = c->type,
	    .rank = c->rank,
	    .constant = true,
	    .tensor = -1,
	    .file = c->file};
	memcpy(v->dims, c->dims, sizeof(v->dims));
	if (c->n <= ONNX_MAX_FOLD && c->values) {
		v->v = c->values;
		v->n = c->n;
	}
	if (c->type == ELEM_INT64 || c->type == ELEM_BOOL ||
	    c->type == ELEM_OTHER)
		return;
	v->weight = arena_alloc(x->a, 1, sizeof(*v->weight));
	*v->weight = (struct weight){val_elems(v), true, false};
}

bool
onnx_run_graph(struct infer *x, const struct graph *g, struct step *caller,
    const struct graph_function *f)
{
	if (++x->depth > 32) {
		x->depth--;
		return onnx_fail(caller, "onnx-limit",
		    "graphs and functions are nested more than 32 deep");
	}
	for (int i = 0; i < g->n_inits; i++)
		if (!x->vals[g->inits[i].value].known)
			set_constant(x, g->inits[i].value, &g->inits[i].tensor);
	for (int i = 0; i < g->n_nodes && !x->failed; i++)
		run_node(x, &g->nodes[i], caller, f);
	x->depth--;
	return !x->failed;
}

/*
 * The whole.
 */

static void
set_outputs(struct infer *x)
{
	const struct graph *g = x->m->main;
	int *outputs = NULL, n = 0;

	for (int i = 0; i < g->n_out; i++) {
		int t = x->vals[g->out[i]].tensor;

		if (t >= 0)
			*(int *)arena_push(x->a, &outputs, &n, sizeof(int)) = t;
	}
	x->l->outputs = outputs;
	x->l->n_outputs = n;
}

static void
list_value(struct infer *x, int value)
{
	const struct val *v = &x->vals[value];
	struct onnx_value *to;

	if (!v->known)
		return;
	to = arena_push(x->a, &x->net->values, &x->net->n_values, sizeof(*to));
	*to = (struct onnx_value){.name = x->m->names[value],
	    .rank = v->rank,
	    .bounded = v->bounded};
	memcpy(to->dims, v->dims, sizeof(to->dims));
	x->net->bounded += v->bounded;
}

static void
list_values(struct infer *x)
{
	const struct graph *g = x->m->main;

	for (int i = 0; i < g->n_in; i++)
		list_value(x, g->in[i]);
	for (int i = 0; i < g->n_nodes; i++)
		for (int j = 0; j < g->nodes[i].n_out; j++)
			if (g->nodes[i].out[j] >= 0)
				list_value(x, g->nodes[i].out[j]);
}

static bool
check_macs(struct infer *x)
{
	double macs = 0;

	for (int i = 0; i < x->l->n_ops; i++)
		macs += x->l->ops[i].macs;
	if (macs - x->net->macs_unknown > 0)
		return true;
	return onnx_fail_file(x, "onnx-macs",
	    "no convolution or matrix product is known in this network");
}

struct onnx_net *
onnx_expand(struct arena *a, const struct graph_model *m,
    const struct onnx_size *sizes, int n_sizes, struct diag *d)
{
	struct onnx_net *net = arena_alloc(a, 1, sizeof(*net));
	struct infer x = {.a = a, .m = m, .net = net, .d = d};

	assert(m->main);
	net->layers = x.l = arena_alloc(a, 1, sizeof(*x.l));
	x.l->id = m->path;
	x.vals = arena_alloc(a, (size_t)m->n_values + 1, sizeof(*x.vals));
	if (!onnx_set_inputs(&x, sizes, n_sizes))
		return NULL;
	if (m->main->n_in > 0)
		x.l->input = layer_shape(&x.vals[m->main->in[0]]);
	else
		return onnx_fail_file(&x, "onnx-input",
			   "the model has no input"),
		       NULL;
	if (!onnx_run_graph(&x, m->main, NULL, NULL) || !check_macs(&x))
		return NULL;
	set_outputs(&x);
	list_values(&x);
	onnx_join(&x);
	return net;
}
