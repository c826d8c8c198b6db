internal import Synchronization

/// Keeps what the templates of one request stood for, so that it can be made once more as it was; secrets are not kept.
public final class TemplateMemo: Sendable {
    private let state = Mutex(State())

    private struct State {
        var variables: [String: String] = [:]
        var builtins: [String: [String]] = [:]
        /// The names of secrets.
        var secrets: Set<String> = []
    }

    /// An empty memo.
    public init() {}

    /// The key under which the values of a built-in are kept.
    static func key(_ name: String, _ argument: String) -> String { argument.isEmpty ? name : "\(name) \(argument)" }

    func note(_ name: String, _ text: String) {
        state.withLock { state in
            if !state.secrets.contains(name) { state.variables[name] = text }
        }
    }

    func noteSecret(_ name: String) {
        state.withLock { _ = $0.secrets.insert(name) }
    }

    func note(builtin key: String, _ text: String) {
        state.withLock { $0.builtins[key, default: []].append(text) }
    }

    /// What variables stood for, those of secrets left out.
    public var variables: [String: String] { state.withLock { $0.variables } }

    /// What built-ins gave, in the order in which they were asked.
    public var builtins: [String: [String]] { state.withLock { $0.builtins } }
}
