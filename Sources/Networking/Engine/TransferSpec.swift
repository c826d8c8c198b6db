internal import Model

/// One attempt as libcurl gets it: everything decided, nothing looked up.
///
/// A class, because it passes through many hands that each would copy a dozen fields.
final class TransferSpec: Sendable {
    /// What is asked, after redirects.
    let request: Request
    /// The address to connect to; nil where the host is numeric, a proxy resolves it, or a Unix socket stands instead.
    let address: IPAddress?
    /// The address of the proxy, where it has a name.
    let proxyAddress: IPAddress?
    /// How long connecting may take, TLS included, nanoseconds.
    let connectTimeout: UInt64
    /// How long the TCP connection may take, nanoseconds; nil where only `connectTimeout` limits it.
    let tcpTimeout: UInt64?
    /// When the whole call must be over, monotonic nanoseconds.
    let deadline: UInt64?
    /// The limit that ``deadline`` comes from.
    let totalLimit: Duration?
    /// The connections to use, where their number is limited.
    let pool: ConnectionPool?
    /// The files of the call.
    let files: SentFiles
    /// Where files for what cannot stay in memory are made.
    let spoolFolder: String
    /// Whether progress and the exact sent header are wanted.
    let isObserved: Bool

    init(
        request: Request, address: IPAddress?, proxyAddress: IPAddress? = nil, connectTimeout: UInt64, tcpTimeout: UInt64? = nil,
        deadline: UInt64?, totalLimit: Duration? = nil, files: SentFiles = SentFiles(), spoolFolder: String = "", pool: ConnectionPool? = nil,
        isObserved: Bool
    ) {
        self.pool = pool
        self.files = files
        self.spoolFolder = spoolFolder
        self.request = request
        self.address = address
        self.proxyAddress = proxyAddress
        self.connectTimeout = connectTimeout
        self.tcpTimeout = tcpTimeout
        self.deadline = deadline
        self.totalLimit = totalLimit
        self.isObserved = isObserved
    }

    var method: HTTPMethod { request.method }
    var url: HTTPURL { request.url }
    var headers: Headers { request.headers }
    var body: RequestBody { request.body }
    var options: RequestOptions { request.options }

    var isLargeUpload: Bool { request.isLargeUpload }

    /// How many bytes the body has, what frames its parts left out; nil when nobody knows before its end.
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

    /// Whether the server is asked before a body that would be a pity to send in vain (RFC 9110 §10.1.1).
    var asksBeforeBody: Bool {
        guard request.options.version != .http2, request.body != .none else { return false }
        return bodyLength.map { $0 > Self.largeBody } ?? true
    }

    /// The largest body that is sent without asking.
    private static let largeBody: Int64 = 1 << 20

    /// How long the server has for its answer to that question, milliseconds; then the body goes out.
    static let patienceForContinue = 200

    /// Whether a request like this may be sent a second time by libcurl when a connection that was used before dies (`engine.md`, headline 4).
    var mayBeRepeated: Bool { request.method.isIdempotent }
}

extension Request {
    /// Whether the body may be larger than what HTTP/2 lets go out before the server reads (RFC 9113 §6.9.2).
    ///
    /// When a server answers such a request early, without reading the rest, libcurl 7.88.1 never ends the transfer and spins until a time limit does.
    var isLargeUpload: Bool {
        switch body {
        case .none: false
        case .bytes(let bytes, _): bytes.count > 65_535
        case .file, .multipart: true
        }
    }
}
