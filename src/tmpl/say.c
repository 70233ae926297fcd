#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "tmpl/template.h"

/*
 * Where text is gathered.  A space read is not written until the character
 * after it is known; then it goes to the run it was read in.
 */
struct run {
	struct inl inl;
	struct str text;
};

struct sink {
	struct filling *f;
	struct run *runs;
	int n;
	struct inl style; /* what new text is */
	uint32_t last;    /* character; 0 at the start */
	bool space;
	int space_run;
};

static bool
has_han(const char *s)
{
	uint32_t cp;

	while ((cp = utf8_next(&s)) != 0)
		if (utf8_is_wide(cp))
			return true;
	return false;
}

/* Marks that bring their own space: CJK punctuation, full-width forms. */
static bool
is_full_mark(uint32_t cp, bool cjk)
{
	if (cjk &&
	    ((cp >= 0x2018 && cp <= 0x201D) || cp == 0x2014 || cp == 0x2026))
		return true;
	return (cp >= 0x3001 && cp <= 0x303F) ||
	       (cp >= 0xFF01 && cp <= 0xFF0F) ||
	       (cp >= 0xFF1A && cp <= 0xFF20) ||
	       (cp >= 0xFF3B && cp <= 0xFF40) || (cp >= 0xFF5B && cp <= 0xFF65);
}

static bool
keeps_space(const struct sink *s, uint32_t next)
{
	bool cjk = s->f->t->cjk;

	if (s->last == 0)
		return false;
	if (is_full_mark(s->last, cjk) || is_full_mark(next, cjk))
		return false;
	return !(utf8_is_wide(s->last) && utf8_is_wide(next));
}

static bool
same_style(const struct inl *x, const struct inl *y)
{
	return x->kind == y->kind && x->tone == y->tone &&
	       str_equal(x->target, y->target) && str_equal(x->lang, y->lang);
}

static struct run *
run_of(struct sink *s)
{
	struct run *r = s->n ? &s->runs[s->n - 1] : NULL;

	if (r && r->inl.kind != INLINE_REF && same_style(&r->inl, &s->style))
		return r;
	r = arena_push(s->f->a, &s->runs, &s->n, sizeof(*r));
	r->inl = s->style;
	str_init(&r->text, s->f->a);
	return r;
}

/* The character `next` is about to follow. */
static void
settle_space(struct sink *s, uint32_t next)
{
	if (s->space && keeps_space(s, next))
		str_addc(&s->runs[s->space_run].text, ' ');
	s->space = false;
}

/* Text as it stands, but for control characters. */
static void
put(struct sink *s, const char *text)
{
	struct run *r;
	const char *p = text;
	uint32_t cp = utf8_next(&p);

	if (cp == 0)
		return;
	settle_space(s, cp);
	r = run_of(s);
	s->f->bytes += strlen(text);
	for (; cp != 0; cp = utf8_next(&p)) {
		s->last = cp < 0x20 || cp == 0x7F ? ' ' : cp;
		str_add_utf8(&r->text, s->last);
	}
}

/* Data, which may be in another script than the document. */
static void
put_data(struct sink *s, const char *text)
{
	bool foreign =
	    !s->f->t->cjk && s->style.kind == INLINE_TEXT && has_han(text);

	if (foreign)
		s->style.lang = "zh-CN";
	put(s, text);
	s->style.lang = NULL;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Wording: white space is one space, or none. */
static void
put_wording(struct sink *s, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, " \n\t\r");

		if (n > 0) {
			const char *p = text;
			struct run *r;

			settle_space(s, utf8_next(&p));
			r = run_of(s);
			str_addn(&r->text, text, n);
			s->f->bytes += n;
			for (p = text; p < text + n;)
				s->last = utf8_next(&p);
			text += n;
		}
		if (!*text)
			break;
		while (is_space(*text))
			text++;
		if (!s->space && s->last) {
			run_of(s);
			s->space = true;
			s->space_run = s->n - 1;
		}
	}
}

/*
 * Values
 */

static bool
value_error(struct filling *f, struct piece *p, const char *id,
    const char *what)
{
	if (!first_report(f, &p->reported))
		return false;
	diag_error(f->d, place_pos(p->place), id, "'%s%s%s' %s", p->path.text,
	    p->kind == PIECE_LIST ? "*" : "",
	    p->kind == PIECE_LIST ? p->field : "", what);
	note_user(f);
	return false;
}

static bool
add_number(struct filling *f, struct piece *p, double v, struct str *out)
{
	if (!isfinite(v))
		return value_error(f, p, "tmpl-number",
		    "is not a finite number");
	words_number(&f->t->words, p->format, v, out);
	return true;
}

static bool
add_range(struct filling *f, struct piece *p, const struct node *n,
    struct str *out)
{
	if (!isfinite(n->low) || !isfinite(n->high))
		return value_error(f, p, "tmpl-number",
		    "is not a finite range");
	words_range(&f->t->words, p->range_of, n->low, n->high, out);
	return true;
}

static bool
number_text(struct filling *f, struct piece *p, const struct node *n,
    struct str *out)
{
	if (format_kind(p->format) == FORMAT_DATE)
		return value_error(f, p, "tmpl-type", "is a number, no date");
	if (format_kind(p->format) == FORMAT_RANGE)
		return add_range(f, p, n, out);
	return add_number(f, p, n->number, out);
}

/* The text of a node in the document's language. */
static const char *
text_of(const struct filling *f, const struct node *n)
{
	return n->text_en && !str_starts(f->t->lang, "zh") ? n->text_en
							   : n->text;
}

static bool
data_text(struct filling *f, struct piece *p, const struct node *n,
    struct str *out)
{
	switch (format_kind(p->format)) {
	case FORMAT_PLAIN:
	case FORMAT_CC: str_add(out, text_of(f, n)); return true;
	case FORMAT_DATE:
		return words_date(&f->t->words, n->text, out) ||
		       value_error(f, p, "tmpl-type",
			   "is no date such as 2026-11-30");
	default:
		return value_error(f, p, "tmpl-type",
		    "is text; this formatter takes numbers");
	}
}

/* A node through the formatter, as text in `out`. */
static bool
value_text(struct filling *f, struct piece *p, const struct node *n,
    struct str *out)
{
	switch (n->kind) {
	case NODE_NUMBER: return number_text(f, p, n, out);
	case NODE_TEXT: return data_text(f, p, n, out);
	case NODE_LIST:
		if (format_kind(p->format) == FORMAT_DATE ||
		    format_kind(p->format) == FORMAT_RANGE)
			break;
		return add_number(f, p, n->n, out);
	case NODE_FLAG:
		return value_error(f, p, "tmpl-type",
		    "is a flag; say it with 'if' or with say:PREFIX");
	case NODE_GROUP:
		return value_error(f, p, "tmpl-type", "is a group of values");
	}
	return value_error(f, p, "tmpl-type",
	    "is a list; this formatter takes one number");
}

/*
 * Pieces
 */

static bool say_pieces(struct sink *s, struct entry *e, int depth);

/* {..|say:PREFIX}: the entry PREFIX.value */
static bool
say_word(struct sink *s, struct piece *p, const struct node *n, int depth)
{
	struct filling *f = s->f;
	const char *word = node_word(f->a, n), *id;
	struct entry *e;

	if (!word)
		return value_error(f, p, "tmpl-type", "is no word to say");
	id = arena_printf(f->a, "%s.%s", p->prefix, word);
	e = entry_find(f->t, id);
	if (e)
		return say_pieces(s, e, depth + 1);
	return value_error(f, p, "tmpl-say",
	    arena_printf(f->a, "asks for the entry '%s', which is not there",
		id));
}

static bool
say_value(struct sink *s, struct piece *p, const struct node *n, int depth)
{
	struct str out;

	if (format_kind(p->format) == FORMAT_SAY)
		return say_word(s, p, n, depth);
	str_init(&out, s->f->a);
	if (!value_text(s->f, p, n, &out))
		return false;
	if (n->kind == NODE_TEXT)
		put_data(s, out.s);
	else
		put(s, out.s);
	return true;
}

static const struct node *
item_field(struct filling *f, struct piece *p, const struct node *item)
{
	const struct node *n = *p->field ? node_find(item, p->field) : item;

	if (!n)
		value_error(f, p, "tmpl-path",
		    "names a field that an item does not have");
	return n;
}

static bool
say_list(struct sink *s, struct piece *p, int depth)
{
	struct filling *f = s->f;
	const struct node *list = scope_need(f, &p->path);
	bool ok = true;
	int i = 0;

	if (!list)
		return false;
	if (list->kind != NODE_LIST)
		return value_error(f, p, "tmpl-type", "is not about a list");
	for (const struct node *item = list->first; item; item = item->next) {
		const struct node *n = item_field(f, p, item);
		struct str joint;

		if (!n || !filling_step(f))
			return false;
		str_init(&joint, f->a);
		if (i > 0)
			words_joint(&f->t->words, i, list->n, &joint);
		put(s, joint.s);
		ok &= say_value(s, p, n, depth);
		i++;
	}
	return ok;
}

static bool
say_slot(struct sink *s, struct piece *p)
{
	if (!s->f->slots) {
		if (!first_report(s->f, &p->reported))
			return false;
		diag_error(s->f->d, place_pos(p->place), "tmpl-slot",
		    "{%s} has a value only where the program asks for this "
		    "entry",
		    p->text);
		note_user(s->f);
		return false;
	}
	put(s, arena_printf(s->f->a, "{%s}", p->text));
	return true;
}

static bool
say_entry(struct sink *s, struct piece *p, int depth)
{
	struct entry *e = mould_entry(s->f, &p->target);

	return e && say_pieces(s, e, depth + 1);
}

static bool
say_ref(struct sink *s, struct piece *p)
{
	struct filling *f = s->f;
	const char *id = mould_fill(f, &p->target);
	struct run *r;
	struct wanted *w;

	if (!id)
		return false;
	/* its text comes later: "图 2" in Chinese, "Figure 2" elsewhere */
	settle_space(s, f->t->cjk ? 0x56FE : 'F');
	r = arena_push(f->a, &s->runs, &s->n, sizeof(*r));
	r->inl = (struct inl){.kind = INLINE_REF, .target = id};
	str_init(&r->text, f->a);
	s->last = f->t->cjk ? 0x56FE : 'F';
	w = arena_push(f->a, &f->wanted, &f->n_wanted, sizeof(*w));
	*w = (struct wanted){id, p->place, p};
	return true;
}

/* An inline element begins: text is of its kind until it ends. */
static bool
open_inline(struct sink *s, struct piece *p)
{
	struct filling *f = s->f;
	const char *target = NULL;

	if (p->target.source) {
		target = mould_fill(f, &p->target);
		if (!target)
			return false;
	}
	s->style = (struct inl){.kind = p->inl};
	if (p->inl == INLINE_LINK) {
		s->style.target = target;
		if (p->text)
			put(s, target);
	}
	if (p->inl == INLINE_MARK && !tone_find(target, &s->style.tone)) {
		if (first_report(f, &p->reported))
			diag_error(f->d, place_pos(p->target.place),
			    "tmpl-tone", "no tone is known for '%s'", target);
		return false;
	}
	return true;
}

static bool
say_piece(struct sink *s, struct piece *p, int depth)
{
	const struct node *n;

	switch (p->kind) {
	case PIECE_TEXT: put_wording(s, p->text); return true;
	case PIECE_SLOT: return say_slot(s, p);
	case PIECE_VALUE:
		n = scope_need(s->f, &p->path);
		return n && say_value(s, p, n, depth);
	case PIECE_LIST: return say_list(s, p, depth);
	case PIECE_ENTRY: return say_entry(s, p, depth);
	case PIECE_REF: return say_ref(s, p);
	case PIECE_OPEN: return open_inline(s, p);
	case PIECE_CLOSE: break;
	}
	return true;
}

static bool
say_pieces(struct sink *s, struct entry *e, int depth)
{
	struct inl outer = s->style;
	bool ok = true;

	if (depth > TMPL_MAX_INCLUDE) {
		if (!s->f->stopped)
			diag_error(s->f->d, place_pos(e->place), "tmpl-cycle",
			    "'%s' stands within itself, or %d entries deep",
			    e->id, TMPL_MAX_INCLUDE);
		s->f->stopped = s->f->failed = true;
		return false;
	}
	for (int i = 0; i < e->n; i++) {
		if (!filling_step(s->f))
			return false;
		ok &= say_piece(s, &e->pieces[i], depth);
		if (e->pieces[i].kind == PIECE_CLOSE)
			s->style = outer;
	}
	return ok;
}

bool
say_inlines(struct filling *f, struct entry *e, struct inlines *out)
{
	struct sink s = {.f = f};
	bool ok = say_pieces(&s, e, 0);

	*out = (struct inlines){0};
	for (int i = 0; i < s.n; i++) {
		struct run *r = &s.runs[i];

		if (r->text.len == 0 && r->inl.kind != INLINE_REF)
			continue;
		r->inl.text = r->text.s;
		*(struct inl *)arena_push(f->a, &out->items, &out->n,
		    sizeof(r->inl)) = r->inl;
	}
	return ok;
}

char *
say_plain(struct filling *f, struct entry *e)
{
	struct inlines in;
	int wanted = f->n_wanted;

	if (!say_inlines(f, e, &in))
		return NULL;
	if (f->n_wanted == wanted)
		return inlines_text(f->a, &in);
	f->failed = true;
	diag_error(f->d, place_pos(f->wanted[wanted].place), "tmpl-plain",
	    "a reference where only plain text can stand");
	note_user(f);
	return NULL;
}

/* Whether all that a mould needs is bound. */
static bool
mould_possible(const struct filling *f, const struct mould *m)
{
	for (int i = 0; i < m->n; i++)
		if (!m->parts[i].text && !scope_find(f, &m->parts[i].path))
			return false;
	return true;
}

bool
say_possible(struct filling *f, const struct entry *e, int depth)
{
	for (int i = 0; i < e->n; i++) {
		const struct piece *p = &e->pieces[i];

		if (!filling_step(f))
			return false;
		if ((p->kind == PIECE_VALUE || p->kind == PIECE_LIST) &&
		    !scope_find(f, &p->path))
			return false;
		if (p->kind == PIECE_REF ||
		    (p->kind == PIECE_SLOT && !f->slots))
			return false;
		if (!mould_possible(f, &p->target))
			return false;
		if (p->kind == PIECE_ENTRY && p->target.entry &&
		    depth < TMPL_MAX_INCLUDE &&
		    !say_possible(f, p->target.entry, depth + 1))
			return false;
	}
	return true;
}
