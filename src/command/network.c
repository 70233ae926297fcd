#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "command/command.h"
#include "command/network.h"
#include "input/layers_in.h"
#include "model/layers.h"

/*
 * network NAME [WxH] [BATCH]   the layers of a network, with totals, kernels
 *                              and memory
 * network                      the networks there are
 * network FILE.onnx [WxH]      see network_onnx.c
 */

enum { MAX_BATCH = 4096 };

static const double half = 2; /* bytes of an FP16 element */

static const char *
shape_text(struct arena *a, struct shape s)
{
	const char *n = s.n > 1 ? arena_printf(a, "%.0fx", s.n) : "";
	const char *d = s.d > 1 ? arena_printf(a, "%.0fx", s.d) : "";

	return arena_printf(a, "%s%.0fx%s%.0fx%.0f", n, s.c, d, s.h, s.w);
}

static void
print_op(struct arena *a, const struct layers *l, const struct op *op,
    int kernel)
{
	const char *free_of =
	    kernel < 0 ? "-" : arena_printf(a, "%d", kernel + 1);

	printf("%5s  %-11s %-18s %10.2f %9.3f  ", free_of,
	    op->act != ACT_NONE ? act_id(op->act) : layer_word_id(op->word),
	    shape_text(a, l->tensors[op->out].shape), op->macs / 1e6,
	    op->params / 1e3);
	if (op->macs > 0)
		printf("%8.0f %6.0f %6.0f%s", op->m, op->n, op->k,
		    op->count > 1 ? arena_printf(a, " x%-5.0f", op->count)
				  : "       ");
	else
		printf("%29s", "");
	printf("  %s\n", op->path);
}

static void
print_table(struct arena *a, const struct layers *l)
{
	struct kernels *ks = layers_fused(a, l, ENGINE_TENSORRT);

	printf("kernel layer       output                MMAC    kparam  "
	       "       M      N      K         block\n");
	for (int i = 0; i < l->n_ops; i++)
		if (l->ops[i].cls != OP_VIEW || l->ops[i].params > 0)
			print_op(a, l, &l->ops[i], ks->kernel_of[i]);
}

static void
print_engine(struct arena *a, const struct layers *l, enum engine e, int batch)
{
	struct kernels *ks = layers_fused(a, l, e);
	double peak = layers_activation_peak(a, l, ks, false, NULL);

	printf("  %-10s %6d kernels  %10.1f MB moved  %9.1f MiB of "
	       "activations alive\n",
	    engine_id(e), ks->launches, kernels_bytes(ks, half, batch) / 1e6,
	    peak * half * batch / (1 << 20));
}

static void
print_totals(struct arena *a, const struct layers *l, int batch)
{
	struct layer_totals t = layers_totals(l);

	printf("\n%s at %s\n", l->id, shape_text(a, l->input));
	printf("  %-26s %12.4f\n  %-26s %12.4f\n  %-26s %12.4f\n",
	    "GMAC of one image", t.macs / 1e9, "million parameters",
	    t.params / 1e6, "million activations", t.activations / 1e6);
	for (int c = 0; c < OP_CLASS_N; c++)
		if (t.macs_of[c] > 0)
			printf("    %-24s %11.1f%%\n",
			    op_class_id((enum op_class)c),
			    100 * t.macs_of[c] / t.macs);
	printf("a batch of %d at FP16:\n", batch);
	print_engine(a, l, ENGINE_EAGER, batch);
	print_engine(a, l, ENGINE_COMPILED, batch);
	print_engine(a, l, ENGINE_TENSORRT, batch);
}

void
network_print(struct arena *a, const struct layers *l, int batch)
{
	print_table(a, l);
	print_totals(a, l, batch);
}

static void
print_published(const struct layer_book *book, const struct layers *l)
{
	const struct layer_net *net = layer_net_find(book, l->id);

	for (int i = 0; i < net->n_published; i++) {
		const struct layer_published *p = &net->published[i];

		printf("published: '%s' at %dx%d", p->row, p->in_w, p->in_h);
		if (p->params.known)
			printf(", %g M parameters", p->params.value / 1e6);
		if (p->macs.known)
			printf(", %g GMAC (%s)", p->macs.value / 1e9,
			    layer_basis_id(p->basis));
		printf(" [%s]\n",
		    p->params.known ? p->params.src : p->macs.src);
	}
	if (net->n_published == 0)
		puts("published: no count to hold this list against");
	if (net->note)
		printf("note: %s\n", net->note);
}

/* "640x480", width first; false if it is none. */
static bool
read_size(const char *s, int *w, int *h)
{
	int x, y;
	char end;

	if (sscanf(s, "%6dx%6d%c", &x, &y, &end) != 2 || x < 1 || y < 1)
		return false;
	*w = x;
	*h = y;
	return true;
}

static bool
read_args(const struct options *o, int *w, int *h, int *batch)
{
	for (int i = 1; i < o->n_args; i++) {
		char *end;
		long v;

		if (read_size(o->args[i], w, h))
			continue;
		v = strtol(o->args[i], &end, 10);
		if (*end || v < 1 || v > MAX_BATCH) {
			fprintf(stderr,
			    "whygpu: '%s' is neither a size "
			    "(640x480) nor a batch (1 to %d)\n",
			    o->args[i], MAX_BATCH);
			return false;
		}
		*batch = (int)v;
	}
	return true;
}

static void
print_list(struct arena *a, const struct layer_book *book)
{
	for (int i = 0; i < book->n_nets; i++) {
		const struct layer_net *n = &book->nets[i];

		printf("%-32s %-14s %s\n", n->id,
		    shape_text(a,
			(struct shape){1, n->in_c, n->in_d, n->in_h, n->in_w}),
		    n->n_published ? "" : "(no published count)");
	}
}

static bool
network(struct arena *a, const struct options *o, int w, int h, int batch,
    struct diag *d)
{
	struct layer_book *book;
	struct layers *l;

	if (o->n_args > 0 && network_is_onnx(o->args[0]))
		return network_onnx(a, o, w, h, batch, d);
	book = layers_read(a, o->catalogs, o->n_catalogs, d);
	if (d->n_errors > 0)
		return false;
	if (o->n_args == 0) {
		print_list(a, book);
		return true;
	}
	l = layers_expand(a, book, o->args[0], w, h, d);
	if (!l)
		return false;
	network_print(a, l, batch);
	print_published(book, l);
	return true;
}

int
command_network(const struct options *o)
{
	int w = 0, h = 0, batch = o->batch ? o->batch : 1;
	struct arena *a;
	struct diag d;
	bool ok;

	if (!read_args(o, &w, &h, &batch))
		return EXIT_USAGE;
	a = arena_new();
	diag_init(&d, a);
	ok = network(a, o, w, h, batch, &d);
	diag_print(&d, stderr);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
