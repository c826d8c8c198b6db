internal import SortieHTTP
internal import Synchronization

/// The files that a call sends, each opened at its first use and kept open for further attempts.
final class SentFiles: Sendable {
    private let opened = Mutex<[String: SentFile]>([:])

    /// The file at `path`; opens it at the first call.
    func file(at path: String) throws(NetworkError) -> SentFile {
        if let known = opened.withLock({ $0[path] }) { return known }
        let file = try SentFile(path: path)
        opened.withLock { $0[path] = file }
        return file
    }

    /// The length of the file at `path`, as of its opening where it is open; nil when it is unknown.
    func count(of path: String) -> Int64? {
        opened.withLock { $0[path] }.map(\.count) ?? SentFile.count(of: path)
    }

    /// Whether a pipe was read and cannot be read again.
    var isSpent: Bool { opened.withLock { $0.values.contains(where: \.isSpent) } }
}
