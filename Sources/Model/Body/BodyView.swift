/// What a pane holds to show a body of any size: the bytes, what they are, and an index of rows that grows in steps.
///
/// ```swift
/// var view = BodyView.make(bytes: bytes, contentType: "application/json", isFinal: false)   // first rows are there at once
/// while view.canAdvance { view.advance(budget: 8 << 20) }                                   // in the background
/// view.grow(to: moreBytes, isFinal: true)                                                   // more has arrived
/// let rows = view.rows(top..<top + height, marking: search)
/// ```
/// It is a value: a background task may advance a copy and hand it back. A copy shares the index's memory.
public struct BodyView: Sendable {
    /// The ways to look at a body.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Laid out for reading: JSON, one member a row.
        case pretty
        /// Text as it came.
        case raw
        /// Sixteen bytes a row.
        case hex
    }

    /// How much `make`, `grow` and `show` scan at once, in bytes: enough for any screen, too little to be felt.
    public static let firstBudget = 64 << 10

    /// The bytes shown.
    public private(set) var bytes: BodyBytes

    /// What the bytes are, after the content type and the first 4 KiB.
    public private(set) var kind: BodyKind

    /// How the bytes are shown now.
    public private(set) var mode: Mode

    /// Whether the whole body is there.
    public private(set) var isFinal: Bool

    /// Why a body said to be JSON is shown raw.
    public private(set) var problem: BodyProblem?

    private let contentType: ContentType
    private(set) var encoding: TextEncoding
    private var layouts: [Mode: any BodyLayout] = [:]

    /// A view with its first rows; `isFinal` says that no more bytes will come.
    public static func make(bytes: BodyBytes, contentType: String?, isFinal: Bool) -> BodyView {
        var view = BodyView(bytes: bytes, contentType: ContentType(contentType), isFinal: isFinal)
        view.advance(budget: firstBudget)
        return view
    }

    private init(bytes: BodyBytes, contentType: ContentType, isFinal: Bool) {
        self.bytes = bytes
        self.contentType = contentType
        self.isFinal = isFinal
        (kind, encoding) = BodyKind.detect(contentType, bytes, isFinal: isFinal)
        mode = Self.firstMode(kind, encoding)
        layouts[mode] = newLayout(mode)
    }

    /// Shows more bytes of the same body: `newBytes` must begin with the bytes shown so far.
    public mutating func grow(to newBytes: BodyBytes, isFinal: Bool) {
        let wasUndecided = bytes.count < BodyKind.sniffedBytes && !self.isFinal
        bytes = newBytes
        self.isFinal = isFinal
        if wasUndecided {
            let (kind, encoding) = BodyKind.detect(contentType, bytes, isFinal: isFinal)
            if kind != self.kind || encoding != self.encoding {
                self.kind = kind
                self.encoding = encoding
                problem = nil
                mode = Self.firstMode(kind, encoding)
                layouts = [mode: newLayout(mode)]
            }
        }
        advance(budget: Self.firstBudget)
    }

    /// Whether there are bytes that the index has not seen.
    public var canAdvance: Bool { !layout.isComplete && (layout.examined < bytes.count || isFinal) }

    /// Continues the index by about `budget` bytes; where JSON turns out not to be JSON, the view becomes raw.
    public mutating func advance(budget: Int) {
        guard canAdvance else { return }
        var layout = layouts.removeValue(forKey: mode) ?? newLayout(mode)
        layout.advance(over: bytes, budget: budget, isFinal: isFinal)
        if mode == .pretty, let found = layout.problem {
            problem = found
            mode = .raw
            layout = layouts[.raw] ?? newLayout(.raw)
            layout.advance(over: bytes, budget: budget, isFinal: isFinal)
        }
        layouts[mode] = layout
    }

    /// Rows known so far; the last one may still grow while the body arrives.
    public var rowCount: Int { layout.rowCount }

    /// Whether every row is known.
    public var isComplete: Bool { layout.isComplete }

    /// How much of the bytes the index covers, from 0 to 1.
    public var progress: Double { bytes.isEmpty ? 1 : Double(min(layout.examined, bytes.count)) / Double(bytes.count) }

    /// Memory the indexes take, in bytes.
    public var memoryUse: Int { layouts.values.reduce(0) { $0 + $1.memoryUse } }

    /// The modes that make sense for these bytes, best first.
    public var modes: [Mode] { Mode.allCases.filter { $0 != .pretty || (problem == nil && Self.hasPretty(kind, encoding)) } }

    /// Shows the bytes in another way, with its first rows; a mode that is not among `modes` is refused.
    public mutating func show(_ newMode: Mode) {
        guard modes.contains(newMode), newMode != mode else { return }
        mode = newMode
        if layouts[mode] == nil { layouts[mode] = newLayout(mode) }
        advance(budget: Self.firstBudget)
    }

    /// The rows of a range, cut to those known; with a search, its matches are split off and flagged.
    public func rows(_ range: Range<Int>, marking search: BodySearch? = nil) -> [BodyRow] {
        let rows = layout.rows(range, of: bytes, marking: [])
        guard let search, let first = rows.first, let last = rows.last else { return rows }
        let marks = search.matches(in: first.sourceRange.lowerBound..<last.sourceRange.upperBound, of: bytes, encoding)
        return marks.isEmpty ? rows : layout.rows(range, of: bytes, marking: marks)
    }

    /// The row that shows a byte; nil when the index has not come so far.
    public func row(containing offset: Int) -> Int? { layout.row(containing: offset, of: bytes) }

    /// Looks for a match in the source bytes, at most `budget` of them.
    ///
    /// - Parameter offset: forward, a match begins here or later; backward, it begins before.
    public func find(_ search: BodySearch, from offset: Int, forward: Bool = true, budget: Int = 16 << 20) -> SearchStep {
        search.step(in: bytes, encoding, from: offset, forward: forward, budget: budget)
    }

    /// The matches that a row shows, as ranges of source bytes; a match may begin or end on another row.
    public func matches(of search: BodySearch, in row: BodyRow) -> [Range<Int>] {
        search.matches(in: row.sourceRange, of: bytes, encoding)
    }

    /// One sentence to show above the body: why it is not shown as it was announced; nil when all is as expected.
    public var notice: String? {
        if let problem { return problem.description }
        return contentType.notice(kind: kind, encoding: encoding)
    }

    private var layout: any BodyLayout { layouts[mode] ?? newLayout(mode) }

    private func newLayout(_ mode: Mode) -> any BodyLayout {
        switch mode {
        case .pretty: JSONLayout(allowsManyValues: contentType.isJSONLines)
        case .raw: LineLayout(encoding: encoding, markup: kind == .xml || kind == .html)
        case .hex: HexLayout()
        }
    }

    private static func hasPretty(_ kind: BodyKind, _ encoding: TextEncoding) -> Bool { kind == .json && !encoding.isUTF16 }

    private static func firstMode(_ kind: BodyKind, _ encoding: TextEncoding) -> Mode {
        if kind == .binary { return .hex }
        return hasPretty(kind, encoding) ? .pretty : .raw
    }
}

extension BodyView: Hashable {
    /// Whether both show the same memory in the same way and know the same rows.
    public static func == (left: BodyView, right: BodyView) -> Bool {
        left.bytes == right.bytes && left.kind == right.kind && left.mode == right.mode && left.isFinal == right.isFinal
            && left.problem == right.problem && left.rowCount == right.rowCount && left.isComplete == right.isComplete
    }

    /// Hashes which memory is shown and how.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(mode)
        hasher.combine(rowCount)
    }
}
