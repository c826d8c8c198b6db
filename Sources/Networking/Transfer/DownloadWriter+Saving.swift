internal import Crypto
internal import Dispatch
internal import Model
internal import Synchronization

extension DownloadWriter {
    /// After how many bytes, or how much time, what came is made safe.
    private static let saveBytes: Int64 = 8 << 20
    private static let saveInterval: UInt64 = 2_000_000_000

    /// Saves, on a thread of its own, what came since the last time, where that is enough.
    func saveIfDue() {
        let now = MonotonicClock.now
        let isDue = state.withLock { state in
            guard !state.isSaving, state.failure == nil else { return false }
            let fresh = state.map.received - state.safe
            guard fresh > 0, fresh >= Self.saveBytes || now >= state.savedAt + Self.saveInterval else { return false }
            state.isSaving = true
            return true
        }
        guard isDue else { return }
        saving.async { [self] in
            attempt { () throws(NetworkError) in try saveNow() }
            state.withLock { $0.isSaving = false }
        }
    }

    /// Makes what was written safe, then notes it: never the other way round.
    private func saveNow() throws(NetworkError) {
        var (manifest, map) = state.withLock { ($0.manifest, $0.map) }
        try part.sync()
        manifest.committed = map.prefix
        manifest.tailHash = try part.tailHash(before: map.prefix)
        manifest.segments = []
        if !map.isComplete {
            for stretch in map.stretches {
                let hash = stretch.received > 0 ? try part.tailHash(of: stretch.start..<stretch.position) : nil
                manifest.segments.append(.init(stretch, tailHash: hash))
            }
        }
        manifest.updatedAt = SystemClock.seconds
        try file.store(manifest)
        let saved = manifest
        let safe = map.received
        state.withLock { state in
            state.manifest.committed = saved.committed
            state.manifest.tailHash = saved.tailHash
            state.manifest.segments = saved.segments
            // Others may have lost their stretches meanwhile; what was noted of them must not stay.
            state.safe = state.map.received < safe ? 0 : safe
            state.savedAt = MonotonicClock.now
        }
        onSave(safe)
    }

    /// Drops what is here: at once for everybody who asks, and on the disk with ``clear()``.
    ///
    /// - Parameter segment: whose stretch the file becomes; nil where nobody fetches anything.
    func forget(for segment: SegmentMap.ID?, _ change: (inout DownloadManifest) -> Void) {
        state.withLock { state in
            change(&state.manifest)
            state.map.beginAfresh(for: segment, total: state.manifest.total)
        }
    }

    /// Clears the disk of what was forgotten, in an order that a crash cannot turn into a mixture: first it is noted that nothing is here.
    func clear() throws(NetworkError) {
        // A save that is under way would note what is no more.
        saving.sync {}
        let manifest = state.withLock { state in
            state.manifest.committed = 0
            state.manifest.tailHash = nil
            state.manifest.segments = []
            state.safe = 0
            return state.manifest
        }
        try file.store(manifest)
        try part.truncate(to: 0)
        digest.withLock { $0 = Digest() }
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
            saving.sync {}
            try saveNow()
        }
    }

    /// Drops what is here; between attempts only.
    func beginAfresh(_ change: @escaping @Sendable (inout DownloadManifest) -> Void = { _ in }) async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            forget(for: nil, change)
            try clear()
            state.withLock {
                $0.failure = nil
                $0.differs = false
            }
        }
    }

    /// The digest of the whole part; what it was not computed of while it came is read from the disk.
    func finalDigest() async throws(NetworkError) -> String {
        let known = digest.withLock { $0 }
        let received = received
        return try await onQueue { [part] () throws(NetworkError) in
            var hash = known.hash
            try part.update(&hash, with: known.count..<received)
            return HexDigits.text(hash.finalize())
        }
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
