internal import Model

/// The stretches of a file on its way to the disk: how far each is, and whether a connection has claimed it (§5.7).
///
/// A file that one connection fetches is one stretch. They have no holes between them.
struct SegmentMap: Sendable {
    /// One stretch; another one after it was given to another connection, although it is the same place.
    struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// A stretch of the file.
    struct Segment: Sendable {
        fileprivate(set) var id: ID
        fileprivate(set) var start: Int64
        /// The byte after its last one; nil while nobody knows where the file ends.
        fileprivate(set) var end: Int64?
        /// The first byte that is missing.
        fileprivate(set) var position: Int64
        /// Up to where bytes are being written now; they are not given to another.
        fileprivate var reserved: Int64
        fileprivate var isClaimed = false
        /// When it was claimed or got its last bytes, monotonic nanoseconds.
        fileprivate var touchedAt: UInt64 = 0

        var isComplete: Bool { position == end }
        /// It as it is told and noted.
        var stretch: DownloadSegment { DownloadSegment(start: start, end: end ?? .max, received: position - start) }
    }

    /// No less is taken from another connection, in bytes: a question costs something, too.
    static let leastShare: Int64 = 1 << 20
    /// After what time without a byte another connection takes all that is missing, in nanoseconds.
    static let silence: UInt64 = 5_000_000_000

    private(set) var segments: [Segment] = []
    private var lastNumber = 0

    /// What a manifest notes as safe.
    init(_ manifest: DownloadManifest) {
        if manifest.segments.isEmpty {
            add(from: 0, to: manifest.total, position: manifest.committed)
        } else {
            for note in manifest.segments { add(from: note.stretch.start, to: note.stretch.end, position: note.stretch.position) }
        }
        merge()
    }

    private mutating func add(from start: Int64, to end: Int64?, position: Int64) {
        segments.append(Segment(id: nextID(), start: start, end: end, position: position, reserved: position))
    }

    private mutating func nextID() -> ID {
        lastNumber += 1
        return ID(number: lastNumber)
    }

    // MARK: What is here

    /// How many bytes are here.
    var received: Int64 { segments.reduce(0) { $0 + $1.position - $1.start } }
    /// How many bytes are here from the first one on, without a hole.
    var prefix: Int64 { (segments.first { !$0.isComplete } ?? segments.last)?.position ?? 0 }
    /// Whether nothing is missing.
    var isComplete: Bool { segments.allSatisfy(\.isComplete) }
    /// The stretches where there are several; empty for one stream.
    var stretches: [DownloadSegment] { segments.count > 1 ? segments.map(\.stretch) : [] }

    subscript(id: ID) -> Segment? { segments.first { $0.id == id } }

    private func index(of id: ID) -> Int? { segments.firstIndex { $0.id == id } }

    /// The byte after the last one that is here.
    var end: Int64 { segments.last { $0.position > $0.start }?.position ?? 0 }

    // MARK: Bytes

    /// Notes that bytes of a stretch up to `end` are being written; returns it as it was, nil when it is nobody's any more.
    mutating func reserve(_ id: ID, until end: Int64) -> Segment? {
        guard let index = index(of: id) else { return nil }
        segments[index].reserved = max(segments[index].position, min(end, segments[index].end ?? .max))
        return segments[index]
    }

    /// Notes that they are written.
    mutating func fill(_ id: ID, now: UInt64) {
        guard let index = index(of: id) else { return }
        segments[index].position = segments[index].reserved
        segments[index].touchedAt = now
    }

    /// Notes where the file ends.
    mutating func setTotal(_ total: Int64) {
        guard let last = segments.indices.last, segments[last].position <= total else { return }
        segments[last].end = total
    }

    /// Drops the last bytes of a file that one connection fetches, as far as they come after `safe`; between attempts only.
    ///
    /// - Returns: false where there are not so many.
    mutating func giveUp(_ bytes: Int64, after safe: Int64) -> Bool {
        guard bytes > 0 else { return true }
        guard segments.count == 1, segments[0].position - bytes >= max(safe, 1) else { return false }
        segments[0].position -= bytes
        segments[0].reserved = segments[0].position
        return true
    }

    // MARK: Who fetches what

    /// Gives a connection something to fetch: what nobody has; else, where it may share, half of what most is missing of, or all of what is silent.
    mutating func claim(sharing: Bool, now: UInt64) -> Segment? {
        if let index = segments.firstIndex(where: { !$0.isClaimed && !$0.isComplete }) { return take(index, now) }
        let missing = segments.indices.filter { segments[$0].end != nil && !segments[$0].isComplete }
        guard sharing, let index = missing.max(by: { remaining($0) < remaining($1) }) else { return nil }
        if remaining(index) >= 2 * Self.leastShare { return split(index, now) }
        guard let silent = missing.first(where: { now >= segments[$0].touchedAt + Self.silence }) else { return nil }
        segments[silent].id = nextID()
        return take(silent, now)
    }

    private func remaining(_ index: Int) -> Int64 { (segments[index].end ?? 0) - segments[index].reserved }

    private mutating func take(_ index: Int, _ now: UInt64) -> Segment {
        segments[index].isClaimed = true
        segments[index].touchedAt = now
        return segments[index]
    }

    private mutating func split(_ index: Int, _ now: UInt64) -> Segment? {
        guard let end = segments[index].end else { return nil }
        let middle = end - remaining(index) / 2
        segments[index].end = middle
        segments.insert(Segment(id: nextID(), start: middle, end: end, position: middle, reserved: middle), at: index + 1)
        return take(index + 1, now)
    }

    /// Notes that no connection has it any more.
    mutating func release(_ id: ID) {
        guard let index = index(of: id) else { return }
        segments[index].isClaimed = false
        giveBack(index)
        merge()
    }

    /// Leaves what was not begun to who fetches the bytes before it: perhaps it can go on without another question.
    private mutating func giveBack(_ index: Int) {
        guard index > 0, segments[index].position == segments[index].start, !segments[index - 1].isComplete else { return }
        segments[index - 1].end = segments[index].end
        segments.remove(at: index)
    }

    /// Puts what is whole together with what follows it.
    private mutating func merge() {
        var index = 0
        while index + 1 < segments.count {
            if segments[index].isComplete, !segments[index].isClaimed {
                segments[index + 1].start = segments[index].start
                segments.remove(at: index)
            } else {
                index += 1
            }
        }
    }

    // MARK: One stream

    /// Makes one stretch of all, with what is here from the first byte on; what comes after a hole does not count any more.
    ///
    /// - Parameter id: whose stretch it is; nil for the connection that fetches what comes next, if one does.
    mutating func collapse(to id: ID? = nil) {
        guard let last = segments.last, let heir = id.flatMap({ self[$0] }) ?? segments.first(where: { !$0.isComplete }) ?? segments.last else {
            return
        }
        // What the heir writes in this moment stays, where it belongs there.
        let reserved = heir.position == prefix ? heir.reserved : prefix
        var one = heir
        (one.start, one.end, one.position, one.reserved) = (0, last.end, prefix, reserved)
        segments = [one]
    }

    /// Forgets all that is here; the stretch of `id` becomes the file.
    mutating func beginAfresh(for id: ID?, total: Int64?) {
        let isClaimed = id.map { self[$0] != nil } ?? false
        segments = [Segment(id: (isClaimed ? id : nil) ?? nextID(), start: 0, end: total, position: 0, reserved: 0, isClaimed: isClaimed)]
    }
}
