/*
 * Memory one card must hold for a vendor.  The terms and their figures, each
 * with its source, are in catalog/calibration/speed.xml:
 *
 *	processes x (context + weights + activations) + decode surfaces
 *	+ resident data + scratch + reserve
 */
#ifndef MODEL_MEMORY_H
#define MODEL_MEMORY_H

#include "data/needs.h"
#include "data/calibration.h"

struct memory_need {
	double weights, activations, context; /* of all processes */
	double surfaces, bank, scratch, reserve;
	struct estimate total;
	bool measured; /* a peak stated or seen on a card replaced weights
			  and activations; it stands in `activations` */
};

struct memory_need memory_need(const struct calibration *c,
    const struct vendor *v, int processes, int streams_on_card, int batch);

/* Bytes a program can use on the card: driver figure, else the marketed
 * size less ECC where it costs memory. */
struct fact memory_usable(const struct calibration *c, const struct gpu *g);

#endif
