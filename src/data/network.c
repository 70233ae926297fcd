#include "data/network.h"

#include <assert.h>

#include "base/str.h"
#include "data/gpu.h"
#include "data/names.h"

static const char *const class_ids[NET_N] = {
    [NET_DENSE] = "dense",
    [NET_VGG] = "vgg",
    [NET_GROUPED] = "grouped",
    [NET_MOBILE] = "mobile",
    [NET_VIT] = "vit",
    [NET_YOLO] = "yolo",
};

const char *
net_class_id(enum net_class k)
{
	return k < NET_N ? class_ids[k] : NULL;
}

bool
net_class_parse(const char *s, enum net_class *k)
{
	for (int i = 0; i < NET_N; i++) {
		if (str_equal(s, class_ids[i])) {
			*k = (enum net_class)i;
			return true;
		}
	}
	return false;
}

const struct network *
network_find(const struct catalog *c, const char *name)
{
	const struct name_entry *e;
	char key[NAME_MAX_KEY];
	int n;

	assert(c->names);
	if (!name)
		return NULL;
	e = name_lookup(&c->names->network_ids, name, &n);
	if (!e && name_fold(name, key))
		e = name_lookup(&c->names->networks, key, &n);
	return e ? &c->networks[e->item] : NULL;
}

const char *
network_near(const struct catalog *c, const char *name)
{
	char key[NAME_MAX_KEY];

	assert(c->names);
	if (!name || !name_fold(name, key))
		return NULL;
	return name_near(&c->names->networks, key);
}
