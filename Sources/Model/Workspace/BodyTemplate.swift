/// The body of an endpoint before its `{{templates}}` are resolved.
public enum BodyTemplate: Hashable, Codable, Sendable {
    /// Nothing.
    case none
    /// JSON text.
    case json(String)
    /// Form fields, `application/x-www-form-urlencoded`.
    case form([Parameter])
    /// A property list as XML text.
    case plist(String)
    /// Any text.
    case text(String, contentType: String?)
    /// A file beside the endpoint's file, or an absolute path.
    case file(path: String, contentType: String?)
    /// `multipart/form-data`.
    case multipart([Part])

    /// The media type that goes with it where no header says another; nil without a body.
    public var contentType: String? {
        switch self {
        case .none: nil
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .plist: "application/x-plist"
        case .text(_, let contentType): contentType ?? "text/plain; charset=utf-8"
        case .file(let path, let contentType): contentType ?? MediaType.forFile(named: path)
        case .multipart: "multipart/form-data"
        }
    }

    /// One part of a multipart body.
    public struct Part: Hashable, Codable, Sendable {
        /// The field's name.
        public var name: String
        /// The value, or the path of a file when ``isFile``.
        public var value: String
        /// Whether the value is a path.
        public var isFile: Bool
        /// The name under which a file is sent: nil for that of the file, empty for a plain field without one.
        public var fileName: String?
        /// The media type.
        public var contentType: String?
        /// Whether it is sent.
        public var isEnabled: Bool

        /// A part.
        public init(
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
    }
}
