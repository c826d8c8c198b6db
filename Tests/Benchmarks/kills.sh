#!/usr/bin/env bash
# kill -9 at COUNT (50) random moments of downloads, from an nginx that gives 100 MB/s; each is continued until it is whole.
# Every file must be the server's, and no continuation may ask again for what was noted as safe. Ends with 1 at the first that does not hold.
set -euo pipefail
cd "$(dirname "$0")/../.."
LIMIT_RATE=100m
ACCESS_LOG="/dev/stdout" source Tests/Benchmarks/nginx-files.sh > /dev/null
sortie=${SORTIE:-$PWD/.build/release/sortie}
head -c 100000000 /dev/urandom > "$folder/files/big"
kills=0 rounds=0 resumed=0
while ((kills < ${COUNT:-50})); do
    rm -f "$folder"/out*
    rounds=$((rounds + 1))
    while true; do
        # What the last one left as safe; the next one must begin there.
        safe=$(sed -n 's/.*"committed": *\([0-9]*\).*/\1/p' "$folder/out.part.json" 2>/dev/null || true)
        "$sortie" download "http://127.0.0.1:$port/big" -o "$folder/out" --json > "$folder/record" 2> "$folder/errors" &
        pid=$!
        if ((kills < ${COUNT:-50})); then
            sleep "0.$(printf '%03d' $((RANDOM % 600)))"
            kill -9 $pid 2>/dev/null && killed=1 || killed=0
        else
            killed=0
        fi
        if wait $pid 2>/dev/null; then break; fi
        if ((!killed)); then echo "failed:"; cat "$folder/errors"; exit 1; fi
        kills=$((kills + 1))
    done
    cmp "$folder/files/big" "$folder/out" || { echo "another file after $kills kills"; exit 1; }
    at=$(sed -n 's/.*"resumedAt": *\([0-9]*\).*/\1/p' "$folder/record")
    if [[ -n $safe ]]; then
        resumed=$((resumed + 1))
        ((at == safe)) || { echo "resumed at $at although $safe were safe"; exit 1; }
    fi
    [[ -z $(ls "$folder" | grep '^out.part' || true) ]] || { echo "a part was left behind"; exit 1; }
done
echo "$kills kills in $rounds downloads, $resumed ended by a continuation: every file right, nothing safe was fetched again"
