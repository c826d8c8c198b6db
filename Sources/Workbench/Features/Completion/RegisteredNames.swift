internal import SortieHTTP

/// Names of the IANA registries for HTTP that requests use: methods, header fields and their values.
enum RegisteredNames {
    /// The methods (RFC 9110 §9.3, RFC 4918, RFC 3253, RFC 3744, RFC 5323, RFC 5789).
    static let methods: [Completion] = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK",
        "UNLOCK", "REPORT", "SEARCH", "ACL", "MERGE", "LINK", "UNLINK", "BIND", "REBIND", "UNBIND", "CHECKIN", "CHECKOUT", "LABEL", "MKACTIVITY",
        "MKCALENDAR", "MKREDIRECTREF", "MKWORKSPACE", "ORDERPATCH", "QUERY", "UNCHECKOUT", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
        "BASELINE-CONTROL", "PURGE",
    ].map { Completion($0) }

    /// The fields of requests with their purpose, frequent ones first.
    static let headerFields: [Completion] = fields.map { Completion($0.name, detail: $0.purpose) }

    private static let fields: [(name: String, purpose: String)] = [
        ("Accept", "media types of the response"), ("Accept-Charset", "charsets of the response"),
        ("Accept-Encoding", "compressions of the response"),
        ("Accept-Language", "languages of the response"), ("Authorization", "credentials for the server"), ("Cache-Control", "directives for caches"),
        ("Connection", "options of this connection"), ("Content-Disposition", "presentation of the body"),
        ("Content-Encoding", "compressions of the body"), ("Content-Language", "languages of the body"), ("Content-Length", "size of the body"),
        ("Content-Location", "URL of the body"), ("Content-Range", "position of the body in the whole"), ("Content-Type", "media type of the body"),
        ("Cookie", "cookies for the server"), ("Date", "when the request was created"), ("Expect", "100-continue before the body"),
        ("Forwarded", "addresses changed by proxies"), ("From", "mail address of the user"), ("Host", "host and port of the server"),
        ("If-Match", "only if the version is one of these"), ("If-Modified-Since", "only if modified since"),
        ("If-None-Match", "only if the version is none of these"), ("If-Range", "a range only if unmodified"),
        ("If-Unmodified-Since", "only if unmodified since"), ("Max-Forwards", "number of proxies for TRACE"), ("Origin", "origin of the page"),
        ("Pragma", "no-cache for HTTP/1.0"), ("Prefer", "optional behaviour"), ("Priority", "urgency of the response"),
        ("Proxy-Authorization", "credentials for the proxy"), ("Range", "part of the resource"), ("Referer", "URL of the page before"),
        ("TE", "transfer codings of the response"), ("Trailer", "fields after the body"), ("Transfer-Encoding", "transfer codings of the body"),
        ("Upgrade", "other protocols"), ("Upgrade-Insecure-Requests", "1 prefers https"), ("User-Agent", "program of the user"),
        ("Via", "proxies on the way"), ("Access-Control-Request-Headers", "CORS preflight"), ("Access-Control-Request-Method", "CORS preflight"),
        ("A-IM", "instance manipulations"), ("Accept-Datetime", "time of the version"), ("Accept-Patch", "formats of patches"),
        ("Accept-Post", "formats of POST"), ("Accept-Ranges", "units of ranges"), ("ALPN", "protocols of a tunnel"),
        ("Alt-Used", "alternative service"),
        ("CDN-Loop", "CDNs on the way"), ("Content-Digest", "digest of the content"), ("Depth", "levels of a collection"),
        ("Destination", "target of COPY and MOVE"), ("Digest", "digest of the body"), ("DNT", "do not track"), ("DPoP", "proof of possession"),
        ("Early-Data", "1 for data before the handshake"), ("Idempotency-Key", "identifies a repeated request"), ("If", "lock tokens"),
        ("If-Schedule-Tag-Match", "CalDAV"), ("Keep-Alive", "time of an idle connection"), ("Last-Event-ID", "last event of a stream"),
        ("Link", "relations"), ("Lock-Token", "lock of UNLOCK"), ("MIME-Version", "version of MIME"), ("Overwrite", "T or F for COPY and MOVE"),
        ("Repr-Digest", "digest of the representation"), ("Save-Data", "on for small responses"), ("Sec-Fetch-Dest", "destination"),
        ("Sec-Fetch-Mode", "mode"), ("Sec-Fetch-Site", "relation of origins"), ("Sec-Fetch-User", "?1 after an action"),
        ("Sec-GPC", "1 for global privacy control"), ("Sec-WebSocket-Extensions", "WebSocket"), ("Sec-WebSocket-Key", "WebSocket"),
        ("Sec-WebSocket-Protocol", "WebSocket"), ("Sec-WebSocket-Version", "WebSocket"), ("Signature", "message signature"),
        ("Signature-Input", "parameters of signatures"), ("SOAPAction", "operation of SOAP"), ("Timeout", "time of a lock"),
        ("Tracestate", "state of a trace"), ("Traceparent", "position in a trace"), ("Baggage", "values of a trace"),
        ("Want-Content-Digest", "wanted digests"), ("Want-Repr-Digest", "wanted digests"), ("X-Correlation-ID", "identifies an operation"),
        ("X-CSRF-Token", "token against forged requests"), ("X-Forwarded-For", "address of the client"), ("X-Forwarded-Host", "host of the client"),
        ("X-Forwarded-Proto", "scheme of the client"), ("X-HTTP-Method-Override", "method of a POST"), ("X-Requested-With", "XMLHttpRequest"),
        ("X-Request-ID", "identifies the request"),
    ]

    private static let mediaTypes = [
        "application/json", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "text/html", "text/csv",
        "text/event-stream", "application/octet-stream", "application/problem+json", "application/ld+json", "application/hal+json",
        "application/vnd.api+json", "application/json-patch+json", "application/merge-patch+json", "application/x-ndjson", "application/yaml",
        "application/cbor", "application/msgpack", "application/protobuf", "application/graphql-response+json", "application/soap+xml",
        "application/atom+xml", "application/rss+xml", "application/pdf", "application/zip", "application/gzip", "application/javascript",
        "application/x-plist", "application/wasm", "text/css", "text/javascript", "text/markdown", "text/xml", "image/png", "image/jpeg", "image/gif",
        "image/webp", "image/svg+xml", "image/avif", "audio/mpeg", "audio/ogg", "video/mp4", "video/webm", "font/woff2", "*/*",
    ]

    /// The values by the name of the field in lowercase.
    private static let values: [String: [String]] = [
        "accept": mediaTypes,
        "content-type": mediaTypes.filter { $0 != "*/*" },
        "accept-patch": mediaTypes,
        "accept-post": mediaTypes,
        "accept-encoding": ["gzip", "br", "zstd", "deflate", "identity", "*"],
        "content-encoding": ["gzip", "br", "zstd", "deflate"],
        "te": ["trailers", "gzip", "deflate"],
        "transfer-encoding": ["chunked", "gzip"],
        "accept-charset": ["utf-8", "iso-8859-1", "us-ascii"],
        "accept-language": ["en", "en-GB", "en-US", "de", "es", "fr", "it", "ja", "ko", "pt-BR", "zh-CN", "zh-TW", "*"],
        "cache-control": [
            "no-cache", "no-store", "max-age=", "max-stale", "max-stale=", "min-fresh=", "no-transform", "only-if-cached", "stale-if-error=",
        ],
        "pragma": ["no-cache"],
        "authorization": ["Basic ", "Bearer ", "Digest ", "DPoP ", "HOBA ", "Mutual ", "Negotiate ", "AWS4-HMAC-SHA256 ", "Token "],
        "proxy-authorization": ["Basic ", "Bearer ", "Digest ", "Negotiate "],
        "connection": ["close", "keep-alive", "Upgrade"],
        "upgrade": ["websocket", "h2c"],
        "expect": ["100-continue"],
        "content-disposition": ["attachment", "inline", "form-data"],
        "prefer": ["return=minimal", "return=representation", "respond-async", "wait=", "handling=strict", "handling=lenient"],
        "depth": ["0", "1", "infinity"],
        "overwrite": ["T", "F"],
        "dnt": ["1", "0"],
        "save-data": ["on"],
        "priority": ["u=0", "u=1", "u=3", "u=7", "i"],
        "range": ["bytes=0-", "bytes=-500"],
        "sec-fetch-dest": ["empty", "document", "image", "script", "style"],
        "sec-fetch-mode": ["cors", "navigate", "no-cors", "same-origin", "websocket"],
        "sec-fetch-site": ["same-origin", "same-site", "cross-site", "none"],
        "x-requested-with": ["XMLHttpRequest"],
        "x-forwarded-proto": ["https", "http"],
    ]

    /// The known values of a header field.
    static func values(ofHeader name: String) -> [Completion] { (values[name.lowercased()] ?? []).map { Completion($0) } }
}
