/*
 * A fuzz driver of our own: mutates a corpus and keeps what reaches new code.
 *
 *	fuzzer TARGET OUT SECONDS SEED...   in the work folder of run.sh
 *	fuzzer --list                       names of the targets
 *	fuzzer --onnx DIR                   writes ONNX models to begin with
 *
 * A child reads inputs until it dies or the time is over.  What it read when
 * it died (a sanitizer's report, a signal, more than INPUT_CPU_S seconds) is
 * kept as OUT/finding-N; so is what was refused without a word.  SECONDS 0
 * reads the seeds once each, unchanged.
 *
 * New code is known from -fsanitize-coverage=trace-pc, which gcc and clang
 * have; without it every input is as good as another.  The dictionary is
 * all words of the seeds.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "fuzz.h"

enum {
	MAP = 1 << 16,
	CORPUS_MAX = 4096,
	WORDS_MAX = 8192,
	INPUT_CPU_S = 20,
	FINDINGS_MAX = 25
};

struct bytes {
	unsigned char *p;
	size_t n;
};

/* What outlives a child. */
struct state {
	long executions, accepted, findings, silent;
	int n_corpus, seeds_done;
	uint64_t random;
	size_t n_now;
	unsigned char seen[MAP];
};

static struct state *st;
static unsigned char map[MAP];
static struct bytes corpus[CORPUS_MAX], words[WORDS_MAX], now;
static int n_corpus, n_words, n_seeds;
static const struct fuzz_target *target;
static const char *out_dir;

void __sanitizer_cov_trace_pc(void);
void
__sanitizer_cov_trace_pc(void)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0) - (uintptr_t)map;

	map[(pc ^ pc >> 16) & (MAP - 1)]++;
}

static uint32_t
random_below(uint32_t n)
{
	uint64_t x = st->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	st->random = x;
	return n ? (uint32_t)((x >> 16) % n) : 0;
}

/* ---- files ---- */

static struct bytes
load(const char *path)
{
	struct bytes b = {0};
	FILE *f = fopen(path, "rb");

	if (!f) {
		perror(path);
		exit(2);
	}
	fseek(f, 0, SEEK_END);
	b.n = (size_t)ftell(f);
	rewind(f);
	b.p = malloc(b.n + 1);
	if (!b.p || fread(b.p, 1, b.n, f) != b.n)
		exit(2);
	fclose(f);
	return b;
}

static void
save(const char *path, struct bytes b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, b.p, b.n) != (ssize_t)b.n) {
		perror(path);
		_exit(2);
	}
	close(fd);
}

static void
keep_finding(const char *why)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/finding-%ld-%s", out_dir,
	    ++st->findings, why);
	save(path, (struct bytes){now.p, st->n_now});
	fprintf(stderr, "== %s: %s\n", why, path);
}

/* ---- corpus and dictionary ---- */

/* Takes what load allocated. */
static void
add_corpus(struct bytes b)
{
	if (n_corpus < CORPUS_MAX)
		corpus[n_corpus++] = b;
	else
		free(b.p);
}

static bool
known_word(const unsigned char *p, size_t n)
{
	for (int i = 0; i < n_words; i++)
		if (words[i].n == n && memcmp(words[i].p, p, n) == 0)
			return true;
	return false;
}

static void
add_words(struct bytes b)
{
	for (size_t i = 0, j; i < b.n && n_words < WORDS_MAX; i = j + 1) {
		for (j = i; j < b.n && (isalnum(b.p[j]) || b.p[j] == '_' ||
					   b.p[j] == '-' || b.p[j] == '.');
		     j++)
			;
		if (j - i >= 2 && j - i <= 32 && !known_word(b.p + i, j - i))
			words[n_words++] = (struct bytes){b.p + i, j - i};
	}
}

static const char *const extremes[] = {"-1", "0", "1e308", "-1e-308",
    "99999999999999999999", "2147483648", "4294967296", "nan", "%", "\"", "'",
    "<a>", "</", "<![CDATA[", "<!--", "&#0;", "&#xD800;", "&amp;", "{", "}",
    "[", "]", "{{", "{@", "|", "*", ": ", "- ", "\n", "\n  ", "\t", "#", "&a",
    "*a", "!!x", "---\n", "\xef\xbc\x9a", "\xe4\xb8\xad", "\xff", "\xc3",
    "\xef\xbb\xbf", ",", "\"\"", "1920x1080", "0x0", " GB", " GB/s", "xref",
    "endobj", "/Kids", " 0 R", "<<", ">>"};

/* ---- mutation ---- */

static void
replace(size_t at, size_t gone, const void *p, size_t n)
{
	if (at + gone > now.n || now.n - gone + n > target->max_bytes)
		return;
	memmove(now.p + at + n, now.p + at + gone, now.n - at - gone);
	memcpy(now.p + at, p, n);
	now.n += n - gone;
}

static void
insert_word(size_t at)
{
	struct bytes w;
	size_t gone = 0;

	if (random_below(2) || n_words == 0) {
		const char *s = extremes[random_below(
		    sizeof(extremes) / sizeof(extremes[0]))];

		w = (struct bytes){(unsigned char *)s, strlen(s)};
	} else {
		w = words[random_below((uint32_t)n_words)];
	}
	/* in place of the word that stands there, half of the time */
	while (random_below(2) && at + gone < now.n && gone < 32 &&
	       isalnum(now.p[at + gone]))
		gone++;
	replace(at, gone, w.p, w.n);
}

static void
copy_piece(size_t at, struct bytes from)
{
	unsigned char piece[512];
	size_t n, i;

	if (from.n == 0)
		return;
	i = random_below((uint32_t)from.n);
	n = 1 + random_below(sizeof(piece) - 1);
	if (n > from.n - i)
		n = from.n - i;
	memcpy(piece, from.p + i, n);
	for (uint32_t k = random_below(8) ? 1 : 1 + random_below(100); k; k--)
		replace(at, 0, piece, n);
}

static void
mutate(void)
{
	size_t at = random_below((uint32_t)now.n + 1), n;

	switch (random_below(7)) {
	case 0:
		if (at < now.n)
			now.p[at] ^= (unsigned char)(1U << random_below(8));
		break;
	case 1:
		if (at < now.n)
			now.p[at] = (unsigned char)random_below(256);
		break;
	case 2:
		n = 1 + random_below(random_below(4) ? 16 : 1024);
		replace(at, n < now.n - at ? n : now.n - at, "", 0);
		break;
	case 3:
	case 4: insert_word(at); break;
	case 5: copy_piece(at, now); break;
	default:
		copy_piece(at, corpus[random_below((uint32_t)n_corpus)]);
		break;
	}
}

/* ---- one input ---- */

static unsigned char
bucket(unsigned char n)
{
	return (unsigned char)(n < 4 ? 1 << n >> 1 : n < 16 ? 16 : 32);
}

/* Did it reach what none before did? */
static bool
is_new(void)
{
	bool found = false;

	for (int i = 0; i < MAP; i++) {
		unsigned char b = map[i] ? bucket(map[i]) : 0;

		found |= (b & ~st->seen[i]) != 0;
		st->seen[i] |= b;
	}
	return found;
}

static bool
run_once(void)
{
	static FILE *null;
	struct itimerval limit = {.it_value.tv_sec = INPUT_CPU_S};
	struct arena *a = arena_new();
	struct diag d;
	bool ok;

	if (!null)
		null = fopen("/dev/null", "w");
	save(target->place, now);
	st->n_now = now.n;
	memset(map, 0, sizeof(map));
	setitimer(ITIMER_PROF, &limit, NULL);
	diag_init(&d, a);
	ok = target->read(a, &d);
	diag_print(&d, null);
	st->executions++;
	st->accepted += ok;
	if (!ok && d.n_errors == 0 && st->silent++ < 5)
		keep_finding("refused-without-a-word");
	arena_free(a);
	return is_new();
}

static void
begin_with(struct bytes b)
{
	now.n = b.n < target->max_bytes ? b.n : target->max_bytes;
	memcpy(now.p, b.p, now.n);
}

static void
keep_new(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/corpus-%d", out_dir, st->n_corpus++);
	save(path, now);
	add_corpus(load(path));
}

static void
child(time_t end)
{
	fuzz_prepare();
	while (st->seeds_done < n_seeds) {
		begin_with(corpus[st->seeds_done++]);
		run_once();
	}
	while (time(NULL) < end && st->findings < FINDINGS_MAX) {
		begin_with(corpus[random_below((uint32_t)n_corpus)]);
		for (uint32_t k = 1U << random_below(5); k; k--)
			mutate();
		if (run_once())
			keep_new();
	}
	exit(0);
}

/* ---- children ---- */

static void
load_corpus(void)
{
	char path[4096];

	for (int i = n_corpus - n_seeds; i < st->n_corpus; i++) {
		snprintf(path, sizeof(path), "%s/corpus-%d", out_dir, i);
		if (n_corpus < CORPUS_MAX)
			corpus[n_corpus++] = load(path);
	}
}

/* Run children until the time is over; one that dies is a finding. */
static void
fuzz(int seconds)
{
	time_t end = time(NULL) + seconds;

	do {
		int status;
		pid_t pid;

		load_corpus();
		pid = fork();
		if (pid == 0)
			child(end);
		if (pid < 0 || waitpid(pid, &status, 0) < 0)
			exit(2);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		if (st->executions == 0 && st->n_now == 0) {
			fputs("the target cannot be prepared\n", stderr);
			exit(2);
		}
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
			keep_finding("slow");
		else
			keep_finding("crash");
	} while ((time(NULL) < end || st->seeds_done < n_seeds) &&
		 st->findings < FINDINGS_MAX);
}

static void
print_counts(void)
{
	struct rusage u;
	int edges = 0;

	getrusage(RUSAGE_CHILDREN, &u);
	for (int i = 0; i < MAP; i++)
		edges += st->seen[i] != 0;
	printf("%-18s %9ld executions %8ld accepted %6d edges %5d kept "
	       "%3ld findings %7.1f CPU s\n",
	    target->name, st->executions, st->accepted, edges, st->n_corpus,
	    st->findings,
	    (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec));
}

static void *
shared_bytes(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static bool
find_target(const char *name)
{
	int n;
	const struct fuzz_target *all = fuzz_targets(&n);

	for (int i = 0; i < n; i++)
		if (strcmp(all[i].name, name) == 0)
			target = &all[i];
	return target != NULL;
}

int
main(int argc, char **argv)
{
	const char *seed = getenv("FUZZ_SEED");
	int n;
	const struct fuzz_target *all = fuzz_targets(&n);

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (int i = 0; i < n; i++)
			printf("%s %s\n", all[i].name, all[i].place);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "--onnx") == 0)
		return fuzz_write_onnx(argv[2]) ? 0 : 1;
	if (argc < 5 || !find_target(argv[1])) {
		fputs("usage: fuzzer TARGET OUT SECONDS SEED...\n", stderr);
		return 2;
	}
	out_dir = argv[2];
	st = shared_bytes(sizeof(*st));
	st->random =
	    0x9e3779b97f4a7c15ULL ^ (seed ? strtoull(seed, NULL, 10) << 20 : 0);
	now.p = shared_bytes(target->max_bytes + 1);
	for (int i = 4; i < argc; i++) {
		add_corpus(load(argv[i]));
		add_words(corpus[n_corpus - 1]);
	}
	n_seeds = n_corpus;
	fuzz((int)strtol(argv[3], NULL, 10));
	print_counts();
	return st->findings ? 1 : 0;
}
