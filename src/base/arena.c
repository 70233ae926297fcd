#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
/* What is not handed out must not be touched; nor what lies between. */
enum { GAP = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)0)
enum { GAP = 0 };
#endif

enum { BLOCK_BYTES = 64 << 10, ALIGN = 16 };

struct block {
	struct block *next;
	size_t used, size;
	_Alignas(ALIGN) unsigned char data[];
};

struct cleanup {
	struct cleanup *next;
	void (*fn)(void *);
	void *obj;
};

struct arena {
	struct block *blocks; /* the newest first; only it is filled */
	struct cleanup *cleanups;
	size_t used;
};

_Noreturn void
arena_exhausted(void)
{
	fputs("whygpu: out of memory\n", stderr);
	exit(70);
}

static struct block *
add_block(struct arena *a, size_t least)
{
	size_t size = least > BLOCK_BYTES ? least : BLOCK_BYTES;
	struct block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		arena_exhausted();
	b->size = size;
	ASAN_POISON_MEMORY_REGION(b->data, size);
	/* A block for one large object goes behind the one being filled. */
	if (a->blocks && least > BLOCK_BYTES) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return b;
}

struct arena *
arena_new(void)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (!a)
		arena_exhausted();
	return a;
}

void
arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct cleanup *c = a->cleanups; c; c = c->next)
		c->fn(c->obj);
	for (struct block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
		free(b);
	}
	free(a);
}

void *
arena_alloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes, room;
	struct block *b = a->blocks;
	unsigned char *p;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2)
		arena_exhausted();
	room = ((bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1)) + GAP;
	if (!b || b->size - b->used < room)
		b = add_block(a, room);
	p = b->data + b->used;
	b->used += room;
	a->used += room - GAP;
	ASAN_UNPOISON_MEMORY_REGION(p, bytes);
	return p;
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1, 1);

	memcpy(copy, s, n);
	return copy;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	char small[128]; /* most texts fit: printed once, not twice */
	va_list again;
	int n;
	char *s;

	va_copy(again, ap);
	n = vsnprintf(small, sizeof(small), fmt, again);
	va_end(again);
	if (n < 0)
		arena_exhausted();
	if ((size_t)n < sizeof(small))
		return arena_strndup(a, small, (size_t)n);
	s = arena_alloc(a, (size_t)n + 1, 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

void *
arena_push(struct arena *a, void *items, int *n, size_t size)
{
	void *array;
	size_t used = (size_t)*n;

	memcpy(&array, items, sizeof(array));
	if ((used & (used - 1)) == 0) { /* 0 or a power of two: full */
		size_t room = used ? 2 * used : 1;
		void *grown = arena_alloc(a, room, size);

		if (used)
			memcpy(grown, array, used * size);
		array = grown;
		memcpy(items, &array, sizeof(array));
	}
	++*n;
	return (char *)array + used * size;
}

void
arena_on_free(struct arena *a, void (*fn)(void *), void *obj)
{
	struct cleanup *c = arena_alloc(a, 1, sizeof(*c));

	*c = (struct cleanup){a->cleanups, fn, obj};
	a->cleanups = c;
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}
