/* Access to a parsed YAML tree: the second half of yaml_in.h. */
#include "parse/yaml_in.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static const char *const kind_names[] = {"a text or number", "a list '- '",
    "a map 'key: value'"};

struct yaml_node *
yaml_find(struct yaml_node *map, const char *key)
{
	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (struct yaml_node *c = map->first; c; c = c->next) {
		if (strcmp(c->key, key) == 0) {
			c->asked = true;
			return c;
		}
	}
	return NULL;
}

/* A child that is there and of the right kind, or NULL. */
static struct yaml_node *
find_kind(struct yaml_node *map, const char *key, enum yaml_kind kind,
    struct diag *d)
{
	struct yaml_node *c = yaml_find(map, key);

	if (!c || c->kind == kind)
		return c;
	if (c->kind == YAML_SCALAR && !c->quoted && !c->text[0]) {
		diag_error(d, c->key_pos, "yaml-missing", "'%s' has no value",
		    key);
		return NULL;
	}
	diag_error(d, c->pos, "yaml-kind", "'%s' is %s; it must be %s", key,
	    kind_names[c->kind], kind_names[kind]);
	return NULL;
}

struct yaml_node *
yaml_map(struct yaml_node *map, const char *key, struct diag *d)
{
	return find_kind(map, key, YAML_MAP, d);
}

struct yaml_node *
yaml_list(struct yaml_node *map, const char *key, struct diag *d)
{
	return find_kind(map, key, YAML_LIST, d);
}

/* A scalar child with text in it, or NULL. */
static struct yaml_node *
find_text(struct yaml_node *map, const char *key, struct diag *d)
{
	struct yaml_node *c = find_kind(map, key, YAML_SCALAR, d);

	if (!c || c->text[0])
		return c;
	diag_error(d, c->key_pos, "yaml-missing", "'%s' has no value", key);
	return NULL;
}

const char *
yaml_text(struct yaml_node *map, const char *key, struct diag *d)
{
	struct yaml_node *c = find_text(map, key, d);

	return c ? c->text : NULL;
}

const char *
yaml_need(struct yaml_node *map, const char *key, struct diag *d)
{
	if (yaml_find(map, key))
		return yaml_text(map, key, d);
	diag_error(d, map->pos, "yaml-missing", "'%s' is missing here", key);
	return NULL;
}

bool
yaml_number(struct arena *a, struct yaml_node *map, const char *key,
    enum unit unit, double *v, struct diag *d)
{
	struct yaml_node *c = find_text(map, key, d);
	const char *why = NULL;

	if (!c)
		return false;
	if (num_parse(c->text, unit, v, a, &why))
		return true;
	diag_error(d, c->pos, "yaml-number", "'%s: %s': %s", key, c->text, why);
	if (unit != UNIT_NONE && unit != UNIT_COUNT && unit != UNIT_MONEY)
		diag_note(d, "units: %s", num_unit_names(unit));
	return false;
}

static const char *
words_joined(struct arena *a, const char *const *words, int n)
{
	struct str b;

	str_init(&b, a);
	for (int i = 0; i < n; i++)
		str_addf(&b, "%s%s", i ? ", " : "", words[i]);
	return b.s;
}

int
yaml_choice(struct yaml_node *map, const char *key, const char *const *words,
    int n, struct diag *d)
{
	struct yaml_node *c = find_text(map, key, d);
	const char *near;

	if (!c)
		return -1;
	for (int i = 0; i < n; i++)
		if (str_equal_nocase(c->text, words[i]))
			return i;
	near = str_nearest(c->text, words, n);
	diag_error(d, c->pos, "yaml-choice", "'%s' is no value for '%s'",
	    c->text, key);
	if (near)
		diag_note(d, "did you mean '%s'?", near);
	diag_note(d, "one of %s", words_joined(d->a, words, n));
	return -1;
}

/*
 * Picture sizes
 */

static const struct {
	const char *name;
	int w, h;
} sizes[] = {
    {"480p", 854, 480},
    {"540p", 960, 540},
    {"576p", 720, 576},
    {"720p", 1280, 720},
    {"1080p", 1920, 1080},
    {"1440p", 2560, 1440},
    {"2160p", 3840, 2160},
    {"4k", 3840, 2160},
    {"4320p", 7680, 4320},
    {"8k", 7680, 4320},
};

enum { MAX_SIDE = 100000 };

/* Full-width signs narrow, the ways to write "by" as 'x', no spaces. */
static bool
size_plain(const char *text, char *out, size_t room)
{
	size_t n = 0;
	uint32_t cp;

	while ((cp = utf8_next(&text)) != 0) {
		if (cp >= 0xFF01 && cp <= 0xFF5E)
			cp -= 0xFEE0;
		if (cp == '*' || cp == 0xD7 || cp == 0x2715 || cp == 0x2A2F ||
		    cp == 'X')
			cp = 'x';
		if (cp == ' ' || cp == 0x3000)
			continue;
		if (cp >= 0x80 || n + 1 >= room)
			return false;
		out[n++] = (char)tolower((int)cp);
	}
	out[n] = '\0';
	return n > 0;
}

/* A side: digits, with commas before three digits; NULL if none. */
static const char *
size_side(const char *s, int *side)
{
	int v = 0, digits = 0;

	while (isdigit((unsigned char)*s) || (*s == ',' && digits > 0)) {
		if (*s == ',' && !(isdigit((unsigned char)s[1]) &&
				     isdigit((unsigned char)s[2]) &&
				     isdigit((unsigned char)s[3]) &&
				     !isdigit((unsigned char)s[4])))
			return NULL;
		if (*s != ',') {
			v = v * 10 + (*s - '0');
			digits++;
		}
		if (v > MAX_SIDE)
			return NULL;
		s++;
	}
	*side = v;
	return v > 0 ? s : NULL;
}

static bool
size_parse(const char *text, int *w, int *h)
{
	char s[64];
	const char *rest;

	if (!size_plain(text, s, sizeof(s)))
		return false;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (strcmp(s, sizes[i].name) == 0) {
			*w = sizes[i].w;
			*h = sizes[i].h;
			return true;
		}
	}
	rest = size_side(s, w);
	if (!rest)
		return false;
	if (!*rest || strcmp(rest, "px") == 0) {
		*h = *w;
		return true;
	}
	if (*rest != 'x')
		return false;
	rest = size_side(rest + 1, h);
	return rest && (!*rest || strcmp(rest, "px") == 0);
}

bool
yaml_size(struct yaml_node *map, const char *key, int *w, int *h,
    struct diag *d)
{
	struct yaml_node *c = find_text(map, key, d);

	if (!c)
		return false;
	if (size_parse(c->text, w, h))
		return true;
	diag_error(d, c->pos, "yaml-size", "'%s: %s' is no size in pixels", key,
	    c->text);
	diag_note(d,
	    "write width x height, as 1920x1080, or a name: 720p, "
	    "1080p, 4K; sides from 1 to %d",
	    (int)MAX_SIDE);
	return false;
}

bool
yaml_end(struct yaml_node *map, const char *const *known, int n, struct diag *d)
{
	bool ok = true;

	for (const struct yaml_node *c = map->first; c; c = c->next) {
		const char *near;

		if (c->asked)
			continue;
		ok = diag_error(d, c->key_pos, "yaml-unknown",
		    "unknown key '%s'", c->key);
		near = str_nearest(c->key, known, n);
		if (near)
			diag_note(d, "did you mean '%s'?", near);
		else
			diag_note(d, "known keys: %s",
			    words_joined(d->a, known, n));
	}
	return ok;
}
