/*
 * Rules of the operators that multiply: convolutions, matrix products,
 * recurrent layers; and of pooling, which slides the same windows.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "model/onnx_parts.h"

/* A window that slides over the axes from 2 on. */
struct window {
	int axes;
	double k[GRAPH_MAX_RANK], s[GRAPH_MAX_RANK], dil[GRAPH_MAX_RANK];
	double before[GRAPH_MAX_RANK], after[GRAPH_MAX_RANK];
	const char *pad; /* auto_pad */
};

static bool
read_window(struct step *s, const struct val *in, const struct val *w,
    struct window *win)
{
	*win = (struct window){.axes = in->rank - 2,
	    .pad = onnx_text(s, "auto_pad", "NOTSET")};
	if (win->axes < 1)
		return onnx_fail(s, "onnx-shape",
		    "needs three dimensions or more");
	for (int i = 0; i < win->axes; i++) {
		double k = w ? w->dims[i + 2] : 1;

		win->k[i] = onnx_ints(s, "kernel_shape", i, k);
		win->s[i] = onnx_ints(s, "strides", i, 1);
		win->dil[i] = onnx_ints(s, "dilations", i, 1);
		win->before[i] = onnx_ints(s, "pads", i, 0);
		win->after[i] = onnx_ints(s, "pads", i + win->axes, 0);
		if (w && win->k[i] != k)
			return onnx_fail(s, "onnx-shape",
			    "a kernel of %.0f, but weights for %.0f", win->k[i],
			    k);
		if (win->k[i] < 1 || win->s[i] < 1 || win->dil[i] < 1 ||
		    win->k[i] > 1e6 || win->s[i] > 1e6)
			return onnx_fail(s, "onnx-shape",
			    "a kernel of %.0f with stride %.0f and dilation "
			    "%.0f",
			    win->k[i], win->s[i], win->dil[i]);
	}
	return true;
}

static bool
pads_same(const struct window *w)
{
	return str_starts(w->pad, "SAME");
}

static double
slide(double in, const struct window *w, int i, bool up)
{
	double span = w->dil[i] * (w->k[i] - 1) + 1, n;

	if (pads_same(w))
		return ceil(in / w->s[i]);
	n = (in - span) / w->s[i];
	if (!str_equal(w->pad, "VALID"))
		n += (w->before[i] + w->after[i]) / w->s[i];
	/* towards zero, as runtimes divide: a large window fits once */
	if (!up)
		return trunc(n) + 1;
	n = ceil(n) + 1;
	/* the last window must start inside the picture */
	return (n - 1) * w->s[i] >= in + w->before[i] ? n - 1 : n;
}

static double
product_from(const double *v, int from, int to)
{
	double n = 1;

	for (int i = from; i < to; i++)
		n *= v[i];
	return n;
}

static double
most_of(const double *v, int n)
{
	double most = 1;

	for (int i = 0; i < n; i++)
		most = fmax(most, v[i]);
	return most;
}

static enum op_class
conv_class(double in, double groups)
{
	if (groups == 1)
		return OP_CONV;
	return groups == in ? OP_DEPTHWISE : OP_GROUPED;
}

static bool
fail_channels(struct step *s, const struct val *in, double want)
{
	if (in->dims[in->rank - 1] == want) {
		onnx_fail(s, "onnx-channels",
		    "its kernel takes %.0f channels "
		    "on axis 1, which has %.0f: the picture seems to have its "
		    "channels last",
		    want, in->dims[1]);
		return false;
	}
	return onnx_fail(s, "onnx-shape",
	    "its kernel takes %.0f channels, the input has %.0f", want,
	    in->dims[1]);
}

static void
set_conv_op(struct step *s, const struct window *w)
{
	s->op.kernel = (int)most_of(w->k, w->axes);
	s->op.stride = (int)most_of(w->s, w->axes);
}

/* Inputs x and w of a convolution in its several forms. */
static bool
conv_inputs(struct step *s, const struct val **x, const struct val **w)
{
	int at = onnx_is(s, "QLinearConv") ? 3 : 1;

	*x = onnx_need(s, 0);
	*w = onnx_need(s, at);
	s->learns = 1u << at;
	s->learns |= at == 3                     ? 1u << 8
		     : onnx_is(s, "ConvInteger") ? 0
						 : 1u << 2;
	if (!*x || !*w)
		return false;
	if ((*x)->rank == (*w)->rank && (*x)->rank >= 3)
		return true;
	return onnx_fail(s, "onnx-shape",
	    "the picture has %d dimensions, the kernel %d", (*x)->rank,
	    (*w)->rank);
}

static bool
conv_with(struct step *s, const struct val *x, const struct val *w)
{
	double groups = onnx_int(s, "group", 1), dims[GRAPH_MAX_RANK];
	struct window win;

	if (groups < 1 || w->dims[0] < 1 || fmod(w->dims[0], groups) != 0)
		return onnx_fail(s, "onnx-shape",
		    "%.0f groups do not divide %.0f kernels", groups,
		    w->dims[0]);
	if (x->dims[1] != w->dims[1] * groups)
		return fail_channels(s, x, w->dims[1] * groups);
	if (!read_window(s, x, w, &win))
		return false;
	dims[0] = x->dims[0];
	dims[1] = w->dims[0];
	for (int i = 0; i < win.axes; i++)
		dims[i + 2] = slide(x->dims[i + 2], &win, i, false);
	if (!onnx_out(s, 0, onnx_is(s, "ConvInteger") ? ELEM_INT : x->type,
		dims, x->rank))
		return false;
	s->op.cls = conv_class(x->dims[1], groups);
	if (s->op.cls == OP_DEPTHWISE)
		s->op.word = LAYER_DWCONV;
	set_conv_op(s, &win);
	onnx_product(s, dims[0] * product_from(dims, 2, x->rank),
	    dims[1] / groups, w->dims[1] * product_from(win.k, 0, win.axes),
	    groups);
	return true;
}

bool
onnx_conv(struct step *s)
{
	const struct val *x, *w;

	return conv_inputs(s, &x, &w) && conv_with(s, x, w);
}

bool
onnx_deform_conv(struct step *s)
{
	const struct val *x, *w;

	if (!conv_inputs(s, &x, &w))
		return false;
	s->learns = 1u << 1 | 1u << 3;
	return conv_with(s, x, w);
}

static double
grow(const struct step *s, double in, const struct window *w, int i)
{
	double given = onnx_ints(s, "output_shape", i, -1);

	if (onnx_ints_count(s, "output_shape") > w->axes)
		given = onnx_ints(s, "output_shape", i + 2, -1);
	if (given >= 0)
		return given;
	if (pads_same(w))
		return in * w->s[i];
	return w->s[i] * (in - 1) + onnx_ints(s, "output_padding", i, 0) +
	       w->dil[i] * (w->k[i] - 1) + 1 - w->before[i] - w->after[i];
}

bool
onnx_conv_transpose(struct step *s)
{
	double groups = onnx_int(s, "group", 1), dims[GRAPH_MAX_RANK];
	const struct val *x, *w;
	struct window win;

	if (!conv_inputs(s, &x, &w))
		return false;
	if (groups < 1 || fmod(w->dims[0], groups) != 0)
		return onnx_fail(s, "onnx-shape",
		    "%.0f groups do not divide %.0f channels", groups,
		    w->dims[0]);
	if (x->dims[1] != w->dims[0])
		return fail_channels(s, x, w->dims[0]);
	if (!read_window(s, x, w, &win))
		return false;
	dims[0] = x->dims[0];
	dims[1] = w->dims[1] * groups;
	for (int i = 0; i < win.axes; i++)
		dims[i + 2] = grow(s, x->dims[i + 2], &win, i);
	if (!onnx_out(s, 0, x->type, dims, x->rank))
		return false;
	s->op.cls = conv_class(x->dims[1], groups);
	set_conv_op(s, &win);
	onnx_product(s, dims[0] * product_from(x->dims, 2, x->rank),
	    w->dims[1] * product_from(win.k, 0, win.axes), w->dims[0] / groups,
	    groups);
	return true;
}

bool
onnx_pool(struct step *s)
{
	const struct val *x = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];
	struct window win;

	if (!x || !read_window(s, x, NULL, &win))
		return false;
	if (onnx_ints_count(s, "kernel_shape") == 0)
		return onnx_fail(s, "onnx-shape", "no kernel_shape");
	memcpy(dims, x->dims, sizeof(dims));
	for (int i = 0; i < win.axes; i++)
		dims[i + 2] = slide(x->dims[i + 2], &win, i,
		    onnx_int(s, "ceil_mode", 0) != 0);
	set_conv_op(s, &win);
	return onnx_out(s, 0, x->type, dims, x->rank) &&
	       onnx_out(s, 1, ELEM_INT64, dims, x->rank);
}

bool
onnx_global_pool(struct step *s)
{
	const struct val *x = onnx_need(s, 0);
	double dims[GRAPH_MAX_RANK];

	if (!x)
		return false;
	for (int i = 0; i < x->rank; i++)
		dims[i] = i < 2 ? x->dims[i] : 1;
	return onnx_out(s, 0, x->type, dims, x->rank);
}

/*
 * Matrix products.
 */

/* Where the operands of a product stand. */
static int
second_operand(const struct step *s)
{
	return onnx_is(s, "QLinearMatMul") ? 3 : 1;
}

static bool
batch_of_one(const struct val *v)
{
	for (int i = 0; i < v->rank - 2; i++)
		if (v->dims[i] != 1)
			return false;
	return true;
}

/* An operand as a matrix at least: a list is a row, or a column. */
static struct val
as_matrix(const struct val *v, bool column, bool transposed)
{
	struct val m = *v;
	double last;

	if (v->rank == 1) {
		m.rank = 2;
		m.dims[0] = column ? v->dims[0] : 1;
		m.dims[1] = column ? 1 : v->dims[0];
	} else if (transposed) {
		last = m.dims[m.rank - 1];
		m.dims[m.rank - 1] = m.dims[m.rank - 2];
		m.dims[m.rank - 2] = last;
	}
	return m;
}

static void
set_matrix_op(struct step *s, const struct val *a, const struct val *b,
    double batch)
{
	double m = a->dims[a->rank - 2], k = a->dims[a->rank - 1];
	double n = b->dims[b->rank - 1];
	bool linear = a->constant || b->constant;

	s->op.word = linear ? LAYER_LINEAR : LAYER_ATTENTION;
	s->op.cls = linear ? OP_LINEAR : OP_ATTENTION;
	if (batch_of_one(b))
		onnx_product(s, m * batch, n, k, 1);
	else if (batch_of_one(a))
		onnx_product(s, m, n * batch, k, 1);
	else
		onnx_product(s, m, n, k, batch);
}

static bool
matrix_shape(struct step *s, const struct val *a, const struct val *b,
    double *dims, int *rank)
{
	struct val head_a = *a, head_b = *b;

	if (a->dims[a->rank - 1] != b->dims[b->rank - 2])
		return onnx_fail(s, "onnx-shape",
		    "%.0f columns times %.0f rows", a->dims[a->rank - 1],
		    b->dims[b->rank - 2]);
	head_a.rank -= 2;
	head_b.rank -= 2;
	*rank = 0;
	if (!onnx_broadcast(s, dims, rank, &head_a) ||
	    !onnx_broadcast(s, dims, rank, &head_b))
		return false;
	set_matrix_op(s, a, b, product_from(dims, 0, *rank));
	dims[(*rank)++] = a->dims[a->rank - 2];
	dims[(*rank)++] = b->dims[b->rank - 1];
	return true;
}

static enum elem_type
product_type(const struct step *s, const struct val *a)
{
	return onnx_is(s, "MatMulInteger") ? ELEM_INT : a->type;
}

bool
onnx_matmul(struct step *s)
{
	int at = second_operand(s), rank;
	const struct val *a = onnx_need(s, 0), *b = onnx_need(s, at);
	double dims[GRAPH_MAX_RANK];
	struct val ma, mb;

	if (!a || !b)
		return false;
	if (a->rank < 1 || b->rank < 1)
		return onnx_fail(s, "onnx-shape", "a scalar is no matrix");
	s->learns = 1u | 1u << at;
	ma = as_matrix(a, false, onnx_int(s, "transA", 0) != 0);
	mb = as_matrix(b, true, onnx_int(s, "transB", 0) != 0);
	if (!matrix_shape(s, &ma, &mb, dims, &rank))
		return false;
	if (a->rank == 1) {
		dims[rank - 2] = dims[rank - 1];
		rank--;
	}
	if (b->rank == 1)
		rank--;
	return onnx_out(s, 0, product_type(s, a), dims, rank);
}

bool
onnx_gemm(struct step *s)
{
	const struct val *a = onnx_need(s, 0), *b = onnx_need(s, 1);
	double dims[GRAPH_MAX_RANK];
	struct val ma, mb;
	int rank;

	if (!a || !b)
		return false;
	if (a->rank != 2 || b->rank != 2)
		return onnx_fail(s, "onnx-shape", "needs two matrices");
	s->learns = 1u | 1u << 1 | 1u << 2;
	ma = as_matrix(a, false, onnx_int(s, "transA", 0) != 0);
	mb = as_matrix(b, true, onnx_int(s, "transB", 0) != 0);
	return matrix_shape(s, &ma, &mb, dims, &rank) &&
	       onnx_out(s, 0, a->type, dims, rank);
}

/*
 * Einsum: "bhid,bhjd->bhij".
 */

enum { LETTERS = 64, DOTS = 62 }; /* a-z, A-Z; from 52 on those of "..." */

struct einsum {
	double side[LETTERS];
	unsigned char in[LETTERS]; /* bit i: operand i has it */
	bool out[LETTERS];
	int dots; /* dimensions "..." stands for */
};

static int
letter(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

/* The letters of one term into `list`; -1 if there is no such term. */
static int
read_term(const char **text, const struct einsum *e, int *list)
{
	int n = 0;

	for (; **text && **text != ',' && **text != '-'; (*text)++) {
		if (**text == ' ')
			continue;
		if (str_starts(*text, "...")) {
			*text += 2;
			for (int i = 0; i < e->dots; i++, n++)
				if (n < GRAPH_MAX_RANK)
					list[n] = 52 + i;
			continue;
		}
		if (letter(**text) < 0 || n >= GRAPH_MAX_RANK)
			return -1;
		list[n++] = letter(**text);
	}
	return n <= GRAPH_MAX_RANK ? n : -1;
}

static int
count_letters(const char *text)
{
	int n = 0;

	for (; *text && *text != ',' && *text != '-'; text++)
		n += letter(*text) >= 0;
	return n;
}

static bool
read_operands(struct step *s, struct einsum *e, const char **text)
{
	int list[GRAPH_MAX_RANK], n;

	for (int i = 0; i < s->n_in; i++) {
		const struct val *v = onnx_need(s, i);

		if (!v)
			return false;
		if (strchr(*text, '.'))
			e->dots = v->rank - count_letters(*text);
		if (e->dots < 0 || e->dots > 10)
			e->dots = 0;
		n = read_term(text, e, list);
		if (n != v->rank || (**text == ',') != (i + 1 < s->n_in))
			return onnx_fail(s, "onnx-shape",
			    "the equation does not fit the operands");
		for (int j = 0; j < n; j++) {
			e->in[list[j]] |= (unsigned char)(1u << i);
			e->side[list[j]] = fmax(e->side[list[j]], v->dims[j]);
		}
		*text += **text == ',';
	}
	return true;
}

/* No output stated: letters that stand once, in order of the alphabet. */
static int
implied_output(const struct einsum *e, const char *text, int *list)
{
	int n = 0;

	for (int i = 0; i < e->dots && n < GRAPH_MAX_RANK; i++)
		list[n++] = 52 + i;
	for (char c = 'A'; c <= 'z'; c++) {
		const char *at = letter(c) < 0 ? NULL : strchr(text, c);

		if (at && !strchr(at + 1, c) && n < GRAPH_MAX_RANK)
			list[n++] = letter(c);
	}
	return n;
}

static void
set_einsum_op(struct step *s, const struct einsum *e)
{
	double m = 1, n = 1, k = 1, count = 1;
	bool linear = false;

	for (int i = 0; i < LETTERS; i++) {
		double *to = !e->out[i]      ? &k
			     : e->in[i] == 1 ? &m
			     : e->in[i] == 2 ? &n
					     : &count;

		if (e->in[i])
			*to *= e->side[i];
	}
	for (int i = 0; i < s->n_in; i++)
		linear |= s->in[i]->constant;
	s->op.word = linear ? LAYER_LINEAR : LAYER_ATTENTION;
	s->op.cls = linear ? OP_LINEAR : OP_ATTENTION;
	s->learns = 3;
	if (s->n_in > 1)
		onnx_product(s, m, n, k, count * (s->n_in - 1));
}

bool
onnx_einsum(struct step *s)
{
	const char *text = onnx_text(s, "equation", ""), *whole = text;
	struct einsum e = {0};
	double dims[GRAPH_MAX_RANK];
	int list[GRAPH_MAX_RANK], n;

	if (s->n_in < 1 || s->n_in > 8)
		return onnx_fail(s, "onnx-shape", "%d operands", s->n_in);
	if (!read_operands(s, &e, &text))
		return false;
	if (str_starts(text, "->")) {
		text += 2;
		n = read_term(&text, &e, list);
	} else {
		n = implied_output(&e, whole, list);
	}
	if (n < 0)
		return onnx_fail(s, "onnx-shape", "the equation is broken");
	for (int i = 0; i < n; i++) {
		dims[i] = e.side[list[i]];
		e.out[list[i]] = true;
	}
	if (!onnx_out(s, 0, s->in[0]->type, dims, n))
		return false;
	if (s->n_in > 1) {
		set_einsum_op(s, &e);
	} else {
		s->op.word = LAYER_REARRANGE;
		s->op.cls = OP_COPY;
	}
	return true;
}

/*
 * Recurrent layers: every time step reads all weights.
 */

static double
gates(const struct step *s)
{
	if (onnx_is(s, "LSTM"))
		return 4;
	return onnx_is(s, "GRU") ? 3 : 1;
}

static bool
recurrent_outputs(struct step *s, const struct val *x, double dirs,
    double hidden)
{
	bool batch_first = onnx_int(s, "layout", 0) != 0;
	double seq = x->dims[batch_first], n = x->dims[!batch_first];
	double y[] = {seq, dirs, n, hidden}, h[] = {dirs, n, hidden};
	double yb[] = {n, seq, dirs, hidden}, hb[] = {n, dirs, hidden};

	return onnx_out(s, 0, x->type, batch_first ? yb : y, 4) &&
	       onnx_out(s, 1, x->type, batch_first ? hb : h, 3) &&
	       onnx_out(s, 2, x->type, batch_first ? hb : h, 3);
}

bool
onnx_recurrent(struct step *s)
{
	const struct val *x = onnx_need(s, 0), *w = onnx_need(s, 1);
	const struct val *r = onnx_need(s, 2);
	bool batch_first = onnx_int(s, "layout", 0) != 0;
	double steps, hidden;

	if (!x || !w || !r)
		return false;
	if (x->rank != 3 || w->rank != 3 || r->rank != 3)
		return onnx_fail(s, "onnx-shape", "needs three dimensions");
	hidden = r->dims[2];
	if (w->dims[2] != x->dims[2] || w->dims[1] != gates(s) * hidden ||
	    r->dims[1] != w->dims[1] || r->dims[0] != w->dims[0])
		return onnx_fail(s, "onnx-shape",
		    "the weights do not fit the sequence");
	if (!recurrent_outputs(s, x, w->dims[0], hidden))
		return false;
	steps = x->dims[batch_first] * w->dims[0];
	s->learns = 1u << 1 | 1u << 2 | 1u << 3;
	onnx_product(s, x->dims[!batch_first], gates(s) * hidden,
	    x->dims[2] + hidden, steps);
	s->op.steps = (int)fmin(fmax(steps, 1), 1e6);
	/* once counted; the other steps read them again */
	s->op.weights =
	    (val_elems(w) + val_elems(r)) * fmax(x->dims[batch_first] - 1, 0);
	return true;
}
