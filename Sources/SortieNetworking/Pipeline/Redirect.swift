internal import SortieHTTP

/// The request after a redirect (RFC 9110 §15.4).
///
/// libcurl does not follow redirects, because every request needs a separate address, trust policy and credentials.
///
/// A secret is sent only to the origin that it was configured for (`Security.md` 7). For another origin – scheme, host and port (RFC 6454 §4) –
/// fields that are or contain secrets are removed, and a redirect whose body contains a secret is not followed. Bytes that are streamed from files
/// are not examined.
struct Redirect {
    /// The next request; nil where the redirect is not followed and its response is the result.
    var request: Request?
    /// The decision as text.
    var explanation: String
    /// The sentence for the user about what another origin did not receive; nil where nothing was removed.
    var notice: String?
    /// Whether the next request goes to an origin that the request was not configured for.
    var leavesOrigin = false

    /// Determines the request after `response`; nil when that is not a redirect.
    ///
    /// - Parameters:
    ///   - configured: Further servers that the request was configured for.
    ///   - plainBody: The body before it was encrypted; nil where the body of the request is not encrypted.
    /// - Throws: `badRedirect` for an invalid target, and for one without TLS after one with TLS.
    init?(of request: Request, after response: Response, configured: [HTTPURL] = [], plainBody: RequestBody? = nil) throws(NetworkError) {
        guard let location = RedirectLocation.location(status: response.status, headers: response.headers) else { return nil }
        let target: HTTPURL
        do { target = try request.url.resolving(reference: location) } catch {
            throw NetworkError(.badRedirect, "the server redirects to “\(location)”: \(error.reason)")
        }
        guard request.url.scheme == .http || target.scheme == .https else {
            throw NetworkError(
                .badRedirect, "the server redirects from https to \(target.origin), which is not encrypted",
                hint: "send the request to that URL directly if this is intended")
        }

        var next = request
        next.redirect(to: target)
        var notes: [String] = []
        if response.status == 303 && request.method != .head
            || (response.status == 301 || response.status == 302) && request.method == .post
        {
            if request.method != .get { notes.append("as GET without the body") }
            next.method = .get
            next.body = .none
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"] { next.headers[name] = nil }
        }
        let sentence = "\(response.status) redirects to \(target)"
        leavesOrigin = !([request.url] + configured).contains { $0.hasSameOrigin(as: target) }
        if leavesOrigin {
            let search = SecretSearch(request)
            let type = request.headers["Content-Type"]
            // A secret in a body that was encrypted for the first origin is not sent to another one either.
            let isPlainSecret = next.body != .none && plainBody.map { search.isIn($0, contentType: type) } ?? false
            guard !isPlainSecret, !search.isIn(next.body, contentType: type) else {
                let reason = "is not followed: the body contains a secret, which is sent only to \(request.url.origin)"
                notice = "the redirect (\(response.status)) to \(target.origin) \(reason)"
                explanation = "\(sentence), which \(reason)"
                return
            }
            let dropped = next.withhold(search)
            if !dropped.isEmpty {
                notes.append("without the credentials, because the origin differs")
                notice =
                    "the redirect (\(response.status)) to \(target.origin) was followed without \(dropped.joined(separator: ", ")), "
                    + "which only \(request.url.origin) may receive"
            }
            if request.options.trust.isInsecure, target.scheme == .https { notes.append("whose certificate is verified") }
        }
        self.request = next
        explanation = ([sentence] + notes).joined(separator: ", ")
    }
}

extension Request {
    /// Removes what another origin must not receive; returns the names of the secret parts.
    fileprivate mutating func withhold(_ search: SecretSearch) -> [String] {
        var dropped: [String] = []
        headers.fields.removeAll { field in
            // It contains the first host.
            if field.isNamed("Host") { return true }
            guard search.isIn(field) else { return false }
            if !dropped.contains(where: { $0.lowercased() == field.name.lowercased() }) { dropped.append(field.name) }
            return true
        }
        if let login = options.login { dropped.append("the \(login.scheme.rawValue) login") }
        options.login = nil
        if options.negotiates { dropped.append("the Kerberos ticket") }
        options.negotiates = false
        if options.oauth2 != nil { dropped.append("the OAuth 2 token") }
        options.oauth2 = nil
        if options.aws != nil { dropped.append("the AWS signature") }
        options.aws = nil
        if options.jwt != nil { dropped.append("the JSON Web Token") }
        options.jwt = nil
        // A Unix socket, a client certificate and disabled verification apply to the first origin only.
        options.unixSocket = nil
        if options.trust.clientCertificateFile != nil {
            dropped.append("the client certificate")
            options.trust.clientCertificateFile = nil
            options.trust.clientKeyFile = nil
            options.trust.clientKeyPassphrase = nil
        }
        options.trust.isInsecure = false
        return dropped
    }
}
