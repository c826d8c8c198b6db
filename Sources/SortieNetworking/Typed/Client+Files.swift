public import SortieHTTP

/// Uploads and downloads in one call.
extension Client {
    /// Downloads a file and waits for its end; the part of an earlier download of it continues.
    ///
    /// Cancelling the task ends the download, which keeps its part. ``downloads`` has pauses, progress and all settings.
    ///
    /// - Parameters:
    ///   - url: The URL, or a path on the server of the service.
    ///   - destination: The file, or the folder in which the name that the server gives is used.
    ///   - service: The service; nil for an absolute URL.
    /// - Throws: The error of the download; `cancelled` when the task was cancelled.
    @discardableResult
    public func download(
        _ url: String, to destination: Download.Destination, through service: String? = nil
    ) async throws(NetworkError) -> DownloadResult {
        let request: Request
        if let service { request = try self.request(url, through: service) } else { request = try Request(url) }
        let task = downloads.start(Download(request, to: destination))
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if let error = result.error { throw error }
        return result
    }

    /// Sends a file as the body of a request and returns the response.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is read while it is sent.
    ///   - url: The URL, or a path on the server of the service.
    ///   - method: The method.
    ///   - contentType: The media type of the file; nil sends none.
    ///   - headers: Header fields; they take precedence over those of the service.
    ///   - service: The service; nil for the server of the client.
    ///   - settings: Options, accepted types, filter and plugins.
    /// - Throws: The errors of ``send(_:to:plugins:options:)``, and `fileUnreadable`.
    @discardableResult
    public func upload(
        _ path: String, to url: String, method: HTTPMethod = .put, contentType: String? = nil, headers: Headers = [], through service: String? = nil,
        with settings: CallSettings = CallSettings(acceptedContentTypes: nil)
    ) async throws(NetworkError) -> Response {
        try await call(method, url, headers: headers, body: .file(path: path, contentType: contentType), through: service, with: settings)
    }
}
