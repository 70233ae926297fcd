/* input/setting_in.c: values set from outside the files; what_if */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/needs_dump.h"
#include "input/input.h"

static const char sample[] = "catalog/examples/project.yaml";

static struct arena *a;
static struct catalog *cat;
static struct diag d;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	diag_init(&d, a);
	cat = catalog_read(a, "catalog", &d);
	return !cat || d.n_errors;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* The sample with one setting, "path=value" or "path" to leave out. */
static struct project *
with(const char *text)
{
	struct source *src = arena_alloc(a, 1, sizeof(*src));
	struct setting *set = arena_alloc(a, 1, sizeof(*set));
	const char *equals = strchr(text, '=');

	diag_init(&d, a);
	*src = (struct source){"--set", text, strlen(text)};
	*set = (struct setting){.path = equals ? arena_strndup(a, text,
						     (size_t)(equals - text))
					       : text,
	    .value = equals ? equals + 1 : NULL,
	    .pos = {src, 1, 1}};
	return project_read_set(a, sample, set, 1, cat, &d);
}

static struct project *
fine(const char *text)
{
	struct project *p = with(text);

	if (!p || d.n_errors)
		fail_msg("%s: %s", text, d.n ? d.problems[0].text : "nothing");
	return p;
}

static const struct vendor *
vendor(const struct project *p, const char *id)
{
	for (int i = 0; i < p->n_vendors; i++)
		if (strcmp(p->vendors[i].id, id) == 0)
			return &p->vendors[i];
	return NULL;
}

static void
values_are_set(void **state)
{
	(void)state;
	assert_int_equal(vendor(fine("vendors.S1.streams.0.count=128"), "S1")
			     ->streams[0]
			     .count,
	    128);
	assert_int_equal(vendor(fine("vendors.s1.streams.进出口.count=1,000"),
			     "S1")
			     ->streams[0]
			     .count,
	    1000);
	assert_int_equal(vendor(fine("vendors.S1.runtime.precision=int8"), "S1")
			     ->runtime.precision,
	    PREC_INT8);
	/* a key the file does not have, in a map it does not have */
	assert_true(
	    vendor(fine("vendors.S4.requires.ecc=yes"), "S4")->needs_ecc);
	assert_false(fine("policy.share=separate")->policy.share);
	assert_true(fine("site.servers.slots=8")->site.slots.value == 8);
	assert_true(fine("site.prices.Tesla T4=8500 CNY")->n_prices == 1);
	assert_string_equal(fine("project.edition=2")->settings[0].path,
	    "project.edition");
}

static void
values_are_multiplied(void **state)
{
	const struct project *p;

	(void)state;
	assert_int_equal(vendor(fine("vendors.S3.streams.*.count=x2"), "S3")
			     ->streams[1]
			     .count,
	    16);
	p = fine("vendors.S1.streams.0.analysed_fps=×0.5");
	assert_true(vendor(p, "S1")->streams[0].analysed_per_s == 6.25);
	with("vendors.S1.runtime.batch=x2"); /* auto */
	assert_string_equal(d.problems[0].id, "setting-factor");
	with("vendors.S1.load_limit=x2"); /* not written */
	assert_string_equal(d.problems[0].id, "setting-path");
}

static void
all_are_meant(void **state)
{
	const struct project *p = fine("vendors.*.runtime.batch=1");

	(void)state;
	for (int i = 0; i < p->n_vendors; i++)
		assert_int_equal(p->vendors[i].runtime.batch, 1);
}

static void
keys_are_left_out(void **state)
{
	const struct project *p = fine("vendors.S2");

	(void)state;
	assert_null(vendor(p, "S2"));
	assert_int_equal(p->n_vendors, 6);
	p = fine("vendors.S1.runtime.cuda");
	assert_false(vendor(p, "S1")->runtime.cuda.known);
	p = with("vendors.S3.streams.1");
	assert_int_equal(d.n_errors, 1); /* a stage names the stream */
	assert_non_null(p);
}

static void
nothing_set_changes_nothing(void **state)
{
	struct project *p = project_read(a, sample, cat, &d);
	struct project *q = fine("vendors.S1.streams.0.count=64");
	struct str x, y;

	(void)state;
	str_init(&x, a);
	str_init(&y, a);
	needs_dump(p, &x);
	needs_dump(q, &y);
	assert_string_equal(x.s, y.s);
}

static const struct {
	const char *text, *id, *note;
} wrong[] = {
    {"vendors.S9.streams.0.count=4", "setting-path", "there are: S1, S2"},
    {"vendors.S1=4", "setting-path", NULL},
    {"vendors.S1.streams.0.cuont=4", "yaml-unknown", "did you mean 'count'?"},
    {"vendors.S1.streams.9.count=4", "setting-path", "items: 1"},
    {"vendors.S1.streams.大门.count=4", "setting-path", "items: 1"},
    {"vendors.S1.streams=4", "setting-path", "items: 1"},
    {"vendors.S1.runtime=4", "setting-path", "keys here: "},
    {"vendors.S1.runtime.cudda", "setting-path", "did you mean 'cuda'?"},
    {"vendors.S1.deadline.p95.x=4", "setting-path", NULL},
    {"vendors.S1.streams.0.count=many", "yaml-number", NULL},
    {"vendors.S1.streams.0.count=0", "needs-range", NULL},
    {"vendors.S1.vendor.id", "yaml-missing", NULL},
    {"polisy.share=allowed", "yaml-unknown", "did you mean 'policy'?"},
    {"policy.share=maybe", "yaml-choice", "one of allowed"},
    {"policy.spare_per_pool.x=4", "setting-path", NULL},
    {"what_if.0.name=x", "setting-path", NULL},
    {"vendors.*", "setting-path", NULL},
    {"vendors=none", "setting-path", NULL},
    {"=4", "yaml-unknown", NULL},
    {"policy..share=allowed", "yaml-unknown", NULL},
};

static void
mistakes_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		bool seen = false, noted = !wrong[i].note;

		with(wrong[i].text);
		for (int k = 0; k < d.n; k++) {
			const struct problem *p = &d.problems[k];

			if (p->severity != SEV_ERROR ||
			    strcmp(p->id, wrong[i].id) != 0)
				continue;
			seen = true;
			noted |= wrong[i].note && p->note &&
				 strstr(p->note, wrong[i].note);
			/* a missing key stands where it is missing */
			if (strcmp(p->id, "yaml-missing") != 0)
				assert_string_equal(p->pos.src->path, "--set");
		}
		if (!seen || !noted)
			fail_msg("%s: no %s%s%s", wrong[i].text, wrong[i].id,
			    seen ? " with the note " : "",
			    seen ? wrong[i].note : "");
	}
}

static void
what_ifs_are_read(void **state)
{
	const struct project *p;

	(void)state;
	diag_init(&d, a);
	p = project_read(a, sample, cat, &d);
	assert_int_equal(p->n_what_ifs, 4);
	assert_int_equal(p->what_ifs[0].n_set, 1);
	assert_string_equal(p->what_ifs[0].set[0].path,
	    "vendors.S1.streams.0.count");
	assert_string_equal(p->what_ifs[0].set[0].value, "x2");
	assert_null(p->what_ifs[1].set[0].value);
	assert_true(p->what_ifs[0].set[0].pos.line > 1);
	assert_non_null(p->what_ifs[3].name_en);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_set),
	    cmocka_unit_test(values_are_multiplied),
	    cmocka_unit_test(all_are_meant),
	    cmocka_unit_test(keys_are_left_out),
	    cmocka_unit_test(nothing_set_changes_nothing),
	    cmocka_unit_test(mistakes_are_named),
	    cmocka_unit_test(what_ifs_are_read),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
