/*
 * What the rooms of the catalogue reader share: the state of the run, a
 * figure as an attribute of an element, and where figures come from.
 * Private to input/catalog_in.c and its neighbours.
 */
#ifndef INPUT_CATALOG_PARTS_H
#define INPUT_CATALOG_PARTS_H

#include <stddef.h>

#include "data/gpu.h"
#include "data/network.h"
#include "parse/xml_in.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Larger than any of our files by far; xml_in has its own, higher limit. */
enum { CATALOG_FILE_MAX = 4 << 20, SRC_IDS_MAX = 12 };

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

/* Where the figures of one element come from. */
struct origin {
	enum certainty sure;
	const char *src;     /* formula first, then source ids */
	const char *formula; /* NULL: none */
};

/*
 * A figure to be computed once all cards are known: `to` of a card by its
 * formula, from the figure `from` of the card `of` where the formula needs
 * one.
 */
struct derivation {
	int gpu;
	const struct gpu_figure *to, *from;
	const char *of; /* id; NULL: the card itself */
	double times;   /* factor on `from`; 1 if none is given */
	struct origin origin;
	const struct source *src;
	size_t at;
	bool done;
};

struct catalog_reader {
	struct arena *a;
	struct diag *d;
	struct catalog *c;
	/* cards, sources ... that an earlier folder gave */
	int n_earlier_gpus;
	struct card_name *names;
	int n_names;
	struct shared_note *shared; /* of the file being read */
	int n_shared;
	struct derivation *derivations;
	int n_derivations;
	/* the last position asked for, and where its line begins */
	struct pos last;
	size_t last_at, line_at;
	/* what the figures being read belong to, for their places */
	enum place_kind kind;
	int item;
};

/* An attribute that is a figure, and where it goes in the struct. */
struct figure {
	const char *attr;
	enum unit unit;
	size_t at;
};

/* Whether a figure may be 0: "none at all" is then a statement. */
enum zero { ABOVE_ZERO, MAY_BE_ZERO };

/* catalog_figure.c */
struct pos catalog_here(struct catalog_reader *r, const struct xml_el *el);
struct xml_el *
catalog_root(struct catalog_reader *r, const char *path, const char *root);
struct xml_el *
catalog_only(struct catalog_reader *r, struct xml_el *el, const char *name);
char *catalog_trimmed(struct catalog_reader *r, const char *text);
const char *catalog_id(struct catalog_reader *r, struct xml_el *el);
bool catalog_is_date(const char *s);
const char *
catalog_date(struct catalog_reader *r, struct xml_el *el, const char *attr);
bool
catalog_sources(struct catalog_reader *r, struct xml_el *el, const char *list);
bool
catalog_origin(struct catalog_reader *r, struct xml_el *el, struct origin *o);
/* Remember that the fact at `fact`, inside `base`, stands at `attr`. */
void catalog_keep_place(struct catalog_reader *r, const struct xml_el *el,
    const char *attr, const void *base, const struct fact *fact);
bool catalog_figures(struct catalog_reader *r, struct xml_el *el,
    const struct figure *f, int n, enum zero zero, const struct origin *o,
    void *base);
bool catalog_flag(struct catalog_reader *r, struct xml_el *el, const char *attr,
    bool *v, bool *found);
bool catalog_flag_fact(struct catalog_reader *r, struct xml_el *el,
    const char *attr, const struct origin *o, void *base, struct fact *f);
bool catalog_about(struct catalog_reader *r, struct xml_el *el, struct fact *f);
/* "11.8" as two numbers; the minor one at most `minor_max`. */
bool catalog_version(const char *s, int minor_max, int *major, int *minor);
bool catalog_cc(struct catalog_reader *r, struct xml_el *el, int *cc);

/* source_in.c, arch_in.c, gpu_in.c, network_in.c: one file each */
void catalog_read_sources(struct catalog_reader *r, const char *path);
void catalog_read_archs(struct catalog_reader *r, const char *path);
void catalog_read_gpus(struct catalog_reader *r, const char *path);
void catalog_read_networks(struct catalog_reader *r, const char *path);
const struct arch *catalog_arch(const struct catalog *c, const char *id);
/* PEAK_N if no peak is kept for these words; NULL: not given. */
enum peak
catalog_peak(const char *precision, const char *unit, const char *accumulate);
/* gpu_parts_in.c: the elements inside <gpu> that hold figures */
bool
catalog_gpu_parts(struct catalog_reader *r, struct xml_el *el, struct gpu *g);
bool
catalog_note(struct catalog_reader *r, struct xml_el *el, struct gpu_note *n);
/* derive_in.c */
bool catalog_read_derive(struct catalog_reader *r, struct xml_el *el,
    const struct gpu_figure *to, const struct origin *o);
/* What will be computed for this figure of the card being read, or NULL. */
struct derivation *
catalog_derivation(struct catalog_reader *r, const struct gpu_figure *to);
void catalog_derive(struct catalog_reader *r);

#endif
