/// The options for sending a request.
///
/// The options of the client, a service, an endpoint and a call form layers: a value that a layer assigns takes precedence over the layers below it,
/// also where it assigns the default, and the other values are inherited (``Layered``). ``timeouts``, ``trust``, ``resolution`` and ``answer`` are
/// merged value by value likewise, so that a layer with pins keeps the authorities of the service.
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

    /// Whether the request and its redirects must use TLS; a URL without it is an error before anything is sent, unless ``tlsPorts``
    /// has its port.
    @Layered public var requiresTLS = false
    /// The ports of https by those of http: where TLS is required, a URL with one of them is moved to https with the other one instead of being refused,
    /// as with `[80: 443]`.
    @Layered public var tlsPorts: [UInt16: UInt16] = [:]
    /// The time limits.
    public var timeouts = Timeouts()
    /// The maximum number of redirects that are followed; 0 follows none.
    @Layered public var maximumRedirects = 20
    /// Lower-case names of header fields that are not sent, even where the engine, a plugin or the cookie jar adds them.
    @Layered public var removedFields: Set<String> = []
    /// The permitted HTTP versions.
    @Layered public var version = Version.automatic
    /// Whether compressed bodies are requested and decoded.
    @Layered public var decompresses = true
    /// The maximum number of decoded body bytes, so that a small compressed body cannot fill the disk; nil for no limit.
    @Layered public var maximumBodyBytes: Int64? = 20 << 30
    /// The maximum upload rate of the body in bytes per second; nil for no limit.
    @Layered public var maximumUploadRate: Int64?
    /// The certificates and authorities that are trusted.
    public var trust = TrustPolicy()
    /// Addresses that replace the name resolution of the URL's host (IP-direct).
    @Layered public var addresses: [IPAddress] = []
    /// The address that is tried first, regardless of measurements; used by callers that distribute requests over all addresses.
    @Layered public var firstAddress: IPAddress?
    /// The settings of name resolution where ``addresses`` is empty.
    public var resolution = NameResolution()
    /// The proxy; nil, where it is assigned, for none.
    @Layered public var proxy: Proxy?
    /// The proxies of the process environment, which apply where ``proxy`` was never assigned; nil by default, so that they are not used.
    @Layered public var environmentProxies: EnvironmentProxies?
    /// The script that chooses the proxy, where ``proxy`` was never assigned; it takes precedence over ``environmentProxies``.
    @Layered package var proxyScript: CopyOnWrite<ProxyScript>?
    /// The service whose tunnel is used, where it is not that of the request; set by the library.
    package var tunnelOwner: TunnelOwner?
    /// The path of a Unix socket that replaces the connection to the host.
    @Layered public var unixSocket: String?
    /// The credentials, without templates; a field `Authorization` of the request takes precedence, except over an API key.
    ///
    /// Basic, a bearer token and an API key are put into the message when a call starts. The others are added to each attempt: OAuth 2 tokens, AWS
    /// signatures, JSON Web Tokens and Kerberos tickets by the path of the request, Digest and NTLM by the engine. With ``Auth/inherit`` the layer
    /// below decides. With ``Auth/none`` plugins add none either, as for a sign-in.
    public var credential = Auth.inherit
    /// Whether the message contains the constant credentials already, so that those of the layers below do not apply.
    package var hasPlacedCredential = false
    /// What makes the request a call of gRPC, whose body is JSON here and messages on the wire; nil for another request.
    @Layered public var grpc: GRPCCall?
    /// How long a cached response may be served without revalidation; nil stores nothing.
    @Layered public var cacheLifetime: Duration?
    /// The methods whose responses are cached for ``cacheLifetime``.
    ///
    /// A request with another unsafe method (RFC 9110 §9.2.1) invalidates the stored responses of its URL. If the set contains POST, a POST is
    /// treated as a query and its response is stored by URL and body.
    @Layered public var cachedMethods: Set<HTTPMethod> = [.get, .head]
    /// How stored responses are used; without ``cacheLifetime`` it has no effect.
    @Layered public var cachePolicy = CachePolicy.use
    /// Whether the response is also stored in the cache folder of the client, for later runs of the program.
    ///
    /// A response is kept in memory only where it or its request contains credentials or other masked values.
    @Layered public var cachesOnDisk = false
    /// A value on which the response depends beside the request, such as the ID of a user; a change makes the stored response unusable.
    @Layered public var cacheTag: String?
    /// The retries after transport errors and after 408, 429, 502, 503 and 504, and whether the request waits for the network.
    @Layered public var retry: RetryPolicy?
    /// The priority of admission, and of the stream on an HTTP/2 connection.
    @Layered public var priority = Priority.normal
    /// The purpose of the request, which determines how much of a request queue it may use.
    @Layered public var traffic = Traffic.refresh
    /// The kind of traffic for the network; requests of different kinds share no connection.
    @Layered public var serviceType = ServiceType.standard
    /// The network interface or the local address of the connection; nil for the system's choice.
    @Layered public var interface: String?
    /// The networks over which the request is not sent: where the route to its server leads over one, it fails as ``NetworkError/Code/offline`` before
    /// it is sent, or waits for another network.
    @Layered public var excludedNetworks: Set<ExcludedNetwork> = []
    /// Whether cookies are sent and stored.
    @Layered public var usesCookies = true
    /// What the parameters in the query and the body must be, checked before anything is sent.
    @Layered public var parameterRules: [ParameterRule] = []
    /// The rules that the response must meet.
    public var answer = ResponseRules()
    /// The language of messages for users, and of the name of a file without one.
    @Layered public var texts = UserTexts.english
    /// Whether plugins display nothing while the request runs and when it fails.
    @Layered public var suppressesUI = false
    /// Whether the request bypasses the plugins that change it: public parameters, tokens, signatures and encryption.
    ///
    /// Checks of responses and event observers still apply.
    @Layered public var bypassesPlugins = false
    /// Whether the plugins of the client and the service take part beside those of the call.
    @Layered public var inheritsPlugins = true

    /// Creates the default options.
    public init() {}
}

extension RequestOptions {
    /// Takes the values of the layer below that this one does not have; the layers are the client, a service, a server, an endpoint and a call.
    ///
    /// A request that bypasses plugins inherits how its server is reached and verified, and no settings of the message and its time.
    fileprivate mutating func inherit(from lower: RequestOptions, _ merge: inout LayerMerge) {
        if !bypassesPlugins { inheritMessage(from: lower, &merge) } else { merge.usesUpper = true }
        _requiresTLS.inherit(lower._requiresTLS, &merge)
        _tlsPorts.inherit(lower._tlsPorts, &merge)
        _maximumRedirects.inherit(lower._maximumRedirects, &merge)
        _version.inherit(lower._version, &merge)
        _decompresses.inherit(lower._decompresses, &merge)
        _maximumBodyBytes.inherit(lower._maximumBodyBytes, &merge)
        _maximumUploadRate.inherit(lower._maximumUploadRate, &merge)
        _addresses.inherit(lower._addresses, &merge)
        _firstAddress.inherit(lower._firstAddress, &merge)
        _proxy.inherit(lower._proxy, &merge)
        _proxyScript.inherit(lower._proxyScript, &merge)
        _environmentProxies.inherit(lower._environmentProxies, &merge)
        _unixSocket.inherit(lower._unixSocket, &merge)
        _grpc.inherit(lower._grpc, &merge)
        _retry.inherit(lower._retry, &merge)
        _priority.inherit(lower._priority, &merge)
        _excludedNetworks.inherit(lower._excludedNetworks, &merge)
        _texts.inherit(lower._texts, &merge)
        _suppressesUI.inherit(lower._suppressesUI, &merge)
        _bypassesPlugins.inherit(lower._bypassesPlugins, &merge)
        _inheritsPlugins.inherit(lower._inheritsPlugins, &merge)
        trust.inherit(from: lower.trust, &merge)
        resolution.inherit(from: lower.resolution, &merge)
        answer.inherit(from: lower.answer, &merge)
        if tunnelOwner != nil { merge.usesUpper = true }
    }

    private mutating func inheritMessage(from lower: RequestOptions, _ merge: inout LayerMerge) {
        timeouts.inherit(from: lower.timeouts, &merge)
        if credential != .inherit || hasPlacedCredential {
            merge.usesUpper = true
        } else if lower.credential != .inherit {
            credential = lower.credential
            merge.usesLower = true
        }
        _removedFields.inherit(lower._removedFields, &merge)
        _traffic.inherit(lower._traffic, &merge)
        _serviceType.inherit(lower._serviceType, &merge)
        _interface.inherit(lower._interface, &merge)
        _usesCookies.inherit(lower._usesCookies, &merge)
        _parameterRules.inherit(lower._parameterRules, &merge)
        _cacheLifetime.inherit(lower._cacheLifetime, &merge)
        _cachedMethods.inherit(lower._cachedMethods, &merge)
        _cachePolicy.inherit(lower._cachePolicy, &merge)
        _cachesOnDisk.inherit(lower._cachesOnDisk, &merge)
        _cacheTag.inherit(lower._cacheTag, &merge)
    }

    /// Whether no value is the layer's own.
    package var isUnset: Bool {
        var (result, merge) = (RequestOptions(), LayerMerge())
        result.inherit(from: self, &merge)
        return !merge.usesLower
    }

    /// These options below those of the layer above.
    package func overlaid(with upper: RequestOptions) -> RequestOptions {
        var (result, merge) = (upper, LayerMerge())
        result.inherit(from: self, &merge)
        return result
    }
}

extension CopyOnWrite<RequestOptions> {
    /// The options of two layers; where one of them has no value that applies, they share the storage of the other.
    package func overlaid(with upper: Self) -> Self {
        if box === upper.box { return self }
        var (result, merge) = (upper.wrappedValue, LayerMerge())
        result.inherit(from: wrappedValue, &merge)
        if !merge.usesLower { return upper }
        return merge.usesUpper ? Self(wrappedValue: result) : self
    }
}

extension RequestOptions {
    /// Takes the proxy settings of another request, also where it sets none.
    package mutating func takeProxy(of other: RequestOptions) {
        (_proxy, _proxyScript, _environmentProxies) = (other._proxy, other._proxyScript, other._environmentProxies)
    }

    /// The script that chooses the proxy; nil where none does, and where a proxy, or none, is assigned.
    package var decidingProxyScript: ProxyScript? { $proxy == nil ? proxyScript?.wrappedValue : nil }

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
        (self.limit, self.parksWhenOffline, self.repeatsAnyMethod) = (limit, parksWhenOffline, repeatsAnyMethod)
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
    /// Work without a waiting user; all other requests have precedence (CS1).
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
        (self.service, self.isAtOrigin) = (service, isAtOrigin)
    }
}
