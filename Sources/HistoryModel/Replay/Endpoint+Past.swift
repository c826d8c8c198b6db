package import SortieHTTP
package import WorkspaceModel

extension Endpoint {
    /// Creates an endpoint that sends the request of a past exchange.
    ///
    /// Masked values become templates such as `{{authorization}}`, or keep the template they had.
    ///
    /// - Parameters:
    ///   - servers: The servers of the service; a URL on one of them becomes a path relative to it.
    ///   - folder: The absolute folder of the workspace.
    package init(of past: PastExchange, target: String, name: String, servers: [HTTPURL], folder: String) {
        let request = past.exchange.request
        if var endpoint = request.origin?.endpoint {
            let isMoved = endpoint.serviceName != Endpoint.serviceName(of: target)
            endpoint.move(to: target, in: folder)
            endpoint.name = name
            endpoint.location = nil
            var masked = past.masks.endpoint
            // A path of another service and a complete URL are rebuilt relative to the server of the request.
            if isMoved || HTTPURL.isAbsolute(endpoint.path), Template(endpoint.path).isPlain {
                let isWhole = HTTPURL.isAbsolute(endpoint.path)
                let query = isWhole && endpoint.query.isEmpty ? request.url.query : nil
                let rows = query.flatMap { Self.rows(of: $0) }
                let text = isWhole ? endpoint.path.drop { $0 != "?" } : ""
                endpoint.path = Self.path(of: request.url, servers: servers) + (rows == nil ? text : "")
                if past.masks.request.contains(.path) { masked.insert(.path) }
                if let rows {
                    endpoint.query = rows
                    masked.formUnion(past.masks.request.filter { if case .query = $0 { true } else { false } })
                }
            } else if isMoved, !HTTPURL.isAbsolute(endpoint.path) {
                endpoint.path = Self.path(of: request.url, servers: servers)
                if past.masks.request.contains(.path) { masked.insert(.path) }
            }
            if past.item.kind == .webSocket, !endpoint.opensWebSocket { endpoint.path = WebSocketURL.webSocket(endpoint.path) }
            if past.item.kind == .webSocket, !endpoint.opensWebSocket { endpoint.kind = .webSocket }
            self = endpoint.withPlaceholders(for: masked)
            return
        }
        let url = Self.path(of: request.url, servers: servers)
        self.init(
            target: target, name: name, method: request.method, path: past.item.kind == .webSocket ? WebSocketURL.webSocket(url) : url)
        kind = past.item.kind
        var masked = past.masks.request
        if let query = request.url.query, let rows = Self.rows(of: query) {
            self.query = rows
        } else {
            path += request.url.query.map { "?" + Template.quoting($0) } ?? ""
            if masked.contains(where: { if case .query = $0 { true } else { false } }) { masked.insert(.path) }
        }
        body = Self.template(of: request.body)
        if case .form(let rows) = body, masked.contains(.body) { masked.formUnion(rows.indices.map { .bodyPart($0) }) }
        let type = body.contentType
        for (index, field) in request.headers.fields.enumerated() {
            let isMasked = masked.remove(.header(index)) != nil
            guard !Self.ofTheEngine.contains(where: { field.isNamed($0) }), !field.isNamed("Content-Type") || field.value != type else { continue }
            if isMasked { masked.insert(.header(headers.count)) }
            headers.append(Parameter(field.name, Template.quoting(field.value)))
        }
        self = withPlaceholders(for: masked)
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

    /// The endpoint with a template in place of each mask of `parts`.
    private func withPlaceholders(for parts: Set<MaskedPart>) -> Endpoint {
        var result = replacingMasks(in: parts) { name in
            let word = String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
            return "{{\(word.isEmpty ? "secret" : word)}}"
        }
        // A variable with a masked value is removed, because a variable cannot refer to itself.
        for case .variable(let name) in parts { result.variables[name] = nil }
        return result
    }

    /// The endpoint with its masked parts taken from the current endpoint, where that has the same row, and with templates in place
    /// of the others.
    ///
    /// - Parameter whole: Receives the names of the parts that were taken from the current endpoint as a whole because they have no
    ///   rows.
    package func unmasked(_ parts: Set<MaskedPart>, from now: Endpoint, whole: inout [String]) -> Endpoint {
        var result = self
        var left = parts
        // Parts that are not sent are taken from the current endpoint.
        if left.remove(.name) != nil { result.name = now.name }
        if left.remove(.summary) != nil { result.summary = now.summary }
        if left.remove(.destination) != nil { result.download?.to = now.download?.to }
        if left.remove(.expectation) != nil { result.comparisons = now.comparisons }
        if left.remove(.shape) != nil { result.expectation?.shape = now.expectation?.shape }
        if left.remove(.path) != nil {
            result.path = now.path
            whole.append("path")
        }
        func take(_ rows: inout [Parameter], _ others: [Parameter], _ part: (Int) -> MaskedPart, isSame: (String, String) -> Bool = { $0 == $1 }) {
            for index in rows.indices where left.contains(part(index)) {
                guard let other = others.first(where: { isSame($0.name, rows[index].name) }) else { continue }
                rows[index].value = other.value
                left.remove(part(index))
            }
        }
        take(&result.query, now.query, MaskedPart.query)
        take(&result.headers, now.headers, MaskedPart.header) { HeaderField($0, "").isNamed($1) }
        for (name, value) in now.variables where left.remove(.variable(name)) != nil { result.variables[name] = value }
        if auth.scheme == now.auth.scheme, auth.scheme != nil, left.remove(.auth) != nil { result.auth = now.auth }
        switch (body, now.body) {
        case (.form(var rows), .form(let others)):
            take(&rows, others, MaskedPart.bodyPart)
            result.body = .form(rows)
        case (.multipart(var parts), .multipart(let others)):
            for index in parts.indices where left.contains(.bodyPart(index)) {
                guard let other = others.first(where: { $0.name == parts[index].name }) else { continue }
                parts[index].value = other.value
                left.remove(.bodyPart(index))
            }
            result.body = .multipart(parts)
        case (.json, .json), (.text, .text), (.plist, .plist), (.graphQL, .graphQL):
            // A text has no rows, so a masked text is replaced as a whole.
            if left.remove(.body) != nil {
                result.body = now.body
                whole.append("body")
            }
        default: break
        }
        return result.withPlaceholders(for: left)
    }
}
