/*
 * Fitted and measured constants of the model, read from
 * catalog/calibration/speed.xml by input/calibration_in.c.  Every constant
 * carries its source; none is specific to a network or a card.
 */
#ifndef DATA_CALIBRATION_H
#define DATA_CALIBRATION_H

#include "data/needs.h"

/* One constant as the file states it, for the report's list. */
struct constant {
	const char *name;   /* "efficiency" */
	const char *key[2]; /* "tensorrt", "fp16"; NULL where it has none */
	struct fact value;
	const char *note; /* what it means, one line of English */
};

struct calibration {
	/* share of the dense peak a large layer reaches, by engine class */
	double efficiency[ENGINE_N][PREC_N];
	/* bytes moved over (2 x activations x element size), by engine */
	double traffic[ENGINE_N];
	/* seconds per kernel launch, and host seconds per batch */
	double launch_s[ENGINE_N], host_s[ENGINE_N];
	/* MACs per activation at which half of the efficiency is reached */
	double depth_half[PREC_N];
	/* weight of the fp16-accumulate peak in a geometric mean */
	double acc16_weight[ENGINE_N];
	/* exponent of base/boost clock on the tensor and the shader path */
	double clock_exponent, clock_exponent_shader;
	double clock_unknown; /* base/boost where a clock is not published */
	double boost_hz; /* clock where none is published, for the fill only */
	double consumer_clock;  /* GeForce cards boost above their rating */
	double fill_half;       /* elements per layer and SM at half fill */
	double bandwidth_share; /* achievable DRAM bandwidth */
	/* layers served by the L2 cache: share of the cache that a layer's
	 * tensors fill when half of them hit, and its rate over DRAM's */
	double l2_half, l2_rate;
	double join;        /* exponent that joins compute and traffic */
	double launch_join; /* power of the smooth maximum with launches */
	/* kernels of a network: kernels x (macs/4e9)^a (activations/11e6)^b
	 * (params/25e6)^c */
	double kernels, kernels_macs, kernels_activations, kernels_params;
	/* activations nobody stated: 11e6 x class x (macs/4e9)^a
	 * (params/25e6)^b */
	double activations_macs, activations_params, class_activations[NET_N];
	/* INT8 against FP16 where the vendor has no measurement, at most */
	double int8_gain;
	double work_efficiency; /* share of peak for stated work, at most */
	/* per network class */
	double class_efficiency[NET_N], class_traffic[NET_N],
	    class_kernels[NET_N];
	/* a stated time carried to another card: launches and host time of a
	 * usual network, times the model's; and the band of the result */
	double carry_floor, carry_band;
	/* power of measured over modelled time when a measurement is carried
	 * to another batch class, and the band of the result */
	double batch_carry, batch_carry_band;
	/* 90 % band, factor x/÷, by tier and batch class (1, 2-7, >= 8) */
	double band[5][3];
	/* allowed utilisation: hard real time, default, offline */
	double load_hard, load_default, load_offline;
	/* memory: bytes of a context per process by engine; margin on what we
	 * computed, and never less than `reserve_bytes` */
	double context_bytes[ENGINE_N], reserve_bytes, reserve_share;
	double activation_share; /* live at once, of all activations */
	double memory_band; /* 90 % band, factor x/÷, on what we computed */
	double surfaces;    /* decode surfaces per stream */
	double usable_share_ecc; /* GDDR with ECC on, of the marketed GiB */
	double link_share;       /* achieved share of the PCIe rate */

	struct source_ref *sources; /* the file's own list */
	int n_sources;
	struct constant *constants; /* all of the above, in file order */
	int n_constants;
};

#endif
