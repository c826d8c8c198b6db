internal import SortieBase

/// A complete request: sending it requires no further resolution of templates or settings.
///
/// Copies share their storage until one of them changes.
public struct Request: Hashable, Sendable {
    /// The properties, which are documented at those of the request.
    @usableFromInline
    struct Storage: Hashable, Sendable {
        @usableFromInline var target: String?
        @usableFromInline var service: String?
        @usableFromInline var environment: String?
        @usableFromInline var serverGeneration: Int?
        @usableFromInline var otherServers: [HTTPURL] = []
        @usableFromInline var method: HTTPMethod
        @usableFromInline var url: HTTPURL
        @usableFromInline var headers: Headers
        @usableFromInline var body: RequestBody
        @usableFromInline var options: CopyOnWrite<RequestOptions>
        @usableFromInline var kind = RequestKind.data
        @usableFromInline var tag = Request.noTag
        @usableFromInline var secrets = Request.noSecrets
    }

    @usableFromInline var storage: CopyOnWrite<Storage>

    /// The target's name in the workspace (`shop/orders`); nil for a request without one.
    public var target: String? {
        @inlinable _read { yield storage.wrappedValue.target }
        @inlinable _modify { yield &storage.wrappedValue.target }
    }
    /// The service whose request queue is used; nil for the queue of the origin.
    public var service: String? {
        @inlinable _read { yield storage.wrappedValue.service }
        @inlinable _modify { yield &storage.wrappedValue.service }
    }
    /// The environment of the request.
    public var environment: String? {
        @inlinable _read { yield storage.wrappedValue.environment }
        @inlinable _modify { yield &storage.wrappedValue.environment }
    }
    /// The generation of the service's ring of servers when the request was created, so that late results do not count for another server; nil
    /// without a ring.
    package var serverGeneration: Int? {
        @inlinable _read { yield storage.wrappedValue.serverGeneration }
        @inlinable _modify { yield &storage.wrappedValue.serverGeneration }
    }
    /// The same URL on the other servers of the ring, the next one first, for failover when the server cannot be reached.
    public var otherServers: [HTTPURL] {
        @inlinable _read { yield storage.wrappedValue.otherServers }
        @inlinable _modify { yield &storage.wrappedValue.otherServers }
    }
    /// The method.
    public var method: HTTPMethod {
        @inlinable _read { yield storage.wrappedValue.method }
        @inlinable _modify { yield &storage.wrappedValue.method }
    }
    /// The URL.
    public var url: HTTPURL {
        @inlinable _read { yield storage.wrappedValue.url }
        @inlinable _modify { yield &storage.wrappedValue.url }
    }
    /// The header fields that the user or a file specified.
    public var headers: Headers {
        @inlinable _read { yield storage.wrappedValue.headers }
        @inlinable _modify { yield &storage.wrappedValue.headers }
    }
    /// The body.
    public var body: RequestBody {
        @inlinable _read { yield storage.wrappedValue.body }
        @inlinable _modify { yield &storage.wrappedValue.body }
    }
    /// The options for sending.
    public var options: RequestOptions {
        @inlinable _read { yield storage.wrappedValue.options.wrappedValue }
        @inlinable _modify { yield &storage.wrappedValue.options.wrappedValue }
    }
    /// The storage of ``options``, which requests with the same options share.
    package var sharedOptions: CopyOnWrite<RequestOptions> {
        @inlinable _read { yield storage.wrappedValue.options }
        @inlinable _modify { yield &storage.wrappedValue.options }
    }
    /// The purpose of sending it.
    package var kind: RequestKind {
        @inlinable _read { yield storage.wrappedValue.kind }
        @inlinable _modify { yield &storage.wrappedValue.kind }
    }
    /// The value that the program attached; nil where it attached none.
    public var tag: RequestTag? {
        @inlinable _read { yield storage.wrappedValue.tag.wrappedValue }
        @inlinable _modify { yield &storage.wrappedValue.tag.wrappedValue }
    }
    /// The secrets of the request, and the hosts that may receive them.
    public var secrets: RequestSecrets {
        @inlinable _read { yield storage.wrappedValue.secrets.wrappedValue }
        @inlinable _modify { yield &storage.wrappedValue.secrets.wrappedValue }
    }

    /// Creates a request.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, headers: Headers = [], body: RequestBody = .none,
        options: RequestOptions = .init(),
        target: String? = nil, service: String? = nil, environment: String? = nil
    ) {
        storage = CopyOnWrite(
            wrappedValue: Storage(
                target: target, service: service, environment: environment, method: method, url: url, headers: headers, body: body,
                options: CopyOnWrite(wrappedValue: options)))
    }

    /// A shared box for all requests without a tag.
    private static let noTag = CopyOnWrite<RequestTag?>(wrappedValue: nil)
    /// A shared box for all requests without secrets.
    private static let noSecrets = CopyOnWrite(wrappedValue: RequestSecrets())
}

extension Request {
    /// Puts credentials that are constant texts at their place in the message: Basic, a bearer token and an API key.
    ///
    /// Afterwards ``RequestOptions/credential`` has only what is added to each attempt, and nothing where a field `Authorization` takes precedence. Basic
    /// with a user that RFC 7617 excludes and an empty bearer token stay, and the request is refused.
    package mutating func placeCredential() {
        switch options.credential {
        case .inherit, .none: return
        case .basic(let user, _) where !BasicCredentials.canHave(user: user) && !headers.contains("Authorization"): return
        case .basic(let user, let password): offer(BasicCredentials.field(user: user, password: password))
        case .bearer("") where !headers.contains("Authorization"): return
        case .bearer(let token): offer("Bearer \(token)")
        case .apiKey(let key): add(key)
        case .digest, .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .signature:
            guard !options.credential.isBesideAuthorization, headers.contains("Authorization") else { return }
        }
        options.credential = .inherit
        options.hasPlacedCredential = true
    }

    /// Adds user and password of the URL with Basic where there are no other credentials; by default they are not sent.
    package mutating func placeCredentialsOfURL() {
        guard options.credential == .inherit || options.credential == .none, let login = url.credentials else { return }
        guard BasicCredentials.canHave(user: login.user) || headers.contains("Authorization") else {
            options.credential = .basic(user: login.user, password: login.password)
            return
        }
        offer(BasicCredentials.field(user: login.user, password: login.password))
    }

    /// Adds `Authorization` to a message that has none.
    private mutating func offer(_ authorization: String) {
        if !headers.contains("Authorization") { headers.append("Authorization", authorization) }
    }

    /// Adds a key; a header field or a parameter of its name that the user wrote takes precedence.
    ///
    /// Its name becomes that of a secret of the request, so that the key is masked, and another origin does not receive it.
    private mutating func add(_ key: APIKey) {
        secrets.keys[key.name] = key.value
        switch key.place {
        case .header:
            if !headers.contains(key.name) { headers.append(key.name, key.value) }
        case .query:
            let names = (url.query ?? "").split(separator: "&").map { PercentEncoding.decode($0.prefix { $0 != "=" }) }
            if !names.contains(key.name) { url = url.appending(query: [(key.name, key.value)]) }
        }
    }
}

extension Request {
    /// Uses the configured addresses of the URL's host where there are any.
    package mutating func useConfiguredAddresses() {
        guard let known = options.resolution.configured(for: url) else { return }
        options.addresses = known.fixed
        options.resolution.further = known.further
    }

    /// Directs the request to another URL.
    ///
    /// Addresses belong to a host: the addresses of another host are replaced by its configured ones.
    package mutating func redirect(to target: HTTPURL) {
        let former = url
        url = target
        guard target.host != former.host || options.resolution.hasPorts(of: target.host) else { return }
        let addresses = HostAddresses(fixed: options.addresses, further: options.resolution.further)
        guard addresses != HostAddresses() || !options.resolution.hosts.isEmpty else { return }
        // A later redirect may lead back to this host.
        if options.resolution.configured(for: former) == nil { options.resolution.hosts[former.host] = addresses }
        let next = options.resolution.configured(for: target) ?? HostAddresses()
        options.addresses = next.fixed
        options.resolution.further = next.further
        options.firstAddress = nil
    }
}

extension Request {
    /// The problem of the first parameter that does not satisfy its rule, with its name but without its value; nil where there is none.
    package var parameterProblem: String? {
        options.parameterRules.isEmpty ? nil : Self.problem(of: parameterValues, by: options.parameterRules)
    }

    /// The problem of the first parameter that does not satisfy its rule; `values` has the texts by name.
    package static func problem(of values: [String: [String]], by rules: [ParameterRule]) -> String? {
        for rule in rules {
            let given = values[rule.name] ?? []
            for value in given.isEmpty ? [nil] : given.map(Optional.some) {
                if let problem = rule.problem(of: value) { return "the parameter “\(rule.name)” \(problem)" }
            }
        }
        return nil
    }

    /// The texts of the parameters by name: of the query, of a form, of the text parts of a multipart body, and of the members of a JSON object.
    var parameterValues: [String: [String]] {
        var pairs = ParameterPair.pairs(of: url.query ?? "")
        switch body {
        case .none, .file: break
        case .bytes(let bytes, let contentType):
            guard let type = (headers["Content-Type"] ?? contentType).flatMap(MediaType.init) else { break }
            if type.essence == "application/x-www-form-urlencoded" {
                pairs += ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
            } else if type.isJSON {
                pairs += Self.members(ofJSON: bytes)
            }
        case .multipart(let parts):
            for part in parts {
                if case .bytes(let bytes) = part.content { pairs.append(.init(part.name, String(decoding: bytes, as: UTF8.self))) }
            }
        }
        return Dictionary(grouping: pairs, by: \.name).mapValues { $0.map { $0.value ?? "" } }
    }

    /// The members of a JSON object; a list or an object has its JSON text, null is an empty text.
    private static func members(ofJSON bytes: [UInt8]) -> [ParameterPair] {
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes) else { return [] }
            return members.map { member in
                switch member.value {
                case .null: .init(member.key, "")
                case .string(let text): .init(member.key, text)
                default: .init(member.key, member.value.compactText)
                }
            }
        } catch {
            // A body that is not JSON has no parameters; a required one is reported as missing.
            return []
        }
    }

    /// Appends text to the query, after the existing one.
    public mutating func append(query text: String) {
        guard !text.isEmpty else { return }
        url = url.appending(queryText: text)
        for index in otherServers.indices { otherServers[index] = otherServers[index].appending(queryText: text) }
    }
}

extension HTTPURL {
    /// The URL with percent-encoded text after the existing query.
    package func appending(queryText text: String) -> HTTPURL {
        guard !text.isEmpty else { return self }
        var result = self
        result.query = (query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 : $0 + "&" } ?? "") + text
        return result
    }
}

extension Request {
    /// The first query parameter of a name, decoded; its value is empty without `=`.
    ///
    /// Assigning replaces the first parameter of the name and removes further ones, or adds one at the end; nil removes all. Other parameters keep
    /// their notation.
    public subscript(parameter name: String) -> String? {
        get { ParameterPair.pairs(of: url.query ?? "").first { $0.name == name }.map { $0.value ?? "" } }
        set {
            var items: [Substring] = []
            var pair = newValue.map { value in
                Substring([name, value].map { PercentEncoding.encode($0, allowed: .unreserved) }.joined(separator: "="))
            }
            for item in (url.query ?? "").split(separator: "&") {
                if ParameterPair.pairs(of: String(item)).first?.name != name {
                    items.append(item)
                } else if let first = pair.take() {
                    items.append(first)
                }
            }
            if let pair { items.append(pair) }
            url.query = items.isEmpty ? nil : items.joined(separator: "&")
        }
    }
}

extension Request {
    /// The path that stands for the program's standard input, which is sent once and whose length is known only at its end.
    package static let standardInput = "/dev/stdin"

    /// Whether the request is an upload: it comes from an endpoint for uploads, or its body has files.
    ///
    /// An upload takes as long as its bytes need, so the default total timeout does not apply to it.
    package var isUpload: Bool {
        switch body {
        case .file: return true
        case .multipart(let parts) where parts.contains(where: \.isFile): return true
        case .none, .bytes, .multipart: return kind == .upload
        }
    }
}

extension RequestBody.Part {
    /// Whether the content is a file.
    fileprivate var isFile: Bool {
        if case .file = content { true } else { false }
    }
}

/// The identity of one call, unique on this machine and increasing within a process.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Identifies the process.
    package let high: UInt64
    /// The counter within the process.
    package let low: UInt64

    /// Creates an identity of two halves.
    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Parses the format of ``description``.
    public init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else { return nil }
        self.init(high: high, low: low)
    }

    /// Both halves in hexadecimal, with a hyphen between them.
    public var description: String { String(high, radix: 16) + "-" + String(low, radix: 16) }

    /// Compares the high halves, then the low halves.
    public static func < (left: RequestID, right: RequestID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// The purpose of sending a request.
@usableFromInline
package enum RequestKind: String, Hashable, Sendable, CaseIterable {
    /// A response is shown.
    case data
    /// A file is downloaded, and the download can be resumed.
    case download
    /// A file is uploaded.
    case upload
    /// A WebSocket connection is opened (RFC 6455).
    case webSocket
    /// A method of gRPC is called (``GRPCCall``).
    case grpc
    /// Server-sent events are received (WHATWG HTML §9.2).
    case events
}

/// A value that a program attaches to a request for its own use; the networking module passes it on and does not read it.
public struct RequestTag: Hashable, Sendable {
    private let value: any Hashable & Sendable

    /// Creates a tag with a value.
    public init(_ value: some Hashable & Sendable) { self.value = value }

    /// The value; nil where it has another type.
    public func value<Value>(as type: Value.Type) -> Value? { value as? Value }

    /// Whether both contain equal values of the same type.
    public static func == (left: RequestTag, right: RequestTag) -> Bool { left.value.isEqual(to: right.value) }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Hashable {
    fileprivate func isEqual(to other: any Hashable) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
