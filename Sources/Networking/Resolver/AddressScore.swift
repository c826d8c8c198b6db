internal import Model

/// What the requests of one address came to (S3.8, S3.9, `engine.md` §4.2).
struct AddressScore: Hashable {
    /// How one request came out.
    enum Outcome: Hashable {
        /// An answer came, whatever its status; the time of the way in seconds where it was measured.
        case success(Latency?)
        /// The address is to blame.
        case failure
    }

    /// A measured time, in seconds.
    enum Latency: Hashable {
        /// From the first packet of a new connection to its answer.
        case connect(Double)
        /// From a request on an open connection to its first byte: the server's own time is in it, so it weighs less.
        case firstByte(Double)
    }

    /// How many of the last requests are counted, and after how many the address is judged.
    static let window = 15
    /// What an address is worth that was never tried: better than a bad one, worse than a good one.
    static let unknown = 0.7

    /// A bit for each counted request, the newest lowest; 1 is success.
    private var outcomes: UInt16 = 0
    /// How many are counted.
    private(set) var requests = 0
    /// The average time of the way, in seconds, newer ones weighing more.
    private(set) var latency: Double?
    /// When a request came back last, monotonic nanoseconds.
    private(set) var heard: UInt64 = 0
    private var unjudged = 0

    /// How many of the counted requests succeeded.
    var successes: Int { outcomes.nonzeroBitCount }
    /// The share of success, drawn to the middle while little is known.
    var success: Double { Double(successes + 1) / Double(requests + 2) }

    /// From 0 to 1: 0.6 for the way, which is half of it at 200 ms, and 0.4 for success.
    var score: Double {
        guard requests > 0 else { return Self.unknown }
        let way = latency.map { 0.2 / (0.2 + $0) } ?? (successes > 0 ? 0.5 : 0)
        return 0.6 * way + 0.4 * success
    }

    /// The numbers, to be shown.
    var standing: AddressStanding { AddressStanding(score: score, latency: latency, successes: successes, requests: requests) }

    /// Notes an outcome; returns whether it is time to judge: after a failure, and after every fifteenth request.
    mutating func note(_ outcome: Outcome, at now: UInt64) -> Bool {
        outcomes = (outcomes << 1) & (1 << UInt16(Self.window) - 1)
        requests = min(requests + 1, Self.window)
        heard = now
        unjudged += 1
        if case .success(let time) = outcome {
            outcomes |= 1
            if let time { average(time) }
        }
        guard outcome == .failure || unjudged >= Self.window else { return false }
        unjudged = 0
        return true
    }

    private mutating func average(_ time: Latency) {
        let (value, weight) =
            switch time {
            case .connect(let seconds): (seconds, 0.3)
            case .firstByte(let seconds): (seconds, 0.1)
            }
        latency = latency.map { $0 + weight * (value - $0) } ?? value
    }
}
