#include "base/arena.h"
#include "base/str.h"
#include "input/catalog_parts.h"

#define G(field) offsetof(struct gpu, field)

static const struct figure unit_figures[] = {
    {"sm", UNIT_COUNT, G(sm)},
    {"cores", UNIT_COUNT, G(cores)},
    {"tensor-cores", UNIT_COUNT, G(tensor_cores)},
    {"base", UNIT_HERTZ, G(base_hz)},
    {"boost", UNIT_HERTZ, G(boost_hz)},
    {"tensor-clock", UNIT_HERTZ, G(tensor_hz)},
};
static const struct figure memory_figures[] = {
    {"size", UNIT_BYTE, G(memory_bytes)},
    {"usable", UNIT_BYTE, G(usable_bytes)},
    {"bus", UNIT_BIT, G(bus_bits)},
    {"bandwidth", UNIT_BYTE_PER_S, G(bandwidth)},
};
static const struct figure cache_figures[] = {
    {"l2", UNIT_BYTE, G(l2_bytes)},
    {"llc", UNIT_BYTE, G(llc_bytes)},
};
static const struct figure video_figures[] = {
    {"decoders", UNIT_COUNT, G(decoders)},
    {"encoders", UNIT_COUNT, G(encoders)},
    {"generation", UNIT_COUNT, G(decoder_generation)},
    {"clock", UNIT_HERTZ, G(video_hz)},
    {"sessions", UNIT_COUNT, G(encode_sessions)},
};
static const struct figure board_figures[] = {
    {"slots", UNIT_COUNT, G(slots)},
    {"power", UNIT_WATT, G(power_w)},
    {"price-usd", UNIT_MONEY, G(price_usd)},
};

static const struct {
	const char *precision, *unit, *accumulate; /* NULL: not given */
	enum peak peak;
} peaks[] = {
    {"fp32", "shader", NULL, PEAK_FP32},
    {"fp16", "shader", NULL, PEAK_FP16},
    {"tf32", "tensor", "fp32", PEAK_TF32_TENSOR},
    {"fp16", "tensor", "fp32", PEAK_FP16_TENSOR},
    {"fp16", "tensor", "fp16", PEAK_FP16_TENSOR_ACC16},
    {"bf16", "tensor", "fp32", PEAK_BF16_TENSOR},
    {"fp8", "tensor", "fp32", PEAK_FP8_TENSOR},
    {"fp8", "tensor", "fp16", PEAK_FP8_TENSOR_ACC16},
    {"int8", "tensor", "int32", PEAK_INT8_TENSOR},
    {"int8", "shader", NULL, PEAK_INT8_TENSOR},
};

static const char *const note_kinds[] = {"licence", "supply", "support",
    "remark"};
static const char *const mounts[] = {"slot", "module", "socket", "integrated"};

static bool
one_of(const char *word, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (str_equal(word, words[i]))
			return true;
	return false;
}

/* Take the attribute if it is there; an overlay leaves out what stays. */
static void
take(struct xml_el *el, const char *attr, const char **to)
{
	const char *s = xml_attr(el, attr);

	if (s)
		*to = s;
}

enum peak
catalog_peak(const char *precision, const char *unit, const char *accumulate)
{
	for (int i = 0; i < N_OF(peaks); i++)
		if (str_equal(precision, peaks[i].precision) &&
		    str_equal(unit, peaks[i].unit) &&
		    str_equal(accumulate, peaks[i].accumulate))
			return peaks[i].peak;
	return PEAK_N;
}

static bool
read_units(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	ok &= catalog_figures(r, el, unit_figures, N_OF(unit_figures),
	    ABOVE_ZERO, &o, g);
	if (ok && g->base_hz.known && g->boost_hz.known &&
	    g->boost_hz.value < g->base_hz.value)
		ok = diag_error(r->d, xml_attr_pos(el, "boost"),
		    "catalog-value", "the boost clock is below the base clock");
	return ok & xml_end(el, r->d);
}

static bool
read_memory(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct figure transfers = {"mt-per-s", UNIT_NONE, G(transfers)};
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	ok &= catalog_figures(r, el, memory_figures, N_OF(memory_figures),
	    ABOVE_ZERO, &o, g);
	ok &= catalog_figures(r, el, &transfers, 1, ABOVE_ZERO, &o, g);
	if (xml_attr(el, "mt-per-s"))
		g->transfers.value *= 1e6;
	take(el, "kind", &g->memory_kind);
	ok &= catalog_flag_fact(r, el, "ecc", &o, g, &g->ecc);
	if (ok && g->usable_bytes.known && g->memory_bytes.known &&
	    g->usable_bytes.value > g->memory_bytes.value)
		ok = diag_error(r->d, xml_attr_pos(el, "usable"),
		    "catalog-value", "usable memory is more than the card has");
	return ok & xml_end(el, r->d);
}

static bool
read_cache(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	ok &= catalog_figures(r, el, cache_figures, N_OF(cache_figures),
	    ABOVE_ZERO, &o, g);
	return ok & xml_end(el, r->d);
}

static bool
read_video(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	/* No engine at all is a figure, and an important one. */
	ok &= catalog_figures(r, el, video_figures, N_OF(video_figures),
	    MAY_BE_ZERO, &o, g);
	return ok & xml_end(el, r->d);
}

static bool
read_mount(struct catalog_reader *r, struct xml_el *el, bool needed,
    struct gpu *g)
{
	const char *mount =
	    needed ? xml_need(el, "mount", r->d) : xml_attr(el, "mount");

	if (!mount)
		return !needed;
	g->on_board = str_equal(mount, "slot");
	if (one_of(mount, mounts, N_OF(mounts)))
		return true;
	return diag_error(r->d, xml_attr_pos(el, "mount"), "catalog-value",
	    "'mount' is slot, module, socket or integrated");
}

static bool
read_cooling(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *cooling = xml_attr(el, "cooling");

	if (!cooling)
		return true;
	g->cooling = str_equal(cooling, "passive")  ? COOLING_PASSIVE
		     : str_equal(cooling, "active") ? COOLING_ACTIVE
						    : COOLING_UNKNOWN;
	if (g->cooling != COOLING_UNKNOWN)
		return true;
	return diag_error(r->d, xml_attr_pos(el, "cooling"), "catalog-value",
	    "'cooling' is active or passive");
}

static bool
read_board(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	double devices = g->devices;
	struct origin o;
	bool found, ok = catalog_origin(r, el, &o);

	ok &= catalog_figures(r, el, board_figures, N_OF(board_figures),
	    ABOVE_ZERO, &o, g);
	ok &=
	    xml_number(r->a, el, "devices", UNIT_COUNT, &devices, &found, r->d);
	if (found && (devices < 1 || devices > 64))
		ok = diag_error(r->d, xml_attr_pos(el, "devices"),
		    "catalog-value", "a board has 1 to 64 devices");
	ok &= read_mount(r, el, r->item >= r->n_earlier_gpus, g);
	ok &= read_cooling(r, el, g);
	take(el, "form", &g->form);
	take(el, "link", &g->link);
	take(el, "connectors", &g->connectors);
	if (ok)
		g->devices = (int)devices;
	return ok & xml_end(el, r->d);
}

/* The figure of a peak is called by the id of the peak. */
static const struct gpu_figure *
peak_figure(enum peak p)
{
	return gpu_figure_find(peak_id(p));
}

/* A vendor prints twice the dense rate for sparse matrices: formula F10. */
static bool
read_sparse(struct catalog_reader *r, struct xml_el *el, const struct figure *f,
    const struct origin *o, struct gpu *g)
{
	struct fact *fact = (struct fact *)((char *)g + f->at);
	struct figure sparse = {"sparse", UNIT_FLOP_PER_S, f->at};

	if (!catalog_figures(r, el, &sparse, 1, ABOVE_ZERO, o, g))
		return false;
	fact->value /= 2;
	if (str_equal(o->formula, "F10"))
		return true;
	return diag_error(r->d, xml_pos(el), "catalog-source",
	    "a sparse figure needs formula=\"F10\"");
}

static bool
read_peak(struct catalog_reader *r, struct xml_el *el, bool *seen,
    struct gpu *g)
{
	const char *precision = xml_need(el, "precision", r->d);
	const char *unit = xml_need(el, "unit", r->d);
	enum peak p = catalog_peak(precision, unit, xml_attr(el, "accumulate"));
	struct figure dense = {"dense", UNIT_FLOP_PER_S, 0};
	struct origin o;
	bool ok = catalog_origin(r, el, &o) && precision && unit;

	if (ok && p == PEAK_N) {
		ok = diag_error(r->d, xml_pos(el), "catalog-peak",
		    "no peak is kept for this precision, unit and "
		    "accumulate type");
		diag_note(r->d, "tensor: tf32, fp16, bf16, fp8 with fp32; "
				"fp16, fp8 with fp16; int8 with int32; "
				"shader: fp32, fp16, int8");
	}
	if (ok && seen[p])
		ok = diag_error(r->d, xml_pos(el), "catalog-duplicate",
		    "the peak '%s' is given twice", peak_id(p));
	if (ok) {
		seen[p] = true;
		dense.at = peak_figure(p)->at;
		if (xml_attr(el, "sparse"))
			ok = read_sparse(r, el, &dense, &o, g);
		else if (o.formula && !xml_attr(el, "dense"))
			ok = catalog_read_derive(r, el, peak_figure(p), &o);
		else
			ok = xml_need(el, "dense", r->d) &&
			     catalog_figures(r, el, &dense, 1, ABOVE_ZERO, &o,
				 g);
	}
	return ok & xml_end(el, r->d);
}

/* A figure other than a peak that a formula gives. */
static bool
read_derive(struct catalog_reader *r, struct xml_el *el)
{
	const char *field = xml_need(el, "field", r->d);
	const struct gpu_figure *to = gpu_figure_find(field);
	struct origin o;
	bool ok = catalog_origin(r, el, &o) && field;

	if (ok && !to)
		ok = diag_error(r->d, xml_attr_pos(el, "field"),
		    "catalog-field", "a card has no figure '%s'", field);
	if (ok && !o.formula)
		ok = diag_error(r->d, xml_pos(el), "catalog-source",
		    "<derive> needs its formula");
	if (ok)
		ok = catalog_read_derive(r, el, to, &o);
	return ok & xml_end(el, r->d);
}

static bool
read_software(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	int cc;
	bool ok = catalog_cc(r, el, &cc);

	take(el, "ecosystem", &g->software);
	if (xml_attr(el, "mig")) {
		ok &= catalog_origin(r, el, &o);
		ok &= catalog_flag_fact(r, el, "mig", &o, g, &g->mig);
	}
	if (ok && cc > 0 && g->arch && cc != g->arch->cc)
		ok = diag_error(r->d, xml_attr_pos(el, "cc"), "catalog-arch",
		    "the architecture '%s' has another compute capability",
		    g->arch->id);
	return ok & xml_end(el, r->d);
}

static bool
read_market(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const char *p = xml_need(el, "production", r->d);
	const char *src = xml_need(el, "src", r->d);
	bool ok = p && src && catalog_sources(r, el, src);

	catalog_date(r, el, "date");
	if (p && !str_equal(p, "current") && !str_equal(p, "ended"))
		ok = diag_error(r->d, xml_attr_pos(el, "production"),
		    "catalog-value", "'production' is current or ended");
	g->in_production_known = ok;
	g->in_production = ok && str_equal(p, "current");
	return ok & xml_end(el, r->d);
}

static bool
read_waiver(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	struct waiver w = {.pos = catalog_here(r, el)};
	bool ok;

	w.rule = xml_need(el, "rule", r->d);
	w.src = xml_need(el, "src", r->d);
	w.reason = catalog_trimmed(r, el->text);
	ok = w.rule && w.src && catalog_sources(r, el, w.src);
	if (ok && !w.reason[0])
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "<allow> needs a reason");
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct waiver *)arena_push(r->a, &g->waivers, &g->n_waivers,
		    sizeof(w)) = w;
	return ok;
}

/*
 * An <about> of a figure of the card, or of one that will be computed: its
 * certainty and sources are then those of the computed one.
 */
static bool
read_about(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	const struct gpu_figure *f = gpu_figure_find(xml_attr(el, "field"));
	struct derivation *d = f ? catalog_derivation(r, f) : NULL;
	struct fact later =
	    d ? fact_of(0, d->origin.sure, d->origin.src) : (struct fact){0};

	if (!d)
		return catalog_about(r, el, f ? gpu_fact(g, f) : NULL);
	if (!catalog_about(r, el, &later))
		return false;
	d->origin.sure = later.sure;
	d->origin.src = later.src;
	return true;
}

bool
catalog_gpu_parts(struct catalog_reader *r, struct xml_el *el, struct gpu *g)
{
	static const struct {
		const char *name;
		bool (*read)(struct catalog_reader *, struct xml_el *,
		    struct gpu *);
	} parts[] = {
	    {"units", read_units},
	    {"memory", read_memory},
	    {"cache", read_cache},
	    {"video", read_video},
	    {"board", read_board},
	    {"software", read_software},
	    {"market", read_market},
	};
	bool seen[PEAK_N + 1] = {false}, ok = true;
	struct xml_el *c;

	for (int i = 0; i < N_OF(parts); i++)
		if ((c = catalog_only(r, el, parts[i].name)))
			ok &= parts[i].read(r, c, g);
	for (c = xml_child(el, "peak"); c; c = xml_next(c, "peak"))
		ok &= read_peak(r, c, seen, g);
	for (c = xml_child(el, "derive"); c; c = xml_next(c, "derive"))
		ok &= read_derive(r, c);
	for (c = xml_child(el, "about"); c; c = xml_next(c, "about"))
		ok &= read_about(r, c, g);
	for (c = xml_child(el, "allow"); c; c = xml_next(c, "allow"))
		ok &= read_waiver(r, c, g);
	return ok;
}

/* The body of a note; the caller ends the element. */
bool
catalog_note(struct catalog_reader *r, struct xml_el *el, struct gpu_note *n)
{
	const char *src;
	bool ok;

	n->kind = xml_need(el, "kind", r->d);
	n->date = catalog_date(r, el, "date");
	n->region = xml_attr(el, "region");
	src = n->src = xml_need(el, "src", r->d);
	n->text_zh = xml_child_text(r->a, el, "zh");
	n->text_en = xml_child_text(r->a, el, "en");
	ok = n->kind && src && catalog_sources(r, el, src);
	if (n->kind && !one_of(n->kind, note_kinds, N_OF(note_kinds)))
		ok = diag_error(r->d, xml_attr_pos(el, "kind"), "catalog-value",
		    "'kind' is licence, supply, support or remark");
	if (!n->text_zh || !n->text_en)
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "a note needs its text in <zh> and in <en>");
	return ok;
}
