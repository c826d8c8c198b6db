internal import SortieHTTP

extension ResponseCache {
    /// Removes the entries that an unsafe request may have changed: those of its URL and, on the same origin, of
    /// `Location` and `Content-Location` (RFC 9111 §4.4).
    ///
    /// Only a response without an error (2xx or 3xx) invalidates. A request with one of
    /// ``RequestOptions/cachedMethods`` counts as a query and does not invalidate.
    ///
    /// - Parameter urls: The URLs of the resource. The first one is the base of relative references.
    /// - Returns: The number of removed entries.
    func invalidate(after response: Response, to request: Request, urls: [HTTPURL]) -> Int {
        guard !request.method.isSafe, (200..<400).contains(response.status), let base = urls.first else { return 0 }
        if request.options.cachedMethods.contains(request.method) { return 0 }
        var targets = urls
        for name in ["Location", "Content-Location"] {
            guard let reference = response.headers[name], !reference.isEmpty else { continue }
            // A reference that is not a valid URL cannot name an entry.
            do throws(HTTPURL.ParseError) {
                let url = try base.resolving(reference: reference)
                if url.origin == base.origin { targets.append(url) }
            } catch { continue }
        }
        return Set(targets).reduce(0) { $0 + removeAll(of: $1) }
    }
}
