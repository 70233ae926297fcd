#include "parse/onnx_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"

/* Messages of the format, as far as we follow them. */
enum message {
	MSG_NONE,
	MSG_MODEL,
	MSG_GRAPH,
	MSG_NODE,
	MSG_ATTRIBUTE,
	MSG_TENSOR,
	MSG_VALUE,
	MSG_TYPE,
	MSG_TENSOR_TYPE,
	MSG_SHAPE,
	MSG_DIM,
	MSG_OPSET,
	MSG_ENTRY,
	MSG_FUNCTION,
	MSG_TEXT,  /* bytes or a string */
	MSG_DATA,  /* values of a tensor */
	MSG_NUMBER /* varint, fixed, or packed ones */
};

/* What to do with a field; one that is not listed is stepped over. */
static const struct field {
	enum message in;
	int number;
	enum message holds;
} fields[] = {
    {MSG_MODEL, 1, MSG_NUMBER},
    {MSG_MODEL, 2, MSG_TEXT},
    {MSG_MODEL, 3, MSG_TEXT},
    {MSG_MODEL, 7, MSG_GRAPH},
    {MSG_MODEL, 8, MSG_OPSET},
    {MSG_MODEL, 25, MSG_FUNCTION},
    {MSG_GRAPH, 1, MSG_NODE},
    {MSG_GRAPH, 2, MSG_TEXT},
    {MSG_GRAPH, 5, MSG_TENSOR},
    {MSG_GRAPH, 11, MSG_VALUE},
    {MSG_GRAPH, 12, MSG_VALUE},
    {MSG_GRAPH, 13, MSG_VALUE},
    {MSG_NODE, 1, MSG_TEXT},
    {MSG_NODE, 2, MSG_TEXT},
    {MSG_NODE, 3, MSG_TEXT},
    {MSG_NODE, 4, MSG_TEXT},
    {MSG_NODE, 5, MSG_ATTRIBUTE},
    {MSG_NODE, 7, MSG_TEXT},
    {MSG_ATTRIBUTE, 1, MSG_TEXT},
    {MSG_ATTRIBUTE, 2, MSG_NUMBER},
    {MSG_ATTRIBUTE, 3, MSG_NUMBER},
    {MSG_ATTRIBUTE, 4, MSG_TEXT},
    {MSG_ATTRIBUTE, 5, MSG_TENSOR},
    {MSG_ATTRIBUTE, 6, MSG_GRAPH},
    {MSG_ATTRIBUTE, 7, MSG_NUMBER},
    {MSG_ATTRIBUTE, 8, MSG_NUMBER},
    {MSG_ATTRIBUTE, 9, MSG_TEXT},
    {MSG_ATTRIBUTE, 20, MSG_NUMBER},
    {MSG_ATTRIBUTE, 21, MSG_TEXT},
    {MSG_TENSOR, 1, MSG_NUMBER},
    {MSG_TENSOR, 2, MSG_NUMBER},
    {MSG_TENSOR, 4, MSG_DATA},
    {MSG_TENSOR, 5, MSG_DATA},
    {MSG_TENSOR, 7, MSG_DATA},
    {MSG_TENSOR, 8, MSG_TEXT},
    {MSG_TENSOR, 9, MSG_DATA},
    {MSG_TENSOR, 10, MSG_DATA},
    {MSG_TENSOR, 11, MSG_DATA},
    {MSG_TENSOR, 13, MSG_ENTRY},
    {MSG_TENSOR, 14, MSG_NUMBER},
    {MSG_ENTRY, 1, MSG_TEXT},
    {MSG_ENTRY, 2, MSG_TEXT},
    {MSG_VALUE, 1, MSG_TEXT},
    {MSG_VALUE, 2, MSG_TYPE},
    {MSG_TYPE, 1, MSG_TENSOR_TYPE},
    {MSG_TENSOR_TYPE, 1, MSG_NUMBER},
    {MSG_TENSOR_TYPE, 2, MSG_SHAPE},
    {MSG_SHAPE, 1, MSG_DIM},
    {MSG_DIM, 1, MSG_NUMBER},
    {MSG_DIM, 2, MSG_TEXT},
    {MSG_OPSET, 1, MSG_TEXT},
    {MSG_OPSET, 2, MSG_NUMBER},
    {MSG_FUNCTION, 1, MSG_TEXT},
    {MSG_FUNCTION, 4, MSG_TEXT},
    {MSG_FUNCTION, 5, MSG_TEXT},
    {MSG_FUNCTION, 7, MSG_NODE},
    {MSG_FUNCTION, 10, MSG_TEXT},
    {MSG_FUNCTION, 11, MSG_ATTRIBUTE},
};

enum wire { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

enum { MAX_FIELD = 25, MAX_TEXT = 1 << 20 };

/* The file from `at` on, and the messages without weights so far. */
struct reading {
	int fd;
	unsigned char buf[65536];
	size_t from, fill; /* of buf */
	size_t at, size;   /* in the file */
	unsigned char *out;
	size_t len, cap;
	int parts, nodes, depth;
	unsigned char rule[MSG_FUNCTION + 1][MAX_FIELD + 1];
	const struct source *src;
	struct diag *d;
};

static bool
fail(struct reading *r, const char *id, const char *what)
{
	return diag_error(r->d, pos_file(r->src), id, "%s, at byte %zu", what,
	    r->at);
}

/*
 * Bytes of the file.
 */

static bool
fill(struct reading *r)
{
	ssize_t n;

	do
		n = read(r->fd, r->buf, sizeof(r->buf));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail(r, "file-read", "the file cannot be read");
	if (n == 0)
		return fail(r, "onnx-truncated", "the file ends early");
	r->from = 0;
	r->fill = (size_t)n;
	return true;
}

static bool
next_byte(struct reading *r, unsigned char *b)
{
	if (r->from == r->fill && !fill(r))
		return false;
	*b = r->buf[r->from++];
	r->at++;
	return true;
}

/* Step over n bytes that are known to be in the file. */
static bool
skip(struct reading *r, size_t n)
{
	size_t have = r->fill - r->from;

	r->at += n;
	if (n <= have) {
		r->from += n;
		return true;
	}
	r->from = r->fill;
	if (lseek(r->fd, (off_t)(n - have), SEEK_CUR) < 0)
		return fail(r, "file-read", "the file cannot be read");
	return true;
}

static bool
make_room(struct reading *r, size_t n)
{
	size_t cap = r->cap ? r->cap : 65536;
	unsigned char *out;

	if (n > ONNX_MAX_GRAPH - r->len)
		return fail(r, "onnx-limit",
		    "the graph takes more than 64 MiB without its weights");
	if (r->len + n <= r->cap)
		return true;
	while (cap < r->len + n)
		cap *= 2;
	out = arena_alloc(r->d->a, cap, 1);
	if (r->len)
		memcpy(out, r->out, r->len);
	r->out = out;
	r->cap = cap;
	return true;
}

static bool
copy(struct reading *r, size_t n)
{
	if (!make_room(r, n))
		return false;
	r->at += n;
	while (n > 0) {
		size_t have = r->fill - r->from;
		size_t take = n < have ? n : have;

		if (take == 0) {
			if (!fill(r))
				return false;
			continue;
		}
		memcpy(r->out + r->len, r->buf + r->from, take);
		r->from += take;
		r->len += take;
		n -= take;
	}
	return true;
}

/*
 * The wire format.
 */

static bool
read_varint(struct reading *r, size_t end, uint64_t *v)
{
	unsigned char b = 0x80;

	*v = 0;
	for (int shift = 0; b & 0x80; shift += 7) {
		if (shift > 63)
			return fail(r, "onnx-format",
			    "not an ONNX file: a number is too long");
		if (r->at >= end)
			return fail(r, "onnx-format",
			    "not an ONNX file: a number runs past its message");
		if (!next_byte(r, &b))
			return false;
		*v |= (uint64_t)(b & 0x7f) << shift;
	}
	return true;
}

static bool
write_varint(struct reading *r, uint64_t v)
{
	if (!make_room(r, 10))
		return false;
	while (v >= 0x80) {
		r->out[r->len++] = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	r->out[r->len++] = (unsigned char)v;
	return true;
}

/* Five bytes that are filled in once the length is known. */
static bool
reserve_length(struct reading *r, size_t *where)
{
	if (!make_room(r, 5))
		return false;
	*where = r->len;
	r->len += 5;
	return true;
}

static void
put_length(struct reading *r, size_t where)
{
	size_t v = r->len - where - 5;

	for (int i = 0; i < 5; i++, v >>= 7)
		r->out[where + (size_t)i] =
		    (unsigned char)((v & 0x7f) | (i < 4 ? 0x80 : 0));
}

static bool read_message(struct reading *r, enum message m, size_t end);

static bool
read_inner(struct reading *r, enum message m, size_t size)
{
	size_t where, end = r->at + size;

	if (m == MSG_NODE && ++r->nodes > ONNX_MAX_NODES)
		return fail(r, "onnx-limit", "more than 200000 nodes");
	if (m == MSG_GRAPH && ++r->depth > ONNX_MAX_DEPTH)
		return fail(r, "onnx-limit",
		    "graphs are nested more than 8 deep");
	if (!reserve_length(r, &where) || !read_message(r, m, end))
		return false;
	if (m == MSG_GRAPH)
		r->depth--;
	put_length(r, where);
	return true;
}

/* What one tensor has said of itself so far. */
struct tensor_state {
	uint64_t type;
	size_t kept;
};

static bool
is_whole(uint64_t type)
{
	return type == ONNX_INT64 || type == ONNX_INT32 || type == ONNX_BOOL;
}

/* The values of a tensor, or nothing of them when they are many. */
static bool
keeps(struct tensor_state *t, size_t size)
{
	size_t most =
	    is_whole(t->type) ? ONNX_KEEP_WHOLE_BYTES : ONNX_KEEP_BYTES;

	if (size > most - t->kept) {
		t->kept = most;
		return false;
	}
	t->kept += size;
	return true;
}

/* A field with a length before it. */
static bool
read_bytes(struct reading *r, enum message holds, unsigned number,
    struct tensor_state *t, size_t end)
{
	uint64_t size;

	if (!read_varint(r, end, &size))
		return false;
	if (size > end - r->at)
		return fail(r,
		    end == r->size ? "onnx-truncated" : "onnx-format",
		    end == r->size
			? "the file ends early: a field is longer than the rest"
			: "not an ONNX file: a field is longer than its message");
	if (holds == MSG_NONE || (holds == MSG_DATA && !keeps(t, size)))
		return skip(r, size);
	if (holds == MSG_TEXT && size > MAX_TEXT)
		return fail(r, "onnx-limit", "a text is longer than 1 MiB");
	r->parts += holds == MSG_NUMBER ? (int)(size / 8) : 0;
	if (!write_varint(r, number << 3 | WIRE_BYTES))
		return false;
	if (holds < MSG_TEXT)
		return read_inner(r, holds, size);
	return write_varint(r, size) && copy(r, size);
}

/* A field that is one number. */
static bool
read_number(struct reading *r, enum message holds, unsigned number,
    enum wire wire, struct tensor_state *t, size_t end)
{
	size_t size = wire == WIRE_64 ? 8 : 4;
	uint64_t v;

	if (wire == WIRE_VARINT) {
		if (!read_varint(r, end, &v))
			return false;
		if (holds == MSG_NONE || (holds == MSG_DATA && !keeps(t, 8)))
			return true;
		if (number == 2)
			t->type = v;
		return write_varint(r, number << 3) && write_varint(r, v);
	}
	if (size > end - r->at)
		return fail(r, "onnx-format",
		    "not an ONNX file: a number runs past its message");
	if (holds == MSG_NONE || (holds == MSG_DATA && !keeps(t, size)))
		return skip(r, size);
	return write_varint(r, number << 3 | wire) && copy(r, size);
}

static bool
read_field(struct reading *r, enum message m, struct tensor_state *t,
    size_t end)
{
	enum message holds = MSG_NONE;
	uint64_t tag;
	enum wire wire;

	if (!read_varint(r, end, &tag))
		return false;
	wire = (enum wire)(tag & 7);
	if (tag >> 3 == 0 || tag >> 32 != 0 ||
	    (wire > WIRE_BYTES && wire != WIRE_32))
		return fail(r, "onnx-format",
		    "not an ONNX file: there is no such field");
	if (tag >> 3 <= MAX_FIELD)
		holds = (enum message)r->rule[m][tag >> 3];
	if (holds != MSG_NONE && ++r->parts > ONNX_MAX_PARTS)
		return fail(r, "onnx-limit",
		    "more than 3000000 names, numbers and messages");
	if (wire == WIRE_BYTES)
		return read_bytes(r, holds, (unsigned)(tag >> 3), t, end);
	if (holds != MSG_NONE && holds != MSG_NUMBER && holds != MSG_DATA)
		return fail(r, "onnx-format",
		    "not an ONNX file: a number where a message should be");
	return read_number(r, holds, (unsigned)(tag >> 3), wire, t, end);
}

static bool
read_message(struct reading *r, enum message m, size_t end)
{
	struct tensor_state t = {0};

	while (r->at < end)
		if (!read_field(r, m, &t, end))
			return false;
	return true;
}

/*
 * The file as a whole.
 */

static bool
open_file(struct reading *r, const char *path, struct pos from)
{
	struct stat st;

	/* O_NONBLOCK: a FIFO must not hang us before fstat refuses it. */
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0)
		return diag_error(r->d, from, "file-missing",
		    "cannot open '%s': %s", path, strerror(errno));
	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return diag_error(r->d, from, "file-kind",
		    "'%s' is not a regular file", path);
	r->size = (size_t)st.st_size;
	if (r->size > ONNX_MAX_FILE) {
		diag_error(r->d, from, "file-size",
		    "'%s' is too large: %zu bytes", path, r->size);
		diag_note(r->d, "an ONNX file holds at most 2 GiB; larger "
				"models keep their weights in a side file");
		return false;
	}
	return true;
}

static bool
is_lfs_pointer(const struct reading *r)
{
	static const char mark[] = "version https://git-lfs";

	return r->fill >= sizeof(mark) - 1 &&
	       memcmp(r->buf, mark, sizeof(mark) - 1) == 0;
}

static bool
check_start(struct reading *r)
{
	if (r->size == 0)
		return diag_error(r->d, pos_file(r->src), "onnx-empty",
		    "the file is empty");
	if (!fill(r))
		return false;
	if (!is_lfs_pointer(r))
		return true;
	diag_error(r->d, pos_file(r->src), "onnx-lfs",
	    "this is a Git LFS pointer, not the model itself");
	diag_note(r->d, "fetch the model with 'git lfs pull'");
	return false;
}

static void
learn_rules(struct reading *r)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		r->rule[fields[i].in][fields[i].number] =
		    (unsigned char)fields[i].holds;
}

static void *
unpack_alloc(void *a, size_t size)
{
	return arena_alloc(a, size ? size : 1, 1);
}

static void
unpack_free(void *a, void *p)
{
	(void)a;
	(void)p;
}

static const Onnx__Model *
unpack(struct arena *a, struct reading *r)
{
	ProtobufCAllocator alloc = {unpack_alloc, unpack_free, a};
	Onnx__Model *m = onnx__model__unpack(&alloc, r->len, r->out);

	if (!m)
		diag_error(r->d, pos_file(r->src), "onnx-format",
		    "not an ONNX file: a field has the wrong type");
	else if (!m->graph || m->graph->n_node == 0) {
		diag_error(r->d, pos_file(r->src), "onnx-empty",
		    "the model has no nodes");
		m = NULL;
	}
	return m;
}

const Onnx__Model *
onnx_file_read(struct arena *a, const char *path, struct pos from,
    const struct source **src, struct diag *d)
{
	struct source *s = arena_alloc(a, 1, sizeof(*s));
	struct reading *r = arena_alloc(a, 1, sizeof(*r));
	bool ok;

	s->path = arena_strdup(a, path);
	*src = s;
	r->src = s;
	r->d = d;
	learn_rules(r);
	ok = open_file(r, path, from) && check_start(r) &&
	     read_message(r, MSG_MODEL, r->size);
	if (r->fd >= 0)
		close(r->fd);
	return ok ? unpack(a, r) : NULL;
}
