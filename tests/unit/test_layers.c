/* data/expr.h, data/layers.h, input/layers_in.h, model/layers.h and the
 * networks of catalog/networks/layers/ */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/fs.h"
#include "base/str.h"
#include "data/expr.h"
#include "input/layers_in.h"
#include "model/layers.h"

static struct arena *a;
static struct diag d;
static struct layer_book *shipped;

static int
start(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static void
check_near(double got, double want, double share)
{
	if (fabs(got - want) > share * fabs(want))
		fail_msg("got %.9g, want %.9g", got, want);
}

/*
 * Expressions.
 */

static bool
three_names(void *ctx, const char *name, size_t len, double *v)
{
	(void)ctx;
	*v = *name == 'c' ? 96 : 2;
	return (len == 1 && (*name == 'c' || *name == 'i')) ||
	       (len == 4 && memcmp(name, "in.c", 4) == 0);
}

static double
value(const char *text)
{
	const char *why = "";
	double v;

	if (!expr_value(text, three_names, NULL, &v, a, &why))
		fail_msg("'%s': %s", text, why);
	return v;
}

static void
expr_arithmetic(void **state)
{
	(void)state;
	assert_true(value("1 + 2*3") == 7);
	assert_true(value("(1 + 2)*3") == 9);
	assert_true(value("7//2 + 7%4") == 6);
	assert_true(value("-3 + c/32") == 0);
	assert_true(value("1.25*4") == 5);
	assert_true(value("in.c*2") == 4);
}

static void
expr_rounds_half_to_even_like_the_frameworks(void **state)
{
	(void)state;
	assert_true(value("round(2.5)") == 2);
	assert_true(value("round(3.5)") == 4);
	assert_true(value("ceil(2.01)") == 3);
	assert_true(value("floor(2.99)") == 2);
}

static void
expr_multiples(void **state)
{
	(void)state;
	/* up: 33 to 40.  near: 33 to 32; 13 to 16, since 8 < 0.9 x 13;
	 * 3 to 8, never below one multiple. */
	assert_true(value("up(33, 8)") == 40);
	assert_true(value("near(33, 8)") == 32);
	assert_true(value("near(11, 8)") == 16);
	assert_true(value("near(3, 8)") == 8);
}

static void
expr_choices_and_tests(void **state)
{
	(void)state;
	assert_true(value("pick(i, 10, 20, 30)") == 30);
	assert_true(value("if(c > 90 and i == 2, 5, 6)") == 5);
	assert_true(value("not c > 90 or i >= 3") == 0);
	assert_true(value("min(4, 2, 3) + max(1, 9)") == 11);
}

static void
expr_faults_are_named(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"1/0", "division by zero"},
	    {"1/(i - 2)", "division by zero"},
	    {"dept*3", "nothing is called 'dept'"},
	    {"1 +", "a number, a name or '(' expected"},
	    {"(1", "')' expected"},
	    {"1 2", "unexpected '2'"},
	    {"pick(5, 1, 2)", "'pick' has no value for this index"},
	    {"pow(2, 3)", "unknown function 'pow'"},
	    {"min(1)", "'min' has the wrong number of arguments"},
	    {"up(3, 0)", "a multiple must be above zero"},
	    {"sqrt(0 - 1)", "root of a negative number"},
	    {"1.2.3", "bad number '1.2.3'"},
	    {"", "a number, a name or '(' expected"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *why = NULL;
		double v;

		assert_false(
		    expr_value(cases[i].text, three_names, NULL, &v, a, &why));
		assert_string_equal(why, cases[i].why);
	}
}

static void
expr_depth_and_length_are_bounded(void **state)
{
	char text[2000];
	const char *why = NULL;
	double v;

	(void)state;
	memset(text, '(', 390);
	text[390] = '\0';
	assert_false(expr_value(text, NULL, NULL, &v, a, &why));
	assert_string_equal(why, "nested too deeply");
	memset(text, '-', 390);
	assert_false(expr_value(text, NULL, NULL, &v, a, &why));
	assert_string_equal(why, "nested too deeply");
	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(expr_value(text, NULL, NULL, &v, a, &why));
	assert_string_equal(why, "the expression is too long");
}

/*
 * Small networks written here.
 */

static struct layer_book *
book_of(const char *xml)
{
	char path[] = "/tmp/whygpu-layers-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct layer_book *b = arena_alloc(a, 1, sizeof(*b));

	assert_non_null(f);
	fputs(xml, f);
	fclose(f);
	layers_read_file(a, path, b, &d);
	unlink(path);
	return b;
}

/* A network of 8 x 32 x 32 (after `blocks`) with this body. */
static struct layers *
net_of(const char *blocks, const char *body)
{
	struct layer_book *b = book_of(arena_printf(a,
	    "<layers>%s<network id=\"n\" input=\"8x32x32\">%s</network>"
	    "</layers>",
	    blocks, body));

	return d.n_errors ? NULL : layers_expand(a, b, "n", 0, 0, &d);
}

static struct layers *
net(const char *body)
{
	struct layers *l = net_of("", body);

	if (!l)
		fail_msg("%s", d.n ? d.problems[0].text : "no network");
	return l;
}

static void
check_fault(const char *blocks, const char *body, const char *id)
{
	diag_init(&d, a);
	assert_null(net_of(blocks, body));
	assert_true(d.n_errors >= 1);
	if (strcmp(d.problems[0].id, id) != 0)
		fail_msg("got [%s] %s, want [%s]", d.problems[0].id,
		    d.problems[0].text, id);
}

static struct shape
last(const struct layers *l)
{
	return l->tensors[l->ops[l->n_ops - 1].out].shape;
}

static void
check_shape(struct shape s, double n, double c, double h, double w)
{
	if (s.n != n || s.c != c || s.h != h || s.w != w)
		fail_msg("got %gx%gx%gx%g, want %gx%gx%gx%g", s.n, s.c, s.h,
		    s.w, n, c, h, w);
}

static void
conv_counts(void **state)
{
	struct layers *l;
	struct layer_totals t;

	(void)state;
	/* 3x3, stride 2, 8 to 16 channels on 32x32: 16x16 out;
	 * 16*16*16 outputs of 8*9 products = 294,912 MACs;
	 * 16*8*9 weights + 16 biases = 1,168. */
	l = net("<conv out=\"16\" k=\"3\" s=\"2\"/>");
	t = layers_totals(l);
	check_shape(last(l), 1, 16, 16, 16);
	assert_true(t.macs == 294912);
	assert_true(t.params == 1168);
	assert_true(t.activations == 4096);
	assert_true(
	    l->ops[0].m == 256 && l->ops[0].n == 16 && l->ops[0].k == 72);
}

static void
conv_with_batch_norm_has_no_bias(void **state)
{
	struct layers *l = net("<conv out=\"16\" bn=\"yes\" act=\"relu\"/>");
	struct layer_totals t = layers_totals(l);

	(void)state;
	/* 128 weights and 2 x 16 of the norm */
	assert_true(t.params == 160);
	assert_int_equal(l->n_ops, 3);
	/* timm adds 2 for each of the 16*32*32 outputs */
	assert_true(layers_macs(&t, BASIS_TIMM) - t.macs == 2 * 16384);
	assert_true(layers_params(&t, BASIS_PADDLE) == 192);
}

static void
conv_classes_follow_groups(void **state)
{
	struct layers *l =
	    net("<conv out=\"8\" k=\"3\"/>"
		"<conv out=\"8\" k=\"3\" groups=\"2\"/><dwconv k=\"3\"/>");

	(void)state;
	assert_int_equal(l->ops[0].cls, OP_CONV);
	assert_int_equal(l->ops[1].cls, OP_GROUPED);
	assert_int_equal(l->ops[2].cls, OP_DEPTHWISE);
	/* 2 products of 1024 x 36 by 36 x 4 */
	assert_true(
	    l->ops[1].count == 2 && l->ops[1].n == 4 && l->ops[1].k == 36);
	assert_true(l->ops[1].macs == 2 * 1024 * 36 * 4);
	/* 8 channels of 1024 points by 9 */
	assert_true(l->ops[2].macs == 8 * 1024 * 9);
}

static void
dilation_and_padding(void **state)
{
	(void)state;
	check_shape(last(net("<conv out=\"8\" k=\"3\" dil=\"2\"/>")), 1, 8, 32,
	    32);
	check_shape(last(net("<conv out=\"8\" k=\"3\" p=\"0\"/>")), 1, 8, 30,
	    30);
	check_shape(last(net("<conv out=\"8\" k=\"4\" s=\"4\"/>")), 1, 8, 8, 8);
	check_shape(last(net("<conv out=\"8\" kh=\"1\" kw=\"7\" p=\"0\"/>")), 1,
	    8, 32, 26);
	check_shape(last(net("<pool k=\"3\" s=\"2\"/>")), 1, 8, 15, 15);
	check_shape(last(net("<pool k=\"3\" s=\"2\" ceil=\"yes\"/>")), 1, 8, 16,
	    16);
}

static void
deconv_counts_on_its_input(void **state)
{
	struct layers *l = net("<deconv out=\"4\" k=\"2\" s=\"2\" p=\"0\"/>");
	struct layer_totals t = layers_totals(l);

	(void)state;
	/* 1024 points x 8 channels x 4 channels x 4 taps */
	check_shape(last(l), 1, 4, 64, 64);
	assert_true(t.macs == 131072);
	/* thop counts 4*64*64 outputs of 8 x 4 products */
	assert_true(layers_macs(&t, BASIS_MODULES) == 524288);
}

static void
attention_is_two_products_and_a_softmax(void **state)
{
	struct layers *l = net("<reshape h=\"1024\" w=\"1\"/>"
			       "<linear out=\"24\"/><attention heads=\"2\"/>");
	struct layer_totals t = layers_totals(l);

	(void)state;
	/* packed 24 channels: 2 heads of 4; 1024 x 1024 scores each,
	 * 2*1024*1024*4 MACs, twice */
	check_shape(last(l), 1, 8, 1024, 1);
	assert_true(t.macs_of[OP_ATTENTION] == 2 * 2.0 * 1024 * 1024 * 4);
	assert_int_equal(l->n_ops, 5);
	assert_int_equal(l->ops[3].word, LAYER_SOFTMAX);
	assert_true(layers_macs(&t, BASIS_NO_ATTENTION) == 1024 * 8 * 24);
}

static void
windows_are_copies(void **state)
{
	/* 32 is filled up to 35: 25 windows of 7x7 */
	struct layers *l = net("<rearrange n=\"ceil(H/7)*ceil(W/7)\" h=\"7\" "
			       "w=\"7\" pad=\"yes\"/><linear out=\"24\"/>"
			       "<attention heads=\"1\"/>");

	(void)state;
	check_shape(last(l), 25, 8, 7, 7);
	assert_true(l->ops[2].count == 25 && l->ops[2].m == 49 &&
		    l->ops[2].n == 49 && l->ops[2].k == 8);
}

static void
lstm_runs_step_by_step(void **state)
{
	struct layers *l = net("<pool to=\"0\" toh=\"1\" tow=\"20\"/>"
			       "<lstm hidden=\"16\" both=\"yes\"/>");
	struct layer_totals t = layers_totals(l);

	(void)state;
	/* 4 gates of 16, from 8 + 16 values, 20 steps, two directions;
	 * two biases each */
	assert_true(t.macs == 20 * 2 * 4 * 16 * 24);
	assert_true(t.params == 2 * 4 * 16 * (24 + 2));
	assert_int_equal(l->ops[1].steps, 40);
}

static void
volumes(void **state)
{
	struct layer_book *b =
	    book_of("<layers><network id=\"v\" "
		    "input=\"1x16x16x16\"><conv out=\"2\" k=\"3\"/><pool/>"
		    "<deconv out=\"2\" k=\"2\" s=\"2\" p=\"0\"/></network>"
		    "</layers>");
	struct layers *l = layers_expand(a, b, "v", 0, 0, &d);

	(void)state;
	assert_non_null(l);
	/* 4096 points x 2 x 27 */
	assert_true(l->ops[0].macs == 4096 * 2 * 27);
	assert_true(l->tensors[l->ops[1].out].shape.d == 8);
	assert_true(last(l).d == 16 && last(l).h == 16);
}

static void
names_lists_and_blocks(void **state)
{
	struct layers *l =
	    net_of("<block name=\"pair\" params=\"c d=c*2\">"
		   "<conv out=\"c\" as=\"first\"/><conv out=\"d\"/></block>",
		"<use block=\"pair\" c=\"4\" as=\"p\"/>"
		"<repeat n=\"3\"><conv from=\"p.first\" out=\"i + 1\" "
		"as=\"+parts\"/></repeat>"
		"<concat from=\"p parts\"/>");

	(void)state;
	assert_non_null(l);
	/* 8 + 1 + 2 + 3 channels */
	check_shape(last(l), 1, 14, 32, 32);
	assert_string_equal(l->ops[0].path, "pair");
	assert_int_equal(l->n_outputs, 1);
}

static void
if_else_and_let(void **state)
{
	(void)state;
	check_shape(
	    last(net("<let x=\"4\"/><if test=\"x == C\">"
		     "<conv out=\"1\"/></if><else><conv out=\"x\"/></else>")),
	    1, 4, 32, 32);
}

static void
shared_parameters_count_once(void **state)
{
	struct layer_totals t = layers_totals(
	    net_of("<block name=\"head\"><conv out=\"8\" bias=\"no\"/></block>",
		"<repeat n=\"3\"><use block=\"head\" shared=\"i > 0\"/>"
		"</repeat>"));

	(void)state;
	assert_true(t.params == 64);
	assert_true(t.weights == 192);
	assert_true(t.macs == 3 * 64 * 1024);
}

/*
 * Faults in files.
 */

static void
faults_of_the_file(void **state)
{
	static const struct {
		const char *body, *id;
	} cases[] = {
	    {"<cnv out=\"8\"/>", "layers-word"},
	    {"<conv out=\"8\" strid=\"2\"/>", "layers-attr"},
	    {"<conv k=\"3\"/>", "xml-missing"},
	    {"<conv out=\"8*\"/>", "layers-expr"},
	    {"<conv out=\"x\"/>", "layers-expr"},
	    {"<conv out=\"1.5\"/>", "layers-whole"},
	    {"<conv out=\"0\"/>", "layers-range"},
	    {"<conv out=\"9\" groups=\"2\"/>", "layers-groups"},
	    {"<conv out=\"8\" k=\"99\" p=\"0\"/>", "layers-shape"},
	    {"<conv from=\"nobody\" out=\"8\"/>", "layers-name"},
	    {"<conv from=\"{1\" out=\"8\"/>", "layers-name"},
	    {"<use block=\"nobody\"/>", "layers-block"},
	    {"<add/>", "layers-inputs"},
	    {"<conv out=\"8\" as=\"x\"/><conv out=\"4\"/>"
	     "<add with=\"x\"/>",
		"layers-shape"},
	    {"<conv out=\"8\" s=\"2\" as=\"x\"/><concat with=\"x\" "
	     "from=\"x\"/><resize/><concat with=\"x\"/>",
		"layers-shape"},
	    {"<else><gap/></else>", "layers-else"},
	    {"<act kind=\"99\"/>", "layers-range"},
	    {"<reshape c=\"7\"/>", "layers-shape"},
	    {"", "layers-empty"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_fault("", cases[i].body, cases[i].id);
}

static void
faults_of_blocks(void **state)
{
	const char *block = "<block name=\"b\" params=\"c\">"
			    "<conv out=\"c\"/></block>";

	(void)state;
	check_fault(block, "<use block=\"b\"/>", "layers-param");
	check_fault(block, "<use block=\"b\" c=\"1\" s=\"2\"/>",
	    "layers-param");
	check_fault(arena_printf(a, "%s%s", block, block),
	    "<use block=\"b\" c=\"1\"/>", "layers-duplicate");
	check_fault("<block name=\"b\" params=\"1c\"/>", "<gap/>",
	    "layers-param");
}

static void
hostile_files_end_soon(void **state)
{
	(void)state;
	/* a block in itself, by itself and through another */
	check_fault("<block name=\"b\"><use block=\"b\"/></block>",
	    "<use block=\"b\"/>", "layers-limit");
	check_fault("<block name=\"b\"><use block=\"c\" times=\"2\"/></block>"
		    "<block name=\"c\"><use block=\"b\" times=\"2\"/>"
		    "</block>",
	    "<use block=\"b\"/>", "layers-limit");
	/* work without end, with and without layers */
	check_fault("", "<repeat n=\"1000000000\"><conv out=\"8\"/></repeat>",
	    "layers-limit");
	check_fault("",
	    "<repeat n=\"100000\"><repeat n=\"100000\">"
	    "<let x=\"i\"/></repeat></repeat>",
	    "layers-limit");
	check_fault("<block name=\"e\"/>",
	    "<use block=\"e\" times=\"1000000000\"/>", "layers-limit");
	/* tensors and lists without end */
	check_fault("", "<conv out=\"1000000000\"/>", "layers-shape");
	check_fault("", "<resize scale=\"10000\"/><conv out=\"1000000\"/>",
	    "layers-limit");
	check_fault("",
	    "<repeat n=\"300\"><conv out=\"8\" as=\"+x\"/>"
	    "</repeat>",
	    "layers-limit");
	check_fault("",
	    "<repeat n=\"5000\"><conv out=\"8\" as=\"x{i}\"/>"
	    "</repeat>",
	    "layers-limit");
}

static void
variables_and_parameters_are_bounded(void **state)
{
	struct str s;

	(void)state;
	str_init(&s, a);
	for (int i = 0; i < 300; i++)
		str_addf(&s, "<let v%d=\"1\"/>", i);
	check_fault("", s.s, "layers-limit");
	str_init(&s, a);
	str_add(&s, "<block name=\"b\" params=\"");
	for (int i = 0; i < 100; i++)
		str_addf(&s, "p%d=1 ", i);
	str_add(&s, "\"><gap/></block>");
	check_fault(s.s, "<use block=\"b\"/>", "layers-limit");
}

static void
blocks_doubling_at_each_level_end_soon(void **state)
{
	struct str s;

	(void)state;
	/* 2^30 uses, only 30 deep */
	str_init(&s, a);
	str_add(&s, "<block name=\"b0\"><gap/></block>");
	for (int i = 1; i <= 30; i++)
		str_addf(&s,
		    "<block name=\"b%d\"><use block=\"b%d\"/>"
		    "<use block=\"b%d\"/></block>",
		    i, i - 1, i - 1);
	check_fault(s.s, "<use block=\"b30\"/>", "layers-limit");
}

static void
fault_is_at_its_attribute(void **state)
{
	struct layer_book *b =
	    book_of("<layers>\n"
		    "  <network id=\"n\" input=\"8x32x32\">\n"
		    "    <conv out=\"16\" groups=\"3\"/>\n"
		    "  </network>\n</layers>\n");

	(void)state;
	assert_null(layers_expand(a, b, "n", 0, 0, &d));
	assert_int_equal(d.n, 1);
	assert_int_equal(d.problems[0].pos.line, 3);
	assert_int_equal(d.problems[0].pos.col, 28);
	assert_string_equal(d.problems[0].text,
	    "3 groups do not divide 8 and 16 channels");
}

static void
input_must_divide(void **state)
{
	struct layers *l;

	(void)state;
	assert_null(layers_expand(a, shipped, "yolov8s", 650, 640, &d));
	assert_string_equal(d.problems[0].id, "layers-input");
	assert_string_equal(d.problems[0].note, "the next size is 672x640");
	assert_null(layers_expand(a, shipped, "iresnet50", 224, 224, &d));
	assert_null(layers_expand(a, shipped, "yolov8q", 0, 0, &d));
	assert_string_equal(d.problems[2].id, "layers-unknown");
	/* case and punctuation do not matter */
	l = layers_expand(a, shipped, "YOLO v8-s", 0, 0, &d);
	assert_non_null(l);
	assert_string_equal(l->id, "yolov8s");
}

static void
write_layers(const char *dir, const char *xml)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/networks", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/networks/layers", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/networks/layers/own.xml", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(xml, f);
	fclose(f);
}

static void
remove_layers(const char *dir)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/networks/layers/own.xml", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/networks/layers", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/networks", dir);
	rmdir(path);
	rmdir(dir);
}

/* A folder of the user's beside ours: one network of its own, built from our
 * blocks, and one in place of ours. */
static void
a_later_folder_adds_and_replaces(void **state)
{
	char dir[] = "/tmp/whygpu-layers-XXXXXX";
	const char *dirs[2] = {"catalog", dir};
	struct layer_book *b;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_layers(dir,
	    "<layers>"
	    "<network id=\"ours\" input=\"3x224x224\">"
	    "<use block=\"resnet\" n1=\"1\" n2=\"1\" n3=\"1\" n4=\"1\"/>"
	    "</network><network id=\"resnet18\" input=\"3x64x64\">"
	    "<gap/></network></layers>");
	b = layers_read(a, dirs, 2, &d);
	remove_layers(dir);
	assert_int_equal(d.n_errors, 0);
	assert_int_equal(b->n_nets, shipped->n_nets + 1);
	assert_int_equal(layer_net_find(b, "resnet18")->in_w, 64);
	assert_non_null(layers_expand(a, b, "ours", 0, 0, &d));
}

static void
sizes_are_fitted(void **state)
{
	const struct layer_net *yolo = layer_net_find(shipped, "yolov8s");
	const struct layer_net *face = layer_net_find(shipped, "iresnet50");
	int w = 1920, h = 1080;

	(void)state;
	layer_net_fit(yolo, &w, &h);
	assert_true(w == 1920 && h == 1088);
	layer_net_fit(face, &w, &h);
	assert_true(w == 112 && h == 112);
}

/*
 * Kernels and memory, by hand.
 */

static void
fusion_of_a_residual_block(void **state)
{
	/* conv, norm, relu, conv, norm, add, relu */
	struct layers *l =
	    net("<let c=\"8\"/><take as=\"x\"/>"
		"<conv out=\"8\" k=\"3\" bn=\"yes\" act=\"relu\"/>"
		"<conv out=\"8\" k=\"3\" bn=\"yes\"/>"
		"<add with=\"x\" act=\"relu\"/>");
	struct kernels *trt, *compiled, *eager;

	(void)state;
	trt = layers_fused(a, l, ENGINE_TENSORRT);
	compiled = layers_fused(a, l, ENGINE_COMPILED);
	eager = layers_fused(a, l, ENGINE_EAGER);
	assert_int_equal(trt->n, 2);
	assert_int_equal(compiled->n, 4);
	assert_int_equal(eager->n, 7);
	/* in maps of 8,192: TensorRT reads 2 and writes 2, and the second
	 * kernel reads x too; eager 7 reads, 7 writes and x */
	assert_true(trt->elems == 5 * 8192);
	assert_true(compiled->elems == 9 * 8192);
	assert_true(eager->elems == 15 * 8192);
	/* fp16: weights once a batch */
	assert_true(trt->weights == 2 * (576 + 16));
	assert_true(kernels_bytes(trt, 2, 4) == 2 * (4.0 * 5 * 8192 + 2 * 592));
}

static void
a_tensor_read_twice_leaves_its_kernel(void **state)
{
	/* the convolution's output is needed raw and after the ReLU */
	struct layers *l = net("<conv out=\"8\" as=\"x\"/>"
			       "<act kind=\"relu\"/><add with=\"x\"/>");
	struct kernels *k = layers_fused(a, l, ENGINE_TENSORRT);

	(void)state;
	assert_int_equal(k->n, 2);
}

static void
concatenation_is_free_when_compiled(void **state)
{
	struct layers *l =
	    net("<conv out=\"8\" as=\"x\"/>"
		"<conv out=\"8\"/><concat with=\"x\"/><conv out=\"4\"/>");
	struct kernels *trt = layers_fused(a, l, ENGINE_TENSORRT);
	struct kernels *eager = layers_fused(a, l, ENGINE_EAGER);

	(void)state;
	assert_int_equal(trt->n, 3);
	assert_int_equal(eager->n, 4);
	/* the copy reads 16 maps of 1,024 and writes 16 */
	assert_true(eager->elems - trt->elems == 32 * 1024);
}

static void
peak_of_a_chain_is_two_buffers(void **state)
{
	/* 8x32x32 in (8,192), 16x32x32 (16,384), 4x32x32 (4,096): the most
	 * is input + first output, 24,576 */
	struct layers *l = net("<conv out=\"16\"/><conv out=\"4\"/>"
			       "<conv out=\"4\"/>");
	struct kernels *k = layers_fused(a, l, ENGINE_TENSORRT);
	int at = -1;

	(void)state;
	assert_true(layers_activation_peak(a, l, k, false, &at) == 24576);
	assert_int_equal(at, 0);
	/* training keeps all: + 4,096 + 4,096 */
	assert_true(layers_activation_peak(a, l, k, true, NULL) == 32768);
}

static void
peak_holds_what_is_read_later(void **state)
{
	/* x (8,192) lives until the end: 3 maps at the third kernel */
	struct layers *l = net("<conv out=\"8\" as=\"x\"/><conv out=\"8\"/>"
			       "<conv out=\"8\"/><mul with=\"x\"/>");
	struct kernels *k = layers_fused(a, l, ENGINE_TENSORRT);

	(void)state;
	assert_true(layers_activation_peak(a, l, k, false, NULL) == 3 * 8192);
}

static void
parts_of_a_concatenation_share_its_buffer(void **state)
{
	/* two maps written into one of 16 channels; then 4 channels more */
	struct layers *l = net("<conv out=\"8\" as=\"x\"/><conv out=\"8\"/>"
			       "<concat with=\"x\"/><conv out=\"4\"/>");
	struct kernels *k = layers_fused(a, l, ENGINE_TENSORRT);
	struct kernels *e = layers_fused(a, l, ENGINE_EAGER);

	(void)state;
	/* at the first kernel: input 8,192 + buffer 16,384 */
	assert_true(layers_activation_peak(a, l, k, false, NULL) == 24576);
	/* eager: both parts and the copy at once */
	assert_true(layers_activation_peak(a, l, e, false, NULL) == 32768);
}

/*
 * The networks of the catalogue.
 */

/* Within `share`, or within what the last printed digit leaves open. */
static bool
agrees(double ours, double theirs, double share, double step)
{
	return fabs(ours / theirs - 1) <= share ||
	       fabs(ours - theirs) <= step * 1.001;
}

static int
check_published(const struct layer_net *net_, const struct layer_published *p)
{
	struct layers *l =
	    layers_expand(a, shipped, net_->id, p->in_w, p->in_h, &d);
	struct layer_totals t;
	int wrong = 0;

	if (!l)
		fail_msg("%s: %s", net_->id, d.problems[0].text);
	t = layers_totals(l);
	if (p->params.known && !agrees(layers_params(&t, p->basis),
				   p->params.value, 0.005, p->params_step)) {
		print_error("%s: %.5g M parameters, published %.5g\n", net_->id,
		    layers_params(&t, p->basis) / 1e6, p->params.value / 1e6);
		wrong++;
	}
	if (p->macs.known && !agrees(layers_macs(&t, p->basis), p->macs.value,
				 0.015, p->macs_step)) {
		print_error("%s: %.5g GMAC, published %.5g\n", net_->id,
		    layers_macs(&t, p->basis) / 1e9, p->macs.value / 1e9);
		wrong++;
	}
	if (p->activations.known &&
	    !agrees(t.activations, p->activations.value, 0.003, 0)) {
		print_error("%s: %.5g M activations, published %.5g\n",
		    net_->id, t.activations / 1e6, p->activations.value / 1e6);
		wrong++;
	}
	return wrong;
}

static void
published_counts_are_met(void **state)
{
	int wrong = 0, with_macs = 0, with_params = 0;

	(void)state;
	for (int i = 0; i < shipped->n_nets; i++) {
		const struct layer_net *n = &shipped->nets[i];
		bool macs = false, params = false;

		for (int j = 0; j < n->n_published; j++) {
			wrong += check_published(n, &n->published[j]);
			macs |= n->published[j].macs.known;
			params |= n->published[j].params.known;
		}
		with_macs += macs;
		with_params += params;
	}
	assert_int_equal(wrong, 0);
	print_message("%d networks, %d held to published MACs, "
		      "%d to parameters\n",
	    shipped->n_nets, with_macs, with_params);
	assert_true(with_macs >= 110);
	assert_true(with_params >= 110);
}

static void
every_network_expands_at_its_own_input(void **state)
{
	(void)state;
	for (int i = 0; i < shipped->n_nets; i++) {
		struct layers *l =
		    layers_expand(a, shipped, shipped->nets[i].id, 0, 0, &d);

		if (!l)
			fail_msg("%s: %s", shipped->nets[i].id,
			    d.problems[0].text);
		assert_true(layers_totals(l).macs > 0);
		assert_true(
		    shipped->nets[i].n_published > 0 || shipped->nets[i].note);
	}
}

/* What image-processing vendors use. */
static void
kinds_are_covered(void **state)
{
	static const char *const ids[] = {
	    "resnet18",
	    "resnet34",
	    "resnet50",
	    "resnet101",
	    "resnet152",
	    "resnext50_32x4d",
	    "resnext101_32x8d",
	    "seresnext50_32x4d",
	    "wide_resnet50_2",
	    "vgg16",
	    "inception_v3",
	    "densenet121",
	    "mobilenetv2_100",
	    "mobilenetv3_large_100",
	    "efficientnet_b0",
	    "efficientnet_b1",
	    "efficientnet_b2",
	    "efficientnet_b3",
	    "efficientnet_b4",
	    "efficientnet_b5",
	    "efficientnet_b6",
	    "efficientnet_b7",
	    "efficientnetv2_s",
	    "regnety_016",
	    "shufflenetv2",
	    "convnext_tiny",
	    "vit_base_patch16_224",
	    "deit_small_patch16_224",
	    "swin_tiny_patch4_window7_224",
	    "ssd300-vgg16",
	    "ssd-r34-1200",
	    "retinanet-r50-fpn",
	    "faster-rcnn-r50-fpn",
	    "mask-rcnn-r50-fpn",
	    "yolov3",
	    "yolov4-tiny",
	    "yolov5n",
	    "yolov5s",
	    "yolov5m",
	    "yolov5l",
	    "yolov5x",
	    "yolov6-3.0-s",
	    "yolov7",
	    "yolov7-tiny",
	    "yolov8n",
	    "yolov8s",
	    "yolov8m",
	    "yolov8l",
	    "yolov8x",
	    "yolov8m-seg",
	    "yolov8m-pose",
	    "yolo11n",
	    "yolo11s",
	    "yolo11m",
	    "yolo11l",
	    "yolo11x",
	    "yolox-s",
	    "rtdetr-r50",
	    "ppyoloe-plus-s",
	    "unet",
	    "nnu-net",
	    "deeplabv3-r50",
	    "segformer-b0",
	    "pidnet-s",
	    "scrfd-10g",
	    "retinaface-r50",
	    "iresnet50",
	    "iresnet100",
	    "lprnet",
	    "crnn",
	    "pp-ocr-mobile-v2-det",
	    "pp-ocr-mobile-v2-rec",
	    "pp-ocr-mobile-v2-cls",
	    "hrnet_w32",
	    "hrnet-w32-pose",
	    "vitpose-b",
	    "osnet_x1_0",
	    "realesrgan-x4plus",
	    "realesr-general-x4v3",
	    "swinir-classical-x4",
	    "sam-vit-b-encoder",
	    "sam-vit-h-encoder",
	    "mobilesam-encoder",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (!layer_net_find(shipped, ids[i]))
			fail_msg("no layer list of '%s'", ids[i]);
}

/* Sources are in the layer files or in catalog/sources.xml. */
static void
sources_exist(void **state)
{
	struct source *s =
	    fs_read(a, "catalog/sources.xml", 1 << 22, (struct pos){0}, &d);

	(void)state;
	assert_non_null(s);
	for (int i = 0; i < shipped->n_nets; i++) {
		for (int j = 0; j < shipped->nets[i].n_published; j++) {
			const struct layer_published *p =
			    &shipped->nets[i].published[j];
			const char *src =
			    p->params.known ? p->params.src : p->macs.src;
			bool found =
			    strstr(s->text,
				arena_printf(a, "id=\"%s\"", src)) != NULL;

			for (int k = 0; k < shipped->n_sources; k++)
				found |= str_equal(shipped->sources[k].id, src);
			if (!found)
				fail_msg("no source '%s'", src);
		}
	}
}

/*
 * Kernels and FP16 megabytes of one image, counted by another program with
 * the same rules.
 */
static void
kernels_agree_with_the_prototype(void **state)
{
	static const struct {
		const char *id;
		enum engine engine;
		int kernels;
		double mb;
	} rows[] = {
	    {"resnet50", ENGINE_TENSORRT, 56, 108},
	    {"resnet50", ENGINE_COMPILED, 109, 152},
	    {"resnet50", ENGINE_EAGER, 174, 213},
	    {"mobilenetv2_100", ENGINE_TENSORRT, 54, 34},
	    {"mobilenetv2_100", ENGINE_COMPILED, 106, 61},
	    {"mobilenetv2_100", ENGINE_EAGER, 151, 86},
	    {"efficientnet_b0", ENGINE_TENSORRT, 115, 52},
	    {"efficientnet_b0", ENGINE_EAGER, 238, 105},
	    {"densenet169", ENGINE_COMPILED, 343, 159},
	    {"densenet169", ENGINE_EAGER, 594, 288},
	    {"yolov8s", ENGINE_TENSORRT, 71, 168},
	    {"yolov8s", ENGINE_EAGER, 204, 438},
	    {"swin_tiny_patch4_window7_224", ENGINE_EAGER, 194, 213},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct layers *l =
		    layers_expand(a, shipped, rows[i].id, 0, 0, &d);
		struct kernels *k = layers_fused(a, l, rows[i].engine);

		check_near(k->n, rows[i].kernels, 0.02);
		check_near(kernels_bytes(k, 2, 1) / 1e6, rows[i].mb, 0.035);
	}
}

/*
 * Case M21: Real-ESRGAN on 1450 x 970 pixels asked for 2.68 GiB at once: a
 * map of 64 channels at four times the size, FP16: 5800 x 3880 x 64 x 2.
 */
static void
largest_map_of_real_esrgan(void **state)
{
	struct layers *l =
	    layers_expand(a, shipped, "realesrgan-x4plus", 1450, 970, &d);

	(void)state;
	assert_non_null(l);
	check_near(2 * layers_largest_tensor(l, NULL) / (1 << 30), 2.683,
	    0.001);
}

/*
 * TensorRT issue 3907: YOLOv8m-seg with a batch of 128 takes 4,150 MiB of
 * activations.  Ours is a bound from below (perfect reuse, FP16).
 */
static void
activations_of_yolov8m_seg(void **state)
{
	struct layers *l = layers_expand(a, shipped, "yolov8m-seg", 0, 0, &d);
	struct kernels *k = layers_fused(a, l, ENGINE_TENSORRT);
	double mib =
	    128 * 2 * layers_activation_peak(a, l, k, false, NULL) / (1 << 20);

	(void)state;
	assert_true(mib < 4150);
	assert_true(mib > 0.6 * 4150);
}

/* Four times the pixels are four times the work of a convolutional network;
 * attention over all tokens grows faster. */
static void
work_follows_the_input(void **state)
{
	struct layer_totals small =
	    layers_totals(layers_expand(a, shipped, "yolov8s", 320, 320, &d));
	struct layer_totals big =
	    layers_totals(layers_expand(a, shipped, "yolov8s", 640, 640, &d));
	struct layer_totals vit = layers_totals(
	    layers_expand(a, shipped, "vit_base_patch16_224", 224, 224, &d));
	struct layer_totals vit2 = layers_totals(
	    layers_expand(a, shipped, "vit_base_patch16_224", 448, 448, &d));

	(void)state;
	check_near(big.macs / small.macs, 4, 0.001);
	assert_true(big.params == small.params);
	assert_true(vit2.macs > 4.3 * vit.macs);
	check_near(vit2.macs_of[OP_ATTENTION] / vit.macs_of[OP_ATTENTION],
	    785.0 * 785 / (197.0 * 197), 1e-6);
}

static struct arena *shelf; /* holds the shipped networks */

static int
read_shipped(void **state)
{
	struct diag problems;

	(void)state;
	shelf = arena_new();
	diag_init(&problems, shelf);
	shipped =
	    layers_read(shelf, (const char *const[]){"catalog"}, 1, &problems);
	diag_print(&problems, stderr);
	return problems.n_errors;
}

static int
drop_shipped(void **state)
{
	(void)state;
	arena_free(shelf);
	return 0;
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
	const struct CMUnitTest tests[] = {
	    T(expr_arithmetic),
	    T(expr_rounds_half_to_even_like_the_frameworks),
	    T(expr_multiples),
	    T(expr_choices_and_tests),
	    T(expr_faults_are_named),
	    T(expr_depth_and_length_are_bounded),
	    T(conv_counts),
	    T(conv_with_batch_norm_has_no_bias),
	    T(conv_classes_follow_groups),
	    T(dilation_and_padding),
	    T(deconv_counts_on_its_input),
	    T(attention_is_two_products_and_a_softmax),
	    T(windows_are_copies),
	    T(lstm_runs_step_by_step),
	    T(volumes),
	    T(names_lists_and_blocks),
	    T(if_else_and_let),
	    T(shared_parameters_count_once),
	    T(faults_of_the_file),
	    T(faults_of_blocks),
	    T(hostile_files_end_soon),
	    T(variables_and_parameters_are_bounded),
	    T(blocks_doubling_at_each_level_end_soon),
	    T(fault_is_at_its_attribute),
	    T(input_must_divide),
	    T(a_later_folder_adds_and_replaces),
	    T(sizes_are_fitted),
	    T(fusion_of_a_residual_block),
	    T(a_tensor_read_twice_leaves_its_kernel),
	    T(concatenation_is_free_when_compiled),
	    T(peak_of_a_chain_is_two_buffers),
	    T(peak_holds_what_is_read_later),
	    T(parts_of_a_concatenation_share_its_buffer),
	    T(published_counts_are_met),
	    T(every_network_expands_at_its_own_input),
	    T(kinds_are_covered),
	    T(sources_exist),
	    T(kernels_agree_with_the_prototype),
	    T(largest_map_of_real_esrgan),
	    T(activations_of_yolov8m_seg),
	    T(work_follows_the_input),
	};
#undef T

	return cmocka_run_group_tests(tests, read_shipped, drop_shipped);
}
