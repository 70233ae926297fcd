/*
 * LD_PRELOAD: the nth call of one kind fails, as it would on a full disk or
 * without memory.
 *
 *	FAIL_KIND   alloc, write, open, rename, sync, mkdir
 *	FAIL_NTH    the call that fails, from 1; 0 only counts
 *	FAIL_MODE   once (default), on (that call and all after it),
 *	            kill (SIGKILL in its place) or
 *	            each (every FAIL_NTH-th call fails in a child of its own)
 *	FAIL_COUNT  a file for the number of calls; each: also of children, and
 *	            of those that did not end as they should
 *
 * A child must end with status 70 and a message, must not have moved a file,
 * and must have removed its stage; it removes nothing really, because its
 * parent goes on to the next call.
 *
 * open fails only for files that are to be written.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { NONE, ALLOC, WRITE, OPEN, RENAME, SYNC, MKDIR };

static const char *const names[] = {"", "alloc", "write", "open", "rename",
    "sync", "mkdir"};

static enum kind chosen;
static long nth, calls, children, wrong;
static int child, said, moved, staged, removed;
static char mode = 'o';

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

__attribute__((constructor)) static void
begin(void)
{
	const char *kind = getenv("FAIL_KIND"), *n = getenv("FAIL_NTH"),
		   *m = getenv("FAIL_MODE");

	for (int i = 1; kind && i <= MKDIR; i++)
		if (strcmp(kind, names[i]) == 0)
			chosen = (enum kind)i;
	nth = n ? strtol(n, NULL, 10) : 0;
	if (m && strcmp(m, "on") == 0)
		mode = 'a';
	if (m && strcmp(m, "kill") == 0)
		mode = 'k';
	if (m && strcmp(m, "each") == 0)
		mode = 'e';
	calls = 0;
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("FAIL_COUNT");
	FILE *f;

	if (!path)
		return;
	chosen = NONE;
	f = fopen(path, "w");
	if (f) {
		fprintf(f, "%ld %ld %ld\n", calls, children, wrong);
		fclose(f);
	}
}

/* 1 in a child, in which the call is to fail; 0 in the parent. */
static int
fork_one(int error)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		child = 1;
		chosen = NONE;
		errno = error;
		return 1;
	}
	children++;
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 70)
		wrong++;
	return 0;
}

static int
fails(enum kind k, int error)
{
	if (k != chosen)
		return 0;
	calls++;
	if (mode == 'e')
		return nth && calls % nth == 0 ? fork_one(error) : 0;
	if (nth == 0 || calls < nth || (mode != 'a' && calls > nth))
		return 0;
	if (mode == 'k')
		kill(getpid(), SIGKILL);
	errno = error;
	return 1;
}

/*
 * The program's malloc (src/base/heap.c) takes its memory here.  dlsym may
 * allocate itself: it is asked once, before anything is to fail.
 */
static void *(*next_malloc)(size_t), *(*next_calloc)(size_t, size_t),
    *(*next_realloc)(void *, size_t), *(*next_memalign)(size_t, size_t);

static void
find_allocators(void)
{
	static int busy;

	if (busy || next_memalign)
		return;
	busy = 1;
	*(void **)&next_malloc = dlsym(RTLD_NEXT, "__libc_malloc");
	*(void **)&next_calloc = dlsym(RTLD_NEXT, "__libc_calloc");
	*(void **)&next_realloc = dlsym(RTLD_NEXT, "__libc_realloc");
	*(void **)&next_memalign = dlsym(RTLD_NEXT, "__libc_memalign");
}

void *
__libc_malloc(size_t n)
{
	find_allocators();
	return fails(ALLOC, ENOMEM) ? NULL : next_malloc(n);
}

void *
__libc_calloc(size_t n, size_t size)
{
	find_allocators();
	return fails(ALLOC, ENOMEM) ? NULL : next_calloc(n, size);
}

void *
__libc_realloc(void *p, size_t n)
{
	find_allocators();
	return fails(ALLOC, ENOMEM) ? NULL : next_realloc(p, n);
}

void *
__libc_memalign(size_t align, size_t n)
{
	find_allocators();
	return fails(ALLOC, ENOMEM) ? NULL : next_memalign(align, n);
}

ssize_t
write(int fd, const void *data, size_t n)
{
	if (child && fd == 2) {
		said = 1;
		return (ssize_t)n;
	}
	/* messages must come through: that is what is tested */
	if (fd > 2 && fails(WRITE, ENOSPC))
		return -1;
	return syscall(SYS_write, fd, data, n);
}

static int
open_call(int dir, const char *path, int flags, mode_t rights)
{
	if ((flags & O_ACCMODE) != O_RDONLY && fails(OPEN, EMFILE))
		return -1;
	return (int)syscall(SYS_openat, dir, path, flags, rights);
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t rights;

	va_start(ap, flags);
	rights = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return open_call(AT_FDCWD, path, flags, rights);
}

int
open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t rights;

	va_start(ap, flags);
	rights = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return open_call(AT_FDCWD, path, flags, rights);
}

/* stdio does not come by open and write above: libqpdf writes with it. */
FILE *
fopen(const char *path, const char *how)
{
	static FILE *(*next)(const char *, const char *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fopen");
	if (how[0] != 'r' && fails(OPEN, EMFILE))
		return NULL;
	return next(path, how);
}

size_t
fwrite(const void *data, size_t size, size_t n, FILE *f)
{
	static size_t (*next)(const void *, size_t, size_t, FILE *);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fwrite");
	if (fileno(f) > 2 && fails(WRITE, ENOSPC))
		return 0;
	return next(data, size, n, f);
}

int
renameat2(int from_dir, const char *from, int to_dir, const char *to,
    unsigned flags)
{
	if (child) {
		moved = 2;
		return 0;
	}
	if (fails(RENAME, EIO))
		return -1;
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

int
rename(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
unlinkat(int dir, const char *path, int flags)
{
	return child ? 0 : (int)syscall(SYS_unlinkat, dir, path, flags);
}

int
rmdir(const char *path)
{
	if (strstr(path, "/.whygpu-") &&
	    !strchr(strstr(path, "/.whygpu-") + 1, '/')) {
		removed = 1;
		staged = child && staged;
	}
	return child ? 0
		     : (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

void
_exit(int status)
{
	if (child && (!said || moved == 2 || (staged && !removed)))
		status = 71;
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

int
fsync(int fd)
{
	return fails(SYNC, EIO) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
mkdirat(int dir, const char *path, mode_t rights)
{
	if (fails(MKDIR, ENOSPC))
		return -1;
	/* the first folder inside a stage: it is open from then on */
	if (!child && strstr(path, "/.whygpu-"))
		staged = 1;
	return (int)syscall(SYS_mkdirat, dir, path, rights);
}

int
mkdir(const char *path, mode_t rights)
{
	return mkdirat(AT_FDCWD, path, rights);
}
