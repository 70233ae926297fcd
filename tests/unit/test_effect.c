/* model/effect.h, model/band.h, model/residual.h, input/residual_in.h */
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
#include "base/str.h"
#include "input/input.h"
#include "input/residual_in.h"
#include "model/band.h"
#include "model/effect.h"
#include "model/residual.h"

static struct arena *a;

static void
check_near(double got, double want, double off)
{
	if (!(fabs(got - want) <= off))
		fail_msg("got %.9g, want %.9g", got, want);
}

/*
 * Effects
 */

/* One row of network and card; everything else is one level. */
static struct effect_row
row(int network, int card, double left)
{
	struct effect_row r = {.left = left, .weight = 1};

	r.level[EFFECT_NETWORK] = r.level[EFFECT_NETWORK_RUN] = network;
	r.level[EFFECT_CARD] = r.level[EFFECT_CHIP] = card;
	return r;
}

static void
test_effects_are_told_apart(void **state)
{
	/* Network 1 is 0.3 slower than network 0, card 1 0.2 than card 0. */
	struct effect_row rows[200];
	struct effects *e;
	unsigned network = 1u << EFFECT_NETWORK | 1u << EFFECT_NETWORK_RUN;
	unsigned card = 1u << EFFECT_CARD | 1u << EFFECT_CHIP;
	int n = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		for (int k = 0; k < 4; k++) {
			int net = k & 1, c = k >> 1;

			rows[n++] =
			    row(net, c, 0.3 * (net - 0.5) + 0.2 * (c - 0.5));
		}
	e = effects_fit(a, rows, n, NULL);
	check_near(effects_sum(e, &rows[1], network) -
		       effects_sum(e, &rows[0], network),
	    0.3, 0.02);
	check_near(effects_sum(e, &rows[2], card) -
		       effects_sum(e, &rows[0], card),
	    0.2, 0.03);
	assert_int_equal(e->rows[EFFECT_NETWORK][1], 100);
}

static void
test_few_rows_are_drawn_to_nothing(void **state)
{
	struct effect_row one = row(0, 0, 0.5);
	struct effects *e = effects_fit(a, &one, 1, NULL);
	double sum = effects_sum(e, &one, (1u << EFFECT_N) - 1);

	(void)state;
	/* something is taken up, but far from all */
	assert_true(sum > 0.05 && sum < 0.45);
}

static void
test_rows_left_out_say_nothing(void **state)
{
	struct effect_row rows[2] = {row(0, 0, 0.5), row(1, 1, 0)};
	bool out[2] = {true, false};
	struct effects *e = effects_fit(a, rows, 2, out);

	(void)state;
	check_near(e->value[EFFECT_NETWORK][0], 0, 1e-12);
	check_near(e->value[EFFECT_CARD][0], 0, 1e-12);
	assert_int_equal(e->rows[EFFECT_CARD][0], 0);
}

/*
 * Bands
 */

static void
test_nine_of_ten(void **state)
{
	struct band_row rows[100];
	struct band_cell *c;
	int n;

	(void)state;
	/*
	 * Errors 0.01 to 1.00, dealt out to four folds: rank
	 * ceil(101 x 0.9) = 91, so x/÷ e^0.91.
	 */
	for (int i = 0; i < 100; i++)
		rows[i] = (struct band_row){KNOW_CARD, "eager", 2, TIER_LAYERS,
		    i % 4, 0.01 * (i + 1)};
	c = bands_fit(a, rows, 100, -1, &n);
	assert_true(n >= 4);
	check_near(log(c[0].factor), 0.91, 1e-9);
	assert_int_equal(c[0].rows, 100);
	assert_int_equal(c[0].batch_class, 2);
	/* three of four folds left */
	c = bands_fit(a, rows, 100, 3, &n);
	assert_int_equal(c[0].rows, 75);
}

static void
test_folds_that_differ_widen_the_band(void **state)
{
	struct band_row rows[100];
	struct band_cell *c;
	int n;

	(void)state;
	/* One chip is off by 1, nine by 0.1: 90 % of the others' rows promise
	 * 0.1 to it, and hold none of its rows. */
	for (int i = 0; i < 100; i++)
		rows[i] = (struct band_row){KNOW_CARD, "eager", 2, TIER_LAYERS,
		    i / 10, i < 20 ? 1 : 0.1};
	c = bands_fit(a, rows, 100, -1, &n);
	check_near(log(c[0].factor), 1, 1e-9);
}

static void
test_the_narrowest_class_counts(void **state)
{
	struct band_cell cells[2] = {{KNOW_CARD, "eager", 2, TIER_LAYERS, false,
					 1.2, 50},
	    {KNOW_CARD, "", -1, TIER_LAYERS, true, 1.5, 90}};
	struct residuals r = {.bands = cells, .n_bands = 2};

	(void)state;
	check_near(residual_band(&r, KNOW_CARD, "eager", 2, TIER_LAYERS), 1.2,
	    1e-12);
	check_near(residual_band(&r, KNOW_CARD, "eager", 0, TIER_LAYERS), 1.5,
	    1e-12);
	check_near(residual_band(&r, KNOW_CARD, "eager", 2, TIER_TOTALS), 1.5,
	    1e-12);
	check_near(residual_band(&r, KNOW_BOTH, "eager", 2, TIER_LAYERS), 0,
	    1e-12);
}

/*
 * Residuals
 */

static void
test_families(void **state)
{
	static const char *const pairs[][2] = {{"resnet50", "resnet"},
	    {"se_resnet50_vd", "seresnet"}, {"yolov8s", "yolov"},
	    {"vit_base_patch16_224", "vit"}, {"ssd-r34-1200", "ssd"}};

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_string_equal(residual_family(a, pairs[i][0]),
		    pairs[i][1]);
}

static const char *
folder_with(const char *text)
{
	char *dir = arena_strdup(a, "/tmp/whygpu-residual-XXXXXX");
	FILE *f;

	assert_non_null(mkdtemp(dir));
	mkdir(arena_printf(a, "%s/calibration", dir), 0700);
	f = fopen(arena_printf(a, "%s/calibration/residuals.xml", dir), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return dir;
}

static struct residuals *
read_text(const char *text, struct diag *d)
{
	const char *dir = folder_with(text);
	struct residuals *r;

	diag_init(d, a);
	r = residuals_read(a, dir, d);
	unlink(arena_printf(a, "%s/calibration/residuals.xml", dir));
	rmdir(arena_printf(a, "%s/calibration", dir));
	rmdir(dir);
	return r;
}

static void
test_what_was_measured_counts(void **state)
{
	struct diag d;
	struct residuals *r = read_text(
	    "<residuals><source id=\"s\" title=\"t\"/>"
	    "<band measured=\"card\" factor=\"1.4\" rows=\"9\"/>"
	    "<residual of=\"network\" name=\"n\" factor=\"1.1\" rows=\"3\"/>"
	    "<residual of=\"network-run\" name=\"n\" run=\"eager\" "
	    "factor=\"1.2\" rows=\"3\"/>"
	    "<residual of=\"card\" name=\"c\" factor=\"0.5\" rows=\"2\"/>"
	    "</residuals>",
	    &d);
	struct residual_names n = {.run = "eager"};
	enum knowledge know;

	(void)state;
	assert_non_null(r);
	n.of[EFFECT_NETWORK] = n.of[EFFECT_NETWORK_RUN] = "n";
	n.of[EFFECT_CARD] = "other";
	/* 1.1 x 1.2 */
	check_near(residual_factor(r, &n, &know), 1.32, 1e-9);
	assert_int_equal(know, KNOW_NETWORK);
	n.run = "compiled";
	n.of[EFFECT_CARD] = "c";
	/* 1.1 x 0.5 */
	check_near(residual_factor(r, &n, &know), 0.55, 1e-9);
	assert_int_equal(know, KNOW_BOTH);
	n.of[EFFECT_NETWORK] = n.of[EFFECT_NETWORK_RUN] = "new";
	n.of[EFFECT_CARD] = "new";
	check_near(residual_factor(r, &n, &know), 1, 1e-12);
	assert_int_equal(know, KNOW_NOTHING);
}

static void
test_faults_of_the_file(void **state)
{
	static const char *const faults[] =
	    {"<residuals><residual of=\"colour\" name=\"n\" factor=\"1\" "
	     "rows=\"1\"/></residuals>",
		"<residuals><residual of=\"card\" name=\"n\" factor=\"99\" "
		"rows=\"1\"/></residuals>",
		"<residuals><band measured=\"half\" factor=\"1.2\" rows=\"1\"/>"
		"</residuals>",
		"<residuals><band measured=\"card\" batch=\"3\" factor=\"1.2\" "
		"rows=\"1\"/></residuals>",
		"<residuals><band measured=\"card\" factor=\"0.8\" rows=\"1\"/>"
		"</residuals>",
		"<residuals><other/></residuals>"};
	struct diag d;

	(void)state;
	for (int i = 0; i < 6; i++) {
		assert_null(read_text(faults[i], &d));
		assert_true(d.n_errors > 0);
	}
}

static void
test_no_file_is_nothing_measured(void **state)
{
	struct diag d;
	struct residuals *r;

	(void)state;
	diag_init(&d, a);
	r = residuals_read(a, "/tmp/whygpu-none", &d);
	assert_non_null(r);
	assert_int_equal(r->n + r->n_bands, 0);
	assert_int_equal(d.n_errors, 0);
}

static int
set_up(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_effects_are_told_apart),
	    cmocka_unit_test(test_few_rows_are_drawn_to_nothing),
	    cmocka_unit_test(test_rows_left_out_say_nothing),
	    cmocka_unit_test(test_nine_of_ten),
	    cmocka_unit_test(test_folds_that_differ_widen_the_band),
	    cmocka_unit_test(test_the_narrowest_class_counts),
	    cmocka_unit_test(test_families),
	    cmocka_unit_test(test_what_was_measured_counts),
	    cmocka_unit_test(test_faults_of_the_file),
	    cmocka_unit_test(test_no_file_is_nothing_measured),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
