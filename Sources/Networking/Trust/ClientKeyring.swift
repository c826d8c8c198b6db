internal import Model
internal import Synchronization

/// The passphrases of client keys that the user has entered, in memory for as long as the client lives, and never written anywhere.
final class ClientKeyring: Sendable {
    /// How often one call asks for the passphrase of a key.
    private static let mostQuestions = 3

    private let asking: ClientKeyQuestion.Asking?
    private let state = Mutex(State())

    private struct State {
        /// By the path of the key.
        var known: [String: String] = [:]
        /// The calls that wait for the answer to one question about a key.
        var waiting: [String: [@Sendable (String?) -> Void]] = [:]
    }

    /// - Parameter asking: asks the user; nil where nobody can be asked.
    init(asking: ClientKeyQuestion.Asking?) {
        self.asking = asking
    }

    /// Makes sure that the request's client key can be read, and gives the request its passphrase.
    ///
    /// The time in which the user is asked does not count against the call's total timeout.
    ///
    /// - Parameter call: the call that waits for the user; nil asks nobody.
    /// - Throws: what ``ClientKeyFiles/check(passphrase:)`` throws.
    func unlock(_ request: inout Request, for call: Call?) async throws(NetworkError) {
        guard let files = ClientKeyFiles(request.options.trust) else { return }
        let given = request.options.trust.clientKeyPassphrase
        var questions = 0
        while true {
            let passphrase = given ?? state.withLock { $0.known[files.key] }
            do throws(NetworkError) {
                try files.check(passphrase: passphrase)
                request.options.trust.clientKeyPassphrase = passphrase
                return
            } catch {
                guard error.code == .clientKeyPassphrase, given == nil, let asking, let call, questions < Self.mostQuestions else { throw error }
                // Another call may have learned a better one meanwhile.
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

    /// Asks, unless the same question is open already, whose answer is for all who wait, or was answered since `tried` was looked up.
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
