/*
 * From a decision to the results tree.  This comment is the vocabulary that
 * templates and charts may use; a path that is not here does not exist.
 * [opt] marks what may be absent.  Text values are ids or data.
 *
 * project.  id name(2) client(2) date author(2)[opt] edition languages
 *           settings: list {path value[opt: none: left out] label("path=value")}:
 *             what --set and --unset changed; not in the attached files
 *           (2): text that differs by language
 * site.     slots[opt] slot_power[opt] servers[opt] server_power[opt]
 *           power[opt: for all cards] cooling(active|passive|unknown)
 *           cpu(name) sockets deliver_to[opt] spare_per_pool share(flag)
 * catalog.  gpus(count) nvidia amd intel other cpus
 * totals.   vendors streams frames_per_s decode_frames_per_s pixels_per_s
 *           flop_per_s bytes_per_s models_asked cards_asked
 *           models_planned cards_planned
 *           verdicts.needed .sound .generous .short .impossible .open (counts
 *           of vendors by model verdict)
 *           vendors_asking (vendors with an open gate, licence and supply
 *           included, on the card planned, else on the one judged)
 * reasons.  the five reasons, each with this project's figures
 *   parallel.   cpu_name cpu_cores gpu_name gpu_cores ratio
 *               cpu_flop_per_s gpu_flop_per_s speed_ratio
 *               processors[opt] (kept busy by the networks that can be
 *               timed on both) servers[opt] (of `sockets` processors, at
 *               `load`) cards[opt] (gpu_name for the same networks at the
 *               same load) sockets load vendors_counted vendors_left
 *               counted, left: lists {id name(2)}
 *   bandwidth.  cpu_bandwidth (all sockets) cpu_bandwidth_each sockets
 *               gpu_bandwidth cpu_name gpu_name ratio (GPU over CPU)
 *               larger(flag: the GPU has more) factor(>= 1) bytes_per_s
 *   training.   network gpu_name images epochs batch sockets cpu_run_s
 *               gpu_run_s (one image, one processor or card) cpu_s (a server
 *               with all its sockets) gpu_s ratio
 *   libraries.  cuda(count of vendors) list: engine names with count
 *               items {engine(2) vendors}
 *   realtime.   vendor(2) deadline cpu_s gpu_s network frames_per_s
 *               gpu_name
 * vendors.N.
 *   id name(2) task(2)
 *   request.  written gpu[opt: id] name gpu_name[opt] count[opt]
 *             reason(2)[opt] ambiguous(flag) memory[opt] family[opt] cc[opt]
 *             candidates: list {id name memory bandwidth}
 *   load.     streams frames_per_s objects_per_s decode_frames_per_s
 *             pixels_per_s flop_per_s[opt] flop_per_s_peak[opt]
 *             bytes_per_s[opt] limit (allowed utilisation)
 *             period_s[opt: below one frame a second, 1/frames_per_s]
 *             peak(flag: sized at a peak number of objects)
 *             every_frame(flag: the deadline holds for each frame, not for
 *             95 in 100)  video_untimed(flag: video is decoded or encoded,
 *             and that time is in no chain, latency or deadline gate)
 *   streams:  list {name(2) kind(video|images) count width height codec fps
 *             analysed_per_s objects_mean[opt] objects_peak[opt]
 *             frames_per_s decode_frames_per_s decoded(flag: on the card)
 *             period_s[opt] out_codec[opt] out_width[opt] out_height[opt]}
 *   stages:   list {name(2) kind(network|work|timed) network[opt] width height
 *             per(frame|object|tile) times tiles[opt: of one frame]
 *             rate(runs/s, peak objects) precision flop[opt] bytes[opt]
 *             flop_per_s[opt] stated_s[opt] stated_on[opt] run_s[opt]
 *             share(of device time)[opt] tier src}
 *   runtime.  engine(2) class version[opt] precision batch[opt]
 *             layout(per-card|per-stream) ships cuda[opt] driver[opt]
 *             built_for[opt: "7.5 8.6"] locked(flag: built_for binds)
 *   memory.   stated_min[opt] stated_recommended[opt] weights activations
 *             context surfaces bank scratch reserve total measured(flag)
 *             processes
 *   deadline[opt] s
 *   tier      the worst tier among its stages
 *   binding   compute|bandwidth|launch|host|decode|encode|memory|software|
 *             deadline|precision|link|form|none: what decides the need on
 *             the card that sizes the vendor (requested if it runs, else the
 *             smallest adequate)
 *   verdict.  model(needed|sound|generous|short|impossible|open)
 *             count(sound|generous|short|open|none) certainty(sure|likely|
 *             open) gate[opt: first failing gate on the requested card]
 *             cards_needed[opt] cards_mean[opt: at the mean number of
 *             objects] cards_asked[opt] cards_spare
 *             state[opt: pass|ask|fail, of the card judged]
 *             short: nothing but memory or deadline fails; else impossible,
 *             sure where there is a firm_gate
 *             firm_gate[opt: the first gate that fails whatever the vendor
 *             may add and wherever in its band a figure lies]
 *             aside[opt: memory-generous] with memory_need memory_have
 *             certainty is of model and count; that of the card planned
 *             stands in planned.certainty
 *   requested[opt], smallest[opt], cheapest[opt], nearest[opt],
 *   planned[opt].  a fit:
 *             gpu name state(pass|fail|ask) gate[opt] cards[opt] busy[opt]
 *             memory_need memory_have[opt] batch latency[opt] power[opt]
 *             price[opt] currency[opt] binding
 *             supply_open(flag: supply or licence asks; not in state)
 *             loads: list {id(compute|decode|encode|memory|link) load}
 *             (share of ONE card the whole vendor needs; over cards: busy)
 *   gates:    list on the requested card (or smallest when ambiguous)
 *             {id state(pass|fail|ask|none: nothing here for the card to
 *             satisfy) need[opt: with its band] have[opt] need_text[opt]
 *             have_text[opt] src[opt]
 *             have_each[opt] cards[opt]: decode, have = have_each x cards
 *             risk(flag: passes, and fails at the far end of the band)
 *             may_pass(flag: fails, and passes at the near end)}
 *   plan_state(firm|waiting|unserved)
 *   cpu[opt: every stage can be timed on a processor]. name sockets
 *             processors (at the allowed load) frame_s in_time(flag)
 *             suffices(flag: in time, on the sockets of one server; video
 *             decoding not counted) asked(flag: this processor is what the
 *             vendor asked for)
 *   alternatives: list of fits worth showing (requested, smallest,
 *             cheapest, nearest, cards other vendors asked for, the plan's),
 *             each as above plus role(requested|smallest|cheapest|nearest|
 *             other|plan)
 *   passing   count of catalogue cards that pass every gate but supply and
 *             licence; passing_supply (of these, where neither asks); total
 *   excluded: list {gate count}: catalogue cards by the gate they stop at
 *             first, most first; the others serve or ask
 *   fallback[opt] {change[opt] gpu[opt] card[opt] supply[opt] cards[opt]}
 *             this vendor's item of its pool's fallback
 *   families: list {family passing total}
 *   dials:    list {id(algorithm|data|realtime|optimisation) value unit-less
 *             factor(against the project's geometric mean) value_text[opt]}
 *   ratio     need over the geometric mean = product of the factors
 *   roofline. gpu name peak bandwidth ridge peak_acc[opt: fp16|fp32, the
 *             accumulate type of peak] peak_other[opt] peak_other_acc[opt]
 *             points: list {name(2) intensity
 *             attained roof share bound}
 *   changes:  list {id(cuda|batch|precision|substream|codec|
 *             encode-elsewhere|tiling|split|model|deadline|fps)
 *             saves(serves: the card asked for, or any at all, serves |
 *             cards | class: a board still made | size) gpu[opt] name[opt]
 *             state[opt] cards[opt] from[opt] to[opt] also: list {gate}}
 *             smallest changes that make a smaller card or fewer cards
 *             suffice.  `also`: gates that still fail.  batch: from and to
 *             are numbers, and processes_from, processes_to stand beside
 *             them; split: cards that work on one picture
 *   questions: list {id weight flips(flag) gain[opt].{change gpu name
 *             cards[opt]}} facts the vendor did not give, or could change;
 *             what may turn the verdict first
 *   assumptions: list {id value[opt]}
 * matrix.
 *   cards:    list {id name memory family requested(flag) planned(flag)}
 *   rows:     list {vendor name(2) cells: list {gpu state cards[opt] gate[opt]
 *             binding[opt] requested(flag) planned(flag)}}
 * dials.    ids in order; biggest.{dial vendor(2) factor}
 *           smallest.{vendor(2)}
 * plan.     pools: list {gpu name family cards(band) cards_low cards_high
 *             cards_alone (if nobody shared) shared(flag: sharing saves
 *             some) spare total power price[opt] currency[opt] memory
 *             servers[opt] on_site (healthy ones in the inventory) buy
 *             (cards and spares, less those on site where they are used)
 *             at_risk(flag: supply asks)
 *             asks: list {gate why src[opt]}  notes: as of a fit
 *             fallback: list {vendor name(2) change[opt] gpu[opt] card[opt:
 *               its name] supply[opt: pass|ask] cards[opt]}, when at risk;
 *               without gpu there is no way out
 *             vendors: list {id name(2) cards cards_low cards_high busy why
 *               (= count_why) share_load[opt] cards_load[opt]
 *               cards_mean[opt] card_sources[opt] card_sources_high[opt]
 *               limit[opt] certainty}}
 *           cards cards_low cards_high power price[opt] currency[opt] models
 *           slots[opt] servers[opt] servers_apart[opt: each pool in its own]
 *           at_risk: list {gpu name cards why}
 *           late: list {id name(2)}: vendors whose planned card is late at
 *             the far end of the band, however many there are
 *           rule. aged_only_if_needed(flag) moved: list {id name(2) gpu card
 *             cards power now_gpu now_card now_cards now_power}; with it
 *             cards power now_cards now_power, the sums: vendors that could
 *             use an aged card of this plan (gpu, cards) and get one in
 *             service (now_...), old boards being for who has no other
 *           firm, waiting: lists {id name(2)} by plan_state
 *           driver_questions: as driver_conflicts, where a does not say
 *             that its driver cannot be changed
 *           driver_conflicts: list {a b a_name(2) b_name(2) driver needs src
 *             same_pool(flag)}: a's driver branch is too old for b's CUDA
 *           single.possible(flag) gpu[opt] name[opt] in_production[opt] and,
 *             if possible, as a way (below)
 *           single.blockers: list {vendor name(2) gate}
 *           measure(price|list|size: what decides between purchases)
 *           considered (cards that some vendor may use)
 *           proven(flag: nothing is less in the measure) gap[opt: the share
 *           that at most could be saved, if not proven; absent too
 *           where not all of them were compared]
 *           inventory_used(flag: cards on site are taken off) buy
 *           way: the plan as a way; next: list of ways, the best two with
 *             other sets of models.  A way:
 *             pools: list {gpu name label("NAME × cards with spares") cards
 *               spare buy vendors: list {id name(2)}}
 *             models cards buy power price[opt] currency[opt]
 *             models_by cards_by buy_by power_by price_by[opt]: how far from the
 *             plan's, each with NAME_dir(more|fewer|same)
 *             worth[opt: in the measure, models counted; the plan's is 1]
 *             proven(flag: nothing of its kind is less)
 *           rebuilds: list of ways, each with all(flag: all of these vendors
 *             at once) vendor[opt] name(2)[opt] from[opt] to[opt] change
 *             serves(flag: somebody is served who was not): the plan if the
 *             vendor delivered a newer build
 *           limits: list {id(slots|power) need have}: limits of the site that
 *             no plan keeps, and what this one needs
 *           unserved: list {id name(2) gate closest[opt].{gpu name gate
 *             n_failing}}
 * market.   families: list {id name cards passing_all memory_min memory_max
 *             bandwidth_max fp16_max power_max vendors_ok(count of vendors
 *             with at least one passing card here)}
 *           points: list {name family segment bandwidth peak memory}
 *           rows: list {vendor name(2) cells: list {family gpu name state
 *             gate[opt] why[opt] n_failing}}, cells in the order of families:
 *             the card of the family that goes furthest (state, fewest
 *             gates that fail, most memory, highest peak) and its first gate
 *           nvidia_only: list {id name(2) gate why[opt] movable(flag)}: no
 *             other maker's card serves today; gate: what stops most
 *           movable: list {id name(2) how(now|port) ships held[opt]}: one
 *             serves already, or what is shipped is portable; held: a gate
 *             besides the software that every other maker's card fails.
 *             A vendor may stand in both lists
 *           served_elsewhere (vendors another maker's card serves today)
 * what_if[opt]: list {name(2) set: list as project.settings
 *           same(flag: nothing below changes) same_plan(flag)
 *           vendors: list {id name(2) leaves(flag) model number purchase
 *             (flags: verdict on the model, on the count, planned card or
 *             its number change) now. then[opt].{model count (verdicts)
 *             gpu[opt] name[opt] cards[opt]: planned}}: those that change
 *           unserved: list {id name(2)}: then; same_unserved(flag: as now)
 *           plan[opt]: then, as a way of plan.next}
 * inventory[opt]. file driver cuda devices: list {product gpu[opt] memory
 *           slices healthy(flag)}  models: list {name cards}
 * sources:  list {id title publisher date where} used by this report
 *
 * Gate ids: memory decode encode software precision deadline link form
 *           cooling ecc vgpu licence supply figure (no figure to decide on)
 *
 * Additions to the above
 *   vendors.N.judged[opt]  a fit: requested, or when the name is ambiguous
 *             the best of its candidates; the verdict is on this one
 *   vendors.N.total  cards held against the vendor (CPUs are not)
 *   binding of a fit that fails: the gate (cooling ecc vgpu supply too);
 *             vendors.N.binding may be such a one as well
 *   vendors.N.dials_inferred[opt: flag]  nothing but times is known, so
 *             algorithm and optimisation cannot be told apart
 *   reasons.bandwidth  vendors_counted (with bytes known) largest[opt](2)
 *             largest_share[opt]: who moves most of them
 *   vendors.N.need[opt]  peak FLOP/s, the product of the four dials
 *   a fit also has family, class (0 in service, 1 consumer, 2 old, 3 module),
 *             low and high of cards as its band, busy_mean[opt],
 *             processes, n_failing
 *             chain[opt: one frame alone at the smallest batch, band]
 *             bound[opt: of the longest stage]
 *             count_why(load|deadline|per-source|whole-streams|decode|encode|
 *             link|memory|stated): why it counts as many cards
 *             share_load[opt] (device time over the vendor's limit)
 *             cards_load[opt] (the same, whole) cards_mean[opt]
 *             card_sources[opt] (sources on the fullest card)
 *             card_sources_high[opt] limit[opt] (of this fit; lower where
 *             the mean queue would make frames late)
 *             dealt[opt]: cards that take the frames of one camera in turn,
 *             so that none waits
 *             late_high(flag): at the far end of the band one frame alone is
 *             late, or a process falls behind its stream: no number of cards
 *             suffices there.  The band of cards then is of the load alone,
 *             and cards_high of pools and of their vendors is left out; both
 *             have late_high too
 *   requested, judged, smallest, cheapest, nearest and planned have, beyond
 *             that of alternatives:
 *             gates: as above   asks: list {gate why src[opt]}, licence and
 *             supply included   notes: list {kind(licence|supply|support|
 *             remark) date[opt] region[opt] text(2) src[opt]}
 *   planned also: asked(flag: the card that was judged) count (cards, as
 *             sized or else as asked for)
 *   planned also: certainty(sure|likely|open: that it suffices) risks: list
 *             {id(cards|deadline|memory|gate) value[opt] limit[opt]
 *             gate[opt]}: what the far end of a band, or an open gate, would
 *             break
 *   gates items also have why[opt], the rule that decided:
 *             software  ecosystem engine-files engine-files-unknown
 *                       build-list cuda-first cuda-last not-tested driver
 *                       no-runtime card-software
 *             precision no-unit   figure no-peak no-figure no-bandwidth
 *             memory    memory stated-minimum memory-unknown
 *             decode    no-decoder engines-unknown
 *             encode    no-encoder sessions engines-unknown
 *             deadline  one-frame stream-overload time-unknown
 *             link      link link-unknown
 *             form      module slot-power slots wide power-unknown
 *             cooling   active-in-passive passive-in-active cooling-unknown
 *             ecc       no-ecc ecc-unknown   vgpu no-vgpu vgpu-list
 *             licence   consumer-licence
 *             supply    domestic-only out-of-production supply-note
 *                       production-unknown
 *   dials.    ids (list {id}) and reference.{gpu name}; biggest: the factor
 *             farthest from 1 on any vendor, smallest: the vendor with the
 *             least need.  Absent when no vendor can be computed.
 *   dials items value_text: the figure behind the dial ("26.7 GFLOP")
 *   reasons.libraries.items: list {engine vendors(count)}
 *   plan.single.in_production is absent when nobody says so either way
 *
 * Family ids (market.families, vendors.N.families; matrix cards have the
 *   family as the catalogue prints it): geforce rtx-pro datacenter jetson
 *   amd intel domestic.  name(2) stands beside the id.
 * Question ids: driver-cuda build-cuda (statements that contradict each
 *   other) software-version cuda-version engine-files time-per-run model
 *   deadline-firm lighter-network precision-lower split substream codec
 *   batching processes batch objects memory-variant count largest-image
 *   precision fps-needed deadline ptx driver-newer driver production
 *   domestic-version (last).  Only those whose answer changes something;
 *   first what turns the verdict, then what saves most cards, then so
 * Assumption ids: objects-mean peak load-limit efficiency activations
 *   video-clock training-set codec (H.264 where none is stated) deadline
 *   (one second where none is stated) engine (unknown runtime counted as run
 *   op by op) timed (stated times counted as work of their card) count-asked
 *   (no time stated: planned with the number asked for) aged (launched seven
 *   or more years ago and nobody says that it is still made)
 */
#ifndef DECIDE_OUTCOME_H
#define DECIDE_OUTCOME_H

struct arena;
struct catalog;
struct decision;
struct node;
struct project;
struct calibration;

struct fit;

/* The node of one fit alone ("a fit" above, with its gates), for `explain
 * VENDOR GPU`; not part of the results tree. */
struct node *
outcome_fit(struct arena *a, const struct project *p, const struct catalog *cat,
    const struct calibration *cal, const struct fit *f);

struct node *outcome_build(struct arena *a, const struct project *p,
    const struct catalog *cat, const struct calibration *cal,
    const struct decision *dec);

#endif
