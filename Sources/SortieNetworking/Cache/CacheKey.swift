internal import SortieHTTP

/// The key under which requests share a cached response.
///
/// It contains only hashes, so no credential is stored.
struct CacheKey: Hashable, Sendable {
    /// The absolute URL with its query items sorted by name.
    let target: Fingerprint
    /// Method, URL, body, `Accept`, `Accept-Language`, `Content-Type`, removed fields, and the route to the server.
    let question: Fingerprint
    /// The credentials; nil for an anonymous request.
    let credentials: Fingerprint?

    /// Creates the key of a request.
    ///
    /// - Parameter identity: Credentials that are added to the request later: a token, the cookie jar's `Cookie`
    ///   field.
    init(_ request: Request, identity: [String] = []) {
        let url = Self.canonical(request.url)
        target = Fingerprint([url])
        var parts = [request.method.rawValue, url, Self.digest(of: request.body)]
        for name in ["Accept", "Accept-Language", "Content-Type"] { parts.append(request.headers.values(of: name).joined(separator: ",")) }
        parts.append(request.options.removedFields.sorted().joined(separator: ","))
        question = Fingerprint(parts + Self.route(request.options))
        credentials = Self.credentials(of: request, identity)
    }

    /// Twelve hexadecimal digits that identify the entry (``CacheEntry/id``).
    var id: String { Self.id(target: target.hex, question: question.hex, credentials: credentials?.hex) }

    /// The ``id`` of a key whose hashes are written in hexadecimal digits.
    static func id(target: String, question: String, credentials: String?) -> String {
        String(Fingerprint([target, question, credentials ?? ""]).hex.prefix(12))
    }

    /// The URL with its query items sorted by name.
    ///
    /// Items of one name keep their order, because it can matter to a server.
    static func canonical(_ url: HTTPURL) -> String {
        var url = url
        guard let query = url.query else { return url.description }
        let items = query.split(separator: "&", omittingEmptySubsequences: true).enumerated()
        let sorted = items.sorted { left, right in
            let leftName = left.element.utf8.prefix { $0 != UInt8(ascii: "=") }
            let rightName = right.element.utf8.prefix { $0 != UInt8(ascii: "=") }
            if leftName.elementsEqual(rightName) { return left.offset < right.offset }
            return leftName.lexicographicallyPrecedes(rightName)
        }
        url.query = sorted.map { String($0.element) }.joined(separator: "&")
        return url.description
    }

    private static func digest(of body: RequestBody) -> String {
        switch body {
        case .none: ""
        case .bytes(let bytes, let contentType): "\(Fingerprint(of: bytes).hex) \(contentType ?? "")"
        // Never used: `CacheRules` rejects streamed bodies. The path alone would not identify the content.
        case .file(let path, _): "file \(path)"
        case .multipart: "multipart"
        }
    }

    /// Requests of one URL with different routes or trust settings share no response.
    private static func route(_ options: RequestOptions) -> [String] {
        [
            options.resolution.hosts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.fixed)" }.joined(separator: ","),
            options.unixSocket ?? "", options.proxy?.description ?? options.decidingProxyScript?.location.description ?? "",
            options.addresses.map(\.description).joined(separator: ","),
            options.trust.isInsecure ? "insecure" : "", options.trust.certificateAuthorityFile ?? "",
            (options.trust.pins + options.trust.pinFiles + [options.trust.pinMatch.rawValue]).joined(separator: ","),
        ]
    }

    private static func credentials(of request: Request, _ identity: [String]) -> Fingerprint? {
        var parts = request.headers.fields.filter(\.isSecret).flatMap { [$0.name.lowercased(), $0.value] }
        for (name, value) in request.secrets.keys.sorted(by: { $0.key < $1.key }) { parts += ["key", name.lowercased(), value] }
        if let pair = request.url.credentials { parts += ["url", pair.user, pair.password] }
        let credential = request.options.credential
        if let scheme = credential.scheme { parts += [scheme] + credential.fields.map { credential[$0] } }
        if let file = request.options.trust.clientCertificateFile { parts += ["certificate", file] }
        parts += identity
        return parts.isEmpty ? nil : Fingerprint(parts)
    }
}

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
