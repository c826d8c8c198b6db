internal import Networking
internal import Synchronization
internal import Workbench

/// The open questions for passphrases of client keys: from the client to the screen, and the answers back.
final class ClientKeyQuestions: Sendable {
    private let mailbox: Mailbox
    private let hide: @Sendable (String) -> Void
    /// Who waits for the answer, by the key's path; the client asks once for each key.
    private let waiting = Mutex<[String: @Sendable (String?) -> Void]>([:])

    /// - Parameter hide: is told each passphrase, so that it is masked.
    init(mailbox: Mailbox, hide: @escaping @Sendable (String) -> Void) {
        self.mailbox = mailbox
        self.hide = hide
    }

    /// Has the screen ask.
    func ask(_ question: ClientKeyQuestion, _ answer: @escaping @Sendable (String?) -> Void) {
        let replaced = waiting.withLock { waiting in
            defer { waiting[question.file] = answer }
            return waiting[question.file]
        }
        replaced?(nil)
        mailbox.post(.clientKeyAsked(file: question.file, wasRefused: question.wasRefused))
    }

    /// Takes what the user entered; nil for nothing.
    func answer(_ file: String, _ passphrase: String?) {
        if let passphrase { hide(passphrase) }
        waiting.withLock { $0.removeValue(forKey: file) }?(passphrase)
    }
}
