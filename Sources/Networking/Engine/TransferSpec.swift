internal import Model

/// One attempt as libcurl gets it: everything decided, nothing looked up.
struct TransferSpec {
    /// What is asked, after redirects and plugins.
    var method: HTTPMethod
    var url: HTTPURL
    var headers: Headers
    var body: RequestBody
    var options: RequestOptions
    /// The address to connect to; nil where the host is numeric, a proxy resolves it, or a Unix socket stands instead.
    var address: IPAddress?
    /// How long connecting may take, nanoseconds.
    var connectTimeout: UInt64
    /// When the whole call must be over, monotonic nanoseconds.
    var deadline: UInt64?
    /// Whether progress and the exact sent header are wanted.
    var isObserved: Bool
    /// Whether a redirect answer is followed, so that its body is nobody's business.
    var followsRedirects: Bool

    /// Whether a request like this may be sent a second time by libcurl when a connection that was used before dies (`engine.md`, headline 4).
    var mayBeRepeated: Bool { method.isIdempotent }
}
