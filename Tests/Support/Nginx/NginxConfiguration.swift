import Glibc

/// The configuration file of an ``Nginx``.
struct NginxConfiguration {
    let folder: String
    let httpPort: UInt16
    let httpsPort: UInt16
    let identity: Certificates.Identity
    let authority: String
    let options: Nginx.Options

    /// The configuration: in the foreground, with one worker that runs as the user of the tests.
    ///
    /// The master process is needed, because without it nginx cannot take over listening sockets (1.22 crashes).
    var text: String {
        """
        daemon off;
        worker_processes 1;
        \(geteuid() == 0 ? "user root root;" : "")
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log info;
        events { worker_connections 1024; }
        http {
            types { text/plain txt; application/json json; text/html html; }
            default_type application/octet-stream;
            log_format short '$request_method $request_uri $server_protocol $status $body_bytes_sent "$http_range"';
            access_log \(folder)/access.log short;
            client_body_temp_path \(folder)/client-body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            keepalive_timeout \(options.keepAliveSeconds);
            keepalive_requests 1000000;
            # A client that does not read for a minute is a busy machine, or the subject of a test.
            send_timeout 600;
            client_body_timeout 600;
            client_max_body_size 0;
            lingering_close on;
            gzip on;
            gzip_min_length 100;
            gzip_types text/plain application/json;
            server {
                listen 127.0.0.1:\(httpPort);
                listen 127.0.0.1:\(httpsPort) ssl\(options.offersHTTP2 ? " http2" : "");
                server_name localhost;
                ssl_certificate \(identity.certificate);
                ssl_certificate_key \(identity.key);
                ssl_protocols \(options.tlsVersions);
                \(options.demandsClientCertificate ? "ssl_client_certificate \(authority); ssl_verify_client on;" : "")
                root \(folder);
                location /files/ { }
                location = /ready { access_log off; default_type text/plain; return 200 ready; }
                location = /small { default_type text/plain; return 200 small; }
                location = /echo { default_type text/plain; return 200 "$server_protocol $request_method $request_uri $host"; }
                # nginx responds to the header of a request otherwise, and may reset the stream before its body has arrived.
                location = /read { proxy_pass http://127.0.0.1:\(httpPort)/small; }
                location = /name { default_type text/plain; return 200 "$ssl_server_name"; }
                location = /client { default_type text/plain; return 200 "$ssl_client_verify $ssl_client_s_dn"; }
                location = /status/204 { return 204; }
                location = /status/404 { return 404 "no"; }
                location = /status/500 { return 500 "broken"; }
                location = /redirect { return 302 /small; }
                \(options.directives)
            }
        }

        """
    }
}
