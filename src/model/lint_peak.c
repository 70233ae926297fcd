#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "model/lint_parts.h"

/* Stated peaks are rounded, and clocks differ a little between sources. */
#define PEAK_TOLERANCE 0.03

static const char *
tera(struct lint *l, double v)
{
	return num_format(l->a, v / 1e12, num_decimals(v / 1e12, 4), false);
}

static bool
is_tensor(enum peak p)
{
	return p != PEAK_FP32 && p != PEAK_FP16;
}

/* What the driver leaves this card of the rate of its architecture. */
static const struct fact *
rate_of(const struct gpu *g, enum peak p)
{
	const struct fact *half = &g->arch->rate_geforce[p];

	return gpu_is_geforce(g) && half->known ? half : &g->arch->rate[p];
}

/* 2 x multiply-adds x SM x clock; 0 when a factor is not known. */
static double
by_units(const struct gpu *g, enum peak p)
{
	const struct fact *clock = g->segment == SEGMENT_CPU ? &g->base_hz
				   : is_tensor(p) && g->tensor_hz.known
				       ? &g->tensor_hz
				       : &g->boost_hz;

	if (!g->arch || !rate_of(g, p)->known || !g->sm.known || !clock->known)
		return 0;
	return 2 * rate_of(g, p)->value * g->sm.value * clock->value;
}

static void
tensor_off(struct lint *l, enum peak p, double want)
{
	const struct fact *f = &l->gpu->peak[p];
	double times = f->value / want;
	bool halved = rate_of(l->gpu, p) != &l->gpu->arch->rate[p];

	if (lint_near(times, 2, PEAK_TOLERANCE) && halved)
		lint_say(l, f, "lint-accumulate",
		    "%s of '%s' is %s TFLOPS, twice what a GeForce card does "
		    "with FP32 accumulate (%s)",
		    peak_id(p), l->gpu->id, tera(l, f->value), tera(l, want));
	else if (lint_near(times, 2, PEAK_TOLERANCE) ||
		 lint_near(times, 4, PEAK_TOLERANCE))
		lint_say(l, f, "lint-sparse",
		    "%s of '%s' is %s TFLOPS, %s times the dense rate of its "
		    "units (%s): a sparse figure",
		    peak_id(p), l->gpu->id, tera(l, f->value),
		    times < 3 ? "2" : "4", tera(l, want));
	else
		lint_say(l, f, "lint-peak",
		    "%s of '%s' is %s TFLOPS, its units and clock give %s",
		    peak_id(p), l->gpu->id, tera(l, f->value), tera(l, want));
}

static void
check_tensor(struct lint *l)
{
	for (int p = 0; p < PEAK_N; p++) {
		const struct fact *f = &l->gpu->peak[p];
		double want = by_units(l->gpu, (enum peak)p);

		if (is_tensor((enum peak)p) && f->known && want > 0 &&
		    !lint_near(f->value, want, PEAK_TOLERANCE))
			tensor_off(l, (enum peak)p, want);
	}
}

static void
check_fp32(struct lint *l)
{
	const struct gpu *g = l->gpu;
	const struct fact *f = &g->peak[PEAK_FP32];
	const struct fact *tf32 = &g->peak[PEAK_TF32_TENSOR];
	double want = by_units(g, PEAK_FP32);

	if (!f->known || want <= 0 || lint_near(f->value, want, PEAK_TOLERANCE))
		return;
	if (tf32->known && lint_near(f->value, tf32->value, PEAK_TOLERANCE))
		lint_say(l, f, "lint-fp32",
		    "fp32 of '%s' is %s TFLOPS: that is its TF32 tensor "
		    "rate, the shader cores give %s",
		    g->id, tera(l, f->value), tera(l, want));
	else
		lint_say(l, f, "lint-fp32",
		    "fp32 of '%s' is %s TFLOPS, its cores and clock give %s",
		    g->id, tera(l, f->value), tera(l, want));
}

static void
check_fp16(struct lint *l)
{
	const struct gpu *g = l->gpu;
	const struct fact *f = &g->peak[PEAK_FP16], *fp32 = &g->peak[PEAK_FP32];
	const struct fact *tensor = &g->peak[PEAK_FP16_TENSOR];
	double want;

	if (!f->known || !fp32->known || !g->arch ||
	    !g->arch->rate[PEAK_FP16].known || !g->arch->rate[PEAK_FP32].known)
		return;
	want = fp32->value * g->arch->rate[PEAK_FP16].value /
	       g->arch->rate[PEAK_FP32].value;
	if (lint_near(f->value, want, PEAK_TOLERANCE))
		return;
	if (tensor->known && lint_near(f->value, tensor->value, PEAK_TOLERANCE))
		lint_say(l, f, "lint-fp16",
		    "fp16 of '%s' is %s TFLOPS: that is its tensor rate, the "
		    "shader cores give %s",
		    g->id, tera(l, f->value), tera(l, want));
	else
		lint_say(l, f, "lint-fp16",
		    "fp16 of '%s' is %s TFLOPS, its FP32 rate and its "
		    "architecture give %s",
		    g->id, tera(l, f->value), tera(l, want));
}

/* A rate the architecture has no unit for. */
static void
check_precision(struct lint *l)
{
	const struct gpu *g = l->gpu;

	if (g->vendor != VENDOR_NVIDIA || !g->arch ||
	    !g->arch->rate[PEAK_FP32].known)
		return;
	/* B300: its tensor rates are stated, not by unit */
	if (g->cc >= 70 && !g->arch->rate[PEAK_FP16_TENSOR].known)
		return;
	for (int p = 0; p < PEAK_N; p++)
		if (g->peak[p].known && is_tensor((enum peak)p) &&
		    !g->arch->rate[p].known)
			lint_say(l, &g->peak[p], "lint-precision",
			    "'%s' has a %s rate, but %s has no unit for it",
			    g->id, peak_id((enum peak)p), g->arch->name);
}

/* One rate against another of the same card. */
static void
check_pair(struct lint *l, enum peak p, double least, double most,
    enum peak than)
{
	const struct fact *f = &l->gpu->peak[p], *g = &l->gpu->peak[than];

	if (!f->known || !g->known)
		return;
	if (f->value < g->value * least || f->value > g->value * most)
		lint_say(l, f, "lint-order",
		    "%s of '%s' is %s times its %s; between %s and %s is "
		    "possible",
		    peak_id(p), l->gpu->id,
		    num_format(l->a, f->value / g->value, 2, false),
		    peak_id(than), num_format(l->a, least, 2, false),
		    num_format(l->a, most, 2, false));
}

static void
check_order(struct lint *l)
{
	check_pair(l, PEAK_TF32_TENSOR, 0.48, 0.52, PEAK_FP16_TENSOR);
	check_pair(l, PEAK_BF16_TENSOR, 0.98, 1.02, PEAK_FP16_TENSOR);
	check_pair(l, PEAK_FP16_TENSOR_ACC16, 0.98, 2.05, PEAK_FP16_TENSOR);
	check_pair(l, PEAK_FP8_TENSOR, 1.9, 2.1, PEAK_FP16_TENSOR);
	check_pair(l, PEAK_FP8_TENSOR_ACC16, 0.98, 2.05, PEAK_FP8_TENSOR);
	check_pair(l, PEAK_INT8_TENSOR, 0.98, 4.1, PEAK_FP16_TENSOR);
}

void
lint_peaks(struct lint *l)
{
	check_fp32(l);
	check_fp16(l);
	check_tensor(l);
	check_precision(l);
	check_order(l);
}
