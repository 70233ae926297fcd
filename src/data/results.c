#include "data/results.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static struct node *
node_add(struct arena *a, struct node *in, enum node_kind kind,
    const char *name)
{
	struct node *n = arena_alloc(a, 1, sizeof(*n));

	n->kind = kind;
	n->name = name ? arena_strdup(a, name) : NULL;
	n->parent = in;
	if (in == NULL)
		return n;
	assert(in->kind == NODE_GROUP || in->kind == NODE_LIST);
	assert((in->kind == NODE_LIST) == (name == NULL));
	assert(name == NULL || node_find(in, name) == NULL);
	if (in->last)
		in->last->next = n;
	else
		in->first = n;
	in->last = n;
	in->n++;
	return n;
}

struct node *
node_root(struct arena *a)
{
	return node_add(a, NULL, NODE_GROUP, NULL);
}

struct node *
node_group(struct arena *a, struct node *in, const char *name)
{
	assert(name != NULL);
	return node_add(a, in, NODE_GROUP, name);
}

struct node *
node_list(struct arena *a, struct node *in, const char *name)
{
	assert(name != NULL);
	return node_add(a, in, NODE_LIST, name);
}

struct node *
node_item(struct arena *a, struct node *list)
{
	assert(list->kind == NODE_LIST);
	return node_add(a, list, NODE_GROUP, NULL);
}

struct node *
node_number(struct arena *a, struct node *in, const char *name, double v,
    enum unit u)
{
	struct node *n = node_add(a, in, NODE_NUMBER, name);

	n->number = n->low = n->high = v;
	n->unit = u;
	return n;
}

struct node *
node_estimate(struct arena *a, struct node *in, const char *name,
    struct estimate e, enum unit u)
{
	struct node *n = node_number(a, in, name, e.value, u);

	n->low = e.low;
	n->high = e.high;
	n->has_tier = true;
	n->tier = e.tier;
	return n;
}

struct node *
node_fact(struct arena *a, struct node *in, const char *name, struct fact f,
    enum unit u)
{
	struct node *n;

	if (!f.known)
		return NULL;
	n = node_number(a, in, name, f.value, u);
	n->src = f.src ? arena_strdup(a, f.src) : NULL;
	return n;
}

struct node *
node_text2(struct arena *a, struct node *in, const char *name, const char *text,
    const char *text_en)
{
	struct node *n;

	if (text == NULL)
		return NULL;
	n = node_add(a, in, NODE_TEXT, name);
	n->text = arena_strdup(a, text);
	n->text_en = text_en ? arena_strdup(a, text_en) : NULL;
	return n;
}

struct node *
node_text(struct arena *a, struct node *in, const char *name, const char *text)
{
	return node_text2(a, in, name, text, NULL);
}

struct node *
node_flag(struct arena *a, struct node *in, const char *name, bool v)
{
	struct node *n = node_add(a, in, NODE_FLAG, name);

	n->flag = v;
	return n;
}

/* The whole of s[0..len) as an index; -1 if it is none. */
static int
parse_index(const char *s, size_t len)
{
	int v = 0;

	if (len == 0 || len > 9)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -1;
		v = v * 10 + (s[i] - '0');
	}
	return v;
}

static const struct node *
node_child(const struct node *from, const char *s, size_t len)
{
	const struct node *n = from->first;

	if (from->kind == NODE_LIST) {
		int i = parse_index(s, len);

		if (i < 0)
			return NULL;
		while (n && i-- > 0)
			n = n->next;
		return n;
	}
	while (n && (strncmp(n->name, s, len) != 0 || n->name[len] != '\0'))
		n = n->next;
	return n;
}

const struct node *
node_find(const struct node *from, const char *path)
{
	while (from) {
		size_t len = strcspn(path, ".");

		if (len == 0)
			return NULL;
		from = node_child(from, path, len);
		if (path[len] == '\0')
			return from;
		path += len + 1;
	}
	return NULL;
}

double
node_value(const struct node *from, const char *path, double missing)
{
	const struct node *n = node_find(from, path);

	return n && n->kind == NODE_NUMBER ? n->number : missing;
}

const char *
node_string(const struct node *from, const char *path, const char *missing)
{
	const struct node *n = node_find(from, path);

	return n && n->kind == NODE_TEXT ? n->text : missing;
}

static void
xml_attr(struct str *out, const char *name, const char *value)
{
	if (value == NULL)
		return;
	str_addf(out, " %s=\"", name);
	str_add_xml(out, value);
	str_addc(out, '"');
}

static void
xml_number(const struct node *n, struct str *out)
{
	xml_attr(out, "value", num_exact(out->a, n->number));
	if (n->unit != UNIT_NONE)
		xml_attr(out, "unit", num_unit_id(n->unit));
	if (n->has_tier || n->low != n->number || n->high != n->number) {
		xml_attr(out, "low", num_exact(out->a, n->low));
		xml_attr(out, "high", num_exact(out->a, n->high));
	}
	if (n->has_tier)
		xml_attr(out, "tier", tier_id(n->tier));
	xml_attr(out, "src", n->src);
}

/*
 * One node and what is below it.  The tree is as deep as the vocabulary of
 * decide/outcome.h, about six levels, so the recursion is shallow.
 */
static void
xml_node(const struct node *n, int depth, struct str *out)
{
	static const char *const element[] = {
	    [NODE_GROUP] = "group",
	    [NODE_LIST] = "list",
	    [NODE_NUMBER] = "number",
	    [NODE_TEXT] = "text",
	    [NODE_FLAG] = "flag",
	};
	const char *el = element[n->kind];

	if (n->parent == NULL)
		el = "results";
	else if (n->name == NULL && n->kind == NODE_GROUP)
		el = "item";
	for (int i = 0; i < depth; i++)
		str_add(out, "  ");
	str_addf(out, "<%s", el);
	xml_attr(out, "name", n->name);
	if (n->kind == NODE_NUMBER)
		xml_number(n, out);
	else if (n->kind == NODE_FLAG)
		xml_attr(out, "value", n->flag ? "yes" : "no");
	else if (n->kind == NODE_TEXT) {
		xml_attr(out, "value", n->text);
		xml_attr(out, "en", n->text_en);
	}
	if (n->first == NULL) {
		str_add(out, "/>\n");
		return;
	}
	str_add(out, ">\n");
	for (const struct node *c = n->first; c; c = c->next)
		xml_node(c, depth + 1, out);
	for (int i = 0; i < depth; i++)
		str_add(out, "  ");
	str_addf(out, "</%s>\n", el);
}

void
node_xml(const struct node *root, struct str *out)
{
	str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	xml_node(root, 0, out);
}
