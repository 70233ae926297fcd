#include "data/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static bool
cut_off(const char *name, size_t len)
{
	return (len >= 3 && strcmp(name + len - 3, "...") == 0) ||
	       (len >= 3 && strcmp(name + len - 3, "\u2026") == 0);
}

static bool
is_dropped(uint32_t cp)
{
	return cp <= ' ' || (cp < 0x80 && strchr("-_./()'\",", (int)cp)) ||
	       cp == 0xA0 || cp == 0xAE || cp == 0x2122 || cp == 0x3000 ||
	       cp == 0x2010 || cp == 0x2011 || cp == 0x2013;
}

/* Length of "(R)" or "(TM)" at `s`, else 0. */
static size_t
trademark(const char *s)
{
	return strncmp(s, "(R)", 3) == 0    ? 3
	       : strncmp(s, "(TM)", 4) == 0 ? 4
					    : 0;
}

bool
name_fold(const char *name, char key[NAME_MAX_KEY])
{
	size_t n = 0, len = strlen(name);

	if (cut_off(name, len))
		return false;
	for (const char *s = name; *s;) {
		const char *at = s;
		uint32_t cp;
		size_t bytes;

		s += trademark(s);
		if (s != at)
			continue;
		cp = utf8_next(&s);
		if (cp >= 0xFF01 && cp <= 0xFF5E)
			cp -= 0xFEE0;
		if (is_dropped(cp))
			continue;
		bytes = cp < 0x80 ? 1 : (size_t)(s - at);
		if (n + bytes >= NAME_MAX_KEY)
			return false;
		if (cp < 0x80)
			key[n] = (char)(cp >= 'A' && cp <= 'Z' ? cp + 32 : cp);
		else
			memcpy(key + n, at, bytes);
		n += bytes;
	}
	key[n] = '\0';
	return n > 0;
}

void
name_add(struct arena *a, struct name_table *t, const char *key,
    const char *shown, int item)
{
	struct name_entry *e = arena_push(a, &t->entries, &t->n, sizeof(*e));

	*e = (struct name_entry){arena_strdup(a, key), shown, item};
}

static bool
is_same(const struct name_entry *x, const struct name_entry *y)
{
	return strcmp(x->key, y->key) == 0 && x->item == y->item;
}

/* Capitals sort first: a name is shown rather than an id. */
static int
by_key(const void *va, const void *vb)
{
	const struct name_entry *x = va, *y = vb;
	int order = strcmp(x->key, y->key);

	if (order == 0)
		order = x->item - y->item;
	return order ? order : strcmp(x->shown, y->shown);
}

void
name_sort(struct arena *a, struct name_table *t)
{
	int kept = 0;

	if (t->n > 0)
		qsort(t->entries, (size_t)t->n, sizeof(*t->entries), by_key);
	for (int i = 0; i < t->n; i++) {
		if (kept > 0 && is_same(&t->entries[kept - 1], &t->entries[i]))
			continue;
		t->entries[kept++] = t->entries[i];
	}
	t->n = kept;
	t->keys = arena_alloc(a, (size_t)kept + 1, sizeof(*t->keys));
	for (int i = 0; i < kept; i++)
		t->keys[i] = t->entries[i].key;
}

const struct name_entry *
name_lookup(const struct name_table *t, const char *key, int *n)
{
	int low = 0, high = t->n, end;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (strcmp(t->entries[mid].key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < t->n; end++)
		if (strcmp(t->entries[end].key, key) != 0)
			break;
	*n = end - low;
	return *n > 0 ? &t->entries[low] : NULL;
}

const char *
name_near(const struct name_table *t, const char *key)
{
	const char *near = str_nearest(key, t->keys, t->n);
	int n;

	return near ? name_lookup(t, near, &n)->shown : NULL;
}
