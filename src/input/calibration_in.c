#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/input.h"
#include "input/source_list.h"
#include "parse/xml_in.h"

/* What a constant is given for: its attributes beside the name. */
enum key {
	KEY_NONE,
	KEY_ENGINE,
	KEY_PRECISION,
	KEY_CLASS,
	KEY_TIER,
	KEY_BATCH
};

enum { N_TIERS = 5, N_BATCHES = 3, MAX_CELLS = ENGINE_N * PREC_N };

static const struct {
	const char *attr;
	int n;
} keys[] = {
    [KEY_NONE] = {NULL, 1},
    [KEY_ENGINE] = {"engine", ENGINE_N},
    [KEY_PRECISION] = {"precision", PREC_N},
    [KEY_CLASS] = {"class", NET_N},
    [KEY_TIER] = {"tier", N_TIERS},
    [KEY_BATCH] = {"batch", N_BATCHES},
};

/* Rows of doubles in struct calibration and the values they may take. */
struct slot {
	const char *name;
	size_t at;
	enum key row, col;
	enum unit unit;
	double min, max;
};

#define AT(field) offsetof(struct calibration, field)
#define BY(key, name, field, unit, min, max)                                   \
	{                                                                      \
		name, AT(field), key, KEY_NONE, unit, min, max                 \
	}
#define ONE(name, field, unit, min, max)                                       \
	BY(KEY_NONE, name, field, unit, min, max)
static const struct slot slots[] = {
    {"efficiency", AT(efficiency), KEY_ENGINE, KEY_PRECISION, UNIT_RATIO, 0.001,
	10},
    BY(KEY_ENGINE, "traffic", traffic, UNIT_RATIO, 0.1, 100),
    BY(KEY_ENGINE, "launch", launch_s, UNIT_SECOND, 0, 0.01),
    BY(KEY_ENGINE, "host", host_s, UNIT_SECOND, 0, 1),
    BY(KEY_PRECISION, "depth-half", depth_half, UNIT_NONE, 0, 1e5),
    BY(KEY_ENGINE, "acc16-weight", acc16_weight, UNIT_RATIO, 0, 1),
    ONE("clock-exponent", clock_exponent, UNIT_NONE, 0, 2),
    ONE("clock-exponent-shader", clock_exponent_shader, UNIT_NONE, 0, 2),
    ONE("clock-unknown", clock_unknown, UNIT_RATIO, 0.1, 1),
    ONE("boost", boost_hz, UNIT_HERTZ, 1e8, 1e10),
    ONE("consumer-clock", consumer_clock, UNIT_RATIO, 0.5, 2),
    ONE("fill-half", fill_half, UNIT_NONE, 0, 1e7),
    ONE("bandwidth-share", bandwidth_share, UNIT_RATIO, 0.1, 1),
    ONE("carry-floor", carry_floor, UNIT_RATIO, 0, 20),
    ONE("carry-band", carry_band, UNIT_RATIO, 1, 10),
    ONE("batch-carry", batch_carry, UNIT_RATIO, 0, 1),
    ONE("batch-carry-band", batch_carry_band, UNIT_RATIO, 1, 10),
    ONE("l2-half", l2_half, UNIT_RATIO, 0.01, 10),
    ONE("l2-rate", l2_rate, UNIT_RATIO, 1, 20),
    ONE("join", join, UNIT_NONE, 1, 16),
    ONE("launch-join", launch_join, UNIT_NONE, 1, 16),
    ONE("kernels", kernels, UNIT_NONE, 1, 1e5),
    ONE("kernels-macs", kernels_macs, UNIT_NONE, -1, 1),
    ONE("kernels-activations", kernels_activations, UNIT_NONE, -1, 1),
    ONE("kernels-params", kernels_params, UNIT_NONE, -1, 1),
    ONE("activations-macs", activations_macs, UNIT_NONE, -2, 2),
    ONE("activations-params", activations_params, UNIT_NONE, -2, 2),
    BY(KEY_CLASS, "class-activations", class_activations, UNIT_RATIO, 0.01,
	100),
    BY(KEY_CLASS, "class-efficiency", class_efficiency, UNIT_RATIO, 0.01, 100),
    BY(KEY_CLASS, "class-traffic", class_traffic, UNIT_RATIO, 0.01, 100),
    BY(KEY_CLASS, "class-kernels", class_kernels, UNIT_RATIO, 0.01, 100),
    ONE("int8-gain", int8_gain, UNIT_RATIO, 0.5, 10),
    ONE("work-efficiency", work_efficiency, UNIT_RATIO, 0.01, 1),
    {"band", AT(band), KEY_TIER, KEY_BATCH, UNIT_RATIO, 1, 10},
    ONE("load-hard", load_hard, UNIT_RATIO, 0.1, 1),
    ONE("load-default", load_default, UNIT_RATIO, 0.1, 1),
    ONE("load-offline", load_offline, UNIT_RATIO, 0.1, 1),
    BY(KEY_ENGINE, "context", context_bytes, UNIT_BYTE, 0, 1e11),
    ONE("reserve", reserve_bytes, UNIT_BYTE, 0, 1e11),
    ONE("reserve-share", reserve_share, UNIT_RATIO, 0, 2),
    ONE("activation-share", activation_share, UNIT_RATIO, 0.01, 2),
    ONE("memory-band", memory_band, UNIT_RATIO, 1, 10),
    ONE("surfaces", surfaces, UNIT_NONE, 1, 1000),
    ONE("usable-share-ecc", usable_share_ecc, UNIT_RATIO, 0.5, 1),
    ONE("link-share", link_share, UNIT_RATIO, 0.1, 1),
};
#undef ONE
#undef BY
#undef AT
enum { N_SLOTS = sizeof(slots) / sizeof(slots[0]) };

struct reading {
	struct arena *a;
	struct calibration *c;
	struct diag *d;
	bool seen[N_SLOTS][MAX_CELLS];
};

static const char *
key_name(enum key k, int i)
{
	static const char *const batches[] = {"1", "2-7", "8"};

	switch (k) {
	case KEY_ENGINE: return engine_id((enum engine)i);
	case KEY_PRECISION: return precision_id((enum precision)i);
	case KEY_CLASS: return net_class_id((enum net_class)i);
	case KEY_TIER: return tier_id((enum tier)i);
	case KEY_BATCH: return batches[i];
	default: return "";
	}
}

/* Index of the attribute's value among the names of the key, or -1. */
static int
read_key(struct reading *r, struct xml_el *el, enum key k, const char **name)
{
	const char *attr = keys[k].attr, *s;

	*name = NULL;
	if (k == KEY_NONE)
		return 0;
	s = xml_need(el, attr, r->d);
	if (!s)
		return -1;
	for (int i = 0; i < keys[k].n; i++) {
		if (str_equal(s, key_name(k, i))) {
			*name = key_name(k, i);
			return i;
		}
	}
	diag_error(r->d, xml_attr_pos(el, attr), "calibration-key",
	    "unknown %s '%s'", attr, s);
	return -1;
}

static int
find_slot(struct reading *r, struct xml_el *el)
{
	const char *name = xml_need(el, "name", r->d), *near;
	const char *names[N_SLOTS];

	if (!name)
		return -1;
	for (int i = 0; i < N_SLOTS; i++) {
		if (str_equal(name, slots[i].name))
			return i;
		names[i] = slots[i].name;
	}
	diag_error(r->d, xml_attr_pos(el, "name"), "calibration-name",
	    "unknown constant '%s'", name);
	near = str_nearest(name, names, N_SLOTS);
	if (near)
		diag_note(r->d, "did you mean '%s'?", near);
	return -1;
}

static bool
in_range(struct reading *r, struct xml_el *el, const struct slot *s,
    double value)
{
	if (value >= s->min && value <= s->max)
		return true;
	return diag_error(r->d, xml_attr_pos(el, "value"), "calibration-range",
	    "'%s' must be between %g and %g", s->name, s->min, s->max);
}

static void
read_constant(struct reading *r, struct xml_el *el)
{
	struct constant k = {.name = NULL};
	int at = find_slot(r, el), row, col, cell;
	double value;

	if (at < 0)
		return;
	k.name = slots[at].name;
	row = read_key(r, el, slots[at].row, &k.key[0]);
	col = read_key(r, el, slots[at].col, &k.key[1]);
	k.value.known = true;
	k.value.sure = source_list_sure(el, r->d);
	k.value.src = source_list_src(el, r->c->sources, r->c->n_sources, r->d);
	k.note = xml_need(el, "note", r->d);
	if (!xml_number(r->a, el, "value", slots[at].unit, &value, NULL,
		r->d) ||
	    !in_range(r, el, &slots[at], value))
		return;
	xml_end(el, r->d);
	if (row < 0 || col < 0)
		return;
	cell = row * keys[slots[at].col].n + col;
	if (r->seen[at][cell]) {
		diag_error(r->d, xml_pos(el), "calibration-twice",
		    "'%s' is given twice", slots[at].name);
		return;
	}
	r->seen[at][cell] = true;
	memcpy((char *)r->c + slots[at].at + (size_t)cell * sizeof(double),
	    &value, sizeof(value));
	k.value.value = value;
	*(struct constant *)arena_push(r->a, &r->c->constants,
	    &r->c->n_constants, sizeof(k)) = k;
}

/* Every cell of every constant must have been given. */
static void
check_complete(struct reading *r, struct xml_el *root)
{
	for (int i = 0; i < N_SLOTS; i++) {
		int cols = keys[slots[i].col].n;
		int cells = keys[slots[i].row].n * cols;

		for (int j = 0; j < cells; j++) {
			if (r->seen[i][j])
				continue;
			diag_error(r->d, xml_pos(root), "calibration-missing",
			    "'%s' is missing%s%s%s%s", slots[i].name,
			    slots[i].row ? " for " : "",
			    key_name(slots[i].row, j / cols),
			    slots[i].col ? ", " : "",
			    key_name(slots[i].col, j % cols));
		}
	}
}

/* A better tier must not have the wider band. */
static void
check_bands(struct reading *r, struct xml_el *root)
{
	for (int i = 1; i < N_TIERS; i++)
		for (int j = 0; j < N_BATCHES; j++)
			if (r->c->band[i][j] < r->c->band[i - 1][j])
				diag_error(r->d, xml_pos(root),
				    "calibration-band",
				    "band of '%s' is narrower than that of "
				    "'%s' at batch %s",
				    tier_id((enum tier)i),
				    tier_id((enum tier)(i - 1)),
				    key_name(KEY_BATCH, j));
}

struct calibration *
calibration_read(struct arena *a, const char *dir, struct diag *d)
{
	const char *path = fs_join(a, dir, "calibration/speed.xml");
	struct pos nowhere = {NULL, 0, 0};
	struct source *src = fs_read(a, path, XML_MAX_BYTES, nowhere, d);
	struct xml_el *root = src ? xml_parse(a, src, false, d) : NULL;
	struct reading *r;
	int errors = d->n_errors;

	if (!root)
		return NULL;
	if (!str_equal(root->name, "calibration")) {
		diag_error(d, xml_pos(root), "calibration-root",
		    "'%s' where 'calibration' is expected", root->name);
		return NULL;
	}
	r = arena_alloc(a, 1, sizeof(*r));
	r->a = a;
	r->c = arena_alloc(a, 1, sizeof(*r->c));
	r->d = d;
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		source_list_add(r->a, el, &r->c->sources, &r->c->n_sources,
		    r->d);
	for (struct xml_el *el = xml_child(root, "constant"); el;
	     el = xml_next(el, "constant"))
		read_constant(r, el);
	xml_end(root, d);
	if (d->n_errors == errors)
		check_complete(r, root);
	if (d->n_errors == errors)
		check_bands(r, root);
	return d->n_errors == errors ? r->c : NULL;
}
