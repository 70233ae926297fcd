/* pipeline: the stages, each with one of four ways to say what it costs. */
#include "input/vendor_in.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct range any_time = {0, 86400, false, "above 0, at most 24 h"};
static const struct range any_size = {0, 1e15, false,
    "above 0, at most 1000 TB"};
static const struct range any_flop = {0, 1e18, false,
    "above 0, at most 1000 PFLOP"};
static const struct range any_side = {1, 100000, true, "from 1 to 100000 px"};
static const struct range any_overlap = {0, 100000, true,
    "from 0 to 100000 px"};
static const struct range any_times = {0, 1e6, false,
    "above 0, at most 1000000"};
static const struct range any_total = {0, 1e7, false,
    "above 0, at most 10000000"};

static void
read_network(const struct form *f, struct yaml_node *m, struct stage *s)
{
	const char *name = yaml_text(m, "network", f->d), *near;

	s->kind = STAGE_NETWORK;
	if (!name)
		return;
	if (!s->name)
		s->name = name;
	s->network = network_find(f->c, name);
	if (s->network) {
		s->in_w = s->network->in_w;
		s->in_h = s->network->in_h;
		return;
	}
	near = network_near(f->c, name);
	diag_error(f->d, yaml_find(m, "network")->pos, "network-unknown",
	    "no network '%s' in the catalogue", name);
	if (near)
		diag_note(f->d, "did you mean '%s'?", near);
	diag_note(f->d, "a network of your own: totals: {gmac: ..., "
			"params_m: ...} instead of 'network'");
}

static struct fact
scaled(const struct form *f, struct yaml_node *m, const char *key, double by)
{
	struct fact v = field_fact(f, m, key, UNIT_NONE, &any_total);

	v.value *= by;
	return v;
}

static void
read_totals(const struct form *f, struct yaml_node *m, struct stage *s)
{
	static const char *const known[] = {"gmac", "params_m", "activations_m",
	    "class", "at", "scales"};
	static const char *const classes[NET_N] = {"dense", "vgg", "grouped",
	    "mobile", "vit", "yolo"};
	struct yaml_node *t = yaml_map(m, "totals", f->d);
	struct network *n = &s->totals;
	int cls;

	s->kind = STAGE_NETWORK;
	if (!t)
		return;
	field_present(f, t, "gmac");
	n->macs = scaled(f, t, "gmac", 1e9);
	n->params = scaled(f, t, "params_m", 1e6);
	n->activations = scaled(f, t, "activations_m", 1e6);
	cls = yaml_choice(t, "class", classes, NET_N, f->d);
	n->cls = cls < 0 ? NET_DENSE : (enum net_class)cls;
	n->scales = field_flag(f, t, "scales", true, NULL);
	n->in_c = 3;
	n->divisor = 1;
	n->pos = t->pos;
	yaml_size(t, "at", &n->in_w, &n->in_h, f->d);
	s->in_w = n->in_w;
	s->in_h = n->in_h;
	FIELD_END(f, t, known);
}

static void
read_work(const struct form *f, struct yaml_node *m, struct stage *s)
{
	const char *name = yaml_text(m, "work", f->d);

	s->kind = STAGE_WORK;
	if (!s->name)
		s->name = name;
	s->flop = field_fact(f, m, "flop", UNIT_FLOP, &any_flop);
	s->bytes = field_fact(f, m, "bytes", UNIT_BYTE, &any_size);
	if (!yaml_find(m, "flop") && !yaml_find(m, "bytes")) {
		diag_error(f->d, m->pos, "yaml-missing",
		    "'flop' or 'bytes' is missing here");
		diag_note(f->d, "the operations and bytes of one run: "
				"flop: 10 GFLOP, bytes: 2 GB");
	}
}

/* "takes: unknown" is a stage whose time nobody published: a question. */
static bool
is_unknown(struct yaml_node *m, const char *key)
{
	static const char *const words[] = {"unknown", "not published", "未知",
	    "未公布", "不详"};
	const struct yaml_node *n = yaml_find(m, key);

	for (int i = 0; i < N_OF(words); i++)
		if (n->kind == YAML_SCALAR && str_equal(n->text, words[i]))
			return true;
	return false;
}

static void
read_takes(const struct form *f, struct yaml_node *m, struct stage *s)
{
	s->kind = STAGE_TIMED;
	if (!s->name)
		diag_error(f->d, m->pos, "yaml-missing",
		    "'name' is missing here");
	if (is_unknown(m, "takes"))
		return;
	s->seconds = field_fact(f, m, "takes", UNIT_SECOND, &any_time);
	if (!yaml_find(m, "on")) {
		diag_error(f->d, m->pos, "yaml-missing",
		    "'on' is missing here");
		diag_note(f->d, "the card the time was taken on, "
				"on: Tesla T4, or on: host");
	}
}

/* gpu, host, or the card of a stated time. */
static void
read_on(const struct form *f, struct yaml_node *m, struct stage *s)
{
	const char *on = yaml_text(m, "on", f->d);

	if (!on)
		return;
	if (str_equal(on, "host") || str_equal(on, "cpu")) {
		s->on_host = true;
	} else if (s->kind == STAGE_TIMED) {
		s->timed_on = field_gpu(f, m, "on");
		s->on_host = s->timed_on && s->timed_on->segment == SEGMENT_CPU;
	} else if (!str_equal(on, "gpu")) {
		diag_error(f->d, yaml_find(m, "on")->pos, "yaml-choice",
		    "'%s' is no value for 'on'", on);
		diag_note(f->d, "gpu or host; a stage with 'takes' names "
				"the card");
	}
}

static void
read_per(const struct form *f, struct yaml_node *m, struct stage *s)
{
	static const char *const words[] = {"frame", "object", "tile", "image",
	    "page", "帧", "目标", "图块"};
	static const enum stage_per meaning[] = {PER_FRAME, PER_OBJECT,
	    PER_TILE, PER_FRAME, PER_FRAME, PER_FRAME, PER_OBJECT, PER_TILE};
	int i = yaml_choice(m, "per", words, N_OF(words), f->d);

	s->per = i < 0 ? PER_FRAME : meaning[i];
	s->times = 1;
	field_number(f, m, "times", UNIT_NONE, &any_times, &s->times);
	s->tile = field_int(f, m, "tile", &any_side, 0);
	s->overlap = field_int(f, m, "overlap", &any_overlap, 0);
	if (s->per == PER_TILE && !yaml_find(m, "tile"))
		diag_error(f->d, m->pos, "yaml-missing",
		    "'tile' is missing here: the side of a tile in pixels");
	if (s->tile > 0 && s->overlap >= s->tile) {
		diag_error(f->d, yaml_find(m, "overlap")->pos, "needs-range",
		    "the overlap is not smaller than the tile");
		s->tile = s->overlap = 0;
	}
}

static void
read_stage_stream(const struct form *f, struct yaml_node *m,
    const struct vendor *v, struct stage *s)
{
	const char *name = yaml_text(m, "stream", f->d);

	s->stream = -1;
	if (!name)
		return;
	for (int i = 0; i < v->n_streams; i++)
		if (str_equal(v->streams[i].name, name))
			s->stream = i;
	if (s->stream >= 0)
		return;
	diag_error(f->d, yaml_find(m, "stream")->pos, "needs-stream",
	    "no stream is called '%s'", name);
	for (int i = 0; i < v->n_streams; i++)
		if (v->streams[i].name)
			diag_note(f->d, "there is '%s'", v->streams[i].name);
}

/* The input against what the network can take. */
static void
check_input(const struct form *f, struct yaml_node *m, struct stage *s)
{
	const struct network *n = s->network;
	struct yaml_node *in = yaml_find(m, "input");

	if (!in || !n || s->in_w <= 0 || s->in_h <= 0)
		return;
	if (n->divisor > 1 && (s->in_w % n->divisor || s->in_h % n->divisor)) {
		diag_warning(f->d, in->pos, "needs-input",
		    "%dx%d is no multiple of %d, as '%s' needs", s->in_w,
		    s->in_h, n->divisor, n->id);
		diag_note(f->d, "the input will be padded; write the padded "
				"size");
	}
	if (!n->scales && (s->in_w != n->in_w || s->in_h != n->in_h)) {
		diag_warning(f->d, in->pos, "needs-input",
		    "the figures of '%s' hold for %dx%d only", n->id, n->in_w,
		    n->in_h);
		diag_note(f->d, "they are used as they are");
	}
}

/* Which of the four ways to say what a stage costs. */
static bool
read_cost(const struct form *f, struct yaml_node *m, struct stage *s)
{
	static const struct {
		const char *key;
		void (*read)(const struct form *f, struct yaml_node *m,
		    struct stage *s);
	} ways[] = {{"network", read_network}, {"totals", read_totals},
	    {"work", read_work}, {"takes", read_takes}};
	const char *before = NULL;

	for (int i = 0; i < N_OF(ways); i++) {
		struct yaml_node *n = yaml_find(m, ways[i].key);

		if (!n)
			continue;
		if (before) {
			diag_error(f->d, n->key_pos, "needs-stage",
			    "a stage has '%s' or '%s', not both", before,
			    ways[i].key);
			continue;
		}
		before = ways[i].key;
		ways[i].read(f, m, s);
	}
	if (before)
		return true;
	diag_error(f->d, m->pos, "needs-stage",
	    "nothing says what this stage costs");
	diag_note(f->d,
	    "network: a name of the catalogue; or totals: {gmac: "
	    "13.3}; or work: a name, with flop: and bytes:; or takes: 25 ms "
	    "with on: a card");
	return false;
}

static void
read_stage(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	static const char *const known[] = {"name", "name_en", "network",
	    "totals", "work", "takes", "input", "per", "times", "stream",
	    "tile", "overlap", "flop", "bytes", "on", "batch", "precision",
	    "source"};
	struct stage s = {.pos = m->pos,
	    .batch = v->runtime.batch,
	    .precision = v->runtime.precision,
	    .stream = -1,
	    .times = 1};

	if (!field_is_map(f, m, "a stage"))
		return;
	s.name = yaml_text(m, "name", f->d);
	s.name_en = yaml_text(m, "name_en", f->d);
	if (!read_cost(f, m, &s))
		return;
	if (!s.name)
		s.name = arena_printf(f->a, "stage %d", v->n_stages + 1);
	s.totals.id = s.totals.name = s.name;
	yaml_size(m, "input", &s.in_w, &s.in_h, f->d);
	check_input(f, m, &s);
	read_per(f, m, &s);
	read_stage_stream(f, m, v, &s);
	read_on(f, m, &s);
	s.batch = field_int(f, m, "batch", &field_batches, s.batch);
	field_precision(f, m, &s.precision);
	s.src = yaml_text(m, "source", f->d);
	FIELD_END(f, m, known);
	for (int i = 0; i < v->n_stages; i++)
		if (str_equal(v->stages[i].name, s.name)) {
			diag_error(f->d, m->pos, "needs-stage",
			    "a second stage called '%s'", s.name);
			diag_note(f->d, "give each a 'name' of its own");
		}
	*(struct stage *)arena_push(f->a, &v->stages, &v->n_stages, sizeof(s)) =
	    s;
}

/* Tiles need the size of the picture they are cut from. */
static void
check_tiles(const struct form *f, const struct vendor *v)
{
	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];

		for (int i = 0; s->per == PER_TILE && i < v->n_streams; i++) {
			const struct stream *st = &v->streams[i];

			if ((s->stream < 0 || s->stream == i) && st->width == 0)
				diag_error(f->d, st->pos, "yaml-missing",
				    "'resolution' is missing here: stage "
				    "'%s' cuts it into tiles",
				    s->name);
		}
	}
}

void
stages_read(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = field_list(f, root, "pipeline");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_stage(f, m, v);
	check_tiles(f, v);
}
