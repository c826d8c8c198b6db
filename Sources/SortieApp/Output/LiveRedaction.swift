internal import SortieHTTP
internal import Synchronization

/// The masking rules of a command's output, which learn the values of secrets while templates are resolved.
final class LiveRedaction: Sendable {
    private let redaction: Mutex<Redaction>
    private let showsSecrets: Bool

    init(names: [String] = [], showsSecrets: Bool) {
        redaction = Mutex(Redaction(adding: names))
        self.showsSecrets = showsSecrets
    }

    /// The current masking rules; none where the user requested to see the secrets.
    var current: Redaction { showsSecrets ? .none : redaction.withLock { $0 } }

    /// The masking rules for stored data, which apply even if the user requested to see the secrets.
    var always: Redaction { redaction.withLock { $0 } }

    /// Adds names to mask.
    func add(names: [String]) {
        redaction.withLock { $0.mask(names: names) }
    }

    /// Masks the credentials of a request everywhere, for example where a server repeats them.
    func learn(from request: Request) { redaction.withLock { $0.learn(from: request) } }

    /// Masks the value of a secret.
    @Sendable func hide(_ value: String) {
        redaction.withLock { $0.hide(value) }
    }
}
