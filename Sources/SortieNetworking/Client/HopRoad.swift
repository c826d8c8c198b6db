internal import SortieHTTP

/// The road of a call that has its place: sends, and follows redirects until an answer stays.
struct HopRoad {
    let call: Call
    let plugins: PluginChain
    let cookies: HopCookies
    let resolver: Resolver
    let strictTransport: StrictTransport
    let monitor: Monitor
    let spoolFolder: String
    let conditions: ConditionsTable
    let recorder: TrafficObserver<RecordedHop>
    let cache: ResponseCache
    /// The body before it was encrypted; nil where it is sent as it is.
    var plainBody: RequestBody?
    /// The connections to use, where their number is limited.
    var pool: ConnectionPool?

    /// How often plugins may have one hop sent again, so that two that disagree come to an end.
    private static let mostRecoveries = 3

    /// Sends `request` and everything it leads to; what came last is in `exchange`.
    ///
    /// - Parameter cachedURL: the URL under which the cache keeps responses to it, where that is another server's.
    func follow(_ request: Request, cachedAs cachedURL: HTTPURL? = nil, _ exchange: inout Exchange) async throws(NetworkError) {
        var hop = request
        // A plugin may have given the request another URL.
        let origin = call.request
        var isAtConfiguredOrigin = request.url.hasSameOrigin(as: origin.url) || origin.otherServers.contains { $0.hasSameOrigin(as: request.url) }
        var visited: Set<String> = []
        var cachedURL = cachedURL
        while true {
            let urls = [hop.url] + (cachedURL.map { [$0] } ?? [])
            if let url = strictTransport.upgraded(hop.url) {
                call.decided(.tls, "\(hop.url.host) asked to be reached over TLS only (HSTS): \(url.origin) instead of \(hop.url.origin)")
                hop.url = url
            }
            do throws(NetworkError) { try await send(hop, isAtConfiguredOrigin: isAtConfiguredOrigin, &exchange) } catch {
                // A cut body does not undo what the request changed.
                invalidate(urls, after: hop, exchange)
                throw error
            }
            invalidate(urls, after: hop, exchange)
            cachedURL = nil
            if let response = exchange.response { strictTransport.note(response, from: hop) }
            guard hop.options.maximumRedirects > 0, let response = exchange.response else { return }
            let configured = isAtConfiguredOrigin ? [origin.url] + origin.otherServers : []
            guard let redirect = try Redirect(of: hop, after: response, configured: configured, plainBody: plainBody) else {
                if Redirect.statuses.contains(response.status) {
                    call.decided(.redirect, "the \(response.status) names no Location, so it is the final response")
                }
                return
            }
            call.decided(.redirect, redirect.explanation)
            if let notice = redirect.notice, !exchange.notices.contains(notice) { exchange.notices.append(notice) }
            guard let next = redirect.request else { return }
            if redirect.leavesOrigin { isAtConfiguredOrigin = false }
            let limit = request.options.maximumRedirects
            guard visited.count < limit else {
                throw NetworkError(.tooManyRedirects, "the server redirected \(limit + 1) times", hint: "raise the limit with --max-redirects")
            }
            // The same place with other cookies is another question: a login may well lead back to where it began.
            let question = "\(next.method) \(next.url) \(cookies.field(for: next.url) ?? "")"
            guard visited.insert(question).inserted else {
                throw NetworkError(
                    .tooManyRedirects, "the redirects go in a circle, through \(next.url) again",
                    hint: "a cookie or a login may be missing; --no-redirects shows the first answer")
            }
            hop = next
        }
    }

    /// Forgets cached responses that the hop may have changed (RFC 9111 §4.4).
    private func invalidate(_ urls: [HTTPURL], after hop: Request, _ exchange: Exchange) {
        guard !hop.method.isSafe, let response = exchange.response else { return }
        let count = cache.invalidate(after: response, to: hop, urls: [hop.url] + urls)
        if count > 0 { call.decided(.cache, "\(hop.method) invalidated \(count) cached response\(count == 1 ? "" : "s")") }
    }

    /// Refuses a hop with a secret that its host may not receive, also where the body was encrypted.
    private func checkSecrets(of hop: Request) throws(NetworkError) {
        guard !hop.secrets.restricted.isEmpty else { return }
        var plain = hop
        if hop.body != .none, let plainBody { plain.body = plainBody }
        try RequestCheck.checkSecrets(plain)
    }

    /// Sends one hop, again where a plugin has mended what made it fail.
    private func send(_ hop: Request, isAtConfiguredOrigin: Bool, _ exchange: inout Exchange) async throws(NetworkError) {
        try checkSecrets(of: hop)
        let logs = plugins.plugins.compactMap { $0 as? DebugLogPlugin }
        let sender = HopSender(
            call: call, resolver: resolver, monitor: monitor, spoolFolder: spoolFolder, logs: logs, conditions: conditions, recorder: recorder,
            pool: pool)
        guard !plugins.plugins.isEmpty else {
            var request = hop
            let sent = cookies.put(on: &request)
            if !sent.isEmpty { try RequestCheck.checkSecrets(request) }
            let outcome = try await sender.send(request, &exchange)
            cookies.take(from: outcome, sent: sent, &exchange)
            if let error = outcome.error { throw error }
            return
        }
        for _ in 0...Self.mostRecoveries {
            var plugins = plugins
            plugins.context.attempt = exchange.attempts.count + 1
            plugins.context.isAtConfiguredOrigin = isAtConfiguredOrigin
            var request = hop
            let sent = cookies.put(on: &request)
            var prepared = try await plugins.prepared(request)
            let added = call.addedSecrets
            if !added.isEmpty { prepared.secrets.formUnion(added) }
            try RequestCheck.check(prepared)
            try RequestCheck.checkSecrets(prepared)
            let outcome = try await sender.send(prepared, &exchange)
            cookies.take(from: outcome, sent: sent, &exchange)
            if let error = outcome.error { throw error }
            guard let response = exchange.response,
                case .sendAgain(let reason) = try await plugins.didReceive(response, to: prepared)
            else { return }
            call.decided(.auth, "sent again: \(reason)")
        }
    }
}
