/*
 * The JSON Schemas for editors against the readers: the same keys, the same
 * words, and every file that the readers accept here passes the schema.
 *
 * The readers' tables are reached through what they tell the user: a key or
 * a word that nobody knows is answered with the list of those that are known.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/input.h"
#include "parse/yaml_in.h"

/* Far from every word that is known. */
#define ODD "qqqqqqqqqqqqqqqqqqqqqqqq"
#define ANY "vendor: {id: V, name: n, task: t}\n"
#define CAM "streams: [{fps: 1 fps}]\n"
#define TOP "project: {id: p, name: n}\nvendors: [v.yaml]\n"

enum kind { PROJECT, VENDOR };

static const char *const files[] = {"catalog/schema/project.schema.json",
    "catalog/schema/vendor.schema.json"};

static struct arena *shared;
static struct catalog *catalog;
static char folder[] = "/tmp/whygpu-schema-XXXXXX";

static int
setup(void **state)
{
	struct diag d;

	(void)state;
	shared = arena_new();
	diag_init(&d, shared);
	catalog = catalog_read(shared, "catalog", &d);
	return catalog && mkdtemp(folder) ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	unlink(fs_join(shared, folder, "p.yaml"));
	unlink(fs_join(shared, folder, "v.yaml"));
	rmdir(folder);
	arena_free(shared);
	return 0;
}

/*
 * The readers on a text
 */

static void
write_text(const char *name, const char *text)
{
	FILE *f = fopen(fs_join(shared, folder, name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Problems of a project or a vendor's file with this text. */
static struct diag
read_as(struct arena *a, enum kind kind, const char *text)
{
	struct diag d;

	diag_init(&d, a);
	write_text("p.yaml", kind == PROJECT ? text : TOP);
	write_text("v.yaml", kind == VENDOR ? text : ANY CAM);
	project_read(a, fs_join(a, folder, "p.yaml"), catalog, &d);
	return d;
}

/* The words after `lead` in the note of the problem `id`. */
static const char *
known_words(const struct diag *d, const char *id, const char *lead)
{
	for (int i = 0; i < d->n; i++) {
		const char *note = d->problems[i].note;
		const char *at = note ? strstr(note, lead) : NULL;

		if (str_equal(d->problems[i].id, id) && at)
			return at + strlen(lead);
	}
	return NULL;
}

/*
 * The schema as a tree; JSON is YAML
 */

static struct yaml_node *
parse(struct arena *a, const char *path)
{
	struct diag d;
	struct source *src;
	struct yaml_node *root;

	diag_init(&d, a);
	src = fs_read(a, path, YAML_MAX_BYTES, (struct pos){0}, &d);
	root = src ? yaml_parse(a, src, &d) : NULL;
	if (!root || d.n)
		fail_msg("%s: %s", path, d.n ? d.problems[0].text : "no root");
	return root;
}

/* A child without the mark of yaml_find. */
static struct yaml_node *
peek(const struct yaml_node *map, const char *key)
{
	for (struct yaml_node *c = map ? map->first : NULL; c; c = c->next)
		if (c->key && strcmp(c->key, key) == 0)
			return c;
	return NULL;
}

static const struct yaml_node *
resolve(const struct yaml_node *root, const struct yaml_node *s)
{
	static const char lead[] = "#/definitions/";
	const struct yaml_node *ref;

	while (s && (ref = peek(s, "$ref")) != NULL) {
		assert_true(str_starts(ref->text, lead));
		s = peek(peek(root, "definitions"), ref->text + strlen(lead));
		assert_non_null(s);
	}
	return s;
}

/* What stands for one step of a path, "[]" for the items of a list. */
static const struct yaml_node *
step(const struct yaml_node *root, const struct yaml_node *s, const char *key)
{
	const struct yaml_node *found = str_equal(key, "[]")
					    ? peek(s, "items")
					    : peek(peek(s, "properties"), key);
	const struct yaml_node *any = peek(s, "anyOf");

	for (any = any ? any->first : NULL; any && !found; any = any->next)
		found = step(root, resolve(root, any), key);
	return resolve(root, found);
}

static const struct yaml_node *
at(struct arena *a, const struct yaml_node *root, const char *path)
{
	char *rest = arena_strdup(a, path);
	const struct yaml_node *s = root;

	for (char *key; *path && (key = strsep(&rest, ".")) != NULL;) {
		s = step(root, s, key);
		if (!s)
			fail_msg("the schema has no '%s' of '%s'", key, path);
	}
	return s;
}

/*
 * A validator for the part of draft-07 that our schemas use
 */

struct check {
	const struct yaml_node *root;
	const char *why; /* of the last failure */
	const struct yaml_node *where;
};

static bool
wrong(struct check *c, const struct yaml_node *v, const char *why)
{
	c->why = why;
	c->where = v;
	return false;
}

static bool
matches(const char *text, const char *pattern)
{
	regex_t re;
	bool ok;

	assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
	ok = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return ok;
}

static bool
is_number(const struct yaml_node *v)
{
	return v->kind == YAML_SCALAR && !v->quoted &&
	       matches(v->text, "^[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?$");
}

static bool
is_flag(const struct yaml_node *v)
{
	return v->kind == YAML_SCALAR && !v->quoted &&
	       (str_equal(v->text, "true") || str_equal(v->text, "false"));
}

/* YAML 1.2's core schema, as editors have it. */
static const char *
type_of(const struct yaml_node *v)
{
	return v->kind == YAML_MAP    ? "object"
	       : v->kind == YAML_LIST ? "array"
	       : is_number(v) ? strpbrk(v->text, ".eE") ? "number" : "integer"
	       : is_flag(v)   ? "boolean"
			      : "string";
}

static bool
is_type(const struct yaml_node *v, const char *want)
{
	const char *type = type_of(v);

	return str_equal(type, want) ||
	       (str_equal(want, "number") && str_equal(type, "integer"));
}

static bool
any_type(const struct yaml_node *v, const struct yaml_node *types)
{
	if (types->kind == YAML_SCALAR)
		return is_type(v, types->text);
	for (const struct yaml_node *t = types->first; t; t = t->next)
		if (is_type(v, t->text))
			return true;
	return false;
}

static bool
in_enum(const struct yaml_node *v, const struct yaml_node *words)
{
	for (const struct yaml_node *w = words->first; w; w = w->next)
		if (v->kind == YAML_SCALAR && str_equal(v->text, w->text) &&
		    str_equal(type_of(v), type_of(w)))
			return true;
	return false;
}

static bool
valid(struct check *c, const struct yaml_node *s, struct yaml_node *v);

static int
count_valid(struct check *c, const struct yaml_node *list, struct yaml_node *v)
{
	int n = 0;

	for (const struct yaml_node *s = list->first; s; s = s->next)
		n += valid(c, s, v);
	return n;
}

static bool
valid_map(struct check *c, const struct yaml_node *s, struct yaml_node *v)
{
	const struct yaml_node *need = peek(s, "required");
	struct yaml_node *known = peek(s, "properties");
	const struct yaml_node *other = peek(s, "additionalProperties");

	for (need = need ? need->first : NULL; need; need = need->next)
		if (!peek(v, need->text))
			return wrong(c, v, need->text);
	for (struct yaml_node *x = v->first; x; x = x->next) {
		/* marks the property as used */
		const struct yaml_node *p = yaml_find(known, x->key);

		if (!p && other && other->kind == YAML_SCALAR)
			return wrong(c, x, "additionalProperties");
		if (!p)
			p = other;
		if (p && !valid(c, p, x))
			return false;
	}
	return true;
}

static bool
valid_list(struct check *c, const struct yaml_node *s, struct yaml_node *v)
{
	const struct yaml_node *least = peek(s, "minItems");
	const struct yaml_node *most = peek(s, "maxItems");
	const struct yaml_node *items = peek(s, "items");

	if (least && v->n < strtol(least->text, NULL, 10))
		return wrong(c, v, "minItems");
	if (most && v->n > strtol(most->text, NULL, 10))
		return wrong(c, v, "maxItems");
	for (struct yaml_node *x = v->first; x && items; x = x->next)
		if (!valid(c, items, x))
			return false;
	return true;
}

static bool
valid_number(struct check *c, const struct yaml_node *s,
    const struct yaml_node *v)
{
	static const struct {
		const char *key;
		int sign;
		bool equal;
	} bounds[] = {{"minimum", 1, true}, {"exclusiveMinimum", 1, false},
	    {"maximum", -1, true}, {"exclusiveMaximum", -1, false}};
	double x = strtod(v->text, NULL);

	for (int i = 0; i < 4; i++) {
		const struct yaml_node *b = peek(s, bounds[i].key);
		double over =
		    b ? bounds[i].sign * (x - strtod(b->text, NULL)) : 1;

		if (over < 0 || (over == 0 && !bounds[i].equal))
			return wrong(c, v, bounds[i].key);
	}
	return true;
}

static bool
valid(struct check *c, const struct yaml_node *s, struct yaml_node *v)
{
	const struct yaml_node *k;

	s = resolve(c->root, s);
	if ((k = peek(s, "type")) && !any_type(v, k))
		return wrong(c, v, "type");
	if ((k = peek(s, "enum")) && !in_enum(v, k))
		return wrong(c, v, "enum");
	if ((k = peek(s, "pattern")) && is_type(v, "string") &&
	    !matches(v->text, k->text))
		return wrong(c, v, "pattern");
	if (is_number(v) && !valid_number(c, s, v))
		return false;
	if ((k = peek(s, "anyOf")) && count_valid(c, k, v) == 0)
		return wrong(c, v, "anyOf");
	if ((k = peek(s, "oneOf")) && count_valid(c, k, v) != 1)
		return wrong(c, v, "oneOf");
	if (v->kind == YAML_MAP)
		return valid_map(c, s, v);
	return v->kind != YAML_LIST || valid_list(c, s, v);
}

static void
check_valid(const struct yaml_node *root, struct yaml_node *v, const char *name)
{
	struct check c = {.root = root};

	if (!valid(&c, root, v))
		fail_msg("%s:%d: '%s': %s", name, c.where->pos.line,
		    c.where->key ? c.where->key : "", c.why);
}

static struct yaml_node *
parse_text(struct arena *a, const char *text)
{
	struct source *src = arena_alloc(a, 1, sizeof(*src));
	struct yaml_node *root;
	struct diag d;

	diag_init(&d, a);
	*src = (struct source){"text", arena_strdup(a, text), strlen(text)};
	root = yaml_parse(a, src, &d);
	assert_non_null(root);
	return root;
}

/*
 * Keys
 */

static const struct {
	enum kind kind;
	const char *path; /* of a map in the schema */
	const char *text; /* with an odd key in it */
} maps[] = {
    {PROJECT, "", TOP ODD ": 1\n"},
    {PROJECT, "project", "project: {" ODD ": 1}\n"},
    {PROJECT, "site", TOP "site: {" ODD ": 1}\n"},
    {PROJECT, "site.servers", TOP "site: {servers: {" ODD ": 1}}\n"},
    {PROJECT, "policy", TOP "policy: {" ODD ": 1}\n"},
    {PROJECT, "what_if.[]", TOP "what_if: [{" ODD ": 1}]\n"},
    {VENDOR, "", ANY CAM ODD ": 1\n"},
    {VENDOR, "vendor", CAM "vendor: {" ODD ": 1}\n"},
    {VENDOR, "request", ANY CAM "request: {" ODD ": 1}\n"},
    {VENDOR, "streams.[]", ANY "streams: [{fps: 1 fps, " ODD ": 1}]\n"},
    {VENDOR, "streams.[].objects_per_frame",
	ANY "streams: [{objects_per_frame: {" ODD ": 1}}]\n"},
    {VENDOR, "streams.[].output",
	ANY "streams: [{output: {codec: none, " ODD ": 1}}]\n"},
    {VENDOR, "pipeline.[]",
	ANY CAM "pipeline: [{network: yolov8s, " ODD ": 1}]\n"},
    {VENDOR, "pipeline.[].totals",
	ANY CAM "pipeline: [{totals: {gmac: 1, " ODD ": 1}}]\n"},
    {VENDOR, "runtime", ANY CAM "runtime: {" ODD ": 1}\n"},
    {VENDOR, "memory", ANY CAM "memory: {" ODD ": 1}\n"},
    {VENDOR, "deadline", ANY CAM "deadline: {" ODD ": 1}\n"},
    {VENDOR, "requires", ANY CAM "requires: {" ODD ": 1}\n"},
    {VENDOR, "measured.[]", ANY CAM "measured: [{" ODD ": 1}]\n"},
};

enum { N_MAPS = sizeof(maps) / sizeof(maps[0]) };

/* The map itself, or the one among alternatives. */
static const struct yaml_node *
properties(const struct yaml_node *root, const struct yaml_node *s)
{
	const struct yaml_node *found = peek(s, "properties");
	const struct yaml_node *any = peek(s, "anyOf");

	for (any = any ? any->first : NULL; any && !found; any = any->next)
		found = peek(resolve(root, any), "properties");
	return found;
}

/* `list` is "a, b, c"; `words` are the keys or the texts of a node. */
static void
check_same(struct arena *a, const char *list, const struct yaml_node *words,
    const char *path)
{
	char *rest = arena_strdup(a, list);
	int n = 0;

	for (char *word; (word = strsep(&rest, ",")) != NULL; n++) {
		const struct yaml_node *w = words->first;

		word += *word == ' ';
		while (w && !str_equal(w->key ? w->key : w->text, word))
			w = w->next;
		if (!w)
			fail_msg("the schema's '%s' lacks '%s'", path, word);
	}
	/* no word twice on either side, so as many are the same */
	if (n != words->n)
		fail_msg("the reader of '%s' knows %d words: %s; the schema "
			 "has %d",
		    path, n, list, words->n);
}

static void
readers_and_schemas_know_the_same_keys(void **state)
{
	(void)state;
	for (int i = 0; i < N_MAPS; i++) {
		struct arena *a = arena_new();
		const struct yaml_node *root = parse(a, files[maps[i].kind]);
		struct diag d = read_as(a, maps[i].kind, maps[i].text);
		const char *known =
		    known_words(&d, "yaml-unknown", "known keys: ");

		if (!known)
			fail_msg("'%s': no list of known keys", maps[i].path);
		check_same(a, known,
		    properties(root, at(a, root, maps[i].path)), maps[i].path);
		arena_free(a);
	}
}

/* Maps with properties anywhere in a schema, without what it refers to. */
static int
count_maps(const struct yaml_node *s)
{
	int n = s->kind == YAML_MAP && peek(s, "properties") &&
		peek(s, "additionalProperties");

	for (const struct yaml_node *c = s->first; c; c = c->next)
		n += count_maps(c);
	return n;
}

static void
every_map_of_the_schemas_is_held_against_a_reader(void **state)
{
	struct arena *a = arena_new();
	int n = 0;

	(void)state;
	for (int k = 0; k < 2; k++)
		n += count_maps(parse(a, files[k]));
	assert_int_equal(n, N_MAPS);
	arena_free(a);
}

/*
 * Words
 */

static const struct {
	enum kind kind;
	const char *path, *text, *id;
} choices[] = {
    {PROJECT, "project.languages.[]",
	"project: {id: p, name: n, languages: [" ODD "]}\n", "yaml-choice"},
    {PROJECT, "site.servers.cooling",
	TOP "site: {servers: {cooling: " ODD "}}\n", "yaml-choice"},
    {PROJECT, "policy.share", TOP "policy: {share: " ODD "}\n", "yaml-choice"},
    {PROJECT, "policy.in_production", TOP "policy: {in_production: " ODD "}\n",
	"yaml-choice"},
    {PROJECT, "policy.inventory", TOP "policy: {inventory: " ODD "}\n",
	"yaml-choice"},
    {PROJECT, "policy.domestic", TOP "policy: {domestic: " ODD "}\n",
	"yaml-choice"},
    {VENDOR, "streams.[].decoded_elsewhere",
	ANY "streams: [{fps: 1 fps, decoded_elsewhere: " ODD "}]\n",
	"yaml-choice"},
    {VENDOR, "pipeline.[].per",
	ANY CAM "pipeline: [{network: yolov8s, per: " ODD "}]\n",
	"yaml-choice"},
    {VENDOR, "pipeline.[].totals.class",
	ANY CAM "pipeline: [{totals: {gmac: 1, class: " ODD "}}]\n",
	"yaml-choice"},
    {VENDOR, "pipeline.[].totals.scales",
	ANY CAM "pipeline: [{totals: {gmac: 1, scales: " ODD "}}]\n",
	"yaml-choice"},
    {VENDOR, "runtime.ships", ANY CAM "runtime: {ships: " ODD "}\n",
	"yaml-choice"},
    {VENDOR, "runtime.ecosystem", ANY CAM "runtime: {ecosystem: " ODD "}\n",
	"yaml-choice"},
    {VENDOR, "runtime.ptx", ANY CAM "runtime: {ptx: " ODD "}\n", "yaml-choice"},
    {VENDOR, "runtime.driver_fixed",
	ANY CAM "runtime: {driver_fixed: " ODD "}\n", "yaml-choice"},
    {VENDOR, "requires.ecc", ANY CAM "requires: {ecc: " ODD "}\n",
	"yaml-choice"},
    {VENDOR, "requires.vgpu", ANY CAM "requires: {vgpu: " ODD "}\n",
	"yaml-choice"},
};

static void
readers_and_schemas_know_the_same_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		struct arena *a = arena_new();
		const struct yaml_node *root = parse(a, files[choices[i].kind]);
		const struct yaml_node *words =
		    peek(at(a, root, choices[i].path), "enum");
		struct diag d = read_as(a, choices[i].kind, choices[i].text);
		const char *known = known_words(&d, choices[i].id, "one of ");

		if (!known || !words)
			fail_msg("'%s': no list of words", choices[i].path);
		check_same(a, known, words, choices[i].path);
		arena_free(a);
	}
}

static void
precisions_of_the_schema_are_read(void **state)
{
	struct arena *a = arena_new();
	const struct yaml_node *words =
	    peek(at(a, parse(a, files[VENDOR]), "runtime.precision"), "enum");
	bool seen[PREC_N] = {false};
	enum precision p;

	(void)state;
	for (const struct yaml_node *w = words->first; w; w = w->next) {
		assert_true(precision_parse(w->text, &p));
		seen[p] |= str_equal(w->text, precision_id(p));
	}
	for (int i = 0; i < PREC_N; i++)
		assert_true(seen[i]);
	arena_free(a);
}

static void
codecs_of_the_schema_are_read(void **state)
{
	struct arena *a = arena_new();
	const struct yaml_node *words =
	    peek(at(a, parse(a, files[VENDOR]), "streams.[].codec"), "enum");
	bool seen[CODEC_N] = {false};
	enum codec c;

	(void)state;
	for (const struct yaml_node *w = words->first; w; w = w->next) {
		assert_true(codec_parse(w->text, &c));
		seen[c] = true;
	}
	for (int i = 0; i < CODEC_N; i++)
		assert_true(seen[i]);
	arena_free(a);
}

static void
unknown_times_of_the_schema_are_read(void **state)
{
	struct arena *a = arena_new();
	const struct yaml_node *any =
	    peek(at(a, parse(a, files[VENDOR]), "pipeline.[].takes"), "anyOf");
	int n = 0;

	(void)state;
	for (any = any->first; any; any = any->next) {
		const struct yaml_node *words = peek(any, "enum");

		for (words = words ? words->first : NULL; words;
		     words = words->next, n++)
			assert_int_equal(
			    read_as(a, VENDOR,
				arena_printf(a,
				    ANY CAM
				    "pipeline: [{name: x, takes: %s}]\n",
				    words->text))
				.n_errors,
			    0);
	}
	assert_true(n > 1);
	arena_free(a);
}

/*
 * Whole files
 */

static const char full_project[] =
    "project:\n"
    "  {id: p, name: n, name_en: n, client: c, client_en: c, author: a,\n"
    "   author_en: a, date: 2026-11-30, languages: [en], edition: 2}\n"
    "site:\n"
    "  inventory: []\n"
    "  servers: {slots: 4, slot_power: 300 W, cooling: passive,\n"
    "            cpu: Xeon Gold 6330, sockets: 2, count: 6,\n"
    "            power: 1.4 kW}\n"
    "  power: 8 kW\n"
    "  deliver_to: CN\n"
    "  prices: {Tesla T4: 8500 CNY, L40S: 6.2 万元}\n"
    "policy: {share: allowed, in_production: any, domestic: any,\n"
    "         spare_per_pool: 1, inventory: use}\n"
    "what_if:\n"
    "  - {name: w, name_en: w, set: {vendors.V.load_limit: 60 %,\n"
    "     vendors.*.streams.0.count: x2}, unset: [vendors.V.claims]}\n"
    "vendors: [v.yaml]\n";

static const char full_vendor[] =
    "vendor: {id: V, name: n, name_en: n, task: t, task_en: t}\n"
    "request: {gpu: Tesla T4, count: 2, reason: r, reason_en: r}\n"
    "streams:\n"
    "  - {name: a, name_en: a, count: \"1,600\", resolution: 1080p,\n"
    "     codec: H.264, fps: 25 fps, analysed_fps: 5 fps,\n"
    "     objects_per_frame: {mean: 1, peak: 5},\n"
    "     output: {codec: H.265, resolution: 640x480},\n"
    "     decoded_elsewhere: no}\n"
    "  - {name: b, rate: 30 /h, slices: 397, resolution: 512×512,\n"
    "     objects_per_frame: 2}\n"
    "pipeline:\n"
    "  - {name: x, name_en: x, network: yolov8s, input: 640, per: frame,\n"
    "     times: 2, stream: a, batch: 4, precision: int8, source: s}\n"
    "  - {name: y, totals: {gmac: 13.3, params_m: 3.9, activations_m: 20,\n"
    "     class: yolo, at: 640x640, scales: yes}, per: tile, tile: 640,\n"
    "     overlap: 64, stream: a}\n"
    "  - {name: z, work: search, per: object, flop: 0.5 GFLOP,\n"
    "     bytes: 2 GB, on: gpu}\n"
    "  - {name: w, takes: 25 ms, on: Tesla T4}\n"
    "runtime: {engine: tensorrt, engine_en: TensorRT, version: 8.2,\n"
    "          precision: fp16, batch: auto, processes: 2 per card,\n"
    "          ships: engine files, built_for: [7.5, sm_86], ptx: false,\n"
    "          ecosystem: cuda, cuda: 11.4, driver: 470.103.01,\n"
    "          driver_fixed: yes}\n"
    "memory: {stated_min: 6 GB, stated_recommended: 8 GiB, peak: 5 GB,\n"
    "         bank: 1 GB, scratch: 500 MB, source: s}\n"
    "deadline: {p95: 300 ms}\n"
    "load_limit: 70 %\n"
    "requires: {ecc: yes, vgpu: 否}\n"
    "measured:\n"
    "  - {gpu: Tesla T4, stage: x, batch: 8, precision: fp16,\n"
    "     runtime: tensorrt, rate: 410 /s, latency: 20 ms, memory: 1 GiB,\n"
    "     source: s}\n"
    "claims: [real time]\n";

/* Properties nobody looked up. */
static void
check_used(const struct yaml_node *s, const char *except)
{
	const struct yaml_node *p = peek(s, "properties");

	for (p = p ? p->first : NULL; p; p = p->next)
		if (!p->asked && !str_equal(p->key, except))
			fail_msg("'%s' is in no whole file", p->key);
	for (const struct yaml_node *c = s->first; c; c = c->next)
		if (c->kind != YAML_SCALAR)
			check_used(c, except);
}

static void
whole_files_use_every_key_and_are_read(void **state)
{
	const char *const texts[] = {full_project, full_vendor};

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct arena *a = arena_new();
		struct yaml_node *root = parse(a, files[k]);
		struct diag d = read_as(a, (enum kind)k, texts[k]);

		if (d.n)
			fail_msg("%d: %s", d.problems[0].pos.line,
			    d.problems[0].text);
		check_valid(root, parse_text(a, texts[k]), "whole file");
		check_used(root, "max"); /* p95 or max, not both */
		arena_free(a);
	}
}

static void
files_in_the_tree_pass(void **state)
{
	static const struct {
		enum kind kind;
		const char *dir;
	} places[] = {{PROJECT, "catalog/examples"},
	    {VENDOR, "catalog/examples/vendors"},
	    {PROJECT, "templates/starter"},
	    {VENDOR, "templates/starter/vendors"}, {PROJECT, "tests/golden"}};
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 5; i++) {
		int n;
		char **names = fs_list(a, places[i].dir, ".yaml", &n);

		assert_true(n > 0);
		for (int j = 0; j < n; j++) {
			const char *path = fs_join(a, places[i].dir, names[j]);

			check_valid(parse(a, files[places[i].kind]),
			    parse(a, path), path);
		}
	}
	arena_free(a);
}

/* What is wrong is refused by both. */
static void
wrong_files_are_refused_by_both(void **state)
{
	static const struct {
		enum kind kind;
		const char *text;
	} cases[] = {
	    {PROJECT, "project: {id: p, name: n}\n"},
	    {PROJECT, "project: {id: -p, name: n}\nvendors: [v.yaml]\n"},
	    {PROJECT, "project: {id: p}\nvendors: [v.yaml]\n"},
	    {PROJECT, "project: {id: p, name: n}\nvendors: []\n"},
	    {PROJECT, "project: {id: p, name: n, date: 2026-13-01}\n"
		      "vendors: [v.yaml]\n"},
	    {PROJECT, TOP "site: {servers: {slots: 0}}\n"},
	    {PROJECT, TOP "site: {servers: {slot_power: 300}}\n"},
	    {PROJECT, TOP "site: {servers: {count: 0}}\n"},
	    {PROJECT, TOP "site: {servers: {power: 1400}}\n"},
	    {PROJECT, TOP "site: {power: 8}\n"},
	    {PROJECT, TOP "site: {deliver_to: cn}\n"},
	    {PROJECT, TOP "site: {prices: {Tesla T4: 8500}}\n"},
	    {PROJECT, TOP "what_if: [{name: w}]\n"},
	    {PROJECT, TOP "what_if: [{set: {policy.share: allowed}}]\n"},
	    {PROJECT, TOP "policy: {spare_per_pool: 1.5}\n"},
	    {VENDOR, CAM},
	    {VENDOR, ANY},
	    {VENDOR, ANY "streams: []\n"},
	    {VENDOR, ANY "streams: [{count: 4}]\n"},
	    {VENDOR, ANY "streams: [{fps: 25}]\n"},
	    {VENDOR, ANY "streams: [{fps: 25 Hz}]\n"},
	    {VENDOR, ANY "streams: [{fps: 1 fps, count: 0}]\n"},
	    {VENDOR, ANY "streams: [{fps: 1 fps, resolution: 12k}]\n"},
	    {VENDOR, ANY "streams: [{fps: 1 fps, codec: mpeg9}]\n"},
	    {VENDOR, ANY CAM "pipeline: [{name: x}]\n"},
	    {VENDOR, ANY CAM "pipeline: [{network: yolov8s, work: x}]\n"},
	    {VENDOR, ANY CAM "pipeline: [{totals: {params_m: 1}}]\n"},
	    {VENDOR, ANY CAM "pipeline: [{work: x, flop: 5}]\n"},
	    {VENDOR, ANY CAM "memory: {peak: 5}\n"},
	    {VENDOR, ANY CAM "memory: {peak: 5 gb}\n"},
	    {VENDOR, ANY CAM "deadline: 300\n"},
	    {VENDOR, ANY CAM "load_limit: 1.2\n"},
	    {VENDOR, ANY CAM "runtime: {batch: 4097}\n"},
	    {VENDOR, ANY CAM "runtime: {processes: 2 per stream}\n"},
	    {VENDOR, ANY CAM "runtime: {cuda: 4.2}\n"},
	    {VENDOR, ANY CAM "runtime: {driver: 99}\n"},
	    {VENDOR, ANY CAM "runtime: {precision: fp12}\n"},
	    {VENDOR, ANY CAM "measured: [{gpu: Tesla T4}]\n"},
	    {VENDOR, ANY CAM "measured: [{rate: 4 /s}]\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *a = arena_new();
		struct yaml_node *root = parse(a, files[cases[i].kind]);
		struct check c = {.root = root};

		if (valid(&c, root, parse_text(a, cases[i].text)))
			fail_msg("the schema accepts: %s", cases[i].text);
		if (read_as(a, cases[i].kind, cases[i].text).n_errors == 0)
			fail_msg("the reader accepts: %s", cases[i].text);
		arena_free(a);
	}
}

/* Only words that `valid` understands: none is promised and not held. */
static void
check_words(const struct yaml_node *s)
{
	static const char *const words[] = {"$schema", "$ref", "title",
	    "description", "type", "required", "additionalProperties",
	    "properties", "definitions", "items", "minItems", "maxItems",
	    "anyOf", "oneOf", "enum", "pattern", "minimum", "maximum",
	    "exclusiveMinimum", "exclusiveMaximum"};

	for (const struct yaml_node *c = s->first; c; c = c->next) {
		bool known = !c->key;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			known |= str_equal(c->key, words[i]);
		if (!known)
			fail_msg("'%s' is not understood here", c->key);
		if (!str_equal(c->key, "properties") &&
		    !str_equal(c->key, "definitions"))
			check_words(c);
		else
			for (const struct yaml_node *p = c->first; p;
			     p = p->next)
				check_words(p);
	}
}

/* A property explains itself, or what it refers to does. */
static void
check_described(const struct yaml_node *root, const struct yaml_node *s)
{
	const struct yaml_node *p = peek(s, "properties");

	for (p = p ? p->first : NULL; p; p = p->next)
		if (!peek(p, "description") &&
		    !peek(resolve(root, p), "description"))
			fail_msg("'%s' has no description", p->key);
	for (const struct yaml_node *c = s->first; c; c = c->next)
		if (c->kind != YAML_SCALAR)
			check_described(root, c);
}

static void
schemas_are_understood_and_explained(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (int k = 0; k < 2; k++) {
		const struct yaml_node *root = parse(a, files[k]);

		check_words(root);
		check_described(root, root);
	}
	arena_free(a);
}

/* Every key stands in the reference, in backquotes: `key` or `map.key`. */
static void
check_written(struct arena *a, const struct yaml_node *s, const char *text)
{
	const struct yaml_node *p = peek(s, "properties");

	for (p = p ? p->first : NULL; p; p = p->next)
		if (!strstr(text, arena_printf(a, "`%s`", p->key)) &&
		    !strstr(text, arena_printf(a, ".%s`", p->key)))
			fail_msg("the reference lacks `%s`", p->key);
	for (const struct yaml_node *c = s->first; c; c = c->next)
		if (c->kind != YAML_SCALAR)
			check_written(a, c, text);
}

static void
the_reference_has_every_key(void **state)
{
	struct arena *a = arena_new();
	struct source *src;
	struct diag d;

	(void)state;
	diag_init(&d, a);
	src = fs_read(a, "catalog/examples/README.md", 1 << 20, (struct pos){0},
	    &d);
	assert_non_null(src);
	for (int k = 0; k < 2; k++)
		check_written(a, parse(a, files[k]), src->text);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(readers_and_schemas_know_the_same_keys),
	    cmocka_unit_test(every_map_of_the_schemas_is_held_against_a_reader),
	    cmocka_unit_test(readers_and_schemas_know_the_same_words),
	    cmocka_unit_test(precisions_of_the_schema_are_read),
	    cmocka_unit_test(codecs_of_the_schema_are_read),
	    cmocka_unit_test(unknown_times_of_the_schema_are_read),
	    cmocka_unit_test(whole_files_use_every_key_and_are_read),
	    cmocka_unit_test(files_in_the_tree_pass),
	    cmocka_unit_test(wrong_files_are_refused_by_both),
	    cmocka_unit_test(schemas_are_understood_and_explained),
	    cmocka_unit_test(the_reference_has_every_key),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
