#!/usr/bin/env bash
# The history with nothing in it beside one of 100,000 exchanges: the store by itself, the pane on a terminal, and what `sortie send` takes.
# Latest (release, 2 cores), empty and full: H shows the pane after 7 and 6 ms; a typed letter of a filter stands after 4–12 and 5–70 ms; private memory 41 and 53 MiB;
# sortie send 52 and 54 ms, 31 ms with --no-history. The store: 445 MB, open 5 ms, a page 2 ms, words 2–15 ms, a word that is everywhere 33 ms,
# without one 80 ms; record 3 µs a call. A body of 95 MB is kept in 1.6 s while 63 MiB are used.
# Needs `make build` and `swift build -c release --product Benchmarks --static-swift-stdlib`.
set -euo pipefail
cd "$(dirname "$0")/../.."
sortie=${SORTIE:-$PWD/.build/release/sortie}
benchmarks=${BENCHMARKS:-$PWD/.build/release/Benchmarks}
count=${COUNT:-100000}
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/sortie-benchmark-XXXXXX")
python3 -m http.server --bind 127.0.0.1 --directory "$folder" 18098 > /dev/null 2>&1 &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
mkdir -p "$folder"/{empty,full,cache}
export XDG_CACHE_HOME=$folder/cache
"$benchmarks" history "$folder/full" "$count"
du -sh "$folder/full"
XDG_STATE_HOME=$folder/empty "$sortie" send http://127.0.0.1:18098/ > /dev/null
for state in empty full; do
    export XDG_STATE_HOME=$folder/$state
    echo "== $state: the pane"
    python3 Tests/Benchmarks/history-pane.py "$sortie" Workspaces/Demo "GET" "status:5xx orders"
    echo "== $state: 200 times sortie send, in seconds"
    time (for _ in $(seq 200); do "$sortie" send http://127.0.0.1:18098/ > /dev/null; done)
done
echo "== 200 times sortie send --no-history, in seconds"
time (for _ in $(seq 200); do "$sortie" send http://127.0.0.1:18098/ --no-history > /dev/null; done)
