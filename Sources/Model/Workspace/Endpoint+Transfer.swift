extension Endpoint {
    /// Whether it can be fetched in parts: only a GET without a body can.
    public var isDownloadable: Bool { method == .get && body == .none }

    /// Whether firing it is a transfer, to which the default total timeout does not apply (S1.3).
    ///
    /// The same as ``Request/isUpload`` says of its request, or a download into a file.
    public var isTransfer: Bool {
        switch (kind, body) {
        case (.upload, _), (_, .file): true
        case (_, .multipart(let parts)): parts.contains { $0.isFile && $0.isEnabled }
        case (.download, _): isDownloadable
        case (.data, _): false
        }
    }
}
