#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/command.h"
#include "command/network.h"
#include "input/onnx_net.h"
#include "model/layers.h"
#include "model/onnx_shape.h"

/*
 * network FILE.onnx [WxH] [--input NAME=NxCxHxW] [--batch N]
 */

bool
network_is_onnx(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && str_equal_nocase(name + len - 5, ".onnx");
}

/* "image=1x3x640x640", or the sizes alone. */
static bool
read_input(struct arena *a, const char *text, struct onnx_size *size,
    struct diag *d)
{
	const char *eq = strrchr(text, '='), *s = eq ? eq + 1 : text;

	*size = (struct onnx_size){0};
	if (eq)
		size->name = arena_strndup(a, text, (size_t)(eq - text));
	for (;;) {
		char *end;
		long v = strtol(s, &end, 10);

		if (end == s || v < 1 || v > 0x7fffffff ||
		    size->rank == GRAPH_MAX_RANK)
			break;
		size->dims[size->rank++] = (double)v;
		if (*end == '\0')
			return true;
		if (*end != 'x')
			break;
		s = end + 1;
	}
	diag_error(d, (struct pos){0}, "onnx-input",
	    "'%s' is no size of an input", graph_printable(a, text));
	diag_note(d, "write NAME=1x3x640x640");
	return false;
}

/* A picture of w x h for the first input that takes one. */
static bool
picture(const struct graph_model *m, int w, int h, struct onnx_size *size)
{
	for (int i = 0; i < m->main->n_in; i++) {
		int v = m->main->in[i];
		const struct graph_type *t = m->types[v];

		if (!t || t->rank != 4)
			continue;
		*size = (struct onnx_size){m->names[v], 4, {1, 3, h, w}};
		for (int j = 0; j < 2; j++)
			if (t->dims[j].size > 0)
				size->dims[j] = t->dims[j].size;
		return true;
	}
	return false;
}

static void
print_shapes(const struct onnx_net *net)
{
	for (int i = 0; i < net->n_values; i++) {
		const struct onnx_value *v = &net->values[i];

		printf("%s\t%s", v->name, v->bounded ? "~" : "");
		for (int j = 0; j < v->rank; j++)
			printf("%s%.0f", j ? "," : "", v->dims[j]);
		putchar('\n');
	}
}

static void
print_unknown(const struct onnx_net *net, double macs)
{
	for (int i = 0; i < net->n_unknown; i++) {
		const struct onnx_unknown *u = &net->unknown[i];

		printf("no rule for '%s'%s%s, %d node%s from '%s' on: at most "
		       "%.4f GMAC, in the total\n",
		    u->op, *u->domain ? " of " : "", u->domain, u->times,
		    u->times > 1 ? "s" : "", u->node, u->macs / 1e9);
	}
	if (net->n_unknown > 0)
		printf("%.1f%% of the MACs are such upper bounds\n",
		    100 * net->macs_unknown / macs);
}

static void
print_remarks(const struct graph_model *m, const struct onnx_net *net)
{
	double macs = layers_totals(net->layers).macs;

	printf("onnx: operators of version %d%s%s\n", m->opset,
	    m->producer ? ", written by " : "", m->producer ? m->producer : "");
	if (net->layers->input.n > 1)
		printf("one run takes %.0f images; MACs and activations are "
		       "those of all of them\n",
		    net->layers->input.n);
	if (net->macs_int8 > 0)
		printf("INT8: %.1f%% of the MACs\n",
		    100 * net->macs_int8 / macs);
	print_unknown(net, macs);
	if (net->bounded > 0)
		printf("%d of %d tensors depend on the picture; their largest "
		       "size is taken\n",
		    net->bounded, net->n_values);
	for (int i = 0; i < net->n_once; i++)
		printf("loop '%s' runs until the data says so; it is counted "
		       "once\n",
		    net->once[i]);
}

bool
network_onnx(struct arena *a, const struct options *o, int w, int h, int batch,
    struct diag *d)
{
	struct onnx_size sizes[INPUTS_MAX + 1];
	struct graph_model *m = onnx_read(a, o->args[0], (struct pos){0}, d);
	struct onnx_net *net;
	int n = 0;

	for (int i = 0; i < o->n_inputs; i++)
		if (!read_input(a, o->inputs[i], &sizes[n++], d))
			return false;
	if (!m)
		return false;
	if (n == 0 && w > 0 && picture(m, w, h, &sizes[0]))
		n = 1;
	net = onnx_expand(a, m, sizes, n, d);
	if (!net)
		return false;
	if (o->dump == DUMP_SHAPES) {
		print_shapes(net);
		return true;
	}
	network_print(a, net->layers, batch);
	print_remarks(m, net);
	return true;
}
