#include "data/gpu.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/names.h"
#include "data/network.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const vendor_ids[] = {
    [VENDOR_NVIDIA] = "nvidia",
    [VENDOR_AMD] = "amd",
    [VENDOR_INTEL] = "intel",
    [VENDOR_HUAWEI] = "huawei",
    [VENDOR_OTHER] = "other",
};

static const char *const segment_ids[] = {
    [SEGMENT_CONSUMER] = "consumer",
    [SEGMENT_WORKSTATION] = "workstation",
    [SEGMENT_DATACENTER] = "datacenter",
    [SEGMENT_EDGE] = "edge",
    [SEGMENT_CPU] = "cpu",
};

static const char *const peak_ids[PEAK_N] = {
    [PEAK_FP32] = "fp32",
    [PEAK_FP16] = "fp16",
    [PEAK_TF32_TENSOR] = "tf32-tensor",
    [PEAK_FP16_TENSOR] = "fp16-tensor",
    [PEAK_FP16_TENSOR_ACC16] = "fp16-tensor-acc16",
    [PEAK_BF16_TENSOR] = "bf16-tensor",
    [PEAK_FP8_TENSOR] = "fp8-tensor",
    [PEAK_FP8_TENSOR_ACC16] = "fp8-tensor-acc16",
    [PEAK_INT8_TENSOR] = "int8-tensor",
};

static const char *const codec_ids[CODEC_N] = {
    [CODEC_NONE] = "none",
    [CODEC_H264] = "h264",
    [CODEC_HEVC] = "hevc",
    [CODEC_HEVC10] = "hevc10",
    [CODEC_VP9] = "vp9",
    [CODEC_AV1] = "av1",
};

/* Folded spellings of codecs. */
static const struct {
	const char *key;
	enum codec codec;
} codec_names[] = {
    {"none", CODEC_NONE},
    {"h264", CODEC_H264},
    {"avc", CODEC_H264},
    {"h264avc", CODEC_H264},
    {"hevc", CODEC_HEVC},
    {"h265", CODEC_HEVC},
    {"h265hevc", CODEC_HEVC},
    {"hevc10", CODEC_HEVC10},
    {"hevc10bit", CODEC_HEVC10},
    {"h26510bit", CODEC_HEVC10},
    {"hevcmain10", CODEC_HEVC10},
    {"h265main10", CODEC_HEVC10},
    {"vp9", CODEC_VP9},
    {"av1", CODEC_AV1},
};

/*
 * Words in front of a model name that carry no information, folded.  Longer
 * words stand before those they begin with.
 */
static const char *const vendor_words[] = {
    "nvidiacorporation",
    "nvidia",
    "英伟达",
    "advancedmicrodevices",
    "amd",
    "超威",
    "intelcorporation",
    "intel",
    "英特尔",
    "huawei",
    "华为",
    "cambricon",
    "寒武纪",
    "hygon",
    "海光",
    "moorethreads",
    "摩尔线程",
    "kunlunxin",
    "昆仑芯",
    "iluvatarcorex",
    "iluvatar",
    "天数智芯",
};
static const char *const brand_words[] = {
    "geforce",
    "tesla",
    "quadro",
    "radeon",
    "arc",
    "instinct",
    "datacentergpu",
    "xeon",
    "epyc",
};
static const char *const series_words[] = {"rtx", "gtx", "rx"};
/* And behind it. */
static const char *const tail_words[] = {
    "tensorcoregpu",
    "graphicscard",
    "gpu",
    "显卡",
    "加速卡",
    "推理卡",
    "智能卡",
};

const char *
vendor_id(enum gpu_vendor v)
{
	return vendor_ids[v];
}

const char *
segment_id(enum segment s)
{
	return segment_ids[s];
}

bool
segment_parse(const char *s, enum segment *seg)
{
	for (int i = 0; i < N_OF(segment_ids); i++) {
		if (str_equal(s, segment_ids[i])) {
			*seg = (enum segment)i;
			return true;
		}
	}
	return false;
}

const char *
peak_id(enum peak p)
{
	return p < PEAK_N ? peak_ids[p] : NULL;
}

const char *
codec_id(enum codec c)
{
	return c < CODEC_N ? codec_ids[c] : NULL;
}

bool
codec_parse(const char *s, enum codec *c)
{
	char key[NAME_MAX_KEY];

	if (!s || !name_fold(s, key))
		return false;
	for (int i = 0; i < N_OF(codec_names); i++) {
		if (str_equal(key, codec_names[i].key)) {
			*c = codec_names[i].codec;
			return true;
		}
	}
	return false;
}

/* `key` without a leading word of the list; NULL if it has none. */
static const char *
without_word(const char *key, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (str_starts(key, words[i]) && key[strlen(words[i])])
			return key + strlen(words[i]);
	return NULL;
}

static void
drop_tail_word(char *key)
{
	size_t len = strlen(key);

	for (int i = 0; i < N_OF(tail_words); i++) {
		size_t n = strlen(tail_words[i]);

		if (len > n && strcmp(key + len - n, tail_words[i]) == 0) {
			key[len - n] = '\0';
			return;
		}
	}
}

bool
name_fold_gpu(const char *name, char key[NAME_MAX_KEY])
{
	const char *less;

	if (!name_fold(name, key))
		return false;
	less = without_word(key, vendor_words, N_OF(vendor_words));
	if (less)
		memmove(key, less, strlen(less) + 1);
	return true;
}

/*
 * The forms under which a folded name is known or looked for: in full,
 * without the brand, without the series.  The series stays after "Quadro":
 * a bare "8000" says too little.
 */
enum { FORMS = 3 };

static int
name_forms(const char *key, const char *forms[FORMS])
{
	int n = 0;
	const char *less;
	bool quadro = str_starts(key, "quadro");

	forms[n++] = key;
	less = without_word(key, brand_words, N_OF(brand_words));
	if (less)
		forms[n++] = key = less;
	less = without_word(key, series_words, N_OF(series_words));
	if (less && !quadro)
		forms[n++] = less;
	return n;
}

static void
add_name(struct arena *a, struct name_table *t, const char *name, int item)
{
	char key[NAME_MAX_KEY];
	const char *forms[FORMS];
	int n;

	if (!name_fold_gpu(name, key))
		return;
	n = name_forms(key, forms);
	for (int i = 0; i < n; i++)
		name_add(a, t, forms[i], name, item);
}

static void
index_gpus(struct arena *a, const struct catalog *c)
{
	struct name_table *ids = &c->names->gpu_ids, *names = &c->names->gpus;

	for (int i = 0; i < c->n_gpus; i++) {
		const struct gpu *g = &c->gpus[i];

		name_add(a, ids, g->id, g->id, i);
		for (int k = 0; k < g->n_other_ids; k++)
			name_add(a, ids, g->other_ids[k], g->other_ids[k], i);
		add_name(a, names, g->id, i);
		add_name(a, names, g->name, i);
		for (int k = 0; k < g->n_aliases; k++)
			add_name(a, names, g->aliases[k], i);
	}
	name_sort(a, ids);
	name_sort(a, names);
}

static void
index_networks(struct arena *a, const struct catalog *c)
{
	struct name_table *ids = &c->names->network_ids;
	struct name_table *names = &c->names->networks;
	char key[NAME_MAX_KEY];

	for (int i = 0; i < c->n_networks; i++) {
		const struct network *n = &c->networks[i];

		name_add(a, ids, n->id, n->id, i);
		if (name_fold(n->id, key))
			name_add(a, names, key, n->id, i);
		if (name_fold(n->name, key))
			name_add(a, names, key, n->name, i);
		for (int k = 0; k < n->n_aliases; k++)
			if (name_fold(n->aliases[k], key))
				name_add(a, names, key, n->aliases[k], i);
	}
	name_sort(a, ids);
	name_sort(a, names);
}

void
catalog_index(struct arena *a, struct catalog *c)
{
	c->names = arena_alloc(a, 1, sizeof(*c->names));
	index_gpus(a, c);
	index_networks(a, c);
}

const struct gpu *
catalog_gpu(const struct catalog *c, const char *id)
{
	const struct name_entry *e;
	int n;

	assert(c->names);
	e = id ? name_lookup(&c->names->gpu_ids, id, &n) : NULL;
	return e ? &c->gpus[e->item] : NULL;
}

/* Cards known under the first form of `key` that any card is known under. */
static const struct name_entry *
lookup_forms(const struct catalog *c, const char *key, int *n)
{
	const char *forms[FORMS];
	int n_forms = name_forms(key, forms);

	for (int i = 0; i < n_forms; i++) {
		const struct name_entry *e =
		    name_lookup(&c->names->gpus, forms[i], n);

		if (e)
			return e;
	}
	return NULL;
}

/*
 * Copy `name` without a memory size at its end, such as "80GB", "16 G" or
 * "24GiB".  Returns the size in GiB, 0 if there is none.
 */
static int
cut_memory(const char *name, char *rest)
{
	size_t at = strlen(name), end;
	int gib = 0;

	if (at > 0 && (name[at - 1] == 'B' || name[at - 1] == 'b'))
		at--;
	if (at > 0 && (name[at - 1] == 'i' || name[at - 1] == 'I'))
		at--;
	if (at == 0 || (name[at - 1] != 'G' && name[at - 1] != 'g'))
		return 0;
	at--;
	while (at > 0 && name[at - 1] == ' ')
		at--;
	for (end = at; at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9';)
		at--;
	if (at == 0 || at == end || end - at > 3)
		return 0;
	for (size_t i = at; i < end; i++)
		gib = gib * 10 + (name[i] - '0');
	memcpy(rest, name, at);
	rest[at] = '\0';
	return gib;
}

static bool
has_memory(const struct gpu *g, int gib)
{
	return g->memory_bytes.known &&
	       g->memory_bytes.value == gib * 1073741824.0;
}

/* Cards of that name; `gib` > 0: only those with this much memory. */
static int
find_named(const struct catalog *c, const char *name, int gib,
    const struct gpu **found, int max)
{
	const struct name_entry *e;
	char key[NAME_MAX_KEY];
	int n = 0, kept = 0;

	if (!name_fold_gpu(name, key))
		return 0;
	e = lookup_forms(c, key, &n);
	if (!e) {
		drop_tail_word(key);
		e = lookup_forms(c, key, &n);
	}
	for (int i = 0; e && i < n; i++) {
		const struct gpu *g = &c->gpus[e[i].item];

		if (gib > 0 && !has_memory(g, gib))
			continue;
		if (kept < max)
			found[kept] = g;
		kept++;
	}
	return kept;
}

int
catalog_find(const struct catalog *c, const char *name,
    const struct gpu **found, int max)
{
	const struct gpu *g = catalog_gpu(c, name);
	char rest[4 * NAME_MAX_KEY];
	int n, gib;

	if (g && max > 0)
		found[0] = g;
	if (g)
		return 1;
	if (!name || strlen(name) >= sizeof(rest))
		return 0;
	n = find_named(c, name, 0, found, max);
	if (n == 0 && (gib = cut_memory(name, rest)) > 0)
		n = find_named(c, rest, gib, found, max);
	return n;
}

const char *
catalog_near(const struct catalog *c, const char *name)
{
	char key[NAME_MAX_KEY];
	const char *forms[FORMS], *near = NULL;
	int n;

	assert(c->names);
	if (!name || !name_fold_gpu(name, key))
		return NULL;
	n = name_forms(key, forms);
	for (int i = 0; i < n && !near; i++)
		near = name_near(&c->names->gpus, forms[i]);
	return near;
}

const struct source_ref *
catalog_source(const struct catalog *c, const char *id)
{
	for (int i = 0; i < c->n_sources; i++)
		if (str_equal(c->sources[i].id, id))
			return &c->sources[i];
	return NULL;
}
