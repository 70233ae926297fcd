#!/bin/sh
# What a script can check of the house rules.  usage: tests/lint.sh
set -u
bad=0
fail() {
	echo "lint: $*"
	bad=1
}

# 1. The include table of src/README.md.
awk -F'|' '/^\| [a-z]+ \|/ {
	gsub(/ /, "", $2)
	print $2 "|" $4 "|" $5
}' src/README.md >out/lint.table
for folder in src/*/; do
	f=$(basename "$folder")
	ls "$folder"*.[ch] >/dev/null 2>&1 || continue
	line=$(grep "^$f|" out/lint.table) || {
		fail "src/README.md has no row for $f"
		continue
	}
	own=$(echo "$line" | cut -d'|' -f2)
	outside=$(echo "$line" | cut -d'|' -f3)
	for inc in $(sed -n 's/^#include "\(.*\)\/.*".*/\1/p' \
	    "$folder"*.[ch] | sort -u); do
		case " $f $own " in
		*" $inc "*) ;;
		*) fail "$f/ must not include $inc/" ;;
		esac
	done
	for lib in libxml yaml pango cairo fontconfig hb glib qpdf glpk protobuf-c; do
		case " $outside " in
		*" $lib "*) continue ;;
		esac
		if grep -qE "^#include <$lib" "$folder"*.[ch]; then
			fail "$f/ must not use <$lib>"
		fi
	done
done

# 2. Every header guards itself and is found by its folder's name.
for h in src/*/*.h; do
	guard=$(echo "$h" | sed 's/^src\///; s/[\/.]/_/g' | tr a-z A-Z)
	grep -q "^#ifndef $guard$" "$h" || fail "$h: guard is not $guard"
done

# 3. Calls that depend on the locale or cannot be bounded.
if grep -nE '\b(atof|atoi|strcpy|strcat|sprintf|gets|setlocale)\(' \
    src/*.c src/*/*.c; then
	fail "a banned call stands above"
fi

# 4. Layout on the line.
if command -v clang-format >/dev/null; then
	clang-format --dry-run -Werror src/*.c src/*/*.[ch] \
	    tests/unit/*.[ch] >out/lint.format 2>&1 || {
		head -n 20 out/lint.format
		fail "run 'make format'"
	}
fi

# 5. Catalogue and calibration against their schemas.
for schema in catalog/gpus.rng:catalog/gpus catalog/networks.rng:catalog/networks \
    catalog/layers.rng:catalog/networks/layers \
    catalog/calibration/speed.rng:catalog/calibration; do
	rng=${schema%%:*}
	[ -f "$rng" ] || fail "$rng is missing"
	xmllint --nonet --noout --relaxng "$rng" "${schema##*:}"/*.xml \
	    >out/lint.rng 2>&1 || {
		grep -v validates out/lint.rng | head -n 20
		fail "${schema##*:} does not match $rng"
	}
done

# 6. No chatter about machines, and nothing at the top that is not ours.
for name in *; do
	case $name in
	Makefile | README.md | src | templates | catalog | fonts | tests | out) ;;
	*) fail "'$name' does not belong at the top" ;;
	esac
done

[ $bad -eq 0 ] && echo "lint: fine"
exit $bad
