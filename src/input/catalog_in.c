#include <assert.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "data/names.h"
#include "input/catalog_parts.h"
#include "input/input.h"

static void
report_twice(struct catalog_reader *r, struct pos pos, struct pos first,
    const char *what, const char *id)
{
	diag_error(r->d, pos, "catalog-duplicate", "%s '%s' is used twice",
	    what, id);
	if (first.src)
		diag_note(r->d, "first in %s, line %d", first.src->path,
		    first.line);
}

/* Two cards, or two networks, must not share an id or a network's name. */
static void
check_duplicates(struct catalog_reader *r)
{
	const struct catalog *c = r->c;
	const struct name_table *t = &c->names->gpu_ids;

	for (int i = 1; i < t->n; i++)
		if (str_equal(t->keys[i], t->keys[i - 1]))
			report_twice(r, c->gpus[t->entries[i].item].pos,
			    c->gpus[t->entries[i - 1].item].pos, "the id",
			    t->keys[i]);
	t = &c->names->networks;
	for (int i = 1; i < t->n; i++)
		if (str_equal(t->keys[i], t->keys[i - 1]))
			report_twice(r, c->networks[t->entries[i].item].pos,
			    c->networks[t->entries[i - 1].item].pos,
			    "the network name", t->entries[i].shown);
}

/*
 * A name that several cards answer to must say so on each of them, and one
 * marked so must have company: else it finds the wrong card without a word.
 */
static void
check_name(struct catalog_reader *r, const struct card_name *name)
{
	char key[NAME_MAX_KEY];
	const struct name_entry *e;
	int n;

	if (name->gpu < 0 || !name_fold_gpu(name->text, key))
		return;
	e = name_lookup(&r->c->names->gpus, key, &n);
	if (!e) /* an overlay gave the card another name */
		return;
	if (n == 1 && name->ambiguous) {
		diag_error(r->d, name->pos, "catalog-alias",
		    "only this card is called '%s'", name->text);
		diag_note(r->d, "drop ambiguous=\"yes\"");
	}
	if (n > 1 && !name->ambiguous) {
		diag_error(r->d, name->pos, "catalog-alias",
		    "'%s' is also '%s'", name->text,
		    r->c->gpus[e[e->item == name->gpu].item].id);
		diag_note(r->d, "mark the alias ambiguous=\"yes\" on "
				"every card it can mean");
	}
}

static void
read_folder(struct catalog_reader *r, const char *dir, const char *name,
    void (*read)(struct catalog_reader *, const char *))
{
	const char *folder = fs_join(r->a, dir, name);
	int n = 0;
	char **files = fs_list(r->a, folder, ".xml", &n);

	for (int i = 0; i < n; i++)
		read(r, fs_join(r->a, folder, files[i]));
}

/* A file that an overlay may do without. */
static void
read_file(struct catalog_reader *r, const char *dir, const char *name,
    bool needed, void (*read)(struct catalog_reader *, const char *))
{
	const char *path = fs_join(r->a, dir, name);

	if (needed || fs_exists(path))
		read(r, path);
}

static void
read_dir(struct catalog_reader *r, const char *dir, bool first)
{
	r->n_earlier_gpus = r->c->n_gpus;
	read_file(r, dir, "sources.xml", first, catalog_read_sources);
	read_file(r, dir, "architectures.xml", first, catalog_read_archs);
	/* Without sources every figure would be reported once more. */
	if (r->c->n_sources == 0)
		return;
	read_folder(r, dir, "gpus", catalog_read_gpus);
	read_folder(r, dir, "networks", catalog_read_networks);
}

/* The architecture array may have moved while overlays added to it. */
static void
settle_archs(struct catalog *c)
{
	for (int i = 0; i < c->n_gpus; i++)
		for (int k = 0; c->gpus[i].arch && k < c->n_archs; k++)
			if (str_equal(c->gpus[i].arch->id, c->archs[k].id))
				c->gpus[i].arch = &c->archs[k];
}

struct catalog *
catalog_read_all(struct arena *a, const char *const *dirs, int n,
    struct diag *d)
{
	struct catalog *c = arena_alloc(a, 1, sizeof(*c));
	struct catalog_reader r = {.a = a, .d = d, .c = c};

	assert(n > 0);
	for (int i = 0; i < n; i++)
		read_dir(&r, dirs[i], i == 0);
	if (c->n_sources == 0)
		return NULL;
	if (c->n_gpus == 0) {
		diag_error(d, (struct pos){0}, "catalog-empty",
		    "no card in '%s'", fs_join(a, dirs[0], "gpus"));
		return NULL;
	}
	settle_archs(c);
	catalog_derive(&r);
	catalog_index(a, c);
	check_duplicates(&r);
	for (int i = 0; i < r.n_names; i++)
		check_name(&r, &r.names[i]);
	return c;
}

struct catalog *
catalog_read(struct arena *a, const char *dir, struct diag *d)
{
	return catalog_read_all(a, &dir, 1, d);
}
