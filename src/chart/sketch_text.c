/*
 * Texts that have to fit: cut, wrapped, written as notes and keys.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "chart/sketch.h"

/* Names longer than this are cut before they are measured. */
enum { MAX_NAME = 160 };

double
sketch_baseline(enum type t, double y_middle)
{
	return y_middle + 0.36 * palette_type(t).size_pt;
}

double
sketch_leading(enum type t)
{
	return 1.3 * palette_type(t).size_pt;
}

/* The first `n` bytes of `text` with `tail` behind. */
static char *
cut(struct sketch *s, const char *text, size_t n, const char *tail)
{
	while (n > 0 && text[n - 1] == ' ')
		n--;
	return arena_printf(s->a, "%.*s%s", (int)n, text, tail);
}

/* At most MAX_NAME characters, controls replaced: names come from outside. */
static const char *
tame(struct sketch *s, const char *text)
{
	const char *p = text;
	struct str b;
	int n = 0;

	for (; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			break;
	if (*p == '\0' && p - text <= MAX_NAME)
		return text;
	str_init(&b, s->a);
	for (p = text; *p;) {
		uint32_t cp = utf8_next(&p);

		if (++n > MAX_NAME) {
			str_add(&b, "…");
			break;
		}
		str_add_utf8(&b, cp < 0x20 || cp == 0x7f ? ' ' : cp);
	}
	return b.s;
}

const char *
sketch_fit(struct sketch *s, enum type t, const char *text, double width)
{
	size_t good = 0;
	const char *p;

	text = tame(s, text);
	if (sketch_width(s, t, text) <= width)
		return text;
	for (p = text; *p;) {
		utf8_next(&p);
		if (sketch_width(s, t, cut(s, text, (size_t)(p - text), "…")) >
		    width)
			break;
		good = (size_t)(p - text);
	}
	return good > 0 ? cut(s, text, good, "…") : "…";
}

/* May a line begin with `cp`? */
static bool
may_begin(uint32_t cp)
{
	static const char closing[] = ")]}%,.:;!?/、，。：；！？）】》”’…·";
	const char *p = closing;
	uint32_t c;

	while ((c = utf8_next(&p)) != 0)
		if (c == cp)
			return false;
	return true;
}

static bool
may_end(uint32_t cp)
{
	static const char opening[] = "([{/（【《“‘";
	const char *p = opening;
	uint32_t c;

	while ((c = utf8_next(&p)) != 0)
		if (c == cp)
			return false;
	return true;
}

static bool
may_break(uint32_t before, uint32_t after)
{
	if (after == ' ')
		return true;
	return (utf8_is_wide(after) || utf8_is_wide(before)) &&
	       may_begin(after) && may_end(before) && before != ' ';
}

/*
 * How many bytes of `text` go on a line of `width`: up to the last place for
 * a break that fits, or what fits when there is none: that is `*forced`.
 */
static size_t
line_length(struct sketch *s, enum type t, const char *text, double width,
    bool *forced)
{
	const char *p = text;
	size_t brk = 0, fits = 0;
	uint32_t prev = 0;

	while (*p) {
		const char *at = p;
		uint32_t cp = utf8_next(&p);

		if (at > text && may_break(prev, cp))
			brk = (size_t)(at - text);
		if (sketch_width(s, t, cut(s, text, (size_t)(p - text), "")) >
		    width) {
			*forced |= brk == 0;
			return brk > 0    ? brk
			       : fits > 0 ? fits
					  : (size_t)(p - text);
		}
		fits = (size_t)(p - text);
		prev = cp;
	}
	return (size_t)(p - text);
}

/* "name (what it does)" in two lines, if both parts fit; else 0. */
static size_t
bracket_at(struct sketch *s, enum type t, const char *text, double width)
{
	const char *at = strstr(text, "（");

	if (!at)
		at = strstr(text, " (");
	if (!at || at == text ||
	    sketch_width(s, t, cut(s, text, (size_t)(at - text), "")) > width ||
	    sketch_width(s, t, at + (*at == ' ')) > width)
		return 0;
	return (size_t)(at - text);
}

static const char **
fill_lines(struct sketch *s, enum type t, const char *text, double width,
    int max, int *n)
{
	const char **lines = NULL;
	size_t first = bracket_at(s, t, text, width);
	bool forced = false;

	*n = 0;
	while (*text) {
		size_t len =
		    first > 0 ? first : line_length(s, t, text, width, &forced);
		const char *line =
		    *n + 1 == max
			? sketch_fit(s, t, text, width)
			: sketch_fit(s, t, cut(s, text, len, ""), width);

		*(const char **)arena_push(s->a, &lines, n, sizeof(*lines)) =
		    line;
		if (*n == max)
			break;
		text += len;
		first = 0;
		while (*text == ' ')
			text++;
	}
	return lines;
}

/* Lines for `text` if it goes into `width` with no word broken, else 0. */
static int
lines_needed(struct sketch *s, enum type t, const char *text, double width,
    int max)
{
	bool forced = false;
	int n = 0;

	while (*text && n <= max) {
		size_t len = line_length(s, t, text, width, &forced);

		if (forced)
			return 0;
		n++;
		text += len;
		while (*text == ' ')
			text++;
	}
	return *text ? 0 : n;
}

const char **
sketch_wrap(struct sketch *s, enum type t, const char *text, double width,
    int max, int *n)
{
	const char **lines = NULL;
	int need;

	*n = 0;
	text = tame(s, text);
	if (sketch_width(s, t, text) <= width || max <= 1) {
		*(const char **)arena_push(s->a, &lines, n, sizeof(*lines)) =
		    sketch_fit(s, t, text, width);
		return lines;
	}
	/* Lines of even length: as narrow as the same number allows. */
	need = lines_needed(s, t, text, width, max);
	if (need > 1 && bracket_at(s, t, text, width) == 0)
		while (width > 8 &&
		       lines_needed(s, t, text, width - 2, max) == need)
			width -= 2;
	return fill_lines(s, t, text, width, max, n);
}

double
sketch_lines(struct sketch *s, enum type t, double x, double y, double anchor,
    const char *const *lines, int n)
{
	for (int i = 0; i < n; i++)
		sketch_text(s, t, x, y + i * sketch_leading(t), anchor,
		    lines[i]);
	return y + (n > 0 ? n - 1 : 0) * sketch_leading(t);
}

double
sketch_note(struct sketch *s, double y, const char *text)
{
	const char **lines;
	int n;

	if (*text == '\0')
		return y;
	lines = sketch_wrap(s, TYPE_NOTE, text, s->plan->width, 3, &n);
	return sketch_lines(s, TYPE_NOTE, 0, y + 8, 0, lines, n) + 2;
}

/* Key --------------------------------------------------------------------- */

enum { KEY_LINE = 12, KEY_GAP = 14, KEY_SPACE = 4 };

struct key
sketch_key(double y_top)
{
	return (struct key){0, y_top + KEY_LINE / 2.0};
}

void
sketch_key_entry(struct sketch *s, struct key *k, double symbol_width,
    const char *text, double *x, double *y)
{
	const char *fit = sketch_fit(s, TYPE_NOTE, text,
	    s->plan->width - symbol_width - KEY_SPACE);
	double width =
	    symbol_width + KEY_SPACE + sketch_width(s, TYPE_NOTE, fit);

	if (k->x > 0 && k->x + width > s->plan->width) {
		k->x = 0;
		k->y += KEY_LINE;
	}
	*x = k->x;
	*y = k->y;
	sketch_text(s, TYPE_NOTE, k->x + symbol_width + KEY_SPACE,
	    sketch_baseline(TYPE_NOTE, k->y), 0, fit);
	k->x += width + KEY_GAP;
}

void
sketch_key_line(struct key *k)
{
	if (k->x > 0) {
		k->x = 0;
		k->y += KEY_LINE;
	}
}

double
sketch_key_bottom(const struct key *k)
{
	return k->y + KEY_LINE / 2.0;
}
