/// A pending request for the passphrase of a client key.
struct ClientKeyQuestion: Hashable, Sendable {
    /// The path of the key.
    var file: String
    /// Whether the previous passphrase was wrong.
    var wasRefused: Bool
}
