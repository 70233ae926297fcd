#include "input/vendor_in.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "input/setting_in.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct range any_count = {1, 1e6, true, "from 1 to 1000000"};
static const struct range any_fps = {0, 1000, false,
    "above 0, at most 1000 fps"};
static const struct range any_rate = {0, 1e6, false,
    "above 0, at most 1000000 /s"};
static const struct range any_objects = {0, 1e6, true, "from 0 to 1000000"};
static const struct range any_time = {0, 86400, false, "above 0, at most 24 h"};
static const struct range any_size = {0, 1e15, false,
    "above 0, at most 1000 TB"};
static const struct range any_share = {0, 1, false, "above 0, at most 100 %"};
static const struct range any_depth = {1, 100000, true, "from 1 to 100000"};

/*
 * vendor:, request:
 */

static void
read_name(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"id", "name", "name_en", "task",
	    "task_en"};
	struct yaml_node *m = yaml_map(root, "vendor", f->d);

	field_present(f, root, "vendor");
	if (!m)
		return;
	v->pos = m->pos;
	v->id = field_id(f, m, "id");
	v->name = yaml_need(m, "name", f->d);
	v->name_en = yaml_text(m, "name_en", f->d);
	v->task = yaml_need(m, "task", f->d);
	v->task_en = yaml_text(m, "task_en", f->d);
	FIELD_END(f, m, known);
}

/* An ambiguous name stays open: the report asks. */
static void
read_request_gpu(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	const struct gpu **found = v->request.candidates;
	const int max = N_OF(v->request.candidates);
	const char *name = yaml_text(m, "gpu", f->d);
	int n;

	if (!name)
		return;
	v->request.written = name;
	v->request.pos = yaml_find(m, "gpu")->pos;
	n = field_gpus(f, name, v->request.pos, found, max);
	if (n == 1) {
		v->request.gpu = found[0];
		found[0] = NULL;
		return;
	}
	v->request.n_candidates = n;
	if (n == 0)
		return;
	diag_warning(f->d, v->request.pos, "gpu-ambiguous",
	    "'%s' can be %d cards; the report asks which", name, n);
	field_candidates(f, found, n);
}

static void
read_request(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"gpu", "count", "reason",
	    "reason_en"};
	struct yaml_node *m = yaml_map(root, "request", f->d);

	v->request.pos = v->pos;
	if (!m)
		return;
	v->request.pos = m->pos;
	read_request_gpu(f, m, v);
	v->request.count = field_fact(f, m, "count", UNIT_COUNT, &any_count);
	v->request.reason = yaml_text(m, "reason", f->d);
	v->request.reason_en = yaml_text(m, "reason_en", f->d);
	FIELD_END(f, m, known);
}

/*
 * streams:
 */

static bool
read_codec(const struct form *f, struct yaml_node *m, enum codec *c)
{
	const char *s = yaml_text(m, "codec", f->d);

	if (!s || codec_parse(s, c))
		return true;
	diag_error(f->d, yaml_find(m, "codec")->pos, "needs-codec",
	    "unknown codec '%s'", s);
	diag_note(f->d, "one of H.264, H.265, H.265 10bit, VP9, AV1, none");
	return false;
}

/* A number, or {mean: 1, peak: 5}. */
static void
read_objects(const struct form *f, struct yaml_node *m, struct stream *s)
{
	static const char *const known[] = {"mean", "peak"};
	struct yaml_node *o = yaml_find(m, "objects_per_frame");

	if (!o)
		return;
	if (o->kind != YAML_MAP) {
		s->objects_mean = field_fact(f, m, "objects_per_frame",
		    UNIT_NONE, &any_objects);
		return;
	}
	s->objects_mean = field_fact(f, o, "mean", UNIT_NONE, &any_objects);
	s->objects_peak = field_fact(f, o, "peak", UNIT_NONE, &any_objects);
	FIELD_END(f, o, known);
	if (s->objects_mean.known && s->objects_peak.known &&
	    s->objects_peak.value < s->objects_mean.value)
		diag_error(f->d, yaml_find(o, "peak")->pos, "needs-range",
		    "the peak of objects is below their mean");
}

static void
read_output(const struct form *f, struct yaml_node *m, struct stream *s)
{
	static const char *const known[] = {"codec", "resolution"};
	struct yaml_node *o = yaml_map(m, "output", f->d);

	if (!o)
		return;
	field_present(f, o, "codec");
	read_codec(f, o, &s->out_codec);
	s->out_width = s->width;
	s->out_height = s->height;
	yaml_size(o, "resolution", &s->out_width, &s->out_height, f->d);
	FIELD_END(f, o, known);
}

static void
read_video(const struct form *f, struct yaml_node *m, struct stream *s)
{
	s->kind = STREAM_VIDEO;
	if (!field_number(f, m, "fps", UNIT_PER_S, &any_fps, &s->fps) &&
	    !yaml_find(m, "fps")) {
		diag_error(f->d, m->pos, "yaml-missing",
		    "'fps' is missing here");
		diag_note(f->d, "a camera has 'fps'; pictures, pages and "
				"volumes have 'rate'");
	}
	s->analysed_per_s = s->fps;
	field_number(f, m, "analysed_fps", UNIT_PER_S, &any_fps,
	    &s->analysed_per_s);
	if (s->fps > 0 && s->analysed_per_s > s->fps)
		diag_error(f->d, yaml_find(m, "analysed_fps")->pos,
		    "needs-range", "more frames analysed than delivered");
	s->decoded_elsewhere =
	    field_flag(f, m, "decoded_elsewhere", false, NULL);
}

static void
read_images(const struct form *f, struct yaml_node *m, struct stream *s)
{
	s->kind = STREAM_IMAGES;
	field_number(f, m, "rate", UNIT_PER_S, &any_rate, &s->analysed_per_s);
	s->fps = s->analysed_per_s;
	s->depth = field_int(f, m, "slices", &any_depth, 1);
}

static void
read_stream(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	static const char *const known[] = {"name", "name_en", "count",
	    "resolution", "codec", "fps", "analysed_fps", "rate", "slices",
	    "objects_per_frame", "output", "decoded_elsewhere"};
	struct stream s = {.depth = 1, .count = 1, .pos = m->pos};

	if (!field_is_map(f, m, "a stream"))
		return;
	s.name = yaml_text(m, "name", f->d);
	s.name_en = yaml_text(m, "name_en", f->d);
	s.count = field_int(f, m, "count", &any_count, 1);
	yaml_size(m, "resolution", &s.width, &s.height, f->d);
	read_codec(f, m, &s.codec);
	if (yaml_find(m, "rate"))
		read_images(f, m, &s);
	else
		read_video(f, m, &s);
	read_objects(f, m, &s);
	read_output(f, m, &s);
	FIELD_END(f, m, known);
	*(struct stream *)arena_push(f->a, &v->streams, &v->n_streams,
	    sizeof(s)) = s;
}

static void
read_streams(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = field_list(f, root, "streams");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_stream(f, m, v);
	if (list ? list->n == 0 : !yaml_find(root, "streams"))
		diag_error(f->d, list ? list->pos : root->pos, "yaml-missing",
		    "at least one item of 'streams' is "
		    "needed");
}

/*
 * memory:, deadline:, requires:, measured:, claims:
 */

static void
read_memory(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"stated_min", "stated_recommended",
	    "peak", "bank", "scratch", "source"};
	const struct {
		const char *key;
		struct fact *fact;
	} sizes[] = {{"stated_min", &v->memory.stated_min},
	    {"stated_recommended", &v->memory.stated_recommended},
	    {"peak", &v->memory.peak}, {"bank", &v->memory.bank},
	    {"scratch", &v->memory.scratch}};
	struct yaml_node *m = yaml_map(root, "memory", f->d);

	if (!m)
		return;
	for (int i = 0; i < N_OF(sizes); i++)
		*sizes[i].fact =
		    field_fact(f, m, sizes[i].key, UNIT_BYTE, &any_size);
	v->memory.src = yaml_text(m, "source", f->d);
	FIELD_END(f, m, known);
	if (v->memory.stated_min.known && v->memory.stated_recommended.known &&
	    v->memory.stated_recommended.value < v->memory.stated_min.value)
		diag_error(f->d, yaml_find(m, "stated_recommended")->pos,
		    "needs-range", "less memory recommended than required");
}

/* "300 ms", {p95: 300 ms} or {max: 500 ms}. */
static void
read_deadline(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"p95", "max"};
	struct yaml_node *m = yaml_find(root, "deadline");

	if (!m)
		return;
	if (m->kind != YAML_MAP) {
		v->deadline_s =
		    field_fact(f, root, "deadline", UNIT_SECOND, &any_time);
		return;
	}
	v->deadline_s = field_fact(f, m, yaml_find(m, "p95") ? "p95" : "max",
	    UNIT_SECOND, &any_time);
	v->deadline_max = !yaml_find(m, "p95");
	if (yaml_find(m, "p95") && yaml_find(m, "max"))
		diag_error(f->d, m->pos, "needs-deadline",
		    "a deadline has 'p95' or 'max', not both");
	FIELD_END(f, m, known);
}

static void
read_requires(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"ecc", "vgpu"};
	struct yaml_node *m = yaml_map(root, "requires", f->d);

	if (!m)
		return;
	v->needs_ecc = field_flag(f, m, "ecc", false, NULL);
	v->needs_vgpu = field_flag(f, m, "vgpu", false, NULL);
	FIELD_END(f, m, known);
}

static void
check_stage_name(const struct form *f, struct yaml_node *m,
    const struct vendor *v, const char *name)
{
	const char **names =
	    arena_alloc(f->a, (size_t)v->n_stages + 1, sizeof(*names));
	const char *near;

	for (int i = 0; i < v->n_stages; i++) {
		names[i] = v->stages[i].name;
		if (str_equal(names[i], name))
			return;
	}
	near = str_nearest(name, names, v->n_stages);
	diag_error(f->d, yaml_find(m, "stage")->pos, "needs-stage",
	    "no stage is called '%s'", name);
	if (near)
		diag_note(f->d, "did you mean '%s'?", near);
	else
		diag_note(f->d, "leave 'stage' out for the whole pipeline");
}

static void
read_measurement(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	static const char *const known[] = {"gpu", "stage", "batch",
	    "precision", "runtime", "rate", "latency", "memory", "source"};
	struct measurement r = {.precision = v->runtime.precision,
	    .engine = v->runtime.engine,
	    .pos = m->pos};
	const char *engine;

	if (!field_is_map(f, m, "a measured figure"))
		return;
	field_present(f, m, "gpu");
	r.gpu = field_gpu(f, m, "gpu");
	r.stage = yaml_text(m, "stage", f->d);
	if (r.stage)
		check_stage_name(f, m, v, r.stage);
	r.batch = field_int(f, m, "batch", &field_batches, 0);
	field_precision(f, m, &r.precision);
	engine = yaml_text(m, "runtime", f->d);
	if (engine)
		r.engine = engine_class(engine);
	r.rate = field_fact(f, m, "rate", UNIT_PER_S, &any_rate);
	r.latency = field_fact(f, m, "latency", UNIT_SECOND, &any_time);
	r.memory = field_fact(f, m, "memory", UNIT_BYTE, &any_size);
	r.src = yaml_text(m, "source", f->d);
	if (!yaml_find(m, "rate") && !yaml_find(m, "latency") &&
	    !yaml_find(m, "memory"))
		diag_error(f->d, m->pos, "yaml-missing",
		    "'rate', 'latency' or 'memory' is missing here");
	FIELD_END(f, m, known);
	if (r.gpu)
		*(struct measurement *)arena_push(f->a, &v->measured,
		    &v->n_measured, sizeof(r)) = r;
}

static void
read_measured(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = field_list(f, root, "measured");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_measurement(f, m, v);
}

static void
read_claims(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = field_list(f, root, "claims");

	for (struct yaml_node *n = list ? list->first : NULL; n; n = n->next) {
		if (n->kind != YAML_SCALAR || !n->text[0])
			diag_error(f->d, n->pos, "yaml-kind",
			    "a claim must be a text");
		else
			*(const char **)arena_push(f->a, &v->claims,
			    &v->n_claims, sizeof(n->text)) = n->text;
	}
}

bool
vendor_read(const struct form *f, struct source *src, struct vendor *v)
{
	static const char *const known[] = {"vendor", "request", "streams",
	    "pipeline", "runtime", "memory", "deadline", "load_limit",
	    "requires", "measured", "claims"};
	struct yaml_node *root = yaml_parse(f->a, src, f->d);

	if (!root)
		return false;
	if (!field_is_map(f, root, "a vendor file"))
		return false;
	*v = (struct vendor){.file = src, .pos = root->pos};
	if (!settings_vendor(f, root)) {
		v->left_out = true;
		return true;
	}
	read_name(f, root, v);
	read_request(f, root, v);
	read_streams(f, root, v);
	runtime_read(f, root, v);
	stages_read(f, root, v);
	read_memory(f, root, v);
	read_deadline(f, root, v);
	v->load_limit =
	    field_fact(f, root, "load_limit", UNIT_RATIO, &any_share);
	read_requires(f, root, v);
	read_measured(f, root, v);
	read_claims(f, root, v);
	FIELD_END(f, root, known);
	return true;
}
