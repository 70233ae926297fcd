#include "tmpl/words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"

#define NBSP   "\xC2\xA0"
#define KIB    1024.0
#define MIB    (KIB * KIB)
#define GIB    (MIB * KIB)
#define MINUTE 60.0
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define YEAR   (365.25 * DAY)

/* A unit for values from `from` up: a symbol, or a word of the language. */
struct scale {
	double from, factor;
	const char *symbol; /* with its space; NULL: the word */
	enum word word;
};

enum { MAX_SCALES = 10 };

struct format {
	const char *name;
	enum format_kind kind;
	int digits;
	/* largest first; the last is for everything smaller */
	struct scale scales[MAX_SCALES];
	int n;
};

#define SCALE(from, factor, symbol)                                            \
	{                                                                      \
		from, factor, symbol, WORD_N                                   \
	}
#define WORD(from, factor, word)                                               \
	{                                                                      \
		from, factor, NULL, word                                       \
	}

static const struct format formats[] = {
    {"", FORMAT_PLAIN, 3, {SCALE(0, 1, "")}, 1},
    {"big", FORMAT_BIG, 3, {SCALE(0, 1, "")}, 1},
    {"bandwidth", FORMAT_SCALED, 3,
	{SCALE(1e12, 1e12, NBSP "TB/s"), SCALE(1e9, 1e9, NBSP "GB/s"),
	    SCALE(1e6, 1e6, NBSP "MB/s"), SCALE(1e3, 1e3, NBSP "KB/s"),
	    SCALE(0, 1, NBSP "B/s")},
	5},
    {"bytes", FORMAT_SCALED, 3,
	{SCALE(1e15, 1e15, NBSP "PB"), SCALE(1e12, 1e12, NBSP "TB"),
	    SCALE(1e9, 1e9, NBSP "GB"), SCALE(1e6, 1e6, NBSP "MB"),
	    SCALE(1e3, 1e3, NBSP "KB"), SCALE(0, 1, NBSP "B")},
	6},
    {"cc", FORMAT_CC, 1, {SCALE(0, 1, "")}, 1},
    {"clock", FORMAT_SCALED, 3,
	{SCALE(1e9, 1e9, NBSP "GHz"), SCALE(1e6, 1e6, NBSP "MHz"),
	    SCALE(1e3, 1e3, NBSP "kHz"), SCALE(0, 1, NBSP "Hz")},
	4},
    {"count", FORMAT_SCALED, 3, {SCALE(0, 1, "")}, 1},
    {"date", FORMAT_DATE, 0, {SCALE(0, 1, "")}, 1},
    {"flop", FORMAT_SCALED, 3,
	{SCALE(1e18, 1e18, NBSP "EFLOP"), SCALE(1e15, 1e15, NBSP "PFLOP"),
	    SCALE(1e12, 1e12, NBSP "TFLOP"), SCALE(1e9, 1e9, NBSP "GFLOP"),
	    SCALE(1e6, 1e6, NBSP "MFLOP"), SCALE(0, 1, NBSP "FLOP")},
	6},
    {"flops", FORMAT_SCALED, 3,
	{SCALE(1e16, 1e15, NBSP "PFLOPS"), SCALE(1e12, 1e12, NBSP "TFLOPS"),
	    SCALE(1e9, 1e9, NBSP "GFLOPS"), SCALE(1e6, 1e6, NBSP "MFLOPS"),
	    SCALE(0, 1, NBSP "FLOPS")},
	5},
    {"fps", FORMAT_SCALED, 3, {SCALE(0, 1, NBSP "fps")}, 1},
    {"int", FORMAT_INT, 0, {SCALE(0, 1, "")}, 1},
    {"memory", FORMAT_SCALED, 3,
	{SCALE(KIB * GIB, KIB *GIB, NBSP "TiB"), SCALE(GIB, GIB, NBSP "GiB"),
	    SCALE(MIB, MIB, NBSP "MiB"), SCALE(KIB, KIB, NBSP "KiB"),
	    SCALE(0, 1, NBSP "B")},
	5},
    {"money", FORMAT_MONEY, 2, {SCALE(0, 1, "")}, 1},
    {"one", FORMAT_ONE, 1, {SCALE(0, 1, "")}, 1},
    {"ops", FORMAT_SCALED, 3,
	{SCALE(1e16, 1e15, NBSP "POPS"), SCALE(1e12, 1e12, NBSP "TOPS"),
	    SCALE(0, 1e9, NBSP "GOPS")},
	3},
    {"percent", FORMAT_SCALED, 2, {SCALE(0, 0.01, "%")}, 1},
    {"px", FORMAT_SCALED, 3,
	{SCALE(1e9, 1e9, NBSP "Gpx"), SCALE(1e6, 1e6, NBSP "Mpx"),
	    SCALE(0, 1, NBSP "px")},
	3},
    {"range", FORMAT_RANGE, 2, {SCALE(0, 1, "")}, 1},
    {"rate", FORMAT_SCALED, 3, {SCALE(0, 1, NBSP "/s")}, 1},
    {"ratio", FORMAT_SCALED, 3, {SCALE(0, 1, "")}, 1},
    {"say", FORMAT_SAY, 0, {SCALE(0, 1, "")}, 1},
    {"seconds", FORMAT_SCALED, 3,
	{WORD(2 * YEAR, YEAR, WORD_YEAR), WORD(2 * DAY, DAY, WORD_DAY),
	    WORD(2 * HOUR, HOUR, WORD_HOUR),
	    WORD(2 * MINUTE, MINUTE, WORD_MINUTE), SCALE(1, 1, NBSP "s"),
	    SCALE(1e-3, 1e-3, NBSP "ms"), SCALE(1e-6, 1e-6, NBSP "\xC2\xB5s"),
	    SCALE(1e-9, 1e-9, NBSP "ns"), SCALE(0, 1, NBSP "s")},
	9},
    {"share", FORMAT_SHARE, 0, {SCALE(0, 0.01, "%")}, 1},
    {"times", FORMAT_SCALED, 3, {SCALE(0, 1, "")}, 1},
    {"watt", FORMAT_SCALED, 3,
	{SCALE(1e6, 1e6, NBSP "MW"), SCALE(1e4, 1e3, NBSP "kW"),
	    SCALE(0, 1, NBSP "W")},
	3},
};

enum { N_FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const struct {
	const char *id;
	const char *holes[3];
	int n;
} entries[WORD_N] = {
    [WORD_MINUTE] = {"unit.minute", {"n"}, 1},
    [WORD_HOUR] = {"unit.hour", {"n"}, 1},
    [WORD_DAY] = {"unit.day", {"n"}, 1},
    [WORD_YEAR] = {"unit.year", {"n"}, 1},
    [WORD_RANGE] = {"unit.range", {"low", "high"}, 2},
    [WORD_LIST] = {"unit.list", {"a", "b"}, 2},
    [WORD_LIST_LAST] = {"unit.list-last", {"a", "b"}, 2},
    [WORD_DATE] = {"unit.date", {"year", "day"}, 2},
    [WORD_DATE_MONTH] = {"unit.date-month", {"year"}, 1},
};

const char *
words_entry(enum word w)
{
	return entries[w].id;
}

const char *const *
words_holes(enum word w, int *n)
{
	*n = entries[w].n;
	return entries[w].holes;
}

const struct format *
format_find(const char *name)
{
	for (int i = 0; i < N_FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const char *
format_name(const struct format *f)
{
	return f->name;
}

enum format_kind
format_kind(const struct format *f)
{
	return f->kind;
}

const char *const *
format_names(int *n)
{
	static const char *names[N_FORMATS];

	for (int i = 1; i < N_FORMATS; i++)
		names[i - 1] = formats[i].name;
	*n = N_FORMATS - 1;
	return names;
}

bool
format_ranges(const struct format *f)
{
	return f->kind == FORMAT_SCALED || f->kind == FORMAT_PLAIN;
}

void
words_fill(const char *pattern, const char *const *pairs, struct str *out)
{
	while (*pattern) {
		const char *close =
		    *pattern == '{' ? strchr(pattern, '}') : NULL;
		size_t len = close ? (size_t)(close - pattern - 1) : 0;
		const char *const *p = pairs;

		while (
		    close && *p &&
		    (strlen(*p) != len || strncmp(*p, pattern + 1, len) != 0))
			p += 2;
		if (close && *p) {
			str_add(out, p[1]);
			pattern = close + 1;
		} else {
			str_addc(out, *pattern++);
		}
	}
}

/* A pattern with its spaces made no-break, filled with one number. */
static void
fill_unit(const char *pattern, const char *number, struct str *out)
{
	struct str s;

	str_init(&s, out->a);
	for (; *pattern; pattern++)
		if (*pattern == ' ')
			str_add(&s, NBSP);
		else
			str_addc(&s, *pattern);
	words_fill(s.s, (const char *const[]){"n", number, NULL}, out);
}

/* `v` with at most `decimals` decimals, zeros at the end dropped. */
static char *
trimmed(struct arena *a, double v, int decimals, bool group)
{
	char *s = num_format(a, v, decimals, group);
	size_t len = strlen(s);

	if (!strchr(s, '.'))
		return s;
	while (s[len - 1] == '0')
		len--;
	if (s[len - 1] == '.')
		len--;
	s[len] = '\0';
	return s;
}

static char *
digits(struct arena *a, double v, int n)
{
	return trimmed(a, v, num_decimals(v, n), true);
}

/* Rounded to `n` significant digits; the scale is chosen for what shows. */
static double
rounded(double v, int n)
{
	double step;

	if (v == 0)
		return 0;
	step = pow(10, floor(log10(fabs(v))) + 1 - n);
	/* below 1 a power is inexact, and the inverse is not */
	return step < 1 ? round(v * round(1 / step)) / round(1 / step)
			: round(v / step) * step;
}

/* The largest scale in whose unit `v`, as it will show, is not below it. */
static const struct scale *
scale_of(const struct format *f, double v)
{
	int i = 0;

	v = fabs(v);
	if (v == 0)
		return &f->scales[f->n - 1];
	for (; i < f->n - 1; i++) {
		const struct scale *s = &f->scales[i];

		if (rounded(v / s->factor, f->digits) >=
		    s->from / s->factor * (1 - 1e-12))
			break;
	}
	return &f->scales[i];
}

static void
add_unit(const struct words *w, const struct scale *s, const char *number,
    struct str *out)
{
	if (s->symbol) {
		str_add(out, number);
		str_add(out, s->symbol);
	} else {
		fill_unit(w->pattern[s->word], number, out);
	}
}

/*
 * From ten thousand up: three digits and the largest power of ten that the
 * language has a word for.
 */
static void
add_big(const struct words *w, double v, struct str *out)
{
	double show = rounded(v, 3);

	if (round(fabs(v)) < 1e4) {
		str_add(out, digits(out->a, v, 3));
		return;
	}
	for (int p = WORDS_POWER_MAX; p >= WORDS_POWER_MIN; p--) {
		const char *pattern = w->power[p - WORDS_POWER_MIN];
		double unit = pow(10, p);

		if (!pattern || fabs(show) < unit)
			continue;
		fill_unit(pattern, digits(out->a, show / unit, 3), out);
		return;
	}
	str_add(out, num_format(out->a, show, 0, true));
}

static void
add_share(double v, struct str *out)
{
	if (v > 0 && v < 0.01)
		str_add(out, "<1%");
	else if (v >= 0.995 && v < 1)
		str_add(out, ">99%");
	else
		str_addf(out, "%s%%", num_format(out->a, v * 100, 0, true));
}

/* No formatter: whole numbers as they are, else three digits or decimals. */
static char *
plain(struct arena *a, double v)
{
	int decimals = num_decimals(v, 3);

	if (v == floor(v))
		return num_format(a, v, 0, false);
	return trimmed(a, v, decimals > 3 ? decimals : 3, false);
}

void
words_number(const struct words *w, const struct format *f, double v,
    struct str *out)
{
	const struct scale *s;

	assert(isfinite(v));
	switch (f->kind) {
	case FORMAT_SCALED:
		s = scale_of(f, v);
		add_unit(w, s, digits(out->a, v / s->factor, f->digits), out);
		break;
	case FORMAT_PLAIN: str_add(out, plain(out->a, v)); break;
	case FORMAT_BIG: add_big(w, v, out); break;
	case FORMAT_SHARE: add_share(v, out); break;
	case FORMAT_INT: str_add(out, num_format(out->a, v, 0, false)); break;
	case FORMAT_ONE: str_add(out, num_format(out->a, v, 1, true)); break;
	case FORMAT_MONEY:
		str_add(out,
		    num_format(out->a, v, v == floor(v) ? 0 : 2, true));
		break;
	case FORMAT_CC:
		/* stored as ten times the capability: 75, 120 */
		str_add(out, num_format(out->a, v < 20 ? v : v / 10, 1, false));
		break;
	case FORMAT_DATE:
	case FORMAT_RANGE:
	case FORMAT_SAY: assert(!"no number format");
	}
}

void
words_range(const struct words *w, const struct format *f, double low,
    double high, struct str *out)
{
	const struct scale *s = scale_of(f, high);
	const char *from = digits(out->a, low / s->factor, 2);
	const char *to = digits(out->a, high / s->factor, 2);
	struct str both;

	assert(isfinite(low) && isfinite(high) && format_ranges(f));
	if (strcmp(from, to) == 0) {
		words_number(w, f, high, out);
		return;
	}
	str_init(&both, out->a);
	words_fill(w->pattern[WORD_RANGE],
	    (const char *const[]){"low", from, "high", to, NULL}, &both);
	add_unit(w, s, both.s, out);
}

/* `n` digits at `*s`, which moves past them; -1 if there are others. */
static int
number_of(const char **s, int n)
{
	int v = 0;

	for (int i = 0; i < n; i++, (*s)++) {
		if (**s < '0' || **s > '9')
			return -1;
		v = v * 10 + (**s - '0');
	}
	return v;
}

static int
days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
	    31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : days[month - 1];
}

bool
words_date(const struct words *w, const char *iso, struct str *out)
{
	int year = number_of(&iso, 4), month, day = 0;
	struct arena *a = out->a;
	const char *name;

	if (year < 0)
		return false;
	if (!*iso) {
		str_addf(out, "%d", year);
		return true;
	}
	if (*iso++ != '-' || (month = number_of(&iso, 2)) < 1 || month > 12)
		return false;
	if (*iso && (*iso++ != '-' || (day = number_of(&iso, 2)) < 1 ||
			day > days_in(year, month) || *iso))
		return false;
	name = w->month[month - 1];
	words_fill(w->pattern[day ? WORD_DATE : WORD_DATE_MONTH],
	    (const char *const[]){"year", arena_printf(a, "%d", year), "month",
		arena_printf(a, "%d", month), "day", arena_printf(a, "%d", day),
		"name", name ? name : arena_printf(a, "%d", month), NULL},
	    out);
	return true;
}

void
words_joint(const struct words *w, int i, int n, struct str *out)
{
	words_fill(w->pattern[i == n - 1 ? WORD_LIST_LAST : WORD_LIST],
	    (const char *const[]){"a", "", "b", "", NULL}, out);
}
