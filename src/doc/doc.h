/*
 * The document: what is said, in order, with no geometry.
 *
 * A tree of blocks that hold inline runs.  Built by tmpl/ from structure,
 * wording and results; laid out by layout/; also the source for other
 * formats.  Everything is in one language.
 */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include <stdbool.h>

#include "base/diag.h"

struct arena;
struct node;
struct str;

enum inline_kind {
	INLINE_TEXT,
	INLINE_STRONG,
	INLINE_QUIET, /* smaller, grey: sources, certainty */
	INLINE_REF,   /* "图 2-1", "第 3 章": filled in by layout */
	INLINE_LINK,  /* an address outside */
	INLINE_MARK   /* a coloured verdict mark: text is the wording */
};

/* Meaning of a coloured mark or cell, never the only carrier of meaning. */
enum tone { TONE_NONE, TONE_GOOD, TONE_OK, TONE_WARN, TONE_BAD, TONE_OPEN };

struct inl {
	enum inline_kind kind;
	const char *text;
	const char *target; /* REF: id of a block; LINK: address */
	enum tone tone;
	const char *lang; /* NULL: the document's */
};

struct inlines {
	struct inl *items;
	int n;
};

enum block_kind {
	BLOCK_SECTION, /* level, title, children */
	BLOCK_PARA,
	BLOCK_LIST, /* children are BLOCK_ITEM */
	BLOCK_ITEM, /* text, children */
	BLOCK_TABLE,
	BLOCK_FIGURE,   /* a chart with a caption */
	BLOCK_BOX,      /* framed children: the answer, a verdict */
	BLOCK_COVER,    /* title, subtitle, lines; always a page */
	BLOCK_CONTENTS, /* table of contents goes here */
	BLOCK_BREAK     /* new page */
};

enum align { ALIGN_START, ALIGN_CENTRE, ALIGN_END };

struct cell {
	struct inlines text;
	enum tone tone; /* background tint */
	int span;       /* columns, at least 1 */
};

struct row {
	struct cell *cells;
	int n;
	bool group; /* a heading inside the table, spans all columns */
};

struct column {
	struct inlines title;
	enum align align;
	double weight; /* share of spare width; 0: as narrow as content */
};

struct label { /* wording for a chart, by name */
	const char *name, *text;
};

struct block {
	enum block_kind kind;
	const char *id; /* for references and links; may be NULL */
	struct block *first, *last, *next;

	int level;            /* section: 1.. */
	bool numbered;        /* section, table, figure */
	struct inlines title; /* section title, caption, cover title */
	struct inlines text;  /* para, item */
	const char *style;    /* para: "body", "lead", "note", "source",
			      "question"; box: "answer", "verdict" ... */
	enum tone tone;       /* box */
	bool ordered;         /* list */

	struct column *columns; /* table */
	int n_columns;
	struct row *rows;
	int n_rows;

	const char *chart;               /* figure: the kind, e.g. "matrix" */
	const struct node *of, *against; /* what it shows */
	struct label *labels;
	int n_labels;
	const char *alt;  /* says what the picture shows */
	const char *file; /* stem of its SVG file */
};

struct document {
	const char *lang; /* "zh-CN", "en" */
	const char *title, *subject, *author, *date, *keywords;
	struct inlines head_left, head_right; /* running head */
	/* "第 {page} 页 共 {pages} 页": the two holes are filled by layout */
	const char *foot;
	/* patterns for numbers: "第 {n} 章", "{n}", "图 {n}", "表 {n}",
	 * "续表 {n}" */
	const char *chapter_number, *section_number, *figure_number,
	    *table_number, *table_continued, *contents_title;
	/* a reference in the text: "第 {n} 章", "{n} 节", "图 {n}" ... */
	const char *ref_chapter, *ref_section;
	struct block *first, *last;
};

struct block *block_new(struct arena *a, enum block_kind kind);
/* Append to a block, or to the document when `in` is NULL. */
void block_append(struct document *d, struct block *in, struct block *b);
void inlines_add(struct arena *a, struct inlines *in, enum inline_kind kind,
    const char *text);
const char *
block_label(const struct block *b, const char *name, const char *missing);
/* The text of all runs joined. */
char *inlines_text(struct arena *a, const struct inlines *in);

/* An indented, line-per-thing print for --dump=doc and golden tests. */
void document_dump(const struct document *d, struct str *out);

#endif
