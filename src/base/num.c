#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct suffix {
	enum unit unit;
	const char *text;
	double factor;
	bool any_case;
};

#define KIB 1024.0
#define MIB (KIB * KIB)
#define GIB (MIB * KIB)
#define TIB (GIB * KIB)

/* Case matters where m and M differ; elsewhere people write both. */
static const struct suffix suffixes[] = {
    {UNIT_BYTE, "B", 1, false},
    {UNIT_BYTE, "KiB", KIB, true},
    {UNIT_BYTE, "MiB", MIB, true},
    {UNIT_BYTE, "GiB", GIB, true},
    {UNIT_BYTE, "TiB", TIB, true},
    {UNIT_BYTE, "KB", 1e3, true},
    {UNIT_BYTE, "MB", 1e6, false},
    {UNIT_BYTE, "GB", 1e9, false},
    {UNIT_BYTE, "TB", 1e12, false},
    {UNIT_BYTE_PER_S, "B/s", 1, false},
    {UNIT_BYTE_PER_S, "MB/s", 1e6, false},
    {UNIT_BYTE_PER_S, "GB/s", 1e9, false},
    {UNIT_BYTE_PER_S, "TB/s", 1e12, false},
    {UNIT_BYTE_PER_S, "GiB/s", GIB, false},
    {UNIT_FLOP, "FLOP", 1, true},
    {UNIT_FLOP, "MFLOP", 1e6, false},
    {UNIT_FLOP, "GFLOP", 1e9, true},
    {UNIT_FLOP, "TFLOP", 1e12, true},
    {UNIT_FLOP, "PFLOP", 1e15, true},
    {UNIT_FLOP, "MMAC", 2e6, false},
    {UNIT_FLOP, "GMAC", 2e9, true},
    {UNIT_FLOP, "TMAC", 2e12, true},
    {UNIT_FLOP_PER_S, "GFLOPS", 1e9, true},
    {UNIT_FLOP_PER_S, "TFLOPS", 1e12, true},
    {UNIT_FLOP_PER_S, "PFLOPS", 1e15, true},
    {UNIT_FLOP_PER_S, "GFLOP/s", 1e9, true},
    {UNIT_FLOP_PER_S, "TFLOP/s", 1e12, true},
    {UNIT_FLOP_PER_S, "TOPS", 1e12, true},
    {UNIT_SECOND, "s", 1, false},
    {UNIT_SECOND, "ms", 1e-3, false},
    {UNIT_SECOND, "us", 1e-6, false},
    {UNIT_SECOND, "min", 60, false},
    {UNIT_SECOND, "h", 3600, false},
    {UNIT_PER_S, "fps", 1, true},
    {UNIT_PER_S, "/s", 1, false},
    {UNIT_PER_S, "/min", 1.0 / 60, false},
    {UNIT_PER_S, "/h", 1.0 / 3600, false},
    {UNIT_PER_S, "/day", 1.0 / 86400, false},
    {UNIT_HERTZ, "Hz", 1, true},
    {UNIT_HERTZ, "kHz", 1e3, true},
    {UNIT_HERTZ, "MHz", 1e6, false},
    {UNIT_HERTZ, "GHz", 1e9, true},
    {UNIT_WATT, "W", 1, false},
    {UNIT_WATT, "kW", 1e3, true},
    {UNIT_PIXEL, "px", 1, true},
    {UNIT_PIXEL, "Mpx", 1e6, false},
    {UNIT_BIT, "bit", 1, true},
    {UNIT_RATIO, "%", 0.01, false},
};

static const struct {
	const char *id, *names;
	bool bare; /* a number without unit will do */
} kinds[] = {
    [UNIT_NONE] = {"number", "no unit", true},
    [UNIT_COUNT] = {"count", "no unit, a whole number", true},
    [UNIT_BYTE] = {"byte", "B, KB, MB, GB, TB, KiB, MiB, GiB, TiB", false},
    [UNIT_BYTE_PER_S] = {"byte/s", "MB/s, GB/s, TB/s, GiB/s", false},
    [UNIT_FLOP] = {"flop", "MFLOP, GFLOP, TFLOP, PFLOP, MMAC, GMAC, TMAC",
	false},
    [UNIT_FLOP_PER_S] = {"flop/s",
	"GFLOPS, TFLOPS, PFLOPS, GFLOP/s, TFLOP/s, TOPS", false},
    [UNIT_SECOND] = {"s", "s, ms, us, min, h", false},
    [UNIT_PER_S] = {"1/s", "fps, /s, /min, /h, /day", false},
    [UNIT_HERTZ] = {"Hz", "Hz, kHz, MHz, GHz", false},
    [UNIT_WATT] = {"W", "W, kW", false},
    [UNIT_PIXEL] = {"px", "px, Mpx", true},
    [UNIT_BIT] = {"bit", "bit", true},
    [UNIT_RATIO] = {"ratio", "%, or a number", true},
    [UNIT_MONEY] = {"money", "no unit", true},
};

const char *
num_unit_names(enum unit u)
{
	return kinds[u].names;
}

const char *
num_unit_id(enum unit u)
{
	return kinds[u].id;
}

/* Full-width digits, point, comma and slash as ASCII; other text as it is. */
static char *
narrow(struct arena *a, const char *text)
{
	struct str b;
	uint32_t cp;

	str_init(&b, a);
	while ((cp = utf8_next(&text)) != 0) {
		if (cp >= 0xFF01 && cp <= 0xFF5E)
			cp -= 0xFEE0;
		if (cp == 0x3000 || cp == 0xA0 || cp == 0x202F || cp == 0x2009)
			cp = ' ';
		str_add_utf8(&b, cp);
	}
	return b.s;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Copy the digits of the number at `s` to `out` without its commas; returns
 * the end, or NULL with the reason.  `room` bytes at `out`.
 */
static const char *
scan_number(const char *s, char *out, size_t room, const char **why)
{
	size_t n = 0;
	int digits = 0, since_comma = -1;

	*why = "a number is expected";
	if (*s == '-' || *s == '+')
		out[n++] = *s++;
	if (s[0] == '0' && is_digit(s[1])) {
		*why = "a number must not start with 0";
		return NULL;
	}
	for (; is_digit(*s) || (*s == ',' && is_digit(s[1])); s++) {
		if (*s == ',') {
			if (digits == 0 ||
			    (since_comma >= 0 && since_comma != 3))
				return NULL;
			since_comma = 0;
			continue;
		}
		digits++;
		if (since_comma >= 0)
			since_comma++;
		if (n + 8 >= room) {
			*why = "the number has too many digits";
			return NULL;
		}
		out[n++] = *s;
	}
	if (since_comma >= 0 && since_comma != 3) {
		*why = "a comma in a number must stand before three digits";
		return NULL;
	}
	if (*s == '.' && is_digit(s[1])) {
		out[n++] = *s++;
		for (; is_digit(*s); s++, digits++)
			if (n + 8 < room)
				out[n++] = *s;
	}
	if (digits == 0)
		return NULL;
	if ((*s == 'e' || *s == 'E') &&
	    (is_digit(s[1]) ||
		((s[1] == '-' || s[1] == '+') && is_digit(s[2])))) {
		int exponent_digits = 0;

		out[n++] = *s++;
		do
			out[n++] = *s++;
		while (is_digit(*s) && ++exponent_digits < 4);
		if (is_digit(*s))
			return NULL;
	}
	out[n] = '\0';
	return s;
}

static const struct suffix *
find_suffix(enum unit want, const char *text)
{
	const int n = (int)(sizeof(suffixes) / sizeof(suffixes[0]));

	for (int i = 0; i < n; i++)
		if (suffixes[i].unit == want &&
		    (suffixes[i].any_case
			    ? str_equal_nocase(suffixes[i].text, text)
			    : str_equal(suffixes[i].text, text)))
			return &suffixes[i];
	return NULL;
}

bool
num_parse(const char *text, enum unit want, double *value, struct arena *a,
    const char **why)
{
	char digits[64];
	char *s = narrow(a, text);
	const struct suffix *suffix = NULL;
	const char *rest;
	size_t len;

	while (*s == ' ')
		s++;
	len = strlen(s);
	while (len && s[len - 1] == ' ')
		s[--len] = '\0';
	rest = scan_number(s, digits, sizeof(digits), why);
	if (!rest)
		return false;
	while (*rest == ' ')
		rest++;
	if (*rest) {
		suffix = find_suffix(want, rest);
		if (!suffix) {
			*why = is_digit(*rest) || *rest == ':' ||
				       *rest == ',' || *rest == '.'
				   ? "a single number is expected"
				   : arena_printf(a, "unknown unit '%s'", rest);
			return false;
		}
	} else if (!kinds[want].bare) {
		*why = "the unit is missing";
		return false;
	}
	*value = strtod(digits, NULL);
	/* 6.5 ms is 6.5 / 1000 s: dividing by a whole number is exact. */
	if (suffix && suffix->factor < 1)
		*value /= round(1 / suffix->factor);
	else if (suffix)
		*value *= suffix->factor;
	if (!isfinite(*value)) {
		*why = "the number is too large";
		return false;
	}
	if (want == UNIT_COUNT && *value != floor(*value)) {
		*why = "a whole number is expected";
		return false;
	}
	return true;
}

char *
num_format(struct arena *a, double v, int decimals, bool group)
{
	struct str b;
	const char *s, *point;
	char *plain;
	double scale = pow(10, decimals);
	double rounded = fabs(v) * scale;

	/* Half away from zero on the decimal digits the double stands for. */
	if (rounded < 1e15)
		rounded = floor(rounded * (1 + 4e-16) + 0.5);
	rounded /= scale;
	plain = arena_printf(a, "%.*f", decimals, rounded);
	str_init(&b, a);
	if (v < 0 && rounded > 0)
		str_addc(&b, '-');
	point = strchr(plain, '.');
	if (!point)
		point = plain + strlen(plain);
	for (s = plain; *s; s++) {
		str_addc(&b, *s);
		if (group && s + 1 < point && (point - s - 1) % 3 == 0)
			str_addc(&b, ',');
	}
	return b.s;
}

int
num_decimals(double v, int digits)
{
	int before;

	v = fabs(v);
	if (v == 0 || !isfinite(v))
		return 0;
	before = (int)floor(log10(v)) + 1;
	/* 9.996 to three digits is 10.0, not 10.00 */
	if (v * (1 + 0.5 * pow(10, -digits)) >= pow(10, before))
		before++;
	return before >= digits       ? 0
	       : digits - before > 12 ? 12
				      : digits - before;
}

/* `s`, the shortest form of `v` with an exponent, written without one. */
static char *
plain_digits(struct arena *a, const char *s, double v)
{
	int digits = 0;

	for (; *s && *s != 'e'; s++)
		digits += is_digit(*s);
	return arena_printf(a, "%.*f",
	    fabs(v) >= 1 ? 0 : digits - 1 - (int)floor(log10(fabs(v))), v);
}

char *
num_exact(struct arena *a, double v)
{
	int digits;
	char *s;

	/* %g drops trailing zeros: 15 digits are the shortest that reads
	 * back, unless the double needs 16 or 17. */
	for (digits = 15;; digits++) {
		s = arena_printf(a, "%.*g", digits, v);
		if (digits == 17 || strtod(s, NULL) == v)
			break;
	}
	/* Plain digits where they are as short: 350, not 3.5e+02. */
	if (strchr(s, 'e') && fabs(v) >= 1e-5 && fabs(v) < 1e15)
		s = plain_digits(a, s, v);
	return s;
}
