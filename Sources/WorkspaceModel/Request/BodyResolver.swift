package import SortieBase
package import SortieHTTP

/// Creates a request body from a template, with its media type.
struct BodyResolver {
    /// The folder of relative paths.
    package var folder: String
    /// Resolves the endpoint's texts.
    package var texts: PlacedScope
    /// How a form is written.
    package var style = ParameterStyle()
    /// The parameters of the query that are sent before the fields of a form.
    package var parameters: [ParameterPair] = []

    package func body(of template: BodyTemplate) throws(Diagnostic) -> RequestBody {
        let body = try resolved(template)
        if let problem = body.problem { throw texts.problem("body: \(problem)") }
        return body
    }

    private func resolved(_ template: BodyTemplate) throws(Diagnostic) -> RequestBody {
        switch template {
        case .none:
            return parameters.isEmpty ? .none : try form([])
        case .json(let text):
            let text = try resolved(text, as: .json)
            // Text that is not JSON can be sent as a text body with the JSON media type.
            do throws(BodyProblem) { if !text.isEmpty { _ = try JSONValue(parsing: text) } } catch {
                throw texts.problem("the body is \(error.ofJSON()); a body of the kind text accepts anything")
            }
            return .text(text, contentType: template.contentType)
        case .form(let fields):
            return try form(try texts.at("form").rows(fields, "form field", style: style))
        case .plist(let text):
            return .text(try resolved(text, as: .propertyList), contentType: template.contentType)
        case .text(let text, _):
            return .text(try resolved(text), contentType: try type(template.contentType, "the type of the body"))
        case .file(let path, let contentType):
            let path = try file(try texts.resolve(path, "body file", as: .filePath), "the body")
            return .file(path: path, contentType: try type(contentType, "the type of the body") ?? MediaType.forFile(named: path))
        case .multipart(let parts):
            var result: [RequestBody.Part] = []
            for part in parts where part.isEnabled { result.append(try self.part(part)) }
            return .multipart(result)
        case .graphQL(let request):
            return .text(JSONValue.object(try members(of: request)).text, contentType: template.contentType)
        }
    }

    /// The members of a GraphQL request, as JSON values (GraphQL over HTTP §5.1).
    ///
    /// - Throws: A ``Diagnostic`` for a template without a value, for variables that are not a JSON object, and for a request without a query.
    func members(of request: GraphQLTemplate) throws(Diagnostic) -> [JSONValue.Member] {
        let query = try resolved(request.query, "the query", as: .graphQL)
        guard !query.allSatisfy(\.isWhitespace) else {
            throw texts.problem("the GraphQL body has no query; write body: {graphql: {query: \"{ … }\"}}")
        }
        var members = [JSONValue.Member("query", .string(query))]
        if let operation = request.operation {
            let name = try texts.resolve(operation, "operation")
            if !name.isEmpty { members.append(.init("operationName", .string(name))) }
        }
        guard request.hasVariables else { return members }
        let variables: JSONValue
        let text = try resolved(request.variables, "the variables", as: .json)
        do throws(BodyProblem) { variables = try JSONValue(parsing: text) } catch {
            throw texts.problem("the variables are \(error.ofJSON(in: "them"))")
        }
        guard case .object = variables else {
            throw texts.problem("the variables of a GraphQL body must be a JSON object of names and values")
        }
        return members + [.init("variables", variables)]
    }

    /// The text of a body with its templates replaced; an error names its line where there are several.
    private func resolved(
        _ text: String, _ field: String = "the body", as notation: TemplateNotation = .text
    ) throws(Diagnostic) -> String {
        do throws(Diagnostic) { return try texts.resolve(text, "body", as: notation) } catch {
            guard text.utf8.contains(0x0A) else { throw error }
            // The notation of a value depends on the text before it, so that the shortest part from the beginning with an error ends at its place.
            let segments = Template(text).segments
            func resolve(_ count: Int, _ part: String) throws(Diagnostic) {
                _ = try texts.resolve(segments.prefix(count).map(\.description).joined(), part, as: notation)
            }
            var (valid, failing) = (0, segments.count)
            while failing - valid > 1 {
                let middle = (valid + failing) / 2
                do throws(Diagnostic) {
                    try resolve(middle, "body")
                    valid = middle
                } catch { failing = middle }
            }
            let line = 1 + segments.prefix(valid).reduce(0) { $0 + $1.description.utf8.count { $0 == 0x0A } }
            try resolve(failing, "line \(line) of \(field)")
            throw error
        }
    }

    private func file(_ path: String, _ what: String) throws(Diagnostic) -> String {
        guard !path.isEmpty else { throw texts.problem("\(what) has no file; choose one, or another kind of body") }
        return FilePath.joining(folder, path)
    }

    /// A form in the charset, whose name the media type contains for information; servers decode a form with their own charset.
    private func form(_ rows: [ParameterPair]) throws(Diagnostic) -> RequestBody {
        let encoding = ParameterEncoding(charset: style.parameterCharset)
        let pairs = parameters + rows
        do { return .text(try encoding.text(of: pairs, allowed: .form), contentType: encoding.formType) } catch {
            throw texts.problem("form: \(error)")
        }
    }

    private func part(_ part: BodyTemplate.Part) throws(Diagnostic) -> RequestBody.Part {
        let name = try texts.resolve(part.name, "part")
        let value = try texts.resolve(part.value, "part “\(part.name)”", as: part.isFile ? .filePath : .text)
        var fileName = part.fileName
        if let template = fileName { fileName = try texts.resolve(template, "the filename of the part “\(part.name)”") }
        let contentType = try type(part.contentType, "the type of the part “\(part.name)”")
        var result: RequestBody.Part
        if part.isFile {
            let path = try file(value, "the part “\(part.name)”")
            // A file without a file name is a plain field whose value is in the file.
            result =
                part.fileName == ""
                ? .init(name: name, content: .file(path: path), contentType: contentType)
                : .init(name: name, content: .file(path: path), fileName: fileName ?? FilePath.name(of: path), contentType: contentType)
        } else {
            result = .init(name: name, content: .bytes(Array(value.utf8)), fileName: fileName, contentType: contentType)
        }
        // An empty type stays, so that no type follows from the name of the file.
        if contentType?.isEmpty != true { result.contentType = result.sentType }
        guard let problem = result.problem else { return result }
        // The value of a template may be secret.
        let isPlain = [part.name, part.fileName ?? "", part.contentType ?? "", part.isFile ? part.value : ""].allSatisfy { Template($0).isPlain }
        let ofTemplate = "the value of a template contains a line break or a NUL character, which would start another header"
        throw texts.problem(isPlain ? "body: \(problem)" : "body: the part “\(part.name)”: \(ofTemplate)")
    }

    private func type(_ template: String?, _ field: String) throws(Diagnostic) -> String? {
        guard let template else { return nil }
        return try texts.resolve(template, field)
    }
}

extension BodyProblem {
    /// The problem of a text that should be JSON, such as `not JSON: unexpected '}' at line 1, column 7 of the body`.
    package func ofJSON(in text: String = "the body") -> String {
        let problem = message.hasPrefix("not JSON") ? message : "not JSON: \(message)"
        return "\(problem) at line \(line), column \(column) of \(text)"
    }
}

/// Where the value of a run's step comes from: a captured value, or a text or a list with secrets and captured values.
package struct LiteralSource: Hashable, Sendable {
    /// The values of earlier responses in it.
    package var captures: [RequestSecrets.Captured] = []
    /// The secrets, environment variables and files in it.
    package var uses: Set<RequestSecrets.Use> = []

    var isEmpty: Bool { captures.isEmpty && uses.isEmpty }

    mutating func formUnion(_ other: LiteralSource) {
        captures += other.captures.filter { !captures.contains($0) }
        uses.formUnion(other.uses)
    }
}
