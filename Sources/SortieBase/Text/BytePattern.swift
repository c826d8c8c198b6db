/// A search text as bytes: for every character, the byte sequences that match it.
package struct BytePattern {
    /// The number of bytes per block of a backward search.
    package static let block = 64 << 10

    /// The length of the longest match, in bytes.
    package let longest: Int

    private let alternatives: [[[UInt8]]]
    /// The character to search for first, as rare as possible, and the number of bytes before it.
    private let anchor: Int
    private let anchorOffset: Int
    private let anchorBytes: [UInt8]
    private let unit: Int

    /// Creates a pattern; nil when the text is empty or cannot be encoded.
    package init?(_ searchTerm: String, ignoringCase: Bool, encoding: TextEncoding) {
        guard !searchTerm.isEmpty, encoding.encode(searchTerm) != nil else { return nil }
        var alternatives: [[[UInt8]]] = []
        for scalar in searchTerm.unicodeScalars {
            var forms = [String(scalar)]
            if ignoringCase { forms += [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] }
            var encoded: [[UInt8]] = []
            for form in forms {
                if let bytes = encoding.encode(form), !bytes.isEmpty, !encoded.contains(bytes) { encoded.append(bytes) }
            }
            alternatives.append(encoded)
        }
        self.alternatives = alternatives
        unit = encoding.unit
        longest = alternatives.reduce(0) { $0 + ($1.map(\.count).max() ?? 0) }
        var best = (index: 0, offset: 0, cost: Int.max)
        var offset = 0
        for (index, forms) in alternatives.enumerated() {
            let cost = Set(forms.compactMap(\.first)).reduce(0) { $0 + Self.frequency($1) }
            if cost < best.cost { best = (index, offset, cost) }
            guard let length = forms.first?.count, forms.allSatisfy({ $0.count == length }) else { break }
            offset += length
        }
        (anchor, anchorOffset) = (best.index, best.offset)
        anchorBytes = Array(Set(alternatives[best.index].compactMap(\.first))).sorted()
    }

    /// The first match that lies within a range.
    package func first(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int>? {
        // The next position of each anchor byte. It is updated only when it has been passed, so each byte is scanned once per anchor byte.
        var nexts = anchorBytes.map { bytes.firstIndex(of: $0, in: range) ?? range.upperBound }
        while let candidate = nexts.min(), candidate < range.upperBound {
            let start = candidate - anchorOffset
            // A match that begins in the middle of a UTF-16 code unit is invalid.
            if start >= range.lowerBound, start % unit == 0, let end = match(bytes, start, limit: range.upperBound) {
                return start..<end
            }
            for index in nexts.indices where nexts[index] == candidate {
                nexts[index] = bytes.firstIndex(of: anchorBytes[index], in: candidate + 1..<range.upperBound) ?? range.upperBound
            }
        }
        return nil
    }

    /// The first match that begins at an offset or later.
    package func after(_ offset: Int, in bytes: UnsafeRawBufferPointer, budget: Int) -> SearchStep {
        let offset = max(0, offset)
        guard offset < bytes.count else { return .notFound }
        let next = min(bytes.count, offset + budget)
        let end = min(bytes.count, next + longest - 1)
        if let match = first(in: bytes, offset..<end) { return .found(match) }
        return next == bytes.count ? .notFound : .continueFrom(next)
    }

    /// The last match that begins before an offset.
    package func before(_ offset: Int, in bytes: UnsafeRawBufferPointer, budget: Int) -> SearchStep {
        var high = min(offset, bytes.count)
        let stop = max(0, high - budget)
        while high > stop {
            let low = max(stop, high - Self.block)
            var last: Range<Int>?
            var start = low
            let end = min(bytes.count, high + longest - 1)
            while start < high, let match = first(in: bytes, start..<end), match.lowerBound < high {
                last = match
                start = match.lowerBound + 1
            }
            if let last { return .found(last) }
            high = low
        }
        return high <= 0 ? .notFound : .continueFrom(high)
    }

    private func match(_ bytes: UnsafeRawBufferPointer, _ start: Int, limit: Int) -> Int? {
        var offset = start
        for forms in alternatives {
            guard let form = forms.first(where: { Self.stands($0, in: bytes, at: offset, limit: limit) }) else { return nil }
            offset += form.count
        }
        return offset
    }

    private static func stands(_ form: [UInt8], in bytes: UnsafeRawBufferPointer, at offset: Int, limit: Int) -> Bool {
        guard offset + form.count <= limit else { return false }
        for index in form.indices where bytes[offset + index] != form[index] { return false }
        return true
    }

    /// A rough rank of a byte's frequency in text; the search starts with the rarest byte.
    private static func frequency(_ byte: UInt8) -> Int {
        switch byte {
        case 0, 0x20, UInt8(ascii: "\""): 20
        case UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "a"), UInt8(ascii: "o"), UInt8(ascii: "i"), UInt8(ascii: "n"),
            UInt8(ascii: ","), UInt8(ascii: ":"):
            12
        case UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "d"), 0xC3: 8
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): 4
        default: 1
        }
    }
}
