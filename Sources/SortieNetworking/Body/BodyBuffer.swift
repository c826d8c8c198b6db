internal import CLinux
internal import Dispatch
internal import Glibc
package import SortieBase
package import SortieHTTP
internal import Synchronization

/// A buffer for the decoded body of one response: in memory up to 1 MiB, beyond that in a ``SpoolFile``.
package struct BodyBuffer: BodySink {
    /// The size of the largest body that is kept in memory, in bytes.
    static let memoryLimit = 1 << 20
    private static let chunkSize = 256 << 10

    private let folder: String
    private let limit: Int64?
    private let demand: BodyDemand?
    private var memory: [UInt8] = []
    private var spool: SpoolFile?
    package private(set) var count: Int64 = 0

    /// Creates a buffer for at most `limit` bytes that stores large bodies in `folder`.
    ///
    /// - Parameter demand: the demand of a consumer that takes the body while it arrives.
    package init(folder: String, limit: Int64?, demand: BodyDemand? = nil) {
        (self.folder, self.limit, self.demand) = (folder, limit, demand)
    }

    /// Accepts every response.
    func begin(_ header: HeaderBytes) {}

    /// Adds bytes; returns whether the sender should wait until `whenDrained` is called.
    ///
    /// - Throws: `bodyTooLarge` beyond the limit, `storage` when no file can be created or written.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void
    ) throws(NetworkError) -> Bool {
        count += Int64(bytes.count)
        if let limit, count > limit {
            throw NetworkError(
                .bodyTooLarge, "the body is larger than \(ByteCount(limit).text), the limit",
                remedy: .bodyLimit)
        }
        if spool == nil, memory.count + bytes.count > Self.memoryLimit {
            spool = try SpoolFile(folder: folder)
        }
        memory.append(contentsOf: bytes)
        // Evaluated for each piece, because a connection of HTTP/2 is read again unless the last piece pauses it.
        let isAhead = demand?.mustWait(at: count, resume: whenDrained) == true
        guard let spool, memory.count >= Self.chunkSize else { return isAhead }
        if let failure { throw failure }
        let chunk = memory
        memory = []
        memory.reserveCapacity(Self.chunkSize + 16 << 10)
        return spool.append(chunk, whenDrained: whenDrained) || isAhead
    }

    /// Submits the remaining bytes to the file, so that every received byte becomes visible.
    package mutating func flush() {
        guard let spool, !memory.isEmpty else { return }
        _ = spool.append(memory) {}
        memory = []
    }

    /// The bytes received so far.
    package var view: BodyBytes { spool?.view ?? BodyBytes(memory) }

    /// Whether bytes wait for the disk.
    var isBehind: Bool { spool?.isBehind == true }

    /// The failure of the disk; nil without one.
    var failure: NetworkError? { spool?.failure }

    /// Blocks until a large body is on the disk.
    package func waitUntilWritten() {
        spool?.waitUntilWritten()
    }

    var isStored: Bool { spool == nil }

    /// Waits until a large body is on the disk.
    func finish() async throws(NetworkError) {
        try await spool?.finish()
    }
}

/// A private, unlinked file that stores a large body while it arrives, and exposes it as memory.
///
/// The file is unlinked before the first byte is written, so no program can truncate it under a view and a crash leaves nothing behind. The mapping
/// is replaced by one of twice the size when the file grows beyond it; written bytes are readable at once, also while more arrive.
///
/// Where its folder cannot be written, as that of a user without a home, the file is in the folder of temporary files, or else in memory, where its size is
/// limited.
final class SpoolFile: Sendable {
    private struct State {
        var mapping: SpoolMapping
        var written = 0
        var pending = 0
        var failure: NetworkError?
        var whenDrained: (@Sendable () -> Void)?
    }

    private let file: SpoolMapping.File
    /// The largest size of a file in memory, and the error of a larger one; nil for a file on a disk.
    private let memory: (limit: Int, error: NetworkError)?
    private let queue = DispatchQueue(label: "sortie.spool")
    private let state: Mutex<State>

    /// The size of the first mapping; `ulimit -v` may limit address space.
    static let firstCapacity = 16 << 20

    /// The number of bytes that may wait for the disk before the sender has to wait.
    static let highWater = 4 << 20
    private static let lowWater = 1 << 20

    /// The size of the largest file in memory, in bytes.
    static let memoryLimit = 256 << 20

    /// Creates a file in `folder`, or else in `temporary` or in memory.
    ///
    /// - Throws: `storage` when the file cannot be created or mapped.
    init(folder: String, temporary: String = CacheFolder.temporary, memoryLimit: Int = SpoolFile.memoryLimit) throws(NetworkError) {
        var descriptor = SpoolFile.makeUnnamedFile(in: folder)
        let reason = "a file for it cannot be created in \(folder): \(String(cString: strerror(errno)).lowercased())"
        let hint = "set XDG_CACHE_HOME or TMPDIR to a writable folder"
        if descriptor < 0 { descriptor = SpoolFile.makeUnnamedFile(in: temporary) }
        if descriptor < 0 {
            descriptor = clinux_memory_file("sortie-body")
            let size = ByteCount(memoryLimit).text
            memory = (memoryLimit, NetworkError(.storage, "the body is larger than \(size), the limit in memory, and \(reason)", hint: hint))
        } else {
            memory = nil
        }
        guard descriptor >= 0 else { throw NetworkError(.storage, "the body is too large for its buffer, and \(reason)", hint: hint) }
        file = SpoolMapping.File(descriptor)
        guard let mapping = SpoolMapping(file, capacity: Self.firstCapacity) else {
            throw NetworkError(
                .storage, "the file for the body cannot be mapped: \(String(cString: strerror(errno)).lowercased())")
        }
        state = Mutex(State(mapping: mapping))
    }

    private static func makeUnnamedFile(in folder: String) -> Int32 {
        let descriptor = open(folder, clinux_o_tmpfile | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        // For a file system without O_TMPFILE: creates a named file and unlinks it at once.
        var template = Array("\(folder)/.spool-XXXXXX".utf8CString)
        let named = clinux_mkostemp(&template)
        if named >= 0 { unlink(template) }
        return named
    }

    /// Submits bytes for writing; returns whether the sender should wait until `whenDrained` is called, on an unspecified thread.
    func append(_ chunk: [UInt8], whenDrained: @escaping @Sendable () -> Void) -> Bool {
        let mustWait = state.withLock { state in
            state.pending += chunk.count
            guard state.pending > Self.highWater else { return false }
            state.whenDrained = whenDrained
            return true
        }
        queue.async { self.write(chunk) }
        return mustWait
    }

    /// Writes on the queue of this file, because a slow disk must not block the engine.
    private func write(_ chunk: [UInt8]) {
        let (start, mapped) = state.withLock { ($0.failure == nil ? $0.written : nil, $0.mapping.capacity) }
        var failure: NetworkError?
        var larger: SpoolMapping?
        if let start, let memory, start + chunk.count > memory.limit {
            failure = memory.error
        } else if let start, start + chunk.count > mapped {
            larger = SpoolMapping(file, capacity: max(2 * mapped, start + chunk.count))
            if larger == nil { failure = .spool(errno) }
        }
        if let start, failure == nil {
            chunk.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = pwrite(file.descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(start + done))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        failure = .spool(errno)
                        return
                    }
                    done += count
                }
            }
        }
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            state.pending -= chunk.count
            if let larger { state.mapping = larger }
            if let failure { state.failure = failure } else if start != nil { state.written += chunk.count }
            guard state.pending <= Self.lowWater || state.failure != nil else { return nil }
            return state.whenDrained.take()
        }
        whenDrained?()
    }

    /// Waits until all submitted bytes are written.
    ///
    /// - Throws: `storage` when the disk failed.
    func finish() async throws(NetworkError) {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
        if let failure { throw failure }
    }

    /// Blocks until all submitted bytes are written.
    func waitUntilWritten() {
        queue.sync {}
    }

    /// Whether bytes wait for the disk, so that ``view`` lacks some of the received bytes.
    var isBehind: Bool { state.withLock { $0.pending > 0 } }

    /// The failure of the disk; nil without one.
    var failure: NetworkError? { state.withLock { $0.failure } }

    /// The bytes written so far, as memory.
    var view: BodyBytes {
        state.withLock { BodyBytes(owner: $0.mapping, pointer: $0.mapping.base, count: $0.written) }
    }
}

extension NetworkError {
    /// The error of a body that cannot be stored.
    fileprivate static func spool(_ number: Int32) -> NetworkError {
        let words = String(cString: strerror(number))
        return NetworkError(.storage, "the body could not be stored: \(words.lowercased())", remedy: .spoolSpace, underlying: words)
    }
}

/// The beginning of the file of a large body as memory.
///
/// It stays valid for its views when the file has grown beyond it and has a larger one.
final class SpoolMapping: ReleasesMemory, Sendable {
    /// The file, which is closed after its last mapping.
    final class File: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    // The address of the mapping: set once, valid until deinit, and only read through.
    nonisolated(unsafe) let base: UnsafeRawPointer
    /// The number of bytes that are mapped, also beyond the end of the file.
    let capacity: Int
    private let file: File

    /// Maps the first `capacity` bytes; nil, with the reason in `errno`, when there is no address space.
    init?(_ file: File, capacity: Int) {
        // Reserves address space only; memory is used for the pages that a view reads.
        let mapping = mmap(nil, capacity, PROT_READ, Int32(MAP_SHARED) | Int32(MAP_NORESERVE), file.descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else { return nil }
        base = UnsafeRawPointer(mapping)
        (self.capacity, self.file) = (capacity, file)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), capacity) }

    /// Unmaps the pages that were read; they stay in the page cache and are mapped again when needed.
    func releaseMemory() { madvise(UnsafeMutableRawPointer(mutating: base), capacity, MADV_DONTNEED) }
}
