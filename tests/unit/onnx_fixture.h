/*
 * ONNX models from a few words, for tests:
 *
 *	in x 1x3xHxW          an input; a letter is a symbol
 *	w k 8x3x3x3 [type]    an initialiser without data (type 1: float)
 *	ext k 8x3x3x3 type    the same in a side file
 *	i s 1,-1              whole numbers; one after @ is a scalar
 *	f s 1,1,2,2           floats
 *	out y                 an output
 *	Conv x k > y strides=[2,2] group=1 auto_pad=VALID alpha=0.5f body=$b
 *
 * One statement a line; "-" is an input left out; $b is a graph made before.
 */
#ifndef TESTS_ONNX_FIXTURE_H
#define TESTS_ONNX_FIXTURE_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/onnx.pb-c.h"

struct fixture {
	struct arena *a;
	Onnx__Model *m;
	Onnx__Graph *bodies[26];
	char path[64];
};

#define NEW(f, type, init)                                                     \
	((type *)memcpy(arena_alloc((f)->a, 1, sizeof(type)), &(type)init,     \
	    sizeof(type)))

/* Append to one of protobuf's arrays of pointers. */
static void
fx_push(struct fixture *f, void *list, size_t *n, void *item)
{
	void ***at = list, **grown = arena_alloc(f->a, *n + 1, sizeof(void *));

	if (*n)
		memcpy(grown, *at, *n * sizeof(void *));
	grown[(*n)++] = item;
	*at = grown;
}

static int64_t *
fx_ints(struct fixture *f, const char *s, char sep, size_t *n)
{
	int64_t *v = arena_alloc(f->a, strlen(s) + 1, sizeof(*v));
	char *end;

	for (*n = 0; *s && *s != ']'; s = *end == sep ? end + 1 : end) {
		v[(*n)++] = strtoll(s, &end, 10);
		if (end == s)
			break;
	}
	return v;
}

static void
fx_input(struct fixture *f, Onnx__Graph *g, const char *name, char *dims,
    bool output)
{
	Onnx__ValueInfo *v = NEW(f, Onnx__ValueInfo, ONNX__VALUE_INFO__INIT);
	char *rest = dims;

	v->name = arena_strdup(f->a, name);
	v->type = NEW(f, Onnx__Type, ONNX__TYPE__INIT);
	v->type->tensor_type =
	    NEW(f, Onnx__TensorType, ONNX__TENSOR_TYPE__INIT);
	v->type->tensor_type->has_elem_type = 1;
	v->type->tensor_type->elem_type = 1;
	if (dims)
		v->type->tensor_type->shape =
		    NEW(f, Onnx__Shape, ONNX__SHAPE__INIT);
	for (char *d; dims && (d = strsep(&rest, "x")) != NULL;) {
		Onnx__Dim *dim = NEW(f, Onnx__Dim, ONNX__DIM__INIT);
		Onnx__Shape *shape = v->type->tensor_type->shape;

		if ((*d >= '0' && *d <= '9') || *d == '-') {
			dim->has_dim_value = 1;
			dim->dim_value = strtoll(d, NULL, 10);
		} else {
			dim->dim_param = arena_strdup(f->a, d);
		}
		fx_push(f, &shape->dim, &shape->n_dim, dim);
	}
	if (output)
		fx_push(f, &g->output, &g->n_output, v);
	else
		fx_push(f, &g->input, &g->n_input, v);
}

static Onnx__Tensor *
fx_tensor(struct fixture *f, Onnx__Graph *g, const char *name, int type)
{
	Onnx__Tensor *t = NEW(f, Onnx__Tensor, ONNX__TENSOR__INIT);

	t->name = arena_strdup(f->a, name);
	t->has_data_type = 1;
	t->data_type = type;
	fx_push(f, &g->initializer, &g->n_initializer, t);
	return t;
}

static void
fx_external(struct fixture *f, Onnx__Tensor *t)
{
	Onnx__Entry *e = NEW(f, Onnx__Entry, ONNX__ENTRY__INIT);

	e->key = "location";
	e->value = "weights.bin";
	t->has_data_location = 1;
	t->data_location = 1;
	fx_push(f, &t->external_data, &t->n_external_data, e);
}

static void
fx_values(struct fixture *f, Onnx__Graph *g, const char *name, const char *list,
    bool whole)
{
	Onnx__Tensor *t = fx_tensor(f, g, name, whole ? 7 : 1);
	bool scalar = *list == '@';
	size_t n;

	t->int64_data = fx_ints(f, list + scalar, ',', &n);
	if (whole) {
		t->n_int64_data = n;
	} else {
		char *end = (char *)list + scalar;

		t->float_data = arena_alloc(f->a, n + 8, sizeof(float));
		for (n = 0; *end; end += *end == ',')
			t->float_data[n++] = strtof(end, &end);
		t->n_float_data = n;
	}
	if (!scalar) {
		t->dims = arena_alloc(f->a, 1, sizeof(int64_t));
		t->dims[0] = (int64_t)n;
		t->n_dims = 1;
	}
}

static void
fx_attr(struct fixture *f, Onnx__Node *node, char *name)
{
	Onnx__Attribute *at = NEW(f, Onnx__Attribute, ONNX__ATTRIBUTE__INIT);
	char *v = strchr(name, '='), *end;

	*v++ = '\0';
	at->name = name;
	at->has_type = 1;
	if (*v == '[') {
		at->ints = fx_ints(f, v + 1, ',', &at->n_ints);
		at->type = 7;
	} else if (*v == '$') {
		at->g = f->bodies[v[1] - 'a'];
		at->type = 5;
	} else if (*v == '&') {
		at->ref_attr_name = v + 1;
		at->type = 7;
	} else if (strtod(v, &end), *end == 'f' && end > v) {
		at->has_f = 1;
		at->f = strtof(v, NULL);
		at->type = 1;
	} else if (*end == '\0') {
		at->has_i = 1;
		at->i = strtoll(v, NULL, 10);
		at->type = 2;
	} else {
		at->has_s = 1;
		at->s.data = (uint8_t *)v;
		at->s.len = strlen(v);
		at->type = 3;
	}
	fx_push(f, &node->attribute, &node->n_attribute, at);
}

static Onnx__Node *
fx_node(struct fixture *f, const char *op, char *rest)
{
	Onnx__Node *node = NEW(f, Onnx__Node, ONNX__NODE__INIT);
	char *dot = strrchr(op, ':');
	bool outputs = false;

	node->op_type = dot ? dot + 1 : (char *)op;
	if (dot)
		node->domain = arena_strndup(f->a, op, (size_t)(dot - op));
	for (char *w; (w = strsep(&rest, " \t")) != NULL;) {
		if (!*w)
			continue;
		if (str_equal(w, ">"))
			outputs = true;
		else if (strchr(w, '=') && outputs)
			fx_attr(f, node, w);
		else if (outputs)
			fx_push(f, &node->output, &node->n_output, w);
		else
			fx_push(f, &node->input, &node->n_input,
			    str_equal(w, "-") ? "" : w);
	}
	return node;
}

static void
fx_line(struct fixture *f, Onnx__Graph *g, char *line)
{
	char *rest = line + strspn(line, " \t"), *word, *name;

	if (!*rest)
		return;
	word = strsep(&rest, " ");
	if (!str_equal(word, "in") && !str_equal(word, "out") &&
	    !str_equal(word, "w") && !str_equal(word, "ext") &&
	    !str_equal(word, "i") && !str_equal(word, "f")) {
		fx_push(f, &g->node, &g->n_node, fx_node(f, word, rest));
		return;
	}
	name = strsep(&rest, " ");
	if (*word == 'i' && word[1] == 'n')
		fx_input(f, g, name, rest, false);
	else if (*word == 'o')
		fx_input(f, g, name, rest, true);
	else if (*word == 'i' || *word == 'f')
		fx_values(f, g, name, rest, *word == 'i');
	else {
		char *dims = strsep(&rest, " ");
		Onnx__Tensor *t = fx_tensor(f, g, name,
		    rest ? (int)strtol(rest, NULL, 10) : 1);

		t->dims = fx_ints(f, dims, 'x', &t->n_dims);
		if (*word == 'e')
			fx_external(f, t);
	}
}

static Onnx__Graph *
fx_graph(struct fixture *f, const char *text)
{
	Onnx__Graph *g = NEW(f, Onnx__Graph, ONNX__GRAPH__INIT);
	char *rest = arena_strdup(f->a, text);

	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		fx_line(f, g, line);
	return g;
}

static void
fx_begin(struct fixture *f, int opset)
{
	Onnx__Opset *o;

	*f = (struct fixture){.a = arena_new()};
	f->m = NEW(f, Onnx__Model, ONNX__MODEL__INIT);
	o = NEW(f, Onnx__Opset, ONNX__OPSET__INIT);
	o->has_version = 1;
	o->version = opset;
	fx_push(f, &f->m->opset_import, &f->m->n_opset_import, o);
}

/* A graph for the body of a node, known as $name. */
static void
fx_body(struct fixture *f, char name, const char *text)
{
	f->bodies[name - 'a'] = fx_graph(f, text);
}

/* An operator "domain:name" as a graph of others. */
static void
fx_function(struct fixture *f, const char *domain, const char *name,
    const char *text)
{
	Onnx__Function *fn = NEW(f, Onnx__Function, ONNX__FUNCTION__INIT);
	Onnx__Graph *g = fx_graph(f, text);

	fn->domain = (char *)domain;
	fn->name = (char *)name;
	fn->node = g->node;
	fn->n_node = g->n_node;
	for (size_t i = 0; i < g->n_input; i++)
		fx_push(f, &fn->input, &fn->n_input, g->input[i]->name);
	for (size_t i = 0; i < g->n_output; i++)
		fx_push(f, &fn->output, &fn->n_output, g->output[i]->name);
	fx_push(f, &f->m->functions, &f->m->n_functions, fn);
}

/* The bytes into a file of their own; removed by fx_end. */
static void
fx_write(struct fixture *f, const void *data, size_t len)
{
	FILE *out;
	int fd;

	if (!*f->path) {
		strncpy(f->path, "/tmp/whygpu-onnx-XXXXXX",
		    sizeof(f->path) - 1);
		fd = mkstemp(f->path);
		assert(fd >= 0);
		close(fd);
	}
	out = fopen(f->path, "wb");
	assert(out);
	if (len)
		fwrite(data, 1, len, out);
	fclose(out);
}

static unsigned char *
fx_pack(struct fixture *f, size_t *len)
{
	unsigned char *data;

	*len = onnx__model__get_packed_size(f->m);
	data = arena_alloc(f->a, *len + 1, 1);
	onnx__model__pack(f->m, data);
	return data;
}

static void
fx_end(struct fixture *f)
{
	if (*f->path)
		unlink(f->path);
	arena_free(f->a);
}

#endif
