/// How fast bytes come: now, on average, and how long the rest will take.
///
/// Time is told, never asked for. “Now” is an exponentially weighted mean, so that a number can be read while bytes come in bursts.
public struct TransferRate: Hashable, Sendable {
    /// How long a burst is felt, in seconds.
    public static let memory = 2.0

    private let startedAt: Double
    private let startedWith: Int64
    private var lastTime: Double
    private var lastBytes: Int64
    private var smoothed: Double?

    /// Begins with `bytes` that are there already, at `time` in seconds.
    public init(bytes: Int64, time: Double) {
        startedAt = time
        startedWith = bytes
        lastTime = time
        lastBytes = bytes
    }

    /// Notes how many bytes there are at `time`; fewer than before when a download began again.
    public mutating func note(bytes: Int64, time: Double) {
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

    /// Bytes a second now.
    public var now: Double { smoothed ?? 0 }

    /// Bytes a second since it began.
    public var average: Double {
        lastTime > startedAt ? Double(lastBytes - startedWith) / (lastTime - startedAt) : 0
    }

    /// Seconds until `total` bytes are there; nil when nobody can say.
    public func remaining(of total: Int64?) -> Double? {
        guard let total, total >= lastBytes, now >= 1 else { return nil }
        let seconds = Double(total - lastBytes) / now
        return seconds < 8_640_000 ? seconds : nil
    }
}
