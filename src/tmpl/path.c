#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "tmpl/template.h"

struct pos
place_pos(struct place p)
{
	return pos_at(p.src, p.at);
}

struct pos
place_after(struct place p, size_t n)
{
	p.at += n;
	return place_pos(p);
}

bool
id_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/* The first byte that cannot stand there in a path, or `n`. */
static size_t
path_fault(const char *s, size_t n)
{
	if ((s[0] >= '0' && s[0] <= '9') || s[0] == '-')
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!id_char(s[i]) ||
		    (s[i] == '.' && (i == 0 || i == n - 1 || s[i - 1] == '.')))
			return i;
	return n;
}

bool
path_read(struct arena *a, const char *s, size_t n, struct place at,
    struct path *p, struct diag *d)
{
	const char *dot;
	size_t fault;

	if (n == 0)
		return diag_error(d, place_pos(at), "tmpl-hole",
		    "a path is expected");
	if (n > TMPL_MAX_PATH)
		return diag_error(d, place_pos(at), "tmpl-hole",
		    "a path of %zu bytes; at most %d are allowed", n,
		    TMPL_MAX_PATH);
	fault = path_fault(s, n);
	if (fault < n) {
		diag_error(d, place_after(at, fault), "tmpl-hole",
		    "'%.*s' is no path", (int)n, s);
		diag_note(d, "a path is names joined by '.', the first of "
			     "which starts with a letter: v.request.gpu");
		return false;
	}
	p->text = arena_strndup(a, s, n);
	dot = strchr(p->text, '.');
	p->rest = dot ? dot + 1 : NULL;
	p->first_len = (int)(dot ? (size_t)(dot - p->text) : n);
	p->place = at;
	return true;
}

static void
add_literal(struct arena *a, struct mould *m, const char *s, size_t n)
{
	struct mould_part *part;

	if (n == 0)
		return;
	part = arena_push(a, &m->parts, &m->n, sizeof(*part));
	part->text = arena_strndup(a, s, n);
}

bool
mould_read(struct arena *a, const char *s, size_t n, struct place at,
    struct mould *m, struct diag *d)
{
	size_t i = 0;

	m->source = arena_strndup(a, s, n);
	m->place = at;
	while (i < n) {
		const char *open = memchr(s + i, '[', n - i), *close;
		struct place inner = at;
		struct mould_part *part;
		size_t from;

		if (!open)
			break;
		add_literal(a, m, s + i, (size_t)(open - s) - i);
		from = (size_t)(open - s) + 1;
		close = memchr(open, ']', n - (size_t)(open - s));
		if (!close)
			return diag_error(d, place_after(at, from - 1),
			    "tmpl-hole", "'[' without ']'");
		part = arena_push(a, &m->parts, &m->n, sizeof(*part));
		inner.at += from;
		if (!path_read(a, open + 1, (size_t)(close - s) - from, inner,
			&part->path, d))
			return false;
		i = (size_t)(close - s) + 1;
	}
	add_literal(a, m, s + i, n - i);
	return true;
}

/* Tones, and the states and verdicts that stand for one. */
static const struct {
	const char *word;
	enum tone tone;
} tones[] = {
    {"none", TONE_NONE},
    {"good", TONE_GOOD},
    {"ok", TONE_OK},
    {"warn", TONE_WARN},
    {"bad", TONE_BAD},
    {"open", TONE_OPEN},
    {"pass", TONE_GOOD},
    {"ask", TONE_OPEN},
    {"fail", TONE_BAD},
    {"needed", TONE_GOOD},
    {"sound", TONE_OK},
    {"generous", TONE_WARN},
    {"short", TONE_BAD},
    {"impossible", TONE_BAD},
    {"sure", TONE_GOOD},
    {"likely", TONE_OK},
    {"true", TONE_GOOD},
    {"false", TONE_NONE},
};

bool
tone_find(const char *word, enum tone *tone)
{
	for (size_t i = 0; i < sizeof(tones) / sizeof(tones[0]); i++)
		if (str_equal(tones[i].word, word)) {
			*tone = tones[i].tone;
			return true;
		}
	return false;
}
