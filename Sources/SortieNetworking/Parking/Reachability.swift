internal import Glibc
public import SortieHTTP
internal import Synchronization

/// Whether this machine has a network, according to its kernel.
///
/// The kernel reports changes; nothing is polled.
///
/// The status concerns this machine only. `online` does not mean that a server can be reached; `offline` means that
/// only this machine can be reached.
public final class Reachability: Sendable {
    /// The state of the network.
    public enum Status: String, Hashable, Sendable {
        /// An interface other than the loopback is up and has an address.
        case online
        /// No interface other than the loopback is up with an address.
        case offline
    }

    /// The differences since the last report.
    public struct Change: Hashable, Sendable {
        /// The current status.
        public var status: Status
        /// Whether the machine has a network again after it had none.
        public var cameOnline: Bool
        /// The kinds of the interfaces that are up, which may decide whether large transfers start.
        public var kinds: Set<NetworkKind> = []
        /// Whether the addresses differ, so that it may be another network.
        public var hasOtherAddresses: Bool
        fileprivate var isOtherStatus = false

        fileprivate var hasChanged: Bool { isOtherStatus || isOtherNetwork }

        /// Whether cached names and scores may be invalid.
        var isOtherNetwork: Bool { cameOnline || hasOtherAddresses }
    }

    /// The state of the interfaces at a given time.
    struct Reading: Hashable, Sendable {
        var status: Status
        /// The addresses of the interfaces other than the loopback that are up, each with the name of its interface.
        var addresses: Set<String> = []
        /// The kinds of these interfaces.
        var kinds: Set<NetworkKind> = []

        static let online = Reading(status: .online)
        static let offline = Reading(status: .offline)
    }

    /// Identifies an observer, so that its observation can be ended.
    struct Observation: Hashable, Sendable {
        fileprivate let number: Int
    }

    fileprivate struct State {
        var reading: Reading
        /// The reading that was last reported to the observers.
        var reported: Reading
        /// Whether the machine was offline at any time since `online` was last reported.
        var wasOffline: Bool
        /// When the kernel first reported a change that the observers have not received (monotonic nanoseconds).
        var firstNews: UInt64?
        /// The timer of the next report.
        var alarm: TimerQueue.ID?
        var observers: [Int: @Sendable (Change) -> Void] = [:]
        var last = 0
    }

    /// The network of this machine, observed from the first use on.
    public static let system: Reachability = {
        let reachability = Reachability(reading: Reachability.readInterfaces)
        // Where a sandbox blocks these messages the status does not change, so an online machine is never taken for
        // offline.
        _ = RouteWatch.start { reachability.notice() }
        return reachability
    }()

    /// How long no further change may occur before changes are reported.
    private static let quiet = Duration.milliseconds(500)
    /// The longest delay of a report while further changes occur.
    private static let patience = Duration.seconds(5)

    private let read: @Sendable () -> Reading
    private let quiet: Duration
    private let patience: Duration
    private let state: Mutex<State>

    /// Creates an instance that reads the state with `read`, now and on each ``notice()`` and ``refresh()``.
    init(quiet: Duration = Reachability.quiet, patience: Duration = Reachability.patience, reading read: @escaping @Sendable () -> Reading) {
        (self.read, self.quiet, self.patience) = (read, quiet, patience)
        let reading = read()
        state = Mutex(State(reading: reading, reported: reading, wasOffline: reading.status == .offline))
    }

    /// The status of the last reading.
    public var status: Status { state.withLock { $0.reading.status } }

    /// The kinds of the interfaces other than the loopback that are up with an address, at the last reading.
    ///
    /// Empty without a network, and where the kernel does not describe its interfaces. The generation of a mobile network (3G, 4G) is not known to the
    /// kernel.
    public var kinds: Set<NetworkKind> { state.withLock { $0.reading.kinds } }

    /// The changes of the network from now on.
    ///
    /// A series of changes of interfaces, addresses and routes gives one element.
    public func changes() -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream<Change>.makeStream()
        let observation = observe { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.end(observation) }
        return stream
    }

    /// Calls `observer` when the network of this machine changed, until the observation is ended.
    func observe(_ observer: @escaping @Sendable (Change) -> Void) -> Observation {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return Observation(number: state.last)
        }
    }

    /// Ends an observation.
    ///
    /// Its observer is not called again.
    func end(_ observation: Observation) {
        state.withLock { $0.observers[observation.number] = nil }
    }

    /// Reads the state again after a change that the kernel reported.
    ///
    /// Observers are notified when no more changes follow.
    func notice() {
        let reading = read()
        let alarm = TimerQueue.ID()
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
            if let earlier { TimerQueue.shared.cancel(earlier) }
            TimerQueue.shared.set(alarm, at: time) { [self] in if state.withLock({ $0.alarm == alarm }) { refresh() } }
        }
    }

    /// Reads the state again and notifies the observers immediately of any difference.
    func refresh() {
        let reading = read()
        let (change, observers) = state.withLock { state -> (Change, [@Sendable (Change) -> Void]) in
            state.take(reading)
            state.firstNews = nil
            state.alarm = nil
            return (state.report(), Array(state.observers.values))
        }
        guard change.hasChanged else { return }
        // Outside the lock, because an observer may end its observation.
        for observer in observers { observer(change) }
    }

    /// Whether the kernel has a route to `address`.
    ///
    /// Nothing is sent.
    package static func hasRoute(to address: IPAddress) -> Bool {
        selectRoute(to: address) { _, reason in reason != ENETUNREACH && reason != ENETDOWN } ?? false
    }

    /// The local address that the kernel would use for `address`; nil without a route.
    ///
    /// Nothing is sent.
    static func localAddress(towards address: IPAddress) -> IPAddress? {
        selectRoute(to: address) { descriptor, reason -> IPAddress? in
            guard descriptor >= 0, reason == 0 else { return nil }
            // Larger than the address of either family.
            var storage = [UInt64](repeating: 0, count: 16)
            var size = socklen_t(storage.count * 8)
            return storage.withUnsafeMutableBytes { buffer in
                guard let local = buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self), getsockname(descriptor, local, &size) == 0 else {
                    return nil
                }
                return bytes(of: local).flatMap { IPAddress(bytes: $0) }
            }
        } ?? nil
    }

    /// Selects the route of a datagram socket, for which nothing is sent.
    ///
    /// - Parameter use: Receives the socket, -1 where none can be created, and the error number of the selection, 0 for a success.
    private static func selectRoute<Value>(to address: IPAddress, _ use: (_ descriptor: Int32, _ reason: Int32) -> Value) -> Value? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = 2  // SOCK_DGRAM, which the Glibc module imports as an enumeration
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.description, "9", &hints, &list) == 0, let list else { return nil }
        defer { freeaddrinfo(list) }
        let descriptor = socket(list.pointee.ai_family, list.pointee.ai_socktype | 0o2000000 /* SOCK_CLOEXEC */, 0)
        guard descriptor >= 0 else { return use(-1, 0) }
        defer { close(descriptor) }
        let reason = connect(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 ? 0 : errno
        return use(descriptor, reason)
    }

    /// The 4 or 16 bytes of a socket address; nil for another family.
    static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8]? {
        // The family is read from the first two bytes: CCurl contains a copy of the type, and which one is
        // visible depends on what is compiled together.
        let family = Int32(UnsafeRawPointer(address).load(as: UInt16.self))
        guard family == AF_INET || family == AF_INET6 else { return nil }
        // The address is at byte 4 of `sockaddr_in` and at byte 8 of `sockaddr_in6`.
        return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + (family == AF_INET ? 4 : 8), count: family == AF_INET ? 4 : 16))
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
            guard let parts = bytes(of: address) else { continue }
            reading.status = .online
            let name = interface.pointee.ifa_name.map { String(cString: $0) } ?? ""
            reading.kinds.insert(NetworkKind(ofInterface: name))
            reading.addresses.insert("\(name) \(parts.map { String($0, radix: 16) }.joined(separator: "."))")
        }
        return reading
    }
}

extension Reachability.State {
    /// Records a reading.
    fileprivate mutating func take(_ reading: Reachability.Reading) {
        self.reading = reading
        if reading.status == .offline { wasOffline = true }
    }

    /// The differences since the last report, which this call updates.
    fileprivate mutating func report() -> Reachability.Change {
        var change = Reachability.Change(status: reading.status, cameOnline: false, hasOtherAddresses: false)
        let before = reported
        reported.status = reading.status
        change.kinds = reading.kinds
        change.isOtherStatus = before.status != reading.status
        // Without a network there are no addresses to compare.
        guard reading.status == .online else { return change }
        change.cameOnline = wasOffline
        change.hasOtherAddresses = before.addresses != reading.addresses || before.kinds != reading.kinds
        reported = reading
        wasOffline = false
        return change
    }
}

extension NetworkKind {
    /// The kind of an interface, according to the kernel's device tree (`sysfs(5)`).
    ///
    /// - Parameters:
    ///   - name: The name of the interface, such as `eth0`.
    ///   - root: The folder that describes the interfaces.
    init(ofInterface name: String, in root: String = "/sys/class/net") {
        func has(_ file: String) -> Bool { access("\(root)/\(name)/\(file)", F_OK) == 0 }
        if has("wireless") || has("phy80211") {
            self = .wireless
        } else if Self.hasDeviceType("wwan", "\(root)/\(name)/uevent") {
            self = .cellular
        } else {
            // Tunnels, bridges and the ends of containers have no device.
            self = has("device") ? .wired : .other
        }
    }

    /// Whether the description of an interface has a device type, such as that of modems (`DEVTYPE=wwan`).
    static func hasDeviceType(_ type: String, _ path: String) -> Bool {
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            if String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == "DEVTYPE=\(type)\n" { return true }
        }
        return false
    }
}

/// Receives the kernel's messages about changes of interfaces, addresses and routes (`rtnetlink(7)`) on a thread that
/// blocks between them.
enum RouteWatch {
    /// The subscribed message groups: `RTMGRP_LINK`, and addresses and routes of both families.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// Calls `heard` after every change, on a separate thread, for the life of the process.
    ///
    /// - Returns: Whether the subscription succeeded; some sandboxes do not permit it.
    static func start(_ heard: @escaping @Sendable () -> Void) -> Bool {
        let descriptor = socket(AF_NETLINK, 3 /* SOCK_RAW, which CCurl hides */ | 0o2000000 /* SOCK_CLOEXEC */, 0 /* NETLINK_ROUTE */)
        guard descriptor >= 0 else { return false }
        // struct sockaddr_nl: family, padding, port (0: the kernel chooses), groups.
        var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), groups)
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map { bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } ?? -1
        }
        guard bound == 0, SystemThread.start("sortie-routes", stackSize: 256 << 10, { read(descriptor, heard) }) == 0 else {
            close(descriptor)
            return false
        }
        return true
    }

    private static func read(_ descriptor: Int32, _ heard: () -> Void) {
        var message = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &message, message.count, 0)
            // ENOBUFS: messages were lost, so there was a change.
            guard count > 0 || errno == EINTR || errno == ENOBUFS else { break }
            // Changes come in groups; pending messages are read before the callback runs.
            while recv(descriptor, &message, message.count, Int32(MSG_DONTWAIT)) > 0 {}
            heard()
        }
        close(descriptor)
    }
}
