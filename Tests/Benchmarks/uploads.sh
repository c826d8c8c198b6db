#!/usr/bin/env bash
# 1 GiB out of the page cache to a server on loopback that drops it: raw beside `curl -T`, multipart beside `curl -F`, by turns.
# Wall time, CPU time and peak memory of each, then the medians.
# Latest (`make build`, 2 cores, medians of 3): curl -T 0.90 s wall, 0.84 s CPU, 11 MiB; sortie upload 0.64 s, 0.63 s, 36 MiB; curl -F 0.70 s, 0.70 s, 11 MiB;
# sortie upload --field 0.51 s, 0.48 s, 36 MiB. Both suffer when the file is read into a buffer 16 bytes behind a page; see `SentFile.room`.
set -euo pipefail
cd "$(dirname "$0")/../.."
sortie=${SORTIE:-$PWD/.build/release/sortie}
port=${PORT:-18097}
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/sortie-benchmark-XXXXXX")
python3 Tests/Benchmarks/sink.py "$port" > "$folder/sink" &
sink=$!
trap 'kill $sink; rm -rf "$folder"' EXIT
until [[ -s $folder/sink ]]; do sleep 0.05; done
head -c "${SIZE:-1073741824}" /dev/urandom > "$folder/big"
url=http://127.0.0.1:$port/put
measure() { python3 Tests/Benchmarks/measure.py "$@" | tee -a "$folder/figures"; }
for round in $(seq "${ROUNDS:-5}"); do
    measure "curl -T" curl -sS -o /dev/null -T "$folder/big" "$url"
    measure "sortie upload" "$sortie" upload "$url" "$folder/big"
    measure "curl -F" curl -sS -o /dev/null -F "file=@$folder/big" "$url"
    measure "sortie upload --field" "$sortie" upload "$url" "$folder/big" --field file
done
python3 Tests/Benchmarks/medians.py "$folder/figures"
