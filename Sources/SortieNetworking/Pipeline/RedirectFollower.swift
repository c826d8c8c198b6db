internal import SortieHTTP

/// Sends a request and follows redirects until a final response arrives.
struct RedirectFollower<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let (call, strictTransport) = (context.call, context.core.strictTransport)
        let limit = routed.request.options.maximumRedirects
        var routed = routed
        // A plugin may have given the request another URL.
        routed.isAtConfiguredOrigin =
            call.request.url.hasSameOrigin(as: routed.request.url)
            || call.request.otherServers.contains { $0.hasSameOrigin(as: routed.request.url) }
        var visited: Set<String> = []
        while true {
            let urls = routed.request.method.isSafe ? [] : [routed.request.url] + (routed.cachedURL.map { [$0] } ?? [])
            if let url = strictTransport.upgraded(routed.request.url) {
                let asked = routed.request.url
                call.decided(.tls, "\(asked.host) requires TLS (HSTS): \(url.origin) instead of \(asked.origin)")
                routed.request.url = url
            }
            do throws(NetworkError) { try await next.send(routed, &exchange) } catch {
                // The request may have changed the resource, although its response is incomplete.
                await invalidate(urls, after: routed.request, exchange)
                throw error
            }
            await invalidate(urls, after: routed.request, exchange)
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
        guard !request.method.isSafe, let response = exchange.response else { return }
        let (cache, urls) = (context.core.cache, [request.url] + urls)
        let count =
            cache.disk == nil
            ? cache.invalidate(after: response, to: request, urls: urls)
            : await BlockingExecutor.shared.run { cache.invalidate(after: response, to: request, urls: urls) }
        if count > 0 { context.call.decided(.cache, "\(request.method) invalidated \(count) cached response\(count == 1 ? "" : "s")") }
    }
}
