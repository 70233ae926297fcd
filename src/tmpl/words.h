/*
 * Numbers, dates and lists in the words of one language.
 *
 * What differs between languages stands in the wording file, in entries
 * whose ids start with "unit." (the list is in tmpl/tmpl.h); here are only
 * SI symbols.  Numbers are joined to their units by a no-break space
 * (U+00A0), so that no line ends between them; "%" follows directly.  Three
 * significant digits are shown unless said otherwise, zeros at the end are
 * dropped, thousands have a comma.  Values are in SI base units.
 *
 *   name       value                  zh-CN             en
 *   (none)     2026   2.5   0.0631    2026 2.5 0.063    the same
 *   count      1600   2.5             1,600  2.5        the same
 *   int        7.6                    8                 the same, no comma
 *   one        2                      2.0               the same
 *   big        12000  3.4e8           1.2 万  3.4 亿    12,000  340 million
 *   ratio      2.6    0.12345         2.6  0.123        the same
 *   times      the same as ratio: the wording adds 倍 or "times"
 *   percent    0.37   0.0372  2.34    37%  3.7%  234%   the same, two digits
 *   share      0.004  0.372   0.998   <1%  37%  >99%    the same
 *   bytes      2e9    1.5e6           2 GB  1.5 MB      the same, powers of 10
 *   memory     2^34   5e8             16 GiB  477 MiB   the same, powers of 2
 *   bandwidth  864e9  2.039e12        864 GB/s  2.04 TB/s
 *   flops      65e12  1979e12         65 TFLOPS  1,979 TFLOPS
 *   ops        130e12                 130 TOPS
 *   flop       26.7e9                 26.7 GFLOP
 *   seconds    0.025  1.8  7200       25 ms  1.8 s  2 小时   ... 2 hours
 *   watt       70     12000           70 W  12 kW
 *   rate       800                    800 /s
 *   fps        12.5                   12.5 fps
 *   clock      1.59e9                 1.59 GHz
 *   px         1920   2073600         1,920 px  2.07 Mpx
 *   money      8500   0.5             8,500  0.50
 *   cc         75     7.5             7.5   (12 and 120 are both 12.0)
 *   date       "2026-11-30"           2026年11月30日    30 November 2026
 *   range:F    12 ms to 19 ms         12–19 ms, the band of an estimate in
 *                                     one unit of formatter F, two digits
 *   say:P      "memory"               the wording entry "P.memory"
 */
#ifndef TMPL_WORDS_H
#define TMPL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct str;

/* The patterns a language must give; words_entry names their entries. */
enum word {
	WORD_MINUTE,
	WORD_HOUR,
	WORD_DAY,
	WORD_YEAR,
	WORD_RANGE,
	WORD_LIST,
	WORD_LIST_LAST,
	WORD_DATE,
	WORD_DATE_MONTH,
	WORD_N
};

enum { WORDS_POWER_MIN = 3, WORDS_POWER_MAX = 15 };

/* Patterns with their holes in place; NULL where the language has none. */
struct words {
	const char *pattern[WORD_N];
	const char *month[12];
	/* names of powers of ten, from 10^WORDS_POWER_MIN up */
	const char *power[WORDS_POWER_MAX - WORDS_POWER_MIN + 1];
};

/* "unit.minute" and so on; and the holes its pattern must have. */
const char *words_entry(enum word w);
const char *const *words_holes(enum word w, int *n);

enum format_kind {
	FORMAT_PLAIN, /* no formatter: the value as it stands */
	FORMAT_SCALED,
	FORMAT_BIG,
	FORMAT_SHARE,
	FORMAT_INT,
	FORMAT_ONE,
	FORMAT_MONEY,
	FORMAT_CC,
	FORMAT_DATE,
	FORMAT_RANGE,
	FORMAT_SAY
};

struct format; /* one line of the table of formatters */

/* The formatter called so, or NULL; an empty name is FORMAT_PLAIN. */
const struct format *format_find(const char *name);
const char *format_name(const struct format *f);
enum format_kind format_kind(const struct format *f);
/* All names but the empty one, for the note of an error. */
const char *const *format_names(int *n);
/* Whether range:F may use it. */
bool format_ranges(const struct format *f);

/* Append a finite number; `f` must format numbers. */
void words_number(const struct words *w, const struct format *f, double v,
    struct str *out);
/* Append "low–high unit"; one number when both look the same. */
void words_range(const struct words *w, const struct format *f, double low,
    double high, struct str *out);
/* Append YYYY-MM-DD, YYYY-MM or YYYY in words; false if it is no date. */
bool words_date(const struct words *w, const char *iso, struct str *out);
/* Append what stands between item `i` (1 ..) and the one before, of `n`. */
void words_joint(const struct words *w, int i, int n, struct str *out);

/*
 * Append `pattern` with "{name}" replaced by the value beside each name:
 * names and values alternate in `pairs`, which ends with NULL.
 */
void words_fill(const char *pattern, const char *const *pairs, struct str *out);

#endif
