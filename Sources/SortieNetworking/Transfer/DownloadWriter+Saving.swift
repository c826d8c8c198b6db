internal import Dispatch
internal import SortieHTTP
internal import Synchronization

extension DownloadWriter {
    /// The number of unsaved bytes, and the nanoseconds since the last save, after which the part is saved; never sooner than after the shortest interval,
    /// because each save waits for the disk three times, and many of them slow down a fast download.
    private static let saveBytes: Int64 = 8 << 20
    private static let longestSaveInterval: UInt64 = 2_000_000_000
    /// The interval between saves on a fast disk, and before the first one.
    static let shortestSaveInterval: UInt64 = 250_000_000
    /// The numbers of bytes to drop on a full disk, so that the manifest for the other bytes can be written.
    private static let sacrifices: [Int64] = [0, 4 << 10, 64 << 10, 1 << 20]

    /// The interval after a save that took `duration`, in nanoseconds: a crash loses the bytes since the last save, and saves take a ninth of the time
    /// at most, unless they are slower than that in the longest interval.
    static func interval(afterSaving duration: UInt64) -> UInt64 {
        min(max(min(duration, longestSaveInterval) * 8, shortestSaveInterval), longestSaveInterval)
    }

    /// Starts a save on the save queue when enough bytes are unsaved; otherwise sets a timer, so that a stalled download is saved, too.
    func saveIfDue() {
        let now = MonotonicClock.now
        let delay = state.withLock { state -> UInt64? in
            guard !state.isSaving, !state.isStopped, state.failure == nil else { return nil }
            let fresh = state.map.received - state.safe
            guard fresh > 0 else { return nil }
            let due = state.savedAt + state.saveInterval
            if now >= due || fresh >= Self.saveBytes && now >= state.savedAt + Self.shortestSaveInterval {
                state.isSaving = true
                return 0
            }
            guard !state.isSaveSet else { return nil }
            state.isSaveSet = true
            return due - now
        }
        guard let delay else { return }
        guard delay == 0 else {
            // The timer runs on the write queue, so that no save runs concurrently with ``save(givesUpBytes:)``.
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
                self?.state.withLock { $0.isSaveSet = false }
                self?.saveIfDue()
            }
            return
        }
        saving.async { [self] in
            attempt { () throws(NetworkError) in try saveNow() }
            state.withLock { $0.isSaving = false }
            // Bytes that were written meanwhile have set no timer.
            queue.async { [weak self] in self?.saveIfDue() }
        }
    }

    /// Syncs the written bytes, then stores the manifest that counts them; the order must not be reversed.
    private func saveNow() throws(NetworkError) {
        if let failure = try trySaving() { throw failure }
    }

    /// Syncs the written bytes, then stores the manifest that counts them.
    ///
    /// - Returns: The error where the disk has no room for the manifest.
    private func trySaving() throws(NetworkError) -> NetworkError? {
        let beganAt = MonotonicClock.now
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
            // Another connection may have lost its segment meanwhile; then the stored manifest is outdated and must be written again.
            state.safe = state.map.received < safe ? 0 : safe
            state.savedAt = MonotonicClock.now
            state.saveInterval = Self.interval(afterSaving: state.savedAt - beganAt)
        }
        onSave(safe)
        return nil
    }

    /// Saves on a disk that may be full: drops a few of the last bytes where that makes room for the manifest of the others.
    ///
    /// - Throws: The first failure, when dropping bytes does not help.
    private func saveOnFullDisk() throws(NetworkError) {
        guard let failure = try trySaving() else { return }
        for bytes in Self.sacrifices {
            guard try giveUp(bytes) else { break }
            if try trySaving() == nil { return }
        }
        throw failure
    }

    /// Truncates the part by `bytes` that no stored manifest counts; returns whether that many exist.
    private func giveUp(_ bytes: Int64) throws(NetworkError) -> Bool {
        let end = state.withLock { state -> Int64? in
            guard state.map.giveUp(bytes, after: state.manifest.committed) else { return nil }
            // An incomplete file must not be renamed.
            if bytes > 0 { state.manifest.stage = .loading }
            return state.map.end
        }
        guard let end else { return false }
        if bytes > 0 { digest.withLock { $0 = RunningDigest() } }
        try part.truncate(to: end)
        return true
    }

    /// Drops all bytes in memory, with immediate effect for all connections; ``clear()`` drops them on the disk.
    ///
    /// - Parameter segment: The segment that becomes the whole file; nil when no connection fetches anything.
    func forget(for segment: SegmentMap.ID?, _ change: (inout DownloadManifest) -> Void) {
        state.withLock { state in
            change(&state.manifest)
            state.map.beginAfresh(for: segment, total: state.manifest.total)
        }
    }

    /// Drops all bytes on the disk: stores an empty manifest first, so that a crash cannot leave a mixture of two files.
    func clear() throws(NetworkError) {
        // A save in progress would store the dropped segments.
        saving.sync {}
        let manifest = state.withLock { state in
            state.manifest.committed = 0
            state.manifest.tailHash = nil
            state.manifest.segments = []
            state.safe = 0
            state.savedAt = MonotonicClock.now
            state.saveInterval = Self.shortestSaveInterval
            return state.manifest
        }
        try file.store(manifest)
        try part.truncate(to: 0)
        digest.withLock { $0 = RunningDigest() }
    }

    // MARK: Between attempts

    /// Waits until all submitted chunks are written.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        await withCheckedContinuation { continuation in saving.async { continuation.resume() } }
    }

    /// Blocks until all submitted chunks are written.
    func waitUntilWritten() {
        queue.sync {}
    }

    /// Stops automatic saves; no save is in progress when this returns.
    func stopSaving() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                state.withLock { $0.isStopped = true }
                saving.sync {}
                continuation.resume()
            }
        }
    }

    /// Saves all written bytes; the part has nothing after them.
    ///
    /// Call this between attempts only. An earlier disk failure does not prevent saving the bytes written before it.
    ///
    /// - Parameter givesUpBytes: Whether the last bytes may be dropped where the disk has no room for the manifest of the others.
    func save(givesUpBytes: Bool = false) async throws(NetworkError) {
        try await onQueue { [self] () throws(NetworkError) in
            saving.sync {}
            if givesUpBytes { try saveOnFullDisk() } else { try saveNow() }
        }
    }

    /// Drops all bytes, in memory and on the disk; call this between attempts only.
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

    /// Continues after the bytes without a gap, and notes that ranges are not to be requested; call this between attempts only.
    func distrustRanges() {
        collapse()
        state.withLock {
            $0.manifest.ignoresRanges = true
            $0.failure = nil
            $0.objection = nil
        }
    }

    /// The SHA-256 digest of the whole part; bytes that were not hashed on arrival are read from the disk.
    func finalDigest() async throws(NetworkError) -> String {
        let known = digest.withLock { $0 }
        let received = received
        return try await onQueue { [part] () throws(NetworkError) in
            var message = known.message
            try part.update(&message, with: known.count..<received)
            return HexDigits.text(message.digest)
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
