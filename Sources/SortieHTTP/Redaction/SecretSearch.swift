/// Finds secrets in a request, by the names of fields, parameters and keys, and by values in every spelling known to ``Redaction``.
package struct SecretSearch {
    private let redaction: Redaction
    /// The values in lower case, as in the host of a URL.
    private let lowerCase: [String]
    /// Whether the value is too short to be identified, so that it counts as found everywhere.
    private let isEverywhere: Bool

    /// Creates a search for the secrets of a request: values that its templates used, names under `redact:`, and known credentials.
    package init(_ request: Request) {
        self.init(Redaction(secretsOf: request).learning(from: request), isEverywhere: false)
    }

    /// Creates a search for one value.
    package init(value: String) {
        var redaction = Redaction.none
        redaction.hide(value)
        self.init(redaction, isEverywhere: !value.isEmpty && redaction.values.isEmpty)
    }

    private init(_ redaction: Redaction, isEverywhere: Bool) {
        (self.redaction, self.isEverywhere) = (redaction, isEverywhere)
        lowerCase = redaction.values.map { $0.lowercased() }
    }

    /// Whether a header field is secret by its name or contains a secret.
    package func isIn(_ field: HeaderField) -> Bool {
        isEverywhere || redaction.masked(field) != field
    }

    /// Whether the host of a URL contains a secret.
    package func isIn(host: String) -> Bool {
        isEverywhere || lowerCase.contains { host.lowercased().contains($0) }
    }

    /// Whether a text contains the value of a secret.
    package func isIn(text: String) -> Bool { isEverywhere || redaction.hidingValues(text) != text }

    /// Whether a body contains a secret; the content of files is not searched.
    ///
    /// - Parameter contentType: the media type of the request's header; nil for that of the body.
    package func isIn(_ body: RequestBody, contentType: String?) -> Bool {
        switch body {
        case .none, .file: false
        case .bytes(let bytes, let own): isIn(bytes, contentType: contentType ?? own)
        case .multipart(let parts): parts.contains { isIn($0) }
        }
    }

    /// Whether any sent part of a request contains a secret.
    package func isIn(_ request: Request) -> Bool {
        if isEverywhere || isIn(host: request.url.host) || redaction.maskedURL(request.url.description) != request.url.description { return true }
        if request.headers.fields.contains(where: { isIn($0) }) { return true }
        switch request.options.credential {
        // Its texts are sent to the token endpoint, which is compared separately.
        case .oauth2: break
        // A key is not sent, but a signature by it authorizes the request at this host.
        case let credential: if credential.texts.contains(where: { isIn(text: $0) }) { return true }
        }
        return isIn(request.body, contentType: request.headers["Content-Type"])
    }

    private func isIn(_ part: RequestBody.Part) -> Bool {
        if isIn(text: part.name) || isIn(text: part.fileName ?? "") { return true }
        guard case .bytes(let bytes) = part.content, !bytes.isEmpty else { return false }
        return redaction.isSecretPath(part.name) || isIn(bytes, contentType: part.contentType ?? "text/plain")
    }

    private func isIn(_ bytes: [UInt8], contentType: String?) -> Bool {
        guard !bytes.isEmpty else { return false }
        return isEverywhere || redaction.maskedBody(bytes, contentType: contentType) != bytes
    }
}
