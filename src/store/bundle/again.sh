#!/bin/sh
# Compares this experiment with its record, runs it again offline, and compares every byte. Needs a POSIX shell and nothing
# else: no network, no model, no key. README.txt tells what that proves.
set -eu
cd "$(dirname "$0")"

bundled='{program}'
wholeness='{wholeness}'
again=again

fail() {
    printf 'again.sh: %s\n' "$1" >&2
    exit 1
}

if [ -n "$bundled" ] && "./$bundled" --version >/dev/null 2>&1; then
    ekklesia="./$bundled"
elif command -v ekklesia >/dev/null 2>&1; then
    ekklesia=ekklesia
else
    fail "no program for this machine: build ekklesia {version} (README.txt tells how) and put it on your PATH"
fi
version=$("$ekklesia" --version)
[ "$version" = "ekklesia {version}" ] || printf 'again.sh: this is %s, the bundle was made by ekklesia {version}\n' "$version" >&2
[ ! -e "$again" ] || fail "$again is in the way, perhaps of an earlier try; move it away"

# sha256sum is on every Linux, shasum on every Mac.
summed() {
    # A line a file: its name, and "OK" or what is wrong with it.
    if ! said=$(LC_ALL=C "$@" -c SHA256SUMS 2>/dev/null); then
        printf '%s\n' "$said" | grep -v ': OK$' >&2 || true
        fail "the files named above are not what SHA256SUMS says"
    fi
    echo "every file is what SHA256SUMS says"
}
if command -v sha256sum >/dev/null 2>&1; then
    summed sha256sum
elif command -v shasum >/dev/null 2>&1; then
    summed shasum -a 256
else
    echo "again.sh: neither sha256sum nor shasum is here, so the files are not compared with SHA256SUMS" >&2
fi

code=0
"$ekklesia" replay results || code=$?
case "$wholeness:$code" in
    *:0) ;;
    incomplete:4) echo "incomplete, as README.txt says: compared as far as it goes"; exit 0 ;;
    *) fail "the record does not give these results again" ;;
esac
if [ "$wholeness" != whole ]; then
    echo "the same bytes"
    exit 0
fi

mkdir -p "$again/sessions"
cp -R results/inputs "$again/inputs"
cp results/plan.yaml "$again/plan.yaml"
for session in results/sessions/*/; do
    if [ -f "${session}calls.jsonl" ]; then
        name=$(basename "$session")
        mkdir "$again/sessions/$name"
        cp "${session}calls.jsonl" "$again/sessions/$name/calls.jsonl"
    fi
done
"$ekklesia" run "$again" --offline --out "$again" >/dev/null || fail "the experiment could not be run again"

compared() {
    (cd "$1" && find . -path ./failed -prune -o -type f ! -name run.json ! -name calls.jsonl ! -name experiment.json \
        ! -name .lock -print) | LC_ALL=C sort
}
[ "$(compared results)" = "$(compared "$again")" ] || fail "results and $again do not hold the same files"
compared results | while IFS= read -r file; do
    cmp "results/$file" "$again/$file" || fail "$file is not what it was; see $again/$file"
done
rm -rf "$again"
echo "the same bytes"
