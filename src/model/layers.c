#include "model/layers.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/layers_parts.h"

enum {
	MAX_PATH = 160, /* bytes */
	MAX_VARS = 256  /* in one block */
};

bool
layers_fail(struct expansion *x, const struct layer_stmt *s, const char *attr,
    const char *id, const char *fmt, ...)
{
	struct layer_place place = s->place;
	va_list ap;

	for (int i = 0; i < s->n_attrs; i++)
		if (attr && str_equal(s->attrs[i].name, attr))
			place = s->attrs[i].place;
	if (x->failed)
		return false;
	x->failed = true;
	va_start(ap, fmt);
	diag_error(x->d, layer_pos(place), id, "%s",
	    arena_vprintf(x->a, fmt, ap));
	va_end(ap);
	if (*x->scope->path)
		diag_note(x->d, "in '%s' at %.0fx%.0f", x->scope->path,
		    x->l->input.w, x->l->input.h);
	return false;
}

const struct shape *
layers_shape(const struct expansion *x, int tensor)
{
	assert(tensor >= 0 && tensor < x->l->n_tensors);
	return &x->l->tensors[tensor].shape;
}

static bool
set_var(struct expansion *x, const struct layer_stmt *s, struct layer_scope *sc,
    const char *name, double v)
{
	for (int i = 0; i < sc->n_vars; i++) {
		if (str_equal(sc->vars[i].name, name)) {
			sc->vars[i].v = v;
			return true;
		}
	}
	if (sc->n_vars >= MAX_VARS)
		return layers_fail(x, s, name, "layers-limit",
		    "more than %d variables", MAX_VARS);
	*(struct layer_var *)arena_push(x->a, &sc->vars, &sc->n_vars,
	    sizeof(struct layer_var)) = (struct layer_var){name, v};
	return true;
}

/*
 * Blocks.
 */

static bool run_body(struct expansion *x, const struct layer_stmt *s);

static const char *
block_path(struct expansion *x, const char *block, int i, int times)
{
	const char *parent = x->scope->path;
	const char *path =
	    arena_printf(x->a, "%s%s%s", parent, *parent ? "/" : "", block);

	if (times > 1)
		path = arena_printf(x->a, "%s.%d", path, i + 1);
	return strlen(path) > MAX_PATH ? parent : path;
}

static bool
is_reserved(const char *name)
{
	static const char *const reserved[] = {"block", "from", "as", "times",
	    "shared"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (str_equal(reserved[i], name))
			return true;
	return false;
}

static bool
has_param(const struct layer_block *b, const char *name)
{
	for (int i = 0; i < b->n_params; i++)
		if (str_equal(b->params[i].name, name))
			return true;
	return false;
}

static bool
check_params(struct expansion *x, const struct layer_stmt *s,
    const struct layer_block *b)
{
	for (int i = 0; i < s->n_attrs; i++)
		if (!is_reserved(s->attrs[i].name) &&
		    !has_param(b, s->attrs[i].name))
			return layers_fail(x, s, s->attrs[i].name,
			    "layers-param", "block '%s' has no parameter '%s'",
			    b->name, s->attrs[i].name);
	return true;
}

/*
 * Given values are worked out where the block is used, presets inside it:
 * a preset may use the parameters before it and the block's input.
 */
static bool
set_params(struct expansion *x, const struct layer_stmt *s,
    const struct layer_block *b, struct layer_scope *inner)
{
	struct layer_scope *outer = x->scope;

	for (int i = 0; i < b->n_params; i++) {
		const struct layer_param *p = &b->params[i];
		const char *given = layer_attr(s, p->name);
		double v = 0;

		if (!given && !p->preset)
			return layers_fail(x, s, NULL, "layers-param",
			    "block '%s' needs '%s'", b->name, p->name);
		if (!given)
			x->scope = inner;
		layers_evaluate(x, s, p->name, given ? given : p->preset, &v);
		x->scope = outer;
		if (x->failed)
			return false;
		set_var(x, s, inner, p->name, v);
	}
	return !x->failed;
}

/* in1, in2, ...; `in` is the first. */
static bool
set_inputs(struct expansion *x, const struct layer_stmt *s, const int *ids,
    int n)
{
	for (int i = n; i >= 0; i--) {
		x->current = ids[i > 0 ? i - 1 : 0];
		if (!layers_set_name(x, s,
			i ? arena_printf(x->a, "in%d", i) : "in"))
			return false;
	}
	return true;
}

/* What a block named stays visible as "as.name". */
static bool
export_names(struct expansion *x, const struct layer_stmt *s, const char *as,
    const struct layer_scope *inner)
{
	for (int i = 0; i < inner->n_names; i++) {
		const struct tensor_name *from = &inner->names[i];
		struct tensor_name *to;
		const char *name;

		if (str_equal(from->name, "in") ||
		    (str_starts(from->name, "in") && from->name[2] >= '0' &&
			from->name[2] <= '9'))
			continue;
		name = arena_printf(x->a, "%s.%s", as, from->name);
		if (strlen(name) > LAYERS_MAX_NAME)
			return layers_fail(x, s, "as", "layers-limit",
			    "the name is too long");
		to = layers_find_name(x, name, strlen(name));
		if (!to && !(to = layers_new_name(x, s, name)))
			return false;
		*to = (struct tensor_name){name, from->ids, from->n};
	}
	return true;
}

static bool
use_once(struct expansion *x, const struct layer_stmt *s,
    const struct layer_block *b, const int *ids, int n, int i, int times,
    struct layer_scope *inner)
{
	struct layer_scope *outer = x->scope;
	bool shared = layers_num(x, s, "shared", 0) != 0;

	*inner = (struct layer_scope){.shared = outer->shared || shared};
	inner->path = block_path(x, b->name, i, times);
	x->scope = inner;
	set_inputs(x, s, ids, n);
	x->scope = outer;
	if (x->failed || !set_params(x, s, b, inner))
		return false;
	x->scope = inner;
	x->depth++;
	run_body(x, b->body);
	x->depth--;
	x->scope = outer;
	return !x->failed;
}

static bool
run_use(struct expansion *x, const struct layer_stmt *s)
{
	const char *name = layer_attr(s, "block"), *as = layer_attr(s, "as");
	const struct layer_block *b = layer_block_find(x->book, name);
	int times = (int)layers_whole(x, s, "times", 1, 0);
	int *ids = NULL, n = 0;
	struct layer_scope inner = {0};

	if (!b)
		return layers_fail(x, s, "block", "layers-block",
		    "no block is called '%s'", name);
	if (x->depth >= LAYERS_MAX_DEPTH)
		return layers_fail(x, s, NULL, "layers-limit",
		    "blocks are nested more than %d deep", LAYERS_MAX_DEPTH);
	if (x->failed || !check_params(x, s, b) ||
	    !layers_named(x, s, "from", &ids, &n))
		return false;
	if (n == 0)
		*(int *)arena_push(x->a, &ids, &n, sizeof(int)) = x->current;
	for (int i = 0; i < times; i++) {
		if (i > 0)
			ids[0] = x->current;
		if (++x->steps > LAYERS_MAX_STEPS)
			return layers_fail(x, s, NULL, "layers-limit",
			    "the network has too many steps");
		if (!use_once(x, s, b, ids, n, i, times, &inner))
			return false;
	}
	if (times == 0)
		x->current = ids[0];
	as = as ? layers_fill(x, s, "as", as) : NULL;
	return !x->failed && (!as || *as == '+' || times == 0 ||
				 export_names(x, s, as, &inner));
}

static bool
run_repeat(struct expansion *x, const struct layer_stmt *s)
{
	int n = (int)layers_whole(x, s, "n", 1, 0);
	double first = layers_num(x, s, "first", 0);
	const char *var = layer_attr(s, "var");

	for (int i = 0; i < n && !x->failed; i++) {
		if (++x->steps > LAYERS_MAX_STEPS)
			return layers_fail(x, s, "n", "layers-limit",
			    "the network has too many steps");
		set_var(x, s, x->scope, var ? var : "i", first + i);
		run_body(x, s->first);
	}
	return !x->failed;
}

static bool
run_let(struct expansion *x, const struct layer_stmt *s)
{
	for (int i = 0; i < s->n_attrs; i++) {
		double v;

		if (!layers_evaluate(x, s, s->attrs[i].name, s->attrs[i].text,
			&v))
			return false;
		set_var(x, s, x->scope, s->attrs[i].name, v);
	}
	return !x->failed;
}

static bool
run_stmt(struct expansion *x, const struct layer_stmt *s, bool *taken)
{
	const char *as = layer_attr(s, "as");
	bool ok;

	switch (s->word) {
	case LAYER_LET: return run_let(x, s);
	case LAYER_REPEAT: return run_repeat(x, s);
	case LAYER_IF:
		*taken = layers_num(x, s, "test", 0) != 0;
		return *taken ? run_body(x, s->first) : !x->failed;
	case LAYER_ELSE: return *taken || run_body(x, s->first);
	case LAYER_USE: ok = run_use(x, s); break;
	default: ok = layers_op(x, s); break;
	}
	if (!ok || !as)
		return ok;
	as = layers_fill(x, s, "as", as);
	return !x->failed && layers_set_name(x, s, as);
}

static bool
run_body(struct expansion *x, const struct layer_stmt *s)
{
	bool taken = false;

	for (; s && !x->failed; s = s->next) {
		if (++x->steps > LAYERS_MAX_STEPS)
			return layers_fail(x, s, NULL, "layers-limit",
			    "the network has too many steps");
		run_stmt(x, s, &taken);
	}
	return !x->failed;
}

/*
 * The whole.
 */

static int
base_of(const struct layers *l, int t)
{
	while (l->tensors[t].of >= 0)
		t = l->tensors[t].of;
	return t;
}

static void
find_outputs(struct arena *a, struct layers *l)
{
	bool *read = arena_alloc(a, (size_t)l->n_tensors, sizeof(*read));
	int *outputs = NULL, n = 0;

	for (int i = 0; i < l->n_ops; i++)
		for (int j = 0; j < l->ops[i].n_in; j++)
			read[l->ops[i].in[j]] = true;
	for (int t = 0; t < l->n_tensors; t++)
		if (l->tensors[t].of >= 0 && read[t])
			read[base_of(l, t)] = true;
	for (int t = 0; t < l->n_tensors; t++)
		if (!read[t])
			*(int *)arena_push(a, &outputs, &n, sizeof(int)) = t;
	l->outputs = outputs;
	l->n_outputs = n;
}

static bool
check_input(const struct layer_net *net, int w, int h, struct diag *d)
{
	if (w < 1 || h < 1 || w > LAYERS_MAX_SIDE || h > LAYERS_MAX_SIDE)
		return diag_error(d, layer_pos(net->place), "layers-input",
		    "%dx%d is no input size for '%s'", w, h, net->id);
	if (net->fixed && (w != net->in_w || h != net->in_h)) {
		diag_error(d, layer_pos(net->place), "layers-input",
		    "'%s' works at %dx%d only, not at %dx%d", net->id,
		    net->in_w, net->in_h, w, h);
		return false;
	}
	if (w % net->divisor == 0 && h % net->divisor == 0)
		return true;
	diag_error(d, layer_pos(net->place), "layers-input",
	    "the input of '%s' must be a multiple of %d, not %dx%d", net->id,
	    net->divisor, w, h);
	diag_note(d, "the next size is %dx%d",
	    (w + net->divisor - 1) / net->divisor * net->divisor,
	    (h + net->divisor - 1) / net->divisor * net->divisor);
	return false;
}

static const struct layer_net *
find_net(const struct layer_book *book, const char *id, struct diag *d)
{
	const struct layer_net *net = layer_net_find(book, id);
	const char *near;

	if (net)
		return net;
	near = layer_net_near(book, id);
	diag_error(d, (struct pos){0}, "layers-unknown",
	    "no network '%s' has a layer list", id);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	return NULL;
}

struct layers *
layers_expand(struct arena *a, const struct layer_book *book, const char *id,
    int w, int h, struct diag *d)
{
	const struct layer_net *net = find_net(book, id, d);
	struct layers *l = arena_alloc(a, 1, sizeof(*l));
	struct layer_scope scope = {.path = ""};
	struct expansion x = {.a = a,
	    .book = book,
	    .l = l,
	    .d = d,
	    .scope = &scope};

	if (!net)
		return NULL;
	w = w ? w : net->in_w;
	h = h ? h : net->in_h;
	if (!check_input(net, w, h, d))
		return NULL;
	l->id = net->id;
	l->input = (struct shape){1, net->in_c, net->in_d, h, w};
	*(struct tensor *)arena_push(a, &l->tensors, &l->n_tensors,
	    sizeof(struct tensor)) = (struct tensor){l->input, -1};
	if (!run_body(&x, net->body))
		return NULL;
	if (l->n_ops == 0) {
		diag_error(d, layer_pos(net->place), "layers-empty",
		    "'%s' has no layers", net->id);
		return NULL;
	}
	find_outputs(a, l);
	return l;
}
