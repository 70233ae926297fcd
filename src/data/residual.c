#include "data/residual.h"

#include "base/str.h"

static const char *const effect_ids[EFFECT_N] = {
    [EFFECT_SOURCE] = "source",
    [EFFECT_CHIP] = "chip",
    [EFFECT_CARD] = "card",
    [EFFECT_FAMILY] = "family",
    [EFFECT_NETWORK] = "network",
    [EFFECT_NETWORK_RUN] = "network-run",
};

static const char *const knowledge_ids[KNOW_N] = {
    [KNOW_NOTHING] = "nothing",
    [KNOW_NETWORK] = "network",
    [KNOW_CARD] = "card",
    [KNOW_BOTH] = "both",
};

const char *
effect_id(enum effect_kind k)
{
	return effect_ids[k];
}

bool
effect_parse(const char *s, enum effect_kind *k)
{
	for (int i = 0; i < EFFECT_N; i++) {
		if (!str_equal(s, effect_ids[i]))
			continue;
		*k = (enum effect_kind)i;
		return true;
	}
	return false;
}

const char *
knowledge_id(enum knowledge k)
{
	return knowledge_ids[k];
}

bool
knowledge_parse(const char *s, enum knowledge *k)
{
	for (int i = 0; i < KNOW_N; i++) {
		if (!str_equal(s, knowledge_ids[i]))
			continue;
		*k = (enum knowledge)i;
		return true;
	}
	return false;
}
