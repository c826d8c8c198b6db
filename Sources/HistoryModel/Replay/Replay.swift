internal import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// Rebuilds a request of the history so that it can be sent again, byte for byte.
///
/// The stored request contains masks in place of secrets. A second request is built from the same sources: the endpoint as it was sent, the recorded
/// values of its templates, and the current secrets. Wherever a masked part of the stored request equals the masked part of the new one, the new part
/// is used. All parts without masks are taken from the stored request, regardless of the current files of the workspace.
///
/// The endpoint as it was sent has masks, too. They are replaced with an unknown value before the request is built, so that a part of the second
/// request that depends on a masked value is recognised and not used.
package struct Replay {
    /// The stored exchange.
    package let past: PastExchange
    /// Header fields that the user sets for the replay; they replace stored ones of the same name.
    package var given: [HeaderField] = []
    /// The current workspace in the environment of the original request.
    package let plan: RequestBuilder
    /// Creates the live scope of an endpoint under a plan.
    package let scope: (Endpoint, RequestBuilder) -> TemplateScope
    /// Returns what is masked, including the secrets that the scope has resolved so far.
    package let redaction: () -> Redaction
    /// Returns the current size and time of a file; nil where it cannot be read.
    package let file: (String) -> PastExchange.SentFile?

    /// Creates a replay.
    package init(
        _ past: PastExchange, plan: RequestBuilder, scope: @escaping (Endpoint, RequestBuilder) -> TemplateScope,
        redaction: @escaping () -> Redaction,
        file: @escaping (String) -> PastExchange.SentFile?
    ) {
        self.past = past
        self.plan = plan
        self.scope = scope
        self.redaction = redaction
        self.file = file
    }

    /// The request, with its differences from the original.
    package func planned() -> ReplayPlan {
        let kept = past.exchange.request
        let unknown = UnknownValue()
        let (sources, problems) = sources(unknown)
        var secrets = sources.reduce(into: RequestSecrets()) { $0.formUnion($1.secrets) }
        secrets.values = secrets.values.filter { !unknown.occurs(in: $0) }
        secrets.keys = secrets.keys.filter { !unknown.occurs(in: $0.value) }
        secrets.names.formUnion(plan.workspace.redact)
        var result = ReplayPlan(base(kept, sources.first, secrets))
        var filling = ReplayFilling(sources: sources, redaction: redaction(), masked: past.masks.request, unknown: unknown)
        result.request.url = filling.url(kept.url)
        result.request.headers = headers(filling.headers(kept.headers, replaced: given.map(\.name)))
        result.request.body = filling.body(
            kept.body, contentType: kept.headers["Content-Type"] ?? kept.body.contentType ?? past.exchange.sentHeaders["Content-Type"])
        result.fresh = filling.filled
        result.missing = filling.missing
        lookAtLogin(&result, unknown)
        // Without a service, tokens, signatures, trust and proxies are unknown. Otherwise a problem only explains missing parts.
        if sources.isEmpty || !result.missing.isEmpty { result.missing += problems }
        lookAtPlace(kept, sources, &result)
        if let proxy = kept.options.proxy, result.request.options.proxy == nil {
            result.changed.append(
                "it was sent through the proxy \(proxy.scheme.rawValue)://\(proxy.host):\(proxy.port), which is no longer configured")
        }
        if let reason = past.missingRequestBody { result.missing.append("its body is missing: \(reason)") }
        look(at: past.sentFiles, &result)
        result.fresh += addedOnTheWay(result.request)
        return result
    }

    /// The requests built from the endpoint as it was sent, and from the endpoint that the workspace contains now.
    private func sources(_ unknown: UnknownValue) -> (requests: [Request], problems: [String]) {
        let kept = past.exchange.request
        let now = kept.target.flatMap { self.plan.workspace.endpoint($0) }
        var endpoints: [Endpoint] = []
        if var then = kept.origin?.endpoint {
            if past.masks.endpoint.contains(.auth) { then.auth = now?.auth ?? .inherit }
            endpoints.append(then.replacingMasks(in: past.masks.endpoint.subtracting([.auth])) { _ in unknown.text })
        }
        if let now, !endpoints.contains(now) { endpoints.append(now) }
        var plan = plan
        plan.literals.merge(kept.origin?.variables ?? [:]) { given, _ in given }
        var requests: [Request] = []
        var problems: [String] = []
        for endpoint in endpoints {
            var scope = scope(endpoint, plan)
            let (recorded, live) = (RecordedBuiltins(kept.origin?.builtins ?? [:]), scope.builtin)
            scope.builtin = { name, argument throws(TemplateError) in
                if let value = recorded.next(name, argument) { return value }
                return try live(name, argument)
            }
            do throws(Diagnostic) { requests.append(try plan.request(for: endpoint, in: scope)) } catch {
                if !problems.contains(error.message) { problems.append(error.message) }
            }
        }
        return (requests, problems)
    }

    /// The request with the current trust, proxy and timeouts, and with the original options that change what is sent.
    private func base(_ kept: Request, _ source: Request?, _ secrets: RequestSecrets) -> Request {
        var request = kept
        // The stored values have masks in place of secrets; the current secrets come from the rebuilt request.
        request.secrets = secrets
        request.service = source?.service
        request.serverGeneration = nil
        // Only the original server is used, because another server of the ring would make it another request.
        request.otherServers = []
        let old = kept.options
        var options = source?.options ?? old
        options.version = old.version
        options.maximumRedirects = old.maximumRedirects
        options.decompresses = old.decompresses
        options.usesCookies = old.usesCookies
        options.bypassesPlugins = old.bypassesPlugins
        options.omitsCredentials = old.omitsCredentials
        // The original addresses are part of the request.
        options.addresses = old.addresses
        options.removedFields = old.removedFields
        options.resolution.hosts.merge(old.resolution.hosts) { _, old in old }
        options.unixSocket = old.unixSocket
        // The login of a proxy is the current one; a proxy that is no longer configured is reported.
        options.proxy = source?.options.proxy
        options.login = source?.options.login
        // A replay must reach the server.
        options.cacheLifetime = nil
        request.options = options
        return request
    }

    /// The credentials of Digest and NTLM come from the endpoint; of a password that was written literally only a mask is stored.
    private func lookAtLogin(_ result: inout ReplayPlan, _ unknown: UnknownValue) {
        if let login = result.request.options.login {
            let isKnown = !unknown.occurs(in: login.password) && !unknown.occurs(in: login.user)
            guard !isKnown else { return result.fresh.append("the response to the server's \(login.scheme.rawValue) challenge") }
            result.missing.append("the password of \(login.scheme.rawValue) was a secret; secrets are not stored, and its current value is unknown")
            return
        }
        let lost: (scheme: RequestOptions.Login.Scheme, user: String)? =
            switch past.exchange.request.origin?.endpoint.auth {
            case .digest(let user, _): (.digest, user)
            case .ntlm(let credential): (.ntlm, credential.user)
            default: nil
            }
        if let lost {
            result.missing.append(
                "the \(lost.scheme.rawValue) password of \(lost.user) was a secret; secrets are not stored, and its current value is unknown")
        }
    }

    /// Reports when current secrets would be sent to a server that the service no longer uses.
    private func lookAtPlace(_ kept: Request, _ sources: [Request], _ result: inout ReplayPlan) {
        let places = sources.flatMap { [$0.url] + $0.otherServers }
        if kept.service != nil, !places.isEmpty, !places.contains(where: { $0.origin == kept.url.origin }) {
            result.changed.append(
                "\(kept.url.origin) is no longer a server of \(kept.service ?? "the service"); secrets are sent there nevertheless")
        }
    }

    /// Header fields with those that the user set.
    private func headers(_ headers: Headers) -> Headers {
        var headers = headers
        for field in given { headers[field.name] = field.value }
        return headers
    }

    private func look(at files: [PastExchange.SentFile], _ result: inout ReplayPlan) {
        for then in files {
            guard let now = file(then.path) else {
                result.missing.append("the file \(then.path) can no longer be read")
                continue
            }
            if now.size != then.size || abs(now.modified - then.modified) > 0.001 { result.changed.append("the file \(then.path) has changed") }
        }
    }

    /// The parts of the request that are added later and differ each time.
    private func addedOnTheWay(_ request: Request) -> [String] {
        var names: [String] = []
        if case .multipart = request.body { names.append("the boundary of its parts") }
        if let service = request.service.flatMap({ plan.workspace.service($0) }), !request.options.bypassesPlugins {
            for parameter in plan.workspace.publicParameters(of: service) where parameter.value.contains("{{$") {
                names.append("the public parameter \(parameter.name)")
            }
            let plugins = request.origin.map { plan.workspace.plugins(of: $0.endpoint, in: service) } ?? plan.workspace.plugins(of: service)
            for plugin in plugins {
                switch plugin.kind {
                case .token where !request.options.omitsCredentials: names.append("the token")
                case .sign: names.append("the signature")
                case .encrypt: names.append("the encryption")
                case .token, .errorFilter, .signals, .debugLog: break
                }
            }
        }
        let sentCookies = past.exchange.sentHeaders.contains("Cookie") || past.exchange.attempts.contains { !$0.sentCookies.isEmpty }
        if sentCookies, request.options.usesCookies, !request.headers.contains("Cookie") { names.append("cookies, from the jar") }
        return names
    }
}
