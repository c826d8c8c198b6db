#!/usr/bin/env bash
# Many small requests, 64 in flight, through `Client` and through curl, against one nginx, by turns in one run.
# Prints requests per second; the figures in CONTRIBUTING.md come from here.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-20000}
folder=$(mktemp -d)
trap '[[ -f $folder/nginx.pid ]] && kill "$(cat "$folder/nginx.pid")"; rm -rf "$folder"' EXIT
port=18099
cat > "$folder/nginx.conf" <<CONF
daemon on; worker_processes 1; pid $folder/nginx.pid; error_log $folder/error.log;
events { worker_connections 1024; }
http {
    access_log off; keepalive_requests 100000000;
    client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3; uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
    server { listen 127.0.0.1:$port; location / { default_type application/json; return 200 '{"ok":true}'; } }
}
CONF
"$(command -v nginx || echo /usr/sbin/nginx)" -c "$folder/nginx.conf"
for ((i = 0; i < count; i++)); do printf 'url=http://127.0.0.1:%d/%d\noutput=/dev/null\n' $port $i; done > "$folder/urls"
for round in 1 2 3 4 5; do
    start=$(date +%s.%N)
    curl -s --parallel --parallel-max 64 -K "$folder/urls" 2>/dev/null
    end=$(date +%s.%N)
    echo "curl --parallel-max 64: $(awk -v c="$count" -v s="$start" -v e="$end" 'BEGIN { printf "%d", c / (e - s) }') requests/s"
    .build/release/Benchmarks requests "http://127.0.0.1:$port/" "$count" 64
done
