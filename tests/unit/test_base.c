/* arena, str, diag, num, fs */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/fs.h"
#include "base/num.h"
#include "base/str.h"

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
arena_is_zero_and_aligned(void **state)
{
	(void)state;
	for (size_t n = 1; n < 300000; n = n * 3 + 1) {
		unsigned char *p = arena_alloc(a, n, 1);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xFF, n);
	}
}

static void
push_keeps_what_was_there(void **state)
{
	int *items = NULL, n = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		*(int *)arena_push(a, &items, &n, sizeof(*items)) = i * i;
	assert_int_equal(n, 1000);
	for (int i = 0; i < n; i++)
		assert_int_equal(items[i], i * i);
}

static int order[2], n_order;

static void
note_order(void *obj)
{
	order[n_order++] = *(int *)obj;
}

static void
cleanups_run_newest_first(void **state)
{
	static int one = 1, two = 2;
	struct arena *b = arena_new();

	(void)state;
	arena_on_free(b, note_order, &one);
	arena_on_free(b, note_order, &two);
	arena_free(b);
	assert_int_equal(n_order, 2);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 1);
}

static void
utf8_refuses_bad_sequences(void **state)
{
	static const struct {
		const char *s;
		int at;
	} cases[] = {
	    {"plain", -1},
	    {"\xE4\xB8\xAD", -1},
	    {"a\x80", 1},
	    {"\xC0\xAF", 0},
	    {"\xE0\x80\x80", 0},
	    {"\xED\xA0\x80", 0},
	    {"\xF4\x90\x80\x80", 0},
	    {"ok\xE4\xB8", 2},
	    {"\xFF", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(utf8_invalid_at(cases[i].s,
				     strlen(cases[i].s)),
		    cases[i].at);
}

static void
utf8_counts_columns(void **state)
{
	(void)state;
	assert_int_equal(utf8_length("显卡 GPU"), 6);
	assert_int_equal(utf8_columns("显卡 GPU", strlen("显卡 GPU")), 8);
}

static void
xml_is_escaped(void **state)
{
	struct str b;

	(void)state;
	str_init(&b, a);
	str_add_xml(&b, "R&D <24 \"GB\"\x01>");
	assert_string_equal(b.s, "R&amp;D &lt;24 &quot;GB&quot;&gt;");
}

static void
nearest_word_is_found(void **state)
{
	static const char *const keys[] = {"streams", "runtime", "request"};

	(void)state;
	assert_string_equal(str_nearest("steams", keys, 3), "streams");
	assert_string_equal(str_nearest("Runtine", keys, 3), "runtime");
	assert_null(str_nearest("colour", keys, 3));
}

static double
parsed(const char *text, enum unit u)
{
	const char *why = NULL;
	double v = NAN;

	if (!num_parse(text, u, &v, a, &why))
		fail_msg("'%s': %s", text, why);
	return v;
}

static void
refused(const char *text, enum unit u, const char *reason)
{
	const char *why = NULL;
	double v;

	assert_false(num_parse(text, u, &v, a, &why));
	assert_string_equal(why, reason);
}

static void
units_are_read(void **state)
{
	(void)state;
	assert_true(parsed("25 fps", UNIT_PER_S) == 25);
	assert_true(parsed("30 /h", UNIT_PER_S) == 30.0 / 3600);
	assert_true(parsed("8 GiB", UNIT_BYTE) == 8589934592.0);
	assert_true(parsed("8GB", UNIT_BYTE) == 8e9);
	assert_true(parsed("15360 MiB", UNIT_BYTE) == 15360.0 * 1048576);
	assert_true(parsed("6.5 ms", UNIT_SECOND) == 0.0065);
	assert_true(parsed("7 us", UNIT_SECOND) == 7e-6);
	assert_true(parsed("320 GB/s", UNIT_BYTE_PER_S) == 320e9);
	assert_true(parsed("65 TFLOPS", UNIT_FLOP_PER_S) == 65e12);
	assert_true(parsed("70 W", UNIT_WATT) == 70);
	assert_true(parsed("80 %", UNIT_RATIO) == 0.8);
	assert_true(parsed("0.8", UNIT_RATIO) == 0.8);
}

static void
a_mac_is_two_flop(void **state)
{
	(void)state;
	assert_true(parsed("4.1 GMAC", UNIT_FLOP) == 4.1 * 2e9);
	assert_true(parsed("8.2 GFLOP", UNIT_FLOP) == 8.2 * 1e9);
}

static void
full_width_numbers_are_read(void **state)
{
	(void)state;
	assert_true(parsed("２５ fps", UNIT_PER_S) == 25);
	assert_true(parsed("1,600", UNIT_COUNT) == 1600);
	assert_true(parsed("1，600", UNIT_COUNT) == 1600);
	assert_true(parsed("-0.5", UNIT_NONE) == -0.5);
	assert_true(parsed("1.5e3", UNIT_NONE) == 1500);
}

static void
bad_numbers_say_why(void **state)
{
	(void)state;
	refused("", UNIT_COUNT, "a number is expected");
	refused("010", UNIT_COUNT, "a number must not start with 0");
	refused("1:30", UNIT_SECOND, "a single number is expected");
	refused("1,60", UNIT_COUNT,
	    "a comma in a number must stand before three digits");
	refused("2.5", UNIT_COUNT, "a whole number is expected");
	refused("300", UNIT_BYTE_PER_S, "the unit is missing");
	refused("300 GB/sec", UNIT_BYTE_PER_S, "unknown unit 'GB/sec'");
	refused("300 GB", UNIT_BYTE_PER_S, "unknown unit 'GB'");
	refused("inf", UNIT_NONE, "a number is expected");
	refused("nan", UNIT_NONE, "a number is expected");
	refused("0x10", UNIT_NONE, "unknown unit 'x10'");
	refused("1e999", UNIT_NONE, "the number is too large");
	refused("1 2", UNIT_NONE, "a single number is expected");
	refused("NO", UNIT_COUNT, "a number is expected");
}

static void
long_numbers_are_safe(void **state)
{
	char digits[4096];
	const char *why;
	double v;

	(void)state;
	memset(digits, '9', sizeof(digits) - 1);
	digits[sizeof(digits) - 1] = '\0';
	assert_false(num_parse(digits, UNIT_NONE, &v, a, &why));
	memcpy(digits, "0.", 2);
	assert_true(num_parse(digits, UNIT_NONE, &v, a, &why));
	assert_true(fabs(v - 1) < 1e-12);
}

static void
numbers_are_printed_without_surprise(void **state)
{
	(void)state;
	assert_string_equal(num_format(a, 1234567.891, 1, true), "1,234,567.9");
	assert_string_equal(num_format(a, 999, 0, true), "999");
	assert_string_equal(num_format(a, 1000, 0, true), "1,000");
	assert_string_equal(num_format(a, -0.04, 1, true), "0.0");
	assert_string_equal(num_format(a, 2.675, 2, false), "2.68");
	assert_string_equal(num_format(a, 0.5, 0, false), "1");
	assert_string_equal(num_format(a, -1600, 0, true), "-1,600");
}

static void
significant_digits(void **state)
{
	(void)state;
	assert_int_equal(num_decimals(1234, 3), 0);
	assert_int_equal(num_decimals(12.34, 3), 1);
	assert_int_equal(num_decimals(9.996, 3), 1);
	assert_int_equal(num_decimals(0.01234, 3), 4);
	assert_int_equal(num_decimals(0, 3), 0);
}

static void
exact_numbers_read_back(void **state)
{
	(void)state;
	for (double v = 1e-9; v < 1e18; v *= 7.77)
		assert_true(strtod(num_exact(a, v), NULL) == v);
	assert_string_equal(num_exact(a, 0.1), "0.1");
	assert_string_equal(num_exact(a, 350), "350");
	assert_string_equal(num_exact(a, -2e12), "-2000000000000");
	assert_string_equal(num_exact(a, 2e-5), "0.00002");
	assert_string_equal(num_exact(a, 4e22), "4e+22");
}

static void
positions_count_characters(void **state)
{
	static const char text[] = "a: 1\n名称：x\n";
	struct source src = {"f.yaml", text, sizeof(text) - 1};
	struct pos p = pos_at(&src, 5 + 6);

	(void)state;
	assert_int_equal(p.line, 2);
	assert_int_equal(p.col, 3);
}

static char *
printed(const struct diag *d)
{
	char *buf = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&buf, &len);

	diag_print(d, f);
	fclose(f);
	arena_on_free(a, free, buf);
	return buf;
}

static void
the_caret_stands_under_the_fault(void **state)
{
	static const char text[] = "名称: x\nfps: 25 fp\n";
	struct source src = {"v.yaml", text, sizeof(text) - 1};
	struct diag d;

	(void)state;
	diag_init(&d, a);
	diag_error(&d, (struct pos){&src, 2, 6}, "yaml-number",
	    "unknown unit 'fp'");
	diag_note(&d, "use one of fps, /s");
	diag_error(&d, (struct pos){&src, 1, 5}, "x", "after 名称");
	assert_string_equal(printed(&d),
	    "v.yaml:1:5: error: after 名称 [x]\n"
	    "    名称: x\n"
	    "          ^\n"
	    "v.yaml:2:6: error: unknown unit 'fp' [yaml-number]\n"
	    "    fps: 25 fp\n"
	    "         ^\n"
	    "    note: use one of fps, /s\n");
	assert_int_equal(d.n_errors, 2);
}

/* A zero byte in the line shown must not stop or stall the print. */
static void
a_zero_byte_in_the_line(void **state)
{
	static const char text[] = "fps: \0 25\n";
	struct source src = {"v.yaml", text, sizeof(text) - 1};
	struct diag d;

	(void)state;
	diag_init(&d, a);
	diag_error(&d, (struct pos){&src, 1, 9}, "x", "after the zero");
	assert_string_equal(printed(&d),
	    "v.yaml:1:9: error: after the zero [x]\n");
}

static void
too_many_problems_are_counted(void **state)
{
	struct diag d;

	(void)state;
	diag_init(&d, a);
	for (int i = 0; i < DIAG_MAX + 7; i++)
		diag_error(&d, (struct pos){0}, "x", "problem %d", i);
	assert_int_equal(d.n, DIAG_MAX);
	assert_int_equal(d.n_dropped, 7);
	assert_int_equal(d.n_errors, DIAG_MAX + 7);
	assert_non_null(strstr(printed(&d), "7 more problems not shown"));
}

static char *
scratch(void)
{
	char *dir = arena_strdup(a, "/tmp/whygpu-test-XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void
files_read_with_limits(void **state)
{
	char *dir = scratch(), *path = fs_join(a, dir, "f");
	FILE *f = fopen(path, "w");
	struct diag d;

	(void)state;
	diag_init(&d, a);
	fputs("12345", f);
	fclose(f);
	assert_string_equal(fs_read(a, path, 5, (struct pos){0}, &d)->text,
	    "12345");
	assert_null(fs_read(a, path, 4, (struct pos){0}, &d));
	assert_string_equal(d.problems[0].id, "file-size");
	assert_null(fs_read(a, dir, 5, (struct pos){0}, &d));
	assert_string_equal(d.problems[1].id, "file-kind");
	unlink(path);
	assert_null(fs_read(a, path, 5, (struct pos){0}, &d));
	assert_string_equal(d.problems[2].id, "file-missing");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(fs_read(a, path, 5, (struct pos){0}, &d));
	assert_string_equal(d.problems[3].id, "file-kind");
	unlink(path);
	rmdir(dir);
}

static bool
holds(const char *dir, const char *name, const char *text)
{
	struct diag d;
	struct source *s;

	diag_init(&d, a);
	s = fs_read(a, fs_join(a, dir, name), 100, (struct pos){0}, &d);
	return s && strcmp(s->text, text) == 0;
}

static void
a_set_appears_together_or_not(void **state)
{
	char *dir = scratch();
	struct diag d;
	struct fs_set *s;
	int n;

	(void)state;
	diag_init(&d, a);
	s = fs_set_begin(a, dir, &d);
	assert_true(fs_set_write(s, "r.xml", "old", 3, &d));
	assert_true(fs_set_commit(s, &d));
	assert_true(holds(dir, "r.xml", "old"));

	s = fs_set_begin(a, dir, &d);
	assert_true(fs_set_write(s, "charts/c.svg", "svg", 3, &d));
	assert_true(fs_set_write(s, "r.xml", "new", 3, &d));
	assert_true(holds(dir, "r.xml", "old"));
	fs_set_abort(s);
	assert_true(holds(dir, "r.xml", "old"));
	assert_false(fs_exists(fs_join(a, dir, "charts")));

	s = fs_set_begin(a, dir, &d);
	assert_true(fs_set_write(s, "charts/c.svg", "svg", 3, &d));
	assert_true(fs_set_write(s, "r.xml", "new", 3, &d));
	assert_true(fs_set_commit(s, &d));
	assert_true(holds(dir, "r.xml", "new"));
	assert_true(holds(dir, "charts/c.svg", "svg"));
	fs_list(a, dir, "", &n);
	assert_int_equal(n, 2); /* no stray stage folder is hidden ... */
	unlink(fs_join(a, dir, "charts/c.svg"));
	rmdir(fs_join(a, dir, "charts"));
	unlink(fs_join(a, dir, "r.xml"));
	assert_int_equal(rmdir(dir), 0); /* ... and none is left behind */
}

static void
something_in_the_way_changes_nothing(void **state)
{
	char *dir = scratch();
	struct diag d;
	struct fs_set *s;

	(void)state;
	diag_init(&d, a);
	mkdir(fs_join(a, dir, "b.pdf"), 0777);
	s = fs_set_begin(a, dir, &d);
	assert_true(fs_set_write(s, "a.pdf", "new", 3, &d));
	assert_true(fs_set_write(s, "b.pdf", "new", 3, &d));
	assert_false(fs_set_commit(s, &d));
	assert_string_equal(d.problems[0].id, "output-write");
	assert_false(fs_exists(fs_join(a, dir, "a.pdf")));
	rmdir(fs_join(a, dir, "b.pdf"));
	assert_int_equal(rmdir(dir), 0);
}

/* A stage left by a killed run goes; one that is in use stays. */
static void
stale_stages_are_removed(void **state)
{
	char *dir = scratch();
	struct diag d;
	struct fs_set *s, *other;
	FILE *f;

	(void)state;
	diag_init(&d, a);
	mkdir(fs_join(a, dir, ".whygpu-dead"), 0777);
	mkdir(fs_join(a, dir, ".whygpu-dead/charts"), 0777);
	f = fopen(fs_join(a, dir, ".whygpu-dead/charts/x.svg"), "w");
	fclose(f);
	s = fs_set_begin(a, dir, &d);
	assert_false(fs_exists(fs_join(a, dir, ".whygpu-dead")));
	assert_true(fs_set_write(s, "a", "1", 1, &d));
	other = fs_set_begin(a, dir, &d);
	fs_set_abort(other);
	assert_true(fs_set_commit(s, &d));
	assert_true(holds(dir, "a", "1"));
	unlink(fs_join(a, dir, "a"));
	assert_int_equal(rmdir(dir), 0);
}

static unsigned long long
put_file(const char *dir, const char *name, const char *text)
{
	const char *path = fs_join(a, dir, name);
	FILE *f = fopen(path, "w");
	struct stat st;

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

/*
 * Killed between two renames: `a` is the new one already and the old one lies
 * in the stage, `b` is still to come.  With the whole journal the move is
 * finished, without its last line nothing was moved yet.
 */
static void
a_killed_commit_is_finished(void **state)
{
	for (int whole = 0; whole < 2; whole++) {
		char *dir = scratch(), *stage = fs_join(a, dir, ".whygpu-dead");
		unsigned long long new_a, new_b;
		struct diag d;

		diag_init(&d, a);
		mkdir(stage, 0777);
		put_file(stage, "a", "old a");
		new_b = put_file(stage, "b", "new b");
		new_a = put_file(dir, "a", "new a");
		put_file(dir, "b", "old b");
		put_file(stage, ".commit",
		    arena_printf(a, "%llu a\n%llu b\n%llu ../c\n%s", new_a,
			new_b, new_b, whole ? "end\n" : ""));
		fs_set_abort(fs_set_begin(a, dir, &d));
		assert_true(holds(dir, "a", "new a"));
		assert_true(holds(dir, "b", whole ? "new b" : "old b"));
		assert_false(fs_exists(stage));
		unlink(fs_join(a, dir, "a"));
		unlink(fs_join(a, dir, "b"));
		assert_int_equal(rmdir(dir), 0);
	}
	(void)state;
}

/* What ends by a signal or by exit() leaves no stage behind. */
static void
the_end_of_the_program_removes_the_stage(void **state)
{
	static const int ends[] = {0, SIGTERM, SIGINT, SIGABRT};

	(void)state;
	for (int i = 0; i < 4; i++) {
		char *dir = scratch();
		struct diag d;
		int status;
		pid_t pid;

		fflush(NULL); /* nothing is printed twice */
		pid = fork();
		diag_init(&d, a);
		if (pid == 0) {
			struct fs_set *s;

			close(STDERR_FILENO);
			s = fs_set_begin(a, dir, &d);
			fs_set_write(s, "charts/x", "1", 1, &d);
			if (ends[i])
				raise(ends[i]);
			exit(3);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (ends[i] == SIGTERM || ends[i] == SIGINT)
			assert_true(
			    WIFSIGNALED(status) && WTERMSIG(status) == ends[i]);
		else
			assert_true(WIFEXITED(status) &&
				    WEXITSTATUS(status) == (i ? 70 : 3));
		assert_int_equal(rmdir(dir), 0);
	}
}

static void
a_folder_made_for_nothing_goes(void **state)
{
	char *dir = scratch(), *sub = fs_join(a, dir, "new");
	struct diag d;
	struct fs_set *s;

	(void)state;
	diag_init(&d, a);
	s = fs_set_begin(a, sub, &d);
	assert_true(fs_set_write(s, "r.xml", "x", 1, &d));
	fs_set_abort(s);
	assert_false(fs_exists(sub));
	s = fs_set_begin(a, dir, &d); /* this one was there before */
	fs_set_abort(s);
	assert_int_equal(rmdir(dir), 0);
}

static void
an_output_folder_that_cannot_be(void **state)
{
	struct diag d;

	(void)state;
	diag_init(&d, a);
	assert_null(fs_set_begin(a, "/dev/null/x", &d));
	assert_string_equal(d.problems[0].id, "output-folder");
}

static void
paths_are_seen_from_the_file(void **state)
{
	(void)state;
	assert_string_equal(fs_beside(a, "p/project.yaml", "v/s1.yaml"),
	    "p/v/s1.yaml");
	assert_string_equal(fs_beside(a, "project.yaml", "v.yaml"), "v.yaml");
	assert_string_equal(fs_beside(a, "p/project.yaml", "/abs"), "/abs");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static void
reads_are_noted_once(void **state)
{
	struct fs_reads list = {.a = a};
	struct diag d;
	int n;

	(void)state;
	diag_init(&d, a);
	fs_read(a, "Makefile", 1 << 20, (struct pos){0}, &d);
	fs_watch(&list);
	fs_read(a, "README.md", 1 << 20, (struct pos){0}, &d);
	fs_read(a, "nothing here", 1 << 20, (struct pos){0}, &d);
	fs_list(a, "catalog/gpus", ".xml", &n);
	fs_note("font.otf");
	fs_read(a, "README.md", 1 << 20, (struct pos){0}, &d);
	fs_watch(NULL);
	fs_read(a, "src/main.c", 1 << 20, (struct pos){0}, &d);
	fs_note("other.otf");
	assert_int_equal(list.n, 3);
	assert_string_equal(list.paths[0], "README.md");
	assert_string_equal(list.paths[1], "catalog/gpus");
	assert_string_equal(list.paths[2], "font.otf");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    T(arena_is_zero_and_aligned),
	    T(push_keeps_what_was_there),
	    T(cleanups_run_newest_first),
	    T(utf8_refuses_bad_sequences),
	    T(utf8_counts_columns),
	    T(xml_is_escaped),
	    T(nearest_word_is_found),
	    T(units_are_read),
	    T(a_mac_is_two_flop),
	    T(full_width_numbers_are_read),
	    T(bad_numbers_say_why),
	    T(long_numbers_are_safe),
	    T(numbers_are_printed_without_surprise),
	    T(significant_digits),
	    T(exact_numbers_read_back),
	    T(positions_count_characters),
	    T(the_caret_stands_under_the_fault),
	    T(a_zero_byte_in_the_line),
	    T(too_many_problems_are_counted),
	    T(files_read_with_limits),
	    T(a_set_appears_together_or_not),
	    T(something_in_the_way_changes_nothing),
	    T(stale_stages_are_removed),
	    T(a_killed_commit_is_finished),
	    T(the_end_of_the_program_removes_the_stage),
	    T(a_folder_made_for_nothing_goes),
	    T(an_output_folder_that_cannot_be),
	    T(paths_are_seen_from_the_file),
	    T(reads_are_noted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
