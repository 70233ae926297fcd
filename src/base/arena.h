/*
 * Arenas: every object of a stage lives in one arena and dies with it.
 *
 * Memory is zeroed and aligned for any object.  When the system has none
 * left (base/heap.c), or a size overflows, the program ends with status 70
 * and a message: no caller checks for NULL.  Objects of a library that needs
 * its own free function are tied to an arena by arena_on_free; they are
 * released in the reverse order of their registration.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);

/* `n` objects of `size` bytes, all zero. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0), nonnull(2)));

/*
 * Append one zeroed element to the array `*(T **)items` of `*n` elements and
 * return it.  The array doubles when `*n` is a power of two, so it must only
 * ever grow through this function:
 *
 *	struct gpu *g = arena_push(a, &c->gpus, &c->n_gpus, sizeof(*g));
 */
void *arena_push(struct arena *a, void *items, int *n, size_t size);

/* Call `fn(obj)` when the arena is freed. */
void arena_on_free(struct arena *a, void (*fn)(void *), void *obj);

/* End the program as above; for libraries that say they have no memory. */
_Noreturn void arena_exhausted(void);

/* Bytes handed out so far. */
size_t arena_used(const struct arena *a);

#endif
