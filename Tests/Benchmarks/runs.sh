#!/usr/bin/env bash
# Runs over data: the time and the memory of a chain and a batch for a number of rows and for four times as many. The time is to grow by four, the memory
# by little. Before the journal a chain over 1,000 rows took 16.6 s, and a batch over 20,000 had sent 13,000 after 200 s with 199 MiB (release, 2 cores).
# Needs `make build`, curl and GNU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
sortie=${SORTIE:-$PWD/.build/release/sortie}
count=${COUNT:-5000}
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/sortie-benchmark-XXXXXX")
"$sortie" serve --port 18099 > /dev/null &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
export XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache
mkdir -p "$folder"/ws/{api,runs}
echo "name: Benchmark" > "$folder/ws/workspace.yaml"
echo "name: Api" > "$folder/ws/api/service.yaml"
printf 'method: POST\npath: http://127.0.0.1:18099/echo\nquery: {row: "{{number}}"}\nexpect: {status: 200}\n' > "$folder/ws/api/post.yaml"
printf 'chain:\n  - send: api/post\n' > "$folder/ws/runs/chain.yaml"
printf 'batch:\n  - send: api/post\nstopOnFailure: false\n' > "$folder/ws/runs/batch.yaml"
curl --silent --retry 50 --retry-delay 0 --retry-connrefused --output /dev/null http://127.0.0.1:18099/echo
for rows in "$count" $((count * 4)); do
    (echo number; seq "$rows") > "$folder/rows.csv"
    for run in chain batch; do
        for option in --no-color --json; do
            echo "== $run, $rows rows, $option"
            env time --format '%e s, %M KiB' "$sortie" run "$run" -w "$folder/ws" --data "$folder/rows.csv" --no-history "$option" > "$folder/out"
        done
    done
done
