extension Request {
    /// Whether the request is an upload: it comes from an endpoint for uploads, or its body has files.
    ///
    /// An upload takes as long as its bytes need, so the default total timeout does not apply to it.
    public var isUpload: Bool {
        switch body {
        case .file: return true
        case .multipart(let parts) where parts.contains(where: \.isFile): return true
        case .none, .bytes, .multipart: return kind == .upload
        }
    }
}

extension RequestBody.Part {
    /// Whether the content is a file.
    fileprivate var isFile: Bool {
        if case .file = content { true } else { false }
    }
}
