#include "input/onnx_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/onnx_file.h"

enum {
	OLDEST_OPSET = 7,
	NEWEST_OPSET = 21,
	MAX_GRAPHS = 20000,
	MAX_FUNCTIONS = 4000
};

#define MAX_ELEMS 1e13

/* A name that a graph defines. */
struct binding {
	const char *name;
	int kind; /* of what defines it: enum below */
	int value;
};

enum { BY_INPUT, BY_INIT, BY_NODE };

struct scope {
	struct binding *names;
	int n, cap;
	struct scope *outer;
	/* values of outer scopes that were read in here */
	int *captured, n_captured;
};

struct import {
	struct arena *a;
	struct graph_model *m;
	const struct source *src;
	struct diag *d;
	int graphs, types;
};

static bool fail(struct import *im, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool
fail(struct import *im, const char *id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_error(im->d, pos_file(im->src), id, "%s",
	    arena_vprintf(im->a, fmt, ap));
	va_end(ap);
	return false;
}

/*
 * Tensors.
 */

static enum elem_type
elem_type(int t)
{
	switch (t) {
	case ONNX_FLOAT: return ELEM_FLOAT;
	case ONNX_FLOAT16: return ELEM_HALF;
	case ONNX_BFLOAT16: return ELEM_BFLOAT;
	case 17:
	case 18:
	case 19:
	case 20: return ELEM_FP8;
	case ONNX_DOUBLE: return ELEM_DOUBLE;
	case ONNX_INT8: return ELEM_INT8;
	case ONNX_UINT8: return ELEM_UINT8;
	case ONNX_INT16:
	case ONNX_UINT16:
	case ONNX_INT32:
	case ONNX_UINT32:
	case 21:
	case 22: return ELEM_INT;
	case ONNX_INT64:
	case ONNX_UINT64: return ELEM_INT64;
	case ONNX_BOOL: return ELEM_BOOL;
	default: return ELEM_OTHER;
	}
}

static double
half_value(unsigned bits)
{
	int exp = (int)(bits >> 10 & 31);
	double frac = bits & 1023, sign = bits >> 15 ? -1 : 1;

	if (exp == 31)
		return frac != 0 ? NAN : sign * INFINITY;
	return sign * (exp ? ldexp(1024 + frac, exp - 25) : ldexp(frac, -24));
}

/* Bytes of an element stored raw; 0 for those we do not read. */
static size_t
elem_bytes(int t)
{
	switch (t) {
	case ONNX_INT8:
	case ONNX_UINT8:
	case ONNX_BOOL: return 1;
	case ONNX_INT16:
	case ONNX_UINT16:
	case ONNX_FLOAT16: return 2;
	case ONNX_FLOAT:
	case ONNX_INT32:
	case ONNX_UINT32: return 4;
	case ONNX_INT64:
	case ONNX_UINT64:
	case ONNX_DOUBLE: return 8;
	default: return 0;
	}
}

static double
raw_value(int t, const unsigned char *p)
{
	uint64_t bits = 0;
	double wide;
	float narrow;

	for (size_t i = elem_bytes(t); i-- > 0;)
		bits = bits << 8 | p[i];
	switch (t) {
	case ONNX_INT8: return (int8_t)bits;
	case ONNX_INT16: return (int16_t)bits;
	case ONNX_INT32: return (int32_t)bits;
	case ONNX_INT64: return (double)(int64_t)bits;
	case ONNX_FLOAT16: return half_value((unsigned)bits);
	case ONNX_DOUBLE: memcpy(&wide, &bits, sizeof(wide)); return wide;
	case ONNX_FLOAT:
		narrow = 0;
		memcpy(&narrow, &(uint32_t){(uint32_t)bits}, sizeof(narrow));
		return (double)narrow;
	default: return (double)bits;
	}
}

/* Value i of those kept, wherever they are stored. */
static double
stored_value(const Onnx__Tensor *t, size_t i)
{
	if (t->has_raw_data)
		return raw_value(t->data_type,
		    t->raw_data.data + i * elem_bytes(t->data_type));
	if (t->n_float_data)
		return (double)t->float_data[i];
	if (t->n_int64_data)
		return (double)t->int64_data[i];
	if (t->n_double_data)
		return t->double_data[i];
	if (t->n_uint64_data)
		return (double)t->uint64_data[i];
	if (t->data_type == ONNX_FLOAT16)
		return half_value((unsigned)t->int32_data[i] & 0xffff);
	return (double)t->int32_data[i];
}

static size_t
stored_count(const Onnx__Tensor *t)
{
	size_t size = elem_bytes(t->data_type);

	if (t->has_raw_data)
		return size ? t->raw_data.len / size : 0;
	if (t->n_float_data)
		return t->n_float_data;
	if (t->n_int64_data)
		return t->n_int64_data;
	if (t->n_double_data)
		return t->n_double_data;
	return t->n_uint64_data ? t->n_uint64_data : t->n_int32_data;
}

static void
import_values(struct import *im, const Onnx__Tensor *t, struct graph_const *out,
    double elems)
{
	size_t n = stored_count(t);

	for (size_t i = 0; i < t->n_external_data; i++)
		if (t->data_location == 1 && t->external_data[i]->key &&
		    str_equal(t->external_data[i]->key, "location"))
			out->file =
			    graph_printable(im->a, t->external_data[i]->value);
	if ((double)n != elems || out->file || out->type == ELEM_OTHER)
		return;
	out->n = (int)n;
	out->values = arena_alloc(im->a, n + 1, sizeof(double));
	for (size_t i = 0; i < n; i++)
		out->values[i] = stored_value(t, i);
}

static bool
import_tensor(struct import *im, const Onnx__Tensor *t, struct graph_const *out)
{
	const char *name = graph_printable(im->a, t->name);
	double elems = 1;

	*out = (struct graph_const){.type = elem_type(t->data_type)};
	if (t->n_dims > GRAPH_MAX_RANK)
		return fail(im, "onnx-limit",
		    "tensor '%s' has %zu dimensions, more than %d", name,
		    t->n_dims, GRAPH_MAX_RANK);
	out->rank = (int)t->n_dims;
	for (int i = 0; i < out->rank; i++) {
		if (t->dims[i] < 0)
			return fail(im, "onnx-tensor",
			    "tensor '%s' has a side of %lld", name,
			    (long long)t->dims[i]);
		out->dims[i] = (double)t->dims[i];
		elems *= out->dims[i];
	}
	if (elems > MAX_ELEMS)
		return fail(im, "onnx-limit",
		    "tensor '%s' has more than 10^13 elements", name);
	import_values(im, t, out, elems);
	return true;
}

/*
 * Names.
 */

static int
new_value(struct import *im, const char *name)
{
	struct graph_model *m = im->m;
	const char **slot =
	    arena_push(im->a, &m->names, &m->n_values, sizeof(*slot));
	int n = m->n_values - 1;
	const struct graph_type **type;

	type = arena_push(im->a, &m->types, &im->types, sizeof(*type));
	*slot = graph_printable(im->a, name);
	*type = NULL;
	return n;
}

static void
define(struct import *im, struct scope *sc, const char *name, int kind)
{
	struct binding *b;

	if (!name || !*name)
		return;
	b = arena_push(im->a, &sc->names, &sc->n, sizeof(*b));
	*b = (struct binding){name, kind, -1};
}

static int
by_name(const void *a, const void *b)
{
	const struct binding *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : x->kind - y->kind;
}

/* Number the names; an initialiser may repeat an input. */
static bool
number(struct import *im, struct scope *sc)
{
	if (sc->n)
		qsort(sc->names, (size_t)sc->n, sizeof(*sc->names), by_name);
	for (int i = 0; i < sc->n; i++) {
		struct binding *b = &sc->names[i];
		struct binding *before = i ? &sc->names[i - 1] : NULL;

		if (!before || !str_equal(before->name, b->name))
			b->value = new_value(im, b->name);
		else if (before->kind == BY_INPUT && b->kind == BY_INIT)
			b->value = before->value;
		else
			return fail(im, "onnx-duplicate",
			    "value '%s' is written twice",
			    graph_printable(im->a, b->name));
	}
	return true;
}

static const struct binding *
find_in(const struct scope *sc, const char *name)
{
	int low = 0, high = sc->n;

	while (low < high) {
		int mid = low + (high - low) / 2;
		int c = strcmp(sc->names[mid].name, name);

		if (c == 0)
			return &sc->names[mid];
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* The value a name stands for; -1 if nobody defines it. */
static int
resolve(struct import *im, struct scope *sc, const char *name)
{
	for (struct scope *s = sc; s; s = s->outer) {
		const struct binding *b = find_in(s, name);

		if (!b)
			continue;
		for (struct scope *in = sc; in != s; in = in->outer)
			*(int *)arena_push(im->a, &in->captured,
			    &in->n_captured, sizeof(int)) = b->value;
		return b->value;
	}
	return -1;
}

static bool
is_initial(const struct scope *sc, const struct binding *b)
{
	const struct binding *end = sc->names + sc->n;

	for (; b > sc->names && str_equal(b[-1].name, b->name); b--)
		;
	for (; b < end && b->kind != BY_INIT; b++)
		if (b + 1 == end || !str_equal(b->name, b[1].name))
			return false;
	return b < end;
}

/*
 * Types of values.
 */

static bool
import_type(struct import *im, struct scope *sc, const Onnx__ValueInfo *v)
{
	const struct binding *b = v->name ? find_in(sc, v->name) : NULL;
	const Onnx__TensorType *t = v->type ? v->type->tensor_type : NULL;
	struct graph_type *out;

	if (!b || !t)
		return true;
	out = arena_alloc(im->a, 1, sizeof(*out));
	*out = (struct graph_type){.type = elem_type(t->elem_type), .rank = -1};
	im->m->types[b->value] = out;
	if (!t->shape)
		return true;
	if (t->shape->n_dim > GRAPH_MAX_RANK)
		return fail(im, "onnx-limit",
		    "value '%s' has %zu dimensions, more than %d",
		    im->m->names[b->value], t->shape->n_dim, GRAPH_MAX_RANK);
	out->rank = (int)t->shape->n_dim;
	for (int i = 0; i < out->rank; i++) {
		const Onnx__Dim *dim = t->shape->dim[i];

		/* -1 and 0 are what some exporters write for "any" */
		out->dims[i].size = dim->has_dim_value && dim->dim_value > 0
					? (double)dim->dim_value
					: -1;
		if (dim->dim_param && *dim->dim_param)
			out->dims[i].symbol =
			    graph_printable(im->a, dim->dim_param);
	}
	return true;
}

static bool
import_types(struct import *im, struct scope *sc, Onnx__ValueInfo **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!import_type(im, sc, v[i]))
			return false;
	return true;
}

/*
 * Nodes.
 */

static struct graph *
import_graph(struct import *im, const Onnx__Graph *g, struct scope *outer);

static char *
bytes_text(struct arena *a, ProtobufCBinaryData b)
{
	return b.len ? arena_strndup(a, (const char *)b.data, b.len)
		     : arena_strdup(a, "");
}

static bool
import_attr(struct import *im, struct scope *sc, const Onnx__Attribute *from,
    struct graph_attr *to)
{
	*to = (struct graph_attr){.name = from->name ? from->name : "",
	    .caller = from->ref_attr_name,
	    .has_int = from->has_i,
	    .has_float = from->has_f,
	    .i = from->i,
	    .f = (double)from->f,
	    .n_ints = (int)from->n_ints,
	    .ints = from->ints,
	    .n_floats = (int)from->n_floats};
	if (from->has_s)
		to->s = bytes_text(im->a, from->s);
	else if (from->n_strings)
		to->s = bytes_text(im->a, from->strings[0]);
	to->floats = arena_alloc(im->a, from->n_floats + 1, sizeof(double));
	for (size_t i = 0; i < from->n_floats; i++)
		to->floats[i] = (double)from->floats[i];
	if (from->t) {
		struct graph_const *t = arena_alloc(im->a, 1, sizeof(*t));

		to->t = t;
		if (!import_tensor(im, from->t, t))
			return false;
	}
	if (from->g) {
		to->g = import_graph(im, from->g, sc);
		return to->g != NULL;
	}
	return true;
}

static bool
import_attrs(struct import *im, struct scope *sc, Onnx__Attribute **from,
    size_t n, struct graph_attr **to)
{
	*to = arena_alloc(im->a, n, sizeof(**to));
	for (size_t i = 0; i < n; i++)
		if (!import_attr(im, sc, from[i], &(*to)[i]))
			return false;
	return true;
}

static bool
import_names(struct import *im, struct scope *sc, const struct graph_node *node,
    char **names, size_t n, int **ids)
{
	*ids = arena_alloc(im->a, n, sizeof(int));
	for (size_t i = 0; i < n; i++) {
		(*ids)[i] = *names[i] ? resolve(im, sc, names[i]) : -1;
		if (*names[i] && (*ids)[i] < 0)
			return fail(im, "onnx-undefined",
			    "%s '%s' reads '%s', which nobody writes", node->op,
			    node->name, graph_printable(im->a, names[i]));
	}
	return true;
}

static const char *
domain_name(const char *s)
{
	return !s || str_equal(s, "ai.onnx") ? "" : s;
}

static bool
import_node(struct import *im, struct scope *sc, const Onnx__Node *from,
    size_t index, struct graph_node *to)
{
	struct scope inner = {.outer = sc};

	to->op = graph_printable(im->a, from->op_type);
	to->domain = domain_name(from->domain);
	to->name = from->name && *from->name
		       ? graph_printable(im->a, from->name)
		       : arena_printf(im->a, "#%zu", index);
	to->n_in = (int)from->n_input;
	to->n_out = (int)from->n_output;
	to->n_attrs = (int)from->n_attribute;
	if (!import_names(im, sc, to, from->input, from->n_input, &to->in) ||
	    !import_names(im, sc, to, from->output, from->n_output, &to->out) ||
	    !import_attrs(im, &inner, from->attribute, from->n_attribute,
		&to->attrs))
		return false;
	to->captured = inner.captured;
	to->n_captured = inner.n_captured;
	return true;
}

static bool
import_nodes(struct import *im, struct scope *sc, Onnx__Node **from, size_t n,
    struct graph *g)
{
	g->nodes = arena_alloc(im->a, n, sizeof(*g->nodes));
	g->n_nodes = (int)n;
	for (size_t i = 0; i < n; i++)
		if (!import_node(im, sc, from[i], i, &g->nodes[i]))
			return false;
	return true;
}

static void
define_outputs(struct import *im, struct scope *sc, Onnx__Node **nodes,
    size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < nodes[i]->n_output; j++)
			define(im, sc, nodes[i]->output[j], BY_NODE);
}

/*
 * Graphs.
 */

static bool
import_inits(struct import *im, struct scope *sc, const Onnx__Graph *from,
    struct graph *to)
{
	to->inits = arena_alloc(im->a, from->n_initializer, sizeof(*to->inits));
	for (size_t i = 0; i < from->n_initializer; i++) {
		const Onnx__Tensor *t = from->initializer[i];
		struct graph_init *init = &to->inits[to->n_inits];

		if (!t->name || !*t->name)
			continue;
		init->value = find_in(sc, t->name)->value;
		to->n_inits++;
		if (!import_tensor(im, t, &init->tensor))
			return false;
	}
	return true;
}

/* What must be fed: inputs that no initialiser fills. */
static void
import_inputs(struct import *im, struct scope *sc, const Onnx__Graph *from,
    struct graph *to)
{
	for (size_t i = 0; i < from->n_input; i++) {
		const char *name = from->input[i]->name;
		const struct binding *b =
		    name && *name ? find_in(sc, name) : NULL;

		if (b && !is_initial(sc, b))
			*(int *)arena_push(im->a, &to->in, &to->n_in,
			    sizeof(int)) = b->value;
	}
}

static bool
import_outputs(struct import *im, struct scope *sc, const Onnx__Graph *from,
    struct graph *to)
{
	for (size_t i = 0; i < from->n_output; i++) {
		const char *name = from->output[i]->name;
		int v = name ? resolve(im, sc, name) : -1;

		if (v < 0)
			return fail(im, "onnx-undefined",
			    "output '%s' is written by nobody",
			    graph_printable(im->a, name));
		*(int *)arena_push(im->a, &to->out, &to->n_out, sizeof(int)) =
		    v;
	}
	return true;
}

static struct graph *
import_graph(struct import *im, const Onnx__Graph *from, struct scope *outer)
{
	struct scope sc = {.outer = outer};
	struct graph *to = arena_alloc(im->a, 1, sizeof(*to));

	if (++im->graphs > MAX_GRAPHS) {
		fail(im, "onnx-limit", "more than %d graphs", MAX_GRAPHS);
		return NULL;
	}
	for (size_t i = 0; i < from->n_input; i++)
		define(im, &sc, from->input[i]->name, BY_INPUT);
	for (size_t i = 0; i < from->n_initializer; i++)
		define(im, &sc, from->initializer[i]->name, BY_INIT);
	define_outputs(im, &sc, from->node, from->n_node);
	if (!number(im, &sc) || !import_inits(im, &sc, from, to) ||
	    !import_types(im, &sc, from->value_info, from->n_value_info) ||
	    !import_types(im, &sc, from->output, from->n_output) ||
	    !import_types(im, &sc, from->input, from->n_input) ||
	    !import_nodes(im, &sc, from->node, from->n_node, to) ||
	    !import_outputs(im, &sc, from, to))
		return NULL;
	import_inputs(im, &sc, from, to);
	return to;
}

static bool
import_formal(struct import *im, struct scope *sc, char **names, size_t n,
    int **ids, int *n_ids)
{
	for (size_t i = 0; i < n; i++) {
		int v = resolve(im, sc, names[i]);

		if (v < 0)
			return fail(im, "onnx-undefined",
			    "function output '%s' is written by nobody",
			    graph_printable(im->a, names[i]));
		*(int *)arena_push(im->a, ids, n_ids, sizeof(int)) = v;
	}
	return true;
}

static bool
import_function(struct import *im, const Onnx__Function *from,
    struct graph_function *to)
{
	struct scope sc = {0};
	struct graph *g = arena_alloc(im->a, 1, sizeof(*g));

	to->name = graph_printable(im->a, from->name);
	to->domain = domain_name(from->domain);
	to->body = g;
	for (size_t i = 0; i < from->n_input; i++)
		define(im, &sc, from->input[i], BY_INPUT);
	define_outputs(im, &sc, from->node, from->n_node);
	to->n_presets = (int)from->n_attribute_proto;
	return number(im, &sc) &&
	       import_formal(im, &sc, from->input, from->n_input, &g->in,
		   &g->n_in) &&
	       import_nodes(im, &sc, from->node, from->n_node, g) &&
	       import_formal(im, &sc, from->output, from->n_output, &g->out,
		   &g->n_out) &&
	       import_attrs(im, &sc, from->attribute_proto,
		   from->n_attribute_proto, &to->presets);
}

/*
 * Order.
 */

static bool
sort_graph(struct import *im, struct graph *g, int *made_by)
{
	const struct graph_node *stuck = graph_sort(im->a, g, made_by);

	if (stuck)
		return fail(im, "onnx-cycle",
		    "the graph has a cycle: %s '%s' waits for itself",
		    stuck->op, stuck->name);
	for (int i = 0; i < g->n_nodes; i++)
		for (int j = 0; j < g->nodes[i].n_attrs; j++)
			if (g->nodes[i].attrs[j].g &&
			    !sort_graph(im, g->nodes[i].attrs[j].g, made_by))
				return false;
	return true;
}

static bool
sort_model(struct import *im)
{
	struct graph_model *m = im->m;
	int *made_by = arena_alloc(im->a, (size_t)m->n_values + 1, sizeof(int));

	memset(made_by, 0xff, ((size_t)m->n_values + 1) * sizeof(int));
	for (int i = 0; i < m->n_functions; i++)
		if (!sort_graph(im, m->functions[i].body, made_by))
			return false;
	return sort_graph(im, m->main, made_by);
}

static bool
import_opset(struct import *im, const Onnx__Model *from)
{
	for (size_t i = 0; i < from->n_opset_import; i++) {
		const Onnx__Opset *o = from->opset_import[i];

		if (!*domain_name(o->domain))
			im->m->opset = o->version > 1000 ? 1000
				       : o->version < 0  ? 0
							 : (int)o->version;
	}
	if (im->m->opset >= OLDEST_OPSET && im->m->opset <= NEWEST_OPSET)
		return true;
	if (im->m->opset > NEWEST_OPSET) {
		diag_warning(im->d, pos_file(im->src), "onnx-opset",
		    "operators of version %d are newer than %d, the newest "
		    "known here",
		    im->m->opset, NEWEST_OPSET);
		return true;
	}
	fail(im, "onnx-opset", "operators of version %d are not read",
	    im->m->opset);
	diag_note(im->d, "known: %d to %d", OLDEST_OPSET, NEWEST_OPSET);
	return false;
}

static bool
import_model(struct import *im, const Onnx__Model *from)
{
	struct graph_model *m = im->m;

	if (from->producer_name && *from->producer_name)
		m->producer = graph_printable(im->a, from->producer_name);
	if (!import_opset(im, from))
		return false;
	if (from->n_functions > MAX_FUNCTIONS)
		return fail(im, "onnx-limit", "more than %d functions",
		    MAX_FUNCTIONS);
	m->n_functions = (int)from->n_functions;
	m->functions =
	    arena_alloc(im->a, from->n_functions, sizeof(*m->functions));
	for (int i = 0; i < m->n_functions; i++)
		if (!import_function(im, from->functions[i], &m->functions[i]))
			return false;
	m->main = import_graph(im, from->graph, NULL);
	return m->main && sort_model(im);
}

struct graph_model *
onnx_read(struct arena *a, const char *path, struct pos from, struct diag *d)
{
	struct graph_model *m = arena_alloc(a, 1, sizeof(*m));
	struct import im = {.a = a, .m = m, .d = d};
	const Onnx__Model *file = onnx_file_read(a, path, from, &im.src, d);

	if (!file)
		return NULL;
	m->path = im.src->path;
	m->src = im.src;
	return import_model(&im, file) ? m : NULL;
}
