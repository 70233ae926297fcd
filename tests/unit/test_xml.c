/* The XML reader: tree, text, positions, limits, repairs, access. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/xml_in.h"

struct doc {
	struct arena *a;
	struct diag d;
	struct source src;
	struct xml_el *root;
};

static struct doc
parse(const char *text, size_t len, bool lenient)
{
	struct doc doc = {.a = arena_new()};
	struct source *src = arena_alloc(doc.a, 1, sizeof(*src));

	diag_init(&doc.d, doc.a);
	*src = (struct source){"t.xml", text, len};
	doc.root = xml_parse(doc.a, src, lenient, &doc.d);
	doc.src = *src;
	return doc;
}

static struct doc
parse_text(const char *text)
{
	return parse(text, strlen(text), false);
}

static void
check_pos(struct pos pos, int line, int col)
{
	assert_int_equal(pos.line, line);
	assert_int_equal(pos.col, col);
}

static void
check_error(const struct doc *doc, const char *id, int line, int col)
{
	assert_null(doc->root);
	assert_int_equal(doc->d.n_errors, 1);
	assert_string_equal(doc->d.problems[0].id, id);
	check_pos(doc->d.problems[0].pos, line, col);
}

static void
mixed_content_is_kept(void **state)
{
	struct doc doc = parse_text("<say>one <b>two</b> three "
				    "<i/>four</say>");
	struct xml_el *b = xml_child(doc.root, "b");

	(void)state;
	assert_string_equal(doc.root->lead, "one ");
	assert_string_equal(doc.root->text, "one  three four");
	assert_string_equal(b->text, "two");
	assert_string_equal(b->tail, " three ");
	assert_string_equal(b->next->tail, "four");
	assert_string_equal(b->next->text, "");
	arena_free(doc.a);
}

static void
comments_do_not_split_text(void **state)
{
	struct doc doc = parse_text("<a>x<!-- no -->y<![CDATA[<z>]]></a>");

	(void)state;
	assert_string_equal(doc.root->text, "xy<z>");
	arena_free(doc.a);
}

static void
references_become_characters(void **state)
{
	struct doc doc = parse_text("<a v='&lt;&#20013;'>&amp;&#x4E2D;</a>");

	(void)state;
	assert_string_equal(doc.root->text, "&\u4E2D");
	assert_string_equal(xml_attr(doc.root, "v"), "<\u4E2D");
	arena_free(doc.a);
}

static void
elements_know_where_they_start(void **state)
{
	struct doc doc = parse_text("<?xml version='1.0'?>\n<a>\n"
				    "  中<b\n  x='1'/>\n</a>");

	(void)state;
	check_pos(xml_pos(doc.root), 2, 1);
	check_pos(xml_pos(xml_child(doc.root, "b")), 3, 4);
	arena_free(doc.a);
}

static void
attributes_know_where_they_stand(void **state)
{
	/* a '>' and the other quote inside values, white space around '=' */
	struct doc doc = parse_text("<a one='a>b\"c' 二 = \"x\"\n"
				    "  three='y'/>");

	(void)state;
	check_pos(xml_attr_pos(doc.root, "one"), 1, 9);
	check_pos(xml_attr_pos(doc.root, "二"), 1, 21);
	check_pos(xml_attr_pos(doc.root, "three"), 2, 10);
	/* a missing one points at its element */
	check_pos(xml_attr_pos(doc.root, "four"), 1, 1);
	arena_free(doc.a);
}

static void
prefixes_are_kept(void **state)
{
	struct doc doc = parse_text("<x:a xmlns:x='u' x:b='1'/>");

	(void)state;
	assert_string_equal(doc.root->name, "x:a");
	assert_string_equal(xml_attr(doc.root, "x:b"), "1");
	assert_string_equal(xml_attr(doc.root, "xmlns:x"), "u");
	arena_free(doc.a);
}

static void
a_bare_doctype_is_let_through(void **state)
{
	struct doc doc = parse_text("<!DOCTYPE a><a/>");

	(void)state;
	assert_non_null(doc.root);
	assert_int_equal(doc.d.n, 0);
	arena_free(doc.a);
}

static void
a_strict_file_names_no_dtd(void **state)
{
	struct doc doc = parse_text("\n<!DOCTYPE a SYSTEM 'a.dtd'><a/>");

	(void)state;
	check_error(&doc, "xml-doctype", 2, 1);
	arena_free(doc.a);
}

static void
a_lenient_file_may_name_a_dtd_that_nobody_reads(void **state)
{
	const char *text = "<!DOCTYPE a SYSTEM '/nonexistent.dtd'><a>x</a>";
	struct doc doc = parse(text, strlen(text), true);

	(void)state;
	assert_string_equal(doc.root->text, "x");
	assert_int_equal(doc.d.n, 0);
	arena_free(doc.a);
}

static void
an_undeclared_entity_is_named(void **state)
{
	const char *text = "<!DOCTYPE a SYSTEM 'x'>\n<a>&foo;</a>";
	struct doc doc = parse(text, strlen(text), true);

	(void)state;
	check_error(&doc, "xml-entity", 2, 4);
	arena_free(doc.a);
}

static void
depth_is_bounded(void **state)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;

	(void)state;
	str_init(&b, a);
	for (int i = 0; i < XML_MAX_DEPTH + 1; i++)
		str_add(&b, "<a>");
	doc = parse(b.s, b.len, false);
	/* 64 elements of three characters stand before the one too many */
	check_error(&doc, "xml-limit", 1, 3 * XML_MAX_DEPTH + 1);
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
	for (int i = 0; i < XML_MAX_DEPTH; i++)
		str_add(&b, "<a>");
	for (int i = 0; i < XML_MAX_DEPTH; i++)
		str_add(&b, "</a>");
	doc = parse(b.s, b.len, false);
	assert_non_null(doc.root);
	arena_free(doc.a);
	arena_free(a);
}

static double
seconds_to_refuse(const char *piece, int times, const char *id)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;
	clock_t start;
	double s;

	str_init(&b, a);
	str_add(&b, "<a>");
	for (int i = 0; i < times; i++)
		str_add(&b, piece);
	start = clock();
	doc = parse(b.s, b.len, false);
	s = (double)(clock() - start) / CLOCKS_PER_SEC;
	assert_null(doc.root);
	assert_string_equal(doc.d.problems[0].id, id);
	arena_free(doc.a);
	arena_free(a);
	return s;
}

static void
hostile_files_are_refused_quickly(void **state)
{
	(void)state;
	assert_true(seconds_to_refuse("<a>", 500000, "xml-limit") < 2);
	assert_true(seconds_to_refuse("<b/>", 500000, "xml-limit") < 4);
	assert_true(seconds_to_refuse("<", 2000000, "xml-syntax") < 2);
	assert_true(seconds_to_refuse("x", 9000000, "xml-limit") < 2);
}

static void
attributes_are_counted_before_they_are_compared(void **state)
{
	struct arena *a = arena_new();
	struct str b;
	struct doc doc;
	clock_t start = clock();

	(void)state;
	str_init(&b, a);
	str_add(&b, "<a");
	for (int i = 0; i < 300000; i++)
		str_addf(&b, " a%d=''", i);
	str_add(&b, "/>");
	doc = parse(b.s, b.len, false);
	check_error(&doc, "xml-limit", 1, 1);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 3);
	arena_free(doc.a);
	arena_free(a);
}

static void
a_zero_byte_is_no_text(void **state)
{
	struct doc doc = parse("<a>\0</a>", 8, false);

	(void)state;
	check_error(&doc, "xml-syntax", 1, 4);
	arena_free(doc.a);
}

static void
utf16_is_read_when_lenient(void **state)
{
	static const char text[] = "\xFF\xFE<\0a\0>\0-N<\0/\0a\0>\0";
	struct doc doc = parse(text, sizeof(text) - 1, true);

	(void)state;
	assert_non_null(doc.root);
	assert_string_equal(doc.root->text, "\u4E2D");
	arena_free(doc.a);
}

static void
gbk_is_read_when_lenient(void **state)
{
	static const char text[] = "<a>\xB3\xA7\xBC\xD2</a>"; /* 厂家 */
	struct doc doc = parse(text, sizeof(text) - 1, true);

	(void)state;
	assert_string_equal(doc.root->text, "厂家");
	assert_int_equal(doc.d.n, 1);
	assert_string_equal(doc.d.problems[0].id, "xml-repaired");
	assert_int_equal(doc.d.n_errors, 0);
	arena_free(doc.a);
}

static void
broken_bytes_are_replaced_when_lenient(void **state)
{
	static const char text[] = "<a>x\xFFy</a>";
	struct doc doc = parse(text, sizeof(text) - 1, true);

	(void)state;
	assert_string_equal(doc.root->text, "x\uFFFDy");
	check_pos(doc.d.problems[0].pos, 1, 5);
	arena_free(doc.a);
}

static void
needed_attributes_are_asked_for(void **state)
{
	struct doc doc = parse_text("<a b=''/>");

	(void)state;
	assert_null(xml_need(doc.root, "b", &doc.d));
	assert_null(xml_need(doc.root, "c", &doc.d));
	assert_int_equal(doc.d.n_errors, 2);
	check_pos(doc.d.problems[0].pos, 1, 7);
	check_pos(doc.d.problems[1].pos, 1, 1);
	arena_free(doc.a);
}

static void
numbers_come_with_units(void **state)
{
	struct doc doc = parse_text("<a m='16 GiB' w='70'/>");
	double v = 0;
	bool found = true;

	(void)state;
	assert_true(
	    xml_number(doc.a, doc.root, "m", UNIT_BYTE, &v, NULL, &doc.d));
	assert_true(v == 16.0 * 1024 * 1024 * 1024);
	assert_true(
	    xml_number(doc.a, doc.root, "none", UNIT_BYTE, &v, &found, &doc.d));
	assert_false(found);
	assert_false(
	    xml_number(doc.a, doc.root, "w", UNIT_WATT, &v, &found, &doc.d));
	assert_string_equal(doc.d.problems[0].id, "xml-number");
	assert_non_null(strstr(doc.d.problems[0].note, "kW"));
	arena_free(doc.a);
}

static void
unknown_names_come_with_the_nearest(void **state)
{
	struct doc doc = parse_text("<gpu nmae='x'>\n <memry/>\n</gpu>");

	(void)state;
	assert_null(xml_attr(doc.root, "name"));
	assert_null(xml_child(doc.root, "memory"));
	assert_false(xml_end(doc.root, &doc.d));
	assert_int_equal(doc.d.n_errors, 2);
	assert_non_null(strstr(doc.d.problems[0].note, "'name'"));
	check_pos(doc.d.problems[0].pos, 1, 6);
	assert_non_null(strstr(doc.d.problems[1].note, "'memory'"));
	check_pos(doc.d.problems[1].pos, 2, 2);
	arena_free(doc.a);
}

static void
asked_for_means_known(void **state)
{
	struct doc doc = parse_text("<a x='1'><b/><c/><b/></a>");

	(void)state;
	xml_attr(doc.root, "x");
	for (struct xml_el *b = xml_child(doc.root, "b"); b;
	     b = xml_next(b, "b"))
		;
	assert_int_equal(xml_count(doc.root, "b"), 2);
	assert_int_equal(xml_count(doc.root, NULL), 3);
	assert_false(xml_end(doc.root, &doc.d)); /* c */
	assert_int_equal(doc.d.n_errors, 1);
	xml_child(doc.root, "c");
	assert_true(xml_end(doc.root, &doc.d));
	arena_free(doc.a);
}

static void
child_text_is_trimmed(void **state)
{
	struct doc doc = parse_text("<a><b>\n  x y\t</b></a>");

	(void)state;
	assert_string_equal(xml_child_text(doc.a, doc.root, "b"), "x y");
	assert_null(xml_child_text(doc.a, doc.root, "c"));
	arena_free(doc.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(mixed_content_is_kept),
	    cmocka_unit_test(comments_do_not_split_text),
	    cmocka_unit_test(references_become_characters),
	    cmocka_unit_test(elements_know_where_they_start),
	    cmocka_unit_test(attributes_know_where_they_stand),
	    cmocka_unit_test(prefixes_are_kept),
	    cmocka_unit_test(a_bare_doctype_is_let_through),
	    cmocka_unit_test(a_strict_file_names_no_dtd),
	    cmocka_unit_test(a_lenient_file_may_name_a_dtd_that_nobody_reads),
	    cmocka_unit_test(an_undeclared_entity_is_named),
	    cmocka_unit_test(depth_is_bounded),
	    cmocka_unit_test(depth_at_the_limit_is_fine),
	    cmocka_unit_test(hostile_files_are_refused_quickly),
	    cmocka_unit_test(attributes_are_counted_before_they_are_compared),
	    cmocka_unit_test(a_zero_byte_is_no_text),
	    cmocka_unit_test(utf16_is_read_when_lenient),
	    cmocka_unit_test(gbk_is_read_when_lenient),
	    cmocka_unit_test(broken_bytes_are_replaced_when_lenient),
	    cmocka_unit_test(needed_attributes_are_asked_for),
	    cmocka_unit_test(numbers_come_with_units),
	    cmocka_unit_test(unknown_names_come_with_the_nearest),
	    cmocka_unit_test(asked_for_means_known),
	    cmocka_unit_test(child_text_is_trimmed),
	};

	return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
