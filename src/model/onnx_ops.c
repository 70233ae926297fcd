/*
 * The operators, and which rule each has.
 */
#include "base/str.h"
#include "model/onnx_parts.h"

#define PASS(name, act)                                                        \
	{                                                                      \
		name, onnx_same, LAYER_ACT, OP_ELEMENTWISE, act                \
	}
#define MATH(name)                                                             \
	{                                                                      \
		name, onnx_same, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE           \
	}
#define JOIN(name, word)                                                       \
	{                                                                      \
		name, onnx_elementwise, word, OP_ELEMENTWISE, ACT_NONE         \
	}
#define REDUCE(name)                                                           \
	{                                                                      \
		name, onnx_reduce, LAYER_POOL, OP_POOL, ACT_NONE               \
	}
#define MOVE(name, rule, word, cls)                                            \
	{                                                                      \
		name, rule, word, cls, ACT_NONE                                \
	}
#define OTHER(name, rule)                                                      \
	{                                                                      \
		name, rule, LAYER_SAMPLE, OP_ELEMENTWISE, ACT_NONE             \
	}

static const struct onnx_op standard[] = {
    {"Conv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"QLinearConv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"ConvInteger", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"DeformConv", onnx_deform_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"ConvTranspose", onnx_conv_transpose, LAYER_DECONV, OP_CONV, ACT_NONE},
    {"Gemm", onnx_gemm, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"MatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"MatMulInteger", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"QLinearMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"Einsum", onnx_einsum, LAYER_ATTENTION, OP_ATTENTION, ACT_NONE},
    {"Attention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION, ACT_NONE},
    {"LSTM", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},
    {"GRU", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},
    {"RNN", onnx_recurrent, LAYER_LSTM, OP_LINEAR, ACT_NONE},

    PASS("Relu", ACT_RELU),
    PASS("LeakyRelu", ACT_LEAKY),
    {"PRelu", onnx_prelu, LAYER_ACT, OP_ELEMENTWISE, ACT_PRELU},
    PASS("Sigmoid", ACT_SIGMOID),
    PASS("HardSigmoid", ACT_HSIGMOID),
    PASS("HardSwish", ACT_HSWISH),
    PASS("Swish", ACT_SILU),
    PASS("Gelu", ACT_GELU),
    PASS("Tanh", ACT_TANH),
    PASS("Mish", ACT_MISH),
    PASS("Clip", ACT_RELU6),
    MATH("Elu"),
    MATH("Selu"),
    MATH("Celu"),
    MATH("ThresholdedRelu"),
    MATH("Softplus"),
    MATH("Softsign"),
    MATH("Erf"),
    MATH("Abs"),
    MATH("Neg"),
    MATH("Exp"),
    MATH("Log"),
    MATH("Sqrt"),
    MATH("Reciprocal"),
    MATH("Floor"),
    MATH("Ceil"),
    MATH("Round"),
    MATH("Sign"),
    MATH("Sin"),
    MATH("Cos"),
    MATH("Tan"),
    MATH("Asin"),
    MATH("Acos"),
    MATH("Atan"),
    MATH("Sinh"),
    MATH("Cosh"),
    MATH("Asinh"),
    MATH("Acosh"),
    MATH("Atanh"),
    MATH("BitwiseNot"),
    MATH("Shrink"),
    MATH("Bernoulli"),
    {"Not", onnx_test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"IsNaN", onnx_test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"IsInf", onnx_test, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"Cast", onnx_cast, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},
    {"CastLike", onnx_cast, LAYER_ACT, OP_ELEMENTWISE, ACT_NONE},

    JOIN("Add", LAYER_ADD),
    JOIN("Sub", LAYER_ADD),
    JOIN("Sum", LAYER_ADD),
    JOIN("Mean", LAYER_ADD),
    JOIN("Mul", LAYER_MUL),
    JOIN("Div", LAYER_MUL),
    JOIN("Pow", LAYER_MUL),
    JOIN("Mod", LAYER_MUL),
    JOIN("Min", LAYER_MUL),
    JOIN("Max", LAYER_MUL),
    JOIN("And", LAYER_MUL),
    JOIN("Or", LAYER_MUL),
    JOIN("Xor", LAYER_MUL),
    JOIN("Equal", LAYER_MUL),
    JOIN("Less", LAYER_MUL),
    JOIN("Greater", LAYER_MUL),
    JOIN("LessOrEqual", LAYER_MUL),
    JOIN("GreaterOrEqual", LAYER_MUL),
    JOIN("BitShift", LAYER_MUL),
    JOIN("BitwiseAnd", LAYER_MUL),
    JOIN("BitwiseOr", LAYER_MUL),
    JOIN("BitwiseXor", LAYER_MUL),
    JOIN("Where", LAYER_MUL),

    {"BatchNormalization", onnx_batch_norm, LAYER_NORM, OP_ELEMENTWISE,
	ACT_NONE},
    {"LayerNormalization", onnx_layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"RMSNormalization", onnx_layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"SimplifiedLayerNormalization", onnx_layer_norm, LAYER_NORM, OP_NORM,
	ACT_NONE},
    {"GroupNormalization", onnx_group_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"InstanceNormalization", onnx_group_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"Softmax", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LogSoftmax", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"Hardmax", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LRN", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"LpNormalization", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"MeanVarianceNormalization", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},

    {"MaxPool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"AveragePool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"LpPool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
    {"GlobalAveragePool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    {"GlobalMaxPool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    {"GlobalLpPool", onnx_global_pool, LAYER_GAP, OP_POOL, ACT_NONE},
    REDUCE("ReduceMean"),
    REDUCE("ReduceSum"),
    REDUCE("ReduceMax"),
    REDUCE("ReduceMin"),
    REDUCE("ReduceProd"),
    REDUCE("ReduceL1"),
    REDUCE("ReduceL2"),
    REDUCE("ReduceLogSum"),
    REDUCE("ReduceLogSumExp"),
    REDUCE("ReduceSumSquare"),
    {"ArgMax", onnx_arg_max, LAYER_POOL, OP_POOL, ACT_NONE},
    {"ArgMin", onnx_arg_max, LAYER_POOL, OP_POOL, ACT_NONE},
    {"TopK", onnx_top_k, LAYER_POOL, OP_POOL, ACT_NONE},
    {"CumSum", onnx_same, LAYER_POOL, OP_POOL, ACT_NONE},

    MOVE("Identity", onnx_identity, LAYER_RESHAPE, OP_VIEW),
    MOVE("Dropout", onnx_identity, LAYER_RESHAPE, OP_VIEW),
    MOVE("Reshape", onnx_reshape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Flatten", onnx_flatten, LAYER_RESHAPE, OP_VIEW),
    MOVE("Squeeze", onnx_squeeze, LAYER_RESHAPE, OP_VIEW),
    MOVE("Unsqueeze", onnx_unsqueeze, LAYER_RESHAPE, OP_VIEW),
    MOVE("Split", onnx_split, LAYER_SLICE, OP_VIEW),
    MOVE("Slice", onnx_slice, LAYER_SLICE, OP_VIEW),
    MOVE("Transpose", onnx_transpose, LAYER_REARRANGE, OP_COPY),
    MOVE("Concat", onnx_concat, LAYER_CONCAT, OP_COPY),
    MOVE("Gather", onnx_gather, LAYER_REARRANGE, OP_COPY),
    MOVE("GatherND", onnx_gather_nd, LAYER_REARRANGE, OP_COPY),
    MOVE("GatherElements", onnx_gather_elements, LAYER_REARRANGE, OP_COPY),
    MOVE("Scatter", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("ScatterND", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("ScatterElements", onnx_scatter, LAYER_REARRANGE, OP_COPY),
    MOVE("Expand", onnx_expand_to, LAYER_REARRANGE, OP_COPY),
    MOVE("Tile", onnx_tile, LAYER_REARRANGE, OP_COPY),
    MOVE("Pad", onnx_pad, LAYER_REARRANGE, OP_COPY),
    MOVE("DepthToSpace", onnx_depth_space, LAYER_REARRANGE, OP_COPY),
    MOVE("SpaceToDepth", onnx_depth_space, LAYER_REARRANGE, OP_COPY),
    MOVE("Trilu", onnx_same, LAYER_REARRANGE, OP_COPY),
    MOVE("ReverseSequence", onnx_same, LAYER_REARRANGE, OP_COPY),

    MOVE("Shape", onnx_shape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Size", onnx_size, LAYER_RESHAPE, OP_VIEW),
    MOVE("Constant", onnx_constant, LAYER_RESHAPE, OP_VIEW),
    MOVE("ConstantOfShape", onnx_constant_of_shape, LAYER_RESHAPE, OP_VIEW),
    MOVE("Range", onnx_range, LAYER_RESHAPE, OP_COPY),
    MOVE("EyeLike", onnx_made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomNormal", onnx_made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomUniform", onnx_made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomNormalLike", onnx_made_up, LAYER_REARRANGE, OP_COPY),
    MOVE("RandomUniformLike", onnx_made_up, LAYER_REARRANGE, OP_COPY),

    MOVE("Resize", onnx_resize, LAYER_RESIZE, OP_ELEMENTWISE),
    MOVE("Upsample", onnx_resize, LAYER_RESIZE, OP_ELEMENTWISE),
    OTHER("GridSample", onnx_grid_sample),
    OTHER("OneHot", onnx_one_hot),
    OTHER("NonMaxSuppression", onnx_non_max),
    OTHER("NonZero", onnx_non_zero),
    OTHER("Compress", onnx_compress),
    OTHER("Unique", onnx_compress),
    MOVE("RoiAlign", onnx_roi_align, LAYER_ROI, OP_ELEMENTWISE),
    MOVE("MaxRoiPool", onnx_roi_align, LAYER_ROI, OP_ELEMENTWISE),

    MOVE("QuantizeLinear", onnx_quantize, LAYER_RESHAPE, OP_VIEW),
    MOVE("DequantizeLinear", onnx_dequantize, LAYER_RESHAPE, OP_VIEW),
    OTHER("DynamicQuantizeLinear", onnx_dynamic_quantize),

    OTHER("If", onnx_if),
    OTHER("Loop", onnx_loop),
    OTHER("Scan", onnx_scan),
};

/* What ONNX Runtime adds when it writes an optimised file. */
static const struct onnx_op microsoft[] = {
    {"FusedConv", onnx_conv, LAYER_CONV, OP_CONV, ACT_NONE},
    {"FusedGemm", onnx_gemm, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"FusedMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"DynamicQuantizeMatMul", onnx_matmul, LAYER_LINEAR, OP_LINEAR, ACT_NONE},
    {"Attention", onnx_packed_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    {"MultiHeadAttention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    {"GroupQueryAttention", onnx_attention, LAYER_ATTENTION, OP_ATTENTION,
	ACT_NONE},
    PASS("FastGelu", ACT_GELU),
    PASS("QuickGelu", ACT_GELU),
    {"BiasGelu", onnx_bias_join, LAYER_ACT, OP_ELEMENTWISE, ACT_GELU},
    {"SkipLayerNormalization", onnx_layer_norm, LAYER_NORM, OP_NORM, ACT_NONE},
    {"SkipSimplifiedLayerNormalization", onnx_layer_norm, LAYER_NORM, OP_NORM,
	ACT_NONE},
    {"QLinearAdd", onnx_join_quantised, LAYER_ADD, OP_ELEMENTWISE, ACT_NONE},
    {"QLinearMul", onnx_join_quantised, LAYER_MUL, OP_ELEMENTWISE, ACT_NONE},
    PASS("QLinearSigmoid", ACT_SIGMOID),
    PASS("QLinearLeakyRelu", ACT_LEAKY),
    {"QLinearSoftmax", onnx_same, LAYER_SOFTMAX, OP_NORM, ACT_NONE},
    {"QLinearGlobalAveragePool", onnx_global_pool, LAYER_GAP, OP_POOL,
	ACT_NONE},
    {"QLinearAveragePool", onnx_pool, LAYER_POOL, OP_POOL, ACT_NONE},
};

static const struct onnx_op *
find(const struct onnx_op *ops, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(ops[i].name, name))
			return &ops[i];
	return NULL;
}

const struct onnx_op *
onnx_op_find(const char *domain, const char *name)
{
	const struct onnx_op *op = NULL;

	if (str_equal(domain, "com.microsoft"))
		op = find(microsoft, sizeof(microsoft) / sizeof(microsoft[0]),
		    name);
	else if (*domain)
		return NULL;
	return op ? op
		  : find(standard, sizeof(standard) / sizeof(standard[0]),
			name);
}
