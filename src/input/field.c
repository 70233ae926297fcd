#include "input/field.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

const struct range field_batches = {1, 4096, true, "from 1 to 4096"};

bool
field_present(const struct form *f, struct yaml_node *map, const char *key)
{
	if (yaml_find(map, key))
		return true;
	return diag_error(f->d, map->pos, "yaml-missing",
	    "'%s' is missing here", key);
}

bool
field_number(const struct form *f, struct yaml_node *map, const char *key,
    enum unit u, const struct range *r, double *v)
{
	struct yaml_node *n;

	if (!yaml_number(f->a, map, key, u, v, f->d))
		return false;
	if (*v <= r->high && (*v > r->low || (r->with_low && *v == r->low)))
		return true;
	n = yaml_find(map, key);
	diag_error(f->d, n->pos, "needs-range", "'%s: %s' is out of range", key,
	    n->text);
	diag_note(f->d, "%s", r->text);
	return false;
}

const char *
field_source(const struct form *f, struct pos pos)
{
	const char *path = pos.src ? pos.src->path : "?";
	const char *slash = strrchr(path, '/');

	return arena_printf(f->a, "%s:%d", slash ? slash + 1 : path, pos.line);
}

struct fact
field_fact(const struct form *f, struct yaml_node *map, const char *key,
    enum unit u, const struct range *r)
{
	double v;

	if (!field_number(f, map, key, u, r, &v))
		return (struct fact){.known = false};
	return fact_of(v, SURE_VENDOR,
	    field_source(f, yaml_find(map, key)->pos));
}

int
field_int(const struct form *f, struct yaml_node *map, const char *key,
    const struct range *r, int missing)
{
	double v;

	if (!field_number(f, map, key, UNIT_COUNT, r, &v))
		return missing;
	return (int)v;
}

bool
field_flag(const struct form *f, struct yaml_node *map, const char *key,
    bool missing, bool *known)
{
	static const char *const words[] = {"yes", "no", "true", "false", "是",
	    "否"};
	int i = yaml_choice(map, key, words, 6, f->d);

	if (known)
		*known = i >= 0;
	return i < 0 ? missing : i % 2 == 0;
}

static bool
two_digits(const char *s, int *v)
{
	if (!isdigit((unsigned char)s[0]) || !isdigit((unsigned char)s[1]))
		return false;
	*v = (s[0] - '0') * 10 + (s[1] - '0');
	return true;
}

static bool
is_date(const char *s)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
	    31};
	int century, year, month, day;
	bool leap;

	if (strlen(s) != 10 || s[4] != '-' || s[7] != '-' ||
	    !two_digits(s, &century) || !two_digits(s + 2, &year) ||
	    !two_digits(s + 5, &month) || !two_digits(s + 8, &day))
		return false;
	year += 100 * century;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && leap);
}

const char *
field_date(const struct form *f, struct yaml_node *map, const char *key)
{
	const char *s = yaml_text(map, key, f->d);

	if (!s || is_date(s))
		return s;
	diag_error(f->d, yaml_find(map, key)->pos, "needs-date",
	    "'%s' is no date", s);
	diag_note(f->d, "write year-month-day, as 2026-11-30");
	return NULL;
}

const char *
field_id(const struct form *f, struct yaml_node *map, const char *key)
{
	const char *s = yaml_need(map, key, f->d);
	size_t n;

	if (!s)
		return NULL;
	for (n = 0; s[n]; n++)
		if (!isalnum((unsigned char)s[n]) && !strchr("-_.", s[n]))
			break;
	if (!s[n] && n > 0 && n <= 64 && isalnum((unsigned char)s[0]))
		return s;
	diag_error(f->d, yaml_find(map, key)->pos, "needs-id",
	    "'%s' cannot be an id", s);
	diag_note(f->d, "a letter or digit, then letters, digits, '-', '_' "
			"and '.', at most 64");
	return NULL;
}

bool
field_precision(const struct form *f, struct yaml_node *map, enum precision *p)
{
	const char *s = yaml_text(map, "precision", f->d);

	if (!s || precision_parse(s, p))
		return s != NULL;
	diag_error(f->d, yaml_find(map, "precision")->pos, "needs-precision",
	    "unknown precision '%s'", s);
	diag_note(f->d, "one of fp32, tf32, fp16, bf16, fp8, int8, mixed");
	return false;
}

struct yaml_node *
field_list(const struct form *f, struct yaml_node *map, const char *key)
{
	struct yaml_node *list = yaml_list(map, key, f->d);

	if (list && list->n > FIELD_MAX_ITEMS) {
		diag_error(f->d, list->pos, "needs-range",
		    "'%s' has %d items; at most %d are read", key, list->n,
		    (int)FIELD_MAX_ITEMS);
		return NULL;
	}
	return list;
}

bool
field_is_map(const struct form *f, const struct yaml_node *n, const char *what)
{
	if (n->kind == YAML_MAP)
		return true;
	diag_error(f->d, n->pos, "yaml-kind", "%s must be a map", what);
	diag_note(f->d, "write {key: value, ...} or indented 'key: value' "
			"lines");
	return false;
}

/*
 * Cards
 */

static bool
is_cut_off(const char *name)
{
	size_t n = strlen(name);

	return n >= 3 && (strcmp(name + n - 3, "...") == 0 ||
			     strcmp(name + n - 3, "\u2026") == 0);
}

static bool
is_laptop(const char *name)
{
	return strstr(name, "Laptop") || strstr(name, "laptop") ||
	       strstr(name, "Mobile") || strstr(name, "笔记本");
}

int
field_gpus(const struct form *f, const char *name, struct pos pos,
    const struct gpu **found, int max)
{
	const char *near;
	int n;

	if (is_cut_off(name)) {
		diag_error(f->d, pos, "gpu-cut", "the name '%s' is cut off",
		    name);
		diag_note(f->d, "take the full name from `nvidia-smi -q -x`");
		return 0;
	}
	n = catalog_find(f->c, name, found, max);
	if (n > 0)
		return n < max ? n : max;
	near = catalog_near(f->c, name);
	diag_error(f->d, pos, "gpu-unknown", "no card '%s' in the catalogue",
	    name);
	if (strchr(name, '#'))
		diag_note(f->d, "a comment needs a space before its '#'");
	else if (is_laptop(name))
		diag_note(f->d,
		    "a laptop card is another chip than the "
		    "desktop card of that number; the catalogue has none");
	else if (near)
		diag_note(f->d, "did you mean '%s'?", near);
	return 0;
}

static void
add_figure(struct str *b, struct fact v, double per, const char *unit)
{
	double shown = v.value / per;
	int decimals = fabs(shown - round(shown)) < 0.05 ? 0 : 1;

	if (v.known)
		str_addf(b, ", %s %s", num_format(b->a, shown, decimals, false),
		    unit);
}

void
field_candidates(const struct form *f, const struct gpu **found, int n)
{
	for (int i = 0; i < n; i++) {
		struct str b;

		str_init(&b, f->a);
		add_figure(&b, found[i]->memory_bytes, 1 << 30, "GiB");
		add_figure(&b, found[i]->bandwidth, 1e9, "GB/s");
		add_figure(&b, found[i]->power_w, 1, "W");
		diag_note(f->d, "%s%s", found[i]->name, b.s);
	}
}

const struct gpu *
field_gpu_named(const struct form *f, const char *name, struct pos pos)
{
	const struct gpu *found[16];
	int n = field_gpus(f, name, pos, found, 16);

	if (n <= 1)
		return n == 1 ? found[0] : NULL;
	diag_error(f->d, pos, "gpu-ambiguous", "'%s' can be %d cards", name, n);
	field_candidates(f, found, n);
	return NULL;
}

const struct gpu *
field_gpu(const struct form *f, struct yaml_node *map, const char *key)
{
	const char *name = yaml_text(map, key, f->d);

	return name ? field_gpu_named(f, name, yaml_find(map, key)->pos) : NULL;
}
