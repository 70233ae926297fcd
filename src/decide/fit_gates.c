/*
 * The gates of one vendor on one card that need a time or a size: memory,
 * deadline, missing figures, and the decode gate's total over the cards.
 */
#include <math.h>

#include "base/arena.h"
#include "decide/trial.h"

void
memory_gate(const struct decider *d, const struct demand *dm,
    const struct trial *t, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_MEMORY];
	struct fact stated = dm->v->memory.stated_min;
	struct memory_need least = memory_at(d, dm, 1, smallest_batch(dm));

	r->unit = UNIT_BYTE;
	r->need = fact_of(least.total.value, SURE_DERIVED, NULL);
	r->need_low = least.total.low;
	r->need_high = least.total.high;
	r->have = f->usable;
	r->src = f->usable.src;
	if (!f->usable.known) {
		gate_set(f, GATE_MEMORY, STATE_ASK, "memory-unknown");
		return;
	}
	if (least.total.value > f->usable.value) {
		gate_set(f, GATE_MEMORY, STATE_FAIL, "memory");
	} else if (stated.known && f->gpu->memory_bytes.known &&
		   stated.value > f->gpu->memory_bytes.value) {
		/* People state the printed size of a card, not the usable. */
		r->need = stated;
		r->need_low = r->need_high = 0;
		r->have = f->gpu->memory_bytes;
		gate_set(f, GATE_MEMORY, STATE_FAIL, "stated-minimum");
	} else if (f->sized) {
		r->need = fact_of(f->memory.total.value, SURE_DERIVED, NULL);
		r->need_low = f->memory.total.low;
		r->need_high = f->memory.total.high;
	}
	if (f->gates[GATE_MEMORY].state == STATE_PASS && t->possible &&
	    !t->fits_memory)
		gate_set(f, GATE_MEMORY, STATE_FAIL, "memory");
}

/*
 * One frame alone, at the smallest batch, must be done within the deadline:
 * more cards do not shorten it.  The same for a process that falls behind
 * its own stream.
 */
void
deadline_gate(const struct decider *d, const struct demand *dm,
    const struct trial *chosen, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_DEADLINE];
	struct fact dl = dm->v->deadline_s;
	struct trial one = {.batch = smallest_batch(dm)};
	bool same = chosen->batch == one.batch;

	if (!chosen->possible) {
		r->unit = UNIT_SECOND;
		r->have = dl;
		r->src = dl.src;
		if (dl.known)
			gate_set(f, GATE_DEADLINE, STATE_ASK, "time-unknown");
		return;
	}
	if (!isfinite(chosen->need)) {
		gate_set(f, GATE_DEADLINE, STATE_FAIL, "stream-overload");
		r->unit = UNIT_RATIO;
		r->need = fact_of(chosen->busy.value / fmax(1, dm->sources),
		    SURE_DERIVED, NULL);
		r->need_low = chosen->busy.low / fmax(1, dm->sources);
		r->need_high = chosen->busy.high / fmax(1, dm->sources);
		r->have = fact_of(1, SURE_DERIVED, NULL);
		return;
	}
	if (same) {
		one = *chosen;
	} else {
		one.stages =
		    arena_alloc(d->a, dm->v->n_stages + 1, sizeof(*one.stages));
		if (!time_stages(d, dm, f->gpu, &one))
			return;
	}
	f->chain = (struct estimate){one.chain_s, one.chain_low, one.chain_high,
	    one.tier};
	if (!dl.known)
		return;
	r->unit = UNIT_SECOND;
	r->have = dl;
	r->src = dl.src;
	r->need = fact_of(one.chain_s, SURE_DERIVED, NULL);
	r->need_low = one.chain_low;
	r->need_high = one.chain_high;
	if (one.chain_s > dl.value)
		gate_set(f, GATE_DEADLINE, STATE_FAIL, "one-frame");
	f->late_high |= one.chain_high > dl.value;
}

void
figure_gate(const struct trial *t, int stages, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_FIGURE];

	if ((t->possible && stages > 0) || r->state == STATE_FAIL || r->why)
		return;
	gate_set(f, GATE_FIGURE, STATE_ASK, t->why ? t->why : "no-figure");
}

/* The need counts all streams; so must what the cards have. */
void
decode_total(const struct demand *dm, struct fit *f)
{
	struct gate_result *r = &f->gates[GATE_DECODE];

	if (!f->load_known[RES_DECODE] || f->load[RES_DECODE] <= 0)
		return;
	/* Codecs may mix: what one device decodes of this mix. */
	r->each =
	    fact_of(devices_of(f->gpu) * dm->decode_per_s / f->load[RES_DECODE],
		SURE_DERIVED, r->have.src);
	r->cards = f->sized ? f->cards : 1;
	r->have = fact_of(r->cards * r->each.value, SURE_DERIVED, r->have.src);
}
