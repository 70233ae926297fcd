#include "data/needs_dump.h"

#include "base/str.h"
#include "data/needs.h"

static const char *
or_dash(const char *s)
{
	return s ? s : "-";
}

static void
add_fact(struct str *out, const char *name, struct fact f, enum unit u)
{
	if (f.known)
		str_addf(out, " %s=%s %s", name, num_exact(out->a, f.value),
		    num_unit_id(u));
	else
		str_addf(out, " %s=?", name);
}

static void
add_number(struct str *out, const char *name, double v)
{
	str_addf(out, " %s=%s", name, num_exact(out->a, v));
}

static void
dump_request(const struct vendor *v, struct str *out)
{
	str_addf(out, "  request '%s'", or_dash(v->request.written));
	if (v->request.gpu)
		str_addf(out, " = %s", v->request.gpu->id);
	for (int i = 0; i < v->request.n_candidates; i++)
		str_addf(out, " ?%s", v->request.candidates[i]->id);
	add_fact(out, "count", v->request.count, UNIT_COUNT);
	str_addc(out, '\n');
}

static void
dump_stream(const struct stream *s, struct str *out)
{
	str_addf(out, "  stream '%s' %s", or_dash(s->name),
	    s->kind == STREAM_VIDEO ? "video" : "images");
	str_addf(out, " %d of %dx%dx%d %s", s->count, s->width, s->height,
	    s->depth, codec_id(s->codec));
	add_number(out, "fps", s->fps);
	add_number(out, "analysed", s->analysed_per_s);
	add_fact(out, "objects", s->objects_mean, UNIT_COUNT);
	add_fact(out, "peak", s->objects_peak, UNIT_COUNT);
	if (s->out_codec != CODEC_NONE)
		str_addf(out, " -> %s %dx%d", codec_id(s->out_codec),
		    s->out_width, s->out_height);
	str_addc(out, '\n');
}

static void
dump_stage(const struct stage *s, struct str *out)
{
	static const char *const kinds[] = {"network", "work", "timed"};
	static const char *const per[] = {"frame", "object", "tile"};

	str_addf(out, "  stage '%s' %s", or_dash(s->name), kinds[s->kind]);
	if (s->network)
		str_addf(out, " %s at %dx%d", s->network->id, s->in_w, s->in_h);
	str_addf(out, " per %s", per[s->per]);
	add_number(out, "times", s->times);
	if (s->stream >= 0)
		str_addf(out, " stream=%d", s->stream);
	if (s->kind == STAGE_WORK) {
		add_fact(out, "flop", s->flop, UNIT_FLOP);
		add_fact(out, "bytes", s->bytes, UNIT_BYTE);
	}
	if (s->kind == STAGE_TIMED) {
		add_fact(out, "takes", s->seconds, UNIT_SECOND);
		str_addf(out, " on %s", s->timed_on ? s->timed_on->id : "-");
	}
	str_addc(out, '\n');
}

static void
dump_runtime(const struct runtime *r, struct str *out)
{
	str_addf(out, "  runtime '%s' %s %s batch=%d", or_dash(r->engine_name),
	    engine_id(r->engine), precision_id(r->precision), r->batch);
	if (r->layout == PROC_PER_STREAM)
		str_add(out, " process-per-stream");
	else
		str_addf(out, " processes=%d", r->processes);
	str_addf(out, " ships=%s", ships_id(r->ships));
	for (int i = 0; i < r->n_built_for; i++)
		str_addf(out, "%s%d.%d",
		    i ? "," : " built-for=", r->built_for[i] / 10,
		    r->built_for[i] % 10);
	add_fact(out, "cuda", r->cuda, UNIT_NONE);
	add_fact(out, "driver", r->driver, UNIT_NONE);
	str_addc(out, '\n');
}

static void
dump_memory(const struct vendor *v, struct str *out)
{
	str_add(out, "  memory");
	add_fact(out, "min", v->memory.stated_min, UNIT_BYTE);
	add_fact(out, "recommended", v->memory.stated_recommended, UNIT_BYTE);
	add_fact(out, "peak", v->memory.peak, UNIT_BYTE);
	add_fact(out, "bank", v->memory.bank, UNIT_BYTE);
	add_fact(out, "scratch", v->memory.scratch, UNIT_BYTE);
	str_addc(out, '\n');
	str_add(out, "  limits");
	add_fact(out, "deadline", v->deadline_s, UNIT_SECOND);
	add_fact(out, "load", v->load_limit, UNIT_RATIO);
	str_addc(out, '\n');
}

static void
dump_measurement(const struct measurement *m, struct str *out)
{
	str_addf(out, "  measured %s on %s batch=%d %s", or_dash(m->stage),
	    m->gpu ? m->gpu->id : "-", m->batch, precision_id(m->precision));
	add_fact(out, "rate", m->rate, UNIT_PER_S);
	add_fact(out, "latency", m->latency, UNIT_SECOND);
	add_fact(out, "memory", m->memory, UNIT_BYTE);
	str_addc(out, '\n');
}

static void
dump_vendor(const struct vendor *v, struct str *out)
{
	str_addf(out, "vendor %s '%s' task '%s'\n", v->id, or_dash(v->name),
	    or_dash(v->task));
	dump_request(v, out);
	for (int i = 0; i < v->n_streams; i++)
		dump_stream(&v->streams[i], out);
	for (int i = 0; i < v->n_stages; i++)
		dump_stage(&v->stages[i], out);
	dump_runtime(&v->runtime, out);
	dump_memory(v, out);
	for (int i = 0; i < v->n_measured; i++)
		dump_measurement(&v->measured[i], out);
}

static void
dump_inventory(const struct inventory *inv, struct str *out)
{
	str_addf(out, "inventory driver=%s cuda=%s\n", or_dash(inv->driver),
	    or_dash(inv->cuda));
	for (int i = 0; i < inv->n_devices; i++) {
		const struct device *dev = &inv->devices[i];

		str_addf(out, "  device '%s' = %s slices=%d%s",
		    or_dash(dev->product), dev->gpu ? dev->gpu->id : "?",
		    dev->slices, dev->healthy ? "" : " unhealthy");
		add_fact(out, "memory", dev->total_bytes, UNIT_BYTE);
		str_addc(out, '\n');
	}
}

void
needs_dump(const struct project *p, struct str *out)
{
	static const char *const cooling[] = {"unknown", "active", "passive"};

	str_addf(out, "project %s '%s' client '%s' date %s edition %d\n", p->id,
	    or_dash(p->name), or_dash(p->client), or_dash(p->date), p->edition);
	str_add(out, "site");
	add_fact(out, "slots", p->site.slots, UNIT_COUNT);
	add_fact(out, "slot-power", p->site.slot_power_w, UNIT_WATT);
	add_fact(out, "servers", p->site.servers, UNIT_COUNT);
	add_fact(out, "server-power", p->site.server_power_w, UNIT_WATT);
	add_fact(out, "power", p->site.power_w, UNIT_WATT);
	str_addf(out, " cooling=%s cpu=%s x%d deliver-to=%s\n",
	    cooling[p->site.cooling], p->site.cpu ? p->site.cpu->id : "-",
	    p->site.sockets, or_dash(p->site.deliver_to));
	for (int i = 0; i < p->n_inventories; i++)
		dump_inventory(&p->inventories[i], out);
	for (int i = 0; i < p->n_prices; i++) {
		str_addf(out, "price %s", p->prices[i].gpu->id);
		add_number(out, "amount", p->prices[i].amount);
		str_addf(out, " %s\n", p->prices[i].currency);
	}
	for (int i = 0; i < p->n_vendors; i++)
		dump_vendor(&p->vendors[i], out);
}
