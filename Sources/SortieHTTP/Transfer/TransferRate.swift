/// The rate of a transfer: current, average, and the estimated remaining time.
///
/// The caller passes the time. The current rate is an exponentially weighted mean, so that the value is readable
/// while bytes arrive in bursts.
package struct TransferRate: Hashable, Sendable {
    /// The time constant of the mean, in seconds.
    package static let memory = 2.0

    private let startedAt: Double
    private let startedWith: Int64
    private var lastTime: Double
    private var lastBytes: Int64
    private var smoothed: Double?

    /// Starts with `bytes` that are present already, at `time` in seconds.
    package init(bytes: Int64, time: Double) {
        startedAt = time
        startedWith = bytes
        lastTime = time
        lastBytes = bytes
    }

    /// Records the number of bytes at `time`.
    ///
    /// A smaller number than before, after a restart, resets the measurement.
    package mutating func note(bytes: Int64, time: Double) {
        guard bytes >= lastBytes else {
            self = TransferRate(bytes: bytes, time: time)
            return
        }
        let elapsed = time - lastTime
        guard elapsed > 0 else { return }
        let current = Double(bytes - lastBytes) / elapsed
        let weight = elapsed / (elapsed + Self.memory)
        smoothed = smoothed.map { $0 + (current - $0) * weight } ?? current
        lastTime = time
        lastBytes = bytes
    }

    /// The current rate in bytes per second.
    package var now: Double { smoothed ?? 0 }

    /// The average rate in bytes per second since the start.
    package var average: Double {
        lastTime > startedAt ? Double(lastBytes - startedWith) / (lastTime - startedAt) : 0
    }

    /// Seconds until `total` bytes are present; nil when the estimate is not possible.
    package func remaining(of total: Int64?) -> Double? {
        guard let total, total >= lastBytes, now >= 1 else { return nil }
        let seconds = Double(total - lastBytes) / now
        return seconds < 8_640_000 ? seconds : nil
    }
}
