#include "render/content.h"

#include <string.h>

#include "base/str.h"

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' ||
	       c == '\0';
}

static bool
is_delimiter(char c)
{
	return c != '\0' && strchr("()<>[]{}/%", c) != NULL;
}

static void
skip_white(struct content *c)
{
	while (c->at < c->len) {
		if (c->s[c->at] == '%')
			while (c->at < c->len && c->s[c->at] != '\n' &&
			       c->s[c->at] != '\r')
				c->at++;
		else if (is_space(c->s[c->at]))
			c->at++;
		else
			return;
	}
}

/* The end of a string in round brackets that starts at `at`. */
static size_t
string_end(const struct content *c, size_t at)
{
	int depth = 0;

	for (; at < c->len; at++) {
		if (c->s[at] == '\\')
			at++;
		else if (c->s[at] == '(')
			depth++;
		else if (c->s[at] == ')' && --depth == 0)
			return at + 1;
	}
	return c->len;
}

static size_t
hex_end(const struct content *c, size_t at)
{
	const char *end = memchr(c->s + at, '>', c->len - at);

	return end ? (size_t)(end - c->s) + 1 : c->len;
}

static size_t
word_end(const struct content *c, size_t at)
{
	for (at++; at < c->len; at++)
		if (is_space(c->s[at]) || is_delimiter(c->s[at]))
			break;
	return at;
}

/* The image's bytes may hold anything; EI stands alone between spaces. */
static size_t
inline_image_end(const struct content *c, size_t at)
{
	for (; at + 3 <= c->len; at++)
		if (is_space(c->s[at]) && c->s[at + 1] == 'E' &&
		    c->s[at + 2] == 'I' &&
		    (at + 3 == c->len || is_space(c->s[at + 3])))
			return at + 3;
	return c->len;
}

static bool
is_number(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr("+-.0123456789", s[i]) || s[i] == '\0')
			return false;
	return len > 0;
}

static enum token_kind
read_word(struct content *c, size_t *end)
{
	size_t at = c->at;

	*end = word_end(c, at);
	if (is_number(c->s + at, *end - at))
		return TOKEN_NUMBER;
	if (*end - at == 2 && memcmp(c->s + at, "BI", 2) == 0)
		*end = inline_image_end(c, at);
	return TOKEN_OPERATOR;
}

bool
content_next(struct content *c, struct token *t)
{
	size_t end;
	bool twice;

	skip_white(c);
	if (c->at >= c->len)
		return false;
	t->s = c->s + c->at;
	twice = c->at + 1 < c->len && t->s[1] == t->s[0];
	end = c->at + 1;
	switch (*t->s) {
	case '/':
		t->kind = TOKEN_NAME;
		end = word_end(c, c->at);
		break;
	case '(':
		t->kind = TOKEN_STRING;
		end = string_end(c, c->at);
		break;
	case '<':
		t->kind = twice ? TOKEN_OPEN : TOKEN_STRING;
		end = twice ? end + 1 : hex_end(c, c->at);
		break;
	case '>':
		t->kind = TOKEN_CLOSE;
		end += twice;
		break;
	case '[': t->kind = TOKEN_OPEN; break;
	case ']': t->kind = TOKEN_CLOSE; break;
	default: t->kind = read_word(c, &end); break;
	}
	t->len = end - c->at;
	c->at = end;
	return true;
}

bool
token_is(const struct token *t, const char *text)
{
	return strlen(text) == t->len && memcmp(t->s, text, t->len) == 0;
}

static bool
is_one_of(const struct token *t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (token_is(t, words[i]))
			return true;
	return false;
}

#define ONE_OF(t, words) is_one_of(t, words, sizeof(words) / sizeof(words[0]))

bool
token_paints(const struct token *t)
{
	static const char *const words[] = {"f", "F", "f*", "B", "B*", "b",
	    "b*", "s", "S", "sh", "Do", "Tj", "TJ", "'", "\""};

	return t->kind == TOKEN_OPERATOR &&
	       (ONE_OF(t, words) || (t->len > 2 && t->s[0] == 'B' &&
					t->s[1] == 'I' && is_space(t->s[2])));
}

int
token_marks(const struct token *t)
{
	if (t->kind != TOKEN_OPERATOR)
		return 0;
	if (token_is(t, "BDC") || token_is(t, "BMC"))
		return 1;
	return token_is(t, "EMC") ? -1 : 0;
}

/* ---- artifacts ---- */

/* What stands between two marks. */
struct gap {
	size_t copied;     /* of the input */
	size_t first, end; /* what is drawn, with all it needs */
	bool open, paints;
};

/* They say where and how, not what: they may stay outside of the mark. */
static bool
is_frame(const struct token *t)
{
	static const char *const words[] = {"q", "Q", "cm"};

	return ONE_OF(t, words);
}

static void
see_operator(struct gap *g, const struct token *t, size_t start, size_t end)
{
	if (!g->open && !is_frame(t)) {
		g->open = true;
		g->first = start;
		g->end = end;
	}
	if (token_paints(t)) {
		g->paints = true;
		g->end = end;
	} else if (token_is(t, "ET")) {
		g->end = end;
	}
}

/* The gap ends: copy up to `at`. */
static void
close_gap(struct gap *g, const char *s, size_t at, struct str *out)
{
	if (g->paints) {
		str_addn(out, s + g->copied, g->first - g->copied);
		str_add(out, "/Artifact BMC\n");
		str_addn(out, s + g->first, g->end - g->first);
		str_add(out, "\nEMC");
		g->copied = g->end;
	}
	str_addn(out, s + g->copied, at - g->copied);
	*g = (struct gap){.copied = at};
}

void
content_mark_artifacts(const char *s, size_t len, struct str *out)
{
	struct content c = {s, len, 0};
	struct token t;
	struct gap g = {0};
	bool operand = false; /* seen since the last operator */
	size_t start = 0;     /* of the operator's first operand */
	int depth = 0;

	while (content_next(&c, &t)) {
		size_t at = (size_t)(t.s - s);
		int mark = token_marks(&t);

		if (!operand)
			start = at;
		operand = t.kind != TOKEN_OPERATOR;
		if (operand)
			continue;
		if (mark > 0 && depth == 0)
			close_gap(&g, s, start, out);
		else if (mark == 0 && depth == 0)
			see_operator(&g, &t, start, c.at);
		if (mark < 0 && depth == 1)
			close_gap(&g, s, c.at, out);
		depth += mark;
		if (depth < 0)
			depth = 0;
	}
	close_gap(&g, s, len, out);
}
