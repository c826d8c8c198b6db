public import SortieHTTP

/// A response whose body arrives while it is read.
public struct StreamedResponse: Sendable {
    /// The identity of the call.
    public let id: RequestID
    /// The status and the header fields; its body is empty.
    public let head: Response
    /// The body.
    public let body: ByteStream
    let result: Task<Exchange, Never>

    /// The exchange with its attempts, timing and error, after the end of the body.
    ///
    /// The body must be read to its end, or the call cancelled, before the exchange ends.
    public var exchange: Exchange {
        get async { await result.value }
    }
}
