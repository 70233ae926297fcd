/* Numbers, dates and lists in words, in both languages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "tmpl/words.h"

/* Written as people see it: '~' stands for the no-break space. */
static const struct words chinese = {
    .pattern =
	{
	    [WORD_MINUTE] = "{n} 分钟",
	    [WORD_HOUR] = "{n} 小时",
	    [WORD_DAY] = "{n} 天",
	    [WORD_YEAR] = "{n} 年",
	    [WORD_RANGE] = "{low}–{high}",
	    [WORD_LIST] = "{a}、{b}",
	    [WORD_LIST_LAST] = "{a}和{b}",
	    [WORD_DATE] = "{year}年{month}月{day}日",
	    [WORD_DATE_MONTH] = "{year}年{month}月",
	},
    .power = {[4 - WORDS_POWER_MIN] = "{n} 万",
	[8 - WORDS_POWER_MIN] = "{n} 亿",
	[12 - WORDS_POWER_MIN] = "{n} 万亿"},
};

static const struct words english = {
    .pattern =
	{
	    [WORD_MINUTE] = "{n} min",
	    [WORD_HOUR] = "{n} hours",
	    [WORD_DAY] = "{n} days",
	    [WORD_YEAR] = "{n} years",
	    [WORD_RANGE] = "{low}–{high}",
	    [WORD_LIST] = "{a}, {b}",
	    [WORD_LIST_LAST] = "{a} and {b}",
	    [WORD_DATE] = "{day} {name} {year}",
	    [WORD_DATE_MONTH] = "{name} {year}",
	},
    .month = {"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December"},
    .power = {[6 - WORDS_POWER_MIN] = "{n} million",
	[9 - WORDS_POWER_MIN] = "{n} billion"},
};

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static void
expect(const struct str *got, const char *want)
{
	struct str s;

	str_init(&s, a);
	for (; *want; want++)
		if (*want == '~')
			str_add(&s, "\xC2\xA0");
		else
			str_addc(&s, *want);
	assert_string_equal(got->s, s.s);
}

static void
number(const struct words *w, const char *format, double v, const char *want)
{
	struct str out;

	str_init(&out, a);
	words_number(w, format_find(format), v, &out);
	expect(&out, want);
}

static void
both(const char *format, double v, const char *want)
{
	number(&chinese, format, v, want);
	number(&english, format, v, want);
}

static void
plain_numbers_stay_as_they_are(void **state)
{
	(void)state;
	both("", 2026, "2026");
	both("", 1600, "1600");
	both("", 2.5, "2.5");
	both("", 0, "0");
	both("", -3, "-3");
	/* 0.0631 keeps three digits: decimals 4 */
	both("", 0.0631, "0.0631");
	/* sums that miss their decimal by a hair do not show it */
	both("", 0.1 + 0.2, "0.3");
}

static void
counts_have_commas(void **state)
{
	(void)state;
	both("count", 1600, "1,600");
	both("count", 64, "64");
	both("count", 1234567, "1,234,567");
	both("count", 2.5, "2.5");
	both("count", 12.5, "12.5");
	both("count", 0, "0");
}

static void
int_has_no_comma(void **state)
{
	(void)state;
	both("int", 7.6, "8");
	both("int", 12345, "12345");
}

static void
one_always_has_a_decimal(void **state)
{
	(void)state;
	both("one", 2, "2.0");
	both("one", 2.04, "2.0");
	both("one", 2.05, "2.1");
}

static void
big_in_chinese_counts_by_ten_thousand(void **state)
{
	(void)state;
	number(&chinese, "big", 1600, "1,600");
	number(&chinese, "big", 12000, "1.2~万");
	number(&chinese, "big", 12345, "1.23~万");
	number(&chinese, "big", 3.4e8, "3.4~亿");
	number(&chinese, "big", 2.5e12, "2.5~万亿");
	/* 99,999,999 shows as 1 亿, not as 10,000 万 */
	number(&chinese, "big", 99999999, "1~亿");
	number(&chinese, "big", 9999.6, "1~万");
	number(&chinese, "big", 9996, "9,996");
}

static void
big_in_english_counts_by_million(void **state)
{
	(void)state;
	number(&english, "big", 12000, "12,000");
	number(&english, "big", 12345, "12,300");
	number(&english, "big", 1.2e6, "1.2~million");
	number(&english, "big", 3.4e8, "340~million");
	number(&english, "big", 999999, "1~million");
	/* no word past a billion here */
	number(&english, "big", 2.5e12, "2,500~billion");
}

static void
ratios_have_three_digits(void **state)
{
	(void)state;
	both("ratio", 2.6, "2.6");
	both("ratio", 2.604, "2.6");
	both("ratio", 0.12345, "0.123");
	both("ratio", 14.26, "14.3");
	both("ratio", 1234.5, "1,235");
	both("times", 2.6, "2.6");
}

static void
percent_has_two_digits(void **state)
{
	(void)state;
	both("percent", 0.37, "37%");
	both("percent", 0.0372, "3.7%");
	both("percent", 0.00042, "0.042%");
	both("percent", 2.34, "234%");
	both("percent", 0.05, "5%");
	both("percent", 0, "0%");
	both("percent", 1, "100%");
}

static void
share_never_rounds_to_none_or_all(void **state)
{
	(void)state;
	both("share", 0.004, "<1%");
	both("share", 0.372, "37%");
	both("share", 0.998, ">99%");
	both("share", 0, "0%");
	both("share", 1, "100%");
}

static void
bytes_are_decimal(void **state)
{
	(void)state;
	both("bytes", 2e9, "2~GB");
	both("bytes", 1.5e6, "1.5~MB");
	both("bytes", 999, "999~B");
	/* 999,600,000 is 1 GB to three digits, not 1,000 MB */
	both("bytes", 999.6e6, "1~GB");
	both("bytes", 3.72e12, "3.72~TB");
}

static void
memory_is_binary(void **state)
{
	(void)state;
	both("memory", 16.0 * (1 << 30), "16~GiB");
	both("memory", 27.4 * (1 << 30), "27.4~GiB");
	/* 5e8 / 2^20 = 476.8 */
	both("memory", 5e8, "477~MiB");
	both("memory", 80.0 * (1 << 30), "80~GiB");
	both("memory", 7.96 * (1 << 30), "7.96~GiB");
	both("memory", 0, "0~B");
}

static void
bandwidth_turns_to_terabytes(void **state)
{
	(void)state;
	both("bandwidth", 864e9, "864~GB/s");
	both("bandwidth", 2.039e12, "2.04~TB/s");
	both("bandwidth", 320e9, "320~GB/s");
}

static void
flops_and_flop(void **state)
{
	(void)state;
	both("flops", 65e12, "65~TFLOPS");
	both("flops", 1979e12, "1,979~TFLOPS");
	both("flops", 8.1e12, "8.1~TFLOPS");
	both("flops", 500e9, "500~GFLOPS");
	both("ops", 130e12, "130~TOPS");
	both("flop", 26.7e9, "26.7~GFLOP");
	both("flop", 53e6, "53~MFLOP");
}

static void
seconds_choose_their_unit(void **state)
{
	(void)state;
	both("seconds", 0.025, "25~ms");
	both("seconds", 1.8, "1.8~s");
	both("seconds", 0.3, "300~ms");
	both("seconds", 90, "90~s");
	both("seconds", 4.2e-6, "4.2~\xC2\xB5s");
	both("seconds", 0, "0~s");
	/* 0.9999 s shows as 1 s, not as 1,000 ms */
	both("seconds", 0.9999, "1~s");
}

static void
long_times_are_in_words(void **state)
{
	(void)state;
	number(&chinese, "seconds", 120, "2~分钟");
	number(&chinese, "seconds", 7200, "2~小时");
	number(&chinese, "seconds", 3 * 86400, "3~天");
	number(&english, "seconds", 120, "2~min");
	number(&english, "seconds", 7200, "2~hours");
	number(&english, "seconds", 90 * 60, "90~min");
	number(&english, "seconds", 2.5 * 86400, "2.5~days");
	/* 10 years of 365.25 days */
	number(&english, "seconds", 3652.5 * 86400, "10~years");
}

static void
power_rate_and_clock(void **state)
{
	(void)state;
	both("watt", 70, "70~W");
	both("watt", 1200, "1,200~W");
	both("watt", 12000, "12~kW");
	both("rate", 800, "800~/s");
	both("fps", 12.5, "12.5~fps");
	both("fps", 1600, "1,600~fps");
	both("clock", 1.59e9, "1.59~GHz");
	both("clock", 300e6, "300~MHz");
}

static void
pixels_and_money(void **state)
{
	(void)state;
	both("px", 1920, "1,920~px");
	both("px", 2073600, "2.07~Mpx");
	both("money", 8500, "8,500");
	both("money", 62000, "62,000");
	both("money", 0.5, "0.50");
}

static void
compute_capability_either_way(void **state)
{
	(void)state;
	both("cc", 75, "7.5");
	both("cc", 7.5, "7.5");
	both("cc", 120, "12.0");
	both("cc", 12, "12.0");
	both("cc", 80, "8.0");
}

static void
range(const char *format, double low, double high, const char *want)
{
	struct str out;

	str_init(&out, a);
	words_range(&chinese, format_find(format), low, high, &out);
	expect(&out, want);
}

static void
ranges_share_one_unit(void **state)
{
	(void)state;
	range("seconds", 0.0123, 0.0187, "12–19~ms");
	range("seconds", 0.9, 1.3, "0.9–1.3~s");
	range("seconds", 100, 300, "1.7–5~分钟");
	range("memory", 5.0 * (1 << 30), 7.0 * (1 << 30), "5–7~GiB");
	range("percent", 0.3, 0.5, "30–50%");
	/* both 2.1: one number */
	range("ratio", 2.08, 2.11, "2.11");
}

static void
date(const struct words *w, const char *iso, const char *want)
{
	struct str out;

	str_init(&out, a);
	assert_true(words_date(w, iso, &out));
	assert_string_equal(out.s, want);
}

static void
dates_in_words(void **state)
{
	(void)state;
	date(&chinese, "2026-11-30", "2026年11月30日");
	date(&english, "2026-11-30", "30 November 2026");
	date(&chinese, "2026-03-05", "2026年3月5日");
	date(&english, "2026-03", "March 2026");
	date(&chinese, "2026-03", "2026年3月");
	date(&english, "2018", "2018");
	date(&english, "2024-02-29", "29 February 2024");
}

static void
no_dates(void **state)
{
	static const char *const bad[] = {"", "20", "2026-13-01", "2026-02-29",
	    "2026-1-1", "2026-11-30T00:00", "2026/11/30", "2026-00-10",
	    "2026-11-31", "二〇二六", "2026-", "1900-02-29"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct str out;

		str_init(&out, a);
		assert_false(words_date(&chinese, bad[i], &out));
		assert_string_equal(out.s, "");
	}
}

static void
join(const struct words *w, int n, const char *want)
{
	static const char *const items[] = {"T4", "L4", "A10", "L40S", "H20"};
	struct str out;

	str_init(&out, a);
	for (int i = 0; i < n; i++) {
		if (i)
			words_joint(w, i, n, &out);
		str_add(&out, items[i]);
	}
	assert_string_equal(out.s, want);
}

static void
lists_are_joined(void **state)
{
	(void)state;
	join(&chinese, 1, "T4");
	join(&chinese, 2, "T4和L4");
	join(&chinese, 5, "T4、L4、A10、L40S和H20");
	join(&english, 2, "T4 and L4");
	join(&english, 5, "T4, L4, A10, L40S and H20");
}

static void
fill_leaves_unknown_names(void **state)
{
	struct str out;

	(void)state;
	str_init(&out, a);
	words_fill("{n} of {m} {", (const char *const[]){"n", "3", NULL}, &out);
	assert_string_equal(out.s, "3 of {m} {");
}

static void
every_name_finds_its_formatter(void **state)
{
	int n;
	const char *const *names = format_names(&n);

	(void)state;
	assert_true(n > 20);
	for (int i = 0; i < n; i++)
		assert_string_equal(format_name(format_find(names[i])),
		    names[i]);
	assert_null(format_find("tflops"));
	assert_int_equal(format_kind(format_find("")), FORMAT_PLAIN);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(plain_numbers_stay_as_they_are),
	    T(counts_have_commas),
	    T(int_has_no_comma),
	    T(one_always_has_a_decimal),
	    T(big_in_chinese_counts_by_ten_thousand),
	    T(big_in_english_counts_by_million),
	    T(ratios_have_three_digits),
	    T(percent_has_two_digits),
	    T(share_never_rounds_to_none_or_all),
	    T(bytes_are_decimal),
	    T(memory_is_binary),
	    T(bandwidth_turns_to_terabytes),
	    T(flops_and_flop),
	    T(seconds_choose_their_unit),
	    T(long_times_are_in_words),
	    T(power_rate_and_clock),
	    T(pixels_and_money),
	    T(compute_capability_either_way),
	    T(ranges_share_one_unit),
	    T(dates_in_words),
	    T(no_dates),
	    T(lists_are_joined),
	    T(fill_leaves_unknown_names),
	    T(every_name_finds_its_formatter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
