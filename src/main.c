#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/command.h"
#include "data/needs.h"

#define WHYGPU_VERSION "0.1.0"

static const struct {
	const char *name;
	int (*run)(const struct options *o);
	int least, most; /* arguments */
	const char *usage, *help;
} commands[] = {
    {"init", command_init, 1, 1, "init DIR",
	"begin a project: commented files that already make a report"},
    {"report", command_report, 1, 4096, "report PROJECT.yaml...",
	"write the report, its charts and results.xml"},
    {"check", command_check, 1, 1, "check PROJECT.yaml",
	"read the project and all its files, print every problem"},
    {"explain", command_explain, 1, 3, "explain PROJECT.yaml VENDOR [GPU]",
	"why a vendor needs its card, or how it fits on GPU"},
    {"catalog", command_catalog, 1, 16, "catalog list|show|find|check [NAME]",
	"what the catalogue knows, with sources; its linter"},
    {"network", command_network, 0, 3, "network [NAME|FILE.onnx [WxH] [BATCH]]",
	"the layers of a network: MACs, kernels, memory"},
    {"pdfcheck", command_pdfcheck, 1, 1, "pdfcheck FILE.pdf",
	"is the file PDF/A-3a and PDF/UA-1"},
    {"inventory", command_inventory, 1, 1, "inventory FILE.xml",
	"the cards in the output of nvidia-smi -q -x"},
    {"validate", command_validate, 1, 1, "validate FILE.csv",
	"hold the speed model against published measurements"},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const char *const dumps[] = {
    [DUMP_NEEDS] = "needs",
    [DUMP_RESULTS] = "results",
    [DUMP_DOC] = "doc",
    [DUMP_PLAN] = "plan",
    [DUMP_PAGES] = "pages",
    [DUMP_SHAPES] = "shapes",
};

enum { N_DUMPS = sizeof(dumps) / sizeof(dumps[0]) };

static const struct option long_options[] = {
    {"out", required_argument, NULL, 'o'},
    {"lang", required_argument, NULL, 'l'},
    {"catalog", required_argument, NULL, 'c'},
    {"templates", required_argument, NULL, 't'},
    {"fonts", required_argument, NULL, 'f'},
    {"dump", required_argument, NULL, 'd'},
    {"set", required_argument, NULL, 's'},
    {"unset", required_argument, NULL, 'u'},
    {"format", required_argument, NULL, 'O'},
    {"depfile", required_argument, NULL, 'm'},
    {"coverage", no_argument, NULL, 'C'},
    {"input", required_argument, NULL, 'i'},
    {"batch", required_argument, NULL, 'b'},
    {"rows", required_argument, NULL, 'r'},
    {"by", required_argument, NULL, 'g'},
    {"model", required_argument, NULL, 'M'},
    {"folds", no_argument, NULL, 'F'},
    {"calibrate", no_argument, NULL, 'K'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

static void
print_help(FILE *f)
{
	fputs("whygpu: why do these vendors need different GPU models?\n\n"
	      "usage:\n",
	    f);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(f, "  whygpu %-34s  %s\n", commands[i].usage,
		    commands[i].help);
	fputs(
	    "\noptions:\n"
	    "  --out DIR        output folder (default out/<project id>)\n"
	    "  --lang L[,L]     languages, e.g. zh-CN,en (default: project)\n"
	    "  --catalog DIR    GPU catalogue and networks; again for a folder\n"
	    "                   that adds to it or changes it\n"
	    "  --coverage       catalog list: share of cards with each figure\n"
	    "  --templates DIR  structure and wording of the report\n"
	    "  --fonts DIR      fonts prepared by fonts/cut.sh\n"
	    "  --dump STAGE     print needs, results, doc, plan or pages\n"
	    "                   instead of writing files\n"
	    "  --set PATH=VALUE  as if the project or vendor file said so, e.g.\n"
	    "                   vendors.S1.streams.0.count=128; may be repeated\n"
	    "  --unset PATH     as if it did not say so; vendors.S1: as if the\n"
	    "                   vendor were not there\n"
	    "  --format WORD    explain: text (default), or tsv: key and value\n"
	    "                   lines for scripts, of all vendors if none is named\n"
	    "  --depfile FILE   report: write what was read, for make\n"
	    "  --input NAME=NxCxHxW  network: the size of an ONNX file's input\n"
	    "  --batch N        network: images at once\n"
	    "  --rows OUT.csv   validate: every row with its prediction\n"
	    "  --by WORD        validate: gpu, network, source, batch, runtime,\n"
	    "                   precision or chip\n"
	    "  --model WORD     validate: layers (default) or totals\n"
	    "  --folds          validate: leave out each GPU, network and source\n"
	    "                   in turn, fit the rest, predict what is left out\n"
	    "  --calibrate      validate: fit anew, write calibration/, --folds\n"
	    "  --help, --version\n\n"
	    "exit status: 0 done, 1 problem in the input, 2 wrong usage,\n"
	    "70 internal error or out of memory\n",
	    f);
}

static int
usage(const char *fmt, const char *arg)
{
	fputs("whygpu: ", stderr);
	fprintf(stderr, fmt, arg);
	fputs("\nwhygpu: try 'whygpu --help'\n", stderr);
	return EXIT_USAGE;
}

/* The folder `name` of an installed or a freshly built program. */
static const char *
data_dir(struct arena *a, const char *name)
{
	const char *program = fs_program_dir(a);
	const char *places[] = {"../share/whygpu", ".", "..", "../.."};

	for (int i = 0; i < 4; i++) {
		const char *dir =
		    arena_printf(a, "%s/%s/%s", program, places[i], name);

		if (fs_exists(dir))
			return dir;
	}
	return name;
}

static bool
read_languages(struct arena *a, char *list, struct options *o)
{
	char *rest = arena_strdup(a, list);

	for (char *l; (l = strsep(&rest, ",")) != NULL;) {
		if (*l == '\0' || strchr(l, '/') || o->n_languages == 4)
			return false;
		for (int i = 0; i < o->n_languages; i++)
			if (str_equal(o->languages[i], l))
				return false; /* twice */
		o->languages[o->n_languages++] = l;
	}
	return o->n_languages > 0;
}

static bool
read_dump(const char *name, struct options *o)
{
	for (int i = 1; i < N_DUMPS; i++)
		if (str_equal(dumps[i], name))
			o->dump = (enum dump)i;
	return o->dump != DUMP_NONE;
}

static bool
read_batch(const char *text, struct options *o)
{
	char *end;
	long v = strtol(text, &end, 10);

	if (end == text || *end != '\0' || v < 1 || v > 4096)
		return false;
	o->batch = (int)v;
	return true;
}

/* PATH=VALUE of --set, PATH of --unset; the option itself is the place that
 * problems name. */
static bool
add_setting(struct arena *a, const char *name, const char *text, bool unset,
    struct options *o)
{
	const char *equals = strchr(text, '=');
	struct source *src = arena_alloc(a, 1, sizeof(*src));
	struct setting *set;

	if (!text[0] || (!unset && (!equals || equals == text)))
		return false;
	*src = (struct source){name, text, strlen(text)};
	set = arena_push(a, &o->settings, &o->n_settings, sizeof(*set));
	*set = (struct setting){.path = text, .pos = {src, 1, 1}};
	if (unset)
		return true;
	set->path = arena_strndup(a, text, (size_t)(equals - text));
	set->value = equals + 1;
	return true;
}

/* -1 to go on, else the exit status. */
static int
read_options(struct arena *a, int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		switch (c) {
		case 'o': o->out = optarg; break;
		case 'c':
			if (o->n_catalogs == CATALOGS_MAX - 1)
				return usage("more catalogues than '%s'",
				    optarg);
			o->catalogs[o->n_catalogs++] = optarg;
			break;
		case 'C': o->coverage = true; break;
		case 't': o->templates = optarg; break;
		case 'f': o->fonts = optarg; break;
		case 'm': o->depfile = optarg; break;
		case 'r': o->rows = optarg; break;
		case 'g': o->by = optarg; break;
		case 'M': o->model = optarg; break;
		case 'F': o->folds = true; break;
		case 'K': o->calibrate = true; break;
		case 'l':
			if (!read_languages(a, optarg, o))
				return usage("bad language list '%s'", optarg);
			break;
		case 'd':
			if (!read_dump(optarg, o))
				return usage("unknown stage '%s'", optarg);
			break;
		case 'i':
			if (o->n_inputs == INPUTS_MAX)
				return usage("more inputs than '%s'", optarg);
			o->inputs[o->n_inputs++] = optarg;
			break;
		case 's':
		case 'u':
			if (o->n_settings == SETTINGS_MAX)
				return usage("more settings than '%s'", optarg);
			if (!add_setting(a, c == 's' ? "--set" : "--unset",
				optarg, c == 'u', o))
				return usage("no PATH=VALUE: '%s'", optarg);
			break;
		case 'O':
			o->tsv = str_equal(optarg, "tsv");
			if (!o->tsv && !str_equal(optarg, "text"))
				return usage("unknown format '%s'", optarg);
			break;
		case 'b':
			if (!read_batch(optarg, o))
				return usage("bad batch '%s'", optarg);
			break;
		case 'h': print_help(stdout); return EXIT_FINE;
		case 'V': puts("whygpu " WHYGPU_VERSION); return EXIT_FINE;
		case ':':
			return usage("option '%s' needs a value",
			    argv[optind - 1]);
		default: return usage("unknown option '%s'", argv[optind - 1]);
		}
	}
	return -1;
}

/* A folder that only adds to a catalogue: it has no architectures. */
static bool
is_overlay(struct arena *a, const char *dir)
{
	static const char *const parts[] = {"sources.xml", "gpus", "networks"};

	if (fs_exists(fs_join(a, dir, "architectures.xml")))
		return false;
	for (int i = 0; i < 3; i++)
		if (fs_exists(fs_join(a, dir, parts[i])))
			return true;
	return false;
}

/* The catalogue that comes with the program stands in front of overlays. */
static void
find_catalogs(struct arena *a, struct options *o)
{
	if (o->n_catalogs == 0 || is_overlay(a, o->catalogs[0])) {
		memmove(o->catalogs + 1, o->catalogs,
		    (size_t)o->n_catalogs * sizeof(o->catalogs[0]));
		o->catalogs[0] = data_dir(a, "catalog");
		o->n_catalogs++;
	}
	o->catalog = o->catalogs[0];
}

static int
run(struct arena *a, int argc, char **argv)
{
	struct options o = {0};
	int status = read_options(a, argc, argv, &o), n = argc - optind - 1;
	const char *name;

	if (status >= 0)
		return status;
	if (n < 0) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	name = argv[optind];
	o.args = (const char **)argv + optind + 1;
	o.n_args = n;
	find_catalogs(a, &o);
	if (!o.templates)
		o.templates = data_dir(a, "templates");
	if (!o.fonts)
		o.fonts = data_dir(a, "fonts");
	for (int i = 0; i < N_COMMANDS; i++) {
		if (!str_equal(commands[i].name, name))
			continue;
		if (n < commands[i].least || n > commands[i].most)
			return usage("usage: whygpu %s", commands[i].usage);
		return commands[i].run(&o);
	}
	return usage("unknown command '%s'", name);
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new();
	int status = run(a, argc, argv);

	arena_free(a);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	perror("whygpu: cannot write the output");
	return status == EXIT_FINE ? EXIT_INPUT : status;
}
