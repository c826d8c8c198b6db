/// Performs the attempts of a client's calls: the libcurl engine (``EngineTransport``), or what takes its place, for example in a test.
///
/// A client asks its transport for one attempt at a time: after the options of all layers, plugins, cookies and signatures have been applied, and before
/// redirects, retries and the processing of the response, which belong to the client. So a call takes the same path as with the engine. Host names are
/// looked up only for a transport that passes attempts on to the engine (``usesEngine``).
///
/// ```swift
/// struct Hello: Transport {
///     func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
///         try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "text/plain")]))
///         try await response.write(Array("hello from \(request.url.path)".utf8))
///     }
/// }
/// let client = Client(.init(transport: Hello()))
/// ```
public protocol Transport: Sendable {
    /// Performs one attempt; the response ends when this method returns.
    ///
    /// The task is cancelled when the call is cancelled or a time limit expires. The call does not wait for the end of the task then, and `response`
    /// accepts nothing more.
    ///
    /// - Parameters:
    ///   - request: The request of this attempt.
    ///   - response: Receives the response.
    /// - Throws: A `NetworkError` becomes the error of the attempt, so that it is retried like an error of the engine. An error of another type becomes
    ///   `internalFailure`.
    func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws

    /// Whether the transport may pass attempts on to ``EngineTransport``; false by default.
    ///
    /// The client then looks up host names and selects addresses and proxies before each attempt. An attempt cannot be passed on without it.
    var usesEngine: Bool { get }
}

extension Transport {
    /// No attempt is passed on.
    public var usesEngine: Bool { false }
}
