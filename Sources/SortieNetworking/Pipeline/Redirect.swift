internal import SortieBase
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
        // A server could choose the login of another one.
        if target.credentials != nil, target.credentials != request.url.credentials { notes.append("without the login in its Location") }
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
        if let other = RedirectLocation.others(response.headers).first {
            let ambiguity = "the \(response.status) has several Location fields; “\(location)” was followed, and not “\(other)”"
            notice = [notice, ambiguity].compactMap(\.self).joined(separator: "; ")
        }
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
        if let addition = options.credential.addition {
            dropped.append(addition)
            options.credential = .none
        }
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

/// Sends a request and follows redirects until a final response arrives.
struct RedirectFollower<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    @inline(never)
    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let (call, strictTransport) = (context.call, context.core.strictTransport)
        let limit = routed.request.options.maximumRedirects
        var routed = routed
        // A plugin may have given the request another URL, and another server of the ring may be in use.
        routed.isAtConfiguredOrigin =
            context.plugins.isEmpty && call.request.otherServers.isEmpty || call.request.url.hasSameOrigin(as: routed.request.url)
            || call.request.otherServers.contains { $0.hasSameOrigin(as: routed.request.url) }
        var visited: Set<String> = []
        while true {
            // The URLs whose cached responses the request may make invalid.
            let urls = routed.request.method.isSafe ? [] : [routed.request.url] + (routed.cachedURL.map { [$0.wrappedValue] } ?? [])
            if let url = strictTransport.upgraded(routed.request.url) {
                let asked = routed.request.url
                call.decided(.tls, "\(asked.host) requires TLS (HSTS): \(url.origin) instead of \(asked.origin)")
                routed.request.url = url
            }
            do throws(NetworkError) { try await next.send(routed, &exchange) } catch {
                // The request may have changed the resource, although its response is incomplete.
                if !urls.isEmpty { await invalidate(urls, after: routed.request, exchange) }
                throw error
            }
            if !urls.isEmpty { await invalidate(urls, after: routed.request, exchange) }
            routed.cachedURL = nil
            if routed.request.url.scheme == .https, let response = exchange.response { strictTransport.note(response, from: routed.request) }
            guard limit > 0, let status = exchange.response?.status, RedirectLocation.statuses.contains(status), let response = exchange.response
            else { return }
            let configured = routed.isAtConfiguredOrigin ? [call.request.url] + call.request.otherServers : []
            guard let redirect = try Redirect(of: routed.request, after: response, configured: configured, plainBody: context.plainBody) else {
                call.decided(.redirect, "the \(response.status) has no Location, so it is the final response")
                return
            }
            call.decided(.redirect, redirect.explanation)
            if let notice = redirect.notice, !exchange.notices.contains(notice) { exchange.notices.append(notice) }
            guard let target = redirect.request else { return }
            if redirect.leavesOrigin { routed.isAtConfiguredOrigin = false }
            guard visited.count < limit else {
                throw NetworkError(.tooManyRedirects, "the server redirected \(limit + 1) times", remedy: .redirectLimit)
            }
            // The same URL with other cookies is another request: a login may redirect back to where it started.
            let question = "\(target.method) \(target.url) \(context.cookies.field(for: target.url) ?? "")"
            guard visited.insert(question).inserted else {
                throw NetworkError(
                    .tooManyRedirects, "the redirects form a loop through \(target.url)",
                    remedy: .redirectLoop)
            }
            routed.request = target
        }
    }

    /// Removes cached responses that the request may have made invalid (RFC 9111 §4.4).
    private func invalidate(_ urls: [HTTPURL], after request: Request, _ exchange: Exchange) async {
        guard let response = exchange.response else { return }
        let (cache, urls) = (context.core.cache, [request.url] + urls)
        let count =
            cache.disk == nil
            ? cache.invalidate(after: response, to: request, urls: urls)
            : await BlockingExecutor.shared.run { cache.invalidate(after: response, to: request, urls: urls) }
        if count > 0 { context.call.decided(.cache, "\(request.method) invalidated \(ItemCount.text(count, "cached response"))") }
    }
}
