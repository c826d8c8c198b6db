internal import CLinux
internal import Dispatch
internal import Glibc
internal import SortieHTTP
internal import Synchronization

/// A private, unlinked file that stores a large body while it arrives, and exposes it as memory.
///
/// The file is unlinked before the first byte is written, so no program can truncate it under a view and a crash leaves nothing behind. It is
/// mapped once for its maximum size; written bytes are readable at once, also while more arrive.
final class SpoolFile: ReleasesMemory, Sendable {
    private struct State {
        var written = 0
        var pending = 0
        var failure: String?
        var whenDrained: (@Sendable () -> Void)?
    }

    private let descriptor: Int32
    // The address of the mapping: set once, valid until deinit, and only read through.
    nonisolated(unsafe) private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private let queue = DispatchQueue(label: "sortie.spool")
    private let state = Mutex(State())

    /// The number of bytes that may wait for the disk before the sender has to wait.
    static let highWater = 4 << 20
    private static let lowWater = 1 << 20

    /// Creates a file in `folder` for at most `capacity` bytes.
    ///
    /// - Throws: `storage` when the file cannot be created or mapped.
    init(folder: String, capacity: Int) throws(NetworkError) {
        let descriptor = SpoolFile.makeUnnamedFile(in: folder)
        guard descriptor >= 0 else {
            throw NetworkError(
                .storage, "a file for the body cannot be created in \(folder): \(String(cString: strerror(errno)).lowercased())",
                hint: "set XDG_CACHE_HOME to a writable folder")
        }
        // Reserves address space only; memory is used for the pages that a view reads.
        let mapping = mmap(nil, capacity, PROT_READ, Int32(MAP_SHARED) | Int32(MAP_NORESERVE), descriptor, 0)
        guard let mapping, mapping != MAP_FAILED else {
            close(descriptor)
            throw NetworkError(
                .storage, "the file for the body cannot be mapped: \(String(cString: strerror(errno)).lowercased())")
        }
        self.descriptor = descriptor
        self.capacity = capacity
        base = mapping
    }

    deinit {
        munmap(base, capacity)
        close(descriptor)
    }

    private static func makeUnnamedFile(in folder: String) -> Int32 {
        let descriptor = open(folder, clinux_o_tmpfile | O_RDWR | O_CLOEXEC, 0o600)
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
        let start = state.withLock { $0.failure == nil ? $0.written : nil }
        var failure: String?
        if let start {
            chunk.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(start + done))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        failure = String(cString: strerror(errno))
                        return
                    }
                    done += count
                }
            }
        }
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            state.pending -= chunk.count
            if let failure { state.failure = failure } else if start != nil { state.written += chunk.count }
            guard state.pending <= Self.lowWater || state.failure != nil else { return nil }
            defer { state.whenDrained = nil }
            return state.whenDrained
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
        if let failure = state.withLock({ $0.failure }) {
            throw NetworkError(
                .storage, "the body could not be stored: \(failure.lowercased())",
                remedy: .spoolSpace,
                underlying: failure)
        }
    }

    /// Blocks until all submitted bytes are written.
    func waitUntilWritten() {
        queue.sync {}
    }

    /// Unmaps the pages that were read; they stay in the page cache and are mapped again when needed.
    func releaseMemory() {
        madvise(base, state.withLock { $0.written }, MADV_DONTNEED)
    }

    /// Whether bytes wait for the disk, so that ``view`` lacks some of the received bytes.
    var isBehind: Bool { state.withLock { $0.pending > 0 } }

    /// The failure of the disk; nil without one.
    var failure: String? { state.withLock { $0.failure } }

    /// The bytes written so far, as memory.
    var view: BodyBytes {
        BodyBytes(owner: self, pointer: UnsafeRawPointer(base), count: state.withLock { $0.written })
    }
}
