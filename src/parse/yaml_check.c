#include "parse/yaml_check.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/yaml_in.h"

enum {
	MAX_FOUND = 50, /* slips reported before giving up */
	MAX_KEY = 1024  /* characters; libyaml's own limit */
};

/* What the text at hand may be. */
enum place {
	ENTRY, /* a key, or a value without one */
	VALUE  /* after "key: " on the same line */
};

struct check {
	struct arena *a;
	const struct source *src;
	struct diag *d;
	struct str out;
	struct yaml_copy *copy;

	const char *s, *end;    /* next byte */
	const char *line_start; /* of the line at hand */
	size_t out_start;       /* where it begins in the copy */
	int line;
	int indent;   /* column of the entry at hand */
	int dash;     /* column of the dash before it, or -1 */
	int key_line; /* of the last key */

	char quote; /* inside a quoted text, else 0 */
	char brackets[YAML_MAX_DEPTH + 1];
	int depth;
	int block_indent; /* a | or > text is deeper; -1 if none */
	bool plain_open;  /* a plain text may go on below */
	int plain_indent;
	enum place place;
	int n_found;
	bool usable;
};

static struct pos
place_of(const struct check *c, const char *s)
{
	struct pos pos = {c->src, c->line, 1};

	for (const char *p = c->line_start; p < s; p++)
		pos.col += ((unsigned char)*p & 0xC0) != 0x80;
	return pos;
}

static void
key_seen(struct check *c)
{
	c->place = VALUE;
	c->key_line = c->line;
}

/* Text that goes on below stands to the right of this column. */
static int
parent_indent(const struct check *c)
{
	return c->place == ENTRY && c->dash >= 0 ? c->dash : c->indent;
}

static void
take(struct check *c, size_t n)
{
	str_addn(&c->out, c->s, n);
	c->s += n;
}

static void
take_char(struct check *c)
{
	const char *next = c->s;

	utf8_next(&next);
	take(c, next > c->s ? (size_t)(next - c->s) : 1);
}

/* Put `text` in the copy for the next `n` bytes of the file. */
static void
put(struct check *c, size_t n, const char *text)
{
	int old = 0, new = utf8_length(text), col = 0;

	for (size_t i = 0; i < n; i++)
		old += ((unsigned char)c->s[i] & 0xC0) != 0x80;
	str_add(&c->out, text);
	c->s += n;
	if (old == new)
		return;
	for (size_t i = c->out_start; i < c->out.len; i++)
		col += ((unsigned char)c->out.s[i] & 0xC0) != 0x80;
	*(struct yaml_edit *)arena_push(c->a, &c->copy->edits,
	    &c->copy->n_edits, sizeof(struct yaml_edit)) =
	    (struct yaml_edit){c->line, col, new - old};
}

/* Count a slip; false after too many. */
static bool
found(struct check *c)
{
	if (++c->n_found >= MAX_FOUND)
		c->usable = false;
	return c->n_found < MAX_FOUND;
}

static bool
is_blank(char ch)
{
	return ch == ' ' || ch == '\t';
}

static bool
at_eol(const struct check *c, const char *s)
{
	return s >= c->end || *s == '\n' || *s == '\r';
}

static size_t
ident_length(const struct check *c, const char *s)
{
	size_t n = 0;

	if (s >= c->end || !(isalpha((unsigned char)*s) || *s == '_'))
		return 0;
	while (s + n < c->end &&
	       (isalnum((unsigned char)s[n]) || strchr("_-.", s[n])) && s[n])
		n++;
	return n;
}

static bool
is_at(const struct check *c, const char *s, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(c->end - s) >= n && memcmp(s, text, n) == 0;
}

static bool
in_map(const struct check *c)
{
	return c->depth == 0 || c->brackets[c->depth - 1] == '{';
}

/*
 * Slips at the start of a key or value
 */

static const struct {
	char ch;
	const char *id, *what;
} starters[] = {
    {'*', "yaml-alias", "text that starts with '*' is an alias in YAML"},
    {'&', "yaml-alias", "text that starts with '&' is an anchor in YAML"},
    {'!', "yaml-tag", "text that starts with '!' is a tag in YAML"},
    {'`', "yaml-start", "text must not start with '`' in YAML"},
    {'@', "yaml-start", "text must not start with '@' in YAML"},
    {'%', "yaml-start", "text must not start with '%' in YAML"},
};

static bool
bad_starter(struct check *c)
{
	for (size_t i = 0; i < sizeof(starters) / sizeof(starters[0]); i++) {
		if (*c->s != starters[i].ch)
			continue;
		if (is_at(c, c->s, "%YAML"))
			return false;
		diag_error(c->d, place_of(c, c->s), starters[i].id, "%s",
		    starters[i].what);
		diag_note(c->d, "put the text in quotes: \"%c...\"",
		    starters[i].ch);
		found(c);
		put(c, 1, "x");
		return true;
	}
	return false;
}

/* Full-width signs where YAML wants its own. */
static const struct {
	const char *wide, *narrow;
	bool flow; /* only between brackets */
} wide_signs[] = {
    {"\uFF5B", "{", false},
    {"\uFF3B", "[", false},
    {"\u3010", "[", false},
    {"\uFF5D", "}", true},
    {"\uFF3D", "]", true},
    {"\u3011", "]", true},
    {"\uFF0D ", "- ", false},
};

/* The index of the full-width sign at `s`, or -1. */
static int
wide_sign(const struct check *c, const char *s)
{
	const int n = (int)(sizeof(wide_signs) / sizeof(wide_signs[0]));

	for (int i = 0; i < n; i++)
		if (is_at(c, s, wide_signs[i].wide) &&
		    (!wide_signs[i].flow || c->depth > 0))
			return i;
	return -1;
}

static void
wide_error(struct check *c, const char *at, const char *wide,
    const char *narrow)
{
	diag_error(c->d, place_of(c, at), "yaml-fullwidth",
	    "full-width '%s' where YAML needs '%s'", wide, narrow);
	found(c);
}

/* "name：x": the text before the colon must look like a key. */
static bool
wide_colon(struct check *c)
{
	size_t n = ident_length(c, c->s);
	const char *s = c->s + n, *item = c->line_start;

	while (item < c->s && (is_blank(*item) || *item == '-'))
		item++;
	if (!is_at(c, s, "\uFF1A")) {
		/* a Chinese word before it, alone at the start of a line */
		if (c->depth > 0 || item != c->s ||
		    memchr(c->line_start, '-', (size_t)(c->s - c->line_start)))
			return false;
		for (s = c->s; !at_eol(c, s) && !is_at(c, s, "\uFF1A"); s++)
			if (*s == ':' || *s == ' ' || *s == '#')
				return false;
		if (at_eol(c, s))
			return false;
	} else if (n == 0 || !in_map(c)) {
		return false;
	}
	wide_error(c, s, "\uFF1A", ": ");
	diag_note(c->d, "write '%.*s: ...' with an ASCII colon and a space",
	    (int)(s - c->s), c->s);
	take(c, (size_t)(s - c->s));
	put(c, strlen("\uFF1A"), ": ");
	key_seen(c);
	return true;
}

/* "fps:25" */
static bool
tight_colon(struct check *c)
{
	size_t n = ident_length(c, c->s);
	const char *s = c->s + n;

	if (n == 0 || !in_map(c) || s + 1 >= c->end || *s != ':')
		return false;
	if (isspace((unsigned char)s[1]) || strchr("/\\:,]}", s[1]))
		return false;
	diag_error(c->d, place_of(c, s), "yaml-colon",
	    "a space is missing after '%.*s:'", (int)n, c->s);
	diag_note(c->d,
	    "write '%.*s: ...', or put the text in quotes if it "
	    "is no key",
	    (int)n, c->s);
	found(c);
	take(c, n);
	put(c, 1, ": ");
	key_seen(c);
	return true;
}

/*
 * Plain text
 */

/* "1,920x1,080" or "count: 1,600" between brackets; `s` is at the comma. */
static bool
cut_number(const struct check *c, const char *from, const char *s)
{
	const char *after = s + 1;

	if (s == from || !isdigit((unsigned char)s[-1]))
		return false;
	while (after < c->end && isdigit((unsigned char)*after))
		after++;
	if (after - s != 4)
		return false;
	if (c->brackets[c->depth - 1] == '{' && c->place == VALUE)
		return true;
	if (after < c->end &&
	    (strchr("xX*", *after) || is_at(c, after, "\u00D7")) && *after)
		return true;
	for (const char *p = from; p < s; p++)
		if (*p == 'x' || *p == 'X' || *p == '*' ||
		    is_at(c, p, "\u00D7"))
			return true;
	return false;
}

static void
join_number(struct check *c, bool told)
{
	if (!told) {
		diag_error(c->d, place_of(c, c->s), "yaml-comma",
		    "the comma cuts a number in two between brackets");
		diag_note(c->d, "leave the comma out, or put the number in "
				"quotes");
		found(c);
	}
	put(c, 1, "");
}

/* A full-width comma before "key:" between braces. */
static bool
wide_comma(struct check *c)
{
	const char *s = c->s + strlen("\uFF0C");
	size_t n;

	if (!is_at(c, c->s, "\uFF0C"))
		return false;
	while (s < c->end && *s == ' ')
		s++;
	n = ident_length(c, s);
	if (n == 0 || !(is_at(c, s + n, ":") || is_at(c, s + n, "\uFF1A")))
		return false;
	wide_error(c, c->s, "\uFF0C", ", ");
	put(c, strlen("\uFF0C"), ", ");
	return true;
}

static void
long_key(struct check *c, const char *from)
{
	int n = 0;

	for (const char *p = from; p < c->s; p++)
		n += ((unsigned char)*p & 0xC0) != 0x80;
	if (n <= MAX_KEY)
		return;
	diag_error(c->d, place_of(c, from), "yaml-key",
	    "a key of %d characters; at most %d are allowed", n, (int)MAX_KEY);
	found(c);
	c->usable = false;
}

/* ": " inside the value of a key: put a full stop for the colon. */
static void
second_colon(struct check *c)
{
	diag_error(c->d, place_of(c, c->s), "yaml-nested",
	    "a second ': ' in one value");
	diag_note(c->d, "put the text in quotes, or write the inner pair "
			"between braces: {key: value}");
	found(c);
	put(c, 1, ".");
}

/* Ends at ": " (which makes it a key), a comma or bracket, or the line. */
static void
plain(struct check *c)
{
	const char *from = c->s;
	const bool flow = c->depth > 0;
	bool joined = false;

	while (!at_eol(c, c->s)) {
		if (*c->s == '#' && c->s > from && is_blank(c->s[-1]))
			return;
		if (*c->s == ':' &&
		    (at_eol(c, c->s + 1) || isspace((unsigned char)c->s[1]) ||
			(flow && strchr(",]}", c->s[1])))) {
			if (c->place == VALUE && c->key_line == c->line) {
				second_colon(c);
				continue;
			}
			long_key(c, from);
			take(c, 1);
			key_seen(c);
			return;
		}
		if (flow && *c->s == ',' && cut_number(c, from, c->s)) {
			join_number(c, joined);
			joined = true;
			continue;
		}
		if (flow &&
		    (strchr(",[]{}", *c->s) || wide_sign(c, c->s) >= 0) &&
		    *c->s)
			return;
		if (flow && wide_comma(c)) {
			c->place = ENTRY;
			return;
		}
		take_char(c);
	}
	c->plain_open = !flow;
	c->plain_indent = parent_indent(c);
}

/*
 * Lines
 */

static void
quoted(struct check *c)
{
	char q = c->quote;

	while (c->s < c->end && *c->s != '\n') {
		char ch = *c->s;

		if (q == '"' && ch == '\\' && !at_eol(c, c->s + 1)) {
			take(c, 2);
			continue;
		}
		take(c, 1);
		if (ch != q)
			continue;
		if (q == '\'' && c->s < c->end && *c->s == q) {
			take(c, 1);
			continue;
		}
		c->quote = 0;
		return;
	}
}

static bool
open_bracket(struct check *c)
{
	if (c->depth >= YAML_MAX_DEPTH) {
		c->usable = false;
		return diag_error(c->d, place_of(c, c->s), "yaml-limit",
		    "brackets nest deeper than %d levels", (int)YAML_MAX_DEPTH);
	}
	c->brackets[c->depth++] = *c->s;
	c->place = ENTRY;
	take(c, 1);
	return true;
}

/* "|" or ">" with its indicators, up to the end of the line. */
static bool
block_text(const struct check *c)
{
	const char *s = c->s + 1;

	if (c->depth > 0 || (*c->s != '|' && *c->s != '>'))
		return false;
	while (s < c->end &&
	       (isdigit((unsigned char)*s) || *s == '+' || *s == '-'))
		s++;
	while (s < c->end && is_blank(*s))
		s++;
	return at_eol(c, s) || *s == '#';
}

static void
rest_of_line(struct check *c)
{
	while (!at_eol(c, c->s))
		take(c, 1);
}

/* The colon after a key in quotes. */
static void
quoted_key(struct check *c)
{
	key_seen(c);
	if (c->depth > 0 || at_eol(c, c->s + 1) || is_blank(c->s[1])) {
		take(c, 1);
		return;
	}
	diag_error(c->d, place_of(c, c->s), "yaml-colon",
	    "a space is missing after ':'");
	found(c);
	put(c, 1, ": ");
}

/* One token; false when the file must not be looked at further. */
static bool
token(struct check *c)
{
	int wide;

	if (*c->s == '#' && (c->s == c->line_start || is_blank(c->s[-1]))) {
		rest_of_line(c);
		return true;
	}
	if (*c->s == '"' || *c->s == '\'') {
		c->quote = *c->s;
		take(c, 1);
		quoted(c);
		return true;
	}
	if (*c->s == '[' || *c->s == '{')
		return open_bracket(c);
	if (c->depth > 0 && (*c->s == ']' || *c->s == '}')) {
		c->depth--;
		c->place = VALUE;
		take(c, 1);
		return true;
	}
	if (c->depth > 0 && *c->s == ',') {
		c->place = ENTRY;
		take(c, 1);
		return true;
	}
	if (*c->s == ':') { /* after a quoted key */
		quoted_key(c);
		return true;
	}
	if (*c->s == '-' && c->depth == 0 && c->place == ENTRY &&
	    (at_eol(c, c->s + 1) || is_blank(c->s[1]))) {
		c->dash = (int)(c->s - c->line_start);
		do
			take(c, 1);
		while (c->s < c->end && is_blank(*c->s));
		c->indent = (int)(c->s - c->line_start);
		return true;
	}
	if (block_text(c)) {
		c->block_indent = parent_indent(c);
		rest_of_line(c);
		return true;
	}
	wide = wide_sign(c, c->s);
	if (wide >= 0) {
		char narrow = wide_signs[wide].narrow[0];
		const char *at = c->s;

		wide_error(c, at, arena_strndup(c->a, at, 3),
		    arena_strndup(c->a, &narrow, 1));
		if (strchr("[{", narrow) && c->depth < YAML_MAX_DEPTH) {
			c->brackets[c->depth++] = narrow;
			c->place = ENTRY;
		} else if (strchr("]}", narrow)) {
			c->depth--;
			c->place = VALUE;
		}
		put(c, 3, arena_strndup(c->a, &narrow, 1));
		return true;
	}
	bad_starter(c);
	if (c->place == ENTRY && (wide_colon(c) || tight_colon(c)))
		return true;
	plain(c);
	return true;
}

/* White space a line starts with; false when it cannot be an indent. */
static bool
leading(struct check *c)
{
	const char *s = c->s;

	c->dash = -1;
	while (s < c->end && *s == ' ')
		s++;
	c->indent = (int)(s - c->s);
	take(c, (size_t)(s - c->s));
	if (c->depth > 0)
		return true;
	if (s < c->end && *s == '\t') {
		const char *tab = s;

		while (s < c->end && is_blank(*s))
			s++;
		if (at_eol(c, s) || *s == '#')
			return true;
		diag_error(c->d, place_of(c, tab), "yaml-tab",
		    "a tab in the indent");
		diag_note(c->d, "indent with spaces only");
	} else if (is_at(c, s, "\u3000") || is_at(c, s, "\u00A0")) {
		diag_error(c->d, place_of(c, s), "yaml-space",
		    "a %s space in the indent",
		    is_at(c, s, "\u3000") ? "full-width" : "no-break");
		diag_note(c->d, "indent with ordinary spaces only");
	} else {
		return true;
	}
	found(c);
	c->usable = false;
	return false;
}

/* The text of the line at hand, without its end. */
static bool
line(struct check *c)
{
	bool plain_before = c->plain_open;

	if (c->quote) {
		quoted(c);
	} else {
		c->plain_open = false;
		if (!leading(c)) {
			rest_of_line(c);
			return true;
		}
		if (at_eol(c, c->s))
			return true;
		if (c->block_indent >= 0 && c->indent > c->block_indent) {
			rest_of_line(c);
			return true;
		}
		c->block_indent = -1;
		if (c->depth == 0)
			c->place = ENTRY;
		if (plain_before && c->indent > c->plain_indent &&
		    *c->s != '#') {
			/* the text above goes on */
			c->plain_open = true;
			rest_of_line(c);
			return true;
		}
	}
	while (!at_eol(c, c->s) && c->n_found < MAX_FOUND) {
		if (is_blank(*c->s))
			take(c, 1);
		else if (!token(c))
			return false;
		if (c->quote)
			break;
	}
	return c->n_found < MAX_FOUND;
}

static bool
end_of_line(struct check *c)
{
	if (c->s < c->end && *c->s == '\r')
		take(c, 1);
	if (c->s < c->end && *c->s == '\n')
		take(c, 1);
	c->line++;
	c->line_start = c->s;
	c->out_start = c->out.len;
	return c->s < c->end;
}

bool
yaml_check(struct arena *a, const struct source *src, struct yaml_copy *copy,
    struct diag *d)
{
	struct check *c = arena_alloc(a, 1, sizeof(*c));

	*copy = (struct yaml_copy){.text = NULL};
	*c = (struct check){.a = a,
	    .src = src,
	    .d = d,
	    .copy = copy,
	    .s = src->text,
	    .end = src->text + src->len,
	    .line_start = src->text,
	    .line = 1,
	    .block_indent = -1,
	    .usable = true};
	str_init(&c->out, a);
	if (src->len > 0)
		while (line(c) && end_of_line(c))
			;
	copy->text = c->out.s;
	copy->len = c->out.len;
	return c->usable;
}
