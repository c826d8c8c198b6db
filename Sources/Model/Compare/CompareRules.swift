/// What two exchanges may differ in and still be equal.
public struct CompareRules: Hashable, Sendable {
    /// The values of JSON bodies that are not looked at, with all below them.
    public var paths: [JSONPath]
    /// The header fields that are not looked at, in small letters.
    public var headers: Set<String>
    /// Whether the status is looked at.
    public var comparesStatus: Bool

    /// What holds where nobody says anything: `Date` and `Age` say when an answer was made, not what it is.
    public static let standard = CompareRules()

    /// Rules; `Date` and `Age` are always ignored.
    public init(paths: [JSONPath] = [], headers: Set<String> = [], comparesStatus: Bool = true) {
        self.paths = paths
        self.headers = Set(headers.map { $0.lowercased() }).union(["date", "age"])
        self.comparesStatus = comparesStatus
    }

    /// The rules of texts as a person writes them: `$.timestamp`, `$.items[*].id`, `header:ETag`, `status`.
    ///
    /// - Throws: a ``CompareRuleProblem`` for a text that is none of these.
    public init(parsing texts: some Sequence<String>) throws(CompareRuleProblem) {
        self.init()
        for text in texts { try add(text) }
    }

    private mutating func add(_ text: String) throws(CompareRuleProblem) {
        let word = text.lowercased()
        if word == "status" {
            comparesStatus = false
        } else if word.hasPrefix("header:") {
            let name = text.dropFirst("header:".count)
            guard Token.isValid(name) else { throw CompareRuleProblem("“\(text)” names no header field; write header:ETag") }
            headers.insert(name.lowercased())
        } else if text.hasPrefix("$") {
            do throws(JSONPathError) { paths.append(try JSONPath(text)) } catch { throw CompareRuleProblem(error.description) }
        } else {
            throw CompareRuleProblem("“\(text)” cannot be ignored; write a JSON path ($.timestamp, $.items[*].id, $..etag), header:NAME or status")
        }
    }

    /// Whether a difference in the fields of a name counts.
    func counts(header name: String) -> Bool { !headers.contains(name.lowercased()) }
}

/// Why a text says nothing that could be ignored, and the way out.
public struct CompareRuleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole sentence.
    public var description: String

    /// A problem of a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
