#include "chart/quantity.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

struct prefix {
	double size;
	const char *name;
};

static const struct prefix flops[] = {
    {1e18, " EFLOPS"},
    {1e15, " PFLOPS"},
    {1e12, " TFLOPS"},
    {1e9, " GFLOPS"},
    {1e6, " MFLOPS"},
    {0, " FLOPS"},
    {0, NULL},
};
static const struct prefix flop[] = {
    {1e18, " EFLOP"},
    {1e15, " PFLOP"},
    {1e12, " TFLOP"},
    {1e9, " GFLOP"},
    {1e6, " MFLOP"},
    {0, " FLOP"},
    {0, NULL},
};
static const struct prefix bandwidth[] = {
    {1e15, " PB/s"},
    {1e12, " TB/s"},
    {1e9, " GB/s"},
    {1e6, " MB/s"},
    {0, " B/s"},
    {0, NULL},
};
static const struct prefix memory[] = {
    {1125899906842624.0, " PiB"},
    {1099511627776.0, " TiB"},
    {1073741824.0, " GiB"},
    {1048576.0, " MiB"},
    {0, " B"},
    {0, NULL},
};
static const struct prefix seconds[] = {
    {1, " s"},
    {1e-3, " ms"},
    {0, " µs"},
    {0, NULL},
};

/* Outside this the figure is a bound, "<0.001" or ">999,999". */
static const double least = 0.001, most = 999999;

/* At most `digits` significant digits, no zeros at the end if `trim`. */
static char *
digits_of(struct arena *a, double v, int digits, bool trim)
{
	double m = fabs(v);
	int decimals;
	char *s, *end;

	if (isnan(v))
		return arena_strdup(a, "?");
	if (m > most)
		return arena_strdup(a, v < 0 ? "<-999,999" : ">999,999");
	if (m > 0 && m < least)
		return arena_strdup(a, v < 0 ? "~0" : "<0.001");
	decimals = m > 0 ? digits - 1 - (int)floor(log10(m) + 1e-9) : 0;
	decimals = decimals < 0 ? 0 : decimals;
	s = num_format(a, v, decimals, true);
	if (trim && strchr(s, '.')) {
		end = s + strlen(s);
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			*--end = '\0';
	}
	return s;
}

static char *
with_prefix(struct arena *a, double v, const struct prefix *table)
{
	const struct prefix *p = table;

	while (p[1].name && fabs(v) < p->size * (1 - 1e-9))
		p++;
	if (p->size <= 0 && p > table && strcmp(p->name, " µs") == 0)
		v *= 1e6;
	return arena_printf(a, "%s%s",
	    digits_of(a, p->size > 0 ? v / p->size : v, 3, true), p->name);
}

char *
quantity_aligned(struct arena *a, double v)
{
	double m = fabs(v);

	if (!(m <= most))
		return digits_of(a, v, 3, false);
	if (v > 0 && v < 0.005)
		return arena_strdup(a, "<0.01");
	return num_format(a, v, m < 9.995 ? 2 : m < 99.95 ? 1 : 0, true);
}

/* "8 GB" stays so if someone wrote it so: whole in 10^8, not in 2^20. */
static bool
is_decimal(double bytes)
{
	return bytes >= 1e8 && bytes < 1e12 &&
	       fabs(fmod(bytes + 1, 1e8) - 1) < 1e-3 &&
	       fmod(bytes, 1048576) > 0;
}

/* Both in the unit that suits the limit, "116 / 80 ms". */
static char *
pair_of_times(struct arena *a, double need, double have)
{
	bool ms = have < 1;
	double k = ms ? 1e3 : 1;

	return arena_printf(a, "%s / %s %s", quantity_plain(a, need * k),
	    quantity_plain(a, have * k), ms ? "ms" : "s");
}

char *
quantity_pair(struct arena *a, double need, double have, enum unit u)
{
	const double gib = 1073741824.0;

	if (u == UNIT_SECOND)
		return pair_of_times(a, need, have);
	if (u != UNIT_BYTE)
		return arena_printf(a, "%s / %s%s", quantity_aligned(a, need),
		    quantity_aligned(a, have),
		    u == UNIT_WATT    ? " W"
		    : u == UNIT_PER_S ? " /s"
				      : "");
	if (have < gib / 10)
		return arena_printf(a, "%s / %s", quantity_format(a, need, u),
		    quantity_format(a, have, u));
	return arena_printf(a, "%s / %s GiB", quantity_aligned(a, need / gib),
	    quantity_plain(a, have / gib));
}

char *
quantity_gib(struct arena *a, double bytes)
{
	double gib = bytes / 1073741824.0;

	if (gib > 0 && gib < 0.005)
		return arena_strdup(a, "<0.01 GiB");
	return arena_printf(a, "%s GiB",
	    gib <= most ? num_format(a, gib, 2, true)
			: digits_of(a, gib, 3, true));
}

char *
quantity_plain(struct arena *a, double v)
{
	return digits_of(a, v, 3, true);
}

char *
quantity_percent(struct arena *a, double v)
{
	return arena_printf(a, "%s %%",
	    digits_of(a, 100 * v, fabs(v) < 0.1 ? 2 : 3, true));
}

char *
quantity_times(struct arena *a, double v)
{
	if (v > 9999)
		return arena_strdup(a, ">9,999×");
	return arena_printf(a, "%s×", digits_of(a, v, v < 1 ? 2 : 3, false));
}

char *
quantity_format(struct arena *a, double v, enum unit u)
{
	switch (u) {
	case UNIT_FLOP_PER_S: return with_prefix(a, v, flops);
	case UNIT_FLOP: return with_prefix(a, v, flop);
	case UNIT_BYTE_PER_S: return with_prefix(a, v, bandwidth);
	case UNIT_BYTE:
		if (is_decimal(v))
			return arena_printf(a, "%s GB",
			    quantity_plain(a, v / 1e9));
		return with_prefix(a, v, memory);
	case UNIT_SECOND: return with_prefix(a, v, seconds);
	case UNIT_WATT: return arena_printf(a, "%s W", quantity_plain(a, v));
	case UNIT_PER_S: return arena_printf(a, "%s /s", quantity_plain(a, v));
	case UNIT_RATIO: return quantity_percent(a, v);
	default: return quantity_plain(a, v);
	}
}

/* "1e-4", "2e7" for what plain digits would make long. */
static char *
power_of_ten(struct arena *a, double v)
{
	int e = (int)floor(log10(v) + 1e-9);

	return arena_printf(a, "%se%d", num_format(a, v / pow(10, e), 0, false),
	    e);
}

char *
quantity_tick(struct arena *a, double v)
{
	if (v > 0 && isfinite(v) && (v < least * (1 - 1e-9) || v > most))
		return power_of_ten(a, v);
	return digits_of(a, v, 3, true);
}

char *
quantity_tick_times(struct arena *a, double v)
{
	return arena_printf(a, "%s×", quantity_tick(a, v));
}

char *
quantity_tick_percent(struct arena *a, double v)
{
	return quantity_percent(a, v);
}

char *
quantity_tick_flops(struct arena *a, double v)
{
	return with_prefix(a, v, flops);
}

char *
quantity_tick_bandwidth(struct arena *a, double v)
{
	return with_prefix(a, v, bandwidth);
}

char *
quantity_tick_gib(struct arena *a, double gib)
{
	return arena_printf(a, "%s GiB", quantity_tick(a, gib));
}
