# Beginning a project, installing the program, and making reports with make.
bin=$1
sample=catalog/examples/project.yaml
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
repo=$PWD

check() {
	name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then echo "ok $name"; else
		echo "not ok $name"
		head -n 10 "$dir/log"
	fi
}
# is NAME STATUS COMMAND...: the exit status is STATUS
is() {
	name=$1
	want=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if [ $got -eq "$want" ]; then echo "ok $name"; else
		echo "not ok $name: status $got, not $want"
		head -n 5 "$dir/err"
	fi
}
has() {
	if grep -qF -- "$3" "$dir/$2"; then echo "ok $1"; else
		echo "not ok $1: no '$3' in:"
		head -n 5 "$dir/$2"
	fi
}

# 1. whygpu init
is "init makes a project" 0 "$bin" init "$dir/p"
has "init says what is next" out "check $dir/p/project.yaml"
check "the new project has no problem" sh -c \
    "'$bin' check '$dir/p/project.yaml' 2>&1 | grep 'errors: 0, warnings: 0'"
check "the new project makes a report" "$bin" report "$dir/p/project.yaml" \
    --out "$dir/p/report"
check "in both languages" test -s "$dir/p/report/report.zh-CN.pdf" -a \
    -s "$dir/p/report/report.en.pdf"
for f in project.yaml vendors/v1.yaml; do
	schema=$(sed -n '1s/^# yaml-language-server: $schema=//p' "$dir/p/$f")
	check "$f names a schema that is there" test -n "$schema" -a -s \
	    "$dir/p/$(dirname $f)/$schema"
done
# What the comments offer is right too.
sed -i -E 's/^( *)# (author|author_en|date|edition|cpu|sockets|prices|count|power|inventory: use)/\1\2/' \
    "$dir/p/project.yaml"
sed -i -E 's/^( *)# (built_for|driver|driver_fixed|load_limit|requires|measured|memory|objects_per_frame):?/\1\2:/
    s/^( *)# - \{name/\1- {name/
    s/^#   ?( *)(stated_min|stated_recommended|source|- \{gpu)/  \1\2/' \
    "$dir/p/vendors/v1.yaml"
check "the comments are uncommented" sh -c \
    "! grep -E '^ *# *[a-z_]+: *[^ ]' '$dir/p/project.yaml' \
	'$dir/p/vendors/v1.yaml' | grep -vE 'inventory:|yaml-language-server'"
is "what the comments offer is right" 0 "$bin" check "$dir/p/project.yaml"
is "and makes a report" 0 "$bin" report "$dir/p/project.yaml" \
    --out "$dir/p/report"

cp -r "$dir/p" "$dir/before"
is "init again is refused" 1 "$bin" init "$dir/p"
has "what is in the way is named" err "$dir/p/project.yaml"
mkdir -p "$dir/q/vendors"
echo mine >"$dir/q/vendors/v1.yaml"
is "one file in the way" 1 "$bin" init "$dir/q"
check "and nothing is written" sh -c \
    "test \$(cd '$dir/q' && find . -type f) = ./vendors/v1.yaml"
check "nothing is changed" diff -r "$dir/p" "$dir/before"
mkdir "$dir/empty"
echo note >"$dir/empty/note"
is "a folder with other files will do" 0 "$bin" init "$dir/empty"
check "they stay" grep -q note "$dir/empty/note"
is "a file as folder" 1 "$bin" init "$dir/empty/note"
is "init without a folder" 2 "$bin" init
is "templates without a start" 1 "$bin" init "$dir/r" --templates "$dir/empty"
has "says so" err "starter"
check "and makes no folder" test ! -e "$dir/r"

# 2. completion and manual know what --help knows
"$bin" --help >"$dir/help"
for word in $(sed -n 's/^  whygpu \([a-z]*\) .*/\1/p; s/^  \(--[a-z]*\).*/\1/p' \
    "$dir/help") --version; do
	man=$(echo "$word" | sed 's/^--/\\\\-\\\\-/')
	check "$word is completed and in the manual" sh -c "
	    grep -q -- '$word' src/completion/whygpu.bash &&
	    grep -q -- '$word' src/completion/_whygpu &&
	    grep -q -- '$man' src/whygpu.1"
done
# complete WANT WORD...: bash offers WANT for the last word
complete() {
	want=$1
	shift
	check "bash completes '$*' to $want" bash -c '
	    compopt() { :; }
	    . "$1"
	    shift; want=$1; shift
	    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
	    _whygpu
	    printf "%s\n" "${COMPREPLY[@]}" | grep -qxF -- "$want"' \
	    -- "$repo/src/completion/whygpu.bash" "$want" "$@"
}
complete report whygpu rep
complete --depfile whygpu report x.yaml --dep
complete pages whygpu report x.yaml --dump pa
complete "$sample" whygpu check catalog/examples/pro
complete "$sample" whygpu --lang en check catalog/examples/pro
complete show whygpu catalog sh

# 3. the program away from the repository
o=$(dirname "$bin")
installing() {
	# -o: what is tested is installed, not built anew
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -o "$bin" \
	    -o out/fonts/fonts.conf "$@" O="$o" DESTDIR="$root" prefix=/opt/w
}
case $bin in
out/*/whygpu) ;;
*)
	echo "skip install: $bin is no build of this folder"
	exit 0
	;;
esac
root="$dir/root"
check "make install" installing install
there=$root/opt/w
check "binary, manual, completion, data" test -x "$there/bin/whygpu" -a \
    -s "$there/share/man/man1/whygpu.1" -a \
    -s "$there/share/bash-completion/completions/whygpu" -a \
    -s "$there/share/zsh/site-functions/_whygpu" -a \
    -s "$there/share/whygpu/catalog/schema/vendor.schema.json"
mv "$root" "$dir/moved"
there=$dir/moved/opt/w
cp -r catalog/examples "$dir/site 1"
cd "$dir" || exit 1
is "the sample report from the installed program" 0 "$there/bin/whygpu" \
    report "$dir/site 1/project.yaml" --out "$dir/o" --depfile "$dir/o/d"
check "is the report of the built one" sh -c "
    cd '$repo' && '$bin' report $sample --out '$dir/o2' &&
    diff -x d -r '$dir/o' '$dir/o2'"
check "the installed init" "$there/bin/whygpu" init "$dir/i"

# 4. --depfile
real=$(cd "$dir" && pwd -P)
sed -n 's/ \\$//; s/^  //p' "$dir/o/d" >"$dir/list"
for f in catalog/sources.xml catalog/gpus catalog/gpus/nvidia-turing.xml \
    catalog/calibration/speed.xml catalog/networks/detection.xml \
    templates/report.xml templates/wording/en.xml templates/wording/zh-CN.xml \
    fonts/sans.otf fonts/serif-bold.otf; do
	check "--depfile: $f" grep -q "share/whygpu/$f\$" "$dir/list"
done
for f in project.yaml vendors/s1-face.yaml vendors/s7-superres.yaml \
    inventory/room-1.xml; do
	check "--depfile: $f, with a space in its folder" \
	    grep -qF "site\\ 1/$f" "$dir/list"
done
check "--depfile: no file twice" sh -c "sort '$dir/list' | uniq -d | cmp - /dev/null"
check "--depfile: nothing outside" sh -c "
    n=\$(grep -c . '$dir/list') && test \$n -gt 50 &&
    ! grep -vE '^($dir|$real)' '$dir/list'"
is "--depfile into a missing place" 1 "$there/bin/whygpu" report \
    "$dir/i/project.yaml" --out "$dir/o3" --depfile "$dir/list/d"
is "--depfile without a file" 2 "$there/bin/whygpu" report x --depfile
mkdir "$dir/odd#50%"
cp -r "$dir/i/"* "$dir/odd#50%/"
is "a folder with odd signs" 0 "$there/bin/whygpu" report \
    "$dir/odd#50%/project.yaml" --lang en --out "$dir/o4" --depfile "$dir/o4.d"

# The worked example of README.md, word for word.
sed -n '/^    # reports.mk/,/^$/s/^    //p' "$repo/README.md" >"$dir/reports.mk"
check "README.md has the example" grep -q depfile "$dir/reports.mk"
mkdir one two
cp -r i/* one/
cp -r i/* two/
rm -rf i "site 1" o o2 p q before empty
PATH=$there/bin:$PATH
export PATH
all() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -j2 -f reports.mk \
	    >"$dir/log" 2>&1
}
# made NAME REPORT...: make makes these and no others
made() {
	name=$1
	shift
	all
	got=$(sed -n 's/^whygpu report \([^/]*\).*/\1/p' "$dir/log" |
	    sort | tr '\n' ' ')
	if [ "$got" = "${*:+$* }" ]; then echo "ok $name"; else
		echo "not ok $name: '$got', not '$*'"
		head -n 5 "$dir/log"
	fi
}
rm -rf "$dir/odd#50%"
made "make makes all reports" one two
check "both are there" test -s reports/one/report.en.pdf -a \
    -s reports/two/results.xml
made "then none"
sleep 0.01
touch two/vendors/v1.yaml
made "a vendor's file: that project" two
touch "$there/share/whygpu/catalog/gpus/nvidia-turing.xml"
made "a card: all projects" one two
touch "$there/share/whygpu/catalog/gpus/new.txt"
made "a new file in a folder that is listed: all projects" one two
rm "$there/share/whygpu/catalog/gpus/new.txt"
touch one/project.yaml
mv two/vendors/v1.yaml two/vendors/v2.yaml
sed -i 's/v1.yaml/v2.yaml/' two/project.yaml
made "a file that is gone does not stop make" one two

cd "$repo" || exit 1
mkdir -p "$root"
mv "$dir/moved/opt" "$root/"
echo other >"$root/opt/w/bin/other"
check "make uninstall" installing uninstall
check "leaves what is not ours" sh -c \
    "test \"\$(find '$root' -type f)\" = '$root/opt/w/bin/other'"
