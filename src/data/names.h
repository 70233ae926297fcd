/*
 * Names as people write them, folded to one key, and sorted tables of keys.
 * Private to gpu.c and network.c.
 */
#ifndef DATA_NAMES_H
#define DATA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { NAME_MAX_KEY = 96 };

struct name_entry {
	const char *key;   /* folded */
	const char *shown; /* as written in the catalogue */
	int item;          /* index of the card or network */
};

struct name_table {
	struct name_entry *entries; /* by key, item, shown */
	int n;
	const char **keys; /* the same keys, for str_nearest */
};

struct catalog_names {
	struct name_table gpu_ids, gpus;
	struct name_table network_ids, networks;
};

/*
 * Lower case, full-width letters made narrow, spaces and - _ . / ( ) and
 * trademark signs dropped.  False when nothing is left, the key would not
 * fit, or the name ends in an ellipsis (it was cut off somewhere).
 */
bool name_fold(const char *name, char key[NAME_MAX_KEY]);

/* The same for a card, without a vendor in front (in gpu.c). */
bool name_fold_gpu(const char *name, char key[NAME_MAX_KEY]);

/* Add an entry; `key` is copied into the arena. */
void name_add(struct arena *a, struct name_table *t, const char *key,
    const char *shown, int item);
/* Sort and drop repetitions; call once, after the last name_add. */
void name_sort(struct arena *a, struct name_table *t);

/* First entry with this key and how many follow with it; NULL if none. */
const struct name_entry *
name_lookup(const struct name_table *t, const char *key, int *n);
/* What a folded name was probably meant to be, or NULL. */
const char *name_near(const struct name_table *t, const char *key);

#endif
