/// The question for the passphrase of an encrypted client key.
public struct ClientKeyQuestion: Hashable, Sendable {
    /// The path of the key.
    public var file: String
    /// Whether the passphrase of the last answer did not open the key.
    public var wasRefused: Bool

    /// A question.
    public init(file: String, wasRefused: Bool) {
        self.file = file
        self.wasRefused = wasRefused
    }

    /// Asks the user and calls back once, from any thread, with the passphrase or nil where there is none.
    public typealias Asking = @Sendable (ClientKeyQuestion, @escaping @Sendable (String?) -> Void) -> Void
}
