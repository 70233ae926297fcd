/*
 * A neural network as the catalogue knows it: totals at a reference input,
 * later also layers.  MACs throughout (1 MAC = 2 FLOP), one image.
 */
#ifndef DATA_NETWORK_H
#define DATA_NETWORK_H

#include "base/diag.h"
#include "data/fact.h"

struct catalog;

/* Which shape of layers dominates; sets the model's class factors. */
enum net_class {
	NET_DENSE, /* ResNet-like convolutions */
	NET_VGG,
	NET_GROUPED, /* ResNeXt, SE, DenseNet-like */
	NET_MOBILE,  /* depthwise */
	NET_VIT,
	NET_YOLO, /* detectors, encoder-decoder at high resolution */
	NET_N
};

struct network {
	const char *id, *name;
	const char **aliases;
	int n_aliases;
	const char *task; /* "detection" */
	enum net_class cls;
	int in_c, in_h, in_w; /* the input the totals hold for */
	struct fact macs;     /* per image at that input */
	struct fact params;
	struct fact
	    activations; /* elements written by conv, linear, attention */
	bool as_flop;    /* the source counts a multiply-add twice */
	bool scales;     /* MACs and activations grow with the pixels */
	int divisor;     /* input sides must be multiples of this; 1 if any */
	const char *licence; /* may be NULL */
	struct pos pos;
};

/* By id, name or alias, case and punctuation ignored; NULL if unknown. */
const struct network *network_find(const struct catalog *c, const char *name);
const char *network_near(const struct catalog *c, const char *name);
const char *net_class_id(enum net_class k);
bool net_class_parse(const char *s, enum net_class *k);

#endif
