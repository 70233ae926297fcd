#include "render/archive.h"

#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "render/archive_parts.h"
#include "render/srgb.h"
#include "render/xmp.h"

/* ---- metadata ---- */

/* "2026-11-30T00:00:00Z" is "D:20261130000000Z". */
const char *
pdf_date(struct arena *a, const char *iso)
{
	struct str out;

	str_init(&out, a);
	str_add(&out, "D:");
	for (; *iso; iso++)
		if ((*iso >= '0' && *iso <= '9') || *iso == 'Z')
			str_addc(&out, *iso);
	return out.s;
}

/* The XMP packet repeats what the information dictionary says. */
static void
write_xmp(struct archiver *w)
{
	qpdf_data q = w->q;
	qpdf_oh info = q_key(q, qpdf_get_trailer(q), "/Info");
	struct xmp x = {.title = q_text(w->a, q, info, "/Title"),
	    .author = q_text(w->a, q, info, "/Author"),
	    .subject = q_text(w->a, q, info, "/Subject"),
	    .keywords = q_text(w->a, q, info, "/Keywords"),
	    .creator = q_text(w->a, q, info, "/Creator"),
	    .producer = q_text(w->a, q, info, "/Producer"),
	    .date = w->ar->date,
	    .lang = w->ar->lang};
	struct str packet;

	str_init(&packet, w->a);
	xmp_write(&x, &packet);
	q_set(q, qpdf_get_root(q), "/Metadata",
	    q_stream(q, "<< /Type /Metadata /Subtype /XML >>", packet.s,
		packet.len));
}

static void
write_info(struct archiver *w)
{
	qpdf_oh info = q_key(w->q, qpdf_get_trailer(w->q), "/Info");
	const char *date = pdf_date(w->a, w->ar->date);

	q_set_text(w->q, info, "/CreationDate", date);
	q_set_text(w->q, info, "/ModDate", date);
}

/* ---- catalogue ---- */

static void
write_intent(struct archiver *w)
{
	unsigned char icc[SRGB_PROFILE_BYTES];
	qpdf_oh intents = qpdf_oh_new_array(w->q);
	qpdf_oh intent =
	    q_parse(w->q, "<< /Type /OutputIntent /S /GTS_PDFA1"
			  " /OutputConditionIdentifier (sRGB IEC61966-2.1)"
			  " /Info (sRGB IEC61966-2.1)"
			  " /RegistryName (http://www.color.org) >>");

	srgb_profile(icc);
	q_set(w->q, intent, "/DestOutputProfile",
	    q_stream(w->q, "<< /N 3 >>", icc, sizeof(icc)));
	qpdf_oh_append_item(w->q, intents,
	    qpdf_make_indirect_object(w->q, intent));
	q_set(w->q, qpdf_get_root(w->q), "/OutputIntents", intents);
}

static void
write_catalog(struct archiver *w)
{
	qpdf_oh root = qpdf_get_root(w->q);
	qpdf_oh view = q_need_dict(w->q, root, "/ViewerPreferences");

	q_set(w->q, view, "/DisplayDocTitle", qpdf_oh_new_bool(w->q, true));
	q_set_text(w->q, root, "/Lang", w->ar->lang);
	if (q_has(w->q, root, "/Outlines"))
		q_set_name(w->q, root, "/PageMode", "/UseOutlines");
}

/* ---- pages ---- */

static bool
mark_artifacts(struct archiver *w, qpdf_oh page)
{
	qpdf_oh contents = q_key(w->q, page, "/Contents");
	struct arena *a = arena_new();
	unsigned char *data = NULL;
	QPDF_BOOL filtered;
	size_t len = 0;
	struct str out;
	bool ok = qpdf_oh_is_stream(w->q, contents) &&
		  !(qpdf_oh_get_stream_data(w->q, contents, qpdf_dl_generalized,
			&filtered, &data, &len) &
		      QPDF_ERRORS);

	if (ok) {
		arena_on_free(a, free, data);
		str_init(&out, a);
		content_mark_artifacts((const char *)data, len, &out);
		qpdf_oh_replace_stream_data(w->q, contents,
		    (const unsigned char *)out.s, out.len,
		    qpdf_oh_new_null(w->q), qpdf_oh_new_null(w->q));
	}
	arena_free(a);
	return ok;
}

/*
 * Links print; the tab key goes in reading order, also on a page that gets
 * its first annotation from a signature.
 */
static void
finish_annotations(struct archiver *w, qpdf_oh page)
{
	qpdf_oh annots = q_key(w->q, page, "/Annots");
	int n = qpdf_oh_is_array(w->q, annots)
		    ? qpdf_oh_get_array_n_items(w->q, annots)
		    : 0;

	q_set_name(w->q, page, "/Tabs", "/S");
	for (int i = 0; i < n; i++)
		q_set(w->q, qpdf_oh_get_array_item(w->q, annots, i), "/F",
		    qpdf_oh_new_integer(w->q, 4));
}

static bool
finish_pages(struct archiver *w)
{
	int n = qpdf_get_num_pages(w->q);

	for (int i = 0; i < n; i++) {
		qpdf_oh page = qpdf_get_page_n(w->q, (size_t)i);

		finish_annotations(w, page);
		if (!mark_artifacts(w, page))
			return false;
		qpdf_oh_release_all(w->q);
	}
	return n > 0;
}

/* ---- the file ---- */

static bool
write_file(struct archiver *w, const char *path)
{
	qpdf_data q = w->q;

	if (qpdf_init_write(q, path) & QPDF_ERRORS)
		return false;
	qpdf_set_object_stream_mode(q, qpdf_o_generate);
	qpdf_set_newline_before_endstream(q, QPDF_TRUE);
	qpdf_set_deterministic_ID(q, QPDF_TRUE);
	qpdf_force_pdf_version(q, "1.7");
	return !(qpdf_write(q) & QPDF_ERRORS);
}

static const char *
last_error(qpdf_data q)
{
	return qpdf_has_error(q)
		   ? qpdf_get_error_full_text(q, qpdf_get_error(q))
		   : "libqpdf gives no reason";
}

static bool
complete(struct archiver *w, const char *path, struct diag *d)
{
	write_info(w);
	write_catalog(w);
	write_intent(w);
	write_xmp(w);
	archive_add_files(w);
	if (!archive_finish_tags(w))
		return diag_error(d, pos_file(NULL), "pdf-structure",
		    "the tags of '%s' are not those that were drawn", path);
	if (!finish_pages(w) || !write_file(w, path))
		return diag_error(d, pos_file(NULL), "pdf-write",
		    "cannot write '%s': %s", path, last_error(w->q));
	return true;
}

bool
archive_write(const struct archive *ar, const void *data, size_t len,
    const char *path, struct diag *d)
{
	struct archiver w = {.a = arena_new(), .q = qpdf_init(), .ar = ar};
	bool ok;

	qpdf_silence_errors(w.q);
	qpdf_set_suppress_warnings(w.q, QPDF_TRUE);
	if (qpdf_read_memory(w.q, path, data, len, NULL) & QPDF_ERRORS)
		ok = diag_error(d, pos_file(NULL), "pdf-write",
		    "cannot complete '%s': %s", path, last_error(w.q));
	else
		ok = complete(&w, path, d);
	qpdf_cleanup(&w.q);
	arena_free(w.a);
	return ok;
}
