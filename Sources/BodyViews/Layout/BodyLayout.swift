package import SortieBase

/// An index of the rows of a body that is built in steps, so that the first rows can be shown at once.
///
/// Every call receives the bytes, which may have grown since the previous call; earlier bytes must not have changed.
package protocol BodyLayout: Sendable {
    /// The number of known rows; the last one may still grow while the body arrives.
    var rowCount: Int { get }

    /// At least the number of the last known line, also where lines are folded.
    var lineCount: Int { get }

    /// The number of bytes that the scan has covered.
    var examined: Int { get }

    /// Whether every row is known, or a problem ended the scan.
    var isComplete: Bool { get }

    /// The problem that ended the scan; nil without one.
    var problem: BodyProblem? { get }

    /// The memory of the index, in bytes.
    var memoryUse: Int { get }

    /// Continues the scan over about `budget` more bytes.
    ///
    /// - Parameter isFinal: Whether no more bytes will arrive.
    mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool)

    /// The rows of a range, clamped to the known ones; spans inside `marks`, which are sorted, are separate and flagged.
    func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow]

    /// The row that shows a byte, or the preceding row; nil when the scan has not reached the byte.
    func row(containing offset: Int, of bytes: BodyBytes) -> Int?
}

extension BodyLayout {
    /// The number of rows, each of which begins at most one line.
    package var lineCount: Int { rowCount }
}

/// The containers of JSON, or the elements of XML and HTML, that are folded: by rule and by exceptions.
package struct BodyFolds: Hashable, Sendable {
    /// The nesting depths whose containers are folded; nil where none are.
    private var depths: Range<Int>?
    /// The offsets of the brackets of containers, or of the start tags of elements, that are exceptions from the rule.
    private var exceptions: Set<Int> = []

    /// Everything is unfolded.
    package static let none = BodyFolds()

    /// Only the values at the top are folded.
    static let top = BodyFolds(depths: 0..<1)

    /// Creates a rule without exceptions: the nesting depth from which containers are folded; nil where none are.
    package init(level: Int? = nil) { self.init(depths: level.map { $0..<Int.max }) }

    private init(depths: Range<Int>?) { self.depths = depths }

    /// Whether nothing is folded.
    package var isEmpty: Bool { depths == nil && exceptions.isEmpty }

    /// Whether a container is folded, by the offset of its bracket or start tag and the depth of its row.
    func contains(_ offset: Int, depth: Int) -> Bool { (depths?.contains(depth) ?? false) != exceptions.contains(offset) }

    /// Gives the exceptions other offsets; nil removes one.
    mutating func move(_ offset: (Int) -> Int?) { exceptions = Set(exceptions.compactMap(offset)) }

    /// Folds or unfolds a container.
    mutating func set(_ offset: Int, depth: Int, isFolded: Bool) {
        guard contains(offset, depth: depth) != isFolded else { return }
        if exceptions.remove(offset) == nil { exceptions.insert(offset) }
    }
}

/// A search match to highlight in the rows.
package struct BodyMark: Hashable, Sendable {
    /// The source bytes of the match.
    package var range: Range<Int>
    /// Whether the match is the selected one.
    package var isCurrent: Bool

    /// Creates a mark.
    package init(_ range: Range<Int>, isCurrent: Bool = false) {
        (self.range, self.isCurrent) = (range, isCurrent)
    }
}

/// Builds the spans of one row from ranges of source bytes, split at the bounds of search matches.
///
/// Tabs become spaces up to the next multiple of four characters. Other control characters are kept.
struct BodyRowBuilder {
    static let tabWidth = 4

    private let bytes: UnsafeRawBufferPointer
    private let encoding: TextEncoding
    private let marks: [BodyMark]
    private var column = 0
    private(set) var spans: [BodySpan] = []

    init(_ bytes: UnsafeRawBufferPointer, encoding: TextEncoding, marks: [BodyMark]) {
        (self.bytes, self.encoding, self.marks) = (bytes, encoding, marks)
    }

    /// Adds text that is not in the source.
    mutating func add(_ text: String, _ kind: BodySpan.Kind) {
        guard !text.isEmpty else { return }
        column += text.count
        spans.add(text, kind)
    }

    /// Adds a space that is not in the source, after the byte before `offset`; marked where a match continues after it.
    mutating func addBlank(_ kind: BodySpan.Kind, behind offset: Int) {
        column += 1
        let mark = marks.isEmpty ? nil : marks[firstMark(endingAfter: offset)...].first { $0.range.lowerBound < offset }
        spans.add(" ", kind, mark)
    }

    /// Adds the text of a range of source bytes.
    mutating func add(_ range: Range<Int>, _ kind: BodySpan.Kind) {
        var offset = range.lowerBound
        var index = marks.isEmpty ? 0 : firstMark(endingAfter: offset)
        while offset < range.upperBound {
            guard index < marks.count, marks[index].range.lowerBound < range.upperBound else {
                piece(offset..<range.upperBound, kind, nil)
                return
            }
            let mark = marks[index].range.clamped(to: offset..<range.upperBound)
            if mark.lowerBound > offset { piece(offset..<mark.lowerBound, kind, nil) }
            if !mark.isEmpty { piece(mark, kind, marks[index]) }
            offset = mark.upperBound
            index += 1
        }
    }

    private func firstMark(endingAfter offset: Int) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func piece(_ range: Range<Int>, _ kind: BodySpan.Kind, _ mark: BodyMark?) {
        let text = encoding.decode(UnsafeRawBufferPointer(rebasing: bytes[range]))
        spans.add(bytes.firstIndex(of: 0x09, in: range) == nil ? text : expandingTabs(text), kind, mark)
        column += text.count
    }

    private mutating func expandingTabs(_ text: String) -> String {
        var expanded = ""
        var position = column
        for character in text {
            if character == "\t" {
                let width = Self.tabWidth - position % Self.tabWidth
                expanded.append(String(repeating: " ", count: width))
                position += width
            } else {
                expanded.append(character)
                position += 1
            }
        }
        column = position - text.count
        return expanded
    }
}

/// What the row of a folded value at the top of a body shows.
enum FoldedValue: Sendable {
    /// The number of its values.
    case count
    /// The first bytes of its content.
    case content
    /// The direction, the time, the size and the first bytes of a recorded WebSocket message.
    case record
}
