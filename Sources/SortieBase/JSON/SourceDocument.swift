/// The values of a JSON or YAML source in one list, and their texts in one buffer.
///
/// A description of an API has a value for every twenty or thirty bytes. As a tree of arrays and strings, it needs ten to thirty times the memory of its
/// file; here a value needs 16 bytes and its text, and texts that repeat are stored once.
package final class SourceDocument: Sendable {
    /// The kinds of entries of the list.
    enum Kind: UInt32 {
        case null, no, yes, number, string, array, object
        /// The name of a member, whose value is the next entry.
        case name
    }

    /// A value or a name, which the children of a container follow.
    struct Entry {
        /// The kind in the highest three bits, and the line.
        private let kindAndLine: UInt32
        private let columnNumber: UInt32
        /// The offset of the text; of a container, the index after its last descendant.
        var start: UInt32
        /// The number of bytes of the text; of a container, the number of its children.
        var count: UInt32

        init(_ kind: Kind, line: Int, column: Int, start: Int = 0, count: Int = 0) {
            kindAndLine = kind.rawValue << 29 | min(UInt32(clamping: line), 1 << 29 - 1)
            columnNumber = UInt32(clamping: column)
            self.start = UInt32(clamping: start)
            self.count = UInt32(clamping: count)
        }

        var kind: Kind { Kind(rawValue: kindAndLine >> 29) ?? .null }
        var line: Int { Int(kindAndLine & (1 << 29 - 1)) }
        var column: Int { Int(columnNumber) }
    }

    /// The name of the file.
    let file: String
    private let entries: [Entry]
    private let texts: [UInt8]

    fileprivate init(file: String, entries: [Entry], texts: [UInt8]) {
        (self.file, self.entries, self.texts) = (file, entries, texts)
    }

    subscript(index: Int) -> Entry { entries[index] }

    /// The text of a string, a number or a name.
    func text(of index: Int) -> String {
        let entry = entries[index]
        return String(decoding: texts[Int(entry.start)..<Int(entry.start) + Int(entry.count)], as: UTF8.self)
    }

    /// Calls `body` with the index of each item of an array, or of the name of each member of an object.
    func forEachChild(of index: Int, _ body: (Int) -> Void) {
        let container = entries[index]
        let isObject = container.kind == .object
        var child = index + 1
        for _ in 0..<container.count {
            body(child)
            child = next(after: isObject ? child + 1 : child)
        }
    }

    /// The index of the value of a member, of several with one name the last one; nil where there is none.
    func value(of name: String, in index: Int) -> Int? {
        var name = name
        var found: Int?
        name.withUTF8 { wanted in
            texts.withUnsafeBufferPointer { texts in
                forEachChild(of: index) { child in
                    let entry = entries[child]
                    guard Int(entry.count) == wanted.count else { return }
                    let start = Int(entry.start)
                    if texts[start..<start + wanted.count].elementsEqual(wanted) { found = child + 1 }
                }
            }
        }
        return found
    }

    /// The index after a value.
    private func next(after index: Int) -> Int {
        let entry = entries[index]
        switch entry.kind {
        case .array, .object: return Int(entry.start)
        case .null, .no, .yes, .number, .string, .name: return index + 1
        }
    }
}

extension SourceDocument {
    /// Collects the values of a document in their order.
    package struct Builder: Sendable {
        /// The longest text that is looked up among the known ones.
        private static let longestKnown = 32
        private static let knownTexts = 1 << 12

        private let file: String
        private var entries: [Entry] = []
        private var texts: [UInt8] = []
        /// Texts by their hash, of which the last one with a hash is known.
        private var known: [(start: UInt32, count: UInt32)] = []
        /// The offset of the text that is being added.
        private var start = 0

        /// Creates a builder.
        ///
        /// - Parameters:
        ///   - file: The name of the file in places.
        ///   - size: The number of bytes of the source, for which memory is reserved; memory that is not used stays with the system.
        package init(file: String, size: Int = 0) {
            self.file = file
            entries.reserveCapacity(size / 8)
            texts.reserveCapacity(size / 2)
        }

        /// The number of values and names.
        package var count: Int { entries.count }

        /// Whether the numbers of entries and bytes stay below those that an entry can have.
        package var hasRoom: Bool { entries.count < UInt32.max && texts.count < UInt32.max }

        /// The root, which was added first.
        package consuming func root() -> SourceNode {
            if entries.isEmpty { add(nil, line: 1, column: 1) }
            return SourceNode(SourceDocument(file: file, entries: entries, texts: texts), 0)
        }

        // MARK: Values

        /// Adds a truth value; nil is null.
        package mutating func add(_ value: Bool?, line: Int, column: Int) {
            entries.append(Entry(value.map { $0 ? .yes : .no } ?? .null, line: line, column: column))
        }

        /// Adds a string, or a number as it is written.
        package mutating func add(_ text: some Sequence<UInt8>, isNumber: Bool = false, line: Int, column: Int) {
            append(text)
            addText(isNumber: isNumber, line: line, column: column)
        }

        /// Adds the name of a member, before its value.
        package mutating func add(name: some Sequence<UInt8>) {
            append(name)
            addText(.name, line: 0, column: 0)
        }

        /// Begins an array or an object, whose children are added next, and returns its index.
        package mutating func begin(isObject: Bool, line: Int, column: Int) -> Int {
            entries.append(Entry(isObject ? .object : .array, line: line, column: column))
            return entries.count - 1
        }

        /// Ends the array or the object with an index.
        package mutating func end(_ index: Int, children: Int) {
            entries[index].start = UInt32(clamping: entries.count)
            entries[index].count = UInt32(clamping: children)
        }

        // MARK: Texts in parts

        /// Adds bytes to the text that is being added.
        package mutating func append(_ bytes: some Sequence<UInt8>) { texts.append(contentsOf: bytes) }

        /// Removes the quote at the end of the string of JSON that is being added, and decodes its escapes.
        mutating func endString(hasEscapes: Bool) {
            if texts.count > start { texts.removeLast() }
            guard hasEscapes else { return }
            texts.replaceSubrange(start..., with: texts[start...].withUnsafeBytes { JSONStringToken.decoded($0) })
        }

        /// The text that is being added; nil where it is not UTF-8.
        var text: String? { String(validating: texts[start...], as: UTF8.self) }

        /// Adds the appended bytes as a string or a number.
        mutating func addText(isNumber: Bool, line: Int, column: Int) { addText(isNumber ? .number : .string, line: line, column: column) }

        /// Adds the appended bytes as the name of a member.
        mutating func addName() { addText(.name, line: 0, column: 0) }

        private mutating func addText(_ kind: Kind, line: Int, column: Int) {
            let count = texts.count - start
            var place = start
            if count <= Self.longestKnown, let earlier = knownText() {
                place = earlier
                texts.removeLast(count)
            }
            entries.append(Entry(kind, line: line, column: column, start: place, count: count))
            start = texts.count
        }

        /// The offset of an equal text; nil where none is known, and this one is known from now on.
        private mutating func knownText() -> Int? {
            if known.isEmpty { known = Array(repeating: (0, 0), count: Self.knownTexts) }
            // FNV-1a: the texts are short, and a hash with a seed for each process takes longer.
            var hash: UInt32 = 2_166_136_261
            for byte in texts[start...] { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
            let slot = Int((hash ^ hash >> 16) % UInt32(Self.knownTexts))
            let earlier = Int(known[slot].start)..<Int(known[slot].start) + Int(known[slot].count)
            if texts[earlier].elementsEqual(texts[start...]) { return earlier.lowerBound }
            known[slot] = (UInt32(clamping: start), UInt32(clamping: texts.count - start))
            return nil
        }
    }
}
