#!/usr/bin/env bash
# 1 GiB from nginx on loopback into a file, `curl -o` and `sortie download` by turns, the disk of $TMPDIR (/var/tmp) under both.
# Wall time, CPU time and peak memory of each, then the medians. sortie waits until the file is safe on the disk, curl does not.
# Latest, one round of a debug build while other builds kept the machine busy, so no comparison: curl 6.3 s wall, 3.7 s CPU; sortie 11.7 s wall, 4.8 s CPU,
# 49 MiB peak, of which 45 MiB are there with a file of 1 kB, too; --connections 4: 3.2 s wall, 1.6 s CPU, 52 MiB. With a release build: to come.
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
