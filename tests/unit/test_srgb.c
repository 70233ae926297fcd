/* the profile, against the numbers it comes from */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/srgb.h"

static unsigned char icc[SRGB_PROFILE_BYTES];

static uint32_t
u32(size_t at)
{
	return (uint32_t)icc[at] << 24 | (uint32_t)icc[at + 1] << 16 |
	       (uint32_t)icc[at + 2] << 8 | icc[at + 3];
}

/* Where the data of a tag begin; fails if there is no such tag. */
static size_t
tag_at(const char *name)
{
	for (uint32_t i = 0; i < u32(128); i++)
		if (memcmp(icc + 132 + 12 * i, name, 4) == 0) {
			assert_true(
			    u32(132 + 12 * i + 4) + u32(132 + 12 * i + 8) <=
			    sizeof(icc));
			assert_int_equal(u32(132 + 12 * i + 4) % 4, 0);
			return u32(132 + 12 * i + 4);
		}
	fail();
	return 0;
}

static void
mul(const double m[3][3], const double v[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static double
det(const double m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
	       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Solve m * x = v by Cramer's rule. */
static void
solve(const double m[3][3], const double v[3], double x[3])
{
	for (int c = 0; c < 3; c++) {
		double n[3][3];

		memcpy(n, m, sizeof(n));
		for (int r = 0; r < 3; r++)
			n[r][c] = v[r];
		x[c] = det(n) / det(m);
	}
}

/*
 * ITU-R BT.709: red 0.64 0.33, green 0.30 0.60, blue 0.15 0.06, white D65
 * 0.3127 0.3290.  The columns (x/y, 1, z/y) are scaled so that they add up to
 * the white, then taken to D50 with the Bradford matrix.
 */
static void
colorants(double out[3][3])
{
	static const double xy[3][2] = {{.64, .33}, {.30, .60}, {.15, .06}};
	static const double bradford[3][3] = {{0.8951, 0.2664, -0.1614},
	    {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}};
	static const double d50[3] = {0.9642, 1, 0.8249};
	const double d65[3] = {.3127 / .3290, 1, (1 - .3127 - .3290) / .3290};
	double m[3][3], scale[3], from[3], to[3];

	for (int c = 0; c < 3; c++) {
		m[0][c] = xy[c][0] / xy[c][1];
		m[1][c] = 1;
		m[2][c] = (1 - xy[c][0] - xy[c][1]) / xy[c][1];
	}
	solve(m, d65, scale);
	mul(bradford, d65, from);
	mul(bradford, d50, to);
	for (int c = 0; c < 3; c++) {
		double v[3] = {m[0][c] * scale[c], scale[c],
		    m[2][c] * scale[c]};
		double cone[3];

		mul(bradford, v, cone);
		for (int i = 0; i < 3; i++)
			cone[i] *= to[i] / from[i];
		solve(bradford, cone, out[c]);
	}
}

static void
header_is_that_of_a_display(void **state)
{
	(void)state;
	assert_int_equal(u32(0), sizeof(icc));
	assert_int_equal(icc[8], 2);
	assert_memory_equal(icc + 12, "mntrRGB XYZ ", 12);
	assert_memory_equal(icc + 36, "acsp", 4);
}

static void
colorants_follow_from_the_primaries(void **state)
{
	static const char *const tags[] = {"rXYZ", "gXYZ", "bXYZ"};
	double want[3][3];

	(void)state;
	colorants(want);
	for (int c = 0; c < 3; c++)
		for (int i = 0; i < 3; i++) {
			size_t at = tag_at(tags[c]) + 8 + 4 * (size_t)i;
			double v = (int32_t)u32(at) / 65536.0;

			assert_true(fabs(v - want[c][i]) < 2e-5);
		}
}

static void
colorants_add_up_to_white(void **state)
{
	(void)state;
	for (size_t i = 8; i < 20; i += 4) {
		int32_t sum = (int32_t)(u32(tag_at("rXYZ") + i) +
					u32(tag_at("gXYZ") + i) +
					u32(tag_at("bXYZ") + i));

		assert_true(abs(sum - (int32_t)u32(tag_at("wtpt") + i)) < 4);
	}
}

/* Between its points the curve is straight: as close as an 8-bit value asks. */
static void
curve_is_that_of_the_standard(void **state)
{
	size_t at = tag_at("rTRC");
	int n = (int)u32(at + 8);

	(void)state;
	assert_int_equal(tag_at("gTRC"), at);
	assert_int_equal(tag_at("bTRC"), at);
	for (int v = 0; v <= 255; v++) {
		double place = v / 255.0 * (n - 1), x = v / 255.0, got, want;
		int i = place >= n - 1 ? n - 2 : (int)place;
		const unsigned char *p = icc + at + 12 + 2 * i;

		got = ((p[0] << 8 | p[1]) * (i + 1 - place) +
			  (p[2] << 8 | p[3]) * (place - i)) /
		      65535;
		want = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
		assert_true(fabs(got - want) < 2e-4);
	}
}

static int
setup(void **state)
{
	(void)state;
	srgb_profile(icc);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(header_is_that_of_a_display),
	    cmocka_unit_test(colorants_follow_from_the_primaries),
	    cmocka_unit_test(colorants_add_up_to_white),
	    cmocka_unit_test(curve_is_that_of_the_standard),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
