/*
 * Which card does each vendor need, and what to buy for all.
 *
 * decide_project fits every vendor on every card of the catalogue (gates,
 * then loads), judges the request, and plans the purchase.  Pure: reads its
 * arguments, returns one tree of plain structs in the arena.
 *
 * Which gates decide.  A card FAILs when one gate fails.  It ASKs when a
 * gate asks, except GATE_LICENCE and GATE_SUPPLY: what they ask is settled
 * between buyer and seller, holds for whole families at once and would hide
 * the technical answer, so they stay visible in the list of gates and in
 * the order of the cards (below) but do not change the state.
 *
 * The order of cards.  "smallest" is the first of the cards that do not
 * fail, have published figures (if any card has), and fill no more than
 * three times the servers that the fewest cards would, sorted by
 *	1. state: pass before ask, few open questions before many;
 *	2. service class: boards for servers and workstations still served by
 *	   the newest software (0), consumer boards (1), boards known to be out
 *	   of production or dropped by CUDA (2), modules and sockets (3, left
 *	   out when the site has slot servers);
 *	3. size of all its cards: watts x memory bandwidth of a card x cards.
 *	   Prices of server cards are not published; this product follows
 *	   them better than watts alone, which put an 80 GB training card
 *	   before a 48 GB inference card;
 *	4. lower dense peak, smaller memory, id.
 * "cheapest" takes the same states and classes 0..2 by price x cards: the
 * project's prices when it has any that apply, else launch prices; cards
 * without one cannot be cheapest.  "nearest" is a failing card of less size
 * than the smallest: fewest failing gates first, then the smallest gap (need
 * over have), then the largest.
 */
#ifndef DECIDE_DECIDE_H
#define DECIDE_DECIDE_H

#include "data/needs.h"
#include "model/memory.h"
#include "model/speed.h"

enum gate {
	GATE_SOFTWARE, /* compute capability, CUDA release, ecosystem */
	GATE_PRECISION,
	GATE_MEMORY,
	GATE_DECODE, /* codec supported at all */
	GATE_ENCODE,
	GATE_DEADLINE, /* one run at the smallest batch */
	GATE_LINK,
	GATE_FORM, /* fits the server: slots, power */
	GATE_COOLING,
	GATE_ECC,
	GATE_VGPU,
	GATE_LICENCE, /* never fails: asks */
	GATE_SUPPLY,  /* fails only when the project says so */
	GATE_FIGURE,  /* nothing published to decide on: asks */
	GATE_N
};
const char *gate_id(enum gate g);

enum state { STATE_PASS, STATE_ASK, STATE_FAIL };
const char *state_id(enum state s);

enum resource {
	RES_COMPUTE, /* device time: compute, traffic and launches joined */
	RES_DECODE,
	RES_ENCODE,
	RES_MEMORY,
	RES_LINK,
	RES_N
};
const char *resource_id(enum resource r);

struct gate_result {
	enum state state;
	/* nothing here for the card to satisfy: passed, but not a merit */
	bool idle;
	struct fact need, have;
	double need_low, need_high; /* band of the need; both 0: none */
	/* have = each x cards where cards add up (decode); else unknown */
	struct fact each;
	double cards;
	enum unit unit;
	const char *need_text, *have_text; /* "CUDA 10.1", "8.9" */
	/* id of the rule that decided: "engine-files", "cuda-first" ... (the
	 * list is in decide/outcome.h); NULL when the gate simply passes */
	const char *why;
	const char *src;
};

/* Why a fit counts as many cards as it does. */
enum count_why {
	COUNT_BY_LOAD,     /* device time over the allowed load */
	COUNT_BY_DEADLINE, /* load kept lower, so that queues stay short */
	COUNT_BY_SOURCE,   /* so few sources a card that none waits too long */
	COUNT_BY_STREAMS,  /* whole streams a process */
	COUNT_BY_DECODE,
	COUNT_BY_ENCODE,
	COUNT_BY_LINK,
	COUNT_BY_MEMORY, /* streams whose memory fits on a card */
	COUNT_BY_REQUEST /* no time to count from: as many as asked for */
};
const char *count_why_id(enum count_why w);

struct fit {
	const struct gpu *gpu;
	enum state state; /* worst gate */
	enum gate first;  /* first gate that fails (or asks); else GATE_N */
	int n_failing, n_asking; /* gates; licence and supply not asked */
	struct gate_result gates[GATE_N];
	bool sized;             /* loads and cards below are known */
	double load[RES_N];     /* share of one card; memory: of one card at its
				 * share of the streams */
	bool load_known[RES_N]; /* false: nothing asked, or no figure */
	struct estimate busy;   /* device time per second, cards at 100 % */
	double busy_mean;       /* the same at the mean number of objects */
	double share;           /* cards before rounding up, at the limit */
	double limit;           /* allowed utilisation; lower than the vendor's
				 * where a deadline leaves no time to queue */
	double cards;           /* whole cards at the allowed load */
	double cards_low, cards_high; /* over the band */
	/* at its far end one frame alone is late, or a process falls behind
	 * its stream: then no number suffices, cards_high by the load alone */
	bool late_high;
	/* cards that take the frames of one source in turn, so that none
	 * waits for the one before; 0: one source stays on one card */
	double dealt;
	double share_low, share_high; /* of share, over the band */
	/* the same by resource; over the band only device time varies */
	double share_by[RES_N], compute_low, compute_high;
	double cards_mean; /* cards at the mean number of objects */
	/* sources on the fullest card, and at the high end of the band */
	double card_sources, card_sources_high;
	enum count_why count_why;
	/* cards by device time at the vendor's own limit, and whole */
	double share_load, cards_load;
	struct estimate chain; /* one frame alone, smallest batch, s; 0: none */
	enum resource binding;
	enum bound bound; /* of the longest stage */
	int batch;
	double latency_s; /* fill + queue + service estimate */
	struct memory_need memory;
	struct fact usable;
	int processes; /* on one card */
	enum tier tier;
	struct stage_time *stages; /* v->n_stages */
};

/*
 * The card asked for:
 *	needed	   it serves, and nothing comparable serves on less
 *	sound	   it serves; others serve on somewhat less
 *	generous   as far as can be judged, a clearly smaller card does as
 *		   well, with no more cards: each of its gates passes, or asks
 *		   where the same gate of the card asked for asks too.  It says
 *		   nothing about gates that ask on both (then certainty is open)
 *	short	   it is too small: its memory, or its speed for one frame
 *		   within the deadline, and nothing else; another card serves
 *	impossible a rule excludes it (software, precision, codec, form ...),
 *		   whatever else is too small; or no card of the catalogue
 *		   serves at all.  Sure when one of its gates fails for sure
 *	open	   no card named; or a gate of the card named asks that no
 *		   figure here settles (software, memory, precision, video,
 *		   deadline, no published figure), and no smaller card is
 *		   clearly as good.  Form, cooling, ECC and vGPU that ask leave
 *		   the verdict and lower its certainty
 * Comparable are cards of no worse service class (see above) in a state as
 * good.  Clearly smaller: two thirds of the price, or half of the size.
 */
enum model_verdict {
	MODEL_NEEDED,
	MODEL_SOUND,
	MODEL_GENEROUS,
	MODEL_SHORT,
	MODEL_IMPOSSIBLE,
	MODEL_OPEN
};
enum count_verdict {
	COUNT_SOUND,
	COUNT_GENEROUS,
	COUNT_SHORT,
	COUNT_OPEN,
	COUNT_NONE
};
enum sureness { SURENESS_SURE, SURENESS_LIKELY, SURENESS_OPEN };
const char *model_verdict_id(enum model_verdict v);
const char *count_verdict_id(enum count_verdict v);
const char *sureness_id(enum sureness s);

enum dial {
	DIAL_ALGORITHM,
	DIAL_DATA,
	DIAL_REALTIME,
	DIAL_OPTIMISATION,
	DIAL_N
};
const char *dial_id(enum dial d);

struct change { /* a smallest change that helps */
	const char *id;
	const struct fit *fit; /* what then suffices; may be NULL */
	const char *from, *to;
	const char *saves; /* "serves", "cards", "class" or "size" */
	/* "batch": frames collected and processes, before and after */
	int batch[2], processes[2];
};

/* What the vendor did not say, or could say differently. */
struct question {
	const char *id;
	const struct change *gain; /* what an answer would change, or NULL */
	bool flips; /* an answer may turn the verdict or the card */
};

/* What could still make the planned card or its number wrong. */
struct risk {
	const char *id;           /* "cards", "deadline", "memory", "gate" */
	struct fact value, limit; /* worst end of the band, what it may be */
	enum unit unit;
	enum gate gate; /* for "gate" */
};
enum { MAX_RISKS = 3 + GATE_N };

struct vendor_decision {
	const struct vendor *vendor;
	struct fit *fits; /* one per catalogue gpu that is no CPU */
	int n_fits;
	const struct fit *requested; /* NULL when ambiguous */
	/* requested, or the best candidate of an ambiguous name */
	const struct fit *judged;
	const struct fit *smallest, *cheapest, *nearest, *planned;
	enum model_verdict model;
	enum count_verdict count;
	enum sureness sure;
	/* need = product of the dials, peak FLOP/s; 0: nothing to compute
	 * from, and then no factors either */
	double dial[DIAL_N], factor[DIAL_N], ratio, need;
	struct change *changes;
	int n_changes;
	struct question *questions; /* heaviest first */
	int n_questions;
	/* how sure it is that the planned card suffices, and why not */
	enum sureness planned_sure;
	struct risk *risks;
	int n_risks;
	/* the memory of the card judged is far more than needed */
	bool memory_generous;
	const char **assumptions;
	int n_assumptions;
	int passing;
	int passing_supply; /* of these: neither supply nor licence asks */
};

/* What serves a vendor of a pool whose card cannot be had. */
struct fallback {
	const struct vendor_decision *vendor;
	const char *change;    /* id of the change it takes; NULL: none */
	const struct fit *fit; /* NULL: nothing would */
};

/* One driver serves a machine: A's is too old for B's CUDA release. */
struct driver_conflict {
	const struct vendor_decision *a, *b;
	int driver, needs; /* branches */
	bool same_pool;
	bool fixed; /* A's driver cannot be changed; else it is a question */
};

/* A vendor that could use an aged card of the plan, and is served by one in
 * service: those are bought for who can use nothing else. */
struct moved {
	const struct vendor_decision *vendor; /* ->planned: what it gets */
	const struct fit *fit;                /* what it would have taken */
};

struct pool {
	const struct gpu *gpu;
	const struct vendor_decision **members;
	double *member_cards; /* before sharing */
	int n_members;
	int cards, spare;
	int cards_low, cards_high; /* over the bands */
	double cards_alone;        /* if nobody shared */
	bool shared;               /* sharing saves cards */
	double servers;            /* for these alone; 0: not known */
	int on_site;               /* healthy ones in the inventory */
	int buy; /* cards and spares, less those on site if they are used */
	bool at_risk; /* nobody says that the card can still be had */
	struct fallback *fallback; /* one a member, when at risk */
};

/* What decides between purchases; see decide/plan.c. */
enum plan_measure { PLAN_BY_PRICE, PLAN_BY_LIST, PLAN_BY_SIZE };
const char *plan_measure_id(enum plan_measure m);

/* One way to buy, to be compared with the plan. */
struct way_pool {
	const struct gpu *gpu;
	int cards, spare, buy;
	const struct vendor_decision **members;
	int n_members;
};
struct plan_way {
	struct way_pool *pools;
	int n_pools;
	int cards, buy; /* of all pools, spares included */
	double power_w;
	struct fact price; /* of what is bought; unknown: not all have one */
	const char *currency;
	double worth; /* in the measure, models counted: see decide/plan.c */
	bool proven;  /* nothing of its kind is worth less */
};

/* What a vendor could move in the plan with a newer build. */
struct rebuild {
	const struct vendor_decision *vendor; /* NULL: all of these at once */
	const char *change, *from, *to;       /* as in struct change */
	bool serves;                          /* it had no card before */
	struct plan_way way;                  /* the plan then */
};

/* A limit of the site that no plan keeps. */
struct plan_limit {
	const char *id; /* "slots" or "power" */
	double need, have;
	enum unit unit;
};

struct plan {
	enum plan_measure measure;
	bool proven;    /* nothing is worth less */
	double gap;     /* share that at most could be saved, if not proven */
	bool capped;    /* not all of them were compared: no gap is known */
	int considered; /* cards that a vendor may use */
	struct plan_way way;     /* the plan as one way to buy */
	struct plan_way next[2]; /* the best with other sets of models */
	int n_next;
	struct plan_way single_way; /* of `single` */
	struct rebuild *rebuilds;
	int n_rebuilds;
	struct plan_limit *limits;
	int n_limits;
	bool inventory_used; /* cards on site are taken off */
	struct pool *pools;
	int n_pools;
	const struct vendor_decision **unserved;
	int n_unserved;
	const struct gpu *single; /* one model for all, NULL if none passes */
	int single_cards;
	/* the model that serves most vendors, where no single one serves all */
	const struct gpu *single_near;
	/* double-width slots, and servers with all pools mixed or each pool
	 * in its own; 0: the site does not say */
	double slots, servers, servers_apart;
	struct driver_conflict *conflicts;
	int n_conflicts;
	struct moved *moved;
	int n_moved;
};

struct decision {
	struct vendor_decision *vendors;
	int n_vendors;
	struct plan plan;
	const struct gpu *reference; /* the card the dials are held against */
};

struct decision *decide_project(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal);
/* The same without advice: fits, verdicts and plan, but no dials, changes,
 * questions, fallbacks or rebuilds. */
struct decision *decide_outline(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal);

#endif
