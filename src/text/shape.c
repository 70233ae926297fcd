/*
 * Runs to clusters: clean the text, let Pango choose fonts and glyphs, then
 * add what Pango does not know about Chinese: spaces between Han and Latin,
 * narrow punctuation, numbers that stay with their units.
 */
#include "text/shape.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static const double HAN_LATIN_GAP = 0.25; /* em */

/* Full-width brackets and marks by the half that holds their ink. */
static const uint32_t open_marks[] = {
    0x2018,
    0x201C,
    0x3008,
    0x300A,
    0x300C,
    0x300E,
    0x3010,
    0x3014,
    0x3016,
    0x3018,
    0x301D,
    0xFF08,
    0xFF3B,
    0xFF5B,
};
static const uint32_t close_marks[] = {
    0x2019,
    0x201D,
    0x3001,
    0x3002,
    0x3009,
    0x300B,
    0x300D,
    0x300F,
    0x3011,
    0x3015,
    0x3017,
    0x3019,
    0x301E,
    0xFF01,
    0xFF09,
    0xFF0C,
    0xFF0E,
    0xFF1A,
    0xFF1B,
    0xFF1F,
    0xFF3D,
    0xFF5D,
};

/* Words that stay with the number before them. */
static const char *const unit_words[] = {
    "B",
    "KB",
    "MB",
    "GB",
    "TB",
    "KiB",
    "MiB",
    "GiB",
    "TiB",
    "GB/s",
    "TB/s",
    "MB/s",
    "Gbit/s",
    "Mbit/s",
    "FLOPS",
    "GFLOPS",
    "TFLOPS",
    "PFLOPS",
    "TOPS",
    "FLOP",
    "MFLOP",
    "GFLOP",
    "TFLOP",
    "GMAC",
    "fps",
    "s",
    "ms",
    "us",
    "µs",
    "μs",
    "min",
    "h",
    "Hz",
    "kHz",
    "MHz",
    "GHz",
    "W",
    "kW",
    "V",
    "A",
    "px",
    "Mpx",
    "mm",
    "cm",
    "m",
    "nm",
    "pt",
    "bit",
    "bits",
    "%",
    "‰",
    "°C",
    "℃",
    "/s",
    "/min",
    "/h",
    "W/h",
    "kWh",
    "U",
    "CNY",
    "USD",
    "Mpx/s",
    "GMACs",
    "images/s",
    "frames/s",
};

static bool
in_list(uint32_t cp, const uint32_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == cp)
			return true;
	return false;
}

#define IN_LIST(cp, list) in_list(cp, list, sizeof(list) / sizeof((list)[0]))

static enum char_class
classify(uint32_t cp, double width, double size)
{
	bool full = width > 0.9 * size;

	if (cp == ' ')
		return CHAR_SPACE;
	if (cp == 0x2014 || cp == 0x2026 || cp == 0x2E3A)
		return CHAR_DASH;
	if (full && IN_LIST(cp, open_marks))
		return CHAR_OPEN;
	if (full && IN_LIST(cp, close_marks))
		return CHAR_CLOSE;
	if (utf8_is_wide(cp))
		return CHAR_HAN;
	if (cp == '%' || cp == 0xB0 || cp == 0x2030 || g_unichar_isalnum(cp))
		return CHAR_LATIN;
	return CHAR_OTHER;
}

/* Invisible characters that change direction or order; none is kept. */
static bool
is_dropped(uint32_t cp)
{
	return cp == 0xAD || cp == 0xFEFF || cp == 0x61C || cp == 0x200E ||
	       cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

/* Control characters become spaces, and several spaces one. */
static void
add_clean(struct str *out, const char *s)
{
	while (*s) {
		uint32_t cp = utf8_next(&s);

		if (is_dropped(cp))
			continue;
		if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x2028 ||
		    cp == 0x2029)
			cp = ' ';
		if (cp == ' ' && out->len > 0 && out->s[out->len - 1] == ' ')
			continue;
		str_add_utf8(out, cp);
	}
}

/* ---- the table of shaped texts ---- */

static void
make_key(struct str *key, const struct text_run *runs, int n)
{
	for (int i = 0; i < n; i++) {
		str_addf(key, "%d %.3f %s ", (int)runs[i].style.face,
		    runs[i].style.size_pt, runs[i].lang ? runs[i].lang : "");
		str_add(key, runs[i].text);
		str_addc(key, '\1');
	}
}

static uint64_t
hash_bytes(const char *s, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211u;
	return h;
}

/* ---- attributes ---- */

static void
add_attr(PangoAttrList *list, PangoAttribute *attr, size_t from, size_t to)
{
	attr->start_index = (guint)from;
	attr->end_index = (guint)to;
	pango_attr_list_insert(list, attr);
}

static bool
is_cjk_language(const char *lang)
{
	return str_starts(lang, "zh") || str_starts(lang, "ja") ||
	       str_starts(lang, "ko");
}

/*
 * Dashes, quotes and the ellipsis are full-width in our faces.  They become
 * narrow in languages that set them so, and as an apostrophe inside a word.
 */
static void
narrow_marks(PangoAttrList *list, const char *text, size_t from, size_t to,
    bool cjk)
{
	const char *s = text + from;

	while (s < text + to) {
		const char *at = s;
		uint32_t cp = utf8_next(&s);
		bool inside =
		    at > text && g_ascii_isalpha(at[-1]) && g_ascii_isalpha(*s);

		if (cp < 0x2010 || cp > 0x2026)
			continue;
		if (!cjk || (cp == 0x2019 && inside))
			add_attr(list, pango_attr_font_features_new("pwid=1"),
			    (size_t)(at - text), (size_t)(s - text));
	}
}

static void
add_run_attrs(struct text_engine *e, PangoAttrList *list,
    const struct text_run *run, const char *text, size_t from, size_t to)
{
	PangoFontDescription *desc = e->faces[run->style.face];
	const char *lang =
	    run->lang ? run->lang : pango_language_to_string(e->lang);

	pango_font_description_set_absolute_size(desc,
	    run->style.size_pt * PANGO_SCALE);
	add_attr(list, pango_attr_font_desc_new(desc), from, to);
	if (run->lang)
		add_attr(list,
		    pango_attr_language_new(pango_language_from_string(lang)),
		    from, to);
	narrow_marks(list, text, from, to, is_cjk_language(lang));
}

/* ---- glyphs ---- */

/* What shaping one text needs at hand. */
struct shaper {
	struct text_engine *e;
	struct shaped *sh;
	const struct text_run *runs;
	const size_t *run_end; /* byte offsets in the text */
	int run;               /* the one that the last cluster lies in */
	int n_glyphs;
};

static int
run_at(struct shaper *s, int byte)
{
	while ((size_t)byte >= s->run_end[s->run])
		s->run++;
	return s->run;
}

static void
add_glyph(struct shaper *s, struct cluster *c, const PangoGlyphInfo *g)
{
	const char *at = s->sh->text + c->byte;

	if (g->glyph & PANGO_GLYPH_UNKNOWN_FLAG) {
		engine_missing(s->e, utf8_next(&at), s->sh->text);
	} else if (g->glyph != PANGO_GLYPH_EMPTY) {
		s->sh->glyphs[s->n_glyphs++] = (cairo_glyph_t){g->glyph,
		    c->width + pango_units_to_double(g->geometry.x_offset),
		    pango_units_to_double(g->geometry.y_offset)};
		c->n_glyphs++;
	}
	c->width += (float)pango_units_to_double(g->geometry.width);
}

static void
add_item_clusters(struct shaper *s, const PangoItem *item,
    const PangoGlyphString *gs)
{
	struct shaped *sh = s->sh;
	struct cluster *c = NULL;
	int font = engine_font(s->e, item->analysis.font);

	for (int g = 0; g < gs->num_glyphs; g++) {
		int byte = item->offset + gs->log_clusters[g];

		if (!c || byte != c->byte) {
			if (c)
				c->n_bytes = byte - c->byte;
			c = &sh->clusters[sh->n++];
			c->byte = byte;
			c->glyph = s->n_glyphs;
			c->font = font;
			c->run = run_at(s, byte);
			c->size = (float)s->runs[c->run].style.size_pt;
		}
		add_glyph(s, c, &gs->glyphs[g]);
	}
	if (c)
		c->n_bytes = item->offset + item->length - c->byte;
}

/* Text has one direction here: what we have fonts for runs to the right. */
static void
shape_items(struct shaper *s, PangoAttrList *attrs)
{
	struct shaped *sh = s->sh;
	int len = (int)strlen(sh->text);
	GList *items = pango_itemize_with_base_dir(s->e->context,
	    PANGO_DIRECTION_LTR, sh->text, 0, len, attrs, NULL);
	PangoGlyphString *gs = pango_glyph_string_new();
	int room = utf8_length(sh->text); /* most often it is just that */

	sh->glyphs = arena_alloc(s->e->a, (size_t)room, sizeof(*sh->glyphs));
	for (GList *l = items; l; l = l->next) {
		PangoItem *item = l->data;

		item->analysis.level &= ~1;
		pango_shape_full(sh->text + item->offset, item->length,
		    sh->text, len, &item->analysis, gs);
		if (s->n_glyphs + gs->num_glyphs > room) {
			cairo_glyph_t *more;

			room = 2 * (s->n_glyphs + gs->num_glyphs);
			more =
			    arena_alloc(s->e->a, (size_t)room, sizeof(*more));
			if (s->n_glyphs > 0)
				memcpy(more, sh->glyphs,
				    (size_t)s->n_glyphs * sizeof(*more));
			sh->glyphs = more;
		}
		add_item_clusters(s, item, gs);
		pango_item_free(item);
	}
	g_list_free(items);
	pango_glyph_string_free(gs);
}

/* ---- what Chinese setting adds ---- */

static uint32_t
cluster_cp(const struct shaped *sh, const struct cluster *c)
{
	const char *s = sh->text + c->byte;

	return utf8_next(&s);
}

static void
classify_clusters(struct shaped *sh)
{
	for (int i = 0; i < sh->n; i++) {
		struct cluster *c = &sh->clusters[i];

		c->kind = classify(cluster_cp(sh, c), c->width, c->size);
		if (c->kind == CHAR_CLOSE)
			c->end_trim = c->size / 2;
		else if (c->kind == CHAR_OPEN)
			c->start_trim = c->size / 2;
	}
}

/* Two full-width marks side by side take 1.5 em, not 2. */
static void
squeeze_marks(struct cluster *a, struct cluster *b)
{
	if (a->kind == CHAR_CLOSE &&
	    (b->kind == CHAR_CLOSE || b->kind == CHAR_OPEN)) {
		a->width -= a->end_trim;
		a->end_trim = 0;
	} else if (a->kind == CHAR_OPEN && b->kind == CHAR_OPEN) {
		b->trim = b->start_trim;
		b->width -= b->trim;
		b->start_trim = 0;
	}
}

static bool
is_han_latin(const struct cluster *a, const struct cluster *b)
{
	return (a->kind == CHAR_HAN && b->kind == CHAR_LATIN) ||
	       (a->kind == CHAR_LATIN && b->kind == CHAR_HAN);
}

static void
space_clusters(struct shaped *sh)
{
	struct cluster *c = sh->clusters;

	for (int i = 1; i < sh->n; i++) {
		double em = MIN(c[i - 1].size, c[i].size);

		squeeze_marks(&c[i - 1], &c[i]);
		if (is_han_latin(&c[i - 1], &c[i]))
			c[i].gap = (float)(HAN_LATIN_GAP * em);
		if (i + 1 < sh->n && c[i].kind == CHAR_SPACE &&
		    is_han_latin(&c[i - 1], &c[i + 1])) {
			c[i].width = (float)(HAN_LATIN_GAP * em);
			c[i].gap_space = true;
		}
	}
}

/* ---- where lines may start ---- */

static bool
is_digit(const struct shaped *sh, int i)
{
	uint32_t cp;

	if (i < 0)
		return false;
	cp = cluster_cp(sh, &sh->clusters[i]);
	return cp >= '0' && cp <= '9';
}

/* Does the word that starts at cluster `i` name a unit? */
static bool
is_unit(const struct shaped *sh, int i)
{
	const char *s = sh->text + sh->clusters[i].byte;
	size_t n = strcspn(s, " ,;:.()[]");

	/* the word ends where the first wide character begins */
	for (const char *t = s; t < s + n;) {
		const char *before = t;
		uint32_t cp = utf8_next(&t);

		if (utf8_is_wide(cp) && before > s) {
			n = (size_t)(before - s);
			break;
		}
	}
	for (size_t k = 0; k < sizeof(unit_words) / sizeof(unit_words[0]); k++)
		if (strlen(unit_words[k]) == n &&
		    memcmp(unit_words[k], s, n) == 0)
			return true;
	return false;
}

/*
 * A number keeps its unit or measure word ("64 路", "8 GiB"), 第 its number
 * and × both its sides; dashes start no line, and a solidus before Han or a
 * double one ends none.
 */
static bool
is_held(const struct shaped *sh, int i)
{
	const struct cluster *c = sh->clusters;
	bool spaced = i >= 2 && c[i - 1].kind == CHAR_SPACE;
	int before = spaced ? i - 2 : i - 1;

	if (c[i].kind == CHAR_DASH || cluster_cp(sh, &c[i]) == 0xD7 ||
	    cluster_cp(sh, &c[before]) == 0xD7)
		return true;
	if (is_digit(sh, before) && (c[i].kind == CHAR_HAN || is_unit(sh, i)))
		return true;
	if (is_digit(sh, i) && cluster_cp(sh, &c[before]) == 0x7B2C)
		return true;
	if (cluster_cp(sh, &c[i - 1]) != '/')
		return false;
	return c[i].kind == CHAR_HAN ||
	       (i >= 2 && cluster_cp(sh, &c[i - 2]) == '/');
}

/* May a long word be cut before cluster `i`? */
static enum line_break
cut_inside(const struct shaped *sh, int i)
{
	const struct cluster *a = &sh->clusters[i - 1], *b = a + 1;
	uint32_t cp = cluster_cp(sh, a);

	if (a->kind != CHAR_LATIN && a->kind != CHAR_OTHER)
		return BREAK_NO;
	if (b->kind != CHAR_LATIN && b->kind != CHAR_OTHER)
		return BREAK_NO;
	if (cp < 0x80 && strchr("-_/.:=&?@+,", (int)cp) &&
	    b->kind == CHAR_LATIN && !is_digit(sh, i))
		return BREAK_PIECE;
	return BREAK_GLYPH;
}

static void
find_breaks(struct text_engine *e, struct shaped *sh)
{
	int len = (int)strlen(sh->text);
	int n = utf8_length(sh->text);
	PangoLogAttr *attrs = g_new0(PangoLogAttr, (gsize)n + 1);
	int at = 0;
	const char *s = sh->text;

	pango_get_log_attrs(sh->text, len, -1, e->lang, attrs, n + 1);
	for (int i = 0; i < sh->n; i++) {
		struct cluster *c = &sh->clusters[i];

		while (s < sh->text + c->byte) {
			utf8_next(&s);
			at++;
		}
		if (i == 0)
			continue;
		if (!attrs[at].is_line_break) {
			c->brk = (uint8_t)cut_inside(sh, i);
		} else if (!is_held(sh, i)) {
			c->brk = BREAK_YES;
		} else if (c[-1].kind == CHAR_SPACE && !c[-1].gap_space) {
			/* the space before a unit is neither cut nor spread */
			c[-1].kind = CHAR_OTHER;
		}
	}
	g_free(attrs);
}

static void
set_on_one_line(struct arena *a, struct shaped *sh)
{
	double x = 0;

	sh->x = arena_alloc(a, (size_t)sh->n + 1, sizeof(*sh->x));
	for (int i = 0; i < sh->n; i++) {
		x += i > 0 ? sh->clusters[i].gap : 0;
		sh->x[i] = x;
		x += sh->clusters[i].width;
	}
	sh->width = x;
}

/* Prepare the text and attributes of all runs, then shape. */
static void
shape_runs(struct text_engine *e, struct shaped *sh,
    const struct text_run *runs, int n)
{
	PangoAttrList *attrs = pango_attr_list_new();
	size_t *run_end = arena_alloc(e->a, (size_t)n + 1, sizeof(*run_end));
	struct shaper s = {.e = e, .sh = sh, .runs = runs, .run_end = run_end};
	struct str text;

	str_init(&text, e->a);
	for (int i = 0; i < n; i++) {
		add_clean(&text, runs[i].text);
		run_end[i] = text.len;
	}
	sh->text = text.s;
	for (int i = 0; i < n; i++) {
		size_t from = i > 0 ? run_end[i - 1] : 0;
		const char *t = text.s + from;

		sh->size = MAX(sh->size, runs[i].style.size_pt);
		if (from == run_end[i])
			continue;
		add_run_attrs(e, attrs, &runs[i], text.s, from, run_end[i]);
		while (t < text.s + run_end[i]) {
			uint32_t cp = utf8_next(&t);

			/* spaces of all widths are made up when shaping */
			if (!g_unichar_isspace((gunichar)cp))
				engine_want(e, runs[i].style.face, cp);
		}
	}
	sh->clusters = arena_alloc(e->a, (size_t)utf8_length(text.s) + 1,
	    sizeof(*sh->clusters));
	if (text.len > 0)
		shape_items(&s, attrs);
	pango_attr_list_unref(attrs);
}

struct shaped *
text_shape(struct text_engine *e, const struct text_run *runs, int n)
{
	struct str *key = &e->scratch;
	struct shaped **bucket, *sh;
	uint64_t hash;

	key->len = 0;
	make_key(key, runs, n);
	hash = hash_bytes(key->s, key->len);
	bucket = &e->shaped[hash % SHAPED_BUCKETS];
	for (sh = *bucket; sh; sh = sh->next)
		if (sh->hash == hash && sh->key_len == key->len &&
		    memcmp(sh->key, key->s, key->len) == 0)
			return sh;

	sh = arena_alloc(e->a, 1, sizeof(*sh));
	sh->hash = hash;
	sh->key = arena_strndup(e->a, key->s, key->len);
	sh->key_len = key->len;
	sh->next = *bucket;
	*bucket = sh;
	shape_runs(e, sh, runs, n);
	classify_clusters(sh);
	space_clusters(sh);
	find_breaks(e, sh);
	set_on_one_line(e->a, sh);
	return sh;
}
