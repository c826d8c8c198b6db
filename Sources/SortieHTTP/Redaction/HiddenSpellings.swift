internal import FoundationEssentials
internal import SortieBase

/// The hidden values, their spellings, and the search for them.
///
/// A run hides a value with each captured secret, while responses, the log and the history hold copies of the rules. The values are therefore in blocks
/// that never change and that copies share. Each block has at least twice as many values as the next one, so that a further value copies few others.
struct HiddenSpellings: Hashable, Sendable {
    private(set) var blocks: [HiddenSpellingBlock] = []
    /// The length of the longest spelling in bytes, with the line breaks of Base64.
    private(set) var longest = 0

    /// The values.
    var values: Set<String> { blocks.reduce(into: []) { $0.formUnion($1.values) } }
    /// The spellings of the values.
    var texts: Set<String> { blocks.reduce(into: []) { $0.formUnion($1.texts) } }

    /// Whether no value is hidden.
    var isEmpty: Bool { blocks.isEmpty }

    /// Adds values; those of one or two characters are ignored.
    mutating func add(_ more: some Sequence<String>) {
        var values = Set(more.filter { value in value.count > 2 && !blocks.contains { $0.values.contains(value) } })
        guard !values.isEmpty else { return }
        var texts = Set(values.flatMap { SecretSpelling.all(of: $0) })
        while let last = blocks.last, last.values.count < 2 * values.count {
            values.formUnion(last.values)
            texts.formUnion(last.texts)
            blocks.removeLast()
        }
        let block = HiddenSpellingBlock(values: values, texts: texts)
        longest = max(longest, UnfoldedText.longest(block.matcher.longest))
        blocks.append(block)
    }

    /// The ranges of the spellings in `text`, in order, also of those that are broken; overlapping ranges are merged.
    func ranges(in text: UnsafeRawBufferPointer, folding: UnfoldedText.Folding) -> [Range<Int>] {
        let unfolded = UnfoldedText(text, folding)
        if blocks.count == 1, unfolded == nil { return blocks[0].matcher.ranges(in: text) }
        var found = blocks.flatMap { $0.matcher.ranges(in: text) }
        if let unfolded {
            unfolded.bytes.withUnsafeBytes { bytes in found += blocks.flatMap { unfolded.ranges(of: $0.matcher.ranges(in: bytes)) } }
        }
        found.sort { $0.lowerBound < $1.lowerBound }
        return found.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    static func == (left: HiddenSpellings, right: HiddenSpellings) -> Bool {
        left.blocks.elementsEqual(right.blocks, by: ===) || left.values == right.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(blocks.reduce(0) { $0 + $1.values.count }) }
}

/// Hidden values with their spellings and the matcher that finds these, which never change.
final class HiddenSpellingBlock: Sendable {
    let values: Set<String>
    let texts: Set<String>
    /// Finds the spellings in UTF-8 and in windows-1252.
    let matcher: ValueMatcher

    init(values: Set<String>, texts: Set<String>) {
        (self.values, self.texts) = (values, texts)
        var matcher = ValueMatcher()
        matcher.add(
            texts.flatMap { text in
                let other = text.utf8.allSatisfy { $0 < 0x80 } ? nil : TextEncoding.windows1252.encode(text)
                return [Array(text.utf8)] + (other.map { [$0] } ?? [])
            })
        self.matcher = matcher
    }
}

/// The ways in which JSON writers spell the same text.
enum JSONSpelling {
    /// Returns the spellings that common writers use for a text, without the quotes.
    package static func all(of text: String) -> Set<String> {
        let plain = String(JSONValue.string(text).text.dropFirst().dropLast())
        var all: Set<String> = [plain, plain.replacing("/", with: #"\/"#)]
        // Go, Ruby on Rails; Gson; JavaScript in HTML.
        for characters in ["<>&", "<>&='", "<>&'/"] { all.insert(unicode(plain, characters, beyondASCII: false, digits: lower)) }
        // Python; PHP; .NET, which also escapes the quote in this way.
        let python = unicode(plain, "", beyondASCII: true, digits: lower)
        all.formUnion([python, python.replacing("/", with: #"\/"#)])
        all.insert(unicode(plain.replacing(scalars: #"\""#, with: #"\u0022"#), "<>&'+`", beyondASCII: true, digits: upper))
        // Every character as an escape.
        for digits in [lower, upper] { all.insert(unicode(text, nil, beyondASCII: true, digits: digits)) }
        return all
    }

    private static let lower = Array("0123456789abcdef".utf8)
    private static let upper = Array("0123456789ABCDEF".utf8)

    /// Writes the given characters, or all characters beyond ASCII, as `\uXXXX`.
    ///
    /// - Parameter characters: the characters in ASCII; nil for all.
    private static func unicode(_ text: String, _ characters: String?, beyondASCII: Bool, digits: [UInt8]) -> String {
        let escaped = characters.map { Set($0.utf8) }
        // In bytes, because the server of a captured value chooses its length.
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let isEscaped = scalar.isASCII ? escaped?.contains(UInt8(scalar.value)) ?? true : beyondASCII
            guard isEscaped else {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                result.append(UInt8(ascii: "\\"))
                result.append(UInt8(ascii: "u"))
                for shift: UInt16 in [12, 8, 4, 0] { result.append(digits[Int(unit >> shift & 15)]) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The spellings of a value in URLs, JSON, markup, Base64 and hexadecimal digits.
enum SecretSpelling {
    /// The minimum length in bytes of a value that is searched in Base64 and hexadecimal digits, because shorter encodings occur by chance.
    private static let shortestEncoded = 4
    /// The minimum number of Base64 characters that are searched.
    private static let shortestBase64 = 6

    /// The length in bytes above which a value is searched only as it is, in JSON and in forms, because all spellings together have a hundred times
    /// its length, and a server chooses the length of a captured value.
    private static let longest = 256 << 10

    /// Returns every spelling of a value, including the value itself.
    package static func all(of value: String) -> Set<String> {
        guard value.utf8.count <= longest else {
            return [value, String(JSONValue.string(value).text.dropFirst().dropLast()), PercentEncoding.encode(value, allowed: .form)]
        }
        var all = percent(value)
        all.formUnion(JSONSpelling.all(of: value))
        // A string in the text of a GraphQL query, or JSON in a member of JSON or in a parameter, is escaped twice.
        let escaped = String(JSONValue.string(value).text.dropFirst().dropLast())
        if escaped != value {
            all.formUnion(JSONSpelling.all(of: escaped))
            all.formUnion(percent(escaped))
        }
        all.formUnion(markup(value))
        all.insert(value)
        // The host of a URL (RFC 3986 §3.2.2), media types and codings are in lower case.
        all.insert(value.lowercased())
        let bytes = Array(value.utf8)
        guard bytes.count >= shortestEncoded else { return all }
        all.formUnion(base64(bytes))
        all.insert(HexDigits.text(bytes))
        all.insert(HexDigits.text(bytes).uppercased())
        return all
    }

    /// The characters that common writers of URLs do not encode: `encodeURIComponent` and `encodeURI` of JavaScript, `quote` of Python, `urlencode` of
    /// PHP, `PathEscape` of Go, and a segment, a path and a query of RFC 3986.
    private static let written = [
        "-._~!*'()", "-._~!*'();,/?:@&=+$#", "-._~/", "-._", "-._~$&+=:@", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/", "-._~!$&'()*+,;=:@/?",
    ]

    /// The length in bytes above which only the encodings of Sortie are searched, because the others need several times their memory.
    private static let longestWritten = 8 << 10

    /// Percent-encoded once and twice (RFC 3986 §2.1), with upper-case and lower-case digits.
    private static func percent(_ value: String) -> Set<String> {
        let allowed: [PercentEncoding.Allowed] = [.unreserved, .path, .query, .form]
        var encoded = Set(allowed.map { PercentEncoding.encode(value, allowed: $0) })
        if value.utf8.count <= longestWritten { encoded.formUnion(written.map { PercentEncoding.encode(value, except: $0) }) }
        if value.contains(" ") { encoded.formUnion(encoded.map { $0.replacing("%20", with: "+") }) }
        let once = encoded.union(encoded.map(lowercasingEscapes))
        return once.union(once.map { $0.replacing("%", with: "%25") })
    }

    /// `%2F` as `%2f`.
    private static func lowercasingEscapes(_ text: String) -> String {
        // The number of remaining digits of an escape.
        var digits = 0
        return String(
            decoding: text.utf8.map { byte in
                if byte == UInt8(ascii: "%") {
                    digits = 2
                    return byte
                }
                defer { digits = max(0, digits - 1) }
                return digits > 0 && (0x41...0x46).contains(byte) ? byte | 0x20 : byte
            }, as: UTF8.self)
    }

    /// As text and attributes of XML and HTML, in the escapes of common writers.
    private static func markup(_ value: String) -> Set<String> {
        let isASCII = value.utf8.allSatisfy { $0 < 0x80 }
        guard !isASCII || value.contains(where: { "&<>\"'/=`".contains($0) }) else { return [] }
        let text: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
        let quotes: [[Character: String]] = [
            [:], ["\"": "&quot;"], ["\"": "&quot;", "'": "&#39;"], ["\"": "&quot;", "'": "&apos;"], ["\"": "&quot;", "'": "&#x27;"],
            ["\"": "&#34;", "'": "&#39;"], ["\"": "&quot;", "'": "&#039;"],
            ["\"": "&quot;", "'": "&#x27;", "/": "&#x2F;", "=": "&#x3D;", "`": "&#x60;"],
        ]
        var all: Set<String> = []
        for quotes in quotes {
            let entities = text.merging(quotes) { $1 }
            all.insert(value.map { entities[$0] ?? String($0) }.joined())
            guard !isASCII else { continue }
            for radix in [10, 16] {
                let escaped = value.unicodeScalars.map { scalar in
                    guard !scalar.isASCII else { return entities[Character(scalar)] ?? String(scalar) }
                    return "&#\(radix == 16 ? "x" : "")\(String(scalar.value, radix: radix));"
                }.joined()
                all.insert(escaped)
                all.insert(escaped.uppercasedReferences)
            }
        }
        return all
    }

    /// In Base64 (RFC 4648 §4 and §5), also after other bytes, such as the password in `user:password`.
    ///
    /// For a value with neighbouring bytes, only the characters are searched that the value alone determines.
    private static func base64(_ bytes: [UInt8]) -> Set<String> {
        var all: Set<String> = []
        for offset in 0..<3 {
            let text = Data(Array(repeating: 0, count: offset) + bytes).base64EncodedString()
            let first = (offset * 8 + 5) / 6
            let last = (offset + bytes.count) * 8 / 6
            let own = text.dropLast(text.count - last).dropFirst(first)
            if own.count >= shortestBase64 { all.formUnion(alphabets(String(own))) }
            // The end of the encoded text is excluded as well.
            let end = text.dropFirst(first).prefix { $0 != "=" }
            if end.count >= shortestBase64 { all.formUnion(alphabets(String(end))) }
            if end.count < text.count - first { all.formUnion(alphabets(String(text.dropFirst(first)))) }
        }
        return all
    }

    private static func alphabets(_ text: String) -> [String] {
        guard text.contains(where: { "+/=".contains($0) }) else { return [text] }
        return [
            text, text.replacing("+", with: "-").replacing("/", with: "_"), PercentEncoding.encode(text, allowed: .unreserved),
            lowercasingEscapes(PercentEncoding.encode(text, allowed: .unreserved)), text.replacing("/", with: #"\/"#),
        ]
    }
}

extension String {
    /// `&#xe4;` as `&#xE4;`.
    fileprivate var uppercasedReferences: String {
        var isReference = false
        return String(
            map { character in
                if character == "#" { isReference = true }
                if character == ";" { isReference = false }
                return isReference && ("a"..."f").contains(character) ? Character(character.uppercased()) : character
            })
    }
}

/// Finds the occurrences of many byte sequences in one pass.
///
/// Examines two bytes at a time and skips as many bytes as no sequence can begin in (Wu and Manber, “A fast algorithm for multi-pattern
/// searching”, 1994).
struct ValueMatcher: Sendable {
    /// The length of the longest sequence in bytes; 0 without sequences.
    package private(set) var longest = 0
    /// The concatenated bytes of all sequences.
    private var bytes: [UInt8] = []
    /// The start offset of each sequence, and the end of the last one.
    private var starts: [Int32] = [0]
    /// The number of bytes of each sequence that are examined before it is compared: the length of the shortest one, at most ``largestWindow``.
    private var window = 0
    /// For each pair of bytes, its distance from the end of a window that contains it.
    private var shifts: [UInt8] = []
    /// For each pair of bytes, the first sequence whose window ends with it; for each sequence, the next one.
    ///
    /// -1 ends the list.
    private var heads: [Int32] = []
    private var nexts: [Int32] = []

    private static let largestWindow = 16
    private static let size = 1 << 12

    /// Adds sequences; sequences of fewer than two bytes are ignored.
    package mutating func add(_ sequences: some Sequence<[UInt8]>) {
        let first = starts.count - 1
        var shortest = Int.max
        for sequence in sequences where sequence.count > 1 {
            bytes += sequence
            starts.append(Int32(bytes.count))
            longest = max(longest, sequence.count)
            shortest = min(shortest, sequence.count)
        }
        guard starts.count - 1 > first else { return }
        let needed = min(shortest, Self.largestWindow)
        if window == 0 || needed < window {
            window = needed
            shifts = Array(repeating: UInt8(window - 1), count: Self.size)
            heads = Array(repeating: -1, count: Self.size)
            nexts = []
            for index in 0..<starts.count - 1 { enter(index) }
        } else {
            for index in first..<starts.count - 1 { enter(index) }
        }
    }

    private mutating func enter(_ index: Int) {
        let start = Int(starts[index])
        for end in 1..<window {
            let pair = Self.pair(bytes[start + end - 1], bytes[start + end])
            shifts[pair] = min(shifts[pair], UInt8(window - 1 - end))
            if end == window - 1 {
                nexts.append(heads[pair])
                heads[pair] = Int32(index)
            }
        }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) << 4 ^ Int(second)) & (size - 1) }

    /// The ranges of the sequences in `text`, in order; overlapping ranges are merged.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard window > 1, text.count >= window, let text = text.baseAddress.map({ UnsafeRawBufferPointer(start: $0, count: text.count) }) else {
            return found
        }
        shifts.withUnsafeBufferPointer { shifts in
            var end = window - 1
            while end < text.count {
                let pair = Self.pair(text[end - 1], text[end])
                let shift = Int(shifts[pair])
                if shift > 0 {
                    end += shift
                    continue
                }
                if let length = lengthOfLongest(pair, in: text, at: end - window + 1) {
                    let range = end - window + 1..<end - window + 1 + length
                    if let last = found.last, range.lowerBound < last.upperBound {
                        found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
                    } else {
                        found.append(range)
                    }
                }
                end += 1
            }
        }
        return found
    }

    /// The length of the longest sequence at `place` whose window ends with a pair.
    private func lengthOfLongest(_ pair: Int, in text: UnsafeRawBufferPointer, at place: Int) -> Int? {
        var longest: Int?
        var index = heads[pair]
        while index >= 0 {
            let (start, end) = (Int(starts[Int(index)]), Int(starts[Int(index) + 1]))
            let count = end - start
            if count > longest ?? 0, place + count <= text.count, text[place] == bytes[start] {
                // At memory speed, because a text and a long sequence that repeat the same bytes are compared at many places.
                let shared = bytes.withUnsafeBytes {
                    UnsafeRawBufferPointer(rebasing: text[place..<place + count]).sharedPrefix(
                        with: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
                }
                if shared == count { longest = count }
            }
            index = nexts[Int(index)]
        }
        return longest
    }
}
