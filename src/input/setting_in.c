#include "input/setting_in.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"

enum { MAX_WHAT_IFS = 32, MAX_SETTINGS = 64 };

static const char vendors[] = "vendors.";

/* One setting on its way through a tree. */
struct setter {
	const struct form *f;
	const struct setting *set;
};

static struct pos
pos_of(const struct setter *s)
{
	return s->set->pos;
}

static const char *
keys_of(struct arena *a, const struct yaml_node *map)
{
	struct str s;

	str_init(&s, a);
	for (const struct yaml_node *c = map->first; c && s.len < 300;
	     c = c->next)
		str_addf(&s, "%s%s", s.len ? ", " : "", c->key);
	return s.s;
}

/* What could have been meant among the keys of a map. */
static void
note_keys(const struct setter *s, const struct yaml_node *map, const char *word)
{
	const char **keys = arena_alloc(s->f->a, map->n + 1, sizeof(*keys));
	const char *near;
	int n = 0;

	for (const struct yaml_node *c = map->first; c; c = c->next)
		keys[n++] = c->key;
	near = str_nearest(word, keys, n);
	if (near)
		diag_note(s->f->d, "did you mean '%s'?", near);
	else if (n > 0)
		diag_note(s->f->d, "keys here: %s", keys_of(s->f->a, map));
}

/* ---- one step of a path */

static const char *
step_of(const struct setter *s, const char **path)
{
	size_t n = strcspn(*path, ".");
	const char *word = arena_strndup(s->f->a, *path, n);

	*path += n + ((*path)[n] == '.');
	return word;
}

static bool
is_name(struct yaml_node *item, const char *key, const char *word)
{
	struct yaml_node *name =
	    item->kind == YAML_MAP ? yaml_find(item, key) : NULL;

	return name && name->kind == YAML_SCALAR &&
	       strcmp(name->text, word) == 0;
}

/* An item of a list by number or name; NULL after reporting. */
static struct yaml_node *
find_item(const struct setter *s, struct yaml_node *list, const char *word)
{
	int i = 0;
	bool number = word[0] && strspn(word, "0123456789") == strlen(word);

	for (struct yaml_node *c = list->first; c; c = c->next, i++)
		if (number ? strtol(word, NULL, 10) == i
			   : is_name(c, "name", word) ||
				 is_name(c, "name_en", word))
			return c;
	diag_error(s->f->d, pos_of(s), "setting-path",
	    "the list has no item '%s'", word);
	diag_note(s->f->d, "items: %d, counted from 0, or by name; * for all",
	    list->n);
	return NULL;
}

static struct yaml_node *
add_child(const struct setter *s, struct yaml_node *map, const char *key,
    enum yaml_kind kind)
{
	struct yaml_node *n = arena_alloc(s->f->a, 1, sizeof(*n));

	*n = (struct yaml_node){.kind = kind,
	    .key = key,
	    .key_pos = pos_of(s),
	    .pos = pos_of(s),
	    .text = kind == YAML_SCALAR ? "" : NULL};
	if (map->last)
		map->last->next = n;
	else
		map->first = n;
	map->last = n;
	map->n++;
	return n;
}

static struct yaml_node *
child_of(struct yaml_node *map, const char *key)
{
	for (struct yaml_node *c = map->first; c; c = c->next)
		if (strcmp(c->key, key) == 0)
			return c;
	return NULL;
}

/* ---- values */

/* The number a factor "x2" or "×2" stands for; 0 when it is none. */
static double
factor_of(const char *text)
{
	const char *number = strncmp(text, "×", 2) == 0 ? text + 2
			     : text[0] == 'x'           ? text + 1
							: NULL;
	char *end;
	double v;

	if (!number || !isdigit((unsigned char)number[0]))
		return 0;
	v = strtod(number, &end);
	return *end == '\0' && isfinite(v) && v > 0 ? v : 0;
}

/* "64" by 2 is "128", "12.5 fps" by 2 "25 fps". */
static bool
multiply(const struct setter *s, struct yaml_node *n, double by)
{
	struct str digits;
	const char *rest = n->text;
	double v;

	str_init(&digits, s->f->a);
	for (; isdigit((unsigned char)*rest) || *rest == ',' || *rest == '.';
	     rest++)
		if (*rest != ',')
			str_addc(&digits, *rest);
	if (digits.len == 0)
		return diag_error(s->f->d, pos_of(s), "setting-factor",
		    "'%s: %s' has no number to multiply", n->key, n->text);
	v = by * strtod(digits.s, NULL);
	n->text = arena_printf(s->f->a, "%.12g%s", v, rest);
	return true;
}

static void
set_value(const struct setter *s, struct yaml_node *n)
{
	double by = factor_of(s->set->value);

	if (n->kind != YAML_SCALAR) {
		diag_error(s->f->d, pos_of(s), "setting-path",
		    "'%s' holds several values", s->set->path);
		if (n->kind == YAML_MAP)
			note_keys(s, n, "");
		else
			diag_note(s->f->d,
			    "items: %d, counted from 0, or by "
			    "name; * for all",
			    n->n);
		return;
	}
	if (by > 0) {
		if (!multiply(s, n, by))
			return;
	} else {
		n->text = s->set->value;
		n->quoted = false;
	}
	n->pos = n->key_pos = pos_of(s);
}

static void
leave_out(struct yaml_node *in, struct yaml_node *n)
{
	struct yaml_node **at = &in->first, *last = NULL;

	while (*at != n) {
		last = *at;
		at = &(*at)->next;
	}
	*at = n->next;
	if (in->last == n)
		in->last = last;
	in->n--;
}

/* ---- the way through the tree */

static void walk(const struct setter *s, struct yaml_node *n, const char *path);

static void
end_of_path(const struct setter *s, struct yaml_node *in, struct yaml_node *n)
{
	if (s->set->value)
		set_value(s, n);
	else
		leave_out(in, n);
}

static void
walk_all(const struct setter *s, struct yaml_node *n, const char *path)
{
	struct yaml_node *next;

	if (n->n == 0)
		diag_error(s->f->d, pos_of(s), "setting-path",
		    "'*' stands for nothing here");
	for (struct yaml_node *c = n->first; c; c = next) {
		next = c->next;
		if (*path)
			walk(s, c, path);
		else
			end_of_path(s, n, c);
	}
}

/* A key that is not written yet: made, unless it is to be left out. */
static struct yaml_node *
new_child(const struct setter *s, struct yaml_node *map, const char *word,
    bool last)
{
	const struct setting *set = s->set;

	if (set->value && factor_of(set->value) == 0)
		return add_child(s, map, word, last ? YAML_SCALAR : YAML_MAP);
	diag_error(s->f->d, pos_of(s), "setting-path",
	    "'%s' is not written there, so it cannot be %s", word,
	    set->value ? "multiplied" : "left out");
	note_keys(s, map, word);
	return NULL;
}

static void
walk(const struct setter *s, struct yaml_node *n, const char *path)
{
	const char *word = step_of(s, &path);
	struct yaml_node *c;

	if (n->kind == YAML_SCALAR) {
		diag_error(s->f->d, pos_of(s), "setting-path",
		    "nothing lies below '%s'", n->key ? n->key : n->text);
		return;
	}
	if (strcmp(word, "*") == 0) {
		walk_all(s, n, path);
		return;
	}
	if (n->kind == YAML_LIST) {
		c = find_item(s, n, word);
	} else {
		c = child_of(n, word);
		if (!c)
			c = new_child(s, n, word, !*path);
	}
	if (!c)
		return;
	if (*path)
		walk(s, c, path);
	else
		end_of_path(s, n, c);
}

/* ---- the settings of a file */

static bool
of_vendors(const char *path)
{
	return strncmp(path, vendors, strlen(vendors)) == 0 ||
	       strcmp(path, "vendors") == 0;
}

void
settings_project(const struct form *f, struct yaml_node *root)
{
	for (int i = 0; i < f->n_set; i++) {
		const struct setter s = {f, &f->set[i]};
		const char *path = f->set[i].path;

		if (of_vendors(path))
			continue;
		if (strncmp(path, "what_if", 7) == 0)
			diag_error(f->d, f->set[i].pos, "setting-path",
			    "a what_if sets, it is not set");
		else
			walk(&s, root, path);
	}
}

static const char *
id_of(struct yaml_node *root)
{
	struct yaml_node *m = child_of(root, "vendor");
	struct yaml_node *id =
	    m && m->kind == YAML_MAP ? child_of(m, "id") : NULL;

	return id && id->kind == YAML_SCALAR ? id->text : "";
}

/* The path inside the file of the vendor; NULL when another is meant. */
static const char *
inside(const char *path, const char *id)
{
	size_t n = strlen(id);

	if (strncmp(path, vendors, strlen(vendors)) != 0)
		return NULL;
	path += strlen(vendors);
	if (path[0] == '*' && (path[1] == '.' || path[1] == '\0'))
		n = 1;
	else if (n == 0 || strncasecmp(path, id, n) != 0)
		return NULL;
	return path[n] == '.'    ? path + n + 1
	       : path[n] == '\0' ? path + n
				 : NULL;
}

bool
settings_vendor(const struct form *f, struct yaml_node *root)
{
	const char *id = root->kind == YAML_MAP ? id_of(root) : "";
	bool stays = true;

	for (int i = 0; i < f->n_set; i++) {
		const struct setter s = {f, &f->set[i]};
		const char *path = inside(f->set[i].path, id);

		if (!path)
			continue;
		f->set_used[i] = true;
		if (*path)
			walk(&s, root, path);
		else if (!f->set[i].value)
			stays = false;
		else
			diag_error(f->d, f->set[i].pos, "setting-path",
			    "a vendor cannot be set, only left out");
	}
	return stays;
}

void
settings_end(const struct form *f, const char *ids)
{
	for (int i = 0; i < f->n_set; i++) {
		if (!of_vendors(f->set[i].path) || f->set_used[i])
			continue;
		diag_error(f->d, f->set[i].pos, "setting-path",
		    "'%s' names no vendor of the project", f->set[i].path);
		diag_note(f->d,
		    "vendors.ID. and a key of its file; there are: %s", ids);
	}
}

/* ---- what_if: */

static void
add_setting(const struct form *f, struct what_if *w, struct setting set)
{
	if (w->n_set == MAX_SETTINGS) {
		diag_error(f->d, set.pos, "needs-range",
		    "more than %d settings in one what_if", (int)MAX_SETTINGS);
		return;
	}
	*(struct setting *)arena_push(f->a, &w->set, &w->n_set, sizeof(set)) =
	    set;
}

static void
read_set(const struct form *f, struct yaml_node *m, struct what_if *w)
{
	struct yaml_node *set = yaml_map(m, "set", f->d);

	for (struct yaml_node *n = set ? set->first : NULL; n; n = n->next) {
		n->asked = true;
		if (n->kind == YAML_SCALAR && n->text[0])
			add_setting(f, w,
			    (struct setting){n->key, n->text, n->key_pos});
		else
			diag_error(f->d, n->pos, "yaml-kind",
			    "a setting is one value");
	}
}

static void
read_unset(const struct form *f, struct yaml_node *m, struct what_if *w)
{
	struct yaml_node *list = yaml_list(m, "unset", f->d);

	for (struct yaml_node *n = list ? list->first : NULL; n; n = n->next) {
		if (n->kind == YAML_SCALAR && n->text[0])
			add_setting(f, w,
			    (struct setting){n->text, NULL, n->pos});
		else
			diag_error(f->d, n->pos, "yaml-kind",
			    "'unset' lists paths, as vendors.S1");
	}
}

static void
read_what_if(const struct form *f, struct yaml_node *m, struct project *p)
{
	static const char *const known[] = {"name", "name_en", "set", "unset"};
	struct what_if w = {.pos = m->pos};

	if (!field_is_map(f, m, "a what_if"))
		return;
	w.name = yaml_need(m, "name", f->d);
	w.name_en = yaml_text(m, "name_en", f->d);
	read_set(f, m, &w);
	read_unset(f, m, &w);
	if (!yaml_find(m, "set") && !yaml_find(m, "unset"))
		diag_error(f->d, m->pos, "yaml-missing",
		    "'set' or 'unset' is missing here");
	FIELD_END(f, m, known);
	*(struct what_if *)arena_push(f->a, &p->what_ifs, &p->n_what_ifs,
	    sizeof(w)) = w;
}

void
what_ifs_read(const struct form *f, struct yaml_node *root, struct project *p)
{
	struct yaml_node *list = yaml_list(root, "what_if", f->d);

	if (list && list->n > MAX_WHAT_IFS) {
		diag_error(f->d, list->pos, "needs-range",
		    "more than %d what_ifs", (int)MAX_WHAT_IFS);
		return;
	}
	for (struct yaml_node *n = list ? list->first : NULL; n; n = n->next)
		read_what_if(f, n, p);
}
