internal import Dispatch
internal import SortieHTTP
internal import Synchronization

/// Writes the bytes of a download to the disk, in order within each segment, on its own queues, so that a slow disk does not block the engine
/// (`ResumeRules.md` 5.5).
///
/// Bytes that arrive again are compared with those on the disk. While further bytes are written, earlier ones are synced and counted in the
/// manifest, so that a crash loses only the bytes since the last save.
final class DownloadWriter: Sendable {
    /// The reaction of a sender after it submitted a chunk.
    enum Demand {
        /// The sender continues.
        case more
        /// The sender waits for the callback.
        case later
        /// The sender stops: another connection fetches the following bytes, or none are missing.
        case enough
    }

    /// The number of chunks that may wait for the disk before the sender has to wait: 2 MiB.
    private static let mostChunks = 8
    private static let fewChunks = 2

    struct State {
        var manifest: DownloadManifest
        var map: SegmentMap
        /// The number of bytes counted by the last save.
        var safe: Int64
        var failure: NetworkError?
        /// Why the received bytes cannot be continued.
        var objection: RestartReason?
        var isSaving = false
        var isSaveSet = false
        /// Whether automatic saves have ended.
        var isStopped = false
        var savedAt = MonotonicClock.now
        /// The interval between saves in nanoseconds, which depends on the duration of the last one.
        var saveInterval = DownloadWriter.shortestSaveInterval
        fileprivate var waiting = 0
        fileprivate var free: [Chunk] = []
        fileprivate var whenDrained: [@Sendable () -> Void] = []
    }

    /// The digest of the bytes written in sequence from the first byte.
    struct RunningDigest {
        var message = MessageDigest(.sha256)
        var count: Int64 = 0
    }

    let part: PartFile
    let file: ManifestFile
    let onSave: @Sendable (Int64) -> Void
    let queue = DispatchQueue(label: "sortie.download")
    let saving = DispatchQueue(label: "sortie.download.save")
    let state: Mutex<State>
    let digest = Mutex(RunningDigest())
    private let computesDigest: Bool
    private let onBytes: @Sendable () -> Void

    /// Creates a writer that continues after the bytes that `manifest` counts.
    ///
    /// - Parameters:
    ///   - onBytes: Called after bytes were written, on an unspecified thread.
    ///   - onSave: Called with the total number of safe bytes, on an unspecified thread.
    init(
        part: PartFile, file: ManifestFile, manifest: DownloadManifest, computesDigest: Bool, onBytes: @escaping @Sendable () -> Void,
        onSave: @escaping @Sendable (Int64) -> Void
    ) {
        (self.part, self.file, self.computesDigest, self.onBytes, self.onSave) = (part, file, computesDigest, onBytes, onSave)
        state = Mutex(State(manifest: manifest, map: SegmentMap(manifest), safe: manifest.safeBytes))
    }

    /// The current manifest, which may be newer than the stored one.
    var manifest: DownloadManifest { state.withLock { $0.manifest } }
    /// The number of valid bytes in the part.
    var received: Int64 { state.withLock { $0.map.received } }
    /// Whether all bytes of the file have been written; false for a file of which nothing was received.
    var isComplete: Bool { state.withLock { $0.map.received > 0 && $0.map.isComplete } }
    /// Whether bytes were written since the last save.
    var hasUnsafeBytes: Bool { state.withLock { $0.map.received > $0.safe } }
    /// The failure after which nothing more is written; nil without one.
    var failure: NetworkError? { state.withLock { $0.failure } }
    /// Why the received bytes cannot be continued: repeated bytes differed, or another program truncated the part.
    var objection: RestartReason? { state.withLock { $0.objection } }
    /// Whether chunks wait for the disk.
    var isBehind: Bool { state.withLock { $0.waiting > 0 } }
    /// The received bytes, the total and the segments.
    var progress: DownloadProgress {
        state.withLock { DownloadProgress(received: $0.map.received, total: $0.manifest.total, segments: $0.map.stretches) }
    }

    /// Changes the manifest; the next save stores the change.
    func note(_ change: @Sendable (inout DownloadManifest) -> Void) {
        state.withLock { change(&$0.manifest) }
    }

    /// Sets the length of the file.
    func setTotal(_ total: Int64) {
        state.withLock { state in
            state.manifest.total = total
            state.map.setTotal(total)
        }
    }

    // MARK: Segments

    /// Assigns a segment to a connection and returns it with the current manifest; nil when nothing is available now.
    func claim(sharing: Bool) -> (segment: SegmentMap.Segment, manifest: DownloadManifest)? {
        let now = MonotonicClock.now
        return state.withLock { state in state.map.claim(sharing: sharing, now: now).map { ($0, state.manifest) } }
    }

    /// The number of bytes that exist from the end of a segment on.
    func count(after segment: SegmentMap.ID) -> Int64 { state.withLock { $0.map.segment(after: segment).map { $0.position - $0.start } ?? 0 } }

    /// Whether a segment still exists under this identity.
    func has(_ segment: SegmentMap.ID) -> Bool { state.withLock { $0.map[segment] != nil } }

    /// The offset of the first missing byte of a segment; nil when the segment no longer exists.
    func position(of segment: SegmentMap.ID) -> Int64? { state.withLock { $0.map[segment]?.position } }

    /// Returns a segment, complete or not; call this between attempts only.
    func release(_ segment: SegmentMap.ID) {
        state.withLock { $0.map.release(segment) }
    }

    // MARK: Bytes from the engine's thread

    /// Replaces everything with the body that now arrives, which is the whole file in another version, in `segment`.
    func replace(_ headers: Headers, total: Int64?, for segment: SegmentMap.ID, _ change: (inout DownloadManifest) -> Void) {
        forget(for: segment) {
            $0.take(headers, total: total)
            change(&$0)
        }
        queue.async { [self] in
            attempt {
                () throws(NetworkError) in
                try clear()
                if let total { try part.reserve(total) }
            }
        }
    }

    /// Continues with one connection after the bytes without a gap; bytes that arrive later for another segment are dropped.
    ///
    /// - Parameter segment: The segment that becomes the rest of the file; nil for the first incomplete one.
    func collapse(to segment: SegmentMap.ID? = nil) {
        state.withLock { state in
            state.map.collapse(to: segment)
            // The stored manifest counts segments that are no longer valid, so all bytes count as unsaved.
            state.safe = 0
        }
    }

    /// Returns an empty chunk for bytes at `place`, and reuses a written one where possible.
    func chunk(at place: Chunk.Place) -> Chunk {
        let chunk = state.withLock { $0.free.popLast() } ?? Chunk()
        chunk.begin(at: place)
        return chunk
    }

    /// Submits a chunk; `whenDrained` is called later, on an unspecified thread, when the sender has to wait.
    func write(_ chunk: Chunk, whenDrained: @escaping @Sendable () -> Void) -> Demand {
        guard let place = chunk.place else { return .more }
        let end = place.offset + Int64(chunk.count)
        let demand = state.withLock { state -> Demand in
            state.waiting += 1
            guard let segment = state.map[place.segment], end < segment.end ?? .max else { return .enough }
            guard state.waiting >= Self.mostChunks else { return .more }
            state.whenDrained.append(whenDrained)
            return .later
        }
        queue.async { self.put(chunk) }
        return demand
    }

    // MARK: The queue

    private func put(_ chunk: Chunk) {
        chunk.empty { bytes, place in attempt { () throws(NetworkError) in try put(bytes, at: place) } }
        let whenDrained = state.withLock { state -> [@Sendable () -> Void] in
            state.waiting -= 1
            state.free.append(chunk)
            guard state.waiting <= Self.fewChunks || state.failure != nil else { return [] }
            return Swift.exchange(&state.whenDrained, with: [])
        }
        for call in whenDrained { call() }
        saveIfDue()
        onBytes()
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at place: Chunk.Place) throws(NetworkError) {
        let last = place.offset + Int64(bytes.count)
        let (reserved, next) = state.withLock { ($0.map.reserve(place.segment, until: last), $0.map.segment(after: place.segment)) }
        guard let segment = reserved, place.offset <= segment.position else { return }
        // Bytes before the segment belong to another one. Bytes of the segment that are already on the disk are compared.
        try compare(bytes, at: place.offset, from: max(place.offset, segment.start), until: min(last, segment.position))
        // Bytes after the segment, too, where another connection has written them.
        if let next { try compare(bytes, at: place.offset, from: max(place.offset, next.start), until: min(last, next.position)) }
        let end = min(last, segment.end ?? .max)
        guard segment.position < end else { return }
        let fresh = slice(bytes, at: place.offset, segment.position..<end)
        try checkPart()
        try part.write(fresh, at: segment.position)
        if computesDigest {
            digest.withLock { digest in
                guard digest.count == segment.position else { return }
                digest.message.update(fresh)
                digest.count = end
            }
        }
        let now = MonotonicClock.now
        state.withLock { $0.map.fill(place.segment, now: now) }
    }

    /// Compares bytes that arrived again, in the range of the file from `start` until `end`, with those on the disk.
    private func compare(_ bytes: UnsafeRawBufferPointer, at offset: Int64, from start: Int64, until end: Int64) throws(NetworkError) {
        guard start < end, try !part.matches(slice(bytes, at: offset, start..<end), at: start) else { return }
        state.withLock { $0.objection = .overlapDiffers }
        throw NetworkError(.badResponse, "bytes that were received twice differ: the server sent others than before")
    }

    /// Checks that no other program truncated or removed the part.
    ///
    /// - Throws: `storage` when one did.
    func checkPart() throws(NetworkError) {
        guard let damage = part.damage else { return }
        if damage == .cut { state.withLock { $0.objection = .damagedPart } }
        throw part.error(of: damage)
    }

    /// The bytes of the file range `range`, from a buffer whose first byte is at `offset` of the file.
    private func slice(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ range: Range<Int64>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound - offset)..<Int(range.upperBound - offset)])
    }

    /// Runs `work` unless an earlier failure was recorded, and records its failure.
    func attempt(_ work: () throws(NetworkError) -> Void) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do throws(NetworkError) { try work() } catch { state.withLock { $0.failure = error } }
    }
}
