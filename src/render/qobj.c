#include "render/qobj.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

qpdf_oh
q_key(qpdf_data q, qpdf_oh dict, const char *key)
{
	if (qpdf_oh_is_stream(q, dict))
		dict = qpdf_oh_get_dict(q, dict);
	return qpdf_oh_get_key_if_dict(q, dict, key);
}

qpdf_oh
q_path(qpdf_data q, qpdf_oh from, const char *path)
{
	char key[64];

	while (*path) {
		size_t len = strcspn(path, " ");

		if (len >= sizeof(key))
			return qpdf_oh_new_null(q);
		memcpy(key, path, len);
		key[len] = '\0';
		from = q_key(q, from, key);
		path += len + (path[len] == ' ');
	}
	return from;
}

bool
q_has(qpdf_data q, qpdf_oh dict, const char *key)
{
	return !qpdf_oh_is_null(q, q_key(q, dict, key));
}

const char *
q_name(struct arena *a, qpdf_data q, qpdf_oh dict, const char *key)
{
	qpdf_oh v = q_key(q, dict, key);

	return qpdf_oh_is_name(q, v) ? arena_strdup(a, qpdf_oh_get_name(q, v))
				     : "";
}

bool
q_is_name(qpdf_data q, qpdf_oh dict, const char *key, const char *name)
{
	return qpdf_oh_is_name_and_equals(q, q_key(q, dict, key), name);
}

const char *
q_text(struct arena *a, qpdf_data q, qpdf_oh dict, const char *key)
{
	qpdf_oh v = q_key(q, dict, key);

	return qpdf_oh_is_string(q, v)
		   ? arena_strdup(a, qpdf_oh_get_utf8_value(q, v))
		   : NULL;
}

long long
q_int(qpdf_data q, qpdf_oh dict, const char *key, long long missing)
{
	qpdf_oh v = q_key(q, dict, key);

	return qpdf_oh_is_integer(q, v) ? qpdf_oh_get_int_value(q, v) : missing;
}

bool
q_is_true(qpdf_data q, qpdf_oh dict, const char *key)
{
	qpdf_oh v = q_key(q, dict, key);

	return qpdf_oh_is_bool(q, v) && qpdf_oh_get_bool_value(q, v);
}

void
q_set(qpdf_data q, qpdf_oh dict, const char *key, qpdf_oh value)
{
	if (qpdf_oh_is_stream(q, dict))
		dict = qpdf_oh_get_dict(q, dict);
	qpdf_oh_replace_key(q, dict, key, value);
}

void
q_set_name(qpdf_data q, qpdf_oh dict, const char *key, const char *name)
{
	q_set(q, dict, key, qpdf_oh_new_name(q, name));
}

void
q_set_text(qpdf_data q, qpdf_oh dict, const char *key, const char *text)
{
	q_set(q, dict, key, qpdf_oh_new_unicode_string(q, text));
}

qpdf_oh
q_parse(qpdf_data q, const char *text)
{
	return qpdf_oh_parse(q, text);
}

qpdf_oh
q_need_dict(qpdf_data q, qpdf_oh dict, const char *key)
{
	qpdf_oh v = q_key(q, dict, key);

	if (qpdf_oh_is_dictionary(q, v))
		return v;
	v = qpdf_oh_new_dictionary(q);
	q_set(q, dict, key, v);
	return v;
}

qpdf_oh
q_stream(qpdf_data q, const char *dict, const void *data, size_t len)
{
	qpdf_oh s = qpdf_oh_new_stream(q), keys = q_parse(q, dict);

	qpdf_oh_replace_stream_data(q, s, data, len, qpdf_oh_new_null(q),
	    qpdf_oh_new_null(q));
	qpdf_oh_begin_dict_key_iter(q, keys);
	while (qpdf_oh_dict_more_keys(q)) {
		const char *key = qpdf_oh_dict_next_key(q);

		q_set(q, s, key, q_key(q, keys, key));
	}
	return s;
}
