internal import SortieBase

/// The body of a request, ready to send.
public enum RequestBody: Hashable, Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case bytes([UInt8], contentType: String?)
    /// A file, streamed from disk.
    case file(path: String, contentType: String?)
    /// `multipart/form-data` (RFC 7578), files streamed from disk.
    case multipart([Part])

    /// One part of a multipart body.
    public struct Part: Hashable, Sendable {
        /// The source of the part's bytes.
        public enum Content: Hashable, Sendable {
            case bytes([UInt8])
            case file(path: String)
        }

        /// The name of the field.
        public var name: String
        /// The content of the part.
        public var content: Content
        /// The file name that is sent; nil for a plain field.
        public var fileName: String?
        /// The media type of the part; nil for the usual one of its file name, or for none where it has no file name.
        ///
        /// With an empty text, none is sent.
        public var contentType: String?

        /// Creates a part.
        public init(name: String, content: Content, fileName: String? = nil, contentType: String? = nil) {
            (self.name, self.content, self.fileName, self.contentType) = (name, content, fileName, contentType)
        }

        /// Creates a file part with the type of its name.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - path: The path of the file.
        ///   - fileName: The file name that is sent; nil for that of the path.
        public static func file(_ name: String, path: String, fileName: String? = nil) -> Part {
            Part(name: name, content: .file(path: path), fileName: fileName ?? FilePath.name(of: path))
        }

        /// The media type that is sent; nil for none.
        package var sentType: String? {
            if let contentType { return contentType.isEmpty ? nil : contentType }
            guard let fileName, !fileName.isEmpty else { return nil }
            let type = MediaType.forFile(named: fileName)
            guard type == MediaType.octetStream, case .file(let path) = content else { return type }
            return MediaType.forFile(named: path)
        }

        /// The fields of the part (RFC 7578 §4.2), each with a line break, with names escaped as browsers do.
        package var header: String {
            func quoted(_ name: String) -> String {
                name.unicodeScalars.reduce(into: "") { text, scalar in
                    switch scalar {
                    case "\"": text += "%22"
                    case "\r": text += "%0D"
                    case "\n": text += "%0A"
                    default: text.unicodeScalars.append(scalar)
                    }
                }
            }
            var text = "Content-Disposition: form-data; name=\"\(quoted(name))\""
            if let fileName { text += "; filename=\"\(quoted(fileName))\"" }
            if let sentType { text += "\r\nContent-Type: \(sentType)" }
            return text + "\r\n"
        }
    }

    /// Bytes of any kind, `application/octet-stream`.
    public static func data(_ bytes: [UInt8]) -> RequestBody {
        .bytes(bytes, contentType: MediaType.octetStream)
    }

    /// Text in UTF-8.
    public static func text(_ text: String, contentType: String?) -> RequestBody {
        .bytes(Array(text.utf8), contentType: contentType)
    }

    /// `application/x-www-form-urlencoded` pairs (WHATWG URL §5.2).
    public static func form(_ pairs: [(name: String, value: String)]) -> RequestBody {
        let text = pairs.map {
            "\(PercentEncoding.encode($0.name, allowed: .form))=\(PercentEncoding.encode($0.value, allowed: .form))"
        }
        return .text(text.joined(separator: "&"), contentType: "application/x-www-form-urlencoded")
    }

    /// The files that the body contains.
    package var files: [String] {
        switch self {
        case .none, .bytes: []
        case .file(let path, _): [path]
        case .multipart(let parts): parts.compactMap { part in if case .file(let path) = part.content { path } else { nil } }
        }
    }

    /// Returns the body with absolute file paths; relative paths are resolved against `folder`.
    package func rooted(in folder: String) -> RequestBody {
        switch self {
        case .none, .bytes: self
        case .file(let path, let contentType): .file(path: FilePath.joining(folder, path), contentType: contentType)
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    guard case .file(let path) = part.content else { return part }
                    var part = part
                    part.content = .file(path: FilePath.joining(folder, path))
                    return part
                })
        }
    }

    /// The media type of the body; nil where the engine sets it or where there is none.
    public var contentType: String? {
        switch self {
        case .none, .multipart: nil
        case .bytes(_, let contentType), .file(_, let contentType): contentType
        }
    }
}

extension RequestBody {
    /// The reason why this body must not be sent; nil when it is valid.
    ///
    /// A media type or a part must not contain a character that would start another field.
    package var problem: String? {
        switch self {
        case .none: nil
        case .bytes(_, let contentType), .file(_, let contentType): contentType.flatMap { Self.problem(in: $0, "the media type of the body") }
        case .multipart(let parts): parts.lazy.compactMap(\.problem).first
        }
    }

    fileprivate static func problem(in text: String, _ what: String) -> String? {
        guard let bad = text.utf8.first(where: { $0 == 0x0d || $0 == 0x0a || $0 == 0 }) else { return nil }
        return "\(what) contains \(bad == 0 ? "a NUL character" : "a line break"), which would start another header"
    }
}

extension RequestBody.Part {
    /// The reason why this part must not be sent; nil when it is valid.
    ///
    /// Name, file name and media type are written to the header of the part (RFC 7578 §4.2), where a line break would start another field.
    package var problem: String? {
        if let problem = RequestBody.problem(in: name, "the name of a part") { return problem }
        if let problem = fileName.flatMap({ RequestBody.problem(in: $0, "the filename of the part “\(name)”") }) { return problem }
        return contentType.flatMap { RequestBody.problem(in: $0, "the type of the part “\(name)”") }
    }
}

/// What an encrypting service does with the files of uploads.
public enum EncryptedFiles: String, Hashable, Sendable, CaseIterable {
    /// A request with a file is not sent.
    case refused
    /// Files are sent as they are; the other parts of a multipart body are encrypted.
    case plain
    /// Files are encrypted while they are sent; `AESGCMEncryptor` can do that.
    case encrypted
}
