#!/usr/bin/env bash
# Many small GETs, 64 in flight, against one nginx, by turns in one run: `Client`, bare libcurl (multi.c), AsyncHTTPClient (a separate package)
# and `curl --parallel`; over HTTP/1.1 without and with TLS, and over HTTP/2. All of them verify the certificate, which is made for the run.
# Prints requests per second and the CPU time of the process per request, as medians of the rounds; Performance.md has them.
# Usage: requests.sh [COUNT] [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-20000}
rounds=${2:-5}
folder=$(mktemp -d)
trap '[[ -f $folder/nginx.pid ]] && kill "$(cat "$folder/nginx.pid")"; rm -rf "$folder"' EXIT
port=18099
swift build -c release --package-path Tests/Benchmarks/AsyncHTTPClient --scratch-path .build/async-http-client --static-swift-stdlib > "$folder/build.log" 2>&1 ||
    { cat "$folder/build.log"; exit 1; }
cc -O2 -o "$folder/multi" Tests/Benchmarks/multi.c -lcurl
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2> /dev/null
cat > "$folder/nginx.conf" <<CONF
daemon on; worker_processes 1; pid $folder/nginx.pid; error_log $folder/error.log;
events { worker_connections 1024; }
http {
    access_log off; keepalive_requests 100000000; keepalive_time 1d; default_type application/json;
    ssl_certificate $folder/certificate.pem; ssl_certificate_key $folder/key.pem;
    client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3; uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
    server { listen 127.0.0.1:$port; location / { return 200 '{"ok":true}'; } }
    server { listen 127.0.0.1:$((port + 1)) ssl; location / { return 200 '{"ok":true}'; } }
    server { listen 127.0.0.1:$((port + 2)) ssl http2; location / { return 200 '{"ok":true}'; } }
}
CONF
"$(command -v nginx || echo /usr/sbin/nginx)" -c "$folder/nginx.conf"

# Runs curl and prints a line like those of the other programs; its CPU time contains its start.
curl_parallel() {
    for ((i = 0; i < count; i++)); do printf 'url=%s\noutput=/dev/null\n' "$1"; done > "$folder/urls"
    local TIMEFORMAT='%R %U %S'
    { time curl -s --parallel --parallel-max 64 --cacert "$folder/certificate.pem" -K "$folder/urls" 2> /dev/null; } 2>&1 |
        awk -v c="$count" '{ printf "%d requests/s, %.1f µs CPU/request, 0 failed\n", c / $1, ($2 + $3) / c * 1e6 }'
}

for protocol in "HTTP/1.1 http://127.0.0.1:$port/" "TLS https://127.0.0.1:$((port + 1))/" "HTTP/2 https://127.0.0.1:$((port + 2))/"; do
    read -r name url <<< "$protocol"
    for ((round = 0; round < rounds; round++)); do
        echo "$name Sortie $(.build/release/Benchmarks requests "$url" "$count" 64 "$folder/certificate.pem")"
        echo "$name libcurl $("$folder/multi" "$url" "$count" 64 "$folder/certificate.pem")"
        echo "$name AsyncHTTPClient $(.build/async-http-client/release/requests "$url" "$count" 64 "$folder/certificate.pem")"
        echo "$name curl $(curl_parallel "$url")"
    done
done | tee "$folder/results" >&2
python3 Tests/Benchmarks/medians.py "$folder/results"
