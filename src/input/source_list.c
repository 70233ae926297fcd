#include "input/source_list.h"

#include <string.h>

#include "base/arena.h"
#include "parse/xml_in.h"

static bool
listed(const struct source_ref *list, int n, const char *id, size_t len)
{
	for (int i = 0; i < n; i++)
		if (strlen(list[i].id) == len &&
		    memcmp(list[i].id, id, len) == 0)
			return true;
	return false;
}

void
source_list_add(struct arena *a, struct xml_el *el, struct source_ref **list,
    int *n, struct diag *d)
{
	struct source_ref s = {.grade = SURE_ONE, .pos = xml_pos(el)};
	const char *grade = xml_attr(el, "grade");

	s.id = xml_need(el, "id", d);
	s.title = xml_need(el, "title", d);
	s.publisher = xml_attr(el, "publisher");
	s.where = xml_attr(el, "where");
	s.date = xml_attr(el, "date");
	if (grade && !certainty_parse(grade, &s.grade))
		diag_error(d, xml_attr_pos(el, "grade"), "calibration-sure",
		    "unknown certainty '%s'", grade);
	xml_end(el, d);
	if (!s.id)
		return;
	if (listed(*list, *n, s.id, strlen(s.id)))
		diag_error(d, s.pos, "calibration-twice",
		    "source '%s' is listed twice", s.id);
	*(struct source_ref *)arena_push(a, list, n, sizeof(s)) = s;
}

const char *
source_list_src(struct xml_el *el, const struct source_ref *list, int n,
    struct diag *d)
{
	const char *src = xml_need(el, "src", d);

	for (const char *s = src; s && *s;) {
		size_t len = strcspn(s, " ");

		if (len && !listed(list, n, s, len))
			diag_error(d, xml_attr_pos(el, "src"),
			    "calibration-source", "unknown source '%.*s'",
			    (int)(len < 80 ? len : 80), s);
		s += len + (s[len] == ' ');
	}
	return src;
}

enum certainty
source_list_sure(struct xml_el *el, struct diag *d)
{
	const char *sure = xml_need(el, "sure", d);
	enum certainty known = SURE_ASSUMED;

	if (sure && !certainty_parse(sure, &known))
		diag_error(d, xml_attr_pos(el, "sure"), "calibration-sure",
		    "unknown certainty '%s'", sure);
	return known;
}
