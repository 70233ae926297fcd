/* data/results.h: the tree, its paths and its XML */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/results.h"

static struct arena *a;

static int
open_arena(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int
close_arena(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct node *
sample(void)
{
	struct node *root = node_root(a);
	struct node *list = node_list(a, root, "vendors"), *v;

	for (int i = 0; i < 3; i++) {
		v = node_item(a, list);
		node_text(a, v, "id", i == 0 ? "S1" : i == 1 ? "S2" : "S3");
		node_number(a, v, "count", 4 * (i + 1), UNIT_COUNT);
	}
	v = node_group(a, node_group(a, root, "plan"), "single");
	node_flag(a, v, "possible", false);
	return root;
}

static const char *
xml(const struct node *n)
{
	struct str s;

	str_init(&s, a);
	node_xml(n, &s);
	return s.s;
}

static void
test_path(void **state)
{
	const struct node *r = sample();

	(void)state;
	assert_string_equal(node_string(r, "vendors.1.id", ""), "S2");
	assert_true(node_value(r, "vendors.2.count", -1) == 12);
	assert_non_null(node_find(r, "plan.single.possible"));
	assert_int_equal(node_find(r, "vendors")->n, 3);
}

static void
test_path_from_item(void **state)
{
	const struct node *r = sample();
	const struct node *v = node_find(r, "vendors.0");

	(void)state;
	assert_ptr_equal(v->parent, node_find(r, "vendors"));
	assert_string_equal(node_string(v, "id", ""), "S1");
}

/* No such child, no such index, an index into a group, a name in a list,
 * empty steps, a step too far: all NULL, none crashes. */
static void
test_path_missing(void **state)
{
	static const char *const paths[] = {"", ".", "plans", "vendors.3",
	    "vendors.-1", "vendors.00000000000001", "vendors.id",
	    "vendors.0.id.x", "plan..single", "plan.", ".plan", "plan.0",
	    "vendor", "vendorsx", "vendors.99999999999999999999"};
	const struct node *r = sample();

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		assert_null(node_find(r, paths[i]));
	assert_null(node_find(NULL, "a"));
}

static void
test_defaults(void **state)
{
	const struct node *r = sample();

	(void)state;
	assert_true(node_value(r, "vendors.0.price", 7) == 7);
	assert_string_equal(node_string(r, "nothing", "none"), "none");
	/* A text is no number and a number no text. */
	assert_true(node_value(r, "vendors.0.id", -1) == -1);
	assert_string_equal(node_string(r, "vendors.0.count", "-"), "-");
}

static void
test_unknown_adds_nothing(void **state)
{
	struct node *r = node_root(a);

	(void)state;
	assert_null(node_fact(a, r, "x", (struct fact){0}, UNIT_BYTE));
	assert_null(node_text(a, r, "y", NULL));
	assert_null(node_text2(a, r, "z", NULL, "english"));
	assert_int_equal(r->n, 0);
	assert_null(r->first);
}

static void
test_fact_keeps_source(void **state)
{
	struct node *r = node_root(a);
	struct node *n = node_fact(a, r, "power",
	    fact_of(70, SURE_ONE, "nv-t4-ds"), UNIT_WATT);

	(void)state;
	assert_string_equal(n->src, "nv-t4-ds");
	assert_non_null(strstr(xml(r), "unit=\"W\" src=\"nv-t4-ds\""));
}

/* A plain number has no band; one with a tier, or with a band, shows it. */
static void
test_band_only_when_there_is_one(void **state)
{
	struct node *r = node_root(a);
	struct node *n;

	(void)state;
	node_number(a, r, "plain", 3, UNIT_COUNT);
	assert_null(strstr(xml(r), "low="));
	n = node_number(a, r, "banded", 3, UNIT_COUNT);
	n->low = 2;
	assert_non_null(strstr(xml(r), "low=\"2\" high=\"3\""));
	node_estimate(a, r, "guess", (struct estimate){5, 5, 5, TIER_TOTALS},
	    UNIT_SECOND);
	assert_non_null(strstr(xml(r), "low=\"5\" high=\"5\" tier=\""));
}

static void
test_escapes(void **state)
{
	struct node *r = node_root(a);
	const char *x;

	(void)state;
	node_text2(a, r, "name", "A<B & \"C\"", "a>b");
	x = xml(r);
	assert_non_null(strstr(x, "A&lt;B &amp; &quot;C&quot;"));
	assert_non_null(strstr(x, "en=\"a&gt;b\""));
	assert_null(strstr(x, "A<B"));
}

static void
test_text_is_copied(void **state)
{
	char word[] = "first";
	struct node *r = node_root(a);

	(void)state;
	node_text(a, r, "x", word);
	word[0] = 'F';
	assert_string_equal(node_string(r, "x", ""), "first");
}

static void
test_order_is_kept(void **state)
{
	struct node *r = node_root(a);
	const struct node *n;

	(void)state;
	node_flag(a, r, "c", true);
	node_flag(a, r, "a", false);
	node_flag(a, r, "b", true);
	n = r->first;
	assert_string_equal(n->name, "c");
	assert_string_equal(n->next->name, "a");
	assert_ptr_equal(n->next->next, r->last);
}

static void
test_xml_whole(void **state)
{
	struct node *r = node_root(a), *list;

	(void)state;
	list = node_list(a, r, "pools");
	node_text(a, node_item(a, list), "gpu", "nvidia-t4");
	node_flag(a, r, "share", true);
	node_list(a, r, "empty");
	assert_string_equal(xml(r),
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<results>\n"
	    "  <list name=\"pools\">\n"
	    "    <item>\n"
	    "      <text name=\"gpu\" value=\"nvidia-t4\"/>\n"
	    "    </item>\n"
	    "  </list>\n"
	    "  <flag name=\"share\" value=\"yes\"/>\n"
	    "  <list name=\"empty\"/>\n"
	    "</results>\n");
}

static void
test_xml_is_stable(void **state)
{
	const char *one = xml(sample());

	(void)state;
	assert_string_equal(one, xml(sample()));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_path),
	    cmocka_unit_test(test_path_from_item),
	    cmocka_unit_test(test_path_missing),
	    cmocka_unit_test(test_defaults),
	    cmocka_unit_test(test_unknown_adds_nothing),
	    cmocka_unit_test(test_fact_keeps_source),
	    cmocka_unit_test(test_band_only_when_there_is_one),
	    cmocka_unit_test(test_escapes),
	    cmocka_unit_test(test_text_is_copied),
	    cmocka_unit_test(test_order_is_kept),
	    cmocka_unit_test(test_xml_whole),
	    cmocka_unit_test(test_xml_is_stable),
	};

	return cmocka_run_group_tests(tests, open_arena, close_arena);
}
