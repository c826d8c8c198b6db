internal import SortieHTTP
internal import Synchronization

/// The redaction of what a command prints, which learns the values of secrets while templates put them somewhere.
final class LiveRedaction: Sendable {
    private let redaction: Mutex<Redaction>
    private let showsSecrets: Bool

    init(names: [String] = [], showsSecrets: Bool) {
        redaction = Mutex(Redaction(adding: names))
        self.showsSecrets = showsSecrets
    }

    /// What is masked now; nothing where the person asked for the secrets.
    var current: Redaction { showsSecrets ? .none : redaction.withLock { $0 } }

    /// What is masked of what is kept, whatever the person asked to see.
    var always: Redaction { redaction.withLock { $0 } }

    /// Masks further names.
    func add(names: [String]) {
        guard !names.isEmpty else { return }
        redaction.withLock { $0 = Redaction(adding: names, values: $0.values) }
    }

    /// Masks the credentials of a request wherever they turn up: also where a server repeats them.
    func learn(from request: Request) { redaction.withLock { $0.learn(from: request) } }

    /// Masks a value that a secret gave.
    @Sendable func hide(_ value: String) {
        redaction.withLock { $0.hide(value) }
    }
}
