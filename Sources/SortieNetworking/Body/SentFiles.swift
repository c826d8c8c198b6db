internal import SortieHTTP
internal import Synchronization

/// The files that a call sends, each opened at its first use and kept open for further attempts.
final class SentFiles: Sendable {
    private let opened = Mutex<[String: SentFile]>([:])
    private let produced = Mutex<RequestBodyStream?>(nil)
    private let inputHead = Mutex<[UInt8]>([])
    private let ciphers = Mutex<[String: FileCipher]>([:])

    /// Uses a body that the program produces for the path ``RequestBodyStream/path``.
    func use(_ stream: RequestBodyStream) { produced.withLock { $0 = stream } }

    /// Sends these bytes before the rest of standard input, from which the program has read them already.
    func use(inputHead head: [UInt8]) { inputHead.withLock { $0 = head } }

    /// Encrypts the file at `path` while it is sent.
    func encrypt(_ path: String, with cipher: FileCipher) { ciphers.withLock { $0[path] = cipher } }

    /// The body that the program produces, for its path; nil for a file.
    func stream(at path: String) -> RequestBodyStream? {
        path == RequestBodyStream.path ? produced.withLock { $0 } : nil
    }

    /// The file at `path`; opens it at the first call.
    func file(at path: String) throws(NetworkError) -> SentFile {
        if let known = opened.withLock({ $0[path] }) { return known }
        let file = try SentFile(
            path: path, head: path == SentFile.standardInput ? inputHead.withLock { $0 } : [], cipher: ciphers.withLock { $0[path] })
        opened.withLock { $0[path] = file }
        return file
    }

    /// The length of the file at `path`, as of its opening where it is open; nil when it is unknown.
    func count(of path: String) -> Int64? {
        if let stream = stream(at: path) { return stream.count }
        if let file = opened.withLock({ $0[path] }) { return file.count }
        let added = ciphers.withLock { $0[path] } == nil ? 0 : FileCipher.addedBytes
        return SentFile.count(of: path).map { $0 + added }
    }

    /// Whether a pipe or a produced body was read and cannot be read again.
    var isSpent: Bool {
        produced.withLock { $0?.isSpent } == true || opened.withLock { $0.values.contains(where: \.isSpent) }
    }
}
