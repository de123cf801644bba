#!/usr/bin/env bash
# report_pages.sh PROGRAM FOLDER: pages for the check in a browser, of experiments that between them have every part of a page,
# of one whose words attack, of a hundred sessions that are packed, and of a folder of which half is missing.
set -euo pipefail
program=$1 out=$2
rm -rf "$out"
mkdir -p "$out/pages"
run() { "$program" run "$2" --out "$out/$1" "${@:3}" >/dev/null; }
page() { "$program" report "$out/$1" --out "$out/pages/$1.html"; }
run first configs/first.yaml
run justice configs/justice-memory-by-rule.yaml --replicates 4
run nulls configs/motion-nulls.yaml --replicates 4
run commons configs/commons.yaml --replicates 3
run conformity configs/conformity.yaml --replicates 2
run hostile .ci/report-hostile.yaml
run hard .ci/tables-hard.yaml
run many configs/justice.yaml --replicates 100
cp -r "$out/first" "$out/broken"
rm -r "$(ls -d "$out"/broken/sessions/* | head -1)" "$out"/broken/*.csv
truncate -s 300 "$(ls -d "$out"/broken/sessions/* | head -1)/minutes.jsonl"
cp -r "$out/first" "$out/unread"
rm -r "$out/unread/inputs"
mkdir "$out/empty"
for name in first justice nulls commons conformity hostile hard many broken unread empty; do page "$name"; done
