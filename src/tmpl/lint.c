#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "tmpl/template.h"

/*
 * Two languages side by side
 */

struct hole { /* as it is compared: "{v.name}", "ref to x" */
	const char *text;
	struct place place;
};

static const char *
format_text(struct arena *a, const struct piece *p)
{
	const char *name = format_name(p->format);

	if (p->prefix)
		return arena_printf(a, "|say:%s", p->prefix);
	if (p->range_of)
		return arena_printf(a, "|range:%s", format_name(p->range_of));
	return *name ? arena_printf(a, "|%s", name) : "";
}

/* What must be alike in all languages; NULL for what need not be. */
static const char *
hole_text(struct arena *a, const struct piece *p)
{
	switch (p->kind) {
	case PIECE_VALUE:
		return arena_printf(a, "{%s%s}", p->path.text,
		    format_text(a, p));
	case PIECE_LIST:
		return arena_printf(a, "{%s*%s%s}", p->path.text, p->field,
		    format_text(a, p));
	case PIECE_SLOT: return arena_printf(a, "{%s}", p->text);
	case PIECE_ENTRY: return arena_printf(a, "{@%s}", p->target.source);
	case PIECE_REF:
		return arena_printf(a, "<ref to=\"%s\"/>", p->target.source);
	case PIECE_OPEN:
		return p->inl == INLINE_LINK
			   ? arena_printf(a, "<link to=\"%s\"/>",
				 p->target.source)
			   : NULL;
	case PIECE_TEXT:
	case PIECE_CLOSE: break;
	}
	return NULL;
}

static int
by_text(const void *x, const void *y)
{
	const struct hole *a = x, *b = y;

	return strcmp(a->text, b->text);
}

static struct hole *
holes_of(struct arena *a, const struct entry *e, int *n)
{
	struct hole *holes = NULL;

	*n = 0;
	for (int i = 0; i < e->n; i++) {
		const char *text = hole_text(a, &e->pieces[i]);

		if (text)
			*(struct hole *)arena_push(a, &holes, n,
			    sizeof(*holes)) =
			    (struct hole){text, e->pieces[i].place};
	}
	if (*n)
		qsort(holes, (size_t)*n, sizeof(*holes), by_text);
	return holes;
}

/* Report the holes of `x` that `y` does not have, each once. */
static bool
holes_within(struct arena *a, const struct template *t, const struct entry *x,
    const struct entry *y, const char *lang, struct diag *d)
{
	int n, m;
	struct hole *in_x = holes_of(a, x, &n), *in_y = holes_of(a, y, &m);
	bool ok = true;

	for (int i = 0; i < n; i++) {
		if ((i && str_equal(in_x[i].text, in_x[i - 1].text)) ||
		    (m && bsearch(&in_x[i], in_y, (size_t)m, sizeof(*in_y),
			      by_text)))
			continue;
		ok = diag_error(d, place_pos(in_x[i].place), "tmpl-parity",
		    "'%s' has %s in '%s' and not in '%s'", x->id, in_x[i].text,
		    t->lang, lang);
		diag_note(d, "'%s' stands at %s:%d", y->id, y->place.src->path,
		    place_pos(y->place).line);
	}
	return ok;
}

static bool
entries_within(struct arena *a, const struct template *x,
    const struct template *y, struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < x->n_entries; i++) {
		const struct entry *e = &x->entries[i];
		const struct entry *other = entry_find(y, e->id);

		/* units are each language's own */
		if (str_starts(e->id, "unit."))
			continue;
		if (other)
			ok &= holes_within(a, x, e, other, y->lang, d);
		else
			ok = diag_error(d, place_pos(e->place), "tmpl-parity",
			    "'%s' is said in '%s' and not in "
			    "'%s'",
			    e->id, x->lang, y->lang);
	}
	return ok;
}

bool
template_parity(const struct template *a, const struct template *b,
    struct diag *d)
{
	struct arena *scratch = arena_new();
	bool ok = entries_within(scratch, a, b, d);

	ok &= entries_within(scratch, b, a, d);
	arena_free(scratch);
	return ok;
}

/*
 * Entries that nothing says
 */

struct worklist {
	struct arena *a;
	const struct template *t;
	bool *used; /* by place in entries */
	struct entry **items;
	int n;
};

static void
use(struct entry *e, void *data)
{
	struct worklist *w = data;
	bool *used = &w->used[e - w->t->entries];

	if (*used)
		return;
	*used = true;
	w->items[w->n++] = e;
}

static void
use_prefix(struct worklist *w, const char *prefix)
{
	int from, n = entry_prefix(w->t, prefix, &from);

	for (int i = from; i < from + n; i++)
		use(w->t->by_id[i], w);
}

static void
use_element(struct worklist *w, const struct element *e)
{
	for (int at = 0; at < AT_N; at++)
		if (e->at[at] && attr_says((enum attr)at))
			entry_match(w->t, &e->at[at]->mould, use, w);
	if (e->at[AT_PREFIX])
		use_prefix(w, e->at[AT_PREFIX]->text);
	for (const struct element *k = e->first; k; k = k->next)
		use_element(w, k);
}

static void
use_pieces(struct worklist *w, const struct entry *e)
{
	for (int i = 0; i < e->n; i++) {
		const struct piece *p = &e->pieces[i];

		if (p->kind == PIECE_ENTRY)
			entry_match(w->t, &p->target, use, w);
		if (p->prefix)
			use_prefix(w, arena_printf(w->a, "%s.", p->prefix));
	}
}

bool
template_unused(const struct template *t, struct diag *d)
{
	struct arena *a = arena_new();
	size_t n = (size_t)t->n_entries + 1;
	struct worklist w = {a, t, arena_alloc(a, n, sizeof(bool)),
	    arena_alloc(a, n, sizeof(struct entry *)), 0};
	bool ok = true;

	/* what the program asks for by itself */
	use_prefix(&w, "doc.");
	use_prefix(&w, "unit.");
	use_prefix(&w, "explain.");
	use_element(&w, t->root);
	while (w.n > 0)
		use_pieces(&w, w.items[--w.n]);
	for (int i = 0; i < t->n_entries; i++)
		if (!w.used[i])
			ok = diag_error(d, place_pos(t->entries[i].place),
			    "tmpl-unused", "nothing says '%s'",
			    t->entries[i].id);
	arena_free(a);
	return ok;
}
