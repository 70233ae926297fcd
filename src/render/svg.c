#include "render/svg.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "chart/plan.h"

/* Faces by the names people have them under, best first. */
#define SANS                                                                   \
	"'Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei',"                 \
	"'PingFang SC',sans-serif"
#define SERIF "'Noto Serif CJK SC','Noto Serif SC',SimSun,'Songti SC',serif"

enum { MAX_PATTERNS = 32 };

/* A hatch in a colour, defined once a file. */
struct pattern {
	enum hatch hatch;
	struct rgb ink, ground;
	bool filled;
};

struct writer {
	struct str *out;
	const char *id;
	struct pattern patterns[MAX_PATTERNS];
	int n_patterns;
	struct str style; /* of the group that is open; empty: none */
	bool open, in_path;
};

/* At most two decimals, no zeros at the end, no "-0". */
static void
add_number(struct str *out, double v)
{
	long hundredths =
	    isfinite(v) ? lround(fmax(-1e7, fmin(v, 1e7)) * 100) : 0;
	long whole;

	if (hundredths < 0) {
		str_addc(out, '-');
		hundredths = -hundredths;
	}
	whole = hundredths / 100;
	hundredths %= 100;
	if (whole > 0 || hundredths == 0)
		str_addf(out, "%ld", whole);
	if (hundredths % 10)
		str_addf(out, ".%02ld", hundredths);
	else if (hundredths)
		str_addf(out, ".%ld", hundredths / 10);
}

static void
add_attr(struct str *out, const char *name, double v)
{
	str_addf(out, " %s=\"", name);
	add_number(out, v);
	str_addc(out, '"');
}

/* The next number of a list: a minus separates by itself. */
static void
add_next(struct str *out, double v)
{
	if (v > -0.005)
		str_addc(out, ' ');
	add_number(out, v);
}

static unsigned
byte_of(double c)
{
	return (unsigned)lround(255 * fmax(0, fmin(c, 1)));
}

static void
add_colour(struct str *out, struct rgb c)
{
	unsigned r = byte_of(c.r), g = byte_of(c.g), b = byte_of(c.b);

	if (r % 17 == 0 && g % 17 == 0 && b % 17 == 0)
		str_addf(out, "#%x%x%x", r / 17, g / 17, b / 17);
	else
		str_addf(out, "#%02x%02x%02x", r, g, b);
}

static void
add_paint(struct str *out, const char *name, struct rgb c)
{
	str_addf(out, " %s=\"", name);
	add_colour(out, c);
	str_addc(out, '"');
}

static bool
same_colour(struct rgb a, struct rgb b)
{
	return byte_of(a.r) == byte_of(b.r) && byte_of(a.g) == byte_of(b.g) &&
	       byte_of(a.b) == byte_of(b.b);
}

/* Ids are letters, digits, '-', '_' and '.'; others become '-'. */
static const char *
tame_id(struct arena *a, const char *id)
{
	char *s = arena_printf(a, "%s%s", *id >= '0' && *id <= '9' ? "c" : "",
	    *id ? id : "chart");

	for (char *p = s; *p; p++)
		if (!(*p >= 'a' && *p <= 'z') && !(*p >= 'A' && *p <= 'Z') &&
		    !(*p >= '0' && *p <= '9') && *p != '-' && *p != '_')
			*p = '-';
	if (*s == '-')
		*s = 'c';
	return s;
}

/* Hatches ----------------------------------------------------------------- */

static int
find_pattern(const struct writer *w, const struct mark *m)
{
	for (int i = 0; i < w->n_patterns; i++) {
		const struct pattern *p = &w->patterns[i];

		if (p->hatch == m->hatch && p->filled == m->filled &&
		    same_colour(p->ink, m->stroke) &&
		    (!m->filled || same_colour(p->ground, m->fill)))
			return i;
	}
	return -1;
}

static void
collect_patterns(struct writer *w, const struct chart_plan *p)
{
	for (int i = 0; i < p->n_marks; i++) {
		const struct mark *m = &p->marks[i];

		if (m->hatch != HATCH_NONE && find_pattern(w, m) < 0 &&
		    w->n_patterns < MAX_PATTERNS)
			w->patterns[w->n_patterns++] =
			    (struct pattern){m->hatch, m->stroke, m->fill,
				m->filled};
	}
}

static void
write_pattern(struct writer *w, int i)
{
	static const char *const shapes[] = {
	    [HATCH_DIAGONAL] = "<path d=\"M-1 1l2-2M0 3.2 3.2 0"
			       "M2.2 4.2l2-2\"",
	    [HATCH_CROSS] = "<path d=\"M0 0 3.2 3.2M0 3.2 3.2 0\"",
	    [HATCH_DOTS] = "<circle cx=\"1.6\" cy=\"1.6\" r=\".45\"",
	};
	const struct pattern *p = &w->patterns[i];

	str_addf(w->out,
	    "<pattern id=\"%s-h%d\" width=\"3.2\" height=\"3.2\" "
	    "patternUnits=\"userSpaceOnUse\">",
	    w->id, i);
	if (p->filled) {
		str_add(w->out, "<path d=\"M0 0h3.2v3.2H0z\"");
		add_paint(w->out, "fill", p->ground);
		str_add(w->out, "/>");
	}
	str_add(w->out, shapes[p->hatch]);
	if (p->hatch == HATCH_DOTS) {
		add_paint(w->out, "fill", p->ink);
	} else {
		add_paint(w->out, "stroke", p->ink);
		str_add(w->out, " stroke-width=\".7\"");
	}
	str_add(w->out, "/></pattern>");
}

/* Marks ------------------------------------------------------------------- */

static void
add_text_style(struct str *out, const struct mark *m)
{
	add_paint(out, "fill", m->style.color);
	add_attr(out, "font-size", m->style.size_pt);
	if (m->style.face == FACE_SANS_BOLD || m->style.face == FACE_SERIF_BOLD)
		str_add(out, " font-weight=\"700\"");
	if (m->style.face == FACE_SERIF || m->style.face == FACE_SERIF_BOLD)
		str_add(out, " font-family=\"" SERIF "\"");
	if (m->anchor > 0.75)
		str_add(out, " text-anchor=\"end\"");
	else if (m->anchor > 0.25)
		str_add(out, " text-anchor=\"middle\"");
}

/* What marks of one look share: written once, on a group around them. */
static void
style_of(const struct writer *w, const struct mark *m, struct str *out)
{
	int pattern = m->hatch != HATCH_NONE ? find_pattern(w, m) : -1;

	if (m->kind == MARK_TEXT) {
		add_text_style(out, m);
		return;
	}
	if (pattern >= 0)
		str_addf(out, " fill=\"url(#%s-h%d)\"", w->id, pattern);
	else if (m->filled)
		add_paint(out, "fill", m->fill);
	else
		str_add(out, " fill=\"none\"");
	if (!m->stroked)
		return;
	add_paint(out, "stroke", m->stroke);
	add_attr(out, "stroke-width", m->line_width);
	if (m->dash > 0)
		add_attr(out, "stroke-dasharray", m->dash);
	if (m->kind == MARK_PATH)
		str_add(out, " stroke-linejoin=\"round\"");
}

static void
close_path(struct writer *w)
{
	if (w->in_path)
		str_add(w->out, "\"/>");
	w->in_path = false;
}

static void
close_group(struct writer *w)
{
	close_path(w);
	if (w->open)
		str_add(w->out, "</g>\n");
	w->open = false;
}

static void
open_group(struct writer *w, const struct str *style)
{
	if (w->open && strcmp(w->style.s, style->s) == 0)
		return;
	close_group(w);
	str_addf(w->out, "<g%s>", style->s);
	w->style = *style;
	w->open = true;
}

/* Relative to what was written last, so that rounding does not add up. */
static void
add_path_data(struct str *out, const struct mark *m)
{
	double x = 0, y = 0;

	for (int i = 0; i < m->n_points; i++) {
		double nx = round(m->points[2 * i] * 100) / 100;
		double ny = round(m->points[2 * i + 1] * 100) / 100;

		if (i == 0) {
			str_addc(out, 'M');
			add_number(out, nx);
			add_next(out, ny);
		} else if (fabs(ny - y) < 0.005) {
			str_addc(out, 'h');
			add_number(out, nx - x);
		} else if (fabs(nx - x) < 0.005) {
			str_addc(out, 'v');
			add_number(out, ny - y);
		} else {
			str_addc(out, 'l');
			add_number(out, nx - x);
			add_next(out, ny - y);
		}
		x = nx;
		y = ny;
	}
	if (m->kind == MARK_PATH && (m->filled || m->hatch != HATCH_NONE))
		str_addc(out, 'z');
}

static void
add_rect_data(struct str *out, const struct mark *m)
{
	str_addc(out, 'M');
	add_number(out, m->x);
	add_next(out, m->y);
	str_addc(out, 'h');
	add_number(out, m->w);
	str_addc(out, 'v');
	add_number(out, m->h);
	str_addc(out, 'h');
	add_number(out, -m->w);
	str_addc(out, 'z');
}

/*
 * Shapes of one look make one path.  Not where fill and outline meet: an
 * outline of the first would then lie over the fill of the second.
 */
static void
write_shape(struct writer *w, const struct mark *m)
{
	if (w->in_path && m->stroked && (m->filled || m->hatch != HATCH_NONE))
		close_path(w);
	if (!w->in_path)
		str_add(w->out, "<path d=\"");
	w->in_path = true;
	if (m->kind == MARK_RECT)
		add_rect_data(w->out, m);
	else
		add_path_data(w->out, m);
}

static void
write_text(struct str *out, const struct mark *m)
{
	str_add(out, "<text");
	if (fabs(m->angle) > 0.005) {
		str_add(out, " transform=\"translate(");
		add_number(out, m->x);
		str_addc(out, ' ');
		add_number(out, m->y);
		str_add(out, ")rotate(");
		add_number(out, m->angle);
		str_add(out, ")\"");
	} else {
		add_attr(out, "x", m->x);
		add_attr(out, "y", m->y);
	}
	/* measured with its spaces, so drawn with them */
	if (strstr(m->text, "  "))
		str_add(out, " xml:space=\"preserve\"");
	str_addc(out, '>');
	str_add_xml(out, m->text);
	str_add(out, "</text>");
}

static void
write_circle(struct str *out, const struct mark *m)
{
	str_add(out, "<circle");
	add_attr(out, "cx", m->x);
	add_attr(out, "cy", m->y);
	add_attr(out, "r", m->r);
	str_add(out, "/>");
}

static void
write_mark(struct writer *w, const struct mark *m)
{
	if (m->kind == MARK_CIRCLE || m->kind == MARK_TEXT)
		close_path(w);
	switch (m->kind) {
	case MARK_RECT:
	case MARK_LINE:
	case MARK_PATH: write_shape(w, m); break;
	case MARK_CIRCLE: write_circle(w->out, m); break;
	case MARK_TEXT: write_text(w->out, m); break;
	}
}

static void
write_head(struct writer *w, const struct chart_plan *p)
{
	str_add(w->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
			"xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
	str_addf(w->out,
	    " id=\"%s\" aria-labelledby=\"%s-t %s-d\" "
	    "xml:lang=\"",
	    w->id, w->id, w->id);
	str_add_xml(w->out, p->lang ? p->lang : "zh-CN");
	str_add(w->out, "\" width=\"");
	add_number(w->out, p->width);
	str_add(w->out, "pt\" height=\"");
	add_number(w->out, p->height);
	str_add(w->out, "pt\" viewBox=\"0 0");
	add_next(w->out, p->width);
	add_next(w->out, p->height);
	str_add(w->out, "\" font-family=\"" SANS "\">\n");
	str_addf(w->out, "<title id=\"%s-t\">", w->id);
	str_add_xml(w->out, p->title ? p->title : "");
	str_addf(w->out, "</title>\n<desc id=\"%s-d\">", w->id);
	str_add_xml(w->out, p->desc ? p->desc : "");
	str_add(w->out, "</desc>\n");
}

void
svg_write(const struct chart_plan *p, const char *id, struct str *out)
{
	struct writer w = {.out = out, .id = tame_id(out->a, id)};

	collect_patterns(&w, p);
	write_head(&w, p);
	if (w.n_patterns > 0) {
		str_add(out, "<defs>");
		for (int i = 0; i < w.n_patterns; i++)
			write_pattern(&w, i);
		str_add(out, "</defs>\n");
	}
	str_add(out, "<path fill=\"#fff\" d=\"M0 0h");
	add_number(out, p->width);
	str_addc(out, 'v');
	add_number(out, p->height);
	str_add(out, "H0z\"/>\n");
	for (int i = 0; i < p->n_marks; i++) {
		struct str style;

		str_init(&style, out->a);
		style_of(&w, &p->marks[i], &style);
		open_group(&w, &style);
		write_mark(&w, &p->marks[i]);
	}
	close_group(&w);
	str_add(out, "</svg>\n");
}
