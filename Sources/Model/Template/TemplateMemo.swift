internal import Synchronization

/// Collects what the templates of one request stood for: values that the history stores, and those of secrets, which are never stored.
public final class TemplateMemo: Sendable {
    /// How many sources of one place are kept; a preview lists fewer.
    private static let mostSources = 100

    private let state = Mutex(State())

    private struct State {
        var variables: [String: String] = [:]
        var builtins: [String: [String]] = [:]
        /// The values of secrets, by their names.
        var secrets: [String: String] = [:]
        /// Where the values of the text that is being resolved come from.
        var current: [String] = []
        var sources: [ValueSource] = []
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

    /// Notes where a value of the text that is being resolved comes from.
    func note(source: String) {
        state.withLock { state in
            if state.current.count < Self.mostSources, !state.current.contains(source) { state.current.append(source) }
        }
    }

    /// Assigns the sources that were noted since the last call to a place of the request.
    func closeSources(of place: ValueSource.Place) {
        state.withLock { state in
            guard !state.current.isEmpty else { return }
            state.sources.append(ValueSource(place, state.current))
            state.current = []
        }
    }

    /// Where the values of the request came from, in the order in which its parts were resolved.
    public var sources: [ValueSource] { state.withLock { $0.sources } }
}
