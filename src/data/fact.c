#include "data/fact.h"

#include "base/str.h"

static const char *const certainty_ids[] = {
    [SURE_NONE] = "none",
    [SURE_VENDOR] = "vendor",
    [SURE_TWO] = "two",
    [SURE_ONE] = "one",
    [SURE_DERIVED] = "derived",
    [SURE_CONFLICT] = "conflict",
    [SURE_ASSUMED] = "assumed",
};
enum { N_CERTAINTY = sizeof(certainty_ids) / sizeof(certainty_ids[0]) };

static const char *const tier_ids[] = {
    [TIER_MEASURED] = "measured",
    [TIER_TRANSFERRED] = "transferred",
    [TIER_LAYERS] = "layers",
    [TIER_TOTALS] = "totals",
    [TIER_ASSUMED] = "assumed",
};

const char *
certainty_id(enum certainty c)
{
	return certainty_ids[c];
}

bool
certainty_parse(const char *s, enum certainty *c)
{
	for (int i = 0; i < N_CERTAINTY; i++) {
		if (str_equal(s, certainty_ids[i])) {
			*c = (enum certainty)i;
			return true;
		}
	}
	return false;
}

const char *
tier_id(enum tier t)
{
	return tier_ids[t];
}
