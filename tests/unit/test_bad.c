/*
 * Bad input: each file of tests/cases/bad is read by the reader its .expect
 * file names in the first line, and what diag_print writes must be the rest
 * of that file.  `GOLDEN=1 test_bad` writes the .expect files anew.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/input.h"
#include "input/vendor_in.h"
#include "parse/xml_in.h"
#include "parse/yaml_in.h"

#define DIR "tests/cases/bad"

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

static void
read_yaml(struct arena *a, const char *path, struct diag *d)
{
	struct source *src =
	    fs_read(a, path, YAML_MAX_BYTES, (struct pos){0}, d);

	yaml_parse(a, src, d);
}

static void
read_xml(struct arena *a, const char *path, struct diag *d)
{
	xml_parse(a, fs_read(a, path, XML_MAX_BYTES, (struct pos){0}, d), false,
	    d);
}

static void
read_vendor(struct arena *a, const char *path, struct diag *d)
{
	const struct form f = {.a = a, .c = catalog, .d = d};
	struct vendor v;

	vendor_read(&f, fs_read(a, path, YAML_MAX_BYTES, (struct pos){0}, d),
	    &v);
}

static void
read_project(struct arena *a, const char *path, struct diag *d)
{
	project_read(a, path, catalog, d);
}

static void
read_inventory(struct arena *a, const char *path, struct diag *d)
{
	struct inventory inv;

	inventory_read(a, path, catalog, &inv, (struct pos){0}, d);
}

static const struct {
	const char *name, *suffix;
	void (*read)(struct arena *a, const char *path, struct diag *d);
} readers[] = {
    {"yaml", ".yaml", read_yaml},
    {"vendor", ".yaml", read_vendor},
    {"project", ".yaml", read_project},
    {"xml", ".xml", read_xml},
    {"inventory", ".xml", read_inventory},
};

/* The reader named by "# reader: NAME", and where the rest begins. */
static int
reader_of(const char *expect, const char **rest)
{
	static const char head[] = "# reader: ";
	size_t n;

	assert_int_equal(strncmp(expect, head, strlen(head)), 0);
	expect += strlen(head);
	n = strcspn(expect, "\n");
	*rest = expect + n + 1;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (strlen(readers[i].name) == n &&
		    strncmp(readers[i].name, expect, n) == 0)
			return (int)i;
	fail_msg("unknown reader in '%s'", expect);
	return -1;
}

static char *
printed(struct arena *a, const struct diag *d)
{
	char *text = NULL, *copy;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	diag_print(d, f);
	fclose(f);
	copy = arena_strndup(a, text, n);
	free(text);
	return copy;
}

static void
write_expect(const char *path, int reader, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f, "# reader: %s\n%s", readers[reader].name, text);
	fclose(f);
}

/* *state is the name of the .expect file. */
static void
check_case(void **state)
{
	const char *name = *state, *rest, *got;
	struct arena *a = arena_new();
	struct diag d;
	char *expect_path = fs_join(a, DIR, name);
	struct source *expect;
	int i;

	diag_init(&d, a);
	expect = fs_read(a, expect_path, 1 << 20, (struct pos){0}, &d);
	assert_non_null(expect);
	i = reader_of(expect->text, &rest);
	readers[i].read(a,
	    arena_printf(a, DIR "/%.*s%s",
		(int)strlen(name) - (int)strlen(".expect"), name,
		readers[i].suffix),
	    &d);
	got = printed(a, &d);
	if (getenv("GOLDEN"))
		write_expect(expect_path, i, got);
	else
		assert_string_equal(got, rest);
	arena_free(a);
}

int
main(void)
{
	struct arena *a = arena_new();
	int n, rc;
	char **names = fs_list(a, DIR, ".expect", &n);
	struct CMUnitTest *tests =
	    arena_alloc(a, (size_t)n + 1, sizeof(*tests));

	for (int i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){.name = names[i],
		    .test_func = check_case,
		    .initial_state = names[i]};
	if (n == 0) {
		fputs("no case in " DIR "\n", stderr);
		return 1;
	}
	rc = _cmocka_run_group_tests("bad input", tests, (size_t)n,
	    read_catalog, free_catalog);
	arena_free(a);
	return rc;
}
