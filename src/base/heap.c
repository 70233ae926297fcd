/*
 * Allocation that succeeds or ends the program.
 *
 * The libraries we use answer a failed allocation in every way there is:
 * some report it, some crash, some go on and leave out a line of text or a
 * file they could not read, and the report would be wrong without a word.
 * So malloc and its family are ours, for the libraries too: when the C
 * library has no memory left, the set of files being written is removed, the
 * program says so and ends with status 70.  Memory itself comes from the C
 * library.  Under a sanitizer its own allocator stays in place; valgrind
 * needs --soname-synonyms=somalloc=NONE.
 */
#ifndef __SANITIZE_ADDRESS__
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static _Noreturn void
exhausted(void)
{
	static const char text[] = "whygpu: out of memory\n";

	fs_set_end();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(70);
	_exit(70); /* exit() would go back into libraries cut off midway */
}

void *
malloc(size_t n)
{
	void *p = __libc_malloc(n);

	return p ? p : (exhausted(), NULL);
}

void *
calloc(size_t n, size_t size)
{
	void *p = __libc_calloc(n, size);

	return p ? p : (exhausted(), NULL);
}

void *
realloc(void *old, size_t n)
{
	void *p = __libc_realloc(old, n);

	/* NULL for 0 bytes is right: freed */
	return p || (old && n == 0) ? p : (exhausted(), NULL);
}

void *
memalign(size_t align, size_t n)
{
	void *p = __libc_memalign(align, n);

	return p ? p : (exhausted(), NULL);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return memalign(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	if (align % sizeof(void *) != 0 || (align & (align - 1)) != 0)
		return EINVAL;
	*p = memalign(align, n);
	return 0;
}
#endif
