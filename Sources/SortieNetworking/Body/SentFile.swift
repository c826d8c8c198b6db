internal import CLinux
internal import Glibc
package import SortieHTTP
internal import Synchronization

/// A file or pipe to send, opened once for all attempts of a call.
///
/// The content is that of the time of opening: a file that changes meanwhile ends the call, and a file that is replaced is still read in its old
/// version. The file is read and never mapped, because a mapped file that another program truncates kills this program.
final class SentFile: Sendable {
    /// The result of a read.
    enum Piece {
        /// The number of bytes read.
        case bytes(Int)
        /// The end of the file.
        case end
        /// A pipe has no bytes at present.
        case later
        /// The file cannot be sent.
        case failed(NetworkError)
    }

    /// The number of bytes that are sent; nil where it is known only at the end, as for a pipe or a file that the kernel generates while it is read.
    let count: Int64?
    /// The number of bytes of the file itself.
    private let plainCount: Int64?
    /// The run of the encryption; nil for a file that is sent as it is.
    private let encryption: Mutex<FileCipher.Run?>
    private let cipher: FileCipher?
    /// Whether the file can be read repeatedly from any offset.
    let isSeekable: Bool
    /// The file descriptor, for waiting until a pipe is readable.
    let descriptor: Int32
    private let name: String
    private let stamp: Stamp
    /// The first bytes of a pipe, which the program has read already.
    private let head: [UInt8]
    /// The number of bytes read from a pipe, with those of its head; they cannot be read again.
    private let taken = Atomic<Int64>(0)

    /// The metadata that change when a file is written.
    private struct Stamp: Equatable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            size = status.st_size
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    /// Opens the file at `path`; `Request.standardInput` is the standard input of the program.
    ///
    /// - Parameters:
    ///   - head: The first bytes of a pipe, where the program has read them already.
    ///   - cipher: Encrypts the file while it is read; nil sends it as it is.
    /// - Throws: `fileUnreadable` when the file cannot be opened or is a folder.
    init(path: String, head: [UInt8] = [], cipher: FileCipher? = nil) throws(NetworkError) {
        self.head = head
        name = Self.name(of: path)
        self.cipher = cipher
        encryption = Mutex(nil)
        try Self.checkInput(path)
        // Opened without blocking: a pipe that has no writer yet must not block the engine.
        var descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // Standard input that cannot be opened again, such as a socket or another user's pipe, is duplicated.
        if descriptor < 0, path == Request.standardInput { descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw Self.unreadable(path, code)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw Self.folder(path)
        }
        self.descriptor = descriptor
        stamp = Stamp(status)
        isSeekable = status.st_mode & S_IFMT == S_IFREG
        plainCount = Self.length(of: descriptor, status)
        count = plainCount.map { $0 + (cipher == nil ? 0 : FileCipher.addedBytes) }
        if count != nil { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    deinit {
        close(descriptor)
    }

    /// The file systems whose files report no length: `proc(5)`, `sysfs(5)`, and control groups.
    private static let madeUp: Set<Int> = [0x9fa0, 0x6265_6572, 0x6367_7270]

    /// The length of an open file; nil where its status does not contain it.
    private static func length(of descriptor: Int32, _ status: stat) -> Int64? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard !madeUp.contains(clinux_file_system_type(descriptor)) else { return nil }
        // Other file systems, such as those in user space, may also have files of length 0 with content.
        var byte: UInt8 = 0
        if status.st_size == 0, pread(descriptor, &byte, 1, 0) > 0 { return nil }
        return Int64(status.st_size)
    }

    /// Whether the file is a pipe that has been read and cannot be read again.
    var isSpent: Bool { !isSeekable && taken.load(ordering: .relaxed) > 0 }

    /// Checks that an attempt can start with the first byte.
    ///
    /// - Throws: `fileUnreadable` when that byte has been read from a pipe, or the file has changed.
    func begin() throws(NetworkError) {
        guard !isSpent else {
            throw NetworkError(
                .fileUnreadable, "\(name) was already read and cannot be sent again", hint: "use a file, which can be sent again")
        }
        if let change { throw change }
    }

    /// Fills `buffer` with the bytes at `offset` of what is sent.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Piece {
        guard let cipher else { return readFile(into: buffer, at: offset) }
        return encryption.withLock { run in
            // An earlier byte, as for another attempt, requires a run from the first byte on.
            if let earlier = run {
                // A file whose length is not known may have other content now, which must not be encrypted with the same nonce.
                if isSeekable, offset < earlier.offset { run = FileCipher.Run(plainCount == nil ? cipher.withNewNonce : cipher) }
            } else {
                run = FileCipher.Run(cipher)
            }
            guard var current = run else { return .end }
            let piece = readEncrypted(into: buffer, at: offset, &current)
            run = current
            return piece
        }
    }

    private func readEncrypted(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ run: inout FileCipher.Run) -> Piece {
        guard !buffer.isEmpty else { return .end }
        while true {
            if run.needsBytes {
                switch readFile(into: buffer, at: run.plainOffset) {
                case .bytes(let got):
                    do throws(NetworkError) { try run.add(UnsafeRawBufferPointer(rebasing: buffer[..<got])) } catch { return .failed(error) }
                case .end:
                    do throws(NetworkError) { try run.end() } catch { return .failed(error) }
                case .later: return .later
                case .failed(let error): return .failed(error)
                }
            }
            let missing = max(0, offset - run.offset)
            let got = run.take(into: missing == 0 ? buffer : UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: missing))))
            guard got > 0 else { return .end }
            if missing == 0 { return .bytes(got) }
        }
    }

    /// Fills `buffer` with the bytes at `offset` of the file.
    private func readFile(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Piece {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return .end }
        guard isSeekable else { return readPipe(base, buffer.count) }
        guard let plainCount else { return readToEnd(base, buffer.count, at: offset) }
        guard offset < plainCount else { return .end }
        let got = pread(descriptor, base, Int(min(Int64(Self.room(of: buffer, at: offset)), plainCount - offset)), off_t(offset))
        guard got >= 0 else { return .failed(Self.unreadable(name, errno)) }
        // Checked before the bytes are sent, so that a server never receives the end of a mixed body.
        if let change { return .failed(change) }
        return got > 0 ? .bytes(got) : .failed(Self.changed(name))
    }

    /// The number of bytes to read at once.
    ///
    /// Where the buffer lies a few bytes behind the file's offset within a memory page, as libcurl's buffer does, the processor takes each copied
    /// word for one that was just written, and copies four times slower. A first read that is half a page shorter corrects this for all that follow.
    private static func room(of buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let page = 4096
        let lead = (Int(bitPattern: buffer.baseAddress) - Int(truncatingIfNeeded: offset)) & (page - 1)
        return (1..<64).contains(lead) && buffer.count > 4 * page ? buffer.count - page / 2 : buffer.count
    }

    private func readToEnd(_ base: UnsafeMutableRawPointer, _ capacity: Int, at offset: Int64) -> Piece {
        let got = pread(descriptor, base, capacity, off_t(offset))
        guard got >= 0 else { return .failed(Self.unreadable(name, errno)) }
        return got > 0 ? .bytes(got) : .end
    }

    private func readPipe(_ base: UnsafeMutableRawPointer, _ capacity: Int) -> Piece {
        let start = Int(taken.load(ordering: .relaxed))
        if start < head.count {
            let size = min(capacity, head.count - start)
            head.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: base, count: size).copyMemory(from: .init(rebasing: $0[start..<start + size]))
            }
            taken.add(Int64(size), ordering: .relaxed)
            return .bytes(size)
        }
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&events, 1, 0) > 0 else { return .later }
        let got = Glibc.read(descriptor, base, capacity)
        if got < 0 { return errno == EAGAIN || errno == EINTR ? .later : .failed(Self.unreadable(name, errno)) }
        taken.add(Int64(got), ordering: .relaxed)
        return got > 0 ? .bytes(got) : .end
    }

    /// The error for a file that changed since it was opened; nil for an unchanged file.
    private var change: NetworkError? {
        guard count != nil else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return Self.unreadable(name, errno) }
        return Stamp(status) == stamp ? nil : Self.changed(name)
    }

    // MARK: Checking and errors

    /// Checks that the file at `path` can be sent, without keeping it open.
    static func check(_ path: String) throws(NetworkError) {
        guard path != RequestBodyStream.path else { return }
        try checkInput(path)
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw folder(path) }
    }

    /// Refuses standard input that is closed, or open for writing only, as `/dev/null` in place of a closed one is; its path can be opened all the same.
    private static func checkInput(_ path: String) throws(NetworkError) {
        guard path == Request.standardInput else { return }
        let flags = fcntl(STDIN_FILENO, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY else { throw unreadable(path, EBADF) }
    }

    /// The length of the file at `path`; nil when its status does not contain it, or the file is missing.
    static func count(of path: String) -> Int64? {
        var status = stat()
        // Opening a pipe would affect its writer.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return length(of: descriptor, status)
    }

    private static func name(of path: String) -> String { path == Request.standardInput ? "standard input" : "the file \(path)" }

    private static func unreadable(_ path: String, _ code: Int32) -> NetworkError {
        let reason = String(cString: strerror(code))
        let name = path.hasPrefix("/") ? name(of: path) : path
        return NetworkError(.fileUnreadable, "\(name) cannot be read: \(reason.lowercased())", underlying: reason)
    }

    private static func folder(_ path: String) -> NetworkError {
        NetworkError(.fileUnreadable, "\(path) is a folder", hint: "give the files in it, or pack them into one file")
    }

    private static func changed(_ name: String) -> NetworkError {
        NetworkError(
            .fileUnreadable, "\(name) changed while it was sent, so the server received an incomplete or mixed file",
            hint: "send it again when no program writes to it, or send a copy")
    }
}

extension Request {
    /// The length in bytes of a file to send; nil for a pipe, for other files whose length is known only at their end, and for a missing file.
    package static func length(ofFile path: String) -> Int64? { SentFile.count(of: path) }

    /// Checks that every file of the request can be read; the engine repeats the check before it sends anything.
    ///
    /// - Throws: `fileUnreadable` with the name of the first file that cannot be read.
    package func checkFiles() throws(NetworkError) {
        for path in body.files { try SentFile.check(path) }
    }
}

/// The files that a call sends, each opened at its first use and kept open for further attempts.
final class SentFiles: Sendable {
    private struct State {
        var opened: [String: SentFile] = [:]
        /// The body that the program produces.
        var produced: RequestBodyStream?
        /// The first bytes of pipes, which the program has read already, by their paths.
        var heads: [String: [UInt8]] = [:]
        var ciphers: [String: FileCipher] = [:]
    }

    private let state = Mutex(State())

    /// Uses a body that the program produces for the path ``RequestBodyStream/path``.
    func use(_ stream: RequestBodyStream) { state.withLock { $0.produced = stream } }

    /// Sends these bytes before the rest of pipes, from which the program has read them already, by their paths.
    func use(heads: [String: [UInt8]]) { state.withLock { $0.heads = heads } }

    /// Encrypts the file at `path` while it is sent.
    func encrypt(_ path: String, with cipher: FileCipher) { state.withLock { $0.ciphers[path] = cipher } }

    /// The body that the program produces, for its path; nil for a file.
    func stream(at path: String) -> RequestBodyStream? {
        path == RequestBodyStream.path ? state.withLock { $0.produced } : nil
    }

    /// The file at `path`; opens it at the first call.
    func file(at path: String) throws(NetworkError) -> SentFile {
        let (known, head, cipher) = state.withLock { ($0.opened[path], $0.heads[path] ?? [], $0.ciphers[path]) }
        if let known { return known }
        let file = try SentFile(path: path, head: head, cipher: cipher)
        state.withLock { $0.opened[path] = file }
        return file
    }

    /// The length of the file at `path`, as of its opening where it is open; nil when it is unknown.
    func count(of path: String) -> Int64? {
        if let stream = stream(at: path) { return stream.count }
        let (file, added) = state.withLock { ($0.opened[path], $0.ciphers[path] == nil ? 0 : FileCipher.addedBytes) }
        if let file { return file.count }
        return SentFile.count(of: path).map { $0 + added }
    }

    /// Whether a pipe or a produced body was read and cannot be read again.
    var isSpent: Bool {
        let (produced, opened) = state.withLock { ($0.produced, $0.opened) }
        return produced?.isSpent == true || opened.values.contains(where: \.isSpent)
    }
}
