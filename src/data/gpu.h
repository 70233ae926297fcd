/*
 * The catalogue of cards and processors, as plain structs.
 *
 * All peaks are dense.  A card is one product with one memory size; a board
 * with several devices has the figures of ONE device and `devices` > 1.
 */
#ifndef DATA_GPU_H
#define DATA_GPU_H

#include "base/diag.h"
#include "data/fact.h"

struct arena;
struct str;

enum gpu_vendor {
	VENDOR_NVIDIA,
	VENDOR_AMD,
	VENDOR_INTEL,
	VENDOR_HUAWEI,
	VENDOR_OTHER
};

enum segment {
	SEGMENT_CONSUMER,    /* GeForce, Radeon RX, Arc */
	SEGMENT_WORKSTATION, /* Quadro, RTX A/Ada/PRO, Radeon PRO */
	SEGMENT_DATACENTER,
	SEGMENT_EDGE, /* Jetson modules */
	SEGMENT_CPU
};

enum cooling { COOLING_UNKNOWN, COOLING_ACTIVE, COOLING_PASSIVE };

/* Rates a peak can be given for.  ACC16/ACC32: accumulate type. */
enum peak {
	PEAK_FP32, /* shader cores */
	PEAK_FP16, /* shader cores */
	PEAK_TF32_TENSOR,
	PEAK_FP16_TENSOR, /* FP32 accumulate */
	PEAK_FP16_TENSOR_ACC16,
	PEAK_BF16_TENSOR,
	PEAK_FP8_TENSOR, /* FP32 accumulate */
	PEAK_FP8_TENSOR_ACC16,
	PEAK_INT8_TENSOR, /* matrix unit, or DP4A where there is none */
	PEAK_N
};

enum codec {
	CODEC_NONE,
	CODEC_H264,
	CODEC_HEVC,
	CODEC_HEVC10,
	CODEC_VP9,
	CODEC_AV1,
	CODEC_N
};

/*
 * Facts of a compute capability, once for all its cards
 * (catalog/architectures.xml).
 */
struct arch {
	const char *id;   /* "turing" */
	const char *name; /* "Turing" */
	int cc;           /* compute capability x 10; 0 if not NVIDIA */
	/* CUDA toolkit releases, major x 100 + minor; known=false: open */
	struct fact cuda_first, cuda_last;
	/* driver branches (470 ...): the oldest that knows the chip, and the
	 * last that supports it (known=false: open) */
	struct fact driver_first, driver_last;
	/* 1920x1080 frames/s of one decode engine at `video_hz` */
	struct fact decode_fps[CODEC_N];
	struct fact encode_fps; /* HEVC 1080p, fastest preset */
	struct fact video_hz;   /* clock of the engine in that measurement */
	struct fact decoder_generation;
	/* Dense multiply-adds per clock and SM (CU, Xe-core, CPU core), and
	 * what a GeForce card gets where NVIDIA allows it less. */
	struct fact rate[PEAK_N], rate_geforce[PEAK_N];
	struct fact cores_per_sm, tensor_per_sm;
	/* per SM, except what one block may have at most */
	struct fact warps, threads, blocks, registers, shared_bytes,
	    block_shared_bytes;
	struct arch_support *supports;
	int n_supports;
	struct pos pos;
};

/* Releases of a library that know the chip; a blank end is open. */
struct arch_support {
	const char *software;    /* "tensorrt", "rocm", "cann" ... */
	struct fact first, last; /* major x 100 + minor */
	struct pos pos;
};

/* A dated statement about supply, licence or policy: shown, never computed. */
struct gpu_note {
	const char *kind; /* "licence", "supply", "support", "remark" */
	const char *date; /* ISO, may be NULL */
	const char *region;
	const char *text_zh, *text_en;
	const char *src;
};

/*
 * A figure that breaks a rule of the linter and is right all the same, with
 * the reason.  One that excuses nothing is itself a finding.
 */
struct waiver {
	const char *rule, *reason, *src;
	struct pos pos;
};

struct gpu {
	const char *id;   /* "nvidia-t4": vendor-name-variant */
	const char *name; /* "NVIDIA T4" */
	const char **aliases;
	int n_aliases;
	/* ids other data sets use for this card: they act like `id` */
	const char **other_ids;
	int n_other_ids;
	enum gpu_vendor vendor;
	const char *vendor_name;
	const char *family; /* "GeForce RTX 40" */
	enum segment segment;
	const struct arch *arch; /* NULL: architecture not in the file */
	const char *arch_name;   /* "Ada Lovelace" */
	int cc;                  /* compute capability x 10; 0 if none */
	const char *software;    /* "cuda", "rocm", "oneapi", "cann" ... */
	const char *launched;    /* ISO date or NULL */
	const char *form;        /* as printed: "2-slot", "SXM4 module" */
	const char *link;        /* "PCIe 4.0 x16" */
	const char *connectors;  /* power: "2x 8-pin"; NULL if not known */
	const char *memory_kind; /* "GDDR6", "HBM2e" */
	enum cooling cooling;
	bool on_board; /* a slot card: not SXM, OAM, module, socket */
	bool in_production_known, in_production;
	int devices; /* on one board, usually 1 */

	struct fact sm, cores, tensor_cores;
	struct fact base_hz, boost_hz, tensor_hz;
	struct fact memory_bytes;        /* as marketed, GiB */
	struct fact usable_bytes;        /* what the driver reports, if read */
	struct fact bus_bits, bandwidth; /* byte/s */
	struct fact transfers;           /* per second and pin of the memory */
	struct fact l2_bytes, llc_bytes;
	struct fact peak[PEAK_N]; /* FLOP/s */
	/* power_w, slots, link and price_usd are those of the whole board */
	struct fact power_w;
	struct fact slots; /* width of the board */
	struct fact decoders, encoders, decoder_generation, video_hz;
	struct fact encode_sessions; /* concurrent limit of the driver */
	struct fact ecc, mig;        /* 1 yes, 0 no */
	struct fact price_usd;       /* launch list price */

	struct gpu_note *notes;
	int n_notes;
	struct waiver *waivers;
	int n_waivers;
	struct pos pos;
};

struct source_ref {
	const char *id, *title, *publisher, *where, *date;
	/* What a list of networks counts: "mac", "flop"; NULL if it has none. */
	const char *counts;
	/* A vendor document read directly: SURE_VENDOR; B quoted or compiled
	 * and C a single claim: SURE_ONE; a formula: SURE_DERIVED */
	enum certainty grade;
	char letter; /* 'A', 'B', 'C', or 'F' for a formula */
	struct pos pos;
};

/*
 * Where figures stand, kept beside them so that a fact stays small.  The
 * position is counted out when somebody asks for it.
 */
enum place_kind { PLACE_GPU, PLACE_NETWORK, PLACE_ARCH };
struct figure_place {
	enum place_kind kind;
	int item;        /* index of the card, network or architecture */
	unsigned offset; /* of the fact in its struct */
	const struct source *src;
	size_t at;
};

/* What a later catalogue folder changed in a card of an earlier one. */
struct catalog_change {
	int gpu;
	const char *figure; /* id of the figure; NULL: the card is new */
	struct fact before, after;
	struct pos pos;
};

struct catalog {
	struct gpu *gpus; /* CPUs too: SEGMENT_CPU */
	int n_gpus;
	struct arch *archs;
	int n_archs;
	struct network *networks;
	int n_networks;
	struct source_ref *sources;
	int n_sources;
	struct figure_place *places;
	int n_places;
	struct catalog_change *changes;
	int n_changes;
	/* name index built by catalog_index; private to gpu.c */
	struct catalog_names *names;
};

/* Build the name index; call once after all files are read. */
void catalog_index(struct arena *a, struct catalog *c);

/*
 * Cards called `name`: id, name or alias, without regard to case, spaces,
 * hyphens, and a leading vendor or brand word; a memory size at the end
 * ("T4 16GB", "A100 80G") chooses among the variants.  Returns how many
 * match exactly (0, 1 or more when the name is ambiguous) and stores up to
 * `max`.  An id always wins over names.  A name cut off with "..." matches
 * nothing.
 */
int catalog_find(const struct catalog *c, const char *name,
    const struct gpu **found, int max);
/* The card with this id (or one of its other ids), or NULL. */
const struct gpu *catalog_gpu(const struct catalog *c, const char *id);
const struct source_ref *
catalog_source(const struct catalog *c, const char *id);
/*
 * Where the figure `f`, a member of `item`, was read; the position of the
 * item when it was computed or never given.
 */
struct pos catalog_place(const struct catalog *c, enum place_kind kind,
    const void *item, const struct fact *f);

/*
 * What a figure of a card is called and how it is shown: value x scale with
 * `digits` decimals and the unit `shown`.
 */
struct gpu_figure {
	const char *id, *label;
	size_t at; /* of the fact in struct gpu */
	enum unit unit;
	double scale;
	int digits;
	const char *shown;
};
const struct gpu_figure *gpu_figures(int *n);
const struct gpu_figure *gpu_figure_find(const char *id); /* NULL: none */
static inline struct fact *
gpu_fact(const struct gpu *g, const struct gpu_figure *f)
{
	return (struct fact *)((char *)g + f->at);
}

/* A GeForce card: the product line whose tensor rate NVIDIA halves. */
bool gpu_is_geforce(const struct gpu *g);

/* A near name for "did you mean", or NULL. */
const char *catalog_near(const struct catalog *c, const char *name);

const char *vendor_id(enum gpu_vendor v);
const char *segment_id(enum segment s);
bool segment_parse(const char *s, enum segment *seg);
const char *peak_id(enum peak p);
const char *codec_id(enum codec c);
bool codec_parse(const char *s, enum codec *c); /* "H.265", "hevc" ... */

#endif
