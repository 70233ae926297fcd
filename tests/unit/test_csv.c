/* parse/csv_in.h, input/measurements_in.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/input.h"
#include "input/layers_in.h"
#include "input/measurements_in.h"
#include "parse/csv_in.h"

static struct arena *shared;
static struct catalog *catalog;
static struct layer_book *book;

static int
read_shared(void **state)
{
	const char *dirs[] = {"catalog"};
	struct diag d;

	(void)state;
	shared = arena_new();
	diag_init(&d, shared);
	catalog = catalog_read(shared, "catalog", &d);
	book = layers_read(shared, dirs, 1, &d);
	return catalog && book && d.n_errors == 0 ? 0 : -1;
}

static int
free_shared(void **state)
{
	(void)state;
	arena_free(shared);
	return 0;
}

/* Each test has an arena and its problems. */
static struct arena *a;
static struct diag d;

static int
begin(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct csv *
parse_n(const char *text, size_t len)
{
	struct source *src = arena_alloc(a, 1, sizeof(*src));

	*src = (struct source){"t.csv", arena_strndup(a, text, len), len};
	if (memchr(text, '\0', len)) /* arena_strndup may stop there */
		src->text = memcpy(arena_alloc(a, len + 1, 1), text, len);
	return csv_parse(a, src, &d);
}

static struct csv *
parse(const char *text)
{
	return parse_n(text, strlen(text));
}

static void
check_problem(const char *id, int line, int col)
{
	assert_int_equal(d.n, 1);
	assert_string_equal(d.problems[0].id, id);
	assert_int_equal(d.problems[0].pos.line, line);
	assert_int_equal(d.problems[0].pos.col, col);
}

static void
test_plain_fields(void **state)
{
	struct csv *c = parse("a,b,c\n1,2,3\n4,,6\n");

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->n_columns, 3);
	assert_int_equal(c->n_rows, 2);
	assert_string_equal(c->rows[0].cells[1], "2");
	assert_string_equal(c->rows[1].cells[1], "");
	assert_int_equal(csv_column(c, "c"), 2);
	assert_int_equal(csv_column(c, "d"), -1);
	assert_int_equal(csv_pos(c, 1).line, 3);
}

static void
test_quoted_fields(void **state)
{
	struct csv *c =
	    parse("a,b\n\"x, y\",\"say \"\"so\"\"\"\n\"two\nlines\","
		  "\"\"\n\"\"\"\",z");

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->n_rows, 3);
	assert_string_equal(c->rows[0].cells[0], "x, y");
	assert_string_equal(c->rows[0].cells[1], "say \"so\"");
	assert_string_equal(c->rows[1].cells[0], "two\nlines");
	assert_string_equal(c->rows[1].cells[1], "");
	assert_string_equal(c->rows[2].cells[0], "\"");
	assert_int_equal(csv_pos(c, 2).line, 5);
}

static void
test_crlf_bom_and_blank_lines(void **state)
{
	struct csv *c = parse("\xef\xbb\xbf"
			      "a,b\r\n1,2\r\n\r\n3,4");

	(void)state;
	assert_non_null(c);
	assert_string_equal(c->names[0], "a");
	assert_string_equal(c->names[1], "b");
	assert_int_equal(c->n_rows, 2);
	assert_string_equal(c->rows[1].cells[1], "4");
}

static void
test_written_fields_read_back(void **state)
{
	static const char *const cells[] = {"", "x", "a,b", "\"", "l\nm",
	    "程,"};
	struct csv *c;
	struct str s;

	(void)state;
	str_init(&s, a);
	str_add(&s, "1,2,3,4,5,6\n");
	for (int i = 0; i < 6; i++) {
		if (i)
			str_addc(&s, ',');
		csv_add(&s, cells[i]);
	}
	c = parse(s.s);
	assert_non_null(c);
	assert_int_equal(c->n_rows, 1);
	for (int i = 0; i < 6; i++)
		assert_string_equal(c->rows[0].cells[i], cells[i]);
}

static void
test_wrong_number_of_fields(void **state)
{
	(void)state;
	assert_null(parse("a,b\n1,2\n1,2,3\n"));
	check_problem("csv-columns", 3, 1);
}

static void
test_open_quote(void **state)
{
	(void)state;
	assert_null(parse("a,b\n1,\"2\n3,4\n"));
	check_problem("csv-quote", 2, 3);
}

static void
test_text_after_quote(void **state)
{
	(void)state;
	assert_null(parse("a,b\n\"1\"x,2\n"));
	check_problem("csv-quote", 2, 4);
}

static void
test_quote_inside_field(void **state)
{
	(void)state;
	assert_null(parse("a,b\n1,2\"3\n"));
	check_problem("csv-quote", 2, 4);
}

static void
test_nothing(void **state)
{
	(void)state;
	assert_null(parse(""));
	check_problem("csv-empty", 0, 0);
}

static void
test_column_twice(void **state)
{
	(void)state;
	assert_null(parse("a,b,a\n"));
	check_problem("csv-name", 1, 1);
}

static void
test_column_without_name(void **state)
{
	(void)state;
	assert_null(parse("a,,b\n"));
	check_problem("csv-name", 1, 1);
}

static void
test_not_utf8(void **state)
{
	(void)state;
	assert_null(parse("a\n\xb3\xcc\n"));
	check_problem("csv-encoding", 2, 1);
}

static void
test_zero_byte(void **state)
{
	(void)state;
	assert_null(parse_n("a\n\0\n", 4));
	assert_string_equal(d.problems[0].id, "csv-encoding");
}

static void
test_too_many_columns(void **state)
{
	struct str s;

	(void)state;
	str_init(&s, a);
	for (int i = 0; i < CSV_MAX_COLUMNS + 1; i++)
		str_addf(&s, "%sc%d", i ? "," : "", i);
	assert_null(parse(s.s));
	check_problem("csv-limit", 1, 1);
}

static void
test_missing_column_names_the_nearest(void **state)
{
	struct csv *c = parse("networks,batch\n");

	(void)state;
	assert_non_null(c);
	assert_int_equal(csv_need(c, "network", &d), -1);
	check_problem("csv-missing", 1, 1);
	assert_string_equal(d.problems[0].note, "did you mean 'networks'?");
}

/*
 * Measurements
 */

static const char head[] =
    "source_id,gpu_id,n_gpus,task,network,input,batch,precision,runtime,"
    "throughput_img_s,latency_ms,end_to_end,note\n";

/* The rows read from a file of the head and `text`; NULL after reporting. */
static struct samples *
read_rows(const char *text)
{
	char path[] = "/tmp/whygpu-test-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct samples *s;
	struct csv *table;

	assert_non_null(f);
	fputs(head, f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	s = measurements_read(a, path, "catalog", catalog, book, &table, &d);
	unlink(path);
	return s;
}

static enum sample_status
status_of(const char *row)
{
	struct samples *s = read_rows(row);

	assert_non_null(s);
	assert_int_equal(s->n, 1);
	return s->s[0].status;
}

static void
test_a_row_is_understood(void **state)
{
	struct samples *s = read_rows(
	    "timm,nvidia-rtx-4090,1,infer,resnet50,3x288x288,256,amp-fp16,"
	    "pytorch-nhwc,2000,128,n,x\n");

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->s[0].status, SAMPLE_OK);
	assert_string_equal(s->s[0].gpu->id, "nvidia-rtx-4090");
	assert_string_equal(s->s[0].layers->id, "resnet50");
	assert_int_equal(s->s[0].in_w, 288);
	assert_int_equal(s->s[0].precision, PREC_FP16);
	assert_int_equal(s->s[0].engine, ENGINE_EAGER);
	assert_true(s->s[0].channels_last);
	assert_int_equal(s->s[0].devices, 1);
	assert_true(s->s[0].measured == 2000);
}

static void
test_rate_from_latency(void **state)
{
	struct samples *s =
	    read_rows("x,nvidia-t4,1,infer,resnet50,3x224x224,8,fp16,tensorrt,"
		      ",4,n,\n");

	(void)state;
	/* 8 images in 4 ms are 2000 a second. */
	assert_non_null(s);
	assert_true(fabs(s->s[0].measured - 2000) < 1e-6);
}

static void
test_single_stream_is_one_gpu(void **state)
{
	struct samples *s = read_rows(
	    "mlperf-inference-v1.0,nvidia-a10,8,infer,resnet50-v1.5,3x224x224,"
	    "1,int8,tensorrt,2000,0.5,n,MLPerf Inference v1.0 closed "
	    "singlestream; submitter X\n");

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->s[0].status, SAMPLE_OK);
	assert_int_equal(s->s[0].devices, 1);
	assert_true(s->s[0].measured == 2000);
	assert_int_equal(s->s[0].harness, HARNESS_TUNED);
}

static void
test_offline_of_eight_is_a_total(void **state)
{
	struct samples *s = read_rows(
	    "mlperf-inference-v1.0,nvidia-a10,8,infer,resnet50-v1.5,3x224x224,"
	    ",int8,tensorrt,80000,,n,MLPerf Inference v1.0 closed offline; "
	    "total over n_gpus\n");

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->s[0].status, SAMPLE_SEVERAL_GPUS);
	assert_int_equal(s->s[0].batch, 0);
	assert_true(s->s[0].measured == 10000);
}

static void
test_what_is_not_scored(void **state)
{
	(void)state;
	assert_int_equal(
	    status_of("x,nvidia-t4,1,infer,resnet50,3x224x224,8,fp16,tensorrt,"
		      "100,,y,\n"),
	    SAMPLE_END_TO_END);
	assert_int_equal(
	    status_of("mlperf-inference-v1.0,nvidia-t4,1,infer,resnet50,"
		      "3x224x224,8,int8,tensorrt,100,,n,closed server; x\n"),
	    SAMPLE_SERVER);
	assert_int_equal(
	    status_of("mlperf-inference-v1.0,nvidia-t4,1,infer,resnet50,"
		      "3x224x224,8,int8,tensorrt,100,,n,closed offline; system "
		      "T4_TRT_MaxQ\n"),
	    SAMPLE_POWER_LIMIT);
	assert_int_equal(status_of(
			     "x,nvidia-t4,1,infer,no-such-net,3x224x224,8,fp16,"
			     "tensorrt,100,,n,\n"),
	    SAMPLE_NETWORK_UNKNOWN);
	assert_int_equal(
	    status_of("x,some-card,1,infer,resnet50,3x224x224,8,fp16,tensorrt,"
		      "100,,n,\n"),
	    SAMPLE_CARD_UNKNOWN);
	assert_int_equal(status_of(
			     "x,nvidia-t4,1,infer,resnet50,128x128x128,8,fp16,"
			     "tensorrt,100,,n,\n"),
	    SAMPLE_INPUT);
	assert_int_equal(
	    status_of("x,nvidia-t4,1,infer,resnet50,3x224x224,8,int4,tensorrt,"
		      "100,,n,\n"),
	    SAMPLE_PRECISION);
}

static void
test_training_is_scored(void **state)
{
	struct samples *s =
	    read_rows("x,nvidia-t4,1,train,resnet50,3x224x224,8,fp16,"
		      "pytorch-eager,100,,n,\n");

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->s[0].status, SAMPLE_OK);
	assert_true(s->s[0].training);
}

/* What people add to the names of networks is taken off. */
static void
test_names_with_additions(void **state)
{
	static const char *const names[] = {"resnet50_ssld", "ResNet50.onnx",
	    "fix_resnet50_wsl", "resnet50 (distill)", "tf_resnet50_in1k"};

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct samples *s = read_rows(arena_printf(a,
		    "x,nvidia-t4,1,infer,%s,3x224x224,8,fp16,"
		    "tensorrt,100,,n,\n",
		    names[i]));

		assert_non_null(s);
		assert_non_null(s->s[0].layers);
		assert_string_equal(s->s[0].layers->id, "resnet50");
	}
}

static void
test_a_slice_of_an_a100(void **state)
{
	const struct gpu *whole = catalog_gpu(catalog, "nvidia-a100-sxm4-80gb");
	int n;
	const struct gpu *g = measured_card(a, catalog, NULL,
	    "nvidia-a100-sxm-80gb-mig-7x1g-10gb", &n);

	(void)state;
	/* One slice: 14 of 108 multiprocessors, an eighth of the memory. */
	assert_non_null(whole);
	assert_non_null(g);
	assert_int_equal(n, 7);
	assert_true(fabs(g->sm.value - 14) < 1e-9);
	assert_true(fabs(g->bandwidth.value - whole->bandwidth.value / 8) < 1);
	assert_true(fabs(g->peak[PEAK_FP32].value -
			 whole->peak[PEAK_FP32].value * 14 / 108) < 1e3);
	assert_false(g->power_w.known);
	/* the card itself is as it was */
	assert_true(whole->sm.value == 108);
}

static void
test_impossible_slices(void **state)
{
	static const char *const names[] =
	    {"nvidia-a100-sxm-80gb-mig-8x1g-10gb",
		"nvidia-a100-sxm-80gb-mig-0x1g-10gb",
		"nvidia-a100-sxm-80gb-mig-1x0g", "nvidia-a100-sxm-80gb-mig-",
		"-mig-1x1g-5gb"};
	int n;

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_null(measured_card(a, catalog, NULL, names[i], &n));
}

static void
test_bad_figures_are_reported(void **state)
{
	(void)state;
	assert_null(read_rows(
	    "x,nvidia-t4,1,infer,resnet50,3x224x224,8,fp16,tensorrt,fast,,n,\n"
	    "x,nvidia-t4,0,infer,resnet50,3x224x224,8,fp16,tensorrt,1,,n,\n"
	    "x,nvidia-t4,1,infer,resnet50,3x224x224,-8,fp16,tensorrt,1,,n,\n"
	    "x,nvidia-t4,1,guess,resnet50,3x224x224,8,fp16,tensorrt,1,,n,\n"
	    "x,nvidia-t4,1,infer,resnet50,3x224x224,8,fp16,tensorrt,1,,?,\n"));
	assert_int_equal(d.n, 5);
	assert_string_equal(d.problems[0].id, "measurement-number");
	assert_string_equal(d.problems[3].id, "measurement-word");
	for (int i = 0; i < 5; i++)
		assert_int_equal(d.problems[i].pos.line, i + 2);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
	    T(test_plain_fields),
	    T(test_quoted_fields),
	    T(test_crlf_bom_and_blank_lines),
	    T(test_written_fields_read_back),
	    T(test_wrong_number_of_fields),
	    T(test_open_quote),
	    T(test_text_after_quote),
	    T(test_quote_inside_field),
	    T(test_nothing),
	    T(test_column_twice),
	    T(test_column_without_name),
	    T(test_not_utf8),
	    T(test_zero_byte),
	    T(test_too_many_columns),
	    T(test_missing_column_names_the_nearest),
	    T(test_a_row_is_understood),
	    T(test_rate_from_latency),
	    T(test_single_stream_is_one_gpu),
	    T(test_offline_of_eight_is_a_total),
	    T(test_what_is_not_scored),
	    T(test_training_is_scored),
	    T(test_names_with_additions),
	    T(test_a_slice_of_an_a100),
	    T(test_impossible_slices),
	    T(test_bad_figures_are_reported),
	};
#undef T

	return cmocka_run_group_tests(tests, read_shared, free_shared);
}
