internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization

/// The pending requests of the client for passphrases of client keys.
final class ClientKeyQuestions: Sendable {
    private let mailbox: Mailbox
    private let hide: @Sendable (String) -> Void
    /// The completion handlers, by the key's path; the client prompts once for each key.
    private let waiting = Mutex<[String: @Sendable (String?) -> Void]>([:])

    /// - Parameter hide: Called with each passphrase, so that it is masked.
    init(mailbox: Mailbox, hide: @escaping @Sendable (String) -> Void) {
        (self.mailbox, self.hide) = (mailbox, hide)
    }

    /// Requests a passphrase from the user.
    func ask(_ question: ClientKeyQuestion, _ answer: @escaping @Sendable (String?) -> Void) {
        let replaced = waiting.withLock { waiting in
            defer { waiting[question.file] = answer }
            return waiting[question.file]
        }
        replaced?(nil)
        mailbox.post(.clientKeyAsked(file: question.file, wasRefused: question.wasRefused))
    }

    /// Passes on what the user entered; nil for nothing.
    func answer(_ file: String, _ passphrase: String?) {
        if let passphrase { hide(passphrase) }
        waiting.withLock { $0.removeValue(forKey: file) }?(passphrase)
    }
}
