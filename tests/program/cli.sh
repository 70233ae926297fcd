# Options, exit statuses, messages.
bin=$1
sample=catalog/examples/project.yaml
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# is NAME STATUS COMMAND...: the exit status is STATUS
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
# has NAME FILE TEXT: the last output or error holds TEXT
has() {
	if grep -qF -- "$3" "$dir/$2"; then
		echo "ok $1"
	else
		echo "not ok $1: no '$3' in:"
		head -n 5 "$dir/$2"
	fi
}

is "--help" 0 "$bin" --help
has "--help lists the commands" out "explain PROJECT.yaml VENDOR"
is "--version" 0 "$bin" --version
has "--version names the program" out "whygpu 0."
is "no command" 2 "$bin"
is "unknown command" 2 "$bin" frobnicate
is "unknown option" 2 "$bin" report $sample --frobnicate
is "option without value" 2 "$bin" report $sample --out
is "unknown stage" 2 "$bin" report $sample --dump nothing
is "language with a slash" 2 "$bin" report $sample --lang ../../etc
is "too many arguments" 2 "$bin" check a b
is "missing project" 1 "$bin" check "$dir/none.yaml"
has "missing project is named" err "none.yaml"
is "a folder as project" 1 "$bin" check "$dir"
is "a setting" 0 "$bin" explain $sample S1 --lang en \
    --set vendors.S1.streams.0.count=1000
has "a setting is calculated with" out "1,000"
is "a setting of no vendor" 1 "$bin" check $sample --set vendors.S9.a=1
has "a setting of no vendor is placed" err "--set:1:1: error:"
is "a setting without a value" 2 "$bin" check $sample --set policy.share
is "a vendor left out" 0 "$bin" check $sample --unset vendors.S2
has "a vendor left out is not counted" out "vendors: 6"
sed 's/unset: .vendors.S2./unset: [vendors.S8]/' $sample >"$dir/p.yaml"
sed -i "s|- vendors/|- $PWD/catalog/examples/vendors/|; s|inventory: inv|inventory: $PWD/catalog/examples/inv|" "$dir/p.yaml"
is "a what_if of no vendor" 1 "$bin" check "$dir/p.yaml"
has "a what_if of no vendor is placed" err "p.yaml:$(grep -n vendors.S8 "$dir/p.yaml" | cut -d: -f1):"
is "check the sample" 0 "$bin" check $sample
has "check counts the vendors" out "vendors: 7"
is "missing catalogue" 1 "$bin" check $sample --catalog "$dir"
is "missing templates" 1 "$bin" report $sample --templates "$dir" --out "$dir/o"
is "missing fonts" 1 "$bin" report $sample --fonts "$dir" --out "$dir/o"
has "missing fonts says what to run" err "make"
is "unknown language" 1 "$bin" report $sample --lang xx --out "$dir/o"
is "output below a file" 1 "$bin" report $sample --lang en --out "$dir/out/x"
has "output folder is named" err "$dir/out"
if [ -e "$dir/o" ]; then echo "not ok a failed run leaves nothing"; else
	echo "ok a failed run leaves nothing"; fi
for v in S1 S2 S3 S4 S5 S6 S7; do
	is "explain $v" 0 "$bin" explain $sample $v
	is "explain $v in English" 0 "$bin" explain $sample $v --lang en
done
is "explain a vendor on a card" 0 "$bin" explain $sample S2 "L40S"
is "explain an unknown vendor" 1 "$bin" explain $sample S99
has "the vendors are listed" err "S1, S2"
is "explain an ambiguous card" 1 "$bin" explain $sample S1 "RTX 6000"
has "the candidates are listed" err "RTX 6000 Ada"
is "explain an unknown card" 1 "$bin" explain $sample S1 "RTX 9999"
is "explain a processor" 1 "$bin" explain $sample S1 "Xeon Gold 6330"

# Lines for scripts.  S2's software has no build for Ada (8.9): L40S fails.
tab=$(printf '\t')
is "explain in lines" 0 "$bin" explain $sample --format tsv
cp "$dir/out" "$dir/all"
check_lines() {
	if [ "$2" = "$3" ]; then echo "ok $1"; else
		echo "not ok $1: '$2', not '$3'"; fi
}
check_lines "every vendor has a block" \
    "$(sed -n "s/^vendor$tab//p" "$dir/out" | tr '\n' ' ')" \
    "S1 S2 S3 S4 S5 S6 S7 "
check_lines "the keys of a vendor, in order" \
    "$(awk -F'\t' '$1 == "vendor" && n++ { exit }
	$1 !~ /^(gates|load)\./ { print $1 }' "$dir/out" | tr '\n' ' ')" \
    "vendor requested model_verdict count_verdict certainty binding cards_needed smallest_adequate cheapest_adequate "
check_lines "each line is a key and a value" \
    "$(awk -F'\t' 'NF != 2 || $1 == ""' "$dir/out" | wc -l)" 0
check_lines "every card has a gates line for every vendor" \
    "$(grep '^gates\.' "$dir/out" | sort | uniq -c | awk '{ n[$2] += $1 }
	END { for (c in n) if (n[c] != 7) bad++; print bad + (length(n) < 200) }')" 0
check_lines "an ambiguous request names its candidates" \
    "$(sed -n "/^vendor${tab}S3/,/^model/s/^requested$tab//p" "$dir/out")" \
    "nvidia-a100-pcie-80gb,nvidia-a100-sxm4-80gb"
is "one vendor in lines" 0 "$bin" explain $sample S2 --format tsv --lang en
sed -n "/^vendor${tab}S2/,/^vendor${tab}S3/p" "$dir/all" | sed '$d' >"$dir/s2"
if cmp -s "$dir/out" "$dir/s2"; then echo "ok the language changes no line"
else echo "not ok the language changes no line"; fi
is "one vendor on one card in lines" 0 "$bin" explain $sample S2 L40S \
    --format tsv
check_lines "one card only" "$(grep -c '^gates\.' "$dir/out")" 1
has "and the gate that fails" out "gates.nvidia-l40s${tab}software"
is "no vendor in sentences" 2 "$bin" explain $sample
is "an unknown format" 2 "$bin" explain $sample S1 --format pdf
