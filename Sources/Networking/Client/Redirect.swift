internal import Model

/// What to ask after an answer that points elsewhere (RFC 9110 §15.4).
///
/// It is decided here and not by libcurl, because every hop needs its own
/// resolver, trust and credentials.
struct Redirect {
    /// The statuses that name another place.
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The request of the next hop.
    var request: Request
    /// What was decided, in words.
    var explanation: String

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
    /// - Throws: `badRedirect` when the place cannot be gone to.
    init?(of request: Request, after response: Response) throws(NetworkError) {
        guard let location = Self.location(status: response.status, headers: response.headers) else { return nil }
        let target: HTTPURL
        do { target = try request.url.resolving(reference: location) } catch {
            throw NetworkError(.badRedirect, "the server redirects to “\(location)”: \(error.reason)")
        }
        guard request.url.scheme == .http || target.scheme == .https else {
            throw NetworkError(
                .badRedirect, "the server redirects from https to \(target.origin), which anybody can read",
                hint: "send to that URL directly if you mean it")
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
        if target.origin != request.url.origin {
            let before = next.headers.fields.count
            next.headers.fields.removeAll { field in field.isSecret || field.isNamed("Host") }
            if before != next.headers.fields.count || next.options.digest != nil {
                notes.append("without the credentials, because the origin is another")
            }
            next.options.digest = nil
            // A Unix socket and a client certificate were meant for the first origin.
            next.options.unixSocket = nil
            if next.options.trust.clientCertificateFile != nil {
                next.options.trust.clientCertificateFile = nil
                next.options.trust.clientKeyFile = nil
                next.options.trust.clientKeyPassphrase = nil
            }
        }
        self.request = next
        explanation = (["\(response.status) redirects to \(target)"] + notes).joined(separator: ", ")
    }
}
