#include "data/layer_calibration.h"

#define AT(field) offsetof(struct layer_calibration, field)

/*
 * The last column is where a fit starts: the constants of an earlier model of
 * this kind, on 1,365 rows (source "cal-layers" of the file); no factor for a
 * generation of chips.
 */
static const struct layer_constant constants[] = {
    {"tile-half", NULL, AT(tile_half), UNIT_NONE, 1, 100, true, 16.5},
    {"ceiling", "fp32", AT(ceiling[PREC_FP32]), UNIT_RATIO, 0.1, 3, true, 1.29},
    {"ceiling", "tf32", AT(ceiling[PREC_TF32]), UNIT_RATIO, 0.1, 3, true, 1.6},
    {"ceiling", "fp16", AT(ceiling[PREC_FP16]), UNIT_RATIO, 0.1, 3, true, 1.36},
    {"ceiling", "fp8", AT(ceiling[PREC_FP8]), UNIT_RATIO, 0.1, 3, false, 1.36},
    {"ceiling", "int8", AT(ceiling[PREC_INT8]), UNIT_RATIO, 0.1, 3, true, 0.8},
    {"wave-blend", NULL, AT(wave_blend), UNIT_RATIO, 0, 1, false, 0.78},
    {"winograd", NULL, AT(winograd), UNIT_RATIO, 1, 2.25, true, 1.88},
    {"grouped-half", NULL, AT(grouped), UNIT_NONE, 0.1, 200, true, 8},
    {"attention", NULL, AT(attention), UNIT_RATIO, 0.01, 2, true, 0.48},
    {"depthwise", "fused", AT(depthwise_fused), UNIT_RATIO, 0.01, 2, true, 0.3},
    {"depthwise", "eager", AT(depthwise_eager), UNIT_RATIO, 0.01, 2, true,
	0.15},
    {"half-on-shader", NULL, AT(half_on_shader), UNIT_RATIO, 0.1, 2, true,
	0.59},
    {"engine-matrix", NULL, AT(engine_matrix), UNIT_RATIO, 0.5, 2, true, 1},
    {"paddle-half", NULL, AT(paddle_half), UNIT_RATIO, 0.1, 1, true, 0.6},
    {"compiled-memory", NULL, AT(compiled_memory), UNIT_RATIO, 0.5, 2, true, 1},
    {"acc16-weight", NULL, AT(acc16), UNIT_RATIO, 0, 1, true, 1},
    {"dram", "matrix", AT(dram[MOVE_MATRIX]), UNIT_RATIO, 0.05, 1.5, true, 0.7},
    {"dram", "depthwise", AT(dram[MOVE_DEPTHWISE]), UNIT_RATIO, 0.05, 1.5, true,
	1},
    {"dram", "pass", AT(dram[MOVE_PASS]), UNIT_RATIO, 0.05, 1.5, true, 1.1},
    {"dram", "reduce", AT(dram[MOVE_REDUCE]), UNIT_RATIO, 0.05, 1.5, true,
	0.33},
    {"sm-bytes", NULL, AT(sm_bytes), UNIT_NONE, 1, 200, true, 13.4},
    {"memory-join", NULL, AT(memory_join), UNIT_NONE, 1, 8, false, 1.5},
    {"eager-extra", NULL, AT(eager_extra), UNIT_RATIO, 0, 4, true, 0.88},
    {"l2-half", NULL, AT(l2_half), UNIT_RATIO, 0.01, 10, false, 0.74},
    {"l2-rate", NULL, AT(l2_rate), UNIT_RATIO, 1, 20, false, 3.7},
    {"floor", "tuned", AT(floor_s[RUN_TUNED]), UNIT_SECOND, 1e-7, 1e-3, true,
	4.2e-06},
    {"floor", "tensorrt", AT(floor_s[RUN_TENSORRT]), UNIT_SECOND, 1e-7, 1e-3,
	true, 9.9e-06},
    {"floor", "paddle", AT(floor_s[RUN_PADDLE]), UNIT_SECOND, 1e-7, 1e-3, true,
	1.8e-05},
    {"floor", "compiled", AT(floor_s[RUN_COMPILED]), UNIT_SECOND, 1e-7, 1e-3,
	true, 2e-05},
    {"floor", "eager", AT(floor_s[RUN_EAGER]), UNIT_SECOND, 1e-7, 1e-3, true,
	2e-05},
    {"floor-clock", NULL, AT(floor_hz), UNIT_HERTZ, 1e8, 1e10, false, 1.6e+09},
    {"host", "tuned", AT(host_s[RUN_TUNED]), UNIT_SECOND, 0, 1e-2, false, 0},
    {"host", "tensorrt", AT(host_s[RUN_TENSORRT]), UNIT_SECOND, 0, 1e-2, false,
	0},
    {"host", "paddle", AT(host_s[RUN_PADDLE]), UNIT_SECOND, 0, 1e-2, false, 0},
    {"host", "compiled", AT(host_s[RUN_COMPILED]), UNIT_SECOND, 0, 1e-2, true,
	2e-05},
    {"host", "eager", AT(host_s[RUN_EAGER]), UNIT_SECOND, 0, 1e-2, true,
	3.8e-05},
    {"fixed", "tuned", AT(fixed_s[RUN_TUNED]), UNIT_SECOND, 0, 1, true, 3e-05},
    {"fixed", "tensorrt", AT(fixed_s[RUN_TENSORRT]), UNIT_SECOND, 0, 1, true,
	0.0001},
    {"fixed", "paddle", AT(fixed_s[RUN_PADDLE]), UNIT_SECOND, 0, 1, true,
	0.0003},
    {"fixed", "compiled", AT(fixed_s[RUN_COMPILED]), UNIT_SECOND, 0, 1, true,
	0.0003},
    {"fixed", "eager", AT(fixed_s[RUN_EAGER]), UNIT_SECOND, 0, 1, true, 0.0005},
    {"host-join", NULL, AT(host_join), UNIT_NONE, 1, 16, false, 4},
    {"tuned", NULL, AT(tuned), UNIT_RATIO, 0.2, 2, true, 0.81},
    {"copy-rate", NULL, AT(copy_bytes_per_s), UNIT_BYTE_PER_S, 5e8, 2e10, true,
	4e9},
    {"train", "device", AT(train), UNIT_RATIO, 0.2, 5, true, 1.31},
    {"train", "host", AT(train_host), UNIT_RATIO, 1, 20, true, 3},
    {"power-exponent", "matrix", AT(power_exponent), UNIT_NONE, 0, 2, false,
	0.5},
    {"power-exponent", "shader", AT(power_exponent_shader), UNIT_NONE, 0.05, 1,
	true, 0.4},
    {"power-knee", "older", AT(power_knee), UNIT_NONE, 0.1, 10, true, 2.7},
    {"power-knee", "ampere", AT(power_knee_ampere), UNIT_NONE, 0.1, 10, true,
	2},
    {"power-knee", "ada", AT(power_knee_ada), UNIT_NONE, 0.1, 10, false, 1.35},
    {"generation", "hopper", AT(hopper), UNIT_RATIO, 0.2, 2, true, 1},
    {"generation", "blackwell-rtx", AT(blackwell_rtx), UNIT_RATIO, 0.2, 2, true,
	1},
};

const struct layer_constant *
layer_constants(int *n)
{
	*n = (int)(sizeof(constants) / sizeof(constants[0]));
	return constants;
}
