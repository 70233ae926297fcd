#include "model/peak.h"

#include "model/speed.h"

static struct fact
usable_peak(const struct gpu *g, enum peak k, enum peak *used)
{
	struct fact f = g->peak[k];

	if (positive(f) <= 0)
		f.known = false;
	*used = k;
	return f;
}

static struct fact
first_peak(const struct gpu *g, const enum peak *order, int n, enum peak *used)
{
	struct fact f = {.known = false};

	for (int i = 0; i < n && !f.known; i++)
		f = usable_peak(g, order[i], used);
	return f;
}

/* The better of half-rate and single-rate shader cores. */
static struct fact
shader_peak(const struct gpu *g, enum peak *used)
{
	enum peak used16, used32;
	struct fact f16 = usable_peak(g, PEAK_FP16, &used16);
	struct fact f32 = usable_peak(g, PEAK_FP32, &used32);

	if (f16.known && (!f32.known || f16.value > f32.value)) {
		*used = used16;
		return f16;
	}
	*used = used32;
	return f32;
}

/* A chip with multiply units for matrices of 8-bit integers (or, on Pascal
 * 6.1, instructions that TensorRT takes INT8 networks to). */
static bool
has_int8(const struct gpu *g)
{
	if (g->vendor != VENDOR_NVIDIA)
		return true;
	if (g->cc == 75)
		return positive(g->tensor_cores) > 0 ||
		       positive(g->peak[PEAK_FP16_TENSOR]) > 0 ||
		       positive(g->peak[PEAK_FP16_TENSOR_ACC16]) > 0;
	return g->cc == 61 || g->cc >= 72;
}

static struct fact
half_peak(const struct gpu *g, enum peak *used)
{
	static const enum peak tensor[] = {PEAK_FP16_TENSOR,
	    PEAK_FP16_TENSOR_ACC16};
	struct fact f = first_peak(g, tensor, 2, used);

	return f.known ? f : shader_peak(g, used);
}

struct fact
speed_peak(const struct gpu *g, enum precision p, enum peak *used)
{
	static const enum peak fp8[] = {PEAK_FP8_TENSOR, PEAK_FP8_TENSOR_ACC16};
	bool nvidia = g->vendor == VENDOR_NVIDIA;
	struct fact none = {.known = false}, f;

	*used = PEAK_FP32;
	if (g->segment == SEGMENT_CPU)
		return usable_peak(g, PEAK_FP32, used);
	switch (p) {
	case PREC_TF32:
		f = usable_peak(g, PEAK_TF32_TENSOR, used);
		if (f.known && (!nvidia || g->cc >= 80))
			return f;
		return usable_peak(g, PEAK_FP32, used);
	case PREC_FP16: return half_peak(g, used);
	case PREC_BF16:
		if (nvidia && g->cc < 80)
			return none;
		return usable_peak(g, PEAK_BF16_TENSOR, used);
	case PREC_FP8:
		if (nvidia && g->cc < 89)
			return none;
		return first_peak(g, fp8, 2, used);
	case PREC_INT8:
		if (!has_int8(g))
			return none;
		return usable_peak(g, PEAK_INT8_TENSOR, used);
	default: return usable_peak(g, PEAK_FP32, used);
	}
}

double
peak_mixed(const struct calibration *c, const struct gpu *g, enum engine e,
    enum peak used, double peak)
{
	double acc16 = positive(g->peak[PEAK_FP16_TENSOR_ACC16]);

	if (used != PEAK_FP16_TENSOR || acc16 <= peak)
		return peak;
	return peak * pow(acc16 / peak, c->acc16_weight[e]);
}

double
peak_clock(const struct calibration *c, const struct gpu *g, enum peak used)
{
	bool shader = used == PEAK_FP32 || used == PEAK_FP16;
	double base = positive(g->base_hz), boost = positive(g->boost_hz);
	double ratio = base > 0 && boost > 0 ? base / boost : c->clock_unknown;
	double share = pow(fmin(ratio, 1),
	    shader ? c->clock_exponent_shader : c->clock_exponent);

	if (g->vendor == VENDOR_NVIDIA && g->segment == SEGMENT_CONSUMER)
		share *= c->consumer_clock;
	return share;
}
