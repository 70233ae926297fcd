/*
 * The faces: four cut ones from the fonts folder, and behind them the uncut
 * ones of the distribution, which are opened only when a character needs
 * them.  Nothing of the host's font configuration is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fontconfig/fontconfig.h>
#include <fontconfig/fcfreetype.h>
#include <pango/pangofc-fontmap.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "text/shape.h"

struct face_info {
	const char *name; /* of its file, and in full.txt */
	const char *family;
	const char *full; /* family name of the uncut face */
	bool bold;
};

static const struct face_info faces[4] = {
    [FACE_SERIF] = {"serif", "Noto Serif CJK SC", "Full Serif", false},
    [FACE_SERIF_BOLD] = {"serif-bold", "Noto Serif CJK SC", "Full Serif", true},
    [FACE_SANS] = {"sans", "Noto Sans CJK SC", "Full Sans", false},
    [FACE_SANS_BOLD] = {"sans-bold", "Noto Sans CJK SC", "Full Sans", true},
};

enum { FULL_LIST_MAX = 64 * 1024 };

static void
unref_object(void *obj)
{
	g_object_unref(obj);
}

/*
 * What fontconfig and Pango fall back to when they are not told: without it
 * each new font map would start a thread that reads the host's fonts.
 */
static FcConfig *no_fonts;

static void
hide_host_fonts(void)
{
	if (no_fonts)
		return;
	no_fonts = FcConfigCreate();
	FcConfigSetCurrent(no_fonts);
}

/* The map keeps a reference to its configuration until it gets another. */
static void
free_map(void *obj)
{
	pango_fc_font_map_set_config(obj, no_fonts);
	g_object_unref(obj);
}

static void
free_description(void *obj)
{
	pango_font_description_free(obj);
}

static void
destroy_config(void *obj)
{
	FcConfigDestroy(obj);
}

static void
unref_fonts(void *obj)
{
	struct text_engine *e = obj;

	for (int i = 0; i < e->n_fonts; i++)
		g_object_unref(e->fonts[i]);
}

/* The coverage of the face last added to the configuration. */
static const FcCharSet *
last_coverage(FcConfig *config)
{
	const FcFontSet *set = FcConfigGetFonts(config, FcSetApplication);
	FcCharSet *cover;

	if (!set || set->nfont == 0 ||
	    FcPatternGetCharSet(set->fonts[set->nfont - 1], FC_CHARSET, 0,
		&cover) != FcResultMatch)
		return NULL;
	return cover;
}

static bool
load_cut_faces(struct text_engine *e, struct diag *d)
{
	for (int i = 0; i < 4; i++) {
		const char *path =
		    arena_printf(e->a, "%s/%s.otf", e->dir, faces[i].name);

		if (!fs_exists(path) ||
		    !FcConfigAppFontAddFile(e->config, (const FcChar8 *)path) ||
		    !(e->coverage[i] = last_coverage(e->config))) {
			diag_error(d, pos_file(NULL), "fonts-missing",
			    "cannot load the font '%s'", path);
			diag_note(d, "make them with: fonts/cut.sh %s", e->dir);
			return false;
		}
	}
	return true;
}

/* Add one uncut face under its own family name, so that it stands last. */
static void
add_full_face(FcConfig *config, const struct face_info *face, int index,
    const char *path)
{
	FcFontSet *set = FcConfigGetFonts(config, FcSetApplication);
	FcPattern *p;
	int n;

	if (!fs_exists(path))
		return;
	p = FcFreeTypeQuery((const FcChar8 *)path, (unsigned)index, NULL, &n);
	if (!p)
		return;
	FcPatternDel(p, FC_FAMILY);
	FcPatternDel(p, FC_FAMILYLANG);
	FcPatternAddString(p, FC_FAMILY, (const FcChar8 *)face->full);
	FcPatternAddString(p, FC_FAMILYLANG, (const FcChar8 *)"en");
	if (!FcFontSetAdd(set, p))
		FcPatternDestroy(p);
}

/* full.txt has a line "name<TAB>number in the collection<TAB>path" a face. */
static void
load_full_faces(struct text_engine *e)
{
	struct arena *a = arena_new();
	struct diag quiet;
	struct source *list;

	e->full_loaded = true;
	diag_init(&quiet, a);
	list = fs_read(a, arena_printf(a, "%s/full.txt", e->dir), FULL_LIST_MAX,
	    pos_file(NULL), &quiet);
	for (char *line = list ? (char *)list->text : NULL; line;) {
		char *end = strchr(line, '\n');
		char *index = strchr(line, '\t');
		char *path = index ? strchr(index + 1, '\t') : NULL;

		if (!end || !path || path > end)
			break;
		*index = *path = *end = '\0';
		for (int i = 0; i < 4; i++)
			if (str_equal(line, faces[i].name))
				add_full_face(e->config, &faces[i],
				    (int)strtol(index + 1, NULL, 10), path + 1);
		line = end + 1;
	}
	pango_fc_font_map_config_changed(PANGO_FC_FONT_MAP(e->map));
	arena_free(a);
}

static void
make_context(struct text_engine *e)
{
	cairo_font_options_t *opt = cairo_font_options_create();

	e->map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
	pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(e->map), 72);
	pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(e->map), e->config);
	arena_on_free(e->a, free_map, e->map);

	e->context = pango_font_map_create_context(e->map);
	arena_on_free(e->a, unref_object, e->context);
	pango_context_set_language(e->context, e->lang);
	pango_context_set_base_dir(e->context, PANGO_DIRECTION_LTR);
	pango_context_set_round_glyph_positions(e->context, FALSE);
	cairo_font_options_set_hint_style(opt, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(opt, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(opt, CAIRO_ANTIALIAS_GRAY);
	pango_cairo_context_set_font_options(e->context, opt);
	cairo_font_options_destroy(opt);
}

static void
describe_faces(struct text_engine *e)
{
	for (int i = 0; i < 4; i++) {
		PangoFontDescription *desc = pango_font_description_new();
		char *family =
		    arena_printf(e->a, "%s,%s", faces[i].family, faces[i].full);

		pango_font_description_set_family(desc, family);
		pango_font_description_set_weight(desc,
		    faces[i].bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
		e->faces[i] = desc;
		arena_on_free(e->a, free_description, desc);
	}
}

struct text_engine *
text_engine_new(struct arena *a, const char *fonts_dir, const char *lang,
    struct diag *d)
{
	struct text_engine *e = arena_alloc(a, 1, sizeof(*e));

	e->a = a;
	e->dir = arena_strdup(a, fonts_dir);
	e->lang = pango_language_from_string(lang);
	hide_host_fonts();
	e->config = FcConfigCreate();
	if (!e->config)
		return NULL;
	arena_on_free(a, destroy_config, e->config);
	if (!load_cut_faces(e, d))
		return NULL;
	make_context(e);
	describe_faces(e);
	e->shaped = arena_alloc(a, SHAPED_BUCKETS, sizeof(*e->shaped));
	str_init(&e->scratch, a);
	arena_on_free(a, unref_fonts, e);
	return e;
}

void
engine_want(struct text_engine *e, enum face face, uint32_t cp)
{
	if (!e->full_loaded && !FcCharSetHasChar(e->coverage[face], cp))
		load_full_faces(e);
}

void
engine_missing(struct text_engine *e, uint32_t cp, const char *text)
{
	struct missing *m;

	for (int i = 0; i < e->n_missing; i++)
		if (e->missing[i].cp == cp)
			return;
	if (e->n_missing == MISSING_MAX)
		return;
	m = arena_push(e->a, &e->missing, &e->n_missing, sizeof(*m));
	m->cp = cp;
	m->text = arena_strdup(e->a, text);
}

int
engine_font(struct text_engine *e, PangoFont *font)
{
	PangoFont **slot;

	for (int i = e->n_fonts - 1; i >= 0; i--)
		if (e->fonts[i] == font)
			return i;
	slot = arena_push(e->a, &e->fonts, &e->n_fonts, sizeof(*slot));
	*slot = g_object_ref(font);
	return e->n_fonts - 1;
}

bool
text_engine_complete(const struct text_engine *e)
{
	return e->n_missing == 0;
}

/* At most `max` characters of a text, for a message. */
static char *
excerpt(struct arena *a, const char *text, int max)
{
	const char *s = text;

	for (int i = 0; i < max && *s; i++)
		utf8_next(&s);
	return *s ? arena_printf(a, "%.*s...", (int)(s - text), text)
		  : arena_strdup(a, text);
}

static struct pos
find_character(uint32_t cp, const struct source *const *files, int n)
{
	for (int i = 0; i < n; i++) {
		const char *s = files[i] ? files[i]->text : NULL, *at = s;
		uint32_t next;

		while (s && (next = utf8_next(&s)) != 0) {
			if (next == cp)
				return pos_at(files[i],
				    (size_t)(at - files[i]->text));
			at = s;
		}
	}
	return pos_file(NULL);
}

void
text_engine_report(const struct text_engine *e,
    const struct source *const *files, int n, struct diag *d)
{
	for (int i = 0; i < e->n_missing; i++) {
		diag_error(d, find_character(e->missing[i].cp, files, n),
		    "glyph-missing", "no font has the character U+%04X in '%s'",
		    (unsigned)e->missing[i].cp,
		    excerpt(d->a, e->missing[i].text, 40));
		diag_note(d, "use a character that Noto Serif and Sans CJK SC "
			     "have");
	}
}

void
text_shutdown(void)
{
	cairo_debug_reset_static_data();
	FcFini();
	no_fonts = NULL;
}
