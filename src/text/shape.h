/*
 * Inside of the text engine: runs of text become clusters, the smallest
 * pieces that a line may be filled with, each with its natural width, the
 * gap before it and whether a line may start with it.
 *
 * A shaped text depends only on the characters, faces, sizes and languages
 * of its runs, so it is made once per engine and shared.
 */
#ifndef TEXT_SHAPE_H
#define TEXT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <pango/pangocairo.h>

#include "base/str.h"
#include "text/text.h"

/* What a character is for Chinese line setting. */
enum char_class {
	CHAR_OTHER, /* narrow signs and brackets */
	CHAR_LATIN, /* narrow letters and digits, and % and the like */
	CHAR_SPACE,
	CHAR_HAN,   /* ideographs, kana, full-width letters and signs */
	CHAR_OPEN,  /* full-width opening bracket: ink in its right half */
	CHAR_CLOSE, /* full-width closing bracket, comma, stop: left half */
	CHAR_DASH   /* the halves of a dash or an ellipsis */
};

/* May a line start here? */
enum line_break {
	BREAK_NO,
	BREAK_GLYPH, /* only if nothing else fits */
	BREAK_PIECE, /* only if the word is too long: after - _ / . and so */
	BREAK_YES
};

struct cluster {
	int byte, n_bytes;
	int glyph, n_glyphs;
	int font; /* in text_engine.fonts */
	int run;
	float size;       /* pt */
	float width;      /* pt, as set inside a line */
	float trim;       /* pt cut from its left side already */
	float gap;        /* pt before it, when not first on the line */
	float end_trim;   /* pt that it loses at the end of a line */
	float start_trim; /* pt that it loses at the start of a line */
	uint8_t kind;     /* enum char_class */
	uint8_t brk;      /* enum line_break */
	bool gap_space;   /* a space that stands between Han and Latin */
};

struct shaped {
	struct shaped *next; /* in its hash bucket */
	uint64_t hash;
	const char *key;
	size_t key_len;
	char *text; /* all runs, cleaned */
	struct cluster *clusters;
	int n;
	cairo_glyph_t *glyphs; /* x, y from the origin of their cluster */
	double size;           /* the largest */
	double *x;             /* of each cluster when set on one line */
	double width;          /* on one line */
};

struct shaped *
text_shape(struct text_engine *e, const struct text_run *runs, int n);

/* From here on: the engine's parts, for shape.c. */

struct missing {
	uint32_t cp;
	const char *text;
};

enum { SHAPED_BUCKETS = 4096, MISSING_MAX = 50 };

struct text_engine {
	struct arena *a;
	const char *dir;
	PangoLanguage *lang;
	PangoFontMap *map;
	PangoContext *context;
	struct _FcConfig *config;
	const struct _FcCharSet *coverage[4]; /* of the cut faces */
	bool full_loaded;
	PangoFontDescription *faces[4];
	PangoFont **fonts; /* each used so far, one reference each */
	int n_fonts;
	struct shaped **shaped; /* SHAPED_BUCKETS */
	struct str scratch;     /* for keys */
	struct missing *missing;
	int n_missing;
};

/* Make sure the engine can show `cp` in a face, if any font we have can. */
void engine_want(struct text_engine *e, enum face face, uint32_t cp);
void engine_missing(struct text_engine *e, uint32_t cp, const char *text);
int engine_font(struct text_engine *e, PangoFont *font);

#endif
