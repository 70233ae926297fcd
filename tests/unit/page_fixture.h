/*
 * Documents built by hand and by chance, for the tests of layout and pdf.
 */
#ifndef PAGE_FIXTURE_H
#define PAGE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/results.h"
#include "doc/doc.h"
#include "layout/pages.h"
#include "layout/style.h"

/* cairo 1.16 keeps a little per page; it is not ours to free */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libcairo\nleak:libfontconfig\n";
}

static const char *const FIX_TEXT =
    "模型把每一层的计算量、访存量与并行度代入屋顶线，考虑分块与波次的取整损失，再用公开测速"
    "校准。对开发集的8,689条公开测速，中位误差为14%；厂家给出实测值的，以实测值为准，并按"
    "比例传递到其他型号；没有实测值的，标注为“按层计算”，误差相应放宽到±35%。";

static inline struct document *
fix_document(struct arena *a, bool en)
{
	struct document *d = arena_alloc(a, 1, sizeof(*d));

	d->lang = en ? "en" : "zh-CN";
	d->title = en ? "Why vendors need different GPUs" : "型号差异说明";
	d->subject = "测试项目";
	d->author = "集成商";
	d->date = "2026-11-30";
	d->keywords = "GPU";
	d->foot = en ? "Page {page} of {pages}" : "第 {page} 页 共 {pages} 页";
	d->chapter_number = en ? "{n}" : "第 {n} 章";
	d->section_number = "{n}";
	d->figure_number = en ? "Figure {n}" : "图 {n}";
	d->table_number = en ? "Table {n}" : "表 {n}";
	d->table_continued = en ? "Table {n} (continued)" : "续表 {n}";
	d->contents_title = en ? "Contents" : "目录";
	d->ref_chapter = en ? "chapter {n}" : "第 {n} 章";
	d->ref_section = en ? "section {n}" : "{n} 节";
	inlines_add(a, &d->head_left, INLINE_TEXT, d->title);
	return d;
}

static inline struct block *
fix_add(struct arena *a, struct document *d, struct block *in,
    enum block_kind kind)
{
	struct block *b = block_new(a, kind);

	block_append(d, in, b);
	return b;
}

static inline struct block *
fix_section(struct arena *a, struct document *d, struct block *in, int level,
    const char *title, const char *id)
{
	struct block *b = fix_add(a, d, in, BLOCK_SECTION);

	b->level = level;
	b->numbered = true;
	b->id = id;
	inlines_add(a, &b->title, INLINE_TEXT, title);
	return b;
}

static inline struct block *
fix_para(struct arena *a, struct document *d, struct block *in,
    const char *text)
{
	struct block *b = fix_add(a, d, in, BLOCK_PARA);

	inlines_add(a, &b->text, INLINE_TEXT, text);
	return b;
}

static inline void
fix_ref(struct arena *a, struct block *para, const char *id)
{
	inlines_add(a, &para->text, INLINE_REF, NULL);
	para->text.items[para->text.n - 1].target = id;
}

static inline struct cell *
fix_cell(struct arena *a, struct row *row, const char *text)
{
	struct cell *c = arena_push(a, &row->cells, &row->n, sizeof(*c));

	c->span = 1;
	inlines_add(a, &c->text, INLINE_TEXT, text);
	return c;
}

/* Cells say "r<row>c<column>" unless `text` is given. */
static inline struct block *
fix_table(struct arena *a, struct document *d, struct block *in, int rows,
    int columns, const char *text)
{
	struct block *b = fix_add(a, d, in, BLOCK_TABLE);

	b->numbered = true;
	inlines_add(a, &b->title, INLINE_TEXT, "规格");
	for (int c = 0; c < columns; c++) {
		struct column *k =
		    arena_push(a, &b->columns, &b->n_columns, sizeof(*k));

		inlines_add(a, &k->title, INLINE_TEXT,
		    arena_printf(a, "列%d", c + 1));
	}
	for (int r = 0; r < rows; r++) {
		struct row *row =
		    arena_push(a, &b->rows, &b->n_rows, sizeof(*row));

		for (int c = 0; c < columns; c++)
			fix_cell(a, row,
			    text ? text
				 : arena_printf(a, "r%dc%d", r + 1, c + 1));
	}
	return b;
}

/* A figure that compares a CPU and a GPU. */
static inline struct block *
fix_figure(struct arena *a, struct document *d, struct block *in,
    const char *title)
{
	static const struct label labels[] = {
	    {"chart.cpu-gpu.cpu", "CPU"},
	    {"chart.cpu-gpu.gpu", "GPU"},
	    {"chart.cpu-gpu.units", "单元"},
	    {"chart.cpu-gpu.cores", "核"},
	    {"chart.cpu-gpu.flop_per_s", "算力"},
	    {"chart.cpu-gpu.bandwidth", "带宽"},
	    {"chart.cpu-gpu.log", "对数刻度"},
	};
	struct block *b = fix_add(a, d, in, BLOCK_FIGURE);
	struct node *root = node_root(a);
	struct node *r = node_group(a, root, "reasons");
	struct node *p = node_group(a, r, "parallel");
	struct node *w = node_group(a, r, "bandwidth");

	node_text(a, p, "cpu_name", "Xeon");
	node_text(a, p, "gpu_name", "NVIDIA T4");
	node_number(a, p, "cpu_cores", 28, UNIT_COUNT);
	node_number(a, p, "gpu_cores", 2560, UNIT_COUNT);
	node_number(a, p, "cpu_flop_per_s", 2e12, UNIT_FLOP_PER_S);
	node_number(a, p, "gpu_flop_per_s", 65e12, UNIT_FLOP_PER_S);
	node_number(a, w, "cpu_bandwidth", 141e9, UNIT_BYTE_PER_S);
	node_number(a, w, "gpu_bandwidth", 320e9, UNIT_BYTE_PER_S);
	b->numbered = true;
	b->chart = "cpu-gpu";
	b->of = root;
	b->labels = (struct label *)labels;
	b->n_labels = sizeof(labels) / sizeof(labels[0]);
	b->alt = "CPU 与 GPU 的对比";
	b->file = "cpu-gpu";
	inlines_add(a, &b->title, INLINE_TEXT, title);
	return b;
}

/* The same numbers for a seed on every machine. */
static inline unsigned
fix_chance(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

/* The first `n` characters of the sample text, repeated as needed. */
static inline char *
fix_words(struct arena *a, int n)
{
	struct str s;
	const char *t = FIX_TEXT;

	str_init(&s, a);
	while (n-- > 0) {
		if (!*t)
			t = FIX_TEXT;
		str_add_utf8(&s, utf8_next(&t));
	}
	return s.s;
}

/* Sections, paragraphs, lists, boxes and tables in a random order. */
static inline struct document *
fix_random(struct arena *a, unsigned seed, bool en)
{
	struct document *d = fix_document(a, en);
	struct block *chapter = NULL, *at = NULL;

	inlines_add(a, &fix_add(a, d, NULL, BLOCK_COVER)->title, INLINE_TEXT,
	    "封面标题");
	fix_add(a, d, NULL, BLOCK_CONTENTS);
	for (int i = 0; i < 40; i++) {
		struct block *b;
		int n = 8 + (int)fix_chance(&seed, 200);

		switch (fix_chance(&seed, 9)) {
		case 0:
			chapter = at = fix_section(a, d, NULL, 1, "一章", NULL);
			/* four lines, so that no chapter ends at a heading */
			fix_para(a, d, at, fix_words(a, 140 + n));
			break;
		case 1:
		case 2:
			if (!chapter)
				break;
			at = fix_section(a, d, chapter, 2, "一节", NULL);
			fix_para(a, d, at, fix_words(a, 140 + n));
			break;
		case 3:
			b = fix_add(a, d, at, BLOCK_LIST);
			b->ordered = n % 2;
			for (int k = 0; k < 3; k++)
				inlines_add(a,
				    &fix_add(a, d, b, BLOCK_ITEM)->text,
				    INLINE_TEXT, fix_words(a, n / 2));
			break;
		case 4:
			b = fix_add(a, d, at, BLOCK_BOX);
			b->tone = TONE_GOOD;
			fix_para(a, d, b, fix_words(a, n));
			break;
		case 5: fix_table(a, d, at, 1 + n / 6, 4, NULL); break;
		default: fix_para(a, d, at, fix_words(a, n)); break;
		}
	}
	return d;
}

#endif
