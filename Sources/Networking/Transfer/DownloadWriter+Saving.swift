internal import Crypto
internal import Dispatch
internal import Model
internal import Synchronization

extension DownloadWriter {
    /// After how many bytes, or how many nanoseconds, what came is made safe.
    private static let saveBytes: Int64 = 8 << 20
    private static let saveInterval: UInt64 = 2_000_000_000
    /// The first bytes are made safe sooner: before, a crash would lose the whole download.
    static let firstSaveInterval: UInt64 = 250_000_000
    /// How many bytes a full disk may cost, so that what is kept of them can be noted.
    private static let sacrifices: [Int64] = [0, 4 << 10, 64 << 10, 1 << 20]

    /// Saves, on a thread of its own, what came since the last time, where that is enough; else after the interval, even if no more comes.
    func saveIfDue() {
        let now = MonotonicClock.now
        let delay = state.withLock { state -> UInt64? in
            guard !state.isSaving, !state.isStopped, state.failure == nil else { return nil }
            let fresh = state.map.received - state.safe
            guard fresh > 0 else { return nil }
            let due = state.savedAt + state.saveInterval
            if fresh >= Self.saveBytes || now >= due {
                state.isSaving = true
                return 0
            }
            guard !state.isSaveSet else { return nil }
            state.isSaveSet = true
            return due - now
        }
        guard let delay else { return }
        guard delay == 0 else {
            // On the queue of the bytes, so that it never happens beside ``save(givesUpBytes:)``.
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
                self?.state.withLock { $0.isSaveSet = false }
                self?.saveIfDue()
            }
            return
        }
        saving.async { [self] in
            attempt { () throws(NetworkError) in try saveNow() }
            state.withLock { $0.isSaving = false }
        }
    }

    /// Makes what was written safe, then notes it: never the other way round.
    private func saveNow() throws(NetworkError) {
        if let failure = try trySaving() { throw failure }
    }

    /// Makes what was written safe, then notes it.
    ///
    /// - Returns: the error where the disk has no room for the note.
    private func trySaving() throws(NetworkError) -> NetworkError? {
        var (manifest, map) = state.withLock { ($0.manifest, $0.map) }
        try checkPart()
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
        if let failure = try file.tryStoring(manifest) { return failure }
        let saved = manifest
        let safe = map.received
        state.withLock { state in
            state.manifest.committed = saved.committed
            state.manifest.tailHash = saved.tailHash
            state.manifest.segments = saved.segments
            // Others may have lost their stretches meanwhile; what was noted of them must not stay.
            state.safe = state.map.received < safe ? 0 : safe
            state.savedAt = MonotonicClock.now
            state.saveInterval = Self.saveInterval
        }
        onSave(safe)
        return nil
    }

    /// Saves on a disk that may be full: gives up a few of the last bytes where that makes room for the note of the others.
    ///
    /// - Throws: the first failure, where no sacrifice helps.
    private func saveOnFullDisk() throws(NetworkError) {
        guard let failure = try trySaving() else { return }
        for bytes in Self.sacrifices {
            guard try giveUp(bytes) else { break }
            if try trySaving() == nil { return }
        }
        throw failure
    }

    /// Cuts the part to what is here less its last bytes, none of which are noted on the disk; returns whether it could.
    private func giveUp(_ bytes: Int64) throws(NetworkError) -> Bool {
        let end = state.withLock { state -> Int64? in
            guard state.map.giveUp(bytes, after: state.manifest.committed) else { return nil }
            // What is not whole any more does not get its name.
            if bytes > 0 { state.manifest.stage = .loading }
            return state.map.end
        }
        guard let end else { return false }
        if bytes > 0 { digest.withLock { $0 = Digest() } }
        try part.truncate(to: end)
        return true
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
            state.savedAt = MonotonicClock.now
            state.saveInterval = Self.firstSaveInterval
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

    /// Saves nothing more by itself; nothing is being saved when this returns.
    func stopSaving() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                state.withLock { $0.isStopped = true }
                saving.sync {}
                continuation.resume()
            }
        }
    }

    /// Makes everything safe that is here; the part has nothing after it.
    ///
    /// Between attempts only. A failure of the disk does not keep from noting what came before it.
    ///
    /// - Parameter givesUpBytes: whether the last bytes may be dropped where the disk has no room to note the others.
    func save(givesUpBytes: Bool = false) async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            saving.sync {}
            if givesUpBytes { try saveOnFullDisk() } else { try saveNow() }
        }
    }

    /// Drops what is here; between attempts only.
    func beginAfresh(_ change: @escaping @Sendable (inout DownloadManifest) -> Void = { _ in }) async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            forget(for: nil, change)
            try clear()
            state.withLock {
                $0.failure = nil
                $0.objection = nil
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
