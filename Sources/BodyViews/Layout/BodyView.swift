package import SortieBase
package import SortieHTTP

/// The state of a pane that shows a body of any size: the bytes, their kind, and an index of rows that grows in steps.
///
/// ```swift
/// var view = BodyView.make(bytes: bytes, contentType: "application/json", isFinal: false)   // first rows are there at once
/// while view.canAdvance { view.advance(budget: 8 << 20) }                                   // in the background
/// view.grow(to: moreBytes, isFinal: true)                                                   // more has arrived
/// let rows = view.rows(top..<top + height, marking: search)
/// ```
/// It is a value, so a background task can advance a copy and return it. Copies share the memory of the index.
package struct BodyView: Sendable {
    /// The display modes of a body.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// An image, drawn by the caller.
        case image
        /// Formatted for reading: JSON with one member per row, XML and HTML with one tag per row.
        case pretty
        /// The original text.
        case raw
        /// Sixteen bytes per row.
        case hex
    }

    /// The number of bytes that `make`, `grow` and `show` scan at once: enough for any screen, without a noticeable delay.
    package static let firstBudget = 64 << 10

    /// The displayed bytes.
    package private(set) var bytes: BodyBytes

    /// The kind of the body, from the content type and the first 4 KiB.
    package private(set) var kind: BodyKind

    /// The current display mode.
    package private(set) var mode: Mode

    /// Whether the body is complete.
    package private(set) var isFinal: Bool

    /// Why a body declared as JSON is shown raw, or where the layout of XML ends.
    package private(set) var problem: BodyProblem?

    /// The format of an image; nil for other bodies.
    package private(set) var image: ImageHeader.Format?

    private let contentType: ContentType
    private let foldsMessages: Bool
    private(set) var encoding: TextEncoding
    /// The text that is shown instead of the bytes: the body in UTF-8, where the layouts do not support its encoding, or the events of a stream.
    private var decoded: (any ConvertedText)?
    /// How the body is a sequence of messages; nil where it is not.
    private(set) var stream: MessageStream?
    /// Whether the events of a stream are too large to be shown.
    private var isStreamTooLarge = false
    private var decoding = DecodedText.Snapshot()
    /// The formatted text in which the JSON of strings is in their places; nil where no string is unfolded.
    private(set) var unfolded: UnfoldedStrings?
    private var layouts: [Mode: any BodyLayout] = [:]
    /// The number of bytes in a row of the hexadecimal view.
    package private(set) var hexWidth = HexLayout.bytesPerRow

    /// Creates a view with its first rows; `isFinal` states that no more bytes will arrive.
    ///
    /// - Parameter foldsMessages: Whether each message of a stream is one row until it is unfolded.
    package static func make(bytes: BodyBytes, contentType: String?, isFinal: Bool, foldsMessages: Bool = false) -> BodyView {
        var view = BodyView(bytes: bytes, contentType: ContentType(contentType), isFinal: isFinal, foldsMessages: foldsMessages)
        view.advance(budget: firstBudget)
        return view
    }

    private init(bytes: BodyBytes, contentType: ContentType, isFinal: Bool, foldsMessages: Bool) {
        (self.bytes, self.foldsMessages, self.contentType, self.isFinal) = (bytes, foldsMessages, contentType, isFinal)
        (kind, encoding) = BodyKind.detect(contentType, bytes, isFinal: isFinal)
        stream = MessageStream.detect(contentType, kind, encoding, bytes)
        image = ImageHeader.Format(bytes)
        mode = Self.firstMode(kind)
        prepare()
    }

    /// Restarts with the kind and encoding that ``BodyKind/detect(_:_:isFinal:)`` found.
    private mutating func prepare() {
        (decoded, unfolded) = (nil, nil)
        decoding = DecodedText.Snapshot()
        let isForeign = if case .other = encoding { true } else { kind == .json && encoding != .utf8 }
        if isForeign, kind != .binary, bytes.count <= DecodedText.sizeLimit {
            decoded = DecodedText(encoding, skipping: encoding.lengthOfMark(in: bytes))
        }
        if case .other = encoding, decoded == nil { kind = kind == .empty ? .empty : .binary }
        if stream == .lines || stream == .records { kind = .json }
        if stream == .events { leaveStreamIfTooLarge() }
        if stream == .events { decoded = EventStreamText() }
        mode = stream == .events ? .pretty : Self.firstMode(kind)
        if mode == .pretty, encoding != .utf8, decoded == nil { mode = .raw }
        if mode == .hex, image != nil { mode = .image }
        layouts = [mode: newLayout(mode)]
    }

    /// Shows a stream of events as text where its events would need too much memory.
    private mutating func leaveStreamIfTooLarge() {
        guard stream == .events, bytes.count > EventStreamText.sizeLimit else { return }
        (stream, decoded, decoding, isStreamTooLarge, unfolded) = (nil, nil, DecodedText.Snapshot(), true, nil)
        layouts[.pretty] = nil
        if mode == .pretty { mode = .raw }
    }

    /// Whether the mode shows ``decoded``: the hexadecimal view shows the original bytes, and of a stream of events the original text.
    var showsConverted: Bool { decoded != nil && mode != .hex && (stream != .events || mode == .pretty) }

    /// The bytes of the body, or of its text in UTF-8.
    private var source: BodyBytes { showsConverted ? decoding.text : bytes }

    /// The bytes that the layout of the mode displays: ``source``, with the content of unfolded strings.
    var shown: BodyBytes { mode == .pretty ? unfolded?.text ?? source : source }

    /// The encoding of ``shown``; the hexadecimal view shows the original bytes.
    var shownEncoding: TextEncoding { showsConverted ? .utf8 : encoding }

    /// Whether ``shown`` is complete.
    var isTextFinal: Bool { showsConverted ? decoding.isComplete : isFinal }

    /// Adds bytes of the same body: `newBytes` must begin with the bytes displayed so far.
    package mutating func grow(to newBytes: BodyBytes, isFinal: Bool) {
        let wasUndecided = bytes.count < BodyKind.sniffedBytes && !self.isFinal
        bytes = newBytes
        self.isFinal = isFinal
        if wasUndecided {
            let (kind, encoding) = BodyKind.detect(contentType, bytes, isFinal: isFinal)
            let stream = MessageStream.detect(contentType, kind, encoding, bytes)
            let image = ImageHeader.Format(bytes)
            if stream != self.stream || kind != self.kind && stream != .lines && stream != .records || encoding != self.encoding
                || image != self.image
            {
                (self.kind, self.encoding, self.stream, self.image) = (kind, encoding, stream, image)
                problem = nil
                prepare()
            }
        }
        leaveStreamIfTooLarge()
        advance(budget: Self.firstBudget)
    }

    /// Whether the index does not cover all bytes yet.
    package var canAdvance: Bool {
        guard !layout.isComplete else { return false }
        return layout.examined < shown.count || isFinal || (showsConverted && decoding.seen < bytes.count)
    }

    /// Continues the index by about `budget` bytes; where a body is not the valid JSON that it is declared to be, the mode becomes raw.
    package mutating func advance(budget: Int) {
        growUnfolded()
        guard canAdvance else { return }
        if let decoded, showsConverted {
            decoding = decoded.advance(over: bytes, to: decoding.seen + max(budget, BodyRow.byteLimit), isFinal: isFinal)
        }
        growUnfolded()
        let (bytes, isFinal) = (shown, isTextFinal)
        var layout = layouts.removeValue(forKey: mode) ?? newLayout(mode)
        layout.advance(over: bytes, budget: budget, isFinal: isFinal)
        if mode == .pretty, let found = layout.problem {
            problem = found
        }
        // Markup is displayed as far as it can be read; of JSON, the whole text is.
        if mode == .pretty, problem != nil, kind == .json {
            mode = .raw
            layout = layouts[.raw] ?? newLayout(.raw)
            layout.advance(over: bytes, budget: budget, isFinal: isFinal)
        }
        layouts[mode] = layout
    }

    /// Adds what has arrived to the text with unfolded strings; one that has become too large to be copied has no unfolded strings any more.
    private mutating func growUnfolded() {
        guard mode == .pretty, var current = unfolded else { return }
        guard current.text.count <= UnfoldedStrings.growthLimit else {
            unfolded = nil
            layouts[.pretty] = newLayout(.pretty)
            return
        }
        current.take(source)
        unfolded = current
    }

    /// Displays other unfolded strings.
    ///
    /// - Parameter offset: The first byte that differs.
    mutating func show(_ unfolded: UnfoldedStrings, _ folds: BodyFolds, from offset: Int) {
        self.unfolded = unfolded.entries.isEmpty ? nil : unfolded
        guard var formatted else { return }
        formatted.contents = Set(unfolded.entries.map(\.offset))
        formatted.fold(folds, from: offset)
        layouts[.pretty] = formatted
        advance(budget: Self.firstBudget)
    }

    /// The number of known rows; the last one may still grow while the body arrives.
    package var rowCount: Int { layout.rowCount }

    /// At least the number of the last known line, also where lines are folded.
    package var lineCount: Int { layout.lineCount }

    /// Whether every row is known.
    package var isComplete: Bool { layout.isComplete }

    /// The part of the bytes that the index covers, from 0 to 1.
    package var progress: Double {
        let covered = showsConverted ? decoding.seen : layout.examined
        return bytes.isEmpty ? 1 : Double(min(covered, bytes.count)) / Double(bytes.count)
    }

    /// The memory of the indexes, in bytes.
    package var memoryUse: Int { layouts.values.reduce(decoding.text.count) { $0 + $1.memoryUse } }

    /// The modes available for these bytes, best first.
    package var modes: [Mode] { Mode.allCases.filter { isAvailable($0) } }

    private func isAvailable(_ mode: Mode) -> Bool {
        switch mode {
        case .image: kind == .binary && image != nil
        case .pretty: hasPretty && (problem == nil || kind != .json)
        case .raw, .hex: true
        }
    }

    /// Selects another mode and shows its first rows; ignores a mode that is not in `modes`.
    package mutating func show(_ newMode: Mode) {
        guard modes.contains(newMode), newMode != mode else { return }
        mode = newMode
        if layouts[mode] == nil { layouts[mode] = newLayout(mode) }
        advance(budget: Self.firstBudget)
    }

    /// The rows of a range, clamped to the known ones; matches of a search are separate spans with a flag, as is the selected match at `current`.
    package func rows(_ range: Range<Int>, marking search: BodySearch? = nil, current: Range<Int>? = nil) -> [BodyRow] {
        let rows = layout.rows(range, of: shown, marking: [])
        guard let search, let first = rows.first, let last = rows.last else { return rows }
        let shownRange = first.sourceRange.lowerBound..<last.sourceRange.upperBound
        // What folding hides is not searched for marks, because it can be large.
        let ranges = folds.isEmpty ? [shownRange] : rows.map(\.sourceRange)
        var marks: [BodyMark] = []
        for range in ranges {
            marks += matches(of: search, touching: range).map { BodyMark($0) }.drop { $0.range.lowerBound < marks.last?.range.upperBound ?? 0 }
        }
        if let current, current.overlaps(shownRange) {
            marks.removeAll { $0.range.overlaps(current) }
            marks.insert(BodyMark(current, isCurrent: true), at: marks.firstIndex { $0.range.lowerBound > current.lowerBound } ?? marks.count)
        }
        return marks.isEmpty ? rows : layout.rows(range, of: shown, marking: marks)
    }

    /// The row that shows a byte; nil when the index has not reached it.
    package func row(containing offset: Int) -> Int? { layout.row(containing: offset, of: shown) }

    /// The bytes to search, which include a part that is not decoded for display yet.
    var searchedBytes: BodyBytes {
        guard mode == .pretty, var unfolded else { return convertedBytes }
        unfolded.take(convertedBytes)
        return unfolded.text
    }

    /// The bytes of the body, or of its whole text in UTF-8.
    var convertedBytes: BodyBytes {
        guard let decoded, showsConverted else { return bytes }
        return decoded.advance(over: bytes, to: bytes.count, isFinal: isFinal).text
    }

    /// A sentence to show above the body when it is not displayed in its declared format; nil otherwise.
    package var notice: String? {
        if let problem { return problem.description }
        if isStreamTooLarge {
            return "a stream of events of more than \(ByteCount(EventStreamText.sizeLimit).text) is shown as text"
        }
        if mode != .hex, decoding.invalidSequences > 0 {
            let count = decoding.invalidSequences == 1 ? "1 sequence of bytes is" : "\(decoding.invalidSequences) sequences of bytes are"
            return "\(count) not valid \(encoding.name): shown as \u{FFFD}; the hexadecimal view has the bytes"
        }
        if case .other(let charset) = encoding, decoded == nil, !bytes.isEmpty {
            return bytes.count > DecodedText.sizeLimit
                ? "a body in \(charset.name) of more than \(ByteCount(DecodedText.sizeLimit).text) is shown as hex"
                : "this machine cannot convert from \(charset.name); install the gconv modules of its C library"
        }
        return contentType.notice(kind: kind, encoding: encoding)
    }

    /// The available bytes as text, in any mode; decoded at once, so only for bodies of limited size.
    package var wholeText: String {
        if let decoded, stream != .events {
            let text = decoded.advance(over: bytes, to: bytes.count, isFinal: isFinal).text
            return text.string(in: 0..<text.count)
        }
        return bytes.withUnsafeBytes { encoding.decode(UnsafeRawBufferPointer(rebasing: $0[encoding.lengthOfMark(in: bytes)...])) }
    }

    /// The declared media type; empty without one.
    var mediaType: String { contentType.mediaType }

    /// Changes the number of bytes in a row of the hexadecimal view.
    package mutating func setHexWidth(_ width: Int) {
        guard width != hexWidth else { return }
        hexWidth = width
        layouts[.hex] = nil
        guard mode == .hex else { return }
        layouts[.hex] = newLayout(.hex)
        advance(budget: Self.firstBudget)
    }

    /// The number of bytes that the index of the mode covers.
    var examined: Int { layout.examined }

    /// Changes the formatted layout and shows its first rows; ignored in other modes.
    mutating func changeFormatted(_ work: (inout any FoldingLayout) -> Void) {
        guard var formatted = folding else { return }
        work(&formatted)
        layouts[.pretty] = formatted
        advance(budget: Self.firstBudget)
    }

    /// The layout whose rows can be folded; nil in other modes.
    var folding: (any FoldingLayout)? { mode == .pretty ? layouts[.pretty] as? any FoldingLayout : nil }

    /// The layout of formatted JSON; nil in other modes.
    var formatted: JSONLayout? { mode == .pretty ? layouts[.pretty] as? JSONLayout : nil }

    /// Takes the folding of a view of the same body, with its index.
    package mutating func takeFolding(from other: BodyView) {
        guard let formatted = other.layouts[.pretty] as? any FoldingLayout, problem == nil || kind != .json else { return }
        layouts[.pretty] = formatted
        unfolded = other.unfolded
    }

    /// Whether another view of the same body has the same folding.
    package func hasFolding(of other: BodyView) -> Bool { folds == other.folds && unfolded?.entries == other.unfolded?.entries }

    /// The folded containers and elements.
    package var folds: BodyFolds { (layouts[.pretty] as? any FoldingLayout)?.folds ?? .none }

    var layout: any BodyLayout { layouts[mode] ?? newLayout(mode) }

    private func newLayout(_ mode: Mode) -> any BodyLayout {
        switch mode {
        case .pretty where kind == .json || stream == .events:
            JSONLayout(
                allowsManyValues: contentType.isJSONLines || stream != nil, folded: stream == .records ? .record : nil,
                folds: foldsMessages && stream != nil ? .top : .none)
        case .pretty: MarkupLayout(isHTML: kind == .html)
        case .raw: LineLayout(encoding: decoded == nil || stream == .events ? encoding : .utf8, markup: kind == .xml || kind == .html)
        case .image, .hex: HexLayout(width: hexWidth)
        }
    }

    private var hasPretty: Bool { stream == .events || [.json, .xml, .html].contains(kind) && (encoding == .utf8 || decoded != nil) }

    private static func firstMode(_ kind: BodyKind) -> Mode {
        switch kind {
        case .binary: .hex
        case .json, .xml, .html: .pretty
        case .text, .empty: .raw
        }
    }
}

extension BodyView: Hashable {
    /// Whether both show the same memory in the same mode and know the same rows.
    package static func == (left: BodyView, right: BodyView) -> Bool {
        left.bytes == right.bytes && left.kind == right.kind && left.mode == right.mode && left.isFinal == right.isFinal
            && left.problem == right.problem && left.hasFolding(of: right) && left.rowCount == right.rowCount && left.isComplete == right.isComplete
    }

    /// Hashes the memory and the mode.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(mode)
        hasher.combine(rowCount)
    }
}

/// A layout whose rows can be folded.
protocol FoldingLayout: BodyLayout {
    /// What is folded.
    var folds: BodyFolds { get }

    /// Folds other parts; the scan continues before `offset`, the first byte whose row may change.
    mutating func fold(_ folds: BodyFolds, from offset: Int)

    /// What the row that shows a byte belongs to; nil where the scan has not reached it.
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace?
}

extension JSONLayout: FoldingLayout {
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace? { place(at: offset, of: bytes).map { .value($0) } }
}

extension MarkupLayout: FoldingLayout {
    func bodyPlace(at offset: Int, of bytes: BodyBytes) -> BodyPlace? { element(at: offset, of: bytes).map { .element($0) } }
}

/// How a body is a sequence of messages.
package enum MessageStream: Hashable, Sendable {
    /// JSON values, one per line (NDJSON, JSON lines).
    case lines
    /// Server-sent events.
    case events
    /// The recorded messages of a WebSocket connection, one per line.
    case records

    /// The messages of a body: by its content type, else by its first lines; nil for one value or a text.
    static func detect(_ type: ContentType, _ kind: BodyKind, _ encoding: TextEncoding, _ bytes: BodyBytes) -> MessageStream? {
        guard encoding == .utf8 else { return nil }
        if type.mediaType == "text/event-stream" { return kind == .binary ? nil : .events }
        if type.mediaType == Response.webSocketRecordType { return kind == .json ? .records : nil }
        if type.isJSONLines { return kind == .json ? .lines : nil }
        guard kind == .json || kind == .text, type.mediaType.isEmpty || type.mediaType == "text/plain" || type.kind == .json else { return nil }
        let start = bytes.prefix(BodyKind.sniffedBytes)
        if kind == .text, beginsWithEvent(start) { return .events }
        return beginsWithLines(start) ? .lines : nil
    }

    /// Whether the first line is an object or an array, and another one begins on the next line.
    private static func beginsWithLines(_ start: [UInt8]) -> Bool {
        func opens(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
        guard let first = start.first, opens(first), let end = start.firstIndex(of: 0x0A) else { return false }
        guard let next = start[end...].first(where: { $0 > 0x20 }), opens(next) else { return false }
        return JSONText.problem(in: BodyBytes(Array(start[..<end]))) == nil
    }

    /// Whether the first lines are fields of an event with data, which an empty line ends.
    private static func beginsWithEvent(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        // After the last line break of a text is no empty line.
        guard let end = lines.dropLast().firstIndex(where: \.isEmpty), end > 0 else { return false }
        let event = lines[..<end]
        let names = ["event:", "data:", "id:", "retry:", ":"]
        return event.allSatisfy { line in names.contains { line.hasPrefix($0) } } && event.contains { $0.hasPrefix("data:") }
    }
}

extension BodyView {
    /// Whether the body is shown as a sequence of messages.
    package var showsMessages: Bool { stream != nil && formatted != nil }

    /// Whether each message is one row until it is unfolded, so that the numbers of rows say nothing.
    package var foldsShownMessages: Bool { foldsMessages && showsMessages }

    /// Whether messages of a WebSocket connection are shown, a row for each one that is folded.
    package var showsRecords: Bool { stream == .records && formatted != nil }

    /// The number of complete messages, as far as they are indexed; nil where none are shown.
    package var messageCount: Int? { stream == nil ? nil : formatted?.valueCount }
}
