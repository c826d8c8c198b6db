internal import SortieHTTP

/// One attempt as it is passed to libcurl: all choices are made and all names are resolved.
///
/// A class, because it is passed through many calls that each would copy a dozen fields.
final class TransferRequest: Sendable {
    /// The request, after redirects.
    let request: Request
    /// The address to connect to; nil where the host is numeric, a proxy resolves it, or a Unix socket or a tunnel is used.
    let address: IPAddress?
    /// The address of the proxy, where the proxy is given by name.
    let proxyAddress: IPAddress?
    /// The Kerberos ticket for the proxy; nil where it needs none.
    let proxyTicket: String?
    /// The route through a tunnel; nil without one.
    let tunnel: TunnelRoute?
    /// The time limit for connecting, including TLS, in nanoseconds.
    let connectTimeout: UInt64
    /// The time limit for the TCP connection in nanoseconds; nil where only `connectTimeout` applies.
    let tcpTimeout: UInt64?
    /// The deadline of the whole request (monotonic nanoseconds).
    let deadline: UInt64?
    /// The limit of the time without a byte in either direction.
    let idleLimit: Duration
    /// The same in nanoseconds.
    let idleTime: UInt64
    /// The time limit from which ``deadline`` is computed.
    let totalLimit: Duration?
    /// The pool to use, where the number of connections is limited.
    let pool: ConnectionPool?
    /// The files that the request sends.
    let files: SentFiles
    /// The folder of spool files.
    let spoolFolder: String
    /// The receiver of a WebSocket connection; nil for an HTTP request.
    let webSocket: WebSocketChannel?
    /// Whether to report progress and to record the exact sent header.
    let isObserved: Bool
    /// Whether the request has a body, also an empty one.
    let hasBody: Bool

    init(
        request: Request, address: IPAddress?, proxyAddress: IPAddress? = nil, proxyTicket: String? = nil, tunnel: TunnelRoute? = nil,
        connectTimeout: UInt64, tcpTimeout: UInt64? = nil, deadline: UInt64?, totalLimit: Duration? = nil, files: SentFiles = SentFiles(),
        spoolFolder: String = "", pool: ConnectionPool? = nil, webSocket: WebSocketChannel? = nil, isObserved: Bool
    ) {
        (self.pool, self.webSocket, self.files, self.spoolFolder, self.request) = (pool, webSocket, files, spoolFolder, request)
        self.address = address
        (self.proxyAddress, self.proxyTicket) = (proxyAddress, proxyTicket)
        (self.tunnel, self.connectTimeout, self.tcpTimeout, self.deadline) = (tunnel, connectTimeout, tcpTimeout, deadline)
        self.totalLimit = totalLimit
        idleLimit = request.options.timeouts.idle(ofUpload: request.isUpload)
        idleTime = idleLimit.nanoseconds
        self.isObserved = isObserved
        hasBody = request.hasBody
    }

    // Read without copies of these values.
    var method: HTTPMethod { _read { yield request.method } }
    var url: HTTPURL { _read { yield request.url } }
    var headers: Headers { _read { yield request.headers } }
    var body: RequestBody { _read { yield request.body } }
    var options: RequestOptions { _read { yield request.options } }

    var isLargeUpload: Bool { request.isLargeUpload }

    /// Whether only HTTP/1.1 may be used.
    var isHTTP1Only: Bool {
        webSocket != nil || options.version == .http1 || options.version == .automatic && (isLargeUpload || options.needsOwnConnection)
    }

    /// The body length in bytes, without multipart framing; nil when it is unknown before the end of the body.
    var bodyLength: Int64? {
        switch request.body {
        case .none: return 0
        case .bytes(let bytes, _): return Int64(bytes.count)
        case .file(let path, _): return files.count(of: path)
        case .multipart(let parts):
            var sum: Int64 = 0
            for part in parts {
                switch part.content {
                case .bytes(let bytes): sum += Int64(bytes.count)
                case .file(let path):
                    guard let count = files.count(of: path) else { return nil }
                    sum += count
                }
            }
            return sum
        }
    }

    /// Whether to send `Expect: 100-continue`, so that a large body is not sent when the server refuses it (RFC 9110 §10.1.1).
    var asksBeforeBody: Bool {
        guard request.options.version != .http2, hasBody, !request.options.removedFields.contains("expect") else { return false }
        return bodyLength.map { $0 > Self.largeBody } ?? true
    }

    /// Whether libcurl may wait for a 100 response before it sends the body.
    var mayAwaitContinue: Bool { asksBeforeBody || hasBody && headers.contains("Expect") }

    /// Whether HTTP/2 may be used.
    var mayUseHTTP2: Bool { !isHTTP1Only && (url.scheme == .https || options.version == .http2) }

    /// Whether libcurl's debug text is needed: for the sent header, for the request of a tunnel, for the last stream that a server of HTTP/2 processes, before
    /// a request that may not be sent twice is sent again, and for the time at which the stream of a request with a body is opened.
    var readsDebugText: Bool { isObserved || opensTunnel || mayUseHTTP2 && !mayBeRepeated || combinesSegments }

    /// Whether the header and the body are sent in one segment over HTTP/2, where they fit into it.
    ///
    /// The end of a larger body would wait for more window of the server, and the kernel would delay it.
    var combinesSegments: Bool { mayUseHTTP2 && hasBody && !mayAwaitContinue && (isGRPC || !isLargeUpload) }

    /// The largest body that is sent without `Expect: 100-continue`, in bytes.
    private static let largeBody: Int64 = 1 << 20

    /// How long to wait for a 100 response, in milliseconds; then the body is sent.
    static let patienceForContinue = 200

    /// Whether libcurl may repeat the request when a reused connection fails (`EngineFacts.md`, headline 4).
    var mayBeRepeated: Bool { request.method.isIdempotent }
}

extension RequestOptions {
    /// Whether the server may authenticate the connection instead of the request.
    var needsOwnConnection: Bool {
        switch credential {
        case .ntlm, .negotiate: true
        case .inherit, .none, .basic, .bearer, .digest, .oauth2, .awsSigV4, .jwt, .apiKey, .signature: false
        }
    }
}

extension Request {
    /// Whether there is a body, also an empty one; a comparison of bodies would copy them.
    var hasBody: Bool {
        if case .none = body { false } else { true }
    }

    /// Whether the body may exceed the initial flow-control window of HTTP/2 (RFC 9113 §6.9.2).
    ///
    /// When a server responds to such a request early and does not read the rest, libcurl 7.88.1 never ends the
    /// transfer and spins until a timeout.
    var isLargeUpload: Bool {
        switch body {
        case .none: false
        case .bytes(let bytes, _): bytes.count > 65_535
        case .file, .multipart: true
        }
    }
}
