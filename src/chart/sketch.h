/*
 * A chart under construction: what the figure block says and shows, and the
 * marks placed so far.  Kinds draw through this; nothing is drawn that does
 * not go through here, so every text is measured and every word comes from
 * the figure's labels or from the results.
 *
 * Everything lives in the arena.  Problems are reported once and clear `ok`;
 * drawing goes on, so that one run reports them all.
 */
#ifndef CHART_SKETCH_H
#define CHART_SKETCH_H

#include <stdbool.h>

#include "base/str.h"
#include "chart/palette.h"
#include "chart/plan.h"
#include "data/results.h"
#include "doc/doc.h"

/* What a box covers, for texts that must not meet. */
struct extent {
	double x0, y0, x1, y1;
};

struct sketch {
	struct arena *a;
	struct text_engine *e;
	const struct block *figure;
	const char *lang;
	struct diag *d;
	struct chart_plan *plan;
	struct str csv;
	bool ok;
	/* see place.h: what texts keep off; names and leaders among it */
	struct extent *taken, *names, *leaders;
	int n_taken, n_names, n_leaders;
};

/* How a shape is painted.  The hatch is drawn in `stroke`. */
struct paint {
	enum ink fill, stroke;
	double line_width; /* 0: 0.6 pt */
	double dash;
	enum hatch hatch;
	bool no_outline; /* `stroke` is for the hatch only */
};

enum symbol {
	SYMBOL_CIRCLE,
	SYMBOL_SQUARE,
	SYMBOL_DIAMOND,
	SYMBOL_TRIANGLE,
	SYMBOL_PLUS,
	SYMBOL_CHECK,
	SYMBOL_CROSS
};

/* Charts higher than this leave rows out and say how many. */
#define CHART_MAX_HEIGHT 620.0

/* Words and data ---------------------------------------------------------- */

/*
 * The wording `name`: the figure's label "chart.<kind>.<name>", else `name`
 * itself.  Reports "chart-label" and gives "" when neither is there.
 */
const char *sketch_label(struct sketch *s, const char *name);
/* The same, but NULL where there is no such wording: nothing is reported. */
const char *sketch_label_or_null(struct sketch *s, const char *name);
/* The label `stem`.`id`, as in gate.memory. */
const char *sketch_label_id(struct sketch *s, const char *stem, const char *id);
/* A text of the results in the chart's language; `missing` if absent. */
const char *sketch_text_of(struct sketch *s, const struct node *n,
    const char *path, const char *missing);
/* The name of a card without its maker, and without "Generation". */
const char *sketch_short_name(struct sketch *s, const char *name);

/* The root of the results, and the vendor that `of` is or lies in. */
const struct node *sketch_root(const struct sketch *s);
const struct node *sketch_vendor(const struct sketch *s);
/* The list or group at a path; NULL after reporting "chart-data". */
const struct node *
sketch_need(struct sketch *s, const struct node *from, const char *path);
/* A number that can be drawn on a log scale: there, finite, above zero. */
bool sketch_positive(const struct node *from, const char *path, double *v);
/* A finite number, not below zero. */
bool sketch_amount(const struct node *from, const char *path, double *v);
bool sketch_flag(const struct node *from, const char *path);
/* Report "chart-data": `what` is missing or cannot be drawn. */
void sketch_no_data(struct sketch *s, const char *what);

/* One row of the data file; fields are quoted as needed, NULL is empty. */
void sketch_csv(struct sketch *s, const char *const *fields, int n);
#define SKETCH_CSV(s, ...)                                                     \
	sketch_csv((s), (const char *const[]){__VA_ARGS__},                    \
	    (int)(sizeof((const char *const[]){__VA_ARGS__}) /                 \
		  sizeof(char *)))

/* Shapes ------------------------------------------------------------------ */

void sketch_rect(struct sketch *s, double x, double y, double w, double h,
    struct paint p);
void sketch_line(struct sketch *s, double x0, double y0, double x1, double y1,
    struct paint p);
/* `points` are copied; a fill closes the path. */
void sketch_path(struct sketch *s, const double *points, int n, struct paint p);
void
sketch_circle(struct sketch *s, double x, double y, double r, struct paint p);
/* `r` is half the width of a circle of the same visual weight. */
void sketch_symbol(struct sketch *s, enum symbol sym, double x, double y,
    double r, struct paint p);

/* Text -------------------------------------------------------------------- */

double sketch_width(struct sketch *s, enum type t, const char *text);
/* The widest of several, NULL counting as nothing. */
double
sketch_widest(struct sketch *s, enum type t, const char *const *texts, int n);
/* Baseline at y; returns the width. */
double sketch_text(struct sketch *s, enum type t, double x, double y,
    double anchor, const char *text);
/* Turned by `angle` degrees clockwise about x, y. */
void sketch_text_turned(struct sketch *s, enum type t, double x, double y,
    double anchor, double angle, const char *text);
/* Baseline that centres a line of type `t` on y. */
double sketch_baseline(enum type t, double y_middle);
/* From one baseline to the next. */
double sketch_leading(enum type t);

/* `text` itself if it fits into `width`, else cut with an ellipsis. */
const char *
sketch_fit(struct sketch *s, enum type t, const char *text, double width);
/*
 * `text` in at most `max` lines of `width`, of even length; broken before a
 * bracket if both parts fit, else at spaces and between Han characters; the
 * last line is cut if it must be.
 */
const char **sketch_wrap(struct sketch *s, enum type t, const char *text,
    double width, int max, int *n);
/* Draw wrapped lines downward, the first baseline at y; returns the last. */
double sketch_lines(struct sketch *s, enum type t, double x, double y,
    double anchor, const char *const *lines, int n);
/* A note across the width, its top at y; returns its bottom. */
double sketch_note(struct sketch *s, double y, const char *text);

/* A key: symbols with words, in a line that wraps ------------------------- */

struct key {
	double x, y; /* the next free place, middle of the line */
};

struct key sketch_key(double y_top);
/* Room for one entry of the key; gives where its symbol goes. */
void sketch_key_entry(struct sketch *s, struct key *k, double symbol_width,
    const char *text, double *x, double *y);
/* The next entry begins a line. */
void sketch_key_line(struct key *k);
double sketch_key_bottom(const struct key *k);

#endif
