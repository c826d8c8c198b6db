/// A pending request for the passphrase of a client key.
struct ClientKeyQuestion: Hashable, Sendable {
    /// The path of the key.
    var file: String
    /// Whether the previous passphrase was wrong.
    var wasRefused: Bool
}

/// The pending requests for passphrases.
struct ClientKeysState: FeatureState {
    var questions: [ClientKeyQuestion] = []
}

/// Passphrases of client keys, which are passed on and never stored in the state.
enum ClientKeys {
    /// Queues the prompt for a passphrase, and shows a message when something else is open.
    static func asked(_ question: ClientKeyQuestion, _ state: inout AppState) {
        state.states[ClientKeysState.self].questions.removeAll { $0.file == question.file }
        state.states[ClientKeysState.self].questions.append(question)
        if state.isOccupied {
            state.toast = Toast("The client key \(question.file) needs its passphrase; close the open field or popup to enter it", .warning)
        }
    }

    /// Opens the next prompt, unless a popup is open or text is being typed.
    static func showQuestion(_ state: inout AppState) {
        guard let question = state.states[ClientKeysState.self].questions.first, !state.isOccupied else { return }
        let message = question.wasRefused ? "This passphrase does not open the key:" : "The client key is encrypted:"
        let file = question.file
        state.popups.show(
            Prompt(
                "Passphrase", placeholder: "kept until Sortie ends", message: "\(message) \(file)", isSecret: true,
                cancel: { supply(nil, file, &$0) }
            ) { prompt, state in
                state.popups.pop()
                return supply(prompt.text, file, &state)
            })
    }

    /// Passes the passphrase on; an empty text means that the user has none.
    private static func supply(_ text: String?, _ file: String, _ state: inout AppState) -> [Effect] {
        state.states[ClientKeysState.self].questions.removeAll { $0.file == file }
        return [.answerClientKey(file: file, passphrase: text?.isEmpty == false ? text : nil)]
    }
}
