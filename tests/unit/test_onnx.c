/* ONNX files: reading, shapes, costs, and what is wrong with them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>

#include "input/onnx_net.h"
#include "model/layers.h"
#include "model/onnx_shape.h"
#include "onnx_fixture.h"

struct run {
	struct diag d;
	struct graph_model *m;
	struct onnx_net *net;
	struct layer_totals t;
};

static struct run
read_it(struct fixture *f, const struct onnx_size *sizes, int n)
{
	struct run r = {0};

	diag_init(&r.d, f->a);
	r.m = onnx_read(f->a, f->path, (struct pos){0}, &r.d);
	if (r.m)
		r.net = onnx_expand(f->a, r.m, sizes, n, &r.d);
	assert_true((r.net != NULL) == (r.d.n_errors == 0));
	if (r.net)
		r.t = layers_totals(r.net->layers);
	return r;
}

/* The model with this main graph, read back and expanded. */
static struct run
run_sized(struct fixture *f, const char *text, const struct onnx_size *sizes,
    int n)
{
	unsigned char *data;
	size_t len;

	f->m->graph = fx_graph(f, text);
	data = fx_pack(f, &len);
	fx_write(f, data, len);
	return read_it(f, sizes, n);
}

static struct run
run(struct fixture *f, const char *text)
{
	return run_sized(f, text, NULL, 0);
}

static void
print_problems(const struct run *r)
{
	if (r->d.n_errors)
		diag_print(&r->d, stderr);
}

static const char *
shape_of(struct fixture *f, const struct run *r, const char *name)
{
	struct str s;

	str_init(&s, f->a);
	for (int i = 0; r->net && i < r->net->n_values; i++) {
		const struct onnx_value *v = &r->net->values[i];

		if (!str_equal(v->name, name))
			continue;
		str_add(&s, v->bounded ? "~" : "");
		for (int j = 0; j < v->rank; j++)
			str_addf(&s, "%s%.0f", j ? "x" : "", v->dims[j]);
		return v->rank ? s.s : "scalar";
	}
	return "none";
}

static const char *
first_problem(const struct run *r)
{
	return r->d.n ? r->d.problems[0].id : "none";
}

static void
check_error(const char *text, const char *id, const char *says)
{
	struct fixture f;
	struct run r;

	fx_begin(&f, 13);
	r = run(&f, text);
	assert_string_equal(first_problem(&r), id);
	if (!strstr(r.d.problems[0].text, says))
		fail_msg("'%s' does not say '%s'", r.d.problems[0].text, says);
	fx_end(&f);
}

/*
 * Costs.
 */

static void
conv_is_counted(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *op;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x32x32\n"
		    "w k 8x3x3x3\n"
		    "w b 8\n"
		    "Conv x k b > y pads=[1,1,1,1] strides=[2,2]\n"
		    "out y\n");
	print_problems(&r);
	/* floor((32+2-3)/2)+1 = 16; 16*16 points, 8 kernels of 27 */
	assert_string_equal(shape_of(&f, &r, "y"), "1x8x16x16");
	assert_true(r.t.macs == 256.0 * 8 * 27);
	assert_true(r.t.params == 8 * 27 + 8);
	assert_true(r.t.activations == 8 * 256);
	op = &r.net->layers->ops[0];
	assert_int_equal(op->cls, OP_CONV);
	assert_true(op->m == 256 && op->n == 8 && op->k == 27);
	assert_int_equal(op->kernel, 3);
	assert_int_equal(op->stride, 2);
	assert_int_equal(r.net->layers->n_outputs, 1);
	fx_end(&f);
}

static void
groups_are_told_apart(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x8x10x10\n"
		    "w k 8x1x3x3\n"
		    "w g 16x4x1x1\n"
		    "Conv x k > y group=8 pads=[1,1,1,1]\n"
		    "Conv y g > z group=2\n"
		    "out z\n");
	print_problems(&r);
	assert_int_equal(r.net->layers->ops[0].cls, OP_DEPTHWISE);
	assert_int_equal(r.net->layers->ops[1].cls, OP_GROUPED);
	/* 100 points x 8 channels x 9, and 100 x 16 x 4 */
	assert_true(r.t.macs == 7200 + 6400);
	fx_end(&f);
}

static void
products_are_told_apart(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *ops;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 2x10x64\n"
		    "w k 64x96\n"
		    "w b 96\n"
		    "MatMul x k > y\n"
		    "Add y b > z\n"
		    "Transpose z > t perm=[0,2,1]\n"
		    "MatMul z t > s\n"
		    "Softmax s > p axis=-1\n"
		    "MatMul p z > o\n"
		    "out o\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "s"), "2x10x10");
	assert_string_equal(shape_of(&f, &r, "o"), "2x10x96");
	ops = r.net->layers->ops;
	assert_int_equal(ops[0].cls, OP_LINEAR);
	assert_true(ops[0].m == 20 && ops[0].n == 96 && ops[0].k == 64);
	assert_true(ops[1].params == 96);
	assert_int_equal(ops[2].cls, OP_COPY);
	/* queries times keys: 2 products of 10 x 96 by 96 x 10 */
	assert_int_equal(ops[3].cls, OP_ATTENTION);
	assert_true(ops[3].count == 2 && ops[3].macs == 2 * 10 * 10 * 96.0);
	assert_true(r.t.params == 64 * 96 + 96);
	fx_end(&f);
}

static void
weights_are_counted_once(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x8x10x10\n"
		    "w k 8x8x1x1\n"
		    "Conv x k > y\n"
		    "Conv y k > z\n"
		    "out z\n");
	print_problems(&r);
	assert_true(r.t.params == 64);
	assert_true(r.t.weights == 128);
	fx_end(&f);
}

static void
recurrence_counts_its_steps(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *op;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 20x1x32\n"
		    "w w 2x64x32\n"
		    "w r 2x64x16\n"
		    "w b 2x128\n"
		    "LSTM x w r b > y h c hidden_size=16 "
		    "direction=bidirectional\n"
		    "out y\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "20x2x1x16");
	assert_string_equal(shape_of(&f, &r, "h"), "2x1x16");
	op = &r.net->layers->ops[0];
	/* 20 steps, two ways, 4 gates of 16 from 32 + 16 */
	assert_true(op->macs == 20 * 2 * 64 * 48.0);
	assert_int_equal(op->steps, 40);
	assert_true(r.t.params == 2 * 64 * 48 + 2 * 128);
	fx_end(&f);
}

static void
transposed_conv_is_counted_on_its_input(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x16x10x10\n"
		    "w k 16x8x2x2\n"
		    "ConvTranspose x k > y strides=[2,2]\n"
		    "out y\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "1x8x20x20");
	/* 100 points x 16 channels, each to 8 x 2 x 2 */
	assert_true(r.t.macs == 100 * 16 * 32.0);
	fx_end(&f);
}

static void
joined_attention_is_counted(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *ops;

	(void)state;
	fx_begin(&f, 17);
	r = run(&f, "in x 2x10x64\n"
		    "w w 64x192\nw b 192\n"
		    "com.microsoft:Attention x w b > y num_heads=4\n"
		    "in k 2x30x64\n"
		    "com.microsoft:MultiHeadAttention y k k > z "
		    "num_heads=4\n"
		    "out z\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "2x10x64");
	assert_string_equal(shape_of(&f, &r, "z"), "2x10x64");
	ops = r.net->layers->ops;
	/* 20 tokens by 64 x 192, then 2 x (10 x 10) x (64 + 64) */
	assert_true(ops[0].macs == 20 * 64 * 192 + 2 * 100 * 128.0);
	assert_true(ops[0].params == 64 * 192 + 192);
	/* 4 heads of 2 pictures: 10 x 30 x (16 + 16) */
	assert_true(ops[1].macs == 8 * 10 * 30 * 32.0);
	assert_int_equal(r.net->n_unknown, 0);
	fx_end(&f);
}

static void
einsum_is_a_product(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *op;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in q 1x4x10x32\n"
		    "in k 1x4x12x32\n"
		    "Einsum q k > s equation=bhid,bhjd->bhij\n"
		    "Einsum q k > t equation=...id,...jd->...ij\n"
		    "out s\nout t\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "s"), "1x4x10x12");
	assert_string_equal(shape_of(&f, &r, "t"), "1x4x10x12");
	op = &r.net->layers->ops[0];
	assert_int_equal(op->cls, OP_ATTENTION);
	assert_true(op->m == 10 && op->n == 12 && op->k == 32);
	assert_true(op->count == 4);
	assert_true(r.net->layers->ops[1].macs == op->macs);
	fx_end(&f);
}

static void
quantised_pairs_are_int8(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x8x8\n"
		    "w k 4x3x1x1 3\n"
		    "f s @0.5\n"
		    "w z 1 3\n"
		    "w b 4\n"
		    "QuantizeLinear x s > xq\n"
		    "DequantizeLinear xq s > xd\n"
		    "DequantizeLinear k s > kd\n"
		    "Conv xd kd b > y\n"
		    "w p 4x4x1x1\n"
		    "Conv y p > o\n"
		    "out o\n");
	print_problems(&r);
	assert_true(r.t.macs == 64 * 12 + 64 * 16);
	assert_true(r.net->macs_int8 == 64 * 12);
	assert_int_equal(r.net->quantised, 3);
	assert_true(r.t.params == 12 + 4 + 16);
	fx_end(&f);
}

static void
integer_products_are_int8(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x8x8\n"
		    "w k 4x3x1x1 3\n"
		    "w v 4x5 3\n"
		    "f s @0.5\n"
		    "w z 1 2\n"
		    "w ks 4\n"
		    "DynamicQuantizeLinear x > q qs qz\n"
		    "QLinearConv q s z k ks z s z > y\n"
		    "i to 64,4\n"
		    "Reshape y to > f\n"
		    "MatMulInteger f v z z > o\n"
		    "out o\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "o"), "64x5");
	assert_true(r.t.macs == 64 * 12 + 64 * 20);
	assert_true(r.net->macs_int8 == r.t.macs);
	assert_true(r.t.params == 12 + 20);
	fx_end(&f);
}

/*
 * Shapes.
 */

/* A line, and the shape of y it must give; x is 2x6x8x10. */
static const struct {
	const char *lines, *want;
} shapes[] = {
    {"MaxPool x > y kernel_shape=[3,3] strides=[2,2]", "2x6x3x4"},
    /* (8-3)/2 = 2.5 up 3, plus 1; (10-3)/2 = 3.5 up 4, plus 1 */
    {"MaxPool x > y kernel_shape=[3,3] strides=[2,2] ceil_mode=1", "2x6x4x5"},
    /* the fifth window of three would start at 8, past the picture */
    {"MaxPool x > y kernel_shape=[1,1] strides=[3,3] ceil_mode=1", "2x6x3x4"},
    {"AveragePool x > y kernel_shape=[3,3] strides=[3,3] "
     "auto_pad=SAME_UPPER",
	"2x6x3x4"},
    {"AveragePool x > y kernel_shape=[3,3] auto_pad=VALID", "2x6x6x8"},
    {"MaxPool x > y kernel_shape=[3,3] dilations=[2,2]", "2x6x4x6"},
    /* a window larger than the picture still fits once */
    {"MaxPool x > y kernel_shape=[9,2] strides=[2,2]", "2x6x1x5"},
    {"GlobalAveragePool x > y", "2x6x1x1"},
    {"Flatten x > y", "2x480"},
    {"Flatten x > y axis=0", "1x960"},
    {"Transpose x > y", "10x8x6x2"},
    {"Transpose x > y perm=[0,2,3,1]", "2x8x10x6"},
    {"i s 0,-1,8\nReshape x s > y", "2x60x8"},
    {"Shape x > s\ni a 0,1\nGather s a > h\ni m -1\n"
     "Concat h m > t axis=0\nReshape x t > y",
	"2x6x80"},
    {"Shape x > s start=2\nReduceProd s > p keepdims=0\ni z 0\n"
     "Unsqueeze p z > q\ni b 12\nConcat b q > t axis=0\n"
     "Reshape x t > y",
	"12x80"},
    {"Shape x > s\ni two @2\nDiv s two > h\ni f 1\ni t 3\n"
     "Slice h f t > g\nConstantOfShape g > y",
	"3x4"},
    {"i s 1\ni e -1\ni a 3\nSlice x s e a > y", "2x6x8x8"},
    /* backwards by two from the last: 9 7 5 3 1 */
    {"i s -1\ni e -9223372036854775807\ni a -1\ni t -2\n"
     "Slice x s e a t > y",
	"2x6x8x5"},
    {"i s 9223372036854775807\ni e 9223372036854775807\ni a 0\n"
     "Slice x s e a > y",
	"0x6x8x10"},
    {"Split x > a y b axis=1", "2x2x8x10"},
    {"i p 1,5\nSplit x p > a y axis=1", "2x5x8x10"},
    {"Concat x x x > y axis=1", "2x18x8x10"},
    {"i a 0\nGather x a > y axis=2", "2x6x1x10"},
    {"i a @3\nGather x a > y axis=-1", "2x6x8"},
    {"w g 5x7x3 7\nGatherND x g > y", "5x7x10"},
    {"i s 4,1,6,8,10\ni z 0\nUnsqueeze x z > u\nExpand u s > y", "4x2x6x8x10"},
    {"i r 1,2,1,3\nTile x r > y", "2x12x8x30"},
    {"i p 0,0,1,2,0,0,3,4\nPad x p > y", "2x6x12x16"},
    {"i p 1,1\ni a -1\nPad x p - a > y", "2x6x8x12"},
    {"f s 1,1,2,2\nResize x - s > y", "2x6x16x20"},
    {"f s 1,1,0.5,0.3\nResize x - s > y", "2x6x4x3"},
    {"i z 2,6,13,17\nResize x - - z > y", "2x6x13x17"},
    {"f s 1,1,3,3\nUpsample x s > y", "2x6x24x30"},
    {"ReduceMean x > y axes=[2,3]", "2x6x1x1"},
    {"ReduceMean x > y axes=[-1] keepdims=0", "2x6x8"},
    {"i a 1\nReduceSum x a > y keepdims=0", "2x8x10"},
    {"ReduceMax x > y keepdims=0", "scalar"},
    {"ArgMax x > y axis=1 keepdims=0", "2x8x10"},
    {"i k 5\nTopK x k > y at axis=3", "2x6x8x5"},
    {"w b 6x1x1\nAdd x b > y", "2x6x8x10"},
    {"w b 3x1x1x1x1\nMul x b > y", "3x2x6x8x10"},
    {"Equal x x > y", "2x6x8x10"},
    {"Equal x x > c\nf s @1\nWhere c x s > y", "2x6x8x10"},
    {"w g 2x5x4x2\nGridSample x g > y", "2x6x5x4"},
    {"w r 7x4\nw b 7 7\nRoiAlign x r b > y output_height=3 "
     "output_width=5",
	"7x6x3x5"},
    {"i p 0,2,0,0,0,0,0,0\nPad x p > q\n"
     "DepthToSpace q > y blocksize=2",
	"2x2x16x20"},
    {"SpaceToDepth x > y blocksize=2", "2x24x4x5"},
    {"i a @0\ni b @10\ni d @3\nRange a b d > y", "4"},
    {"i n 2,3\nConstantOfShape n > c\nNonZero c > y", "~2x6"},
    {"Identity x > y", "2x6x8x10"},
    {"Dropout x > y mask", "2x6x8x10"},
    {"i d 4\nOneHot i1 d v > y\ni i1 1,2,3\nf v 0,1", "3x4"},
    {"i s 3,3,3,3,3,3\ni at 1,4\ni by 7,9\n"
     "i two 2,1\nReshape at two > at2\n"
     "ScatterND s at2 by > t\nConstantOfShape t > y",
	"3x7x3x3x9x3"},
    {"Size x > n\ni u -1\nReshape n u > m\nReshape x m > y", "960"},
    {"CumSum x a > y\ni a @1", "2x6x8x10"},
    {"i s 2,48,-1\nReshape x s > r\nw sc 48\nw bi 48\n"
     "InstanceNormalization r sc bi > y",
	"2x48x10"},
    {"w sc 10\nLayerNormalization x sc > y m d", "2x6x8x10"},
};

static void
shapes_are_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct fixture f;
		struct run r;
		const char *text;

		fx_begin(&f, 13);
		/* a product, for a network without one is refused */
		text = arena_printf(f.a,
		    "in x 2x6x8x10\n%s\nw k0 1x6x1x1\n"
		    "Conv x k0 > o0\nout o0\nout y\n",
		    shapes[i].lines);
		r = run(&f, text);
		print_problems(&r);
		if (!str_equal(shape_of(&f, &r, "y"), shapes[i].want))
			fail_msg("%s: %s, not %s", shapes[i].lines,
			    shape_of(&f, &r, "y"), shapes[i].want);
		fx_end(&f);
	}
}

static void
attributes_of_old_versions_work(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 9);
	r = run(&f, "in x 1x3x8x8\n"
		    "w k 4x3x1x1\n"
		    "Conv x k > c\n"
		    "Slice c > s starts=[1] ends=[3] axes=[1]\n"
		    "Pad s > p pads=[0,0,1,1,0,0,1,1]\n"
		    "Split p > a b axis=1 split=[1,1]\n"
		    "Squeeze a > q axes=[1]\n"
		    "Unsqueeze q > y axes=[0]\n"
		    "out y\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "p"), "1x2x10x10");
	assert_string_equal(shape_of(&f, &r, "y"), "1x1x10x10");
	fx_end(&f);
}

static void
kept_boxes_are_bounded(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x4x20x20\n"
		    "w k 8x4x1x1\n"
		    "Conv x k > y\n"
		    "i bs 1,400,8\n"
		    "Reshape y bs > f\n"
		    "i four 4,4\n"
		    "Split f four > boxes s axis=2\n"
		    "Transpose s > scores perm=[0,2,1]\n"
		    "i most 100\n"
		    "NonMaxSuppression boxes scores most > kept\n"
		    "i col @2\n"
		    "Gather kept col > rows axis=1\n"
		    "Gather boxes rows > y2 axis=1\n"
		    "out y2\n");
	print_problems(&r);
	/* 4 classes of at most 100 boxes */
	assert_string_equal(shape_of(&f, &r, "kept"), "~400x3");
	assert_string_equal(shape_of(&f, &r, "y2"), "~1x400x4");
	assert_true(r.net->bounded == 3);
	fx_end(&f);
}

/*
 * Inputs.
 */

static const struct onnx_size hd = {"x", 4, {1, 3, 720, 1280}};

#define OPEN_NET                                                               \
	"w k 4x3x1x1\n"                                                        \
	"Conv x k > y\n"                                                       \
	"out y\n"

static void
open_sides_are_asked_for(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x batchx3xheightxwidth\n" OPEN_NET);
	assert_string_equal(first_problem(&r), "onnx-dynamic");
	assert_non_null(strstr(r.d.problems[0].text,
	    "input 'x' leaves sides open: 2 (height), 3 (width)"));
	assert_non_null(strstr(r.d.problems[0].note, "--input x=1x3xHxW"));
	r = run_sized(&f, "in x batchx3xheightxwidth\n" OPEN_NET, &hd, 1);
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "1x4x720x1280");
	fx_end(&f);
}

static void
minus_one_and_zero_are_open(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x -1x3x0x64\n" OPEN_NET);
	assert_string_equal(first_problem(&r), "onnx-dynamic");
	assert_non_null(strstr(r.d.problems[0].text, "open: 2"));
	fx_end(&f);
}

static void
a_symbol_is_the_same_everywhere(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run_sized(&f,
	    "in x Nx3xHxW\n"
	    "in z Nx1xHxW\n" OPEN_NET "Mul y z > o\nout o\n",
	    &hd, 1);
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "z"), "1x1x720x1280");
	assert_string_equal(shape_of(&f, &r, "o"), "1x4x720x1280");
	fx_end(&f);
}

static void
a_stated_size_can_be_changed(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run_sized(&f, "in x 1x3x64x64\n" OPEN_NET, &hd, 1);
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "1x4x720x1280");
	fx_end(&f);
}

static void
wrong_sizes_are_refused(void **state)
{
	static const struct onnx_size other = {"image", 4, {1, 3, 8, 8}};
	static const struct onnx_size flat = {"x", 3, {3, 8, 8}};
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run_sized(&f, "in x 1x3x64x64\n" OPEN_NET, &other, 1);
	assert_string_equal(first_problem(&r), "onnx-input");
	assert_non_null(strstr(r.d.problems[0].note, "'x'"));
	r = run_sized(&f, "in x 1x3x64x64\n" OPEN_NET, &flat, 1);
	assert_string_equal(first_problem(&r), "onnx-input");
	fx_end(&f);
}

static void
initialisers_are_no_inputs(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 8);
	r = run(&f, "in x 1x3x64x64\n"
		    "in k 4x3x1x1\n" OPEN_NET);
	print_problems(&r);
	assert_int_equal(r.m->main->n_in, 1);
	assert_true(r.t.params == 12);
	fx_end(&f);
}

static void
channels_last_are_noticed(void **state)
{
	(void)state;
	check_error("in x 1x640x640x3\nw k 16x3x3x3\nConv x k > y\nout y\n",
	    "onnx-channels", "channels last");
}

/*
 * Graphs in nodes.
 */

#define TWO_BRANCHES(test)                                                     \
	"in x 1x4x8x8\n"                                                       \
	"w small 4x4x1x1\n"                                                    \
	"w large 4x4x3x3\n" test "If c > y then_branch=$a else_branch=$b\n"    \
	"out y\n"

static void
make_branches(struct fixture *f)
{
	fx_begin(f, 13);
	fx_body(f, 'a', "Conv x small > ya\nout ya\n");
	fx_body(f, 'b', "Conv x large > yb pads=[1,1,1,1]\nout yb\n");
}

static void
a_known_test_takes_its_branch(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	make_branches(&f);
	r = run(&f,
	    TWO_BRANCHES("Shape x > s\ni four 1,4,8,8\n"
			 "Equal s four > e\nReduceMin e > c keepdims=0\n"));
	print_problems(&r);
	assert_true(r.t.macs == 64 * 16);
	assert_true(r.t.params == 16);
	fx_end(&f);
}

static void
an_open_test_takes_the_dearer_branch(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	make_branches(&f);
	r = run(&f, TWO_BRANCHES("ReduceMax x > m keepdims=0\nf z @0\n"
				 "Greater m z > c\n"));
	print_problems(&r);
	assert_true(r.t.macs == 64 * 16 * 9);
	assert_true(r.t.params == 144);
	assert_string_equal(shape_of(&f, &r, "y"), "1x4x8x8");
	fx_end(&f);
}

static void
a_loop_runs_its_turns(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_body(&f, 'b',
	    "in i x\nin c x\nin h 1x4x8x8\n"
	    "Conv h k > n\nConcat h n > g axis=1\n"
	    "i s 0\ni e 4\ni a 1\nSlice g s e a > t\n"
	    "Identity c > d\nGlobalAveragePool n > p\n"
	    "out d\nout t\nout p\n");
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "i n @5\n"
		    "Loop n - x > y ps body=$b\n"
		    "out y\nout ps\n");
	print_problems(&r);
	assert_true(r.t.macs == 5 * 64 * 16.0);
	assert_true(r.t.params == 16);
	assert_string_equal(shape_of(&f, &r, "ps"), "5x1x4x1x1");
	assert_int_equal(r.net->n_once, 0);
	fx_end(&f);
}

static void
a_loop_of_unknown_length_is_listed(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_body(&f, 'b',
	    "in i x\nin c x\nin h 1x4x8x8\n"
	    "Conv h k > n\nReduceMax n > m keepdims=0\n"
	    "f z @0\nGreater m z > d\nout d\nout n\n");
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "i yes @1\n"
		    "Loop - yes x > y body=$b\n"
		    "out y\n");
	print_problems(&r);
	assert_true(r.t.macs == 64 * 16);
	assert_int_equal(r.net->n_once, 1);
	fx_end(&f);
}

static void
a_scan_runs_along_its_list(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_body(&f, 'b',
	    "in h 1x8\nin t 1x8\n"
	    "Add h t > s\nMatMul s k > n\nIdentity n > o\n"
	    "out n\nout o\n");
	r = run(&f, "in x 7x1x8\n"
		    "w k 8x8\n"
		    "w h0 1x8\n"
		    "Scan h0 x > h ys body=$b num_scan_inputs=1\n"
		    "out ys\n");
	print_problems(&r);
	assert_true(r.t.macs == 7 * 64);
	assert_string_equal(shape_of(&f, &r, "ys"), "7x1x8");
	fx_end(&f);
}

static void
functions_are_carried_out(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 18);
	fx_function(&f, "my", "Block",
	    "in a 1\nin w 1\nConv a w > b strides=&step\n"
	    "Relu b > c\nout c\n");
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "my:Block x k > y step=[2,2]\n"
		    "my:Block y k > z step=[1,1]\n"
		    "out z\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "1x4x4x4");
	assert_string_equal(shape_of(&f, &r, "z"), "1x4x4x4");
	assert_true(r.t.macs == 2 * 16 * 16);
	assert_int_equal(r.net->n_unknown, 0);
	fx_end(&f);
}

/*
 * Operators without a rule.
 */

static void
unknown_operators_are_bounded(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "w v 4x4x3x3\n"
		    "Conv x k > y\n"
		    "mmcv:Twist y > z\n"
		    "mmcv:Twist z v > o\n"
		    "out o\n");
	print_problems(&r);
	assert_int_equal(r.net->n_unknown, 1);
	assert_string_equal(r.net->unknown[0].op, "Twist");
	assert_string_equal(r.net->unknown[0].domain, "mmcv");
	assert_int_equal(r.net->unknown[0].times, 2);
	/* 256 in, 256 out, twice; 144 weights at 256/4 places: what a 3x3
	 * convolution would take */
	assert_true(r.net->macs_unknown == 2 * 512 + 144 * 64);
	assert_true(r.t.macs == 64 * 16 + r.net->macs_unknown);
	assert_true(r.t.params == 16 + 144);
	assert_string_equal(shape_of(&f, &r, "o"), "~1x4x8x8");
	fx_end(&f);
}

static void
nothing_multiplied_is_refused(void **state)
{
	(void)state;
	check_error("in x 1x3x8x8\nRelu x > y\nout y\n", "onnx-macs",
	    "no convolution");
	check_error("in x 1x3x8x8\ntf:Conv2D x > y\nout y\n", "onnx-macs",
	    "no convolution");
}

/*
 * What exporters take apart.
 */

static void
swish_is_joined(void **state)
{
	struct fixture f;
	struct run r;
	struct kernels *ks;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "Conv x k > y\n"
		    "Sigmoid y > s\n"
		    "Mul y s > z\n"
		    "Conv z k > o\n"
		    "out o\n");
	print_problems(&r);
	assert_int_equal(r.net->layers->n_ops, 3);
	assert_int_equal(r.net->layers->ops[1].act, ACT_SILU);
	ks = layers_fused(f.a, r.net->layers, ENGINE_TENSORRT);
	assert_int_equal(ks->n, 2);
	fx_end(&f);
}

static void
gelu_is_joined(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x4x64\n"
		    "w k 64x64\n"
		    "f r @1.4142\nf one @1\nf half @0.5\n"
		    "MatMul x k > y\n"
		    "Div y r > a\n"
		    "Erf a > b\n"
		    "Add b one > c\n"
		    "Mul y c > d\n"
		    "Mul d half > e\n"
		    "MatMul e k > o\n"
		    "out o\n");
	print_problems(&r);
	/* product, activation, times a half, product */
	assert_int_equal(r.net->layers->n_ops, 4);
	assert_int_equal(r.net->layers->ops[1].act, ACT_GELU);
	fx_end(&f);
}

static void
a_gate_of_something_else_is_not_joined(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x4x8x8\n"
		    "w k 4x4x1x1\n"
		    "GlobalAveragePool x > p\n"
		    "Conv p k > e\n"
		    "HardSigmoid e > s\n"
		    "Mul x s > z\n"
		    "Conv z k > o\n"
		    "out o\n");
	print_problems(&r);
	assert_int_equal(r.net->layers->n_ops, 5);
	fx_end(&f);
}

static void
layer_norm_is_joined(void **state)
{
	struct fixture f;
	struct run r;
	const struct op *op;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x10x64\n"
		    "w k 64x64\nw g 64\nw b 64\nf two @2\nf eps @0.00001\n"
		    "MatMul x k > y\n"
		    "ReduceMean y > m axes=[-1]\n"
		    "Sub y m > d\n"
		    "Pow d two > q\n"
		    "ReduceMean q > v axes=[-1]\n"
		    "Add v eps > ve\n"
		    "Sqrt ve > sd\n"
		    "Div d sd > n\n"
		    "Mul n g > ng\n"
		    "Add ng b > o\n"
		    "out o\n");
	print_problems(&r);
	assert_int_equal(r.net->layers->n_ops, 2);
	op = &r.net->layers->ops[1];
	assert_int_equal(op->word, LAYER_NORM);
	assert_int_equal(op->norm, NORM_LAYER);
	assert_true(op->params == 128);
	fx_end(&f);
}

/*
 * Broken and hostile files.
 */

static void
check_bytes(const void *data, size_t len, const char *id)
{
	struct fixture f;
	struct run r;

	fx_begin(&f, 13);
	fx_write(&f, data, len);
	r = read_it(&f, NULL, 0);
	assert_string_equal(first_problem(&r), id);
	fx_end(&f);
}

static void
a_pointer_is_no_model(void **state)
{
	static const char lfs[] =
	    "version https://git-lfs.github.com/spec/v1\n"
	    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2\n"
	    "size 12345\n";

	(void)state;
	check_bytes(lfs, sizeof(lfs) - 1, "onnx-lfs");
}

static void
an_empty_file_is_no_model(void **state)
{
	(void)state;
	check_bytes("", 0, "onnx-empty");
	/* a model without a graph: only its version */
	check_bytes("\x08\x08", 2, "onnx-empty");
	check_bytes("hello, world\n", 13, "onnx-format");
	check_bytes("<html>not found</html>", 22, "onnx-format");
	check_bytes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12,
	    "onnx-format");
	/* a graph said to be longer than the file */
	check_bytes("\x3a\xff\xff\xff\xff\x07\x0a", 7, "onnx-truncated");
	/* a group, which the format does not use */
	check_bytes("\x0b\x08\x01\x0c", 4, "onnx-format");
}

#define SAMPLE_NET                                                             \
	"in x 1x3x32x32\n"                                                     \
	"w k 8x3x3x3\n"                                                        \
	"i s 1,-1\n"                                                           \
	"f z 1,1,2,2\n"                                                        \
	"Conv x k > y pads=[1,1,1,1]\n"                                        \
	"Sigmoid y > g\n"                                                      \
	"Mul y g > m\n"                                                        \
	"Resize m - z > r mode=nearest\n"                                      \
	"If c > b then_branch=$a else_branch=$b\n"                             \
	"ReduceMax y > mx keepdims=0\n"                                        \
	"Cast mx > c to=9\n"                                                   \
	"Reshape b s > o\n"                                                    \
	"out o\n"

static unsigned char *
sample_bytes(struct fixture *f, size_t *len)
{
	fx_begin(f, 13);
	fx_body(f, 'a', "MaxPool r > p1 kernel_shape=[2,2]\nout p1\n");
	fx_body(f, 'b', "Relu r > p2\nout p2\n");
	f->m->graph = fx_graph(f, SAMPLE_NET);
	return fx_pack(f, len);
}

static void
every_truncation_is_refused(void **state)
{
	struct fixture f;
	size_t len;
	unsigned char *data = sample_bytes(&f, &len);

	(void)state;
	fx_write(&f, data, len);
	assert_int_equal(read_it(&f, NULL, 0).d.n_errors, 0);
	for (size_t n = 0; n < len; n++) {
		struct run r;

		fx_write(&f, data, n);
		r = read_it(&f, NULL, 0);
		/* the opset stands after the graph: without it, no model */
		assert_true(r.d.n_errors > 0);
	}
	fx_end(&f);
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void
changed_bytes_do_no_harm(void **state)
{
	struct fixture f;
	size_t len;
	unsigned char *data = sample_bytes(&f, &len);
	uint32_t seed = 20260131;
	int refused = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct fixture g;
		unsigned char *copy;

		fx_begin(&g, 13);
		copy = arena_alloc(g.a, len, 1);
		memcpy(copy, data, len);
		for (uint32_t n = next_random(&seed) % 4 + 1; n > 0; n--)
			copy[next_random(&seed) % len] =
			    (unsigned char)next_random(&seed);
		fx_write(&g, copy, len);
		refused += read_it(&g, NULL, 0).d.n_errors > 0;
		fx_end(&g);
	}
	assert_true(refused > 1000 && refused < 3000);
	fx_end(&f);
}

static void
cycles_are_refused(void **state)
{
	(void)state;
	check_error("in x 1x3x8x8\nAdd x b > a\nRelu a > b\nout b\n",
	    "onnx-cycle", "waits for itself");
	check_error("in x 1x3x8x8\nAdd a x > a\nout a\n", "onnx-cycle", "Add");
}

static void
any_order_is_read(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x8x8\nw k 4x3x1x1\n"
		    "Relu b > y\nAdd a a > b\nConv x k > a\nout y\n");
	print_problems(&r);
	assert_string_equal(shape_of(&f, &r, "y"), "1x4x8x8");
	fx_end(&f);
}

static void
broken_graphs_are_refused(void **state)
{
	(void)state;
	check_error("in x 1x3x8x8\nRelu nobody > y\nout y\n", "onnx-undefined",
	    "'nobody'");
	check_error("in x 1x3x8x8\nRelu x > y\nout z\n", "onnx-undefined",
	    "'z'");
	check_error("in x 1x3x8x8\nRelu x > y\nAbs x > y\nout y\n",
	    "onnx-duplicate", "'y'");
	check_error("in x 1x3x8x8\nw k 4x5x1x1\nConv x k > y\nout y\n",
	    "onnx-shape", "takes 5 channels");
	check_error("in x 1x3x8x8\nw k 4x3x1x1\nConv x k > y group=0\n"
		    "out y\n",
	    "onnx-shape", "groups");
	check_error("in x 1x3x8x8\nw k 4x3x1x1\nConv x k > y "
		    "strides=[0,1]\nout y\n",
	    "onnx-shape", "stride 0");
	check_error("in x 4x5\nw k 6x7\nMatMul x k > y\nout y\n", "onnx-shape",
	    "5 columns times 6 rows");
	check_error("in x 4x5\ni s 3,-1\nReshape x s > y\nout y\n",
	    "onnx-shape", "20 elements");
	check_error("in x 4x5\ni s -1,-1\nReshape x s > y\nout y\n",
	    "onnx-shape", "two sides");
	check_error("in x 4x5\nTranspose x > y perm=[0,0]\nout y\n",
	    "onnx-shape", "twice");
	check_error("in x 4x5\ni s 0,0\ni e 1,1\ni a 1,-1\n"
		    "Slice x s e a > y\nout y\n",
	    "onnx-shape", "twice");
	check_error("in x 4x5\nAdd x k > y\nw k 3\nout y\n", "onnx-shape",
	    "5 and 3");
	check_error("in x 4x5\nSoftmax > y\nout y\n", "onnx-shape",
	    "input 1 is missing");
	check_error("in x 1x4x8x8\nw k 4x4x1x1\nConv x k\nout x\n",
	    "onnx-shape", "no output");
}

static void
absurd_sizes_are_refused(void **state)
{
	(void)state;
	check_error("in x 1x3x9000000000x9000000000\n" OPEN_NET, "onnx-limit",
	    "elements");
	check_error("in x 1x3x8x8\nw k 9000000000x3x9000000000x1\n"
		    "Conv x k > y\nout y\n",
	    "onnx-limit", "10^13");
	check_error("in x 1x3x8x8\nw k -4x3x1x1\nConv x k > y\nout y\n",
	    "onnx-tensor", "-4");
	check_error("in x 1x3x8x8\nw k 1x1x1x1x1x1x1x1x1x1x1x1\n"
		    "Add x k > y\nout y\n",
	    "onnx-limit", "12 dimensions");
	check_error("in x 1x3x8x8\ni s 1,3,8000000000,8\nf z 0\n"
		    "Expand z s > y\nout y\n",
	    "onnx-shape", "side");
	check_error("in x 1x3x8x8\ni s 2000000000,2000000000\n"
		    "ConstantOfShape s > y\nout y\n",
	    "onnx-limit", "10^13");
	check_error("in x 1x3x8x8\ni p 0,0,0,0,0,0,-9,0\nPad x p > y\n"
		    "out y\n",
	    "onnx-shape", "side of -1");
	check_error("in x 1x3x8x8\nf s 1,1,1e30,1\nResize x - s > y\n"
		    "out y\n",
	    "onnx-shape", "side");
}

static void
weights_in_a_side_file_are_counted(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x8x8\n"
		    "ext k 4x3x1x1 1\n"
		    "Conv x k > y\n"
		    "out y\n");
	print_problems(&r);
	assert_true(r.t.params == 12 && r.t.macs == 64 * 12);
	fx_end(&f);
}

static void
a_shape_in_a_side_file_is_asked_for(void **state)
{
	(void)state;
	check_error("in x 1x3x8x8\next s 2 7\nReshape x s > y\nout y\n",
	    "onnx-external", "'s', which is in the side file 'weights.bin'");
}

static void
endless_loops_end(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_body(&f, 'a', "in i x\nin c x\nIdentity c > d\nout d\n");
	fx_body(&f, 'b',
	    "in i x\nin c x\nLoop - c > body=$a\n"
	    "Identity c > d\nout d\n");
	r = run(&f, "in x 1x3x8x8\ni yes @1\ni n @900000000\n"
		    "w k 4x3x1x1\nConv x k > y\n"
		    "Loop n yes > z body=$b\nout y\n");
	assert_true(r.d.n_errors > 0);
	fx_body(&f, 'a',
	    "in i x\nin c x\nin h 1\nIdentity c > d\n"
	    "Identity h > g\nout d\nout g\n");
	r = run(&f, "in x 1x3x8x8\ni yes @1\n"
		    "w k 4x3x1x1\nConv x k > y\n"
		    "Loop - yes y > z body=$a\nout z\n");
	assert_string_equal(first_problem(&r), "onnx-limit");
	fx_end(&f);
}

static void
deep_graphs_are_refused(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_body(&f, 'a', "Relu x > p0\nout p0\n");
	for (int i = 1; i < 12; i++)
		fx_body(&f, 'a',
		    arena_printf(f.a,
			"If c > p%d "
			"then_branch=$a else_branch=$a\nout p%d\n",
			i, i));
	r = run(&f, "in x 1x3x8x8\nin c 1\n"
		    "If c > y then_branch=$a else_branch=$a\nout y\n");
	assert_string_equal(first_problem(&r), "onnx-limit");
	fx_end(&f);
}

static void
a_function_of_itself_ends(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_function(&f, "my", "Again", "in a 1\nmy:Again a > b\nout b\n");
	r = run(&f, "in x 1x3x8x8\nmy:Again x > y\nout y\n");
	assert_string_equal(first_problem(&r), "onnx-limit");
	fx_end(&f);
}

static void
too_many_nodes_are_refused(void **state)
{
	struct fixture f;
	struct run r;
	Onnx__Graph *g;
	unsigned char *data;
	size_t len;
	enum { N = 200001 };

	(void)state;
	fx_begin(&f, 13);
	g = fx_graph(&f, "in x 1x3x8x8\nRelu x > y\nout y\n");
	g->node = memcpy(arena_alloc(f.a, N, sizeof(*g->node)), g->node,
	    sizeof(*g->node));
	for (int i = 1; i < N; i++)
		g->node[i] = g->node[0];
	g->n_node = N;
	f.m->graph = g;
	data = fx_pack(&f, &len);
	fx_write(&f, data, len);
	r = read_it(&f, NULL, 0);
	assert_string_equal(first_problem(&r), "onnx-limit");
	assert_non_null(strstr(r.d.problems[0].text, "200000 nodes"));
	fx_end(&f);
}

/*
 * Nearly 2 GiB of weights, as a hole in the file: field 9 of the tensor
 * holds 1,900,000,000 bytes.
 */
static void
large_weights_are_stepped_over(void **state)
{
	static const unsigned char tensor[] = {
	    0x08, 0x80, 0xb4, 0xc4, 0xe2, 0x01, /* dims: 475,077,120 */
	    0x10, 0x01,                         /* float */
	    0x42, 0x01, 'k',                    /* name */
	    0x4a, 0x80, 0xd0, 0x91, 0x8a, 0x07  /* raw_data */
	};
	enum { RAW = 1900308480 };
	struct fixture f;
	struct run r;
	unsigned char *rest, head[16], *p = head;
	size_t len, size = sizeof(tensor) + RAW;
	struct arena *a = arena_new();
	FILE *out;

	(void)state;
	fx_begin(&f, 13);
	f.m->graph = fx_graph(&f, "in x 1x3x8x8\nw q 4x3x1x1\n"
				  "Conv x q > y\nMul y y > z\nout z\n");
	rest = fx_pack(&f, &len);
	fx_write(&f, rest, len);
	/* a second graph field adds to the first: only this initialiser */
	out = fopen(f.path, "ab");
	*p++ = 0x3a;
	for (size_t v = size + 6;; v >>= 7) {
		*p++ = (unsigned char)(v < 128 ? v : v | 128);
		if (v < 128)
			break;
	}
	*p++ = 0x2a;
	for (size_t v = size;; v >>= 7) {
		*p++ = (unsigned char)(v < 128 ? v : v | 128);
		if (v < 128)
			break;
	}
	fwrite(head, 1, (size_t)(p - head), out);
	fwrite(tensor, 1, sizeof(tensor), out);
	fflush(out);
	assert_int_equal(ftruncate(fileno(out), ftell(out) + RAW), 0);
	fclose(out);

	diag_init(&r.d, a);
	r.m = onnx_read(a, f.path, (struct pos){0}, &r.d);
	print_problems(&r);
	assert_non_null(r.m);
	assert_int_equal(r.m->main->n_inits, 2);
	assert_true(arena_used(a) < 1 << 20);
	arena_free(a);
	fx_end(&f);
}

static void
a_file_over_2_gib_is_refused(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	fx_write(&f, "", 0);
	assert_int_equal(truncate(f.path, (off_t)1 << 31), 0);
	r = read_it(&f, NULL, 0);
	assert_string_equal(first_problem(&r), "file-size");
	fx_end(&f);
}

static void
what_is_no_file_is_refused(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	strcpy(f.path, "/dev/null");
	r = read_it(&f, NULL, 0);
	assert_string_equal(first_problem(&r), "file-kind");
	strcpy(f.path, "/nowhere/at/all.onnx");
	r = read_it(&f, NULL, 0);
	assert_string_equal(first_problem(&r), "file-missing");
	*f.path = '\0';
	fx_end(&f);
}

static void
versions_are_checked(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 3);
	r = run(&f, "in x 1x3x8x8\n" OPEN_NET);
	assert_string_equal(first_problem(&r), "onnx-opset");
	fx_end(&f);
	fx_begin(&f, 40);
	r = run(&f, "in x 1x3x8x8\n" OPEN_NET);
	assert_int_equal(r.d.n_errors, 0);
	assert_string_equal(first_problem(&r), "onnx-opset");
	fx_end(&f);
}

static void
names_are_made_printable(void **state)
{
	struct fixture f;
	struct run r;

	(void)state;
	fx_begin(&f, 13);
	r = run(&f, "in x 1x3x8x8\nRelu bad\033[2Jname > y\nout y\n");
	assert_string_equal(first_problem(&r), "onnx-undefined");
	assert_null(strchr(r.d.problems[0].text, '\033'));
	fx_end(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(conv_is_counted),
	    cmocka_unit_test(groups_are_told_apart),
	    cmocka_unit_test(products_are_told_apart),
	    cmocka_unit_test(weights_are_counted_once),
	    cmocka_unit_test(recurrence_counts_its_steps),
	    cmocka_unit_test(transposed_conv_is_counted_on_its_input),
	    cmocka_unit_test(joined_attention_is_counted),
	    cmocka_unit_test(einsum_is_a_product),
	    cmocka_unit_test(quantised_pairs_are_int8),
	    cmocka_unit_test(integer_products_are_int8),
	    cmocka_unit_test(shapes_are_right),
	    cmocka_unit_test(attributes_of_old_versions_work),
	    cmocka_unit_test(kept_boxes_are_bounded),
	    cmocka_unit_test(open_sides_are_asked_for),
	    cmocka_unit_test(minus_one_and_zero_are_open),
	    cmocka_unit_test(a_symbol_is_the_same_everywhere),
	    cmocka_unit_test(a_stated_size_can_be_changed),
	    cmocka_unit_test(wrong_sizes_are_refused),
	    cmocka_unit_test(initialisers_are_no_inputs),
	    cmocka_unit_test(channels_last_are_noticed),
	    cmocka_unit_test(a_known_test_takes_its_branch),
	    cmocka_unit_test(an_open_test_takes_the_dearer_branch),
	    cmocka_unit_test(a_loop_runs_its_turns),
	    cmocka_unit_test(a_loop_of_unknown_length_is_listed),
	    cmocka_unit_test(a_scan_runs_along_its_list),
	    cmocka_unit_test(functions_are_carried_out),
	    cmocka_unit_test(unknown_operators_are_bounded),
	    cmocka_unit_test(nothing_multiplied_is_refused),
	    cmocka_unit_test(swish_is_joined),
	    cmocka_unit_test(gelu_is_joined),
	    cmocka_unit_test(a_gate_of_something_else_is_not_joined),
	    cmocka_unit_test(layer_norm_is_joined),
	    cmocka_unit_test(a_pointer_is_no_model),
	    cmocka_unit_test(an_empty_file_is_no_model),
	    cmocka_unit_test(every_truncation_is_refused),
	    cmocka_unit_test(changed_bytes_do_no_harm),
	    cmocka_unit_test(cycles_are_refused),
	    cmocka_unit_test(any_order_is_read),
	    cmocka_unit_test(broken_graphs_are_refused),
	    cmocka_unit_test(absurd_sizes_are_refused),
	    cmocka_unit_test(weights_in_a_side_file_are_counted),
	    cmocka_unit_test(a_shape_in_a_side_file_is_asked_for),
	    cmocka_unit_test(endless_loops_end),
	    cmocka_unit_test(deep_graphs_are_refused),
	    cmocka_unit_test(a_function_of_itself_ends),
	    cmocka_unit_test(too_many_nodes_are_refused),
	    cmocka_unit_test(large_weights_are_stepped_over),
	    cmocka_unit_test(a_file_over_2_gib_is_refused),
	    cmocka_unit_test(what_is_no_file_is_refused),
	    cmocka_unit_test(versions_are_checked),
	    cmocka_unit_test(names_are_made_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
