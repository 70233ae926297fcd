/*
 * Reader of DIR/calibration/residuals.xml (data/residual.h).
 */
#ifndef INPUT_RESIDUAL_IN_H
#define INPUT_RESIDUAL_IN_H

#include "base/diag.h"
#include "data/residual.h"

struct arena;

/*
 * Empty when there is no such file; NULL after reporting
 * "calibration-range", "calibration-word", "calibration-twice",
 * "calibration-source" or what the XML reader reports.
 */
struct residuals *
residuals_read(struct arena *a, const char *dir, struct diag *d);

#endif
