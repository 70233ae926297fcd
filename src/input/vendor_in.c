#include "input/vendor_in.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { MAX_LIST = 1000 }; /* streams, stages, measurements of one vendor */

static const struct range any_count = {1, 1e6, true, "from 1 to 1000000"};
static const struct range any_batch = {1, 4096, true, "from 1 to 4096"};
static const struct range any_fps = {0, 1000, false,
    "above 0, at most 1000 fps"};
static const struct range any_rate = {0, 1e6, false,
    "above 0, at most 1000000 /s"};
static const struct range any_objects = {0, 1e6, true, "from 0 to 1000000"};
static const struct range any_time = {0, 86400, false,
    "above 0, at most 24 h"};
static const struct range any_size = {0, 1e15, false,
    "above 0, at most 1000 TB"};
static const struct range any_flop = {0, 1e18, false,
    "above 0, at most 1000 PFLOP"};
static const struct range any_share = {0, 1, false, "above 0, at most 100 %"};
static const struct range any_side = {1, 100000, true,
    "from 1 to 100000 px"};
static const struct range any_overlap = {0, 100000, true,
    "from 0 to 100000 px"};
static const struct range any_times = {0, 1e6, false,
    "above 0, at most 1000000"};
static const struct range any_total = {0, 1e7, false,
    "above 0, at most 10000000"};

/* Every list of maps: right kind, not empty, not endless. */
static struct yaml_node *
list_of_maps(const struct form *f, struct yaml_node *root, const char *key)
{
	struct yaml_node *list = yaml_list(root, key, f->d);

	if (list && list->n > MAX_LIST) {
		diag_error(f->d, list->pos, "needs-range",
		    "'%s' has %d items; at most %d are read", key, list->n,
		    (int)MAX_LIST);
		return NULL;
	}
	return list;
}

static bool
is_map(const struct form *f, const struct yaml_node *n, const char *what)
{
	if (n->kind == YAML_MAP)
		return true;
	diag_error(f->d, n->pos, "yaml-kind", "%s must be a map", what);
	diag_note(f->d, "write {key: value, ...} or indented 'key: value' "
	    "lines");
	return false;
}

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
	s->decoded_elsewhere = field_flag(f, m, "decoded_elsewhere", false,
	    NULL);
}

static void
read_images(const struct form *f, struct yaml_node *m, struct stream *s)
{
	static const struct range any_depth = {1, 100000, true,
	    "from 1 to 100000"};

	s->kind = STREAM_IMAGES;
	field_number(f, m, "rate", UNIT_PER_S, &any_rate,
	    &s->analysed_per_s);
	s->fps = s->analysed_per_s;
	s->depth = field_int(f, m, "slices", &any_depth, 1);
}

static void
read_stream(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	static const char *const known[] = {"name", "count", "resolution",
	    "codec", "fps", "analysed_fps", "rate", "slices",
	    "objects_per_frame", "output", "decoded_elsewhere"};
	struct stream s = {.depth = 1, .count = 1, .pos = m->pos};

	if (!is_map(f, m, "a stream"))
		return;
	s.name = yaml_text(m, "name", f->d);
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
	struct yaml_node *list = list_of_maps(f, root, "streams");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_stream(f, m, v);
	if (list ? list->n == 0 : !yaml_find(root, "streams"))
		diag_error(f->d, list ? list->pos : root->pos,
		    "yaml-missing", "at least one item of 'streams' is "
		    "needed");
}

/*
 * runtime:
 */

static bool
read_precision(const struct form *f, struct yaml_node *m, enum precision *p)
{
	const char *s = yaml_text(m, "precision", f->d);

	if (!s || precision_parse(s, p))
		return s != NULL;
	diag_error(f->d, yaml_find(m, "precision")->pos, "needs-precision",
	    "unknown precision '%s'", s);
	diag_note(f->d, "one of fp32, tf32, fp16, bf16, fp8, int8, mixed");
	return false;
}

/* "11.4" with at most two digits after the point; -1 if it is not that. */
static int
two_part(const char *s, int scale)
{
	int major = 0, minor = 0, n = 0;

	while (isdigit((unsigned char)*s) && n++ < 3)
		major = major * 10 + (*s++ - '0');
	if (n == 0)
		return -1;
	if (*s == '.') {
		for (s++, n = 0; isdigit((unsigned char)*s) && n < 2; n++)
			minor = minor * 10 + (*s++ - '0');
		if (n == 0)
			return -1;
		if (*s == '.') /* 12.6.3: the patch level does not matter */
			for (s++; isdigit((unsigned char)*s);)
				s++;
	}
	return *s || minor >= scale ? -1 : major * scale + minor;
}

static struct fact
read_cuda(const struct form *f, struct yaml_node *m)
{
	const char *s = yaml_text(m, "cuda", f->d);
	int release = s ? two_part(s, 100) : -1;

	if (release >= 500 && release <= 2000)
		return fact_of(release, SURE_VENDOR,
		    field_source(f, yaml_find(m, "cuda")->pos));
	if (s) {
		diag_error(f->d, yaml_find(m, "cuda")->pos, "needs-version",
		    "'%s' is no CUDA release", s);
		diag_note(f->d, "write the release of the build, as 11.4");
	}
	return (struct fact){.known = false};
}

/* "470.103.01" is of branch 470. */
static struct fact
read_driver(const struct form *f, struct yaml_node *m)
{
	const char *s = yaml_text(m, "driver", f->d);
	int branch = 0, n = 0;

	if (!s)
		return (struct fact){.known = false};
	while (isdigit((unsigned char)s[n]) && n < 5)
		branch = branch * 10 + (s[n++] - '0');
	if (branch >= 300 && branch < 2000 && (s[n] == '.' || !s[n]) &&
	    strspn(s, "0123456789.") == strlen(s))
		return fact_of(branch, SURE_VENDOR,
		    field_source(f, yaml_find(m, "driver")->pos));
	diag_error(f->d, yaml_find(m, "driver")->pos, "needs-version",
	    "'%s' is no driver version", s);
	diag_note(f->d, "write it as nvidia-smi does, 470.103.01, or the "
	    "branch, 470");
	return (struct fact){.known = false};
}

/* "7.5", "sm_75", "75" as 75; 0 if it is none. */
static int
capability(const char *s)
{
	int v = 0, n = 0;

	if (strncmp(s, "sm_", 3) == 0 || strncmp(s, "SM_", 3) == 0)
		s += 3;
	if (strchr(s, '.')) {
		v = two_part(s, 10);
	} else {
		while (isdigit((unsigned char)s[n]) && n < 4)
			v = v * 10 + (s[n++] - '0');
		if (s[n] || n < 2)
			v = 0;
	}
	return v >= 20 && v < 200 ? v : 0;
}

static void
add_capability(struct runtime *r, int cc)
{
	int at = r->n_built_for;

	for (int i = 0; i < r->n_built_for; i++)
		if (r->built_for[i] == cc)
			return;
	while (at > 0 && r->built_for[at - 1] > cc) {
		r->built_for[at] = r->built_for[at - 1];
		at--;
	}
	r->built_for[at] = cc;
	r->n_built_for++;
}

static void
read_built_for(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	struct yaml_node *list = yaml_list(m, "built_for", f->d);

	for (struct yaml_node *n = list ? list->first : NULL; n;
	    n = n->next) {
		int cc = n->kind == YAML_SCALAR ? capability(n->text) : 0;

		if (cc == 0) {
			diag_error(f->d, n->pos, "needs-version",
			    "'%s' is no compute capability",
			    n->kind == YAML_SCALAR ? n->text : "...");
			diag_note(f->d, "write them as [7.5, 8.6]");
		} else if (r->n_built_for < N_OF(r->built_for)) {
			add_capability(r, cc);
		} else {
			diag_error(f->d, n->pos, "needs-range",
			    "more than %d compute capabilities",
			    N_OF(r->built_for));
			return;
		}
	}
}

/* "1 per card", "2 per card", "1 per stream", or a number. */
static void
read_processes(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	const char *s = yaml_text(m, "processes", f->d);
	char *end;
	long n;

	r->layout = PROC_PER_CARD;
	if (!s)
		return;
	end = (char *)s;
	for (n = 0; isdigit((unsigned char)*end) && n < 10000; end++)
		n = n * 10 + (*end - '0');
	while (*end == ' ')
		end++;
	if (n >= 1 && n <= 1000 && (!*end || str_equal(end, "per card"))) {
		r->processes = (int)n;
		return;
	}
	if (n == 1 && (str_equal(end, "per stream") ||
	    str_equal(end, "per camera"))) {
		r->layout = PROC_PER_STREAM;
		return;
	}
	diag_error(f->d, yaml_find(m, "processes")->pos, "needs-processes",
	    "'%s' is no layout of processes", s);
	diag_note(f->d, "write '1 per card', '2 per card' (to 1000) or "
	    "'1 per stream'");
}

static void
read_batch(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	struct yaml_node *n = yaml_find(m, "batch");

	if (!n)
		return;
	r->batch_pos = n->pos;
	if (n->kind == YAML_SCALAR && str_equal(n->text, "auto"))
		return;
	r->batch = field_int(f, m, "batch", &any_batch, 0);
}

static enum ships
read_ships(const struct form *f, struct yaml_node *m)
{
	static const char *const words[] = {"unknown", "engine files", "onnx",
	    "framework", "engine-files"};
	static const enum ships meaning[] = {SHIPS_UNKNOWN,
	    SHIPS_ENGINE_FILES, SHIPS_ONNX, SHIPS_FRAMEWORK,
	    SHIPS_ENGINE_FILES};
	int i = yaml_choice(m, "ships", words, N_OF(words), f->d);

	return i < 0 ? SHIPS_UNKNOWN : meaning[i];
}

static void
read_ecosystem(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	static const char *const words[] = {"cuda", "rocm", "oneapi", "cann",
	    "openvino", "any"};
	int i = yaml_choice(m, "ecosystem", words, N_OF(words), f->d);

	r->ecosystem = i < 0 ? "cuda" : words[i];
}

static void
read_engine(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	r->engine = ENGINE_OTHER;
	r->engine_name = yaml_text(m, "engine", f->d);
	if (!r->engine_name)
		return;
	r->engine = engine_class(r->engine_name);
	if (r->engine != ENGINE_OTHER)
		return;
	diag_warning(f->d, yaml_find(m, "engine")->pos, "needs-engine",
	    "'%s' is no runtime we know; it counts as one without a compiler",
	    r->engine_name);
	diag_note(f->d, "known: tensorrt, deepstream, paddle, onnxruntime, "
	    "openvino, torch.compile, pytorch, tensorflow, monai");
}

static void
read_runtime(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"engine", "version", "precision",
	    "batch", "processes", "ships", "built_for", "ptx", "ecosystem",
	    "cuda", "driver", "driver_fixed"};
	struct runtime *r = &v->runtime;
	struct yaml_node *m = yaml_map(root, "runtime", f->d);
	bool fixed, stated;

	r->engine = ENGINE_OTHER;
	r->precision = PREC_FP32;
	r->ecosystem = "cuda";
	r->pos = m ? m->pos : v->pos;
	if (!m)
		return;
	read_engine(f, m, r);
	r->version = yaml_text(m, "version", f->d);
	if (read_precision(f, m, &r->precision))
		r->precision_pos = yaml_find(m, "precision")->pos;
	read_batch(f, m, r);
	read_processes(f, m, r);
	r->ships = read_ships(f, m);
	read_built_for(f, m, r);
	r->ptx = field_flag(f, m, "ptx", false, &r->ptx_known);
	read_ecosystem(f, m, r);
	r->cuda = read_cuda(f, m);
	r->driver = read_driver(f, m);
	fixed = field_flag(f, m, "driver_fixed", false, &stated);
	if (stated)
		r->driver_fixed = fact_of(fixed, SURE_VENDOR,
		    field_source(f, yaml_find(m, "driver_fixed")->pos));
	FIELD_END(f, m, known);
}

/*
 * pipeline:
 */

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
	static const char *const known[] = {"gmac", "params_m",
	    "activations_m", "class", "at", "scales"};
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
	static const char *const words[] = {"unknown", "not published",
	    "未知", "未公布", "不详"};
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
		s->on_host = s->timed_on &&
		    s->timed_on->segment == SEGMENT_CPU;
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
	static const char *const words[] = {"frame", "object", "tile",
	    "image", "page", "帧", "目标", "图块"};
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
		    "the figures of '%s' hold for %dx%d only", n->id,
		    n->in_w, n->in_h);
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
	diag_note(f->d, "network: a name of the catalogue; or totals: {gmac: "
	    "13.3}; or work: a name, with flop: and bytes:; or takes: 25 ms "
	    "with on: a card");
	return false;
}

static void
read_stage(const struct form *f, struct yaml_node *m, struct vendor *v)
{
	static const char *const known[] = {"name", "network", "totals",
	    "work", "takes", "input", "per", "times", "stream", "tile",
	    "overlap", "flop", "bytes", "on", "batch", "precision", "source"};
	struct stage s = {.pos = m->pos, .batch = v->runtime.batch,
	    .precision = v->runtime.precision, .stream = -1, .times = 1};

	if (!is_map(f, m, "a stage"))
		return;
	s.name = yaml_text(m, "name", f->d);
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
	s.batch = field_int(f, m, "batch", &any_batch, s.batch);
	read_precision(f, m, &s.precision);
	s.src = yaml_text(m, "source", f->d);
	FIELD_END(f, m, known);
	for (int i = 0; i < v->n_stages; i++)
		if (str_equal(v->stages[i].name, s.name)) {
			diag_error(f->d, m->pos, "needs-stage",
			    "a second stage called '%s'", s.name);
			diag_note(f->d, "give each a 'name' of its own");
		}
	*(struct stage *)arena_push(f->a, &v->stages, &v->n_stages,
	    sizeof(s)) = s;
}

/* Tiles need the size of the picture they are cut from. */
static void
check_tiles(const struct form *f, const struct vendor *v)
{
	for (int k = 0; k < v->n_stages; k++) {
		const struct stage *s = &v->stages[k];

		for (int i = 0; s->per == PER_TILE && i < v->n_streams; i++) {
			const struct stream *st = &v->streams[i];

			if ((s->stream < 0 || s->stream == i) &&
			    st->width == 0)
				diag_error(f->d, st->pos, "yaml-missing",
				    "'resolution' is missing here: stage "
				    "'%s' cuts it into tiles", s->name);
		}
	}
}

static void
read_pipeline(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = list_of_maps(f, root, "pipeline");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_stage(f, m, v);
	check_tiles(f, v);
}

/*
 * memory:, deadline:, requires:, measured:, claims:
 */

static void
read_memory(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"stated_min",
	    "stated_recommended", "peak", "bank", "scratch", "source"};
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
		*sizes[i].fact = field_fact(f, m, sizes[i].key, UNIT_BYTE,
		    &any_size);
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
		v->deadline_s = field_fact(f, root, "deadline", UNIT_SECOND,
		    &any_time);
		return;
	}
	v->deadline_s = field_fact(f, m, yaml_find(m, "p95") ? "p95" : "max",
	    UNIT_SECOND, &any_time);
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
	const char **names = arena_alloc(f->a, (size_t)v->n_stages + 1,
	    sizeof(*names));
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
	    .engine = v->runtime.engine, .pos = m->pos};
	const char *engine;

	if (!is_map(f, m, "a measured figure"))
		return;
	field_present(f, m, "gpu");
	r.gpu = field_gpu(f, m, "gpu");
	r.stage = yaml_text(m, "stage", f->d);
	if (r.stage)
		check_stage_name(f, m, v, r.stage);
	r.batch = field_int(f, m, "batch", &any_batch, 0);
	read_precision(f, m, &r.precision);
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
	struct yaml_node *list = list_of_maps(f, root, "measured");

	for (struct yaml_node *m = list ? list->first : NULL; m; m = m->next)
		read_measurement(f, m, v);
}

static void
read_claims(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	struct yaml_node *list = list_of_maps(f, root, "claims");

	for (struct yaml_node *n = list ? list->first : NULL; n;
	    n = n->next) {
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
	if (!is_map(f, root, "a vendor file"))
		return false;
	*v = (struct vendor){.file = src, .pos = root->pos};
	read_name(f, root, v);
	read_request(f, root, v);
	read_streams(f, root, v);
	read_runtime(f, root, v);
	read_pipeline(f, root, v);
	read_memory(f, root, v);
	read_deadline(f, root, v);
	v->load_limit = field_fact(f, root, "load_limit", UNIT_RATIO,
	    &any_share);
	read_requires(f, root, v);
	read_measured(f, root, v);
	read_claims(f, root, v);
	FIELD_END(f, root, known);
	return true;
}
