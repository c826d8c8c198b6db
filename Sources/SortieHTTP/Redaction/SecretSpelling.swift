internal import FoundationEssentials
internal import SortieBase

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
        // The host of a URL is in lower case (RFC 3986 §3.2.2).
        if value.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }) {
            all.insert(value.lowercased())
        }
        let bytes = Array(value.utf8)
        guard bytes.count >= shortestEncoded else { return all }
        all.formUnion(base64(bytes))
        all.insert(hexadecimal(bytes, "0123456789abcdef"))
        all.insert(hexadecimal(bytes, "0123456789ABCDEF"))
        return all
    }

    /// Percent-encoded once and twice (RFC 3986 §2.1), with upper-case and lower-case digits.
    private static func percent(_ value: String) -> Set<String> {
        let encodings: [PercentEncoding.Allowed] = [.unreserved, .path, .query, .form]
        let encoded = encodings.map { PercentEncoding.encode(value, allowed: $0) }
        let once = Set(encoded).union(encoded.map(lowercasingEscapes))
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

    private static func hexadecimal(_ bytes: [UInt8], _ digits: String) -> String {
        let digits = Array(digits.utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
