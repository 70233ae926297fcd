/*
 * The one text engine, for pages and charts.
 *
 * Fonts come from `fonts_dir` only (a private fontconfig), never from the
 * host.  Text that the cut faces cannot show falls to the full faces; what
 * even those lack is reported as "glyph-missing" with the text, and the
 * caller must not write the output.
 */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;
typedef struct _cairo cairo_t;

struct rgb {
	double r, g, b; /* 0..1 */
};

enum face { FACE_SERIF, FACE_SERIF_BOLD, FACE_SANS, FACE_SANS_BOLD };

struct text_style {
	enum face face;
	double size_pt;
	struct rgb color;
};

struct text_engine;

/*
 * NULL after reporting "fonts-missing" with what to run.  `lang` is a BCP 47
 * tag and picks glyph forms and line break rules.
 */
struct text_engine *text_engine_new(struct arena *a, const char *fonts_dir,
    const char *lang, struct diag *d);

/*
 * Drop what the font libraries keep for the life of the process, after the
 * last engine is gone; for programs that are checked for leaks.
 */
void text_shutdown(void);

/* True if every character so far had a glyph. */
bool text_engine_complete(const struct text_engine *e);
/*
 * Report each character without a glyph, with the text it stands in, at its
 * place in the first of `files` that holds it (some may be NULL).
 */
void text_engine_report(const struct text_engine *e,
    const struct source *const *files, int n, struct diag *d);

/* ascent and descent are those of the em box: 0.88 and 0.12 of the size. */
struct text_size {
	double width, ascent, descent; /* pt; descent is positive */
};

/* One line, no wrapping. */
struct text_size text_measure(struct text_engine *e, const struct text_style *s,
    const char *text);
/* Left end of the baseline at x, y. */
void text_draw(struct text_engine *e, cairo_t *cr, const struct text_style *s,
    double x, double y, const char *text);

/* A run of a paragraph. */
struct text_run {
	const char *text;
	struct text_style style;
	int tag;          /* the caller's index, given back by text_line_runs */
	const char *lang; /* NULL: the engine's */
};

enum text_align { TEXT_START, TEXT_CENTRE, TEXT_END, TEXT_JUSTIFY };

struct text_para_spec {
	const struct text_run *runs;
	int n_runs;
	double width;       /* pt */
	double indent;      /* first line, pt */
	double line_height; /* multiple of the size, e.g. 1.5 */
	enum text_align align;
};

struct text_para; /* lives in the arena given */

struct text_para *text_para_new(struct arena *a, struct text_engine *e,
    const struct text_para_spec *spec);
int text_para_lines(const struct text_para *p);
/* Height of one line including its share of leading. */
double text_para_line_height(const struct text_para *p, int line);
double text_para_baseline(const struct text_para *p, int line); /* from top */
double text_para_line_width(const struct text_para *p, int line);
double text_para_widest(const struct text_para *p);
/* Draw one line with its top left corner at x, y. */
void text_para_draw(const struct text_para *p, cairo_t *cr, int line, double x,
    double y);
/* The same, but only the runs whose tags lie in from..to. */
void text_para_draw_tags(const struct text_para *p, cairo_t *cr, int line,
    double x, double y, int from, int to);
/* The characters of one line, as a reader would copy them. */
char *text_para_text(struct arena *a, const struct text_para *p, int line);

/* Where runs of one tag lie on a line, for links: x from the left edge. */
struct text_extent {
	int tag;
	double x, width;
};
int text_para_extents(const struct text_para *p, int line,
    struct text_extent *out, int max);

/*
 * Narrowest width that breaks no word, and width on one line (for table
 * columns).
 */
void text_para_widths(struct text_engine *e, const struct text_run *runs, int n,
    double *narrowest, double *natural);

#endif
