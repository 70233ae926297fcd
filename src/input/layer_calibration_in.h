/*
 * Reader of DIR/calibration/layers.xml.
 */
#ifndef INPUT_LAYER_CALIBRATION_IN_H
#define INPUT_LAYER_CALIBRATION_IN_H

#include "data/layer_calibration.h"

struct arena;

/*
 * NULL after reporting: an unknown, missing or repeated constant
 * ("calibration-name", "calibration-missing", "calibration-twice"), one out
 * of range ("calibration-range"), or a source that the file does not list
 * ("calibration-source").
 */
struct layer_calibration *
layer_calibration_read(struct arena *a, const char *dir, struct diag *d);

#endif
