/// A question for the passphrase of a client key that waits for the user.
struct ClientKeyQuestion: Hashable, Sendable {
    /// The path of the key.
    var file: String
    /// Whether the last answer did not open the key.
    var wasRefused: Bool
}
