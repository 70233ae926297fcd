/* The readers, each as the commands use it. */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/onnx_fixture.h"
#include "base/fs.h"
#include "data/layers.h"
#include "data/results.h"
#include "decide/decide.h"
#include "decide/outcome.h"
#include "fuzz.h"
#include "input/input.h"
#include "input/layer_calibration_in.h"
#include "input/layers_in.h"
#include "input/measurements_in.h"
#include "input/onnx_net.h"
#include "input/vendor_in.h"
#include "model/onnx_shape.h"
#include "parse/csv_in.h"
#include "parse/xml_in.h"
#include "parse/yaml_in.h"
#include "render/pdfcheck.h"
#include "tmpl/tmpl.h"

enum { PDF_BYTES = 4 << 20 };

static struct arena *shared;
static struct catalog *catalog;
static struct calibration *calibration;
static struct layer_book *book;
static const struct node *results;

static const struct node *
decide(struct arena *a, struct project *p)
{
	if (!p->date)
		p->date = "2026-01-01";
	return outcome_build(a, p, catalog, calibration,
	    decide_project(a, p, catalog, calibration));
}

void
fuzz_prepare(void)
{
	static const char *const layers[] = {"catalog"};
	struct project *p;
	struct diag d;

	shared = arena_new();
	diag_init(&d, shared);
	catalog = catalog_read(shared, "catalog", &d);
	calibration = calibration_read(shared, "catalog", &d);
	book = layers_read(shared, layers, 1, &d);
	p = catalog ? project_read(shared, "good/project.yaml", catalog, &d)
		    : NULL;
	if (!p || !calibration || !book || d.n_errors) {
		diag_print(&d, stderr);
		exit(2);
	}
	results = decide(shared, p);
}

static bool
read_catalog(struct arena *a, struct diag *d)
{
	return catalog_read(a, "input", d) && d->n_errors == 0;
}

static bool
read_layers(struct arena *a, struct diag *d)
{
	struct layer_book *b = arena_alloc(a, 1, sizeof(*b));

	*b = *book;
	return layers_read_file(a, "input.xml", b, d);
}

static bool
read_calibration(struct arena *a, struct diag *d)
{
	return calibration_read(a, "input", d) != NULL;
}

static bool
read_layer_calibration(struct arena *a, struct diag *d)
{
	return layer_calibration_read(a, "input", d) != NULL;
}

/* A project that is right is decided too: its values are used. */
static bool
read_project(struct arena *a, struct diag *d)
{
	struct project *p = project_read(a, "project/project.yaml", catalog, d);

	if (!p || d->n_errors)
		return false;
	decide(a, p);
	return true;
}

static bool
read_templates(struct arena *a, struct diag *d)
{
	struct template *t = template_read(a, "templates", "en", d);

	return t && template_apply(a, t, results, d);
}

static bool
read_onnx(struct arena *a, struct diag *d)
{
	struct graph_model *m = onnx_read(a, "input.onnx", (struct pos){0}, d);

	return m && onnx_expand(a, m, NULL, 0, d);
}

static bool
read_smi(struct arena *a, struct diag *d)
{
	struct inventory inv = {0};

	return inventory_read(a, "input.xml", catalog, &inv, (struct pos){0},
	    d);
}

static bool
read_measurements(struct arena *a, struct diag *d)
{
	struct csv *table;

	return measurements_read(a, "input.csv", "catalog", catalog, book,
		   &table, d) != NULL;
}

static bool
read_pdf(struct arena *a, struct diag *d)
{
	struct source *src =
	    fs_read(a, "input.pdf", PDF_BYTES, (struct pos){0}, d);

	return src && pdfcheck(a, src, d);
}

static const struct fuzz_target targets[] = {
    {"cards", "input/gpus/x.xml", 1 << 16, read_catalog},
    {"architectures", "input/architectures.xml", 1 << 16, read_catalog},
    {"sources", "input/sources.xml", 1 << 18, read_catalog},
    {"networks", "input/networks/x.xml", 1 << 16, read_catalog},
    {"layers", "input.xml", 1 << 16, read_layers},
    {"calibration", "input/calibration/speed.xml", 1 << 16, read_calibration},
    {"layer-calibration", "input/calibration/layers.xml", 1 << 16,
	read_layer_calibration},
    {"project", "project/project.yaml", 1 << 15, read_project},
    {"vendor", "project/vendors/x.yaml", 1 << 15, read_project},
    {"structure", "templates/report.xml", 1 << 17, read_templates},
    {"wording", "templates/wording/en.xml", 1 << 18, read_templates},
    {"onnx", "input.onnx", 1 << 16, read_onnx},
    {"smi", "input.xml", 1 << 16, read_smi},
    {"measurements", "input.csv", 1 << 16, read_measurements},
    {"pdf", "input.pdf", PDF_BYTES, read_pdf},
};

const struct fuzz_target *
fuzz_targets(int *n)
{
	*n = sizeof(targets) / sizeof(targets[0]);
	return targets;
}

static const char *const models[] = {
    "in x 1x3x64x64\nw k 8x3x3x3\nConv x k > y strides=[2,2] pads=[1,1,1,1]\n"
    "Relu y > z\nGlobalAveragePool z > p\nFlatten p > f\nw g 8x10\n"
    "Gemm f g > o\nout o",
    "in x Nx3xHxW\ni s 0,-1\nw k 4x3x3x3\nConv x k > y auto_pad=SAME_UPPER\n"
    "Reshape y s > r\nSoftmax r > o axis=1\nout o",
    "in x 1x16x64\nw q 64x64\nMatMul x q > a\nTranspose a > t perm=[0,2,1]\n"
    "MatMul a t > m\nSoftmax m > n\nMatMul n a > o\nout o",
    "in x 1x3x32x32\nw k 8x3x3x3\nConv x k > y\nShape y > s\ni n 2\n"
    "Gather s n > h\nf c 1,1,2,2\nResize y - c > z mode=nearest\n"
    "Concat z z > o axis=1\nSlice o n n > q\nout o",
};

bool
fuzz_write_onnx(const char *dir)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		struct fixture f;
		unsigned char *data;
		size_t len;
		int n;

		fx_begin(&f, 13);
		fx_body(&f, 'a', "Relu x > y\nout y");
		fx_function(&f, "own", "twice", "in p\nAdd p p > s\nout s");
		f.m->graph = fx_graph(&f, models[i]);
		data = fx_pack(&f, &len);
		n = snprintf(f.path, sizeof(f.path), "%s/%zu.onnx", dir, i);
		if (n < 0 || (size_t)n >= sizeof(f.path))
			return false;
		fx_write(&f, data, len);
		*f.path = '\0'; /* fx_end would remove it */
		fx_end(&f);
	}
	return true;
}
