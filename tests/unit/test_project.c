/* Needs: vendor files and the sample project, resolved on the catalogue. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/input.h"
#include "input/vendor_in.h"

#define SAMPLE "catalog/examples/project.yaml"

#define HEAD "vendor: {id: V1, name: 厂家, task: 检测}\n"
#define STREAMS                                                                \
	"streams:\n"                                                           \
	"  - {name: 路口, count: 4, resolution: 1080p, codec: H.265, "       \
	"fps: 25 fps, analysed_fps: 5 fps}\n"
#define PIPELINE "pipeline:\n  - {name: 检测, network: yolov8m}\n"
#define RUNTIME  "runtime: {engine: tensorrt, precision: fp16}\n"

static struct arena *shared;
static struct catalog *catalog;

static int
read_catalog(void **state)
{
	struct diag d;

	(void)state;
	shared = arena_new();
	diag_init(&d, shared);
	catalog = catalog_read(shared, "catalog", &d);
	return catalog ? 0 : -1;
}

static int
free_catalog(void **state)
{
	(void)state;
	arena_free(shared);
	return 0;
}

struct read {
	struct arena *a;
	struct diag d;
	struct vendor v;
	bool ok;
};

static struct read
read_text(const char *text)
{
	struct read r = {.a = arena_new()};
	struct source *src = arena_alloc(r.a, 1, sizeof(*src));
	struct form f = {.a = r.a, .c = catalog, .d = &r.d};

	diag_init(&r.d, r.a);
	*src = (struct source){"dir/v.yaml", text, strlen(text)};
	r.ok = vendor_read(&f, src, &r.v);
	return r;
}

static void
check_clean(const struct read *r)
{
	if (r->d.n)
		fail_msg("%d:%d: %s", r->d.problems[0].pos.line,
		    r->d.problems[0].pos.col, r->d.problems[0].text);
	assert_true(r->ok);
}

static void
check_fact(struct fact f, double v)
{
	assert_true(f.known);
	assert_true(fabs(f.value - v) <= 1e-12 * fabs(v));
}

/*
 * The words of data/needs.c
 */

static void
precisions_have_many_names(void **state)
{
	enum precision p;

	(void)state;
	assert_true(precision_parse("FP16", &p) && p == PREC_FP16);
	assert_true(precision_parse("半精度", &p) && p == PREC_FP16);
	assert_true(precision_parse("mixed", &p) && p == PREC_FP16);
	assert_true(precision_parse("float32", &p) && p == PREC_FP32);
	assert_true(precision_parse("INT8", &p) && p == PREC_INT8);
	assert_false(precision_parse("fp12", &p));
	for (int i = 0; i < PREC_N; i++)
		assert_true(
		    precision_parse(precision_id(i), &p) && (int)p == i);
}

static void
runtimes_fall_into_classes(void **state)
{
	(void)state;
	assert_int_equal(engine_class("TensorRT 8.6"), ENGINE_TENSORRT);
	assert_int_equal(engine_class("自研引擎 + TensorRT"), ENGINE_TENSORRT);
	assert_int_equal(engine_class("DeepStream 7"), ENGINE_TENSORRT);
	/* Paddle with TensorRT keeps Paddle's overheads */
	assert_int_equal(engine_class("Paddle Inference + TensorRT"),
	    ENGINE_PADDLE);
	assert_int_equal(engine_class("ONNX Runtime"), ENGINE_COMPILED);
	assert_int_equal(engine_class("torch.compile"), ENGINE_COMPILED);
	assert_int_equal(engine_class("PyTorch 2"), ENGINE_EAGER);
	assert_int_equal(engine_class("MONAI"), ENGINE_EAGER);
	assert_int_equal(engine_class("自研"), ENGINE_OTHER);
}

static void
tiles_cover_the_picture(void **state)
{
	struct stage s = {.tile = 512, .overlap = 64};
	struct stream st = {.width = 5472, .height = 3648};

	(void)state;
	/* ceil(5408/448) = 13 by ceil(3584/448) = 8 */
	assert_int_equal(stage_tiles(&s, &st), 104);
	st = (struct stream){.width = 512, .height = 512};
	assert_int_equal(stage_tiles(&s, &st), 1);
	st.width = 513;
	assert_int_equal(stage_tiles(&s, &st), 2);
	s.tile = 0;
	assert_int_equal(stage_tiles(&s, &st), 1);
}

/*
 * Vendor files
 */

static void
a_small_file_is_enough(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE RUNTIME);
	const struct stream *s = r.v.streams;

	(void)state;
	check_clean(&r);
	assert_int_equal(s->count, 4);
	assert_int_equal(s->width, 1920);
	assert_int_equal(s->codec, CODEC_HEVC);
	assert_true(s->fps == 25 && s->analysed_per_s == 5);
	assert_int_equal(s->depth, 1);
	/* the network's own input stands in */
	assert_int_equal(r.v.stages[0].in_w, 640);
	assert_int_equal(r.v.stages[0].stream, -1);
	assert_true(r.v.stages[0].times == 1);
	arena_free(r.a);
}

static void
what_is_not_said_stays_open(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE RUNTIME);
	const struct runtime *rt = &r.v.runtime;

	(void)state;
	assert_null(r.v.request.written);
	assert_null(r.v.request.gpu);
	assert_false(r.v.request.count.known);
	assert_false(r.v.deadline_s.known);
	assert_false(r.v.load_limit.known);
	assert_false(r.v.memory.peak.known);
	assert_false(r.v.streams[0].objects_mean.known);
	assert_int_equal(rt->batch, 0);
	assert_int_equal(rt->processes, 0);
	assert_int_equal(rt->ships, SHIPS_UNKNOWN);
	assert_int_equal(rt->batch_pos.line, 0);
	assert_int_not_equal(rt->precision_pos.line, 0);
	assert_false(rt->cuda.known);
	assert_false(rt->ptx_known);
	arena_free(r.a);
}

static void
figures_name_their_line(void **state)
{
	struct read r = read_text(
	    HEAD STREAMS PIPELINE RUNTIME "deadline: {p95: 300 ms}\n");

	(void)state;
	check_fact(r.v.deadline_s, 0.3);
	assert_int_equal(r.v.deadline_s.sure, SURE_VENDOR);
	assert_string_equal(r.v.deadline_s.src, "v.yaml:7");
	arena_free(r.a);
}

static void
versions_are_numbers(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE
	    "runtime: {engine: trt, cuda: 10.1, driver: 470.103.01, "
	    "built_for: [8.6, sm_75, 75, 12.0, 10.3], ptx: no, "
	    "driver_fixed: yes}\n");
	const struct runtime *rt = &r.v.runtime;

	(void)state;
	check_clean(&r);
	check_fact(rt->cuda, 1001);
	check_fact(rt->driver, 470);
	check_fact(rt->driver_fixed, 1);
	/* sorted, each once */
	assert_int_equal(rt->n_built_for, 4);
	assert_int_equal(rt->built_for[0], 75);
	assert_int_equal(rt->built_for[1], 86);
	assert_int_equal(rt->built_for[2], 103);
	assert_int_equal(rt->built_for[3], 120);
	assert_true(rt->ptx_known && !rt->ptx);
	arena_free(r.a);
}

static void
cuda_keeps_its_last_digit(void **state)
{
	struct read r = read_text(
	    HEAD STREAMS PIPELINE "runtime: {engine: trt, cuda: 12.10}\n");

	(void)state;
	/* a reader of numbers would make 12.1 of it */
	check_fact(r.v.runtime.cuda, 1210);
	arena_free(r.a);
}

static void
check_processes(const char *text, enum process_layout layout, int n)
{
	char *file = arena_printf(shared,
	    HEAD STREAMS PIPELINE "runtime: {engine: trt, processes: %s}\n",
	    text);
	struct read r = read_text(file);

	check_clean(&r);
	assert_int_equal(r.v.runtime.layout, layout);
	assert_int_equal(r.v.runtime.processes, n);
	arena_free(r.a);
}

static void
processes_are_per_card_or_per_stream(void **state)
{
	(void)state;
	check_processes("1 per card", PROC_PER_CARD, 1);
	check_processes("4 per card", PROC_PER_CARD, 4);
	check_processes("3", PROC_PER_CARD, 3);
	check_processes("1 per camera", PROC_PER_STREAM, 0);
	check_processes("1 per stream", PROC_PER_STREAM, 0);
}

static void
an_ambiguous_request_stays_a_question(void **state)
{
	struct read r = read_text(
	    HEAD "request: {gpu: A100 80GB}\n" STREAMS PIPELINE RUNTIME);

	(void)state;
	assert_int_equal(r.d.n_errors, 0);
	assert_int_equal(r.d.n, 1);
	assert_null(r.v.request.gpu);
	assert_int_equal(r.v.request.n_candidates, 2);
	for (int i = 0; i < 2; i++)
		check_fact(r.v.request.candidates[i]->memory_bytes,
		    80.0 * 1024 * 1024 * 1024);
	assert_non_null(strstr(r.d.problems[0].note, "SXM4"));
	arena_free(r.a);
}

static void
an_ambiguous_card_elsewhere_is_an_error(void **state)
{
	struct read r = read_text(HEAD STREAMS
	    "pipeline:\n  - {name: a, takes: 2 ms, on: A100 80GB}\n" RUNTIME);

	(void)state;
	assert_int_equal(r.d.n_errors, 1);
	assert_string_equal(r.d.problems[0].id, "gpu-ambiguous");
	assert_null(r.v.stages[0].timed_on);
	arena_free(r.a);
}

static void
a_stage_may_be_timed(void **state)
{
	struct read r = read_text(HEAD STREAMS
	    "pipeline:\n"
	    "  - {name: a, takes: 25 ms, on: Tesla T4, per: object, "
	    "source: 手册}\n"
	    "  - {name: b, takes: 2 ms, on: host}\n"
	    "  - {name: c, takes: 2 ms, on: Xeon Gold 6330}\n"
	    "  - {name: d, takes: unknown}\n"
	    "runtime: {engine: trt, batch: 1}\n");
	const struct stage *s = r.v.stages;

	(void)state;
	check_clean(&r);
	assert_int_equal(s[0].kind, STAGE_TIMED);
	check_fact(s[0].seconds, 0.025);
	assert_string_equal(s[0].timed_on->id, "nvidia-t4");
	assert_int_equal(s[0].per, PER_OBJECT);
	assert_int_equal(s[0].batch, 1);
	assert_string_equal(s[0].src, "手册");
	assert_true(s[1].on_host && !s[1].timed_on);
	assert_true(s[2].on_host && s[2].timed_on->segment == SEGMENT_CPU);
	assert_false(s[3].seconds.known);
	arena_free(r.a);
}

static void
a_stage_may_be_work(void **state)
{
	struct read r = read_text(HEAD STREAMS
	    "pipeline:\n"
	    "  - {work: search, per: object, flop: 0.5 GFLOP, bytes: 2 GB, "
	    "times: 3, precision: fp32}\n" RUNTIME);
	const struct stage *s = r.v.stages;

	(void)state;
	check_clean(&r);
	assert_int_equal(s->kind, STAGE_WORK);
	assert_string_equal(s->name, "search");
	check_fact(s->flop, 0.5e9);
	check_fact(s->bytes, 2e9);
	assert_true(s->times == 3);
	/* its own precision, not the runtime's */
	assert_int_equal(s->precision, PREC_FP32);
	assert_int_equal(r.v.runtime.precision, PREC_FP16);
	arena_free(r.a);
}

static void
a_macs_count_is_two_flop(void **state)
{
	struct read r = read_text(
	    HEAD STREAMS "pipeline:\n"
			 "  - {work: search, flop: 1.5 GMAC}\n" RUNTIME);

	(void)state;
	check_fact(r.v.stages[0].flop, 3e9);
	arena_free(r.a);
}

static void
a_stage_may_bring_its_totals(void **state)
{
	struct read r = read_text(
	    HEAD STREAMS "pipeline:\n"
			 "  - {name: own, totals: {gmac: 13.3, params_m: 3.9, "
			 "activations_m: 20, class: mobile, at: 640x480}, "
			 "input: 1280x960}\n" RUNTIME);
	const struct stage *s = r.v.stages;

	(void)state;
	check_clean(&r);
	assert_int_equal(s->kind, STAGE_NETWORK);
	assert_null(s->network);
	check_fact(s->totals.macs, 13.3e9);
	check_fact(s->totals.params, 3.9e6);
	check_fact(s->totals.activations, 20e6);
	assert_int_equal(s->totals.cls, NET_MOBILE);
	assert_int_equal(s->totals.in_w, 640);
	assert_int_equal(s->in_w, 1280);
	assert_true(s->totals.scales);
	arena_free(r.a);
}

static void
stages_find_their_stream(void **state)
{
	struct read r = read_text(HEAD
	    "streams:\n"
	    "  - {name: a, fps: 25 fps}\n  - {name: b, fps: 25 fps}\n"
	    "pipeline:\n  - {name: x, network: yolov8m, stream: b}\n" RUNTIME);

	(void)state;
	check_clean(&r);
	assert_int_equal(r.v.stages[0].stream, 1);
	arena_free(r.a);
}

static void
pictures_come_at_a_rate(void **state)
{
	struct read r = read_text(HEAD
	    "streams:\n"
	    "  - {rate: 30 /h, resolution: 512x512, slices: 397}\n" PIPELINE
		RUNTIME);
	const struct stream *s = r.v.streams;

	(void)state;
	check_clean(&r);
	assert_int_equal(s->kind, STREAM_IMAGES);
	/* 30 an hour is one in 120 s */
	assert_true(fabs(s->analysed_per_s * 120 - 1) < 1e-12);
	assert_int_equal(s->depth, 397);
	arena_free(r.a);
}

static void
output_takes_the_size_of_the_input(void **state)
{
	struct read r = read_text(HEAD
	    "streams:\n"
	    "  - {fps: 25 fps, resolution: 960x540, output: {codec: h264}}\n"
	    "  - {fps: 25 fps, resolution: 960x540, "
	    "output: {codec: h264, resolution: 4K}}\n" PIPELINE RUNTIME);

	(void)state;
	check_clean(&r);
	assert_int_equal(r.v.streams[0].out_codec, CODEC_H264);
	assert_int_equal(r.v.streams[0].out_height, 540);
	assert_int_equal(r.v.streams[1].out_width, 3840);
	arena_free(r.a);
}

static void
measurements_keep_card_and_stage(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE RUNTIME
	    "measured:\n  - {gpu: T4, stage: 检测, batch: 8, precision: int8, "
	    "runtime: pytorch, rate: 410 /s, memory: 2 GiB}\n"
	    "  - {gpu: L4, latency: 5 ms}\n");
	const struct measurement *m = r.v.measured;

	(void)state;
	check_clean(&r);
	assert_string_equal(m[0].gpu->id, "nvidia-t4");
	assert_string_equal(m[0].stage, "检测");
	assert_int_equal(m[0].batch, 8);
	assert_int_equal(m[0].precision, PREC_INT8);
	assert_int_equal(m[0].engine, ENGINE_EAGER);
	check_fact(m[0].rate, 410);
	check_fact(m[0].memory, 2.0 * 1024 * 1024 * 1024);
	/* what is not said is the vendor's runtime */
	assert_null(m[1].stage);
	assert_int_equal(m[1].batch, 0);
	assert_int_equal(m[1].precision, PREC_FP16);
	assert_int_equal(m[1].engine, ENGINE_TENSORRT);
	check_fact(m[1].latency, 0.005);
	arena_free(r.a);
}

static void
duties_and_claims_are_kept(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE RUNTIME
	    "requires: {ecc: yes, vgpu: 否}\nload_limit: 70 %\n"
	    "claims: [每卡 16 路, 延迟低]\n");

	(void)state;
	check_clean(&r);
	assert_true(r.v.needs_ecc);
	assert_false(r.v.needs_vgpu);
	check_fact(r.v.load_limit, 0.7);
	assert_int_equal(r.v.n_claims, 2);
	assert_string_equal(r.v.claims[1], "延迟低");
	arena_free(r.a);
}

static void
a_vendor_may_run_anywhere(void **state)
{
	struct read r = read_text(HEAD STREAMS PIPELINE
	    "runtime: {engine: openvino, ecosystem: any}\n");

	(void)state;
	check_clean(&r);
	assert_string_equal(r.v.runtime.ecosystem, "any");
	arena_free(r.a);
	r = read_text(HEAD STREAMS PIPELINE RUNTIME);
	assert_string_equal(r.v.runtime.ecosystem, "cuda");
	arena_free(r.a);
}

/*
 * The sample project
 */

static const struct project *
sample(struct arena *a, struct diag *d)
{
	diag_init(d, a);
	return project_read(a, SAMPLE, catalog, d);
}

static void
the_sample_reads_with_one_question(void **state)
{
	struct arena *a = arena_new();
	struct diag d;
	const struct project *p = sample(a, &d);

	(void)state;
	assert_non_null(p);
	assert_int_equal(d.n_errors, 0);
	/* the bare A100 80GB of S3 */
	assert_int_equal(d.n, 1);
	assert_string_equal(d.problems[0].id, "gpu-ambiguous");
	assert_int_equal(p->n_vendors, 7);
	for (int i = 0; i < p->n_vendors; i++) {
		assert_non_null(p->vendors[i].name_en);
		assert_non_null(p->vendors[i].task_en);
		assert_non_null(p->vendors[i].request.reason_en);
		assert_true(p->vendors[i].n_stages > 0);
	}
	arena_free(a);
}

static void
the_sample_site_is_read(void **state)
{
	struct arena *a = arena_new();
	struct diag d;
	const struct project *p = sample(a, &d);

	(void)state;
	check_fact(p->site.slots, 4);
	check_fact(p->site.slot_power_w, 350);
	assert_int_equal(p->site.cooling, COOLING_PASSIVE);
	assert_string_equal(p->site.cpu->id, "intel-xeon-gold-6330");
	assert_int_equal(p->site.sockets, 2);
	assert_string_equal(p->site.deliver_to, "CN");
	assert_true(p->policy.share);
	assert_false(p->policy.in_production_required);
	assert_int_equal(p->policy.spare_per_pool, 1);
	assert_int_equal(p->n_languages, 2);
	assert_int_equal(p->n_inventories, 1);
	assert_int_equal(p->inventories[0].n_devices, 2);
	assert_string_equal(p->inventories[0].devices[1].gpu->id, "nvidia-t4");
	assert_string_equal(p->inventories[0].driver, "470.103.01");
	arena_free(a);
}

static void
the_sample_holds_the_published_figures(void **state)
{
	struct arena *a = arena_new();
	struct diag d;
	const struct project *p = sample(a, &d);
	const struct vendor *v = p->vendors;

	(void)state;
	/* S1: 64 x 12.5 = 800 frames/s, 1600 decoded */
	assert_true(
	    v[0].streams[0].count * v[0].streams[0].analysed_per_s == 800);
	/* S2: 25 + 0.5 x (4.68 + 7.31) = 30.995 ms a frame */
	assert_true(fabs(v[1].stages[0].seconds.value +
			 v[1].streams[0].objects_mean.value *
			     (v[1].stages[1].seconds.value +
				 v[1].stages[2].seconds.value) -
			 30.995e-3) < 1e-9);
	assert_int_equal(v[1].runtime.layout, PROC_PER_STREAM);
	/* S4: 90 + 35 x 6.5 = 317.5 ms a page */
	assert_true(fabs(v[3].stages[0].seconds.value +
			 v[3].streams[0].objects_mean.value *
			     v[3].stages[1].seconds.value -
			 317.5e-3) < 1e-9);
	/* S5: 104 tiles; 5.2 GB and 14.0 GB */
	assert_int_equal(stage_tiles(&v[4].stages[0], &v[4].streams[0]), 104);
	check_fact(v[4].memory.bank, 5.2e9);
	check_fact(v[4].memory.scratch, 14.0e9);
	/* S6: the time is a question, the peak is known */
	assert_false(v[5].stages[0].seconds.known);
	check_fact(v[5].memory.peak, 28.73e9);
	/* S7: a frame of 960 x 540 on RRDBNet is 18.6 TFLOP */
	assert_true(
	    fabs(2 * v[6].stages[0].network->macs.value / 18.6e12 - 1) < 0.01);
	arena_free(a);
}

static void
a_missing_project_is_reported(void **state)
{
	struct arena *a = arena_new();
	struct diag d;

	(void)state;
	diag_init(&d, a);
	assert_null(project_read(a, "no/such.yaml", catalog, &d));
	assert_int_equal(d.n_errors, 1);
	assert_string_equal(d.problems[0].id, "file-missing");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(precisions_have_many_names),
	    cmocka_unit_test(runtimes_fall_into_classes),
	    cmocka_unit_test(tiles_cover_the_picture),
	    cmocka_unit_test(a_small_file_is_enough),
	    cmocka_unit_test(what_is_not_said_stays_open),
	    cmocka_unit_test(figures_name_their_line),
	    cmocka_unit_test(versions_are_numbers),
	    cmocka_unit_test(cuda_keeps_its_last_digit),
	    cmocka_unit_test(processes_are_per_card_or_per_stream),
	    cmocka_unit_test(an_ambiguous_request_stays_a_question),
	    cmocka_unit_test(an_ambiguous_card_elsewhere_is_an_error),
	    cmocka_unit_test(a_stage_may_be_timed),
	    cmocka_unit_test(a_stage_may_be_work),
	    cmocka_unit_test(a_macs_count_is_two_flop),
	    cmocka_unit_test(a_stage_may_bring_its_totals),
	    cmocka_unit_test(stages_find_their_stream),
	    cmocka_unit_test(pictures_come_at_a_rate),
	    cmocka_unit_test(output_takes_the_size_of_the_input),
	    cmocka_unit_test(measurements_keep_card_and_stage),
	    cmocka_unit_test(duties_and_claims_are_kept),
	    cmocka_unit_test(a_vendor_may_run_anywhere),
	    cmocka_unit_test(the_sample_reads_with_one_question),
	    cmocka_unit_test(the_sample_site_is_read),
	    cmocka_unit_test(the_sample_holds_the_published_figures),
	    cmocka_unit_test(a_missing_project_is_reported),
	};

	return cmocka_run_group_tests_name("project", tests, read_catalog,
	    free_catalog);
}
