internal import Model

/// What to ask after an answer that points elsewhere (RFC 9110 §15.4).
///
/// It is decided here and not by libcurl, because every hop needs its own
/// resolver, trust and credentials.
///
/// What is secret is sent to the origin that it was configured for only (`Security.md` 7). To another origin – scheme, host and port (RFC 6454 §4) –
/// fields that are or contain secrets are left out, and a body that contains one is not sent at all: the redirect is not followed then. Bytes that
/// are streamed from files are not examined.
struct Redirect {
    /// The statuses that name another place.
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The request of the next hop; nil where the redirect is not followed and its response is the result.
    var request: Request?
    /// What was decided, in words.
    var explanation: String
    /// What was withheld from another origin, in a sentence for the user; nil where nothing was.
    var notice: String?
    /// Whether the next hop goes to an origin that the request was not configured for.
    var leavesOrigin = false

    /// The place that a response with this status redirects to, as written; nil for a response that is final.
    ///
    /// A redirect status without a `Location` or with an empty one is final, so its body is delivered. Of several fields the first one with a value
    /// counts.
    static func location(status: Int, headers: Headers) -> String? {
        guard statuses.contains(status) else { return nil }
        return headers.values(of: "Location").first { !$0.isEmpty }
    }

    /// The next hop of `request` after `response`, nil when that is no redirect.
    ///
    /// - Parameters:
    ///   - configured: further servers that the request was configured for, which may receive what `request.url` may.
    ///   - plainBody: the body before it was encrypted; nil where it is that of the request.
    /// - Throws: `badRedirect` when the place cannot be gone to.
    init?(of request: Request, after response: Response, configured: [HTTPURL] = [], plainBody: RequestBody? = nil) throws(NetworkError) {
        guard let location = Self.location(status: response.status, headers: response.headers) else { return nil }
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
            // What was encrypted for the first origin is not sent to another one either.
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
    /// Removes what another origin may not receive; returns the names of what was secret.
    fileprivate mutating func withhold(_ search: SecretSearch) -> [String] {
        var dropped: [String] = []
        headers.fields.removeAll { field in
            // It names the first host.
            if field.isNamed("Host") { return true }
            guard search.isIn(field) else { return false }
            if !dropped.contains(where: { $0.lowercased() == field.name.lowercased() }) { dropped.append(field.name) }
            return true
        }
        if options.digest != nil { dropped.append("the Digest login") }
        options.digest = nil
        // A Unix socket, a client certificate and a server that may have any certificate were meant for the first origin.
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
