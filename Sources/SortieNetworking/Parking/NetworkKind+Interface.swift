internal import Glibc
internal import SortieHTTP

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
