public import SortieHTTP

/// A service as a program declares it, and how all of its requests are treated (S4.4, S4.6): immutable, taken along by each call when it begins.
public struct ServiceConfiguration: Sendable {
    /// Gives the encryptor of a request: its key may be that of an environment.
    public typealias Encryption = @Sendable (Request) async throws(NetworkError) -> any BodyEncryptor

    /// Lets an answer pass, or another one in its place.
    public typealias Filter = @Sendable (Response) throws -> Response
    /// Makes a value.
    public typealias Reformer = @Sendable (Response, JSONValue?) throws -> JSONValue
    /// Throws where a value is none of success.
    public typealias Validator = @Sendable (Response, JSONValue?) throws -> Void

    /// Base URLs by environment, a ring each, of which the first is the default (S1.7, S1.8).
    public var servers: [String: [String]]
    /// When a ring goes on to the next server by itself (S1.14).
    public var serverSwitch = ServerSwitchRule()
    /// Header fields of every request; those of a request win.
    public var headers: Headers
    /// Who asks, where no header says it.
    public var auth: Auth
    /// How requests are sent that say nothing of their own.
    public var options: RequestOptions
    /// How many requests may be in flight; nil for the client's limit.
    public var maximumRequests: Int?
    /// How many connections may be open, idle ones included; nil for the client's limit (S4.6).
    ///
    /// HTTP/2 requests share connections.
    public var maximumConnections: Int?
    /// The plugins of this service, after those of the client.
    public var plugins: [any Plugin]
    /// Where the business result is in a JSON body, and what says that it is one (S2.28).
    public var envelope: Envelope?
    /// What the bodies of a request are encrypted with, in both directions; error bodies, too (S4.9).
    public var encryption: Encryption?
    /// What the answers must be, where a request says nothing itself.
    public var answer = AnswerRules()
    /// Looks at every answer before anything is made of it: what it throws is the call's error, and what it returns takes the answer's place (S2.28).
    public var filter: Filter?
    /// Makes the value of an exchange out of its answer and what the envelope held (S4.10).
    public var reformer: Reformer?
    /// Judges the value; what it throws is the call's error (S0.15, S1.31).
    public var validator: Validator?
    /// Whether a status outside 200–299 is an error.
    ///
    /// Off, because a workbench shows what came (S2.29).
    public var validatesStatus: Bool

    /// Nothing special.
    static let plain = ServiceConfiguration()

    /// A configuration without anything special.
    public init(
        servers: [String: [String]] = [:], headers: Headers = [], auth: Auth = .none, options: RequestOptions = RequestOptions(),
        maximumRequests: Int? = nil, maximumConnections: Int? = nil, plugins: [any Plugin] = [], envelope: Envelope? = nil,
        encryptor: (any BodyEncryptor)? = nil,
        validatesStatus: Bool = false
    ) {
        self.servers = servers
        self.headers = headers
        self.auth = auth
        self.options = options
        self.maximumRequests = maximumRequests
        self.maximumConnections = maximumConnections
        self.plugins = plugins
        self.envelope = envelope
        if let encryptor { encryption = { _ in encryptor } }
        self.validatesStatus = validatesStatus
    }
}
