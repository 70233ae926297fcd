/*
 * Writes what `whygpu validate --calibrate` found: constants into layers.xml
 * (everything else of that file stays), residuals and bands as a new
 * residuals.xml.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "command/validate.h"
#include "parse/xml_in.h"

/* Where the value of the constant stands in the text, or NULL. */
static const char *
value_of(struct arena *a, const char *text, const struct layer_constant *k)
{
	const char *at = strstr(text,
	    k->key ? arena_printf(a, "name=\"%s\" key=\"%s\" value=\"", k->name,
			 k->key)
		   : arena_printf(a, "name=\"%s\" value=\"", k->name));

	return at ? strstr(at, "value=\"") + strlen("value=\"") : NULL;
}

static const char *
shown(struct arena *a, const struct layer_constant *k, double v)
{
	switch (k->unit) {
	case UNIT_SECOND: return arena_printf(a, "%.4g us", v * 1e6);
	case UNIT_HERTZ: return arena_printf(a, "%.4g GHz", v / 1e9);
	case UNIT_BYTE_PER_S: return arena_printf(a, "%.4g GB/s", v / 1e9);
	default: return arena_printf(a, "%.4g", v);
	}
}

static const char *
with_constants(const struct validation *v, const char *text)
{
	int n;
	const struct layer_constant *all = layer_constants(&n);

	for (int i = 0; i < n; i++) {
		const char *at = value_of(v->a, text, &all[i]), *end;

		if (!all[i].fitted || !at)
			continue;
		end = strchr(at, '"');
		text = arena_printf(v->a, "%.*s%s%s", (int)(at - text), text,
		    shown(v->a, &all[i],
			*layer_constant_in(v->constants, &all[i])),
		    end);
	}
	return text;
}

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!-- Written by make calibrate; see README.md. What "
    "measurements leave after the model from layers\n"
    "     (model/effect.h), as factors on the time, and the half-widths of the "
    "90 % bands (model/band.h). A card, network or family\n"
    "     that is not here was not measured and has none. `run`: kind of "
    "runtime; -1: batch 1. `rows`: measurements behind it. -->\n"
    "<residuals>\n"
    "  <source id=\"cal-measured\" title=\"Residuals of the published "
    "measurements in catalog/measurements\" date=\"2026-12\" "
    "grade=\"derived\"/>\n";

static void
add_bands(struct str *s, const struct residuals *r)
{
	static const char *const batches[] = {"1", "2-7", "8"};

	for (int i = 0; i < r->n_bands; i++) {
		const struct band_cell *b = &r->bands[i];

		str_addf(s, "  <band measured=\"%s\"", knowledge_id(b->know));
		if (*b->run)
			str_addf(s, " run=\"%s\"", b->run);
		if (b->batch_class >= 0)
			str_addf(s, " batch=\"%s\"", batches[b->batch_class]);
		if (!b->any_tier)
			str_addf(s, " tier=\"%s\"",
			    b->tier == TIER_LAYERS ? "layers" : "totals");
		str_addf(s, " factor=\"%.3f\" rows=\"%d\"/>\n", b->factor,
		    b->rows);
	}
}

static void
add_residuals(struct str *s, const struct residuals *r)
{
	for (int i = 0; i < r->n; i++) {
		const struct residual *x = &r->r[i];

		str_addf(s, "  <residual of=\"%s\" name=\"%s\"",
		    effect_id(x->kind), x->name);
		if (*x->run)
			str_addf(s, " run=\"%s\"", x->run);
		str_addf(s, " factor=\"%.3f\" rows=\"%d\"/>\n", x->factor,
		    x->rows);
	}
}

bool
validation_calibrate(const struct validation *v, const char *dir,
    struct diag *d)
{
	const char *folder = fs_join(v->a, dir, "calibration");
	struct pos nowhere = {NULL, 0, 0};
	struct source *src = fs_read(v->a, fs_join(v->a, folder, "layers.xml"),
	    XML_MAX_BYTES, nowhere, d);
	struct fs_set *set = src ? fs_set_begin(v->a, folder, d) : NULL;
	const char *layers;
	struct str s;

	if (!set)
		return false;
	layers = with_constants(v, src->text);
	str_init(&s, v->a);
	str_add(&s, head);
	add_bands(&s, v->fitted);
	add_residuals(&s, v->fitted);
	str_add(&s, "</residuals>\n");
	if (fs_set_write(set, "residuals.xml", s.s, s.len, d) &&
	    fs_set_write(set, "layers.xml", layers, strlen(layers), d))
		return fs_set_commit(set, d);
	fs_set_abort(set);
	return false;
}
