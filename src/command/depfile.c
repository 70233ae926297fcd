#include "command/depfile.h"

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"

/*
 * A name as GNU make reads it.  Before a space and '#' it wants a backslash,
 * and two for one that stands there already; ':' and, in a target, '%' are
 * hidden by one too.
 */
static void
add_name(struct str *out, const char *name, bool target)
{
	for (const char *s = name; *s; s++) {
		if (*s == ' ' || *s == '#' || *s == ':' ||
		    (*s == '%' && target)) {
			for (const char *b = s; b > name && b[-1] == '\\'; b--)
				str_addc(out, '\\');
			str_addc(out, '\\');
		} else if (*s == '$') {
			str_addc(out, '$');
		}
		str_addc(out, *s);
	}
}

/* The list stays as fs_note keeps it while the fonts join it. */
static void
note_fonts(struct arena *a, const char *dir, struct fs_reads *read)
{
	char **names;
	int n;

	fs_watch(read);
	names = fs_list(a, dir, ".otf", &n);
	for (int i = 0; i < n; i++)
		fs_note(fs_join(a, dir, names[i]));
	fs_watch(NULL);
}

static bool
check_name(const char *name, struct diag *d)
{
	if (!strpbrk(name, "\n\r\t"))
		return true;
	return diag_error(d, (struct pos){0}, "depfile-name",
	    "a file's name holds a line end or a tab; make cannot read it");
}

static bool
write_file(struct arena *a, const char *path, const struct str *text,
    struct diag *d)
{
	const char *slash = strrchr(path, '/');
	const char *dir = !slash ? "."
			  : slash == path
			      ? "/"
			      : arena_strndup(a, path, (size_t)(slash - path));
	struct fs_set *set = fs_set_begin(a, dir, d);

	if (!set)
		return false;
	if (fs_set_write(set, slash ? slash + 1 : path, text->s, text->len, d))
		return fs_set_commit(set, d);
	fs_set_abort(set);
	return false;
}

bool
depfile_write(struct arena *a, const struct options *o, const char *target,
    struct fs_reads *read, struct diag *d)
{
	bool ok = check_name(target, d);
	struct str out;

	note_fonts(a, o->fonts, read);
	str_init(&out, a);
	add_name(&out, target, true);
	str_addc(&out, ':');
	for (int i = 0; i < read->n; i++) {
		ok &= check_name(read->paths[i], d);
		str_add(&out, " \\\n  ");
		add_name(&out, read->paths[i], false);
	}
	str_addc(&out, '\n');
	for (int i = 0; i < read->n; i++) {
		str_addc(&out, '\n');
		add_name(&out, read->paths[i], true);
		str_add(&out, ":\n");
	}
	return ok && write_file(a, o->depfile, &out, d);
}
