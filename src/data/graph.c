#include "data/graph.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

const struct graph_attr *
graph_attr(const struct graph_node *n, const char *name)
{
	for (int i = 0; i < n->n_attrs; i++)
		if (str_equal(n->attrs[i].name, name))
			return &n->attrs[i];
	return NULL;
}

int
graph_input(const struct graph_model *m, const char *name)
{
	for (int i = 0; i < m->main->n_in; i++)
		if (str_equal(m->names[m->main->in[i]], name))
			return m->main->in[i];
	return -1;
}

/* Nodes that wait for a value, as lists through `next`. */
struct sorting {
	const struct graph *g;
	int *made_by; /* by value: a node of this graph, or -1 */
	int *waits;   /* by node: values not made yet */
	int *first;   /* by node: the first edge to a node that waits for it */
	int *to, *next; /* by edge */
	int n_edges;
};

static void
add_edges(struct sorting *s, int node, const int *values, int n)
{
	for (int i = 0; i < n; i++) {
		int from = values[i] < 0 ? -1 : s->made_by[values[i]];

		if (from < 0)
			continue;
		s->to[s->n_edges] = node;
		s->next[s->n_edges] = s->first[from];
		s->first[from] = s->n_edges++;
		s->waits[node]++;
	}
}

static void
find_edges(struct arena *a, struct sorting *s)
{
	const struct graph *g = s->g;
	size_t edges = 0, n = (size_t)g->n_nodes;

	s->waits = arena_alloc(a, n, sizeof(int));
	s->first = arena_alloc(a, n, sizeof(int));
	memset(s->first, 0xff, n * sizeof(int));
	for (int i = 0; i < g->n_nodes; i++) {
		const struct graph_node *node = &g->nodes[i];

		edges += (size_t)node->n_in + (size_t)node->n_captured;
		for (int j = 0; j < node->n_out; j++)
			if (node->out[j] >= 0)
				s->made_by[node->out[j]] = i;
	}
	s->to = arena_alloc(a, edges, sizeof(int));
	s->next = arena_alloc(a, edges, sizeof(int));
	for (int i = 0; i < g->n_nodes; i++) {
		add_edges(s, i, g->nodes[i].in, g->nodes[i].n_in);
		add_edges(s, i, g->nodes[i].captured, g->nodes[i].n_captured);
	}
}

static bool
is_sorted(const struct graph *g, const struct sorting *s)
{
	for (int i = 0; i < g->n_nodes; i++)
		for (int e = s->first[i]; e >= 0; e = s->next[e])
			if (s->to[e] <= i)
				return false;
	return true;
}

/* Reorder the nodes; false if some wait for each other. */
static bool
reorder(struct arena *a, struct graph *g, struct sorting *s)
{
	struct graph_node *nodes;
	int *queue, head = 0, tail = 0;

	queue = arena_alloc(a, (size_t)g->n_nodes, sizeof(int));
	nodes = arena_alloc(a, (size_t)g->n_nodes, sizeof(*nodes));
	for (int i = 0; i < g->n_nodes; i++)
		if (s->waits[i] == 0)
			queue[tail++] = i;
	for (; head < tail; head++) {
		nodes[head] = g->nodes[queue[head]];
		for (int e = s->first[queue[head]]; e >= 0; e = s->next[e])
			if (--s->waits[s->to[e]] == 0)
				queue[tail++] = s->to[e];
	}
	if (tail == g->n_nodes)
		g->nodes = nodes;
	return tail == g->n_nodes;
}

const struct graph_node *
graph_sort(struct arena *a, struct graph *g, int *made_by)
{
	struct sorting s = {.g = g, .made_by = made_by};
	const struct graph_node *stuck = NULL;

	find_edges(a, &s);
	if (!is_sorted(g, &s) && !reorder(a, g, &s))
		for (int i = 0; i < g->n_nodes && !stuck; i++)
			if (s.waits[i] > 0)
				stuck = &g->nodes[i];
	for (int i = 0; i < g->n_nodes; i++)
		for (int j = 0; j < g->nodes[i].n_out; j++)
			if (g->nodes[i].out[j] >= 0)
				made_by[g->nodes[i].out[j]] = -1;
	return stuck;
}

const char *
graph_printable(struct arena *a, const char *s)
{
	struct str out;

	if (!s)
		return "";
	str_init(&out, a);
	while (*s && out.len < 200) {
		uint32_t c = utf8_next(&s);

		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd)
			c = '?';
		str_add_utf8(&out, c);
	}
	return out.s;
}
