#include "base/arena.h"
#include "base/str.h"
#include "input/catalog_parts.h"

#define A(field) offsetof(struct arch, field)

static const struct figure video_figures[] = {
    {"h264", UNIT_PER_S, A(decode_fps[CODEC_H264])},
    {"hevc", UNIT_PER_S, A(decode_fps[CODEC_HEVC])},
    {"hevc10", UNIT_PER_S, A(decode_fps[CODEC_HEVC10])},
    {"vp9", UNIT_PER_S, A(decode_fps[CODEC_VP9])},
    {"av1", UNIT_PER_S, A(decode_fps[CODEC_AV1])},
    {"encode", UNIT_PER_S, A(encode_fps)},
    {"clock", UNIT_HERTZ, A(video_hz)},
    {"generation", UNIT_COUNT, A(decoder_generation)},
};
static const struct figure driver_figures[] = {
    {"first", UNIT_COUNT, A(driver_first)},
    {"last", UNIT_COUNT, A(driver_last)},
};
static const struct figure sm_figures[] = {
    {"cores", UNIT_COUNT, A(cores_per_sm)},
    {"tensor-cores", UNIT_COUNT, A(tensor_per_sm)},
};
static const struct figure occupancy_figures[] = {
    {"warps", UNIT_COUNT, A(warps)},
    {"threads", UNIT_COUNT, A(threads)},
    {"blocks", UNIT_COUNT, A(blocks)},
    {"registers", UNIT_COUNT, A(registers)},
    {"shared", UNIT_BYTE, A(shared_bytes)},
    {"block-shared", UNIT_BYTE, A(block_shared_bytes)},
};

static bool
read_version(struct catalog_reader *r, struct xml_el *el, const char *attr,
    const struct origin *o, struct fact *f)
{
	const char *s = xml_attr(el, attr);
	int major, minor;

	if (!s)
		return true;
	if (!catalog_version(s, 99, &major, &minor))
		return diag_error(r->d, xml_attr_pos(el, attr), "catalog-value",
		    "'%s' is not a release such as 11.8", s);
	*f = fact_of(major * 100 + minor, o->sure, o->src);
	return true;
}

static bool
read_window(struct catalog_reader *r, struct xml_el *el, struct fact *first,
    struct fact *last)
{
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	ok &= read_version(r, el, "first", &o, first);
	ok &= read_version(r, el, "last", &o, last);
	if (ok && first->known && last->known && last->value < first->value)
		ok = diag_error(r->d, xml_attr_pos(el, "last"), "catalog-value",
		    "the last release of <%s> is before the "
		    "first",
		    el->name);
	return ok;
}

static bool
read_support(struct catalog_reader *r, struct xml_el *el, struct arch *h)
{
	struct arch_support s = {.pos = catalog_here(r, el)};
	bool ok;

	s.software = xml_need(el, "software", r->d);
	ok = read_window(r, el, &s.first, &s.last) && s.software;
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct arch_support *)arena_push(r->a, &h->supports,
		    &h->n_supports, sizeof(s)) = s;
	return ok;
}

/* Multiply-adds per clock and SM of one precision. */
static bool
read_rate(struct catalog_reader *r, struct xml_el *el, struct arch *h)
{
	const char *precision = xml_need(el, "precision", r->d);
	const char *unit = xml_need(el, "unit", r->d);
	enum peak p = catalog_peak(precision, unit, xml_attr(el, "accumulate"));
	struct figure rates[2] = {{"per-sm", UNIT_NONE, 0},
	    {"geforce", UNIT_NONE, 0}};
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	if (p == PEAK_N)
		return diag_error(r->d, xml_pos(el), "catalog-peak",
		    "no rate is kept for this precision, unit and "
		    "accumulate type");
	if (h->rate[p].known)
		ok = diag_error(r->d, xml_pos(el), "catalog-duplicate",
		    "the rate '%s' is given twice", peak_id(p));
	rates[0].at = A(rate[0]) + p * sizeof(struct fact);
	rates[1].at = A(rate_geforce[0]) + p * sizeof(struct fact);
	ok &= xml_need(el, "per-sm", r->d) != NULL;
	ok &= catalog_figures(r, el, rates, 2, ABOVE_ZERO, &o, h);
	return ok & xml_end(el, r->d);
}

static struct fact *
find_figure(struct arch *h, const char *name)
{
	for (int i = 0; i < N_OF(video_figures); i++)
		if (str_equal(name, video_figures[i].attr))
			return (struct fact *)((char *)h + video_figures[i].at);
	for (int i = 0; i < N_OF(occupancy_figures); i++)
		if (str_equal(name, occupancy_figures[i].attr))
			return (
			    struct fact *)((char *)h + occupancy_figures[i].at);
	return str_equal(name, "cuda-first")     ? &h->cuda_first
	       : str_equal(name, "cuda-last")    ? &h->cuda_last
	       : str_equal(name, "driver-first") ? &h->driver_first
	       : str_equal(name, "driver-last")  ? &h->driver_last
						 : NULL;
}

/* An element that holds nothing but figures of one origin. */
static bool
read_group(struct catalog_reader *r, struct xml_el *el, const struct figure *f,
    int n, enum zero zero, struct arch *h)
{
	struct origin o;
	bool ok = catalog_origin(r, el, &o);

	ok &= catalog_figures(r, el, f, n, zero, &o, h);
	return ok & xml_end(el, r->d);
}

static bool
read_parts(struct catalog_reader *r, struct xml_el *el, struct arch *h)
{
	struct xml_el *c;
	bool ok = true;

	if ((c = catalog_only(r, el, "cuda"))) {
		ok &= read_window(r, c, &h->cuda_first, &h->cuda_last);
		ok &= xml_end(c, r->d);
	}
	if ((c = catalog_only(r, el, "driver")))
		ok &= read_group(r, c, driver_figures, N_OF(driver_figures),
		    ABOVE_ZERO, h);
	if ((c = catalog_only(r, el, "video")))
		ok &= read_group(r, c, video_figures, N_OF(video_figures),
		    MAY_BE_ZERO, h);
	if ((c = catalog_only(r, el, "sm")))
		ok &= read_group(r, c, sm_figures, N_OF(sm_figures), ABOVE_ZERO,
		    h);
	if ((c = catalog_only(r, el, "occupancy")))
		ok &= read_group(r, c, occupancy_figures,
		    N_OF(occupancy_figures), ABOVE_ZERO, h);
	for (c = xml_child(el, "rate"); c; c = xml_next(c, "rate"))
		ok &= read_rate(r, c, h);
	for (c = xml_child(el, "support"); c; c = xml_next(c, "support"))
		ok &= read_support(r, c, h);
	for (c = xml_child(el, "about"); c; c = xml_next(c, "about"))
		ok &= catalog_about(r, c, find_figure(h, xml_attr(c, "field")));
	return ok;
}

const struct arch *
catalog_arch(const struct catalog *c, const char *id)
{
	for (int i = 0; i < c->n_archs; i++)
		if (str_equal(c->archs[i].id, id))
			return &c->archs[i];
	return NULL;
}

static void
read_arch(struct catalog_reader *r, struct xml_el *el)
{
	struct arch h = {.pos = catalog_here(r, el)};
	bool ok;

	r->item = r->c->n_archs;
	h.id = catalog_id(r, el);
	h.name = xml_need(el, "name", r->d);
	ok = h.id && h.name;
	ok &= catalog_cc(r, el, &h.cc);
	ok &= read_parts(r, el, &h);
	if (ok && catalog_arch(r->c, h.id))
		ok = diag_error(r->d, xml_attr_pos(el, "id"),
		    "catalog-duplicate", "the id '%s' is used twice", h.id);
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct arch *)arena_push(r->a, &r->c->archs, &r->c->n_archs,
		    sizeof(h)) = h;
}

void
catalog_read_archs(struct catalog_reader *r, const char *path)
{
	struct xml_el *root = catalog_root(r, path, "architectures");

	if (!root)
		return;
	r->kind = PLACE_ARCH;
	for (struct xml_el *el = xml_child(root, "arch"); el;
	     el = xml_next(el, "arch"))
		read_arch(r, el);
	xml_end(root, r->d);
}
