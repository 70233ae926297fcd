#include <stdio.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"
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
	struct document *document;
	struct text_engine *engine;
	struct pages *pages;
};

static bool
make_edition(struct arena *a, const struct options *o,
    const struct inputs *in, struct edition *e, struct diag *d)
{
	struct template *t = template_read(a, o->templates, e->lang, d);

	if (!t)
		return false;
	e->document = template_apply(a, t, in->results, d);
	if (!e->document || o->dump == DUMP_DOC)
		return e->document != NULL;
	e->engine = text_engine_new(a, o->fonts, e->lang, d);
	if (!e->engine)
		return false;
	e->pages = layout_document(a, e->engine, e->document,
	    page_style_for(e->lang), d);
	if (!e->pages)
		return false;
	if (!text_engine_complete(e->engine))
		text_engine_report(e->engine, d);
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
		if (!fs_set_write(set, arena_printf(a, "charts/%s.%s.svg",
		    file, e->lang), svg.s, svg.len, d))
			return false;
	}
	return true;
}

static bool
write_edition(struct arena *a, struct fs_set *set, const struct edition *e,
    struct diag *d)
{
	const char *path = fs_set_path(set, arena_printf(a, "report.%s.pdf",
	    e->lang));

	return pdf_write(a, e->engine, e->pages, e->document, path, d) &&
	    write_charts(a, set, e, d);
}

/* All files of the report, results.xml last; none of them on a failure. */
static bool
write_all(struct arena *a, const char *dir, const struct inputs *in,
    const struct edition *editions, int n, struct diag *d)
{
	struct fs_set *set = fs_set_begin(a, dir, d);
	struct str xml;
	bool ok = set != NULL;

	for (int i = 0; ok && i < n; i++)
		ok = write_edition(a, set, &editions[i], d);
	str_init(&xml, a);
	node_xml(in->results, &xml);
	ok = ok && fs_set_write(set, "results.xml", xml.s, xml.len, d);
	if (ok)
		return fs_set_commit(set, d);
	if (set)
		fs_set_abort(set);
	return false;
}

static bool
report(struct arena *a, const struct options *o, struct diag *d)
{
	struct inputs in = {0};
	struct edition editions[4] = {{0}};
	const char *const *langs = o->languages;
	int n = o->n_languages;

	if (!inputs_read(a, o, o->args[0], &in, d))
		return false;
	if (n == 0) {
		langs = in.project->languages;
		n = in.project->n_languages;
	}
	inputs_decide(a, &in);
	if (o->dump == DUMP_NEEDS || o->dump == DUMP_RESULTS) {
		print_dump(a, o->dump, &in, NULL);
		return true;
	}
	for (int i = 0; i < n; i++) {
		editions[i].lang = langs[i];
		if (!make_edition(a, o, &in, &editions[i], d))
			return false;
		if (o->dump)
			print_dump(a, o->dump, &in, &editions[i]);
	}
	return o->dump || write_all(a, o->out ? o->out :
	    fs_join(a, "out", in.project->id), &in, editions, n, d);
}

int
command_report(const struct options *o)
{
	struct arena *a = arena_new();
	struct diag d;
	bool ok;

	diag_init(&d, a);
	ok = report(a, o, &d);
	diag_print(&d, stderr);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
