# whygpu: `make report` makes the sample report, `make check` runs the tests;
# both first install what is missing.  See README.md.

VARIANT ?= release
O       := out/$(VARIANT)
BIN     := $O/whygpu
PKGS    := libxml-2.0 yaml-0.1 cairo pangocairo pangoft2 fontconfig libprotobuf-c \
	libqpdf

CFLAGS_release := -O2 -g
CFLAGS_debug   := -O0 -g3
CFLAGS_san     := -O1 -g -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_fuzz    := $(CFLAGS_san) -fsanitize-coverage=trace-pc
CFLAGS   := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Werror -ffp-contract=off \
	$(CFLAGS_$(VARIANT))
CPPFLAGS := -Isrc -I$O/gen $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDLIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lglpk -lm

# Debian packages: to build and run, and what the tests need besides.
PACKAGES := gcc make pkg-config libc6-dev libxml2-dev libyaml-dev libcairo2-dev \
	libpango1.0-dev libfontconfig-dev libqpdf-dev libglpk-dev libprotobuf-c-dev protobuf-c-compiler \
	fonts-noto-cjk fontconfig libharfbuzz-bin
TEST_PACKAGES := libcmocka-dev poppler-utils qpdf libnss3-tools libxml2-utils \
	clang-format

SRC   := $(filter-out src/main.c,$(sort $(wildcard src/*/*.c)))
GEN   := $O/gen/parse/onnx.pb-c
OBJ   := $(SRC:src/%.c=$O/%.o) $(GEN).o
TESTS := $(patsubst tests/unit/%.c,$O/tests/%,$(sort $(wildcard tests/unit/*.c)))
SAMPLE := catalog/examples/project.yaml

# Where `make install` puts things; DESTDIR stands in front of all.
prefix  ?= /usr/local
bindir  := $(DESTDIR)$(prefix)/bin
datadir := $(DESTDIR)$(prefix)/share
INSTALLED := $(bindir)/whygpu $(datadir)/whygpu $(datadir)/man/man1/whygpu.1 \
	$(datadir)/bash-completion/completions/whygpu \
	$(datadir)/zsh/site-functions/_whygpu

.PHONY: all report check san lint golden bench format deps test-deps clean \
	install uninstall run-tests validate calibrate fuzz fault
.SECONDARY:

all: out/whygpu out/fonts/fonts.conf

report: deps
	@$(MAKE) --no-print-directory all
	out/whygpu report $(SAMPLE) --out out/report
	@echo "report: out/report/report.zh-CN.pdf, out/report/report.en.pdf"

check: deps test-deps
	@$(MAKE) --no-print-directory all run-tests

san:
	@$(MAKE) --no-print-directory VARIANT=san out/fonts/fonts.conf run-tests

run-tests: $(BIN) $(TESTS) out/fonts/fonts.conf out/fault/fail.so
	@tests/run.sh $(BIN) $(TESTS)

lint: $O/tests/test_wording
	@tests/lint.sh
	@$O/tests/test_wording

golden: all
	@tests/golden.sh --write out/whygpu

validate: all
	@out/whygpu validate catalog/measurements/published.csv --folds

calibrate: all
	@out/whygpu validate catalog/measurements/published.csv --calibrate \
		--catalog catalog

bench: all
	@tests/bench.sh out/whygpu

# Every reader on broken input, FUZZ_SECONDS (60) each; FUZZ="onnx smi" for some.
fuzz: all
	@$(MAKE) --no-print-directory VARIANT=fuzz out/fuzz/fuzzer
	@tests/fuzz/run.sh out/fuzz/fuzzer out/whygpu $(FUZZ)

# Calls that fail and runs that are killed, FAULT="kill:500 ..." for some of
# them (tests/fault/run.sh).  alloc:each:1 takes most of an hour.
FAULT ?= open:once:1:1:0 rename:once:1:1:0 rename:kill:1:1:0 sync:once:1:1:0 \
	mkdir:once:1:1:0 write:once:1:7:0 write:on:1:97:0 alloc:each:50 \
	alloc:once:1:9973:0 kill:500
fault: all out/fault/fail.so
	@tests/fault/run.sh out/whygpu $(CURDIR)/out/fault/fail.so $(FAULT)

out/fault/fail.so: tests/fault/fail.c
	@mkdir -p $(@D)
	@$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -fno-builtin \
		-shared -fPIC -o $@ $< -ldl

format:
	@clang-format -i $(wildcard src/*.c src/*/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch] \
		tests/fault/*.c)

deps:
	@.ci/install $(PACKAGES)
test-deps:
	@.ci/install $(TEST_PACKAGES)
clean:
	rm -rf out

install: $(BIN) out/fonts/fonts.conf
	install -D $(BIN) $(bindir)/whygpu
	rm -rf $(datadir)/whygpu
	install -d $(datadir)/whygpu
	cp -R catalog templates out/fonts $(datadir)/whygpu
	chmod -R u=rwX,go=rX $(datadir)/whygpu
	install -D -m 644 src/whygpu.1 $(datadir)/man/man1/whygpu.1
	install -D -m 644 src/completion/whygpu.bash \
		$(datadir)/bash-completion/completions/whygpu
	install -D -m 644 src/completion/_whygpu \
		$(datadir)/zsh/site-functions/_whygpu

uninstall:
	rm -rf $(INSTALLED)

out/whygpu: $(BIN)
	@cp $< $@

out/fonts/fonts.conf: fonts/cut.sh
	@fonts/cut.sh out/fonts

$(BIN): $O/main.o $(OBJ)
	@$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(GEN).c $(GEN).h &: src/parse/onnx.proto
	@mkdir -p $O/gen
	@protoc-c -Isrc --c_out=$O/gen $<

$(GEN).o: $(GEN).c
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$O/%.o: src/%.c | $(GEN).h
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$O/tests/%: tests/unit/%.c $(OBJ) | $(GEN).h
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -o $@ $< $(OBJ) $(LDLIBS) -lcmocka

# The driver watches the program, not itself.
$O/fuzzer: tests/fuzz/fuzz.c tests/fuzz/targets.c tests/fuzz/fuzz.h $(OBJ)
	@$(CC) $(CPPFLAGS) -Itests/fuzz \
		$(filter-out -fsanitize-coverage=%,$(CFLAGS)) -o $@ \
		$(filter %.c %.o,$^) $(LDLIBS)

-include $(OBJ:.o=.d) $O/main.d $(TESTS:=.d)
