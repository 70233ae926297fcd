#include "parse/xml_in.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "base/arena.h"
#include "base/str.h"
#include "parse/xml_bytes.h"

/* One open element: its text so far, and the run since the last child. */
struct level {
	struct xml_el *el;
	struct str all, run;
};

struct parse {
	struct arena *a;
	struct source *src;
	struct diag *d;
	bool lenient, failed;
	xmlParserCtxtPtr ctxt;
	struct xml_el *root;
	struct level open[XML_MAX_DEPTH];
	int depth, n_nodes;
};

/* Where the parser stands in the text. */
static size_t
offset_now(const struct parse *p)
{
	long at = xmlByteConsumed(p->ctxt);

	if (at < 0)
		return 0;
	return (size_t)at < p->src->len ? (size_t)at : p->src->len;
}

/* The last '<' before the place where the parser stands. */
static size_t
tag_start(const struct parse *p)
{
	size_t at = offset_now(p);

	while (at > 0 && p->src->text[at] != '<')
		at--;
	return at;
}

static struct pos
at_offset(const struct parse *p, size_t offset)
{
	return pos_at(p->src, offset);
}

/* After the one problem that ends a parse. */
static void
stop(struct parse *p)
{
	p->failed = true;
	xmlStopParser(p->ctxt);
}

/*
 * The tree
 */

static void
flush_run(struct parse *p, struct level *l)
{
	const char *s;

	if (l->run.len == 0)
		return;
	s = arena_strndup(p->a, l->run.s, l->run.len);
	if (l->el->last)
		l->el->last->tail = s;
	else
		l->el->lead = s;
	l->run.len = 0;
}

static size_t
skip_space(const char *s, size_t at, size_t end)
{
	while (at < end && isspace((unsigned char)s[at]))
		at++;
	return at;
}

/* Find names and values again in the raw tag; they stand in its order. */
static void
place_attrs(const struct parse *p, struct xml_el *el)
{
	const char *s = p->src->text;
	size_t end = p->src->len, at = el->at + 1 + strlen(el->name);

	for (int i = 0; i < el->n_attrs; i++) {
		const char *quote;

		at = skip_space(s, at, end);
		el->attrs[i].name_at = at;
		while (at < end && s[at] != '"' && s[at] != '\'')
			at++;
		el->attrs[i].value_at = at < end ? at + 1 : end;
		if (at >= end)
			continue;
		quote = memchr(s + at + 1, s[at], end - at - 1);
		at = quote ? (size_t)(quote - s) + 1 : end;
	}
}

static void
add_attrs(struct parse *p, struct xml_el *el, const xmlChar **atts)
{
	int n = 0;

	while (atts && atts[2 * n])
		n++;
	el->n_attrs = n;
	el->attrs = arena_alloc(p->a, n ? n : 1, sizeof(*el->attrs));
	for (int i = 0; i < n; i++) {
		const char *value = (const char *)atts[2 * i + 1];

		el->attrs[i].name =
		    arena_strdup(p->a, (const char *)atts[2 * i]);
		el->attrs[i].value = arena_strdup(p->a, value ? value : "");
	}
	place_attrs(p, el);
	p->n_nodes += n;
}

static void
link_el(struct parse *p, struct xml_el *el)
{
	struct level *up;

	if (p->depth == 0) {
		p->root = el;
		return;
	}
	up = &p->open[p->depth - 1];
	flush_run(p, up);
	el->parent = up->el;
	if (up->el->last)
		up->el->last->next = el;
	else
		up->el->first = el;
	up->el->last = el;
}

static void
on_start(void *ctx, const xmlChar *name, const xmlChar **atts)
{
	struct parse *p = ctx;
	struct xml_el *el;
	size_t at = tag_start(p);
	struct level *l;

	if (p->failed)
		return;
	if (p->depth == XML_MAX_DEPTH || ++p->n_nodes > XML_MAX_NODES) {
		diag_error(p->d, at_offset(p, at), "xml-limit",
		    p->depth == XML_MAX_DEPTH
			? "elements nest deeper than %d levels"
			: "more than %d elements and attributes",
		    p->depth == XML_MAX_DEPTH ? (int)XML_MAX_DEPTH
					      : (int)XML_MAX_NODES);
		stop(p);
		return;
	}
	el = arena_alloc(p->a, 1, sizeof(*el));
	el->name = arena_strdup(p->a, (const char *)name);
	el->text = el->lead = el->tail = "";
	el->src = p->src;
	el->a = p->a;
	el->at = at;
	add_attrs(p, el, atts);
	link_el(p, el);
	l = &p->open[p->depth++];
	l->el = el;
	if (!l->all.a) {
		str_init(&l->all, p->a);
		str_init(&l->run, p->a);
	}
	l->all.len = l->run.len = 0;
}

static void
on_end(void *ctx, const xmlChar *name)
{
	struct parse *p = ctx;
	struct level *l;

	(void)name;
	if (p->failed || p->depth == 0)
		return;
	l = &p->open[--p->depth];
	flush_run(p, l);
	if (!l->el->first)
		l->el->text = l->el->lead;
	else if (l->all.len > 0)
		l->el->text = arena_strndup(p->a, l->all.s, l->all.len);
}

static void
on_text(void *ctx, const xmlChar *s, int n)
{
	struct parse *p = ctx;
	struct level *l;

	if (p->failed || p->depth == 0)
		return;
	l = &p->open[p->depth - 1];
	str_addn(&l->all, (const char *)s, (size_t)n);
	str_addn(&l->run, (const char *)s, (size_t)n);
}

/*
 * What is refused
 */

static void
on_doctype(void *ctx, const xmlChar *name, const xmlChar *public_id,
    const xmlChar *system_id)
{
	struct parse *p = ctx;
	size_t now = offset_now(p);
	struct pos pos = at_offset(p, tag_start(p));
	bool subset = now < p->src->len && p->src->text[now] == '[';

	(void)name;
	if (p->failed)
		return;
	if (subset &&
	    memmem(p->src->text + now, p->src->len - now, "<!ENTITY", 8)) {
		diag_error(p->d, pos, "xml-entity",
		    "the document type declares entities");
		diag_note(p->d, "entities are not read; write the text out");
		stop(p);
	} else if (subset) {
		diag_error(p->d, pos, "xml-doctype",
		    "the document type has declarations of its own");
		diag_note(p->d, "leave the <!DOCTYPE ...> line out");
		stop(p);
	} else if ((public_id || system_id) && !p->lenient) {
		diag_error(p->d, pos, "xml-doctype",
		    "the document type names an external file");
		diag_note(p->d, "nothing outside this file is read; leave "
				"the <!DOCTYPE ...> line out");
		stop(p);
	}
}

static void
entity_error(struct parse *p, const char *name, size_t at)
{
	size_t n = strlen(name);

	while (at > 0 && !(p->src->text[at] == '&' &&
			     strncmp(p->src->text + at + 1, name, n) == 0))
		at--;
	diag_error(p->d, at_offset(p, at), "xml-entity",
	    "unknown entity '&%s;'", name);
	diag_note(p->d, "write the character itself; only &amp; &lt; &gt; "
			"&quot; &apos; and &#number; are known");
	stop(p);
}

static void
on_reference(void *ctx, const xmlChar *name)
{
	struct parse *p = ctx;

	if (!p->failed && name && name[0] != '#')
		entity_error(p, (const char *)name, offset_now(p));
}

/* libxml2's reasons in our words; %s is its first string. */
static const struct {
	int code;
	const char *text, *note;
} reasons[] = {
    {XML_ERR_DOCUMENT_EMPTY, "the file holds no XML",
	"an XML file begins with '<'"},
    {XML_ERR_DOCUMENT_END, "text after the end of the root element",
	"one root element holds the whole file"},
    {XML_ERR_ATTRIBUTE_REDEFINED, "attribute '%s' is given twice", NULL},
    {XML_ERR_LT_IN_ATTRIBUTE, "'<' in the value of an attribute", "write &lt;"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED,
	"the value of an attribute must "
	"stand in quotes",
	NULL},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED,
	"the quote of an attribute is not "
	"closed",
	NULL},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "attribute '%s' has no value",
	"write it as %s=\"...\""},
    {XML_ERR_NAME_REQUIRED, "a name must follow '<' or '&'",
	"write a bare '<' as &lt; and a bare '&' as &amp;"},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING,
	"';' is missing after an '&' "
	"and a name",
	"write a bare '&' as &amp;"},
    {XML_ERR_RESERVED_XML_NAME, "'<?xml' stands after other text",
	"it must be the first characters of the file"},
    {XML_ERR_TAG_NOT_FINISHED, "the file ends before '</%s>'", NULL},
    {XML_ERR_GT_REQUIRED, "a tag is not closed by '>'", NULL},
    {XML_ERR_SPACE_REQUIRED, "white space is missing between attributes", NULL},
    {XML_ERR_COMMENT_NOT_FINISHED, "a comment is not closed by '-->'", NULL},
    {XML_ERR_HYPHEN_IN_COMMENT, "'--' inside a comment", NULL},
    {XML_ERR_CDATA_NOT_FINISHED, "'<![CDATA[' is not closed by ']]>'", NULL},
    {XML_ERR_MISPLACED_CDATA_END, "']]>' in the text", "write it as ]]&gt;"},
    {XML_ERR_INVALID_CHAR, "a control character in the text", NULL},
    {XML_ERR_INVALID_CHARREF, "a reference to no valid character", NULL},
};

/* libxml2's message: first letter lower, no line end, no full stop. */
static const char *
reason_plain(struct arena *a, const char *msg)
{
	char *s = arena_strdup(a, msg ? msg : "malformed");
	size_t n = strlen(s);

	while (n > 0 && strchr("\n. ", s[n - 1]))
		s[--n] = '\0';
	for (char *c = s; *c; c++)
		if (*c == '\n')
			*c = ' ';
	s[0] = (char)tolower((unsigned char)s[0]);
	return s;
}

static const char *
fill(struct arena *a, const char *text, const char *word)
{
	const char *hole = strstr(text, "%s");

	if (!hole)
		return text;
	return arena_printf(a, "%.*s%s%s", (int)(hole - text), text,
	    word ? word : "?", hole + 2);
}

/* Where `word` stands last before `at` in the open tag. */
static size_t
last_word(const struct parse *p, size_t at, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = at; i > 0 && p->src->text[i] != '<'; i--)
		if (i + n < at && isspace((unsigned char)p->src->text[i - 1]) &&
		    memcmp(p->src->text + i, word, n) == 0)
			return i;
	return at;
}

static void
syntax_error(struct parse *p, xmlErrorPtr e)
{
	size_t at = offset_now(p);
	const char *text = NULL, *note = NULL;

	const struct xml_el *el =
	    p->depth > 0 ? p->open[p->depth - 1].el : NULL;

	if (e->code == XML_ERR_TAG_NAME_MISMATCH && el) {
		at = tag_start(p);
		diag_error(p->d, at_offset(p, at), "xml-syntax",
		    "'%.*s>' closes '<%s>' of line %d",
		    (int)strcspn(p->src->text + at, "> \t\r\n"),
		    p->src->text + at, el->name, xml_pos(el).line);
		return;
	}
	if (e->code == XML_ERR_TAG_NOT_FINISHED && el) {
		diag_error(p->d, at_offset(p, at), "xml-syntax",
		    "the file ends before '</%s>'", el->name);
		diag_note(p->d, "'<%s>' opens in line %d", el->name,
		    xml_pos(el).line);
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].code == e->code) {
			text = fill(p->a, reasons[i].text, e->str1);
			note = reasons[i].note;
		}
	if (e->code == XML_ERR_ATTRIBUTE_REDEFINED && e->str1)
		at = last_word(p, at, e->str1);
	diag_error(p->d, at_offset(p, at), "xml-syntax", "%s",
	    text ? text : reason_plain(p->a, e->message));
	if (note)
		diag_note(p->d, "%s", fill(p->a, note, e->str1));
}

static void
on_error(void *ctx, const char *msg, ...)
{
	struct parse *p = ctx;
	xmlErrorPtr e = xmlCtxtGetLastError(p->ctxt);

	(void)msg;
	if (p->failed || !e || e->level < XML_ERR_ERROR)
		return;
	if (e->code == XML_ERR_UNDECLARED_ENTITY ||
	    e->code == XML_WAR_UNDECLARED_ENTITY) {
		entity_error(p, e->str1 ? e->str1 : "", offset_now(p));
		return;
	}
	if (e->level < XML_ERR_FATAL)
		return;
	syntax_error(p, e);
	stop(p);
}

/* libxml2 compares each attribute with all before it: count them first. */
static bool
attrs_bounded(const struct source *src, struct diag *d)
{
	const char *s = src->text, *end = s + src->len;

	while ((s = memchr(s, '<', (size_t)(end - s)))) {
		static const char *const skip[][2] = {{"<!--", "-->"},
		    {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"</", ">"}};
		const char *tag = s, *close = NULL;
		int n = 0;

		for (int i = 0; i < 4 && !close; i++) {
			size_t k = strlen(skip[i][0]);

			if ((size_t)(end - s) < k ||
			    memcmp(s, skip[i][0], k) != 0)
				continue;
			close = memmem(s, (size_t)(end - s), skip[i][1],
			    strlen(skip[i][1]));
			if (!close)
				return true; /* the parser will complain */
		}
		if (close) {
			s = close;
			continue;
		}
		for (s++; s < end && *s != '>' && *s != '<'; s++) {
			if (*s != '"' && *s != '\'')
				continue;
			s = memchr(s + 1, *s, (size_t)(end - s - 1));
			if (!s)
				return true;
			if (++n > XML_MAX_ATTRS)
				return diag_error(d,
				    pos_at(src, (size_t)(tag - src->text)),
				    "xml-limit",
				    "more than %d attributes on one element",
				    (int)XML_MAX_ATTRS);
		}
	}
	return true;
}

/*
 * Parsing
 */

static void
run_parser(struct parse *p)
{
	xmlSAXHandler sax = {
	    .internalSubset = on_doctype,
	    .reference = on_reference,
	    .startElement = on_start,
	    .endElement = on_end,
	    .characters = on_text,
	    .ignorableWhitespace = on_text,
	    .cdataBlock = on_text,
	    .error = on_error,
	    .fatalError = on_error,
	    .initialized = 1, /* names as written, no namespaces */
	};
	xmlParserCtxtPtr ctxt =
	    xmlCreateMemoryParserCtxt(p->src->text, (int)p->src->len);

	if (!ctxt)
		arena_exhausted();
	p->ctxt = ctxt;
	xmlCtxtUseOptions(ctxt, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
	*ctxt->sax = sax;
	ctxt->userData = p;
	xmlParseDocument(ctxt);
	if (ctxt->myDoc)
		xmlFreeDoc(ctxt->myDoc);
	xmlFreeParserCtxt(ctxt);
}

struct xml_el *
xml_parse(struct arena *a, struct source *src, bool lenient, struct diag *d)
{
	struct parse *p = arena_alloc(a, 1, sizeof(*p));

	assert(src && src->text);
	if (src->len > XML_MAX_BYTES) {
		diag_error(d, pos_file(src), "xml-limit", "larger than %d MiB",
		    XML_MAX_BYTES >> 20);
		return NULL;
	}
	if (lenient) {
		xml_bytes_repair(a, src, d);
	} else if (!xml_bytes_check(a, src, d)) {
		return NULL;
	}
	if (skip_space(src->text, 0, src->len) == src->len) {
		diag_error(d, pos_file(src), "xml-syntax", "the file is empty");
		return NULL;
	}
	if (!attrs_bounded(src, d))
		return NULL;
	*p = (struct parse){.a = a, .src = src, .d = d, .lenient = lenient};
	run_parser(p);
	return p->failed ? NULL : p->root;
}
