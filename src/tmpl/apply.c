#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "tmpl/template.h"

struct named { /* an id or a file, and who gave it */
	const char *name;
	struct place place;
};

struct named_list {
	struct named *items;
	int n;
};

struct build {
	struct filling *f;
	struct document *doc;
	struct named_list ids, files;
};

/* Where the elements being applied put what they make. */
struct target {
	struct build *b;
	struct block *in; /* NULL: the document */
	int level;        /* of the section around */
	struct row *row;  /* for cells */
};

typedef void emit_fn(struct target *to, struct element *e);

/*
 * Tests
 */

static bool
present(const struct node *n)
{
	if (!n)
		return false;
	if (n->kind == NODE_FLAG)
		return n->flag;
	return n->kind != NODE_LIST || n->n > 0;
}

/* Whether `word` is one of the words in `list`, separated by '|'. */
static bool
word_among(const char *word, const char *list)
{
	size_t n = strlen(word);

	for (;;) {
		size_t len = strcspn(list, "|");

		if (len == n && strncmp(list, word, n) == 0)
			return true;
		if (!list[len])
			return false;
		list += len + 1;
	}
}

static bool
test_error(struct filling *f, struct value *v, const char *what)
{
	if (first_report(f, &v->reported)) {
		diag_error(f->d, place_pos(v->place), "tmpl-type", "'%s' %s",
		    v->text, what);
		note_user(f);
	}
	return false;
}

/* A number, or the length of a list. */
static bool
number_of(const struct node *n, double *v)
{
	if (n->kind == NODE_NUMBER)
		*v = n->number;
	else if (n->kind == NODE_LIST)
		*v = n->n;
	else
		return false;
	return true;
}

/* `sign` 1: above, -1: below */
static bool
beyond(struct filling *f, struct value *subject, const struct node *n,
    struct value *limit, int sign)
{
	const struct node *other;
	double v, bound = limit->number;

	if (!number_of(n, &v))
		return test_error(f, subject, "is no number to compare");
	if (limit->is_path) {
		other = scope_find(f, &limit->path);
		if (!other)
			return false;
		if (!number_of(other, &bound))
			return test_error(f, limit, "is no number to compare");
	}
	return sign > 0 ? v > bound : v < bound;
}

static bool
test_if(struct filling *f, const struct element *e)
{
	struct value *v = e->at[AT_IF];
	const struct node *n = scope_find(f, &v->path);
	bool words = e->at[AT_IS] || e->at[AT_NOT];
	const char *word = n && words ? node_word(f->a, n) : NULL;

	/* the words of a flag are asked for by name, so false is one */
	if (!(words && n && n->kind == NODE_FLAG) && !present(n))
		return false;
	if (words && !word)
		return test_error(f, v, "has no word to compare");
	if (e->at[AT_IS] && !word_among(word, e->at[AT_IS]->text))
		return false;
	if (e->at[AT_NOT] && word_among(word, e->at[AT_NOT]->text))
		return false;
	if (e->at[AT_ABOVE] && !beyond(f, v, n, e->at[AT_ABOVE], 1))
		return false;
	return !e->at[AT_BELOW] || beyond(f, v, n, e->at[AT_BELOW], -1);
}

/* Whether a path starts with the name that `e` binds. */
static bool
about_own(const struct element *e, enum attr at)
{
	const struct value *v = e->at[at];

	return v && v->path.text && e->at[AT_AS] &&
	       strlen(e->at[AT_AS]->text) == (size_t)v->path.first_len &&
	       strncmp(e->at[AT_AS]->text, v->path.text,
		   (size_t)v->path.first_len) == 0;
}

/*
 * Tests about the name an element binds are made for each item, the others
 * once before.
 */
static bool
passes(struct filling *f, const struct element *e, bool own)
{
	bool own_if = about_own(e, AT_IF) || about_own(e, AT_ABOVE) ||
		      about_own(e, AT_BELOW);

	if (e->at[AT_IF] && own_if == own && !test_if(f, e))
		return false;
	return !e->at[AT_UNLESS] || about_own(e, AT_UNLESS) != own ||
	       !present(scope_find(f, &e->at[AT_UNLESS]->path));
}

/*
 * Repeating and binding
 */

static void apply_element(struct target *to, struct element *e, emit_fn *emit);

static void
apply_children(struct target *to, struct element *e, emit_fn *emit)
{
	for (struct element *k = e->first; k; k = k->next)
		apply_element(to, k, emit);
}

static void
emit_bound(struct target *to, struct element *e, emit_fn *emit)
{
	struct filling *f = to->b->f;

	if (!passes(f, e, true))
		return;
	if (e->kind == EL_WITH)
		apply_children(to, e, emit);
	else
		emit(to, e);
}

static struct node *
index_node(struct arena *a, int i)
{
	struct node *n = arena_alloc(a, 1, sizeof(*n));

	n->kind = NODE_NUMBER;
	n->name = "index";
	n->number = n->low = n->high = i;
	n->unit = UNIT_COUNT;
	return n;
}

static void
apply_each(struct target *to, struct element *e, emit_fn *emit)
{
	struct filling *f = to->b->f;
	const struct node *list = scope_need(f, &e->at[AT_EACH]->path);
	const char *as = e->at[AT_AS]->text;
	int i = 0;

	if (!list)
		return;
	if (list->kind != NODE_LIST) {
		test_error(f, e->at[AT_EACH], "is not a list");
		return;
	}
	for (const struct node *item = list->first; item; item = item->next) {
		struct scope s = {as, (int)strlen(as), item,
		    index_node(f->a, ++i), f->scope};

		if (!filling_step(f))
			return;
		f->scope = &s;
		emit_bound(to, e, emit);
		f->scope = s.outer;
		f->el = e;
	}
}

static void
apply_with(struct target *to, struct element *e, emit_fn *emit)
{
	struct filling *f = to->b->f;
	const char *as = e->at[AT_AS]->text;
	struct scope s = {as, (int)strlen(as),
	    scope_need(f, &e->at[AT_PATH]->path), NULL, f->scope};

	if (!s.node)
		return;
	f->scope = &s;
	emit_bound(to, e, emit);
	f->scope = s.outer;
}

static void
apply_element(struct target *to, struct element *e, emit_fn *emit)
{
	struct filling *f = to->b->f;
	const struct element *outer = f->el;

	if (!filling_step(f))
		return;
	f->el = e;
	if (passes(f, e, false)) {
		if (e->at[AT_EACH])
			apply_each(to, e, emit);
		else if (e->at[AT_PATH])
			apply_with(to, e, emit);
		else
			emit_bound(to, e, emit);
	}
	f->el = outer;
}

/*
 * Attributes
 */

static void
inlines_at(struct target *to, struct element *e, enum attr at,
    struct inlines *out)
{
	struct filling *f = to->b->f;
	struct entry *entry =
	    e->at[at] ? mould_entry(f, &e->at[at]->mould) : NULL;

	if (entry)
		say_inlines(f, entry, out);
}

static const char *
plain_at(struct target *to, struct element *e, enum attr at)
{
	struct filling *f = to->b->f;
	struct entry *entry =
	    e->at[at] ? mould_entry(f, &e->at[at]->mould) : NULL;

	return entry ? say_plain(f, entry) : NULL;
}

static enum tone
tone_at(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;
	struct value *v = e->at[AT_TONE];
	const char *word = v ? mould_fill(f, &v->mould) : NULL;
	enum tone tone = TONE_NONE;

	if (word && !tone_find(word, &tone) && first_report(f, &v->reported)) {
		diag_error(f->d, place_pos(v->place), "tmpl-tone",
		    "no tone is known for '%s'", word);
		note_user(f);
	}
	return tone;
}

static void
remember(struct filling *f, struct named_list *l, const char *name,
    struct place at)
{
	*(struct named *)arena_push(f->a, &l->items, &l->n, sizeof(*l->items)) =
	    (struct named){name, at};
}

static const char *
id_at(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;
	struct value *v = e->at[AT_ID];
	const char *id = v ? mould_fill(f, &v->mould) : NULL;

	if (id)
		remember(f, &to->b->ids, id, v->place);
	return id;
}

/* A stem that is no path and not hidden, whatever the data holds. */
static const char *
file_at(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;
	struct value *v = e->at[AT_FILE];
	const char *stem = v ? mould_fill(f, &v->mould) : NULL;
	char *safe;

	if (!stem)
		return NULL;
	safe = arena_strdup(f->a, stem);
	for (char *s = safe; *s; s++)
		if (strchr("/\\:*?\"<>| ", *s) || (unsigned char)*s < 0x20 ||
		    *s == 0x7F || (*s == '.' && s == safe))
			*s = '_';
	remember(f, &to->b->files, safe, v->place);
	return safe;
}

static bool
yes_at(const struct element *e, enum attr at, bool missing)
{
	return e->at[at] ? e->at[at]->choice == 1 : missing;
}

static const char *
style_at(const struct element *e, const char *missing)
{
	return e->at[AT_STYLE] ? e->at[AT_STYLE]->text : missing;
}

/*
 * Blocks
 */

static void emit_block(struct target *to, struct element *e);

static struct block *
add_block(struct target *to, struct element *e, enum block_kind kind)
{
	struct block *b = block_new(to->b->f->a, kind);

	b->id = id_at(to, e);
	block_append(to->b->doc, to->in, b);
	return b;
}

static struct target
inside(const struct target *to, struct block *b)
{
	return (struct target){to->b, b, to->level, NULL};
}

static void
emit_line(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_PARA);

	b->style = "line";
	inlines_at(to, e, AT_SAY, &b->text);
}

static void
emit_cover(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_COVER);
	struct target in = inside(to, b);

	inlines_at(to, e, AT_TITLE, &b->title);
	inlines_at(to, e, AT_SUBTITLE, &b->text);
	apply_children(&in, e, emit_line);
}

static void
emit_section(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_SECTION);
	struct target in = inside(to, b);

	b->level = ++in.level;
	b->numbered = yes_at(e, AT_NUMBERED, true);
	inlines_at(to, e, AT_TITLE, &b->title);
	apply_children(&in, e, emit_block);
}

static void
emit_para(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_PARA);

	b->style = style_at(e, "body");
	inlines_at(to, e, AT_SAY, &b->text);
}

static void
emit_item(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_ITEM);
	struct target in = inside(to, b);

	inlines_at(to, e, AT_SAY, &b->text);
	apply_children(&in, e, emit_block);
}

/* A list whose items are all left out is left out too. */
static void
emit_list(struct target *to, struct element *e)
{
	struct block *b = block_new(to->b->f->a, BLOCK_LIST);
	struct target in = inside(to, b);

	b->ordered = yes_at(e, AT_ORDERED, false);
	apply_children(&in, e, emit_item);
	if (b->first)
		block_append(to->b->doc, to->in, b);
}

static void
emit_box(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_BOX);
	struct target in = inside(to, b);

	b->style = style_at(e, "plain");
	b->tone = tone_at(to, e);
	apply_children(&in, e, emit_block);
}

/*
 * Tables
 */

static void
emit_cell(struct target *to, struct element *e)
{
	struct row *row = to->row;
	struct cell *c =
	    arena_push(to->b->f->a, &row->cells, &row->n, sizeof(*c));

	c->span = e->at[AT_SPAN] ? (int)e->at[AT_SPAN]->number : 1;
	c->tone = tone_at(to, e);
	inlines_at(to, e, AT_SAY, &c->text);
}

static struct row *
add_row(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;

	if (to->in->n_columns == 0 && first_report(f, &e->reported))
		diag_error(f->d, place_pos(e->place), "tmpl-row",
		    "'%s' before any 'col' of its table", e->name);
	return arena_push(f->a, &to->in->rows, &to->in->n_rows,
	    sizeof(struct row));
}

static void
emit_row(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;
	struct target in = *to;
	int width = 0;

	in.row = add_row(to, e);
	apply_children(&in, e, emit_cell);
	for (int i = 0; i < in.row->n; i++)
		width += in.row->cells[i].span;
	if (width == to->in->n_columns || f->stopped ||
	    !first_report(f, &e->reported))
		return;
	diag_error(f->d, place_pos(e->place), "tmpl-row",
	    "a row of %d cells in a table of %d columns", width,
	    to->in->n_columns);
}

static void
emit_group(struct target *to, struct element *e)
{
	struct row *row = add_row(to, e);

	row->group = true;
	row->cells = arena_alloc(to->b->f->a, 1, sizeof(*row->cells));
	row->n = 1;
	row->cells[0].span = to->in->n_columns;
	row->cells[0].tone = tone_at(to, e);
	inlines_at(to, e, AT_SAY, &row->cells[0].text);
}

static void
emit_column(struct target *to, struct element *e)
{
	struct block *b = to->in;
	struct column *c =
	    arena_push(to->b->f->a, &b->columns, &b->n_columns, sizeof(*c));

	c->align =
	    e->at[AT_ALIGN] ? (enum align)e->at[AT_ALIGN]->choice : ALIGN_START;
	c->weight = e->at[AT_WEIGHT] ? e->at[AT_WEIGHT]->number : 1;
	inlines_at(to, e, AT_TITLE, &c->title);
}

static void
emit_table_part(struct target *to, struct element *e)
{
	if (e->kind == EL_COL)
		emit_column(to, e);
	else if (e->kind == EL_ROW)
		emit_row(to, e);
	else
		emit_group(to, e);
}

static void
emit_table(struct target *to, struct element *e)
{
	struct block *b = add_block(to, e, BLOCK_TABLE);
	struct target in = inside(to, b);

	b->numbered = e->at[AT_CAPTION] && yes_at(e, AT_NUMBERED, true);
	inlines_at(to, e, AT_CAPTION, &b->title);
	apply_children(&in, e, emit_table_part);
}

/*
 * Charts
 */

static void
add_label(struct target *to, const char *name, struct entry *entry)
{
	const char *text = say_plain(to->b->f, entry);

	if (text)
		*(struct label *)arena_push(to->b->f->a, &to->in->labels,
		    &to->in->n_labels, sizeof(struct label)) =
		    (struct label){name, text};
}

/* All entries that start so, but for those about something not here. */
static void
add_labels(struct target *to, const char *prefix)
{
	struct filling *f = to->b->f;
	int from, n = entry_prefix(f->t, prefix, &from);

	for (int i = from; i < from + n; i++)
		if (say_possible(f, f->t->by_id[i], 0))
			add_label(to, f->t->by_id[i]->id, f->t->by_id[i]);
}

static void
emit_label(struct target *to, struct element *e)
{
	struct entry *entry;

	if (e->kind == EL_LABELS) {
		add_labels(to, e->at[AT_PREFIX]->text);
		return;
	}
	entry = mould_entry(to->b->f, &e->at[AT_SAY]->mould);
	if (entry)
		add_label(to, e->at[AT_NAME]->text, entry);
}

static void
emit_chart(struct target *to, struct element *e)
{
	struct filling *f = to->b->f;
	struct block *b = add_block(to, e, BLOCK_FIGURE);
	struct target in = inside(to, b);

	b->numbered = e->at[AT_CAPTION] && yes_at(e, AT_NUMBERED, true);
	b->chart = e->at[AT_KIND]->text;
	b->of = scope_need(f, &e->at[AT_OF]->path);
	if (e->at[AT_AGAINST])
		b->against = scope_need(f, &e->at[AT_AGAINST]->path);
	inlines_at(to, e, AT_CAPTION, &b->title);
	b->alt = plain_at(to, e, AT_ALT);
	b->file = file_at(to, e);
	apply_children(&in, e, emit_label);
}

static void
emit_head(struct target *to, struct element *e)
{
	struct document *doc = to->b->doc;
	struct filling *f = to->b->f;

	inlines_at(to, e, AT_LEFT, &doc->head_left);
	inlines_at(to, e, AT_RIGHT, &doc->head_right);
	if (!e->at[AT_FOOT])
		return;
	f->slots = true;
	doc->foot = plain_at(to, e, AT_FOOT);
	f->slots = false;
}

static void
emit_block(struct target *to, struct element *e)
{
	switch (e->kind) {
	case EL_HEAD: emit_head(to, e); break;
	case EL_COVER: emit_cover(to, e); break;
	case EL_CONTENTS: add_block(to, e, BLOCK_CONTENTS); break;
	case EL_BREAK: add_block(to, e, BLOCK_BREAK); break;
	case EL_SECTION: emit_section(to, e); break;
	case EL_P: emit_para(to, e); break;
	case EL_LIST: emit_list(to, e); break;
	case EL_BOX: emit_box(to, e); break;
	case EL_TABLE: emit_table(to, e); break;
	case EL_CHART: emit_chart(to, e); break;
	default: break; /* structure.c lets no other element stand here */
	}
}

/*
 * The whole
 */

static const char *
doc_text(struct filling *f, const char *id, bool slots)
{
	const char *text;

	f->slots = slots;
	text = say_plain(f, entry_find(f->t, id));
	f->slots = false;
	return text;
}

static void
say_document(struct filling *f, struct document *doc)
{
	struct entry *author = entry_find(f->t, "doc.author");

	doc->lang = f->t->lang;
	doc->title = doc_text(f, "doc.title", false);
	doc->subject = doc_text(f, "doc.subject", false);
	doc->keywords = doc_text(f, "doc.keywords", false);
	if (author && say_possible(f, author, 0))
		doc->author = say_plain(f, author);
	doc->date = node_string(f->results, "project.date", NULL);
	doc->foot = doc_text(f, "doc.foot", true);
	doc->chapter_number = doc_text(f, "doc.chapter", true);
	doc->section_number = doc_text(f, "doc.section", true);
	doc->figure_number = doc_text(f, "doc.figure", true);
	doc->table_number = doc_text(f, "doc.table", true);
	doc->table_continued = doc_text(f, "doc.table-continued", true);
	doc->contents_title = doc_text(f, "doc.contents", false);
	doc->ref_chapter = doc_text(f, "doc.ref-chapter", true);
	doc->ref_section = doc_text(f, "doc.ref-section", true);
}

static int
by_name(const void *x, const void *y)
{
	const struct named *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* Sorted, so that references find their ids; two alike are an error. */
static void
sort_names(struct filling *f, struct named_list *l, const char *what)
{
	if (l->n == 0)
		return;
	qsort(l->items, (size_t)l->n, sizeof(*l->items), by_name);
	for (int i = 1; i < l->n; i++) {
		if (!str_equal(l->items[i].name, l->items[i - 1].name))
			continue;
		f->failed = true;
		diag_error(f->d, place_pos(l->items[i].place), "tmpl-duplicate",
		    "two blocks have the %s '%s'", what, l->items[i].name);
		while (i + 1 < l->n &&
		       str_equal(l->items[i].name, l->items[i + 1].name))
			i++;
	}
}

static void
missing_target(struct build *b, struct wanted *w)
{
	struct filling *f = b->f;
	const char **names =
	    arena_alloc(f->a, (size_t)b->ids.n + 1, sizeof(*names));
	const char *near;

	if (!first_report(f, &w->piece->reported))
		return;
	for (int i = 0; i < b->ids.n; i++)
		names[i] = b->ids.items[i].name;
	diag_error(f->d, place_pos(w->place), "tmpl-ref",
	    "a reference to '%s', which no block has as its id", w->id);
	near = str_nearest(w->id, names, b->ids.n);
	if (near)
		diag_note(f->d, "did you mean '%s'?", near);
}

static void
check_references(struct build *b)
{
	sort_names(b->f, &b->ids, "id");
	sort_names(b->f, &b->files, "file");
	for (int i = 0; i < b->f->n_wanted; i++) {
		struct wanted *w = &b->f->wanted[i];
		struct named key = {w->id, {0}};

		if (b->ids.n == 0 ||
		    !bsearch(&key, b->ids.items, (size_t)b->ids.n, sizeof(key),
			by_name))
			missing_target(b, w);
	}
}

struct document *
apply_structure(struct filling *f)
{
	struct build b = {.f = f};
	struct target to = {.b = &b};

	b.doc = arena_alloc(f->a, 1, sizeof(*b.doc));
	say_document(f, b.doc);
	apply_children(&to, f->t->root, emit_block);
	if (!f->stopped)
		check_references(&b);
	return f->failed ? NULL : b.doc;
}
