/* model/score.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/arena.h"
#include "model/score.h"

static struct arena *a;

static void
check_near(double got, double want)
{
	if (fabs(got - want) > 1e-9)
		fail_msg("got %.12g, want %.12g", got, want);
}

static void
test_quantiles_between_neighbours(void **state)
{
	const double v[] = {1, 2, 4, 8};

	(void)state;
	/* The median of four lies between the second and the third. */
	check_near(quantile(v, 4, 0.5), 3);
	/* 0.9 x 3 = 2.7: seven tenths from 4 to 8. */
	check_near(quantile(v, 4, 0.9), 6.8);
	check_near(quantile(v, 4, 0), 1);
	check_near(quantile(v, 4, 1), 8);
	check_near(quantile(v, 1, 0.9), 1);
	check_near(quantile(v, 0, 0.5), 0);
}

static void
test_errors_are_of_the_time(void **state)
{
	/* 100 img/s measured, 50 predicted: twice the time, error 1;
	 * 200 predicted: half the time, error 0.5; 100: none. */
	const struct scored rows[] = {
	    {100, 50, 40, 60},
	    {100, 200, 90, 300},
	    {100, 100, 100, 100},
	};
	struct score s = score_rows(a, rows, 3);

	(void)state;
	assert_int_equal(s.n, 3);
	check_near(s.median, 0.5);
	/* 0.8 of the way from 0.5 to 1 */
	check_near(s.p90, 0.9);
	check_near(s.within10, 1 / 3.0);
	check_near(s.within25, 1 / 3.0);
	check_near(s.bias, 1);
	check_near(s.covered, 2 / 3.0);
}

static void
test_bias_above_one_is_too_slow(void **state)
{
	const struct scored rows[] = {{120, 100, 0, 1}, {240, 200, 0, 1}};

	(void)state;
	check_near(score_rows(a, rows, 2).bias, 1.2);
}

static void
test_no_rows(void **state)
{
	struct score s = score_rows(a, NULL, 0);
	struct pair_score p = score_pairs(a, NULL, 0);

	(void)state;
	assert_int_equal(s.n, 0);
	check_near(s.median, 0);
	assert_int_equal(p.n, 0);
	check_near(p.right, 0);
}

static void
test_pairs_within_one_work(void **state)
{
	/*
	 * On w1: measured 100, 200, 400; predicted 100, 300, 200.
	 * A:B measured 1/2, predicted 1/3: off by 1.5.  A:C 1/4 and 1/2: by
	 * 2.  B:C 1/2 and 3/2: by 3, and the wrong one is faster.
	 * On w2 there is one card only.
	 */
	const struct scored_card rows[] = {
	    {"w1", "A", {100, 100, 0, 0}, false},
	    {"w2", "A", {10, 10, 0, 0}, false},
	    {"w1", "C", {400, 200, 0, 0}, false},
	    {"w1", "B", {200, 300, 0, 0}, false},
	};
	struct pair_score p = score_pairs(a, rows, 4);

	(void)state;
	assert_int_equal(p.n, 3);
	check_near(p.median, 1);
	check_near(p.p90, 1.8); /* 0.8 of the way from 1 to 2 */
	assert_int_equal(p.ordered, 3);
	check_near(p.right, 2 / 3.0);
}

static void
test_repeats_count_once(void **state)
{
	/* The median of 90, 100, 110 against 200: ratio exact. */
	const struct scored_card rows[] = {
	    {"w", "A", {90, 50, 0, 0}, false},
	    {"w", "A", {100, 50, 0, 0}, false},
	    {"w", "A", {110, 50, 0, 0}, false},
	    {"w", "B", {200, 100, 0, 0}, false},
	};
	struct pair_score p = score_pairs(a, rows, 4);

	(void)state;
	assert_int_equal(p.n, 1);
	check_near(p.median, 0);
	check_near(p.right, 1);
}

static void
test_ties_have_no_order(void **state)
{
	/* 2 % apart: counted as a ratio, not as an order. */
	const struct scored_card rows[] = {
	    {"w", "A", {100, 100, 0, 0}, false},
	    {"w", "B", {102, 90, 0, 0}, false},
	};
	struct pair_score p = score_pairs(a, rows, 2);

	(void)state;
	assert_int_equal(p.n, 1);
	assert_int_equal(p.ordered, 0);
	check_near(p.median, 102.0 / 90 - 1);
}

static void
test_carried_from_a_known_card(void **state)
{
	/*
	 * A is known: 100 measured, 80 predicted.  B is new: 220 measured,
	 * 160 predicted, so 100 x 160 / 80 = 200 carried: t predicted over t
	 * measured is 220 / 200.  Nothing is carried to A, and two known cards
	 * are no pair.
	 */
	const struct scored_card rows[] = {
	    {"w", "A", {100, 80, 0, 0}, true},
	    {"w", "B", {220, 160, 0, 0}, false},
	    {"v", "A", {1, 2, 0, 0}, true},
	    {"v", "C", {3, 4, 0, 0}, true},
	};
	struct score s = score_carried(a, rows, 4);

	(void)state;
	assert_int_equal(s.n, 1);
	check_near(s.median, 0.1);
	assert_int_equal(score_pairs(a, rows, 4).n, 1);
}

static int
begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int
end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_quantiles_between_neighbours),
	    cmocka_unit_test(test_errors_are_of_the_time),
	    cmocka_unit_test(test_bias_above_one_is_too_slow),
	    cmocka_unit_test(test_no_rows),
	    cmocka_unit_test(test_pairs_within_one_work),
	    cmocka_unit_test(test_repeats_count_once),
	    cmocka_unit_test(test_ties_have_no_order),
	    cmocka_unit_test(test_carried_from_a_known_card),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
