#include "model/layer_speed.h"

#include <math.h>

#include "model/peak.h"
#include "model/speed.h"

const char *
layer_runtime_id(enum layer_runtime r)
{
	static const char *const ids[RUN_N] = {
	    [RUN_TUNED] = "tuned",
	    [RUN_TENSORRT] = "tensorrt",
	    [RUN_PADDLE] = "paddle",
	    [RUN_COMPILED] = "compiled",
	    [RUN_EAGER] = "eager",
	};

	return ids[r];
}

enum engine
layer_engine(enum layer_runtime r)
{
	switch (r) {
	case RUN_PADDLE: return ENGINE_PADDLE;
	case RUN_COMPILED: return ENGINE_COMPILED;
	case RUN_EAGER: return ENGINE_EAGER;
	default: return ENGINE_TENSORRT;
	}
}

enum layer_runtime
layer_runtime_of(enum engine e, bool tuned)
{
	switch (e) {
	case ENGINE_TENSORRT: return tuned ? RUN_TUNED : RUN_TENSORRT;
	case ENGINE_PADDLE: return RUN_PADDLE;
	case ENGINE_COMPILED: return RUN_COMPILED;
	default: return RUN_EAGER;
	}
}

/*
 * The card
 */

/* Sustained over rated clock: little power for many fast multiprocessors
 * makes it fall.  1 where the power is not known. */
static double
power_factor(const struct layer_calibration *c, const struct gpu *g,
    double exponent)
{
	double sm = positive(g->sm), ghz = positive(g->boost_hz) / 1e9;
	double watt = positive(g->power_w) / (g->devices > 1 ? g->devices : 1);
	double knee = g->cc >= 89   ? c->power_knee_ada
		      : g->cc >= 80 ? c->power_knee_ampere
				    : c->power_knee;

	if (sm <= 0 || ghz <= 0 || watt <= 0)
		return 1;
	return fmin(1, pow(watt / (sm * ghz) / knee, exponent));
}

static double
generation_factor(const struct layer_calibration *c, const struct gpu *g)
{
	if (g->cc >= 120)
		return c->blackwell_rtx;
	return g->cc >= 90 ? c->hopper : 1;
}

/*
 * Frameworks accumulate FP16 and BF16 alike, and reach on GeForce cards more
 * than the halved rate NVIDIA states for it: one mix for both.
 */
static double
matrix_peak(const struct layer_calibration *c, const struct gpu *g,
    enum peak used, double peak)
{
	double acc16 = positive(g->peak[PEAK_FP16_TENSOR_ACC16]);

	if ((used != PEAK_FP16_TENSOR && used != PEAK_BF16_TENSOR) ||
	    acc16 <= peak)
		return peak;
	return peak * pow(acc16 / peak, c->acc16);
}

struct layer_card
layer_card(const struct layer_calibration *c, const struct gpu *g,
    enum precision p)
{
	enum peak used;
	struct fact peak = speed_peak(g, p, &used);
	struct layer_card card = {.sm = positive(g->sm),
	    .hz = positive(g->boost_hz),
	    .bytes_per_s = positive(g->bandwidth),
	    .l2_bytes = positive(g->l2_bytes)};
	double shader = power_factor(c, g, c->power_exponent_shader);
	double sustained = used == PEAK_FP32 || used == PEAK_FP16
			       ? shader
			       : power_factor(c, g, c->power_exponent);
	enum precision unit = used == PEAK_FP32 ? PREC_FP32
			      : p == PREC_BF16  ? PREC_FP16
						: p;

	if (!peak.known)
		card.why = "no-peak";
	else if (card.sm <= 0 || card.hz <= 0 || card.bytes_per_s <= 0 ||
		 positive(g->peak[PEAK_FP32]) <= 0)
		card.why = "no-figure";
	card.on_shader = used == PEAK_FP32 || used == PEAK_FP16;
	card.matrix = matrix_peak(c, g, used, positive(peak)) * sustained *
		      generation_factor(c, g) * c->ceiling[unit];
	if (card.on_shader && p != PREC_FP32 && p != PREC_TF32)
		card.matrix *= c->half_on_shader;
	card.shader = positive(g->peak[PEAK_FP32]) * shader;
	card.sm_bytes_per_s = c->sm_bytes * card.sm * card.hz * shader;
	return card;
}

/*
 * Matrix products
 */

static const struct {
	double m, n;
} tiles[] = {
    {256, 128},
    {128, 256},
    {128, 128},
    {128, 64},
    {64, 128},
    {64, 64},
    {64, 32},
    {32, 64},
};

/* Seconds of blocks of m x n over a depth of k, in waves. */
static double
tile_time(const struct layer_calibration *c, const struct layer_card *card,
    double m, double n, double k, double blocks)
{
	double share = 1 / (1 + c->tile_half * (1 / m + 1 / n));
	double waves = blocks / card->sm;
	double whole =
	    c->wave_blend * ceil(waves) + (1 - c->wave_blend) * fmax(waves, 1);

	return whole * 2 * m * n * k / (card->matrix / card->sm * share);
}

/* Writing and reading again the partial sums of a split, in FP32. */
static double
split_time(const struct layer_calibration *c, const struct layer_card *card,
    double results, int split)
{
	if (split == 1)
		return 0;
	return 2 * results * split * 4 / (card->bytes_per_s * c->l2_rate);
}

double
layer_product(const struct layer_calibration *c, const struct layer_card *card,
    double m, double n, double k, double count, double factor)
{
	enum { TILES = sizeof(tiles) / sizeof(tiles[0]), LEAST_DEPTH = 64 };
	double best = INFINITY;

	for (int i = 0; i < TILES; i++) {
		double blocks =
		    ceil(m / tiles[i].m) * ceil(n / tiles[i].n) * count;

		for (int split = 1; split <= 16; split *= 2) {
			double t;

			if (split > 1 && (k / split < LEAST_DEPTH ||
					     blocks * split > 4 * card->sm))
				break;
			t = tile_time(c, card, tiles[i].m, tiles[i].n,
				k / split, blocks * split) /
				factor +
			    split_time(c, card, m * n * count, split);
			best = fmin(best, t);
		}
	}
	return best;
}

static bool
is_fp32(const struct layer_card *card, enum precision p)
{
	return card->on_shader && (p == PREC_FP32 || p == PREC_TF32);
}

/* The three products of a layer: its own, and what training adds. */
enum pass { FORWARD, OF_INPUT, OF_WEIGHTS };

/* m x k by k x n as the pass turns it around. */
static double
pass_product(const struct layer_calibration *c, const struct layer_card *card,
    enum pass pass, double m, double n, double k, double count, double factor)
{
	switch (pass) {
	case OF_INPUT: return layer_product(c, card, m, k, n, count, factor);
	case OF_WEIGHTS: return layer_product(c, card, k, n, m, count, factor);
	default: return layer_product(c, card, m, n, k, count, factor);
	}
}

static double
matrix_time(const struct layer_calibration *c, const struct layer_card *card,
    struct layer_run run, const struct kernel *k, int batch, enum pass pass)
{
	double share;

	if (k->macs <= 0)
		return 0;
	switch (k->cls) {
	case OP_DEPTHWISE:
		share = run.runtime == RUN_EAGER ? c->depthwise_eager
						 : c->depthwise_fused;
		return 2 * k->macs * batch / (card->shader * share);
	case OP_GROUPED:
		/* few channels a group leave most of a tile empty */
		return pass_product(c, card, pass, k->m * batch,
		    k->n * k->count, k->k, 1, k->n / (k->n + c->grouped));
	case OP_ATTENTION:
		return pass_product(c, card, pass, k->m, k->n, k->k,
		    k->count * batch, c->attention);
	case OP_CONV:
		return pass_product(c, card, pass, k->m * batch, k->n, k->k,
		    k->count,
		    k->kernel == 3 && k->stride == 1 &&
			    is_fp32(card, run.precision)
			? c->winograd
			: 1);
	default:
		return pass_product(c, card, pass, k->m * batch, k->n, k->k,
		    k->count, 1);
	}
}

/*
 * Memory
 */

static enum move_kind
move_of(enum op_class cls)
{
	switch (cls) {
	case OP_DEPTHWISE: return MOVE_DEPTHWISE;
	case OP_NORM:
	case OP_POOL: return MOVE_REDUCE;
	case OP_ELEMENTWISE:
	case OP_COPY: return MOVE_PASS;
	default: return MOVE_MATRIX;
	}
}

/* Frameworks turn NCHW tensors around for the matrix units, and back. */
static bool
turns_layout(const struct layer_card *card, struct layer_run run,
    enum op_class cls)
{
	return run.runtime == RUN_EAGER && !run.channels_last &&
	       !card->on_shader && (cls == OP_CONV || cls == OP_GROUPED);
}

static double
memory_time(const struct layer_calibration *c, const struct layer_card *card,
    struct layer_run run, const struct kernel *k, int batch)
{
	double elem = precision_bytes(run.precision);
	double moved = (k->in_elems + k->out_elems) * elem * batch;
	double half = c->l2_half * card->l2_bytes;
	double hit, bytes, dram, sm;

	if (turns_layout(card, run, k->cls))
		moved *= 1 + c->eager_extra;
	bytes = moved + k->weight_elems * elem;
	if (bytes <= 0)
		return 0;
	hit = half > 0 ? half / (half + bytes) : 0;
	dram = bytes * (1 - hit + hit / c->l2_rate) /
	       (card->bytes_per_s * c->dram[move_of(k->cls)]);
	sm = bytes / card->sm_bytes_per_s;
	return pow(pow(dram, c->memory_join) + pow(sm, c->memory_join),
	    1 / c->memory_join);
}

/*
 * All together
 */

static double
join(double a, double b, double power)
{
	double m = fmax(a, b);

	if (m <= 0)
		return 0;
	return m * pow(pow(a / m, power) + pow(b / m, power), 1 / power);
}

/* Seconds of one kernel and of what training adds to it. */
static double
kernel_time(const struct layer_calibration *c, const struct layer_card *card,
    struct layer_run run, const struct kernel *k, int batch,
    struct layer_time *t)
{
	double memory = memory_time(c, card, run, k, batch) /
			(run.runtime == RUN_COMPILED ? c->compiled_memory : 1);
	double floor_s = c->floor_s[run.runtime] * c->floor_hz / card->hz;
	double matrix[3] = {0}, device = 0;
	double times = k->times > 0 ? k->times : 1;
	int passes = run.training && k->macs > 0 ? 3 : 1;

	for (int i = 0; i < passes; i++) {
		matrix[i] = matrix_time(c, card, run, k, batch, (enum pass)i);
		device += fmax(matrix[i], memory);
	}
	if (run.training && passes == 1)
		device *= k->train;
	floor_s *= k->steps * (run.training ? fmax(passes, 2) : 1);
	t->matrix_s += times * (matrix[0] + matrix[1] + matrix[2]);
	t->memory_s += times * memory * (run.training ? k->train : 1);
	t->floor_s += times * floor_s;
	return times * (floor_s + device);
}

/* Reading and writing weights, gradients and two moments in FP32. */
static double
optimiser_time(const struct layer_calibration *c, const struct layer_card *card,
    const struct kernels *ks)
{
	enum { BYTES = 24 };

	return BYTES * ks->weights / (card->bytes_per_s * c->dram[MOVE_PASS]);
}

const char *
layer_bound_id(enum layer_bound b)
{
	static const char *const ids[LAYER_BOUND_N] = {
	    [LAYER_BOUND_MATRIX] = "matrix",
	    [LAYER_BOUND_MEMORY] = "memory",
	    [LAYER_BOUND_LAUNCH] = "launch",
	    [LAYER_BOUND_HOST] = "host",
	};

	return ids[b];
}

/* The host counts where it takes longer than the device it overlaps with. */
static enum layer_bound
bound_of(const struct layer_time *t)
{
	double host = t->host_s + t->fixed_s + t->copy_s;
	double work = fmax(t->matrix_s, t->memory_s);

	if (host > work + t->floor_s)
		return LAYER_BOUND_HOST;
	if (t->floor_s > work)
		return LAYER_BOUND_LAUNCH;
	return t->matrix_s > t->memory_s ? LAYER_BOUND_MATRIX
					 : LAYER_BOUND_MEMORY;
}

/* What products of the runtime reach of the others'. */
static double
product_share(const struct layer_calibration *c, const struct layer_card *card,
    struct layer_run run)
{
	bool half = run.precision == PREC_FP16 || run.precision == PREC_BF16;

	switch (run.runtime) {
	case RUN_TUNED:
	case RUN_TENSORRT: return c->engine_matrix;
	case RUN_PADDLE: return half && !card->on_shader ? c->paddle_half : 1;
	default: return 1;
	}
}

struct layer_time
layer_time(const struct layer_calibration *c, const struct kernels *ks,
    struct layer_run run, const struct gpu *g, int batch)
{
	struct layer_card card = layer_card(c, g, run.precision);
	struct layer_time t = {.why = card.why};
	double device = 0;

	if (t.why)
		return t;
	card.matrix *= product_share(c, &card, run);
	for (int i = 0; i < ks->n; i++)
		device += kernel_time(c, &card, run, &ks->k[i], batch, &t);
	t.host_s = c->host_s[run.runtime] * ks->launches;
	t.fixed_s = c->fixed_s[run.runtime];
	if (run.training) {
		device = c->train * (device + optimiser_time(c, &card, ks));
		t.host_s *= c->train_host;
	}
	t.batch_s = t.fixed_s + join(device, t.host_s, c->host_join);
	/* a throughput run keeps several batches in flight */
	if (run.runtime == RUN_TUNED && batch > 1)
		t.batch_s *= c->tuned;
	t.copy_s = run.copied_bytes * batch / c->copy_bytes_per_s;
	t.batch_s += t.copy_s;
	t.bound = bound_of(&t);
	if (!(t.batch_s > 1e-12 && t.batch_s < 1e12))
		t.why = "no-figure";
	return t;
}
