#include "decide/outcome.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "decide/outcome_parts.h"
#include "decide/parts.h"

const struct card_family card_families[N_FAMILIES] = {
    {"datacenter", "NVIDIA 数据中心卡", "NVIDIA data-centre boards"},
    {"rtx-pro", "NVIDIA 专业卡", "NVIDIA workstation boards"},
    {"geforce", "NVIDIA GeForce", "NVIDIA GeForce"},
    {"jetson", "NVIDIA Jetson", "NVIDIA Jetson"},
    {"amd", "AMD", "AMD"},
    {"intel", "Intel", "Intel"},
    {"domestic", "国产加速卡", "Chinese accelerators"},
};

int
card_family(const struct gpu *g)
{
	switch (g->vendor) {
	case VENDOR_AMD: return 4;
	case VENDOR_INTEL: return 5;
	case VENDOR_HUAWEI:
	case VENDOR_OTHER: return 6;
	case VENDOR_NVIDIA: break;
	}
	switch (g->segment) {
	case SEGMENT_WORKSTATION: return 1;
	case SEGMENT_CONSUMER: return 2;
	case SEGMENT_EDGE: return 3;
	case SEGMENT_DATACENTER:
	case SEGMENT_CPU: break;
	}
	return 0;
}

void
put_name(const struct outcome *o, struct node *in, const struct vendor *v)
{
	node_text2(o->d.a, in, "name", v->name ? v->name : v->id, v->name_en);
}

const char *
blocking_gate(const struct fit *f)
{
	return f && f->first < GATE_N ? gate_id(f->first) : "figure";
}

const struct gpu *
baseline_cpu(const struct outcome *o, int *sockets)
{
	const struct gpu *cpu = o->d.p->site.cpu;

	*sockets = o->d.p->site.sockets > 0 ? o->d.p->site.sockets : 2;
	return cpu ? cpu : catalog_gpu(o->d.cat, "intel-xeon-gold-6330");
}

const struct gpu *
main_card(const struct outcome *o)
{
	const struct plan *plan = &o->dec->plan;
	const struct gpu *best = NULL;
	double most = -1;

	for (int i = 0; i < plan->n_pools; i++) {
		const struct pool *p = &plan->pools[i];
		double bytes =
		    p->gpu->bandwidth.known ? p->gpu->bandwidth.value : 0;

		if (p->cards * bytes > most) {
			most = p->cards * bytes;
			best = p->gpu;
		}
	}
	return best;
}

void
put_settings(struct arena *a, struct node *list, const struct setting *set,
    int n)
{
	for (int i = 0; i < n; i++) {
		struct node *item = node_item(a, list);

		node_text(a, item, "path", set[i].path);
		node_text(a, item, "value", set[i].value);
		node_text(a, item, "label",
		    set[i].value
			? arena_printf(a, "%s=%s", set[i].path, set[i].value)
			: arena_printf(a, "%s=", set[i].path));
	}
}

static void
put_project(const struct outcome *o, struct node *n)
{
	const struct project *p = o->d.p;
	struct arena *a = o->d.a;
	struct str langs;

	str_init(&langs, a);
	for (int i = 0; i < p->n_languages; i++)
		str_addf(&langs, "%s%s", i ? " " : "", p->languages[i]);
	node_text(a, n, "id", p->id);
	node_text2(a, n, "name", p->name, p->name_en);
	node_text2(a, n, "client", p->client, p->client_en);
	node_text(a, n, "date", p->date);
	if (p->author)
		node_text2(a, n, "author", p->author, p->author_en);
	node_number(a, n, "edition", p->edition, UNIT_COUNT);
	node_text(a, n, "languages", langs.s);
	put_settings(a, node_list(a, n, "settings"), p->settings,
	    p->n_settings);
}

static void
put_site(const struct outcome *o, struct node *n)
{
	static const char *const cooling[] = {"unknown", "active", "passive"};
	const struct project *p = o->d.p;
	struct arena *a = o->d.a;
	int sockets;
	const struct gpu *cpu = baseline_cpu(o, &sockets);

	node_fact(a, n, "slots", p->site.slots, UNIT_COUNT);
	node_fact(a, n, "slot_power", p->site.slot_power_w, UNIT_WATT);
	node_fact(a, n, "servers", p->site.servers, UNIT_COUNT);
	node_fact(a, n, "server_power", p->site.server_power_w, UNIT_WATT);
	node_fact(a, n, "power", p->site.power_w, UNIT_WATT);
	node_text(a, n, "cooling", cooling[p->site.cooling]);
	node_text(a, n, "cpu", cpu ? cpu->name : "");
	node_number(a, n, "sockets", sockets, UNIT_COUNT);
	node_text(a, n, "deliver_to", p->site.deliver_to);
	node_number(a, n, "spare_per_pool", p->policy.spare_per_pool,
	    UNIT_COUNT);
	node_flag(a, n, "share", p->policy.share);
}

static void
put_catalog(const struct outcome *o, struct node *n)
{
	int by[4] = {0}, cpus = 0, all = 0;
	struct arena *a = o->d.a;

	for (int i = 0; i < o->d.cat->n_gpus; i++) {
		const struct gpu *g = &o->d.cat->gpus[i];

		if (g->segment == SEGMENT_CPU) {
			cpus++;
			continue;
		}
		all++;
		by[g->vendor == VENDOR_NVIDIA   ? 0
		    : g->vendor == VENDOR_AMD   ? 1
		    : g->vendor == VENDOR_INTEL ? 2
						: 3]++;
	}
	node_number(a, n, "gpus", all, UNIT_COUNT);
	node_number(a, n, "nvidia", by[0], UNIT_COUNT);
	node_number(a, n, "amd", by[1], UNIT_COUNT);
	node_number(a, n, "intel", by[2], UNIT_COUNT);
	node_number(a, n, "other", by[3], UNIT_COUNT);
	node_number(a, n, "cpus", cpus, UNIT_COUNT);
}

/* ---- totals */

struct totals {
	double streams, frames, decode, pixels, flop, bytes, cards_asked;
	int verdicts[MODEL_OPEN + 1], asking;
};

/* Whether the card planned, or without one the card judged, has an open
 * gate, licence and supply included. */
static bool
has_asks(const struct vendor_decision *vd)
{
	const struct fit *f = vd->planned ? vd->planned : vd->judged;

	for (int g = 0; f && g < GATE_N; g++)
		if (f->gates[g].state == STATE_ASK)
			return true;
	return false;
}

static void
add_vendor(const struct outcome *o, const struct vendor_decision *vd,
    struct totals *t)
{
	struct demand dm = demand_of(&o->d, vd->vendor);
	double flop;

	t->streams += dm.sources;
	t->frames += dm.frames_per_s;
	t->decode += dm.decode_per_s;
	t->pixels += dm.pixels_per_s;
	t->bytes += demand_bytes(&o->d, &dm);
	if (demand_flop(&o->d, &dm, false, &flop))
		t->flop += flop;
	if (vd->vendor->request.count.known)
		t->cards_asked += vd->vendor->request.count.value;
	t->verdicts[vd->model]++;
	t->asking += has_asks(vd);
}

static bool
is_candidate(const struct vendor *v, const struct gpu *g)
{
	for (int i = 0; i < v->request.n_candidates && g; i++)
		if (v->request.candidates[i] == g)
			return true;
	return false;
}

/* The same card, the same words, or a name that can mean the other's card. */
static bool
may_be_same(const struct vendor *v, const struct vendor *w)
{
	if (v->request.gpu && w->request.gpu)
		return v->request.gpu == w->request.gpu;
	if (is_candidate(v, w->request.gpu) || is_candidate(w, v->request.gpu))
		return true;
	return !v->request.gpu && !w->request.gpu && v->request.written &&
	       w->request.written &&
	       strcmp(v->request.written, w->request.written) == 0;
}

/* Different cards among those asked for, by the name written when the name
 * does not say which. */
static int
models_asked(const struct decision *dec)
{
	int n = 0;

	for (int i = 0; i < dec->n_vendors; i++) {
		const struct vendor *v = dec->vendors[i].vendor;
		bool seen = !v->request.gpu && !v->request.written;

		for (int j = 0; j < i && !seen; j++) {
			const struct vendor *w = dec->vendors[j].vendor;

			seen = may_be_same(v, w);
		}
		n += !seen;
	}
	return n;
}

static void
put_totals(const struct outcome *o, struct node *n)
{
	const struct plan *plan = &o->dec->plan;
	struct arena *a = o->d.a;
	struct totals t = {0};
	struct node *v;
	double planned = 0;

	for (int i = 0; i < o->dec->n_vendors; i++)
		add_vendor(o, &o->dec->vendors[i], &t);
	for (int i = 0; i < plan->n_pools; i++)
		planned += plan->pools[i].cards + plan->pools[i].spare;
	node_number(a, n, "vendors", o->dec->n_vendors, UNIT_COUNT);
	node_number(a, n, "streams", t.streams, UNIT_COUNT);
	node_number(a, n, "frames_per_s", t.frames, UNIT_PER_S);
	node_number(a, n, "decode_frames_per_s", t.decode, UNIT_PER_S);
	node_number(a, n, "pixels_per_s", t.pixels, UNIT_PER_S);
	node_number(a, n, "flop_per_s", t.flop, UNIT_FLOP_PER_S);
	node_number(a, n, "bytes_per_s", t.bytes, UNIT_BYTE_PER_S);
	node_number(a, n, "models_asked", models_asked(o->dec), UNIT_COUNT);
	node_number(a, n, "cards_asked", t.cards_asked, UNIT_COUNT);
	node_number(a, n, "models_planned", plan->n_pools, UNIT_COUNT);
	node_number(a, n, "cards_planned", planned, UNIT_COUNT);
	node_number(a, n, "vendors_asking", t.asking, UNIT_COUNT);
	v = node_group(a, n, "verdicts");
	for (int k = 0; k <= MODEL_OPEN; k++)
		node_number(a, v, model_verdict_id(k), t.verdicts[k],
		    UNIT_COUNT);
}

/* ---- inventory */

/* The products among the devices, each once, with their number. */
static void
put_models(const struct outcome *o, const struct node *devices,
    struct node *list)
{
	struct arena *a = o->d.a;

	for (const struct node *dev = devices->first; dev; dev = dev->next) {
		const char *name = node_string(dev, "product", "");
		struct node *item = list->first;

		while (item && strcmp(node_string(item, "name", ""), name))
			item = item->next;
		if (item) {
			struct node *count = item->last;

			count->number += 1;
			count->low = count->high = count->number;
			continue;
		}
		item = node_item(a, list);
		node_text(a, item, "name", name);
		node_number(a, item, "cards", 1, UNIT_COUNT);
	}
}

static void
put_inventory(const struct outcome *o, struct node *root)
{
	const struct project *p = o->d.p;
	struct arena *a = o->d.a;
	struct node *n, *list;

	if (p->n_inventories == 0)
		return;
	n = node_group(a, root, "inventory");
	node_text(a, n, "file", p->inventories[0].file);
	node_text(a, n, "driver",
	    p->inventories[0].driver ? p->inventories[0].driver : "");
	node_text(a, n, "cuda",
	    p->inventories[0].cuda ? p->inventories[0].cuda : "");
	list = node_list(a, n, "devices");
	for (int i = 0; i < p->n_inventories; i++)
		for (int j = 0; j < p->inventories[i].n_devices; j++) {
			const struct device *dev =
			    &p->inventories[i].devices[j];
			struct node *item = node_item(a, list);

			node_text(a, item, "product",
			    dev->product ? dev->product : "");
			node_text(a, item, "gpu",
			    dev->gpu ? dev->gpu->id : NULL);
			node_fact(a, item, "memory", dev->total_bytes,
			    UNIT_BYTE);
			node_number(a, item, "slices", dev->slices, UNIT_COUNT);
			node_flag(a, item, "healthy", dev->healthy);
		}
	put_models(o, list, node_list(a, n, "models"));
}

/* ---- sources */

static void
mark_words(const struct catalog *cat, const char *words, bool *used)
{
	while (words && *words) {
		size_t len = strcspn(words, " ;,");

		for (int i = 0; i < cat->n_sources; i++)
			if (strncmp(cat->sources[i].id, words, len) == 0 &&
			    cat->sources[i].id[len] == '\0')
				used[i] = true;
		words += len;
		words += strspn(words, " ;,");
	}
}

/* Sources named anywhere in the tree: by a number or by a text "src". */
static void
mark_used(const struct catalog *cat, const struct node *n, bool *used)
{
	mark_words(cat, n->src, used);
	if (n->kind == NODE_TEXT && n->name && strcmp(n->name, "src") == 0)
		mark_words(cat, n->text, used);
	for (const struct node *c = n->first; c; c = c->next)
		mark_used(cat, c, used);
}

static void
put_source(struct arena *a, struct node *list, const struct source_ref *s)
{
	struct node *item = node_item(a, list);

	node_text(a, item, "id", s->id);
	node_text(a, item, "title", s->title ? s->title : s->id);
	node_text(a, item, "publisher", s->publisher);
	node_text(a, item, "date", s->date);
	node_text(a, item, "where", s->where);
}

/* The catalogue's sources as far as they are named, then those of the
 * model's constants, on which every estimate rests. */
static void
put_sources(const struct outcome *o, struct node *root)
{
	const struct catalog *cat = o->d.cat;
	const struct calibration *cal = o->d.cal;
	struct arena *a = o->d.a;
	bool *used = arena_alloc(a, cat->n_sources + 1, sizeof(bool));
	struct node *list;

	mark_used(cat, root, used);
	list = node_list(a, root, "sources");
	for (int i = 0; i < cat->n_sources; i++)
		if (used[i])
			put_source(a, list, &cat->sources[i]);
	for (int i = 0; i < cal->n_sources; i++)
		put_source(a, list, &cal->sources[i]);
}

struct node *
outcome_build(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal,
    const struct decision *dec)
{
	const struct outcome o = {{a, p, cat, cal}, dec};
	struct node *root = node_root(a), *list;

	put_project(&o, node_group(a, root, "project"));
	put_site(&o, node_group(a, root, "site"));
	put_catalog(&o, node_group(a, root, "catalog"));
	put_totals(&o, node_group(a, root, "totals"));
	outcome_reasons(&o, node_group(a, root, "reasons"));
	list = node_list(a, root, "vendors");
	for (int i = 0; i < dec->n_vendors; i++)
		outcome_vendor(&o, node_item(a, list), &dec->vendors[i]);
	outcome_matrix(&o, node_group(a, root, "matrix"));
	outcome_dials(&o, node_group(a, root, "dials"));
	outcome_plan(&o, node_group(a, root, "plan"));
	outcome_market(&o, node_group(a, root, "market"));
	put_inventory(&o, root);
	put_sources(&o, root);
	return root;
}
