/// Keeps a stream of bytes at a rate by sleeping until the time at which they are due.
struct Pace: Sendable {
    /// Bytes a second; nil is as fast as it goes.
    let rate: Int?
    private let start = ContinuousClock.now
    private var bytes = 0

    init(rate: Int?) {
        self.rate = rate
    }

    /// A good size for the next chunk: about a tenth of a second's worth.
    var chunkBytes: Int {
        guard let rate else { return 256 * 1024 }
        return max(1, min(256 * 1024, rate / 10))
    }

    /// Waits until `count` more bytes may pass.
    mutating func pass(_ count: Int) async throws {
        bytes += count
        guard let rate else { return }
        try await ContinuousClock().sleep(until: start.advanced(by: .seconds(Double(bytes) / Double(rate))))
    }
}
