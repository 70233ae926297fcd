# The files of the sample report.
bin=$1
sample=catalog/examples/project.yaml
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

check() {
	name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then echo "ok $name"; else
		echo "not ok $name"
		head -n 10 "$dir/log"
	fi
}

check "the report is made" "$bin" report $sample --out "$dir/a"
for lang in zh-CN en; do
	pdf=$dir/a/report.$lang.pdf
	pdftotext -layout "$pdf" "$dir/$lang.txt" 2>/dev/null
	pdfinfo "$pdf" >"$dir/info" 2>/dev/null
	pdffonts "$pdf" >"$dir/fonts" 2>/dev/null
	check "$lang: qpdf --check" qpdf --check "$pdf"
	check "$lang: PDF/A-3a and PDF/UA-1" "$bin" pdfcheck "$pdf"
	check "$lang: text in the structure" sh -c \
	    "pdfinfo -struct-text '$pdf' | grep -q 'Figure'"
	# en spaces and line ends are set differently in the two
	pdfinfo -struct-text "$pdf" |
	    sed -n '/^ *H1 /{n;s/^ *"\(.*\)"$/\1/;s/ //g;s/\xe2\x80\x82//g;p}' \
		>"$dir/heads"
	pdftotext "$pdf" - | tr -d ' \n\f' | sed 's/\xe2\x80\x82//g' >"$dir/run"
	check "$lang: chapters are read in their order" awk '
	    NR == FNR { text = text $0; next }
	    { i = index(text, $0); n++
	      if (i == 0) { print "lost: " $0; bad = 1; exit }
	      text = substr(text, i + length($0)) }
	    END { exit bad || n < 5 }' "$dir/run" "$dir/heads"
	for f in project.yaml results.xml dials.csv; do
		check "$lang: $f is attached" sh -c \
		    "pdfdetach -list '$pdf' | grep -q ' $f\$'"
	done
	check "$lang: at most 0.75 MB" sh -c \
	    "test \$(wc -c <'$pdf') -le 786432"
	check "$lang: has a title" grep -q '^Title: *[^ ]' "$dir/info"
	check "$lang: is tagged" grep -q '^Tagged: *yes' "$dir/info"
	check "$lang: is A4" grep -q '^Page size:.*A4' "$dir/info"
	check "$lang: fonts are Noto CJK only" sh -c \
	    "! tail -n +3 '$dir/fonts' | grep -v 'Noto.*CJK'"
	check "$lang: fonts are embedded with ToUnicode" sh -c \
	    "! tail -n +3 '$dir/fonts' | grep -v 'yes *yes *yes'"
	case $lang in
	zh-CN) vendors="厂家一 厂家二 厂家三 厂家四 厂家五 厂家六 厂家七" ;;
	en) vendors="Vendor.1 Vendor.2 Vendor.3 Vendor.4 Vendor.5 Vendor.6 Vendor.7" ;;
	esac
	check "$lang: all seven vendors" sh -c \
	    "for v in $vendors; do grep -q \$v '$dir/$lang.txt' || exit 1; done"
	check "$lang: no hole is left open" sh -c \
	    "! grep -nE '\{|\}|\(null\)|nan|inf\b' '$dir/$lang.txt'"
	check "$lang: no replacement character" sh -c \
	    "! grep -n '�' '$dir/$lang.txt'"
done
check "Chinese: full-width punctuation beside Han" sh -c \
    "! pdftotext '$dir/a/report.zh-CN.pdf' - | grep -nP '\p{Han}[,;:?!](?=\p{Han})'"
check "English: no Han but names" sh -c \
    "! pdftotext '$dir/a/report.en.pdf' - | grep -nP '\p{Han}{12,}'"
check "at least ten charts a language" sh -c \
    "test \$(ls '$dir'/a/charts/*.zh-CN.svg | wc -l) -ge 10"
check "as many charts in English" sh -c \
    "test \$(ls '$dir'/a/charts/*.zh-CN.svg | wc -l) -eq \$(ls '$dir'/a/charts/*.en.svg | wc -l)"
check "SVG files are XML" sh -c "xmllint --nonet --noout '$dir'/a/charts/*.svg"
check "SVG files have title and description" sh -c \
    "for f in '$dir'/a/charts/*.svg; do grep -q '<title' \$f && grep -q '<desc' \$f || exit 1; done"
check "the attached project is the project" sh -c \
    "n=\$(pdfdetach -list '$dir/a/report.en.pdf' |
	sed -n 's/^\([0-9]*\): project.yaml\$/\1/p') &&
    pdfdetach -save \$n -o '$dir/p.yaml' '$dir/a/report.en.pdf' &&
    cmp '$dir/p.yaml' $sample"
check "results.xml is XML" xmllint --nonet --noout "$dir/a/results.xml"
check "no stage folder is left" sh -c "! ls -A '$dir/a' | grep '^\.'"

check "what is no PDF is refused" sh -c \
    "'$bin' pdfcheck $sample 2>&1 | grep -q 'pdf-read'"

# Same input, same bytes: over runs, folders, locales, HOME, time zones.
check "again elsewhere" env HOME=/nonexistent LANG=de_DE.UTF-8 LC_ALL=C TZ=Asia/Tokyo \
    FONTCONFIG_FILE=/nonexistent "$bin" report "$PWD/$sample" --out "$dir/b"
check "the bytes are the same" diff -r "$dir/a" "$dir/b"

# Signing appends to the file; what was promised must still hold.
if command -v certutil >/dev/null && command -v pdfsig >/dev/null; then
	mkdir "$dir/keys"
	head -c 64 /dev/zero >"$dir/noise"
	certutil -N -d "sql:$dir/keys" --empty-password >/dev/null 2>&1
	certutil -S -d "sql:$dir/keys" -n tester -s CN=tester -x -t CT,C,C \
	    -z "$dir/noise" >/dev/null 2>&1
	check "a signature can be added" pdfsig -nssdir "$dir/keys" \
	    "$dir/a/report.en.pdf" "$dir/signed.pdf" -add-signature -nick tester
	check "it is valid" sh -c \
	    "pdfsig -nssdir '$dir/keys' '$dir/signed.pdf' |
	    grep -q 'Signature is Valid'"
	check "the signed file is PDF/A-3a and PDF/UA-1" \
	    "$bin" pdfcheck "$dir/signed.pdf"
fi

# A failure leaves the old report whole.
cp -r catalog/examples "$dir/examples"
echo 'nonsense: true' >>"$dir/examples/project.yaml"
cp -r "$dir/a" "$dir/c"
check "a bad project is refused" sh -c \
    "! '$bin' report '$dir/examples/project.yaml' --out '$dir/c'"
check "and changes nothing" diff -r "$dir/a" "$dir/c"
check "one language only" "$bin" report $sample --lang en --out "$dir/e"
check "then no Chinese file" test ! -e "$dir/e/report.zh-CN.pdf"

# Several projects in one run: a bad one stops no other.
mkdir "$dir/many"
for p in p q; do
	cp -R catalog/examples "$dir/many/$p"
	sed -i "s/id: city-vision/id: $p/" "$dir/many/$p/project.yaml"
done
"$bin" report "$dir/many/p/project.yaml" "$dir/missing.yaml" \
    "$dir/many/q/project.yaml" "$dir/many/p/project.yaml" --lang en \
    --out "$dir/all" 2>"$dir/err"
status=$?
check "several projects: the worst status" test $status -eq 1
check "several projects: a summary" \
    grep -q '4 projects: 2 reports written, 2 failed' "$dir/err"
check "several projects: the one missing is named" \
    grep -q "no report of '$dir/missing.yaml'" "$dir/err"
check "two projects never share a folder" grep -q 'output-taken' "$dir/err"
check "a folder for each" sh -c "ls '$dir/all' | tr '\n' ' ' | grep -qx 'p q '"
"$bin" report "$dir/many/q/project.yaml" --lang en --out "$dir/q" 2>/dev/null
check "each as if made alone" diff -r "$dir/all/q" "$dir/q"
check "--depfile is for one project" sh -c \
    "'$bin' report $sample $sample --depfile '$dir/d' 2>/dev/null; test \$? -eq 2"
