/*
 * Arithmetic in catalogue files: "c*4", "up(min(c, 512)*w, 8)",
 * "pick(i, 3, 4, 6, 3)".  Doubles throughout; comparisons give 1 or 0.
 *
 *	or  and  not  == != < <= > >=  + -  * / // %  unary -  ( )
 *	ceil floor round abs sqrt (round: half to even)
 *	min max (two or more)   pick(i, first, second, ...), i from 0
 *	if(test, then, else)
 *	up(x, m)    the next multiple of m at or above x
 *	near(x, m)  the multiple of m nearest to x, at least m, and not
 *	            below 0.9 x (make_divisible of the MobileNets)
 */
#ifndef DATA_EXPR_H
#define DATA_EXPR_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { EXPR_MAX_LENGTH = 400, EXPR_MAX_DEPTH = 24 };

/* The value of a name of `len` bytes; false if there is none. */
typedef bool expr_lookup(void *ctx, const char *name, size_t len, double *v);

/*
 * Evaluate `text`.  False on failure, with a message in `why` that lives in
 * `a`; the result is always finite.  With no `lookup` only the form is
 * checked: every name is 1 and values that make no sense are let through.
 */
bool expr_value(const char *text, expr_lookup *lookup, void *ctx, double *v,
    struct arena *a, const char **why);

#endif
