#include "base/arena.h"
#include "base/str.h"
#include "data/names.h"
#include "input/catalog_parts.h"

#define N(field) offsetof(struct network, field)

/*
 * Totals of a network; a multiply-add counts once here, and `gflop` is for
 * sources that count it twice.
 */
static const struct {
	struct figure f;
	double factor;
} totals[] = {
    {{"gmac", UNIT_NONE, N(macs)}, 1e9},
    {{"gflop", UNIT_NONE, N(macs)}, 0.5e9},
    {{"params-m", UNIT_NONE, N(params)}, 1e6},
    {{"activations-m", UNIT_NONE, N(activations)}, 1e6},
};

/* "3x640x640": channels, height, width. */
static bool
parse_shape(const char *s, int shape[3])
{
	for (int i = 0; i < 3; i++) {
		int digits = 0;

		for (shape[i] = 0; *s >= '0' && *s <= '9'; s++) {
			if (++digits > 5)
				return false;
			shape[i] = shape[i] * 10 + (*s - '0');
		}
		if (shape[i] == 0 || *s != (i < 2 ? 'x' : '\0'))
			return false;
		s += i < 2;
	}
	return true;
}

static bool
read_totals(struct catalog_reader *r, struct xml_el *el, struct network *n)
{
	const char *input = xml_need(el, "input", r->d);
	int shape[3];
	struct origin o;
	bool ok = catalog_origin(r, el, &o) && input;

	if (input && !parse_shape(input, shape)) {
		ok = diag_error(r->d, xml_attr_pos(el, "input"),
		    "catalog-value", "'%s' is not an input shape", input);
		diag_note(r->d, "write channels x height x width: 3x640x640");
	}
	if (xml_attr(el, "gmac") && xml_attr(el, "gflop"))
		ok = diag_error(r->d, xml_attr_pos(el, "gflop"),
		    "catalog-duplicate", "gmac and gflop say the same");
	for (int i = 0; i < N_OF(totals); i++) {
		struct fact *f = (struct fact *)((char *)n + totals[i].f.at);

		if (!xml_attr(el, totals[i].f.attr))
			continue;
		ok &=
		    catalog_figures(r, el, &totals[i].f, 1, ABOVE_ZERO, &o, n);
		f->value *= totals[i].factor;
	}
	n->as_flop = xml_attr(el, "gflop") != NULL;
	if (ok) {
		n->in_c = shape[0];
		n->in_h = shape[1];
		n->in_w = shape[2];
	}
	return ok & xml_end(el, r->d);
}

static struct fact *
find_total(struct network *n, const char *name)
{
	for (int i = 0; i < N_OF(totals); i++)
		if (str_equal(name, totals[i].f.attr))
			return (struct fact *)((char *)n + totals[i].f.at);
	return NULL;
}

static bool
read_names(struct catalog_reader *r, struct xml_el *el, struct network *n)
{
	char key[NAME_MAX_KEY];
	bool ok = true;

	n->name = xml_child_text(r->a, el, "name");
	if (!n->name || !n->name[0])
		ok = diag_error(r->d, xml_pos(el), "xml-missing",
		    "<network> needs a <name>");
	for (struct xml_el *c = xml_child(el, "alias"); c;
	     c = xml_next(c, "alias")) {
		const char *text = catalog_trimmed(r, c->text);

		if (name_fold(text, key))
			*(const char **)arena_push(r->a, &n->aliases,
			    &n->n_aliases, sizeof(char *)) = text;
		else
			ok = diag_error(r->d, xml_pos(c), "catalog-alias",
			    "'%s' cannot be a name", text);
		ok &= xml_end(c, r->d);
	}
	return ok;
}

static bool
read_class(struct catalog_reader *r, struct xml_el *el, struct network *n)
{
	const char *class = xml_need(el, "class", r->d);

	if (!class || net_class_parse(class, &n->cls))
		return class != NULL;
	diag_error(r->d, xml_attr_pos(el, "class"), "catalog-value",
	    "unknown class '%s'", class);
	diag_note(r->d, "use one of dense, vgg, grouped, mobile, vit, yolo");
	return false;
}

static bool
read_divisor(struct catalog_reader *r, struct xml_el *el, struct network *n)
{
	double divisor = 1;
	bool found;

	if (!xml_number(r->a, el, "divisor", UNIT_COUNT, &divisor, &found,
		r->d))
		return false;
	if (divisor < 1 || divisor > 1024)
		return diag_error(r->d, xml_attr_pos(el, "divisor"),
		    "catalog-value", "'divisor' is a number from 1 to 1024");
	n->divisor = (int)divisor;
	return true;
}

static void
read_network(struct catalog_reader *r, struct xml_el *el)
{
	struct network n = {.pos = catalog_here(r, el), .divisor = 1};
	struct xml_el *c;
	bool ok, found;

	r->item = r->c->n_networks;
	n.id = catalog_id(r, el);
	n.task = xml_need(el, "task", r->d);
	n.licence = xml_attr(el, "licence");
	ok = n.id && n.task;
	ok &= read_class(r, el, &n);
	ok &= read_divisor(r, el, &n);
	ok &= catalog_flag(r, el, "scales", &n.scales, &found);
	ok &= read_names(r, el, &n);
	if ((c = catalog_only(r, el, "totals")))
		ok &= read_totals(r, c, &n);
	for (c = xml_child(el, "about"); c; c = xml_next(c, "about"))
		ok &= catalog_about(r, c, find_total(&n, xml_attr(c, "field")));
	ok &= xml_end(el, r->d);
	if (ok)
		*(struct network *)arena_push(r->a, &r->c->networks,
		    &r->c->n_networks, sizeof(n)) = n;
}

void
catalog_read_networks(struct catalog_reader *r, const char *path)
{
	struct xml_el *root = catalog_root(r, path, "networks");

	if (!root)
		return;
	r->kind = PLACE_NETWORK;
	for (struct xml_el *el = xml_child(root, "network"); el;
	     el = xml_next(el, "network"))
		read_network(r, el);
	xml_end(root, r->d);
}
