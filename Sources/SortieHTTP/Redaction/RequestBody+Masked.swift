extension RequestBody {
    /// The body in the form for storage.
    package func masked(by redaction: Redaction, contentType: String?) -> RequestBody {
        switch self {
        case .none, .file: return self
        case .bytes(let bytes, let own): return .bytes(redaction.maskedBody(bytes, contentType: contentType ?? own), contentType: own)
        case .multipart(let parts):
            return .multipart(
                parts.map { part in
                    guard case .bytes(let bytes) = part.content else { return part }
                    var part = part
                    let isSecret = redaction.isSecretPath(part.name) && !bytes.isEmpty
                    part.content = .bytes(
                        isSecret ? Array(HeaderField.mask.utf8) : redaction.maskedBody(bytes, contentType: part.contentType ?? "text/plain"))
                    return part
                })
        }
    }
}
