/*
 * Figures the reader computes from formulas, and catalogues in several
 * folders, of which the later ones add to the first or change it.
 */
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
#include "data/gpu.h"
#include "input/input.h"

enum { DIRS_MAX = 3 };

/* One folder: the text of each file, NULL for none. */
struct folder {
	const char *sources, *archs, *gpus;
};

struct read {
	struct arena *a;
	struct diag d;
	struct catalog *c;
	char dirs[DIRS_MAX][32];
	int n;
};

#define FORMULA(id)                                                            \
	"<formula id='" id "'><title>t</title>"                                \
	"<where>w</where></formula>\n"

static const struct folder base = {
    "<sources>\n<source id='S' grade='A' date='2026'><title>t</title>"
    "</source>\n" FORMULA("F1") FORMULA("F2") FORMULA("F3") FORMULA("F4")
	FORMULA("F6") FORMULA("F7") FORMULA("F8") FORMULA("F9") FORMULA("F10")
	    FORMULA("F13") "</sources>\n",
    "<architectures>\n<arch id='ada' name='Ada' cc='8.9'>\n"
    "<sm cores='128' tensor-cores='4' src='S' sure='vendor'/>\n"
    "<rate precision='fp32' unit='shader' per-sm='128' src='S' "
    "sure='vendor'/>\n"
    "<rate precision='fp16' unit='shader' per-sm='128' src='S' "
    "sure='vendor'/>\n"
    "<rate precision='fp16' unit='tensor' accumulate='fp32' "
    "per-sm='512' geforce='256' src='S' sure='vendor'/>\n"
    "<rate precision='fp16' unit='tensor' accumulate='fp16' "
    "per-sm='512' src='S' sure='vendor'/>\n"
    "</arch>\n"
    "<arch id='cpu' name='CPU'><rate precision='fp32' unit='shader' "
    "per-sm='32' src='S' sure='vendor'/></arch>\n</architectures>\n",
    "<gpus>\n"
    "<gpu id='n-4090' vendor='NVIDIA' arch='ada' segment='consumer' "
    "family='GeForce RTX 40'><name>RTX 4090</name>\n"
    "<units cores='16384' boost='2520 MHz' src='S' sure='vendor'/>\n"
    "<memory size='24 GiB' bus='384 bit' mt-per-s='21000' src='S' "
    "sure='vendor'/>\n"
    "<peak precision='fp32' unit='shader' formula='F1' sure='derived'/>\n"
    "<peak precision='fp16' unit='shader' formula='F3' sure='derived'/>\n"
    "<peak precision='fp16' unit='tensor' accumulate='fp32' "
    "formula='F2' sure='derived'/>\n"
    "<peak precision='fp16' unit='tensor' accumulate='fp16' "
    "formula='F2' sure='derived'/>\n"
    "<peak precision='int8' unit='tensor' accumulate='int32' "
    "from='fp16-tensor-acc16' times='2' formula='F6' sure='derived'/>\n"
    "<board mount='slot' power='450 W' price-usd='1599' src='S' "
    "sure='vendor'/>\n"
    "<derive field='sm' formula='F9' sure='derived'/>\n"
    "<derive field='tensor-cores' formula='F9' sure='derived'/>\n"
    "<derive field='bandwidth' formula='F4' sure='derived'/>\n"
    "<about field='fp16-tensor' sure='conflict'/>\n"
    "</gpu>\n"
    "<gpu id='n-l40' vendor='NVIDIA' arch='ada' segment='datacenter' "
    "family='L'><name>L40</name>\n"
    "<units sm='142' boost='2490 MHz' src='S' sure='vendor'/>\n"
    "<peak precision='fp16' unit='tensor' accumulate='fp32' "
    "sparse='724 TFLOPS' formula='F10' sure='derived'/>\n"
    "<derive field='bandwidth' of='n-4090' formula='F8' "
    "sure='derived'/>\n"
    "<derive field='tensor-clock' from='fp16-tensor' formula='F2' "
    "sure='derived'/>\n"
    "</gpu>\n"
    "<gpu id='x-cpu' vendor='Intel' arch='cpu' segment='cpu' "
    "family='X'><name>Xeon</name>\n"
    "<units sm='28' base='2000 MHz' boost='3100 MHz' src='S' "
    "sure='vendor'/>\n"
    "<peak precision='fp32' unit='shader' formula='F7' sure='derived'/>\n"
    "</gpu>\n</gpus>\n",
};

static void
write_text(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	if (!text)
		return;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void
remove_dir(const char *dir)
{
	static const char *const files[] = {"sources.xml", "architectures.xml",
	    "gpus/a.xml"};
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/gpus", dir);
	rmdir(path);
	rmdir(dir);
}

static struct read
read_folders(const struct folder *f, int n)
{
	struct read r = {.a = arena_new(), .n = n};
	const char *dirs[DIRS_MAX];

	for (int i = 0; i < n; i++) {
		char path[64];

		strcpy(r.dirs[i], "/tmp/whygpu-derive-XXXXXX");
		assert_non_null(mkdtemp(r.dirs[i]));
		snprintf(path, sizeof(path), "%s/gpus", r.dirs[i]);
		assert_int_equal(mkdir(path, 0700), 0);
		write_text(r.dirs[i], "sources.xml", f[i].sources);
		write_text(r.dirs[i], "architectures.xml", f[i].archs);
		write_text(r.dirs[i], "gpus/a.xml", f[i].gpus);
		dirs[i] = r.dirs[i];
	}
	diag_init(&r.d, r.a);
	r.c = catalog_read_all(r.a, dirs, n, &r.d);
	for (int i = 0; i < n; i++)
		remove_dir(r.dirs[i]);
	return r;
}

/* The base with an overlay of these cards; must read without a problem. */
static struct read
overlay(const char *sources, const char *gpus)
{
	struct folder two[] = {base, {sources, NULL, gpus}};
	struct read r = read_folders(two, 2);

	diag_print(&r.d, stderr);
	assert_int_equal(r.d.n, 0);
	return r;
}

static const struct gpu *
card(const struct read *r, const char *id)
{
	const struct gpu *g = catalog_gpu(r->c, id);

	if (!g)
		fail_msg("no card '%s'", id);
	return g;
}

static void
check_near(const struct fact *f, double want)
{
	assert_true(f->known);
	if (fabs(f->value - want) > 1e-9 * want)
		fail_msg("%.9g is not %.9g", f->value, want);
}

static const struct fact *
peak(const struct gpu *g, enum peak p)
{
	return &g->peak[p];
}

static void
peaks_follow_from_units_and_clock(void **state)
{
	struct read r = read_folders(&base, 1);
	const struct gpu *g = card(&r, "n-4090");

	(void)state;
	diag_print(&r.d, stderr);
	assert_int_equal(r.d.n, 0);
	/* 16384 cores / 128 = 128 SM; 4 tensor cores each */
	check_near(&g->sm, 128);
	check_near(&g->tensor_cores, 512);
	/* 2 x 128 x 128 x 2.52 GHz */
	check_near(peak(g, PEAK_FP32), 82.57536e12);
	check_near(peak(g, PEAK_FP16), 82.57536e12);
	/* GeForce: 256 of the 512; with FP16 accumulate all of them */
	check_near(peak(g, PEAK_FP16_TENSOR), 165.15072e12);
	check_near(peak(g, PEAK_FP16_TENSOR_ACC16), 330.30144e12);
	/* twice another figure of the card, itself computed */
	check_near(peak(g, PEAK_INT8_TENSOR), 660.60288e12);
	/* 21 GT/s x 384 bit / 8 */
	check_near(&g->bandwidth, 1008e9);
	assert_int_equal(peak(g, PEAK_FP32)->sure, SURE_DERIVED);
	assert_string_equal(peak(g, PEAK_FP32)->src, "F1");
	/* <about> speaks of the computed figure too */
	assert_int_equal(peak(g, PEAK_FP16_TENSOR)->sure, SURE_CONFLICT);
	arena_free(r.a);
}

static void
other_formulas(void **state)
{
	struct read r = read_folders(&base, 1);
	const struct gpu *g = card(&r, "n-l40");

	(void)state;
	/* sparse / 2 */
	check_near(peak(g, PEAK_FP16_TENSOR), 362e12);
	/* the figure of another card, itself computed */
	check_near(&g->bandwidth, 1008e9);
	/* the clock at which 2 x 512 x 142 gives 362 TFLOPS */
	check_near(&g->tensor_hz, 362e12 / (2 * 512 * 142.0));
	/* a CPU at base clock: 2 x 32 x 28 x 2 GHz */
	check_near(peak(card(&r, "x-cpu"), PEAK_FP32), 3.584e12);
	arena_free(r.a);
}

static void
check_error(const char *gpus, const char *id, const char *text)
{
	struct folder f = base;
	struct read r;
	bool found = false;

	f.gpus = gpus;
	r = read_folders(&f, 1);
	for (int i = 0; i < r.d.n; i++)
		found |= strcmp(r.d.problems[i].id, id) == 0 &&
			 strstr(r.d.problems[i].text, text) &&
			 r.d.problems[i].pos.line == 2;
	if (!found) {
		diag_print(&r.d, stderr);
		fail_msg("no '%s' with '%s'", id, text);
	}
	arena_free(r.a);
}

#define CARD(parts)                                                            \
	"<gpus><gpu id='n' vendor='NVIDIA' arch='ada' "                        \
	"segment='consumer' family='f'><name>N</name>\n" parts "</gpu></gpus>"

static void
what_does_not_follow_is_said(void **state)
{
	(void)state;
	/* no SM, no clock */
	check_error(CARD("<peak precision='fp32' unit='shader' "
			 "formula='F1' sure='derived'/>"),
	    "catalog-derive", "fp32");
	/* a formula the reader cannot compute */
	check_error(CARD("<derive field='power' formula='F13' "
			 "sure='derived'/>"),
	    "catalog-derive", "F13");
	/* a circle */
	check_error(
	    CARD("<derive field='l2' from='llc' formula='F8' "
		 "sure='derived'/><derive field='llc' from='l2' formula='F8' "
		 "sure='derived'/>"),
	    "catalog-derive", "l2");
	/* a card that is not there */
	check_error(CARD("<derive field='power' of='nobody' formula='F8' "
			 "sure='derived'/>"),
	    "catalog-derive", "power");
	check_error(CARD("<derive field='colour' formula='F8' "
			 "sure='derived'/>"),
	    "catalog-field", "colour");
	check_error(CARD("<derive field='power' from='taste' formula='F8' "
			 "sure='derived'/>"),
	    "catalog-field", "taste");
	check_error(CARD("<derive field='power' times='-1' formula='F8' "
			 "sure='derived'/>"),
	    "catalog-value", "times");
	/* 100 cores are not whole SM */
	check_error(CARD("<units cores='100' src='S' sure='one'/><derive "
			 "field='sm' formula='F9' sure='derived'/>"),
	    "catalog-derive", "sm");
	check_error(CARD("<peak precision='fp32' unit='shader' "
			 "sparse='8 TFLOPS' src='S' sure='one'/>"),
	    "catalog-source", "F10");
}

/* An overlay states only what it changes; the rest stays. */
static void
overlay_changes_a_price(void **state)
{
	struct read r =
	    overlay("<sources><source id='quote' grade='C' "
		    "date='2026-11'><title>t</title></source></sources>",
		"<gpus>\n<gpu id='n-4090'><board price-usd='2400' src='quote' "
		"sure='one'/></gpu></gpus>");
	const struct gpu *g = card(&r, "n-4090");

	(void)state;
	assert_int_equal(r.c->n_gpus, 3);
	check_near(&g->price_usd, 2400);
	assert_string_equal(g->price_usd.src, "quote");
	check_near(&g->power_w, 450);
	assert_true(g->on_board);
	assert_string_equal(g->name, "RTX 4090");
	check_near(peak(g, PEAK_FP32), 82.57536e12);
	/* and the change is on record, with both values and its place */
	assert_int_equal(r.c->n_changes, 1);
	assert_string_equal(r.c->changes[0].figure, "price-usd");
	assert_true(r.c->changes[0].before.value == 1599);
	assert_true(r.c->changes[0].after.value == 2400);
	assert_int_equal(r.c->changes[0].pos.line, 2);
	assert_true(strstr(r.c->changes[0].pos.src->path, r.dirs[1]) != NULL);
	arena_free(r.a);
}

/* A changed clock moves every peak that rests on it. */
static void
overlay_moves_what_is_derived(void **state)
{
	struct read r =
	    overlay(NULL, "<gpus><gpu id='n-4090'><units "
			  "boost='1260 MHz' src='S' sure='one'/></gpu></gpus>");
	const struct gpu *g = card(&r, "n-4090");

	(void)state;
	/* half the clock, half the rates; and the L40 keeps its own */
	check_near(peak(g, PEAK_FP32), 41.28768e12);
	check_near(peak(g, PEAK_INT8_TENSOR), 330.30144e12);
	check_near(peak(card(&r, "n-l40"), PEAK_FP16_TENSOR), 362e12);
	arena_free(r.a);
}

/* A figure typed in the overlay beats the formula of the base. */
static void
overlay_replaces_a_formula(void **state)
{
	struct read r = overlay(NULL,
	    "<gpus><gpu id='n-4090'>"
	    "<peak precision='fp32' unit='shader' dense='80 TFLOPS' src='S' "
	    "sure='vendor'/></gpu></gpus>");

	(void)state;
	check_near(peak(card(&r, "n-4090"), PEAK_FP32), 80e12);
	assert_int_equal(peak(card(&r, "n-4090"), PEAK_FP32)->sure,
	    SURE_VENDOR);
	/* what rests on it follows: the same ratio */
	check_near(peak(card(&r, "n-4090"), PEAK_FP16), 80e12);
	arena_free(r.a);
}

static void
overlay_adds_a_card_and_names(void **state)
{
	struct read r = overlay(NULL,
	    "<gpus>"
	    "<gpu id='local-1' vendor='NVIDIA' arch='ada' segment='consumer' "
	    "family='f'><name>House card</name></gpu>"
	    "<gpu id='n-4090'><alias>our big one</alias></gpu></gpus>");
	const struct gpu *found[2];

	(void)state;
	assert_int_equal(r.c->n_gpus, 4);
	assert_int_equal(catalog_find(r.c, "house card", found, 2), 1);
	assert_string_equal(found[0]->id, "local-1");
	assert_int_equal(catalog_find(r.c, "our big one", found, 2), 1);
	assert_string_equal(found[0]->id, "n-4090");
	assert_int_equal(catalog_find(r.c, "RTX 4090", found, 2), 1);
	assert_null(r.c->changes[0].figure);
	arena_free(r.a);
}

/* Three folders: the last one wins. */
static void
later_folders_win(void **state)
{
	struct folder three[] = {base,
	    {NULL, NULL,
		"<gpus><gpu id='n-4090'><board power='400 W' "
		"price-usd='2000' src='S' sure='one'/></gpu></gpus>"},
	    {NULL, NULL,
		"<gpus><gpu id='n-4090'><board power='350 W' "
		"src='S' sure='one'/></gpu></gpus>"}};
	struct read r = read_folders(three, 3);

	(void)state;
	assert_int_equal(r.d.n, 0);
	check_near(&card(&r, "n-4090")->power_w, 350);
	check_near(&card(&r, "n-4090")->price_usd, 2000);
	arena_free(r.a);
}

/* Within one folder the same id twice is still a mistake. */
static void
one_folder_has_each_id_once(void **state)
{
	struct folder two[] = {base,
	    {NULL, NULL,
		"<gpus><gpu id='new' vendor='NVIDIA' segment='consumer' "
		"family='f'><name>A</name></gpu>"
		"<gpu id='new' vendor='NVIDIA' segment='consumer' "
		"family='f'><name>B</name></gpu></gpus>"}};
	struct read r = read_folders(two, 2);
	bool found = false;

	(void)state;
	for (int i = 0; i < r.d.n; i++)
		found |= strcmp(r.d.problems[i].id, "catalog-duplicate") == 0;
	assert_true(found);
	arena_free(r.a);
}

/* An overlay is held to the same rules: an unknown source, a lone figure. */
static void
overlay_errors_have_their_place(void **state)
{
	struct folder two[] = {base,
	    {NULL, NULL,
		"<gpus>\n"
		"<gpu id='n-4090'>\n<board price-usd='2400' src='nobody' "
		"sure='one'/></gpu></gpus>"}};
	struct read r = read_folders(two, 2);

	(void)state;
	assert_int_equal(r.d.n_errors, 1);
	assert_string_equal(r.d.problems[0].id, "catalog-source");
	assert_int_equal(r.d.problems[0].pos.line, 3);
	/* the card of the base stays as it was */
	check_near(&card(&r, "n-4090")->price_usd, 1599);
	arena_free(r.a);
}

/* Where a figure stands is known to the column; an overlay's wins. */
static void
figures_know_their_place(void **state)
{
	struct read r = overlay(NULL,
	    "<gpus>\n<gpu id='n-4090'>\n"
	    "<board price-usd='2400' src='S' sure='one'/></gpu></gpus>");
	const struct gpu *g = card(&r, "n-4090");
	struct pos p = catalog_place(r.c, PLACE_GPU, g, &g->memory_bytes);

	(void)state;
	/* <memory size='24 GiB' stands in line 4, the value in column 15 */
	assert_int_equal(p.line, 4);
	assert_int_equal(p.col, 15);
	p = catalog_place(r.c, PLACE_GPU, g, &g->price_usd);
	assert_int_equal(p.line, 3);
	assert_int_equal(p.col, 19);
	assert_true(strstr(p.src->path, r.dirs[1]) != NULL);
	/* a computed figure stands where its card does */
	p = catalog_place(r.c, PLACE_GPU, g, peak(g, PEAK_FP32));
	assert_int_equal(p.line, 2);
	arena_free(r.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(peaks_follow_from_units_and_clock),
	    cmocka_unit_test(other_formulas),
	    cmocka_unit_test(what_does_not_follow_is_said),
	    cmocka_unit_test(overlay_changes_a_price),
	    cmocka_unit_test(overlay_moves_what_is_derived),
	    cmocka_unit_test(overlay_replaces_a_formula),
	    cmocka_unit_test(overlay_adds_a_card_and_names),
	    cmocka_unit_test(later_folders_win),
	    cmocka_unit_test(one_folder_has_each_id_once),
	    cmocka_unit_test(overlay_errors_have_their_place),
	    cmocka_unit_test(figures_know_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
