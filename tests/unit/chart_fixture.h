/*
 * A results tree and figure blocks for the tests of charts: made up, but
 * with the paths and units of decide/outcome.h.
 */
#ifndef CHART_FIXTURE_H
#define CHART_FIXTURE_H

#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/results.h"
#include "doc/doc.h"

#define GIB 1073741824.0

struct fixture_size {
	int vendors, cards;
	bool long_names;
	double stretch; /* factors and loads are raised to this power */
};

static const char *const fixture_kinds[] = {"matrix", "dials", "dials-all",
    "roofline", "gauges", "memory", "market", "plan", "cpu-gpu", "families",
    "what-if"};
enum { FIXTURE_KINDS = 11 };

static const struct label fixture_labels_zh[] = {
    {"chart.matrix.key.pass", "通过，数字为所需张数"},
    {"chart.matrix.key.ask", "需向厂家确认"},
    {"chart.matrix.key.fail", "不满足，注明首要原因"},
    {"chart.matrix.key.reason", "原因："},
    {"chart.matrix.key.requested", "厂家要求的型号"},
    {"chart.matrix.key.planned", "方案采用的型号"},
    {"chart.dials.start", "本项目几何平均"},
    {"chart.dials.x", "相对需求，对数刻度"},
    {"chart.dials-all.ratio", "合计"},
    {"chart.dials-all.x",
	"各厂家相对本项目几何平均的倍数，对数刻度；实心为高于平均，空心为低于平均。四项相乘等于合计。"},
    {"chart.roofline.x", "运算强度，FLOP/字节"},
    {"chart.roofline.y", "每秒可完成的运算"},
    {"chart.roofline.roof.bandwidth", "显存带宽上限"},
    {"chart.roofline.roof.compute", "算力上限"},
    {"chart.roofline.note",
	"圆面积为该环节占用显卡时间的比例；虚线为离上限的距离。"},
    {"chart.gauges.x", "占允许负荷的比例"},
    {"chart.gauges.limit", "允许负荷"},
    {"chart.gauges.over", "超出部分"},
    {"chart.gauges.need", "需要"},
    {"chart.gauges.have", "可用（张卡）"},
    {"role.requested", "厂家要求"},
    {"role.smallest", "够用的最小型号"},
    {"role.cheapest", "够用的最低价型号"},
    {"role.nearest", "最接近但不够的型号"},
    {"role.other", "其他厂家要求"},
    {"role.plan", "方案采用"},
    {"chart.memory.x", "显存"},
    {"chart.memory.total", "合计"},
    {"chart.memory.stated_min", "厂家声明的最低值"},
    {"chart.memory.stated_recommended", "厂家声明的推荐值"},
    {"chart.market.x", "FP16 算力（稠密）"},
    {"chart.market.y", "显存带宽"},
    {"chart.market.key.planned", "方案采用"},
    {"chart.market.key.requested", "厂家要求"},
    {"chart.plan.x", "张卡"},
    {"chart.plan.spare", "备用卡"},
    {"chart.plan.free", "余量"},
    {"chart.cpu-gpu.cpu", "CPU 服务器"},
    {"chart.cpu-gpu.gpu", "GPU 卡"},
    {"chart.cpu-gpu.units", "完成本项目所需数量"},
    {"chart.cpu-gpu.cores", "运算核心数"},
    {"chart.cpu-gpu.flop_per_s", "峰值算力"},
    {"chart.cpu-gpu.bandwidth", "内存带宽"},
    {"chart.cpu-gpu.log", "对数刻度，每格 10 倍"},
    {"chart.what-if.x", "张数"},
    {"chart.what-if.now", "现在"},
    {"chart.what-if.own", "已有"},
    {"chart.families.x", "实心为满足要求的型号，空心为不满足的型号。"},
    {"dial.algorithm", "算法设计"},
    {"dial.data", "数据规模"},
    {"dial.realtime", "实时要求"},
    {"dial.optimisation", "优化与定制"},
    {"resource.compute", "计算时间"},
    {"resource.decode", "视频解码"},
    {"resource.encode", "视频编码"},
    {"resource.memory", "显存"},
    {"resource.link", "主机链路"},
    {"memory-part.weights", "权重"},
    {"memory-part.activations", "激活"},
    {"memory-part.context", "运行环境"},
    {"memory-part.surfaces", "解码缓冲"},
    {"memory-part.bank", "特征库"},
    {"memory-part.scratch", "临时空间"},
    {"memory-part.reserve", "预留"},
    {"bound.compute", "受算力限制"},
    {"bound.bandwidth", "受带宽限制"},
    {"bound.launch", "受启动开销限制"},
    {"bound.host", "受主机限制"},
    {"segment.consumer", "消费级"},
    {"segment.workstation", "工作站"},
    {"segment.datacenter", "数据中心"},
    {"segment.edge", "边缘模块"},
    {"segment.cpu", "处理器"},
    {"gate.memory", "显存"},
    {"gate.decode", "解码"},
    {"gate.software", "软件"},
    {"gate.deadline", "时限"},
    {"gate.supply", "供货"},
    {"chart.matrix.first-gate", "每格只注明第一道不过的门槛。"},
    {"chart.gauges.no-load", "没有用量，只比较显存。"},
    {"chart.memory.short", "不够"},
    {"chart.memory.neighbour", "相邻容量"},
    {"chart.roofline.acc.fp16", "FP16累加"},
    {"chart.roofline.acc.fp32", "FP32累加"},
    {"chart.plan.headroom", "负荷上限以上"},
    {"chart.plan.rounding", "取整余下"},
    {"chart.plan.unknown", "用量不明"},
    {"chart.market.maker.nvidia", "NVIDIA"},
    {"chart.market.maker.amd", "AMD"},
    {"chart.market.maker.intel", "Intel"},
    {"chart.market.maker.domestic", "国产"},
    {"chart.cpu-gpu.larger", "较大一方是另一方的"},
};

static const struct label fixture_labels_en[] = {
    {"chart.matrix.key.pass", "passes, with the number of cards"},
    {"chart.matrix.key.ask", "to be asked"},
    {"chart.matrix.key.fail", "fails, with the first reason"},
    {"chart.matrix.key.reason", "Reasons:"},
    {"chart.matrix.key.requested", "asked for by the vendor"},
    {"chart.matrix.key.planned", "in the plan"},
    {"chart.dials.start", "Geometric mean of the project"},
    {"chart.dials.x", "Relative demand, log scale"},
    {"chart.dials-all.ratio", "Total"},
    {"chart.dials-all.x",
	"Factors against the geometric mean of the project, log scale."},
    {"chart.roofline.x", "Arithmetic intensity, FLOP per byte"},
    {"chart.roofline.y", "Attained arithmetic rate"},
    {"chart.roofline.roof.bandwidth", "Memory bandwidth"},
    {"chart.roofline.roof.compute", "Peak"},
    {"chart.roofline.note",
	"Area: share of the device's time. Dotted: distance to the roof."},
    {"chart.gauges.x", "Share of the allowed load"},
    {"chart.gauges.limit", "Allowed load"},
    {"chart.gauges.over", "Over the limit"},
    {"chart.gauges.need", "Need"},
    {"chart.gauges.have", "have (cards)"},
    {"role.requested", "asked for"},
    {"role.smallest", "smallest that suffices"},
    {"role.cheapest", "cheapest that suffices"},
    {"role.nearest", "nearest that fails"},
    {"role.other", "asked for by others"},
    {"role.plan", "planned"},
    {"chart.memory.x", "Memory of the card"},
    {"chart.memory.total", "Total"},
    {"chart.memory.stated_min", "stated minimum"},
    {"chart.memory.stated_recommended", "stated recommendation"},
    {"chart.market.x", "FP16 rate (dense)"},
    {"chart.market.y", "Memory bandwidth"},
    {"chart.market.key.planned", "planned"},
    {"chart.market.key.requested", "asked for"},
    {"chart.plan.x", "cards"},
    {"chart.plan.spare", "spare"},
    {"chart.plan.free", "headroom"},
    {"chart.cpu-gpu.cpu", "CPU servers"},
    {"chart.cpu-gpu.gpu", "GPU cards"},
    {"chart.cpu-gpu.units", "Units for the whole project"},
    {"chart.cpu-gpu.cores", "Arithmetic cores"},
    {"chart.cpu-gpu.flop_per_s", "Peak arithmetic rate"},
    {"chart.cpu-gpu.bandwidth", "Memory bandwidth"},
    {"chart.cpu-gpu.log", "log scale, each step is ten times"},
    {"chart.what-if.x", "cards"},
    {"chart.what-if.now", "As it stands"},
    {"chart.what-if.own", "there already"},
    {"chart.families.x", "Filled: models that suffice; hollow: the others."},
    {"dial.algorithm", "Algorithm design"},
    {"dial.data", "Data scale and complexity"},
    {"dial.realtime", "Real-time demand"},
    {"dial.optimisation", "Optimisation and customisation"},
    {"resource.compute", "Compute time"},
    {"resource.decode", "Video decoding"},
    {"resource.encode", "Video encoding"},
    {"resource.memory", "Memory"},
    {"resource.link", "Host link"},
    {"memory-part.weights", "Weights"},
    {"memory-part.activations", "Activations"},
    {"memory-part.context", "Runtime context"},
    {"memory-part.surfaces", "Decode surfaces"},
    {"memory-part.bank", "Feature bank"},
    {"memory-part.scratch", "Scratch"},
    {"memory-part.reserve", "Reserve"},
    {"bound.compute", "bound by compute"},
    {"bound.bandwidth", "bound by bandwidth"},
    {"bound.launch", "bound by kernel launches"},
    {"bound.host", "bound by the host"},
    {"segment.consumer", "consumer"},
    {"segment.workstation", "workstation"},
    {"segment.datacenter", "data centre"},
    {"segment.edge", "edge module"},
    {"segment.cpu", "processor"},
    {"gate.memory", "memory"},
    {"gate.decode", "decoding"},
    {"gate.software", "software"},
    {"gate.deadline", "deadline"},
    {"gate.supply", "availability"},
    {"chart.matrix.first-gate", "Only the first gate that fails is named."},
    {"chart.gauges.no-load", "No load is known: memory only."},
    {"chart.memory.short", "too small"},
    {"chart.memory.neighbour", "next size"},
    {"chart.roofline.acc.fp16", "FP16 accumulate"},
    {"chart.roofline.acc.fp32", "FP32 accumulate"},
    {"chart.plan.headroom", "above the allowed load"},
    {"chart.plan.rounding", "left over"},
    {"chart.plan.unknown", "load unknown"},
    {"chart.market.maker.nvidia", "NVIDIA"},
    {"chart.market.maker.amd", "AMD"},
    {"chart.market.maker.intel", "Intel"},
    {"chart.market.maker.domestic", "Chinese"},
    {"chart.cpu-gpu.larger", "larger, times the other"},
};

enum { FIXTURE_LABELS = sizeof(fixture_labels_zh) / sizeof(struct label) };

/* Published figures of the makers, rounded: enough to look right. */
static const struct {
	const char *id, *name, *family, *segment;
	double gib, gb_per_s, tflops, watt;
} fixture_cards[] = {
    {"nvidia-t4", "NVIDIA T4", "datacenter", "datacenter", 16, 320, 65, 70},
    {"nvidia-a2", "NVIDIA A2", "datacenter", "datacenter", 16, 200, 36, 60},
    {"nvidia-l4", "NVIDIA L4", "datacenter", "datacenter", 24, 300, 121, 72},
    {"nvidia-rtx-3090", "NVIDIA GeForce RTX 3090", "geforce", "consumer", 24,
	936, 71, 350},
    {"nvidia-rtx-4090", "NVIDIA GeForce RTX 4090", "geforce", "consumer", 24,
	1008, 165, 450},
    {"nvidia-rtx-4060-ti-16", "NVIDIA GeForce RTX 4060 Ti 16 GB", "geforce",
	"consumer", 16, 288, 44, 165},
    {"nvidia-rtx-a4000", "NVIDIA RTX A4000", "rtx-pro", "workstation", 16, 448,
	77, 140},
    {"nvidia-rtx-6000-ada", "NVIDIA RTX 6000 Ada Generation", "rtx-pro",
	"workstation", 48, 960, 364, 300},
    {"nvidia-l40s", "NVIDIA L40S", "datacenter", "datacenter", 48, 864, 362,
	350},
    {"nvidia-a100-80", "NVIDIA A100 80GB PCIe", "datacenter", "datacenter", 80,
	1935, 312, 300},
    {"huawei-atlas-300i", "Huawei Atlas 300I Pro", "domestic", "datacenter", 24,
	204, 70, 72},
    {"nvidia-orin", "NVIDIA Jetson AGX Orin 64GB", "jetson", "edge", 64, 205,
	43, 60},
    {"intel-xeon-6330", "Intel Xeon Gold 6330", "other", "cpu", 0, 188, 3.6,
	205},
};

enum { FIXTURE_CARDS = sizeof(fixture_cards) / sizeof(fixture_cards[0]) };

static const char *const fixture_names[][2] = {
    {"厂家一", "Vendor One"},
    {"慧眼安防", "Huiyan Security"},
    {"车牌通", "Platewise"},
    {"安全帽科技", "Helmet Technology"},
    {"文渊识字", "Wenyuan OCR"},
    {"精工质检", "Precision Inspection"},
    {"医影", "Medimage"},
    {"超清视频", "UltraVideo"},
};

static const char *
fixture_name(struct arena *a, int i, bool long_names, bool en)
{
	const char *base = fixture_names[i % 8][en ? 1 : 0];

	if (long_names)
		return arena_printf(a,
		    en ? "%s Intelligent Visual Perception "
			 "and Recognition Technology Group Ltd. %d"
		       : "%s人工智能视觉感知与识别技术（集团）股份有限公司第%d分公司",
		    base, i + 1);
	return i < 8 ? base : arena_printf(a, "%s %d", base, i + 1);
}

static inline int
fixture_card(int i)
{
	return i % (FIXTURE_CARDS - 1);
}

static double
fixture_wobble(int i, int j)
{
	return exp2((i * 7 + j * 11 + i * j) % 13 / 2.0 - 3);
}

static void
fixture_fit(struct arena *a, struct node *n, int card, const char *state,
    const char *role, double scale)
{
	static const char *const loads[] = {"compute", "decode", "memory",
	    "link"};
	struct node *list;
	double gib = fixture_cards[card].gib;

	node_text(a, n, "gpu", fixture_cards[card].id);
	node_text(a, n, "name", fixture_cards[card].name);
	node_text(a, n, "state", state);
	node_text(a, n, "role", role);
	node_number(a, n, "cards", ceil(2.3 * scale), UNIT_COUNT);
	node_number(a, n, "memory_need", 5.2 * GIB, UNIT_BYTE);
	node_number(a, n, "memory_have", gib * GIB, UNIT_BYTE);
	list = node_list(a, n, "loads");
	for (int i = 0; i < 4; i++) {
		struct node *l = node_item(a, list);
		double load = i == 0   ? 1.62 * scale
			      : i == 1 ? 0.9 * scale
			      : i == 2 ? 5.2 / gib
				       : 0.11 * scale;

		node_text(a, l, "id", loads[i]);
		node_number(a, l, "load", load, UNIT_RATIO);
	}
}

/* A deadline missed by 116 to 80 ms, or a gate without figures. */
static void
fixture_gate(struct arena *a, struct node *fit, int i)
{
	struct node *g = node_item(a, node_list(a, fit, "gates"));

	node_text(a, fit, "gate", i % 2 ? "software" : "deadline");
	node_text(a, g, "id", i % 2 ? "software" : "deadline");
	node_text(a, g, "state", "fail");
	if (i % 2)
		return;
	node_number(a, g, "need", 0.116, UNIT_SECOND);
	node_number(a, g, "have", 0.08, UNIT_SECOND);
}

static void
fixture_dials(struct arena *a, struct node *v, int i, double stretch)
{
	static const char *const ids[] = {"algorithm", "data", "realtime",
	    "optimisation"};
	struct node *list = node_list(a, v, "dials");
	double ratio = 1;

	for (int j = 0; j < 4; j++) {
		struct node *d = node_item(a, list);
		double f = pow(fixture_wobble(i, j), stretch);

		ratio *= f;
		node_text(a, d, "id", ids[j]);
		node_number(a, d, "factor", f, UNIT_NONE);
	}
	node_number(a, v, "ratio", ratio, UNIT_NONE);
}

static void
fixture_roofline(struct arena *a, struct node *v, int i, double stretch)
{
	static const char *const stages[] = {"scrfd-10g", "arcface-r50",
	    "底库检索", "yolov8m", "resnet50", "hrnet-w32", "ocr-rec"};
	static const char *const bounds[] = {"compute", "compute", "bandwidth",
	    "launch"};
	struct node *n = node_group(a, v, "roofline"), *list, *shares;
	double peak = 65e12, bw = 320e9;

	node_text(a, n, "gpu", "nvidia-t4");
	node_text(a, n, "name", "NVIDIA T4");
	node_number(a, n, "peak", peak, UNIT_FLOP_PER_S);
	node_number(a, n, "bandwidth", bw, UNIT_BYTE_PER_S);
	node_number(a, n, "ridge", peak / bw, UNIT_NONE);
	node_text(a, n, "peak_acc", "fp16");
	if (i % 2 == 0) {
		node_number(a, n, "peak_other", peak / 2, UNIT_FLOP_PER_S);
		node_text(a, n, "peak_other_acc", "fp32");
	}
	list = node_list(a, n, "points");
	shares = node_list(a, v, "stages");
	for (int j = 0; j < 3 + i % 5; j++) {
		struct node *stage = node_item(a, shares);
		struct node *p = node_item(a, list);
		double x = pow(180 * fixture_wobble(i, j + 3), stretch);
		double roof = fmin(peak, x * bw);

		node_text(a, stage, "name", stages[j % 7]);
		node_number(a, stage, "share", 0.55 / (1 + 1.7 * j),
		    UNIT_RATIO);
		node_text(a, p, "name", stages[j % 7]);
		node_number(a, p, "intensity", x, UNIT_NONE);
		node_number(a, p, "attained", roof * (0.3 + 0.08 * (j % 5)),
		    UNIT_FLOP_PER_S);
		node_number(a, p, "roof", roof, UNIT_FLOP_PER_S);
		node_number(a, p, "share", 0.3, UNIT_RATIO);
		node_text(a, p, "bound",
		    j == 4          ? "launch"
		    : x * bw < peak ? "bandwidth"
				    : bounds[j % 2]);
	}
}

static void
fixture_memory(struct arena *a, struct node *v, double stretch)
{
	static const char *const parts[] = {"weights", "activations", "context",
	    "surfaces", "bank", "scratch", "reserve"};
	static const double gib[] = {0.12, 1.4, 0.9, 1.1, 0.5, 0.08, 0.6};
	struct node *m = node_group(a, v, "memory");
	double total = 0;

	for (int i = 0; i < 7; i++) {
		double b = pow(gib[i], stretch) * GIB;

		node_number(a, m, parts[i], b, UNIT_BYTE);
		total += b;
	}
	node_number(a, m, "total", total, UNIT_BYTE);
	node_number(a, m, "stated_min", 4e9, UNIT_BYTE);
	node_number(a, m, "stated_recommended", 8e9, UNIT_BYTE);
}

static void
fixture_vendor(struct arena *a, struct node *list, int i,
    const struct fixture_size *z)
{
	struct node *v = node_item(a, list), *n;
	double scale = pow(fixture_wobble(i, 5), z->stretch);

	node_text(a, v, "id", arena_printf(a, "S%d", i + 1));
	node_text2(a, v, "name", fixture_name(a, i, z->long_names, false),
	    fixture_name(a, i, z->long_names, true));
	n = node_group(a, v, "load");
	node_number(a, n, "limit", 0.7, UNIT_RATIO);
	n = node_group(a, v, "verdict");
	node_number(a, n, "cards_asked", 4, UNIT_COUNT);
	fixture_fit(a, node_group(a, v, "requested"), 0, "pass", "requested",
	    1);
	fixture_fit(a, node_group(a, v, "smallest"), 5, "pass", "smallest",
	    1.3);
	fixture_fit(a, node_group(a, v, "planned"), 2, "pass", "plan", 1);
	n = node_group(a, v, "nearest");
	fixture_fit(a, n, 1, "fail", "nearest", 3 * scale);
	fixture_gate(a, n, i);
	n = node_list(a, v, "alternatives");
	for (int j = 0; j < 7; j++)
		fixture_fit(a, node_item(a, n), fixture_card(j), "pass",
		    "other", 1);
	n = node_list(a, v, "families");
	for (int j = 0; j < 6; j++) {
		struct node *f = node_item(a, n);

		node_text(a, f, "family",
		    arena_printf(a, "GeForce RTX %d", 20 + 10 * j));
		node_number(a, f, "passing", j, UNIT_COUNT);
		node_number(a, f, "total", j + 5, UNIT_COUNT);
	}
	fixture_dials(a, v, i, z->stretch);
	fixture_roofline(a, v, i, z->stretch);
	fixture_memory(a, v, z->stretch);
}

static void
fixture_matrix(struct arena *a, struct node *root, const struct fixture_size *z)
{
	static const char *const gates[] = {"memory", "decode", "software",
	    "deadline", "supply"};
	struct node *m = node_group(a, root, "matrix");
	struct node *cards = node_list(a, m, "cards");
	struct node *rows = node_list(a, m, "rows");

	for (int j = 0; j < z->cards; j++) {
		struct node *c = node_item(a, cards);
		int k = fixture_card(j);

		node_text(a, c, "id",
		    arena_printf(a, "%s%s", fixture_cards[k].id,
			j < FIXTURE_CARDS - 1 ? ""
					      : arena_printf(a, "-%d", j)));
		node_text(a, c, "name", fixture_cards[k].name);
		node_number(a, c, "memory", fixture_cards[k].gib * GIB,
		    UNIT_BYTE);
		node_flag(a, c, "requested", j % 4 == 0);
		node_flag(a, c, "planned", j == 2 || j == 8);
	}
	for (int i = 0; i < z->vendors; i++) {
		struct node *r = node_item(a, rows), *cells;

		node_text(a, r, "vendor", arena_printf(a, "S%d", i + 1));
		node_text2(a, r, "name",
		    fixture_name(a, i, z->long_names, false),
		    fixture_name(a, i, z->long_names, true));
		cells = node_list(a, r, "cells");
		for (int j = 0; j < z->cards; j++) {
			struct node *c = node_item(a, cells);
			int what = (i * 5 + j * 3 + i * j) % 9;

			node_text(a, c, "gpu",
			    node_string(root,
				arena_printf(a, "matrix.cards.%d.id", j), ""));
			node_text(a, c, "state",
			    what < 4   ? "pass"
			    : what < 8 ? "fail"
				       : "ask");
			if (what < 4)
				node_number(a, c, "cards", 1 + what * i,
				    UNIT_COUNT);
			else if (what < 8)
				node_text(a, c, "gate", gates[(i + j) % 5]);
			node_flag(a, c, "requested", j == i % z->cards);
			node_flag(a, c, "planned", j == 2 + 6 * (i % 2));
		}
	}
}

static void
fixture_plan(struct arena *a, struct node *root, const struct fixture_size *z)
{
	struct node *plan = node_group(a, root, "plan");
	struct node *pools = node_list(a, plan, "pools");
	static const int cards[] = {2, 8};

	for (int p = 0; p < 2; p++) {
		struct node *n = node_item(a, pools), *list;
		int card = cards[p], mine = 0;

		for (int i = p; i < z->vendors; i += 2)
			mine++;
		node_text(a, n, "gpu", fixture_cards[card].id);
		node_text(a, n, "name", fixture_cards[card].name);
		node_number(a, n, "cards", 2 * mine + 1, UNIT_COUNT);
		node_number(a, n, "spare", 1, UNIT_COUNT);
		node_number(a, n, "memory", fixture_cards[card].gib * GIB,
		    UNIT_BYTE);
		node_number(a, n, "power",
		    (2 * mine + 2) * fixture_cards[card].watt, UNIT_WATT);
		list = node_list(a, n, "vendors");
		for (int i = p; i < z->vendors; i += 2) {
			struct node *v = node_item(a, list);

			node_text(a, v, "id", arena_printf(a, "S%d", i + 1));
			node_text2(a, v, "name",
			    fixture_name(a, i, z->long_names, false),
			    fixture_name(a, i, z->long_names, true));
			node_number(a, v, "cards", 1 + i % 3, UNIT_COUNT);
			node_number(a, v, "busy", 0.25 + 0.13 * (i % 4),
			    UNIT_RATIO);
		}
	}
}

/* A way to buy: `cards` of the first model, some of them there already, and
 * one more model each for the others. */
static void
fixture_way(struct arena *a, struct node *way, int models, int cards, int own)
{
	struct node *pools = node_list(a, way, "pools");

	for (int i = 0; i < models; i++) {
		struct node *n = node_item(a, pools);
		int card = (3 * i) % FIXTURE_CARDS;

		node_text(a, n, "gpu", fixture_cards[card].id);
		node_text(a, n, "name", fixture_cards[card].name);
		node_number(a, n, "cards", cards, UNIT_COUNT);
		node_number(a, n, "spare", 1, UNIT_COUNT);
		node_number(a, n, "buy", cards + 1 - (i == 0 ? own : 0),
		    UNIT_COUNT);
	}
	node_number(a, way, "power", 70.0 * models * (cards + 1), UNIT_WATT);
}

/* As many cases as vendors: the first needs more, then some are there. */
static void
fixture_what_if(struct arena *a, struct node *root,
    const struct fixture_size *z)
{
	struct node *plan = (struct node *)node_find(root, "plan");
	struct node *list = node_list(a, root, "what_if");

	fixture_way(a, node_group(a, plan, "way"), 2, 9, 0);
	for (int i = 0; i < z->vendors; i++) {
		struct node *n = node_item(a, list);

		node_text2(a, n, "name",
		    fixture_name(a, i, z->long_names, false),
		    fixture_name(a, i, z->long_names, true));
		if (i % 5 != 4) /* else no plan is possible */
			fixture_way(a, node_group(a, n, "plan"), 1 + i % 3,
			    6 + 5 * (i % 4), i % 2 ? 2 : 0);
	}
}

static void
fixture_market(struct arena *a, struct node *root, const struct fixture_size *z)
{
	struct node *m = node_group(a, root, "market");
	struct node *points = node_list(a, m, "points");
	struct node *families = node_list(a, m, "families");
	static const char *const names[] = {"GeForce", "RTX", "Tesla", "Ascend",
	    "Jetson"};

	for (int i = 0; i < 90; i++) {
		int k = i % FIXTURE_CARDS;
		double f = i < FIXTURE_CARDS ? 1 : fixture_wobble(i, k + 3);
		double g = i < FIXTURE_CARDS ? 1 : fixture_wobble(i / 2, k);
		struct node *p = node_item(a, points);

		node_text(a, p, "name",
		    i < FIXTURE_CARDS ? fixture_cards[k].name
				      : arena_printf(a, "Card %d", i));
		node_text(a, p, "family",
		    i % 11 == 3   ? "amd"
		    : i % 13 == 5 ? "intel"
				  : fixture_cards[k].family);
		node_text(a, p, "segment", fixture_cards[k].segment);
		node_number(a, p, "bandwidth",
		    1e9 * pow(fixture_cards[k].gb_per_s * f, z->stretch),
		    UNIT_BYTE_PER_S);
		node_number(a, p, "peak",
		    1e12 *
			pow(fixture_cards[k].tflops * sqrt(f) * sqrt(sqrt(g)),
			    z->stretch),
		    UNIT_FLOP_PER_S);
	}
	for (int i = 0; i < 5; i++) {
		struct node *f = node_item(a, families);

		node_text(a, f, "name", names[i]);
		node_number(a, f, "vendors_ok", i, UNIT_COUNT);
	}
}

static void
fixture_reasons(struct arena *a, struct node *root, double stretch)
{
	struct node *r = node_group(a, root, "reasons");
	struct node *p = node_group(a, r, "parallel");
	struct node *b = node_group(a, r, "bandwidth");

	node_text(a, p, "cpu_name", "2 × Intel Xeon Gold 6330");
	node_text(a, p, "gpu_name", "NVIDIA L4");
	node_number(a, p, "cpu_cores", 56, UNIT_COUNT);
	node_number(a, p, "gpu_cores", 7424, UNIT_COUNT);
	node_number(a, p, "cpu_flop_per_s", 7.2e12, UNIT_FLOP_PER_S);
	node_number(a, p, "gpu_flop_per_s", pow(121, stretch) * 1e12,
	    UNIT_FLOP_PER_S);
	node_number(a, p, "servers", 214, UNIT_COUNT);
	node_number(a, p, "cards", 9, UNIT_COUNT);
	node_number(a, b, "cpu_bandwidth", 375e9, UNIT_BYTE_PER_S);
	node_number(a, b, "gpu_bandwidth", 300e9, UNIT_BYTE_PER_S);
}

static struct node *
fixture_results(struct arena *a, struct fixture_size z)
{
	struct node *root = node_root(a), *list;

	list = node_list(a, root, "vendors");
	for (int i = 0; i < z.vendors; i++)
		fixture_vendor(a, list, i, &z);
	fixture_matrix(a, root, &z);
	fixture_plan(a, root, &z);
	fixture_what_if(a, root, &z);
	fixture_market(a, root, &z);
	fixture_reasons(a, root, z.stretch);
	return root;
}

static bool
fixture_of_vendor(const char *kind)
{
	return str_equal(kind, "dials") || str_equal(kind, "roofline") ||
	       str_equal(kind, "gauges") || str_equal(kind, "memory") ||
	       str_equal(kind, "families");
}

static struct block *
fixture_figure(struct arena *a, const char *kind, const struct node *root,
    const char *lang)
{
	struct block *b = block_new(a, BLOCK_FIGURE);

	b->chart = kind;
	b->of = fixture_of_vendor(kind) ? node_find(root, "vendors.0") : root;
	b->labels =
	    (struct label *)(str_starts(lang, "en") ? fixture_labels_en
						    : fixture_labels_zh);
	b->n_labels = FIXTURE_LABELS;
	b->alt = arena_printf(a, "alt of %s", kind);
	inlines_add(a, &b->title, INLINE_TEXT,
	    arena_printf(a, "title of %s", kind));
	return b;
}

#endif
