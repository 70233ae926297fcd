/*
 * `whygpu init DIR`: the files of templates/starter/ and the schemas for
 * editors, all of them or none; nothing is written over.
 */
#include <stdio.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"

enum { STARTER_MAX = 1 << 20 };

/* Folders to copy, the project's own files last. */
static const struct {
	bool catalog; /* below the catalogue, else below the templates */
	const char *from, *to, *suffix;
} parts[] = {
    {true, "schema", "schema", ".json"},
    {false, "starter/vendors", "vendors", ".yaml"},
    {false, "starter", "", ".yaml"},
};

enum { N_PARTS = sizeof(parts) / sizeof(parts[0]) };

struct copy {
	struct source *src;
	const char *name; /* below the new folder */
};

static bool
read_part(struct arena *a, const struct options *o, int part,
    struct copy **copies, int *n, struct diag *d)
{
	const char *dir = fs_join(a,
	    parts[part].catalog ? o->catalog : o->templates, parts[part].from);
	bool ok = true;
	int n_names;
	char **names = fs_list(a, dir, parts[part].suffix, &n_names);

	if (n_names == 0) {
		diag_error(d, (struct pos){0}, "init-missing",
		    "no %s files in '%s'", parts[part].suffix, dir);
		diag_note(d, "they come with the program; see --templates and "
			     "--catalog");
		return false;
	}
	for (int i = 0; i < n_names; i++) {
		struct copy *c = arena_push(a, copies, n, sizeof(*c));

		c->name = fs_join(a, parts[part].to, names[i]);
		c->src = fs_read(a, fs_join(a, dir, names[i]), STARTER_MAX,
		    (struct pos){0}, d);
		ok &= c->src != NULL;
	}
	return ok;
}

static bool
check_free(struct arena *a, const char *dir, const struct copy *copies, int n,
    struct diag *d)
{
	bool ok = true;

	for (int i = 0; i < n; i++) {
		const char *path = fs_join(a, dir, copies[i].name);

		if (!fs_exists(path))
			continue;
		ok = diag_error(d, (struct pos){0}, "init-exists",
		    "'%s' is there already", path);
		diag_note(d, "nothing was written; name a new folder");
	}
	return ok;
}

static bool
init(struct arena *a, const struct options *o, struct diag *d)
{
	const char *dir = o->args[0];
	struct copy *copies = NULL;
	struct fs_set *set;
	bool ok = true;
	int n = 0;

	for (int i = 0; i < N_PARTS; i++)
		ok &= read_part(a, o, i, &copies, &n, d);
	if (!ok || !check_free(a, dir, copies, n, d))
		return false;
	set = fs_set_begin(a, dir, d);
	if (!set)
		return false;
	for (int i = 0; ok && i < n; i++)
		ok = fs_set_write(set, copies[i].name, copies[i].src->text,
		    copies[i].src->len, d);
	if (ok)
		return fs_set_commit(set, d);
	fs_set_abort(set);
	return false;
}

int
command_init(const struct options *o)
{
	struct arena *a = arena_new();
	const char *dir = o->args[0];
	struct diag d;
	bool ok;

	diag_init(&d, a);
	ok = init(a, o, &d);
	diag_print(&d, stderr);
	if (ok)
		printf("%s is ready; next:\n"
		       "  edit %s/project.yaml and %s/vendors/*.yaml\n"
		       "  whygpu check %s/project.yaml\n"
		       "  whygpu report %s/project.yaml --out %s/report\n",
		    dir, dir, dir, dir, dir, dir);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_INPUT;
}
