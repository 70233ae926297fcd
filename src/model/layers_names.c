/*
 * Names of tensors, variables and numbers in an expansion.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/expr.h"
#include "model/layers.h"
#include "model/layers_parts.h"

enum { MAX_ALL_NAMES = 200000 }; /* in all scopes together */

static bool
same(const char *name, const char *s, size_t len)
{
	return strlen(name) == len && memcmp(name, s, len) == 0;
}

struct tensor_name *
layers_find_name(const struct expansion *x, const char *s, size_t len)
{
	struct layer_scope *sc = x->scope;

	for (int i = sc->n_names - 1; i >= 0; i--)
		if (same(sc->names[i].name, s, len))
			return &sc->names[i];
	return NULL;
}

static bool
find_var(const struct layer_scope *sc, const char *s, size_t len, double *v)
{
	for (int i = 0; i < sc->n_vars; i++) {
		if (same(sc->vars[i].name, s, len)) {
			*v = sc->vars[i].v;
			return true;
		}
	}
	return false;
}

static bool
side_of(const struct shape *sh, char which, double *v)
{
	switch (which) {
	case 'n': *v = sh->n; return true;
	case 'c': *v = sh->c; return true;
	case 'd': *v = sh->d; return true;
	case 'h': *v = sh->h; return true;
	case 'w': *v = sh->w; return true;
	case 't': *v = sh->d * sh->h * sh->w; return true;
	default: return false;
	}
}

static bool
find_constant(const char *s, size_t len, double *v)
{
	static const struct {
		const char *name;
		double v;
	} words[] = {
	    {"yes", 1},
	    {"no", 0},
	    {"max", 0},
	    {"avg", 1},
	    {"batch", NORM_BATCH},
	    {"layer", NORM_LAYER},
	    {"group", NORM_GROUP},
	    {"instance", NORM_INSTANCE},
	    {"l2", NORM_L2},
	    {"channels", 0},
	    {"tokens", 1},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (same(words[i].name, s, len)) {
			*v = words[i].v;
			return true;
		}
	}
	for (int i = 0; i < ACT_N; i++) {
		if (same(act_id((enum act)i), s, len)) {
			*v = i;
			return true;
		}
	}
	return false;
}

/* Variables, C H W D N T of the current tensor, name.c, constants. */
static bool
look_up(void *ctx, const char *s, size_t len, double *v)
{
	const struct expansion *x = ctx;
	const struct tensor_name *t;

	if (find_var(x->scope, s, len, v))
		return true;
	if (len == 1 && *s >= 'A' && *s <= 'Z' &&
	    side_of(layers_shape(x, x->current), (char)(*s - 'A' + 'a'), v))
		return true;
	if (len > 2 && s[len - 2] == '.') {
		if (same("image", s, len - 2))
			return side_of(&x->l->input, s[len - 1], v);
		t = layers_find_name(x, s, len - 2);
		return t && side_of(layers_shape(x, t->ids[t->n - 1]),
				s[len - 1], v);
	}
	return find_constant(s, len, v);
}

bool
layers_evaluate(struct expansion *x, const struct layer_stmt *s,
    const char *attr, const char *text, double *v)
{
	const char *why;

	if (x->failed)
		return false;
	if (expr_value(text, look_up, x, v, x->a, &why))
		return true;
	return layers_fail(x, s, attr, "layers-expr", "%s", why);
}

double
layers_num(struct expansion *x, const struct layer_stmt *s, const char *attr,
    double preset)
{
	const char *text = layer_attr(s, attr);
	double v = preset;

	if (text && !layers_evaluate(x, s, attr, text, &v))
		return preset;
	return v;
}

double
layers_whole(struct expansion *x, const struct layer_stmt *s, const char *attr,
    double preset, double min)
{
	double v = layers_num(x, s, attr, preset), r = nearbyint(v);

	if (fabs(v - r) > 1e-6)
		layers_fail(x, s, attr, "layers-whole",
		    "'%s' of '%s' must be a whole number, it is %g", attr,
		    layer_word_id(s->word), v);
	else if (r < min || r > 1e9)
		layers_fail(x, s, attr, "layers-range",
		    "'%s' of '%s' must be at least %g, it is %g", attr,
		    layer_word_id(s->word), min, r);
	return x->failed ? fmax(preset, fmax(min, 1)) : r;
}

/* The text with every {expression} replaced by its value. */
const char *
layers_fill(struct expansion *x, const struct layer_stmt *s, const char *attr,
    const char *text)
{
	struct str out;
	double v;

	if (!strchr(text, '{'))
		return text;
	str_init(&out, x->a);
	while (*text && !x->failed) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;

		if (*text != '{') {
			str_addc(&out, *text++);
			continue;
		}
		if (!end) {
			layers_fail(x, s, attr, "layers-name", "'}' expected");
			break;
		}
		if (layers_evaluate(x, s, attr,
			arena_strndup(x->a, text + 1, (size_t)(end - text - 1)),
			&v))
			str_addf(&out, "%.0f", v);
		text = end + 1;
		if (out.len > LAYERS_MAX_NAME)
			layers_fail(x, s, attr, "layers-limit",
			    "the name is too long");
	}
	return out.s;
}

static bool
add_named(struct expansion *x, const struct layer_stmt *s, const char *attr,
    const char *name, size_t len, int **ids, int *n)
{
	const struct tensor_name *t = layers_find_name(x, name, len);

	if (!t)
		return layers_fail(x, s, attr, "layers-name",
		    "no tensor is called '%.*s' here", (int)len, name);
	for (int i = 0; i < t->n; i++) {
		if (*n == 256)
			return layers_fail(x, s, attr, "layers-limit",
			    "more than 256 tensors");
		*(int *)arena_push(x->a, ids, n, sizeof(int)) = t->ids[i];
	}
	return true;
}

bool
layers_named(struct expansion *x, const struct layer_stmt *s, const char *attr,
    int **ids, int *n)
{
	const char *text = layer_attr(s, attr);

	text = layers_fill(x, s, attr, text ? text : "");
	while (!x->failed) {
		size_t len;

		text += strspn(text, " \t\n");
		len = strcspn(text, " \t\n");
		if (len == 0)
			return true;
		if (!add_named(x, s, attr, text, len, ids, n))
			return false;
		text += len;
	}
	return false;
}

struct tensor_name *
layers_new_name(struct expansion *x, const struct layer_stmt *s,
    const char *name)
{
	struct layer_scope *sc = x->scope;
	struct tensor_name *t;

	if (sc->n_names >= LAYERS_MAX_NAMES || x->names++ >= MAX_ALL_NAMES) {
		layers_fail(x, s, NULL, "layers-limit", "too many names");
		return NULL;
	}
	t = arena_push(x->a, &sc->names, &sc->n_names, sizeof(*t));
	t->name = name;
	return t;
}

/* "x" names the current tensor anew; "+x" puts it at the end of a list. */
bool
layers_set_name(struct expansion *x, const struct layer_stmt *s,
    const char *name)
{
	bool more = *name == '+';
	struct tensor_name *t =
	    layers_find_name(x, name + more, strlen(name + more));

	if (!t && !(t = layers_new_name(x, s, name + more)))
		return false;
	if (!more)
		*t = (struct tensor_name){.name = name};
	if (t->n == 256)
		return layers_fail(x, s, "as", "layers-limit",
		    "more than 256 tensors in the list");
	*(int *)arena_push(x->a, &t->ids, &t->n, sizeof(int)) = x->current;
	return true;
}
