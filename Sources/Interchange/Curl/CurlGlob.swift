/// The patterns in URLs of curl: `{a,b}`, `[1-9]`, `[a-z:2]` (curl manual page, URL).
struct CurlGlob {
    /// The most URLs that a pattern is expanded to.
    static let limit = 100

    /// The URLs; nil for a malformed pattern.
    private(set) var urls: [String]?
    /// The number of URLs of the pattern, which may be more than the limit.
    private(set) var count = 0

    init(_ text: String) {
        var lists: [[String]] = []
        var rest = text[...]
        var literal = ""
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, "{}[],".contains(next) {
                literal.append(next)
                rest.removeFirst()
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else { return }
                lists += [[literal], Self.items(rest[..<end])]
                literal = ""
                rest = rest[rest.index(after: end)...]
            } else if character == "[" {
                guard let end = rest.firstIndex(of: "]") else { return }
                let content = rest[..<end]
                if Self.isAddress(content) {
                    literal += "[\(content)]"
                } else if let range = Self.range(content) {
                    lists += [[literal], range]
                    literal = ""
                } else {
                    return
                }
                rest = rest[rest.index(after: end)...]
            } else {
                literal.append(character)
            }
        }
        lists.append([literal])
        var count = 1
        for list in lists { count = count.multipliedReportingOverflow(by: list.count).overflow ? .max : count * list.count }
        self.count = count
        guard count <= Self.limit else { return }
        urls = lists.reduce([""]) { left, right in left.flatMap { start in right.map { start + $0 } } }
    }

    /// Whether the text in brackets is an IPv6 address.
    private static func isAddress(_ text: Substring) -> Bool {
        text.contains(":") && text.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" } && !text.contains("-")
    }

    private static func items(_ text: Substring) -> [String] {
        // A name in front, `<name>`, is only for file names of output.
        named(text).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func named(_ text: Substring) -> Substring {
        guard text.first == "<", let end = text.firstIndex(of: ">") else { return text }
        return text[text.index(after: end)...]
    }

    private static func range(_ text: Substring) -> [String]? {
        let parts = named(text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let step = parts.count == 2 ? Int(parts[1]) : 1
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard let step, step > 0, bounds.count == 2, let first = bounds[0].first, let last = bounds[1].first else { return nil }
        if let low = Int(bounds[0]), let high = Int(bounds[1]), low <= high {
            let width = bounds[0].first == "0" ? bounds[0].count : 0
            return strided(low, high, step).map { value in
                let text = String(value)
                return String(repeating: "0", count: max(0, width - text.count)) + text
            }
        }
        guard bounds[0].count == 1, bounds[1].count == 1, let low = first.asciiValue, let high = last.asciiValue, low <= high, first.isLetter,
            last.isLetter
        else { return nil }
        return strided(Int(low), Int(high), step).map { String(Character(Unicode.Scalar(UInt8($0)))) }
    }

    /// The numbers, one more than the limit at most.
    private static func strided(_ low: Int, _ high: Int, _ step: Int) -> [Int] {
        var result: [Int] = []
        var value = low
        while value <= high, result.count <= limit {
            result.append(value)
            let (next, overflow) = value.addingReportingOverflow(step)
            if overflow { break }
            value = next
        }
        return result
    }
}
