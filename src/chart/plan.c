#include "chart/plan.h"

#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "chart/kinds.h"
#include "chart/sketch.h"

/* Charts narrower than this are made this wide. */
#define LEAST_WIDTH 240.0

static const struct {
	const char *name;
	void (*draw)(struct sketch *s);
} kinds[] = {
    {"matrix", kind_matrix},
    {"dials", kind_dials},
    {"dials-all", kind_dials_all},
    {"roofline", kind_roofline},
    {"gauges", kind_gauges},
    {"memory", kind_memory},
    {"market", kind_market},
    {"plan", kind_plan},
    {"what-if", kind_whatif},
    {"cpu-gpu", kind_cpu_gpu},
    {"families", kind_families},
};

enum { N_KINDS = sizeof(kinds) / sizeof(*kinds) };

static int
find_kind(const char *name, struct diag *d)
{
	const char *names[N_KINDS], *near;

	for (int i = 0; i < N_KINDS; i++) {
		names[i] = kinds[i].name;
		if (str_equal(name, names[i]))
			return i;
	}
	near = name ? str_nearest(name, names, N_KINDS) : NULL;
	diag_error(d, (struct pos){NULL, 0, 0}, "chart-kind",
	    "unknown chart kind '%s'", name ? name : "");
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	return -1;
}

struct chart_plan *
chart_build(struct arena *a, struct text_engine *e, const struct block *figure,
    const char *lang, double width, struct diag *d)
{
	int kind = find_kind(figure->chart, d);
	struct sketch s = {.a = a,
	    .e = e,
	    .figure = figure,
	    .lang = lang,
	    .d = d,
	    .ok = true};

	if (kind < 0)
		return NULL;
	str_init(&s.csv, a);
	s.plan = arena_alloc(a, 1, sizeof(*s.plan));
	s.plan->width =
	    isfinite(width) ? fmax(width, LEAST_WIDTH) : LEAST_WIDTH;
	s.plan->title = inlines_text(a, &figure->title);
	s.plan->desc = figure->alt ? figure->alt : s.plan->title;
	s.plan->lang = lang;
	if (!figure->of)
		sketch_no_data(&s, "of");
	else
		kinds[kind].draw(&s);
	s.plan->csv = s.csv.s;
	return s.ok ? s.plan : NULL;
}

static void
dump_colour(struct str *out, const char *name, struct rgb c)
{
	str_addf(out, " %s #%02x%02x%02x", name, (unsigned)lround(255 * c.r),
	    (unsigned)lround(255 * c.g), (unsigned)lround(255 * c.b));
}

static void
dump_mark(struct str *out, const struct mark *m)
{
	static const char *const names[] = {"rect", "line", "path", "circle",
	    "text"};
	static const char *const hatches[] = {"none", "diagonal", "cross",
	    "dots"};

	str_add(out, names[m->kind]);
	switch (m->kind) {
	case MARK_RECT:
		str_addf(out, " %.2f %.2f %.2f %.2f", m->x, m->y, m->w, m->h);
		break;
	case MARK_LINE:
	case MARK_PATH:
		for (int i = 0; i < 2 * m->n_points; i++)
			str_addf(out, " %.2f", m->points[i]);
		break;
	case MARK_CIRCLE:
		str_addf(out, " %.2f %.2f r %.2f", m->x, m->y, m->r);
		break;
	case MARK_TEXT:
		str_addf(out,
		    " %.2f %.2f anchor %.1f width %.2f size %.1f "
		    "angle %.1f '%s'",
		    m->x, m->y, m->anchor, m->w, m->style.size_pt, m->angle,
		    m->text);
		dump_colour(out, "color", m->style.color);
		str_addc(out, '\n');
		return;
	}
	if (m->filled)
		dump_colour(out, "fill", m->fill);
	if (m->stroked)
		dump_colour(out, "stroke", m->stroke);
	if (m->stroked)
		str_addf(out, " line %.2f", m->line_width);
	if (m->dash > 0)
		str_addf(out, " dash %.1f", m->dash);
	if (m->hatch != HATCH_NONE)
		str_addf(out, " hatch %s", hatches[m->hatch]);
	str_addc(out, '\n');
}

void
chart_dump(const struct chart_plan *p, struct str *out)
{
	str_addf(out, "chart %.2f x %.2f lang %s\ntitle %s\ndesc %s\n",
	    p->width, p->height, p->lang ? p->lang : "", p->title, p->desc);
	for (int i = 0; i < p->n_marks; i++)
		dump_mark(out, &p->marks[i]);
	str_addf(out, "data\n%s", p->csv);
}
