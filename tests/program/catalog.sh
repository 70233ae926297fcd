#!/bin/sh
# whygpu catalog and whygpu inventory from the outside.
# usage: tests/program/catalog.sh WHYGPU
set -u
bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# is NAME STATUS COMMAND...
is() {
	name=$1
	want=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if [ $got -eq "$want" ]; then
		echo "ok $name"
	else
		echo "not ok $name: status $got, not $want"
		head -n 5 "$dir/err"
	fi
}

# has NAME FILE TEXT
has() {
	if grep -qF -- "$3" "$dir/$2"; then
		echo "ok $1"
	else
		echo "not ok $1: no '$3'"
	fi
}

is "the shipped catalogue passes its linter" 0 "$bin" catalog check
has "check says how much it looked at" out " 0 findings"
is "list" 0 "$bin" catalog list
has "list counts" out "220 cards"
is "list with filters" 0 "$bin" catalog list 'size>=80GiB' 'decoders>4' nvidia
has "filters keep what fits" out "nvidia-h100-sxm5-80gb"
is "a figure nobody knows" 1 "$bin" catalog list 'taste>3'
has "is named" err "catalog-filter"
is "a unit that does not fit" 1 "$bin" catalog list 'size>=3W'
is "coverage" 0 "$bin" catalog list --coverage nvidia
has "coverage ends with all" out "all  "
is "show" 0 "$bin" catalog show "RTX 4090"
has "show gives source and certainty" out "[two: RN WIKI]"
has "show lists the sources" out "Wikipedia lists"
is "show what nobody sells" 1 "$bin" catalog show "RTX 4099"
has "a near name is offered" err "did you mean"
is "find" 0 "$bin" catalog find "RTX 6000"
has "find gives all candidates" out "nvidia-quadro-rtx-6000"
is "no verb" 2 "$bin" catalog paint

mkdir -p "$dir/over/gpus"
cat >"$dir/over/sources.xml" <<'X'
<sources><source id="quote" grade="C" date="2026-11">
<title>Quote</title><publisher>p</publisher><where>w</where></source></sources>
X
cat >"$dir/over/gpus/a.xml" <<'X'
<gpus><gpu id="nvidia-l40s">
<board price-usd="8200" src="quote" sure="one"/></gpu></gpus>
X
is "an overlay" 0 "$bin" catalog check --catalog "$dir/over"
has "is reported" out "launch price - -> 8200 USD [quote]"
is "an overlay wins" 0 "$bin" catalog show L40S --catalog "$dir/over"
has "with its source" out "8,200 USD  [one: quote]"
is "a report with an overlay" 0 "$bin" check catalog/examples/project.yaml \
    --catalog "$dir/over"
sed -i 's/8200/0/' "$dir/over/gpus/a.xml"
is "a bad overlay" 1 "$bin" catalog list --catalog "$dir/over"
has "is placed" err "a.xml:2:"
sed -i 's/price-usd="0"/power="9000 W"/' "$dir/over/gpus/a.xml"
is "the linter reads overlays too" 1 "$bin" catalog check \
    --catalog "$dir/over"
has "and places the figure" err "a.xml:2:15: error"
