# A sample of `make fault`: calls that fail and runs that are killed.
bin=$1
case $bin in
*/san/*) echo "ok fault injection is for the program without sanitizers"; exit ;;
esac
tests/fault/run.sh "$bin" "$PWD/out/fault/fail.so" rename:once:1:3:0 sync:once:1:1:0 \
    open:once:1:4:0 write:once:1:397:0 alloc:each:9999 kill:20

# what the system itself refuses
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sample=catalog/examples/project.yaml
"$bin" report $sample --lang en --out "$dir/o" >/dev/null 2>&1
before=$(cat "$dir"/o/*.* | cksum)
# still NAME STATUS TEXT: the run before ended so, said so and changed nothing
still() {
	if [ $status -eq "$2" ] && grep -q "$3" "$dir/err" &&
	    [ "$(cat "$dir"/o/*.* | cksum)" = "$before" ] &&
	    ! ls -A "$dir/o" | grep -q '^\.'; then
		echo "ok $1"
	else
		echo "not ok $1: status $status"
		tail -n 2 "$dir/err"
	fi
}
(
	ulimit -f 200 # of 512 bytes
	exec "$bin" report $sample --set project.date=2026-01-02 --lang en --out "$dir/o"
) >/dev/null 2>"$dir/err"
status=$?
still "files of 100 KB at most" 1 "cannot write"
for mib in 60 80 110; do
	(ulimit -v $((mib << 10)); exec "$bin" report $sample --set project.date=2026-01-02 \
	    --lang en --out "$dir/o") >/dev/null 2>"$dir/err"
	status=$?
	[ $status -eq 127 ] && continue # not even loaded
	[ $status -eq 0 ] && break
	still "$mib MiB of address space" 70 "out of memory"
done
mkdir "$dir/full" && mount -t tmpfs -o size=300k none "$dir/full" 2>/dev/null && {
	"$bin" report $sample --lang en --out "$dir/full/o" >/dev/null 2>"$dir/err"
	status=$?
	if [ $status -eq 1 ] && grep -q "cannot write" "$dir/err" && [ ! -e "$dir/full/o" ]; then
		echo "ok a full disk"
	else
		echo "not ok a full disk: status $status, left: $(ls -A "$dir/full")"
	fi
	umount "$dir/full"
}
