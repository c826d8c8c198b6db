#!/usr/bin/env bash
# 1 GiB from nginx on loopback into a file, `curl -o` and `sortie download` by turns, the disk of $TMPDIR (/var/tmp) under both.
# Wall time, CPU time and peak memory of each, then the medians. sortie waits until the file is safe on the disk, curl does not.
# Latest (`make build`, 2 cores, medians of 3): curl -o 1.92 s wall, 1.89 s CPU, 11 MiB; sortie download 1.50 s, 1.88 s, 38 MiB; with --sha256 1.74 s, 2.36 s,
# 39 MiB; with --connections 4 1.46 s, 1.61 s, 41 MiB. Of the memory 32 MiB are there before anything is asked for.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Tests/Benchmarks/nginx-files.sh
sortie=${SORTIE:-$PWD/.build/release/sortie}
head -c "${SIZE:-1073741824}" /dev/urandom > "$folder/files/big"
digest=$(sha256sum "$folder/files/big" | cut -d' ' -f1)
url=http://127.0.0.1:$port/big
measure() { # LABEL COMMAND…
    rm -f "$folder/out"
    python3 Tests/Benchmarks/measure.py "$@" | tee -a "$folder/figures"
    cmp "$folder/files/big" "$folder/out"
}
for round in $(seq "${ROUNDS:-5}"); do
    measure "curl -o" curl -sS -o "$folder/out" "$url"
    measure "sortie download" "$sortie" download "$url" -o "$folder/out"
    measure "sortie download --sha256" "$sortie" download "$url" -o "$folder/out" --sha256 "$digest"
    measure "sortie --connections 4" "$sortie" download "$url" -o "$folder/out" --connections 4
done
python3 Tests/Benchmarks/medians.py "$folder/figures"
