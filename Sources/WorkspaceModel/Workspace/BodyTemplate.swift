internal import SortieBase
package import SortieHTTP

/// The body of an endpoint, with unresolved `{{templates}}`.
package enum BodyTemplate: Hashable, Sendable {
    /// No body.
    case none
    /// JSON text.
    case json(String)
    /// Form fields, `application/x-www-form-urlencoded`.
    case form([Parameter])
    /// A property list as XML text.
    case plist(String)
    /// Any text.
    case text(String, contentType: String?)
    /// A file, as an absolute path or a path relative to the endpoint's file.
    case file(path: String, contentType: String?)
    /// `multipart/form-data`.
    case multipart([Part])
    /// A GraphQL request, which is sent as JSON, and by GET as parameters of the query.
    case graphQL(GraphQLTemplate)

    /// The media type, used where no header field sets one; nil without a body.
    package var contentType: String? {
        switch self {
        case .none: nil
        case .json, .graphQL: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .plist: "application/x-plist"
        case .text(_, let contentType): contentType ?? "text/plain; charset=utf-8"
        case .file(let path, let contentType): contentType ?? MediaType.forFile(named: path)
        case .multipart: "multipart/form-data"
        }
    }

    /// Whether it is a GraphQL request, whose response has `errors`.
    package var isGraphQL: Bool { if case .graphQL = self { true } else { false } }

    /// The method of an endpoint that names none.
    package var defaultMethod: HTTPMethod {
        switch self {
        case .graphQL: .post
        case .none, .json, .form, .plist, .text, .file, .multipart: .get
        }
    }

    /// One part of a multipart body.
    package struct Part: Hashable, Sendable {
        /// The name of the field.
        package var name: String
        /// The value, or the path of a file where ``isFile`` is true.
        package var value: String
        /// Whether the value is a path.
        package var isFile: Bool
        /// The file name to send: nil for that of the file, empty for a field without a file name.
        package var fileName: String?
        /// The media type.
        package var contentType: String?
        /// Whether the part is sent.
        package var isEnabled: Bool

        /// Creates a part.
        package init(
            name: String, value: String, isFile: Bool = false, fileName: String? = nil, contentType: String? = nil,
            isEnabled: Bool = true
        ) {
            (self.name, self.value, self.isFile, self.fileName, self.contentType) = (name, value, isFile, fileName, contentType)
            self.isEnabled = isEnabled
        }

        /// The media type that is sent where none is given: that of the file name; nil for a field and for a name with a template.
        package var typeOfName: String? {
            let sent = fileName ?? (isFile ? FilePath.name(of: value) : nil)
            guard contentType == nil, let sent, !value.isEmpty, Template(sent).isPlain, !isFile || Template(value).isPlain else { return nil }
            return RequestBody.Part(name: name, content: isFile ? .file(path: value) : .bytes([]), fileName: sent).sentType
        }
    }
}

extension GraphQLTemplate {
    /// Reads the JSON of a request (GraphQL over HTTP §5.1); nil for other text, and for a request with further members, such as `extensions`.
    ///
    /// Variables that are `null`, or the text of a JSON object, are read as well, because some tools write them so.
    package init?(json text: String) {
        // A number that the text does not contain replaces each template, inside and outside of quotes.
        var base = "71828182845904523536"
        while text.contains(base) { base += "0" }
        var (templates, marked): ([String], String) = ([], "")
        for segment in Template(text).segments {
            switch segment {
            case .text(let text): marked += text
            case .unclosed: return nil
            case .variable, .builtin:
                marked += base + templates.count.padded(to: 7)
                templates.append(segment.description)
            }
        }
        // Text that is not JSON is not a request of GraphQL.
        guard case .object(let members)? = JSONValue(ifValid: marked) else { return nil }
        let names = members.map(\.key)
        guard Set(names).count == names.count, Set(names).isSubset(of: ["query", "operationName", "variables"]) else { return nil }
        func restored(_ text: String) -> String {
            templates.indices.reduce(text) { $0.replacing(base + $1.padded(to: 7), with: templates[$1]) }
        }
        func value(_ name: String) -> JSONValue? { members.first { $0.key == name }?.value }
        guard case .string(let query)? = value("query") else { return nil }
        self.init(query: restored(query))
        switch value("operationName") {
        case nil, .null?: break
        case .string(let name)?: operation = name.isEmpty ? nil : restored(name)
        case .bool?, .number?, .array?, .object?: return nil
        }
        switch value("variables") {
        case nil, .null?: break
        case .object(let members)? where members.isEmpty: break
        case .object(let members)?: variables = restored(JSONText.pretty(JSONValue.object(members).text) ?? JSONValue.object(members).text)
        case .string(let text)?: variables = restored(text)
        case .bool?, .number?, .array?: return nil
        }
    }
}

/// A GraphQL request, with unresolved `{{templates}}`.
package struct GraphQLTemplate: Hashable, Sendable {
    /// The document: one or more operations and their fragments.
    package var query: String
    /// The values of the variables, as the text of a JSON object; empty for none.
    package var variables: String
    /// The name of the operation to execute; nil where the document has only one.
    package var operation: String?

    /// Creates a request.
    package init(query: String, variables: String = "", operation: String? = nil) {
        (self.query, self.variables, self.operation) = (query, variables, operation)
    }

    /// The texts that may have templates.
    package var texts: [String] { [query, variables] + (operation.map { [$0] } ?? []) }

    /// Whether there are values of variables.
    package var hasVariables: Bool { !variables.allSatisfy(\.isWhitespace) }

    /// The JSON that is sent (GraphQL over HTTP §5.1), with the templates in their places.
    package var json: String {
        func string(_ text: String) -> String {
            let pieces = Template(text).segments.map { segment in
                switch segment {
                case .text(let text): JSONText.escaped(text)
                case .variable, .builtin, .unclosed: segment.description
                }
            }
            return "\"\(pieces.joined())\""
        }
        var members = ["  \"query\": \(string(query))"]
        if let operation, !operation.isEmpty { members.append("  \"operationName\": \(string(operation))") }
        if hasVariables {
            members.append("  \"variables\": " + variables.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  "))
        }
        return "{\n" + members.joined(separator: ",\n") + "\n}"
    }
}
