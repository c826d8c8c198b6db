#!/usr/bin/env bash
# kill -9 at COUNT (50) random moments of downloads over CONNECTIONS (1) connections, from an nginx that gives 100 MB/s; each is continued until it is whole.
# Every file must be the server's, and no continuation may ask again for what was noted as safe. Ends with 1 at the first that does not hold.
# Latest, debug build: 50 kills in 12 downloads, continued 35 times, every file right;
# CONNECTIONS=4: 50 kills in 14 downloads, continued 31 times, every file right.
set -euo pipefail
cd "$(dirname "$0")/../.."
LIMIT_RATE=$((100 / ${CONNECTIONS:-1}))m source Tests/Benchmarks/nginx-files.sh
sortie=${SORTIE:-$PWD/.build/release/sortie}
head -c 100000000 /dev/urandom > "$folder/files/big"
kills=0 rounds=0 attempt=0
while ((kills < ${COUNT:-50})); do
    rm -f "$folder"/out*
    rounds=$((rounds + 1))
    while true; do
        attempt=$((attempt + 1))
        # What the last one left as safe: what this one must not ask for.
        [[ -f $folder/out.part.json ]] && cp "$folder/out.part.json" "$folder/manifest.$attempt"
        "$sortie" download "http://127.0.0.1:$port/big" -o "$folder/out" --connections "${CONNECTIONS:-1}" -H "X-Attempt: $attempt" 2> "$folder/errors" &
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
python3 Tests/Benchmarks/safe-ranges.py "$folder"
echo "$kills kills in $rounds downloads: every file right"
