internal import SortieHTTP

/// The destination of one response body while it arrives.
///
/// The engine calls it on its thread, so methods must not block: an implementation does slow work elsewhere and requests a pause instead.
protocol BodySink: Sendable {
    /// The number of decoded bytes received so far.
    var count: Int64 { get }
    /// The bytes that are kept for display.
    var view: BodyBytes { get }
    /// Whether bytes wait for the disk, so that ``view`` lacks some of the received bytes.
    var isBehind: Bool { get }
    /// The failure after which no more bytes are accepted; nil without one.
    var failure: NetworkError? { get }

    /// Whether ``begin(_:)`` is called when the header of a response below 400 is complete, instead of with the first byte of its body.
    var beginsWithHeader: Bool { get }

    /// Inspects the header of the response before the first byte of its body; not called for a redirect, whose body is discarded.
    ///
    /// - Throws: The error that ends the transfer without reading the body.
    mutating func begin(_ header: HeaderBytes) throws(NetworkError)

    /// Adds bytes; returns whether the sender should wait until `whenDrained` is called, on an unspecified thread.
    ///
    /// - Throws: The error that ends the transfer.
    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool

    /// Submits all collected bytes, so that every received byte counts.
    mutating func flush()

    /// Blocks until the disk has all bytes; only for the case in which the sender cannot be paused.
    func waitUntilWritten()

    /// Whether ``finish()`` has nothing to wait for, as for a body in memory.
    var isStored: Bool { get }

    /// Waits until all submitted bytes are stored.
    ///
    /// - Throws: `storage` when the disk failed.
    func finish() async throws(NetworkError)
}

extension BodySink {
    var beginsWithHeader: Bool { false }
    var isStored: Bool { false }
}
