#!/usr/bin/env bash
# A file that changes behind the same URL, with the same length, while a download is interrupted: who makes a mixture of old and new?
# Each tool gets the first half of the old file, is stopped, and continues after the change.
# Latest: curl 7.88.1 -C -, aria2c 1.36.0 -c and wget -c end with 0 and a mixture; sortie has the new file.
set -euo pipefail
cd "$(dirname "$0")/../.."
LIMIT_RATE=8m source Tests/Benchmarks/nginx-files.sh
sortie=${SORTIE:-$PWD/.build/release/sortie}
url=http://127.0.0.1:$port/file

result() { # NAME FILE EXIT
    local what="a MIXTURE of both, silently"
    if [[ $3 != 0 ]]; then what="an error"; elif cmp -s "$folder/new" "$2"; then what="the new file"; elif cmp -s "$folder/old" "$2"; then what="the old file"; fi
    printf '%-14s exit %s: %s\n' "$1" "$3" "$what"
}

try() { # NAME FILE COMMAND…
    local name=$1 file=$2 code=0
    shift 2
    rm -rf "$folder/work"; mkdir "$folder/work"; cd "$folder/work"
    cp "$folder/old" "$folder/files/file"; touch -d '2020-01-01' "$folder/files/file"
    "$@" > /dev/null 2>&1 & local pid=$!
    sleep 3; kill -TERM $pid 2>/dev/null || true; wait $pid 2>/dev/null || true
    cp "$folder/new" "$folder/files/file"; touch -d '2021-01-01' "$folder/files/file"
    "$@" > /dev/null 2>&1 || code=$?
    result "$name" "$folder/work/$file" $code
    cd - > /dev/null
}

head -c 40000000 /dev/urandom > "$folder/old"
head -c 40000000 /dev/urandom > "$folder/new"
try "curl -C -" file curl -sS -C - -o file "$url"
if command -v aria2c > /dev/null; then try "aria2c -c" file aria2c -q -c -o file "$url"; fi
if command -v wget > /dev/null; then try "wget -c" file wget -q -c -O file "$url"; fi
try "sortie" file "$sortie" download "$url" -o file
