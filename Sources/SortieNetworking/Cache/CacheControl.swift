internal import SortieHTTP

/// The directives of `Cache-Control` (RFC 9111 §5.2), names in lower case.
struct CacheControl: Hashable, Sendable {
    private var directives: [String: String] = [:]

    /// Parses every `Cache-Control` field.
    ///
    /// The first of two equal directives counts (RFC 9111 §4.2.1).
    ///
    /// `Pragma: no-cache` means `no-cache` where there is no `Cache-Control` (RFC 9111 §5.4).
    init(_ headers: Headers) {
        let values = headers.values(of: "Cache-Control")
        for value in values {
            for part in Self.parts(of: value) {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let first = pair.first else { continue }
                let name = Self.trimmed(first).lowercased()
                let argument = pair.count == 2 ? Self.trimmed(pair[1]).filter { $0 != "\"" } : ""
                if !name.isEmpty, directives[name] == nil { directives[name] = argument }
            }
        }
        if values.isEmpty, headers.values(of: "Pragma").contains(where: { $0.lowercased().contains("no-cache") }) {
            directives["no-cache"] = ""
        }
    }

    /// Whether a directive is present, with or without an argument.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The argument of `max-age`; nil when it is missing or not a number of seconds.
    var maximumAge: Duration? {
        guard let text = directives["max-age"], text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else { return nil }
        // RFC 9111 §1.2.2: a number that is too large counts as 2³¹.
        return .seconds(min(Int64(text) ?? 1 << 31, 1 << 31))
    }

    /// Splits at commas that are not inside quotes: `no-cache="a, b"` is one directive.
    private static func parts(of value: String) -> [Substring] {
        var isQuoted = false
        return value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
