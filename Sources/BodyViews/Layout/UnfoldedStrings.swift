internal import SortieBase

/// A text of JSON in which the objects and arrays of some strings take the places of these strings.
struct UnfoldedStrings: Sendable {
    /// A string whose content is in its place.
    struct Entry: Hashable, Sendable {
        /// The offset in the text.
        var offset: Int
        /// The number of bytes of the content.
        var count: Int
        /// The string as it is in the body, with its quotes.
        var literal: [UInt8]
    }

    /// The largest text in which a string is unfolded, because the text is copied.
    static let limit = 8 << 20
    /// The largest text that is copied when more of the body arrives.
    static let growthLimit = 32 << 20

    /// The text.
    private(set) var text: BodyBytes
    /// The strings in the order of their offsets; one in another one has a greater offset.
    private(set) var entries: [Entry] = []
    /// The number of bytes of the body, or of its converted text, that the text covers.
    private var taken: Int

    /// Creates a text without unfolded strings.
    init(_ source: BodyBytes) {
        (text, taken) = (source, source.count)
    }

    /// Adds what has arrived since.
    ///
    /// - Parameter source: The body, or its converted text, which begins with the bytes of every earlier call.
    mutating func take(_ source: BodyBytes) {
        guard source.count > taken else { return }
        text = BodyBytes(text.prefix(text.count) + source.bytes(in: taken..<source.count))
        taken = source.count
    }

    /// Puts the content of a string in its place.
    mutating func unfold(_ range: Range<Int>, to content: [UInt8]) {
        let literal = text.bytes(in: range)
        replace(range, with: content)
        let index = entries.firstIndex { $0.offset > range.lowerBound } ?? entries.count
        entries.insert(Entry(offset: range.lowerBound, count: content.count, literal: literal), at: index)
    }

    /// Puts a string back, and those in it; returns the entry that was there.
    mutating func fold(at offset: Int) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.offset == offset }) else { return nil }
        let entry = entries.remove(at: index)
        let range = offset..<offset + entry.count
        entries.removeAll { range.contains($0.offset) }
        replace(range, with: entry.literal)
        return entry
    }

    private mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        text = BodyBytes(text.prefix(range.lowerBound) + bytes + text.bytes(in: range.upperBound..<text.count))
        let difference = bytes.count - range.count
        for index in entries.indices {
            if entries[index].offset > range.lowerBound {
                entries[index].offset += difference
            } else if entries[index].offset + entries[index].count >= range.upperBound {
                entries[index].count += difference
            }
        }
    }
}

/// JSON in strings, which is shown in the places of the strings.
extension BodyView {
    /// Whether the object or the array of a place is the content of a string.
    package func isInString(_ place: BodyPlace) -> Bool { unfolded?.entries.contains { $0.offset == place.start } == true }

    /// The change of the offsets after a place, when a string was unfolded or put back.
    package struct OffsetChange: Hashable, Sendable {
        /// The offset of the string.
        package var offset: Int
        /// The number of bytes before.
        package var before: Int
        /// The number of bytes now.
        package var now: Int
    }

    /// Shows the object or the array that is in the string of a place; nil where there is none, or where the body is too large.
    package mutating func unfoldString(_ place: BodyPlace) -> OffsetChange? {
        guard case .value(let value) = place, let formatted, shown.count <= UnfoldedStrings.limit else { return nil }
        let range = shown.withUnsafeBytes { bytes -> Range<Int>? in
            guard value.start < bytes.count, bytes[value.start] == UInt8(ascii: "\"") else { return nil }
            return JSONText.range(ofValueAt: value.start, in: bytes, limit: UnfoldedStrings.limit)
        }
        guard let range, let content = Self.content(ofString: shown.withUnsafeBytes { Array($0[range]) }) else { return nil }
        var unfolded = unfolded ?? UnfoldedStrings(shown)
        unfolded.unfold(range, to: content)
        var folds = formatted.folds.moved(range, by: content.count - range.count)
        folds.set(range.lowerBound, depth: value.depth, isFolded: false)
        show(unfolded, folds, from: range.lowerBound)
        return OffsetChange(offset: range.lowerBound, before: range.count, now: content.count)
    }

    /// Puts the string of a place back; nil where the place is not the content of a string.
    package mutating func foldString(_ place: BodyPlace) -> OffsetChange? {
        guard var unfolded, let formatted, let entry = unfolded.fold(at: place.start) else { return nil }
        let range = entry.offset..<entry.offset + entry.count
        show(unfolded, formatted.folds.moved(range, by: entry.literal.count - entry.count), from: entry.offset)
        return OffsetChange(offset: entry.offset, before: entry.count, now: entry.literal.count)
    }

    /// The object or the array in a string, with blanks in the places of line breaks, which end values in a sequence; nil for other strings.
    private static func content(ofString literal: [UInt8]) -> [UInt8]? {
        do throws(BodyProblem) {
            guard case .string(let text) = try JSONValue(parsing: literal) else { return nil }
            switch try JSONValue(parsing: text) {
            case .object, .array: return text.trimmingBlanks.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            default: return nil
            }
        } catch {
            // Other text in a string is not unfolded.
            return nil
        }
    }
}

extension BodyFolds {
    /// The folding after the bytes of a range were replaced.
    ///
    /// - Parameter difference: The number of bytes by which they are more.
    func moved(_ range: Range<Int>, by difference: Int) -> BodyFolds {
        var result = self
        result.move { $0 < range.lowerBound ? $0 : range.contains($0) ? nil : $0 + difference }
        return result
    }
}
