#!/bin/sh
# Cut the report's four faces from the distribution's Noto CJK collections.
#
#	fonts/cut.sh OUTDIR
#
# Writes OUTDIR/{serif,serif-bold,sans,sans-bold}.otf with the characters of
# GB 2312 and fonts/characters.txt; OUTDIR/full.txt, which says where the
# uncut faces lie (name, number in the collection, path) for characters that
# the cut ones lack; and OUTDIR/fonts.conf.  Does nothing when OUTDIR is newer
# than this recipe.  NOTO_CJK may name the folder that holds the collections.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: fonts/cut.sh OUTDIR}

fail() {
	echo "fonts/cut.sh: $1" >&2
	exit 1
}

# The four faces: our file name, the collection, the family inside it.
faces='serif	NotoSerifCJK-Regular.ttc	Noto Serif CJK SC
serif-bold	NotoSerifCJK-Bold.ttc	Noto Serif CJK SC
sans	NotoSansCJK-Regular.ttc	Noto Sans CJK SC
sans-bold	NotoSansCJK-Bold.ttc	Noto Sans CJK SC'

is_fresh() {
	for f in serif.otf serif-bold.otf sans.otf sans-bold.otf \
	    full.txt fonts.conf; do
		[ -s "$out/$f" ] || return 1
	done
	for f in cut.sh characters.txt fonts.conf.in; do
		[ "$out/fonts.conf" -nt "$here/$f" ] || return 1
	done
}

find_collections() {
	for dir in "${NOTO_CJK:-}" /usr/share/fonts/opentype/noto \
	    /usr/share/fonts/noto-cjk /usr/share/fonts/opentype/noto-cjk \
	    /usr/local/share/fonts/noto-cjk; do
		if [ -n "$dir" ] && [ -r "$dir/NotoSerifCJK-Regular.ttc" ]; then
			echo "$dir"
			return 0
		fi
	done
	dpkg -L fonts-noto-cjk 2>/dev/null |
	    sed -n 's|/NotoSerifCJK-Regular\.ttc$||p'
}

# GB 2312: all two-byte codes that iconv knows, as hexadecimal code points.
gb2312() {
	LC_ALL=C awk 'BEGIN {
		for (r = 161; r <= 247; r++)
			for (c = 161; c <= 254; c++)
				printf "%c%c", r, c
	}' | iconv -c -f GB2312 -t UTF-16BE | od -An -v -tx1 |
	    tr -d ' \n' | fold -w 4
	echo
}

characters() {
	gb2312
	sed -n 's/^\([0-9A-F]*-[0-9A-F]*\).*/\1/p' "$here/characters.txt"
}

# The number of the face of family $2 in the collection $1.
face_index() {
	fc-scan -f '%{index}\t%{family}\n' "$1" |
	    awk -F '\t' -v want="$2" '
		{ split($2, name, ","); if (name[1] == want) { print $1; exit } }'
}

cut_face() {	# name collection family
	index=$(face_index "$dir/$2" "$3")
	[ -n "$index" ] || fail "no face '$3' in $dir/$2"
	hb-subset --face-index="$index" --desubroutinize --no-hinting \
	    --layout-features=kern,ccmp,mark,pwid \
	    --unicodes-file="$tmp/characters" \
	    --output-file="$tmp/$1.otf" "$dir/$2" ||
	    fail "hb-subset could not cut $dir/$2"
	[ -s "$tmp/$1.otf" ] || fail "hb-subset wrote nothing for $1"
	printf '%s\t%s\t%s\n' "$1" "$index" "$dir/$2" >"$tmp/$1.full"
}

xml() {
	printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

# A configuration that shows other programs the cut faces and nothing else.
config() {
	while IFS= read -r line; do
		if [ "$line" = @FACES@ ]; then
			printf '\t<dir>%s</dir>\n' "$(xml "$out")"
		else
			printf '%s\n' "$line"
		fi
	done <"$here/fonts.conf.in"
}

is_fresh && exit 0
for tool in hb-subset fc-scan iconv; do
	command -v "$tool" >/dev/null || fail "'$tool' is missing; install \
libharfbuzz-bin, fontconfig and libc-bin"
done
dir=$(find_collections)
[ -n "$dir" ] || fail "the Noto CJK fonts are missing; install fonts-noto-cjk"

mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d "$out/.cut.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

characters >"$tmp/characters"
pids=
tab=$(printf '\t')
while IFS="$tab" read -r name collection family; do
	cut_face "$name" "$collection" "$family" </dev/null &
	pids="$pids $!"
done <<END
$faces
END
for pid in $pids; do
	wait "$pid" || exit 1
done

for name in serif serif-bold sans sans-bold; do
	cat "$tmp/$name.full"
done >"$tmp/full.txt"
config >"$tmp/fonts.conf"
chmod 644 "$tmp"/*.otf "$tmp/full.txt" "$tmp/fonts.conf"
# fonts.conf last: it marks the folder as complete
for f in serif.otf serif-bold.otf sans.otf sans-bold.otf full.txt \
    fonts.conf; do
	mv -f "$tmp/$f" "$out/$f"
done
