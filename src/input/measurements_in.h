/*
 * Reader of tables of published measurements (CSV).
 *
 * Columns: source_id, gpu_id, n_gpus, task, network, input, batch, precision,
 * runtime, throughput_img_s, end_to_end; latency_ms and
 * note are used where there are any.  Others are kept and not looked at.
 */
#ifndef INPUT_MEASUREMENTS_IN_H
#define INPUT_MEASUREMENTS_IN_H

#include "data/layers.h"
#include "data/sample.h"
#include "parse/csv_in.h"

struct arena;

/*
 * All rows of the file, each with the card, network, precision and runtime
 * it means, or with the status that says why not.  `dir` is the catalogue
 * folder: DIR/measurements/names.csv says which network of ours another name
 * stands for, DIR/measurements/cards.csv which card.  `*table` is the file
 * as written.  NULL after reporting "measurement-number",
 * "measurement-word", "measurement-name", or what csv_parse reports.
 */
struct samples *measurements_read(struct arena *a, const char *path,
    const char *dir, const struct catalog *c, const struct layer_book *book,
    struct csv **table, struct diag *d);

/*
 * The card a name of such tables stands for, in `*devices` equal parts.
 * Ids and aliases of the catalogue first; "...-mig-7x1g-10gb" is seven
 * slices of one seventh of the multiprocessors of the card before it (14 of
 * 98 on an A100) and one eighth of its memory, bandwidth and cache.  NULL if
 * unknown.
 */
const struct gpu *measured_card(struct arena *a, const struct catalog *c,
    const struct csv *names, const char *gpu_id, int *devices);

#endif
