/* content streams and XMP packets, read and written */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "render/content.h"
#include "render/xmp.h"

static struct arena *a;

/* Tokens as "n:12 name:/F ..." */
static char *
tokens(const char *s, size_t len)
{
	static const char *const kinds[] = {"n", "name", "s", "open", "close",
	    "op"};
	struct content c = {s, len, 0};
	struct token t;
	struct str out;

	str_init(&out, a);
	while (content_next(&c, &t))
		str_addf(&out, "%s%s:%.*s", out.len ? " " : "", kinds[t.kind],
		    (int)t.len, t.s);
	return out.s;
}

static char *
marked(const char *s)
{
	struct str out;

	str_init(&out, a);
	content_mark_artifacts(s, strlen(s), &out);
	return out.s;
}

static void
tokens_of_all_kinds(void **state)
{
	(void)state;
	assert_string_equal(
	    tokens("/P <</MCID 3>>BDC [(a\\)b)-2.5<00ff>]TJ%x\nf*", 44),
	    "name:/P open:<< name:/MCID n:3 close:>> op:BDC open:[ s:(a\\)b) "
	    "n:-2.5 s:<00ff> close:] op:TJ op:f*");
}

static void
strings_may_hold_brackets(void **state)
{
	(void)state;
	assert_string_equal(tokens("(a(b)c) Tj", 10), "s:(a(b)c) op:Tj");
	assert_string_equal(tokens("(a", 2), "s:(a");
	assert_string_equal(tokens("<0", 2), "s:<0");
	assert_string_equal(tokens("(a\\", 3), "s:(a\\");
}

static void
inline_image_is_one_operator(void **state)
{
	static const char s[] = "q BI /W 1 ID \x01(EI<\x02 EI Q";
	struct content c = {s, sizeof(s) - 1, 0};
	struct token t;

	(void)state;
	assert_true(content_next(&c, &t) && token_is(&t, "q"));
	assert_true(content_next(&c, &t) && token_paints(&t));
	assert_true(content_next(&c, &t) && token_is(&t, "Q"));
	assert_false(content_next(&c, &t));
}

static void
any_bytes_come_to_an_end(void **state)
{
	char s[64];
	unsigned seed = 3;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct content c = {s, sizeof(s), 0};
		struct token t;
		int n = 0;

		for (size_t k = 0; k < sizeof(s); k++) {
			seed = seed * 1664525u + 1013904223u;
			s[k] = "()<>[]/% \nBIEDq0\\\0"[(seed >> 8) % 18];
		}
		while (content_next(&c, &t))
			assert_true(t.len > 0 && ++n <= 64);
	}
}

static void
drawing_outside_becomes_an_artifact(void **state)
{
	(void)state;
	assert_string_equal(marked("q 1 0 0 1 0 0 cm 1 g 0 0 9 9 re f\nQ"),
	    "q 1 0 0 1 0 0 cm /Artifact BMC\n1 g 0 0 9 9 re f\nEMC\nQ");
}

static void
tagged_content_stays_as_it_is(void **state)
{
	static const char s[] = "q /P <</MCID 0>> BDC BT (a) Tj ET EMC Q";

	(void)state;
	assert_string_equal(marked(s), s);
}

static void
artifacts_end_before_marks(void **state)
{
	(void)state;
	assert_string_equal(
	    marked("0 0 9 9 re f /P <</MCID 0>> BDC f EMC BT (a) Tj ET Q"),
	    "/Artifact BMC\n0 0 9 9 re f\nEMC /P <</MCID 0>> BDC f EMC "
	    "/Artifact BMC\nBT (a) Tj ET\nEMC Q");
}

static void
states_alone_are_no_artifact(void **state)
{
	static const char s[] = "1 g /a0 gs q 1 0 0 1 0 0 cm Q 0 0 1 1 re W n";

	(void)state;
	assert_string_equal(marked(s), s);
	assert_string_equal(marked(""), "");
	assert_string_equal(marked("EMC f"), "EMC /Artifact BMC\nf\nEMC");
}

static void
packet_gives_back_what_went_in(void **state)
{
	struct xmp x = {.title = "为什么 <A> & \"B\"",
	    .author = " 集成商",
	    .creator = "whygpu",
	    .date = "2026-11-30T00:00:00Z",
	    .lang = "zh-CN"};
	struct str out;

	(void)state;
	str_init(&out, a);
	xmp_write(&x, &out);
	assert_string_equal(xmp_find(a, out.s, "dc:title"), x.title);
	assert_string_equal(xmp_find(a, out.s, "dc:creator"), x.author);
	assert_string_equal(xmp_find(a, out.s, "xmp:CreateDate"), x.date);
	assert_string_equal(xmp_find(a, out.s, "pdfaid:part"), "3");
	assert_string_equal(xmp_find(a, out.s, "pdfuaid:part"), "1");
	assert_null(xmp_find(a, out.s, "dc:description"));
	assert_null(xmp_find(a, out.s, "pdf:Keywords"));
}

static void
attributes_are_properties_too(void **state)
{
	(void)state;
	assert_string_equal(xmp_find(a,
				"<rdf:Description pdfaid:part=\"2\" x='1'>",
				"pdfaid:part"),
	    "2");
	assert_null(xmp_find(a, "<dc:title/>", "dc:title"));
	assert_null(xmp_find(a, "<dc:title", "dc:title"));
}

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tokens_of_all_kinds),
	    cmocka_unit_test(strings_may_hold_brackets),
	    cmocka_unit_test(inline_image_is_one_operator),
	    cmocka_unit_test(any_bytes_come_to_an_end),
	    cmocka_unit_test(drawing_outside_becomes_an_artifact),
	    cmocka_unit_test(tagged_content_stays_as_it_is),
	    cmocka_unit_test(artifacts_end_before_marks),
	    cmocka_unit_test(states_alone_are_no_artifact),
	    cmocka_unit_test(packet_gives_back_what_went_in),
	    cmocka_unit_test(attributes_are_properties_too),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
