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
    /// - Parameter text: The URL; without a scheme it is an `http` URL, unless it begins with a template, see ``TextualValues``.
    init(_ text: String) {
        var trimmed = text.trimmingPrefix(while: \.isWhitespace)
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        let text = HTTPURL.withUsualSlashes(String(trimmed))
        let typed = URLText(text)
        fragment = typed.fragment
        // A row has a name; a query with others stays in the path.
        let isExpressible = !typed.hasEmptyItems && !typed.rows.contains { $0.name.isEmpty }
        rows = isExpressible ? typed.rows : []
        let rest = isExpressible ? typed.path[...] : text.dropLast(fragment.count)
        guard let first = rest.first, !"/?".contains(first) else {
            path = String(rest)
            return
        }
        // A path or a query may contain another URL.
        let schemeEnd = ForeignText.firstIndex(of: "://", in: rest).flatMap { rest[..<$0].contains { "/?".contains($0) } ? nil : $0 }
        let hostStart = schemeEnd.map { rest.index($0, offsetBy: 3) } ?? rest.startIndex
        let pathStart = ["/", "?"].compactMap { ForeignText.firstIndex(of: $0, in: rest[hostStart...]) }.min() ?? rest.endIndex
        path = String(rest[pathStart...])
        var authority = rest[hostStart..<pathStart]
        var scheme = schemeEnd.map { rest[..<$0] + "://" } ?? ""
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
            credentials = (parts[0], parts.count == 2 ? parts[1] : "")
            authority = authority[authority.index(after: at)...]
        }
        if schemeEnd == nil, !authority.hasPrefix("{{") { scheme = "http://" }
        base = scheme + authority
    }

    /// What follows the server of a service; the whole URL where it ends in a template, whose value may have a path (``TextualValues``).
    var relativePath: String { path.isEmpty ? base.flatMap { $0.contains("{{") ? $0 : nil } ?? "/" : path }

    /// The URL without its query.
    var absolutePath: String { relativePath == base ? relativePath : (base ?? "") + relativePath }

    /// Sets the rows of the query and the credentials.
    func addRowsAndLogin(to endpoint: inout Endpoint) {
        endpoint.query += rows
        if rows.contains(where: \.isNameOnly) { endpoint.parameters = ParameterStyle(nulls: .keyOnly) }
        if let credentials { endpoint.auth = .basic(user: credentials.user, password: credentials.password) }
    }

    /// Makes the endpoint of a `ws` or `wss` URL a WebSocket connection.
    mutating func openWebSocket(of endpoint: inout Endpoint) {
        guard let base, WebSocketURL.isWebSocket(base) else { return }
        (self.base, endpoint.kind) = (WebSocketURL.http(base), .webSocket)
    }

    /// Why requests cannot be sent to a URL, which the files of a workspace would refuse; nil where they can, and where templates determine it.
    static func problem(of url: String) -> String? {
        guard Template(url).isPlain else { return nil }
        do throws(HTTPURL.ParseError) {
            _ = try HTTPURL(parsing: url)
            return nil
        } catch { return error.reason }
    }

    /// Sets the rows to those of the query as it is written, for a source that encodes them again.
    mutating func setWrittenRows(of text: String) {
        guard let mark = text.firstIndex(where: { "?#".contains($0) }), text[mark] == "?" else { return }
        path = String(path.prefix { $0 != "?" })
        rows = text[text.index(after: mark)...].split(separator: "&").compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, !name.isEmpty else { return nil }
            var row = Parameter(name, parts.count == 2 ? parts[1] : "")
            row.isNameOnly = parts.count == 1
            return row
        }
    }
}

extension Endpoint {
    /// Sets the value of a parameter `:name` in the path, after the other parts of the endpoint.
    ///
    /// - Parameter isEncoded: Whether the source encodes the value; otherwise it is text of the URL, see ``TextualValues``.
    mutating func setPathParameter(_ name: String, to value: String, isEncoded: Bool = true) {
        let reference = "{{\(name)}}"
        let isName = PathParameter.isName(name)
        if isName, value == reference { return }
        // Other parts may use another variable of this name.
        let isUsed = (texts + [value]).flatMap { Template($0).segments }.contains { if case .variable(name, _) = $0 { true } else { false } }
        if isName, !isUsed {
            variables[name] = value
        } else {
            let isText = isEncoded && Template(value).isPlain
            replaceSegment(":\(name)", with: isText ? PercentEncoding.encode(value, allowed: .unreserved) : value)
        }
    }

    /// Replaces the segments of the path that are equal to a text.
    mutating func replaceSegment(_ segment: String, with text: String) {
        path = path.split(separator: "/", omittingEmptySubsequences: false).map { $0 == segment ? text[...] : $0 }.joined(separator: "/")
    }
}

extension ImportedService {
    /// Makes the most frequent server of the endpoints that of the service, and their paths relative to it.
    ///
    /// The path of every endpoint begins with its server, or with `/` where it has none. An endpoint on another server keeps its absolute path, and
    /// gets the credentials of the service where it inherits them. Where no endpoint names a server, it is the variable `baseUrl`.
    mutating func useCommonServer() {
        var counts: [String: Int] = [:]
        var order: [String] = []
        items.mapEndpoints { item in
            guard let base = Self.base(of: item.endpoint.path) else { return }
            if counts.updateValue((counts[base] ?? 0) + 1, forKey: base) == nil { order.append(base) }
        }
        if counts.isEmpty, !items.isEmpty { service.servers = [Self.everywhere: ["{{baseUrl}}"]] }
        guard let most = counts.values.max(), let common = order.first(where: { counts[$0] == most }) else { return }
        service.servers = [Self.everywhere: [common]]
        let auth = service.auth
        items.mapEndpoints { item in
            guard let base = Self.base(of: item.endpoint.path) else { return }
            if base == common {
                let path = item.endpoint.path.dropFirst(base.count)
                // The complete URL is in a variable.
                if !path.isEmpty { item.endpoint.path = String(path) }
            } else if item.endpoint.auth == .inherit, auth != .none {
                item.endpoint.auth = auth
            }
        }
    }

    private static func base(of path: String) -> String? { ImportedURL(path).base }
}
