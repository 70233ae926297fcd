/*
 * Numbers on charts: three significant digits and the unit people use.
 * Cards' memory is in GiB, traffic in GB/s (10^9).  No words, so the same in
 * every language.
 */
#ifndef CHART_QUANTITY_H
#define CHART_QUANTITY_H

#include "base/num.h"

struct arena;

/* "312 TFLOPS", "864 GB/s", "16 GiB", "70 W", "1,200", "85 %". */
char *quantity_format(struct arena *a, double v, enum unit u);
/*
 * Need and capacity, "1.62 / 2.80": digits that line up down a column.
 * A unit both share stands once.
 */
char *quantity_pair(struct arena *a, double need, double have, enum unit u);
/* Two decimals below ten, one below a hundred, none above. */
char *quantity_aligned(struct arena *a, double v);
/* In GiB with two decimals, to line up down a column. */
char *quantity_gib(struct arena *a, double bytes);
/* Three significant digits and no unit. */
char *quantity_plain(struct arena *a, double v);
/* "2.61×", for factors. */
char *quantity_times(struct arena *a, double v);
/* "85 %" of 0.85. */
char *quantity_percent(struct arena *a, double v);

/* As short as the value allows, for ticks: "0.1", "20", "5,000". */
char *quantity_tick(struct arena *a, double v);
char *quantity_tick_times(struct arena *a, double v);
char *quantity_tick_percent(struct arena *a, double v);
char *quantity_tick_flops(struct arena *a, double v);
char *quantity_tick_bandwidth(struct arena *a, double v);
char *quantity_tick_gib(struct arena *a, double gib);

#endif
