/*
 * Numbers and references: walk the document once, in order, and give every
 * section, figure, table and named block its number and destination.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "layout/parts.h"

enum { LEVELS = 6 };

struct counter {
	struct arena *a;
	const struct document *doc;
	struct anchors *out;
	int section[LEVELS + 1]; /* [1] is the chapter */
	int level;               /* numbered depth: parents all numbered */
	int figure, table;       /* in this chapter */
};

char *
fill_hole(struct arena *a, const char *pattern, const char *name,
    const char *value)
{
	size_t len = strlen(name);
	struct str out;

	str_init(&out, a);
	for (const char *s = pattern; *s; s++) {
		if (*s == '{' && strncmp(s + 1, name, len) == 0 &&
		    s[len + 1] == '}') {
			str_add(&out, value);
			s += len + 1;
		} else {
			str_addc(&out, *s);
		}
	}
	return out.s;
}

static char *
number_as(const struct counter *c, const char *pattern, const char *number)
{
	return fill_hole(c->a, pattern ? pattern : "{n}", "n", number);
}

static bool
is_plain_name(const char *s)
{
	return s && *s &&
	       strspn(s,
		   "abcdefghijklmnopqrstuvwxyz"
		   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(s);
}

static struct anchor *
add_anchor(struct counter *c, const struct block *b)
{
	struct anchor *n =
	    arena_push(c->a, &c->out->items, &c->out->n, sizeof(*n));

	n->block = b;
	n->id = b->id;
	/* names that start like ours would clash */
	if (is_plain_name(b->id) && !(b->id[0] == '_'))
		n->dest = b->id;
	else
		n->dest = arena_printf(c->a, "_%d", c->out->n);
	n->number = n->again = n->ref = "";
	n->title = inlines_text(c->a, &b->title);
	return n;
}

static void
number_section(struct counter *c, const struct block *b)
{
	struct anchor *n = add_anchor(c, b);
	int level = b->level < 1 ? 1 : b->level > LEVELS ? LEVELS : b->level;
	struct str dotted;

	n->level = level;
	n->ref = n->title;
	if (level == 1) {
		c->figure = c->table = 0;
		c->level = 0;
	}
	if (!b->numbered || c->level < level - 1) {
		if (c->level >= level)
			c->level = level - 1;
		return;
	}
	c->level = level;
	c->section[level]++;
	for (int i = level + 1; i <= LEVELS; i++)
		c->section[i] = 0;
	str_init(&dotted, c->a);
	for (int i = 1; i <= level; i++)
		str_addf(&dotted, i > 1 ? ".%d" : "%d", c->section[i]);
	n->number = number_as(c,
	    level == 1 ? c->doc->chapter_number : c->doc->section_number,
	    dotted.s);
	n->ref = number_as(c,
	    level == 1 ? c->doc->ref_chapter : c->doc->ref_section, dotted.s);
}

/* Figures and tables count within their chapter: 2-1, 2-2, ... */
static void
number_float(struct counter *c, const struct block *b)
{
	struct anchor *n = add_anchor(c, b);
	bool figure = b->kind == BLOCK_FIGURE;
	int *count = figure ? &c->figure : &c->table;
	char *number;

	n->ref = n->title;
	if (!b->numbered)
		return;
	++*count;
	number = c->level > 0
		     ? arena_printf(c->a, "%d-%d", c->section[1], *count)
		     : arena_printf(c->a, "%d", *count);
	n->number = number_as(c,
	    figure ? c->doc->figure_number : c->doc->table_number, number);
	n->again = number_as(c, c->doc->table_continued, number);
	n->ref = n->number;
}

static void
number_blocks(struct counter *c, const struct block *first)
{
	for (const struct block *b = first; b; b = b->next) {
		if (b->kind == BLOCK_SECTION)
			number_section(c, b);
		else if (b->kind == BLOCK_FIGURE || b->kind == BLOCK_TABLE)
			number_float(c, b);
		else if (b->id)
			add_anchor(c, b);
		number_blocks(c, b->first);
	}
}

static int
compare_ids(const void *x, const void *y)
{
	const struct anchor *const *a = x, *const *b = y;
	int order = strcmp((*a)->id, (*b)->id);

	return order ? order : (*a > *b) - (*a < *b);
}

/* Sort the named ones; of equal names only the first keeps it. */
static void
index_ids(struct arena *a, struct anchors *s)
{
	int kept = 0;

	s->by_id = arena_alloc(a, (size_t)s->n + 1, sizeof(*s->by_id));
	for (int i = 0; i < s->n; i++)
		if (s->items[i].id)
			s->by_id[s->n_by_id++] = &s->items[i];
	qsort(s->by_id, (size_t)s->n_by_id, sizeof(*s->by_id), compare_ids);
	for (int i = 0; i < s->n_by_id; i++) {
		struct anchor *n = s->by_id[i];

		if (kept > 0 && strcmp(s->by_id[kept - 1]->id, n->id) == 0)
			n->dest =
			    arena_printf(a, "_%d", (int)(n - s->items) + 1);
		else
			s->by_id[kept++] = n;
	}
	s->n_by_id = kept;
}

struct anchors *
anchors_new(struct arena *a, const struct document *doc)
{
	struct counter c = {.a = a, .doc = doc};

	c.out = arena_alloc(a, 1, sizeof(*c.out));
	number_blocks(&c, doc->first);
	index_ids(a, c.out);
	return c.out;
}

const struct anchor *
anchors_find(const struct anchors *s, const char *id)
{
	int low = 0, high = s->n_by_id;

	while (id && low < high) {
		int mid = (low + high) / 2;
		int order = strcmp(id, s->by_id[mid]->id);

		if (order == 0)
			return s->by_id[mid];
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
