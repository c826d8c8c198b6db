/// The source of a secret's value; a workspace never contains the value itself.
package enum SecretSource: Hashable, Sendable {
    /// An environment variable.
    case environment(String)
    /// The output of a command, without the last line break.
    case command(String)
    /// The store of the user (`sortie secret set`), under this name.
    case stored(String)
}

extension SecretSource {
    /// The source as a preview names it.
    package var text: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .command(let text): "command \(text)"
        case .stored(let name): "stored secret \(name)"
        }
    }
}
