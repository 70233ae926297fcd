#include "data/layer_calibration.h"

#define AT(field) offsetof(struct layer_calibration, field)

static const struct layer_constant constants[] = {
    {"tile-half", NULL, AT(tile_half), UNIT_NONE, 1, 100, true},
    {"ceiling", "fp32", AT(ceiling[PREC_FP32]), UNIT_RATIO, 0.1, 3, true},
    {"ceiling", "tf32", AT(ceiling[PREC_TF32]), UNIT_RATIO, 0.1, 3, true},
    {"ceiling", "fp16", AT(ceiling[PREC_FP16]), UNIT_RATIO, 0.1, 3, true},
    {"ceiling", "bf16", AT(ceiling[PREC_BF16]), UNIT_RATIO, 0.1, 3, true},
    {"ceiling", "fp8", AT(ceiling[PREC_FP8]), UNIT_RATIO, 0.1, 3, false},
    {"ceiling", "int8", AT(ceiling[PREC_INT8]), UNIT_RATIO, 0.1, 3, true},
    {"wave-blend", NULL, AT(wave_blend), UNIT_RATIO, 0, 1, false},
    {"winograd", NULL, AT(winograd), UNIT_RATIO, 1, 2.25, true},
    {"grouped", NULL, AT(grouped), UNIT_RATIO, 0.01, 2, true},
    {"attention", NULL, AT(attention), UNIT_RATIO, 0.01, 2, true},
    {"depthwise", "fused", AT(depthwise_fused), UNIT_RATIO, 0.01, 2, true},
    {"depthwise", "eager", AT(depthwise_eager), UNIT_RATIO, 0.01, 2, true},
    {"half-on-shader", NULL, AT(half_on_shader), UNIT_RATIO, 0.1, 2, true},
    {"acc16-weight", NULL, AT(acc16), UNIT_RATIO, 0, 1, true},
    {"dram", "matrix", AT(dram[MOVE_MATRIX]), UNIT_RATIO, 0.05, 1.5, true},
    {"dram", "depthwise", AT(dram[MOVE_DEPTHWISE]), UNIT_RATIO, 0.05, 1.5,
	true},
    {"dram", "pass", AT(dram[MOVE_PASS]), UNIT_RATIO, 0.05, 1.5, true},
    {"dram", "reduce", AT(dram[MOVE_REDUCE]), UNIT_RATIO, 0.05, 1.5, true},
    {"sm-bytes", NULL, AT(sm_bytes), UNIT_NONE, 1, 200, true},
    {"memory-join", NULL, AT(memory_join), UNIT_NONE, 1, 8, false},
    {"eager-extra", NULL, AT(eager_extra), UNIT_RATIO, 0, 4, true},
    {"l2-half", NULL, AT(l2_half), UNIT_RATIO, 0.01, 10, false},
    {"l2-rate", NULL, AT(l2_rate), UNIT_RATIO, 1, 20, false},
    {"floor", "tuned", AT(floor_s[RUN_TUNED]), UNIT_SECOND, 1e-7, 1e-3, true},
    {"floor", "tensorrt", AT(floor_s[RUN_TENSORRT]), UNIT_SECOND, 1e-7, 1e-3,
	true},
    {"floor", "paddle", AT(floor_s[RUN_PADDLE]), UNIT_SECOND, 1e-7, 1e-3, true},
    {"floor", "compiled", AT(floor_s[RUN_COMPILED]), UNIT_SECOND, 1e-7, 1e-3,
	true},
    {"floor", "eager", AT(floor_s[RUN_EAGER]), UNIT_SECOND, 1e-7, 1e-3, true},
    {"floor-clock", NULL, AT(floor_hz), UNIT_HERTZ, 1e8, 1e10, false},
    {"host", "tuned", AT(host_s[RUN_TUNED]), UNIT_SECOND, 0, 1e-2, false},
    {"host", "tensorrt", AT(host_s[RUN_TENSORRT]), UNIT_SECOND, 0, 1e-2, false},
    {"host", "paddle", AT(host_s[RUN_PADDLE]), UNIT_SECOND, 0, 1e-2, false},
    {"host", "compiled", AT(host_s[RUN_COMPILED]), UNIT_SECOND, 0, 1e-2, true},
    {"host", "eager", AT(host_s[RUN_EAGER]), UNIT_SECOND, 0, 1e-2, true},
    {"fixed", "tuned", AT(fixed_s[RUN_TUNED]), UNIT_SECOND, 0, 1, true},
    {"fixed", "tensorrt", AT(fixed_s[RUN_TENSORRT]), UNIT_SECOND, 0, 1, true},
    {"fixed", "paddle", AT(fixed_s[RUN_PADDLE]), UNIT_SECOND, 0, 1, true},
    {"fixed", "compiled", AT(fixed_s[RUN_COMPILED]), UNIT_SECOND, 0, 1, true},
    {"fixed", "eager", AT(fixed_s[RUN_EAGER]), UNIT_SECOND, 0, 1, true},
    {"host-join", NULL, AT(host_join), UNIT_NONE, 1, 16, false},
    {"tuned", NULL, AT(tuned), UNIT_RATIO, 0.2, 2, true},
    {"power-exponent", NULL, AT(power_exponent), UNIT_NONE, 0, 2, false},
    {"power-knee", "older", AT(power_knee), UNIT_NONE, 0.1, 10, false},
    {"power-knee", "ada", AT(power_knee_ada), UNIT_NONE, 0.1, 10, false},
    {"generation", "hopper", AT(hopper), UNIT_RATIO, 0.2, 2, true},
    {"generation", "blackwell-rtx", AT(blackwell_rtx), UNIT_RATIO, 0.2, 2,
	true},
};

const struct layer_constant *
layer_constants(int *n)
{
	*n = (int)(sizeof(constants) / sizeof(constants[0]));
	return constants;
}
