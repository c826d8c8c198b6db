/// Performs attempts with the libcurl engine; the default transport of a client.
///
/// A transport that wraps it performs some attempts itself, and passes the others on:
///
/// ```swift
/// try await EngineTransport().perform(request, response: response)
/// ```
public struct EngineTransport: Transport {
    /// Creates the transport; the engine of the process starts with its first attempt.
    public init() {}

    /// The client looks up names and selects addresses.
    public var usesEngine: Bool { true }

    /// Performs the attempt; the response goes directly to the call, with the address, the certificates and the times of the connection.
    ///
    /// - Parameters:
    ///   - request: The request of this attempt, which is sent as it was received.
    ///   - response: Receives the response; a transport must not have begun one.
    /// - Throws: The error of the attempt. Without a response, the transport may pass the attempt on again or begin another response.
    public func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
        try await response.performWithEngine()
    }
}

extension Transport where Self == EngineTransport {
    /// The libcurl engine.
    public static var engine: EngineTransport { EngineTransport() }
}
