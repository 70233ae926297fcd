/*
 * Numbers with units, read and printed without regard to the locale.
 * Inside the program every quantity is in the SI base unit named here.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum unit {
	UNIT_NONE,       /* a bare number */
	UNIT_COUNT,      /* pieces; a whole number when parsed */
	UNIT_BYTE,       /* B, KB MB GB TB (10^3n), KiB MiB GiB TiB (2^10n) */
	UNIT_BYTE_PER_S, /* the same with /s */
	UNIT_FLOP,       /* FLOP, MFLOP, GFLOP, TFLOP; MAC, GMAC count twice */
	UNIT_FLOP_PER_S, /* FLOPS, GFLOPS, TFLOPS, TOPS, PFLOPS */
	UNIT_SECOND,     /* s, ms, us, min, h */
	UNIT_PER_S,      /* fps, /s, /min, /h */
	UNIT_HERTZ,      /* Hz, MHz, GHz */
	UNIT_WATT,       /* W, kW */
	UNIT_PIXEL,      /* px, Mpx */
	UNIT_BIT,        /* bit */
	UNIT_RATIO,      /* a bare number or % */
	UNIT_MONEY       /* a bare number; the currency stands beside it */
};

/*
 * Read `text` as a number with a unit of kind `want`: "25 fps", "8 GiB",
 * "1,600", full-width digits.  A thousands comma must be followed by three
 * digits.  False on failure, with a message in `why` (lower case, no full
 * stop, what is wrong) that lives in `a`; the accepted units are listed by
 * num_unit_names.  Rejects infinities, NaN, hex, leading zeros ("010") and
 * base 60 ("1:30").
 */
bool num_parse(const char *text, enum unit want, double *value, struct arena *a,
    const char **why);

/* "GiB, MiB, GB, MB, ..." for the note of an error. */
const char *num_unit_names(enum unit u);

/* Stable name for results.xml: "byte", "flop/s", ... */
const char *num_unit_id(enum unit u);

/*
 * Print with `decimals` digits after the point, round half away from zero,
 * with a comma every three digits if `group`.  Never an exponent, never -0.
 */
char *num_format(struct arena *a, double v, int decimals, bool group);

/* Decimals that show `digits` significant digits of `v` (0 for large v). */
int num_decimals(double v, int digits);

/* The shortest form that reads back to the same double (for dumps). */
char *num_exact(struct arena *a, double v);

#endif
