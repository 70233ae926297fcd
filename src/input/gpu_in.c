#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/names.h"
#include "input/catalog_parts.h"

static const struct {
	const char *name;
	enum gpu_vendor vendor;
} vendors[] = {
    {"NVIDIA", VENDOR_NVIDIA},
    {"AMD", VENDOR_AMD},
    {"Intel", VENDOR_INTEL},
    {"Huawei", VENDOR_HUAWEI},
};

static void
add_note(struct catalog_reader *r, struct gpu *g, const struct gpu_note *n)
{
	*(struct gpu_note *)arena_push(r->a, &g->notes, &g->n_notes,
	    sizeof(*n)) = *n;
}

static struct shared_note *
find_shared(struct catalog_reader *r, const char *id)
{
	for (int i = 0; i < r->n_shared; i++)
		if (str_equal(r->shared[i].id, id))
			return &r->shared[i];
	return NULL;
}

/* The notes of its file that a card names in notes=. */
static bool
read_named_notes(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *list = xml_attr(el, "notes");
	bool ok = true;

	for (const char *s = list ? list : ""; *s;) {
		size_t len = strcspn(s, " ");
		const char *id = arena_strndup(r->a, s, len);
		struct shared_note *n = find_shared(r, id);

		if (n) {
			n->used = true;
			add_note(r, g, &n->note);
		} else if (len > 0) {
			ok = diag_error(r->d, xml_attr_pos(el, "notes"),
			    "catalog-note", "the file has no note '%s'", id);
		}
		s += len;
		s += strspn(s, " ");
	}
	return ok;
}

static bool
read_notes(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	bool ok = true;

	for (struct xml_el *c = xml_child(el, "note"); c;
	     c = xml_next(c, "note")) {
		struct gpu_note n = {0};
		bool good = catalog_note(r, c, &n);

		good &= xml_end(c, r->d);
		if (good)
			add_note(r, g, &n);
		ok &= good;
	}
	return ok & read_named_notes(r, el, g);
}

static void
keep_name(struct catalog_reader *r, const char *text, bool ambiguous,
    struct pos pos)
{
	struct card_name *n =
	    arena_push(r->a, &r->names, &r->n_names, sizeof(*n));

	/* The card gets this index if it turns out sound. */
	*n = (struct card_name){text, ambiguous, pos, r->item};
}

static bool
read_alias(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *kind = xml_attr(el, "kind");
	const char *text = catalog_trimmed(r, el->text);
	char key[NAME_MAX_KEY];
	bool ambiguous, found;
	bool ok = catalog_flag(r, el, "ambiguous", &ambiguous, &found);

	if (kind && !str_equal(kind, "id"))
		ok = diag_error(r->d, xml_attr_pos(el, "kind"), "catalog-value",
		    "'kind' of an alias can only be id");
	if (!name_fold(text, key))
		ok = diag_error(r->d, xml_pos(el), "catalog-alias",
		    "'%s' cannot be a name", text);
	ok &= xml_end(el, r->d);
	if (!ok)
		return false;
	if (kind) {
		*(const char **)arena_push(r->a, &g->other_ids, &g->n_other_ids,
		    sizeof(char *)) = text;
		return true;
	}
	*(const char **)arena_push(r->a, &g->aliases, &g->n_aliases,
	    sizeof(char *)) = text;
	keep_name(r, text, ambiguous, catalog_here(r, el));
	return true;
}

static bool
read_names(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct xml_el *c = catalog_only(r, el, "name");
	bool ok = true;

	if (c)
		g->name = catalog_trimmed(r, c->text);
	if (!g->name || !g->name[0])
		return diag_error(r->d, xml_pos(el), "xml-missing",
		    "<gpu> needs a <name>");
	if (c) {
		keep_name(r, g->name, false, catalog_here(r, c));
		xml_end(c, r->d);
	}
	for (c = xml_child(el, "alias"); c; c = xml_next(c, "alias"))
		ok &= read_alias(r, c, g);
	return ok;
}

static bool
read_vendor(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	g->vendor_name = xml_need(el, "vendor", r->d);
	g->vendor = VENDOR_OTHER;
	for (int i = 0; i < N_OF(vendors); i++)
		if (str_equal(g->vendor_name, vendors[i].name))
			g->vendor = vendors[i].vendor;
	return g->vendor_name != NULL;
}

static bool
read_segment(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *segment = xml_need(el, "segment", r->d);

	if (!segment || segment_parse(segment, &g->segment))
		return segment != NULL;
	diag_error(r->d, xml_attr_pos(el, "segment"), "catalog-value",
	    "unknown segment '%s'", segment);
	diag_note(r->d, "use one of consumer, workstation, datacenter, "
			"edge, cpu");
	return false;
}

static bool
read_arch(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *arch = xml_attr(el, "arch");

	if (!arch)
		return true;
	g->arch = catalog_arch(r->c, arch);
	if (!g->arch) {
		diag_error(r->d, xml_attr_pos(el, "arch"), "catalog-arch",
		    "unknown architecture '%s'", arch);
		diag_note(r->d, "they stand in architectures.xml");
		return false;
	}
	g->arch_name = g->arch->name;
	g->cc = g->arch->cc;
	return true;
}

/* An overlay repeats of the head only what it changes. */
static bool
read_head(struct catalog_reader *r, struct xml_el *el, bool overlay,
    struct gpu *g)
{
	bool ok = true;

	if (!overlay || xml_attr(el, "vendor"))
		ok &= read_vendor(r, el, g);
	if (!overlay || xml_attr(el, "family"))
		ok &= (g->family = xml_need(el, "family", r->d)) != NULL;
	if (!overlay || xml_attr(el, "segment"))
		ok &= read_segment(r, el, g);
	if (xml_attr(el, "launched"))
		g->launched = catalog_date(r, el, "launched");
	return ok & read_arch(r, el, g);
}

/* The index of a card that an earlier folder gave, or -1. */
static int
find_earlier(const struct catalog_reader *r, const char *id)
{
	for (int i = 0; id && i < r->n_earlier_gpus; i++)
		if (str_equal(r->c->gpus[i].id, id))
			return i;
	return -1;
}

static bool
same_fact(const struct fact *a, const struct fact *b)
{
	return a->known == b->known && a->value == b->value &&
	       a->sure == b->sure && str_equal(a->src, b->src);
}

static void
keep_change(struct catalog_reader *r, const char *figure, struct fact before,
    struct fact after, struct pos pos)
{
	*(struct catalog_change *)arena_push(r->a, &r->c->changes,
	    &r->c->n_changes, sizeof(struct catalog_change)) =
	    (struct catalog_change){r->item, figure, before, after, pos};
}

static void
keep_changes(struct catalog_reader *r, const struct gpu *g, struct pos pos)
{
	int n;
	const struct gpu_figure *f = gpu_figures(&n);

	if (r->item == r->c->n_gpus) {
		keep_change(r, NULL, (struct fact){0}, (struct fact){0}, pos);
		return;
	}
	for (int i = 0; i < n; i++) {
		const struct fact *before =
		    gpu_fact(&r->c->gpus[r->item], &f[i]);

		if (!same_fact(before, gpu_fact(g, &f[i])))
			keep_change(r, f[i].id, *before, *gpu_fact(g, &f[i]),
			    pos);
	}
}

/* Two overlays may push to the same lists: do not share their arrays. */
static void
copy_lists(struct catalog_reader *r, struct gpu *g)
{
	struct gpu old = *g;

	g->notes = NULL;
	g->aliases = g->other_ids = NULL;
	g->waivers = NULL;
	g->n_notes = g->n_aliases = g->n_other_ids = g->n_waivers = 0;
	for (int i = 0; i < old.n_notes; i++)
		add_note(r, g, &old.notes[i]);
	for (int i = 0; i < old.n_aliases; i++)
		*(const char **)arena_push(r->a, &g->aliases, &g->n_aliases,
		    sizeof(char *)) = old.aliases[i];
	for (int i = 0; i < old.n_other_ids; i++)
		*(const char **)arena_push(r->a, &g->other_ids, &g->n_other_ids,
		    sizeof(char *)) = old.other_ids[i];
	for (int i = 0; i < old.n_waivers; i++)
		*(struct waiver *)arena_push(r->a, &g->waivers, &g->n_waivers,
		    sizeof(struct waiver)) = old.waivers[i];
}

static void
read_card(struct catalog_reader *r, struct xml_el *el)
{
	struct gpu g = {.devices = 1};
	struct pos pos = catalog_here(r, el);
	int n_names = r->n_names, n_derivations = r->n_derivations;
	const char *id = catalog_id(r, el);
	int earlier = find_earlier(r, id);
	bool ok = id != NULL;

	r->item = earlier >= 0 ? earlier : r->c->n_gpus;
	if (earlier >= 0) {
		g = r->c->gpus[earlier];
		copy_lists(r, &g);
	}
	g.id = id;
	g.pos = pos;
	ok &= read_head(r, el, earlier >= 0, &g);
	ok &= read_names(r, el, &g);
	ok &= catalog_gpu_parts(r, el, &g);
	ok &= read_notes(r, el, &g);
	ok &= xml_end(el, r->d);
	if (!ok) {
		for (int i = n_names; i < r->n_names; i++)
			r->names[i].gpu = -1;
		for (int i = n_derivations; i < r->n_derivations; i++)
			r->derivations[i].done = true;
		return;
	}
	if (r->n_earlier_gpus > 0)
		keep_changes(r, &g, pos);
	if (earlier >= 0)
		r->c->gpus[earlier] = g;
	else
		*(struct gpu *)arena_push(r->a, &r->c->gpus, &r->c->n_gpus,
		    sizeof(g)) = g;
}

static void
read_shared_notes(struct catalog_reader *r, struct xml_el *root)
{
	r->shared = NULL;
	r->n_shared = 0;
	for (struct xml_el *el = xml_child(root, "note"); el;
	     el = xml_next(el, "note")) {
		struct shared_note s = {.pos = catalog_here(r, el)};
		bool ok;

		s.id = catalog_id(r, el);
		ok = catalog_note(r, el, &s.note) && s.id;
		ok &= xml_end(el, r->d);
		if (ok)
			*(struct shared_note *)arena_push(r->a, &r->shared,
			    &r->n_shared, sizeof(s)) = s;
	}
}

void
catalog_read_gpus(struct catalog_reader *r, const char *path)
{
	struct xml_el *root = catalog_root(r, path, "gpus");

	if (!root)
		return;
	r->kind = PLACE_GPU;
	read_shared_notes(r, root);
	for (struct xml_el *el = xml_child(root, "gpu"); el;
	     el = xml_next(el, "gpu"))
		read_card(r, el);
	for (int i = 0; i < r->n_shared; i++)
		if (!r->shared[i].used)
			diag_error(r->d, r->shared[i].pos, "catalog-note",
			    "no card uses the note '%s'", r->shared[i].id);
	xml_end(root, r->d);
}
