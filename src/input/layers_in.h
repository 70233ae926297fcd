/*
 * Reader of the layer lists in DIR/networks/layers/ (see README.md in
 * DIR/networks).
 */
#ifndef INPUT_LAYERS_IN_H
#define INPUT_LAYERS_IN_H

#include "data/layers.h"

struct arena;

/* Limits of a reading. */
enum { LAYERS_MAX_STATEMENTS = 100000, LAYERS_MAX_NETS = 2000 };

/*
 * All files of the folders together; a network or block of a later folder
 * takes the place of one of the same name.  Problems are reported; what could
 * be read is returned, so that one bad file does not hide the others.
 */
struct layer_book *layers_read(struct arena *a, const char *const *dirs,
    int n_dirs, struct diag *d);
/* Add the networks and blocks of one file. */
bool layers_read_file(struct arena *a, const char *path,
    struct layer_book *book, struct diag *d);

#endif
