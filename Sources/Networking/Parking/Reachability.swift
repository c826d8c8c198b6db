internal import Glibc
public import Model
internal import Synchronization

/// Whether this machine has a network, as its kernel says (S3.1, S3.16, S4.8): told by it when that changes, never asked in a loop.
///
/// It only speaks of this machine. That a network is there does not mean that a server can be reached; that none is there means that nothing but
/// this machine can.
public final class Reachability: Sendable {
    /// What the kernel says.
    public enum Status: String, Hashable, Sendable {
        /// An interface besides the loopback is up and has an address.
        case online
        /// None is: positively offline.
        case offline
    }

    /// What is different since the last time.
    public struct Change: Hashable, Sendable {
        /// Whether this machine has a network now.
        public var status: Status
        /// Whether it has one again after it had none.
        public var cameOnline: Bool
        /// Whether its addresses are others, so that it may be another network.
        public var hasOtherAddresses: Bool
        fileprivate var isOtherStatus = false

        fileprivate var isNews: Bool { isOtherStatus || isOtherNetwork }

        /// Whether what was known of names and ways may be wrong now.
        var isOtherNetwork: Bool { cameOnline || hasOtherAddresses }
    }

    /// What the kernel says at a moment.
    struct Reading: Hashable, Sendable {
        var status: Status
        /// The addresses of the interfaces besides the loopback that are up, each with its interface.
        var addresses: Set<String> = []

        static let online = Reading(status: .online)
        static let offline = Reading(status: .offline)
    }

    /// Ends an observation.
    public struct Observation: Hashable, Sendable {
        fileprivate let number: Int
    }

    fileprivate struct State {
        var reading: Reading
        /// What the observers know.
        var reported: Reading
        /// Whether there was no network at any moment since it was last reported that there is one.
        var wasOffline: Bool
        /// When the kernel first told of a change that is not reported yet, monotonic nanoseconds.
        var firstNews: UInt64?
        /// When the news are reported.
        var alarm: Alarms.ID?
        var observers: [Int: @Sendable (Change) -> Void] = [:]
        var last = 0
    }

    /// The kernel of this machine; listens from its first use on.
    public static let system: Reachability = {
        let reachability = Reachability(reading: Reachability.readInterfaces)
        // Where the kernel may not tell, the status stays what it was: nothing is ever taken for offline that was not.
        _ = RouteWatch.start { reachability.notice() }
        return reachability
    }()

    /// For how long nothing may change before a change is reported.
    private static let quiet = Duration.milliseconds(500)
    /// After which time a change is reported although more changes follow.
    private static let patience = Duration.seconds(5)

    private let read: @Sendable () -> Reading
    private let quiet: Duration
    private let patience: Duration
    private let state: Mutex<State>

    /// Reachability as `read` finds it; ``notice()`` and ``refresh()`` look again.
    init(quiet: Duration = Reachability.quiet, patience: Duration = Reachability.patience, reading read: @escaping @Sendable () -> Reading) {
        self.read = read
        self.quiet = quiet
        self.patience = patience
        let reading = read()
        state = Mutex(State(reading: reading, reported: reading, wasOffline: reading.status == .offline))
    }

    /// What the kernel said last.
    public var status: Status { state.withLock { $0.reading.status } }

    /// Calls `observer` when this machine's network changed: many changes of interfaces, addresses and routes in a row are one.
    public func observe(_ observer: @escaping @Sendable (Change) -> Void) -> Observation {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return Observation(number: state.last)
        }
    }

    /// Ends an observation; its observer is called no more.
    public func end(_ observation: Observation) {
        state.withLock { $0.observers[observation.number] = nil }
    }

    /// Reads the state again after a change that the kernel reported; observers are notified when no more changes follow.
    func notice() {
        let reading = read()
        let alarm = Alarms.ID()
        let now = MonotonicClock.now
        let (earlier, time) = state.withLock { state in
            state.take(reading)
            let first = state.firstNews ?? now
            state.firstNews = first
            let earlier = state.alarm
            state.alarm = alarm
            return (earlier, min(now &+ quiet.nanoseconds, first &+ patience.nanoseconds))
        }
        Engine.post { [self] in
            if let earlier { Alarms.shared.cancel(earlier) }
            Alarms.shared.set(alarm, at: time) { [self] in if state.withLock({ $0.alarm == alarm }) { refresh() } }
        }
    }

    /// Looks again, and tells the observers at once what is different.
    func refresh() {
        let reading = read()
        let (change, observers) = state.withLock { state -> (Change, [@Sendable (Change) -> Void]) in
            state.take(reading)
            state.firstNews = nil
            state.alarm = nil
            return (state.report(), Array(state.observers.values))
        }
        guard change.isNews else { return }
        // Never under the lock: an observer may end itself.
        for observer in observers { observer(change) }
    }

    /// Whether the kernel has a way to `address`; nothing is sent for it.
    public static func hasRoute(to address: IPAddress) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = 2  // SOCK_DGRAM, which Glibc's module hides in an enumeration
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.description, "9", &hints, &list) == 0, let list else { return false }
        defer { freeaddrinfo(list) }
        let descriptor = socket(list.pointee.ai_family, list.pointee.ai_socktype | 0o2000000 /* SOCK_CLOEXEC */, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // A datagram socket is connected by choosing a route, and by nothing else.
        return connect(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 || (errno != ENETUNREACH && errno != ENETDOWN)
    }

    private static func readInterfaces() -> Reading {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return .online }
        defer { freeifaddrs(list) }
        let needed = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
        var reading = Reading.offline
        var entry = list
        while let interface = entry {
            entry = interface.pointee.ifa_next
            let flags = interface.pointee.ifa_flags
            guard flags & needed == needed, flags & UInt32(IFF_LOOPBACK) == 0, let address = interface.pointee.ifa_addr else { continue }
            // Read as the two bytes it begins with: CCurl has its own copy of the type, and which one is seen depends on what is compiled together.
            let family = Int32(UnsafeRawPointer(address).load(as: UInt16.self))
            guard family == AF_INET || family == AF_INET6 else { continue }
            reading.status = .online
            // `sockaddr_in` has its address at byte 4, `sockaddr_in6` at byte 8.
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + (family == AF_INET ? 4 : 8), count: family == AF_INET ? 4 : 16)
            let name = interface.pointee.ifa_name.map { String(cString: $0) } ?? ""
            reading.addresses.insert("\(name) \(bytes.map { String($0, radix: 16) }.joined(separator: "."))")
        }
        return reading
    }
}

extension Reachability.State {
    /// Notes what the kernel says now.
    fileprivate mutating func take(_ reading: Reachability.Reading) {
        self.reading = reading
        if reading.status == .offline { wasOffline = true }
    }

    /// What is different since the last report; nothing more is, after that.
    fileprivate mutating func report() -> Reachability.Change {
        var change = Reachability.Change(status: reading.status, cameOnline: false, hasOtherAddresses: false)
        let before = reported
        reported.status = reading.status
        change.isOtherStatus = before.status != reading.status
        // A machine without a network has no addresses that could be compared.
        guard reading.status == .online else { return change }
        change.cameOnline = wasOffline
        change.hasOtherAddresses = before.addresses != reading.addresses
        reported = reading
        wasOffline = false
        return change
    }
}
