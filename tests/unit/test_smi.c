/* Inventories: what nvidia-smi -q -x says, in its several forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/input.h"

#define BAD "tests/cases/bad/"
/* Real captures; they stand beside the project or not at all. */
#define REAL "../shared/research/nvidia-smi/"

#define MIB 1048576.0

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
	struct inventory inv;
	bool ok;
};

static struct read
read_file(const char *path)
{
	struct read r = {.a = arena_new()};

	diag_init(&r.d, r.a);
	r.ok =
	    inventory_read(r.a, path, catalog, &r.inv, (struct pos){0}, &r.d);
	return r;
}

static void
check_device(const struct read *r, int i, const char *gpu, double mib)
{
	const struct device *dev;

	assert_true(r->ok);
	assert_true(r->inv.n_devices > i);
	dev = &r->inv.devices[i];
	if (gpu) {
		assert_non_null(dev->gpu);
		assert_string_equal(dev->gpu->id, gpu);
	} else {
		assert_null(dev->gpu);
	}
	assert_int_equal(dev->total_bytes.known, mib > 0);
	assert_true(mib <= 0 || dev->total_bytes.value == mib * MIB);
}

static bool
has_problem(const struct read *r, const char *id)
{
	for (int i = 0; i < r->d.n; i++)
		if (strcmp(r->d.problems[i].id, id) == 0)
			return true;
	return false;
}

static void
the_sample_room_has_two_cards(void **state)
{
	struct read r = read_file("catalog/examples/inventory/room-1.xml");
	const struct device *dev = r.inv.devices;

	(void)state;
	assert_int_equal(r.d.n, 0);
	assert_int_equal(r.inv.n_devices, 2);
	check_device(&r, 0, "nvidia-t4", 15360);
	assert_true(dev->healthy);
	assert_int_equal(dev->slices, 0);
	assert_true(dev->max_video_hz.value == 1470e6);
	assert_true(dev->power_limit_w.value == 70);
	assert_string_equal(r.inv.driver, "470.103.01");
	assert_string_equal(r.inv.cuda, "11.4");
	arena_free(r.a);
}

static void
driver_535_renamed_the_power_tags(void **state)
{
	struct read r = read_file(BAD "t20-driver-535.xml");

	(void)state;
	check_device(&r, 0, "nvidia-rtx-4090", 24564);
	assert_true(r.inv.devices[0].power_limit_w.value == 450);
	arena_free(r.a);
}

static void
driver_570_deprecated_some_values(void **state)
{
	struct read r = read_file(BAD "t21-driver-570.xml");

	(void)state;
	/* two cards are called RTX 3060: the memory tells them apart */
	check_device(&r, 0, "nvidia-rtx-3060-12gb", 12288);
	assert_true(r.inv.devices[0].healthy);
	arena_free(r.a);
}

static void
slices_are_counted(void **state)
{
	struct read r = read_file(BAD "t23-mig.xml");

	(void)state;
	check_device(&r, 0, "nvidia-a100-sxm4-80gb", 81920);
	assert_int_equal(r.inv.n_devices, 1);
	assert_int_equal(r.inv.devices[0].slices, 4);
	assert_true(r.inv.devices[0].slice_bytes.value == 19968 * MIB);
	assert_true(has_problem(&r, "smi-count"));
	arena_free(r.a);
}

static void
memory_that_is_not_said_is_not_zero(void **state)
{
	struct read r = read_file(BAD "t25-no-memory.xml");

	(void)state;
	check_device(&r, 0, "nvidia-t4", 0);
	check_device(&r, 1, "nvidia-t4", 0);
	assert_int_equal(r.d.n, 0);
	arena_free(r.a);
}

static void
a_bad_byte_does_not_lose_the_host(void **state)
{
	struct read r = read_file(BAD "t27-bad-byte.xml");

	(void)state;
	check_device(&r, 0, "nvidia-t4", 15360);
	assert_int_equal(r.d.n_errors, 0);
	arena_free(r.a);
}

static void
leading_white_space_is_skipped(void **state)
{
	struct read r = read_file(BAD "t28-leading-newline.xml");

	(void)state;
	check_device(&r, 0, "nvidia-t4", 15360);
	arena_free(r.a);
}

static void
a_nameless_card_is_known_by_its_id(void **state)
{
	struct read r = read_file(BAD "t31-graphics-device.xml");

	(void)state;
	check_device(&r, 0, "nvidia-gtx-1660-ti", 5912);
	arena_free(r.a);
	r = read_file(BAD "t31-unknown-device.xml");
	check_device(&r, 0, NULL, 5912);
	assert_true(has_problem(&r, "smi-unmatched"));
	assert_int_equal(r.d.n_errors, 0);
	arena_free(r.a);
}

static void
the_reported_memory_wins(void **state)
{
	struct read r = read_file(BAD "t33-memory-differs.xml");

	(void)state;
	check_device(&r, 0, "nvidia-gtx-1070-ti", 4096);
	assert_true(has_problem(&r, "smi-memory"));
	arena_free(r.a);
}

static void
a_sick_card_is_listed_as_such(void **state)
{
	struct read r = read_file(BAD "t34-unknown-error.xml");

	(void)state;
	check_device(&r, 0, "nvidia-t4", 15360);
	assert_false(r.inv.devices[0].healthy);
	arena_free(r.a);
}

static void
a_silent_driver_is_an_error(void **state)
{
	struct read r = read_file(BAD "t34-no-answer.xml");

	(void)state;
	assert_false(r.ok);
	assert_int_equal(r.d.n_errors, 1);
	assert_true(has_problem(&r, "smi-no-answer"));
	arena_free(r.a);
}

static void
every_encoding_gives_the_same_card(void **state)
{
	static const char *const files[] = {"t36-utf16-declares-utf8.xml",
	    "t36-utf8-bom.xml", "t36-gbk-undeclared.xml",
	    "t36-gbk-declared.xml"};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct read r = read_file(fs_join(shared, BAD, files[i]));

		check_device(&r, 0, "nvidia-t4", 15360);
		assert_int_equal(r.d.n_errors, 0);
		arena_free(r.a);
	}
}

static void
a_device_cut_out_of_its_file_is_read(void **state)
{
	struct read r = read_file(BAD "smi-one-device-cut-out.xml");

	(void)state;
	check_device(&r, 0, "nvidia-t4", 15360);
	assert_null(r.inv.driver);
	arena_free(r.a);
}

static void
a_missing_file_is_an_error(void **state)
{
	struct read r = read_file(BAD "no-such-file.xml");

	(void)state;
	assert_false(r.ok);
	assert_true(has_problem(&r, "file-missing"));
	arena_free(r.a);
}

static void
real_captures_are_read(void **state)
{
	static const struct {
		const char *file, *gpu;
		double mib;
		int slices;
	} real[] = {
	    {"01_gtx1660ti_unnamed_drv418.xml", "nvidia-gtx-1660-ti", 5912, 0},
	    {"02_tesla_t4_drv515.xml", "nvidia-t4", 15360, 0},
	    {"03_a100_80g_mig4_drv535.xml", "nvidia-a100-sxm4-80gb", 81920, 4},
	    {"05_rtx3060_drv570.xml", "nvidia-rtx-3060-12gb", 12288, 0},
	    {"06_rtx4000sffada_drv595_v13.xml", "nvidia-rtx-4000-sff-ada",
		20475, 0},
	    {"08_pro6000maxq_drv590_v13.xml",
		"nvidia-rtx-pro-6000-blackwell-max-q", 97887, 0},
	    {"10_rtx4090_drv535.xml", "nvidia-rtx-4090", 24564, 0},
	    {"11_rtx2080_windows_drv516.xml", "nvidia-rtx-2080", 8192, 0},
	    {"12_rtx3060_laptop_drv515.xml", NULL, 6144, 0},
	    {"16_gtx1070ti_minimal.xml", "nvidia-gtx-1070-ti", 4096, 0},
	};

	(void)state;
	if (!fs_exists(REAL))
		skip();
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++) {
		struct read r = read_file(fs_join(shared, REAL, real[i].file));

		check_device(&r, 0, real[i].gpu, real[i].mib);
		assert_int_equal(r.inv.n_devices, 1);
		assert_int_equal(r.inv.devices[0].slices, real[i].slices);
		assert_int_equal(r.d.n_errors, 0);
		arena_free(r.a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_sample_room_has_two_cards),
	    cmocka_unit_test(driver_535_renamed_the_power_tags),
	    cmocka_unit_test(driver_570_deprecated_some_values),
	    cmocka_unit_test(slices_are_counted),
	    cmocka_unit_test(memory_that_is_not_said_is_not_zero),
	    cmocka_unit_test(a_bad_byte_does_not_lose_the_host),
	    cmocka_unit_test(leading_white_space_is_skipped),
	    cmocka_unit_test(a_nameless_card_is_known_by_its_id),
	    cmocka_unit_test(the_reported_memory_wins),
	    cmocka_unit_test(a_sick_card_is_listed_as_such),
	    cmocka_unit_test(a_silent_driver_is_an_error),
	    cmocka_unit_test(every_encoding_gives_the_same_card),
	    cmocka_unit_test(a_device_cut_out_of_its_file_is_read),
	    cmocka_unit_test(a_missing_file_is_an_error),
	    cmocka_unit_test(real_captures_are_read),
	};

	return cmocka_run_group_tests_name("smi", tests, read_catalog,
	    free_catalog);
}
