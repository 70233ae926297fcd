/*
 * Private to decide/: what its files share.
 *
 * A `demand` is what a vendor asks for whatever the card; fit_card holds it
 * against one card; verdict, dials and plan read the fits.
 */
#ifndef DECIDE_PARTS_H
#define DECIDE_PARTS_H

#include "decide/decide.h"

struct arena;

/* What every step reads; all const but the arena. */
struct decider {
	struct arena *a;
	const struct project *p;
	const struct catalog *cat;
	const struct calibration *cal;
};

/* The largest batch the model tries when the vendor leaves it open. */
enum { BATCH_MAX = 64 };

/* Which end of a band is counted. */
enum end { END_LOW, END_MIDDLE, END_HIGH };

/* ---- demand.c */

struct demand {
	const struct vendor *v;
	int sources;         /* cameras, lines, stations */
	double frames_per_s; /* analysed, all sources */
	double objects_per_s, objects_per_s_peak;
	double pixels_per_s; /* of the analysed frames */
	double decode_per_s; /* 1080p-equivalent frames to decode */
	double encode_per_s;
	double encoded;          /* sources re-encoded */
	double host_bytes_per_s; /* frames that arrive from the host */
	double host_bytes_max;   /* the same for the largest source */
	double limit;            /* allowed utilisation, 0..1 */
	bool whole_streams;      /* a stream cannot be split over cards */
	/* per stage: runs per second over all sources */
	double *rate_mean, *rate_peak;
	bool no_objects; /* objects asked for, none stated: one assumed */
	bool no_codec;   /* a camera without a codec: H.264 assumed */
	bool no_size;    /* a stream without its pixels */
};

struct demand demand_of(const struct decider *d, const struct vendor *v);

/* A list of deadlines within which load_hard applies. */
#define HARD_DEADLINE_S 0.5

/* True if the stage runs on frames of stream `i`. */
bool stage_applies(const struct stage *s, int i);
/* False for a stage of the host's processor: it costs time, no card. */
bool stage_on_card(const struct stage *s);
/* Runs of the stage for one analysed frame of the stream. */
double stage_runs(const struct stage *s, const struct stream *st, bool peak);
/* The codec to decode, CODEC_NONE when nothing is decoded on the card. */
enum codec stream_codec(const struct stream *st);

/* ---- gate.c */

/* The gates that need no time and no memory model. */
void gates_static(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f);
/* State, first gate and number of failures from the gates. */
void gates_sum(struct fit *f);
/* Bytes per second over the host link ("PCIe 4.0 x16"); unknown if not
 * written so. */
struct fact link_rate(const struct calibration *cal, const struct gpu *g);
/* Mark the gates that pass because nothing here concerns them. */
void
gates_idle(const struct decider *d, const struct demand *dm, struct fit *f);
/* Set a gate's outcome. */
void gate_set(struct fit *f, enum gate g, enum state s, const char *why);

/* ---- fit.c */

/* A card that fails is sized like any other, so that the report can say what
 * it would have taken. */
void fit_card(const struct decider *d, const struct demand *dm,
    const struct gpu *g, struct fit *f);
/* Device seconds per second of all stages at peak objects when the pipeline
 * collects `batch` frames (a fixed batch stays); 0 when a stage has no time. */
double busy_at(const struct decider *d, const struct demand *dm,
    const struct gpu *g, int batch);
/* One fit for each catalogue card that is no CPU, in catalogue order. */
struct fit *fit_all(const struct decider *d, const struct demand *dm, int *n);

/* ---- rank.c: the order of cards described in decide/decide.h */

int service_class(const struct decider *d, const struct gpu *g);
/* Launched so many years before the project's date, and nobody says that it
 * is still made: treated as a board whose supply must be asked. */
enum { OLD_YEARS = 7 };
bool aged(const struct decider *d, const struct gpu *g);
/* Whether the card may be chosen at all on this site. */
bool choosable(const struct decider *d, const struct fit *f);
/* False for a card without published figures when the vendor could be timed
 * on others: it is no candidate before they are known. */
bool rated(const struct vendor_decision *vd, const struct fit *f);
/* The size of a card, W x byte/s, and of all cards of a fit; infinite when
 * not known.  See decide/decide.h. */
double card_size(const struct gpu *g);
double fit_size(const struct fit *f);
/* Watts of all cards; infinite when the power is not known. */
double fit_power(const struct fit *f);
/* Money for all cards in `currency`; unknown without a price. */
struct fact
fit_price(const struct decider *d, const struct fit *f, const char **currency);
/* Negative if `a` comes before `b`. */
int
fit_compare(const struct decider *d, const struct fit *a, const struct fit *b);
const struct fit *
fit_find(const struct vendor_decision *vd, const struct gpu *g);
/* The largest need over have of the failing gates; infinite when one has no
 * numbers; 0 when none fails. */
double fit_gap(const struct fit *f);
/* Supply or licence of the card asks. */
bool supply_open(const struct fit *f);
/* True if the state rests on nothing but what the vendor did not state
 * about its run time. */
bool only_time_open(const struct fit *f);

/* ---- verdict.c */

void verdict_choose(const struct decider *d, struct vendor_decision *vd);
void verdict_judge(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd);
/* How sure it is that the planned card suffices, and what could break it. */
void verdict_planned(const struct decider *d, struct vendor_decision *vd);
/* A stand-in for size: clearly less card than `b`. */
bool clearly_smaller(const struct decider *d, const struct fit *a,
    const struct fit *b);
/* The first gate that fails whatever the vendor may add and wherever in its
 * band a figure lies; GATE_N if there is none. */
enum gate firm_gate(const struct vendor *v, const struct fit *f);
/* One card, with at most a tenth of it at work on anything and half of its
 * memory: any card does. */
bool nothing_tight(const struct fit *f);
/* What decides the need: the id for vendors.N.binding of outcome.h. */
const char *binding_id(const struct vendor_decision *vd);
/* The same on one fit. */
const char *fit_binding_id(const struct fit *f);
/* The fit that sizes the vendor: the card asked for if it runs, else the
 * smallest adequate; NULL when there is neither. */
const struct fit *sizing_fit(const struct vendor_decision *vd);

/* NVIDIA cards serve the vendor as things stand, and no others. */
bool nvidia_only(const struct vendor_decision *vd);

/* ---- change.c */

/* After the plan: what is bought already is the first card to try. */
void changes_find(const struct decider *d, const struct demand *dm,
    const struct plan *plan, struct vendor_decision *vd);

/* Make it what a rebuild with a current toolkit delivers. */
void vendor_rebuild(struct vendor *v);

/* ---- question.c */

void questions_ask(const struct decider *d, const struct demand *dm,
    struct vendor_decision *vd);

/* ---- dials.c */

void dials_set(const struct decider *d, struct decision *dec);
/* How many times A needs what B needs, split over the dials: the factors
 * multiply to the ratio.  0 when one of the two has no dials. */
double dials_compare(const struct vendor_decision *a,
    const struct vendor_decision *b, double factor[DIAL_N]);
/* 2 x MACs a second of all stages at mean or peak objects; stated times
 * count as the work their card would do in them at the engine's usual
 * share of the peak.  False when a stage has no figure. */
bool demand_flop(const struct decider *d, const struct demand *dm, bool peak,
    double *flop_per_s);
/* Bytes a second of all stages at mean objects, as far as they are known. */
double demand_bytes(const struct decider *d, const struct demand *dm);
/* FLOP of one run of one stage. */
struct fact stage_flop(const struct decider *d, const struct vendor *v,
    const struct stage *s);

/* ---- plan.c */

/* Cards for one vendor alone: as sized, else as many as it asked for. */
double fit_cards(const struct fit *f, const struct vendor *v);
double fit_cards_at(const struct fit *f, const struct vendor *v, enum end end);
void plan_make(const struct decider *d, struct decision *dec);
/* The best way to buy for other decisions; false when nobody is served. */
bool plan_best(const struct decider *d, const struct decision *dec,
    struct plan_way *way);

/* ---- plan_rebuild.c: after the changes are known */

void plan_rebuilds(const struct decider *d, struct decision *dec);

/* ---- supply.c: after the changes are known */

void plan_fallbacks(const struct decider *d, struct decision *dec);

/* ---- hosts.c */

/* The driver branch a CUDA release (major x 100 + minor) needs at least; 0
 * for one before all that are known. */
int driver_for_cuda(double release);

void plan_hosts(const struct decider *d, struct decision *dec);
/* `x` cannot change its driver, and it is too old for the CUDA of `y`. */
bool hosts_clash(const struct vendor *x, const struct vendor *y);
/* Double-width slots a card takes. */
double card_slots(const struct gpu *g);
/* What all cards may take; infinite without a limit. */
void site_limits(const struct project *p, double *slots, double *watts);

#endif
