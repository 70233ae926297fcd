/*
 * The kinds of chart.  Each reads the results, decides every mark, writes
 * the data file and sets the height.  A kind looks for its data from the
 * root of the results or from the vendor that `of` lies in, so `of` may be
 * that node or any below it.
 *
 * Labels a figure must carry (found as chart.<kind>.<name>, else as the name
 * itself; [..] only when such data occurs; after the bar those that may be
 * absent, the chart then leaves the word out):
 *
 *   matrix      key.pass key.ask key.fail key.requested key.planned
 *               [gate.*] [key.reason, when reasons are shown as letters] |
 *               first-gate
 *   dials       start x [dial.*]
 *   dials-all   ratio x [dial.*]
 *   roofline    x y roof.bandwidth roof.compute note [bound.*] |
 *               acc.fp16 acc.fp32
 *   gauges      x limit over need have [resource.*] [role.*] | gate.*
 *               no-load
 *   memory      x total [memory-part.*] [stated_min stated_recommended] |
 *               role.requested role.plan role.smallest neighbour short
 *   market      x y key.planned key.requested [segment.*] | maker.nvidia
 *               maker.amd maker.intel maker.domestic maker.other
 *   plan        x spare free | headroom rounding unknown
 *   cpu-gpu     cpu gpu units cores flop_per_s bandwidth [log] | larger
 *   families    x
 *   what-if     x now [own]
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
void kind_whatif(struct sketch *s);

#endif
