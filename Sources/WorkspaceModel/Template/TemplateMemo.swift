internal import SortieHTTP
internal import Synchronization

/// Collects the values of the templates of one request: values that the history stores, and values of secrets, which are never stored.
package final class TemplateMemo: Sendable {
    /// The maximum number of stored sources of one place; a preview lists fewer.
    private static let mostSources = 100

    private let state = Mutex(State())

    private struct State {
        package var variables: [String: String] = [:]
        /// The names among the variables that sent texts use.
        var sent: Set<String> = []
        package var builtins: [String: [String]] = [:]
        /// The values of secrets by name.
        package var secrets: [String: String] = [:]
        /// The names among the variables whose values another endpoint captured.
        var captured: Set<String> = []
        /// The secrets, environment variables and files that sent texts use.
        var uses: Set<RequestSecrets.Use> = []
        /// Whether the current text is sent to the server.
        var isSent = true
        /// The sources of the values in the current text.
        var current: [String] = []
        package var sources: [ValueSource] = []
    }

    /// Creates an empty memo.
    package init() {}

    /// The key under which the values of a built-in are stored.
    package static func key(_ name: String, _ argument: String) -> String { argument.isEmpty ? name : "\(name) \(argument)" }

    package func note(_ name: String, _ text: String) {
        state.withLock { state in
            guard state.secrets[name] == nil else { return }
            state.variables[name] = text
            if state.isSent { state.sent.insert(name) }
        }
    }

    func noteSecret(_ name: String, _ value: String) {
        state.withLock { state in
            state.secrets[name] = value
            if state.isSent, !value.isEmpty { state.uses.insert(.init(name: name, value: value)) }
        }
    }

    /// Records that another endpoint captured the value of a name.
    package func noteCaptured(_ name: String) { state.withLock { _ = $0.captured.insert(name) } }

    /// The names whose values other endpoints captured.
    package var captured: Set<String> { state.withLock { $0.captured } }

    package func note(builtin key: String, _ text: String) {
        state.withLock { state in
            state.builtins[key, default: []].append(text)
            guard state.isSent, !text.isEmpty, key.hasPrefix("env.") || key.hasPrefix("file ") else { return }
            state.uses.insert(.init(name: "$" + key, value: text))
        }
    }

    /// The values of variables, without those of secrets.
    package var variables: [String: String] { state.withLock { $0.variables } }

    /// The names of the variables that sent texts use.
    var sent: Set<String> { state.withLock { $0.sent } }

    /// The values of the secrets that were used, by name.
    package var secrets: [String: String] { state.withLock { $0.secrets } }

    /// The secrets, environment variables and files that sent texts use.
    var uses: Set<RequestSecrets.Use> { state.withLock { $0.uses } }

    /// Sets whether the following texts are sent to the server; the passphrase of a key is not.
    package func mark(isSent: Bool) { state.withLock { $0.isSent = isSent } }

    /// The values of built-ins, in the order of evaluation.
    package var builtins: [String: [String]] { state.withLock { $0.builtins } }

    /// Records the source of a value in the current text.
    package func note(source: String) {
        state.withLock { state in
            if state.current.count < Self.mostSources, !state.current.contains(source) { state.current.append(source) }
        }
    }

    /// Assigns the sources recorded since the last call to a place of the request.
    func closeSources(of place: ValueSource.Place) {
        state.withLock { state in
            guard !state.current.isEmpty else { return }
            state.sources.append(ValueSource(place, state.current))
            state.current = []
        }
    }

    /// The sources of the request's values, in the order in which its parts were resolved.
    package var sources: [ValueSource] { state.withLock { $0.sources } }
}
