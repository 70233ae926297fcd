tests/golden.sh "$1"
