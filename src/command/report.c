#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"
#include "command/depfile.h"
#include "data/needs.h"
#include "data/needs_dump.h"
#include "data/results.h"
#include "layout/pages.h"
#include "layout/style.h"
#include "render/pdf.h"
#include "render/svg.h"
#include "text/text.h"
#include "tmpl/tmpl.h"

/* The later forms of one language's report. */
struct edition {
	const char *lang;
	struct arena *keep; /* for what outlives the pages */
	struct document *document;
	struct text_engine *engine;
	struct pages *pages;
};

/* A character without a glyph came from the project or a vendor's file. */
static void
report_missing(const struct project *p, const struct text_engine *e,
    struct diag *d)
{
	const struct source **files =
	    arena_alloc(d->a, (size_t)p->n_vendors + 1, sizeof(*files));
	int n = 0;

	files[n++] = p->file;
	for (int i = 0; i < p->n_vendors; i++)
		files[n++] = p->vendors[i].file;
	text_engine_report(e, files, n, d);
}

static bool
make_edition(struct arena *a, const struct options *o, const struct inputs *in,
    struct edition *e, struct diag *d)
{
	struct template *t = template_read(a, o->templates, e->lang, d);

	if (!t)
		return false;
	e->document = template_apply(a, t, in->results, d);
	if (!e->document || o->dump == DUMP_DOC)
		return e->document != NULL;
	e->engine = text_engine_new(e->keep, o->fonts, e->lang, d);
	if (!e->engine)
		return false;
	e->pages = layout_document(a, e->engine, e->document,
	    page_style_for(e->lang), d);
	if (!e->pages)
		return false;
	if (!text_engine_complete(e->engine))
		report_missing(in->project, e->engine, d);
	return d->n_errors == 0;
}

static void
print_dump(struct arena *a, enum dump dump, const struct inputs *in,
    const struct edition *e)
{
	struct str out;

	str_init(&out, a);
	if (dump == DUMP_NEEDS)
		needs_dump(in->project, &out);
	else if (dump == DUMP_RESULTS)
		node_xml(in->results, &out);
	else if (dump == DUMP_DOC)
		document_dump(e->document, &out);
	else if (dump == DUMP_PAGES)
		pages_dump(e->pages, &out);
	else
		for (int i = 0; i < e->pages->n_charts; i++)
			chart_dump(e->pages->charts[i].plan, &out);
	fwrite(out.s, 1, out.len, stdout);
}

static bool
write_charts(struct arena *a, struct fs_set *set, const struct edition *e,
    struct diag *d)
{
	for (int i = 0; i < e->pages->n_charts; i++) {
		const char *file = e->pages->charts[i].file;
		struct str svg;

		str_init(&svg, a);
		svg_write(e->pages->charts[i].plan, file, &svg);
		if (!fs_set_write(set,
			arena_printf(a, "charts/%s.%s.svg", file, e->lang),
			svg.s, svg.len, d))
			return false;
	}
	return true;
}

static void
free_arena(void *a)
{
	arena_free(a);
}

/*
 * One language from template to a drawn PDF and its charts (or to a dump,
 * when `set` is NULL).  Document and pages are gone when this returns: what
 * is left to do on the PDF needs much memory itself.
 */
static bool
draw_language(const struct options *o, const struct inputs *in,
    struct edition *e, struct fs_set *set, struct pdf_draft **draft,
    struct diag *d)
{
	struct arena *a = arena_new();
	int problems = d->n;
	bool ok = make_edition(a, o, in, e, d);

	if (ok && set) {
		*draft = pdf_draw(e->keep, e->engine, e->pages, e->document, d);
		ok = *draft && write_charts(a, set, e, d);
	} else if (ok) {
		print_dump(a, o->dump, in, e);
	}
	/* problems point into the templates they were found in */
	if (d->n > problems)
		arena_on_free(d->a, free_arena, a);
	else
		arena_free(a);
	return ok;
}

/* What a language needs lives in an arena of its own: the next reuses it. */
static bool
do_language(const struct options *o, const struct inputs *in, const char *lang,
    struct fs_set *set, const struct pdf_extras *x, struct diag *d)
{
	struct arena *keep = arena_new();
	struct edition e = {.lang = lang, .keep = keep};
	struct pdf_draft *draft = NULL;
	bool ok = draw_language(o, in, &e, set, &draft, d);

	if (draft && ok)
		ok = pdf_finish(draft, x,
		    fs_set_path(set, arena_printf(keep, "report.%s.pdf", lang)),
		    d);
	arena_free(keep);
	return ok;
}

static void
add_file(struct arena *a, struct pdf_extras *x, const char *name,
    const char *type, const char *relation, const void *data, size_t len)
{
	struct archive_file *files = (struct archive_file *)x->files;

	*(struct archive_file *)arena_push(a, &files, &x->n_files,
	    sizeof(*files)) = (struct archive_file){.name = name,
	    .type = type,
	    .relation = relation,
	    .data = data,
	    .len = len};
	x->files = files;
}

/* The tree as text, without the rests of its growth. */
static struct str
results_xml(struct arena *a, const struct node *results)
{
	struct arena *scratch = arena_new();
	struct str xml, out;

	str_init(&xml, scratch);
	node_xml(results, &xml);
	out = (struct str){a, arena_strndup(a, xml.s, xml.len), xml.len,
	    xml.len + 1};
	arena_free(scratch);
	return out;
}

/* Whoever has the PDF has what it was made from and every number in it. */
static struct pdf_extras
attachments(struct arena *a, const struct inputs *in, const struct str *xml)
{
	static const char yaml[] = "application/yaml";
	const struct project *p = in->project;
	struct pdf_extras x = {0};

	add_file(a, &x, "results.xml", "application/xml", "Data", xml->s,
	    xml->len);
	add_file(a, &x, "project.yaml", yaml, "Source", p->file->text,
	    p->file->len);
	for (int i = 0; i < p->n_vendors; i++)
		add_file(a, &x,
		    arena_printf(a, "vendor-%s.yaml", p->vendors[i].id), yaml,
		    "Source", p->vendors[i].file->text,
		    p->vendors[i].file->len);
	return x;
}

/* All files of the report, results.xml last; none of them on a failure. */
static bool
write_all(struct arena *a, const struct options *o, const char *dir,
    const struct inputs *in, const char *const *langs, int n, struct diag *d)
{
	struct fs_set *set = fs_set_begin(a, dir, d);
	struct str xml = results_xml(a, in->results);
	struct pdf_extras x = attachments(a, in, &xml);
	bool ok = set != NULL;

	for (int i = 0; ok && i < n; i++)
		ok = do_language(o, in, langs[i], set, &x, d);
	ok = ok && fs_set_write(set, "results.xml", xml.s, xml.len, d);
	if (ok)
		return fs_set_commit(set, d);
	if (set)
		fs_set_abort(set);
	return false;
}

/* What the projects of one run share. */
struct run {
	const struct options *o;
	struct arena *a;      /* for what outlives a project */
	struct inputs common; /* catalogue and calibration */
	bool sound; /* without error; else projects are read for theirs */
	struct fs_reads *read;
	struct made {
		const char *dir, *path;
	} * made; /* folders written, and for which project */
	int n_made;
};

/* The folder of a project: with several of them, one each below --out. */
static const char *
folder_of(struct arena *a, const struct options *o, const struct project *p)
{
	if (o->out && o->n_args == 1)
		return o->out;
	return fs_join(a, o->out ? o->out : "out", p->id);
}

/* No two projects of a run may write to one folder. */
static bool
folder_is_free(const struct run *r, const char *dir, const struct project *p,
    struct diag *d)
{
	for (int i = 0; i < r->n_made; i++)
		if (str_equal(r->made[i].dir, dir)) {
			diag_error(d, (struct pos){p->file, 0, 0},
			    "output-taken",
			    "'%s' already holds the report of "
			    "'%s'",
			    dir, r->made[i].path);
			diag_note(d, "each project needs an id of its own");
			return false;
		}
	return true;
}

/* The files, and what they were made from when it is asked for. */
static bool
write_report(struct arena *a, struct run *r, const struct inputs *in,
    const char *const *langs, int n, struct diag *d)
{
	const struct options *o = r->o;
	const char *dir = folder_of(a, o, in->project);
	struct made *made;

	if (!folder_is_free(r, dir, in->project, d) ||
	    !write_all(a, o, dir, in, langs, n, d))
		return false;
	made = arena_push(r->a, &r->made, &r->n_made, sizeof(*made));
	made->dir = arena_strdup(r->a, dir);
	made->path = arena_strdup(r->a, in->project->file->path);
	return !o->depfile ||
	       depfile_write(a, o, fs_join(a, dir, "results.xml"), r->read, d);
}

static bool
report(struct arena *a, struct run *r, const char *path, struct diag *d)
{
	const struct options *o = r->o;
	struct inputs in = {.catalog = r->common.catalog,
	    .calibration = r->common.calibration};
	const char *const *langs = o->languages;
	int n = o->n_languages;
	bool ok = true;

	if (!inputs_read_project(a, o, path, &in, d) || !r->sound)
		return false;
	if (n == 0) {
		langs = in.project->languages;
		n = in.project->n_languages;
	}
	inputs_decide(a, &in);
	if (o->dump == DUMP_NONE)
		return write_report(a, r, &in, langs, n, d);
	if (o->dump == DUMP_NEEDS || o->dump == DUMP_RESULTS)
		print_dump(a, o->dump, &in, NULL);
	else
		for (int i = 0; ok && i < n; i++)
			ok = do_language(o, &in, langs[i], NULL, NULL, d);
	return ok;
}

/* One project with memory and problems of its own. */
static bool
report_project(struct run *r, const char *path)
{
	struct arena *a = arena_new();
	struct diag d;
	bool ok;

	diag_init(&d, a);
	ok = report(a, r, path, &d);
	diag_print(&d, stderr);
	arena_free(a);
	return ok;
}

/* Every project, whatever becomes of the others; how many failed. */
static int
report_projects(struct run *r)
{
	int n = r->o->n_args, failed = 0;
	bool progress = n > 1 && isatty(STDERR_FILENO);

	for (int i = 0; i < n; i++) {
		if (progress)
			fprintf(stderr, "[%d/%d] %s\n", i + 1, n,
			    r->o->args[i]);
		if (report_project(r, r->o->args[i]))
			continue;
		failed++;
		if (n > 1)
			fprintf(stderr, "whygpu: no report of '%s'\n",
			    r->o->args[i]);
	}
	if (n > 1)
		fprintf(stderr,
		    "whygpu: %d projects: %d reports written, %d "
		    "failed\n",
		    n, n - failed, failed);
	return failed;
}

int
command_report(const struct options *o)
{
	struct arena *a = arena_new();
	struct fs_reads read = {.a = a};
	struct run r = {.o = o, .a = a, .read = &read};
	struct diag d;
	int failed = 1;

	if (o->n_args > 1 && (o->depfile || o->dump != DUMP_NONE)) {
		fputs("whygpu: --depfile and --dump are for one project\n",
		    stderr);
		arena_free(a);
		return EXIT_USAGE;
	}
	diag_init(&d, a);
	if (o->depfile)
		fs_watch(&read);
	if (inputs_read_common(a, o, &r.common, &d)) {
		r.sound = d.n_errors == 0;
		diag_print(&d, stderr);
		failed = report_projects(&r);
	} else {
		diag_print(&d, stderr);
	}
	fs_watch(NULL);
	arena_free(a);
	text_shutdown();
	return failed ? EXIT_INPUT : EXIT_FINE;
}
