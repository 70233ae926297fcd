#include <math.h>

#include <cairo.h>

#include "chart/plan.h"

#define DEGREE (3.14159265358979323846 / 180)

static void
set_colour(cairo_t *cr, struct rgb c)
{
	cairo_set_source_rgb(cr, c.r, c.g, c.b);
}

static void
trace(cairo_t *cr, const struct mark *m)
{
	cairo_new_path(cr);
	switch (m->kind) {
	case MARK_RECT: cairo_rectangle(cr, m->x, m->y, m->w, m->h); break;
	case MARK_CIRCLE:
		cairo_arc(cr, m->x, m->y, m->r, 0, 360 * DEGREE);
		cairo_close_path(cr);
		break;
	case MARK_LINE:
	case MARK_PATH:
		for (int i = 0; i < m->n_points; i++)
			cairo_line_to(cr, m->points[2 * i],
			    m->points[2 * i + 1]);
		if (m->filled || m->hatch != HATCH_NONE)
			cairo_close_path(cr);
		break;
	case MARK_TEXT: break;
	}
}

/* Lines at 45 degrees, `step` apart, over a box; `up` or down. */
static void
slanted(cairo_t *cr, double x0, double y0, double x1, double y1, bool up)
{
	const double step = 3.2;
	double h = y1 - y0;

	/* On a grid of the page, so that hatches of neighbours line up. */
	for (double x = floor((x0 - h) / step) * step; x < x1 + h; x += step) {
		cairo_move_to(cr, x, up ? y1 : y0);
		cairo_line_to(cr, x + h, up ? y0 : y1);
	}
}

static void
dots(cairo_t *cr, double x0, double y0, double x1, double y1)
{
	const double step = 3, r = 0.45;

	for (double y = y0 + step / 2; y < y1; y += step)
		for (double x = x0 + step / 2; x < x1; x += step) {
			cairo_new_sub_path(cr);
			cairo_arc(cr, x, y, r, 0, 360 * DEGREE);
		}
	cairo_fill(cr);
}

static void
draw_hatch(cairo_t *cr, const struct mark *m)
{
	double x0, y0, x1, y1;

	cairo_save(cr);
	trace(cr, m);
	cairo_path_extents(cr, &x0, &y0, &x1, &y1);
	cairo_clip(cr);
	set_colour(cr, m->stroke);
	cairo_set_line_width(cr, 0.7);
	if (m->hatch == HATCH_DOTS) {
		dots(cr, x0, y0, x1, y1);
	} else {
		slanted(cr, x0, y0, x1, y1, true);
		if (m->hatch == HATCH_CROSS)
			slanted(cr, x0, y0, x1, y1, false);
		cairo_stroke(cr);
	}
	cairo_restore(cr);
}

static void
draw_shape(cairo_t *cr, const struct mark *m)
{
	if (m->filled) {
		trace(cr, m);
		set_colour(cr, m->fill);
		cairo_fill(cr);
	}
	if (m->hatch != HATCH_NONE)
		draw_hatch(cr, m);
	if (!m->stroked)
		return;
	trace(cr, m);
	set_colour(cr, m->stroke);
	cairo_set_line_width(cr, m->line_width);
	cairo_set_line_join(cr, m->kind == MARK_RECT ? CAIRO_LINE_JOIN_MITER
						     : CAIRO_LINE_JOIN_ROUND);
	if (m->dash > 0)
		cairo_set_dash(cr, &m->dash, 1, 0);
	else
		cairo_set_dash(cr, NULL, 0, 0);
	cairo_stroke(cr);
}

static void
draw_text(cairo_t *cr, struct text_engine *e, const struct mark *m)
{
	cairo_save(cr);
	cairo_translate(cr, m->x, m->y);
	cairo_rotate(cr, m->angle * DEGREE);
	text_draw(e, cr, &m->style, -m->anchor * m->w, 0, m->text);
	cairo_restore(cr);
}

void
chart_draw(const struct chart_plan *p, struct text_engine *e, cairo_t *cr,
    double x, double y)
{
	cairo_save(cr);
	cairo_translate(cr, x, y);
	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].kind == MARK_TEXT)
			draw_text(cr, e, &p->marks[i]);
		else
			draw_shape(cr, &p->marks[i]);
	cairo_restore(cr);
}
