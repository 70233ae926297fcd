/*
 * `nvidia-smi -q -x`: what stands in a machine already.
 *
 * The output changed its tags several times without changing its DTD
 * (driver 535 renamed power_readings, 570 dropped power_draw), so every
 * value is looked for under each of its names and may be missing.
 */
#include "input/input.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "parse/charset.h"
#include "parse/xml_in.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

struct smi {
	struct arena *a;
	const struct catalog *c;
	struct diag *d;
	struct inventory *inv;
};

/*
 * PCI device ids of 10DE, for cards newer than their driver, which it calls
 * "Graphics Device".  From captures of nvidia-smi in the test data of
 * influxdata/telegraf and netdata/netdata that show the id with the name (or,
 * for 2184, with the name of the file).
 */
static const struct {
	const char *device, *name;
} pci_ids[] = {
    {"1E87", "GeForce RTX 2080"},
    {"1EB8", "Tesla T4"},
    {"20B2", "A100 SXM4 80GB"},
    {"2184", "GeForce GTX 1660 Ti"},
    {"2487", "GeForce RTX 3060"},
    {"2684", "GeForce RTX 4090"},
    {"27B0", "RTX 4000 SFF Ada Generation"},
    {"2BB4", "RTX PRO 6000 Blackwell Max-Q Workstation Edition"},
};

/* What stands where there is no value; anything else is one or is ignored. */
static bool
is_value(const char *s)
{
	static const char *const none[] = {"", "N/A", "[N/A]", "None",
	    "Not Supported", "[Not Supported]", "Unknown Error",
	    "[Unknown Error]", "ERR!", "Not Found", "Insufficient Permissions",
	    "Requested functionality has been deprecated"};

	for (int i = 0; s && i < N_OF(none); i++)
		if (str_equal_nocase(s, none[i]))
			return false;
	return s != NULL;
}

/* The text at a path of child elements, or NULL. */
static const char *
text_at(struct smi *s, struct xml_el *el, const char *child,
    const char *grandchild)
{
	const char *t;

	if (grandchild) {
		el = xml_child(el, child);
		child = grandchild;
	}
	t = el ? xml_child_text(s->a, el, child) : NULL;
	return is_value(t) ? t : NULL;
}

static struct fact
quantity_at(struct smi *s, struct xml_el *el, const char *child,
    const char *grandchild, enum unit u)
{
	const char *t = text_at(s, el, child, grandchild), *why;
	double v;

	if (!t || !num_parse(t, u, &v, s->a, &why) || v <= 0)
		return (struct fact){.known = false};
	return fact_of(v, SURE_VENDOR, "nvidia-smi");
}

/* Some field says that the driver could not talk to the card. */
static bool
says_sick(const struct xml_el *el)
{
	static const char *const signs[] = {"Unknown Error", "ERR!",
	    "GPU is lost"};

	for (int i = 0; i < N_OF(signs); i++)
		if (strstr(el->text, signs[i]))
			return true;
	for (const struct xml_el *c = el->first; c; c = c->next)
		if (strcmp(c->name, "processes") != 0 && says_sick(c))
			return true;
	return false;
}

/*
 * Which card it is
 */

/* Keep the candidates whose memory is within a tenth of what is reported. */
static int
same_memory(const struct gpu **found, int n, struct fact total)
{
	int kept = 0;

	for (int i = 0; i < n && total.known; i++)
		if (found[i]->memory_bytes.known &&
		    fabs(total.value / found[i]->memory_bytes.value - 1) <= 0.1)
			found[kept++] = found[i];
	return kept ? kept : n;
}

static int
by_pci_id(struct smi *s, struct xml_el *el, const struct gpu **found, int max)
{
	const char *id = text_at(s, el, "pci", "pci_device_id");

	if (!id || strncmp(id, "0x", 2) == 0)
		id = id ? id + 2 : "";
	if (strlen(id) != 8 || !str_equal_nocase(id + 4, "10DE"))
		return 0;
	for (int i = 0; i < N_OF(pci_ids); i++)
		if (str_equal_nocase(arena_strndup(s->a, id, 4),
			pci_ids[i].device))
			return catalog_find(s->c, pci_ids[i].name, found, max);
	return 0;
}

static const struct gpu *
match(struct smi *s, struct xml_el *el, const struct device *dev)
{
	const struct gpu *found[16];
	struct xml_el *name = xml_child(el, "product_name");
	struct pos pos = xml_pos(name ? name : el);
	int n = 0;

	if (dev->product)
		n = catalog_find(s->c, dev->product, found, N_OF(found));
	if (n > N_OF(found))
		n = N_OF(found);
	if (n > 1)
		n = same_memory(found, n, dev->total_bytes);
	if (n == 0)
		n = by_pci_id(s, el, found, N_OF(found));
	if (n == 1)
		return found[0];
	if (n == 0)
		diag_warning(s->d, pos, "smi-unmatched",
		    "no card '%s' in the catalogue; the device is listed "
		    "without figures",
		    dev->product ? dev->product : "?");
	else
		diag_warning(s->d, pos, "smi-unmatched",
		    "'%s' can be %d cards; the device is listed without "
		    "figures",
		    dev->product ? dev->product : "?", n);
	for (int i = 0; i < n; i++)
		diag_note(s->d, "%s", found[i]->name);
	return NULL;
}

/* A wrong variant, a vGPU profile, or a file edited by hand. */
static void
check_memory(struct smi *s, struct xml_el *el, const struct device *dev)
{
	struct xml_el *fb = xml_child(el, "fb_memory_usage");
	struct fact want = dev->gpu ? dev->gpu->memory_bytes : (struct fact){0};
	double mib = 1 << 20;

	if (!want.known || !dev->total_bytes.known ||
	    fabs(dev->total_bytes.value / want.value - 1) <= 0.1)
		return;
	diag_warning(s->d, xml_pos(fb ? fb : el), "smi-memory",
	    "%.0f MiB are reported, but '%s' has %.0f MiB",
	    dev->total_bytes.value / mib, dev->gpu->name, want.value / mib);
	diag_note(s->d, "another variant of the card, a vGPU profile, or an "
			"edited file; the reported size is used");
}

/*
 * Devices
 */

static void
read_slices(struct smi *s, struct xml_el *el, struct device *dev)
{
	const char *on = text_at(s, el, "mig_mode", "current_mig");
	struct xml_el *list = xml_child(el, "mig_devices"), *m;

	if (!on || !str_equal_nocase(on, "Enabled") || !list)
		return;
	for (m = xml_child(list, "mig_device"); m;
	     m = xml_next(m, "mig_device")) {
		struct fact size =
		    quantity_at(s, m, "fb_memory_usage", "total", UNIT_BYTE);

		dev->slices++;
		if (size.known && (!dev->slice_bytes.known ||
				      size.value < dev->slice_bytes.value))
			dev->slice_bytes = size;
	}
}

static struct fact
power_limit(struct smi *s, struct xml_el *el)
{
	static const char *const paths[][2] = {
	    {"gpu_power_readings", "current_power_limit"},
	    {"power_readings", "power_limit"},
	    {"power_readings", "enforced_power_limit"},
	    {"gpu_power_readings", "default_power_limit"},
	};
	struct fact f = {.known = false};

	for (int i = 0; i < N_OF(paths) && !f.known; i++)
		f = quantity_at(s, el, paths[i][0], paths[i][1], UNIT_WATT);
	return f;
}

static void
read_device(struct smi *s, struct xml_el *el)
{
	struct device dev = {.healthy = !says_sick(el)};
	const char *model = text_at(s, el, "driver_model", "current_dm");

	dev.product = text_at(s, el, "product_name", NULL);
	dev.uuid = text_at(s, el, "uuid", NULL);
	dev.total_bytes =
	    quantity_at(s, el, "fb_memory_usage", "total", UNIT_BYTE);
	dev.max_video_hz =
	    quantity_at(s, el, "max_clocks", "video_clock", UNIT_HERTZ);
	dev.power_limit_w = power_limit(s, el);
	read_slices(s, el, &dev);
	dev.gpu = match(s, el, &dev);
	check_memory(s, el, &dev);
	if (!dev.healthy)
		diag_warning(s->d, xml_pos(el), "smi-sick",
		    "the driver reports errors for '%s'; it is listed as "
		    "not healthy",
		    dev.product ? dev.product : "?");
	if (model && str_equal_nocase(model, "WDDM"))
		diag_warning(s->d, xml_pos(el), "smi-wddm",
		    "the card runs under WDDM: Windows keeps a part of its "
		    "memory");
	*(struct device *)arena_push(s->a, &s->inv->devices, &s->inv->n_devices,
	    sizeof(dev)) = dev;
}

static void
check_count(struct smi *s, struct xml_el *root)
{
	struct xml_el *el = xml_child(root, "attached_gpus");
	struct fact said =
	    quantity_at(s, root, "attached_gpus", NULL, UNIT_COUNT);

	if (said.known && (int)said.value != s->inv->n_devices)
		diag_warning(s->d, xml_pos(el), "smi-count",
		    "%.0f GPUs are announced and %d listed; the list counts",
		    said.value, s->inv->n_devices);
}

/* The sentences nvidia-smi prints instead of XML, and its other formats. */
static bool
is_answer(struct smi *s, const struct source *src)
{
	static const struct {
		const char *has, *note;
	} formats[] = {
	    {"NVSMI LOG", "this is `nvidia-smi -q`; run "
			  "`nvidia-smi -q -x`"},
	    {"+-----", "this is the table of `nvidia-smi`; run "
		       "`nvidia-smi -q -x`"},
	    {"Failed to initialize NVML", NULL},
	    {"NVIDIA-SMI has failed", NULL},
	    {"No devices were found", NULL},
	    {"Unable to determine the device handle", NULL},
	    {"not found", NULL},
	};
	size_t at = 0;
	struct pos pos;

	while (at < src->len && (isspace((unsigned char)src->text[at]) ||
				    (unsigned char)src->text[at] == 0xEF ||
				    (unsigned char)src->text[at] == 0xBB ||
				    (unsigned char)src->text[at] == 0xBF))
		at++;
	if (at >= src->len || src->text[at] == '<' ||
	    !isprint((unsigned char)src->text[at]))
		return true; /* the XML reader judges */
	pos = pos_at(src, at);
	for (int i = 0; i < N_OF(formats); i++) {
		if (!memmem(src->text + at, src->len - at, formats[i].has,
			strlen(formats[i].has)))
			continue;
		if (formats[i].note) {
			diag_error(s->d, pos, "smi-format",
			    "not the XML of nvidia-smi");
			diag_note(s->d, "%s", formats[i].note);
			return false;
		}
		diag_error(s->d, pos, "smi-no-answer",
		    "the driver did not answer nvidia-smi");
		diag_note(s->d, "repair the driver on that machine and run "
				"`nvidia-smi -q -x` again");
		return false;
	}
	diag_error(s->d, pos, "smi-format", "not the XML of nvidia-smi");
	diag_note(s->d, "write the file with `nvidia-smi -q -x -f FILE`");
	return false;
}

bool
inventory_read(struct arena *a, const char *path, const struct catalog *c,
    struct inventory *inv, struct pos from, struct diag *d)
{
	struct smi s = {a, c, d, inv};
	struct source *src = fs_read(a, path, XML_MAX_BYTES, from, d);
	struct xml_el *root, *el;

	*inv = (struct inventory){.file = path};
	if (!src)
		return false;
	if (!charset_utf16(src->text, src->len))
		charset_blank_zeros(a, src);
	if (!is_answer(&s, src))
		return false;
	root = xml_parse(a, src, true, d);
	if (!root)
		return false;
	if (strcmp(root->name, "gpu") == 0) {
		read_device(&s, root); /* one device cut out of the file */
		return true;
	}
	if (strcmp(root->name, "nvidia_smi_log") != 0) {
		diag_error(d, xml_pos(root), "smi-format",
		    "<%s> is not the root of nvidia-smi's XML", root->name);
		diag_note(d, "write the file with `nvidia-smi -q -x -f FILE`");
		return false;
	}
	inv->driver = text_at(&s, root, "driver_version", NULL);
	inv->cuda = text_at(&s, root, "cuda_version", NULL);
	for (el = xml_child(root, "gpu"); el; el = xml_next(el, "gpu"))
		read_device(&s, el);
	check_count(&s, root);
	return true;
}
