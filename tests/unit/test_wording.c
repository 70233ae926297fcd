/* The shipped templates: both languages say the same things; `make lint`
 * runs this too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "tmpl/tmpl.h"

static struct arena *a;
static struct template *zh, *en;
static struct diag d;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	zh = template_read(a, "templates", "zh-CN", &d);
	en = template_read(a, "templates", "en", &d);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	diag_print(&d, stderr);
	arena_free(a);
	return 0;
}

static void
templates_have_no_errors(void **state)
{
	(void)state;
	assert_non_null(zh);
	assert_non_null(en);
	assert_int_equal(d.n_errors, 0);
}

static void
languages_have_the_same_ids_and_holes(void **state)
{
	(void)state;
	assert_true(template_parity(zh, en, &d));
}

static void
no_sentence_is_unused(void **state)
{
	(void)state;
	assert_true(template_unused(zh, &d));
	assert_true(template_unused(en, &d));
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    T(templates_have_no_errors),
	    T(languages_have_the_same_ids_and_holes),
	    T(no_sentence_is_unused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
