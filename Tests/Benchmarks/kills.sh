#!/usr/bin/env bash
# kill -9 at COUNT (50) random moments of downloads, from an nginx that gives 100 MB/s; each is continued until it is whole.
# Every file must be the server's, and no continuation may ask again for what was noted as safe. Ends with 1 at the first that does not hold.
# Latest, debug build: 50 kills in 7 downloads, continued 32 times, every file right.
set -euo pipefail
cd "$(dirname "$0")/../.."
LIMIT_RATE=100m source Tests/Benchmarks/nginx-files.sh
sortie=${SORTIE:-$PWD/.build/release/sortie}
head -c 100000000 /dev/urandom > "$folder/files/big"
kills=0 rounds=0
while ((kills < ${COUNT:-50})); do
    rm -f "$folder"/out*
    rounds=$((rounds + 1))
    while true; do
        # What the last one left as safe: where the next one must begin.
        sed -n 's/.*"committed": *\([0-9]*\).*/\1/p' "$folder/out.part.json" >> "$folder/safe" 2>/dev/null || echo 0 >> "$folder/safe"
        "$sortie" download "http://127.0.0.1:$port/big" -o "$folder/out" 2> "$folder/errors" &
        pid=$!
        killed=0
        if ((kills < ${COUNT:-50})); then
            sleep "0.$(printf '%03d' $((RANDOM % 900)))"
            kill -9 $pid 2>/dev/null && killed=1
        fi
        if wait $pid 2>/dev/null; then break; fi
        if ((!killed)); then echo "failed:"; cat "$folder/errors"; exit 1; fi
        kills=$((kills + 1))
    done
    cmp "$folder/files/big" "$folder/out" || { echo "another file after $kills kills"; exit 1; }
    [[ -z $(ls "$folder" | grep '^out.part' || true) ]] || { echo "a part was left behind"; exit 1; }
done
# Every range that was asked for must be one that was safe at that moment, in the order of the attempts.
exec 3< "$folder/safe"
continued=0
while read -r range; do
    start=0
    [[ $range == bytes=*- ]] && start=${range#bytes=} start=${start%-}
    while read -r safe <&3; do [[ $safe == "$start" ]] && break; done || { echo "$range was asked for, which was not what was safe"; exit 1; }
    ((start)) && continued=$((continued + 1))
done < "$folder/ranges"
echo "$kills kills in $rounds downloads, continued $continued times: every file right, nothing safe was fetched again"
