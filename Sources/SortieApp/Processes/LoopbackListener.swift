internal import Glibc
internal import SortieStorage

/// The user whose program listens on a port of 127.0.0.1, from the tables of the kernel (proc(5), `/proc/net/tcp`).
///
/// Nothing is connected: a program that forwards a port would open a connection to its server for each.
enum LoopbackListener {
    /// 127.0.0.1 and all addresses, as the kernel writes them.
    private static let v4 = ["0100007F", "00000000"]
    private static let v6 = [String(repeating: "0", count: 32), "0000000000000000FFFF00000100007F"]

    /// The largest table in bytes; an entry has 150.
    private static let tableLimit = 256 << 20

    /// The user of the listening socket; nil when no program listens.
    ///
    /// - Throws: When the tables cannot be read.
    static func user(ofPort port: UInt16) throws -> uid_t? {
        // A socket for all addresses of IPv6 accepts those of IPv4 as well.
        for (table, hosts) in [("tcp", v4), ("tcp6", v6)] {
            let path = "/proc/net/\(table)"
            // A kernel without IPv6 has no second table.
            guard table == "tcp" || access(path, F_OK) == 0 else { continue }
            // Foundation takes a read of less than it requested as the end of the file, and returns the first 4 kB only.
            let text = String(decoding: try WorkspaceFile.bytes(at: path, limit: tableLimit), as: UTF8.self)
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
