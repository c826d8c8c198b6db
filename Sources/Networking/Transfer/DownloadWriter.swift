internal import Crypto
internal import Dispatch
internal import Model
internal import Synchronization

/// Puts the bytes of a download on the disk, in order, on threads of its own: a slow disk must not stop the engine (§5.5).
///
/// Bytes that are here already are compared with those that come again. While more is written, what was written before is made safe and noted in the
/// manifest, so that a crash costs only what came since.
final class DownloadWriter: Sendable {
    /// How many chunks may wait for the disk before the sender has to: 4 MiB.
    private static let mostChunks = 16
    private static let fewChunks = 4
    /// After how many bytes, or how much time, what came is made safe.
    private static let saveBytes: Int64 = 8 << 20
    private static let saveInterval: UInt64 = 2_000_000_000

    private struct State {
        var manifest: DownloadManifest
        /// Where the next byte of the body belongs.
        var position: Int64
        /// How many bytes of the part are right, from its beginning.
        var written: Int64
        var failure: NetworkError?
        var differs = false
        var isSaving = false
        var savedAt = MonotonicClock.now
        var waiting = 0
        var free: [Chunk] = []
        var whenDrained: (@Sendable () -> Void)?
    }

    /// The digest of what was written, as far as it was from the first byte on.
    private struct Digest {
        var hash = SHA256()
        var count: Int64 = 0
    }

    let part: PartFile
    private let file: ManifestFile
    private let computesDigest: Bool
    private let onSave: @Sendable (Int64) -> Void
    private let queue = DispatchQueue(label: "sortie.download")
    private let saving = DispatchQueue(label: "sortie.download.save")
    private let state: Mutex<State>
    private let digest = Mutex(Digest())

    /// A writer that goes on after the committed bytes of `manifest`.
    init(part: PartFile, file: ManifestFile, manifest: DownloadManifest, computesDigest: Bool, onSave: @escaping @Sendable (Int64) -> Void) {
        self.part = part
        self.file = file
        self.computesDigest = computesDigest
        self.onSave = onSave
        state = Mutex(State(manifest: manifest, position: manifest.committed, written: manifest.committed))
    }

    /// What is noted about the download.
    var manifest: DownloadManifest { state.withLock { $0.manifest } }
    /// How many bytes of the part are right.
    var written: Int64 { state.withLock { $0.written } }
    /// Why nothing more can be written.
    var failure: NetworkError? { state.withLock { $0.failure } }
    /// Whether bytes that came again were not those that are here.
    var differs: Bool { state.withLock { $0.differs } }
    /// Whether bytes wait for the disk.
    var isBehind: Bool { state.withLock { $0.waiting > 0 } }

    /// Changes what is noted; it is on the disk with the next save.
    func note(_ change: @Sendable (inout DownloadManifest) -> Void) {
        state.withLock { change(&$0.manifest) }
    }

    // MARK: Bytes, from the engine's thread

    /// The body that comes begins with the file's byte `first`.
    func goOn(from first: Int64) {
        queue.async { self.state.withLock { $0.position = first } }
    }

    /// The body that comes is the whole file, and another one than that which is here.
    func replace(_ headers: Headers, total: Int64?, _ change: @escaping @Sendable (inout DownloadManifest) -> Void) {
        queue.async { [self] in
            attempt {
                () throws(NetworkError) in
                try beginAfresh {
                    $0.take(headers, total: total)
                    change(&$0)
                }
                if let total { try part.reserve(total) }
            }
        }
    }

    /// An empty chunk, where possible one that was written.
    func chunk() -> Chunk {
        state.withLock { $0.free.popLast() } ?? Chunk()
    }

    /// Takes a chunk; returns whether the sender should wait until `whenDrained` is called, on no particular thread.
    func write(_ chunk: Chunk, whenDrained: @escaping @Sendable () -> Void) -> Bool {
        let mustWait = state.withLock { state in
            state.waiting += 1
            guard state.waiting >= Self.mostChunks else { return false }
            state.whenDrained = whenDrained
            return true
        }
        queue.async { self.put(chunk) }
        return mustWait
    }

    // MARK: The queue

    private func put(_ chunk: Chunk) {
        chunk.empty { bytes in attempt { () throws(NetworkError) in try put(bytes) } }
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            state.waiting -= 1
            state.free.append(chunk)
            guard state.waiting <= Self.fewChunks || state.failure != nil else { return nil }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
        saveIfDue()
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        let (position, written) = state.withLock { ($0.position, $0.written) }
        let known = Int(min(Int64(bytes.count), max(0, written - position)))
        if known > 0, try !part.matches(UnsafeRawBufferPointer(rebasing: bytes[..<known]), at: position) {
            state.withLock { $0.differs = true }
            throw NetworkError(.badResponse, "bytes that came twice differ: the file on the server is another one now")
        }
        let fresh = UnsafeRawBufferPointer(rebasing: bytes[known...])
        let start = position + Int64(known)
        if !fresh.isEmpty {
            try part.write(fresh, at: start)
            if computesDigest {
                digest.withLock { digest in
                    guard digest.count == start else { return }
                    digest.hash.update(bufferPointer: fresh)
                    digest.count += Int64(fresh.count)
                }
            }
        }
        state.withLock { state in
            state.position = position + Int64(bytes.count)
            state.written = max(state.written, state.position)
        }
    }

    /// Does something that may fail; the first failure stays, and nothing is done after it.
    private func attempt(_ work: () throws(NetworkError) -> Void) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(NetworkError) { try work() } catch { state.withLock { $0.failure = error } }
    }

    /// Drops what is here, in an order that a crash cannot turn into a mixture: first it is noted that nothing is here.
    private func beginAfresh(_ change: (inout DownloadManifest) -> Void) throws(NetworkError) {
        let manifest = state.withLock { state in
            state.manifest.committed = 0
            state.manifest.tailHash = nil
            change(&state.manifest)
            state.position = 0
            state.written = 0
            return state.manifest
        }
        try file.store(manifest)
        try part.truncate(to: 0)
        digest.withLock { $0 = Digest() }
    }

    // MARK: Saving

    private func saveIfDue() {
        let now = MonotonicClock.now
        let isDue = state.withLock { state in
            guard !state.isSaving, state.failure == nil, state.written > state.manifest.committed,
                state.written - state.manifest.committed >= Self.saveBytes || now >= state.savedAt + Self.saveInterval
            else { return false }
            state.isSaving = true
            return true
        }
        guard isDue else { return }
        saving.async { [self] in
            attempt { () throws(NetworkError) in try save() }
            state.withLock { $0.isSaving = false }
        }
    }

    /// Makes what was written safe, then notes it: never the other way round.
    private func save() throws(NetworkError) {
        var (manifest, written) = state.withLock { ($0.manifest, $0.written) }
        try part.sync()
        manifest.committed = written
        manifest.tailHash = try part.tailHash(before: written)
        manifest.updatedAt = SystemClock.seconds
        try file.store(manifest)
        state.withLock { state in
            state.manifest.committed = written
            state.manifest.tailHash = manifest.tailHash
            state.savedAt = MonotonicClock.now
        }
        onSave(written)
    }

    // MARK: Between attempts

    /// Waits until everything that was handed over is written.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        await withCheckedContinuation { continuation in saving.async { continuation.resume() } }
    }

    /// Blocks until everything that was handed over is written.
    func waitUntilWritten() {
        queue.sync {}
    }

    /// Makes everything safe that is here; the part has nothing after it.
    ///
    /// Between attempts only. A failure of the disk does not keep from noting what came before it.
    func save() async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            try save()
        }
    }

    /// Drops what is here; between attempts only.
    func beginAfresh(_ change: @escaping @Sendable (inout DownloadManifest) -> Void = { _ in }) async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            try beginAfresh(change)
            state.withLock {
                $0.failure = nil
                $0.differs = false
            }
        }
    }

    /// The digest of the whole part; computed from the disk where it was not while it came.
    func finalDigest() async throws(NetworkError) -> String {
        let known = digest.withLock { $0 }
        let written = written
        if computesDigest, known.count == written { return HexDigits.text(known.hash.finalize()) }
        return try await onQueue { [part] () throws(NetworkError) in try part.digest(count: written) }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws(NetworkError) -> Value) async throws(NetworkError) -> Value {
        let result: Result<Value, NetworkError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(NetworkError) { continuation.resume(returning: .success(try work())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
