#include "parse/yaml_in.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/charset.h"
#include "parse/yaml_check.h"

/* Keys are compared with all before them in their map. */
enum { MAX_KEYS = 1000 };

struct build {
	struct arena *a;
	struct source *src;
	struct diag *d;
	struct yaml_copy copy;
	yaml_parser_t parser;
	struct yaml_node *root;
	struct yaml_node *open[YAML_MAX_DEPTH];
	int depth, n_nodes;
	/* the key that waits for its value, by level */
	const char *key[YAML_MAX_DEPTH + 1];
	struct pos key_pos[YAML_MAX_DEPTH + 1];
	int n_documents;
};

static struct pos
place(const struct build *b, yaml_mark_t m)
{
	struct pos pos = {b->src, (int)m.line + 1, (int)m.column + 1};

	for (int i = 0; i < b->copy.n_edits; i++)
		if (b->copy.edits[i].line == pos.line &&
		    b->copy.edits[i].col <= (int)m.column)
			pos.col -= b->copy.edits[i].shift;
	if (pos.col < 1)
		pos.col = 1;
	return pos;
}

/*
 * The tree
 */

static struct yaml_node *
key_find(const struct yaml_node *map, const char *key)
{
	for (struct yaml_node *c = map->first; c; c = c->next)
		if (strcmp(c->key, key) == 0)
			return c;
	return NULL;
}

static bool
take_key(struct build *b, struct yaml_node *map, yaml_event_t *e)
{
	struct pos pos = place(b, e->start_mark);
	const struct yaml_node *before;
	const char *key;

	if (e->type != YAML_SCALAR_EVENT)
		return diag_error(b->d, pos, "yaml-key",
		    "a key must be plain text");
	key = arena_strdup(b->a, (const char *)e->data.scalar.value);
	if (map->n >= MAX_KEYS)
		return diag_error(b->d, pos, "yaml-limit",
		    "more than %d keys in one map", (int)MAX_KEYS);
	before = key_find(map, key);
	if (before) {
		diag_error(b->d, pos, "yaml-duplicate", "'%s' is given twice",
		    key);
		diag_note(b->d, "it is given first in line %d",
		    before->key_pos.line);
	}
	b->key[b->depth] = key;
	b->key_pos[b->depth] = pos;
	return true;
}

static struct yaml_node *
append(struct build *b, enum yaml_kind kind, yaml_event_t *e)
{
	struct yaml_node *node = arena_alloc(b->a, 1, sizeof(*node));
	struct yaml_node *up = b->depth ? b->open[b->depth - 1] : NULL;

	node->kind = kind;
	node->pos = node->key_pos = place(b, e->start_mark);
	if (!up) {
		b->root = node;
		return node;
	}
	if (up->kind == YAML_MAP) {
		node->key = b->key[b->depth];
		node->key_pos = b->key_pos[b->depth];
		b->key[b->depth] = NULL;
	}
	if (up->last)
		up->last->next = node;
	else
		up->first = node;
	up->last = node;
	up->n++;
	return node;
}

/* Anchors and tags: no reader here needs them. */
static bool
check_properties(struct build *b, yaml_event_t *e)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;
	struct pos pos = place(b, e->start_mark);

	switch (e->type) {
	case YAML_ALIAS_EVENT: anchor = e->data.alias.anchor; break;
	case YAML_SCALAR_EVENT:
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = e->data.mapping_start.anchor;
		tag = e->data.mapping_start.tag;
		break;
	default: break;
	}
	if (anchor) {
		diag_error(b->d, pos, "yaml-alias",
		    "anchors and aliases ('&%s', '*%s') are not read",
		    (const char *)anchor, (const char *)anchor);
		diag_note(b->d, "write the value out; quote text that "
				"starts with '&' or '*'");
		return false;
	}
	if (tag) {
		diag_error(b->d, pos, "yaml-tag", "tags ('%s') are not read",
		    (const char *)tag);
		diag_note(b->d, "leave the tag out; quote text that starts "
				"with '!'");
		return false;
	}
	return true;
}

static bool
take_node(struct build *b, yaml_event_t *e)
{
	struct yaml_node *up = b->depth ? b->open[b->depth - 1] : NULL;
	struct yaml_node *node;

	if (!check_properties(b, e))
		return false;
	if (++b->n_nodes > YAML_MAX_NODES)
		return diag_error(b->d, place(b, e->start_mark), "yaml-limit",
		    "more than %d values", (int)YAML_MAX_NODES);
	if (up && up->kind == YAML_MAP && !b->key[b->depth])
		return take_key(b, up, e);
	if (e->type == YAML_SCALAR_EVENT) {
		node = append(b, YAML_SCALAR, e);
		node->text =
		    arena_strdup(b->a, (const char *)e->data.scalar.value);
		node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		return true;
	}
	if (b->depth == YAML_MAX_DEPTH)
		return diag_error(b->d, place(b, e->start_mark), "yaml-limit",
		    "values nest deeper than %d levels", (int)YAML_MAX_DEPTH);
	node = append(b,
	    e->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST, e);
	b->open[b->depth++] = node;
	b->key[b->depth] = NULL;
	return true;
}

static bool
take_event(struct build *b, yaml_event_t *e)
{
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (++b->n_documents == 1)
			return true;
		diag_error(b->d, place(b, e->start_mark), "yaml-documents",
		    "a second document starts here");
		diag_note(b->d, "one file holds one document; leave the "
				"'---' out");
		return false;
	case YAML_ALIAS_EVENT:
	case YAML_SCALAR_EVENT:
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT: return take_node(b, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: b->depth--; return true;
	default: return true;
	}
}

/*
 * What libyaml says, in the words of someone who fills in a form
 */

/* Where to point: at the problem, at its context, at the end of a line. */
enum where { AT_PROBLEM, AT_CONTEXT };

static const struct {
	const char *context, *problem; /* parts of libyaml's two texts */
	enum where where;
	const char *text, *note;
} slips[] = {
    {"simple key", "could not find expected ':'", AT_CONTEXT,
	"a line without ': '", "inside a map every line is 'key: value'"},
    {"quoted scalar", "unexpected end of stream", AT_CONTEXT,
	"a quote is opened here and never closed", NULL},
    {"quoted scalar", "unknown escape", AT_PROBLEM,
	"an unknown escape after '\\'", "put text with '\\' in single quotes"},
    {"flow mapping", "expected ',' or '}'", AT_PROBLEM,
	"',' or '}' is expected here", "a '{' is open"},
    {"flow sequence", "expected ',' or ']'", AT_PROBLEM,
	"',' or ']' is expected here", "a '[' is open"},
    {"block mapping", "did not find expected key", AT_PROBLEM,
	"a key is expected here",
	"keys of one map start in the same column; quote text that "
	"holds quotes or brackets"},
    {"block collection", "expected '-'", AT_PROBLEM, "'- ' is expected here",
	"items of one list start in the same column"},
    {NULL, "mapping values are not allowed", AT_PROBLEM,
	"a key is not allowed here",
	"check the indent, or put text with ': ' in quotes"},
    {NULL, "block sequence entries are not allowed", AT_PROBLEM,
	"a list item is not allowed here",
	"start it on a line of its own; quote text that starts with "
	"'- '"},
    {NULL, "cannot start any token", AT_PROBLEM,
	"this sign must not start a value", "put the text in quotes"},
    {NULL, "expected <document start>", AT_PROBLEM,
	"text after the end of the value",
	"check the indent, and quotes or brackets closed too early"},
    {NULL, "block end", AT_PROBLEM, "the indent does not fit", NULL},
    {NULL, "did not find expected node content", AT_PROBLEM,
	"a value is expected here", NULL},
    {NULL, "control characters are not allowed", AT_PROBLEM,
	"a control character in the text", NULL},
};

static bool
has(const char *text, const char *part)
{
	return !part || (text && strstr(text, part));
}

/*
 * A slip already reported on this line or the one before explains it.  A
 * warning does not: the file would be refused without an error.
 */
static bool
explained(const struct build *b, int first, int line)
{
	for (int i = first; i < b->d->n; i++) {
		const struct problem *p = &b->d->problems[i];

		if (p->severity == SEV_ERROR && p->pos.src == b->src &&
		    p->pos.line && p->pos.line >= line - 1 &&
		    p->pos.line <= line + 1)
			return true;
	}
	return false;
}

static void
syntax_error(struct build *b, int first_problem)
{
	const yaml_parser_t *p = &b->parser;
	struct pos pos = place(b, p->problem_mark);
	const char *problem = p->problem ? p->problem : "malformed";

	if (p->error == YAML_MEMORY_ERROR)
		arena_exhausted();
	if (p->error == YAML_READER_ERROR)
		pos = pos_at(b->src, p->problem_offset);
	for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
		if (!has(p->context, slips[i].context) ||
		    !has(problem, slips[i].problem))
			continue;
		if (slips[i].where == AT_CONTEXT)
			pos = place(b, p->context_mark);
		if (explained(b, first_problem, pos.line))
			return;
		diag_error(b->d, pos, "yaml-syntax", "%s", slips[i].text);
		if (slips[i].note && slips[i].where == AT_PROBLEM &&
		    p->context && strstr(p->context, "flow"))
			diag_note(b->d, "%s since line %d", slips[i].note,
			    place(b, p->context_mark).line);
		else if (slips[i].note)
			diag_note(b->d, "%s", slips[i].note);
		return;
	}
	if (!explained(b, first_problem, pos.line))
		diag_error(b->d, pos, "yaml-syntax", "%s", problem);
}

/* False after reporting. */
static bool
build(struct build *b)
{
	int first = b->d->n;
	bool ok = true, end = false;
	yaml_event_t e;

	for (int i = b->d->n - 1; i >= 0 && b->d->problems[i].pos.src == b->src;
	     i--)
		first = i;
	if (!yaml_parser_initialize(&b->parser))
		arena_exhausted();
	yaml_parser_set_input_string(&b->parser,
	    (const unsigned char *)b->copy.text, b->copy.len);
	while (ok && !end) {
		if (!yaml_parser_parse(&b->parser, &e)) {
			syntax_error(b, first);
			ok = false;
			break;
		}
		ok = take_event(b, &e);
		end = e.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&b->parser);
	return ok;
}

/*
 * Bytes
 */

/*
 * Pairs of GBK bytes can be valid UTF-8 by chance: then they read as Greek,
 * Cyrillic or accented letters, without one Han character in the file.
 */
static void
warn_gbk(struct arena *a, const struct source *src, struct diag *d)
{
	const char *s = src->text, *end = s + src->len, *first = NULL;
	size_t len;
	char *gbk;

	while (s < end) {
		const char *at = s;
		uint32_t cp = utf8_next(&s);

		if (cp == 0)
			break;
		if (cp >= 0x800)
			return;
		if (cp >= 0x100 && !first)
			first = at;
	}
	if (!first)
		return;
	gbk = charset_to_utf8(a, first, 2, "GB18030", &len);
	if (!gbk)
		return;
	diag_warning(d, pos_at(src, (size_t)(first - src->text)),
	    "yaml-encoding", "'%.2s' may be '%s' in GBK", first, gbk);
	diag_note(d, "check that the file is saved as UTF-8");
}

/* UTF-8 in the end, or false; GBK is reported and read all the same. */
static bool
check_bytes(struct arena *a, struct source *src, struct diag *d)
{
	ptrdiff_t bad, zero;
	size_t len, at;
	char *text;

	if (charset_utf16(src->text, src->len)) {
		diag_error(d, pos_file(src), "yaml-encoding",
		    "the file is UTF-16");
		diag_note(d, "save it as UTF-8");
		return false;
	}
	if (src->len >= 3 && memcmp(src->text, "\xEF\xBB\xBF", 3) == 0) {
		src->text += 3;
		src->len -= 3;
	}
	zero = charset_blank_zeros(a, src);
	if (zero >= 0)
		return diag_error(d, pos_at(src, (size_t)zero),
		    "yaml-character", "a zero byte in the text");
	bad = utf8_invalid_at(src->text, src->len);
	if (bad >= 0) {
		at = (size_t)bad;
		text = charset_to_utf8(a, src->text, src->len, "GB18030", &len);
		if (!text) {
			diag_error(d, pos_at(src, at), "yaml-encoding",
			    "a byte that is not UTF-8");
			diag_note(d, "save the file as UTF-8");
			return false;
		}
		/* characters before it were ASCII or valid in both */
		src->text = text;
		src->len = len;
		diag_error(d, pos_at(src, at), "yaml-encoding",
		    "the file is not UTF-8; it looks like GBK");
		diag_note(d, "save it as UTF-8; it was read as GBK to look "
			     "for other problems");
	}
	warn_gbk(a, src, d);
	for (size_t i = 0; i < src->len; i++) {
		unsigned char ch = (unsigned char)src->text[i];

		if ((ch < 0x20 && !isspace(ch)) || ch == 0x7F)
			return diag_error(d, pos_at(src, i), "yaml-character",
			    "a control character (0x%02X) in the text", ch);
	}
	return true;
}

static bool
is_blank_file(const struct source *src)
{
	bool comment = false;

	for (size_t i = 0; i < src->len; i++) {
		char ch = src->text[i];

		if (ch == '\n' || ch == '\r')
			comment = false;
		else if (ch == '#')
			comment = true;
		else if (!comment && !isspace((unsigned char)ch))
			return false;
	}
	return true;
}

struct yaml_node *
yaml_parse(struct arena *a, struct source *src, struct diag *d)
{
	struct build *b = arena_alloc(a, 1, sizeof(*b));

	assert(src && src->text);
	if (src->len > YAML_MAX_BYTES) {
		diag_error(d, pos_file(src), "yaml-limit", "larger than %d MiB",
		    YAML_MAX_BYTES >> 20);
		return NULL;
	}
	if (!check_bytes(a, src, d))
		return NULL;
	if (is_blank_file(src)) {
		diag_error(d, pos_file(src), "yaml-empty",
		    "the file is empty, or holds only comments");
		return NULL;
	}
	*b = (struct build){.a = a, .src = src, .d = d};
	if (!yaml_check(a, src, &b->copy, d) || !build(b))
		return NULL;
	if (!b->root || (b->root->kind == YAML_SCALAR && !b->root->text[0])) {
		diag_error(d, pos_file(src), "yaml-empty",
		    "the file holds no value");
		return NULL;
	}
	if (b->root->kind == YAML_SCALAR) {
		diag_error(d, b->root->pos, "yaml-kind",
		    "the file is one piece of text, not 'key: value' lines");
		return NULL;
	}
	return b->root;
}
