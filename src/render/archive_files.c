/*
 * Files inside the PDF: each is listed by name, associated with the document
 * and, if a figure shows its data, with that figure.
 */
#include <glib.h>

#include "base/arena.h"
#include "base/str.h"
#include "render/archive_parts.h"

/* "text/csv" is the name "/text#2Fcsv"; qpdf escapes names itself. */
static void
set_type(qpdf_data q, qpdf_oh stream, const char *type)
{
	char name[64] = "/";
	size_t n = 1;

	for (; *type && n < sizeof(name) - 1; type++)
		name[n++] = *type;
	q_set_name(q, stream, "/Subtype", name);
}

static qpdf_oh
md5(qpdf_data q, const void *data, size_t len)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_MD5);
	guint8 digest[16];
	gsize n = sizeof(digest);

	g_checksum_update(sum, data, (gssize)len);
	g_checksum_get_digest(sum, digest, &n);
	g_checksum_free(sum);
	return qpdf_oh_new_binary_string(q, (const char *)digest, n);
}

static qpdf_oh
embedded_stream(struct archiver *w, const struct archive_file *f)
{
	qpdf_data q = w->q;
	qpdf_oh s = q_stream(q, "<< /Type /EmbeddedFile >>", f->data, f->len);
	qpdf_oh params = qpdf_oh_new_dictionary(q);

	set_type(q, s, f->type);
	q_set(q, params, "/Size", qpdf_oh_new_integer(q, (long long)f->len));
	q_set(q, params, "/CheckSum", md5(q, f->data, f->len));
	q_set_text(q, params, "/ModDate", pdf_date(w->a, w->ar->date));
	q_set(q, s, "/Params", params);
	return s;
}

static qpdf_oh
file_spec(struct archiver *w, const struct archive_file *f)
{
	qpdf_data q = w->q;
	qpdf_oh spec = q_parse(q, "<< /Type /Filespec /EF << >> >>");
	qpdf_oh stream = embedded_stream(w, f), ef = q_key(q, spec, "/EF");

	q_set_text(q, spec, "/F", f->name);
	q_set_text(q, spec, "/UF", f->name);
	if (f->about && *f->about)
		q_set_text(q, spec, "/Desc", f->about);
	q_set_name(q, spec, "/AFRelationship",
	    arena_printf(w->a, "/%s", f->relation));
	q_set(q, ef, "/F", stream);
	q_set(q, ef, "/UF", stream);
	return qpdf_make_indirect_object(q, spec);
}

static int
by_name(const void *x, const void *y)
{
	const struct archive_file *const *a = x, *const *b = y;

	return strcmp((*a)->name, (*b)->name);
}

/* The names of a name tree stand in the order of their bytes. */
static qpdf_oh
name_tree(struct archiver *w)
{
	const struct archive *ar = w->ar;
	const struct archive_file **sorted =
	    arena_alloc(w->a, (size_t)ar->n_files, sizeof(*sorted));
	qpdf_oh tree = q_parse(w->q, "<< /Names [] >>");
	qpdf_oh names = q_key(w->q, tree, "/Names");

	for (int i = 0; i < ar->n_files; i++)
		sorted[i] = &ar->files[i];
	qsort(sorted, (size_t)ar->n_files, sizeof(*sorted), by_name);
	for (int i = 0; i < ar->n_files; i++) {
		int id = w->file_ids[sorted[i] - ar->files];

		qpdf_oh_append_item(w->q, names,
		    qpdf_oh_new_string(w->q, sorted[i]->name));
		qpdf_oh_append_item(w->q, names,
		    qpdf_get_object_by_id(w->q, id, 0));
	}
	return tree;
}

void
archive_add_files(struct archiver *w)
{
	qpdf_data q = w->q;
	qpdf_oh root = qpdf_get_root(q), all = qpdf_oh_new_array(q);
	int n = w->ar->n_files;

	if (n == 0)
		return;
	w->file_ids = arena_alloc(w->a, (size_t)n, sizeof(int));
	for (int i = 0; i < n; i++) {
		qpdf_oh spec = file_spec(w, &w->ar->files[i]);

		w->file_ids[i] = qpdf_oh_get_object_id(q, spec);
		qpdf_oh_append_item(q, all, spec);
	}
	q_set(q, root, "/AF", all);
	q_set(q, q_need_dict(q, root, "/Names"), "/EmbeddedFiles",
	    qpdf_make_indirect_object(q, name_tree(w)));
}
