/*
 * A template as compiled: what wording.c and structure.c read, and say.c
 * and apply.c fill.  Private to tmpl/.
 */
#ifndef TMPL_TEMPLATE_H
#define TMPL_TEMPLATE_H

#include "base/diag.h"
#include "data/results.h"
#include "doc/doc.h"
#include "tmpl/tmpl.h"
#include "tmpl/words.h"

struct xml_el;

enum {
	TMPL_MAX_PATH = 200,      /* bytes of a path or an id */
	TMPL_MAX_INCLUDE = 16,    /* entries within entries */
	TMPL_MAX_STEPS = 2000000, /* pieces and elements of one document */
	TMPL_MAX_REPORTS = 4,     /* of one place with different values */
	TMPL_MAX_TEXT = 64 << 20  /* bytes of text of one document */
};

/* Where a thing stands; made a struct pos only for a message. */
struct place {
	const struct source *src;
	size_t at;
};

/* "v.request.gpu": a bound name or a child of the root comes first. */
struct path {
	const char *text, *rest; /* rest: after the first '.', or NULL */
	int first_len;
	struct place place;
	int reported; /* in which run: once in each is enough */
};

/*
 * Text with values inside: "gate.[g.id].need".  A wording id, a block id, a
 * file stem, an address, a tone.
 */
struct mould_part {
	const char *text; /* or, when NULL, the value at */
	struct path path;
};
struct mould {
	const char *source; /* as written */
	struct mould_part *parts;
	int n;
	struct place place;
	struct entry *entry; /* the entry meant, when there is no value in it */
	int reported, reports; /* of values that name no entry, in that run */
};

enum piece_kind {
	PIECE_TEXT,
	PIECE_SLOT,  /* {n}, {page} ...: left as written in patterns */
	PIECE_VALUE, /* {path|format} */
	PIECE_LIST,  /* {path*field|format} */
	PIECE_ENTRY, /* {@id} */
	PIECE_REF,
	PIECE_OPEN, /* an inline element begins; up to PIECE_CLOSE */
	PIECE_CLOSE
};

struct piece {
	enum piece_kind kind;
	struct place place;
	const char *text;  /* TEXT; SLOT: the name */
	struct path path;  /* VALUE, LIST */
	const char *field; /* LIST; "" for the items themselves */
	const struct format *format, *range_of;
	const char *prefix;   /* of say:PREFIX */
	struct mould target;  /* ENTRY, REF, OPEN of a link or mark (tone) */
	enum inline_kind inl; /* OPEN */
	int reported;
};

struct entry {
	const char *id;
	struct place place;
	struct piece *pieces;
	int n;
	int visit; /* search for cycles: 0 new, 1 open, 2 done */
};

/* Structure. */
enum element_kind {
	EL_REPORT,
	EL_HEAD,
	EL_COVER,
	EL_LINE,
	EL_CONTENTS,
	EL_BREAK,
	EL_SECTION,
	EL_P,
	EL_LIST,
	EL_ITEM,
	EL_BOX,
	EL_TABLE,
	EL_COL,
	EL_ROW,
	EL_CELL,
	EL_GROUP,
	EL_CHART,
	EL_LABEL,
	EL_LABELS,
	EL_WITH,
	EL_N
};

enum attr {
	AT_TITLE,
	AT_SAY,
	AT_CAPTION,
	AT_ALT,
	AT_SUBTITLE,
	AT_LEFT,
	AT_RIGHT,
	AT_FOOT,
	AT_ID,
	AT_FILE,
	AT_TONE,
	AT_STYLE,
	AT_NUMBERED,
	AT_ORDERED,
	AT_ALIGN,
	AT_WEIGHT,
	AT_SPAN,
	AT_KIND,
	AT_OF,
	AT_AGAINST,
	AT_NAME,
	AT_PREFIX,
	AT_PATH,
	AT_EACH,
	AT_AS,
	AT_IF,
	AT_UNLESS,
	AT_IS,
	AT_NOT,
	AT_ABOVE,
	AT_BELOW,
	AT_N
};

struct value { /* of an attribute, by its type */
	bool given;
	struct place place;
	const char *text;
	struct mould mould;
	struct path path;
	bool is_path; /* ABOVE, BELOW: not a number */
	double number;
	int choice;
	int reported;
};

struct element {
	enum element_kind kind;
	struct place place;
	const char *name;
	struct value *at[AT_N]; /* NULL: not given */
	int reported;
	struct element *first, *last, *next;
};

struct template
{
	const char *lang;
	bool cjk; /* written without spaces between words */
	struct source *wording;
	struct entry *entries; /* in the order of the file */
	int n_entries;
	struct entry **by_id; /* sorted */
	struct words words;
	struct element *root;
	int run; /* counts template_apply and template_say */
};

/* template.c: template_read for sources already read */
struct template *template_parse(struct arena *a, const char *lang,
    struct source *wording, struct source *structure, struct diag *d);

/* wording.c */
bool wording_read(struct arena *a, struct template *t, struct xml_el *root,
    struct diag *d);
struct entry *entry_find(const struct template *t, const char *id);
/* The id nearest to `id`, or NULL. */
const char *
entry_near(struct arena *a, const struct template *t, const char *id);
/* Call `fn`, if any, for each entry a mould may mean; their number. */
int entry_match(const struct template *t, const struct mould *m,
    void (*fn)(struct entry *e, void *data), void *data);
/* How many ids start with `prefix`; in by_id from `*from` on. */
int entry_prefix(const struct template *t, const char *prefix, int *from);
/* The entries each language must have, in order; NULL past the last. */
const char *entry_required(int i);

/* path.c: reading the small languages inside attributes and holes */
bool path_read(struct arena *a, const char *s, size_t n, struct place at,
    struct path *p, struct diag *d);
bool mould_read(struct arena *a, const char *s, size_t n, struct place at,
    struct mould *m, struct diag *d);
/* Letters, digits, '_', '-' and '.'; what ids are made of. */
bool id_char(char c);
struct pos place_pos(struct place p);
struct pos place_after(struct place p, size_t n); /* n bytes on */
bool tone_find(const char *word, enum tone *tone);

/* structure.c */
/* Needs the wording read before.  False after reporting. */
bool structure_read(struct arena *a, struct template *t, struct xml_el *root,
    struct diag *d);
/* Whether the attribute names wording. */
bool attr_says(enum attr at);

/* A name bound by each, with or the caller. */
struct scope {
	const char *name;
	int len;
	const struct node *node;
	const struct node *index; /* NODE_NUMBER from 1; NULL if not in each */
	const struct scope *outer;
};

/* One run of template_apply or template_say. */
struct filling {
	struct arena *a;
	struct template *t;
	struct diag *d;
	const struct node *results;
	const struct scope *scope;
	const struct element *el; /* being applied; NULL for template_say */
	bool slots;               /* {n} and its like stay as they are */
	bool failed;              /* something was reported */
	bool stopped;             /* a limit is passed */
	int steps;
	size_t bytes;
	/* every reference made, to be checked at the end */
	struct wanted {
		const char *id;
		struct place place;
		struct piece *piece;
	} * wanted;
	int n_wanted;
};

/* scope.c */
const struct node *scope_find(const struct filling *f, const struct path *p);
/* The same; reports "tmpl-path" when there is none. */
const struct node *scope_need(struct filling *f, struct path *p);
/* NULL after reporting. */
const char *mould_fill(struct filling *f, struct mould *m);
struct entry *mould_entry(struct filling *f, struct mould *m);
/* A node as a word: text, number, true or false; NULL for the others. */
const char *node_word(struct arena *a, const struct node *n);
/* Whether the first time in this run; notes that it was. */
bool first_report(struct filling *f, int *reported);
/* Count one step; false, reporting once, when the limit is passed. */
bool filling_step(struct filling *f);
/* Add to the last problem which element wanted it. */
void note_user(struct filling *f);

/* say.c */
bool say_inlines(struct filling *f, struct entry *e, struct inlines *out);
/* Plain text: references are refused. */
char *say_plain(struct filling *f, struct entry *e);
/* Whether all that the holes of the entry name is there. */
bool say_possible(struct filling *f, const struct entry *e, int depth);

/* apply.c */
struct document *apply_structure(struct filling *f);

#endif
