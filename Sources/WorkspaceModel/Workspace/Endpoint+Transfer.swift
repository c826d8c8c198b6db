internal import SortieHTTP

extension Endpoint {
    /// Whether the endpoint can be fetched in ranges, which requires a GET without a body.
    package var isDownloadable: Bool { method == .get && body == .none }

    /// Whether sending the endpoint is a transfer, to which the default total timeout does not apply.
    ///
    /// The value equals ``Request/isUpload`` of its request, or is true for a download to a file.
    package var isTransfer: Bool {
        switch (kind, body) {
        case (.upload, _), (_, .file): true
        case (_, .multipart(let parts)): parts.contains { $0.isFile && $0.isEnabled }
        case (.download, _): isDownloadable
        case (.data, _), (.webSocket, _), (.events, _), (.grpc, _): false
        }
    }
}
