package import SortieHTTP
internal import Synchronization

/// The scores of the addresses of all hosts that have several.
///
/// Scores are not stored, and are cleared when the network changes, because routes of another network say nothing
/// about the new one.
final class AddressScores: Sendable {
    /// The host whose addresses are compared.
    ///
    /// Another port is another server.
    struct Host: Hashable {
        var name: String
        var port: UInt16

        init(name: String, port: UInt16) {
            (self.name, self.port) = (name, port)
        }

        init(_ url: HTTPURL) {
            self.init(name: url.host, port: url.port)
        }
    }

    /// The largest number of hosts with scores.
    private static let mostHosts = 1000

    private let hosts = Mutex<[Host: HostScores]>([:])
    private let now: @Sendable () -> UInt64

    init(now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }) {
        self.now = now
    }

    /// The order in which the addresses of a URL's host are tried.
    ///
    /// - Parameter mayProbe: Whether the request may probe an address that is out of use.
    func order(_ addresses: [IPAddress], of url: HTTPURL, mayProbe: Bool) -> [HostScores.Candidate] {
        guard addresses.count > 1 else {
            return addresses.map { .init(address: $0, choice: AddressChoice(.only, count: 1, standing: AddressStatistics().standing)) }
        }
        return hosts.withLock { hosts in
            if hosts.count >= Self.mostHosts, hosts[Host(url)] == nil { hosts.removeAll() }
            return hosts[Host(url), default: HostScores()].order(addresses, mayProbe: mayProbe, at: now())
        }
    }

    /// Records the result of a request to an address.
    ///
    /// Returns the switch that it causes.
    func note(_ address: IPAddress, _ outcome: AddressStatistics.Outcome, of url: HTTPURL) -> HostScores.Switch? {
        hosts.withLock { $0[Host(url)]?.note(address, outcome, at: now()) }
    }

    /// The scores of a host; nil where it has one address.
    subscript(_ host: Host) -> HostScores? { hosts.withLock { $0[host] } }

    /// Removes all scores.
    func forgetAll() {
        hosts.withLock { $0.removeAll() }
    }
}

/// Stores resolved names so that later runs of the program can use them.
package protocol AddressArchive: Sendable {
    /// The stored names; empty when nothing is stored.
    ///
    /// - Throws: An error when stored names exist and cannot be read. The resolver then starts empty and reports the
    ///   error with the next request.
    func load() throws -> [ResolvedName]

    /// Replaces the stored names.
    func keep(_ names: [ResolvedName]) throws
}

/// The results of the recent requests to one address (`EngineFacts.md` 4.2).
struct AddressStatistics: Hashable {
    /// The result of one request.
    enum Outcome: Hashable {
        /// A response with any status, and the latency where it was measured.
        case success(Latency?)
        /// A failure caused by the address.
        case failure
    }

    /// A measured latency, in seconds.
    enum Latency: Hashable {
        /// From the first packet of a new connection to the reply.
        case connect(Double)
        /// From a request on an open connection to its first byte. It includes the server's processing time and so
        /// has a lower weight.
        case firstByte(Double)
    }

    /// The number of recent requests that count, and the number of requests between two evaluations.
    static let window = 15
    /// The score of an address without requests: better than a bad address, worse than a good one.
    static let unknown = 0.7

    /// One bit per counted request, the newest lowest; 1 is a success.
    private var outcomes: UInt16 = 0
    /// The number of counted requests.
    private(set) var requests = 0
    /// The moving average of the latency in seconds; newer values weigh more.
    private(set) var latency: Double?
    /// When the last request ended (monotonic nanoseconds).
    private(set) var heard: UInt64 = 0
    private var unjudged = 0

    /// The number of counted requests that succeeded.
    var successes: Int { outcomes.nonzeroBitCount }
    /// The success rate, smoothed towards one half while few requests are counted.
    var success: Double { Double(successes + 1) / Double(requests + 2) }

    /// The score from 0 to 1: 0.6 for latency, half of which is reached at 200 ms, and 0.4 for success.
    var score: Double {
        guard requests > 0 else { return Self.unknown }
        let way = latency.map { 0.2 / (0.2 + $0) } ?? (successes > 0 ? 0.5 : 0)
        return 0.6 * way + 0.4 * success
    }

    /// The values for display.
    var standing: AddressScore { AddressScore(score: score, latency: latency, successes: successes, requests: requests) }

    /// Records a result.
    ///
    /// Returns whether an evaluation is due: after a failure and after every fifteenth request.
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
