#!/bin/sh
# The earlier forms of the sample report against tests/golden/.
# usage: tests/golden.sh [--write] WHYGPU
set -u
write=
[ "$1" = --write ] && write=yes && shift
bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for p in tests/golden/*.yaml; do
	name=$(basename "$p" .yaml)
	for stage in needs results doc plan; do
		"$bin" report "$p" --lang zh-CN --dump $stage \
		    >"$dir/$name.$stage" 2>"$dir/err" || cat "$dir/err"
		if [ -n "$write" ]; then
			cp "$dir/$name.$stage" "tests/golden/$name.$stage"
		elif cmp -s "$dir/$name.$stage" "tests/golden/$name.$stage"; then
			echo "ok golden $name.$stage"
		else
			echo "not ok golden $name.$stage"
			diff -u "tests/golden/$name.$stage" \
			    "$dir/$name.$stage" | head -n 30
		fi
	done
done
