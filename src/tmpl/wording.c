#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/xml_in.h"
#include "tmpl/template.h"

/*
 * Text of an element as we have it (entities resolved), followed in step in
 * the source, so that every hole knows where it stands.
 */
struct cursor {
	const struct source *src;
	size_t raw;  /* in the source */
	size_t done; /* bytes of the resolved text passed */
	bool cdata;
};

struct reader {
	struct arena *a;
	struct diag *d;
	struct entry *e;
	struct cursor at;
	const char *const *slot_names; /* of this entry, or NULL */
	bool ok;
};

static const char *const doc_slots[] = {"n", "page", "pages", NULL};
static const char *const unit_slots[] = {"n", "low", "high", "year", "month",
    "day", "name", "a", "b", NULL};

/* Entries the program itself needs, besides those of words_entry. */
static const char *const doc_entries[] = {"doc.title", "doc.subject",
    "doc.keywords", "doc.chapter", "doc.section", "doc.figure", "doc.table",
    "doc.table-continued", "doc.contents", "doc.ref-chapter", "doc.ref-section",
    "doc.foot"};

enum { N_DOC = sizeof(doc_entries) / sizeof(doc_entries[0]) };

const char *
entry_required(int i)
{
	if (i < N_DOC)
		return doc_entries[i];
	return i - N_DOC < WORD_N ? words_entry((enum word)(i - N_DOC)) : NULL;
}

/*
 * The cursor
 */

static bool
raw_is(const struct cursor *c, const char *s)
{
	size_t n = strlen(s);

	return c->src->len - c->raw >= n &&
	       memcmp(c->src->text + c->raw, s, n) == 0;
}

static void
raw_past(struct cursor *c, const char *s)
{
	const char *p =
	    memmem(c->src->text + c->raw, c->src->len - c->raw, s, strlen(s));

	c->raw = p ? (size_t)(p - c->src->text) + strlen(s) : c->src->len;
}

/* Over comments and the marks of CDATA, which give no text. */
static void
skip_silent(struct cursor *c)
{
	for (;;) {
		if (c->cdata && raw_is(c, "]]>")) {
			c->raw += 3;
			c->cdata = false;
		} else if (!c->cdata && raw_is(c, "<![CDATA[")) {
			c->raw += 9;
			c->cdata = true;
		} else if (!c->cdata && raw_is(c, "<!--")) {
			c->raw += 4;
			raw_past(c, "-->");
		} else if (!c->cdata && raw_is(c, "<?")) {
			raw_past(c, "?>");
		} else {
			return;
		}
	}
}

/* Bytes of UTF-8 that the reference at the cursor stands for. */
static size_t
reference_bytes(const struct cursor *c)
{
	const char *s = c->src->text + c->raw;
	unsigned long cp;

	if (s[1] != '#')
		return 1;
	cp = s[2] == 'x' ? strtoul(s + 3, NULL, 16) : strtoul(s + 2, NULL, 10);
	return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

static void
cursor_to(struct cursor *c, size_t done)
{
	skip_silent(c);
	while (c->done < done && c->raw < c->src->len) {
		if (!c->cdata && c->src->text[c->raw] == '&') {
			c->done += reference_bytes(c);
			raw_past(c, ";");
		} else {
			if (raw_is(c, "\r\n"))
				c->raw++;
			c->raw++;
			c->done++;
		}
		skip_silent(c);
	}
}

/* To the first byte after the start tag at `at`; true if it is empty: <x/> */
static bool
enter_element(struct cursor *c, size_t at)
{
	const char *s = c->src->text;
	size_t i = at;
	char quote = '\0';

	for (; i < c->src->len && (quote || s[i] != '>'); i++)
		if (quote ? s[i] == quote : s[i] == '"' || s[i] == '\'')
			quote = quote ? '\0' : s[i];
	*c = (struct cursor){c->src, i < c->src->len ? i + 1 : i, 0, false};
	return i > at && s[i - 1] == '/';
}

/* From the end of an element's text, past its end tag. */
static void
leave_element(struct cursor *c)
{
	skip_silent(c);
	raw_past(c, ">");
	c->done = 0;
}

/*
 * Holes
 */

static struct piece *
add_piece(struct reader *r, enum piece_kind kind, struct place at)
{
	struct piece *p = arena_push(r->a, &r->e->pieces, &r->e->n, sizeof(*p));

	p->kind = kind;
	p->place = at;
	p->format = format_find("");
	return p;
}

static const struct format *
read_format(struct reader *r, const char *name, struct place at)
{
	const struct format *f = *name ? format_find(name) : NULL;
	const char *near;
	struct str all;
	int n;
	const char *const *names = format_names(&n);

	if (f)
		return f;
	diag_error(r->d, place_pos(at), "tmpl-format", "unknown formatter '%s'",
	    name);
	near = str_nearest(name, names, n);
	if (near) {
		diag_note(r->d, "did you mean '%s'?", near);
		return NULL;
	}
	str_init(&all, r->a);
	for (int i = 0; i < n; i++)
		str_addf(&all, "%s%s", i ? ", " : "", names[i]);
	diag_note(r->d, "use one of %s", all.s);
	return NULL;
}

/* NAME or NAME:ARGUMENT; `at` is its place. */
static bool
read_spec(struct reader *r, struct piece *p, const char *s, size_t n,
    struct place at)
{
	const char *colon = memchr(s, ':', n);
	size_t len = colon ? (size_t)(colon - s) : n;
	const char *arg =
	    colon ? arena_strndup(r->a, colon + 1, n - len - 1) : NULL;
	struct place arg_at = {at.src, at.at + len + 1};

	p->format = read_format(r, arena_strndup(r->a, s, len), at);
	if (!p->format)
		return false;
	switch (format_kind(p->format)) {
	case FORMAT_RANGE:
		p->range_of = read_format(r, arg ? arg : "", arg ? arg_at : at);
		if (!p->range_of)
			return false;
		if (!format_ranges(p->range_of))
			return diag_error(r->d, place_pos(arg_at),
			    "tmpl-format", "'%s' cannot show a range", arg);
		return true;
	case FORMAT_SAY:
		if (!arg || !*arg || strspn(arg, "[]") > 0)
			return diag_error(r->d, place_pos(at), "tmpl-format",
			    "'say' needs the beginning of an id: say:gate");
		p->prefix = arg;
		return true;
	default:
		if (arg)
			return diag_error(r->d, place_pos(arg_at),
			    "tmpl-format", "'%s' takes no argument",
			    format_name(p->format));
		return true;
	}
}

static bool
read_include(struct reader *r, const char *s, size_t n, struct place at)
{
	struct place inner = {at.src, at.at + 2};

	for (size_t i = 0; i < n; i++)
		if (!id_char(s[i]) && s[i] != '[' && s[i] != ']')
			return diag_error(r->d, place_after(inner, i),
			    "tmpl-hole", "'%.*s' is no id", (int)n, s);
	if (n == 0 || n > TMPL_MAX_PATH)
		return diag_error(r->d, place_pos(at), "tmpl-hole",
		    "an id is expected after '{@'");
	return mould_read(r->a, s, n, inner,
	    &add_piece(r, PIECE_ENTRY, at)->target, r->d);
}

static bool
is_slot(const struct reader *r, const char *s, size_t n)
{
	for (const char *const *p = r->slot_names; p && *p; p++)
		if (strlen(*p) == n && strncmp(*p, s, n) == 0)
			return true;
	return false;
}

/* The `n` bytes between braces; `at` is the place of the opening one. */
static bool
parse_hole(struct reader *r, const char *s, size_t n, struct place at)
{
	const char *bar = memchr(s, '|', n);
	size_t left = bar ? (size_t)(bar - s) : n;
	const char *star = memchr(s, '*', left);
	size_t path_n = star ? (size_t)(star - s) : left;
	struct place inner = {at.src, at.at + 1};
	struct piece *p;

	if (n == 0)
		return diag_error(r->d, place_pos(at), "tmpl-hole",
		    "an empty hole");
	if (n > 2 * TMPL_MAX_PATH)
		return diag_error(r->d, place_pos(at), "tmpl-hole",
		    "a hole of %zu bytes; at most %d are allowed", n,
		    2 * TMPL_MAX_PATH);
	if (s[0] == '@')
		return read_include(r, s + 1, n - 1, at);
	if (is_slot(r, s, n)) {
		add_piece(r, PIECE_SLOT, at)->text = arena_strndup(r->a, s, n);
		return true;
	}
	p = add_piece(r, star ? PIECE_LIST : PIECE_VALUE, at);
	if (!path_read(r->a, s, path_n, inner, &p->path, r->d))
		return false;
	p->field = "";
	if (star && star + 1 < s + left) {
		struct path field;
		struct place field_at = {at.src, at.at + path_n + 2};

		if (!path_read(r->a, star + 1, left - path_n - 1, field_at,
			&field, r->d))
			return false;
		p->field = field.text;
	}
	if (!bar)
		return true;
	inner.at += left + 1;
	return read_spec(r, p, bar + 1, n - left - 1, inner);
}

/* A hole that cannot be read leaves nothing to look up later. */
static void
read_hole(struct reader *r, const char *s, size_t n, struct place at)
{
	int before = r->e->n;

	if (parse_hole(r, s, n, at))
		return;
	r->ok = false;
	if (r->e->n > before)
		r->e->pieces[before] = (struct piece){.kind = PIECE_TEXT,
		    .place = at,
		    .text = "",
		    .format = format_find("")};
}

static void
flush_text(struct reader *r, struct str *text)
{
	if (text->len == 0)
		return;
	add_piece(r, PIECE_TEXT, (struct place){r->at.src, r->at.raw})->text =
	    arena_strndup(r->a, text->s, text->len);
	text->len = 0;
}

/* Text without elements: literal text, holes, doubled braces. */
static void
read_text(struct reader *r, const char *s)
{
	struct str text;
	size_t i = 0, len = strlen(s);

	str_init(&text, r->a);
	r->at.done = 0;
	while (i < len) {
		size_t plain = strcspn(s + i, "{}"), n;
		struct place at;

		str_addn(&text, s + i, plain);
		i += plain;
		if (i == len)
			break;
		if (s[i] == s[i + 1]) {
			str_addc(&text, s[i]);
			i += 2;
			continue;
		}
		cursor_to(&r->at, i);
		at = (struct place){r->at.src, r->at.raw};
		n = s[i] == '{' ? strcspn(s + i + 1, "{}") : 0;
		if (s[i] == '}' || s[i + 1 + n] != '}') {
			r->ok = diag_error(r->d, place_pos(at), "tmpl-hole",
			    "'%c' without its partner", s[i]);
			diag_note(r->d,
			    "a brace in the text is written "
			    "'%c%c'",
			    s[i], s[i]);
			i++;
			continue;
		}
		flush_text(r, &text);
		read_hole(r, s + i + 1, n, at);
		i += n + 2;
	}
	flush_text(r, &text);
	cursor_to(&r->at, len);
}

/*
 * Elements inside an entry
 */

static const struct {
	const char *name, *attr;
	enum piece_kind kind;
	enum inline_kind inl;
} inlines[] = {
    {"b", NULL, PIECE_OPEN, INLINE_STRONG},
    {"quiet", NULL, PIECE_OPEN, INLINE_QUIET},
    {"ref", "to", PIECE_REF, INLINE_REF},
    {"link", "to", PIECE_OPEN, INLINE_LINK},
    {"mark", "tone", PIECE_OPEN, INLINE_MARK},
};

enum { N_INLINES = sizeof(inlines) / sizeof(inlines[0]) };

static struct place
el_place(const struct xml_el *el)
{
	return (struct place){el->src, el->at};
}

static bool
check_attrs(struct reader *r, struct xml_el *el, const char *known)
{
	bool ok = true;

	for (int i = 0; i < el->n_attrs; i++) {
		struct place at = {el->src, el->attrs[i].name_at};

		if (known && str_equal(el->attrs[i].name, known))
			continue;
		ok = diag_error(r->d, place_pos(at), "tmpl-attribute",
		    "unknown attribute '%s' of '%s'", el->attrs[i].name,
		    el->name);
		if (known)
			diag_note(r->d, "'%s' has '%s'", el->name, known);
	}
	return ok;
}

static bool
read_target(struct reader *r, struct xml_el *el, const char *name,
    struct mould *m)
{
	enum tone tone;

	for (int i = 0; i < el->n_attrs; i++) {
		const struct xml_attr *at = &el->attrs[i];
		struct place place = {el->src, at->value_at};

		if (!str_equal(at->name, name) || !*at->value)
			continue;
		if (!mould_read(r->a, at->value, strlen(at->value), place, m,
			r->d))
			return false;
		if (str_equal(name, "tone") && m->n == 1 && m->parts[0].text &&
		    !tone_find(at->value, &tone))
			return diag_error(r->d, place_pos(place), "tmpl-tone",
			    "unknown tone '%s'", at->value);
		return true;
	}
	return diag_error(r->d, place_pos(el_place(el)), "tmpl-missing",
	    "'%s' needs the attribute '%s'", el->name, name);
}

static int
inline_of(struct reader *r, const struct xml_el *el)
{
	for (int i = 0; i < N_INLINES; i++)
		if (str_equal(inlines[i].name, el->name))
			return i;
	r->ok = diag_error(r->d, place_pos(el_place(el)), "tmpl-element",
	    "unknown element '%s' in wording", el->name);
	diag_note(r->d, "text may hold b, quiet, ref, link and mark");
	return -1;
}

static void
read_inline(struct reader *r, struct xml_el *el)
{
	int i = inline_of(r, el);
	struct mould target = {0};
	struct piece *p;

	if (i < 0)
		return;
	r->ok &= check_attrs(r, el, inlines[i].attr);
	if (inlines[i].attr)
		r->ok &= read_target(r, el, inlines[i].attr, &target);
	p = add_piece(r, inlines[i].kind, el_place(el));
	p->inl = inlines[i].inl;
	p->target = target;
	if (el->first)
		r->ok = diag_error(r->d, place_pos(el_place(el->first)),
		    "tmpl-element", "'%s' inside '%s'", el->first->name,
		    el->name);
	if (inlines[i].inl == INLINE_REF && *el->lead)
		r->ok = diag_error(r->d, place_pos(el_place(el)),
		    "tmpl-element", "'ref' must be empty");
	if (p->kind != PIECE_OPEN)
		return;
	/* a link that says nothing shows its address */
	p->text = inlines[i].inl == INLINE_LINK && !*el->lead ? "" : NULL;
	if (!enter_element(&r->at, el->at))
		read_text(r, el->lead);
	add_piece(r, PIECE_CLOSE, el_place(el));
}

/* Move past `el`, whatever it holds. */
static void
pass_element(struct cursor *c, const struct xml_el *el)
{
	if (enter_element(c, el->at))
		return;
	cursor_to(c, strlen(el->lead));
	for (const struct xml_el *k = el->first; k; k = k->next) {
		pass_element(c, k);
		cursor_to(c, strlen(k->tail));
	}
	leave_element(c);
}

static bool
read_entry(struct arena *a, struct entry *e, struct xml_el *el, struct diag *d)
{
	struct reader r = {a, d, e, {.src = el->src}, NULL, true};

	if (str_starts(e->id, "doc."))
		r.slot_names = doc_slots;
	else if (str_starts(e->id, "unit."))
		r.slot_names = unit_slots;
	r.ok &= check_attrs(&r, el, "id");
	if (enter_element(&r.at, el->at))
		return r.ok;
	read_text(&r, el->lead);
	for (struct xml_el *k = el->first; k; k = k->next) {
		read_inline(&r, k);
		r.at.cdata = false;
		pass_element(&r.at, k);
		read_text(&r, k->tail);
	}
	return r.ok;
}

/*
 * The file
 */

static int
by_id(const void *x, const void *y)
{
	const struct entry *const *a = x, *const *b = y;
	int c = strcmp((*a)->id, (*b)->id);

	return c ? c : *a < *b ? -1 : *a > *b;
}

static bool
sort_entries(struct arena *a, struct template *t, struct diag *d)
{
	bool ok = true;

	t->by_id = arena_alloc(a, (size_t)t->n_entries + 1, sizeof(*t->by_id));
	for (int i = 0; i < t->n_entries; i++)
		t->by_id[i] = &t->entries[i];
	qsort(t->by_id, (size_t)t->n_entries, sizeof(*t->by_id), by_id);
	for (int i = 1; i < t->n_entries; i++) {
		const struct entry *e = t->by_id[i], *before = t->by_id[i - 1];

		if (!str_equal(e->id, before->id))
			continue;
		ok = diag_error(d, place_pos(e->place), "tmpl-duplicate",
		    "'%s' is said twice", e->id);
		diag_note(d, "first in line %d", place_pos(before->place).line);
	}
	return ok;
}

/* The first place in by_id whose id is not before `id`. */
static int
place_of(const struct template *t, const char *id)
{
	int low = 0, high = t->n_entries;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (strcmp(t->by_id[mid]->id, id) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct entry *
entry_find(const struct template *t, const char *id)
{
	int i = place_of(t, id);

	return i < t->n_entries && str_equal(t->by_id[i]->id, id) ? t->by_id[i]
								  : NULL;
}

int
entry_prefix(const struct template *t, const char *prefix, int *from)
{
	int n = 0;

	*from = place_of(t, prefix);
	while (*from + n < t->n_entries &&
	       str_starts(t->by_id[*from + n]->id, prefix))
		n++;
	return n;
}

const char *
entry_near(struct arena *a, const struct template *t, const char *id)
{
	const char **ids =
	    arena_alloc(a, (size_t)t->n_entries + 1, sizeof(*ids));

	for (int i = 0; i < t->n_entries; i++)
		ids[i] = t->by_id[i]->id;
	return str_nearest(id, ids, t->n_entries);
}

/*
 * Whether `id` is the mould with something without '.' where values go.
 * `at[i]` says that the parts so far can end before byte i.
 */
static bool
mould_means(const struct mould *m, const char *id)
{
	bool at[TMPL_MAX_PATH + 1] = {true};
	int len = (int)strlen(id);

	for (int k = 0; k < m->n; k++) {
		const char *text = m->parts[k].text;
		int n = text ? (int)strlen(text) : 0;
		bool next[TMPL_MAX_PATH + 1] = {false};

		for (int i = 0; i <= len; i++) {
			if (text && at[i] && i + n <= len &&
			    strncmp(id + i, text, (size_t)n) == 0)
				next[i + n] = true;
			if (!text && i > 0 && id[i - 1] != '.')
				next[i] = at[i - 1] || next[i - 1];
		}
		memcpy(at, next, sizeof(at));
	}
	return at[len];
}

int
entry_match(const struct template *t, const struct mould *m,
    void (*fn)(struct entry *e, void *data), void *data)
{
	const char *prefix = m->n && m->parts[0].text ? m->parts[0].text : "";
	int found = 0, from, n;

	if (m->entry) {
		if (fn)
			fn(m->entry, data);
		return 1;
	}
	n = entry_prefix(t, prefix, &from);
	for (int i = from; i < from + n; i++)
		if (mould_means(m, t->by_id[i]->id)) {
			if (fn)
				fn(t->by_id[i], data);
			found++;
		}
	return found;
}

static bool
blank(const char *s)
{
	for (; *s; s++)
		if (!isspace((unsigned char)*s))
			return false;
	return true;
}

static bool
read_id(struct xml_el *el, struct entry *e, struct diag *d)
{
	e->id = xml_need(el, "id", d);
	if (!e->id) {
		e->id = "";
		return false;
	}
	if (strlen(e->id) > TMPL_MAX_PATH) {
		diag_error(d, xml_attr_pos(el, "id"), "tmpl-value",
		    "an id of %zu bytes; at most %d are allowed", strlen(e->id),
		    TMPL_MAX_PATH);
		e->id = "";
		return false;
	}
	for (const char *s = e->id; *s; s++)
		if (!id_char(*s))
			return diag_error(d, xml_attr_pos(el, "id"),
			    "tmpl-value",
			    "'%s' is no id: letters, digits, "
			    "'-', '_' and '.' are allowed",
			    e->id);
	return true;
}

static bool
check_root(struct template *t, struct xml_el *root, struct diag *d)
{
	struct reader r = {.d = d};
	const char *lang;

	if (!str_equal(root->name, "wording"))
		return diag_error(d, xml_pos(root), "tmpl-element",
		    "'%s' where 'wording' is expected", root->name);
	lang = xml_need(root, "lang", d);
	if (lang && !str_equal(lang, t->lang))
		diag_error(d, xml_attr_pos(root, "lang"), "tmpl-value",
		    "language '%s' in the file for '%s'", lang, t->lang);
	return check_attrs(&r, root, "lang") && lang &&
	       str_equal(lang, t->lang);
}

static bool
check_required(struct template *t, struct xml_el *root, struct diag *d)
{
	const char *id;
	bool ok = true;

	for (int i = 0; (id = entry_required(i)) != NULL; i++)
		if (!entry_find(t, id))
			ok = diag_error(d, xml_pos(root), "tmpl-say",
			    "no entry '%s', which every language needs", id);
	return ok;
}

bool
wording_read(struct arena *a, struct template *t, struct xml_el *root,
    struct diag *d)
{
	bool ok = check_root(t, root, d);

	if (!str_equal(root->name, "wording"))
		return false;
	if (!blank(root->lead))
		ok = diag_error(d, xml_pos(root), "tmpl-element",
		    "text outside of 'say'");
	for (struct xml_el *el = root->first; el; el = el->next) {
		struct entry *e;

		if (!blank(el->tail))
			ok = diag_error(d, xml_pos(el), "tmpl-element",
			    "text after this element, outside of 'say'");
		if (!str_equal(el->name, "say")) {
			ok = diag_error(d, xml_pos(el), "tmpl-element",
			    "unknown element '%s' in 'wording'", el->name);
			diag_note(d, "a wording file holds only 'say'");
			continue;
		}
		e = arena_push(a, &t->entries, &t->n_entries, sizeof(*e));
		e->place = el_place(el);
		ok &= read_id(el, e, d);
		ok &= read_entry(a, e, el, d);
	}
	ok &= sort_entries(a, t, d);
	ok &= check_required(t, root, d);
	return ok;
}
