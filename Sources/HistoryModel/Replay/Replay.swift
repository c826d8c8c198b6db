internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP
internal import Synchronization
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
    package let builder: RequestBuilder
    /// Creates the live scope of an endpoint from a builder.
    package let scope: (Endpoint, RequestBuilder) -> TemplateScope
    /// Returns what is masked, including the secrets that the scope has resolved so far.
    package let redaction: () -> Redaction
    /// Returns the current size and time of a file; nil where it cannot be read.
    package let file: (String) -> PastExchange.SentFile?

    /// Creates a replay.
    package init(
        _ past: PastExchange, builder: RequestBuilder, scope: @escaping (Endpoint, RequestBuilder) -> TemplateScope,
        redaction: @escaping () -> Redaction,
        file: @escaping (String) -> PastExchange.SentFile?
    ) {
        (self.past, self.builder, self.scope, self.redaction, self.file) = (past, builder, scope, redaction, file)
    }

    /// The request, with its differences from the original.
    package func planned() -> ReplayPlan {
        let kept = past.exchange.request
        let unknown = UnknownValue()
        let (sources, problems) = sources(unknown)
        var secrets = sources.reduce(into: RequestSecrets()) { $0.formUnion($1.secrets) }
        secrets.values = secrets.values.filter { !unknown.occurs(in: $0) }
        secrets.keys = secrets.keys.filter { !unknown.occurs(in: $0.value) }
        secrets.names.formUnion(builder.workspace.redact)
        var result = ReplayPlan(base(kept, sources.first, secrets))
        var filling = ReplayFilling(sources: sources, redaction: redaction(), masked: past.masks.request, unknown: unknown)
        result.request.url = filling.url(kept.url)
        result.request.headers = headers(filling.headers(kept.headers, replaced: given.map(\.name)))
        result.request.body = filling.body(
            kept.body, contentType: kept.headers["Content-Type"] ?? kept.body.contentType ?? past.exchange.sentHeaders["Content-Type"])
        result.fresh = filling.filled
        result.missing = filling.missing
        lookAtCredential(&result, unknown)
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
        let now = kept.target.flatMap { self.builder.workspace.endpoint($0) }
        var endpoints: [Endpoint] = []
        if var then = kept.origin?.endpoint {
            if past.masks.endpoint.contains(.auth) { then.auth = now?.auth ?? .inherit }
            endpoints.append(then.replacingMasks(in: past.masks.endpoint.subtracting([.auth])) { _ in unknown.text })
        }
        if let now, !endpoints.contains(now) { endpoints.append(now) }
        var builder = builder
        builder.literals.merge(kept.origin?.variables ?? [:]) { given, _ in given }
        var requests: [Request] = []
        var problems: [String] = []
        for endpoint in endpoints {
            var scope = scope(endpoint, builder)
            let (recorded, live) = (RecordedBuiltins(kept.origin?.builtins ?? [:]), scope.builtin)
            scope.builtin = { name, argument throws(TemplateError) in
                if let value = recorded.next(name, argument) { return value }
                return try live(name, argument)
            }
            do throws(Diagnostic) { requests.append(try builder.request(for: endpoint, in: scope)) } catch {
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
        // The original addresses are part of the request.
        options.addresses = old.addresses
        options.removedFields = old.removedFields
        options.resolution.hosts.merge(old.resolution.hosts) { _, old in old }
        options.unixSocket = old.unixSocket
        // The login of a proxy is the current one; a proxy that is no longer configured is reported.
        options.takeProxy(of: source?.options ?? RequestOptions())
        // Those of the message are among its masked parts.
        options.credential = old.credential == .none ? .none : source?.options.credential ?? .inherit
        // A replay must reach the server.
        options.cacheLifetime = nil
        request.options = options
        return request
    }

    /// Credentials that are added to each attempt come from the endpoint; of a secret that was written literally only a mask is stored.
    private func lookAtCredential(_ result: inout ReplayPlan, _ unknown: UnknownValue) {
        let now = result.request.options.credential
        let lost: String
        if let addition = now.addition {
            let login = now.login == nil ? nil : now.challengeScheme
            guard now.texts.contains(where: { unknown.occurs(in: $0) }) else {
                return result.fresh.append(login.map { "the response to the server's \($0) challenge" } ?? addition)
            }
            lost = login.map { "the password of \($0)" } ?? "the credential of \(addition)"
        } else if let then = past.exchange.request.origin?.endpoint.auth, let addition = then.addition, !then.texts.isEmpty,
            !result.request.headers.contains("Authorization")
        {
            lost = then.login.map { "the \(then.challengeScheme ?? "") password of \($0.user)" } ?? "the credential of \(addition)"
        } else {
            return
        }
        result.missing.append("\(lost) was a secret; secrets are not stored, and its current value is unknown")
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
        if let service = request.service.flatMap({ builder.workspace.service($0) }), !request.options.bypassesPlugins {
            for parameter in builder.workspace.publicParameters(of: service) where parameter.value.contains("{{$") {
                names.append("the public parameter \(parameter.name)")
            }
            let plugins = request.origin.map { builder.workspace.plugins(of: $0.endpoint, in: service) } ?? builder.workspace.plugins(of: service)
            for plugin in plugins {
                switch plugin.kind {
                case .token where request.options.credential == .inherit: names.append("the token")
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

/// The recorded values of template built-ins from the original request, returned in order.
final class RecordedBuiltins: Sendable {
    private let left: Mutex<[String: [String]]>

    init(_ values: [String: [String]]) {
        left = Mutex(values)
    }

    /// The next value; nil when all are used.
    func next(_ name: String, _ argument: String) -> String? {
        left.withLock { left in
            let key = TemplateMemo.key(name, argument)
            guard let values = left[key], let first = values.first else { return nil }
            left[key] = Array(values.dropFirst())
            return first
        }
    }
}

/// Replaces the masks in a stored request with secrets.
struct ReplayFilling {
    /// The rebuilt requests whose parts replace masked ones; the first matching part is used.
    let sources: [Request]
    let redaction: Redaction
    /// The masked parts of the stored request.
    let masked: Set<MaskedPart>
    /// The value of the rebuilt requests that is not stored.
    let unknown: UnknownValue
    /// The parts that were replaced.
    private(set) var filled: [String] = []
    /// The masked parts without a match.
    private(set) var missing: [String] = []

    init(sources: [Request], redaction: Redaction, masked: Set<MaskedPart>, unknown: UnknownValue) {
        (self.sources, self.masked, self.unknown) = (sources, masked, unknown)
        // A value that is secret by its position in a rebuilt request was secret in the original, and was masked everywhere.
        self.redaction = sources.reduce(redaction) { $0.learning(from: $1) }
    }

    /// Records the result for a masked part.
    private mutating func settle<Piece>(_ name: String, _ piece: Piece?) -> Piece? {
        if piece == nil {
            missing.append("\(name) was a secret; secrets are not stored, and its current value is unknown")
        } else {
            filled.append("\(name), with its current value")
        }
        return piece
    }

    /// The URL with the secrets of its path and query.
    mutating func url(_ kept: HTTPURL) -> HTTPURL {
        var url = kept
        if masked.contains(.path) {
            let path = sources.map(\.url.path).first { redaction.hidingValues($0) == kept.path && !unknown.occurs(in: $0) }
            url.path = settle("the path", path) ?? kept.path
        }
        guard let query = kept.query else { return url }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).enumerated().map { index, item -> String in
            guard masked.contains(.query(index)) else { return String(item) }
            let name = item.prefix { $0 != "=" }
            let found = sources.compactMap { source -> String? in
                let items = (source.url.query ?? "").split(separator: "&", omittingEmptySubsequences: false)
                // The item at the same index, or the first matching one of the same name.
                let same = items.indices.contains(index) ? [items[index]] : []
                return (same + items.filter { $0.prefix { $0 != "=" } == name }).first {
                    !unknown.occurs(in: $0) && redaction.maskedForm($0) == item
                }.map(String.init)
            }.first
            return settle("the parameter \(PercentEncoding.decode(name, plusIsSpace: true))", found) ?? String(item)
        }
        url.query = items.joined(separator: "&")
        return url
    }

    /// The header fields with their secrets; fields of the same name are matched in order.
    ///
    /// - Parameter replaced: The names of fields whose stored values are not used.
    mutating func headers(_ kept: Headers, replaced: [String]) -> Headers {
        var turns: [String: Int] = [:]
        return Headers(
            kept.fields.enumerated().map { index, field in
                let name = field.name.lowercased()
                let turn = turns[name, default: 0]
                turns[name] = turn + 1
                guard masked.contains(.header(index)), !replaced.contains(where: { field.isNamed($0) }) else { return field }
                let found = sources.compactMap { source -> HeaderField? in
                    let same = source.headers.fields.filter { $0.isNamed(field.name) }
                    guard same.indices.contains(turn), !unknown.occurs(in: same[turn].value) else { return nil }
                    return redaction.masked(same[turn]).value == field.value ? same[turn] : nil
                }.first
                return HeaderField(field.name, settle(field.name, found?.value) ?? field.value)
            })
    }

    /// The body with its secrets.
    mutating func body(_ kept: RequestBody, contentType: String?) -> RequestBody {
        switch kept {
        case .none, .file: return kept
        case .bytes(let bytes, let type):
            guard masked.contains(.body) else { return kept }
            let found = sources.compactMap { source -> [UInt8]? in
                guard case .bytes(let other, _) = source.body, !unknown.occurs(in: other) else { return nil }
                return redaction.maskedBody(other, contentType: contentType ?? type) == bytes ? other : nil
            }.first
            return settle("a secret in the body", found).map { .bytes($0, contentType: type) } ?? kept
        case .multipart(let parts):
            return .multipart(parts.enumerated().map { part($0.offset, $0.element) })
        }
    }

    private mutating func part(_ index: Int, _ kept: RequestBody.Part) -> RequestBody.Part {
        guard masked.contains(.bodyPart(index)) else { return kept }
        let found = sources.compactMap { source -> RequestBody.Part? in
            guard case .multipart(let parts) = source.body, parts.indices.contains(index) else { return nil }
            let part = parts[index]
            if case .bytes(let other) = part.content, unknown.occurs(in: other) { return nil }
            guard !unknown.occurs(in: part.name), !unknown.occurs(in: part.fileName ?? "") else { return nil }
            let form = RequestBody.multipart([part]).masked(by: redaction, contentType: nil).maskingNames(by: redaction)
            return form == .multipart([kept]) ? part : nil
        }.first
        return settle("the part \(kept.name)", found) ?? kept
    }
}

/// A rebuilt request of the history, with its differences from the original.
package struct ReplayPlan: Hashable, Sendable {
    /// The request to send; plugins and the cookie jar add to it as usual.
    package var request: Request
    /// The parts that are generated or fetched again, because they were not stored or are valid only once: `signature`, `Authorization`.
    package var fresh: [String] = []
    /// The differences that do not prevent sending, such as a file that has changed.
    package var changed: [String] = []
    /// The parts that are not available, with the reason; the request must not be sent while there are any.
    package var missing: [String] = []

    /// Creates a plan without differences.
    package init(_ request: Request) {
        self.request = request
    }

    /// Why the request cannot be sent, as a sentence; nil when it can.
    package var refusal: String? {
        guard !missing.isEmpty else { return nil }
        return "it cannot be replayed: \(missing.joined(separator: "; "))"
    }
}

/// A random text that takes the place of a masked value while a request is rebuilt.
///
/// A part of the rebuilt request that contains it depends on a value that is not stored. The letters and digits of the text are the same in every
/// notation of a request; only Base64 changes them.
struct UnknownValue {
    let text: String

    init() { text = "masked" + (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined() }

    /// Whether a part of a request contains the value, also as a user name or password of Basic.
    func occurs(in part: some StringProtocol) -> Bool {
        if part.contains(text) { return true }
        guard part.lowercased().hasPrefix("basic "), let decoded = Data(base64Encoded: String(part.dropFirst(6))) else { return false }
        return String(decoding: decoded, as: UTF8.self).contains(text)
    }

    func occurs(in bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
}
