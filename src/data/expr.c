#include "data/expr.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"

enum { MAX_ARGS = 40 };

/* One evaluation; `why` set means that it failed. */
struct expr {
	const char *s;
	expr_lookup *lookup;
	void *ctx;
	struct arena *a;
	const char *why;
	int depth;
};

static double either(struct expr *e);

static double
fail(struct expr *e, const char *why)
{
	if (!e->why)
		e->why = why;
	return 1;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void
skip(struct expr *e)
{
	while (*e->s == ' ' || *e->s == '\n' || *e->s == '\t')
		e->s++;
}

/* Take `sign` if it comes next; a word must end there. */
static bool
take(struct expr *e, const char *sign)
{
	size_t n = strlen(sign);

	skip(e);
	if (strncmp(e->s, sign, n) != 0)
		return false;
	if (is_letter(*sign) && (is_letter(e->s[n]) || is_digit(e->s[n])))
		return false;
	e->s += n;
	return true;
}

static double
number(struct expr *e)
{
	const char *from = e->s, *why = NULL;
	char text[32];
	double v = 1;
	size_t n;

	while (is_digit(*e->s) || *e->s == '.')
		e->s++;
	n = (size_t)(e->s - from);
	if (n >= sizeof(text))
		return fail(e, "a number is too long");
	memcpy(text, from, n);
	text[n] = '\0';
	if (!num_parse(text, UNIT_NONE, &v, e->a, &why))
		return fail(e, arena_printf(e->a, "bad number '%s'", text));
	return v;
}

static double
near_multiple(double x, double m)
{
	double v = fmax(m, floor((x + m / 2) / m) * m);

	return v < 0.9 * x ? v + m : v;
}

static double
fold(const double *v, int n, double (*pick)(double, double))
{
	double best = v[0];

	for (int i = 1; i < n; i++)
		best = pick(best, v[i]);
	return best;
}

static double
pick_value(struct expr *e, const double *v, int n)
{
	if (!e->lookup)
		return 1;
	if (!(v[0] >= 0 && v[0] < n - 1))
		return fail(e, "'pick' has no value for this index");
	return v[1 + (int)v[0]];
}

static double
multiple(struct expr *e, const double *v, double (*f)(double, double))
{
	if (!(v[1] > 0))
		return fail(e, "a multiple must be above zero");
	return f(v[0], v[1]);
}

static double
up_to(double x, double m)
{
	return ceil(x / m) * m;
}

enum function {
	F_CEIL,
	F_FLOOR,
	F_ROUND,
	F_ABS,
	F_SQRT,
	F_MIN,
	F_MAX,
	F_PICK,
	F_IF,
	F_UP,
	F_NEAR
};

static const struct {
	const char *name;
	int least, most;
} functions[] = {
    [F_CEIL] = {"ceil", 1, 1},
    [F_FLOOR] = {"floor", 1, 1},
    [F_ROUND] = {"round", 1, 1},
    [F_ABS] = {"abs", 1, 1},
    [F_SQRT] = {"sqrt", 1, 1},
    [F_MIN] = {"min", 2, MAX_ARGS},
    [F_MAX] = {"max", 2, MAX_ARGS},
    [F_PICK] = {"pick", 2, MAX_ARGS},
    [F_IF] = {"if", 3, 3},
    [F_UP] = {"up", 2, 2},
    [F_NEAR] = {"near", 2, 2},
};

enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static double
apply(struct expr *e, enum function f, const double *v, int n)
{
	switch (f) {
	case F_CEIL: return ceil(v[0]);
	case F_FLOOR: return floor(v[0]);
	case F_ROUND: return nearbyint(v[0]);
	case F_ABS: return fabs(v[0]);
	case F_SQRT:
		return v[0] < 0 ? fail(e, "root of a negative number")
				: sqrt(v[0]);
	case F_MIN: return fold(v, n, fmin);
	case F_MAX: return fold(v, n, fmax);
	case F_PICK: return pick_value(e, v, n);
	case F_IF: return v[0] != 0 ? v[1] : v[2];
	case F_UP: return multiple(e, v, up_to);
	case F_NEAR: return multiple(e, v, near_multiple);
	}
	return fail(e, "unknown function");
}

/* After '(': the arguments and the ')'. */
static double
call(struct expr *e, const char *name, size_t len)
{
	double v[MAX_ARGS];
	int n = 0, f = 0;

	while (
	    f < N_FUNCTIONS && !(strlen(functions[f].name) == len &&
				   memcmp(functions[f].name, name, len) == 0))
		f++;
	if (f == N_FUNCTIONS)
		return fail(e, arena_printf(e->a, "unknown function '%.*s'",
				   (int)len, name));
	do {
		if (n == MAX_ARGS)
			return fail(e, "too many arguments");
		v[n++] = either(e);
	} while (!e->why && take(e, ","));
	if (!take(e, ")"))
		return fail(e, "')' expected");
	if (n < functions[f].least || n > functions[f].most)
		return fail(e,
		    arena_printf(e->a, "'%s' has the wrong number of arguments",
			functions[f].name));
	return e->why ? 1 : apply(e, (enum function)f, v, n);
}

static double
name_or_call(struct expr *e)
{
	const char *from = e->s;
	double v = 1;
	size_t len;

	while (is_letter(*e->s) || is_digit(*e->s) || *e->s == '.')
		e->s++;
	len = (size_t)(e->s - from);
	if (take(e, "("))
		return call(e, from, len);
	if (e->lookup && !e->lookup(e->ctx, from, len, &v))
		return fail(e, arena_printf(e->a, "nothing is called '%.*s'",
				   (int)len, from));
	return v;
}

static double
atom(struct expr *e)
{
	double v;

	skip(e);
	if (e->why)
		return 1;
	if (e->depth >= EXPR_MAX_DEPTH)
		return fail(e, "nested too deeply");
	if (is_digit(*e->s))
		return number(e);
	if (is_letter(*e->s)) {
		e->depth++;
		v = name_or_call(e);
		e->depth--;
		return v;
	}
	e->depth++;
	if (take(e, "-"))
		v = -atom(e);
	else if (!take(e, "("))
		v = fail(e, "a number, a name or '(' expected");
	else if (v = either(e), !take(e, ")"))
		v = fail(e, "')' expected");
	e->depth--;
	return v;
}

static double
product(struct expr *e)
{
	double v = atom(e), w;

	for (;;) {
		if (take(e, "*")) {
			v *= atom(e);
			continue;
		}
		bool whole = take(e, "//"), rest = !whole && take(e, "%");

		if (!whole && !rest && !take(e, "/"))
			return v;
		w = atom(e);
		if (w == 0 && e->lookup)
			return fail(e, "division by zero");
		if (w == 0)
			w = 1;
		v = rest ? v - floor(v / w) * w : whole ? floor(v / w) : v / w;
	}
}

static double
sum(struct expr *e)
{
	double v = product(e);

	for (;;) {
		if (take(e, "+"))
			v += product(e);
		else if (take(e, "-"))
			v -= product(e);
		else
			return v;
	}
}

static double
comparison(struct expr *e)
{
	double v = sum(e);

	if (take(e, "=="))
		return v == sum(e);
	if (take(e, "!="))
		return v != sum(e);
	if (take(e, "<="))
		return v <= sum(e);
	if (take(e, ">="))
		return v >= sum(e);
	if (take(e, "<"))
		return v < sum(e);
	if (take(e, ">"))
		return v > sum(e);
	return v;
}

static double
negation(struct expr *e)
{
	bool not = take(e, "not");
	double v = comparison(e);

	return not ? v == 0 : v;
}

static double
both(struct expr *e)
{
	double v = negation(e);

	while (take(e, "and")) {
		double w = negation(e);

		v = v != 0 && w != 0;
	}
	return v;
}

static double
either(struct expr *e)
{
	double v = both(e);

	while (take(e, "or")) {
		double w = both(e);

		v = v != 0 || w != 0;
	}
	return v;
}

bool
expr_value(const char *text, expr_lookup *lookup, void *ctx, double *v,
    struct arena *a, const char **why)
{
	struct expr e = {.s = text, .lookup = lookup, .ctx = ctx, .a = a};

	*v = 0;
	if (strlen(text) > EXPR_MAX_LENGTH)
		fail(&e, "the expression is too long");
	else
		*v = either(&e);
	skip(&e);
	if (!e.why && *e.s)
		fail(&e, arena_printf(a, "unexpected '%.20s'", e.s));
	if (!e.why && lookup && !isfinite(*v))
		fail(&e, "the value is not finite");
	if (e.why)
		*why = e.why;
	return !e.why;
}
