#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "data/gpu.h"
#include "data/names.h"
#include "data/network.h"
#include "input/input.h"
#include "parse/xml_in.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Larger than any of our files by far; xml_in has its own, higher limit. */
enum { FILE_MAX = 4 << 20, SRC_IDS_MAX = 12 };

/* A name of a card, kept until all cards are known. */
struct card_name {
	const char *text;
	bool ambiguous;
	struct pos pos;
	int gpu;
};

/* A note many cards of one file share. */
struct shared_note {
	const char *id;
	struct gpu_note note;
	bool used;
	struct pos pos;
};

struct reader {
	struct arena *a;
	struct diag *d;
	struct catalog *c;
	struct card_name *names;
	int n_names;
	struct shared_note *shared; /* of the file being read */
	int n_shared;
	/* the last position asked for, and where its line begins */
	struct pos last;
	size_t last_at, line_at;
};

/* Where the figures of one element come from. */
struct origin {
	enum certainty sure;
	const char *src; /* formula first, then source ids */
};

/* An attribute that is a figure, and where it goes in the struct. */
struct figure {
	const char *attr;
	enum unit unit;
	size_t at;
};

static const struct figure unit_figures[] = {
	{"sm", UNIT_COUNT, offsetof(struct gpu, sm)},
	{"cores", UNIT_COUNT, offsetof(struct gpu, cores)},
	{"tensor-cores", UNIT_COUNT, offsetof(struct gpu, tensor_cores)},
	{"base", UNIT_HERTZ, offsetof(struct gpu, base_hz)},
	{"boost", UNIT_HERTZ, offsetof(struct gpu, boost_hz)},
	{"tensor-clock", UNIT_HERTZ, offsetof(struct gpu, tensor_hz)},
};
static const struct figure memory_figures[] = {
	{"size", UNIT_BYTE, offsetof(struct gpu, memory_bytes)},
	{"usable", UNIT_BYTE, offsetof(struct gpu, usable_bytes)},
	{"bus", UNIT_BIT, offsetof(struct gpu, bus_bits)},
	{"bandwidth", UNIT_BYTE_PER_S, offsetof(struct gpu, bandwidth)},
};
static const struct figure cache_figures[] = {
	{"l2", UNIT_BYTE, offsetof(struct gpu, l2_bytes)},
	{"llc", UNIT_BYTE, offsetof(struct gpu, llc_bytes)},
};
static const struct figure video_figures[] = {
	{"decoders", UNIT_COUNT, offsetof(struct gpu, decoders)},
	{"encoders", UNIT_COUNT, offsetof(struct gpu, encoders)},
	{"generation", UNIT_COUNT, offsetof(struct gpu, decoder_generation)},
	{"clock", UNIT_HERTZ, offsetof(struct gpu, video_hz)},
	{"sessions", UNIT_COUNT, offsetof(struct gpu, encode_sessions)},
};
static const struct figure board_figures[] = {
	{"slots", UNIT_COUNT, offsetof(struct gpu, slots)},
	{"power", UNIT_WATT, offsetof(struct gpu, power_w)},
	{"price-usd", UNIT_MONEY, offsetof(struct gpu, price_usd)},
};
/* yes/no; here only for <about> */
static const struct figure flag_figures[] = {
	{"ecc", UNIT_NONE, offsetof(struct gpu, ecc)},
	{"mig", UNIT_NONE, offsetof(struct gpu, mig)},
};
static const struct {
	const struct figure *figures;
	int n;
} gpu_figures[] = {
	{unit_figures, N_OF(unit_figures)},
	{memory_figures, N_OF(memory_figures)},
	{cache_figures, N_OF(cache_figures)},
	{video_figures, N_OF(video_figures)},
	{board_figures, N_OF(board_figures)},
	{flag_figures, N_OF(flag_figures)},
};
static const struct figure arch_figures[] = {
	{"h264", UNIT_PER_S, offsetof(struct arch, decode_fps[CODEC_H264])},
	{"hevc", UNIT_PER_S, offsetof(struct arch, decode_fps[CODEC_HEVC])},
	{"hevc10", UNIT_PER_S,
	    offsetof(struct arch, decode_fps[CODEC_HEVC10])},
	{"vp9", UNIT_PER_S, offsetof(struct arch, decode_fps[CODEC_VP9])},
	{"av1", UNIT_PER_S, offsetof(struct arch, decode_fps[CODEC_AV1])},
	{"encode", UNIT_PER_S, offsetof(struct arch, encode_fps)},
	{"clock", UNIT_HERTZ, offsetof(struct arch, video_hz)},
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

static const struct {
	const char *name;
	enum gpu_vendor vendor;
} vendors[] = {
	{"NVIDIA", VENDOR_NVIDIA},
	{"AMD", VENDOR_AMD},
	{"Intel", VENDOR_INTEL},
	{"Huawei", VENDOR_HUAWEI},
};

static const char *const note_kinds[] = {"licence", "supply", "support",
	"remark"};

/*
 * xml_pos(el), counted on from the position before: elements come in file
 * order, and counting each from the first line would be most of the work.
 */
static struct pos
here(struct reader *r, const struct xml_el *el)
{
	const char *text = el->src->text;

	if (r->last.src != el->src || el->at < r->last_at) {
		r->last = (struct pos){el->src, 1, 1};
		r->line_at = 0;
		r->last_at = 0;
	}
	for (; r->last_at < el->at; r->last_at++) {
		if (text[r->last_at] != '\n')
			continue;
		r->last.line++;
		r->line_at = r->last_at + 1;
	}
	r->last.col = 1;
	for (size_t i = r->line_at; i < el->at; i++)
		r->last.col += ((unsigned char)text[i] & 0xC0) != 0x80;
	return r->last;
}

static bool
one_of(const char *word, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (str_equal(word, words[i]))
			return true;
	return false;
}

/* "2018", "2018-09" or "2018-09-13". */
static bool
is_date(const char *s)
{
	static const char form[] = "dddd-dd-dd";
	size_t len = strlen(s);

	if (len != 4 && len != 7 && len != 10)
		return false;
	for (size_t i = 0; i < len; i++)
		if (form[i] == '-' ? s[i] != '-' : s[i] < '0' || s[i] > '9')
			return false;
	return true;
}

static const char *
read_date(struct reader *r, struct xml_el *el, const char *attr)
{
	const char *s = xml_attr(el, attr);

	if (!s || is_date(s))
		return s;
	diag_error(r->d, xml_attr_pos(el, attr), "catalog-date",
	    "'%s' is not a date", s);
	diag_note(r->d, "write 2018, 2018-09 or 2018-09-13");
	return NULL;
}

/* Ids are stable names: lower-case letters, digits and single hyphens. */
static const char *
read_id(struct reader *r, struct xml_el *el)
{
	const char *id = xml_need(el, "id", r->d);

	if (!id)
		return NULL;
	for (const char *s = id; *s; s++) {
		bool hyphen = *s == '-' && s > id && s[1] && s[1] != '-';

		if ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') ||
		    *s == '_' || *s == '.' || hyphen)
			continue;
		diag_error(r->d, xml_attr_pos(el, "id"), "catalog-id",
		    "'%s' is not an id", id);
		diag_note(r->d, "use lower-case letters, digits and hyphens");
		return NULL;
	}
	return id;
}

/* Every id in the space-separated list must be a source of the catalogue. */
static bool
check_sources(struct reader *r, struct xml_el *el, const char *list)
{
	bool ok = true;
	int n = 0;

	for (const char *s = list; *s;) {
		size_t len = strcspn(s, " ");
		const char *id = arena_strndup(r->a, s, len);

		if (len > 0 && ++n > SRC_IDS_MAX)
			return diag_error(r->d, xml_attr_pos(el, "src"),
			    "catalog-source", "more than %d sources",
			    SRC_IDS_MAX);
		if (len > 0 && !catalog_source(r->c, id)) {
			ok = diag_error(r->d, xml_attr_pos(el, "src"),
			    "catalog-source", "unknown source '%s'", id);
			diag_note(r->d, "sources stand in sources.xml");
		}
		s += len;
		s += strspn(s, " ");
	}
	return ok;
}

static bool
check_formula(struct reader *r, struct xml_el *el, const char *id)
{
	const struct source_ref *s = catalog_source(r->c, id);

	if (s && s->grade == SURE_DERIVED)
		return true;
	diag_error(r->d, xml_attr_pos(el, "formula"), "catalog-source",
	    "unknown formula '%s'", id);
	diag_note(r->d, "formulas stand in sources.xml");
	return false;
}

static bool
read_sure(struct reader *r, struct xml_el *el, enum certainty *sure)
{
	const char *word = xml_need(el, "sure", r->d);

	if (!word)
		return false;
	if (certainty_parse(word, sure) && *sure != SURE_NONE)
		return true;
	diag_error(r->d, xml_attr_pos(el, "sure"), "catalog-certainty",
	    "'%s' does not say how sure a figure is", word);
	diag_note(r->d,
	    "use one of vendor, two, one, derived, conflict, assumed");
	return false;
}

/*
 * src=, sure= and formula= of an element.  A figure needs a source, unless
 * a formula gives it or it is owned up to as assumed.
 */
static bool
read_origin(struct reader *r, struct xml_el *el, struct origin *o)
{
	const char *src = xml_attr(el, "src");
	const char *formula = xml_attr(el, "formula");
	bool ok;

	*o = (struct origin){SURE_NONE, NULL};
	ok = read_sure(r, el, &o->sure);
	if (src)
		ok &= check_sources(r, el, src);
	if (formula)
		ok &= check_formula(r, el, formula);
	if (ok && o->sure == SURE_DERIVED && !formula)
		ok = diag_error(r->d, xml_attr_pos(el, "sure"),
		    "catalog-source", "a derived figure needs its formula");
	if (ok && !src && !formula && o->sure != SURE_ASSUMED)
		ok = diag_error(r->d, xml_pos(el), "catalog-source",
		    "<%s> has no source", el->name);
	o->src = formula && src ? arena_printf(r->a, "%s %s", formula, src) :
	    formula		? formula :
				  src;
	return ok;
}

/* One figure; it must be above zero unless `zero` is true. */
static bool
read_figure(struct reader *r, struct xml_el *el, const struct figure *f,
    bool zero, const struct origin *o, void *base)
{
	struct fact *fact = (struct fact *)((char *)base + f->at);
	double v;
	bool found;

	if (!xml_number(r->a, el, f->attr, f->unit, &v, &found, r->d))
		return false;
	if (!found)
		return true;
	if (v < 0 || (v == 0 && !zero))
		return diag_error(r->d, xml_attr_pos(el, f->attr),
		    "catalog-value", "'%s' must be above zero", f->attr);
	*fact = fact_of(v, o->sure, o->src);
	return true;
}

static bool
read_figures(struct reader *r, struct xml_el *el, const struct figure *f,
    int n, bool zero, const struct origin *o, void *base)
{
	bool ok = true;

	for (int i = 0; i < n; i++)
		ok &= read_figure(r, el, &f[i], zero, o, base);
	return ok;
}

static bool
read_flag(struct reader *r, struct xml_el *el, const char *attr, bool *v,
    bool *found)
{
	const char *s = xml_attr(el, attr);

	*found = s != NULL;
	*v = str_equal(s, "yes");
	if (!s || *v || str_equal(s, "no"))
		return true;
	return diag_error(r->d, xml_attr_pos(el, attr), "catalog-value",
	    "'%s' must be yes or no", attr);
}

static bool
read_flag_fact(struct reader *r, struct xml_el *el, const char *attr,
    const struct origin *o, struct fact *f)
{
	bool v, found;

	if (!read_flag(r, el, attr, &v, &found))
		return false;
	if (found)
		*f = fact_of(v, o->sure, o->src);
	return true;
}

/*
 * <about> says of one figure what differs from the rest of its element;
 * without src= the sources of the element stand.
 */
static bool
read_about(struct reader *r, struct xml_el *el, struct fact *f)
{
	bool own = xml_attr(el, "src") || xml_attr(el, "formula");
	struct origin o = {SURE_NONE, NULL};
	bool ok = own ? read_origin(r, el, &o) : read_sure(r, el, &o.sure);

	if (xml_need(el, "field", r->d) && (!f || !f->known))
		ok = diag_error(r->d, xml_attr_pos(el, "field"),
		    "catalog-field", "no figure '%s' is given above",
		    xml_attr(el, "field"));
	if (ok && f)
		*f = fact_of(f->value, o.sure, o.src ? o.src : f->src);
	return ok & xml_end(el, r->d);
}

/* The only child of that name, or NULL; a second one is an error. */
static struct xml_el *
only_child(struct reader *r, struct xml_el *el, const char *name)
{
	struct xml_el *c = xml_child(el, name);
	struct xml_el *second = c ? xml_next(c, name) : NULL;

	if (second)
		diag_error(r->d, xml_pos(second), "catalog-duplicate",
		    "a second <%s> in <%s>", name, el->name);
	return c;
}

static struct xml_el *
read_root(struct reader *r, const char *path, const char *root)
{
	struct source *src = fs_read(r->a, path, FILE_MAX, (struct pos){0},
	    r->d);
	struct xml_el *el = src ? xml_parse(r->a, src, false, r->d) : NULL;

	if (!el || str_equal(el->name, root))
		return el;
	diag_error(r->d, xml_pos(el), "catalog-root",
	    "the file begins with <%s>, not <%s>", el->name, root);
	return NULL;
}

/* ---- sources.xml ---- */

static bool
read_source(struct reader *r, struct xml_el *el)
{
	struct source_ref s = {.pos = here(r, el), .letter = 'F',
		.grade = SURE_DERIVED};
	bool formula = str_equal(el->name, "formula"), ok;
	const char *grade = formula ? NULL : xml_need(el, "grade", r->d);

	s.id = xml_need(el, "id", r->d);
	s.date = xml_attr(el, "date");
	s.title = xml_child_text(r->a, el, "title");
	s.publisher = xml_child_text(r->a, el, "publisher");
	s.where = xml_child_text(r->a, el, "where");
	ok = s.id && (formula || grade);
	if (grade) {
		s.letter = grade[0];
		s.grade = s.letter == 'A' ? SURE_VENDOR : SURE_ONE;
		if (grade[1] || !strchr("ABC", grade[0]))
			ok = diag_error(r->d, xml_attr_pos(el, "grade"),
			    "catalog-value", "the grade is A, B or C");
	}
	if (!s.title)
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "<%s> needs a <title>", el->name);
	if (ok && catalog_source(r->c, s.id))
		ok = diag_error(r->d, xml_attr_pos(el, "id"),
		    "catalog-duplicate", "the id '%s' is used twice", s.id);
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct source_ref *)arena_push(r->a, &r->c->sources,
		    &r->c->n_sources, sizeof(s)) = s;
	return ok;
}

static void
read_sources(struct reader *r, const char *path)
{
	struct xml_el *root = read_root(r, path, "sources");

	if (!root)
		return;
	for (struct xml_el *el = xml_child(root, "source"); el;
	     el = xml_next(el, "source"))
		read_source(r, el);
	for (struct xml_el *el = xml_child(root, "formula"); el;
	     el = xml_next(el, "formula"))
		read_source(r, el);
	xml_end(root, r->d);
}

/* ---- architectures.xml ---- */

/* "11.8" as major x 100 + minor; `minor_max` 9 for compute capabilities. */
static bool
parse_version(const char *s, int minor_max, int *major, int *minor)
{
	int v[2] = {0, 0}, part = 0, digits = 0;

	for (; *s; s++) {
		if (*s == '.' && part == 0 && digits > 0) {
			part = 1;
			digits = 0;
			continue;
		}
		if (*s < '0' || *s > '9' || ++digits > 3)
			return false;
		v[part] = v[part] * 10 + (*s - '0');
	}
	*major = v[0];
	*minor = v[1];
	return part == 1 && digits > 0 && v[1] <= minor_max;
}

static bool
read_version(struct reader *r, struct xml_el *el, const char *attr,
    const struct origin *o, struct fact *f)
{
	const char *s = xml_attr(el, attr);
	int major, minor;

	if (!s)
		return true;
	if (!parse_version(s, 99, &major, &minor))
		return diag_error(r->d, xml_attr_pos(el, attr),
		    "catalog-value", "'%s' is not a release such as 11.8", s);
	*f = fact_of(major * 100 + minor, o->sure, o->src);
	return true;
}

static bool
read_cc(struct reader *r, struct xml_el *el, int *cc)
{
	const char *s = xml_attr(el, "cc");
	int major, minor;

	*cc = 0;
	if (!s)
		return true;
	if (!parse_version(s, 9, &major, &minor) || major == 0)
		return diag_error(r->d, xml_attr_pos(el, "cc"),
		    "catalog-value",
		    "'%s' is not a compute capability such as 7.5", s);
	*cc = major * 10 + minor;
	return true;
}

static struct fact *
find_arch_figure(struct arch *h, const char *name)
{
	for (int i = 0; i < N_OF(arch_figures); i++)
		if (str_equal(name, arch_figures[i].attr))
			return (struct fact *)((char *)h + arch_figures[i].at);
	return str_equal(name, "cuda-first") ? &h->cuda_first :
	    str_equal(name, "cuda-last")     ? &h->cuda_last :
	    str_equal(name, "driver-first")  ? &h->driver_first :
	    str_equal(name, "driver-last")   ? &h->driver_last :
					       NULL;
}

static bool
read_arch_parts(struct reader *r, struct xml_el *el, struct arch *h)
{
	static const struct figure driver[] = {
		{"first", UNIT_COUNT, offsetof(struct arch, driver_first)},
		{"last", UNIT_COUNT, offsetof(struct arch, driver_last)},
	};
	struct xml_el *c;
	struct origin o;
	bool ok = true;

	if ((c = only_child(r, el, "cuda"))) {
		ok &= read_origin(r, c, &o);
		ok &= read_version(r, c, "first", &o, &h->cuda_first);
		ok &= read_version(r, c, "last", &o, &h->cuda_last);
		ok &= xml_end(c, r->d);
	}
	if ((c = only_child(r, el, "driver"))) {
		ok &= read_origin(r, c, &o);
		ok &= read_figures(r, c, driver, N_OF(driver), false, &o, h);
		ok &= xml_end(c, r->d);
	}
	if ((c = only_child(r, el, "video"))) {
		ok &= read_origin(r, c, &o);
		ok &= read_figures(r, c, arch_figures, N_OF(arch_figures),
		    true, &o, h);
		ok &= xml_end(c, r->d);
	}
	for (c = xml_child(el, "about"); c; c = xml_next(c, "about"))
		ok &= read_about(r, c,
		    find_arch_figure(h, xml_attr(c, "field")));
	return ok;
}

static const struct arch *
find_arch(const struct catalog *c, const char *id)
{
	for (int i = 0; i < c->n_archs; i++)
		if (str_equal(c->archs[i].id, id))
			return &c->archs[i];
	return NULL;
}

static void
read_arch(struct reader *r, struct xml_el *el)
{
	struct arch h = {.pos = here(r, el)};
	bool ok;

	h.id = read_id(r, el);
	h.name = xml_need(el, "name", r->d);
	ok = h.id && h.name;
	ok &= read_cc(r, el, &h.cc);
	ok &= read_arch_parts(r, el, &h);
	if (ok && h.cuda_first.known && h.cuda_last.known &&
	    h.cuda_last.value < h.cuda_first.value)
		ok = diag_error(r->d, h.pos, "catalog-value",
		    "the last CUDA release of '%s' is before the first",
		    h.id);
	if (ok && find_arch(r->c, h.id))
		ok = diag_error(r->d, xml_attr_pos(el, "id"),
		    "catalog-duplicate", "the id '%s' is used twice", h.id);
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct arch *)arena_push(r->a, &r->c->archs,
		    &r->c->n_archs, sizeof(h)) = h;
}

static void
read_archs(struct reader *r, const char *path)
{
	struct xml_el *root = read_root(r, path, "architectures");

	if (!root)
		return;
	for (struct xml_el *el = xml_child(root, "arch"); el;
	     el = xml_next(el, "arch"))
		read_arch(r, el);
	xml_end(root, r->d);
}

/* ---- gpus/ *.xml ---- */

static bool
read_units(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = read_origin(r, el, &o);

	ok &= read_figures(r, el, unit_figures, N_OF(unit_figures), false, &o,
	    g);
	if (ok && g->base_hz.known && g->boost_hz.known &&
	    g->boost_hz.value < g->base_hz.value)
		ok = diag_error(r->d, xml_attr_pos(el, "boost"),
		    "catalog-value", "the boost clock is below the base clock");
	return ok & xml_end(el, r->d);
}

static bool
read_memory(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = read_origin(r, el, &o);

	ok &= read_figures(r, el, memory_figures, N_OF(memory_figures), false,
	    &o, g);
	g->memory_kind = xml_attr(el, "kind");
	ok &= read_flag_fact(r, el, "ecc", &o, &g->ecc);
	if (ok && g->usable_bytes.known && g->memory_bytes.known &&
	    g->usable_bytes.value > g->memory_bytes.value)
		ok = diag_error(r->d, xml_attr_pos(el, "usable"),
		    "catalog-value",
		    "usable memory is more than the card has");
	return ok & xml_end(el, r->d);
}

static bool
read_cache(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = read_origin(r, el, &o);

	ok &= read_figures(r, el, cache_figures, N_OF(cache_figures), false,
	    &o, g);
	return ok & xml_end(el, r->d);
}

static bool
read_video(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o;
	bool ok = read_origin(r, el, &o);

	/* No engine at all is a figure, and an important one. */
	ok &= read_figures(r, el, video_figures, N_OF(video_figures), true,
	    &o, g);
	return ok & xml_end(el, r->d);
}

static bool
read_board(struct reader *r, struct xml_el *el, struct gpu *g)
{
	static const char *const mounts[] = {"slot", "module", "socket",
		"integrated"};
	const char *mount = xml_need(el, "mount", r->d);
	const char *cooling = xml_attr(el, "cooling");
	double devices = 1;
	struct origin o;
	bool found, ok = read_origin(r, el, &o) && mount;

	ok &= read_figures(r, el, board_figures, N_OF(board_figures), false,
	    &o, g);
	ok &= xml_number(r->a, el, "devices", UNIT_COUNT, &devices, &found,
	    r->d);
	if (found && (devices < 1 || devices > 64))
		ok = diag_error(r->d, xml_attr_pos(el, "devices"),
		    "catalog-value", "a board has 1 to 64 devices");
	if (mount && !one_of(mount, mounts, N_OF(mounts)))
		ok = diag_error(r->d, xml_attr_pos(el, "mount"),
		    "catalog-value",
		    "'mount' is slot, module, socket or integrated");
	g->cooling = str_equal(cooling, "passive") ? COOLING_PASSIVE :
	    str_equal(cooling, "active")	   ? COOLING_ACTIVE :
						     COOLING_UNKNOWN;
	if (cooling && g->cooling == COOLING_UNKNOWN)
		ok = diag_error(r->d, xml_attr_pos(el, "cooling"),
		    "catalog-value", "'cooling' is active or passive");
	g->on_board = str_equal(mount, "slot");
	g->form = xml_attr(el, "form");
	g->link = xml_attr(el, "link");
	g->devices = ok ? (int)devices : 1;
	xml_attr(el, "connectors");
	return ok & xml_end(el, r->d);
}

static bool
read_peak(struct reader *r, struct xml_el *el, struct gpu *g)
{
	const char *precision = xml_need(el, "precision", r->d);
	const char *unit = xml_need(el, "unit", r->d);
	const char *accumulate = xml_attr(el, "accumulate");
	struct figure dense = {"dense", UNIT_FLOP_PER_S, 0};
	enum peak p = PEAK_N;
	struct origin o;
	bool ok = read_origin(r, el, &o) && precision && unit;

	for (int i = 0; ok && i < N_OF(peaks); i++)
		if (str_equal(precision, peaks[i].precision) &&
		    str_equal(unit, peaks[i].unit) &&
		    str_equal(accumulate, peaks[i].accumulate))
			p = peaks[i].peak;
	if (ok && p == PEAK_N) {
		ok = diag_error(r->d, xml_pos(el), "catalog-peak",
		    "no peak is kept for this precision, unit and "
		    "accumulate type");
		diag_note(r->d, "tensor: tf32, fp16, bf16, fp8 with fp32; "
		    "fp16, fp8 with fp16; int8 with int32; "
		    "shader: fp32, fp16, int8");
	}
	if (ok && g->peak[p].known)
		ok = diag_error(r->d, xml_pos(el), "catalog-duplicate",
		    "the peak '%s' is given twice", peak_id(p));
	ok &= xml_need(el, "dense", r->d) != NULL;
	if (ok)
		ok = read_figure(r, el, &dense, false, &o, &g->peak[p]);
	return ok & xml_end(el, r->d);
}

static bool
read_software(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct origin o = {SURE_NONE, NULL};
	int cc;
	bool ok = read_cc(r, el, &cc);

	g->software = xml_attr(el, "ecosystem");
	if (xml_attr(el, "mig")) {
		ok &= read_origin(r, el, &o);
		ok &= read_flag_fact(r, el, "mig", &o, &g->mig);
	}
	if (ok && cc > 0 && g->arch && cc != g->arch->cc)
		ok = diag_error(r->d, xml_attr_pos(el, "cc"),
		    "catalog-arch",
		    "the architecture '%s' has another compute capability",
		    g->arch->id);
	return ok & xml_end(el, r->d);
}

static bool
read_market(struct reader *r, struct xml_el *el, struct gpu *g)
{
	const char *p = xml_need(el, "production", r->d);
	const char *src = xml_need(el, "src", r->d);
	bool ok = p && src && check_sources(r, el, src);

	read_date(r, el, "date");
	if (p && !str_equal(p, "current") && !str_equal(p, "ended"))
		ok = diag_error(r->d, xml_attr_pos(el, "production"),
		    "catalog-value", "'production' is current or ended");
	g->in_production_known = ok;
	g->in_production = ok && str_equal(p, "current");
	return ok & xml_end(el, r->d);
}

static bool
read_note(struct reader *r, struct xml_el *el, struct gpu_note *n)
{
	const char *src;
	bool ok;

	n->kind = xml_need(el, "kind", r->d);
	n->date = read_date(r, el, "date");
	n->region = xml_attr(el, "region");
	src = n->src = xml_need(el, "src", r->d);
	n->text_zh = xml_child_text(r->a, el, "zh");
	n->text_en = xml_child_text(r->a, el, "en");
	ok = n->kind && src && check_sources(r, el, src);
	if (n->kind && !one_of(n->kind, note_kinds, N_OF(note_kinds)))
		ok = diag_error(r->d, xml_attr_pos(el, "kind"),
		    "catalog-value",
		    "'kind' is licence, supply, support or remark");
	if (!n->text_zh || !n->text_en)
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "a note needs its text in <zh> and in <en>");
	return ok;
}

static bool
read_notes(struct reader *r, struct xml_el *el, struct gpu *g)
{
	const char *list = xml_attr(el, "notes");
	struct xml_el *c;
	bool ok = true;

	for (c = xml_child(el, "note"); c; c = xml_next(c, "note")) {
		struct gpu_note n = {0};
		bool good = read_note(r, c, &n);

		good &= xml_end(c, r->d);
		if (good)
			*(struct gpu_note *)arena_push(r->a, &g->notes,
			    &g->n_notes, sizeof(n)) = n;
		ok &= good;
	}
	for (const char *s = list ? list : ""; *s;) {
		size_t len = strcspn(s, " ");
		const char *id = arena_strndup(r->a, s, len);
		int i = 0;

		while (i < r->n_shared && !str_equal(r->shared[i].id, id))
			i++;
		if (i < r->n_shared) {
			r->shared[i].used = true;
			*(struct gpu_note *)arena_push(r->a, &g->notes,
			    &g->n_notes, sizeof(struct gpu_note)) =
			    r->shared[i].note;
		} else if (len > 0) {
			ok = diag_error(r->d, xml_attr_pos(el, "notes"),
			    "catalog-note", "the file has no note '%s'", id);
		}
		s += len;
		s += strspn(s, " ");
	}
	return ok;
}

static struct fact *
find_figure(struct gpu *g, const char *name)
{
	for (int k = 0; k < N_OF(gpu_figures); k++) {
		const struct figure *f = gpu_figures[k].figures;

		for (int i = 0; i < gpu_figures[k].n; i++)
			if (str_equal(name, f[i].attr))
				return (struct fact *)((char *)g + f[i].at);
	}
	for (int p = 0; p < PEAK_N; p++)
		if (str_equal(name, peak_id((enum peak)p)))
			return &g->peak[p];
	return NULL;
}

static void
keep_name(struct reader *r, const char *text, bool ambiguous, struct pos pos)
{
	struct card_name *n = arena_push(r->a, &r->names, &r->n_names,
	    sizeof(*n));

	/* The card gets this index if it turns out sound. */
	*n = (struct card_name){text, ambiguous, pos, r->c->n_gpus};
}

static char *
trimmed(struct reader *r, const char *text)
{
	size_t len;

	text += strspn(text, " \t\r\n");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r\n", text[len - 1]))
		len--;
	return arena_strndup(r->a, text, len);
}

static bool
read_alias(struct reader *r, struct xml_el *el, struct gpu *g)
{
	const char *kind = xml_attr(el, "kind"), *text = trimmed(r, el->text);
	char key[NAME_MAX_KEY];
	bool ambiguous, found;
	bool ok = read_flag(r, el, "ambiguous", &ambiguous, &found);

	if (kind && !str_equal(kind, "id"))
		ok = diag_error(r->d, xml_attr_pos(el, "kind"),
		    "catalog-value", "'kind' of an alias can only be id");
	if (!name_fold(text, key))
		ok = diag_error(r->d, xml_pos(el), "catalog-alias",
		    "'%s' cannot be a name", text);
	ok &= xml_end(el, r->d);
	if (!ok)
		return false;
	if (kind) {
		*(const char **)arena_push(r->a, &g->other_ids,
		    &g->n_other_ids, sizeof(char *)) = text;
		return true;
	}
	*(const char **)arena_push(r->a, &g->aliases, &g->n_aliases,
	    sizeof(char *)) = text;
	keep_name(r, text, ambiguous, here(r, el));
	return true;
}

static bool
read_names(struct reader *r, struct xml_el *el, struct gpu *g)
{
	struct xml_el *c = only_child(r, el, "name");
	bool ok = true;

	if (c)
		g->name = trimmed(r, c->text);
	if (!c || !g->name[0])
		return diag_error(r->d, xml_pos(el), "xml-missing",
		    "<gpu> needs a <name>");
	keep_name(r, g->name, false, here(r, c));
	xml_end(c, r->d);
	for (c = xml_child(el, "alias"); c; c = xml_next(c, "alias"))
		ok &= read_alias(r, c, g);
	return ok;
}

static bool
read_card_head(struct reader *r, struct xml_el *el, struct gpu *g)
{
	const char *segment = xml_need(el, "segment", r->d);
	const char *arch = xml_attr(el, "arch");
	bool ok;

	g->id = read_id(r, el);
	g->vendor_name = xml_need(el, "vendor", r->d);
	g->family = xml_need(el, "family", r->d);
	g->launched = read_date(r, el, "launched");
	g->vendor = VENDOR_OTHER;
	ok = g->id && g->vendor_name && g->family && segment;
	for (int i = 0; i < N_OF(vendors); i++)
		if (str_equal(g->vendor_name, vendors[i].name))
			g->vendor = vendors[i].vendor;
	if (segment && !segment_parse(segment, &g->segment)) {
		ok = diag_error(r->d, xml_attr_pos(el, "segment"),
		    "catalog-value", "unknown segment '%s'", segment);
		diag_note(r->d, "use one of consumer, workstation, "
		    "datacenter, edge, cpu");
	}
	g->arch = arch ? find_arch(r->c, arch) : NULL;
	if (arch && !g->arch) {
		ok = diag_error(r->d, xml_attr_pos(el, "arch"),
		    "catalog-arch", "unknown architecture '%s'", arch);
		diag_note(r->d, "they stand in architectures.xml");
	}
	g->arch_name = g->arch ? g->arch->name : NULL;
	g->cc = g->arch ? g->arch->cc : 0;
	return ok;
}

static bool
read_card_parts(struct reader *r, struct xml_el *el, struct gpu *g)
{
	static const struct {
		const char *name;
		bool (*read)(struct reader *, struct xml_el *, struct gpu *);
	} parts[] = {
		{"units", read_units},	   {"memory", read_memory},
		{"cache", read_cache},	   {"video", read_video},
		{"board", read_board},	   {"software", read_software},
		{"market", read_market},
	};
	struct xml_el *c;
	bool ok = true;

	for (int i = 0; i < N_OF(parts); i++)
		if ((c = only_child(r, el, parts[i].name)))
			ok &= parts[i].read(r, c, g);
	for (c = xml_child(el, "peak"); c; c = xml_next(c, "peak"))
		ok &= read_peak(r, c, g);
	for (c = xml_child(el, "about"); c; c = xml_next(c, "about"))
		ok &= read_about(r, c,
		    find_figure(g, xml_attr(c, "field")));
	return ok;
}

static void
read_card(struct reader *r, struct xml_el *el)
{
	struct gpu g = {.pos = here(r, el), .devices = 1};
	int n_names = r->n_names;
	bool ok = read_card_head(r, el, &g);

	ok &= read_names(r, el, &g);
	ok &= read_card_parts(r, el, &g);
	ok &= read_notes(r, el, &g);
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct gpu *)arena_push(r->a, &r->c->gpus, &r->c->n_gpus,
		    sizeof(g)) = g;
	else
		for (int i = n_names; i < r->n_names; i++)
			r->names[i].gpu = -1;
}

static void
read_shared_notes(struct reader *r, struct xml_el *root)
{
	r->shared = NULL;
	r->n_shared = 0;
	for (struct xml_el *el = xml_child(root, "note"); el;
	     el = xml_next(el, "note")) {
		struct shared_note s = {.pos = here(r, el)};
		bool ok;

		s.id = read_id(r, el);
		ok = read_note(r, el, &s.note) && s.id;
		ok &= xml_end(el, r->d);
		if (ok)
			*(struct shared_note *)arena_push(r->a, &r->shared,
			    &r->n_shared, sizeof(s)) = s;
	}
}

static void
read_gpu_file(struct reader *r, const char *path)
{
	struct xml_el *root = read_root(r, path, "gpus");

	if (!root)
		return;
	read_shared_notes(r, root);
	for (struct xml_el *el = xml_child(root, "gpu"); el;
	     el = xml_next(el, "gpu"))
		read_card(r, el);
	for (int i = 0; i < r->n_shared; i++)
		if (!r->shared[i].used)
			diag_error(r->d, r->shared[i].pos, "catalog-note",
			    "no card uses the note '%s'", r->shared[i].id);
	xml_end(root, r->d);
}

/* ---- networks/ *.xml ---- */

/* "3x640x640": channels, height, width. */
static bool
parse_shape(const char *s, int shape[3])
{
	for (int i = 0; i < 3; i++) {
		int digits = 0;

		for (shape[i] = 0; *s >= '0' && *s <= '9'; s++) {
			if (++digits > 5)
				return false;
			shape[i] = shape[i] * 10 + (*s - '0');
		}
		if (shape[i] == 0 || *s != (i < 2 ? 'x' : '\0'))
			return false;
		s += i < 2;
	}
	return true;
}

static bool
read_totals(struct reader *r, struct xml_el *el, struct network *n)
{
	static const struct {
		struct figure f;
		double factor;
	} figures[] = {
		{{"gmac", UNIT_NONE, offsetof(struct network, macs)}, 1e9},
		{{"params-m", UNIT_NONE, offsetof(struct network, params)},
		    1e6},
		{{"activations-m", UNIT_NONE,
		    offsetof(struct network, activations)}, 1e6},
	};
	const char *input = xml_need(el, "input", r->d);
	int shape[3];
	struct origin o;
	bool ok = read_origin(r, el, &o) && input;

	if (input && !parse_shape(input, shape)) {
		ok = diag_error(r->d, xml_attr_pos(el, "input"),
		    "catalog-value", "'%s' is not an input shape", input);
		diag_note(r->d, "write channels x height x width: 3x640x640");
	}
	for (int i = 0; i < N_OF(figures); i++) {
		struct fact *f =
		    (struct fact *)((char *)n + figures[i].f.at);

		ok &= read_figure(r, el, &figures[i].f, false, &o, n);
		f->value *= figures[i].factor;
	}
	if (ok) {
		n->in_c = shape[0];
		n->in_h = shape[1];
		n->in_w = shape[2];
	}
	return ok & xml_end(el, r->d);
}

static struct fact *
find_total(struct network *n, const char *name)
{
	return str_equal(name, "gmac")		? &n->macs :
	    str_equal(name, "params-m")		? &n->params :
	    str_equal(name, "activations-m")	? &n->activations :
						  NULL;
}

static bool
read_network_names(struct reader *r, struct xml_el *el, struct network *n)
{
	char key[NAME_MAX_KEY];
	bool ok = true;

	n->name = xml_child_text(r->a, el, "name");
	if (!n->name || !n->name[0])
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "<network> needs a <name>");
	for (struct xml_el *c = xml_child(el, "alias"); c;
	     c = xml_next(c, "alias")) {
		const char *text = trimmed(r, c->text);

		if (name_fold(text, key))
			*(const char **)arena_push(r->a, &n->aliases,
			    &n->n_aliases, sizeof(char *)) = text;
		else
			ok = diag_error(r->d, xml_pos(c), "catalog-alias",
			    "'%s' cannot be a name", text);
		ok &= xml_end(c, r->d);
	}
	return ok;
}

static void
read_network(struct reader *r, struct xml_el *el)
{
	struct network n = {.pos = here(r, el), .divisor = 1};
	const char *class = xml_need(el, "class", r->d);
	double divisor = 1;
	struct xml_el *totals;
	bool ok, found;

	n.id = read_id(r, el);
	n.task = xml_need(el, "task", r->d);
	n.licence = xml_attr(el, "licence");
	ok = n.id && n.task && class;
	if (class && !net_class_parse(class, &n.cls)) {
		ok = diag_error(r->d, xml_attr_pos(el, "class"),
		    "catalog-value", "unknown class '%s'", class);
		diag_note(r->d,
		    "use one of dense, vgg, grouped, mobile, vit, yolo");
	}
	ok &= xml_number(r->a, el, "divisor", UNIT_COUNT, &divisor, &found,
	    r->d);
	if (divisor < 1 || divisor > 1024)
		ok = diag_error(r->d, xml_attr_pos(el, "divisor"),
		    "catalog-value", "'divisor' is a number from 1 to 1024");
	ok &= read_flag(r, el, "scales", &n.scales, &found);
	ok &= read_network_names(r, el, &n);
	if ((totals = only_child(r, el, "totals")))
		ok &= read_totals(r, totals, &n);
	for (struct xml_el *c = xml_child(el, "about"); c;
	     c = xml_next(c, "about"))
		ok &= read_about(r, c, find_total(&n, xml_attr(c, "field")));
	ok &= xml_end(el, r->d);
	if (!ok)
		return;
	n.divisor = (int)divisor;
	*(struct network *)arena_push(r->a, &r->c->networks,
	    &r->c->n_networks, sizeof(n)) = n;
}

static void
read_network_file(struct reader *r, const char *path)
{
	struct xml_el *root = read_root(r, path, "networks");

	if (!root)
		return;
	for (struct xml_el *el = xml_child(root, "network"); el;
	     el = xml_next(el, "network"))
		read_network(r, el);
	xml_end(root, r->d);
}

/* ---- the whole ---- */

static void
report_twice(struct reader *r, struct pos pos, struct pos first,
    const char *what, const char *id)
{
	diag_error(r->d, pos, "catalog-duplicate", "%s '%s' is used twice",
	    what, id);
	if (first.src)
		diag_note(r->d, "first in %s, line %d", first.src->path,
		    first.line);
}

/* Two cards, or two networks, must not share an id or a network's name. */
static void
check_duplicates(struct reader *r)
{
	const struct catalog *c = r->c;
	const struct name_table *t = &c->names->gpu_ids;

	for (int i = 1; i < t->n; i++)
		if (str_equal(t->keys[i], t->keys[i - 1]))
			report_twice(r, c->gpus[t->entries[i].item].pos,
			    c->gpus[t->entries[i - 1].item].pos, "the id",
			    t->keys[i]);
	t = &c->names->networks;
	for (int i = 1; i < t->n; i++)
		if (str_equal(t->keys[i], t->keys[i - 1]))
			report_twice(r, c->networks[t->entries[i].item].pos,
			    c->networks[t->entries[i - 1].item].pos,
			    "the network name", t->entries[i].shown);
}

/*
 * A name that several cards answer to must say so on each of them, and one
 * marked so must have company: else it finds the wrong card without a word.
 */
static void
check_names(struct reader *r)
{
	const struct name_table *t = &r->c->names->gpus;
	char key[NAME_MAX_KEY];
	int n;

	for (int i = 0; i < r->n_names; i++) {
		const struct card_name *name = &r->names[i];
		const struct name_entry *e;

		if (name->gpu < 0 || !name_fold_gpu(name->text, key))
			continue;
		e = name_lookup(t, key, &n);
		assert(e);
		if (n == 1 && name->ambiguous) {
			diag_error(r->d, name->pos, "catalog-alias",
			    "only this card is called '%s'", name->text);
			diag_note(r->d, "drop ambiguous=\"yes\"");
		}
		if (n > 1 && !name->ambiguous) {
			diag_error(r->d, name->pos, "catalog-alias",
			    "'%s' is also '%s'", name->text,
			    r->c->gpus[e[e->item == name->gpu].item].id);
			diag_note(r->d, "mark the alias ambiguous=\"yes\" on "
			    "every card it can mean");
		}
	}
}

static void
read_folder(struct reader *r, const char *dir, const char *name,
    void (*read)(struct reader *, const char *))
{
	const char *folder = fs_join(r->a, dir, name);
	int n = 0;
	char **files = fs_list(r->a, folder, ".xml", &n);

	for (int i = 0; i < n; i++)
		read(r, fs_join(r->a, folder, files[i]));
}

struct catalog *
catalog_read(struct arena *a, const char *dir, struct diag *d)
{
	struct catalog *c = arena_alloc(a, 1, sizeof(*c));
	struct reader r = {.a = a, .d = d, .c = c};

	read_sources(&r, fs_join(a, dir, "sources.xml"));
	read_archs(&r, fs_join(a, dir, "architectures.xml"));
	/* Without sources every figure would be reported once more. */
	if (c->n_sources == 0)
		return NULL;
	read_folder(&r, dir, "gpus", read_gpu_file);
	read_folder(&r, dir, "networks", read_network_file);
	if (c->n_gpus == 0) {
		diag_error(d, (struct pos){0}, "catalog-empty",
		    "no card in '%s'", fs_join(a, dir, "gpus"));
		return NULL;
	}
	catalog_index(a, c);
	check_duplicates(&r);
	check_names(&r);
	return c;
}
