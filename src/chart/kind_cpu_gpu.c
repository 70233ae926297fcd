/*
 * The same work on processors and on cards: pairs of bars, each pair in its
 * own unit, with the ratio beside the larger one, whichever that is.  A pair
 * that differs by more than 30 is drawn on a log scale that begins below the
 * smaller value, with its decades cut out of the bars and a note that says
 * so.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "chart/kinds.h"
#include "chart/quantity.h"
#include "chart/scale.h"
#include "chart/sketch.h"

enum { MAX_PAIRS = 4, ROW = 13 };

/* From this ratio on a linear bar of the smaller value would vanish. */
#define LOG_RATIO 30.0

struct pair {
	const char *id; /* the label, and the row of the data file */
	const char *cpu_path, *gpu_path;
	enum unit unit;
	bool names; /* label the bars with the names of the parts */
	double cpu, gpu;
};

static const struct pair all_pairs[] = {
    {"units", "parallel.servers", "parallel.cards", UNIT_COUNT, false, 0, 0},
    {"cores", "parallel.cpu_cores", "parallel.gpu_cores", UNIT_COUNT, true, 0,
	0},
    {"flop_per_s", "parallel.cpu_flop_per_s", "parallel.gpu_flop_per_s",
	UNIT_FLOP_PER_S, true, 0, 0},
    {"bandwidth", "bandwidth.cpu_bandwidth", "bandwidth.gpu_bandwidth",
	UNIT_BYTE_PER_S, true, 0, 0},
};

static int
read_pairs(struct sketch *s, const struct node *reasons, struct pair *out)
{
	int n = 0;

	SKETCH_CSV(s, "what", "unit", "cpu", "gpu");
	for (int i = 0; i < MAX_PAIRS; i++) {
		struct pair p = all_pairs[i];

		if (!sketch_positive(reasons, p.cpu_path, &p.cpu) ||
		    !sketch_positive(reasons, p.gpu_path, &p.gpu))
			continue;
		SKETCH_CSV(s, p.id, num_unit_id(p.unit), num_exact(s->a, p.cpu),
		    num_exact(s->a, p.gpu));
		out[n++] = p;
	}
	return n;
}

static double
spread(const struct pair *p)
{
	return fmax(p->cpu, p->gpu) / fmin(p->cpu, p->gpu);
}

/* Columns: names, bars, numbers at their ends, ratios. */
struct columns {
	double names, from, to;
};

/* One bar of a pair: its name left, its number at its end. */
static void
draw_side(struct sketch *s, const struct scale *x, const char *name,
    double names, double value, enum unit unit, enum ink ink, double y)
{
	double mid = y + ROW / 2.0, x1 = scale_clamped(x, value);

	sketch_text(s, TYPE_LABEL, 0, sketch_baseline(TYPE_LABEL, mid), 0,
	    sketch_fit(s, TYPE_LABEL, name, names));
	sketch_rect(s, x->from, y + 2, fmax(x1 - x->from, 0.8), ROW - 4,
	    (struct paint){.fill = ink});
	sketch_text(s, TYPE_LABEL, x1 + 4, sketch_baseline(TYPE_LABEL, mid), 0,
	    quantity_format(s->a, value, unit));
}

/* Decades as white cuts through a bar: steps of ten, not lengths. */
static void
cut_decades(struct sketch *s, const struct scale *x, double value, double y)
{
	for (int e = (int)ceil(log10(x->lo)); e <= log10(x->hi); e++) {
		double at = scale_at(x, pow(10, e));

		if (at > x->from + 0.5 && at < scale_clamped(x, value) - 0.5)
			sketch_line(s, at, y + 2, at, y + ROW - 2,
			    (struct paint){.stroke = INK_PAPER,
				.line_width = 1.2});
	}
}

static double
draw_pair(struct sketch *s, const struct pair *p, const char *cpu,
    const char *gpu, const struct columns *c, double y)
{
	double most = fmax(p->cpu, p->gpu), least = fmin(p->cpu, p->gpu), w;
	struct scale x = scale_linear(0, most, c->from, c->to);
	bool log = spread(p) > LOG_RATIO;

	w = sketch_text(s, TYPE_STRONG, 0, sketch_baseline(TYPE_STRONG, y + 6),
	    0,
	    sketch_fit(s, TYPE_STRONG, sketch_label(s, p->id),
		0.6 * s->plan->width));
	if (log) {
		x = scale_log(pow(10, floor(log10(least)) - 1), most, c->from,
		    c->to);
		sketch_text(s, TYPE_NOTE, w + 8,
		    sketch_baseline(TYPE_NOTE, y + 6), 0,
		    sketch_fit(s, TYPE_NOTE, sketch_label(s, "log"),
			s->plan->width - w - 8));
	}
	y += ROW;
	draw_side(s, &x, p->names ? cpu : sketch_label(s, "cpu"), c->names,
	    p->cpu, p->unit, INK_RULE, y);
	draw_side(s, &x, p->names ? gpu : sketch_label(s, "gpu"), c->names,
	    p->gpu, p->unit, INK_NAVY, y + ROW);
	if (log) {
		cut_decades(s, &x, p->cpu, y);
		cut_decades(s, &x, p->gpu, y + ROW);
	}
	sketch_line(s, x.from, y, x.from, y + 2 * ROW,
	    (struct paint){.stroke = INK_RULE, .line_width = 0.8});
	/* beside the larger of the two, so that it is clear which it is */
	if (spread(p) >= 1.005)
		sketch_text(s, TYPE_STRONG, s->plan->width,
		    sketch_baseline(TYPE_STRONG,
			y + ROW / 2.0 + (p->gpu > p->cpu ? ROW : 0)),
		    1, quantity_times(s->a, spread(p)));
	return y + 2 * ROW;
}

/* The bars get what names, numbers and ratios leave. */
static struct columns
measure_columns(struct sketch *s, const struct pair *pairs, int n,
    const char *cpu, const char *gpu)
{
	struct columns c = {0};
	double numbers = 0, ratios = 0;

	c.names = sketch_widest(s, TYPE_LABEL,
	    (const char *const[]){cpu, gpu, sketch_label(s, "cpu"),
		sketch_label(s, "gpu")},
	    4);
	c.names = fmin(c.names, 0.26 * s->plan->width);
	for (int i = 0; i < n; i++) {
		const struct pair *p = &pairs[i];

		numbers = fmax(numbers,
		    sketch_widest(s, TYPE_LABEL,
			(const char *const[]){quantity_format(s->a, p->cpu,
						  p->unit),
			    quantity_format(s->a, p->gpu, p->unit)},
			2));
		ratios = fmax(ratios, sketch_width(s, TYPE_STRONG,
					  quantity_times(s->a, spread(p))));
	}
	c.from = c.names + 10;
	c.to = s->plan->width - ratios - numbers - 18;
	return c;
}

/* Cores and rates are those of the whole server: "2 × Intel Xeon ...". */
static const char *
processor_name(struct sketch *s, const struct node *reasons)
{
	const char *name =
	    sketch_text_of(s, reasons, "parallel.cpu_name", "CPU");
	double sockets;

	if (!sketch_positive(reasons, "parallel.sockets", &sockets) &&
	    !sketch_positive(sketch_root(s), "site.sockets", &sockets))
		return name;
	if (sockets < 2 || strstr(name, "×"))
		return name;
	return arena_printf(s->a, "%s × %s", quantity_plain(s->a, sockets),
	    name);
}

void
kind_cpu_gpu(struct sketch *s)
{
	const struct node *reasons = sketch_need(s, sketch_root(s), "reasons");
	struct pair pairs[MAX_PAIRS];
	const char *cpu, *gpu, *larger;
	struct columns c;
	double y = 0;
	int n;

	if (!reasons)
		return;
	n = read_pairs(s, reasons, pairs);
	if (n == 0) {
		sketch_no_data(s, "reasons.parallel");
		return;
	}
	cpu = processor_name(s, reasons);
	gpu = sketch_short_name(s,
	    sketch_text_of(s, reasons, "parallel.gpu_name", "GPU"));
	c = measure_columns(s, pairs, n, cpu, gpu);
	larger = sketch_label_or_null(s, "larger");
	if (larger) {
		larger = sketch_fit(s, TYPE_NOTE, larger, s->plan->width);
		sketch_text(s, TYPE_NOTE, s->plan->width, 8, 1, larger);
		y = 12;
	}
	for (int i = 0; i < n; i++)
		y = draw_pair(s, &pairs[i], cpu, gpu, &c, y) + 9;
	s->plan->height = y - 7;
}
