# What people do to the program: odd projects, broken templates, folders in
# the way, runs that are killed.
bin=$1
sample=catalog/examples/project.yaml
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# ends NAME STATUS COMMAND...: ends with STATUS, never by a signal
ends() {
	name=$1
	want=$2
	shift 2
	timeout 60 "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if [ $got -eq "$want" ]; then
		echo "ok $name"
	else
		echo "not ok $name: status $got, not $want"
		head -n 5 "$dir/err"
	fi
}
says() {
	if grep -qF -- "$2" "$dir/err"; then
		echo "ok $1"
	else
		echo "not ok $1: no '$2' in:"
		head -n 5 "$dir/err"
	fi
}

cp -r catalog/examples "$dir/p"
# project NAME SED: a copy of the sample with one vendor changed
project() {
	sed "$2" "$dir/p/vendors/s1-face.yaml" >"$dir/p/vendors/x.yaml"
	cat >"$dir/p/$1.yaml" <<-P
	project: {id: x, name: n}
	vendors: [vendors/x.yaml]
	P
}

project minimal ''
ends "the smallest project" 0 "$bin" report "$dir/p/minimal.yaml" --out "$dir/o1"
project tiny 's/1080p/2x2/'
ends "pictures of 2 x 2" 0 "$bin" report "$dir/p/tiny.yaml" --out "$dir/o2"
project norequest '/^request:/,/^streams:/{/^streams:/!d}'
ends "a vendor that asks for nothing" 0 "$bin" report "$dir/p/norequest.yaml" --out "$dir/o3"
ends "... explained" 0 "$bin" explain "$dir/p/norequest.yaml" S1
project noruntime '/^runtime:/,/^memory:/{/^memory:/!d}'
ends "a vendor without a runtime" 0 "$bin" report "$dir/p/noruntime.yaml" --out "$dir/o4"
project nopipeline '/^pipeline:/,/^runtime:/{/^runtime:/!d}'
ends "a vendor without a pipeline" 0 "$bin" explain "$dir/p/nopipeline.yaml" S1 --lang en
if grep -q 'This is sure' "$dir/out"; then
	echo "not ok no pipeline, no certainty"
else
	echo "ok no pipeline, no certainty"
fi
project cann 's/自研引擎 + TensorRT/CANN/; s/^  engine_en.*//; s/Tesla T4/Atlas 300I Pro/; /built_for/d; /cuda:/d; /driver:/d; s/engine files/onnx/'
ends "a vendor on CANN" 0 "$bin" explain "$dir/p/cann.yaml" S1 "Atlas 300I Pro" --lang en
if grep -qi 'written for cuda\|needed cuda' "$dir/out"; then
	echo "not ok CANN is no CUDA"
else
	echo "ok CANN is no CUDA"
fi
project glyph 's/进出口/进出口 \xf0\x9f\x98\x80/'
ends "a character without a glyph" 1 "$bin" report "$dir/p/glyph.yaml" --out "$dir/o5"
says "... with its place" "vendors/x.yaml:27:"
if [ -e "$dir/o5" ]; then echo "not ok ... and no file"; else echo "ok ... and no file"; fi

# broken templates end with a message, never with a crash
n=0
for edit in 's/<say id="answer.title"/<say id="gone"/' 's/{project.name}/{project.nothing}/' \
    's/|memory}/|nothing}/' 's/<\/wording>//' 's/{v.name}/{v.name/' \
    's/<b>/<b><ref to="nowhere"\/>/' 's/<say id="col.vendor">.*/<say id="col.vendor">{@col.vendor}<\/say>/'; do
	n=$((n + 1))
	rm -rf "$dir/t"
	cp -r templates "$dir/t"
	sed -i "$edit" "$dir/t/wording/zh-CN.xml"
	ends "broken wording $n" 1 "$bin" report $sample --templates "$dir/t" \
	    --lang zh-CN --out "$dir/o6"
	says "... has a message" "error:"
done
rm -rf "$dir/t"
cp -r templates "$dir/t"
sed -i 's/<chart kind="matrix"/<chart kind="pie"/' "$dir/t/report.xml"
ends "an unknown chart" 1 "$bin" report $sample --templates "$dir/t" --out "$dir/o6"

# something in the way, and what a killed run leaves
mkdir -p "$dir/o7/report.en.pdf"
ends "a folder where a file goes" 1 "$bin" report $sample --out "$dir/o7"
if [ "$(ls -A "$dir/o7")" = report.en.pdf ]; then
	echo "ok ... changes nothing"
else
	echo "not ok ... changes nothing: $(ls -A "$dir/o7" | tr '\n' ' ')"
fi
"$bin" report $sample --out "$dir/o8" >/dev/null 2>&1
cp -r "$dir/o8" "$dir/o9"
for delay in 0.02 0.05 0.1 0.15 0.2 0.25; do
	"$bin" report "$dir/p/minimal.yaml" --out "$dir/o9" >/dev/null 2>&1 &
	pid=$!
	sleep $delay
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
done
"$bin" report $sample --out "$dir/o9" >/dev/null 2>&1
if ls -A "$dir/o9" | grep -q '^\.'; then
	echo "not ok killed runs leave nothing behind"
else
	echo "ok killed runs leave nothing behind"
fi
if diff -r "$dir/o8/results.xml" "$dir/o9/results.xml" >/dev/null; then
	echo "ok the next run is whole"
else
	echo "not ok the next run is whole"
fi
ends "a language twice" 2 "$bin" report $sample --lang en,en --out "$dir/o6"
ends "output that cannot be written" 1 sh -c "'$bin' explain $sample S1 >/dev/full"
says "... is said" "cannot write"
