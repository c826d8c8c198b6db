/// Limits the rate of a stream by sleeping until its bytes are due.
struct Pace: Sendable {
    /// The rate in bytes per second; nil for no limit.
    let rate: Int?
    private let start = ContinuousClock.now
    private var bytes = 0

    init(rate: Int?) {
        self.rate = rate
    }

    /// The preferred size of the next chunk: about a tenth of a second's worth.
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
