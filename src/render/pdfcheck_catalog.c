/*
 * The document as a whole: trailer, catalogue, metadata, embedded files.
 */
#include <glib.h>

#include "render/pdfcheck_parts.h"
#include "render/xmp.h"

void
check_trailer(struct check *c)
{
	qpdf_oh trailer = qpdf_get_trailer(c->q);
	qpdf_oh id = q_key(c->q, trailer, "/ID");

	if (!qpdf_oh_is_array(c->q, id) ||
	    qpdf_oh_get_array_n_items(c->q, id) != 2)
		broken(c, RULE_ID, "the trailer has no /ID");
	if (qpdf_is_encrypted(c->q))
		broken(c, RULE_ENCRYPT, "the file is encrypted");
}

/* ---- output intent ---- */

static bool
profile_ok(struct check *c, qpdf_oh profile)
{
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len = 0;
	bool ok;

	if (!qpdf_oh_is_stream(c->q, profile) ||
	    qpdf_oh_get_stream_data(c->q, profile, qpdf_dl_generalized,
		&filtered, &data, &len) &
		QPDF_ERRORS)
		return false;
	ok = len > 132 && data[8] >= 2 && data[8] < 5 &&
	     (memcmp(data + 12, "mntr", 4) == 0 ||
		 memcmp(data + 12, "prtr", 4) == 0) &&
	     memcmp(data + 16, "RGB ", 4) == 0 &&
	     memcmp(data + 36, "acsp", 4) == 0 &&
	     q_int(c->q, profile, "/N", 0) == 3;
	free(data);
	return ok;
}

static void
check_intent(struct check *c, qpdf_oh root)
{
	qpdf_oh all = q_key(c->q, root, "/OutputIntents");
	int n = qpdf_oh_is_array(c->q, all)
		    ? qpdf_oh_get_array_n_items(c->q, all)
		    : 0;

	for (int i = 0; i < n; i++) {
		qpdf_oh one = qpdf_oh_get_array_item(c->q, all, i);

		if (!q_is_name(c->q, one, "/S", "/GTS_PDFA1"))
			continue;
		if (!q_text(c->a, c->q, one, "/OutputConditionIdentifier") ||
		    !profile_ok(c, q_key(c->q, one, "/DestOutputProfile")))
			broken(c, RULE_INTENT,
			    "the output intent has no RGB profile");
		return;
	}
	broken(c, RULE_INTENT, "there is no output intent for PDF/A");
}

/* ---- catalogue ---- */

void
check_catalog(struct check *c)
{
	qpdf_data q = c->q;
	qpdf_oh root = qpdf_get_root(q);
	const char *lang = q_text(c->a, q, root, "/Lang");

	if (!q_is_true(q, q_key(q, root, "/MarkInfo"), "/Marked"))
		broken(c, RULE_MARKED, "/MarkInfo does not say /Marked true");
	if (q_is_true(q, q_key(q, root, "/MarkInfo"), "/Suspects"))
		broken(c, RULE_MARKED, "/MarkInfo says /Suspects true");
	if (!q_is_true(q, q_key(q, root, "/ViewerPreferences"),
		"/DisplayDocTitle"))
		broken(c, RULE_TITLE, "viewers would show the file's name");
	if (!is_language(lang))
		broken(c, RULE_LANG, "/Lang '%s' is no language",
		    lang ? lang : "");
	if (q_has(q, q_key(q, root, "/Outlines"), "/First") &&
	    !q_is_name(q, root, "/PageMode", "/UseOutlines"))
		broken(c, RULE_OUTLINE, "/PageMode does not show the outline");
	check_intent(c, root);
}

/* ---- metadata ---- */

static char *
read_packet(struct check *c)
{
	qpdf_oh meta = q_key(c->q, qpdf_get_root(c->q), "/Metadata");
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len = 0;
	char *text;

	if (!qpdf_oh_is_stream(c->q, meta) ||
	    !q_is_name(c->q, meta, "/Subtype", "/XML") ||
	    qpdf_oh_get_stream_data(c->q, meta, qpdf_dl_generalized, &filtered,
		&data, &len) &
		QPDF_ERRORS)
		return NULL;
	text = arena_strndup(c->a, (char *)data, len);
	free(data);
	return strstr(text, "<?xpacket begin=") && strstr(text, "<rdf:RDF")
		   ? text
		   : NULL;
}

/* Digits only, so that "D:20261130000000Z" is "2026-11-30T00:00:00Z". */
static char *
digits(struct arena *a, const char *s)
{
	struct str out;

	str_init(&out, a);
	for (; s && *s; s++)
		if (*s >= '0' && *s <= '9')
			str_addc(&out, *s);
	return out.s;
}

static void
compare_info(struct check *c, const char *packet)
{
	static const struct {
		const char *key, *property;
		bool date;
	} pairs[] = {
	    {"/Title", "dc:title", false},
	    {"/Author", "dc:creator", false},
	    {"/Subject", "dc:description", false},
	    {"/Keywords", "pdf:Keywords", false},
	    {"/Creator", "xmp:CreatorTool", false},
	    {"/Producer", "pdf:Producer", false},
	    {"/CreationDate", "xmp:CreateDate", true},
	    {"/ModDate", "xmp:ModifyDate", true},
	};
	qpdf_oh info = q_key(c->q, qpdf_get_trailer(c->q), "/Info");

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const char *x = q_text(c->a, c->q, info, pairs[i].key);
		const char *y = xmp_find(c->a, packet, pairs[i].property);
		bool date = pairs[i].date;

		if (!x)
			continue;
		if (date && !str_starts(x, "D:"))
			broken(c, RULE_XMP_INFO, "%s '%s' is no date",
			    pairs[i].key + 1, x);
		if (!y || !str_equal(date ? digits(c->a, x) : x,
			      date ? digits(c->a, y) : y))
			broken(c, RULE_XMP_INFO, "%s is '%s', %s is '%s'",
			    pairs[i].key + 1, x, pairs[i].property, y ? y : "");
	}
}

void
check_metadata(struct check *c)
{
	char *packet = read_packet(c);
	const char *title;

	if (!packet) {
		broken(c, RULE_XMP, "the catalogue has no XMP packet");
		return;
	}
	title = xmp_find(c->a, packet, "dc:title");
	if (!title || !*title)
		broken(c, RULE_TITLE, "the document has no dc:title");
	if (!str_equal(xmp_find(c->a, packet, "pdfaid:part"), "3") ||
	    !str_equal(xmp_find(c->a, packet, "pdfaid:conformance"), "A"))
		broken(c, RULE_XMP_A, "the file does not say it is PDF/A-3a");
	if (!str_equal(xmp_find(c->a, packet, "pdfuaid:part"), "1"))
		broken(c, RULE_XMP_UA, "the file does not say it is PDF/UA-1");
	else if (!str_equal(xmp_find(c->a, packet, "pdfaSchema:prefix"),
		     "pdfuaid"))
		broken(c, RULE_XMP_SCHEMA, "pdfuaid is not described");
	compare_info(c, packet);
}

/* ---- embedded files ---- */

static void
check_sum(struct check *c, const char *name, qpdf_oh stream)
{
	qpdf_oh params = q_key(c->q, stream, "/Params");
	qpdf_oh want = q_key(c->q, params, "/CheckSum");
	GChecksum *sum = g_checksum_new(G_CHECKSUM_MD5);
	unsigned char *data = NULL, digest[16];
	size_t len = 0, want_len = 0;
	gsize n = sizeof(digest);
	QPDF_BOOL filtered;
	bool ok;

	ok = !(qpdf_oh_get_stream_data(c->q, stream, qpdf_dl_generalized,
		   &filtered, &data, &len) &
	       QPDF_ERRORS);
	ok = ok && q_int(c->q, params, "/Size", -1) == (long long)len;
	g_checksum_update(sum, data, (gssize)len);
	g_checksum_get_digest(sum, digest, &n);
	g_checksum_free(sum);
	free(data);
	if (qpdf_oh_is_string(c->q, want)) {
		const char *w =
		    qpdf_oh_get_binary_string_value(c->q, want, &want_len);

		ok = ok && want_len == n && memcmp(w, digest, n) == 0;
	}
	if (!ok)
		broken(c, RULE_FILES_SUM, "'%s' is not what its parameters say",
		    name);
}

static bool
is_associated(struct check *c, int id)
{
	qpdf_oh all = q_key(c->q, qpdf_get_root(c->q), "/AF");

	for (int i = 0; qpdf_oh_is_array(c->q, all) &&
			i < qpdf_oh_get_array_n_items(c->q, all);
	     i++)
		if (qpdf_oh_get_object_id(c->q,
			qpdf_oh_get_array_item(c->q, all, i)) == id)
			return true;
	return false;
}

static void
check_file(struct check *c, qpdf_oh spec)
{
	qpdf_data q = c->q;
	qpdf_oh stream = q_path(q, spec, "/EF /F");
	const char *name = q_text(c->a, q, spec, "/UF");
	const char *type = q_name(c->a, q, stream, "/Subtype");

	if (!name || !q_text(c->a, q, spec, "/F") ||
	    !qpdf_oh_is_stream(q, stream)) {
		broken(c, RULE_FILES, "an embedded file without name or data");
		return;
	}
	if (!*q_name(c->a, q, spec, "/AFRelationship"))
		broken(c, RULE_FILES, "'%s' has no relation", name);
	if (!*type || !strchr(type + 1, '/'))
		broken(c, RULE_FILES, "'%s' has no type", name);
	if (!q_text(c->a, q, q_key(q, stream, "/Params"), "/ModDate"))
		broken(c, RULE_FILES, "'%s' has no date", name);
	if (!is_associated(c, qpdf_oh_get_object_id(q, spec)))
		broken(c, RULE_FILES_AF, "'%s' belongs to nothing", name);
	check_sum(c, name, stream);
}

static void
check_names(struct check *c, qpdf_oh tree, int depth)
{
	qpdf_oh names = q_key(c->q, tree, "/Names");
	qpdf_oh kids = q_key(c->q, tree, "/Kids");

	if (depth > 16)
		return;
	if (qpdf_oh_is_array(c->q, names))
		for (int i = 1; i < qpdf_oh_get_array_n_items(c->q, names);
		     i += 2)
			check_file(c, qpdf_oh_get_array_item(c->q, names, i));
	if (qpdf_oh_is_array(c->q, kids))
		for (int i = 0; i < qpdf_oh_get_array_n_items(c->q, kids); i++)
			check_names(c, qpdf_oh_get_array_item(c->q, kids, i),
			    depth + 1);
}

void
check_files(struct check *c)
{
	check_names(c,
	    q_path(c->q, qpdf_get_root(c->q), "/Names /EmbeddedFiles"), 0);
	qpdf_oh_release_all(c->q);
}
