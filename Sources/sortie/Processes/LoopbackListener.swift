internal import Glibc
internal import SystemPackage

/// The user whose program listens on a port of 127.0.0.1, from the tables of the kernel (proc(5), `/proc/net/tcp`).
///
/// Nothing is connected: a program that forwards a port would open a connection to its server for each.
enum LoopbackListener {
    /// 127.0.0.1 and all addresses, as the kernel writes them.
    private static let v4 = ["0100007F", "00000000"]
    private static let v6 = [String(repeating: "0", count: 32), "0000000000000000FFFF00000100007F"]

    /// The user of the listening socket; nil when no program listens.
    ///
    /// - Throws: When the tables cannot be read.
    static func user(ofPort port: UInt16) throws -> uid_t? {
        // A socket for all addresses of IPv6 accepts those of IPv4 as well.
        for (table, hosts) in [("tcp", v4), ("tcp6", v6)] {
            let path = "/proc/net/\(table)"
            // A kernel without IPv6 has no second table.
            guard table == "tcp" || access(path, F_OK) == 0 else { continue }
            for line in try text(ofTable: path).split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[3] == "0A", let colon = fields[1].firstIndex(of: ":") else { continue }
                guard hosts.contains(String(fields[1][..<colon])) else { continue }
                guard UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port else { continue }
                return uid_t(fields[7])
            }
        }
        return nil
    }

    /// The text of a table of the kernel, each part of which a read returns.
    ///
    /// Foundation takes a read of less than it requested as the end of the file, and would return the first 4 kB only.
    private static func text(ofTable path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno(rawValue: errno) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
