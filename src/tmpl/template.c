#include "tmpl/tmpl.h"

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "parse/xml_in.h"
#include "tmpl/template.h"

enum { MAX_BYTES = 4 << 20 };

static bool
lang_ok(const char *lang)
{
	size_t n = strlen(lang);

	for (const char *s = lang; *s; s++)
		if (!id_char(*s) || *s == '.' || *s == '_')
			return false;
	return n >= 2 && n <= 35;
}

/*
 * Entries within entries
 */

static bool
link_entry(struct arena *a, struct template *t, struct piece *p, struct diag *d)
{
	struct mould *m = &p->target;
	const char *near;

	if (m->n == 1 && m->parts[0].text)
		m->entry = entry_find(t, m->source);
	if (m->entry || (m->n > 0 && entry_match(t, m, NULL, NULL) > 0))
		return true;
	diag_error(d, place_pos(p->place), "tmpl-say",
	    "no entry '%s' in the wording for '%s'", m->source, t->lang);
	near = entry_near(a, t, m->source);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	return false;
}

static bool
link_prefix(const struct template *t, const struct piece *p, struct diag *d)
{
	int from, n = entry_prefix(t, p->prefix, &from);
	size_t len = strlen(p->prefix);

	for (int i = from; i < from + n; i++)
		if (t->by_id[i]->id[len] == '.')
			return true;
	return diag_error(d, place_pos(p->place), "tmpl-say",
	    "no entry starts with '%s.' in the wording for '%s'", p->prefix,
	    t->lang);
}

static bool
link_pieces(struct arena *a, struct template *t, struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < t->n_entries; i++)
		for (int k = 0; k < t->entries[i].n; k++) {
			struct piece *p = &t->entries[i].pieces[k];

			if (p->kind == PIECE_ENTRY)
				ok &= link_entry(a, t, p, d);
			if (p->prefix)
				ok &= link_prefix(t, p, d);
		}
	return ok;
}

/*
 * Follow what `e` includes by name.  An entry met again while open stands
 * within itself; includes chosen by a value are watched when filled.
 */
static bool
acyclic(struct entry *e, int depth, struct diag *d)
{
	bool ok = true;

	if (e->visit == 2)
		return true;
	e->visit = 1;
	for (int i = 0; i < e->n; i++) {
		const struct piece *p = &e->pieces[i];

		if (p->kind != PIECE_ENTRY || !p->target.entry)
			continue;
		if (p->target.entry->visit == 1)
			ok = diag_error(d, place_pos(p->place), "tmpl-cycle",
			    "'%s' stands within itself", p->target.entry->id);
		else if (depth == TMPL_MAX_INCLUDE)
			ok = diag_error(d, place_pos(p->place), "tmpl-cycle",
			    "entries stand within one another more than %d "
			    "deep",
			    TMPL_MAX_INCLUDE);
		else
			ok &= acyclic(p->target.entry, depth + 1, d);
	}
	e->visit = 2;
	return ok;
}

static bool
check_cycles(struct template *t, struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < t->n_entries; i++)
		ok &= acyclic(&t->entries[i], 0, d);
	return ok;
}

/*
 * Units of the language
 */

static const char *
pattern_of(struct arena *a, struct template *t, const char *id, struct diag *d)
{
	struct filling f = {.a = a, .t = t, .d = d, .slots = true};
	struct entry *e = entry_find(t, id);

	if (!e)
		return NULL;
	for (int i = 0; i < e->n; i++)
		if (e->pieces[i].kind != PIECE_TEXT &&
		    e->pieces[i].kind != PIECE_SLOT) {
			diag_error(d, place_pos(e->pieces[i].place),
			    "tmpl-unit",
			    "'%s' may hold only text and its "
			    "own holes",
			    id);
			return NULL;
		}
	return say_plain(&f, e);
}

static bool
need_hole(struct template *t, const char *id, const char *pattern,
    const char *hole, struct diag *d)
{
	const char *at = strstr(pattern, hole);
	size_t n = strlen(hole);

	while (at && !(at > pattern && at[-1] == '{' && at[n] == '}'))
		at = strstr(at + 1, hole);
	if (at)
		return true;
	return diag_error(d, place_pos(entry_find(t, id)->place), "tmpl-unit",
	    "'%s' must have the hole {%s}", id, hole);
}

static bool
read_pattern(struct arena *a, struct template *t, const char *id,
    const char *const *holes, int n, const char **pattern, struct diag *d)
{
	bool ok = true;

	*pattern = pattern_of(a, t, id, d);
	if (!*pattern)
		return !entry_find(t, id);
	for (int i = 0; i < n; i++)
		ok &= need_hole(t, id, *pattern, holes[i], d);
	return ok;
}

static bool
read_words(struct arena *a, struct template *t, struct diag *d)
{
	static const char *const number[] = {"n"};
	struct words *w = &t->words;
	bool ok = true;

	for (int i = 0; i < WORD_N; i++) {
		int n;
		const char *const *holes = words_holes((enum word)i, &n);

		ok &= read_pattern(a, t, words_entry((enum word)i), holes, n,
		    &w->pattern[i], d);
	}
	for (int i = 0; i < 12; i++)
		ok &=
		    read_pattern(a, t, arena_printf(a, "unit.month.%d", i + 1),
			NULL, 0, &w->month[i], d);
	for (int i = WORDS_POWER_MIN; i <= WORDS_POWER_MAX; i++)
		ok &= read_pattern(a, t, arena_printf(a, "unit.e%d", i), number,
		    1, &w->power[i - WORDS_POWER_MIN], d);
	return ok;
}

/*
 * Reading
 */

static struct template *
read_wording(struct arena *a, const char *lang, struct source *src,
    struct diag *d)
{
	struct template *t = arena_alloc(a, 1, sizeof(*t));
	struct xml_el *root = xml_parse(a, src, false, d);

	if (!root)
		return NULL;
	t->wording = src;
	t->lang = arena_strdup(a, lang);
	t->cjk = str_starts(lang, "zh") || str_starts(lang, "ja");
	wording_read(a, t, root, d);
	if (!t->by_id)
		return NULL;
	link_pieces(a, t, d);
	check_cycles(t, d);
	read_words(a, t, d);
	return t;
}

struct template *
template_parse(struct arena *a, const char *lang, struct source *wording,
    struct source *structure, struct diag *d)
{
	int errors = d->n_errors;
	struct template *t = read_wording(a, lang, wording, d);
	struct xml_el *root = xml_parse(a, structure, false, d);

	if (!t || !root)
		return NULL;
	structure_read(a, t, root, d);
	return d->n_errors == errors ? t : NULL;
}

static struct source *
read_file(struct arena *a, const char *dir, const char *name, struct diag *d)
{
	return fs_read(a, fs_join(a, dir, name), MAX_BYTES, (struct pos){0}, d);
}

struct template *
template_read(struct arena *a, const char *dir, const char *lang,
    struct diag *d)
{
	struct source *wording, *structure;

	if (!lang_ok(lang)) {
		diag_error(d, (struct pos){0}, "tmpl-lang",
		    "'%s' is no name of a language", lang);
		diag_note(d, "a name is letters, digits and '-': zh-CN, en");
		return NULL;
	}
	wording = read_file(a, dir, arena_printf(a, "wording/%s.xml", lang), d);
	structure = read_file(a, dir, "report.xml", d);
	return wording && structure
		   ? template_parse(a, lang, wording, structure, d)
		   : NULL;
}

struct document *
template_apply(struct arena *a, struct template *t, const struct node *results,
    struct diag *d)
{
	struct filling f = {.a = a, .t = t, .d = d, .results = results};

	t->run++;
	return apply_structure(&f);
}

char *
template_say(struct arena *a, struct template *t, const char *id,
    const struct node *results, const struct text_scope *scope, int n,
    struct diag *d)
{
	struct filling f = {.a = a, .t = t, .d = d, .results = results};
	struct scope *bound = arena_alloc(a, (size_t)n + 1, sizeof(*bound));
	struct entry *e = entry_find(t, id);

	t->run++;
	for (int i = 0; i < n; i++) {
		bound[i] = (struct scope){scope[i].name,
		    (int)strlen(scope[i].name), scope[i].node, NULL, f.scope};
		f.scope = &bound[i];
	}
	if (!e) {
		diag_error(d, pos_file(t->wording), "tmpl-say",
		    "no entry '%s' in the wording for '%s'", id, t->lang);
		return NULL;
	}
	return say_plain(&f, e);
}
