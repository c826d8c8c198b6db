/// Finds secrets in a request: by the names of fields, parameters and keys, and by values in every spelling that ``Redaction`` knows.
package struct SecretSearch {
    private let redaction: Redaction
    /// Values in lower case, as they are in the host of a URL.
    private let lowerCase: [String]
    /// Whether the value is too short to be found again, so that it counts as found everywhere.
    private let isEverywhere: Bool

    /// Finds what is secret in a request: what its templates used, what `redact:` names, and known credentials.
    package init(_ request: Request) {
        self.init(
            Redaction(adding: Array(request.secrets.names), values: request.secrets.values.union(request.secrets.encodedValues)).learning(
                from: request), isEverywhere: false)
    }

    /// Finds one value.
    package init(value: String) {
        var redaction = Redaction.none
        redaction.hide(value)
        self.init(redaction, isEverywhere: !value.isEmpty && redaction.values.isEmpty)
    }

    private init(_ redaction: Redaction, isEverywhere: Bool) {
        self.redaction = redaction
        self.isEverywhere = isEverywhere
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

    /// Whether a text contains a secret's value.
    package func isIn(text: String) -> Bool { isEverywhere || redaction.hidingValues(text) != text }

    /// Whether a body contains a secret; bytes of files are not looked at.
    ///
    /// - Parameter contentType: the media type that the request says; nil takes that of the body.
    package func isIn(_ body: RequestBody, contentType: String?) -> Bool {
        switch body {
        case .none, .file: false
        case .bytes(let bytes, let own): isIn(bytes, contentType: contentType ?? own)
        case .multipart(let parts): parts.contains { isIn($0) }
        }
    }

    /// Whether anything that is sent of a request contains a secret.
    package func isIn(_ request: Request) -> Bool {
        if isEverywhere || isIn(host: request.url.host) || redaction.maskedURL(request.url.description) != request.url.description { return true }
        if request.headers.fields.contains(where: { isIn($0) }) { return true }
        if let digest = request.options.digest, isIn(text: digest.user) || isIn(text: digest.password) { return true }
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
