#include "input/layers_in.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "data/expr.h"
#include "parse/xml_in.h"

enum {
	MAX_BODY_DEPTH = 24, /* repeat and if inside each other */
	MAX_SHAPE = 1 << 16, /* a side of an input */
	MAX_PARAMS = 64,     /* of a block */
	MAX_NAME_LENGTH = 48 /* of a block or network */
};

struct reading {
	struct arena *a;
	struct layer_book *book;
	struct diag *d;
	int statements;
	int first_block, first_net; /* of this folder */
};

static struct layer_place
place_of(const struct xml_el *el)
{
	return (struct layer_place){el->src, el->at};
}

/*
 * Statements.
 */

/* Attributes that hold names; all others are expressions. */
static bool
holds_names(const char *attr)
{
	static const char *const names[] = {"from", "with", "as", "like",
	    "block", "var"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_equal(names[i], attr))
			return true;
	return false;
}

static bool
takes_attr(enum layer_word w, const char *name)
{
	const char *const *known = layer_word_attrs(w);

	if (w == LAYER_USE || w == LAYER_LET)
		return true;
	if (w != LAYER_REPEAT && w != LAYER_IF && w != LAYER_ELSE &&
	    (str_equal(name, "from") || str_equal(name, "as")))
		return true;
	for (; *known; known++)
		if (str_equal(*known, name))
			return true;
	return false;
}

static bool
check_attr(struct reading *r, const struct layer_stmt *s,
    const struct layer_attr *at)
{
	const char *why;
	double v;

	if (!takes_attr(s->word, at->name)) {
		diag_error(r->d, layer_pos(at->place), "layers-attr",
		    "'%s' has no attribute '%s'", layer_word_id(s->word),
		    at->name);
		return false;
	}
	if (holds_names(at->name))
		return true;
	if (expr_value(at->text, NULL, NULL, &v, r->a, &why))
		return true;
	return diag_error(r->d, layer_pos(at->place), "layers-expr", "%s", why);
}

static bool
read_attrs(struct reading *r, struct xml_el *el, struct layer_stmt *s)
{
	bool ok = true;

	s->attrs =
	    arena_alloc(r->a, (size_t)el->n_attrs + 1, sizeof(*s->attrs));
	for (int i = 0; i < el->n_attrs; i++) {
		struct xml_attr *from = &el->attrs[i];

		from->asked = true;
		s->attrs[s->n_attrs] = (struct layer_attr){from->name,
		    from->value, {el->src, from->value_at}};
		ok &= check_attr(r, s, &s->attrs[s->n_attrs++]);
	}
	return ok;
}

/* What a word cannot do without. */
static bool
check_stmt(struct reading *r, const struct layer_stmt *s,
    const struct layer_stmt *before)
{
	static const struct {
		enum layer_word word;
		const char *attr;
	} needed[] = {
	    {LAYER_CONV, "out"},
	    {LAYER_DECONV, "out"},
	    {LAYER_LINEAR, "out"},
	    {LAYER_ATTENTION, "heads"},
	    {LAYER_LSTM, "hidden"},
	    {LAYER_PARAM, "n"},
	    {LAYER_ROI, "n"},
	    {LAYER_USE, "block"},
	    {LAYER_REPEAT, "n"},
	    {LAYER_IF, "test"},
	    {LAYER_ACT, "kind"},
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (needed[i].word == s->word && !layer_attr(s, needed[i].attr))
			return diag_error(r->d, layer_pos(s->place),
			    "xml-missing", "'%s' needs the attribute '%s'",
			    layer_word_id(s->word), needed[i].attr);
	if (s->word == LAYER_ELSE && (!before || before->word != LAYER_IF))
		return diag_error(r->d, layer_pos(s->place), "layers-else",
		    "'else' must follow 'if'");
	return true;
}

static const char *
near_word(const char *name)
{
	const char *all[LAYER_N];

	for (int i = 0; i < LAYER_N; i++)
		all[i] = layer_word_id((enum layer_word)i);
	return str_nearest(name, all, LAYER_N);
}

static struct layer_stmt *
read_body(struct reading *r, struct xml_el *el, int depth);

static struct layer_stmt *
read_stmt(struct reading *r, struct xml_el *el, const struct layer_stmt *before,
    int depth)
{
	struct layer_stmt *s = arena_alloc(r->a, 1, sizeof(*s));

	s->place = place_of(el);
	if (!layer_word_parse(el->name, &s->word)) {
		const char *near = near_word(el->name);

		diag_error(r->d, layer_pos(s->place), "layers-word",
		    "no layer is called '%s'", el->name);
		if (near)
			diag_note(r->d, "did you mean '%s'?", near);
		return NULL;
	}
	if (++r->statements > LAYERS_MAX_STATEMENTS) {
		diag_error(r->d, layer_pos(s->place), "layers-limit",
		    "more than %d statements", LAYERS_MAX_STATEMENTS);
		return NULL;
	}
	if (!read_attrs(r, el, s) || !check_stmt(r, s, before))
		return NULL;
	if (s->word == LAYER_REPEAT || s->word == LAYER_IF ||
	    s->word == LAYER_ELSE)
		s->first = read_body(r, el, depth + 1);
	else
		xml_end(el, r->d);
	return s;
}

static struct layer_stmt *
read_body(struct reading *r, struct xml_el *el, int depth)
{
	struct layer_stmt *first = NULL, *last = NULL;

	if (depth > MAX_BODY_DEPTH) {
		diag_error(r->d, xml_pos(el), "layers-limit",
		    "nested more than %d deep", MAX_BODY_DEPTH);
		return NULL;
	}
	for (struct xml_el *c = xml_child(el, NULL); c; c = xml_next(c, NULL)) {
		struct layer_stmt *s;

		if (str_equal(c->name, "published"))
			continue;
		s = read_stmt(r, c, last, depth);
		if (!s)
			continue;
		if (last)
			last->next = s;
		else
			first = s;
		last = s;
	}
	return first;
}

/*
 * Blocks.
 */

static bool
is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 0 && s[n] == '\0' && !(*s >= '0' && *s <= '9');
}

/* "c s=1 width=c*4": the part up to the next space. */
static bool
read_param(struct reading *r, struct xml_el *el, char *text,
    struct layer_block *b)
{
	struct layer_param *p =
	    arena_push(r->a, &b->params, &b->n_params, sizeof(*p));
	char *eq = strchr(text, '=');
	const char *why;
	double v;

	if (eq)
		*eq = '\0';
	p->name = text;
	p->preset = eq ? eq + 1 : NULL;
	if (!is_name(text) || holds_names(text) || str_equal(text, "times") ||
	    str_equal(text, "shared"))
		return diag_error(r->d, xml_attr_pos(el, "params"),
		    "layers-param", "'%s' cannot name a parameter", text);
	if (eq && !expr_value(p->preset, NULL, NULL, &v, r->a, &why))
		return diag_error(r->d, xml_attr_pos(el, "params"),
		    "layers-expr", "%s", why);
	return true;
}

static bool
read_params(struct reading *r, struct xml_el *el, struct layer_block *b)
{
	const char *text = xml_attr(el, "params");
	char *rest = arena_strdup(r->a, text ? text : "");
	bool ok = true;

	for (char *p; ok && (p = strsep(&rest, " \t\n")) != NULL;) {
		if (b->n_params == MAX_PARAMS)
			ok = diag_error(r->d, xml_attr_pos(el, "params"),
			    "layers-limit", "more than %d parameters",
			    MAX_PARAMS);
		else if (*p)
			ok = read_param(r, el, p, b);
	}
	return ok;
}

static void
read_block(struct reading *r, struct xml_el *el)
{
	const char *name = xml_need(el, "name", r->d);
	struct layer_block b = {.name = name, .place = place_of(el)};
	struct layer_block *old;
	bool ok = read_params(r, el, &b);

	b.body = read_body(r, el, 0);
	xml_end(el, r->d);
	if (!name || !ok)
		return;
	if (strlen(name) > MAX_NAME_LENGTH) {
		diag_error(r->d, xml_attr_pos(el, "name"), "layers-limit",
		    "a name has at most %d letters", MAX_NAME_LENGTH);
		return;
	}
	if (r->book->n_blocks >= LAYERS_MAX_NETS) {
		diag_error(r->d, layer_pos(b.place), "layers-limit",
		    "more than %d blocks", LAYERS_MAX_NETS);
		return;
	}
	old = (struct layer_block *)layer_block_find(r->book, name);
	if (old && old - r->book->blocks < r->first_block) {
		*old = b;
		return;
	}
	if (old) {
		diag_error(r->d, xml_attr_pos(el, "name"), "layers-duplicate",
		    "the block '%s' exists", name);
		diag_note(r->d, "first in %s, line %d", old->place.src->path,
		    layer_pos(old->place).line);
		return;
	}
	*(struct layer_block *)arena_push(r->a, &r->book->blocks,
	    &r->book->n_blocks, sizeof(b)) = b;
}

/*
 * Networks.
 */

/* "3x640x640" or, for volumes, "1x128x128x128": channels first. */
static bool
parse_shape(const char *s, int shape[4])
{
	int n = 0, side[4];

	for (; n < 4; n++) {
		side[n] = 0;
		for (; *s >= '0' && *s <= '9' && side[n] < MAX_SHAPE; s++)
			side[n] = side[n] * 10 + (*s - '0');
		if (side[n] < 1 || side[n] > MAX_SHAPE ||
		    (*s != 'x' && *s != '\0'))
			return false;
		if (*s++ == '\0')
			break;
	}
	if (n != 2 && n != 3)
		return false;
	shape[0] = side[0];
	shape[1] = n == 3 ? side[1] : 1;
	shape[2] = side[n - 1];
	shape[3] = side[n];
	return true;
}

static bool
read_shape(struct reading *r, struct xml_el *el, int shape[4])
{
	const char *s = xml_need(el, "input", r->d);

	if (!s)
		return false;
	if (parse_shape(s, shape))
		return true;
	diag_error(r->d, xml_attr_pos(el, "input"), "layers-input",
	    "bad input '%s'", s);
	diag_note(r->d, "write channels, height and width: 3x224x224");
	return false;
}

static bool
read_yes(struct reading *r, struct xml_el *el, const char *attr)
{
	const char *s = xml_attr(el, attr);

	if (s && !str_equal(s, "yes") && !str_equal(s, "no"))
		diag_error(r->d, xml_attr_pos(el, attr), "layers-attr",
		    "'%s' is yes or no, not '%s'", attr, s);
	return str_equal(s, "yes");
}

/* A figure in millions or billions, and half its last printed digit. */
static bool
read_figure(struct reading *r, struct xml_el *el, const char *attr,
    double scale, enum certainty sure, const char *src, struct fact *f,
    double *step)
{
	const char *s = xml_attr(el, attr), *point, *why;
	double v;

	*f = (struct fact){0};
	*step = 0;
	if (!s)
		return true;
	if (!num_parse(s, UNIT_NONE, &v, r->a, &why) || v <= 0)
		return diag_error(r->d, xml_attr_pos(el, attr), "layers-figure",
		    "'%s' is not a figure above zero", s);
	*f = fact_of(v * scale, sure, src);
	point = strchr(s, '.');
	*step = scale * 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0);
	return true;
}

static void
read_published(struct reading *r, struct xml_el *el, struct layer_net *net)
{
	struct layer_published p = {.place = place_of(el)};
	int shape[4] = {net->in_c, net->in_d, net->in_h, net->in_w};
	const char *src = xml_need(el, "src", r->d);
	const char *sure = xml_attr(el, "sure");
	const char *basis = xml_attr(el, "basis");
	enum certainty how = SURE_ONE;
	double step;
	bool ok = src != NULL;

	p.row = xml_need(el, "row", r->d);
	p.note = xml_attr(el, "note");
	if (sure && !certainty_parse(sure, &how))
		ok = diag_error(r->d, xml_attr_pos(el, "sure"), "layers-attr",
		    "unknown certainty '%s'", sure);
	if (basis && !layer_basis_parse(basis, &p.basis))
		ok = diag_error(r->d, xml_attr_pos(el, "basis"), "layers-attr",
		    "unknown basis '%s'", basis);
	if (xml_attr(el, "input"))
		ok &= read_shape(r, el, shape);
	ok &= read_figure(r, el, "params-m", 1e6, how, src, &p.params,
	    &p.params_step);
	ok &= read_figure(r, el, "gmac", 1e9, how, src, &p.macs, &p.macs_step);
	ok &= read_figure(r, el, "activations-m", 1e6, how, src, &p.activations,
	    &step);
	xml_end(el, r->d);
	if (!ok || !p.row)
		return;
	p.in_h = shape[2];
	p.in_w = shape[3];
	*(struct layer_published *)arena_push(r->a, &net->published,
	    &net->n_published, sizeof(p)) = p;
}

static bool
read_divisor(struct reading *r, struct xml_el *el, int *divisor)
{
	double v = 1;
	bool found;

	if (!xml_number(r->a, el, "divisor", UNIT_COUNT, &v, &found, r->d))
		return false;
	if (found && (v < 1 || v > MAX_SHAPE))
		return diag_error(r->d, xml_attr_pos(el, "divisor"),
		    "layers-attr", "a divisor is at least 1");
	*divisor = found ? (int)v : 1;
	return true;
}

static void
add_net(struct reading *r, struct xml_el *el, const struct layer_net *net)
{
	struct layer_net *old =
	    (struct layer_net *)layer_net_find(r->book, net->id);

	if (old && old - r->book->nets < r->first_net) {
		*old = *net;
	} else if (old) {
		diag_error(r->d, xml_attr_pos(el, "id"), "layers-duplicate",
		    "the network '%s' exists", net->id);
		diag_note(r->d, "first in %s, line %d", old->place.src->path,
		    layer_pos(old->place).line);
	} else if (r->book->n_nets >= LAYERS_MAX_NETS) {
		diag_error(r->d, layer_pos(net->place), "layers-limit",
		    "more than %d networks", LAYERS_MAX_NETS);
	} else {
		*(struct layer_net *)arena_push(r->a, &r->book->nets,
		    &r->book->n_nets, sizeof(*net)) = *net;
	}
}

static void
read_network(struct reading *r, struct xml_el *el)
{
	struct layer_net net = {.id = xml_need(el, "id", r->d),
	    .place = place_of(el)};
	int shape[4] = {0};
	bool ok = read_shape(r, el, shape);

	ok &= read_divisor(r, el, &net.divisor);
	net.fixed = read_yes(r, el, "fixed");
	net.note = xml_attr(el, "note");
	net.in_c = shape[0];
	net.in_d = shape[1];
	net.in_h = shape[2];
	net.in_w = shape[3];
	for (struct xml_el *p = xml_child(el, "published"); ok && p;
	     p = xml_next(p, "published"))
		read_published(r, p, &net);
	net.body = read_body(r, el, 0);
	xml_end(el, r->d);
	if (!ok || !net.id)
		return;
	if (strlen(net.id) > MAX_NAME_LENGTH)
		diag_error(r->d, xml_attr_pos(el, "id"), "layers-limit",
		    "a name has at most %d letters", MAX_NAME_LENGTH);
	else
		add_net(r, el, &net);
}

static void
read_source(struct reading *r, struct xml_el *el)
{
	struct layer_source s = {.id = xml_need(el, "id", r->d),
	    .title = xml_need(el, "title", r->d),
	    .where = xml_need(el, "where", r->d),
	    .date = xml_attr(el, "date"),
	    .place = place_of(el)};

	xml_attr(el, "grade");
	xml_end(el, r->d);
	if (s.id && s.title && s.where)
		*(struct layer_source *)arena_push(r->a, &r->book->sources,
		    &r->book->n_sources, sizeof(s)) = s;
}

static bool
read_file(struct reading *r, const char *path)
{
	int before = r->d->n_errors;
	struct source *src =
	    fs_read(r->a, path, XML_MAX_BYTES, (struct pos){0}, r->d);
	struct xml_el *root = src ? xml_parse(r->a, src, false, r->d) : NULL;

	if (!root)
		return false;
	if (!str_equal(root->name, "layers"))
		return diag_error(r->d, xml_pos(root), "layers-root",
		    "the file must be <layers>, not <%s>", root->name);
	r->statements = 0;
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		read_source(r, el);
	for (struct xml_el *el = xml_child(root, "block"); el;
	     el = xml_next(el, "block"))
		read_block(r, el);
	for (struct xml_el *el = xml_child(root, "network"); el;
	     el = xml_next(el, "network"))
		read_network(r, el);
	xml_end(root, r->d);
	return r->d->n_errors == before;
}

bool
layers_read_file(struct arena *a, const char *path, struct layer_book *book,
    struct diag *d)
{
	struct reading r = {.a = a, .book = book, .d = d};

	return read_file(&r, path);
}

struct layer_book *
layers_read(struct arena *a, const char *const *dirs, int n_dirs,
    struct diag *d)
{
	struct layer_book *book = arena_alloc(a, 1, sizeof(*book));
	struct reading r = {.a = a, .book = book, .d = d};

	for (int i = 0; i < n_dirs; i++) {
		char *folder = fs_join(a, dirs[i], "networks/layers");
		int n = 0;
		char **names = fs_list(a, folder, ".xml", &n);

		r.first_block = book->n_blocks;
		r.first_net = book->n_nets;
		for (int j = 0; j < n; j++)
			read_file(&r, fs_join(a, folder, names[j]));
	}
	return book;
}
