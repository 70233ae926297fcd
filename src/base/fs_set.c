/* A set of files that appears together. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"

static const char stage_prefix[] = ".whygpu-";
static const char journal[] = ".commit", journal_end[] = "end\n";

enum { JOURNAL_MAX_BYTES = 1 << 20 };

struct fs_set {
	struct arena *a;
	const char *dir, *stage;
	int lock; /* the stage, and a lock on it while it is in use; -1 */
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

static char **
stale_stages(struct arena *a, const char *dir, int *n)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	char **names = NULL;

	*n = 0;
	while (stream && (entry = readdir(stream)) != NULL)
		if (str_starts(entry->d_name, stage_prefix))
			*(char **)arena_push(a, &names, n, sizeof(*names)) =
			    arena_strdup(a, entry->d_name);
	if (stream)
		closedir(stream);
	return names;
}

/* The text of a whole journal, or NULL. */
static char *
read_journal(struct arena *a, const char *stage)
{
	struct diag ignored;
	struct source *src;

	diag_init(&ignored, a);
	src = fs_read(a, fs_join(a, stage, journal), JOURNAL_MAX_BYTES,
	    (struct pos){0}, &ignored);
	if (!src || src->len < strlen(journal_end) ||
	    strcmp(src->text + src->len - strlen(journal_end), journal_end) !=
		0)
		return NULL;
	return (char *)src->text;
}

/*
 * A run that was killed while it put its files into place had all of them:
 * put the rest into place.
 */
static void
finish(struct arena *a, const char *dir, const char *stage)
{
	char *rest = read_journal(a, stage);
	struct stat st;

	for (char *line; rest && (line = strsep(&rest, "\n")) != NULL;) {
		char *name;
		unsigned long long inode = strtoull(line, &name, 10);
		const char *to;

		if (*name != ' ' || name[1] == '/' || strstr(name, ".."))
			continue;
		to = fs_join(a, dir, name + 1);
		if (lstat(to, &st) == 0 && st.st_ino == inode)
			continue;
		if (rename(fs_join(a, stage, name + 1), to) != 0)
			return;
	}
}

/*
 * Finish or remove the stages of runs that were killed: the lock on a stage
 * goes with its process, so one that can be had belongs to nobody.
 */
static void
remove_stale(struct arena *a, const char *dir)
{
	int n;
	char **names = stale_stages(a, dir, &n);

	for (int i = 0; i < n; i++) {
		const char *path = fs_join(a, dir, names[i]);
		int fd =
		    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
			finish(a, dir, path);
			remove_files(a, path);
			rmdir(path);
		}
		if (fd >= 0)
			close(fd);
	}
}

/*
 * The end of the program while a set is open
 */

static struct fs_set *open_set;

void
fs_set_end(void)
{
	if (open_set)
		fs_set_abort(open_set);
}

/*
 * Libraries call abort() or fall over when memory runs out; people press
 * Ctrl-C.  Only calls that are safe in a signal handler from here on.
 */
static void
on_signal(int sig)
{
	static const char text[] =
	    "whygpu: out of memory or internal error; nothing was changed\n";

	fs_set_end();
	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP ||
	    sig == SIGPIPE) {
		signal(sig, SIG_DFL);
		raise(sig); /* comes when this returns: it is blocked now */
		return;
	}
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(70);
	_exit(70);
}

/* Once, and only for signals that nobody else handles. */
static void
watch_the_end(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGABRT,
	    SIGTRAP, SIGSEGV, SIGBUS};
	static bool done;

	if (done)
		return;
	done = true;
	atexit(fs_set_end);
	signal(SIGXFSZ, SIG_IGN); /* write() fails instead, with a message */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old, own = {.sa_handler = on_signal};

		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(signals[i], &own, NULL);
	}
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
	open_set = s;
	watch_the_end();
	/* EWOULDBLOCK: another run took it for a stale one */
	if (s->lock < 0 ||
	    (flock(s->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)) {
		diag_error(d, (struct pos){0}, "output-folder",
		    "cannot write into '%s': %s", dir, strerror(errno));
		fs_set_abort(s);
		return NULL;
	}
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

/* Written to the end; when it is on the disk is for sync_all. */
static bool
write_whole(const char *path, const char *data, size_t len)
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

	if (!write_whole(path, data, len))
		return diag_error(d, (struct pos){0}, "output-write",
		    "cannot write '%s': %s", name, strerror(errno));
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

/*
 * Which file of the set has which inode: whoever finds this in a stage left
 * behind can tell what is in place already, and finish.
 */
static bool
write_journal(struct fs_set *s, struct diag *d)
{
	struct str text;
	struct stat st;
	bool ok = true;
	int fd;

	str_init(&text, s->a);
	for (int i = 0; ok && i < s->n; i++) {
		ok = fstatat(s->lock, s->names[i], &st, 0) == 0;
		str_addf(&text, "%llu %s\n", (unsigned long long)st.st_ino,
		    s->names[i]);
	}
	str_add(&text, journal_end);
	ok = ok &&
	     write_whole(fs_join(s->a, s->stage, journal), text.s, text.len);
	fd = openat(s->lock, journal, O_RDONLY | O_CLOEXEC);
	ok = ok && fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok || diag_error(d, (struct pos){0}, "output-write",
			 "cannot write into '%s': %s", s->dir, strerror(errno));
}

/*
 * Put a file into place; the one that was there comes into the stage, so
 * that it can be put back.  -1 on failure; what to pass to take_back.
 */
static int
put(int stage, int dir, const char *name)
{
	if (renameat2(stage, name, dir, name, RENAME_EXCHANGE) == 0)
		return RENAME_EXCHANGE;
	/* nothing there yet, or a file system that cannot exchange */
	if (errno != ENOENT && errno != EINVAL && errno != ENOSYS)
		return -1;
	return renameat2(stage, name, dir, name, 0);
}

/* All files, or none; allocates nothing. */
static bool
put_all(struct fs_set *s, int dir, int *how)
{
	int n = 0, error;

	while (n < s->n && (how[n] = put(s->lock, dir, s->names[n])) >= 0)
		n++;
	if (n == s->n)
		return true;
	error = errno;
	while (n-- > 0)
		renameat2(dir, s->names[n], s->lock, s->names[n],
		    (unsigned)how[n]);
	errno = error;
	return false;
}

/* Folders of the set in the output folder. */
static void
make_folders(struct fs_set *s, int dir)
{
	for (int i = 0; i < s->n; i++) {
		const char *slash = strchr(s->names[i], '/');

		if (slash)
			mkdirat(dir,
			    arena_strndup(s->a, s->names[i],
				(size_t)(slash - s->names[i])),
			    0777);
	}
}

/* From the first file to the last no Ctrl-C comes between. */
static bool
place_all(struct fs_set *s, struct diag *d)
{
	int *how = arena_alloc(s->a, (size_t)s->n + 1, sizeof(*how));
	int dir = open(s->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sigset_t all, before;
	bool ok = dir >= 0;

	if (ok)
		make_folders(s, dir);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	ok = ok && put_all(s, dir, how);
	if (!ok)
		diag_error(d, (struct pos){0}, "output-write",
		    "cannot write into '%s': %s", s->dir, strerror(errno));
	s->made &= !ok;
	fs_set_abort(s);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (dir >= 0)
		close(dir);
	return ok;
}

bool
fs_set_commit(struct fs_set *s, struct diag *d)
{
	bool ok = sync_all(s, d);

	for (int i = 0; i < s->n; i++)
		ok = can_place(s, s->names[i], d) && ok;
	if (ok && write_journal(s, d))
		return place_all(s, d);
	fs_set_abort(s);
	return false;
}

/* Allocates nothing: it also runs when there is no memory, or in a signal. */
void
fs_set_abort(struct fs_set *s)
{
	if (s->done)
		return;
	s->done = true;
	open_set = NULL;
	for (int i = 0; s->lock >= 0 && i < s->n; i++)
		if (s->names[i])
			unlinkat(s->lock, s->names[i], 0);
	for (int i = 0; s->lock >= 0 && i < s->n; i++) {
		const char *slash =
		    s->names[i] ? strchr(s->names[i], '/') : NULL;
		char folder[NAME_MAX + 1];
		size_t len = slash ? (size_t)(slash - s->names[i]) : 0;

		if (len == 0 || len >= sizeof(folder))
			continue;
		memcpy(folder, s->names[i], len);
		folder[len] = '\0';
		unlinkat(s->lock, folder, AT_REMOVEDIR);
	}
	if (s->lock >= 0)
		unlinkat(s->lock, journal, 0);
	rmdir(s->stage);
	if (s->lock >= 0)
		close(s->lock);
	if (s->made)
		rmdir(s->dir); /* stays if anything is in it */
}
