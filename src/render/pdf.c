#include "render/pdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "render/pdf_parts.h"

/* ---- metadata and outline ---- */

/* ISO date of the document; a fixed one if it has none, never the clock. */
static char *
file_date(struct arena *a, const char *date)
{
	int y = 0, m = 0, d = 0;

	if (!date ||
	    sscanf(date, "%4d%*[^0-9]%2d%*[^0-9]%2d", &y, &m, &d) != 3 ||
	    y < 1970 || m < 1 || m > 12 || d < 1 || d > 31) {
		y = 1970;
		m = d = 1;
	}
	return arena_printf(a, "%04d-%02d-%02dT00:00:00Z", y, m, d);
}

static void
write_metadata(struct drawer *w, cairo_surface_t *s, const struct document *doc)
{
	const char *date = file_date(w->a, doc->date);
	const struct {
		cairo_pdf_metadata_t what;
		const char *text;
	} parts[] = {
	    {CAIRO_PDF_METADATA_TITLE, doc->title},
	    {CAIRO_PDF_METADATA_AUTHOR, doc->author},
	    {CAIRO_PDF_METADATA_SUBJECT, doc->subject},
	    {CAIRO_PDF_METADATA_KEYWORDS, doc->keywords},
	    {CAIRO_PDF_METADATA_CREATOR, "whygpu"},
	    {CAIRO_PDF_METADATA_CREATE_DATE, date},
	    {CAIRO_PDF_METADATA_MOD_DATE, date},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].text && *parts[i].text)
			cairo_pdf_surface_set_metadata(s, parts[i].what,
			    parts[i].text);
}

static void
write_outline(struct drawer *w, cairo_surface_t *s, const struct pages *p)
{
	enum { LEVELS = 8 };
	int parents[LEVELS] = {CAIRO_PDF_OUTLINE_ROOT};

	for (int i = 0; i < p->n_outline; i++) {
		const struct outline_entry *o = &p->outline[i];
		int level = o->level < 1            ? 1
			    : o->level > LEVELS - 1 ? LEVELS - 1
						    : o->level;
		char *at =
		    arena_printf(w->a, "dest='%s'", pdf_quoted(w->a, o->dest));
		int flags = level <= 2 ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0;
		int id = cairo_pdf_surface_add_outline(s, parents[level - 1],
		    o->title, at, (cairo_pdf_outline_flags_t)flags);

		/* a level that is skipped hangs below the one above it */
		for (int k = level; k < LEVELS; k++)
			parents[k] = id;
	}
}

/* ---- the draft ---- */

struct pdf_draft {
	struct arena *a;
	struct archive archive;
	cairo_surface_t *surface; /* NULL once finished */
	FILE *to;                 /* collects what cairo writes */
	char *data;
	size_t len;
};

static cairo_status_t
append(void *draft, const unsigned char *data, unsigned len)
{
	struct pdf_draft *f = draft;

	return fwrite(data, 1, len, f->to) == len ? CAIRO_STATUS_SUCCESS
						  : CAIRO_STATUS_WRITE_ERROR;
}

/* Let cairo write the rest; the first error counts. */
static cairo_status_t
finish_surface(struct pdf_draft *f)
{
	cairo_status_t status;

	if (!f->surface)
		return CAIRO_STATUS_SURFACE_FINISHED;
	cairo_surface_finish(f->surface);
	status = cairo_surface_status(f->surface);
	cairo_surface_destroy(f->surface);
	f->surface = NULL;
	fclose(f->to);
	return status;
}

static void
draft_free(void *draft)
{
	struct pdf_draft *f = draft;

	finish_surface(f);
	free(f->data);
}

static struct pdf_draft *
draft_new(struct arena *a, const struct page *first)
{
	struct pdf_draft *f = arena_alloc(a, 1, sizeof(*f));

	f->a = a;
	f->to = open_memstream(&f->data, &f->len);
	if (!f->to)
		return NULL;
	f->surface = cairo_pdf_surface_create_for_stream(append, f,
	    first->width, first->height);
	arena_on_free(a, draft_free, f);
	return f;
}

/* The charts' data become files, in the order of the charts. */
static void
keep_charts(struct pdf_draft *f, const struct pages *p)
{
	struct archive_file *files = NULL;

	for (int i = 0; i < p->n_charts; i++) {
		const struct chart_plan *plan = p->charts[i].plan;
		const char *csv = plan->csv ? plan->csv : "";

		*(struct archive_file *)arena_push(f->a, &files,
		    &f->archive.n_files, sizeof(*files)) =
		    (struct archive_file){.name = arena_printf(f->a, "%s.csv",
					      p->charts[i].file),
			.type = "text/csv",
			.about = arena_strdup(f->a, plan->title),
			.relation = "Data",
			.data = arena_strdup(f->a, csv),
			.len = strlen(csv)};
	}
	f->archive.files = files;
}

/* A picture that says nothing to those who do not see it is an error. */
static bool
charts_speak(const struct pages *p, struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->pages[i].n_items; k++) {
			const struct item *it = &p->pages[i].items[k];

			if (it->kind == ITEM_CHART && (!it->alt || !*it->alt))
				ok = diag_error(d, pos_file(NULL), "pdf-alt",
				    "the chart on page %d has no text that "
				    "says what it shows",
				    i + 1);
		}
	return ok;
}

static cairo_status_t
draw(struct drawer *w, cairo_surface_t *s, const struct document *doc)
{
	cairo_status_t status;

	w->cr = cairo_create(s);
	write_metadata(w, s, doc);
	pdf_draw_pages(w, s);
	write_outline(w, s, w->pages);
	status = cairo_status(w->cr);
	cairo_destroy(w->cr);
	return status;
}

struct pdf_draft *
pdf_draw(struct arena *a, struct text_engine *e, const struct pages *p,
    const struct document *doc, struct diag *d)
{
	struct drawer w = {.a = a, .e = e, .pages = p};
	struct pdf_draft *f;
	cairo_status_t status;

	if (p->n == 0) {
		diag_error(d, pos_file(NULL), "pdf-empty",
		    "the document has no page");
		return NULL;
	}
	if (!charts_speak(p, d))
		return NULL;
	f = draft_new(a, &p->pages[0]);
	status = f ? draw(&w, f->surface, doc) : CAIRO_STATUS_NO_MEMORY;
	if (status != CAIRO_STATUS_SUCCESS) {
		diag_error(d, pos_file(NULL), "pdf-write",
		    "cannot draw the pages: %s",
		    cairo_status_to_string(status));
		return NULL;
	}
	if (!text_engine_complete(e)) {
		text_engine_report(e, NULL, 0, d);
		return NULL;
	}
	f->archive.lang = arena_strdup(a, doc->lang);
	f->archive.date = file_date(a, doc->date);
	f->archive.tags = w.tags;
	f->archive.n_tags = w.n_tags;
	keep_charts(f, p);
	return f;
}

/* The charts' files and those of the caller. */
static struct archive
with_extras(struct pdf_draft *f, const struct pdf_extras *x)
{
	struct archive ar = f->archive;
	struct archive_file *files;

	if (!x || x->n_files == 0)
		return ar;
	files = arena_alloc(f->a, (size_t)(ar.n_files + x->n_files),
	    sizeof(*files));
	for (int i = 0; i < ar.n_files; i++)
		files[i] = ar.files[i];
	for (int i = 0; i < x->n_files; i++)
		files[ar.n_files++] = x->files[i];
	ar.files = files;
	return ar;
}

bool
pdf_finish(struct pdf_draft *f, const struct pdf_extras *x, const char *path,
    struct diag *d)
{
	struct archive ar = with_extras(f, x);
	cairo_status_t status = finish_surface(f);

	if (status != CAIRO_STATUS_SUCCESS)
		return diag_error(d, pos_file(NULL), "pdf-write",
		    "cannot write '%s': %s", path,
		    cairo_status_to_string(status));
	return archive_write(&ar, f->data, f->len, path, d);
}

bool
pdf_write(struct text_engine *e, const struct pages *p,
    const struct document *doc, const struct pdf_extras *x, const char *path,
    struct diag *d)
{
	struct arena *a = arena_new();
	struct pdf_draft *f = pdf_draw(a, e, p, doc, d);
	bool ok = f && pdf_finish(f, x, path, d);

	arena_free(a);
	return ok;
}
