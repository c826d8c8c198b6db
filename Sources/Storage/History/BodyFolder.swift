internal import Crypto
internal import Foundation
internal import Model
internal import Synchronization

/// The bodies of the history as files, each named by the digest of its bytes (SHA-256), so that equal ones are kept once.
///
/// The folder bears the name of the database whose rows name the files. Another database, begun after that one was moved away or lost, adds files and takes
/// none away: they are the only copy of what the other one's rows name.
///
/// Whoever writes a file holds the folder's lock together with other writers until a row names the file; whoever removes files holds it alone.
final class BodyFolder: Sendable {
    /// The largest body that is kept.
    static let limit = 100_000_000
    /// The largest body that is kept in its row.
    static let inlineLimit = 4096

    let path: String
    private var lockPath: String { "\(path)/.lock" }
    private var sweptPath: String { "\(path)/.swept" }
    private var identityPath: String { "\(path)/.id" }
    /// The name of the database; nil for one that takes no file away.
    private let identity: String?
    /// How many seconds the lock is waited for.
    private let patience: Double
    /// Whether it was waited for in vain: then it is only tried, until it can be had.
    private let isStuck = Mutex(false)

    init(path: String, identity: String? = nil, patience: Double = 5) {
        self.path = path
        self.identity = identity
        self.patience = patience
    }

    // MARK: Identity

    /// Whether the files are those of this database, so that those that no row names may go.
    var isOwn: Bool {
        guard let identity, let bytes = FileManager.default.contents(atPath: identityPath) else { return false }
        return bytes == Data(identity.utf8)
    }

    /// Gives the folder the name of this database, unless it bears one or is not there.
    func adopt() {
        guard let identity, access(path, F_OK) == 0, access(identityPath, F_OK) != 0 else { return }
        // Where that fails no file is ever taken away, which harms nobody.
        _ = FileManager.default.createFile(atPath: identityPath, contents: Data(identity.utf8), attributes: [.posixPermissions: 0o600])
    }

    /// Whether no body is in it.
    private var isEmpty: Bool { !names(in: path).contains { $0.utf8.count == 2 } }

    // MARK: Locks

    /// Holds the lock for as long as it exists.
    final class Hold: Sendable {
        private let descriptor: Int32

        /// Nil, and why in `errno`, when it cannot be had within that many seconds.
        fileprivate init?(_ path: String, _ operation: Int32, within seconds: Double = 0) {
            let deadline = ContinuousClock.now + .seconds(seconds)
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            while flock(descriptor, operation | LOCK_NB) != 0 {
                let code = errno
                if code == EINTR { continue }
                guard code == EWOULDBLOCK, ContinuousClock.now < deadline else {
                    // The end of this very value closes it.
                    errno = code
                    return nil
                }
                usleep(5000)
            }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    /// Keeps everybody from removing files; waits a moment for one who does just now, and not for one who is stopped while he does.
    func holdForWriting() throws(WorkspaceError) -> Hold {
        do { try StateFolder.make(path) } catch { throw failure(path, EACCES) }
        let seconds = isStuck.withLock { $0 } ? 0 : patience
        guard let hold = Hold(lockPath, LOCK_SH, within: seconds) else {
            let code = errno
            guard code == EWOULDBLOCK else { throw failure(lockPath, code) }
            isStuck.withLock { $0 = true }
            throw WorkspaceError(
                .unwritable, file: path, "large bodies are not kept for now: another program holds the folder's lock; end the program that hangs")
        }
        isStuck.withLock { $0 = false }
        if identity != nil, access(identityPath, F_OK) != 0, isEmpty { adopt() }
        return hold
    }

    /// Keeps everybody from writing files; nil when somebody does, who is not waited for.
    func holdForRemoving() -> Hold? {
        guard access(path, F_OK) == 0 else { return nil }
        return Hold(lockPath, LOCK_EX)
    }

    // MARK: Writing

    /// Writes a body, masked, while the lock is held.
    ///
    /// - Parameter seen: is shown the first bytes of what is written, for the search.
    func write(
        _ body: BodyBytes, contentType: String?, redaction: Redaction, inlineLimit: Int = BodyFolder.inlineLimit, seen: ([UInt8]) -> Void = { _ in }
    ) throws(WorkspaceError) -> KeptBody {
        guard !body.isEmpty else { return KeptBody() }
        var writer = BodyWriter(folder: path, inlineLimit: inlineLimit)
        redaction.mask(body, contentType: contentType) { writer.append($0) }
        if body.count > Redaction.releasingSize { body.releaseMemory() }
        seen(writer.start)
        return try writer.finish()
    }

    // MARK: Reading

    /// Whether a text is a digest as this folder names files by it, so that no row of the database leads anywhere else.
    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Where the body with this digest is.
    func file(_ digest: String) -> String { "\(path)/\(digest.prefix(2))/\(digest)" }

    /// Whether the body is there, whole.
    func has(_ digest: String, size: Int64) -> Bool {
        var information = stat()
        return Self.isDigest(digest) && stat(file(digest), &information) == 0 && Int64(information.st_size) == size
    }

    /// A view of a body; nil when its file is gone or is not what was written.
    func body(_ digest: String, size: Int64) -> BodyBytes? {
        guard Self.isDigest(digest) else { return nil }
        let descriptor = open(file(digest), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, Int64(information.st_size) == size, size > 0 else { return nil }
        return MappedFile(descriptor: descriptor, count: Int(size)).map { $0.view }
    }

    // MARK: Removing

    /// Removes the files of these bodies, while the lock is held alone; how many bytes they had.
    func remove(_ digests: [String]) -> (files: Int, bytes: Int64) {
        var files = 0
        var bytes: Int64 = 0
        for digest in digests where Self.isDigest(digest) {
            var information = stat()
            let path = file(digest)
            guard stat(path, &information) == 0, unlink(path) == 0 else { continue }
            files += 1
            bytes += Int64(information.st_size)
        }
        return (files, bytes)
    }

    /// Removes what no row names, and what writers left that were killed; a folder at a time, so that nobody who writes waits for long.
    ///
    /// - Parameter isNamed: which of these digests rows name.
    func sweep(_ named: ([String]) throws -> Set<String>) rethrows -> (files: Int, bytes: Int64) {
        var files = 0
        var bytes: Int64 = 0
        guard isOwn else { return (0, 0) }
        for name in names(in: path) {
            guard let hold = holdForRemoving() else { return (files, bytes) }
            if name.hasPrefix(BodyWriter.temporaryPrefix) { unlink("\(path)/\(name)") }
            guard name.utf8.count == 2 else { continue }
            let digests = names(in: "\(path)/\(name)").filter { !$0.hasPrefix(".") }
            let left = try named(digests)
            let removed = remove(digests.filter { !left.contains($0) })
            files += removed.files
            bytes += removed.bytes
            if left.isEmpty { rmdir("\(path)/\(name)") }
            withExtendedLifetime(hold) {}
        }
        let mark = open(sweptPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if mark >= 0 {
            futimens(mark, nil)
            close(mark)
        }
        return (files, bytes)
    }

    /// Whether nobody swept for an hour.
    var needsSweep: Bool {
        var information = stat()
        guard isOwn else { return false }
        guard stat(sweptPath, &information) == 0 else { return true }
        return time(nil) - information.st_mtim.tv_sec > 3600
    }

    private func names(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }

    private func failure(_ path: String, _ code: Int32) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "bodies of the history cannot be kept: \(String(cString: strerror(code)).lowercased())")
    }
}

extension Redaction {
    /// From what size on a body is a file, whose pages go again after a look.
    fileprivate static let releasingSize = 1 << 20
}

/// Writes one body: small ones stay in memory, others go to a temporary file that gets its name when its digest is known.
private struct BodyWriter {
    static let temporaryPrefix = ".new-"
    /// How much of the beginning is remembered for the search.
    static let startLimit = 32 << 10

    let folder: String
    let inlineLimit: Int
    /// The first bytes.
    private(set) var start: [UInt8] = []
    private var buffer: [UInt8] = []
    private var hash = SHA256()
    private var count: Int64 = 0
    private var temporary: String?
    private var descriptor: Int32 = -1
    private var problem: Int32?

    init(folder: String, inlineLimit: Int) {
        self.folder = folder
        self.inlineLimit = inlineLimit
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        guard problem == nil else { return }
        count += Int64(piece.count)
        if start.count < Self.startLimit { start.append(contentsOf: piece.prefix(Self.startLimit - start.count)) }
        hash.update(bufferPointer: piece)
        if buffer.count + piece.count > max(inlineLimit, 64 << 10) || count > inlineLimit && piece.count > 64 << 10 {
            flush()
            piece.count > 64 << 10 ? write(piece) : buffer.append(contentsOf: piece)
        } else {
            buffer.append(contentsOf: piece)
        }
    }

    /// Ends it: the bytes, or the file, which is on the disk by then.
    mutating func finish() throws(WorkspaceError) -> KeptBody {
        if descriptor < 0, problem == nil, count <= Int64(inlineLimit) { return KeptBody(content: .inline(buffer)) }
        flush()
        let digest = hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let place = "\(folder)/\(digest.prefix(2))"
        let path = "\(place)/\(digest)"
        if problem == nil {
            var information = stat()
            let isThere = stat(path, &information) == 0 && Int64(information.st_size) == count
            if isThere {
                discard()
                return KeptBody(content: .file(digest: digest, size: count))
            }
            if fsync(descriptor) != 0 { problem = errno }
        }
        if problem == nil, mkdir(place, 0o700) != 0, errno != EEXIST { problem = errno }
        if problem == nil, let temporary, rename(temporary, path) != 0 { problem = errno }
        if let problem {
            discard()
            throw WorkspaceError(
                .unwritable, file: folder,
                "bodies of the history cannot be kept: \(String(cString: strerror(problem)).lowercased())")
        }
        close(descriptor)
        return KeptBody(content: .file(digest: digest, size: count))
    }

    private mutating func discard() {
        if descriptor >= 0 { close(descriptor) }
        if let temporary { unlink(temporary) }
    }

    private mutating func flush() {
        guard !buffer.isEmpty || descriptor < 0 else { return }
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { write($0) }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if descriptor < 0 {
            let path = "\(folder)/\(Self.temporaryPrefix)\(getpid())-\(UInt64.random(in: .min ... .max))"
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                problem = errno
                return
            }
            temporary = path
        }
        var done = 0
        while done < bytes.count, problem == nil {
            let written = Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if written < 0, errno == EINTR { continue }
            if written <= 0 { problem = written < 0 ? errno : EIO } else { done += written }
        }
    }
}
