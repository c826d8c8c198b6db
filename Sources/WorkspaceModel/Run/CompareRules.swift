package import SortieBase
internal import SortieHTTP

/// The differences between two exchanges that do not count.
package struct CompareRules: Hashable, Sendable {
    /// The paths of ignored values in JSON bodies, including everything below them.
    package var paths: [JSONPath]
    /// The names of ignored header fields, in lowercase.
    package var headers: Set<String>
    /// Whether the status is compared.
    package var comparesStatus: Bool

    /// The default rules: `Date` and `Age` are ignored, because they describe when a response was made, not its content.
    package static let standard = CompareRules()

    /// Creates rules; `Date` and `Age` are always ignored.
    package init(paths: [JSONPath] = [], headers: Set<String> = [], comparesStatus: Bool = true) {
        self.paths = paths
        self.headers = Set(headers.map { $0.lowercased() }).union(["date", "age"])
        self.comparesStatus = comparesStatus
    }

    /// Parses rules in the user's notation: `$.timestamp`, `$.items[*].id`, `header:ETag`, `status`.
    ///
    /// - Throws: A ``CompareRuleProblem`` for any other text.
    package init(parsing texts: some Sequence<String>) throws(CompareRuleProblem) {
        self.init()
        for text in texts { try add(text) }
    }

    private mutating func add(_ text: String) throws(CompareRuleProblem) {
        let word = text.lowercased()
        if word == "status" {
            comparesStatus = false
        } else if word.hasPrefix("header:") {
            let name = text.dropFirst("header:".count)
            guard Token.isValid(name) else { throw CompareRuleProblem("“\(text)” has no name of a header field; write header:ETag") }
            headers.insert(name.lowercased())
        } else if text.hasPrefix("$") {
            let path: JSONPath
            do throws(JSONPathError) { path = try JSONPath(text) } catch { throw CompareRuleProblem(error.description) }
            guard !path.hasFilter else {
                throw CompareRuleProblem("“\(text)” has a filter (?), which two values cannot share; write [*] or an index instead")
            }
            paths.append(path)
        } else {
            throw CompareRuleProblem("“\(text)” cannot be ignored; write a JSON path ($.timestamp, $.items[*].id, $..etag), header:NAME or status")
        }
    }

    /// Whether a difference in the fields of a name counts.
    package func counts(header name: String) -> Bool { !headers.contains(name.lowercased()) }
}

/// The error for a text that is not a rule, with the remedy.
package struct CompareRuleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The complete message.
    package var description: String

    /// Creates an error with a message.
    package init(_ description: String) {
        self.description = description
    }
}
