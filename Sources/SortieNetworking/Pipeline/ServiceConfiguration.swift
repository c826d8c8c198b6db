public import SortieHTTP

/// The declaration of a service; each call uses the declaration that holds when it starts.
public struct ServiceConfiguration: Sendable {
    /// Returns the encryptor of a request; its key may be that of an environment.
    package typealias Encryption = @Sendable (Request) async throws(NetworkError) -> any BodyEncryptor

    /// Chooses whether a failed request is sent again, from the exchange so far and the error of the last attempt; nil applies the rules.
    public typealias RetryChoice = @Sendable (_ exchange: Exchange, _ error: NetworkError?) -> Bool?

    /// The base URLs by environment, a ring each, of which the first is the default.
    public var servers: [String: [String]]
    /// When a ring switches to the next server.
    public var serverSwitch = ServerSwitchRule()
    /// The header fields of every request; those of a request take precedence.
    public var headers: Headers
    /// The options of every request, above those of the client and below its own.
    public var options: RequestOptions {
        _read { yield sharedOptions.wrappedValue }
        _modify { yield &sharedOptions.wrappedValue }
    }
    /// The storage of ``options``, which requests without other options share.
    var sharedOptions: CopyOnWrite<RequestOptions>
    /// How many requests and connections it may have at the same time.
    public var limits: RequestLimits
    /// The plugins of this service, after those of the client.
    ///
    /// One whose ``Plugin/isReplaceable`` is true replaces that of the client with the same name.
    public var plugins: [any Plugin]
    /// Where the business result is in a JSON body, and what indicates success.
    public var envelope: Envelope?
    /// Returns the encryptor of a request, which encrypts its body and decrypts that of its response, including those of errors; its key may be that of an
    /// environment.
    public var encryption: (@Sendable (Request) async throws(NetworkError) -> any BodyEncryptor)?
    /// The expected responses, where a request has no expectation.
    public var answer = ResponseRules()
    /// Filters every response before it is processed: it returns the response to use, or throws the error of the call.
    public var filter: (@Sendable (Response) throws -> Response)?
    /// Creates the value of an exchange from its response and the content of the envelope.
    public var reformer: (@Sendable (Response, JSONValue?) throws -> JSONValue)?
    /// Validates the value; it throws the error of the call for one that does not mean success.
    public var validator: (@Sendable (Response, JSONValue?) throws -> Void)?
    /// Chooses whether a failed request is sent again, in place of the rules for errors and statuses; nil for the choice of the client.
    ///
    /// It is called each time a request with a retry policy has been sent. The limit and the waits of the policy, the methods that may be repeated, the budget
    /// of the service and the time limit apply as well, and a cancelled call is not repeated.
    public var retryChoice: RetryChoice?
    /// Carries the requests to another network; nil without a tunnel.
    package var tunnel: (any ServiceTunnel)?
    /// The configuration of a request that differs from that of the other requests of the service, for example in its plugins.
    package var variant: (@Sendable (Request) -> ServiceConfiguration?)?
    /// Whether a status outside 200–299 is an error.
    ///
    /// Off by default, because a workbench shows every response.
    public var validatesStatus: Bool

    /// Creates a configuration.
    public init(
        servers: [String: [String]] = [:], headers: Headers = [], credential: Auth = .inherit, options: RequestOptions = RequestOptions(),
        limits: RequestLimits = RequestLimits(), plugins: [any Plugin] = [], envelope: Envelope? = nil, encryptor: (any BodyEncryptor)? = nil,
        validatesStatus: Bool = false
    ) {
        (self.servers, self.headers) = (servers, headers)
        var options = options
        if credential != .inherit { options.credential = credential }
        sharedOptions = CopyOnWrite(wrappedValue: options)
        (self.limits, self.plugins, self.envelope) = (limits, plugins, envelope)
        if let encryptor { encryption = { _ in encryptor } }
        self.validatesStatus = validatesStatus
    }
}

/// The declaration of a service in use, behind one reference, because each call reads some of it several times.
final class ServiceDeclaration: Sendable {
    let configuration: ServiceConfiguration
    /// The options of its requests over those of the client; nil where neither sets any.
    let options: CopyOnWrite<RequestOptions>?

    /// The declaration without any settings.
    static let plain = ServiceDeclaration(ServiceConfiguration())

    /// A declaration for one call, whose request has its options already.
    ///
    /// - Parameter encryptor: The encryptor in place of that of the configuration; nil for that.
    init(_ configuration: ServiceConfiguration, encryptor: (any BodyEncryptor)? = nil) {
        var configuration = configuration
        if let encryptor { configuration.encryption = { _ in encryptor } }
        self.configuration = configuration
        options = nil
    }

    init(_ configuration: ServiceConfiguration, over client: CopyOnWrite<RequestOptions>) {
        self.configuration = configuration
        let options = client.overlaid(with: configuration.sharedOptions)
        self.options = options.wrappedValue.isUnset ? nil : options
    }
}
