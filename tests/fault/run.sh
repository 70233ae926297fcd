#!/bin/sh
# A report that cannot be finished: is the edition before it still whole?
# usage: tests/fault/run.sh WHYGPU SHIM WHAT...
#
# WHAT is KIND:MODE:FIRST:STEP:MOST (see fail.c): calls FIRST, FIRST + STEP, ... fail,
# MOST of them at most (0: all); KIND:each:STEP: every STEP-th in a child; kill:COUNT: kill -9 after delays drawn from FAULT_SEED.
#
# Edition A lies in the folder, B is made over it.  After each run:
#	the status is 0 with B there, or 1 or 70 with a message and A there;
#	nothing hidden is left (kill: after the next run);
#	a killed run leaves A or B as the next run finds it.
set -u
bin=$1
shim=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
out=$dir/out
mkdir -p "$dir/p/vendors"
project() {
	sed "s/x1/$1/" >"$dir/p/$1.yaml" <<-P
	project: {id: x, name: x1, date: 2026-01-01}
	vendors: [vendors/x.yaml]
	P
}
cp catalog/examples/vendors/s1-face.yaml "$dir/p/vendors/x.yaml"
project a1
project b1
report() { "$bin" report "$dir/p/$1.yaml" --lang en --out "$2" >"$dir/log" 2>&1; }
sum() { (cd "$1" && find . -type f ! -path './.*' -exec cksum {} + | sort -k 3 | cksum); }
report a1 "$dir/a" && report b1 "$dir/b" || { cat "$dir/log"; exit 1; }
a=$(sum "$dir/a")
b=$(sum "$dir/b")
[ "$a" != "$b" ] || { echo "not ok the two editions are the same"; exit 1; }

# Edition A again, with new inodes only where needed.
again() {
	[ "$now" = "$a" ] && [ -z "$(ls -A "$out" 2>/dev/null | grep '^\.')" ] && return
	rm -rf "$out"
	cp -r "$dir/a" "$out"
}
bad() {
	failed=$((failed + 1))
	[ $failed -gt 5 ] || { echo "   $*"; grep -v 'warning\|note:' "$dir/log" | head -n 3; }
}
# One failing call; sets status.
fail() {
	again
	FAIL_KIND=$kind FAIL_MODE=$mode FAIL_NTH=$1 FAIL_COUNT= LD_PRELOAD=$shim \
	    timeout 60 "$bin" report "$dir/p/b1.yaml" --lang en --out "$out" \
	    >"$dir/log" 2>&1
	status=$?
	now=$(sum "$out")
	tried=$((tried + 1))
	eval "n_$status=\$((\${n_$status:-0} + 1))"
	case $status in
	0) [ "$now" = "$b" ] || bad "$kind $1: status 0 and not the new edition" ;;
	1 | 70)
		[ "$now" = "$a" ] || bad "$kind $1: status $status, the edition before is not whole"
		grep -q 'whygpu: \|error: ' "$dir/log" || bad "$kind $1: status $status without a message"
		;;
	137)
		[ $mode = kill ] || bad "$kind $1: killed"
		[ "$now" = "$a" ] || [ "$now" = "$b" ] || mixed=$((mixed + 1))
		recover "$kind $1"
		;;
	*) bad "$kind $1: status $status" ;;
	esac
	[ -z "$(ls -A "$out" | grep '^\.')" ] || bad "$kind $1: status $status, left: $(ls -A "$out" | grep '^\.')"
}
# What a killed run left: the next run (here one that fails) puts it in order.
recover() {
	FAIL_KIND=write FAIL_MODE=on FAIL_NTH=1 LD_PRELOAD=$shim \
	    "$bin" report "$dir/p/b1.yaml" --lang en --out "$out" >/dev/null 2>&1
	now=$(sum "$out")
	[ "$now" = "$a" ] || [ "$now" = "$b" ] || bad "$1: neither edition after the next run"
}
counts() {
	for s in 0 1 70 137; do
		eval "n=\${n_$s:-0}; n_$s=0"
		[ "$n" -eq 0 ] || printf ', %d with status %d' "$n" $s
	done
}
result() {
	printf '%s' "$([ $failed -eq 0 ] && echo ok || echo not ok)"
	printf ' %s of %s' "$what" "$total: $tried tried"
	counts
	[ $mode != kill ] || printf ', %d left files of both until the next run' $mixed
	echo
	[ $failed -eq 0 ] || worst=1
}
# Every step-th call fails in a child of its own, all in one run.
each() {
	rm -rf "$out" && cp -r "$dir/a" "$out"
	FAIL_KIND=$kind FAIL_MODE=each FAIL_NTH=$1 FAIL_COUNT=$dir/count LD_PRELOAD=$shim \
	    "$bin" report "$dir/p/b1.yaml" --lang en --out "$out" >"$dir/log" 2>&1
	[ "$(sum "$out")" = "$b" ] || bad "$kind: the run itself is not whole"
	read -r total tried wrong <"$dir/count"
	[ "$tried" -gt 0 ] && [ "$wrong" -eq 0 ] || bad "$kind: $wrong of $tried ended badly"
	n_70=$((tried - wrong))
}
# $1 kills at random moments; a run that ended before its kill is none.
kills() {
	mode=kill total=runs kind=kill
	span=$({ date +%s%N; report b1 "$dir/t"; date +%s%N; } | awk '{ t[NR] = $1 } END { print (t[2] - t[1]) / 1e9 }')
	for delay in $(awk -v n="$1" -v s="${FAULT_SEED:-1}" -v span="$span" \
	    'BEGIN { srand(s); for (i = 0; i < 4 * n; i++) printf "%.4f\n", rand() * span }'); do
		[ "${n_137:-0}" -lt "$1" ] || break
		again
		"$bin" report "$dir/p/b1.yaml" --lang en --out "$out" >"$dir/log" 2>&1 &
		pid=$!
		sleep "$delay"
		kill -9 $pid 2>/dev/null
		wait $pid 2>/dev/null
		status=$?
		tried=$((tried + 1))
		eval "n_$status=\$((\${n_$status:-0} + 1))"
		now=$(sum "$out")
		[ "$now" = "$a" ] || [ "$now" = "$b" ] || mixed=$((mixed + 1))
		recover "kill after $delay"
		[ -z "$(ls -A "$out" | grep '^\.')" ] || bad "kill after $delay, left: $(ls -A "$out" | grep '^\.')"
	done
}

worst=0
now=
for what; do
	failed=0 tried=0 mixed=0
	IFS=: read -r kind mode first step most <<-W
	$what
	W
	if [ "$kind" = kill ]; then
		kills "$mode"
		result
		continue
	fi
	if [ "$mode" = each ]; then
		each "$first"
		result
		continue
	fi
	rm -rf "$out" && cp -r "$dir/a" "$out"
	FAIL_KIND=$kind FAIL_NTH=0 FAIL_COUNT=$dir/count LD_PRELOAD=$shim \
	    "$bin" report "$dir/p/b1.yaml" --lang en --out "$out" >/dev/null 2>&1
	now=
	read -r total nth <"$dir/count"
	nth=$first
	[ "$total" -gt 0 ] || bad "no call of $kind"
	while [ "$nth" -le "$total" ] && { [ "$most" -eq 0 ] || [ $tried -lt "$most" ]; }; do
		fail "$nth"
		nth=$((nth + step))
	done
	result
done
exit $worst
