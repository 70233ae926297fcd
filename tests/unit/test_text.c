/* the text engine: fonts, breaking, spacing, missing glyphs */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cairo.h>

#include "base/arena.h"
#include "base/str.h"
#include "text/text.h"

/* cairo 1.16 keeps a little per surface; it is not ours to free */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libcairo\nleak:libfontconfig\n";
}

static const char *const LONG_ZH =
    "厂家一（人脸识别）在站口接入64路1080p视频，每路25 fps、抽帧到12.5 fps，"
    "使用TensorRT 8.2部署，FP16精度；单卡Tesla T4的显存为15 GiB，模型与缓冲区"
    "共需要3.4 GiB，可以放下。“为什么不选L40S？”因为算力需求只有它的1/5——再大的"
    "卡也只是闲置……这里的结论是：请求合理。《规格书》（第3版）写明：“带宽300 GB/s"
    "（理论值）。”于是，误差为±12%，90%区间是310–420帧/秒！真的吗？是的；【注】见"
    "「来源」一章，温度上限85℃，占用率不超过80%，价格￥8500元、合计1.2万元。";

static struct arena *a;
static struct diag d;
static struct text_engine *e;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	return e ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct text_style
serif(double size)
{
	return (struct text_style){FACE_SERIF, size, {0, 0, 0}};
}

static struct text_para *
set(const char *text, double width, double indent, enum text_align align)
{
	struct text_run run = {.text = text, .style = serif(10)};
	struct text_para_spec spec = {&run, 1, width, indent, 1.5, align};

	return text_para_new(a, e, &spec);
}

static double
width_of(const char *text)
{
	struct text_style s = serif(10);

	return text_measure(e, &s, text).width;
}

static uint32_t
first_cp(const char *s)
{
	return utf8_next(&s);
}

static uint32_t
last_seen_cp(const char *s)
{
	uint32_t cp = 0, last = 0;

	while ((cp = utf8_next(&s)))
		if (cp != ' ')
			last = cp;
	return last;
}

static bool
is_one_of(uint32_t cp, const char *set_of)
{
	uint32_t c;

	while ((c = utf8_next(&set_of)))
		if (c == cp)
			return true;
	return false;
}

/* ---- breaking ---- */

static void
no_line_starts_or_ends_with_a_forbidden_mark(void **state)
{
	int lines = 0;

	(void)state;
	for (double w = 60; w <= 480; w += 2.8) {
		struct text_para *p = set(LONG_ZH, w, 20, TEXT_JUSTIFY);

		for (int i = 0; i < text_para_lines(p); i++, lines++) {
			const char *t = text_para_text(a, p, i);

			assert_false(
			    i > 0 && is_one_of(first_cp(t),
					 "。，、！？；：」）】》”’…—%℃"));
			assert_false(
			    i < text_para_lines(p) - 1 &&
			    is_one_of(last_seen_cp(t), "（「【《“‘￥±"));
		}
	}
	assert_true(lines > 1500);
}

static void
lines_hold_all_the_text_in_order(void **state)
{
	(void)state;
	for (double w = 50; w < 400; w += 37) {
		struct text_para *p = set(LONG_ZH, w, 0, TEXT_JUSTIFY);
		struct str all;

		str_init(&all, a);
		for (int i = 0; i < text_para_lines(p); i++)
			str_add(&all, text_para_text(a, p, i));
		assert_string_equal(all.s, LONG_ZH);
	}
}

static void
no_line_is_wider_than_its_room(void **state)
{
	(void)state;
	for (double w = 40; w < 480; w += 3.7) {
		struct text_para *p = set(LONG_ZH, w, 0, TEXT_JUSTIFY);

		for (int i = 0; i < text_para_lines(p); i++)
			assert_true(text_para_line_width(p, i) <= w + 0.05);
	}
}

static void
justified_lines_reach_the_right_edge(void **state)
{
	/* 42 em: every line but the last has Han gaps to stretch */
	struct text_para *p = set(LONG_ZH, 420, 20, TEXT_JUSTIFY);

	(void)state;
	assert_true(text_para_lines(p) > 4);
	for (int i = 0; i < text_para_lines(p) - 1; i++)
		assert_float_equal(text_para_line_width(p, i),
		    i == 0 ? 400 : 420, 0.5);
}

static void
number_keeps_its_unit_and_measure_word(void **state)
{
	(void)state;
	for (double w = 60; w < 300; w += 3) {
		struct text_para *p =
		    set("共接入 64 路视频，每路 25 fps，显存"
			"需要 3.4 GiB，在第 3 章说明，带宽 300 GB/s。",
			w, 0, TEXT_START);

		for (int i = 0; i < text_para_lines(p) - 1; i++) {
			uint32_t cp = last_seen_cp(text_para_text(a, p, i));

			assert_false(cp >= '0' && cp <= '9');
			assert_false(cp == 0x7B2C); /* 第 */
		}
	}
}

static void
times_sign_keeps_both_its_sides(void **state)
{
	(void)state;
	for (double w = 60; w < 200; w += 3) {
		struct text_para *p =
		    set("GeForce RTX 5090 × 2、T4 × 16 与 L40S × 3。", w, 0,
			TEXT_START);

		for (int i = 0; i < text_para_lines(p); i++) {
			const char *t = text_para_text(a, p, i);

			assert_int_not_equal(first_cp(t), 0xD7);
			assert_int_not_equal(last_seen_cp(t), 0xD7);
		}
	}
}

static void
long_model_name_stays_in_a_narrow_cell(void **state)
{
	static const char *const names[] = {
	    "NVIDIA-RTX-6000-Ada-Generation-48GB-PCIe-Passive",
	    "rtdetr_r50vd_6x_coco_from_paddle_fp16_dynamic_batch",
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ",
	};

	(void)state;
	for (size_t n = 0; n < 3; n++)
		for (double w = 20; w < 200; w += 7) {
			struct text_para *p = set(names[n], w, 0, TEXT_START);

			assert_true(text_para_widest(p) <= w + 0.05);
		}
}

static void
long_name_breaks_at_its_joints(void **state)
{
	struct text_para *p =
	    set("rtdetr_r50vd_6x_coco_from_paddle", 110, 0, TEXT_START);

	(void)state;
	assert_true(text_para_lines(p) >= 2);
	for (int i = 0; i < text_para_lines(p) - 1; i++)
		assert_int_equal(last_seen_cp(text_para_text(a, p, i)), '_');
}

static void
last_line_is_never_a_single_character(void **state)
{
	/* 22 characters at 10 pt: widths around 210 pt leave one over */
	const char *t = "这一段文字正好比一行多出一个汉字或者标点而已啊";
	int longer = 0;

	(void)state;
	for (double w = 100; w < 230; w += 1) {
		struct text_para *p = set(t, w, 0, TEXT_JUSTIFY);
		int n = text_para_lines(p);

		if (n < 2)
			continue;
		longer++;
		assert_true(utf8_length(text_para_text(a, p, n - 1)) >= 2);
	}
	assert_true(longer > 100);
}

static void
first_line_is_indented_by_two_characters(void **state)
{
	struct text_para *p = set(LONG_ZH, 300, 20, TEXT_JUSTIFY);
	struct text_extent first, second;

	(void)state;
	assert_int_equal(text_para_extents(p, 0, &first, 1), 1);
	assert_int_equal(text_para_extents(p, 1, &second, 1), 1);
	assert_float_equal(first.x, 20, 1e-9);
	assert_float_equal(second.x, 0, 1e-9);
}

static void
a_huge_paragraph_takes_linear_time(void **state)
{
	struct str s;
	struct text_para *p;

	(void)state;
	str_init(&s, a);
	for (int i = 0; i < 200; i++)
		str_add(&s, LONG_ZH);
	for (int i = 0; i < 20000; i++)
		str_addc(&s, 'x'); /* one word that must be cut anywhere */
	alarm(20);
	p = set(s.s, 300, 0, TEXT_JUSTIFY);
	alarm(0);
	assert_true(text_para_lines(p) > 1000);
}

/* ---- spacing ---- */

static void
han_and_latin_stand_a_quarter_em_apart(void **state)
{
	/* one gap of 2.5 pt at 10 pt */
	double gap = width_of("卡T4") - width_of("卡") - width_of("T4");
	double after = width_of("T4卡") - width_of("卡") - width_of("T4");

	(void)state;
	assert_float_equal(gap, 2.5, 0.05);
	assert_float_equal(after, 2.5, 0.05);
}

static void
a_typed_space_counts_as_the_gap(void **state)
{
	(void)state;
	assert_float_equal(width_of("卡 T4"), width_of("卡T4"), 0.05);
}

static void
no_gap_beside_full_width_marks(void **state)
{
	(void)state;
	assert_float_equal(width_of("，T4"), width_of("，") + width_of("T4"),
	    0.05);
	assert_float_equal(width_of("T4）"), width_of("）") + width_of("T4"),
	    0.05);
}

static void
nothing_is_added_to_the_text(void **state)
{
	struct text_para *p = set("卡T4和64路", 400, 0, TEXT_JUSTIFY);

	(void)state;
	assert_string_equal(text_para_text(a, p, 0), "卡T4和64路");
}

static void
two_marks_take_one_and_a_half_em(void **state)
{
	(void)state;
	assert_float_equal(width_of("字。”字"), 35, 0.05);
	assert_float_equal(width_of("字，“字"), 35, 0.05);
	assert_float_equal(width_of("字（“字"), 35, 0.05);
}

static void
mark_at_the_line_end_is_half_wide(void **state)
{
	/* ten characters and a stop: 105 pt seen, 110 pt of advance */
	struct text_para *p = set("一二三四五六七八九十。", 105, 0, TEXT_START);

	(void)state;
	assert_int_equal(text_para_lines(p), 1);
	assert_float_equal(text_para_line_width(p, 0), 105, 0.05);
}

static void
quotes_are_narrow_in_english_and_wide_in_chinese(void **state)
{
	struct text_run zh = {.text = "“", .style = serif(10)};
	struct text_run en = {.text = "“", .style = serif(10), .lang = "en"};
	double narrow, wide_zh, wide_en;

	(void)state;
	text_para_widths(e, &zh, 1, &narrow, &wide_zh);
	text_para_widths(e, &en, 1, &narrow, &wide_en);
	assert_float_equal(wide_zh, 10, 0.05);
	assert_true(wide_en < 6);
}

static void
narrowest_width_is_that_of_the_longest_word(void **state)
{
	struct text_run run = {.text = "short wwwwwwwwww 中文",
	    .style = serif(10)};
	double narrow, natural;

	(void)state;
	text_para_widths(e, &run, 1, &narrow, &natural);
	assert_float_equal(narrow, width_of("wwwwwwwwww"), 0.05);
	assert_float_equal(natural, width_of("short wwwwwwwwww 中文"), 0.05);
}

static void
centre_and_end_leave_the_slack_where_they_should(void **state)
{
	struct text_extent c, r;

	(void)state;
	text_para_extents(set("四个汉字", 100, 0, TEXT_CENTRE), 0, &c, 1);
	text_para_extents(set("四个汉字", 100, 0, TEXT_END), 0, &r, 1);
	assert_float_equal(c.x, 30, 0.05);
	assert_float_equal(r.x, 60, 0.05);
}

static void
extents_tell_runs_apart(void **state)
{
	struct text_run runs[] = {
	    {.text = "见", .style = serif(10), .tag = 0},
	    {.text = "表三", .style = serif(10), .tag = 7},
	    {.text = "。", .style = serif(10), .tag = 2},
	};
	struct text_para_spec spec = {runs, 3, 200, 0, 1.5, TEXT_START};
	struct text_extent x[4];

	(void)state;
	assert_int_equal(text_para_extents(text_para_new(a, e, &spec), 0, x, 4),
	    3);
	assert_int_equal(x[1].tag, 7);
	assert_float_equal(x[1].x, 10, 0.05);
	assert_float_equal(x[1].width, 20, 0.05);
}

static void
lines_are_as_high_as_asked(void **state)
{
	struct text_para *p = set("高", 100, 0, TEXT_START);

	(void)state;
	assert_float_equal(text_para_line_height(p, 0), 15, 1e-9);
	/* em box centred in 15 pt: 2.5 above, baseline 8.8 below its top */
	assert_float_equal(text_para_baseline(p, 0), 11.3, 1e-6);
}

/* ---- characters ---- */

static void
markup_characters_are_plain_text(void **state)
{
	const char *t = "a&b<c>&amp;\"'</b>";
	struct text_para *p = set(t, 400, 0, TEXT_START);

	(void)state;
	assert_string_equal(text_para_text(a, p, 0), t);
	assert_true(text_engine_complete(e));
}

static void
emoji_is_reported_as_missing(void **state)
{
	(void)state;
	assert_true(text_engine_complete(e));
	width_of("结论😀合理");
	assert_false(text_engine_complete(e));
	text_engine_report(e, NULL, 0, &d);
	assert_int_equal(d.n, 1);
	assert_string_equal(d.problems[0].id, "glyph-missing");
	assert_non_null(strstr(d.problems[0].text, "U+1F600"));
	assert_non_null(strstr(d.problems[0].text, "结论😀合理"));
}

static void
every_missing_character_is_reported_once(void **state)
{
	(void)state;
	width_of("😀😀😁");
	width_of("😁 مرحبا");
	text_engine_report(e, NULL, 0, &d);
	/* two emoji, and five letters of the Arabic word, all different */
	assert_int_equal(d.n, 7);
}

static void
rare_character_comes_from_the_uncut_face(void **state)
{
	(void)state;
	assert_float_equal(width_of("喆齉龘"), 30, 0.05);
	assert_true(text_engine_complete(e));
}

static void
rare_character_does_not_change_the_others(void **state)
{
	double before = width_of("显存 15 GiB，（够用）");

	(void)state;
	width_of("龘");
	assert_float_equal(width_of("显存 15 GiB，（够用） "),
	    before + width_of(" "), 0.01);
	assert_float_equal(width_of("齉"), width_of("字"), 0.01);
}

static void
direction_controls_are_dropped(void **state)
{
	struct text_para *p = set("abc\xE2\x80\xAE"
				  "def",
	    400, 0, TEXT_START);

	(void)state;
	assert_string_equal(text_para_text(a, p, 0), "abcdef");
}

static void
control_characters_and_bad_bytes_do_no_harm(void **state)
{
	struct text_para *p =
	    set("a\x01\tb\xFF\xC3(\n\n  c", 400, 0, TEXT_START);

	(void)state;
	assert_string_equal(text_para_text(a, p, 0), "a b\uFFFD\uFFFD( c");
	/* no face has the replacement character: such text is refused */
	assert_false(text_engine_complete(e));
}

static void
fixed_spaces_need_no_glyph_of_their_own(void **state)
{
	(void)state;
	/* thin is a fifth of an em or so, narrow no-break about as much */
	assert_in_range((int)(10 * (width_of("1\u20092") - width_of("12"))), 10,
	    30);
	assert_in_range((int)(10 * (width_of("1\u202F2") - width_of("12"))), 10,
	    30);
	assert_true(text_engine_complete(e));
}

static void
empty_text_has_one_empty_line(void **state)
{
	struct text_para *p = set("", 100, 0, TEXT_JUSTIFY);

	(void)state;
	assert_int_equal(text_para_lines(p), 1);
	assert_float_equal(text_para_line_width(p, 0), 0, 1e-9);
	assert_string_equal(text_para_text(a, p, 0), "");
}

static void
gb2312_and_symbols_need_no_uncut_face(void **state)
{
	/* from both levels of GB 2312, Greek, arrows, maths, units */
	(void)state;
	width_of(
	    "啊一丁齄鼹鼷 αΩ →⇒ ×÷±≤≥≈√∞ ℃‰ ①㎡ ²³ …—“”‘’《》 ■□▲●◆○ ✓ é ü €￥£");
	assert_true(text_engine_complete(e));
}

/* ---- the host ---- */

static void
missing_fonts_are_reported_with_the_remedy(void **state)
{
	(void)state;
	assert_null(text_engine_new(a, "/nowhere", "zh-CN", &d));
	assert_int_equal(d.n, 1);
	assert_string_equal(d.problems[0].id, "fonts-missing");
	assert_non_null(strstr(d.problems[0].note, "fonts/cut.sh"));
}

static void
host_settings_change_nothing(void **state)
{
	static const char *const names[] = {"FONTCONFIG_FILE",
	    "FONTCONFIG_PATH", "LANG", "LC_ALL", "HOME"};
	double before = width_of(LONG_ZH);
	int lines = text_para_lines(set(LONG_ZH, 300, 20, TEXT_JUSTIFY));
	char *old[5];
	struct text_engine *other;

	(void)state;
	for (int i = 0; i < 5; i++) {
		old[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
		setenv(names[i], i < 2 ? "/nonexistent" : "ja_JP.UTF-8", 1);
	}
	other = text_engine_new(a, "out/fonts", "zh-CN", &d);
	assert_non_null(other);
	e = other;
	assert_float_equal(width_of(LONG_ZH), before, 1e-9);
	assert_int_equal(text_para_lines(set(LONG_ZH, 300, 20, TEXT_JUSTIFY)),
	    lines);
	for (int i = 0; i < 5; i++) {
		if (old[i])
			setenv(names[i], old[i], 1);
		else
			unsetenv(names[i]);
		free(old[i]);
	}
}

static void
two_engines_live_side_by_side(void **state)
{
	struct arena *b = arena_new();
	struct text_engine *en = text_engine_new(b, "out/fonts", "en", &d);
	struct text_style s = serif(10);

	(void)state;
	assert_non_null(en);
	assert_float_equal(text_measure(en, &s, "GPU").width, width_of("GPU"),
	    1e-6);
	arena_free(b);
	assert_true(width_of("again") > 0);
}

/* What is drawn lies where the extents say: ink only inside the line. */
static void
drawing_marks_the_paper_inside_the_line(void **state)
{
	cairo_surface_t *s =
	    cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 200, 40);
	cairo_t *cr = cairo_create(s);
	struct text_para *p = set("国国国国国国国国国国", 100, 0, TEXT_START);
	int inside = 0, outside = 0;

	(void)state;
	text_para_draw(p, cr, 0, 20, 10);
	cairo_destroy(cr);
	cairo_surface_flush(s);
	for (int y = 0; y < 40; y++)
		for (int x = 0; x < 200; x++) {
			uint32_t px = ((uint32_t *)(void
				*)(cairo_image_surface_get_data(s) +
				   y * cairo_image_surface_get_stride(s)))[x];
			bool in = x >= 20 && x < 120 && y >= 10 && y < 25;

			if (px >> 24 > 40) {
				inside += in;
				outside += !in;
			}
		}
	cairo_surface_destroy(s);
	assert_true(inside > 200);
	assert_int_equal(outside, 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(no_line_starts_or_ends_with_a_forbidden_mark),
	    CASE(lines_hold_all_the_text_in_order),
	    CASE(no_line_is_wider_than_its_room),
	    CASE(justified_lines_reach_the_right_edge),
	    CASE(number_keeps_its_unit_and_measure_word),
	    CASE(times_sign_keeps_both_its_sides),
	    CASE(long_model_name_stays_in_a_narrow_cell),
	    CASE(long_name_breaks_at_its_joints),
	    CASE(last_line_is_never_a_single_character),
	    CASE(first_line_is_indented_by_two_characters),
	    CASE(a_huge_paragraph_takes_linear_time),
	    CASE(han_and_latin_stand_a_quarter_em_apart),
	    CASE(a_typed_space_counts_as_the_gap),
	    CASE(no_gap_beside_full_width_marks),
	    CASE(nothing_is_added_to_the_text),
	    CASE(two_marks_take_one_and_a_half_em),
	    CASE(mark_at_the_line_end_is_half_wide),
	    CASE(quotes_are_narrow_in_english_and_wide_in_chinese),
	    CASE(narrowest_width_is_that_of_the_longest_word),
	    CASE(centre_and_end_leave_the_slack_where_they_should),
	    CASE(extents_tell_runs_apart),
	    CASE(lines_are_as_high_as_asked),
	    CASE(markup_characters_are_plain_text),
	    CASE(emoji_is_reported_as_missing),
	    CASE(every_missing_character_is_reported_once),
	    CASE(rare_character_comes_from_the_uncut_face),
	    CASE(rare_character_does_not_change_the_others),
	    CASE(direction_controls_are_dropped),
	    CASE(control_characters_and_bad_bytes_do_no_harm),
	    CASE(fixed_spaces_need_no_glyph_of_their_own),
	    CASE(empty_text_has_one_empty_line),
	    CASE(gb2312_and_symbols_need_no_uncut_face),
	    CASE(missing_fonts_are_reported_with_the_remedy),
	    CASE(host_settings_change_nothing),
	    CASE(two_engines_live_side_by_side),
	    CASE(drawing_marks_the_paper_inside_the_line),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	text_shutdown();
	return failed;
}
