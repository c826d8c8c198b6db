internal import Glibc
internal import SortieHTTP

/// The network interface over which a request would leave this machine.
struct NetworkInterface: Hashable, Sendable {
    /// Returns the interface of the route to an address, from an interface or a local address where one is given; nil where it is not known.
    typealias Lookup = @Sendable (_ address: IPAddress, _ from: String?) -> NetworkInterface?

    let name: String
    let kind: NetworkKind
    /// Whether the network charges by volume, as far as the kernel reports it.
    let isMetered: Bool

    /// Reads the description of an interface.
    ///
    /// - Parameter root: The folder that describes the interfaces.
    init(_ name: String, in root: String = "/sys/class/net") {
        self.name = name
        kind = NetworkKind(ofInterface: name, in: root)
        isMetered = kind == .cellular || Self.isPhone(name, in: root)
    }

    /// The drivers of phones that share their network over USB.
    private static let phoneDrivers: Set<String> = ["rndis_host", "ipheth"]

    /// Whether the interface is a phone that shares its network over USB or Bluetooth.
    private static func isPhone(_ name: String, in root: String) -> Bool {
        if NetworkKind.hasDeviceType("bluetooth", "\(root)/\(name)/uevent") { return true }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("\(root)/\(name)/device/driver", &target, target.count)
        guard count > 0 else { return false }
        let path = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").last.map { phoneDrivers.contains(String($0)) } ?? false
    }

    /// The first of the excluded networks to which the interface belongs; nil where it may be used.
    func excluded(by networks: Set<ExcludedNetwork>) -> ExcludedNetwork? {
        if networks.contains(.interface(name)) { return .interface(name) }
        if kind == .cellular, networks.contains(.cellular) { return .cellular }
        return isMetered && networks.contains(.metered) ? .metered : nil
    }

    /// The interface of this machine over which the kernel would send to an address; nothing is sent.
    static let ofRoute: Lookup = { address, source in
        let local = source.flatMap { IPAddress($0) }
        if let source, local == nil { return NetworkInterface(source) }
        return (local ?? Reachability.localAddress(towards: address)).flatMap(name(of:)).map { NetworkInterface($0) }
    }

    /// The name of the interface with a local address.
    private static func name(of address: IPAddress) -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        let bytes = address.bytes
        var entry = list
        while let interface = entry {
            entry = interface.pointee.ifa_next
            guard let found = interface.pointee.ifa_addr, let name = interface.pointee.ifa_name else { continue }
            if Reachability.bytes(of: found) == bytes { return String(cString: name) }
        }
        return nil
    }
}

extension NetworkError {
    /// The route to a server leads over a network that the request excludes.
    static func excluded(_ network: ExcludedNetwork, _ interface: NetworkInterface, to place: String) -> NetworkError {
        let what =
            switch network {
            case .cellular: "a cellular network (\(interface.name))"
            case .metered: "a metered network (\(interface.name))"
            case .interface: "the interface \(interface.name)"
            }
        return NetworkError(
            .offline, "\(place) is reached over \(what), which the request excludes; nothing was sent", remedy: .excludedNetwork)
    }
}
