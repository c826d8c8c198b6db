# Sourced: an nginx on 127.0.0.1:$port that serves $folder/files and notes the ranges that it is asked for in $folder/ranges; it ends with the script.
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/sortie-benchmark-XXXXXX")
chmod 755 "$folder"
mkdir "$folder/files"
port=${PORT:-18098}
trap '[[ -f $folder/nginx.pid ]] && kill "$(cat "$folder/nginx.pid")"; rm -rf "$folder"' EXIT
cat > "$folder/nginx.conf" <<CONF
daemon on; worker_processes 1; pid $folder/nginx.pid; error_log $folder/error.log;
events { worker_connections 64; }
http {
    log_format range '\$http_x_attempt \$http_range'; access_log $folder/ranges range;
    sendfile on; etag on; default_type application/octet-stream;
    client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3; uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
    server { listen 127.0.0.1:$port; root $folder/files; location / { limit_rate ${LIMIT_RATE:-0}; } }
}
CONF
"$(command -v nginx || echo /usr/sbin/nginx)" -c "$folder/nginx.conf"
