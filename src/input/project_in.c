#include "input/input.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "input/field.h"
#include "input/setting_in.h"
#include "input/vendor_in.h"

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { MAX_VENDORS = 64, MAX_INVENTORIES = 64 };

static const struct range any_slots = {1, 64, true, "from 1 to 64"};
static const struct range any_watt = {0, 5000, false,
    "above 0, at most 5000 W"};
static const struct range any_servers = {1, 10000, true, "from 1 to 10000"};
static const struct range any_supply = {0, 1e7, false,
    "above 0, at most 10000 kW"};
static const struct range any_sockets = {1, 16, true, "from 1 to 16"};
static const struct range any_edition = {1, 10000, true, "from 1 to 10000"};
static const struct range any_spare = {0, 1000, true, "from 0 to 1000"};

/*
 * project:
 */

static const char *const languages[] = {"zh-CN", "en"};

static const char *
language(const struct yaml_node *n)
{
	for (int i = 0; i < N_OF(languages); i++)
		if (n->kind == YAML_SCALAR && str_equal(n->text, languages[i]))
			return languages[i];
	return NULL;
}

static void
add_language(const struct form *f, const struct yaml_node *n, struct project *p)
{
	const char *word = language(n);

	if (!word) {
		diag_error(f->d, n->pos, "yaml-choice",
		    "'%s' is no language of the report",
		    n->kind == YAML_SCALAR ? n->text : "...");
		diag_note(f->d, "one of zh-CN, en");
		return;
	}
	for (int i = 0; i < p->n_languages; i++)
		if (p->languages[i] == word) {
			diag_error(f->d, n->pos, "yaml-duplicate",
			    "'%s' is given twice", word);
			return;
		}
	p->languages[p->n_languages++] = word;
}

static void
read_languages(const struct form *f, struct yaml_node *m, struct project *p)
{
	struct yaml_node *list = yaml_list(m, "languages", f->d);

	for (struct yaml_node *n = list ? list->first : NULL; n; n = n->next)
		add_language(f, n, p);
	if (p->n_languages > 0)
		return;
	for (int i = 0; i < N_OF(languages); i++)
		p->languages[p->n_languages++] = languages[i];
}

static void
read_head(const struct form *f, struct yaml_node *root, struct project *p)
{
	static const char *const known[] = {"id", "name", "name_en", "client",
	    "client_en", "author", "author_en", "date", "languages", "edition"};
	struct yaml_node *m = yaml_map(root, "project", f->d);

	p->edition = 1;
	field_present(f, root, "project");
	if (!m)
		return;
	p->id = field_id(f, m, "id");
	p->name = yaml_need(m, "name", f->d);
	p->name_en = yaml_text(m, "name_en", f->d);
	p->client = yaml_text(m, "client", f->d);
	p->client_en = yaml_text(m, "client_en", f->d);
	p->author = yaml_text(m, "author", f->d);
	p->author_en = yaml_text(m, "author_en", f->d);
	p->date = field_date(f, m, "date");
	p->edition = field_int(f, m, "edition", &any_edition, 1);
	read_languages(f, m, p);
	FIELD_END(f, m, known);
}

/*
 * site:
 */

static void
read_inventory(const struct form *f, struct project *p,
    const struct yaml_node *n)
{
	struct inventory inv = {.file = NULL};

	if (n->kind != YAML_SCALAR || !n->text[0]) {
		diag_error(f->d, n->pos, "yaml-kind",
		    "an inventory is the name of a file");
		return;
	}
	if (p->n_inventories >= MAX_INVENTORIES) {
		diag_error(f->d, n->pos, "needs-range",
		    "more than %d inventories", (int)MAX_INVENTORIES);
		return;
	}
	if (inventory_read(f->a, fs_beside(f->a, p->file->path, n->text), f->c,
		&inv, n->pos, f->d)) {
		inv.file = n->text; /* as written: where it lies is no news */
		*(struct inventory *)arena_push(f->a, &p->inventories,
		    &p->n_inventories, sizeof(inv)) = inv;
	}
}

/* One file or a list of files. */
static void
read_inventories(const struct form *f, struct yaml_node *site,
    struct project *p)
{
	struct yaml_node *n = yaml_find(site, "inventory");

	if (!n)
		return;
	if (n->kind != YAML_LIST) {
		read_inventory(f, p, n);
		return;
	}
	for (n = n->first; n; n = n->next)
		read_inventory(f, p, n);
}

static void
read_servers(const struct form *f, struct yaml_node *site, struct project *p)
{
	static const char *const known[] = {"slots", "slot_power", "cooling",
	    "cpu", "sockets", "count", "power"};
	static const char *const cooling[] = {"active", "passive"};
	struct yaml_node *m = yaml_map(site, "servers", f->d);
	int i;

	p->site.sockets = 1;
	if (!m)
		return;
	p->site.slots = field_fact(f, m, "slots", UNIT_COUNT, &any_slots);
	p->site.slot_power_w =
	    field_fact(f, m, "slot_power", UNIT_WATT, &any_watt);
	p->site.servers = field_fact(f, m, "count", UNIT_COUNT, &any_servers);
	p->site.server_power_w =
	    field_fact(f, m, "power", UNIT_WATT, &any_supply);
	i = yaml_choice(m, "cooling", cooling, N_OF(cooling), f->d);
	p->site.cooling = i < 0    ? COOLING_UNKNOWN
			  : i == 0 ? COOLING_ACTIVE
				   : COOLING_PASSIVE;
	p->site.cpu = field_gpu(f, m, "cpu");
	if (p->site.cpu && p->site.cpu->segment != SEGMENT_CPU) {
		diag_error(f->d, yaml_find(m, "cpu")->pos, "gpu-unknown",
		    "'%s' is no processor", p->site.cpu->name);
		p->site.cpu = NULL;
	}
	p->site.sockets = field_int(f, m, "sockets", &any_sockets, 1);
	FIELD_END(f, m, known);
}

/* Currencies by code or by the words people write. */
static const struct {
	const char *text, *code;
	double factor;
} currencies[] = {
    {"CNY", "CNY", 1},
    {"RMB", "CNY", 1},
    {"元", "CNY", 1},
    {"人民币", "CNY", 1},
    {"万元", "CNY", 1e4},
    {"USD", "USD", 1},
    {"EUR", "EUR", 1},
    {"HKD", "HKD", 1},
    {"JPY", "JPY", 1},
};

static bool
price_parse(const struct form *f, const char *text, struct price *price)
{
	const char *why;

	for (int i = 0; i < N_OF(currencies); i++) {
		size_t n = strlen(text), k = strlen(currencies[i].text);
		char *number;

		if (n <= k || strcmp(text + n - k, currencies[i].text) != 0)
			continue;
		number = arena_strndup(f->a, text, n - k);
		if (!num_parse(number, UNIT_MONEY, &price->amount, f->a, &why))
			continue; /* 5 万元 ends in 元 too */
		price->amount *= currencies[i].factor;
		price->currency = currencies[i].code;
		return price->amount > 0 && price->amount <= 1e9;
	}
	return false;
}

static void
read_prices(const struct form *f, struct yaml_node *site, struct project *p)
{
	struct yaml_node *m = yaml_map(site, "prices", f->d);

	for (struct yaml_node *n = m ? m->first : NULL; n; n = n->next) {
		struct price price = {.pos = n->key_pos};

		price.gpu = field_gpu_named(f, n->key, n->key_pos);
		if (n->kind != YAML_SCALAR ||
		    !price_parse(f, n->text, &price)) {
			diag_error(f->d, n->pos, "needs-price",
			    "'%s' is no price",
			    n->kind == YAML_SCALAR ? n->text : "...");
			diag_note(f->d, "an amount above 0 and a currency: "
					"8500 CNY, 1.2 万元, 900 USD");
			continue;
		}
		for (int i = 0; price.gpu && i < p->n_prices; i++)
			if (p->prices[i].gpu == price.gpu) {
				diag_error(f->d, n->key_pos, "yaml-duplicate",
				    "a second price for '%s'", price.gpu->name);
				price.gpu = NULL;
			}
		if (p->n_prices > 0 &&
		    !str_equal(p->prices[0].currency, price.currency)) {
			diag_error(f->d, n->pos, "needs-price",
			    "prices in %s and in %s", p->prices[0].currency,
			    price.currency);
			diag_note(f->d, "give all prices in one currency");
			price.gpu = NULL;
		}
		if (price.gpu)
			*(struct price *)arena_push(f->a, &p->prices,
			    &p->n_prices, sizeof(price)) = price;
	}
}

static void
read_site(const struct form *f, struct yaml_node *root, struct project *p)
{
	static const char *const known[] = {"inventory", "servers",
	    "deliver_to", "prices", "power"};
	struct yaml_node *m = yaml_map(root, "site", f->d);
	const char *to;

	p->site.sockets = 1;
	if (!m)
		return;
	read_inventories(f, m, p);
	read_servers(f, m, p);
	p->site.power_w = field_fact(f, m, "power", UNIT_WATT, &any_supply);
	to = yaml_text(m, "deliver_to", f->d);
	if (to && !(strlen(to) == 2 && isupper((unsigned char)to[0]) &&
		      isupper((unsigned char)to[1]))) {
		diag_error(f->d, yaml_find(m, "deliver_to")->pos,
		    "needs-country", "'%s' is no country code", to);
		diag_note(f->d, "two capital letters, as CN");
		to = NULL;
	}
	p->site.deliver_to = to;
	read_prices(f, m, p);
	FIELD_END(f, m, known);
}

static void
read_policy(const struct form *f, struct yaml_node *root, struct project *p)
{
	static const char *const known[] = {"share", "in_production",
	    "domestic", "spare_per_pool", "inventory"};
	/* the last two are the same */
	static const char *const share[] = {"allowed", "separate", "forbidden"};
	static const char *const inventory[] = {"use", "list"};
	static const char *const degree[] = {"required", "preferred", "any"};
	struct yaml_node *m = yaml_map(root, "policy", f->d);

	if (!m)
		return;
	p->policy.share =
	    yaml_choice(m, "share", share, N_OF(share), f->d) == 0;
	p->policy.in_production_required =
	    yaml_choice(m, "in_production", degree, N_OF(degree), f->d) == 0;
	p->policy.domestic_only =
	    yaml_choice(m, "domestic", degree, N_OF(degree), f->d) == 0;
	p->policy.spare_per_pool =
	    field_int(f, m, "spare_per_pool", &any_spare, 0);
	p->policy.use_inventory =
	    yaml_choice(m, "inventory", inventory, N_OF(inventory), f->d) == 0;
	FIELD_END(f, m, known);
}

/*
 * vendors:
 */

static void
read_vendor(const struct form *f, struct project *p, const struct yaml_node *n)
{
	struct source *src;
	struct vendor v;

	if (n->kind != YAML_SCALAR || !n->text[0]) {
		diag_error(f->d, n->pos, "yaml-kind",
		    "a vendor is the name of a file");
		return;
	}
	src = fs_read(f->a, fs_beside(f->a, p->file->path, n->text),
	    YAML_MAX_BYTES, n->pos, f->d);
	if (!src || !vendor_read(f, src, &v) || v.left_out)
		return;
	for (int i = 0; v.id && i < p->n_vendors; i++)
		if (str_equal_nocase(p->vendors[i].id, v.id)) {
			diag_error(f->d, v.pos, "needs-vendor",
			    "a second vendor with the id '%s'", v.id);
			diag_note(f->d, "the first is in '%s'",
			    p->vendors[i].file->path);
		}
	*(struct vendor *)arena_push(f->a, &p->vendors, &p->n_vendors,
	    sizeof(v)) = v;
}

static const char *
vendor_ids(const struct form *f, const struct project *p)
{
	struct str s;

	str_init(&s, f->a);
	for (int i = 0; i < p->n_vendors; i++)
		str_addf(&s, "%s%s", i ? ", " : "", p->vendors[i].id);
	return s.s;
}

static void
read_vendors(const struct form *f, struct yaml_node *root, struct project *p)
{
	struct yaml_node *list = yaml_list(root, "vendors", f->d);

	field_present(f, root, "vendors");
	if (!list)
		return;
	if (list->n == 0)
		diag_error(f->d, list->pos, "yaml-missing",
		    "'vendors' names no file");
	if (list->n > MAX_VENDORS) {
		diag_error(f->d, list->pos, "needs-range",
		    "more than %d vendors", (int)MAX_VENDORS);
		return;
	}
	for (const struct yaml_node *n = list->first; n; n = n->next)
		read_vendor(f, p, n);
	settings_end(f, vendor_ids(f, p));
	if (p->n_vendors == 0 && f->n_set > 0 && f->d->n_errors == 0)
		diag_error(f->d, f->set[f->n_set - 1].pos, "setting-path",
		    "this leaves no vendor");
}

struct project *
project_read(struct arena *a, const char *path, const struct catalog *c,
    struct diag *d)
{
	return project_read_set(a, path, NULL, 0, c, d);
}

struct project *
project_read_set(struct arena *a, const char *path, const struct setting *set,
    int n, const struct catalog *c, struct diag *d)
{
	static const char *const known[] = {"project", "site", "policy",
	    "vendors", "what_if"};
	const struct form f = {.a = a,
	    .c = c,
	    .d = d,
	    .set = set,
	    .n_set = n,
	    .set_used = arena_alloc(a, n + 1, sizeof(bool))};
	struct source *src =
	    fs_read(a, path, YAML_MAX_BYTES, (struct pos){.src = NULL}, d);
	struct yaml_node *root = src ? yaml_parse(a, src, d) : NULL;
	struct project *p;

	if (!root)
		return NULL;
	if (root->kind != YAML_MAP) {
		diag_error(d, root->pos, "yaml-kind",
		    "a project file must be a map");
		return NULL;
	}
	p = arena_alloc(a, 1, sizeof(*p));
	p->file = src;
	p->settings = set;
	p->n_settings = n;
	settings_project(&f, root);
	read_head(&f, root, p);
	read_site(&f, root, p);
	read_policy(&f, root, p);
	read_vendors(&f, root, p);
	what_ifs_read(&f, root, p);
	FIELD_END(&f, root, known);
	return p;
}
