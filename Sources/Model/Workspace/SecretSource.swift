/// Where a secret's value comes from; the value itself is never in a workspace.
public enum SecretSource: Hashable, Sendable {
    /// An environment variable.
    case environment(String)
    /// What a command prints, without the last line break.
    case command(String)
}

extension SecretSource {
    /// The source as a preview names it.
    var text: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .command(let text): "command \(text)"
        }
    }
}
