internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A URL of another tool in its parts, with templates in the notation of workspaces.
struct ImportedURL {
    /// Scheme, host and port, or templates for them; nil for a URL without a host.
    var base: String?
    /// What follows the host, from its slash; empty where nothing follows.
    var path: String
    /// The rows of the query.
    var rows: [Parameter]
    /// The fragment with its `#`; empty for none.
    var fragment: String
    /// The credentials before the host, decoded.
    var credentials: (user: String, password: String)?

    /// Splits a URL.
    ///
    /// - Parameters:
    ///   - text: The URL; without a scheme it is an `http` URL, unless it begins with a template.
    ///   - values: The known values of variables, by which a first template without a scheme is recognized.
    init(_ text: String, values: [String: String] = [:]) {
        let typed = URLText(text.trimmingPrefix { $0.isWhitespace }.description, isForm: true)
        (rows, fragment) = (typed.rows, typed.fragment)
        var rest = typed.path[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        guard !rest.isEmpty, !rest.hasPrefix("/") else {
            path = String(rest)
            return
        }
        let schemeEnd = Self.firstIndex(of: "://", in: rest)
        let hostStart = schemeEnd.map { rest.index($0, offsetBy: 3) } ?? rest.startIndex
        let pathStart = Self.firstIndex(of: "/", in: rest[hostStart...]) ?? rest.endIndex
        path = String(rest[pathStart...])
        var authority = rest[hostStart..<pathStart]
        var scheme = schemeEnd.map { rest[..<$0] + "://" } ?? ""
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
            credentials = (parts[0], parts.count == 2 ? parts[1] : "")
            authority = authority[authority.index(after: at)...]
        }
        if schemeEnd == nil, Self.needsScheme(authority, values: values) { scheme = "http://" }
        base = scheme + authority
    }

    /// Whether a host without a scheme is complete: text, or a variable whose value is known and has no scheme.
    private static func needsScheme(_ authority: Substring, values: [String: String]) -> Bool {
        guard case .variable(let name, _)? = Template(String(authority)).segments.first else { return !authority.hasPrefix("{{") }
        guard let value = values[name], !value.isEmpty else { return false }
        if case .variable? = Template(value).segments.first { return needsScheme(value[...], values: values.filter { $0.key != name }) }
        return !value.contains("://")
    }

    /// The first occurrence outside of templates.
    private static func firstIndex(of mark: String, in text: Substring) -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{"), let end = text[index...].firstRange(of: "}}")?.upperBound {
                index = end
            } else if text[index...].hasPrefix(mark) {
                return index
            } else {
                index = text.index(after: index)
            }
        }
        return nil
    }
}
