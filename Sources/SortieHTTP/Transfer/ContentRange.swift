internal import SortieBase

/// The value of `Content-Range` (RFC 9110 §14.4), bytes only.
package enum ContentRange: Hashable, Sendable {
    /// `bytes first-last/total`; `total` is nil for `*`.
    case part(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, in a response to an unsatisfiable range.
    case unsatisfied(total: Int64)

    /// Parses a field value; nil when it is malformed or inconsistent.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[0] == "*" {
            guard let total = Self.number(halves[1]) else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else { return nil }
        guard halves[1] != "*" else {
            self = .part(first: first, last: last, total: nil)
            return
        }
        guard let total = Self.number(halves[1]), last < total else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit), let value = Int64(text), value < .max else { return nil }
        return value
    }
}
