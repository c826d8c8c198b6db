internal import FoundationEssentials
internal import Glibc

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
        // The kernel writes a table in several parts, between which sockets come and go, so that one reading may lack an entry.
        for _ in 1..<readings { if let user = try listedUser(ofPort: port) { return user } }
        return try listedUser(ofPort: port)
    }

    /// The number of readings after which a port that is in none counts as free.
    private static let readings = 3

    private static func listedUser(ofPort port: UInt16) throws -> uid_t? {
        // A socket for all addresses of IPv6 accepts those of IPv4 as well.
        for (table, hosts) in [("tcp", v4), ("tcp6", v6)] {
            let path = "/proc/net/\(table)"
            // A kernel without IPv6 has no second table.
            guard table == "tcp" || access(path, F_OK) == 0 else { continue }
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            for line in text.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[3] == "0A", let colon = fields[1].firstIndex(of: ":") else { continue }
                guard hosts.contains(String(fields[1][..<colon])) else { continue }
                guard UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port else { continue }
                return uid_t(fields[7])
            }
        }
        return nil
    }
}
