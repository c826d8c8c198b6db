internal import CLinux
internal import Glibc
internal import Model
internal import Synchronization

/// A file whose bytes are sent, or a pipe: opened once for all attempts of a call.
///
/// What is sent is what was there when it was opened: a file that changes meanwhile ends the call, and one that is replaced is still the old one.
/// It is read with plain reads and never mapped, because a mapped file that somebody cuts kills the program.
final class SentFile: Sendable {
    /// What a read gave.
    enum Piece {
        /// So many bytes.
        case bytes(Int)
        /// Nothing more comes.
        case end
        /// A pipe has nothing yet.
        case later
        /// It cannot be sent.
        case failed(NetworkError)
    }

    /// How many bytes there are; nil for what tells only at its end, such as a pipe, and for files that the kernel makes up as they are read.
    let count: Int64?
    /// Whether it can be read from any place, again and again.
    let isSeekable: Bool
    /// To wait for what a pipe gives.
    let descriptor: Int32
    private let name: String
    private let stamp: Stamp
    /// How many bytes came out of the pipe; they do not come again.
    private let taken = Atomic<Int64>(0)

    /// What changes when somebody writes to a file.
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

    /// Opens the file at `path`; `/dev/stdin` is what the program was given.
    init(path: String) throws(NetworkError) {
        name = Self.name(of: path)
        // Without waiting: a pipe that nobody writes to yet must not stop the engine.
        var descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // What cannot be opened again, such as a socket or another user's pipe, is used as it is.
        if descriptor < 0, path == Self.standardInput { descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
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
        count = Self.length(of: descriptor, status)
        if count != nil { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    deinit {
        close(descriptor)
    }

    /// The file systems whose files tell no length: `proc(5)`, `sysfs(5)`, and control groups.
    private static let madeUp: Set<Int> = [0x9fa0, 0x6265_6572, 0x6367_7270]

    /// The length of an open file; nil where its status does not tell it.
    private static func length(of descriptor: Int32, _ status: stat) -> Int64? {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard !madeUp.contains(clinux_file_system_type(descriptor)) else { return nil }
        // Other file systems, such as those in user space, may also have files of the length 0 with something in them.
        var byte: UInt8 = 0
        if status.st_size == 0, pread(descriptor, &byte, 1, 0) > 0 { return nil }
        return Int64(status.st_size)
    }

    /// The path of what the program was given to read.
    static let standardInput = "/dev/stdin"

    /// Whether it was read and cannot be read again.
    var isSpent: Bool { !isSeekable && taken.load(ordering: .relaxed) > 0 }

    /// Notes that an attempt begins with the first byte.
    ///
    /// - Throws: when that is gone, or the file is another than it was.
    func begin() throws(NetworkError) {
        guard !isSpent else {
            throw NetworkError(
                .fileUnreadable, "\(name) was read already and cannot be sent again", hint: "what is in a file can be sent as often as it takes")
        }
        if let change { throw change }
    }

    /// Fills `buffer` with what follows `offset`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Piece {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return .end }
        guard isSeekable else { return readPipe(base, buffer.count) }
        guard let count else { return readToEnd(base, buffer.count, at: offset) }
        guard offset < count else { return .end }
        let got = pread(descriptor, base, Int(min(Int64(Self.room(of: buffer, at: offset)), count - offset)), off_t(offset))
        guard got >= 0 else { return .failed(Self.unreadable(name, errno)) }
        // Before the bytes are given away, so that a server never gets the last ones of a mixture.
        if let change { return .failed(change) }
        return got > 0 ? .bytes(got) : .failed(Self.changed(name))
    }

    /// How many bytes are read at once.
    ///
    /// Where the buffer lies a few bytes behind the file's place in a page of memory, as libcurl's does, the processor takes each copied word for one
    /// that was just written, and copies four times slower. A first piece that is half a page shorter sets that right for all that follow.
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
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&question, 1, 0) > 0 else { return .later }
        let got = Glibc.read(descriptor, base, capacity)
        if got < 0 { return errno == EAGAIN || errno == EINTR ? .later : .failed(Self.unreadable(name, errno)) }
        taken.add(Int64(got), ordering: .relaxed)
        return got > 0 ? .bytes(got) : .end
    }

    /// That the file is not what it was when it was opened; nil when it is.
    private var change: NetworkError? {
        guard count != nil else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return Self.unreadable(name, errno) }
        return Stamp(status) == stamp ? nil : Self.changed(name)
    }

    // MARK: Checking and errors

    /// Whether the file at `path` can be sent, without keeping it open.
    static func check(_ path: String) throws(NetworkError) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw folder(path) }
    }

    /// The length of the file at `path`; nil when its status does not tell it, or it is not there.
    static func count(of path: String) -> Int64? {
        var status = stat()
        // A pipe must not be opened just to look at it.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return length(of: descriptor, status)
    }

    private static func name(of path: String) -> String { path == standardInput ? "standard input" : "the file \(path)" }

    private static func unreadable(_ path: String, _ code: Int32) -> NetworkError {
        let reason = String(cString: strerror(code))
        let name = path.hasPrefix("/") ? name(of: path) : path
        return NetworkError(.fileUnreadable, "\(name) cannot be read: \(reason.lowercased())", underlying: reason)
    }

    private static func folder(_ path: String) -> NetworkError {
        NetworkError(.fileUnreadable, "\(path) is a folder", hint: "name the files in it, or pack it into one")
    }

    private static func changed(_ name: String) -> NetworkError {
        NetworkError(
            .fileUnreadable, "\(name) changed while it was sent, so the server got no whole one",
            hint: "send it when nobody writes to it, or send a copy")
    }
}
