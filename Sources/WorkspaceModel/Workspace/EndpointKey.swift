internal import SortieBase
package import SortieHTTP

/// A key of an endpoint's file, described once.
///
/// The reference, the JSON Schema, merges (``EndpointMerge``), endpoints that extend others (``Endpoint/extending(_:_:)``) and the notes of exports loop
/// over ``all``. So do the reader and the writer of files, requests, dry runs and the Options tab for each key with one scalar; other keys are read and
/// written by their names.
package struct EndpointKey: Hashable, Sendable {
    /// The name in the file.
    package let name: String
    /// How the value is written.
    package let notation: ScalarNotation
    /// The meaning, in the reference.
    package let summary: String
    /// Copies the property from the first endpoint to the second one.
    let copy: @Sendable (Endpoint, inout Endpoint) -> Void
    /// Whether two endpoints have the same value.
    package let isSame: @Sendable (Endpoint, Endpoint) -> Bool

    /// The name in the file of an endpoint: the conditions of acceptance are under `expect`, except in a file of earlier versions.
    package func name(in endpoint: Endpoint) -> String {
        name == "answer" && endpoint.expectation?.usesAnswerKey != true ? "expect" : name
    }

    /// The name on the Options tab.
    package private(set) var label = ""
    /// The part of the guide that F1 opens on the Options tab.
    private(set) var guide = "sending#options"
    /// The canonical text of the value that an endpoint has without the key; nil where its property is nil then.
    package private(set) var standard: String?
    /// The canonical text of the value; nil for none.
    package private(set) var text: @Sendable (Endpoint) -> String? = { _ in nil }
    /// Sets the value to a canonical text, or removes it for nil.
    package private(set) var set: @Sendable (_ text: String?, _ endpoint: inout Endpoint) -> Void = { _, _ in }
    /// The canonical text of the value that applies where ``text`` is nil, and requests have these options.
    private var inherited: @Sendable (RequestOptions) -> String? = { _ in nil }
    /// Sets the option of the request.
    private(set) var apply: @Sendable (Endpoint, inout RequestOptions) -> Void = { _, _ in }
    /// The text of a dry run; nil for none.
    private(set) var fact: @Sendable (RequestOptions) -> String? = { _ in nil }

    typealias Property<Value> = any WritableKeyPath<Endpoint, Value> & Sendable
    private typealias Option<Value> = any WritableKeyPath<RequestOptions, Value> & Sendable
    private typealias Fact = @Sendable (RequestOptions) -> String?

    /// A key with another notation than one scalar.
    init<Value: Equatable & Sendable>(_ name: String, _ property: Property<Value>, _ form: String = "", _ summary: String = "") {
        self.init(name, property, .other(form), summary)
    }

    private init<Value: Equatable & Sendable>(_ name: String, _ property: Property<Value>, _ notation: ScalarNotation, _ summary: String) {
        (self.name, self.notation, self.summary) = (name, notation, summary)
        copy = { $1[keyPath: property] = $0[keyPath: property] }
        isSame = { $0[keyPath: property] == $1[keyPath: property] }
    }

    /// A scalar whose property has a standard value where the file has none.
    private init<Value: Equatable & Sendable>(
        _ name: String, _ property: Property<Value>, standard: Value, _ codec: ScalarCodec<Value>, _ label: String, option: Option<Value>? = nil,
        fact: @escaping Fact = { _ in nil }, guide: String? = nil, _ summary: String = ""
    ) {
        self.init(name, property, codec.notation, summary)
        (self.label, self.standard, self.fact) = (label, codec.text(standard), fact)
        self.guide = guide ?? self.guide
        text = { codec.text($0[keyPath: property]) }
        set = { $1[keyPath: property] = $0.flatMap(codec.value) ?? standard }
        if let option { apply = { $1[keyPath: option] = $0[keyPath: property] } }
    }

    /// A scalar whose property is nil where the file has none; then the value of `option`, or else `inherited`, applies.
    private init<Value: Equatable & Sendable>(
        _ name: String, _ property: Property<Value?>, _ codec: ScalarCodec<Value>, _ label: String, option: Option<Value>? = nil,
        optional: Option<Value?>? = nil, inherited: Value? = nil, fact: @escaping Fact = { _ in nil }, guide: String? = nil, _ summary: String
    ) {
        self.init(name, property, codec.notation, summary)
        (self.label, self.fact, self.guide) = (label, fact, guide ?? self.guide)
        text = { $0[keyPath: property].map(codec.text) }
        set = { $1[keyPath: property] = $0.flatMap(codec.value) }
        self.inherited = { options in (option.map { options[keyPath: $0] } ?? inherited).map(codec.text) }
        apply = { endpoint, options in
            if let option { options[keyPath: option] = endpoint[keyPath: property] ?? options[keyPath: option] }
            if let optional { options[keyPath: optional] = endpoint[keyPath: property] }
        }
    }

    /// Whether an endpoint has another value than one whose file does not have the key.
    package func isSet(in endpoint: Endpoint) -> Bool { !isSame(endpoint, Endpoint(target: "", name: "", path: "")) }

    /// Compares names, which are unique.
    package static func == (left: EndpointKey, right: EndpointKey) -> Bool { left.name == right.name }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A scalar on the Options tab.
extension EndpointKey {
    /// Whether the endpoint sets the value, instead of inheriting it or having the standard one.
    package func isOwn(_ endpoint: Endpoint) -> Bool { text(endpoint) != standard }

    /// The effective value of an endpoint that inherits these options.
    package func shown(_ endpoint: Endpoint, over options: RequestOptions) -> String {
        (text(endpoint) ?? inherited(options)).map(notation.shown) ?? notation.absence ?? ""
    }

    /// Sets the value to a typed text, where the inherited value is not stored; false, without a change, for an invalid text.
    package func enter(_ typed: String, in endpoint: inout Endpoint, over options: RequestOptions) -> Bool {
        let text = typed == notation.absence ? nil : notation.canonical(typed)
        guard text != nil || typed == notation.absence else { return false }
        set(text == inherited(options) ? nil : text, &endpoint)
        return true
    }
}

/// The keys with one scalar.
extension EndpointKey {
    package static let kind = EndpointKey(
        "kind", \.kind, standard: .data,
        .words([
            .data: "a response to show", .download: "a file to download", .upload: "a file to upload", .webSocket: "a WebSocket connection",
            .events: "a stream of events", .grpc: "a method of gRPC, see Rules",
        ]), "Kind", guide: "workspaces#endpoints",
        "what happens with the response and the body; `data` by default; `sortie listen` prints the messages of `webSocket` and `events`")
    package static let https = EndpointKey(
        "https", \.requiresTLS,
        .words([false: "URLs without TLS are sent", true: "a URL without TLS is an error"], order: [true, false]) { $0 ? "required" : "optional" },
        "HTTPS", option: \RequestOptions.requiresTLS, "whether a URL without TLS is an error")
    package static let inherit = EndpointKey(
        "inherit", \.inherits, .plain(.flag), "Inherit settings", inherited: true,
        "`false` sends the request without fields, authentication, parameters, time limits, cookies and plugins of service and workspace")
    package static let priority = EndpointKey(
        "priority", \.priority, standard: .normal,
        .words([.low: "after all others", .normal: "in the order of sending", .high: "before all others"]) {
            $0 == .low ? "low" : $0 == .normal ? "normal" : "high"
        }, "Priority", option: \RequestOptions.priority, "the order in the queue of the service, and the weight of the stream with HTTP/2")
    package static let traffic = EndpointKey(
        "traffic", \.traffic, standard: .refresh,
        .words([.refresh: "requested by the user", .resource: "needed for the view", .background: "in the background"]), "Traffic",
        option: \RequestOptions.traffic, guide: "sending#limits-of-a-service",
        "the purpose of the request; `resource` and `background` leave places of the service free for `refresh`")
    package static let serviceType = EndpointKey(
        "serviceType", \.serviceType, standard: .standard,
        .words([
            .standard: "best effort", .voip: "signalling of calls", .video: "video that is watched", .background: "after everything else",
            .voice: "the audio of a call", .responsive: "small, with a low delay",
        ]), "Service type", option: \RequestOptions.serviceType,
        fact: { options in
            let type = options.serviceType
            return type == .standard ? nil : "\(type.rawValue): the packets have the traffic class 0x\(String(type.trafficClass, radix: 16))"
        }, "the traffic class of the packets (`IP_TOS`), for the queues of the network")
    package static let uploadRate = EndpointKey(
        "uploadRate", \.uploadRate, .plain(.rate), "Upload rate", optional: \RequestOptions.maximumUploadRate,
        fact: { $0.maximumUploadRate.map { "at most \(ByteCount($0).text) per second" } }, guide: "transfers#uploads",
        "the largest rate at which the body is sent, such as `2MB`")
    package static let http = EndpointKey(
        "http", \.version,
        .words([.automatic: "HTTP/2 if negotiated by TLS, else HTTP/1.1", .http1: "HTTP/1.1 only", .http2: "HTTP/2, without TLS too"]),
        "HTTP version", option: \RequestOptions.version, "the version of HTTP")
    package static let redirects = EndpointKey(
        "redirects", \.redirects, .plain(.number(Endpoint.redirectRange, meaning: "; 0 follows none")), "Redirects",
        option: \RequestOptions.maximumRedirects,
        fact: { $0.maximumRedirects == 0 ? "not followed" : nil }, guide: "sending#redirects", "the largest number of redirects; 0 follows none")
    package static let compression = EndpointKey(
        "compression", \.compression, .plain(.flag), "Compression", option: \RequestOptions.decompresses,
        guide: "responses#charsets-and-codings",
        "whether compressed responses are requested, and compressed WebSocket messages offered; true by default")
    package static let cookies = EndpointKey(
        "cookies", \.cookies, .plain(.flag), "Cookies", option: \RequestOptions.usesCookies, guide: "cookies#jars",
        "whether cookies are sent and stored; true by default")
    package static let interface = EndpointKey(
        "interface", \.interface, .plain(.interface), "Interface", optional: \RequestOptions.interface, "the network interface or the local address")
    package static let contract = EndpointKey(
        "contract", \.ignoresContract, standard: false,
        .words([false: "compared with the description of the service", true: "not compared with it"]) { $0 ? "ignore" : "check" }, "Contract",
        guide: "contracts#what-is-compared",
        "whether exchanges are compared with the description that `contract:` of the service names; `check` by default")
    /// `limit` of `retry:`.
    package static let retryLimit = EndpointKey(
        "retry.limit", \.retryOrNone.limit, standard: 0, .plain(.number(RetryPolicy.limits)), "Retries")
    /// `parkWhenOffline` of `retry:`.
    package static let parking = EndpointKey(
        "retry.parkWhenOffline", \.retryOrNone.parksWhenOffline, standard: false, .plain(.flag), "Wait when offline")
}

extension EndpointKey {
    /// The part of the guide about a key with one scalar; nil for another name.
    package static func guide(ofKey name: String) -> String? { all.first { $0.name == name && !$0.label.isEmpty }?.guide }

    /// All keys, in the order of files.
    package static let all: [EndpointKey] = [
        EndpointKey("name", \.name, "text", "the name that is displayed; otherwise the name of the file"),
        EndpointKey("description", \.summary, "text", "displayed in Request"),
        EndpointKey(
            "tags", \.tags, "list of texts",
            "words by which Services and `sortie list` select endpoints, in addition to those of the service"),
        EndpointKey(
            "extends", \.extends, "target",
            "the endpoint whose keys apply where this file has none; `query`, `headers` and `variables` are added by name, and a list of rows replaces them"
        ),
        EndpointKey("method", \.method, "method", "`GET` by default, and `POST` with a `graphql` body and with `grpc`"),
        EndpointKey("path", \.path, "template", "the path below the server, or an absolute URL; without it, the URL is that of the server"),
        EndpointKey("query", \.query, "rows", "parameters of the query"),
        EndpointKey("headers", \.headers, "rows", "fields; a field whose value is `null` is not sent"),
        EndpointKey(
            "auth", \.auth, "`none`, `inherit`, `negotiate` or *auth*",
            "authentication; `negotiate` sends the Kerberos ticket of `kinit`; `inherit` by default"),
        EndpointKey("body", \.body, "`none` or *body*", "the body; the first message over a WebSocket connection"),
        EndpointKey("variables", \.variables, "names to templates", "variables of the endpoint"),
        kind,
        EndpointKey("grpc", \.grpc, "*grpc*", "the gRPC method that is called"),
        EndpointKey("messages", \.messages, "names to texts or JSON", "messages to send over the connection with `kind: webSocket`"),
        EndpointKey("download", \.download, "*download*", "the destination of a download"),
        https, inherit,
        EndpointKey("timeout", \.timeouts, "duration or *timeout*", "time limits; a single duration is the total"),
        EndpointKey("cache", \.cache, "duration or *cache*", "how long a response is used without revalidation; with `GET`, `HEAD` and `POST`"),
        EndpointKey("retry", \.retry, "0 to 100 or *retry*", "how often a failed request is sent again"),
        priority, traffic, serviceType, uploadRate, http, redirects, compression, cookies, interface, contract,
        EndpointKey(
            "excludeNetworks", \.excludedNetworks, "list of texts",
            "networks over which the request is not sent, `cellular`, `metered` or names of interfaces: it fails, or waits with `parkWhenOffline`"),
        EndpointKey("page", \.paging, "*page*", "how the pages of a list are found"),
        EndpointKey("expect", \.comparisons, "*expect*", "what the response must be"),
        EndpointKey("examples", \.examples, "names to *example*", "requests and the responses that they expect, which `sortie mock` serves"),
        EndpointKey("capture", \.captures, "names to places", "values of the response for later steps: a JSON path, `status`, or `header NAME`"),
        EndpointKey("parameters", \.parameters, "*parameters*", "how nested parameters are written"),
        EndpointKey("answer", \.acceptance, "*answer*", "which responses are accepted; the key of earlier versions, now under `expect`"),
        EndpointKey(
            "reform", \.reform, "names to JSON paths",
            "the values of a successful response that make its result, which Response shows under Value"),
        EndpointKey(
            "plugins", \.pluginUse, "`none`, list of plugins, or *endpoint plugins*",
            "`none` sends the request without plugins; a list is added to those of the service, and an entry replaces the one of the same name"),
        EndpointKey("hooks", \.hooks, "list of *hook*", "programs that take part in the calls, after those of workspace and service"),
    ]
}

extension Endpoint {
    /// The retry policy, where one without effect stands for none.
    fileprivate var retryOrNone: RetryPolicy {
        get { retry ?? RetryPolicy() }
        set { if newValue != retryOrNone { retry = newValue == RetryPolicy() ? nil : newValue } }
    }
}
