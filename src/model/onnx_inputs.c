/*
 * The sizes of the inputs: given by the user, stated by the file, or open.
 */
#include "base/arena.h"
#include "base/str.h"
#include "model/onnx_parts.h"

/* Sizes of symbols that the user's sizes fix. */
struct symbol {
	const char *name;
	double size;
};

struct symbols {
	struct symbol *list;
	int n;
};

static void
note_inputs(struct infer *x)
{
	const struct graph *g = x->m->main;
	struct str out;

	str_init(&out, x->a);
	for (int i = 0; i < g->n_in && i < 12; i++)
		str_addf(&out, "%s'%s'", i ? ", " : "", x->m->names[g->in[i]]);
	diag_note(x->d, "inputs: %s", out.len ? out.s : "none");
}

static const struct onnx_size *
size_of(const struct infer *x, int value, const struct onnx_size *sizes, int n)
{
	for (int i = n - 1; i >= 0; i--)
		if (!sizes[i].name ||
		    str_equal(sizes[i].name, x->m->names[value]))
			return &sizes[i];
	return NULL;
}

static bool
check_sizes(struct infer *x, const struct onnx_size *sizes, int n)
{
	for (int i = 0; i < n; i++) {
		if (sizes[i].name && graph_input(x->m, sizes[i].name) < 0) {
			onnx_fail_file(x, "onnx-input",
			    "the model has no input '%s'",
			    graph_printable(x->a, sizes[i].name));
			note_inputs(x);
			return false;
		}
		if (!sizes[i].name && x->m->main->n_in != 1) {
			onnx_fail_file(x, "onnx-input",
			    "the model has %d inputs, the size needs a name",
			    x->m->main->n_in);
			note_inputs(x);
			return false;
		}
	}
	return true;
}

static const struct symbol *
find_symbol(const struct symbols *s, const char *name)
{
	for (int i = 0; name && i < s->n; i++)
		if (str_equal(s->list[i].name, name))
			return &s->list[i];
	return NULL;
}

static void
add_symbol(struct infer *x, struct symbols *s, const char *name, double size)
{
	if (name && !find_symbol(s, name) && s->n < 64)
		*(struct symbol *)arena_push(x->a, &s->list, &s->n,
		    sizeof(struct symbol)) = (struct symbol){name, size};
}

/* The sizes the user gives, and the symbols they fix. */
static bool
take_size(struct infer *x, int value, const struct onnx_size *size,
    struct symbols *syms)
{
	const struct graph_type *t = x->m->types[value];
	struct val *v = &x->vals[value];

	if (t && t->rank >= 0 && t->rank != size->rank)
		return onnx_fail_file(x, "onnx-input",
		    "input '%s' has %d dimensions, not %d", x->m->names[value],
		    t->rank, size->rank);
	v->rank = size->rank;
	for (int i = 0; i < size->rank; i++) {
		v->dims[i] = size->dims[i];
		if (t && t->rank >= 0)
			add_symbol(x, syms, t->dims[i].symbol, v->dims[i]);
	}
	v->known = true;
	return true;
}

/* "2 (height), 3 (width)": the sides of an input still open. */
static void
report_open(struct infer *x, int value, const struct val *v)
{
	const struct graph_type *t = x->m->types[value];
	struct str open, form;

	str_init(&open, x->a);
	str_init(&form, x->a);
	for (int i = 0; i < v->rank; i++) {
		str_addf(&form, "%s", i ? "x" : "");
		if (v->dims[i] >= 0) {
			str_addf(&form, "%.0f", v->dims[i]);
			continue;
		}
		str_addf(&open, "%s%d", open.len ? ", " : "", i);
		if (t->dims[i].symbol)
			str_addf(&open, " (%s)", t->dims[i].symbol);
		str_addf(&form, "%c", "NCHW"[i < 4 ? i : 3]);
	}
	onnx_fail_file(x, "onnx-dynamic", "input '%s' leaves sides open: %s",
	    x->m->names[value], open.s);
	diag_note(x->d, "give them with --input %s=%s, numbers for letters",
	    x->m->names[value], form.s);
}

static bool
take_stated(struct infer *x, int value, const struct symbols *syms)
{
	const struct graph_type *t = x->m->types[value];
	struct val *v = &x->vals[value];
	bool open = false;

	if (!t || t->rank < 0)
		return onnx_fail_file(x, "onnx-dynamic",
		    "the file does not state the shape of input '%s'; give "
		    "it with --input %s=1x3x640x640",
		    x->m->names[value], x->m->names[value]);
	v->rank = t->rank;
	for (int i = 0; i < t->rank; i++) {
		const struct symbol *s = find_symbol(syms, t->dims[i].symbol);

		v->dims[i] = t->dims[i].size;
		if (v->dims[i] < 0 && s)
			v->dims[i] = s->size;
		if (v->dims[i] < 0 && i == 0 && t->rank > 1)
			v->dims[i] = 1;
		open |= v->dims[i] < 0;
	}
	v->known = !open;
	if (open)
		report_open(x, value, v);
	return !open;
}

/* A symbol that is the first side of an input is the batch everywhere. */
static void
take_batch(struct infer *x, int value, struct symbols *syms)
{
	const struct graph_type *t = x->m->types[value];

	if (t && t->rank > 1 && t->dims[0].size < 0)
		add_symbol(x, syms, t->dims[0].symbol, 1);
}

bool
onnx_set_inputs(struct infer *x, const struct onnx_size *sizes, int n)
{
	const struct graph *g = x->m->main;
	struct symbols syms = {0};
	bool ok = true;

	if (!check_sizes(x, sizes, n))
		return false;
	for (int i = 0; i < g->n_in; i++) {
		const struct onnx_size *size = size_of(x, g->in[i], sizes, n);
		const struct graph_type *t = x->m->types[g->in[i]];
		struct val *v = &x->vals[g->in[i]];

		*v = (struct val){.tensor = -1,
		    .type = t ? t->type : ELEM_FLOAT};
		if (size && !take_size(x, g->in[i], size, &syms))
			return false;
	}
	for (int i = 0; i < g->n_in; i++)
		if (!x->vals[g->in[i]].known)
			take_batch(x, g->in[i], &syms);
	for (int i = 0; i < g->n_in; i++)
		if (!x->vals[g->in[i]].known)
			ok &= take_stated(x, g->in[i], &syms);
	for (int i = 0; ok && i < g->n_in; i++) {
		struct val *v = &x->vals[g->in[i]];

		if (val_elems(v) > ONNX_MAX_ELEMS || val_elems(v) < 1)
			return onnx_fail_file(x, "onnx-limit",
			    "input '%s' has %g elements", x->m->names[g->in[i]],
			    val_elems(v));
		v->tensor = onnx_new_tensor(x, v, -1);
	}
	return ok;
}
