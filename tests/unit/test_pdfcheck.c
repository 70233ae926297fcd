/* One good file, broken in one place after the other */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <qpdf/qpdf-c.h>

#include "base/fs.h"
#include "page_fixture.h"
#include "render/pdf.h"
#include "render/pdfcheck.h"

static struct arena *a;
static struct source *good;

/* ---- the good file ---- */

static struct document *
document(void)
{
	struct document *doc = fix_document(a, false);
	struct block *b = fix_add(a, doc, NULL, BLOCK_COVER), *c;

	inlines_add(a, &b->title, INLINE_TEXT, "为什么需要不同型号");
	fix_add(a, doc, NULL, BLOCK_CONTENTS);
	c = fix_section(a, doc, NULL, 1, "先给答案", "answer");
	b = fix_para(a, doc, c, "详见");
	fix_ref(a, b, "tab");
	inlines_add(a, &b->text, INLINE_TEXT, "，另见 ");
	inlines_add(a, &b->text, INLINE_TEXT, "roofline");
	b->text.items[3].lang = "en";
	b = fix_add(a, doc, c, BLOCK_LIST);
	inlines_add(a, &fix_add(a, doc, b, BLOCK_ITEM)->text, INLINE_TEXT,
	    "要点");
	fix_figure(a, doc, c, "能力对比");
	c = fix_section(a, doc, c, 2, "明细", NULL);
	b = fix_table(a, doc, c, 60, 3, NULL);
	b->id = "tab";
	b->rows[2].cells[1].text.n = 0; /* an empty cell */
	b->rows[3].n = 2;               /* a short row */
	b->rows[4].group = true;
	b->rows[4].n = 1;
	return doc;
}

static struct source *
write_good(const char *path)
{
	static const char note[] = "project:\n  id: test\n";
	struct archive_file file = {"project.yaml", "application/yaml",
	    "the input", "Source", note, sizeof(note) - 1};
	struct pdf_extras x = {&file, 1};
	struct document *doc = document();
	struct text_engine *e;
	struct pages *p;
	struct diag d;

	diag_init(&d, a);
	e = text_engine_new(a, "out/fonts", "zh-CN", &d);
	if (!e)
		return NULL;
	p = layout_document(a, e, doc, NULL, &d);
	if (!p || !pdf_write(e, p, doc, &x, path, &d)) {
		diag_print(&d, stderr);
		return NULL;
	}
	return fs_read(a, path, 1 << 26, (struct pos){0}, &d);
}

static int
setup(void **state)
{
	char path[] = "/tmp/test-pdfcheck-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	a = arena_new();
	close(fd);
	good = write_good(path);
	unlink(path);
	return good ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* ---- breaking it ---- */

/*
 * `where` is a path: a start, then keys and indices.  Starts are trailer,
 * root, info, page (the second), annot and font (the first), el:TYPE (the
 * first such element).  `key` there gets the value, or loses it if that is
 * NULL.  Three starts change text instead, `key` to `value`: content (an
 * empty key stands for the start of the second page), xmp, bytes.
 */
struct change {
	const char *rule, *where, *key, *value;
};

#define LONG_10 "abcdefghij"
#define LONG_130                                                               \
	LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10        \
	    LONG_10 LONG_10 LONG_10 LONG_10 LONG_10

static const struct change changes[] = {
    {"pdf-read", "bytes", "startxref", "startxxxx"},
    {"a-header", "bytes", "%PDF-1.7", "%PDF-2.0"},
    {"a-endstream", "writer", "newline", NULL},
    {"a-id", "bytes", "/ID [", "/IX ["},
    {"a-encrypt", "writer", "encrypt", NULL},
    {"a-dangling", "bytes", "/AAAAAAAAA", "999999 0 R"},
    {"a-limits", "root", "/Zz", "/" LONG_130},
    {"a-limits", "root", "/Zz", "[ << /Y 3000000000 >> ]"},
    {"a-stream", "root /Metadata", "/F", "(elsewhere)"},
    {"a-action", "root", "/OpenAction", "<< /S /JavaScript /JS (x) >>"},
    {"a-action", "annot", "/A", "<< /S /Launch /F (x) >>"},
    {"a-action", "page", "/AA", "<< >>"},
    {"a-graphics", "page /Resources", "/ExtGState",
	"<< /a0 << /TR /Identity >> >>"},
    {"a-graphics", "page /Resources", "/ExtGState",
	"<< /a0 << /BM /Fancy >> >>"},
    {"a-image", "page /Resources", "/XObject",
	"<< /x9 << /Subtype /Image /Interpolate true >> >>"},
    {"a-intent", "root", "/OutputIntents", NULL},
    {"a-intent", "root /OutputIntents 0 /DestOutputProfile", "/N", "4"},
    {"a-xmp", "root", "/Metadata", NULL},
    {"a-xmp-id", "xmp", "<pdfaid:part>3", "<pdfaid:part>2"},
    {"a-xmp-id", "xmp", "conformance>A", "conformance>B"},
    {"ua-xmp-id", "xmp", "<pdfuaid:part>1", "<pdfuaid:part>2"},
    {"a-xmp-schema", "xmp", "prefix>pdfuaid<", "prefix>other<"},
    {"a-xmp-info", "info", "/Title", "(another)"},
    {"a-xmp-info", "info", "/ModDate", "(D:20270101000000Z)"},
    {"a-xmp-info", "info", "/ModDate", "(20261130000000Z)"},
    {"ua-marked", "root", "/MarkInfo", NULL},
    {"ua-title", "root", "/ViewerPreferences", NULL},
    {"ua-title", "xmp", "dc:title", "dc:Title"},
    {"ua-lang", "root", "/Lang", NULL},
    {"ua-lang", "root", "/Lang", "(zh_CN)"},
    {"nav-outline", "root", "/PageMode", NULL},
    {"a-files", "root /Names /EmbeddedFiles /Names 1", "/AFRelationship", NULL},
    {"a-files", "root /Names /EmbeddedFiles /Names 1", "/UF", NULL},
    {"a-files", "root /Names /EmbeddedFiles /Names 1 /EF /F", "/Subtype", NULL},
    {"a-files", "root /Names /EmbeddedFiles /Names 3 /EF /F /Params",
	"/ModDate", NULL},
    {"a-files-af", "root", "/AF", NULL},
    {"a-files-sum", "root /Names /EmbeddedFiles /Names 1 /EF /F /Params",
	"/Size", "7"},
    {"a-files-sum", "root /Names /EmbeddedFiles /Names 1 /EF /F /Params",
	"/CheckSum", "(0123456789abcdef)"},
    {"a-operator", "content", "", "12 foo "},
    {"a-nesting", "content", "", "q "},
    {"a-nesting", "content", "", "Q q "},
    {"a-colour", "content", "", "0 0 0 1 k "},
    {"ua-untagged", "content", "", "0 0 9 9 re f "},
    {"ua-artifact", "content", "/MCID 1 >> BDC",
	"/MCID 1 >> BDC /Artifact BMC EMC"},
    {"ua-artifact", "content", "/Artifact BMC",
	"/Artifact BMC /P << /MCID 977 >> BDC EMC"},
    {"ua-marks", "content", "EMC", ""},
    {"ua-marks", "content", "", "EMC "},
    {"ua-marks", "content", "BT", "/X BMC BT EMC"},
    {"ua-mcid", "content", "/MCID 1 >>", "/MCID 977 >>"},
    {"ua-mcid", "content", "", "/P << /MCID 977 >> BDC EMC "},
    {"ua-parent", "root /StructTreeRoot /ParentTree /Nums 1", "0", "null"},
    {"a-font-file", "font /DescendantFonts 0 /FontDescriptor", "/FontFile3",
	NULL},
    {"a-font-cid", "font /DescendantFonts 0", "/CIDSystemInfo", NULL},
    {"a-font-cid", "font", "/Encoding", "/GBK-EUC-H"},
    {"a-font-unicode", "font", "/ToUnicode", NULL},
    {"a-font-unicode", "content", "<0001", "<fff0"},
    {"a-font-notdef", "content", "<0001", "<0000"},
    {"a-annot-flags", "annot", "/F", NULL},
    {"a-annot-flags", "annot", "/F", "6"},
    {"a-annot-type", "annot", "/Subtype", "/Movie"},
    {"ua-annot-text", "annot", "/Contents", NULL},
    {"ua-annot-text", "annot", "/Contents", "()"},
    {"ua-annot-tag", "annot", "/StructParent", NULL},
    {"ua-annot-tag", "el:Link", "/S", "/Span"},
    {"ua-tabs", "page", "/Tabs", NULL},
    {"ua-tree", "root", "/StructTreeRoot", NULL},
    {"ua-tree", "el:P", "/P", NULL},
    {"ua-role", "el:P", "/S", "/Paragraph"},
    {"ua-child", "el:TD", "/S", "/P"},
    {"ua-child", "el:LI", "/S", "/Div"},
    {"ua-leaf", "el:Caption", "/K", NULL},
    {"ua-heading", "el:H1", "/S", "/H2"},
    {"ua-heading", "el:H2", "/S", "/H3"},
    {"ua-figure-alt", "el:Figure", "/Alt", NULL},
    {"ua-figure-alt", "el:Figure", "/Alt", "()"},
    {"ua-figure-box", "el:Figure", "/A", NULL},
    {"ua-table-head", "every:TH", "/S", "/TD"},
    {"ua-table-scope", "el:TH", "/A", NULL},
    {"ua-table-row", "el:TD", "/A", "<< /O /Table /ColSpan 2 >>"},
    {"ua-link", "el:Link /K", "0", "null"},
    {"ua-span-lang", "el:Lbl", "/Lang", "(-)"},
};

enum { N_CHANGES = sizeof(changes) / sizeof(changes[0]) };

static qpdf_oh
element(qpdf_data q, qpdf_oh at, const char *type)
{
	qpdf_oh kids = qpdf_oh_get_key_if_dict(q, at, "/K"), found;

	if (!qpdf_oh_is_dictionary(q, at))
		return qpdf_oh_new_null(q);
	if (qpdf_oh_is_name_and_equals(q, qpdf_oh_get_key_if_dict(q, at, "/S"),
		arena_printf(a, "/%s", type)))
		return at;
	if (!qpdf_oh_is_array(q, kids))
		kids = qpdf_oh_wrap_in_array(q, kids);
	for (int i = 0; i < qpdf_oh_get_array_n_items(q, kids); i++) {
		qpdf_oh kid = qpdf_oh_get_array_item(q, kids, i);

		found = element(q, kid, type);
		if (!qpdf_oh_is_null(q, found))
			return found;
	}
	return qpdf_oh_new_null(q);
}

static qpdf_oh
first_value(qpdf_data q, qpdf_oh dict)
{
	qpdf_oh_begin_dict_key_iter(q, dict);
	assert_true(qpdf_oh_dict_more_keys(q));
	return qpdf_oh_get_key(q, dict, qpdf_oh_dict_next_key(q));
}

static qpdf_oh
start(qpdf_data q, const char *name)
{
	qpdf_oh root = qpdf_get_root(q), page = qpdf_get_page_n(q, 1);
	qpdf_oh res = qpdf_oh_get_key(q, page, "/Resources");

	if (str_equal(name, "root"))
		return root;
	if (str_equal(name, "trailer"))
		return qpdf_get_trailer(q);
	if (str_equal(name, "info"))
		return qpdf_oh_get_key(q, qpdf_get_trailer(q), "/Info");
	if (str_equal(name, "page"))
		return page;
	if (str_equal(name, "annot"))
		return qpdf_oh_get_array_item(q,
		    qpdf_oh_get_key(q, page, "/Annots"), 0);
	if (str_equal(name, "font"))
		return first_value(q, qpdf_oh_get_key(q, res, "/Font"));
	assert_true(str_starts(name, "el:") || str_starts(name, "every:"));
	return element(q, qpdf_oh_get_key(q, root, "/StructTreeRoot"),
	    strchr(name, ':') + 1);
}

static qpdf_oh
find(qpdf_data q, const char *where)
{
	char *rest = arena_strdup(a, where);
	qpdf_oh at = start(q, strsep(&rest, " "));

	for (char *key; (key = strsep(&rest, " ")) != NULL;) {
		if (qpdf_oh_is_stream(q, at))
			at = qpdf_oh_get_dict(q, at);
		at = *key == '/' ? qpdf_oh_get_key(q, at, key)
				 : qpdf_oh_get_array_item(q, at,
				       (int)strtol(key, NULL, 10));
	}
	assert_false(qpdf_oh_is_null(q, at));
	return qpdf_oh_is_stream(q, at) ? qpdf_oh_get_dict(q, at) : at;
}

static void
set_value(qpdf_data q, qpdf_oh at, const char *key, const char *value)
{
	qpdf_oh v = value ? qpdf_oh_parse(q, value) : qpdf_oh_new_null(q);

	if (*key != '/')
		qpdf_oh_set_array_item(q, at, (int)strtol(key, NULL, 10), v);
	else if (value)
		qpdf_oh_replace_key(q, at, key, v);
	else
		qpdf_oh_remove_key(q, at, key);
}

/* The first `from` becomes `to`; an empty `from` stands at the start. */
static char *
swap_text(const char *s, size_t len, const char *from, const char *to,
    size_t *new_len)
{
	const char *at = memmem(s, len, from, strlen(from));
	struct str out;

	assert_non_null(at);
	str_init(&out, a);
	str_addn(&out, s, (size_t)(at - s));
	str_add(&out, to);
	at += strlen(from);
	str_addn(&out, at, (size_t)(s + len - at));
	*new_len = out.len;
	return out.s;
}

static void
change_stream(qpdf_data q, qpdf_oh stream, const struct change *c)
{
	unsigned char *data;
	QPDF_BOOL filtered;
	size_t len;
	char *text;

	assert_int_equal(qpdf_oh_get_stream_data(q, stream, qpdf_dl_all,
			     &filtered, &data, &len),
	    QPDF_SUCCESS);
	text = swap_text((char *)data, len, c->key, c->value, &len);
	free(data);
	qpdf_oh_replace_stream_data(q, stream, (unsigned char *)text, len,
	    qpdf_oh_new_null(q), qpdf_oh_new_null(q));
}

static void
change_file(qpdf_data q, const struct change *c)
{
	if (str_equal(c->where, "content"))
		change_stream(q,
		    qpdf_oh_get_key(q, qpdf_get_page_n(q, 1), "/Contents"), c);
	else if (str_equal(c->where, "xmp"))
		change_stream(q,
		    qpdf_oh_get_key(q, qpdf_get_root(q), "/Metadata"), c);
	else if (str_equal(c->where, "bytes") || str_equal(c->where, "writer"))
		return;
	else if (str_starts(c->where, "every:"))
		while (!qpdf_oh_is_null(q, start(q, c->where)))
			set_value(q, start(q, c->where), c->key, c->value);
	else
		set_value(q, find(q, c->where), c->key, c->value);
}

/* Read, change, write, and change what was written. */
static struct source *
changed(const struct change *c)
{
	struct source *src = arena_alloc(a, 1, sizeof(*src));
	qpdf_data q = qpdf_init();
	bool encrypt = str_equal(c->key, "encrypt");
	bool newline = !str_equal(c->key, "newline");

	qpdf_silence_errors(q);
	qpdf_set_suppress_warnings(q, QPDF_TRUE);
	qpdf_read_memory(q, "good", good->text, good->len, NULL);
	qpdf_oh_replace_key(q, qpdf_get_root(q), "/Zy",
	    qpdf_oh_parse(q, "/AAAAAAAAA"));
	change_file(q, c);
	qpdf_init_write_memory(q);
	qpdf_set_object_stream_mode(q, qpdf_o_disable);
	qpdf_set_newline_before_endstream(q, newline);
	qpdf_force_pdf_version(q, "1.7");
	if (encrypt)
		qpdf_set_r3_encryption_parameters_insecure(q, "", "owner", 1, 1,
		    1, 1, 1, 1, qpdf_r3p_full);
	else
		qpdf_set_deterministic_ID(q, QPDF_TRUE);
	assert_int_equal(qpdf_write(q) & QPDF_ERRORS, 0);
	src->path = "broken.pdf";
	src->len = qpdf_get_buffer_length(q);
	src->text = memcpy(arena_alloc(a, src->len + 1, 1), qpdf_get_buffer(q),
	    src->len);
	if (str_equal(c->where, "bytes"))
		src->text =
		    swap_text(src->text, src->len, c->key, c->value, &src->len);
	qpdf_cleanup(&q);
	return src;
}

/* ---- tests ---- */

static bool
reports(const struct diag *d, const char *rule)
{
	for (int i = 0; i < d->n; i++)
		if (str_equal(d->problems[i].id, rule))
			return true;
	return false;
}

static void
good_file_passes(void **state)
{
	struct diag d;

	(void)state;
	diag_init(&d, a);
	if (!pdfcheck(a, good, &d))
		diag_print(&d, stderr);
	assert_int_equal(d.n, 0);
}

static void
rewritten_file_passes(void **state)
{
	static const struct change none = {"", "bytes", "%PDF", "%PDF"};
	struct diag d;

	(void)state;
	diag_init(&d, a);
	if (!pdfcheck(a, changed(&none), &d))
		diag_print(&d, stderr);
	assert_int_equal(d.n, 0);
}

static void
each_change_is_found(void **state)
{
	int missed = 0;

	(void)state;
	for (int i = 0; i < N_CHANGES; i++) {
		const struct change *c = &changes[i];
		struct diag d;

		diag_init(&d, a);
		if (pdfcheck(a, changed(c), &d) || !reports(&d, c->rule)) {
			missed++;
			print_error("%s: %s %s\n", c->rule, c->where, c->key);
			diag_print(&d, stderr);
		}
	}
	assert_int_equal(missed, 0);
}

static void
each_rule_has_a_change(void **state)
{
	int n;
	const struct pdfcheck_rule *rules = pdfcheck_rules(&n);

	(void)state;
	for (int i = 0; i < n; i++) {
		bool found = false;

		for (int k = 0; k < N_CHANGES; k++)
			found |= str_equal(changes[k].rule, rules[i].id);
		if (!found)
			print_error("no case for %s\n", rules[i].id);
		assert_true(found);
		assert_true(*rules[i].clause && *rules[i].about);
	}
}

static void
any_bytes_end_in_findings(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct source src = *good;
		char *text = arena_alloc(a, good->len + 1, 1);
		struct diag d;
		bool ok;

		memcpy(text, good->text, good->len);
		for (int k = 0; k < 40; k++)
			text[fix_chance(&seed, (unsigned)good->len)] =
			    (char)fix_chance(&seed, 256);
		src.text = text;
		if (i % 3 == 0)
			src.len = fix_chance(&seed, (unsigned)good->len);
		diag_init(&d, a);
		ok = pdfcheck(a, &src, &d);
		assert_int_equal(ok, d.n == 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_file_passes),
	    cmocka_unit_test(rewritten_file_passes),
	    cmocka_unit_test(each_change_is_found),
	    cmocka_unit_test(each_rule_has_a_change),
	    cmocka_unit_test(any_bytes_end_in_findings),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
