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

    /// Ends an observation.
    public struct Observation: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var status: Status
        var observers: [Int: @Sendable (Status) -> Void] = [:]
        var last = 0
    }

    /// The kernel of this machine; listens from its first use on.
    public static let system: Reachability = {
        let reachability = Reachability(reading: Reachability.readInterfaces)
        // Where the kernel may not tell, the status stays what it was: nothing is ever taken for offline that was not.
        _ = RouteWatch.start { reachability.refresh() }
        return reachability
    }()

    private let read: @Sendable () -> Status
    private let state: Mutex<State>

    /// Reachability as `read` finds it; ``refresh()`` looks again.
    init(reading read: @escaping @Sendable () -> Status) {
        self.read = read
        state = Mutex(State(status: read()))
    }

    /// What the kernel said last.
    public var status: Status { state.withLock { $0.status } }

    /// Calls `observer` after every change of interfaces, addresses or routes, also when the status stays: another network may reach other servers.
    public func observe(_ observer: @escaping @Sendable (Status) -> Void) -> Observation {
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

    /// Looks again and tells the observers.
    func refresh() {
        let status = read()
        let observers = state.withLock { state in
            state.status = status
            return Array(state.observers.values)
        }
        // Never under the lock: an observer may end itself.
        for observer in observers { observer(status) }
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

    private static func readInterfaces() -> Status {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return .online }
        defer { freeifaddrs(list) }
        let needed = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
        var entry = list
        while let interface = entry {
            let flags = interface.pointee.ifa_flags
            // Read as the two bytes it begins with: CCurl has its own copy of the type, and which one is seen depends on what is compiled together.
            let family = interface.pointee.ifa_addr.map { Int32(UnsafeRawPointer($0).load(as: UInt16.self)) }
            if flags & needed == needed, flags & UInt32(IFF_LOOPBACK) == 0, family == AF_INET || family == AF_INET6 {
                return .online
            }
            entry = interface.pointee.ifa_next
        }
        return .offline
    }
}
