#!/bin/sh
# Fuzz every reader in turn, FUZZ_SECONDS each (0: only read the seeds).
# usage: tests/fuzz/run.sh FUZZER WHYGPU [TARGET...]
#
# The seeds are the files of the catalogue, the examples, the tests' cases
# and what was found before (tests/cases/fuzz/TARGET/).  Counts go to the
# terminal, findings to out/fuzzed/TARGET/.
set -u
fuzzer=$PWD/$1
bin=$PWD/$2
shift 2
root=$PWD
seconds=${FUZZ_SECONDS:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ASAN_OPTIONS=hard_rss_limit_mb=3000
LSAN_OPTIONS=suppressions=$root/tests/lsan.supp:print_suppressions=0
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# `catalog` and `good` are right and read once; `input`, small enough to be
# read often, `project` and `templates` are broken.
mkdir -p "$work/pdf" "$work/onnx"
cp -r catalog "$work/catalog"
mkdir -p "$work/input/gpus" "$work/input/networks"
cp catalog/*.xml "$work/input"
cp -r catalog/calibration "$work/input"
cp catalog/gpus/nvidia-volta.xml "$work/input/gpus/x.xml"
cp catalog/networks/face.xml "$work/input/networks/x.xml"
head -n 40 catalog/measurements/published.csv >"$work/published.csv"
cp -r templates "$work/templates"
for p in good project; do
	mkdir -p "$work/$p/vendors"
	cp catalog/examples/vendors/*.yaml "$work/$p/vendors"
	cp catalog/examples/vendors/s1-face.yaml "$work/$p/vendors/x.yaml"
	printf '%s\n' 'project: {id: x, name: n}' 'vendors: [vendors/x.yaml]' \
	    >"$work/$p/project.yaml"
done
"$fuzzer" --onnx "$work/onnx" || exit 1
# the first pages of a real report: few objects, all kinds of them
"$bin" report "$work/good/project.yaml" --lang en --out "$work/pdf/r" || exit 1
qpdf "$work/pdf/r/report.en.pdf" --pages . 1-2 -- --object-streams=disable \
    "$work/pdf/small.pdf"
mv "$work/pdf/r/report.en.pdf" "$work/pdf/whole.pdf"

cases=$root/tests/cases/bad
# The files a target begins with.
seeds() {
	case $1 in
	cards) ls "$root"/catalog/gpus/*.xml ;;
	architectures) ls "$root/catalog/architectures.xml" ;;
	sources) ls "$root/catalog/sources.xml" ;;
	networks) ls "$root"/catalog/networks/*.xml ;;
	layers) ls "$root"/catalog/networks/layers/*.xml ;;
	calibration) ls "$root/catalog/calibration/speed.xml" ;;
	layer-calibration) ls "$root/catalog/calibration/layers.xml" ;;
	project) ls "$work/good/project.yaml" \
	    "$root/catalog/examples/project.yaml" "$cases"/*.yaml ;;
	vendor) ls "$root"/catalog/examples/vendors/*.yaml "$cases"/*.yaml ;;
	structure) ls "$root/templates/report.xml" ;;
	wording) ls "$root"/templates/wording/*.xml ;;
	onnx) ls "$work"/onnx/*.onnx ;;
	smi) ls "$root"/catalog/examples/inventory/*.xml "$cases"/*.xml ;;
	measurements) ls "$work/published.csv" "$root"/catalog/measurements/*.csv ;;
	pdf) ls "$work"/pdf/*.pdf ;;
	*) echo "no seeds for $1" >&2 ;;
	esac
	ls "$root/tests/cases/fuzz/$1"/* 2>/dev/null
}

status=0
"$fuzzer" --list >"$work/list"
while read -r name place; do
	[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	out=$root/out/fuzzed/$name
	rm -rf "$out"
	mkdir -p "$out"
	[ -e "$work/$place" ] && cp "$work/$place" "$work/saved"
	seeds "$name" >"$work/seeds"
	# shellcheck disable=SC2046 # no white space in these names
	(cd "$work" && "$fuzzer" "$name" "$out" "$seconds" $(cat seeds)) \
	    2>"$out/log" || {
		status=1
		grep -m 3 'ERROR\|runtime error\|==\|cannot' "$out/log"
	}
	# the place is good again for the targets after this one
	rm -f "$work/$place"
	[ -e "$work/saved" ] && mv "$work/saved" "$work/$place"
done <"$work/list"
exit $status
