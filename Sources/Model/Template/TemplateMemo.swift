internal import Synchronization

/// Collects what the templates of one request stood for: values that the history stores, and those of secrets, which are never stored.
public final class TemplateMemo: Sendable {
    private let state = Mutex(State())

    private struct State {
        var variables: [String: String] = [:]
        var builtins: [String: [String]] = [:]
        /// The values of secrets, by their names.
        var secrets: [String: String] = [:]
    }

    /// An empty memo.
    public init() {}

    /// The key under which the values of a built-in are kept.
    static func key(_ name: String, _ argument: String) -> String { argument.isEmpty ? name : "\(name) \(argument)" }

    func note(_ name: String, _ text: String) {
        state.withLock { state in
            if state.secrets[name] == nil { state.variables[name] = text }
        }
    }

    func noteSecret(_ name: String, _ value: String) {
        state.withLock { $0.secrets[name] = value }
    }

    func note(builtin key: String, _ text: String) {
        state.withLock { $0.builtins[key, default: []].append(text) }
    }

    /// What variables stood for, those of secrets left out.
    public var variables: [String: String] { state.withLock { $0.variables } }

    /// The values of the secrets that were used, by their names.
    var secrets: [String: String] { state.withLock { $0.secrets } }

    /// What built-ins gave, in the order in which they were asked.
    public var builtins: [String: [String]] { state.withLock { $0.builtins } }
}
