/*
 * How long one run of a stage takes on a card (first model: totals).
 *
 * One batch takes
 *
 *	host + smoothmax( launches, compute + traffic )
 *
 *	compute  = 2 MACs B / (peak x efficiency x clock x fill x depth)
 *	traffic  = bytes moved / (achievable share of the bandwidth)
 *	launches = kernels x floor of one launch
 *
 * The constants, their origin and the error they leave are in
 * catalog/calibration/speed.xml (struct calibration).
 */
#ifndef MODEL_SPEED_H
#define MODEL_SPEED_H

#include "data/needs.h"
#include "data/calibration.h"

enum bound { BOUND_COMPUTE, BOUND_BANDWIDTH, BOUND_LAUNCH, BOUND_HOST };
const char *bound_id(enum bound b);

/* What a run costs whatever the card: one image, object or tile. */
struct stage_cost {
	bool known; /* false: nothing stated to compute from */
	double macs, params, activations;
	double flop;  /* 2 x MACs, or as stated */
	double bytes; /* activations written and read once, fp16/fp32/int8 as
			   the precision says, plus stated bytes; no weights */
	double weight_bytes;
	double intensity; /* flop / (bytes + weight_bytes at batch 1) */
	enum tier tier;
};
struct stage_cost stage_cost(const struct stage *s, enum precision p);
/* The same with activations nobody stated filled in from MACs and
 * parameters (calibration "class-activations"). */
struct stage_cost stage_cost_filled(const struct calibration *c,
    const struct stage *s, enum precision p);
/* Bytes of one element; TF32 is stored as FP32. */
double precision_bytes(enum precision p);

struct stage_time {
	bool possible;   /* false: no peak for the precision, or no figure */
	const char *why; /* id when not possible: "no-peak", "no-figure" */
	int batch;
	struct estimate run_s; /* device seconds per run: batch time / batch */
	double batch_s;        /* one batch from start to end, host included */
	/* parts of run_s before they are joined */
	double compute_s, traffic_s, launch_s, host_s;
	enum bound bound;       /* the largest part */
	double peak_flop_per_s; /* dense peak used */
	enum peak peak;
	double attained_flop_per_s;     /* flop / run_s */
	const struct measurement *from; /* when measured or transferred */
	const struct gpu *from_gpu;     /* card of a stated time */
	const char *src;
};

/*
 * Time of a stage of `v` on `g` at `batch` (>= 1).  Measured figures of the
 * vendor file beat the model; figures on another card are carried over by
 * the ratio of the model's times (STAGE_NETWORK) or of the cards' rates
 * (STAGE_TIMED, see calibration "transfer").
 */
struct stage_time
stage_time(const struct calibration *c, const struct vendor *v,
    const struct stage *s, const struct gpu *g, int batch);

/* The dense peak a network of this precision can use on the card; known is
 * false when the chip lacks it.  INT8 needs matrix units (no V100, GTX 16);
 * FP16 on Pascal 6.1 falls back to FP32 rates and says so in `used`. */
struct fact speed_peak(const struct gpu *g, enum precision p, enum peak *used);

/* Column of the table of bands: 0 for batch 1, 1 for 2 to 7, 2 above. */
int band_class(int batch);

#endif
