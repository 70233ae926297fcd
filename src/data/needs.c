#include "data/needs.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/str.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const precision_ids[PREC_N] = {
    [PREC_FP32] = "fp32",
    [PREC_TF32] = "tf32",
    [PREC_FP16] = "fp16",
    [PREC_BF16] = "bf16",
    [PREC_FP8] = "fp8",
    [PREC_INT8] = "int8",
};

/* Other words people write, in lower case. */
static const struct {
	const char *word;
	enum precision precision;
} precision_words[] = {
    {"f32", PREC_FP32},
    {"float32", PREC_FP32},
    {"single", PREC_FP32},
    {"单精度", PREC_FP32},
    {"全精度", PREC_FP32},
    {"f16", PREC_FP16},
    {"float16", PREC_FP16},
    {"half", PREC_FP16},
    {"半精度", PREC_FP16},
    {"mixed", PREC_FP16},
    {"amp", PREC_FP16},
    {"混合精度", PREC_FP16},
    {"bfloat16", PREC_BF16},
    {"f8", PREC_FP8},
    {"i8", PREC_INT8},
};

static const char *const engine_ids[ENGINE_N] = {
    [ENGINE_TENSORRT] = "tensorrt",
    [ENGINE_PADDLE] = "paddle",
    [ENGINE_COMPILED] = "compiled",
    [ENGINE_EAGER] = "eager",
    [ENGINE_OTHER] = "other",
};

/*
 * Words found in the names of runtimes, lower case without spaces; the first
 * that occurs decides, so those that contain others stand before them.
 */
static const struct {
	const char *word;
	enum engine engine;
} engine_words[] = {
    {"paddle", ENGINE_PADDLE},
    {"飞桨", ENGINE_PADDLE},
    {"tensorrt", ENGINE_TENSORRT},
    {"trt", ENGINE_TENSORRT},
    {"deepstream", ENGINE_TENSORRT},
    {"torch.compile", ENGINE_COMPILED},
    {"torchcompile", ENGINE_COMPILED},
    {"inductor", ENGINE_COMPILED},
    {"onnxruntime", ENGINE_COMPILED},
    {"openvino", ENGINE_COMPILED},
    {"xla", ENGINE_COMPILED},
    {"tvm", ENGINE_COMPILED},
    {"cann", ENGINE_COMPILED},
    {"mindie", ENGINE_COMPILED},
    {"migraphx", ENGINE_COMPILED},
    {"compiled", ENGINE_COMPILED},
    {"pytorch", ENGINE_EAGER},
    {"torch", ENGINE_EAGER},
    {"tensorflow", ENGINE_EAGER},
    {"monai", ENGINE_EAGER},
    {"mmdetection", ENGINE_EAGER},
    {"eager", ENGINE_EAGER},
};

static const char *const ships_ids[] = {
    [SHIPS_UNKNOWN] = "unknown",
    [SHIPS_ENGINE_FILES] = "engine-files",
    [SHIPS_ONNX] = "onnx",
    [SHIPS_FRAMEWORK] = "framework",
};

const char *
precision_id(enum precision p)
{
	return p < PREC_N ? precision_ids[p] : NULL;
}

bool
precision_parse(const char *s, enum precision *p)
{
	for (int i = 0; i < PREC_N; i++) {
		if (str_equal_nocase(s, precision_ids[i])) {
			*p = (enum precision)i;
			return true;
		}
	}
	for (int i = 0; i < N_OF(precision_words); i++) {
		if (str_equal_nocase(s, precision_words[i].word)) {
			*p = precision_words[i].precision;
			return true;
		}
	}
	return false;
}

const char *
engine_id(enum engine e)
{
	return e < ENGINE_N ? engine_ids[e] : NULL;
}

/* A name in lower case without spaces and dashes, as far as it fits. */
static void
fold(const char *name, char *key, size_t room)
{
	size_t n = 0;

	for (; *name && n + 1 < room; name++)
		if (*name != ' ' && *name != '-' && *name != '_')
			key[n++] = (char)tolower((unsigned char)*name);
	key[n] = '\0';
}

enum engine
engine_class(const char *name)
{
	char key[128];

	fold(name, key, sizeof(key));
	for (int i = 0; i < N_OF(engine_words); i++)
		if (strstr(key, engine_words[i].word))
			return engine_words[i].engine;
	return ENGINE_OTHER;
}

const char *
engine_ecosystem(const char *name)
{
	static const struct {
		const char *word, *ecosystem;
	} words[] = {
	    {"cann", "cann"},
	    {"mindie", "cann"},
	    {"ascend", "cann"},
	    {"昇腾", "cann"},
	    {"rocm", "rocm"},
	    {"migraphx", "rocm"},
	    {"openvino", "oneapi"},
	    {"oneapi", "oneapi"},
	    {"neuware", "neuware"},
	    {"寒武纪", "neuware"},
	    {"musa", "musa"},
	    {"corex", "corex"},
	    {"dtk", "dtk"},
	    {"xtdk", "xtdk"},
	};
	char key[128];

	fold(name, key, sizeof(key));
	for (int i = 0; i < N_OF(words); i++)
		if (strstr(key, words[i].word))
			return words[i].ecosystem;
	return "cuda";
}

const char *
ships_id(enum ships s)
{
	return ships_ids[s];
}

static int
tiles_along(int side, int tile, int overlap)
{
	int step = tile - overlap;

	return side <= tile ? 1 : (side - overlap + step - 1) / step;
}

int
stage_tiles(const struct stage *s, const struct stream *st)
{
	if (s->tile <= 0)
		return 1;
	assert(s->overlap < s->tile);
	return tiles_along(st->width, s->tile, s->overlap) *
	       tiles_along(st->height, s->tile, s->overlap);
}
