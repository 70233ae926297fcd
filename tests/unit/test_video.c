/* model/video.h */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/video.h"

static struct fact
known(double v)
{
	return fact_of(v, SURE_VENDOR, "test");
}

static void
check_near(double got, double want, double share)
{
	if (fabs(got - want) > share * fabs(want))
		fail_msg("got %.9g, want %.9g", got, want);
}

/* Rates of one Turing engine, measured on a card at 1,950 MHz. */
static struct arch
turing(void)
{
	struct arch t = {.id = "turing",
	    .cc = 75,
	    .video_hz = known(1950e6),
	    .encode_fps = known(834)};

	t.decode_fps[CODEC_H264] = known(719);
	t.decode_fps[CODEC_HEVC] = known(1247);
	t.decode_fps[CODEC_HEVC10] = known(1145);
	t.decode_fps[CODEC_VP9] = known(864);
	return t;
}

static struct stream
camera(int count, int width, int height, double fps)
{
	struct stream s = {.kind = STREAM_VIDEO,
	    .count = count,
	    .width = width,
	    .height = height,
	    .codec = CODEC_H264,
	    .fps = fps,
	    .analysed_per_s = fps};

	return s;
}

static void
need_of_1080p(void **state)
{
	struct stream s = camera(64, 1920, 1080, 25);

	(void)state;
	/* 64 x 25 */
	check_near(video_decode_need(&s), 1600, 1e-12);
}

static void
need_counts_every_frame(void **state)
{
	struct stream s = camera(96, 1920, 1080, 25);

	(void)state;
	/* five of 25 frames are analysed; all 25 are decoded */
	s.analysed_per_s = 5;
	check_near(video_decode_need(&s), 2400, 1e-12);
}

static void
need_of_4k_is_fourfold(void **state)
{
	struct stream s = camera(10, 3840, 2160, 25);

	(void)state;
	check_near(video_decode_need(&s), 4 * 250, 1e-12);
	/* and 720p 0.44 */
	s = camera(9, 1280, 720, 30);
	check_near(video_decode_need(&s), 9 * 30 * 4.0 / 9, 1e-12);
}

static void
need_without_resolution_is_1080p(void **state)
{
	struct stream s = camera(4, 0, 0, 25);

	(void)state;
	check_near(video_decode_need(&s), 100, 1e-12);
}

static void
need_of_streams_not_decoded_here(void **state)
{
	struct stream s = camera(64, 1920, 1080, 25);

	(void)state;
	s.decoded_elsewhere = true;
	assert_true(video_decode_need(&s) == 0);
	s = camera(64, 1920, 1080, 25);
	s.codec = CODEC_NONE;
	assert_true(video_decode_need(&s) == 0);
	s = camera(64, 1920, 1080, 25);
	s.kind = STREAM_IMAGES;
	assert_true(video_decode_need(&s) == 0);
}

static void
need_of_absurd_streams(void **state)
{
	struct stream s = camera(-3, 1920, 1080, 25);

	(void)state;
	assert_true(video_decode_need(&s) == 0);
	s = camera(3, 1920, 1080, NAN);
	assert_true(video_decode_need(&s) == 0);
	s = camera(3, 1920, 1080, -25);
	assert_true(video_decode_need(&s) == 0);
	s = camera(3, -1920, 1080, 25);
	check_near(video_decode_need(&s), 75, 1e-12);
	s = camera(INT32_MAX, INT32_MAX, INT32_MAX, 1e6);
	assert_true(isfinite(video_decode_need(&s)));
}

static void
need_of_encode(void **state)
{
	struct stream s = camera(4, 960, 540, 25);

	(void)state;
	assert_true(video_encode_need(&s) == 0);
	/* four live pictures enlarged to 4K: 4 x 25 x 4 */
	s.out_codec = CODEC_H264;
	s.out_width = 3840;
	s.out_height = 2160;
	check_near(video_encode_need(&s), 400, 1e-12);
	/* not said how large: as they came, a quarter of 1080p */
	s.out_width = s.out_height = 0;
	check_near(video_encode_need(&s), 25, 1e-12);
	s.kind = STREAM_IMAGES;
	s.analysed_per_s = 2;
	check_near(video_encode_need(&s), 2, 1e-12);
}

static void
capacity_of_t4(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch,
	    .decoders = known(2),
	    .video_hz = known(1470e6)};
	struct fact f = video_decode_capacity(&g, CODEC_H264);

	(void)state;
	/* 719 x 2 engines x 1,470 / 1,950 MHz = 1,084 */
	assert_true(f.known);
	check_near(f.value, 1084, 1e-3);
	assert_int_equal(f.sure, SURE_DERIVED);
	check_near(video_decode_capacity(&g, CODEC_HEVC).value,
	    1247 * 2 * 1470.0 / 1950, 1e-12);
}

static void
capacity_of_a100(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch,
	    .decoders = known(5),
	    .video_hz = known(1290e6)};

	(void)state;
	/* 719 x 5 x 1,290 / 1,950 = 2,378: less than the 2,600 frames/s of
	 * 104 cameras at 25 */
	check_near(video_decode_capacity(&g, CODEC_H264).value, 2378, 1e-3);
	assert_true(video_decode_capacity(&g, CODEC_H264).value < 2600);
}

static void
capacity_without_clocks_is_unscaled(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch, .decoders = known(2)};

	(void)state;
	check_near(video_decode_capacity(&g, CODEC_H264).value, 1438, 1e-12);
	g.video_hz = known(1470e6);
	turing_arch.video_hz.known = false;
	check_near(video_decode_capacity(&g, CODEC_H264).value, 1438, 1e-12);
}

static void
capacity_of_a_card_without_engine(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch, .decoders = known(0)};
	struct fact f = video_decode_capacity(&g, CODEC_H264);

	(void)state;
	/* stated to have none (P106-100): a known zero */
	assert_true(f.known);
	assert_true(f.value == 0);
	assert_int_equal(f.sure, SURE_VENDOR);
	/* nobody counted them: not known, never zero */
	g.decoders.known = false;
	assert_false(video_decode_capacity(&g, CODEC_H264).known);
}

static void
capacity_of_an_unpublished_codec(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch, .decoders = known(2)};

	(void)state;
	assert_false(video_decode_capacity(&g, CODEC_AV1).known);
	/* unless the file says that the engine cannot */
	turing_arch.decode_fps[CODEC_AV1] = known(0);
	assert_true(video_decode_capacity(&g, CODEC_AV1).known);
	assert_true(video_decode_capacity(&g, CODEC_AV1).value == 0);
}

static void
capacity_without_architecture(void **state)
{
	struct gpu g = {.decoders = known(2)};

	(void)state;
	assert_false(video_decode_capacity(&g, CODEC_H264).known);
	assert_false(video_encode_capacity(&g).known);
	assert_false(video_decode_capacity(&g, CODEC_NONE).known);
	assert_false(video_decode_capacity(&g, (enum codec)99).known);
	g.decoders = known(-2);
	assert_false(video_decode_capacity(&g, CODEC_H264).known);
	g.decoders = known(NAN);
	assert_false(video_decode_capacity(&g, CODEC_H264).known);
}

static void
capacity_of_encode(void **state)
{
	struct arch turing_arch = turing();
	struct gpu g = {.arch = &turing_arch,
	    .encoders = known(1),
	    .video_hz = known(1470e6)};

	(void)state;
	check_near(video_encode_capacity(&g).value, 834 * 1470.0 / 1950, 1e-12);
	g.encoders = known(0);
	assert_true(video_encode_capacity(&g).known);
	assert_true(video_encode_capacity(&g).value == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(need_of_1080p),
	    cmocka_unit_test(need_counts_every_frame),
	    cmocka_unit_test(need_of_4k_is_fourfold),
	    cmocka_unit_test(need_without_resolution_is_1080p),
	    cmocka_unit_test(need_of_streams_not_decoded_here),
	    cmocka_unit_test(need_of_absurd_streams),
	    cmocka_unit_test(need_of_encode),
	    cmocka_unit_test(capacity_of_t4),
	    cmocka_unit_test(capacity_of_a100),
	    cmocka_unit_test(capacity_without_clocks_is_unscaled),
	    cmocka_unit_test(capacity_of_a_card_without_engine),
	    cmocka_unit_test(capacity_of_an_unpublished_codec),
	    cmocka_unit_test(capacity_without_architecture),
	    cmocka_unit_test(capacity_of_encode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
