/* The YAML reader: tree, positions through repairs, limits, access. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/yaml_in.h"

struct doc {
	struct arena *a;
	struct diag d;
	struct yaml_node *root;
	double seconds;
};

static struct doc
parse(const char *text, size_t len)
{
	struct doc doc = {.a = arena_new()};
	struct source *src = arena_alloc(doc.a, 1, sizeof(*src));
	clock_t start = clock();

	diag_init(&doc.d, doc.a);
	*src = (struct source){"t.yaml", text, len};
	doc.root = yaml_parse(doc.a, src, &doc.d);
	doc.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	return doc;
}

static struct doc
parse_text(const char *text)
{
	return parse(text, strlen(text));
}

static void
check_pos(struct pos pos, int line, int col)
{
	assert_int_equal(pos.line, line);
	assert_int_equal(pos.col, col);
}

static void
check_problem(const struct doc *doc, int i, const char *id, int line, int col)
{
	assert_true(doc->d.n > i);
	assert_string_equal(doc->d.problems[i].id, id);
	check_pos(doc->d.problems[i].pos, line, col);
}

static void
scalars_stay_text(void **state)
{
	/* YAML 1.1 would make these false, 8, 90, null and 685230.15 */
	struct doc doc = parse_text("a: NO\nb: 010\nc: 1:30\nd: ~\n"
				    "e: 6.8523015e+5\n");

	(void)state;
	assert_string_equal(yaml_text(doc.root, "a", &doc.d), "NO");
	assert_string_equal(yaml_text(doc.root, "b", &doc.d), "010");
	assert_string_equal(yaml_text(doc.root, "c", &doc.d), "1:30");
	assert_string_equal(yaml_text(doc.root, "d", &doc.d), "~");
	assert_string_equal(yaml_text(doc.root, "e", &doc.d), "6.8523015e+5");
	assert_int_equal(doc.d.n, 0);
	arena_free(doc.a);
}

static void
maps_and_lists_nest(void **state)
{
	struct doc doc = parse_text("s:\n- {a: 1, b: [x, y]}\n- c: 2\n");
	struct yaml_node *s = yaml_list(doc.root, "s", &doc.d);

	(void)state;
	assert_int_equal(s->n, 2);
	assert_int_equal(yaml_list(s->first, "b", &doc.d)->n, 2);
	assert_string_equal(yaml_text(s->last, "c", &doc.d), "2");
	arena_free(doc.a);
}

static void
positions_count_characters(void **state)
{
	struct doc doc = parse_text("名: 城市\nb: {甲: 1, 乙: 2}\n");
	struct yaml_node *b = yaml_find(doc.root, "b");

	(void)state;
	check_pos(yaml_find(doc.root, "名")->pos, 1, 4);
	check_pos(yaml_find(b, "乙")->key_pos, 2, 11);
	check_pos(yaml_find(b, "乙")->pos, 2, 14);
	arena_free(doc.a);
}

static void
positions_hold_behind_a_repair(void **state)
{
	/* the colon of x is full-width: the copy is one column longer */
	struct doc doc = parse_text("{x：1, y: 2}\nz：3\n");

	(void)state;
	assert_int_equal(doc.d.n_errors, 2);
	check_problem(&doc, 0, "yaml-fullwidth", 1, 3);
	arena_free(doc.a);
	doc = parse_text("m: {x：1, y: 2}\n");
	check_pos(yaml_find(yaml_find(doc.root, "m"), "y")->pos, 1, 13);
	arena_free(doc.a);
}

static void
every_slip_is_reported_in_one_run(void **state)
{
	struct doc doc = parse_text("fps:25\nname：x\nnote: *must\n"
				    "late: p99: 1 s\nfps: 3\n");

	(void)state;
	check_problem(&doc, 0, "yaml-colon", 1, 4);
	check_problem(&doc, 1, "yaml-fullwidth", 2, 5);
	check_problem(&doc, 2, "yaml-alias", 3, 7);
	check_problem(&doc, 3, "yaml-nested", 4, 10);
	check_problem(&doc, 4, "yaml-duplicate", 5, 1);
	assert_int_equal(doc.d.n, 5);
	assert_non_null(doc.root);
	arena_free(doc.a);
}

static void
a_bom_loses_no_key(void **state)
{
	struct doc doc = parse_text("\xEF\xBB\xBF"
				    "a: 1\nb: 2\nc: 3\n");

	(void)state;
	assert_int_equal(doc.root->n, 3);
	check_pos(yaml_find(doc.root, "a")->key_pos, 1, 1);
	assert_int_equal(doc.d.n, 0);
	arena_free(doc.a);
}

static void
gbk_is_named_and_read_on(void **state)
{
	/* name: 厂家 in GBK */
	struct doc doc = parse_text("name: \xB3\xA7\xBC\xD2\n");

	(void)state;
	check_problem(&doc, 0, "yaml-encoding", 1, 7);
	assert_non_null(strstr(doc.d.problems[0].text, "GBK"));
	assert_string_equal(yaml_text(doc.root, "name", &doc.d), "厂家");
	arena_free(doc.a);
}

static void
chinese_text_is_no_slip(void **state)
{
	struct doc doc =
	    parse_text("reason: 产品手册：推荐 T4，或同级\n"
		       "claims:\n  - 吞吐：每卡 16 路\n  - \"延迟: 300 ms\"\n"
		       "long: 第一行\n  第二行：继续\nlist: [甲，乙, 丙]\n");

	(void)state;
	assert_int_equal(doc.d.n, 0);
	assert_string_equal(yaml_text(doc.root, "long", &doc.d),
	    "第一行 第二行：继续");
	assert_int_equal(yaml_find(doc.root, "list")->n, 2);
	arena_free(doc.a);
}

static void
addresses_and_versions_are_no_slip(void **state)
{
	struct doc doc = parse_text(
	    "url: http://a.b:80/c\n"
	    "list:\n- https://x.y/z\n- 1:30\n- '*star'\nv: 470.103.01\n"
	    "text: |\n  fps:25\n  *x ：\nend: 1\n");

	(void)state;
	assert_int_equal(doc.d.n, 0);
	assert_string_equal(yaml_text(doc.root, "text", &doc.d),
	    "fps:25\n*x ：\n");
	arena_free(doc.a);
}

static void
a_zero_byte_is_no_text(void **state)
{
	struct doc doc = parse("a: 1\nb: \0x\n", 10);

	(void)state;
	assert_null(doc.root);
	check_problem(&doc, 0, "yaml-character", 2, 4);
	arena_free(doc.a);
}

static void
crlf_lines_are_lines(void **state)
{
	struct doc doc = parse_text("a: 1\r\nb: x\r\n");

	(void)state;
	assert_string_equal(yaml_text(doc.root, "b", &doc.d), "x");
	check_pos(yaml_find(doc.root, "b")->pos, 2, 4);
	arena_free(doc.a);
}

static struct doc
parse_repeated(struct arena *a, const char *piece, int times)
{
	struct str b;

	str_init(&b, a);
	for (int i = 0; i < times; i++)
		str_add(&b, piece);
	return parse(b.s, b.len);
}

static void
check_refused(const char *piece, int times, const char *id)
{
	struct arena *a = arena_new();
	struct doc doc = parse_repeated(a, piece, times);

	assert_null(doc.root);
	assert_true(doc.d.n > 0);
	assert_string_equal(doc.d.problems[0].id, id);
	assert_true(doc.seconds < 1);
	arena_free(doc.a);
	arena_free(a);
}

static void
nesting_is_refused_within_a_second(void **state)
{
	(void)state;
	check_refused("[", 200000, "yaml-limit");
	check_refused("{", 200000, "yaml-limit");
	check_refused("{a: ", 50000, "yaml-limit");
	check_refused("- ", 100000, "yaml-limit");
	check_refused("\uFF5B", 60000, "yaml-fullwidth");
	check_refused("? ", 100000, "yaml-key");
}

static void
size_is_bounded(void **state)
{
	(void)state;
	check_refused("x", YAML_MAX_BYTES + 1, "yaml-limit");
}

static void
many_slips_end_early(void **state)
{
	struct arena *a = arena_new();
	struct doc doc = parse_repeated(a, "fps:25\n", 100000);

	(void)state;
	assert_null(doc.root);
	assert_int_equal(doc.d.n_errors, 50);
	assert_true(doc.seconds < 1);
	arena_free(doc.a);
	arena_free(a);
}

static void
keys_of_one_map_are_bounded(void **state)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;

	(void)state;
	str_init(&b, a);
	for (int i = 0; i < 1001; i++)
		str_addf(&b, "k%d: 1\n", i);
	doc = parse(b.s, b.len);
	check_problem(&doc, 0, "yaml-limit", 1001, 1);
	arena_free(doc.a);
	arena_free(a);
}

static void
values_are_bounded(void **state)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;

	(void)state;
	str_init(&b, a);
	str_add(&b, "a: [");
	for (int i = 0; i < YAML_MAX_NODES + 10; i++)
		str_add(&b, "1,");
	doc = parse(b.s, b.len);
	assert_null(doc.root);
	assert_string_equal(doc.d.problems[0].id, "yaml-limit");
	arena_free(doc.a);
	arena_free(a);
}

static void
depth_at_the_limit_is_fine(void **state)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;

	(void)state;
	str_init(&b, a);
	for (int i = 0; i < YAML_MAX_DEPTH; i++)
		str_add(&b, "[");
	for (int i = 0; i < YAML_MAX_DEPTH; i++)
		str_add(&b, "]");
	doc = parse(b.s, b.len);
	assert_non_null(doc.root);
	assert_int_equal(doc.d.n, 0);
	arena_free(doc.a);
	arena_free(a);
}

static void
empty_values_are_missing(void **state)
{
	struct doc doc = parse_text("a:\nb: ''\nc: {}\n");

	(void)state;
	assert_null(yaml_text(doc.root, "a", &doc.d));
	check_problem(&doc, 0, "yaml-missing", 1, 1);
	assert_null(yaml_map(doc.root, "a", &doc.d));
	assert_non_null(yaml_map(doc.root, "c", &doc.d));
	assert_null(yaml_text(doc.root, "c", &doc.d));
	assert_string_equal(doc.d.problems[doc.d.n - 1].id, "yaml-kind");
	arena_free(doc.a);
}

static void
needed_text_is_asked_for_at_its_map(void **state)
{
	struct doc doc = parse_text("m:\n  a: 1\n");
	struct yaml_node *m = yaml_map(doc.root, "m", &doc.d);

	(void)state;
	assert_null(yaml_need(m, "b", &doc.d));
	check_problem(&doc, 0, "yaml-missing", 2, 3);
	arena_free(doc.a);
}

static void
numbers_come_with_units(void **state)
{
	struct doc doc = parse_text("a: 25 fps\nb: 25 bps\nc: 12.5 /h\n");
	double v = 0;

	(void)state;
	assert_true(yaml_number(doc.a, doc.root, "a", UNIT_PER_S, &v, &doc.d));
	assert_true(v == 25);
	/* 12.5 an hour is 12.5/3600 a second */
	assert_true(yaml_number(doc.a, doc.root, "c", UNIT_PER_S, &v, &doc.d));
	assert_true(v > 0.003472 && v < 0.003473);
	assert_false(
	    yaml_number(doc.a, doc.root, "none", UNIT_PER_S, &v, &doc.d));
	assert_int_equal(doc.d.n, 0);
	assert_false(yaml_number(doc.a, doc.root, "b", UNIT_PER_S, &v, &doc.d));
	check_problem(&doc, 0, "yaml-number", 2, 4);
	assert_non_null(strstr(doc.d.problems[0].note, "fps"));
	arena_free(doc.a);
}

static void
check_size(const char *text, int w, int h)
{
	struct doc doc = {.a = arena_new()};
	char *line = arena_printf(doc.a, "s: \"%s\"\n", text);
	struct doc got = parse_text(line);
	int gw = 0, gh = 0;

	assert_int_equal(yaml_size(got.root, "s", &gw, &gh, &got.d), w > 0);
	assert_int_equal(gw * (w > 0), w);
	assert_int_equal(gh * (w > 0), h);
	arena_free(got.a);
	arena_free(doc.a);
}

static void
sizes_are_read_as_people_write_them(void **state)
{
	(void)state;
	check_size("1920x1080", 1920, 1080);
	check_size("1920 X 1080", 1920, 1080);
	check_size("1920*1080", 1920, 1080);
	check_size("1920×1080", 1920, 1080);
	check_size("１９２０×１０８０", 1920, 1080);
	check_size("1,920x1,080", 1920, 1080);
	check_size("1080p", 1920, 1080);
	check_size("1080P", 1920, 1080);
	check_size("4K", 3840, 2160);
	check_size("640", 640, 640);
	check_size("640 px", 640, 640);
	check_size("19,20x1080", 0, 0);
	check_size("x1080", 0, 0);
	check_size("1920x", 0, 0);
	check_size("1920x1080x3", 0, 0);
	check_size("-1x5", 0, 0);
	check_size("99999999999999999999x2", 0, 0);
}

static void
choices_suggest_the_nearest(void **state)
{
	static const char *const words[] = {"passive", "active"};
	struct doc doc = parse_text("a: pasive\nb: Active\n");

	(void)state;
	assert_int_equal(yaml_choice(doc.root, "b", words, 2, &doc.d), 1);
	assert_int_equal(yaml_choice(doc.root, "c", words, 2, &doc.d), -1);
	assert_int_equal(doc.d.n, 0);
	assert_int_equal(yaml_choice(doc.root, "a", words, 2, &doc.d), -1);
	assert_non_null(strstr(doc.d.problems[0].note, "'passive'"));
	arena_free(doc.a);
}

static void
unknown_keys_suggest_the_nearest(void **state)
{
	static const char *const known[] = {"fps", "count"};
	struct doc doc = parse_text("fps: 1\ncuont: 2\n");

	(void)state;
	yaml_find(doc.root, "fps");
	assert_false(yaml_end(doc.root, known, 2, &doc.d));
	check_problem(&doc, 0, "yaml-unknown", 2, 1);
	assert_non_null(strstr(doc.d.problems[0].note, "'count'"));
	arena_free(doc.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scalars_stay_text),
	    cmocka_unit_test(maps_and_lists_nest),
	    cmocka_unit_test(positions_count_characters),
	    cmocka_unit_test(positions_hold_behind_a_repair),
	    cmocka_unit_test(every_slip_is_reported_in_one_run),
	    cmocka_unit_test(a_bom_loses_no_key),
	    cmocka_unit_test(gbk_is_named_and_read_on),
	    cmocka_unit_test(chinese_text_is_no_slip),
	    cmocka_unit_test(addresses_and_versions_are_no_slip),
	    cmocka_unit_test(a_zero_byte_is_no_text),
	    cmocka_unit_test(crlf_lines_are_lines),
	    cmocka_unit_test(nesting_is_refused_within_a_second),
	    cmocka_unit_test(size_is_bounded),
	    cmocka_unit_test(many_slips_end_early),
	    cmocka_unit_test(keys_of_one_map_are_bounded),
	    cmocka_unit_test(values_are_bounded),
	    cmocka_unit_test(depth_at_the_limit_is_fine),
	    cmocka_unit_test(empty_values_are_missing),
	    cmocka_unit_test(needed_text_is_asked_for_at_its_map),
	    cmocka_unit_test(numbers_come_with_units),
	    cmocka_unit_test(sizes_are_read_as_people_write_them),
	    cmocka_unit_test(choices_suggest_the_nearest),
	    cmocka_unit_test(unknown_keys_suggest_the_nearest),
	};

	return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
