internal import Model
internal import Synchronization

/// The files that a call sends, each opened at its first use and kept for further attempts.
final class SentFiles: Sendable {
    private let opened = Mutex<[String: SentFile]>([:])

    /// The file at `path`.
    func file(at path: String) throws(NetworkError) -> SentFile {
        if let known = opened.withLock({ $0[path] }) { return known }
        let file = try SentFile(path: path)
        opened.withLock { $0[path] = file }
        return file
    }

    /// The length of the file at `path`, as it was when it was opened; nil when nobody knows.
    func count(of path: String) -> Int64? {
        opened.withLock { $0[path] }.map(\.count) ?? SentFile.count(of: path)
    }

    /// Whether something was read that cannot be read again.
    var isSpent: Bool { opened.withLock { $0.values.contains(where: \.isSpent) } }
}
