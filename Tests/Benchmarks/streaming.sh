#!/usr/bin/env bash
# Streams a body of 1 GiB from one nginx through `Client.stream` to a fast and to a slow consumer, over HTTP/1.1 and HTTP/2 without TLS, beside curl.
# Prints time and peak memory; a slow consumer over HTTP/1.1 must hold less than 4 MiB
# more than an idle client; over HTTP/2, up to the window of 32 MB. BUILD=debug uses the debug build.
# Usage: streaming.sh [MIB] [BYTES-PER-SECOND of the slow consumer]
set -euo pipefail
cd "$(dirname "$0")/../.."
size=${1:-1024}
slow=${2:-67108864}
benchmarks=.build/${BUILD:-release}/Benchmarks
folder=$(mktemp -d)
trap '[[ -f $folder/nginx.pid ]] && kill "$(cat "$folder/nginx.pid")"; rm -rf "$folder"' EXIT
port=18098
truncate -s "${size}M" "$folder/file"
cat > "$folder/nginx.conf" <<CONF
daemon on; worker_processes 1; pid $folder/nginx.pid; error_log $folder/error.log;
$([[ $(id -u) == 0 ]] && echo "user root root;")
events { worker_connections 64; }
http {
    access_log off; sendfile on;
    client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3; uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
    server { listen 127.0.0.1:$port; root $folder; }
    server { listen 127.0.0.1:$((port + 1)) http2; root $folder; }
}
CONF
"$(command -v nginx || echo /usr/sbin/nginx)" -c "$folder/nginx.conf"
for version in 1.1 2; do
    if [[ $version == 2 ]]; then
        url=http://127.0.0.1:$((port + 1))/file option=--http2-prior-knowledge
    else
        url=http://127.0.0.1:$port/file option=--http1.1
    fi
    python3 Tests/Benchmarks/measure.py "curl, HTTP/$version, fast" curl -s "$option" "$url"
    python3 Tests/Benchmarks/measure.py "curl, HTTP/$version, slow" curl -s "$option" --limit-rate "$slow" "$url"
    echo "stream, fast: $("$benchmarks" stream "$url" 0 "$version")"
    echo "stream, slow: $("$benchmarks" stream "$url" "$slow" "$version")"
done
