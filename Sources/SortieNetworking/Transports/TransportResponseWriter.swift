public import SortieHTTP

/// Receives the response of one attempt from a ``Transport``.
///
/// Every method throws when the attempt has ended, because the call was cancelled, a time limit expired, or the client does not need the rest of the
/// body. The transport then returns; an error that it throws has no further effect.
public struct TransportResponseWriter: Sendable {
    private let attempt: TransportAttempt

    init(_ attempt: TransportAttempt) { self.attempt = attempt }

    /// Begins the response.
    ///
    /// - Parameter head: The status, the reason phrase, the HTTP version and the fields of the response; the rest is ignored.
    /// - Throws: `badResponse` for an invalid status or field and for a second response, and the reason of the end of the attempt.
    public func begin(_ head: Response) async throws(NetworkError) {
        try await attempt.begin(head)
    }

    /// Adds bytes of the body, without any content coding; returns when the client accepts more.
    ///
    /// - Parameter bytes: The next bytes.
    /// - Throws: `badResponse` before ``begin(_:)``, and the reason of the end of the attempt.
    public func write(_ bytes: [UInt8]) async throws(NetworkError) {
        try await attempt.write(bytes)
    }

    /// Adds the fields after the body.
    ///
    /// - Parameter trailers: The fields.
    /// - Throws: `badResponse` for an invalid field and before ``begin(_:)``, and the reason of the end of the attempt.
    public func write(trailers: Headers) async throws(NetworkError) {
        try await attempt.write(trailers: trailers)
    }

    /// Performs the attempt with the engine, which writes the response.
    func performWithEngine() async throws(NetworkError) {
        try await attempt.performWithEngine()
    }

    /// Sets the times of the attempt in place of the measured ones, also for an attempt that fails.
    ///
    /// - Parameter timing: The times.
    public func record(_ timing: TransportTiming) async {
        await attempt.record(timing)
    }
}
