/*
 * What the vendors need: the project file and its vendor files, resolved
 * against the catalogue.  Plain data in SI units; anything a vendor did not
 * say is a fact with known == false, and becomes a question in the report.
 */
#ifndef DATA_NEEDS_H
#define DATA_NEEDS_H

#include "base/diag.h"
#include "data/fact.h"
#include "data/gpu.h"
#include "data/network.h"

enum precision {
	PREC_FP32,
	PREC_TF32,
	PREC_FP16,
	PREC_BF16,
	PREC_FP8,
	PREC_INT8,
	PREC_N
};

/* Classes of inference runtime; each has its own overheads in the model. */
enum engine {
	ENGINE_TENSORRT, /* compiled, fused kernels; DeepStream, Triton+TRT */
	ENGINE_PADDLE,   /* Paddle Inference, with or without TensorRT */
	ENGINE_COMPILED, /* torch.compile, XLA, ONNX Runtime, OpenVINO */
	ENGINE_EAGER,    /* PyTorch or TensorFlow run op by op */
	ENGINE_OTHER,    /* unknown: treated as eager, tier assumed */
	ENGINE_N
};

/* What the vendor delivers. */
enum ships {
	SHIPS_UNKNOWN,
	SHIPS_ENGINE_FILES, /* tied to one compute capability */
	SHIPS_ONNX,         /* or another portable graph */
	SHIPS_FRAMEWORK     /* weights run by a framework build */
};

enum stream_kind {
	STREAM_VIDEO,  /* a camera: decoded at fps, analysed at analysed_fps */
	STREAM_IMAGES, /* pictures, pages, volumes that arrive at a rate */
};

struct stream {
	enum stream_kind kind;
	const char *name, *name_en; /* English may be NULL */
	int count;                  /* cameras, lines, stations */
	int width, height;          /* pixels; 0 if unknown */
	int depth;                  /* slices of a volume, else 1 */
	enum codec codec;
	double fps;            /* delivered by one source */
	double analysed_per_s; /* frames, images of one source analysed */
	struct fact objects_mean, objects_peak; /* per analysed frame */
	/* re-encoded output; CODEC_NONE if none */
	enum codec out_codec;
	int out_width, out_height;
	bool decoded_elsewhere; /* frames arrive decoded from the host */
	struct pos pos;
};

enum stage_kind {
	STAGE_NETWORK, /* a network of the catalogue or totals of its own */
	STAGE_WORK,    /* stated operations and bytes */
	STAGE_TIMED    /* stated seconds on a named card or processor */
};

enum stage_per { PER_FRAME, PER_OBJECT, PER_TILE };

struct stage {
	enum stage_kind kind;
	const char *name, *name_en;    /* English may be NULL */
	const struct network *network; /* NULL unless STAGE_NETWORK */
	struct network totals;         /* when the file states totals */
	int in_h, in_w;
	enum stage_per per;
	double times;            /* runs per frame, object or tile; default 1 */
	int stream;              /* index into vendor.streams, -1 for all */
	int tile, overlap;       /* pixels, for PER_TILE */
	struct fact flop, bytes; /* STAGE_WORK, per run */
	struct fact seconds;     /* STAGE_TIMED, per run at `batch`; unknown:
				  * nobody published it */
	const struct gpu *timed_on;
	int batch;                /* 0: not stated */
	enum precision precision; /* of this stage */
	bool on_host;
	const char *src; /* the vendor's or our source for the figures */
	struct pos pos;
};

struct measurement {
	const struct gpu *gpu;
	const char *stage; /* name of a stage, NULL: the whole pipeline */
	int batch;         /* 0 unknown */
	enum precision precision;
	enum engine engine;
	struct fact rate;    /* runs per second */
	struct fact latency; /* seconds of one batch */
	struct fact memory;  /* bytes seen on the card */
	const char *src;
	struct pos pos;
};

/* Several processes: 1 per card, n per card, or one per stream. */
enum process_layout { PROC_PER_CARD, PROC_PER_STREAM };

struct runtime {
	const char *engine_name;    /* as written */
	const char *engine_name_en; /* may be NULL */
	enum engine engine;
	const char *version; /* may be NULL */
	enum precision precision;
	int batch; /* 0: the model chooses (auto) */
	enum process_layout layout;
	int processes; /* per card, for PROC_PER_CARD; 0: not stated */
	enum ships ships;
	int built_for[32]; /* compute capabilities x 10 of binaries */
	int n_built_for;
	bool ptx_known, ptx;      /* the build holds PTX of the last one */
	const char *ecosystem;    /* "cuda" unless stated */
	struct fact cuda, driver; /* release major*100+minor; branch */
	struct fact driver_fixed; /* 1: the site cannot change the driver */
	struct pos pos, precision_pos, batch_pos; /* line 0: not stated */
};

struct vendor {
	const char *id, *name, *task;
	const char *task_en, *name_en; /* may be NULL */
	struct {
		const char *written;   /* the card as the vendor wrote it */
		const struct gpu *gpu; /* NULL when ambiguous */
		const struct gpu *candidates[16];
		int n_candidates;
		struct fact count;
		const char *reason, *reason_en;
		struct pos pos;
	} request;
	struct stream *streams;
	int n_streams;
	struct stage *stages;
	int n_stages;
	struct runtime runtime;
	struct {
		struct fact stated_min, stated_recommended; /* bytes, a card */
		struct fact peak; /* measured, one run of the pipeline */
		struct fact bank; /* resident data: galleries, memory banks */
		struct fact scratch; /* largest temporary, e.g. distances */
		const char *src;
	} memory;
	struct fact deadline_s;
	bool deadline_max;      /* of every frame; else of 95 in 100 */
	struct fact load_limit; /* allowed utilisation, 0..1 */
	bool needs_ecc, needs_vgpu;
	struct measurement *measured;
	int n_measured;
	const char **claims; /* free text the vendor asserts */
	int n_claims;
	struct pos pos;
	const struct source *file;
	bool left_out; /* by a setting: not among the project's vendors */
};

/* One device seen by nvidia-smi. */
struct device {
	const char *product;   /* as reported */
	const struct gpu *gpu; /* NULL: not matched */
	struct fact total_bytes;
	struct fact max_video_hz, power_limit_w;
	int slices; /* MIG devices, 0 if off */
	struct fact slice_bytes;
	bool healthy;
	const char *uuid;
};

struct inventory {
	const char *file;
	const char *driver, *cuda; /* may be NULL */
	struct device *devices;
	int n_devices;
};

struct price {
	const struct gpu *gpu;
	double amount;
	const char *currency;
	struct pos pos;
};

/* A value of a project or vendor file, set from outside. */
struct setting {
	const char *path;  /* see input/setting_in.h */
	const char *value; /* NULL: left out */
	struct pos pos;
};

/* A question to the project: what changes when these are set? */
struct what_if {
	const char *name, *name_en; /* English may be NULL */
	struct setting *set;
	int n_set;
	struct pos pos;
};

struct project {
	const char *id, *name, *name_en, *client, *client_en, *date;
	const char *author, *author_en; /* may be NULL */
	int edition;
	const char *languages[4];
	int n_languages;
	struct {
		struct fact slots; /* double-width slots of one server */
		struct fact slot_power_w;
		/* servers at most, watts of the cards of one, and of all
		 * cards */
		struct fact servers, server_power_w, power_w;
		enum cooling cooling;  /* PASSIVE: server air flow only */
		const struct gpu *cpu; /* baseline processor */
		int sockets;
		const char *deliver_to;
	} site;
	struct {
		bool share; /* vendors may share a card */
		bool in_production_required;
		bool domestic_only;
		int spare_per_pool;
		bool use_inventory; /* healthy cards on site serve too */
	} policy;
	struct inventory *inventories;
	int n_inventories;
	struct price *prices;
	int n_prices;
	struct vendor *vendors;
	int n_vendors;
	const struct source *file;
	struct what_if *what_ifs;
	int n_what_ifs;
	/* what was set when it was read: not in the files */
	const struct setting *settings;
	int n_settings;
};

const char *precision_id(enum precision p); /* "fp16" */
bool precision_parse(const char *s, enum precision *p);
const char *engine_id(enum engine e);
/* The class of a runtime as people name it; ENGINE_OTHER if unknown. */
enum engine engine_class(const char *name);
/* The software platform a runtime's name implies: "cuda" unless it names
 * another ("cann", "rocm", "oneapi" ...). */
const char *engine_ecosystem(const char *name);
const char *ships_id(enum ships s);

/* Tiles of one image side by side: ceil((side - overlap)/(tile - overlap)). */
int stage_tiles(const struct stage *s, const struct stream *st);

#endif
