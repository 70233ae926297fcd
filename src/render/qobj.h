/*
 * What we do over and over with libqpdf's object handles.  A handle lives
 * until it is released; whoever walks many objects releases them in between
 * with qpdf_oh_release_all, and then holds on to object numbers only.
 */
#ifndef RENDER_QOBJ_H
#define RENDER_QOBJ_H

#include <stdbool.h>
#include <stddef.h>

#include <qpdf/qpdf-c.h>

struct arena;

/* The value of a key; a null object if there is none, or no dictionary. */
qpdf_oh q_key(qpdf_data q, qpdf_oh dict, const char *key);
/* A key of a key ... : "/Names /Dests" */
qpdf_oh q_path(qpdf_data q, qpdf_oh from, const char *path);
bool q_has(qpdf_data q, qpdf_oh dict, const char *key);
/* The name under a key with its slash; "" if there is none. */
const char *q_name(struct arena *a, qpdf_data q, qpdf_oh dict, const char *key);
bool q_is_name(qpdf_data q, qpdf_oh dict, const char *key, const char *name);
/* The string under a key as UTF-8; NULL if there is none. */
const char *q_text(struct arena *a, qpdf_data q, qpdf_oh dict, const char *key);
long long q_int(qpdf_data q, qpdf_oh dict, const char *key, long long missing);
bool q_is_true(qpdf_data q, qpdf_oh dict, const char *key);

void q_set(qpdf_data q, qpdf_oh dict, const char *key, qpdf_oh value);
void q_set_name(qpdf_data q, qpdf_oh dict, const char *key, const char *name);
void q_set_text(qpdf_data q, qpdf_oh dict, const char *key, const char *text);
/* A new dictionary or array as PDF writes it. */
qpdf_oh q_parse(qpdf_data q, const char *text);
/* The dictionary under a key, made if there is none. */
qpdf_oh q_need_dict(qpdf_data q, qpdf_oh dict, const char *key);
/* A new stream, which is indirect; `dict` gives the keys but /Length. */
qpdf_oh q_stream(qpdf_data q, const char *dict, const void *data, size_t len);

#endif
