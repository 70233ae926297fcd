/*
 * The kinds of chart.  Each reads the results, decides every mark, writes
 * the data file and sets the height.  A kind looks for its data from the
 * root of the results or from the vendor that `of` lies in, so `of` may be
 * that node or any below it.
 *
 * Labels a figure must carry (found as chart.<kind>.<name>, else as the name
 * itself; [..] only when such data occurs):
 *
 *   matrix      key.pass key.ask key.fail key.requested key.planned
 *               [gate.*] [key.reason, when reasons are shown as letters]
 *   dials       start x [dial.*]
 *   dials-all   ratio x [dial.*]
 *   roofline    x y roof.bandwidth roof.compute note
 *   gauges      x limit over need have [resource.*] [role.*]
 *   memory      x total [memory-part.*] [stated_min stated_recommended]
 *   market      x y key.planned key.requested [segment.*]
 *   plan        x spare free
 *   cpu-gpu     cpu gpu units cores flop_per_s bandwidth [log]
 *   families    x
 */
#ifndef CHART_KINDS_H
#define CHART_KINDS_H

struct sketch;

void kind_matrix(struct sketch *s);
void kind_dials(struct sketch *s);
void kind_dials_all(struct sketch *s);
void kind_roofline(struct sketch *s);
void kind_gauges(struct sketch *s);
void kind_memory(struct sketch *s);
void kind_market(struct sketch *s);
void kind_plan(struct sketch *s);
void kind_cpu_gpu(struct sketch *s);
void kind_families(struct sketch *s);

#endif
