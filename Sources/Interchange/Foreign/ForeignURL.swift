internal import SortieBase
internal import WorkspaceModel

/// A URL with templates, divided into what a service has and what an endpoint has.
struct ForeignURL {
    /// Scheme, host and port, or the template that stands for them; empty for a path.
    private(set) var server = ""
    /// The path; with the query where rows cannot express it.
    private(set) var path = ""
    /// The rows of the query.
    private(set) var query: [Parameter] = []
    /// The user and the password in the URL, decoded.
    private(set) var login: (user: String, password: String)?
    /// The fragment, which is never sent; empty for none.
    private(set) var fragment = ""

    /// Divides a URL; a text without a scheme is a host with `http`, unless it begins with a template or a slash.
    init(_ template: String) {
        let typed = URLText(template, isForm: true)
        fragment = typed.fragment
        var rest = template.dropLast(typed.fragment.count)
        // A name without “=” needs a setting of the workspace, and an encoded brace would become a template.
        let isExpressible = !typed.rows.contains { $0.isNameOnly || $0.name.isEmpty } && !rest.lowercased().contains("%7b")
        if isExpressible {
            query = typed.rows
            rest = typed.path[...]
        }
        let authorityStart: Substring.Index
        if let range = rest.firstRange(of: "://"), rest[..<range.lowerBound].allSatisfy({ $0.isLetter }) {
            authorityStart = range.upperBound
        } else if rest.hasPrefix("/") || rest.hasPrefix("?") || rest.isEmpty {
            path = String(rest)
            return
        } else if rest.hasPrefix("{{") {
            authorityStart = rest.startIndex
        } else {
            rest = "http://" + rest
            authorityStart = rest.index(rest.startIndex, offsetBy: 7)
        }
        let end = Self.endOfAuthority(rest, from: authorityStart)
        var authority = rest[authorityStart..<end]
        if let at = authority.lastIndex(of: "@"), !rest[..<authorityStart].isEmpty {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
            login = (parts[0], parts.count == 2 ? parts[1] : "")
            authority = authority[authority.index(after: at)...]
        }
        server = String(rest[..<authorityStart]) + authority
        path = String(rest[end...])
        // The value of a template may end in a path, so that no slash may follow it.
        if path.isEmpty || path.hasPrefix("?"), server.hasPrefix("{{") { path = server + path }
        if path.isEmpty { path = "/" }
    }

    private static func endOfAuthority(_ text: Substring, from start: Substring.Index) -> Substring.Index {
        var index = start
        while index < text.endIndex, text[index] != "/", text[index] != "?" {
            if text[index...].hasPrefix("{{"), let end = text[index...].firstRange(of: "}}") {
                index = end.upperBound
            } else {
                index = text.index(after: index)
            }
        }
        return index
    }

    /// The name for a service of this server.
    var serverName: String {
        if let range = server.firstRange(of: "://") { return String(server[range.upperBound...]) }
        return server
    }
}
