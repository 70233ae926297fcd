#include "model/residual.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/sample.h"

const char *
residual_family(struct arena *a, const char *id)
{
	char *f = arena_strdup(a, id);
	int n = 0;

	for (; *id && !(*id >= '0' && *id <= '9'); id++) {
		if (*id == '-' || *id == '_' || *id == '.') {
			if (n > 2)
				break;
			continue;
		}
		f[n++] = *id;
	}
	f[n] = 0;
	return f;
}

bool
residual_by_run(enum effect_kind k)
{
	return k == EFFECT_CHIP || k == EFFECT_FAMILY ||
	       k == EFFECT_NETWORK_RUN;
}

struct residual_names
residual_names(struct arena *a, const char *network, const struct gpu *g,
    struct layer_run run, int batch)
{
	struct residual_names n = {0};

	n.of[EFFECT_CHIP] = sample_chip(a, g);
	n.of[EFFECT_CARD] = g->id;
	n.of[EFFECT_FAMILY] = residual_family(a, network);
	n.of[EFFECT_NETWORK] = n.of[EFFECT_NETWORK_RUN] = network;
	n.run = arena_printf(a, "%s%s%s", layer_runtime_id(run.runtime),
	    run.training ? "-training" : "", batch == 1 ? "-1" : "");
	return n;
}

static int
compare(const struct residual *r, enum effect_kind kind, const char *name,
    const char *run)
{
	int c = (int)r->kind - (int)kind;

	c = c ? c : strcmp(r->name, name);
	return c ? c : strcmp(r->run, run);
}

static const struct residual *
find(const struct residuals *r, enum effect_kind kind, const char *name,
    const char *run)
{
	int low = 0, high = r->n;

	while (low < high) {
		int mid = (low + high) / 2;
		int c = compare(&r->r[mid], kind, name, run);

		if (c == 0)
			return &r->r[mid];
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

double
residual_factor(const struct residuals *r, const struct residual_names *n,
    enum knowledge *know)
{
	double factor = 1;
	bool card = false, network = false;

	for (int k = 0; r && k < EFFECT_N; k++) {
		enum effect_kind kind = (enum effect_kind)k;
		const struct residual *f;

		if (!n->of[k])
			continue;
		f = find(r, kind, n->of[k],
		    residual_by_run(kind) ? n->run : "");
		if (!f)
			continue;
		factor *= f->factor;
		card |= kind == EFFECT_CHIP || kind == EFFECT_CARD;
		network |= kind == EFFECT_NETWORK || kind == EFFECT_NETWORK_RUN;
	}
	*know = card && network ? KNOW_BOTH
		: card          ? KNOW_CARD
		: network       ? KNOW_NETWORK
				: KNOW_NOTHING;
	return factor;
}

double
residual_band(const struct residuals *r, enum knowledge know, const char *run,
    int batch_class, enum tier tier)
{
	for (int i = 0; r && i < r->n_bands; i++) {
		const struct band_cell *b = &r->bands[i];

		if (b->know == know && (!*b->run || str_equal(b->run, run)) &&
		    (b->batch_class < 0 || b->batch_class == batch_class) &&
		    (b->any_tier || b->tier == tier))
			return b->factor;
	}
	return 0;
}
