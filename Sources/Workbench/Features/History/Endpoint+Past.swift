internal import HistoryModel
internal import SortieHTTP
package import WorkspaceModel

extension Endpoint {
    /// Creates an endpoint that sends the request of a past exchange.
    ///
    /// Masked values become templates such as `{{authorization}}`, or keep the template they had.
    ///
    /// - Parameter servers: The servers of the service; a URL on one of them becomes a path relative to it.
    init(of past: PastExchange, target: String, name: String, servers: [HTTPURL]) {
        let request = past.exchange.request
        if var endpoint = request.origin?.endpoint {
            let isMoved = endpoint.serviceName != Endpoint.serviceName(of: target)
            endpoint.target = target
            endpoint.name = name
            endpoint.location = nil
            // A path of another service and a complete URL are rebuilt relative to the server of the request.
            if isMoved || HTTPURL.isAbsolute(endpoint.path), Template(endpoint.path).isPlain {
                let isWhole = HTTPURL.isAbsolute(endpoint.path)
                let query = isWhole && endpoint.query.isEmpty ? request.url.query : nil
                let rows = query.flatMap { Self.rows(of: $0) }
                let text = isWhole ? endpoint.path.drop { $0 != "?" } : ""
                endpoint.path = Self.path(of: request.url, servers: servers) + (rows == nil ? text : "")
                if let rows { endpoint.query = rows }
            } else if isMoved, !HTTPURL.isAbsolute(endpoint.path) {
                endpoint.path = Self.path(of: request.url, servers: servers)
            }
            self = endpoint.withPlaceholders
            return
        }
        self.init(target: target, name: name, method: request.method, path: Self.path(of: request.url, servers: servers))
        kind = past.item.kind
        if let query = request.url.query, let rows = Self.rows(of: query) {
            self.query = rows
        } else {
            path += request.url.query.map { "?" + Template.quoting($0) } ?? ""
        }
        headers = request.headers.fields.filter { field in !Self.ofTheEngine.contains { field.isNamed($0) } }.map {
            Parameter($0.name, Template.quoting($0.value))
        }
        body = Self.template(of: request.body)
        if case .none = body {
        } else if let type = body.contentType {
            headers.removeAll { HeaderField($0.name, $0.value).isNamed("Content-Type") && $0.value == type }
        }
        self = withPlaceholders
    }

    /// Fields that follow from the rest of the request.
    private static let ofTheEngine = ["Host", "Content-Length", "Connection", "Transfer-Encoding", "Cookie"]

    private static func path(of url: HTTPURL, servers: [HTTPURL]) -> String {
        var whole = url
        whole.query = nil
        whole.credentials = nil
        guard let server = servers.first(where: { $0.origin == url.origin }) else { return whole.description }
        let base = server.path.hasSuffix("/") ? String(server.path.dropLast()) : server.path
        guard url.path.hasPrefix(base + "/") else { return whole.description }
        return String(url.path.dropFirst(base.count))
    }

    /// The pairs of a query; nil when encoding them again would not give the same bytes.
    private static func rows(of query: String) -> [Parameter]? {
        let rows = query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> Parameter in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(PercentEncoding.decode(parts[0]), parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
        }
        let url = HTTPURL(scheme: .http, host: "x").appending(query: rows.map { ($0.name, $0.value) })
        guard url.query == query, !rows.contains(where: { $0.name.isEmpty }) else { return nil }
        return rows.map { Parameter(Template.quoting($0.name), Template.quoting($0.value)) }
    }

    private static func template(of body: RequestBody) -> BodyTemplate {
        switch body {
        case .none: return .none
        case .file(let path, let contentType): return .file(path: Template.quoting(path), contentType: contentType)
        case .bytes(let bytes, let contentType):
            let text = String(decoding: bytes, as: UTF8.self)
            // An endpoint's file cannot contain bytes that are not UTF-8.
            guard Array(text.utf8) == bytes else { return .none }
            let type = contentType?.lowercased() ?? ""
            if type.hasPrefix("application/json") { return .json(Template.quoting(text)) }
            if type.hasPrefix("application/x-www-form-urlencoded"), let rows = rows(of: text) { return .form(rows) }
            return .text(Template.quoting(text), contentType: contentType)
        case .multipart(let parts):
            return .multipart(
                parts.map { part in
                    let (text, isFile) =
                        switch part.content {
                        case .file(let path): (path, true)
                        case .bytes(let bytes): (String(decoding: bytes, as: UTF8.self), false)
                        }
                    return .init(
                        name: Template.quoting(part.name), value: Template.quoting(text), isFile: isFile,
                        fileName: part.fileName.map(Template.quoting), contentType: part.contentType)
                })
        }
    }

    // MARK: Masks

    /// The endpoint with a template in place of each mask.
    var withPlaceholders: Endpoint {
        var result = self
        result.path = Self.filled(path, "path")
        for index in result.query.indices { result.query[index].value = Self.filled(query[index].value, query[index].name) }
        for index in result.headers.indices { result.headers[index].value = Self.filled(headers[index].value, headers[index].name) }
        // A variable with a masked value is removed, because a variable cannot refer to itself.
        result.variables = variables.filter { !$0.value.contains(HeaderField.mask) }
        switch auth {
        case .basic(let user, let password): result.auth = .basic(user: Self.filled(user, "user"), password: Self.filled(password, "password"))
        case .digest(let user, let password): result.auth = .digest(user: Self.filled(user, "user"), password: Self.filled(password, "password"))
        case .bearer(let token): result.auth = .bearer(token: Self.filled(token, "token"))
        case .inherit, .none: break
        }
        switch body {
        case .json(let text): result.body = .json(Self.filled(text, "secret"))
        case .text(let text, let type): result.body = .text(Self.filled(text, "secret"), contentType: type)
        case .plist(let text): result.body = .plist(Self.filled(text, "secret"))
        case .form(var rows):
            for index in rows.indices { rows[index].value = Self.filled(rows[index].value, rows[index].name) }
            result.body = .form(rows)
        case .multipart(var parts):
            for index in parts.indices { parts[index].value = Self.filled(parts[index].value, parts[index].name) }
            result.body = .multipart(parts)
        case .file(let path, let type): result.body = .file(path: Self.filled(path, "file"), contentType: type)
        case .none: break
        }
        return result
    }

    /// Whether a value is masked that has to be filled in before sending.
    package var isMasked: Bool { withPlaceholders != self }

    private static func filled(_ text: String, _ name: String) -> String {
        guard text.contains(HeaderField.mask) else { return text }
        let word = String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return text.replacing(HeaderField.mask, with: "{{\(word.isEmpty ? "secret" : word)}}")
    }

    /// The endpoint with its masked values taken from the current endpoint, where that has the same row, and with templates in place
    /// of the others.
    ///
    /// - Parameter whole: Receives the names of the parts that were taken from the current endpoint as a whole because they have no
    ///   rows.
    func unmasked(from now: Endpoint, whole: inout [String]) -> Endpoint {
        var result = self
        // Parts that are not sent are taken from the current endpoint.
        if name.contains(HeaderField.mask) { result.name = now.name }
        if summary?.contains(HeaderField.mask) == true { result.summary = now.summary }
        if download?.to?.contains(HeaderField.mask) == true { result.download?.to = now.download?.to }
        if let expectation, (expectation.json + expectation.headers).contains(where: { $0.value.contains(HeaderField.mask) }) {
            result.expectation = now.expectation
        }
        if path.contains(HeaderField.mask) {
            result.path = now.path
            whole.append("path")
        }
        result.query = Self.unmasked(query, from: now.query)
        result.headers = Self.unmasked(headers, from: now.headers) { HeaderField($0, "").isNamed($1) }
        for (name, value) in variables where value.contains(HeaderField.mask) { result.variables[name] = now.variables[name] ?? value }
        switch (auth, now.auth) {
        case (.basic(let user, let password), .basic), (.digest(let user, let password), .digest):
            if user.contains(HeaderField.mask) || password.contains(HeaderField.mask) { result.auth = now.auth }
        case (.bearer(let token), .bearer): if token.contains(HeaderField.mask) { result.auth = now.auth }
        default: break
        }
        switch (body, now.body) {
        case (.form(let rows), .form(let others)): result.body = .form(Self.unmasked(rows, from: others))
        case (.multipart(var parts), .multipart(let others)):
            for index in parts.indices where parts[index].value.contains(HeaderField.mask) {
                parts[index].value = others.first { $0.name == parts[index].name }?.value ?? parts[index].value
            }
            result.body = .multipart(parts)
        case (.json(let text), .json), (.text(let text, _), .text), (.plist(let text), .plist):
            // A text has no rows, so a masked text is replaced as a whole.
            if text.contains(HeaderField.mask) {
                result.body = now.body
                whole.append("body")
            }
        default: break
        }
        return result.withPlaceholders
    }

    private static func unmasked(
        _ rows: [Parameter], from others: [Parameter], isSame: (String, String) -> Bool = { $0 == $1 }
    ) -> [Parameter] {
        rows.map { row in
            guard row.value.contains(HeaderField.mask), let other = others.first(where: { isSame($0.name, row.name) }) else { return row }
            var row = row
            row.value = other.value
            return row
        }
    }
}
