internal import Model
internal import Synchronization

/// The passphrases of client keys that the user has entered, kept in memory for the lifetime of the client and never stored.
final class ClientKeyring: Sendable {
    /// The maximum number of prompts per call.
    private static let mostQuestions = 3

    private let asking: ClientKeyQuestion.Asking?
    private let state = Mutex(State())

    private struct State {
        /// Passphrases by the path of their key.
        var known: [String: String] = [:]
        /// The callbacks of calls that wait for the same prompt, by the path of the key.
        var waiting: [String: [@Sendable (String?) -> Void]] = [:]
    }

    /// - Parameter asking: Asks the user; nil where no user can be asked.
    init(asking: ClientKeyQuestion.Asking?) {
        self.asking = asking
    }

    /// Checks that the request's client key can be read, and sets its passphrase in the request.
    ///
    /// The time of a prompt does not count against the total timeout of the call.
    ///
    /// - Parameter call: The call that waits for the user; nil disables the prompt.
    /// - Throws: The errors of ``ClientKeyFiles/check(passphrase:)``, and `cancelled`.
    func unlock(_ request: inout Request, for call: Call?) async throws(NetworkError) {
        guard let files = ClientKeyFiles(request.options.trust) else { return }
        let given = request.options.trust.clientKeyPassphrase
        var questions = 0
        while true {
            let passphrase = given ?? state.withLock { $0.known[files.key] }
            do throws(NetworkError) {
                try await files.check(passphrase: passphrase)
                request.options.trust.clientKeyPassphrase = passphrase
                return
            } catch {
                guard error.code == .clientKeyPassphrase, given == nil, let asking, let call, questions < Self.mostQuestions else { throw error }
                // Another call may have stored a newer passphrase meanwhile.
                state.withLock { if $0.known[files.key] == passphrase { $0.known[files.key] = nil } }
                questions += 1
                let start = call.waitStart
                let question = ClientKeyQuestion(file: files.key, wasRefused: passphrase != nil)
                let answer: String? = try await call.wait(until: nil, timeout: .cancelledByCaller) { give in
                    ask(question, asking, tried: passphrase) { give(.success($0)) }
                }
                call.exclude(since: start)
                guard answer != nil else { throw error }
            }
        }
    }

    /// Prompts for a passphrase, unless a prompt for the key is open, which all waiting calls share, or a passphrase newer than `tried` is known.
    private func ask(
        _ question: ClientKeyQuestion, _ asking: ClientKeyQuestion.Asking, tried: String?, _ give: @escaping @Sendable (String?) -> Void
    ) {
        let (learned, isFirst) = state.withLock { state -> (String?, Bool) in
            if let known = state.known[question.file], known != tried { return (known, false) }
            let isFirst = state.waiting[question.file] == nil
            state.waiting[question.file, default: []].append(give)
            return (nil, isFirst)
        }
        if let learned { return give(learned) }
        guard isFirst else { return }
        asking(question) { [self] answer in
            let waiting = state.withLock { state in
                if let answer { state.known[question.file] = answer }
                return state.waiting.removeValue(forKey: question.file) ?? []
            }
            for give in waiting { give(answer) }
        }
    }
}
