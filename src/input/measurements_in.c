#include "input/measurements_in.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum column {
	COL_SOURCE,
	COL_GPU,
	COL_N_GPUS,
	COL_TASK,
	COL_NETWORK,
	COL_INPUT,
	COL_BATCH,
	COL_PRECISION,
	COL_RUNTIME,
	COL_RATE,
	COL_END_TO_END,
	N_COLUMNS
};

static const char *const column_names[N_COLUMNS] = {
    [COL_SOURCE] = "source_id",
    [COL_GPU] = "gpu_id",
    [COL_N_GPUS] = "n_gpus",
    [COL_TASK] = "task",
    [COL_NETWORK] = "network",
    [COL_INPUT] = "input",
    [COL_BATCH] = "batch",
    [COL_PRECISION] = "precision",
    [COL_RUNTIME] = "runtime",
    [COL_RATE] = "throughput_img_s",
    [COL_END_TO_END] = "end_to_end",
};

struct reading {
	struct arena *a;
	const struct catalog *c;
	const struct layer_book *book;
	const struct csv *table, *networks, *cards;
	int at[N_COLUMNS], note, latency; /* -1: no such column */
	struct diag *d;
};

/*
 * Cards
 */

enum { MIG_SLICES = 7, MIG_MEMORY = 8 };

static void
scale(struct fact *f, double by)
{
	f->value *= by;
	f->sure = SURE_DERIVED;
}

/*
 * A slice of `parts` sevenths as a card of its own.  Its power is not
 * limited: the rest of the chip idles.
 */
static const struct gpu *
mig_slice(struct arena *a, const struct gpu *whole, int parts)
{
	struct gpu *g = arena_alloc(a, 1, sizeof(*g));
	double sm = whole->sm.value, each, share;

	*g = *whole;
	g->id = arena_printf(a, "%s-mig-%dg", whole->id, parts);
	/* GPCs of one slice: 14 of 108 on an A100, 16 of 132 on an H100 */
	each = sm >= 128 ? 16 : 14;
	share = sm > 0 ? parts * each / sm : (double)parts / MIG_SLICES;
	scale(&g->sm, share);
	scale(&g->cores, share);
	scale(&g->tensor_cores, share);
	for (int p = 0; p < PEAK_N; p++)
		scale(&g->peak[p], share);
	scale(&g->bandwidth, (double)parts / MIG_MEMORY);
	scale(&g->memory_bytes, (double)parts / MIG_MEMORY);
	scale(&g->l2_bytes, (double)parts / MIG_MEMORY);
	g->power_w.known = false;
	return g;
}

static const struct gpu *
card_called(const struct catalog *c, const char *name)
{
	const struct gpu *found[2];
	const struct gpu *g = catalog_gpu(c, name);

	return g ? g : catalog_find(c, name, found, 2) == 1 ? found[0] : NULL;
}

/* The value beside `name` in a table of two columns, or NULL. */
static const char *
renamed(const struct csv *t, const char *name)
{
	for (int i = 0; t && i < t->n_rows; i++)
		if (str_equal(t->rows[i].cells[0], name))
			return t->rows[i].cells[1];
	return NULL;
}

const struct gpu *
measured_card(struct arena *a, const struct catalog *c, const struct csv *names,
    const char *gpu_id, int *devices)
{
	const char *mig = strstr(gpu_id, "-mig-"), *other;
	const struct gpu *g;
	int n, parts;
	char g_letter;

	*devices = 1;
	if (mig && sscanf(mig, "-mig-%2dx%1d%c", &n, &parts, &g_letter) == 3 &&
	    g_letter == 'g' && n >= 1 && n * parts <= MIG_SLICES && parts > 0) {
		g = measured_card(a, c, names,
		    arena_strndup(a, gpu_id, (size_t)(mig - gpu_id)), devices);
		*devices = n;
		return g ? mig_slice(a, g, parts) : NULL;
	}
	other = renamed(names, gpu_id);
	return card_called(c, other ? other : gpu_id);
}

/*
 * Words
 */

static const struct {
	const char *word;
	enum precision precision;
} precisions[] = {
    {"fp32", PREC_FP32},
    {"tf32", PREC_TF32},
    {"fp16", PREC_FP16},
    {"amp-fp16", PREC_FP16},
    {"bf16", PREC_BF16},
    {"amp-bf16", PREC_BF16},
    {"fp8", PREC_FP8},
    {"int8", PREC_INT8},
};

/*
 * Tables of PaddlePaddle measure with Paddle Inference, also where they name
 * TensorRT or nothing: their times are those of another runtime.
 */
static bool
is_paddle(const char *source)
{
	return str_starts(source, "paddleclas") ||
	       str_starts(source, "paddledetection") ||
	       str_starts(source, "paddlex");
}

/*
 * XLA of the published tables joined little: their times are those of
 * frameworks that run op by op.
 */
static void
read_runtime(struct sample *s)
{
	static const char *const op_by_op[] = {"mxnet", "darknet",
	    "paddle-eager", "tensorflow-xla"};

	s->engine = engine_class(s->runtime_name);
	if (str_starts(s->runtime_name, "ncnn"))
		s->engine = ENGINE_COMPILED;
	for (int i = 0; i < N_OF(op_by_op); i++)
		if (str_equal(s->runtime_name, op_by_op[i]))
			s->engine = ENGINE_EAGER;
	if (is_paddle(s->source))
		s->engine = ENGINE_PADDLE;
	s->channels_last = strstr(s->runtime_name, "nhwc") != NULL;
	s->harness = str_starts(s->source, "mlperf") ? HARNESS_TUNED
		     : str_equal(s->source, "pytorch-gpu-bench")
			 ? HARNESS_COPY
			 : HARNESS_PLAIN;
}

static bool
read_precision(struct sample *s)
{
	for (int i = 0; i < N_OF(precisions); i++) {
		if (!str_equal(s->precision_name, precisions[i].word))
			continue;
		s->precision = precisions[i].precision;
		return true;
	}
	return false;
}

/*
 * Networks
 */

/* The name without what tells of training only: "(distill)", "[1]". */
static const char *
plain_name(struct arena *a, const char *name)
{
	size_t n = strcspn(name, "([");

	if (!name[n] || n == 0)
		return name;
	while (n > 1 && name[n - 1] == ' ')
		n--;
	return arena_strndup(a, name, n);
}

static bool
find_called(struct reading *r, struct sample *s, const char *name)
{
	const char *other = renamed(r->networks, name);

	name = other ? other : name;
	s->network = network_find(r->c, name);
	s->layers = layer_net_find(r->book, name);
	if (!s->layers && s->network)
		s->layers = layer_net_find(r->book, s->network->id);
	if (!s->network && s->layers)
		s->network = network_find(r->c, s->layers->id);
	return s->layers != NULL;
}

/* What people add to a name: how it was trained, the kind of file, who. */
static const char *const name_ends[] = {"_ssld", "_wsl", "_ssl", "_in1k",
    "_in21k", "_in22k", "_coco", "-coco", "_voc", "_cityscapes", ".pth", ".pt",
    ".onnx", ".engine", ".xml", "-onnx", "-paddle", "-fp16", "-fp32", "-int8",
    "_224", "_256", "_288", "_320", "_384", "_c", "-640", "_640"};
static const char *const name_starts[] = {"fix_", "tf_", "clip_",
    "torchvision_", "timm_", "mmdet_", "pp-", "tv_"};

/* The name with one addition off, or NULL. */
static const char *
shorter(struct arena *a, const char *name)
{
	size_t n = strlen(name);

	for (int i = 0; i < N_OF(name_ends); i++) {
		size_t k = strlen(name_ends[i]);

		if (n > k + 2 && str_equal_nocase(name + n - k, name_ends[i]))
			return arena_strndup(a, name, n - k);
	}
	for (int i = 0; i < N_OF(name_starts); i++)
		if (str_starts(name, name_starts[i]))
			return arena_strdup(a, name + strlen(name_starts[i]));
	return NULL;
}

/*
 * The name as written, without what stands in brackets, and with one
 * addition after the other taken off, until there is a layer list; else the
 * first totals found on the way.
 */
static void
find_network(struct reading *r, struct sample *s)
{
	const char *name = s->network_name, *plain = plain_name(r->a, name);
	const struct network *totals = NULL;

	while (name && !find_called(r, s, name)) {
		totals = totals ? totals : s->network;
		name = name == s->network_name && plain != name
			   ? plain
			   : shorter(r->a, name);
	}
	/* a list under another name has another's totals */
	if (s->layers || !totals)
		return;
	s->network = totals;
}

/*
 * "3x224x224"; false if it is no picture of one to four channels.  A volume
 * is taken as the network has it.
 */
static bool
read_input(struct sample *s)
{
	int c, h, w;
	char end;

	if (!*s->input || (s->layers && s->layers->in_d > 1)) {
		if (s->layers) {
			s->in_w = s->layers->in_w;
			s->in_h = s->layers->in_h;
		} else if (s->network) {
			s->in_w = s->network->in_w;
			s->in_h = s->network->in_h;
		}
		return s->in_w > 0 && s->in_h > 0;
	}
	if (sscanf(s->input, "%2dx%6dx%6d%c", &c, &h, &w, &end) != 3 || c < 1 ||
	    c > 4 || h < 1 || w < 1)
		return false;
	s->in_w = w;
	s->in_h = h;
	return true;
}

/* Totals that hold at one size only, and a list that takes other sizes. */
static void
check_input(struct sample *s)
{
	const struct network *n = s->network;
	int w = s->in_w, h = s->in_h;

	if (n && !n->scales && (n->in_w != w || n->in_h != h))
		s->network = NULL;
	if (!s->layers)
		return;
	layer_net_fit(s->layers, &w, &h);
	if (w != s->in_w || h != s->in_h)
		s->layers = NULL;
}

/*
 * Rows
 */

/* The reasons that lie in the measurement itself, weightiest first. */
static enum sample_status
kind_of(const struct sample *s, bool end_to_end)
{
	bool mlperf = s->harness == HARNESS_TUNED;

	if (end_to_end)
		return SAMPLE_END_TO_END;
	if (strstr(s->note, "DLA"))
		return SAMPLE_DLA;
	if (mlperf && strstr(s->note, "MaxQ"))
		return SAMPLE_POWER_LIMIT;
	if (mlperf && strstr(s->note, " server;"))
		return SAMPLE_SERVER;
	/* a single stream runs on one device of however many there are */
	if (s->n_gpus > 1 && !(mlperf && strstr(s->note, " singlestream;")))
		return SAMPLE_SEVERAL_GPUS;
	return SAMPLE_OK;
}

/* Graphics inside a processor: no card one could buy. */
static bool
is_integrated(const char *gpu_id)
{
	return strstr(gpu_id, "igpu") || strstr(gpu_id, "radeon-vega-8");
}

static enum sample_status
understand(struct reading *r, struct sample *s)
{
	int slices = 1;

	s->gpu = measured_card(r->a, r->c, r->cards, s->gpu_id, &slices);
	/* of several slices, too, a single stream uses one */
	s->devices = strstr(s->note, " singlestream;") ? 1 : slices * s->n_gpus;
	s->measured = s->rate / s->devices;
	find_network(r, s);
	if (!s->gpu)
		return str_starts(s->gpu_id, "cpu-") ? SAMPLE_PROCESSOR
		       : is_integrated(s->gpu_id)    ? SAMPLE_INTEGRATED
						     : SAMPLE_CARD_UNKNOWN;
	if (s->gpu->segment == SEGMENT_CPU)
		return SAMPLE_PROCESSOR;
	if (!read_precision(s))
		return SAMPLE_PRECISION;
	if (!s->network && !s->layers)
		return SAMPLE_NETWORK_UNKNOWN;
	if (!read_input(s))
		return SAMPLE_INPUT;
	check_input(s);
	return s->network || s->layers ? SAMPLE_OK : SAMPLE_INPUT;
}

static const char *
cell(const struct reading *r, int row, enum column col)
{
	return r->table->rows[row].cells[r->at[col]];
}

static bool
bad_cell(struct reading *r, int row, enum column col, const char *id,
    const char *why)
{
	return diag_error(r->d, csv_pos(r->table, row), id, "%s '%s': %s",
	    column_names[col], cell(r, row, col), why);
}

/* A whole number from 1; blank is `blank`. */
static bool
read_count(struct reading *r, int row, enum column col, int blank, int *v)
{
	const char *text = cell(r, row, col), *why = NULL;
	double x;

	*v = blank;
	if (!*text && blank >= 0)
		return true;
	if (!num_parse(text, UNIT_COUNT, &x, r->a, &why))
		return bad_cell(r, row, col, "measurement-number", why);
	if (x < 1 || x > 1e6)
		return bad_cell(r, row, col, "measurement-number",
		    "out of range");
	*v = (int)x;
	return true;
}

/* A rate or a latency above zero. */
static bool
read_figure(struct reading *r, int row, int col, double *v)
{
	const char *text = r->table->rows[row].cells[col], *why = NULL;

	if (num_parse(text, UNIT_NONE, v, r->a, &why) && *v > 0 && *v < 1e12)
		return true;
	return diag_error(r->d, csv_pos(r->table, row), "measurement-number",
	    "%s '%s': %s", r->table->names[col], text,
	    why ? why : "out of range");
}

/* The rate, or where there is none, what the latency of a batch gives. */
static bool
read_rate(struct reading *r, int row, struct sample *s)
{
	double ms;

	if (*cell(r, row, COL_RATE) || r->latency < 0 || s->batch <= 0)
		return read_figure(r, row, r->at[COL_RATE], &s->rate);
	if (!read_figure(r, row, r->latency, &ms))
		return false;
	s->rate = s->batch * s->n_gpus / (ms / 1000);
	return true;
}

static bool
read_flag(struct reading *r, int row, bool *yes)
{
	const char *s = cell(r, row, COL_END_TO_END);

	*yes = str_equal(s, "y");
	return *yes || str_equal(s, "n") ||
	       bad_cell(r, row, COL_END_TO_END, "measurement-word",
		   "write y or n");
}

static bool
read_row(struct reading *r, int row, struct sample *s)
{
	const char *task = cell(r, row, COL_TASK);
	enum sample_status kind, known;
	bool end_to_end, ok;

	s->row = row;
	s->source = cell(r, row, COL_SOURCE);
	s->gpu_id = cell(r, row, COL_GPU);
	s->network_name = cell(r, row, COL_NETWORK);
	s->input = cell(r, row, COL_INPUT);
	s->precision_name = cell(r, row, COL_PRECISION);
	s->runtime_name = cell(r, row, COL_RUNTIME);
	s->note = r->note >= 0 ? r->table->rows[row].cells[r->note] : "";
	ok = read_count(r, row, COL_N_GPUS, -1, &s->n_gpus);
	ok &= read_count(r, row, COL_BATCH, 0, &s->batch);
	ok = ok && read_rate(r, row, s);
	ok &= read_flag(r, row, &end_to_end);
	if (!str_equal(task, "infer") && !str_equal(task, "train"))
		ok = bad_cell(r, row, COL_TASK, "measurement-word",
		    "write infer or train");
	if (!ok)
		return false;
	s->training = str_equal(task, "train");
	read_runtime(s);
	kind = kind_of(s, end_to_end);
	known = understand(r, s);
	s->status = kind != SAMPLE_OK ? kind : known;
	return true;
}

/* A table of names, or NULL when the folder has none. */
static bool
read_names(struct reading *r, const char *dir, const char *file,
    const struct csv **t)
{
	const char *path = fs_join(r->a, dir, file);
	struct pos nowhere = {NULL, 0, 0};
	struct source *src;

	*t = NULL;
	if (!fs_exists(path))
		return true;
	src = fs_read(r->a, path, CSV_MAX_BYTES, nowhere, r->d);
	*t = src ? csv_parse(r->a, src, r->d) : NULL;
	if (*t && (*t)->n_columns < 2)
		return diag_error(r->d, pos_file(src), "measurement-name",
		    "two columns are wanted: a name and ours");
	return *t != NULL;
}

static bool
find_columns(struct reading *r)
{
	bool ok = true;

	for (int i = 0; i < N_COLUMNS; i++) {
		r->at[i] = csv_need(r->table, column_names[i], r->d);
		ok &= r->at[i] >= 0;
	}
	r->note = csv_column(r->table, "note");
	r->latency = csv_column(r->table, "latency_ms");
	return ok;
}

struct samples *
measurements_read(struct arena *a, const char *path, const char *dir,
    const struct catalog *c, const struct layer_book *book, struct csv **table,
    struct diag *d)
{
	struct reading r = {.a = a, .c = c, .book = book, .d = d};
	struct pos nowhere = {NULL, 0, 0};
	struct source *src = fs_read(a, path, CSV_MAX_BYTES, nowhere, d);
	struct samples *all = arena_alloc(a, 1, sizeof(*all));
	bool ok = true;

	*table = src ? csv_parse(a, src, d) : NULL;
	r.table = *table;
	if (!r.table || !find_columns(&r) ||
	    !read_names(&r, dir, "measurements/names.csv", &r.networks) ||
	    !read_names(&r, dir, "measurements/cards.csv", &r.cards))
		return NULL;
	all->n = r.table->n_rows;
	all->s = arena_alloc(a, (size_t)all->n, sizeof(*all->s));
	for (int i = 0; i < all->n; i++)
		ok &= read_row(&r, i, &all->s[i]);
	return ok ? all : NULL;
}
