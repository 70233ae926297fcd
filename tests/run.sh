#!/bin/sh
# Run the test programs and the tests of the program as a whole; end with the
# line `N passed, N failed`.  usage: tests/run.sh WHYGPU TEST...
set -u
bin=$1
shift
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS

# One count from cmocka's closing lines.
count() {
	sed -n "s/^\[  $1  \] \([0-9]*\) test(s).*/\1/p" "$log" | head -n 1
}

for t; do
	timeout 300 "$t" >"$log" 2>&1
	status=$?
	p=$(count PASSED)
	f=$(count FAILED)
	passed=$((passed + ${p:-0}))
	failed=$((failed + ${f:-0}))
	if [ $status -ne 0 ]; then
		echo "== $t: status $status"
		grep -v '^\[ RUN\|^\[       OK' "$log" | head -n 60
		# a crash prints no count of its own
		[ "${f:-0}" -gt 0 ] || failed=$((failed + 1))
	fi
done

for t in tests/program/*.sh; do
	[ -e "$t" ] || continue
	sh "$t" "$bin" >"$log" 2>&1
	p=$(grep -c '^ok ' "$log")
	f=$(grep -c '^not ok ' "$log")
	passed=$((passed + p))
	failed=$((failed + f))
	grep -v '^ok ' "$log"
	if [ "$p" -eq 0 ] && [ "$f" -eq 0 ]; then
		echo "== $t: no result"
		failed=$((failed + 1))
	fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
