internal import SortieHTTP
internal import Synchronization

/// Collects what the templates of one request stood for: values that the history stores, and those of secrets, which are never stored.
public final class TemplateMemo: Sendable {
    /// How many sources of one place are kept; a preview lists fewer.
    private static let mostSources = 100

    private let state = Mutex(State())

    private struct State {
        package var variables: [String: String] = [:]
        package var builtins: [String: [String]] = [:]
        /// The values of secrets, by their names.
        package var secrets: [String: String] = [:]
        /// The secrets, environment variables and files that texts used which are sent.
        var uses: Set<RequestSecrets.Use> = []
        /// Whether the text that is being resolved is sent to the server.
        var isSent = true
        /// Where the values of the text that is being resolved come from.
        var current: [String] = []
        package var sources: [ValueSource] = []
    }

    /// An empty memo.
    public init() {}

    /// The key under which the values of a built-in are kept.
    package static func key(_ name: String, _ argument: String) -> String { argument.isEmpty ? name : "\(name) \(argument)" }

    package func note(_ name: String, _ text: String) {
        state.withLock { state in
            if state.secrets[name] == nil { state.variables[name] = text }
        }
    }

    func noteSecret(_ name: String, _ value: String) {
        state.withLock { state in
            state.secrets[name] = value
            if state.isSent, !value.isEmpty { state.uses.insert(.init(name: name, value: value)) }
        }
    }

    package func note(builtin key: String, _ text: String) {
        state.withLock { state in
            state.builtins[key, default: []].append(text)
            guard state.isSent, !text.isEmpty, key.hasPrefix("env.") || key.hasPrefix("file ") else { return }
            state.uses.insert(.init(name: "$" + key, value: text))
        }
    }

    /// What variables stood for, those of secrets left out.
    public var variables: [String: String] { state.withLock { $0.variables } }

    /// The values of the secrets that were used, by their names.
    package var secrets: [String: String] { state.withLock { $0.secrets } }

    /// The secrets, environment variables and files that texts used which are sent.
    var uses: Set<RequestSecrets.Use> { state.withLock { $0.uses } }

    /// Says whether the texts that follow are sent to the server: the passphrase of a key is not.
    package func mark(isSent: Bool) { state.withLock { $0.isSent = isSent } }

    /// What built-ins gave, in the order in which they were asked.
    public var builtins: [String: [String]] { state.withLock { $0.builtins } }

    /// Notes where a value of the text that is being resolved comes from.
    package func note(source: String) {
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
