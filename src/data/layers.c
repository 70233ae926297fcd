#include "data/layers.h"

#include <string.h>

#include "base/str.h"

#define ATTRS(...)                                                             \
	(const char *const[])                                                  \
	{                                                                      \
		__VA_ARGS__, NULL                                              \
	}
#define CONV                                                                   \
	"out", "k", "kd", "kh", "kw", "s", "sd", "sh", "sw", "p", "pd", "ph",  \
	    "pw", "bn", "act", "bias", "shared"

static const struct {
	const char *id;
	const char *const *attrs;
} words[] = {
    [LAYER_CONV] = {"conv", ATTRS(CONV, "groups", "dil", "ceil")},
    [LAYER_DWCONV] = {"dwconv", ATTRS(CONV, "mult", "dil", "ceil")},
    [LAYER_DECONV] = {"deconv", ATTRS(CONV, "groups", "outpad")},
    [LAYER_LINEAR] = {"linear", ATTRS("out", "bias", "bn", "act", "shared")},
    [LAYER_ATTENTION] = {"attention",
	ATTRS("heads", "key", "value", "keys", "with", "bias")},
    [LAYER_LSTM] = {"lstm", ATTRS("hidden", "both", "gates", "bias")},
    [LAYER_NORM] = {"norm", ATTRS("kind", "act", "affine", "shared")},
    [LAYER_ACT] = {"act", ATTRS("kind")},
    [LAYER_SOFTMAX] = {"softmax", NULL},
    [LAYER_ADD] = {"add", ATTRS("with", "act")},
    [LAYER_MUL] = {"mul", ATTRS("with", "act")},
    [LAYER_CONCAT] = {"concat", ATTRS("with", "along")},
    [LAYER_POOL] = {"pool",
	ATTRS("kind", "k", "kd", "kh", "kw", "s", "sd", "sh", "sw", "p", "pd",
	    "ph", "pw", "ceil", "to", "toh", "tow")},
    [LAYER_GAP] = {"gap", NULL},
    [LAYER_RESIZE] = {"resize", ATTRS("scale", "like", "d", "h", "w")},
    [LAYER_SAMPLE] = {"sample", ATTRS("c", "d", "h", "w", "with")},
    [LAYER_ROI] = {"roi", ATTRS("n", "size")},
    [LAYER_REARRANGE] = {"rearrange", ATTRS("n", "c", "d", "h", "w", "pad")},
    [LAYER_RESHAPE] = {"reshape", ATTRS("n", "c", "d", "h", "w")},
    [LAYER_SLICE] = {"slice", ATTRS("n", "c", "d", "h", "w")},
    [LAYER_PARAM] = {"param", ATTRS("n", "add")},
    [LAYER_TAKE] = {"take", NULL},
    [LAYER_USE] = {"use", NULL}, /* and the block's parameters */
    [LAYER_REPEAT] = {"repeat", ATTRS("n", "var", "first")},
    [LAYER_IF] = {"if", ATTRS("test")},
    [LAYER_ELSE] = {"else", NULL},
    [LAYER_LET] = {"let", NULL}, /* any name */
};

static const char *const bases[] = {
    [BASIS_MACS] = "macs",
    [BASIS_TIMM] = "timm",
    [BASIS_NO_ATTENTION] = "no-attention",
    [BASIS_MODULES] = "modules",
    [BASIS_PADDLE] = "paddle",
};

static const char *const classes[] = {
    [OP_CONV] = "conv",
    [OP_GROUPED] = "grouped",
    [OP_DEPTHWISE] = "depthwise",
    [OP_LINEAR] = "linear",
    [OP_ATTENTION] = "attention",
    [OP_NORM] = "norm",
    [OP_ELEMENTWISE] = "elementwise",
    [OP_POOL] = "pool",
    [OP_COPY] = "copy",
    [OP_VIEW] = "view",
};

static const char *const acts[] = {
    [ACT_NONE] = "none",
    [ACT_RELU] = "relu",
    [ACT_RELU6] = "relu6",
    [ACT_LEAKY] = "leaky",
    [ACT_PRELU] = "prelu",
    [ACT_SIGMOID] = "sigmoid",
    [ACT_SILU] = "silu",
    [ACT_HSWISH] = "hswish",
    [ACT_HSIGMOID] = "hsigmoid",
    [ACT_GELU] = "gelu",
    [ACT_TANH] = "tanh",
    [ACT_MISH] = "mish",
};

struct pos
layer_pos(struct layer_place place)
{
	return place.src ? pos_at(place.src, place.at) : (struct pos){0};
}

const char *
layer_word_id(enum layer_word w)
{
	return words[w].id;
}

bool
layer_word_parse(const char *s, enum layer_word *w)
{
	for (int i = 0; i < LAYER_N; i++) {
		if (str_equal(words[i].id, s)) {
			*w = (enum layer_word)i;
			return true;
		}
	}
	return false;
}

const char *const *
layer_word_attrs(enum layer_word w)
{
	static const char *const none[] = {NULL};

	return words[w].attrs ? words[w].attrs : none;
}

const char *
layer_basis_id(enum layer_basis b)
{
	return bases[b];
}

bool
layer_basis_parse(const char *s, enum layer_basis *b)
{
	for (int i = 0; i < BASIS_N; i++) {
		if (str_equal(bases[i], s)) {
			*b = (enum layer_basis)i;
			return true;
		}
	}
	return false;
}

const char *
layer_attr(const struct layer_stmt *s, const char *name)
{
	for (int i = 0; i < s->n_attrs; i++)
		if (str_equal(s->attrs[i].name, name))
			return s->attrs[i].text;
	return NULL;
}

const struct layer_block *
layer_block_find(const struct layer_book *b, const char *name)
{
	for (int i = 0; i < b->n_blocks; i++)
		if (str_equal(b->blocks[i].name, name))
			return &b->blocks[i];
	return NULL;
}

/* The next letter or digit that counts in a name, lower case; 0 at the end. */
static char
next_folded(const char **s)
{
	for (; **s; (*s)++) {
		char c = **s;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
			(*s)++;
			return c;
		}
	}
	return '\0';
}

static bool
same_name(const char *a, const char *b)
{
	for (;;) {
		char x = next_folded(&a), y = next_folded(&b);

		if (x != y)
			return false;
		if (x == '\0')
			return true;
	}
}

const struct layer_net *
layer_net_find(const struct layer_book *b, const char *id)
{
	for (int i = 0; i < b->n_nets; i++)
		if (str_equal(b->nets[i].id, id))
			return &b->nets[i];
	for (int i = 0; i < b->n_nets; i++)
		if (same_name(b->nets[i].id, id))
			return &b->nets[i];
	return NULL;
}

void
layer_net_fit(const struct layer_net *n, int *w, int *h)
{
	int m = n->divisor;

	*w = n->fixed ? n->in_w : (*w + m - 1) / m * m;
	*h = n->fixed ? n->in_h : (*h + m - 1) / m * m;
}

const char *
layer_net_near(const struct layer_book *b, const char *id)
{
	const char *ids[256];
	int n = 0;

	for (int i = 0; i < b->n_nets && n < 256; i++)
		ids[n++] = b->nets[i].id;
	return str_nearest(id, ids, n);
}

const char *
op_class_id(enum op_class c)
{
	return classes[c];
}

const char *
act_id(enum act k)
{
	return acts[k];
}

double
shape_elems(struct shape s)
{
	return s.n * s.c * s.d * s.h * s.w;
}
