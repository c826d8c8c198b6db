/// The options for sending a request.
///
/// The options of the client, a service, an endpoint and a call form layers: a field that a layer assigns takes precedence over the layers below it,
/// also where it assigns the default, and the other fields are inherited. ``timeouts``, ``trust``, ``resolution`` and ``answer`` are merged
/// field by field likewise, so that a layer with pins keeps the authorities of the service.
public struct RequestOptions: Hashable, Sendable {
    /// The permitted HTTP versions.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
        case automatic = "auto"
        /// HTTP/1.1 only.
        case http1 = "1.1"
        /// HTTP/2; over plain text by prior knowledge.
        case http2 = "2"
    }

    /// The order in which a request queue admits waiting requests, and the weight of their HTTP/2 streams.
    public enum Priority: Int, Hashable, Sendable, Comparable {
        case low, normal, high

        /// Compares the raw values.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// The use of cached responses.
    public enum CachePolicy: String, Hashable, Codable, Sendable, CaseIterable {
        /// A fresh response is used; an expired one is revalidated, or requested again where it has no validator.
        case use
        /// The server is asked in every case, with the validators of the stored response.
        case revalidate
        /// The stored response is ignored and replaced by the new one.
        case reload
        /// A stored response is used regardless of its age; without one the request is sent.
        case cacheElseLoad
        /// A stored response is used regardless of its age; without one the call fails with ``NetworkError/Code/notCached``.
        case cacheOnly
    }

    /// The fields, each named like its property.
    package enum Field: UInt8, CaseIterable, Sendable {
        case requiresTLS, tlsPorts, timeouts, maximumRedirects, removedFields, version, decompresses, maximumBodyBytes, maximumUploadRate, trust
        case addresses, firstAddress, resolution, proxy, unixSocket, credential, grpc
        case cacheLifetime, cachedMethods, cachePolicy, cachesOnDisk, cacheTag, retry, priority, traffic, serviceType, interface, excludedNetworks,
            usesCookies
        case parameterRules, answer, texts, suppressesUI, bypassesPlugins, inheritsPlugins
    }

    /// Whether the request and its redirects must use TLS; a URL without it is an error before anything is sent, unless ``tlsPorts``
    /// has its port.
    public var requiresTLS = false { didSet { assigned.insert(.requiresTLS) } }
    /// The ports of https by those of http: where TLS is required, a URL with one of them is moved to https with the other one instead of being refused,
    /// as with `[80: 443]`.
    public var tlsPorts: [UInt16: UInt16] = [:] { didSet { assigned.insert(.tlsPorts) } }
    /// The time limits.
    public var timeouts = Timeouts() { didSet { assigned.insert(.timeouts) } }
    /// The maximum number of redirects that are followed; 0 follows none.
    public var maximumRedirects = 20 { didSet { assigned.insert(.maximumRedirects) } }
    /// Lower-case names of header fields that are not sent, even where the engine, a plugin or the cookie jar adds them.
    public var removedFields: Set<String> = [] { didSet { assigned.insert(.removedFields) } }
    /// The permitted HTTP versions.
    public var version = Version.automatic { didSet { assigned.insert(.version) } }
    /// Whether compressed bodies are requested and decoded.
    public var decompresses = true { didSet { assigned.insert(.decompresses) } }
    /// The maximum number of decoded body bytes, so that a small compressed body cannot fill the disk; nil for no limit.
    public var maximumBodyBytes: Int64? = 20 << 30 { didSet { assigned.insert(.maximumBodyBytes) } }
    /// The maximum upload rate of the body in bytes per second; nil for no limit.
    public var maximumUploadRate: Int64? { didSet { assigned.insert(.maximumUploadRate) } }
    /// The certificates and authorities that are trusted.
    public var trust = TrustPolicy() { didSet { assigned.insert(.trust) } }
    /// Addresses that replace the name resolution of the URL's host (IP-direct).
    public var addresses: [IPAddress] = [] { didSet { assigned.insert(.addresses) } }
    /// The address that is tried first, regardless of measurements; used by callers that distribute requests over all addresses.
    public var firstAddress: IPAddress? { didSet { assigned.insert(.firstAddress) } }
    /// The settings of name resolution where ``addresses`` is empty.
    public var resolution = NameResolution() { didSet { assigned.insert(.resolution) } }
    /// The proxy; nil for none.
    ///
    /// The proxies of the process environment apply only where a workspace or a command names them.
    public var proxy: Proxy? { didSet { assigned.insert(.proxy) } }
    /// The service whose tunnel is used, where it is not that of the request; set by the library.
    package var tunnelOwner: TunnelOwner?
    /// The path of a Unix socket that replaces the connection to the host.
    public var unixSocket: String? { didSet { assigned.insert(.unixSocket) } }
    /// The credentials, without templates; a field `Authorization` of the request takes precedence, except over an API key.
    ///
    /// Basic, a bearer token and an API key are put into the message when a call starts. The others are added to each attempt: OAuth 2 tokens, AWS
    /// signatures, JSON Web Tokens and Kerberos tickets by the path of the request, Digest and NTLM by the engine. With ``Auth/inherit`` the layer
    /// below decides, and without any credentials those of the URL are sent with Basic. With ``Auth/none`` plugins add none either, as for a sign-in.
    public var credential = Auth.inherit { didSet { assigned.insert(.credential) } }
    /// What makes the request a call of gRPC, whose body is JSON here and messages on the wire; nil for another request.
    public var grpc: GRPCCall? { didSet { assigned.insert(.grpc) } }
    /// How long a cached response may be served without revalidation; nil stores nothing.
    public var cacheLifetime: Duration? { didSet { assigned.insert(.cacheLifetime) } }
    /// The methods whose responses are cached for ``cacheLifetime``.
    ///
    /// A request with another unsafe method (RFC 9110 §9.2.1) invalidates the stored responses of its URL. If the set contains POST, a POST is
    /// treated as a query and its response is stored by URL and body.
    public var cachedMethods: Set<HTTPMethod> = [.get, .head] { didSet { assigned.insert(.cachedMethods) } }
    /// How stored responses are used; without ``cacheLifetime`` it has no effect.
    public var cachePolicy = CachePolicy.use { didSet { assigned.insert(.cachePolicy) } }
    /// Whether the response is also stored in the cache folder of the client, for later runs of the program.
    ///
    /// A response is kept in memory only where it or its request contains credentials or other masked values.
    public var cachesOnDisk = false { didSet { assigned.insert(.cachesOnDisk) } }
    /// A value on which the response depends beside the request, such as the ID of a user; a change makes the stored response unusable.
    public var cacheTag: String? { didSet { assigned.insert(.cacheTag) } }
    /// The retries after transport errors and after 408, 429, 502, 503 and 504, and whether the request waits for the network.
    public var retry: RetryPolicy? { didSet { assigned.insert(.retry) } }
    /// The priority of admission, and of the stream on an HTTP/2 connection.
    public var priority = Priority.normal { didSet { assigned.insert(.priority) } }
    /// The purpose of the request, which determines how much of a request queue it may use.
    public var traffic = Traffic.refresh { didSet { assigned.insert(.traffic) } }
    /// The kind of traffic for the network; requests of different kinds share no connection.
    public var serviceType = ServiceType.standard { didSet { assigned.insert(.serviceType) } }
    /// The network interface or the local address of the connection; nil for the system's choice.
    public var interface: String? { didSet { assigned.insert(.interface) } }
    /// The networks over which the request is not sent: where the route to its server leads over one, it fails as ``NetworkError/Code/offline`` before
    /// it is sent, or waits for another network.
    public var excludedNetworks: Set<ExcludedNetwork> = [] { didSet { assigned.insert(.excludedNetworks) } }
    /// Whether cookies are sent and stored.
    public var usesCookies = true { didSet { assigned.insert(.usesCookies) } }
    /// What the parameters in the query and the body must be, checked before anything is sent.
    public var parameterRules: [ParameterRule] = [] { didSet { assigned.insert(.parameterRules) } }
    /// The rules that the response must meet.
    public var answer = ResponseRules() { didSet { assigned.insert(.answer) } }
    /// The language of messages for users, and of the name of a file without one.
    public var texts = UserTexts.english { didSet { assigned.insert(.texts) } }
    /// Whether plugins display nothing while the request runs and when it fails.
    public var suppressesUI = false { didSet { assigned.insert(.suppressesUI) } }
    /// Whether the request bypasses the plugins that change it: public parameters, tokens, signatures and encryption.
    ///
    /// Checks of responses and event observers still apply.
    public var bypassesPlugins = false { didSet { assigned.insert(.bypassesPlugins) } }
    /// Whether the plugins of the client and the service take part beside those of the call.
    public var inheritsPlugins = true { didSet { assigned.insert(.inheritsPlugins) } }
    /// The fields that were assigned, which take precedence over those of the layers below.
    package private(set) var assigned = AssignedFields<Field>()

    /// Creates the default options.
    public init() {}
}

extension RequestOptions {
    /// These options with the assigned fields of the layer above.
    ///
    /// A request that bypasses plugins inherits how its server is reached and verified, and no settings of the message.
    package func overlaid(with upper: RequestOptions) -> RequestOptions {
        if assigned.isEmpty || upper.assigned.isEmpty { return assigned.isEmpty ? upper : self }
        var result = upper
        for field in Field.allCases where assigned.contains(field) {
            if upper.bypassesPlugins, field.describesMessage { continue }
            result.inherit(field, from: self)
        }
        return result
    }

    private mutating func inherit(_ field: Field, from lower: RequestOptions) {
        switch field {
        case .timeouts: timeouts = lower.timeouts.overlaid(with: timeouts)
        case .trust: trust = lower.trust.overlaid(with: trust)
        case .resolution: resolution = lower.resolution.overlaid(with: resolution)
        case .answer: answer = lower.answer.overlaid(with: answer)
        case .credential: if credential == .inherit { credential = lower.credential }
        default: if !assigned.contains(field) { copy(field, from: lower) }
        }
    }

    private mutating func copy(_ field: Field, from lower: RequestOptions) {
        switch field {
        case .requiresTLS: requiresTLS = lower.requiresTLS
        case .tlsPorts: tlsPorts = lower.tlsPorts
        case .timeouts: timeouts = lower.timeouts
        case .maximumRedirects: maximumRedirects = lower.maximumRedirects
        case .removedFields: removedFields = lower.removedFields
        case .version: version = lower.version
        case .decompresses: decompresses = lower.decompresses
        case .maximumBodyBytes: maximumBodyBytes = lower.maximumBodyBytes
        case .maximumUploadRate: maximumUploadRate = lower.maximumUploadRate
        case .trust: trust = lower.trust
        case .addresses: addresses = lower.addresses
        case .firstAddress: firstAddress = lower.firstAddress
        case .resolution: resolution = lower.resolution
        case .proxy: proxy = lower.proxy
        case .unixSocket: unixSocket = lower.unixSocket
        case .credential: credential = lower.credential
        case .grpc: grpc = lower.grpc
        case .cacheLifetime: cacheLifetime = lower.cacheLifetime
        case .cachedMethods: cachedMethods = lower.cachedMethods
        case .cachePolicy: cachePolicy = lower.cachePolicy
        case .cachesOnDisk: cachesOnDisk = lower.cachesOnDisk
        case .cacheTag: cacheTag = lower.cacheTag
        case .retry: retry = lower.retry
        case .priority: priority = lower.priority
        case .traffic: traffic = lower.traffic
        case .serviceType: serviceType = lower.serviceType
        case .interface: interface = lower.interface
        case .excludedNetworks: excludedNetworks = lower.excludedNetworks
        case .usesCookies: usesCookies = lower.usesCookies
        case .parameterRules: parameterRules = lower.parameterRules
        case .answer: answer = lower.answer
        case .texts: texts = lower.texts
        case .suppressesUI: suppressesUI = lower.suppressesUI
        case .bypassesPlugins: bypassesPlugins = lower.bypassesPlugins
        case .inheritsPlugins: inheritsPlugins = lower.inheritsPlugins
        }
    }
}

extension RequestOptions.Field {
    /// Whether the field is a setting of the message and its time, which a custom request replaces completely.
    fileprivate var describesMessage: Bool {
        switch self {
        case .timeouts, .removedFields, .traffic, .serviceType, .interface, .usesCookies, .parameterRules: true
        case .credential: true
        case .cacheLifetime, .cachedMethods, .cachePolicy, .cachesOnDisk, .cacheTag: true
        default: false
        }
    }
}

extension CopyOnWrite<RequestOptions> {
    /// The options of two layers; where one of them assigns nothing, they share the storage of the other.
    package func overlaid(with upper: Self) -> Self {
        if upper.wrappedValue.assigned.isEmpty { return self }
        if wrappedValue.assigned.isEmpty { return upper }
        return Self(wrappedValue: wrappedValue.overlaid(with: upper.wrappedValue))
    }
}

extension RequestOptions {
    /// Lowers ``maximumBodyBytes`` for a response that is read as a whole.
    package mutating func limitBody(to bytes: Int64) { maximumBodyBytes = min(maximumBodyBytes ?? .max, bytes) }
}

/// The retry policy of a request.
public struct RetryPolicy: Hashable, Sendable {
    /// The values of ``limit`` that files and commands may have.
    package static let limits = 0...100

    /// The maximum number of retries.
    public var limit: Int
    /// Whether all methods are retried; otherwise only idempotent ones, and requests with an Idempotency-Key.
    public var repeatsAnyMethod: Bool
    /// Whether the request is parked while there is no network.
    public var parksWhenOffline: Bool
    /// The statuses after which the request is repeated.
    public var statuses = RetryPolicy.defaultStatuses
    /// The longest wait before the first repetition; it is doubled for each further one, and the wait is random up to that bound.
    public var base = Duration.milliseconds(250)
    /// The longest wait before any repetition, unless the server requests a longer one.
    public var cap = Duration.seconds(30)

    /// The statuses after which a repetition may succeed.
    public static let defaultStatuses: Set<Int> = [408, 429, 502, 503, 504]

    /// Creates a policy.
    public init(limit: Int = 0, parksWhenOffline: Bool = false, repeatsAnyMethod: Bool = false) {
        self.limit = limit
        self.parksWhenOffline = parksWhenOffline
        self.repeatsAnyMethod = repeatsAnyMethod
    }
}

/// The kind of traffic for the network, like URLSession's `networkServiceType`.
///
/// It sets the differentiated services field of the connection's packets (`IP_TOS`, `IPV6_TCLASS`; RFC 2474). Routers, Wi-Fi access points and the
/// queues of this machine may schedule by it; the values are those of RFC 4594 and RFC 8325.
public enum ServiceType: String, Hashable, Sendable, CaseIterable {
    /// Best effort; the field is not set.
    case standard
    /// Signalling of calls (CS5).
    case voip
    /// Video for which the user waits (AF41).
    case video
    /// Work without a waiting user, which gives way to everything else (CS1).
    case background
    /// The audio of a call (EF).
    case voice
    /// Small requests whose response must arrive soon (AF21).
    case responsive

    /// The value of the field in packets: the code point in the upper six bits; 0 for ``standard``.
    public var trafficClass: UInt8 {
        switch self {
        case .standard: 0
        case .voip: 0xa0
        case .video: 0x88
        case .background: 0x20
        case .voice: 0xb8
        case .responsive: 0x48
        }
    }
}

/// The purpose of a request.
///
/// In addition to the priority, each class has separate rules of admission.
public enum Traffic: String, Hashable, Sendable, CaseIterable {
    /// The user or the caller waits for the response.
    case refresh
    /// An image or a file that completes displayed content.
    case resource
    /// Work in the background; the caller does not wait for the response.
    case background
}

/// The service whose tunnel a request uses that is sent on behalf of another request, such as the request for an access token.
package struct TunnelOwner: Hashable, Sendable {
    /// The name of the service.
    package var service: String
    /// Whether the request goes to the origin of the other request.
    package var isAtOrigin: Bool

    /// Creates an owner.
    package init(service: String, isAtOrigin: Bool) {
        self.service = service
        self.isAtOrigin = isAtOrigin
    }
}
