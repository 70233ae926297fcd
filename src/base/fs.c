#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
