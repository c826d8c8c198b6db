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
            self.name = name
            self.value = value
            self.isFile = isFile
            self.fileName = fileName
            self.contentType = contentType
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
