/// A request to the user for the passphrase of an encrypted client key.
public struct ClientKeyQuestion: Hashable, Sendable {
    /// The path of the key.
    public var file: String
    /// Whether the passphrase given last did not decrypt the key.
    public var wasRefused: Bool

    /// Asks the user, and calls back once, from any thread, with the passphrase, or with nil where the user gave none.
    public typealias Asking = @Sendable (ClientKeyQuestion, @escaping @Sendable (String?) -> Void) -> Void
}
