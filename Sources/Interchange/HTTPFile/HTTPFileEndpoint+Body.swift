internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension HTTPFileEndpoint {
    /// Sets the body.
    mutating func addBody(isGraphQL: Bool) {
        let lines = request.body
        guard !lines.isEmpty else {
            if isGraphQL { note(.omitted, "the query is missing") }
            return
        }
        let declared = request.headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
        let hasGraphQLField = request.headers.contains { $0.name.lowercased() == "x-request-type" && $0.value.lowercased() == "graphql" }
        if isGraphQL || hasGraphQLField || declared?.lowercased().hasPrefix("application/graphql") != true && isGraphQLText(lines) {
            return addGraphQL(lines)
        }
        if let declared, MediaTypeName.plain(declared) == "multipart/form-data" {
            guard let boundary = HTTPFileMultipart.boundary(of: declared) ?? firstBoundary(lines) else {
                note(.omitted, "the parts have no boundary; write one after Content-Type: multipart/form-data; boundary=")
                return
            }
            takeContentType()
            var parts = HTTPFileMultipart(lines, boundary: boundary, file: request.place.file)
            parts.read()
            for (reason, place) in parts.problems { note(.omitted, reason, at: place) }
            endpoint.body = .multipart(
                parts.parts.map { part in
                    BodyTemplate.Part(
                        name: translation.text(part.name), value: part.isFile ? path(part.value) : translation.text(part.value), isFile: part.isFile,
                        fileName: part.isFile ? part.fileName.map { translation.text($0) } ?? "" : part.fileName.map { translation.text($0) },
                        contentType: part.contentType.map { translation.text($0) })
                })
            return
        }
        let files = lines.filter { HTTPFileSyntax.file($0.text[...]) != nil }
        let others = lines.filter { HTTPFileSyntax.file($0.text[...]) == nil && !$0.text.allSatisfy(\.isWhitespace) }
        if files.count == 1, others.isEmpty, let line = files.first, let file = HTTPFileSyntax.file(line.text[...]) {
            return addFile(file.path, isTemplate: file.isTemplate)
        }
        setText(joined(lines, isMultipart: declared.map { MediaTypeName.plain($0).hasPrefix("multipart/") } ?? false))
    }

    /// The messages of a WebSocket connection, which `===` lines separate.
    mutating func openWebSocket() {
        endpoint.kind = .webSocket
        var messages = [""]
        for line in request.body {
            if line.text.hasPrefix("===") { messages.append("") } else { messages[messages.count - 1] += line.text + "\n" }
        }
        for text in messages.map({ ForeignText.trimmed($0) }) where !text.isEmpty {
            endpoint.messages.append(Parameter("message-\(endpoint.messages.count + 1)", translation.text(text)))
        }
    }

    /// The method of gRPC that the path names, with its message; false, with an entry, for a path that names none.
    mutating func callMethod() -> Bool {
        guard let method = GRPCMethodPath(endpoint.path) else {
            note(.omitted, "the URL names no method of gRPC; it must end in /package.Service/Method")
            return false
        }
        (endpoint.kind, endpoint.method, endpoint.path) = (.grpc, .post, "")
        endpoint.grpc = GRPCSetting(method: method.description)
        let text = ForeignText.trimmed(request.body.map(\.text).joined(separator: "\n"))
        if !text.isEmpty { endpoint.body = .json(translation.text(text)) }
        return true
    }

    private func place(_ line: HTTPFileRequest.Line) -> SourceLocation { SourceLocation(file: request.place.file, line: line.number) }

    private func firstBoundary(_ lines: [HTTPFileRequest.Line]) -> String? {
        guard let first = lines.first?.text, first.hasPrefix("--"), first.count > 2 else { return nil }
        return ForeignText.trimmed(first.dropFirst(2))
    }

    /// The path of a file, relative to the folder of the source.
    private mutating func path(_ written: String) -> String {
        let text = translation.text(written)
        if FilePath.isAbsolute(text) || text.hasPrefix("{{") && folder.isEmpty { return text }
        return FilePath.normalized(folder.isEmpty ? text : folder + "/" + text)
    }

    /// Removes the field Content-Type and returns its value where it has no templates, and describes the body; nil for none.
    @discardableResult
    private mutating func takeContentType() -> String? {
        let fields = endpoint.headers.indices.filter { endpoint.headers[$0].isEnabled && endpoint.headers[$0].name.lowercased() == "content-type" }
        guard fields.count == 1, let index = fields.first, Template(endpoint.headers[index].value).isPlain else { return nil }
        return endpoint.headers.remove(at: index).value
    }

    private mutating func setText(_ text: String) {
        let type = takeContentType()
        let hasField = endpoint.headers.contains { $0.isEnabled && $0.name.lowercased() == "content-type" }
        if let type {
            endpoint.body = .foreign(translation.text(text), contentType: type)
            return
        }
        // Without a type, the removed field keeps Sortie from sending one.
        if !hasField { endpoint.removedHeaders = ["Content-Type"] }
        endpoint.body = .text(translation.text(text), contentType: nil)
    }

    private mutating func addFile(_ written: String, isTemplate: Bool) {
        let file = path(written)
        if isTemplate {
            if let bytes = source.file(file), let text = String(validating: bytes, as: UTF8.self) {
                note(.changed, "the content of \(file) is copied into the endpoint, because it may have variables")
                return setText(text)
            }
            note(.changed, "\(file) is sent as it is: its variables are not replaced")
        }
        let type = takeContentType()
        let hasField = endpoint.headers.contains { $0.isEnabled && $0.name.lowercased() == "content-type" }
        if type == nil, !hasField { endpoint.removedHeaders = ["Content-Type"] }
        endpoint.body = .file(path: file, contentType: type)
    }

    /// The lines as one text; lines that name files are replaced by the content of the files.
    private mutating func joined(_ lines: [HTTPFileRequest.Line], isMultipart: Bool) -> String {
        var result: [String] = []
        for line in lines {
            guard let file = HTTPFileSyntax.file(line.text[...]) else {
                result.append(line.text)
                continue
            }
            let path = path(file.path)
            guard let bytes = source.file(path), let text = String(validating: bytes, as: UTF8.self) else {
                note(.omitted, "\(path) is part of the body and cannot be read as text in the folder of the source", at: place(line))
                continue
            }
            note(.changed, "the content of \(path) is copied into the endpoint", at: place(line))
            result.append(text)
        }
        // The lines of parts end with CR LF (RFC 2046 §4.1.1).
        return result.joined(separator: isMultipart ? "\r\n" : "\n") + (isMultipart ? "\r\n" : "")
    }

    // MARK: GraphQL

    /// Whether the body is a query of GraphQL without a word that says so, as in httpyac.
    private func isGraphQLText(_ lines: [HTTPFileRequest.Line]) -> Bool {
        let first = ForeignText.trimmed(lines.first?.text ?? "")
        if first.hasPrefix("gql ") { return true }
        let words = first.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, ["query", "mutation", "subscription", "fragment"].contains(words[0]) else { return false }
        return words[1].contains("{") || words[1].contains("(")
    }

    private mutating func addGraphQL(_ lines: [HTTPFileRequest.Line]) {
        var query = lines
        var variables: [HTTPFileRequest.Line] = []
        // The variables are a JSON object after an empty line.
        if let gap = lines.indices.last(where: { index in
            lines[index].text.allSatisfy(\.isWhitespace) && index + 1 < lines.count && ForeignText.trimmed(lines[index + 1].text).hasPrefix("{")
        }), gap > 0 {
            query = Array(lines[..<gap])
            variables = Array(lines[(gap + 1)...])
        }
        var operation = ""
        if let first = query.first, ForeignText.trimmed(first.text).hasPrefix("gql ") {
            let words = ForeignText.words(first.text)
            if let mark = words.firstIndex(of: "<"), mark + 1 < words.count {
                if mark == 2 { operation = words[1] }
                query[0].text = "< \(words[mark + 1])"
            } else {
                query[0].text = ForeignText.trimmed(ForeignText.trimmed(first.text).dropFirst("gql ".count))
            }
        }
        let text = translation.text(joined(query, isMultipart: false))
        takeContentType()
        let values = ForeignText.trimmed(translation.text(joined(variables, isMultipart: false)))
        let imported = ImportedBody.graphQL(query: ForeignText.trimmed(text), variables: values, operation: operation)
        if imported.omitsVariables { note(.omitted, ImportedBody.invalidVariables, at: variables.first.map(place)) }
        endpoint.body = imported.body
    }
}
