internal import Model

/// One attempt as libcurl gets it: everything decided, nothing looked up.
///
/// A class, because it passes through many hands that each would copy a dozen fields.
final class TransferSpec: Sendable {
    /// What is asked, after redirects.
    let request: Request
    /// The address to connect to; nil where the host is numeric, a proxy resolves it, or a Unix socket stands instead.
    let address: IPAddress?
    /// How long connecting may take, nanoseconds.
    let connectTimeout: UInt64
    /// When the whole call must be over, monotonic nanoseconds.
    let deadline: UInt64?
    /// Whether progress and the exact sent header are wanted.
    let isObserved: Bool

    init(request: Request, address: IPAddress?, connectTimeout: UInt64, deadline: UInt64?, isObserved: Bool) {
        self.request = request
        self.address = address
        self.connectTimeout = connectTimeout
        self.deadline = deadline
        self.isObserved = isObserved
    }

    var method: HTTPMethod { request.method }
    var url: HTTPURL { request.url }
    var headers: Headers { request.headers }
    var body: RequestBody { request.body }
    var options: RequestOptions { request.options }

    /// Whether a redirect answer is followed, so that its body is nobody's business.
    var followsRedirects: Bool { request.options.maximumRedirects > 0 }

    /// Whether the body may be larger than what HTTP/2 lets go out before the server reads (RFC 9113 §6.9.2).
    ///
    /// When a server answers such a request early, without reading the rest, libcurl 7.88.1 never ends the transfer and spins until a time limit does.
    var isLargeUpload: Bool {
        switch request.body {
        case .none: false
        case .bytes(let bytes, _): bytes.count > 65_535
        case .file, .multipart: true
        }
    }

    /// Whether a request like this may be sent a second time by libcurl when a connection that was used before dies (`engine.md`, headline 4).
    var mayBeRepeated: Bool { request.method.isIdempotent }
}
