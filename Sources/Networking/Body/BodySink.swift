internal import Model

/// Where the body of one answer goes while it arrives.
///
/// The engine's thread calls it and must not wait in it: what is slow happens elsewhere, and the sink asks for a pause instead.
protocol BodySink: Sendable {
    /// How many bytes came so far, decoded.
    var count: Int64 { get }
    /// What is kept of them, to be looked at.
    var view: BodyBytes { get }
    /// Whether bytes wait for the disk, so that a view taken now shows less than arrived.
    var isBehind: Bool { get }
    /// Why nothing more can be taken, if so.
    var failure: NetworkError? { get }

    /// Looks at the header of the answer, before the first byte of its body; the body of a redirect is dropped unseen.
    ///
    /// - Throws: what ends the transfer without its body.
    mutating func begin(_ header: HeaderBlock) throws(NetworkError)

    /// Takes bytes; returns whether the sender should wait until `whenDrained` is called, on no particular thread.
    ///
    /// - Throws: what ends the transfer.
    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool

    /// Hands on what was collected, so that every byte that arrived counts.
    mutating func flush()

    /// Blocks until the disk has everything: for the one case in which the sender cannot be paused.
    func waitUntilWritten()

    /// Waits until everything that was handed on is kept.
    ///
    /// - Throws: `storage` when the disk did not take it.
    func finish() async throws(NetworkError)
}
