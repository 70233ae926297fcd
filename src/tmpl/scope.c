#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "tmpl/template.h"

static const struct scope *
bound(const struct filling *f, const struct path *p)
{
	for (const struct scope *s = f->scope; s; s = s->outer)
		if (s->len == p->first_len &&
		    memcmp(s->name, p->text, (size_t)s->len) == 0)
			return s;
	return NULL;
}

const struct node *
scope_find(const struct filling *f, const struct path *p)
{
	const struct scope *s = bound(f, p);

	if (!s)
		return node_find(f->results, p->text);
	if (!p->rest)
		return s->node;
	if (s->index && str_equal(p->rest, "index"))
		return s->index;
	return node_find(s->node, p->rest);
}

bool
first_report(struct filling *f, int *reported)
{
	f->failed = true;
	if (*reported == f->t->run)
		return false;
	*reported = f->t->run;
	return true;
}

bool
filling_step(struct filling *f)
{
	if (f->stopped)
		return false;
	if (++f->steps <= TMPL_MAX_STEPS && f->bytes <= TMPL_MAX_TEXT)
		return true;
	f->stopped = f->failed = true;
	diag_error(f->d,
	    f->el ? place_pos(f->el->place) : pos_file(f->t->wording),
	    "tmpl-size", "the document grows too large here");
	diag_note(f->d, "at most %d pieces and %d MiB of text are made",
	    TMPL_MAX_STEPS, TMPL_MAX_TEXT >> 20);
	return false;
}

void
note_user(struct filling *f)
{
	struct pos pos;

	if (!f->el)
		return;
	pos = place_pos(f->el->place);
	diag_note(f->d, "used by '%s' at %s:%d:%d", f->el->name, pos.src->path,
	    pos.line, pos.col);
}

/* Names below `n`, as candidates for a slip. */
static const char **
child_names(struct arena *a, const struct node *n, const struct scope *s,
    int *count)
{
	const char **names = NULL;

	*count = 0;
	for (; s; s = s->outer)
		*(const char **)arena_push(a, &names, count, sizeof(*names)) =
		    s->name;
	for (n = n->first; n && *count < 1000; n = n->next)
		if (n->name)
			*(const char **)arena_push(a, &names, count,
			    sizeof(*names)) = n->name;
	return names;
}

static const char *
some_of(struct arena *a, const char **names, int n)
{
	struct str s;

	str_init(&s, a);
	for (int i = 0; i < n && i < 12; i++)
		str_addf(&s, "%s%s", i ? ", " : "", names[i]);
	if (n > 12)
		str_add(&s, " ...");
	return s.s;
}

/* What the part before the missing name has. */
static void
note_nearest(struct filling *f, const struct node *in, const char *before,
    const char *name, const struct scope *scopes)
{
	int n;
	const char **names = child_names(f->a, in, scopes, &n);
	/* any two short names are near each other */
	const char *near =
	    strlen(name) < 3 ? NULL : str_nearest(name, names, n);

	if (near)
		diag_note(f->d, "did you mean '%s%s%s'?", before,
		    *before ? "." : "", near);
	else if (in->kind == NODE_LIST)
		diag_note(f->d, "'%s' is a list of %d", before, in->n);
	else if (n == 0)
		diag_note(f->d, "'%s' has nothing below it", before);
	else if (*before)
		diag_note(f->d, "'%s' has %s", before, some_of(f->a, names, n));
	else
		diag_note(f->d, "there are %s", some_of(f->a, names, n));
}

/* Report the longest part of the path that exists, and what is there. */
static void
missing_path(struct filling *f, const struct path *p)
{
	const struct scope *s = bound(f, p);
	const struct node *at = s ? s->node : f->results;
	const char *rest = s ? p->rest : p->text;

	diag_error(f->d, place_pos(p->place), "tmpl-path",
	    "there is no '%s' in the results", p->text);
	while (rest) {
		const char *dot = strchr(rest, '.');
		char *name =
		    dot ? arena_strndup(f->a, rest, (size_t)(dot - rest))
			: arena_strdup(f->a, rest);
		const struct node *next = node_find(at, name);
		size_t before = (size_t)(rest - p->text);

		if (next && dot) {
			at = next;
			rest = dot + 1;
			continue;
		}
		note_nearest(f, at,
		    before ? arena_strndup(f->a, p->text, before - 1) : "",
		    name, before ? NULL : f->scope);
		break;
	}
	note_user(f);
}

const struct node *
scope_need(struct filling *f, struct path *p)
{
	const struct node *n = scope_find(f, p);

	if (!n && first_report(f, &p->reported))
		missing_path(f, p);
	return n;
}

static const char *
number_word(struct arena *a, double v)
{
	if (!isfinite(v))
		return NULL;
	return v == floor(v) && fabs(v) < 1e15 ? num_format(a, v, 0, false)
					       : num_exact(a, v);
}

const char *
node_word(struct arena *a, const struct node *n)
{
	switch (n->kind) {
	case NODE_TEXT: return n->text;
	case NODE_NUMBER: return number_word(a, n->number);
	case NODE_FLAG: return n->flag ? "true" : "false";
	case NODE_GROUP:
	case NODE_LIST: break;
	}
	return NULL;
}

static void
word_error(struct filling *f, struct path *p)
{
	if (!first_report(f, &p->reported))
		return;
	diag_error(f->d, place_pos(p->place), "tmpl-type",
	    "'%s' is no word to put here", p->text);
	note_user(f);
}

const char *
mould_fill(struct filling *f, struct mould *m)
{
	struct str s;

	if (m->n == 1 && m->parts[0].text)
		return m->parts[0].text;
	str_init(&s, f->a);
	for (int i = 0; i < m->n; i++) {
		struct mould_part *part = &m->parts[i];
		const struct node *n;
		const char *word;

		if (part->text) {
			str_add(&s, part->text);
			continue;
		}
		n = scope_need(f, &part->path);
		if (!n)
			return NULL;
		word = node_word(f->a, n);
		if (!word) {
			word_error(f, &part->path);
			return NULL;
		}
		str_add(&s, word);
	}
	f->bytes += s.len;
	return s.s;
}

struct entry *
mould_entry(struct filling *f, struct mould *m)
{
	struct entry *e = m->entry;
	const char *id, *near;

	if (e)
		return e;
	id = mould_fill(f, m);
	if (!id)
		return NULL;
	e = entry_find(f->t, id);
	if (e)
		return e;
	if (first_report(f, &m->reported))
		m->reports = 0;
	if (m->reports++ >= TMPL_MAX_REPORTS)
		return NULL;
	diag_error(f->d, place_pos(m->place), "tmpl-say",
	    "no entry '%s' in the wording for '%s'", id, f->t->lang);
	near = entry_near(f->a, f->t, id);
	if (near)
		diag_note(f->d, "did you mean '%s'?", near);
	note_user(f);
	return NULL;
}
