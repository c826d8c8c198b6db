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
