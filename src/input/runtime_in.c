/* runtime: what runs the vendor's networks, and for which cards it was built. */
#include "input/vendor_in.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* "11.4" with at most two digits after the point; -1 if it is not that. */
static int
two_part(const char *s, int scale)
{
	int major = 0, minor = 0, n = 0;

	while (isdigit((unsigned char)*s) && n++ < 3)
		major = major * 10 + (*s++ - '0');
	if (n == 0)
		return -1;
	if (*s == '.') {
		for (s++, n = 0; isdigit((unsigned char)*s) && n < 2; n++)
			minor = minor * 10 + (*s++ - '0');
		if (n == 0)
			return -1;
		if (*s == '.') /* 12.6.3: the patch level does not matter */
			for (s++; isdigit((unsigned char)*s);)
				s++;
	}
	return *s || minor >= scale ? -1 : major * scale + minor;
}

static struct fact
read_cuda(const struct form *f, struct yaml_node *m)
{
	const char *s = yaml_text(m, "cuda", f->d);
	int release = s ? two_part(s, 100) : -1;

	if (release >= 500 && release <= 2000)
		return fact_of(release, SURE_VENDOR,
		    field_source(f, yaml_find(m, "cuda")->pos));
	if (s) {
		diag_error(f->d, yaml_find(m, "cuda")->pos, "needs-version",
		    "'%s' is no CUDA release", s);
		diag_note(f->d, "write the release of the build, as 11.4");
	}
	return (struct fact){.known = false};
}

/* "470.103.01" is of branch 470. */
static struct fact
read_driver(const struct form *f, struct yaml_node *m)
{
	const char *s = yaml_text(m, "driver", f->d);
	int branch = 0, n = 0;

	if (!s)
		return (struct fact){.known = false};
	while (isdigit((unsigned char)s[n]) && n < 5)
		branch = branch * 10 + (s[n++] - '0');
	if (branch >= 300 && branch < 2000 && (s[n] == '.' || !s[n]) &&
	    strspn(s, "0123456789.") == strlen(s))
		return fact_of(branch, SURE_VENDOR,
		    field_source(f, yaml_find(m, "driver")->pos));
	diag_error(f->d, yaml_find(m, "driver")->pos, "needs-version",
	    "'%s' is no driver version", s);
	diag_note(f->d, "write it as nvidia-smi does, 470.103.01, or the "
			"branch, 470");
	return (struct fact){.known = false};
}

/* "7.5", "sm_75", "75" as 75; 0 if it is none. */
static int
capability(const char *s)
{
	int v = 0, n = 0;

	if (strncmp(s, "sm_", 3) == 0 || strncmp(s, "SM_", 3) == 0)
		s += 3;
	if (strchr(s, '.')) {
		v = two_part(s, 10);
	} else {
		while (isdigit((unsigned char)s[n]) && n < 4)
			v = v * 10 + (s[n++] - '0');
		if (s[n] || n < 2)
			v = 0;
	}
	return v >= 20 && v < 200 ? v : 0;
}

static void
add_capability(struct runtime *r, int cc)
{
	int at = r->n_built_for;

	for (int i = 0; i < r->n_built_for; i++)
		if (r->built_for[i] == cc)
			return;
	while (at > 0 && r->built_for[at - 1] > cc) {
		r->built_for[at] = r->built_for[at - 1];
		at--;
	}
	r->built_for[at] = cc;
	r->n_built_for++;
}

static void
read_built_for(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	struct yaml_node *list = yaml_list(m, "built_for", f->d);

	for (struct yaml_node *n = list ? list->first : NULL; n; n = n->next) {
		int cc = n->kind == YAML_SCALAR ? capability(n->text) : 0;

		if (cc == 0) {
			diag_error(f->d, n->pos, "needs-version",
			    "'%s' is no compute capability",
			    n->kind == YAML_SCALAR ? n->text : "...");
			diag_note(f->d, "write them as [7.5, 8.6]");
		} else if (r->n_built_for < N_OF(r->built_for)) {
			add_capability(r, cc);
		} else {
			diag_error(f->d, n->pos, "needs-range",
			    "more than %d compute capabilities",
			    N_OF(r->built_for));
			return;
		}
	}
}

/* "1 per card", "2 per card", "1 per stream", or a number. */
static void
read_processes(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	const char *s = yaml_text(m, "processes", f->d);
	char *end;
	long n;

	r->layout = PROC_PER_CARD;
	if (!s)
		return;
	end = (char *)s;
	for (n = 0; isdigit((unsigned char)*end) && n < 10000; end++)
		n = n * 10 + (*end - '0');
	while (*end == ' ')
		end++;
	if (n >= 1 && n <= 1000 && (!*end || str_equal(end, "per card"))) {
		r->processes = (int)n;
		return;
	}
	if (n == 1 &&
	    (str_equal(end, "per stream") || str_equal(end, "per camera"))) {
		r->layout = PROC_PER_STREAM;
		return;
	}
	diag_error(f->d, yaml_find(m, "processes")->pos, "needs-processes",
	    "'%s' is no layout of processes", s);
	diag_note(f->d, "write '1 per card', '2 per card' (to 1000) or "
			"'1 per stream'");
}

static void
read_batch(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	struct yaml_node *n = yaml_find(m, "batch");

	if (!n)
		return;
	r->batch_pos = n->pos;
	if (n->kind == YAML_SCALAR && str_equal(n->text, "auto"))
		return;
	r->batch = field_int(f, m, "batch", &field_batches, 0);
}

static enum ships
read_ships(const struct form *f, struct yaml_node *m)
{
	static const char *const words[] = {"unknown", "engine files", "onnx",
	    "framework", "engine-files"};
	static const enum ships meaning[] = {SHIPS_UNKNOWN, SHIPS_ENGINE_FILES,
	    SHIPS_ONNX, SHIPS_FRAMEWORK, SHIPS_ENGINE_FILES};
	int i = yaml_choice(m, "ships", words, N_OF(words), f->d);

	return i < 0 ? SHIPS_UNKNOWN : meaning[i];
}

static void
read_ecosystem(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	static const char *const words[] = {"cuda", "rocm", "oneapi",
	    "openvino", "cann", "neuware", "musa", "corex", "dtk", "xtdk",
	    "any"};
	int i = yaml_choice(m, "ecosystem", words, N_OF(words), f->d);

	if (i >= 0)
		r->ecosystem = words[i];
	else if (r->engine_name)
		r->ecosystem = engine_ecosystem(r->engine_name);
	/* OpenVINO runs on Intel's cards and processors */
	if (str_equal(r->ecosystem, "openvino"))
		r->ecosystem = "oneapi";
}

static void
read_engine(const struct form *f, struct yaml_node *m, struct runtime *r)
{
	r->engine = ENGINE_OTHER;
	r->engine_name = yaml_text(m, "engine", f->d);
	r->engine_name_en = yaml_text(m, "engine_en", f->d);
	if (!r->engine_name)
		return;
	r->engine = engine_class(r->engine_name);
	if (r->engine != ENGINE_OTHER)
		return;
	diag_warning(f->d, yaml_find(m, "engine")->pos, "needs-engine",
	    "'%s' is no runtime we know; it counts as one without a compiler",
	    r->engine_name);
	diag_note(f->d, "known: tensorrt, deepstream, paddle, onnxruntime, "
			"openvino, torch.compile, pytorch, tensorflow, monai");
}

void
runtime_read(const struct form *f, struct yaml_node *root, struct vendor *v)
{
	static const char *const known[] = {"engine", "engine_en", "version",
	    "precision", "batch", "processes", "ships", "built_for", "ptx",
	    "ecosystem", "cuda", "driver", "driver_fixed"};
	struct runtime *r = &v->runtime;
	struct yaml_node *m = yaml_map(root, "runtime", f->d);
	bool fixed, stated;

	r->engine = ENGINE_OTHER;
	r->precision = PREC_FP32;
	r->ecosystem = "cuda";
	r->pos = m ? m->pos : v->pos;
	if (!m)
		return;
	read_engine(f, m, r);
	r->version = yaml_text(m, "version", f->d);
	if (field_precision(f, m, &r->precision))
		r->precision_pos = yaml_find(m, "precision")->pos;
	read_batch(f, m, r);
	read_processes(f, m, r);
	r->ships = read_ships(f, m);
	read_built_for(f, m, r);
	r->ptx = field_flag(f, m, "ptx", false, &r->ptx_known);
	read_ecosystem(f, m, r);
	r->cuda = read_cuda(f, m);
	r->driver = read_driver(f, m);
	fixed = field_flag(f, m, "driver_fixed", false, &stated);
	if (stated)
		r->driver_fixed = fact_of(fixed, SURE_VENDOR,
		    field_source(f, yaml_find(m, "driver_fixed")->pos));
	FIELD_END(f, m, known);
}
