/*
 * The commands, one file each.  A command prints the problems it finds and
 * returns the exit status.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/diag.h"

struct arena;
struct calibration;
struct catalog;
struct decision;
struct node;
struct project;
struct setting;
struct what_if;

enum exit_status {
	EXIT_FINE = 0,     /* done */
	EXIT_INPUT = 1,    /* a problem in what the user wrote */
	EXIT_USAGE = 2,    /* wrong options */
	EXIT_INTERNAL = 70 /* our own bug, or no memory */
};

enum dump {
	DUMP_NONE,
	DUMP_NEEDS,
	DUMP_RESULTS,
	DUMP_DOC,
	DUMP_PLAN,
	DUMP_PAGES,
	DUMP_SHAPES /* of an ONNX file's tensors */
};

enum { CATALOGS_MAX = 8, INPUTS_MAX = 16, SETTINGS_MAX = 64 };

struct options {
	const char *catalog, *templates, *fonts; /* folders */
	/* all catalogue folders, `catalog` first; later ones change it */
	const char *catalogs[CATALOGS_MAX];
	int n_catalogs;
	bool tsv;            /* explain: lines for scripts, no sentences */
	bool coverage;       /* catalog list: shares, not cards */
	const char *out;     /* NULL: out/<project id> */
	const char *depfile; /* report: what was read; NULL: not asked for */
	const char *languages[4];
	int n_languages; /* 0: as the project says */
	enum dump dump;
	const char *inputs[INPUTS_MAX]; /* network: NAME=NxCxHxW */
	int n_inputs;
	int batch; /* network; 0: not given */
	/* what differs from the project's files: --set, --unset */
	struct setting *settings;
	int n_settings;
	/* validate: file of rows, grouping, model; NULL: not given */
	const char *rows, *by, *model;
	bool folds, calibrate; /* validate: rows left out in turn; fit anew */
	const char **args;     /* after the command's name */
	int n_args;
};

int command_report(const struct options *o);
int command_check(const struct options *o);
int command_explain(const struct options *o);
int command_catalog(const struct options *o);
int command_inventory(const struct options *o);
int command_network(const struct options *o);
int command_pdfcheck(const struct options *o);
int command_init(const struct options *o);
int command_validate(const struct options *o);

/* The project as one of its what_ifs has it. */
struct variant {
	const struct what_if *asked;
	struct project *project;
};

/* Everything the commands share: read, model and decide. */
struct inputs {
	struct catalog *catalog;
	struct calibration *calibration;
	struct project *project;
	struct decision *decision;
	struct node *results;
	struct variant *variants;
	int n_variants;
};

/* Read catalogue, calibration and project, and the project again for each
 * of its what_ifs; false if any has an error. */
bool inputs_read(struct arena *a, const struct options *o, const char *path,
    struct inputs *in, struct diag *d);
/* The two halves: catalogue and calibration, which several projects may
 * share (false: there is none to go on with; with errors in `d` the projects
 * can still be read for theirs), and one project with its what_ifs. */
bool inputs_read_common(struct arena *a, const struct options *o,
    struct inputs *in, struct diag *d);
bool inputs_read_project(struct arena *a, const struct options *o,
    const char *path, struct inputs *in, struct diag *d);
/* Decide, for the what_ifs too, and build the results tree. */
void inputs_decide(struct arena *a, struct inputs *in);

#endif
