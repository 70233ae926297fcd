/* The document tree and its print. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/results.h"
#include "doc/doc.h"

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static void
blocks_keep_their_order(void **state)
{
	struct document d = {0};
	struct block *s = block_new(a, BLOCK_SECTION);
	struct block *p = block_new(a, BLOCK_PARA);
	struct block *q = block_new(a, BLOCK_PARA);

	(void)state;
	block_append(&d, NULL, s);
	block_append(&d, s, p);
	block_append(&d, s, q);
	assert_ptr_equal(d.first, s);
	assert_ptr_equal(d.last, s);
	assert_ptr_equal(s->first, p);
	assert_ptr_equal(p->next, q);
	assert_ptr_equal(s->last, q);
	assert_null(q->next);
	assert_int_equal(p->kind, BLOCK_PARA);
}

static void
text_of_runs_is_joined(void **state)
{
	struct inlines in = {0};

	(void)state;
	assert_string_equal(inlines_text(a, &in), "");
	inlines_add(a, &in, INLINE_TEXT, "需要 ");
	inlines_add(a, &in, INLINE_STRONG, "16 GiB");
	inlines_add(a, &in, INLINE_REF, NULL);
	inlines_add(a, &in, INLINE_TEXT, "。");
	assert_int_equal(in.n, 4);
	assert_string_equal(inlines_text(a, &in), "需要 16 GiB。");
}

static void
labels_are_found_by_name(void **state)
{
	struct label labels[] = {{"x", "横轴"}, {"y", "纵轴"}};
	struct block b = {.labels = labels, .n_labels = 2};

	(void)state;
	assert_string_equal(block_label(&b, "y", "-"), "纵轴");
	assert_string_equal(block_label(&b, "z", "-"), "-");
	assert_null(block_label(&b, "z", NULL));
}

static struct inlines *
add(struct inlines *in, enum inline_kind kind, const char *text,
    const char *target, enum tone tone)
{
	inlines_add(a, in, kind, text);
	in->items[in->n - 1].target = target;
	in->items[in->n - 1].tone = tone;
	return in;
}

static void
dump_shows_inline_kinds(void **state)
{
	struct document d = {.lang = "en", .title = "A \"title\""};
	struct block *p = block_new(a, BLOCK_PARA);
	struct str out;

	(void)state;
	p->style = "body";
	add(&p->text, INLINE_TEXT, "see ", NULL, TONE_NONE);
	add(&p->text, INLINE_REF, "", "fig-1", TONE_NONE);
	add(&p->text, INLINE_MARK, "fits", NULL, TONE_GOOD);
	add(&p->text, INLINE_LINK, "here", "https://example.org", TONE_NONE);
	add(&p->text, INLINE_TEXT, "厂家一", NULL, TONE_NONE);
	p->text.items[4].lang = "zh-CN";
	block_append(&d, NULL, p);
	str_init(&out, a);
	document_dump(&d, &out);
	assert_string_equal(out.s,
	    "document lang=en\n"
	    "  title \"A \\\"title\\\"\"\n"
	    "para style=body \"see \" [ref fig-1] [mark good \"fits\"] "
	    "[link https://example.org \"here\"] "
	    "[text lang=zh-CN \"厂家一\"]\n");
}

static void
dump_shows_tables(void **state)
{
	struct document d = {.lang = "en"};
	struct block *t = block_new(a, BLOCK_TABLE);
	struct column columns[2] = {{.weight = 1.5}, {.align = ALIGN_END}};
	struct cell cells[2] = {{.span = 1, .tone = TONE_BAD}, {.span = 1}};
	struct cell head = {.span = 2};
	struct row rows[2] = {{&head, 1, true}, {cells, 2, false}};
	struct str out;

	(void)state;
	add(&columns[0].title, INLINE_TEXT, "Card", NULL, TONE_NONE);
	add(&head.text, INLINE_TEXT, "Turing", NULL, TONE_NONE);
	add(&cells[0].text, INLINE_TEXT, "T4", NULL, TONE_NONE);
	t->id = "cards";
	t->numbered = true;
	add(&t->title, INLINE_TEXT, "Cards", NULL, TONE_NONE);
	t->columns = columns;
	t->n_columns = 2;
	t->rows = rows;
	t->n_rows = 2;
	block_append(&d, NULL, t);
	str_init(&out, a);
	document_dump(&d, &out);
	assert_string_equal(out.s, "document lang=en\n"
				   "table id=cards numbered title \"Cards\"\n"
				   "  col start weight=1.5 \"Card\"\n"
				   "  col end weight=0\n"
				   "  group | span=2 \"Turing\"\n"
				   "  row | tone=bad \"T4\" |\n");
}

static void
dump_shows_figures_by_path(void **state)
{
	struct node *root = node_root(a);
	struct node *list = node_list(a, root, "vendors");
	struct document d = {.lang = "en"};
	struct block *f = block_new(a, BLOCK_FIGURE);
	struct label label = {"axis", "cards"};
	struct str out;

	(void)state;
	node_item(a, list);
	f->of = node_group(a, node_item(a, list), "roofline");
	f->against = list;
	f->chart = "roofline";
	f->file = "roof-2";
	f->alt = "A line";
	f->labels = &label;
	f->n_labels = 1;
	block_append(&d, NULL, f);
	str_init(&out, a);
	document_dump(&d, &out);
	assert_string_equal(out.s,
	    "document lang=en\n"
	    "figure\n"
	    "  chart roofline of=vendors.1.roofline against=vendors "
	    "file=roof-2\n"
	    "  alt \"A line\"\n"
	    "  label axis \"cards\"\n");
}

static void
dump_nests(void **state)
{
	struct document d = {.lang = "en"};
	struct block *s = block_new(a, BLOCK_SECTION);
	struct block *l = block_new(a, BLOCK_LIST);
	struct block *i = block_new(a, BLOCK_ITEM);
	struct str out;

	(void)state;
	s->level = 1;
	s->numbered = true;
	l->ordered = true;
	add(&i->text, INLINE_QUIET, "one\ntwo", NULL, TONE_NONE);
	block_append(&d, NULL, block_new(a, BLOCK_CONTENTS));
	block_append(&d, NULL, s);
	block_append(&d, s, l);
	block_append(&d, l, i);
	block_append(&d, NULL, block_new(a, BLOCK_BREAK));
	str_init(&out, a);
	document_dump(&d, &out);
	assert_string_equal(out.s, "document lang=en\n"
				   "contents\n"
				   "section level=1 numbered\n"
				   "  list ordered\n"
				   "    item [quiet \"one\\ntwo\"]\n"
				   "break\n");
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(blocks_keep_their_order),
	    T(text_of_runs_is_joined),
	    T(labels_are_found_by_name),
	    T(dump_shows_inline_kinds),
	    T(dump_shows_tables),
	    T(dump_shows_figures_by_path),
	    T(dump_nests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
