internal import SortieHTTP

/// Decides whether a response may be stored on disk: nothing of it and of its request may be a credential or a masked value (`Security.md` 5).
///
/// The hash of a request's body in a file name could be used to guess a password, so requests are checked like responses.
enum CacheSecrets {
    /// Why a response stays in memory, as a sentence; nil when it may be stored on disk.
    ///
    /// - Parameter isEncrypted: Whether the service encrypts bodies; the cache would store them decrypted.
    static func objection(to entry: CachedResponse, request: Request, isEncrypted: Bool) -> String? {
        if isEncrypted { return "the service encrypts its bodies" }
        if entry.key.credentials != nil { return "the request has credentials" }
        let redaction = Redaction(secretsOf: request)
        let url = request.url.description
        if redaction.maskedURL(url) != url || request.headers.fields.contains(where: { redaction.masked($0) != $0 }) {
            return "the request contains a secret"
        }
        let body = request.body.masked(by: redaction, contentType: request.headers["Content-Type"])
        if body != request.body { return "the body of the request contains a secret" }
        let response = entry.response
        if let field = (response.headers.fields + response.trailers.fields).first(where: { redaction.masked($0) != $0 }) {
            return "the field \(field.name) of the response is a secret"
        }
        let bytes = response.body.prefix(response.body.count)
        if redaction.maskedBody(bytes, contentType: response.contentType) != bytes { return "the body of the response contains a secret" }
        return nil
    }
}
