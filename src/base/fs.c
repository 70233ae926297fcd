#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"

static struct fs_reads *watched;

void
fs_watch(struct fs_reads *list)
{
	watched = list;
}

void
fs_note(const char *path)
{
	if (!watched)
		return;
	for (int i = 0; i < watched->n; i++)
		if (strcmp(watched->paths[i], path) == 0)
			return;
	*(const char **)arena_push(watched->a, &watched->paths, &watched->n,
	    sizeof(*watched->paths)) = arena_strdup(watched->a, path);
}

/* Read `size` bytes or to the end; -1 on failure. */
static ssize_t
read_all(int fd, char *buf, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t got = read(fd, buf + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

static bool
open_regular(const char *path, size_t max, struct pos from, struct diag *d,
    int *fd, size_t *size)
{
	struct stat st;

	/* O_NONBLOCK: a FIFO must not hang us before fstat refuses it. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return diag_error(d, from, "file-missing",
		    "cannot open '%s': %s", path, strerror(errno));
	if (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(*fd);
		return diag_error(d, from, "file-kind",
		    "'%s' is not a regular file", path);
	}
	if ((size_t)st.st_size > max) {
		close(*fd);
		diag_error(d, from, "file-size",
		    "'%s' is too large: %lld bytes", path,
		    (long long)st.st_size);
		diag_note(d, "at most %zu bytes are read", max);
		return false;
	}
	*size = (size_t)st.st_size;
	return true;
}

struct source *
fs_read(struct arena *a, const char *path, size_t max, struct pos from,
    struct diag *d)
{
	struct source *src;
	size_t size = 0;
	ssize_t got;
	char *text;
	int fd;

	if (!open_regular(path, max, from, d, &fd, &size))
		return NULL;
	fs_note(path);
	text = arena_alloc(a, size + 1, 1);
	got = read_all(fd, text, size);
	close(fd);
	if (got < 0) {
		diag_error(d, from, "file-read", "cannot read '%s': %s", path,
		    strerror(errno));
		return NULL;
	}
	text[got] = '\0';
	src = arena_alloc(a, 1, sizeof(*src));
	*src = (struct source){arena_strdup(a, path), text, (size_t)got};
	return src;
}

char *
fs_join(struct arena *a, const char *dir, const char *name)
{
	size_t len = strlen(dir);

	if (len == 0)
		return arena_strdup(a, name);
	return arena_printf(a, "%s%s%s", dir, dir[len - 1] == '/' ? "" : "/",
	    name);
}

char *
fs_beside(struct arena *a, const char *base, const char *path)
{
	const char *slash = strrchr(base, '/');

	if (path[0] == '/' || !slash)
		return arena_strdup(a, path);
	return arena_printf(a, "%.*s/%s", (int)(slash - base), base, path);
}

bool
fs_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
fs_list(struct arena *a, const char *dir, const char *suffix, int *n)
{
	char **names = NULL;
	DIR *stream = opendir(dir);
	struct dirent *entry;
	size_t tail = strlen(suffix);

	*n = 0;
	if (!stream)
		return NULL;
	fs_note(dir);
	while ((entry = readdir(stream)) != NULL) {
		size_t len = strlen(entry->d_name);
		char **slot;

		if (entry->d_name[0] == '.' || len < tail ||
		    strcmp(entry->d_name + len - tail, suffix) != 0)
			continue;
		slot = arena_push(a, &names, n, sizeof(*slot));
		*slot = arena_strdup(a, entry->d_name);
	}
	closedir(stream);
	if (*n)
		qsort(names, (size_t)*n, sizeof(*names), by_bytes);
	return names;
}

char *
fs_program_dir(struct arena *a)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return arena_strdup(a, ".");
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash && slash != path)
		*slash = '\0';
	return arena_strdup(a, path);
}

static const char stage_prefix[] = ".whygpu-";

struct fs_set {
	struct arena *a;
	const char *dir, *stage;
	int lock; /* held on the stage while it is in use */
	const char **names;
	int n;
	bool done, made; /* closed; the folder is ours */
};

/* Make a folder and the folders above it. */
static bool
make_dirs(struct arena *a, const char *path, struct diag *d)
{
	char *p = arena_strdup(a, path);

	for (char *s = p + 1;; s++) {
		char c = *s;

		if (c != '/' && c != '\0')
			continue;
		*s = '\0';
		if (mkdir(p, 0777) != 0 && errno != EEXIST)
			return diag_error(d, (struct pos){0}, "output-folder",
			    "cannot make folder '%s': %s", p, strerror(errno));
		if (c == '\0')
			return true;
		*s = c;
	}
}

static void
remove_files(struct arena *a, const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream)) != NULL) {
		const char *path = fs_join(a, dir, entry->d_name);

		if (str_equal(entry->d_name, ".") ||
		    str_equal(entry->d_name, ".."))
			continue;
		if (unlink(path) != 0 && errno == EISDIR) {
			remove_files(a, path);
			rmdir(path);
		}
	}
	if (stream)
		closedir(stream);
}

/*
 * Remove the stages of runs that were killed: the lock on a stage goes with
 * its process, so one that can be had belongs to nobody.
 */
static void
remove_stale(struct arena *a, const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream)) != NULL) {
		const char *path = fs_join(a, dir, entry->d_name);
		int fd;

		if (!str_starts(entry->d_name, stage_prefix))
			continue;
		fd =
		    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
			remove_files(a, path);
			rmdir(path);
		}
		if (fd >= 0)
			close(fd);
	}
	if (stream)
		closedir(stream);
}

struct fs_set *
fs_set_begin(struct arena *a, const char *dir, struct diag *d)
{
	struct fs_set *s = arena_alloc(a, 1, sizeof(*s));
	char *stage = arena_printf(a, "%s/%sXXXXXX", dir, stage_prefix);
	bool made = !fs_exists(dir);

	if (!make_dirs(a, dir, d))
		return NULL;
	remove_stale(a, dir);
	if (!mkdtemp(stage)) {
		diag_error(d, (struct pos){0}, "output-folder",
		    "cannot write into '%s': %s", dir, strerror(errno));
		return NULL;
	}
	*s = (struct fs_set){.a = a,
	    .dir = arena_strdup(a, dir),
	    .stage = stage,
	    .made = made,
	    .lock = open(stage, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	if (s->lock >= 0)
		flock(s->lock, LOCK_EX | LOCK_NB);
	return s;
}

const char *
fs_set_path(struct fs_set *s, const char *name)
{
	const char **slot = arena_push(s->a, &s->names, &s->n, sizeof(*slot));
	const char *slash = strchr(name, '/');

	*slot = arena_strdup(s->a, name);
	if (slash)
		mkdir(arena_printf(s->a, "%s/%.*s", s->stage,
			  (int)(slash - name), name),
		    0777);
	return fs_join(s->a, s->stage, name);
}

static bool
write_synced(const char *path, const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool ok = fd >= 0;
	size_t n = 0;

	while (ok && n < len) {
		ssize_t put = write(fd, data + n, len - n);

		if (put < 0 && errno == EINTR)
			continue;
		ok = put > 0;
		n += ok ? (size_t)put : 0;
	}
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	return ok;
}

bool
fs_set_write(struct fs_set *s, const char *name, const void *data, size_t len,
    struct diag *d)
{
	const char *path = fs_set_path(s, name);

	if (!write_synced(path, data, len))
		return diag_error(d, (struct pos){0}, "output-write",
		    "cannot write '%s': %s", name, strerror(errno));
	return true;
}

static bool
move_into_place(struct fs_set *s, const char *name, struct diag *d)
{
	const char *slash = strchr(name, '/');
	const char *to = fs_join(s->a, s->dir, name);

	if (slash)
		mkdir(arena_printf(s->a, "%s/%.*s", s->dir, (int)(slash - name),
			  name),
		    0777);
	if (rename(fs_join(s->a, s->stage, name), to) != 0)
		return diag_error(d, (struct pos){0}, "output-write",
		    "cannot write '%s': %s", to, strerror(errno));
	return true;
}

/*
 * Flush what was written before any old file is replaced.  Files in a folder
 * of the set are many and small and can be made again from the others: they
 * are only looked for.
 */
static bool
sync_all(struct fs_set *s, struct diag *d)
{
	for (int i = 0; i < s->n; i++) {
		const char *name = s->names[i];
		int fd =
		    open(fs_join(s->a, s->stage, name), O_RDONLY | O_CLOEXEC);
		bool ok = fd >= 0 && (strchr(name, '/') || fsync(fd) == 0);

		if (fd >= 0)
			close(fd);
		if (!ok)
			return diag_error(d, (struct pos){0}, "output-write",
			    "cannot write '%s': %s", name, strerror(errno));
	}
	return true;
}

/* What would stop a rename halfway is found before the first one. */
static bool
can_place(struct fs_set *s, const char *name, struct diag *d)
{
	const char *slash = strchr(name, '/');
	const char *to = fs_join(s->a, s->dir, name);
	struct stat st;

	if (slash) {
		const char *folder = arena_printf(s->a, "%s/%.*s", s->dir,
		    (int)(slash - name), name);

		if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
			return diag_error(d, (struct pos){0}, "output-write",
			    "'%s' is in the way: it is not a folder", folder);
	}
	if (lstat(to, &st) == 0 && S_ISDIR(st.st_mode))
		return diag_error(d, (struct pos){0}, "output-write",
		    "'%s' is in the way: it is a folder", to);
	return true;
}

bool
fs_set_commit(struct fs_set *s, struct diag *d)
{
	bool ok = sync_all(s, d);

	for (int i = 0; i < s->n; i++)
		ok = can_place(s, s->names[i], d) && ok;

	for (int i = 0; ok && i < s->n; i++)
		ok = move_into_place(s, s->names[i], d);
	s->made &= !ok;
	fs_set_abort(s);
	return ok;
}

void
fs_set_abort(struct fs_set *s)
{
	if (s->done)
		return;
	s->done = true;
	for (int i = 0; i < s->n; i++)
		unlink(fs_join(s->a, s->stage, s->names[i]));
	for (int i = 0; i < s->n; i++) {
		const char *slash = strchr(s->names[i], '/');

		if (slash)
			rmdir(arena_printf(s->a, "%s/%.*s", s->stage,
			    (int)(slash - s->names[i]), s->names[i]));
	}
	rmdir(s->stage);
	if (s->lock >= 0)
		close(s->lock);
	if (s->made)
		rmdir(s->dir); /* stays if anything is in it */
}
