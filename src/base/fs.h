/*
 * Files: read whole with a limit, write whole or not at all.
 */
#ifndef BASE_FS_H
#define BASE_FS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/*
 * Read a regular file of at most `max` bytes into a source in `a` (text is
 * terminated by a byte that is not counted).  NULL after reporting
 * "file-missing", "file-kind", "file-size" or "file-read" at `from`.
 */
struct source *fs_read(struct arena *a, const char *path, size_t max,
    struct pos from, struct diag *d);

/* `path` as seen from the folder of the file `base` (absolute paths stay). */
char *fs_beside(struct arena *a, const char *base, const char *path);
char *fs_join(struct arena *a, const char *dir, const char *name);
bool fs_exists(const char *path);
/* Names in a folder that end in `suffix`, sorted by byte value. */
char **fs_list(struct arena *a, const char *dir, const char *suffix, int *n);
/* The folder that holds the running program. */
char *fs_program_dir(struct arena *a);

/*
 * What was read: every file that fs_read opened and every folder that
 * fs_list listed, each path once, in order.  One list is filled at a time,
 * from fs_watch(list) to fs_watch(NULL); `a` must live as long.
 */
struct fs_reads {
	struct arena *a;
	const char **paths;
	int n;
};
void fs_watch(struct fs_reads *list);
/* Note a file that a library opens by itself. */
void fs_note(const char *path);

/*
 * A set of files that appears together.  Files are written into a hidden
 * folder inside `dir`; fs_set_commit moves them into place, the one added
 * last at the very end; fs_set_abort (or a failure) removes what was
 * written.  So does the end of the program by exit(), by no memory, or by a
 * signal that can be caught.  What kill -9 leaves, the next set removes, or
 * finishes if the files were being moved.  One set is open at a time.
 * Relative names may hold one '/'.
 */
struct fs_set;
struct fs_set *fs_set_begin(struct arena *a, const char *dir, struct diag *d);
/* The path to write the file `name` to. */
const char *fs_set_path(struct fs_set *s, const char *name);
bool fs_set_write(struct fs_set *s, const char *name, const void *data,
    size_t len, struct diag *d);
bool fs_set_commit(struct fs_set *s, struct diag *d);
void fs_set_abort(struct fs_set *s);
/* Abort the open set, if any; safe in a signal handler and without memory. */
void fs_set_end(void);

#endif
