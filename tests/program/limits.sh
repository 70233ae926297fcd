# The table of limits in src/README.md says what the source says.
sed -n '/^## Limits/,/^## What ends/p' src/README.md |
    sed -n 's/^|.*| `\([A-Z_]* = [^`]*\)` | `\([^`]*\)` |$/\2 \1/p' |
    while read -r file rule; do
	if grep -qE "(^|[ 	])$rule([ ,]|$)" "src/$file"; then
		echo "ok $file: $rule"
	else
		echo "not ok $file: $rule"
	fi
    done

# A few of them from outside: a message and status 1, soon.
bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
refused() {
	timeout 20 "$bin" $2 "$dir/in" >"$dir/log" 2>&1
	status=$?
	if [ $status -eq 1 ] && grep -q "error: .*\[$3\]" "$dir/log"; then
		echo "ok $1"
	else
		echo "not ok $1: status $status"
		head -n 3 "$dir/log"
	fi
}
head -c 1100000 /dev/zero | tr '\0' 'a' >"$dir/in"
refused "a project of 1.1 MB" check file-size
awk 'BEGIN { for (i = 0; i < 40; i++) printf "%*sa:\n", i, ""; printf "%*sb: 1\n", 40, "" }' >"$dir/in"
refused "a project of 40 levels" check yaml-limit
awk 'BEGIN { print "a:"; for (i = 0; i < 100001; i++) print "- 1" }' >"$dir/in"
refused "a project of 100001 values" check yaml-limit
awk 'BEGIN { print "project: {id: x, name: n}\nvendors:"; for (i = 0; i < 65; i++) print "- v.yaml" }' >"$dir/in"
refused "65 vendors" check needs-range
head -c 9000000 /dev/zero | tr '\0' ' ' >"$dir/in"
refused "nvidia-smi output of 9 MB" inventory file-size
awk 'BEGIN { for (i = 0; i < 65; i++) printf "<a>"; for (i = 0; i < 65; i++) printf "</a>" }' >"$dir/in"
refused "XML of 65 levels" inventory xml-limit
awk 'BEGIN { printf "<a>"; for (i = 0; i < 400000; i++) printf "<b/>"; print "</a>" }' >"$dir/in"
refused "XML of 400001 elements" inventory xml-limit
awk 'BEGIN { printf "<a"; for (i = 0; i < 129; i++) printf " a%d=\"\"", i; print "/>" }' >"$dir/in"
refused "an element of 129 attributes" inventory xml-limit
awk 'BEGIN { for (i = 0; i < 257; i++) printf "c%d,", i; print "x" }' >"$dir/in"
refused "a table of 258 columns" validate csv-limit
truncate -s 65M "$dir/in"
refused "a table of 65 MB" validate file-size
truncate -s 257M "$dir/in"
refused "a PDF of 257 MB" pdfcheck file-size
