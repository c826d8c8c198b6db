internal import Foundation
package import SortieBase
internal import SortieHTTP
internal import Synchronization

/// Stores the bodies of the history as files, each named by the SHA-256 digest of its bytes, so that equal bodies are stored once.
///
/// The folder records the identity of the database whose rows refer to the files. A database with another identity, created after
/// that one was moved away or lost, adds files and removes none, because they are the only copy of what the rows of the other
/// database refer to.
///
/// A writer holds the folder's lock in shared mode until a row refers to the file. A remover holds it exclusively.
final class BodyFolder: Sendable {
    /// The size in bytes of the largest stored body.
    static let limit = 100_000_000
    /// The size in bytes of the largest body that is stored in its row.
    static let inlineLimit = 4096

    let path: String
    private var lockPath: String { "\(path)/.lock" }
    private var sweptPath: String { "\(path)/.swept" }
    private var identityPath: String { "\(path)/.id" }
    /// The identity of the database; nil for a database that removes no files.
    private let identity: String?
    /// The time to wait for the lock, in seconds.
    private let patience: Double
    /// Whether the last wait for the lock timed out.
    ///
    /// Until the lock is acquired again, it is only tried.
    private let isStuck = Mutex(false)
    /// Syncs the folder of a path (``FileRename``).
    private let syncFolder: @Sendable (String) -> Int32

    init(
        path: String, identity: String? = nil, patience: Double = 5,
        syncFolder: @escaping @Sendable (String) -> Int32 = { FileRename.syncFolder(of: $0) }
    ) {
        self.path = path
        self.identity = identity
        self.patience = patience
        self.syncFolder = syncFolder
    }

    // MARK: Identity

    /// Whether the files belong to this database, so that files without a row may be removed.
    var isOwn: Bool {
        guard let identity, let file = Self.openRegular(identityPath) else { return false }
        defer { close(file.descriptor) }
        var bytes = [UInt8](repeating: 0, count: identity.utf8.count + 1)
        let count = read(file.descriptor, &bytes, bytes.count)
        return count >= 0 && bytes[..<count].elementsEqual(identity.utf8)
    }

    /// Records the identity of this database in the folder, unless the folder has one or does not exist.
    func adopt() {
        guard let identity, access(path, F_OK) == 0, access(identityPath, F_OK) != 0 else { return }
        // When this fails, no file is ever removed. A link is not followed.
        let descriptor = open(identityPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(identity.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// Whether the folder contains no body.
    private var isEmpty: Bool { !names(in: path).contains { $0.utf8.count == 2 } }

    // MARK: Locks

    /// Holds the lock for the lifetime of the value.
    final class Hold: Sendable {
        private let descriptor: Int32

        /// Acquires the lock; nil, with the reason in `errno`, when that fails within `seconds`.
        fileprivate init?(_ path: String, _ operation: Int32, within seconds: Double = 0) {
            let deadline = ContinuousClock.now + .seconds(seconds)
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { return nil }
            while flock(descriptor, operation | LOCK_NB) != 0 {
                let code = errno
                if code == EINTR { continue }
                guard code == EWOULDBLOCK, ContinuousClock.now < deadline else {
                    // `deinit` closes the descriptor.
                    errno = code
                    return nil
                }
                usleep(5000)
            }
        }

        deinit {
            guard descriptor >= 0 else { return }
            // A child process that is being started has a copy of the descriptor until it executes its program.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// Acquires the shared lock, which prevents the removal of files.
    ///
    /// Waits up to `patience` seconds for a remover, and not at all after such a wait timed out.
    ///
    /// - Throws: `unwritable` when the folder or its lock cannot be used, or the wait times out.
    func holdForWriting() throws(WorkspaceError) -> Hold {
        try StateFolder.make(path)
        try StateFolder.checkFile(lockPath)
        let seconds = isStuck.withLock { $0 } ? 0 : patience
        guard let hold = Hold(lockPath, LOCK_SH, within: seconds) else {
            let code = errno
            guard code == EWOULDBLOCK else { throw failure(lockPath, code) }
            isStuck.withLock { $0 = true }
            throw WorkspaceError(
                .unwritable, file: path, "large bodies are currently not stored: another program holds the folder's lock; end that program")
        }
        isStuck.withLock { $0 = false }
        if identity != nil, access(identityPath, F_OK) != 0, isEmpty { adopt() }
        return hold
    }

    /// Acquires the exclusive lock, which prevents writing; nil when a writer holds it.
    ///
    /// Does not wait.
    func holdForRemoving() -> Hold? {
        guard access(path, F_OK) == 0 else { return nil }
        return Hold(lockPath, LOCK_EX)
    }

    // MARK: Writing

    /// Writes a body, masked.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameter seen: Receives the first bytes that are written, for the search.
    func write(
        _ body: BodyBytes, contentType: String?, redaction: Redaction, inlineLimit: Int = BodyFolder.inlineLimit, seen: ([UInt8]) -> Void = { _ in }
    ) throws(WorkspaceError) -> StoredBody {
        guard !body.isEmpty else { return StoredBody() }
        var writer = BodyWriter(folder: path, inlineLimit: inlineLimit, syncFolder: syncFolder)
        redaction.mask(body, contentType: contentType) { writer.append($0) }
        if body.count > Redaction.releasingSize { body.releaseMemory() }
        seen(writer.start)
        return try writer.finish()
    }

    // MARK: Reading

    /// Whether a text is a SHA-256 digest in lowercase hexadecimal, so that a row of the database cannot refer to a file outside
    /// this folder.
    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The path of the body with this digest.
    func file(_ digest: String) -> String { "\(path)/\(digest.prefix(2))/\(digest)" }

    /// Whether the file exists with this size.
    func has(_ digest: String, size: Int64) -> Bool {
        var information = stat()
        return Self.isDigest(digest) && lstat(file(digest), &information) == 0 && information.isRegularFile(of: size)
    }

    /// Opens a regular file for reading, and returns its size; a link is not followed, and a pipe is not waited for.
    private static func openRegular(_ path: String) -> (descriptor: Int32, size: Int64)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        return (descriptor, Int64(information.st_size))
    }

    /// A memory-mapped view of a body; nil when its file is missing or has another size.
    func body(_ digest: String, size: Int64) -> BodyBytes? {
        guard Self.isDigest(digest), let file = Self.openRegular(file(digest)) else { return nil }
        defer { close(file.descriptor) }
        guard file.size == size, size > 0 else { return nil }
        return MappedFile(descriptor: file.descriptor, count: Int(size)).map { $0.view }
    }

    // MARK: Removing

    /// Removes the files of these bodies, and returns their number and bytes.
    ///
    /// The caller holds the exclusive lock.
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

    /// Removes files that no row refers to, and temporary files of writers that were killed.
    ///
    /// Holds the lock for one subfolder at a time, so that writers do not wait for long.
    ///
    /// - Parameter named: Returns those of the digests that rows refer to.
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
        let mark = open(sweptPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if mark >= 0 {
            futimens(mark, nil)
            close(mark)
        }
        return (files, bytes)
    }

    /// Whether the last sweep is more than an hour ago.
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
        WorkspaceError(.unwritable, file: path, "bodies of the history cannot be stored: \(String(cString: strerror(code)).lowercased())")
    }
}

extension Redaction {
    /// The size in bytes from which a body is a mapped file, whose pages are released after masking.
    fileprivate static let releasingSize = 1 << 20
}

extension stat {
    fileprivate func isRegularFile(of size: Int64) -> Bool { st_mode & S_IFMT == S_IFREG && Int64(st_size) == size }
}

/// Writes one body: a small one stays in memory, another one goes to a temporary file that is renamed when its digest is known.
private struct BodyWriter {
    static let temporaryPrefix = ".new-"
    /// The number of bytes at the start of the body that are available to the search.
    static let startLimit = 32 << 10

    let folder: String
    let inlineLimit: Int
    private let syncFolder: (String) -> Int32
    /// The first bytes of the body.
    private(set) var start: [UInt8] = []
    private var buffer: [UInt8] = []
    private var message = MessageDigest(.sha256)
    private var count: Int64 = 0
    private var temporary: String?
    private var descriptor: Int32 = -1
    private var problem: Int32?

    init(folder: String, inlineLimit: Int, syncFolder: @escaping (String) -> Int32) {
        self.folder = folder
        self.inlineLimit = inlineLimit
        self.syncFolder = syncFolder
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        guard problem == nil else { return }
        count += Int64(piece.count)
        if start.count < Self.startLimit { start.append(contentsOf: piece.prefix(Self.startLimit - start.count)) }
        message.update(piece)
        if buffer.count + piece.count > max(inlineLimit, 64 << 10) || count > inlineLimit && piece.count > 64 << 10 {
            flush()
            piece.count > 64 << 10 ? write(piece) : buffer.append(contentsOf: piece)
        } else {
            buffer.append(contentsOf: piece)
        }
    }

    /// Finishes the body and returns its bytes or its file, which is synced to the disk with its name.
    mutating func finish() throws(WorkspaceError) -> StoredBody {
        if descriptor < 0, problem == nil, count <= Int64(inlineLimit) { return StoredBody(content: .inline(buffer)) }
        flush()
        let digest = HexDigits.text(message.digest)
        let place = "\(folder)/\(digest.prefix(2))"
        let path = "\(place)/\(digest)"
        if problem == nil {
            var information = stat()
            let isThere = lstat(path, &information) == 0 && information.isRegularFile(of: count)
            problem = isThere ? nil : move(to: path, in: place)
            // Also where the file exists: a program that has just written it may not have synced its name.
            if problem == nil { problem = code(syncFolder(path)) }
            if problem == nil, isThere {
                discard()
                return StoredBody(content: .file(digest: digest, size: count))
            }
        }
        if let problem {
            discard()
            throw WorkspaceError(
                .unwritable, file: folder,
                "bodies of the history cannot be stored: \(String(cString: strerror(problem)).lowercased())")
        }
        close(descriptor)
        return StoredBody(content: .file(digest: digest, size: count))
    }

    /// Gives the file its name in a folder, which is created; returns the code of an error.
    private func move(to path: String, in place: String) -> Int32? {
        guard fsync(descriptor) == 0 else { return errno }
        if mkdir(place, 0o700) == 0 {
            if let problem = code(syncFolder(place)) { return problem }
        } else if errno != EEXIST {
            return errno
        }
        guard let temporary, rename(temporary, path) != 0 else { return nil }
        return errno
    }

    private func code(_ result: Int32) -> Int32? { result == 0 ? nil : result }

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
        if problem == nil { problem = code(AtomicFile.write(bytes, to: descriptor)) }
    }
}

/// A memory-mapped file that is never changed, such as one of the body folder.
///
/// A removed file stays readable through its mapping.
package final class MappedFile: ReleasesMemory, Sendable {
    // The address of the mapping: set once, valid until `deinit`, and only read through.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer
    private let count: Int

    /// Maps the first `count` bytes; nil when `count` is 0 or the system call fails.
    package init?(descriptor: Int32, count: Int) {
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
        self.start = start
        self.count = count
    }

    deinit { munmap(start, count) }

    /// The mapped bytes.
    package var view: BodyBytes { BodyBytes(owner: self, pointer: UnsafeRawPointer(start), count: count) }

    /// Releases the resident pages; they are read again when accessed.
    package func releaseMemory() { madvise(start, count, MADV_DONTNEED) }
}
