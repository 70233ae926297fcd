#include <stddef.h>

#include "base/str.h"
#include "data/gpu.h"
#include "data/network.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define F(field)    offsetof(struct gpu, field)

#define MEGA 1e-6
#define GIGA 1e-9
#define TERA 1e-12
#define MEBI (1.0 / 1048576)
#define GIBI (1.0 / 1073741824)

static const struct gpu_figure figures[] = {
    {"sm", "streaming multiprocessors", F(sm), UNIT_COUNT, 1, 0, ""},
    {"cores", "shader cores", F(cores), UNIT_COUNT, 1, 0, ""},
    {"tensor-cores", "tensor cores", F(tensor_cores), UNIT_COUNT, 1, 0, ""},
    {"base", "base clock", F(base_hz), UNIT_HERTZ, MEGA, 0, "MHz"},
    {"boost", "boost clock", F(boost_hz), UNIT_HERTZ, MEGA, 0, "MHz"},
    {"tensor-clock", "tensor clock", F(tensor_hz), UNIT_HERTZ, MEGA, 0, "MHz"},
    {"size", "memory", F(memory_bytes), UNIT_BYTE, GIBI, 0, "GiB"},
    {"usable", "memory the driver reports", F(usable_bytes), UNIT_BYTE, MEBI, 0,
	"MiB"},
    {"bus", "memory bus", F(bus_bits), UNIT_BIT, 1, 0, "bit"},
    {"transfers", "transfers per pin", F(transfers), UNIT_PER_S, GIGA, 3,
	"GT/s"},
    {"bandwidth", "memory bandwidth", F(bandwidth), UNIT_BYTE_PER_S, GIGA, 1,
	"GB/s"},
    {"l2", "L2 cache", F(l2_bytes), UNIT_BYTE, MEBI, 1, "MiB"},
    {"llc", "last-level cache", F(llc_bytes), UNIT_BYTE, MEBI, 1, "MiB"},
    {"fp32", "FP32", F(peak[PEAK_FP32]), UNIT_FLOP_PER_S, TERA, 2, "TFLOPS"},
    {"fp16", "FP16", F(peak[PEAK_FP16]), UNIT_FLOP_PER_S, TERA, 2, "TFLOPS"},
    {"tf32-tensor", "TF32 tensor", F(peak[PEAK_TF32_TENSOR]), UNIT_FLOP_PER_S,
	TERA, 1, "TFLOPS dense"},
    {"fp16-tensor", "FP16 tensor, FP32 accumulate", F(peak[PEAK_FP16_TENSOR]),
	UNIT_FLOP_PER_S, TERA, 1, "TFLOPS dense"},
    {"fp16-tensor-acc16", "FP16 tensor, FP16 accumulate",
	F(peak[PEAK_FP16_TENSOR_ACC16]), UNIT_FLOP_PER_S, TERA, 1,
	"TFLOPS dense"},
    {"bf16-tensor", "BF16 tensor", F(peak[PEAK_BF16_TENSOR]), UNIT_FLOP_PER_S,
	TERA, 1, "TFLOPS dense"},
    {"fp8-tensor", "FP8 tensor, FP32 accumulate", F(peak[PEAK_FP8_TENSOR]),
	UNIT_FLOP_PER_S, TERA, 1, "TFLOPS dense"},
    {"fp8-tensor-acc16", "FP8 tensor, FP16 accumulate",
	F(peak[PEAK_FP8_TENSOR_ACC16]), UNIT_FLOP_PER_S, TERA, 1,
	"TFLOPS dense"},
    {"int8-tensor", "INT8", F(peak[PEAK_INT8_TENSOR]), UNIT_FLOP_PER_S, TERA, 1,
	"TOPS dense"},
    {"power", "board power", F(power_w), UNIT_WATT, 1, 0, "W"},
    {"slots", "slots", F(slots), UNIT_COUNT, 1, 0, ""},
    {"decoders", "decode engines", F(decoders), UNIT_COUNT, 1, 0, ""},
    {"generation", "decode generation", F(decoder_generation), UNIT_COUNT, 1, 0,
	""},
    {"encoders", "encode engines", F(encoders), UNIT_COUNT, 1, 0, ""},
    {"sessions", "encode sessions allowed", F(encode_sessions), UNIT_COUNT, 1,
	0, ""},
    {"clock", "video clock", F(video_hz), UNIT_HERTZ, MEGA, 0, "MHz"},
    {"ecc", "ECC", F(ecc), UNIT_NONE, 1, 0, "yes/no"},
    {"mig", "MIG", F(mig), UNIT_NONE, 1, 0, "yes/no"},
    {"price-usd", "launch price", F(price_usd), UNIT_MONEY, 1, 0, "USD"},
};

const struct gpu_figure *
gpu_figures(int *n)
{
	*n = N_OF(figures);
	return figures;
}

const struct gpu_figure *
gpu_figure_find(const char *id)
{
	for (int i = 0; i < N_OF(figures); i++)
		if (str_equal(figures[i].id, id))
			return &figures[i];
	return NULL;
}

bool
gpu_is_geforce(const struct gpu *g)
{
	return g->vendor == VENDOR_NVIDIA && g->family &&
	       str_starts(g->family, "GeForce");
}

struct pos
catalog_place(const struct catalog *c, enum place_kind kind, const void *item,
    const struct fact *f)
{
	const char *base = kind == PLACE_GPU       ? (const char *)c->gpus
			   : kind == PLACE_NETWORK ? (const char *)c->networks
						   : (const char *)c->archs;
	size_t size = kind == PLACE_GPU       ? sizeof(struct gpu)
		      : kind == PLACE_NETWORK ? sizeof(struct network)
					      : sizeof(struct arch);
	int index = (int)((size_t)((const char *)item - base) / size);
	size_t offset = (size_t)((const char *)f - (const char *)item);

	for (int i = c->n_places - 1; i >= 0; i--) {
		const struct figure_place *p = &c->places[i];

		if (p->kind == kind && p->item == index && p->offset == offset)
			return pos_at(p->src, p->at);
	}
	return kind == PLACE_GPU       ? c->gpus[index].pos
	       : kind == PLACE_NETWORK ? c->networks[index].pos
				       : c->archs[index].pos;
}
