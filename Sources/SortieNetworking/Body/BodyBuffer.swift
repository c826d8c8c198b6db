package import SortieBase
package import SortieHTTP

/// A buffer for the decoded body of one response: in memory up to 1 MiB, beyond that in a ``SpoolFile``.
package struct BodyBuffer: BodySink {
    /// The size of the largest body that is kept in memory, in bytes.
    static let memoryLimit = 1 << 20
    private static let chunkSize = 256 << 10

    private let folder: String
    private let limit: Int64?
    private let demand: BodyDemand?
    private var memory: [UInt8] = []
    private var spool: SpoolFile?
    package private(set) var count: Int64 = 0

    /// Creates a buffer for at most `limit` bytes that stores large bodies in `folder`.
    ///
    /// - Parameter demand: the demand of a consumer that takes the body while it arrives.
    package init(folder: String, limit: Int64?, demand: BodyDemand? = nil) {
        (self.folder, self.limit, self.demand) = (folder, limit, demand)
    }

    /// Accepts every response.
    func begin(_ header: HeaderBytes) {}

    /// Adds bytes; returns whether the sender should wait until `whenDrained` is called.
    ///
    /// - Throws: `bodyTooLarge` beyond the limit, `storage` when no file can be created or written.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void
    ) throws(NetworkError) -> Bool {
        count += Int64(bytes.count)
        if let limit, count > limit {
            throw NetworkError(
                .bodyTooLarge, "the body is larger than \(ByteCount(limit).text), the limit",
                remedy: .bodyLimit)
        }
        if spool == nil, memory.count + bytes.count > Self.memoryLimit {
            spool = try SpoolFile(folder: folder)
        }
        memory.append(contentsOf: bytes)
        guard let spool, memory.count >= Self.chunkSize else { return false }
        if let failure { throw failure }
        let chunk = memory
        memory = []
        memory.reserveCapacity(Self.chunkSize + 16 << 10)
        let isDiskBehind = spool.append(chunk, whenDrained: whenDrained)
        return demand?.mustWait(at: count, resume: whenDrained) == true || isDiskBehind
    }

    /// Submits the remaining bytes to the file, so that every received byte becomes visible.
    package mutating func flush() {
        guard let spool, !memory.isEmpty else { return }
        _ = spool.append(memory) {}
        memory = []
    }

    /// The bytes received so far.
    package var view: BodyBytes { spool?.view ?? BodyBytes(memory) }

    /// Whether bytes wait for the disk.
    var isBehind: Bool { spool?.isBehind == true }

    /// The failure of the disk; nil without one.
    var failure: NetworkError? {
        spool?.failure.map { NetworkError(.storage, "the body could not be stored: \($0.lowercased())", underlying: $0) }
    }

    /// Blocks until a large body is on the disk.
    package func waitUntilWritten() {
        spool?.waitUntilWritten()
    }

    /// Waits until a large body is on the disk.
    func finish() async throws(NetworkError) {
        try await spool?.finish()
    }
}
