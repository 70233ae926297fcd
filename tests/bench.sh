#!/bin/sh
# Time and memory of each stage on the sample; medians of 9 runs.
# usage: tests/bench.sh WHYGPU
set -eu
bin=$1
project=catalog/examples/project.yaml
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# name, then the command: median wall seconds and peak MB
row() {
	name=$1
	shift
	: >"$dir/times"
	for _ in 1 2 3 4 5 6 7 8 9; do
		/usr/bin/env bash -c 'TIMEFORMAT=%R; time "$@" >/dev/null 2>&1' \
		    -- "$@" 2>>"$dir/times"
	done
	printf '%-34s %s s' "$name" "$(sort -n "$dir/times" | sed -n 5p)"
	if [ -x /usr/bin/time ]; then
		/usr/bin/time -f %M -o "$dir/kb" "$@" >/dev/null 2>&1
		printf ' %6d MB' "$(($(cat "$dir/kb") / 1024))"
	fi
	echo
}

row "read the inputs (check)" "$bin" check $project
row "... and decide (dump results)" "$bin" report $project --dump results
row "... and fill the templates (doc)" "$bin" report $project --dump doc
row "... and lay out pages (pages)" "$bin" report $project --dump pages
row "whole report, two languages" "$bin" report $project --out "$dir/r"
row "whole report, Chinese only" "$bin" report $project --lang zh-CN \
    --out "$dir/z"
ls -l "$dir"/r/*.pdf "$dir"/r/results.xml | awk '{print $5 " bytes " $NF}' |
    sed "s|$dir/r/||"

# Forty vendors: the sample's seven again and again, with growing numbers.
mkdir "$dir/many"
cp -r catalog/examples/inventory "$dir/many/"
sed '/^what_if:/,$d' $project >"$dir/many/project.yaml"
echo "vendors:" >>"$dir/many/project.yaml"
i=0
while [ $i -lt 40 ]; do
	for file in catalog/examples/vendors/*.yaml; do
		[ $i -lt 40 ] || break
		i=$((i + 1))
		awk -v id="V$i" -v times=$((1 + i / 7)) '
		    /^  id: / && !seen++ { print "  id: " id; next }
		    /^  - .*count: [0-9]+/ {
			match($0, /count: [0-9]+/)
			n = substr($0, RSTART + 7, RLENGTH - 7) * times
			$0 = substr($0, 1, RSTART + 6) n \
			    substr($0, RSTART + RLENGTH)
		    }
		    { print }' "$file" >"$dir/many/v$i.yaml"
		echo "  - v$i.yaml" >>"$dir/many/project.yaml"
	done
done
row "forty vendors: decide and plan" "$bin" report "$dir/many/project.yaml" \
    --dump results
