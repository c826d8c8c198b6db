public import Model

/// How all requests of one service are treated (S4.6): immutable, taken along by each call when it begins.
public struct ServiceConfiguration: Sendable {
    /// Gives the encryptor of a request: its key may be that of an environment.
    public typealias Encryption = @Sendable (Request) throws(NetworkError) -> any BodyEncryptor

    /// The plugins of this service, after those of the client.
    public var plugins: [any Plugin]
    /// Where the business result is in a JSON body, and what says that it is one (S2.28).
    public var envelope: Envelope?
    /// What the bodies of a request are encrypted with, in both directions; error bodies, too (S4.9).
    public var encryption: Encryption?
    /// Whether a status outside 200–299 is an error.
    ///
    /// Off, because a workbench shows what came (S2.29).
    public var validatesStatus: Bool

    /// Nothing special.
    static let plain = ServiceConfiguration()

    /// A configuration without anything special.
    public init(
        plugins: [any Plugin] = [], envelope: Envelope? = nil, encryptor: (any BodyEncryptor)? = nil, validatesStatus: Bool = false
    ) {
        self.plugins = plugins
        self.envelope = envelope
        if let encryptor { encryption = { _ in encryptor } }
        self.validatesStatus = validatesStatus
    }
}
