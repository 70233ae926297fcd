/* Scales, ticks, quantities and the palette. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "chart/palette.h"
#include "chart/quantity.h"
#include "chart/scale.h"

#define near(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

static struct arena *
arena_of(void **state)
{
	return *state;
}

static int
setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int
teardown(void **state)
{
	arena_free(*state);
	return 0;
}

/* Half of 0..10 lies halfway between 100 and 300. */
static void
linear_places_values(void **state)
{
	struct scale s = scale_linear(0, 10, 100, 300);

	(void)state;
	near(scale_at(&s, 5), 200, 1e-12);
	near(scale_at(&s, 0), 100, 1e-12);
	near(scale_at(&s, 10), 300, 1e-12);
}

/* A y axis runs upward: from is the lower end of the page. */
static void
linear_may_run_upward(void **state)
{
	struct scale s = scale_linear(0, 4, 200, 0);

	(void)state;
	near(scale_at(&s, 1), 150, 1e-12);
	near(scale_invert(&s, 150), 1, 1e-12);
}

/* sqrt(1 x 100) = 10 is the middle of a log scale from 1 to 100. */
static void
log_places_values(void **state)
{
	struct scale s = scale_log(1, 100, 0, 80);

	(void)state;
	near(scale_at(&s, 10), 40, 1e-9);
	near(scale_at(&s, 1), 0, 1e-9);
	near(scale_at(&s, 100), 80, 1e-9);
}

static void
invert_undoes_at(void **state)
{
	static const double values[] = {0.3, 1, 2.5, 7, 40, 99};
	struct scale lin = scale_linear(0.1, 120, 12, 431);
	struct scale log = scale_log(0.1, 120, 12, 431);

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		near(scale_invert(&lin, scale_at(&lin, values[i])), values[i],
		    1e-9);
		near(scale_invert(&log, scale_at(&log, values[i])), values[i],
		    1e-9);
	}
}

static void
outside_lies_outside_unless_clamped(void **state)
{
	struct scale s = scale_linear(0, 1, 10, 20);

	(void)state;
	near(scale_at(&s, 2), 30, 1e-12);
	near(scale_clamped(&s, 2), 20, 1e-12);
	near(scale_clamped(&s, -5), 10, 1e-12);
}

static void
log_of_nothing_is_the_lower_end(void **state)
{
	struct scale s = scale_log(1, 100, 5, 50);

	(void)state;
	near(scale_clamped(&s, 0), 5, 1e-12);
	near(scale_clamped(&s, -3), 5, 1e-12);
}

static void
senseless_domains_become_usable(void **state)
{
	static const double bad[][2] = {{0, 0}, {5, 5}, {7, 2}, {NAN, NAN},
	    {-INFINITY, INFINITY}, {0, INFINITY}, {-3, -1}, {1e308, 1e308},
	    {1e-308, 1e308}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct scale lin = scale_linear(bad[i][0], bad[i][1], 0, 9);
		struct scale log = scale_log(bad[i][0], bad[i][1], 0, 9);

		assert_true(lin.lo < lin.hi);
		assert_true(log.lo > 0 && log.lo < log.hi);
		assert_true(isfinite(scale_at(&lin, lin.hi)));
		assert_true(isfinite(scale_at(&log, log.hi)));
		near(scale_at(&log, log.hi), 9, 1e-6);
	}
}

static void
log_scales_span_a_bounded_number_of_decades(void **state)
{
	struct scale s = scale_log(1e-90, 1e90, 0, 1);

	(void)state;
	assert_true(log10(s.hi / s.lo) <= SCALE_MAX_DECADES + 1e-6);
}

/* Four bands over 80 pt: 20 pt each, a quarter of it gap: 15 pt wide. */
static void
bands_share_the_range(void **state)
{
	struct scale s = scale_band(4, 10, 90, 0.25);

	(void)state;
	near(scale_band_width(&s), 15, 1e-12);
	near(scale_band_start(&s, 0), 12.5, 1e-12);
	near(scale_band_start(&s, 3), 72.5, 1e-12);
}

static void
no_bands_are_one(void **state)
{
	struct scale s = scale_band(0, 0, 10, 0);

	(void)state;
	near(scale_band_width(&s), 10, 1e-12);
}

/* 1, 2 or 5 times a power of ten */
static bool
is_round_step(double v)
{
	double m = v / pow(10, floor(log10(v) + 1e-9));

	return fabs(m - 1) < 1e-6 || fabs(m - 2) < 1e-6 || fabs(m - 5) < 1e-6;
}

/* 0 to 97 in about five steps: 0, 20, 40, 60, 80. */
static void
linear_ticks_are_round_and_inside(void **state)
{
	struct scale s = scale_linear(0, 97, 0, 1);
	double *t;
	int n;

	t = scale_ticks(&s, 5, &n, arena_of(state));
	assert_int_equal(n, 5);
	for (int i = 0; i < n; i++)
		near(t[i], 20 * i, 1e-9);
}

static void
ticks_of_any_domain_are_rising_and_inside(void **state)
{
	for (int i = 0; i < 400; i++) {
		double lo = pow(10, i % 17 - 8) * (1 + i % 7);
		double hi = lo * (1.3 + i % 90);
		struct scale s = i % 2 ? scale_linear(lo, hi, 0, 1)
				       : scale_log(lo, hi, 0, 1);
		double *t;
		int n;

		t = scale_ticks(&s, 4 + i % 4, &n, arena_of(state));
		assert_in_range(n, 1, 40);
		for (int j = 0; j < n; j++) {
			assert_true(t[j] >= s.lo * (1 - 1e-9));
			assert_true(t[j] <= s.hi * (1 + 1e-9));
			if (j > 0)
				assert_true(t[j] > t[j - 1]);
			if (j > 0 && i % 2)
				assert_true(is_round_step(t[j] - t[j - 1]));
		}
	}
}

static void
log_ticks_are_powers_of_ten(void **state)
{
	struct scale s = scale_log(0.5, 2e4, 0, 1);
	static const double want[] = {1, 10, 100, 1000, 10000};
	double *t;
	int n;

	t = scale_ticks(&s, 5, &n, arena_of(state));
	assert_int_equal(n, 5);
	for (int i = 0; i < n; i++)
		near(t[i], want[i], 1e-9 * want[i]);
}

/* Within two decades the 2s and 5s help. */
static void
short_log_scales_have_ticks_between(void **state)
{
	struct scale s = scale_log(1, 20, 0, 1);
	static const double want[] = {1, 2, 5, 10, 20};
	double *t;
	int n;

	t = scale_ticks(&s, 5, &n, arena_of(state));
	assert_int_equal(n, 5);
	for (int i = 0; i < n; i++)
		near(t[i], want[i], 1e-9);
}

static void
long_log_scales_skip_decades(void **state)
{
	struct scale s = scale_log(1e-10, 1e10, 0, 1);
	double *t;
	int n;

	t = scale_ticks(&s, 5, &n, arena_of(state));
	assert_in_range(n, 3, 6);
	for (int i = 1; i < n; i++)
		near(t[i] / t[i - 1], t[1] / t[0], 1e-6 * t[1] / t[0]);
}

static void
nice_widens_to_round_ends(void **state)
{
	struct scale lin = scale_nice(scale_linear(3, 97, 0, 1), 5);
	struct scale log = scale_nice(scale_log(0.3, 1700, 0, 1), 5);

	(void)state;
	near(lin.lo, 0, 1e-12);
	near(lin.hi, 100, 1e-9);
	near(log.lo, 0.2, 1e-12);
	near(log.hi, 2000, 1e-9);
}

static void
nice_keeps_round_ends(void **state)
{
	struct scale lin = scale_nice(scale_linear(0, 100, 0, 1), 5);
	struct scale log = scale_nice(scale_log(1, 1000, 0, 1), 5);

	(void)state;
	near(lin.hi, 100, 1e-9);
	near(log.lo, 1, 1e-12);
	near(log.hi, 1000, 1e-9);
}

static void
quantities_have_the_unit_people_use(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_format(a, 312e12, UNIT_FLOP_PER_S),
	    "312 TFLOPS");
	assert_string_equal(quantity_format(a, 864e9, UNIT_BYTE_PER_S),
	    "864 GB/s");
	assert_string_equal(quantity_format(a, 1935e9, UNIT_BYTE_PER_S),
	    "1.94 TB/s");
	assert_string_equal(quantity_format(a, 16 * 1073741824.0, UNIT_BYTE),
	    "16 GiB");
	assert_string_equal(quantity_format(a, 70, UNIT_WATT), "70 W");
	assert_string_equal(quantity_format(a, 0.0123, UNIT_SECOND), "12.3 ms");
	assert_string_equal(quantity_format(a, 2560, UNIT_COUNT), "2,560");
}

/* 8 GB as written by a vendor is not 7.45 GiB in a chart. */
static void
decimal_bytes_stay_decimal(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_format(a, 8e9, UNIT_BYTE), "8 GB");
	assert_string_equal(quantity_format(a, 15360 * 1048576.0, UNIT_BYTE),
	    "15 GiB");
}

static void
factors_show_three_digits(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_times(a, 2.6049), "2.60×");
	assert_string_equal(quantity_times(a, 12.34), "12.3×");
	assert_string_equal(quantity_times(a, 0.1849), "0.18×");
	assert_string_equal(quantity_times(a, 1), "1.00×");
	assert_string_equal(quantity_times(a, 1e300), ">9,999×");
	assert_string_equal(quantity_times(a, 1e-300), "<0.001×");
}

static void
extreme_values_stay_short(void **state)
{
	static const double values[] = {0, -0.0, 1e-300, 1e300, 5e17, NAN,
	    INFINITY, -INFINITY, -2.5};
	static const enum unit units[] = {UNIT_FLOP_PER_S, UNIT_BYTE,
	    UNIT_BYTE_PER_S, UNIT_SECOND, UNIT_RATIO, UNIT_COUNT, UNIT_WATT};
	struct arena *a = arena_of(state);

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (size_t j = 0; j < sizeof(units) / sizeof(*units); j++)
			assert_in_range(utf8_length(quantity_format(a,
					    values[i], units[j])),
			    1, 18);
}

static void
pairs_line_up(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_pair(a, 1.62, 2.8, UNIT_NONE),
	    "1.62 / 2.80");
	assert_string_equal(quantity_pair(a, 0.001, 12, UNIT_NONE),
	    "<0.01 / 12.0");
	assert_string_equal(quantity_pair(a, 5.2 * 1073741824.0,
				16 * 1073741824.0, UNIT_BYTE),
	    "5.20 / 16 GiB");
}

static void
ticks_read_short(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_tick(a, 0.30000000000000004), "0.3");
	assert_string_equal(quantity_tick(a, 5000), "5,000");
	assert_string_equal(quantity_tick(a, 1e-4), "1e-4");
	assert_string_equal(quantity_tick(a, 2e7), "2e7");
	assert_string_equal(quantity_tick_percent(a, 0.5), "50 %");
	assert_string_equal(quantity_tick_flops(a, 1e14), "100 TFLOPS");
}

static void
luminance_has_its_ends(void **state)
{
	(void)state;
	near(palette_luminance((struct rgb){0, 0, 0}), 0, 1e-12);
	near(palette_luminance((struct rgb){1, 1, 1}), 1, 1e-9);
	near(palette_contrast((struct rgb){0, 0, 0}, (struct rgb){1, 1, 1}), 21,
	    1e-6);
}

/* Contrast 4.5 is what WCAG asks of small text. */
static void
text_is_readable_on_paper(void **state)
{
	struct rgb paper = palette_rgb(INK_PAPER);

	(void)state;
	for (enum type t = 0; t < TYPE_N; t++) {
		struct text_style s = palette_type(t);

		assert_true(s.size_pt >= 7);
		if (t != TYPE_INVERSE)
			assert_true(palette_contrast(s.color, paper) >= 4.5);
	}
	assert_true(palette_contrast(palette_rgb(INK_QUIET),
			palette_rgb(INK_MIST)) >= 4.5);
}

/* What is written inside bars. */
static void
text_is_readable_on_tones(void **state)
{
	(void)state;
	assert_true(palette_contrast(palette_rgb(INK_PAPER),
			palette_rgb(INK_NAVY)) >= 4.5);
	assert_true(palette_contrast(palette_rgb(INK_PAPER),
			palette_rgb(INK_BLUE)) >= 4.5);
	assert_true(palette_contrast(palette_rgb(INK_TEXT),
			palette_rgb(INK_SKY)) >= 4.5);
	assert_true(palette_contrast(palette_rgb(INK_TEXT),
			palette_rgb(INK_PALE)) >= 4.5);
}

/* The blues stay apart without colour: each at least 1.3 to the next. */
static void
blues_are_steps_of_grey(void **state)
{
	static const enum ink blues[] = {INK_NAVY, INK_BLUE, INK_SKY, INK_PALE};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct rgb a = palette_rgb(blues[i]);
		struct rgb b = palette_rgb(blues[i + 1]);

		assert_true(palette_luminance(a) < palette_luminance(b));
		assert_true(palette_contrast(a, b) >= 1.3);
	}
	assert_true(palette_contrast(palette_rgb(INK_MIST),
			palette_rgb(INK_BLUE)) >= 3);
}

/* Four decades get their 2s and 5s where there is room for twelve. */
static void
log_ticks_are_dense_where_there_is_room(void **state)
{
	struct scale s = scale_log(1, 1e4, 0, 300);
	int n;

	scale_ticks(&s, 14, &n, arena_of(state));
	assert_int_equal(n, 13);
	scale_ticks(&s, 5, &n, arena_of(state));
	assert_int_equal(n, 5);
}

static void
pairs_share_the_unit_of_the_limit(void **state)
{
	struct arena *a = arena_of(state);

	assert_string_equal(quantity_pair(a, 0.11643, 0.08, UNIT_SECOND),
	    "116 / 80 ms");
	assert_string_equal(quantity_pair(a, 6.96, 2, UNIT_SECOND),
	    "6.96 / 2 s");
	assert_string_equal(quantity_pair(a, 450, 350, UNIT_WATT),
	    "450 / 350 W");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(linear_places_values),
	    cmocka_unit_test(linear_may_run_upward),
	    cmocka_unit_test(log_places_values),
	    cmocka_unit_test(invert_undoes_at),
	    cmocka_unit_test(outside_lies_outside_unless_clamped),
	    cmocka_unit_test(log_of_nothing_is_the_lower_end),
	    cmocka_unit_test(senseless_domains_become_usable),
	    cmocka_unit_test(log_scales_span_a_bounded_number_of_decades),
	    cmocka_unit_test(bands_share_the_range),
	    cmocka_unit_test(no_bands_are_one),
	    cmocka_unit_test(linear_ticks_are_round_and_inside),
	    cmocka_unit_test(ticks_of_any_domain_are_rising_and_inside),
	    cmocka_unit_test(log_ticks_are_powers_of_ten),
	    cmocka_unit_test(short_log_scales_have_ticks_between),
	    cmocka_unit_test(log_ticks_are_dense_where_there_is_room),
	    cmocka_unit_test(pairs_share_the_unit_of_the_limit),
	    cmocka_unit_test(long_log_scales_skip_decades),
	    cmocka_unit_test(nice_widens_to_round_ends),
	    cmocka_unit_test(nice_keeps_round_ends),
	    cmocka_unit_test(quantities_have_the_unit_people_use),
	    cmocka_unit_test(decimal_bytes_stay_decimal),
	    cmocka_unit_test(factors_show_three_digits),
	    cmocka_unit_test(extreme_values_stay_short),
	    cmocka_unit_test(pairs_line_up),
	    cmocka_unit_test(ticks_read_short),
	    cmocka_unit_test(luminance_has_its_ends),
	    cmocka_unit_test(text_is_readable_on_paper),
	    cmocka_unit_test(text_is_readable_on_tones),
	    cmocka_unit_test(blues_are_steps_of_grey),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
