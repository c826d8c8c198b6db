internal import Model

extension ResponseCache {
    /// Forgets what an unsafe request may have changed: its URL, and on the same origin those of `Location` and `Content-Location` (RFC 9111 §4.4).
    ///
    /// Only a response without an error (2xx or 3xx) invalidates. One of ``RequestOptions/cachedMethods`` is taken
    /// for a query.
    ///
    /// - Parameter urls: those by which the resource is known; the first one is the base of relative references.
    /// - Returns: how many entries were forgotten.
    func invalidate(after response: Response, to request: Request, urls: [HTTPURL]) -> Int {
        guard !request.method.isSafe, (200..<400).contains(response.status), let base = urls.first else { return 0 }
        if request.options.cachedMethods.contains(request.method) { return 0 }
        var targets = urls
        for name in ["Location", "Content-Location"] {
            guard let reference = response.headers[name], !reference.isEmpty else { continue }
            // A reference that is no URL names nothing that could be kept.
            do throws(HTTPURL.ParseError) {
                let url = try base.resolving(reference: reference)
                if url.origin == base.origin { targets.append(url) }
            } catch { continue }
        }
        return Set(targets).reduce(0) { $0 + removeAll(of: $1) }
    }
}
