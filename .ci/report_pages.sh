#!/usr/bin/env bash
# report_pages.sh PROGRAM FOLDER [PAGE…]: pages for the check in a browser, of experiments that between them have every part of a page,
# of one whose words attack, of a hundred sessions that are packed, and of a folder of which half is missing. Without names, all pages.
set -euo pipefail
program=$1 out=$2
shift 2
pages=("$@")
[ $# -gt 0 ] || pages=(first justice nulls commons conformity hostile hard many broken unread empty)
rm -rf "$out"
mkdir -p "$out/pages"
run() { "$program" run "$2" --out "$out/$1" "${@:3}" >/dev/null; }
make() {
    case $1 in
        first) run first configs/first.yaml ;;
        justice) run justice configs/justice-memory-by-rule.yaml --replicates 4 ;;
        nulls) run nulls configs/motion-nulls.yaml --replicates 4 ;;
        commons) run commons configs/commons.yaml --replicates 3 ;;
        conformity) run conformity configs/conformity.yaml --replicates 2 ;;
        hostile) run hostile .ci/report-hostile.yaml ;;
        hard) run hard .ci/tables-hard.yaml ;;
        many) run many configs/justice.yaml --replicates 100 ;;
        broken)
            run broken configs/first.yaml
            rm -r "$(ls -d "$out"/broken/sessions/* | head -1)" "$out"/broken/*.csv
            truncate -s 300 "$(ls -d "$out"/broken/sessions/* | head -1)/minutes.jsonl"
            ;;
        unread)
            run unread configs/first.yaml
            rm -r "$out/unread/inputs"
            ;;
        empty) mkdir "$out/empty" ;;
        *) echo "there is no page $1" >&2 && return 2 ;;
    esac
}
for page in "${pages[@]}"; do
    make "$page"
    "$program" report "$out/$page" --out "$out/pages/$page.html"
done
